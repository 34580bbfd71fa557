//! The named variants, for Python.

use c4lab_solver::search::registry;
use pyo3::prelude::*;

/// A variant for Python: name, description, value of every axis, the reason if it is not measured here, true if it is
/// exact, goals.
type Told =
    (&'static str, &'static str, Vec<(&'static str, &'static str)>, Option<&'static str>, bool, Vec<&'static str>);

/// All named variants, in the order of `c4lab list variants`.
#[pyfunction]
pub(crate) fn variants() -> Vec<Told> {
    let told = |entry: &registry::Entry| {
        let spec = entry.spec;
        let goals = spec.goals().iter().map(|goal| goal.name()).collect();
        (entry.name, entry.about, spec.fields(), entry.available().err(), spec.is_exact(), goals)
    };
    registry::ALL.iter().map(told).collect()
}
