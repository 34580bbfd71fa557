//! Sheets: a table before it is shown, and how it is shown on a terminal, in Markdown and as CSV.

pub mod fitted;
pub mod list;
pub mod markdown;
pub mod sheet;
pub mod units;
