//! Reports: samples in, tables out. Nothing here measures.

pub mod block;
pub mod instructions;
pub mod markdown;
pub mod pairs;
pub mod reading;
pub mod record;
pub mod results;
pub mod risk;
pub mod sheet;
pub mod splice;
pub mod stats;
pub mod summary;
pub mod units;
