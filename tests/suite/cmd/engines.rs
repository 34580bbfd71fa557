//! Foreign programs beside ours, through real processes: an example that anyone can read, c4lab itself, and programs that do
//! all but answer.

use crate::support::output::{run, text};
use crate::support::place::{place, shown};
use c4lab_measure::files::folder::read_samples;
use c4lab_measure::files::sample::{Sample, Status};
use std::collections::HashMap;
use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::thread;
use std::time::{Duration, Instant};

fn file(name: &str) -> String {
    format!("{}/{name}", env!("CARGO_MANIFEST_DIR"))
}

fn by_heart() -> String {
    format!("by-heart={} {}", file("tests/engines/by-heart.sh"), file("test-sets/end-easy.txt"))
}

/// The champion and an engine on some positions of end-easy.
fn beside(engine: &str, out: &Path, limit: &str, more: &[&str]) -> Output {
    let base = ["measure", "--variants", "champion-threats-halves", "--test-sets", "end-easy", "--limit", limit];
    run(&[&base[..], &["--quiet", "--engine", engine, "--out", shown(out)], more].concat())
}

fn of<'a>(rows: &'a [Sample], variant: &str) -> Vec<&'a Sample> {
    rows.iter().filter(|row| row.variant == variant).collect()
}

#[test]
fn an_engine_is_a_variant_of_measure_report_and_compare() {
    let (_place, out) = place();
    let output = beside(&by_heart(), &out, "20", &["--goal", "strong,weak", "--repetitions", "2"]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let rows = read_samples(&out).unwrap();
    let theirs = of(&rows, "by-heart");
    assert_eq!((theirs.len(), rows.len()), (80, 160));
    for row in theirs {
        assert_eq!((row.status, row.nodes, row.engine_nodes), (Status::Ok, None, None), "{row:?}");
        assert!(row.wall_ns > Some(0) && row.spec.starts_with("version=by-heart 1.0,reset=none,"), "{row:?}");
        assert_eq!((row.geometry.as_str(), row.limit_ns), ("7x6", Some(60_000_000_000)));
    }
    let log = fs::read_to_string(out.join("engines/by-heart.log")).unwrap();
    let starts = "by-heart has started\n".repeat(2);
    assert_eq!(log, starts, "one process for all positions, after one that did not know the untimed position");
    let manifest = fs::read_to_string(out.join("manifest.json")).unwrap();
    assert!(manifest.contains("\"version\": \"by-heart 1.0\""), "{manifest}");
    assert!(!manifest.contains(env!("CARGO_MANIFEST_DIR")), "no folder of the machine");
    let report = run(&["report", shown(&out)]);
    assert!(report.status.success() && text(&report.stdout).contains("by-heart"), "{}", text(&report.stderr));
    let pair = ["--base", "by-heart", "--to", "champion-threats-halves"];
    let compare = run(&[&["compare", shown(&out)][..], &pair].concat());
    assert!(compare.status.success(), "{}", text(&compare.stderr));
    assert!(text(&compare.stdout).contains("time"), "{}", text(&compare.stdout));
    let (page, record) = (out.join("page.html"), out.join("record"));
    for more in [["--html", shown(&page)], ["--record", shown(&record)]] {
        let output = run(&[&["report", shown(&out)][..], &more].concat());
        assert!(output.status.success(), "{}", text(&output.stderr));
    }
    assert!(fs::read_to_string(&page).unwrap().contains("by-heart (by-heart 1.0)"));
    assert!(fs::read_to_string(record.join("report.md")).unwrap().contains("Engine by-heart: version `by-heart 1.0`"));
    // The same command finds nothing left to do; another program under the name is refused.
    let again = beside(&by_heart(), &out, "20", &["--goal", "strong,weak", "--repetitions", "2"]);
    assert_eq!((again.status.code(), read_samples(&out).unwrap().len()), (Some(0), 160));
}

/// Every fault is a row with its status, takes nothing from the other rows, and does not hold up the run.
#[test]
fn whatever_a_program_does_is_a_row() {
    use Status::{Error, Ok, Signal, Timeout, Wrong};
    let faults: [(&str, &[Status], i32, &str); 17] = [
        ("slow", &[Timeout], 0, ""),
        ("silent", &[Timeout], 0, ""),
        ("crashing", &[Signal], 1, "ended by signal 11"),
        ("leaving", &[Error], 1, "exited with status 3"),
        ("gone", &[Error], 1, "exited with status 0"),
        ("lying", &[Wrong, Ok], 4, ""),
        ("garbling", &[Timeout], 0, ""),
        ("confusing", &[Error], 1, "another position"),
        ("flooding", &[Error, Timeout], 1, "0123456789"),
        ("endless", &[Error, Timeout], 1, "0123456789"),
        ("twice", &[Error, Ok, Wrong], 1, "more than one line"),
        ("binary", &[Error], 1, "not text"),
        ("deaf", &[Timeout, Error], 1, ""),
        ("half", &[Timeout], 0, ""),
        ("torn", &[Error], 1, "exited with status 0 after"),
        ("stubborn", &[Timeout], 0, ""),
        ("parent", &[Timeout], 0, ""),
    ];
    let check = |(fault, statuses, exit, reason): (&str, &[Status], i32, &str)| {
        let (_place, out) = place();
        let engine = format!("{fault}={} {fault}", file("tests/engines/faulty.sh"));
        let (begin, limits) = (Instant::now(), ["--time-limit", "150ms"]);
        let toml = out.with_extension("toml");
        let command = engine.split_once('=').unwrap().1;
        let experiment = format!(
            "name = \"faults\"\ntime-limit = \"150ms\"\nlimit = 3\n[engines.{fault}]\ncommand = '{command}'\n\
             version = '{command} --version'\nfirst-question = false\n[[runs]]\nvariants = [\"champion-threats-halves\", \"{fault}\"]\n\
             test-sets = [\"end-easy\"]\n"
        );
        fs::write(&toml, experiment).unwrap();
        let output = run(&["measure", shown(&toml), "--quiet", "--out", shown(&out), limits[0], limits[1]]);
        let said = text(&output.stderr);
        assert!(begin.elapsed() < Duration::from_secs(30), "{fault} holds up the run");
        let rows = read_samples(&out).unwrap();
        let ours = of(&rows, "champion-threats-halves");
        assert!(ours.len() == 3 && ours.iter().all(|row| row.status == Ok), "{fault}: {said}");
        let theirs = of(&rows, fault);
        assert_eq!(theirs.len(), 3, "{fault}: {said}");
        for row in &theirs {
            assert!(statuses.contains(&row.status), "{fault}: {row:?}");
            assert!(row.nodes.is_none() && row.wall_ns.is_some(), "{fault}: {row:?}");
            let told = row.marks.as_deref().unwrap_or_default();
            assert!(row.status != statuses[0] || told.contains(reason), "{fault}: {row:?}");
        }
        assert!(theirs.iter().any(|row| statuses[0] == row.status || statuses[1..].contains(&row.status)));
        // A program that closes its ears may be found out at once, or only by the clock.
        let expected = if theirs.iter().all(|row| row.status == Timeout) { 0 } else { exit };
        assert_eq!(output.status.code(), Some(expected), "{fault}: {said}");
        let log = fs::read_to_string(out.join("engines").join(format!("{fault}.log"))).unwrap();
        assert!(log.contains(&format!("{fault} has started")), "{fault}: {log}");
    };
    // Most of them wait: a few at a time.
    thread::scope(|scope| {
        for some in faults.chunks(5) {
            scope.spawn(move || some.iter().copied().for_each(check));
        }
    });
}

#[test]
fn c4lab_is_an_engine_of_the_same_scores_and_nodes() {
    let (_place, out) = place();
    let text_of = |name: &str, variant: &str| {
        format!(
            "[engines.{name}]\ncommand = \"{{c4lab}} engine serve --warm --variant {variant}\"\n\
             request = \"{{moves}} {{goal}}\"\nreset = {{ line = \"reset\", answer = \"reset\" }}\n"
        )
    };
    let toml = out.with_extension("toml");
    let pairs = [("ours", "champion-threats-halves"), ("ladder", "pons-12"), ("small", "pons-10")];
    let engines: String = pairs.iter().map(|(name, variant)| text_of(name, variant)).collect();
    let names: Vec<String> = pairs.iter().flat_map(|pair| [pair.1, pair.0]).map(|name| format!("{name:?}")).collect();
    let runs = format!(
        "[[runs]]\nvariants = [{}]\ntest-sets = [\"end-easy\", \"middle-easy\"]\ngoals = [\"strong\", \"weak\"]\n",
        names.join(", ")
    );
    fs::write(&toml, format!("name = \"served\"\nlimit = 40\nrepetitions = 2\n{engines}{runs}")).unwrap();
    let output = run(&["measure", shown(&toml), "--quiet", "--out", shown(&out)]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let rows = read_samples(&out).unwrap();
    assert_eq!(rows.len(), 6 * 40 * 2 * 2 * 2);
    let key = |row: &Sample, variant: &str| {
        (row.set_sha256.clone(), row.position_id, row.goal, row.repetition, variant.to_string())
    };
    let nodes: HashMap<_, _> = rows.iter().map(|row| (key(row, &row.variant), (row.nodes, row.score))).collect();
    for (name, variant) in pairs {
        for row in of(&rows, name) {
            assert_eq!((row.engine_nodes, row.score), nodes[&key(row, variant)], "{row:?}");
            assert!(row.engine_ns.is_some() && row.nodes.is_none(), "{row:?}");
        }
    }
    let first = |name: &str| of(&rows, name)[0].spec.clone();
    assert!(first("ours").starts_with(&format!("version=c4lab {}", env!("CARGO_PKG_VERSION"))), "{}", first("ours"));
}

#[test]
fn the_embedded_experiment_of_engines_runs() {
    let (_place, out) = place();
    let output = run(&["measure", "engines", "--limit", "3", "--repetitions", "1", "--quiet", "--out", shown(&out)]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    assert_eq!(read_samples(&out).unwrap().len(), 2 * 4 * 2 * 3);
}

#[test]
fn a_request_that_is_none_is_answered_with_the_reason() {
    let mut server = Command::new(env!("CARGO_BIN_EXE_c4lab"))
        .args(["engine", "serve", "--variant", "pons-12"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("c4lab starts");
    let position = "2252576253462244111563365343671351441";
    let requests = format!("{position} weak\n99\nreset\n44 both\n44 weak now\n{position}\nquit\n{position}\n");
    std::io::Write::write_all(&mut server.stdin.take().unwrap(), requests.as_bytes()).unwrap();
    let output = server.wait_with_output().unwrap();
    let answers = text(&output.stdout);
    let lines: Vec<&str> = answers.lines().collect();
    assert_eq!((output.status.code(), lines.len()), (Some(0), 6), "{answers}");
    assert!(lines[0].starts_with("2252576253462244111563365343671351441 -1 "), "{answers}");
    assert_eq!(lines[1], "? ply 1: '9' is not a column (1 to 7)", "{answers}");
    assert_eq!(lines[2], "reset");
    assert_eq!(lines[3..5], ["? \"both\" is no goal: strong or weak", "? \"now\" after the goal"]);
    assert!(lines[5].starts_with("2252576253462244111563365343671351441 -1 "), "{answers}");
}

#[test]
fn engines_that_cannot_be_measured_are_refused_before_anything_is_written() {
    let (_place, out) = place();
    let refused = |engine: &str, status: i32, reasons: &[&str]| {
        let output = beside(engine, &out, "2", &[]);
        let said = text(&output.stderr);
        assert_eq!(output.status.code(), Some(status), "{engine}: {said}");
        assert!(reasons.iter().all(|reason| said.contains(reason)), "{engine}: {said}");
        assert!(!out.exists(), "{engine}");
    };
    let faulty = format!("mine={}", file("tests/engines/faulty.sh"));
    let unread = "engine \"mine\": its version cannot be read, so it is not measured";
    refused(&faulty, 1, &[unread, "exited with status 2"]);
    refused("mine=./no-such-program", 1, &["cannot find the program ./no-such-program"]);
    refused("pons-12=cat", 2, &["engine \"pons-12\"", "is no variant's"]);
    refused("mine", 2, &["write NAME=COMMAND"]);
    let again = beside("mine=cat", &out, "2", &["--engine", "mine=tac"]);
    assert_eq!(again.status.code(), Some(2));
    assert!(text(&again.stderr).contains("--engine mine: there are two engines of this name"));
    refused("mine='", 2, &["missing closing quote"]);
    let toml = out.with_extension("toml");
    let bad = |engine: &str, reasons: &[&str]| {
        let run_ = "[[runs]]\nvariants = [\"mine\"]\ntest-sets = [\"end-easy\"]\n";
        fs::write(&toml, format!("name = \"bad\"\n[engines.mine]\n{engine}\n{run_}")).unwrap();
        let output = run(&["measure", shown(&toml), "--out", shown(&out)]);
        let said = text(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{engine}: {said}");
        assert!(reasons.iter().all(|reason| said.contains(reason)), "{engine}: {said}");
        assert!(!out.exists(), "{engine}: {said}");
    };
    bad("comand = \"x\"", &["run.toml, line 3", "no key \"comand\"; nearest: \"command\""]);
    bad("command = 3", &["run.toml, line 3", "invalid type"]);
    bad("command = \"cat\"\nreset = \"never\"", &["run.toml, line 4", "reset is \"none\", \"restart\" or"]);
    bad("command = \"cat\"\nanswer = \"{moves}\"", &["engine \"mine\"", "needs a {score}"]);
    bad("command = \"cat\"\nfirst-column = 2", &["engine \"mine\"", "0 or 1"]);
    bad("command = \"cat\"\nmemory = \"much\"", &["memory \"much\"", "not a size"]);
    bad("command = \"cat\"\nscore = \"sign\"", &["mine says only who wins", "goals = [\"weak\"]"]);
    bad("command = \"cat\"\nbuild = \"sh -c 'echo no rule >&2; exit 7'\"\nversion = \"echo 1\"", &["build", "no rule"]);
}

/// Columns from 0, plies, signs, a greeting, a folder, an environment: told in a table, answered by a script.
#[test]
fn programs_of_other_habits_are_told_about_in_a_table() {
    let (place, out) = place();
    let script = "echo ready; while read -r goal moves; do echo \"$WORD $moves: $PLIES!\"; done";
    fs::write(place.path().join("habits.sh"), script).unwrap();
    // The mover wins with the next stone: one ply. A set of two such positions, one of them mirrored.
    fs::write(place.path().join("wins.txt"), "121212 18\n767676 18\n").unwrap();
    let table = format!(
        "name = \"habits\"\n[engines.habits]\ncommand = \"sh habits.sh\"\nversion = \"echo habits 2\"\n\
         directory = '{}'\ngreeting = true\nrequest = \"{{goal}} {{moves}}\"\nanswer = \"the {{moves}}: {{score}}!\"\n\
         first-column = 0\nscore = \"plies\"\nreset = \"restart\"\nmemory = \"4GiB\"\nbuild = \"touch built\"\n\
         environment = {{ WORD = \"the\", PLIES = \"1\" }}\n\
         [[runs]]\nvariants = [\"pons-12\", \"habits\"]\ntest-sets = ['{}']\ngoals = [\"strong\", \"weak\"]\n",
        shown(place.path()),
        shown(&place.path().join("wins.txt")),
    );
    let toml = place.path().join("habits.toml");
    fs::write(&toml, table).unwrap();
    let output = run(&["measure", shown(&toml), "--quiet", "--out", shown(&out)]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let rows = read_samples(&out).unwrap();
    assert_eq!(of(&rows, "habits").len(), 4);
    assert!(rows.iter().all(|row| row.status == Status::Ok), "{rows:?}");
    assert!(place.path().join("built").exists());
}

/// A program that never answers holds up neither Ctrl-C nor SIGTERM; what was measured stays, and the run goes on later.
#[test]
fn a_signal_ends_a_wait_for_an_answer() {
    let (_place, out) = place();
    let toml = out.with_extension("toml");
    let faulty = file("tests/engines/faulty.sh");
    let experiment = format!(
        "name = \"waits\"\nlimit = 2\n[engines.stubborn]\ncommand = '{faulty} stubborn'\nversion = 'echo 1'\n\
         [[runs]]\nvariants = [\"pons-12\", \"stubborn\"]\ntest-sets = [\"end-easy\"]\n"
    );
    fs::write(&toml, experiment).unwrap();
    let arguments = ["measure", shown(&toml), "--quiet", "--out", shown(&out)];
    let mut measuring = Command::new(env!("CARGO_BIN_EXE_c4lab")).args(arguments).spawn().expect("c4lab starts");
    while !out.join("engines/stubborn.log").exists() {
        assert!(measuring.try_wait().unwrap().is_none(), "it waits for the program");
        std::thread::sleep(Duration::from_millis(10));
    }
    std::thread::sleep(Duration::from_millis(200));
    let told = Instant::now();
    assert!(Command::new("kill").arg(measuring.id().to_string()).status().unwrap().success());
    assert_eq!(measuring.wait().unwrap().code(), Some(5));
    assert!(told.elapsed() < Duration::from_secs(10), "{:?}", told.elapsed());
    assert!(read_samples(&out).unwrap().iter().all(|row| row.variant == "pons-12"));
}

#[test]
fn a_command_alone_is_an_engine() {
    let (_place, out) = place();
    let toml = out.with_extension("toml");
    let heart = by_heart();
    let (name, command) = heart.split_once('=').unwrap();
    let text_of = format!(
        "name = \"one-line\"\nlimit = 3\nengines.{name} = '{command}'\n\
         [[runs]]\nvariants = [\"pons-12\", \"{name}\"]\ntest-sets = [\"end-easy\"]\n"
    );
    fs::write(&toml, text_of).unwrap();
    let output = run(&["measure", shown(&toml), "--quiet", "--out", shown(&out)]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    // It is another program now: what it measured before stays its own.
    let other =
        fs::read_to_string(&toml).unwrap().replace(&file("test-sets/end-easy.txt"), &file("test-sets/middle-easy.txt"));
    fs::write(&toml, other).unwrap();
    let output = run(&["measure", shown(&toml), "--quiet", "--out", shown(&out)]);
    assert_eq!(output.status.code(), Some(1), "{}", text(&output.stderr));
    assert!(text(&output.stderr).contains("holds another experiment"), "{}", text(&output.stderr));
}

/// What one program took is never put under the name of another.
#[test]
fn two_versions_of_an_engine_are_never_merged() {
    let (place, out) = place();
    let heart = by_heart();
    let (_, command) = heart.split_once('=').unwrap();
    let (toml, version) = (place.path().join("e.toml"), place.path().join("version"));
    let experiment = format!(
        "name = \"versions\"\nlimit = 4\n[engines.mine]\ncommand = '{command}'\nversion = 'cat {}'\n\
         [[runs]]\nvariants = [\"pons-12\", \"mine\"]\ntest-sets = [\"end-easy\"]\n",
        shown(&version),
    );
    fs::write(&toml, experiment).unwrap();
    let folders = ["1/2", "2/2"].map(|shard| place.path().join(shard.replace('/', "-of-")));
    let measure = |index: usize, said: &str| {
        fs::write(&version, said).unwrap();
        let shard = ["--shard", ["1/2", "2/2"][index]];
        let output =
            run(&[&["measure", shown(&toml), "--quiet", "--out", shown(&folders[index])], &shard[..]].concat());
        assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    };
    measure(0, "1.0");
    measure(1, "1.1");
    let merge = |more: &[&str]| run(&[&["merge", shown(&out), shown(&folders[0]), shown(&folders[1])], more].concat());
    for more in [&[][..], &["--mixed"]] {
        let output = merge(more);
        let said = text(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{said}");
        assert!(said.contains("the engine mine is not the one of") && said.contains("never merged"), "{said}");
        assert!(!out.exists());
    }
    fs::remove_dir_all(&folders[1]).unwrap();
    measure(1, "1.0");
    let output = merge(&[]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    assert_eq!(of(&read_samples(&out).unwrap(), "mine").len(), 4);
}
