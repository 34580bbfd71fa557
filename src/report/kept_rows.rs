//! Kept rows: what a folder has of stores, proofs, games and judged moves, and what of it stands in a document.
//!
//! | kind | made from | words |
//! | --- | --- | --- |
//! | `sizes` | `sizes.csv` | `parts=bytes,steps` |
//! | `verified` | `verified.csv` | |
//! | `games` | `games.csv` | |
//! | `judged` | `judged.csv` | `band=` |
//! | `outcomes` | `outcomes.csv` | |
//! | `positions` | `positions.csv` | |
//! | `claims` | `claims.csv`, where no samples are beside it | as of other folders |

use crate::claims;
use crate::claims::table::ClaimRow;
use crate::claims::written::file;
use crate::table::Table;
use crate::tables;
use anyhow::{Context, Result, bail};
use c4lab_measure::bot::verified::{self, VerifiedRow};
use c4lab_measure::counts::ply_count;
use c4lab_measure::files::atomic;
use c4lab_measure::files::rows::{self, Row, RowsOf};
use c4lab_measure::files::sample;
use c4lab_measure::matches::judge::{self, JudgedRow};
use c4lab_measure::matches::series::{self, GameRow};
use c4lab_measure::outcomes::outcome_row;
use c4lab_measure::store::size_row;
use std::path::{Path, PathBuf};

/// The kinds of splices of such rows, and the file of each.
pub const KINDS: &[(&str, &str)] = &[
    ("sizes", size_row::FILE),
    ("verified", verified::FILE),
    ("games", series::FILE),
    ("judged", judge::FILE),
    ("outcomes", outcome_row::FILE),
    ("positions", ply_count::FILE),
    ("claims", claims::table::FILE),
];

/// A folder of such rows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeptRows {
    folder: PathBuf,
}

impl KeptRows {
    /// The rows of a folder, if it has any.
    pub fn of(folder: &Path) -> Option<Self> {
        let has = |file: &str| rows::file_of(folder, file).is_file();
        let is_kept = !has(sample::FILE) && KINDS.iter().any(|(_, file)| has(file));
        is_kept.then(|| KeptRows { folder: folder.to_path_buf() })
    }

    /// All tables of it.
    ///
    /// # Errors
    /// A file that cannot be read.
    pub fn all(&self) -> Result<Vec<Table>, String> {
        let there = KINDS.iter().filter(|(_, file)| rows::file_of(&self.folder, file).is_file());
        let sheets: Result<Vec<_>, _> = there.map(|(kind, _)| self.sheets(kind, &[])).collect();
        Ok(sheets?.into_iter().flatten().collect())
    }

    /// What stands in a splice of a kind, or why it says nothing.
    pub fn splice(&self, kind: &str, words: &[&str]) -> Result<String, String> {
        if kind == "claims" {
            return claims::splice::of_rows(
                self.read(claims::table::FILE).map_err(|error| format!("{error:#}"))?,
                words,
            );
        }
        let sheets = self.sheets(kind, words)?;
        Ok(sheets.iter().map(Table::markdown).collect::<Vec<_>>().join("\n"))
    }

    /// Draws the pictures of these rows into a folder, and says how many there are: of sizes and of judged moves.
    ///
    /// # Errors
    /// Rows that cannot be read, or a folder that cannot be written to.
    pub fn draw(&self, place: &Path, band: u32) -> Result<usize> {
        let has = |file: &str| rows::file_of(&self.folder, file).is_file();
        let mut pictures = Vec::new();
        if has(size_row::FILE) {
            pictures.push((tables::sizes::PICTURE, tables::sizes::picture(&size_row::read(&self.folder)?)));
        }
        if has(judge::FILE) {
            pictures.push((tables::judged::PICTURE, tables::judged::picture(&self.read(judge::FILE)?, band)));
        }
        if pictures.is_empty() {
            bail!("{}: no picture is made of such rows, only of sizes and judged moves", self.folder.display());
        }
        std::fs::create_dir_all(place).with_context(|| format!("cannot make the folder {}", place.display()))?;
        for (name, picture) in &pictures {
            atomic::write(&place.join(name), picture.as_bytes())?;
        }
        Ok(pictures.len())
    }

    fn sheets(&self, kind: &str, words: &[&str]) -> Result<Vec<Table>, String> {
        let told = |error: anyhow::Error| format!("{error:#}");
        let (key, names) = match words {
            [] => ("", ""),
            [word] => word.split_once('=').unwrap_or((word, "")),
            _ => return Err(format!("{kind} has one word at most")),
        };
        match (kind, key) {
            ("sizes", "" | "parts") => {
                let rows = size_row::read(&self.folder).map_err(told)?;
                let parts = if key.is_empty() { "bytes,steps" } else { names };
                let sheet = |name: &str| match name {
                    "bytes" => Ok(tables::sizes::sheet(&rows)),
                    "steps" => Ok(tables::sizes::steps(&rows)),
                    _ => Err(format!("parts= does not know {name:?}")),
                };
                parts.split(',').map(sheet).collect()
            }
            ("verified", "") => {
                let rows: Vec<VerifiedRow> = self.read(verified::FILE).map_err(told)?;
                let is_timed = rows.iter().any(|row| row.limit_ns.is_some());
                Ok(vec![tables::verified::sheet(&rows, is_timed)])
            }
            ("outcomes", "") => {
                let rows = outcome_row::read(&self.folder).map_err(told)?;
                Ok(vec![tables::outcomes::sheet(&rows, &file::embedded().map_err(told)?)])
            }
            ("positions", "") => Ok(vec![tables::counts::sheet(&ply_count::read(&self.folder).map_err(told)?)]),
            ("games", "") => {
                let rows: Vec<GameRow> = self.read(series::FILE).map_err(told)?;
                let names = tables::games::names(&rows).ok_or("there is no game")?;
                Ok(vec![tables::games::sheet(&names, &rows)])
            }
            ("judged", "" | "band") => {
                let rows: Vec<JudgedRow> = self.read(judge::FILE).map_err(told)?;
                let band = if key.is_empty() { Some(4) } else { names.parse().ok() };
                let band = band.filter(|band| (1..=64).contains(band)).ok_or("band= is a number of stones")?;
                Ok(vec![tables::judged::sheet(&rows, band)])
            }
            ("claims", "") => Ok(claims::sheets::sheets(&self.read::<ClaimRow>(claims::table::FILE).map_err(told)?).0),
            _ => Err(format!("{key:?} says nothing to {kind:?}")),
        }
    }

    fn read<T: Row>(&self, name: &str) -> Result<Vec<T>> {
        let file = rows::file_of(&self.folder, name);
        let bytes = rows::open(&file).with_context(|| format!("no {} in {}", T::WHAT, self.folder.display()))?;
        RowsOf::of(&file, Box::new(bytes))?.collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tables::{games, sizes};
    use c4lab_measure::store::form::StoreForm;
    use serde::Serialize;
    use tempfile::TempDir;

    fn write(folder: &Path, file: &str, rows: &[impl Serialize]) {
        let mut writer = csv::Writer::from_path(folder.join(file)).unwrap();
        rows.iter().for_each(|row| writer.serialize(row).unwrap());
    }

    #[test]
    fn rows_of_every_kind_become_tables_and_what_is_not_there_is_said() {
        let place = TempDir::new().unwrap();
        assert_eq!(KeptRows::of(place.path()), None);
        let of = |form, bytes| sizes::tests::row(form, 7, bytes);
        write(place.path(), "sizes.csv", &[of(StoreForm::Dictionary, 90), of(StoreForm::SevenSets, 30)]);
        write(place.path(), "games.csv", &[games::tests::game(0, "1-0"), games::tests::game(1, "1/2")]);
        write(place.path(), "verified.csv", &[crate::tables::verified::tests::row(0, 1, 1, 0)]);
        let kept = KeptRows::of(place.path()).unwrap();
        let text = kept.splice("sizes", &[]).unwrap();
        assert!(text.contains("Bytes of a store") && text.contains("3.00x"), "{text}");
        assert!(!kept.splice("sizes", &["parts=bytes"]).unwrap().contains("3.00x"));
        assert!(kept.splice("games", &[]).unwrap().contains("a against b, 2 games"));
        assert_eq!(kept.all().unwrap().len(), 4, "two of sizes, one of games, one of verified moves");
        assert!(kept.splice("verified", &[]).unwrap().contains("all of 1 move keep"));
        let pictures = place.path().join("pictures");
        assert_eq!(kept.draw(&pictures, 4).unwrap(), 1);
        assert!(std::fs::read_to_string(pictures.join("sizes.svg")).unwrap().starts_with("<svg xmlns"));
        for (kind, words, reason) in [
            ("sizes", &["parts=x"][..], "parts= does not know \"x\""),
            ("games", &["band=2"], "\"band\" says nothing to \"games\""),
            ("games", &["a", "b"], "one word at most"),
            ("judged", &[], "no judged moves in "),
        ] {
            let error = kept.splice(kind, words).unwrap_err();
            assert!(error.contains(reason), "{error}");
        }
    }
}
