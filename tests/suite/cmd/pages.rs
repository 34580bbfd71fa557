//! The first pages of the documentation: every command there is valid, those in blocks of shell are run, and other
//! programs read samples as docs/FORMAT.md says.

use crate::support::{BINARY, good, place, place_of_run, read, run, samples, timeless};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Command;

const PAGES: [&str; 3] = ["README.md", "docs/TUTORIAL.md", "docs/REFERENCE.md"];

fn commands(page: &str, kinds: &[&str]) -> Vec<String> {
    let text = read(page);
    let (mut block, mut found) = (None, Vec::new());
    for line in text.lines() {
        if let Some(kind) = line.strip_prefix("```") {
            block = if block.is_none() { Some(kind) } else { None };
        } else if block.is_some_and(|kind| kinds.contains(&kind))
            && (line.starts_with("c4lab ") || line.contains(" | "))
        {
            found.push(line.split("  #").next().unwrap().trim_end().to_string());
        }
    }
    found
}

fn shell(command: &str, folder: &Path) -> std::process::Output {
    let programs = Path::new(BINARY).parent().unwrap().display().to_string();
    let path = std::env::var("PATH").unwrap_or_default();
    Command::new("sh")
        .args(["-euc", command])
        .current_dir(folder)
        .env("PATH", format!("{programs}:{path}"))
        .env_remove("COLUMNS")
        .output()
        .unwrap()
}

/// Each command line is run with `--help` at the end, which checks the arguments before it.
#[test]
fn every_command_of_the_pages_is_understood() {
    // Lines of the documents write into this folder.
    std::fs::create_dir_all("runs").unwrap();
    for page in PAGES {
        let all = commands(page, &["sh", "text"]);
        let all: Vec<_> = all.iter().filter(|line| line.starts_with("c4lab ") && !line.contains('<')).collect();
        assert!(all.len() >= 5, "{page}: {all:?}");
        for command in all {
            let output = shell(&format!("{command} --help"), Path::new("."));
            assert!(output.status.success(), "{page}: {command}: {}", String::from_utf8_lossy(&output.stderr));
        }
    }
}

#[test]
#[ignore = "takes a minute"]
fn blocks_of_shell_run_as_they_stand() {
    for page in PAGES {
        let place = place();
        for name in ["examples", "experiments", "results", "test-sets"] {
            std::os::unix::fs::symlink(fs::canonicalize(name).unwrap(), place.path(name)).unwrap();
        }
        fs::create_dir(place.path("runs")).unwrap();
        for command in commands(page, &["sh"]) {
            let output = shell(&command, &place.path(""));
            assert!(output.status.success(), "{page}: {command}: {}", String::from_utf8_lossy(&output.stderr));
        }
    }
}

#[test]
fn the_reference_lists_every_command() {
    let text = read("docs/REFERENCE.md");
    let section = text.split("## Commands").nth(1).unwrap().split("\n## ").next().unwrap();
    let help = good("--help");
    let listed = help.lines().skip_while(|line| *line != "Commands:").skip(1).take_while(|line| !line.is_empty());
    let names: Vec<_> = listed
        .filter_map(|line| line.strip_prefix("  ")?.split(' ').next())
        .filter(|name| !name.is_empty() && *name != "help")
        .collect();
    assert!(names.len() > 10, "{help}");
    for name in names {
        assert!(section.contains(&format!("`{name}`")), "{name}");
    }
}

/// The nodes of each rung of the tutorial, on its position, and the explanation that it shows.
#[test]
fn the_tutorial_shows_what_is_printed() {
    let text = read("docs/TUTORIAL.md");
    let moves = text.split("$ c4lab solve ").nth(1).unwrap().split(' ').next().unwrap();
    let rows = text.lines().filter(|line| line.starts_with("| `pons-") || line.starts_with("| `champion`"));
    let mut count = 0;
    for row in rows {
        let cells: Vec<&str> = row.split('|').map(str::trim).collect();
        let solved = run(&format!("solve {moves} --variant {}", cells[1].trim_matches('`'))).words();
        assert_eq!(solved[0][2], cells[3].replace(',', ""), "{row}");
        count += 1;
    }
    assert_eq!(count, 11);
    for block in text.split("```text\n$ c4lab ").skip(1).map(|rest| rest.split("```").next().unwrap()) {
        let (command, shown) = block.split_once('\n').unwrap();
        assert_eq!(timeless(&good(command)), timeless(shown), "{command}");
    }
}

/// Runs the code of docs/FORMAT.md that reads samples in other programs: mean times by set, goal and variant.
#[test]
#[ignore = "needs other programs"]
fn other_programs_find_the_same_means() {
    let (_place, out) = place_of_run();
    good(&format!(
        "measure --variants pons-10,pons-12 --test-sets end-easy,middle-easy --quiet --limit 3 --goal strong,weak --out {out}"
    ));
    let mut times: BTreeMap<[String; 3], Vec<f64>> = BTreeMap::new();
    for row in samples(&out) {
        times.entry([row.set, row.goal.name().to_string(), row.variant]).or_default().push(row.wall_ns.unwrap() as f64);
    }
    let text = read("docs/FORMAT.md");
    let section = text.split("## Reading samples elsewhere").nth(1).expect("the section is there");
    let shell = section.split("```sh\n").nth(1).and_then(|rest| rest.split("```").next()).expect("lines of shell");
    assert_eq!((times.len(), shell.lines().count()), (8, 4));
    for line in shell.lines() {
        // The interpreter, and a library that it must have.
        let import = line.split("import ").nth(1).and_then(|rest| rest.split(';').next());
        let mut command = Command::new(line.split(' ').next().unwrap());
        match import {
            Some(libraries) => command.args(["-c", &format!("import {libraries}")]),
            None => command.arg("--version"),
        };
        if !command.output().is_ok_and(|output| output.status.success()) {
            println!("skipped, not installed: {}", &line[..40]);
            continue;
        }
        let output = Command::new("sh").args(["-c", line]).current_dir(&out).output().unwrap();
        assert!(output.status.success(), "{line}: {}", String::from_utf8_lossy(&output.stderr));
        let printed = String::from_utf8_lossy(&output.stdout).into_owned();
        let rows = printed.lines().skip(1).filter(|line| !line.trim().is_empty());
        let rows: Vec<Vec<&str>> = rows.map(|row| row.split(',').collect()).collect();
        assert_eq!(rows.len(), times.len(), "{line}");
        for row in rows {
            let key = [0, 1, 2].map(|at| row[at].to_string());
            let expected = times[&key].iter().sum::<f64>() / times[&key].len() as f64;
            assert!((row[3].parse::<f64>().unwrap() / expected - 1.0).abs() < 1e-9, "{line}: {key:?}");
        }
    }
}
