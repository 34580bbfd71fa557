//! Retrieval: a function on a set of keys that takes little more than the bits of its values. It holds no keys, and
//! gives some value for any other key, too. A player never uses another key.
//!
//! ```text
//! key -> three slots, one in each third       1 0 1 | 1 1 0 | 0 0 1
//! value = slot ^ slot ^ slot                      ^     ^     ^
//! ```
//!
//! The slots follow from the keys by peeling: a key with a slot of its own is removed, until no key is left; then the
//! slots are filled in reverse order (Botelho, Pagh and Ziviani, "Practical perfect hashing in nearly optimal space").
//! It takes 1.23 slots a key.
//!
//! Most ranks of a store are 0, because the first move of the rule is right. [`Ranks`] takes advantage of that:
//!
//! ```text
//! all positions -> a filter for rank 1 or more: k bits for each such position; one in 2^k of the others passes, too
//!               -> one bit for each position that passes: is its rank 1 or more?
//! those of rank 1 or more -> the same with rank 2; and so on
//! ```

use anyhow::{Context, Result, bail};

/// Slots for 100 keys. With fewer slots, peeling fails.
const SLOTS_PER_HUNDRED: usize = 123;

const TRIES: u64 = 100;

#[derive(Clone, Debug, PartialEq, Eq)]
struct Function {
    seed: u64,
    /// The number of slots in each third.
    third: usize,
    bits: u32,
    /// The slots, one after another, lowest bit first.
    slots: Vec<u8>,
}

/// A hash of `key`: each bit depends on all bits of the key (Steele, Lea and Flood, "Fast splittable pseudorandom
/// number generators").
fn mix(key: u64, seed: u64) -> u64 {
    let mut mixed = key.wrapping_add(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15));
    mixed = (mixed ^ mixed >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
    mixed ^ mixed >> 31
}

/// `bits` bits of a hash of `key` that is independent of the hash for its slots.
fn fingerprint(key: u64, bits: u32) -> u8 {
    (mix(key, u64::MAX) & ((1 << bits) - 1)) as u8
}

impl Function {
    fn places(&self, key: u64) -> [usize; 3] {
        let mixed = mix(key, self.seed);
        let place = |turn: u32| {
            let word = mixed.rotate_left(turn) & u64::from(u32::MAX);
            ((word * self.third as u64) >> 32) as usize
        };
        [place(0), self.third + place(21), 2 * self.third + place(42)]
    }

    /// The function with these keys and values. Keys must be distinct.
    fn of(keys: &[(u64, u8)], bits: u32) -> Result<Self> {
        let third = (keys.len() * SLOTS_PER_HUNDRED / 100 + 32).div_ceil(3);
        let slots = vec![0; (3 * third * bits as usize).div_ceil(8)];
        let mut function = Function { seed: 0, third, bits, slots };
        for seed in 0..TRIES {
            function.seed = seed;
            if let Some(order) = function.peel(keys) {
                for &(index, own) in order.iter().rev() {
                    let (key, value) = keys[index];
                    let rest = function
                        .places(key)
                        .iter()
                        .filter(|&&place| place != own)
                        .fold(0, |xor, &place| xor ^ function.slot(place));
                    function.fill(own, rest ^ value);
                }
                return Ok(function);
            }
        }
        bail!("no seed of {TRIES} separates {} keys", keys.len())
    }

    /// The order of peeling: the index of each key and its own slot. `None` if some keys never have a slot of their
    /// own.
    fn peel(&self, keys: &[(u64, u8)]) -> Option<Vec<(usize, usize)>> {
        // The number of keys of each slot, and the exclusive or of their indices.
        let mut of_slot = vec![(0u32, 0usize); 3 * self.third];
        for (index, (key, _)) in keys.iter().enumerate() {
            for place in self.places(*key) {
                of_slot[place].0 += 1;
                of_slot[place].1 ^= index;
            }
        }
        let mut open: Vec<usize> = (0..of_slot.len()).filter(|&place| of_slot[place].0 == 1).collect();
        let mut order = Vec::with_capacity(keys.len());
        while let Some(own) = open.pop() {
            let (1, index) = of_slot[own] else { continue };
            order.push((index, own));
            for place in self.places(keys[index].0) {
                of_slot[place].0 -= 1;
                of_slot[place].1 ^= index;
                if of_slot[place].0 == 1 {
                    open.push(place);
                }
            }
        }
        (order.len() == keys.len()).then_some(order)
    }

    fn slot(&self, place: usize) -> u8 {
        let bit = |bit: usize| (self.slots[bit / 8] >> (bit % 8)) & 1;
        let begin = place * self.bits as usize;
        (0..self.bits as usize).fold(0, |value, index| value | bit(begin + index) << index)
    }

    fn fill(&mut self, place: usize, value: u8) {
        let begin = place * self.bits as usize;
        for index in 0..self.bits as usize {
            self.slots[(begin + index) / 8] |= ((value >> index) & 1) << ((begin + index) % 8);
        }
    }

    fn value(&self, key: u64) -> u8 {
        self.places(key).into_iter().fold(0, |xor, place| xor ^ self.slot(place))
    }

    /// For a function whose values are fingerprints: true for each of its keys, and for one in 2^bits of the others.
    fn passes(&self, key: u64) -> bool {
        self.value(key) == fingerprint(key, self.bits)
    }

    fn write(&self, bytes: &mut Vec<u8>) {
        bytes.push(self.bits as u8);
        bytes.push(self.seed as u8);
        bytes.extend((self.third as u32).to_le_bytes());
        bytes.extend(&self.slots);
    }

    fn read(bytes: &mut &[u8]) -> Result<Self> {
        let [bits, seed] = take(bytes)?;
        let third = u32::from_le_bytes(take(bytes)?) as usize;
        if third == 0 || bits > 8 {
            bail!("no function");
        }
        let count = (3 * third * usize::from(bits)).div_ceil(8);
        let slots = bytes.split_off(..count).context("cut off")?.to_vec();
        Ok(Function { seed: seed.into(), third, bits: bits.into(), slots })
    }
}

fn take<const N: usize>(bytes: &mut &[u8]) -> Result<[u8; N]> {
    let taken = bytes.split_off(..N).context("cut off")?;
    Ok(taken.try_into().expect("as many"))
}

const MOST_BITS: u32 = 8;

/// The filter of those `keys` for which `has` is true, and a bit for each key that passes the filter.
fn level(keys: &[u64], has: impl Fn(u64) -> bool) -> Result<[Function; 2]> {
    let true_keys: Vec<u64> = keys.iter().copied().filter(|&key| has(key)).collect();
    let (yes, no) = (true_keys.len() as f64, (keys.len() - true_keys.len()) as f64);
    // The bits of the filter and of the keys that pass.
    let cost = |bits: u32| yes * f64::from(bits) + yes + no / f64::from(1 << bits);
    let bits = (0..=MOST_BITS).min_by(|&a, &b| cost(a).total_cmp(&cost(b))).expect("some");
    let fingerprints: Vec<(u64, u8)> = true_keys.iter().map(|&key| (key, fingerprint(key, bits))).collect();
    let filter = Function::of(if bits == 0 { &[] } else { &fingerprints }, bits)?;
    let passes = keys.iter().filter(|&&key| filter.passes(key));
    let passes: Vec<(u64, u8)> = passes.map(|&key| (key, u8::from(has(key)))).collect();
    Ok([filter, Function::of(&passes, 1)?])
}

/// The ranks of keys, most of which are 0. Each rank from 1 has a filter for the keys of this rank or more, and a bit
/// for each key that passes: 1 if it has the rank.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ranks(Vec<[Function; 2]>);

impl Ranks {
    /// The ranks of keys. Each key is given once.
    pub fn of(ranks: &[(u64, u8)]) -> Result<Self> {
        let known: std::collections::HashMap<u64, u8> = ranks.iter().copied().collect();
        let mut keys: Vec<u64> = ranks.iter().map(|(key, _)| *key).collect();
        let mut levels = Vec::new();
        for rank in 1..=ranks.iter().map(|(_, rank)| *rank).max().unwrap_or(0) {
            levels.push(level(&keys, |key| known[&key] >= rank)?);
            keys.retain(|key| known[key] >= rank);
        }
        Ok(Ranks(levels))
    }

    pub fn rank(&self, key: u64) -> u8 {
        self.0.iter().take_while(|[filter, bit]| filter.passes(key) && bit.value(key) == 1).count() as u8
    }

    pub fn write(&self) -> Vec<u8> {
        let mut bytes = vec![self.0.len() as u8];
        self.0.iter().flatten().for_each(|function| function.write(&mut bytes));
        bytes
    }

    pub fn read(mut bytes: &[u8]) -> Result<Self> {
        let [count] = take(&mut bytes)?;
        let level = |_| Ok([Function::read(&mut bytes)?, Function::read(&mut bytes)?]);
        let levels = (0..count).map(level).collect::<Result<_>>()?;
        if !bytes.is_empty() {
            bail!("{} bytes too many", bytes.len());
        }
        Ok(Ranks(levels))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn every_key_has_its_rank_and_what_is_written_is_read(
            ranks in proptest::collection::hash_map(any::<u64>(), prop_oneof![8 => Just(0u8), 2 => 0u8..7], 0..400)
        ) {
            let all: Vec<(u64, u8)> = ranks.into_iter().collect();
            let ranks = Ranks::of(&all).unwrap();
            let bytes = ranks.write();
            let read = Ranks::read(&bytes).unwrap();
            prop_assert_eq!(&read, &ranks);
            for (key, rank) in all {
                prop_assert_eq!(read.rank(key), rank);
            }
            prop_assert!(Ranks::read(&bytes[..bytes.len() - 1]).is_err());
            prop_assert!(Ranks::read(&[&bytes[..], &[0]].concat()).is_err());
        }
    }

    #[test]
    fn rare_ranks_take_far_less_than_a_bit_a_key() {
        let all: Vec<(u64, u8)> = (0..100_000).map(|key| (key * key, u8::from(key % 50 == 0))).collect();
        let bits = 8.0 * Ranks::of(&all).unwrap().write().len() as f64 / all.len() as f64;
        // The entropy of one in fifty is 0.141 bits.
        assert!((0.141..0.25).contains(&bits), "{bits}");
    }
}
