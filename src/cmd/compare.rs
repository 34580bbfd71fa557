//! `c4lab compare`: the ratio of one variant to another, and gates on it. It measures what no folder has yet.

use crate::cmd::check;
use crate::cmd::measure::{Sizes, measured, show_plan};
use anyhow::{Result, bail};
use c4lab_cli::output::{self, Format};
use c4lab_cli::values::{goal, ratio};
use c4lab_cli::{Exit, Interrupt, RunArgs, Usage, complain};
use c4lab_measure::engines::Contestant;
use c4lab_measure::engines::foreign::Foreign;
use c4lab_measure::engines::table::EngineClock;
use c4lab_measure::files::manifest::DRIFT;
use c4lab_measure::plan::Plan;
use c4lab_measure::plan::shard::Shard;
use c4lab_measure::sets::test_set::TestSet;
use c4lab_measure::text::{distinct, explain, is_plain, pluralize};
use c4lab_report::reading::Reading;
use c4lab_report::results::{Outcome, Quantity};
use c4lab_report::table::units::three_digits;
use c4lab_report::tables::compare::Compared;
use c4lab_solver::search::{Goal, Limits, Name};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Compare two variants, programs or folders: ratios with intervals, set by set and pooled
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  c4lab compare pons-11 pons-12                                 measures both; a few seconds
  c4lab compare ./my-solver champion --test-sets middle-easy    a program, asked as `c4lab check` does
  c4lab compare runs/x                                          the two variants of a folder
  c4lab compare runs/x --base pons-11 --to pons-12
  c4lab compare runs/before runs/after                          the same variant of two builds
  c4lab compare runs/x --base pons-12 --to mine --gate 0.97     exit status 3 if mine is certainly slower

A ratio is the base divided by the variant: above 1 the variant is better.")]
pub struct Args {
    /// The base and the variant, each a name or a program; or a folder that `measure` wrote, or a record, or two of them,
    /// which the same machine must have measured. A folder that has the name of a variant is written with a slash
    #[arg(value_name = "WHAT", required = true, num_args = 1..=2)]
    what: Vec<PathBuf>,
    /// The variant that the other variant is compared with [default: the first of two]
    #[arg(long, value_name = "VARIANT")]
    base: Option<String>,
    /// The variant that is compared [default: the second of two; with two folders, the one of --base]
    #[arg(long, value_name = "VARIANT")]
    to: Option<String>,
    /// Only this goal
    #[arg(long, value_parser = goal())]
    goal: Option<Goal>,
    /// Fail with status 3 if the whole 95 % interval of the pooled geometric mean of time lies below this
    #[arg(long, value_name = "RATIO", value_parser = ratio)]
    gate: Option<f64>,
    /// Fail with status 3 if the whole 95 % interval of the pooled geometric mean of nodes lies below this
    #[arg(long, value_name = "RATIO", value_parser = ratio)]
    gate_nodes: Option<f64>,
    /// Compare nodes alone; then the folders may come from two machines
    #[arg(long, conflicts_with = "gate")]
    nodes_only: bool,
    /// The time of engines: ours (by c4lab's clock) or own (as the engine states it) [default: that of the folder]
    #[arg(long, value_name = "CLOCK", value_parser = c4lab_cli::values::engine_clock())]
    engine_clock: Option<EngineClock>,
    #[command(flatten)]
    sizes: Sizes,
    /// How to print
    #[arg(long, value_enum, default_value_t)]
    format: Format,
    #[command(flatten)]
    run: RunArgs,
}

pub fn run(args: &Args) -> Result<Exit> {
    let sides = args.what.iter().map(|what| Side::of(what)).collect::<Result<Vec<_>>>()?;
    let choice = [args.base.clone(), args.to.clone()];
    let mut folders: Vec<&Path> = Vec::new();
    for side in &sides {
        if let Side::Folder(path) = side {
            folders.push(path);
        }
    }
    match sides.as_slice() {
        sides if folders.len() == sides.len() => {
            if args.sizes != Sizes::default() || args.run.out.is_some() {
                bail!(Usage("folders are measured already: no option of a measurement applies".into()));
            }
            let mut readings = folders.iter().map(|folder| read(folder, args)).collect::<Result<Vec<_>>>()?.into_iter();
            readings.as_slice().iter().flat_map(Reading::warnings).for_each(complain);
            compare(args, &readings.next().expect("a folder"), readings.next().as_ref(), choice)
        }
        [one, other] if folders.is_empty() => {
            if choice.iter().any(Option::is_some) {
                bail!(Usage("--base and --to choose variants of a folder".into()));
            }
            let (folder, exit) = args.measure([one, other])?;
            let Some(folder) = folder.filter(|_| exit != Exit::Incomplete) else { return Ok(exit) };
            compare(args, &read(&folder, args)?, None, [one, other].map(|side| Some(side.name())))
        }
        _ => bail!(Usage("write two variants or programs, a folder, or two folders (./champion is a folder)".into())),
    }
}

/// What is compared, as the command line names it.
enum Side {
    Folder(PathBuf),
    Variant(Box<Name>),
    Program(String),
}

impl Side {
    /// The name of a variant wins over that of a folder.
    fn of(what: &Path) -> Result<Self> {
        let text = what.to_string_lossy();
        let no_variant = match Name::parse(&text) {
            Ok(name) => return Ok(Side::Variant(Box::new(name))),
            Err(error) => error,
        };
        if what.is_dir() {
            return Ok(Side::Folder(what.to_path_buf()));
        }
        // An interpreter may be part of the command. Brackets are those of a variant.
        let words = shell_words::split(&text).unwrap_or_default();
        if !text.contains('[') && (words.len() > 1 || text.contains('/') && what.is_file()) {
            return Ok(Side::Program(text.into_owned()));
        }
        Err(Usage(format!("{}; nor is there such a folder or program (./my-solver)", explain(no_variant))).into())
    }

    /// The name in tables: that of a program is its file's.
    fn name(&self) -> String {
        match self {
            Side::Variant(name) => name.text().to_string(),
            Side::Folder(path) => path.display().to_string(),
            Side::Program(command) => {
                let words = shell_words::split(command).unwrap_or_default();
                let file = words.iter().rev().find(|word| Path::new(word).is_file()).or(words.first());
                let stem = file.and_then(|file| Path::new(file).file_stem()).unwrap_or_default().to_string_lossy();
                stem.chars().map(|c| if is_plain(&c.to_string()) { c } else { '-' }).collect()
            }
        }
    }
}

/// The sets of which those are measured that neither side is too slow for.
const SETS: [&str; 4] = ["end-easy", "middle-easy", "middle-medium", "begin-easy"];
/// The positions of a set that are tried first, and the time limit of each.
const TRIED: (usize, Duration) = (3, Duration::from_millis(300));

impl Args {
    fn measure(&self, sides: [&Side; 2]) -> Result<(Option<PathBuf>, Exit)> {
        let interrupt = Interrupt::listen()?;
        let names = sides.map(Side::name);
        if names[0] == names[1] {
            bail!(Usage(format!("two of the name {}: copy or link one under another name", names[0])));
        }
        let (mut experiment, mut needed) = (self.sizes.experiment("compare"), Goal::Strong);
        experiment.about = format!("{} compared with {} (`c4lab compare`).", names[1], names[0]);
        let mut solvers: Vec<Box<dyn Contestant>> = Vec::new();
        for side in sides {
            match side {
                Side::Program(command) => {
                    let (table, its_goal) = check::detected(command, &interrupt)?;
                    needed = needed.max(its_goal);
                    solvers.push(Box::new(Foreign::new(table.program(None)?)));
                    experiment.engines.insert(side.name(), table);
                }
                Side::Variant(name) => {
                    if self.goal.is_some_and(|goal| !name.spec().goals().contains(&goal)) {
                        return Err(Usage(format!("{} says only who wins: --goal weak", name.text())).into());
                    }
                    needed = needed.max(name.spec().goals()[0]);
                    solvers.push(Box::new(name.build(&experiment.options()?)?));
                }
                Side::Folder(_) => {}
            }
        }
        let goal = self.goal.unwrap_or(needed);
        let sets = match &self.sizes.test_sets {
            Some(sets) => sets.clone(),
            None => quick_sets(&SETS, &mut solvers, goal, self.run.quiet),
        };
        drop(solvers);
        if sets.is_empty() {
            let [one, other] = names;
            bail!("{one} or {other} is slow, or fails, on every set; --test-sets names one all the same");
        }
        experiment.choose(Some(&names), Some(&sets), Some(&[goal])).map_err(Usage::of)?;
        if self.sizes.plan {
            return Ok((None, show_plan(&Plan::of(experiment)?, Shard::WHOLE, self.run.out.as_deref(), self.format)?));
        }
        let folder = self.run.folder("compare")?;
        let exit = measured(experiment, &folder, self.run.quiet)?;
        Ok((Some(folder), exit))
    }
}

/// Those of `sets` that no solver is too slow for. A message names the others.
pub(super) fn quick_sets(sets: &[&str], solvers: &mut [Box<dyn Contestant>], goal: Goal, quiet: bool) -> Vec<String> {
    let mut are_quick = |set: &&str| solvers.iter_mut().all(|solver| is_quick(&mut **solver, goal, set));
    let (quick, slow): (Vec<&str>, Vec<&str>) = sets.iter().partition(|set| are_quick(set));
    if !quiet && !slow.is_empty() {
        output::say(format_args!("left out, too slow there: {}", slow.join(", ")));
    }
    quick.into_iter().map(str::to_string).collect()
}

/// True if the solver needs little time for the first positions of a shipped set.
pub(super) fn is_quick(solver: &mut dyn Contestant, goal: Goal, set: &str) -> bool {
    let limits = Limits { time: Some(TRIED.1), ..Limits::default() };
    let set = TestSet::open(set).expect("a shipped set");
    set.items.iter().take(TRIED.0).all(|item| {
        solver.reset();
        solver.prepare(&Limits::default());
        solver.solve(&item.position, goal, &limits).is_ok()
    })
}

/// The base and the variant. A folder of two variants needs no names.
fn names(reading: &Reading, choice: [Option<String>; 2], has_other: bool) -> Result<[String; 2]> {
    let measured = distinct(reading.results.series().map(|series| series.variant.as_str()));
    let is_counterpart = |name: &&str| name.strip_suffix("[]").is_some_and(|name| measured.contains(&name));
    let chosen: Vec<&str> = measured.iter().copied().filter(|name| !is_counterpart(name)).collect();
    Ok(match (choice, chosen.as_slice()) {
        ([Some(base), Some(to)], _) => [base, to],
        ([Some(base), None], _) if has_other => [base.clone(), base],
        ([None, None], [only]) if has_other => [only.to_string(), only.to_string()],
        ([base, to], [one, other]) if !has_other => {
            let beside = |name: &str| if name == *one { other.to_string() } else { one.to_string() };
            let base = base.unwrap_or_else(|| beside(to.as_deref().unwrap_or(other)));
            [base.clone(), to.unwrap_or_else(|| beside(&base))]
        }
        _ => {
            let (place, names) = (reading.folder.display(), chosen.join(", "));
            return Err(Usage(format!("choose with --base and --to which of the variants of {place}: {names}")).into());
        }
    })
}

fn compare(args: &Args, first: &Reading, second: Option<&Reading>, choice: [Option<String>; 2]) -> Result<Exit> {
    let [base, to] = &names(first, choice, second.is_some())?;
    let place = |reading: &Reading| reading.folder.canonicalize().ok();
    let same = second.is_none_or(|second| place(second) == place(first));
    if same && to == base {
        return Err(Usage(format!("{to} is compared with itself")).into());
    }
    let other = second.unwrap_or(first);
    let compared = Compared::of((first, base), (other, to), args.nodes_only)?;
    let mut exit = Exit::Success;
    let readings = || [Some(first), second].into_iter().flatten();
    if readings().any(|reading| reading.results.incomplete.is_some()) {
        exit = Exit::Incomplete;
    }
    for reading in readings().filter(|reading| reading.tally.mismatches > 0) {
        let moved = pluralize(reading.tally.mismatches, "differing node count");
        complain(format_args!("{}: {moved}", reading.folder.display()));
        exit = Exit::Wrong;
    }
    for (column, name) in [base, to].into_iter().enumerate() {
        let [limited, wrong, failed] =
            [Outcome::Limited, Outcome::Wrong, Outcome::Failed].map(|outcome| compared.count(column, outcome));
        if limited > 0 {
            complain(format_args!(
                "{name}: {} reached a limit: twice the limit in times, none in nodes",
                pluralize(limited, "position")
            ));
        }
        if wrong > 0 {
            complain(format_args!("{name}: {} answered wrongly", pluralize(wrong, "position")));
            exit = Exit::Wrong;
        }
        if failed > 0 {
            complain(format_args!("{name}: no answer on {}", pluralize(failed, "position")));
            exit = exit.max(Exit::Failure);
        }
    }
    if second.is_some() && compared.times {
        complain("the folders were measured one after the other: changes of the machine's speed are in the times");
    }
    compared.left_out.iter().for_each(complain);
    let [base, to] = [0, 1].map(|column| &compared.groups[0].series[column].variant);
    let title = match second {
        Some(second) => format!("{base} in {} : {to} in {}", first.folder.display(), second.folder.display()),
        None => format!("{base} : {to}"),
    };
    let of = |reading: &Reading| match (reading.results.remark(compared.times), second) {
        (remark, Some(_)) if !remark.is_empty() => format!("{}: {remark}", reading.folder.display()),
        (remark, _) => remark,
    };
    let sheet = readings().fold(compared.table(title), |sheet, reading| sheet.remarking(&of(reading)));
    exit = output::print(&args.format.compared(&[sheet])?, exit)?;
    if let Some(speeds) = second.and_then(|second| speeds([first, second])).filter(|_| compared.times) {
        if args.gate.is_some() {
            bail!("no gate on time: {speeds}; measure both in one run, or use --gate-nodes");
        }
        complain(speeds);
    }
    for (gate, quantity) in [(args.gate, Quantity::Time), (args.gate_nodes, Quantity::Nodes)] {
        let Some(gate) = gate else { continue };
        for (goal, mean) in compared.below(gate, quantity)? {
            let (name, mean) = (quantity.name(), three_digits(mean.value));
            complain(format_args!("gate failed: {} {name} {mean}x lies below {gate}, its interval too", goal.name()));
            exit = exit.max(Exit::Regression);
        }
    }
    Ok(exit)
}

/// A message if the machine ran at different speeds while the folders were measured.
fn speeds(readings: [&Reading; 2]) -> Option<String> {
    let runs = readings.into_iter().flat_map(|reading| &reading.manifest.runs);
    let signatures = runs.flat_map(|run| [Some(&run.signature_before), run.signature_after.as_ref()]);
    let speeds: Vec<f64> = signatures.flatten().map(|signature| signature.nodes_per_s as f64).collect();
    let least = speeds.iter().copied().fold(f64::INFINITY, f64::min);
    let most = speeds.iter().copied().fold(0.0, f64::max);
    (most > (1.0 + DRIFT) * least).then(|| {
        let (least, most) = (three_digits(least / 1e6), three_digits(most / 1e6));
        format!("the reference variant ran at {least} to {most} million nodes a second while the folders were measured")
    })
}

fn read(folder: &Path, args: &Args) -> Result<Reading> {
    let (goal, mut reading) = (args.goal, Reading::open_by(folder, args.engine_clock)?);
    reading.results.groups.retain(|ground| goal.is_none_or(|goal| ground.goal == goal));
    match goal.filter(|_| reading.results.groups.is_empty()) {
        Some(goal) => bail!("{}: no row of the goal {}", folder.display(), goal.name()),
        None => Ok(reading),
    }
}
