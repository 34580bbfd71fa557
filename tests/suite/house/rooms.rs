//! A room imports only from rooms below it: `game`, `axes`, `search`; `lab`, `report`, `cmd`.

use super::{PACKAGES, sources};

/// The rooms that a line of code names by path.
fn named<'a>(line: &'a str, rooms: &'a [&'a str]) -> impl Iterator<Item = usize> + 'a {
    let roots = ["crate::", "c4lab::", "c4lab_solver::"];
    let behind = move |root: &'a str| line.match_indices(root).map(move |(at, _)| &line[at + root.len()..]);
    let words = roots.into_iter().flat_map(behind).flat_map(|rest| {
        // `crate::{game, axes::order}` names several.
        let group = rest.strip_prefix('{').map_or("", |group| group.split('}').next().unwrap_or_default());
        let one = if group.is_empty() { rest } else { "" };
        group.split(',').chain([one]).map(|path| path.trim().split(|c: char| !c.is_alphanumeric() && c != '_').next())
    });
    words.flatten().filter_map(|word| rooms.iter().position(|room| *room == word))
}

#[test]
fn rooms_import_only_from_rooms_below_them() {
    let mut upward = Vec::new();
    for (_, folder, rooms) in PACKAGES {
        for source in sources(&[folder]) {
            let room = source.path[folder.len() + 1..].split('/').next().unwrap_or_default();
            let Some(floor) = rooms.iter().position(|name| *name == room) else { continue };
            for (number, line) in source.code() {
                if named(line, rooms).any(|other| other > floor) {
                    upward.push(format!("{}:{number}: {}", source.path, line.trim()));
                }
            }
        }
    }
    assert!(upward.is_empty(), "{upward:#?}");
}

/// The floors of the laboratory's first room, from the bottom to the top. What lies beside them is for all.
const FLOORS: [&str; 13] = [
    "sets",
    "engines",
    "plan",
    "files",
    "run",
    "campaign",
    "attribution",
    "book",
    "matches",
    "store",
    "bot",
    "outcomes",
    "counts",
];

/// The floors that a line of code names.
fn floors(line: &str) -> impl Iterator<Item = usize> + '_ {
    let names = line.match_indices("lab::").map(|(at, _)| &line[at + "lab::".len()..]);
    let first = names.filter_map(|rest| rest.split(|c: char| !c.is_alphanumeric() && c != '_').next());
    first.filter_map(|name| FLOORS.iter().position(|floor| *floor == name))
}

#[test]
fn floors_import_only_from_floors_below_them() {
    let mut upward = Vec::new();
    for source in sources(&["src/lab"]) {
        let below = source.path["src/lab/".len()..].split('/').next().unwrap_or_default();
        let Some(own) = FLOORS.iter().position(|floor| *floor == below) else { continue };
        for (number, line) in source.code() {
            if floors(line).any(|other| other > own) {
                upward.push(format!("{}:{number}: {}", source.path, line.trim()));
            }
        }
    }
    assert!(upward.is_empty(), "{upward:#?}");
    assert_eq!(floors("use crate::lab::run::cell::Cell; // lab").collect::<Vec<_>>(), [4]);
    let folders = std::fs::read_dir("src/lab").unwrap().map(Result::unwrap).filter(|entry| entry.path().is_dir());
    assert_eq!(folders.count(), FLOORS.len(), "every folder is a floor");
}

/// The solver knows nothing of the laboratory, and every folder at the top of a package is a room.
#[test]
fn every_folder_is_a_room() {
    for (package, folder, rooms) in PACKAGES {
        for entry in std::fs::read_dir(folder).unwrap().map(Result::unwrap).filter(|entry| entry.path().is_dir()) {
            assert!(rooms.contains(&entry.file_name().to_str().unwrap()), "{package}: {:?}", entry.path());
        }
    }
    let solver = sources(&["solver/src"]);
    let laboratory = |line: &str| line.contains("c4lab::");
    assert!(solver.iter().all(|source| !source.code().any(|(_, line)| laboratory(line))));
}

#[test]
fn an_import_from_above_is_found() {
    let rooms = ["game", "axes", "search"];
    let first = |line| named(line, &rooms).collect::<Vec<_>>();
    assert_eq!(first("use crate::search::Spec;"), [2]);
    assert_eq!(first("use crate::{game::Board, axes};"), [0, 1]);
    assert_eq!((first("use super::search;"), first("use std::mem;")), (vec![], vec![]));
}
