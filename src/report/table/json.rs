//! Tables as JSON, for programs: docs/FORMAT.md, "Tables as JSON".

use crate::table::{Cell, Column, Kind, Table};
use anyhow::Result;
use serde::Serialize;
use serde_json::{Map, Value, json};

const SCHEMA_VERSION: u32 = 1;

pub fn tables(tables: &[Table], note: Option<String>) -> Result<String> {
    text(tables.iter().map(table).collect(), note)
}

/// Rows of any type as serialised objects, under the name of their table.
pub fn rows(name: &str, rows: &[impl Serialize]) -> Result<String> {
    text(vec![json!({ "name": name, "rows": rows })], None)
}

fn text(tables: Vec<Value>, note: Option<String>) -> Result<String> {
    let all = json!({ "schema_version": SCHEMA_VERSION, "tables": tables, "note": note });
    Ok(serde_json::to_string_pretty(&all)? + "\n")
}

fn table(table: &Table) -> Value {
    let row = |row: &Vec<Cell>| -> Map<String, Value> {
        row.iter().zip(&table.columns).map(|(cell, column)| (key(column), value(cell))).collect()
    };
    json!({
        "name": table.name,
        "title": table.title,
        "set": table.subject.set,
        "goal": table.subject.goal.map(|goal| goal.name()),
        "apart": table.subject.apart,
        "note": table.note,
        "conclusion": table.conclusion,
        "columns": table.columns.iter().map(column).collect::<Vec<_>>(),
        "rows": table.rows.iter().map(row).collect::<Vec<_>>(),
    })
}

fn column(column: &Column) -> Value {
    let (kind, unit) = match column.kind {
        Kind::Text => ("text", None),
        Kind::Number => ("number", unit(&column.name)),
        Kind::Interval => ("interval", None),
    };
    json!({ "name": key(column), "title": column.title, "kind": kind, "unit": unit })
}

/// The key of a column. An interval has a suffix, since a number has the same name.
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

fn value(cell: &Cell) -> Value {
    match cell {
        Cell::Empty => Value::Null,
        Cell::TooFew => Value::from("too few"),
        Cell::Text(text) => Value::from(text.as_str()),
        Cell::Number { value, .. } => number(*value),
        Cell::Interval { low, high } => json!([number(*low), number(*high)]),
    }
}

/// A number, without a decimal point if it is whole. NaN and infinity are null.
fn number(value: f64) -> Value {
    const EXACT: f64 = 9_007_199_254_740_992.0;
    if value.fract() == 0.0 && value.abs() < EXACT { Value::from(value as i64) } else { Value::from(value) }
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

    #[test]
    fn the_example_of_the_documents_is_printed() {
        let text = tables(&[example()], Some("Intervals of 95 %: 1.".to_string())).unwrap();
        let parsed: Value = serde_json::from_str(&text).unwrap();
        let document = include_str!("../../../docs/FORMAT.md");
        let (_, rest) = document.split_once("```json\n").expect("an example");
        let (shown, _) = rest.split_once("```").expect("its end");
        assert_eq!(serde_json::from_str::<Value>(shown).unwrap(), parsed, "{text}");
    }

    #[test]
    fn numbers_stay_numbers_and_their_unit_is_the_end_of_a_name() {
        let of = |value: f64| super::value(&Cell::number(Some(value), three_digits)).to_string();
        assert_eq!([3.0, -0.25, 1e18, f64::NAN, f64::INFINITY].map(of), ["3", "-0.25", "1e+18", "null", "null"]);
        let names = ["mean_ns", "ns", "columns", "mean_nodes", "nodes_per_s", "node_ratio", "tt_bytes"];
        let units = ["ns", "ns", "-", "nodes", "nodes/s", "-", "bytes"];
        assert_eq!(names.map(|name| unit(name).unwrap_or("-")), units);
    }
}
