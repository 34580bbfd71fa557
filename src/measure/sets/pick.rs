//! Picking lines: a few of a file's lines, drawn from a seed.

use crate::sets::draw::Draw;
use std::collections::BTreeSet;

/// So many lines, drawn from a seed without putting back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pick {
    pub count: usize,
    pub seed: u64,
    pub from: usize,
}

impl Pick {
    /// The lines that are drawn of `lines`, which are numbered from 1.
    pub fn of(self, lines: impl Iterator<Item = usize>) -> BTreeSet<usize> {
        let mut lines: Vec<usize> = lines.filter(|&line| line >= self.from).collect();
        Draw::new(self.seed, "lines").shuffle(&mut lines);
        lines.into_iter().take(self.count).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pick_is_a_function_of_its_seed() {
        let pick = |count, seed| Pick { count, seed, from: 11 }.of(1..=30);
        assert_eq!(pick(5, 1).len(), 5);
        assert_eq!(pick(5, 1), pick(5, 1));
        assert_ne!(pick(5, 1), pick(5, 2));
        assert!(pick(5, 1).is_subset(&pick(6, 1)));
        assert_eq!(pick(100, 1), (11..=30).collect());
    }
}
