//! Lines: lines of four in one word, or in the lanes of a vector.

pub mod children;
pub mod eight;
pub mod laned;
pub mod lanes;
pub mod line;
pub mod sets;
pub mod threats;
pub mod wins;
