//! Findings as tables: claims with their verdicts, and statements apart from them.

use crate::claims::claim::{ClaimUnit, Kind};
use crate::claims::effect;
use crate::claims::table::ClaimRow;
use crate::claims::verdict::Verdict;
use crate::extras;
use crate::table::text::paragraph;
use crate::table::units::three_digits;
use crate::table::{Cell, Column, Subject, Table};

#[derive(Clone, Copy, PartialEq, Eq)]
struct ClaimTable {
    kind: Kind,
    /// Whether the source's own table has the same ratio.
    own_table: bool,
    is_statement: bool,
}

impl ClaimTable {
    fn of(row: &ClaimRow) -> ClaimTable {
        let is_statement = row.verdict == Verdict::Statement;
        ClaimTable { kind: row.kind, own_table: row.own_table.is_some(), is_statement }
    }

    /// All parts, in the order of tables: kinds of extras behind the laboratory's, statements behind all claims.
    fn all(rows: &[ClaimRow]) -> impl Iterator<Item = ClaimTable> {
        let mut kinds = Kind::ALL.to_vec();
        for row in rows {
            if !kinds.contains(&row.kind) {
                kinds.push(row.kind);
            }
        }
        let of = move |is_statement: bool| {
            let kinds = kinds.clone().into_iter().flat_map(|kind| [(kind, false), (kind, true)]);
            kinds.map(move |(kind, own_table)| ClaimTable { kind, own_table, is_statement })
        };
        of(false).chain(of(true))
    }

    fn title(self) -> String {
        let title = match self.kind {
            Kind::NodeMean => "Mean number of nodes",
            Kind::NodeRatio => "Times fewer nodes than the base",
            Kind::TimeRatio => "Times less time than the base",
            Kind::NodeTimeRatio => "Times less time for a node than the base",
            Kind::Instructions => "Instructions",
            Kind::Rate => "Win checks a second",
            Kind::MeanTime => "Mean time",
            Kind::Speed => "Nodes a second, in thousands",
            Kind::SolvedFrom => "Stones from which on all is solved within the limits",
            Kind::SolvedRatio => "Times more positions solved within the limits than the base",
            Kind::Told => "Figures that nothing here measures",
            Kind::Extra(name) => extras::claim_kind(name).map_or(name, |kind| kind.title()),
        };
        let sentences = if self.own_table { ": sentences about whole steps" } else { "" };
        let statements = if self.is_statement { "Statements, which nothing could fail: " } else { "" };
        format!("{statements}{title}{sentences}")
    }

    fn empty(self) -> Table {
        let first = if self.is_statement { "statement" } else { "claim" };
        let mut columns = vec![Column::text(first, "claim"), Column::number("published", "published")];
        if self.own_table {
            columns.push(Column::number("its own table", "own_table"));
        }
        columns.extend([Column::number("measured", "measured"), Column::number("95 % interval", "interval")]);
        if self.has_effects() {
            columns.push(Column::number("effect", "effect"));
        }
        columns.extend([Column::number("n", "positions"), Column::text("on", "set")]);
        if !self.is_statement {
            columns.extend([Column::text("verdict", "verdict"), Column::text("why", "why")]);
        }
        columns.push(Column::text("notes", "notes"));
        Table {
            name: "claims",
            subject: Subject::default(),
            title: self.title(),
            note: String::new(),
            conclusion: String::new(),
            columns,
            rows: Vec::new(),
        }
    }

    /// Whether its numbers are ratios, whose effects are compared.
    fn has_effects(self) -> bool {
        !self.is_statement && (self.kind.is_ratio() || self.kind == Kind::Instructions)
    }

    fn cells(self, row: &ClaimRow, notes: Vec<String>) -> Vec<Cell> {
        let mut cells = vec![Cell::text(&row.claim), Cell::text(&row.published)];
        if let Some(value) = row.own_table {
            let holds = match row.own_table_holds {
                _ if self.is_statement => "",
                Some(true) => " yes",
                _ => " no",
            };
            cells.push(Cell::number(Some(value), |value| format!("{}{holds}", ClaimUnit::Times.shown(value))));
        }
        cells.extend([Cell::number(row.measured, |value| shown(row, value)), interval(row)]);
        if self.has_effects() {
            cells.push(effect_of(row));
        }
        cells
            .extend([row.positions.map_or(Cell::Empty, Cell::count), row.set.as_ref().map_or(Cell::Empty, Cell::text)]);
        if !self.is_statement {
            cells.extend([Cell::text(row.verdict.word()), Cell::text(&row.why)]);
        }
        cells.push(Cell::text(notes.join(" ")));
        cells
    }
}

/// A measured number, in the unit and with the digits of the published one.
fn shown(row: &ClaimRow, value: f64) -> String {
    match row.kind.unit(row.base.is_some()) {
        ClaimUnit::Nodes => ClaimUnit::nodes(value, ClaimUnit::decimals(&row.published)),
        unit => unit.shown(value),
    }
}

fn interval(row: &ClaimRow) -> Cell {
    match row.measured_low.zip(row.measured_high) {
        Some((low, high)) if low < high => Cell::text(format!("{} to {}", three_digits(low), three_digits(high))),
        Some(_) if row.interval_over.as_deref() == Some("exact") => Cell::text("exact"),
        _ => Cell::Empty,
    }
}

/// The share of the published effect, with its interval: `0.62 (0.41 to 0.70)`.
fn effect_of(row: &ClaimRow) -> Cell {
    let ends = row.effect_low.zip(row.effect_high).filter(|(low, high)| low < high);
    let ends =
        ends.map_or(String::new(), |(low, high)| format!(" ({} to {})", effect::shown(low), effect::shown(high)));
    Cell::number(row.effect, |effect| format!("{}{ends}", effect::shown(effect)))
}

/// The tables, one for each kind of claim, and the conditions that their last column numbers.
pub fn sheets(rows: &[ClaimRow]) -> (Vec<Table>, Vec<String>) {
    let mut conditions: Vec<String> = Vec::new();
    let mut number = |condition: &str| {
        let known = conditions.iter().position(|known| known == condition);
        let index = known.unwrap_or_else(|| {
            conditions.push(condition.to_string());
            conditions.len() - 1
        });
        (index + 1).to_string()
    };
    let sheets = ClaimTable::all(rows).filter_map(|part| {
        let of = rows.iter().filter(|row| ClaimTable::of(row) == part);
        let rows: Vec<_> = of.map(|row| part.cells(row, row.conditions().map(&mut number).collect())).collect();
        (!rows.is_empty()).then(|| Table { rows, ..part.empty() })
    });
    (sheets.collect(), conditions)
}

/// How many claims there are of each verdict, and how many statements: `12 claims: 9 reproduced, 3 undecided; 1 statement`.
pub fn count(rows: &[ClaimRow]) -> String {
    let words = Verdict::ALL.into_iter().filter(|verdict| *verdict != Verdict::Statement).filter_map(|verdict| {
        let count = rows.iter().filter(|row| row.verdict == verdict).count();
        (count > 0).then(|| format!("{count} {verdict}"))
    });
    let words: Vec<String> = words.collect();
    let statements = rows.iter().filter(|row| row.verdict == Verdict::Statement).count();
    let many = |count: usize, what: &str| format!("{count} {what}{}", if count == 1 { "" } else { "s" });
    // One word holds a comma.
    let claims = format!("{}: {}", many(rows.len() - statements, "claim"), words.join("; "));
    match (words.is_empty(), statements) {
        (true, _) => many(statements, "statement"),
        (false, 0) => claims,
        (false, _) => format!("{claims}; and {}", many(statements, "statement")),
    }
}

fn numbered(conditions: &[String]) -> String {
    conditions.iter().enumerate().map(|(index, condition)| format!("{}. {condition}\n", index + 1)).collect()
}

pub fn terminal(rows: &[ClaimRow], width: Option<usize>) -> String {
    let (sheets, conditions) = sheets(rows);
    let tables: String = sheets.iter().map(|sheet| format!("{}\n", sheet.terminal(width))).collect();
    tables + &paragraph(&format!("Notes\n{}\n{}\n", numbered(&conditions), count(rows)), width)
}

pub fn markdown(rows: &[ClaimRow]) -> String {
    let (sheets, conditions) = sheets(rows);
    let tables: String = sheets.iter().map(|sheet| format!("{}\n", sheet.markdown())).collect();
    format!("{}.\n\n{tables}Notes:\n\n{}", count(rows), numbered(&conditions))
}

/// What each claim says, where it stands and what became of it, a paragraph each.
pub fn paragraphs(rows: &[ClaimRow]) -> String {
    let paragraph = |row: &ClaimRow| {
        let conditions: String = row.conditions().map(|condition| format!("  - {condition}\n")).collect();
        format!(
            "{}: {}\n  {}\n  published {}{}: {}{}\n{conditions}",
            row.claim,
            row.statement,
            row.source,
            row.published,
            counts_as_reproduced(row),
            row.verdict,
            if row.why.is_empty() { String::new() } else { format!(", {}", row.why) }
        )
    };
    rows.iter().map(paragraph).collect::<Vec<_>>().join("\n")
}

fn counts_as_reproduced(row: &ClaimRow) -> String {
    let end = |value: f64| shown(row, value);
    match (row.published_low.filter(|low| *low > 0.0), row.published_high) {
        (Some(low), Some(high)) => format!(" (reproduced from {} to {})", end(low), end(high)),
        (Some(low), None) => format!(" (reproduced from {})", end(low)),
        (None, Some(high)) => format!(" (reproduced up to {})", end(high)),
        (None, None) => String::new(),
    }
}
