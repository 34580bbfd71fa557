//! Level: the SIMD level that a search is compiled for.
//!
//! A build is made for one kind of processor: its *baseline*. A search with `threats=dispatched` is compiled for the
//! baseline, and for instructions of newer processors of this kind. The searcher chooses one copy when it is made:
//!
//! ```text
//! level       vectors                    other instructions
//! baseline    none: one move at a time   those of the build
//! avx2        two of four words          POPCNT, LZCNT, BMI1, BMI2: x86-64-v3
//! avx512      one of eight words         the same, and VPOPCNTDQ: a little more than x86-64-v4
//! ```
//!
//! Rows call a search at the baseline `scalar`. A build whose baseline has AVX2 has no such search. For another kind of
//! processor, add a file beside `x86.rs` with its vectors ([`Eight`](super::lines::eight::Eight)).
//!
//! A value of a level exists only if the processor was found to have the level. So its functions are safe to call.

#[cfg(all(feature = "simd", target_arch = "x86_64"))]
pub mod x86;

use crate::axes::Threats;
use crate::axes::lines::children::{Look, OneByOne};
use crate::axes::lines::laned::Laned;
use crate::game::Geometry;
use crate::game::score::Score;

pub trait Level: Copy {
    /// The way in which it examines the children of a node.
    type Look<G: Geometry<Word: Laned>>: Look<G>;

    fn look<G: Geometry<Word: Laned>>(self) -> Self::Look<G>;
    /// Calls [`Recursion::visit`], compiled for this level.
    fn enter<R: Recursion, const LAST: bool, const HOW: u8>(self, of: &mut R, node: &R::Node, test: Test) -> Score;
    /// Calls `task`, compiled for this level, in a function of its own.
    fn call<T: Task>(self, task: T) -> T::Answer;
}

/// The ways to search a node.
pub mod how {
    pub const ALONE: u8 = 0;
    /// A team searches the children.
    pub const IN_TEAM: u8 = 1;
    /// No table is used.
    pub const BARE: u8 = 2;
}

/// A function that calls itself by [`Level::enter`]. All its work in vectors must be inlined into it: a separate
/// function would be compiled for the baseline.
pub trait Recursion {
    type Node;

    /// Implementations are `inline(always)`. `LAST` is true if the mover plays the last stone of a full board, `HOW` is
    /// one of [`how`].
    fn visit<L: Level, const LAST: bool, const HOW: u8>(&mut self, level: L, node: &Self::Node, test: Test) -> Score;
}

/// A test of a node: whether its score, known to be `least` or more, is above `alpha`.
#[derive(Clone, Copy, Debug)]
pub struct Test {
    pub alpha: Score,
    pub least: Score,
}

/// A function that is called by [`Level::call`].
pub trait Task {
    type Answer;

    /// Implementations are `inline(always)`.
    fn run<L: Level>(self, level: L) -> Self::Answer;
}

/// The build's own instructions, without vectors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Baseline;

impl Level for Baseline {
    type Look<G: Geometry<Word: Laned>> = OneByOne;

    #[inline(always)]
    fn look<G: Geometry<Word: Laned>>(self) -> OneByOne {
        OneByOne(Threats::Halves)
    }

    #[inline(always)]
    fn enter<R: Recursion, const LAST: bool, const HOW: u8>(self, of: &mut R, node: &R::Node, test: Test) -> Score {
        of.visit::<Baseline, LAST, HOW>(self, node, test)
    }

    #[inline(never)]
    fn call<T: Task>(self, task: T) -> T::Answer {
        task.run(self)
    }
}

/// True if the build's baseline has AVX2. Then nothing is compiled for a lower level.
pub const BASELINE_HAS_AVX2: bool = cfg!(all(feature = "simd", target_arch = "x86_64", target_feature = "avx2"));

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Chosen {
    Baseline(Baseline),
    #[cfg(all(feature = "simd", target_arch = "x86_64"))]
    Avx2(x86::Avx2),
    #[cfg(all(feature = "simd", target_arch = "x86_64"))]
    Avx512(x86::Avx512),
}

impl Chosen {
    pub fn best() -> Self {
        *Self::all().last().expect("the baseline is a level")
    }

    /// The levels of this processor, the best last.
    pub fn all() -> Vec<Self> {
        #[allow(unused_mut, reason = "another kind of processor has one level")]
        let mut levels = vec![Chosen::Baseline(Baseline)];
        #[cfg(all(feature = "simd", target_arch = "x86_64"))]
        {
            levels.extend(x86::Avx2::detected().map(Chosen::Avx2));
            levels.extend(x86::Avx512::detected().map(Chosen::Avx512));
        }
        levels
    }

    pub fn call<T: Task>(self, task: T) -> T::Answer {
        match self {
            Chosen::Baseline(level) => level.call(task),
            #[cfg(all(feature = "simd", target_arch = "x86_64"))]
            Chosen::Avx2(level) => level.call(task),
            #[cfg(all(feature = "simd", target_arch = "x86_64"))]
            Chosen::Avx512(level) => level.call(task),
        }
    }

    /// The level of a search that is not compiled for every level.
    pub fn plain() -> Self {
        #[cfg(all(feature = "simd", target_arch = "x86_64"))]
        if BASELINE_HAS_AVX2 && let Some(level) = x86::Avx2::detected() {
            return Chosen::Avx2(level);
        }
        Chosen::Baseline(Baseline)
    }

    pub fn name(self) -> &'static str {
        match self {
            Chosen::Baseline(_) => "scalar",
            #[cfg(all(feature = "simd", target_arch = "x86_64"))]
            Chosen::Avx2(_) => "avx2",
            #[cfg(all(feature = "simd", target_arch = "x86_64"))]
            Chosen::Avx512(_) => "avx512",
        }
    }
}
