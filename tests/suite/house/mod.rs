//! Rules of the house that no compiler looks at, and that tests run with their checks on.

mod adding;
mod checks;

use std::fs;
use std::path::Path;

fn table(path: impl AsRef<Path>) -> toml::Table {
    fs::read_to_string(path).unwrap().parse().unwrap()
}
