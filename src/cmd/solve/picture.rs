//! An answer for people: the board, the score in words, the best column, and the scores of all columns where they are cheap.

use c4lab_cli::drawing::{self, Paint};
use c4lab_report::score_words::{columns, in_words, sentence, turn};
use c4lab_report::table::units::{grouped, time};
use c4lab_solver::game::Position;
use c4lab_solver::game::notation::{column_named, name_of_column};
use c4lab_solver::game::score::Score;
use c4lab_solver::search::{Goal, Limits, Solve, Stopped, analysis};

/// Nodes that all columns together may take where nobody asked for their scores: some tenths of a second.
const CHEAP: u64 = 2_000_000;

/// What else is shown of a position whose score is known.
pub(super) struct Extra {
    pub(super) scores: Option<Vec<Option<Score>>>,
    /// The best columns: all of them where the scores are known, else the one nearest to the centre.
    best: Vec<u32>,
}

impl Extra {
    /// What is found with scores that are known, or may be cheap.
    pub(super) fn of(
        solver: &mut dyn Solve,
        (position, goal, score): (&Position, Goal, Score),
        known: Option<&Vec<Option<Score>>>,
        limits: &Limits<'_>,
    ) -> Self {
        if position.is_over() {
            return Extra { scores: None, best: Vec::new() };
        }
        let scores = known.cloned().or_else(|| cheap(solver, position, goal, limits).ok());
        let best = match &scores {
            Some(scores) => {
                let most = scores.iter().copied().flatten().max();
                (0..position.size().width()).filter(|&column| scores[column as usize] == most).collect()
            }
            None => analysis::best_move(solver, position, goal, score, limits).into_iter().collect(),
        };
        Extra { scores, best }
    }
}

/// The score of every column, if that takes few nodes.
fn cheap(
    solver: &mut dyn Solve,
    position: &Position,
    goal: Goal,
    limits: &Limits<'_>,
) -> Result<Vec<Option<Score>>, Stopped> {
    let mut left = CHEAP.min(limits.nodes.unwrap_or(CHEAP));
    let mut score = |column| {
        let mut child = position.clone();
        if child.play(column).is_err() {
            return Ok(None);
        }
        let solved = solver.solve(&child, goal, &Limits { nodes: Some(left), ..*limits })?;
        left = left.saturating_sub(solved.nodes);
        Ok(Some(-solved.score))
    };
    (0..position.size().width()).map(&mut score).collect()
}

pub(super) struct DrawnAnswer<'a> {
    pub(super) position: &'a Position,
    pub(super) goal: Goal,
    pub(super) score: Score,
    pub(super) nodes: u64,
    pub(super) microseconds: u128,
    pub(super) extra: &'a Extra,
    /// The line of best play, if it was asked for and found.
    pub(super) line: Option<&'a str>,
}

impl DrawnAnswer<'_> {
    pub(super) fn show(&self, paint: Paint) -> String {
        let DrawnAnswer { position, goal, score, extra, .. } = self;
        let mut text = drawing::board(position, extra.scores.as_deref(), paint);
        text.push('\n');
        if position.is_over() {
            return text + &paint.strong(&sentence(&turn(position))) + "\n";
        }
        let said = paint.strong(&in_words(position, *score, *goal));
        text += &format!("{} Score {score}: {said}.\n", sentence(&turn(position)));
        match &extra.best[..] {
            [] => {}
            [one] => text += &format!("Best column: {}.\n", paint.strong(&name_of_column(*one).to_string())),
            several => text += &format!("Best columns: {}.\n", paint.strong(&columns(several))),
        }
        if let Some(line) = self.line.filter(|line| !line.is_empty()) {
            text += &self.end_of(line, paint);
        }
        text + &self.effort()
    }

    fn effort(&self) -> String {
        if self.nodes == 0 {
            return "0 nodes: the score is seen without a search.\n".to_string();
        }
        let (nodes, took) = (grouped(&self.nodes.to_string()), time(self.microseconds.max(1) as f64 * 1e3));
        format!("{nodes} node{} in {took}.\n", if self.nodes == 1 { "" } else { "s" })
    }

    /// A line of best play, and the board that it ends with.
    fn end_of(&self, line: &str, paint: Paint) -> String {
        let mut end = self.position.clone();
        let played = line.chars().all(|name| column_named(name).is_some_and(|column| end.play(column).is_ok()));
        debug_assert!(played, "a line of best play can be played");
        let board = drawing::board(&end, None, paint);
        format!("Best play: {line}. Then {}:\n\n{board}\n", turn(&end))
    }
}
