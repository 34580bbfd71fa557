//! The experiments that the binary carries.

pub static EMBEDDED: [(&str, &str); 28] = [
    ("quick", include_str!("../../../experiments/quick.toml")),
    ("ladder", include_str!("../../../experiments/ladder.toml")),
    ("ladder-original", include_str!("../../../experiments/ladder-original.toml")),
    ("exact-original", include_str!("../../../experiments/exact-original.toml")),
    ("around", include_str!("../../../experiments/around.toml")),
    ("keys", include_str!("../../../experiments/keys.toml")),
    ("layout", include_str!("../../../experiments/layout.toml")),
    ("simd", include_str!("../../../experiments/simd.toml")),
    ("wins", include_str!("../../../experiments/wins.toml")),
    ("champion", include_str!("../../../experiments/champion.toml")),
    ("champion-original", include_str!("../../../experiments/champion-original.toml")),
    ("champion-ablation", include_str!("../../../experiments/champion-ablation.toml")),
    ("progress", include_str!("../../../experiments/progress.toml")),
    ("progress-original", include_str!("../../../experiments/progress-original.toml")),
    ("tables", include_str!("../../../experiments/tables.toml")),
    ("threads", include_str!("../../../experiments/threads.toml")),
    ("empty-board", include_str!("../../../experiments/empty-board.toml")),
    ("fhourstones", include_str!("../../../experiments/fhourstones.toml")),
    ("budget", include_str!("../../../experiments/budget.toml")),
    ("budget-cpython", include_str!("../../../experiments/budget-cpython.toml")),
    ("budget-cpython-final", include_str!("../../../experiments/budget-cpython-final.toml")),
    ("budget-cpython-ladder", include_str!("../../../experiments/budget-cpython-ladder.toml")),
    ("budget-any-win", include_str!("../../../experiments/budget-any-win.toml")),
    ("engines", include_str!("../../../experiments/engines.toml")),
    ("exact-champion", include_str!("../../../experiments/exact-champion.toml")),
    ("proof-same", include_str!("../../../experiments/proof-same.toml")),
    ("proof-pair", include_str!("../../../experiments/proof-pair.toml")),
    ("proof-block", include_str!("../../../experiments/proof-block.toml")),
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::experiment::Experiment;

    #[test]
    fn embedded_experiments_are_valid() {
        for (name, text) in EMBEDDED {
            assert_eq!(Experiment::parse(name, text).unwrap().name, name);
        }
    }
}
