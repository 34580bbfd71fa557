//! Conclusions: the sentence below a table of ratios.

use crate::stats::{Estimate, Tally};
use crate::table::Table;
use crate::table::units::{in_words, three_digits};
use c4lab_measure::text::{distinct, pluralize};

/// Counts the estimates significantly above 1 (wins), significantly below 1 (losses), and the others (ties).
fn significantly<'a>(estimates: impl IntoIterator<Item = &'a Estimate>) -> Tally {
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

/// The predicate of a variant beside `base`: `is 2.00 times faster than a (1.50 to 2.50)`. Where the interval has 1, none
/// is faster.
pub fn beside_one(base: &str, estimate: Estimate) -> String {
    let Estimate { value, interval } = estimate;
    let words = match in_words(value) {
        words if words == "as fast" => format!("is as fast as {base}"),
        words => format!("is {words} than {base}"),
    };
    match interval {
        None => format!("{words}, too few for an interval"),
        Some((low, high)) if low <= 1.0 && high >= 1.0 => {
            let [value, low, high] = [value, low, high].map(three_digits);
            format!("cannot be told from {base} ({value}x, {low} to {high})")
        }
        Some((low, high)) => {
            let (low, high) = if value < 1.0 { (1.0 / high, 1.0 / low) } else { (low, high) };
            format!("{words} ({} to {})", three_digits(low), three_digits(high))
        }
    }
}

/// Greatest number of variants that a sentence names.
const NAMED: usize = 5;

/// The geometric means of variants beside a base. The base is one of the candidates for the fastest.
pub fn beside(base: &str, others: &[(&str, Estimate)]) -> String {
    let mut sorted = others.to_vec();
    sorted.sort_by(|one, other| other.1.value.total_cmp(&one.1.value));
    let Some((name, best)) = sorted.first() else { return String::new() };
    let one = |(name, estimate): &(&str, Estimate)| format!("{name} {}", beside_one(base, *estimate));
    if others.len() == 1 {
        return format!("By the geometric mean, {}.", one(&sorted[0]));
    }
    let Tally { wins, ties, losses } = significantly(others.iter().map(|(_, estimate)| estimate));
    if others.len() <= NAMED {
        let none = if wins == 0 { format!("none is faster than {base}: ") } else { String::new() };
        return format!("By the geometric mean, {none}{}.", sorted.iter().map(one).collect::<Vec<_>>().join("; "));
    }
    let fastest =
        if best.value > 1.0 { format!("{name}: it {}", beside_one(base, *best)) } else { format!("{base} itself") };
    format!(
        "Of {} variants, significantly faster than {base}: {wins}, significantly slower: {losses}, neither: {ties}. The fastest by the \
         geometric mean is {fastest}.",
        others.len()
    )
}

/// The geometric means of steps. A step is its base, its variant and the mean.
pub fn steps(steps: &[(&str, &str, Estimate)]) -> String {
    let best = steps.iter().max_by(|one, other| one.2.value.total_cmp(&other.2.value));
    let Some((base, name, best)) = best else { return String::new() };
    let Tally { wins, ties, losses } = significantly(steps.iter().map(|(_, _, estimate)| estimate));
    let count = pluralize(steps.len(), "step");
    format!(
        "Of {count}, time is significantly gained by {wins}, lost by {losses}, neither by {ties}. The largest gain by the \
         geometric mean is that of {name}: it {}.",
        beside_one(base, *best)
    )
}

/// The change to a base that costs most, and the one that gains most, by their geometric means.
pub fn changes(base: &str, changes: &[(&str, Estimate)]) -> String {
    if changes.is_empty() {
        return String::new();
    }
    let by_value = |one: &&(&str, Estimate), other: &&(&str, Estimate)| one.1.value.total_cmp(&other.1.value);
    let costs = changes.iter().filter(|(_, estimate)| significantly([estimate]).losses > 0).min_by(by_value);
    let gains = changes.iter().filter(|(_, estimate)| significantly([estimate]).wins > 0).max_by(by_value);
    let found = [(costs, "costs"), (gains, "gains")].into_iter().filter_map(|(change, verb)| Some((change?, verb)));
    let said: Vec<String> = found
        .map(|((name, estimate), verb)| format!("{name} {verb} most: it {}", beside_one(base, *estimate)))
        .collect();
    if said.is_empty() {
        return format!("By the geometric mean, no change of {base} significantly costs or gains time.");
    }
    format!("By the geometric mean, {}.", said.join("; "))
}

/// The geometric means of variants over all sets, and the fastest variant of each set.
pub fn on_sets(base: &str, others: &[(&str, Vec<Estimate>)], fastest: &[&str]) -> String {
    if others.is_empty() {
        return String::new();
    }
    let tallies: Vec<(Tally, usize)> =
        others.iter().map(|(_, estimates)| (significantly(estimates), estimates.len())).collect();
    let faster = tallies.iter().filter(|(tally, sets)| tally.wins == *sets).count();
    let slower = tallies.iter().filter(|(tally, sets)| tally.losses == *sets).count();
    let count = |name: &&str| fastest.iter().filter(|other| *other == name).count();
    let named = distinct(fastest.iter().copied());
    let named: Vec<String> =
        named.iter().map(|name| format!("{name} on {} of {}", count(name), fastest.len())).collect();
    format!(
        "Of {}, significantly faster than {base} on every set: {faster}, significantly slower on every set: {slower}. The \
         fastest by the geometric mean: {}.",
        pluralize(others.len(), "variant"),
        named.join(", ")
    )
}

/// The number of intervals in `tables`, and how many exclude 1, by chance and in fact; `None` without intervals.
pub fn of_all<'a>(tables: impl IntoIterator<Item = &'a Table>) -> Option<String> {
    let intervals: Vec<(f64, f64)> = tables.into_iter().flat_map(Table::intervals).collect();
    let excluding = intervals.iter().filter(|(low, high)| *low > 1.0 || *high < 1.0).count();
    let (count, by_chance) = (intervals.len(), (intervals.len() as f64 * 0.05).round());
    (count > 0).then(|| {
        format!(
            "Intervals of 95 %: {count}. If nothing differed, about {by_chance} of them would exclude 1 by chance; \
             {excluding} do."
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::{Cell, Subject};

    fn estimate(value: f64, low: f64, high: f64) -> Estimate {
        Estimate { value, interval: Some((low, high)) }
    }

    #[test]
    fn variants_are_counted_by_their_intervals() {
        let (up, down, none) = (estimate(2.0, 1.5, 2.5), estimate(0.5, 0.4, 0.6), estimate(1.0, 0.9, 1.1));
        let others = [("b", up), ("c", down), ("d", none)];
        assert_eq!(
            beside("a", &others),
            "By the geometric mean, b is 2.00 times faster than a (1.50 to 2.50); d cannot be told from a (1.00x, 0.900 to \
             1.10); c is 2.00 times slower than a (1.67 to 2.50)."
        );
        assert_eq!(
            beside("a", &others[1..]),
            "By the geometric mean, none is faster than a: d cannot be told from a (1.00x, 0.900 to 1.10); c is 2.00 times \
             slower than a (1.67 to 2.50)."
        );
        let many = [[("b", up), ("c", down)], [("d", none), ("e", none)], [("f", none), ("g", none)]].concat();
        let said = beside("a", &many);
        assert!(
            said.starts_with("Of 6 variants, significantly faster than a: 1, significantly slower: 1, neither: 4.")
        );
        assert!(said.ends_with("is b: it is 2.00 times faster than a (1.50 to 2.50)."), "{said}");
        assert!(beside("a", &[("c", down)].repeat(6)).ends_with("The fastest by the geometric mean is a itself."));
        assert!(
            changes("a", &others).contains("c costs most: it is 2.00 times slower than a (1.67 to 2.50); b gains most")
        );
        assert!(changes("a", &others[2..]).contains("no change"));
        assert!(steps(&[("a", "b", up), ("b", "c", down)]).contains("that of b: it is 2.00 times faster than a"));
        let said = on_sets("a", &[("b", vec![up, up, up]), ("c", vec![up, none])], &["c", "b", "b"]);
        assert!(said.contains("on every set: 1,") && said.contains("c on 1 of 3, b on 2 of 3"), "{said}");
        assert_eq!([beside("a", &[]), steps(&[]), changes("a", &[]), on_sets("a", &[], &[])], [""; 4]);
    }

    #[test]
    fn a_ratio_is_faster_slower_or_without_an_interval() {
        assert_eq!(beside_one("a", estimate(0.002, 0.001, 0.004)), "is 500 times slower than a (250 to 1,000)");
        let few = Estimate { value: 1.0, interval: None };
        assert_eq!(beside_one("a", few), "is as fast as a, too few for an interval");
    }

    #[test]
    fn intervals_are_counted() {
        let of = |intervals: Vec<(f64, f64)>| {
            let rows = intervals.into_iter().map(|(low, high)| vec![Cell::Interval { low, high }]).collect();
            of_all(&[Table { rows, ..Table::new("example", Subject::default(), "", "") }])
        };
        let said = of([(0.5, 0.9), (0.9, 1.1), (1.1, 1.2)].repeat(20)).unwrap();
        assert!(said.contains(": 60.") && said.contains("about 3") && said.contains("40 do"), "{said}");
        assert_eq!(of(Vec::new()), None);
    }
}
