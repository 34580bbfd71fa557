//! Foreign: an engine as a [`Solve`].
//!
//! The program reads one request a line, and answers each with one line. [`form`] defines both lines, [`process`] keeps
//! the program running.
//!
//! ```text
//! c4lab    44455554221 strong          ->  stdin of the program
//! program  44455554221 -15 1234 567    ->  stdout: moves score nodes microseconds
//! ```
//!
//! No behaviour of the program can stop a measurement. A garbled or missing answer, a crash, or a closed pipe is a
//! [`Failure`] of that search; a late answer is [`Stopped::Time`]. Then the program is ended, with all that it started,
//! and the next search restarts it. The time between request and answer has no other work of ours.

pub mod form;
pub mod group;
pub mod process;

use crate::engines::{Contestant, EngineFigures, Failure};
use crate::files::sample::Status;
use c4lab_solver::game::{BoardSize, Position};
use c4lab_solver::search::limits::{Limits, Stopped};
use c4lab_solver::search::solver::{Goal, Solve, Solved};
use form::{Answer, Form};
use process::{Ending, Process, ProgramCommand, shorten};
use serde::{Deserialize, Serialize};
use std::time::{Duration, Instant};

/// Least and greatest time that a program may take to start or to reset; in between, it is the time limit of a search.
const PATIENCE: [Duration; 2] = [Duration::from_secs(1), Duration::from_secs(10)];
const MOST_ASIDES: usize = 1000;
/// The first question after every start, in which the mover wins at once.
const FIRST_QUESTION: &str = "121212";

/// The way in which a program is reset between positions.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(
    rename_all = "lowercase",
    deny_unknown_fields,
    expecting = "reset is \"none\", \"restart\" or { line = \"...\", answer = \"...\" }"
)]
pub enum Reset {
    #[default]
    None,
    Restart,
    /// The line that resets a program, and the program's answer to it; `None` if it gives no answer.
    #[serde(untagged)]
    Line {
        line: String,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        answer: Option<String>,
    },
}

impl Reset {
    pub fn name(&self) -> &'static str {
        match self {
            Reset::None => "none",
            Reset::Restart => "restart",
            Reset::Line { .. } => "line",
        }
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum EngineProtocol {
    /// The program is started once, and reads a line for every position.
    #[default]
    Lines,
    /// The program is started for every position, and reads the position as its only input.
    Input,
    /// The program is started for every position, which comes after its own arguments.
    Arguments,
}

impl EngineProtocol {
    pub fn is_lines(&self) -> bool {
        *self == EngineProtocol::Lines
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Program {
    pub board: BoardSize,
    pub command: ProgramCommand,
    pub greets: bool,
    /// True if the program is asked `FIRST_QUESTION` after every start. Its answer is not checked, and only shows that
    /// the program is ready.
    pub asked_first: bool,
    pub form: Form,
    pub reset: Reset,
    pub protocol: EngineProtocol,
}

impl Program {
    fn start(&self, limits: &Limits<'_>) -> Result<Process, Ending> {
        let mut process = Process::start(&self.command)?;
        let deadline = Some(Instant::now() + patience(limits));
        if self.greets {
            process.read_line(deadline, limits.interrupt).map_err(|ending| late(ending, "greeting", limits))?;
        }
        if self.asked_first {
            let what = "first question";
            let position =
                Position::parse_on(self.board, FIRST_QUESTION).unwrap_or_else(|_| Position::start_on(self.board));
            let request = self.form.request(&position, Goal::Weak);
            let named = |ending| late(ending, what, limits);
            process.send(&request, |line| self.form.is_aside(line, &position)).map_err(named)?;
            // Any answer shows that the program is ready.
            let _ = self.listen(&mut process, &position, deadline, limits).map_err(named)?;
            if process.unread(|line| self.form.is_aside(line, &position)).map_err(named)?.is_some() {
                let reason = "more than one line; if the program prints a greeting, set greeting = true";
                return Err(Ending::garbled(format!("{what}: {reason}")));
            }
        }
        Ok(process)
    }

    fn forget(&self, mut process: Process, limits: &Limits<'_>) -> Result<Process, Ending> {
        let Reset::Line { line, answer } = &self.reset else { return Ok(process) };
        let named = |ending| late(ending, "reset", limits);
        let deadline = Some(Instant::now() + patience(limits));
        let nowhere = Position::start_on(self.board);
        process.send(line, |line| self.form.is_aside(line, &nowhere)).map_err(named)?;
        if let Some(expected) = answer {
            let answer = process.read_line(deadline, limits.interrupt).map_err(named)?;
            if answer.trim() != expected {
                return Err(Ending::garbled(format!("the answer to the reset is {answer:?}, not {expected:?}")));
            }
        }
        Ok(process)
    }

    pub(super) fn call(&self, request: &str) -> Result<Process, Ending> {
        let mut command = self.command.clone();
        if self.protocol == EngineProtocol::Arguments {
            command.words.extend(request.split_whitespace().map(str::to_string));
        }
        let mut process = Process::start(&command)?;
        if self.protocol == EngineProtocol::Input {
            process.send(request, |_| true)?;
        }
        process.close_input();
        Ok(process)
    }

    /// The next answer after skipped lines, or the reason why a line is not a valid answer.
    fn listen(
        &self,
        process: &mut Process,
        position: &Position,
        deadline: Option<Instant>,
        limits: &Limits<'_>,
    ) -> Result<Result<(Answer, EngineFigures), String>, Ending> {
        let mut aside = None;
        for _ in 0..MOST_ASIDES {
            let line = process.read_line(deadline, limits.interrupt).map_err(|ending| match (ending, &aside) {
                (Ending::Late, Some(aside)) => {
                    let reason = format!("no answer in time; the program wrote {aside:?}, which is not an answer");
                    Ending::Failed(Failure { status: Status::Timeout, reason })
                }
                (ending, _) => ending,
            })?;
            let shown = || shorten(line.as_bytes());
            match self.form.read(&line, position) {
                Err(_) if self.form.is_aside(&line, position) => aside = aside.or_else(|| Some(shown())),
                answer => return Ok(answer.map_err(|reason| format!("{:?}: {reason}", shown()))),
            }
        }
        let aside = aside.unwrap_or_default();
        Err(Ending::garbled(format!("{MOST_ASIDES} lines and no answer; the first is {aside:?}")))
    }
}

#[derive(Debug)]
pub struct Foreign {
    program: Program,
    process: Option<Process>,
    figures: EngineFigures,
    forgets: bool,
    /// The error of the last preparation. The next search reports it.
    trouble: Option<Ending>,
}

impl Foreign {
    /// A solver that starts `program` at the first search.
    pub fn new(program: Program) -> Self {
        Foreign { program, process: None, figures: EngineFigures::default(), forgets: false, trouble: None }
    }

    /// Starts the program if it is not running, and resets it if `forgets` is set.
    fn ready(&mut self, limits: &Limits<'_>) -> Result<(), Ending> {
        let forgets = std::mem::take(&mut self.forgets);
        let running = self.process.take().filter(|_| !(forgets && self.program.reset == Reset::Restart));
        self.process = Some(match running {
            Some(process) if forgets => self.program.forget(process, limits)?,
            Some(process) => process,
            // A program that was just started needs no reset.
            None => self.program.start(limits)?,
        });
        Ok(())
    }

    /// Sends `position` and waits for the program's answer: a score, scores of all columns, or a move.
    pub fn ask(&mut self, position: &Position, goal: Goal, limits: &Limits<'_>) -> Result<Answer, Stopped> {
        self.figures = EngineFigures::default();
        let answer = match self.trouble.take() {
            Some(ending) => Err(ending),
            None => self.answer(position, goal, limits),
        };
        answer.map_err(|ending| self.stopped(ending))
    }

    fn stopped(&mut self, ending: Ending) -> Stopped {
        // The program may still be busy with this position when the next one is sent.
        self.process = None;
        match ending {
            Ending::Late => Stopped::Time(0),
            Ending::Interrupted => Stopped::Interrupted(0),
            Ending::Failed(failure) => {
                self.figures.failure = Some(failure);
                Stopped::Failed
            }
        }
    }

    fn answer(&mut self, position: &Position, goal: Goal, limits: &Limits<'_>) -> Result<Answer, Ending> {
        let request = self.program.form.request(position, goal);
        let is_lines = self.program.protocol.is_lines();
        if is_lines {
            self.ready(limits)?;
        } else {
            self.process = None;
        }
        let deadline = limits.time.map(|time| Instant::now() + time);
        let (program, form) = (&self.program, &self.program.form);
        let is_aside = |line: &str| form.is_aside(line, position);
        let process = match &mut self.process {
            Some(process) => {
                process.send(&request, is_aside)?;
                process
            }
            none => none.insert(program.call(&request)?),
        };
        let (answer, figures) = program.listen(process, position, deadline, limits)?.map_err(Ending::garbled)?;
        // Later lines of a program that is started for each position are not read.
        if is_lines && let Some(more) = process.unread(is_aside)? {
            return Err(Ending::garbled(format!("more than one line; the next is {more:?}")));
        }
        self.figures = figures;
        Ok(answer)
    }
}

fn patience(limits: &Limits<'_>) -> Duration {
    limits.time.unwrap_or(PATIENCE[1]).clamp(PATIENCE[0], PATIENCE[1])
}

fn late(ending: Ending, what: &str, limits: &Limits<'_>) -> Ending {
    match ending {
        Ending::Failed(failure) => Ending::Failed(Failure { reason: format!("{what}: {}", failure.reason), ..failure }),
        Ending::Late => {
            let reason = format!("{what}: no line within {} s; is its output flushed?", patience(limits).as_secs());
            Ending::Failed(Failure { status: Status::Timeout, reason })
        }
        Ending::Interrupted => Ending::Interrupted,
    }
}

impl Solve for Foreign {
    fn reset(&mut self) {
        self.forgets = true;
    }

    fn board_size(&self) -> BoardSize {
        self.program.board
    }

    fn solve(&mut self, position: &Position, goal: Goal, limits: &Limits<'_>) -> Result<Solved, Stopped> {
        match self.ask(position, goal, limits)? {
            // The nodes that the engine reports are in `figures`.
            Answer::Score(score) => Ok(Solved { score: goal.of(score), nodes: 0 }),
            _ => Err(self.stopped(Ending::garbled("no score in the answer".to_string()))),
        }
    }
}

impl Contestant for Foreign {
    fn prepare(&mut self, limits: &Limits<'_>) {
        if !self.program.protocol.is_lines() {
            // The program of the last position ends here, outside of the next search's time.
            self.process = None;
        } else if self.trouble.is_none() {
            self.trouble = self.ready(limits).err();
        }
    }

    fn figures(&self) -> Option<&EngineFigures> {
        Some(&self.figures)
    }
}

#[cfg(test)]
mod tests;
