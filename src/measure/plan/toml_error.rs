//! What is wrong with a TOML file: file, line and reason, with the nearest key for one that is unknown.

use crate::nearest::unknown;

/// The keys that a file may have, and where.
#[derive(Clone, Copy, Debug)]
pub struct Keys<'a> {
    /// Those of the whole file.
    pub whole: &'a [&'a str],
    /// Those of its tables, each with the table's head.
    pub below: &'a [(&'a str, &'a [&'a str])],
}

impl<'a> Keys<'a> {
    /// Keys whose place a message need not say.
    pub fn anywhere(keys: &'a [&'a str]) -> Self {
        Keys { whole: keys, below: &[] }
    }
}

/// The error as people read it.
pub fn explain(file: &str, text: &str, error: &toml::de::Error, keys: Keys<'_>) -> anyhow::Error {
    let message = error.message();
    let field = message.strip_prefix("unknown field `").and_then(|rest| rest.split('`').next());
    let reason = match field {
        Some(field) if keys.whole.contains(&field) => {
            format!("the key {field:?} does not belong here; one of the whole file stands above the first table, [...]")
        }
        Some(field) => match keys.below.iter().find(|(_, keys)| keys.contains(&field)) {
            Some((table, _)) => format!("the key {field:?} does not belong here: put it under {table}"),
            None => {
                let below = keys.below.iter().flat_map(|(_, keys)| keys.iter());
                unknown("key", field, keys.whole.iter().chain(below).copied())
            }
        },
        None => message.lines().next().unwrap_or_default().to_string(),
    };
    let line = error.span().map(|span| format!(", line {}", line_of(text, span.start)));
    anyhow::anyhow!("{file}{}: {reason}", line.unwrap_or_default())
}

/// The line of a byte, from 1.
pub fn line_of(text: &str, byte: usize) -> usize {
    1 + text.as_bytes()[..byte.min(text.len())].iter().filter(|&&byte| byte == b'\n').count()
}
