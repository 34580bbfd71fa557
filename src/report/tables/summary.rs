//! The summary: what every variant took on every set, beside the first variant of that set.

use crate::results::{Ground, Observed, Outcome, Results, Series};
use crate::stats::{Estimate, InBatch};
use crate::table::markdown::{distinct, pipes};
use crate::table::units::{four_digits, three_digits, time, times};
use crate::table::{Cell, Column, Subject, Table};
use crate::tables::comparison::{Comparison, Quantity, SHORT};
use crate::tables::conclusion;
use anyhow::Result;
use c4lab_measure::counted::counted;
use c4lab_solver::search::Goal;
use serde::Serialize;

/// One variant on one set under one goal: a line of `summary.csv`.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Line {
    /// The test set.
    pub set: String,
    /// The variant.
    pub variant: String,
    /// The goal.
    pub goal: Goal,
    /// What tells its ground from others of the same set and goal, where there are any.
    #[serde(skip)]
    pub apart: Option<String>,
    /// What is said of the times of its ground.
    #[serde(skip)]
    pub said_of_times: String,
    /// Positions measured.
    pub positions: usize,
    /// Positions answered rightly in every repetition.
    pub ok: usize,
    /// Positions with a wrong answer.
    pub wrong: usize,
    /// Positions that reached a limit.
    pub limited: usize,
    /// Mean time of a position.
    pub mean_ns: Option<f64>,
    /// Mean number of nodes of a position.
    pub mean_nodes: Option<f64>,
    /// Nodes a second, over all positions answered.
    pub nodes_per_s: Option<f64>,
    /// The first variant's time divided by this one's, over the positions that both have.
    pub speedup: Option<f64>,
    /// Lower end of its 95 % interval.
    pub speedup_low: Option<f64>,
    /// Upper end.
    pub speedup_high: Option<f64>,
    /// The first variant's nodes divided by this one's, over the positions that both answered.
    pub node_ratio: Option<f64>,
    /// Positions that failed in another way: a program that crashed, said nothing that could be read, or had no memory.
    pub failed: usize,
    /// The geometric mean of the ratios of times of single positions, the short ones left out.
    pub geometric_mean: Option<f64>,
    /// Lower end of its 95 % interval.
    pub geometric_mean_low: Option<f64>,
    /// Upper end.
    pub geometric_mean_high: Option<f64>,
    /// Positions whose time is short for one of the two: they stand in the sums alone.
    pub short: usize,
    /// Nodes of a position that a foreign program states of itself, in the mean. They are no column of nodes: it counts in its
    /// own way.
    pub engine_nodes: Option<f64>,
    /// Whether it is the base of its ground.
    #[serde(skip)]
    pub is_base: bool,
}

/// Sums up results: a line for each variant of each ground. The first variant of a ground is what the others are compared
/// with.
pub fn summarise(results: &Results, seed: u64) -> Vec<Line> {
    let of = |ground: &Ground| -> Vec<Line> {
        let base = ground.columns.first();
        ground
            .columns
            .iter()
            .zip(std::iter::repeat(base))
            .filter_map(|(column, base)| Some(line(ground, column, base?, seed)))
            .collect()
    };
    results.grounds.iter().flat_map(of).collect()
}

/// One variant beside another.
pub fn line(ground: &Ground, column: &Series, base: &Series, seed: u64) -> Line {
    let cells: Vec<&Observed> = column.cells.iter().flatten().collect();
    let count = |outcome: Outcome| cells.iter().filter(|cell| cell.outcome == outcome).count();
    let times: Vec<f64> = cells.iter().filter_map(|cell| cell.ns()).collect();
    let answered: Vec<(f64, f64)> = cells.iter().filter_map(|cell| Some((cell.ns()?, cell.nodes?))).collect();
    let (ns, nodes) = sums(&answered);
    let mean = |total: f64, count: usize| (count > 0).then(|| total / count as f64);
    let timed = ground.timed_base(base, column);
    let compared = timed.map(|timed| Comparison::of(ground, timed, column, Quantity::Time, seed));
    let value = |of: fn(&Comparison) -> Option<Estimate>| compared.as_ref().and_then(of);
    let (speedup, mean_ratio) = (value(|compared| compared.ratio_of_sums), value(|compared| compared.geometric_mean));
    let interval = |estimate: Option<Estimate>| estimate.and_then(|estimate| estimate.interval);
    let (speedup_interval, mean_interval) = (interval(speedup), interval(mean_ratio));
    Line {
        set: ground.set.clone(),
        variant: column.variant.clone(),
        goal: ground.goal,
        apart: ground.apart.clone(),
        said_of_times: ground.said_of_times(),
        positions: cells.len(),
        ok: count(Outcome::Answered),
        wrong: count(Outcome::Wrong),
        limited: count(Outcome::Limited),
        mean_ns: mean(times.iter().sum(), times.len()),
        mean_nodes: mean(nodes, answered.len()),
        nodes_per_s: (ns > 0.0).then(|| nodes / ns * 1e9),
        speedup: speedup.map(|estimate| estimate.value),
        speedup_low: speedup_interval.map(|interval| interval.0),
        speedup_high: speedup_interval.map(|interval| interval.1),
        node_ratio: ratio(&ground.nodes(base, column)),
        failed: count(Outcome::Failed),
        geometric_mean: mean_ratio.map(|estimate| estimate.value),
        geometric_mean_low: mean_interval.map(|interval| interval.0),
        geometric_mean_high: mean_interval.map(|interval| interval.1),
        short: compared.map_or(0, |compared| compared.short),
        engine_nodes: column.own_nodes(),
        is_base: column.variant == base.variant,
    }
}

impl Line {
    /// What its sheet is about.
    fn subject(&self) -> Subject {
        Subject { set: Some(self.set.clone()), goal: Some(self.goal), apart: self.apart.clone() }
    }

    /// The speed-up, or the geometric mean, with its interval.
    fn estimate(value: Option<f64>, low: Option<f64>, high: Option<f64>) -> Option<Estimate> {
        Some(Estimate { value: value?, interval: low.zip(high) })
    }

    /// What the sums say.
    pub fn of_sums(&self) -> Option<Estimate> {
        Line::estimate(self.speedup, self.speedup_low, self.speedup_high)
    }

    /// What the typical position says.
    pub fn of_positions(&self) -> Option<Estimate> {
        Line::estimate(self.geometric_mean, self.geometric_mean_low, self.geometric_mean_high)
    }
}

/// The sums of both sides.
fn sums<P: InBatch>(pairs: &[P]) -> (f64, f64) {
    pairs.iter().map(|pair| pair.pair()).fold((0.0, 0.0), |sum, pair| (sum.0 + pair.0, sum.1 + pair.1))
}

/// The sum of the base divided by that of the variant.
pub(crate) fn ratio<P: InBatch>(pairs: &[P]) -> Option<f64> {
    let (base, variant) = sums(pairs);
    (variant > 0.0).then(|| base / variant)
}

/// `summary.csv`. A last column `apart` stands there only where several grounds have one set and goal.
pub fn csv(lines: &[Line]) -> Result<Vec<u8>> {
    let mut writer = csv::WriterBuilder::new().has_headers(false).from_writer(Vec::new());
    let apart = lines.iter().any(|line| line.apart.is_some());
    let names = [
        "set",
        "variant",
        "goal",
        "positions",
        "ok",
        "wrong",
        "limited",
        "mean_ns",
        "mean_nodes",
        "nodes_per_s",
        "speedup",
        "speedup_low",
        "speedup_high",
        "node_ratio",
        "failed",
        "geometric_mean",
        "geometric_mean_low",
        "geometric_mean_high",
        "short",
        "engine_nodes",
    ];
    writer.write_record(names.iter().chain(apart.then_some(&"apart")))?;
    for line in lines {
        match apart {
            true => writer.serialize((line, &line.apart))?,
            false => writer.serialize(line)?,
        }
    }
    Ok(writer.into_inner().map_err(|error| error.into_error())?)
}

/// Which columns there are that stand in a table only where they say something.
#[derive(Clone, Copy)]
struct RareColumns {
    failed: bool,
    short: bool,
    own_nodes: bool,
}

/// The lines as sheets, one for each set and goal. The first variant of each is the one that the others are compared with.
pub fn sheets(lines: &[Line]) -> Vec<Table> {
    let rare = RareColumns {
        failed: lines.iter().any(|line| line.failed > 0),
        short: lines.iter().any(|line| line.short > 0),
        own_nodes: lines.iter().any(|line| line.engine_nodes.is_some()),
    };
    let mut sheets: Vec<Table> = Vec::new();
    for line in lines {
        let subject = line.subject();
        if sheets.last().is_none_or(|last| last.subject != subject) {
            let apart = line.apart.as_ref().map_or(String::new(), |apart| format!(", {apart}"));
            sheets.push(Table {
                name: "summary",
                subject,
                title: format!("{}, {}{apart}", line.set, line.goal.name()),
                note: String::new(),
                conclusion: String::new(),
                columns: headings(rare),
                rows: Vec::new(),
            });
        }
        if let Some(sheet) = sheets.last_mut() {
            sheet.rows.push(row(line, rare));
        }
    }
    for sheet in &mut sheets {
        let lines: Vec<&Line> = lines.iter().filter(|line| line.subject() == sheet.subject).collect();
        (sheet.note, sheet.conclusion) = (note(&lines), conclusion(&lines));
    }
    sheets
}

/// What the lines of a sheet say. Who answered wrongly, or failed, is in no sentence about speed.
fn conclusion(lines: &[&Line]) -> String {
    let Some(base) = lines.iter().find(|line| line.is_base) else { return String::new() };
    let is_sound = |line: &&&Line| line.wrong + line.failed == 0;
    let others: Vec<(&str, Estimate)> = lines
        .iter()
        .filter(|line| !line.is_base)
        .filter(is_sound)
        .filter_map(|line| Some((line.variant.as_str(), line.of_positions()?)))
        .collect();
    let left_out = |reason: &str, is_it: fn(&Line) -> bool| {
        let names: Vec<&str> = lines.iter().filter(|line| is_it(line)).map(|line| line.variant.as_str()).collect();
        if names.is_empty() { String::new() } else { format!(" Left out, since {reason}: {}.", names.join(", ")) }
    };
    let left_out = left_out("not all of its answers are right", |line| line.wrong > 0)
        + &left_out("it failed on some positions", |line| line.wrong == 0 && line.failed > 0);
    let others = if is_sound(&base) { others.as_slice() } else { &[] };
    format!("{}{left_out}", conclusion::beside(&base.variant, others)).trim_start().to_string()
}

/// How a note tells of the nodes of foreign programs.
const OWN_NODES: &str = " Own nodes: what a program states; it counts in its own way, so compare them with no others.";

/// How the sheet of these lines is read; the first is the base.
fn note(lines: &[&Line]) -> String {
    let Some(base) = lines.first() else { return String::new() };
    let limited = match lines.iter().any(|line| line.limited > 0) {
        true => " A position that reached a limit counts with twice the limit in mean times and speed-ups.",
        false => "",
    };
    let short = if lines.iter().any(|line| line.short > 0) { format!(" {SHORT}") } else { String::new() };
    let own_nodes = if lines.iter().any(|line| line.engine_nodes.is_some()) { OWN_NODES } else { "" };
    let Line { variant, said_of_times, .. } = base;
    format!(
        "Speed-ups: the time of {variant} divided by that of the variant, of the whole set (ratio of sums) and of the \
         typical position (geometric mean).{limited}{short}{own_nodes}{said_of_times}"
    )
}

/// The columns of a variant and of how its positions ended. A column for what hardly ever happens stands there where it did.
pub(super) fn counts(fails: bool) -> impl Iterator<Item = Column> {
    let names = ["positions", "ok", "wrong"].into_iter().chain(fails.then_some("failed")).chain(["limited"]);
    [Column::text("variant", "variant")].into_iter().chain(names.map(|name| Column::number(name, name)))
}

fn headings(rare: RareColumns) -> Vec<Column> {
    let numbers = [Column::number("mean time", "mean_ns"), Column::number("mean nb pos", "mean_nodes")];
    let own_nodes = rare.own_nodes.then(|| Column::number("own nodes", "engine_nodes"));
    let ratios = [
        Column::number("K pos/s", "nodes_per_s"),
        Column::number("speed-up", "speedup"),
        Column::interval("speedup"),
        Column::number("geometric mean", "geometric_mean"),
        Column::interval("geometric_mean"),
    ];
    let short = rare.short.then(|| Column::number("short", "short"));
    counts(rare.failed).chain(numbers).chain(own_nodes).chain(ratios).chain(short).collect()
}

fn row(line: &Line, rare: RareColumns) -> Vec<Cell> {
    let counts = [line.positions, line.ok, line.wrong]
        .into_iter()
        .chain(rare.failed.then_some(line.failed))
        .chain([line.limited]);
    let mut row = vec![Cell::text(&line.variant)];
    row.extend(counts.map(Cell::count));
    row.extend([Cell::number(line.mean_ns, time), Cell::number(line.mean_nodes, three_digits)]);
    row.extend(rare.own_nodes.then(|| Cell::number(line.engine_nodes, three_digits)));
    row.push(Cell::number(line.nodes_per_s, |rate| three_digits(rate / 1e3)));
    for estimate in [line.of_sums(), line.of_positions()] {
        // Beside itself a variant needs no interval.
        let interval = if line.is_base { Cell::Empty } else { Cell::interval_of(estimate) };
        row.extend([Cell::number(estimate.map(|estimate| estimate.value), times), interval]);
    }
    row.extend(rare.short.then(|| Cell::count(line.short)));
    row
}

/// The lines in Markdown.
pub fn markdown(lines: &[Line]) -> String {
    sheets(lines).iter().map(Table::markdown).collect::<Vec<_>>().join("\n")
}

/// Variants by sets: `mean time / mean nodes`, for one goal. Nodes that a foreign program states are called its own. In the order of
/// `order`, or by name where that is empty.
pub fn ladder(lines: &[Line], goal: Goal, order: &[String]) -> String {
    let lines: Vec<&Line> = lines.iter().filter(|line| line.goal == goal).collect();
    let sets = distinct(lines.iter().map(|line| line.set.as_str()));
    let mut variants = distinct(lines.iter().map(|line| line.variant.as_str()));
    variants.sort_by_key(|name| (order.iter().position(|named| named == name), *name));
    let row = |variant: &str| -> Vec<String> {
        let cells = sets.iter().map(|set| {
            let line = lines.iter().find(|line| line.set == *set && line.variant == variant);
            line.map_or(String::new(), |line| match (line.mean_ns, line.mean_nodes, line.engine_nodes) {
                (Some(ns), Some(nodes), _) => format!("{} / {}", time(ns), four_digits(nodes)),
                (Some(ns), None, Some(nodes)) => format!("{} / own {}", time(ns), four_digits(nodes)),
                (Some(ns), None, None) => format!("{} / -", time(ns)),
                (None, ..) => String::new(),
            })
        });
        [variant.to_string()].into_iter().chain(cells).collect()
    };
    let heads: Vec<String> = ["variant"].iter().chain(&sets).map(|head| head.to_string()).collect();
    let is_text: Vec<bool> = (0..heads.len()).map(|column| column == 0).collect();
    let table = pipes(&heads, &is_text, false, &variants.into_iter().map(row).collect::<Vec<_>>());
    match lines.iter().map(|line| line.limited).sum::<usize>() {
        0 => table,
        limited => format!(
            "{table}\n{} of a variant reached a limit: twice the limit is in its mean time.\n",
            counted(limited, "position")
        ),
    }
}

#[cfg(test)]
mod tests;
