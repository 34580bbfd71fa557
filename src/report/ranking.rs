//! Ranking: all variants that were measured beside each other, from the fastest to the slowest, pooled over test sets.
//!
//! A ranking is of one goal, machine, build and state of the table. Dynamic variants are ranked by themselves. It uses
//! the positions that all its variants have. So its ratios are consistent: a to c is a to b times b to c.

use crate::entry;
use crate::reading::Reading;
use crate::results::{Group, Outcome, Quantity, Series, pairs};
use crate::stats::{Estimate, sums_ratio};
use crate::table::units::{time, times};
use crate::table::{Cell, Column, Subject, Table};
use crate::tables::comparison::{Beside, Comparison};
use crate::tables::conclusion;
use anyhow::{Result, bail};
use c4lab_measure::text::unknown;
use c4lab_solver::search::Goal;

/// The variants and sets of a ranking. An empty list chooses all.
#[derive(Clone, Debug, Default)]
pub struct Choice {
    /// `None` for the first variant without a wrong or failed answer.
    pub base: Option<String>,
    pub variants: Vec<String>,
    pub test_sets: Vec<String>,
    pub goal: Option<Goal>,
}

#[derive(Debug)]
pub struct Ranking {
    base: String,
    run_time: bool,
    /// The ranked variants, followed by those without a rank.
    ranked: Vec<Ranked>,
    /// The positions that all ranked variants have.
    groups: Vec<Group>,
    /// The number of positions that some of the variants have, and not all.
    left_out: usize,
    /// The variant with the fewest positions: `b has 3`.
    fewest: String,
}

#[derive(Clone, Debug, Default)]
struct Ranked {
    variant: String,
    /// One more than the number of variants with a better rank.
    rank: Option<usize>,
    /// Why there is no rank.
    reason: Option<String>,
    /// Positions at a limit, which count with twice the limit.
    limited: usize,
    mean_ns: Option<f64>,
    beside_base: Option<Estimate>,
    /// The base's nodes divided by the variant's, if they are counted alike.
    node_ratio: Option<f64>,
    /// The first variant of the rank, and its time divided by that of this variant; `None` for the fastest.
    beside_first: Option<(String, Option<Estimate>)>,
}

impl Ranked {
    fn without(variant: &str, reason: String) -> Self {
        Ranked { variant: variant.to_string(), reason: Some(reason), ..Ranked::default() }
    }
}

impl Ranking {
    pub fn of(reading: &Reading, choice: &Choice) -> Result<Vec<Ranking>> {
        let mut groups: Vec<&Group> = reading.results.groups.iter().collect();
        for name in &choice.test_sets {
            if groups.iter().all(|group| group.set != *name) {
                bail!(unknown("test set in the folder", name, groups.iter().map(|group| group.set.as_str())));
            }
        }
        groups.retain(|group| {
            choice.goal.is_none_or(|goal| goal == group.goal)
                && (choice.test_sets.is_empty() || choice.test_sets.contains(&group.set))
        });
        if let Some(goal) = choice.goal.filter(|_| groups.is_empty()) {
            bail!("no row of the goal {}", goal.name());
        }
        for name in choice.base.iter().chain(&choice.variants) {
            if groups.iter().all(|group| group.named(name).is_none()) {
                let names = groups.iter().flat_map(|group| &group.series).map(|column| column.variant.as_str());
                bail!(unknown("variant in the folder", name, names));
            }
        }
        let subject = |of: &Group| (of.goal, of.tt_state, of.machine_id.clone(), of.binary_sha256.clone());
        let mut alike: Vec<Vec<&Group>> = Vec::new();
        for group in groups {
            entry(&mut alike, |known| subject(known[0]) == subject(group), Vec::new).push(group);
        }
        let (mut rankings, seed) = (Vec::new(), reading.manifest.experiment.seed);
        for groups in alike {
            let asked = choice.base.as_deref().and_then(|name| column(&groups, name));
            let named = rank(&groups, choice, (false, asked), seed)?;
            let base = asked.or_else(|| column(&groups, &named.as_ref()?.base));
            let at_run_time = rank(&groups, choice, (true, base), seed)?;
            rankings.extend(named.into_iter().chain(at_run_time).filter(|of| of.count() > 1));
        }
        if rankings.is_empty() {
            bail!("nothing to rank: fewer than two variants that may be compared");
        }
        Ok(rankings)
    }

    fn count(&self) -> usize {
        self.ranked.iter().filter(|of| of.rank.is_some()).count()
    }

    fn compared<'a>(&'a self, base: &'a str, variant: &'a str) -> Vec<Beside<'a>> {
        let of = |group: &'a Group| Some((group, group.named(base)?, group.named(variant)?));
        self.groups.iter().filter_map(of).collect()
    }

    /// The ratio of two variants' times. Its interval is resampled within each set, and covers processes.
    fn ratio(&self, base: &str, variant: &str, seed: u64) -> Option<Estimate> {
        Comparison::pooled(&self.compared(base, variant), Quantity::Time, seed).geometric_mean
    }

    /// The nodes of the base divided by those of a variant: the ratio of the sums, since a position may have none.
    /// `None` if they are not counted alike: by two recursions, or by an engine.
    fn node_ratio(&self, variant: &str) -> Option<f64> {
        let mut nodes = Vec::new();
        for (group, base, variant) in self.compared(&self.base, variant) {
            if recursion(base) != recursion(variant) {
                return None;
            }
            nodes.extend(group.pairs(base, variant, Quantity::Nodes));
        }
        sums_ratio(&nodes)
    }

    fn mean_ns(&self, variant: &str) -> f64 {
        let columns = self.groups.iter().filter_map(|group| group.named(variant));
        let logs: Vec<f64> =
            columns.flat_map(|column| &column.cells).filter_map(|cell| Some(cell.as_ref()?.ns()?.ln())).collect();
        (logs.iter().sum::<f64>() / logs.len() as f64).exp()
    }
}

fn column<'a>(groups: &[&'a Group], name: &str) -> Option<&'a Series> {
    groups.iter().find_map(|group| group.named(name))
}

/// The recursion that a spec names. Old specs name none, since there was only one.
fn recursion(column: &Series) -> &str {
    column.spec.split(',').find_map(|choice| choice.strip_prefix("search=")).unwrap_or("moves")
}

/// The ranking of the dynamic variants if `run_time`, else of the others; `None` if none was measured. The base is
/// `wanted` or its counterpart, or else the first variant.
fn rank(
    groups: &[&Group],
    choice: &Choice,
    (run_time, wanted): (bool, Option<&Series>),
    seed: u64,
) -> Result<Option<Ranking>> {
    let asked: Vec<&String> = choice.variants.iter().chain(&choice.base).collect();
    let (mut names, mut unranked): (Vec<&str>, Vec<Ranked>) = (Vec::new(), Vec::new());
    for (group, column) in groups.iter().flat_map(|group| group.series.iter().map(move |column| (group, column))) {
        let name = column.variant.as_str();
        let is_named = |asked: &&String| group.named(asked).is_some_and(|named| named.variant == name);
        let is_known = names.contains(&name) || unranked.iter().any(|of| of.variant == name);
        if column.run_time != run_time || is_known || !(choice.variants.is_empty() || asked.iter().any(is_named)) {
            continue;
        }
        let columns: Vec<&Series> = groups.iter().filter_map(|group| group.named(name)).collect();
        if columns.iter().all(|column| column.is_sound()) {
            names.push(name);
            continue;
        }
        let count = |outcome| columns.iter().map(|column| column.count(outcome)).sum::<usize>();
        let (wrong, failed) = (count(Outcome::Wrong), count(Outcome::Failed));
        unranked.push(Ranked::without(name, format!("{wrong} answered wrongly and {failed} failed")));
    }
    let absent = asked.into_iter().filter(|name| !run_time && column(groups, name).is_none());
    let reason = "not measured under this goal and on these sets".to_string();
    unranked.extend(absent.map(|name| Ranked::without(name, reason.clone())));
    let Some(&first) = names.first() else { return Ok(None) };
    let base = match wanted {
        Some(wanted) if wanted.run_time == run_time => &wanted.variant,
        Some(wanted) => names
            .iter()
            .find(|name| column(groups, name).is_some_and(|of| of.is_alike(wanted)))
            .copied()
            .unwrap_or(first),
        None => first,
    };
    if let Some(Ranked { reason: Some(reason), .. }) = unranked.iter().find(|of| of.variant == base) {
        bail!("{base} cannot be the base: {reason}; name another --base");
    }
    let meets = |name: &str| {
        let mut both = groups.iter().filter_map(|group| group.named(base).zip(group.named(name)));
        both.any(|(base, other)| pairs(base, other).next().is_some())
    };
    let (names, alone): (Vec<&str>, Vec<&str>) = names.into_iter().partition(|name| *name == base || meets(name));
    unranked.extend(alone.into_iter().map(|name| Ranked::without(name, format!("not measured beside {base}"))));
    let mut ranking = on_common_positions(groups, &names, base, run_time);
    if ranking.groups.is_empty() && names.len() > 1 {
        bail!(
            "no position on which all of {} were measured beside each other ({}); choose some of \
             them with --variants, or sets with --test-sets",
            names.join(", "),
            ranking.fewest
        );
    }
    let mut order: Vec<(f64, &str)> = names.into_iter().map(|name| (ranking.mean_ns(name), name)).collect();
    order.sort_by(|one, other| one.0.total_cmp(&other.0));
    // The first variant of the current rank, and the rank.
    let (mut first, mut rank) = (order[0].1, 1);
    for (place, &(mean_ns, variant)) in order.iter().enumerate() {
        let beside_first = (place > 0).then(|| (first.to_string(), ranking.ratio(first, variant, seed)));
        let interval = beside_first.as_ref().and_then(|(_, ratio)| ratio.as_ref()?.interval);
        if interval.is_some_and(|(_, high)| high < 1.0) {
            (first, rank) = (variant, place + 1);
        }
        let columns = ranking.groups.iter().filter_map(|group| group.named(variant));
        ranking.ranked.push(Ranked {
            variant: variant.to_string(),
            rank: Some(rank),
            reason: None,
            limited: columns.map(|column| column.count(Outcome::Limited)).sum(),
            mean_ns: Some(mean_ns),
            beside_base: if variant == base { None } else { ranking.ratio(base, variant, seed) },
            node_ratio: ranking.node_ratio(variant),
            beside_first,
        });
    }
    ranking.ranked.extend(unranked);
    Ok(Some(ranking))
}

/// A ranking, still without ranks, of the positions on which all of `names` were measured beside each other.
fn on_common_positions(groups: &[&Group], names: &[&str], base: &str, run_time: bool) -> Ranking {
    let (mut kept, mut counts, mut left_out) = (Vec::new(), vec![0; names.len()], 0);
    for group in groups {
        let columns: Vec<Option<&Series>> = names.iter().map(|name| group.named(name)).collect();
        let is_timed = |column: &Option<&Series>, place: usize| {
            column.and_then(|column| column.cells[place].as_ref()?.ns()).is_some()
        };
        let is_common = |place: usize| columns.iter().all(|column| is_timed(column, place));
        let common: Vec<bool> = (0..group.places.len()).map(is_common).collect();
        for (place, common) in common.iter().enumerate() {
            let has = |column: &Option<&Series>| column.is_some_and(|column| column.cells[place].is_some());
            counts.iter_mut().zip(&columns).for_each(|(count, column)| *count += usize::from(has(column)));
            left_out += usize::from(!common && columns.iter().any(has));
        }
        kept.push(group.keep(|place, _| common[place]));
    }
    kept.retain(|group| !group.places.is_empty());
    let fewest = names.iter().zip(&counts).min_by_key(|(_, count)| **count);
    let fewest = fewest.map_or(String::new(), |(name, count)| format!("{name} has {count}"));
    Ranking { base: base.to_string(), run_time, ranked: Vec::new(), groups: kept, left_out, fewest }
}

impl Ranking {
    pub fn table(&self) -> Table {
        let (mut subject, mut title) = Subject::pooled(&self.groups.iter().collect::<Vec<_>>());
        if self.run_time {
            let run_time = "dynamic variants";
            title += &format!(", {run_time}");
            subject.apart = Some(subject.apart.map_or(run_time.to_string(), |apart| format!("{apart}, {run_time}")));
        }
        let title = format!("{title}: all variants by their times");
        let is_limited = self.ranked.iter().any(|of| of.limited > 0);
        let has_reason = self.ranked.iter().any(|of| of.reason.is_some());
        let is_base = |of: &Ranked| of.variant == self.base;
        let beside = |of: &Ranked| if is_base(of) { Some(1.0) } else { Some(of.beside_base?.value) };
        Table::new("rank", subject, title, self.note(is_limited))
            .concluding(self.conclusion())
            .over(&self.ranked)
            .number("rank", "rank", |rank| rank.to_string(), |of| of.rank.map(|rank| rank as f64))
            .text("variant", "variant", |of| of.variant.clone())
            .when(is_limited, |table| table.count("limited", "limited", |of| of.limited))
            .number("mean time", "geometric_mean_ns", time, |of| of.mean_ns)
            .number(&format!("beside {}", self.base), "geometric_mean", times, beside)
            .column(Column::interval("geometric_mean"), |of| match is_base(of) {
                true => Cell::Empty,
                false => Cell::interval_of(of.beside_base),
            })
            .number("fewer nodes", "node_ratio", times, |of| of.node_ratio)
            .some_text("held against", "held_against", |of| Some(of.beside_first.as_ref()?.0.clone()))
            .ratio("ratio", "ratio", |of| of.beside_first.as_ref()?.1)
            .when(has_reason, |table| table.some_text("why it has no rank", "reason", |of| of.reason.clone()))
            .table
    }

    fn note(&self, is_limited: bool) -> String {
        let of_sets: Vec<String> =
            self.groups.iter().map(|group| format!("{} {}", group.set, group.places.len())).collect();
        let mut note = format!(
            "Times are geometric means over the {} positions that all {} ranked variants have ({}): each position counts \
             once, in any set, and intervals are drawn within each set. A ratio is the time of {} divided by that of the \
             variant: above 1 the variant is faster. A variant shares the rank of the variant in the column held against, \
             unless it is significantly slower. Then it is the first of the next rank.",
            self.groups.iter().map(|group| group.places.len()).sum::<usize>(),
            self.count(),
            of_sets.join(", "),
            self.base,
        );
        if self.left_out > 0 {
            note += &format!(" Not counted: {} positions that not all of them have: {}.", self.left_out, self.fewest);
        }
        if is_limited {
            note += " A position that reached a limit counts with twice the limit.";
        }
        note + " Fewer nodes: the ratio of the sums, if both have one recursion."
    }

    fn conclusion(&self) -> String {
        let (ranked, unranked): (Vec<&Ranked>, Vec<&Ranked>) = self.ranked.iter().partition(|of| of.rank.is_some());
        let names = |of: &[&Ranked]| of.iter().map(|of| of.variant.as_str()).collect::<Vec<_>>().join(", ");
        let Some(fastest) = ranked.first() else { return String::new() };
        let firsts = ranked.iter().take_while(|of| of.rank == Some(1)).count();
        let mut text = match firsts {
            1 => format!("{} is the fastest of {}.", fastest.variant, ranked.len()),
            _ => format!(
                "Which of {} is the fastest of {} is open; by the means it is {}.",
                names(&ranked[..firsts]),
                ranked.len(),
                fastest.variant
            ),
        };
        // The first variant that is significantly slower; if there is none, the fastest beside the base.
        let next = ranked.get(firsts).and_then(|next| Some((*next, next.beside_first.clone()?)));
        let (told, (than, ratio)) = next.unwrap_or((fastest, (self.base.clone(), fastest.beside_base)));
        if let Some(ratio) = ratio {
            text += &format!(" {} {}.", told.variant, conclusion::beside_one(&than, ratio));
        }
        if !unranked.is_empty() {
            text += &format!(" Without a rank: {}.", names(&unranked));
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reading::tests::reading;
    use crate::results::tests::{Sample, Status, at_run_time, sample};

    fn ranked(rows: &[Sample], choice: &Choice) -> Vec<Ranking> {
        Ranking::of(&reading(rows), choice).unwrap()
    }

    fn error(rows: &[Sample], choice: &Choice) -> String {
        format!("{:#}", Ranking::of(&reading(rows), choice).unwrap_err())
    }

    fn base(name: &str) -> Choice {
        Choice { base: Some(name.to_string()), ..Choice::default() }
    }

    fn on(set: &str, sample: Sample) -> Sample {
        Sample { set: set.to_string(), set_sha256: set.to_string(), ..sample }
    }

    /// `count` positions of a set, with times about `ns`, equal for all variants but for `noise`.
    fn rows(set: &str, variant: &str, count: u64, ns: u64, noise: u64) -> Vec<Sample> {
        (1..=count).map(|id| on(set, sample(variant, id, ns * (10 + id % 3) + noise * (id * 7 % 11), 10))).collect()
    }

    fn places(ranking: &Ranking) -> Vec<(usize, &str)> {
        ranking.ranked.iter().filter_map(|of| Some((of.rank?, of.variant.as_str()))).collect()
    }

    fn positions(ranking: &Ranking) -> Vec<usize> {
        ranking.groups.iter().map(|group| group.places.len()).collect()
    }

    #[test]
    fn means_and_ratios_by_hand() {
        let close = |one: f64, other: f64| (one / other - 1.0).abs() < 1e-9;
        // Set s: a 100, 400; b 50, 50. Set t: a 1000; b 1000. Ratios 2, 8, 1: the cube root of 16.
        let of = |set, variant, id, ns, nodes| on(set, sample(variant, id, ns, nodes));
        let rows = [
            of("s", "a", 1, 100, 30),
            of("s", "b", 1, 50, 10),
            of("s", "a", 2, 400, 30),
            of("s", "b", 2, 50, 30),
            of("t", "a", 1, 1000, 9),
            of("t", "b", 1, 1000, 1),
            // Only `a` has this position.
            of("t", "a", 2, 7, 9),
        ];
        let ranking = &ranked(&rows, &Choice::default())[0];
        let [b, a] = ranking.ranked.as_slice() else { panic!("{ranking:?}") };
        assert!(close(b.beside_base.unwrap().value, 16_f64.cbrt()) && close(b.mean_ns.unwrap(), 2_500_000_f64.cbrt()));
        assert!(close(a.mean_ns.unwrap(), 40_000_000_f64.cbrt()) && close(b.node_ratio.unwrap(), 69.0 / 41.0));
        // Three positions are too few for an interval: both are first.
        assert_eq!((places(ranking), ranking.base.as_str()), (vec![(1, "b"), (1, "a")], "a"));
        assert_eq!((positions(ranking), ranking.left_out, ranking.fewest.as_str()), (vec![2, 1], 1, "b has 3"));
    }

    #[test]
    fn variants_that_do_not_differ_significantly_share_a_rank() {
        let all = [
            rows("s", "slow", 60, 300, 0),
            rows("s", "b", 60, 100, 5),
            rows("s", "a", 60, 100, 0),
            // Not significantly slower or faster than b: both by turns.
            (1..=60).map(|id| on("s", sample("c", id, if id % 2 == 0 { 700 } else { 1900 }, 10))).collect(),
            rows("s", "slower", 60, 900, 3),
        ];
        let ranking = &ranked(&all.concat(), &base("slow"))[0];
        assert_eq!(places(ranking), [(1, "a"), (2, "b"), (2, "c"), (4, "slow"), (5, "slower")]);
        let held = |of: &Ranked| of.beside_first.as_ref().map(|(first, _)| first.clone()).unwrap_or_default();
        assert_eq!(ranking.ranked.iter().map(held).collect::<Vec<_>>(), ["", "a", "b", "b", "slow"]);
    }

    #[test]
    fn a_variant_that_answered_wrongly_has_no_rank() {
        let wrong = Sample { status: Status::Wrong, score: Some(-1), ..sample("b", 3, 1, 1) };
        let crashed = Sample { status: Status::Error, score: None, nodes: None, ..sample("c", 4, 1, 1) };
        let sound = [rows("s", "a", 20, 9, 1), rows("s", "d", 20, 5, 1)].concat();
        let all = [rows("s", "b", 20, 1, 0), rows("s", "c", 20, 1, 0), sound, vec![on("s", wrong), on("s", crashed)]];
        let all = all.concat();
        let ranking = &ranked(&all, &Choice::default())[0];
        assert_eq!(
            (places(ranking), ranking.base.as_str()),
            (vec![(1, "d"), (2, "a")], "a"),
            "the first that is right"
        );
        let shown = ranking.table().shown();
        let reasons: Vec<(&str, &str)> =
            shown.iter().map(|row| (row[1].as_str(), row.last().unwrap().as_str())).collect();
        let expected = [("b", "1 answered wrongly and 0 failed"), ("c", "0 answered wrongly and 1 failed")];
        assert_eq!(reasons[2..], expected);
        assert!(error(&all, &base("b")).contains("b cannot be the base: 1 answered wrongly and 0 failed"));
        assert!(error(&all, &base("e")).contains("no variant in the folder \"e\""));
    }

    #[test]
    fn dynamic_variants_are_ranked_by_themselves_and_nodes_of_two_recursions_not_compared() {
        let of = |variant: &str, spec: &str, ns: u64| -> Vec<Sample> {
            let row = |row: Sample| Sample { spec: spec.to_string(), ..row };
            rows("s", variant, 20, ns, ns / 40).into_iter().map(row).collect()
        };
        let all = [of("a", "x=1", 100), of("b", "x=3", 30), of("a[]", "x=1", 210), of("a[x=2]", "x=2", 20)].concat();
        let mut folder = reading(&[]);
        folder.results = at_run_time(&all, &["a", "b"], &["a[]", "a[x=2]"]);
        let rankings = Ranking::of(&folder, &Choice::default()).unwrap();
        let shown: Vec<_> = rankings.iter().map(|of| (of.run_time, of.base.as_str(), places(of))).collect();
        assert_eq!(shown, [(false, "a", vec![(1, "b"), (2, "a")]), (true, "a[]", vec![(1, "a[x=2]"), (2, "a[]")])]);
        let all = [of("old", "x=1", 9), of("moves", "search=moves,x=1", 8), of("children", "search=children,x=1", 7)];
        let ranking = &ranked(&all.concat(), &base("old"))[0];
        let nodes: Vec<_> = ranking.ranked.iter().map(|of| (of.variant.as_str(), of.node_ratio)).collect();
        assert_eq!(nodes, [("children", None), ("moves", Some(1.0)), ("old", Some(1.0))]);
    }

    #[test]
    fn sets_goals_and_variants_are_chosen() {
        let weak =
            |rows: Vec<Sample>| rows.into_iter().map(|row| Sample { goal: Goal::Weak, ..row }).collect::<Vec<_>>();
        let all = [
            rows("s", "a", 12, 9, 1),
            rows("s", "b", 12, 5, 0),
            rows("t", "a", 12, 3, 1),
            rows("t", "b", 12, 5, 0),
            rows("s", "c", 1, 5, 0),
        ]
        .concat();
        let names = |names: &[&str]| names.iter().map(|name| name.to_string()).collect::<Vec<_>>();
        assert_eq!(positions(&ranked(&all, &Choice::default())[0]), [1], "c has one");
        let two = &ranked(&all, &Choice { variants: names(&["a", "b"]), ..Choice::default() })[0];
        assert_eq!((positions(two), two.count()), (vec![12, 12], 2));
        let one = &ranked(&all, &Choice { test_sets: names(&["t"]), ..Choice::default() })[0];
        assert_eq!((places(one), one.table().subject.set.as_deref()), (vec![(1, "a"), (2, "b")], Some("t")));
        let both =
            ranked(&[all.clone(), weak(rows("s", "a", 9, 9, 1)), weak(rows("s", "b", 9, 5, 0))].concat(), &base("c"));
        assert_eq!(both.iter().map(|of| of.base.as_str()).collect::<Vec<_>>(), ["c", "a"]);
        assert_eq!(both[1].table().shown()[2].last().unwrap(), "not measured under this goal and on these sets");
        let apart =
            [rows("s", "a", 12, 9, 1), rows("s", "b", 3, 5, 0), rows("s", "c", 12, 5, 0)[6..].to_vec()].concat();
        for (rows, choice, reason) in [
            (&all, Choice { test_sets: names(&["tt"]), ..Choice::default() }, "test set in the folder"),
            (&all, Choice { goal: Some(Goal::Weak), ..Choice::default() }, "no row of the goal weak"),
            (&apart, Choice::default(), "(b has 3); choose some of them with --variants"),
        ] {
            assert!(error(rows, &choice).contains(reason), "{reason}");
        }
    }
}
