//! Boards of all sizes: the winner on the empty board (`outcomes`), and the number of positions (`perft`).

mod outcomes;
mod perft;

use c4lab_cli::{Command, command};
use c4lab_report::extras::Extras;

pub fn commands() -> Vec<Command> {
    vec![command("perft", perft::run), command("outcomes", outcomes::run)]
}

pub fn register(extras: &mut Extras) {
    extras.rows.extend([&outcomes::ROWS, &perft::ROWS]);
    extras.claims.push(&outcomes::CLAIMS);
}
