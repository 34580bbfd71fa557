//! `c4lab serve` as a process, asked by plain HTTP: what it answers, what it refuses, and that a search ends with whoever asked for it.

use crate::support::process::run;
use crate::support::server::{HttpAnswer, RunningServer, answer};
use serde_json::Value;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;
use std::time::Duration;

/// Thirty stones; the mover wins.
const LATE: &str = "415473535241177673643117467523";
/// What no search of this variant will ever answer.
const ENDLESS: &str = "/solve?moves=&variant=pons-03";

/// The lines of an answer.
fn lines(answer: &HttpAnswer) -> Vec<Value> {
    assert_eq!(answer.status, 200, "{answer:?}");
    answer.body.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

/// The lines of a kind.
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
fn every_kind_of_position_has_an_answer() {
    let server = RunningServer::start(0, &[]);
    for (moves, board, said) in [
        ("", "7x6", "The first player (X) wins with its 21st stone, in 41 plies."),
        ("1212121", "7x6", "The first player (X) has four in a row."),
        ("121212", "7x6", "The first player (X) wins with its 4th stone, in 1 ply."),
        ("1212", "6x5", "Nobody wins: a draw."),
    ] {
        let analysis = lines(&server.get(&format!("/analyze?moves={moves}&board={board}")));
        let words = of_kind(&analysis, "score")[0]["words"].as_str().unwrap();
        assert!(words.contains(said), "{moves} {board}: {words}");
        assert_eq!(analysis.last().unwrap()["kind"], "done", "{moves} {board}");
    }
    // A variant that says only who wins, one that does not exist by name, and one that runs at run time.
    for (variant, score) in [("bot-final", 1), ("champion%5Border%3Dcentre%5D", 2), ("fhourstones", 1)] {
        let solved = lines(&server.get(&format!("/solve?moves={LATE}&variant={variant}")));
        assert_eq!(of_kind(&solved, "answer")[0]["score"], score, "{variant}");
        assert_eq!(of_kind(&solved, "explanation").len(), 1, "{variant}");
    }
}

#[test]
fn the_page_needs_nothing_else() {
    let server = RunningServer::start(0, &["--results", "results"]);
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
    let head = server.send(format!("HEAD / HTTP/1.1\r\nHost: localhost:{}\r\n\r\n", server.port).as_bytes());
    assert_eq!((head.status, head.body.as_str()), (200, ""));
}

#[test]
fn records_are_shown_as_their_reports() {
    let place = tempfile::tempdir().unwrap();
    let out = place.path().join("small & quick");
    let shown = out.to_str().unwrap();
    let measure = |limit: &str| {
        let what = ["measure", "--variants", "champion", "--test-sets", "end-easy", "--quiet", "--out", shown];
        let (status, _, errors) = run(&[&what[..], &["--limit", limit]].concat());
        assert_eq!(status, 0, "{errors}");
    };
    measure("2");
    std::fs::create_dir(place.path().join("bare")).unwrap();
    std::fs::write(place.path().join("bare").join("rate.csv"), "4\n").unwrap();
    let (secret, text) = (place.path().join("secret.txt"), place.path().join("told"));
    std::fs::write(&secret, "nobody reads this").unwrap();
    std::fs::create_dir(&text).unwrap();
    std::fs::write(text.join("report.md"), "a report of its own").unwrap();
    // The same files, and one with a hole in it: nothing is written for its size.
    let huge = place.path().join("huge");
    std::fs::create_dir(&huge).unwrap();
    for file in ["manifest.json", "samples.csv"] {
        std::fs::copy(out.join(file), huge.join(file)).unwrap();
    }
    std::fs::File::create(huge.join("engine.log")).unwrap().set_len(1 << 30).unwrap();
    let server = RunningServer::start(0, &["--results", place.path().to_str().unwrap()]);
    let list: Value = serde_json::from_str(&server.get("/records").body).unwrap();
    assert_eq!(list["records"], serde_json::json!(["told", "small & quick", "huge", "bare"]));
    let page = server.get("/record?name=huge");
    assert!(page.status == 200 && page.head.contains("text/plain"), "{page:?}");
    assert!(page.body.contains("too large") && page.body.contains("huge --html report.html"), "{page:?}");
    std::fs::remove_file(huge.join("engine.log")).unwrap();
    assert!(server.get("/record?name=huge").body.starts_with("<!doctype html>"));
    for _ in 0..2 {
        let page = server.get("/record?name=small+%26+quick");
        assert!(page.status == 200 && page.body.starts_with("<!doctype html>") && page.body.contains("end-easy"));
        assert!(page.head.contains("frame-ancestors 'none'"), "{}", page.head);
    }
    assert_eq!(server.get("/record?name=told").body, "a report of its own");
    let bare = server.get("/record?name=bare");
    assert!(bare.status == 200 && bare.head.contains("text/plain"), "{bare:?}");
    assert!(bare.body.contains("has no report page") && bare.body.contains("rate.csv (2 bytes)"), "{bare:?}");
    // A folder that grows is shown as it is now.
    let before = server.get("/record?name=small+%26+quick").body;
    measure("5");
    let after = server.get("/record?name=small+%26+quick").body;
    assert!(after.starts_with("<!doctype html>") && after != before, "the page is made again");
    for name in ["secret.txt", "..", ".", "", "../secret.txt", "told/../secret.txt", "%2e%2e%2fsecret.txt", "told%00"] {
        let answer = server.get(&format!("/record?name={name}"));
        assert!(answer.status == 404 && answer.body.contains("no record"), "{name}: {answer:?}");
    }
    let empty = RunningServer::start(0, &["--results", "no-such-folder"]);
    assert_eq!(empty.get("/records").status, 404);
}

#[test]
fn bad_requests_get_a_reason_and_the_server_stays() {
    let server = RunningServer::start(0, &[]);
    let host = format!("Host: 127.0.0.1:{}", server.port);
    for (request, status) in [
        ("GET /nothing HTTP/1.1\r\nHOST\r\n\r\n".to_string(), 404),
        ("GET /../../etc/passwd HTTP/1.1\r\nHOST\r\n\r\n".to_string(), 404),
        ("GET //etc/passwd HTTP/1.1\r\nHOST\r\n\r\n".to_string(), 404),
        ("GET /%2e%2e/Cargo.toml HTTP/1.1\r\nHOST\r\n\r\n".to_string(), 404),
        ("GET /analyze?moves=4448 HTTP/1.1\r\nHOST\r\n\r\n".to_string(), 400),
        ("GET /analyze?moves=%FF%FE HTTP/1.1\r\nHOST\r\n\r\n".to_string(), 400),
        ("GET /solve?variant=nobody HTTP/1.1\r\nHOST\r\n\r\n".to_string(), 400),
        ("GET /solve?variant=champion%5Btable=none%5D HTTP/1.1\r\nHOST\r\n\r\n".to_string(), 400),
        ("GET /solve?board=12x12 HTTP/1.1\r\nHOST\r\n\r\n".to_string(), 400),
        ("GET / HTTP/1.1\r\nHost: evil.example\r\n\r\n".to_string(), 403),
        ("GET / HTTP/1.1\r\n\r\n".to_string(), 400),
        ("GET /analyze HTTP/1.1\r\nHOST\r\nOrigin: http://evil.example\r\n\r\n".to_string(), 403),
        ("POST /analyze HTTP/1.1\r\nHOST\r\nContent-Length: 9\r\n\r\nmoves=444".to_string(), 405),
        ("GET / HTTP/1.1\r\nHOST\r\nContent-Length: 9\r\n\r\nmoves=444".to_string(), 413),
        ("GET / HTTP/1.1\r\nHOST\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n".to_string(), 413),
        ("\u{16}\u{3}\u{1}\u{2}\r\n\r\n".to_string(), 400),
        (format!("GET /{} HTTP/1.1\r\nHOST\r\n\r\n", "a".repeat(20_000)), 431),
    ] {
        let answer = server.send(request.replace("HOST", &host).as_bytes());
        assert_eq!(answer.status, status, "{request:.60}: {answer:?}");
        let told: Value = serde_json::from_str(&answer.body).expect("a reason in JSON");
        assert!(told["error"].as_str().is_some_and(|reason| reason.len() > 5), "{request:.60}: {told}");
    }
    // Half a head, and nothing at all.
    drop(server.connect());
    server.connect().write_all(b"GET / HT").unwrap();
    assert_eq!(server.get("/").status, 200);
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

/// Many who ask and say nothing are turned away beyond a number, and the others are served.
#[test]
fn connections_are_limited_in_number() {
    let server = RunningServer::start(0, &[]);
    let mut silent: Vec<_> = (0..64).map(|_| server.connect()).collect();
    let refused = || answer(server.connect());
    let answer = refused();
    assert!(answer.status == 503 && answer.body.contains("too many connections"), "{answer:?}");
    silent.truncate(10);
    soon("a free connection", || {
        let mut stream = server.connect();
        // One that is turned away may be closed before it is written to.
        let _ = stream.write_all(server.request("/").as_bytes());
        let mut text = String::new();
        stream.read_to_string(&mut text).is_ok() && text.starts_with("HTTP/1.1 200")
    });
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

#[test]
fn a_port_that_is_taken_is_said_to_be() {
    let server = RunningServer::start(0, &[]);
    let (status, _, stderr) = run(&["serve", "--port", &server.port.to_string()]);
    assert_eq!(status, 1);
    assert!(stderr.contains("is taken") && stderr.contains("--port 0"), "{stderr}");
    assert_eq!(run(&["serve", "--tt", "1TiB"]).0, 2);
    assert!(Path::new("results").is_dir(), "the default folder of records");
}
