//! Keys of boards: every function of `lists/keys.rs`
//! over the stream, throughput and latency apart.
//!
//! `cargo bench --bench keys`; with `-- --test` each is checked and runs once.

mod boards;
#[path = "lists/keys.rs"]
mod keys_list;
mod lists;
#[path = "timing/nodes.rs"]
mod nodes;
mod timing;

use nodes::time_list;

keys_list::keys!(time_list);
