//! Names of variants: any point of the option space, in the form that users write.
//!
//! ```text
//! champion                          a named variant
//! champion[order=centre,root=step]  the same with other choices on some axes
//! champion[order=centre]@1GiB       and a table of that size
//! champion@threads=2                and two threads that search a position together
//! champion[]                        the same choices, run at run time
//! ```
//!
//! A change starts from the variant before the bracket. If the choice is that of a named variant, it runs as that type.
//! Any other choice runs as a [dynamic variant](crate::search), and so does a name with empty brackets.

use crate::game::BoardSize;
use crate::search::registry::{self, Entry};
use crate::search::size;
use crate::search::solver::{BuildError, Options, Solve};
use crate::search::spec::Spec;
use crate::search::threads::{Threads, ThreadsError};
use std::fmt;
use std::str::FromStr;

/// A variant by its name: a choice of techniques, the size of its table, threads.
///
/// ```
/// use c4lab_solver::Variant;
/// for name in ["champion", "pons-12", "champion[order=centre,root=step]", "champion@1GiB,threads=2"] {
///     assert_eq!(name.parse::<Variant>()?.text(), name);
/// }
/// assert!("champion[order=middle]".parse::<Variant>().is_err());
/// # Ok::<(), c4lab_solver::Error>(())
/// ```
///
/// `champion` is the fastest. `registry::ALL` lists the named variants, `Spec::axes` the axes and values for a bracket.
#[derive(Clone, Debug)]
pub struct Name {
    text: String,
    base: &'static Entry,
    spec: Spec,
    /// The named variant whose type runs it; `None` for a dynamic variant.
    named: Option<&'static Entry>,
    tt_bytes: Option<u64>,
    /// The threads of a search, if the name gives their number.
    threads: Option<u32>,
}

impl FromStr for Name {
    type Err = NameError;

    fn from_str(text: &str) -> Result<Self, NameError> {
        Self::parse(text)
    }
}

impl Name {
    /// Reads `name[axis=value,...]@setting,...`.
    ///
    /// # Errors
    /// A variant, axis, value or setting that does not exist, or an axis that is given twice; alternatives that do not go
    /// together; a size for a table that has a fixed one, or for no table.
    pub fn parse(text: &str) -> Result<Self, NameError> {
        let end = text.find(['[', '@']).unwrap_or(text.len());
        let (name, rest) = (text[..end].trim(), &text[end..]);
        let base = registry::find(name)?;
        let (changes, settings) = match rest.strip_prefix('[') {
            Some(rest) => {
                let open = || NameError::Refused(format!("variant {text:?}: \"[\" without \"]\""));
                let (changes, settings) = rest.split_once(']').ok_or_else(open)?;
                (Some(changes), settings)
            }
            None => (None, rest),
        };
        let spec = Spec::parse_once(changes.unwrap_or_default(), base.spec)?;
        let named = match changes {
            Some(changes) if changes.trim().is_empty() => None,
            _ => registry::named(spec),
        };
        let mut name = Name { text: text.to_string(), ..Self::plain(base, spec, named) };
        name.set(settings).map_err(|reason| format!("variant {text:?}: {reason}"))?;
        Ok(name)
    }

    fn plain(base: &'static Entry, spec: Spec, named: Option<&'static Entry>) -> Self {
        Name { text: String::new(), base, spec, named, tt_bytes: None, threads: None }
    }

    fn set(&mut self, settings: &str) -> Result<(), String> {
        let Some(settings) = settings.strip_prefix('@') else {
            return if settings.is_empty() { Ok(()) } else { Err(format!("{settings:?} after the changes")) };
        };
        for setting in settings.split(',') {
            match setting.split_once('=') {
                Some((key, value)) if key.trim() == "threads" => {
                    self.set_threads(value.trim())?;
                    continue;
                }
                Some((key, _)) => {
                    let (key, name) = (key.trim(), self.base.name);
                    let known = format!("there are a size of the table and threads: {name}@1GiB,threads=2");
                    return Err(format!("no setting {key:?}; {known}"));
                }
                None => {}
            }
            let bytes = size::parse(setting)?;
            if self.tt_bytes.replace(bytes).is_some() {
                return Err("two sizes of one table".to_string());
            }
            if let Some(reason) = self.spec.ignores_table_size() {
                return Err(format!("{} has no size to choose: {reason}", self.base.name));
            }
        }
        Ok(())
    }

    fn set_threads(&mut self, value: &str) -> Result<(), String> {
        let count = value.parse();
        let count = count
            .map_err(|_| format!("threads={value}: not a number of threads, as in {}@threads=2", self.base.name))?;
        Threads::of(count).is_possible().map_err(|error| format!("threads={value}: {error}"))?;
        if self.threads.replace(count).is_some() { Err("threads= twice".to_string()) } else { Ok(()) }
    }

    /// This name with further changes, `axis=value,...`.
    ///
    /// # Errors
    /// As [`Spec::parse_once`].
    pub fn with(&self, changes: &str) -> Result<Self, NameError> {
        let spec = Spec::parse_once(changes, self.spec)?;
        if let Some(reason) = spec.ignores_table_size().filter(|_| self.tt_bytes.is_some()) {
            return Err(format!("{} with {changes} has no size to choose: {reason}", self.text).into());
        }
        let mut changed = Name { spec, named: registry::named(spec), ..self.clone() };
        changed.text = changed.to_string();
        Ok(changed)
    }

    /// The name of a choice: its named variant, or changes to the named variant that differs on the fewest axes.
    pub fn of(spec: Spec) -> Self {
        let nearest = registry::ALL.iter().min_by_key(|entry| spec.diff(entry.spec).len());
        let base = nearest.expect("there are named variants");
        let mut name = Self::plain(base, spec, registry::named(spec));
        name.text = name.to_string();
        name
    }

    /// The same choices and settings, as a dynamic variant.
    pub fn at_run_time(&self) -> Self {
        let Some(named) = self.named else { return self.clone() };
        let text = format!("{}[]{}", named.name, self.settings());
        Name { text, base: named, named: None, ..self.clone() }
    }

    /// The name as it was written; rows and tables show it.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The named variant before the brackets.
    pub fn base(&self) -> &'static Entry {
        self.base
    }

    /// Its choice on every axis.
    pub fn spec(&self) -> Spec {
        self.spec
    }

    /// The named variant whose type runs it; `None` for a dynamic variant.
    pub fn named(&self) -> Option<&'static Entry> {
        self.named
    }

    /// True for a dynamic variant: its times are compared only with those of other dynamic variants.
    pub fn is_run_time(&self) -> bool {
        self.named.is_none()
    }

    /// True if it is a dynamic variant on `board`. Few named variants are compiled for other boards than 7x6.
    pub fn is_run_time_on(&self, board: BoardSize) -> bool {
        self.named.is_none_or(|entry| !entry.is_compiled(board))
    }

    /// The error is the reason why this build does not run it under its name on `board`.
    ///
    /// # Errors
    /// The reason, as a phrase for tables and messages.
    pub fn available_on(&self, board: BoardSize) -> Result<(), &'static str> {
        registry::available(self.spec, !self.is_run_time_on(board))
    }

    /// Bytes of its table, if the name gives them.
    pub fn tt_bytes(&self) -> Option<u64> {
        self.tt_bytes
    }

    /// The threads of a search: one, unless the name gives another number.
    pub fn threads(&self) -> Threads {
        Threads::of(self.threads.unwrap_or(1))
    }

    /// True if it gives the number of threads, even if that is one.
    pub fn says_threads(&self) -> bool {
        self.threads.is_some()
    }

    /// This name with one thread.
    #[must_use]
    pub fn with_one_thread(&self) -> Self {
        if !self.says_threads() {
            return self.clone();
        }
        let mut name = Name { threads: None, ..self.clone() };
        name.text = name.to_string();
        name
    }

    /// Its choice, table size and kind of variant. Two names for which these are equal differ only in their threads.
    pub fn alone(&self) -> (Spec, Option<u64>, bool) {
        (self.spec, self.tt_bytes, self.is_run_time())
    }

    /// The options that it is built with: `options`, with the table size of the name if it gives one.
    pub fn options(&self, options: &Options) -> Options {
        let mut own = *options;
        own.tt_bytes = self.tt_bytes.unwrap_or(own.tt_bytes);
        own
    }

    /// Why the common table size does not apply to it. `None` if it applies, or if the name gives a size.
    pub fn ignores_options(&self) -> Option<&'static str> {
        if self.tt_bytes.is_some() { None } else { self.spec.ignores_table_size() }
    }

    /// Builds its solver.
    ///
    /// # Errors
    /// The system refuses the memory of the table, or the threads.
    pub fn build(&self, options: &Options) -> Result<Box<dyn Solve>, BuildError> {
        let options = self.options(options);
        let mut solver =
            self.named.map_or_else(|| registry::build(self.spec, &options), |entry| entry.build(&options))?;
        solver.use_threads(self.threads()).map_err(BuildError::Threads)?;
        Ok(solver)
    }

    /// Builds it with counters: for passes that are not timed.
    ///
    /// # Errors
    /// The system refuses the memory of the table, or the name has several threads, which cannot be counted.
    pub fn build_counted(&self, options: &Options) -> Result<Box<dyn Solve>, BuildError> {
        if self.threads().count > 1 {
            return Err(BuildError::Threads(ThreadsError::Counted));
        }
        registry::build_counted(self.spec, &self.options(options))
    }

    /// The geometry of its search on `board`, as rows name it.
    pub fn geometry(&self, board: BoardSize) -> String {
        self.spec.layout.geometry(board)
    }

    fn settings(&self) -> String {
        let size = self.tt_bytes.map(size::show);
        let threads = self.threads.map(|count| format!("threads={count}"));
        let settings: Vec<String> = size.into_iter().chain(threads).collect();
        if settings.is_empty() { String::new() } else { format!("@{}", settings.join(",")) }
    }
}

/// The canonical name: the named variant that runs it, or the changes in the order of the axes.
impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.named {
            Some(entry) => f.write_str(entry.name)?,
            None => {
                let changes = self.spec.diff(self.base.spec);
                let changes: Vec<String> = changes.iter().map(|(key, value, _)| format!("{key}={value}")).collect();
                write!(f, "{}[{}]", self.base.name, changes.join(","))?;
            }
        }
        f.write_str(&self.settings())
    }
}

/// The names of a list, separated by commas. Commas within brackets, or between settings of one name, do not separate.
pub fn list(text: &str) -> Vec<&str> {
    let (mut names, mut start, mut depth) = (Vec::new(), 0, 0usize);
    for (index, c) in text.char_indices() {
        match c {
            '[' => depth += 1,
            ']' => depth = depth.saturating_sub(1),
            ',' if depth == 0 && !(text[start..index].contains('@') && is_setting(&text[index + 1..])) => {
                names.push(&text[start..index]);
                start = index + 1;
            }
            _ => {}
        }
    }
    names.push(&text[start..]);
    names
}

/// True if `rest` begins with a setting of the name before, not with another name.
fn is_setting(rest: &str) -> bool {
    let part = &rest[..rest.find([',', '[']).unwrap_or(rest.len())];
    !part.contains('@') && (part.contains('=') || size::parse(part).is_ok())
}

/// The number of names that a message shows.
const SHOWN: usize = 3;
/// The number of characters of a name that a message shows.
const LONGEST: usize = 60;

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NameError {
    /// An unknown name of a `kind`: `variant`, `axis`, `value of order`. Callers may suggest the nearest known one.
    Unknown {
        kind: String,
        name: String,
        known: Vec<&'static str>,
    },
    Refused(String),
}

impl NameError {
    pub fn unknown(kind: &str, name: &str, known: impl Iterator<Item = &'static str>) -> Self {
        let name = name.chars().take(LONGEST).collect();
        NameError::Unknown { kind: kind.to_string(), name, known: known.collect() }
    }
}

impl fmt::Display for NameError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (kind, name, known) = match self {
            NameError::Unknown { kind, name, known } => (kind, name, known),
            NameError::Refused(reason) => return f.write_str(reason),
        };
        write!(f, "no {kind} {name:?}")?;
        let (shown, rest) = known.split_at(known.len().min(SHOWN));
        for (index, name) in shown.iter().enumerate() {
            write!(f, "{}{name:?}", if index == 0 { "; known: " } else { ", " })?;
        }
        if rest.is_empty() { Ok(()) } else { write!(f, " and {} more", rest.len()) }
    }
}

impl std::error::Error for NameError {}

impl From<String> for NameError {
    fn from(reason: String) -> Self {
        NameError::Refused(reason)
    }
}
