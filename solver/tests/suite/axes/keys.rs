//! Keys: two positions share a key only if they have one score.
//!
//! The tests list the lines of four square by square, and check every claim of the module doc of `axes::key`: which
//! stones are colorless, which boards are class mates, and that class mates have one score.

use crate::support::draw::Draw;
use crate::support::positions;
use c4lab_solver::axes::board::storage::SearchBoard;
use c4lab_solver::axes::lines::children::Parent;
use c4lab_solver::axes::table::key::{self, KeysOfChildren};
use c4lab_solver::axes::{Axis, Key, Wins};
use c4lab_solver::game::any_board::{Broad, LongBroad, LongNarrow, Narrow};
use c4lab_solver::game::{Board, Geometry, Grid, Spaced, Standard, Word};
use c4lab_solver::search::oracle::Oracle;
use std::collections::HashMap;

fn lines<G: Geometry>(g: G) -> Vec<u64> {
    let (mut lines, width, height) = (Vec::new(), g.width() as i32, g.height() as i32);
    for (column, row) in (0..width).flat_map(|column| (0..height).map(move |row| (column, row))) {
        for (dx, dy) in [(0, 1), (1, 0), (1, 1), (1, -1)] {
            let squares = [0, 1, 2, 3].map(|step| (column + step * dx, row + step * dy));
            let inside = |(x, y): (i32, i32)| x < width && (0..height).contains(&y);
            if squares.into_iter().all(inside) {
                lines.push(squares.into_iter().fold(0, |set, (x, y)| set | 1 << (x as u32 * g.stride() + y as u32)));
            }
        }
    }
    lines
}

/// The lines that each side can still fill: first the mover's, then the opponent's.
fn live<G: Geometry<Word = u64>>(lines: &[u64], board: Board<G>) -> [Vec<u64>; 2] {
    let without = |stones: u64| lines.iter().copied().filter(|line| line & stones == 0).collect();
    [without(board.opponent()), without(board.mover())]
}

/// The stones in no live line.
fn colorless_by_lines<G: Geometry<Word = u64>>(lines: &[u64], board: Board<G>) -> u64 {
    let in_live = live(lines, board).concat().into_iter().fold(0, |squares, line| squares | line);
    board.stones() & !in_live
}

fn key_of<G: Geometry>(board: Board<G>, kind: Key) -> u128 {
    SearchBoard::key(&board, kind, Wins::TwoShifts)
}

/// Over every position of a board: one score for each key, one key for each class.
fn grouped<const W: usize, const H: usize>(g: impl Geometry<Word = u64>) {
    let (lines, mut oracle, mut positions) = (lines(g), Oracle::<W, H>::default(), Vec::new());
    positions::every(g, |position| {
        if !position.is_won() {
            positions.push(position.clone());
        }
    });
    for &kind in Key::ALL {
        let mut scores: HashMap<u128, i32> = HashMap::new();
        let mut classes: HashMap<(u64, [Vec<u64>; 2]), u128> = HashMap::new();
        for position in &positions {
            let (board, score) = (position.board(g), oracle.score(position.columns()));
            let key = key_of(board, kind);
            assert_eq!(*scores.entry(key).or_insert(score), score, "{kind:?}, {position}");
            assert!(key >> kind.bits(g.size(), g.stride()) == 0, "{kind:?}, {position}");
            if kind == Key::Colorless {
                let class = (board.stones(), live(&lines, board));
                assert_eq!(*classes.entry(class).or_insert(key), key, "{position}: a class with two keys");
                assert_eq!(key::colorless(Wins::TwoShifts, board), colorless_by_lines(&lines, board), "{position}");
            }
            if matches!(kind, Key::Mirror | Key::ColorlessMirror) {
                assert_eq!(key_of(board.mirror(), kind), key, "{kind:?}, {position}");
            }
        }
        match kind {
            Key::Exact => assert_eq!(scores.len(), positions.len()),
            Key::Colorless => assert_eq!(scores.len(), classes.len(), "a key for two classes"),
            _ => assert!(scores.len() < positions.len(), "{kind:?} merges nothing"),
        }
    }
}

#[test]
fn every_key_of_4x4_has_one_score() {
    grouped::<4, 4>(Narrow::sized(4, 4));
    grouped::<4, 4>(Grid::<4, 4, 7>::NEW);
}

#[test]
#[ignore = "every position of 5x4 takes long"]
fn every_key_of_5x4_has_one_score() {
    grouped::<5, 4>(Narrow::sized(5, 4));
}

fn repaint<G: Geometry<Word = u64>>(board: Board<G>, flipped: u64) -> Board<G> {
    Board::from_stones(board.geometry(), board.mover() ^ flipped, board.stones()).expect("the same squares are taken")
}

/// The squares in the form of the oracle: 1 for the side that began.
fn squares<G: Geometry<Word = u64>, const W: usize, const H: usize>(board: Board<G>) -> [[u8; H]; W] {
    let mover = if board.ply().is_multiple_of(2) { 1 } else { 2 };
    std::array::from_fn(|column| {
        std::array::from_fn(|row| {
            let square = 1 << (column as u32 * board.geometry().stride() + row as u32);
            match (board.mover() & square != 0, board.opponent() & square != 0) {
                (true, _) => mover,
                (_, true) => 3 - mover,
                _ => 0,
            }
        })
    })
}

fn shuffled(draw: &mut Draw, set: u64) -> Vec<u64> {
    let mut all: Vec<u64> = (0..64).map(|bit| 1 << bit).filter(|square| set & square != 0).collect();
    draw.shuffle(&mut all);
    all
}

/// 8,000 late positions: repaints colorless stones, and one stone that has a colour.
#[test]
fn class_mates_share_key_and_score_late_on_7x6() {
    let (mut draw, lines) = (Draw::new(1, "class mates"), lines(Standard::NEW));
    let (mut seen, mut mates, mut revived, mut repainted) = (0, 0, 0, 0);
    while seen < 8_000 {
        let board = positions::random(Standard::SIZE, &mut draw, 33 + seen % 9).board(Standard::NEW);
        if board.is_won() {
            continue;
        }
        seen += 1;
        let (key, live_lines) = (key_of(board, Key::Colorless), live(&lines, board));
        let colorless = key::colorless(Wins::TwoShifts, board);
        assert_eq!(colorless, colorless_by_lines(&lines, board), "{board}");
        let coloured = board.stones() & !colorless;
        for one in shuffled(&mut draw, coloured).into_iter().take(2) {
            assert_ne!(key_of(repaint(board, one), Key::Colorless), key, "{board}");
            repainted += 1;
        }
        // One after the other, each stone whose other colour brings no line to life.
        let mut mate = board;
        for one in shuffled(&mut draw, colorless) {
            let next = repaint(mate, one);
            let same = live(&lines, next) == live_lines;
            assert_eq!(key_of(next, Key::Colorless) == key, same, "{board}{next}");
            mate = if same { next } else { mate };
            revived += u32::from(!same);
        }
        if mate == board {
            continue;
        }
        mates += 1;
        for kind in [Key::Colorless, Key::ColorlessMirror] {
            assert_eq!(key_of(mate, kind), key_of(board, kind), "{board}{mate}");
            assert_eq!(key_of(mate.mirror(), Key::ColorlessMirror), key_of(board, Key::ColorlessMirror));
            assert_eq!(key_of(mate.to_layout(Spaced::NEW), kind), key_of(board.to_layout(Spaced::NEW), kind));
        }
        let mut oracle = Oracle::<7, 6>::default();
        let score = oracle.score_of(squares(board));
        assert_eq!(Oracle::<7, 6>::default().score_of(squares(mate)), score, "{board}{mate}");
    }
    assert!(mates > 4_000 && revived > 80_000 && repainted > 12_000, "{mates} {revived} {repainted}");
}

/// The position that the source draws, and its colorless stones. The source marks two more, which form a line with a
/// third O and an empty square: (6, 4) and (7, 3) by column and row from 1, with (4, 6) and the empty (5, 5).
#[test]
fn the_example_of_the_source() {
    let drawn = ["OOXO...", "XOXX.OX", "OOXO.OX", "XXOO.XO", "OOOXXOO", "XXXOXXX"];
    let marked = ["**XO...", "***X.O*", "**XO.O*", "*XOO.XO", "*OO*X**", "****X**"];
    let set = |rows: [&str; 6], wanted: char| {
        let square = |row: usize, column: usize| 1u64 << (column as u32 * Standard::STRIDE + 5 - row as u32);
        let of_row = |(row, text): (usize, &str)| {
            text.chars().enumerate().filter(|(_, c)| *c == wanted).map(|(column, _)| square(row, column)).sum::<u64>()
        };
        rows.into_iter().enumerate().map(of_row).sum::<u64>()
    };
    let board = Board::from_stones(Standard::NEW, set(drawn, 'X'), set(drawn, 'X') | set(drawn, 'O')).expect("a board");
    assert_eq!(key::colorless(Wins::TwoShifts, board), set(marked, '*'));
    // "Only the checker in the top left corner is changed."
    let other = repaint(board, 1 << 5);
    for kind in [Key::Colorless, Key::ColorlessMirror] {
        assert_eq!(key_of(other, kind), key_of(board, kind));
        assert_ne!(key_of(other, Key::Exact), key_of(board, Key::Exact));
    }
}

/// Boards of all plies: both layouts, and mirror images, have the same classes.
#[test]
fn layouts_and_mirrors_have_the_same_classes() {
    let (mut draw, lines) = (Draw::new(2, "classes"), lines(Standard::NEW));
    for ply in (0..42).cycle().take(2_000) {
        let board = positions::random(Standard::SIZE, &mut draw, ply).board(Standard::NEW);
        let spaced = board.to_layout(Spaced::NEW);
        let colorless = key::colorless(Wins::TwoShifts, board);
        assert_eq!(colorless, colorless_by_lines(&lines, board), "{board}");
        let painted = Board::from_stones(Standard::NEW, colorless, board.stones()).expect("stones");
        let spaced_painted = Board::from_stones(Spaced::NEW, key::colorless(Wins::TwoShifts, spaced), spaced.stones());
        assert_eq!(Some(painted.to_layout(Spaced::NEW)), spaced_painted, "{board}");
        for &kind in Key::ALL {
            assert!(key_of(board, kind) >> kind.bits(Standard::SIZE, Standard::STRIDE) == 0, "{kind:?}\n{board}");
            assert!(key_of(spaced, kind) >> kind.bits(Spaced::SIZE, Spaced::STRIDE) == 0, "{kind:?}\n{board}");
        }
    }
}

fn keys_of_children_are_those_of_boards(g: impl Geometry) {
    let mut draw = Draw::new(3, "keys of children");
    for ply in (0..g.cells()).cycle().take(300) {
        let board = positions::random(g.size(), &mut draw, ply).board(g);
        let parent = Parent { mover: board.mover(), stones: board.stones(), moves: board.playable() };
        for lane in 0..g.width() as usize {
            let column = u32::from(g.centre_first()[lane]);
            if !board.can_play(column) {
                continue;
            }
            let child = board.play(column);
            let together = [
                KeysOfChildren::<_, false>::of(g, parent).in_lane(g, lane).wide(),
                KeysOfChildren::<_, true>::of(g, parent).in_lane(g, lane).wide(),
            ];
            assert_eq!(together, [Key::Exact, Key::Mirror].map(|kind| key_of(child, kind)), "lane {lane} of\n{board}");
        }
    }
}

#[test]
fn keys_of_all_lanes_are_those_of_boards() {
    keys_of_children_are_those_of_boards(Standard::NEW);
    keys_of_children_are_those_of_boards(Spaced::NEW);
    keys_of_children_are_those_of_boards(Narrow::sized(4, 4));
    keys_of_children_are_those_of_boards(Narrow::sized(6, 5));
    keys_of_children_are_those_of_boards(Narrow::sized(8, 7));
    keys_of_children_are_those_of_boards(Broad::sized(9, 6));
    keys_of_children_are_those_of_boards(Broad::sized(12, 4));
    keys_of_children_are_those_of_boards(LongNarrow::sized(8, 8));
    keys_of_children_are_those_of_boards(LongNarrow::sized(7, 9));
    keys_of_children_are_those_of_boards(LongBroad::sized(12, 9));
}
