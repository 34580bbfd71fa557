//! Conclusions: what a table of ratios says, in one sentence.

use crate::stats::{Estimate, Tally};
use crate::table::Table;
use crate::table::units::{in_words, three_digits};
use c4lab_measure::text::pluralize;

/// How many estimates lie significantly above 1, how many below, and of how many (ties) neither holds.
fn significantly<'a>(estimates: impl Iterator<Item = &'a Estimate>) -> Tally {
    let mut tally = Tally::default();
    for estimate in estimates {
        match estimate.interval {
            Some((low, _)) if low > 1.0 => tally.wins += 1,
            Some((_, high)) if high < 1.0 => tally.losses += 1,
            _ => tally.ties += 1,
        }
    }
    tally
}

pub(crate) fn beside_one(base: &str, estimate: Estimate) -> String {
    let words = match in_words(estimate.value) {
        words if words == "as fast" => format!("as fast as {base}"),
        words => format!("{words} than {base}"),
    };
    let Some((low, high)) = estimate.interval else { return format!("{words}, on too few positions for an interval") };
    let (low, high) = if estimate.value < 1.0 { (1.0 / high, 1.0 / low) } else { (low, high) };
    format!("{words} ({} to {})", three_digits(low), three_digits(high))
}

/// What the geometric means of variants beside a base say.
pub fn beside(base: &str, others: &[(&str, Estimate)]) -> String {
    let by_value = |one: &&(&str, Estimate), other: &&(&str, Estimate)| one.1.value.total_cmp(&other.1.value);
    let Some((name, best)) = others.iter().max_by(by_value) else { return String::new() };
    let Tally { wins, ties, losses } = significantly(others.iter().map(|(_, estimate)| estimate));
    if others.len() == 1 {
        let cannot = if ties == 1 && best.interval.is_some() { ", which does not differ significantly" } else { "" };
        return format!("By the geometric mean, {name} is {}{cannot}.", beside_one(base, *best));
    }
    format!(
        "Of {} variants, significantly faster than {base}: {wins}, significantly slower: {losses}, neither: {ties}. The fastest by the \
         geometric mean is {name}: {}.",
        others.len(),
        beside_one(base, *best)
    )
}

/// What the geometric means of steps say, each beside the one before: its base, its variant.
pub fn steps(steps: &[(&str, &str, Estimate)]) -> String {
    let by_value =
        |one: &&(&str, &str, Estimate), other: &&(&str, &str, Estimate)| one.2.value.total_cmp(&other.2.value);
    let Some((base, name, best)) = steps.iter().max_by(by_value) else { return String::new() };
    let Tally { wins, ties, losses } = significantly(steps.iter().map(|(_, _, estimate)| estimate));
    let count = pluralize(steps.len(), "step");
    format!(
        "Of {count}, time is significantly gained by {wins}, lost by {losses}, neither by {ties}. The largest gain by the \
         geometric mean is that of {name}: {}.",
        beside_one(base, *best)
    )
}

/// What the geometric means of changes to a base say: the one that costs most, and the one that gains most.
pub fn changes(base: &str, changes: &[(&str, Estimate)]) -> String {
    let by_value = |one: &&(&str, Estimate), other: &&(&str, Estimate)| one.1.value.total_cmp(&other.1.value);
    let told = |worse: bool| {
        let is = move |(_, estimate): &&(&str, Estimate)| {
            estimate.interval.is_some_and(|(low, high)| if worse { high < 1.0 } else { low > 1.0 })
        };
        changes.iter().filter(is)
    };
    if changes.is_empty() {
        return String::new();
    }
    let cost = told(true)
        .min_by(by_value)
        .map(|(name, estimate)| format!("{name} costs most: {}", beside_one(base, *estimate)));
    let gain = told(false)
        .max_by(by_value)
        .map(|(name, estimate)| format!("{name} gains most: {}", beside_one(base, *estimate)));
    match [cost, gain].into_iter().flatten().collect::<Vec<_>>() {
        said if said.is_empty() => {
            format!("By the geometric mean, no change of {base} significantly costs or gains time.")
        }
        said => format!("By the geometric mean, {}.", said.join("; ")),
    }
}

/// A variant beside its base on every set that it was measured on.
#[derive(Clone, Debug, PartialEq)]
pub struct OnSets {
    pub variant: String,
    pub estimates: Vec<Estimate>,
}

/// What the geometric means of variants say over all sets. `fastest` has the fastest variant of each set.
pub fn on_sets(base: &str, others: &[OnSets], fastest: &[String]) -> String {
    let everywhere = |of: fn(Tally) -> usize| {
        let is = |one: &&OnSets| of(significantly(one.estimates.iter())) == one.estimates.len();
        others.iter().filter(is).count()
    };
    let (faster, slower) = (everywhere(|tally| tally.wins), everywhere(|tally| tally.losses));
    match others {
        [] => String::new(),
        [OnSets { variant, estimates }] => {
            let Tally { wins, ties, losses } = significantly(estimates.iter());
            let values = || estimates.iter().map(|estimate| estimate.value);
            let (least, most) = (values().fold(f64::INFINITY, f64::min), values().fold(0.0, f64::max));
            let range = match (in_words(least), in_words(most)) {
                (least, most) if least == most => least,
                (least, most) => format!("{least} to {most}"),
            };
            format!(
                "Sets on which {variant} is significantly faster than {base}: {wins} of {}, significantly slower: {losses}, neither: {ties}. By \
                 the geometric mean it is {range}.",
                estimates.len()
            )
        }
        _ => format!(
            "Of {} variants, significantly faster than {base} on every set that they ran on: {faster}, significantly slower on every one: \
             {slower}, neither: {}. The fastest by the geometric mean: {}.",
            others.len(),
            others.len() - faster - slower,
            named(fastest)
        ),
    }
}

/// The variants that a sentence names as the fastest of some set.
const NAMED: usize = 3;

/// `a on 3 of 4, b on 1 of 4`: the most frequent first, and how many others there are.
fn named(names: &[String]) -> String {
    let mut counts: Vec<(&str, usize)> = Vec::new();
    for name in names {
        match counts.iter_mut().find(|(known, _)| known == name) {
            Some((_, count)) => *count += 1,
            None => counts.push((name, 1)),
        }
    }
    counts.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    let shown = counts.iter().take(NAMED).map(|(name, count)| format!("{name} on {count} of {}", names.len()));
    let others = counts.iter().skip(NAMED).map(|(_, count)| count).sum::<usize>();
    let others = (others > 0).then(|| format!("others on {others}"));
    shown.chain(others).collect::<Vec<_>>().join(", ")
}

/// How many intervals a report holds, and how many of them exclude 1: by chance, and in fact. Nothing of none.
pub fn multiplicity(intervals: impl Iterator<Item = (f64, f64)>) -> Option<String> {
    let (mut count, mut excluding) = (0, 0);
    for (low, high) in intervals {
        count += 1;
        excluding += usize::from(low > 1.0 || high < 1.0);
    }
    let by_chance = (count as f64 * 0.05).round();
    (count > 0).then(|| {
        format!(
            "Intervals of 95 %: {count}. If nothing differed, about {by_chance} of them would exclude 1 by chance; \
             {excluding} do."
        )
    })
}

pub fn of_all<'a>(tables: impl IntoIterator<Item = &'a Table>) -> Option<String> {
    multiplicity(tables.into_iter().flat_map(Table::intervals))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn estimate(value: f64, low: f64, high: f64) -> Estimate {
        Estimate { value, interval: Some((low, high)) }
    }

    #[test]
    fn variants_are_counted_by_their_intervals() {
        let others = [("b", estimate(2.0, 1.5, 2.5)), ("c", estimate(0.5, 0.4, 0.6)), ("d", estimate(1.0, 0.9, 1.1))];
        let tally = significantly(others.iter().map(|(_, estimate)| estimate));
        assert_eq!((tally.wins, tally.losses, tally.ties), (1, 1, 1));
        assert!(beside("a", &others).contains("is b: 2.00 times faster than a (1.50 to 2.50)"));
        assert!(changes("a", &others).contains("c costs most: 2.00 times slower than a (1.67 to 2.50); b gains most"));
        assert!(changes("a", &others[2..]).contains("no change"));
        assert!(
            steps(&[("a", "b", others[0].1), ("b", "c", others[1].1)]).contains("that of b: 2.00 times faster than a")
        );
        assert_eq!(beside("a", &[]), "");
    }

    #[test]
    fn a_ratio_is_faster_slower_or_without_an_interval() {
        assert_eq!(beside_one("a", estimate(0.002, 0.001, 0.004)), "500 times slower than a (250 to 1,000)");
        let few = Estimate { value: 1.0, interval: None };
        assert_eq!(beside_one("a", few), "as fast as a, on too few positions for an interval");
    }

    #[test]
    fn over_all_sets_the_fastest_are_counted() {
        let one =
            |variant: &str, estimates: &[Estimate]| OnSets { variant: variant.into(), estimates: estimates.into() };
        let (up, down, none) = (estimate(2.0, 1.5, 2.5), estimate(0.5, 0.4, 0.6), estimate(1.1, 0.9, 1.3));
        let said = on_sets("a", &[one("b", &[up, down, none])], &[]);
        assert!(said.contains("1 of 3") && said.contains("2.00 times slower to 2.00 times faster"), "{said}");
        let fastest = ["c", "b", "b"].map(str::to_string);
        let said = on_sets("a", &[one("b", &[up, up, up]), one("c", &[up, none])], &fastest);
        assert!(said.contains("b on 2 of 3, c on 1 of 3"), "{said}");
    }

    #[test]
    fn intervals_are_counted() {
        let intervals = [(0.5, 0.9), (0.9, 1.1), (1.1, 1.2)].repeat(20);
        let said = multiplicity(intervals.into_iter()).unwrap();
        assert!(said.contains(": 60.") && said.contains("about 3") && said.contains("40 do"), "{said}");
        assert_eq!(multiplicity(std::iter::empty()), None);
    }
}
