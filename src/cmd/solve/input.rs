//! Lines of input, and the positions and scores in them.

use anyhow::{Context, Result};
use c4lab_measure::sets::test_set::parse_position;
use c4lab_measure::text::{harmless, without_mark};
use c4lab_solver::game::score::Score;
use c4lab_solver::game::{BoardSize, Position};
use std::io::{self, BufRead, BufReader, Read};
use std::sync::mpsc::{Receiver, sync_channel};
use std::thread::Builder;

/// A line of input or an argument, with its number, from 1.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Line {
    pub(super) number: usize,
    pub(super) text: Vec<u8>,
}

/// The lines of `input` that are not blank. Blank lines count in the numbers of lines.
pub(super) fn filled_lines(mut input: impl BufRead) -> impl Iterator<Item = io::Result<Line>> {
    let texts = std::iter::from_fn(move || read_line(&mut input).transpose());
    texts.zip(1..).filter_map(filled)
}

/// The line of a text, unless it is blank.
fn filled((text, number): (io::Result<Vec<u8>>, usize)) -> Option<io::Result<Line>> {
    let is_blank = |text: &Vec<u8>| without_mark(text).trim_ascii().is_empty();
    (!text.as_ref().is_ok_and(is_blank)).then(|| text.map(|text| Line { number, text }))
}

/// The most lines of one message to the solving threads. To wake a thread for each line takes longer than to solve an
/// easy position.
const MOST_AT_ONCE: usize = 64;

/// The most messages that wait for a solving thread.
const MOST_WAITING: usize = 2;

/// The lines of stdin as they come, read by a thread of its own, so that a receiver can wait with a time limit. The
/// thread ends with the process.
pub(super) fn arriving() -> Result<Receiver<Vec<io::Result<Line>>>> {
    let (sender, receiver) = sync_channel(MOST_WAITING);
    let read = move || {
        let (mut input, mut numbers) = (BufReader::new(io::stdin().lock()), 1..);
        loop {
            let mut lines = Vec::new();
            // Waits for the first line only.
            while lines.is_empty() || lines.len() < MOST_AT_ONCE && input.buffer().contains(&b'\n') {
                let Some(text) = read_line(&mut input).transpose() else { break };
                lines.extend(numbers.next().and_then(|number| filled((text, number))));
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
pub(super) fn parse(board: BoardSize, line: &[u8]) -> Result<(Position, Option<Score>), String> {
    let read = parse_position(board, line)?;
    if line.len() >= MOST {
        return Err(format!("{MOST} bytes or more"));
    }
    Ok(read.unwrap_or((Position::start_on(board), None)))
}

/// The first word of a line, cut to 100 characters that harm no terminal.
pub(super) fn first_word(line: &[u8]) -> String {
    let text = harmless(&String::from_utf8_lossy(line));
    text.split_ascii_whitespace().next().unwrap_or_default().chars().take(100).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use c4lab_measure::sets::test_set::print_moves;

    fn lines(text: &[u8]) -> Vec<Vec<u8>> {
        let mut input = text;
        std::iter::from_fn(|| read_line(&mut input).unwrap()).collect()
    }

    #[test]
    fn the_empty_board_is_printed_as_it_may_be_read() {
        for (text, shown) in [(&b""[..], "-"), (b"-", "-"), (b" \r", "-"), (b"44\r", "44")] {
            let (position, score) = parse(BoardSize::STANDARD, text).unwrap();
            assert_eq!((print_moves(&position).as_str(), score), (shown, None));
            assert_eq!(parse(BoardSize::STANDARD, shown.as_bytes()), Ok((position, None)));
        }
    }

    #[test]
    fn blank_lines_are_passed_over_and_count() {
        let lines = filled_lines(&b"\n44\r\n \r\n\n5"[..]).map(|line| line.map(|line| (line.number, line.text)));
        assert_eq!(lines.collect::<io::Result<Vec<_>>>().unwrap(), [(2, b"44\r".to_vec()), (5, b"5".to_vec())]);
    }

    #[test]
    fn lines_are_bytes_of_any_length() {
        assert_eq!(lines(b"44\r\n\n5"), [&b"44\r"[..], b"", b"5"]);
        assert_eq!(lines(b""), [b""; 0]);
        for length in [MOST - 1, MOST, MOST + 1, 1_000_000] {
            let text = [vec![b'1'; length], b"\n44\n".to_vec()].concat();
            let lines = lines(&text);
            assert_eq!((lines.len(), &lines[1][..]), (2, &b"44"[..]), "{length}");
            assert_eq!(parse(BoardSize::STANDARD, &lines[0]).unwrap_err(), "ply 7: column 1 is full");
        }
        assert_eq!(parse(BoardSize::STANDARD, &lines(&[b' '; 5000])[0]).unwrap_err(), "4096 bytes or more");
        assert_eq!(parse(BoardSize::STANDARD, b"44\xff").unwrap_err(), "not text");
    }
}
