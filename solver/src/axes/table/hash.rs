//! Hash: a slot and 56 bits for a key that is wider than a word.
//!
//! It is multilinear: `(A + B * low + C * high) mod 2^128`, of which the high 64 bits are kept. If A, B and C are drawn
//! at random, two different keys agree in any 56 of these bits with a chance of 2^-56, whatever the keys (M.
//! Dietzfelbinger, "Universal Hashing and k-wise Independent Random Variables via Integer Arithmetic without Primes").
//!
//! The [`tag`] that a slot keeps is drawn independently of the index of the [`slot`]. Otherwise two keys that share a
//! slot would already share bits of their tags, and the chance would be larger by a factor of the number of slots.
//! Until a probe takes the entry of another key for its own, the tags have no effect on a search. So the chance that one
//! of n probes, each of one slot, does so is at most n / 2^56. The constants are the first 768 bits of the fraction of
//! pi. They are fixed, so that node counts are fixed too: the chance is over the draw of the constants.

/// A, B, C of the slot.
const SLOT: [u128; 3] = [
    0x243f6a88_85a308d3_13198a2e_03707344,
    0xa4093822_299f31d0_082efa98_ec4e6c89,
    0x452821e6_38d01377_be5466cf_34e90c6c,
];
/// A, B, C of the tag.
const TAG: [u128; 3] = [
    0xc0ac29b7_c97c50dd_3f84d5b5_b5470917,
    0x9216d5d9_8979fb1b_d1310ba6_98dfb5ac,
    0x2ffd72db_d01adfb7_b8e1afed_6a267e96,
];

#[inline(always)]
fn multilinear([a, b, c]: [u128; 3], key: u128) -> u64 {
    let (low, high) = (u128::from(key as u64), key >> 64);
    (a.wrapping_add(b.wrapping_mul(low)).wrapping_add(c.wrapping_mul(high)) >> 64) as u64
}

/// The slot of a key in a table of `slots` slots.
#[inline(always)]
pub(in crate::axes) fn slot(key: u128, slots: u64) -> usize {
    ((u128::from(multilinear(SLOT, key)) * u128::from(slots)) >> 64) as usize
}

/// The part of a key that a slot keeps: 56 bits, above a byte of zeros.
#[inline(always)]
pub(in crate::axes) fn tag(key: u128) -> u64 {
    multilinear(TAG, key) & !0xff
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Keys that share a slot agree in bits of their tags as often as other keys.
    #[test]
    fn a_shared_slot_says_nothing_of_the_tag() {
        let mut tags: Vec<Vec<u64>> = vec![Vec::new(); 64];
        let mut state = 1u64;
        let mut word = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            u128::from(state >> 16)
        };
        (0..40_000).map(|_| word() | word() << 48).for_each(|key| tags[slot(key, 64)].push(tag(key)));
        for bits in [0, 24, 48] {
            let (mut pairs, mut alike) = (0u64, 0u64);
            for tags in &tags {
                for (index, one) in tags.iter().enumerate().take(200) {
                    pairs += index as u64;
                    alike +=
                        tags[..index].iter().filter(|other| ((*other ^ one) >> (8 + bits)) & 0xff == 0).count() as u64;
                }
            }
            let expected = pairs as f64 / 256.0;
            assert!((alike as f64 - expected).abs() < 6.0 * expected.sqrt(), "bits from {bits}: {alike} of {pairs}");
        }
    }
}
