//! What is written: files of claims, the ladders in them, and the tables of figures that ladders are made from.

pub mod figures;
pub mod file;
pub mod ladder;

#[cfg(test)]
pub(super) mod tests;
