//! The text of an explanation for a terminal.

use super::{Explanation, PlyRow};
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
        }
        if self.nodes > 0 {
            text += &self.anatomy();
        }
        for drawing in &self.drawings {
            let _ = write!(text, "\n{}", drawing.text());
        }
        text
    }

    /// The table of the ends of nodes, by stones on the board.
    fn anatomy(&self) -> String {
        let mut all = PlyRow::default();
        for row in &self.plies {
            (all.nodes, all.asked, all.known) = (all.nodes + row.nodes, all.asked + row.asked, all.known + row.known);
            row.ends.iter().for_each(|(end, count)| *all.ends.entry(end).or_default() += count);
        }
        let cells = |name: String, row: &PlyRow| {
            let ends = NodeEnd::ALL.map(|end| row.ends[end.name()]);
            let numbers = [row.nodes].into_iter().chain(ends).chain([row.asked, row.known]);
            [name].into_iter().chain(numbers.map(|number| grouped(&number.to_string()))).collect()
        };
        let mut rows: Vec<Vec<String>> = self.plies.iter().map(|row| cells(row.stones.to_string(), row)).collect();
        rows.push(cells("all".to_string(), &all));
        let heads = ["stones", "nodes"].into_iter().chain(NodeEnd::ALL.map(NodeEnd::name)).chain(["asked", "known"]);
        let list =
            TextTable { columns: heads.map(|title| Column::text(title, title)).collect(), rows, in_parts: false };
        let most = NodeEnd::ALL.into_iter().rev().max_by_key(|end| all.ends[end.name()]);
        let most = most.map_or(String::new(), |end| {
            let share = 100.0 * all.ends[end.name()] as f64 / all.nodes as f64;
            format!("Of 100 nodes {share:.0} were ended by: {}.\n", meaning(end))
        });
        format!(
            "\nNodes by stones on the board, by what ended them, and how often the table was asked and knew something:\n{}{most}",
            list.show(None)
        )
    }
}

fn nodes(count: u64) -> String {
    format!("{} node{}", grouped(&count.to_string()), if count == 1 { "" } else { "s" })
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
