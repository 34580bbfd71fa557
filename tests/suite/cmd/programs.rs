//! What a foreign program is, when it is ready, and how it ends: through real processes.

use crate::support::output::{c4lab, run, text};
use crate::support::place::{place, shown};
use c4lab_measure::files::folder::read_samples;
use c4lab_measure::files::sample::{Sample, Status};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::time::{Duration, Instant};

/// An engine that knows end-easy by heart, and does something before it is ready and before every answer.
fn script(place: &Path, first: &str, every: &str) -> PathBuf {
    let (path, set) = (place.join("solver.sh"), concat!(env!("CARGO_MANIFEST_DIR"), "/test-sets/end-easy.txt"));
    let text = format!(
        "if [ \"$1\" = --version ]; then echo solver 1; exit; fi\n{first}\nwhile read -r moves; do\n\
         score=$(grep \"^$moves \" '{set}' | cut -d ' ' -f 2)\n{every}\necho \"$moves $score\"\ndone\n"
    );
    fs::write(&path, text).unwrap();
    path
}

/// What every variant is asked without a clock before a batch; the set does not have it.
const UNTIMED: &str = "7262642676742772375621516555";

/// An experiment of a variant and an engine on end-easy.
fn experiment(place: &Path, top: &str, engine: &str) -> PathBuf {
    let path = place.join("mine.toml");
    let run = "[[runs]]\nvariants = [\"pons-12\", \"mine\"]\ntest-sets = [\"end-easy\"]\n";
    fs::write(&path, format!("name = \"mine\"\nlimit = 4\n{top}\n[engines.mine]\n{engine}\n{run}")).unwrap();
    path
}

fn measure(file: &Path, out: &Path) -> Output {
    run(&["measure", shown(file), "--quiet", "--out", shown(out)])
}

fn theirs(out: &Path) -> Vec<Sample> {
    read_samples(out).unwrap().into_iter().filter(|row| row.variant == "mine").collect()
}

fn until(is_there: impl Fn() -> bool) {
    let end = Instant::now() + Duration::from_secs(60);
    while !is_there() {
        assert!(Instant::now() < end, "it never came");
        std::thread::sleep(Duration::from_millis(10));
    }
}

/// The identity of `sh solver.sh` is the script's, not the shell's.
#[test]
fn a_program_is_all_files_that_its_command_names() {
    let (place, out) = place();
    let solver = script(place.path(), "", "");
    let file = experiment(place.path(), "", &format!("command = 'sh {}'", shown(&solver)));
    let output = measure(&file, &out);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    assert!(theirs(&out)[0].spec.contains("version=solver 1,"), "{}", theirs(&out)[0].spec);
    fs::write(&solver, fs::read_to_string(&solver).unwrap() + "# faster\n").unwrap();
    let output = measure(&file, &out);
    let said = text(&output.stderr);
    assert!(output.status.code() == Some(1) && said.contains("another version, or is another program"), "{said}");
    // What does not know the option may print anything: its status tells.
    fs::write(&solver, "echo usage: solver; echo no such option >&2; exit 2\n").unwrap();
    let other = place.path().join("other");
    let output = measure(&file, &other);
    let said = text(&output.stderr);
    assert!(said.contains("its version cannot be read") && said.contains("status 2: no such option"), "{said}");
    assert!(output.status.code() == Some(1) && !other.exists());
}

#[test]
fn values_of_the_environment_are_told_by_their_digest() {
    let (place, out) = place();
    let solver = script(place.path(), "", "[ -n \"$TOKEN\" ] || exit 1");
    let engine = |token: &str| format!("command = 'sh {}'\nenvironment = {{ TOKEN = \"{token}\" }}", shown(&solver));
    assert_eq!(measure(&experiment(place.path(), "", &engine("hunter2")), &out).status.code(), Some(0));
    let manifest = fs::read_to_string(out.join("manifest.json")).unwrap();
    assert!(!manifest.contains("hunter2") && manifest.contains("\"TOKEN\": \"sha256:"), "{manifest}");
    let status = run(&["campaign", "status", shown(&out), shown(&out)]);
    assert_eq!(
        (status.status.code(), text(&status.stderr)),
        (Some(0), String::new()),
        "it is the plan it was measured by"
    );
    let output = measure(&experiment(place.path(), "", &engine("hunter3")), &out);
    assert_eq!(output.status.code(), Some(1), "another value is another engine");
}

/// It is asked something easy before the first position, and by `lab::run` outside of all times.
#[test]
fn a_first_question_makes_it_ready() {
    let (place, out) = place();
    let every = format!("echo \"$moves\" >&2; [ $moves = {UNTIMED} ] && score=0");
    let solver = script(place.path(), "", &every);
    let file = experiment(place.path(), "", &format!("command = 'sh {}'", shown(&solver)));
    assert_eq!(measure(&file, &out).status.code(), Some(0));
    let heard = fs::read_to_string(out.join("engines/mine.log")).unwrap();
    let rows = theirs(&out);
    let asked = rows.iter().map(|row| row.moves.as_deref().unwrap());
    assert_eq!(heard.lines().nth(1), Some(UNTIMED), "before every batch");
    let others = heard.lines().filter(|line| *line != UNTIMED);
    assert!(others.eq(["121212"].into_iter().chain(asked)), "{heard}");
}

/// A program that fails before it is ready is a row as ever.
#[test]
fn a_first_question_that_goes_wrong_is_a_row() {
    let faulty = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/engines/faulty.sh");
    for (fault, status, reason) in [
        ("silent", Status::Timeout, "first question: no line within 1 s; is its output flushed?"),
        ("leaving", Status::Error, "first question: exited with status 3"),
        ("crashing", Status::Signal, "first question: ended by signal 11"),
        ("twice", Status::Error, "first question: more than one line"),
        ("lying", Status::Wrong, ""),
    ] {
        let (place, out) = place();
        let engine = format!("command = '{faulty} {fault}'\nversion = '{faulty} {fault} --version'");
        let file = experiment(place.path(), "time-limit = \"1s\"", &engine);
        measure(&file, &out);
        for row in theirs(&out) {
            let told = row.marks.clone().unwrap_or_default();
            assert!(row.status == status && told.contains(reason), "{fault}: {row:?}");
        }
        assert_eq!(theirs(&out).len(), 4, "{fault}");
    }
}

#[test]
fn a_signal_ends_a_build_too() {
    let (place, out) = place();
    let solver = script(place.path(), "", "");
    let begun = place.path().join("begun");
    let build = format!("command = 'sh {}'\nbuild = 'sh -c \"touch {}; sleep 50\"'", shown(&solver), shown(&begun));
    let file = experiment(place.path(), "", &build);
    let mut measuring = c4lab(&["measure", shown(&file), "--quiet", "--out", shown(&out)]).spawn().unwrap();
    until(|| begun.exists());
    let told = Instant::now();
    assert!(Command::new("kill").arg(measuring.id().to_string()).status().unwrap().success());
    assert_eq!(measuring.wait().unwrap().code(), Some(5));
    assert!(told.elapsed() < Duration::from_secs(25), "{:?}", told.elapsed());
}

/// Where the system can do it, a program ends with the c4lab that started it, even one that is killed.
#[test]
fn no_program_outlives_a_killed_run() {
    if Command::new("setpriv").args(["--pdeathsig", "KILL", "true"]).status().is_err() {
        return;
    }
    let (place, out) = place();
    let id = place.path().join("id");
    let solver = script(place.path(), &format!("read -r first; echo $$ >'{}'; exec sleep 50", shown(&id)), "");
    let file = experiment(place.path(), "", &format!("command = 'sh {}'", shown(&solver)));
    let mut measuring = c4lab(&["measure", shown(&file), "--quiet", "--out", shown(&out)]).spawn().unwrap();
    let alive = || {
        let id = fs::read_to_string(&id).unwrap_or_default();
        let status = fs::read_to_string(format!("/proc/{}/status", id.trim())).unwrap_or_default();
        status.contains("State:") && !status.contains("State:\tZ")
    };
    until(alive);
    measuring.kill().unwrap();
    measuring.wait().unwrap();
    until(|| !alive());
}

#[test]
fn a_log_has_an_end() {
    let (place, out) = place();
    let solver = script(place.path(), "head -c 20000000 /dev/zero >&2", "");
    let file = experiment(place.path(), "", &format!("command = 'sh {}'", shown(&solver)));
    assert_eq!(measure(&file, &out).status.code(), Some(0));
    let log = fs::read(out.join("engines/mine.log")).unwrap();
    assert!(log.len() < (16 << 20) + 100, "{}", log.len());
    assert!(log.ends_with(b"\nc4lab: 3222784 more bytes are not kept\n"));
}

/// Its rows are wrong, and say so; those of the others are none the worse.
#[test]
fn a_program_that_is_wrong_at_times_is_no_contradiction() {
    let (place, out) = place();
    let timed = format!("[ $moves = {UNTIMED} ] && score=0");
    let every = format!("{timed} || n=$((n+1)); [ $((n % 3)) = 0 ] && score=$((score + 1))");
    let solver = script(place.path(), "n=0", &every);
    let file = experiment(place.path(), "repetitions = 3", &format!("command = 'sh {}'", shown(&solver)));
    let output = measure(&file, &out);
    let said = text(&output.stderr);
    assert!(output.status.code() == Some(4) && said.contains("mine: not reset between positions"), "{said}");
    let statuses = |status| theirs(&out).iter().filter(|row| row.status == status).count();
    assert_eq!((statuses(Status::Ok), statuses(Status::Wrong)), (8, 4));
    let merged = place.path().join("merged");
    let output = run(&["merge", shown(&merged), shown(&out)]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    assert_eq!(read_samples(&merged).unwrap().len(), 24);
}

/// Cells that fail are rows: the shards after them have theirs, and nothing is measured again.
#[test]
fn a_local_campaign_goes_on_after_cells_that_failed() {
    let (place, out) = place();
    let solver = script(place.path(), "", "[ \"$score\" != '' ] && kill -SEGV $$");
    let file = experiment(place.path(), "", &format!("command = 'sh {}'", shown(&solver)));
    let shards = ["shard-1-of-2", "shard-2-of-2"].map(|shard| out.join(shard));
    for _ in 0..2 {
        let words = ["experiments/scheduler/local.sh", "2", shown(&out), shown(&file)];
        let output = Command::new("bash").args(words).env("C4LAB", env!("CARGO_BIN_EXE_c4lab")).output().unwrap();
        assert_eq!(output.status.code(), Some(1), "{}", text(&output.stderr));
        let rows: usize = shards.iter().map(|shard| read_samples(shard).unwrap().len()).sum();
        assert_eq!(rows, 8);
    }
    let status = run(&["campaign", "status", shown(&file), shown(&shards[0]), shown(&shards[1])]);
    assert!(status.status.code() == Some(1) && text(&status.stderr).contains("4 cells failed"), "{status:?}");
}

#[test]
fn mistakes_are_told_by_what_is_there() {
    let (place, out) = place();
    let file = place.path().join("mine.toml");
    let said = |experiment: &str| {
        fs::write(&file, experiment).unwrap();
        let output = measure(&file, &out);
        assert!(output.status.code() == Some(1) && !out.exists());
        text(&output.stderr)
    };
    let runs = "[[runs]]\nvariants = [\"pons-12\", \"mien\"]\ntest-sets = [\"end-easy\"]\n";
    let late = said(&format!("name = \"e\"\n{runs}engines.mine = \"cat\"\n"));
    assert!(late.contains("line 5: no key \"engines\""), "{late}");
    let misspelt = said(&format!("name = \"e\"\nengines.mine = \"cat\"\n{runs}"));
    assert!(misspelt.contains("no variant or engine \"mien\"; nearest: \"mine\""), "{misspelt}");
    let nowhere = said(&format!("name = \"e\"\nengines.mien = \"./nothere\"\n{runs}"));
    assert!(nowhere.contains("engine \"mien\": cannot find the program ./nothere"), "{nowhere}");
}

#[test]
fn a_foreign_program_s_own_nodes_stand_in_no_gate() {
    let (_place, out) = place();
    let engine = format!("mine={} engine serve --variant pons-12", env!("CARGO_BIN_EXE_c4lab"));
    let base = ["measure", "--variants", "pons-12", "--test-sets", "end-easy", "--limit", "4", "--engine", &engine];
    assert_eq!(run(&[&base[..], &["--quiet", "--out", shown(&out)]].concat()).status.code(), Some(0));
    let gate = run(&["compare", shown(&out), "--base", "pons-12", "--to", "mine", "--gate-nodes", "0.9"]);
    let said = text(&gate.stderr);
    assert!(gate.status.code() == Some(1) && said.contains("a foreign program's are its own count"), "{said}");
    let table = run(&["report", shown(&out), "--tables", "engines", "--format", "csv"]);
    assert!(text(&table.stdout).lines().nth(1).unwrap_or_default().starts_with("end-easy,strong,mine,4,"), "{table:?}");
}
