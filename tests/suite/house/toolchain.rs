//! One toolchain, and one version of the project, wherever they are named.

use super::table;
use std::fs;

fn text(file: &str) -> String {
    fs::read_to_string(file).unwrap_or_else(|error| panic!("{file}: {error}"))
}

/// The minimum in the manifest (1.95), without the patch that the toolchain has (1.95.0).
fn minimum() -> String {
    table("Cargo.toml")["workspace"]["package"]["rust-version"].as_str().unwrap().to_string()
}

#[test]
fn one_toolchain_is_named_everywhere() {
    let toolchain = table("rust-toolchain.toml")["toolchain"].clone();
    let toolchain = toolchain.as_table().unwrap();
    let channel = toolchain["channel"].as_str().unwrap();
    assert_eq!(toolchain.len(), 1, "whoever has other components or targets keeps them: {toolchain}");
    let minimum = minimum();
    assert!(channel.strip_prefix(&minimum).is_some_and(|patch| patch.starts_with('.')), "{channel}, {minimum}");
    let image = text("Containerfile").lines().find_map(|line| line.strip_prefix("FROM ").map(str::to_string));
    assert_eq!(image.as_deref(), Some(format!("docker.io/library/rust:{channel}").as_str()));
    let wheel = text("python/Containerfile").lines().find_map(|line| line.strip_prefix("FROM ").map(str::to_string));
    assert_eq!(wheel, Some(format!("docker.io/library/rust:{channel}-bookworm AS build")));
    for (file, sentence) in [
        ("docs/PYTHON.md", format!("with Rust {minimum} and")),
        ("README.md", format!("Rust {minimum} or later")),
        ("CONTRIBUTING.md", format!("Rust, {minimum} or later")),
        ("CONTRIBUTING.md", format!("`rust-toolchain.toml` names {channel}")),
        ("solver/README.md", format!("needs Rust {minimum}")),
    ] {
        assert!(text(file).split_whitespace().collect::<Vec<_>>().join(" ").contains(&sentence), "{file}: {sentence}");
    }
}

#[test]
fn a_citation_is_of_this_version() {
    let (citation, manifest) = (text("CITATION.cff"), table("Cargo.toml"));
    let package = manifest["workspace"]["package"].as_table().unwrap();
    let value = |key: &str| {
        let line = citation.lines().find_map(|line| line.strip_prefix(key)?.strip_prefix(": "));
        line.unwrap_or_else(|| panic!("CITATION.cff: no {key}")).to_string()
    };
    assert_eq!(value("cff-version"), "1.2.0");
    assert_eq!(value("version"), package["version"].as_str().unwrap());
    let authors = package["authors"].as_array().unwrap();
    for author in authors.iter().filter_map(|author| author.as_str()) {
        assert!(citation.contains(&format!("  - name: {author}\n")), "{author}");
        assert!(text("LICENSE-MIT").contains(author), "{author}");
    }
    for license in package["license"].as_str().unwrap().split(" OR ") {
        assert!(citation.contains(&format!("  - {license}\n")), "{license}");
    }
    assert!(text("README.md").contains("CITATION.cff"));
}
