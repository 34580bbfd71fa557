use super::*;
use crate::game::AnyBoard;
use crate::game::any_board::Narrow;

fn four() -> AnyBoard {
    Narrow::sized(4, 6)
}

/// The race of `drawing`, the sixth row first: `x` is a stone of the mover's, `o` of the opponent's, all else is empty.
fn race(drawing: [&'static str; 6], threats: u64, wins: u64) -> Race<u64> {
    let (mut mover, mut stones) = (0, 0);
    for (square, cell) in cells(drawing) {
        mover |= if cell == "x" { square } else { 0 };
        stones |= if cell == "x" || cell == "o" { square } else { 0 };
    }
    Race::of(Sides { g: four(), mover, opponent: stones & !mover, threats }, wins)
}

fn cells(drawing: [&'static str; 6]) -> impl Iterator<Item = (u64, &'static str)> {
    drawing.into_iter().rev().enumerate().flat_map(|(row, line)| {
        let cells = line.split_whitespace().enumerate();
        cells.map(move |(column, cell)| (1 << (column as u32 * 7 + row as u32), cell))
    })
}

fn at(drawing: [&'static str; 6], wanted: &str) -> u64 {
    cells(drawing).filter(|(_, cell)| *cell == wanted).map(|(square, _)| square).sum()
}

#[test]
fn answers_above_leave_every_other_square() {
    let drawing = [
        ".  2  .  .", //
        "3  .  3  2",
        ".  1  .  .",
        "2  o  2  1",
        ".  x  .  x",
        "1  o  1  o",
    ];
    let race = race(drawing, 0, 0);
    assert_eq!(race.answered::<_, 1>(four()), [0, at(drawing, "1")]);
    assert_eq!(race.answered::<_, 2>(four()), [at(drawing, "1"), at(drawing, "2")]);
    assert_eq!(race.answered::<_, 3>(four()), [at(drawing, "1") | at(drawing, "2"), at(drawing, "3")]);
    assert_eq!(race.answered::<_, 4>(four()), [at(drawing, "1") | at(drawing, "2") | at(drawing, "3"), 0]);
}

#[test]
fn nobody_gets_past_an_answer_that_wins() {
    let drawing = [
        ".  2  .  .", //
        ".  .  3  2",
        "!  1  .  .",
        "2  o  2  1",
        ".  x  .  x",
        "1  o  1  o",
    ];
    let [before, last] = race(drawing, at(drawing, "!"), 0).answered::<_, 4>(four());
    assert_eq!((before, last), (at(drawing, "1") | at(drawing, "2") | at(drawing, "3"), 0));
}

/// Three columns have an odd number of empty squares. The first is the longest and has no pair: when it runs out, the
/// opponent plays in the last column. The second and the third are a pair.
#[test]
fn columns_that_run_out_stand_in_pairs() {
    let drawing = [
        ".  .  .  .", //
        ".  x  2  .",
        ".  o  .  4",
        "a  x  x  .",
        ".  o  o  o",
        "x  o  x  x",
    ];
    let race = race(drawing, 0, 0);
    assert_eq!(race.gained::<_, 1, true>(four()), (0, 0), "no column runs out before the last stone");
    assert_eq!(
        race.gained::<_, 2, true>(four()),
        (at(drawing, "a"), 0),
        "two are too long, and the first of them is taken"
    );
    assert_eq!(race.gained::<_, 3, true>(four()), (at(drawing, "2"), 0));
    assert_eq!(race.gained::<_, 4, true>(four()), (at(drawing, "2") | at(drawing, "4"), 0));
}

#[test]
fn a_pair_is_chosen_where_no_second_square_wins() {
    let drawing = [
        ".  .  .  .", //
        ".  x  b  .",
        ".  o  .  .",
        "a  x  x  .",
        ".  o  o  o",
        "x  o  x  x",
    ];
    let gained = |wins| race(drawing, 0, wins).gained::<_, 2, true>(four());
    assert_eq!(gained(at(drawing, "a")), (at(drawing, "b"), 0));
    assert_eq!(gained(at(drawing, "a") | at(drawing, "b")), (at(drawing, "a"), 0), "both do");
}

/// The first column is the only one with an odd number of empty squares. Two stones fill it.
#[test]
fn the_odd_one_needs_a_column_to_answer_in() {
    let long = [
        ".  o  x  4", //
        ".  x  o  .",
        ".  o  x  3",
        "x  x  o  .",
        "o  o  x  o",
        "x  o  o  x",
    ];
    let race_of = |drawing| race(drawing, 0, 0);
    assert_eq!(race_of(long).gained::<_, 2, true>(four()), (0, 0), "it runs out with the last stone");
    assert_eq!(race_of(long).gained::<_, 3, true>(four()), (at(long, "3"), 0));
    assert_eq!(race_of(long).gained::<_, 4, true>(four()), (at(long, "3") | at(long, "4"), 0));
    let short = [
        ".  o  x  3", //
        ".  x  o  .",
        ".  o  x  o",
        "x  x  o  x",
        "o  o  x  o",
        "x  o  o  x",
    ];
    assert_eq!(race_of(short).gained::<_, 3, true>(four()), (at(short, "3"), 0));
    assert_ne!(
        race_of(short).gained::<_, 4, true>(four()).1,
        0,
        "the fourth stone is played after both columns are full"
    );
}

/// One stone fills the first column. The opponent opens a long enough column, or a shorter one and then another.
#[test]
fn a_shorter_column_is_opened_before_another() {
    let long = [
        ".  x  a  3", //
        "x  o  .  .",
        "o  x  o  2",
        "x  o  x  .",
        "o  x  o  x",
        "x  o  x  o",
    ];
    let gained = |left: u32| {
        let race = race(long, 0, 0);
        match left {
            2 => race.gained::<_, 2, true>(four()),
            3 => race.gained::<_, 3, true>(four()),
            _ => race.gained::<_, 4, true>(four()),
        }
    };
    let [two, three, last] = ["2", "3", "a"].map(|cell| at(long, cell));
    assert_eq!(gained(2), (last, 0), "the first of two that are long enough");
    assert_eq!(gained(3), (two | three, 0), "the fourth column alone is long enough");
    assert_eq!(
        gained(4),
        (two | three | last, 0),
        "three stones fill the first and the fourth; then the third is opened"
    );
    let short = [
        ".  x  2  3", //
        "x  o  .  .",
        "o  x  o  x",
        "x  o  x  o",
        "o  x  o  x",
        "x  o  x  o",
    ];
    let race = race(short, 0, 0);
    assert_eq!(race.gained::<_, 3, true>(four()), (at(short, "2") | at(short, "3"), 0), "one after the other");
    assert_ne!(race.gained::<_, 4, true>(four()).1, 0, "all are full before the fourth stone");
}

#[test]
fn a_full_horizon_is_left_to_the_other_bounds() {
    let empty = Sides { g: four(), mover: 0, opponent: 0, threats: 0 };
    assert!(!too_late(empty, 0), "too many stones are left");
    assert!(too_late(empty, 9), "no line with three stones");
    assert!(!too_late(empty, 8), "the first row with four");
}
