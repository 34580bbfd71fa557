//! `c4lab merge`: whatever the order, the steps and the repetitions, the same folder to the byte; and what it refuses.

use crate::support::process::run;
use c4lab_measure::files::folder::{Folder, read_samples};
use c4lab_measure::files::manifest::{Manifest, SetRecord, digest};
use c4lab_measure::files::sample::{Sample, Status};
use c4lab_measure::fixtures::sample;
use c4lab_measure::plan::experiment::Experiment;
use c4lab_measure::plan::shard::Shard;
use c4lab_report::merging::Merging;
use proptest::prelude::*;
use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// The files of a merged folder, in the order in which they are written.
const FILES: [&str; 6] =
    ["manifest.json", "processes.csv", "variants.csv", "positions.csv", "samples.csv", "summary.csv"];
const VARIANTS: [&str; 2] = ["pons-11", "pons-12"];
/// What was really measured: the manifest that those of these tests differ from.
const RECORD: &str = "results/2026-11-25-reproduce-pons-05";

/// A row of run `run` on machine `machine`: its nodes hang on what is searched, its time on the run too.
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

/// The manifest of two runs of a machine; the second may not have come to its end yet.
fn manifest(machine: usize, shard: Option<Shard>, ended: bool) -> Manifest {
    let mut manifest = Manifest::read(Path::new(RECORD)).unwrap().unwrap();
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
        write(folder, &self.samples(), &manifest(self.machine, self.shard, self.ended));
    }
}

fn write(folder: &Path, rows: &[Sample], manifest: &Manifest) {
    let (mut opened, _) = Folder::open(folder).unwrap();
    rows.iter().for_each(|row| opened.add(row).unwrap());
    manifest.write(folder).unwrap();
}

fn made() -> impl Strategy<Value = Made> {
    let shard = prop_oneof![Just(None), (1u32..=3).prop_map(|index| Shard::new(index, 3).ok())];
    (0usize..2, any::<u16>(), shard, any::<bool>()).prop_map(|(machine, rows, shard, ended)| Made {
        machine,
        rows: rows & 0x0fff | 1,
        shard,
        ended,
    })
}

struct Places {
    place: TempDir,
}

impl Places {
    fn of(folders: &[Made]) -> Self {
        let places = Places { place: tempfile::tempdir().unwrap() };
        for (name, made) in ["a", "b", "c"].iter().zip(folders) {
            made.write(&places.path(name));
        }
        places
    }

    fn path(&self, name: &str) -> PathBuf {
        self.place.path().join(name)
    }

    /// Merges folders into `out`, and gives back its files.
    fn merge(&self, out: &str, folders: &[&str]) -> Vec<Vec<u8>> {
        let folders: Vec<PathBuf> = folders.iter().map(|name| self.path(name)).collect();
        Merging::read(&folders, false).unwrap().write(&self.path(out)).unwrap();
        files(&self.path(out))
    }

    fn error(&self, out: &str, folders: &[&str], mixed: bool) -> String {
        let folders: Vec<PathBuf> = folders.iter().map(|name| self.path(name)).collect();
        let written = Merging::read(&folders, mixed).and_then(|merging| merging.write(&self.path(out)));
        format!("{:#}", written.unwrap_err())
    }
}

fn files(folder: &Path) -> Vec<Vec<u8>> {
    let read = |name| fs::read(folder.join(name)).unwrap();
    let names: HashSet<String> =
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    assert_eq!(names, FILES.map(str::to_string).into());
    FILES.map(read).to_vec()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn merging_is_commutative_associative_and_idempotent(folders in proptest::collection::vec(made(), 3)) {
        let places = Places::of(&folders);
        let all = places.merge("all", &["a", "b", "c"]);
        prop_assert_eq!(&places.merge("back", &["c", "b", "a"]), &all);
        places.merge("ab", &["a", "b"]);
        places.merge("bc", &["b", "c"]);
        prop_assert_eq!(&places.merge("left", &["ab", "c"]), &all);
        prop_assert_eq!(&places.merge("right", &["a", "bc"]), &all);
        prop_assert_eq!(&places.merge("twice", &["a", "a", "b", "bc", "c", "all"]), &all);
        // Into a folder that is one of them, and again.
        prop_assert_eq!(&places.merge("ab", &["ab", "c"]), &all);
        prop_assert_eq!(&places.merge("ab", &["ab"]), &all);
        let rows: HashSet<(String, String)> =
            folders.iter().flat_map(Made::samples).map(|row| (row.run_id.clone(), format!("{:?}", row.cell()))).collect();
        let merged = read_samples(&places.path("all")).unwrap();
        prop_assert_eq!(merged.len(), rows.len(), "each observation once, and none lost");
    }
}

#[test]
fn a_cell_of_two_machines_is_two_observations_and_the_manifest_tells_of_both() {
    let places = Places::of(&[
        Made { shard: Shard::new(2, 3).ok(), ..Made::whole(0) },
        Made { shard: Shard::new(1, 3).ok(), ..Made::whole(1) },
    ]);
    places.merge("out", &["a", "b"]);
    let rows = read_samples(&places.path("out")).unwrap();
    assert_eq!(rows.len(), 24);
    assert_eq!(
        rows.iter().filter(|row| (row.position_id, row.variant.as_str()) == (1, VARIANTS[0])).count(),
        4,
        "two machines, two runs"
    );
    let manifest = Manifest::read(&places.path("out")).unwrap().unwrap();
    let machines: Vec<&str> = manifest.machines().iter().map(|machine| machine.id.as_str()).collect();
    assert_eq!((machines, manifest.runs.len()), (vec!["machine0", "machine1"], 4));
    assert_eq!(manifest.shards().iter().map(Shard::to_string).collect::<Vec<_>>(), ["1/3", "2/3"]);
    assert!(manifest.merged.unwrap().mixed.is_empty());
}

/// Of a run that was copied while it went on, what it came to in the end is kept.
#[test]
fn a_run_that_has_ended_since_is_one_run() {
    let places = Places::of(&[Made { ended: false, rows: 7, ..Made::whole(0) }, Made::whole(0)]);
    let merged = places.merge("out", &["a", "b"]);
    assert_eq!(merged, places.merge("other", &["b"]));
    let manifest = Manifest::read(&places.path("out")).unwrap().unwrap();
    assert_eq!((manifest.runs.len(), manifest.runs[1].ended_at.is_some()), (2, true));
}

#[test]
fn reports_of_two_machines_compare_times_within_one_and_pool_nodes() {
    let places = Places::of(&[Made { rows: 0x0f, ..Made::whole(0) }, Made { rows: 0xff, ..Made::whole(1) }]);
    places.merge("out", &["a", "b"]);
    let out = places.path("out").display().to_string();
    let (status, stdout, stderr) = run(&["report", &out]);
    assert_eq!(status, 0, "{stderr}");
    for machine in ["machine0", "machine1"] {
        assert!(stderr.contains(&format!("machine {machine}: ")), "{stderr}");
        assert!(stdout.contains(&format!("set, strong, machine {machine}, cold")), "{stdout}");
    }
    assert!(stdout.contains("set, strong: nodes, pooled over 2 machines or builds"), "{stdout}");
    let (_, nodes, _) = run(&["report", &out, "--tables", "nodes", "--format", "csv"]);
    let mean = |variant: f64| (10.0 + 20.0 + 30.0 + 3.0 * variant) / 3.0;
    assert_eq!(nodes.lines().nth(1), Some(format!("set,strong,pons-11,3,3,0,0,{},1", mean(0.0)).as_str()), "{nodes}");
    assert!(
        nodes.lines().nth(2).unwrap().starts_with(&format!("set,strong,pons-12,3,3,0,0,{},", mean(1.0))),
        "{nodes}"
    );
    let (status, compared, stderr) = run(&["compare", &out, "--base", "pons-11", "--to", "pons-12", "--format", "csv"]);
    assert_eq!(status, 0, "{stderr}");
    for start in ["set on machine0,strong,time,", "set on machine1,strong,time,", "pooled,strong,time,"] {
        assert!(compared.lines().any(|line| line.starts_with(start)), "{start}: {compared}");
    }
    let summary = fs::read_to_string(places.path("out").join("summary.csv")).unwrap();
    assert!(summary.lines().next().unwrap().ends_with(",apart") && summary.contains("\"machine machine1, cold\""));
    let page = places.path("page.html");
    assert_eq!(run(&["report", &out, "--html", page.to_str().unwrap()]).0, 0);
    let page = fs::read_to_string(page).unwrap();
    assert!(page.contains("id machine0") && page.contains("id machine1"), "both machines are described");
    let record = places.path("record");
    assert_eq!(run(&["report", &out, "--record", record.to_str().unwrap()]).0, 0);
    let report = fs::read_to_string(record.join("report.md")).unwrap();
    assert!(report.contains("machine machine0) and ") && report.contains("pooled over 2 machines"), "{report}");
    // A record is read as a folder is, and keeps everything.
    assert_eq!(places.merge("again", &["record"]), places.merge("out", &["a", "b"]));
}

#[test]
fn rows_that_contradict_each_other_are_named_and_nothing_is_written() {
    let places = Places::of(&[Made::whole(0)]);
    let mut rows = Made::whole(1).samples();
    rows[3].nodes = Some(99);
    write(&places.path("nodes"), &rows, &manifest(1, None, true));
    let mut rows = Made::whole(1).samples();
    (rows[2].score, rows[2].status) = (Some(-1), Status::Wrong);
    write(&places.path("score"), &rows, &manifest(1, None, true));
    let mut rows = Made::whole(0).samples();
    rows[0].wall_ns = Some(1);
    write(&places.path("content"), &rows, &manifest(0, None, true));
    let path = |name: &str| places.path(name).display().to_string();
    for (name, line, reason) in [
        ("nodes", "line 5", "21 and 99 nodes"),
        ("score", "line 4", "the scores 0 and -1"),
        ("content", "line 2", "one row with two contents"),
    ] {
        for mixed in [&[][..], &["--mixed"]] {
            let (status, stdout, stderr) = run(&[&["merge", &path("out"), &path("a"), &path(name)], mixed].concat());
            assert_eq!((status, stdout.as_str()), (4, ""), "{stderr}");
            for part in
                [&format!("{}/samples.csv, line ", path("a")), &format!("{}/samples.csv, {line}", path(name)), reason]
            {
                assert!(stderr.contains(part), "{part}: {stderr}");
            }
            assert!(!places.path("out").exists(), "nothing is written");
        }
    }
    // What is there already stays as it is.
    let good = places.merge("out", &["a"]);
    assert_eq!(run(&["merge", &path("out"), &path("out"), &path("nodes")]).0, 4);
    assert_eq!(files(&places.path("out")), good);
    assert_eq!(fs::read_dir(places.place.path()).unwrap().count(), 5, "no temporary folder is left");
}

#[test]
fn other_experiments_and_builds_are_merged_on_request_only_and_other_sets_never() {
    let places = Places::of(&[Made { rows: 3, ..Made::whole(0) }]);
    let mut other = manifest(1, None, true);
    other.experiment.seed = 2;
    write(&places.path("experiment"), &Made::whole(1).samples(), &other);
    let mut other = manifest(1, None, true);
    other.binary.sha256 = "other".to_string();
    let rows: Vec<Sample> = Made::whole(1).samples();
    let built: Vec<Sample> =
        rows.iter().map(|row| Sample { binary_sha256: "other".to_string(), ..row.clone() }).collect();
    write(&places.path("binary"), &built, &other);
    for (name, word) in [("experiment", "experiments"), ("binary", "binaries")] {
        let error = places.error("out", &["a", name], false);
        assert!(error.contains("more than one") && error.contains(name) && error.contains("--mixed"), "{error}");
        assert!(!places.path("out").exists());
        let path = |name: &str| places.path(name).display().to_string();
        let (status, _, stderr) = run(&["merge", &path("out"), &path("a"), &path(name), "--mixed"]);
        assert_eq!(status, 0, "{stderr}");
        assert!(stderr.contains("more than one"), "{stderr}");
        let merged = Manifest::read(&places.path("out")).unwrap().unwrap().merged.unwrap();
        assert_eq!(merged.mixed, [word]);
        // What is mixed stays so, and is said by every report.
        assert!(places.error("more", &["out"], false).contains("--mixed"));
        let (status, stdout, stderr) = run(&["report", &path("out")]);
        assert_eq!(status, 0, "{stderr}");
        assert!(stderr.contains(&format!("mixed on request: {word}")) && stdout.contains("pooled"), "{stderr}");
        fs::remove_dir_all(places.path("out")).unwrap();
    }
    let mut other = manifest(1, None, true);
    other.test_sets[0].sha256 = "changed".to_string();
    let rows: Vec<Sample> = rows.into_iter().map(|row| Sample { set_sha256: "changed".to_string(), ..row }).collect();
    write(&places.path("set"), &rows, &other);
    for mixed in [false, true] {
        let error = places.error("out", &["a", "set"], mixed);
        assert!(error.contains("the test set set is not the one of") && error.contains("never merged"), "{error}");
    }
    write(&places.path("strange"), &rows, &manifest(1, None, true));
    assert!(places.error("out", &["strange"], true).contains("samples.csv, line 2: the test set set is not the one"));
    write(&places.path("unbuilt"), &built, &manifest(1, None, true));
    assert!(
        places.error("out", &["unbuilt"], true).contains("line 2: a row of a build that the manifest does not have")
    );
}

#[test]
fn no_row_of_the_place_is_lost() {
    let places = Places::of(&[Made::whole(0), Made { rows: 5, ..Made::whole(1) }]);
    places.merge("out", &["a"]);
    let before = files(&places.path("out"));
    let error = places.error("out", &["b"], false);
    assert!(error.contains("holds 12 rows that no other folder has"), "{error}");
    assert_eq!(files(&places.path("out")), before);
    // A folder of other things, a record, a file.
    fs::create_dir(places.path("things")).unwrap();
    fs::write(places.path("things").join("notes.txt"), "mine").unwrap();
    fs::write(places.path("file"), "mine").unwrap();
    for out in ["things", "file"] {
        assert!(places.error(out, &["a"], false).contains("holds something else"), "{out}");
    }
    assert_eq!(fs::read_to_string(places.path("things").join("notes.txt")).unwrap(), "mine");
    // An empty one is as good as none.
    fs::create_dir(places.path("empty")).unwrap();
    assert_eq!(places.merge("empty", &["a"]), before);
    // One that somebody measures into.
    let open = Folder::open(&places.path("a")).unwrap();
    assert!(places.error("a", &["a", "b"], false).contains("another c4lab is measuring into this folder"));
    drop(open);
    assert!(places.error("x/y", &["nowhere"], false).contains("no samples in"));
}

/// The files of a folder that is there are replaced one after another: after each of them it is whole.
#[test]
fn a_crash_between_two_files_leaves_a_good_folder() {
    let places = Places::of(&[Made::whole(0), Made::whole(1)]);
    let all = places.merge("all", &["a", "b"]);
    for replaced in 1..FILES.len() {
        places.merge("out", &["a"]);
        for name in &FILES[..replaced] {
            fs::copy(places.path("all").join(name), places.path("out").join(name)).unwrap();
        }
        let out = places.path("out").display().to_string();
        let (status, _, stderr) = run(&["report", &out]);
        assert_eq!(status, 0, "{stderr}");
        assert_eq!(places.merge("out", &["out", "b"]), all, "merging again ends what was begun");
        fs::remove_dir_all(places.path("out")).unwrap();
    }
}

#[test]
fn a_merged_folder_is_not_measured_into() {
    let place = tempfile::tempdir().unwrap();
    let path = |name: &str| place.path().join(name).display().to_string();
    let (a, out) = (path("a"), path("out"));
    let measure =
        |out: &str| run(&["measure", "--variants", "pons-12", "--test-sets", "end-easy", "--limit", "2", "--out", out]);
    assert_eq!(measure(&a).0, 0);
    assert_eq!(run(&["merge", &out, &a]).0, 0);
    let (status, _, stderr) = measure(&out);
    assert!(status == 1 && stderr.contains("a merged folder"), "{stderr}");
    // A record of another time and another machine is another experiment.
    let (status, _, stderr) = run(&["merge", &out, &out, "results/2026-11-25-reproduce-pons-05"]);
    assert!(status == 1 && stderr.contains("more than one experiment"), "{stderr}");
    let whole = path("record");
    assert_eq!(run(&["merge", &whole, RECORD]).0, 0);
    assert_eq!(run(&["report", &whole]).1, run(&["report", RECORD]).1);
}
