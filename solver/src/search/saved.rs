//! Saved: a search that was stopped, in a file: what was searched and how far it came, and its table.
//!
//! ```text
//! mark      C4LABSVD
//! version   4 bytes, of this layout
//! head      its length, 4 bytes; then lines `key value`: geometry, spec, moves, goal, nodes, wall-ns, cpu-ns
//! table     buckets/saving.rs
//! checksum  CRC-32 of all before it, 4 bytes
//! ```
//!
//! Numbers begin with their low byte. The bounds in a table hold, whoever goes on with it. So nothing else of a search is kept: it is
//! asked its question again, and the table answers what was known.

use crate::axes::table::{SaveError, Table};
use crate::search::solver::Goal;
use std::io::{self, Read, Write};

/// The first bytes of a file.
const MARK: &[u8; 8] = b"C4LABSVD";
/// The version of the layout. It changes with anything that a table's slots depend on: their parts, how keys are made and mixed.
const VERSION: u32 = 1;
/// Bytes of a head, at most.
const MOST: u32 = 1 << 16;

/// How far a search came, in all processes that it ran in.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Progress {
    /// The moves of the position.
    pub moves: String,
    /// What is asked of it.
    pub goal: Goal,
    /// Nodes so far.
    pub nodes: u64,
    /// Nanoseconds so far.
    pub wall_ns: u64,
    /// Nanoseconds of processor time, where the system tells them.
    pub cpu_ns: Option<u64>,
}

/// What a saved search says of itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SavedHead {
    /// Its geometry: width, height and stride.
    pub geometry: String,
    /// Its choice on every axis.
    pub spec: String,
    /// How far it came.
    pub progress: Progress,
}

/// What was gone on with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Resumed {
    /// How far the search came.
    pub progress: Progress,
    /// The slots of the table that were taken.
    pub slots: u64,
}

impl SavedHead {
    /// Reads what stands before the table. Nothing is checked but that it is such a file, of this version.
    ///
    /// # Errors
    /// It is none.
    pub fn read(saved: &mut dyn Read) -> Result<Self, SaveError> {
        let mut mark = [0; MARK.len()];
        saved.read_exact(&mut mark).map_err(|error| match error.kind() {
            io::ErrorKind::UnexpectedEof => SaveError::Foreign,
            _ => error.into(),
        })?;
        if mark != *MARK {
            return Err(SaveError::Foreign);
        }
        let version = read_number(saved)?;
        if version != VERSION {
            return Err(SaveError::Version(version, VERSION));
        }
        let length = read_number(saved)?;
        if length > MOST {
            return Err(SaveError::Damaged);
        }
        let mut text = vec![0; length as usize];
        saved.read_exact(&mut text)?;
        Self::parse(&String::from_utf8(text).map_err(|_| SaveError::Damaged)?).ok_or(SaveError::Damaged)
    }

    fn parse(text: &str) -> Option<Self> {
        let value = |key: &str| text.lines().find_map(|line| line.strip_prefix(key)?.strip_prefix(' '));
        let goal = value("goal")?;
        let progress = Progress {
            moves: value("moves")?.to_string(),
            goal: Goal::ALL.into_iter().find(|known| known.name() == goal)?,
            nodes: value("nodes")?.parse().ok()?,
            wall_ns: value("wall-ns")?.parse().ok()?,
            cpu_ns: value("cpu-ns").map(str::parse).transpose().ok()?,
        };
        Some(SavedHead { geometry: value("geometry")?.to_string(), spec: value("spec")?.to_string(), progress })
    }

    fn text(&self) -> String {
        let SavedHead { geometry, spec, progress } = self;
        let Progress { moves, goal, nodes, wall_ns, cpu_ns } = progress;
        let cpu = cpu_ns.map_or(String::new(), |ns| format!("cpu-ns {ns}\n"));
        let goal = goal.name();
        format!("geometry {geometry}\nspec {spec}\nmoves {moves}\ngoal {goal}\nnodes {nodes}\nwall-ns {wall_ns}\n{cpu}")
    }

    /// Whether a search of that geometry and choice saved it.
    fn is_of(&self, geometry: &str, spec: &str) -> Result<(), SaveError> {
        let other = |what, saved: &str, own: &str| Err(SaveError::Other(what, saved.to_string(), own.to_string()));
        match self {
            SavedHead { geometry: saved, .. } if saved != geometry => other("the board", saved, geometry),
            SavedHead { spec: saved, .. } if saved != spec => {
                let only = |text: &str, other: &str| {
                    let others: Vec<&str> = other.split(',').collect();
                    let own: Vec<&str> = text.split(',').filter(|choice| !others.contains(choice)).collect();
                    own.join(",")
                };
                other("the choice", &only(saved, spec), &only(spec, saved))
            }
            _ => Ok(()),
        }
    }
}

/// The most bytes that a search with such a table takes.
pub(super) fn most_bytes(table: &impl Table) -> Option<u64> {
    Some(table.saved_bytes()? + u64::from(MOST))
}

/// Writes a search.
pub(super) fn write(head: &SavedHead, table: &impl Table, out: &mut dyn Write) -> Result<(), SaveError> {
    if table.saved_bytes().is_none() {
        return Err(SaveError::Unsupported);
    }
    let text = head.text();
    let mut out = Summed { inner: out, sum: crc32fast::Hasher::new() };
    out.write_all(MARK)?;
    out.write_all(&VERSION.to_le_bytes())?;
    out.write_all(&(text.len() as u32).to_le_bytes())?;
    out.write_all(text.as_bytes())?;
    table.save(&mut out)?;
    let Summed { inner, sum } = out;
    inner.write_all(&sum.finalize().to_le_bytes())?;
    Ok(inner.flush()?)
}

/// Reads a search into the table of one of that geometry and choice. After an error the table is cleared.
pub(super) fn read(
    geometry: &str,
    spec: &str,
    table: &mut impl Table,
    saved: &mut dyn Read,
) -> Result<Resumed, SaveError> {
    let mut saved = Summed { inner: saved, sum: crc32fast::Hasher::new() };
    let head = SavedHead::read(&mut saved)?;
    head.is_of(geometry, spec)?;
    let slots = table.load(&mut saved)?;
    let ends_well = || -> Result<(), SaveError> {
        let Summed { inner, sum } = saved;
        let is_whole = read_number(inner)? == sum.finalize();
        // Nothing stands behind it.
        if is_whole && inner.read(&mut [0])? == 0 { Ok(()) } else { Err(SaveError::Damaged) }
    };
    match ends_well() {
        Ok(()) => Ok(Resumed { progress: head.progress, slots }),
        Err(error) => {
            table.reset();
            Err(error)
        }
    }
}

fn read_number(saved: &mut (impl Read + ?Sized)) -> Result<u32, SaveError> {
    let mut bytes = [0; 4];
    saved.read_exact(&mut bytes)?;
    Ok(u32::from_le_bytes(bytes))
}

/// A stream, and the checksum of what went through it.
struct Summed<'s, S: ?Sized> {
    inner: &'s mut S,
    sum: crc32fast::Hasher,
}

impl<S: Write + ?Sized> Write for Summed<'_, S> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.inner.write(bytes)?;
        self.sum.update(&bytes[..written]);
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
    }
}

impl<S: Read + ?Sized> Read for Summed<'_, S> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        let read = self.inner.read(bytes)?;
        self.sum.update(&bytes[..read]);
        Ok(read)
    }
}

#[cfg(test)]
mod tests;
