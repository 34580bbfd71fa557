//! What is typed after an option: durations, names, specs. Every command reads them here; sizes are in
//! [`c4lab::lab::plan::bytes`], as experiments hold them too.

use c4lab::lab::sets::protocol::{Protocol, SETS};
use c4lab_solver::search::registry::{self, Entry, PONS_12};
use c4lab_solver::search::spec::unknown;
use c4lab_solver::search::{Goal, Spec};
use clap::builder::{PossibleValue, TypedValueParser};
use std::ffi::OsStr;
use std::time::Duration;

/// A duration: `10s`, `500ms`, `1m 30s`.
pub fn duration(text: &str) -> Result<Duration, String> {
    humantime::parse_duration(text).map_err(|error| format!("{error}; write 10s, 500ms or 2m"))
}

/// A ratio: `0.97`.
pub fn ratio(text: &str) -> Result<f64, String> {
    let ratio = text.parse::<f64>().ok().filter(|ratio| ratio.is_finite() && *ratio > 0.0);
    ratio.ok_or_else(|| "a ratio is a number above 0: 0.97".to_string())
}

/// A parser of names that shell completions can list.
#[derive(Clone)]
pub struct Named<T: 'static> {
    parse: fn(&str) -> Result<T, String>,
    names: fn() -> Vec<&'static str>,
}

impl<T: Clone + Send + Sync + 'static> TypedValueParser for Named<T> {
    type Value = T;

    fn parse_ref(&self, cmd: &clap::Command, arg: Option<&clap::Arg>, value: &OsStr) -> Result<T, clap::Error> {
        self.parse.parse_ref(cmd, arg, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new((self.names)().into_iter().map(PossibleValue::new)))
    }
}

/// The name of a variant.
pub fn variant() -> Named<&'static Entry> {
    Named { parse: registry::find, names: || registry::ALL.iter().map(|entry| entry.name).collect() }
}

/// `strong` or `weak`.
pub fn goal() -> Named<Goal> {
    let parse = |text: &str| {
        let names = Goal::ALL.map(Goal::name);
        let goal = Goal::ALL.into_iter().find(|goal| goal.name() == text);
        goal.ok_or_else(|| unknown("goal", text, names.into_iter()))
    };
    Named { parse, names: || Goal::ALL.map(Goal::name).to_vec() }
}

/// The name of a set that can be generated.
pub fn shipped_set() -> Named<&'static Protocol> {
    let parse = |text: &str| {
        let set = SETS.iter().find(|set| set.name == text);
        set.ok_or_else(|| unknown("test set", text, SETS.iter().map(|set| set.name)))
    };
    Named { parse, names: || SETS.iter().map(|set| set.name).collect() }
}

/// The spec of a variant by name, or `key=value,...` as changes to pons-12.
pub fn spec(text: &str) -> Result<Spec, String> {
    if text.contains('=') { Spec::parse(text, PONS_12) } else { Ok(registry::find(text)?.spec) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_need_a_unit() {
        assert_eq!(duration("10s"), Ok(Duration::from_secs(10)));
        assert_eq!(duration("500ms"), Ok(Duration::from_millis(500)));
        assert!(duration("10").is_err() && duration("-1s").is_err() && duration("").is_err());
    }

    #[test]
    fn ratios_are_above_zero() {
        assert_eq!(ratio("0.97"), Ok(0.97));
        assert!(["0", "-1", "nan", "inf", "1x", ""].iter().all(|text| ratio(text).is_err()));
    }

    #[test]
    fn a_spec_is_a_name_or_changes() {
        assert_eq!(spec("pons-12"), Ok(PONS_12));
        assert_eq!(spec("order=centre").unwrap().diff(PONS_12), [("order", "centre", "threats")]);
        assert_eq!(spec("pons12").unwrap_err(), "no variant \"pons12\"; nearest: \"pons-12\"");
    }
}
