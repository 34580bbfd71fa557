//! Table: what the transposition table keeps, and when it can tell all keys apart.
//!
//! Every kind answers to the one trait [`Table`]: [`slots`] have one slot a place, [`two_level`] two, [`buckets`] four. [`any`] lists them.
//!
//! Source of the two narrow layouts: P. Pons, "Solving Connect Four", parts 7 and 11. The partial one keeps 32 bits of
//! a key. Two keys that share them and their slot (key modulo a prime number of slots) differ by a multiple of 2^32 x
//! slots. That is more than any key as long as slots > 2^(bits - 32). So in the published size it is exact for keys
//! below about 2^55: for 49-bit keys, not for stride-9 keys (61 bits) and three-state codes (97 bits and more).
//!
//! | layout | bytes a slot | keys it tells apart |
//! | --- | --- | --- |
//! | full | 8 | all of at most 56 bits |
//! | partial | 5 | all of at most 32 bits + log2 of the slots |
//! | wide | 16 | all of at most 120 bits |
//! | hashed | 8 | all but a share of 2^-56 of the pairs (`hash.rs`): never called exact |
//! | buckets | 8 | all of at most 38 bits + log2 of the buckets (`buckets.rs`); of keys of more than 56 bits, 45 + log2 |
//! | buckets | 16 | all of at most 97 bits + log2 of the buckets, for keys of more than 64 bits |
//! | two-level | 16 for two | all of at most 50 bits (`two_level.rs`) |

pub mod any;
pub mod buckets;
mod hash;
pub mod key;
pub mod known;
pub mod slots;
pub mod two_level;
pub mod words;

use crate::axes::Key;
use crate::game::BoardSize;
use crate::game::score::Score;
use known::Known;
use std::fmt;

axis! {
    /// What a slot of the table holds.
    pub enum TableKind = "table" {
        /// no table
        None = "none",
        /// one slot of 8 bytes: the whole key, of up to 56 bits, and a bound (Pons, part 7)
        Full = "full",
        /// one slot of 5 bytes: 32 bits of the key and a bound; exact for keys of at most 32 bits + log2 of the slots: 55 with the published size (Pons, part 11)
        Partial = "partial",
        /// one slot of 16 bytes: the whole key, of up to 120 bits, and a bound
        Wide = "wide",
        /// one slot of 8 bytes: 56 bits of a hash and a bound; each probe of a taken slot is wrong with a chance of at most 2^-56
        Hashed = "hashed",
        /// slots of 8 bytes, or 16 on large boards, in buckets of four: the rest of a mixed key, both bounds and the work behind them; what cost least is replaced; small at first, it grows with its use
        Buckets = "buckets",
        /// two slots of 8 bytes a place: what cost most work stays in one, the rest replaces each other in the other; keys of up to 50 bits (Fhourstones)
        TwoLevel = "two-level",
    }
}

axis! {
    /// Which bounds the table keeps.
    pub enum TableBounds = "table-bounds" {
        /// no table
        None = "none",
        /// the exact score (minimax with caching)
        Score = "score",
        /// upper bounds only (Pons, part 7)
        Upper = "upper",
        /// one bound of either kind, the last written (Pons, part 12)
        Either = "either",
        /// an upper and a lower bound together
        Both = "both",
    }
}

axis! {
    /// How many slots the table has.
    pub enum TableSize = "table-size" {
        /// as many as were published: 8388593 (full), 8388617 (partial), or 8306069 places of two (two-level)
        Published = "published",
        /// as many as fit the bytes asked for with --tt; the largest prime for full, partial and two-level
        Chosen = "chosen",
    }
}

/// A transposition table of any kind.
///
/// It is asked by keys of its own form, which are made once ([`key`](Self::key)) and serve every later question. What it answers are
/// bounds that hold, whoever wrote them and whatever else was written meanwhile.
pub trait Table: Sized + Send {
    type Key: Copy + Default + Send + Sync + 'static;

    /// A cleared table for such contents; in a chosen size it has at most so many bytes.
    fn new(kind: TableKind, size: TableSize, contents: Contents, bytes: u64) -> Result<Self, TableError>;
    fn key(&self, key: u128) -> Self::Key;
    fn prefetch(&self, key: Self::Key);
    /// Whether it may know something of a key: where it says no, a [`probe`](Table::probe) finds nothing.
    #[inline(always)]
    fn may_know(&self, _: Self::Key) -> bool {
        true
    }
    fn probe(&self, key: Self::Key) -> Option<Known>;
    /// Writes what is known of a key, found out by so many nodes. A kind with one bound a slot is given one bound.
    fn store(&mut self, key: Self::Key, known: Known, work: u64);
    /// Makes room for more; a table that grows does so by itself when it has been written to often enough.
    fn grow(&mut self) {}
    fn reset(&mut self);
    /// Bytes that it may come to have; 0 for no table.
    fn bytes(&self) -> u64;

    // What the threads of one search need besides, where a kind can be shared by them.

    /// Grows until it uses so many bytes, or as many as it may have. A table that does not grow by itself stays as it is.
    fn grow_to(&mut self, _bytes: u64) {}
    /// The same table for another thread of one search, or `None` for a kind that threads cannot share. It may be written to by all, but
    /// grows only while all of them wait, and then each must [`follow`](Self::follow).
    fn twin(&self) -> Option<Self> {
        None
    }
    fn arrangement(&self) -> Arrangement {
        Arrangement::default()
    }
    /// From now on it is arranged so, and one of so many that are written to and grow when they are told; 0 where it grows by itself.
    fn follow(&mut self, _: Arrangement, _: u32) {}
    /// Whether it has been written to so often that it should [`grow`](Table::grow), and waits to be told.
    fn wants_growth(&self) -> bool {
        false
    }
    /// A number that belongs to a key, for whoever keeps notes of keys: equal for equal keys, and seldom for others.
    fn number(_: Self::Key) -> u64 {
        0
    }
}

/// How a table is arranged: where its slots are, and which of them count.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Arrangement {
    /// Bits of a tag: the rest of a key is its place.
    tag_bits: u32,
    /// The generation of what is written.
    age: u32,
    /// The most places that were in use.
    used: usize,
    /// Writes until it grows, by all who write to it together.
    left: u64,
}

impl Arrangement {
    /// Counts how often the table was cleared; it begins anew at times.
    pub fn generation(self) -> u32 {
        self.age
    }

    /// Whether both look for keys in the same places.
    pub fn is_alike(self, other: Self) -> bool {
        (self.tag_bits, self.age, self.used) == (other.tag_bits, other.age, other.used)
    }
}

impl TableKind {
    /// Bytes of a slot, or of a place with two; 0 without a table.
    pub fn slot_bytes(self) -> u64 {
        match self {
            TableKind::None => 0,
            TableKind::Full | TableKind::Hashed | TableKind::Buckets => 8,
            TableKind::Partial => 5,
            TableKind::Wide | TableKind::TwoLevel => 16,
        }
    }

    /// The widest key that it can hold, however many slots it has.
    const fn most_key_bits(self) -> u32 {
        match self {
            TableKind::None | TableKind::Hashed | TableKind::Buckets => u32::MAX,
            TableKind::Full => 56,
            TableKind::Partial => 32 + 40,
            TableKind::Wide => 120,
            TableKind::TwoLevel => two_level::KEY_BITS,
        }
    }

    /// The least number of slots that tells keys of so many bits apart.
    fn least_slots(self, bits: u32) -> Result<u64, TableError> {
        let most = self.most_key_bits();
        match self {
            _ if bits > most => Err(TableError::KeyTooWide(bits, most)),
            TableKind::Partial => Ok(1 + (1 << bits.saturating_sub(32))),
            _ => Ok(2),
        }
    }

    /// Whether it takes keys of more bits than the exact key of the standard board: those of stride 9, and colorless ones.
    pub fn takes_wide_keys(self) -> bool {
        match self {
            TableKind::None | TableKind::Wide | TableKind::Hashed => true,
            TableKind::Full | TableKind::Partial | TableKind::Buckets | TableKind::TwoLevel => false,
        }
    }

    /// The chance, at most, that one of so many probes was told of another position than it asked for; 0 for all
    /// but [`TableKind::Hashed`].
    pub fn risk(self, probes: f64) -> f64 {
        if self == TableKind::Hashed { probes / (1u64 << 56) as f64 } else { 0.0 }
    }
}

/// Keys of so many bits, and bounds of scores that lie within a limit of 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Contents {
    pub key_bits: u32,
    /// How far from 0 a score can be. A search may ask for one further down.
    pub limit: Score,
}

/// How much room the slots of a kind have, where a kind has several layouts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SlotRoom {
    Standard,
    /// A longer tag, in as many bytes.
    LongTag,
    /// Two words for keys beyond 64 bits, a byte for each bound.
    Double,
}

impl Contents {
    /// Keys of boards of a size in a layout of that stride, and their scores.
    pub const fn of(key: Key, size: BoardSize, stride: u32) -> Self {
        Contents { key_bits: key.bits(size, stride), limit: size.limit() }
    }

    /// Keys of so many bits, and the scores of any board that fits 64 bits.
    pub const fn keys(key_bits: u32) -> Self {
        Contents { key_bits, limit: 31 }
    }

    pub const fn room(self, kind: TableKind) -> SlotRoom {
        match kind {
            TableKind::Buckets if self.key_bits > 64 || self.limit > 31 => SlotRoom::Double,
            TableKind::Buckets if self.key_bits > 56 => SlotRoom::LongTag,
            TableKind::Wide if self.limit > 31 => SlotRoom::Double,
            _ => SlotRoom::Standard,
        }
    }

    /// Whether a kind has a layout for them: what is compiled for a board asks, so that a build is refused and no bound is ever cut short.
    pub const fn are_held_by(self, kind: TableKind) -> bool {
        let scores = match self.room(kind) {
            SlotRoom::Double => 62,
            SlotRoom::Standard | SlotRoom::LongTag => 31,
        };
        let keys = match (kind, self.room(kind)) {
            (TableKind::Wide, SlotRoom::Double) => 112,
            (TableKind::Buckets, _) => 128,
            _ => kind.most_key_bits(),
        };
        matches!(kind, TableKind::None) || self.limit <= scores && self.key_bits <= keys
    }

    /// Whether keys of `bits`, and scores within `limit` of 0, are enough.
    fn fits(self, bits: u32, limit: Score) -> Result<(), TableError> {
        match self {
            Contents { key_bits, .. } if key_bits > bits => Err(TableError::KeyTooWide(key_bits, bits)),
            Contents { limit: asked, .. } if asked > limit => Err(TableError::ScoresTooFar(asked, limit)),
            _ => Ok(()),
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TableError {
    /// The bytes asked for, and the least number of bytes that would do.
    TooSmall(u64, u64),
    /// The bits of a key, and the least number of bytes that would tell such keys apart: the published size does not.
    PublishedTooSmall(u32, u64),
    /// The bytes asked for cannot be had, and what the system says is available, if it says so.
    OutOfMemory(u64, Option<u64>),
    KeyTooWide(u32, u32),
    /// How far from 0 scores are, and how far the layout's bounds go.
    ScoresTooFar(Score, Score),
}

impl fmt::Display for TableError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooSmall(bytes, least) => {
                write!(f, "a table of {bytes} bytes is too small for this layout: at least {least} bytes")
            }
            Self::PublishedTooSmall(bits, least) => {
                write!(
                    f,
                    "a table of the published size cannot tell keys of {bits} bits apart: choose \
                     table-size=chosen, and at least {least} bytes"
                )
            }
            Self::OutOfMemory(bytes, Some(available)) => {
                write!(f, "no memory for a table of {bytes} bytes ({available} bytes are available)")
            }
            Self::OutOfMemory(bytes, None) => write!(f, "no memory for a table of {bytes} bytes"),
            Self::KeyTooWide(bits, most) => {
                write!(f, "keys of {bits} bits do not fit this layout, which holds {most}")
            }
            Self::ScoresTooFar(limit, most) => {
                write!(f, "scores up to {limit} do not fit this layout, which holds {most}")
            }
        }
    }
}

impl std::error::Error for TableError {}
