//! Precomputed openings: books of scores (`book`), stores of moves that keep the value of the game (`store`), and a
//! program for tournaments that plays by a store (`bot`).

mod book;
mod bot;
mod form;
mod retrieval;
mod sizes;
mod store;
mod strategy;
mod texts;
mod verify;

use c4lab_cli::{Command, SolveOption, divided};
use c4lab_report::extras::Extras;

pub fn commands() -> Vec<Command> {
    vec![divided("book", book::run), divided("store", store::run), divided("bot", bot::run)]
}

pub static SOLVE_OPTION: SolveOption = SolveOption { arg: book::arg, wrap: book::wrap };

pub fn register(extras: &mut Extras) {
    extras.rows.extend([&sizes::ROWS, &verify::ROWS]);
    extras.claims.extend([&sizes::REACH, &sizes::RATIO]);
}
