//! The claims of the axes, checked against the rules and the oracle.

mod keys;
mod rules;
mod waiting;
mod zugzwang;
