//! Tables: each file makes one kind of sheet from results.

pub mod ablation;
pub mod anatomy;
pub mod compare;
pub mod comparison;
pub mod conclusion;
pub mod engines;
pub mod failures;
pub mod instructions;
pub mod ladder;
pub mod list;
pub mod matrix;
pub mod pairs;
pub mod plies;
pub mod pooled;
pub mod processes;
pub mod profiles;
pub mod solved;
pub mod summary;
pub mod threads;
pub mod turns;
