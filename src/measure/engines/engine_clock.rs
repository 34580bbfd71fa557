//! Engine clock: whose time of a foreign program enters the tables. Rows hold both.

use serde::{Deserialize, Serialize};

/// Whose time of a foreign program is its time in the tables.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase", try_from = "String")]
pub enum EngineClock {
    #[default]
    Ours,
    Own,
}

impl EngineClock {
    pub const NAMES: [&str; 2] = ["ours", "own"];

    pub fn name(self) -> &'static str {
        match self {
            EngineClock::Ours => "ours",
            EngineClock::Own => "own",
        }
    }

    pub fn is_ours(&self) -> bool {
        *self == EngineClock::Ours
    }
}

impl TryFrom<String> for EngineClock {
    type Error = String;

    fn try_from(name: String) -> Result<Self, String> {
        name.parse()
    }
}

impl std::str::FromStr for EngineClock {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        let known = [EngineClock::Ours, EngineClock::Own].into_iter().find(|clock| clock.name() == name);
        known.ok_or_else(|| format!("the clock {name:?} is none: choose \"ours\" (c4lab's) or \"own\" (the program's)"))
    }
}
