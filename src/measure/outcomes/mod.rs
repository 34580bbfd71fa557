//! Outcomes: who wins on empty boards of many sizes, and with which stone.
//!
//! A plan says which boards are solved, and with what. A board takes from a millisecond to hours, so each answer is a row that is written
//! at once, and what a folder has is not solved again.

pub mod outcome;
pub mod outcome_row;
pub mod plan;
pub mod solving;
