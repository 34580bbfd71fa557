//! The arguments of a search besides the position, from Python: the name of a goal, limits, and whether the table is
//! kept.

use c4lab_solver::search::{Goal, Limits};
use pyo3::Borrowed;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyInt, PyTuple};
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// The goal, the limits, and the use of the table: from Python the tuple `(goal, nodes, seconds, keep)`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Asked {
    pub(crate) goal: Goal,
    nodes: Option<u64>,
    time: Option<Duration>,
    /// True if the table keeps the bounds of earlier positions.
    pub(crate) keep: bool,
}

impl Asked {
    /// The limits of one search, which the flag `stop` stops, too.
    pub(crate) fn limits<'a>(&self, stop: &'a AtomicBool) -> Limits<'a> {
        Limits { nodes: self.nodes, time: self.time, interrupt: Some(stop) }
    }
}

impl<'a, 'py> FromPyObject<'a, 'py> for Asked {
    type Error = PyErr;

    fn extract(asked: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        let asked = asked.cast::<PyTuple>()?;
        let limit = |index: usize| asked.get_item(index).map(|limit| (!limit.is_none()).then_some(limit));
        Ok(Asked {
            goal: goal_of(&asked.get_item(0)?)?,
            nodes: limit(1)?.map(|nodes| whole_number("node_limit", &nodes)).transpose()?,
            time: limit(2)?.map(|seconds| duration_of(&seconds)).transpose()?,
            keep: asked.get_item(3)?.extract()?,
        })
    }
}

fn goal_of(value: &Bound<'_, PyAny>) -> PyResult<Goal> {
    let known = Goal::NAMES.join(" or ");
    let Ok(name) = value.extract::<String>() else {
        return Err(PyTypeError::new_err(format!("goal: write {known}, not {}", value.get_type().name()?)));
    };
    let goal = Goal::ALL.into_iter().find(|goal| goal.name() == name);
    goal.ok_or_else(|| PyValueError::new_err(format!("goal {name:?}: write {known}")))
}

/// A time in seconds.
fn duration_of(value: &Bound<'_, PyAny>) -> PyResult<Duration> {
    let Ok(seconds) = value.extract::<f64>() else {
        let kind = value.get_type();
        return Err(PyTypeError::new_err(format!("time_limit: a number of seconds, 0 or more, not {}", kind.name()?)));
    };
    let reason = format!("time_limit {seconds}: a number of seconds, 0 or more");
    Duration::try_from_secs_f64(seconds).map_err(|_| PyValueError::new_err(reason))
}

/// The whole number of the argument `what`. TypeError if it is no whole number, ValueError if it is below 0 or too
/// large.
pub(crate) fn whole_number(what: &str, value: &Bound<'_, PyAny>) -> PyResult<u64> {
    let asked = format!("a whole number, 0 to {}", u64::MAX);
    if value.is_instance_of::<PyBool>() {
        return Err(PyTypeError::new_err(format!("{what}: {asked}, not bool")));
    }
    value.extract().map_err(|_| match value.is_instance_of::<PyInt>() {
        true => PyValueError::new_err(format!("{what} {value}: {asked}")),
        false => match value.get_type().name() {
            Ok(kind) => PyTypeError::new_err(format!("{what}: {asked}, not {kind}")),
            Err(error) => error,
        },
    })
}
