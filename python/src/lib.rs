//! `c4lab._native`: the fast part of the Python package c4lab. `c4lab/_native.pyi` has its types.
//!
//! Positions (`position.rs`), searches (`search.rs`), many positions on threads (`many.rs`), and the list of variants
//! (`variants.rs`). Arrays are passed as plain bytes, so this crate does not need NumPy, and reads no bytes that Python
//! could change meanwhile. A search runs without the interpreter's lock, and ends at a signal (`interruptible.rs`).

mod asked;
mod interruptible;
mod many;
mod position;
mod search;
mod variants;

use pyo3::prelude::*;

/// The module, as Python imports it.
#[pymodule]
mod _native {
    use super::*;
    use c4lab_solver::search::registry;

    #[pymodule_export]
    use crate::position::Position;
    #[pymodule_export]
    use crate::search::Search;
    #[pymodule_export]
    use crate::search::Stopped;
    #[pymodule_export]
    use crate::variants::variants;

    /// The value in arrays for no score.
    #[pymodule_export]
    const NO_SCORE: i8 = crate::many::NO_SCORE;
    /// The default variant.
    #[pymodule_export]
    const DEFAULT: &str = registry::DEFAULT;
    /// The version of the package.
    #[pymodule_export]
    const VERSION: &str = env!("CARGO_PKG_VERSION");
    /// The features of the processor for which the module was compiled.
    #[pymodule_export]
    const TARGET_FEATURES: &str = env!("C4LAB_TARGET_FEATURES");

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        let boards: Vec<String> = registry::boards().iter().map(ToString::to_string).collect();
        module.add("BOARDS", boards)
    }
}
