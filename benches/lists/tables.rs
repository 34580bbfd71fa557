//! Tables, and whole solves.

use c4lab_solver::axes::table::any::{AnyTable, HasTable, number};
use c4lab_solver::axes::table::known::Known;
use c4lab_solver::axes::table::{Contents, Table};
use c4lab_solver::axes::{Key, TableKind, TableSize};
use c4lab_solver::game::Standard;
use c4lab_solver::game::score::Score;

// Layouts and sizes of the tables for probes and stores.

const BYTES: u64 = 64 << 20;

/// A table of a layout and a size of some named variant.
pub(crate) trait Layout {
    type Table: Table;
    const KIND: TableKind;
    const SIZE: TableSize;

    const KEY: Key;
    const CONTENTS: Contents = Contents::of(Self::KEY, Standard::SIZE, Standard::STRIDE);

    fn slots() -> Self::Table {
        Table::new(Self::KIND, Self::SIZE, Self::CONTENTS, BYTES).expect("a table")
    }

    #[inline(always)]
    fn probe(slots: &Self::Table, key: u128) -> u64 {
        word(slots.probe(slots.key(key)))
    }

    #[inline(always)]
    fn store(slots: &mut Self::Table, key: u128) {
        slots.store(slots.key(key), bound_of(key), 1);
    }

    /// A table with the bounds of most of `keys`, and the keys that it holds: of two keys for one slot it keeps the
    /// last.
    fn filled(keys: &[u128]) -> (Self::Table, Vec<u128>) {
        let mut slots = Self::slots();
        keys.iter().for_each(|&key| Self::store(&mut slots, key));
        let known: Vec<u128> = keys.iter().copied().filter(|&key| Self::probe(&slots, key) != 0).collect();
        assert!(known.len() > keys.len() * 3 / 4, "{} of {} keys are known", known.len(), keys.len());
        assert!(known.iter().all(|&key| Self::probe(&slots, key) == answer(key)), "a bound of another key");
        (slots, known)
    }
}

/// The bound that is stored for `key`. It only has to depend on the key.
#[inline(always)]
fn bound_of(key: u128) -> Known {
    Known::at_most((key % 32) as Score - 16)
}

pub(crate) fn answer(key: u128) -> u64 {
    word(Some(bound_of(key)))
}

#[inline(always)]
fn word(known: Option<Known>) -> u64 {
    known.map_or(0, |Known { least, most }| ((least + 64) << 8 | (most + 64)) as u64)
}

/// Calls a macro with the list: name, layout, size, kind of keys.
macro_rules! probe {
    ($each:ident) => {
        crate::lists::hand! {
            $each probe in tables:
            {
                full = Full, Published, Exact;
                full_chosen = Full, Chosen, Exact;
                partial = Partial, Published, Exact;
                partial_chosen = Partial, Chosen, Exact;
                wide = Wide, Chosen, Colorless;
                hashed = Hashed, Chosen, Colorless;
            } vectors {}
        }
    };
}
pub(crate) use probe;

macro_rules! layouts {
    ($group:ident in $list:ident: $( $name:ident = $table:ident, $size:ident, $key:ident; )+) => { $(
        #[allow(non_camel_case_types)]
        pub(crate) struct $name;

        impl Layout for $name {
            type Table = <AnyTable as HasTable<{ number(TableKind::$table, TableSize::$size, Contents::of(Key::$key, Standard::SIZE, Standard::STRIDE)) }>>::Table;
            const KIND: TableKind = TableKind::$table;
            const SIZE: TableSize = TableSize::$size;
            const KEY: Key = Key::$key;
        }
    )+ };
}
probe!(layouts);

// Whole solves with a cleared table: a variant, a position, its exact score, and the nodes of the variant.

/// Calls a macro with the list: name, variant, moves, score, nodes.
macro_rules! solve {
    ($each:ident) => {
        crate::lists::hand! {
            $each solve in tables:
            {
                pons_06_late = "pons-06", "5551357246243572524317677", 5, 603;
                herzberg_late = "herzberg", "5551357246243572524317677", 5, 11_272;
                pons_09_middle = "pons-09", "41357411232772432666", 2, 58_591;
                pons_12_middle = "pons-12", "41357411232772432666", 2, 18_862;
                pons_12_wide_key_colorless_middle = "pons-12-wide-key-colorless", "41357411232772432666", 2, 18_244;
                pons_12_early = "pons-12", "113541175777156", -4, 27_086;
            } vectors {
                pons_12_threats_players_early = "pons-12-threats-players", "113541175777156", -4, 27_086;
            }
            {
                blog_losses_middle = "blog-losses", "41357411232772432666", 2, 76_954;
            } vectors {
                blog_simd_middle = "blog-simd", "41357411232772432666", 2, 76_954;
            }
        }
    };
}
pub(crate) use solve;
