//! Saving: the slots that are in use, in the order of their buckets, and read again.
//!
//! ```text
//! head     key bits, bits of a slot, of its age, of a bound, of a tag: 4 bytes each; writes until it grows: 8
//! chunk    4 bits for each bucket, one for each slot that is in use; then these slots, low byte first, without an age
//! ```
//!
//! A chunk is 1024 buckets, or all that there are. So memory holds no second copy of the table. All numbers begin with their low byte.
//! Whoever saves the table puts a checksum behind it.

use super::layout::{SlotLayout, WAYS};
use super::{Buckets, growth};
use crate::axes::table::{SaveError, Table};
use crate::game::Word;
use std::io::{self, Read, Write};

/// Buckets of a chunk, at most.
const CHUNK: usize = 1024;
/// Bytes of the head.
const HEAD: usize = 28;

/// Reads so many bytes.
fn array<const N: usize>(saved: &mut dyn Read) -> io::Result<[u8; N]> {
    let mut bytes = [0; N];
    saved.read_exact(&mut bytes)?;
    Ok(bytes)
}

impl<L: SlotLayout> Buckets<L> {
    /// Bytes of a slot.
    const SLOT: usize = L::Word::BITS as usize / 8;

    /// The bits that say the age.
    fn age_bits() -> L::Word {
        !L::Word::default() << Self::AGE_AT
    }

    /// What must be alike: the bits of keys and of the parts of a slot.
    fn shape(&self) -> [u32; 4] {
        [self.bits, L::Word::BITS, L::AGE, L::BOUND]
    }

    /// The most bytes that it takes to save it.
    pub(super) fn most_saved_bytes(&self) -> u64 {
        let buckets = self.count() as u64;
        HEAD as u64 + buckets * Self::BYTES + buckets.div_ceil(2)
    }

    pub(super) fn save_slots(&self, out: &mut dyn Write) -> Result<(), SaveError> {
        for number in self.shape().into_iter().chain([self.shift]) {
            out.write_all(&number.to_le_bytes())?;
        }
        out.write_all(&self.left.to_le_bytes())?;
        let (count, mut ways, mut slots) = (self.count(), Vec::new(), Vec::new());
        for first in (0..count).step_by(CHUNK) {
            ways.clear();
            slots.clear();
            for bucket in first..count.min(first + CHUNK) {
                let mut used = 0;
                for (way, slot) in self.slots(bucket).into_iter().enumerate() {
                    if (slot ^ self.age) & Self::age_bits() == L::Word::default() {
                        used |= 1 << way;
                        slots.extend_from_slice(&(slot & !Self::age_bits()).wide().to_le_bytes()[..Self::SLOT]);
                    }
                }
                match bucket % 2 {
                    0 => ways.push(used),
                    _ => *ways.last_mut().expect("a bucket before") |= used << WAYS,
                }
            }
            out.write_all(&ways)?;
            out.write_all(&slots)?;
        }
        Ok(())
    }

    /// Reads what was saved, and says how many slots are taken. Then the table grows to the size that it must have.
    pub(super) fn load_slots(&mut self, saved: &mut dyn Read) -> Result<u64, SaveError> {
        self.load_head(saved)?;
        let (count, mut taken) = (self.count(), 0);
        for first in (0..count).step_by(CHUNK) {
            let buckets = first..count.min(first + CHUNK);
            let mut ways = [0; CHUNK / 2];
            let ways = &mut ways[..buckets.len() / 2];
            saved.read_exact(ways)?;
            for bucket in buckets {
                let used = ways[(bucket - first) / 2] >> (bucket % 2 * WAYS);
                let mut slots = [L::Word::default(); WAYS];
                for way in (0..WAYS).filter(|way| used >> way & 1 == 1) {
                    slots[way] = self.load_slot(saved)?;
                    taken += 1;
                }
                self.write(bucket, slots);
            }
        }
        while self.shift > self.first_shift {
            self.grow();
        }
        Ok(taken)
    }

    /// Takes the size that the table had, if it may be so large.
    fn load_head(&mut self, saved: &mut dyn Read) -> Result<(), SaveError> {
        let mut numbers = [0; 5];
        for number in &mut numbers {
            *number = u32::from_le_bytes(array(saved)?);
        }
        let left = u64::from_le_bytes(array(saved)?);
        let [shape @ .., shift] = numbers;
        if shape != self.shape() {
            let show = |[key, slot, age, bound]: [u32; 4]| {
                format!("of {slot}-bit slots for {key}-bit keys, ages of {age} bits and bounds of {bound}")
            };
            return Err(SaveError::Other("a table", show(shape), show(self.shape())));
        }
        if shift > L::TAG || shift >= self.bits || left == 0 {
            return Err(SaveError::Damaged);
        }
        if shift < self.least_shift {
            let least = Self::BYTES.checked_shl(self.bits - shift).unwrap_or(u64::MAX);
            return Err(SaveError::TableTooSmall(least, self.bytes()));
        }
        self.set_tag_bits(shift);
        self.used = self.used.max(self.count());
        let slots = (self.count() * WAYS) as u64;
        // A table that was as large as it might get may have more room here.
        let is_full_size = shift == self.least_shift;
        self.left = if is_full_size { u64::MAX } else { left.min(growth(slots).saturating_mul(slots)) };
        Ok(())
    }

    fn load_slot(&self, saved: &mut dyn Read) -> Result<L::Word, SaveError> {
        let mut bytes = [0; 16];
        saved.read_exact(&mut bytes[..Self::SLOT])?;
        let slot = L::Word::of(u128::from_le_bytes(bytes));
        let tag = slot >> L::BELOW & !self.tags;
        let mask = (1 << L::BOUND) - 1;
        let (least, most) = (slot.low() & mask, slot.low() >> L::BOUND & mask);
        if tag != L::Word::default() || least > most {
            return Err(SaveError::Damaged);
        }
        Ok(self.age | slot)
    }

    /// Forgets what is there, of whatever age. The age stays: others who share the slots have the same.
    pub(super) fn forget(&mut self) {
        self.empty();
        self.start_small();
    }
}

#[cfg(test)]
mod tests {
    use super::super::layout::{LongTag, OneWord, TwoWords};
    use super::*;
    use crate::axes::table::known::Known;
    use crate::axes::table::{Contents, TableKind, TableSize};

    fn new<L: SlotLayout>(bits: u32, bytes: u64) -> Buckets<L> {
        Table::new(TableKind::Buckets, TableSize::Chosen, Contents::keys(bits), bytes).expect("a table")
    }

    /// Key and bound of a number: some keys use the highest bits.
    fn entry(bits: u32, number: u128) -> (u128, Known) {
        let key = number.wrapping_mul(0x9e37_79b9_7f4a_7c15_1234_5678_9abc_def1) & !(u128::MAX << bits);
        let least = (number % 40) as i32 - 31;
        (key, Known { least, most: (least + 3).min(31) })
    }

    fn filled<L: SlotLayout>(bits: u32, bytes: u64, count: u128) -> Buckets<L> {
        let mut table = new::<L>(bits, bytes);
        // Slots of an older age lie among the others: they are not saved.
        for age in 0..2 {
            table.reset();
            for number in 0..count {
                let (key, known) = entry(bits, 2 * number + age);
                table.store(table.key(key), known, 1 + number as u64);
            }
        }
        table
    }

    fn saved<L: SlotLayout>(table: &Buckets<L>) -> Vec<u8> {
        let mut bytes = Vec::new();
        table.save(&mut bytes).expect("written");
        assert!(bytes.len() as u64 <= table.saved_bytes().expect("it can be saved"));
        bytes
    }

    /// What a table knows of all entries.
    fn known<L: SlotLayout>(table: &Buckets<L>, bits: u32, count: u128) -> Vec<Option<Known>> {
        (0..2 * count).map(|number| table.probe(table.key(entry(bits, number).0))).collect()
    }

    fn survives<L: SlotLayout>(bits: u32) {
        for (first, second, count) in
            [(32 << 20, 32 << 20, 90_000), (32 << 20, 64 << 20, 20_000), (32 << 20, 32 << 20, 1)]
        {
            let mut table = filled::<L>(bits, first, count);
            if count > 50_000 {
                table.grow();
            }
            let (before, bytes) = (known(&table, bits, count), saved(&table));
            let mut other = filled::<L>(bits, second, 1000);
            let taken = other.load(&mut &bytes[..]).expect("the same shape");
            assert_eq!(taken, before.iter().flatten().count() as u64);
            assert_eq!(known(&other, bits, count), before, "{bits} bits");
            assert_eq!((other.shift, other.left == u64::MAX), (table.shift, other.shift == other.least_shift));
            other.reset();
            assert!(known(&other, bits, count).iter().all(Option::is_none));
        }
    }

    #[test]
    fn a_table_survives_being_saved() {
        survives::<OneWord>(49);
        survives::<LongTag>(64);
        survives::<TwoWords>(64);
        survives::<TwoWords>(81);
    }

    #[test]
    fn a_table_that_cannot_be_read_is_left_empty() {
        let bytes = saved(&filled::<OneWord>(49, 1 << 20, 500));
        for length in (0..40).chain([bytes.len() / 2, bytes.len() - 1]) {
            let mut other = filled::<OneWord>(49, 1 << 20, 500);
            let error = other.load(&mut &bytes[..length]).expect_err("cut off");
            assert!(matches!(error, SaveError::CutOff), "{length}: {error}");
            assert!(known(&other, 49, 500).iter().all(Option::is_none), "{length}");
        }
        let refused =
            |table: &mut dyn FnMut(&mut &[u8]) -> Result<u64, SaveError>| table(&mut &bytes[..]).expect_err("another");
        let (mut keys, mut layout) = (new::<OneWord>(48, 1 << 20), new::<TwoWords>(49, 1 << 20));
        assert!(matches!(refused(&mut |bytes| keys.load(bytes)), SaveError::Other("a table", ..)));
        assert!(matches!(refused(&mut |bytes| layout.load(bytes)), SaveError::Other("a table", ..)));
        let mut grown = filled::<OneWord>(49, 1 << 20, 500);
        grown.grow();
        let (grown, mut small) = (saved(&grown), new::<OneWord>(49, 128 << 10));
        let error = small.load(&mut &grown[..]).expect_err("too small");
        assert!(matches!(error, SaveError::TableTooSmall(262_144, 131_072)), "{error}");
    }

    /// One whose place is fixed, because others share it, takes in what a small one knew.
    #[test]
    fn a_shared_table_stays_as_large_as_it_is() {
        let table = filled::<OneWord>(49, 1 << 20, 500);
        let (before, bytes) = (known(&table, 49, 500), saved(&table));
        let mut one = new::<OneWord>(49, 1 << 20);
        let other = one.share().expect("one word a slot");
        one.load(&mut &bytes[..]).expect("the same shape");
        assert_eq!(one.shift, one.least_shift);
        assert_eq!([known(&one, 49, 500), known(&other, 49, 500)], [before.clone(), before]);
    }
}
