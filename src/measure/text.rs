//! Text of messages and files: counts, timestamps, digests, suggestions for a mistyped name.

use crate::files::rows;
use anyhow::{Context, Result, anyhow, bail};
use c4lab_solver::search::NameError;
use serde::Serialize;
use sha2::{Digest, Sha256};
use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;
use std::time::{Duration, SystemTime};

/// `1 row`, `2 rows`.
pub fn pluralize(count: usize, one: &str) -> String {
    format!("{count} {one}{}", if count == 1 { "" } else { "s" })
}

/// The values without those that come again.
pub fn distinct<T: PartialEq>(values: impl IntoIterator<Item = T>) -> Vec<T> {
    let mut distinct = Vec::new();
    for value in values {
        if !distinct.contains(&value) {
            distinct.push(value);
        }
    }
    distinct
}

pub fn now() -> String {
    timestamp(SystemTime::now())
}

/// The serialized name of an enum variant without fields.
pub fn name_of(value: &impl Serialize) -> String {
    toml::Value::try_from(value).ok().and_then(|value| value.as_str().map(str::to_string)).unwrap_or_default()
}

/// The last second that has a timestamp: the end of the year 9999.
const LAST: Duration = Duration::from_secs(253_402_300_799);

/// UTC by RFC 3339, as in rows and manifests. A clock that is set to another age has the nearest timestamp.
pub fn timestamp(time: SystemTime) -> String {
    let time = time.clamp(SystemTime::UNIX_EPOCH, SystemTime::UNIX_EPOCH + LAST);
    humantime::format_rfc3339_seconds(time).to_string()
}

pub fn sha256(bytes: &[u8]) -> String {
    hexadecimal(&Sha256::digest(bytes))
}

pub fn sha256_of(file: &Path) -> io::Result<String> {
    let (mut file, mut hasher, mut buffer) = (File::open(file)?, Sha256::new(), vec![0; 1 << 16]);
    loop {
        match file.read(&mut buffer)? {
            0 => return Ok(hexadecimal(&hasher.finalize())),
            count => hasher.update(&buffer[..count]),
        }
    }
}

fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Number of characters of a name that are compared and shown in a message.
const LONGEST: usize = 60;
const SHOWN: usize = 3;

/// The message for a `name` that is not in `known`. It suggests the nearest known name, or lists the first `SHOWN`.
pub fn unknown<'a>(what: &str, name: &str, known: impl Iterator<Item = &'a str>) -> String {
    let known: Vec<&str> = known.collect();
    let short: String = name.chars().take(LONGEST).collect();
    let lead = format!("no {what} {short:?}");
    if let Some(nearest) = suggest(&short, &known) {
        return format!("{lead}; nearest: {nearest:?}");
    }
    let shown: Vec<String> = known.iter().take(SHOWN).map(|name| format!("{name:?}")).collect();
    match known.len() {
        0 => lead,
        many if many > SHOWN => format!("{lead}; known: {} and {} more", shown.join(", "), many - SHOWN),
        _ => format!("{lead}; known: {}", shown.join(", ")),
    }
}

/// The message for the error of a name, with a suggestion if there is a near name.
pub fn explain(error: NameError) -> String {
    match error {
        NameError::Unknown { kind, name, known } => unknown(&kind, &name, known.into_iter()),
        refused => refused.to_string(),
    }
}

/// The known name with the fewest edits from `name`, at most one for every three characters. Of several, it is that
/// with the most similar beginning. A swap of two adjacent characters is one edit; so is a missing end of any length.
fn suggest<'a>(name: &str, known: &[&'a str]) -> Option<&'a str> {
    let length = name.chars().count();
    let edits = |known: &str| {
        let start: String = known.chars().take(length).collect();
        strsim::osa_distance(known, name).min(strsim::osa_distance(&start, name) + 1)
    };
    let distances = known.iter().rev().map(|known| (edits(known), -strsim::jaro_winkler(known, name), *known));
    let nearer =
        |one: &(usize, f64, &str), other: &(usize, f64, &str)| one.0.cmp(&other.0).then(one.1.total_cmp(&other.1));
    let (edits, _, nearest) = distances.min_by(nearer)?;
    (3 * edits <= length).then_some(nearest)
}

/// The names and texts of files of the folder `experiments`.
macro_rules! embedded {
    ($($name:literal),+ $(,)?) => {
        &[$(($name, include_str!(concat!("../../../experiments/", $name, ".toml")))),+]
    };
}
pub(crate) use embedded;

pub fn toml_error(file: &str, text: &str, error: &toml::de::Error) -> anyhow::Error {
    let line = error.span().map(|span| format!(", line {}", line_of(text, span.start)));
    anyhow!("{file}{}: {}", line.unwrap_or_default(), toml_reason(error.message()))
}

/// The first line of a deserializer's `message`. For an unknown key, the nearest of the listed keys is suggested.
pub fn toml_reason(message: &str) -> String {
    let unknown_key = message.strip_prefix("unknown field `").and_then(|rest| rest.split_once("`, expected "));
    match unknown_key {
        Some((key, expected)) => unknown("key", key, expected.split('`').skip(1).step_by(2)),
        None => message.trim().lines().next().unwrap_or_default().to_string(),
    }
}

pub fn open_text(what: &str, name: &OsStr, embedded: &[(&str, &str)]) -> Result<String> {
    if let Some((_, text)) = embedded.iter().find(|(embedded, _)| OsStr::new(embedded) == name) {
        return Ok(text.to_string());
    }
    if !Path::new(name).exists() {
        bail!(unknown(what, &name.to_string_lossy(), embedded.iter().map(|(embedded, _)| *embedded)));
    }
    read_text(Path::new(name))
}

/// The most bytes of a file that people write; the longest, a test set, has some ten thousand.
const MOST_BYTES: u64 = 256 << 20;

/// The bytes of a file that people write: decompressed if its name ends in `.gz`, and without a byte order mark. An
/// endless device is too large.
pub fn read_file(file: &Path) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    rows::open(file)?.take(MOST_BYTES + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > MOST_BYTES {
        return Err(io::Error::other(format!("more than {MOST_BYTES} bytes")));
    }
    bytes.drain(..bytes.len() - without_mark(&bytes).len());
    Ok(bytes)
}

pub fn read_text(file: &Path) -> Result<String> {
    let bytes = read_file(file).with_context(|| format!("cannot read {}", file.display()))?;
    String::from_utf8(bytes).map_err(|_| anyhow!("{}: not text", file.display()))
}

/// `bytes` without a byte order mark, which editors and spreadsheets of Windows write before the first line.
pub fn without_mark(bytes: &[u8]) -> &[u8] {
    bytes.strip_prefix("\u{feff}".as_bytes()).unwrap_or(bytes)
}

/// `text` with a replacement for every character that would command a terminal or turn the direction of the text. Line
/// ends and tabs stay.
pub fn harmless(text: &str) -> String {
    let turns = |c: char| matches!(c, '\u{200e}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    let harms = |c: char| c.is_control() && !matches!(c, '\n' | '\t') || turns(c);
    text.replace(harms, "\u{fffd}")
}

/// Greatest length of a name.
const LONGEST_NAME: usize = 100;

/// True if `name` can be the name of a folder and a field of a row.
pub fn is_plain(name: &str) -> bool {
    let is_odd = |c: char| !(c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.'));
    !(name.is_empty() || name.len() > LONGEST_NAME || name.starts_with('.') || name.chars().any(is_odd))
}

pub fn line_of(text: &str, byte: usize) -> usize {
    1 + text.as_bytes()[..byte.min(text.len())].iter().filter(|&&byte| byte == b'\n').count()
}

#[cfg(test)]
mod tests {
    use super::*;
    use c4lab_solver::search::{Name, registry};

    #[test]
    fn a_file_has_the_digest_of_its_bytes() {
        let place = tempfile::tempdir().unwrap();
        let (file, bytes) = (place.path().join("f"), vec![7; 100_000]);
        std::fs::write(&file, &bytes).unwrap();
        assert_eq!(sha256_of(&file).unwrap(), sha256(&bytes));
        assert_eq!(sha256(b"abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    }

    #[test]
    fn only_what_is_near_is_suggested() {
        let near = |text: &str| explain(registry::find(text).unwrap_err());
        assert_eq!(near("pons12"), "no variant \"pons12\"; nearest: \"pons-12\"");
        assert_eq!(near("champoin"), "no variant \"champoin\"; nearest: \"champion\"");
        assert_eq!(near("champion-zugzwang"), "no variant \"champion-zugzwang\"; nearest: \"champion-zugzwang-sums\"");
        assert_eq!(
            unknown("set", "end", ["middle-easy", "end-easy"].into_iter()),
            "no set \"end\"; nearest: \"end-easy\""
        );
        for far in ["nope", "", "x", "12"] {
            let known = format!("no variant {far:?}; known: \"pons-03\", \"pons-04\", \"pons-05\" and ");
            assert!(near(far).starts_with(&known), "{}", near(far));
        }
        assert!(near(&"x".repeat(1000)).len() < 200);
        assert_eq!(unknown("goal", "weka", ["strong", "weak"].into_iter()), "no goal \"weka\"; nearest: \"weak\"");
        assert_eq!(
            unknown("goal", "all", ["strong", "weak"].into_iter()),
            "no goal \"all\"; known: \"strong\", \"weak\""
        );
        assert_eq!(unknown("engine", "all", [].into_iter()), "no engine \"all\"");
        let near = |text: &str| explain(Name::parse(text).unwrap_err());
        assert_eq!(near("champion[order=center]"), "no value of order \"center\"; nearest: \"centre\"");
    }

    #[test]
    fn an_unknown_key_is_compared_with_those_that_serde_lists() {
        for expected in ["`board`", "`name` or `board`", "one of `name`, `board`, `runs`"] {
            let message = format!("unknown field `baord`, expected {expected}\nin `x`");
            assert_eq!(toml_reason(&message), "no key \"baord\"; nearest: \"board\"");
        }
        assert_eq!(toml_reason("invalid type: string\nmore"), "invalid type: string");
    }
}
