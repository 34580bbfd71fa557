//! The records of a folder, each as the page of its report.

use super::connection::{Content, NOTHING};
use super::fault::HttpFault;
use crate::report::page;
use serde_json::json;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// A folder of records.
#[derive(Debug)]
pub(super) struct Shelf {
    folder: PathBuf,
    /// The page that was made last, by name: one is made at a time, and a record does not change.
    last: Mutex<Option<(String, String)>>,
}

/// A page of a report carries its style and its script with it.
const PAGE: &str =
    "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:; frame-ancestors 'none'";

impl Shelf {
    pub(super) fn new(folder: PathBuf) -> Self {
        Shelf { folder, last: Mutex::default() }
    }

    /// The names of all records, the latest first.
    fn names(&self) -> Result<Vec<String>, HttpFault> {
        let cannot = |error| HttpFault::new(404, format!("{}: {error}", self.folder.display()));
        let entries = std::fs::read_dir(&self.folder).map_err(cannot)?;
        let folders = entries.flatten().filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir()));
        let mut names: Vec<String> = folders.filter_map(|entry| entry.file_name().into_string().ok()).collect();
        names.sort_by(|one, other| other.cmp(one));
        Ok(names)
    }

    /// The names as JSON.
    pub(super) fn list(&self) -> Result<Content, HttpFault> {
        let names = self.names()?;
        let text = json!({ "folder": self.folder.display().to_string(), "records": names }).to_string();
        Ok(Content { kind: "application/json", text, policy: NOTHING })
    }

    /// A record. Its name is one that the folder lists, so no path leads out of it.
    pub(super) fn show(&self, name: &str) -> Result<Content, HttpFault> {
        let known = self.names()?.into_iter().find(|known| known == name);
        let short: String = name.chars().take(60).collect();
        let name = known.ok_or_else(|| HttpFault::new(404, format!("no record {short:?}")))?;
        let folder = self.folder.join(&name);
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, text)) = last.as_ref().filter(|(kept, _)| *kept == name) {
            return Ok(Content { kind: "text/html; charset=utf-8", text: text.clone(), policy: PAGE });
        }
        match page::record::of(&folder) {
            Ok(text) => {
                *last = Some((name, text.clone()));
                Ok(Content { kind: "text/html; charset=utf-8", text, policy: PAGE })
            }
            // Instruction counts, stores and games have no page: their report is text.
            Err(error) => written(&folder).ok_or_else(|| HttpFault::new(404, format!("{error:#}"))),
        }
    }
}

/// The report that lies in a record.
fn written(folder: &Path) -> Option<Content> {
    let text = std::fs::read_to_string(folder.join("report.md")).ok()?;
    Some(Content { kind: "text/plain; charset=utf-8", text, policy: NOTHING })
}
