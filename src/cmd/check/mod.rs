//! `c4lab check`: finds out how a program is asked and what it answers, and measures it beside the variants.

mod beside;
mod findings;

use anyhow::{Context, Result};
use c4lab_cli::engines::{EngineKey, key};
use c4lab_cli::interrupt::Interrupt;
use c4lab_cli::values::duration;
use c4lab_cli::{Exit, Usage, output};
use c4lab_measure::engines::foreign::form::ScoreForm;
use c4lab_measure::engines::interview::Interview;
use c4lab_measure::engines::interview::question::{Question, questions};
use c4lab_measure::engines::table::EngineTable;
use c4lab_measure::files::atomic;
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

const EXAMPLES: &str = "\
The program is asked 20 positions whose scores are known, in every way that it may understand: line by line, or started for each \
position with the moves on its input or behind its arguments; columns from 1 or from 0; moves or a drawing. Its answers are held \
against the scores in every sense: this project's scores, plies to the end, or only who wins; from the side to move, the first player, or the \
side that played last. What fits becomes a table for experiments. Then the program is measured beside the champion and the ladder.

Examples:
  c4lab check ./my-solver
  c4lab check 'python3 examples/engines/solver.py' --limit 50
  c4lab check ./my-solver --engine-key version='git rev-parse HEAD' --write mine.toml
  c4lab check 'java -cp . Solver' --ask-only

Exit status: 0 all right, 1 it is not understood, or failed, 2 usage, 4 wrong answers, 5 interrupted.";

/// Find out how a program of yours is asked, and how fast it is
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// The command that starts it
    #[arg(value_name = "COMMAND")]
    command: String,
    /// What it is called
    #[arg(long, value_name = "NAME", default_value = "mine")]
    name: String,
    /// A key of its table that is known already (again for more; docs/FORMAT.md, "Engines")
    #[arg(long = "engine-key", value_name = "KEY=VALUE", value_parser = key)]
    keys: Vec<EngineKey>,
    /// How long it may take for an answer before it counts as silent
    #[arg(long, value_name = "DURATION", default_value = "5s", value_parser = duration)]
    patience: Duration,
    /// Only ask, do not measure
    #[arg(long)]
    ask_only: bool,
    /// The test set to measure on [default: middle-easy, or end-easy where that takes too long]
    #[arg(long, value_name = "SET")]
    set: Option<String>,
    /// The most positions to measure
    #[arg(long, value_name = "N", default_value_t = 200)]
    limit: usize,
    /// Write an experiment with the program and the champion to a file, for `c4lab measure FILE`
    #[arg(long, value_name = "FILE")]
    write: Option<PathBuf>,
    /// The folder to measure into [default: runs/check-DATE]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

/// Questions that a program is asked.
const ASKED: usize = 20;
/// The set that tells most.
const FIRST_SET: &str = "middle-easy";
/// The longest that a position may take where it is measured.
const LONGEST: &str = "10s";

/// A program that is understood.
struct Understood {
    /// The keys of its table.
    keys: Vec<(String, String)>,
    table: EngineTable,
    /// Whether it tells only who wins.
    is_weak: bool,
    /// How long it took for a question, in the mean.
    took: Duration,
}

/// Runs it.
pub fn run(args: &Args) -> Result<Exit> {
    let interrupt = Interrupt::listen()?;
    let given: Vec<(String, String)> = args.keys.iter().map(EngineKey::pair).collect();
    let table = EngineTable::typed(&args.command, &given).and_then(|table| table.validate().map(|()| table));
    let table = table.map_err(|error| Usage(format!("{error:#}")))?;
    table.build(interrupt.flag())?;
    let questions = questions(ASKED)?;
    let interview = Interview::of(&args.command, &given, &questions, args.patience, interrupt.flag())?;
    output::print(&findings::said(&interview, &given), Exit::Success)?;
    if !interview.is_understood() {
        output::print(&findings::examples(&interview, &questions), Exit::Success)?;
        return Ok(Exit::Failure);
    }
    let understood = args.understood(&interview, &given, &questions, interrupt.flag())?;
    output::print(&format!("\n{}", args.toml(&understood.keys)?), Exit::Success)?;
    if let Some(file) = &args.write {
        atomic::write(file, args.experiment(&understood)?.as_bytes())?;
        output::print(&format!("{} is an experiment: c4lab measure {0}", file.display()), Exit::Success)?;
    }
    let (exit, set) = match args.ask_only {
        true if interview.fit.as_ref().is_some_and(|fit| fit.right == ASKED) => (Exit::Success, FIRST_SET.to_string()),
        true => (Exit::Wrong, FIRST_SET.to_string()),
        false => beside::measured(args, &understood, &interrupt)?,
    };
    output::print(&format!("Next: {}", args.next(&understood, &set)), exit)
}

impl Args {
    /// The table that fits, with a version, and tried.
    fn understood(
        &self,
        interview: &Interview,
        given: &[(String, String)],
        questions: &[Question],
        interrupt: &AtomicBool,
    ) -> Result<Understood> {
        let mut keys = [given, &interview.keys].concat();
        let mut table = EngineTable::typed(&self.command, &keys)?;
        match table.record(&self.name, interrupt) {
            Ok(record) => {
                output::print(&format!("  {:<12} {}", "version", record.version), Exit::Success)?;
            }
            Err(error) => {
                let digest = table.digest_command().filter(|_| table.version.is_none()).ok_or(error)?;
                let said = "it tells none when it is called with --version: the digest of its file stands for it";
                output::print(&format!("  {:<12} {said}", "version"), Exit::Success)?;
                keys.push(("version".to_string(), digest));
                table = EngineTable::typed(&self.command, &keys)?;
                table.record(&self.name, interrupt)?;
            }
        }
        let fit = interview.fit.as_ref().context("a program that is understood")?;
        let took = interview.heard.took.iter().sum::<Duration>() / questions.len() as u32;
        Ok(Understood { keys, table, is_weak: fit.form == ScoreForm::Sign, took })
    }

    /// The table as it stands in an experiment.
    fn toml(&self, keys: &[(String, String)]) -> Result<String> {
        let mut text = format!("[engines.{}]\n", self.name);
        text += &format!("command = {}\n", toml::Value::from(self.command.as_str()));
        let table = toml::Value::try_from(EngineTable::typed(&self.command, keys)?)?;
        for (key, _) in keys {
            let value = table.get(key).with_context(|| key.clone())?;
            text += &format!("{key} = {value}\n");
        }
        Ok(text)
    }

    /// An experiment with the program and the champion.
    fn experiment(&self, understood: &Understood) -> Result<String> {
        let set = self.set.as_deref().unwrap_or(FIRST_SET);
        let goal = if understood.is_weak { "goals = [\"weak\"]\n" } else { "" };
        Ok(format!(
            "name = \"{0}\"\nlimit = {1}\ntime-limit = \"{LONGEST}\"\n\n{2}\n[[runs]]\nvariants = [\"champion\", \"{0}\"]\ntest-sets = [\"{set}\"]\n{goal}",
            self.name,
            self.limit,
            self.toml(&understood.keys)?
        ))
    }

    /// The command to try next: that set, and no position for ever.
    fn next(&self, understood: &Understood, set: &str) -> String {
        if let Some(file) = &self.write {
            return format!("c4lab measure {}", file.display());
        }
        let engine = format!("{}={}", self.name, self.command);
        let mut words = vec!["c4lab", "measure", "--variants", "champion", "--test-sets", set, "--limit", "200"];
        words.extend(["--time-limit", LONGEST, "--engine", &engine]);
        let keys: Vec<String> = understood.keys.iter().map(|(key, value)| format!("{key}={value}")).collect();
        keys.iter().for_each(|key| words.extend(["--engine-key", key]));
        words.extend(understood.is_weak.then_some(["--goal", "weak"]).into_iter().flatten());
        shell_words::join(words)
    }
}
