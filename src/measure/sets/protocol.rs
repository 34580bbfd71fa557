//! The published test protocol: six sets by stage and distance.
//!
//! Source: P. Pons, "Solving Connect Four", part 2. The ranges are those of the original files, which are named
//! `Test_L<stage>_R<distance>`. A distance is the number of plies still to play, including the winning stone.

use crate::text::pluralize;
use c4lab_solver::game::{BoardSize, Position};
use std::ops::RangeInclusive;

#[derive(Debug)]
pub struct Protocol {
    pub name: &'static str,
    pub original: &'static str,
    pub original_sha256: &'static str,
    pub shipped_sha256: &'static str,
    pub development_sha256: &'static str,
    /// The lines of the shipped set; those of the set for tuning solvers are in `development`.
    pub shipped: &'static str,
    pub development: &'static str,
    /// The ranges on the standard board.
    pub published: Ranges,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ranges {
    pub plies: RangeInclusive<u32>,
    /// The plies that the generator draws: those of the stage at which the distance is possible.
    pub drawn: RangeInclusive<u32>,
    pub distances: RangeInclusive<u32>,
}

pub const SHIPPED_COUNT: usize = 1000;

/// The plies that are drawn for sets of the first stage. There are few different positions with less than four stones.
/// The original sets have no easy or medium ones among them. Each takes about as long as the empty board, which has its
/// own experiment.
const BEGIN_DRAWN: RangeInclusive<u32> = 4..=14;

/// The sets: name and original; the stones on the board, those that are drawn, and the distances; the digests of the
/// original, shipped and development set.
macro_rules! sets {
    ($( $name:literal $original:literal: $plies:expr, $drawn:expr, $distances:expr; $digest:literal $shipped:literal $development:literal )+) => {
        [$( Protocol {
            name: $name,
            original: $original,
            original_sha256: $digest,
            shipped_sha256: $shipped,
            development_sha256: $development,
            shipped: include_str!(concat!("../../../test-sets/", $name, ".txt")),
            development: include_str!(concat!("../../../test-sets/development/", $name, ".txt")),
            published: Ranges { plies: $plies, drawn: $drawn, distances: $distances },
        }, )+]
    };
}

pub static SETS: [Protocol; 6] = sets! {
    "end-easy" "Test_L3_R1": 29..=41, 29..=41, 1..=14;
    "fae47639d993cc91f074d0b642a5f2bb251d31b15cea9df496d672c01fb2efec"
    "1ed5ef149ea5661b50ec46e4d4e724fa4ed8fa0ba35e9122776dc422e7aa104c"
    "a40ac14825246cfc6654f37b836ba7d04eeb5b6f8c5bad12f13418ffdc3caa66"
    "middle-easy" "Test_L2_R1": 15..=28, 15..=28, 1..=14;
    "52b9ee96ab6e92fd755ca4c545792c07c548a5a994fd32beec2775939d071b3c"
    "b266334fdd5e485ca1c33a018b323eadad9dfc028fcd71ccfdf37c3dfea9f315"
    "e456172bce6d52adbf23a75b62d3823736db85197b0d8da83e3e512b5b8d4ac3"
    // With 28 stones 14 squares are left, so that no distance is 15.
    "middle-medium" "Test_L2_R2": 15..=28, 15..=27, 15..=28;
    "a0bb9983650ad5b6c6080da47c31065f6efa11bfadf2e1149af1619d7d65b745"
    "080db0fcc1e103e20092e78ebed4067a3306e81431dc5bdafe7cda837d725e70"
    "44bedf10587fbad035aae5b033f8d2b5b019eea4ad9480dcc1213cc394e7b069"
    "begin-easy" "Test_L1_R1": 0..=14, BEGIN_DRAWN, 1..=14;
    "003b7f5cc2b9b2d07ee2663cf92dfe99a50d7f4f57c556b6f35048e1bfaedb68"
    "2445674e3e05686eaee32f2e38856df5d96d7f8094987bbc9a2f72447ab2d44e"
    "194befd435ab6d2081ee3bf536f08c2d47020828fab18b6e969f2592ab0e8878"
    "begin-medium" "Test_L1_R2": 0..=14, BEGIN_DRAWN, 15..=28;
    "ba3df3282804270661239d0fc357761a5c7cc31bbd581f3c502222abffa31113"
    "e65f4f39d47edb4859d60791d2d42b8bf112ca5f4559d6bac3020657566c52a0"
    "a5dc24ab72cb687256bd05b373328b9c7d4df04221295c25baf4d4bce60a1d5f"
    "begin-hard" "Test_L1_R3": 0..=14, BEGIN_DRAWN, 29..=42;
    "7b6eb6c7c9e7342f8065188cac01a25df2413a5b77de062cf14a4a8b237b140a"
    "91f7961657f19cb640ec45bc1d0886c8aa05e5474bd23d80eea54c9b910ba891"
    "9fcce96bc0d2638454ce74f53475f97767cf365f804a73a9b595f709f0aa9911"
};

impl Protocol {
    pub fn find(name: &str) -> Option<&'static Protocol> {
        SETS.iter().find(|set| set.name == name || set.original == name)
    }

    /// The ranges on `board`: those of the standard board, in proportion to the number of squares.
    pub fn ranges(&self, board: BoardSize) -> Ranges {
        let (cells, published) = (board.cells(), BoardSize::STANDARD.cells());
        // Adjacent ranges stay adjacent, and the last ply of a game stays the last.
        let end = |ply: u32| if ply + 1 == published { cells - 1 } else { ply * cells / published };
        let of = |range: &RangeInclusive<u32>| {
            range.start().checked_sub(1).map_or(0, |before| end(before) + 1)..=end(*range.end())
        };
        let Ranges { plies, drawn, distances } = &self.published;
        Ranges { plies: of(plies), drawn: of(drawn), distances: of(distances) }
    }

    /// The reason why `position` with its exact `score` does not belong to the set; `None` if it does.
    pub fn misfit(&self, position: &Position, score: i32) -> Option<String> {
        let (ply, distance) = (position.ply(), position.size().distance(score, position.ply()));
        let Ranges { plies, distances, .. } = self.ranges(position.size());
        if !plies.contains(&ply) {
            let stones = pluralize(ply as usize, "stone");
            return Some(format!("{stones}; {} has {} to {}", self.name, plies.start(), plies.end()));
        }
        if !distances.contains(&distance) {
            let (least, most) = (distances.start(), distances.end());
            return Some(format!("{distance} plies to play; {} has {least} to {most}", self.name));
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Stages are adjacent on every board, and so are distances; on the standard board they are the published ones.
    #[test]
    fn stages_and_distances_are_in_proportion_to_the_squares() {
        for board in ["7x6", "6x6", "7x7", "8x7", "9x6", "4x4"] {
            let board: BoardSize = board.parse().unwrap();
            let [end, middle, middle_medium, begin, begin_medium, hard] = SETS.each_ref().map(|set| set.ranges(board));
            assert_eq!((*begin.plies.start(), *hard.distances.end()), (0, board.cells()));
            assert_eq!((*end.plies.end(), *end.plies.start()), (board.cells() - 1, middle.plies.end() + 1));
            assert_eq!(*middle.plies.start(), begin.plies.end() + 1);
            assert_eq!(*middle_medium.distances.start(), middle.distances.end() + 1);
            assert_eq!(*hard.distances.start(), begin_medium.distances.end() + 1);
        }
        let of = |board: &str| {
            let Ranges { plies, drawn, distances } = SETS[2].ranges(board.parse().unwrap());
            [plies, drawn, distances].map(|range| (*range.start(), *range.end()))
        };
        assert_eq!(of("7x6"), [(15, 28), (15, 27), (15, 28)]);
        assert_eq!(of("8x7"), [(19, 37), (19, 36), (19, 37)]);
        for set in &SETS {
            assert_eq!(set.ranges(BoardSize::STANDARD), set.published, "{}", set.name);
        }
    }
}
