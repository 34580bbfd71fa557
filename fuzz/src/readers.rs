//! Properties of readers for any bytes: it reads them, or gives an error with its place. A value that was read can
//! be written, and is read again unchanged.

use c4lab_measure::attribution::{Attribution, MOST_TECHNIQUES};
use c4lab_measure::files::manifest::digest;
use c4lab_measure::plan::experiment::Experiment;
use c4lab_measure::sets::test_set::{TestSet, print_moves};
use c4lab_report::claims::claim::{self, Claim, Kind};
use c4lab_solver::game::any_board::{Broad, Narrow};
use c4lab_solver::game::notation::Reason;
use c4lab_solver::game::reading::Reader;
use c4lab_solver::game::{BoardSize, Geometry, Position, Standard};
use c4lab_solver::search::Spec;
use c4lab_solver::search::registry::PONS_12;
use std::collections::HashSet;
use std::fmt::Display;
use toml::de::DeTable;

/// Moves: they are printed as they were read, and an error names the first move that cannot be played.
pub fn notation(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    moves_on(Standard::NEW, text);
    moves_on(Narrow::sized(4, 4), text);
    moves_on(Broad::sized(9, 6), text);
    for reader in [Reader::on(BoardSize::STANDARD), Reader::on(BoardSize::new(12, 4).expect("a board")).spaced()] {
        match reader.read(text) {
            Ok(position) => assert_eq!(Reader::on(reader.size).read(&print_moves(&position)), Ok(position)),
            Err(reason) => assert!(!reason.is_empty()),
        }
    }
}

fn moves_on<G: Geometry>(g: G, text: &str) {
    let error = match Position::parse_on(g.size(), text) {
        Ok(position) => return whole(g, &position, text),
        Err(error) => error,
    };
    let before: String = text.chars().take(error.ply - 1).collect();
    let position =
        Position::parse_on(g.size(), &before).unwrap_or_else(|_| panic!("{text:?}: not the first bad move: {error}"));
    let bad = text.chars().nth(error.ply - 1).unwrap_or_else(|| panic!("{text:?}: no such move: {error}"));
    let is_column = ('1'..).take(g.width() as usize).any(|digit| digit == bad);
    match error.reason {
        Reason::NotAColumn(named, width) => {
            assert!(!is_column && (named, width) == (bad, g.width()), "{text:?}: {error}")
        }
        Reason::ColumnFull(column) => {
            let stones = before.chars().filter(|&digit| digit == bad).count();
            assert!(
                is_column && stones == g.height() as usize && bad.to_digit(10) == Some(column),
                "{text:?}: {error}"
            );
        }
        Reason::GameWon => assert!(is_column && position.is_won(), "{text:?}: {error}"),
    }
}

/// Checks a position by the text that it was read from.
fn whole<G: Geometry>(g: G, position: &Position, text: &str) {
    assert_eq!(position.to_string(), text);
    assert_eq!((position.ply() as usize, position.board(g).ply()), (text.len(), position.ply()));
    assert_eq!(position.mirror().mirror(), *position);
    assert_eq!(position.mirror().board(g), position.board(g).mirror());
    assert_eq!(position.diagram(), position.board(g).to_string());
}

/// Test sets: positions and scores are printed and read back, both kinds of line ends are read, and errors name a line.
pub fn test_set(bytes: &[u8]) {
    let set = match TestSet::parse(FILE, bytes, false) {
        Ok(set) => set,
        Err(error) => {
            let message = error.to_string();
            assert_eq!(complaint(&message, bytes).is_none(), message.ends_with(": no position in it"));
            return assert!(message.chars().count() < 200, "a long message: {message:?}");
        }
    };
    assert!(set.items.is_sorted_by(|one, other| one.line < other.line));
    assert!(set.items.iter().all(|item| item.score.abs() <= 18));
    assert!((1..=set.items.len()).contains(&set.boards().len()));
    let lines = |set: &TestSet| -> Vec<(Position, i32)> {
        set.items.iter().map(|item| (item.position.clone(), item.score)).collect()
    };
    let printed: String =
        set.items.iter().map(|item| format!("{} {}\n", print_moves(&item.position), item.score)).collect();
    let again = TestSet::parse(FILE, printed.as_bytes(), false).expect("what was printed is a set");
    assert_eq!(lines(&again), lines(&set));
    let lines: Vec<&[u8]> = bytes.split(|&byte| byte == b'\n').collect();
    let other_ends = TestSet::parse(FILE, &lines.join(&b"\r\n"[..]), false).expect("the same lines");
    assert_eq!(other_ends.items, set.items);
}

/// Experiments: they are written as they were read, their settings are valid, and errors about TOML name a line.
pub fn experiment(bytes: &[u8]) {
    let Some(experiment) = from_toml(bytes, Experiment::parse) else { return };
    let written = toml::to_string(&experiment).expect("an experiment is TOML");
    let again = Experiment::parse(FILE, &written).unwrap_or_else(|error| panic!("{error:#}: {written}"));
    assert_eq!(again, experiment);
    assert_eq!(digest(&again).expect("a digest"), digest(&experiment).expect("a digest"));
    let variants = experiment.variants().expect("variants were looked at");
    assert!(!experiment.names().is_empty() && experiment.names().len() >= variants.len());
    experiment.options().expect("options were looked at");
    experiment.time().expect("the time was looked at");
    let mut narrowed = experiment.clone();
    narrowed.choose(Some(&experiment.order()[..1]), None, None).expect("it has its own first variant");
    narrowed.validate().expect("a part of what is valid");
}

/// What `parse` reads of a text. Checks an error about it, which names a line if the text is no TOML.
fn from_toml<T, E: Display>(bytes: &[u8], parse: impl Fn(&str, &str) -> Result<T, E>) -> Option<T> {
    let text = std::str::from_utf8(bytes).ok()?;
    let error = match parse(FILE, text) {
        Ok(read) => return Some(read),
        Err(error) => message(error),
    };
    let line = complaint(&error, bytes);
    assert!(line.is_some() || DeTable::parse(text).is_ok(), "no line: {error:?}");
    None
}

/// Attributions: they are written as they were read, and every combination of techniques is a variant.
pub fn attribution(bytes: &[u8]) {
    let Some(attribution) = from_toml(bytes, Attribution::parse) else { return };
    let written = toml::to_string(&attribution).expect("an attribution is TOML");
    let again = Attribution::parse(FILE, &written).unwrap_or_else(|error| panic!("{error:#}: {written}"));
    assert_eq!(again, attribution);
    let specs = attribution.combinations().expect("combinations were looked at");
    let count = attribution.techniques.len();
    assert!((1..=MOST_TECHNIQUES).contains(&count) && specs.len() == 1 << count);
    for (on, spec) in specs.iter().enumerate() {
        assert_eq!(spec.validate(), Ok(()));
        assert_eq!(Spec::parse(&spec.to_string(), PONS_12), Ok(*spec));
        assert_eq!(attribution.digits(on).bytes().filter(|&digit| digit == b'1').count(), attribution.on(on).count());
    }
    attribution.options().expect("options were looked at");
}

/// Claims: every claim has its own id, a statement, a source, and a range that is not empty.
pub fn claims(bytes: &[u8]) {
    let Some(claims) = from_toml(bytes, claim::parse) else { return };
    assert!(!claims.is_empty());
    let ids: HashSet<&str> = claims.iter().map(|claim| claim.id.as_str()).collect();
    assert_eq!(ids.len(), claims.len());
    claims.iter().for_each(claim_holds);
    let first = std::slice::from_ref(&claims[0].id);
    let chosen = claim::choose(claims.clone(), first).expect("it has its own first claim");
    assert!(chosen.contains(&claims[0]));
    assert_eq!(from_toml(bytes, claim::parse).as_ref(), Some(&claims), "the same again");
}

fn claim_holds(claim: &Claim) {
    let (low, high) = claim.published.range;
    assert!(low <= high && !claim.published.shown.is_empty(), "{claim:?}");
    let is_extra = matches!(claim.kind, Kind::Extra(_));
    assert!(is_extra || !claim.published.cannot_fail(), "{claim:?}");
    assert!(is_extra || !claim.statement.trim().is_empty(), "{claim:?}");
    assert!(claim.published.digits.is_none_or(|(low, high)| low <= high), "{claim:?}");
    assert!(!claim.variant.contains('\0'), "{claim:?}");
    assert_eq!(claim.kind.is_of_samples(), claim.set.is_some(), "{claim:?}");
    assert!(!claim.kind.is_ratio() || claim.base.is_some(), "{claim:?}");
}

fn message(error: impl Display) -> String {
    format!("{error:#}")
}

const FILE: &str = "fuzzed.file";

/// Checks the message of an error about bytes of [`FILE`], and returns the line that it names.
fn complaint(message: &str, bytes: &[u8]) -> Option<usize> {
    let rest = message.strip_prefix(FILE).unwrap_or_else(|| panic!("no file: {message:?}"));
    let (line, reason) = match rest.strip_prefix(", line ") {
        Some(rest) => {
            let (line, reason) = rest.split_once(": ").unwrap_or_else(|| panic!("no reason: {message:?}"));
            (Some(line.parse().unwrap_or_else(|_| panic!("no line: {message:?}"))), reason)
        }
        None => (None, rest.strip_prefix(": ").unwrap_or_else(|| panic!("no reason: {message:?}"))),
    };
    assert!(!reason.trim().is_empty(), "no reason: {message:?}");
    let lines = 1 + bytes.iter().filter(|&&byte| byte == b'\n').count();
    assert!(line.is_none_or(|line| (1..=lines).contains(&line)), "{lines} lines: {message:?}");
    line
}
