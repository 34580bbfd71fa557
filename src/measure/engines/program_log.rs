//! Program log: the file in the folder of a measurement that a foreign program's stderr goes to, and how it ends.

use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

const READ: u64 = 4 << 10;
/// The most lines that are quoted, and the most characters of each.
const LINES: usize = 3;
const LONGEST: usize = 120;

/// Where it lies, below the folder: `engines/NAME.log`.
pub fn place(name: &str) -> PathBuf {
    PathBuf::from("engines").join(format!("{name}.log"))
}

/// Its last lines that say something, without characters that would harm a terminal; none where there is no log, as in
/// records.
pub fn last_lines(folder: &Path, name: &str) -> Vec<String> {
    let text = File::open(folder.join(place(name))).and_then(|mut file| {
        let length = file.metadata()?.len();
        file.seek(SeekFrom::Start(length.saturating_sub(READ)))?;
        let mut bytes = Vec::new();
        file.take(READ).read_to_end(&mut bytes)?;
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    });
    let text = text.unwrap_or_default();
    let mut lines: Vec<String> = text.lines().rev().map(plain).filter(|line| !line.is_empty()).take(LINES).collect();
    lines.reverse();
    lines
}

/// A line of a table: no control characters, and none that turn the direction of the text.
fn plain(line: &str) -> String {
    let turns = |c: char| matches!(c, '\u{200e}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    let line: String = line.chars().map(|c| if c.is_control() || turns(c) { ' ' } else { c }).collect();
    let line = line.trim();
    let rest = if line.chars().count() > LONGEST { "..." } else { "" };
    format!("{}{rest}", line.chars().take(LONGEST).collect::<String>())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_log_ends_with_a_few_lines_that_harm_no_terminal() {
        let folder = tempfile::tempdir().unwrap();
        assert!(last_lines(folder.path(), "mine").is_empty());
        let log = folder.path().join(place("mine"));
        std::fs::create_dir(log.parent().unwrap()).unwrap();
        let of = |text: &[u8]| {
            std::fs::write(&log, text).unwrap();
            last_lines(folder.path(), "mine")
        };
        assert_eq!(of(b"one\ntwo\n\nthree\r\nfour\n  \n"), ["two", "three", "four"]);
        assert_eq!(of("a\x1b[31mred\x07\u{202e}b\n\u{fffd}".as_bytes()), ["a [31mred  b", "\u{fffd}"]);
        assert_eq!(of(b"\xff"), ["\u{fffd}"]);
        let long = of(&b"x".repeat(100_000));
        assert!(long.len() == 1 && long[0].len() == LONGEST + 3 && long[0].ends_with("x..."), "{long:?}");
    }
}
