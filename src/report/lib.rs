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

/// The last item of `list` for which `is` holds; without one, `new` is added. As `HashMap::entry`, but in order.
pub(crate) fn entry<T>(list: &mut Vec<T>, is: impl Fn(&T) -> bool, new: impl FnOnce() -> T) -> &mut T {
    let index = list.iter().rposition(is).unwrap_or_else(|| {
        list.push(new());
        list.len() - 1
    });
    &mut list[index]
}
