//! The solver and the Python module build wherever Rust does: no line of theirs asks for a Unix. The laboratory needs one, and says so;
//! what only Linux has is left out elsewhere.

use super::{sources, table};

/// What a Unix alone has, as a line of code names it.
const UNIX: [&str; 4] = ["std::os::", "libc::", "rustix", "signal_hook"];

/// What Linux alone has, of what is used here.
const LINUX: [&str; 4] = ["sched_setaffinity", "sched_getaffinity", "set_parent_process_death_signal", "LinuxHugepage"];

/// How far above a line its condition may stand.
const NEAR: usize = 8;

/// Lines of code with such a name that no condition above them keeps to Linux, by place.
fn for_all(folders: &[&str], names: &[&str]) -> Vec<String> {
    let mut found = Vec::new();
    for source in sources(folders) {
        let lines: Vec<(usize, &str)> = source.code().collect();
        for (index, (number, line)) in lines.iter().enumerate() {
            let above = &lines[index.saturating_sub(NEAR)..index];
            let kept = above.iter().any(|(_, line)| line.contains("cfg(") && line.contains("target_os = \"linux\""));
            if names.iter().any(|name| line.contains(name)) && !kept {
                found.push(format!("{}:{number}: {}", source.path, line.trim()));
            }
        }
    }
    found
}

#[test]
fn the_solver_needs_no_unix() {
    assert_eq!(for_all(&["solver/src", "python/src"], &UNIX), [""; 0]);
    assert_eq!(for_all(&["src", "solver/src", "python/src"], &LINUX), [""; 0]);
    // The look finds what is there: the laboratory waits for programs as a Unix does.
    assert!(for_all(&["src"], &UNIX).iter().any(|line| line.contains("process.rs")));
}

/// What is Unix's is a dependency on a Unix alone.
#[test]
fn the_solver_depends_on_nothing_of_a_unix_elsewhere() {
    let manifest = table("solver/Cargo.toml");
    let everywhere = manifest["dependencies"].as_table().unwrap();
    assert!(!everywhere.contains_key("rustix") && !everywhere.contains_key("libc"));
    let targets = manifest["target"].as_table().unwrap();
    let of_targets = targets.iter().filter(|(_, target)| target.get("dependencies").is_some());
    assert_eq!(of_targets.map(|(name, _)| name.as_str()).collect::<Vec<_>>(), ["cfg(unix)"]);
    // For tests: the model of the tables.
    assert_eq!(targets["cfg(loom)"].as_table().unwrap().keys().collect::<Vec<_>>(), ["dev-dependencies"]);
    assert_eq!(targets.len(), 2);
    let python = table("python/Cargo.toml");
    assert_eq!(python["dependencies"].as_table().unwrap().keys().collect::<Vec<_>>(), ["c4lab-solver", "pyo3"]);
    assert!(python.get("target").is_none());
}

#[test]
fn the_laboratory_says_what_is_missing() {
    let library = std::fs::read_to_string("src/lib.rs").unwrap();
    assert!(library.contains("#[cfg(not(unix))]\ncompile_error!("));
}
