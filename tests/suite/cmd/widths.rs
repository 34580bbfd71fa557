//! Every table and every list on terminals of 80, 100 and 120 columns: no line is too long, no name is broken, nothing is lost.

use crate::support::output::{c4lab, text};
use crate::support::place::{place, shown};
use std::collections::BTreeSet;
use std::path::Path;

const WIDTHS: [usize; 3] = [80, 100, 120];

/// What a command prints for people who have so many columns; any number of them without `width`.
fn printed(arguments: &[&str], width: Option<usize>) -> String {
    let mut command = c4lab(arguments);
    if let Some(width) = width {
        command.env("COLUMNS", width.to_string());
    }
    let output = command.output().expect("c4lab starts");
    assert!(matches!(output.status.code(), Some(0 | 5)), "{arguments:?}: {}", text(&output.stderr));
    text(&output.stdout)
}

/// The words of a text. Names, numbers and their units are words.
fn words(text: &str) -> BTreeSet<&str> {
    text.split_whitespace().collect()
}

fn fits(arguments: &[&str]) {
    let whole = printed(arguments, None);
    for width in WIDTHS {
        let text = printed(arguments, Some(width));
        let long: Vec<&str> = text.lines().filter(|line| line.chars().count() > width).collect();
        assert!(long.is_empty(), "{arguments:?} at {width}: {long:#?}");
        let lost: Vec<_> = words(&whole).difference(&words(&text)).copied().collect();
        // A heading that is above an empty column of a list is not repeated in a paragraph.
        let lost: Vec<_> =
            lost.into_iter().filter(|word| !whole.starts_with(' ') || !first_line(&whole).contains(word)).collect();
        assert!(lost.is_empty(), "{arguments:?} at {width}: {lost:?}\n{text}");
    }
}

fn first_line(text: &str) -> &str {
    text.lines().next().unwrap_or_default()
}

#[test]
fn lists_fit_every_terminal() {
    for what in ["variants", "axes", "test-sets", "experiments", "attributions", "claims", "boards", "words"] {
        fits(&["list", what]);
    }
}

/// Long names, a run-time variant, two processes, limits and a program: every table has something to show.
fn measured(out: &Path) {
    let variants = "pons-06-anticipation-winning-squares,pons-12-threats-almost-wins,champion[order=centre],pons-12";
    let engine = format!("by-heart=sh {} {}", file("tests/engines/by-heart.sh"), file("test-sets/end-easy.txt"));
    let what = ["measure", "--variants", variants, "--test-sets", "end-easy,middle-easy", "--limit", "4", "--counters"];
    let how = ["--goal", "strong,weak", "--processes", "2", "--repetitions", "2", "--node-limit", "50", "--engine"];
    let output = c4lab(&[&what[..], &how, &[&engine, "--out", shown(out), "--quiet"]].concat()).output().unwrap();
    assert!(matches!(output.status.code(), Some(0 | 1)), "{}", text(&output.stderr));
}

fn file(name: &str) -> String {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(name).display().to_string()
}

#[test]
fn tables_fit_every_terminal() {
    let (_place, out) = place();
    measured(&out);
    let report = |width| {
        let mut command = c4lab(&["report", shown(&out), "--tables", TABLES]);
        command.env("COLUMNS", format!("{width}"));
        text(&command.output().unwrap().stdout)
    };
    let whole = report(10_000);
    for width in WIDTHS {
        let shown = report(width);
        assert!(shown.lines().all(|line| line.chars().count() <= width), "{width}:\n{shown}");
        let lost: Vec<_> = words(&whole).difference(&words(&shown)).copied().collect();
        assert!(lost.is_empty(), "{width}: {lost:?}\n{shown}");
    }
    let whole = report(10_000);
    let limited = "Reached a limit, with twice the limit as their time: ";
    for title in ["compared with", "by stones on the board", "process by process"] {
        let at = whole.lines().position(|line| line.starts_with("middle-easy, strong") && line.contains(title));
        let note = whole.lines().nth(at.unwrap_or_else(|| panic!("{title}: {whole}")) + 1).unwrap();
        assert!(note.contains(limited), "{title}: {note}");
    }
    fits(&["compare", shown(&out), "--base", "pons-12", "--to", "pons-12-threats-almost-wins"]);
}

const TABLES: &str = "matrix,summary,nodes,speed-ups,steps,ablation,by-ply,anatomy,anatomy-by-ply,budgets,profiles,engines,processes,turns,failures";

#[test]
fn attributions_fit_every_terminal() {
    let (_place, out) = place();
    let output = c4lab(&["attribute", "attribution-small", "--out", shown(&out), "--quiet"]).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    fits(&["report", shown(&out)]);
}
