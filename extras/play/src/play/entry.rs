//! Entry: what somebody types who plays.

use c4lab_measure::nearest::unknown;
use c4lab_solver::game::notation::column_named;

/// A line that was typed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Entry {
    /// A stone in a column, from 0.
    Column(u32),
    Back,
    Hint,
    Scores,
    Line,
    Board,
    Side,
    New,
    Help,
    Quit,
    /// A blank line.
    Nothing,
}

/// The words that can be typed, each with what it does.
pub const WORDS: [(&str, Entry, &str); 9] = [
    ("back", Entry::Back, "takes your last move back, and the reply"),
    ("hint", Entry::Hint, "a best column, and what it is worth"),
    ("scores", Entry::Scores, "the score of every column, or no more of them"),
    ("line", Entry::Line, "how the game ends if both play best"),
    ("board", Entry::Board, "the board again"),
    ("side", Entry::Side, "changes sides: your opponent's stones are yours"),
    ("new", Entry::New, "a new game"),
    ("help", Entry::Help, "these words"),
    ("quit", Entry::Quit, "ends, as the end of the input does"),
];

impl Entry {
    /// Reads a line. A word may be cut short as long as it is one word's beginning.
    pub fn read(line: &str, width: u32) -> Result<Self, String> {
        let text = line.trim().to_ascii_lowercase();
        if text.is_empty() {
            return Ok(Entry::Nothing);
        }
        // On a wide board a letter is a column before it is a word.
        let mut letters = text.chars();
        let named = letters.next().and_then(column_named).filter(|&column| letters.next().is_none() && column < width);
        if let Some(column) = named {
            return Ok(Entry::Column(column));
        }
        if let Ok(column) = text.parse::<u32>() {
            let column = column.checked_sub(1).filter(|&column| column < width);
            return column.map(Entry::Column).ok_or_else(|| format!("{text} is not a column (1 to {width})"));
        }
        if text == "?" {
            return Ok(Entry::Help);
        }
        let begun: Vec<Entry> =
            WORDS.iter().filter(|(word, ..)| word.starts_with(&text)).map(|(_, entry, _)| *entry).collect();
        match begun[..] {
            [entry] => Ok(entry),
            [first, ..] if text == "b" || text == "s" => Ok(first),
            _ => Err(format!(
                "{}; a move is a column, 1 to {width}",
                unknown("word", &text, WORDS.iter().map(|it| it.0))
            )),
        }
    }

    /// What can be typed.
    pub fn help(width: u32) -> String {
        let words = WORDS.iter().map(|(word, _, what)| format!("  {word:<8} {what}\n")).collect::<String>();
        format!("  {:<8} a stone in that column\n{words}", format!("1 to {width}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_and_words_are_read() {
        let read = |line: &str| Entry::read(line, 7);
        assert_eq!(
            (read(" 4\r"), read("7"), read("")),
            (Ok(Entry::Column(3)), Ok(Entry::Column(6)), Ok(Entry::Nothing))
        );
        assert_eq!((read("b"), read("undo").is_err(), read("h").is_err()), (Ok(Entry::Back), true, true));
        assert_eq!((read("s"), read("sc"), read("si")), (Ok(Entry::Scores), Ok(Entry::Scores), Ok(Entry::Side)));
        assert_eq!((read("?"), read("q"), read("HELP")), (Ok(Entry::Help), Ok(Entry::Quit), Ok(Entry::Help)));
        assert_eq!(read("8").unwrap_err(), "8 is not a column (1 to 7)");
        assert_eq!(
            read("99999999999").unwrap_err(),
            "no word \"99999999999\"; known: \"back\", \"hint\", \"scores\" and 6 more; a move is a column, 1 to 7"
        );
        assert!(read("hnit").unwrap_err().contains("nearest: \"hint\""));
        for (word, entry, _) in WORDS {
            assert_eq!(read(word), Ok(entry));
        }
    }
}
