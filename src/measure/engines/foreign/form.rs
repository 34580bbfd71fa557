//! Form: the writing of requests to an engine, and the reading of its answers.
//!
//! A request is a line with names in braces. An answer is a pattern of words, separated by blanks:
//!
//! ```text
//! request   {moves} {goal}                                   44455554221 strong
//! answer    {moves} {score} [{nodes}] [{microseconds}]       44455554221 -15 1234 567
//! answer    score={score} {_} ...                            score=2 anything, and more
//! answer    {moves} {move}                                   44455554221 4
//! answer    {moves} {scores}                                 44 -3 -3 -2 1 -2 -3 -3
//! ```
//!
//! A word in brackets may be missing, as may all that follow it; `...` at the end matches any rest of the line.
//!
//! If the pattern has `{moves}`, an answer must repeat them; other lines, such as a banner, are skipped.

use crate::engines::EngineFigures;
use crate::text::pluralize;
use c4lab_solver::game::score::Score;
use c4lab_solver::game::{BoardSize, Position};
use c4lab_solver::search::solver::Goal;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ScoreForm {
    /// The field's score: 0 for a draw, above 0 for a win of the mover; a higher score is a sooner win.
    #[default]
    Field,
    /// The outcome: `1`, `+`, `win`; `0`, `=`, `draw`; `-1`, `-`, `loss`; or the sign of any other whole number.
    Sign,
    /// Plies to the end, the last stone included: above 0 when the mover wins, below 0 when it loses, 0 for a draw.
    Plies,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ScoreSide {
    #[default]
    Mover,
    First,
    Last,
}

impl ScoreSide {
    pub const ALL: [ScoreSide; 3] = [ScoreSide::Mover, ScoreSide::First, ScoreSide::Last];

    pub fn is_mover(&self) -> bool {
        *self == ScoreSide::Mover
    }

    /// True if a score from this side, after `ply` stones, is the negative of the mover's.
    fn is_opposite(self, ply: u32) -> bool {
        match self {
            ScoreSide::Mover => false,
            ScoreSide::First => ply % 2 == 1,
            ScoreSide::Last => true,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum WordContent {
    Moves,
    Score,
    Move,
    /// The scores of all columns, one word each; `.` for a full column.
    Scores,
    Nodes,
    Time(u64),
    Anything,
    Text,
}

const NAMES: [(&str, WordContent); 10] = [
    ("moves", WordContent::Moves),
    ("score", WordContent::Score),
    ("move", WordContent::Move),
    ("scores", WordContent::Scores),
    ("nodes", WordContent::Nodes),
    ("nanoseconds", WordContent::Time(1)),
    ("microseconds", WordContent::Time(1_000)),
    ("milliseconds", WordContent::Time(1_000_000)),
    ("seconds", WordContent::Time(1_000_000_000)),
    ("_", WordContent::Anything),
];

const ASKED: [&str; 4] = ["moves", "goal", "diagram", "squares"];

#[derive(Clone, Debug, PartialEq, Eq)]
struct Word {
    before: String,
    content: WordContent,
    after: String,
    optional: bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Form {
    request: String,
    answer: Vec<Word>,
    open: bool,
    pub first_column: u8,
    pub no_moves: String,
    pub score: ScoreForm,
    pub side: ScoreSide,
    /// Reject answers without the program's own time.
    pub needs_time: bool,
}

/// The content of an answer. Scores are the field's; with [`ScoreForm::Sign`] only their signs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    Score(Score),
    Move(u32),
    /// The score of every column from the mover's side; `None` for a full column.
    Scores(Vec<Option<Score>>),
}

impl Form {
    pub const REQUEST: &str = "{moves}";
    pub const ANSWER: &str = "{moves} {score} [{nodes}] [{microseconds}]";

    pub fn usual_request() -> String {
        Self::REQUEST.to_string()
    }

    pub fn usual_answer() -> String {
        Self::ANSWER.to_string()
    }

    /// The form of the patterns `request` and `answer`: columns from 1, `-` for the empty board, the field's score.
    pub fn new(request: &str, answer: &str) -> Result<Self, String> {
        check_request(request)?;
        let mut words: Vec<&str> = answer.split_whitespace().collect();
        let open = words.last() == Some(&"...");
        words.truncate(words.len() - usize::from(open));
        let answer = words.into_iter().map(Word::parse).collect::<Result<Vec<_>, _>>()?;
        if let Some(index) = answer.windows(2).position(|pair| pair[0].optional && !pair[1].optional) {
            return Err(format!("the answer's word {} may be missing, the one after it may not", index + 1));
        }
        for (name, content) in NAMES {
            let count = answer.iter().filter(|word| word.content == content).count();
            if content != WordContent::Anything && count > 1 {
                return Err(format!("{{{name}}} occurs {count} times in the answer"));
            }
        }
        let is_answer =
            |word: &&Word| matches!(word.content, WordContent::Score | WordContent::Move | WordContent::Scores);
        match answer.iter().filter(is_answer).count() {
            1 if answer.iter().any(|word| is_answer(&word) && !word.optional) => {}
            0 | 1 => return Err("an answer needs a {score}".to_string()),
            _ => return Err("an answer has one of {score}, {move} and {scores}".to_string()),
        }
        if answer.iter().filter(|word| matches!(word.content, WordContent::Time(_))).count() > 1 {
            return Err("an answer has one time at most".to_string());
        }
        let (request, no_moves) = (request.to_string(), "-".to_string());
        Ok(Form {
            request,
            answer,
            open,
            first_column: 1,
            no_moves,
            score: ScoreForm::Field,
            side: ScoreSide::Mover,
            needs_time: false,
        })
    }

    pub fn tells_time(&self) -> bool {
        self.answer.iter().any(|word| matches!(word.content, WordContent::Time(_)))
    }

    /// True if an answer is a score, so that the engine can be measured.
    pub fn tells_score(&self) -> bool {
        self.answer.iter().any(|word| word.content == WordContent::Score)
    }

    pub fn request(&self, position: &Position, goal: Goal) -> String {
        let mut line = self.request.replace("{moves}", &self.moves(position)).replace("{goal}", goal.name());
        if line.contains("{diagram}") || line.contains("{squares}") {
            let diagram = position.diagram();
            let rows: Vec<String> = diagram.lines().map(|row| row.split_whitespace().collect()).collect();
            line = line.replace("{diagram}", &rows.join("/")).replace("{squares}", &rows.concat());
        }
        line
    }

    pub fn moves(&self, position: &Position) -> String {
        if position.ply() == 0 {
            return self.no_moves.clone();
        }
        let name = |&column: &u8| char::from_digit(u32::from(column + self.first_column), 36);
        position.columns().iter().filter_map(name).collect()
    }

    pub fn read(&self, line: &str, position: &Position) -> Result<(Answer, EngineFigures), String> {
        self.read_of(line, position, |moves| moves == self.moves(position))
    }

    /// True if `line` is not meant as an answer and is skipped. Always false if answers do not repeat the moves. A line
    /// is meant as an answer if it has the moves in their place, if it answers another position, or if it holds only
    /// numbers.
    pub fn is_aside(&self, line: &str, position: &Position) -> bool {
        let place = self.answer.iter().position(|word| word.content == WordContent::Moves && !word.optional);
        let Some(place) = place else { return false };
        let (moves, mut words) = (self.moves(position), line.split_whitespace());
        let is_name = |c: char| c.is_digit(10 + position.size().width().saturating_sub(9));
        let is_it = |text: &str| text == moves || text.trim_matches(|c: char| !is_name(c)) == moves;
        let names_it = |word: &str| is_it(self.answer[place].text(word).unwrap_or(word));
        let is_moves = |moves: &str| moves == self.no_moves || moves.chars().all(is_name);
        let is_attempt = words.clone().nth(place).is_some_and(names_it)
            || self.read_of(line, position, is_moves).is_ok()
            || words.clone().next().is_some() && words.all(|word| word.parse::<f64>().is_ok());
        !is_attempt
    }

    /// The column that `text` names by its number or by its character in a list of moves. The column may be full.
    fn column(&self, text: &str, position: &Position) -> Result<u32, String> {
        let name = |text: &str| text.parse::<char>().ok().and_then(|name| name.to_digit(36));
        let number = text.parse().ok().or_else(|| name(text));
        let column = number.and_then(|number: u32| number.checked_sub(self.first_column.into()));
        let column = column.filter(|&column| column < position.size().width());
        column.ok_or_else(|| format!("{text:?} is no column"))
    }

    /// The answer in `line`. Its moves must satisfy `is_asked`.
    fn read_of(
        &self,
        line: &str,
        position: &Position,
        is_asked: impl Fn(&str) -> bool,
    ) -> Result<(Answer, EngineFigures), String> {
        let words: Vec<&str> = line.split_whitespace().collect();
        let columns = position.size().width() as usize;
        let times = |word: &Word| if word.content == WordContent::Scores { columns } else { 1 };
        let pattern: Vec<&Word> = self.answer.iter().flat_map(|word| std::iter::repeat_n(word, times(word))).collect();
        let needed = pattern.iter().filter(|word| !word.optional).count();
        if words.len() < needed {
            return Err(format!("{}; expected at least {needed}", pluralize(words.len(), "word")));
        }
        if words.len() > pattern.len() && !self.open {
            return Err(format!("{}; expected at most {}", pluralize(words.len(), "word"), pattern.len()));
        }
        let (mut read, mut figures) = (Answer::Scores(Vec::new()), EngineFigures::default());
        for (pattern, word) in pattern.into_iter().zip(words) {
            let text = pattern.text(word)?;
            match pattern.content {
                WordContent::Moves if !is_asked(text) => return Err("the moves of another position".to_string()),
                WordContent::Moves | WordContent::Anything | WordContent::Text => {}
                WordContent::Score => read = Answer::Score(self.score.read_from(self.side, text, position)?),
                WordContent::Move => read = Answer::Move(self.column(text, position)?),
                WordContent::Scores => {
                    let score = (text != ".").then(|| self.score.read_from(self.side, text, position));
                    if let Answer::Scores(scores) = &mut read {
                        scores.push(score.transpose()?);
                    }
                }
                WordContent::Nodes => {
                    figures.nodes = Some(text.parse().map_err(|_| format!("{text:?} is no count of nodes"))?)
                }
                WordContent::Time(unit) => {
                    let ns = text.parse().ok().map(|time: f64| (time * unit as f64).round());
                    let ns = ns.filter(|ns| (0.0..u64::MAX as f64).contains(ns));
                    figures.ns = Some(ns.ok_or_else(|| format!("{text:?} is no time"))? as u64);
                }
            }
        }
        if self.needs_time && figures.ns.is_none() {
            return Err("no time of the program, which clock = \"own\" needs".to_string());
        }
        Ok((read, figures))
    }
}

fn check_request(request: &str) -> Result<(), String> {
    if request.contains(['\n', '\r']) {
        return Err("a request is one line".to_string());
    }
    let mut rest = request;
    while let Some((_, after)) = rest.split_once('{') {
        let (name, after) = after.split_once('}').ok_or("a brace without its partner in the request")?;
        if !ASKED.contains(&name) {
            return Err(unknown(name, "request", &ASKED));
        }
        rest = after;
    }
    let asks = ["{moves}", "{diagram}", "{squares}"].iter().any(|name| request.contains(name));
    if asks { Ok(()) } else { Err("a request needs {moves}, {diagram} or {squares}".to_string()) }
}

fn unknown(name: &str, place: &str, known: &[&str]) -> String {
    let known: Vec<String> = known.iter().map(|name| format!("{{{name}}}")).collect();
    format!("{{{name}}} in the {place} is none of {}", known.join(", "))
}

impl Word {
    fn parse(text: &str) -> Result<Self, String> {
        let inner = text.strip_prefix('[').and_then(|rest| rest.strip_suffix(']'));
        let (optional, text) = (inner.is_some(), inner.unwrap_or(text));
        let Some((before, rest)) = text.split_once('{') else {
            return Ok(Word { before: text.to_string(), content: WordContent::Text, after: String::new(), optional });
        };
        let (name, after) = rest.split_once('}').ok_or("a brace without its partner in the answer")?;
        let content = NAMES.iter().find(|(known, _)| *known == name).map(|(_, content)| *content);
        let content = content.ok_or_else(|| unknown(name, "answer", &NAMES.map(|(name, _)| name)))?;
        if after.contains('{') {
            return Err(format!("{text:?} holds two names; put a blank between them"));
        }
        Ok(Word { before: before.to_string(), content, after: after.to_string(), optional })
    }

    fn text<'a>(&self, word: &'a str) -> Result<&'a str, String> {
        let inner = word.strip_prefix(self.before.as_str()).and_then(|rest| rest.strip_suffix(self.after.as_str()));
        let inner = inner.filter(|inner| (self.content == WordContent::Text) == inner.is_empty());
        inner.ok_or_else(|| format!("{word:?} where {:?} was expected", format!("{}*{}", self.before, self.after)))
    }
}

impl ScoreForm {
    /// All forms, the most informative first.
    pub const ALL: [ScoreForm; 3] = [ScoreForm::Field, ScoreForm::Plies, ScoreForm::Sign];

    pub fn read_from(self, side: ScoreSide, text: &str, position: &Position) -> Result<Score, String> {
        let (board, ply) = (position.size(), position.ply());
        match (side.is_opposite(ply), text.parse::<Score>()) {
            (false, _) => self.read(text, board, ply),
            // The check of the plies needs the number from the mover's side.
            (true, Ok(number)) => self.read(&number.saturating_neg().to_string(), board, ply),
            (true, Err(_)) => Ok(-self.read(text, board, ply)?),
        }
    }

    /// Reads a score from the mover's side of a position with `ply` stones.
    fn read(self, text: &str, board: BoardSize, ply: u32) -> Result<Score, String> {
        if self == ScoreForm::Sign {
            return match text {
                "1" | "+1" | "+" | "win" | "w" => Ok(1),
                "0" | "=" | "draw" | "d" => Ok(0),
                "-1" | "-" | "loss" | "l" => Ok(-1),
                _ => {
                    let number = text.parse::<Score>().map(Score::signum);
                    number.map_err(|_| format!("{text:?} is neither win nor draw nor loss"))
                }
            };
        }
        let number: Score = text.parse().map_err(|_| format!("{text:?} is no score"))?;
        match self {
            ScoreForm::Plies if number != 0 => from_plies(number, board, ply),
            _ => Ok(number),
        }
    }
}

fn from_plies(plies: i32, board: BoardSize, ply: u32) -> Result<Score, String> {
    let last = plies.unsigned_abs();
    let left = board.cells().saturating_sub(ply);
    if last > left {
        return Err(format!("{last} plies, but {left} squares are empty"));
    }
    if (plies > 0) != (last % 2 == 1) {
        return Err(format!("{plies} plies: the winner does not play the last of them"));
    }
    let worth = board.win_at(ply + last - 1);
    Ok(if plies > 0 { worth } else { -worth })
}

#[cfg(test)]
mod tests;
