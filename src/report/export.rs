//! Narrow samples: rows of numbers alone, and beside them tables of what the numbers stand for. A million rows of
//! them take less than a hundred megabytes where they are read (docs/FORMAT.md, "Narrow samples").

use anyhow::{Context, Result, bail};
use c4lab_measure::files::atomic;
use c4lab_measure::files::folder::Rows;
use c4lab_measure::files::sample::{Sample, Status};
use c4lab_solver::search::Goal;
use std::collections::{BTreeMap, HashMap};
use std::path::Path;
use std::time::SystemTime;

/// The columns of `rows.csv`, each with the type that is wide enough for it, as pandas calls it. What may be missing has a
/// type with a capital letter.
pub const COLUMNS: [(&str, &str); 16] = [
    ("position", "uint32"),
    ("variant", "uint16"),
    ("run", "uint16"),
    ("goal", "uint8"),
    ("repetition", "uint16"),
    ("batch", "Int32"),
    ("turn", "uint16"),
    ("status", "uint8"),
    ("score", "Int8"),
    ("nodes", "Int64"),
    ("wall_ns", "Int64"),
    ("cpu_ns", "Int64"),
    ("engine_nodes", "Int64"),
    ("engine_ns", "Int64"),
    ("started", "uint32"),
    ("warning", "uint16"),
];

/// The codes of outcomes: the place in this list.
const STATUSES: [Status; 8] = [
    Status::Ok,
    Status::Wrong,
    Status::Timeout,
    Status::NodeLimit,
    Status::Oom,
    Status::Signal,
    Status::Error,
    Status::Skipped,
];

/// How much was written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Exported {
    /// Rows.
    pub rows: usize,
    /// Variants, each with one spec, table and limit.
    pub variants: usize,
    /// Positions.
    pub positions: usize,
}

/// A table of what keys stand for: a line each, numbered from 0 in the order of first mention.
struct KeyTable {
    header: String,
    lines: Vec<Vec<String>>,
    keys: HashMap<Vec<String>, usize>,
    most: usize,
}

impl KeyTable {
    /// An empty one. `bits` is the width of its keys.
    fn new(header: &str, bits: u32) -> Self {
        let most = (1_usize << bits) - 1;
        KeyTable { header: header.to_string(), lines: Vec::new(), keys: HashMap::new(), most }
    }

    /// The key of a line.
    fn key(&mut self, line: Vec<String>) -> Result<usize> {
        if let Some(&key) = self.keys.get(&line) {
            return Ok(key);
        }
        let key = self.lines.len();
        if key > self.most {
            bail!("more than {} different lines of {}", self.most, self.header);
        }
        self.keys.insert(line.clone(), key);
        self.lines.push(line);
        Ok(key)
    }

    fn csv(&self) -> Result<Vec<u8>> {
        let mut writer = csv::Writer::from_writer(Vec::new());
        writer.write_record(self.header.split(','))?;
        for (key, line) in self.lines.iter().enumerate() {
            writer.write_record([key.to_string()].iter().chain(line))?;
        }
        Ok(writer.into_inner().map_err(|error| error.into_error())?)
    }
}

/// Writes the narrow samples of a folder into another, which must be new or empty: `rows.csv`, `variants.csv`,
/// `positions.csv`, `runs.csv`, `warnings.csv` and `dtypes.json`.
///
/// # Errors
/// Rows that cannot be read, or whose numbers are too large for their columns; a folder that holds something.
pub fn write(folder: &Path, out: &Path) -> Result<Exported> {
    let is_empty = !out.exists() || out.read_dir().is_ok_and(|mut entries| entries.next().is_none());
    if !is_empty {
        bail!("{}: holds something; choose a new folder for --out", out.display());
    }
    let mut tables = Tables::new();
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer.write_record(COLUMNS.map(|(name, _)| name))?;
    let (rows, mut count) = (Rows::open(folder)?, 0);
    let file = rows.file().to_path_buf();
    for (index, row) in rows.enumerate() {
        let at = || format!("{}, line {}", file.display(), index + 2);
        writer.write_record(tables.narrow(&row?).with_context(at)?)?;
        count += 1;
    }
    if count == 0 {
        bail!("{}: no row is there yet", folder.display());
    }
    for (name, table) in tables.named() {
        atomic::write(&out.join(name), &table.csv()?)?;
    }
    atomic::write_json(&out.join("dtypes.json"), &COLUMNS.into_iter().collect::<BTreeMap<_, _>>())?;
    // The rows come last: a folder without them is no export.
    atomic::write(&out.join("rows.csv"), &writer.into_inner().map_err(|error| error.into_error())?)?;
    Ok(Exported { rows: count, variants: tables.variants.lines.len(), positions: tables.positions.lines.len() })
}

/// What the keys of rows stand for.
struct Tables {
    variants: KeyTable,
    positions: KeyTable,
    runs: KeyTable,
    warnings: KeyTable,
}

impl Tables {
    fn new() -> Self {
        let variants = "variant,name,spec,code,geometry,tt_bytes,tt_state,threads,book,seed,limit_ns,limit_nodes,\
                        binary_sha256,git_rev,dirty,schema_version";
        let mut tables = Tables {
            variants: KeyTable::new(variants, 16),
            positions: KeyTable::new("position,set,set_sha256,position_id,moves,ply,expected_score", 32),
            runs: KeyTable::new("run,run_id,process,machine_id", 16),
            warnings: KeyTable::new("warning,text", 16),
        };
        // Key 0 is no warning.
        let _ = tables.warnings.key(vec![String::new()]);
        tables
    }

    fn named(&self) -> [(&str, &KeyTable); 4] {
        [
            ("variants.csv", &self.variants),
            ("positions.csv", &self.positions),
            ("runs.csv", &self.runs),
            ("warnings.csv", &self.warnings),
        ]
    }

    /// The row in numbers.
    fn narrow(&mut self, row: &Sample) -> Result<[String; COLUMNS.len()]> {
        let variant = self.variants.key(vec![
            row.variant.clone(),
            row.spec.clone(),
            named(&row.code)?,
            row.geometry.clone(),
            row.tt_bytes.to_string(),
            named(&Some(row.tt_state))?,
            row.threads.to_string(),
            shown(row.book),
            row.seed.to_string(),
            shown(row.limit_ns),
            shown(row.limit_nodes),
            row.binary_sha256.clone(),
            row.git_rev.clone().unwrap_or_default(),
            shown(row.dirty),
            row.schema_version.to_string(),
        ])?;
        let position = self.positions.key(vec![
            row.set.clone(),
            row.set_sha256.clone(),
            row.position_id.to_string(),
            row.moves.clone().unwrap_or_default(),
            row.ply.to_string(),
            shown(row.expected_score),
        ])?;
        let run = self.runs.key(vec![row.run_id.clone(), row.process.to_string(), row.machine_id.clone()])?;
        let warning = self.warnings.key(vec![row.warnings.clone().unwrap_or_default()])?;
        let status = STATUSES.iter().position(|status| *status == row.status).unwrap_or_default();
        Ok([
            position.to_string(),
            variant.to_string(),
            run.to_string(),
            u8::from(row.goal == Goal::Weak).to_string(),
            small("repetition", row.repetition)?,
            shown(row.batch),
            small("block_order", row.block_order)?,
            status.to_string(),
            shown(row.score),
            shown(row.nodes),
            shown(row.wall_ns),
            shown(row.cpu_ns),
            shown(row.engine_nodes),
            shown(row.engine_ns),
            seconds(&row.started_at)?,
            warning.to_string(),
        ])
    }
}

/// A number, or nothing.
fn shown<T: ToString>(value: Option<T>) -> String {
    value.map_or(String::new(), |value| value.to_string())
}

/// The name of something, as rows have it.
fn named(value: &Option<impl serde::Serialize>) -> Result<String> {
    let json = serde_json::to_value(value)?;
    Ok(json.as_str().unwrap_or_default().to_string())
}

/// A number of 16 bits.
fn small(what: &str, number: u32) -> Result<String> {
    let number = u16::try_from(number).map_err(|_| anyhow::anyhow!("{what} {number}: at most {}", u16::MAX))?;
    Ok(number.to_string())
}

/// A moment in seconds since 1970, of 32 bits.
fn seconds(moment: &str) -> Result<String> {
    let time = humantime::parse_rfc3339(moment).with_context(|| format!("started_at {moment:?}"))?;
    let seconds = time.duration_since(SystemTime::UNIX_EPOCH).with_context(|| format!("started_at {moment:?}"))?;
    Ok(u32::try_from(seconds.as_secs()).with_context(|| format!("started_at {moment:?}"))?.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    use c4lab_measure::files::folder::Folder;
    use c4lab_measure::fixtures::sample;
    use std::fs;

    #[test]
    fn rows_are_numbers_and_tables_say_what_they_mean() {
        let place = tempfile::tempdir().unwrap();
        let (from, out) = (place.path().join("run"), place.path().join("narrow"));
        let (mut folder, _) = Folder::open(&from).unwrap();
        let late = Sample {
            status: Status::Timeout,
            score: None,
            nodes: None,
            warnings: Some("a, b".into()),
            ..sample("b", 1, 20, 6)
        };
        let weak = Sample { goal: Goal::Weak, repetition: 2, batch: None, cpu_ns: Some(7), ..sample("a", 2, 30, 5) };
        [sample("a", 1, 10, 5), late, weak].iter().for_each(|row| folder.add(row).unwrap());
        drop(folder);
        assert_eq!(write(&from, &out).unwrap(), Exported { rows: 3, variants: 2, positions: 2 });
        let read = |name: &str| fs::read_to_string(out.join(name)).unwrap();
        let names: Vec<&str> = COLUMNS.iter().map(|(name, _)| *name).collect();
        let started = humantime::parse_rfc3339("2026-11-20T00:00:00Z").unwrap();
        let started = started.duration_since(SystemTime::UNIX_EPOCH).unwrap().as_secs();
        let expected = [
            names.join(","),
            format!("0,0,0,0,0,1,0,0,1,5,10,,,,{started},0"),
            format!("0,1,0,0,0,1,0,2,,,20,,,,{started},1"),
            format!("1,0,0,1,2,,0,0,1,5,30,7,,,{started},0"),
        ];
        assert_eq!(read("rows.csv").lines().collect::<Vec<_>>(), expected);
        assert!(
            read("variants.csv").contains("\n1,b,\"a=b,c=d\",,7x6/7,0,cold,1,,1,,,b,,,2\n"),
            "{}",
            read("variants.csv")
        );
        assert_eq!(read("positions.csv").lines().nth(2), Some("1,s,d,2,44,2,1"));
        assert_eq!(
            (read("runs.csv").lines().nth(1), read("warnings.csv").lines().nth(2)),
            (Some("0,r,1,m"), Some("1,\"a, b\""))
        );
        assert!(write(&from, &out).unwrap_err().to_string().contains("holds something"));
    }

    /// A number of pandas, and a byte more where it may be missing.
    fn bytes(dtype: &str) -> usize {
        let bits: usize = dtype.trim_start_matches(|c: char| c.is_alphabetic()).parse().unwrap();
        bits / 8 + usize::from(dtype.starts_with('I'))
    }

    #[test]
    fn a_million_rows_fit_a_hundred_megabytes() {
        assert!(COLUMNS.iter().map(|(_, dtype)| bytes(dtype)).sum::<usize>() <= 100);
    }

    #[test]
    fn what_does_not_fit_is_an_error_with_its_line() {
        let place = tempfile::tempdir().unwrap();
        let (mut folder, _) = Folder::open(place.path()).unwrap();
        folder.add(&Sample { repetition: 70_000, ..sample("a", 1, 10, 5) }).unwrap();
        drop(folder);
        let error = format!("{:#}", write(place.path(), &place.path().join("narrow")).unwrap_err());
        assert!(error.ends_with("samples.csv, line 2: repetition 70000: at most 65535"), "{error}");
    }
}
