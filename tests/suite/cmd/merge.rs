//! `c4lab merge` and shards: the bytes of a merged folder do not depend on the order, the steps and
//! the repetition of merges; and refusals.

use crate::support::{Ended, Place, cells, ended, good, manifest, place, read, refused, run, samples, started, table};
use c4lab_measure::files::manifest::{Manifest, SetRecord, digest};
use c4lab_measure::files::sample::{Folder, Sample, Status, read_samples};
use c4lab_measure::fixtures::{self, sample};
use c4lab_measure::plan::experiment::Experiment;
use c4lab_measure::plan::shard::Shard;
use proptest::prelude::*;
use std::collections::HashSet;
use std::fs;
use std::path::Path;
use std::process::Command;
use std::sync::LazyLock;

/// The files of a merged folder, in the order in which they are written.
const FILES: [&str; 6] =
    ["manifest.json", "processes.csv", "variants.csv", "positions.csv", "samples.csv", "summary.csv"];
const VARIANTS: [&str; 2] = ["pons-11", "pons-12"];
/// The manifest of a real measurement, from which these tests make theirs.
static MEASURED: LazyLock<Manifest> = LazyLock::new(|| {
    let place = place();
    good(&format!("measure --variants pons-12 --test-sets end-easy --limit 1 --out {}", place.name("run")));
    Manifest::read(&place.path("run")).unwrap().unwrap()
});

/// A row of run `run` on machine `machine`: its nodes depend on the cell, its time also on the run.
fn row(machine: usize, run: usize, position: u64, variant: usize) -> Sample {
    Sample {
        run_id: format!("run{machine}{run}"),
        machine_id: format!("machine{machine}"),
        binary_sha256: "binary".to_string(),
        set: "set".to_string(),
        set_sha256: "digest".to_string(),
        position_id: position,
        variant: VARIANTS[variant].to_string(),
        spec: "a=b".to_string(),
        block_order: variant as u32,
        nodes: Some(10 * position + variant as u64),
        wall_ns: Some(1000 * (1 + machine as u64) + 100 * run as u64 + 10 * position + variant as u64),
        score: Some(0),
        expected_score: Some(0),
        ..sample("", position, 0, 0)
    }
}

/// The manifest of two runs of a machine. The second may not have ended.
fn manifest_of(machine: usize, shard: Option<Shard>, ended: bool) -> Manifest {
    let mut manifest = MEASURED.clone();
    let mut experiment = Experiment::blank("test");
    experiment.runs[0].variants = VARIANTS.map(str::to_string).to_vec();
    experiment.runs[0].test_sets = vec!["set".to_string()];
    manifest.experiment_sha256 = digest(&experiment).unwrap();
    manifest.experiment = experiment;
    manifest.test_sets =
        vec![SetRecord { name: "set".to_string(), sha256: "digest".to_string(), positions: 3, shipped: true }];
    manifest.binary.sha256 = "binary".to_string();
    manifest.machine.id = format!("machine{machine}");
    manifest.shard = shard;
    let mut template = manifest.runs[0].clone();
    template.machine_id = manifest.machine.id.clone();
    let record = |run: usize| {
        let mut record = template.clone();
        record.id = format!("run{machine}{run}");
        record.started_at = format!("2026-11-20T0{run}:00:00Z");
        if run == 1 && !ended {
            (record.ended_at, record.after, record.signature_after) = (None, None, None);
        }
        record
    };
    manifest.runs = vec![record(0), record(1)];
    manifest
}

#[derive(Clone, Debug)]
struct Made {
    machine: usize,
    rows: u16,
    shard: Option<Shard>,
    ended: bool,
}

impl Made {
    fn whole(machine: usize) -> Self {
        Made { machine, rows: 0x0fff, shard: None, ended: true }
    }

    fn samples(&self) -> Vec<Sample> {
        let bits = (0..12).filter(|bit| self.rows >> bit & 1 == 1);
        bits.map(|bit| row(self.machine, bit / 6, 1 + (bit % 6 / 2) as u64, bit % 2)).collect()
    }

    fn write(&self, folder: &Path) {
        write(folder, &self.samples(), &manifest_of(self.machine, self.shard, self.ended));
    }
}

fn write(folder: &Path, rows: &[Sample], manifest: &Manifest) {
    let (mut opened, _) = Folder::open(folder).unwrap();
    rows.iter().for_each(|row| opened.add(row).unwrap());
    manifest.write(folder).unwrap();
}

fn made() -> impl Strategy<Value = Made> {
    let shard = prop_oneof![Just(None), (1u32..=3).prop_map(|index| Shard::new(index, 3).ok())];
    let made = |(machine, rows, shard, ended)| Made { machine, rows: rows & 0x0fff | 1, shard, ended };
    (0usize..2, any::<u16>(), shard, any::<bool>()).prop_map(made)
}

fn folders(made: &[Made]) -> Place {
    let place = place();
    for (name, made) in ["a", "b", "c"].iter().zip(made) {
        made.write(&place.path(name));
    }
    place
}

fn merge(place: &Place, out: &str, folders: &[&str]) -> Vec<Vec<u8>> {
    good(&merging(place, out, folders));
    files(&place.path(out))
}

fn merging(place: &Place, out: &str, folders: &[&str]) -> String {
    let names: Vec<String> = [&[out], folders].concat().iter().map(|name| place.name(name)).collect();
    format!("merge {}", names.join(" "))
}

fn files(folder: &Path) -> Vec<Vec<u8>> {
    let names: HashSet<String> =
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    assert_eq!(names, FILES.map(str::to_string).into());
    FILES.map(|name| fs::read(folder.join(name)).unwrap()).to_vec()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    #[test]
    fn merging_is_commutative_associative_and_idempotent(made in proptest::collection::vec(made(), 3)) {
        let place = folders(&made);
        let all = merge(&place, "all", &["a", "b", "c"]);
        prop_assert_eq!(&merge(&place, "back", &["c", "b", "a"]), &all);
        merge(&place, "ab", &["a", "b"]);
        merge(&place, "bc", &["b", "c"]);
        prop_assert_eq!(&merge(&place, "left", &["ab", "c"]), &all);
        prop_assert_eq!(&merge(&place, "right", &["a", "bc"]), &all);
        prop_assert_eq!(&merge(&place, "twice", &["a", "a", "b", "bc", "c", "all"]), &all);
        // Into one of the merged folders, and twice.
        prop_assert_eq!(&merge(&place, "ab", &["ab", "c"]), &all);
        prop_assert_eq!(&merge(&place, "ab", &["ab"]), &all);
        let rows: HashSet<(String, String)> =
            made.iter().flat_map(Made::samples).map(|row| (row.run_id.clone(), format!("{:?}", row.cell()))).collect();
        let merged = read_samples(&place.path("all")).unwrap();
        prop_assert_eq!(merged.len(), rows.len(), "each observation once, and none lost");
    }
}

#[test]
fn a_cell_of_two_machines_is_two_observations_and_the_manifest_tells_of_both() {
    let place = folders(&[
        Made { shard: Shard::new(2, 3).ok(), ..Made::whole(0) },
        Made { shard: Shard::new(1, 3).ok(), ..Made::whole(1) },
    ]);
    merge(&place, "out", &["a", "b"]);
    let rows = samples(&place.name("out"));
    let of_cell = rows.iter().filter(|row| (row.position_id, row.variant.as_str()) == (1, VARIANTS[0]));
    assert_eq!((rows.len(), of_cell.count()), (24, 4), "two machines, two runs");
    let manifest = Manifest::read(&place.path("out")).unwrap().unwrap();
    let machines: Vec<&str> = manifest.machines().iter().map(|machine| machine.id.as_str()).collect();
    assert_eq!((machines, manifest.runs.len()), (vec!["machine0", "machine1"], 4));
    assert_eq!(manifest.shards().iter().map(Shard::to_string).collect::<Vec<_>>(), ["1/3", "2/3"]);
    assert!(manifest.merged.unwrap().mixed.is_empty());
}

/// Of a run that was copied while it was measured, the later state is kept.
#[test]
fn a_run_that_has_ended_since_is_one_run() {
    let place = folders(&[Made { ended: false, rows: 7, ..Made::whole(0) }, Made::whole(0)]);
    assert_eq!(merge(&place, "out", &["a", "b"]), merge(&place, "other", &["b"]));
}

#[test]
fn reports_of_two_machines_compare_times_within_one_and_pool_nodes() {
    let place = folders(&[Made { rows: 0x0f, ..Made::whole(0) }, Made { rows: 0xff, ..Made::whole(1) }]);
    let merged = merge(&place, "out", &["a", "b"]);
    let (out, record) = (place.name("out"), place.name("record"));
    let nodes = table(&good(&format!("report {out} --tables nodes --format csv")));
    let mean = |variant: usize| (10.0 + 20.0 + 30.0 + 3.0 * variant as f64) / 3.0;
    for (variant, row) in nodes.iter().enumerate() {
        assert_eq!((row["variant"].as_str(), row["mean_nodes"].parse()), (VARIANTS[variant], Ok(mean(variant))));
    }
    let compared = good(&format!("compare {out} --base pons-11 --to pons-12 --format csv"));
    for start in ["set on machine0,strong,time,", "set on machine1,strong,time,", "pooled,strong,nodes,"] {
        assert!(compared.lines().any(|line| line.starts_with(start)), "{start}: {compared}");
    }
    let apart: HashSet<String> =
        table(&read(&format!("{out}/summary.csv"))).iter().map(|row| row["apart"].clone()).collect();
    assert_eq!(apart.len(), 2, "{apart:?}");
    // A record is read as a folder, without loss.
    good(&format!("report {out} --record {record}"));
    assert_eq!(merge(&place, "again", &["record"]), merged);
}

#[test]
fn rows_that_contradict_each_other_are_named_and_nothing_is_written() {
    let place = folders(&[Made::whole(0)]);
    let other = |name: &str, machine: usize, change: fn(&mut [Sample])| {
        let mut rows = Made::whole(machine).samples();
        change(&mut rows);
        write(&place.path(name), &rows, &manifest_of(machine, None, true));
    };
    other("nodes", 1, |rows| rows[3].nodes = Some(99));
    other("score", 1, |rows| (rows[2].score, rows[2].status) = (Some(-1), Status::Wrong));
    other("content", 0, |rows| rows[0].wall_ns = Some(1));
    for (name, line) in [("nodes", 5), ("score", 4), ("content", 2)] {
        for mixed in ["", " --mixed"] {
            let place_of_row = format!("{}/samples.csv, line {line}", place.name(name));
            refused(4, &[(&(merging(&place, "out", &["a", name]) + mixed), &place_of_row)]);
            assert!(!place.path("out").exists(), "nothing is written");
        }
    }
    // An existing folder does not change.
    let good = merge(&place, "out", &["a"]);
    assert_eq!(run(&merging(&place, "out", &["out", "nodes"])).status, 4);
    assert_eq!(files(&place.path("out")), good);
    assert_eq!(fs::read_dir(place.path("")).unwrap().count(), 5, "no temporary folder is left");
}

#[test]
fn other_experiments_and_builds_are_merged_on_request_only_and_other_sets_never() {
    let place = folders(&[Made { rows: 3, ..Made::whole(0) }]);
    let rows = Made::whole(1).samples();
    let built: Vec<Sample> =
        rows.iter().map(|row| Sample { binary_sha256: "other".to_string(), ..row.clone() }).collect();
    let changed: Vec<Sample> =
        rows.iter().map(|row| Sample { set_sha256: "changed".to_string(), ..row.clone() }).collect();
    let folder = |name: &str, rows: &[Sample], change: fn(&mut Manifest)| {
        let mut other = manifest_of(1, None, true);
        change(&mut other);
        write(&place.path(name), rows, &other);
    };
    folder("experiment", &rows, |manifest| manifest.experiment.seed = 2);
    folder("binary", &built, |manifest| manifest.binary.sha256 = "other".to_string());
    folder("set", &changed, |manifest| manifest.test_sets[0].sha256 = "changed".to_string());
    folder("strange", &changed, |_| ());
    folder("unbuilt", &built, |_| ());
    for (name, word) in [("experiment", "experiments"), ("binary", "binaries")] {
        let line = merging(&place, "out", &["a", name]);
        refused(1, &[(&line, "--mixed")]);
        assert!(!place.path("out").exists());
        good(&format!("{line} --mixed"));
        assert_eq!(manifest(&place.name("out"))["merged"]["mixed"], serde_json::json!([word]));
        // A mixed folder stays mixed, and every report says so.
        refused(1, &[(&merging(&place, "more", &["out"]), "--mixed")]);
        assert!(run(&format!("report {}", place.name("out"))).stderr.contains(word));
        fs::remove_dir_all(place.path("out")).unwrap();
    }
    for (folders, part) in
        [(&["a", "set"][..], "set"), (&["strange"], "samples.csv, line 2"), (&["unbuilt"], "samples.csv, line 2")]
    {
        for mixed in ["", " --mixed"] {
            refused(1, &[(&(merging(&place, "out", folders) + mixed), part)]);
        }
    }
}

#[test]
fn no_row_of_the_place_is_lost() {
    let place = folders(&[Made::whole(0), Made { rows: 5, ..Made::whole(1) }]);
    let before = merge(&place, "out", &["a"]);
    refused(1, &[(&merging(&place, "out", &["b"]), "12 rows")]);
    assert_eq!(files(&place.path("out")), before);
    // A folder with other files, and a file.
    fs::create_dir(place.path("things")).unwrap();
    for name in ["things/notes.txt", "file"] {
        place.file(name, "mine");
    }
    refused(1, &[(&merging(&place, "things", &["a"]), "things"), (&merging(&place, "file", &["a"]), "file")]);
    assert_eq!((read(&place.name("things/notes.txt")), read(&place.name("file"))), ("mine".into(), "mine".into()));
    // An empty folder is treated as a new one.
    fs::create_dir(place.path("empty")).unwrap();
    assert_eq!(merge(&place, "empty", &["a"]), before);
    // A folder that is being measured into, and one without samples.
    let open = Folder::open(&place.path("a")).unwrap();
    refused(1, &[(&merging(&place, "a", &["a", "b"]), "another c4lab")]);
    drop(open);
    refused(1, &[(&merging(&place, "x/y", &["nowhere"]), "nowhere")]);
}

/// The files of an existing folder are replaced one after another, and the folder is valid after each of them.
#[test]
fn a_crash_between_two_files_leaves_a_good_folder() {
    let place = folders(&[Made::whole(0), Made::whole(1)]);
    let all = merge(&place, "all", &["a", "b"]);
    for replaced in 1..FILES.len() {
        merge(&place, "out", &["a"]);
        for name in &FILES[..replaced] {
            fs::copy(place.path("all").join(name), place.path("out").join(name)).unwrap();
        }
        good(&format!("report {}", place.name("out")));
        assert_eq!(merge(&place, "out", &["out", "b"]), all, "merging again ends what was begun");
        fs::remove_dir_all(place.path("out")).unwrap();
    }
}

#[test]
fn a_merged_folder_is_not_measured_into_and_a_record_is_merged() {
    let place = place();
    let [a, out, record, whole] = ["a", "out", "record", "whole"].map(|name| place.name(name));
    let measure = |out: &str| format!("measure --variants pons-12 --test-sets end-easy --limit 2 --out {out}");
    good(&measure(&a));
    good(&format!("merge {out} {a}"));
    refused(1, &[(&measure(&out), "merged")]);
    good(&format!("report {a} --record {record}"));
    good(&format!("merge {whole} {record}"));
    assert_eq!(cells(&whole), 2);
}

/// A folder with a small experiment of 40 cells in a file whose name has a blank, and that name as a shell word.
fn planned() -> (Place, String) {
    let place = place();
    let text = "name = \"mine\"\nrepetitions = 2\n\n[[runs]]\nvariants = [\"pons-10\", \"pons-12\"]\n\
                test-sets = [\"end-easy\"]\n";
    let file = place.file("my plan.toml", text);
    (place, format!("'{file}'"))
}

/// The sorted rows without the columns that differ from run to run. Each process measures the resolution of its clock.
fn timeless(folder: &str) -> Vec<String> {
    let bare = |row: Sample| Sample {
        run_id: String::new(),
        batch: 0,
        block_order: 0,
        wall_ns: None,
        cpu_ns: None,
        started_at: String::new(),
        resolution_ns: 0,
        marks: None,
        ..row
    };
    let mut rows: Vec<String> = samples(folder).into_iter().map(|row| format!("{:?}", bare(row))).collect();
    rows.sort();
    rows
}

fn measured(file: &str, out: &str, more: &str) -> Ended {
    run(&format!("measure {file} --out '{out}' --quiet --limit 10 {more}"))
}

#[test]
fn shards_are_the_whole_and_share_its_digest() {
    let (place, file) = planned();
    let folder = |name: &str| place.name(name);
    measured(&file, &folder("whole"), "").ok();
    let mut parts = Vec::new();
    for shard in ["1/3", "2/3", "3/3"] {
        let part = folder(&shard.replace('/', "-"));
        measured(&file, &part, &format!("--shard {shard}")).ok();
        let (of, whole) = (manifest(&part), manifest(&folder("whole")));
        assert_eq!((of["shard"].is_null(), whole["shard"].is_null()), (false, true));
        assert_eq!(of["experiment_sha256"], whole["experiment_sha256"]);
        let rows = samples(&part);
        for id in rows.iter().map(|row| row.position_id).collect::<HashSet<_>>() {
            let of = rows.iter().filter(|row| row.position_id == id).count();
            assert_eq!(of, 4, "both variants and both passes of a position");
        }
        parts.extend(timeless(&part));
    }
    parts.sort();
    assert_eq!(parts, timeless(&folder("whole")));
    good(&merging(&place, "merged", &["1-3", "2-3", "3-3"]));
    assert_eq!(timeless(&folder("merged")), parts);
    // A folder takes no other shard.
    for (name, more) in [("1-3", "--shard 2/3"), ("1-3", ""), ("whole", "--shard 1/3")] {
        let before = read(&format!("{}/samples.csv", folder(name)));
        let ended = measured(&file, &folder(name), more);
        assert!(ended.status == 1 && ended.stderr.contains("shard"), "{}", ended.stderr);
        assert_eq!(read(&format!("{}/samples.csv", folder(name))), before);
    }
    // With more shards than positions, some shards are empty.
    measured(&file, &folder("none"), "--shard 400/1000").ok();
}

/// The scripts of experiments/scheduler/: their merged rows are those of one process, and no cell is measured twice.
#[test]
fn the_scripts_measure_what_one_process_does() {
    let parallel = Command::new("parallel").arg("--version").output();
    let parallel = parallel.is_ok_and(|output| String::from_utf8_lossy(&output.stdout).starts_with("GNU parallel"));
    for name in ["local.sh", "parallel.sh"] {
        if name == "parallel.sh" && !parallel {
            println!("skipped: no GNU parallel here");
            continue;
        }
        let (place, file) = planned();
        let shards: Vec<String> = (1..=3).map(|shard| format!("the campaign/shard-{shard}-of-3")).collect();
        let names: Vec<String> = shards.iter().map(|shard| format!("'{}'", place.name(shard))).collect();
        for _ in 0..2 {
            let script = format!("experiments/scheduler/{name} 3 '{}' {file}", place.name("the campaign"));
            let mut command = Command::new("bash");
            command.args(shell_words::split(&script).unwrap()).args(["--limit", "10", "--quiet"]);
            ended(started(command.env("C4LAB", crate::support::BINARY))).ok();
        }
        good(&format!("merge {} {}", place.name("merged"), names.join(" ")));
        measured(&file, &place.name("whole"), "").ok();
        assert_eq!(timeless(&place.name("merged")), timeless(&place.name("whole")));
    }
}

/// Cells of an experiment that no folder has are counted, and the merged rows are written.
#[test]
fn missing_cells_and_wrong_scores_are_the_status_of_a_merge() {
    let (place, file) = planned();
    let [one, two, merged] = ["one", "two", "merged"].map(|name| place.name(name));
    let merge = |folders: &str| run(&format!("merge {merged} {folders}"));
    measured(&file, &one, "--shard 1/2").ok();
    let ended = merge(&one);
    let missing = 40 - cells(&one);
    assert!(
        ended.status == 5 && ended.stderr.contains(&format!("{missing} of 40 cells are missing")),
        "{}",
        ended.stderr
    );
    assert!(ended.stderr.contains(&format!("pons-12: {}", missing / 2)), "{}", ended.stderr);
    assert_eq!(cells(&merged), cells(&one));
    measured(&file, &two, "--shard 2/2").ok();
    assert_eq!((merge(&format!("{merged} {one} {two}")).status, cells(&merged)), (0, 40));
    let mut changed = samples(&two);
    changed[0].status = Status::Wrong;
    fixtures::write(&place.path("two"), &changed);
    let wrong = run(&format!("merge {} {one} {two}", place.name("wrong")));
    assert!(wrong.status == 4 && wrong.stderr.contains("1 wrong score"), "{}", wrong.stderr);
}
