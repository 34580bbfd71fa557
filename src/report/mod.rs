//! Reports: samples in, tables out. Nothing here measures.

pub mod instructions;
pub mod markdown;
pub mod record;
pub mod splice;
pub mod stats;
pub mod summary;
pub mod units;
