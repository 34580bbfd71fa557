//! `unsafe` stands in two files, each with its reason at its head, and in no others.

use super::{all, code, table};

/// The files that may be unsafe: memory and single instructions; vectors that only who has asked the processor can make.
const UNSAFE: [&str; 2] = ["solver/src/axes/level/x86.rs", "solver/src/axes/processor.rs"];

/// Whether a line of code, not of a comment, holds one of the words that unsafe code needs.
fn is_unsafe(line: &str) -> bool {
    // Not spelled out, so that this file has none.
    let words = ["|safe {", "|safe fn", "|safe impl", "|safe trait", "|safe extern", "[|safe(", "(|safe_code"];
    words.iter().any(|word| code(line).contains(&word.replace('|', "un")))
}

#[test]
fn unsafe_code_stands_in_two_files() {
    let mut found = all();
    found.retain(|source| source.text.lines().any(is_unsafe));
    let found: Vec<&str> = found.iter().map(|source| source.path.as_str()).collect();
    assert_eq!(found, UNSAFE);
    for line in ["let x = |safe { y };", "#![allow(|safe_code)]", "pub |safe fn f() {}", "#[|safe(no_mangle)]"] {
        assert!(is_unsafe(&line.replace('|', "un")), "{line}");
    }
    assert!(!is_unsafe(&"// an |safe { block }".replace('|', "un")) && !is_unsafe("'unsafe-inline'"));
}

/// The manifests deny it, too: a file that is overlooked above does not compile.
#[test]
fn every_manifest_denies_unsafe_code() {
    let workspace = table("Cargo.toml");
    assert_eq!(workspace["workspace"]["lints"]["rust"]["unsafe_code"].as_str(), Some("deny"));
    for manifest in ["Cargo.toml", "solver/Cargo.toml", "python/Cargo.toml"] {
        assert_eq!(table(manifest)["lints"]["workspace"].as_bool(), Some(true), "{manifest}");
    }
    assert_eq!(table("fuzz/Cargo.toml")["lints"]["rust"]["unsafe_code"].as_str(), Some("deny"));
}
