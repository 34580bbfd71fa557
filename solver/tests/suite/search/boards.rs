//! Every board: the searches compiled for it, on random positions near the end.

use crate::support::draw::Draw;
use crate::support::positions;
use c4lab_solver::game::{BoardSize, Position};
use c4lab_solver::search::oracle::Oracle;
use c4lab_solver::search::registry::{PONS_12, boards, build, compiled_on, find, is_searched};
use c4lab_solver::search::{Goal, Limits, Options, Solve, analysis};

fn size(text: &str) -> BoardSize {
    text.parse().expect("a size")
}

/// True if slots of 16 bytes tell the keys of a board apart. A dozen boards have more bits.
fn has_small_tables(board: BoardSize) -> bool {
    board.bits() <= 112
}

/// Solvers of the variants that are compiled for `board`, with small tables.
fn compiled(board: BoardSize) -> Vec<Box<dyn Solve>> {
    // The champion's slots tell keys of 64 bits apart in this size, and keys of 56 bits in half of it.
    let options = Options { board, ..Options::with_tt(16 << 20) };
    // Of the variants of the standard board, the two that other boards have.
    let entries = compiled_on(board)
        .filter(|entry| board != BoardSize::STANDARD || ["champion", "pons-12"].contains(&entry.name));
    entries.map(|entry| entry.build(&options).expect("a table")).collect()
}

/// The oracle of one of these boards, which are all boards that some build has searches for.
macro_rules! oracle_of {
    ($board:ident: $( $width:literal x [$( $height:literal ),*], )+) => {{
        let mut found: Option<Box<dyn FnMut(&Position) -> i32>> = None;
        $( $( if ($board.width(), $board.height()) == ($width, $height) {
            let mut oracle = Oracle::<$width, $height>::default();
            found = Some(Box::new(move |position| oracle.score(position.columns())));
        } )* )+
        found
    }};
}

/// The score of a position by the oracle.
type OracleScore = Box<dyn FnMut(&Position) -> i32>;

/// The oracle of a board, if it is compiled here.
fn oracle(board: BoardSize) -> Option<OracleScore> {
    oracle_of!(board:
        4 x [4, 5, 6, 7, 8, 9, 10, 11, 12, 13],
        5 x [4, 5, 6, 7, 8, 9, 10, 11, 12, 13],
        6 x [4, 5, 6, 7, 8, 9, 10, 11, 12],
        7 x [4, 5, 6, 7, 8, 9, 10],
        8 x [4, 5, 6, 7, 8, 9],
        9 x [4, 5, 6, 7, 8],
        10 x [4, 5, 6, 7],
        11 x [4, 5, 6],
        12 x [4, 5],
    )
}

/// Positions with this many empty squares or fewer go to the oracle too.
const FEW_EMPTY: u32 = 9;

/// `count` random positions of a board, with up to `most_empty` empty squares, get equal scores from the champion and
/// the variant of pons-12 compiled for it, and the sign of that score under the weak goal. Returns the number of
/// positions that the oracle confirmed: those with few empty squares.
fn compiled_agree(board: BoardSize, count: usize, most_empty: u32) -> usize {
    let (mut solvers, mut oracle, mut judged) = (compiled(board), oracle(board), 0);
    assert!(solvers.len() > 1, "{board}");
    let mut draw = Draw::new(23, "compiled boards");
    let mut seen = [0; 3];
    for index in 0..count {
        let empty = index as u32 % most_empty.min(board.cells());
        let position = positions::random(board, &mut draw, board.cells() - empty);
        let mut scores = Vec::new();
        for solver in &mut solvers {
            solver.reset();
            let mut score = |goal| solver.solve(&position, goal, &Limits::default()).expect("no limit").score;
            let (strong, weak) = (score(Goal::Strong), score(Goal::Weak));
            assert_eq!(weak, strong.signum(), "{board}: {position}");
            scores.push(strong);
        }
        if let Some(oracle) = oracle.as_mut().filter(|_| empty <= FEW_EMPTY) {
            scores.push(oracle(&position));
            judged += 1;
        }
        assert!(scores.iter().all(|&score| score == scores[0]), "{board}: {position}: {scores:?}");
        seen[(scores[0].signum() + 1) as usize] += 1;
    }
    assert!(seen.iter().all(|&count| count > 0), "{board}: losses, draws and wins {seen:?}");
    judged
}

#[test]
fn compiled_searches_agree_on_every_board() {
    for board in boards().into_iter().filter(|&board| has_small_tables(board)) {
        compiled_agree(board, 36, 12);
    }
}

/// Fifty thousand positions over all boards, the standard one included. Run with `--release` for a record.
#[test]
#[ignore = "minutes"]
fn by_hand_compiled_searches_agree_on_fifty_thousand_positions() {
    let boards: Vec<BoardSize> = boards().into_iter().filter(|&board| has_small_tables(board)).collect();
    let (each, mut all) = (50_000 / boards.len() + 1, [0; 2]);
    for &board in &boards {
        let judged = compiled_agree(board, each, 20);
        println!("{board}: {each} positions agree, {judged} of them with the oracle too");
        all = [all[0] + each, all[1] + judged];
    }
    println!("{} boards: {} positions agree, {} of them with the oracle too", boards.len(), all[0], all[1]);
}

/// A variant that is compiled for a board takes the nodes of its dynamic variant.
#[test]
fn compiled_searches_take_the_nodes_of_their_choice() {
    for board in ["4x4", "6x5", "8x6", "7x7", "8x7"].map(size) {
        let options = Options { board, ..Options::with_tt(64 << 20) };
        for entry in compiled_on(board) {
            let mut solvers = [entry.build(&options), build(entry.spec, &options)].map(|built| built.expect("a table"));
            let mut draw = Draw::new(29, "nodes");
            for _ in 0..12 {
                let position = positions::random(board, &mut draw, board.cells().saturating_sub(18));
                let [one, other] = &mut solvers;
                one.reset();
                other.reset();
                let solve = |solver: &mut Box<dyn Solve>| solver.solve(&position, Goal::Strong, &Limits::default());
                assert_eq!(solve(one), solve(other), "{board}: {}: {position}", entry.name);
            }
        }
    }
}

/// The score of every column, also of full ones and after a win.
#[test]
fn columns_have_the_scores_of_the_oracle() {
    let board = size("5x5");
    let (mut solvers, mut oracle) = (compiled(board), Oracle::<5, 5>::default());
    for (case, goal) in positions::cases::<5, 5>(11..=25, 3).iter().flat_map(|case| Goal::ALL.map(|goal| (case, goal)))
    {
        let mut expected = Vec::new();
        for column in 0..board.width() {
            let mut child = case.position.clone();
            let is_played = child.play(column).is_ok();
            expected.push(is_played.then(|| goal.of(-oracle.score(child.columns()))));
        }
        for solver in &mut solvers {
            let found = analysis::columns(&mut **solver, &case.position, goal, &Limits::default());
            assert_eq!(found.as_ref(), Ok(&expected), "{}, {}", case.position, goal.name());
        }
    }
}

/// A choice that is not compiled for a board is refused, with a list of those that are; so is a board without any
/// search.
#[test]
fn what_is_not_compiled_is_refused() {
    let refused = |board: &str, spec| {
        build(spec, &Options { board: size(board), ..Options::default() }).map(|_| ()).expect_err("refused").to_string()
    };
    assert_eq!(
        refused("9x6", PONS_12),
        "no search of this choice was built for 9x6: there are pons-12-table-wide and champion"
    );
    for board in ["3x3", "3x8", "4x3", "4x30", "4x31"] {
        assert!(!is_searched(size(board)), "{board}");
        assert!(refused(board, PONS_12).starts_with(&format!("no search was built for {board}: ")), "{board}");
    }
}

/// The keys of the largest boards need a table with many places; the message gives its size.
#[test]
fn the_largest_boards_need_large_tables() {
    let build = |board, tt| {
        let champion = find("champion").expect("a variant");
        champion.build(&Options { board: size(board), ..Options::with_tt(tt) }).map(|solver| solver.board_size())
    };
    assert_eq!(build("9x11", 64 << 20), Ok(size("9x11")));
    let refused = build("12x9", 64 << 20).expect_err("120 bits").to_string();
    assert!(refused.ends_with("at least 536870912 bytes"), "{refused}");
}
