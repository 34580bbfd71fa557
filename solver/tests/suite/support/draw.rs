//! Random numbers: a small seeded stream, SplitMix64 (G. Steele, D. Lea, C. Flood, OOPSLA 2014).

/// A stream of random numbers.
pub(crate) struct Draw(u64);

impl Draw {
    pub(crate) fn new(seed: u64, label: &str) -> Self {
        // FNV-1a of the label, starting from the seed.
        let mix = |hash: u64, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        Draw(label.bytes().fold(seed ^ 0xcbf2_9ce4_8422_2325, mix))
    }

    /// A number below `n`, all about equally likely. `n` is not 0.
    pub(crate) fn below(&mut self, n: usize) -> usize {
        ((u128::from(self.next()) * n as u128) >> 64) as usize
    }

    pub(crate) fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.below(last + 1));
        }
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }
}
