//! A board drawn for people: numbered columns, the stone that was played last in brackets, and scores under their columns.
//!
//! ```text
//!   1   2   3   4   5   6   7
//!   .   .   .   .   .   .   .
//!   .   .   .  (O)  .   .   .
//!   .   .   .   X   .   .   .
//!  -3  -3  -2   1  -2  -3  -3
//! ```
//!
//! Colours only repeat the letters. They are left out if the terminal has none or `NO_COLOR` is set.

use anstream::adapter::strip_str;
use anstream::{AutoStream, ColorChoice};
use anstyle::{AnsiColor, Style};
use c4lab_solver::game::Position;
use c4lab_solver::game::notation::name_of_column;
use c4lab_solver::game::score::Score;
use std::fmt::Write;
use std::io;

/// `text` for stdout: without colours, unless stdout is a terminal that has them and `NO_COLOR` is not set.
pub fn for_stdout(text: &str) -> String {
    match AutoStream::choice(&io::stdout()) {
        ColorChoice::Never => strip_str(text).to_string(),
        _ => text.to_string(),
    }
}

fn styled(style: Style, text: &str) -> String {
    format!("{style}{text}{style:#}")
}

pub fn strong(text: &str) -> String {
    styled(Style::new().bold(), text)
}

/// The drawing, with colours ([`for_stdout`]).
pub fn board(position: &Position, scores: Option<&[Option<Score>]>) -> String {
    let width = position.size().width();
    let best = scores.and_then(|scores| scores.iter().copied().flatten().max());
    let is_best = |column: u32| best.is_some() && scores.is_some_and(|scores| scores[column as usize] == best);
    let in_column = |column: u32, word: String| {
        let word = format!("{word:>3}");
        (if is_best(column) { strong(&word) } else { word }) + " "
    };
    let heads = (0..width).map(|column| in_column(column, name_of_column(column).to_string()));
    let mut text: String = heads.collect();
    let diagram = position.diagram();
    let last = last_square(position);
    for (line, squares) in diagram.lines().enumerate() {
        text.push('\n');
        for (column, square) in squares.split_whitespace().enumerate() {
            text += &cell(square, last == Some((line, column)));
        }
    }
    text.push('\n');
    if let Some(scores) = scores {
        for (column, score) in (0..).zip(scores) {
            text += &in_column(column, score.map_or(".".to_string(), |score| score.to_string()));
        }
        text.push('\n');
    }
    trimmed(&text)
}

/// The square of the last stone: its line from the top, and its column, both from 0.
fn last_square(position: &Position) -> Option<(usize, usize)> {
    let column = usize::from(*position.columns().last()?);
    let stones = position.columns().iter().filter(|&&other| usize::from(other) == column).count();
    Some((position.size().height() as usize - stones, column))
}

fn cell(square: &str, is_last: bool) -> String {
    let colour = match square {
        "X" => AnsiColor::Red,
        "O" => AnsiColor::Yellow,
        _ => return format!("  {square} "),
    };
    let stone = styled(colour.on_default().bold(), square);
    if is_last { format!(" ({stone})") } else { format!("  {stone} ") }
}

fn trimmed(text: &str) -> String {
    text.lines().fold(String::new(), |mut lines, line| {
        let _ = writeln!(lines, "{}", line.trim_end());
        lines
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_board_shows_the_last_stone_and_the_scores_under_their_columns() {
        let position = Position::parse("44").unwrap();
        let scores = [Some(-3), Some(-3), Some(-2), Some(1), None, Some(-18), Some(18)];
        let empty = "  .   .   .   .   .   .   .\n";
        let expected = format!(
            "  1   2   3   4   5   6   7\n{}  .   .   .  (O)  .   .   .\n  .   .   .   X   .   .   .\n -3  -3  -2   1   . -18  18\n",
            empty.repeat(4)
        );
        assert_eq!(strip_str(&board(&position, Some(&scores))).to_string(), expected);
        assert_eq!(board(&Position::start(), None).lines().count(), 7);
    }
}
