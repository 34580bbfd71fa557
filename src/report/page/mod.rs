//! The page: one HTML file that holds everything and loads nothing. Without its script all of it can be read; with it,
//! tables can be sorted and filtered, and dots say which position they are.

mod facts;
mod points;
mod table;

use crate::report::plot::pictures::{Picture, by_ground, pictures};
use crate::report::plot::svg::{STYLE, escape};
use crate::report::reading::Reading;
use crate::report::results::Ground;
use crate::report::sheets::sheet::{Sheet, Subject};
use crate::report::tables::conclusion;
use crate::report::tables::summary::Line;
use c4lab_solver::game::BoardSize;
use std::fmt::Write;

/// The page may load nothing, whatever a name in the data says.
const POLICY: &str =
    "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:; base-uri 'none'";

/// Tables that are open from the start; a click opens the others.
const FIRST: [&str; 2] = ["summary", "failures"];

/// The page of a folder. `lines` are the summary of its results, `sheets` its tables; a sheet about one set and goal stands
/// beside their pictures.
///
/// # Errors
/// A manifest that cannot be written as JSON.
pub fn html(reading: &Reading, lines: &[Line], sheets: &[Sheet]) -> serde_json::Result<String> {
    let name = escape(&reading.manifest.experiment.name);
    let grounds = by_ground(&reading.results.grounds, lines);
    let dots = points::most(&reading.results.grounds);
    let mut page = format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"{POLICY}\">\n<link rel=\"icon\" href=\"data:,\">\n\
         <title>{name}: c4lab</title>\n<style>\n{STYLE}{}</style>\n</head>\n<body>\n\
         <a class=\"skip\" href=\"#main\">To the results</a>\n{}{}",
        include_str!("style.css"),
        facts::header(reading),
        contents(&reading.results.grounds, sheets),
    );
    page += &filter(&reading.results.grounds);
    page += "<main id=\"main\">\n";
    if let Some(said) = conclusion::of_all(sheets) {
        let _ = writeln!(page, "<p class=\"note\">{}</p>", escape(&said));
    }
    page += &common(&reading.results.grounds, sheets);
    for (index, (ground, lines)) in grounds.iter().enumerate() {
        let own: Vec<&Sheet> = sheets.iter().filter(|sheet| is_about(sheet, ground)).collect();
        page += &section(index, ground, &own, &pictures(ground, lines, dots));
    }
    let data = points::json(&grounds, dots);
    // A board that this build has no search for is drawn all the same.
    let told = reading.manifest.experiment.board.as_ref().and_then(|text| text.parse().ok());
    let board: BoardSize = told.unwrap_or(BoardSize::STANDARD);
    let _ = write!(
        page,
        "</main>\n{}{}<script type=\"application/json\" id=\"data\" data-board=\"{board}\">{data}</script>\n<script>\n{}</script>\n</body>\n</html>\n",
        facts::words(),
        facts::manifest(&reading.manifest)?,
        include_str!("script.js"),
    );
    Ok(page)
}

/// Whether a sheet belongs to a ground. Two grounds of one set and goal (two machines, or cold and warm tables) share theirs.
fn is_about(sheet: &Sheet, ground: &Ground) -> bool {
    sheet.subject == Subject::of(ground)
}

/// What a ground is called.
fn title(ground: &Ground) -> String {
    ground.title()
}

/// The table of contents.
fn contents(grounds: &[Ground], sheets: &[Sheet]) -> String {
    let mut items = String::new();
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
    let sets = crate::report::sheets::markdown::distinct(grounds.iter().map(|ground| ground.set.as_str()));
    let goals = crate::report::sheets::markdown::distinct(grounds.iter().map(|ground| ground.goal.name()));
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
fn common(grounds: &[Ground], sheets: &[Sheet]) -> String {
    let own: Vec<&Sheet> =
        sheets.iter().filter(|sheet| !grounds.iter().any(|ground| is_about(sheet, ground))).collect();
    if own.is_empty() {
        return String::new();
    }
    let tables: String = own.iter().map(|sheet| table::html(sheet, &sheet.title, true)).collect();
    format!("<section id=\"all\">\n<h2>All sets</h2>\n{tables}</section>\n")
}

/// A ground: its tables, its pictures, and the scatters with a panel for the dot that was chosen.
fn section(index: usize, ground: &Ground, sheets: &[&Sheet], pictures: &[Picture]) -> String {
    let (scatters, others): (Vec<&Picture>, Vec<&Picture>) =
        pictures.iter().partition(|picture| picture.name.starts_with("scatter"));
    let (set, goal) = (escape(&ground.set), ground.goal.name());
    let machine =
        format!("{} positions, machine {}, {} table", ground.places.len(), escape(&ground.machine_id), state(ground));
    let mut section = format!(
        "<section class=\"ground\" id=\"g{index}\" data-set=\"{set}\" data-goal=\"{goal}\">\n<h2>{}</h2>\n<p class=\"note\">{machine}</p>\n",
        escape(&title(ground))
    );
    let (first, more): (Vec<&Sheet>, Vec<&Sheet>) = sheets.iter().partition(|sheet| FIRST.contains(&sheet.name));
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
    section + "</section>\n"
}

/// The title of a sheet, without what the title of its ground has said already.
fn own(ground: &Ground, sheet: &Sheet) -> String {
    let rest = sheet.title.strip_prefix(&title(ground)).unwrap_or(&sheet.title);
    let rest = rest.trim_start_matches([',', ':', ' ']);
    let mut letters = rest.chars();
    letters.next().map_or("Summary".to_string(), |first| first.to_uppercase().chain(letters).collect())
}

fn state(ground: &Ground) -> &'static str {
    match ground.tt_state {
        crate::lab::plan::table_state::TableState::Cold => "cold",
        crate::lab::plan::table_state::TableState::Warm => "warm",
    }
}

fn figure(ground: &Ground, picture: &Picture) -> String {
    let label = format!("{}, {}. {}", picture.title, title(ground), picture.note);
    format!(
        "<figure class=\"{}\">\n<figcaption><h3>{}</h3></figcaption>\n<div class=\"scroll\">{}</div>\n<p class=\"note\">{}</p>\n</figure>\n",
        picture.name,
        escape(&picture.title),
        picture.svg.labelled(&label),
        escape(&picture.note)
    )
}

#[cfg(test)]
mod tests;
