//! Many positions on threads: each is searched by one thread, so it takes the nodes that one thread takes, each time.
//!
//! Lines of stdin come when they come. One that is alone is searched by all threads together, for somebody waits for it. As soon as two are
//! there at once, there is work for each thread: from then on every line is one thread's.

use super::input::{NumberedLine, arriving};
use super::reply::{Desk, Reply, reply_to};
use super::{Args, SolveFormat};
use anyhow::Result;
use c4lab_cli::interrupt::Interrupt;
use c4lab_measure::in_order::in_order;
use c4lab_solver::search::{Limits, Solve};
use std::collections::VecDeque;
use std::io;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::Duration;

/// How long a line waits for a second one: a program that writes several needs less, a person who types more.
const AT_ONCE: Duration = Duration::from_millis(20);

/// How often somebody who waits for a line looks whether it is all over.
const LOOKS_EVERY: Duration = Duration::from_millis(50);

#[derive(Clone, Copy)]
pub(super) struct SearchTerms<'a> {
    pub(super) args: &'a Args,
    pub(super) format: SolveFormat,
    pub(super) interrupt: &'a Interrupt,
    pub(super) limits: Limits<'a>,
}

impl SearchTerms<'_> {
    pub(super) fn reply(&self, solver: &mut dyn Solve, line: &NumberedLine) -> Result<Reply> {
        reply_to(line, solver, (self.args, self.format), &self.limits)
    }
}

pub(super) fn one_by_one(
    lines: impl Iterator<Item = io::Result<NumberedLine>>,
    solver: &mut dyn Solve,
    terms: SearchTerms<'_>,
    desk: &mut Desk<'_>,
) -> Result<()> {
    for line in lines {
        if desk.show(terms.reply(solver, &line?)?)?.is_break() || terms.interrupt.is_set() {
            break;
        }
    }
    Ok(())
}

/// Answers the lines of stdin: `team` searches one position with all threads, `workers` one with each. `None`: there is no such team.
pub(super) fn as_they_come(
    mut team: Option<Box<dyn Solve>>,
    workers: impl FnOnce() -> Result<Vec<Box<dyn Solve>>>,
    terms: SearchTerms<'_>,
    desk: &mut Desk<'_>,
) -> Result<()> {
    let lines = arriving()?;
    let mut ahead = VecDeque::new();
    while let Some(team) = &mut team {
        let Ok(first) = terms.interrupt.idle(|| lines.recv()) else { return Ok(()) };
        ahead.extend(first);
        if ahead.len() == 1 {
            ahead.extend(lines.recv_timeout(AT_ONCE).into_iter().flatten());
        }
        if ahead.len() > 1 {
            break;
        }
        one_by_one(ahead.drain(..), &mut **team, terms, desk)?;
        if terms.interrupt.is_set() {
            return Ok(());
        }
    }
    // Its table goes first.
    drop(team);
    let open = AtomicUsize::new(0);
    let arriving = Arriving { ahead, lines, interrupt: terms.interrupt, open: &open };
    side_by_side(arriving, workers()?, terms, |reply| {
        let shown = desk.show(reply);
        open.fetch_sub(1, Ordering::Relaxed);
        shown
    })
}

/// Answers lines with a thread for each solver, and shows the replies in the order of the lines.
pub(super) fn side_by_side(
    lines: impl Iterator<Item = io::Result<NumberedLine>> + Send,
    mut solvers: Vec<Box<dyn Solve>>,
    terms: SearchTerms<'_>,
    mut show: impl FnMut(Reply) -> Result<ControlFlow<()>>,
) -> Result<()> {
    let work = |solver: &mut Box<dyn Solve>, line: io::Result<NumberedLine>| terms.reply(&mut **solver, &line?);
    // Where nobody reads the answers any more, searches end as if they were interrupted.
    in_order(&mut solvers, lines, terms.interrupt.flag(), work, |reply| show(reply?))
}

struct Arriving<'a> {
    ahead: VecDeque<io::Result<NumberedLine>>,
    lines: Receiver<Vec<io::Result<NumberedLine>>>,
    interrupt: &'a Interrupt,
    /// Lines that were taken and are not shown yet. While there is one, a signal does not end the process at once.
    open: &'a AtomicUsize,
}

impl Iterator for Arriving<'_> {
    type Item = io::Result<NumberedLine>;

    fn next(&mut self) -> Option<Self::Item> {
        while self.ahead.is_empty() {
            let wait = || self.lines.recv_timeout(LOOKS_EVERY);
            let is_idle = self.open.load(Ordering::Relaxed) == 0;
            match if is_idle { self.interrupt.idle(wait) } else { wait() } {
                Ok(lines) => self.ahead.extend(lines),
                Err(RecvTimeoutError::Timeout) if !self.interrupt.is_set() => {}
                Err(_) => return None,
            }
        }
        let line = self.ahead.pop_front()?;
        self.open.fetch_add(1, Ordering::Relaxed);
        Some(line)
    }
}
