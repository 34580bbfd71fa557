//! `c4lab serve` as a process, by plain HTTP: its answers, its refusals, and the end of a search with its connection.

use crate::support::{command, good, json, run, started, until};
use serde_json::Value;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::Child;
use std::time::Duration;

const LATE: &str = "415473535241177673643117467523";
const ENDLESS: &str = "/solve?moves=&variant=pons-03";

struct RunningServer {
    child: Child,
    port: u16,
}

#[derive(Debug)]
struct HttpAnswer {
    status: u16,
    head: String,
    body: String,
}

impl RunningServer {
    fn start(more: &str) -> Self {
        let mut child = started(&mut command(&format!("serve --port 0 {more}")));
        let mut line = String::new();
        BufReader::new(child.stdout.take().expect("a pipe")).read_line(&mut line).expect("its address");
        let port = line.trim().strip_prefix("http://127.0.0.1:").and_then(|rest| rest.strip_suffix('/'));
        let port = port.and_then(|port| port.parse().ok()).unwrap_or_else(|| panic!("no address: {line:?}"));
        RunningServer { child, port }
    }

    fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(("127.0.0.1", self.port)).expect("it listens");
        stream.set_read_timeout(Some(Duration::from_secs(60))).expect("a time limit");
        stream
    }

    fn send(&self, bytes: &[u8]) -> HttpAnswer {
        let mut stream = self.connect();
        stream.write_all(bytes).expect("it reads");
        answer(stream)
    }

    fn get(&self, path: &str) -> HttpAnswer {
        self.send(self.request(path).as_bytes())
    }

    fn request(&self, path: &str) -> String {
        format!("GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{}\r\n\r\n", self.port)
    }

    #[cfg(target_os = "linux")]
    fn threads(&self) -> usize {
        std::fs::read_dir(format!("/proc/{}/task", self.child.id())).expect("it runs").count()
    }
}

fn answer(mut stream: TcpStream) -> HttpAnswer {
    let mut bytes = Vec::new();
    stream.read_to_end(&mut bytes).expect("a whole answer");
    let text = String::from_utf8(bytes).expect("UTF-8");
    let (head, body) = text.split_once("\r\n\r\n").unwrap_or_else(|| panic!("no head: {text:?}"));
    let status = head.split(' ').nth(1).and_then(|status| status.parse().ok()).expect("a status");
    HttpAnswer { status, head: head.to_string(), body: body.to_string() }
}

impl Drop for RunningServer {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn lines(answer: &HttpAnswer) -> Vec<Value> {
    assert_eq!(answer.status, 200, "{answer:?}");
    answer.body.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

fn of_kind<'a>(lines: &'a [Value], kind: &str) -> Vec<&'a Value> {
    lines.iter().filter(|line| line["kind"] == kind).collect()
}

#[test]
fn a_position_is_told_as_solve_tells_it() {
    let server = RunningServer::start("");
    let expected = run(&format!("solve {LATE} --analyze --pv")).words().remove(0);
    let analysis = lines(&server.get(&format!("/analyze?moves={LATE}")));
    assert_eq!(of_kind(&analysis, "score")[0]["score"].to_string(), expected[1]);
    assert_eq!(of_kind(&analysis, "score")[0]["nodes"].to_string(), expected[2]);
    let mut columns = vec![".".to_string(); 7];
    for line in of_kind(&analysis, "column") {
        columns[line["column"].as_u64().unwrap() as usize - 1] = line["score"].to_string();
    }
    assert_eq!(columns, expected[4..11]);
    assert_eq!(of_kind(&analysis, "line")[0]["moves"].as_str(), Some(&*expected[11]));
    assert_eq!(analysis.last().unwrap()["kind"], "done");
    let told = json(&good(&format!("solve {LATE} --variant pons-12 --explain --format json")));
    let solved = lines(&server.get(&format!("/solve?moves={LATE}&variant=pons-12")));
    assert_eq!(of_kind(&solved, "answer")[0]["nodes"], told["nodes"]);
    assert_eq!(of_kind(&solved, "explanation")[0]["explanation"], told["explanation"]);
}

#[test]
fn the_page_needs_nothing_else() {
    let server = RunningServer::start("");
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

/// A board offers the variants that search it, and moves that cannot be read are told before the page shows them.
#[test]
fn a_board_has_its_own_choices() {
    let server = RunningServer::start("--tt 1MiB");
    let names = |board: &str| {
        let choices = server.get(&format!("/choices?board={board}"));
        let choices: Value = serde_json::from_str(&choices.body).expect("JSON");
        let named = choices["variants"].as_array().unwrap().iter().map(|it| it["name"].as_str().unwrap().to_string());
        named.collect::<Vec<_>>()
    };
    let all = names("7x6");
    for (board, moves, most) in [("8x8", "1212121", 2), ("5x4", "1212121", all.len() - 1)] {
        let offered = names(board);
        assert!((1..=most).contains(&offered.len()) && offered.contains(&"champion".to_string()), "{offered:?}");
        for name in &all {
            let answer = server.get(&format!("/solve?board={board}&moves={moves}&variant={name}"));
            assert_eq!(answer.status == 200, offered.contains(name), "{board}, {name}: {answer:?}");
        }
    }
    assert_eq!(server.get("/choices?moves=4x").status, 400);
}

/// A tunnel leads here from another port.
#[test]
fn a_page_through_a_tunnel_is_served() {
    let server = RunningServer::start("");
    let through = |host: &str| server.send(format!("GET / HTTP/1.1\r\nHost: {host}\r\n\r\n").as_bytes()).status;
    assert_eq!(["localhost:8080", "127.0.0.1:80", "localhost", "evil.example:80"].map(through), [200, 200, 200, 403]);
}

#[test]
fn bad_requests_get_a_reason_and_the_server_stays() {
    let server = RunningServer::start("");
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
    assert_eq!(run(&format!("serve --port {}", server.port)).status, 1, "the port is taken");
}

/// A closed connection ends its search: the thread ends, and another search may run.
#[test]
#[cfg(target_os = "linux")]
fn a_search_ends_when_nobody_reads_it() {
    let server = RunningServer::start("--searches 2");
    // One thread waits for a signal, one accepts connections.
    let idle = 2;
    until(|| server.threads() == idle);
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
    assert_eq!(third.status, 503, "{third:?}");
    drop(two);
    until(|| server.threads() == idle);
    for _ in 0..5 {
        drop(begin());
    }
    until(|| server.threads() == idle);
}

#[test]
fn a_search_ends_when_its_time_is_over() {
    let server = RunningServer::start("--time-limit 200ms");
    let solved = lines(&server.get(ENDLESS));
    let last = solved.last().unwrap();
    assert_eq!(last["kind"], "stopped");
}

#[test]
#[cfg(unix)]
fn ctrl_c_ends_it_and_what_it_does() {
    for name in ["-INT", "-TERM"] {
        let mut server = RunningServer::start("");
        let mut stream = server.connect();
        stream.write_all(server.request(ENDLESS).as_bytes()).unwrap();
        let mut begun = [0; 15];
        stream.read_exact(&mut begun).unwrap();
        assert_eq!(&begun, b"HTTP/1.1 200 OK");
        crate::support::signal(&server.child, name);
        assert_eq!(server.child.wait().unwrap().code(), Some(0));
        let mut rest = String::new();
        stream.read_to_string(&mut rest).unwrap();
        assert!(!rest.contains("\"done\""), "{rest}");
    }
}
