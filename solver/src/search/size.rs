//! Sizes in bytes, parsed and shown.

/// Units of a size, longer names before those that they end with.
const UNITS: [(&str, u64); 9] = [
    ("kib", 1 << 10),
    ("mib", 1 << 20),
    ("gib", 1 << 30),
    ("tib", 1 << 40),
    ("eib", 1 << 60),
    ("kb", 1_000),
    ("mb", 1_000_000),
    ("gb", 1_000_000_000),
    ("tb", 1_000_000_000_000),
];

/// A number of bytes: `64MiB`, `1GiB`, `512KiB`, `40MB`, or plain bytes. Case is ignored.
pub fn parse(text: &str) -> Result<u64, String> {
    let lower = text.trim().to_ascii_lowercase();
    let with_unit = UNITS.iter().find_map(|(unit, bytes)| Some((lower.strip_suffix(unit)?, *bytes)));
    let (number, unit) = with_unit.unwrap_or((lower.strip_suffix('b').unwrap_or(&lower), 1));
    let number = number.trim_end();
    let digits = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
    if !digits {
        return Err("not a size; write 64MiB, 1GiB, 512KiB, 40MB or a number of bytes".to_string());
    }
    let number: Option<u64> = number.parse().ok();
    number.and_then(|number| number.checked_mul(unit)).ok_or_else(|| "more bytes than 64 bits count".to_string())
}

/// A size as a whole number of the largest unit that allows it. [`parse`] reads it back.
pub fn show(bytes: u64) -> String {
    let units = [("TiB", 1u64 << 40), ("GiB", 1 << 30), ("MiB", 1 << 20), ("KiB", 1 << 10)];
    let whole = units.iter().find(|(_, unit)| bytes >= *unit && bytes.is_multiple_of(*unit));
    whole.map_or(bytes.to_string(), |(name, unit)| format!("{}{name}", bytes / unit))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_have_units_of_two_kinds() {
        let cases = [
            ("64MiB", 64 << 20),
            ("1GiB", 1 << 30),
            ("512 KiB", 512 << 10),
            ("40MB", 40_000_000),
            ("1eib", 1 << 60),
            ("0", 0),
            ("1", 1),
            ("1B", 1),
            ("18446744073709551615", u64::MAX),
        ];
        for (text, value) in cases {
            assert_eq!(parse(text), Ok(value), "{text}");
        }
        for text in ["", "MiB", "64M", "1.5GiB", "-1", "+1", "x", "0x10", "18446744073709551616", "99EiB"] {
            assert!(parse(text).is_err(), "{text}");
        }
    }

    #[test]
    fn a_size_is_shown_as_it_may_be_read() {
        for (bytes, shown) in [(64 << 20, "64MiB"), (1 << 30, "1GiB"), (1 << 50, "1024TiB"), (1000, "1000"), (0, "0")] {
            assert_eq!((show(bytes).as_str(), parse(shown)), (shown, Ok(bytes)));
        }
    }
}
