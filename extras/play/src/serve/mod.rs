//! `c4lab serve`: a page to explore positions, for the browser of this machine.
//!
//! The server listens on the loopback address alone. [`request`] reads the head of a request, [`route`] says what it asks for, `search.rs`
//! answers positions line by line as they are found, `shelf.rs` shows the records of a folder, `page.rs` holds the page itself.
//!
//! ```text
//! browser --GET--> accept --> a thread a connection: head, route, answer, close
//!                                     |
//!                                     +-- a thread a search; the connection's thread writes its lines,
//!                                         and stops it when nobody reads any more
//! ```
//!
//! Everything is limited: connections, the bytes and the time of a head, searches and their time, the bytes of a table. No request has a
//! body, and none changes anything. A request that names another host than this one (a page elsewhere whose name was made to point here),
//! or comes from another page, is refused.

mod connection;
mod fault;
mod page;
mod places;
mod query;
pub mod request;
pub mod route;
mod search;
mod shelf;

use places::Places;
use shelf::Shelf;
use std::io;
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

/// Connections at a time.
pub const MOST_CONNECTIONS: usize = 64;
/// How often a waiting thread looks around.
const LOOK: Duration = Duration::from_millis(50);

/// What a server is told.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The port; 0 for any that is free.
    pub port: u16,
    /// The folder of records.
    pub results: PathBuf,
    /// Bytes of a table whose size is not fixed by the variant.
    pub tt_bytes: u64,
    /// The longest that a search may take.
    pub time_limit: Duration,
    /// Searches at a time.
    pub searches: usize,
}

/// A server that listens.
#[derive(Debug)]
pub struct Server {
    listener: TcpListener,
    address: SocketAddr,
    settings: Settings,
    places: Places,
    records: Shelf,
    connections: AtomicUsize,
    is_stopping: AtomicBool,
}

impl Server {
    /// Listens on the loopback address.
    ///
    /// # Errors
    /// The port is taken, or not to be had.
    pub fn bind(settings: Settings) -> io::Result<Self> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, settings.port))?;
        Ok(Server {
            address: listener.local_addr()?,
            listener,
            places: Places::new(settings.searches),
            records: Shelf::new(settings.results.clone()),
            settings,
            connections: AtomicUsize::new(0),
            is_stopping: AtomicBool::new(false),
        })
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Serves until it is told to stop. Then running searches are stopped, and every thread has ended.
    pub fn run(&self, must_stop: impl Fn() -> bool) {
        thread::scope(|scope| {
            scope.spawn(|| self.accept(scope));
            while !must_stop() {
                thread::sleep(LOOK);
            }
            self.is_stopping.store(true, Ordering::Relaxed);
            // Whoever waits for a connection gets one.
            drop(TcpStream::connect(self.address));
        });
    }

    /// Takes connections, each in a thread of its own.
    fn accept<'scope>(&'scope self, scope: &'scope thread::Scope<'scope, '_>) {
        for stream in self.listener.incoming() {
            if self.is_stopping() {
                return;
            }
            let Ok(stream) = stream else {
                // No more open files, for example: some are closed in a moment.
                thread::sleep(LOOK);
                continue;
            };
            if self.connections.fetch_add(1, Ordering::Relaxed) >= MOST_CONNECTIONS {
                self.connections.fetch_sub(1, Ordering::Relaxed);
                connection::turn_away(stream);
                continue;
            }
            let serve = move || {
                connection::serve(self, stream);
                self.connections.fetch_sub(1, Ordering::Relaxed);
            };
            if thread::Builder::new().spawn_scoped(scope, serve).is_err() {
                self.connections.fetch_sub(1, Ordering::Relaxed);
            }
        }
    }

    /// Whether every thread is to end.
    fn is_stopping(&self) -> bool {
        self.is_stopping.load(Ordering::Relaxed)
    }
}
