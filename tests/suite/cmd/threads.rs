//! Several threads: for many lines, for one position, as a setting of a measured variant. Answers keep the order of the
//! lines. No test asserts a time, but a process without an answer for minutes fails its test.

use crate::support::positions::{LATE, oracle};
use crate::support::{
    Ended, cells, command, ended, good, lines, of, place, place_of_run, read, refused, run, run_with, samples, signal,
    started, table, timeless, with_status,
};
use c4lab_measure::files::sample::Status;
use c4lab_solver::search::Threads;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::Duration;

/// Lines of shipped sets: late positions and earlier ones, which take longer, in turn.
fn two_hundred() -> Vec<String> {
    let (late, early) = (lines("end-easy"), lines("middle-easy"));
    late.into_iter().zip(early).take(100).flat_map(|(late, early)| [early, late]).collect()
}

/// Answers, messages, their order and the exit status do not depend on the number of threads.
fn same(line: &str, input: &str) -> Ended {
    let with = |threads: u32| {
        let ended = run_with(&format!("{line} --threads {threads}"), input.as_bytes());
        Ended { stdout: timeless(&ended.stdout), ..ended }
    };
    let one = with(1);
    assert_eq!(with(2), one, "{line}");
    assert_eq!(with(3), one, "{line}");
    one
}

#[test]
fn lines_are_answered_as_by_one_thread() {
    let all = two_hundred();
    let one = same("solve", &all.join("\n"));
    assert_eq!((one.status, one.stdout.lines().count(), one.stderr.as_str()), (0, 200, ""));
    assert!(one.stdout.lines().zip(&all).all(|(answer, line)| answer.starts_with(&format!("{line} "))));
    // A search that a team would share, in other nodes.
    assert_eq!(same("solve --goal weak", "444442\n").status, 0);
    // Bad lines, wrong scores and limits.
    let mut input = all[..80].to_vec();
    input[3] = "448".to_string();
    input[4] = String::new();
    input[10] = format!("{} {}", LATE[0], oracle(LATE[0]) - 1);
    input[11] = "44 four".to_string();
    input[30] = "-".to_string();
    input[79] = "4444444".to_string();
    for more in ["", "--analyze --pv"] {
        let one = same(&format!("solve --node-limit 20000 {more}"), &input.join("\n"));
        assert_eq!((one.status, one.stdout.lines().count()), (4, 79));
        assert_eq!(same(&format!("solve --node-limit 20000 {more}"), &input[20..31].join("\n")).status, 5);
    }
    let several = format!("{}\n44x\n{}\n1212121\n", LATE[0], LATE[1]);
    for more in [
        "--explain",
        "--goal weak",
        "--spec order=centre",
        "--format board --pv",
        "--format csv --pv",
        "--format json --explain",
        "--variant pons-12",
    ] {
        assert_eq!(same(&format!("solve {more}"), &several).status, 1, "{more}");
    }
    assert_eq!(same("solve --board 8x8", "44x\n444x\n").status, 1);
}

/// A search with more nodes than one thread takes before the others join.
#[test]
fn threads_change_no_score() {
    let solved = |more: &str| {
        let words = run(&format!("solve 444442 --goal weak {more}")).words();
        [1, 2].map(|at| words[0][at].parse::<i64>().unwrap())
    };
    let [score, nodes] = solved("--threads 1");
    assert!(nodes > Threads::MANY_NODES as i64 || nodes > 100_000);
    assert_eq!(solved("--variant champion@threads=1"), [score, nodes], "one thread that a name asks for stays alone");
    for threads in ["2", "3", "64"] {
        let [found, entered] = solved(&format!("--threads {threads}"));
        assert!(found == score && entered != nodes, "{threads} threads: several searched");
    }
    let position = "44455554221";
    for line in [format!("solve {position} --variant champion@threads=2"), "engine serve --threads 2".to_string()] {
        assert!(run_with(&line, format!("{position}\n").as_bytes()).ok().starts_with(&format!("{position} -15 ")));
    }
}

#[test]
fn threads_that_cannot_be_are_refused() {
    let place = place();
    let measure =
        |name: &str| format!("measure --variants {name} --test-sets end-easy --limit 1 --out {}", place.name("run"));
    refused(
        2,
        &[
            ("solve 12 --threads 0", "256"),
            ("solve 12 --threads 1000", "256"),
            ("solve --threads 1000", "256"),
            ("solve 12 --threads 2 --variant pons-12", "--threads 2"),
            ("solve 12 --threads 2 --variant champion-table-none", "--threads 2"),
            ("solve 44 --variant champion@threads=2 --threads 2", "threads"),
            ("solve 44 --variant pons-12@threads=2", "pons-12@threads=2"),
        ],
    );
    refused(1, &[("solve --threads 2 --tt 1EiB", "table")]);
    for line in [
        measure("pons-12@threads=2"),
        measure("champion@threads=0"),
        "test-sets verify end-easy --scores champion@threads=2".to_string(),
        "engine serve --threads 1000".to_string(),
        "engine serve --threads 2 --variant pons-12".to_string(),
    ] {
        assert_ne!(run(&line).status, 0, "{line}");
    }
    assert!(!place.path("run").exists(), "nothing is begun");
    // Threads that the system refuses are no error of usage: exit status 1, and no answer.
    for line in ["solve 44 --threads 200", "solve 44 --variant champion@threads=200"] {
        if cfg!(target_os = "linux") {
            // Memory for the program, its table and one stack. The large stacks leave hundreds of megabytes, of which a
            // starting thread needs little. With stacks of the usual size, the last thread may leave no memory at all.
            let limits = "ulimit -v 1500000; export RUST_MIN_STACK=1073741824";
            let script = format!("{limits}; {} {line}", crate::support::BINARY);
            let ended = ended(started(Command::new("bash").args(["-c", &script])));
            assert_eq!((ended.status, ended.stdout.as_str()), (1, ""), "{line}: {}", ended.stderr);
            assert!(!ended.stderr.contains("panicked"), "{line}: {}", ended.stderr);
        }
    }
}

struct Talk {
    child: Child,
    stdin: Option<ChildStdin>,
    lines: Receiver<String>,
}

impl Talk {
    fn begin(line: &str) -> Self {
        let mut child = started(command(line).stdin(Stdio::piped()));
        let (stdin, stdout) = (child.stdin.take(), BufReader::new(child.stdout.take().unwrap()));
        let (sender, lines) = channel();
        thread::spawn(move || stdout.lines().map_while(Result::ok).try_for_each(|line| sender.send(line)));
        Talk { child, stdin, lines }
    }

    fn says(&mut self, text: &str) {
        self.stdin.as_mut().unwrap().write_all(text.as_bytes()).unwrap();
    }

    /// The next line of the output, which must come although no more input is written.
    fn hears(&self, begin: &str) {
        let line = self.lines.recv_timeout(Duration::from_secs(120)).expect("an answer waits for no further line");
        assert!(line.starts_with(begin), "{line}");
    }

    fn ends(mut self) -> Ended {
        drop(self.stdin.take());
        ended(self.child)
    }
}

/// A line, two lines at once, a bad line: every answer comes before the next line is written.
#[test]
fn an_answer_waits_for_no_further_line() {
    for line in ["solve", "solve --threads 2", "solve --threads 3", "solve --threads 2 --variant pons-12"] {
        let mut talk = Talk::begin(line);
        talk.says(&format!("{}\n\n", LATE[0]));
        talk.hears(&format!("{} {} ", LATE[0], oracle(LATE[0])));
        talk.says(&format!("{}\n{}\n", LATE[1], LATE[2]));
        talk.hears(LATE[1]);
        talk.hears(LATE[2]);
        talk.says("448\n");
        talk.hears("448 ? ");
        let ended = talk.ends();
        assert!(ended.status == 1 && ended.stderr.contains("line 5"), "{}", ended.stderr);
    }
}

/// With a closed stdout and an open stdin, the process ends, during a search of hours and while it waits for a line.
#[test]
fn a_closed_pipe_ends_all_threads() {
    for input in [format!("{0}\n{0}\n", LATE[0]), format!("{}\n44\n1\n", LATE[0]), format!("{}\n-\n-\n", LATE[0])] {
        let mut child = started(command("solve --threads 2").stdin(Stdio::piped()));
        drop(child.stdout.take());
        let mut stdin = child.stdin.take().unwrap();
        stdin.write_all(input.as_bytes()).unwrap();
        assert_eq!(child.wait().unwrap().code(), Some(0), "{input:?}");
    }
}

/// Finished answers are printed in their turn. Nothing is printed behind an interrupted one.
#[cfg(unix)]
#[test]
fn a_signal_ends_all_threads_and_a_wait() {
    use std::os::unix::process::ExitStatusExt;
    for name in ["-INT", "-TERM"] {
        let mut talk = Talk::begin("solve --threads 2");
        talk.says(&format!("{}\n{}\n-\n{}\n{}\n", LATE[0], LATE[1], LATE[2], LATE[0]));
        talk.hears(LATE[0]);
        talk.hears(LATE[1]);
        signal(&talk.child, name);
        assert!(talk.lines.recv_timeout(Duration::from_secs(120)).is_err(), "no line behind the one that was cut off");
        let ended = talk.ends();
        assert!(ended.status == 5 && ended.stderr.contains("line 3"), "{}", ended.stderr);
    }
    // A signal ends a process that waits for a line and owes no answer, as any program.
    let mut talk = Talk::begin("solve --threads 2");
    talk.says(&format!("{}\n", LATE[0]));
    talk.hears(LATE[0]);
    // Directly after an answer the process may still end by its own exit.
    thread::sleep(Duration::from_millis(500));
    signal(&talk.child, "-TERM");
    let ended = talk.child.wait().unwrap();
    assert!(ended.signal() == Some(15) || ended.code() == Some(5), "{ended}");
}

/// With lines from a file and answers into a file, the terminal shows the number of answers, and nothing at the end.
#[cfg(unix)]
#[test]
fn progress_is_shown_where_a_person_sees_nothing_else() {
    use crate::support::terminal::OnTerminal;
    use std::fs::File;
    let place = place();
    // The work must take longer than the time before the count is first drawn.
    let all = [two_hundred(), lines("begin-medium")[..20].to_vec()].concat();
    let (input, output) = (place.file("in.txt", &all.join("\n")), place.name("out.txt"));
    for threads in ["1", "2"] {
        let elsewhere = [File::open(&input).unwrap(), File::create(&output).unwrap()].map(|it| Some(it.into()));
        let (status, shown) = OnTerminal::beside(&["solve", "--threads", threads], &[], elsewhere).ends();
        assert!(status == 0 && shown.contains(" answered, "), "{status} {shown}");
        let last = shown.lines().last().unwrap_or_default();
        assert!(!last.contains("answered") || last.ends_with("\u{1b}[2K"), "it is cleared: {last:?}");
        assert_eq!(read(&output).lines().count(), all.len());
        let input = Some(File::open(&input).unwrap().into());
        let (_, shown) = OnTerminal::start(&["solve", "--threads", threads], &[], input).ends();
        assert!(!shown.contains("answered"), "answers are shown themselves: {shown}");
    }
}

#[test]
fn variants_with_threads_are_measured_beside_those_without() {
    let (_place, out) = place_of_run();
    let names = ["champion", "champion@threads=2"];
    let measure = format!(
        "measure --variants {} --test-sets begin-hard --limit 1 --counters --quiet --out {out}",
        names.join(",")
    );
    good(&measure);
    let rows = samples(&out);
    assert_eq!(with_status(&rows, Status::Ok), 2);
    for (name, threads) in names.into_iter().zip([1, 2]) {
        // The champion takes a tenth of a second for each position, which the processor's clock can measure.
        assert!(of(&rows, name).iter().all(|row| row.threads == threads && row.cpu_ns.is_some()), "{name}");
    }
    // Measured cells are not measured again. New cells take other nodes, which is no contradiction.
    good(&measure);
    assert_eq!(samples(&out), rows);
    good(&format!("{measure} --repetitions 2"));
    let (count, rows) = (cells(&out), samples(&out));
    let alone = of(&rows, names[0]);
    assert!(count == 4 && alone[0].nodes == alone[1].nodes, "one thread takes the same nodes each time");
    let threads = table(&good(&format!("report {out} --tables threads --format csv")));
    assert_eq!(threads.iter().map(|row| row["threads"].as_str()).collect::<Vec<_>>(), ["2"]);
    assert_eq!(table(&read(&format!("{out}/counters.csv"))).len(), 1, "one thread alone is counted");
}
