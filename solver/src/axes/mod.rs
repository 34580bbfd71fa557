//! The axes: one file for each technique, with an enum of published alternatives and the plain functions behind it.
//!
//! One macro declares every enum, so its values have the same names and one-line descriptions on the command line, in
//! tables and in CSV columns. `docs/ADDING.md` has the steps for a new technique.

pub trait Axis: Copy + Eq + 'static {
    /// The name of the axis: a key of `--spec key=value`.
    const KEY: &'static str;
    const ALL: &'static [Self];

    /// The name of an alternative: a value of `--spec key=value`.
    fn value(self) -> &'static str;
    fn about(self) -> &'static str;

    fn parse(value: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|alternative| alternative.value() == value)
    }
}

/// Declares an axis: its key and, for every arm, documentation and value.
macro_rules! axis {
    (
        $(#[$about:meta])*
        pub enum $name:ident = $key:literal {
            $( $(#[doc = $text:literal])+ $arm:ident = $value:literal, )+
        }
    ) => {
        $(#[$about])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum $name { $( $(#[doc = $text])+ $arm, )+ }

        impl $crate::axes::Axis for $name {
            const KEY: &'static str = $key;
            const ALL: &'static [Self] = &[$( Self::$arm ),+];
            fn value(self) -> &'static str {
                match self { $( Self::$arm => $value, )+ }
            }
            fn about(self) -> &'static str {
                match self { $( Self::$arm => concat!($($text),+).trim_ascii(), )+ }
            }
        }
    };
}

pub mod anticipation;
pub mod board;
pub mod bounds;
pub mod enhanced;
pub mod history;
pub mod horizon;
pub mod late;
pub mod level;
pub mod lines;
pub mod order;
pub mod processor;
pub mod root;
pub mod rules;
pub mod search;
pub mod table;
pub mod waiting;
pub mod zugzwang;

pub use anticipation::Anticipation;
pub use board::storage::{Layout, Storage};
pub use bounds::{Pruning, StaticBounds};
pub use enhanced::Enhanced;
pub use late::Late;
pub use lines::threats::Threats;
pub use lines::wins::Wins;
pub use order::Order;
pub use root::Root;
pub use search::Search;
pub use table::key::Key;
pub use table::{TableBounds, TableKind, TableSize};
pub use waiting::Waiting;
pub use zugzwang::Zugzwang;
