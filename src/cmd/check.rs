//! `c4lab check`: finds out the protocol and the scores of a foreign program, and measures it beside the variants.

use crate::cmd::compare::is_quick;
use crate::cmd::measure::{Screen, in_this_process};
use anyhow::{Context, Result, bail};
use c4lab_cli::engines::{key, table_of};
use c4lab_cli::values::duration;
use c4lab_cli::{Exit, Interrupt, Usage, complain, dated, output};
use c4lab_measure::engines::detection::{Detection, Fit, Transcript, questions};
use c4lab_measure::engines::foreign::Foreign;
use c4lab_measure::engines::foreign::form::{ScoreForm, ScoreSide};
use c4lab_measure::engines::table::EngineTable;
use c4lab_measure::files::atomic;
use c4lab_measure::plan::Plan;
use c4lab_measure::plan::experiment::Experiment;
use c4lab_measure::run::measure::PlanPart;
use c4lab_measure::sets::test_set::Item;
use c4lab_measure::text::pluralize;
use c4lab_report::reading::Reading;
use c4lab_report::results::{Group, Outcome, Quantity, Series};
use c4lab_report::table::units::three_digits;
use c4lab_report::tables::comparison::Comparison;
use c4lab_report::tables::conclusion::beside_one;
use c4lab_report::tables::runs;
use c4lab_solver::search::Goal;
use c4lab_solver::search::registry::DEFAULT;
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

const EXAMPLES: &str = "\
The program gets 20 positions with known scores, in every protocol that it may understand: line by line, or started for each \
position with the moves on its input or behind its arguments; columns from 1 or from 0; moves or a drawing. Its answers are compared \
with the scores in every form: this project's scores, plies to the end, or only who wins; from the side to move, the first player, or the \
side that played last. The keys that fit become a table for experiments. Then the program is measured beside the champion and the ladder.

Examples:
  c4lab check ./my-solver
  c4lab check 'python3 examples/engines/solver.py' --limit 50
  c4lab check ./my-solver --engine-key version='git rev-parse HEAD' --write mine.toml
  c4lab check 'java -cp . Solver' --ask-only

Exit status: 0 all right, 1 the program is not understood, or failed, 2 usage, 4 wrong answers, 5 interrupted.";

/// Find out the protocol of a program of yours, and how fast it is
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// The command that starts the program
    #[arg(value_name = "COMMAND")]
    command: String,
    /// The name of the program in tables
    #[arg(long, value_name = "NAME", default_value = "mine")]
    name: String,
    /// A key of the program's table that is known already (again for more; docs/FORMAT.md, "Engines")
    #[arg(long = "engine-key", value_name = "KEY=VALUE", value_parser = key)]
    keys: Vec<(String, String)>,
    /// The longest wait for an answer, before the program counts as silent
    #[arg(long, value_name = "DURATION", default_value = "5s", value_parser = duration)]
    patience: Duration,
    /// Find out the protocol, but measure nothing
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

/// The set that is measured unless the program is too slow for it.
const FIRST_SET: &str = "middle-easy";
/// The longest wait for an answer of a program whose protocol is not known.
const PATIENCE: Duration = Duration::from_secs(5);
/// The time limit of a position in the measurement.
const LONGEST: &str = "10s";

/// A program whose protocol and scores are known.
struct Engine {
    /// The keys of its table.
    keys: Vec<(String, String)>,
    table: EngineTable,
    /// Weak if its scores say only who wins.
    goal: Goal,
    /// The mean time of an answer.
    mean_time: Duration,
}

pub fn run(args: &Args) -> Result<Exit> {
    let interrupt = Interrupt::listen()?;
    let given = &args.keys;
    table_of(&args.command, given).map_err(Usage::of)?.build(interrupt.flag())?;
    let questions = questions()?;
    let explanations = Detection::all(&args.command, given, &questions, args.patience, interrupt.flag())?;
    let detection = &explanations[0];
    output::show(&findings(detection, given))?;
    if !detection.is_whole() && detection.transcript.crash.is_none() {
        output::show(&doubts(&explanations, given, &questions))?;
    }
    if !detection.is_understood() {
        output::show(advice(detection))?;
        return Ok(Exit::Failure);
    }
    let engine = args.engine(detection, given, &questions, interrupt.flag())?;
    output::show(&format!("\n{}", args.toml(&engine)?))?;
    if let Some(file) = &args.write {
        atomic::write(file, args.experiment(&engine)?.as_bytes())?;
        output::show(&format!("{} is an experiment: c4lab measure {0}", file.display()))?;
    }
    let (exit, set) = match args.ask_only {
        true => (Exit::Success, FIRST_SET.to_string()),
        false => measured(args, &engine, &interrupt)?,
    };
    let exit = if detection.is_whole() { exit } else { exit.max(Exit::Wrong) };
    let next = match exit {
        Exit::Wrong => "mend the answers above, or state the convention of the program with --engine-key".to_string(),
        _ => args.next(&engine, &set),
    };
    output::print(&format!("Next: {next}"), exit)
}

/// The engine that `command` starts, and the goal of its scores, as its answers tell.
pub(super) fn detected(command: &str, interrupt: &Interrupt) -> Result<(EngineTable, Goal)> {
    let all = Detection::all(command, &[], &questions()?, PATIENCE, interrupt.flag())?;
    let Some(fit) = all[0].fit.as_ref().filter(|_| all[0].is_understood() && all[0].is_whole()) else {
        bail!("{command} is not understood, or not right: c4lab check {} says why", shell_words::quote(command));
    };
    Ok((EngineTable::typed(command, &all[0].keys)?, goal_of(fit)))
}

fn goal_of(fit: &Fit) -> Goal {
    if fit.form == ScoreForm::Sign { Goal::Weak } else { Goal::Strong }
}

impl Args {
    fn engine(
        &self,
        detection: &Detection,
        given: &[(String, String)],
        questions: &[Item],
        interrupt: &AtomicBool,
    ) -> Result<Engine> {
        let keys = [given, &detection.keys].concat();
        let table = EngineTable::typed(&self.command, &keys)?;
        let record = table.record(&self.name, interrupt)?;
        let said =
            if record.is_unversioned() { " (the digest of its files: it prints none with --version)" } else { "" };
        output::show(&format!("  {:<12} {}{said}", "version", record.version))?;
        let fit = detection.fit.as_ref().context("a program that is understood")?;
        let goal = goal_of(fit);
        let mean_time = detection.transcript.took.iter().sum::<Duration>() / questions.len() as u32;
        Ok(Engine { keys, table, goal, mean_time })
    }

    fn toml(&self, engine: &Engine) -> Result<String> {
        let mut text = format!("[engines.{}]\n", self.name);
        text += &format!("command = {}\n", toml::Value::from(self.command.as_str()));
        let table = toml::Value::try_from(&engine.table)?;
        for (key, _) in &engine.keys {
            let value = table.get(key).with_context(|| key.clone())?;
            text += &format!("{key} = {value}\n");
        }
        Ok(text)
    }

    fn experiment(&self, engine: &Engine) -> Result<String> {
        let set = self.set.as_deref().unwrap_or(FIRST_SET);
        let goal = if engine.goal == Goal::Weak { "goals = [\"weak\"]\n" } else { "" };
        Ok(format!(
            "name = \"{0}\"\nlimit = {1}\ntime-limit = \"{LONGEST}\"\n\n{2}\n[[runs]]\nvariants = [\"champion\", \"{0}\"]\ntest-sets = [\"{set}\"]\n{goal}",
            self.name,
            self.limit,
            self.toml(engine)?
        ))
    }

    /// The command to try next: it measures `set` with a time limit.
    fn next(&self, engine: &Engine, set: &str) -> String {
        if let Some(file) = &self.write {
            return format!("c4lab measure {}", file.display());
        }
        let named = format!("{}={}", self.name, self.command);
        let mut words = vec!["c4lab", "measure", "--variants", "champion", "--test-sets", set, "--limit", "200"];
        words.extend(["--time-limit", LONGEST, "--engine", &named]);
        let keys: Vec<String> = engine.keys.iter().map(|(key, value)| format!("{key}={value}")).collect();
        keys.iter().for_each(|key| words.extend(["--engine-key", key]));
        words.extend((engine.goal == Goal::Weak).then_some(["--goal", "weak"]).into_iter().flatten());
        shell_words::join(words)
    }
}

fn findings(detection: &Detection, given: &[(String, String)]) -> String {
    let mut lines = Vec::new();
    let mut say = |what: &str, said: String| lines.push(format!("  {what:<12} {said}"));
    if !detection.is_understood() {
        say("answers", silence(detection));
        return lines.join("\n");
    }
    say("protocol", protocol(detection, given).to_string());
    if detection.transcript.is_unflushed {
        let advice = "the program answers only when its input ends. If it flushes its output after every line, it need not be \
                      started for every position";
        say("flushing", advice.to_string());
    }
    if detection.transcript.greeting > 0 {
        say("greeting", pluralize(detection.transcript.greeting, "line") + " before the first position");
    }
    say("columns", columns(detection, given));
    if let Some(fit) = &detection.fit {
        say("scores", sense(fit));
        say("answers", fit.answer.clone());
        if fit.has_more_lines && !fit.repeats_moves {
            let advice = "more than one line for a position, and the answer does not repeat the moves: print one line, or repeat them";
            say("lines", advice.to_string());
        }
        if !fit.tells_nodes {
            say("nodes", "none; a number behind the score would be read as the node count".to_string());
        }
        say("right", format!("{} of {} answers", fit.right, detection.transcript.requests.len()));
    }
    lines.join("\n")
}

fn key_of<'k>(detection: &'k Detection, given: &'k [(String, String)], name: &str) -> Option<&'k str> {
    detection.keys.iter().chain(given).find(|(key, _)| key == name).map(|(_, value)| value.as_str())
}

fn protocol(detection: &Detection, given: &[(String, String)]) -> &'static str {
    match key_of(detection, given, "protocol") {
        Some("input") => "the program is started for every position, and reads the position from its input",
        Some("arguments") => "the program is started for every position, which is its last argument",
        _ => "one line for each position, one answer to each line",
    }
}

fn columns(detection: &Detection, given: &[(String, String)]) -> String {
    match (key_of(detection, given, "request"), key_of(detection, given, "first-column")) {
        (Some(request), _) if !request.contains("{moves}") => format!("none: the program reads {request}"),
        (_, Some("0")) => "from 0".to_string(),
        _ => "from 1".to_string(),
    }
}

/// The most explanations that are shown, and the most answers against each.
const EXPLANATIONS: usize = 2;
const AGAINST: usize = 5;

/// The best explanations, each with the answers that contradict it.
fn doubts(explanations: &[Detection], given: &[(String, String)], questions: &[Item]) -> String {
    let mut lines = Vec::new();
    let mut others: Vec<&Detection> = explanations.iter().filter(|it| it.right() > 0).collect();
    others.dedup_by_key(|it| it.fit.as_ref().map(|fit| fit.contradictions.clone()));
    for (detection, number) in others.into_iter().zip(1..=EXPLANATIONS) {
        let (Some(fit), transcript) = (&detection.fit, &detection.transcript) else { continue };
        let (protocol, columns, sense) = (protocol(detection, given), columns(detection, given), sense(fit));
        lines.push(format!(
            "\nExplanation {number}: {protocol}; columns {columns}; {sense}: right {} of {}",
            fit.right,
            questions.len()
        ));
        for &index in fit.contradictions.iter().take(AGAINST) {
            lines.push(format!("  against it: {}", asked(transcript, index, &questions[index])));
        }
        if let Some(more @ 1..) = fit.contradictions.len().checked_sub(AGAINST) {
            lines.push(format!("  and {more} more"));
        }
    }
    if lines.is_empty() {
        let first = questions.iter().enumerate().take(EXPLANATIONS);
        lines.extend(
            first.map(|(index, question)| format!("  {}", asked(&explanations[0].transcript, index, question))),
        );
    }
    lines.join("\n")
}

/// A position, the program's answer, and the right score.
fn asked(transcript: &Transcript, index: usize, question: &Item) -> String {
    let reply = transcript.replies.get(index);
    let answer = reply.map_or("nothing".to_string(), |reply| format!("{:?}", reply.join(" / ")));
    format!("asked {:?}, answered {answer}; the score is {}", transcript.requests[index], question.score)
}

fn sense(fit: &Fit) -> String {
    let what = match fit.form {
        ScoreForm::Field => "22 minus the winner's stones, as c4lab's scores (strong)",
        ScoreForm::Plies => "plies to the end (strong)",
        ScoreForm::Sign => "who wins, and not when (weak)",
    };
    let side = match fit.side {
        ScoreSide::Mover => "the side to move",
        ScoreSide::First => "the first player",
        ScoreSide::Last => "the side that played last",
    };
    format!("{what}, from {side}")
}

fn silence(detection: &Detection) -> String {
    let transcript = &detection.transcript;
    match (&transcript.crash, &transcript.ended, transcript.replies.is_empty()) {
        (Some(reason), ..) => format!("it crashed: {reason}, after {}", pluralize(transcript.replies.len(), "answer")),
        (_, Some(reason), true) => format!("none: {reason}"),
        (.., true) => "none in time; does the program read a line, and flush its output after every answer? --patience sets the time".to_string(),
        _ => "most of them disagree with the right scores, in every known form of scores (a program that answers with moves is tried \
              by `c4lab match`)"
            .to_string(),
    }
}

fn advice(detection: &Detection) -> &'static str {
    if detection.transcript.ended.as_ref().is_some_and(|reason| reason.starts_with("cannot start ")) {
        return "Next: is the path right from this folder, and may the file be run (chmod +x)? An interpreter is part of the command: c4lab \
                check 'python3 solver.py'";
    }
    "Next: answer a line of moves with a line: the moves and the score (docs/REFERENCE.md); examples/engines/ has programs to start from"
}

/// The first set and the set for slow programs, each with the rungs of the ladder that are fast enough for it.
const SETS: [(&str, &[&str]); 2] = [
    (FIRST_SET, &["pons-07", "pons-08", "pons-09", "pons-10", "pons-11", "pons-12"]),
    ("end-easy", &["pons-03", "pons-04", "pons-05", "pons-06", "pons-07", "pons-08", "pons-10", "pons-12"]),
];
/// The longest predicted time of the program for the set for slow programs.
const AT_MOST: Duration = Duration::from_secs(30);

/// Measures the program and prints the sentence. Gives the exit, and the set that was measured.
fn measured(args: &Args, engine: &Engine, interrupt: &Interrupt) -> Result<(Exit, String)> {
    let (set, rungs, limit) = choice(args, engine)?;
    let mut experiment = Experiment::blank("check");
    experiment.engines.insert(args.name.clone(), engine.table.clone());
    let variants = [DEFAULT].into_iter().chain(rungs.iter().copied()).map(str::to_string);
    let names: Vec<String> = variants.chain([args.name.clone()]).collect();
    experiment.choose(Some(&names), Some(std::slice::from_ref(&set)), Some(&[engine.goal]))?;
    experiment.limit = Some(limit);
    experiment.time_limit = Some(LONGEST.to_string());
    experiment.validate()?;
    let plan = Plan::of(experiment)?;
    let folder = args.out.clone().map_or_else(|| dated("check"), Ok)?;
    let mut screen = Screen::new(false, &folder);
    let exit = in_this_process(&plan, PlanPart::FIRST, interrupt, &mut screen)?;
    if exit == Exit::Incomplete {
        return Ok((exit, set));
    }
    let reading = Reading::open(&folder)?;
    runs::stderr(&reading.results, &folder, &reading.engines()).iter().for_each(complain);
    let group = reading.results.groups.first().context("nothing was measured")?;
    let said = sentence(group, &args.name, rungs)?;
    let exit =
        output::print(&format!("\n{said} ({}, {set}; c4lab report {})", engine.goal.name(), folder.display()), exit)?;
    Ok((exit, set))
}

/// The set, the rungs and the number of positions.
fn choice(args: &Args, engine: &Engine) -> Result<(String, &'static [&'static str], usize)> {
    let [(middle, its_rungs), (end, rungs)] = SETS;
    if let Some(set) = &args.set {
        let rungs = if set == end { rungs } else { &its_rungs[3..] };
        return Ok((set.clone(), rungs, args.limit));
    }
    let mut program = Foreign::new(engine.table.program(None)?);
    if is_quick(&mut program, engine.goal, middle) {
        return Ok((middle.to_string(), its_rungs, args.limit));
    }
    let fits = AT_MOST.as_nanos() / engine.mean_time.as_nanos().max(1);
    Ok((end.to_string(), rungs, args.limit.min(fits.max(1) as usize)))
}

/// `All 200 right, is 468 times slower than the champion (400 to 530), is 12.0 times faster than pons-07 (9.00 to 14.0)`
fn sentence(group: &Group, name: &str, rungs: &[&str]) -> Result<String> {
    let column = |name: &str| group.named(name).with_context(|| format!("no row of {name}"));
    let (mine, champion) = (column(name)?, column(DEFAULT)?);
    let cells = || mine.cells.iter().flatten();
    let count = |outcome: Outcome| cells().filter(|cell| cell.outcome == outcome).count();
    let (right, all) = (count(Outcome::Answered), cells().count());
    let mut said = if right == all { format!("All {all} right") } else { format!("{right} of {all} right") };
    for (outcome, what) in [(Outcome::Wrong, "wrong"), (Outcome::Failed, "failed"), (Outcome::Limited, "too late")] {
        if count(outcome) > 0 {
            said += &format!(", {} {what}", count(outcome));
        }
    }
    if !mine.is_sound() {
        return Ok(said + ": a program is compared when it answers everything rightly");
    }
    let speed = |base: &Series| {
        let comparison = Comparison::of(group, base, mine, Quantity::Time, 1);
        comparison.geometric_mean.or(comparison.ratio_of_sums)
    };
    if let Some(ratio) = speed(champion) {
        said += &format!(", {}", beside_one("the champion", ratio));
    }
    let mut ladder = Vec::new();
    for rung in rungs {
        ladder.extend(speed(column(rung)?).map(|ratio| (ratio, *rung)));
    }
    // The fastest of the rungs that are slower than the program, or else the slowest rung.
    ladder.sort_by(|one, other| one.0.value.total_cmp(&other.0.value));
    let behind = ladder.iter().find(|(ratio, _)| ratio.value >= 1.0).or(ladder.last());
    if let Some((ratio, rung)) = behind {
        said += &format!(", {}", beside_one(rung, *ratio));
    }
    if let Some(ratio) = nodes(mine, champion) {
        said += &format!("; its nodes are {} times the champion's", three_digits(ratio));
    }
    Ok(said)
}

/// The program's own nodes divided by the champion's, over the positions for which the program states nodes.
fn nodes(mine: &Series, champion: &Series) -> Option<f64> {
    let cells = mine.cells.iter().zip(&champion.cells);
    let pairs =
        cells.filter_map(|(mine, champion)| Some((*mine.as_ref()?.own_nodes.first()?, champion.as_ref()?.nodes?)));
    let (own, its) = pairs.fold((0.0, 0.0), |(own, its), (mine, champion)| (own + mine, its + champion));
    (own > 0.0 && its > 0.0).then_some(own / its)
}
