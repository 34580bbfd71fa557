//! Lines of input, and the positions and scores in them.

use anyhow::{Context, Result};
use c4lab_measure::sets::test_set::parse_position;
use c4lab_measure::text::{harmless, without_mark};
use c4lab_solver::game::Position;
use c4lab_solver::game::reading::{Reader, is_row};
use c4lab_solver::game::score::Score;
use std::io::{self, BufRead, BufReader, Read};
use std::sync::mpsc::{Receiver, sync_channel};
use std::thread::Builder;

/// A line of input or an argument, with its number, from 1.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Line {
    pub(super) number: usize,
    pub(super) text: Vec<u8>,
}

/// The lines of an input that are not blank. Blank lines count in the numbers of lines. The rows of a drawing are one
/// line, with line ends in it.
pub(super) struct Lines<R> {
    input: R,
    reader: Reader,
    number: usize,
    /// The line behind rows that were too few for a board.
    ahead: Option<Vec<u8>>,
    /// True behind a drawing with a heading, where a line of scores may follow.
    is_behind: bool,
}

impl<R: BufRead> Lines<R> {
    pub(super) fn of(input: R, reader: Reader) -> Self {
        Lines { input, reader, number: 0, ahead: None, is_behind: false }
    }

    fn read(&mut self) -> io::Result<Option<Vec<u8>>> {
        self.number += 1;
        self.ahead.take().map_or_else(|| read_line(&mut self.input), |line| Ok(Some(line)))
    }

    /// Reads one line, or the rows of a drawing. A line that is passed over has no text.
    fn step(&mut self) -> io::Result<Option<Line>> {
        let Some(mut text) = self.read()? else { return Ok(None) };
        let mut words = words_of(&text);
        let is_scores = std::mem::take(&mut self.is_behind) && self.reader.are_scores(&words);
        if words.trim_ascii().is_empty() || words.starts_with('#') || is_scores {
            return Ok(Some(Line { number: self.number, text: Vec::new() }));
        }
        // A heading is one only above a row.
        let mut is_headed = false;
        if self.reader.is_heading(&words)
            && let Some(next) = self.read()?
        {
            is_headed = is_row(&words_of(&next));
            if is_headed {
                (text, words) = (next.clone(), words_of(&next));
            } else {
                self.ahead = Some(next);
                self.number -= 1;
            }
        }
        let number = self.number;
        let mut rows = 1;
        while is_row(&words) && rows < self.reader.size.height() {
            let Some(next) = self.read()? else { break };
            if !is_row(&words_of(&next)) {
                self.ahead = Some(next);
                self.number -= 1;
                break;
            }
            text.push(b'\n');
            text.extend(next);
            rows += 1;
        }
        self.is_behind = is_headed;
        Ok(Some(Line { number, text }))
    }
}

fn words_of(line: &[u8]) -> String {
    String::from_utf8_lossy(without_mark(line)).into_owned()
}

fn is_filled(line: &io::Result<Line>) -> bool {
    line.as_ref().map_or(true, |line| !line.text.is_empty())
}

impl<R: BufRead> Iterator for Lines<R> {
    type Item = io::Result<Line>;

    fn next(&mut self) -> Option<Self::Item> {
        std::iter::from_fn(|| self.step().transpose()).find(is_filled)
    }
}

/// The most lines of one message to the solving threads. To wake a thread for each line takes longer than to solve an
/// easy position.
const MOST_AT_ONCE: usize = 64;

/// The most messages that wait for a solving thread.
const MOST_WAITING: usize = 2;

/// The lines of stdin as they come, read by a thread of its own, so that a receiver can wait with a time limit. The
/// thread ends with the process.
pub(super) fn arriving(reader: Reader) -> Result<Receiver<Vec<io::Result<Line>>>> {
    let (sender, receiver) = sync_channel(MOST_WAITING);
    let read = move || {
        let mut input = Lines::of(BufReader::new(io::stdin().lock()), reader);
        loop {
            let mut lines = Vec::new();
            // Waits for the first line only.
            while lines.is_empty() || lines.len() < MOST_AT_ONCE && input.input.buffer().contains(&b'\n') {
                let Some(line) = input.step().transpose() else { break };
                lines.extend(Some(line).filter(is_filled));
            }
            let is_last = lines.last().is_none_or(Result::is_err);
            if sender.send(lines).is_err() || is_last {
                return;
            }
        }
    };
    Builder::new().name("input".to_string()).spawn(read).context("cannot start a thread that reads")?;
    Ok(receiver)
}

/// The most bytes of a line that are read. No position needs more.
const MOST: usize = 4096;

/// The next line without its end; `None` at the end of the input. Bytes beyond [`MOST`] are skipped.
fn read_line(input: &mut impl BufRead) -> io::Result<Option<Vec<u8>>> {
    let mut line = Vec::new();
    if input.by_ref().take(MOST as u64).read_until(b'\n', &mut line)? == 0 {
        return Ok(None);
    }
    if line.last() == Some(&b'\n') {
        line.pop();
    } else if line.len() == MOST {
        input.skip_until(b'\n')?;
    }
    Ok(Some(line))
}

/// The position in `line`, and the score behind it, if there is one. A blank argument is the empty board.
pub(super) fn parse(reader: &Reader, line: &[u8]) -> Result<(Position, Option<Score>), String> {
    let read = parse_position(reader, line)?;
    if line.len() >= MOST {
        return Err(format!("{MOST} bytes or more"));
    }
    Ok(read.unwrap_or((Position::start_on(reader.size), None)))
}

/// The first word of a line, cut to 100 characters that harm no terminal.
pub(super) fn first_word(line: &[u8]) -> String {
    let text = harmless(&String::from_utf8_lossy(line).replace('\n', " "));
    text.split_ascii_whitespace().next().unwrap_or_default().chars().take(100).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use c4lab_measure::sets::test_set::print_moves;
    use c4lab_solver::game::BoardSize;

    const READER: Reader = Reader { size: BoardSize::STANDARD, first_column: 1, stride: 7 };

    fn lines(text: &[u8]) -> Vec<Vec<u8>> {
        let mut input = text;
        std::iter::from_fn(|| read_line(&mut input).unwrap()).collect()
    }

    #[test]
    fn the_empty_board_is_printed_as_it_may_be_read() {
        for (text, shown) in [(&b""[..], "-"), (b"-", "-"), (b" \r", "-"), (b"44\r", "44")] {
            let (position, score) = parse(&READER, text).unwrap();
            assert_eq!((print_moves(&position).as_str(), score), (shown, None));
            assert_eq!(parse(&READER, shown.as_bytes()), Ok((position, None)));
        }
    }

    #[test]
    fn blank_lines_are_passed_over_and_count() {
        let lines = Lines::of(&b"\n44\r\n \r\n\n5"[..], READER).map(|line| line.map(|line| (line.number, line.text)));
        assert_eq!(lines.collect::<io::Result<Vec<_>>>().unwrap(), [(2, b"44\r".to_vec()), (5, b"5".to_vec())]);
    }

    #[test]
    fn a_drawing_is_one_line() {
        let drawn = |rows: usize| ". . . . . . .\n".repeat(rows);
        let board = format!("{}. . . X . . .\n", drawn(5));
        let heading = "1 2 3 4 5 6 7\n";
        let text = format!("# two boards\n{heading}{board} -2 -1 0 1 0 -1 -2\n44 -3\n{board}{}{heading}5\n", drawn(2));
        let lines: Vec<Line> = Lines::of(text.as_bytes(), READER).map(Result::unwrap).collect();
        let read = |line: &Line| (line.number, parse(&READER, &line.text).map(|(position, _)| position.to_string()));
        let of = |moves: &str| Ok(moves.to_string());
        let few = Err("a drawing of 2 rows; the board has 6 (--board)".to_string());
        let expected = [(3, of("4")), (10, of("44")), (11, of("4")), (17, few), (19, of("1234567")), (20, of("5"))];
        assert_eq!(lines.iter().map(read).collect::<Vec<_>>(), expected);
    }

    #[test]
    fn lines_are_bytes_of_any_length() {
        assert_eq!(lines(b"44\r\n\n5"), [&b"44\r"[..], b"", b"5"]);
        assert_eq!(lines(b""), [b""; 0]);
        for length in [MOST - 1, MOST, MOST + 1, 1_000_000] {
            let text = [vec![b'1'; length], b"\n44\n".to_vec()].concat();
            let lines = lines(&text);
            assert_eq!((lines.len(), &lines[1][..]), (2, &b"44"[..]), "{length}");
            assert_eq!(parse(&READER, &lines[0]).unwrap_err(), "ply 7: column 1 is full");
        }
        assert_eq!(parse(&READER, &lines(&[b' '; 5000])[0]).unwrap_err(), "4096 bytes or more");
        assert_eq!(parse(&READER, b"44\xff").unwrap_err(), "not text");
    }
}
