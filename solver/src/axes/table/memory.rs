//! The memory of tables: how much there is, in which pages it lies, and fetching it ahead of time.
//!
//! A probe of a large table waits for memory, often longer than a node takes to compute. So the slots of a node's
//! children are fetched as soon as its moves are known; by the time a child probes, its slot is on the way.
//!
//! A large table is asked to lie in pages of 2 MiB, so that a probe seldom misses the TLB. This is advice. Where the
//! system gives none (other systems, `transparent_hugepage/enabled` on `never`, a table below 2 MiB) nothing changes.

#![allow(unsafe_code)]

use std::mem::MaybeUninit;

/// Bytes of a huge page.
const HUGE: usize = 2 << 20;

/// Advises the system on memory that is reserved and not written yet.
pub fn advise_huge_pages<T>(memory: &mut [MaybeUninit<T>]) {
    if let Some((offset, length)) = whole_pages(memory.as_ptr() as usize, size_of_val(memory)) {
        advise(memory, offset, length);
    }
}

/// The whole huge pages within so many bytes from an address on, as offset and length: advice is about pages that hold
/// nothing else. `None` where there is none.
fn whole_pages(start: usize, bytes: usize) -> Option<(usize, usize)> {
    let first = start.checked_next_multiple_of(HUGE)?;
    let end = start.checked_add(bytes)? / HUGE * HUGE;
    (first < end).then(|| (first - start, end - first))
}

/// Asks for huge pages from `offset` on, `length` bytes long, as [`whole_pages`] says.
#[cfg(all(target_os = "linux", not(miri)))]
fn advise<T>(memory: &mut [MaybeUninit<T>], offset: usize, length: usize) {
    use rustix::mm::{Advice, madvise};
    let first = memory.as_mut_ptr().wrapping_byte_add(offset);
    assert!(offset + length <= size_of_val(memory) && (first as usize).is_multiple_of(HUGE));
    // SAFETY: `first` and `length` are multiples of any page size and lie within `memory`, which is borrowed
    // exclusively; this advice changes no contents and leaves the pages mapped.
    let _ = unsafe { madvise(first.cast(), length, Advice::LinuxHugepage) };
}

/// Other systems are not asked, nor is an interpreter that has none.
#[cfg(not(all(target_os = "linux", not(miri))))]
fn advise<T>(_: &mut [MaybeUninit<T>], _: usize, _: usize) {}

/// Starts to fetch the memory around an element, which need not be there. Nothing waits for it.
#[inline(always)]
pub fn prefetch<T>(memory: &[T], index: usize) {
    let place = memory.as_ptr().wrapping_add(index);
    #[cfg(target_arch = "x86_64")]
    // SAFETY: a prefetch reads nothing and faults nowhere, whatever the address.
    unsafe {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        _mm_prefetch::<_MM_HINT_T0>(place.cast());
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = place;
}

/// The largest of eight numbers and the first place that it stands in.
#[inline(always)]
pub fn largest(numbers: &[u16; 8]) -> (u16, usize) {
    #[cfg(target_feature = "sse4.1")]
    // SAFETY: the processor that this is compiled for has SSE4.1, and any bits are eight numbers.
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

/// Bytes that can be had without swapping, where the system says so (Linux: `/proc/meminfo`, and what is left to the
/// control group that a container runs in).
pub fn available_memory() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/meminfo").ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    let kibibytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some((kibibytes * 1024).min(left_to_group().unwrap_or(u64::MAX)))
}

/// Bytes left below the limit of the control group, if it has one.
fn left_to_group() -> Option<u64> {
    let number = |name: &str| -> Option<u64> {
        std::fs::read_to_string(format!("/sys/fs/cgroup/{name}")).ok()?.trim().parse().ok()
    };
    Some(number("memory.max")?.saturating_sub(number("memory.current")?))
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
        // No memory at all, elements without a size, elements larger than a cache line and aligned to one.
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
            // The end of the address space: no arithmetic goes around it.
            (usize::MAX, 0, None),
            (usize::MAX - HUGE, usize::MAX, None),
            (usize::MAX - 2 * HUGE + 1, 2 * HUGE - 1, Some((0, HUGE))),
        ] {
            assert_eq!(whole_pages(start, bytes), pages, "{start:#x}, {bytes:#x}");
        }
    }

    #[test]
    fn memory_without_a_size_is_advised() {
        advise_huge_pages::<u64>(&mut []);
        advise_huge_pages(&mut [MaybeUninit::<()>::uninit(); 5]);
        advise_huge_pages(Vec::<()>::with_capacity(usize::MAX).spare_capacity_mut());
    }

    /// Tables larger than a huge page, of every layout: whichever part of them is advised, all of it is theirs.
    #[test]
    fn a_part_of_some_memory_is_advised() {
        let mut memory: Vec<u8> = Vec::with_capacity(if cfg!(miri) { 64 } else { 4 * HUGE });
        let spare = memory.spare_capacity_mut();
        for start in [0, 1, 63] {
            advise_huge_pages(&mut spare[start..]);
        }
        memory.resize(memory.capacity(), 9);
        assert!(memory.iter().all(|&byte| byte == 9));
    }

    #[test]
    fn the_largest_of_equals_is_the_first() {
        let by_looking = |numbers: &[u16; 8]| {
            let most = *numbers.iter().max().expect("eight numbers");
            (most, numbers.iter().position(|&number| number == most).expect("it is there"))
        };
        let mut numbers = [0u16; 8];
        assert_eq!(largest(&numbers), (0, 0));
        let rounds = if cfg!(miri) { 500 } else { 100_000u32 };
        for round in 0..rounds {
            // A new number in one place: from few, so that some are equal, or from all.
            let word = round.wrapping_mul(0x9e37_79b9) >> 16;
            numbers[round as usize % 8] = if round & 64 == 0 { word as u16 & 3 } else { word as u16 };
            assert_eq!(largest(&numbers), by_looking(&numbers), "{numbers:?}");
        }
        assert_eq!(largest(&[0, 0x7fff, 0x8000, 0xffff, 0xfffe, 0xffff, 1, 0]), (0xffff, 3));
    }

    #[test]
    fn advised_memory_is_ordinary_memory() {
        let large = [(2 << 20) + 5, 9 << 20];
        for count in [0, 1, 1000].into_iter().chain(large.into_iter().filter(|_| !cfg!(miri))) {
            let mut memory: Vec<u32> = Vec::with_capacity(count);
            advise_huge_pages(memory.spare_capacity_mut());
            memory.extend(0..count as u32);
            assert!(memory.iter().enumerate().all(|(index, &value)| index as u32 == value), "{count}");
        }
    }
}
