//! What an error says: the file, the line where there is one, and a reason.

/// The name under which everything is read.
pub(super) const FILE: &str = "fuzzed.file";

/// Checks the message of an error about bytes of [`FILE`]; gives back the line that it names.
pub(super) fn check(message: &str, bytes: &[u8]) -> Option<usize> {
    let rest = message.strip_prefix(FILE).unwrap_or_else(|| panic!("no file: {message:?}"));
    let (line, reason) = match rest.strip_prefix(", line ") {
        Some(rest) => {
            let (line, reason) = rest.split_once(": ").unwrap_or_else(|| panic!("no reason: {message:?}"));
            (Some(line.parse().unwrap_or_else(|_| panic!("no line: {message:?}"))), reason)
        }
        None => (None, rest.strip_prefix(": ").unwrap_or_else(|| panic!("no reason: {message:?}"))),
    };
    assert!(!reason.trim().is_empty(), "no reason: {message:?}");
    // A reader of CSV takes either character for a line end.
    let lines = 1 + bytes.iter().filter(|&&byte| matches!(byte, b'\n' | b'\r')).count();
    assert!(line.is_none_or(|line| (1..=lines).contains(&line)), "{lines} lines: {message:?}");
    line
}
