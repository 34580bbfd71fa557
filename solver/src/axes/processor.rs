//! The processor, used directly: one of the two files that may be unsafe (the other is `level/x86.rs`). It has the
//! memory of tables and its pages, prefetching, and three operations: find the largest of eight numbers, read four
//! words, and wait until all earlier instructions are done.
//!
//! A probe of a large table waits for memory, often longer than a node takes to compute. So the slots of a node's
//! children are fetched as soon as its moves are known. By the time a child probes, its slot is on the way.
//!
//! A large table requests pages of 2 MiB, so that a probe seldom misses the TLB. The request is advice. It changes
//! nothing on other systems, with `transparent_hugepage/enabled` on `never`, or for a table below 2 MiB.

#![allow(unsafe_code)]

use std::alloc::{Layout, alloc_zeroed, dealloc};
use std::collections::TryReserveError;
use std::mem::MaybeUninit;
use std::ptr::NonNull;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;
#[cfg(not(all(target_arch = "x86_64", target_feature = "avx", not(miri))))]
use std::sync::atomic::Ordering::Relaxed;

const HUGE: usize = 2 << 20;

/// Requests huge pages for memory that is reserved and not written yet.
pub fn advise_huge_pages<T>(memory: &mut [MaybeUninit<T>]) {
    if let Some((offset, length)) = whole_pages(memory.as_ptr() as usize, size_of_val(memory)) {
        advise(memory.as_mut_ptr().cast(), size_of_val(memory), offset, length);
    }
}

/// The huge pages that lie wholly within the `bytes` from address `start` on, as offset and length; `None` if there is
/// none. Pages at the edges are left out: they hold other data too.
fn whole_pages(start: usize, bytes: usize) -> Option<(usize, usize)> {
    let first = start.checked_next_multiple_of(HUGE)?;
    let end = start.checked_add(bytes)? / HUGE * HUGE;
    (first < end).then(|| (first - start, end - first))
}

/// Requests huge pages in `length` bytes from `offset` on, as [`whole_pages`] gives them. The caller owns all `bytes`.
#[cfg(all(target_os = "linux", not(miri)))]
fn advise(memory: *mut u8, bytes: usize, offset: usize, length: usize) {
    use rustix::mm::{Advice, madvise};
    let first = memory.wrapping_byte_add(offset);
    assert!(offset + length <= bytes && (first as usize).is_multiple_of(HUGE));
    // SAFETY: `first` and `length` are multiples of any page size, within memory that only the caller uses. This advice
    // changes no contents and leaves the pages mapped.
    let _ = unsafe { madvise(first.cast(), length, Advice::LinuxHugepage) };
}

/// Does nothing on other systems, nor under Miri, which has no huge pages.
#[cfg(not(all(target_os = "linux", not(miri))))]
fn advise(_: *mut u8, _: usize, _: usize, _: usize) {}

/// Starts to fetch the memory around an element, without waiting. `index` may lie beyond the end.
#[inline(always)]
pub fn prefetch<T>(memory: &[T], index: usize) {
    let place = memory.as_ptr().wrapping_add(index);
    #[cfg(target_arch = "x86_64")]
    // SAFETY: a prefetch reads nothing and never faults, at any address.
    unsafe {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        _mm_prefetch::<_MM_HINT_T0>(place.cast());
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = place;
}

/// The largest of `numbers`, and its first index.
#[inline(always)]
pub fn first_largest(numbers: &[u16; 8]) -> (u16, usize) {
    #[cfg(target_feature = "sse4.1")]
    // SAFETY: the target processor has SSE4.1, and any bits are valid numbers.
    unsafe {
        use std::arch::x86_64::{__m128i, _mm_cvtsi128_si64, _mm_minpos_epu16, _mm_set1_epi16, _mm_xor_si128};
        let numbers: __m128i = std::mem::transmute(*numbers);
        // The smallest of the complements, and its place above it.
        let found = _mm_cvtsi128_si64(_mm_minpos_epu16(_mm_xor_si128(numbers, _mm_set1_epi16(-1))));
        (!(found as u16), (found >> 16) as usize & 7)
    }
    #[cfg(not(target_feature = "sse4.1"))]
    {
        let first = |(place, &number): (usize, &u16)| (number, std::cmp::Reverse(place));
        let (number, std::cmp::Reverse(place)) = numbers.iter().enumerate().map(first).max().unwrap_or_default();
        (number, place)
    }
}

/// Waits until every earlier instruction has ended; no later one begins before. Without it the processor may read its
/// time-stamp counter out of order.
#[inline(always)]
pub fn wait() {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: every x86-64 has this instruction. It reads and writes nothing.
    unsafe {
        std::arch::x86_64::_mm_lfence();
    }
    #[cfg(target_arch = "aarch64")]
    // SAFETY: as above.
    unsafe {
        std::arch::asm!("isb", options(nostack, preserves_flags));
    }
}

/// Reads four words, each as a whole, in any order.
#[inline(always)]
pub fn read(words: &[AtomicU64; 4]) -> [u64; 4] {
    #[cfg(all(target_arch = "x86_64", target_feature = "avx", not(miri)))]
    // SAFETY: it reads 32 borrowed bytes, and writes nothing. Other threads may write these words meanwhile: a
    // processor with AVX never reads half of an aligned word, so this is four relaxed loads.
    unsafe {
        use std::arch::x86_64::__m256i;
        let read: __m256i;
        std::arch::asm!(
            "vmovdqu {}, ymmword ptr [{}]", lateout(ymm_reg) read, in(reg) words,
            options(nostack, preserves_flags, readonly),
        );
        std::mem::transmute(read)
    }
    #[cfg(not(all(target_arch = "x86_64", target_feature = "avx", not(miri))))]
    words.each_ref().map(|word| word.load(Relaxed))
}

/// Zeroed atomic words in groups of `N`, which several tables may share. A group that fits a cache line lies within
/// one. Pages that were never written take no memory. A clone shares the memory; dropping the last clone frees it.
#[derive(Debug)]
pub struct Words<const N: usize> {
    start: NonNull<[AtomicU64; N]>,
    groups: usize,
    owner: Arc<Allocation>,
}

#[derive(Debug)]
struct Allocation {
    memory: NonNull<u8>,
    layout: Layout,
}

const LINE: usize = 64;

impl<const N: usize> Words<N> {
    pub fn zeroed(groups: usize) -> Result<Self, TryReserveError> {
        // The error if there are more bytes than an allocation may have.
        let bytes = groups.checked_mul(size_of::<[AtomicU64; N]>()).and_then(|bytes| bytes.checked_add(LINE));
        let layout = bytes.and_then(|bytes| Layout::from_size_align(bytes, align_of::<AtomicU64>()).ok());
        let Some(layout) = layout else { return Err(refused()) };
        // SAFETY: the size of the layout is not 0, since it has a spare line.
        let Some(memory) = NonNull::new(unsafe { alloc_zeroed(layout) }) else { return Err(refused()) };
        let owner = Arc::new(Allocation { memory, layout });
        let skipped = memory.as_ptr().align_offset(LINE);
        debug_assert!(skipped < LINE);
        // SAFETY: fewer than LINE bytes are skipped, and the layout has LINE spare bytes.
        let start = unsafe { memory.byte_add(skipped) }.cast();
        let words = Words { start, groups, owner };
        if let Some((offset, length)) = whole_pages(start.as_ptr() as usize, groups * size_of::<[AtomicU64; N]>()) {
            advise(start.as_ptr().cast::<u8>(), words.groups * size_of::<[AtomicU64; N]>(), offset, length);
        }
        Ok(words)
    }
}

fn refused() -> TryReserveError {
    Vec::<u8>::new().try_reserve_exact(usize::MAX).expect_err("more than an allocation may have")
}

impl<const N: usize> std::ops::Deref for Words<N> {
    type Target = [[AtomicU64; N]];

    #[inline(always)]
    fn deref(&self) -> &[[AtomicU64; N]] {
        // SAFETY: `start` is aligned to a line, `groups` groups of zeroed words follow, and `owner` keeps them alive.
        unsafe { std::slice::from_raw_parts(self.start.as_ptr(), self.groups) }
    }
}

impl<const N: usize> Clone for Words<N> {
    fn clone(&self) -> Self {
        Words { start: self.start, groups: self.groups, owner: Arc::clone(&self.owner) }
    }
}

// SAFETY: the words are atomic and shared only by reference; the last owner frees the allocation.
unsafe impl<const N: usize> Send for Words<N> {}
// SAFETY: as above.
unsafe impl<const N: usize> Sync for Words<N> {}
// SAFETY: nothing reads or writes through an `Allocation`.
unsafe impl Send for Allocation {}
// SAFETY: as above.
unsafe impl Sync for Allocation {}

impl Drop for Allocation {
    fn drop(&mut self) {
        // SAFETY: it was allocated with this layout, and no other owner is left.
        unsafe { dealloc(self.memory.as_ptr(), self.layout) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fetching_changes_nothing_and_faults_nowhere() {
        let memory = vec![7u64; 100];
        for index in [0, 99, 100, 1 << 40, usize::MAX / 8, usize::MAX / 8 + 1, usize::MAX] {
            prefetch(&memory, index);
        }
        // No memory at all, elements without a size, elements aligned to a cache line.
        prefetch::<u8>(&[], 0);
        prefetch::<[u64; 4]>(&[], usize::MAX);
        prefetch(&[(); 3], usize::MAX);
        #[repr(align(64))]
        struct Line([u8; 128]);
        let lines = [const { Line([3; 128]) }; 2];
        prefetch(&lines, 1);
        prefetch(&lines[1..], usize::MAX);
        assert!(memory.iter().all(|&value| value == 7) && lines.iter().all(|line| line.0 == [3; 128]));
    }

    #[test]
    fn only_whole_pages_are_advised() {
        for (start, bytes, pages) in [
            (0, 0, None),
            (0, HUGE - 1, None),
            (0, HUGE, Some((0, HUGE))),
            (8, HUGE, None),
            (8, 2 * HUGE - 9, None),
            (8, 2 * HUGE - 8, Some((HUGE - 8, HUGE))),
            (HUGE - 16, 3 * HUGE, Some((16, 2 * HUGE))),
            (16, 0, None),
            // The end of the address space: no arithmetic wraps around.
            (usize::MAX, 0, None),
            (usize::MAX - HUGE, usize::MAX, None),
            (usize::MAX - 2 * HUGE + 1, 2 * HUGE - 1, Some((0, HUGE))),
        ] {
            assert_eq!(whole_pages(start, bytes), pages, "{start:#x}, {bytes:#x}");
        }
    }

    #[test]
    fn the_largest_of_equals_is_the_first() {
        let by_looking = |numbers: &[u16; 8]| {
            let most = *numbers.iter().max().expect("eight numbers");
            (most, numbers.iter().position(|&number| number == most).expect("it is there"))
        };
        let mut numbers = [0u16; 8];
        assert_eq!(first_largest(&numbers), (0, 0));
        let rounds = if cfg!(miri) { 500 } else { 100_000u32 };
        for round in 0..rounds {
            // A new number in one place: from few values, so that some are equal, or from all.
            let word = round.wrapping_mul(0x9e37_79b9) >> 16;
            numbers[round as usize % 8] = if round & 64 == 0 { word as u16 & 3 } else { word as u16 };
            assert_eq!(first_largest(&numbers), by_looking(&numbers), "{numbers:?}");
        }
        assert_eq!(first_largest(&[0, 0x7fff, 0x8000, 0xffff, 0xfffe, 0xffff, 1, 0]), (0xffff, 3));
    }

    #[test]
    fn advised_memory_is_ordinary_memory() {
        advise_huge_pages::<u64>(&mut []);
        advise_huge_pages(Vec::<()>::with_capacity(usize::MAX).spare_capacity_mut());
        let large = [(2 << 20) + 5, 9 << 20];
        for count in [0, 1, 1000].into_iter().chain(large.into_iter().filter(|_| !cfg!(miri))) {
            let mut memory: Vec<u32> = Vec::with_capacity(count);
            for start in [0, 1, 63] {
                advise_huge_pages(&mut memory.spare_capacity_mut()[start.min(count)..]);
            }
            memory.extend(0..count as u32);
            assert!(memory.iter().enumerate().all(|(index, &value)| index as u32 == value), "{count}");
        }
    }

    #[test]
    fn four_words_are_read_wherever_they_stand() {
        let words: [AtomicU64; 11] = std::array::from_fn(|word| AtomicU64::new(word as u64 * 0x0123_4567_89ab));
        for first in 0..8 {
            let group = words[first..].first_chunk().expect("four words");
            assert_eq!(read(group), [0, 1, 2, 3].map(|next| (first + next) as u64 * 0x0123_4567_89ab));
        }
    }

    /// One thread writes words of two equal halves, one reads them: both halves of a word that is read are equal.
    #[test]
    fn a_word_that_is_written_meanwhile_is_read_whole() {
        use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
        let (words, written) = (Words::<4>::zeroed(1).expect("memory"), AtomicBool::new(false));
        std::thread::scope(|scope| {
            scope.spawn(|| {
                for round in 0..if cfg!(miri) { 100 } else { 200_000u64 } {
                    words[0].iter().for_each(|word| word.store(round << 32 | round, Relaxed));
                }
                written.store(true, Relaxed);
            });
            while !written.load(Relaxed) {
                assert!(read(&words[0]).iter().all(|word| word >> 32 == word & 0xffff_ffff));
            }
        });
        assert!(read(&words[0]).iter().all(|&word| word != 0));
    }

    #[test]
    fn shared_words_are_zero_aligned_and_given_back_last() {
        use std::sync::atomic::Ordering::Relaxed;
        for groups in [0, 1, 7, 1000, if cfg!(miri) { 64 } else { HUGE }] {
            let words = Words::<4>::zeroed(groups).expect("memory");
            assert!((words.as_ptr() as usize).is_multiple_of(LINE) && words.len() == groups);
            assert!(words.iter().flatten().all(|word| word.load(Relaxed) == 0));
            let shared = words.clone();
            std::thread::spawn(move || {
                shared.iter().enumerate().for_each(|(i, group)| group[3].store(i as u64, Relaxed))
            })
            .join()
            .expect("written");
            assert!(words.iter().enumerate().all(|(i, group)| group[3].load(Relaxed) == i as u64));
        }
        for groups in [usize::MAX, usize::MAX / 32, usize::MAX / 64] {
            assert!(Words::<4>::zeroed(groups).is_err(), "{groups}");
        }
    }
}
