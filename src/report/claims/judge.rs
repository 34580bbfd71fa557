//! The judge: compares a claim with measurements and makes a finding.
//!
//! A ratio varies with the positions, and between runs on equal positions. On exactly the published positions, the
//! interval covers the variation between runs. On a sample of positions, it covers both.

use crate::claims::claim::{Claim, Kind, NEEDS_ORIGINAL, unavailable};
use crate::claims::finding::Finding;
use crate::claims::verdict::{ALL, BOTH, Interval, Measured, POSITIONS, PROCESSES, REPETITIONS, Verdict};
use crate::extras::{NEEDS_EXTRAS, claim_kind};
use crate::reading::Reading;
use crate::results::{CellResult, Group, LINKED, Outcome, Quantity, Results, Series, pairs};
use crate::stats::{Estimate, Pair, mean_interval, over_processes, ratio_of_shares, ratio_of_sums, sums_ratio};
use crate::tables::by_ply::solved_from;
use crate::tables::instructions::{self, InstructionRow};
use anyhow::Result;
use c4lab_measure::files::manifest::Manifest;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// The measurements that claims are compared with.
#[derive(Debug, Default)]
pub struct Evidence {
    pub results: Results,
    /// The manifest of the samples.
    pub manifest: Option<Manifest>,
    /// Instruction counts, and the folder that they are from.
    pub counts: Vec<InstructionRow>,
    pub counts_from: String,
    /// The folder with the rows of extras.
    pub folder: PathBuf,
}

/// Judges `claim` by `evidence`. `excuse`, the plan's finding, is returned if nothing was measured.
pub fn judge(claim: &Claim, evidence: &Evidence, excuse: Option<&Finding>) -> Finding {
    let finding = match (&claim.set, &claim.kind) {
        (_, Kind::Extra(name)) => match claim_kind(name) {
            Some(kind) => (kind.judge)(claim, &evidence.folder),
            None => Finding::untested(claim, Verdict::NotTested, NEEDS_EXTRAS.to_string()),
        },
        (None, _) => of_instructions(claim, evidence),
        (Some(set), kind) if kind.is_of_limits() => of_limits(claim, evidence, set),
        (Some(set), kind) => match evidence.group(claim, set) {
            Some(group) if kind.is_of_whole_sets() && !is_that_set(group, claim) => {
                Finding::untested(claim, Verdict::NotTested, NEEDS_ORIGINAL.to_string())
            }
            Some(group) if *kind == Kind::NodeMean => of_mean(claim, evidence, group),
            Some(group) => of_ratio(claim, evidence, group),
            None => of_nothing(claim),
        },
    };
    let is_of_time = matches!(claim.kind, Kind::TimeRatio | Kind::NodeTimeRatio);
    let is_small = claim.published.number.is_some_and(|ratio| ratio != 1.0 && ratio.ln().abs() < LINKED.ln());
    if is_of_time && is_small && evidence.results.has_few_links() && finding.measured.is_some() {
        let why = "a difference below 3 % needs three links or more (measure --binaries)".to_string();
        return Finding { verdict: Verdict::Undecided, why, ..finding };
    }
    match excuse.filter(|_| matches!(finding.verdict, Verdict::NotTested | Verdict::Waiting)) {
        Some(excuse) => excuse.clone(),
        None => finding,
    }
}

fn of_nothing(claim: &Claim) -> Finding {
    if let Some(why) = claim.variants().find_map(unavailable) {
        return Finding::untested(claim, Verdict::Waiting, why);
    }
    let names: Vec<&str> = claim.variants().collect();
    Finding::untested(claim, Verdict::NotTested, format!("no position was measured with {}", names.join(" and ")))
}

/// The benchmark of the loop alone. Every evaluator is counted together with this loop.
const OVERHEAD: &str = "overhead/stream_alone";

fn of_instructions(claim: &Claim, evidence: &Evidence) -> Finding {
    let count = |name: &str| {
        let (group, function) = name.split_once('/')?;
        let row = evidence.counts.iter().find(|row| row.group == group && row.function == function)?;
        Some(row.each())
    };
    let (mut numbers, mut names) = (Vec::new(), Vec::new());
    for name in [&claim.variant].into_iter().chain(&claim.base) {
        let Some((number, alone)) = count(name).zip(count(OVERHEAD)) else {
            let why = format!("no count of {name}: run `cargo bench --bench instructions`, or give --counts DIR");
            return Finding::untested(claim, Verdict::NotTested, why);
        };
        numbers.push(number - alone);
        names.push(name.as_str());
    }
    let value = numbers[0] / numbers.get(1).unwrap_or(&1.0);
    let rests_on = format!("rests on the counts of {}, less {OVERHEAD}: {}", names.join(", "), evidence.counts_from);
    Finding::of(claim, Measured::exact(value)).noting(&rests_on)
}

/// Judges a claim about positions solved within limits. The base may have another goal and another limit, on equal
/// positions: numbers of solved positions can be compared between goals, nodes cannot. Nodes are exact, so samples under
/// a larger limit of nodes tell what a smaller one solves.
fn of_limits(claim: &Claim, evidence: &Evidence, set: &str) -> Finding {
    let experiment = evidence.manifest.as_ref().map(|manifest| &manifest.experiment);
    let limits = [claim.node_limit, claim.base_node_limit.or(claim.node_limit)];
    let is_within = experiment.is_some_and(|it| {
        let reaches = |limit: &Option<u64>| it.node_limit.is_none_or(|most| limit.is_some_and(|limit| most >= limit));
        it.time_limit == claim.time_limit && limits.iter().all(reaches)
    });
    let groups = || evidence.results.groups.iter().filter(|group| is_within && group.set == set);
    let alike = || groups().filter(|group| group.goal == claim.goal);
    let others = || groups().filter(|group| group.goal != claim.goal);
    let Some(variant) = alike().find_map(|group| on(group, &claim.variant, limits[0])) else {
        return of_nothing(claim);
    };
    let base = match &claim.base {
        None => None,
        Some(name) => match alike().chain(others()).find_map(|group| on(group, name, limits[1])) {
            None => return of_nothing(claim),
            base => base,
        },
    };
    let measured = match (&claim.kind, &base) {
        (Kind::SolvedFrom, None) => from(&variant).map(Measured::exact),
        (Kind::SolvedFrom, Some(base)) => from(base).and_then(|base| Ok(Measured::exact(base / from(&variant)?))),
        (_, base) => times_more(base.as_ref().unwrap_or(&variant), &variant),
    };
    let finding = match measured {
        Ok(measured) => Finding::of(claim, measured),
        Err(why) => Finding::untested(claim, Verdict::Undecided, why),
    };
    let positions = variant.1.cells.iter().flatten().count();
    Finding { positions: Some(positions), ..finding }
}

/// The series of a variant; answers of more than `limit` nodes are none.
fn on<'a>(group: &'a Group, variant: &str, limit: Option<u64>) -> Option<(&'a Group, Series)> {
    let mut series = group.named(variant)?.clone();
    for cell in series.cells.iter_mut().flatten() {
        if cell.nodes.zip(limit).is_some_and(|(nodes, limit)| nodes > limit as f64) {
            cell.outcome = Outcome::Limited;
        }
    }
    Some((group, series))
}

fn from((group, column): &(&Group, Series)) -> Result<f64, String> {
    let from = solved_from(group, column).map(f64::from);
    from.ok_or_else(|| format!("{} does not solve all positions with the most stones", column.variant))
}

/// The measured positions by their line of the set: true if answered.
fn answered((group, column): &(&Group, Series)) -> BTreeMap<u64, bool> {
    let cells = group.places.iter().zip(&column.cells);
    cells.filter_map(|(place, cell)| Some((place.position_id, cell.as_ref()?.outcome == Outcome::Answered))).collect()
}

/// The number of common positions that `variant` solves, divided by the number that `base` solves.
fn times_more(base: &(&Group, Series), variant: &(&Group, Series)) -> Result<Measured, String> {
    let base = answered(base);
    let variant = answered(variant).into_iter();
    let pairs: Vec<(bool, bool)> = variant.filter_map(|(line, variant)| Some((*base.get(&line)?, variant))).collect();
    let ratio = ratio_of_shares(&pairs).ok_or("base or variant solves none of the positions")?;
    Ok(Measured::of(ratio, POSITIONS))
}

/// True unless the claim needs the original set and `group` has another one.
fn is_that_set(group: &Group, claim: &Claim) -> bool {
    !claim.original || group.set.starts_with("original/")
}

/// Judges a mean of nodes. Only the whole set can test it, and it has no error.
fn of_mean(claim: &Claim, evidence: &Evidence, group: &Group) -> Finding {
    let (positions, size) = (group.places.len(), evidence.set_size(group));
    match mean_nodes(group, &claim.variant).filter(|_| size == Some(positions)) {
        Some(mean) => Finding {
            set: Some(group.set.clone()),
            positions: Some(positions),
            ..Finding::of(claim, Measured::exact(mean))
        },
        None => not_whole(claim, "a mean of nodes", positions, size),
    }
}

fn not_whole(claim: &Claim, what: &str, positions: usize, size: Option<usize>) -> Finding {
    let size = size.map_or("its set".to_string(), |size| size.to_string());
    let why = format!("{what} needs the whole set, answered; {positions} positions of {size} are there");
    Finding::untested(claim, Verdict::NotTested, why)
}

/// The mean of a variant's nodes over all positions of a group; `None` unless all were answered.
fn mean_nodes(group: &Group, variant: &str) -> Option<f64> {
    let cells = &group.named(variant)?.cells;
    let nodes: Option<Vec<f64>> = cells.iter().map(|cell| cell.as_ref()?.nodes).collect();
    Some(nodes?.iter().sum::<f64>() / cells.len() as f64)
}

fn of_ratio(claim: &Claim, evidence: &Evidence, group: &Group) -> Finding {
    let Some(pairing) = evidence.pairing(group, claim) else { return of_nothing(claim) };
    let (positions, limited) = (pairing.cells.len(), pairing.limited());
    let size = evidence.set_size(group);
    // The time per node differs between short and long searches: a part of a set cannot test the whole.
    if claim.kind == Kind::NodeTimeRatio && size != Some(positions) {
        return not_whole(claim, "the time for a node", positions, size);
    }
    let is_whole_original = claim.original && is_that_set(group, claim) && size == Some(positions);
    // A set of one position has no others.
    let published = limited == 0 && (is_whole_original || size == Some(1));
    // Equal nodes on a whole set have no error for a claim that they are equal.
    let equal = || pairing.pairs(Quantity::Nodes).iter().all(|pair| pair.base == pair.variant);
    let is_same = claim.published.number == Some(1.0) && size == Some(positions) && equal();
    let measured = match claim.kind {
        Kind::NodeRatio => pairing.nodes(published || is_same),
        Kind::NodeTimeRatio => pairing.node_time(),
        _ => pairing.time(published),
    };
    let mut finding = match measured {
        None => {
            let why = match pairing.is_alike() {
                true => format!("all {positions} positions reached a limit"),
                false => "one of the two is a dynamic variant, so their times are not compared".to_string(),
            };
            Finding::untested(claim, Verdict::Undecided, why)
        }
        // A search that reached a limit gives only a lower bound of its time: no interval covers that.
        Some(measured) if limited > 0 => Finding {
            why: format!("{limited} of {positions} positions reached a limit"),
            ..Finding::of(claim, Measured { interval: None, ..measured })
        },
        Some(measured) if measured.interval.is_none() => Finding {
            why: "too few positions or repetitions for an interval".to_string(),
            ..Finding::of(claim, measured)
        },
        Some(measured) => Finding::of(claim, measured),
    };
    if published && finding.interval_over.as_deref() == Some(POSITIONS) && finding.measured_low.is_some() {
        finding = finding.noting("one repetition: the interval is over positions, wider than one over repetitions");
    }
    if claim.original && size.is_some_and(|size| size != positions) {
        finding = finding.noting("the first positions of the set, not all");
    }
    if claim.original && Some(&group.set) == claim.set.as_ref() {
        finding = finding.noting("a set made by the published protocol instead of the original one");
    }
    let repetitions = Some(pairing.repetitions());
    Finding { set: Some(group.set.clone()), positions: Some(positions), repetitions, ..finding }
}

impl Evidence {
    /// The evidence of a folder of samples, with the instruction counts of the folder `counts`.
    pub fn of(reading: &Reading, counts: Option<&Path>) -> Result<Self> {
        let (results, manifest) = (reading.results.clone(), Some(reading.manifest.clone()));
        Ok(Evidence { results, manifest, ..Evidence::beside(&reading.folder, counts)? })
    }

    /// The evidence of a folder without its samples.
    pub fn beside(folder: &Path, counts: Option<&Path>) -> Result<Self> {
        Ok(Evidence {
            folder: folder.to_path_buf(),
            counts: counts.map_or(Ok(Vec::new()), instructions::read)?,
            counts_from: counts.map_or(String::new(), |counts| counts.display().to_string()),
            ..Evidence::default()
        })
    }

    /// The group on which the claim's variants were measured: on the original set if there is one, and of several
    /// machines the one with the most positions.
    fn group(&self, claim: &Claim, set: &str) -> Option<&Group> {
        let original = claim.original.then(|| format!("original/{set}"));
        original.as_deref().into_iter().chain([set]).find_map(|name| {
            let groups = self.results.groups.iter().filter(|it| it.set == name && it.goal == claim.goal);
            let sized = groups.filter_map(|group| Some((self.pairing(group, claim)?.cells.len(), group)));
            let (_, group) = sized.filter(|(positions, _)| *positions > 0).max_by_key(|(positions, _)| *positions)?;
            Some(group)
        })
    }

    /// The claim's base and variant on a group. Without a base, the variant is paired with itself.
    fn pairing<'a>(&self, group: &'a Group, claim: &Claim) -> Option<Pairing<'a>> {
        let base = group.named(claim.base.as_ref().unwrap_or(&claim.variant))?;
        let variant = group.named(&claim.variant)?;
        let seed = self.manifest.as_ref().map_or(1, |manifest| manifest.experiment.seed);
        // Beside a dynamic variant the base's dynamic counterpart, which takes as many nodes and has comparable times.
        Some(Pairing::of(group, group.timed_base(base, variant).unwrap_or(base), variant, seed))
    }

    fn set_size(&self, group: &Group) -> Option<usize> {
        let sets = &self.manifest.as_ref()?.test_sets;
        sets.iter().find(|set| set.sha256 == group.set_sha256).map(|set| set.positions)
    }
}

/// Base and variant on their common positions, without those where one failed.
#[derive(Debug)]
struct Pairing<'a> {
    group: &'a Group,
    base: &'a Series,
    variant: &'a Series,
    cells: Vec<(&'a CellResult, &'a CellResult)>,
    seed: u64,
}

impl<'a> Pairing<'a> {
    fn of(group: &'a Group, base: &'a Series, variant: &'a Series, seed: u64) -> Self {
        let cells = pairs(base, variant).map(|(_, base, variant)| (base, variant));
        let cells = cells.filter(|(base, variant)| !base.outcome.is_failure() && !variant.outcome.is_failure());
        Pairing { group, base, variant, cells: cells.collect(), seed }
    }

    /// True if both are dynamic variants or neither is. Otherwise their times are not compared.
    fn is_alike(&self) -> bool {
        self.base.run_time == self.variant.run_time
    }

    fn pairs(&self, quantity: Quantity) -> Vec<Pair> {
        self.group.pairs(self.base, self.variant, quantity)
    }

    fn limited(&self) -> usize {
        let is_limited = |cell: &CellResult| cell.outcome == Outcome::Limited;
        self.cells.iter().filter(|(base, variant)| is_limited(base) || is_limited(variant)).count()
    }

    fn repetitions(&self) -> usize {
        self.cells.iter().map(|(base, variant)| base.passes.len().min(variant.passes.len())).min().unwrap_or(0)
    }

    /// The base's time divided by the variant's; `published`: on exactly the published positions.
    fn time(&self, published: bool) -> Option<Measured> {
        let sums = ratio_of_sums(&self.pairs(Quantity::Time), self.seed)?;
        let processes = self.by_process();
        if processes.len() > 1 && !published {
            return Some(Measured::of(over_processes(sums, &processes), ALL));
        }
        let passes = over_repetitions(&self.by_repetition()).filter(|passes| passes.interval.is_some());
        let spread = passes.and_then(|passes| passes.interval);
        Some(match (passes, sums.interval.zip(spread)) {
            // The value comes from whole passes, as its interval does: a ratio of medians might lie outside of it.
            (Some(passes), _) if published => Measured::of(passes, self.passes()),
            (_, Some((positions, spread))) => {
                let hull: Interval = (positions.0.min(spread.0), positions.1.max(spread.1));
                Measured { value: sums.value, interval: Some(hull), over: BOTH }
            }
            _ => Measured::of(sums, POSITIONS),
        })
    }

    /// The name of the variation between passes: between processes if there are several, else between repetitions.
    fn passes(&self) -> &'static str {
        if self.by_process().len() > 1 { PROCESSES } else { REPETITIONS }
    }

    /// The base's nodes divided by the variant's; without error if `is_exact`.
    fn nodes(&self, is_exact: bool) -> Option<Measured> {
        let ratio = ratio_of_sums(&self.pairs(Quantity::Nodes), self.seed)?;
        Some(if is_exact { Measured::exact(ratio.value) } else { Measured::of(ratio, POSITIONS) })
    }

    /// The base's time per node divided by the variant's, over all positions. It depends on the positions, and its
    /// interval covers only repetitions. So only whole sets are judged by it.
    fn node_time(&self) -> Option<Measured> {
        let nodes = sums_ratio(&self.pairs(Quantity::Nodes)).filter(|_| self.is_alike())?;
        let Estimate { value, interval } = over_repetitions(&self.by_repetition())?;
        let over = if interval.is_some() { self.passes() } else { POSITIONS };
        Some(Measured { value: value / nodes, interval: interval.map(|(low, high)| (low / nodes, high / nodes)), over })
    }

    /// The ratio of the sums of times in every process that has all positions.
    fn by_process(&self) -> Vec<f64> {
        let passes = self.cells.iter().flat_map(|(base, _)| &base.passes);
        let processes: BTreeSet<u32> = passes.map(|pass| pass.process).collect();
        let ratio = |process: u32| {
            let ns = |cell: &CellResult| cell.ns_of(|pass| pass.process == process);
            let mut sums = (0.0, 0.0);
            for (base, variant) in &self.cells {
                sums = (sums.0 + ns(base)?, sums.1 + ns(variant)?);
            }
            Some(sums.0 / sums.1)
        };
        processes.into_iter().filter_map(ratio).collect()
    }

    /// The ratio of the sums of times in every repetition; in every process if there are several.
    fn by_repetition(&self) -> Vec<f64> {
        let processes = self.by_process();
        if processes.len() > 1 {
            return processes;
        }
        let sums = |index: usize| {
            let ns = self.cells.iter().map(|(base, variant)| (base.passes[index].ns, variant.passes[index].ns));
            ns.fold((0.0, 0.0), |sums, (base, variant)| (sums.0 + base, sums.1 + variant))
        };
        (0..self.repetitions()).map(sums).map(|(base, variant)| base / variant).collect()
    }
}

/// The geometric mean of `ratios`, with Student's interval of the mean of logarithms.
fn over_repetitions(ratios: &[f64]) -> Option<Estimate> {
    let logarithms: Vec<f64> = ratios.iter().map(|ratio| ratio.ln()).collect();
    let Estimate { value, interval } = mean_interval(&logarithms)?;
    Some(Estimate { value: value.exp(), interval: interval.map(|(low, high)| (low.exp(), high.exp())) })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::claims::claim::embedded;
    use crate::claims::claim::tests::{CLAIM, claims, named};
    use crate::reading::tests::reading;
    use crate::results::tests::{Sample, Status, at_run_time, group_of, results, sample};
    use crate::tables::instructions::tests::row as count;
    use c4lab_measure::files::manifest::SetRecord;
    use c4lab_solver::search::Goal;

    /// Rows of both variants of [`CLAIM`], the base `ratio` times as slow, in three repetitions.
    fn rows(ratio: u64, positions: u64) -> Vec<Sample> {
        let mut rows = Vec::new();
        for position in 1..=positions {
            for repetition in 0..3 {
                let row = |variant: &str, ns: u64| Sample {
                    repetition,
                    set: "end-easy".to_string(),
                    ..sample(variant, position, ns + u64::from(repetition), 10)
                };
                let ns = 100_000 + 7_000 * (position % 5);
                rows.extend([row("pons-11", ratio * ns), row("pons-12", ns + 100 * (position % 3))]);
            }
        }
        rows
    }

    fn judged(rows: &[Sample]) -> Finding {
        let evidence = Evidence { results: results(rows, &["pons-11", "pons-12"]), ..Evidence::default() };
        judge(&claims(CLAIM)[0], &evidence, None)
    }

    #[test]
    fn verdicts_of_rows() {
        assert_eq!(judged(&rows(2, 40)).verdict, Verdict::Reproduced);
        assert_eq!(judged(&rows(5, 40)).verdict, Verdict::SameSign);
        let same = judged(&rows(1, 40));
        assert_eq!((same.verdict, same.positions, same.repetitions), (Verdict::NoEffect, Some(40), Some(3)));
        let one = judged(&rows(2, 1));
        assert_eq!((one.verdict, one.measured_low), (Verdict::Undecided, None));
        let none = judged(&[sample("pons-12", 1, 10, 10)]);
        assert_eq!((none.verdict, none.measured), (Verdict::NotTested, None));
        let gone = claims(&CLAIM.replace("pons-11", "pons-13"));
        assert_eq!(judge(&gone[0], &Evidence::default(), None).verdict, Verdict::Waiting);
    }

    /// The times of a dynamic variant are compared with those of the base's dynamic counterpart.
    #[test]
    fn a_variant_at_run_time_is_held_against_the_twin_of_its_base() {
        let claim = claims(&CLAIM.replace("variant = \"pons-12\"", "variant = \"pons-12[order=centre]\""));
        let of = |name: &str, as_is: &str, times: u64| -> Vec<Sample> {
            let rows = rows(4, 40).into_iter().filter(|row| row.variant == as_is);
            let named = rows.map(|row| Sample {
                variant: name.to_string(),
                spec: name.trim_end_matches("[]").to_string(),
                wall_ns: row.wall_ns.map(|ns| ns * times),
                ..row
            });
            named.collect()
        };
        let judged = |rows: Vec<Sample>| {
            let results = at_run_time(&rows, &[], &["pons-11[]", "pons-12[order=centre]"]);
            judge(&claim[0], &Evidence { results, ..Evidence::default() }, None)
        };
        let changed = of("pons-12[order=centre]", "pons-12", 2);
        // Relative times: compiled base 4, dynamic counterpart 8, dynamic variant 2. So the ratio is 4.
        let with_twin = [of("pons-11", "pons-11", 1), of("pons-11[]", "pons-11", 2), changed.clone()].concat();
        let finding = judged(with_twin);
        assert!((3.9..4.1).contains(&finding.measured.unwrap()), "{finding:?}");
        let finding = judged([of("pons-11", "pons-11", 1), changed].concat());
        assert_eq!((finding.verdict, finding.measured), (Verdict::Undecided, None));
    }

    #[test]
    fn limited_positions_leave_a_claim_undecided() {
        let cut = |is_limited: fn(&Sample) -> bool| {
            let limited = |row: Sample| match is_limited(&row) {
                true => Sample { status: Status::Timeout, limit_ns: Some(1000), score: None, ..row },
                false => row,
            };
            judged(&rows(2, 40).into_iter().map(limited).collect::<Vec<_>>())
        };
        let one = cut(|row| row.position_id == 1 && row.variant == "pons-11");
        assert_eq!((one.verdict, one.positions), (Verdict::Undecided, Some(40)));
        assert!(one.why.contains("1 of 40 positions"), "{one:?}");
        assert_eq!(cut(|_| true).verdict, Verdict::Undecided);
    }

    #[test]
    fn instructions_are_without_the_loop_around_them() {
        let all = embedded().unwrap();
        let of = |id: &str, early_exit: u64| {
            let counts = vec![
                count("overhead", "stream_alone", 400),
                count("wins", "win_check_early_exit", early_exit),
                count("wins", "win_check_two_shifts", 3900),
            ];
            judge(&named(&all, id), &Evidence { counts, ..Evidence::default() }, None)
        };
        let check = of("herzberg-instructions", 3700);
        assert_eq!((check.measured.unwrap(), check.verdict), (33.0, Verdict::Reproduced));
        // Published: 50 million checks a second. At two billion instructions a second, a check has 40 instructions.
        assert_eq!(of("herzberg-instructions-by-rate", 3700).verdict, Verdict::Reproduced);
        assert_eq!(of("herzberg-instructions-by-rate", 4500).verdict, Verdict::OtherNumber);
        assert_eq!(of("blog-almost-wins-instructions", 3700).verdict, Verdict::NotTested);
        let none = judge(&named(&all, "herzberg-instructions"), &Evidence::default(), None);
        assert_eq!(none.verdict, Verdict::NotTested);
    }

    /// Only samples under the claim's limits count. The base may have another goal.
    #[test]
    fn positions_that_are_solved_within_limits_are_counted() {
        let text = |kind: &str, rest: &str| {
            format!(
                "source = 's'\n[[claims]]\nid = \"c\"\nstatement = \"x\"\nkind = \"{kind}\"\n{rest}\nvariant = \"pons-12\"\n\
                 test-sets = [\"by-ply\"]\ngoals = [\"weak\"]\nnode-limit = 9\n"
            )
        };
        // Positions with 1 to 40 stones: the variant solves those from 21 on, the base those from 31 on and one with 5.
        let row = |variant: &str, goal: Goal, ply: u64, is_solved: bool| Sample {
            set: "by-ply".to_string(),
            ply: ply as u32,
            goal,
            status: if is_solved { Status::Ok } else { Status::NodeLimit },
            limit_nodes: Some(9),
            ..sample(variant, ply, 10, 9)
        };
        let of =
            |ply| [row("pons-12", Goal::Weak, ply, ply > 20), row("pons-11", Goal::Strong, ply, ply > 30 || ply == 5)];
        let rows: Vec<Sample> = (1..=40).flat_map(of).collect();
        let judged = |kind: &str, rest: &str, limit: Option<u64>| {
            let mut reading = reading(&rows);
            reading.manifest.experiment.node_limit = limit;
            let finding = judge(&claims(&text(kind, rest))[0], &Evidence::of(&reading, None).unwrap(), None);
            (finding.verdict, finding.measured)
        };
        assert_eq!(judged("solved-from", "to = 23", Some(9)), (Verdict::Reproduced, Some(21.0)));
        assert_eq!(judged("solved-from", "to = 20", Some(9)).0, Verdict::OtherNumber);
        assert_eq!(judged("solved-from", "to = 23", Some(8)).0, Verdict::NotTested, "under a smaller limit");
        assert_eq!(judged("solved-from", "to = 23", Some(99)).0, Verdict::Reproduced, "under a larger limit");
        let less = judged("solved-ratio", "from = 1.0\nbase = \"pons-11\"\nbase-node-limit = 8", Some(9));
        assert_eq!(less.0, Verdict::Undecided, "the base solves nothing with 8 nodes");
        let ratio = judged("solved-from", "published = 1.0\nbase = \"pons-11\"", Some(9));
        assert_eq!(ratio, (Verdict::OtherNumber, Some(31.0 / 21.0)));
        let more = judged("solved-ratio", "from = 1.0\nbase = \"pons-11\"", Some(9));
        assert_eq!(more, (Verdict::Reproduced, Some(20.0 / 11.0)));
    }

    /// Rows on an original set. The nodes of `base` are about `tens` / 10 times those of `variant`.
    fn step_rows(base: &str, variant: &str, positions: u64, tens: u64) -> Vec<Sample> {
        let row = |variant: &str, position: u64, nodes: u64| Sample {
            set: "original/end-easy".to_string(),
            ..sample(variant, position, 1000 + position, nodes * (20 + position % 3))
        };
        let of = |at: u64| [row(base, at, 1000 * tens / 10 + at % 2), row(variant, at, 1000)];
        (1..=positions).flat_map(of).collect()
    }

    #[test]
    fn a_part_of_a_set_may_refute_a_claim_and_equal_nodes_are_exact() {
        let step = named(&embedded().unwrap(), "pons-12-end-easy-strong-nodes");
        let judged = |claim: &Claim, rows: &[Sample]| {
            judge(claim, &Evidence { results: results(rows, &[]), ..Evidence::default() }, None)
        };
        let whole = |claim: &Claim, rows: &[Sample], size: usize| judge(claim, &of_set(results(rows, &[]), size), None);
        for (nodes, verdict) in [(5, Verdict::Opposite), (30, Verdict::SameSign), (10, Verdict::NoEffect)] {
            let part = judged(&step, &step_rows("pons-11", "pons-12", 20, nodes));
            assert_eq!(part.verdict, verdict, "{part:?}");
        }
        let same = named(&embedded().unwrap(), "pons-06-end-easy-strong-nodes");
        let equal = |row: Sample| Sample { nodes: Some(7), ..row };
        let all: Vec<Sample> = step_rows("pons-05", "pons-06", 5, 10).into_iter().map(equal).collect();
        let finding = whole(&same, &all, 5);
        assert_eq!((finding.verdict, finding.interval_over.as_deref()), (Verdict::Reproduced, Some("exact")));
        assert_eq!(whole(&same, &all, 6).verdict, Verdict::Undecided, "a part of the set");
        let fewer = named(&embedded().unwrap(), "pons-11-end-easy-strong-nodes");
        assert_eq!(whole(&fewer, &all, 5).verdict, judged(&fewer, &all).verdict, "a claim of another number");
        let other = |row: Sample| {
            if row.variant == "pons-06" && row.position_id == 3 { Sample { nodes: Some(8), ..row } } else { row }
        };
        assert_eq!(judged(&same, &all.into_iter().map(other).collect::<Vec<_>>()).verdict, Verdict::Undecided);
    }

    /// Results on a set of `size` positions.
    fn of_set(results: Results, size: usize) -> Evidence {
        let mut manifest = reading(&[sample("a", 1, 1, 1)]).manifest;
        let sha256 = results.groups[0].set_sha256.clone();
        manifest.test_sets = vec![SetRecord { name: "s".to_string(), sha256, positions: size, shipped: false }];
        Evidence { results, manifest: Some(manifest), ..Evidence::default() }
    }

    #[test]
    fn the_time_for_a_node_is_tested_on_the_whole_set_alone() {
        let claim = named(&embedded().unwrap(), "pons-says-10-node-time-end-easy-strong");
        let judged = |size: usize| {
            let mut rows = step_rows("pons-09", "pons-10", 20, 30);
            let again = |row| Sample { repetition: 1, ..row };
            rows.extend(
                rows.clone().into_iter().map(again).map(|row| Sample { wall_ns: row.wall_ns.map(|ns| ns + 1), ..row }),
            );
            judge(&claim, &of_set(results(&rows, &["pons-09", "pons-10"]), size), None)
        };
        assert_eq!((judged(1000).verdict, judged(1000).measured), (Verdict::NotTested, None));
        assert_eq!(judged(20).verdict, Verdict::Reproduced);
    }

    /// Variant a takes twice the time and three times the nodes of b, on `positions`, with a little noise.
    fn pair_rows(positions: u64, repetitions: u32) -> Vec<Sample> {
        let mut rows = Vec::new();
        for position in 1..=positions {
            for repetition in 0..repetitions {
                let (size, noise) = (1000 * position * position, 10 * u64::from(repetition) * position);
                rows.push(Sample { repetition, ..sample("a", position, 2 * size + noise, 30 * position) });
                rows.push(Sample { repetition, ..sample("b", position, size, 10 * position) });
            }
        }
        rows
    }

    fn with<T>(rows: &[Sample], look: impl Fn(&Pairing<'_>) -> T) -> T {
        let group = &group_of(rows, &["a", "b"]);
        look(&Pairing::of(group, group.named("a").unwrap(), group.named("b").unwrap(), 1))
    }

    #[test]
    fn on_the_published_positions_the_interval_is_over_repetitions() {
        with(&pair_rows(9, 3), |pairing| {
            let time = pairing.time(true).unwrap();
            let (low, high) = time.interval.unwrap();
            assert_eq!((pairing.repetitions(), time.over), (3, REPETITIONS));
            assert!(low < time.value && time.value < high && high - low < 0.05, "{time:?}");
            assert_eq!(pairing.nodes(true).unwrap(), Measured::exact(3.0));
            assert!((pairing.node_time().unwrap().value - 2.0 / 3.0).abs() < 0.01);
        });
        // One long interruption moves a pass, but no median: the number stays within its printed interval.
        let mut rows = pair_rows(40, 3);
        for row in rows.iter_mut().filter(|row| (row.position_id, row.repetition, &row.variant[..]) == (1, 1, "b")) {
            row.wall_ns = Some(50_000_000);
        }
        with(&rows, |pairing| {
            let time = pairing.time(true).unwrap();
            let (low, high) = time.interval.unwrap();
            assert!(low < time.value && time.value < high, "{time:?}");
        });
    }

    #[test]
    fn on_a_sample_it_holds_the_interval_over_positions() {
        let mut rows = pair_rows(40, 3);
        rows.iter_mut().filter(|row| row.position_id % 2 == 0).for_each(|row| row.wall_ns = row.wall_ns.map(|_| 5000));
        with(&rows, |pairing| {
            let (published, sampled) = (pairing.time(true).unwrap(), pairing.time(false).unwrap());
            assert_eq!(sampled.over, BOTH);
            let (narrow, wide) = (published.interval.unwrap(), sampled.interval.unwrap());
            assert!(wide.0 <= narrow.0 && wide.1 >= narrow.1 && wide.1 - wide.0 > 0.01, "{narrow:?} {wide:?}");
        });
    }

    /// Processes differ more than repetitions of one process, so the interval is over processes.
    #[test]
    fn of_several_processes_each_is_one() {
        let of = |process: u32| {
            pair_rows(40, 2).into_iter().map(move |row| {
                let slower = if row.variant == "a" { u64::from(90 + 10 * process) } else { 100 };
                Sample { process, wall_ns: row.wall_ns.map(|ns| ns * slower / 100), ..row }
            })
        };
        let rows: Vec<Sample> = (1..=3).flat_map(of).collect();
        with(&rows, |pairing| {
            assert_eq!(pairing.by_repetition().len(), 3);
            let (published, sampled) = (pairing.time(true).unwrap(), pairing.time(false).unwrap());
            let over = [published.over, sampled.over, pairing.node_time().unwrap().over];
            assert_eq!(over, [PROCESSES, ALL, PROCESSES]);
            let width = |ratio: Measured| ratio.interval.map(|(low, high)| (high / low).ln()).unwrap();
            assert!(width(published) > 0.3 && width(sampled) >= width(published), "{published:?} {sampled:?}");
        });
    }

    #[test]
    fn too_little_has_no_interval() {
        with(&pair_rows(9, 1), |pairing| {
            assert_eq!(pairing.time(true).unwrap().over, POSITIONS);
            assert_eq!(pairing.node_time().unwrap().interval, None);
        });
        // One position says nothing of others, however often it is measured.
        with(&pair_rows(1, 5), |pairing| {
            assert_eq!(pairing.time(false).unwrap().interval, None);
            assert!(pairing.time(true).unwrap().interval.is_some());
        });
    }

    #[test]
    fn limited_positions_are_counted_and_failed_ones_left_out() {
        let mut rows = pair_rows(4, 1);
        rows[0].status = Status::Timeout;
        rows[0].limit_ns = Some(50);
        rows[2].status = Status::Wrong;
        with(&rows, |pairing| assert_eq!((pairing.cells.len(), pairing.limited()), (3, 1)));
    }
}
