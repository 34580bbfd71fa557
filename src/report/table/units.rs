//! Numbers as people read them. Only tables for people round; CSV never does.

/// A number to three significant digits, thousands set apart: `39,900`, `450`, `0.512`.
pub fn three_digits(value: f64) -> String {
    significant(value, 3)
}

/// A number to four significant digits, as in published tables.
pub fn four_digits(value: f64) -> String {
    significant(value, 4)
}

fn significant(value: f64, count: i32) -> String {
    if value == 0.0 || !value.is_finite() {
        return if value == 0.0 { "0".to_string() } else { "-".to_string() };
    }
    let unit = |value: f64| 10f64.powi(value.abs().log10().floor() as i32 - (count - 1));
    let rounded = (value / unit(value)).round() * unit(value);
    // The small factor gives a number that was rounded up to a power of ten the decimals of that power.
    let decimals = (count - 1 - (rounded.abs() * (1.0 + 5e-7)).log10().floor() as i32).max(0) as usize;
    let rounded = format!("{rounded:.decimals$}");
    let (whole, rest) = rounded.split_once('.').unwrap_or((&rounded, ""));
    let rest = if rest.is_empty() { String::new() } else { format!(".{rest}") };
    format!("{}{rest}", thousands(whole))
}

/// A written number with its thousands set apart: `1,135,470.3`.
pub fn grouped(written: &str) -> String {
    match written.split_once('.') {
        Some((whole, rest)) => format!("{}.{rest}", thousands(whole)),
        None => thousands(written),
    }
}

/// A ratio below this is shown as the inverse of another: `1/468`.
const INVERSE_BELOW: f64 = 0.1;

pub fn times(ratio: f64) -> String {
    if is_inverse(ratio) { plain_ratio(ratio) } else { format!("{}x", plain_ratio(ratio)) }
}

/// An interval of ratios: `1.21 to 1.25`, `1/478 to 1/455`.
pub fn ratios(low: f64, high: f64) -> String {
    format!("{} to {}", plain_ratio(low), plain_ratio(high))
}

fn is_inverse(ratio: f64) -> bool {
    ratio > 0.0 && ratio < INVERSE_BELOW
}

fn plain_ratio(ratio: f64) -> String {
    if is_inverse(ratio) { format!("1/{}", three_digits(1.0 / ratio)) } else { three_digits(ratio) }
}

/// A ratio of times in words: `1.23 times faster`, `468 times slower`, `as fast`.
pub fn in_words(ratio: f64) -> String {
    match three_digits(if ratio < 1.0 { 1.0 / ratio } else { ratio }).as_str() {
        "1.00" => "as fast".to_string(),
        shown if ratio < 1.0 => format!("{shown} times slower"),
        shown => format!("{shown} times faster"),
    }
}

fn thousands(whole: &str) -> String {
    if let Some(whole) = whole.strip_prefix('-') {
        return format!("-{}", thousands(whole));
    }
    let mut text = String::new();
    for (index, digit) in whole.chars().enumerate() {
        if index > 0 && (whole.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

pub fn whole(number: f64) -> String {
    grouped(&format!("{number:.0}"))
}

pub fn percent(share: f64) -> String {
    format!("{:.1} %", 100.0 * share)
}

pub fn time(nanoseconds: f64) -> String {
    let (scale, unit) = match nanoseconds {
        ns if ns < 1e3 => (1.0, "ns"),
        ns if ns < 1e6 => (1e3, "us"),
        ns if ns < 1e9 => (1e6, "ms"),
        _ => (1e9, "s"),
    };
    format!("{} {unit}", three_digits(nanoseconds / scale))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_significant_digits() {
        for (value, text) in [
            (0.0, "0"),
            (0.51234, "0.512"),
            (51.277, "51.3"),
            (449.59, "450"),
            (9472.1, "9,470"),
            (39907.2, "39,900"),
            (1_698_780.0, "1,700,000"),
            (1.0, "1.00"),
            (0.99951, "1.00"),
            (999.6, "1,000"),
        ] {
            assert_eq!(three_digits(value), text);
        }
        assert_eq!(three_digits(f64::NAN), "-");
        assert_eq!([-119.3, -0.5, -12345.0].map(three_digits), ["-119", "-0.500", "-12,300"]);
        assert_eq!(["1135470.30", "12", "-1234"].map(grouped), ["1,135,470.30", "12", "-1,234"]);
        assert_eq!([39907.2, 51.277, 0.99996].map(four_digits), ["39,910", "51.28", "1.000"]);
    }

    #[test]
    fn ratios_far_below_1_are_inverses() {
        assert_eq!([1.234, 0.5, 0.1, 0.002135].map(times), ["1.23x", "0.500x", "0.100x", "1/468"]);
        assert_eq!(ratios(0.002, 0.2), "1/500 to 0.200");
        assert_eq!(
            [1.234, 0.002135, 1.001, 0.9999].map(in_words),
            ["1.23 times faster", "468 times slower", "as fast", "as fast"]
        );
    }

    #[test]
    fn times_have_their_unit() {
        assert_eq!(time(4420.0), "4.42 us");
        assert_eq!(time(3.2123e6), "3.21 ms");
        assert_eq!(time(5.49e9), "5.49 s");
        assert_eq!(time(999.0), "999 ns");
    }
}
