//! A team: threads that search one position together, over one table.
//!
//! ```text
//! leader    alone for some nodes | asks a question of the root ------------ | hears the answer | asks the next ...
//! helper    sleeps               | searches the same node                   | sleeps
//! helper    sleeps               | ...
//! ```
//!
//! The leader is the thread that called `solve`. It asks its root's questions one after the other, as a search on one
//! thread does. It answers small questions alone, and puts larger ones to the team; the first answer counts. No thread
//! writes to the table after a question is closed, so the leader can clear, save or read it then.
//!
//! In a team of two, each thread has a second, small table for the nodes that it searches alone, which are nearly all.
//! An entry that one thread writes and another reads goes from core to core, and on some machines that takes longer
//! than a new search. The bounds of the highest of these nodes go into the shared table. Three threads or more share one
//! table for all nodes: with tables of their own, each would repeat the work of others.
//!
//! A thread of a team looks around at regular intervals (`member.rs`): the question may be answered, a node on its path
//! decided, or the table about to grow. The table grows while all threads wait.
//!
//! All threads search the same node. A later thread skips moves that other threads are at, until no other move is left
//! (J.-C. Weill, "The ABDADA distributed minimax search algorithm"): `member.rs`. [`Parting`] sets where they part,
//! `meeting.rs` keeps their marks. On the champion it took fewer nodes than young brothers wait, and than threads that
//! share only the table.

pub(super) mod meeting;
pub(super) mod member;

use crate::axes::Search;
use crate::axes::table::{SharedTable, Table};
use crate::game::Geometry;
use crate::search::registry::{ABLATIONS, CHAMPION};
use crate::search::searcher::{Searcher, table_of};
use crate::search::threads::{Threads, ThreadsError};
use crate::search::variant::Variant;
use meeting::Meeting;
use std::sync::Arc;
use std::thread::{Builder, JoinHandle};

/// Nodes that the leader enters alone before it puts a later question to its team.
pub(super) const ALONE_EACH: u64 = 1_000;
/// Nodes between two looks around.
pub(super) const LOOKS_EVERY: u64 = 256;
/// Looks around for each time that a thread probes its path without a notice.
pub(super) const LOOKS_UNTOLD: u64 = 16;

/// The most threads of a team whose members have tables of their own. In a simulation of the champion on begin-hard,
/// four threads with such tables take 1.5 times the nodes of one thread, eight take 1.9; with a shared table 1.4 and
/// 1.5, by the same parting (`results/2026-11-26-threads`).
const MOST_WITH_OWN_TABLES: u32 = 2;
/// The most bytes of a thread's own table.
const OWN_BYTES: u64 = 16 << 20;
/// The least bytes of the shared table if each thread has one of its own. Each of its few entries is the work of many
/// nodes, so it would grow late.
const SHARED_BYTES: u64 = 1 << 20;

/// The nodes that a team searches together, and those at which a move is left to other threads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Parting {
    /// Nodes with this many stones or more are searched by one thread.
    alone_from: u32,
    /// With fewer stones no move is left to other threads: all threads go into one move, and part further down. A move
    /// nearer to the root is a large search, which is lost if the move turns out not to matter.
    leaves_from: u32,
    /// Nodes with this many stones or more are neither marked nor tested for marks. Threads with tables of their own do
    /// not mark nodes that one thread searches: they are small, and rarely searched twice at once.
    unmarked_from: u32,
}

impl Parting {
    /// The parting of `threads` on the boards of `g`, by the number of empty squares. In simulations it takes the
    /// fewest nodes on begin-hard (`partings.txt` and `partings-many.txt` in `results/2026-11-26-threads`). The more
    /// nodes two threads with their own tables share, the more they wait for each other: with 18 in place of 20 they
    /// take fewer nodes, and more time (`trials.txt` in `results/2026-11-27-threads`).
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
            // The drop of the team ends the threads that have started.
            team.threads.push(started.map_err(|error| ThreadsError::Refused(threads.count, error.to_string()))?);
        }
        Ok(team)
    }
}

impl<V: Variant> Drop for Team<V> {
    fn drop(&mut self) {
        self.meeting.end();
        for thread in self.threads.drain(..) {
            // A thread that panicked has reported it, and so has its search.
            let _ = thread.join();
        }
    }
}

/// True if a search is compiled for threads: the champion, and with the feature `ablations` [`AtRunTime`].
pub(super) const fn has_threads<V: Variant>() -> bool {
    match V::FIXED {
        Some(spec) => matches!(spec, CHAMPION),
        None => ABLATIONS,
    }
}

impl<V: Variant> Searcher<V> {
    /// A table for one of `threads` threads alone, if they are few enough.
    fn own_table(&self, threads: Threads) -> Result<Option<V::Table>, ThreadsError> {
        if threads.count > MOST_WITH_OWN_TABLES {
            return Ok(None);
        }
        let table = table_of(self.variant, self.table.bytes().min(OWN_BYTES));
        table.map(Some).map_err(|error| ThreadsError::Refused(threads.count, error.to_string()))
    }

    /// Sets the number of threads that search a position together; they end with the searcher. Scores do not depend on
    /// threads. Node counts do, and vary from run to run.
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
            // The limit may stop it: by then the team has searched.
            let limits = Limits { nodes: Some(20_000), ..Limits::default() };
            let _ = searcher.solve(&position, Goal::Weak, &limits);
            let own = searcher.own.as_ref().unwrap();
            assert_eq!(own.arrangement().generation(), searcher.table.arrangement().generation());
            assert!(own.bytes() <= 1 << 20, "no larger than the table of all");
            generations.push(own.arrangement().generation());
            searcher.reset();
        }
        assert!(generations.windows(2).all(|two| two[0] != two[1]), "{generations:?}");
        for threads in [3, 1] {
            searcher.use_threads(Threads::of(threads)).unwrap();
            assert!(searcher.own.is_none(), "{threads}");
        }
    }
}
