//! A search that is saved, and one that goes on: `--save`, `--resume`.

use super::Args;
use crate::cmd::values::duration;
use crate::cmd::{Usage, complain};
use anyhow::Result;
use c4lab::lab::run::kept::{KeptSearch, SAVE_EVERY, head_of, room_beside};
use c4lab::report::sheets::units::grouped;
use c4lab_solver::game::Position;
use c4lab_solver::search::{Limits, Resumed, Solved, Solver, Stopped};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Where a search is saved, and what it goes on with.
#[derive(Debug, clap::Args)]
pub(super) struct KeepArgs {
    /// Save the search of one position now and then, and when it is stopped: --resume goes on with it
    #[arg(long, value_name = "FILE", conflicts_with = "explain")]
    save: Option<PathBuf>,
    /// Go on with a saved search, of the same board and variant; without MOVES, of the position that it was saved with
    #[arg(long, value_name = "FILE", conflicts_with = "explain")]
    resume: Option<PathBuf>,
    /// How often to save; less often where saving would take more than a twentieth of the time [default: 10m]
    #[arg(long, value_name = "DURATION", value_parser = duration, requires = "save")]
    save_every: Option<Duration>,
}

impl KeepArgs {
    /// The moves of the one position, where it is not told by the arguments.
    ///
    /// # Errors
    /// There are several, or none to save.
    pub(super) fn moves(&self, given: usize) -> Result<Option<String>> {
        match (&self.save, &self.resume) {
            (None, None) => Ok(None),
            _ if given > 1 => Err(Usage("--save and --resume are for one position".to_string()).into()),
            (_, Some(file)) if given == 0 => Ok(Some(head_of(file)?.progress.moves)),
            (Some(_), None) if given == 0 => {
                Err(Usage("--save: of which position? Give its moves, - for the empty board".to_string()).into())
            }
            _ => Ok(None),
        }
    }
}

/// Solves a position, whose search is saved or goes on where that is asked for. The solver was reset.
pub(super) fn solve(
    solver: &mut dyn Solver,
    position: &Position,
    args: &Args,
    limits: &Limits<'_>,
) -> Result<Result<Solved, Stopped>> {
    let (keep, asked) = (&args.keep, (position, args.goal));
    if keep.save.is_none() && keep.resume.is_none() {
        return Ok(solver.solve(position, args.goal, limits));
    }
    let every = keep.save_every.unwrap_or(SAVE_EVERY);
    let mut kept = KeptSearch::begin(keep.save.clone(), every, solver)?;
    if let Some(file) = &keep.resume {
        let Resumed { progress, slots } = kept.resume(file, solver, asked)?;
        let (board, moves) = (position.size(), &progress.moves);
        let (slots, nodes) = (grouped(&slots.to_string()), grouped(&progress.nodes.to_string()));
        complain(format_args!(
            "{}: {board}, position {moves}, {slots} slots of the table, {nodes} nodes so far",
            file.display()
        ));
    }
    if let Some(file) = &keep.save {
        warn_of_a_small_disk(file, solver.table_bytes());
    }
    let mut tell = |failed: Option<anyhow::Error>| match (failed, &keep.save) {
        (Some(error), _) => complain(format_args!("warning: {error:#}")),
        (None, Some(file)) => {
            let file = file.display();
            complain(format_args!("saved in {file}: the same command goes on with --resume {file}"));
        }
        (None, None) => {}
    };
    let answer = kept.solve(solver, asked, limits, &mut tell);
    if let (Ok(solved), true) = (&answer, keep.resume.is_some()) {
        let before = kept.before().nodes;
        let [all, before] = [before + solved.nodes, before].map(|nodes| grouped(&nodes.to_string()));
        complain(format_args!("{all} nodes in all, {before} of them before"));
    }
    Ok(answer)
}

/// Says so where the disk may have no room for the table when it has grown.
fn warn_of_a_small_disk(file: &Path, bytes: u64) {
    if let Some(free) = room_beside(file).filter(|free| *free < bytes) {
        complain(format_args!(
            "warning: {}: the table may grow to {bytes} bytes, and the disk has {free} left",
            file.display()
        ));
    }
}
