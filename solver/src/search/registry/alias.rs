//! Old names. Records keep the names that they were made under, and are never edited.

use std::borrow::Cow;

/// Axes: the name in old specs, the name now.
pub const AXES: [(&str, &str); 1] = [("claims", "zugzwang")];

/// Variants: the name in old records, the name now.
pub const VARIANTS: [(&str, &str); 9] = [
    ("champion-claims-none", "champion-zugzwang-none"),
    ("champion-claims-dead-lines", "champion-zugzwang-dead-lines"),
    ("champion-claims-follow-up", "champion-zugzwang-follow-up"),
    ("champion-claims-distance", "champion-zugzwang-distance"),
    ("champion-claims-blocked", "champion-zugzwang-blocked"),
    ("champion-claims-odd-threat", "champion-zugzwang-odd-threat"),
    ("pons-12-claims-follow-up", "pons-12-zugzwang-follow-up"),
    ("pons-12-claims-odd-threat", "pons-12-zugzwang-odd-threat"),
    ("pons-12-claims-sums", "pons-12-zugzwang-sums"),
];

/// The name that an axis has now.
pub fn axis(name: &str) -> &str {
    current(&AXES, name)
}

/// The name that a variant has now.
pub fn variant(name: &str) -> &str {
    current(&VARIANTS, name)
}

/// The name as it would be written now, of a variant with its changes and settings; any other text as it is.
pub fn name(text: &str) -> Cow<'_, str> {
    let end = text.find(['[', '@']).unwrap_or(text.len());
    let (start, rest) = text.split_at(end);
    let changes = rest.strip_prefix('[').and_then(|rest| rest.split_once(']'));
    let rest = match changes {
        Some((changes, settings)) if !changes.is_empty() => {
            let change = |change: &str| {
                let (key, value) = change.split_once('=').unwrap_or((change, ""));
                format!("{}={value}", axis(key.trim()))
            };
            Cow::Owned(format!("[{}]{settings}", changes.split(',').map(change).collect::<Vec<_>>().join(",")))
        }
        _ => Cow::Borrowed(rest),
    };
    if variant(start) == start && *rest == text[end..] {
        Cow::Borrowed(text)
    } else {
        Cow::Owned(format!("{}{rest}", variant(start)))
    }
}

fn current<'a>(names: &[(&'static str, &'static str)], name: &'a str) -> &'a str {
    names.iter().find(|(old, _)| *old == name).map_or(name, |(_, now)| now)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_keeps_its_changes_and_settings() {
        assert_eq!(name("champion-claims-none@1GiB"), "champion-zugzwang-none@1GiB");
        assert_eq!(name("champion[order=centre,claims=none]@1GiB"), "champion[order=centre,zugzwang=none]@1GiB");
        for same in ["champion", "champion[]", "champion[order=centre]", "mine", "champion-claims"] {
            assert_eq!(name(same), same);
        }
    }
}
