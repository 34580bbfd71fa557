//! Lanes: one formula of [`crate::axes::lines::line`] applied to several words in one vector.
//!
//! ```text
//! directions      | 1 | S | S-1 | S+1 |                      one board, a step in each lane
//! both            | 1 | S | S-1 | S+1 | 1 | S | S-1 | S+1 |  two boards, a step in each lane
//! after_moves     | a | b | c | d |                          one child in each lane, as many as there are moves
//! after_columns   | 0 | 1 | 2 | 3 | 4 | 5 | 6 | - |          one child in each lane, by its column
//! ```
//!
//! S is the stride. The lanes come from the crate `wide`, which the Cargo feature `simd` adds. A build without it
//! refuses every variant that needs lanes. On a processor without such vectors the results are equal, and slower.

#[cfg(feature = "simd")]
mod vectors {
    use crate::axes::lines::children::LANES;
    use crate::axes::lines::eight::{self, Eight, InLanes};
    use crate::axes::lines::laned::Laned;
    use crate::axes::lines::line;
    use crate::axes::lines::sets::{Counted, Sets};
    use crate::game::room::{ByLane, Room};
    use crate::game::{Geometry, Word};
    use wide::{u64x4, u64x8};

    #[inline(always)]
    fn steps<G: Geometry>(g: G) -> u64x4 {
        u64x4::new(g.directions().map(u64::from))
    }

    #[inline(always)]
    fn steps_of_both<G: Geometry>(g: G) -> u64x8 {
        let steps = g.directions().map(u64::from);
        u64x8::new(std::array::from_fn(|lane| steps[lane % 4]))
    }

    /// `words[0]` in the first four lanes, `words[1]` in the other four.
    #[inline(always)]
    fn both<W: Word>(words: [W; 2]) -> u64x8 {
        let [one, other] = words.map(low);
        u64x8::new([one, one, one, one, other, other, other, other])
    }

    /// A word as the 64 bits of a lane.
    #[inline(always)]
    fn low<W: Word>(word: W) -> u64 {
        debug_assert!(W::BITS == 64, "`Searcher::new` refuses longer words");
        word.low()
    }

    #[inline(always)]
    fn join<W: Word>(lanes: u64x4) -> W {
        let [a, b, c, d] = lanes.to_array();
        W::of(((a | c) | (b | d)).into())
    }

    #[inline(always)]
    fn join_both<W: Word>(lanes: u64x8) -> [W; 2] {
        let [a, b, c, d, e, f, g, h] = lanes.to_array();
        [(a | c) | (b | d), (e | g) | (f | h)].map(|word| W::of(word.into()))
    }

    /// True if `stones` hold four in a row; a direction in each lane.
    #[inline(always)]
    pub fn has_four<G: Geometry>(g: G, stones: G::Word) -> bool {
        join::<G::Word>(line::fours(u64x4::splat(low(stones)), steps(g))).has_any()
    }

    /// The squares of each set that belong to a four; a direction of one set in each lane.
    #[inline(always)]
    pub fn squares_in_fours_of_both<G: Geometry>(g: G, sets: [G::Word; 2]) -> [G::Word; 2] {
        let steps = steps_of_both(g);
        join_both(line::spread(line::fours(both(sets), steps), steps))
    }

    /// The squares of the lines that hold three of `stones`; a direction in each lane.
    #[inline(always)]
    pub fn gaps<G: Geometry>(g: G, stones: G::Word) -> G::Word {
        let steps = steps(g);
        join(line::spread(line::threes(u64x4::splat(low(stones)), steps), steps))
    }

    /// The gaps in the lines of two boards; a direction of one board in each lane.
    #[inline(always)]
    pub fn gaps_of_both<G: Geometry>(g: G, boards: [G::Word; 2]) -> [G::Word; 2] {
        join_both(line::gaps_by_halves(both(boards), steps_of_both(g)))
    }

    /// The gaps in the lines of `stones` after each of four moves; a move in each lane, 0 for none.
    #[inline(always)]
    pub fn gaps_after_moves<G: Geometry>(g: G, stones: G::Word, moves: [G::Word; 4]) -> [G::Word; 4] {
        let children = u64x4::splat(low(stones)) | u64x4::new(moves.map(low));
        let [_, across, down, up] = g.directions();
        let across = line::gaps_on_top(children) | line::gaps_by_halves(children, across);
        let diagonal = line::gaps_by_halves(children, down) | line::gaps_by_halves(children, up);
        (across | diagonal).to_array().map(|word| G::Word::of(word.into()))
    }

    /// The gaps in the lines of `stones` after the move in each column; a column in each lane. The lane of a column
    /// without a move has the gaps of the parent.
    #[inline(always)]
    pub fn gaps_after_columns<G: Geometry>(g: G, stones: G::Word, moves: G::Word) -> ByLane<G::Word, G::Room> {
        let mut after = ByLane::filled(G::Word::NONE);
        for group in 0..G::Room::GROUPS {
            let column = |lane| {
                let column = LANES * group + lane;
                if column < g.width() as usize { low(g.column(column as u32)) } else { 0 }
            };
            let columns = u64x8::new(std::array::from_fn(column));
            let children = u64x8::splat(low(stones)) | (u64x8::splat(low(moves)) & columns);
            *after.group_mut(group) =
                eight::gaps::<G, u64x8>(g, children).to_array().map(|word| G::Word::of(word.into()));
        }
        after
    }

    macro_rules! sets_in {
        ($($vector:ident)+) => {$(
            impl Sets for $vector {
                type Word = u64;

                #[inline(always)]
                fn splat(self, set: u64) -> $vector {
                    $vector::splat(set)
                }

                #[inline(always)]
                fn where_empty(self) -> $vector {
                    self.simd_eq($vector::ZERO)
                }

                #[inline(always)]
                fn zeros(self) -> u32 {
                    self.where_empty().to_bitmask()
                }
            }
        )+};
    }

    sets_in!(u64x4 u64x8);

    impl Counted for u64x8 {
        #[inline(always)]
        fn counts(self) -> u64x8 {
            u64x8::new(self.to_array().map(|word| word.counts()))
        }

        #[inline(always)]
        fn times(self, weight: i32) -> u64x8 {
            u64x8::new(self.to_array().map(|word| word.times(weight)))
        }
    }

    /// These vectors need no level: on a processor without them `wide` gives equal results, more slowly.
    impl Eight for u64x8 {
        type Level = ();
        type Register = u64x4;
        const REGISTER_LANES: usize = 4;

        #[inline(always)]
        fn new((): (), words: [u64; LANES]) -> u64x8 {
            u64x8::new(words)
        }

        #[inline(always)]
        fn to_array(self) -> [u64; LANES] {
            u64x8::to_array(self)
        }

        #[inline(always)]
        fn register((): (), words: &[u64; LANES], index: usize) -> u64x4 {
            u64x4::new(*words[4 * index..].first_chunk().expect("two registers of four"))
        }
    }

    #[inline(always)]
    pub fn look<W: Laned>() -> InLanes<W::Vector<u64x8>> {
        InLanes(())
    }
}

/// Stand-ins for a build without vectors. Only refused variants could call them.
#[cfg(not(feature = "simd"))]
mod vectors {
    use crate::axes::Threats;
    use crate::axes::lines::children::OneByOne;
    use crate::game::Geometry;
    use crate::game::room::ByLane;

    pub fn look<W>() -> OneByOne {
        OneByOne(Threats::Halves)
    }

    macro_rules! refused {
        ($( $name:ident($($argument:ty),+) -> $answer:ty; )+) => {$(
            pub fn $name<G: Geometry>(_: G, $(_: $argument),+) -> $answer {
                unreachable!("lanes need the Cargo feature `simd`; a build without it refuses such a variant")
            }
        )+};
    }

    refused! {
        has_four(G::Word) -> bool;
        squares_in_fours_of_both([G::Word; 2]) -> [G::Word; 2];
        gaps(G::Word) -> G::Word;
        gaps_of_both([G::Word; 2]) -> [G::Word; 2];
        gaps_after_moves(G::Word, [G::Word; 4]) -> [G::Word; 4];
        gaps_after_columns(G::Word, G::Word) -> ByLane<G::Word, G::Room>;
    }
}

pub use vectors::{gaps, gaps_after_columns, gaps_after_moves, gaps_of_both, has_four, look, squares_in_fours_of_both};
