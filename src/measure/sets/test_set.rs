//! Test sets: positions with their exact scores, one a line, `moves score`.
//!
//! The name of a set is one of these:
//!
//! - a shipped set: `end-easy`; `empty-board`, which is one position; `fhourstones`, the four of that benchmark;
//! - `by-ply`, random play by the number of stones; `by-ply/23`, its positions with 23 stones;
//! - `7x7/end-easy`: a set of another board, here 7x7;
//! - `development/end-easy`: a shipped set for tuning solvers, so that the sets of published figures stay unseen;
//! - `original/end-easy`: an original file, once it is added ([`originals`]);
//! - the path of a file.

use crate::sets::draw::Draw;
use crate::sets::protocol::{Protocol, SETS};
use crate::sets::{by_board, by_ply, originals};
use crate::text::{read_file, sha256, unknown, without_mark};
use anyhow::{Context, Result, anyhow, bail, ensure};
use c4lab_solver::game::reading::Reader;
use c4lab_solver::game::score::Score;
use c4lab_solver::game::{BoardSize, Position};
use std::collections::{BTreeMap, HashSet};
use std::path::Path;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Item {
    /// The number of the line, from 1, which is the position's id within its set.
    pub line: usize,
    pub position: Position,
    pub score: Score,
}

#[derive(Clone, Debug)]
pub struct TestSet {
    /// The requested name; for a path, without the machine's folders.
    pub name: String,
    pub sha256: String,
    pub board: BoardSize,
    pub items: Vec<Item>,
    /// True if the set is shipped with the project, so that records may have its lines.
    pub shipped: bool,
}

/// Sets that are not of the protocol: only the empty board, and the positions of the benchmark Fhourstones.
static OTHERS: [(&str, &str); 2] = [
    ("empty-board", include_str!("../../../test-sets/empty-board.txt")),
    ("fhourstones", include_str!("../../../test-sets/fhourstones.txt")),
];

impl TestSet {
    /// The indices of all positions in random order, so that any first ones have their share of each number of stones.
    pub fn drawn(&self, seed: u64) -> Vec<usize> {
        const PLACES: u64 = 1 << 32;
        let mut strata: BTreeMap<u32, Vec<usize>> = BTreeMap::new();
        for (index, item) in self.items.iter().enumerate() {
            strata.entry(item.position.ply()).or_default().push(index);
        }
        let mut drawn = Vec::new();
        for (ply, mut items) in strata {
            let (mut draw, count) = (Draw::new(seed, &format!("sample {} {ply}", self.sha256)), items.len() as u64);
            draw.shuffle(&mut items);
            // The places of a stratum lie evenly in the whole, from a random one on.
            let first = draw.below(PLACES as usize) as u64;
            drawn.extend(
                items.into_iter().zip(0..).map(|(item, rank): (_, u64)| ((rank * PLACES + first) / count, item)),
            );
        }
        drawn.sort_unstable();
        drawn.into_iter().map(|(_, item)| item).collect()
    }

    /// Opens a set by name or path, on the board in its name; a file is of the standard board.
    pub fn open(name: &str) -> Result<Self> {
        Self::open_on(Self::named_board(name).unwrap_or(BoardSize::STANDARD), name)
    }

    /// The board in `name`, if it is not the standard board.
    pub fn named_board(name: &str) -> Option<BoardSize> {
        by_board::find(name).map(by_board::BoardSet::board)
    }

    /// Opens a set of `board` by name or path. A named set has one board.
    pub fn open_on(board: BoardSize, name: &str) -> Result<Self> {
        let (bytes, shipped) = read(name, board)?;
        let set = Self::parse_on(board, name, &bytes, shipped)?;
        Ok(TestSet { name: shown_path(name), ..set })
    }

    /// Opens the sets `names`, in order of first mention. Fails if two names give one set.
    pub fn open_all<'a>(board: BoardSize, names: impl Iterator<Item = &'a String>) -> Result<Vec<Self>> {
        let (mut sets, mut opened): (Vec<TestSet>, HashSet<&String>) = Default::default();
        for name in names.filter(|name| opened.insert(name)) {
            let set = TestSet::open_on(board, name)?;
            if let Some(same) = sets.iter().find(|other| other.sha256 == set.sha256 || other.name == set.name) {
                bail!("the test sets {} and {} are the same, or have the same name", same.name, set.name);
            }
            sets.push(set);
        }
        Ok(sets)
    }

    /// Reads a set of the standard board; an error names the line and the reason.
    pub fn parse(name: &str, bytes: &[u8], shipped: bool) -> Result<Self> {
        Self::parse_on(BoardSize::STANDARD, name, bytes, shipped)
    }

    fn parse_on(board: BoardSize, name: &str, bytes: &[u8], shipped: bool) -> Result<Self> {
        let mut items = Vec::new();
        for (index, line) in bytes.split(|&byte| byte == b'\n').enumerate() {
            let parsed = parse_line(board, line).map_err(|reason| anyhow!("{name}, line {}: {reason}", index + 1))?;
            items.extend(parsed.map(|(position, score)| Item { line: index + 1, position, score }));
        }
        ensure!(!items.is_empty(), "{name}: no position in it");
        Ok(TestSet { name: name.to_string(), sha256: sha256(bytes), board, items, shipped })
    }

    /// The boards of the set, up to mirror.
    pub fn boards(&self) -> HashSet<(u128, u128)> {
        self.items.iter().map(|item| item.position.up_to_mirror()).collect()
    }
}

/// The name of a file without folders, `.gz` and `.txt`.
pub(crate) fn stem(name: &str) -> &str {
    let name = name.strip_suffix(".gz").unwrap_or(name);
    Path::new(name).file_stem().and_then(|stem| stem.to_str()).unwrap_or(name)
}

/// The protocol of a set, found by its name, its file's name or its digest.
pub(crate) fn protocol(name: &str, sha256: &str) -> Option<&'static Protocol> {
    Protocol::find(stem(name)).or_else(|| SETS.iter().find(|set| set.original_sha256 == sha256))
}

/// The lines of a set by name or path, and true if it is shipped. A named set has one board; a file may have any.
pub(crate) fn read(name: &str, board: BoardSize) -> Result<(Vec<u8>, bool)> {
    // Every row has the name, and a row is one line.
    let is_odd = name.contains(['\n', '\r', char::REPLACEMENT_CHARACTER]);
    ensure!(!is_odd, "{name:?}: a name with a line end, or with bytes that are no text, cannot be in a row");
    let own = by_board::find(name).map_or(BoardSize::STANDARD, by_board::BoardSet::board);
    if let Some(bytes) = shipped_lines(name)? {
        ensure!(own == board, "{name}: a set of {own}, not of {board}");
        return Ok((bytes, true));
    }
    if let Some(original) = name.strip_prefix("original/") {
        ensure!(own == board, "{name}: a set of {own}, not of {board}");
        let set = Protocol::find(original);
        let set = set.ok_or_else(|| unknown_set(name, "original set", original))?;
        return Ok((originals::read(set).with_context(|| name.to_string())?, false));
    }
    if !Path::new(name).exists() {
        let names = SETS.iter().map(|set| set.name).chain(by_board::ALL.iter().map(|set| set.name));
        bail!("{name}: {}", unknown("test set or file", name, names));
    }
    let bytes = read_file(Path::new(name)).map_err(|error| anyhow!("{name}: {error}"))?;
    Ok((bytes, false))
}

fn shipped_lines(name: &str) -> Result<Option<Vec<u8>>> {
    if let Some(set) = by_board::find(name) {
        return Ok(Some(set.lines()));
    }
    if let Some(development) = name.strip_prefix("development/") {
        let set = SETS.iter().find(|set| set.name == development);
        let set = set.ok_or_else(|| unknown_set(name, "development set", development))?;
        return Ok(Some(set.development.into()));
    }
    let of_protocol = SETS.iter().map(|set| (set.name, set.shipped));
    let named = of_protocol.chain(OTHERS).find(|(own, _)| *own == name).map(|(_, text)| text.into());
    Ok(named.or_else(|| by_ply::lines(name).map(String::into_bytes)))
}

fn unknown_set(name: &str, what: &str, wanted: &str) -> anyhow::Error {
    anyhow!("{name}: {}", unknown(what, wanted, SETS.iter().map(|set| set.name)))
}

/// A path as rows and manifests show it. An absolute path becomes relative to the working directory, or its last part.
pub fn shown_path(path: &str) -> String {
    let whole = Path::new(path);
    if !whole.is_absolute() {
        return path.to_string();
    }
    let here = std::env::current_dir().unwrap_or_default();
    let kept = whole.strip_prefix(&here).ok().or_else(|| whole.file_name().map(Path::new));
    kept.map_or_else(|| path.to_string(), |kept| kept.display().to_string())
}

const UNSCORED: &str = "no score after the moves (`c4lab solve <FILE` finds scores)";

/// The position and score of `line`; `None` for a blank line.
pub(crate) fn parse_line(board: BoardSize, line: &[u8]) -> Result<Option<(Position, Score)>, String> {
    let Some((position, score)) = parse_position(&Reader::on(board), line)? else { return Ok(None) };
    Ok(Some((position, score.ok_or(UNSCORED)?)))
}

/// The position in a line of text, and the score behind it, if there is one; `None` for a blank line. Several lines are
/// a drawing; on one line, a slash ends a row. Single columns with blanks or commas between them are moves: `4 4 5`, but `4 5` is a move and a score.
pub fn parse_position(reader: &Reader, line: &[u8]) -> Result<Option<(Position, Option<Score>)>, String> {
    let text = std::str::from_utf8(without_mark(line)).map_err(|_| "not text")?.trim_ascii();
    let words: Vec<&str> = text.split_ascii_whitespace().collect();
    let is_column = |word: &&str| word.trim_end_matches(',').len() == 1;
    let are_columns = words.iter().all(is_column) && (words.len() > 2 || words.first().is_some_and(|it| it.len() == 2));
    match words[..] {
        [] => Ok(None),
        _ if are_columns || text.contains('\n') => Ok(Some((reader.read(text)?, None))),
        [moves] => Ok(Some((reader.read(moves)?, None))),
        [moves, score] => Ok(Some((reader.read(moves)?, Some(score_of(reader.size, score)?)))),
        [_, _, ref surplus @ ..] => Err(format!("{:?} after the score", short(&surplus.join(" ")))),
    }
}

fn short(text: &str) -> String {
    text.chars().take(20).collect()
}

/// Parses a score of `board`; the error is the reason why `text` is not one.
pub fn score_of(board: BoardSize, text: &str) -> Result<Score, String> {
    let score: Score = text.parse().map_err(|_| format!("{:?} is not a score", short(text)))?;
    // Nobody wins before the seventh stone.
    let most = board.win_at(6);
    if !(-most..=most).contains(&score) {
        return Err(format!("{score} is not a score of this board (-{most} to {most})"));
    }
    Ok(score)
}

pub fn print_moves(position: &Position) -> String {
    if position.ply() == 0 { "-".to_string() } else { position.to_string() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sets::protocol::SHIPPED_COUNT;

    fn error(bytes: &[u8]) -> String {
        TestSet::parse("set.txt", bytes, false).expect_err("a bad set").to_string()
    }

    #[test]
    fn line_ends_and_blank_lines_do_not_matter() {
        for text in ["44 1\n4433 -2\n", "44 1\r\n4433 -2\r\n", "44 1\n4433 -2", "44\t1\n\n4433  -2 \n\n"] {
            let set = TestSet::parse("x", text.as_bytes(), false).unwrap();
            assert_eq!(set.items.len(), 2, "{text:?}");
            assert_eq!((set.items[1].position.to_string(), set.items[1].score), ("4433".to_string(), -2));
        }
        let set = TestSet::parse("x", b"- 1\n......./......./......./......./...O.../...X... 1", false).unwrap();
        assert_eq!(set.items[0].position.ply(), 0);
        assert_eq!(set.items[1].position.to_string(), "44");
    }

    #[test]
    fn errors_name_file_line_and_reason() {
        assert_eq!(error(b""), "set.txt: no position in it");
        assert_eq!(error(b"\n \n"), "set.txt: no position in it");
        assert_eq!(error(b"44 1\n44\n"), format!("set.txt, line 2: {UNSCORED}"));
        assert_eq!(error(b"44 1 5\n"), "set.txt, line 1: \"5\" after the score");
        assert_eq!(error(b"44 1\n48 1\n"), "set.txt, line 2: ply 2: '8' is not a column (1 to 7)");
        assert_eq!(error(b"4444444 1"), "set.txt, line 1: ply 7: column 4 is full");
        assert_eq!(error(b"44 one"), "set.txt, line 1: \"one\" is not a score");
        assert_eq!(error(b"44 19"), "set.txt, line 1: 19 is not a score of this board (-18 to 18)");
        assert_eq!(error(b"44 -2147483648"), "set.txt, line 1: -2147483648 is not a score of this board (-18 to 18)");
        assert_eq!(error(b"44 99999999999999999999"), "set.txt, line 1: \"99999999999999999999\" is not a score");
        assert_eq!(error(b"44 1\n\xff\xfe\x00\n"), "set.txt, line 2: not text");
        assert!(error(&vec![0; 100_000]).starts_with("set.txt, line 1: "));
        assert!(error(&b"1".repeat(1_000_000)).len() < 100);
    }

    #[test]
    fn what_is_in_no_set_of_the_protocol_has_a_set_of_its_own() {
        let empty = TestSet::open("empty-board").unwrap();
        assert_eq!((empty.items.len(), empty.shipped), (1, true));
        assert_eq!((empty.items[0].position.ply(), empty.items[0].score), (0, 1));
        let set = TestSet::open("fhourstones").unwrap();
        assert!(set.shipped && include_str!("../../../test-sets/README.md").contains(&set.sha256));
        let of = |item: &Item| (print_moves(&item.position), item.score);
        let items: Vec<(String, i32)> = set.items.iter().map(of).collect();
        let known = [("45461667", 11), ("35333571", -3), ("13333111", 0), ("-", 1)];
        assert_eq!(items, known.map(|(moves, score)| (moves.to_string(), score)));
    }

    #[test]
    fn embedded_sets_are_the_recorded_ones_and_development_sets_are_unseen() {
        let readme = include_str!("../../../test-sets/README.md");
        for set in &SETS {
            let open = |name: &str, sha256: &str, count: usize| {
                let set = TestSet::open(name).unwrap();
                assert_eq!((set.name.as_str(), set.sha256.as_str(), set.items.len()), (name, sha256, count));
                assert!(set.shipped && readme.contains(sha256), "{name}");
                set.boards()
            };
            let shipped = open(set.name, set.shipped_sha256, SHIPPED_COUNT);
            let count = if set.name == "begin-hard" { 20 } else { 100 };
            let development = open(&format!("development/{}", set.name), set.development_sha256, count);
            assert!(development.is_disjoint(&shipped), "a development set has a position of {}", set.name);
        }
    }

    #[test]
    fn a_name_of_two_lines_is_refused() {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("two\nlines.txt");
        std::fs::write(&path, "44 1\n").unwrap();
        let error = TestSet::open(path.to_str().unwrap()).unwrap_err().to_string();
        assert!(error.contains("two\\nlines.txt\": "), "{error}");
    }
}
