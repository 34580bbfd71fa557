//! Ordering the moves of a node: every function of `lists/order.rs`
//! over the stream, throughput and latency apart.
//!
//! `cargo bench --bench order`; with `-- --test` each is checked and runs once.

mod boards;
mod lists;
#[path = "timing/nodes.rs"]
mod nodes;
#[path = "lists/order.rs"]
mod order_list;
mod timing;

use nodes::time_list;

order_list::order!(time_list);
