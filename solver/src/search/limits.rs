//! Limits: they stop a search before it has a result.

use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Limits of one search. The default has none.
#[derive(Clone, Copy, Debug, Default)]
pub struct Limits<'a> {
    /// The most nodes a search may enter.
    pub nodes: Option<u64>,
    /// The longest that a search may take. The clock is read every 4096 nodes, and when a test is put off. Time counts
    /// from the first reading, so a shorter search does not pay for it. A limit of zero stops at once.
    pub time: Option<Duration>,
    /// A flag that another thread, or a signal, sets to stop the search.
    pub interrupt: Option<&'a AtomicBool>,
}

/// The reason why a search stopped without a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stopped {
    /// The node limit was reached; the nodes entered.
    Nodes(u64),
    /// The time limit was reached; the nodes entered.
    Time(u64),
    /// The interrupt flag was set; the nodes entered.
    Interrupted(u64),
    /// The solver failed, for a reason of its own; no solver of this crate does.
    Failed,
    /// The position has another board size than the solver.
    OtherBoard,
    /// The solver finds only the winner ([`Spec::goals`](crate::search::Spec::goals)).
    OtherGoal,
}

impl Stopped {
    /// Nodes entered before the search stopped.
    pub fn nodes(self) -> u64 {
        match self {
            Stopped::Nodes(nodes) | Stopped::Time(nodes) | Stopped::Interrupted(nodes) => nodes,
            Stopped::Failed | Stopped::OtherBoard | Stopped::OtherGoal => 0,
        }
    }

    /// This reason, with the nodes of all threads.
    pub(super) fn after(self, nodes: u64) -> Self {
        match self {
            Stopped::Nodes(_) => Stopped::Nodes(nodes),
            Stopped::Time(_) => Stopped::Time(nodes),
            Stopped::Interrupted(_) => Stopped::Interrupted(nodes),
            other => other,
        }
    }
}

impl fmt::Display for Stopped {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Stopped::Nodes(nodes) => write!(f, "node limit reached after {nodes} nodes"),
            Stopped::Time(nodes) => write!(f, "time limit reached after {nodes} nodes"),
            Stopped::Interrupted(nodes) => write!(f, "interrupted after {nodes} nodes"),
            Stopped::Failed => f.write_str("the solver failed"),
            Stopped::OtherBoard => f.write_str("the position is of another board than the solver"),
            Stopped::OtherGoal => f.write_str("this solver finds only the winner: it serves only the goal weak"),
        }
    }
}

impl std::error::Error for Stopped {}

/// Counts the nodes of a search and stops it. The hot path is one comparison.
#[derive(Debug)]
pub(super) struct Budget<'a> {
    pub(super) nodes: u64,
    /// The node count of the next check of the limits.
    check_at: u64,
    limits: Limits<'a>,
    /// The node count at which the current test is put off, if it may be.
    put_off_at: Option<u64>,
    /// The node count at which the current test goes to a team, if there is one.
    gather_at: Option<u64>,
    start: Option<Instant>,
    pub(super) stopped: Option<Stopped>,
}

/// Nodes between two readings of the clock.
const CHECK_EVERY: u64 = 4096;

impl<'a> Budget<'a> {
    pub(super) fn new(limits: &Limits<'a>) -> Self {
        let at_once = limits.time == Some(Duration::ZERO) || is_set(limits.interrupt);
        let watched = limits.time.is_some() || limits.interrupt.is_some();
        let first = if watched { CHECK_EVERY } else { u64::MAX }.min(limits.nodes.unwrap_or(u64::MAX));
        let check_at = if at_once { 0 } else { first };
        Budget { nodes: 0, check_at, limits: *limits, put_off_at: None, gather_at: None, start: None, stopped: None }
    }

    #[inline(always)]
    pub(super) fn is_due(&self) -> bool {
        self.nodes == self.check_at
    }

    #[inline(always)]
    pub(super) fn count(&mut self) {
        self.nodes += 1;
    }

    pub(super) fn check(&mut self) -> bool {
        self.is_spent();
        let pauses = self.is_put_off() || self.gathers();
        self.check_at = (self.nodes + CHECK_EVERY).min(self.limits.nodes.unwrap_or(u64::MAX));
        for at in [self.put_off_at, self.gather_at].into_iter().flatten().filter(|at| *at > self.nodes) {
            self.check_at = self.check_at.min(at);
        }
        self.stopped.is_some() || pauses
    }

    pub(super) fn is_spent(&mut self) -> bool {
        let Limits { nodes, time, interrupt } = self.limits;
        self.stopped = if nodes.is_some_and(|most| self.nodes >= most) {
            Some(Stopped::Nodes(self.nodes))
        } else if time.is_some_and(|most| self.start.get_or_insert_with(Instant::now).elapsed() >= most) {
            Some(Stopped::Time(self.nodes))
        } else if is_set(interrupt) {
            Some(Stopped::Interrupted(self.nodes))
        } else {
            // The team has no node left: that was found elsewhere, and stays.
            self.stopped.filter(|stopped| matches!(stopped, Stopped::Nodes(_)))
        };
        self.stopped.is_some()
    }

    /// The team has no node left. Another limit reached earlier stays.
    pub(super) fn spend_all(&mut self) {
        self.stopped = self.stopped.or(Some(Stopped::Nodes(self.nodes)));
    }

    pub(super) fn nodes_left(&self) -> u64 {
        self.limits.nodes.map_or(u64::MAX, |most| most.saturating_sub(self.nodes))
    }

    pub(super) fn add(&mut self, nodes: u64) {
        self.nodes += nodes;
        self.check_at = self.nodes;
    }

    /// Checks the limits after `nodes` nodes, or sooner.
    pub(super) fn look_after(&mut self, nodes: u64) {
        self.check_at = self.check_at.max(self.nodes).min(self.nodes + nodes);
    }

    /// The current test goes to the team after `nodes` more nodes; `None` for never.
    pub(super) fn gather_after(&mut self, nodes: Option<u64>) {
        self.gather_at = nodes.map(|nodes| self.nodes + nodes);
        self.check_at = self.check_at.min(self.gather_at.unwrap_or(u64::MAX));
    }

    /// True if the last test stopped because it goes to a team.
    pub(super) fn gathers(&self) -> bool {
        self.stopped.is_none() && !self.is_put_off() && self.gather_at.is_some_and(|at| self.nodes >= at)
    }

    /// The next test is put off after `nodes` nodes, one at least. It stops as at a limit, but another test may follow.
    pub(super) fn put_off_after(&mut self, nodes: Option<u64>) {
        self.put_off_at = nodes.map(|nodes| self.nodes + nodes.max(1));
        self.check_at = self.check_at.min(self.put_off_at.unwrap_or(u64::MAX));
    }

    /// True if the last test stopped because it was put off, and not at a limit.
    pub(super) fn is_put_off(&self) -> bool {
        self.stopped.is_none() && self.put_off_at.is_some_and(|at| self.nodes >= at)
    }
}

fn is_set(flag: Option<&AtomicBool>) -> bool {
    flag.is_some_and(|flag| flag.load(Ordering::Relaxed))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn must_stop(budget: &mut Budget<'_>) -> bool {
        if budget.is_due() && budget.check() {
            return true;
        }
        budget.count();
        false
    }

    #[test]
    fn a_question_that_is_put_off_is_no_limit() {
        let timed = Limits { time: Some(Duration::from_secs(1000)), ..Limits::default() };
        for limits in [Limits::default(), timed] {
            let mut budget = Budget::new(&limits);
            for (patience, stops_at) in [(Some(10), 10), (None, 9_010), (Some(5_000), 14_010), (Some(0), 14_011)] {
                budget.put_off_after(patience);
                let most = budget.nodes + 9_000;
                while budget.nodes < most && !must_stop(&mut budget) {}
                assert_eq!((budget.nodes, budget.is_put_off()), (stops_at, patience.is_some()));
            }
            assert_eq!(budget.stopped, None);
        }
        let mut budget = Budget::new(&Limits { nodes: Some(10), ..Limits::default() });
        budget.put_off_after(Some(10));
        while !must_stop(&mut budget) {}
        assert_eq!((budget.stopped, budget.is_put_off()), (Some(Stopped::Nodes(10)), false));
    }

    #[test]
    fn a_question_is_put_to_a_team_and_others_nodes_count() {
        let mut budget = Budget::new(&Limits { nodes: Some(5_000), ..Limits::default() });
        budget.gather_after(Some(100));
        while !must_stop(&mut budget) {}
        assert_eq!((budget.nodes, budget.gathers(), budget.stopped, budget.nodes_left()), (100, true, None, 4_900));
        // A member of a team has its checks set from outside, and counts the nodes of others as its own in the end.
        budget.gather_after(None);
        budget.look_after(0);
        assert!(budget.is_due() && !budget.check() && !budget.gathers());
        budget.add(1_000);
        budget.gather_after(Some(50));
        while !must_stop(&mut budget) {}
        assert_eq!((budget.nodes, budget.gathers()), (1_150, true));
        budget.gather_after(None);
        while !must_stop(&mut budget) {}
        assert_eq!((budget.stopped, budget.gathers()), (Some(Stopped::Nodes(5_000)), false));
        // A limit found elsewhere stays.
        let mut budget = Budget::new(&Limits::default());
        budget.spend_all();
        assert!(budget.check() && budget.is_spent());
        assert_eq!(budget.stopped.map(|stopped| stopped.after(7)), Some(Stopped::Nodes(7)));
    }
}
