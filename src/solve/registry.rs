//! The named variants: one line of documentation, a type, a name and a spec each.
//!
//! The documentation is the rustdoc of the type, the line that `c4lab list variants` prints and the one in reports.

use super::engine::Engine;
use super::solver::{BuildError, Options, Solver};
use super::spec::{Spec, unknown};
use super::variant::{Counted, Dynamic, Variant};
use crate::axes::{Anticipation, Order, Pruning, Root, StaticBounds, Storage, Table, TableBounds, TableSize};
use crate::game::Standard;

/// A named variant.
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    /// Its name on the command line and in tables.
    pub name: &'static str,
    /// What it is, in one line.
    pub about: &'static str,
    /// Its choice on every axis.
    pub spec: Spec,
    build: fn(&Options) -> Result<Box<dyn Solver>, BuildError>,
}

impl Entry {
    /// Builds its solver, compiled for this variant alone.
    pub fn build(&self, options: &Options) -> Result<Box<dyn Solver>, BuildError> {
        (self.build)(options)
    }

    /// Builds the same choice with the branches left in: it must agree with [`build`](Self::build) in score and nodes.
    pub fn build_dynamic(&self, options: &Options) -> Result<Box<dyn Solver>, BuildError> {
        build(self.spec, options)
    }

    /// Builds the same choice counting what its table does: for passes that are not timed.
    pub fn build_counted(&self, options: &Options) -> Result<Box<dyn Solver>, BuildError> {
        Ok(Box::new(Engine::new(Counted::<Standard>::new(self.spec), options)?))
    }
}

/// Declares the named variants and [`ALL`].
macro_rules! variants {
    ($( $(#[doc = $about:literal])+ $type:ident = $name:literal: $spec:expr, )+) => {
        $(
            $(#[doc = $about])+
            #[derive(Clone, Copy, Debug)]
            pub struct $type;

            impl Variant for $type {
                type Geometry = Standard;
                #[inline(always)]
                fn spec(self) -> Spec {
                    const { $spec }
                }
            }
        )+

        /// Every named variant, in the order of `list`.
        pub static ALL: &[Entry] = &[$(
            Entry {
                name: $name,
                about: concat!($($about),+).trim_ascii(),
                spec: $spec,
                build: |options| Ok(Box::new(Engine::new($type, options)?)),
            },
        )+];
    };
}

/// The variant that `solve` uses unless told otherwise, and whose signature every manifest holds.
pub const DEFAULT: &str = "pons-12";

/// Pons, part 3.
pub const PONS_03: Spec = Spec {
    storage: Storage::Array,
    pruning: Pruning::Minimax,
    anticipation: Anticipation::Wins,
    order: Order::LeftToRight,
    bounds: StaticBounds::None,
    table: Table::None,
    table_bounds: TableBounds::None,
    table_size: TableSize::Chosen,
    root: Root::Window,
};
/// Pons, part 4.
pub const PONS_04: Spec = Spec { pruning: Pruning::AlphaBeta, bounds: StaticBounds::Upper, ..PONS_03 };
/// Pons, part 5.
pub const PONS_05: Spec = Spec { order: Order::Centre, ..PONS_04 };
/// Pons, part 6.
pub const PONS_06: Spec = Spec { storage: Storage::Bitboard, ..PONS_05 };
/// Pons, part 7.
pub const PONS_07: Spec =
    Spec { table: Table::Full, table_bounds: TableBounds::Upper, table_size: TableSize::Published, ..PONS_06 };
/// Pons, part 8.
pub const PONS_08: Spec = Spec { root: Root::Bisect, ..PONS_07 };
/// Pons, part 9.
pub const PONS_09: Spec = Spec { anticipation: Anticipation::Losses, bounds: StaticBounds::Both, ..PONS_08 };
/// Pons, part 10.
pub const PONS_10: Spec = Spec { order: Order::Threats, ..PONS_09 };
/// Pons, part 11.
pub const PONS_11: Spec = Spec { table: Table::Partial, ..PONS_10 };
/// Pons, part 12.
pub const PONS_12: Spec = Spec { table_bounds: TableBounds::Either, ..PONS_11 };

variants! {
    /// Pons, part 3: minimax on an array board, immediate wins tested first
    Pons03 = "pons-03": PONS_03,
    /// Pons, part 4: alpha-beta, and the upper bound of a mover without an immediate win
    Pons04 = "pons-04": PONS_04,
    /// Pons, part 5: columns from the centre out
    Pons05 = "pons-05": PONS_05,
    /// Pons, part 6: bitboards instead of the array; the same nodes
    Pons06 = "pons-06": PONS_06,
    /// Pons, part 7: a transposition table of upper bounds, full keys, 64 MB
    Pons07 = "pons-07": PONS_07,
    /// Pons, part 8: null windows that bisect the range of scores
    Pons08 = "pons-08": PONS_08,
    /// Pons, part 9: moves that lose at once are skipped; the lower bound that follows
    Pons09 = "pons-09": PONS_09,
    /// Pons, part 10: moves that create most winning squares first
    Pons10 = "pons-10": PONS_10,
    /// Pons, part 11: partial keys and a prime number of slots, 40 MB
    Pons11 = "pons-11": PONS_11,
    /// Pons, part 12: lower bounds kept in the same slots
    Pons12 = "pons-12": PONS_12,
}

/// A solver of any choice, named or not, with the branches left in.
pub fn build(spec: Spec, options: &Options) -> Result<Box<dyn Solver>, BuildError> {
    Ok(Box::new(Engine::new(Dynamic::<Standard>::new(spec), options)?))
}

/// The variant of that name, or a message that suggests the nearest one.
pub fn find(name: &str) -> Result<&'static Entry, String> {
    ALL.iter()
        .find(|entry| entry.name == name)
        .ok_or_else(|| unknown("variant", name, ALL.iter().map(|entry| entry.name)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_distinct_and_specs_valid() {
        for (index, entry) in ALL.iter().enumerate() {
            assert!(entry.spec.validate().is_ok(), "{}", entry.name);
            assert!(!entry.about.is_empty());
            assert!(ALL[..index].iter().all(|other| other.name != entry.name && other.spec != entry.spec));
        }
        assert!(find(DEFAULT).is_ok());
    }

    #[test]
    fn an_unknown_name_suggests_the_nearest() {
        assert_eq!(find("pons12").err().unwrap(), "no variant \"pons12\"; nearest: \"pons-12\"");
    }
}
