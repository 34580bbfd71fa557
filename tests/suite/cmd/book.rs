//! Books: built in parts, resumed, put together, checked, looked up.

use crate::support::place::{place, shown};
use crate::support::process::run;
use std::fs;
use std::path::Path;

const SMALL: [&str; 4] = ["--board", "6x5", "--plies", "2"];

fn build(out: &Path, more: &[&str]) -> (i32, String, String) {
    run(&[&["book", "build", "--out", shown(out)], &SMALL[..], more].concat())
}

fn lines(file: &Path) -> Vec<String> {
    fs::read_to_string(file).expect("rows").lines().map(str::to_string).collect()
}

#[test]
fn a_book_is_built_resumed_and_put_together_from_parts() {
    let (_place, folder) = place();
    let (whole, one, two) = (folder.join("whole"), folder.join("1"), folder.join("2"));
    let (status, stdout, stderr) = build(&whole, &[]);
    assert!(status == 0 && stdout.contains("Book of 6x5 to ply 2"), "{stdout}{stderr}");
    let book = whole.join("6x5-2.book.gz");
    let bytes = fs::read(&book).expect("the book");
    // A torn row and one that is lost: the same command puts them back.
    let rows = lines(&whole.join("book.csv"));
    fs::remove_file(&book).expect("the book");
    let text = rows[..rows.len() - 2].join("\n") + "\n" + &rows[rows.len() - 2][..10];
    fs::write(whole.join("book.csv"), text).expect("rows");
    assert_eq!(build(&whole, &["--threads", "1"]).0, 0);
    assert_eq!((fs::read(&book).expect("the book"), lines(&whole.join("book.csv")).len()), (bytes.clone(), rows.len()));
    // Parts. One block is all that so few positions are: one of both parts has it.
    for (part, out) in [("1/2", &one), ("2/2", &two)] {
        assert_eq!(build(out, &["--shard", part]).0, 0, "{part}");
    }
    let packed = folder.join("packed.book.gz");
    let (status, _, stderr) = run(&["book", "pack", shown(&one), shown(&two), "--out", shown(&packed)]);
    assert_eq!((status, fs::read(&packed).expect(&stderr)), (0, bytes));
    let (status, stdout, stderr) = run(&["book", "check", shown(&packed), "--sample", "5", "--variant", "pons-12"]);
    assert!(status == 0 && stdout.contains("confirms 5 of 5 scores of ply 2"), "{stdout}{stderr}");
    // What it answers is what a search finds, at once.
    let solve = |more: &[&str]| {
        let (status, stdout, stderr) = run(&[&["solve", "34", "--board", "6x5"], more].concat());
        assert_eq!(status, 0, "{stderr}");
        stdout.split_whitespace().map(str::to_string).collect::<Vec<_>>()
    };
    let (searched, looked_up) = (solve(&[]), solve(&[&format!("--book={}", packed.display())]));
    assert_eq!((&searched[1], &*looked_up[2]), (&looked_up[1], "0"));
    let (status, _, stderr) = run(&["solve", "34", &format!("--book={}", packed.display())]);
    assert!(status == 2 && stderr.contains("is a book of 6x5, not of 7x6"), "{stderr}");
    let (status, stdout, stderr) = run(&["book", "time", shown(&packed), "--positions", "4", "--beyond", "2"]);
    assert!(status == 0 && stdout.contains("4 positions with 3 to 4 stones: median"), "{stdout}{stderr}");
}

#[test]
fn rows_of_another_book_are_refused() {
    let (_place, folder) = place();
    assert_eq!(build(&folder, &[]).0, 0);
    let (status, _, stderr) = run(&["book", "build", "--board", "6x5", "--plies", "1", "--out", shown(&folder)]);
    assert!(status == 1 && stderr.contains("book.csv, line 2: a row of 6x5 to ply 2, not of 6x5 to ply 1"), "{stderr}");
    let file = folder.join("book.csv");
    let rows = lines(&file);
    let changed = |place: usize, from: &str, to: &str| {
        let mut rows = rows.clone();
        assert!(rows[place].contains(from), "{}", rows[place]);
        rows[place] = rows[place].replacen(from, to, 1);
        fs::write(&file, rows.join("\n") + "\n").expect("rows");
        build(&folder, &[]).2
    };
    assert!(changed(3, ",2,", ",7,").contains("line 4: a row of 6x5 to ply 7"));
    let moves = rows[3].split(',').nth(4).expect("moves").to_string();
    assert!(changed(3, &format!(",{moves},"), ",66,").contains("line 4: 66 is not the position in place"));
    // The same position twice, with two scores.
    let fields: Vec<&str> = rows[3].split(',').collect();
    let other: Vec<&str> = fields.iter().enumerate().map(|(at, field)| if at == 5 { "14" } else { field }).collect();
    fs::write(&file, rows.join("\n") + "\n" + &other.join(",") + "\n").expect("rows");
    let (status, _, stderr) = build(&folder, &[]);
    assert!(
        status == 1 && stderr.contains(&format!("line {}: ", rows.len() + 1)) && stderr.contains("has the scores"),
        "{stderr}"
    );
}

#[test]
fn what_cannot_be_built_or_opened_says_why() {
    let (_place, folder) = place();
    fs::create_dir_all(&folder).expect("a folder");
    let file = folder.join("no.book.gz");
    fs::write(&file, b"hello, this is no book").expect("a file");
    for (arguments, status, reason) in [
        (&["book", "check", shown(&file)][..], 1, "no.book.gz: not a book: not packed as gzip"),
        (&["book", "check", "nowhere.book.gz"], 1, "cannot open nowhere.book.gz"),
        (&["book", "pack", shown(&folder), "--out", "/dev/null/x.gz"], 1, "/dev/null"),
        (&["book", "build", "--plies", "4", "--out", "/dev/null"], 1, "/dev/null"),
        (&["book", "build", "--plies", "4", "--variant", "fhourstones", "--out", "x"], 2, "says only who wins"),
        (&["book", "build", "--plies", "4", "--board", "5x3", "--out", "x"], 1, "no search was built for that board"),
        (&["book", "build", "--plies", "2", "--shard", "3/2", "--out", "x"], 2, "no shard 3 of 2"),
        (&["solve", "34", "--board", "6x5", "--book"], 1, "no book of 6x5 ships with c4lab"),
        (&["solve", "34", "--board", "6x5", "--variant", "champion@book=2"], 1, "no book of 6x5 ships with c4lab"),
        (&["solve", "34", "--variant", "champion@book=20"], 1, "the book ends with ply"),
    ] {
        let (found, _, stderr) = run(arguments);
        assert!(found == status && stderr.contains(reason), "{arguments:?}: {found} {stderr}");
    }
    let (status, stdout, stderr) = run(&["solve", "-", "--book", "--variant", "champion@1MiB,book=0"]);
    assert!(status == 0 && stdout.starts_with("- 1 0 "), "{stdout}{stderr}");
}

/// Its numbers of won, drawn and lost positions are those that are published, and another search finds the same scores.
#[test]
fn the_shipped_book_is_right() {
    let (status, stdout, stderr) = run(&["book", "check"]);
    assert!(status == 0 && stdout.matches(" equal").count() == 9, "{stdout}{stderr}");
    let (status, stdout, stderr) = run(&["solve", "-", "--book", "--analyze"]);
    let words: Vec<&str> = stdout.split_whitespace().collect();
    assert_eq!(
        (status, &words[..3], &words[4..]),
        (0, &["-", "1", "0"][..], &["-2", "-1", "0", "1", "0", "-1", "-2"][..]),
        "{stderr}"
    );
}

#[test]
fn rows_say_which_book_was_asked() {
    let (_place, folder) = place();
    let (sets, out) = (folder.join("first.txt"), folder.join("run"));
    fs::create_dir_all(&folder).expect("a folder");
    fs::write(&sets, "- 1\n").expect("a set");
    let (status, _, stderr) = run(&[
        "measure",
        "--variants",
        "champion@book=0,champion@64MiB,book=0",
        "--test-sets",
        shown(&sets),
        "--repetitions",
        "1",
        "--out",
        shown(&out),
    ]);
    assert_eq!(status, 0, "{stderr}");
    let mut rows = csv::Reader::from_path(out.join("variants.csv")).expect("rows");
    let place = rows.headers().expect("a header").iter().position(|column| column == "book").expect("a column");
    let books: Vec<String> = rows.records().map(|row| row.expect("a row")[place].to_string()).collect();
    assert_eq!(books, ["0", "0"]);
}
