//! Enhanced: transposition cutoffs before the first child is searched.
//!
//! A bound of one child in the table may end its parent. So all children are looked up before any is searched: enhanced
//! transposition cutoffs (A. Plaat, J. Schaeffer, W. Pijls, A. de Bruin, "Exploiting Graph Properties of Game Trees").
//!
//! A probe waits for memory. The number of children of a node cannot be predicted: a wrong guess of where a loop over
//! them ends costs some 15 cycles. [`Enhanced::Together`] has no such loop. It makes a key in all seven lanes, fetches
//! all slots, and compares all keys. The results of lanes without a child are masked.

axis! {
    /// Whether a node looks all its children up before it searches any.
    pub enum Enhanced = "enhanced-cutoffs" {
        /// no: a child is looked up when it is searched
        None = "none",
        /// where at least five later wins would still raise the score above the window
        Deep = "deep",
        /// at every node
        All = "all",
        /// at every node, in all lanes alike, whether there is a child or not: no branch for each
        Together = "together",
    }
}

/// For [`Enhanced::Deep`]: the least number of later wins that are above the window.
const DEEP: i32 = 5;

impl Enhanced {
    /// True if a node looks its children up first. `most` is the best score left, `alpha` the window's lower end.
    #[inline(always)]
    pub fn applies(self, most: i32, alpha: i32) -> bool {
        match self {
            Enhanced::None => false,
            Enhanced::Deep => most - alpha >= DEEP,
            Enhanced::All | Enhanced::Together => true,
        }
    }

    /// True if all lanes are looked up. A loop over a number of children that is hard to predict costs more.
    #[inline(always)]
    pub fn all_lanes(self) -> bool {
        self == Enhanced::Together
    }
}
