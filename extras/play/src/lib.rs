//! Players and games: the commands `play`, `match`, `judge` and `serve` (a page to explore positions), and their book.

pub mod book;
mod http;
mod judge;
mod matches;
mod play;
pub mod players;
mod serve;

use c4lab_cli::{Command, command};
use c4lab_report::extras::Extras;

pub fn commands() -> Vec<Command> {
    vec![
        command("play", play::run),
        command("serve", serve::run),
        command("match", matches::run),
        command("judge", judge::run),
    ]
}

pub fn register(extras: &mut Extras) {
    extras.rows.extend([&matches::ROWS, &judge::ROWS]);
}
