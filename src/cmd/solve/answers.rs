//! Answers to lines, by one solver or by several.
//!
//! With several threads, one thread searches each of several positions, so that its nodes are the same in every run. A
//! position that a person types, or that is the only argument, is searched by all threads together.

use super::input::{Line, arriving, first_word, parse};
use super::printer::Printer;
use super::{Args, Format};
use anyhow::Result;
use c4lab_cli::Interrupt;
use c4lab_measure::in_order::in_order;
use c4lab_measure::sets::test_set::print_moves;
use c4lab_report::explanation::{Explanation, explained};
use c4lab_solver::game::Position;
use c4lab_solver::game::notation::name_of_column;
use c4lab_solver::game::score::Score;
use c4lab_solver::search::{Limits, Solve, Solved, Stopped, analysis};
use serde::Serialize;
use std::collections::VecDeque;
use std::io;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::RecvTimeoutError;
use std::time::{Duration, Instant};

/// The answer to a line: what is printed, and what only a drawing or a message shows.
#[derive(Debug, Serialize)]
pub(super) struct Answer {
    #[serde(skip)]
    pub(super) position: Position,
    /// The score that the line expects.
    #[serde(skip)]
    pub(super) expected: Option<Score>,
    pub(super) moves: String,
    pub(super) score: Score,
    pub(super) nodes: u64,
    pub(super) microseconds: u128,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) columns: Option<Vec<Option<Score>>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) pv: Option<String>,
    /// With `--explain`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) explanation: Option<Explanation>,
    /// The scores below a drawing, if they are known or cheap.
    #[serde(skip)]
    pub(super) drawn_scores: Option<Vec<Option<Score>>>,
    /// For a drawing: all of the best columns where the scores are known, else the one nearest to the centre.
    #[serde(skip)]
    pub(super) best: Vec<u32>,
    /// Why columns, line of best play or explanation are missing.
    #[serde(skip)]
    pub(super) stopped: Option<Stopped>,
}

pub(super) enum Outcome {
    /// A line without a position: its first word, and the reason.
    Bad(String, String),
    Stopped(String, Stopped),
    Answered(Box<Answer>),
}

/// The time between two looks at the interrupt while a thread waits for a line.
const LOOKS_EVERY: Duration = Duration::from_millis(50);

#[derive(Clone, Copy)]
pub(super) struct Terms<'a> {
    pub(super) args: &'a Args,
    pub(super) format: Format,
    pub(super) interrupt: &'a Interrupt,
    pub(super) limits: Limits<'a>,
}

impl Terms<'_> {
    fn outcome(&self, solver: &mut dyn Solve, line: &Line) -> Result<(usize, Outcome)> {
        let outcome = match parse(&self.args.reader(), &line.text) {
            Err(reason) => Outcome::Bad(first_word(&line.text), reason),
            Ok((position, expected)) => {
                let moves = print_moves(&position);
                match self.answer(solver, position, expected)? {
                    Ok(answer) => Outcome::Answered(Box::new(answer)),
                    Err(stopped) => Outcome::Stopped(moves, stopped),
                }
            }
        };
        Ok((line.number, outcome))
    }

    /// An answer, or why there is no score.
    fn answer(
        &self,
        solver: &mut dyn Solve,
        position: Position,
        expected: Option<Score>,
    ) -> Result<Result<Answer, Stopped>> {
        let Terms { args, format, limits, .. } = self;
        solver.reset();
        let start = Instant::now();
        let Solved { score, nodes } = match solver.solve(&position, args.goal, limits) {
            Ok(solved) => solved,
            Err(stopped) => return Ok(Err(stopped)),
        };
        let microseconds = start.elapsed().as_micros();
        let mut stopped = None;
        let columns = args.analyze.then(|| kept(&mut stopped, analysis::columns(solver, &position, args.goal, limits)));
        let line =
            args.pv.then(|| kept(&mut stopped, analysis::best_line(solver, &position, args.goal, score, limits)));
        let name = |&column: &u8| name_of_column(u32::from(column));
        let pv = line.map(|line| line.iter().flatten().map(name).collect());
        let (drawn_scores, best) = if *format == Format::Board && !position.is_over() {
            self.drawn(solver, &position, score, columns.clone().flatten())
        } else {
            (None, Vec::new())
        };
        let mut explanation = None;
        if args.explain {
            let found = explained((&args.solver.name()?, &args.solver.options()), (&position, args.goal), limits)?;
            explanation = kept(&mut stopped, found);
        }
        let columns = columns.map(|columns| columns.unwrap_or(vec![None; position.size().width() as usize]));
        let moves = print_moves(&position);
        Ok(Ok(Answer {
            position,
            expected,
            moves,
            score,
            nodes,
            microseconds,
            columns,
            pv,
            explanation,
            drawn_scores,
            best,
            stopped,
        }))
    }

    /// The scores of columns below a drawing, if they are `known` or cheap, and the best columns.
    fn drawn(
        &self,
        solver: &mut dyn Solve,
        position: &Position,
        score: Score,
        known: Option<Vec<Option<Score>>>,
    ) -> (Option<Vec<Option<Score>>>, Vec<u32>) {
        let Some(scores) = known.or_else(|| self.cheap(solver, position).ok()) else {
            let best = analysis::best_move(solver, position, self.args.goal, score, &self.limits);
            return (None, best.into_iter().collect());
        };
        let most = scores.iter().copied().flatten().max();
        let best = (0..position.size().width()).filter(|&column| scores[column as usize] == most).collect();
        (Some(scores), best)
    }

    /// The score of every column, if the searches take at most [`CHEAP`] nodes together.
    fn cheap(&self, solver: &mut dyn Solve, position: &Position) -> Result<Vec<Option<Score>>, Stopped> {
        let mut left = CHEAP.min(self.limits.nodes.unwrap_or(CHEAP));
        let mut score = |column| {
            let mut child = position.clone();
            if child.play(column).is_err() {
                return Ok(None);
            }
            let solved = solver.solve(&child, self.args.goal, &Limits { nodes: Some(left), ..self.limits })?;
            left = left.saturating_sub(solved.nodes);
            Ok(Some(-solved.score))
        };
        (0..position.size().width()).map(&mut score).collect()
    }
}

/// The value of `found`. If its search was stopped, `stopped` gets the reason, unless it has one already.
fn kept<T>(stopped: &mut Option<Stopped>, found: Result<T, Stopped>) -> Option<T> {
    found.map_err(|reason| *stopped.get_or_insert(reason)).ok()
}

/// The most nodes for the scores of all columns without `--analyze`: some tenths of a second.
const CHEAP: u64 = 2_000_000;

pub(super) fn one_by_one(
    lines: impl Iterator<Item = io::Result<Line>>,
    solver: &mut dyn Solve,
    terms: Terms<'_>,
    printer: &mut Printer<'_>,
) -> Result<()> {
    for line in lines {
        if printer.show(terms.outcome(solver, &line?)?)?.is_break() || terms.interrupt.is_set() {
            break;
        }
    }
    Ok(())
}

/// Answers the `given` lines, or else those of stdin as they come. Each of `solvers` searches one with one thread.
pub(super) fn side_by_side(
    given: Vec<Line>,
    mut solvers: Vec<Box<dyn Solve>>,
    terms: Terms<'_>,
    printer: &mut Printer<'_>,
) -> Result<()> {
    let arriving = if given.is_empty() { Some(arriving(terms.args.reader())?) } else { None };
    let mut ahead: VecDeque<_> = given.into_iter().map(Ok).collect();
    // The number of lines that were taken and not answered yet. While it is not 0, a signal does not end the process.
    let open = &AtomicUsize::new(0);
    let next = move || {
        while let Some(lines) = arriving.as_ref().filter(|_| ahead.is_empty()) {
            let wait = || lines.recv_timeout(LOOKS_EVERY);
            let is_idle = open.load(Ordering::Relaxed) == 0;
            match if is_idle { terms.interrupt.idle(wait) } else { wait() } {
                Ok(lines) => ahead.extend(lines),
                Err(RecvTimeoutError::Timeout) if !terms.interrupt.is_set() => {}
                Err(_) => return None,
            }
        }
        open.fetch_add(1, Ordering::Relaxed);
        ahead.pop_front()
    };
    let work = |solver: &mut Box<dyn Solve>, line: io::Result<Line>| terms.outcome(&mut **solver, &line?);
    // If stdout is closed, searches end as if they were interrupted.
    in_order(&mut solvers, std::iter::from_fn(next), terms.interrupt.flag(), work, |outcome| {
        let shown = printer.show(outcome?);
        open.fetch_sub(1, Ordering::Relaxed);
        shown
    })
}

impl Answer {
    /// The fields as text. `no_move` is the score of a column that cannot be played, `no_line` an empty line of play.
    pub(super) fn fields(&self, no_move: &str, no_line: &str) -> Vec<String> {
        let Answer { moves, score, nodes, microseconds, columns, pv, .. } = self;
        let mut fields = vec![moves.clone(), score.to_string(), nodes.to_string(), microseconds.to_string()];
        let columns = columns.iter().flatten();
        fields.extend(columns.map(|score| score.map_or(no_move.to_string(), |score| score.to_string())));
        fields.extend(pv.iter().map(|line| if line.is_empty() { no_line.to_string() } else { line.clone() }));
        fields
    }
}
