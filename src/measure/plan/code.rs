//! The code of a variant: what its evaluators became on this build and this processor.

use c4lab_solver::axes::Threats;
use c4lab_solver::search::Spec;
use c4lab_solver::search::searcher::dispatched;
use serde::{Deserialize, Serialize};

/// The machine code that a variant's evaluators are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Code {
    Scalar,
    Avx2,
    Avx512,
    Emulated,
}

impl Code {
    /// What a choice is on this build, and for `threats=dispatched` on this processor.
    pub fn of(spec: Spec, is_compiled: bool) -> Self {
        if spec.threats == Threats::Dispatched {
            return match dispatched(is_compiled).name() {
                "avx512" => Code::Avx512,
                "avx2" => Code::Avx2,
                _ => Code::Scalar,
            };
        }
        match (spec.is_vector(), spec.available()) {
            (false, _) => Code::Scalar,
            (true, Err(_)) => Code::Emulated,
            (true, Ok(())) if cfg!(target_feature = "avx512f") => Code::Avx512,
            (true, Ok(())) => Code::Avx2,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use c4lab_solver::axes::level::Chosen;
    use c4lab_solver::search::registry::{self, PONS_12};

    #[test]
    fn scalar_variants_are_scalar_and_others_what_the_build_has() {
        assert_eq!(Code::of(PONS_12, true), Code::Scalar);
        let simd = registry::find("blog-simd").unwrap().spec;
        let real = cfg!(all(feature = "simd", target_feature = "avx2"));
        assert_eq!(real, matches!(Code::of(simd, true), Code::Avx2 | Code::Avx512));
        // By its name in rows.
        let dispatched = serde_json::to_value(Code::of(registry::CHAMPION, true)).expect("a word");
        assert_eq!(dispatched, Chosen::best().name());
    }
}
