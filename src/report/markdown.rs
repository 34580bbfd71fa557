//! Summaries as tables for people: on a terminal, and in Markdown.

use super::summary::Line;
use super::units::{four_digits, time};
use crate::solve::Goal;
use comfy_table::{CellAlignment, Table, presets};

const HEADER: [&str; 10] = [
    "variant",
    "positions",
    "ok",
    "wrong",
    "limited",
    "mean time",
    "mean nb pos",
    "K pos/s",
    "speed-up",
    "95 % interval",
];

/// One table a set and goal, with its title.
pub fn tables(lines: &[Line]) -> Vec<(String, Table)> {
    let mut tables: Vec<(String, Table)> = Vec::new();
    for line in lines {
        let title = format!("{}, {}", line.set, line.goal.name());
        if tables.last().is_none_or(|(last, _)| *last != title) {
            let mut table = Table::new();
            table.load_style(presets::NOTHING).set_header(HEADER);
            tables.push((title, table));
        }
        if let Some((_, table)) = tables.last_mut() {
            table.add_row(cells(line));
        }
    }
    for (_, table) in &mut tables {
        table.column_iter_mut().skip(1).for_each(|column| column.set_cell_alignment(CellAlignment::Right));
    }
    tables
}

fn cells(line: &Line) -> Vec<String> {
    let shown = |value: Option<f64>, show: fn(f64) -> String| value.map_or("-".to_string(), show);
    let interval = line.speedup_low.zip(line.speedup_high);
    vec![
        line.variant.clone(),
        line.positions.to_string(),
        line.ok.to_string(),
        line.wrong.to_string(),
        line.limited.to_string(),
        shown(line.mean_ns, time),
        shown(line.mean_nodes, four_digits),
        shown(line.nodes_per_s, |rate| four_digits(rate / 1e3)),
        shown(line.speedup, |ratio| format!("{}x", four_digits(ratio))),
        interval.map_or("-".to_string(), |(low, high)| format!("{} to {}", four_digits(low), four_digits(high))),
    ]
}

/// The tables for a terminal. The first variant of each is the one that the others are compared with.
pub fn terminal(lines: &[Line]) -> String {
    let table = |(title, table): (String, Table)| format!("{title}\n{}\n", table.to_string().trim_end());
    tables(lines).into_iter().map(table).collect::<Vec<_>>().join("\n")
}

/// The same tables in Markdown.
pub fn markdown(lines: &[Line]) -> String {
    let table = |(title, mut table): (String, Table)| {
        table.load_style(presets::ASCII_MARKDOWN);
        format!("**{title}**\n\n{}\n", aligned(&table.to_string()))
    };
    tables(lines).into_iter().map(table).collect::<Vec<_>>().join("\n")
}

/// Variants by sets: `mean time / mean nb pos`, for one goal.
pub fn ladder(lines: &[Line], goal: Goal) -> String {
    let lines: Vec<&Line> = lines.iter().filter(|line| line.goal == goal).collect();
    let sets = distinct(lines.iter().map(|line| line.set.as_str()));
    let mut variants = distinct(lines.iter().map(|line| line.variant.as_str()));
    variants.sort_unstable();
    let mut table = Table::new();
    table.load_style(presets::ASCII_MARKDOWN);
    table.set_header([&["variant"], sets.as_slice()].concat());
    for variant in variants {
        let cell = |set: &&str| {
            let line = lines.iter().find(|line| line.set == *set && line.variant == variant);
            let numbers = line.and_then(|line| Some((line.mean_ns?, line.mean_nodes?)));
            numbers.map_or(String::new(), |(ns, nodes)| format!("{} / {}", time(ns), four_digits(nodes)))
        };
        table.add_row([vec![variant.to_string()], sets.iter().map(cell).collect()].concat());
    }
    aligned(&table.to_string())
}

/// Names in the order of first mention.
pub(super) fn distinct<'a>(names: impl Iterator<Item = &'a str>) -> Vec<&'a str> {
    let mut distinct = Vec::new();
    names.for_each(|name| {
        if !distinct.contains(&name) {
            distinct.push(name);
        }
    });
    distinct
}

/// Right-aligns all columns but the first in Markdown.
pub(super) fn aligned(table: &str) -> String {
    aligned_after(1, table)
}

/// Right-aligns all columns but so many in Markdown.
pub(super) fn aligned_after(texts: usize, table: &str) -> String {
    let columns = table.lines().nth(1).map_or(0, |rule| rule.matches('|').count().saturating_sub(1));
    aligned_by(&(0..columns).map(|column| column < texts).collect::<Vec<_>>(), table)
}

/// Right-aligns in Markdown all columns that are not texts.
pub(super) fn aligned_by(texts: &[bool], table: &str) -> String {
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
    use crate::lab::folder::tests::sample;
    use crate::report::results::tests::results;
    use crate::report::summary::summarise;

    fn lines() -> Vec<Line> {
        let rows = [sample("a", 1, 4420, 51), sample("b", 1, 2210, 25)];
        summarise(&results(&rows, &["a", "b"]), 1)
    }

    #[test]
    fn a_table_in_markdown() {
        let text = markdown(&lines());
        let rows: Vec<&str> = text.lines().collect();
        assert_eq!(rows[0], "**s, strong**");
        assert!(rows[2].starts_with("| variant | positions |"), "{text}");
        assert!(rows[3].starts_with("| --- | ---: |"), "{text}");
        assert!(rows[5].starts_with("| b") && rows[5].contains("2.210 us") && rows[5].contains("2.000x"), "{text}");
    }

    #[test]
    fn a_ladder_has_a_column_a_set() {
        let text = ladder(&lines(), Goal::Strong);
        assert_eq!(text.lines().count(), 4);
        assert!(text.contains("4.420 us / 51.00"), "{text}");
        assert_eq!(ladder(&lines(), Goal::Weak).lines().count(), 2);
    }
}
