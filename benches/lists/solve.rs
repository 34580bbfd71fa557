//! Whole solves from a cleared table: a variant, a position, its exact score, and the nodes that the variant takes.

/// Hands the list to a macro: name, variant, moves, score, nodes.
macro_rules! solve {
    ($each:ident) => {
        crate::lists::hand! {
            $each solve in solve_list:
            {
                pons_06_late = "pons-06", "5551357246243572524317677", 5, 603;
                herzberg_late = "herzberg", "5551357246243572524317677", 5, 11_272;
                pons_09_middle = "pons-09", "41357411232772432666", 2, 58_591;
                pons_12_middle = "pons-12", "41357411232772432666", 2, 18_862;
                pons_12_wide_key_colorless_middle = "pons-12-wide-key-colorless", "41357411232772432666", 2, 18_244;
                pons_12_early = "pons-12", "113541175777156", -4, 27_086;
            } vectors {
                pons_12_threats_players_early = "pons-12-threats-players", "113541175777156", -4, 27_086;
            }
            {
                blog_losses_middle = "blog-losses", "41357411232772432666", 2, 76_954;
            } vectors {
                blog_simd_middle = "blog-simd", "41357411232772432666", 2, 76_954;
            }
        }
    };
}
pub(crate) use solve;
