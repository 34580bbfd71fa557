//! The axes: one file a technique, each an enum of published alternatives and the plain functions behind it.
//!
//! Every enum is declared by one macro, so that its values, their names on the command line, in tables and in
//! CSV columns, and their one-line descriptions are the same text everywhere. A new technique is an arm here,
//! its arm in the function below the enum, and a line in the registry of variants.

/// One choice between published alternatives.
pub trait Axis: Copy + Eq + 'static {
    /// The name of the axis: a key of `--spec key=value`.
    const KEY: &'static str;
    /// All alternatives.
    const ALL: &'static [Self];

    /// The name of an alternative: a value of `--spec key=value`.
    fn value(self) -> &'static str;
    /// What the alternative is, in one line.
    fn about(self) -> &'static str;

    /// The alternative of that name.
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
pub mod array;
pub mod bound;
pub mod bounds;
pub mod buckets;
pub mod children;
pub mod claims;
pub mod enhanced;
mod hash;
pub mod history;
pub mod key;
pub mod lanes;
pub mod layout;
pub mod line;
pub mod make_undo;
pub mod memory;
pub mod order;
mod primes;
pub mod pruning;
pub mod root;
pub mod search;
pub mod slots;
pub mod storage;
pub mod table;
pub mod threats;
pub mod wins;

pub use anticipation::Anticipation;
pub use bounds::StaticBounds;
pub use claims::Claims;
pub use enhanced::Enhanced;
pub use key::Key;
pub use layout::Layout;
pub use order::Order;
pub use pruning::Pruning;
pub use root::Root;
pub use search::Search;
pub use storage::Storage;
pub use table::{Table, TableBounds, TableSize};
pub use threats::Threats;
pub use wins::Wins;
