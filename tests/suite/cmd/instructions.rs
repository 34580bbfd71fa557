//! Instruction counts through real processes: summaries are printed, recorded, read again and spliced.

use crate::support::process::run;
use c4lab_measure::files::count_manifest::CountManifest;
use std::fs;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

fn summary(group: &str, function: &str, id: &str, instructions: &str, second: u32) -> String {
    let metrics =
        format!(r#"{{"EstimatedCycles":{{"values":{{"new":7}}}},"Ir":{{"values":{{"new":{instructions}}}}}}}"#);
    format!(
        r#"{{"baselines":[null,null],"benchmark_exe":"target/release/deps/instructions-0","benchmark_file":"benches/counts/mod.rs","description":"()","duration_ns":1,"function_name":"{function}","group":"{group}","id":"{id}","kind":"LibraryBenchmark","module_path":"instructions::counts::{group}::{function}","output_dir":"target","package_dir":"","profiles":[{{"data":{{"parts":[{{"metrics":{metrics},"tool_run":{{"new":{{"command":"instructions","part":1,"pid":8570,"thread":1}}}}}}],"total":{{"metrics":{metrics},"regressions":[]}}}},"duration_ns":1,"process_ns":1,"started_at":"2026-11-20T19:17:44.4Z","tool":"Callgrind"}}],"project_root":"/","started_at":"2026-11-20T19:17:{second:02}.432128438Z","version":"7"}}"#
    )
}

/// A folder as the benchmark leaves it: three summaries, the later group first by name.
fn counted() -> (TempDir, PathBuf) {
    let place = tempfile::tempdir().unwrap();
    let folder = place.path().join("gungraun");
    for (group, function, id, instructions, second) in [
        ("wins", "has_four", "nodes_4096", "151578", 1),
        ("keys", "key", "nodes_4096", "40960", 2),
        ("solve", "pons_12_early", "cold", "11050687", 3),
    ] {
        let inner = folder.join(format!("c4lab/instructions/{group}/{function}.{id}"));
        fs::create_dir_all(&inner).unwrap();
        fs::write(inner.join("summary.json"), summary(group, function, id, instructions, second)).unwrap();
    }
    CountManifest::current("valgrind-3.19.0", "gungraun-runner 0.20.0").unwrap().write(&folder).unwrap();
    (place, folder)
}

fn shown(path: &Path) -> &str {
    path.to_str().unwrap()
}

fn one_summary(folder: &Path) -> PathBuf {
    folder.join("c4lab/instructions/keys/key.nodes_4096/summary.json")
}

#[test]
fn counts_are_printed_recorded_and_read_again() {
    let (place, folder) = counted();
    let (status, printed, stderr) = run(&["report", shown(&folder)]);
    assert_eq!(status, 0, "{stderr}");
    let lines: Vec<&str> = printed.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    assert_eq!((lines[0], lines[3], lines[6]), ("wins", "keys", "solve"), "{printed}");
    assert!(lines[2].starts_with("has_four") && lines[2].ends_with("37.01"), "{printed}");
    assert!(lines[8].starts_with("pons_12_early") && lines[8].ends_with("11,050,000"), "{printed}");
    let record = place.path().join("record");
    let (status, _, stderr) = run(&["report", shown(&folder), "--record", shown(&record)]);
    assert!(status == 0 && stderr.contains("3 rows kept"), "{stderr}");
    let rows = fs::read_to_string(record.join("instructions.csv")).unwrap();
    assert_eq!(
        rows,
        "schema_version,group,function,id,evaluations,instructions\n1,wins,has_four,nodes_4096,4096,151578\n\
         1,keys,key,nodes_4096,4096,40960\n1,solve,pons_12_early,cold,1,11050687\n"
    );
    assert_eq!(CountManifest::read(&record).unwrap(), CountManifest::read(&folder).unwrap());
    assert!(fs::read_to_string(record.join("report.md")).unwrap().contains("valgrind-3.19.0"));
    assert_eq!(run(&["report", shown(&record)]).1, printed);
    assert_eq!(run(&["report", shown(&folder), "--record", shown(&record)]).0, 1, "never edited");
}

#[test]
fn counts_are_spliced() {
    let (place, folder) = counted();
    let page = place.path().join("page.md");
    let marker = format!("<!-- c4lab:begin instructions {} groups=wins -->", shown(&folder));
    fs::write(&page, format!("top\n{marker}\nold\n<!-- c4lab:end -->\nend\n")).unwrap();
    let check = ["report", shown(&folder), "--splice", shown(&page), "--check"];
    assert_eq!(run(&check).0, 1, "stale");
    assert_eq!(run(&check[..4]).0, 0);
    assert_eq!(run(&check).0, 0, "up to date");
    let text = fs::read_to_string(&page).unwrap();
    assert!(text.contains("| has_four") && !text.contains("old") && !text.contains("keys"), "{text}");
    fs::write(&page, "nothing\n").unwrap();
    let (status, _, stderr) = run(&check);
    assert!(status == 1 && stderr.contains("c4lab:begin instructions"), "{stderr}");
}

#[test]
fn bad_summaries_are_errors_with_file_and_reason() {
    let (place, folder) = counted();
    let whole = summary("keys", "key", "nodes_4096", "40960", 2);
    for (bad, reason) in [
        (whole[..whole.len() / 2].to_string(), "line 1"),
        (String::new(), "line 1"),
        ("[]".to_string(), "line 1"),
        (whole.replace("\"Ir\"", "\"Other\""), "no Ir"),
        (whole.replace("\"function_name\"", "\"name\""), "missing field `function_name`"),
        (whole.replace("\"version\":\"7\"", "\"version\":\"6\""), "version \"6\""),
        (whole.replace("nodes_4096", "nodes_many"), "does not say how many nodes"),
    ] {
        fs::write(one_summary(&folder), bad).unwrap();
        let record = place.path().join("record");
        let (status, stdout, stderr) = run(&["report", shown(&folder), "--record", shown(&record)]);
        assert_eq!((status, stdout.as_str()), (1, ""), "{stderr}");
        assert!(stderr.contains("key.nodes_4096/summary.json") && stderr.contains(reason), "{reason}: {stderr}");
        assert!(!record.exists());
    }
}

#[test]
fn counts_without_a_manifest_are_not_believed() {
    let (_place, folder) = counted();
    fs::remove_file(folder.join("manifest.json")).unwrap();
    let (status, _, stderr) = run(&["report", shown(&folder)]);
    assert!(status == 1 && stderr.contains("manifest.json"), "{stderr}");
    fs::write(folder.join("manifest.json"), "{}").unwrap();
    let (status, _, stderr) = run(&["report", shown(&folder)]);
    assert!(status == 1 && stderr.contains("missing field"), "{stderr}");
}
