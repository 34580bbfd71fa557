//! The page: one HTML file that holds everything and loads nothing. It opens with the matrix of all variants on all sets. Without its
//! script all of it can be read; with it, tables can be sorted and filtered, lines chosen, and dots say which position they are.

pub mod attribution;
mod facts;
mod matrix;
mod points;
mod positions;
pub mod record;
mod shell;
mod table;

use crate::plot::curves::Offered;
use crate::plot::pictures::{Picture, by_ground, pictures};
use crate::plot::svg::escape;
use crate::reading::Reading;
use crate::results::Ground;
use crate::table::{Subject, Table};
use crate::tables::conclusion;
use crate::tables::summary::Line;
use c4lab_solver::game::BoardSize;
use std::fmt::Write;

/// Tables that are open from the start; a click opens the others.
const FIRST: [&str; 2] = ["summary", "failures"];

/// The page of a folder. `lines` are the summary of its results, `sheets` its tables; a sheet about one set and goal stands
/// beside their pictures.
///
/// # Errors
/// A manifest that cannot be written as JSON.
pub fn html(reading: &Reading, lines: &[Line], sheets: &[Table]) -> serde_json::Result<String> {
    let grounds = by_ground(&reading.results.grounds, lines);
    let dots = points::most(&reading.results.grounds);
    let (matrices, sheets): (Vec<&Table>, Vec<&Table>) = sheets.iter().partition(|sheet| sheet.name == "matrix");
    let mut body = facts::header(reading) + &contents(&reading.results.grounds, &sheets, !matrices.is_empty());
    body += &filter(&reading.results.grounds);
    body += "<main id=\"main\">\n";
    matrices.iter().for_each(|sheet| body += &matrix::html(sheet, &reading.results.grounds));
    if let Some(said) = conclusion::of_all(sheets.iter().copied()) {
        let _ = writeln!(body, "<p class=\"note\">{}</p>", escape(&said));
    }
    body += &common(&reading.results.grounds, &sheets);
    for (index, (ground, lines)) in grounds.iter().enumerate() {
        let own: Vec<&Table> = sheets.iter().filter(|sheet| is_about(sheet, ground)).copied().collect();
        body += &section(index, ground, &own, &pictures(ground, lines, dots, Offered::All));
        body += &positions::html(index, ground, lines, dots);
        body += "</section>\n";
    }
    let data = points::json(&grounds, dots);
    // A board that this build has no search for is drawn all the same.
    let told = reading.manifest.experiment.board.as_ref().and_then(|text| text.parse().ok());
    let board: BoardSize = told.unwrap_or(BoardSize::STANDARD);
    let _ = write!(
        body,
        "</main>\n{}{}<script type=\"application/json\" id=\"data\" data-board=\"{board}\">{data}</script>\n",
        facts::words(),
        facts::manifest(&reading.manifest)?,
    );
    Ok(shell::page(&reading.manifest.experiment.name, &body))
}

/// Whether a sheet belongs to a ground. Two grounds of one set and goal (two machines, or cold and warm tables) share theirs. A ranking is
/// of all sets, even if only one has positions for it.
fn is_about(sheet: &Table, ground: &Ground) -> bool {
    sheet.name != "rank" && sheet.subject == Subject::of(ground)
}

/// What a ground is called.
fn title(ground: &Ground) -> String {
    ground.title()
}

/// The table of contents.
fn contents(grounds: &[Ground], sheets: &[&Table], has_matrix: bool) -> String {
    let mut items = if has_matrix { "<li><a href=\"#matrix\">Overview</a></li>".to_string() } else { String::new() };
    if sheets.iter().any(|sheet| !grounds.iter().any(|ground| is_about(sheet, ground))) {
        items += "<li><a href=\"#all\">All sets</a></li>";
    }
    for (index, ground) in grounds.iter().enumerate() {
        let (set, goal) = (escape(&ground.set), ground.goal.name());
        let title = escape(&title(ground));
        let _ = write!(items, "<li data-set=\"{set}\" data-goal=\"{goal}\"><a href=\"#g{index}\">{title}</a></li>");
    }
    format!(
        "<nav aria-label=\"Contents\"><ul>{items}<li><a href=\"#words\">Words</a></li><li><a href=\"#manifest\">Manifest</a></li></ul></nav>\n"
    )
}

/// The filter, which the script shows.
fn filter(grounds: &[Ground]) -> String {
    let options = |names: &[&str]| {
        names.iter().fold("<option value=\"\">all</option>".to_string(), |options, name| {
            options + &format!("<option>{}</option>", escape(name))
        })
    };
    let sets = crate::table::markdown::distinct(grounds.iter().map(|ground| ground.set.as_str()));
    let goals = crate::table::markdown::distinct(grounds.iter().map(|ground| ground.goal.name()));
    format!(
        "<form id=\"filter\" role=\"search\" aria-label=\"Filter\" hidden>\n\
         <label>Set <select id=\"set\">{}</select></label>\n<label>Goal <select id=\"goal\">{}</select></label>\n\
         <label>Variant <input id=\"variant\" type=\"search\" placeholder=\"part of its name\" autocomplete=\"off\"></label>\n\
         <output id=\"count\" for=\"set goal variant\"></output>\n</form>\n",
        options(&sets),
        options(&goals)
    )
}

/// The sheets that are about more than one set and goal.
fn common(grounds: &[Ground], sheets: &[&Table]) -> String {
    let own: Vec<&&Table> =
        sheets.iter().filter(|sheet| !grounds.iter().any(|ground| is_about(sheet, ground))).collect();
    if own.is_empty() {
        return String::new();
    }
    let tables: String = own.iter().map(|sheet| table::html(sheet, &sheet.title, true)).collect();
    format!("<section id=\"all\">\n<h2>All sets</h2>\n{tables}</section>\n")
}

/// The section of a ground, still open: its tables, its pictures, and the scatters with a panel for the dot that was chosen.
fn section(index: usize, ground: &Ground, sheets: &[&Table], pictures: &[Picture]) -> String {
    let (scatters, others): (Vec<&Picture>, Vec<&Picture>) =
        pictures.iter().partition(|picture| picture.name.starts_with("scatter"));
    let (set, goal) = (escape(&ground.set), ground.goal.name());
    let machine =
        format!("{} positions, machine {}, {} table", ground.places.len(), escape(&ground.machine_id), state(ground));
    let mut section = format!(
        "<section class=\"ground\" id=\"g{index}\" data-set=\"{set}\" data-goal=\"{goal}\">\n<h2>{}</h2>\n<p class=\"note\">{machine}</p>\n",
        escape(&title(ground))
    );
    let (first, more): (Vec<&Table>, Vec<&Table>) = sheets.iter().partition(|sheet| FIRST.contains(&sheet.name));
    first.iter().for_each(|sheet| section += &table::html(sheet, &own(ground, sheet), true));
    more.iter().for_each(|sheet| section += &table::html(sheet, &own(ground, sheet), false));
    let figures: String = others.iter().map(|picture| figure(ground, picture)).collect();
    let _ = writeln!(section, "<div class=\"figures\">\n{figures}</div>");
    if !scatters.is_empty() {
        let figures: String = scatters.iter().map(|picture| figure(ground, picture)).collect();
        let _ = writeln!(
            section,
            "<div class=\"scatter\" data-ground=\"{index}\">\n<h3>Pairs</h3>\n<p class=\"choose\" hidden></p>\n\
             <div class=\"figures\">\n{figures}</div>\n<div class=\"panel\" role=\"status\" hidden></div>\n</div>"
        );
    }
    section
}

/// The title of a sheet, without what the title of its ground has said already.
fn own(ground: &Ground, sheet: &Table) -> String {
    let rest = sheet.title.strip_prefix(&title(ground)).unwrap_or(&sheet.title);
    let rest = rest.trim_start_matches([',', ':', ' ']);
    if rest.is_empty() { "Summary".to_string() } else { table::capital(rest) }
}

fn state(ground: &Ground) -> &'static str {
    match ground.tt_state {
        c4lab_measure::plan::table_state::TableState::Cold => "cold",
        c4lab_measure::plan::table_state::TableState::Warm => "warm",
    }
}

fn figure(ground: &Ground, picture: &Picture) -> String {
    shell::figure(picture, &title(ground))
}

#[cfg(test)]
mod tests;
