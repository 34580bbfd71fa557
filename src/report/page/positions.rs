//! The positions of a ground as a table: what each took every variant. The script makes it from the points, a page of rows at a time,
//! so a thousand positions of twelve variants cost no more than their numbers; without it the first few stand here.

use crate::page::points::fault;
use crate::plot::scatters::{first_pair, part, sampled};
use crate::plot::svg::escape;
use crate::results::{Ground, Observed, Outcome, Place, Series};
use crate::table::units::{three_digits, time};
use crate::tables::summary::Line;

/// Positions that are shown without the script.
const FIRST: usize = 10;

/// The table of the ground with this number.
pub(super) fn html(index: usize, ground: &Ground, lines: &[Line], most: usize) -> String {
    let (base, best) = first_pair(ground, lines).unwrap_or((0, 0));
    let columns: Vec<&Series> =
        if base == best { vec![&ground.columns[base]] } else { vec![&ground.columns[base], &ground.columns[best]] };
    let heads: String =
        columns.iter().map(|column| format!("<th scope=\"col\">{}</th>", escape(&column.variant))).collect();
    let kept = sampled(ground.places.len(), most);
    let rows: String = kept.iter().take(FIRST).map(|&place| row(&ground.places[place], place, &columns)).collect();
    let some = match kept.len() {
        count if count > FIRST => format!(" The first {FIRST} stand here; the script shows all {count}."),
        _ => String::new(),
    };
    format!(
        "<details class=\"positions\" data-ground=\"{index}\">\n<summary><h3>Positions</h3></summary>\n\
         <p class=\"note\">Times and nodes of each position; scores are those of the set.{}<span class=\"some\">{some}</span></p>\n\
         <div class=\"table\" tabindex=\"0\" role=\"region\" aria-label=\"Positions\"><table>\n<thead><tr><th scope=\"col\">line</th>\
         <th scope=\"col\">stones</th><th scope=\"col\" class=\"name\">moves</th><th scope=\"col\">score</th>{heads}</tr></thead>\n\
         <tbody>\n{rows}</tbody>\n</table></div>\n</details>\n",
        part(kept.len(), ground.places.len())
    )
}

fn row(place: &Place, index: usize, columns: &[&Series]) -> String {
    let moves = place.moves.as_deref().map_or("not published".to_string(), escape);
    let score = place.score.map_or("-".to_string(), |score| score.to_string());
    let cells: String =
        columns.iter().map(|column| format!("<td>{}</td>", took(column.cells[index].as_ref()))).collect();
    format!(
        "<tr><td>{}</td><td>{}</td><td class=\"name\">{moves}</td><td>{score}</td>{cells}</tr>\n",
        place.position_id, place.ply
    )
}

/// What a position took: a failure is never a time.
fn took(cell: Option<&Observed>) -> String {
    let Some(cell) = cell else { return "-".to_string() };
    let nodes = cell.nodes.map_or(String::new(), |nodes| format!(", {} nodes", three_digits(nodes)));
    match (cell.outcome, cell.ns()) {
        (Outcome::Wrong | Outcome::Failed, _) => fault(cell).unwrap_or_default().to_string(),
        (Outcome::Limited, Some(ns)) => format!("limit, counts as {}", time(ns)),
        (_, Some(ns)) => format!("{}{nodes}", time(ns)),
        (_, None) => "-".to_string(),
    }
}
