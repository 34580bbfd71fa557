//! Counts: how many legal positions a board has, ply by ply, beside the totals that were published.

pub mod ply_count;
pub mod published_counts;
