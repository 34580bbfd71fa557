//! Experiments: what is read is written as it was, has a digest, and can be asked everything; what is no TOML has a line.

use super::complaint::{self, FILE};
use c4lab_measure::files::manifest::digest;
use c4lab_measure::plan::experiment::Experiment;
use toml::de::DeTable;

/// Reads bytes as an experiment.
pub fn check(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let experiment = match Experiment::parse(FILE, text) {
        Ok(experiment) => experiment,
        Err(error) => return complain(&format!("{error:#}"), text),
    };
    let written = toml::to_string(&experiment).expect("an experiment is TOML");
    let again = Experiment::parse(FILE, &written).unwrap_or_else(|error| panic!("{error:#}: {written}"));
    assert_eq!(again, experiment);
    assert_eq!(digest(&again).expect("a digest"), digest(&experiment).expect("a digest"));
    let variants = experiment.variants().expect("variants were looked at");
    assert!(!experiment.names().is_empty() && experiment.names().len() >= variants.len());
    experiment.options().expect("options were looked at");
    experiment.time().expect("the time was looked at");
    let mut narrowed = experiment.clone();
    narrowed.choose(Some(&experiment.order()[..1]), None, None).expect("it has its own first variant");
    narrowed.validate().expect("a part of what is valid");
}

/// Checks an error about a TOML file: where it is no TOML at all, a line is named.
pub(super) fn complain(message: &str, text: &str) {
    let line = complaint::check(message, text.as_bytes());
    assert!(line.is_some() || DeTable::parse(text).is_ok(), "no line: {message:?}");
}
