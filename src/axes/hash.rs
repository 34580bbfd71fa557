//! Hash: 64 bits of a key that is wider than a word.
//!
//! Multilinear: `(A + B * low + C * high) mod 2^128`, of which the high 64 bits are kept. For A, B, C drawn at random
//! two different keys agree in any 56 of these bits with a chance of 2^-56, whatever the keys (M. Dietzfelbinger,
//! "Universal Hashing and k-wise Independent Random Variables via Integer Arithmetic without Primes"). Here they are the
//! first 384 bits of the fraction of pi, fixed so that node counts are: the chance is that of the draw.

const A: u128 = 0x243f6a88_85a308d3_13198a2e_03707344;
const B: u128 = 0xa4093822_299f31d0_082efa98_ec4e6c89;
const C: u128 = 0x452821e6_38d01377_be5466cf_34e90c6c;

/// The hash of a key.
#[inline(always)]
pub(super) fn hash(key: u128) -> u64 {
    let (low, high) = (u128::from(key as u64), key >> 64);
    (A.wrapping_add(B.wrapping_mul(low)).wrapping_add(C.wrapping_mul(high)) >> 64) as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    /// By definition, in limbs of 32 bits, as on paper.
    fn on_paper(key: u128) -> u64 {
        let limbs = |value: u128| [0, 1, 2, 3].map(|limb| (value >> (32 * limb)) as u32 as u64);
        let mut sum = [0u64; 5];
        let mut add = |factor: u128, word: u128| {
            for (i, a) in limbs(factor).into_iter().enumerate() {
                for (j, b) in limbs(word).into_iter().enumerate().filter(|(j, _)| i + j < 4) {
                    let product = a * b;
                    let mut carry = product;
                    for limb in &mut sum[i + j..4] {
                        let total = *limb + (carry & 0xffff_ffff);
                        (*limb, carry) = (total & 0xffff_ffff, (carry >> 32) + (total >> 32));
                    }
                }
            }
        };
        add(A, 1);
        add(B, key & u128::from(u64::MAX));
        add(C, key >> 64);
        sum[2] | sum[3] << 32
    }

    #[test]
    fn it_is_the_multilinear_hash() {
        for key in [0, 1, u128::from(u64::MAX), u128::MAX, 0x0123_4567_89ab_cdef_0f1e_2d3c_4b5a_6978] {
            assert_eq!(hash(key), on_paper(key), "{key:x}");
        }
    }

    #[test]
    fn neighbours_differ() {
        let mut hashes: Vec<u64> =
            (0..20_000u128).flat_map(|i| [i, i << 49, i << 90]).map(|key| hash(key) >> 8).collect();
        hashes.sort_unstable();
        hashes.dedup();
        assert_eq!(hashes.len(), 3 * 20_000 - 2, "0 is there three times");
    }
}
