//! Tables of the page. Numbers carry their sort keys. The matrix is a heat map at the top of the page.

use crate::plot::svg::escape;
use crate::results::Group;
use crate::table::{Cell, Column, Kind, Table};
use crate::tables::matrix::{FASTER, SLOWER};

/// Rows that the page shows of one table; the others are in its CSV.
const ROWS: usize = 1500;

/// The columns that come first in a summary. An interval has the name of its number, and comes with it.
const LED: [&str; 3] = ["variant", "geometric_mean", "speedup"];

/// The table under `title`. Unless `is_open`, a click on the title unfolds the table.
pub(super) fn html(table: &Table, title: &str, is_open: bool) -> String {
    let subject =
        [("set", table.subject.set.clone()), ("goal", table.subject.goal.map(|goal| goal.name().to_string()))];
    let marks: String =
        subject.into_iter().filter_map(|(name, value)| Some(format!(" data-{name}=\"{}\"", escape(&value?)))).collect();
    let order = order(table);
    let columns: String = order.iter().map(|&column| heading(&table.columns[column])).collect();
    let title = escape(title);
    let open = if is_open { " open" } else { "" };
    let head = format!("<details class=\"sheet\"{marks}{open}>\n<summary><h3>{title}</h3></summary>\n");
    let cells = |row: &Vec<Cell>| order.iter().map(|&column| cell(&row[column], table.columns[column].kind)).collect();
    let rows = table.rows.iter().take(ROWS).map(cells);
    head + &note(table) + &grid(&title, &columns, rows) + &paragraph("conclusion", &table.conclusion) + "</details>\n"
}

/// A table that can be scrolled. `columns` are the cells of its head, and each of `rows` is those of a row.
fn grid(title: &str, columns: &str, rows: impl Iterator<Item = String>) -> String {
    let rows: String = rows.map(|cells| format!("<tr>{cells}</tr>\n")).collect();
    format!(
        "<div class=\"table\" tabindex=\"0\" role=\"region\" aria-label=\"{title}\"><table>\n\
         <thead><tr>{columns}</tr></thead>\n<tbody>\n{rows}</tbody>\n</table></div>\n"
    )
}

fn paragraph(class: &str, text: &str) -> String {
    if text.is_empty() { String::new() } else { format!("<p class=\"{class}\">{}</p>\n", escape(text)) }
}

/// The order of the columns: in a summary, speed-ups follow the variant, so that a small screen shows them.
fn order(table: &Table) -> Vec<usize> {
    let mut order: Vec<usize> = (0..table.columns.len()).collect();
    if table.name == "summary" {
        let rank = |heading: &Column| LED.iter().position(|name| *name == heading.name).unwrap_or(LED.len());
        order.sort_by_key(|&column| rank(&table.columns[column]));
    }
    order
}

fn note(table: &Table) -> String {
    let cut = match table.rows.len() {
        rows if rows > ROWS => format!("The first {ROWS} of {rows} rows; all are in the CSV of the report."),
        _ => String::new(),
    };
    paragraph("note", format!("{} {cut}", table.note).trim())
}

fn heading(heading: &Column) -> String {
    let (name, title) = (escape(&heading.name), escape(&heading.title));
    let class = if heading.kind == Kind::Text { " class=\"name\"" } else { "" };
    format!("<th scope=\"col\" data-name=\"{name}\"{class}>{title}</th>")
}

fn cell(value: &Cell, kind: Kind) -> String {
    let shown = escape(&value.shown());
    match value {
        Cell::Empty if kind == Kind::Text => "<td class=\"name\"></td>".to_string(),
        Cell::Empty => "<td>-</td>".to_string(),
        Cell::TooFew => format!("<td>{shown}</td>"),
        Cell::Text(_) => format!("<td class=\"name\">{shown}</td>"),
        Cell::Number { value, .. } => format!("<td data-v=\"{}\">{shown}</td>", by(*value)),
        Cell::Interval { low, .. } => format!("<td data-v=\"{}\">{shown}</td>", by(*low)),
    }
}

/// The sort key of a number: six significant digits are enough.
pub(super) fn by(value: f64) -> f64 {
    format!("{value:.5e}").parse().unwrap_or(value)
}

/// The least factor of each strength of colour. Blue is above 1 and orange below, since many cannot tell red from
/// green. A ratio whose interval holds 1 has no colour.
const FROM: [f64; 4] = [1.0, 1.25, 2.0, 10.0];

fn class(factor: f64) -> String {
    let away = if factor < 1.0 { 1.0 / factor } else { factor };
    let strength = FROM.iter().filter(|least| away >= **least).count();
    format!("{}{strength}", if factor > 1.0 { "fast" } else { "slow" })
}

/// The matrix as a heat map. Colours only repeat its numbers and marks. Cells link to the section of their set.
pub(super) fn heat_map(matrix: &Table, groups: &[Group]) -> String {
    let columns: String = matrix.columns.iter().map(|heading| head_of(&heading.title, groups)).collect();
    let cells = |row: &Vec<Cell>| {
        let cells = row.iter().zip(&matrix.columns);
        cells.map(|(value, heading)| link(value, place(&heading.title, groups))).collect()
    };
    let title = escape(&matrix.title);
    format!(
        "<section id=\"matrix\">\n<h2>{title}</h2>\n{}<div class=\"sheet heat\">{}</div>\n{}{}</section>\n",
        paragraph("conclusion", &matrix.conclusion),
        grid(&title, &columns, matrix.rows.iter().map(cells)),
        key(),
        paragraph("note", &matrix.note)
    )
}

fn place(title: &str, groups: &[Group]) -> Option<usize> {
    groups.iter().position(|group| group.title() == title)
}

fn head_of(title: &str, groups: &[Group]) -> String {
    let name = escape(title);
    match place(title, groups).map(|index| &groups[index]) {
        None => format!("<th scope=\"col\" class=\"name\" data-name=\"{name}\">{name}</th>"),
        Some(group) => {
            let (set, goal) = (escape(&group.set), group.goal.name());
            format!("<th scope=\"col\" data-name=\"{name}\" data-of-set=\"{set}\" data-of-goal=\"{goal}\">{name}</th>")
        }
    }
}

fn link(value: &Cell, place: Option<usize>) -> String {
    let shown = value.shown();
    let linked = |text: &str| place.map_or(escape(text), |index| format!("<a href=\"#g{index}\">{}</a>", escape(text)));
    match value {
        Cell::Text(text) if place.is_none() => format!("<th scope=\"row\" class=\"name\">{}</th>", escape(text)),
        Cell::Text(text) => format!("<td class=\"bad\">{}</td>", linked(text)),
        Cell::Number { value, .. } => {
            let is_significant = shown.ends_with(FASTER) || shown.ends_with(SLOWER);
            let class = if is_significant { class(*value) } else { "even".to_string() };
            format!("<td class=\"{class}\" data-v=\"{}\">{}</td>", by(*value), linked(&shown))
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::Estimate;
    use crate::table::Subject;
    use c4lab_solver::search::Goal;

    fn shown(rows: &[(&str, Option<f64>)]) -> String {
        let subject = Subject { set: Some("a\"b".to_string()), goal: Some(Goal::Weak), apart: None };
        let ratio = |row: &(&str, Option<f64>)| row.1.map(|_| Estimate { value: 1.0, interval: Some((0.5, 2.0)) });
        let table = Table::new("example", subject, "A & B", "<i>")
            .over(rows)
            .text("variant", "variant", |row| row.0)
            .number("<time>", "ns", |_| "1.235 ms".to_string(), |row| row.1)
            .ratio("x", "x", ratio)
            .table;
        html(&table, "A & B", true)
    }

    #[test]
    fn cells_are_escaped_and_carry_what_they_are_sorted_by() {
        let html = shown(&[("<script>", Some(1_234_567.8)), ("b", None)]);
        assert!(html.contains("<td class=\"name\">&lt;script&gt;</td><td data-v=\"1234570\">1.235 ms</td>"), "{html}");
        assert!(html.contains("<td data-v=\"0.5\">") && html.contains("<td>-</td>"), "{html}");
        assert!(html.contains("data-set=\"a&quot;b\" data-goal=\"weak\"") && html.contains("&lt;i&gt;"));
        assert!(!html.contains("<script>") && !html.contains("<time>"));
    }

    #[test]
    fn a_long_table_is_cut() {
        assert_eq!(shown(&[("a", None); ROWS + 1]).matches("<tr>").count(), 1 + ROWS);
    }
}
