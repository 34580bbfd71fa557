//! The nearest known name for one that is not known: people mistype.

use c4lab_solver::search::NameError;

/// Characters of a name that a message shows, and that are compared.
const LONGEST: usize = 60;
const SHOWN: usize = 3;

/// The message for a name that is none of `known`: it suggests the nearest one, or says a few.
pub fn unknown<'a>(what: &str, name: &str, known: impl Iterator<Item = &'a str>) -> String {
    let known: Vec<&str> = known.collect();
    let short: String = name.chars().take(LONGEST).collect();
    let lead = format!("no {what} {short:?}");
    if let Some(nearest) = nearest(&short, &known) {
        return format!("{lead}; nearest: {nearest:?}");
    }
    let shown: Vec<String> = known.iter().take(SHOWN).map(|name| format!("{name:?}")).collect();
    match known.len() {
        0 => lead,
        many if many > SHOWN => format!("{lead}; known: {} and {} more", shown.join(", "), many - SHOWN),
        _ => format!("{lead}; known: {}", shown.join(", ")),
    }
}

/// What is wrong with a name, with the nearest one where there is a near one.
pub fn explain(error: impl Into<NameError>) -> String {
    match error.into() {
        NameError::Unknown(it) => unknown(&it.what, &it.name, it.known.iter().copied()),
        refused => refused.to_string(),
    }
}

/// The known name that takes the fewest edits, if that is at most one for every three characters. Of several, it is the
/// one that begins most alike. Two characters that changed places are one edit; so is a missing end, however long.
fn nearest<'a>(name: &str, known: &[&'a str]) -> Option<&'a str> {
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

#[cfg(test)]
mod tests {
    use super::*;
    use c4lab_solver::search::{Name, registry};

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
    }

    #[test]
    fn every_part_of_a_name_is_explained() {
        let near = |text: &str| explain(Name::parse(text).unwrap_err());
        assert_eq!(near("champion[ordr=centre]"), "no axis \"ordr\"; nearest: \"order\"");
        assert_eq!(near("champion[order=center]"), "no value of order \"center\"; nearest: \"centre\"");
        assert!(near("champion@x").contains("not a size"));
    }
}
