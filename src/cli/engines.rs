//! Options that name engines, which are foreign programs, and set the keys of their tables.

use crate::Usage;
use anyhow::Result;
use c4lab_measure::engines::table::EngineTable;
use c4lab_measure::text::unknown;

#[derive(Debug, clap::Args)]
pub struct EngineArgs {
    /// An engine, which is a foreign program: its name, and the command that starts it (again for more)
    #[arg(long = "engine", value_name = "NAME=COMMAND", value_parser = engine)]
    engines: Vec<(String, String)>,
    /// A key of the engines' tables, as in an experiment: score=plies, or mine.first-column=0 for one of several engines
    /// (again for more; docs/FORMAT.md, "Engines"; `c4lab check` finds the keys)
    #[arg(long = "engine-key", value_name = "[NAME.]KEY=VALUE", value_parser = key, requires = "engines")]
    keys: Vec<(String, String)>,
}

fn engine(text: &str) -> Result<(String, String), String> {
    let (name, command) = text.split_once('=').ok_or("write NAME=COMMAND, for example mine='./solver --quiet'")?;
    Ok((name.to_string(), command.to_string()))
}

pub fn key(text: &str) -> Result<(String, String), String> {
    let (key, value) = text.split_once('=').ok_or("write KEY=VALUE, for example score=plies")?;
    Ok((key.to_string(), value.to_string()))
}

pub fn table_of(command: &str, keys: &[(String, String)]) -> Result<EngineTable> {
    let table = EngineTable::typed(command, keys)?;
    table.validate()?;
    Ok(table)
}

impl EngineArgs {
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.engines.iter().map(|(name, _)| name.as_str())
    }

    /// The engines with their tables. Keys that the command line does not set have the values of `usual`, if any.
    pub fn tables(&self, usual: &[(String, String)]) -> Result<Vec<(String, EngineTable)>> {
        for (name, _) in self.keys.iter().filter_map(|(key, _)| key.split_once('.')) {
            if !self.names().any(|other| other == name) {
                return Err(Usage(format!("--engine-key: {}", unknown("engine", name, self.names()))).into());
            }
        }
        let table = |(name, command): &(String, String)| {
            let own = self.keys.iter().filter_map(|(key, value)| match key.split_once('.') {
                None => Some((key.clone(), value.clone())),
                Some((other, key)) => (other == name).then(|| (key.to_string(), value.clone())),
            });
            let keys: Vec<_> = usual.iter().cloned().chain(own).collect();
            let table = table_of(command, &keys).map_err(|error| Usage(format!("engine {name}: {error:#}")))?;
            Ok((name.clone(), table))
        };
        self.engines.iter().map(table).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn args(engines: &[&str], keys: &[&str]) -> EngineArgs {
        EngineArgs {
            engines: engines.iter().map(|text| engine(text).unwrap()).collect(),
            keys: keys.iter().map(|text| key(text).unwrap()).collect(),
        }
    }

    #[test]
    fn keys_are_those_of_one_program_or_of_all() {
        let keys = ["score=plies", "b.first-column=0", "b.reset={ line = \"reset\" }", "no-moves=0", "a.version=1.0"];
        let tables = args(&["a=./a", "b=./b --fast"], &keys).tables(&[]).unwrap();
        let toml: Vec<String> = tables.iter().map(|(_, table)| toml::to_string(table).unwrap()).collect();
        assert!(toml[0].contains("score = \"plies\"") && toml[0].contains("no-moves = \"0\""), "{}", toml[0]);
        assert!(toml[0].contains("version = \"1.0\"") && toml[0].contains("first-column = 1"), "{}", toml[0]);
        assert!(toml[1].contains("first-column = 0") && toml[1].contains("line = \"reset\""), "{}", toml[1]);
        assert!(toml[1].contains("./b --fast") && !toml[1].contains("version"), "{}", toml[1]);
    }

    #[test]
    fn wrong_keys_and_values_are_named() {
        assert!(key("score").unwrap_err().starts_with("write KEY=VALUE"));
        let error = |keys: &[&str]| args(&["a=./a"], keys).tables(&[]).unwrap_err().to_string();
        assert!(error(&["scores=plies"]).contains("\"score\""), "{}", error(&["scores=plies"]));
        assert!(error(&["score=moves"]).contains("engine a: "), "{}", error(&["score=moves"]));
        assert!(error(&["first-column=2"]).contains("first-column = 2: 0 or 1"));
        assert!(error(&["c.score=plies"]).contains("no engine \"c\""));
        assert!(error(&["answer={moves}"]).contains("an answer needs"));
    }
}
