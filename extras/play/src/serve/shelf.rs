//! The records of a folder, each as the page of its report.

use super::connection::{Content, NOTHING};
use super::fault::HttpFault;
use c4lab_report::page;
use serde_json::json;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::SystemTime;

/// A folder of records.
#[derive(Debug)]
pub struct Shelf {
    folder: PathBuf,
    /// The page that was made last: one is made at a time.
    last: Mutex<Option<MadePage>>,
}

/// A page that was made.
#[derive(Debug)]
struct MadePage {
    name: String,
    /// What its files were then: a folder that is measured into grows.
    state: FolderState,
    text: String,
}

/// The files of a folder: name, bytes, and when each was last written.
type FolderState = Vec<(OsString, u64, Option<SystemTime>)>;

/// What the files of a folder are now.
fn state(folder: &Path) -> FolderState {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let file = |entry: std::fs::DirEntry| {
        let about = entry.metadata().ok()?;
        Some((entry.file_name(), about.len(), about.modified().ok()))
    };
    let mut files: FolderState = entries.filter_map(file).collect();
    files.sort_unstable();
    files
}

/// A page of a report carries its style and its script with it.
const PAGE: &str =
    "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:; frame-ancestors 'none'";

/// The most bytes that the files of a folder may have, packed ones counted [`PACKED`] times, for a page to be made: a page of half of that
/// takes some seconds. `c4lab report` has no limit.
const MOST_BYTES: u64 = 1 << 30;
/// How many times larger rows are than their packed file, about.
const PACKED: u64 = 25;

/// Bytes of the files of a folder, unpacked, about.
fn bytes(state: &FolderState) -> u64 {
    let of = |(name, bytes, _): &(OsString, u64, _)| match Path::new(name).extension() {
        Some(end) if end == "gz" => bytes.saturating_mul(PACKED),
        _ => *bytes,
    };
    state.iter().map(of).fold(0, u64::saturating_add)
}

/// A folder's page, if its files are few enough for one.
fn page_of(folder: &Path, state: &FolderState) -> anyhow::Result<String> {
    anyhow::ensure!(
        bytes(state) <= MOST_BYTES,
        "its files are too large to make it here. `c4lab report {} --html report.html` makes it",
        folder.display()
    );
    page::of(folder)
}

impl Shelf {
    pub fn new(folder: PathBuf) -> Self {
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
    pub fn list(&self) -> Result<Content, HttpFault> {
        let names = self.names()?;
        let text = json!({ "folder": self.folder.display().to_string(), "records": names }).to_string();
        Ok(Content { kind: "application/json", text, policy: NOTHING })
    }

    /// A record. Its name is one that the folder lists, so no path leads out of it.
    pub fn show(&self, name: &str) -> Result<Content, HttpFault> {
        let known = self.names()?.into_iter().find(|known| known == name);
        let short: String = name.chars().take(60).collect();
        let name = known.ok_or_else(|| HttpFault::new(404, format!("no record {short:?}")))?;
        let folder = self.folder.join(&name);
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        let state = state(&folder);
        if let Some(made) = last.as_ref().filter(|made| made.name == name && made.state == state) {
            return Ok(Content { kind: "text/html; charset=utf-8", text: made.text.clone(), policy: PAGE });
        }
        match page_of(&folder, &state) {
            Ok(text) => {
                *last = Some(MadePage { name, state, text: text.clone() });
                Ok(Content { kind: "text/html; charset=utf-8", text, policy: PAGE })
            }
            Err(error) => Ok(written(&folder).unwrap_or_else(|| files(&folder, &state, &format!("{error:#}")))),
        }
    }
}

/// The report that lies in a record: instruction counts, stores and games have no page, their report is text.
fn written(folder: &Path) -> Option<Content> {
    let text = std::fs::read_to_string(folder.join("report.md")).ok()?;
    Some(Content { kind: "text/plain; charset=utf-8", text, policy: NOTHING })
}

/// What lies in a folder that has no report, and why it has none: whoever follows a link gets a page that says what to read.
fn files(folder: &Path, state: &FolderState, reason: &str) -> Content {
    let shown = |(name, bytes, _): &(OsString, u64, Option<SystemTime>)| {
        format!("  {} ({bytes} bytes)\n", name.to_string_lossy())
    };
    let files: String = state.iter().map(shown).collect();
    let text = format!("{} has no report page: {reason}\n\nIts files:\n{files}", folder.display());
    Content { kind: "text/plain; charset=utf-8", text, policy: NOTHING }
}
