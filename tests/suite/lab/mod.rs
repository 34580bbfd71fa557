//! Test sets as a whole: recorded scores, pinned nodes, the published ladder, the champion.

mod champion;
mod field;
mod originals;
mod recorded;
mod totals;
