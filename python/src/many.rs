//! Many positions at once: threads, each with a solver of its own, take them in pieces.

use crate::asked::Asked;
use crate::position::read;
use c4lab_solver::game::{BoardSize, Position};
use c4lab_solver::search::{Solve, Stopped, analysis};
use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;

/// The value for no score: a column that cannot be played, or a search that reached its limit.
pub(crate) const NO_SCORE: i8 = i8::MIN;

/// The most positions that a thread takes at once.
const MOST_AT_ONCE: usize = 256;

/// Positions from Python.
pub(crate) enum Batch<'a> {
    /// Moves.
    Lines(Vec<&'a str>, BoardSize),
    /// One byte for each square.
    Grids(&'a [u8], BoardSize),
}

impl<'a> Batch<'a> {
    /// Lines of text, or grids of a board.
    pub(crate) fn new(bytes: &'a [u8], grids: bool, board: BoardSize) -> Result<Self, String> {
        if grids {
            let cells = board.cells() as usize;
            let whole = bytes.len().is_multiple_of(cells);
            return whole
                .then_some(Batch::Grids(bytes, board))
                .ok_or_else(|| format!("{} squares are no boards of {board}", bytes.len()));
        }
        let text = std::str::from_utf8(bytes).map_err(|error| error.to_string())?;
        // Every line has a line end, so that an empty line is a position, too.
        Ok(Batch::Lines(text.split_terminator('\n').collect(), board))
    }

    /// The number of positions.
    pub(crate) fn len(&self) -> usize {
        match self {
            Batch::Lines(lines, _) => lines.len(),
            Batch::Grids(bytes, board) => bytes.len() / board.cells() as usize,
        }
    }

    /// The position at `index`, or an error message.
    fn position(&self, index: usize) -> Result<Position, String> {
        match self {
            Batch::Lines(lines, board) => read(*board, lines[index]).map_err(|reason| {
                let shown: String = lines[index].chars().take(80).collect();
                format!("position {index} ({shown:?}): {reason}")
            }),
            Batch::Grids(bytes, board) => {
                let cells = board.cells() as usize;
                let cells: Vec<i8> = bytes[index * cells..][..cells].iter().map(|byte| byte.cast_signed()).collect();
                Position::from_grid(*board, &cells).map_err(|reason| format!("position {index}: {reason}"))
            }
        }
    }

    /// The number of scores of a position.
    fn width(&self) -> usize {
        match self {
            Batch::Lines(_, board) | Batch::Grids(_, board) => board.width() as usize,
        }
    }
}

/// The question about each position.
pub(crate) struct Work<'a> {
    pub(crate) batch: Batch<'a>,
    /// True for the scores of all columns, false for the score of the position.
    pub(crate) columns: bool,
    pub(crate) asked: Asked,
}

/// The answers, in the order of the positions.
#[derive(Debug, Default)]
pub(crate) struct Answers {
    pub(crate) scores: Vec<i8>,
    /// Empty for the scores of columns.
    pub(crate) nodes: Vec<u64>,
}

/// The index of a bad position, and the error message.
type Wrong = (usize, String);

/// Answers all positions, or returns the error of the first bad one that was met. If the flag was set, answers are
/// missing.
pub(crate) fn answers(work: &Work<'_>, solvers: &mut [Box<dyn Solve>], stop: &AtomicBool) -> Result<Answers, String> {
    let next = AtomicUsize::new(0);
    let (share, end) = (work.batch.len().div_ceil(solvers.len() * 8), AtomicBool::new(false));
    let at_once = share.clamp(1, MOST_AT_ONCE);
    let take = || {
        let start = next.fetch_add(at_once, Ordering::Relaxed);
        let over = stop.load(Ordering::Relaxed) || end.load(Ordering::Relaxed) || start >= work.batch.len();
        (!over).then(|| start..work.batch.len().min(start + at_once))
    };
    let run = |solver: &mut dyn Solve| {
        let mut done = Vec::new();
        while let Some(range) = take() {
            match work.piece(range.clone(), solver, stop) {
                Ok(answers) => done.push((range.start, answers)),
                Err(wrong) => {
                    end.store(true, Ordering::Relaxed);
                    return Err(wrong);
                }
            }
        }
        Ok(done)
    };
    let ends: Vec<Result<Vec<(usize, Answers)>, Wrong>> = thread::scope(|scope| {
        let threads: Vec<_> = solvers.iter_mut().map(|solver| scope.spawn(|| run(&mut **solver))).collect();
        threads
            .into_iter()
            .map(|thread| thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
            .collect()
    });
    let mut pieces = Vec::new();
    let mut first: Option<Wrong> = None;
    for end in ends {
        match end {
            Ok(done) => pieces.extend(done),
            Err(wrong) => first = Some(first.map_or(wrong.clone(), |first| first.min(wrong))),
        }
    }
    if let Some((_, reason)) = first {
        return Err(reason);
    }
    pieces.sort_unstable_by_key(|(start, _)| *start);
    let mut all = Answers::default();
    for (_, piece) in pieces {
        all.scores.extend(piece.scores);
        all.nodes.extend(piece.nodes);
    }
    Ok(all)
}

impl Work<'_> {
    /// Answers a piece: consecutive positions.
    fn piece(&self, range: Range<usize>, solver: &mut dyn Solve, stop: &AtomicBool) -> Result<Answers, Wrong> {
        let limits = self.asked.limits(stop);
        let mut answers = Answers::default();
        for index in range {
            let position = self.batch.position(index).map_err(|reason| (index, reason))?;
            if !self.asked.keep {
                solver.reset();
            }
            if self.columns {
                let scores = analysis::columns(solver, &position, self.asked.goal, &limits);
                let scores = scores.unwrap_or(vec![None; self.batch.width()]);
                answers.scores.extend(scores.into_iter().map(|score| score.map_or(NO_SCORE, |score| score as i8)));
                continue;
            }
            let (score, nodes) = match solver.solve(&position, self.asked.goal, &limits) {
                Ok(solved) => (solved.score as i8, solved.nodes),
                Err(stopped) => (NO_SCORE, Stopped::nodes(stopped)),
            };
            answers.scores.push(score);
            answers.nodes.push(nodes);
        }
        Ok(answers)
    }
}
