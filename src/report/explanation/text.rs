//! An explanation as a terminal shows it.

use super::{Explanation, PlyRow, RootQuestion};
use crate::table::Column;
use crate::table::text::TextTable;
use crate::table::units::grouped;
use c4lab_solver::search::NodeEnd;
use std::fmt::Write;

impl Explanation {
    pub fn text(&self) -> String {
        let mut text = format!("How {} found the score {}:\n", self.variant, self.score);
        self.without_search.iter().for_each(|said| text += &format!("  {said}\n"));
        for (number, question) in (1..).zip(&self.questions) {
            let (asked, proved, nodes) = (&question.asked, &question.proved, nodes(question.nodes));
            let by = match (question.value, question.ended_by) {
                (None, _) => String::new(),
                (_, by) => format!("by {}", by.unwrap_or("search")),
            };
            let _ = writeln!(text, "  question {number}: {asked:<32} {proved:<18} {by:<13} {nodes}");
        }
        if !self.questions.is_empty() {
            let _ = writeln!(text, "  So it is {}.", self.score);
            text += &self.narrowing();
        }
        if self.nodes > 0 {
            text += &self.anatomy();
        }
        for drawing in &self.drawings {
            let _ = write!(text, "\n{}", drawing.text());
        }
        text + &self.bits()
    }

    /// What each of several questions left of the scores that questions asked about: a letter a score, `=` for what may still be.
    fn narrowing(&self) -> String {
        let bounds = self.questions.iter().flat_map(|it| [it.alpha, it.beta].into_iter().chain(it.value));
        let (Some(low), Some(high)) = (bounds.clone().min(), bounds.max()) else { return String::new() };
        if self.questions.len() < 2 {
            return String::new();
        }
        let mut text = format!("  What each question left of the scores from {low} to {high}:\n");
        let (mut least, mut most) = (low, high);
        for (number, RootQuestion { alpha, beta, value, .. }) in (1..).zip(&self.questions) {
            if let Some(value) = value.filter(|value| value > alpha) {
                least = least.max(value);
            }
            if let Some(value) = value.filter(|value| value < beta) {
                most = most.min(value);
            }
            let scale: String =
                (low..=high).map(|score| if (least..=most).contains(&score) { '=' } else { '.' }).collect();
            let _ = writeln!(text, "    {number:>2}  {scale}");
        }
        text
    }

    /// What became of the nodes, by the stones on their boards.
    fn anatomy(&self) -> String {
        let mut rows: Vec<Vec<String>> = self.plies.iter().map(|row| cells(&row.stones.to_string(), row)).collect();
        let all = self.plies.iter().fold(NOTHING, sum);
        rows.push(cells("all", &all));
        let ends = NodeEnd::ALL.map(NodeEnd::name);
        let heads = ["stones", "nodes"].into_iter().chain(ends).chain(["asked", "known"]);
        let list =
            TextTable { columns: heads.map(|title| Column::text(title, title)).collect(), rows, in_parts: false };
        let most = NodeEnd::ALL.into_iter().rev().max_by_key(|end| all.ends()[*end as usize]);
        let most = most.map_or(String::new(), |end| {
            let share = 100.0 * all.ends()[end as usize] as f64 / all.nodes as f64;
            format!("Of 100 nodes {share:.0} were ended by: {}.\n", meaning(end))
        });
        format!(
            "\nNodes by stones on the board, by what ended them, and how often the table was asked and knew something:\n{}{most}",
            list.show(None)
        )
    }

    /// The words that the board is stored in, side by side.
    fn bits(&self) -> String {
        let Some(lines) = self.words.iter().map(|word| word.rows.len()).max() else { return String::new() };
        let mut text = "\nThe board in words, a bit a square".to_string();
        text +=
            if self.words.iter().any(|word| word.name == "key") { "; the table knows it by the key:\n" } else { ":\n" };
        let mut put = |cells: Vec<String>| {
            let line: String = cells.iter().map(|cell| format!("  {cell:<18}")).collect();
            let _ = writeln!(text, "{}", line.trim_end());
        };
        put(self.words.iter().map(|word| word.name.to_string()).collect());
        for line in 0..lines {
            // A key may have a row above the board.
            let row =
                |word: &super::BitWord| (line + word.rows.len()).checked_sub(lines).map(|at| word.rows[at].clone());
            put(self.words.iter().map(|word| row(word).unwrap_or_default()).collect());
        }
        put(self.words.iter().map(|word| word.value.clone()).collect());
        text
    }
}

fn nodes(count: u64) -> String {
    format!("{} node{}", grouped(&count.to_string()), if count == 1 { "" } else { "s" })
}

const NOTHING: PlyRow =
    PlyRow { stones: 0, nodes: 0, win: 0, forced: 0, zugzwang: 0, bound: 0, table: 0, search: 0, asked: 0, known: 0 };

fn sum(all: PlyRow, row: &PlyRow) -> PlyRow {
    PlyRow {
        stones: 0,
        nodes: all.nodes + row.nodes,
        win: all.win + row.win,
        forced: all.forced + row.forced,
        zugzwang: all.zugzwang + row.zugzwang,
        bound: all.bound + row.bound,
        table: all.table + row.table,
        search: all.search + row.search,
        asked: all.asked + row.asked,
        known: all.known + row.known,
    }
}

fn cells(what: &str, row: &PlyRow) -> Vec<String> {
    let numbers = [row.nodes].into_iter().chain(row.ends()).chain([row.asked, row.known]);
    [what.to_string()].into_iter().chain(numbers.map(|number| grouped(&number.to_string()))).collect()
}

fn meaning(end: NodeEnd) -> &'static str {
    match end {
        NodeEnd::Win => "a win or a loss that is seen without a search",
        NodeEnd::Forced => "forced replies that were played out",
        NodeEnd::Zugzwang => "squares that one side is sure to get",
        NodeEnd::Bound => "the number of stones alone",
        NodeEnd::Table => "a bound that the table knew",
        NodeEnd::Search => "a search of their moves",
    }
}
