//! Engines as real processes: their identity, their readiness, their failures and ends, and the clocks of their times.

use crate::support::{
    BINARY, Place, ROOT, cells, command, good, lines, manifest, of, place, place_of_run, read, refused, run, run_with,
    samples, signal, started, table, until, with_status,
};
use c4lab_measure::files::sample::{Sample, Status};
use c4lab_measure::text::sha256_of;
use std::collections::HashMap;
use std::fs;
use std::path::Path;
use std::process::Command;
use std::thread;

/// The position that warms up every variant before a batch, without a clock. The set does not have it.
const UNTIMED: &str = "7262642676742772375621516555";

/// A shell engine that looks up the scores of end-easy, with commands before it is ready and before every answer, and
/// text behind the score.
#[derive(Default)]
struct Script<'a> {
    first: &'a str,
    every: &'a str,
    says: &'a str,
}

impl Script<'_> {
    fn write(&self, place: &Place) -> String {
        let Script { first, every, says } = self;
        let text = format!(
            "if [ \"$1\" = --version ]; then echo solver 1; exit; fi\n{first}\nwhile read -r moves; do\n\
             score=$(grep \"^$moves \" '{ROOT}/test-sets/end-easy.txt' | cut -d ' ' -f 2)\n{every}\n\
             echo \"$moves ${{score:-0}} {says}\"\ndone\n"
        );
        format!("command = 'sh {}'", place.file("solver.sh", &text))
    }
}

/// The command that measures pons-12 and the engine `mine`, which has the given table, on four positions of end-easy.
fn mine(place: &Place, top: &str, engine: &str) -> String {
    let runs = "[[runs]]\nvariants = [\"pons-12\", \"mine\"]\ntest-sets = [\"end-easy\"]\n";
    let text = format!("name = \"mine\"\nlimit = 4\n{top}\n[engines.mine]\n{engine}\n{runs}");
    format!("measure {} --quiet --out {}", place.file("mine.toml", &text), place.name("run"))
}

fn theirs(place: &Place) -> Vec<Sample> {
    samples(&place.name("run")).into_iter().filter(|row| row.variant == "mine").collect()
}

fn faulty(fault: &str) -> String {
    let program = format!("{ROOT}/tests/engines/faulty.sh {fault}");
    format!("command = '{program}'\nversion = '{program} --version'")
}

fn moves(line: usize) -> String {
    lines("end-easy")[line - 1].split(' ').next().unwrap().to_string()
}

#[test]
fn an_engine_is_a_variant_of_measure_report_and_compare() {
    let place = place();
    let (out, record) = (place.name("run"), place.name("record"));
    let engine = format!("by-heart={ROOT}/tests/engines/by-heart.sh {ROOT}/test-sets/end-easy.txt");
    let measure = format!(
        "measure --variants pons-12 --test-sets end-easy --limit 20 --quiet --engine '{engine}' --out {out} \
         --goal strong,weak --repetitions 2"
    );
    good(&measure);
    let rows = samples(&out);
    let theirs = of(&rows, "by-heart");
    assert_eq!((theirs.len(), rows.len()), (80, 160));
    for row in theirs {
        assert_eq!((row.status, row.nodes, row.engine_nodes), (Status::Ok, None, None), "{row:?}");
        assert!(row.wall_ns > Some(0) && row.spec.starts_with("version=by-heart 1.0,reset=none,"), "{row:?}");
        assert_eq!((row.geometry.as_str(), row.limit_ns), ("7x6", Some(60_000_000_000)));
    }
    let log = read(&format!("{out}/engines/by-heart.log"));
    assert_eq!(
        log,
        "by-heart has started\n".repeat(2),
        "one process, after one that did not know the untimed position"
    );
    assert!(!manifest(&out).to_string().contains(ROOT), "no folder of the machine");
    good(&format!("compare {out} --base by-heart --to pons-12"));
    good(&format!("report {out} --html {}", place.name("page.html")));
    good(&format!("report {out} --record {record}"));
    assert_eq!(of(&samples(&record), "by-heart").len(), 80);
    good(&measure);
    assert_eq!(cells(&out), 160, "nothing is measured twice");
}

/// A fault has its status, changes no other row, and does not block the run.
#[test]
fn every_fault_of_a_program_is_a_row() {
    use Status::{Error, Ok, Signal, Timeout, Wrong};
    let faults: [(&str, &[Status]); 17] = [
        ("slow", &[Timeout]),
        ("silent", &[Timeout]),
        ("crashing", &[Signal]),
        ("leaving", &[Error]),
        ("gone", &[Error]),
        ("lying", &[Wrong, Ok]),
        ("garbling", &[Timeout]),
        ("confusing", &[Error]),
        ("flooding", &[Error, Timeout]),
        ("endless", &[Error, Timeout]),
        ("twice", &[Error, Ok, Wrong]),
        ("binary", &[Error]),
        ("deaf", &[Timeout, Error]),
        ("half", &[Timeout]),
        ("torn", &[Error]),
        ("stubborn", &[Timeout]),
        ("parent", &[Timeout]),
    ];
    let check = |(fault, statuses): (&str, &[Status])| {
        let place = place();
        let engine = faulty(fault) + "\nfirst-question = false";
        let ended = run(&mine(&place, "time-limit = \"150ms\"", &engine));
        let rows = samples(&place.name("run"));
        assert_eq!(
            (
                rows.len(),
                with_status(&rows.iter().filter(|row| row.variant != "mine").cloned().collect::<Vec<_>>(), Ok)
            ),
            (8, 4)
        );
        let theirs = theirs(&place);
        for row in &theirs {
            assert!(statuses.contains(&row.status) && row.nodes.is_none() && row.wall_ns.is_some(), "{fault}: {row:?}");
        }
        let is_wrong = with_status(&theirs, Wrong) > 0 && with_status(&theirs, Error) == 0;
        assert_eq!(ended.status, if is_wrong { 4 } else { 1 }, "{fault}: {}", ended.stderr);
        // A program that never answered rightly is not a slow one.
        if with_status(&theirs, Ok) == 0 {
            let out = place.name("run");
            let summary = table(&run(&format!("report {out} --tables summary --format csv")).stdout);
            assert!(summary[1]["speedup"].is_empty() && summary[1]["limited"] == "0", "{fault}: {summary:?}");
            refused(1, &[(&format!("rank {out}"), "nothing to rank")]);
        }
        assert!(read(&place.name("run/engines/mine.log")).contains("has started"), "{fault}");
        // A program that fails before it is ready has a row, too.
        if ["silent", "leaving", "crashing", "lying"].contains(&fault) {
            let place = self::place();
            run(&mine(&place, "time-limit = \"1s\"", &faulty(fault)));
            assert_eq!(with_status(&self::theirs(&place), statuses[0]), 4, "{fault} at its first question");
        }
    };
    // Several at a time, because most of them wait.
    thread::scope(|scope| {
        for some in faults.chunks(5) {
            scope.spawn(move || some.iter().copied().for_each(check));
        }
    });
}

#[test]
fn c4lab_is_an_engine_of_the_same_scores_and_nodes() {
    let (place, out) = place_of_run();
    let pairs = [("ours", "champion-threats-halves"), ("ladder", "pons-12")];
    let engines: String = pairs
        .iter()
        .map(|(name, variant)| {
            format!(
                "[engines.{name}]\ncommand = \"{{c4lab}} engine serve --warm --variant {variant}\"\n\
                 request = \"{{moves}} {{goal}}\"\nreset = {{ line = \"reset\", answer = \"reset\" }}\n"
            )
        })
        .collect();
    let names = pairs.map(|(name, variant)| format!("\"{variant}\", \"{name}\"")).join(", ");
    let runs = format!("[[runs]]\nvariants = [{names}]\ntest-sets = [\"end-easy\"]\ngoals = [\"strong\", \"weak\"]\n");
    let file = place.file("e.toml", &format!("name = \"served\"\nlimit = 40\n{engines}{runs}"));
    good(&format!("measure {file} --quiet --out {out}"));
    let rows = samples(&out);
    assert_eq!(rows.len(), 4 * 40 * 2);
    let key = |row: &Sample, variant: &str| (row.position_id, row.goal, variant.to_string());
    let nodes: HashMap<_, _> = rows.iter().map(|row| (key(row, &row.variant), (row.nodes, row.score))).collect();
    for (name, variant) in pairs {
        for row in of(&rows, name) {
            assert_eq!((row.engine_nodes, row.score), nodes[&key(row, variant)], "{row:?}");
            assert!(row.engine_ns.is_some() && row.nodes.is_none(), "{row:?}");
        }
    }
    // The engine counts its nodes in its own way, so no gate compares them.
    assert_eq!(run(&format!("compare {out} --base pons-12 --to ladder --gate-nodes 0.9")).status, 1);
    let place = self::place();
    good(&format!("measure engines --limit 3 --repetitions 1 --quiet --out {}", place.name("run")));
    assert_eq!(cells(&place.name("run")), 2 * 4 * 2 * 3, "the embedded experiment");
}

#[test]
fn a_request_that_is_none_is_answered_with_the_reason() {
    let position = "2252576253462244111563365343671351441";
    let requests = format!("{position} weak\n99\nreset\n44 both\n44 weak now\n{position}\nquit\n{position}\n");
    let answers = run_with("engine serve --variant pons-12", requests.as_bytes()).ok();
    let firsts: Vec<&str> = answers.lines().map(|line| line.split(' ').next().unwrap()).collect();
    assert_eq!(firsts, [position, "?", "reset", "?", "?", position], "{answers}");
    assert!(answers.lines().nth(5).unwrap().starts_with(&format!("{position} -1 ")), "{answers}");
}

#[test]
fn engines_that_cannot_be_measured_are_refused_before_anything_is_written() {
    let place = place();
    for (engine, status, part) in [
        ("mine=cat\" --engine-key \"version=false".to_string(), 1, "version"),
        ("mine=cat\" --engine-key \"directory=/no/folder".to_string(), 1, "no folder /no/folder"),
        ("mine=./no-such-program".to_string(), 1, "./no-such-program"),
        ("pons-12=cat".to_string(), 2, "pons-12"),
        ("mine".to_string(), 2, "NAME=COMMAND"),
        ("mine='".to_string(), 2, "quote"),
        ("mine=cat\" --engine \"mine=tac".to_string(), 2, "mine"),
    ] {
        let measure = "measure --variants pons-12 --test-sets end-easy --limit 2";
        refused(status, &[(&format!("{measure} --engine \"{engine}\" --out {}", place.name("run")), part)]);
    }
    for (engine, part) in [
        ("comand = \"x\"", "mine.toml, line 5"),
        ("command = 3", "mine.toml, line 5"),
        ("command = \"cat\"\nreset = \"never\"", "mine.toml, line 6"),
        ("command = \"cat\"\nanswer = \"{moves}\"", "{score}"),
        ("command = \"cat\"\nfirst-column = 2", "mine"),
        ("command = \"cat\"\nmemory = \"much\"", "memory"),
        ("command = \"cat\"\nscore = \"sign\"", "weak"),
        ("command = \"cat\"\nbuild = \"sh -c 'echo no rule >&2; exit 7'\"\nversion = \"echo 1\"", "no rule"),
        ("command = \"cat\"\nclock = \"theirs\"", "mine.toml, line 6"),
        ("command = \"cat\"\nclock = \"own\"\nanswer = \"{moves} {score}\"", "{microseconds}"),
    ] {
        refused(1, &[(&mine(&place, "", engine), part)]);
    }
    let text = "name = \"e\"\nengines.mine = \"cat\"\n[[runs]]\nvariants = [\"mien\"]\ntest-sets = [\"end-easy\"]\n";
    let file = place.file("mine.toml", text);
    refused(1, &[(&format!("measure {file} --out {}", place.name("run")), "\"mine\"")]);
    assert!(!place.path("run").exists());
}

#[test]
fn a_program_without_a_version_has_the_digest_of_its_file() {
    let place = place();
    let solver = place.file("solver.sh", "while read -r moves; do echo \"$moves 18\"; done");
    let (set, out) = (place.file("wins.txt", "121212 18\n"), place.name("run"));
    let ended = run(&format!("measure --variants pons-12 --test-sets {set} --engine 'mine=sh {solver}' --out {out}"));
    assert!(ended.status == 0 && ended.stderr.contains("mine: it prints no version"), "{}", ended.stderr);
    let digest = format!("sha256 {}", &sha256_of(Path::new(&solver)).unwrap()[..12]);
    assert!(of(&samples(&out), "mine")[0].spec.contains(&digest), "{digest}");
}

/// Columns from 0, plies, signs, a greeting, a folder, an environment: keys of a table, for the answers of a script.
#[test]
fn programs_of_other_habits_are_told_about_in_a_table() {
    let place = place();
    place.file("habits.sh", "echo ready; while read -r goal moves; do echo \"$WORD $moves: $PLIES!\"; done");
    // The mover wins with the next stone: one ply. A set of two such positions, one of them mirrored.
    let set = place.file("wins.txt", "121212 18\n767676 18\n");
    let text = format!(
        "name = \"habits\"\n[engines.habits]\ncommand = \"sh habits.sh\"\nversion = \"echo habits 2\"\n\
         directory = '{}'\ngreeting = true\nrequest = \"{{goal}} {{moves}}\"\nanswer = \"the {{moves}}: {{score}}!\"\n\
         first-column = 0\nscore = \"plies\"\nreset = \"restart\"\nmemory = \"4GiB\"\nbuild = \"touch built\"\n\
         environment = {{ WORD = \"the\", PLIES = \"1\" }}\n\
         [[runs]]\nvariants = [\"pons-12\", \"habits\"]\ntest-sets = ['{set}']\ngoals = [\"strong\", \"weak\"]\n",
        place.name(""),
    );
    good(&format!("measure {} --quiet --out {}", place.file("habits.toml", &text), place.name("run")));
    let rows = samples(&place.name("run"));
    assert_eq!((of(&rows, "habits").len(), with_status(&rows, Status::Ok)), (4, 8));
    assert!(place.path("built").exists());
    // A banner and remarks before every answer: the line with the moves is the answer.
    let place = self::place();
    let every = "[ $n = 0 ] && printf 'Solver 3.1\\n64 MiB, no book\\n'; n=1; echo \"thinking ...\"";
    let engine = Script { first: "n=0", every, says: "in no time" }.write(&place);
    good(&mine(&place, "", &format!("{engine}\nanswer = \"{{moves}} {{score}} ...\"")));
    assert_eq!(with_status(&theirs(&place), Status::Ok), 4);
}

/// The identity of `sh solver.sh` is that of the script and not of the shell. Of its environment it has a digest.
#[test]
fn another_program_is_another_experiment() {
    let place = place();
    let engine = Script { every: "[ -n \"$TOKEN\" ] || exit 1", ..Script::default() }.write(&place);
    let with = |token: &str| mine(&place, "", &format!("{engine}\nenvironment = {{ TOKEN = \"{token}\" }}"));
    good(&with("hunter2"));
    assert!(theirs(&place)[0].spec.contains("version=solver 1,"));
    assert!(!read(&place.name("run/manifest.json")).contains("hunter2"));
    refused(1, &[(&with("hunter3"), "")]);
    place.file("solver.sh", &(read(&place.name("solver.sh")) + "# faster\n"));
    refused(1, &[(&with("hunter2"), "another program")]);
}

/// Times of one program are never mixed with those of another one with the same name.
#[test]
fn two_versions_of_an_engine_are_never_merged() {
    let place = place();
    let engine = Script::default().write(&place);
    let measure = |shard: u32, version: &str| {
        place.file("version", version);
        let line = mine(&place, "", &format!("{engine}\nversion = 'cat {}'", place.name("version")));
        good(&format!("{} --shard {shard}/2", line.replace("/run", &format!("/{shard}"))));
    };
    measure(1, "1.0");
    measure(2, "1.1");
    let merge = format!("merge {} {} {}", place.name("out"), place.name("1"), place.name("2"));
    refused(1, &[(&merge, "mine"), (&format!("{merge} --mixed"), "mine")]);
    assert!(!place.path("out").exists());
    fs::remove_dir_all(place.path("2")).unwrap();
    measure(2, "1.0");
    good(&merge);
    assert_eq!(of(&samples(&place.name("out")), "mine").len(), 4);
}

/// An engine gets an easy position before the first position and before every batch, outside of all times.
#[test]
fn a_first_question_makes_it_ready() {
    let place = place();
    let every = format!("echo \"$moves\" >&2; [ $moves = {UNTIMED} ] && score=0");
    let engine = Script { every: &every, ..Script::default() }.write(&place);
    good(&mine(&place, "", &engine));
    let (heard, rows) = (read(&place.name("run/engines/mine.log")), theirs(&place));
    assert_eq!(heard.lines().nth(1), Some(UNTIMED), "before every batch");
    let asked = rows.iter().map(|row| row.moves.as_deref().unwrap());
    assert!(heard.lines().filter(|line| *line != UNTIMED).eq(["121212"].into_iter().chain(asked)), "{heard}");
}

/// Neither a program that never answers nor a build delays the end by a signal. Measured rows stay.
#[cfg(unix)]
#[test]
fn a_signal_ends_a_wait_for_an_answer_and_a_build() {
    for waits in ["answer", "build"] {
        let place = place();
        let begun = place.name(if waits == "answer" { "run/engines/mine.log" } else { "begun" });
        let engine = match waits {
            "answer" => faulty("stubborn"),
            _ => format!("command = 'cat'\nversion = 'echo 1'\nbuild = 'sh -c \"touch {begun}; sleep 100000\"'"),
        };
        let mut measuring = started(&mut command(&mine(&place, "", &engine)));
        until(|| Path::new(&begun).exists());
        signal(&measuring, "-TERM");
        assert_eq!(measuring.wait().unwrap().code(), Some(5), "{waits}");
    }
}

/// A program and its child end with the c4lab that started them, in whatever way c4lab ends. On Linux that holds for a
/// child that left the group of the program, too; if c4lab was killed, the next run ends it.
#[test]
fn no_program_outlives_a_run() {
    for (name, child, status) in [
        ("-KILL", "sleep 1000000", None),
        ("-KILL", "setsid sleep 1000000", None),
        ("-HUP", "sleep 1000000", Some(5)),
        ("-TERM", "setsid sleep 1000000", Some(5)),
    ] {
        // Under `nohup` a hangup stays ignored.
        let ignored =
            read("/proc/self/status").lines().find_map(|line| line.strip_prefix("SigIgn:")?.trim().chars().last());
        if name == "-HUP" && ignored.is_some_and(|last| last.to_digit(16).is_some_and(|bits| bits & 1 != 0)) {
            println!("skipped: a hangup is ignored here");
            continue;
        }
        let place = place();
        let ids = place.name("ids");
        let first = format!("read -r first; {child} & echo $$ $! >'{ids}'; wait");
        let engine = Script { first: &first, ..Script::default() }.write(&place);
        let mut measuring = started(&mut command(&mine(&place, "", &engine)));
        let alive = || {
            let ids = fs::read_to_string(&ids).unwrap_or_default();
            let is_alive = |id: &str| {
                let status = fs::read_to_string(format!("/proc/{id}/status")).unwrap_or_default();
                status.contains("State:") && !status.contains("State:\tZ")
            };
            ids.split_whitespace().filter(|id| is_alive(id)).count()
        };
        until(|| alive() == 2);
        signal(&measuring, name);
        assert_eq!(measuring.wait().unwrap().code(), status, "{name}");
        if child.starts_with("setsid") {
            let next = self::place();
            good(&mine(&next, "", &Script::default().write(&next)));
        }
        until(|| alive() == 0);
    }
}

/// A shell that becomes c4lab leaves it its children, for example those of `> >(gzip)`.
#[cfg(target_os = "linux")]
#[test]
fn a_child_of_the_calling_shell_stays() {
    let place = place();
    let measure = mine(&place, "", &Script::default().write(&place));
    let script = format!("sleep 1000000 <&- >&- 2>&- & echo $! >'{}'; exec {BINARY} {measure}", place.name("id"));
    let ended = crate::support::ended(started(Command::new("bash").args(["-c", &script])));
    assert_eq!(ended.status, 0, "{}", ended.stderr);
    // A signal can be sent to it, because it is there.
    assert!(Command::new("kill").arg(read(&place.name("id")).trim()).status().unwrap().success());
}

#[test]
fn a_log_has_an_end() {
    let place = place();
    let engine = Script { first: "head -c 20000000 /dev/zero >&2", ..Script::default() }.write(&place);
    good(&mine(&place, "", &engine));
    let length = fs::metadata(place.path("run/engines/mine.log")).unwrap().len();
    assert!(length > 16 << 20 && length < (16 << 20) + 100, "{length}");
}

/// The rows of a program with wrong answers have the status `wrong`. Other rows do not change, and nothing contradicts.
#[test]
fn a_program_that_is_wrong_at_times_is_merged() {
    let place = place();
    let every = format!("[ $moves = {UNTIMED} ] || n=$((n+1)); [ $((n % 3)) = 0 ] && score=$((score + 1))");
    let engine = Script { first: "n=0", every: &every, ..Script::default() }.write(&place);
    assert_eq!(run(&mine(&place, "repetitions = 3", &engine)).status, 4);
    let rows = theirs(&place);
    assert_eq!((with_status(&rows, Status::Ok), with_status(&rows, Status::Wrong)), (8, 4));
    assert_eq!(run(&format!("merge {} {}", place.name("merged"), place.name("run"))).status, 4);
    assert_eq!(cells(&place.name("merged")), 24);
}

/// Failed cells are rows: the shards after them are measured, and nothing is measured again.
#[test]
fn a_local_campaign_goes_on_after_cells_that_failed() {
    let place = place();
    let engine = Script { every: "[ \"$score\" != '' ] && kill -SEGV $$", ..Script::default() }.write(&place);
    let (file, out) = (mine(&place, "", &engine), place.name("campaign"));
    let file = file.split(' ').nth(1).unwrap();
    let shards = ["shard-1-of-2", "shard-2-of-2"].map(|shard| format!("{out}/{shard}"));
    for _ in 0..2 {
        let mut script = Command::new("bash");
        script.args(["experiments/scheduler/local.sh", "2", &out, file]).env("C4LAB", crate::support::BINARY);
        assert_eq!(script.output().unwrap().status.code(), Some(1));
        assert_eq!(shards.iter().map(|shard| cells(shard)).sum::<usize>(), 8);
    }
    assert_eq!(run(&format!("merge {} {} {}", place.name("merged"), shards[0], shards[1])).status, 1);
}

/// Wrong, failed and limited cells are told apart, and the log of failed ones is quoted.
#[test]
fn a_failure_quotes_what_the_program_wrote_last() {
    let place = place();
    let crash = format!("[ $moves = {} ] && {{ printf 'out of luck\\033[31m\\n\\n' >&2; exit 3; }}", moves(1));
    let wrong = format!("[ $moves = {} ] && score=$((score + 1))", moves(3));
    let engine = Script { every: &format!("{crash}\n{wrong}"), ..Script::default() }.write(&place);
    let ended = run(&mine(&place, "", &engine));
    assert!(ended.status == 4 && ended.stderr.contains("out of luck") && !ended.stderr.contains('\x1b'));
    let failures = run(&format!("report {} --tables failures --format csv", place.name("run")));
    assert_eq!((failures.status, table(&failures.stdout).len()), (4, 2), "{}", failures.stdout);
}

fn mean(folder: &str, more: &str) -> (String, f64) {
    let rows = table(&good(&format!("report {folder} --tables summary --format csv {more}")));
    let row = rows.iter().find(|row| row["variant"].starts_with("mine")).unwrap();
    (row["variant"].clone(), row["mean_ns"].parse().unwrap())
}

#[test]
fn a_program_s_own_time_enters_the_tables_under_a_mark() {
    let place = place();
    let (out, record, own) = (place.name("run"), place.name("record"), ("mine (own clock)".to_string(), 5000.0));
    let engine = Script { says: "17 5", ..Script::default() }.write(&place);
    good(&mine(&place, "", &format!("{engine}\nclock = \"own\"")));
    for row in theirs(&place) {
        assert_eq!((row.engine_ns, row.engine_nodes, row.nodes), (Some(5000), Some(17), None), "{row:?}");
        assert!(row.wall_ns > Some(5000) && row.spec.ends_with(",clock=own"), "both times are kept: {row:?}");
    }
    assert_eq!(mean(&out, ""), own);
    let (name, ours) = mean(&out, "--engine-clock ours");
    assert!(name == "mine" && ours > 5000.0, "{name} {ours}");
    assert!(good(&format!("compare {out} --base pons-12 --to mine")).contains("mine (own clock)"));
    // The engine's own nodes have a separate column.
    let rows = table(&good(&format!("report {out} --tables summary --format csv")));
    let nodes: Vec<bool> = rows.iter().map(|row| row["mean_nodes"].is_empty()).collect();
    assert_eq!((nodes, rows[1]["engine_nodes"].as_str()), (vec![false, true], "17"));
    // A record is read by the clock of its manifest.
    good(&format!("report {out} --record {record}"));
    assert_eq!(mean(&record, ""), own);
    refused(2, &[(&format!("report {out} --record {record}-2 --engine-clock ours"), "")]);
    // Rows of another clock are not merged or compared with these.
    let other = self::place();
    let engine = Script { says: "17 5", ..Script::default() }.write(&other);
    good(&mine(&other, "", &engine));
    let theirs = other.name("run");
    assert_eq!((mean(&theirs, "").0.as_str(), mean(&theirs, "--engine-clock own")), ("mine", own));
    refused(
        1,
        &[
            (&mine(&place, "", &engine), ""),
            (&format!("merge {} {out} {theirs} --mixed", place.name("merged")), "clock"),
            (&format!("compare {out} {theirs} --base mine"), "clock"),
        ],
    );
    good(&format!("compare {out} {theirs} --base mine --engine-clock own"));
    refused(
        2,
        &[
            (&format!("report {out} --engine-clock theirs"), "ours"),
            ("measure --variants pons-12 --test-sets end-easy --engine-clock own", "no engine takes part"),
        ],
    );
}

#[test]
fn an_answer_without_its_own_time_is_an_error_where_that_is_the_time() {
    let place = place();
    let every = format!("own=\"17 5\"; [ $moves = {} ] && own=", moves(2));
    let engine = Script { every: &every, says: "$own", ..Script::default() }.write(&place);
    assert_eq!(run(&mine(&place, "", &format!("{engine}\nclock = \"own\""))).status, 1);
    let rows = theirs(&place);
    assert_eq!((with_status(&rows, Status::Error), with_status(&rows, Status::Ok)), (1, 3));
    assert!(rows.iter().any(|row| row.status == Status::Error && row.position_id == 2 && row.marks.is_some()));
}
