//! `c4lab serve`: a page to explore positions, for the browser of this machine.
//!
//! ```text
//! browser --GET--> accept --> a thread for each connection: head, answer, close
//!                                     |
//!                                     +-- a thread for each search; the connection's thread writes its lines,
//!                                         and stops it when the browser has closed the connection
//! ```
//!
//! The server listens on the loopback address alone. It limits the number of connections, the bytes and the time of a
//! head, the number and the time of searches, and the bytes of a table. No request has a body or changes anything.

use crate::book::BookSolver;
use crate::http::{self, HttpError, NOTHING, read_more, write_head};
use crate::players::{after, playable};
use anyhow::{Context, Result, anyhow, bail};
use c4lab_cli::output::say;
use c4lab_cli::values::duration;
use c4lab_cli::{Exit, Interrupt, Usage, output};
use c4lab_measure::sets::test_set::print_moves;
use c4lab_measure::text::explain;
use c4lab_report::explanation::explained;
use c4lab_report::score_words::{in_words, of_move, sentence, turn};
use c4lab_solver::game::notation::name_of_column;
use c4lab_solver::game::reading::Reader;
use c4lab_solver::game::{BoardSize, Position};
use c4lab_solver::search::registry::{self, ALL, DEFAULT, Entry};
use c4lab_solver::search::solver::BuildError;
use c4lab_solver::search::{Goal, Limits, Name, Options, Solve, Stopped, analysis, size};
use serde_json::{Value, json};
use std::collections::HashMap;
use std::io::{self, ErrorKind, Read, Write};
use std::net::{Ipv4Addr, Shutdown, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{RecvTimeoutError, SyncSender, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

const EXAMPLES: &str = "\
The address is printed on stdout when the server is ready. Ctrl-C ends the server and every search.

The server listens on 127.0.0.1 alone, needs no network, writes no file, and answers only its own page. A search ends when its page is \
closed or shows another position, or when its time is over.

Examples:
  c4lab serve
  c4lab serve --tt 1GiB --time-limit 10m             longer searches
  c4lab serve --port 0                               any free port

Exit status: 0 ended by Ctrl-C, 1 the port is taken, 2 usage.";

/// Serve a page to explore positions: scores of columns, variants side by side, explanations of searches
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// The port of 127.0.0.1; 0 for any free port
    #[arg(long, value_name = "PORT", default_value_t = 4444)]
    port: u16,
    /// Size of the table of a search, for variants without a fixed one
    #[arg(long, value_name = "SIZE", value_parser = size::parse, default_value = "64MiB")]
    tt: u64,
    /// Stop a search after this time: 10s, 5m
    #[arg(long, value_name = "DURATION", value_parser = duration, default_value = "60s")]
    time_limit: Duration,
    /// The most searches at a time; each has a table and a thread of its own
    #[arg(long, value_name = "N", default_value_t = 6, value_parser = clap::value_parser!(u16).range(1..=48))]
    searches: u16,
}

/// The largest table of a search, because several searches run at a time.
const MOST_TABLE: u64 = 16 << 30;
const MOST_CONNECTIONS: usize = 64;
/// How often a waiting thread looks at the stop flags and the connection.
const POLL_EVERY: Duration = Duration::from_millis(50);
/// The longest wait for a head to arrive, or for the browser to read an answer.
const MOST_WAITING: Duration = Duration::from_secs(10);
/// The longest time that a search waits until another one has ended.
const MOST_WAITING_FOR_SEARCH: Duration = Duration::from_secs(3);
/// A search that has sent no line for this time sends a `searching` line.
const REPORT_EVERY: Duration = Duration::from_millis(500);

pub fn run(args: &Args) -> Result<Exit> {
    if args.tt > MOST_TABLE {
        return Err(Usage("--tt: at most 16GiB a search here".to_string()).into());
    }
    let interrupt = Interrupt::listen()?;
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, args.port)).map_err(|error| match error.kind() {
        ErrorKind::AddrInUse => anyhow!("port {} is taken: choose another one, or --port 0 for any", args.port),
        _ => anyhow::Error::from(error).context(format!("cannot listen on port {} of 127.0.0.1", args.port)),
    })?;
    let address = listener.local_addr()?;
    let server = Server {
        tt_bytes: args.tt,
        time_limit: args.time_limit,
        searches: AtomicUsize::new(args.searches.into()),
        connections: AtomicUsize::new(MOST_CONNECTIONS),
        is_stopping: AtomicBool::new(false),
    };
    output::print(&format!("http://{address}/"), Exit::Success)?;
    say("open this address in a browser of this machine; Ctrl-C ends");
    thread::scope(|scope| {
        scope.spawn(|| server.accept(scope, &listener));
        while !interrupt.is_set() {
            thread::sleep(POLL_EVERY);
        }
        server.is_stopping.store(true, Ordering::Relaxed);
        // A connection wakes the thread of `accept`, which then ends.
        drop(TcpStream::connect(address));
    });
    Ok(Exit::Success)
}

struct Server {
    tt_bytes: u64,
    time_limit: Duration,
    /// The numbers of further searches and connections that are possible now.
    searches: AtomicUsize,
    connections: AtomicUsize,
    is_stopping: AtomicBool,
}

/// One of the searches or connections that are possible at a time. It is possible again when its place is dropped.
struct Place<'a>(&'a AtomicUsize);

impl<'a> Place<'a> {
    /// Takes one of the `left` places; `None` if there is none.
    fn of(left: &'a AtomicUsize) -> Option<Self> {
        let one_less = |left: usize| left.checked_sub(1);
        left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, one_less).is_ok().then(|| Place(left))
    }
}

impl Drop for Place<'_> {
    fn drop(&mut self) {
        self.0.fetch_add(1, Ordering::Relaxed);
    }
}

impl Server {
    fn accept<'scope>(&'scope self, scope: &'scope thread::Scope<'scope, '_>, listener: &TcpListener) {
        for stream in listener.incoming() {
            if self.is_stopping() {
                return;
            }
            let Ok(mut stream) = stream else {
                // The limit on open files, for example. Other connections will close soon.
                thread::sleep(POLL_EVERY);
                continue;
            };
            let Some(place) = Place::of(&self.connections) else {
                let error = HttpError::new(503, "too many connections: close other pages");
                let _ = stream.set_write_timeout(Some(POLL_EVERY)).and_then(|()| refuse(&mut stream, &error));
                continue;
            };
            let serve = move || {
                let _place = place;
                // Errors of the connection itself are ignored, because no answer can reach the browser.
                let _ = self.serve(stream);
            };
            let _ = thread::Builder::new().spawn_scoped(scope, serve);
        }
    }

    fn is_stopping(&self) -> bool {
        self.is_stopping.load(Ordering::Relaxed)
    }

    fn serve(&self, mut stream: TcpStream) -> io::Result<()> {
        stream.set_nodelay(true)?;
        stream.set_read_timeout(Some(POLL_EVERY))?;
        stream.set_write_timeout(Some(MOST_WAITING))?;
        match self.read(&mut stream) {
            Ok(None) => return Ok(()),
            Ok(Some(target)) => self.answer(&mut stream, &target)?,
            Err(error) => refuse(&mut stream, &error)?,
        }
        drain(&mut stream)
    }

    /// The target of the request; `None` if the connection was closed without one.
    fn read(&self, stream: &mut TcpStream) -> Result<Option<String>, HttpError> {
        let (start, mut head) = (Instant::now(), Vec::new());
        while !self.is_stopping() && start.elapsed() < MOST_WAITING {
            match read_more(stream, &mut head) {
                Ok(Some(())) => {}
                Err(error) if is_timeout(error.kind()) => continue,
                Ok(None) | Err(_) => return Ok(None),
            }
            if let Some(target) = http::target(&head)? {
                return Ok(Some(target));
            }
        }
        Ok(None)
    }

    fn answer(&self, stream: &mut TcpStream, target: &str) -> io::Result<()> {
        let (path, query) = target.split_once('?').unwrap_or((target, ""));
        let (kind, policy, text) = match path {
            "/" => ("text/html", PAGE_POLICY, include_str!("page/page.html").to_string()),
            "/script.js" => ("text/javascript", NOTHING, include_str!("page/script.js").to_string()),
            "/style.css" => ("text/css", NOTHING, include_str!("page/style.css").to_string()),
            "/choices" => match choices(query) {
                Ok(choices) => ("application/json", NOTHING, choices.to_string()),
                Err(error) => return refuse(stream, &HttpError::bad(format!("{error:#}"))),
            },
            "/analyze" | "/solve" => {
                return match self.place() {
                    Ok(_place) => match self.search(path == "/analyze", query) {
                        Ok(search) => self.stream_lines(stream, search),
                        Err(error) => refuse(stream, &HttpError::bad(format!("{error:#}"))),
                    },
                    Err(error) => refuse(stream, &error),
                };
            }
            _ => return refuse(stream, &HttpError::new(404, "nothing is served there; the page is at /")),
        };
        write_head(stream, 200, &format!("{kind}; charset=utf-8"), policy, Some(text.len()))?;
        stream.write_all(text.as_bytes())
    }

    /// A place for a search. Waits up to [`MOST_WAITING_FOR_SEARCH`] for one, because a page that shows another position stops its old
    /// searches a moment later.
    fn place(&self) -> Result<Place<'_>, HttpError> {
        let start = Instant::now();
        loop {
            if let Some(place) = Place::of(&self.searches) {
                return Ok(place);
            }
            if start.elapsed() > MOST_WAITING_FOR_SEARCH || self.is_stopping() {
                return Err(HttpError::new(503, "too many searches: wait for some to end, or close other pages"));
            }
            thread::sleep(POLL_EVERY);
        }
    }

    fn search(&self, is_analysis: bool, query: &str) -> Result<Search> {
        let mut values = values(query)?;
        let position = position(&mut values)?;
        let text = values.remove("variant").filter(|_| !is_analysis).unwrap_or(DEFAULT.to_string());
        if let Some(name) = values.keys().next() {
            bail!("no parameter {name:?} here; known: moves, board, and variant for /solve");
        }
        let name = Name::parse(&text).map_err(|error| anyhow!(explain(error)))?;
        if name.tt_bytes().is_some() || name.says_threads() {
            bail!("{text}: a variant has no table size and no threads here; c4lab serve --tt sets the table size");
        }
        name.available_on(position.size()).map_err(|reason| anyhow!("{text} does not run here: {reason}"))?;
        let options = Options { board: position.size(), ..Options::with_tt(self.tt_bytes) };
        let mut solver = name.build(&options).with_context(|| text)?;
        if is_analysis {
            solver = BookSolver::shipped(solver);
        }
        Ok(Search { position, name, options, solver, is_analysis })
    }

    /// Writes the lines of a search as they come. The search stops when its time is over, when the browser closes the
    /// connection, or when the server ends.
    fn stream_lines(&self, stream: &mut TcpStream, search: Search) -> io::Result<()> {
        write_head(stream, 200, "application/x-ndjson", NOTHING, None)?;
        let (stop, (sender, receiver)) = (AtomicBool::new(false), sync_channel::<String>(16));
        let stop = &stop;
        thread::scope(|scope| {
            let work = move || search.run(stop, &sender, self.time_limit);
            let mut outcome = thread::Builder::new().spawn_scoped(scope, work).map(drop);
            let (start, mut last_line) = (Instant::now(), Instant::now());
            while outcome.is_ok() {
                match receiver.recv_timeout(POLL_EVERY) {
                    Ok(line) => {
                        last_line = Instant::now();
                        outcome = stream.write_all(format!("{line}\n").as_bytes());
                    }
                    Err(RecvTimeoutError::Disconnected) => break,
                    Err(RecvTimeoutError::Timeout) if self.is_stopping() || is_closed(stream) => {
                        outcome = Err(ErrorKind::ConnectionAborted.into());
                    }
                    Err(RecvTimeoutError::Timeout) => {
                        if start.elapsed() > self.time_limit {
                            stop.store(true, Ordering::Relaxed);
                        }
                        if last_line.elapsed() > REPORT_EVERY {
                            last_line = Instant::now();
                            let milliseconds = start.elapsed().as_millis() as u64;
                            let line = json!({ "kind": "searching", "milliseconds": milliseconds });
                            outcome = stream.write_all(format!("{line}\n").as_bytes());
                        }
                    }
                }
            }
            // Without a receiver, the search ends at its next line.
            drop(receiver);
            stop.store(true, Ordering::Relaxed);
            outcome
        })
    }
}

/// The policy of the page: it loads its own style and script, sends requests to this server, and loads nothing else.
const PAGE_POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// The variants and boards that the page offers at the position of `query`.
fn choices(query: &str) -> Result<Value> {
    let board = position(&mut values(query)?)?.size();
    let is_there = |entry: &&Entry| match board {
        BoardSize::STANDARD => entry.available().is_ok(),
        _ => entry.build(&Options { board, ..Options::default() }).is_ok(),
    };
    let available = ALL.iter().filter(is_there);
    let variants: Vec<_> = available.map(|entry| json!({ "name": entry.name, "about": entry.about })).collect();
    let boards: Vec<String> = registry::boards().iter().map(ToString::to_string).collect();
    Ok(json!({ "variants": variants, "boards": boards }))
}

fn refuse(stream: &mut TcpStream, error: &HttpError) -> io::Result<()> {
    let text = format!("{}\n", json!({ "error": error.reason }));
    write_head(stream, error.status, "application/json", NOTHING, Some(text.len()))?;
    stream.write_all(text.as_bytes())
}

/// Reads the remaining bytes of the browser before the connection closes. Unread bytes would reset the connection, and
/// the browser could lose the answer.
fn drain(stream: &mut TcpStream) -> io::Result<()> {
    stream.shutdown(Shutdown::Write)?;
    stream.set_read_timeout(Some(Duration::from_secs(1)))?;
    let mut buffer = [0; 4096];
    for _ in 0..16 {
        if stream.read(&mut buffer)? == 0 {
            break;
        }
    }
    Ok(())
}

fn is_timeout(kind: ErrorKind) -> bool {
    matches!(kind, ErrorKind::WouldBlock | ErrorKind::TimedOut | ErrorKind::Interrupted)
}

fn is_closed(stream: &TcpStream) -> bool {
    if stream.set_nonblocking(true).is_err() {
        return true;
    }
    let closed = match stream.peek(&mut [0]) {
        Ok(count) => count == 0,
        Err(error) => !is_timeout(error.kind()),
    };
    stream.set_nonblocking(false).is_err() || closed
}

/// The names and values of a query, each name once.
fn values(query: &str) -> Result<HashMap<String, String>> {
    let mut values = HashMap::new();
    for (name, value) in form_urlencoded::parse(query.as_bytes()).into_owned() {
        if name.len() > 40 || value.len() > 300 {
            bail!("the parameter {name:.40} is too long");
        }
        if values.contains_key(&name) {
            bail!("the parameter {name} is given twice");
        }
        values.insert(name, value);
    }
    Ok(values)
}

/// The position of the values `moves` and `board`; by default the empty standard board.
fn position(values: &mut HashMap<String, String>) -> Result<Position> {
    let board = match values.remove("board") {
        Some(text) => text.parse::<BoardSize>().context("board")?,
        None => BoardSize::STANDARD,
    };
    if !registry::is_searched(board) {
        bail!("board: {}", BuildError::Board(board));
    }
    let moves = values.remove("moves").unwrap_or_default();
    Reader::on(board).read(&moves).map_err(|error| anyhow!("moves: {error}"))
}

/// A search whose answers are lines of JSON, each with its `kind`. The last one is `done`, or `stopped` with the
/// reason.
struct Search {
    position: Position,
    name: Name,
    options: Options,
    solver: Box<dyn Solve>,
    /// True for the scores of all columns, by the champion with its book. False for one answer of a variant and the
    /// explanation of its search.
    is_analysis: bool,
}

/// Fails if the browser has closed the connection.
fn send(lines: &SyncSender<String>, line: &Value) -> Result<()> {
    Ok(lines.send(line.to_string())?)
}

impl Search {
    fn run(self, stop: &AtomicBool, lines: &SyncSender<String>, time_limit: Duration) {
        let limits = Limits { interrupt: Some(stop), ..Limits::default() };
        let outcome = if self.is_analysis { self.analyze(&limits, lines) } else { self.explain(&limits, lines) };
        let last = outcome.map_or_else(
            |error| {
                let reason = match error.downcast_ref() {
                    Some(Stopped::Interrupted(nodes)) => format!(
                        "not done in {} s, after {nodes} nodes of the last search. A longer time: c4lab serve --time-limit",
                        time_limit.as_secs_f64()
                    ),
                    _ => format!("{error:#}"),
                };
                json!({ "kind": "stopped", "reason": reason })
            },
            |()| json!({ "kind": "done" }),
        );
        let _ = send(lines, &last);
    }

    fn analyze(self, limits: &Limits<'_>, lines: &SyncSender<String>) -> Result<()> {
        let Search { position, mut solver, .. } = self;
        let (moves, is_over) = (print_moves(&position), position.is_over());
        let turn_words = sentence(&turn(&position));
        send(lines, &json!({ "kind": "position", "moves": moves, "turn": turn_words, "is_over": is_over }))?;
        let start = Instant::now();
        let solved = solver.solve(&position, Goal::Strong, limits)?;
        let line = json!({
            "kind": "score",
            "score": solved.score,
            "words": sentence(&in_words(&position, solved.score, Goal::Strong)),
            "nodes": solved.nodes,
            "microseconds": start.elapsed().as_micros() as u64,
        });
        send(lines, &line)?;
        if is_over {
            return Ok(());
        }
        for column in playable(&position) {
            let score = -solver.solve(&after(&position, column), Goal::Strong, limits)?.score;
            let words = of_move(position.size(), position.ply(), score, Goal::Strong);
            send(lines, &json!({ "kind": "column", "column": column + 1, "score": score, "words": words }))?;
        }
        let line = analysis::best_line(&mut *solver, &position, Goal::Strong, solved.score, limits)?;
        let text: String = line.into_iter().map(|column| name_of_column(column.into())).collect();
        let end = Position::parse_on(position.size(), &format!("{position}{text}"))?;
        send(lines, &json!({ "kind": "line", "moves": text, "end": sentence(&turn(&end)) }))
    }

    fn explain(self, limits: &Limits<'_>, lines: &SyncSender<String>) -> Result<()> {
        let Search { position, name, options, mut solver, .. } = self;
        // The exact score, unless the variant knows only who wins.
        let goal = if name.spec().goals().contains(&Goal::Strong) { Goal::Strong } else { Goal::Weak };
        let start = Instant::now();
        let solved = solver.solve(&position, goal, limits)?;
        let line = json!({
            "kind": "answer",
            "variant": name.text(),
            "goal": goal.name(),
            "score": solved.score,
            "words": sentence(&in_words(&position, solved.score, goal)),
            "nodes": solved.nodes,
            "microseconds": start.elapsed().as_micros() as u64,
        });
        send(lines, &line)?;
        // Frees the table before the explanation gets its own.
        drop(solver);
        let explanation = explained((&name, &options), (&position, goal), limits)??;
        let text = explanation.text();
        send(lines, &json!({ "kind": "explanation", "explanation": explanation, "text": text }))
    }
}
