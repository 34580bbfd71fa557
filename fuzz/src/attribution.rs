//! Attributions: what is read is written as it was, and every combination of techniques is a search.

use super::complaint::FILE;
use super::experiment::complain;
use c4lab_measure::attribution::{Attribution, MOST_TECHNIQUES};
use c4lab_solver::search::Spec;
use c4lab_solver::search::registry::PONS_12;

/// Reads bytes as an attribution.
pub fn check(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let attribution = match Attribution::parse(FILE, text) {
        Ok(attribution) => attribution,
        Err(error) => return complain(&format!("{error:#}"), text),
    };
    let written = toml::to_string(&attribution).expect("an attribution is TOML");
    let again = Attribution::parse(FILE, &written).unwrap_or_else(|error| panic!("{error:#}: {written}"));
    assert_eq!(again, attribution);
    let specs = attribution.combinations().expect("combinations were looked at");
    let count = attribution.techniques.len();
    assert!((1..=MOST_TECHNIQUES).contains(&count) && specs.len() == 1 << count);
    for (on, spec) in specs.iter().enumerate() {
        assert_eq!(spec.validate(), Ok(()));
        assert_eq!(Spec::parse(&spec.to_string(), PONS_12), Ok(*spec));
        assert_eq!(attribution.digits(on).bytes().filter(|&digit| digit == b'1').count(), attribution.on(on).count());
    }
    attribution.options().expect("options were looked at");
}
