//! The table of a ranking, and its conclusion.

use crate::ranking::{Ranked, Ranking};
use crate::stats::Estimate;
use crate::table::units::{time, times};
use crate::table::{Cell, Column, Subject, Table};
use crate::tables::conclusion;
use c4lab_measure::plan::experiment::TableState;

impl Ranking {
    /// The ranked variants, and below them those without a rank.
    pub fn table(&self) -> Table {
        let sets = match self.common.sets.as_slice() {
            [(set, _)] => set.clone(),
            sets => format!("{} sets", sets.len()),
        };
        let warm = if self.tt_state == TableState::Warm { ", warm tables" } else { "" };
        let run_time = if self.run_time { ", run at run time" } else { "" };
        let subject = Subject {
            set: Some(sets.clone()).filter(|_| self.common.sets.len() == 1),
            goal: Some(self.goal),
            apart: [warm, run_time].concat().strip_prefix(", ").map(str::to_string),
        };
        let title = format!("{sets}, {}{warm}{run_time}: all variants by their times", self.goal.name());
        let is_limited = self.ranked.iter().any(|ranked| ranked.limited > 0);
        let ratio = |of: Option<Estimate>| Cell::number(of.map(|estimate| estimate.value), times);
        let itself = Estimate { value: 1.0, interval: None };
        let mut table = Table::new("rank", subject, title, self.note(is_limited))
            .concluding(self.conclusion())
            .over(&self.ranked)
            .count("rank", "rank", |of| of.rank)
            .text("variant", "variant", |of| of.variant.clone())
            .when(is_limited, |table| table.count("limited", "limited", |of| of.limited))
            .number("mean time", "geometric_mean_ns", time, |of| Some(of.mean_ns))
            .column(Column::number(&format!("beside {}", self.base), "geometric_mean"), |of| {
                ratio(if of.variant == self.base { Some(itself) } else { of.beside_base })
            })
            .column(Column::interval("geometric_mean"), |of| match of.variant == self.base {
                true => Cell::Empty,
                false => Cell::interval_of(of.beside_base),
            })
            .number("fewer nodes", "node_ratio", times, |of| of.node_ratio)
            .column(Column::text("held against", "held_against"), |of| {
                of.beside_first.as_ref().map_or(Cell::Empty, |(first, _)| Cell::text(first))
            })
            .ratio("ratio", "ratio", |of| of.beside_first.as_ref()?.1)
            .when(!self.unranked.is_empty(), |table| {
                table.column(Column::text("why it has no rank", "reason"), |_| Cell::Empty)
            })
            .table;
        for (variant, reason) in &self.unranked {
            let mut row = vec![Cell::Empty; table.columns.len()];
            row[1] = Cell::text(variant);
            row[table.columns.len() - 1] = Cell::text(reason);
            table.rows.push(row);
        }
        table
    }

    fn note(&self, is_limited: bool) -> String {
        let common = &self.common;
        let of_sets: Vec<String> = common.sets.iter().map(|(set, count)| format!("{set} {count}")).collect();
        let mut note = format!(
            "Times are geometric means over the {} positions that all {} ranked variants have ({}): each position counts once, whatever its \
             set, and intervals are drawn within each set. A ratio is the time of {} divided by that of the variant: above 1 the variant is \
             faster. A variant shares the rank of the one that it is held against, unless it is surely slower: the whole interval of the \
             ratio of their times lies below 1. Then it is the first of the next rank.",
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
        if is_limited {
            note += " A position that reached a limit counts with twice the limit.";
        }
        note += " Fewer nodes: the ratio of the sums.";
        if self.ranked.iter().any(|ranked| ranked.node_ratio.is_none()) {
            note += " Nodes are compared only where they are counted alike: not those of two recursions, nor of a foreign program.";
        }
        note
    }

    fn conclusion(&self) -> String {
        let firsts: Vec<&str> =
            self.ranked.iter().filter(|of| of.rank == 1).map(|ranked| ranked.variant.as_str()).collect();
        let Some(fastest) = self.ranked.first() else { return String::new() };
        let mut text = match firsts.as_slice() {
            [only] => format!("{only} is the fastest of {}.", self.ranked.len()),
            several => format!(
                "Which of {} is the fastest of {} cannot be told; by the means it is {}.",
                several.join(", "),
                self.ranked.len(),
                fastest.variant
            ),
        };
        // The first that is surely slower; where none is, how the fastest does beside the base.
        let beside = |of: &Ranked, than: &str, ratio: Option<Estimate>| {
            Some(format!(" {} is {}.", of.variant, conclusion::beside_one(than, ratio?)))
        };
        let next = self.ranked.get(firsts.len()).and_then(|next| {
            let (than, ratio) = next.beside_first.as_ref()?;
            beside(next, than, *ratio)
        });
        text += &next.or_else(|| beside(fastest, &self.base, fastest.beside_base)).unwrap_or_default();
        if !self.unranked.is_empty() {
            let names: Vec<&str> = self.unranked.iter().map(|(name, _)| name.as_str()).collect();
            text += &format!(" Without a rank: {}.", names.join(", "));
        }
        text
    }
}
