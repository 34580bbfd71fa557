//! The engine: the one search that all variants are compiled from.
//!
//! A node is one entry of `Search::search`. It looks ahead, narrows its window by static bounds and by the
//! table, and searches its moves in order; fail-soft, except that a bound which prunes is returned as it is.

use crate::axes::anticipation::{self, Found};
use crate::axes::board::array::ArrayBoard;
use crate::axes::board::make_undo::MakeUndo;
use crate::axes::board::storage::SearchBoard;
use crate::axes::history::History;
use crate::axes::lines::threats;
use crate::axes::order::Queue;
use crate::axes::table::bound::Bound;
use crate::axes::table::buckets::{Buckets, Known};
use crate::axes::table::slots::Slots;
use crate::axes::zugzwang::{self, Sides};
use crate::axes::{self, Axis, Layout, Storage, Table, TableBounds, Zugzwang, bounds, pruning};
use crate::game::score::{self, Score};
use crate::game::{Board, Geometry, Position};
use crate::search::cutoffs::Cutoffs;
use crate::search::limits::{Budget, Limits, Stopped};
use crate::search::root::Question;
use crate::search::solver::{BuildError, Counters, Goal, Options, Solved, Solver};
use crate::search::spec::Spec;
use crate::search::variant::Variant;

/// What a search returns when it must stop: no score, and returned by every node on the way up.
pub(super) const STOPPED: Score = Score::MAX;

/// The engine of one variant, with its table.
pub struct Searcher<V: Variant> {
    pub(super) variant: V,
    slots: Slots,
    pub(super) buckets: Buckets,
    pub(super) counters: Counters,
    pub(super) history: History,
    pub(super) cutoffs: Vec<Cutoffs>,
    sampled: Vec<Board<V::Geometry>>,
}

/// One search: the engine, and what this search may still spend.
pub(super) struct Search<'e, 'l, V: Variant> {
    pub(super) engine: &'e mut Searcher<V>,
    pub(super) budget: Budget<'l>,
}

impl<V: Variant> Searcher<V> {
    /// An engine with a cleared table, or why there is none.
    pub fn new(variant: V, options: &Options) -> Result<Self, BuildError> {
        let spec = variant.spec();
        spec.validate().map_err(BuildError::Spec)?;
        spec.runs().map_err(|reason| BuildError::Spec(reason.to_string()))?;
        fits::<V::Geometry>(spec).map_err(BuildError::Spec)?;
        let bits = spec.key.bits::<V::Geometry>();
        let buckets = match spec.table {
            Table::Buckets => Buckets::new(bits, options.tt_bytes),
            _ => Ok(Buckets::default()),
        };
        let slots = Slots::new(spec.table, bits, spec.table_size, options.tt_bytes);
        Ok(Searcher {
            variant,
            slots: slots.map_err(BuildError::Table)?,
            buckets: buckets.map_err(BuildError::Table)?,
            counters: Counters::default(),
            history: History::default(),
            cutoffs: vec![Cutoffs::default(); if V::COUNTS { 65 } else { 0 }],
            sampled: Vec::new(),
        })
    }

    /// The boards of sampled nodes since the engine was last reset ([`Variant::SAMPLE_EVERY`]).
    pub fn sampled(&self) -> &[Board<V::Geometry>] {
        &self.sampled
    }

    /// Cutoffs since the engine was last reset, by the number of stones; empty unless it counts
    /// ([`Variant::COUNTS`]).
    pub fn cutoffs(&self) -> &[Cutoffs] {
        &self.cutoffs
    }
}

impl<V: Variant> Searcher<V> {
    pub(super) fn score(
        &mut self,
        board: Board<V::Geometry>,
        goal: Goal,
        limits: &Limits<'_>,
    ) -> Result<Solved, Stopped> {
        let solved = self.ask(board, Question::Score(goal), limits)?;
        Ok(Solved { score: goal.of(solved.score), ..solved })
    }

    pub(super) fn is_above(
        &mut self,
        board: Board<V::Geometry>,
        bound: Score,
        limits: &Limits<'_>,
    ) -> Result<bool, Stopped> {
        // Every score lies above the one and none above the other: a window further out would not fit a slot.
        let limit = score::limit::<V::Geometry>();
        let bound = bound.clamp(-limit - 1, limit);
        Ok(self.ask(board, Question::Exceeds(bound), limits)?.score > bound)
    }

    /// Answers a question about a board that may be over.
    fn ask(&mut self, board: Board<V::Geometry>, question: Question, limits: &Limits<'_>) -> Result<Solved, Stopped> {
        if board.is_won() {
            // The stone that won was played one ply ago.
            return Ok(Solved { score: -score::win_at::<V::Geometry>(board.ply() - 1), nodes: 0 });
        }
        if board.is_full() {
            return Ok(Solved { score: 0, nodes: 0 });
        }
        let spec = self.variant.spec();
        let mut search = Search { engine: self, budget: Budget::new(limits) };
        // Each arm is compiled for the variants that can come here alone.
        let score = match (spec.search, spec.storage) {
            (axes::Search::Children, _) if const { reaches::<V>(axes::Search::Children, Storage::Bitboard) } => {
                search.root_of_children(board, question)
            }
            (_, Storage::Array) if const { reaches::<V>(axes::Search::Moves, Storage::Array) } => {
                search.root(ArrayBoard::new(board), question)
            }
            (_, Storage::Bitboard) if const { reaches::<V>(axes::Search::Moves, Storage::Bitboard) } => {
                search.root::<Board<V::Geometry>>(board, question)
            }
            (_, Storage::MakeUndo) if const { reaches::<V>(axes::Search::Moves, Storage::MakeUndo) } => {
                search.root(&MakeUndo::new(board), question)
            }
            _ => unreachable!("{spec} is none of what this searcher was compiled for"),
        };
        match search.budget.stopped() {
            Some(stopped) => Err(stopped),
            None => Ok(Solved { score, nodes: search.budget.nodes() }),
        }
    }
}

/// Whether a search of this variant can come to that recursion with boards of that storage. What cannot be reached is not compiled.
const fn reaches<V: Variant>(search: axes::Search, storage: Storage) -> bool {
    // The search by children and the array stand on the tight layout alone: `Spec::validate`.
    let tight = <V::Geometry as Geometry>::STRIDE == <V::Geometry as Geometry>::HEIGHT + 1;
    match V::FIXED {
        Some(spec) => spec.search as u8 == search as u8 && spec.storage as u8 == storage as u8,
        None => tight || search as u8 == axes::Search::Moves as u8 && storage as u8 != Storage::Array as u8,
    }
}

/// Whether a spec is made for a geometry.
fn fits<G: Geometry>(spec: Spec) -> Result<(), String> {
    if Layout::of::<G>().is_some_and(|layout| layout != spec.layout) {
        return Err(format!("layout={} is not that of {}", spec.layout.value(), G::name()));
    }
    if !spec.search.fits::<G>() {
        return Err(format!("search={} has fewer lanes than {} has columns", spec.search.value(), G::name()));
    }
    if !spec.threats.fits::<G>() {
        return Err(format!("threats={} has fewer lanes than {} has columns", spec.threats.value(), G::name()));
    }
    Ok(())
}

impl<V: Variant> Solver<V::Geometry> for Searcher<V> {
    fn reset(&mut self) {
        self.slots.clear();
        self.buckets.clear();
        self.counters = Counters::default();
        if self.variant.spec().order.remembers() {
            self.history = History::default();
        }
        self.cutoffs.fill(Cutoffs::default());
        self.sampled.clear();
    }

    fn solve(&mut self, position: &Position<V::Geometry>, goal: Goal, limits: &Limits<'_>) -> Result<Solved, Stopped> {
        self.score(position.board(), goal, limits)
    }

    fn exceeds(
        &mut self,
        position: &Position<V::Geometry>,
        bound: Score,
        limits: &Limits<'_>,
    ) -> Result<bool, Stopped> {
        self.is_above(position.board(), bound, limits)
    }

    fn table_bytes(&self) -> u64 {
        self.slots.bytes() + self.buckets.bytes()
    }

    fn counters(&self) -> Option<Counters> {
        V::COUNTS.then_some(self.counters)
    }
}

impl<V: Variant> Search<'_, '_, V> {
    /// The score of `board` within (`alpha`, `beta`), a bound at or outside them, or [`STOPPED`].
    ///
    /// The board is not won unless nothing is anticipated, nor, where losses are anticipated, won with the next stone.
    pub(super) fn search<B>(&mut self, board: B, alpha: Score, beta: Score) -> Score
    where
        B: SearchBoard<Geometry = V::Geometry>,
    {
        let spec = self.engine.variant.spec();
        if self.budget.must_stop() {
            return STOPPED;
        }
        self.sample(&board);
        let start = self.budget.nodes();
        let (mut alpha, mut beta) = pruning::window(spec.pruning, alpha, beta);
        debug_assert!(alpha < beta);
        let ply = board.ply();
        let moves = match anticipation::look(spec.anticipation, spec.sight(), &board, ply) {
            Found::Score(score) => return score,
            Found::Moves(moves) => moves,
        };
        if let Some(least) = bounds::lower::<V::Geometry>(spec.bounds, spec.anticipation, ply) {
            alpha = alpha.max(least);
            if alpha >= beta {
                return alpha;
            }
        }
        if let Some(most) = bounds::upper::<V::Geometry>(spec.bounds, spec.anticipation, ply) {
            beta = beta.min(most);
            if alpha >= beta {
                return beta;
            }
        }
        if let Some(most) = self.claimed(&board, alpha) {
            return most;
        }
        let key = if spec.table_bounds == TableBounds::None { 0 } else { board.key(spec.key, spec.sight()) };
        let mut known = Known::NOTHING;
        match self.probe(key) {
            Bound::Upper(most) if most < beta => {
                beta = most;
                if alpha >= beta {
                    return self.cut(beta);
                }
            }
            Bound::Lower(least) if least > alpha => {
                alpha = least;
                if alpha >= beta {
                    return self.cut(alpha);
                }
            }
            Bound::Exact(score) => return self.cut(score),
            _ => {}
        }
        if spec.table_bounds == TableBounds::Both {
            known = self.probe_both(key);
            (alpha, beta) = (alpha.max(known.least), beta.min(known.most));
            if alpha >= beta {
                return self.cut(if known.least >= beta { known.least } else { known.most });
            }
        }
        let asked = alpha;
        self.prefetch_children(&board, moves);
        if spec.enhanced.applies(bounds::most_left::<V::Geometry>(ply), alpha)
            && let Some(value) = self.look_children_up(&board, moves, beta)
        {
            self.keep(key, Known { least: value, ..known }, start);
            return self.cut(value);
        }
        let mut queue = Queue::weighted(spec.order, self.engine.variant.weights(), spec.threats, &board, moves);
        for turn in 0..<V::Geometry as Geometry>::WIDTH {
            let one_move = queue.take::<V::Geometry>(turn);
            if one_move == 0 {
                if queue.ends_at_a_gap() {
                    break;
                }
                continue;
            }
            let value = self.search(board.play(one_move), -beta, -alpha);
            board.undo();
            if value == STOPPED {
                return STOPPED;
            }
            let score = -value;
            if score >= beta {
                self.keep(key, Known { least: score, most: known.most.max(score) }, start);
                return score;
            }
            alpha = alpha.max(score);
        }
        match spec.table_bounds {
            TableBounds::Both => {
                let least = if alpha > asked { alpha } else { known.least.min(alpha) };
                self.keep(key, Known { least, most: alpha }, start);
            }
            TableBounds::Score => self.store(key, Bound::Exact(alpha)),
            _ => self.store(key, Bound::Upper(alpha)),
        }
        alpha
    }

    #[inline(always)]
    fn sample<B: SearchBoard<Geometry = V::Geometry>>(&mut self, board: &B) {
        if V::SAMPLE_EVERY != 0 && self.budget.nodes().is_multiple_of(V::SAMPLE_EVERY) {
            self.engine.sampled.push(board.board());
        }
    }

    /// As [`sample`](Self::sample), from the stones of both sides.
    #[inline(always)]
    pub(super) fn sample_board(&mut self, mover: u64, opponent: u64) {
        if V::SAMPLE_EVERY != 0 && self.budget.nodes().is_multiple_of(V::SAMPLE_EVERY) {
            self.engine.sampled.push(Board::of_sides(mover, opponent));
        }
    }

    /// An upper bound that is at most `alpha`, from squares that the opponent is sure to get.
    #[inline(always)]
    fn claimed<B: SearchBoard<Geometry = V::Geometry>>(&self, board: &B, alpha: Score) -> Option<Score> {
        let spec = self.engine.variant.spec();
        if spec.zugzwang == Zugzwang::None {
            return None;
        }
        let board = board.board();
        let (mover, opponent) = (board.mover(), board.opponent());
        let threats = threats::winning_squares::<V::Geometry>(spec.threats, opponent, board.empty());
        zugzwang::at_most::<V::Geometry>(spec.zugzwang, Sides { mover, opponent, threats }, alpha)
    }

    /// A score that some child's bounds promise and that ends the node, if there is one.
    #[inline(always)]
    fn look_children_up<B: SearchBoard<Geometry = V::Geometry>>(
        &mut self,
        board: &B,
        moves: u64,
        beta: Score,
    ) -> Option<Score> {
        let spec = self.engine.variant.spec();
        let mut left = moves;
        while left != 0 {
            let one_move = left & left.wrapping_neg();
            left ^= one_move;
            let key = board.key_after(one_move, spec.key, spec.sight());
            let most = match (spec.table_bounds, self.probe(key)) {
                (TableBounds::Both, _) => self.probe_both(key).most,
                (_, Bound::Upper(most) | Bound::Exact(most)) => most,
                _ => continue,
            };
            if -most >= beta {
                return Some(-most);
            }
        }
        None
    }

    /// Starts to fetch the slots of all children. An array board takes longer to make a key than memory to answer.
    #[inline(always)]
    fn prefetch_children<B: SearchBoard<Geometry = V::Geometry>>(&self, board: &B, moves: u64) {
        let spec = self.engine.variant.spec();
        if spec.table_bounds == TableBounds::None || spec.storage == Storage::Array {
            return;
        }
        let mut left = moves;
        while left != 0 {
            let one_move = left & left.wrapping_neg();
            left ^= one_move;
            let key = board.key_after(one_move, spec.key, spec.sight());
            match spec.table {
                Table::Buckets => self.engine.buckets.prefetch(self.engine.buckets.mix(key as u64)),
                _ => self.engine.slots.prefetch(spec.table, spec.table_size, key),
            }
        }
    }

    #[inline(always)]
    fn probe(&mut self, key: u128) -> Bound {
        let spec = self.engine.variant.spec();
        if matches!(spec.table_bounds, TableBounds::None | TableBounds::Both) {
            return Bound::Unknown;
        }
        let bound = self.engine.slots.probe(spec.table, spec.table_size, key);
        if V::COUNTS {
            self.engine.counters.probes += 1;
            self.engine.counters.hits += u64::from(bound != Bound::Unknown);
        }
        bound
    }

    /// What a table with both bounds knows.
    #[inline(always)]
    fn probe_both(&mut self, key: u128) -> Known {
        let known = self.engine.buckets.probe(self.engine.buckets.mix(key as u64));
        if V::COUNTS {
            self.engine.counters.probes += 1;
            self.engine.counters.hits += u64::from(known.is_some());
        }
        known.unwrap_or(Known::NOTHING)
    }

    #[inline(always)]
    fn cut(&mut self, bound: Score) -> Score {
        if V::COUNTS {
            self.engine.counters.cutoffs += 1;
        }
        bound
    }

    #[inline(always)]
    fn store(&mut self, key: u128, bound: Bound) {
        let spec = self.engine.variant.spec();
        if matches!(spec.table_bounds, TableBounds::None | TableBounds::Both) {
            return;
        }
        if V::COUNTS {
            self.engine.counters.stores += 1;
        }
        self.engine.slots.store(spec.table, spec.table_size, key, bound);
    }

    /// Writes both bounds of a node that was entered as number `start`; only a table with both keeps them.
    #[inline(always)]
    fn keep(&mut self, key: u128, known: Known, start: u64) {
        let spec = self.engine.variant.spec();
        match spec.table_bounds {
            TableBounds::Both => {
                if V::COUNTS {
                    self.engine.counters.stores += 1;
                }
                let key = self.engine.buckets.mix(key as u64);
                self.engine.buckets.store(key, known, self.budget.nodes() - start);
            }
            TableBounds::Either => self.store(key, Bound::Lower(known.least)),
            _ => {}
        }
    }
}
