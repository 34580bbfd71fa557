//! Rows for the tests of this package and of the packages that use it.

use crate::engines::table::EngineClock;
use crate::files::sample::{SCHEMA_VERSION, Sample, Status, files_of};
use crate::plan::experiment::TableState;
use c4lab_solver::search::Goal;
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
        git_rev: None,
        dirty: None,
        seed: 1,
        limit_ns: None,
        limit_nodes: None,
        resolution_ns: 0,
        set: "s".to_string(),
        set_sha256: "d".to_string(),
        position_id,
        ply: 2,
        moves: Some("44".to_string()),
        expected_score: Some(1),
        variant: variant.to_string(),
        spec: "a=b,c=d".to_string(),
        geometry: "7x6/7".to_string(),
        tt_bytes: 0,
        tt_state: TableState::Cold,
        threads: 1,
        book: None,
        code: None,
        clock: EngineClock::Ours,
        dynamic: false,
        goal: Goal::Strong,
        repetition: 0,
        batch: position_id as u32,
        block_order: 0,
        status: Status::Ok,
        score: Some(1),
        nodes: Some(nodes),
        wall_ns: Some(wall_ns),
        cpu_ns: None,
        engine_nodes: None,
        engine_ns: None,
        started_at: "2026-11-20T00:00:00Z".to_string(),
        marks: None,
    }
}
