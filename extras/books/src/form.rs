//! Forms of a store, and the file of a store. The first six forms are those of G. Vandewiele's article, each one step
//! from the form before; the last is ours. The article's forms hold lines, which are the moves of a game and not its
//! board:
//!
//! ```text
//! 4 1 4 2        a line; the first player has played 4 4, its opponent 1 2
//! 4 7 4 6        its mirror image: only the line where the opponent goes left first is written
//! . 1 . 2        the opponent's moves alone: the other moves follow from the store
//! ```
//!
//! A file ([`packed`]) has the bytes for each player:
//!
//! ```text
//! c4lab-store 1 7x6 12 retrieval first 2190 second -
//! ```

use crate::retrieval::Ranks;
use crate::strategy::{Known, Seat, Strategy, check_size, column_of, first_layer, key, next_layer, ranked, replies};
use crate::texts::{self, Text, Tree};
use anyhow::{Context, Result, bail};
use c4lab_play::packed;
use c4lab_play::players::after;
use c4lab_solver::game::{BoardSize, Position};
use std::collections::BTreeMap;
use std::io::Read;

/// The most lines that a form holds in memory. They take gigabytes.
const MOST_LINES: usize = 20_000_000;

pub trait Lookup: Send + Sync {
    /// The column, from 0, of the move in `position`; `None` if the store has none. A form without keys gives some
    /// column for every position.
    fn column(&self, position: &Position) -> Option<u32>;
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StoreForm {
    Dictionary,
    SevenSets,
    SixSets,
    Mirrored,
    Opponent,
    Tree,
    Retrieval,
}

const NAMES: [(&str, &str); 7] = [
    ("dictionary", "a dictionary of lines, each with the next move"),
    ("sets", "a set of lines for each move"),
    ("sets-but-one", "sets without the largest one, which has every line that is in no other set"),
    ("mirrored", "sets-but-one, with only one of a line and its mirror image"),
    ("opponent", "mirrored, with only the opponent's moves of each line"),
    ("tree", "a decision tree over the opponent's moves"),
    ("retrieval", "the ranks of moves in the order of a rule, as a function without keys"),
];

impl StoreForm {
    pub const ALL: [StoreForm; 7] = [
        StoreForm::Dictionary,
        StoreForm::SevenSets,
        StoreForm::SixSets,
        StoreForm::Mirrored,
        StoreForm::Opponent,
        StoreForm::Tree,
        StoreForm::Retrieval,
    ];

    pub const fn name(self) -> &'static str {
        NAMES[self as usize].0
    }

    pub const fn about(self) -> &'static str {
        NAMES[self as usize].1
    }

    pub fn parse(name: &str) -> Option<Self> {
        StoreForm::ALL.into_iter().find(|form| form.name() == name)
    }

    /// The way to write lines; `None` if the form holds positions.
    const fn writing(self) -> Option<Writing> {
        match self {
            StoreForm::Dictionary | StoreForm::SevenSets | StoreForm::SixSets => Some(Writing::PLAIN),
            StoreForm::Mirrored => Some(Writing { mirrored: true, opponent: false }),
            StoreForm::Opponent | StoreForm::Tree => Some(Writing { mirrored: true, opponent: true }),
            StoreForm::Retrieval => None,
        }
    }

    /// True if the form writes lines and not positions, so that it grows with the number of move sequences.
    pub const fn is_of_lines(self) -> bool {
        self.writing().is_some()
    }

    /// The bytes of `strategy` in this form, for positions with fewer than `plies` stones.
    pub fn write(self, strategy: &Strategy, plies: u32) -> Result<Vec<u8>> {
        let Some(writing) = self.writing() else {
            let ranks: Vec<(u64, u8)> =
                entries(strategy, plies)?.iter().map(|(_, key, known)| (*key, known.rank)).collect();
            return Ok(Ranks::of(&ranks)?.write());
        };
        let (lines, width) = (lines(strategy, plies, writing, MOST_LINES)?, strategy.size().width());
        match self {
            StoreForm::Dictionary => Ok(texts::dictionary(&lines)),
            StoreForm::Tree => texts::tree(&lines),
            _ => Ok(texts::sets(&lines, width, self != StoreForm::SevenSets)),
        }
    }

    pub fn read(self, size: BoardSize, bytes: &[u8]) -> Result<Box<dyn Lookup>> {
        let writing = self.writing().unwrap_or(Writing::PLAIN);
        Ok(match self {
            StoreForm::Dictionary => Box::new(Text::of_dictionary(size, writing, bytes)?),
            StoreForm::SevenSets | StoreForm::SixSets | StoreForm::Mirrored | StoreForm::Opponent => {
                Box::new(Text::of_sets(size, writing, bytes)?)
            }
            StoreForm::Tree => Box::new(Tree::read(size, writing, bytes)?),
            StoreForm::Retrieval => Box::new(Ranks::read(bytes)?),
        })
    }
}

impl Lookup for Ranks {
    fn column(&self, position: &Position) -> Option<u32> {
        column_of(position, self.rank(key(position)))
    }
}

/// All positions of `strategy` with fewer than `plies` stones, in the order of their keys.
fn entries(strategy: &Strategy, plies: u32) -> Result<Vec<(Position, u64, Known)>> {
    let positions = strategy.layers(plies)?.into_iter().flatten();
    let known = |key| strategy.known(key).expect("layers know their positions");
    let mut entries: Vec<_> = positions.map(|(key, position)| (position, key, known(key))).collect();
    entries.sort_unstable_by_key(|(_, key, _)| *key);
    Ok(entries)
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Writing {
    /// True if only one of a line and its mirror image is written.
    pub mirrored: bool,
    /// True if only the opponent's moves are written.
    pub opponent: bool,
}

/// The columns of a line, from 1, and true if its move has to be mirrored.
pub type WrittenLine = (Vec<u8>, bool);

impl Writing {
    pub const PLAIN: Writing = Writing { mirrored: false, opponent: false };

    /// The written form of the line that led to `position`.
    ///
    /// If the board is symmetric and the opponent plays right of the middle, the moves from there on are mirrored,
    /// until the board is symmetric again. The player's own moves need no such rule, because it has one move in each
    /// position.
    pub fn of(self, position: &Position) -> WrittenLine {
        let size = position.size();
        let (mut line, mut is_mirrored) = (Vec::new(), false);
        let mut board = Position::start_on(size);
        for &column in position.columns() {
            let is_opponent = Seat::to_move(&board) != Seat::to_move(position);
            if self.mirrored && board.is_symmetric() {
                is_mirrored = is_opponent && 2 * u32::from(column) + 1 > size.width();
            }
            board.play(column.into()).expect("a move of a position");
            if is_opponent || !self.opponent {
                line.push(if is_mirrored { mirror(size, column + 1) } else { column + 1 });
            }
        }
        // On a symmetric board the next move is not mirrored.
        (line, is_mirrored && !board.is_symmetric())
    }
}

/// All written lines of `strategy` with fewer than `plies` stones, each with the column of the next move, from 1. An
/// error if there are more than `most` lines.
pub fn lines(strategy: &Strategy, plies: u32, writing: Writing, most: usize) -> Result<BTreeMap<Vec<u8>, u8>> {
    let mut lines = BTreeMap::new();
    let start = Position::start_on(strategy.size());
    let mut open = match strategy.seat() {
        Seat::First => vec![start],
        Seat::Second => replies(&start).collect(),
    };
    while let Some(position) = open.pop() {
        if position.ply() >= plies {
            continue;
        }
        let column = strategy.column(&position).with_context(|| format!("{position} is not solved"))?;
        let (line, is_mirrored) = writing.of(&position);
        let written = if is_mirrored { mirror(strategy.size(), column as u8 + 1) } else { column as u8 + 1 };
        if lines.insert(line, written).is_some_and(|other| other != written) {
            bail!("{position}: two different moves for one line");
        }
        if lines.len() > most {
            bail!("more than {most} lines with fewer than {plies} stones");
        }
        open.extend(replies(&after(&position, column)));
    }
    Ok(lines)
}

/// The mirror image of a column, both from 1.
pub fn mirror(size: BoardSize, column: u8) -> u8 {
    size.width() as u8 + 1 - column
}

const KIND: &str = "store";

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Store {
    pub size: BoardSize,
    /// The store has moves for positions with fewer than `plies` stones.
    pub plies: u32,
    pub form: StoreForm,
    /// The bytes of the first and the second player; `None` for a player without moves.
    pub bytes: [Option<Vec<u8>>; 2],
}

impl Store {
    pub fn of(strategies: &[Strategy], plies: u32, form: StoreForm) -> Result<Self> {
        let size = strategies.first().context("no strategy")?.size();
        let mut bytes = [None, None];
        for strategy in strategies {
            bytes[strategy.seat() as usize] = Some(form.write(strategy, plies)?);
        }
        Ok(Store { size, plies, form, bytes })
    }

    pub fn pack(&self) -> Result<Vec<u8>> {
        let [first, second] =
            self.bytes.each_ref().map(|bytes| bytes.as_ref().map_or("-".to_string(), |bytes| bytes.len().to_string()));
        let (size, plies, form) = (self.size, self.plies, self.form.name());
        let words = format!("{size} {plies} {form} first {first} second {second}");
        let bytes: Vec<u8> = self.bytes.iter().flatten().flatten().copied().collect();
        Ok(packed::pack(KIND, &words, &bytes)?)
    }

    pub fn unpack(file: impl Read) -> Result<Self> {
        let (words, bytes) = packed::unpack(KIND, file)?;
        let [size, plies, form, "first", first, "second", second] = words.split(' ').collect::<Vec<_>>()[..] else {
            bail!("not a store: its header has {words:?}");
        };
        let size: BoardSize = size.parse()?;
        check_size(size)?;
        let plies = plies.parse().with_context(|| format!("{plies}: no number of stones"))?;
        let form = StoreForm::parse(form).with_context(|| format!("{form}: no form of a store"))?;
        let mut rest = &bytes[..];
        let mut part = |length: &str| -> Result<Option<Vec<u8>>> {
            if length == "-" {
                return Ok(None);
            }
            let length: usize = length.parse().with_context(|| format!("{length}: no number of bytes"))?;
            Ok(Some(rest.split_off(..length).context("not a store: it is shorter than its header says")?.to_vec()))
        };
        let bytes = [part(first)?, part(second)?];
        if !rest.is_empty() {
            bail!("not a store: it is longer than its header says");
        }
        Ok(Store { size, plies, form, bytes })
    }

    pub fn open(&self) -> Result<OpenStore> {
        let read = |bytes: &Option<Vec<u8>>| bytes.as_deref().map(|bytes| self.form.read(self.size, bytes)).transpose();
        let [first, second] = &self.bytes;
        Ok(OpenStore { size: self.size, plies: self.plies, seats: [read(first)?, read(second)?] })
    }
}

pub struct OpenStore {
    size: BoardSize,
    plies: u32,
    seats: [Option<Box<dyn Lookup>>; 2],
}

impl OpenStore {
    pub fn seats(&self) -> impl Iterator<Item = Seat> {
        Seat::ALL.into_iter().filter(|&seat| self.seats[seat as usize].is_some())
    }

    pub fn size(&self) -> BoardSize {
        self.size
    }

    pub fn plies(&self) -> u32 {
        self.plies
    }

    /// The column, from 0, of the move in `position`, which is not over; `None` if the store has no playable move.
    pub fn column(&self, position: &Position) -> Option<u32> {
        if position.size() != self.size || position.ply() >= self.plies {
            return None;
        }
        let column = self.seats[Seat::to_move(position) as usize].as_ref()?.column(position)?;
        Some(column).filter(|&column| position.can_play(column))
    }

    /// The moves of the store, read in every position that they lead to. A store does not hold values: all are 0.
    pub fn strategies(&self) -> Result<Vec<Strategy>> {
        let mut strategies = Vec::new();
        for seat in self.seats() {
            let mut strategy = Strategy::new(self.size, seat);
            let mut layer = first_layer(self.size, seat);
            for _ in (seat.first_ply()..self.plies).step_by(2) {
                for (key, position) in &layer {
                    let column = self.column(position).with_context(|| format!("no move in {position}"))?;
                    let rank = ranked(position).iter().position(|&other| other == column);
                    let rank = rank.context("a move that the rule does not have")? as u8;
                    strategy.enter(*key, Known { value: 0, rank })?;
                }
                layer = next_layer(&layer, |position| strategy.column(position).expect("all were entered"));
            }
            strategies.push(strategy);
        }
        Ok(strategies)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
                            // The player itself does not get into the mirror image of a position that it made
                            // asymmetric.
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

    /// True if `strategy` plays the moves of its player that led to `position`.
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
    fn a_file_that_is_cut_off_or_lies_is_no_store() {
        let size = BoardSize::STANDARD;
        let store = Store { size, plies: 5, form: StoreForm::Retrieval, bytes: [Some(vec![1, 2, 3]), None] };
        let file = store.pack().unwrap();
        assert_eq!(Store::unpack(file.as_slice()).unwrap(), store);
        for end in 0..file.len() {
            assert!(Store::unpack(&file[..end]).is_err(), "{end}");
        }
        for words in
            ["", "7x6 5 magic first - second -", "7x6 5 retrieval first 9 second -", "7x6 5 retrieval first 0 second -"]
        {
            assert!(Store::unpack(&*packed::pack(KIND, words, b"x").unwrap()).is_err(), "{words}");
        }
    }

    #[test]
    fn a_line_is_written_in_one_of_its_images_and_by_one_side() {
        let position = Position::parse("4745").unwrap();
        assert_eq!(Writing::PLAIN.of(&position), (vec![4, 7, 4, 5], false));
        let mirrored = Writing { mirrored: true, opponent: false };
        assert_eq!(mirrored.of(&position), (vec![4, 1, 4, 3], true));
        let opponent = Writing { mirrored: true, opponent: true };
        assert_eq!(opponent.of(&position), (vec![1, 3], true));
        // Here the second player moves, and its opponent began.
        assert_eq!(opponent.of(&Position::parse("545").unwrap()), (vec![3, 3], true));
        assert_eq!(opponent.of(&Position::parse("444").unwrap()), (vec![4, 4], false));
        // The board is symmetric again, so the next moves are not mirrored.
        assert_eq!(opponent.of(&Position::parse("474131").unwrap()), (vec![1, 7, 1], false));
        assert_eq!(opponent.of(&Position::parse("4353").unwrap()), (vec![3, 3], false));
    }
}
