//! Words: the memory of tables that threads share, taken from [`processor`](crate::axes::processor).
//!
//! Under `cfg(loom)` the tests replace them by words of loom, which decides the value of each load. So the model of the
//! tables (`buckets/model.rs`) runs the tables' own code. Such a build has no searches.

#[cfg(not(all(loom, test)))]
pub use {
    crate::axes::processor::{Words, read},
    std::sync::atomic::AtomicU64,
};
#[cfg(all(loom, test))]
pub use {
    loom::sync::atomic::AtomicU64,
    modelled::{Words, read},
};

#[cfg(all(loom, test))]
mod modelled {
    use super::AtomicU64;
    use std::collections::TryReserveError;
    use std::sync::Arc;
    use std::sync::atomic::Ordering::Relaxed;

    /// Words in groups of `N`, in the form of loom.
    #[derive(Clone, Debug)]
    pub struct Words<const N: usize>(Arc<Vec<[AtomicU64; N]>>);

    impl<const N: usize> Words<N> {
        pub fn zeroed(groups: usize) -> Result<Self, TryReserveError> {
            let zeros = || std::array::from_fn(|_| AtomicU64::new(0));
            Ok(Words(Arc::new((0..groups).map(|_| zeros()).collect())))
        }
    }

    impl<const N: usize> std::ops::Deref for Words<N> {
        type Target = [[AtomicU64; N]];

        fn deref(&self) -> &[[AtomicU64; N]] {
            &self.0
        }
    }

    /// Four relaxed loads: nothing more is guaranteed of the instruction that reads four words.
    pub fn read(words: &[AtomicU64; 4]) -> [u64; 4] {
        words.each_ref().map(|word| word.load(Relaxed))
    }
}
