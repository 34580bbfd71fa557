//! Puts build information into the binary: git revision, compiler, flags, target.
//!
//! `files/build_info.rs` has the constants. Without git, or outside a checkout of this project, the revision is empty
//! and the build goes on.

use std::path::Path;
use std::process::Command;

/// The sources of the binary. An uncommitted change here makes it dirty.
const SOURCES: [&str; 10] = [
    "src",
    "solver/src",
    "solver/Cargo.toml",
    "test-sets",
    "experiments",
    "extras",
    "Cargo.toml",
    "Cargo.lock",
    ".cargo",
    "rust-toolchain.toml",
];

const ROOT: &str = "../..";

fn main() {
    std::env::set_current_dir(ROOT).expect("the package is in the laboratory's checkout");
    for source in SOURCES.into_iter().filter(|source| Path::new(source).exists()) {
        println!("cargo::rerun-if-changed={ROOT}/{source}");
    }
    println!("cargo::rerun-if-env-changed=RUSTFLAGS");
    // A folder inside another repository is not a checkout of this project.
    let tracked = git(&["ls-files", "--error-unmatch", "Cargo.toml"]).is_some();
    let revision = tracked.then(|| git(&["rev-parse", "HEAD"])).flatten();
    let dirty = revision.as_ref().and_then(|_| {
        let arguments = [&["status", "--porcelain", "--"], &SOURCES[..]].concat();
        git(&arguments).map(|changes| !changes.is_empty())
    });
    if revision.is_some() {
        watch_git();
    }
    tell("VERSION", &version(revision.as_deref(), dirty));
    tell("GIT_REV", revision.as_deref().unwrap_or_default());
    tell("GIT_DIRTY", dirty.map_or("", |dirty| if dirty { "true" } else { "false" }));
    let rustc = std::env::var("RUSTC").unwrap_or("rustc".to_string());
    tell("RUSTC", &output(Command::new(rustc).arg("--version")).unwrap_or_default());
    for (name, variable) in [
        ("TARGET", "TARGET"),
        ("TARGET_FEATURES", "CARGO_CFG_TARGET_FEATURE"),
        ("RUSTFLAGS", "CARGO_ENCODED_RUSTFLAGS"),
    ] {
        // Encoded flags are separated by a character that occurs in no flag.
        tell(name, &std::env::var(variable).unwrap_or_default().replace('\x1f', " "));
    }
}

fn version(revision: Option<&str>, dirty: Option<bool>) -> String {
    let version = std::env::var("CARGO_PKG_VERSION").unwrap_or_default();
    match (revision, dirty) {
        (Some(revision), Some(true)) => format!("{version} (git {revision}, dirty)"),
        (Some(revision), _) => format!("{version} (git {revision})"),
        (None, _) => format!("{version} (not built in git)"),
    }
}

/// Runs this script again after a checkout or a commit. Git gives the paths, which differ in a worktree.
fn watch_git() {
    let branch = git(&["symbolic-ref", "--quiet", "HEAD"]);
    let files = ["HEAD", "logs/HEAD", "index", "packed-refs"].map(str::to_string);
    for file in files.into_iter().chain(branch) {
        // A missing file would count as changed on every build.
        if let Some(path) = git(&["rev-parse", "--git-path", &file]).filter(|path| Path::new(path).exists()) {
            println!("cargo::rerun-if-changed={}", Path::new(ROOT).join(path).display());
        }
    }
}

/// The output of git, if it is installed and succeeds. Without optional locks, git does not change the index.
fn git(arguments: &[&str]) -> Option<String> {
    output(Command::new("git").env("GIT_OPTIONAL_LOCKS", "0").args(arguments))
}

fn output(command: &mut Command) -> Option<String> {
    let output = command.output().ok().filter(|output| output.status.success())?;
    Some(String::from_utf8_lossy(&output.stdout).trim().to_string())
}

fn tell(name: &str, value: &str) {
    println!("cargo::rustc-env=C4LAB_{name}={}", value.replace('\n', " "));
}
