//! What is wrong with a TOML file: file, line and reason, with the nearest key for one that is unknown.

use crate::nearest::unknown;

pub fn explain(file: &str, text: &str, error: &toml::de::Error) -> anyhow::Error {
    let line = error.span().map(|span| format!(", line {}", line_of(text, span.start)));
    anyhow::anyhow!("{file}{}: {}", line.unwrap_or_default(), reason(error.message()))
}

/// The first line of a deserializer's message. Of an unknown key it lists all that may stand there: the nearest of them is suggested.
pub fn reason(message: &str) -> String {
    let unknown_key = message.strip_prefix("unknown field `").and_then(|rest| rest.split_once("`, expected "));
    match unknown_key {
        Some((key, expected)) => unknown("key", key, expected.split('`').skip(1).step_by(2)),
        None => message.trim().lines().next().unwrap_or_default().to_string(),
    }
}

pub fn line_of(text: &str, byte: usize) -> usize {
    1 + text.as_bytes()[..byte.min(text.len())].iter().filter(|&&byte| byte == b'\n').count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_unknown_key_is_compared_with_those_that_serde_lists() {
        for expected in ["`board`", "`name` or `board`", "one of `name`, `board`, `runs`"] {
            let message = format!("unknown field `baord`, expected {expected}\nin `x`");
            assert_eq!(reason(&message), "no key \"baord\"; nearest: \"board\"");
        }
        assert_eq!(reason("invalid type: string\nmore"), "invalid type: string");
    }
}
