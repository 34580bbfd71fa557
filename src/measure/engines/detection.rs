//! Protocol detection finds the protocol of an unknown engine, and the meaning of its answers.
//!
//! The engine is asked positions of known score, in every known protocol. Its replies are compared with the scores
//! under every meaning ([`Fit`]). The protocol and the meaning that fit best become the keys of its table.

use crate::engines::foreign::form::{Form, ScoreForm, ScoreSide};
use crate::engines::foreign::process::{Ending, Process};
use crate::engines::foreign::{EngineProtocol, Program};
use crate::engines::table::EngineTable;
use crate::files::sample::Status;
use crate::sets::test_set::{Item, TestSet};
use crate::text::name_of;
use anyhow::{Result, bail};
use c4lab_solver::search::Goal;
use std::cmp::Reverse;
use std::collections::BTreeSet;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

/// Keys of an engine's table, and their values, as they are typed.
type Keys = Vec<(String, String)>;

/// Least percentage of right answers of an engine whose protocol counts as detected.
const UNDERSTOOD: usize = 75;

/// An explanation of an engine's answers: a protocol, and a meaning of the answers.
#[derive(Debug)]
pub struct Detection {
    /// The keys that the engine's table needs beside its command and the given keys.
    pub keys: Keys,
    pub fit: Option<Fit>,
    /// The engine's replies in this protocol.
    pub transcript: Transcript,
}

impl Detection {
    pub fn is_understood(&self) -> bool {
        self.transcript.crash.is_none() && 100 * self.right() >= UNDERSTOOD * self.transcript.requests.len().max(1)
    }

    /// The number of right answers.
    pub fn right(&self) -> usize {
        self.fit.as_ref().map_or(0, |fit| fit.right)
    }

    /// True if no answer contradicts this explanation.
    pub fn is_whole(&self) -> bool {
        self.right() == self.transcript.requests.len()
    }

    /// All explanations, the best first; at least one. A later protocol or request is asked only if no explanation is
    /// whole. A program that answers all lines, or crashes between two of them, is not taken for one that is started for
    /// every position.
    pub fn all(
        command: &str,
        given: &[(String, String)],
        questions: &[Item],
        patience: Duration,
        interrupt: &AtomicBool,
    ) -> Result<Vec<Self>> {
        let mut found: Vec<Detection> = Vec::new();
        let (mut is_unflushed, mut deaf, mut reads_lines) = (false, None, false);
        for (protocol, request, first_column) in ways(given) {
            // An engine that does not answer moves in a protocol does not answer a diagram either.
            if is_unflushed && protocol.is_lines() || request != "{moves}" && deaf == Some(protocol) {
                continue;
            }
            if found.iter().any(Detection::is_whole) || !protocol.is_lines() && reads_lines {
                break;
            }
            let protocol_name = name_of(&protocol);
            let way = [("protocol", protocol_name.as_str()), ("request", request), ("first-column", first_column)];
            let keys: Keys = needed(&way, given).collect();
            let table = EngineTable::typed(command, &[given, &keys].concat())?;
            let transcript = Transcript::of(&table.program(None)?, questions, patience, interrupt)?;
            is_unflushed |= transcript.is_unflushed;
            deaf = transcript.replies.is_empty().then_some(protocol);
            let answers_all = transcript.replies.len() == questions.len();
            reads_lines |= protocol.is_lines() && (answers_all || transcript.crash.is_some());
            let mut fits: Vec<Option<Fit>> = Fit::all(&transcript, questions).into_iter().map(Some).collect();
            if fits.is_empty() {
                fits.push(None);
            }
            for fit in fits {
                let mut keys = keys.clone();
                if let Some(fit) = &fit {
                    let answer = if fit.is_usual_answer() { "" } else { fit.answer.as_str() };
                    let (form, side) = (name_of(&fit.form), name_of(&fit.side));
                    let sense = [("answer", answer), ("score", &form), ("side", &side)];
                    let greeting = ("greeting", if transcript.greeting == 1 { "true" } else { "" });
                    keys.extend(needed(&[&[greeting], &sense[..]].concat(), given));
                }
                found.push(Detection { keys, fit, transcript: transcript.clone() });
            }
        }
        found.iter_mut().for_each(|it| it.transcript.is_unflushed = is_unflushed);
        found.sort_by_key(|it| Reverse(it.merit()));
        if found.is_empty() { bail!("protocol: not a known protocol") } else { Ok(found) }
    }

    /// Who wins is a part of every score. So it explains the answers only if no kind of score does.
    fn merit(&self) -> impl Ord + use<> {
        let is_score = self.fit.as_ref().is_some_and(|fit| fit.form != ScoreForm::Sign);
        let replies = self.transcript.replies.len();
        (self.is_understood(), self.is_understood() && is_score, self.right(), is_score, replies)
    }
}

/// Every combination of protocol, request and first column, the likeliest first. A given key keeps its value.
fn ways(given: &[(String, String)]) -> Vec<(EngineProtocol, &'static str, &'static str)> {
    let mut ways = Vec::new();
    for protocol in [EngineProtocol::Lines, EngineProtocol::Input, EngineProtocol::Arguments] {
        for (request, first_column) in [("{moves}", "1"), ("{moves}", "0"), ("{squares}", "1"), ("{diagram}", "1")] {
            ways.push((protocol, request, first_column));
        }
    }
    let value = |key: &str| given.iter().find(|(given, _)| given == key).map(|(_, value)| value.as_str());
    ways.retain(|(protocol, request, first_column)| {
        (value("request").is_none() || *request == "{moves}")
            && (value("first-column").is_none() || *first_column == "1")
            && value("protocol").is_none_or(|given| given == name_of(protocol))
    });
    ways
}

/// The members of `keys` that a table must state: not in `given`, not empty, not a default.
fn needed<'k>(
    keys: &'k [(&'k str, &'k str)],
    given: &'k [(String, String)],
) -> impl Iterator<Item = (String, String)> + 'k {
    const USUAL: [(&str, &str); 5] =
        [("protocol", "lines"), ("request", "{moves}"), ("first-column", "1"), ("score", "field"), ("side", "mover")];
    let is_needed = |(key, value): &&(&str, &str)| {
        !value.is_empty() && !USUAL.contains(&(*key, *value)) && !given.iter().any(|(given, _)| given == key)
    };
    keys.iter().filter(is_needed).map(|(key, value)| (key.to_string(), value.to_string()))
}

/// The set of the questions: late positions, which every solver answers soon.
const SET: &str = "end-easy";
/// The lines of the questions: draws, wins and losses with either side to move, four of each. Each has another outcome
/// if all columns are read as the next one, on a board with eight columns. So no two meanings of scores or of columns
/// agree on most of them.
const ASKED: [usize; 20] = [6, 22, 1, 66, 71, 94, 24, 2, 109, 83, 317, 26, 14, 200, 98, 506, 78, 17, 238, 107];

pub fn questions() -> Result<Vec<Item>> {
    let set = TestSet::open(SET)?;
    Ok(ASKED.iter().map(|line| set.items[line - 1].clone()).collect())
}

const GREETING: Duration = Duration::from_millis(300);
/// An answer is complete after this time without another line.
const PAUSE: Duration = Duration::from_millis(30);
/// The most lines of a greeting, and of an answer.
const MOST_LINES: usize = 100;

#[derive(Clone, Debug, Default)]
pub struct Transcript {
    pub requests: Vec<String>,
    pub moves: Vec<String>,
    pub replies: Vec<Vec<String>>,
    pub took: Vec<Duration>,
    pub greeting: usize,
    /// The reason why the engine ended before it had answered everything.
    pub ended: Option<String>,
    /// The reason why it ended, if it had answered before and is not expected to end.
    pub crash: Option<String>,
    /// True if the engine answered only after its input was closed: it does not flush, or waits for the end.
    pub is_unflushed: bool,
}

impl Transcript {
    fn of(program: &Program, questions: &[Item], patience: Duration, interrupt: &AtomicBool) -> Result<Self> {
        let mut transcript = Transcript {
            requests: questions.iter().map(|it| program.form.request(&it.position, Goal::Strong)).collect(),
            moves: questions.iter().map(|it| program.form.moves(&it.position)).collect(),
            ..Transcript::default()
        };
        let ended = match program.protocol {
            EngineProtocol::Lines => transcript.lines(program, patience, interrupt),
            _ => transcript.calls(program, patience, interrupt),
        };
        match ended {
            Ok(()) | Err(Ending::Late) => {}
            Err(Ending::Interrupted) => bail!("interrupted"),
            Err(Ending::Failed(failure)) => {
                // A program that reads one position ends after one answer.
                let answers = transcript.replies.len();
                let is_crash =
                    answers > 1 && program.protocol.is_lines() || answers > 0 && failure.status == Status::Signal;
                transcript.crash = is_crash.then(|| failure.reason.clone());
                transcript.ended = Some(failure.reason);
            }
        }
        Ok(transcript)
    }

    fn lines(&mut self, program: &Program, patience: Duration, interrupt: &AtomicBool) -> Result<(), Ending> {
        let mut process = Process::start(&program.command)?;
        let greeted = Instant::now() + patience;
        while Instant::now() < greeted && line(&mut process, GREETING, interrupt)?.is_some() {
            self.greeting += 1;
            bounded(self.greeting)?;
        }
        for (index, request) in self.requests.iter().enumerate() {
            let begun = Instant::now();
            process.send(request, |_| true)?;
            let Some(first) = line(&mut process, patience, interrupt)? else {
                process.close_input();
                let late = line(&mut process, patience, interrupt);
                self.is_unflushed = index == 0 && matches!(late, Ok(Some(_)));
                return Err(Ending::Late);
            };
            self.took.push(begun.elapsed());
            let mut reply = vec![first];
            loop {
                match line(&mut process, PAUSE, interrupt) {
                    Ok(Some(line)) => reply.push(line),
                    // Lines before the program's end count; the next question finds that it has ended.
                    Ok(None) | Err(Ending::Failed(_)) => break,
                    Err(other) => return Err(other),
                }
                bounded(reply.len())?;
            }
            self.replies.push(reply);
        }
        // Lines of a late greeting precede the first answer.
        let usual = self.replies.iter().skip(1).map(Vec::len).max().unwrap_or(1);
        if self.greeting == 0 && self.replies.len() > 1 && self.replies[0].len() > usual {
            self.greeting = self.replies[0].len() - usual;
            self.replies[0].drain(..self.greeting);
        }
        Ok(())
    }

    fn calls(&mut self, program: &Program, patience: Duration, interrupt: &AtomicBool) -> Result<(), Ending> {
        for request in &self.requests {
            let begun = Instant::now();
            let mut process = program.call(request)?;
            let first = line(&mut process, patience, interrupt)?.ok_or(Ending::Late)?;
            self.took.push(begun.elapsed());
            let mut reply = vec![first];
            // The program exits after its last line.
            let ended = loop {
                match line(&mut process, patience.saturating_sub(begun.elapsed()), interrupt) {
                    Ok(Some(line)) => reply.push(line),
                    ended => break ended,
                }
                bounded(reply.len())?;
            };
            match ended {
                Err(Ending::Failed(failure)) if failure.status != Status::Signal => {}
                Err(crash) => return Err(crash),
                Ok(_) => {}
            }
            self.replies.push(reply);
        }
        Ok(())
    }
}

/// Fails if a program prints without an end.
fn bounded(lines: usize) -> Result<(), Ending> {
    if lines <= MOST_LINES {
        return Ok(());
    }
    Err(Ending::garbled(format!("it printed more than {MOST_LINES} lines for one position")))
}

fn line(process: &mut Process, most: Duration, interrupt: &AtomicBool) -> Result<Option<String>, Ending> {
    match process.read_line(Some(Instant::now() + most), Some(interrupt)) {
        Ok(line) => Ok(Some(line)),
        Err(Ending::Late) => Ok(None),
        Err(other) => Err(other),
    }
}

/// The meaning under which an engine's answers agree best with the known scores.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fit {
    pub answer: String,
    pub form: ScoreForm,
    pub side: ScoreSide,
    pub right: usize,
    /// The questions, by number, whose answers are wrong or missing.
    pub contradictions: Vec<usize>,
    pub repeats_moves: bool,
    pub tells_nodes: bool,
    pub has_more_lines: bool,
}

/// The first number of `word`, between the texts before and after it.
fn numbered(word: &str) -> Option<(&str, &str, &str)> {
    let digit = word.find(|c: char| c.is_ascii_digit())?;
    let start = if word[..digit].ends_with(['-', '+']) { digit - 1 } else { digit };
    let length = word[digit..].find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(word.len() - digit);
    let number = word[start..digit + length].trim_end_matches('.');
    Some((&word[..start], number, &word[start + number.len()..]))
}

impl Fit {
    /// For each form of scores, the meaning under which most answers are right.
    pub fn all(transcript: &Transcript, questions: &[Item]) -> Vec<Self> {
        if transcript.replies.is_empty() {
            return Vec::new();
        }
        let pairs = || transcript.replies.iter().zip(&transcript.moves);
        let repeating: Option<Vec<&str>> = pairs().map(|(reply, moves)| repeating(reply, moves)).collect();
        let repeats_moves = repeating.is_some();
        let lines = repeating.unwrap_or_else(|| transcript.replies.iter().map(|reply| last(reply)).collect());
        let words: Vec<Vec<&str>> = lines.iter().map(|line| line.split_whitespace().collect()).collect();
        let fewest = words.iter().map(Vec::len).min().unwrap_or_default();
        let has_more_lines = transcript.replies.iter().any(|reply| reply.len() > 1);
        let best_of = |form: ScoreForm| {
            let places = ScoreSide::ALL.into_iter().flat_map(|side| (0..fewest).map(move |place| (side, place)));
            let fits = places.map(|(side, place)| (wrong(&words, place, (form, side), questions), side, place));
            // The first of equals is the most usual one.
            let (contradictions, side, place) = fits.min_by_key(|(wrong, ..)| wrong.len())?;
            let right = questions.len() - contradictions.len();
            let (answer, tells_nodes) = pattern(&words, &transcript.moves, place, &transcript.took);
            let fit = Fit { answer, form, side, right, contradictions, repeats_moves, tells_nodes, has_more_lines };
            (right > 0).then_some(fit)
        };
        ScoreForm::ALL.into_iter().filter_map(best_of).collect()
    }

    /// True if the pattern is the default of a table, or a beginning of it.
    pub fn is_usual_answer(&self) -> bool {
        let shorter = |count: usize| Form::ANSWER.split_whitespace().take(count).collect::<Vec<_>>().join(" ");
        (2..=4).any(|count| self.answer == shorter(count))
    }
}

/// The last line of `reply` that repeats `moves` and has other words.
fn repeating<'a>(reply: &'a [String], moves: &str) -> Option<&'a str> {
    let has = |line: &&String| {
        let mut words = line.split_whitespace();
        words.clone().nth(1).is_some() && words.any(|word| is_moves(word, moves))
    };
    reply.iter().rev().find(has).map(String::as_str)
}

fn last(reply: &[String]) -> &str {
    reply.iter().rev().find(|line| !line.trim().is_empty()).map_or("", String::as_str)
}

fn is_moves(word: &str, moves: &str) -> bool {
    word.trim_matches(|c: char| !c.is_ascii_digit()) == moves
}

/// The numbers of the questions whose answer, the word at index `place`, is missing or not the right score under
/// `sense`. The text around a number must not vary.
fn wrong(words: &[Vec<&str>], place: usize, sense: (ScoreForm, ScoreSide), questions: &[Item]) -> Vec<usize> {
    let first = numbered(words[0][place]);
    let (form, side) = sense;
    let is_right = |words: &Vec<&str>, question: &Item| {
        let text = match (numbered(words[place]), first) {
            (Some((before, number, after)), Some(first)) if (before, after) == (first.0, first.2) => number,
            (None, None) => words[place],
            _ => return false,
        };
        let expected = if form == ScoreForm::Sign { question.score.signum() } else { question.score };
        form.read_from(side, text, &question.position) == Ok(expected)
    };
    let is_wrong =
        |&(index, question): &(usize, &Item)| !words.get(index).is_some_and(|words| is_right(words, question));
    questions.iter().enumerate().filter(is_wrong).map(|(index, _)| index).collect()
}

/// The pattern of answers whose score is word `place`, and true if it has the nodes.
fn pattern(words: &[Vec<&str>], moves: &[String], place: usize, took: &[Duration]) -> (String, bool) {
    let (fewest, most) = (words.iter().map(Vec::len).min(), words.iter().map(Vec::len).max());
    let (mut pattern, mut told) = (Vec::new(), Vec::new());
    for index in 0..fewest.unwrap_or_default() {
        let column: Vec<&str> = words.iter().map(|words| words[index]).collect();
        pattern.push(if index == place {
            around(&column).map_or("{score}".to_string(), |(before, after)| format!("{before}{{score}}{after}"))
        } else if column.iter().zip(moves).all(|(word, moves)| is_moves(word, moves)) {
            column[0].replacen(moves[0].as_str(), "{moves}", 1)
        } else if index < place {
            literal(&column).unwrap_or("{_}").to_string()
        } else {
            format!("[{}]", behind_score(&column, &mut told, took))
        });
    }
    if most > fewest {
        pattern.push("...".to_string());
    }
    (pattern.join(" "), told.contains(&"nodes"))
}

/// The pattern of a column behind the score. `told` has the names of the columns before it.
fn behind_score(column: &[&str], told: &mut Vec<&'static str>, took: &[Duration]) -> String {
    if let Some(text) = literal(column) {
        return text.to_string();
    }
    let Some((before, after)) = around(column) else { return "{_}".to_string() };
    let numbers: Vec<&str> = column.iter().filter_map(|word| Some(numbered(word)?.1)).collect();
    let values: Vec<f64> = numbers.iter().filter_map(|number| number.parse().ok()).collect();
    let is_whole = numbers.iter().all(|number| !number.contains('.'));
    let name = if values.iter().any(|value| *value < 0.0) {
        "_"
    } else if !told.contains(&"nodes") && is_whole && !says_time(before, after) {
        "nodes"
    } else if told.iter().all(|name| ["nodes", "_"].contains(name)) {
        unit(values.iter().sum(), took)
    } else {
        "_"
    };
    told.push(name);
    format!("{before}{{{name}}}{after}")
}

fn says_time(before: &str, after: &str) -> bool {
    let around = format!("{before} {after}").to_ascii_lowercase();
    around.contains("time") || around.contains("sec") || ["s", "ms", "us", "ns"].contains(&after)
}

/// The largest unit in which the times, of total `sum`, are no longer than the time that was waited.
fn unit(sum: f64, took: &[Duration]) -> &'static str {
    let waited: f64 = took.iter().map(|took| took.as_nanos() as f64).sum();
    let units = [("seconds", 1e9), ("milliseconds", 1e6), ("microseconds", 1e3), ("nanoseconds", 1.0)];
    units.iter().find(|(_, unit)| sum * unit <= 1.05 * waited).map_or("_", |(name, _)| name)
}

/// The text around the numbers of a column, if it does not vary.
fn around<'a>(column: &[&'a str]) -> Option<(&'a str, &'a str)> {
    let all: Vec<_> = column.iter().map(|word| numbered(word)).collect::<Option<_>>()?;
    let (before, _, after) = all[0];
    all.iter().all(|it| (it.0, it.2) == (before, after)).then_some((before, after))
}

/// The word of a column, if it does not vary and can be part of a pattern.
fn literal<'a>(column: &[&'a str]) -> Option<&'a str> {
    let words: BTreeSet<&str> = column.iter().copied().collect();
    let word = column[0];
    (words.len() == 1 && !word.contains(['{', '}', '[', ']']) && numbered(word).is_none()).then_some(word)
}

#[cfg(test)]
mod tests {
    use super::*;
    use c4lab_solver::game::{BoardSize, Position};
    use c4lab_solver::search::{Limits, Options, registry};

    #[test]
    fn every_kind_of_score_is_asked_for() {
        let questions = questions().unwrap();
        let count = |is: fn(&Item) -> bool| questions.iter().filter(|question| is(question)).count();
        assert_eq!(questions.len(), 20);
        assert_eq!((count(|it| it.score == 0), count(|it| it.score > 0), count(|it| it.score < 0)), (4, 8, 8));
        assert_eq!(count(|it| it.score != 0 && it.position.ply() % 2 == 1), 8);
    }

    /// A program that reads columns from 0 may take column 7 for an eighth one.
    #[test]
    fn columns_from_0_and_from_1_are_told_apart() {
        let wide = BoardSize::new(8, 6).unwrap();
        let mut solver =
            registry::find("champion").unwrap().build(&Options { board: wide, ..Options::default() }).unwrap();
        for Item { position, score, .. } in questions().unwrap() {
            let moves: String = position.columns().iter().map(|column| char::from(b'2' + column)).collect();
            let other = Position::parse_on(wide, &moves).unwrap();
            let solved = solver.solve(&other, Goal::Weak, &Limits::default()).unwrap();
            assert_ne!(solved.score, score.signum(), "{position}");
        }
    }

    fn fitted(answer: impl Fn(&str, &Item) -> String) -> Fit {
        let questions = questions().unwrap();
        let moves: Vec<String> = questions.iter().map(|question| question.position.to_string()).collect();
        let reply = |(moves, question): (&String, &Item)| answer(moves, question).lines().map(str::to_string).collect();
        let replies: Vec<Vec<String>> = moves.iter().zip(&questions).map(reply).collect();
        let took = vec![Duration::from_millis(1); 20];
        let transcript = Transcript { requests: moves.clone(), moves, replies, took, ..Transcript::default() };
        let explained = |fit| Detection { keys: Keys::new(), fit: Some(fit), transcript: transcript.clone() };
        let fits = Fit::all(&transcript, &questions).into_iter().map(explained);
        fits.rev().max_by_key(Detection::merit).unwrap().fit.unwrap()
    }

    /// Plies to the end, signed from the mover's side.
    fn plies(question: &Item) -> i32 {
        let plies = question.position.size().distance(question.score, question.position.ply()) as i32;
        question.score.signum() * plies
    }

    #[test]
    fn every_sense_is_told_from_the_others() {
        for form in ScoreForm::ALL {
            for side in ScoreSide::ALL {
                let answer = |_: &str, question: &Item| {
                    let score = match form {
                        ScoreForm::Field => question.score,
                        ScoreForm::Plies => plies(question),
                        ScoreForm::Sign => question.score.signum(),
                    };
                    let is_other = match side {
                        ScoreSide::Mover => false,
                        ScoreSide::First => question.position.ply() % 2 == 1,
                        ScoreSide::Last => true,
                    };
                    (if is_other { -score } else { score }).to_string()
                };
                let fit = fitted(answer);
                assert_eq!((fit.form, fit.side, fit.right, fit.answer.as_str()), (form, side, 20, "{score}"));
            }
        }
    }

    #[test]
    fn the_pattern_of_an_answer_is_found() {
        for (template, pattern) in [
            ("M S", "{moves} {score}"),
            ("M S 17N N", "{moves} {score} [{nodes}] [{microseconds}]"),
            ("score=S; nodes=4N time=0.000Ns", "score={score}; [nodes={nodes}] [time={seconds}s]"),
            ("position M: S", "position {moves}: {score}"),
            ("N. M -> S ok", "{_} {moves} -> {score} [ok]"),
            ("thinking\nM S", "{moves} {score}"),
            ("bestmove 4\nresult S", "result {score}"),
        ] {
            let count = std::cell::Cell::new(100);
            let fit = fitted(|moves, question| {
                count.set(count.get() + 1);
                let text = template.replace('N', &count.get().to_string()).replace('M', moves);
                text.replace('S', &question.score.to_string())
            });
            assert_eq!((fit.answer.as_str(), fit.right), (pattern, 20), "{template:?}");
            assert_eq!(fit.has_more_lines, template.contains('\n'));
            assert!(Form::new(Form::REQUEST, &fit.answer).is_ok(), "{template:?}");
        }
        let words = fitted(|_, question| ["loss", "draw", "win"][(question.score.signum() + 1) as usize].to_string());
        assert_eq!((words.form, words.right, words.answer.as_str()), (ScoreForm::Sign, 20, "{score}"));
    }
}
