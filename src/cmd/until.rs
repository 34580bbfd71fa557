//! `c4lab measure --until 3%`: measures on, by more positions and passes, until the headline intervals are narrow.

use anyhow::Result;
use c4lab_cli::values::duration;
use c4lab_cli::{Exit, complain};
use c4lab_measure::files::manifest::Manifest;
use c4lab_measure::plan::experiment::Experiment;
use c4lab_measure::plan::growth::growth;
use c4lab_measure::plan::plan::Plan;
use c4lab_report::results::Results;
use c4lab_report::until::{Amount, Headline, NextStep, headlines, next};
use std::ops::ControlFlow;
use std::path::Path;
use std::time::{Duration, Instant};

/// How long it may take where nothing is said.
const AT_MOST: Duration = Duration::from_secs(600);
/// The most passes where nothing is said.
const MOST_PASSES: u64 = 100;
/// Headlines that are told of at the end.
const TOLD: usize = 8;

/// When to stop.
#[derive(Debug, clap::Args)]
pub struct UntilArgs {
    /// Measure on until the interval of every geometric mean reaches at most so far to either side: first more positions
    /// where the sets have them (--limit is where it begins), then more passes
    #[arg(long, value_name = "PERCENT", value_parser = percent)]
    until: Option<f64>,
    /// With --until: begin nothing that would not be done after so long [default: 10m]
    #[arg(long, value_name = "TIME", requires = "until", value_parser = duration)]
    at_most: Option<Duration>,
    /// With --until: the most passes [default: 100]
    #[arg(long, value_name = "N", requires = "until")]
    at_most_passes: Option<u64>,
    /// How much a process of several measures
    #[arg(long, hide = true, value_parser = grown)]
    pub(super) grown: Option<Grown>,
}

/// Passes, and positions of each set where they are limited: `5,200`, `5,-`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Grown {
    passes: u64,
    positions: Option<usize>,
}

/// The logarithm of what an interval may reach to either side: `3%` is ln 1.03.
fn percent(text: &str) -> Result<f64, String> {
    let number = text.strip_suffix('%').and_then(|number| number.trim().parse::<f64>().ok());
    let percent = number.filter(|percent| *percent >= 0.01 && *percent <= 1000.0);
    percent
        .map(|percent| (percent / 100.0).ln_1p())
        .ok_or_else(|| "write a percentage from 0.01% to 1000%: 3%".to_string())
}

fn grown(text: &str) -> Result<Grown, String> {
    let read = || {
        let (passes, positions) = text.split_once(',')?;
        let positions = if positions == "-" { None } else { Some(positions.parse().ok()?) };
        Some(Grown { passes: passes.parse().ok()?, positions })
    };
    read().ok_or_else(|| "PASSES,POSITIONS".to_string())
}

impl std::fmt::Display for Grown {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let positions = self.positions.map_or("-".to_string(), |positions| positions.to_string());
        write!(f, "{},{positions}", self.passes)
    }
}

impl Grown {
    /// What an experiment measures.
    pub(super) fn of(experiment: &Experiment) -> Self {
        let limits = experiment.runs.iter().map(|run| run.limit.or(experiment.limit));
        Grown { passes: experiment.repetitions, positions: limits.flatten().max() }
    }

    /// The experiment, with so much to measure: limits change, and what has none gets none.
    pub(super) fn apply(self, experiment: &mut Experiment) {
        experiment.repetitions = self.passes;
        if let Some(positions) = self.positions {
            let limits = experiment.runs.iter_mut().map(|run| &mut run.limit).chain([&mut experiment.limit]);
            limits.flatten().for_each(|limit| *limit = positions);
        }
    }
}

/// A measurement that goes on until its intervals are narrow.
pub(super) struct Until {
    target: f64,
    at_most: Duration,
    most_passes: u64,
    began: Instant,
    /// When the measuring that goes on now began, and how many cells were there.
    step: (Instant, usize),
}

impl UntilArgs {
    /// The measurement that was asked for, if one was.
    pub(super) fn begin(&self) -> Option<Until> {
        let target = self.until.filter(|_| self.grown.is_none())?;
        Some(Until {
            target,
            at_most: self.at_most.unwrap_or(AT_MOST),
            most_passes: self.at_most_passes.unwrap_or(MOST_PASSES),
            began: Instant::now(),
            step: (Instant::now(), 0),
        })
    }
}

impl Until {
    /// The plan with what the folder holds more already: the same command goes on where it stopped.
    pub(super) fn take_up(&self, plan: &Plan, folder: &Path) -> Result<Plan> {
        let Some(manifest) = Manifest::read(folder)? else { return Ok(plan.clone()) };
        let mut experiment = plan.experiment.clone();
        Grown::of(&manifest.experiment).apply(&mut experiment);
        let larger = Plan::with_sets(experiment, plan.sets.clone())?;
        let is_there =
            growth(&plan.experiment.shown(), &larger).is_ok() && growth(&manifest.experiment, &larger).is_ok();
        Ok(if is_there { larger } else { plan.clone() })
    }

    /// A measuring begins, where so many rows are.
    pub(super) fn begins(&mut self, rows: usize) {
        self.step = (Instant::now(), rows);
    }

    /// The plan that is measured next, or how it ended. What is said of it goes to `say`, and what is still too wide at the
    /// end to stderr.
    pub(super) fn next(&self, plan: &Plan, results: &Results, say: impl Fn(&str)) -> Result<ControlFlow<Exit, Plan>> {
        let headlines = headlines(results, plan.experiment.seed);
        if headlines.is_empty() {
            complain(
                "--until: no variant has an interval beside the base: one alone, wrong answers, or short times only",
            );
            return Ok(ControlFlow::Break(Exit::Incomplete));
        }
        let amount = amount(plan);
        let step = next(&headlines, self.target, amount, self.most_passes, self.affords(results.rows));
        let grown = Grown::of(&plan.experiment);
        let (grown, what) = match step {
            NextStep::Positions(positions) => {
                (Grown { positions: Some(positions), ..grown }, format!("{positions} positions of each set"))
            }
            NextStep::Passes(passes) => (Grown { passes, ..grown }, format!("{passes} passes")),
            NextStep::Enough => {
                say(&format!("every interval is within {}", shown(self.target)));
                return Ok(ControlFlow::Break(Exit::Success));
            }
            NextStep::MostPasses => {
                return Ok(ControlFlow::Break(self.told(&headlines, "stopped by --at-most-passes")));
            }
            NextStep::NoTime => return Ok(ControlFlow::Break(self.told(&headlines, "stopped by --at-most"))),
            NextStep::NoUse => {
                return Ok(ControlFlow::Break(self.told(&headlines, "stopped, since no further pass would help")));
            }
        };
        let wide = headlines.iter().filter(|headline| headline.is_wide(self.target)).count();
        say(&format!("{wide} of {} intervals are wider than {}: on to {what}", headlines.len(), shown(self.target)));
        let mut experiment = plan.experiment.clone();
        grown.apply(&mut experiment);
        Plan::with_sets(experiment, plan.sets.clone()).map(ControlFlow::Continue)
    }

    /// How many times as much as is there may be measured in the time that is left, as fast as the last.
    fn affords(&self, rows: usize) -> f64 {
        let (took, new) = (self.step.0.elapsed().as_secs_f64(), rows.saturating_sub(self.step.1));
        let left = self.at_most.saturating_sub(self.began.elapsed()).as_secs_f64();
        // Where nothing was measured now, nobody knows: a step is tried while there is time.
        if new == 0 { if left > 0.0 { 1.0 } else { 0.0 } } else { left / (took * rows as f64 / new as f64) }
    }

    fn told(&self, headlines: &[Headline], why: &str) -> Exit {
        let wide: Vec<&Headline> = headlines.iter().filter(|headline| headline.is_wide(self.target)).collect();
        complain(format_args!(
            "{why}; wider than {}: {} of {} intervals",
            shown(self.target),
            wide.len(),
            headlines.len()
        ));
        wide.iter().take(TOLD).for_each(|headline| complain(headline.told(self.target)));
        if wide.len() > TOLD {
            complain(format_args!("and {} more", wide.len() - TOLD));
        }
        Exit::Incomplete
    }
}

fn shown(target: f64) -> String {
    format!("{} %", (target.exp_m1() * 1e4).round() / 100.0)
}

/// How much a plan measures. Positions grow only where all runs have one limit: a variant cannot join positions that
/// others were measured on.
fn amount(plan: &Plan) -> Amount {
    let experiment = &plan.experiment;
    let mut limits: Vec<Option<usize>> = experiment.runs.iter().map(|run| run.limit.or(experiment.limit)).collect();
    limits.dedup();
    let whole = plan.sets.iter().map(|set| set.items.len()).max().unwrap_or_default();
    let positions = match limits.as_slice() {
        [Some(limit)] => Some(((*limit).min(whole), whole)),
        _ => None,
    };
    Amount { passes: experiment.repetitions, positions }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_percentage_is_a_factor_to_either_side() {
        assert!((percent("3%").unwrap() - 1.03_f64.ln()).abs() < 1e-12);
        assert_eq!(shown(percent("2.5 %").unwrap()), "2.5 %");
        assert!(["3", "0%", "x%", "-1%", "2000%", ""].iter().all(|text| percent(text).is_err()));
    }

    #[test]
    fn what_has_grown_is_written_as_it_is_read() {
        for text in ["5,200", "1,-"] {
            assert_eq!(grown(text).unwrap().to_string(), text);
        }
        assert!(grown("5").is_err() && grown("x,3").is_err());
        let mut experiment = Experiment { limit: Some(5), ..Experiment::blank("e") };
        grown("3,9").unwrap().apply(&mut experiment);
        assert_eq!((experiment.repetitions, experiment.limit, experiment.runs[0].limit), (3, Some(9), None));
        assert_eq!(Grown::of(&experiment), grown("3,9").unwrap());
    }
}
