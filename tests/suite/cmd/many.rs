//! Many positions on threads: `c4lab solve --threads` over lines, `test-sets verify --threads`. Answers keep the order of the lines. No test
//! asserts a time, but those of processes that are talked to end the test when there is no answer for minutes.

use crate::support::late::{LATE, oracle};
use crate::support::process::{BINARY, run, run_with};
use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::Duration;

/// Lines of shipped sets, late ones and some that take longer, in turn.
fn lines() -> Vec<String> {
    let set = |name: &str| fs::read_to_string(format!("test-sets/{name}.txt")).unwrap();
    let (late, early) = (set("end-easy"), set("middle-easy"));
    let both = late.lines().zip(early.lines()).take(100);
    both.flat_map(|(late, early)| [early.to_string(), late.to_string()]).collect()
}

fn without_time(line: &str) -> String {
    let is_time = |&(index, _): &(usize, &str)| index != 3;
    let is_answer = !line.contains(" ? ");
    let words = line.split(' ').enumerate().filter(|word| !is_answer || is_time(word));
    words.map(|(_, word)| word).collect::<Vec<_>>().join(" ")
}

fn solved(arguments: &[&str], input: &str) -> (i32, Vec<String>, String) {
    let (status, stdout, stderr) = run_with(&[&["solve"], arguments].concat(), input.as_bytes());
    (status, stdout.lines().map(without_time).collect(), stderr)
}

#[test]
fn lines_are_answered_as_by_one_thread() {
    let input = lines().join("\n");
    let one = solved(&["--threads", "1"], &input);
    assert_eq!((one.0, one.1.len(), one.2.as_str()), (0, 200, ""));
    assert!(one.1.iter().zip(lines()).all(|(answer, line)| answer.starts_with(&format!("{line} "))));
    for threads in ["2", "3"] {
        assert_eq!(solved(&["--threads", threads], &input), one, "{threads}");
    }
}

/// Bad lines, wrong scores and limits: the same lines, the same messages in the same order, the same status.
#[test]
fn what_is_wrong_is_said_in_the_order_of_lines() {
    let mut input = lines();
    input.truncate(80);
    input[3] = "448".to_string();
    input[4] = String::new();
    input[10] = format!("{} {}", LATE[0], oracle(LATE[0]) - 1);
    input[11] = "44 four".to_string();
    input[30] = "-".to_string();
    input[31] = format!("{} {}", LATE[1], oracle(LATE[1]) + 1);
    input[79] = "4444444".to_string();
    for arguments in [&["--node-limit", "20000"][..], &["--node-limit", "20000", "--analyze", "--pv"]] {
        let solve =
            |threads, input: &[String]| solved(&[arguments, &["--threads", threads]].concat(), &input.join("\n"));
        let one = solve("1", &input);
        assert_eq!((one.0, one.1.len()), (4, 79));
        assert!(one.2.contains("c4lab: line 4: ply 3: '8' is not a column") && one.2.contains("line 31: node limit"));
        for threads in ["2", "3"] {
            assert_eq!(solve(threads, &input), one, "{threads}");
            assert_eq!(solve(threads, &input[20..31]).0, 5);
        }
    }
}

#[test]
fn arguments_and_all_kinds_of_output_are_the_same() {
    let several = [LATE[0], "44x", LATE[1], LATE[2], "1212121"];
    for more in [
        &["--analyze", "--pv"][..],
        &["--explain"],
        &["--book", "--analyze"],
        &["--goal", "weak"],
        &["--format", "board", "--pv"],
        &["--spec", "order=centre"],
    ] {
        let solve = |threads| {
            let (status, stdout, stderr) = run(&[&["solve", "--threads", threads], &several[..], more].concat());
            let is_timed = |line: &&str| !line.contains(" nodes in ") && !line.contains(" node in ");
            (status, stdout.lines().filter(is_timed).map(without_time).collect::<Vec<_>>(), stderr)
        };
        let one = solve("1");
        assert!(one.0 == 1 && one.2.starts_with("c4lab: argument 2: ") && one.1.len() >= 5, "{one:?}");
        assert_eq!(solve("2"), one, "{more:?}");
    }
    for format in ["csv", "json"] {
        let solve = |threads| {
            let fixed = ["solve", "--threads", threads, "--format", format, "--pv", "--explain"];
            let fixed = if format == "csv" { &fixed[..6] } else { &fixed[..] };
            let (status, stdout, _) = run_with(fixed, several.join("\n").as_bytes());
            // Whatever stands behind the nodes, up to the next comma.
            let timeless = |line: &str| match format {
                "csv" => line.split(',').enumerate().filter(|(at, _)| *at != 3).map(|(_, cell)| cell).collect(),
                _ => line.split(',').filter(|cell| !cell.contains("microseconds")).collect::<String>(),
            };
            (status, stdout.lines().map(timeless).collect::<Vec<_>>())
        };
        assert_eq!(solve("3"), solve("1"), "{format}");
    }
}

/// A choice that has no team: lines are searched by one thread each, one position by several is refused.
#[test]
fn a_variant_without_a_team_solves_many() {
    for variant in [&["--variant", "pons-12"][..], &["--variant", "champion-table-none"]] {
        let input = LATE.join("\n");
        let one = solved(&[variant, &["--threads", "1"]].concat(), &input);
        assert_eq!((one.0, one.1.len()), (0, 3));
        assert_eq!(solved(&[variant, &["--threads", "2"]].concat(), &input), one);
        assert_eq!(solved(&[variant, &["--threads", "2"], &LATE[..]].concat(), "").1, one.1);
        assert_eq!(solved(&[variant, &["--threads", "2"]].concat(), LATE[0]).1, one.1[..1]);
        let (status, stdout, stderr) = run(&[&["solve", LATE[0], "--threads", "2"], variant].concat());
        assert!(status == 2 && stdout.is_empty() && stderr.contains("--threads 2: threads "), "{stderr}");
    }
    let (status, stdout, stderr) = run_with(&["solve", "--board", "8x8", "--threads", "2"], b"44x\n444x\n");
    assert_eq!((status, stdout.lines().count(), stderr.contains("line 2: ply 4")), (1, 2, true), "{stderr}");
}

#[test]
fn what_cannot_be_had_is_said_once() {
    for input in ["", LATE[0], &LATE.join("\n")] {
        for count in ["0", "1000"] {
            let (status, stdout, stderr) = run_with(&["solve", "--threads", count], input.as_bytes());
            let expected = format!("c4lab: --threads {count}: {count} threads: there may be 1 to 256\n");
            assert_eq!((status, stdout.as_str(), stderr), (2, "", expected));
        }
        let size = ["solve", "--threads", "2", "--tt", "1EiB"];
        let (status, stdout, stderr) = run_with(&size, input.as_bytes());
        assert_eq!((status, stdout.as_str()), (1, ""));
        assert!(stderr.contains("no memory for a table of 1152921504606846976 bytes"), "{stderr}");
        assert_eq!(stderr.lines().count(), 1, "{stderr}");
    }
    let warned = ["solve", "--threads", "3", "--variant", "pons-12", "--tt", "1GiB"];
    let (status, stdout, stderr) = run_with(&warned, LATE.join("\n").as_bytes());
    assert_eq!((status, stdout.lines().count(), stderr.lines().count()), (0, 3, 1), "{stderr}");
}

struct Talk {
    child: Child,
    stdin: Option<ChildStdin>,
    lines: Receiver<String>,
}

impl Talk {
    fn begin(arguments: &[&str]) -> Self {
        let mut command = Command::new(BINARY);
        command.arg("solve").args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let (stdin, stdout) = (child.stdin.take(), BufReader::new(child.stdout.take().unwrap()));
        let (sender, lines) = channel();
        thread::spawn(move || stdout.lines().map_while(Result::ok).try_for_each(|line| sender.send(line)));
        Talk { child, stdin, lines }
    }

    fn says(&mut self, text: &str) {
        self.stdin.as_mut().unwrap().write_all(text.as_bytes()).unwrap();
    }

    /// The next line, which must come though no more is written.
    fn hears(&self, begin: &str) {
        let line = self.lines.recv_timeout(Duration::from_secs(120)).expect("an answer waits for no further line");
        assert!(line.starts_with(begin), "{line}");
    }

    fn ends(mut self) -> (Option<i32>, String) {
        drop(self.stdin.take());
        let mut stderr = String::new();
        self.child.stderr.take().unwrap().read_to_string(&mut stderr).unwrap();
        (self.child.wait().unwrap().code(), stderr)
    }
}

/// A line, two at once, one again, a bad one: every answer comes before the next line is written.
#[test]
fn an_answer_waits_for_no_further_line() {
    for arguments in [&["--threads", "2"][..], &["--threads", "3"], &["--threads", "2", "--variant", "pons-12"], &[]] {
        let mut talk = Talk::begin(arguments);
        for moves in [LATE[0], LATE[1]] {
            talk.says(&format!("{moves}\n\n"));
            talk.hears(&format!("{moves} {} ", oracle(moves)));
        }
        talk.says(&format!("{}\n{}\n", LATE[0], LATE[1]));
        talk.hears(LATE[0]);
        talk.hears(LATE[1]);
        talk.says(&format!("{}\n\n", LATE[2]));
        talk.hears(LATE[2]);
        talk.says("448\n");
        talk.hears("448 ? ");
        let (status, stderr) = talk.ends();
        assert_eq!((status, stderr.as_str()), (Some(1), "c4lab: line 9: ply 3: '8' is not a column (1 to 7)\n"));
    }
}

/// Nobody reads the answers any more, and stdin stays open: it ends though it is about to spend hours, or waits for a line.
#[test]
fn a_closed_pipe_ends_all_threads() {
    for input in [format!("{0}\n{0}\n", LATE[0]), format!("{}\n44\n1\n", LATE[0]), format!("{}\n-\n-\n", LATE[0])] {
        let mut command = Command::new(BINARY);
        command.args(["solve", "--threads", "2"]);
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        drop(child.stdout.take());
        let mut stdin = child.stdin.take().unwrap();
        stdin.write_all(input.as_bytes()).unwrap();
        assert_eq!(child.wait().unwrap().code(), Some(0), "{input:?}");
        drop(stdin);
    }
}

/// What is finished, and whose turn it is, is printed; then it is said what was cut off, and nothing comes behind it.
#[cfg(unix)]
#[test]
fn a_signal_ends_all_threads() {
    for signal in ["-INT", "-TERM"] {
        let mut talk = Talk::begin(&["--threads", "2"]);
        talk.says(&format!("{}\n{}\n-\n{}\n{}\n", LATE[0], LATE[1], LATE[2], LATE[0]));
        talk.hears(LATE[0]);
        talk.hears(LATE[1]);
        Command::new("kill").args([signal, &talk.child.id().to_string()]).status().unwrap();
        assert!(talk.lines.recv_timeout(Duration::from_secs(120)).is_err(), "no line behind the one that was cut off");
        let (status, stderr) = talk.ends();
        assert_eq!(status, Some(5), "{stderr}");
        assert!(stderr.starts_with("c4lab: line 3: interrupted") && stderr.lines().count() == 1, "{stderr}");
    }
}

/// While it waits for a line and owes no answer, a signal ends it as any program.
#[cfg(unix)]
#[test]
fn a_signal_ends_a_wait() {
    use std::os::unix::process::ExitStatusExt;
    for lines in [&LATE[..1], &LATE[..2]] {
        let mut talk = Talk::begin(&["--threads", "2"]);
        talk.says(&format!("{}\n", lines.join("\n")));
        lines.iter().for_each(|moves| talk.hears(moves));
        let kill = || Command::new("kill").args(["-TERM", &talk.child.id().to_string()]).status().unwrap();
        // Right behind an answer it may still end by itself.
        thread::sleep(Duration::from_millis(500));
        kill();
        let ended = talk.child.wait().unwrap();
        assert!(ended.signal() == Some(15) || ended.code() == Some(5), "{ended}");
    }
}

/// Lines from a file, answers into a file: a person sees how many there are, then nothing; and messages are whole.
#[cfg(unix)]
#[test]
fn progress_is_shown_where_a_person_sees_nothing_else() {
    use crate::support::terminal::OnTerminal;
    let folder = tempfile::tempdir().unwrap();
    let [input, output] = ["in.txt", "out.txt"].map(|name| folder.path().join(name));
    fs::write(&input, format!("{}\n448\n", lines().join("\n"))).unwrap();
    for threads in ["1", "2"] {
        let elsewhere = [fs::File::open(&input).unwrap(), fs::File::create(&output).unwrap()].map(|it| Some(it.into()));
        let (status, shown) = OnTerminal::beside(&["solve", "--threads", threads], &[], elsewhere).ends();
        assert_eq!(status, 1);
        assert!(shown.contains(" answered, "), "{shown}");
        assert!(shown.contains("c4lab: line 201: ply 3: '8' is not a column (1 to 7)\n"), "{shown}");
        let last = shown.lines().last().unwrap_or_default();
        assert!(!last.contains("answered") || last.ends_with("\u{1b}[2K"), "it is cleared: {last:?}");
        assert_eq!(fs::read_to_string(&output).unwrap().lines().count(), 201);
        let (_, shown) =
            OnTerminal::start(&["solve", "--threads", threads], &[], Some(fs::File::open(&input).unwrap().into()))
                .ends();
        assert!(!shown.contains("answered"), "answers are shown themselves: {shown}");
    }
}

#[test]
fn scores_are_verified_the_same_by_any_number_of_threads() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("mine.txt");
    let mut text = lines();
    for index in [0, 7, 8, 50, 199] {
        let (moves, score) = text[index].split_once(' ').unwrap();
        text[index] = format!("{moves} {}", score.parse::<i32>().unwrap() ^ 1);
    }
    text[20] = "448 1".to_string();
    text[21] = text[22].clone();
    fs::write(&file, text.join("\n")).unwrap();
    let verify = |more: &[&str]| run(&[&["test-sets", "verify", file.to_str().unwrap()], more].concat());
    let one = verify(&["--scores", "champion", "--threads", "1"]);
    assert_eq!(one.0, 4);
    // One of the wrong scores is one that no position has with so many stones.
    assert!(one.1.contains(" 199 positions, 2 errors, 5 wrong scores, 1 warning, 199 scores checked"), "{}", one.1);
    let named: Vec<&str> = one.2.lines().filter(|line| line.contains("the score is")).collect();
    assert!(named.iter().zip([1, 8, 9, 51, 200]).all(|(said, line)| said.contains(&format!(", line {line}: "))));
    for more in [&["--threads", "2"][..], &["--threads", "3"], &[]] {
        assert_eq!(verify(&[&["--scores", "champion"], more].concat()), one, "{more:?}");
    }
    let sample = |threads| verify(&["--scores", "pons-12", "--sample", "30", "--threads", threads]);
    assert_eq!(sample("2"), sample("1"));
    assert_eq!(verify(&["--scores", "champion", "--threads", "0"]).0, 2);
    assert_eq!(verify(&["--threads", "2"]).0, 2);
}
