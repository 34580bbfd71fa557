//! Test sets as a whole: recorded scores, the published ladder, the champion.

mod champion;
mod field;
mod originals;
mod recorded;
