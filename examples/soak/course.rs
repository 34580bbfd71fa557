//! The course of a soak: stops at moments drawn from a seed, and after each the same command again.
//!
//! A stop is a kill that cannot be caught, or a full disk, in a drawn order. Most kills come after so many more rows, every fifth at some moment of
//! the start, before the first. After every third the last row is torn, too: a kill does not, a power cut may. In the end
//! every cell must have one row.

use super::full::{Fill, copy};
use super::watch::Watch;
use anyhow::{Context, Result, bail, ensure};
use c4lab_measure::sets::draw::Draw;
use std::error::Error;
use std::fmt;
use std::fs;
use std::path::PathBuf;
use std::process::{Command, ExitStatus, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

/// Positions of the set.
const POSITIONS: usize = 1000;
/// Bytes of a row, about.
const ROW: u64 = 500;
/// The longest that a stop is waited for.
const PATIENCE: Duration = Duration::from_secs(300);

/// What is done.
#[derive(Debug)]
pub(crate) struct Course {
    pub(crate) binary: PathBuf,
    /// The folder to measure into, not there yet.
    pub(crate) out: PathBuf,
    pub(crate) variants: Vec<String>,
    /// Cells, at least.
    pub(crate) cells: usize,
    pub(crate) kills: usize,
    pub(crate) fills: usize,
    pub(crate) fill: Fill,
    pub(crate) seed: u64,
}

/// What came of it.
#[derive(Debug, Default)]
pub(crate) struct Tally {
    pub(crate) cells: usize,
    pub(crate) rows: usize,
    pub(crate) kills: usize,
    /// Kills before the first row of their process.
    pub(crate) early: usize,
    pub(crate) fills: usize,
    /// Lines that a stop left torn.
    pub(crate) torn: usize,
    /// Lines that were torn by hand.
    pub(crate) torn_by_hand: usize,
    /// The longest from a start to its first row.
    pub(crate) slowest_start: Duration,
    pub(crate) elapsed: Duration,
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Tally { cells, rows, kills, early, fills, torn, torn_by_hand, .. } = self;
        writeln!(f, "cells            {cells}")?;
        writeln!(f, "rows             {rows}, each cell once")?;
        writeln!(f, "kills            {kills}, of them {early} before the first row")?;
        writeln!(f, "full disks       {fills}")?;
        writeln!(f, "torn lines       {torn}, and {torn_by_hand} by hand, all dropped and measured again")?;
        writeln!(f, "slowest start    {:.2} s", self.slowest_start.as_secs_f64())?;
        write!(f, "time             {:.0} s", self.elapsed.as_secs_f64())
    }
}

/// A process came to its end before it could be stopped.
#[derive(Debug)]
pub(crate) struct TooFewCells(ExitStatus);

impl fmt::Display for TooFewCells {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "it came to its end before it could be stopped, {}: more cells, or fewer kills", self.0)
    }
}

impl Error for TooFewCells {}

/// How a process is stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stop {
    Kill,
    Early,
    Full,
}

impl Course {
    /// Goes through it.
    ///
    /// # Errors
    /// The first thing that does not hold.
    pub(crate) fn run(&self, mut say: impl FnMut(&str)) -> Result<Tally> {
        ensure!(!self.out.exists(), "{} is there already", self.out.display());
        let begun = Instant::now();
        let (mut watch, mut draw) = (Watch::new(&self.out), Draw::new(self.seed, "soak"));
        let mut tally = Tally { cells: self.all_cells(), ..Tally::default() };
        let mut stops = self.stops();
        draw.shuffle(&mut stops);
        for (index, &stop) in stops.iter().enumerate() {
            // So many rows more: up to one and a half times an equal share of those that are missing.
            let share = (tally.cells - watch.rows) / (stops.len() - index + 1);
            let more = 1 + draw.below((share * 3 / 2).max(1));
            self.stop(stop, more, &mut watch, &mut draw, &mut tally)?;
            watch.look().with_context(|| format!("after stop {}, {stop:?}", index + 1))?;
            say(&format!("stop {} of {}, {stop:?}: {} of {} rows", index + 1, stops.len(), watch.rows, tally.cells));
            if index % 3 == 2 && watch.rows > 0 {
                watch.tear(|length| draw.below(length))?;
                tally.torn_by_hand += 1;
            }
        }
        self.finish(&mut watch, &mut tally)?;
        tally.elapsed = begun.elapsed();
        Ok(tally)
    }

    /// The stops, not yet in the order they come.
    fn stops(&self) -> Vec<Stop> {
        let kill = |index: usize| if index % 5 == 4 { Stop::Early } else { Stop::Kill };
        (0..self.kills).map(kill).chain(vec![Stop::Full; self.fills]).collect()
    }

    /// Passes over the set, and positions of each.
    fn passes(&self) -> (usize, usize) {
        let positions = POSITIONS.min(self.cells.div_ceil(self.variants.len()));
        (self.cells.div_ceil(self.variants.len() * positions), positions)
    }

    fn all_cells(&self) -> usize {
        let (passes, positions) = self.passes();
        passes * positions * self.variants.len()
    }

    fn command(&self) -> Command {
        let (passes, positions) = self.passes();
        let mut command = Command::new(&self.binary);
        command.args(["measure", "--quiet", "--test-sets", "end-easy", "--variants", &self.variants.join(",")]);
        command.args(["--limit", &positions.to_string(), "--repetitions", &passes.to_string(), "--out"]);
        command.arg(&self.out).stdin(Stdio::null());
        command
    }

    fn stop(&self, stop: Stop, more: usize, watch: &mut Watch, draw: &mut Draw, tally: &mut Tally) -> Result<()> {
        match stop {
            Stop::Full => {
                self.fill_up(more, watch)?;
                tally.fills += 1;
            }
            Stop::Kill => {
                self.kill_after_rows(more, watch, draw, tally)?;
                tally.kills += 1;
            }
            Stop::Early => {
                let before = watch.bytes();
                let moment = tally.slowest_start.mul_f64(draw.below(1000) as f64 / 1000.0);
                let mut child = self.command().stdout(Stdio::null()).stderr(Stdio::null()).spawn()?;
                sleep(moment);
                child.kill()?;
                child.wait()?;
                tally.kills += 1;
                tally.early += usize::from(watch.bytes() <= before);
            }
        }
        Ok(())
    }

    /// Kills a process after about so many rows more, and some microseconds.
    fn kill_after_rows(&self, more: usize, watch: &Watch, draw: &mut Draw, tally: &mut Tally) -> Result<()> {
        let (start, before) = (Instant::now(), watch.bytes());
        let mut child = self.command().stdout(Stdio::null()).stderr(Stdio::null()).spawn()?;
        let mut first = None;
        while watch.bytes() < before + more as u64 * ROW {
            if let Some(status) = child.try_wait()? {
                bail!(TooFewCells(status));
            }
            if watch.bytes() > before + ROW {
                first.get_or_insert_with(|| start.elapsed());
            }
            if start.elapsed() > PATIENCE {
                child.kill()?;
                bail!("no row for {PATIENCE:?}");
            }
            sleep(Duration::from_millis(1));
        }
        tally.slowest_start = tally.slowest_start.max(first.unwrap_or_default());
        sleep(Duration::from_micros(draw.below(3000) as u64));
        child.kill()?;
        child.wait()?;
        Ok(())
    }

    /// Lets a process run until its disk is full, after about so many rows.
    fn fill_up(&self, more: usize, watch: &Watch) -> Result<()> {
        // A manifest is written beside the rows, and is not what is to fail each time.
        let room = more as u64 * ROW + (16 << 10);
        let output = self.fill.run(&self.command(), &self.out, watch.bytes(), room)?;
        let message = String::from_utf8_lossy(&output.stderr).into_owned();
        ensure!(output.status.code() == Some(1), "a full disk: {}, {message}", output.status);
        ensure!(message.contains("cannot write") && !message.contains("panicked"), "a full disk: {message}");
        Ok(())
    }

    /// Lets it come to its end, and looks at everything that it leaves.
    fn finish(&self, watch: &mut Watch, tally: &mut Tally) -> Result<()> {
        let measure = || copy(&self.command()).output();
        let output = measure()?;
        let message = String::from_utf8_lossy(&output.stderr).into_owned();
        ensure!(output.status.success(), "the last run: {}, {message}", output.status);
        watch.look()?;
        ensure!(watch.rows == tally.cells, "{} rows of {} cells", watch.rows, tally.cells);
        let bytes = watch.bytes();
        ensure!(measure()?.status.success() && watch.bytes() == bytes, "one more run added to what is whole");
        watch.look()?;
        (tally.rows, tally.torn) = (watch.rows, watch.torn - tally.torn_by_hand);
        let mut names: Vec<String> = fs::read_dir(&self.out)?
            .map(|entry| Ok(entry?.file_name().to_string_lossy().into_owned()))
            .collect::<Result<_>>()?;
        names.sort();
        ensure!(names == ["manifest.json", "samples.csv", "summary.csv"], "left behind: {names:?}");
        Ok(())
    }
}
