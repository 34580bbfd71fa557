//! Functions that make the key of a board. Every kind of key has a checksum of its own.

pub(crate) use crate::boards::Node;
use c4lab_solver::axes::table::key;
pub(crate) use c4lab_solver::axes::{Key, Wins};

/// The key of a board; its high bits folded into the low ones, where it has some.
#[inline(always)]
pub(crate) fn of(key: Key, wins: Wins, node: Node) -> u64 {
    let key = key::of(key, wins, node.board);
    key as u64 ^ (key >> 64) as u64
}

/// Hands the list to a macro: name, checksum over the stream, function of a node.
macro_rules! keys {
    ($each:ident) => {
        crate::lists::hand! {
            $each keys in keys_list:
            {
                key_exact = 0x103f_e2d6_5d06_98d6, |node: Node| of(Key::Exact, Wins::TwoShifts, node);
                key_mirror = 0x0ef8_8342_292b_5fa9, |node: Node| of(Key::Mirror, Wins::TwoShifts, node);
                key_colorless = 0x8934_ec5f_fe74_e84b, |node: Node| of(Key::Colorless, Wins::TwoShifts, node);
            } vectors {
                key_colorless_directions = 0x8934_ec5f_fe74_e84b, |node: Node| of(Key::Colorless, Wins::Directions, node);
            }
            {
                key_colorless_mirror = 0x2eb2_f5bc_ebbb_6e5b, |node: Node| of(Key::ColorlessMirror, Wins::TwoShifts, node);
            } vectors {
                key_colorless_mirror_directions = 0x2eb2_f5bc_ebbb_6e5b, |node: Node| of(Key::ColorlessMirror, Wins::Directions, node);
            }
        }
    };
}
pub(crate) use keys;
