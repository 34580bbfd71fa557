//! The matrix as a heat map: the first thing on the page. Its numbers and marks say everything; colours only help.

use crate::page::table;
use crate::plot::svg::escape;
use crate::results::Group;
use crate::table::{Cell, Table};
use crate::tables::matrix::{FASTER, SLOWER};

/// From which factor each strength of a colour is used: blue above 1 and orange below it, which people who do not tell red from green
/// tell apart. A ratio whose interval holds 1 has no colour.
const FROM: [f64; 4] = [1.0, 1.25, 2.0, 10.0];

fn class(factor: f64) -> String {
    let away = if factor < 1.0 { 1.0 / factor } else { factor };
    let strength = FROM.iter().filter(|least| away >= **least).count();
    format!("{}{strength}", if factor > 1.0 { "fast" } else { "slow" })
}

/// The section. Cells lead to the section of their set.
pub(super) fn html(sheet: &Table, groups: &[Group]) -> String {
    let columns: String = sheet.columns.iter().map(|heading| head(&heading.title, groups)).collect();
    let row = |row: &Vec<Cell>| -> String {
        let cells = row.iter().zip(&sheet.columns);
        let cells: String = cells.map(|(value, heading)| cell(value, place(&heading.title, groups))).collect();
        format!("<tr>{cells}</tr>\n")
    };
    let rows: String = sheet.rows.iter().map(row).collect();
    let title = escape(&sheet.title);
    format!(
        "<section id=\"matrix\">\n<h2>{title}</h2>\n<p class=\"conclusion\">{}</p>\n\
         <div class=\"sheet heat\"><div class=\"table\" tabindex=\"0\" role=\"region\" aria-label=\"{title}\"><table>\n\
         <thead><tr>{columns}</tr></thead>\n<tbody>\n{rows}</tbody>\n</table></div></div>\n{}<p class=\"note\">{}</p>\n</section>\n",
        escape(&sheet.conclusion),
        key(),
        escape(&sheet.note)
    )
}

fn place(title: &str, groups: &[Group]) -> Option<usize> {
    groups.iter().position(|group| group.title() == title)
}

fn head(title: &str, groups: &[Group]) -> String {
    let name = escape(title);
    match place(title, groups).map(|index| &groups[index]) {
        None => format!("<th scope=\"col\" class=\"name\" data-name=\"{name}\">{name}</th>"),
        Some(group) => {
            let (set, goal) = (escape(&group.set), group.goal.name());
            format!("<th scope=\"col\" data-name=\"{name}\" data-of-set=\"{set}\" data-of-goal=\"{goal}\">{name}</th>")
        }
    }
}

fn cell(value: &Cell, place: Option<usize>) -> String {
    let shown = value.shown();
    let link = |text: &str| place.map_or(escape(text), |index| format!("<a href=\"#g{index}\">{}</a>", escape(text)));
    match value {
        Cell::Text(text) if place.is_none() => format!("<th scope=\"row\" class=\"name\">{}</th>", escape(text)),
        Cell::Text(text) => format!("<td class=\"bad\">{}</td>", link(text)),
        Cell::Number { value, .. } => {
            let is_sure = shown.ends_with(FASTER) || shown.ends_with(SLOWER);
            let class = if is_sure { class(*value) } else { "even".to_string() };
            format!("<td class=\"{class}\" data-v=\"{}\">{}</td>", table::by(*value), link(&shown))
        }
        _ => "<td class=\"even\">-</td>".to_string(),
    }
}

fn key() -> String {
    let side = |side: &str, strengths: &[usize]| -> String {
        strengths.iter().map(|strength| format!("<i class=\"{side}{strength}\"></i>")).collect()
    };
    format!(
        "<p class=\"key\" aria-hidden=\"true\">{SLOWER} slower {}<i class=\"even\"></i>{} faster {FASTER}</p>\n",
        side("slow", &[4, 3, 2, 1]),
        side("fast", &[1, 2, 3, 4])
    )
}
