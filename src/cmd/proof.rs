//! `c4lab proof`: self-tests of the instrument. Each measures something whose result is known.

use crate::cmd::measure::{in_fresh_processes, incomplete};
use anyhow::{Result, bail};
use c4lab_cli::output::{self, Format};
use c4lab_cli::{Exit, Interrupt, RunArgs, complain};
use c4lab_measure::clock::SystemClock;
use c4lab_measure::files::atomic;
use c4lab_measure::files::machine::pin;
use c4lab_measure::files::manifest::DRIFT;
use c4lab_measure::files::rows;
use c4lab_measure::plan::experiment::Experiment;
use c4lab_measure::run::chain::{self, ChainRow, Multiplications};
use c4lab_report::proof::{self, SelfTest};
use c4lab_report::reading::Reading;
use c4lab_report::record;
use c4lab_report::table::json;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Instant;

/// Prove on this machine that times are right: a search of known length, one variant under two names, a pair alone and among thirty
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Four self-tests, each a table with a sentence:
  chain   a chain of steps, of 50 ns to 10 ms, takes as long by this clock as by the system's
  same    one variant under two names, five processes: few intervals exclude 1
  turns   a variant takes as long as the first of a block as elsewhere in it, within 1 %
  block   a pair of variants has the same ratio alone and among thirty, within 2 %
Where the machine's speed changes by more than 10 % meanwhile, a test is measured again, at most twice, and the steadiest try counts.

Examples:
  c4lab proof                        some twenty minutes on a quiet machine; the same command with --out DIR resumes
  c4lab proof --quick                some two minutes: few positions, wide intervals
  c4lab proof --from runs/proof      measures nothing: the tables of a folder

Exit status: 0 all hold, 1 one does not (the machine was not quiet, or this clock is not to be trusted), 4 a wrong score, 5 interrupted.")]
pub struct Args {
    /// Few positions and passes
    #[arg(long)]
    quick: bool,
    /// Measure nothing; take the samples of this folder, or record
    #[arg(long, value_name = "DIR", conflicts_with_all = ["quick", "out"])]
    from: Option<PathBuf>,
    /// Keep the samples and the tables as a record in a new folder
    #[arg(long, value_name = "DIR")]
    record: Option<PathBuf>,
    /// How to print
    #[arg(long, value_enum, default_value_t)]
    format: Format,
    #[command(flatten)]
    run: RunArgs,
}

/// Each experiment: the folder that it is measured into, its name, and its positions of each set with `--quick`.
const EXPERIMENTS: [(&str, &str, &str); 3] =
    [("same", "proof-same", "60"), ("pair", "proof-pair", "15"), ("block", "proof-block", "15")];
/// Further options of `measure` with `--quick`: test sets of short searches.
const QUICK: [&str; 4] = ["--test-sets", "end-easy,middle-easy,middle-medium,begin-easy", "--repetitions", "2"];
/// Rounds of chains. They take about seven seconds.
const ROUNDS: u32 = 301;
/// The seed of the intervals and of the order of the chains.
const SEED: u64 = 1;

pub fn run(args: &Args) -> Result<Exit> {
    let folder = args.from.clone().map_or_else(|| args.run.folder("proof"), Ok)?;
    if args.from.is_none() {
        let exit = measure(&folder, args)?;
        if exit != Exit::Success {
            return Ok(exit);
        }
    }
    let readings = EXPERIMENTS.map(|(name, ..)| steadiest(&folder, name));
    let [same, pair, block] = readings.map(|reading| reading.map_err(|error| error.context("not a whole proof")));
    let readings = [same?, pair?, block?];
    let tests = self_tests(&folder, &readings)?;
    if let Some(place) = &args.record {
        keep(place, &folder, &readings, &tests)?;
    }
    let sheets: Vec<_> = tests.iter().map(|test| test.table.clone()).collect();
    let said = proof::conclusion(&tests);
    let exit = if tests.iter().all(|test| test.holds) { Exit::Success } else { Exit::Failure };
    match args.format {
        // The four tables have different columns.
        Format::Csv => {
            bail!("--format csv: the self-tests have columns of their own; the rows are in {}", folder.display())
        }
        Format::Json => output::print(&json::tables(&sheets, Some(said))?, exit),
        format => output::print(&format!("{}\n{said}", format.of(&sheets)?), exit),
    }
}

/// The most times that an experiment is measured, while the machine's speed changes too much.
const TRIES: u32 = 3;

/// The folder of a try, from 1.
fn of_try(folder: &Path, name: &str, number: u32) -> PathBuf {
    folder.join(if number == 1 { name.to_string() } else { format!("{name}-{number}") })
}

/// The try in which the machine's speed changed least; no result decides.
fn steadiest(folder: &Path, name: &str) -> Result<Reading> {
    let mut readings = vec![Reading::open(&of_try(folder, name, 1))?];
    for place in (2..=TRIES).map(|number| of_try(folder, name, number)).take_while(|place| place.exists()) {
        readings.push(Reading::open(&place)?);
    }
    readings.retain(|reading| reading.results.incomplete.is_none() || reading.folder == of_try(folder, name, 1));
    readings.sort_by(|one, other| one.manifest.drift().total_cmp(&other.manifest.drift()));
    Ok(readings.swap_remove(0))
}

fn self_tests(folder: &Path, [same, pair, block]: &[Reading; 3]) -> Result<Vec<SelfTest>> {
    let drifts = [same, pair, block].map(|reading| reading.manifest.drift());
    let [same, pair, block] = [same, pair, block].map(|reading| reading.results.groups.as_slice());
    Ok(vec![
        proof::chain(&rows::read(folder)?),
        proof::same(same, SEED).on_machine(drifts[0]),
        proof::turns(same).on_machine(drifts[0]),
        proof::block(pair, block, SEED).on_machine(drifts[1].max(drifts[2])),
    ])
}

fn measure(folder: &Path, args: &Args) -> Result<Exit> {
    let interrupt = Interrupt::listen()?;
    atomic::make_folder(folder)?;
    if !folder.join(chain::FILE).exists() {
        pin_and_time(folder)?;
    }
    let mut worst = Exit::Success;
    for ((name, experiment, few), number) in
        EXPERIMENTS.into_iter().flat_map(|it| (1..=TRIES).map(move |try_| (it, try_)))
    {
        if number > 1 && steadiest(folder, name)?.manifest.drift() <= DRIFT {
            continue;
        }
        let out = of_try(folder, name, number);
        let mut arguments: Vec<OsString> = ["measure", experiment, "--out"].map(OsString::from).to_vec();
        arguments.push(out.as_os_str().into());
        if args.quick {
            arguments.extend(QUICK.iter().chain(&["--limit", few]).map(OsString::from));
        }
        arguments.extend(args.run.quiet.then(|| "--quiet".into()));
        let experiment = Experiment::open(experiment)?;
        let Some(exit) = in_fresh_processes(&experiment, &arguments, &[], &out, &interrupt)? else {
            return Ok(Exit::Failure);
        };
        if exit == Exit::Incomplete {
            return Ok(incomplete(folder));
        }
        worst = worst.max(exit);
    }
    Ok(worst)
}

/// Times the chains in a thread of its own: a pinned thread stays pinned, and so do the processes that it starts.
fn pin_and_time(folder: &Path) -> Result<()> {
    let rows = std::thread::spawn(|| {
        pin();
        let (mut clock, mut system) = (SystemClock::default(), Instant::now());
        chain::measure(ROUNDS, SEED, &mut Multiplications::default(), &mut clock, &mut system)
    });
    let rows = rows.join().map_err(|_| anyhow::anyhow!("the chains could not be timed"))??;
    rows::write(folder, &rows)
}

/// Writes a record to the folder `place`: the record of each experiment, the times of the chains, and the tables.
fn keep(place: &Path, folder: &Path, readings: &[Reading; 3], tests: &[SelfTest]) -> Result<()> {
    readings.iter().try_for_each(|reading| record::refuse_wrong(reading, "no record is made"))?;
    record::refuse_existing(place)?;
    for (reading, (name, ..)) in readings.iter().zip(EXPERIMENTS) {
        record::write(&place.join(name), reading)?;
    }
    rows::write(place, &rows::read::<ChainRow>(folder)?)?;
    let tables: Vec<String> = tests.iter().map(|test| test.table.markdown()).collect();
    let report = format!("# proof\n\n{}\n\n{}", proof::conclusion(tests), tables.join("\n"));
    complain(format_args!("the record is in {}", place.display()));
    atomic::write(&place.join("report.md"), report.as_bytes())
}
