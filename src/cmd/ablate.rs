//! `c4lab ablate`: leaves out or exchanges each technique of a variant, one at a time, and says what each is worth.

use crate::cmd::measure::{Sizes, measured};
use anyhow::{Result, bail};
use c4lab_cli::output::{self, Format};
use c4lab_cli::values::{goal, variant};
use c4lab_cli::{Exit, RunArgs, Usage};
use c4lab_measure::files::atomic;
use c4lab_measure::plan::experiment::{Experiment, Run};
use c4lab_measure::sets::test_set::TestSet;
use c4lab_measure::text::pluralize;
use c4lab_report::reading::Reading;
use c4lab_report::results::Group;
use c4lab_report::tables::ablation;
use c4lab_solver::search::{Goal, Limits, Name, Solve, Spec};
use std::path::Path;

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
    let mut experiment = args.experiment();
    let neighbours = args.neighbours(&experiment)?;
    if !args.run.quiet {
        neighbours.tell(args);
    }
    if neighbours.taken.is_empty() {
        bail!("no choice of {} can be changed alone", args.variant.text());
    }
    experiment.runs[0].variants.extend(neighbours.taken);
    let folder = args.run.folder(&experiment.name)?;
    let exit = measured(experiment, &folder, args.run.quiet)?;
    if exit != Exit::Success {
        return Ok(exit);
    }
    args.print(&Reading::open(&folder)?, &folder)
}

/// The variants that differ from a variant in one choice.
#[derive(Default)]
struct Neighbours {
    taken: Vec<String>,
    /// The changes that the other choices exclude, or that this build cannot run, with the reason.
    excluded: Vec<(String, String)>,
    /// The changes that need too many nodes.
    slow: Vec<String>,
}

impl Neighbours {
    fn tell(&self, args: &Args) {
        let (name, slow) = (args.variant.text(), self.slow.join(", "));
        if !slow.is_empty() {
            output::say(format_args!("left out, more than {MOST_NODES} times the nodes of {name}: {slow}"));
        }
        if args.verbose {
            self.excluded.iter().for_each(|(change, why)| output::say(format_args!("left out, {change}: {why}")));
        } else if !self.excluded.is_empty() {
            let count = pluralize(self.excluded.len(), "choice");
            output::say(format_args!(
                "left out, not possible with the others of {name}: {count} (--verbose names them)"
            ));
        }
    }
}

const SETS: [&str; 3] = ["middle-easy", "middle-medium", "begin-easy"];
/// The most nodes of a change, as a multiple of those of the variant.
const MOST_NODES: u64 = 20;
/// The positions of each set on which the nodes are counted first.
const TRIED: usize = 5;

impl Args {
    fn experiment(&self) -> Experiment {
        let variants = vec![self.variant.text().to_string()];
        let test_sets = self.sizes.test_sets.clone().unwrap_or_else(|| SETS.map(str::to_string).to_vec());
        Experiment {
            about: format!("Each technique of {} left out or exchanged (`c4lab ablate`).", self.variant.text()),
            runs: vec![Run { variants, test_sets, goals: vec![self.goal], limit: None }],
            ..self.sizes.experiment("ablate")
        }
    }

    fn neighbours(&self, experiment: &Experiment) -> Result<Neighbours> {
        experiment.validate().map_err(Usage::of)?;
        let (options, sets) = (experiment.options()?, experiment.test_sets()?);
        let limit = MOST_NODES * self.nodes(&mut *self.variant.build(&options)?, &sets, u64::MAX).unwrap_or_default();
        let (mut neighbours, ours) = (Neighbours::default(), self.variant.spec().fields());
        let others = Spec::axes().into_iter().zip(ours).flat_map(|((axis, values), (_, our))| {
            values.into_iter().filter(move |(value, _)| *value != our).map(move |(value, _)| format!("{axis}={value}"))
        });
        for change in others {
            match self.variant.with(&change) {
                Err(why) => neighbours.excluded.push((change, why.to_string())),
                Ok(name) if !name.spec().goals().contains(&self.goal) => {
                    neighbours.excluded.push((change, "it says only who wins".to_string()));
                }
                Ok(name) => match name.build(&options) {
                    Err(why) => neighbours.excluded.push((change, why.to_string())),
                    Ok(mut solver) => match self.nodes(&mut *solver, &sets, limit) {
                        Some(_) => neighbours.taken.push(name.text().to_string()),
                        None => neighbours.slow.push(change),
                    },
                },
            }
        }
        Ok(neighbours)
    }

    /// The nodes of the first positions of each set; `None` if they are more than `most`.
    fn nodes(&self, solver: &mut dyn Solve, sets: &[TestSet], most: u64) -> Option<u64> {
        let mut nodes = 0;
        for item in sets.iter().flat_map(|set| set.items.iter().take(TRIED)) {
            solver.reset();
            let limits = Limits { nodes: Some(most - nodes), ..Limits::default() };
            nodes += solver.solve(&item.position, self.goal, &limits).ok()?.nodes;
        }
        Some(nodes)
    }

    fn print(&self, reading: &Reading, folder: &Path) -> Result<Exit> {
        let (groups, seed) = (reading.results.groups.iter().collect::<Vec<&Group>>(), reading.manifest.experiment.seed);
        let base = self.variant.text();
        let picture = folder.join("ablation.svg");
        atomic::write(
            &picture,
            ablation::picture(&groups, base, 1, seed).alone(&format!("Ablation of {base}")).as_bytes(),
        )?;
        let table = ablation::table(&groups, base, 1, seed).remarking(&reading.results.remark(true));
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
