//! Players and games: `play`, `match`, `judge`, and a page to explore positions (`serve`). The book of the opening that they use.

pub mod book;
mod http;
mod judge;
mod matches;
mod play;
pub mod players;
mod serve;

use c4lab_cli::command::{Command, command};
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
