//! Winning squares: of one board, of both sides, and of all children of a node: every function of `lists/threats.rs`
//! over the stream, throughput and latency apart.
//!
//! `cargo bench --bench threats`; with `-- --test` each is checked and runs once.

mod boards;
mod lists;
#[path = "timing/nodes.rs"]
mod nodes;
#[path = "lists/threats.rs"]
mod threats_list;
mod timing;

use nodes::time_list;

threats_list::threats!(time_list);
