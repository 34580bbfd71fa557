//! Any table: the kind chosen at run time, and the kind that a fixed choice is compiled for. Here a geometry picks the
//! layout of its table, by its [`Contents`].

use crate::axes::table::buckets::Buckets;
use crate::axes::table::buckets::layout::{AnyWord, OneWord, TwoWords};
use crate::axes::table::known::Known;
use crate::axes::table::slots::{Full, Hashed, Partial, Slots, Wide};
use crate::axes::table::two_level::TwoLevel;
use crate::axes::table::{Arrangement, Contents, SharedTable, SlotRoom, Table, TableError, TableKind, TableSize};

impl Table for () {
    type Key = ();

    fn new(_: TableKind, _: TableSize, _: Contents, _: u64) -> Result<Self, TableError> {
        Ok(())
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

impl SharedTable for () {}

/// The type of the table with a number. Each kind, size and layout that a search is compiled for has a number.
pub trait HasTable<const NUMBER: usize> {
    type Table: SharedTable;
}

/// The number of the table that a search is compiled for.
///
/// # Panics
/// No layout of the kind has room for the contents. At compile time that fails the build.
pub const fn compiled(kind: TableKind, size: TableSize, contents: Contents) -> usize {
    assert!(contents.are_held_by(kind), "the keys or the scores of this board do not fit such a table");
    number(kind, size, contents)
}

/// Lists the tables: a number, its kind and size, and its type.
macro_rules! tables {
    ($( $number:literal $arm:ident: $kind:ident $(of $size:ident)? $(in $room:ident)? = $table:ty, )+) => {
        $( impl HasTable<$number> for AnyTable { type Table = $table; } )+

        /// The number of a kind and size for these contents.
        pub const fn number(kind: TableKind, size: TableSize, contents: Contents) -> usize {
            match (kind, size, contents.room(kind)) {
                $( (TableKind::$kind, tables!(@size $($size)?), tables!(@room $($room)?)) => $number, )+
                (TableKind::Wide, ..) => unreachable!(),
            }
        }

        #[derive(Debug)]
        pub enum AnyTable { $( #[doc = concat!("See [`TableKind::", stringify!($kind), "`].")] $arm($table), )+ }

        impl Table for AnyTable {
            /// The whole key. Each kind takes the bits that it needs at each call.
            type Key = u128;

            fn new(kind: TableKind, size: TableSize, contents: Contents, bytes: u64) -> Result<Self, TableError> {
                Ok(match number(kind, size, contents) {
                    $( $number => AnyTable::$arm(Table::new(kind, size, contents, bytes)?), )+
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

            // Kept out of line: the code of all tables is large, and a node calls it from many places.
            #[inline(never)]
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
        }

        impl SharedTable for AnyTable {
            fn grow_to(&mut self, bytes: u64) {
                match self { $( AnyTable::$arm(table) => table.grow_to(bytes), )+ }
            }

            fn twin(&self) -> Option<Self> {
                match self { $( AnyTable::$arm(table) => table.twin().map(AnyTable::$arm), )+ }
            }

            fn arrangement(&self) -> Arrangement {
                match self { $( AnyTable::$arm(table) => table.arrangement(), )+ }
            }

            fn follow(&mut self, arrangement: Arrangement, writers: u32) {
                match self { $( AnyTable::$arm(table) => table.follow(arrangement, writers), )+ }
            }

            fn wants_growth(&self) -> bool {
                match self { $( AnyTable::$arm(table) => table.wants_growth(), )+ }
            }

            #[inline(always)]
            fn number(key: u128) -> u64 {
                key as u64 ^ (key >> 64) as u64
            }
        }
    };
    (@size) => { _ };
    (@size $size:ident) => { TableSize::$size };
    (@room) => { _ };
    (@room $room:ident) => { SlotRoom::$room };
}

tables! {
    0 Nothing: None = (),
    1 FullPublished: Full of Published = Slots<Full<true>>,
    2 FullChosen: Full of Chosen = Slots<Full<false>>,
    3 PartialPublished: Partial of Published = Slots<Partial<true>>,
    4 PartialChosen: Partial of Chosen = Slots<Partial<false>>,
    5 Wide: Wide in Standard = Slots<Wide<u8>>,
    6 Hashed: Hashed = Slots<Hashed>,
    7 Bucketed: Buckets in Standard = Buckets<OneWord>,
    8 TwoLevelPublished: TwoLevel of Published = Slots<TwoLevel<true>>,
    9 TwoLevelChosen: TwoLevel of Chosen = Slots<TwoLevel<false>>,
    10 WideWithBoth: Wide in Double = Slots<Wide<u16>>,
    11 BucketedLong: Buckets in LongTag = Buckets<AnyWord>,
    12 BucketedDouble: Buckets in Double = Buckets<TwoWords>,
}
