//! Positions instead of lines: two lines that lead to one board are one entry, and so are mirror images.
//!
//! The keys of a ply are written in ascending order, each as what it is more than the one before, seven bits a byte; then four bits of each
//! position: the column of the move, or its rank where only those are written at which the rule is wrong.

use crate::store::form::Lookup;
use crate::store::strategy::{Known, column_of, key};
use anyhow::{Context, Result, bail};
use c4lab_solver::game::{BoardSize, Position};
use std::collections::HashMap;

/// Keys in ascending order, each with four bits.
pub fn write(entries: &[(u64, u8)]) -> Vec<u8> {
    let mut bytes = Vec::new();
    number(entries.len() as u64, &mut bytes);
    let mut before = 0;
    for (key, _) in entries {
        number(key - before, &mut bytes);
        before = *key;
    }
    for pair in entries.chunks(2) {
        bytes.push(pair[0].1 | pair.get(1).map_or(0, |(_, bits)| bits << 4));
    }
    bytes
}

/// Seven bits a byte, the lowest first; the eighth says whether more follow.
fn number(mut value: u64, bytes: &mut Vec<u8>) {
    while value >= 0x80 {
        bytes.push(value as u8 | 0x80);
        value >>= 7;
    }
    bytes.push(value as u8);
}

fn read_number(bytes: &mut &[u8]) -> Result<u64> {
    let mut value = 0u64;
    for shift in (0..).step_by(7) {
        let byte = *bytes.split_off_first().context("cut off")?;
        let bits = u64::from(byte & 0x7F);
        value |= bits
            .checked_shl(shift)
            .filter(|shifted| shifted >> shift == bits)
            .context("a number of more than 64 bits")?;
        if byte < 0x80 {
            break;
        }
    }
    Ok(value)
}

/// What such bytes say.
pub fn read(mut bytes: &[u8]) -> Result<HashMap<u64, u8>> {
    let count = read_number(&mut bytes)?;
    let (mut keys, mut before) = (Vec::new(), 0u64);
    for _ in 0..count {
        before = before.checked_add(read_number(&mut bytes)?).context("a key of more than 64 bits")?;
        keys.push(before);
    }
    if bytes.len() != keys.len().div_ceil(2) {
        bail!("{} bytes of moves, and there are {}", keys.len().div_ceil(2), bytes.len());
    }
    Ok(keys.into_iter().enumerate().map(|(index, key)| (key, bytes[index / 2] >> (4 * (index % 2)) & 0xF)).collect())
}

/// The columns of positions.
pub struct Columns {
    size: BoardSize,
    columns: HashMap<u64, u8>,
}

impl Columns {
    /// Reads them.
    ///
    /// # Errors
    /// They are cut off, or name no column.
    pub fn read(size: BoardSize, bytes: &[u8]) -> Result<Self> {
        let columns = read(bytes)?;
        match columns.values().find(|&&column| u32::from(column) >= size.width()) {
            Some(column) => bail!("{column} is no column of {size}, from 0"),
            None => Ok(Columns { size, columns }),
        }
    }
}

impl Lookup for Columns {
    fn column(&self, position: &Position) -> Option<u32> {
        let column = u32::from(*self.columns.get(&key(position))?);
        Some(if position.is_canonical() { column } else { self.size.width() - 1 - column })
    }
}

/// The ranks of positions at which the rule is wrong.
pub struct Exceptions(HashMap<u64, u8>);

impl Exceptions {
    /// Reads them.
    ///
    /// # Errors
    /// They are cut off.
    pub fn read(bytes: &[u8]) -> Result<Self> {
        Ok(Exceptions(read(bytes)?))
    }

    /// Those of some positions.
    pub fn of(entries: &[(u64, Known)]) -> Vec<(u64, u8)> {
        entries.iter().filter(|(_, known)| known.rank > 0).map(|(key, known)| (*key, known.rank)).collect()
    }
}

impl Lookup for Exceptions {
    fn column(&self, position: &Position) -> Option<u32> {
        column_of(position, self.0.get(&key(position)).copied().unwrap_or(0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn what_is_written_is_read(entries in proptest::collection::btree_map(any::<u64>(), 0u8..16, 0..100)) {
            let all: Vec<(u64, u8)> = entries.clone().into_iter().collect();
            let bytes = write(&all);
            prop_assert_eq!(read(&bytes).unwrap(), entries.into_iter().collect::<HashMap<_, _>>());
            prop_assert!(read(&bytes[..bytes.len() - 1]).is_err());
        }

        #[test]
        fn any_bytes_are_read_or_refused(bytes in proptest::collection::vec(any::<u8>(), 0..60)) {
            let _ = read(&bytes);
        }
    }
}
