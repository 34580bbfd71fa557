//! The squares that a choice finds on a board before it searches, for drawings. No search uses it.

use crate::axes::anticipation;
use crate::axes::board::storage::SearchBoard;
use crate::axes::history::SquareWorth;
use crate::axes::lines::laned::Laned;
use crate::axes::lines::threats;
use crate::axes::order::Queue;
use crate::axes::table::key;
use crate::axes::zugzwang::proof::{self, Proof};
use crate::axes::zugzwang::{Sides, Zugzwang};
use crate::axes::{Order, Search, Threats, Wins};
use crate::game::score::Score;
use crate::game::word::{EachSquare, Word};
use crate::game::{Board, Geometry};
use crate::search::spec::Spec;

/// A square: its column and its row, both from 0, the lowest row first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    pub column: u32,
    pub row: u32,
}

fn places<G: Geometry>(g: G, set: G::Word) -> Vec<Place> {
    let place = |bit: u32| Place { column: bit / g.stride(), row: bit % g.stride() };
    EachSquare(set).map(|square| place(square.trailing_zeros())).collect()
}

fn wins<G: Geometry>(board: Board<G>, stones: G::Word) -> G::Word {
    threats::winning_squares(board.geometry(), Threats::Pairs, stones, board.empty())
}

/// The squares that a choice finds on a board whose game is not over.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct View {
    /// Columns, from 0, of moves that are forced. The other fields describe the board after them.
    pub forced: Vec<u32>,
    /// Empty squares that complete a four of the mover's; only playable ones if the choice looks no further.
    pub wins: Vec<Place>,
    /// Empty squares that complete a four of the opponent's, if the choice looks for them.
    pub threats: Vec<Place>,
    /// The moves that it would search, in move order if [`is_ordered`](Self::is_ordered).
    pub moves: Vec<Place>,
    /// True if `moves` are in move order. The search by children orders by the contents of its table.
    pub is_ordered: bool,
    /// For each of `moves`, the number of the mover's threats after it, if the order uses them.
    pub makes: Vec<u32>,
    /// Moves that are skipped because they lose at once.
    pub left_out: Vec<Place>,
    /// The stones whose sides the key forgets, because no four can hold them any more. They are those before `forced`.
    pub colorless: Vec<Place>,
}

impl View {
    pub(super) fn of<G: Geometry>(spec: Spec, board: Board<G>) -> Self {
        let g = board.geometry();
        let mut view = View::default();
        if spec.key.is_colorless() {
            view.colorless = places(g, key::colorless(Wins::TwoShifts, board));
        }
        let mine = wins(board, board.mover());
        view.wins = places(g, if spec.search == Search::Children { mine } else { mine & board.playable() });
        if (mine & board.playable()).has_any() {
            return view;
        }
        match spec.search {
            Search::Children => view.with_children(board),
            _ => view.with_moves(spec, board),
        }
        view
    }

    fn with_moves<G: Geometry>(&mut self, spec: Spec, board: Board<G>) {
        let g = board.geometry();
        let found = anticipation::look(spec.anticipation, spec.wins, spec.threats, &board);
        let moves = found.continue_value().unwrap_or(G::Word::NONE);
        if spec.anticipation.sees_losses() {
            self.threats = places(g, wins(board, board.opponent()));
            self.left_out = places(g, board.playable() & !moves);
        }
        self.is_ordered = true;
        let (mut queue, squares) = (Queue::new(moves), SquareWorth::of(g));
        let order = if spec.search == Search::Fhourstones { Order::Squares } else { spec.order };
        if moves.has_any() {
            queue.weigh(order, Threats::Pairs, &board);
        }
        for turn in 0..g.width() {
            let next = match order {
                Order::Squares => queue.take_by(|square| squares.worth(board.ply(), square)),
                order => queue.take(g, order, turn),
            };
            self.moves.extend(places(g, next));
            if self.moves.len() == moves.count_ones() as usize {
                break;
            }
        }
        if order.sorts() {
            let mut makes = vec![0; g.width() as usize];
            board.each_after(Threats::Pairs, moves, |column, count| makes[column as usize] = count);
            self.makes = self.moves.iter().map(|place| makes[place.column as usize]).collect();
        }
    }

    /// The search by children plays forced moves before it examines a board.
    fn with_children<G: Geometry>(&mut self, board: Board<G>) {
        let g = board.geometry();
        let (board, forced) = forced(board);
        let (mine, theirs) = (wins(board, board.mover()), wins(board, board.opponent()));
        self.forced = forced;
        (self.wins, self.threats) = (places(g, mine), places(g, theirs));
        let wins_now = (mine & board.playable()).has_any();
        let moves = if wins_now { G::Word::NONE } else { threats::non_losing(board.playable(), theirs) };
        self.moves = places(g, moves);
        self.left_out = places(g, board.playable() & !moves);
    }
}

fn forced<G: Geometry>(mut board: Board<G>) -> (Board<G>, Vec<u32>) {
    let g = board.geometry();
    let mut columns = Vec::new();
    loop {
        let moves = threats::non_losing(board.playable(), wins(board, board.opponent()));
        if (board.playable() & wins(board, board.mover())).has_any() || !moves.is_one() {
            return (board, columns);
        }
        columns.push(g.column_of(moves));
        board = board.play_square(moves);
    }
}

/// A zugzwang bound with squares to draw.
pub type Proven = Proof<Vec<Place>>;

/// The bound that proves that a board's score is above `alpha`, or not above it.
pub(super) fn proven<G: Geometry<Word: Laned>>(
    spec: Spec,
    board: Board<G>,
    alpha: Score,
    is_above: bool,
) -> Option<Proven> {
    let g = board.geometry();
    if spec.zugzwang == Zugzwang::None || spec.search == Search::Fhourstones {
        return None;
    }
    if spec.search == Search::Moves {
        return if is_above { None } else { proven_at(spec, board, alpha, Vec::new()) };
    }
    let (node, path) = forced(board);
    let (alpha, is_above) = if path.len().is_multiple_of(2) { (alpha, is_above) } else { (-alpha - 1, !is_above) };
    if !is_above {
        return proven_at(spec, node, alpha, path);
    }
    for one_move in EachSquare(threats::non_losing(node.playable(), wins(node, node.opponent()))) {
        let (child, replies) = forced(node.play_square(one_move));
        let moves = || [&path[..], &[g.column_of(one_move)], &replies].concat();
        if replies.len().is_multiple_of(2)
            && let Some(proven) = proven_at(spec, child, -alpha - 1, moves())
        {
            return Some(proven);
        }
    }
    None
}

/// The bound of at most `target` for the board after `moves`.
fn proven_at<G: Geometry<Word: Laned>>(spec: Spec, board: Board<G>, target: Score, moves: Vec<u32>) -> Option<Proven> {
    let g = board.geometry();
    if board.is_won() || (wins(board, board.mover()) & board.playable()).has_any() {
        return None;
    }
    let (mover, opponent) = (board.mover(), board.opponent());
    let sides = Sides { g, mover, opponent, threats: wins(board, opponent) };
    let Proof { rule, most, claimed, beyond, threats, line, .. } = proof::of(spec.zugzwang, sides, target)?;
    let [claimed, beyond, threats, line] = [claimed, beyond, threats, line].map(|set| places(g, set));
    Some(Proof { moves, rule, most, claimed, beyond, threats, line })
}
