//! Explanation of a search by any variant: the questions at the root and their answers, the ends of the nodes, the
//! reason for a score without a search, and the squares that the variant sees.
//!
//! `text.rs` formats it for a terminal. Programs and the page of `c4lab serve` get it as JSON.

pub mod drawing;
mod text;
mod without_search;

use crate::score_words::{mover_name, opponent_name, sentence};
use c4lab_solver::axes::Axis;
use c4lab_solver::game::Position;
use c4lab_solver::game::score::Score;
use c4lab_solver::search::{
    Goal, Limits, Name, NodeEnd, Options, Place, PlyCounts, Proven, RootWindow, Stopped, View, registry,
};
use drawing::Drawing;
use serde::Serialize;
use std::collections::BTreeMap;

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Explanation {
    pub variant: String,
    pub score: Score,
    pub nodes: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub without_search: Option<String>,
    pub questions: Vec<RootQuestion>,
    /// The ends of the nodes, by stones on the board. Numbers of stones without nodes are left out.
    pub plies: Vec<PlyRow>,
    /// The squares that ended the search, and the squares that the variant sees before it searches.
    pub drawings: Vec<Drawing>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct RootQuestion {
    pub alpha: Score,
    pub beta: Score,
    /// The answer: the score if it lies between `alpha` and `beta`, else a bound. `None` if the question was put off.
    pub value: Option<Score>,
    pub nodes: u64,
    pub ended_by: Option<&'static str>,
    pub asked: String,
    pub proved: String,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct PlyRow {
    pub stones: u32,
    pub nodes: u64,
    /// The number of nodes by the names of their ends.
    #[serde(flatten)]
    pub ends: BTreeMap<&'static str, u64>,
    pub asked: u64,
    pub known: u64,
}

/// Solves `position` with counters, and explains the search.
pub fn explained(
    (name, options): (&Name, &Options),
    (position, goal): (&Position, Goal),
    limits: &Limits<'_>,
) -> anyhow::Result<Result<Explanation, Stopped>> {
    // Only a search of one thread can be explained.
    let name = &name.with_one_thread();
    let mut solver = name.build_counted(options)?;
    let solved = match solver.solve(position, goal, limits) {
        Ok(solved) => solved,
        Err(stopped) => return Ok(Err(stopped)),
    };
    let mut drawings = Vec::new();
    let mut without_search = None;
    if solver.windows().is_empty() {
        let (said, proven) = without_search::reason(position, name.spec(), solved.score);
        without_search = Some(sentence(&said));
        drawings.extend(proven.map(|proven| of_proof(position, "The score", &proven)));
    } else {
        drawings.extend(proofs(solver.windows(), name, position));
    }
    let view = if position.is_over() { None } else { registry::view(name.spec(), position) };
    drawings.extend(view.and_then(|view| of_view(position, &view)));
    Ok(Ok(Explanation {
        variant: name.text().to_string(),
        score: solved.score,
        nodes: solved.nodes,
        without_search,
        questions: questions(solver.windows()),
        plies: (0..).zip(solver.anatomy()).filter(|(_, counts)| counts.nodes > 0).map(PlyRow::of).collect(),
        drawings,
    }))
}

impl PlyRow {
    fn of((stones, counts): (u32, &PlyCounts)) -> Self {
        let ends = NodeEnd::ALL.into_iter().map(|end| (end.name(), counts.ends[end as usize])).collect();
        PlyRow { stones, nodes: counts.nodes, ends, asked: counts.probes, known: counts.hits }
    }
}

/// The questions at the root, each with its answer.
fn questions(windows: &[RootWindow]) -> Vec<RootQuestion> {
    let before = [0].into_iter().chain(windows.iter().map(|window| window.nodes));
    let question = |(window, before): (&RootWindow, u64)| {
        let RootWindow { alpha, beta, value, nodes, end } = *window;
        let asked = match beta == alpha + 1 {
            true => format!("is it above {alpha}?"),
            false => format!("what is it between {alpha} and {beta}?"),
        };
        let proved = match value {
            None => "put off".to_string(),
            Some(value) if value <= alpha => format!("no, at most {value}"),
            Some(value) if value >= beta => format!("yes, at least {value}"),
            Some(value) => format!("{value}"),
        };
        RootQuestion { alpha, beta, value, nodes: nodes - before, ended_by: end.map(NodeEnd::name), asked, proved }
    };
    windows.iter().zip(before).map(question).collect()
}

/// Drawings of the squares that ended questions. Consecutive questions with equal squares share a drawing.
fn proofs(windows: &[RootWindow], name: &Name, position: &Position) -> Vec<Drawing> {
    let mut found: Vec<(Vec<usize>, Proven)> = Vec::new();
    for (number, window) in (1..).zip(windows) {
        let may_be = matches!(window.end, Some(NodeEnd::Zugzwang | NodeEnd::Forced));
        let Some(value) = window.value else { continue };
        let (is_above, is_below) = (value >= window.beta, value <= window.alpha);
        if !may_be || !(is_above || is_below) {
            continue;
        }
        let alpha = if is_above { window.beta - 1 } else { window.alpha };
        let Some(proven) = registry::proven(name.spec(), position, alpha, is_above) else { continue };
        match found.last_mut() {
            Some((numbers, last))
                if (&last.moves, last.rule, &last.line) == (&proven.moves, proven.rule, &proven.line) =>
            {
                numbers.push(number);
            }
            _ => found.push((vec![number], proven)),
        }
    }
    let title = |numbers: &[usize]| {
        let shown: Vec<String> = numbers.iter().map(usize::to_string).collect();
        format!("Question{} {}", if shown.len() == 1 { "" } else { "s" }, shown.join(", "))
    };
    found.iter().map(|(numbers, proven)| of_proof(position, &title(numbers), proven)).collect()
}

fn of_proof(position: &Position, what: &str, proven: &Proven) -> Drawing {
    let after = drawing::after(position, &proven.moves);
    let (mover, opponent) = (mover_name(&after), opponent_name(&after));
    let behind = match drawing::line(&proven.moves) {
        line if line.is_empty() => String::new(),
        line => format!("after {line}, "),
    };
    let title = format!(
        "{what}: {behind}{mover} scores at most {}. Rule {}: {}.",
        proven.most,
        proven.rule.value(),
        proven.rule.about()
    );
    let mut drawing = Drawing::of(title, &after);
    drawing.mark(&proven.beyond, '-', || format!("out of reach of {mover}"));
    drawing.mark(&proven.claimed, 'c', || format!("claimed: {opponent} is sure to get it"));
    drawing.mark(&proven.threats, 'T', || format!("a threat of {opponent}, where a column ends"));
    let own: Vec<_> = proven.line.iter().copied().filter(|place| proven.claimed.contains(place)).collect();
    drawing.mark(&own, '*', || format!("claimed, and completes a four of {opponent}"));
    drawing
}

/// Draws the squares that a variant sees before it searches; `None` if there are none.
fn of_view(position: &Position, view: &View) -> Option<Drawing> {
    let after = drawing::after(position, &view.forced);
    let (mover, opponent) = (mover_name(&after), opponent_name(&after));
    let behind = match drawing::line(&view.forced) {
        line if line.is_empty() => String::new(),
        line => format!(" After {line}, which is forced:"),
    };
    let mut drawing = Drawing::of(format!("What it sees before it searches.{behind}"), &after);
    drawing.mark(&view.wins, '+', || format!("completes a four of {mover}"));
    drawing.mark(&view.threats, '!', || format!("completes a four of {opponent}"));
    let is_threat = |place: &&Place| view.threats.contains(place);
    let left_out: Vec<Place> = view.left_out.iter().filter(|place| !is_threat(place)).copied().collect();
    drawing.mark(&left_out, '-', || format!("not tried: {opponent} would win at once"));
    if view.is_ordered {
        drawing.number(&view.moves, "moves in the order in which they are tried");
    } else {
        drawing.mark(&view.moves, 'm', || "a move to search".to_string());
    }
    if !view.makes.is_empty() {
        let counts: Vec<String> = view.makes.iter().map(u32::to_string).collect();
        drawing.note =
            Some(format!("The number of threats that each move makes, in this order: {}.", counts.join(" ")));
    }
    (!drawing.marks.is_empty()).then_some(drawing)
}
