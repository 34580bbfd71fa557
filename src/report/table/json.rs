//! Tables as JSON, for programs: docs/FORMAT.md, "Tables as JSON".

use crate::table::{Cell, Column, Kind, Table};
use anyhow::Result;
use serde::Serialize;
use serde_json::{Map, Number, Value as Json};

const SCHEMA_VERSION: u32 = 1;

#[derive(Serialize)]
struct JsonTables<T> {
    schema_version: u32,
    tables: Vec<T>,
    note: Option<String>,
}

#[derive(Serialize)]
struct JsonTable<'a> {
    name: &'a str,
    title: &'a str,
    set: Option<&'a str>,
    goal: Option<&'a str>,
    apart: Option<&'a str>,
    note: &'a str,
    conclusion: &'a str,
    columns: Vec<JsonColumn<'a>>,
    rows: Vec<Map<String, Json>>,
}

#[derive(Serialize)]
struct JsonColumn<'a> {
    name: String,
    title: &'a str,
    kind: &'a str,
    unit: Option<&'a str>,
}

/// Tables as one text of JSON, with a note on all of them.
pub fn tables(tables: &[Table], note: Option<String>) -> Result<String> {
    text(tables.iter().map(table).collect(), note)
}

/// Rows of another kind under the name of their table: objects as they serialise.
pub fn rows(name: &str, rows: &[impl Serialize]) -> Result<String> {
    text(vec![serde_json::json!({ "name": name, "rows": rows })], None)
}

fn text(tables: Vec<impl Serialize>, note: Option<String>) -> Result<String> {
    Ok(serde_json::to_string_pretty(&JsonTables { schema_version: SCHEMA_VERSION, tables, note })? + "\n")
}

fn table(table: &Table) -> JsonTable<'_> {
    let row = |row: &Vec<Cell>| {
        let cells = row.iter().zip(&table.columns);
        cells.map(|(cell, column)| (key(column), json(cell))).collect()
    };
    JsonTable {
        name: table.name,
        title: &table.title,
        set: table.subject.set.as_deref(),
        goal: table.subject.goal.map(|goal| goal.name()),
        apart: table.subject.apart.as_deref(),
        note: &table.note,
        conclusion: &table.conclusion,
        columns: table.columns.iter().map(column).collect(),
        rows: table.rows.iter().map(row).collect(),
    }
}

fn column(column: &Column) -> JsonColumn<'_> {
    let kind = match column.kind {
        Kind::Text => "text",
        Kind::Number => "number",
        Kind::Interval => "interval",
    };
    let unit = if column.kind == Kind::Number { unit(&column.name) } else { None };
    JsonColumn { name: key(column), title: &column.title, kind, unit }
}

/// The key of a column: an interval stands beside a number of the same name.
fn key(column: &Column) -> String {
    match column.kind {
        Kind::Interval => format!("{}_interval", column.name),
        _ => column.name.clone(),
    }
}

/// The unit that the name of a column ends with; ratios, shares and counts have none.
fn unit(name: &str) -> Option<&'static str> {
    let units = [("nodes_per_s", "nodes/s"), ("ns", "ns"), ("bytes", "bytes"), ("nodes", "nodes")];
    let ends =
        |(end, _): &&(&str, &str)| name == *end || name.strip_suffix(end).is_some_and(|rest| rest.ends_with('_'));
    units.iter().find(ends).map(|(_, unit)| *unit)
}

fn json(cell: &Cell) -> Json {
    match cell {
        Cell::Empty => Json::Null,
        Cell::TooFew => Json::from("too few"),
        Cell::Text(text) => Json::from(text.as_str()),
        Cell::Number { value, .. } => number(*value),
        Cell::Interval { low, high } => Json::from(vec![number(*low), number(*high)]),
    }
}

/// A number, without a point where it is whole; what is no number of JSON is null.
fn number(value: f64) -> Json {
    const EXACT: f64 = 9_007_199_254_740_992.0;
    if value.fract() == 0.0 && value.abs() < EXACT {
        Json::from(value as i64)
    } else {
        Number::from_f64(value).map_or(Json::Null, Json::Number)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::Estimate;
    use crate::table::Subject;
    use crate::table::units::{three_digits, time};
    use c4lab_solver::search::Goal;

    fn example() -> Table {
        let subject = Subject { set: Some("end-easy".to_string()), goal: Some(Goal::Strong), apart: None };
        let rows = [
            ("pons-12", Some(1250.5), Estimate { value: 2.0, interval: Some((1.75, 2.25)) }),
            ("mine", None, Estimate { value: 0.5, interval: None }),
        ];
        Table::new("summary", subject, "end-easy, strong", "How it is read.")
            .over(&rows)
            .text("variant", "variant", |row| row.0)
            .number("mean time", "mean_ns", time, |row| row.1)
            .ratio("speed-up", "speedup", |row| Some(row.2))
            .table
            .concluding("What it says.")
    }

    /// The example of docs/FORMAT.md is what is printed.
    #[test]
    fn the_example_of_the_documents_is_printed() {
        let text = tables(&[example()], Some("Intervals of 95 %: 1.".to_string())).unwrap();
        let parsed: Json = serde_json::from_str(&text).unwrap();
        assert_eq!(parsed["tables"][0]["rows"][0]["speedup_interval"], serde_json::json!([1.75, 2.25]));
        assert_eq!(parsed["tables"][0]["rows"][1]["speedup_interval"], "too few");
        assert!(parsed["tables"][0]["rows"][1]["mean_ns"].is_null());
        let document = include_str!("../../../docs/FORMAT.md");
        let (_, rest) = document.split_once("```json\n").expect("an example");
        let (shown, _) = rest.split_once("```").expect("its end");
        assert_eq!(serde_json::from_str::<Json>(shown).unwrap(), parsed, "{text}");
    }

    #[test]
    fn numbers_stay_numbers() {
        let of = |value: f64| json(&Cell::number(Some(value), three_digits)).to_string();
        assert_eq!([3.0, -0.25, 1e18, f64::NAN, f64::INFINITY].map(of), ["3", "-0.25", "1e+18", "null", "null"]);
    }

    #[test]
    fn a_unit_is_the_end_of_a_name() {
        let names = ["mean_ns", "ns", "columns", "mean_nodes", "nodes_per_s", "node_ratio", "tt_bytes"];
        assert_eq!(
            names.map(unit),
            [Some("ns"), Some("ns"), None, Some("nodes"), Some("nodes/s"), None, Some("bytes")]
        );
    }
}
