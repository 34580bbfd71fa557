//! Comparing two variants, of one folder or of two: set by set, and all sets of a goal pooled.
//!
//! Times are compared within one machine only, and within one build where a folder holds several; their ratios are pooled.
//! Nodes are the same on every machine.

use crate::reading::Reading;
use crate::results::{Group, Outcome, Series, said_of_limits};
use crate::stats::{Estimate, Times, over_processes, pooled_geometric_mean};
use crate::table::units::times;
use crate::table::{Subject, Table};
use crate::tables::comparison::{Comparison, Paired, Quantity, SHORT, columns, telling};
use crate::tables::conclusion;
use anyhow::{Result, bail};
use c4lab_measure::text::pluralize;
use c4lab_solver::search::Goal;
use std::collections::{BTreeMap, BTreeSet};

#[derive(Clone, Debug)]
pub struct Compared {
    /// Where both were measured: the base is the first column, the variant the second.
    pub groups: Vec<Group>,
    pub times: bool,
    pub left_out: Vec<String>,
    seed: u64,
}

struct ComparedRow {
    set: String,
    goal: Goal,
    quantity: Quantity,
    compared: Comparison,
    is_pooled: bool,
}

impl Compared {
    /// The groups where `base` stands in the first reading and `variant` in the second, which may be the same.
    pub fn of(one: (&Reading, &str), other: (&Reading, &str), nodes_only: bool) -> Result<Self> {
        if one.0.results.are_means() != other.0.results.are_means() && !nodes_only {
            bail!("times that are means of many beside times of single searches; --nodes-only compares the nodes");
        }
        let (base, variant, twins) =
            if nodes_only { (one.1.to_string(), other.1.to_string(), None) } else { alike(one, other)? };
        let ((first, base), (second, variant)) = ((one.0, base.as_str()), (other.0, variant.as_str()));
        let (mut groups, mut left_out) = (Vec::new(), Vec::from_iter(twins));
        for group in &first.results.groups {
            let Some(base) = group.column(base) else {
                left_out.extend(group.column(variant).map(|_| format!("{}: {base} was not measured", group.title())));
                continue;
            };
            // Two folders may be of two builds: that is what they are compared for.
            let same_build = |other: &Group| !std::ptr::eq(first, second) || other.binary_sha256 == group.binary_sha256;
            let same_place = |other: &Group| group.machine_id == other.machine_id && same_build(other);
            let alike = |other: &&Group| same_subject(group, other) && (nodes_only || same_place(other));
            let partners = second.results.groups.iter().filter(alike).filter_map(|other| {
                let near = (other.machine_id == group.machine_id, same_build(other), other.set == group.set);
                Some((near, side_by_side((group, base), (other, other.column(variant)?))))
            });
            // Nodes of several machines (shards, say): its own before another's, and the one that shares most.
            let shared = partners.filter(|(_, both)| !both.places.is_empty());
            let both = shared.max_by_key(|(near, both)| (*near, both.places.len())).map(|(_, both)| both);
            left_out.extend(missing(group, base, variant, both.as_ref()));
            groups.extend(both);
        }
        if groups.is_empty() {
            bail!(nothing(first, base, second, variant));
        }
        Ok(Compared { groups, times: !nodes_only, left_out, seed: first.manifest.experiment.seed })
    }

    /// A name as it was asked for, with the mark of its clock where times are the program's own.
    pub fn marked<'a>(&'a self, column: usize, name: &'a str) -> &'a str {
        let column = &self.groups[0].columns[column];
        if column.clock.is_ours() { name } else { &column.variant }
    }

    pub fn count(&self, column: usize, outcome: Outcome) -> usize {
        let cells = self.groups.iter().flat_map(|group| group.columns[column].cells.iter().flatten());
        cells.filter(|cell| cell.outcome == outcome).count()
    }

    pub fn pooled(&self, goal: Goal, quantity: Quantity) -> Comparison {
        let groups = || self.groups.iter().filter(|group| group.goal == goal);
        // Nodes are the same on every machine: a position of two machines counts once.
        let mut seen = BTreeSet::new();
        let strata = groups().map(|group| {
            let mut pairs = quantity.pairs(group, &group.columns[0], &group.columns[1]);
            pairs.retain(|paired| quantity == Quantity::Time || seen.insert((&group.set_sha256, paired.line)));
            pairs
        });
        let strata: Vec<Vec<Paired>> = strata.collect();
        let strata = if quantity == Quantity::Time { self.one_for_each_position(goal, strata) } else { strata };
        let mut pooled = Comparison::of_pairs(&strata.concat(), quantity, self.seed);
        let telling = strata.iter().map(|stratum| telling(stratum)).collect::<Vec<_>>();
        pooled.geometric_mean = pooled_geometric_mean(&telling, self.seed);
        if quantity == Quantity::Time {
            pooled.geometric_mean = pooled.geometric_mean.map(|mean| self.over_all(goal, mean));
        }
        // A sum of two machines' times is nobody's waiting; how sums over chosen sets would vary is not asked.
        let sums = pooled.ratio_of_sums.filter(|_| quantity == Quantity::Nodes || self.benches(goal).len() == 1);
        pooled.ratio_of_sums =
            sums.map(|sums| Estimate { interval: sums.interval.filter(|_| strata.len() == 1), ..sums });
        pooled
    }

    /// The geometric mean of times with an interval that covers the processes of one machine, or else the machines. Two
    /// machines say nothing of a third.
    fn over_all(&self, goal: Goal, mean: Estimate) -> Estimate {
        match self.by_machine(goal).as_slice() {
            [] | [_] => over_processes(mean, &self.by_process(goal)),
            [_, _] => Estimate { interval: None, ..mean },
            machines => {
                let values = machines.iter().filter_map(|(_, own)| Some(own.geometric_mean?.value));
                over_processes(mean, &values.collect::<Vec<_>>())
            }
        }
    }

    /// The geometric mean that each process has by itself, over all sets of a goal.
    fn by_process(&self, goal: Goal) -> Vec<f64> {
        let mut logs: BTreeMap<u32, Vec<f64>> = BTreeMap::new();
        for group in self.groups.iter().filter(|group| group.goal == goal) {
            for (process, pairs) in group.times_of_processes(&group.columns[0], &group.columns[1]) {
                let ratios = group
                    .telling((&group.columns[0], &group.columns[1]), &pairs)
                    .into_iter()
                    .map(|times| (times.pair.0 / times.pair.1).ln());
                logs.entry(process).or_default().extend(ratios);
            }
        }
        // One that lacks a set is no process of all of them.
        let most = logs.values().map(Vec::len).max().unwrap_or_default();
        let whole = logs.into_values().filter(|logs| !logs.is_empty() && logs.len() == most);
        whole.map(|logs| (logs.iter().sum::<f64>() / most as f64).exp()).collect()
    }

    /// The times of each machine (and build) by itself, over all sets of a goal; nothing where there is one.
    fn by_machine(&self, goal: Goal) -> Vec<((&str, &str), Comparison)> {
        let benches = self.benches(goal);
        if benches.len() < 2 {
            return Vec::new();
        }
        let own = |one: (&'_ str, &'_ str)| {
            let groups = self.groups.iter().filter(|group| bench(group) == one).cloned().collect();
            let own = Compared { groups, left_out: Vec::new(), ..*self };
            own.pooled(goal, Quantity::Time)
        };
        let all = benches.into_iter().map(|bench| (bench, own(bench)));
        all.filter(|(_, own)| own.geometric_mean.is_some()).collect()
    }

    fn benches(&self, goal: Goal) -> BTreeSet<(&str, &str)> {
        self.groups.iter().filter(|group| group.goal == goal).map(bench).collect()
    }

    /// A stratum for each set. A position that several machines timed counts once, with the mean of its log ratios.
    fn one_for_each_position(&self, goal: Goal, strata: Vec<Vec<Paired>>) -> Vec<Vec<Paired>> {
        let groups = || self.groups.iter().filter(|group| group.goal == goal);
        if groups().all(|group| bench(group) == bench(&self.groups[0])) {
            return strata;
        }
        let mut sets: BTreeMap<&str, BTreeMap<u64, Vec<f64>>> = BTreeMap::new();
        for (group, stratum) in groups().zip(strata) {
            let set = sets.entry(&group.set_sha256).or_default();
            let telling = stratum.iter().filter(|paired| !paired.is_short);
            telling.for_each(|of| set.entry(of.line).or_default().push((of.times.pair.0 / of.times.pair.1).ln()));
        }
        let mean = |logs: &Vec<f64>| (logs.iter().sum::<f64>() / logs.len() as f64).exp();
        let of =
            |(&line, logs)| Paired { line, times: Times { pair: (mean(logs), 1.0), batch: None }, is_short: false };
        sets.values().map(|set| set.iter().map(of).collect()).collect()
    }

    /// Whether the nodes of a column are known at all: those of a foreign program are not.
    fn counts_nodes(&self, column: usize) -> bool {
        let mut cells = self.groups.iter().flat_map(|group| group.columns[column].cells.iter().flatten());
        cells.any(|cell| cell.nodes.is_some())
    }

    /// Positions that the base answered and the variant did not.
    fn cut_off(&self, goal: Goal) -> usize {
        let cut_off = |group: &Group| {
            let cells = crate::results::pairs(&group.columns[0], &group.columns[1]);
            cells.filter(|(_, base, ours)| base.nodes.is_some() && ours.nodes.is_none()).count()
        };
        self.groups.iter().filter(|group| group.goal == goal).map(cut_off).sum()
    }

    pub fn goals(&self) -> Vec<Goal> {
        Goal::ALL.into_iter().filter(|&goal| self.groups.iter().any(|group| group.goal == goal)).collect()
    }

    /// A row for each set and quantity, and for each goal pooled.
    pub fn table(&self, title: String) -> Table {
        let benches: BTreeSet<(&str, &str)> = self.groups.iter().map(bench).collect();
        let (machines, builds): (BTreeSet<&str>, BTreeSet<&str>) = benches.into_iter().unzip();
        let named = |what: &str, (machine, build): (&str, &str)| {
            let on = if machines.len() > 1 { format!(" on {machine}") } else { String::new() };
            let by = if builds.len() > 1 { format!(" by {}", build.get(..12).unwrap_or(build)) } else { String::new() };
            format!("{what}{on}{by}")
        };
        let quantities: &[Quantity] = if self.times { &Quantity::ALL } else { &[Quantity::Nodes] };
        let mut rows = Vec::new();
        for group in &self.groups {
            for &quantity in quantities {
                let compared = Comparison::of(group, &group.columns[0], &group.columns[1], quantity, self.seed);
                let (set, goal) = (named(&group.set, bench(group)), group.goal);
                rows.push(ComparedRow { set, goal, quantity, compared, is_pooled: false });
            }
        }
        for goal in self.goals().into_iter().filter(|_| self.groups.len() > 1) {
            for (bench, compared) in self.by_machine(goal).into_iter().filter(|_| self.times) {
                let set = named("pooled", bench);
                rows.push(ComparedRow { set, goal, quantity: Quantity::Time, compared, is_pooled: true });
            }
            for &quantity in quantities {
                let compared = self.pooled(goal, quantity);
                rows.push(ComparedRow { set: "pooled".to_string(), goal, quantity, compared, is_pooled: true });
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
        columns(over, |row| (&row.compared, row.is_pooled)).table.concluding(self.conclusion())
    }

    /// What the geometric means of times say, a sentence for each goal.
    fn conclusion(&self) -> String {
        let of = |goal: Goal| {
            let group = self.groups.iter().find(|group| group.goal == goal)?;
            let mut columns = self.groups.iter().filter(|group| group.goal == goal).flat_map(|group| &group.columns);
            if !columns.all(Series::is_sound) {
                return None;
            }
            let mean = if self.groups.len() > 1 {
                self.pooled(goal, Quantity::Time).geometric_mean?
            } else {
                Comparison::of(group, &group.columns[0], &group.columns[1], Quantity::Time, self.seed).geometric_mean?
            };
            let mut said = conclusion::beside(&group.columns[0].variant, &[(&group.columns[1].variant, mean)]);
            let machines = self.by_machine(goal);
            let values = || machines.iter().filter_map(|(_, own)| Some(own.geometric_mean?.value));
            if machines.len() > 1 {
                let (least, most) = (values().fold(f64::INFINITY, f64::min), values().fold(0.0, f64::max));
                said +=
                    &format!(" Over {} machines or builds it is {} to {}.", machines.len(), times(least), times(most));
            }
            Some(if self.goals().len() > 1 { format!("{}: {said}", goal.name()) } else { said })
        };
        let said: Vec<String> = self.goals().into_iter().filter(|_| self.times).filter_map(of).collect();
        said.join(" ")
    }

    /// The goals on which the variant is worse than the gate, each with its pooled geometric mean: its whole interval lies
    /// below the gate.
    pub fn below(&self, gate: f64, quantity: Quantity) -> Result<Vec<(Goal, Estimate)>> {
        let mut below = Vec::new();
        if quantity == Quantity::Nodes && !(self.counts_nodes(0) && self.counts_nodes(1)) {
            bail!("no gate on nodes: a foreign program's are its own count");
        }
        for goal in self.goals() {
            let pooled = self.pooled(goal, quantity);
            let cut_off = self.cut_off(goal);
            if quantity == Quantity::Nodes && cut_off > 0 {
                bail!("{cut_off} positions that the base answered reached a limit: their nodes stand in no gate");
            }
            let Some(mean) = pooled.geometric_mean.filter(|_| pooled.positions > 2) else {
                bail!("{} with {}: too few for a gate", pluralize(pooled.positions, "position"), quantity.name());
            };
            // Without an interval (all positions alike, or all but a few) only the best of them is sure to be no better.
            let best = pooled.best.map_or(mean.value, |place| place.1);
            if mean.interval.map_or(best, |interval| interval.1) < gate {
                below.push((goal, mean));
            }
        }
        Ok(below)
    }
}

/// The names whose times are compared, and what is to be said of them. Where one variant ran at run time and the other
/// did not, the twin of the other stands for it.
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
    let twin = named.iter().find_map(|(group, column)| Some(group.timed_base(column, run_time)?.variant.clone()));
    let name = if base.run_time { other.1 } else { one.1 };
    let Some(twin) = twin else {
        bail!(
            "{} ran at run time and {name} did not: their times are not compared; measure {name} with empty brackets beside \
             it, as {name}[], or compare nodes with --nodes-only",
            run_time.variant
        );
    };
    let said = format!("{twin} stands for {name}: what ran at run time is compared with what did");
    Ok(if base.run_time { (names.0, twin, Some(said)) } else { (twin, names.1, Some(said)) })
}

fn series_of<'a>((reading, name): (&'a Reading, &str)) -> Vec<(&'a Group, &'a Series)> {
    reading.results.groups.iter().filter_map(|group| Some((group, group.column(name)?))).collect()
}

/// What of a group was measured for only one of the variants.
fn missing(group: &Group, base: &Series, variant: &str, both: Option<&Group>) -> Option<String> {
    let Some(both) = both else { return Some(format!("{}: {variant} was not measured", group.title())) };
    let alone = base.cells.iter().flatten().count() - both.places.len();
    (alone > 0).then(|| format!("{}: {} only of {}", group.title(), pluralize(alone, "position"), base.variant))
}

/// The machine and the build that made the times of a group.
fn bench(group: &Group) -> (&str, &str) {
    (&group.machine_id, &group.binary_sha256)
}

fn same_subject(one: &Group, other: &Group) -> bool {
    one.set_sha256 == other.set_sha256 && one.goal == other.goal && one.tt_state == other.tt_state
}

/// One group of two columns, over the positions that both groups have.
fn side_by_side(one: (&Group, &Series), other: (&Group, &Series)) -> Group {
    let ((group, base), (theirs, variant)) = (one, other);
    let found: BTreeMap<u64, usize> =
        theirs.places.iter().enumerate().map(|(index, place)| (place.position_id, index)).collect();
    let shared: Vec<(usize, usize)> = group
        .places
        .iter()
        .enumerate()
        .filter_map(|(index, place)| {
            let other = *found.get(&place.position_id)?;
            (base.cells[index].is_some() && variant.cells[other].is_some()).then_some((index, other))
        })
        .collect();
    let of = |column: &Series, pick: fn(&(usize, usize)) -> usize| Series {
        cells: shared.iter().map(|both| column.cells[pick(both)].clone()).collect(),
        ..column.clone()
    };
    Group {
        places: shared.iter().map(|&(index, _)| group.places[index].clone()).collect(),
        columns: vec![of(base, |both| both.0), of(variant, |both| both.1)],
        processes: &group.processes | &theirs.processes,
        ..group.clone()
    }
}

fn nothing(first: &Reading, base: &str, second: &Reading, variant: &str) -> String {
    let of = |reading: &Reading, name: &str| -> Vec<String> {
        let groups = reading.results.groups.iter().filter(|group| group.column(name).is_some());
        groups.map(|group| group.machine_id.clone()).collect::<BTreeSet<_>>().into_iter().collect()
    };
    let (one, other) = (of(first, base), of(second, variant));
    for (machines, name, reading) in [(&one, base, first), (&other, variant, second)] {
        if machines.is_empty() {
            return format!("{}: no row of {name:?}", reading.folder.display());
        }
    }
    if one.iter().all(|machine| !other.contains(machine)) {
        return format!(
            "times of two machines are not compared: {base} was measured on {}, {variant} on {}; --nodes-only compares \
             nodes",
            one.join(", "),
            other.join(", ")
        );
    }
    format!("{base} and {variant} have no position of one set, goal and state of the table in common")
}

#[cfg(test)]
mod tests;
