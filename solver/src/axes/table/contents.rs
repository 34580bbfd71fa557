//! Contents: what a table is to hold. Its layout follows from that, and a table that has no room for it is refused.

use crate::axes::Key;
use crate::axes::table::{TableError, TableKind};
use crate::game::BoardSize;
use crate::game::score::Score;

/// Keys of so many bits, and bounds of scores that lie within a limit of 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Contents {
    /// The low bits that a key can use.
    pub key_bits: u32,
    /// How far from 0 a score can be. A search may ask for one further down.
    pub limit: Score,
}

/// How much room the slots of a kind have, where a kind has several layouts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SlotRoom {
    /// That of the standard board.
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

    /// The layout that a kind has for them.
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
    ///
    /// # Errors
    /// What does not fit.
    pub(super) fn fits(self, bits: u32, limit: Score) -> Result<(), TableError> {
        match self {
            Contents { key_bits, .. } if key_bits > bits => Err(TableError::KeyTooWide(key_bits, bits)),
            Contents { limit: asked, .. } if asked > limit => Err(TableError::ScoresTooFar(asked, limit)),
            _ => Ok(()),
        }
    }
}
