use super::*;
use crate::game::{Grid, Position, Standard};

type Small = Grid<6, 5, 6>;

/// More steps than any of these boards takes.
const ENOUGH: u32 = 1_000_000;

/// Positions that the rules prove, each by one that no other rule stands in for.
#[test]
fn no_rule_stands_in_for_another() {
    for (rule, moves) in [
        (Rule::Claimeven, "47467413"),
        (Rule::Baseinverse, "61256652"),
        (Rule::Vertical, "2527726571232613"),
        (Rule::Aftereven, "47467413"),
        (Rule::Lowinverse, "235754147565"),
        (Rule::Highinverse, "14645612725465"),
        (Rule::Baseclaim, "11335651656557"),
        (Rule::Before, "47467413"),
        (Rule::Specialbefore, "55156474"),
    ] {
        let board = Position::parse(moves).unwrap().board(Standard::NEW);
        let proves = |rules| stop_all_within(Standard::NEW, board.mover(), board.opponent(), rules, ENOUGH);
        assert!(proves(Rules::ALL), "{rule:?}, {moves}");
        assert!(!proves(Rules::ALL.without(rule)), "{rule:?}, {moves}");
    }
}

/// Boards that the mover wins, though a rule that is wrong in one place would prove that it completes no four: a baseclaim that did not take the
/// square that it claims (the first three), and a highinverse that stopped the vertical lines on top (the others).
#[test]
fn no_rule_proves_too_much() {
    for moves in [
        "32235666",
        "36744733",
        "13263266",
        "621234536376412345651631",
        "5511422463172631114356777566",
        "11236611567411657755427755274633",
    ] {
        let board = Position::parse(moves).unwrap().board(Standard::NEW);
        assert!(!stop_all_within(Standard::NEW, board.mover(), board.opponent(), Rules::ALL, ENOUGH), "{moves}");
    }
    // A highinverse that does not take the squares on top.
    let small = Position::parse_on(Small::SIZE, "344516655356161135").unwrap().board(Small::NEW);
    assert!(!stop_all_within(Small::NEW, small.mover(), small.opponent(), Rules::ALL, ENOUGH));
}

/// The lines of a drawn board that a choice of each rule stops are those of the module's text.
fn stopped(moves: &str, rule: Rule, line: [&str; 4]) -> bool {
    let board = Position::parse(moves).unwrap().board(Standard::NEW);
    let square = |name: &str| {
        let (column, row) = (name.as_bytes()[0] - b'a', name.as_bytes()[1] - b'1');
        1u64 << (u32::from(column) * Standard::STRIDE + u32::from(row))
    };
    let free = Standard::BOARD & !(board.mover() | board.opponent());
    let wanted = line.iter().fold(0, |set, name| set | square(name)) & free;
    let lines = Lines::of(Standard::NEW, board.mover(), free).unwrap();
    let bit =
        crate::game::word::EachSquare(wanted).fold(lines.all, |lines_of, square| lines_of & lines.through(square));
    assert_ne!(bit, 0, "{moves} has no line {line:?} of the mover's");
    let mut rules = Rules::ALL;
    for other in Rule::ALL.into_iter().filter(|&other| other != rule) {
        rules = rules.without(other);
    }
    let mut list = [Choice::NONE; MOST_CHOICES];
    let mut choices = Choices::new(Standard::NEW, &lines, rules, [free, board.playable()], &mut list);
    choices.add_simple(Standard::NEW);
    choices.add_columns(Standard::NEW);
    choices.add_sooner(Standard::NEW, board.opponent());
    choices.stopped & bit == bit
}

#[test]
fn each_rule_stops_the_lines_of_its_text() {
    assert!(stopped("", Rule::Claimeven, ["a2", "b2", "c2", "d2"]), "upper squares");
    assert!(!stopped("", Rule::Claimeven, ["a3", "b3", "c3", "d3"]), "no upper square");
    assert!(stopped("", Rule::Baseinverse, ["a1", "b1", "c1", "d1"]), "two that can be played in");
    assert!(!stopped("", Rule::Baseinverse, ["a1", "b2", "c3", "d4"]), "one of them alone");
    assert!(stopped("", Rule::Vertical, ["a1", "a2", "a3", "a4"]), "a2 and a3");
    assert!(!stopped("", Rule::Vertical, ["a1", "b1", "c1", "d1"]), "not in one column");
    // Two odd columns, a and b: the squares of their third row.
    assert!(stopped("12", Rule::Lowinverse, ["a3", "b3", "c3", "d3"]));
    assert!(!stopped("12", Rule::Lowinverse, ["a4", "b4", "c4", "d4"]), "upper rows");
    assert!(stopped("12", Rule::Highinverse, ["a4", "b4", "c4", "d4"]), "the squares on top");
    assert!(!stopped("12", Rule::Highinverse, ["a2", "b2", "c2", "d2"]), "both lower squares");
    // p is b1, b is a1 or c1 with s above it.
    assert!(stopped("", Rule::Baseclaim, ["a1", "b2", "c3", "d4"]), "a1 and b2");
    assert!(!stopped("", Rule::Baseclaim, ["a3", "b3", "c3", "d3"]), "nothing near the first row");
}
