//! Reports: samples in, tables and pictures out. Nothing here measures.
//!
//! [`reading`] reads a folder into [`results`]; [`stats`] makes numbers of them, [`tables`] a [`table`] for each
//! question, [`ranking`] one of many sets, [`plot`] pictures, [`page`] one HTML file of both, [`record`] a folder to
//! keep, [`blocks`] the generated parts of documents. [`claims`] holds published figures against results,
//! [`attribution`] says what each technique is worth, [`proof`] has the self-tests of the instrument, [`explanation`] tells what a
//! search did, [`score_words`] what a score means.

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
