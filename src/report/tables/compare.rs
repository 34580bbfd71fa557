//! Comparing two variants, of one folder or of two: set by set, and all sets of a goal pooled.
//!
//! Times are compared and pooled within one machine and build only. Nodes are the same on every machine.

use crate::reading::Reading;
use crate::results::{Group, Outcome, Quantity, Series, pairs, said_of_limits};
use crate::stats::{Estimate, over_processes};
use crate::table::{Subject, Table};
use crate::tables::comparison::{Beside, Comparison, SHORT, columns};
use crate::tables::conclusion;
use anyhow::{Result, bail};
use c4lab_measure::text::pluralize;
use c4lab_solver::search::Goal;
use std::collections::{BTreeSet, HashMap};

#[derive(Clone, Debug)]
pub struct Compared {
    /// The groups on which both were measured. The first column is the base, the second the variant.
    pub groups: Vec<Group>,
    pub times: bool,
    pub left_out: Vec<String>,
    seed: u64,
}

struct Row {
    set: String,
    goal: Goal,
    quantity: Quantity,
    compared: Comparison,
}

impl Compared {
    /// Compares the base, named in `one`, with the variant, named in `other`. Both may be in one folder.
    pub fn of(one: (&Reading, &str), other: (&Reading, &str), nodes_only: bool) -> Result<Self> {
        let (first, second) = (one.0, other.0);
        if first.results.are_means() != second.results.are_means() && !nodes_only {
            bail!(
                "mean times of many searches are not compared with times of single searches; --nodes-only compares nodes"
            );
        }
        let (base, variant, counterpart) =
            if nodes_only { (one.1.to_string(), other.1.to_string(), None) } else { alike(one, other)? };
        let (mut groups, mut left_out) = (Vec::new(), Vec::from_iter(counterpart));
        for group in &first.results.groups {
            let (title, named) = (group.title(), (group.named(&base), group.named(&variant)));
            let Some(column) = named.0 else {
                left_out.extend(named.1.map(|_| format!("{title}: {base} was not measured")));
                continue;
            };
            // Two folders may be of two builds, which are then compared.
            let is_near = |other: &Group| {
                group.machine_id == other.machine_id
                    && (!std::ptr::eq(first, second) || group.binary_sha256 == other.binary_sha256)
            };
            let subject = |of: &Group| (of.set_sha256.clone(), of.goal, of.tt_state);
            let alike = second.results.groups.iter().filter(|other| subject(group) == subject(other));
            let partners = alike.filter(|other| nodes_only || is_near(other)).filter_map(|other| {
                Some((is_near(other), side_by_side((group, column), (other, other.named(&variant)?))))
            });
            // Nodes may be of several machines, as in shards: the own machine comes first, then the most positions.
            let shared = partners.filter(|(_, both)| !both.places.is_empty());
            let both = shared.max_by_key(|(is_near, both)| (*is_near, both.places.len())).map(|(_, both)| both);
            let Some(both) = both else {
                left_out.push(format!("{title}: {variant} was not measured"));
                continue;
            };
            let alone = column.cells.iter().flatten().count() - both.places.len();
            if alone > 0 {
                left_out.push(format!(
                    "{title}: {} measured only with {}",
                    pluralize(alone, "position"),
                    column.variant
                ));
            }
            groups.push(both);
        }
        if groups.is_empty() {
            bail!(nothing((first, &base), (second, &variant)));
        }
        Ok(Compared { groups, times: !nodes_only, left_out, seed: first.manifest.experiment.seed })
    }

    pub fn count(&self, column: usize, outcome: Outcome) -> usize {
        self.groups.iter().map(|group| group.series[column].count(outcome)).sum()
    }

    /// The comparison over all sets of a goal: one of nodes, or one of times for each machine and build.
    fn pooled(&self, goal: Goal, quantity: Quantity) -> Vec<((&str, &str), Comparison)> {
        let of_goal = || self.groups.iter().filter(|group| group.goal == goal);
        let mut benches: BTreeSet<(&str, &str)> = of_goal().map(Group::bench).collect();
        if quantity == Quantity::Nodes {
            benches = benches.into_iter().take(1).collect();
        }
        let compared = |bench: (&'_ str, &'_ str)| {
            let own = of_goal().filter(|group| quantity == Quantity::Nodes || group.bench() == bench);
            let own: Vec<Beside<'_>> = own.map(|group| (group, &group.series[0], &group.series[1])).collect();
            Comparison::pooled(&own, quantity, self.seed)
        };
        benches.into_iter().map(|bench| (bench, compared(bench))).collect()
    }

    fn goals(&self) -> Vec<Goal> {
        Goal::ALL.into_iter().filter(|&goal| self.groups.iter().any(|group| group.goal == goal)).collect()
    }

    pub fn table(&self, title: String) -> Table {
        let quantities: &[Quantity] = if self.times { &Quantity::ALL } else { &[Quantity::Nodes] };
        let mut rows = Vec::new();
        for group in &self.groups {
            for &quantity in quantities {
                let compared = Comparison::of(group, &group.series[0], &group.series[1], quantity, self.seed);
                let set = format!("{}{}", group.set, self.on(group.bench()));
                rows.push(Row { set, goal: group.goal, quantity, compared });
            }
        }
        for goal in self.goals().into_iter().filter(|_| self.groups.len() > 1) {
            for &quantity in quantities {
                for (bench, compared) in self.pooled(goal, quantity) {
                    let on = if quantity == Quantity::Time { self.on(bench) } else { String::new() };
                    rows.push(Row { set: format!("pooled{on}"), goal, quantity, compared });
                }
            }
        }
        let mut note = "The base divided by the variant: above 1 the variant is better.".to_string();
        if self.times {
            let clocks = self.groups.iter().map(Group::said_of_clocks).max_by_key(String::len).unwrap_or_default();
            let limits = said_of_limits(&self.groups);
            note += &format!(" Times that differ by less than 1 % are a tie. {SHORT}{limits}{clocks}");
        }
        let over = Table::new("compare", Subject::default(), title, note)
            .over(&rows)
            .text("set", "set", |row| &row.set)
            .text("goal", "goal", |row| row.goal.name())
            .text("of", "of", |row| row.quantity.name());
        columns(over, |row| &row.compared).table.concluding(self.conclusion())
    }

    /// ` on m by b`: a machine and a build, if there are several.
    fn on(&self, (machine, build): (&str, &str)) -> String {
        let on = |_| format!(" on {machine}");
        let by = |_| format!(" by {}", build.get(..12).unwrap_or(build));
        let other_machine = self.groups.iter().find(|group| group.machine_id != machine);
        let other_build = self.groups.iter().find(|group| group.binary_sha256 != build);
        other_machine.map_or(String::new(), on) + &other_build.map_or(String::new(), by)
    }

    /// A sentence on the geometric mean of times for each goal, machine and build, and one on several machines.
    fn conclusion(&self) -> String {
        let mut said = Vec::new();
        for goal in self.goals().into_iter().filter(|_| self.times) {
            let groups: Vec<&Group> = self.groups.iter().filter(|group| group.goal == goal).collect();
            if !groups.iter().flat_map(|group| &group.series).all(Series::is_sound) {
                continue;
            }
            let [base, variant] = [0, 1].map(|column| groups[0].series[column].variant.as_str());
            let mut means = Vec::new();
            for (bench, compared) in self.pooled(goal, Quantity::Time) {
                let Some(mean) = compared.geometric_mean else { continue };
                let lead = if self.goals().len() > 1 { goal.name() } else { "" };
                let lead = format!("{lead}{}", self.on(bench));
                let sentence = conclusion::beside(base, &[(variant, mean)]);
                said.push(if lead.is_empty() { sentence } else { format!("{}: {sentence}", lead.trim_start()) });
                means.push(mean);
            }
            if means.len() > 1 {
                let (count, words) = (means.len(), conclusion::beside_one(base, over_machines(&means)));
                said.push(format!("Over {count} machines or builds {variant} {words}."));
            }
        }
        said.join(" ")
    }

    /// The goals with the whole interval of the pooled geometric mean below `gate`, and these means.
    pub fn below(&self, gate: f64, quantity: Quantity) -> Result<Vec<(Goal, Estimate)>> {
        let mut below = Vec::new();
        for goal in self.goals() {
            if quantity == Quantity::Nodes {
                self.check_nodes(goal)?;
            }
            for (_, pooled) in self.pooled(goal, quantity) {
                let Some(mean) = pooled.geometric_mean.filter(|_| pooled.positions > 2) else {
                    bail!("{} with {}: too few for a gate", pluralize(pooled.positions, "position"), quantity.name());
                };
                // Without an interval (too few positions differ), the gate fails only if the best position is below it.
                let best = pooled.best.map_or(mean.value, |place| place.1);
                if mean.interval.map_or(best, |interval| interval.1) < gate {
                    below.push((goal, mean));
                }
            }
        }
        Ok(below)
    }

    /// Refuses a gate on nodes that an engine states, or that a limit cut off.
    fn check_nodes(&self, goal: Goal) -> Result<()> {
        let counts = |column: usize| {
            let mut cells = self.groups.iter().flat_map(|group| group.series[column].cells.iter().flatten());
            cells.any(|cell| cell.nodes.is_some())
        };
        if !(counts(0) && counts(1)) {
            bail!("no gate on nodes: an engine counts them in its own way");
        }
        let groups = self.groups.iter().filter(|group| group.goal == goal);
        let cells = groups.flat_map(|group| pairs(&group.series[0], &group.series[1]));
        match cells.filter(|(_, base, ours)| base.nodes.is_some() && ours.nodes.is_none()).count() {
            0 => Ok(()),
            cut_off => {
                bail!("{cut_off} positions that the base answered reached a limit: no gate on nodes")
            }
        }
    }
}

/// The mean over machines, with equal weights. Its interval covers the positions, by the widest interval of a machine,
/// and the machines. Two machines have no interval.
fn over_machines(means: &[Estimate]) -> Estimate {
    let values: Vec<f64> = means.iter().map(|mean| mean.value).collect();
    let value = (values.iter().map(|value| value.ln()).sum::<f64>() / values.len() as f64).exp();
    let around =
        |mean: &Estimate| mean.interval.map(|(low, high)| (value * low / mean.value, value * high / mean.value));
    let width = |interval: &(f64, f64)| interval.1 / interval.0;
    let widest = means.iter().filter_map(around).max_by(|one, other| width(one).total_cmp(&width(other)));
    over_processes(Estimate { value, interval: widest.filter(|_| means.len() > 2) }, &values)
}

/// The names whose times are compared, with a message if a dynamic counterpart replaces a compiled variant.
fn alike(one: (&Reading, &str), other: (&Reading, &str)) -> Result<(String, String, Option<String>)> {
    let names = (one.1.to_string(), other.1.to_string());
    let (ours, theirs) = (series_of(one), series_of(other));
    let (Some((_, base)), Some((_, variant))) = (ours.first(), theirs.first()) else {
        return Ok((names.0, names.1, None));
    };
    if base.is_called(&variant.variant) && base.clock != variant.clock {
        let (name, [ours, theirs]) = (&base.name, [one, other].map(|(reading, _)| reading.folder.display()));
        let [ours_clock, theirs_clock] = [base, variant].map(|column| column.clock.name());
        bail!(
            "{name}: timed by the clock {ours_clock:?} in {ours}, by {theirs_clock:?} in {theirs}: two clocks are not \
             compared; choose one for both with --engine-clock"
        );
    }
    if base.run_time == variant.run_time {
        return Ok((names.0, names.1, None));
    }
    let (named, run_time) = if base.run_time { (&theirs, base) } else { (&ours, variant) };
    let counterpart =
        named.iter().find_map(|(group, column)| Some(group.timed_base(column, run_time)?.variant.clone()));
    let name = if base.run_time { other.1 } else { one.1 };
    let Some(counterpart) = counterpart else {
        bail!(
            "{} is a dynamic variant and {name} is not: their times are not compared; measure {name} with empty brackets \
             beside it, as {name}[], or compare nodes with --nodes-only",
            run_time.variant
        );
    };
    let said = Some(format!("{counterpart} stands for {name}: dynamic variants are compared only with each other"));
    Ok(if base.run_time { (names.0, counterpart, said) } else { (counterpart, names.1, said) })
}

fn series_of<'a>((reading, name): (&'a Reading, &str)) -> Vec<(&'a Group, &'a Series)> {
    reading.results.groups.iter().filter_map(|group| Some((group, group.named(name)?))).collect()
}

/// One group of two columns, over the positions that both groups have.
fn side_by_side((group, base): (&Group, &Series), (theirs, variant): (&Group, &Series)) -> Group {
    let cells = theirs.places.iter().zip(&variant.cells);
    let found: HashMap<u64, _> = cells.filter_map(|(place, cell)| Some((place.position_id, cell.as_ref()?))).collect();
    let empty = |column: &Series| Series { cells: Vec::new(), ..column.clone() };
    let (mut places, mut base, mut variant, cells) = (Vec::new(), empty(base), empty(variant), &base.cells);
    for (place, cell) in group.places.iter().zip(cells) {
        if let Some((cell, other)) = cell.as_ref().zip(found.get(&place.position_id)) {
            places.push(place.clone());
            base.cells.push(Some(cell.clone()));
            variant.cells.push(Some((*other).clone()));
        }
    }
    let processes = &group.processes | &theirs.processes;
    Group { places, series: vec![base, variant], processes, ..group.clone() }
}

fn nothing(one: (&Reading, &str), other: (&Reading, &str)) -> String {
    let machines =
        |of| -> BTreeSet<&str> { series_of(of).iter().map(|(group, _)| group.machine_id.as_str()).collect() };
    for (reading, name) in [one, other] {
        if machines((reading, name)).is_empty() {
            return format!("{}: no row of {name:?}", reading.folder.display());
        }
    }
    let (ours, theirs, base, variant) = (machines(one), machines(other), one.1, other.1);
    if ours.is_disjoint(&theirs) {
        let [ours, theirs] = [ours, theirs].map(|names| Vec::from_iter(names).join(", "));
        return format!(
            "times of two machines are not compared: {base} was measured on {ours}, {variant} on {theirs}; --nodes-only \
             compares nodes"
        );
    }
    format!("{base} and {variant} have no position of one set, goal and state of the table in common")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reading::tests::reading;
    use crate::results::tests::{Sample, sample};

    fn rows(machine: &str, variant: &str, ns: u64, nodes: u64) -> Vec<Sample> {
        let on = |sample: Sample| Sample { machine_id: machine.to_string(), ..sample };
        (1..=5).map(|id| on(sample(variant, id, ns * id, nodes))).collect()
    }

    fn within(rows: &[Sample]) -> Compared {
        let both = reading(rows);
        Compared::of((&both, "a"), (&both, "b"), false).unwrap()
    }

    fn mean(compared: &Compared, quantity: Quantity) -> Estimate {
        compared.pooled(Goal::Strong, quantity)[0].1.geometric_mean.unwrap()
    }

    #[test]
    fn two_folders_of_one_machine() {
        let (old, new) = (reading(&rows("m", "a", 100, 10)), reading(&rows("m", "a", 50, 5)[..4]));
        let compared = Compared::of((&old, "a"), (&new, "a"), false).unwrap();
        assert_eq!((mean(&compared, Quantity::Time).value, compared.groups[0].places.len()), (2.0, 4));
        assert_eq!(compared.table(String::new()).rows.len(), 2);
        assert_eq!(compared.left_out, ["s, strong: 1 position measured only with a"]);
    }

    #[test]
    fn times_of_two_machines_are_refused_and_nodes_are_not() {
        let (one, other) = (reading(&rows("m", "a", 100, 10)), reading(&rows("n", "b", 50, 5)));
        let error = Compared::of((&one, "a"), (&other, "b"), false).unwrap_err().to_string();
        assert!(error.contains("times of two machines are not compared: a was measured on m, b on n"), "{error}");
        let error = Compared::of((&one, "a"), (&other, "c"), false).unwrap_err().to_string();
        assert!(error.contains("no row of \"c\""), "{error}");
        let compared = Compared::of((&one, "a"), (&other, "b"), true).unwrap();
        assert_eq!((mean(&compared, Quantity::Nodes).value, compared.table(String::new()).rows.len()), (2.0, 1));
        // Shards: each machine has positions of its own.
        let part = |machine, part: std::ops::Range<usize>| {
            [&rows(machine, "a", 100, 10)[part.clone()], &rows(machine, "b", 50, 5)[part]].concat()
        };
        let shards = reading(&[part("m", 0..2), part("n", 2..5)].concat());
        let compared = Compared::of((&shards, "a"), (&shards, "b"), true).unwrap();
        assert_eq!(compared.pooled(Goal::Strong, Quantity::Nodes)[0].1.positions, 5);
    }

    #[test]
    fn times_are_pooled_within_a_machine_and_nodes_over_all() {
        let all = [rows("m", "a", 100, 10), rows("m", "b", 50, 5), rows("n", "a", 1000, 10), rows("n", "b", 250, 5)];
        let compared = within(&all.concat());
        let nodes = &compared.pooled(Goal::Strong, Quantity::Nodes)[0].1;
        assert_eq!((nodes.positions, nodes.ratio_of_sums.unwrap().value), (5, 2.0), "a position counts once");
        let table = compared.table(String::new());
        let shown: Vec<String> = table.shown().iter().map(|row| format!("{} {} {}", row[0], row[2], row[7])).collect();
        assert_eq!(shown[4..], ["pooled nodes 2.00x", "pooled on m time 2.00x", "pooled on n time 4.00x"]);
        assert!(
            table.conclusion.contains("on n: By the geometric mean, b is 4.00 times faster"),
            "{}",
            table.conclusion
        );
        assert!(table.conclusion.ends_with("b is 2.83 times faster than a, too few for an interval."));
        let of = |value: f64| Estimate { value, interval: Some((0.9 * value, 1.1 * value)) };
        assert_eq!(over_machines(&[of(2.0), of(4.0)]).interval, None);
        let (low, high) = over_machines(&[of(2.0), of(4.0), of(2.0)]).interval.unwrap();
        assert!(low < 1.5 && high > 4.0, "it covers machines: {low} {high}");
        // The worst position has a line on one set, and none over several.
        assert_eq!((table.rows[3][14].shown(), table.rows[4][14].shown()), ("1".to_string(), "-".to_string()));
    }

    #[test]
    fn times_of_two_builds_in_one_folder_are_not_compared() {
        let by = |build: &str, rows: Vec<Sample>| -> Vec<Sample> {
            rows.into_iter().map(|row| Sample { binary_sha256: build.to_string(), ..row }).collect()
        };
        let old = by("old", [rows("m", "a", 100, 10), rows("m", "b", 50, 5)].concat());
        let compared = within(&[old, by("new", rows("m", "b", 10, 5))].concat());
        assert_eq!((compared.groups.len(), compared.left_out.len()), (1, 1));
        assert_eq!(mean(&compared, Quantity::Time).value, 2.0);
        // The builds of two folders are compared.
        let (old, new) = (reading(&by("old", rows("m", "a", 100, 10))), reading(&by("new", rows("m", "a", 50, 10))));
        assert!(Compared::of((&old, "a"), (&new, "a"), false).is_ok());
    }

    #[test]
    fn a_gate_asks_the_upper_end() {
        let compared = within(&[rows("m", "a", 90, 9), rows("m", "b", 100, 10)].concat());
        assert_eq!(compared.below(0.97, Quantity::Nodes).unwrap()[0].1.value, 0.9);
        assert_eq!(compared.below(0.97, Quantity::Time).unwrap().len(), 1);
        assert!(compared.below(0.89, Quantity::Time).unwrap().is_empty());
        // The upper end, not the mean.
        let scattered = |variant: &str, by: fn(u64) -> u64| -> Vec<Sample> {
            (1..=40).map(|id| sample(variant, id, by(id), 10)).collect()
        };
        let compared = within(&[scattered("a", |_| 100), scattered("b", |id| 80 + 10 * (id % 5))].concat());
        let mean_of_both = mean(&compared, Quantity::Time);
        let (low, high) = mean_of_both.interval.unwrap();
        assert!(low < mean_of_both.value && mean_of_both.value < high);
        for (gate, fails) in [((mean_of_both.value + high) / 2.0, false), (high * 0.999, false), (high * 1.001, true)] {
            assert_eq!(!compared.below(gate, Quantity::Time).unwrap().is_empty(), fails, "{gate} {mean_of_both:?}");
        }
        // Three positions have no interval, so the best position decides.
        let compared = within(&[&scattered("a", |_| 100)[..3], &scattered("b", |id| 50 * id)[..3]].concat());
        assert_eq!(mean(&compared, Quantity::Time).interval, None);
        assert!(compared.below(1.9, Quantity::Time).unwrap().is_empty());
        assert_eq!(compared.below(2.1, Quantity::Time).unwrap().len(), 1);
        let compared = within(&[rows("m", "a", 9, 9)[0].clone(), rows("m", "b", 9, 9)[0].clone()]);
        assert!(compared.below(0.97, Quantity::Time).unwrap_err().to_string().contains("too few"));
    }

    #[test]
    fn a_pooled_interval_covers_processes() {
        // Twenty positions of two sets, whose ratios vary a little about `faster`.
        let scattered = |(process, faster): (u32, u64)| {
            let row = move |set: &str, sample: Sample| Sample { set_sha256: set.to_string(), process, ..sample };
            let base = move |set, id| row(set, sample("a", id, 100 * faster * (90 + id % 7), 5));
            let ids = ["s", "t"].into_iter().flat_map(|set| (1..=20).map(move |id| (set, id)));
            ids.flat_map(|(set, id)| [base(set, id), row(set, sample("b", id, 9000, 5))]).collect::<Vec<_>>()
        };
        let width = |processes: &[(u32, u64)]| {
            let rows = processes.iter().copied().flat_map(scattered).collect::<Vec<_>>();
            let (low, high) = mean(&within(&rows), Quantity::Time).interval.unwrap();
            (high / low).ln()
        };
        let (alone, alike, apart) =
            (width(&[(1, 2)]), width(&[(1, 2), (2, 2), (3, 2)]), width(&[(1, 2), (2, 3), (3, 2)]));
        assert!((alike / alone - 1.0).abs() < 1e-9 && apart > 10.0 * alone, "{alone} {alike} {apart}");
    }
}
