//! Answers that grow: lines of JSON, each with its `kind`. The last one is `done`, or `stopped` with the reason.

use super::Settings;
use super::connection::AnswerLines;
use super::fault::HttpFault;
use super::query::{Query, VariantQuery};
use crate::book::{Book, WithBook};
use c4lab_measure::sets::test_set::print_moves;
use c4lab_report::explanation::explained;
use c4lab_report::score_words::{in_words, of_move, sentence, turn};
use c4lab_solver::game::Position;
use c4lab_solver::game::notation::name_of_column;
use c4lab_solver::search::registry::DEFAULT;
use c4lab_solver::search::{Goal, Limits, Name, Options, Solve, Stopped, analysis};
use serde_json::{Value, json};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Why lines end early.
enum Ended {
    /// A search was stopped.
    Search(Stopped),
    /// Nobody reads them.
    Unread,
    /// No solver; the reason.
    Unbuilt(String),
}

impl From<Stopped> for Ended {
    fn from(stopped: Stopped) -> Self {
        Ended::Search(stopped)
    }
}

/// Writes the last line of an answer.
fn end(lines: &AnswerLines, time_limit: Duration, stop: &AtomicBool, outcome: Result<(), Ended>) {
    let reason = match outcome {
        Ok(()) => None,
        Err(Ended::Unread) => return,
        Err(Ended::Search(Stopped::Interrupted(nodes))) if stop.load(Ordering::Relaxed) => Some(format!(
            "not done in {} s, after {nodes} nodes of the last search. A longer time: c4lab serve --time-limit",
            time_limit.as_secs_f64()
        )),
        Err(Ended::Search(stopped)) => Some(stopped.to_string()),
        Err(Ended::Unbuilt(reason)) => Some(reason),
    };
    let last = reason.map_or(json!({ "kind": "done" }), |reason| json!({ "kind": "stopped", "reason": reason }));
    let _ = lines.send(last.to_string());
}

/// Sends a line.
fn say(lines: &AnswerLines, line: &Value) -> Result<(), Ended> {
    lines.send(line.to_string()).map_err(|_| Ended::Unread)
}

fn options(settings: &Settings, position: &Position) -> Options {
    Options { board: position.size(), ..Options::with_tt(settings.tt_bytes) }
}

fn built(name: &Name, options: &Options) -> Result<Box<dyn Solve>, HttpFault> {
    name.build(options).map_err(|error| HttpFault::bad(format!("{}: {error}", name.text())))
}

/// What a position is worth, column by column, by the champion with the book that ships with it.
pub struct Analysis {
    position: Position,
    solver: Box<dyn Solve>,
    time_limit: Duration,
}

impl Analysis {
    pub fn new(settings: &Settings, query: Query) -> Result<Self, HttpFault> {
        let position = query.position;
        let champion = Name::parse(DEFAULT).map_err(|error| HttpFault::new(500, error.to_string()))?;
        let mut solver = built(&champion, &options(settings, &position))?;
        if let Some(book) = Book::shipped(position.size()) {
            solver = Box::new(WithBook::new(solver, book));
        }
        Ok(Analysis { position, solver, time_limit: settings.time_limit })
    }

    pub fn run(mut self, stop: &AtomicBool, lines: &AnswerLines) {
        let outcome = self.tell(stop, lines);
        end(lines, self.time_limit, stop, outcome);
    }

    fn tell(&mut self, stop: &AtomicBool, lines: &AnswerLines) -> Result<(), Ended> {
        let Analysis { position, solver, .. } = self;
        let limits = Limits { interrupt: Some(stop), ..Limits::default() };
        say(
            lines,
            &json!({
                "kind": "position",
                "moves": print_moves(position),
                "turn": sentence(&turn(position)),
                "is_over": position.is_over(),
            }),
        )?;
        let start = Instant::now();
        let solved = solver.solve(position, Goal::Strong, &limits)?;
        say(
            lines,
            &json!({
                "kind": "score",
                "score": solved.score,
                "words": sentence(&in_words(position, solved.score, Goal::Strong)),
                "nodes": solved.nodes,
                "microseconds": start.elapsed().as_micros() as u64,
            }),
        )?;
        if position.is_over() {
            return Ok(());
        }
        for column in position.size().centre_first() {
            let mut child = position.clone();
            if child.play(column).is_err() {
                continue;
            }
            let score = -solver.solve(&child, Goal::Strong, &limits)?.score;
            let words = of_move(position.size(), position.ply(), score, Goal::Strong);
            say(lines, &json!({ "kind": "column", "column": column + 1, "score": score, "words": words }))?;
        }
        let line = analysis::best_line(&mut **solver, position, Goal::Strong, solved.score, &limits)?;
        let mut last = position.clone();
        let text: String = line.iter().map(|&column| name_of_column(u32::from(column))).collect();
        let all = line.iter().all(|&column| last.play(u32::from(column)).is_ok());
        debug_assert!(all, "a line of best play can be played");
        say(lines, &json!({ "kind": "line", "moves": text, "end": sentence(&turn(&last)) }))
    }
}

/// A position by one variant: its answer, and what its search did.
pub struct VariantSearch {
    query: VariantQuery,
    solver: Box<dyn Solve>,
    options: Options,
    time_limit: Duration,
}

impl VariantSearch {
    pub fn new(settings: &Settings, query: VariantQuery) -> Result<Self, HttpFault> {
        let options = options(settings, &query.position);
        let solver = built(&query.name, &options)?;
        Ok(VariantSearch { query, solver, options, time_limit: settings.time_limit })
    }

    pub fn run(self, stop: &AtomicBool, lines: &AnswerLines) {
        let time_limit = self.time_limit;
        let outcome = self.tell(stop, lines);
        end(lines, time_limit, stop, outcome);
    }

    fn tell(self, stop: &AtomicBool, lines: &AnswerLines) -> Result<(), Ended> {
        let VariantSearch { query, mut solver, options, .. } = self;
        let VariantQuery { position, name, goal } = &query;
        let limits = Limits { interrupt: Some(stop), ..Limits::default() };
        let start = Instant::now();
        let solved = solver.solve(position, *goal, &limits)?;
        let line = json!({
            "kind": "answer",
            "variant": name.text(),
            "goal": goal.name(),
            "score": solved.score,
            "words": sentence(&in_words(position, solved.score, *goal)),
            "nodes": solved.nodes,
            "microseconds": start.elapsed().as_micros() as u64,
            "table_bytes": solver.table_bytes(),
        });
        say(lines, &line)?;
        // One table at a time: that of the explanation is another one.
        drop(solver);
        let told = explained((name, &options), (position, *goal), &limits);
        let told = told.map_err(|error| Ended::Unbuilt(format!("{error:#}")))??;
        say(lines, &json!({ "kind": "explanation", "explanation": told, "text": told.text() }))
    }
}
