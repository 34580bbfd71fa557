//! `c4lab ablate`: leaves out or exchanges each technique of a variant, one at a time, and says what each is worth.

use crate::cmd::compare::quick_sets;
use crate::cmd::measure::{Sizes, measured, show_plan};
use anyhow::{Result, bail};
use c4lab_cli::output::{self, Format};
use c4lab_cli::values::{goal, variant};
use c4lab_cli::{Exit, RunArgs, Usage};
use c4lab_measure::engines::Contestant;
use c4lab_measure::files::atomic;
use c4lab_measure::plan::Plan;
use c4lab_measure::plan::experiment::{Experiment, Run};
use c4lab_measure::plan::shard::Shard;
use c4lab_measure::sets::test_set::TestSet;
use c4lab_measure::text::pluralize;
use c4lab_report::reading::Reading;
use c4lab_report::results::Group;
use c4lab_report::tables::ablation::Ablation;
use c4lab_solver::search::{Goal, Limits, Name, Options, Solve, Spec};
use std::path::Path;
use std::time::{Duration, Instant};

/// Leave out or exchange each technique of a variant, one at a time: what is each worth?
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  c4lab ablate                                          the champion on three sets, less than a minute
  c4lab ablate pons-12 --test-sets middle-medium --limit 300
  c4lab ablate 'champion[order=weighted]' --processes 5 --out runs/ablation
  c4lab report runs/ablation --tables ablation          the same, set by set

A choice that needs more than 20 times the nodes of the variant is left out, and so is one that the variant's other
choices exclude; --verbose says why. Rows go to DIR/samples.csv, a picture to DIR/ablation.svg.
Exit status: 0 all right, 4 a wrong score or differing node counts, 5 interrupted.")]
pub struct Args {
    /// The variant
    #[arg(default_value = "champion", value_parser = variant())]
    variant: Name,
    /// Exact scores (strong), or only who wins (weak)
    #[arg(long, value_name = "GOAL", default_value = "strong", value_parser = goal())]
    goal: Goal,
    #[command(flatten)]
    sizes: Sizes,
    /// Also say why choices are left out
    #[arg(long, short)]
    verbose: bool,
    /// How to print
    #[arg(long, value_enum, default_value_t)]
    format: Format,
    #[command(flatten)]
    run: RunArgs,
}

pub fn run(args: &Args) -> Result<Exit> {
    if !args.variant.spec().goals().contains(&args.goal) {
        return Err(Usage(format!("{} says only who wins: --goal weak", args.variant.text())).into());
    }
    let mut experiment = args.experiment()?;
    let neighbours = args.neighbours(&experiment)?;
    if neighbours.is_empty() {
        bail!("no choice of {} can be changed alone", args.variant.text());
    }
    experiment.runs[0].variants.extend(neighbours);
    if args.sizes.plan {
        return show_plan(&Plan::of(experiment)?, Shard::WHOLE, args.run.out.as_deref(), args.format);
    }
    let folder = args.run.folder(&experiment.name)?;
    let exit = measured(experiment, &folder, args.run.quiet)?;
    if exit != Exit::Success {
        return Ok(exit);
    }
    args.print(&Reading::open(&folder)?, &folder)
}

/// The sets of which those are measured that the variant is not too slow for.
const SETS: [&str; 4] = ["middle-easy", "middle-medium", "begin-easy", "end-easy"];
/// The sets that are measured at most.
const MOST_SETS: usize = 3;
/// The most nodes of a change, as a multiple of those of the variant.
const MOST_NODES: u64 = 20;
const LEAST_NODES: u64 = 1000;
/// The longest that the variant may take for one of the positions that are tried.
const LONGEST: Duration = Duration::from_secs(10);
/// The positions of each set on which the nodes are counted first.
const TRIED: usize = 5;

impl Args {
    fn experiment(&self) -> Result<Experiment> {
        let variants = vec![self.variant.text().to_string()];
        let test_sets = match &self.sizes.test_sets {
            Some(sets) => sets.clone(),
            None => {
                let mut solvers: [Box<dyn Contestant>; 1] = [Box::new(self.variant.build(&Options::default())?)];
                let mut sets = quick_sets(&SETS, &mut solvers, self.goal, self.run.quiet);
                sets.truncate(MOST_SETS);
                sets
            }
        };
        Ok(Experiment {
            about: format!("Each technique of {} left out or exchanged (`c4lab ablate`).", self.variant.text()),
            runs: vec![Run { variants, test_sets, goals: vec![self.goal], limit: None }],
            ..self.sizes.experiment("ablate")
        })
    }

    /// The variants that differ in one choice. Messages name the choices that are left out.
    fn neighbours(&self, experiment: &Experiment) -> Result<Vec<String>> {
        experiment.validate().map_err(Usage::of)?;
        let (options, sets, start) = (experiment.options()?, experiment.test_sets()?, Instant::now());
        let first = Limits { nodes: Some(u64::MAX), time: Some(LONGEST), ..Limits::default() };
        let Some(nodes) = self.nodes(&mut *self.variant.build(&options)?, &sets, first) else {
            let name = self.variant.text();
            bail!(
                "{name} needs more than {} s for a position of these sets; --test-sets names others",
                LONGEST.as_secs()
            );
        };
        // Some nodes more, so that a variant that needs none can be compared.
        let most = Some(MOST_NODES * nodes + LEAST_NODES);
        let limits = Limits { nodes: most, time: Some(MOST_NODES as u32 * start.elapsed() + LONGEST), ..first };
        let (mut taken, mut slow, mut excluded) = (Vec::new(), Vec::new(), Vec::new());
        let ours = self.variant.spec().fields();
        let others = Spec::axes().into_iter().zip(ours).flat_map(|((axis, values), (_, our))| {
            values.into_iter().filter(move |(value, _)| *value != our).map(move |(value, _)| format!("{axis}={value}"))
        });
        let others: Vec<String> = others.collect();
        let bar = self.run.bar(others.len() as u64, "choices tried");
        for change in others {
            bar.inc(1);
            match self.variant.with(&change) {
                Err(why) => excluded.push(format!("{change}: {why}")),
                Ok(name) if !name.spec().goals().contains(&self.goal) => {
                    excluded.push(format!("{change}: it says only who wins"));
                }
                Ok(name) => match name.build(&options) {
                    Err(why) => excluded.push(format!("{change}: {why}")),
                    Ok(mut solver) => match self.nodes(&mut *solver, &sets, limits) {
                        Some(_) => taken.push(name.text().to_string()),
                        None => slow.push(change),
                    },
                },
            }
        }
        bar.finish_and_clear();
        let (name, mut left_out) = (self.variant.text(), Vec::new());
        if !slow.is_empty() {
            left_out.push(format!("more than {MOST_NODES} times the nodes of {name}: {}", slow.join(", ")));
        }
        if self.verbose {
            left_out.extend(excluded);
        } else if !excluded.is_empty() {
            let count = pluralize(excluded.len(), "choice");
            left_out.push(format!("not possible with the others of {name}: {count} (--verbose names them)"));
        }
        left_out.iter().filter(|_| !self.run.quiet).for_each(|said| output::say(format_args!("left out, {said}")));
        Ok(taken)
    }

    /// The nodes of the first positions of each set; `None` if they are more than those of `limits`, or take longer each.
    fn nodes(&self, solver: &mut dyn Solve, sets: &[TestSet], limits: Limits<'_>) -> Option<u64> {
        let (mut nodes, most) = (0, limits.nodes?);
        for item in sets.iter().flat_map(|set| set.items.iter().take(TRIED.min(self.sizes.limit.unwrap_or(TRIED)))) {
            solver.reset();
            let limits = Limits { nodes: Some(most - nodes), ..limits };
            nodes += solver.solve(&item.position, self.goal, &limits).ok()?.nodes;
        }
        Some(nodes)
    }

    fn print(&self, reading: &Reading, folder: &Path) -> Result<Exit> {
        let (groups, seed) = (reading.results.groups.iter().collect::<Vec<&Group>>(), reading.manifest.experiment.seed);
        let base = self.variant.text();
        let (ablation, picture) = (Ablation::of(&groups, base, 1, seed), folder.join("ablation.svg"));
        atomic::write(&picture, ablation.picture().alone(&format!("Ablation of {base}")).as_bytes())?;
        let table = ablation.table().remarking(&reading.results.remark(true));
        let exit = output::print(&self.format.compared(&[table])?, Exit::of_reading(reading))?;
        if !self.run.quiet {
            output::say(format_args!(
                "Next: set by set: c4lab report {} --tables ablation; the picture: {}",
                folder.display(),
                picture.display()
            ));
        }
        Ok(exit)
    }
}
