//! Whole solves from a cleared table: a variant, a position, its exact score, and the nodes that the variant takes.

/// Hands the list to a macro: name, variant, moves, score, nodes.
macro_rules! solve {
    ($each:ident) => {
        $each! {
            solve:
            pons_06_late = "pons-06", "5551357246243572524317677", 5, 603;
            pons_09_middle = "pons-09", "41357411232772432666", 2, 58_591;
            pons_12_middle = "pons-12", "41357411232772432666", 2, 18_862;
            pons_12_early = "pons-12", "113541175777156", -4, 27_086;
        }
    };
}
pub(crate) use solve;
