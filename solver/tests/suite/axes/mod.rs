//! What the axes claim, held against the rules and the oracle.

mod keys;
mod rules;
mod zugzwang;
