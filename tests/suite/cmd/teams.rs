//! Several threads as a setting of a measured variant, through real processes.

use crate::support::output::{run, text};
use crate::support::place::{place, shown};
use crate::support::process::run_with;
use c4lab_measure::files::folder::read_samples;
use c4lab_measure::files::machine::usable;
use c4lab_measure::files::manifest::Manifest;
use c4lab_measure::files::sample::{Sample, Status};
use c4lab_solver::search::Threads;
use std::fs;

const NAMES: [&str; 3] = ["champion", "champion@threads=2", "champion@threads=3"];

#[test]
fn variants_with_threads_are_measured_beside_those_without() {
    let (_place, out) = place();
    let list = NAMES.join(",");
    let begin = ["measure", "--variants", &list, "--test-sets", "begin-hard", "--limit", "2"];
    let measure = |more: &[&str]| {
        let output = run(&[&begin[..], &["--counters", "--quiet", "--out", shown(&out)], more].concat());
        assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
        text(&output.stderr)
    };
    measure(&[]);
    let rows = read_samples(&out).unwrap();
    for (name, threads) in NAMES.into_iter().zip([1, 2, 3]) {
        let own: Vec<_> = rows.iter().filter(|row| row.variant == name).collect();
        assert!(own.iter().all(|row| row.threads == threads && row.status == Status::Ok), "{name}");
        assert_eq!(own.len(), 2, "{name}");
        // The champion takes a tenth of a second for each: enough for the processor's clock.
        assert!(own.iter().all(|row| row.cpu_ns.is_some()), "{name}");
    }
    // What was measured is not measured again; what is added takes other nodes, and contradicts nobody.
    measure(&[]);
    assert_eq!(read_samples(&out).unwrap(), rows);
    measure(&["--repetitions", "2"]);
    let rows = read_samples(&out).unwrap();
    assert_eq!(rows.len(), 12);
    let moved = |name: &str| {
        let of = |place: u64| rows.iter().filter(move |row| row.variant == name && row.position_id == place);
        (1..=2).any(|place| of(place).any(|row| of(place).any(|other| other.nodes != row.nodes)))
    };
    assert!(!moved(NAMES[0]), "one thread takes the same nodes each time");
    let report = run(&["report", shown(&out), "--tables", "threads", "--format", "csv"]);
    assert_eq!(report.status.code(), Some(0), "{}", text(&report.stderr));
    let table = text(&report.stdout);
    let mut reader = csv::Reader::from_reader(table.as_bytes());
    let mut column = |name: &str| reader.headers().unwrap().iter().position(|it| it == name).unwrap();
    let threads = column("threads");
    let records: Vec<csv::StringRecord> = reader.records().map(Result::unwrap).collect();
    let told: Vec<&str> = records.iter().map(|row| &row[threads]).collect();
    assert_eq!(told, ["2", "3"], "{table}");
    let counters = fs::read_to_string(out.join("counters.csv")).unwrap();
    assert_eq!(counters.lines().count(), 1 + 2, "one thread alone is counted: {counters}");
    assert!(run(&["report", shown(&out), "--html", shown(&out.join("page.html"))]).status.success());
    let manifest = Manifest::read(&out).unwrap().unwrap();
    let cores = usable();
    let expected = if cfg!(target_os = "linux") && cores > 1 { cores.min(3) - 1 } else { 0 };
    assert!(
        manifest.runs.iter().filter(|run| run.pinned_to.is_some()).all(|run| run.helpers_pinned_to.len() == expected)
    );
}

#[test]
fn what_has_no_threads_is_refused_with_the_reason() {
    for (name, reason) in [
        ("pons-12@threads=2", "threads are for search=children"),
        ("champion@threads=0", "there may be 1 to 256"),
        ("champion-order-centre@threads=2", "an empty bracket behind the name asks for that"),
    ] {
        let (_place, out) = place();
        let output =
            run(&["measure", "--variants", name, "--test-sets", "end-easy", "--limit", "1", "--out", shown(&out)]);
        let said = text(&output.stderr);
        assert!(output.status.code() != Some(0) && said.contains(reason), "{name}: {said}");
        assert!(!out.exists(), "{name}: nothing is begun");
    }
    let both = run(&["solve", "44", "--variant", "champion@threads=2", "--threads", "2"]);
    assert_eq!(both.status.code(), Some(2));
    assert!(text(&both.stderr).contains("says its threads itself"), "{}", text(&both.stderr));
    assert_eq!(run(&["solve", "44", "--variant", "champion@threads=1", "--threads", "2"]).status.code(), Some(2));
    let refused = run(&["solve", "44", "--variant", "pons-12@threads=2"]);
    assert_eq!(refused.status.code(), Some(2));
    assert!(text(&refused.stderr).contains("pons-12@threads=2: threads are for search=children"));
    for command in [["test-sets", "verify", "end-easy", "--scores"], ["book", "check", "--sample=1", "--variant"]] {
        let output = run(&[&command[..], &["champion@threads=2"]].concat());
        assert!(text(&output.stderr).contains("each thread has positions of its own here"), "{command:?}");
    }
    let told = run(&["solve", "44455554221", "--variant", "champion@threads=2", "--explain"]);
    assert!(text(&told.stdout).contains("44455554221 -15 "), "{}", text(&told.stderr));
    let crowded = place();
    let list = "champion,champion@threads=200";
    let output =
        run(&["measure", "--variants", list, "--test-sets", "end-easy", "--limit", "1", "--out", shown(&crowded.1)]);
    assert!(text(&output.stderr).contains("which its threads share"), "{}", text(&output.stderr));
    let rows = read_samples(&crowded.1).unwrap();
    let told = |row: &Sample| row.marks.as_deref() == Some("not pinned");
    assert!(rows.iter().any(|row| row.threads == 200 && told(row)));
    // One thread that a name asks for stays alone, in a search that would take all cores where nobody asks for any number.
    let nodes = |more: &[&str]| {
        let answer = text(&run(&[&["solve", "-", "--goal", "weak"], more].concat()).stdout);
        answer.split(' ').nth(2).map(|nodes| nodes.parse::<u64>().unwrap())
    };
    let alone = nodes(&["--threads", "1"]);
    assert!(alone > Some(Threads::MANY_NODES), "{alone:?}");
    assert_eq!(nodes(&["--variant", "champion@threads=1"]), alone);
    let named = run(&["solve", "44455554221", "--variant", "champion@threads=2"]);
    assert!(text(&named.stdout).starts_with("44455554221 -15 "), "{}", text(&named.stdout));
    let serve = |threads: &str, more: &[&str]| {
        run_with(&[&["engine", "serve", "--threads", threads], more].concat(), b"44455554221\n")
    };
    let (status, answer, said) = serve("2", &[]);
    assert!(status == 0 && answer.starts_with("44455554221 -15 "), "{answer} {said}");
    assert!(serve("1000", &[]).2.contains("there may be 1 to 256"));
    assert!(serve("2", &["--variant", "pons-12"]).2.contains("threads are for search=children"));
}

#[test]
fn a_report_says_what_a_team_would_be_compared_with() {
    let reported = |variants: &str| {
        let (_place, out) = place();
        let set = ["--test-sets", "end-easy", "--limit", "1", "--quiet", "--out", shown(&out)];
        assert!(run(&[&["measure", "--variants", variants][..], &set].concat()).status.success());
        let output = run(&["report", shown(&out), "--tables", "threads"]);
        (text(&output.stdout), text(&output.stderr))
    };
    let (_, said) = reported(NAMES[1]);
    assert!(said.contains("champion@threads=2 is not in threads: champion was not measured beside it"), "{said}");
    let (table, said) = reported(&NAMES[..2].join(","));
    assert!(table.contains(NAMES[1]) && !said.contains("not measured"), "{table} {said}");
}

/// What the system does not give is nobody's mistake: exit status 1, and no answer.
#[cfg(target_os = "linux")]
#[test]
fn threads_that_cannot_start_are_said() {
    for command in
        ["solve 44 --threads 200", "solve 44 --variant champion@threads=200", "engine serve --threads 200 </dev/null"]
    {
        // Room for the program, its table and one stack. Stacks are so large that those hundreds of megabytes are left over which a thread
        // that starts needs a little of: at their usual size the last one may start without room for anything else, and is aborted.
        let limits = "ulimit -v 1500000; export RUST_MIN_STACK=1073741824";
        let script = format!("{limits}; {} {command}", env!("CARGO_BIN_EXE_c4lab"));
        let output = std::process::Command::new("bash").args(["-c", &script]).output().unwrap();
        let said = text(&output.stderr);
        assert!(said.contains("no 200 threads to be had") && !said.contains("panicked"), "{command}: {said}");
        assert_eq!((output.status.code(), output.stdout.len()), (Some(1), 0), "{command}: {said}");
    }
}
