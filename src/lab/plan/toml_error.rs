//! What is wrong with a TOML file: file, line and reason, with the nearest key for one that is unknown.

use c4lab_solver::search::spec::unknown;

/// The error as people read it. `keys` are those that the file may have.
pub fn explain(file: &str, text: &str, error: &toml::de::Error, keys: &[&str]) -> anyhow::Error {
    let message = error.message();
    let field = message.strip_prefix("unknown field `").and_then(|rest| rest.split('`').next());
    let reason = match field {
        Some(field) if keys.contains(&field) => {
            format!("the key {field:?} does not belong here; one of the whole file stands above the first table, [...]")
        }
        Some(field) => unknown("key", field, keys.iter().copied()),
        None => message.lines().next().unwrap_or_default().to_string(),
    };
    let line = error.span().map(|span| format!(", line {}", line_of(text, span.start)));
    anyhow::anyhow!("{file}{}: {reason}", line.unwrap_or_default())
}

/// The line of a byte, from 1.
pub fn line_of(text: &str, byte: usize) -> usize {
    1 + text.as_bytes()[..byte.min(text.len())].iter().filter(|&&byte| byte == b'\n').count()
}
