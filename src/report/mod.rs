//! Reports: samples in, tables and pictures out. Nothing here measures.

pub mod ablation;
pub mod block;
pub mod compare;
pub mod comparison;
pub mod failures;
pub mod instructions;
pub mod markdown;
pub mod page;
pub mod pairs;
pub mod pictures;
pub mod plies;
pub mod plot;
pub mod profiles;
pub mod reading;
pub mod record;
pub mod results;
pub mod risk;
pub mod scatters;
pub mod sheet;
pub mod sheets;
pub mod splice;
pub mod stats;
pub mod summary;
pub mod units;
