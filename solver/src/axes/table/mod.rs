//! Table: the contents of the transposition table, and the tables that are exact for a key.
//!
//! All kinds implement [`Table`]: [`slots`] with one slot a place, [`two_level`] with two, [`buckets`] with four.
//!
//! Source of the two narrow layouts: P. Pons, "Solving Connect Four", parts 7 and 11. The partial layout keeps 32 bits
//! of a key. Two keys that share these bits and their slot (key modulo a prime number of slots) differ by a multiple of
//! 2^32 x slots. That is more than any key if slots > 2^(bits - 32). So in the published size it is exact for keys
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
/// A key is made once in the table's own form ([`key`](Self::key)) and serves every later probe. A probe gives bounds
/// that hold, even if other threads write meanwhile.
pub trait Table: Sized + Send {
    type Key: Copy + Default + Send + Sync + 'static;

    /// A cleared table for `contents`. With [`TableSize::Chosen`] it has at most `bytes` bytes.
    fn new(kind: TableKind, size: TableSize, contents: Contents, bytes: u64) -> Result<Self, TableError>;
    fn key(&self, key: u128) -> Self::Key;
    fn prefetch(&self, key: Self::Key);
    /// If false, a [`probe`](Table::probe) for this key finds nothing.
    #[inline(always)]
    fn may_know(&self, _: Self::Key) -> bool {
        true
    }
    fn probe(&self, key: Self::Key) -> Option<Known>;
    /// Writes bounds of a key that cost `work` nodes. A kind with one bound a slot takes one bound.
    fn store(&mut self, key: Self::Key, known: Known, work: u64);
    /// Makes room for more. A table that grows does so by itself after a number of writes.
    fn grow(&mut self) {}
    fn reset(&mut self);
    /// The largest size that it may grow to, in bytes; 0 for no table.
    fn bytes(&self) -> u64;
}

/// A table for several threads of one search, where a kind can be shared.
pub trait SharedTable: Table {
    /// Grows until it uses `bytes` bytes, or its largest size. A table that does not grow does nothing.
    fn grow_to(&mut self, _bytes: u64) {}
    /// This table for another thread of the search, or `None` for a kind that threads cannot share. All threads may
    /// write to it. It grows only while all of them wait; then each must [`follow`](Self::follow).
    fn twin(&self) -> Option<Self> {
        None
    }
    fn arrangement(&self) -> Arrangement {
        Arrangement::default()
    }
    /// Adopts an arrangement, for a number of threads that write to the table; 0 if it grows on its own.
    fn follow(&mut self, _: Arrangement, _: u32) {}
    /// True if the number of writes calls for a [`grow`](Table::grow), and the table waits for it.
    fn wants_growth(&self) -> bool {
        false
    }
    /// A number for a key, for notes about keys outside of the table: equal for equal keys, seldom equal for others.
    fn number(_: Self::Key) -> u64 {
        0
    }
}

/// The arrangement of a table: where its slots are, and which of them are valid.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Arrangement {
    /// Bits of a tag. The other bits of a key are its place.
    tag_bits: u32,
    /// The generation of entries written now.
    age: u32,
    /// The most places that were in use.
    used: usize,
    /// Writes until it grows, of all threads together.
    left: u64,
}

impl Arrangement {
    /// The number of times that the table was cleared; it wraps around.
    pub fn generation(self) -> u32 {
        self.age
    }

    /// True if both look for keys in the same places.
    pub fn is_alike(self, other: Self) -> bool {
        (self.tag_bits, self.age, self.used) == (other.tag_bits, other.age, other.used)
    }
}

impl TableKind {
    /// Bytes of a slot, or of a place with two slots; 0 without a table.
    pub fn slot_bytes(self) -> u64 {
        match self {
            TableKind::None => 0,
            TableKind::Full | TableKind::Hashed | TableKind::Buckets => 8,
            TableKind::Partial => 5,
            TableKind::Wide | TableKind::TwoLevel => 16,
        }
    }

    /// The widest key that it can hold with any number of slots.
    const fn most_key_bits(self) -> u32 {
        match self {
            TableKind::None | TableKind::Hashed | TableKind::Buckets => u32::MAX,
            TableKind::Full => 56,
            TableKind::Partial => 32 + 40,
            TableKind::Wide => 120,
            TableKind::TwoLevel => two_level::KEY_BITS,
        }
    }

    /// The least number of slots that tells keys of `bits` bits apart.
    fn least_slots(self, bits: u32) -> Result<u64, TableError> {
        let most = self.most_key_bits();
        match self {
            _ if bits > most => Err(TableError::KeyTooWide(bits, most)),
            TableKind::Partial => Ok(1 + (1 << bits.saturating_sub(32))),
            _ => Ok(2),
        }
    }

    /// True if it takes wider keys than the exact key of the standard board: those of stride 9, and colorless keys.
    pub fn takes_wide_keys(self) -> bool {
        match self {
            TableKind::None | TableKind::Wide | TableKind::Hashed | TableKind::Buckets => true,
            TableKind::Full | TableKind::Partial | TableKind::TwoLevel => false,
        }
    }

    /// A limit on the chance that one of `probes` probes found another position; 0 for all but [`TableKind::Hashed`].
    pub fn risk(self, probes: f64) -> f64 {
        if self == TableKind::Hashed { probes / (1u64 << 56) as f64 } else { 0.0 }
    }
}

/// Keys of `key_bits` bits, and bounds of scores within `limit` of 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Contents {
    pub key_bits: u32,
    /// The largest distance of a score from 0. A search may test a bound one below it.
    pub limit: Score,
}

/// The room in a slot, where a kind has several layouts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SlotRoom {
    Standard,
    /// A longer tag, in a slot of equal size.
    LongTag,
    /// Two words for keys beyond 64 bits, a byte for each bound.
    Double,
}

impl Contents {
    /// The keys and scores of boards of `size` in a layout of `stride`.
    pub const fn of(key: Key, size: BoardSize, stride: u32) -> Self {
        Contents { key_bits: key.bits(size, stride), limit: size.limit() }
    }

    /// Keys of `key_bits` bits, and the scores of any board that fits 64 bits.
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

    /// True if `kind` has a layout for them. Code compiled for a board asserts it, so that no bound is ever cut short.
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

    /// Checks that `bits` bits of a key, and scores within `limit` of 0, are enough.
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
    /// The bytes requested, and the least number of bytes that is enough.
    TooSmall(u64, u64),
    /// The bits of a key, and the least bytes that tell such keys apart: the published size has fewer.
    PublishedTooSmall(u32, u64),
    /// The bytes requested, and the bytes that the system reports as available, if it does.
    OutOfMemory(u64, Option<u64>),
    KeyTooWide(u32, u32),
    /// The largest distance of scores from 0, and the largest that the layout's bounds hold.
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
                write!(f, "no memory for a table of {bytes} bytes ({available} bytes are available within the limits)")
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
