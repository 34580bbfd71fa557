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

use anstream::{AutoStream, ColorChoice};
use anstyle::{AnsiColor, Style};
use c4lab_solver::game::Position;
use c4lab_solver::game::notation::name_of_column;
use c4lab_solver::game::score::Score;
use std::fmt::Write;
use std::io;

#[derive(Clone, Copy, Debug)]
pub struct Paint {
    has_colours: bool,
}

impl Paint {
    /// With colours if stdout is a terminal that has them and `NO_COLOR` is not set.
    pub fn of_stdout() -> Self {
        Paint { has_colours: AutoStream::choice(&io::stdout()) != ColorChoice::Never }
    }

    fn with(self, style: Style, text: &str) -> String {
        if self.has_colours { format!("{style}{text}{style:#}") } else { text.to_string() }
    }

    pub fn strong(self, text: &str) -> String {
        self.with(Style::new().bold(), text)
    }
}

pub fn board(position: &Position, scores: Option<&[Option<Score>]>, paint: Paint) -> String {
    let width = position.size().width();
    let best = scores.and_then(|scores| scores.iter().copied().flatten().max());
    let is_best = |column: u32| best.is_some() && scores.is_some_and(|scores| scores[column as usize] == best);
    let mut text = String::new();
    for column in 0..width {
        let head = format!("{:>3} ", name_of_column(column));
        text += &if is_best(column) { paint.strong(&head) } else { head };
    }
    let diagram = position.diagram();
    let last = last_square(position);
    for (line, squares) in diagram.lines().enumerate() {
        text.push('\n');
        for (column, square) in squares.split_whitespace().enumerate() {
            text += &cell(square, last == Some((line, column)), paint);
        }
    }
    text.push('\n');
    if let Some(scores) = scores {
        for (column, score) in (0..).zip(scores) {
            let shown = format!("{:>3} ", score.map_or(".".to_string(), |score| score.to_string()));
            text += &if is_best(column) { paint.strong(&shown) } else { shown };
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

fn cell(square: &str, is_last: bool, paint: Paint) -> String {
    let colour = match square {
        "X" => AnsiColor::Red,
        "O" => AnsiColor::Yellow,
        _ => return format!("  {square} "),
    };
    let stone = paint.with(colour.on_default().bold(), square);
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

    const PLAIN: Paint = Paint { has_colours: false };

    #[test]
    fn a_board_shows_the_last_stone_and_the_scores_under_their_columns() {
        let position = Position::parse("44").unwrap();
        let scores = [Some(-3), Some(-3), Some(-2), Some(1), None, Some(-18), Some(18)];
        let empty = "  .   .   .   .   .   .   .\n";
        let expected = format!(
            "  1   2   3   4   5   6   7\n{}  .   .   .  (O)  .   .   .\n  .   .   .   X   .   .   .\n -3  -3  -2   1   . -18  18\n",
            empty.repeat(4)
        );
        assert_eq!(board(&position, Some(&scores), PLAIN), expected);
        assert_eq!(board(&Position::start(), None, PLAIN).lines().count(), 7);
    }

    #[test]
    fn colours_change_nothing_but_the_colour() {
        let position = Position::parse("4455").unwrap();
        let (plain, painted) = (board(&position, None, PLAIN), board(&position, None, Paint { has_colours: true }));
        assert_ne!(plain, painted);
        assert_eq!(anstream::adapter::strip_str(&painted).to_string(), plain);
    }
}
