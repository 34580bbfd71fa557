//! The bot of "Creating the (nearly) perfect connect-four bot with limited move time and file size" (G. Vandewiele), as it
//! grows in that article. Its last step is told in a sentence: the order by heuristics is taken to be the centre, the
//! subtrees that lead to a loss those that lose at once.

use crate::axes::{Anticipation, Order, Root, StaticBounds, TableBounds, TableKind};
use crate::search::Spec;
use crate::search::registry::PONS_06;

/// Alpha-beta on bit strings.
pub const BOT_BASELINE: Spec =
    Spec { anticipation: Anticipation::None, order: Order::LeftToRight, bounds: StaticBounds::None, ..PONS_06 };
/// With a cache of bounds.
pub const BOT_CACHE: Spec = Spec { table: TableKind::Full, table_bounds: TableBounds::Either, ..BOT_BASELINE };
/// A win is seen a move before.
pub const BOT_EARLY_WIN: Spec = Spec { anticipation: Anticipation::Wins, ..BOT_CACHE };
/// Any winning path.
pub const BOT_ANY_WIN: Spec = Spec { root: Root::Sign, ..BOT_EARLY_WIN };
/// All of it.
pub const BOT_FINAL: Spec = Spec { anticipation: Anticipation::Losses, order: Order::Centre, ..BOT_ANY_WIN };
