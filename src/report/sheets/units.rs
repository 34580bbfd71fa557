//! Numbers as people read them. Only tables for people round; CSV never does.

/// A number to four significant digits, thousands set apart: `39,910`, `449.6`, `0.5123`.
pub fn four_digits(value: f64) -> String {
    if value == 0.0 || !value.is_finite() {
        return if value == 0.0 { "0".to_string() } else { "-".to_string() };
    }
    let digits = value.abs().log10().floor() as i32;
    let decimals = (3 - digits).max(0) as usize;
    let unit = 10f64.powi(digits - 3);
    let rounded = format!("{:.decimals$}", (value / unit).round() * unit);
    let (whole, rest) = rounded.split_once('.').unwrap_or((&rounded, ""));
    let rest = if rest.is_empty() { String::new() } else { format!(".{rest}") };
    format!("{}{rest}", thousands(whole))
}

/// A ratio: `1.230x`.
pub fn times(ratio: f64) -> String {
    format!("{}x", four_digits(ratio))
}

fn thousands(whole: &str) -> String {
    let mut text = String::new();
    for (index, digit) in whole.chars().enumerate() {
        if index > 0 && (whole.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A time: `4.42 us`, `3.212 ms`, `5.49 s`.
pub fn time(nanoseconds: f64) -> String {
    let (scale, unit) = match nanoseconds {
        ns if ns < 1e3 => (1.0, "ns"),
        ns if ns < 1e6 => (1e3, "us"),
        ns if ns < 1e9 => (1e6, "ms"),
        _ => (1e9, "s"),
    };
    format!("{} {unit}", four_digits(nanoseconds / scale))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn four_significant_digits() {
        for (value, text) in [
            (0.0, "0"),
            (0.51234, "0.5123"),
            (51.277, "51.28"),
            (449.59, "449.6"),
            (9472.1, "9,472"),
            (39907.2, "39,910"),
            (1_698_780.0, "1,699,000"),
            (1.0, "1.000"),
        ] {
            assert_eq!(four_digits(value), text);
        }
        assert_eq!(four_digits(f64::NAN), "-");
    }

    #[test]
    fn times_have_their_unit() {
        assert_eq!(time(4420.0), "4.420 us");
        assert_eq!(time(3.2123e6), "3.212 ms");
        assert_eq!(time(5.49e9), "5.490 s");
        assert_eq!(time(999.0), "999.0 ns");
    }
}
