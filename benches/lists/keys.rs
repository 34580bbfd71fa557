//! Functions that make the key of a board. Every kind of key has a checksum of its own.

/// Hands the list to a macro: name, checksum over the stream, function of a node.
macro_rules! keys {
    ($each:ident) => {
        $each! {
            keys:
            key = 0x103f_e2d6_5d06_98d6, |node| node.board.key();
            mirror_key = 0x0ef8_8342_292b_5fa9, |node| node.board.key().min(node.board.mirror().key());
        }
    };
}
pub(crate) use keys;
