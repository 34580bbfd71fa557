//! Words: what tables that threads share are made of. They stand in [`processor`](crate::axes::processor); tables take them from here.
//!
//! Under `cfg(loom)` the tests have other words in their place: loom then decides what each load sees. So the model of the tables
//! (`buckets/model.rs`) runs the code of the tables and no copy of it. Such tests have no searches; nothing else asks for this condition.

#[cfg(not(all(loom, test)))]
pub use {
    crate::axes::processor::{Words, read},
    std::sync::atomic::AtomicU64,
};
#[cfg(all(loom, test))]
pub use {
    loom::sync::atomic::AtomicU64,
    modelled::{ModelledWords as Words, read},
};

#[cfg(all(loom, test))]
mod modelled {
    use super::AtomicU64;
    use std::collections::TryReserveError;
    use std::sync::Arc;
    use std::sync::atomic::Ordering::Relaxed;

    /// Words in groups of `N`, as loom knows them.
    #[derive(Clone, Debug)]
    pub struct ModelledWords<const N: usize>(Arc<Vec<[AtomicU64; N]>>);

    impl<const N: usize> ModelledWords<N> {
        pub fn zeroed(groups: usize) -> Result<Self, TryReserveError> {
            let zeros = || std::array::from_fn(|_| AtomicU64::new(0));
            Ok(ModelledWords(Arc::new((0..groups).map(|_| zeros()).collect())))
        }
    }

    impl<const N: usize> std::ops::Deref for ModelledWords<N> {
        type Target = [[AtomicU64; N]];

        fn deref(&self) -> &[[AtomicU64; N]] {
            &self.0
        }
    }

    /// Four relaxed loads: no more is known of the instruction that reads four words.
    pub fn read(words: &[AtomicU64; 4]) -> [u64; 4] {
        words.each_ref().map(|word| word.load(Relaxed))
    }
}
