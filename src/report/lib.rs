//! Reports: samples in, tables and pictures out. Nothing here measures.
//!
//! [`reading`] reads a folder into [`results`]; [`stats`] computes numbers of them. [`tables`] makes a [`table`] for
//! each question, [`ranking`] a table over many sets, [`plot`] pictures, [`page`] one HTML file of both, [`record`] a
//! folder to keep, [`blocks`] the generated parts of documents. [`claims`] tests published figures, [`attribution`]
//! finds the worth of each technique, [`proof`] has self-tests, [`explanation`] explains a search, [`score_words`] a
//! score.

pub mod attribution;
pub mod blocks;
pub mod claims;
pub mod explanation;
pub mod extras;
pub mod page;
pub mod plot;
pub mod proof;
pub mod ranking;
pub mod reading;
pub mod record;
pub mod results;
pub mod score_words;
pub mod stats;
pub mod table;
pub mod tables;
