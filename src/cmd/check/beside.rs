//! A program beside the champion and the ladder: measured as everything is, and summed up in a sentence.

use super::{Args, FIRST_SET, LONGEST, Understood};
use crate::cmd::measure::verdict;
use crate::cmd::screen::Screen;
use anyhow::{Context, Result};
use c4lab_cli::interrupt::Interrupt;
use c4lab_cli::{Exit, complain, dated, output};
use c4lab_measure::engines::contestant::Contestant;
use c4lab_measure::engines::foreign::Foreign;
use c4lab_measure::files::manifest::command_line;
use c4lab_measure::plan::experiment::Experiment;
use c4lab_measure::plan::plan::Plan;
use c4lab_measure::run::measure::{PlanPart, measure};
use c4lab_measure::sets::test_set::TestSet;
use c4lab_report::reading::Reading;
use c4lab_report::results::{Ground, Outcome, Series};
use c4lab_report::table::units::{in_words, three_digits};
use c4lab_report::tables::comparison::{Comparison, Quantity};
use c4lab_report::tables::runs;
use c4lab_solver::search::registry::DEFAULT;
use c4lab_solver::search::{Goal, Limits, Solve};
use std::time::{Duration, Instant};

/// The set that tells most, and the one for slow programs, each with the rungs of the ladder that take not too long on it.
const SETS: [(&str, &[&str]); 2] = [
    (FIRST_SET, &["pons-07", "pons-08", "pons-09", "pons-10", "pons-11", "pons-12"]),
    ("end-easy", &["pons-03", "pons-04", "pons-05", "pons-06", "pons-07", "pons-08", "pons-10", "pons-12"]),
];
/// How long the program may take for the whole set, by a first look.
const AT_MOST: Duration = Duration::from_secs(30);
/// Positions of the first look, and how long each may take.
const LOOK: (usize, Duration) = (5, Duration::from_secs(2));

/// The set after the first one. A program takes a hundred times as long for a position of it, more or less.
const NEXT_SET: &str = "middle-medium";
/// How long a program may take for a position of the first set, so that the next one is for it.
const SOON: Duration = Duration::from_millis(5);

struct CheckChoice {
    set: String,
    rungs: &'static [&'static str],
    limit: usize,
    next: String,
}

/// Measures it, prints the sentence, and gives how it ended, and the set to measure on next.
pub(super) fn measured(args: &Args, understood: &Understood, interrupt: &Interrupt) -> Result<(Exit, String)> {
    let CheckChoice { set, rungs, limit, next } = choice(args, understood, interrupt)?;
    let goal = if understood.is_weak { Goal::Weak } else { Goal::Strong };
    let mut experiment = Experiment::blank("check");
    experiment.engines.insert(args.name.clone(), understood.table.clone());
    let variants = [DEFAULT].into_iter().chain(rungs.iter().copied()).map(str::to_string);
    let names: Vec<String> = variants.chain([args.name.clone()]).collect();
    experiment.choose(Some(&names), Some(std::slice::from_ref(&set)), Some(&[goal]))?;
    experiment.limit = Some(limit);
    experiment.time_limit = Some(LONGEST.to_string());
    experiment.validate()?;
    let plan = Plan::of(experiment)?;
    let folder = args.out.clone().unwrap_or_else(|| dated("check"));
    let mut screen = Screen::new(false, &folder);
    let command = command_line(std::env::args());
    let outcome = measure(&plan, PlanPart::FIRST, &folder, command, interrupt.flag(), &mut screen);
    screen.bar.finish_and_clear();
    let exit = verdict(&outcome?, &folder);
    if exit == Exit::Incomplete {
        return Ok((exit, next));
    }
    let reading = Reading::open(&folder)?;
    runs::stderr(&reading.results, &folder, &reading.engines()).iter().for_each(complain);
    let ground = reading.results.grounds.first().context("nothing was measured")?;
    let said = sentence(ground, &args.name, rungs)?;
    let exit = output::print(&format!("\n{said} ({}, {set}; c4lab report {})", goal.name(), folder.display()), exit)?;
    Ok((exit, next))
}

/// The set, the rungs, and how many positions, so that it does not take too long.
fn choice(args: &Args, understood: &Understood, interrupt: &Interrupt) -> Result<CheckChoice> {
    let [(middle, its_rungs), (end, rungs)] = SETS;
    if let Some(set) = &args.set {
        let rungs = if set == end { rungs } else { &its_rungs[3..] };
        return Ok(CheckChoice { set: set.clone(), rungs, limit: args.limit, next: set.clone() });
    }
    if let Some(took) = look(args, understood, middle, interrupt)?
        && took * (args.limit as u32) <= AT_MOST
    {
        let next = if took <= SOON { NEXT_SET } else { middle }.to_string();
        return Ok(CheckChoice { set: middle.to_string(), rungs: its_rungs, limit: args.limit, next });
    }
    let fits = AT_MOST.as_nanos() / understood.took.as_nanos().max(1);
    Ok(CheckChoice { set: end.to_string(), rungs, limit: args.limit.min(fits.max(1) as usize), next: end.to_string() })
}

/// How long it takes for a position of a set, in the mean over the first few; `None` where one takes too long.
fn look(args: &Args, understood: &Understood, set: &str, interrupt: &Interrupt) -> Result<Option<Duration>> {
    let place = tempfile::tempdir()?;
    let mut program = Foreign::new(understood.table.program(&place.path().join(&args.name))?);
    let (count, most) = LOOK;
    let limits = Limits { time: Some(most), interrupt: Some(interrupt.flag()), ..Limits::default() };
    let goal = if understood.is_weak { Goal::Weak } else { Goal::Strong };
    let begun = Instant::now();
    for item in TestSet::open(set)?.items.iter().take(count) {
        program.prepare(&limits);
        if program.solve(&item.position, goal, &limits).is_err() {
            return Ok(None);
        }
    }
    Ok(Some(begun.elapsed() / count as u32))
}

/// `All 200 right, 468 times slower than the champion, 12 times faster than pons-07; its nodes are 3.1 times the champion's.`
fn sentence(ground: &Ground, name: &str, rungs: &[&str]) -> Result<String> {
    let column = |name: &str| ground.column(name).with_context(|| format!("no row of {name}"));
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
        let comparison = Comparison::of(ground, base, mine, Quantity::Time, 1);
        comparison.geometric_mean.or(comparison.ratio_of_sums).map(|ratio| ratio.value)
    };
    if let Some(ratio) = speed(champion) {
        said += &format!(", {}", than(ratio, "the champion"));
    }
    let mut ladder = Vec::new();
    for rung in rungs {
        ladder.extend(speed(column(rung)?).map(|ratio| (ratio, *rung)));
    }
    // The one of the rungs behind it that is nearest, or else the slowest one.
    ladder.sort_by(|one, other| one.0.total_cmp(&other.0));
    let behind = ladder.iter().find(|(ratio, _)| *ratio >= 1.0).or(ladder.last());
    if let Some((ratio, rung)) = behind {
        said += &format!(", {}", than(*ratio, rung));
    }
    if let Some(ratio) = nodes(mine, champion) {
        said += &format!("; its nodes are {} times the champion's", three_digits(ratio));
    }
    Ok(said)
}

/// `468 times slower than the champion`, `as fast as the champion`.
fn than(ratio: f64, other: &str) -> String {
    let said = in_words(ratio);
    format!("{said} {} {other}", if said == "as fast" { "as" } else { "than" })
}

/// The program's own nodes divided by the champion's, over the positions where it tells them.
fn nodes(mine: &Series, champion: &Series) -> Option<f64> {
    let cells = mine.cells.iter().zip(&champion.cells);
    let pairs =
        cells.filter_map(|(mine, champion)| Some((*mine.as_ref()?.own_nodes.first()?, champion.as_ref()?.nodes?)));
    let (own, its) = pairs.fold((0.0, 0.0), |(own, its), (mine, champion)| (own + mine, its + champion));
    (own > 0.0 && its > 0.0).then_some(own / its)
}
