//! Counters of merged folders: what the tables did in every answered cell. A cell counts once, whoever counted it.

use crate::files::sample::SCHEMA_VERSION;
use anyhow::{Context, Result, bail};
use csv::StringRecord;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The name of the file.
pub(crate) const FILE: &str = "counters.csv";

/// Set, its digest, goal, position, variant, bytes of the table.
type SearchKey = (String, String, String, u64, String, u64);

/// A row of the file.
#[derive(serde::Deserialize)]
struct CounterRow {
    schema_version: u32,
    set: String,
    set_sha256: String,
    position_id: u64,
    variant: String,
    goal: String,
    tt_bytes: u64,
}

/// The counters of some folders, put together.
#[derive(Debug, Default)]
pub(crate) struct Counters {
    header: Option<StringRecord>,
    /// The line of each search, and where it stood first.
    rows: BTreeMap<SearchKey, (StringRecord, PathBuf, u64)>,
    /// Counts of one search that differ.
    pub(crate) conflicts: Vec<String>,
}

impl Counters {
    /// Adds those of a folder; most have none.
    pub(crate) fn add(&mut self, folder: &Path) -> Result<()> {
        let file = folder.join(FILE);
        if !file.is_file() {
            return Ok(());
        }
        let place = file.display();
        let mut reader = csv::Reader::from_path(&file).with_context(|| format!("cannot read {place}"))?;
        let header = reader.headers().with_context(|| place.to_string())?.clone();
        if *self.header.get_or_insert_with(|| header.clone()) != header {
            bail!("{place}, line 1: other columns than those of another folder");
        }
        for (record, line) in reader.into_records().zip(2u64..) {
            let at = || format!("{place}, line {line}");
            let record = record.with_context(at)?;
            let row: CounterRow = record.deserialize(Some(&header)).with_context(at)?;
            if row.schema_version > SCHEMA_VERSION {
                bail!("{}: schema version {}; this c4lab reads up to {SCHEMA_VERSION}", at(), row.schema_version);
            }
            let search = (row.set, row.set_sha256, row.goal, row.position_id, row.variant, row.tt_bytes);
            let (first, other, there) = self.rows.entry(search).or_insert_with(|| (record.clone(), file.clone(), line));
            if first.iter().ne(record.iter()) {
                self.conflicts.push(format!("{}, line {there} and {}: counters differ", other.display(), at()));
            }
        }
        Ok(())
    }

    /// Whether all searches of `other` are here too.
    pub(crate) fn hold(&self, other: &Counters) -> bool {
        other.rows.keys().all(|search| self.rows.contains_key(search))
    }

    /// The file; `None` where nobody counted.
    pub(crate) fn csv(&self) -> Result<Option<Vec<u8>>> {
        let Some(header) = &self.header else { return Ok(None) };
        let mut writer = csv::Writer::from_writer(Vec::new());
        writer.write_record(header)?;
        self.rows.values().try_for_each(|(row, ..)| writer.write_record(row))?;
        Ok(Some(writer.into_inner().map_err(|error| error.into_error())?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEADER: &str = "schema_version,set,set_sha256,position_id,ply,variant,goal,tt_bytes,nodes,probes\n";

    fn folder(rows: &[(u64, u64)]) -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        let line = |(position, probes): &(u64, u64)| format!("1,s,d,{position},2,a,strong,8,5,{probes}\n");
        std::fs::write(folder.path().join(FILE), HEADER.to_string() + &rows.iter().map(line).collect::<String>())
            .unwrap();
        folder
    }

    fn of(folders: &[&Path]) -> Counters {
        let mut counters = Counters::default();
        folders.iter().for_each(|folder| counters.add(folder).unwrap());
        counters
    }

    #[test]
    fn every_search_stands_once_and_must_agree() {
        let (one, other, none) = (folder(&[(10, 3), (2, 4)]), folder(&[(1, 7), (2, 4)]), tempfile::tempdir().unwrap());
        let (both, back) = (of(&[one.path(), other.path()]), of(&[other.path(), none.path(), one.path()]));
        let text = String::from_utf8(both.csv().unwrap().unwrap()).unwrap();
        let lines: Vec<&str> = text.lines().skip(1).collect();
        assert_eq!(lines, ["1,s,d,1,2,a,strong,8,5,7", "1,s,d,2,2,a,strong,8,5,4", "1,s,d,10,2,a,strong,8,5,3"]);
        assert_eq!(back.csv().unwrap().unwrap(), text.as_bytes());
        assert!(both.conflicts.is_empty() && both.hold(&back) && !of(&[one.path()]).hold(&both));
        assert_eq!(of(&[none.path()]).csv().unwrap(), None);
        let conflicts = of(&[one.path(), folder(&[(2, 5)]).path()]).conflicts;
        assert!(conflicts.len() == 1 && conflicts[0].contains("counters.csv, line 3 and "), "{conflicts:?}");
    }
}
