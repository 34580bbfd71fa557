//! A row, for the tests of this package and of those above it.

use crate::files::sample::{SCHEMA_VERSION, Sample, Status};
use crate::plan::table_state::TableState;
use c4lab_solver::search::Goal;

/// A row of variant `variant` on position `position_id`.
pub fn sample(variant: &str, position_id: u64, wall_ns: u64, nodes: u64) -> Sample {
    Sample {
        schema_version: SCHEMA_VERSION,
        cell_id: format!("{variant}-{position_id}"),
        run_id: "r".to_string(),
        process: 1,
        machine_id: "m".to_string(),
        binary_sha256: "b".to_string(),
        git_rev: None,
        dirty: None,
        set: "s".to_string(),
        set_sha256: "d".to_string(),
        position_id,
        moves: Some("44".to_string()),
        ply: 2,
        geometry: "7x6/7".to_string(),
        variant: variant.to_string(),
        spec: "a=b,c=d".to_string(),
        goal: Goal::Strong,
        tt_bytes: 0,
        tt_state: TableState::Cold,
        threads: 1,
        repetition: 0,
        book: None,
        code: None,
        batch: Some(position_id as u32),
        block_order: 0,
        seed: 1,
        limit_ns: None,
        limit_nodes: None,
        status: Status::Ok,
        expected_score: Some(1),
        score: Some(1),
        nodes: Some(nodes),
        wall_ns: Some(wall_ns),
        cpu_ns: None,
        engine_nodes: None,
        engine_ns: None,
        started_at: "2026-11-20T00:00:00Z".to_string(),
        warnings: None,
    }
}
