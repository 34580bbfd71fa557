//! Lanes: several words in one vector, each asked the same question by the formulas of [`crate::axes::lines::line`].
//!
//! ```text
//! directions      | 1 | S | S-1 | S+1 |                      one board, a step in each lane
//! both            | 1 | S | S-1 | S+1 | 1 | S | S-1 | S+1 |  two boards, a step in each lane
//! after_moves     | a | b | c | d |                          one child in each lane, as many as there are moves
//! after_columns   | 0 | 1 | 2 | 3 | 4 | 5 | 6 | - |          one child in each lane, by its column
//! ```
//!
//! S is the stride. The lanes come from the crate `wide`, which the Cargo feature `simd` adds. Without that feature
//! every variant that needs lanes is refused. A processor without such vectors gives the same answers, more slowly.

#[cfg(feature = "simd")]
mod vectors {
    use crate::axes::horizon::{Race, Sets, row_with};
    use crate::axes::lines::children::{Lanes, Outlook, Parent, columns};
    use crate::axes::lines::line;
    use crate::axes::zugzwang::{self, Zugzwang, from_row, rows, rows_worth};
    use crate::game::Geometry;
    use crate::game::board::playable;
    use crate::game::score::Score;
    use wide::{u64x4, u64x8};

    #[inline(always)]
    fn steps<G: Geometry>() -> u64x4 {
        u64x4::new(G::DIRECTIONS.map(u64::from))
    }

    #[inline(always)]
    fn steps_of_both<G: Geometry>() -> u64x8 {
        let steps = G::DIRECTIONS.map(u64::from);
        u64x8::new(std::array::from_fn(|lane| steps[lane % 4]))
    }

    /// One board in four lanes, the other in the other four.
    #[inline(always)]
    fn both([one, other]: [u64; 2]) -> u64x8 {
        u64x8::new([one, one, one, one, other, other, other, other])
    }

    #[inline(always)]
    fn join(lanes: u64x4) -> u64 {
        let [a, b, c, d] = lanes.to_array();
        (a | c) | (b | d)
    }

    #[inline(always)]
    fn join_both(lanes: u64x8) -> [u64; 2] {
        let [a, b, c, d, e, f, g, h] = lanes.to_array();
        [(a | c) | (b | d), (e | g) | (f | h)]
    }

    /// Whether `stones` hold four in a row; a direction in each lane.
    #[inline(always)]
    pub fn has_four<G: Geometry>(stones: u64) -> bool {
        join(line::fours(u64x4::splat(stones), steps::<G>())) != 0
    }

    /// The squares of two sets that belong to a four; a direction of one set in each lane.
    #[inline(always)]
    pub fn squares_in_fours_of_both<G: Geometry>(sets: [u64; 2]) -> [u64; 2] {
        let steps = steps_of_both::<G>();
        join_both(line::spread(line::fours(both(sets), steps), steps))
    }

    /// The squares of the lines that hold three of `stones`; a direction in each lane.
    #[inline(always)]
    pub fn gaps<G: Geometry>(stones: u64) -> u64 {
        let steps = steps::<G>();
        join(line::spread(line::threes(u64x4::splat(stones), steps), steps))
    }

    /// The gaps in the lines of two boards; a direction of one board in each lane.
    #[inline(always)]
    pub fn gaps_of_both<G: Geometry>(boards: [u64; 2]) -> [u64; 2] {
        join_both(line::gaps_by_halves(both(boards), steps_of_both::<G>()))
    }

    /// The gaps in the lines of `stones` after each of four moves; a move in each lane, 0 for none.
    #[inline(always)]
    pub fn gaps_after_moves<G: Geometry>(stones: u64, moves: [u64; 4]) -> [u64; 4] {
        let children = u64x4::splat(stones) | u64x4::new(moves);
        let [_, across, down, up] = G::DIRECTIONS.map(|step| line::gaps_by_halves(children, step));
        (line::gaps_on_top(children) | across | (down | up)).to_array()
    }

    /// The gaps in the lines of `stones` after the move in each column; a column in each lane. The lane of a column
    /// without a move has the gaps of the parent.
    #[inline(always)]
    pub fn gaps_after_columns<G: Geometry>(stones: u64, moves: u64) -> [u64; 8] {
        assert!(G::WIDTH <= 8, "a column in each lane: at most eight columns");
        let column = |lane| if lane < G::WIDTH as usize { G::column(lane as u32) } else { 0 };
        let children = u64x8::splat(stones) | (u64x8::splat(moves) & u64x8::new(std::array::from_fn(column)));
        gaps_of_all::<G>(children).to_array()
    }

    /// The gaps in the lines of eight boards.
    #[inline(always)]
    fn gaps_of_all<G: Geometry>(boards: u64x8) -> u64x8 {
        let [_, across, down, up] = G::DIRECTIONS;
        let across = line::gaps_on_top(boards) | line::gaps_by_halves(boards, across);
        across | (line::gaps_by_halves(boards, down) | line::gaps_by_halves(boards, up))
    }

    /// The playable squares after each move.
    #[inline(always)]
    fn playable_after<G: Geometry>(node: Parent, moves: u64x8) -> u64x8 {
        (u64x8::splat(playable::<G>(node.stones)) + moves) & u64x8::splat(G::BOARD)
    }

    /// A bit for each lane that is zero.
    #[inline(always)]
    fn zeros(lanes: u64x8) -> u32 {
        lanes.simd_eq(u64x8::ZERO).to_bitmask()
    }

    /// A bit for each lane whose stones hold no four.
    #[inline(always)]
    fn without_four<G: Geometry>(stones: u64x8) -> u32 {
        // No closure: it would be called.
        let [top, across, down, up] = G::DIRECTIONS;
        let (top, across) = (line::fours(stones, top), line::fours(stones, across));
        zeros((top | across) | (line::fours(stones, down) | line::fours(stones, up)))
    }

    /// Looks at all moves of a node; a column in each lane.
    #[inline(always)]
    pub fn look<G: Geometry>(node: Parent) -> Outlook {
        let less_one = |lanes: u64x8| lanes + u64x8::splat(u64::MAX);
        let moves = u64x8::splat(node.moves) & u64x8::new(columns::<G>());
        let empty = !moves & u64x8::splat(G::BOARD & !node.stones);
        let threats = gaps_of_all::<G>(u64x8::splat(node.mover) | moves) & empty;
        let playable = playable_after::<G>(node, moves);
        // As `threats::non_losing`: a threat must be taken, two cannot be; no reply under a threat.
        let forced = threats & playable;
        let unforced = forced.simd_eq(u64x8::ZERO);
        let one_at_most = (forced & less_one(forced)).simd_eq(u64x8::ZERO);
        let replies = (forced | (unforced & playable)) & !(threats >> 1u32) & one_at_most;
        let lanes = !zeros(moves) & 0xff;
        let won = zeros(replies) & lanes;
        let forced = zeros(replies & less_one(replies)) & lanes & !won;
        Outlook { threats: threats.to_array(), replies: replies.to_array(), won, forced, quiet: lanes & !won & !forced }
    }

    impl Sets for u64x4 {
        #[inline(always)]
        fn splat(set: u64) -> u64x4 {
            u64x4::splat(set)
        }

        #[inline(always)]
        fn where_empty(self) -> u64x4 {
            self.simd_eq(u64x4::ZERO)
        }

        #[inline(always)]
        fn lowest(self) -> u64x4 {
            self & (u64x4::ZERO - self)
        }

        #[inline(always)]
        fn but_lowest(self) -> u64x4 {
            self & (self + u64x4::splat(u64::MAX))
        }
    }

    /// Whether the mover of some quiet child, given its winning squares, has no line within reach of so many stones
    /// ([`crate::axes::horizon`]); a child in each of four lanes.
    #[inline(always)]
    pub fn any_too_late<G: Geometry, const LEFT: u32>(node: Parent, outlook: &Outlook, wins: u64) -> bool {
        let odd = (G::BOARD & !node.stones).count_ones().is_multiple_of(2);
        let before = playable::<G>(node.stones);
        for half in 0..2 {
            let quiet = outlook.quiet >> (4 * half) & 0xf;
            if quiet == 0 {
                continue;
            }
            let of_half = |lanes: &[u64; 8]| u64x4::new(std::array::from_fn(|lane| lanes[4 * half + lane]));
            let moves = u64x4::splat(node.moves) & of_half(&columns::<G>());
            let free = !moves & u64x4::splat(G::BOARD & !node.stones);
            let race = Race {
                mover: u64x4::splat(node.stones & !node.mover),
                free,
                playable: (u64x4::splat(before) + moves) & u64x4::splat(G::BOARD),
                threats: of_half(&outlook.threats),
                wins: u64x4::splat(wins) & free,
                odd: std::array::from_fn(|class| {
                    // The move takes its column into the class, or out of it.
                    let squares = 2 * class as u32 + 1;
                    let odd = (before & row_with::<G>(squares)).count_ones() % 2 == 1;
                    let stays =
                        (moves & u64x4::splat(row_with::<G>(squares) | row_with::<G>(squares + 1))).where_empty();
                    if odd { stays } else { !stays }
                }),
            };
            let lines = if odd { race.in_reach::<G, LEFT, true>() } else { race.in_reach::<G, LEFT, false>() };
            if lines.where_empty().to_bitmask() & quiet != 0 {
                return true;
            }
        }
        false
    }

    /// A bound on the score of a quiet child; a child in each lane.
    #[inline(always)]
    pub fn at_most<G: Geometry, const EVEN: bool>(
        zugzwang: Zugzwang,
        node: Parent,
        outlook: &Outlook,
        target: Score,
    ) -> Option<Score> {
        let moves = u64x8::splat(node.moves) & u64x8::new(columns::<G>());
        let free = !moves & u64x8::splat(G::BOARD & !node.stones);
        let mover = u64x8::splat(node.stones & !node.mover);
        let playable = playable_after::<G>(node, moves);
        let threats = u64x8::new(outlook.threats);
        if G::HEIGHT.is_multiple_of(2) && EVEN && zugzwang.follows_up() {
            let win = Score::max(-target, 0);
            let claimed = free & u64x8::splat(rows::<G>(true)) & !playable;
            if win > 0 && !zugzwang.counts_distance() {
                return None;
            }
            // A line of claimed squares alone is worth half of the height at most.
            if win > G::HEIGHT as Score / 2
                && (!zugzwang.adds_up() || zeros(threats & claimed) & outlook.quiet == outlook.quiet)
            {
                return None;
            }
            let mut out_of_reach = claimed;
            if zugzwang.blocks() {
                out_of_reach |= zugzwang::upwards::<G, _>(threats & claimed, |row| u64x8::splat(from_row::<G>(row)));
            }
            let proven = without_four::<G>(mover | (free & !out_of_reach)) & outlook.quiet;
            if win == 0 {
                return (proven != 0).then_some(0);
            }
            for lane in Lanes(proven) {
                if zugzwang::follow_up_wins::<G>(zugzwang, node.child::<G>(outlook, lane), win) {
                    return Some(-win);
                }
            }
            return None;
        }
        if zugzwang.sees_odd_threats() && G::HEIGHT.is_multiple_of(2) && !EVEN {
            let win = Score::max(-target, 1);
            let above = zugzwang::upwards::<G, _>(playable & u64x8::splat(rows::<G>(true)), |row| {
                u64x8::splat(from_row::<G>(row))
            });
            let odd = threats & u64x8::splat(rows::<G>(false)) & above;
            let mut left = !zeros(odd & u64x8::splat(rows_worth::<G>(win))) & outlook.quiet;
            if zugzwang.adds_up() {
                // With a blocked column beside it, a threat may be worth more.
                left |= !(zeros(odd) | zeros(threats & u64x8::splat(rows::<G>(true)) & !playable)) & outlook.quiet;
            }
            for lane in Lanes(left) {
                if zugzwang::loses_to_odd_threat::<G>(zugzwang, node.child::<G>(outlook, lane), win) {
                    return Some(-win);
                }
            }
        }
        if target < 0 || node.stones.count_ones() + 1 < zugzwang::dead_lines_from::<G>() {
            return None;
        }
        (without_four::<G>(mover | free) & outlook.quiet != 0).then_some(0)
    }
}

/// The same functions for a build without vectors. Only variants that are refused could reach them.
#[cfg(not(feature = "simd"))]
mod vectors {
    use crate::axes::lines::children::{Outlook, Parent};
    use crate::axes::zugzwang::Zugzwang;
    use crate::game::Geometry;
    use crate::game::score::Score;

    /// Needs the Cargo feature `simd`.
    pub fn at_most<G: Geometry, const EVEN: bool>(_: Zugzwang, _: Parent, _: &Outlook, _: Score) -> Option<Score> {
        unreachable!("lanes need the Cargo feature `simd`; a build without it refuses such a variant")
    }

    /// The same.
    pub fn any_too_late<G: Geometry, const LEFT: u32>(_: Parent, _: &Outlook, _: u64) -> bool {
        unreachable!("lanes need the Cargo feature `simd`; a build without it refuses such a variant")
    }

    macro_rules! refused {
        ($( $name:ident($($argument:ty),+) -> $answer:ty; )+) => {$(
            /// Needs the Cargo feature `simd`.
            pub fn $name<G: Geometry>($(_: $argument),+) -> $answer {
                unreachable!("lanes need the Cargo feature `simd`; a build without it refuses such a variant")
            }
        )+};
    }

    refused! {
        has_four(u64) -> bool;
        squares_in_fours_of_both([u64; 2]) -> [u64; 2];
        gaps(u64) -> u64;
        gaps_of_both([u64; 2]) -> [u64; 2];
        gaps_after_moves(u64, [u64; 4]) -> [u64; 4];
        gaps_after_columns(u64, u64) -> [u64; 8];
        look(Parent) -> Outlook;
    }
}

pub use vectors::{
    any_too_late, at_most, gaps, gaps_after_columns, gaps_after_moves, gaps_of_both, has_four, look,
    squares_in_fours_of_both,
};
