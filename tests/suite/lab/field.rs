//! The records of other solvers beside the champion: what docs/RESULTS.md and results/PEERS.md say of their rows.

use c4lab_measure::engines::engine_clock::EngineClock;
use c4lab_measure::files::folder::read_samples;
use c4lab_measure::files::sample::Status;
use c4lab_report::reading::Reading;
use std::fs;
use std::path::Path;

const RECORDS: [&str; 7] = ["short", "wshort", "bm", "wbm", "bh", "wbh", "empty"];

fn folder(name: &str) -> String {
    format!("results/2026-11-22-peers-{name}")
}

#[test]
fn every_answer_is_right_and_has_its_own_time_and_nodes() {
    for name in &RECORDS[2..] {
        let rows = read_samples(Path::new(&folder(name))).expect("a record");
        for row in &rows {
            assert_eq!(row.status, Status::Ok, "{row:?}");
            let is_foreign = row.spec.starts_with("version=");
            assert_eq!((row.engine_ns.is_some(), row.engine_nodes.is_some()), (is_foreign, is_foreign), "{row:?}");
            assert!(row.nodes.is_none() == is_foreign && row.engine_ns < row.wall_ns, "{row:?}");
            assert_eq!(row.moves.is_none(), *name != "empty", "the original sets are not part of the project: {row:?}");
        }
    }
}

#[test]
fn a_record_names_nobody_s_folders() {
    for name in RECORDS {
        for file in ["manifest.json", "report.md", "summary.csv"] {
            let text = fs::read_to_string(Path::new(&folder(name)).join(file)).expect("a record");
            let found = ["/home", "/root", "/tmp", "/Users", "@"].into_iter().find(|path| text.contains(path));
            // A size of a table follows a variant's name.
            assert!(found.is_none_or(|found| found == "@" && name == "empty"), "{name}/{file}: {found:?}");
        }
    }
}

/// By its own clock a program is marked, and is not slower than by ours.
#[test]
fn a_record_is_read_by_either_clock() {
    let mean = |clock: EngineClock, name: &str| {
        let reading = Reading::open_by(Path::new(&folder("bh")), Some(clock)).expect("a record");
        let column = reading.results.grounds[0].columns.iter().find(|column| column.variant == name).cloned();
        column.map(|column| column.cells.iter().flatten().filter_map(|cell| cell.ns()).sum::<f64>() / 15.0)
    };
    let (ours, own) = (mean(EngineClock::Ours, "c4").unwrap(), mean(EngineClock::Own, "c4 (own clock)").unwrap());
    assert!(own < ours && ours < 1.001 * own, "{own} {ours}");
    assert_eq!((mean(EngineClock::Own, "c4"), mean(EngineClock::Ours, "c4 (own clock)")), (None, None));
    assert_eq!(mean(EngineClock::Own, "champion"), mean(EngineClock::Ours, "champion"));
}
