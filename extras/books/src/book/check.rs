//! Checking a finished book: the numbers of won, drawn and lost positions that are published, and a sample solved by
//! another variant.

use anyhow::Result;
use c4lab_measure::sets::pick::Pick;
use c4lab_play::book::{self, Book};
use c4lab_solver::game::Position;
use c4lab_solver::game::perft::A212693;
use c4lab_solver::game::score::Score;
use c4lab_solver::search::{Limits, Solve};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

/// Positions of a ply that are won, drawn and lost for the first player; mirror images and positions that are over count,
/// too.
pub type Outcomes = [u64; 3];

/// The published numbers of 7x6, from ply 0. Source: M. Boeck, arXiv 2507.05267.
pub const PUBLISHED: [Outcomes; 13] = [
    [1, 0, 0],
    [1, 2, 4],
    [27, 12, 10],
    [35, 58, 145],
    [690, 200, 230],
    [1080, 697, 2486],
    [10_889, 1943, 3590],
    [17_507, 5944, 31_408],
    [124_624, 14_676, 44_975],
    [197_749, 42_896, 317_541],
    [1_122_696, 97_532, 442_395],
    [1_734_122, 255_780, 2_578_781],
    [8_191_645, 541_825, 3_502_631],
];

/// How many positions of a ply of the standard board a book says are won, drawn and lost. Those that are over are won by
/// whoever played last; how many these are follows from the published number of all positions.
pub fn outcomes(book: &Book, ply: u32) -> Result<Outcomes> {
    let mut outcomes = [0; 3];
    for (position, &score) in book::positions(book.size(), ply)?.iter().zip(book.scores(ply)) {
        let images = if position.is_symmetric() { 1 } else { 2 };
        let first = if ply.is_multiple_of(2) { Score::from(score) } else { -Score::from(score) };
        outcomes[(1 - first.signum()) as usize] += images;
    }
    let over = A212693[ply as usize] - outcomes.iter().sum::<u64>();
    outcomes[if ply.is_multiple_of(2) { 2 } else { 0 }] += over;
    Ok(outcomes)
}

/// A position whose score another solver does not confirm.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Disputed {
    /// Its moves.
    pub position: Position,
    /// The score that the book has.
    pub score: Score,
}

/// Asks other solvers, one a thread, for the scores of positions of the last ply, drawn from a seed. Gives back those
/// that they do not confirm, and how many they were asked for; `progress` is told how many are done.
///
/// # Errors
/// A search was interrupted.
pub fn sample(
    book: &Book,
    pick: Pick,
    solvers: Vec<Box<dyn Solve>>,
    limits: &Limits<'_>,
    progress: impl Fn(usize) + Sync,
) -> Result<(Vec<Disputed>, usize)> {
    let last = book.last_ply();
    let positions = book::positions(book.size(), last)?;
    let places: Vec<usize> = pick.of(1..=positions.len()).into_iter().map(|line| line - 1).collect();
    let (next, done, disputed) = (AtomicUsize::new(0), AtomicUsize::new(0), Mutex::new(Vec::new()));
    let work = |mut solver: Box<dyn Solve>| -> Result<()> {
        while let Some(&place) = places.get(next.fetch_add(1, Ordering::Relaxed)) {
            let (position, score) = (&positions[place], Score::from(book.scores(last)[place]));
            solver.reset();
            // To ask whether that is the score is faster than to find it.
            let confirmed = solver.exceeds(position, score - 1, limits)? && !solver.exceeds(position, score, limits)?;
            if !confirmed {
                let position = position.clone();
                disputed.lock().expect("no thread panics").push(Disputed { position, score });
            }
            progress(done.fetch_add(1, Ordering::Relaxed) + 1);
        }
        Ok(())
    };
    thread::scope(|scope| {
        let work = &work;
        let threads: Vec<_> = solvers.into_iter().map(|solver| scope.spawn(move || work(solver))).collect();
        threads.into_iter().try_for_each(|thread| thread.join().expect("no thread panics"))
    })?;
    Ok((disputed.into_inner().expect("no thread panics"), places.len()))
}
