//! Forms: ways to write a store down. The first six are those of G. Vandewiele's article, each a step from the one before; the others
//! are ours.

use crate::store::keys::{self, Columns, Exceptions};
use crate::store::lines::{Writing, lines};
use crate::store::retrieval::Ranks;
use crate::store::strategy::{Known, Strategy, column_of, key};
use crate::store::text::{self, Text};
use crate::store::tree::{self, Tree};
use anyhow::Result;
use c4lab_solver::game::{BoardSize, Position};

/// Lines that a form may have to hold in memory at most: that many take gigabytes.
const MOST_LINES: usize = 20_000_000;

/// Something that says a move.
pub trait Lookup: Send + Sync {
    /// The column, from 0, of the move in a position; `None` where it does not know one. A form that holds no keys says some column
    /// wherever it is asked.
    fn column(&self, position: &Position) -> Option<u32>;
}

/// A way to write a store down.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StoreForm {
    /// Every line, and the move that follows.
    Dictionary,
    /// A set of lines for each move.
    SevenSets,
    /// The same without the largest set.
    SixSets,
    /// The same without mirror images.
    Mirrored,
    /// The same, of each line only the opponent's moves.
    Opponent,
    /// A decision tree over the opponent's moves.
    Tree,
    /// Positions instead of lines.
    Positions,
    /// Only positions where the first move of the rule is wrong.
    Exceptions,
    /// What the rule lacks, as a function that holds no keys.
    Retrieval,
}

impl StoreForm {
    /// All of them.
    pub const ALL: [StoreForm; 9] = [
        StoreForm::Dictionary,
        StoreForm::SevenSets,
        StoreForm::SixSets,
        StoreForm::Mirrored,
        StoreForm::Opponent,
        StoreForm::Tree,
        StoreForm::Positions,
        StoreForm::Exceptions,
        StoreForm::Retrieval,
    ];

    /// The name on the command line and in files.
    pub const fn name(self) -> &'static str {
        match self {
            StoreForm::Dictionary => "dictionary",
            StoreForm::SevenSets => "sets",
            StoreForm::SixSets => "sets-but-one",
            StoreForm::Mirrored => "mirrored",
            StoreForm::Opponent => "opponent",
            StoreForm::Tree => "tree",
            StoreForm::Positions => "positions",
            StoreForm::Exceptions => "exceptions",
            StoreForm::Retrieval => "retrieval",
        }
    }

    /// What it is, in one line.
    pub const fn about(self) -> &'static str {
        match self {
            StoreForm::Dictionary => "a dictionary: every line, and the move that follows",
            StoreForm::SevenSets => "a set of lines for each move",
            StoreForm::SixSets => "the same without the largest set: a line that is in no other set is in this one",
            StoreForm::Mirrored => "the same, of a line and its mirror image only one",
            StoreForm::Opponent => "the same, of each line only the opponent's moves",
            StoreForm::Tree => "a decision tree over the opponent's moves",
            StoreForm::Positions => "positions instead of lines, and the move in each",
            StoreForm::Exceptions => "only the positions in which the first move of a cheap rule is wrong",
            StoreForm::Retrieval => "what the rule lacks, as a function that holds no keys",
        }
    }

    /// The form of a name.
    pub fn parse(name: &str) -> Option<Self> {
        StoreForm::ALL.into_iter().find(|form| form.name() == name)
    }

    /// How it writes lines; `None` where it holds positions.
    const fn writing(self) -> Option<Writing> {
        match self {
            StoreForm::Dictionary | StoreForm::SevenSets | StoreForm::SixSets => Some(Writing::PLAIN),
            StoreForm::Mirrored => Some(Writing { mirrored: true, opponent: false }),
            StoreForm::Opponent | StoreForm::Tree => Some(Writing { mirrored: true, opponent: true }),
            StoreForm::Positions | StoreForm::Exceptions | StoreForm::Retrieval => None,
        }
    }

    /// Whether it writes lines, and not positions: it grows with the number of move orders.
    pub const fn is_of_lines(self) -> bool {
        self.writing().is_some()
    }

    /// A strategy in this form, to positions with fewer than so many stones.
    ///
    /// # Errors
    /// The strategy does not know a position, or has too many lines for this form.
    pub fn write(self, strategy: &Strategy, plies: u32) -> Result<Vec<u8>> {
        let Some(writing) = self.writing() else { return self.write_positions(&entries(strategy, plies)?) };
        let (lines, width) = (lines(strategy, plies, writing, MOST_LINES)?, strategy.size().width());
        match self {
            StoreForm::Dictionary => Ok(text::dictionary(&lines)),
            StoreForm::Tree => tree::text(&lines),
            _ => Ok(text::sets(&lines, width, self != StoreForm::SevenSets)),
        }
    }

    fn write_positions(self, entries: &[(Position, u64, Known)]) -> Result<Vec<u8>> {
        let known: Vec<(u64, Known)> = entries.iter().map(|(_, key, known)| (*key, *known)).collect();
        match self {
            StoreForm::Positions => {
                let column = |position: &Position, rank| column_of(position, rank).unwrap_or_default() as u8;
                let columns = entries.iter().map(|(position, key, known)| (*key, column(position, known.rank)));
                Ok(keys::write(&columns.collect::<Vec<_>>()))
            }
            StoreForm::Exceptions => Ok(keys::write(&Exceptions::of(&known))),
            _ => Ok(Ranks::of(&known.iter().map(|(key, known)| (*key, known.rank)).collect::<Vec<_>>())?.write()),
        }
    }

    /// What such bytes say.
    ///
    /// # Errors
    /// They are not of this form.
    pub fn read(self, size: BoardSize, bytes: &[u8]) -> Result<Box<dyn Lookup>> {
        let writing = self.writing().unwrap_or(Writing::PLAIN);
        Ok(match self {
            StoreForm::Dictionary => Box::new(Text::of_dictionary(size, writing, bytes)?),
            StoreForm::SevenSets | StoreForm::SixSets | StoreForm::Mirrored | StoreForm::Opponent => {
                Box::new(Text::of_sets(size, writing, bytes)?)
            }
            StoreForm::Tree => Box::new(Tree::read(size, writing, bytes)?),
            StoreForm::Positions => Box::new(Columns::read(size, bytes)?),
            StoreForm::Exceptions => Box::new(Exceptions::read(bytes)?),
            StoreForm::Retrieval => Box::new(Ranks::read(bytes)?),
        })
    }
}

impl Lookup for Ranks {
    fn column(&self, position: &Position) -> Option<u32> {
        column_of(position, self.rank(key(position)))
    }
}

/// All positions of a strategy with fewer than so many stones, by their keys.
fn entries(strategy: &Strategy, plies: u32) -> Result<Vec<(Position, u64, Known)>> {
    let positions = strategy.layers(plies)?.into_iter().flatten();
    let known = |key| strategy.known(key).expect("layers know their positions");
    let mut entries: Vec<_> = positions.map(|(key, position)| (position, key, known(key))).collect();
    entries.sort_unstable_by_key(|(_, key, _)| *key);
    Ok(entries)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::rule::ranked;
    use crate::store::strategy::{Seat, first_layer, next_layer};

    /// A strategy that plays some move of every position, not always the first of the rule.
    fn any_strategy(size: BoardSize, seat: Seat, plies: u32) -> Strategy {
        let mut strategy = Strategy::new(size, seat);
        let mut layer = first_layer(size, seat);
        for _ in (seat.first_ply()..plies).step_by(2) {
            for (key, position) in &layer {
                // The right-hand move of a mirrored pair is never the first that keeps a value.
                let moves = if position.is_symmetric() { 1 } else { ranked(position).len() as u64 };
                let rank = if key % 5 == 0 { key / 5 % moves } else { 0 };
                strategy.enter(*key, Known { value: 0, rank: rank as u8 }).unwrap();
            }
            layer = next_layer(&layer, |position| strategy.column(position).unwrap());
        }
        strategy
    }

    #[test]
    fn every_form_says_every_move_of_a_strategy_and_refuses_what_is_cut_off() {
        for (size, plies) in [("7x6", 7), ("6x5", 7), ("8x6", 5)] {
            for seat in Seat::ALL {
                let size: BoardSize = size.parse().unwrap();
                let strategy = any_strategy(size, seat, plies);
                let entries = entries(&strategy, plies).unwrap();
                for form in StoreForm::ALL {
                    let bytes = form.write(&strategy, plies).unwrap();
                    let store = form.read(size, &bytes).unwrap();
                    for (position, ..) in &entries {
                        for image in [position.clone(), position.mirror()] {
                            // The player itself does not get into the mirror image of a position that it made asymmetric.
                            let is_met = !form.is_of_lines() || is_met(&strategy, &image);
                            let (said, known) = (store.column(&image), strategy.column(&image));
                            assert!(
                                !is_met || said == known,
                                "{size} {seat} {} {image}: {said:?} {known:?}",
                                form.name()
                            );
                        }
                    }
                    assert!(form.read(size, &bytes[..bytes.len() - 1]).is_err(), "{}", form.name());
                }
            }
        }
    }

    /// Whether a strategy plays the moves of its player that led to a position.
    fn is_met(strategy: &Strategy, position: &Position) -> bool {
        let mut board = Position::start_on(position.size());
        position.columns().iter().all(|&column| {
            let is_own = Seat::to_move(&board) == strategy.seat();
            let own = is_own.then(|| strategy.column(&board)).flatten();
            board.play(column.into()).unwrap();
            !is_own || own == Some(column.into())
        })
    }

    #[test]
    fn names_are_read_back() {
        for form in StoreForm::ALL {
            assert_eq!(StoreForm::parse(form.name()), Some(form));
        }
        assert_eq!(StoreForm::parse("six"), None);
    }
}
