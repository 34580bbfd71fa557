//! Room: the lanes of a geometry's searches for its columns, in groups of eight, the lanes of a vector.
//!
//! ```text
//! Groups<1>   0 1 2 3 4 5 6 7                             up to eight columns
//! Groups<2>   0 1 2 3 4 5 6 7 | 8 9 10 11 12 13 14 15     up to sixteen
//! ```

use std::fmt::Debug;
use std::ops::{Index, IndexMut};

pub const GROUP: usize = 8;

/// `N` groups: one or two.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Groups<const N: usize>;

pub trait Room: Copy + Debug + Eq + std::hash::Hash + Send + Sync + 'static {
    const GROUPS: usize;
    /// The number of lanes, a power of two.
    const LANES: usize = Self::GROUPS * GROUP;
    /// A value in each lane, group by group.
    type Of<T: Copy>: Copy + AsRef<[[T; GROUP]]> + AsMut<[[T; GROUP]]>;

    fn filled<T: Copy>(value: T) -> Self::Of<T>;
}

impl<const N: usize> Room for Groups<N> {
    const GROUPS: usize = N;
    type Of<T: Copy> = [[T; GROUP]; N];

    #[inline(always)]
    fn filled<T: Copy>(value: T) -> Self::Of<T> {
        [[value; GROUP]; N]
    }
}

#[derive(Clone, Copy)]
pub struct ByLane<T: Copy, R: Room>(R::Of<T>);

impl<T: Copy, R: Room> ByLane<T, R> {
    #[inline(always)]
    pub fn filled(value: T) -> Self {
        ByLane(R::filled(value))
    }

    #[inline(always)]
    pub fn group(&self, group: usize) -> &[T; GROUP] {
        &self.0.as_ref()[group & (R::GROUPS - 1)]
    }

    #[inline(always)]
    pub fn group_mut(&mut self, group: usize) -> &mut [T; GROUP] {
        &mut self.0.as_mut()[group & (R::GROUPS - 1)]
    }

    pub fn iter(&self) -> impl Iterator<Item = &T> {
        self.0.as_ref().as_flattened().iter()
    }
}

impl<T: Copy, R: Room> Index<usize> for ByLane<T, R> {
    type Output = T;

    /// The value of a lane, which is below [`Room::LANES`].
    #[inline(always)]
    fn index(&self, lane: usize) -> &T {
        debug_assert!(lane < R::LANES);
        &self.group(lane / GROUP)[lane % GROUP]
    }
}

impl<T: Copy, R: Room> IndexMut<usize> for ByLane<T, R> {
    #[inline(always)]
    fn index_mut(&mut self, lane: usize) -> &mut T {
        debug_assert!(lane < R::LANES);
        &mut self.group_mut(lane / GROUP)[lane % GROUP]
    }
}

impl<T: Copy + Debug, R: Room> Debug for ByLane<T, R> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

impl<T: Copy + PartialEq, R: Room> PartialEq for ByLane<T, R> {
    fn eq(&self, other: &Self) -> bool {
        self.0.as_ref() == other.0.as_ref()
    }
}
