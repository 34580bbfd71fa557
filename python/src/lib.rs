//! `c4lab._native`: what the Python package c4lab is made of that has to be fast. `c4lab/_native.pyi` has its types.
//!
//! Positions (`position.rs`), searches (`search.rs`), many positions on threads (`many.rs`), and the list of variants (`variants.rs`).
//! Arrays cross the border as plain bytes, so this crate knows nothing of NumPy, and no byte is read that Python could change
//! meanwhile. A search runs without the interpreter's lock, and ends when Python has a signal to handle (`interruptible.rs`).

mod asked;
mod grid;
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

    /// What stands in arrays where there is no score.
    #[pymodule_export]
    const NO_SCORE: i8 = crate::many::NO_SCORE;
    /// The variant that is used unless another one is named.
    #[pymodule_export]
    const DEFAULT: &str = registry::DEFAULT;
    /// The version of the package.
    #[pymodule_export]
    const VERSION: &str = env!("CARGO_PKG_VERSION");
    /// The features of the processor that all of this was compiled for.
    #[pymodule_export]
    const TARGET_FEATURES: &str = env!("C4LAB_TARGET_FEATURES");

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        let boards: Vec<String> = registry::boards().iter().map(ToString::to_string).collect();
        module.add("BOARDS", boards)
    }
}
