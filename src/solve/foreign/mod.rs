//! Foreign: a program of somebody else's as a [`Solver`].
//!
//! The program reads a request a line and answers a line; [`form`] says how both are written, [`process`] keeps it running.
//!
//! ```text
//! c4lab    44455554221 strong          ->  stdin of the program
//! program  44455554221 2 1234 567      ->  stdout: moves score nodes microseconds
//! ```
//!
//! Nothing that it does can stop a measurement. A late, garbled or missing answer, a crash, a closed pipe: each is a
//! [`Failure`] of that search (late ones [`Stopped::Time`]); the program is ended, with what it started, and the next
//! search starts it anew. Between request and answer nothing is waited for but the answer.

pub mod form;
pub mod process;

use super::limits::{Limits, Stopped};
use super::solver::{Account, Failure, FailureKind, Goal, Solved, Solver};
use crate::game::{Position, Standard};
use form::Form;
use process::{Command, Ending, Process};
use std::time::{Duration, Instant};

/// How long a program may take to start, or to forget.
const PATIENCE: Duration = Duration::from_secs(10);

/// What becomes of all that a program remembers, between positions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reset {
    /// A new process for every position.
    Restart,
    /// Nothing: it remembers what it likes.
    None,
    /// A line is sent; and what is answered to it, if anything is.
    Line(String, Option<String>),
}

/// A program as it is to be run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Program {
    /// How it is started.
    pub command: Command,
    /// Whether it prints a line when it is ready for the first request.
    pub greets: bool,
    /// What is sent and answered.
    pub form: Form,
    /// What is done between positions.
    pub reset: Reset,
}

impl Program {
    /// Starts it, and waits until it is ready if it says so.
    fn start(&self) -> Result<Process, Failure> {
        let mut process = Process::start(&self.command)?;
        if self.greets {
            process.read_line(Some(Instant::now() + PATIENCE), None).map_err(|ending| late(ending, "greeting"))?;
        }
        Ok(process)
    }
}

/// A foreign program, running or not.
#[derive(Debug)]
pub struct Foreign {
    program: Program,
    process: Option<Process>,
    account: Account,
    /// Why it could not be started or reset, told by the next search.
    trouble: Option<Failure>,
}

impl Foreign {
    /// The program, which is started when it is first needed.
    pub fn new(program: Program) -> Self {
        Foreign { program, process: None, account: Account::default(), trouble: None }
    }

    /// The program, which is started unless it runs.
    fn running(&mut self) -> Result<&mut Process, Failure> {
        let process = match self.process.take() {
            Some(process) => process,
            None => self.program.start()?,
        };
        Ok(self.process.insert(process))
    }

    /// Makes it forget.
    fn forget(&mut self) -> Result<(), Failure> {
        match &self.program.reset {
            Reset::None => {}
            Reset::Restart => self.process = None,
            Reset::Line(line, expected) => {
                // A program that was just started has nothing to forget.
                let Some(process) = &mut self.process else { return self.running().map(drop) };
                let deadline = Some(Instant::now() + PATIENCE);
                process.send(line).map_err(|ending| late(ending, "reset"))?;
                if let Some(expected) = expected {
                    let answer = process.read_line(deadline, None).map_err(|ending| late(ending, "reset"))?;
                    if answer.trim() != expected {
                        return Err(Failure::garbled(format!("{answer:?} to the reset, {expected:?} was to come")));
                    }
                }
            }
        }
        self.running().map(drop)
    }

    /// Sends a position and waits for the answer.
    fn ask(&mut self, position: &Position<Standard>, goal: Goal, limits: &Limits<'_>) -> Result<Solved, Ending> {
        let request = self.program.form.request(position, goal);
        let process = self.running().map_err(Ending::Failed)?;
        let deadline = limits.time.map(|time| Instant::now() + time);
        process.send(&request)?;
        let line = process.read_line(deadline, limits.interrupt)?;
        if process.has_more() {
            return Err(Ending::Failed(Failure::garbled(format!("{line:?}, and more than one line"))));
        }
        let answer = self.program.form.read(&line, position);
        let answer = answer.map_err(|reason| Ending::Failed(Failure::garbled(format!("{line:?}: {reason}"))))?;
        self.account = Account { nodes: answer.nodes, ns: answer.ns, failure: None };
        Ok(Solved { score: goal.of(answer.score), nodes: answer.nodes.unwrap_or_default() })
    }
}

/// A start or reset that did not come about.
fn late(ending: Ending, what: &str) -> Failure {
    match ending {
        Ending::Failed(failure) => Failure { reason: format!("{what}: {}", failure.reason), ..failure },
        Ending::Late | Ending::Interrupted => {
            Failure { kind: FailureKind::Other, reason: format!("{what}: no answer within {} s", PATIENCE.as_secs()) }
        }
    }
}

impl Solver for Foreign {
    fn reset(&mut self) {
        if let Err(failure) = self.forget() {
            self.process = None;
            self.trouble = Some(failure);
        }
    }

    fn solve(&mut self, position: &Position<Standard>, goal: Goal, limits: &Limits<'_>) -> Result<Solved, Stopped> {
        self.account = Account::default();
        let answer = match self.trouble.take() {
            Some(failure) => Err(Ending::Failed(failure)),
            None => self.ask(position, goal, limits),
        };
        answer.map_err(|ending| {
            // Whatever it is doing, it is not what is asked next.
            self.process = None;
            match ending {
                Ending::Late => Stopped::Time(0),
                Ending::Interrupted => Stopped::Interrupted(0),
                Ending::Failed(failure) => {
                    self.account.failure = Some(failure);
                    Stopped::Failed
                }
            }
        })
    }

    fn is_repeatable(&self) -> bool {
        matches!(self.program.reset, Reset::Line(..))
    }

    fn account(&self) -> Option<&Account> {
        Some(&self.account)
    }
}

#[cfg(test)]
mod tests;
