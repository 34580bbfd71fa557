//! Protocol detection finds the protocol of an unknown engine, and the meaning of its answers.
//!
//! The engine is asked positions of known score, in every known protocol. Its replies are compared with the scores
//! under every meaning ([`fit`](super::fit)). The protocol and the meaning that fit best become the keys of its table.

use crate::engines::fit::Fit;
use crate::engines::foreign::process::{Ending, Process};
use crate::engines::foreign::{EngineProtocol, Program};
use crate::engines::table::EngineTable;
use crate::sets::test_set::{Item, TestSet};
use crate::text::name_of;
use anyhow::{Context, Result, bail};
use c4lab_solver::search::Goal;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

/// Keys of an engine's table, and their values, as they are typed.
type Keys = Vec<(String, String)>;

/// Least percentage of right answers of an engine whose protocol counts as detected.
const UNDERSTOOD: usize = 75;

#[derive(Debug)]
pub struct Detection {
    /// The keys that the engine's table needs beside its command and the given keys.
    pub keys: Keys,
    pub fit: Option<Fit>,
    /// The engine's replies in the protocol that fits best, or in the first one.
    pub transcript: Transcript,
    /// True if the engine answered only after its input was closed.
    pub is_unflushed: bool,
}

impl Detection {
    pub fn is_understood(&self) -> bool {
        let count = self.transcript.requests.len();
        self.fit.as_ref().is_some_and(|fit| 100 * fit.right >= UNDERSTOOD * count.max(1))
    }

    pub fn of(
        command: &str,
        given: &[(String, String)],
        questions: &[Item],
        patience: Duration,
        interrupt: &AtomicBool,
    ) -> Result<Self> {
        let mut best: Option<Detection> = None;
        let (mut is_unflushed, mut deaf) = (false, None);
        for (protocol, request, first_column) in ways(given) {
            // An engine that does not answer moves in a protocol does not answer a diagram either.
            if is_unflushed && protocol.is_lines() || request != "{moves}" && deaf == Some(protocol) {
                continue;
            }
            let protocol_name = name_of(&protocol);
            let way = [("protocol", protocol_name.as_str()), ("request", request), ("first-column", first_column)];
            let mut keys: Keys = needed(&way, given).collect();
            let table = EngineTable::typed(command, &[given, &keys].concat())?;
            let transcript = Transcript::of(&table.program(None)?, questions, patience, interrupt)?;
            is_unflushed |= transcript.is_unflushed;
            deaf = transcript.replies.is_empty().then_some(protocol);
            let fit = Fit::of(&transcript, questions);
            if let Some(fit) = &fit {
                let answer = if fit.is_usual_answer() { "" } else { fit.answer.as_str() };
                let (form, side) = (name_of(&fit.form), name_of(&fit.side));
                let sense = [("answer", answer), ("score", &form), ("side", &side)];
                let greeting = ("greeting", if transcript.greeting == 1 { "true" } else { "" });
                keys.extend(needed(&[&[greeting], &sense[..]].concat(), given));
            }
            let found = Detection { keys, fit, transcript, is_unflushed: false };
            if best.as_ref().is_none_or(|best| found.merit() > best.merit()) {
                best = Some(found);
            }
            if best.as_ref().is_some_and(Detection::is_understood) {
                break;
            }
        }
        let best = best.context("protocol: not a known protocol")?;
        Ok(Detection { is_unflushed, ..best })
    }

    fn merit(&self) -> (usize, usize) {
        (self.fit.as_ref().map_or(0, |fit| fit.right), self.transcript.replies.len())
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

/// `count` questions. A fifth are draws; the others are wins and losses with either side to move, in equal numbers as
/// far as possible. So no two meanings of a score agree on most of them.
pub fn questions(count: usize) -> Result<Vec<Item>> {
    let set = TestSet::open(SET)?;
    let kind = |item: &Item| (item.score.signum(), if item.score == 0 { 0 } else { item.position.ply() % 2 });
    let kinds = [(1, 0), (-1, 1), (0, 0), (1, 1), (-1, 0)];
    let mut of_kind: Vec<_> =
        kinds.iter().map(|wanted| set.items.iter().filter(move |item| kind(item) == *wanted)).collect();
    let mut found = Vec::new();
    while found.len() < count {
        let before = found.len();
        for items in &mut of_kind {
            found.extend(items.next().cloned());
        }
        if found.len() == before {
            break;
        }
    }
    found.truncate(count);
    Ok(found)
}

const GREETING: Duration = Duration::from_millis(300);
/// An answer is complete after this time without another line.
const PAUSE: Duration = Duration::from_millis(30);
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
    /// True if the engine answered only after its input was closed: it does not flush, or waits for the end.
    pub(super) is_unflushed: bool,
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
            Err(Ending::Failed(failure)) => transcript.ended = Some(failure.reason),
        }
        Ok(transcript)
    }

    fn lines(&mut self, program: &Program, patience: Duration, interrupt: &AtomicBool) -> Result<(), Ending> {
        let mut process = Process::start(&program.command).map_err(Ending::Failed)?;
        while self.greeting < MOST_LINES && line(&mut process, GREETING, interrupt)?.is_some() {
            self.greeting += 1;
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
            while reply.len() < MOST_LINES {
                match line(&mut process, PAUSE, interrupt) {
                    Ok(Some(line)) => reply.push(line),
                    // Lines before the program's end count; the next question finds that it has ended.
                    Ok(None) | Err(Ending::Failed(_)) => break,
                    Err(other) => return Err(other),
                }
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
            while let Ok(Some(line)) = line(&mut process, patience, interrupt) {
                reply.push(line);
            }
            self.replies.push(reply);
        }
        Ok(())
    }
}

fn line(process: &mut Process, most: Duration, interrupt: &AtomicBool) -> Result<Option<String>, Ending> {
    match process.read_line(Some(Instant::now() + most), Some(interrupt)) {
        Ok(line) => Ok(Some(line)),
        Err(Ending::Late) => Ok(None),
        Err(other) => Err(other),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_of_score_is_asked_for() {
        let questions = questions(20).unwrap();
        let count = |is: fn(&Item) -> bool| questions.iter().filter(|question| is(question)).count();
        assert_eq!(questions.len(), 20);
        assert_eq!((count(|it| it.score == 0), count(|it| it.score > 0), count(|it| it.score < 0)), (4, 8, 8));
        assert_eq!(count(|it| it.score != 0 && it.position.ply() % 2 == 1), 8);
    }
}
