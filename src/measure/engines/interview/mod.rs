//! Interview: finds out how a program that nobody has described is asked, and what its answers mean.
//!
//! It is asked positions whose scores are known, in every way that it may understand ([`hearing`]). What it says is held
//! against the scores in every sense that it may have ([`fit`]). The way and the sense that fit best become the keys of its table.

pub mod fit;
pub mod hearing;

use crate::engines::foreign::EngineProtocol;
use crate::engines::table::EngineTable;
use anyhow::Result;
use fit::Fit;
use hearing::{Heard, Hearing, Question, Silence};
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// Of a hundred questions, so many right answers show that a program is understood.
const UNDERSTOOD: usize = 75;

#[derive(Debug)]
pub struct Interview {
    /// The keys that its table needs beside its command and those that were given.
    pub keys: Vec<(String, String)>,
    pub fit: Option<Fit>,
    /// What was heard in the way that fits best, or in the first one.
    pub heard: Heard,
    /// Whether it answered nothing until its input was closed.
    pub is_unflushed: bool,
}

impl Interview {
    pub fn is_understood(&self) -> bool {
        let asked = self.heard.requests.len();
        self.fit.as_ref().is_some_and(|fit| 100 * fit.right >= UNDERSTOOD * asked.max(1))
    }

    /// Asks a program. Keys that are given stay as they are.
    pub fn of(
        command: &str,
        given: &[(String, String)],
        questions: &[Question],
        patience: Duration,
        interrupt: &AtomicBool,
    ) -> Result<Self> {
        let mut best: Option<Interview> = None;
        let (mut is_unflushed, mut deaf) = (false, None);
        for way in ways(given) {
            // What answers to no moves in a protocol will not answer to a drawing in it.
            if is_unflushed && way.protocol.is_lines() || way.request != "{moves}" && deaf == Some(way.protocol) {
                continue;
            }
            let keys = way.keys(given);
            let table = EngineTable::typed(command, &[given, &keys].concat())?;
            let heard = Hearing { table: &table, patience, interrupt }.of(questions)?;
            is_unflushed |= way.protocol.is_lines() && heard.silence == Some(Silence::UntilClosed);
            deaf = heard.replies.is_empty().then_some(way.protocol);
            let fit = Fit::of(&heard, questions);
            let found =
                Interview { keys: complete(given, keys, &heard, fit.as_ref()), fit, heard, is_unflushed: false };
            if best.as_ref().is_none_or(|best| found.merit() > best.merit()) {
                best = Some(found);
            }
            if best.as_ref().is_some_and(Interview::is_understood) {
                break;
            }
        }
        let best = best.ok_or_else(|| anyhow::anyhow!("protocol: none of the known ones is asked for"))?;
        Ok(Interview { is_unflushed, ..best })
    }

    fn merit(&self) -> (usize, usize) {
        (self.fit.as_ref().map_or(0, |fit| fit.right), self.heard.replies.len())
    }
}

#[derive(Clone, Copy, Debug)]
struct Way {
    protocol: EngineProtocol,
    request: &'static str,
    first_column: &'static str,
}

impl Way {
    /// The keys that say so, where they were not given and are not usual.
    fn keys(self, given: &[(String, String)]) -> Vec<(String, String)> {
        let all = [("protocol", self.protocol.name()), ("request", self.request), ("first-column", self.first_column)];
        let is_new = |(key, value): &(&str, &str)| !is_usual(key, value) && !is_given(given, key);
        all.into_iter().filter(is_new).map(|(key, value)| (key.to_string(), value.to_string())).collect()
    }
}

/// Every way to ask, the most likely one first. What is given is not tried otherwise.
fn ways(given: &[(String, String)]) -> Vec<Way> {
    let mut ways = Vec::new();
    for protocol in [EngineProtocol::Lines, EngineProtocol::Input, EngineProtocol::Arguments] {
        for (request, first_column) in [("{moves}", "1"), ("{moves}", "0"), ("{squares}", "1"), ("{diagram}", "1")] {
            ways.push(Way { protocol, request, first_column });
        }
    }
    let protocol = given.iter().find(|(key, _)| key == "protocol").map(|(_, value)| value.as_str());
    ways.retain(|way| {
        (!is_given(given, "request") || way.request == "{moves}")
            && (!is_given(given, "first-column") || way.first_column == "1")
            && protocol.is_none_or(|protocol| protocol == way.protocol.name())
    });
    ways
}

fn is_given(given: &[(String, String)], key: &str) -> bool {
    given.iter().any(|(given, _)| given == key)
}

/// Whether a table has this value without saying so.
fn is_usual(key: &str, value: &str) -> bool {
    [("protocol", "lines"), ("request", "{moves}"), ("first-column", "1"), ("score", "field"), ("side", "mover")]
        .contains(&(key, value))
}

/// The keys of a way, and those of the sense that its answers have.
fn complete(
    given: &[(String, String)],
    mut keys: Vec<(String, String)>,
    heard: &Heard,
    fit: Option<&Fit>,
) -> Vec<(String, String)> {
    let greeting = (heard.greeting == 1).then(|| ("greeting", "true".to_string()));
    let sense = fit.into_iter().flat_map(|fit| {
        let answer = (!fit.is_usual_answer()).then(|| ("answer", fit.answer.clone()));
        let sense = [("score", fit.form.name()), ("side", fit.side.name())];
        let sense = sense.into_iter().filter(|(key, value)| !is_usual(key, value));
        answer.into_iter().chain(sense.map(|(key, value)| (key, value.to_string())))
    });
    for (key, value) in greeting.into_iter().chain(sense) {
        if !is_given(given, key) {
            keys.push((key.to_string(), value));
        }
    }
    keys
}
