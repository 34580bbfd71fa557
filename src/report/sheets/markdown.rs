//! Markdown: the ladder, and what tables in Markdown have in common.

use crate::sheets::units::{four_digits, time};
use crate::tables::summary::Line;
use c4lab_measure::counted::counted;
use c4lab_solver::search::Goal;
use comfy_table::{Table, presets};

/// Variants by sets: `mean time / mean nb pos`, for one goal. What a foreign program states of its nodes is told as its
/// own. In the order of `order`, or by name where that is empty.
pub fn ladder(lines: &[Line], goal: Goal, order: &[String]) -> String {
    let lines: Vec<&Line> = lines.iter().filter(|line| line.goal == goal).collect();
    let sets = distinct(lines.iter().map(|line| line.set.as_str()));
    let mut variants = distinct(lines.iter().map(|line| line.variant.as_str()));
    variants.sort_by_key(|name| (order.iter().position(|named| named == name), *name));
    let mut table = Table::new();
    table.load_style(presets::ASCII_MARKDOWN);
    table.set_header([&["variant"], sets.as_slice()].concat());
    for variant in variants {
        let cell = |set: &&str| {
            let line = lines.iter().find(|line| line.set == *set && line.variant == variant);
            line.map_or(String::new(), |line| match (line.mean_ns, line.mean_nodes, line.engine_nodes) {
                (Some(ns), Some(nodes), _) => format!("{} / {}", time(ns), four_digits(nodes)),
                (Some(ns), None, Some(nodes)) => format!("{} / own {}", time(ns), four_digits(nodes)),
                (Some(ns), None, None) => format!("{} / -", time(ns)),
                (None, ..) => String::new(),
            })
        };
        table.add_row([vec![variant.to_string()], sets.iter().map(cell).collect()].concat());
    }
    let limited: usize = lines.iter().map(|line| line.limited).sum();
    let said = match limited {
        0 => String::new(),
        count => format!(
            "\n{} of a variant reached a limit: twice the limit is in its mean time.\n",
            counted(count, "position")
        ),
    };
    aligned(&table.to_string()) + &said
}

/// Names in the order of first mention.
pub(crate) fn distinct<'a>(names: impl Iterator<Item = &'a str>) -> Vec<&'a str> {
    let mut distinct = Vec::new();
    names.for_each(|name| {
        if !distinct.contains(&name) {
            distinct.push(name);
        }
    });
    distinct
}

/// Right-aligns all columns but the first in Markdown.
pub(crate) fn aligned(table: &str) -> String {
    aligned_after(1, table)
}

/// Right-aligns all columns but so many in Markdown.
pub(crate) fn aligned_after(texts: usize, table: &str) -> String {
    let columns = table.lines().nth(1).map_or(0, |rule| rule.matches('|').count().saturating_sub(1));
    aligned_by(&(0..columns).map(|column| column < texts).collect::<Vec<_>>(), table)
}

/// Right-aligns in Markdown all columns that are not texts.
pub(crate) fn aligned_by(texts: &[bool], table: &str) -> String {
    let mut lines: Vec<String> = table.lines().map(|line| line.trim_end().to_string()).collect();
    if let Some(rule) = lines.get_mut(1) {
        let sides: String = texts.iter().map(|&text| if text { " --- |" } else { " ---: |" }).collect();
        *rule = format!("|{sides}");
    }
    lines.join("\n") + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::results::tests::results;
    use crate::tables::summary::summarise;
    use c4lab_measure::fixtures::sample;

    fn lines() -> Vec<Line> {
        let rows = [sample("a", 1, 4420, 51), sample("b", 1, 2210, 25)];
        summarise(&results(&rows, &["a", "b"]), 1)
    }

    #[test]
    fn a_ladder_has_a_column_a_set() {
        let text = ladder(&lines(), Goal::Strong, &[]);
        assert_eq!(text.lines().count(), 4);
        assert!(text.contains("4.42 us / 51.00"), "{text}");
        assert_eq!(ladder(&lines(), Goal::Weak, &[]).lines().count(), 2);
        let first = |order: &[String]| {
            ladder(&lines(), Goal::Strong, order).lines().nth(2).unwrap_or_default()[2..3].to_string()
        };
        assert_eq!((first(&[]), first(&["b", "a"].map(str::to_string))), ("a".to_string(), "b".to_string()));
    }
}
