//! The stream: the boards of all benchmarks of evaluators, in the order in which searches met them.
//!
//! A quarter each comes from `pons-12` and from `pons-06`, on middle-medium and on begin-easy: every 13th node of the first
//! 832 of a position. The nodes of `pons-12` have no immediate win, and a position has few of them; those of `pons-06`
//! often have an immediate win. `met.bin` has their keys, eight bytes each. Revision cef70749 has the code that made it.
//!
//! The stream has three forms, made before any timing: boards of either layout, and boards that are played and undone.

use c4lab_solver::axes::Threats;
use c4lab_solver::axes::board::make_undo::MakeUndo;
use c4lab_solver::axes::board::storage::SearchBoard;
use c4lab_solver::game::{Board, Geometry, Spaced, Standard, Word};

const COUNT: usize = 4096;
const CHECKSUM: u64 = 0xfac0_4540_897c_02b3;

/// A node: a board, and the moves that a search orders there.
#[derive(Clone, Copy)]
pub(crate) struct Node<G: Geometry = Standard> {
    pub(crate) board: Board<G>,
    /// The non-losing moves, or all moves if every move loses; at least one.
    pub(crate) moves: G::Word,
}

impl<G: Geometry> From<Board<G>> for Node<G> {
    fn from(board: Board<G>) -> Self {
        let moves = board.non_losing(Threats::Pairs);
        Node { board, moves: if moves.is_empty() { board.playable() } else { moves } }
    }
}

#[derive(Clone, Copy)]
pub(crate) struct Undoing {
    /// The board and the later boards of the stream, so that the index, which depends on the last result, delays it.
    pub(crate) boards: &'static [MakeUndo<Standard>],
    pub(crate) moves: u64,
}

pub(crate) struct Streams {
    tight: Vec<Node>,
    spaced: Vec<Node<Spaced>>,
    undoing: Vec<Undoing>,
}

pub(crate) trait Form: Copy {
    fn of(streams: &Streams) -> &[Self];
}

macro_rules! forms {
    ($( $form:ty: $field:ident; )+) => { $(
        impl Form for $form {
            fn of(streams: &Streams) -> &[Self] {
                &streams.$field
            }
        }
    )+ };
}
forms! {
    Node: tight;
    Node<Spaced>: spaced;
    Undoing: undoing;
}

/// The stream in every form. The boards that are undone are leaked, so that their nodes can be copied like others.
pub(crate) fn streams() -> Streams {
    let tight = nodes();
    let boards: &'static [_] = tight.iter().map(|node| MakeUndo::new(node.board)).collect::<Vec<_>>().leak();
    let undoing = |(index, node): (usize, &Node)| Undoing { boards: &boards[index..], moves: node.moves };
    Streams {
        spaced: tight.iter().map(|node| node.board.to_layout(Spaced::NEW).into()).collect(),
        undoing: tight.iter().enumerate().map(undoing).collect(),
        tight,
    }
}

fn nodes() -> Vec<Node> {
    let (keys, _) = include_bytes!("met.bin").as_chunks();
    let nodes: Vec<Node> = keys.iter().map(|key| board_of(u64::from_le_bytes(*key)).into()).collect();
    let found = checksum(nodes.iter().flat_map(|node: &Node| [node.board.key(), node.moves]));
    assert_eq!((nodes.len(), found), (COUNT, CHECKSUM), "the stream of boards has changed: {found:#018x}");
    nodes
}

/// The board with a key: in each column the highest bit stands above the stones, and the others are the mover's.
fn board_of(key: u64) -> Board<Standard> {
    let (g, mut tops) = (Standard::NEW, 0);
    for column in 0..g.width() {
        let bits = key >> (column * Standard::STRIDE) & ((1 << Standard::STRIDE) - 1);
        tops |= 1 << (column * Standard::STRIDE + bits.ilog2());
    }
    Board::from_stones(g, key ^ tops, tops - g.bottom()).expect("the key of a board")
}

/// A checksum that depends on the order of its inputs.
pub(crate) fn checksum(results: impl IntoIterator<Item = u64>) -> u64 {
    results.into_iter().fold(0, add)
}

/// Adds a result to a checksum. The compiler does not vectorise a loop with it.
#[inline(always)]
pub(crate) fn add(sum: u64, result: u64) -> u64 {
    (sum ^ result).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(23)
}
