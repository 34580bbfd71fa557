//! Rows for the tests of this package and of the packages that use it.

use crate::files::sample::{SCHEMA_VERSION, Sample, files_of};
use std::path::Path;

pub fn write(folder: &Path, rows: &[Sample]) {
    std::fs::create_dir_all(folder).expect("a folder");
    for (name, bytes) in files_of(rows.iter().cloned().map(Ok)).expect("rows that agree") {
        std::fs::write(folder.join(name), bytes).expect("a file");
    }
}

pub fn sample(variant: &str, position_id: u64, wall_ns: u64, nodes: u64) -> Sample {
    Sample {
        schema_version: SCHEMA_VERSION,
        run_id: "r".to_string(),
        process: 1,
        machine_id: "m".to_string(),
        binary_sha256: "b".to_string(),
        seed: 1,
        set: "s".to_string(),
        set_sha256: "d".to_string(),
        position_id,
        ply: 2,
        moves: Some("44".to_string()),
        expected_score: Some(1),
        variant: variant.to_string(),
        spec: "a=b,c=d".to_string(),
        geometry: "7x6/7".to_string(),
        threads: 1,
        batch: position_id as u32,
        score: Some(1),
        nodes: Some(nodes),
        wall_ns: Some(wall_ns),
        started_at: "2026-11-20T00:00:00Z".to_string(),
        ..Sample::default()
    }
}
