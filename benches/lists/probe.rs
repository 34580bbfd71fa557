//! Layouts and sizes of the table that probes and stores are measured in.

use c4lab_solver::axes::table::bound::Bound;
use c4lab_solver::axes::table::slots::Slots;
use c4lab_solver::axes::{Key, TableKind, TableSize};
use c4lab_solver::game::Standard;
use c4lab_solver::game::score::Score;

/// Bytes of tables whose size is not published.
const BYTES: u64 = 64 << 20;

/// A table of a layout and a size, both constants of its type, so that their branches fold away as in a named variant.
pub(crate) trait Layout {
    /// The layout.
    const TABLE: Table;
    /// The size.
    const SIZE: TableSize;

    /// The kind of its keys.
    const KEY: Key;
    /// Bits of a key.
    const KEY_BITS: u32 = Self::KEY.bits::<Standard>();

    /// A cleared table.
    fn slots() -> Slots {
        Slots::new(Self::TABLE, Self::KEY_BITS, Self::SIZE, BYTES).expect("a table")
    }

    /// What the table knows of `key`, as a number.
    #[inline(always)]
    fn probe(slots: &Slots, key: u128) -> u64 {
        word(slots.probe(Self::TABLE, Self::SIZE, key))
    }

    /// Writes the bound that belongs to `key`.
    #[inline(always)]
    fn store(slots: &mut Slots, key: u128) {
        slots.store(Self::TABLE, Self::SIZE, key, bound_of(key));
    }

    /// A table that knows the bounds of most of `keys`, and those whose bounds it knows: of two keys that share a
    /// slot it keeps the last.
    fn filled(keys: &[u128]) -> (Slots, Vec<u128>) {
        let mut slots = Self::slots();
        keys.iter().for_each(|&key| Self::store(&mut slots, key));
        let known: Vec<u128> = keys.iter().copied().filter(|&key| Self::probe(&slots, key) != 0).collect();
        assert!(known.len() > keys.len() * 3 / 4, "{} of {} keys are known", known.len(), keys.len());
        assert!(known.iter().all(|&key| Self::probe(&slots, key) == answer(key)), "a bound of another key");
        (slots, known)
    }
}

/// The bound that stands for `key`: any will do that hangs on it.
#[inline(always)]
fn bound_of(key: u128) -> Bound {
    Bound::Upper((key % 32) as Score - 16)
}

/// What a probe of a known `key` must answer.
pub(crate) fn answer(key: u128) -> u64 {
    word(bound_of(key))
}

/// A bound as a number, 0 for an unknown one.
#[inline(always)]
fn word(bound: Bound) -> u64 {
    match bound {
        Bound::Unknown => 0,
        Bound::Upper(score) => (score + 64) as u64,
        Bound::Lower(score) => (score + 64) as u64 | 0x80,
        Bound::Exact(score) => (score + 64) as u64 | 0x100,
    }
}

/// Hands the list to a macro: name, layout, size, kind of keys.
macro_rules! probe {
    ($each:ident) => {
        crate::lists::hand! {
            $each probe in probe_list:
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

/// Declares the type of every layout.
macro_rules! layouts {
    ($group:ident in $list:ident: $( $name:ident = $table:ident, $size:ident, $key:ident; )+) => { $(
        #[allow(non_camel_case_types)]
        pub(crate) struct $name;

        impl Layout for $name {
            const TABLE: Table = Table::$table;
            const SIZE: TableSize = TableSize::$size;
            const KEY: Key = Key::$key;
        }
    )+ };
}
probe!(layouts);
