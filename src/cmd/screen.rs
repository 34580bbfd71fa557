//! The screen: what a person sees while something is measured.

use crate::cmd::forecast::Forecast;
use c4lab_cli::solver::ignored_size;
use c4lab_cli::{complain, output};
use c4lab_measure::files::sample::Sample;
use c4lab_measure::plan::plan::Plan;
use c4lab_measure::run::measure::{Observer, Upcoming};
use c4lab_measure::text::pluralize;
use c4lab_solver::search::Goal;
use indicatif::{HumanDuration, ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::path::Path;
use std::time::{Duration, Instant};

const TOLD_EVERY: Duration = Duration::from_millis(250);

pub(super) struct Screen {
    pub(super) bar: ProgressBar,
    quiet: bool,
    folder: String,
    pub(super) process: Option<(u32, u64)>,
    forecast: Forecast<(String, String, Goal)>,
    last: Instant,
    told: Option<Instant>,
}

impl Screen {
    pub(super) fn new(quiet: bool, folder: &Path) -> Self {
        let bar = ProgressBar::new(0);
        // Draws nothing where stderr is no terminal; redraws only when a row is added: nothing of ours runs beside it.
        bar.set_draw_target(if quiet { ProgressDrawTarget::hidden() } else { ProgressDrawTarget::stderr_with_hz(4) });
        let style = ProgressStyle::with_template("{bar:30} {pos}/{len} cells{msg}");
        bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
        let folder = folder.display().to_string();
        Screen { bar, quiet, folder, process: None, forecast: Forecast::default(), last: Instant::now(), told: None }
    }

    pub(super) fn say(&self, message: &str) {
        if !self.quiet {
            self.bar.suspend(|| output::say(message));
        }
    }

    /// A table size was asked for, but some variants have sizes of their own.
    pub(super) fn fixed_tables(&self, plan: &Plan) {
        for name in plan.variants().filter(|_| plan.experiment.tt.is_some()) {
            if let Some(reason) = name.ignores_options() {
                self.say(&format!("c4lab: {}", ignored_size(name.text(), reason)));
            }
        }
    }
}

impl Observer for Screen {
    fn start(&mut self, missing: &[Upcoming<'_>], there: usize) {
        self.bar.set_length(missing.len() as u64);
        let kind = |cell: &Upcoming<'_>| (cell.set.to_string(), cell.variant.to_string(), cell.goal);
        (self.forecast, self.last) = (Forecast::of(missing.iter().map(kind)), Instant::now());
        let resumed = if there > 0 { format!(", {there} are there") } else { String::new() };
        let process = self.process.map_or(String::new(), |(process, of)| format!("process {process} of {of}: "));
        let cells = pluralize(missing.len(), "cell");
        self.say(&format!("{process}measuring {cells}{resumed}; rows go to {}", self.folder));
    }

    fn grows(&mut self, more: &[String]) {
        self.say(&format!("added to what is in {}: {}", self.folder, more.join(", ")));
    }

    fn row(&mut self, sample: &Sample) {
        let took = std::mem::replace(&mut self.last, Instant::now()).elapsed();
        self.forecast.done((sample.set.clone(), sample.variant.clone(), sample.goal), took);
        self.bar.inc(1);
        // Reckoning takes longer than many a cell.
        if self.told.is_none_or(|told| told.elapsed() > TOLD_EVERY) {
            // A variant that has not begun on a set is taken for the others there.
            let left = self.forecast.left(|(set, _, goal), (other, _, other_goal)| (set, goal) == (other, other_goal));
            let left = left.map_or(String::new(), |left| format!(", {} left", HumanDuration(left)));
            self.bar.set_message(format!("{left}  {} {}", sample.set, sample.goal.name()));
            self.told = Some(Instant::now());
        }
    }

    fn warn(&mut self, message: &str) {
        self.bar.suspend(|| complain(message));
    }
}
