//! By board: sets of other boards than 7x6 by the published protocol. Stages and distances are in proportion to the
//! squares.
//!
//! A name has the board and the set: `7x7/middle-easy`. So the name of a set also gives the board of an experiment.
//! Some sets are missing: two searches with little common code must agree on each score, and the second search takes
//! too long for early positions of large boards.

use crate::sets::protocol::{Protocol, SETS};
use c4lab_solver::game::BoardSize;
use flate2::read::GzDecoder;
use std::io::Read;

#[derive(Debug)]
pub struct BoardSet {
    pub name: &'static str,
    board: &'static str,
    set: &'static str,
    pub count: usize,
    pub sha256: &'static str,
    packed: &'static [u8],
}

macro_rules! board_sets {
    ($( $board:literal { $( $set:literal: $count:literal, $sha256:literal; )+ } )+) => {
        pub static ALL: &[BoardSet] = &[$( $( BoardSet {
            name: concat!($board, "/", $set),
            board: $board,
            set: $set,
            count: $count,
            sha256: $sha256,
            packed: include_bytes!(concat!("../../../test-sets/", $board, "/", $set, ".txt.gz")),
        }, )+ )+];
    };
}

board_sets! {
    "6x6" {
        "end-easy": 1000, "b9e5b76d85ce89ee3f9f92f6a89b61b26f70724b68dba8ececd84c63a014817b";
        "middle-easy": 1000, "817906b5563ec6cffc5d857d311d150525f4024c661272458d64eb286bafbb56";
        "middle-medium": 1000, "b85e1d148664d8f6b1cffc6b693a682a4dd3814ca11015da92fb5f69a64fc4f6";
        "begin-easy": 1000, "49f8809c9ddba8fc8268ece61ba5a087b7df36c91fcc6f881a0299e095a868af";
        "begin-medium": 1000, "d0e7a5a3b8383df5056e6412fbd1bca68cbd0747df2d97573cb5058e8710a076";
        "begin-hard": 200, "8d0a73aa353d7f3ea525f476c7fec3203b761b5244456a39ad942ddfe14e4da7";
    }
    "7x7" {
        "end-easy": 1000, "5d3ed6073e60391fa899c098ebff422e3a205565306a104ebc1804d96ebef7d4";
        "middle-easy": 1000, "817f7890c6109c93f10be842959bd44c9428d672535a568ab137edd5cc7b0923";
        "middle-medium": 200, "642887161a7d72a2b7dfce6688f830e611a9a99f1b377d8a448c864bdc4be476";
        "begin-easy": 1000, "30aee4e3f2d5b120b17db72a07e83d88c8b26f2b34e6801a15f32fa693ba1ee7";
    }
    "8x7" {
        "end-easy": 1000, "35bfbd685da1ce0fd0383a2c6dd8d7ebef1cc00d30320c0cf666b1de53b72367";
        "middle-easy": 1000, "41659f5450a4bb0ac4bffa2b68224183af3e72882a5b3dc09588e4d0365f3d9a";
        "middle-medium": 200, "0eb2e8c75d3434f206f48178284f88249ef025765470ed1de57d58e4fffe67ae";
        "begin-easy": 1000, "40e8a7391655623b42053ef134bb342c6e2ccc71d7579f31aaa8af19093e6795";
    }
    "8x8" {
        "end-easy": 1000, "37889e7a165bbf90a0ad36d9ed64e48a420a3a0e2c854074fc6a8131eacd4818";
        "middle-easy": 1000, "2808c8109b4701b425770fd5e2c6607815dd1ee9a25dd5225e1d1afc11027bf1";
        "middle-medium": 200, "8a6a38dadeb9b0862c9471762e0b0ce4e7cb2cebdfbd0e498fd46558b2d0628e";
        "begin-easy": 1000, "6732700490049015f136d574518501cde81f23432ea77cd92d9752d874be8478";
    }
    "9x6" {
        "end-easy": 1000, "6cd50dc7888a4a5b02e51e3039befc800cdab028ebaf6ede1a44552cee9988bc";
        "middle-easy": 1000, "76c234683a6b51b3de42ccab8350c1202b65690e4fecc95006a51c733cd98547";
        "middle-medium": 200, "3114472f0aaba2d3f96591307dfc80156a4400696f9dff9de1eb2eb456cfc5a3";
        "begin-easy": 1000, "e0368f8422f5bd243b5d85d1bdcb166ac1d9150056bd225a5ae2c80405d9e225";
    }
}

pub fn find(name: &str) -> Option<&'static BoardSet> {
    ALL.iter().find(|set| set.name == name)
}

pub fn of(board: BoardSize, set: &Protocol) -> Option<&'static BoardSet> {
    ALL.iter().find(|it| it.board() == board && it.set == set.name)
}

impl BoardSet {
    pub fn board(&self) -> BoardSize {
        self.board.parse().expect("a size")
    }

    pub fn protocol(&self) -> &'static Protocol {
        SETS.iter().find(|set| set.name == self.set).expect("a set of the protocol")
    }

    pub(super) fn lines(&self) -> Vec<u8> {
        let mut lines = Vec::new();
        GzDecoder::new(self.packed).read_to_end(&mut lines).expect("the set was compressed whole");
        lines
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sets::generate::Candidates;
    use crate::sets::test_set::TestSet;
    use crate::sets::verify::verify;

    /// Every set has its recorded digest, and passes the checks that need no search.
    #[test]
    fn sets_of_boards_are_the_recorded_ones() {
        let readme = include_str!("../../../test-sets/README.md");
        for it in ALL {
            let set = TestSet::open(it.name).unwrap();
            assert_eq!(
                (set.sha256.as_str(), set.items.len(), set.board),
                (it.sha256, it.count, it.board()),
                "{}",
                it.name
            );
            assert!(set.shipped && readme.contains(&set.sha256), "{}", it.name);
            let verdict = verify(it.name, it.board(), None).unwrap();
            assert!(verdict.known && verdict.findings.is_empty(), "{}: {:?}", it.name, verdict.findings);
            assert_eq!(of(it.board(), it.protocol()).map(|set| set.name), Some(it.name));
        }
    }

    /// The positions of a set are candidates of seed 1, in the order in which they are drawn.
    #[test]
    fn positions_are_drawn_from_the_seed() {
        for it in ALL {
            let mut candidates = Candidates::on(it.board(), it.protocol(), 1).take(200_000);
            for item in TestSet::open(it.name).unwrap().items.iter().take(5) {
                assert!(candidates.any(|candidate| candidate == item.position), "{}, line {}", it.name, item.line);
            }
        }
    }
}
