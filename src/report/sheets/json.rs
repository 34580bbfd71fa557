//! Sheets as JSON, for programs: docs/FORMAT.md, "Tables as JSON".

use crate::sheets::sheet::{Heading, HeadingKind, Sheet, Value};
use anyhow::Result;
use serde::Serialize;
use serde_json::{Map, Number, Value as Json};

/// The version of the shape below.
const SCHEMA_VERSION: u32 = 1;

/// What is printed: tables, and what is said of all of them.
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

/// Sheets as one text of JSON, and what is said of all of them.
pub fn sheets(sheets: &[Sheet], note: Option<String>) -> Result<String> {
    text(sheets.iter().map(table).collect(), note)
}

/// Rows of another kind under the name of their table: objects as they serialise.
pub fn rows(name: &str, rows: &[impl Serialize]) -> Result<String> {
    text(vec![serde_json::json!({ "name": name, "rows": rows })], None)
}

fn text(tables: Vec<impl Serialize>, note: Option<String>) -> Result<String> {
    Ok(serde_json::to_string_pretty(&JsonTables { schema_version: SCHEMA_VERSION, tables, note })? + "\n")
}

fn table(sheet: &Sheet) -> JsonTable<'_> {
    let row = |row: &Vec<Value>| {
        let cells = row.iter().zip(&sheet.headings);
        cells.map(|(value, heading)| (key(heading), json(value))).collect()
    };
    JsonTable {
        name: sheet.name,
        title: &sheet.title,
        set: sheet.subject.set.as_deref(),
        goal: sheet.subject.goal.map(|goal| goal.name()),
        apart: sheet.subject.apart.as_deref(),
        note: &sheet.note,
        conclusion: &sheet.conclusion,
        columns: sheet.headings.iter().map(column).collect(),
        rows: sheet.rows.iter().map(row).collect(),
    }
}

fn column(heading: &Heading) -> JsonColumn<'_> {
    let kind = match heading.kind {
        HeadingKind::Text => "text",
        HeadingKind::Number => "number",
        HeadingKind::Interval => "interval",
    };
    let unit = if heading.kind == HeadingKind::Number { unit(&heading.name) } else { None };
    JsonColumn { name: key(heading), title: &heading.title, kind, unit }
}

/// The key of a column: an interval stands beside a number of the same name.
fn key(heading: &Heading) -> String {
    match heading.kind {
        HeadingKind::Interval => format!("{}_interval", heading.name),
        _ => heading.name.clone(),
    }
}

/// The unit that the name of a column ends with; ratios, shares and counts have none.
fn unit(name: &str) -> Option<&'static str> {
    let units = [("nodes_per_s", "nodes/s"), ("ns", "ns"), ("bytes", "bytes"), ("nodes", "nodes")];
    let ends =
        |(end, _): &&(&str, &str)| name == *end || name.strip_suffix(end).is_some_and(|rest| rest.ends_with('_'));
    units.iter().find(ends).map(|(_, unit)| *unit)
}

fn json(value: &Value) -> Json {
    match value {
        Value::Empty => Json::Null,
        Value::TooFew => Json::from("too few"),
        Value::Text(text) => Json::from(text.as_str()),
        Value::Number { value, .. } => number(*value),
        Value::Interval { low, high } => Json::from(vec![number(*low), number(*high)]),
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
    use crate::sheets::sheet::Subject;
    use crate::sheets::units::{three_digits, time, times};
    use c4lab_solver::search::Goal;

    fn example() -> Sheet {
        Sheet {
            name: "summary",
            subject: Subject { set: Some("end-easy".to_string()), goal: Some(Goal::Strong), apart: None },
            title: "end-easy, strong".to_string(),
            note: "How it is read.".to_string(),
            conclusion: "What it says.".to_string(),
            headings: vec![
                Heading::text("variant", "variant"),
                Heading::number("mean time", "mean_ns"),
                Heading::number("speed-up", "speedup"),
                Heading::interval("speedup"),
            ],
            rows: vec![
                vec![
                    Value::text("pons-12"),
                    Value::number(Some(1250.5), time),
                    Value::number(Some(2.0), times),
                    Value::interval(Some((1.75, 2.25))),
                ],
                vec![Value::text("mine"), Value::Empty, Value::number(Some(0.5), times), Value::TooFew],
            ],
        }
    }

    /// The example of docs/FORMAT.md is what is printed.
    #[test]
    fn the_example_of_the_documents_is_printed() {
        let text = sheets(&[example()], Some("Intervals of 95 %: 1.".to_string())).unwrap();
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
        let of = |value: f64| json(&Value::number(Some(value), three_digits)).to_string();
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
