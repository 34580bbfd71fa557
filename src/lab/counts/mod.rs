//! Counts: how many legal positions a board has, ply by ply, beside the totals that were published.

pub mod count_row;
pub mod published_counts;
