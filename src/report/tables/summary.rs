//! The summary: what every variant took on every set, beside the first variant of that set.

use crate::report::results::{Column, Ground, Observed, Outcome, Results};
use crate::report::sheets::sheet::{Heading, Sheet, Subject, Value};
use crate::report::sheets::units::{three_digits, time, times};
use crate::report::stats::Estimate;
use crate::report::tables::comparison::{Comparison, Quantity, SHORT};
use crate::report::tables::conclusion;
use anyhow::Result;
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
    /// What is said of the variants of its ground that ran at run time.
    #[serde(skip)]
    pub run_time: String,
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
pub fn line(ground: &Ground, column: &Column, base: &Column, seed: u64) -> Line {
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
        run_time: ground.said_of_run_time(),
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
fn sums(pairs: &[(f64, f64)]) -> (f64, f64) {
    pairs.iter().fold((0.0, 0.0), |sum, pair| (sum.0 + pair.0, sum.1 + pair.1))
}

/// The sum of the base divided by that of the variant.
pub(super) fn ratio(pairs: &[(f64, f64)]) -> Option<f64> {
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

/// The lines as sheets, one for each set and goal. The first variant of each is the one that the others are compared with.
pub fn sheets(lines: &[Line]) -> Vec<Sheet> {
    let (fails, shorts) = (lines.iter().any(|line| line.failed > 0), lines.iter().any(|line| line.short > 0));
    let headings = || {
        let numbers = [
            Heading::number("mean time", "mean_ns"),
            Heading::number("mean nb pos", "mean_nodes"),
            Heading::number("K pos/s", "nodes_per_s"),
            Heading::number("speed-up", "speedup"),
            Heading::interval("speedup"),
            Heading::number("geometric mean", "geometric_mean"),
            Heading::interval("geometric_mean"),
        ];
        let short = shorts.then(|| Heading::number("short", "short"));
        counts(fails).chain(numbers).chain(short).collect()
    };
    let mut sheets: Vec<Sheet> = Vec::new();
    for line in lines {
        let subject = line.subject();
        if sheets.last().is_none_or(|last| last.subject != subject) {
            let apart = line.apart.as_ref().map_or(String::new(), |apart| format!(", {apart}"));
            sheets.push(Sheet {
                name: "summary",
                subject,
                title: format!("{}, {}{apart}", line.set, line.goal.name()),
                note: String::new(),
                conclusion: String::new(),
                headings: headings(),
                rows: Vec::new(),
            });
        }
        if let Some(sheet) = sheets.last_mut() {
            sheet.rows.push(row(line, fails, shorts));
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
    let unsound: Vec<&str> = lines.iter().filter(|line| !is_sound(line)).map(|line| line.variant.as_str()).collect();
    let left_out = match unsound.as_slice() {
        [] => String::new(),
        names => format!(" Left out, since not all of its answers are right: {}.", names.join(", ")),
    };
    let others = if is_sound(&base) { others.as_slice() } else { &[] };
    format!("{}{left_out}", conclusion::beside(&base.variant, others)).trim_start().to_string()
}

/// How the sheet of these lines is read; the first is the base.
fn note(lines: &[&Line]) -> String {
    let Some(base) = lines.first() else { return String::new() };
    let limited = match lines.iter().any(|line| line.limited > 0) {
        true => " A position that reached a limit counts with twice the limit in mean times and speed-ups.",
        false => "",
    };
    let short = if lines.iter().any(|line| line.short > 0) { format!(" {SHORT}") } else { String::new() };
    let Line { variant, run_time, .. } = base;
    format!(
        "Speed-ups: the time of {variant} divided by that of the variant, of the whole set (ratio of sums) and of the \
         typical position (geometric mean).{limited}{short}{run_time}"
    )
}

/// The headings of a variant and of how its positions ended. A column for what hardly ever happens stands there where it did.
pub(super) fn counts(fails: bool) -> impl Iterator<Item = Heading> {
    let names = ["positions", "ok", "wrong"].into_iter().chain(fails.then_some("failed")).chain(["limited"]);
    [Heading::text("variant", "variant")].into_iter().chain(names.map(|name| Heading::number(name, name)))
}

fn row(line: &Line, fails: bool, shorts: bool) -> Vec<Value> {
    let counts =
        [line.positions, line.ok, line.wrong].into_iter().chain(fails.then_some(line.failed)).chain([line.limited]);
    let mut row = vec![Value::text(&line.variant)];
    row.extend(counts.map(Value::count));
    row.extend([
        Value::number(line.mean_ns, time),
        Value::number(line.mean_nodes, three_digits),
        Value::number(line.nodes_per_s, |rate| three_digits(rate / 1e3)),
    ]);
    for estimate in [line.of_sums(), line.of_positions()] {
        // Beside itself a variant needs no interval.
        let interval = if line.is_base { Value::Empty } else { Value::interval_of(estimate) };
        row.extend([Value::number(estimate.map(|estimate| estimate.value), times), interval]);
    }
    row.extend(shorts.then(|| Value::count(line.short)));
    row
}

/// The lines in Markdown.
pub fn markdown(lines: &[Line]) -> String {
    sheets(lines).iter().map(Sheet::markdown).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lab::files::folder::tests::sample;
    use crate::lab::files::manifest::Naming;
    use crate::lab::files::sample::{Sample, Status};
    use crate::report::results::tests::results;

    fn terminal(lines: &[Line]) -> String {
        sheets(lines).iter().map(|sheet| sheet.terminal(None)).collect()
    }

    #[test]
    fn means_and_ratios_by_hand() {
        let rows = [sample("b", 1, 100, 10), sample("a", 1, 400, 20), sample("a", 2, 800, 60), sample("b", 2, 300, 30)];
        let lines = summarise(&results(&rows, &["a", "b"]), 1);
        assert_eq!(lines.iter().map(|line| line.variant.as_str()).collect::<Vec<_>>(), ["a", "b"]);
        assert_eq!((lines[0].mean_ns, lines[0].mean_nodes), (Some(600.0), Some(40.0)));
        assert_eq!((lines[0].speedup, lines[0].node_ratio), (Some(1.0), Some(1.0)));
        assert_eq!((lines[1].speedup, lines[1].node_ratio), (Some(3.0), Some(2.0)));
        assert_eq!(lines[1].nodes_per_s, Some(40.0 / 400.0 * 1e9));
        assert_eq!((lines[1].positions, lines[1].ok, lines[1].wrong, lines[1].limited), (2, 2, 0, 0));
    }

    #[test]
    fn repetitions_count_by_their_median() {
        let rows: Vec<Sample> = [100, 900, 200]
            .into_iter()
            .enumerate()
            .map(|(pass, ns)| Sample { repetition: pass as u32, ..sample("a", 1, ns, 10) })
            .collect();
        let lines = summarise(&results(&rows, &[]), 1);
        assert_eq!((lines[0].positions, lines[0].mean_ns, lines[0].mean_nodes), (1, Some(200.0), Some(10.0)));
    }

    #[test]
    fn a_limit_costs_twice_the_limit_and_leaves_node_statistics() {
        let limited = Sample { status: Status::Timeout, limit_ns: Some(1000), score: None, ..sample("b", 2, 1003, 99) };
        let rows = [sample("a", 1, 100, 10), sample("a", 2, 100, 10), sample("b", 1, 100, 10), limited];
        let lines = summarise(&results(&rows, &["a", "b"]), 1);
        assert_eq!((lines[1].positions, lines[1].ok, lines[1].limited), (2, 1, 1));
        assert_eq!((lines[1].mean_ns, lines[1].mean_nodes), (Some(1050.0), Some(10.0)));
        assert_eq!(lines[1].speedup, Some(200.0 / 2100.0));
        assert_eq!(lines[1].node_ratio, Some(1.0));
    }

    #[test]
    fn a_wrong_score_is_never_a_time() {
        let wrong = Sample { status: Status::Wrong, score: Some(2), ..sample("b", 2, 1, 1) };
        let rows = [sample("a", 1, 100, 10), sample("a", 2, 100, 10), sample("b", 1, 100, 10), wrong];
        let lines = summarise(&results(&rows, &["a", "b"]), 1);
        assert_eq!((lines[1].positions, lines[1].ok, lines[1].wrong), (2, 1, 1));
        assert_eq!((lines[1].mean_ns, lines[1].speedup), (Some(100.0), Some(1.0)));
    }

    /// A wrong answer is never a fast time, in no sentence either.
    #[test]
    fn who_is_wrong_is_in_no_conclusion() {
        let of = |wrong: &str| {
            let row = |variant: &str, id: u64, ns: u64| {
                let status = if variant == wrong && id == 3 { Status::Wrong } else { Status::Ok };
                Sample { status, ..sample(variant, id, ns + id, 10) }
            };
            let rows: Vec<Sample> =
                (1..=20).flat_map(|id| [row("a", id, 400), row("b", id, 100), row("c", id, 200)]).collect();
            let results = results(&rows, &["a", "b", "c"]);
            let ground = &results.grounds[0];
            let beside = crate::report::tables::comparison::beside(ground, &ground.columns[0], 1);
            [sheets(&summarise(&results, 1)).remove(0).conclusion, beside.conclusion]
        };
        assert!(of("").iter().all(|said| said.contains("Of 2 variants") && said.contains("is b: ")), "{:?}", of(""));
        let [summary, beside] = of("b");
        assert!(beside.contains("c is 1.95 times faster") && !beside.contains("b is"), "{beside}");
        assert_eq!(summary, format!("{beside} Left out, since not all of its answers are right: b."));
        let [summary, beside] = of("a");
        assert_eq!((summary.as_str(), beside.as_str()), ("Left out, since not all of its answers are right: a.", ""));
    }

    /// Two of twenty positions are short: sums have them, geometric means do not.
    #[test]
    fn short_times_stand_in_sums_alone() {
        let rows: Vec<Sample> = (1..=20)
            .flat_map(|id| {
                let (base, variant) = if id <= 2 { (90, 900) } else { (2000 + 10 * id, 1000) };
                [sample("a", id, base, 10), sample("b", id, variant, 10)]
            })
            .collect();
        let naming = Naming { resolution_ns: [("m".to_string(), 10)].into(), ..Naming::default() };
        let of = |naming: &Naming| {
            let results = Results::of(rows.iter().cloned().map(Ok), naming).unwrap();
            summarise(&results, 1).remove(1)
        };
        let (line, all) = (of(&naming), of(&Naming::default()));
        assert_eq!((line.short, line.positions, all.short), (2, 20, 0));
        assert_eq!(line.speedup, all.speedup);
        assert!(line.geometric_mean.unwrap() > 2.0 && all.geometric_mean.unwrap() < 1.8);
        assert!(terminal(&[line]).contains("resolutions") && !terminal(&[all]).contains("short"));
    }

    #[test]
    fn a_table_in_markdown() {
        let rows = [sample("a", 1, 4420, 51), sample("b", 1, 2210, 25)];
        let text = markdown(&summarise(&results(&rows, &["a", "b"]), 1));
        let rows: Vec<&str> = text.lines().collect();
        assert_eq!(rows[0], "**s, strong**");
        assert_eq!(
            rows[2],
            "Speed-ups: the time of a divided by that of the variant, of the whole set (ratio of sums) and of the typical position (geometric mean)."
        );
        assert!(rows[4].starts_with("| variant | positions |"), "{text}");
        assert!(rows[5].starts_with("| --- | ---: |"), "{text}");
        assert!(rows[7].starts_with("| b") && rows[7].contains("2.21 us") && rows[7].contains("2.00x"), "{text}");
    }

    #[test]
    fn what_failed_otherwise_is_not_wrong() {
        use crate::lab::files::sample::Status::{Error, Ok, Signal, Wrong};
        let of = |statuses: &[Status]| {
            let row = |(index, &status)| Sample { status, ..sample("a", 1 + index as u64, 100, 10) };
            summarise(&results(&statuses.iter().enumerate().map(row).collect::<Vec<_>>(), &[]), 1)
        };
        let lines = of(&[Ok, Wrong, Signal, Error]);
        assert_eq!((lines[0].ok, lines[0].wrong, lines[0].failed), (1, 1, 2));
        assert!(terminal(&lines).contains("failed") && !terminal(&of(&[Ok, Wrong])).contains("failed"));
    }

    #[test]
    fn csv_leaves_empty_what_is_not_there() {
        let lines = summarise(&results(&[sample("a", 1, 100, 10)], &[]), 1);
        let text = String::from_utf8(csv(&lines).unwrap()).unwrap();
        assert_eq!(text.lines().nth(1).unwrap(), "s,a,strong,1,1,0,0,100.0,10.0,100000000.0,1.0,,,1.0,0,1.0,,,0");
    }

    #[test]
    fn an_answer_without_nodes_is_an_answer() {
        let row = Sample { nodes: None, ..sample("a", 1, 100, 10) };
        let line = &summarise(&results(&[row], &[]), 1)[0];
        assert_eq!((line.positions, line.ok, line.wrong, line.mean_ns), (1, 1, 0, Some(100.0)));
        assert_eq!((line.mean_nodes, line.nodes_per_s, line.node_ratio), (None, None, None));
    }

    #[test]
    fn lines_of_two_machines_can_be_told_apart() {
        let row = sample("a", 1, 100, 10);
        let lines = summarise(&results(&[row.clone(), Sample { machine_id: "n".into(), ..row }], &[]), 1);
        let text = String::from_utf8(csv(&lines).unwrap()).unwrap();
        let ends: Vec<&str> = text.lines().filter_map(|line| line.splitn(14, ',').last()).collect();
        assert_eq!(
            ends,
            [
                "node_ratio,failed,geometric_mean,geometric_mean_low,geometric_mean_high,short,apart",
                "1.0,0,1.0,,,0,\"machine m, cold\"",
                "1.0,0,1.0,,,0,\"machine n, cold\""
            ]
        );
    }
}
