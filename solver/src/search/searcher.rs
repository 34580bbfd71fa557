//! The searcher: the code that every variant is compiled from, and the state that it keeps from one search to the next.
//!
//! It has three recursions: `moves` examines the moves of a node one by one, `children` all together, `fhourstones`
//! only finds the winner. The axis [`search`](axes::Search) chooses one. `node.rs` has their common parts.

use crate::axes::board::array::ArrayBoard;
use crate::axes::board::make_undo::MakeUndo;
use crate::axes::board::two_players::TwoPlayers;
use crate::axes::history::{Accounts, History, SquareWorth};
use crate::axes::level::{Baseline, Chosen};
use crate::axes::lines::children::MOST_LANES;
use crate::axes::table::{Contents, SharedTable, Table};
use crate::axes::{self, Axis, Layout, Order, Storage, Threats};
use crate::game::score::Score;
use crate::game::{Board, BoardSize, Geometry, Position, Word};
use crate::search::anatomy::{NodeEnd, PlyCounts, RootWindow};
use crate::search::limits::{Budget, Limits, Stopped};
use crate::search::node::{Descent, NodeOf};
use crate::search::registry::ABLATIONS;
use crate::search::root::Question;
use crate::search::solver::{BuildError, Counters, Goal, Options, Solve, Solved};
use crate::search::spec::Spec;
use crate::search::team::Team;
use crate::search::threads::{Threads, ThreadsError};
use crate::search::variant::Variant;
use std::sync::Arc;

/// The searcher of one variant, with its table and its other state.
pub struct Searcher<V: Variant> {
    pub(super) variant: V,
    pub(super) table: V::Table,
    /// The SIMD level that this search is compiled for.
    pub(super) level: Chosen,
    pub(super) notes: Notes<V::Geometry>,
    /// The children after forced moves of the nodes that are being searched, by number of stones and lane.
    pub(super) forced: Box<[[NodeOf<V>; MOST_LANES]]>,
    /// The threads that search with it.
    pub(super) team: Option<Team<V>>,
    /// The own table of a member of a team, besides the shared one: for nodes that one thread searches.
    pub(super) own: Option<V::Table>,
}

/// The state of a searcher besides its table. Threads never share it.
pub(super) struct Notes<G: Geometry> {
    pub(super) history: History,
    pub(super) squares: SquareWorth,
    pub(super) accounts: Accounts,
    /// The move that led to the node just entered; none if it was entered from outside of the recursion.
    pub(super) last_move: G::Word,
    /// The generation of the table when the moves that it remembers were forgotten.
    pub(super) generation: u32,
    /// Writes to the table since the searcher was made. Counted only by Fhourstones, as the work of its entries.
    pub(super) stores: u64,
    /// Writes to the table since the last reset, if they are counted.
    pub(super) stored: u64,
    /// By number of stones; empty unless they are counted.
    pub(super) plies: Vec<PlyCounts>,
    /// The windows of the root, if they are recorded.
    pub(super) windows: Vec<RootWindow>,
    /// The end of the node that ended last, if ends are recorded.
    pub(super) last_end: Option<NodeEnd>,
}

impl<G: Geometry> Notes<G> {
    fn new(g: G, counts: bool) -> Self {
        let count = if counts { g.cells() as usize + 1 } else { 0 };
        Notes {
            history: History::default(),
            squares: SquareWorth::of(g),
            accounts: Accounts::of(g),
            last_move: G::Word::NONE,
            generation: 0,
            stores: 0,
            stored: 0,
            plies: vec![PlyCounts::default(); count],
            windows: Vec::new(),
            last_end: None,
        }
    }
}

impl<G: Geometry> Notes<G> {
    /// Forgets the moves that the order uses.
    pub(super) fn forget(&mut self, g: G, order: Order) {
        match order {
            Order::History | Order::Killers => self.history = History::default(),
            Order::Squares => self.squares = SquareWorth::of(g),
            Order::Learned => self.accounts.forget(),
            _ => {}
        }
    }
}

impl<V: Variant> Searcher<V> {
    pub fn new(variant: V, options: &Options) -> Result<Self, BuildError> {
        Ok(Self::with_table(variant, table_of(variant, options.tt_bytes)?, level_of(variant)))
    }

    fn with_table(variant: V, table: V::Table, level: Chosen) -> Self {
        let notes = Notes::new(variant.geometry(), variant.counts());
        let forced = vec![[Default::default(); MOST_LANES]; variant.geometry().cells() as usize + 1].into();
        Searcher { variant, table, level, notes, forced, team: None, own: None }
    }

    /// Another searcher over this table, for a thread of one search; `None` if threads cannot share the table.
    pub(super) fn twin(&self) -> Option<Self> {
        Some(Self::with_table(self.variant, self.table.twin()?, self.level))
    }

    #[inline(always)]
    pub(super) fn geometry(&self) -> V::Geometry {
        self.variant.geometry()
    }

    /// The result for a position that may be over.
    fn ask(&mut self, position: &Position, question: Question, limits: &Limits<'_>) -> Result<Solved, Stopped> {
        let g = self.geometry();
        let Some(board) = position.board_in(g) else { return Err(Stopped::OtherBoard) };
        if board.is_won() {
            // The stone that won was played one ply ago.
            return Ok(Solved { score: -g.size().win_at(board.ply() - 1), nodes: 0 });
        }
        if board.is_full() {
            return Ok(Solved { score: 0, nodes: 0 });
        }
        let spec = self.variant.spec();
        let bare = spec.late.is_bare(g, board.ply());
        let team = self.team.as_ref().filter(|_| !bare).map(|team| Arc::clone(&team.meeting));
        let budget = Budget::new(limits);
        let mut search = Descent { searcher: self, budget, member: None, team: team.as_deref(), bare };
        search.begin();
        // Each arm is compiled only for the variants that can reach it.
        let score = match (spec.search, spec.storage) {
            (axes::Search::Children, _) if const { reaches::<V>(axes::Search::Children, Storage::Bitboard) } => {
                search.root_of_children(board, question)
            }
            (axes::Search::Fhourstones, _) if const { reaches::<V>(axes::Search::Fhourstones, Storage::Bitboard) } => {
                search.root_of_fhourstones(board)
            }
            (_, Storage::Array) if const { reaches::<V>(axes::Search::Moves, Storage::Array) } => {
                search.root_of_moves(ArrayBoard::new(board), question)
            }
            (_, Storage::Bitboard) if const { reaches::<V>(axes::Search::Moves, Storage::Bitboard) } => {
                search.root_of_moves::<Board<V::Geometry>>(board, question)
            }
            (_, Storage::TwoPlayers) if const { reaches::<V>(axes::Search::Moves, Storage::TwoPlayers) } => {
                search.root_of_moves(TwoPlayers::new(board), question)
            }
            (_, Storage::MakeUndo) if const { reaches::<V>(axes::Search::Moves, Storage::MakeUndo) } => {
                search.root_of_moves(&MakeUndo::new(board), question)
            }
            _ => unreachable!("this searcher was not compiled for {spec}"),
        };
        match search.budget.stopped {
            Some(stopped) => Err(stopped.after(search.budget.nodes)),
            None => Ok(Solved { score, nodes: search.budget.nodes }),
        }
    }
}

/// True if a search of this variant can reach the recursion of `search` with boards of `storage`. Only then is it
/// compiled.
const fn reaches<V: Variant>(search: axes::Search, storage: Storage) -> bool {
    // The search by children and the array need the tight layout: `Spec::validate`.
    let tight = V::Geometry::IS_TIGHT;
    match V::FIXED {
        Some(spec) => spec.search as u8 == search as u8 && spec.storage as u8 == storage as u8,
        None => tight || search as u8 == axes::Search::Moves as u8 && storage as u8 != Storage::Array as u8,
    }
}

fn level_of<V: Variant>(variant: V) -> Chosen {
    match (variant.spec().threats, V::FIXED) {
        (Threats::Dispatched, fixed) => dispatched(fixed.is_some()),
        (_, Some(_)) => Chosen::Baseline(Baseline),
        (_, None) => Chosen::plain(),
    }
}

/// The level of `threats=dispatched`: the best of the processor, or the one that dynamic variants are compiled for.
pub fn dispatched(is_compiled: bool) -> Chosen {
    if is_compiled || ABLATIONS { Chosen::best() } else { Chosen::plain() }
}

/// A table for a variant, of up to `bytes` bytes if it does not fix the size.
pub(super) fn table_of<V: Variant>(variant: V, bytes: u64) -> Result<V::Table, BuildError> {
    let spec = variant.spec();
    let contents = contents(variant.geometry(), spec)?;
    Table::new(spec.table, spec.table_size, contents, bytes).map_err(BuildError::Table)
}

/// The contents of a spec's table, if its alternatives go together, run here, and suit the geometry. It is compiled
/// once for each board, not once for each variant.
fn contents<G: Geometry>(g: G, spec: Spec) -> Result<Contents, BuildError> {
    spec.validate().map_err(BuildError::Spec)?;
    spec.runs().map_err(|reason| BuildError::Spec(reason.to_string()))?;
    fits(g, spec).map_err(BuildError::Spec)?;
    Ok(Contents::of(spec.key, g.size(), g.stride()))
}

fn fits<G: Geometry>(g: G, spec: Spec) -> Result<(), String> {
    if Layout::of(g).is_some_and(|layout| layout != spec.layout) {
        return Err(format!("layout={} is not that of {}", spec.layout.value(), g.name()));
    }
    if G::Word::BITS > 64 {
        let lanes = matches!(spec.threats, Threats::Directions | Threats::Moves | Threats::Players);
        let reason = match spec {
            _ if lanes => Some(format!("threats={}: a lane holds 64 bits", spec.threats.value())),
            Spec { wins, .. } if wins.is_vector() => Some(format!("wins={}: a lane holds 64 bits", wins.value())),
            Spec { storage: Storage::Array, .. } => Some("storage=array has room for 64 bits".to_string()),
            Spec { zugzwang: axes::Zugzwang::Rules, .. } => Some("zugzwang=rules has room for 64 bits".to_string()),
            _ => None,
        };
        return reason.map_or(Ok(()), |reason| Err(format!("{reason}, and {} needs more", g.name())));
    }
    Ok(())
}

impl<V: Variant> Solve for Searcher<V> {
    fn board_size(&self) -> BoardSize {
        self.geometry().size()
    }

    fn reset(&mut self) {
        let g = self.geometry();
        self.table.reset();
        self.notes.stored = 0;
        self.notes.forget(g, self.variant.spec().order);
        self.notes.plies.fill(PlyCounts::default());
        self.notes.windows.clear();
        self.notes.last_end = None;
    }

    fn solve(&mut self, position: &Position, goal: Goal, limits: &Limits<'_>) -> Result<Solved, Stopped> {
        if !self.variant.spec().goals().contains(&goal) {
            return Err(Stopped::OtherGoal);
        }
        let solved = self.ask(position, Question::Score(goal), limits)?;
        Ok(Solved { score: goal.of(solved.score), ..solved })
    }

    fn exceeds(&mut self, position: &Position, bound: Score, limits: &Limits<'_>) -> Result<bool, Stopped> {
        let g = self.geometry();
        // Every score is above the lower end, and none above the upper: a bound further out would not fit a slot.
        let limit = g.size().limit();
        let bound = bound.clamp(-limit - 1, limit);
        if !self.variant.spec().goals().contains(&Goal::Strong) && !(-1..=0).contains(&bound) {
            return Err(Stopped::OtherGoal);
        }
        Ok(self.ask(position, Question::Exceeds(bound), limits)?.score > bound)
    }

    fn table_bytes(&self) -> u64 {
        self.table.bytes()
    }

    fn use_threads(&mut self, threads: Threads) -> Result<(), ThreadsError> {
        Searcher::use_threads(self, threads)
    }

    fn threads(&self) -> u32 {
        self.team.as_ref().map_or(1, |team| team.meeting.threads.count)
    }

    fn counters(&self) -> Option<Counters> {
        let mut all = PlyCounts::default();
        self.notes.plies.iter().for_each(|counts| all += *counts);
        let PlyCounts { probes, hits, ends, .. } = all;
        let (cutoffs, stores) = (ends[NodeEnd::Table as usize], self.notes.stored);
        self.variant.counts().then_some(Counters { probes, hits, cutoffs, stores })
    }

    fn anatomy(&self) -> &[PlyCounts] {
        &self.notes.plies
    }

    fn windows(&self) -> &[RootWindow] {
        &self.notes.windows
    }
}
