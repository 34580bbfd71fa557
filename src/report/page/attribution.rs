//! The page of an attribution: what each technique is worth on every set, as tables and pictures.

use crate::attribution::AttributionReading;
use crate::attribution::output::{Part, pictures_of_paths, pictures_of_set, tables};
use crate::page::{facts, shell, table};
use crate::plot::pictures::Picture;
use crate::plot::svg::escape;
use crate::table::Table;
use std::fmt::Write;

/// The page of an attribution.
///
/// # Errors
/// A manifest that cannot be written as JSON.
pub fn html(reading: &AttributionReading) -> serde_json::Result<String> {
    let attribution = reading.attribution();
    let sets = &reading.manifest.test_sets;
    let mut body = facts::of_attribution(reading);
    let items: String = sets.iter().enumerate().fold(String::new(), |items, (index, set)| {
        items + &format!("<li><a href=\"#g{index}\">{}, {}</a></li>", escape(&set.name), attribution.goal.name())
    });
    let _ = writeln!(
        body,
        "<nav aria-label=\"Contents\"><ul>{items}<li><a href=\"#words\">Words</a></li><li><a href=\"#manifest\">Manifest</a></li></ul></nav>"
    );
    body += "<main id=\"main\">\n";
    let about = |part: Part, set: &str| -> Vec<Table> {
        let is_own = |sheet: &Table| sheet.subject.set.as_deref() == Some(set);
        tables(reading, part).into_iter().filter(is_own).collect()
    };
    for (index, set) in sets.iter().enumerate() {
        let title = format!("{}, {}", set.name, attribution.goal.name());
        let _ = writeln!(body, "<section class=\"ground\" id=\"g{index}\">\n<h2>{}</h2>", escape(&title));
        about(Part::Values, &set.name).iter().for_each(|sheet| body += &open(sheet, &title));
        body += &figures(&pictures_of_set(reading, set), &title);
        for part in [Part::Square, Part::Times] {
            about(part, &set.name).iter().for_each(|sheet| body += &open(sheet, &title));
        }
        body += "</section>\n";
    }
    let paths = tables(reading, Part::Paths);
    if !paths.is_empty() {
        body += "<section class=\"ground\" id=\"paths\">\n<h2>Paths</h2>\n";
        paths.iter().for_each(|sheet| body += &open(sheet, ""));
        body += &figures(&pictures_of_paths(reading), "path");
        body += "</section>\n";
    }
    let _ = write!(body, "</main>\n{}{}", facts::words(), facts::manifest(&reading.manifest)?);
    Ok(shell::page(&attribution.name, &body))
}

/// A sheet without what the title of its section has said already.
fn open(sheet: &Table, title: &str) -> String {
    let rest = sheet.title.strip_prefix(title).unwrap_or(&sheet.title).trim_start_matches([',', ':', ' ']);
    table::html(sheet, &table::capital(rest), true)
}

fn figures(pictures: &[Picture], subject: &str) -> String {
    let figures: String = pictures.iter().map(|picture| shell::figure(picture, subject)).collect();
    if figures.is_empty() { figures } else { format!("<div class=\"figures\">\n{figures}</div>\n") }
}
