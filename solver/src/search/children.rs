//! The search that expands a node's children together ([`crate::axes::Search::Children`]).
//!
//! A node is one entry of `Descent::visit`: a board whose mover cannot win at once and has at least two moves that
//! do not lose at once. It examines all children ([`children`]). A child may end the node: by a win with the mover's
//! second stone, by zugzwang bounds, by the end of the forced moves, or by the table. The others are searched, best
//! first. All windows are null windows, fail-soft: a value above `alpha` is a lower bound, any other an upper bound.
//!
//! ```text
//! lane              0 1 2 3 4 5 6 7
//! column            4 3 5 2 6 1 7 -      from the centre out
//! replies left      5 0 1 4 4 6 1 -      the opponent's moves that do not lose at once
//!                     w f       f        w  none: the move wins with the stone after next, and ends the node
//!                                        f  one: forced; it is played at once, until a side has a choice again
//! ```
//!
//! Move order, the child's test for losses and the zugzwang bounds share the winning squares after each move. A board
//! with one move that does not lose at once needs no probe, no store and no move order.

use crate::axes::history::{Accounts, History};
use crate::axes::level::{BASELINE_HAS_AVX2, Chosen, Level, Recursion, Test, how};
use crate::axes::lines::children::{Children, Form, Lanes, Look, Outlook, Parent};
use crate::axes::lines::{children, threats};
use crate::axes::order::{Weighing, largest};
use crate::axes::table::key::KeysOfChildren;
use crate::axes::table::known::Known;
use crate::axes::table::{Table, TableBounds, key};
use crate::axes::zugzwang::{self, Sides, Zugzwang};
use crate::axes::{
    Key, Late, Order, StaticBounds, TableKind, Threats, Waiting, bounds, horizon, order, rules, waiting,
};
use crate::game::board::playable;
use crate::game::room::{ByLane, Room};
use crate::game::score::Score;
use crate::game::word::EachSquare;
use crate::game::{Board, Geometry, Word, score};
use crate::search::anatomy::NodeEnd;
use crate::search::node::{BroodOf, ChildrenOf, Descent, NodeOf, RoomOf, STOPPED, SetOf, TableKey};
use crate::search::registry::ABLATIONS;
use crate::search::searcher::Notes;
use crate::search::spec::Spec;
use crate::search::team::has_threads;
use crate::search::variant::Variant;

#[derive(Clone, Copy, Default)]
pub(super) struct Node<W, K> {
    pub(super) mover: W,
    pub(super) opponent: W,
    /// Moves that do not lose at once: two or more.
    pub(super) moves: W,
    pub(super) key: K,
}

/// The children that are not yet decided, a column in each lane.
pub(super) struct Brood<K: Copy, R: Room> {
    /// Their keys; meaningless in a lane without a child.
    pub(super) keys: ByLane<K, R>,
    least: ByLane<i8, R>,
    most: ByLane<i8, R>,
    /// A larger rank is searched sooner; 0 for none. Children are ranked after all bounds are known.
    pub(super) rank: ByLane<u16, R>,
    /// Lanes in which the mover of the parent moves again, after forced moves.
    pub(super) again: u32,
    pub(super) live: u32,
    /// The best score of children that need no search.
    pub(super) best: Score,
}

impl<K: Copy + Default, R: Room> Brood<K, R> {
    /// A brood whose children all have `bounds`.
    #[inline(always)]
    pub(super) fn new(bounds: Known, live: u32, best: Score) -> Self {
        Brood {
            keys: ByLane::filled(K::default()),
            least: ByLane::filled(bounds.least as i8),
            most: ByLane::filled(bounds.most as i8),
            rank: ByLane::filled(0),
            again: 0,
            live,
            best,
        }
    }

    /// Compares a child's bounds, from its parent's side, with the window. Returns a value that ends the parent, drops
    /// a child that cannot raise the score, or does neither.
    #[inline(always)]
    pub(super) fn settle(&mut self, lane: usize, alpha: Score) -> Option<Score> {
        let Known { least, most } = self.known(lane);
        let (least, most) = if self.again >> lane & 1 == 0 { (-most, -least) } else { (least, most) };
        if least > alpha {
            return Some(least);
        }
        if most <= alpha {
            self.best = self.best.max(most);
            self.live &= !(1 << lane);
        }
        None
    }

    #[inline(always)]
    pub(super) fn known(&self, lane: usize) -> Known {
        Known { least: Score::from(self.least[lane]), most: Score::from(self.most[lane]) }
    }

    #[inline(always)]
    pub(super) fn learn(&mut self, lane: usize, known: Known) {
        (self.least[lane], self.most[lane]) = (known.least as i8, known.most as i8);
    }

    #[inline(always)]
    pub(super) fn take(&mut self) -> Option<usize> {
        let (rank, lane) = largest(&self.rank);
        self.rank[lane] = 0;
        (rank != 0).then_some(lane)
    }
}

pub(super) enum Played<W, K> {
    /// The end of the game: a score, from the side that was to move first.
    Score(Score),
    /// A choice: its node, the opponent's threats, and true if the side that began is to move.
    Choice(Node<W, K>, W, bool),
}

/// Plays on while the side to move has one move that does not lose at once; `moves` are those of `board`, whose mover
/// cannot win at once.
#[inline(always)]
pub(super) fn play_out<G: Geometry, K: Copy + Default>(
    board: Sides<G>,
    threats: Threats,
    mut moves: G::Word,
) -> Played<G::Word, K> {
    let Sides { g, mut mover, mut opponent, threats: mut wins } = board;
    let mut again = true;
    loop {
        let stones = mover | opponent;
        if moves.is_empty() {
            let ply = stones.count_ones();
            let score = if ply == g.cells() { 0 } else { g.size().least(ply) };
            return Played::Score(if again { score } else { -score });
        }
        if moves.has_several() {
            return Played::Choice(Node { mover, opponent, moves, key: K::default() }, wins, again);
        }
        (mover, opponent) = (opponent, mover | moves);
        let stones = stones | moves;
        wins = threats::winning_squares(g, threats, opponent, g.board() & !stones);
        moves = threats::non_losing(playable(g, stones), wins);
        again = !again;
    }
}

/// True if the search of a variant is compiled for every level. The dynamic variants' search is compiled for one level,
/// AVX2 if the build's baseline has it; with the feature `ablations` for all.
const fn meets_every_level<V: Variant>() -> bool {
    match V::FIXED {
        Some(spec) => matches!(spec.threats, Threats::Dispatched),
        None => ABLATIONS,
    }
}

/// True if it is compiled for AVX2.
const fn meets_avx2<V: Variant>() -> bool {
    meets_every_level::<V>() || BASELINE_HAS_AVX2 && V::FIXED.is_none()
}

impl<V: Variant> Descent<'_, '_, V> {
    /// The node after all forced moves from `board`, or the score. The mover cannot win at once.
    pub(super) fn first_node(&self, board: Board<V::Geometry>) -> Played<SetOf<V>, TableKey<V>> {
        let g = self.geometry();
        let scalar = self.one_board();
        let wins = threats::winning_squares(g, scalar, board.opponent(), board.empty());
        let sides = Sides { g, mover: board.mover(), opponent: board.opponent(), threats: wins };
        let mut played = play_out(sides, scalar, threats::non_losing(board.playable(), wins));
        if let Played::Choice(node, ..) = &mut played {
            node.key = self.fetched(node.mover, node.opponent, self.spec().key);
        }
        played
    }

    /// Tests whether the score of a node is above `alpha`: a bound of it, or [`STOPPED`].
    pub(super) fn ask_node(&mut self, node: NodeOf<V>, alpha: Score) -> Score {
        let ply = (node.mover | node.opponent).count_ones();
        if const { has_threads::<V>() } && self.is_alone_at(ply) && self.searcher.own.is_some() {
            return self.ask_alone(node, alpha);
        }
        self.ask_here(node, alpha)
    }

    /// [`ask_node`](Self::ask_node) with the searcher's current table.
    pub(super) fn ask_here(&mut self, node: NodeOf<V>, alpha: Score) -> Score {
        let ply = (node.mover | node.opponent).count_ones();
        let known = if self.bare { None } else { self.probe(ply, node.key) };
        let Known { least, .. } = known.unwrap_or(self.bounds(ply));
        let test = Test { alpha, least };
        match self.searcher.level {
            Chosen::Baseline(level) if const { !(BASELINE_HAS_AVX2 && meets_avx2::<V>()) } => {
                self.descend(level, &node, test)
            }
            #[cfg(all(feature = "simd", target_arch = "x86_64"))]
            Chosen::Avx2(level) if const { meets_avx2::<V>() } => self.descend(level, &node, test),
            #[cfg(all(feature = "simd", target_arch = "x86_64"))]
            Chosen::Avx512(level) if const { meets_every_level::<V>() } => self.descend(level, &node, test),
            level => unreachable!("{} is not compiled for {level:?}", self.spec()),
        }
    }

    #[inline(always)]
    fn descend<L: Level>(&mut self, level: L, node: &NodeOf<V>, test: Test) -> Score {
        let ply = (node.mover | node.opponent).count_ones();
        self.searcher.notes.last_move = SetOf::<V>::NONE;
        if const { has_threads::<V>() } && self.has_team_at(ply) {
            // Compiled for its level, too: without vectors, two threads took 6 % more time (`trials.txt` in
            // `results/2026-11-27-threads`).
            return self.enter::<L, { how::IN_TEAM }>(level, node, test);
        }
        // The recursion of dynamic variants asks at every node.
        if const { matches!(V::FIXED, Some(Spec { late: Late::Bare, .. })) } && self.bare {
            return self.enter::<L, { how::BARE }>(level, node, test);
        }
        self.enter::<L, { how::ALONE }>(level, node, test)
    }

    #[inline(always)]
    fn enter<L: Level, const HOW: u8>(&mut self, level: L, node: &NodeOf<V>, test: Test) -> Score {
        match zugzwang::plays_last(self.geometry(), (node.mover | node.opponent).count_ones()) {
            true => level.enter::<Self, true, HOW>(self, node, test),
            false => level.enter::<Self, false, HOW>(self, node, test),
        }
    }

    /// The range of a node's score by the number of stones and zugzwang. `threats` complete a four of the opponent's.
    pub(super) fn range(&self, node: NodeOf<V>, threats: SetOf<V>) -> (Score, Score) {
        let g = self.geometry();
        let ply = (node.mover | node.opponent).count_ones();
        let possible = Known { least: g.size().least(ply), most: score::most_without_win_now(g, ply) };
        let Known { least, mut most } = self.bounds(ply).and(possible);
        let board = Sides { g, mover: node.mover, opponent: node.opponent, threats };
        let zugzwang = self.spec().zugzwang;
        while let Some(bound) = zugzwang::at_most(zugzwang, board, (most - 1).min(0)) {
            most = bound;
        }
        debug_assert!(least <= most);
        (least, most)
    }

    /// The way to find the winning squares of one board.
    #[inline(always)]
    pub(super) fn one_board(&self) -> Threats {
        match self.spec().threats {
            Threats::Children | Threats::Dispatched => Threats::Halves,
            scalar => scalar,
        }
    }

    #[inline(always)]
    pub(super) fn bounds(&self, ply: u32) -> Known {
        let g = self.geometry();
        let spec = self.spec();
        bounds::of(g, spec.bounds, spec.anticipation, ply)
    }

    /// A value that ends the parent, from the zugzwang bound of a quiet child.
    #[inline(always)]
    fn quiet_bound<L: Level, const LAST: bool>(
        &self,
        form: Form<L>,
        children: ChildrenOf<'_, V>,
        alpha: Score,
    ) -> Option<Score> {
        if children.outlook.quiet == 0 {
            return None;
        }
        let (zugzwang, target) = (self.spec().zugzwang, -alpha - 1);
        let bound = match LAST {
            true => form.at_most::<false>(children, zugzwang, target),
            false => form.at_most::<true>(children, zugzwang, target),
        };
        bound.map(|bound| -bound)
    }

    /// Leaves out waiting moves that are not needed.
    #[inline(always)]
    fn leave_out_waiting(
        &self,
        brood: &mut BroodOf<V>,
        parent: Parent<SetOf<V>>,
        outlook: &mut Outlook<SetOf<V>, RoomOf<V>>,
        alpha: Score,
    ) {
        let (g, free) = (self.geometry(), self.geometry().board() & !parent.stones);
        let idle = waiting::idle(g, [parent.mover, parent.stones & !parent.mover], parent.moves);
        let waits = |lane: &usize| (parent.in_lane(g, *lane) & idle).has_any();
        let mut lanes: u32 = Lanes(outlook.quiet | outlook.forced).filter(waits).map(|lane| 1 << lane).sum();
        if lanes != 0 && waiting::decides_nothing(idle, free, alpha) {
            brood.best = brood.best.max(alpha.min(0));
        } else {
            // One of them is searched.
            lanes &= lanes.wrapping_sub(1);
        }
        (outlook.quiet, outlook.forced) = (outlook.quiet & !lanes, outlook.forced & !lanes);
        brood.live = outlook.quiet;
    }

    /// Plays the forced replies of each lane and stores the board after them, until one ends the parent.
    #[inline(always)]
    fn forced(&mut self, brood: &mut BroodOf<V>, of: ChildrenOf<'_, V>, alpha: Score, keyed: bool) -> Option<Score> {
        let g = self.geometry();
        let spec = self.spec();
        for lane in Lanes(of.outlook.forced) {
            let (child, reply) = (of.child(lane), of.outlook.replies[lane]);
            match play_out(child, self.one_board(), reply) {
                Played::Score(score) if -score > alpha => return Some(-score),
                Played::Score(score) => brood.best = brood.best.max(-score),
                Played::Choice(node, wins, again) => {
                    // Forced moves began with the child's mover: if that side is to move again, the parent's is not.
                    let again = !again;
                    let ply = (node.mover | node.opponent).count_ones();
                    let mut known = self.bounds(ply);
                    let board = Sides { g, mover: node.mover, opponent: node.opponent, threats: wins };
                    let target = if again { alpha } else { -alpha - 1 };
                    if let Some(most) = zugzwang::from_squares(spec.zugzwang, board, target) {
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
                        let key = if keyed { self.fetched(node.mover, node.opponent, spec.key) } else { node.key };
                        let ply = of.node.stones.count_ones();
                        self.searcher.forced[ply as usize][lane] = Node { key, ..node };
                        brood.keys[lane] = key;
                    }
                }
            }
        }
        None
    }

    /// Notes a child that ended its parent, after `others` others were searched.
    #[inline(always)]
    pub(super) fn ended_by(&mut self, parent: Parent<SetOf<V>>, lane: usize, others: usize) {
        let g = self.geometry();
        let (order, ply) = (self.spec().order, parent.stones.count_ones());
        if order.remembers() {
            self.searcher.notes.history.note(order, ply, parent.in_lane(g, lane));
        }
        self.note(ply, |counts| counts.cutoff(others));
    }

    /// True if the win that a node's mover needs comes too late, where the test pays. The node is one after forced
    /// moves. Then its score is at most `target`.
    #[inline(never)]
    fn is_late(&self, mover: SetOf<V>, opponent: SetOf<V>, target: Score) -> bool {
        let g = self.geometry();
        let empty = g.board() & !(mover | opponent);
        let threats = threats::winning_squares(g, self.one_board(), opponent, empty);
        horizon::too_late(Sides { g, mover, opponent, threats }, target)
    }
}

impl<V: Variant> Recursion for Descent<'_, '_, V> {
    type Node = NodeOf<V>;

    /// The answer to a test: a bound of the node's score, or [`STOPPED`].
    #[inline(always)]
    fn visit<L: Level, const LAST: bool, const HOW: u8>(&mut self, level: L, node: &NodeOf<V>, test: Test) -> Score {
        let Test { alpha, least } = test;
        let g = self.geometry();
        if self.must_stop() {
            return STOPPED;
        }
        let (spec, start) = (self.spec(), self.budget.nodes);
        let tabled = if V::FIXED.is_some() { HOW != how::BARE } else { !self.bare };
        let stones = node.mover | node.opponent;
        let ply = stones.count_ones();
        self.note(ply, |counts| counts.nodes += 1);
        let bounded = spec.bounds != StaticBounds::None;
        let sooner = score::most_without_win_now(g, ply);
        if bounded && sooner <= alpha {
            return self.ended(ply, NodeEnd::Bound, sooner);
        }
        if spec.zugzwang == Zugzwang::Rules && rules::prove(g, node.mover, stones & !node.mover, alpha) {
            return self.ended(ply, NodeEnd::Zugzwang, 0);
        }
        let parent = Parent { mover: node.mover, stones, moves: node.moves };
        let form = Form { level, threats: spec.threats };
        let mut outlook = form.look(g, parent);
        if outlook.won != 0 {
            return self.ended(ply, NodeEnd::Win, sooner);
        }
        let later = bounds::most_later(sooner);
        let most = if bounded { later } else { Known::any_score(g).most };
        if most <= alpha {
            return self.ended(ply, NodeEnd::Bound, most);
        }
        let of_children = bounds::of_children::<_, LAST>(g, spec.bounds, sooner, most);
        if outlook.quiet != 0 && spec.bounds == StaticBounds::Both && -of_children.most > alpha {
            return self.ended(ply, NodeEnd::Bound, -of_children.most);
        }
        let mut brood = Brood::new(of_children, outlook.quiet, -g.size().limit());
        let children = Children { g, node: parent, outlook: &outlook };
        if let Some(value) = self.quiet_bound::<L, LAST>(form, children, alpha) {
            return self.ended(ply, NodeEnd::Zugzwang, value);
        }
        if spec.waiting == Waiting::Needed && waiting::pays(g, ply, node.moves, alpha) {
            self.leave_out_waiting(&mut brood, parent, &mut outlook, alpha);
        }
        let children = Children { g, node: parent, outlook: &outlook };
        if tabled {
            self.quiet(&mut brood, children);
        }
        if let Some(value) = self.forced(&mut brood, children, alpha, tabled) {
            return self.ended(ply, NodeEnd::Forced, value);
        }
        let enhanced = tabled && spec.enhanced.applies(later, alpha);
        if enhanced && let Some(value) = self.look_all_up(&mut brood, ply, alpha) {
            self.store_least(node.key, value, most, 0);
            return self.cut(ply, value);
        }
        if tabled
            && spec.order.looks_closer()
            && self.pays_to_look_closer(ply, if alpha < 0 { -alpha } else { alpha + 1 })
        {
            if let Some(value) = self.look_closer(&mut brood, children, alpha) {
                self.store_least(node.key, value, most, 0);
                return self.cut(ply, value);
            }
        } else {
            self.rank_all::<L, LAST>(form, &mut brood, children, alpha);
        }
        if HOW == how::IN_TEAM {
            return self.search_children(node, (children, &mut brood), (alpha, Known { least, most }), start);
        }
        let learns = spec.order == Order::Learned;
        let (mut turn, mut costs) = (0, ByLane::<u8, RoomOf<V>>::filled(0));
        while let Some(lane) = brood.take() {
            if tabled
                && (!enhanced || turn > 0)
                && let Some(known) = self.probe(ply, brood.keys[lane])
            {
                self.learn(&mut brood, lane, known);
                if let Some(value) = brood.settle(lane, alpha) {
                    self.ended_by(parent, lane, turn);
                    self.store_least(node.key, value, most, self.budget.nodes - start);
                    return self.cut(ply, value);
                }
                if brood.live >> lane & 1 == 0 {
                    continue;
                }
            }
            let again = brood.again >> lane & 1 != 0;
            let child = &self.child(&brood, children, lane);
            if spec.zugzwang >= Zugzwang::Horizon {
                let late = turn == 0
                    && alpha < 0
                    && horizon::pays(g, ply + 1, -alpha - 1)
                    && horizon::any_too_late(children, form, -alpha - 1);
                let (&Node { mover, opponent, .. }, target) = (child, if again { alpha } else { -alpha - 1 });
                let forced = outlook.quiet >> lane & 1 == 0
                    && !late
                    && target >= 0
                    && horizon::pays(g, (mover | opponent).count_ones(), target)
                    && self.is_late(mover, opponent, target);
                if late || forced && !again {
                    if tabled {
                        self.store_least(node.key, alpha + 1, most, self.budget.nodes - start);
                    }
                    return self.ended(ply, NodeEnd::Zugzwang, alpha + 1);
                }
                if forced {
                    brood.best = brood.best.max(alpha);
                    continue;
                }
            }
            self.note(ply, |counts| counts.child(turn));
            turn += 1;
            let before = self.budget.nodes;
            if learns {
                self.searcher.notes.last_move = parent.in_lane(g, lane);
            }
            let Known { least, .. } = brood.known(lane);
            let (kept, turned) = (Test { alpha, least }, Test { alpha: -alpha - 1, least });
            let value = match (LAST, again) {
                (true, true) => level.enter::<Self, true, HOW>(self, child, kept),
                (true, false) => level.enter::<Self, false, HOW>(self, child, turned),
                (false, true) => level.enter::<Self, false, HOW>(self, child, kept),
                (false, false) => level.enter::<Self, true, HOW>(self, child, turned),
            };
            if value == STOPPED {
                return STOPPED;
            }
            let value = if again { value } else { -value };
            if value > alpha {
                self.ended_by(parent, lane, turn - 1);
                if learns && turn > 1 {
                    self.learn_order::<LAST>(parent, alpha >= 0, lane, &costs);
                }
                if tabled {
                    self.store_least(node.key, value, most, self.budget.nodes - start);
                }
                return self.ended(ply, NodeEnd::Search, value);
            }
            if learns {
                costs[lane] = (self.budget.nodes - before + 1).ilog2() as u8;
            }
            brood.best = brood.best.max(value);
        }
        if tabled {
            self.store_most(node.key, least, brood.best, self.budget.nodes - start);
        }
        self.ended(ply, NodeEnd::Search, brood.best)
    }
}

// The children of a node in the table: their keys and bounds.

impl<V: Variant> Descent<'_, '_, V> {
    /// Takes over a child's bounds from the table. With both bounds, an entry includes those known before.
    #[inline(always)]
    pub(super) fn learn(&self, brood: &mut BroodOf<V>, lane: usize, known: Known) {
        let known = if self.spec().table_bounds == TableBounds::Both { known } else { known.and(brood.known(lane)) };
        brood.learn(lane, known);
    }

    /// Makes the keys of the quiet children.
    #[inline(always)]
    pub(super) fn quiet(&self, brood: &mut BroodOf<V>, children: ChildrenOf<'_, V>) {
        let Children { g, node: parent, outlook } = children;
        let key = self.spec().key.at(g, parent.stones.count_ones() + 1);
        let all_lanes = self.spec().enhanced.all_lanes();
        match key {
            Key::Exact if all_lanes => return self.key_all_lanes::<false>(brood, parent),
            Key::Mirror if all_lanes => return self.key_all_lanes::<true>(brood, parent),
            _ => {}
        }
        let mover = parent.stones & !parent.mover;
        let exact = KeysOfChildren::<_, false>::of(g, parent);
        for lane in Lanes(outlook.quiet) {
            brood.keys[lane] = match key {
                Key::Exact => self.fetched_key(exact.in_lane(g, lane).wide()),
                other => self.fetched(mover, parent.mover | parent.in_lane(g, lane), other),
            };
        }
    }

    /// Writes the keys of all lanes, those without a move too.
    #[inline(always)]
    fn key_all_lanes<const MIRROR: bool>(&self, brood: &mut BroodOf<V>, parent: Parent<SetOf<V>>) {
        let g = self.geometry();
        let keys = KeysOfChildren::<_, MIRROR>::of(g, parent);
        for lane in 0..g.width() as usize {
            brood.keys[lane] = self.fetched_key(keys.in_lane(g, lane).wide());
        }
    }

    /// The node of a child: made from its parent, or kept if forced moves lead to it.
    #[inline(always)]
    pub(super) fn child(&self, brood: &BroodOf<V>, children: ChildrenOf<'_, V>, lane: usize) -> NodeOf<V> {
        let Children { g, node: parent, outlook } = children;
        if outlook.quiet >> lane & 1 == 0 {
            return self.searcher.forced[parent.stones.count_ones() as usize][lane];
        }
        let (mover, opponent) = (parent.stones & !parent.mover, parent.mover | parent.in_lane(g, lane));
        Node { mover, opponent, moves: outlook.replies[lane], key: brood.keys[lane] }
    }

    /// Looks all children up, until one ends the parent.
    #[inline(always)]
    pub(super) fn look_all_up(&mut self, brood: &mut BroodOf<V>, ply: u32, alpha: Score) -> Option<Score> {
        let g = self.geometry();
        let mut lanes = brood.live;
        // A search with counters looks up one child after the other, until one ends the parent.
        if self.spec().enhanced.all_lanes() && !self.searcher.variant.counts() {
            let mut known = 0;
            for lane in 0..g.width() as usize {
                known |= u32::from(self.searcher.table.may_know(brood.keys[lane])) << lane;
            }
            lanes &= known;
        }
        for lane in Lanes(lanes) {
            if let Some(known) = self.probe(ply, brood.keys[lane]) {
                self.learn(brood, lane, known);
                if let Some(value) = brood.settle(lane, alpha) {
                    return Some(value);
                }
            }
        }
        None
    }

    /// The key of a board, of kind `key`. Starts to fetch its slot.
    #[inline(always)]
    pub(super) fn fetched(&self, mover: SetOf<V>, opponent: SetOf<V>, key: Key) -> TableKey<V> {
        let spec = self.spec();
        if spec.table == TableKind::None {
            return TableKey::<V>::default();
        }
        let board = Board::of_sides(self.geometry(), mover, opponent);
        self.fetched_key(key::of(key, spec.wins, board))
    }

    /// [`fetched`](Self::fetched) for a given key.
    #[inline(always)]
    fn fetched_key(&self, key: u128) -> TableKey<V> {
        if self.spec().table == TableKind::None {
            return TableKey::<V>::default();
        }
        let key = self.searcher.table.key(key);
        self.searcher.table.prefetch(key);
        key
    }
}

// The move order of children, once all bounds are known.

impl<V: Variant> Descent<'_, '_, V> {
    /// The rank of a child: the worth by the order, then the distance from the centre; never 0.
    #[inline(always)]
    fn rank<const LAST: bool>(&self, children: ChildrenOf<'_, V>, lane: usize, alpha: Score) -> u16 {
        let Children { g, node: parent, outlook } = children;
        let (order, last) = (self.spec().order, LAST);
        let one_move = parent.in_lane(g, lane);
        let playable = (parent.stones + g.bottom() + one_move) & g.board();
        let squares = outlook.threats[lane];
        if order.weighs_for_sides() {
            return children.rank(lane, self.weighing::<LAST>(alpha >= 0));
        }
        let mut worth = order::worth(g, order, [squares, playable], last) + 1;
        if order.remembers() {
            let tie = self.searcher.notes.history.tie(order, parent.stones.count_ones(), one_move);
            worth = worth.min(127) * History::TIES + tie;
        }
        children::rank::<RoomOf<V>>(worth, lane)
    }

    #[inline(always)]
    fn weighing<const LAST: bool>(&self, to_win: bool) -> Weighing<'_, SetOf<V>> {
        let Notes { accounts, last_move, .. } = &self.searcher.notes;
        let squares = accounts.squares(Accounts::of_mover(to_win, LAST));
        Weighing { order: self.spec().order, plays_last: LAST, to_win, squares, last_move: *last_move }
    }

    /// Takes note that the child of `lane` ended the node. `costs` are the binary logarithms of the nodes of the children
    /// that were searched in vain, and 0 in other lanes.
    #[inline(never)]
    fn learn_order<const LAST: bool>(
        &mut self,
        parent: Parent<SetOf<V>>,
        to_win: bool,
        lane: usize,
        costs: &ByLane<u8, RoomOf<V>>,
    ) {
        let g = self.geometry();
        let tried = (0..g.width() as usize).filter(|&other| costs[other] > 0);
        let others = tried.map(|other| (parent.in_lane(g, other), costs[other]));
        self.searcher.notes.accounts.cut(Accounts::of_mover(to_win, LAST), parent.in_lane(g, lane), others);
    }

    #[inline(always)]
    pub(super) fn rank_all<L: Level, const LAST: bool>(
        &self,
        form: Form<L>,
        brood: &mut BroodOf<V>,
        children: ChildrenOf<'_, V>,
        alpha: Score,
    ) {
        if self.spec().order.weighs_for_sides()
            && let Some(ranks) = form.ranks(children, brood.live, self.weighing::<LAST>(alpha >= 0))
        {
            brood.rank = ranks;
            return;
        }
        for lane in Lanes(brood.live) {
            brood.rank[lane] = self.rank::<LAST>(children, lane, alpha);
        }
    }
}

// A closer look at the children of a node with few stones. Such nodes are few, and each decides over many others, so
// their move order uses more than threats.

impl<V: Variant> Descent<'_, '_, V> {
    /// True if a closer look pays at a node with `ply` stones that is tested for a win or a loss of at least `size`.
    #[inline(always)]
    pub(super) fn pays_to_look_closer(&self, ply: u32, size: Score) -> bool {
        let ahead = score::most_without_win_now(self.geometry(), ply) - size;
        ply <= order::MOST_STONES && ahead >= order::LEAST_AHEAD
    }

    /// Ranks the children of a node with few stones, unless the table's bounds of their replies end it.
    #[cold]
    #[inline(never)]
    pub(super) fn look_closer(
        &mut self,
        brood: &mut BroodOf<V>,
        children: ChildrenOf<'_, V>,
        alpha: Score,
    ) -> Option<Score> {
        let Children { g, node: parent, outlook } = children;
        let order = self.spec().order;
        let stones = parent.stones;
        let lines = order::open_lines(g, parent.mover, stones & !parent.mover);
        let asks = order.looks_replies_up() && stones.count_ones() <= order::MOST_STONES_OF_REPLIES;
        // All slots are fetched before the first is probed.
        let mut keys = ByLane::<_, RoomOf<V>>::filled(ByLane::<_, RoomOf<V>>::filled(TableKey::<V>::default()));
        if asks {
            for lane in Lanes(brood.live & !brood.again) {
                self.fetch_replies(&self.child(brood, children, lane), &mut keys[lane]);
            }
        }
        for lane in Lanes(brood.live) {
            let mut replies = (0, 0);
            if asks && brood.again >> lane & 1 == 0 {
                let node = self.child(brood, children, lane);
                replies = self.look_replies_up(brood, node, &keys[lane], lane, alpha);
                if let Some(value) = brood.settle(lane, alpha) {
                    return Some(value);
                }
                if brood.live >> lane & 1 == 0 {
                    continue;
                }
            }
            let one_move = parent.in_lane(g, lane);
            let playable = (stones + g.bottom() + one_move) & g.board();
            let plays_last = zugzwang::plays_last(g, stones.count_ones());
            let worth = order::worth(g, order, [outlook.threats[lane], playable], plays_last);
            let lines = order::lines_through(g, lines, one_move);
            let half_columns = (2 * g.column_of(one_move)).abs_diff(g.width() - 1);
            let mut worth = order::worth_with_few_stones(worth, lines, half_columns, replies);
            if order == Order::Learned {
                let learned =
                    self.searcher.notes.accounts.learned(Accounts::of_mover(alpha >= 0, plays_last), one_move);
                worth = worth.saturating_add_signed(learned * order::learned_part(g, stones.count_ones()) / 128);
            }
            brood.rank[lane] = children::rank::<RoomOf<V>>(worth, lane);
        }
        None
    }

    /// Writes the keys of the boards after all replies to a move, from left to right, and starts to fetch their slots.
    fn fetch_replies(&self, node: &NodeOf<V>, keys: &mut ByLane<TableKey<V>, RoomOf<V>>) {
        let (&Node { mover, opponent, moves, .. }, key) = (node, self.spec().key);
        for (place, reply) in EachSquare(moves).enumerate() {
            keys[place] = self.fetched(opponent, mover | reply, key);
        }
    }

    /// Looks up all replies to a move. A reply that leaves the parent's side at `alpha` or below settles the move; so
    /// do all replies together, if each leaves it above. Returns the number that leave it above, and that of all
    /// replies.
    fn look_replies_up(
        &mut self,
        brood: &mut BroodOf<V>,
        Node { mover, opponent, moves, .. }: NodeOf<V>,
        keys: &ByLane<TableKey<V>, RoomOf<V>>,
        lane: usize,
        alpha: Score,
    ) -> (u32, u32) {
        let ply = (mover | opponent).count_ones();
        let (count, mut answered, mut floor) = (moves.count_ones(), 0, Score::MAX);
        for place in 0..count as usize {
            let Some(Known { least, most }) = self.probe(ply, keys[place]) else { continue };
            let known = brood.known(lane);
            if most <= alpha {
                brood.learn(lane, Known { least: known.least.max(-most), most: known.most });
                break;
            }
            if least > alpha {
                answered += 1;
                floor = floor.min(least);
            }
        }
        if answered == count {
            let known = brood.known(lane);
            brood.learn(lane, Known { least: known.least, most: known.most.min(-floor) });
        }
        (answered, count)
    }
}
