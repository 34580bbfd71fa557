//! Sizes: the bytes of a store in every form, by stones; the saving of each form; and the claims about them.

use crate::form::{Store, StoreForm};
use crate::strategy::Strategy;
use anyhow::{Context, Result, bail};
use c4lab_measure::files::build_info::git_rev;
use c4lab_measure::files::rows::{self, Row as _};
use c4lab_measure::text::unknown;
use c4lab_report::claims::claim::{Claim, Unit};
use c4lab_report::claims::finding::Finding;
use c4lab_report::claims::verdict::{Measured, Verdict};
use c4lab_report::extras::{ClaimKind, RowKind};
use c4lab_report::table::units::{three_digits, times, whole};
use c4lab_report::table::{Subject, Table};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::path::Path;

pub const SCHEMA_VERSION: u32 = 1;

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Row {
    pub schema_version: u32,
    pub board: String,
    pub seats: String,
    pub stones: u32,
    pub form: String,
    pub bytes: u64,
    pub packed: u64,
    pub git_rev: Option<String>,
}

c4lab_measure::row!(Row, "sizes.csv", SCHEMA_VERSION);

pub static ROWS: RowKind = RowKind {
    name: "sizes",
    file: Row::FILE,
    tables: |folder| {
        let rows: Vec<Row> = rows::read(folder)?;
        Ok(vec![sheet(&rows), steps(&rows)])
    },
};

impl Row {
    pub fn of(strategies: &[Strategy], stones: u32, form: StoreForm) -> Result<Self> {
        let store = Store::of(strategies, stones, form)?;
        let seats: Vec<String> = strategies.iter().map(|strategy| strategy.seat().to_string()).collect();
        Ok(Row {
            schema_version: SCHEMA_VERSION,
            board: store.size.to_string(),
            seats: seats.join(" "),
            stones,
            form: form.name().to_string(),
            bytes: store.bytes.iter().flatten().map(|bytes| bytes.len() as u64).sum(),
            packed: store.pack()?.len() as u64,
            git_rev: git_rev(),
        })
    }
}

/// The bytes of a store in `form` for boards with fewer than `stones` stones, before and after packing.
fn size(rows: &[Row], form: StoreForm, stones: u32) -> Option<(u64, u64)> {
    let row = rows.iter().find(|row| row.form == form.name() && row.stones == stones)?;
    Some((row.bytes, row.packed))
}

/// The most stones up to which both forms have rows.
fn common(rows: &[Row], one: StoreForm, other: StoreForm) -> Option<u32> {
    let most = |form: StoreForm| rows.iter().filter(|row| row.form == form.name()).map(|row| row.stones).max();
    Some(most(one)?.min(most(other)?))
}

/// The most stones for which `form` takes at most `bytes`. The flag is true if a row shows that one step more takes more
/// bytes; otherwise nobody has tried.
fn reach(rows: &[Row], form: StoreForm, bytes: u64) -> Option<(u32, bool)> {
    let mut sizes: Vec<(u32, u64)> =
        rows.iter().filter(|row| row.form == form.name()).map(|row| (row.stones, row.bytes)).collect();
    sizes.sort_unstable();
    let fitting = sizes.iter().take_while(|(_, size)| *size <= bytes).count();
    let (last, _) = sizes.get(fitting.checked_sub(1)?)?;
    Some((*last, fitting < sizes.len()))
}

pub fn sheet(rows: &[Row]) -> Table {
    let stones: BTreeSet<u32> = rows.iter().map(|row| row.stones).collect();
    let stones: Vec<u32> = stones.into_iter().collect();
    let players = rows.first().map_or(String::new(), |row| row.seats.replace(' ', " and "));
    let title = format!("Bytes of a store for {players}, on boards with fewer stones than in the first column");
    let table = Table::new("sizes", Subject::default(), title, "Before packing with gzip.");
    let mut table = table.over(&stones).count("stones", "stones", |stones| *stones as usize);
    for form in StoreForm::ALL {
        table = table.number(form.name(), form.name(), whole, |stones| Some(size(rows, form, *stones)?.0 as f64));
    }
    table.table
}

/// A row for each form beside the one before it: the ratio of their bytes, for the most stones that both have.
pub fn steps(rows: &[Row]) -> Table {
    let step = |pair: &[StoreForm]| {
        let stones = common(rows, pair[0], pair[1])?;
        Some((pair[1], stones, size(rows, pair[0], stones)?, size(rows, pair[1], stones)?))
    };
    let steps: Vec<_> = StoreForm::ALL.windows(2).filter_map(step).collect();
    let title = "The saving of each form beside the one before it";
    let note = "For the most stones that both forms have. Packed: the ratio of bytes after packing with gzip.";
    Table::new("size-steps", Subject::default(), title, note)
        .over(&steps)
        .text("form", "form", |(form, ..)| form.name())
        .text("contents", "about", |(form, ..)| form.about())
        .count("stones", "stones", |(_, stones, ..)| *stones as usize)
        .number("bytes before", "bytes_before", whole, |(_, _, before, _)| Some(before.0 as f64))
        .number("bytes", "bytes", whole, |(_, _, _, bytes)| Some(bytes.0 as f64))
        .number("times fewer", "ratio", times, |(_, _, before, bytes)| Some(before.0 as f64 / bytes.0 as f64))
        .number("packed", "packed_ratio", times, |(_, _, before, bytes)| Some(before.1 as f64 / bytes.1 as f64))
        .table
}

/// A claim about the most stones to which the variant reaches in its parameter `bytes`.
pub static REACH: ClaimKind = ClaimKind {
    name: "bytes-reach",
    title: "Stones to which a store reaches in its bytes",
    unit: Unit::Stones,
    figure: three_digits,
    claims: |entry| {
        bytes_of(&entry).context("a bytes-reach needs parameters = { bytes = N }")?;
        of_known_forms(entry)
    },
    judge: |claim, folder| judged(claim, folder, judge_reach),
};

/// A claim about the bytes of the base divided by those of the variant.
pub static RATIO: ClaimKind = ClaimKind {
    name: "bytes-ratio",
    title: "Times fewer bytes than the base",
    unit: Unit::Times,
    figure: three_digits,
    claims: |entry| {
        entry.base.as_ref().context("a bytes-ratio needs a base")?;
        of_known_forms(entry)
    },
    judge: |claim, folder| judged(claim, folder, judge_ratio),
};

fn bytes_of(claim: &Claim) -> Option<u64> {
    claim.parameters.get("bytes")?.as_integer()?.try_into().ok()
}

fn of_known_forms(entry: Claim) -> Result<Vec<Claim>> {
    for name in entry.base.iter().chain([&entry.variant]) {
        if StoreForm::parse(name).is_none() {
            bail!(unknown("form", name, StoreForm::ALL.iter().map(|form| form.name())));
        }
    }
    Ok(vec![entry])
}

fn judged(claim: &Claim, folder: &Path, judge: fn(&Claim, &[Row]) -> Result<Finding>) -> Finding {
    let finding = rows::read_any(folder).and_then(|rows| judge(claim, &rows));
    finding.unwrap_or_else(|error| Finding::untested(claim, Verdict::NotTested, format!("{error:#}")))
}

const NO_SIZES: &str = "no sizes of stores: `c4lab store sizes`";

fn judge_reach(claim: &Claim, rows: &[Row]) -> Result<Finding> {
    let variant = StoreForm::parse(&claim.variant).context("no such form")?;
    let reach = bytes_of(claim).and_then(|bytes| reach(rows, variant, bytes));
    let (stones, has_more) = reach.context(NO_SIZES)?;
    if !has_more && f64::from(stones) < claim.published.range.0 {
        bail!("no sizes beyond {stones} stones, where the store still fits");
    }
    Ok(Finding::of(claim, Measured::exact(f64::from(stones))))
}

fn judge_ratio(claim: &Claim, rows: &[Row]) -> Result<Finding> {
    let forms = StoreForm::parse(&claim.variant).zip(claim.base.as_deref().and_then(StoreForm::parse));
    let (variant, base) = forms.context("no such form")?;
    let stones = common(rows, base, variant).context(NO_SIZES)?;
    let bytes = |form| size(rows, form, stones).with_context(|| format!("no sizes to {stones} stones"));
    let finding = Finding::of(claim, Measured::exact(bytes(base)?.0 as f64 / bytes(variant)?.0 as f64));
    Ok(finding.noting(&format!("stores for boards with fewer than {stones} stones")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use c4lab_report::claims::claim;
    use c4lab_report::extras::{self, Extras};

    fn row(form: StoreForm, stones: u32, bytes: u64) -> Row {
        Row { stones, form: form.name().to_string(), bytes, packed: bytes / 2, ..Row::default() }
    }

    #[test]
    fn forms_are_held_against_the_one_before_where_both_are() {
        let rows = [
            row(StoreForm::Dictionary, 2, 100),
            row(StoreForm::Dictionary, 3, 400),
            row(StoreForm::SevenSets, 2, 50),
            row(StoreForm::SevenSets, 3, 100),
            row(StoreForm::SevenSets, 4, 1000),
        ];
        let steps = steps(&rows);
        assert_eq!(steps.rows.len(), 1, "nothing is there of the other forms");
        assert_eq!(steps.shown()[0][2..6], ["3", "400", "100", "4.00x"]);
        let sizes = sheet(&rows).shown();
        assert_eq!((sizes.len(), &sizes[2][..3]), (3, &["4".to_string(), "-".to_string(), "1,000".to_string()][..]));
        assert_eq!(reach(&rows, StoreForm::SevenSets, 100), Some((3, true)));
        assert_eq!(reach(&rows, StoreForm::SevenSets, 9999), Some((4, false)), "nobody tried more");
        assert_eq!(reach(&rows, StoreForm::SevenSets, 9), None);
        assert_eq!(reach(&rows, StoreForm::Tree, 100), None);
    }

    /// Claims are judged by rows of sizes. A claim about more stones than the rows have is not tested.
    #[test]
    fn bytes_of_stores_are_counted() {
        let mut kinds = Extras::default();
        crate::register(&mut kinds);
        extras::register(kinds);
        let claim = |rest: &str| {
            let text = format!("source = 's'\n[[claims]]\nid = \"c\"\nstatement = \"x\"\n{rest}\n");
            claim::parse("c.toml", &text).map(|claims| claims[0].clone())
        };
        let sizes =
            [row(StoreForm::Dictionary, 9, 900), row(StoreForm::SevenSets, 9, 300), row(StoreForm::SevenSets, 10, 700)];
        let value = |judge: fn(&Claim, &[Row]) -> Result<Finding>, rest: &str| {
            judge(&claim(rest).unwrap(), &sizes).ok().map(|finding| (finding.verdict, finding.measured))
        };
        let ratio = "kind = \"bytes-ratio\"\nfrom = 1.0\nbase = \"dictionary\"\nvariant = \"sets\"";
        assert_eq!(value(judge_ratio, ratio), Some((Verdict::Reproduced, Some(3.0))));
        assert_eq!(value(judge_ratio, &ratio.replace("\"sets\"", "\"tree\"")), None);
        assert!(claim(&ratio.replace("\"sets\"", "\"sest\"")).is_err());
        let reach = "kind = \"bytes-reach\"\nfrom = 10\nvariant = \"sets\"\n";
        let of = |bytes: u32| format!("{reach}parameters = {{ bytes = {bytes} }}");
        assert_eq!(value(judge_reach, &of(500)), Some((Verdict::OtherNumber, Some(9.0))));
        assert_eq!(value(judge_reach, &of(700)), Some((Verdict::Reproduced, Some(10.0))));
        assert_eq!(value(judge_reach, &of(700).replace("10", "11")), None, "more may fit");
        assert!(claim(reach).is_err());
        assert!(claim::embedded().unwrap().iter().any(|claim| claim.kind.name() == "bytes-reach"));
    }
}
