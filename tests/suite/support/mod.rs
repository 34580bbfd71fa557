//! Functions that run the real binary, and temporary folders and positions for several tests.

pub(crate) mod positions;
#[cfg(unix)]
pub(crate) mod terminal;

use c4lab_measure::files::sample::read_samples;
use c4lab_measure::files::sample::{Sample, Status};
use serde_json::Value;
use std::collections::{HashMap, HashSet};
use std::fs;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use tempfile::TempDir;

pub(crate) const BINARY: &str = env!("CARGO_BIN_EXE_c4lab");
pub(crate) const ROOT: &str = env!("CARGO_MANIFEST_DIR");

pub(crate) type Rows = Vec<HashMap<String, String>>;

#[derive(Debug, PartialEq)]
pub(crate) struct Ended {
    pub(crate) status: i32,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Ended {
    pub(crate) fn ok(self) -> String {
        assert_eq!(self.status, 0, "{}", self.stderr);
        self.stdout
    }

    pub(crate) fn words(&self) -> Vec<Vec<String>> {
        self.stdout.lines().map(|line| line.split_whitespace().map(str::to_string).collect()).collect()
    }
}

/// The command `c4lab LINE`, with words as a shell splits them. It measures one pass, unless it says how many.
pub(crate) fn command(line: &str) -> Command {
    let mut command = Command::new(BINARY);
    let mut words = shell_words::split(line).expect(line);
    let has = |option: &str| words.iter().any(|word| word.starts_with(option));
    if words.first().is_some_and(|word| word == "measure") && has("--variants") && !has("--repetitions") {
        words.splice(1..1, ["--repetitions".to_string(), "1".to_string()]);
    }
    command.args(words).env_remove("COLUMNS").stdin(Stdio::null());
    command
}

pub(crate) fn run_with(line: &str, input: &[u8]) -> Ended {
    let mut child = started(command(line).stdin(Stdio::piped()));
    let (mut stdin, input) = (child.stdin.take().unwrap(), input.to_vec());
    // A program that reads nothing may end before the whole input is written.
    let writer = std::thread::spawn(move || drop(stdin.write_all(&input)));
    let ended = ended(child);
    writer.join().unwrap();
    assert!(!ended.stderr.contains("panicked"), "{line}: {}", ended.stderr);
    ended
}

pub(crate) fn run(line: &str) -> Ended {
    run_with(line, b"")
}

pub(crate) fn good(line: &str) -> String {
    run(line).ok()
}

/// Checks that each command is refused with `status`, that its stderr has the given part, and that stdout is empty.
pub(crate) fn refused(status: i32, cases: &[(&str, &str)]) {
    for (line, part) in cases {
        let ended = run(line);
        assert_eq!((ended.status, ended.stdout.as_str()), (status, ""), "{line}: {}", ended.stderr);
        assert!(ended.stderr.contains(part), "{line}: {part}: {}", ended.stderr);
    }
}

pub(crate) fn started(command: &mut Command) -> Child {
    command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("c4lab starts")
}

pub(crate) fn ended(child: Child) -> Ended {
    let output = child.wait_with_output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    Ended { status: output.status.code().unwrap_or(-1), stdout: text(output.stdout), stderr: text(output.stderr) }
}

pub(crate) fn unread(command: &mut Command) -> Ended {
    let mut child = started(command);
    drop(child.stdout.take());
    let mut stderr = String::new();
    child.stderr.take().unwrap().read_to_string(&mut stderr).unwrap();
    Ended { status: child.wait().unwrap().code().unwrap_or(-1), stdout: String::new(), stderr }
}

pub(crate) fn signal(child: &Child, name: &str) {
    assert!(Command::new("kill").args([name, &child.id().to_string()]).status().unwrap().success());
}

pub(crate) fn until(mut holds: impl FnMut() -> bool) {
    // Long enough for a busy machine.
    let end = Instant::now() + Duration::from_secs(600);
    while !holds() {
        assert!(Instant::now() < end, "it never came");
        std::thread::sleep(Duration::from_millis(10));
    }
}

/// Waits until a file has `count` lines while its writer continues.
pub(crate) fn under_way(child: &mut Child, file: &str, least: usize) {
    until(|| {
        assert!(child.try_wait().unwrap().is_none(), "it ended before it could be stopped");
        fs::read_to_string(file).unwrap_or_default().lines().count() >= least
    });
}

pub(crate) struct Place(TempDir);

pub(crate) fn place() -> Place {
    Place(tempfile::tempdir().unwrap())
}

/// A place, and the name of a folder in it that a command may write.
pub(crate) fn place_of_run() -> (Place, String) {
    let place = place();
    let out = place.name("run");
    (place, out)
}

impl Place {
    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub(crate) fn name(&self, name: &str) -> String {
        self.path(name).to_str().unwrap().to_string()
    }

    pub(crate) fn file(&self, name: &str, text: &str) -> String {
        fs::write(self.path(name), text).unwrap();
        self.name(name)
    }
}

pub(crate) fn read(file: &str) -> String {
    fs::read_to_string(file).unwrap_or_else(|error| panic!("{file}: {error}"))
}

pub(crate) fn table(csv: &str) -> Rows {
    csv::Reader::from_reader(csv.as_bytes()).deserialize().map(|row| row.expect(csv)).collect()
}

pub(crate) fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

pub(crate) fn manifest(folder: &str) -> Value {
    json(&read(&format!("{folder}/manifest.json")))
}

/// The rows that fill cells: a busy machine pauses some searches, which are measured again.
pub(crate) fn samples(folder: &str) -> Vec<Sample> {
    read_samples(Path::new(folder)).unwrap().into_iter().filter(|row| !row.is_void()).collect()
}

pub(crate) fn of<'a>(rows: &'a [Sample], variant: &str) -> Vec<&'a Sample> {
    rows.iter().filter(|row| row.variant == variant).collect()
}

pub(crate) fn with_status(rows: &[Sample], status: Status) -> usize {
    rows.iter().filter(|row| row.status == status).count()
}

pub(crate) fn cells(folder: &str) -> usize {
    let rows = samples(folder);
    assert_eq!(rows.iter().map(Sample::cell).collect::<HashSet<_>>().len(), rows.len(), "no cell is there twice");
    rows.len()
}

pub(crate) fn lines(set: &str) -> Vec<String> {
    read(&format!("{ROOT}/test-sets/{set}.txt")).lines().map(str::to_string).collect()
}

/// `text` without times: the fourth field of an answer in text or CSV, that of JSON, and the time below a board.
pub(crate) fn timeless(text: &str) -> String {
    let line = |line: &str| {
        let separator = if line.contains(',') { ',' } else { ' ' };
        let words: Vec<&str> = line.split(separator).collect();
        let is_answer = words.len() > 3 && words[1..4].iter().all(|word| word.parse::<i128>().is_ok());
        let is_time = |at: usize| is_answer && at == 3 || words[at].contains("microseconds");
        let kept: Vec<&str> = (0..words.len()).filter(|&at| !is_time(at)).map(|at| words[at]).collect();
        let kept = kept.join(" ");
        let end = kept.find(" nodes in ").or(kept.find(" node in ")).unwrap_or(kept.len());
        kept[..end].trim_end().to_string() + "\n"
    };
    text.trim_end().lines().map(line).collect()
}

pub(crate) fn wrong_set(place: &Place) -> String {
    let lines = lines("end-easy");
    let (moves, _) = lines[0].split_once(' ').unwrap();
    place.file("set.txt", &format!("{}\n{moves} 7\n", lines[1]))
}

/// Checks a document with a block of `folder`: it is stale, then updated, then up to date. Returns the text.
pub(crate) fn spliced(place: &Place, marker: &str, folder: &str) -> String {
    let page = place.file("page.md", &format!("top\n<!-- c4lab:begin {marker} -->\nold\n<!-- c4lab:end -->\nend\n"));
    let splice = format!("report {folder} --splice {page}");
    assert_eq!(run(&format!("{splice} --check")).status, 1, "stale");
    good(&splice);
    good(&format!("{splice} --check"));
    let text = read(&page);
    assert!(text.starts_with("top\n") && text.ends_with("end\n") && !text.contains("\nold\n"), "{text}");
    text
}
