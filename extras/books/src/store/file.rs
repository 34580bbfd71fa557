//! The file of a store: one line that says what it is, and its bytes for each player; packed with gzip, whose checksum finds what
//! is damaged.
//!
//! ```text
//! c4lab-store 1 7x6 to 12 stones, form retrieval, first 2190 second 0
//! ```

use crate::store::form::{Lookup, StoreForm};
use crate::store::rule::ranked;
use crate::store::strategy::{Known, Seat, Strategy, check_size, first_layer, next_layer};
use anyhow::{Context, Result, bail};
use c4lab_solver::game::{BoardSize, Position};
use flate2::Compression;
use flate2::read::GzDecoder;
use flate2::write::GzEncoder;
use std::io::{Read, Write};

/// How a file begins: what it is, and which version.
const MAGIC: &str = "c4lab-store";
const VERSION: u32 = 1;

/// The most bytes of a store that is not packed.
const MOST_BYTES: u64 = 1 << 32;

/// A store, written down.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Store {
    /// Columns and rows of its board.
    pub size: BoardSize,
    /// It knows positions with fewer stones.
    pub plies: u32,
    /// How it is written.
    pub form: StoreForm,
    /// The bytes of each player, the first one's first; none for a player that it is not for.
    pub bytes: [Option<Vec<u8>>; 2],
}

impl Store {
    /// Writes strategies down.
    ///
    /// # Errors
    /// A strategy does not know a position.
    pub fn of(strategies: &[Strategy], plies: u32, form: StoreForm) -> Result<Self> {
        let size = strategies.first().context("no strategy")?.size();
        let mut bytes = [None, None];
        for strategy in strategies {
            bytes[strategy.seat() as usize] = Some(form.write(strategy, plies)?);
        }
        Ok(Store { size, plies, form, bytes })
    }

    /// The file.
    ///
    /// # Errors
    /// It cannot be packed.
    pub fn pack(&self) -> Result<Vec<u8>> {
        let mut packed = GzEncoder::new(Vec::new(), Compression::best());
        let lengths = Seat::ALL.map(|seat| {
            let length = self.bytes[seat as usize].as_ref().map_or("-".to_string(), |bytes| bytes.len().to_string());
            format!("{seat} {length}")
        });
        let (size, plies, form) = (self.size, self.plies, self.form.name());
        writeln!(packed, "{MAGIC} {VERSION} {size} {plies} {form} {}", lengths.join(" "))?;
        for bytes in self.bytes.iter().flatten() {
            packed.write_all(bytes)?;
        }
        Ok(packed.finish()?)
    }

    /// Reads a file.
    ///
    /// # Errors
    /// It is no store, of another version, cut off, or damaged.
    pub fn unpack(file: impl Read) -> Result<Self> {
        let mut all = Vec::new();
        let read = GzDecoder::new(file).take(MOST_BYTES).read_to_end(&mut all);
        read.context("no store: it is not packed, cut off, or damaged")?;
        let end = all.iter().position(|&byte| byte == b'\n').context("no store: it has no header")?;
        let header = std::str::from_utf8(&all[..end]).context("no store: its header is no text")?;
        let words: Vec<&str> = header.split(' ').collect();
        let [MAGIC, version, size, plies, form, "first", first, "second", second] = words[..] else {
            bail!("no store: it begins with {header:?}");
        };
        if version != VERSION.to_string() {
            bail!("a store of version {version}; this c4lab reads version {VERSION}");
        }
        let size: BoardSize = size.parse().map_err(|error| anyhow::anyhow!("{error}"))?;
        check_size(size)?;
        let plies = plies.parse().with_context(|| format!("{plies}: no number of stones"))?;
        let form = StoreForm::parse(form).with_context(|| format!("{form}: no form of a store"))?;
        let mut rest = &all[end + 1..];
        let mut part = |length: &str| -> Result<Option<Vec<u8>>> {
            if length == "-" {
                return Ok(None);
            }
            let length: usize = length.parse().with_context(|| format!("{length}: no number of bytes"))?;
            Ok(Some(rest.split_off(..length).context("no store: it is shorter than it says")?.to_vec()))
        };
        let bytes = [part(first)?, part(second)?];
        if !rest.is_empty() {
            bail!("no store: it is longer than it says");
        }
        Ok(Store { size, plies, form, bytes })
    }

    /// What it knows.
    ///
    /// # Errors
    /// The bytes are not of its form.
    pub fn open(&self) -> Result<OpenStore> {
        let read = |bytes: &Option<Vec<u8>>| bytes.as_deref().map(|bytes| self.form.read(self.size, bytes)).transpose();
        let [first, second] = &self.bytes;
        Ok(OpenStore { size: self.size, plies: self.plies, seats: [read(first)?, read(second)?] })
    }
}

/// A store that can be asked.
pub struct OpenStore {
    size: BoardSize,
    plies: u32,
    seats: [Option<Box<dyn Lookup>>; 2],
}

impl OpenStore {
    /// The players that it is for.
    pub fn seats(&self) -> impl Iterator<Item = Seat> {
        Seat::ALL.into_iter().filter(|&seat| self.seats[seat as usize].is_some())
    }

    /// Columns and rows of its board.
    pub fn size(&self) -> BoardSize {
        self.size
    }

    /// It knows positions with fewer stones.
    pub fn plies(&self) -> u32 {
        self.plies
    }

    /// The column, from 0, of its move in a position on which the game goes on; `None` where it does not know one that can be played.
    pub fn column(&self, position: &Position) -> Option<u32> {
        if position.size() != self.size || position.ply() >= self.plies {
            return None;
        }
        let column = self.seats[Seat::to_move(position) as usize].as_ref()?.column(position)?;
        Some(column).filter(|&column| position.can_play(column))
    }

    /// Its moves, found by asking it in every position that they lead to. A store does not hold who wins: all values are 0.
    ///
    /// # Errors
    /// It has no move in one of them.
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
