//! Moves known by heart: books of scores (`book`), stores of moves that keep the value of the game (`store`), and a program for
//! tournaments that plays by one (`bot`).

mod book;
mod book_command;
mod bot;
mod bot_command;
mod claims;
mod sizes;
mod store;
mod store_command;
mod verified_table;

use c4lab_cli::command::{Command, SolveOption, command};
use c4lab_measure::files::rows::read;
use c4lab_report::extras::{Extras, RowKind};

pub fn commands() -> Vec<Box<dyn Command>> {
    vec![command("book", book_command::run), command("store", store_command::run), command("bot", bot_command::run)]
}

/// `solve --book`.
pub static SOLVE_OPTION: SolveOption = SolveOption { arg: book_command::arg, wrap: book_command::wrap };

static SIZES: RowKind = RowKind {
    name: "sizes",
    file: store::size_row::FILE,
    tables: |folder| {
        let rows = store::size_row::read(folder)?;
        Ok(vec![sizes::sheet(&rows), sizes::steps(&rows)])
    },
};

static VERIFIED: RowKind = RowKind {
    name: "verified",
    file: bot::verified::FILE,
    tables: |folder| {
        let rows: Vec<bot::verified::VerifiedRow> = read(folder)?;
        let is_timed = rows.iter().any(|row| row.limit_ns.is_some());
        Ok(vec![verified_table::sheet(&rows, is_timed)])
    },
};

/// Adds what reports show of these commands.
pub fn register(extras: &mut Extras) {
    extras.rows.extend([&SIZES, &VERIFIED]);
    extras.claims.push(&claims::Bytes::Reach);
    extras.claims.push(&claims::Bytes::Ratio);
}
