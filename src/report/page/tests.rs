//! The page as text. What a browser makes of it is in `tests/suite/cmd/page.rs`.

use crate::lab::files::folder::tests::sample;
use crate::lab::files::manifest::Manifest;
use crate::lab::files::sample::{Sample, Status};
use crate::report::page::*;
use crate::report::reading::tests::reading;
use crate::report::results::tests::results;
use crate::report::tables::summary::{sheets, summarise};

const NAME: &str = "<script>alert(1)</script>";

/// The manifest of a record, under a name that looks like markup.
fn manifest() -> Manifest {
    let text = include_str!("../../../results/2026-11-20-ladder/manifest.json");
    let mut manifest: Manifest = serde_json::from_str(text).unwrap();
    manifest.experiment.name = NAME.to_string();
    manifest.experiment.about = format!("About {NAME} \"&\" <img src=x onerror=alert(1)>");
    manifest
}

fn page(rows: &[Sample]) -> String {
    let results = results(rows, &["a"]);
    let lines = summarise(&results, 1);
    let reading = Reading { results, manifest: manifest(), ..reading(rows) };
    html(&reading, &lines, &sheets(&lines)).unwrap()
}

#[test]
fn nothing_in_the_data_becomes_markup() {
    let bad = |variant: &str, set: &str| Sample {
        set: set.to_string(),
        moves: Some("</script><b>".to_string()),
        machine_id: NAME.to_string(),
        ..sample(variant, 1, 100, 10)
    };
    let page = page(&[bad("a", NAME), bad(NAME, NAME), bad("\"' onload='alert(1)", "b\" onclick=\"x")]);
    assert_eq!(page.matches("<script").count(), 2, "the data and the script of the page");
    assert_eq!(page.matches("</script>").count(), 2);
    // What the script reads is JSON, in which only the end of its element would be markup.
    let (page, _) = page.split_once("id=\"data\"").unwrap();
    for markup in ["<img", "<b>", "\" onclick", "' onload"] {
        assert!(!page.contains(markup), "{markup}");
    }
    assert!(page.contains("About &lt;script&gt;"));
}

#[test]
fn the_words_are_on_the_page() {
    let page = page(&[sample("a", 1, 100, 10)]);
    let words = page.split("<section id=\"words\">").nth(1).unwrap();
    assert!(page.contains("href=\"#words\"") && crate::report::words::words().count() > 80);
    for term in crate::report::words::words() {
        assert!(words.contains(&format!("<dt>{}</dt>", escape(term.word))), "{term:?}");
    }
}

#[test]
fn nothing_is_loaded() {
    let page = page(&[sample("a", 1, 100, 10), sample("b", 1, 50, 5)]);
    let own = page.replace("http-equiv", "");
    assert!(!own.contains("http") || own.matches("http").count() == own.matches("http://www.w3.org/2000/svg").count());
    for word in ["<img", "@import", "url(", "fetch(", "XMLHttpRequest", "<link rel=\"stylesheet"] {
        assert!(!page.contains(word), "{word}");
    }
    assert!(page.contains("default-src 'none'"));
}

#[test]
fn every_ground_has_its_tables_and_pictures() {
    let weak = Sample { goal: c4lab_solver::search::Goal::Weak, ..sample("b", 1, 50, 5) };
    let page = page(&[sample("a", 1, 100, 10), sample("b", 1, 50, 5), weak]);
    assert_eq!(page.matches("<section class=\"ground\"").count(), 2);
    assert_eq!(page.matches("<table>").count(), 2);
    assert_eq!(page.matches("<svg ").count(), 8 + 6, "one variant has no pairs");
    assert!(page.contains("<option>weak</option>") && page.contains("href=\"#g1\">s, weak</a>"));
    assert!(!page.contains("Do not believe"));
}

#[test]
fn what_is_wrong_is_said_first() {
    let wrong = Sample { status: Status::Wrong, score: Some(9), ..sample("a", 1, 100, 10) };
    let page = page(&[wrong]);
    let (fault, table) = (page.find("1 rows with a wrong score").unwrap(), page.find("<table>").unwrap());
    assert!(fault < table);
}
