//! The page as text. What a browser makes of it is in `tests/suite/cmd/page.rs`.

use crate::page::*;
use crate::reading::tests::reading;
use crate::results::tests::results;
use crate::tables::list;
use crate::tables::summary::{sheets, summarise};
use c4lab_measure::files::manifest::Manifest;
use c4lab_measure::files::sample::{Sample, Status};
use c4lab_measure::fixtures::sample;

const NAME: &str = "<script>alert(1)</script>";

/// The manifest of a record, under a name that looks like markup.
fn manifest() -> Manifest {
    let text = include_str!("../../../results/2026-11-23-ladder/manifest.json");
    let mut manifest: Manifest = serde_json::from_str(text).unwrap();
    manifest.experiment.name = NAME.to_string();
    manifest.experiment.about = format!("About {NAME} \"&\" <img src=x onerror=alert(1)>");
    manifest
}

fn page(rows: &[Sample]) -> String {
    let results = results(rows, &["a"]);
    let lines = summarise(&results, 1);
    let reading = Reading { results, manifest: manifest(), ..reading(rows) };
    let matrix = list::sheets(&reading.results, 1, &[], "matrix", &list::Choice::default());
    html(&reading, &lines, &[matrix, sheets(&lines)].concat()).unwrap()
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
    assert!(page.contains("href=\"#words\"") && crate::words::words().count() > 80);
    for term in crate::words::words() {
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
    assert_eq!(page.matches("<table>").count(), 1 + 2 + 2, "the matrix, summaries, positions");
    assert_eq!(page.matches("<svg ").count(), 8 + 6, "one variant has no pairs");
    assert!(page.contains("<option>weak</option>") && page.contains("href=\"#g1\">s, weak</a>"));
    assert!(!page.contains("Do not believe"));
}

#[test]
fn the_page_begins_with_every_variant_on_every_set() {
    let wrong = Sample { status: Status::Wrong, score: Some(9), ..sample("c", 1, 1, 1) };
    let page = page(&[sample("a", 1, 100, 10), sample("b", 1, 50, 5), wrong]);
    let first = page.split("<main id=\"main\">\n").nth(1).unwrap();
    assert!(first.starts_with("<section id=\"matrix\">"), "{}", &first[..60]);
    let matrix = first.split("</section>").next().unwrap();
    assert!(matrix.contains("<td class=\"even\" data-v=\"2\"><a href=\"#g0\">2.00x (too few)</a></td>"), "{matrix}");
    assert!(matrix.contains("<td class=\"bad\"><a href=\"#g0\">1 wrong</a></td>"), "{matrix}");
    assert!(matrix.contains("Not all answers are right of: c."));
    // The machine is folded, what is wrong is not.
    let head = page.split("<header>").nth(1).unwrap().split("</header>").next().unwrap();
    let folded = head.find("<details class=\"facts\">").unwrap();
    assert!(head.find("<dt>Machine</dt>").unwrap() > folded && head.find("with a wrong score").unwrap() < folded);
}

#[test]
fn speed_ups_come_right_after_the_variant() {
    let page = page(&[sample("a", 1, 100, 10), sample("b", 1, 50, 5)]);
    let summary = page.split("<h3>Summary</h3>").nth(1).unwrap();
    let heads: Vec<&str> =
        summary.split("data-name=\"").skip(1).take(5).map(|head| head.split('"').next().unwrap()).collect();
    assert_eq!(heads, ["variant", "geometric_mean", "geometric_mean", "speedup", "speedup"]);
}

#[test]
fn positions_can_be_read_without_the_script() {
    let limited = Sample { status: Status::Timeout, limit_ns: Some(500), score: None, ..sample("b", 2, 500, 9) };
    let page = page(&[sample("a", 1, 100, 10), sample("b", 1, 50, 5), sample("a", 2, 100, 10), limited]);
    let table = page.split("<details class=\"positions\"").nth(1).unwrap().split("</details>").next().unwrap();
    assert!(table.contains("<td class=\"name\">44</td><td>1</td><td>100 ns, 10.0 nodes</td>"), "{table}");
    assert!(table.contains("limit, counts as 1.00 us"), "{table}");
}

#[test]
fn what_is_wrong_is_said_first() {
    let wrong = Sample { status: Status::Wrong, score: Some(9), ..sample("a", 1, 100, 10) };
    let page = page(&[wrong]);
    let (fault, table) = (page.find("1 rows with a wrong score").unwrap(), page.find("<table>").unwrap());
    assert!(fault < table);
}
