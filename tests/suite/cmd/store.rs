//! Stores: built in parts, resumed, written in every form, verified against every reply.

use crate::support::place::{place, shown};
use crate::support::process::run;
use flate2::Compression;
use flate2::write::GzEncoder;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

fn build(out: &Path, more: &[&str]) -> (i32, String, String) {
    run(&[&["store", "build", "--out", shown(out)], more].concat())
}

fn pack(folders: &[&Path], more: &[&str], out: &Path) -> (i32, String, String) {
    let folders: Vec<&str> = folders.iter().map(|folder| shown(folder)).collect();
    run(&[&["store", "pack", "--out", shown(out)], &folders[..], more].concat())
}

fn sorted_lines(folder: &Path) -> Vec<String> {
    let text = fs::read_to_string(folder.join("store.csv")).expect("rows");
    let mut lines: Vec<String> = text.lines().map(str::to_string).collect();
    lines.sort();
    lines
}

#[test]
fn a_store_is_built_resumed_written_in_every_form_and_every_move_keeps_the_value() {
    let (_place, folder) = place();
    let whole = folder.join("whole");
    let (status, stdout, stderr) = build(&whole, &["--for", "both", "--plies", "7"]);
    assert!(status == 0 && stdout.contains("311 positions in "), "{stdout}{stderr}");
    // Written down at once, it is the file that pack writes.
    let (status, stdout, stderr) = build(&whole, &["--for", "both", "--plies", "7", "--form", "tree"]);
    assert!(status == 0 && stdout.contains("tree.store: moves with fewer than 7 stones, as tree"), "{stdout}{stderr}");
    assert_eq!(pack(&[&whole], &["--plies", "7", "--form", "tree"], &folder.join("tree")).0, 0);
    assert!(fs::read(whole.join("tree.store")).expect("a store") == fs::read(folder.join("tree")).expect("a store"));
    let (status, _, stderr) =
        build(&folder.join("part"), &["--for", "both", "--plies", "7", "--form", "tree", "--shard", "1/2"]);
    assert!(status == 2 && stderr.contains("--shard"), "{stderr}");
    // A torn row and some that are lost: the same command puts them back.
    let rows = sorted_lines(&whole);
    let text = fs::read_to_string(whole.join("store.csv")).expect("rows");
    fs::write(whole.join("store.csv"), &text[..text.len() / 2]).expect("rows");
    assert_eq!(build(&whole, &["--for", "both", "--plies", "7", "--threads", "1"]).0, 0);
    assert_eq!(sorted_lines(&whole), rows);
    for form in
        ["dictionary", "sets", "sets-but-one", "mirrored", "opponent", "tree", "positions", "exceptions", "retrieval"]
    {
        let file = folder.join(form);
        let (status, _, stderr) = pack(&[&whole], &["--plies", "7", "--form", form], &file);
        assert_eq!(status, 0, "{form}: {stderr}");
        let (status, stdout, stderr) = run(&["store", "verify", shown(&file), "--quiet"]);
        assert!(status == 0 && stdout.contains("every move keeps the value"), "{form}: {stdout}{stderr}");
    }
    let kept = folder.join("kept");
    let (status, stdout, stderr) = run(&["store", "sizes", shown(&whole), "--lines", "6", "--out", shown(&kept)]);
    assert!(status == 0 && stdout.contains("retrieval"), "{stdout}{stderr}");
    let rows = fs::read_to_string(kept.join("sizes.csv")).expect("rows");
    // Nine forms to six stones, three that hold no lines to seven.
    assert_eq!(rows.lines().count(), 1 + 5 * 9 + 3, "{rows}");
    let file = shown(&folder.join("retrieval")).to_string();
    assert_eq!(run(&["store", "verify", &file, "--quiet", "--out", shown(&kept)]).0, 0);
    assert!(fs::read_to_string(kept.join("verified.csv")).expect("rows").contains(",first,6,"));
    let (status, _, stderr) = run(&["store", "verify", &file, "--quiet", "--out", shown(&kept)]);
    assert!(status == 1 && stderr.contains("a walk begins anew"), "{stderr}");
    // Both stand in a document.
    let page = folder.join("page.md");
    let begin = |kind: &str| format!("<!-- c4lab:begin {kind} {} -->\n<!-- c4lab:end -->\n", shown(&kept));
    fs::write(&page, begin("sizes") + &begin("verified")).expect("a page");
    let (status, _, stderr) = run(&["report", shown(&kept), "--splice", shown(&page)]);
    let text = fs::read_to_string(&page).expect("a page");
    assert!(status == 0 && text.contains("| dictionary") && text.contains("every reply was walked"), "{text}{stderr}");
    // Too few bytes: how far they would reach.
    let out = folder.join("none");
    let (status, _, stderr) = pack(&[&whole], &["--plies", "7", "--form", "positions", "--max-bytes", "300B"], &out);
    assert!(status == 1 && stderr.contains("more than 300; --plies ") && stderr.contains(" fits"), "{stderr}");
    let (_, _, stderr) = pack(&[&whole], &["--plies", "7", "--max-bytes", "3"], &out);
    assert!(stderr.contains("nothing fits") && !out.exists(), "{stderr}");
}

#[test]
fn parts_are_put_together_on_any_board() {
    let (_place, folder) = place();
    let arguments = ["--for", "second", "--plies", "8", "--board", "6x5"];
    let parts: Vec<PathBuf> = ["whole", "1", "2"].map(|name| folder.join(name)).into();
    assert_eq!(build(&parts[0], &arguments).0, 0);
    for (part, out) in [("1/2", &parts[1]), ("2/2", &parts[2])] {
        assert_eq!(build(out, &[&arguments[..], &["--shard", part]].concat()).0, 0);
    }
    let (one, two) = (folder.join("one.store"), folder.join("two.store"));
    assert_eq!(pack(&[&parts[0]], &["--plies", "8"], &one).0, 0);
    assert_eq!(pack(&[&parts[1], &parts[2]], &["--plies", "8"], &two).0, 0);
    assert!(fs::read(&one).expect("a store") == fs::read(&two).expect("a store"));
    assert_eq!(run(&["store", "verify", shown(&two), "--variant", "pons-12"]).0, 0);
    // A part alone lacks positions.
    let (status, _, stderr) = pack(&[&parts[1]], &["--plies", "8"], &folder.join("part.store"));
    assert!(
        status == 1 && stderr.contains("positions of the second player with 5 stones are not solved: "),
        "{stderr}"
    );
    // Rows of another board.
    let (status, _, stderr) = build(&parts[0], &["--for", "second", "--plies", "2"]);
    assert!(status == 1 && stderr.contains("store.csv, line 2: a row of 6x5, not of 7x6"), "{stderr}");
}

#[test]
fn a_move_that_gives_the_value_away_is_found_and_rows_that_lie_are_refused() {
    let (_place, folder) = place();
    assert_eq!(build(&folder, &["--for", "first", "--plies", "3"]).0, 0);
    let file = folder.join("store.csv");
    let text = fs::read_to_string(&file).expect("rows");
    // The first move: the third column, second in the order of the rule, only draws.
    let lie = text.replacen(",first,0,-,1,0,4,", ",first,0,-,1,1,3,", 1);
    assert_ne!(lie, text);
    fs::write(&file, &lie).expect("rows");
    let out = folder.join("lie.store");
    let (status, _, stderr) = pack(&[&folder], &["--plies", "1"], &out);
    assert_eq!(status, 0, "{stderr}");
    let (status, stdout, stderr) = run(&["store", "verify", shown(&out)]);
    assert!(status == 4 && stdout.contains("1 move give"), "{stdout}{stderr}");
    // A row whose column is not that of its rank.
    fs::write(&file, text.replacen(",first,0,-,1,0,4,", ",first,0,-,1,0,3,", 1)).expect("rows");
    let (status, _, stderr) = pack(&[&folder], &["--plies", "1"], &out);
    assert!(status == 1 && stderr.contains("store.csv, line 2: -: the move in place 0 is not in column 3"), "{stderr}");
}

#[test]
fn what_is_no_store_is_refused_with_the_reason() {
    let (_place, folder) = place();
    let rows = folder.join("rows");
    assert_eq!(build(&rows, &["--for", "first", "--plies", "5"]).0, 0);
    let file = folder.join("a.store");
    assert_eq!(pack(&[&rows], &["--plies", "5"], &file).0, 0);
    let bytes = fs::read(&file).expect("a store");
    let refused = |bytes: &[u8]| {
        fs::write(&file, bytes).expect("a file");
        let (status, _, stderr) = run(&["store", "verify", shown(&file)]);
        assert!(status == 1 && stderr.contains("a.store"), "{status} {stderr}");
        stderr
    };
    for end in 0..bytes.len() {
        refused(&bytes[..end]);
    }
    let packed = |text: &[u8]| {
        let mut packed = GzEncoder::new(Vec::new(), Compression::fast());
        packed.write_all(text).expect("memory");
        packed.finish().expect("memory")
    };
    assert!(refused(b"text").contains("it is not packed, cut off, or damaged"));
    assert!(refused(&packed(b"")).contains("it has no header"));
    assert!(refused(&packed(b"hello\n")).contains("it begins with \"hello\""));
    assert!(refused(&packed(b"c4lab-store 2 7x6 5 retrieval first - second -\n")).contains("a store of version 2"));
    assert!(refused(&packed(b"c4lab-store 1 7x6 5 magic first - second -\n")).contains("magic: no form of a store"));
    assert!(refused(&packed(b"c4lab-store 1 7x6 5 retrieval first 9 second -\n")).contains("shorter than it says"));
    assert!(refused(&packed(b"c4lab-store 1 7x6 5 retrieval first 0 second -\nx")).contains("longer than it says"));
}
