//! Making the moves of a node, on copies and on one board: every function of `lists/storage.rs`
//! over the stream, throughput and latency apart.
//!
//! `cargo bench --bench storage`; with `-- --test` each is checked and runs once.

mod boards;
mod lists;
#[path = "timing/nodes.rs"]
mod nodes;
#[path = "lists/storage.rs"]
mod storage_list;
mod timing;

use nodes::time_list;

storage_list::storage!(time_list);
