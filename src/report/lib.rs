//! Reports: samples in, tables and pictures out. Nothing here measures.
//!
//! [`reading`] goes through a folder once and fills [`results`]. [`stats`] makes numbers of them. [`tables`] make
//! [`table`]s, [`ranking`] makes one of many sets, [`plot`] draws, [`page`] puts both into one file. [`renew`] makes the generated parts of documents
//! again, and [`splice`] writes them. [`proof`] holds the instrument against what is known. [`kept_rows`] shows rows without samples, of the kinds that [`extras`] adds. [`claims`] holds published figures against results. [`attribution`] says what
//! each technique is worth. [`score_words`] says what a score means, [`explanation`] what a search did.

pub mod attribution;
pub mod claims;
pub mod explanation;
pub mod extras;
pub mod kept_rows;
pub mod merging;
pub mod page;
pub mod plot;
pub mod proof;
pub mod ranking;
pub mod reading;
pub mod record;
pub mod renew;
pub mod results;
pub mod risk;
pub mod score_words;
pub mod splice;
pub mod stats;
pub mod table;
pub mod tables;
