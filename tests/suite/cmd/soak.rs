//! A short soak (`examples/soak/`): a measurement that is killed and fills its disk ends with one row a cell. And the soak itself
//! is able to fail.

#[path = "../../../examples/soak/course.rs"]
mod course;
#[allow(dead_code, reason = "to fill a disk for real, a small one is needed")]
#[path = "../../../examples/soak/full.rs"]
mod full;
#[path = "../../../examples/soak/watch.rs"]
mod watch;

use anyhow::Result;
use course::{Course, Tally, TooFewCells};
use full::Fill;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use watch::Watch;

/// A soak of 6,000 cells. Where the test stands still for a moment, a process comes to its end before it is killed. Then there is one of
/// four times as many cells, and at last one of 96,000.
fn soak(place: &Path, binary: &Path) -> (PathBuf, Result<Tally>) {
    let mut cells = 6000;
    loop {
        let out = place.join(format!("run-{cells}"));
        let course = Course {
            binary: binary.to_path_buf(),
            out: out.clone(),
            variants: vec!["pons-06".to_string(), "champion".to_string()],
            cells,
            kills: 5,
            fills: 1,
            fill: Fill::Limit,
            seed: 1,
        };
        let tally = course.run(|_| {});
        let too_few = tally.as_ref().is_err_and(|error| error.is::<TooFewCells>());
        if !too_few || cells > 50_000 {
            return (out, tally);
        }
        cells *= 4;
    }
}

/// The program under test.
fn binary() -> PathBuf {
    PathBuf::from(env!("CARGO_BIN_EXE_c4lab"))
}

#[test]
#[ignore = "a soak"]
fn a_measurement_outlives_kills_and_a_full_disk() {
    let place = tempfile::tempdir().unwrap();
    let (out, tally) = soak(place.path(), &binary());
    let tally = tally.unwrap_or_else(|error| panic!("{error:#}"));
    assert_eq!((tally.rows, tally.kills, tally.fills, tally.torn_by_hand), (tally.cells, 5, 1, 2));
    let manifest = fs::read_to_string(out.join("manifest.json")).unwrap();
    let manifest: serde_json::Value = serde_json::from_str(&manifest).unwrap();
    let runs = manifest["runs"].as_array().unwrap().len();
    // Those that were killed before they wrote the manifest are not in it.
    assert!((2..=5 + 1 + 2).contains(&runs), "{runs} runs");
    assert!(tally.to_string().contains(&format!("{}, each cell once", tally.cells)), "{tally}");
}

/// A program that spoils its rows before each start is found out.
#[test]
#[ignore = "a soak"]
fn a_program_that_loses_rows_is_found_out() {
    for (spoil, found) in [
        ("sed -i 2d", "some are gone"),
        ("sed -i 2p", "some are gone"),
        ("truncate -s -2000", "some are gone"),
        ("sed -i '$p'", "stand twice"),
    ] {
        let place = tempfile::tempdir().unwrap();
        let script = place.path().join("spoil");
        // The folder to measure into comes last.
        let text = format!(
            "#!/bin/bash\nrows=\"${{@: -1}}/samples.csv\"\n\
             [ -s \"$rows\" ] && [ $(wc -l <\"$rows\") -gt 9 ] && {spoil} \"$rows\"\nexec '{}' \"$@\"\n",
            binary().display()
        );
        fs::write(&script, text).unwrap();
        fs::set_permissions(&script, fs::Permissions::from_mode(0o755)).unwrap();
        let error = format!("{:#}", soak(place.path(), &script).1.expect_err(spoil));
        assert!(error.contains(found), "{spoil}: {error}");
    }
}

/// A watch sees what is whole, and nothing else.
#[test]
fn torn_rows_are_counted_and_dropped() {
    let place = tempfile::tempdir().unwrap();
    let out = place.path().join("run");
    let arguments = ["measure", "-q", "--variants", "pons-06", "--test-sets", "end-easy", "--limit", "3", "--out"];
    let status =
        std::process::Command::new(binary()).args(arguments).arg(&out).stdout(std::process::Stdio::null()).status();
    assert!(status.unwrap().success());
    let mut watch = Watch::new(&out);
    watch.look().unwrap();
    assert_eq!((watch.rows, watch.torn), (3, 0));
    watch.tear(|length| length - 1).unwrap();
    assert_eq!((watch.rows, watch.torn), (2, 1));
    watch.tear(|_| 0).unwrap();
    assert_eq!((watch.rows, watch.torn), (1, 2));
    let rows = out.join("samples.csv");
    let text = fs::read_to_string(&rows).unwrap().replacen(",ok,", ",error,", 1);
    fs::write(&rows, text).unwrap();
    assert!(watch.look().is_err());
}
