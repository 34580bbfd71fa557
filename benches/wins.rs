//! Whether stones hold four in a row, and which squares belong to a four: every function of `lists/wins.rs`
//! over the stream, throughput and latency apart.
//!
//! `cargo bench --bench wins`; with `-- --test` each is checked and runs once.

mod boards;
mod lists;
#[path = "timing/nodes.rs"]
mod nodes;
mod timing;
#[path = "lists/wins.rs"]
mod wins_list;

use nodes::time_list;

wins_list::wins!(time_list);
