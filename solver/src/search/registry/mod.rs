//! The named variants, and the solver of any choice.

use boards::compiled_for;

use crate::axes::Layout;
use crate::axes::table::Contents;
use crate::axes::table::any::compiled;
use crate::game::BoardSize;
use crate::search::name::NameError;
use crate::search::searcher::Searcher;
use crate::search::solver::{BuildError, Options, Solve};
use crate::search::spec::Spec;
use crate::search::variant::Variant;

mod boards;
mod specs;
mod variants;

pub use boards::{boards, build, build_counted, build_on, is_searched, perft, proven, takes_any_choice, view};
pub use specs::*;
pub use variants::{ALL, Champion, Pons12, Pons12TableWide};

/// True with the Cargo feature `ablations`: it compiles the one-change neighbours of variants, and the dynamic
/// variants' search for every SIMD level, for threads, and for the layout of stride 9.
pub const ABLATIONS: bool = cfg!(feature = "ablations");

/// The optimisation of this solver.
pub const OPT_LEVEL: &str = env!("C4LAB_SOLVER_OPT_LEVEL");

/// The command that compiles the code of that feature.
pub const WITH_ABLATIONS: &str = "cargo build --release --features ablations";

/// The default variant of `solve`; every manifest holds its signature. It uses the vectors of its processor, or none,
/// with the same scores and nodes.
pub const DEFAULT: &str = "champion";

type Build = fn(&Options) -> Result<Box<dyn Solve>, BuildError>;

#[derive(Clone, Copy, Debug)]
pub struct Entry {
    /// Its name on the command line and in tables.
    pub name: &'static str,
    pub about: &'static str,
    pub spec: Spec,
    /// Its own search on the standard board, if one is compiled.
    build: Option<Build>,
}

impl Entry {
    /// Builds its solver: the search compiled for this variant on the standard board and on those where
    /// [`is_compiled`](Self::is_compiled); else the dynamic variant.
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

    /// The error is the reason why this build does not run it under its name on the standard board.
    pub fn available(&self) -> Result<(), &'static str> {
        available(self.spec, self.is_compiled(BoardSize::STANDARD))
    }

    /// True if this build runs it at all on the standard board: vectors may be emulated.
    pub fn runs(&self) -> bool {
        self.spec.runs().is_ok() && is_built(self.spec, self.is_compiled(BoardSize::STANDARD))
    }
}

pub fn compiled_on(board: BoardSize) -> impl Iterator<Item = &'static Entry> {
    ALL.iter().filter(move |entry| entry.is_compiled(board))
}

/// The number of the table of a choice on the standard board.
const fn table_of(spec: Spec, stride: u32) -> usize {
    compiled(spec.table, spec.table_size, Contents::of(spec.key, BoardSize::STANDARD, stride))
}

pub fn named(spec: Spec) -> Option<&'static Entry> {
    ALL.iter().find(|entry| entry.spec == spec)
}

pub fn find(name: &str) -> Result<&'static Entry, NameError> {
    let unknown = || NameError::unknown("variant", name, ALL.iter().map(|entry| entry.name));
    ALL.iter().find(|entry| entry.name == name).ok_or_else(unknown)
}

/// The error is the reason why this build does not run a choice under its name.
pub(in crate::search) fn available(spec: Spec, is_compiled: bool) -> Result<(), &'static str> {
    if is_built(spec, is_compiled) { spec.available() } else { Err(WITHOUT_STRIDE_9) }
}

/// True if there is a search of a choice: dynamic variants do not have every layout.
const fn is_built(spec: Spec, is_compiled: bool) -> bool {
    is_compiled || ABLATIONS || !matches!(spec.layout, Layout::Spaced)
}

/// Why a dynamic variant with the layout of stride 9 does not run.
pub(in crate::search) const WITHOUT_STRIDE_9: &str =
    "layout=spaced at run time needs the Cargo feature ablations: cargo build --release --features ablations";

fn boxed<V: Variant>(variant: V, options: &Options) -> Result<Box<dyn Solve>, BuildError> {
    Ok(Box::new(Searcher::new(variant, options)?))
}
