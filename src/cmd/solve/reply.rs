//! What became of a line: it is found out by any thread, and shown by one.

use super::input::{Asked, NumberedLine, first_word, parse};
use super::printer::Printer;
use super::{Answered, Args, SolveFormat, answer};
use anyhow::Result;
use c4lab_cli::{Exit, output};
use c4lab_measure::sets::test_set::print_moves;
use c4lab_solver::game::score::Score;
use c4lab_solver::search::{Limits, Solve, Stopped};
use indicatif::ProgressBar;
use std::fmt::Display;
use std::io::{self, IsTerminal};
use std::ops::ControlFlow;

pub(super) struct Reply {
    number: usize,
    outcome: ReplyOutcome,
}

enum ReplyOutcome {
    /// There is no position in it: its first word, and why.
    Bad(String, String),
    Stopped(String, Stopped),
    Answered(Box<Answered>, Option<Score>),
}

pub(super) fn reply_to(
    line: &NumberedLine,
    solver: &mut dyn Solve,
    (args, format): (&Args, SolveFormat),
    limits: &Limits<'_>,
) -> Result<Reply> {
    let outcome = match parse(args.solver.board, &line.text) {
        Err(reason) => ReplyOutcome::Bad(first_word(&line.text), reason),
        Ok(Asked { position, score }) => {
            let moves = print_moves(&position);
            match answer(solver, position, (args, format), limits)? {
                Ok(answered) => ReplyOutcome::Answered(Box::new(answered), score),
                Err(stopped) => ReplyOutcome::Stopped(moves, stopped),
            }
        }
    };
    Ok(Reply { number: line.number, outcome })
}

pub(super) struct Desk<'a> {
    args: &'a Args,
    printer: Printer,
    what: &'static str,
    /// Counts what is shown, where a person sees nothing else.
    bar: ProgressBar,
    pub(super) exit: Exit,
}

impl<'a> Desk<'a> {
    pub(super) fn open(args: &'a Args, format: SolveFormat, from_stdin: bool) -> Result<Self> {
        let sees_nothing = from_stdin && !io::stdin().is_terminal() && !io::stdout().is_terminal();
        let bar = if sees_nothing { output::progress_count("answered") } else { ProgressBar::hidden() };
        let what = if from_stdin { "line" } else { "argument" };
        Ok(Desk { args, printer: Printer::new(args, format)?, what, bar, exit: Exit::Success })
    }

    /// Prints a reply, and what is to be said of it. Breaks where an interrupt cut it short: nothing comes behind it.
    pub(super) fn show(&mut self, reply: Reply) -> Result<ControlFlow<()>> {
        let Reply { number, outcome } = reply;
        let mut interrupted = None;
        match outcome {
            ReplyOutcome::Bad(word, reason) => {
                self.complain(number, &reason);
                self.printer.print_unanswered(&word, &reason)?;
                self.ends_with(Exit::Failure);
            }
            ReplyOutcome::Answered(answered, expected) => {
                self.printer.print(&answered)?;
                let found = answered.solution.score;
                if let Some(score) = expected.filter(|score| self.args.goal.of(*score) != found) {
                    self.complain(number, format_args!("the score is {found}, not {score}"));
                    self.ends_with(Exit::Wrong);
                }
                if let Some(stopped) = answered.stopped {
                    self.complain(number, format_args!("the score is there, not all of the rest: {stopped}"));
                    self.ends_with(Exit::Incomplete);
                    interrupted = Some(stopped);
                }
            }
            ReplyOutcome::Stopped(moves, stopped) => {
                self.complain(number, stopped);
                if !matches!(stopped, Stopped::Interrupted(_)) {
                    self.printer.print_unanswered(&moves, &stopped.to_string())?;
                }
                self.ends_with(Exit::Incomplete);
                interrupted = Some(stopped);
            }
        }
        self.bar.inc(1);
        let is_over = matches!(interrupted, Some(Stopped::Interrupted(_)));
        Ok(if is_over { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
    }

    pub(super) fn ends_with(&mut self, exit: Exit) {
        self.exit = self.exit.max(exit);
    }

    fn complain(&self, number: usize, message: impl Display) {
        self.bar.suspend(|| c4lab_cli::complain(format_args!("{} {number}: {message}", self.what)));
    }
}

impl Drop for Desk<'_> {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}
