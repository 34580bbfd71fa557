//! The search that expands a node's children together ([`crate::axes::Search::Children`]).
//!
//! A node is one entry of `Descent::children`: a board whose mover cannot win at once and has at least two moves that
//! do not lose at once. It looks at all children ([`children`]). It ends where one of them decides it: by a win with
//! the mover's second stone, by zugzwang bounds, by the end of the forced moves, or by the table. What is left is
//! searched, best first. All windows are null windows, fail-soft: a value above `alpha` is a lower bound, any other an
//! upper one.
//!
//! ```text
//! lane              0 1 2 3 4 5 6 7
//! column            4 3 5 2 6 1 7 -      from the centre out
//! replies left      5 0 1 4 4 6 1 -      the opponent's moves that do not lose at once
//!                     w f       f        w  none: the move wins with the stone after next, and ends the node
//!                                        f  one: forced; it is played at once, until a side has a choice again
//! ```
//!
//! The order of moves, the child's look at its own losses and the zugzwang bounds all need the winning squares after each move. Here
//! they are found once for all three. A board with one move that does not lose at once needs no probe, no store and no order.

use crate::axes::level::{BASELINE_HAS_AVX2, Chosen, Level, Recursion};
use crate::axes::lines::children::{self, Lanes, Parent};
use crate::axes::lines::threats;
use crate::axes::table::known::Known;
use crate::axes::zugzwang::{self, Sides};
use crate::axes::{StaticBounds, Threats, bounds};
use crate::axes::{horizon, rules};
use crate::game::board::playable;
use crate::game::score::{self, Score};
use crate::game::{Board, Geometry, Word};
use crate::search::anatomy::NodeEnd;
use crate::search::brood::{Brood, Cut, Node};
use crate::search::node::{BroodOf, Descent, NodeOf, OutlookOf, ParentOf, STOPPED, SetOf, TableKey};
use crate::search::registry::ABLATIONS;
use crate::search::team::has_threads;
use crate::search::team::together::AsTeam;
use crate::search::variant::Variant;

/// What forced moves lead to.
pub(super) enum Played<W, K> {
    /// The end: a score, from the side that was to move first.
    Score(Score),
    /// A choice: its node, the squares that complete a four of the opponent's, and whether the side that began moves
    /// now.
    Choice(Node<W, K>, W, bool),
}

/// Plays on while the side to move has one move that does not lose at once, given the squares that complete a four of
/// the opponent's. The mover cannot win at once.
#[inline(always)]
pub(super) fn play_out<G: Geometry, K: Copy + Default>(
    g: G,
    threats: Threats,
    mut mover: G::Word,
    mut opponent: G::Word,
    mut wins: G::Word,
) -> Played<G::Word, K> {
    let mut again = true;
    loop {
        let stones = mover | opponent;
        let moves = threats::non_losing(playable(g, stones), wins);
        if moves.is_empty() {
            let ply = stones.count_ones();
            let score = if ply == g.cells() { 0 } else { score::least(g, ply) };
            return Played::Score(if again { score } else { -score });
        }
        if moves.has_several() {
            return Played::Choice(Node { mover, opponent, moves, key: K::default() }, wins, again);
        }
        (mover, opponent) = (opponent, mover | moves);
        wins = threats::winning_squares(g, threats, opponent, g.board() & !(stones | moves));
        again = !again;
    }
}

/// Whether searches of a variant are compiled for AVX2 too, besides or instead of the baseline. The search at run time is compiled for
/// one level, which is AVX2 where the build's baseline has it; with the feature `ablations` for all.
const fn meets_avx2<V: Variant>() -> bool {
    match V::FIXED {
        Some(spec) => matches!(spec.threats, Threats::Dispatched),
        None => ABLATIONS || BASELINE_HAS_AVX2,
    }
}

/// Whether they are compiled for AVX-512, too.
#[cfg(all(feature = "simd", target_arch = "x86_64"))]
const fn meets_avx512<V: Variant>() -> bool {
    match V::FIXED {
        Some(spec) => matches!(spec.threats, Threats::Dispatched),
        None => ABLATIONS,
    }
}

/// Whether a search of a variant is compiled for the baseline.
const fn meets_baseline<V: Variant>() -> bool {
    !(BASELINE_HAS_AVX2 && meets_avx2::<V>())
}

impl<V: Variant> Descent<'_, '_, V> {
    /// The node that forced moves lead to from a board, or the score. The mover cannot win at once.
    pub(super) fn first_node(&self, board: Board<V::Geometry>) -> Played<SetOf<V>, TableKey<V>> {
        let g = self.geometry();
        let scalar = self.one_board();
        let wins = threats::winning_squares(g, scalar, board.opponent(), board.empty());
        let mut played = play_out::<_, _>(g, scalar, board.mover(), board.opponent(), wins);
        if let Played::Choice(node, ..) = &mut played {
            node.key = self.fetched(node.mover, node.opponent, self.spec().key);
        }
        played
    }

    /// Asks whether the score of a node is above `alpha`: a bound of it, or [`STOPPED`].
    pub(super) fn ask_node(&mut self, node: NodeOf<V>, alpha: Score) -> Score {
        let ply = (node.mover | node.opponent).count_ones();
        if const { has_threads::<V>() } && self.together.is_alone_at(ply) && self.searcher.own.is_some() {
            return self.ask_alone(node, alpha);
        }
        self.ask_here(node, alpha)
    }

    /// The same, with the table that is at hand.
    pub(super) fn ask_here(&mut self, node: NodeOf<V>, alpha: Score) -> Score {
        let ply = (node.mover | node.opponent).count_ones();
        let Known { least, .. } = self.probe(ply, node.key).unwrap_or(self.bounds(ply));
        match self.searcher.level {
            Chosen::Baseline(level) if const { meets_baseline::<V>() } => self.descend(level, &node, alpha, least),
            #[cfg(all(feature = "simd", target_arch = "x86_64"))]
            Chosen::Avx2(level) if const { meets_avx2::<V>() } => self.descend(level, &node, alpha, least),
            #[cfg(all(feature = "simd", target_arch = "x86_64"))]
            Chosen::Avx512(level) if const { meets_avx512::<V>() } => self.descend(level, &node, alpha, least),
            level => unreachable!("{} was compiled for no {level:?}", self.spec()),
        }
    }

    /// Enters the recursion at a level.
    #[inline(always)]
    fn descend<L: Level>(&mut self, level: L, node: &NodeOf<V>, alpha: Score, least: Score) -> Score {
        let g = self.geometry();
        let ply = (node.mover | node.opponent).count_ones();
        if const { has_threads::<V>() } && self.together.has(ply) {
            // At its level, too: without vectors here, two threads took 6 % more time (`trials.txt` in `results/2026-11-27-threads`).
            level.call(AsTeam { descent: self, node, alpha, least })
        } else if zugzwang::plays_last(g, ply) {
            level.enter::<Self, true>(self, node, alpha, least)
        } else {
            level.enter::<Self, false>(self, node, alpha, least)
        }
    }

    /// The range of scores that the number of stones and zugzwang leave a node, given the squares that complete a four
    /// of the opponent's.
    pub(super) fn range(&self, node: NodeOf<V>, threats: SetOf<V>) -> (Score, Score) {
        let g = self.geometry();
        let ply = (node.mover | node.opponent).count_ones();
        let possible = Known { least: score::least(g, ply), most: score::most_without_win_now(g, ply) };
        let Known { least, mut most } = self.bounds(ply).and(possible);
        let board = Sides { mover: node.mover, opponent: node.opponent, threats };
        let zugzwang = self.spec().zugzwang;
        while let Some(bound) = zugzwang::at_most(g, zugzwang, board, (most - 1).min(0)) {
            most = bound;
        }
        debug_assert!(least <= most);
        (least, most)
    }

    /// How winning squares are found one board at a time.
    #[inline(always)]
    pub(super) fn one_board(&self) -> Threats {
        match self.spec().threats {
            Threats::Children | Threats::Dispatched => Threats::Halves,
            scalar => scalar,
        }
    }

    /// The bounds of a node that its number of stones sets.
    #[inline(always)]
    pub(super) fn bounds(&self, ply: u32) -> Known {
        let g = self.geometry();
        let spec = self.spec();
        bounds::of(g, spec.bounds, spec.anticipation, ply)
    }

    /// A value that some quiet child's zugzwang bound gives its parent, and that ends it.
    #[inline(always)]
    fn quiet_bound<L: Level, const LAST: bool>(
        &self,
        level: L,
        parent: ParentOf<V>,
        outlook: &OutlookOf<V>,
        alpha: Score,
    ) -> Cut {
        let g = self.geometry();
        let spec = self.spec();
        if outlook.quiet == 0 {
            return None;
        }
        let bound = if LAST {
            children::at_most::<_, L, false>(g, level, spec.threats, spec.zugzwang, parent, outlook, -alpha - 1)
        } else {
            children::at_most::<_, L, true>(g, level, spec.threats, spec.zugzwang, parent, outlook, -alpha - 1)
        };
        bound.map(|bound| -bound)
    }

    /// Plays out the forced replies and puts what they lead to into its lane, until one ends the parent.
    #[inline(always)]
    fn forced(&self, brood: &mut BroodOf<V>, parent: ParentOf<V>, outlook: &OutlookOf<V>, alpha: Score) -> Cut {
        let g = self.geometry();
        let spec = self.spec();
        for lane in Lanes(outlook.forced) {
            let Sides { mover, opponent, threats } = parent.child(g, outlook, lane);
            match play_out::<_, TableKey<V>>(g, self.one_board(), mover, opponent, threats) {
                Played::Score(score) if -score > alpha => return Some(-score),
                Played::Score(score) => brood.best = brood.best.max(-score),
                Played::Choice(node, wins, again) => {
                    // Forced moves began with the child's mover: where that side moves again, the parent does not.
                    let again = !again;
                    let ply = (node.mover | node.opponent).count_ones();
                    let mut known = self.bounds(ply);
                    let board = Sides { mover: node.mover, opponent: node.opponent, threats: wins };
                    let target = if again { alpha } else { -alpha - 1 };
                    if let Some(most) = zugzwang::from_squares(g, spec.zugzwang, board, target) {
                        debug_assert!(known.least <= most);
                        known.most = most;
                    }
                    brood.live |= 1 << lane;
                    brood.again |= u32::from(again) << lane;
                    brood.learn(lane, known);
                    if let Some(value) = brood.settle(lane, alpha) {
                        return Some(value);
                    }
                    if brood.live >> lane & 1 != 0 {
                        let key = self.fetched(node.mover, node.opponent, spec.key);
                        brood.nodes[lane] = Node { key, ..node };
                        brood.keys[lane] = key;
                    }
                }
            }
        }
        None
    }

    /// Takes note of a child that ended its parent, after so many others were searched. The last numbers are the nodes
    /// when the parent was entered, and before this child.
    #[inline(always)]
    pub(super) fn ended_by(
        &mut self,
        parent: ParentOf<V>,
        alpha: Score,
        lane: usize,
        others: usize,
        [start, before]: [u64; 2],
    ) {
        let g = self.geometry();
        let (order, ply) = (self.spec().order, parent.stones.count_ones());
        if order.remembers() {
            self.searcher.notes.history.note(order, ply, parent.in_lane(g, lane));
        }
        if V::FIXED.is_none()
            && let Some(guide) = &mut self.searcher.notes.guide
        {
            guide.note(parent.board(g), alpha, lane);
        }
        if self.searcher.variant.watch().counts {
            let nodes = self.budget.nodes();
            self.searcher.notes.cutoffs[ply as usize].add(others, nodes - start, before - start);
            self.note(ply, |counts| counts.cutoff(others));
        }
    }

    /// Whether the win that a node's mover would need comes too late, where it pays to look: the node is one that forced moves lead to,
    /// and its score is at most `target` then.
    #[inline(never)]
    fn is_late(&self, mover: SetOf<V>, opponent: SetOf<V>, target: Score) -> bool {
        let g = self.geometry();
        let empty = g.board() & !(mover | opponent);
        let threats = threats::winning_squares(g, self.one_board(), opponent, empty);
        horizon::too_late(g, Sides { mover, opponent, threats }, target)
    }

    /// The child that a guide says to look at first.
    #[inline(always)]
    fn guided(&self, parent: ParentOf<V>, alpha: Score) -> Option<usize> {
        let g = self.geometry();
        let guide = if V::FIXED.is_none() { self.searcher.notes.guide.as_ref() } else { None };
        guide?.lane(parent.board(g), alpha)
    }

    /// Asks whether the score of a node, known to be `least` or more, is above `alpha`: a bound of it, or [`STOPPED`].
    /// `LAST` says whether the mover plays the last stone of a full board, `TOGETHER` whether a team goes through its children.
    #[inline(always)]
    pub(super) fn search_node<L: Level, const LAST: bool, const TOGETHER: bool>(
        &mut self,
        level: L,
        node: &NodeOf<V>,
        alpha: Score,
        least: Score,
    ) -> Score {
        let g = self.geometry();
        if self.must_stop() {
            return STOPPED;
        }
        let (spec, start) = (self.spec(), self.budget.nodes());
        self.sample(|| Board::of_sides(g, node.mover, node.opponent));
        let stones = node.mover | node.opponent;
        let ply = stones.count_ones();
        self.note(ply, |counts| counts.nodes += 1);
        let bounded = spec.bounds != StaticBounds::None;
        let sooner = score::most_without_win_now(g, ply);
        if bounded && sooner <= alpha {
            return self.ended(ply, NodeEnd::Bound, sooner);
        }
        if spec.zugzwang.knows_rules() && rules::prove(g, node.mover, stones & !node.mover, alpha) {
            return self.ended(ply, NodeEnd::Zugzwang, 0);
        }
        let parent = Parent { mover: node.mover, stones, moves: node.moves };
        let outlook = children::look(g, level, spec.threats, parent);
        if outlook.won != 0 {
            return self.ended(ply, NodeEnd::Win, sooner);
        }
        let most = bounds::most_later(g, spec.bounds, sooner);
        if most <= alpha {
            return self.ended(ply, NodeEnd::Bound, most);
        }
        let of_children = bounds::of_children::<_, LAST>(g, spec.bounds, sooner, most);
        if outlook.quiet != 0 && spec.bounds == StaticBounds::Both && -of_children.most > alpha {
            return self.ended(ply, NodeEnd::Bound, -of_children.most);
        }
        let mut brood = Brood::new(of_children, outlook.quiet, -score::limit(g));
        if let Some(value) = self.quiet_bound::<L, LAST>(level, parent, &outlook, alpha) {
            return self.ended(ply, NodeEnd::Zugzwang, value);
        }
        self.quiet(&mut brood, parent, &outlook);
        if let Some(value) = self.forced(&mut brood, parent, &outlook, alpha) {
            return self.ended(ply, NodeEnd::Forced, value);
        }
        let enhanced = spec.enhanced.applies(bounds::most_left(g, ply), alpha);
        if enhanced && let Some(value) = self.look_all_up(&mut brood, ply, alpha) {
            self.store_least(node.key, value, most, 0);
            return self.cut(ply, value);
        }
        if spec.order.looks_closer() && self.pays_to_look_closer(ply, if alpha < 0 { -alpha } else { alpha + 1 }) {
            if let Some(value) = self.look_closer(&mut brood, parent, &outlook, alpha) {
                self.store_least(node.key, value, most, 0);
                return self.cut(ply, value);
            }
        } else {
            self.rank_all::<L, LAST>(level, &mut brood, parent, &outlook, alpha);
        }
        if let Some(lane) = self.guided(parent, alpha)
            && brood.live >> lane & 1 != 0
        {
            brood.rank[lane] = u16::MAX;
        }
        if TOGETHER {
            return self.search_children(node, (parent, &mut brood, &outlook), (alpha, Known { least, most }), start);
        }
        let mut turn = 0;
        while let Some(lane) = brood.take() {
            if (!enhanced || turn > 0)
                && let Some(known) = self.probe(ply, self.child_key(&brood, lane))
            {
                self.learn(&mut brood, lane, known);
                if let Some(value) = brood.settle(lane, alpha) {
                    self.ended_by(parent, alpha, lane, turn, [start, self.budget.nodes()]);
                    self.store_least(node.key, value, most, self.budget.nodes() - start);
                    return self.cut(ply, value);
                }
                if brood.live >> lane & 1 == 0 {
                    continue;
                }
            }
            let again = brood.again >> lane & 1 != 0;
            let made = self.made(&brood, parent, &outlook, lane);
            let child = made.as_ref().unwrap_or(&brood.nodes[lane]);
            if spec.zugzwang.sees_horizon() {
                let late = turn == 0
                    && alpha < 0
                    && horizon::pays(g, ply + 1, -alpha - 1)
                    && horizon::any_too_late(g, level, spec.threats, parent, &outlook, -alpha - 1);
                let (&Node { mover, opponent, .. }, target) = (child, if again { alpha } else { -alpha - 1 });
                let forced = outlook.quiet >> lane & 1 == 0
                    && !late
                    && target >= 0
                    && horizon::pays(g, (mover | opponent).count_ones(), target)
                    && self.is_late(mover, opponent, target);
                if late || forced && !again {
                    self.store_least(node.key, alpha + 1, most, self.budget.nodes() - start);
                    return self.ended(ply, NodeEnd::Zugzwang, alpha + 1);
                }
                if forced {
                    brood.best = brood.best.max(alpha);
                    continue;
                }
            }
            self.note(ply, |counts| counts.child(turn));
            turn += 1;
            let Known { least, .. } = brood.known(lane);
            let before = self.budget.nodes();
            let value = match (LAST, again) {
                (true, true) => level.enter::<Self, true>(self, child, alpha, least),
                (true, false) => level.enter::<Self, false>(self, child, -alpha - 1, least),
                (false, true) => level.enter::<Self, false>(self, child, alpha, least),
                (false, false) => level.enter::<Self, true>(self, child, -alpha - 1, least),
            };
            if value == STOPPED {
                return STOPPED;
            }
            let value = if again { value } else { -value };
            if value > alpha {
                self.ended_by(parent, alpha, lane, turn - 1, [start, before]);
                self.store_least(node.key, value, most, self.budget.nodes() - start);
                return self.ended(ply, NodeEnd::Search, value);
            }
            brood.best = brood.best.max(value);
        }
        self.store_most(node.key, least, brood.best, self.budget.nodes() - start);
        self.ended(ply, NodeEnd::Search, brood.best)
    }
}

impl<V: Variant> Recursion for Descent<'_, '_, V> {
    type Node = NodeOf<V>;

    #[inline(always)]
    fn at<L: Level, const LAST: bool>(&mut self, level: L, node: &Self::Node, alpha: Score, least: Score) -> Score {
        self.search_node::<L, LAST, false>(level, node, alpha, least)
    }
}

#[cfg(test)]
mod tests;
