//! Any table: the kind that a choice at run time takes, and the kind that a fixed choice is compiled for.

use crate::axes::table::buckets::Buckets;
use crate::axes::table::known::Known;
use crate::axes::table::slots::{Full, Hashed, Partial, Slots, Wide, Word};
use crate::axes::table::two_level::TwoLevel;
use crate::axes::table::{Table, TableError, TableKind, TableSize};

/// No table: it is never asked.
#[derive(Debug)]
pub struct NoTable;

impl Table for NoTable {
    type Key = ();

    fn new(_: TableKind, _: TableSize, _: u32, _: u64) -> Result<Self, TableError> {
        Ok(NoTable)
    }

    #[inline(always)]
    fn key(&self, _: u128) {}

    #[inline(always)]
    fn prefetch(&self, (): ()) {}

    #[inline(always)]
    fn probe(&self, (): ()) -> Option<Known> {
        None
    }

    #[inline(always)]
    fn store(&mut self, (): (), _: Known, _: u64) {}

    fn reset(&mut self) {}

    fn bytes(&self) -> u64 {
        0
    }
}

/// A number for each kind and size that a search is compiled for.
pub struct Compiled<const NUMBER: usize>;

/// The table of a number.
pub trait HasTable {
    /// The table.
    type Table: Table;
}

/// Lists the tables: a number, its kind and size, its type.
macro_rules! tables {
    ($( $number:literal $arm:ident: $kind:ident $(of $size:ident)? = $table:ty, )+) => {
        $( impl HasTable for Compiled<$number> { type Table = $table; } )+

        /// The number of a kind and size.
        pub const fn number(kind: TableKind, size: TableSize) -> usize {
            match (kind, size) {
                $( (TableKind::$kind, tables!(@size $($size)?)) => $number, )+
            }
        }

        /// A table whose kind is known at run time alone.
        #[derive(Debug)]
        pub enum AnyTable { $( #[doc = concat!("See [`TableKind::", stringify!($kind), "`].")] $arm($table), )+ }

        impl Table for AnyTable {
            /// The whole key: each kind takes as much of it as it needs, when it is asked.
            type Key = u128;

            fn new(kind: TableKind, size: TableSize, key_bits: u32, bytes: u64) -> Result<Self, TableError> {
                Ok(match number(kind, size) {
                    $( $number => AnyTable::$arm(Table::new(kind, size, key_bits, bytes)?), )+
                    _ => unreachable!("every number has its table"),
                })
            }

            #[inline(always)]
            fn key(&self, key: u128) -> u128 {
                key
            }

            #[inline(always)]
            fn prefetch(&self, key: u128) {
                match self { $( AnyTable::$arm(table) => table.prefetch(table.key(key)), )+ }
            }

            #[inline(always)]
            fn probe(&self, key: u128) -> Option<Known> {
                match self { $( AnyTable::$arm(table) => table.probe(table.key(key)), )+ }
            }

            #[inline(always)]
            fn store(&mut self, key: u128, known: Known, work: u64) {
                match self { $( AnyTable::$arm(table) => table.store(table.key(key), known, work), )+ }
            }

            fn grow(&mut self) {
                match self { $( AnyTable::$arm(table) => table.grow(), )+ }
            }

            fn reset(&mut self) {
                match self { $( AnyTable::$arm(table) => table.reset(), )+ }
            }

            fn bytes(&self) -> u64 {
                match self { $( AnyTable::$arm(table) => table.bytes(), )+ }
            }

            fn share(&mut self) -> Option<Self> {
                match self { $( AnyTable::$arm(table) => table.share().map(AnyTable::$arm), )+ }
            }
        }
    };
    (@size) => { _ };
    (@size $size:ident) => { TableSize::$size };
}

tables! {
    0 Nothing: None = NoTable,
    1 FullPublished: Full of Published = Slots<Word<Full<true>>>,
    2 FullChosen: Full of Chosen = Slots<Word<Full<false>>>,
    3 PartialPublished: Partial of Published = Slots<Partial<true>>,
    4 PartialChosen: Partial of Chosen = Slots<Partial<false>>,
    5 AnyWide: Wide = Slots<Wide>,
    6 AnyHashed: Hashed = Slots<Word<Hashed>>,
    7 Bucketed: Buckets = Buckets,
    8 TwoLevelPublished: TwoLevel of Published = Slots<TwoLevel<true>>,
    9 TwoLevelChosen: TwoLevel of Chosen = Slots<TwoLevel<false>>,
}
