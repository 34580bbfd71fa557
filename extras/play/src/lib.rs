//! Players and games: `play`, `match`, `judge`, and a page to explore positions (`serve`). The book of the opening that they use.

pub mod book;
mod games_table;
mod http;
mod judge_command;
mod judged_table;
mod match_command;
pub mod matches;
mod play;
mod player_args;
mod serve;

use c4lab_cli::command::{Command, command};
use c4lab_measure::files::rows::read;
use c4lab_report::extras::{Extras, RowKind};

pub fn commands() -> Vec<Box<dyn Command>> {
    vec![
        command("play", play::run),
        command("serve", serve::run),
        command("match", match_command::run),
        command("judge", judge_command::run),
    ]
}

static GAMES: RowKind = RowKind {
    name: "games",
    file: matches::series::FILE,
    tables: |folder| {
        let rows: Vec<matches::series::GameRow> = read(folder)?;
        let names = games_table::names(&rows);
        Ok(names.iter().map(|names| games_table::sheet(names, &rows)).collect())
    },
};

static JUDGED: RowKind = RowKind {
    name: "judged",
    file: matches::judge::FILE,
    tables: |folder| Ok(vec![judged_table::sheet(&read::<matches::judge::JudgedRow>(folder)?, 4)]),
};

/// Adds what reports show of these commands.
pub fn register(extras: &mut Extras) {
    extras.rows.extend([&GAMES, &JUDGED]);
}
