//! Sheets: a table before it is shown, and how it is shown on a terminal, in Markdown, as CSV and as JSON.

pub mod fitted;
pub mod json;
pub mod list;
pub mod markdown;
pub mod sheet;
pub mod units;
