//! Fit: the meaning under which an engine's answers agree best with the known scores.

use crate::engines::detection::Transcript;
use crate::engines::foreign::form::{Form, ScoreForm, ScoreSide};
use crate::sets::test_set::Item;
use std::collections::BTreeSet;
use std::time::Duration;

/// Percentage of right answers at which a meaning is taken and the less informative ones are not tried.
const ENOUGH: usize = 75;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fit {
    pub answer: String,
    pub form: ScoreForm,
    pub side: ScoreSide,
    pub right: usize,
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
    /// The meaning under which most answers are right, if the answers have one form.
    pub fn of(transcript: &Transcript, questions: &[Item]) -> Option<Self> {
        if transcript.replies.is_empty() {
            return None;
        }
        let pairs = || transcript.replies.iter().zip(&transcript.moves);
        let repeating: Option<Vec<&str>> = pairs().map(|(reply, moves)| repeating(reply, moves)).collect();
        let repeats_moves = repeating.is_some();
        let lines = repeating.unwrap_or_else(|| transcript.replies.iter().map(|reply| last(reply)).collect());
        let words: Vec<Vec<&str>> = lines.iter().map(|line| line.split_whitespace().collect()).collect();
        let fewest = words.iter().map(Vec::len).min().unwrap_or_default();
        let enough = (ENOUGH * questions.len()).div_ceil(100);
        let mut best: Option<(usize, usize, ScoreForm, ScoreSide)> = None;
        for form in ScoreForm::ALL {
            for side in ScoreSide::ALL {
                for place in 0..fewest {
                    let right = right(&words, place, (form, side), questions);
                    if best.is_none_or(|(most, ..)| right > most && most < enough) {
                        best = Some((right, place, form, side));
                    }
                }
            }
        }
        let (right, place, form, side) = best.filter(|(right, ..)| *right > 0)?;
        let (answer, tells_nodes) = pattern(&words, &transcript.moves, place, &transcript.took);
        let has_more_lines = transcript.replies.iter().any(|reply| reply.len() > 1);
        Some(Fit { answer, form, side, right, repeats_moves, tells_nodes, has_more_lines })
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

/// The number of words at index `place` that are the right score under `sense`. The text around a number must not vary.
fn right(words: &[Vec<&str>], place: usize, sense: (ScoreForm, ScoreSide), questions: &[Item]) -> usize {
    let first = numbered(words[0][place]);
    let (form, side) = sense;
    let is_right = |(words, question): &(&Vec<&str>, &Item)| {
        let text = match (numbered(words[place]), first) {
            (Some((before, number, after)), Some(first)) if (before, after) == (first.0, first.2) => number,
            (None, None) => words[place],
            _ => return false,
        };
        let expected = if form == ScoreForm::Sign { question.score.signum() } else { question.score };
        form.read_from(side, text, &question.position) == Ok(expected)
    };
    words.iter().zip(questions).filter(is_right).count()
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
    use crate::engines::detection::questions;

    fn fitted(answer: impl Fn(&str, &Item) -> String) -> Fit {
        let questions = questions(20).unwrap();
        let moves: Vec<String> = questions.iter().map(|question| question.position.to_string()).collect();
        let reply = |(moves, question): (&String, &Item)| answer(moves, question).lines().map(str::to_string).collect();
        let replies: Vec<Vec<String>> = moves.iter().zip(&questions).map(reply).collect();
        let took = vec![Duration::from_millis(1); 20];
        Fit::of(&Transcript { requests: moves.clone(), moves, replies, took, ..Transcript::default() }, &questions)
            .unwrap()
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

    #[test]
    fn a_few_wrong_answers_do_not_hide_the_sense() {
        let fit = fitted(|moves, question| {
            let error = i32::from(question.position.ply() == 37);
            format!("{moves} {}", question.score + error)
        });
        assert!(fit.form == ScoreForm::Field && (15..20).contains(&fit.right), "{fit:?}");
        let nothing = fitted(|_, _| "7".to_string());
        assert!(nothing.right < 10, "{nothing:?}");
    }
}
