//! `c4lab serve` as a process, asked by plain HTTP: what it answers, what it refuses, and that a search ends with whoever asked for it.

use crate::support::process::run;
use crate::support::server::{HttpAnswer, RunningServer};
use serde_json::Value;
use std::io::{BufRead, BufReader, Read, Write};
use std::time::Duration;

const LATE: &str = "415473535241177673643117467523";
const ENDLESS: &str = "/solve?moves=&variant=pons-03";

fn lines(answer: &HttpAnswer) -> Vec<Value> {
    assert_eq!(answer.status, 200, "{answer:?}");
    answer.body.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

fn of_kind<'a>(lines: &'a [Value], kind: &str) -> Vec<&'a Value> {
    lines.iter().filter(|line| line["kind"] == kind).collect()
}

/// Waits until something holds; a minute is never needed.
fn soon(what: &str, holds: impl Fn() -> bool) {
    for _ in 0..1200 {
        if holds() {
            return;
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    panic!("{what} does not come");
}

#[test]
fn a_position_is_told_as_solve_tells_it() {
    let server = RunningServer::start(0, &[]);
    let (_, expected, _) = run(&["solve", LATE, "--analyze", "--pv"]);
    let expected: Vec<&str> = expected.split_whitespace().collect();
    let analysis = lines(&server.get(&format!("/analyze?moves={LATE}")));
    assert_eq!(of_kind(&analysis, "score")[0]["score"].to_string(), expected[1]);
    assert_eq!(of_kind(&analysis, "score")[0]["nodes"].to_string(), expected[2]);
    let mut columns = vec![".".to_string(); 7];
    for line in of_kind(&analysis, "column") {
        columns[line["column"].as_u64().unwrap() as usize - 1] = line["score"].to_string();
    }
    assert_eq!(columns, expected[4..11]);
    assert_eq!(of_kind(&analysis, "line")[0]["moves"].as_str(), Some(expected[11]));
    assert_eq!(analysis.last().unwrap()["kind"], "done");
    let (_, told, _) = run(&["solve", LATE, "--variant", "pons-12", "--explain", "--format", "json"]);
    let told: Value = serde_json::from_str(&told).unwrap();
    let solved = lines(&server.get(&format!("/solve?moves={LATE}&variant=pons-12")));
    assert_eq!(of_kind(&solved, "answer")[0]["nodes"], told["nodes"]);
    assert_eq!(of_kind(&solved, "explanation")[0]["explanation"], told["explanation"]);
    let (_, text, _) = run(&["solve", LATE, "--variant", "pons-12", "--explain"]);
    let said = of_kind(&solved, "explanation")[0]["text"].as_str().unwrap();
    assert_eq!(text.split_once('\n').unwrap().1, said);
}

#[test]
fn the_page_needs_nothing_else() {
    let server = RunningServer::start(0, &[]);
    let page = server.get("/?moves=44&variant=champion");
    assert_eq!(page.status, 200);
    assert!(page.head.contains("default-src 'none'") && page.head.contains("X-Frame-Options: DENY"), "{}", page.head);
    for (path, kind) in
        [("/script.js", "text/javascript"), ("/style.css", "text/css"), ("/choices", "application/json")]
    {
        let answer = server.get(path);
        assert!(
            answer.status == 200 && answer.head.contains(&format!("Content-Type: {kind}")),
            "{path}: {}",
            answer.head
        );
        assert!(!answer.body.contains("//cdn") && !answer.body.contains("https://"), "{path}");
        let length = format!("Content-Length: {}", answer.body.len());
        assert!(answer.head.contains(&length), "{path}: {}", answer.head);
    }
}

#[test]
fn bad_requests_get_a_reason_and_the_server_stays() {
    let server = RunningServer::start(0, &[]);
    let host = format!("Host: 127.0.0.1:{}", server.port);
    for (request, status) in [
        ("GET /../../etc/passwd HTTP/1.1\r\nHOST\r\n\r\n", 404),
        ("GET /analyze?moves=4448 HTTP/1.1\r\nHOST\r\n\r\n", 400),
        ("GET /analyze?moves=%FF%FE HTTP/1.1\r\nHOST\r\n\r\n", 400),
        ("GET /analyze?colour=red HTTP/1.1\r\nHOST\r\n\r\n", 400),
        ("GET /solve?variant=nobody HTTP/1.1\r\nHOST\r\n\r\n", 400),
        ("GET /solve?variant=champion@9GiB HTTP/1.1\r\nHOST\r\n\r\n", 400),
        ("GET /solve?board=1x1 HTTP/1.1\r\nHOST\r\n\r\n", 400),
        ("GET / HTTP/1.1\r\nHost: evil.example\r\n\r\n", 403),
        ("POST /analyze HTTP/1.1\r\nHOST\r\nContent-Length: 9\r\n\r\nmoves=444", 405),
        ("\u{16}\u{3}\u{1}\u{2}\r\n\r\n", 400),
    ] {
        let answer = server.send(request.replace("HOST", &host).as_bytes());
        assert_eq!(answer.status, status, "{request:.60}: {answer:?}");
        let told: Value = serde_json::from_str(&answer.body).expect("a reason in JSON");
        assert!(told["error"].as_str().is_some_and(|reason| reason.len() > 5), "{request:.60}: {told}");
    }
    assert_eq!(server.get("/").status, 200);
    let (status, _, stderr) = run(&["serve", "--port", &server.port.to_string()]);
    assert!(status == 1 && stderr.contains("--port 0"), "{stderr}");
}

/// Who closes the connection ends the search: its thread goes, and its place is free for another.
#[test]
#[cfg(target_os = "linux")]
fn a_search_ends_when_nobody_reads_it() {
    let server = RunningServer::start(0, &["--searches", "2"]);
    // One waits for a signal, one takes connections.
    let idle = 2;
    soon("the first rest", || server.threads() == idle);
    let begin = || {
        let mut stream = server.connect();
        stream.write_all(server.request(ENDLESS).as_bytes()).unwrap();
        let mut reader = BufReader::new(stream);
        let mut line = String::new();
        while !line.contains("searching") {
            line.clear();
            assert!(reader.read_line(&mut line).unwrap() > 0, "it goes on");
        }
        reader
    };
    let two = [begin(), begin()];
    assert!(server.threads() >= idle + 4, "a thread a connection, and one a search");
    let third = server.get(ENDLESS);
    assert!(third.status == 503 && third.body.contains("too many searches"), "{third:?}");
    drop(two);
    soon("the end of two searches", || server.threads() == idle);
    for _ in 0..5 {
        drop(begin());
    }
    soon("the end of five searches", || server.threads() == idle);
}

#[test]
fn a_search_ends_when_its_time_is_over() {
    let server = RunningServer::start(0, &["--time-limit", "200ms"]);
    let solved = lines(&server.get(ENDLESS));
    let last = solved.last().unwrap();
    assert_eq!(last["kind"], "stopped");
    assert!(last["reason"].as_str().unwrap().starts_with("not done in 0.2 s, after"), "{last}");
}

#[test]
#[cfg(unix)]
fn ctrl_c_ends_it_and_what_it_does() {
    use rustix::process::{Pid, Signal, kill_process};
    for signal in [Signal::INT, Signal::TERM] {
        let mut server = RunningServer::start(0, &[]);
        let mut stream = server.connect();
        stream.write_all(server.request(ENDLESS).as_bytes()).unwrap();
        let mut begun = [0; 15];
        stream.read_exact(&mut begun).unwrap();
        assert_eq!(&begun, b"HTTP/1.1 200 OK");
        kill_process(Pid::from_child(&server.child), signal).unwrap();
        assert_eq!(server.child.wait().unwrap().code(), Some(0));
        let mut rest = String::new();
        stream.read_to_string(&mut rest).unwrap();
        assert!(!rest.contains("\"done\""), "{rest}");
    }
}
