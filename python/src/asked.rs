//! What is asked of a search besides a position, as Python says it: a goal by name, limits by number, and whether the table keeps
//! what it knows.

use c4lab_solver::search::{Goal, Limits};
use pyo3::Borrowed;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// The goal, the limits, and what becomes of the table: from Python the tuple `(goal, nodes, seconds, keep)`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Asked {
    pub(crate) goal: Goal,
    nodes: Option<u64>,
    time: Option<Duration>,
    /// Whether the table keeps what it knows of earlier positions.
    pub(crate) keep: bool,
}

impl Asked {
    /// The limits of one search, which that flag stops.
    pub(crate) fn limits<'a>(&self, stop: &'a AtomicBool) -> Limits<'a> {
        Limits { nodes: self.nodes, time: self.time, interrupt: Some(stop) }
    }
}

impl<'a, 'py> FromPyObject<'a, 'py> for Asked {
    type Error = PyErr;

    fn extract(asked: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        let (name, nodes, seconds, keep): (String, Option<u64>, Option<f64>, bool) = asked.extract()?;
        let goal = Goal::ALL.into_iter().find(|goal| goal.name() == name);
        let goal =
            goal.ok_or_else(|| PyValueError::new_err(format!("goal {name:?}: write {}", Goal::NAMES.join(" or "))))?;
        let duration = |seconds: f64| {
            let reason = format!("time_limit {seconds}: a number of seconds, 0 or more");
            Duration::try_from_secs_f64(seconds).map_err(|_| PyValueError::new_err(reason))
        };
        Ok(Asked { goal, nodes, time: seconds.map(duration).transpose()?, keep })
    }
}
