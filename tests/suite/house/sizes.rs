//! No file is longer than a reader's patience.

use super::{all, hold_to};

/// Lines.
const MOST: usize = 450;

/// Longer ones that are still to be split.
const LONGER: [&str; 0] = [];

#[test]
fn no_file_is_longer_than_450_lines() {
    let mut long = all();
    long.retain(|source| source.text.lines().count() > MOST);
    let long: Vec<String> = long.into_iter().map(|source| source.path).collect();
    hold_to(&LONGER, &long, "no file is longer than 450 lines");
}
