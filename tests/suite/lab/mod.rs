//! Whole test sets: recorded scores, pinned nodes, the published ladder.

mod originals;
mod sets;
mod totals;
