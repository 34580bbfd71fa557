//! `c4lab serve`: a page to explore positions, for the browser of this machine.

use crate::serve::{Server, Settings};
use anyhow::Result;
use c4lab_cli::interrupt::Interrupt;
use c4lab_cli::output::say;
use c4lab_cli::values::duration;
use c4lab_cli::{Exit, Usage, output};
use c4lab_solver::search::size;
use std::io::ErrorKind;
use std::path::PathBuf;
use std::time::Duration;

const EXAMPLES: &str = "\
The address is printed on stdout when the page is there. Ctrl-C ends the server and every search.

It listens on 127.0.0.1 alone, needs no network, writes nothing, and answers no page but its own. A search ends when its page is \
closed, goes on to another position, or its time is over.

Examples:
  c4lab serve
  c4lab serve --port 8080 --results runs             a port of your own; your own folders as report pages
  c4lab serve --tt 1GiB --time-limit 10m             longer searches
  c4lab serve --port 0                               any port that is free

Exit status: 0 ended by Ctrl-C, 1 the port is taken, 2 usage.";

/// The largest table that a search may have here: several run at a time.
const MOST_TABLE: u64 = 16 << 30;

/// A page to explore positions: scores of columns, variants side by side, what a search did, records
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// The port of 127.0.0.1; 0 for any that is free
    #[arg(long, value_name = "PORT", default_value_t = 4444)]
    port: u16,
    /// The folder whose records are shown as report pages
    #[arg(long, value_name = "FOLDER", default_value = "results")]
    results: PathBuf,
    /// Size of the table of a search, for variants without a fixed one
    #[arg(long, value_name = "SIZE", value_parser = size::parse, default_value = "64MiB")]
    tt: u64,
    /// Stop a search after this time: 10s, 5m
    #[arg(long, value_name = "DURATION", value_parser = duration, default_value = "60s")]
    time_limit: Duration,
    /// Searches at a time; each has a table and a thread of its own
    #[arg(long, value_name = "N", default_value_t = 6, value_parser = clap::value_parser!(u16).range(1..=48))]
    searches: u16,
}

/// Runs it.
pub fn run(args: &Args) -> Result<Exit> {
    if args.tt > MOST_TABLE {
        return Err(Usage("--tt: at most 16GiB a search here".to_string()).into());
    }
    let interrupt = Interrupt::listen()?;
    let settings = Settings {
        port: args.port,
        results: args.results.clone(),
        tt_bytes: args.tt,
        time_limit: args.time_limit,
        searches: usize::from(args.searches),
    };
    let server = Server::bind(settings).map_err(|error| match error.kind() {
        ErrorKind::AddrInUse => {
            anyhow::anyhow!("port {} is taken: choose another one, or c4lab serve --port 0", args.port)
        }
        _ => anyhow::Error::from(error).context(format!("cannot listen on port {} of 127.0.0.1", args.port)),
    })?;
    output::print(&format!("http://{}/", server.address()), Exit::Success)?;
    say("open this address in a browser of this machine; Ctrl-C ends");
    server.run(|| interrupt.is_set());
    Ok(Exit::Success)
}
