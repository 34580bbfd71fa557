//! A connection: one request, one answer, then it is closed.

use super::fault::{HttpFault, words};
use super::request::{MOST_BYTES, Request};
use super::route::Route;
use super::{LOOK, Server, page, search};
use serde_json::json;
use std::io::{ErrorKind, Read, Result, Write};
use std::net::{Shutdown, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, SyncSender, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

/// The longest that a head may be on its way.
const MOST_WAITING: Duration = Duration::from_secs(10);
/// The longest that a browser may leave an answer unread.
const MOST_UNREAD: Duration = Duration::from_secs(10);
/// How long a search waits for its place.
const PATIENCE: Duration = Duration::from_secs(3);
/// How often a search without news says that it goes on.
const NEWS: Duration = Duration::from_millis(500);

/// What an answer is.
pub struct Content {
    pub(super) kind: &'static str,
    pub(super) text: String,
    /// What it may load.
    pub(super) policy: &'static str,
}

/// AnswerLines of an answer that grows: each is one JSON object.
pub(super) type AnswerLines = SyncSender<String>;

/// Says that there are too many connections.
pub fn turn_away(mut stream: TcpStream) {
    let fault = HttpFault::new(503, "too many connections: close other pages");
    let _ = stream.set_write_timeout(Some(LOOK)).and_then(|()| refuse(&mut stream, &fault));
}

/// Answers the request of a connection. What goes wrong with the connection itself is nobody's business any more.
pub fn serve(server: &Server, mut stream: TcpStream) {
    let limits = stream
        .set_nodelay(true)
        .and_then(|()| stream.set_read_timeout(Some(LOOK)))
        .and_then(|()| stream.set_write_timeout(Some(MOST_UNREAD)));
    if limits.is_err() {
        return;
    }
    let request = match read(server, &mut stream) {
        Ok(Some(request)) => request,
        Ok(None) => return,
        Err(fault) => {
            let _ = refuse(&mut stream, &fault);
            return leave(&mut stream);
        }
    };
    let answered = match Route::of(&request) {
        Ok(route) => answer(server, &mut stream, &request, route),
        Err(fault) => refuse(&mut stream, &fault),
    };
    if answered.is_ok() {
        leave(&mut stream);
    }
}

/// The request, or nothing where the connection was closed without one.
fn read(server: &Server, stream: &mut TcpStream) -> std::result::Result<Option<Request>, HttpFault> {
    let (start, mut head, mut buffer) = (Instant::now(), Vec::new(), [0; 2048]);
    loop {
        let is_late = start.elapsed() > MOST_WAITING;
        if server.is_stopping() || is_late && head.is_empty() {
            return Ok(None);
        }
        if is_late {
            return Err(HttpFault::new(408, "the head of the request took too long"));
        }
        match stream.read(&mut buffer[..(MOST_BYTES - head.len()).min(2048)]) {
            Ok(0) => return Ok(None),
            Ok(count) => head.extend_from_slice(&buffer[..count]),
            Err(error) if is_timeout(error.kind()) => continue,
            Err(_) => return Ok(None),
        }
        if let Some(request) = Request::parse(&head, server.address().port())? {
            return Ok(Some(request));
        }
    }
}

fn is_timeout(kind: ErrorKind) -> bool {
    matches!(kind, ErrorKind::WouldBlock | ErrorKind::TimedOut | ErrorKind::Interrupted)
}

/// Answers a request.
fn answer(server: &Server, stream: &mut TcpStream, request: &Request, route: Route) -> Result<()> {
    let content = match route {
        Route::Page => Ok(page::PAGE.content()),
        Route::Script => Ok(page::SCRIPT.content()),
        Route::Style => Ok(page::STYLE.content()),
        Route::Choices => Ok(page::choices(server)),
        Route::Records => server.records.list(),
        Route::Record(name) => server.records.show(&name),
        // A search has its place before it has its table.
        Route::Analyze(query) => match server.places.take(PATIENCE) {
            Some(_place) => match search::Analysis::new(&server.settings, query) {
                Ok(analysis) => {
                    return grow(server, stream, request.is_head, |stop, lines| analysis.run(stop, lines));
                }
                Err(fault) => Err(fault),
            },
            None => Err(no_place()),
        },
        Route::Solve(query) => match server.places.take(PATIENCE) {
            Some(_place) => match search::VariantSearch::new(&server.settings, query) {
                Ok(search) => return grow(server, stream, request.is_head, |stop, lines| search.run(stop, lines)),
                Err(fault) => Err(fault),
            },
            None => Err(no_place()),
        },
    };
    match content {
        Ok(content) => send(stream, 200, &content, request.is_head),
        Err(fault) => refuse(stream, &fault),
    }
}

/// The head of an answer. A length is left out where nobody knows it: then the end of the connection is the end.
fn head(status: u16, kind: &str, policy: &str, length: Option<usize>) -> String {
    let length = length.map_or(String::new(), |length| format!("Content-Length: {length}\r\n"));
    let allow = if status == 405 { "Allow: GET, HEAD\r\n" } else { "" };
    format!(
        "HTTP/1.1 {status} {}\r\nContent-Type: {kind}\r\n{length}{allow}Connection: close\r\nCache-Control: no-store\r\n\
         X-Content-Type-Options: nosniff\r\nReferrer-Policy: no-referrer\r\nCross-Origin-Resource-Policy: same-origin\r\n\
         X-Frame-Options: DENY\r\nContent-Security-Policy: {policy}\r\n\r\n",
        words(status)
    )
}

/// What an answer that is no page may load.
pub const NOTHING: &str = "default-src 'none'; frame-ancestors 'none'";

fn send(stream: &mut TcpStream, status: u16, content: &Content, is_head: bool) -> Result<()> {
    stream.write_all(head(status, content.kind, content.policy, Some(content.text.len())).as_bytes())?;
    if is_head { Ok(()) } else { stream.write_all(content.text.as_bytes()) }
}

/// Says what is wrong with a request.
fn refuse(stream: &mut TcpStream, fault: &HttpFault) -> Result<()> {
    let text = format!("{}\n", json!({ "error": fault.reason }));
    send(stream, fault.status, &Content { kind: "application/json", text, policy: NOTHING }, false)
}

/// Lets the browser read the answer before the connection goes: what it has sent and nobody reads would end it at once.
fn leave(stream: &mut TcpStream) {
    let _ = stream.shutdown(Shutdown::Write);
    let (start, mut left, mut buffer) = (Instant::now(), 64 * 1024, [0; 4096]);
    while start.elapsed() < Duration::from_secs(1) && left > 0 {
        match stream.read(&mut buffer) {
            Ok(0) => return,
            Ok(count) => left -= count.min(left),
            Err(error) if is_timeout(error.kind()) => {}
            Err(_) => return,
        }
    }
}

/// Says that every place is taken. The page asks again.
fn no_place() -> HttpFault {
    HttpFault::new(503, "too many searches: wait for some to end, or close other pages")
}

/// Whether nobody reads on.
fn is_closed(stream: &TcpStream) -> bool {
    if stream.set_nonblocking(true).is_err() {
        return true;
    }
    let closed = match stream.peek(&mut [0]) {
        Ok(0) => true,
        Ok(_) => false,
        Err(error) => !is_timeout(error.kind()),
    };
    stream.set_nonblocking(false).is_err() || closed
}

/// Answers line by line while a search goes on. The search stops when its time is over, the browser has gone, or the server ends.
fn grow(
    server: &Server,
    stream: &mut TcpStream,
    is_head: bool,
    work: impl FnOnce(&AtomicBool, &AnswerLines) + Send,
) -> Result<()> {
    if is_head {
        return stream.write_all(head(200, "application/x-ndjson", NOTHING, None).as_bytes());
    }
    stream.write_all(head(200, "application/x-ndjson", NOTHING, None).as_bytes())?;
    let (stop, (sender, receiver)) = (AtomicBool::new(false), sync_channel::<String>(16));
    let stop = &stop;
    thread::scope(|scope| {
        let spawned = thread::Builder::new().spawn_scoped(scope, move || work(stop, &sender));
        let (start, mut told) = (Instant::now(), Instant::now());
        let mut outcome = spawned.map(drop);
        while outcome.is_ok() {
            match receiver.recv_timeout(LOOK) {
                Ok(line) => {
                    told = Instant::now();
                    outcome = stream.write_all(format!("{line}\n").as_bytes());
                }
                Err(RecvTimeoutError::Disconnected) => break,
                Err(RecvTimeoutError::Timeout) if server.is_stopping() || is_closed(stream) => {
                    outcome = Err(ErrorKind::ConnectionAborted.into());
                }
                Err(RecvTimeoutError::Timeout) => {
                    if start.elapsed() > server.settings.time_limit {
                        stop.store(true, Ordering::Relaxed);
                    }
                    if told.elapsed() > NEWS {
                        told = Instant::now();
                        let line = json!({ "kind": "searching", "milliseconds": start.elapsed().as_millis() as u64 });
                        outcome = stream.write_all(format!("{line}\n").as_bytes());
                    }
                }
            }
        }
        // Whoever still sends lines is told that nobody reads them.
        drop(receiver);
        stop.store(true, Ordering::Relaxed);
        outcome
    })
}
