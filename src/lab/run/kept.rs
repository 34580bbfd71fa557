//! Kept: a search that survives being stopped. Its table is saved while it runs, and another process goes on with it.
//!
//! A search cannot be saved while it runs. So it has a limit, a save interval long. When it stops there it is saved, and asked again: the
//! table answers what was known. Saving takes at most a twentieth of the time: after a save of s seconds the next one waits 19 s at least.
//!
//! The new file is written beside the old one, and takes its place when all of it is on the disk. A save that fails is told, and the
//! search goes on.

use crate::lab::clock::{Clock, SystemClock};
use crate::lab::files::atomic::{self, PendingFile};
use crate::lab::sets::test_set::print_moves;
use anyhow::{Context, Result, bail};
use c4lab_solver::game::Position;
use c4lab_solver::search::{Goal, Limits, Progress, Resumed, SaveError, SavedHead, Solved, Solver, Stopped};
use std::fs::File;
use std::io::BufReader;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// How long a search runs before it is saved, unless it is told otherwise.
pub const SAVE_EVERY: Duration = Duration::from_secs(600);

/// A search runs at least so long before it is saved, so that it gets on.
const LEAST: Duration = Duration::from_millis(100);

/// How many times as long as a save the search runs before the next one.
const TIMES_A_SAVE: u32 = 19;

/// Bytes that are written at once.
const BUFFER: usize = 1 << 20;

/// A search that is saved.
#[derive(Debug)]
pub struct KeptSearch {
    /// Where it is saved; nowhere, where it only goes on with one.
    file: Option<PathBuf>,
    every: Duration,
    /// What earlier processes did of it.
    before: Progress,
}

impl KeptSearch {
    /// A search that begins. The folder of its file is looked at: whether it can be written to, and has room for a table as large as the
    /// solver's may become.
    ///
    /// # Errors
    /// The solver cannot be saved, or the folder not be written to.
    pub fn begin(file: Option<PathBuf>, every: Duration, solver: &dyn Solver) -> Result<Self> {
        if let Some(file) = &file {
            if solver.saved_bytes().is_none() {
                return Err(SaveError::Unsupported).with_context(|| format!("cannot save into {}", file.display()));
            }
            drop(PendingFile::create(file)?);
            atomic::sweep(file);
        }
        Ok(KeptSearch { file, every: every.max(LEAST), before: Progress::default() })
    }

    /// Goes on with a saved search of that position and goal, which the solver reads.
    ///
    /// # Errors
    /// It was saved by another search, is damaged, or cannot be read.
    pub fn resume(
        &mut self,
        saved: &Path,
        solver: &mut dyn Solver,
        (position, goal): (&Position, Goal),
    ) -> Result<Resumed> {
        let cannot = || format!("cannot go on with {}", saved.display());
        let head = head_of(saved)?;
        let (moves, own) = (&head.progress.moves, print_moves(position));
        if *moves != own || head.progress.goal != goal {
            let (was, asked) = (head.progress.goal.name(), goal.name());
            bail!("{}: saved by a search of {moves} with the goal {was}, not of {own} with the goal {asked}", cannot());
        }
        let mut file = open(saved)?;
        let resumed = solver.load(&mut file).with_context(cannot)?;
        self.before = resumed.progress.clone();
        Ok(resumed)
    }

    /// What earlier processes did.
    pub fn before(&self) -> &Progress {
        &self.before
    }

    /// Solves a position, and saves the search every now and then, and where it stops. The limits are this process's, and so are the nodes.
    /// `tell` is told what went wrong with a save, and `None` when the search stopped and is saved.
    pub fn solve(
        &self,
        solver: &mut dyn Solver,
        (position, goal): (&Position, Goal),
        limits: &Limits<'_>,
        tell: &mut dyn FnMut(Option<anyhow::Error>),
    ) -> Result<Solved, Stopped> {
        let Some(file) = &self.file else { return solver.solve(position, goal, limits) };
        let (begun, mut clock, mut nodes, mut wait) = (Instant::now(), SystemClock::default(), 0, self.every);
        let threads = solver.threads();
        let cpu_begun = clock.cpu_of(threads);
        loop {
            let left = limits.time.map(|time| time.saturating_sub(begun.elapsed()));
            let part = Limits {
                time: Some(left.map_or(wait, |left| left.min(wait))),
                nodes: limits.nodes.map(|most| most.saturating_sub(nodes)),
                ..*limits
            };
            let stopped = match solver.solve(position, goal, &part) {
                Ok(solved) => return Ok(Solved { nodes: nodes + solved.nodes, ..solved }),
                Err(stopped) => stopped,
            };
            nodes += stopped.nodes();
            let cpu = clock.cpu_of(threads).zip(cpu_begun).map(|(end, begun)| end - begun);
            let progress = Progress {
                moves: print_moves(position),
                goal,
                nodes: self.before.nodes + nodes,
                wall_ns: self.before.wall_ns + begun.elapsed().as_nanos() as u64,
                cpu_ns: cpu.and_then(|cpu| Some(cpu + if self.before.nodes == 0 { 0 } else { self.before.cpu_ns? })),
            };
            let save_begun = Instant::now();
            let saved = save(file, solver, &progress);
            wait = self.every.max(TIMES_A_SAVE * save_begun.elapsed());
            let ends = match stopped {
                Stopped::Time(_) if left.is_none_or(|left| left > wait_of(&part)) => None,
                Stopped::Time(_) => Some(Stopped::Time(nodes)),
                Stopped::Nodes(_) => Some(Stopped::Nodes(nodes)),
                Stopped::Interrupted(_) => Some(Stopped::Interrupted(nodes)),
                other => Some(other),
            };
            match saved {
                Err(error) => tell(Some(error)),
                Ok(()) if ends.is_some() => tell(None),
                Ok(()) => {}
            }
            if let Some(stopped) = ends {
                return Err(stopped);
            }
        }
    }
}

/// The time that a part of a search had.
fn wait_of(part: &Limits<'_>) -> Duration {
    part.time.unwrap_or_default()
}

/// What a saved search says of itself.
///
/// # Errors
/// The file cannot be read, or is none.
pub fn head_of(saved: &Path) -> Result<SavedHead> {
    SavedHead::read(&mut open(saved)?).with_context(|| format!("cannot go on with {}", saved.display()))
}

fn open(saved: &Path) -> Result<BufReader<File>> {
    let file = File::open(saved).with_context(|| format!("cannot read {}", saved.display()))?;
    Ok(BufReader::with_capacity(BUFFER, file))
}

/// Saves a search in place of what was saved before.
fn save(file: &Path, solver: &dyn Solver, progress: &Progress) -> Result<()> {
    let needed = solver.saved_bytes().unwrap_or_default();
    if let Some(free) = room_beside(file).filter(|free| *free < needed) {
        bail!("{}: not saved: it takes up to {needed} bytes, and the disk has {free} left", file.display());
    }
    PendingFile::create(file)?.finish_with(BUFFER, |mut out| match solver.save(progress, &mut out) {
        Err(SaveError::Io(error)) => Err(error),
        other => other.map_err(std::io::Error::other),
    })
}

/// Bytes that a file's folder has room for, where the system says so.
#[cfg(unix)]
pub fn room_beside(file: &Path) -> Option<u64> {
    let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let system = rustix::fs::statvfs(folder).ok()?;
    Some(system.f_bavail.saturating_mul(system.f_frsize))
}

/// Bytes that a file's folder has room for: not known here.
#[cfg(not(unix))]
pub fn room_beside(_: &Path) -> Option<u64> {
    None
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::io::Write;

    /// A search with a table that no disk holds.
    struct Enormous;

    impl Solver for Enormous {
        fn reset(&mut self) {}

        fn solve(&mut self, _: &Position, _: Goal, limits: &Limits<'_>) -> Result<Solved, Stopped> {
            Err(Stopped::Nodes(limits.nodes.unwrap_or_default()))
        }

        fn saved_bytes(&self) -> Option<u64> {
            Some(u64::MAX)
        }

        fn save(&self, _: &Progress, out: &mut dyn Write) -> Result<(), SaveError> {
            Ok(out.write_all(b"the begin of a table")?)
        }
    }

    #[test]
    fn a_disk_without_room_is_told_and_keeps_what_was_saved() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("search.saved");
        std::fs::write(&file, "saved before").unwrap();
        let kept = KeptSearch::begin(Some(file.clone()), SAVE_EVERY, &Enormous).unwrap();
        let mut told = Vec::new();
        let limits = Limits { nodes: Some(7), ..Limits::default() };
        let stopped = kept.solve(&mut Enormous, (&Position::start(), Goal::Weak), &limits, &mut |saved| {
            told.push(saved.map_or_else(|| "saved".to_owned(), |error| format!("{error:#}")));
        });
        assert!(matches!(stopped, Err(Stopped::Nodes(7))), "{stopped:?}");
        assert!(
            told.len() == 1 && told[0].contains(&format!("not saved: it takes up to {} bytes", u64::MAX)),
            "{told:?}"
        );
        assert_eq!(std::fs::read_to_string(&file).unwrap(), "saved before");
        assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 1, "nothing else is left");
    }
}
