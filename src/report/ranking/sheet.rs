//! The table of a ranking, and what it says in a sentence.

use crate::ranking::{Ranked, Ranking};
use crate::stats::Estimate;
use crate::table::units::{time, times};
use crate::table::{Cell, Column, Subject, Table};
use crate::tables::conclusion;
use c4lab_measure::plan::table_state::TableState;

impl Ranking {
    /// The table: the ranked variants, and below them those without a rank.
    pub fn sheet(&self) -> Table {
        let common = &self.common;
        let sets = match common.sets.as_slice() {
            [(set, _)] => set.clone(),
            sets => format!("{} sets", sets.len()),
        };
        let warm = if self.tt_state == TableState::Warm { ", warm tables" } else { "" };
        let run_time = if self.run_time { ", run at run time" } else { "" };
        let limited = self.ranked.iter().any(|ranked| ranked.limited > 0);
        let remarks = !self.unranked.is_empty();
        let columns = [
            Some(Column::number("rank", "rank")),
            Some(Column::text("variant", "variant")),
            limited.then(|| Column::number("limited", "limited")),
            Some(Column::number("mean time", "geometric_mean_ns")),
            Some(Column::number(&format!("beside {}", self.base), "geometric_mean")),
            Some(Column::interval("geometric_mean")),
            Some(Column::number("fewer nodes", "node_ratio")),
            Some(Column::text("held against", "held_against")),
            Some(Column::number("ratio", "ratio")),
            Some(Column::interval("ratio")),
            remarks.then(|| Column::text("why it has no rank", "reason")),
        ];
        let ranked = self.ranked.iter().map(|of| row(of, of.variant == self.base, limited, remarks));
        let unranked = self.unranked.iter().map(|(variant, reason)| {
            let mut row = vec![Cell::Empty; columns.iter().flatten().count()];
            row[1] = Cell::text(variant);
            row.pop();
            row.push(Cell::text(reason));
            row
        });
        Table {
            name: "rank",
            subject: Subject {
                set: Some(sets.clone()).filter(|_| common.sets.len() == 1),
                goal: Some(self.goal),
                apart: [warm, run_time].concat().strip_prefix(", ").map(str::to_string),
            },
            title: format!("{sets}, {}{warm}{run_time}: all variants by their times", self.goal.name()),
            note: self.note(limited),
            conclusion: self.conclusion(),
            rows: ranked.chain(unranked).collect(),
            columns: columns.into_iter().flatten().collect(),
        }
    }

    /// How it is read.
    fn note(&self, limited: bool) -> String {
        let common = &self.common;
        let of_sets: Vec<String> = common.sets.iter().map(|(set, count)| format!("{set} {count}")).collect();
        let mut note = format!(
            "Times are geometric means over the {} positions that all {} ranked variants have ({}): each position counts \
             once, whatever its set, and intervals are drawn within each set. A ratio is the time of {} divided by that of the variant: above \
             1 the variant is faster. A variant shares the rank of the one that it is held against, unless it is \
             surely slower: the whole interval of the ratio of their times lies below 1. Then it is the first of the next rank.",
            common.positions(),
            self.ranked.len(),
            of_sets.join(", "),
            self.base,
        );
        if common.left_out > 0 {
            let fewest = common.fewest.as_ref().map_or(String::new(), |(name, count)| format!(": {name} has {count}"));
            note += &format!(" Not counted: {} positions that not all of them have{fewest}.", common.left_out);
        }
        if common.short > 0 {
            note += &format!(
                " Not counted: {} positions with a short time, below 20 resolutions of the clock.",
                common.short
            );
        }
        if limited {
            note += " A position that reached a limit counts with twice the limit.";
        }
        note += " Fewer nodes: the ratio of the sums.";
        if self.ranked.iter().any(|ranked| ranked.node_ratio.is_none()) {
            note += " Nodes are compared only where they are counted alike: not those of two recursions, nor of a foreign program.";
        }
        note
    }

    /// What it says in a sentence.
    fn conclusion(&self) -> String {
        let count = self.ranked.iter().filter(|ranked| ranked.rank == 1).count();
        let (firsts, rest) = self.ranked.split_at(count);
        let Some(fastest) = firsts.first() else { return String::new() };
        let beside = |of: &Ranked, than: &str, ratio: Option<Estimate>| {
            Some(format!(" {} is {}.", of.variant, conclusion::beside_one(than, ratio?)))
        };
        let said = match firsts {
            [only] => format!("{} is the fastest of {}.", only.variant, self.ranked.len()),
            several => {
                let names: Vec<&str> = several.iter().map(|ranked| ranked.variant.as_str()).collect();
                format!(
                    "Which of {} is the fastest of {} cannot be told; by the means it is {}.",
                    names.join(", "),
                    self.ranked.len(),
                    fastest.variant
                )
            }
        };
        // The first that is surely slower; where nobody is, how the fastest does beside the base.
        let next = rest.first().and_then(|next| {
            let (than, ratio) = next.beside_first.as_ref()?;
            beside(next, than, *ratio)
        });
        let base = || beside(fastest, &self.base, fastest.beside_base);
        let next = next.or_else(base).unwrap_or_default();
        let unranked: Vec<&str> = self.unranked.iter().map(|(name, _)| name.as_str()).collect();
        let without =
            if unranked.is_empty() { String::new() } else { format!(" Without a rank: {}.", unranked.join(", ")) };
        format!("{said}{next}{without}")
    }
}

fn row(ranked: &Ranked, is_base: bool, limited: bool, remarks: bool) -> Vec<Cell> {
    let ratio = |estimate: Option<Estimate>| Cell::number(estimate.map(|estimate| estimate.value), times);
    let beside = if is_base { Some(Estimate { value: 1.0, interval: None }) } else { ranked.beside_base };
    let (held, first) = match &ranked.beside_first {
        Some((first, held)) => (*held, Cell::text(first)),
        None => (None, Cell::Empty),
    };
    let cells = [
        Some(Cell::count(ranked.rank)),
        Some(Cell::text(&ranked.variant)),
        limited.then(|| Cell::count(ranked.limited)),
        Some(Cell::number(Some(ranked.mean_ns), time)),
        Some(ratio(beside)),
        Some(if is_base { Cell::Empty } else { Cell::interval_of(ranked.beside_base) }),
        Some(Cell::number(ranked.node_ratio, times)),
        Some(first),
        Some(ratio(held)),
        Some(Cell::interval_of(held)),
        remarks.then_some(Cell::Empty),
    ];
    cells.into_iter().flatten().collect()
}
