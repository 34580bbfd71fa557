//! Forms of a store, and the file of a store. The first six forms are those of G. Vandewiele's article, each one step
//! from the form before; they are written to count their bytes. The last is ours, and the form of a file. The article's
//! forms hold lines, which are the moves of a game and not its board:
//!
//! ```text
//! 4 1 4 2        a line; the first player has played 4 4, its opponent 1 2
//! 4 7 4 6        its mirror image: only the line where the opponent goes left first is written
//! . 1 . 2        the opponent's moves alone: the other moves follow from the store
//! ```
//!
//! A file ([`pack_file`]) has the board, the stones, the form, for each player the number of bytes, then these bytes:
//!
//! ```text
//! c4lab-store 1 7x6 12 retrieval first 2190 second -
//! ```

use crate::retrieval::Ranks;
use crate::strategy::{Seat, Strategy, column_of, key, replies};
use crate::texts::{self, Lines};
use anyhow::{Context, Result, bail};
use c4lab_play::book::{check_size, pack_file, unpack_file};
use c4lab_play::players::after;
use c4lab_solver::game::{BoardSize, Position};
use std::fs::File;
use std::io::Read;
use std::path::Path;

/// The most lines that a form holds in memory. They take gigabytes.
const MOST_LINES: usize = 20_000_000;

/// The column, from 0, of the move in a position; `None` if the store has none. It has no keys, and gives a column even
/// for a position that it does not have.
pub type Lookup = Box<dyn Fn(&Position) -> Option<u32> + Send + Sync>;

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

    /// True if the form writes lines and not positions, so that it grows with the number of move sequences.
    pub const fn is_of_lines(self) -> bool {
        !matches!(self, StoreForm::Retrieval)
    }

    /// True if only one of a line and its mirror image is written.
    const fn is_mirrored(self) -> bool {
        matches!(self, StoreForm::Mirrored | StoreForm::Opponent | StoreForm::Tree)
    }

    /// True if only the opponent's moves are written.
    const fn is_of_opponent(self) -> bool {
        matches!(self, StoreForm::Opponent | StoreForm::Tree)
    }

    /// The written columns, from 1, of the line that led to `position`, and true if the next move has to be mirrored.
    ///
    /// If the board is symmetric and the opponent plays right of the middle, the moves from there on are mirrored,
    /// until the board is symmetric again. A move of the player itself starts no mirror image, because the player has
    /// one move in each position.
    fn line(self, position: &Position) -> (Vec<u8>, bool) {
        let size = position.size();
        let (mut line, mut is_mirrored) = (Vec::new(), false);
        let mut board = Position::start_on(size);
        for &column in position.columns() {
            let is_opponent = Seat::to_move(&board) != Seat::to_move(position);
            if self.is_mirrored() && board.is_symmetric() {
                is_mirrored = is_opponent && 2 * u32::from(column) + 1 > size.width();
            }
            board.play(column.into()).expect("a move of a position");
            if is_opponent || !self.is_of_opponent() {
                line.push(if is_mirrored { mirror(size, column + 1) } else { column + 1 });
            }
        }
        (line, is_mirrored && !board.is_symmetric())
    }

    /// All written lines of `strategy` with fewer than `plies` stones, each with the column of the next move, from 1.
    fn lines(self, strategy: &Strategy, plies: u32) -> Result<Lines> {
        let mut lines = Lines::new();
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
            let (line, is_mirrored) = self.line(&position);
            let written = if is_mirrored { mirror(strategy.size(), column as u8 + 1) } else { column as u8 + 1 };
            if lines.insert(line, written).is_some_and(|other| other != written) {
                bail!("{position}: two different moves for one line");
            }
            if lines.len() > MOST_LINES {
                bail!("more than {MOST_LINES} lines with fewer than {plies} stones");
            }
            open.extend(replies(&after(&position, column)));
        }
        Ok(lines)
    }

    /// The bytes of `strategy` in this form, for positions with fewer than `plies` stones.
    pub fn write(self, strategy: &Strategy, plies: u32) -> Result<Vec<u8>> {
        let width = strategy.size().width();
        match self {
            StoreForm::Dictionary => Ok(texts::dictionary(&self.lines(strategy, plies)?)),
            StoreForm::SevenSets => Ok(texts::sets(&self.lines(strategy, plies)?, width, false)),
            StoreForm::SixSets | StoreForm::Mirrored | StoreForm::Opponent => {
                Ok(texts::sets(&self.lines(strategy, plies)?, width, true))
            }
            StoreForm::Tree => texts::tree(&self.lines(strategy, plies)?),
            StoreForm::Retrieval => {
                let rank = |key| strategy.known(key).expect("a position of the strategy").rank;
                let positions = strategy.positions(plies)?;
                let ranks: Vec<(u64, u8)> = positions.iter().map(|&(key, _)| (key, rank(key))).collect();
                Ok(Ranks::of(&ranks)?.write())
            }
        }
    }
}

/// The mirror image of a column, both from 1.
fn mirror(size: BoardSize, column: u8) -> u8 {
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
        Ok(pack_file(KIND, &words, &bytes)?)
    }

    pub fn unpack(file: impl Read) -> Result<Self> {
        let (words, bytes) = unpack_file(KIND, file)?;
        let [size, plies, form, "first", first, "second", second] = words.split(' ').collect::<Vec<_>>()[..] else {
            bail!("not a store: its header has {words:?}");
        };
        let size: BoardSize = size.parse()?;
        check_size("stores", size)?;
        let plies = plies.parse().with_context(|| format!("{plies}: not a number of stones"))?;
        if form != StoreForm::Retrieval.name() {
            bail!("{form}: not the form of a store, which is {}", StoreForm::Retrieval.name());
        }
        let mut rest = &bytes[..];
        let mut part = |length: &str| -> Result<Option<Vec<u8>>> {
            if length == "-" {
                return Ok(None);
            }
            let length: usize = length.parse().with_context(|| format!("{length}: not a number of bytes"))?;
            Ok(Some(rest.split_off(..length).context("not a store: it is shorter than its header says")?.to_vec()))
        };
        let bytes = [part(first)?, part(second)?];
        if !rest.is_empty() {
            bail!("not a store: it is longer than its header says");
        }
        Ok(Store { size, plies, form: StoreForm::Retrieval, bytes })
    }

    pub fn open(file: &Path) -> Result<Self> {
        let opened = File::open(file).with_context(|| format!("cannot open {}", file.display()))?;
        Store::unpack(opened).with_context(|| file.display().to_string())
    }

    pub fn seats(&self) -> impl Iterator<Item = Seat> {
        Seat::ALL.into_iter().filter(|&seat| self.bytes[seat as usize].is_some())
    }

    /// The moves of both players in positions that are not over; `None` for a column that is full. Reads all bytes.
    pub fn lookup(&self) -> Result<Lookup> {
        let (size, plies) = (self.size, self.plies);
        let [first, second] = &self.bytes;
        let read = |bytes: &Option<Vec<u8>>| bytes.as_deref().map(Ranks::read).transpose();
        let ranks = [read(first)?, read(second)?];
        Ok(Box::new(move |position| {
            if position.size() != size || position.ply() >= plies {
                return None;
            }
            let ranks = ranks[Seat::to_move(position) as usize].as_ref()?;
            column_of(position, ranks.rank(key(position))).filter(|&column| position.can_play(column))
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::strategy::{StoredMove, by_rule, first_layer, next_layer};

    /// A strategy that plays some move of every position, not always the first of the rule.
    fn any_strategy(size: BoardSize, seat: Seat, plies: u32) -> Strategy {
        let mut strategy = Strategy::new(size, seat);
        let mut layer = first_layer(size, seat);
        for _ in (seat.first_ply()..plies).step_by(2) {
            for (key, position) in &layer {
                // The right-hand move of a mirrored pair is never the first that keeps a value.
                let moves = if position.is_symmetric() { 1 } else { by_rule(position).len() as u64 };
                let rank = if key % 5 == 0 { key / 5 % moves } else { 0 };
                strategy.insert(*key, StoredMove { value: 0, rank: rank as u8 }).unwrap();
            }
            layer = next_layer(&layer, |position| strategy.column(position).unwrap());
        }
        strategy
    }

    #[test]
    fn a_store_says_every_move_of_a_strategy_and_refuses_what_is_cut_off() {
        for (size, plies) in [("7x6", 7), ("6x5", 7), ("8x6", 5)] {
            let size: BoardSize = size.parse().unwrap();
            let strategies = Seat::ALL.map(|seat| any_strategy(size, seat, plies));
            let mut store = Store::of(&strategies, plies, StoreForm::Retrieval).unwrap();
            let lookup = store.lookup().unwrap();
            for strategy in &strategies {
                for (_, position) in strategy.positions(plies).unwrap() {
                    for image in [position.mirror(), position] {
                        assert_eq!(lookup(&image), strategy.column(&image), "{size} {image}");
                    }
                }
            }
            store.bytes[0].as_mut().unwrap().pop();
            assert!(store.lookup().is_err());
        }
    }

    /// No line has two moves, in any form.
    #[test]
    fn every_form_is_written() {
        let strategy = any_strategy(BoardSize::STANDARD, Seat::Second, 7);
        let sizes = StoreForm::ALL.map(|form| form.write(&strategy, 7).unwrap().len());
        assert!(sizes[..5].is_sorted_by(|one, next| one > next), "{sizes:?}");
    }

    #[test]
    fn a_file_is_read_as_it_was_written_and_one_that_lies_is_no_store() {
        let size = BoardSize::STANDARD;
        let store = Store { size, plies: 5, form: StoreForm::Retrieval, bytes: [Some(vec![1, 2, 3]), None] };
        let file = store.pack().unwrap();
        assert_eq!(Store::unpack(file.as_slice()).unwrap(), store);
        for words in
            ["", "7x6 5 magic first - second -", "7x6 5 retrieval first 9 second -", "7x6 5 retrieval first 0 second -"]
        {
            assert!(Store::unpack(&*pack_file(KIND, words, b"x").unwrap()).is_err(), "{words}");
        }
    }

    #[test]
    fn a_line_is_written_in_one_of_its_images_and_by_one_side() {
        let position = Position::parse("4745").unwrap();
        assert_eq!(StoreForm::SixSets.line(&position), (vec![4, 7, 4, 5], false));
        assert_eq!(StoreForm::Mirrored.line(&position), (vec![4, 1, 4, 3], true));
        let opponent = StoreForm::Opponent;
        assert_eq!(opponent.line(&position), (vec![1, 3], true));
        // Here the second player moves, and its opponent began.
        assert_eq!(opponent.line(&Position::parse("545").unwrap()), (vec![3, 3], true));
        assert_eq!(opponent.line(&Position::parse("444").unwrap()), (vec![4, 4], false));
        // The board is symmetric again, so the next moves are not mirrored.
        assert_eq!(opponent.line(&Position::parse("474131").unwrap()), (vec![1, 7, 1], false));
        assert_eq!(opponent.line(&Position::parse("4353").unwrap()), (vec![3, 3], false));
    }
}
