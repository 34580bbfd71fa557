//! The named variants, and how a solver of any choice is built.

use boards::compiled_for;

use crate::axes::Layout;
use crate::axes::table::Contents;
use crate::axes::table::any::compiled;
use crate::game::BoardSize;
use crate::search::name::Unknown;
use crate::search::searcher::Searcher;
use crate::search::solver::{BuildError, Options, Solve};
use crate::search::spec::Spec;
use crate::search::variant::Variant;

mod boards;
mod specs;
mod variants;

pub use boards::{boards, build, build_counted, is_searched, perft, proven, sample, takes_any_choice, view};
pub use specs::*;
pub use variants::{ALL, Champion, Pons12, Pons12TableWide};

/// Whether the one-change neighbours of variants are compiled, and the search at run time for every SIMD level, for threads, and for the
/// layout of stride 9: the Cargo feature `ablations`.
pub const ABLATIONS: bool = cfg!(feature = "ablations");

/// What is to be done where something is compiled with the feature alone.
pub const WITH_ABLATIONS: &str = "cargo build --release --features ablations";

/// The variant that `solve` uses unless told otherwise, and whose signature every manifest holds. It has the vectors of the
/// processor that it runs on, or none. Scores and nodes are the same.
pub const DEFAULT: &str = "champion";

type Build = fn(&Options) -> Result<Box<dyn Solve>, BuildError>;

#[derive(Clone, Copy, Debug)]
pub struct Entry {
    /// Its name on the command line and in tables.
    pub name: &'static str,
    /// What it is, in one line.
    pub about: &'static str,
    pub spec: Spec,
    /// Its search on the standard board, where one is compiled for it alone.
    build: Option<Build>,
}

impl Entry {
    /// Builds its solver: compiled for this variant alone on the standard board, and on any other that it is compiled for
    /// ([`is_compiled`](Self::is_compiled)); else the search at run time.
    pub fn build(&self, options: &Options) -> Result<Box<dyn Solve>, BuildError> {
        let compiled = match options.board {
            BoardSize::STANDARD => self.build.map(|build| build(options)),
            _ => boards::compiled(self.spec, options),
        };
        compiled.unwrap_or_else(|| build(self.spec, options))
    }

    pub fn is_compiled(&self, board: BoardSize) -> bool {
        if board == BoardSize::STANDARD { self.build.is_some() } else { compiled_for(board).contains(&self.spec) }
    }

    /// Whether this build runs it as it is named on the standard board, or why not.
    pub fn available(&self) -> Result<(), &'static str> {
        available(self.spec, self.is_compiled(BoardSize::STANDARD))
    }

    /// Whether this build runs it at all on the standard board: vectors may be emulated.
    pub fn runs(&self) -> bool {
        self.spec.runs().is_ok() && is_built(self.spec, self.is_compiled(BoardSize::STANDARD))
    }
}

pub fn compiled_on(board: BoardSize) -> impl Iterator<Item = &'static Entry> {
    ALL.iter().filter(move |entry| entry.is_compiled(board))
}

/// The number of the table that a choice has on the standard board.
const fn table_of(spec: Spec, stride: u32) -> usize {
    compiled(spec.table, spec.table_size, Contents::of(spec.key, BoardSize::STANDARD, stride))
}

pub fn named(spec: Spec) -> Option<&'static Entry> {
    ALL.iter().find(|entry| entry.spec == spec)
}

pub fn find(name: &str) -> Result<&'static Entry, Unknown> {
    let unknown = || Unknown::new("variant", name, ALL.iter().map(|entry| entry.name));
    ALL.iter().find(|entry| entry.name == name).ok_or_else(unknown)
}

/// Whether this build runs a choice as it is named, or why not.
pub(in crate::search) fn available(spec: Spec, is_compiled: bool) -> Result<(), &'static str> {
    spec.available()?;
    if is_built(spec, is_compiled) { Ok(()) } else { Err(WITHOUT_STRIDE_9) }
}

/// Whether there is a search of a choice: at run time, not every layout has one.
const fn is_built(spec: Spec, is_compiled: bool) -> bool {
    is_compiled || ABLATIONS || !matches!(spec.layout, Layout::Spaced)
}

/// Why a choice with the layout of stride 9 does not run at run time.
pub(in crate::search) const WITHOUT_STRIDE_9: &str =
    "layout=spaced at run time needs the Cargo feature ablations: cargo build --release --features ablations";

fn boxed<V: Variant>(variant: V, options: &Options) -> Result<Box<dyn Solve>, BuildError> {
    Ok(Box::new(Searcher::new(variant, options)?))
}
