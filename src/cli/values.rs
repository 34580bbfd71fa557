//! Parsers of the values of options: durations, names, specs. The parser of sizes is
//! [`c4lab_solver::search::size::parse`], because names and experiments hold sizes too.

use c4lab_measure::engines::table::EngineClock;
use c4lab_measure::sets::protocol::{Protocol, SETS};
use c4lab_measure::text::{explain, unknown};
use c4lab_solver::search::registry;
use c4lab_solver::search::{Goal, Name, Spec, name};
use clap::builder::{OsStringValueParser, PossibleValue, PossibleValuesParser, TypedValueParser};
use std::ffi::OsStr;
use std::thread::available_parallelism;
use std::time::Duration;

/// A duration: `10s`, `500ms`, `1m 30s`.
pub fn duration(text: &str) -> Result<Duration, String> {
    humantime::parse_duration(text).map_err(|error| format!("{error}; write 10s, 500ms or 2m"))
}

/// The number of threads that is `asked` for, or else the number of cores.
pub fn threads(asked: Option<u32>) -> usize {
    asked.map_or_else(|| available_parallelism().map_or(1, usize::from), |threads| threads as usize)
}

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

/// The name of a variant, with changes and settings: `champion[order=centre]@1GiB`.
pub fn variant() -> Named<Name> {
    let parse = |text: &str| Name::parse(text).map_err(explain);
    Named { parse, names: || registry::ALL.iter().map(|entry| entry.name).collect() }
}

/// The name of a variant with one thread, for a command whose threads search different positions.
pub fn one_thread() -> Named<Name> {
    let parse = |text: &str| {
        let name = Name::parse(text).map_err(explain)?;
        let is_one = name.threads().count == 1;
        if is_one { Ok(name) } else { Err(format!("{text}: each thread has positions of its own here (--threads)")) }
    };
    Named { parse, ..variant() }
}

/// The name of a set or its file. Bytes that are no text are replaced: there is no such set.
pub fn set() -> impl TypedValueParser<Value = String> {
    OsStringValueParser::new().map(|name| name.to_string_lossy().into_owned())
}

/// The names of a list. Commas within brackets do not separate names.
pub fn names(text: &str) -> Result<Vec<String>, String> {
    Ok(name::list(text).into_iter().map(str::to_string).collect())
}

/// A parser of the names of `all`.
pub fn one_of<T: Copy + Send + Sync>(
    all: &'static [T],
    name: fn(T) -> &'static str,
) -> impl TypedValueParser<Value = T> {
    let find = move |text: String| all.iter().copied().find(|one| name(*one) == text).expect("a possible value");
    PossibleValuesParser::new(all.iter().map(|one| name(*one))).map(find)
}

pub fn goal() -> impl TypedValueParser<Value = Goal> {
    one_of(&Goal::ALL, Goal::name)
}

pub fn shipped_set() -> Named<&'static Protocol> {
    let parse = |text: &str| {
        let named = SETS.iter().find(|set| set.name == text);
        named.ok_or_else(|| unknown("test set", text, SETS.iter().map(|set| set.name)))
    };
    Named { parse, names: || SETS.iter().map(|set| set.name).collect() }
}

pub fn engine_clock() -> impl TypedValueParser<Value = EngineClock> {
    one_of(&EngineClock::ALL, EngineClock::name)
}

/// A choice on every axis: the name of a variant, changed or not, without settings.
pub fn spec(text: &str) -> Result<Spec, String> {
    if text.contains('=') && !text.contains(['[', '@']) {
        return Err(format!("changes without a variant; write the variant too: pons-12[{text}]"));
    }
    let name = Name::parse(text).map_err(explain)?;
    if name.tt_bytes().is_some() {
        return Err(format!("{text}: no size of the table is possible in this name; use --tt"));
    }
    if name.says_threads() {
        return Err(format!("{text}: a variant here has no threads"));
    }
    Ok(name.spec())
}

#[cfg(test)]
mod tests {
    use super::*;
    use c4lab_solver::search::registry::PONS_12;

    #[test]
    fn ratios_are_above_zero() {
        assert_eq!(ratio("0.97"), Ok(0.97));
        assert!(["0", "-1", "nan", "inf", "1x", ""].iter().all(|text| ratio(text).is_err()));
    }

    #[test]
    fn a_spec_is_a_name_and_changes_to_it() {
        assert_eq!(spec("pons-12"), Ok(PONS_12));
        assert_eq!(spec("pons-12[order=centre]").unwrap().diff(PONS_12), [("order", "centre", "threats")]);
        assert_eq!(spec("pons12").unwrap_err(), "no variant \"pons12\"; nearest: \"pons-12\"");
        assert!(spec("champion@1GiB").unwrap_err().contains("--tt"));
        for name in ["champion@threads=2", "champion[]@threads=1"] {
            assert!(spec(name).unwrap_err().ends_with("no threads"), "{name}");
        }
        assert!(spec("order=centre").unwrap_err().ends_with("pons-12[order=centre]"));
    }
}
