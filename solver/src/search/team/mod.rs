//! A team: threads that search one position together, over one table.
//!
//! ```text
//! leader    alone for some nodes | asks a question of the root ------------ | hears the answer | asks the next ...
//! helper    sleeps               | searches the same node, or what is offered | sleeps
//! helper    sleeps               | ...
//! ```
//!
//! The leader is the thread that called `solve`. It asks its root's questions one after the other, as a search of one thread does. Each
//! small question it answers alone. A larger one it puts to the team; the first answer is everybody's. Nobody writes to the table when the
//! question is closed, so the leader can clear, save or read it then.
//!
//! Each of two threads has a second, small table for the nodes that it searches alone, which are nearly all. What one thread writes and
//! another reads goes from core to core, and on some machines that takes longer than to search it again. What is found out of the highest of
//! these nodes is written to the table that all share. More threads share one table for all nodes: they meet so often that each would
//! search again what others know.
//!
//! A thread of a team looks around every so many nodes (`member.rs`). So it learns that the question is answered, that a node on its way is
//! decided, or that the table is to grow. The table grows while all of them wait.
//!
//! All threads search the same node. A thread that comes later leaves out moves that others are at, until nothing else is left (J.-C. Weill,
//! "The ABDADA distributed minimax search algorithm"): `member.rs`. Where they part is said by [`Parting`]. Where others are is said by
//! `meeting.rs`. On the champion it took fewer nodes than young brothers wait, and than threads that meet in the table alone.

pub(super) mod meeting;
pub(super) mod member;

use crate::axes::Search;
use crate::axes::table::Table;
use crate::game::Geometry;
use crate::search::registry::{ABLATIONS, CHAMPION};
use crate::search::searcher::Searcher;
use crate::search::spec::Spec;
use crate::search::threads::{Threads, ThreadsError};
use crate::search::variant::Variant;
use meeting::Meeting;
use std::sync::Arc;
use std::thread::{Builder, JoinHandle};

/// Nodes that the leader enters alone before it puts a later question to its team.
pub(super) const ALONE_EACH: u64 = 1_000;
/// Nodes between two looks around.
pub(super) const LOOKS_EVERY: u64 = 256;
/// Of so many times that a thread looks around, it looks its way up once, even if nobody told it to.
pub(super) const LOOKS_UNTOLD: u64 = 16;

/// The most threads of a team whose members have tables of their own. By simulation of the champion on begin-hard such tables take 1.5 times
/// the nodes of one thread with four threads and 1.9 with eight; a shared one took 1.4 and 1.5 by the same way to part (`results/2026-11-26-threads`).
const MOST_WITH_OWN_TABLES: u32 = 2;
/// The most bytes of a table that a thread of a team has for itself.
const OWN_BYTES: u64 = 16 << 20;
/// The bytes that the table of all has at least where each thread has one of its own. What stands in it is the work of many nodes, and few
/// are written, so it would grow late.
const SHARED_BYTES: u64 = 1 << 20;

/// Which nodes a team searches together, and at which of them a move is left to others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Parting {
    /// Nodes with so many stones or more are searched by one thread.
    alone_from: u32,
    /// With fewer stones no move is left to others: all threads go into the same move, and part further down. A move nearer to the root is a
    /// large search; if it turns out not to matter, all of it is lost.
    leaves_from: u32,
    /// A thread that goes to a node with so many stones or more does not mark it, and asks for nobody there. Threads with tables of their
    /// own mark no node that one of them searches: it is small, and rarely searched twice at once.
    unmarked_from: u32,
}

impl Parting {
    /// Where so many threads part on the boards of a geometry, by how many squares are empty. By simulation they take the fewest nodes so on
    /// begin-hard (`partings.txt` and `partings-many.txt` in `results/2026-11-26-threads`). The more nodes two threads with tables of their
    /// own share, the more they wait for each other: with 18 in the place of 20 they take fewer nodes, and more time (`trials.txt` in
    /// `results/2026-11-27-threads`).
    fn of<G: Geometry>(g: G, threads: Threads) -> Self {
        let has_own_tables = threads.count <= MOST_WITH_OWN_TABLES;
        let (least, most) = if has_own_tables { (20, 38) } else { (18, 32) };
        let alone_from = (g.cells() + 1).saturating_sub(least);
        Parting {
            alone_from,
            leaves_from: g.cells().saturating_sub(most),
            unmarked_from: if has_own_tables { alone_from } else { u32::MAX },
        }
    }
}

/// A table that nobody shares: for nodes that one thread of a team searches.
pub(super) struct OwnTable<T> {
    pub(super) table: T,
    /// The generation of the shared table when this one was cleared last.
    pub(super) generation: u32,
}

pub(super) struct Team<V: Variant> {
    pub(super) meeting: Arc<Meeting<V>>,
    threads: Vec<JoinHandle<()>>,
}

impl<V: Variant> Team<V> {
    fn start(leader: &Searcher<V>, threads: Threads) -> Result<Self, ThreadsError> {
        let meeting = Arc::new(Meeting::new(threads));
        let mut team = Team { meeting, threads: Vec::new() };
        for id in 1..threads.count {
            let mut helper = leader.twin().ok_or(ThreadsError::Table)?;
            helper.own = leader.own_table(threads)?;
            let meeting = Arc::clone(&team.meeting);
            let started = Builder::new().name(format!("search {id}")).spawn(move || meeting.help(helper, id));
            // Those that have started are told to end when the team is dropped.
            team.threads.push(started.map_err(|error| ThreadsError::Refused(threads.count, error.to_string()))?);
        }
        Ok(team)
    }
}

impl<V: Variant> Drop for Team<V> {
    fn drop(&mut self) {
        self.meeting.end();
        for thread in self.threads.drain(..) {
            // One that panicked has said so, and the search that it was part of did, too.
            let _ = thread.join();
        }
    }
}

/// Whether a search is compiled for threads, too: the champion is, and with the feature `ablations` the search that takes any choice.
pub(super) const fn has_threads<V: Variant>() -> bool {
    match V::FIXED {
        Some(spec) => is_champion(spec),
        None => ABLATIONS,
    }
}

/// Whether a choice is that of the champion on the axes on which others differ.
const fn is_champion(spec: Spec) -> bool {
    spec.search as u8 == CHAMPION.search as u8
        && spec.threats as u8 == CHAMPION.threats as u8
        && spec.order as u8 == CHAMPION.order as u8
        && spec.zugzwang as u8 == CHAMPION.zugzwang as u8
        && spec.enhanced as u8 == CHAMPION.enhanced as u8
        && spec.root as u8 == CHAMPION.root as u8
        && spec.key as u8 == CHAMPION.key as u8
        && spec.table as u8 == CHAMPION.table as u8
}

impl<V: Variant> Searcher<V> {
    /// A table for one of so many threads alone, if they are few enough.
    fn own_table(&self, threads: Threads) -> Result<Option<OwnTable<V::Table>>, ThreadsError> {
        if threads.count > MOST_WITH_OWN_TABLES {
            return Ok(None);
        }
        let table = self.table_like(self.table.bytes().min(OWN_BYTES));
        let table = table.map_err(|error| ThreadsError::Refused(threads.count, error.to_string()))?;
        Ok(Some(OwnTable { table, generation: 0 }))
    }

    /// From now on so many threads search a position together; they end with the searcher. With 1 it searches alone, as before.
    ///
    /// Scores do not depend on threads. Nodes do, and from one run to the next.
    pub fn use_threads(&mut self, threads: Threads) -> Result<(), ThreadsError> {
        if threads.count == 1 {
            (self.team, self.own) = (None, None);
            return Ok(());
        }
        threads.is_possible()?;
        if self.variant.spec().search != Search::Children {
            return Err(ThreadsError::Search);
        }
        if self.table.twin().is_none() {
            return Err(ThreadsError::Table);
        }
        if !const { has_threads::<V>() } {
            return Err(ThreadsError::Variant);
        }
        let (own, team) = (self.own_table(threads)?, Team::start(self, threads)?);
        (self.own, self.team) = (own, Some(team));
        Ok(())
    }

    pub(super) fn threads(&self) -> u32 {
        self.team.as_ref().map_or(1, |team| team.meeting.threads.count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Position;
    use crate::search::registry::Champion;
    use crate::search::{Goal, Limits, Options, Solve};

    #[test]
    fn a_table_of_one_thread_is_cleared_with_the_table_of_all() {
        let mut searcher = Searcher::new(Champion, &Options::with_tt(1 << 20)).unwrap();
        assert!(searcher.own.is_none());
        searcher.use_threads(Threads { alone: 0, ..Threads::of(2) }).unwrap();
        let position = Position::parse("44444222").unwrap();
        let mut generations = Vec::new();
        for _ in 0..3 {
            // It may be stopped: it has been put to the team by then.
            let limits = Limits { nodes: Some(20_000), ..Limits::default() };
            let _ = searcher.solve(&position, Goal::Weak, &limits);
            let own = searcher.own.as_ref().unwrap();
            assert_eq!(own.generation, searcher.table.arrangement().generation());
            assert!(own.table.bytes() <= 1 << 20, "no larger than the table of all");
            generations.push(own.generation);
            searcher.reset();
        }
        assert!(generations.windows(2).all(|two| two[0] != two[1]), "{generations:?}");
        for threads in [3, 1] {
            searcher.use_threads(Threads::of(threads)).unwrap();
            assert!(searcher.own.is_none(), "{threads}");
        }
    }
}
