//! `c4lab test-sets`, driven as people and scripts drive it. No test asserts a time.

use crate::support::late::{LATE, oracle};
use crate::support::process::{BINARY, Outcome, run};
use assert_cmd::Command;
use std::fs;
use std::path::Path;

fn verify(name: &str, text: &[u8], more: &[&str]) -> Outcome {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(name);
    fs::write(&path, text).unwrap();
    let file = path.to_str().unwrap();
    let (status, stdout, stderr) = run(&[&["test-sets", "verify", file], more].concat());
    let short = |text: String| text.replace(&format!("{}/", folder.path().display()), "");
    (status, short(stdout), short(stderr))
}

fn line(moves: &str) -> String {
    format!("{moves} {}\n", oracle(moves))
}

fn generate(folder: &Path, more: &[&str]) -> Outcome {
    let out = folder.to_str().unwrap();
    let fixed = ["test-sets", "generate", "--set", "end-easy", "--count", "8", "--tt", "1MiB", "--out", out];
    run(&[&fixed, more].concat())
}

#[test]
fn a_set_is_generated_from_its_seed_and_verified() {
    let folder = tempfile::tempdir().unwrap();
    let deep = folder.path().join("a/b");
    let (status, stdout, stderr) = generate(&deep, &["--threads", "1"]);
    assert_eq!((status, stderr.as_str()), (0, ""));
    let file = deep.join("end-easy.txt");
    let text = fs::read_to_string(&file).unwrap();
    assert_eq!(text.lines().count(), 8);
    assert_eq!(stdout, format!("{}  {}\n", c4lab_measure::digest::sha256(text.as_bytes()), file.display()));
    assert!(text.lines().all(|text| line(text.split(' ').next().unwrap()) == format!("{text}\n")));
    assert_eq!(fs::read_dir(&deep).unwrap().count(), 1, "no temporary file is left");
    let (status, stdout, _) = run(&["test-sets", "verify", file.to_str().unwrap(), "--scores", "pons-10"]);
    assert_eq!(status, 0, "{stdout}");
    assert!(stdout.contains("end-easy.txt: ok: 8 positions, 0 errors, 0 wrong scores"), "{stdout}");
    // The same with other threads and another judge; another with another seed.
    generate(folder.path(), &["--threads", "3", "--judge", "pons-06"]);
    assert_eq!(fs::read_to_string(folder.path().join("end-easy.txt")).unwrap(), text);
    generate(folder.path(), &["--seed", "2"]);
    assert_ne!(fs::read_to_string(folder.path().join("end-easy.txt")).unwrap(), text);
    // What is left out makes room for what would come next.
    generate(folder.path(), &["--without", file.to_str().unwrap()]);
    let others = fs::read_to_string(folder.path().join("end-easy.txt")).unwrap();
    assert_eq!(others.lines().count(), 8);
    assert!(others.lines().all(|line| !text.contains(line)), "{others}");
    assert_eq!(generate(folder.path(), &["--without", "end-esay"]).0, 1);
}

#[test]
fn what_cannot_be_generated_is_said() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("file"), "").unwrap();
    let (status, _, stderr) = generate(&folder.path().join("file"), &[]);
    assert!(status == 1 && stderr.starts_with("c4lab: cannot "), "{stderr}");
    let (status, _, stderr) = run(&["test-sets", "generate", "--set", "end-esay"]);
    assert!(status == 2 && stderr.contains("nearest: \"end-easy\""), "{stderr}");
    assert_eq!(run(&["test-sets", "generate", "--count", "0"]).0, 2);
    let (status, _, stderr) = generate(folder.path(), &["--judge", "orcale"]);
    assert!(status == 2 && stderr.contains("orcale"), "{stderr}");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
}

#[test]
fn good_files_pass_with_any_line_ends() {
    let text = format!("{}{}", line(LATE[1]), line(LATE[0]));
    for text in [text.clone(), text.replace('\n', "\r\n"), text.trim_end().to_string()] {
        let (status, stdout, stderr) = verify("mine.txt", text.as_bytes(), &["--scores", "pons-12"]);
        assert_eq!((status, stderr.as_str()), (0, ""), "{text:?}");
        assert!(stdout.starts_with("mine.txt: ok: 2 positions, 0 errors, 0 wrong scores, 0 warnings"), "{stdout}");
    }
}

#[test]
fn bad_files_fail_line_by_line() {
    let text = format!("{}44\n448 1\n{} 99\n\n44 1 1\n", line(LATE[0]), LATE[1]);
    let (status, stdout, stderr) = verify("mine.txt", text.as_bytes(), &[]);
    assert_eq!(status, 1);
    assert!(stdout.starts_with("mine.txt: FAILED: 1 position, 4 errors"), "{stdout}");
    let expected = "\
        c4lab: mine.txt, line 2: no score after the moves (`c4lab solve <FILE` finds scores)\n\
        c4lab: mine.txt, line 3: ply 3: '8' is not a column (1 to 7)\n\
        c4lab: mine.txt, line 4: 99 is not a score of this board (-18 to 18)\n\
        c4lab: mine.txt, line 6: more than moves and score\n";
    assert_eq!(stderr, expected);
}

#[test]
fn empty_binary_and_missing_files_fail() {
    let (status, _, stderr) = verify("mine.txt", b"", &[]);
    assert_eq!((status, stderr.as_str()), (1, "c4lab: mine.txt: no position in it\n"));
    let binary: Vec<u8> = (0..200_000u32).map(|i| (i.wrapping_mul(2_654_435_761) >> 24) as u8).collect();
    let (status, stdout, stderr) = verify("mine.txt", &binary, &[]);
    assert!(status == 1 && stdout.contains("FAILED: 0 positions"), "{stdout}");
    assert!(stderr.lines().count() <= 21 && stderr.contains(": and "), "{stderr}");
    let (status, stdout, stderr) = run(&["test-sets", "verify", "end-esay"]);
    assert!(status == 1 && stdout == "end-esay: FAILED\n" && stderr.contains("nearest: \"end-easy\""), "{stderr}");
    let folder = tempfile::tempdir().unwrap();
    assert_eq!(run(&["test-sets", "verify", folder.path().to_str().unwrap()]).0, 1);
}

#[test]
fn a_wrong_score_has_its_own_status() {
    let text = format!("{}{} {}\n", line(LATE[0]), LATE[1], oracle(LATE[1]) + 1);
    assert_eq!(verify("mine.txt", text.as_bytes(), &[]).0, 0);
    let (status, stdout, stderr) = verify("mine.txt", text.as_bytes(), &["--scores", "pons-12"]);
    assert_eq!(status, 4);
    assert!(stdout.contains("FAILED: 2 positions, 0 errors, 1 wrong score,"), "{stdout}");
    assert!(stderr.starts_with("c4lab: mine.txt, line 2: the score is "), "{stderr}");
}

#[test]
fn a_sample_of_the_scores_is_a_function_of_its_seed() {
    let text = format!("{}{}{} {}\n", line(LATE[0]), line(LATE[1]), LATE[2], oracle(LATE[2]) + 1);
    let sampled = |more: &[&str]| {
        let fixed = ["--scores", "pons-12", "--sample"];
        verify("mine.txt", text.as_bytes(), &[&fixed, more].concat())
    };
    assert_eq!(sampled(&["1", "--from", "3"]).0, 4);
    assert!(sampled(&["2"]).1.contains(" warnings, 2 scores checked, SHA-256 "), "{:?}", sampled(&["2"]));
    let found: Vec<i32> = (0..20).map(|seed: u32| sampled(&["1", "--seed", &seed.to_string()]).0).collect();
    assert!(found.contains(&0) && found.contains(&4), "{found:?}");
    assert_eq!(verify("mine.txt", text.as_bytes(), &["--sample", "1"]).0, 2);
}

#[test]
fn duplicates_up_to_mirror_are_errors_in_generated_sets_alone() {
    let moves = LATE[2];
    let mirror: String = moves.bytes().map(|digit| char::from(b'1' + b'7' - digit)).collect();
    let text = format!("{}{}", line(moves), line(&mirror));
    let (status, _, stderr) = verify("mine.txt", text.as_bytes(), &[]);
    assert_eq!(
        (status, stderr.as_str()),
        (0, "c4lab: mine.txt, line 2: warning: the position of line 1, up to mirror\n")
    );
    let (status, _, stderr) = verify("end-easy.txt", text.as_bytes(), &[]);
    assert_eq!(status, 1);
    assert!(stderr.contains("end-easy.txt, line 2: the position of line 1, up to mirror"), "{stderr}");
    let (status, _, stderr) = verify("end-easy.txt", b"41325711773153142223554 -1\n", &[]);
    assert!(status == 1 && stderr.contains("line 1: 23 stones; end-easy has 29 to 41"), "{stderr}");
}

/// Sets of other boards tell their board; two searches that share little say the scores of a sample again.
#[test]
fn sets_of_other_boards_are_verified_by_two_variants() {
    for (names, other) in [
        (&["6x6/end-easy", "6x6/middle-medium", "6x6/begin-easy"][..], "pons-12"),
        (&["7x7/end-easy", "7x7/middle-easy", "7x7/begin-easy"], "pons-12-table-wide"),
        (&["8x7/end-easy", "8x7/middle-easy"], "pons-12-table-wide"),
        (&["8x8/end-easy", "8x8/middle-easy"], "pons-12-table-wide"),
        (&["9x6/end-easy", "9x6/middle-easy"], "pons-12-table-wide"),
    ] {
        for variant in ["champion", other] {
            let more = ["--scores", variant, "--sample", "3", "--seed", "5"];
            let (status, stdout, stderr) = run(&[&["test-sets", "verify"], names, &more].concat());
            assert_eq!((status, stderr.as_str()), (0, ""), "{stdout}");
            assert_eq!(stdout.matches("ok: 1000 positions").count(), names.len(), "{stdout}");
            assert_eq!(stdout.matches("3 scores checked, SHA-256 known").count(), names.len(), "{stdout}");
        }
    }
}

/// A set is measured on its own board without being told, and on no other; a variant that its board does not have is refused.
#[test]
fn a_set_of_another_board_is_measured_on_it_and_nowhere_else() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out");
    let measure = |variants: &str, more: &[&str]| {
        let fixed = ["measure", "--variants", variants, "--test-sets", "6x6/middle-easy", "--limit", "2", "--quiet"];
        run(&[&fixed, more, &["--out", out.to_str().unwrap()]].concat())
    };
    let (status, _, stderr) = measure("champion,pons-12", &["--board", "7x7"]);
    assert!(status != 0 && stderr.contains("6x6/middle-easy: a set of 6x6, not of 7x7"), "{stderr}");
    let (status, _, stderr) = measure("pons-06", &[]);
    assert!(status != 0 && stderr.contains("no search of this choice was built for 6x6"), "{stderr}");
    let two = &["--test-sets", "6x6/middle-easy,7x7/end-easy", "--variants", "champion", "--quiet"];
    let (status, _, stderr) = run(&[&["measure"], &two[..]].concat());
    assert!(status != 0 && stderr.contains("7x7/end-easy: a set of 7x7, not of 6x6"), "{stderr}");
    let (status, _, stderr) = measure("champion,pons-12", &[]);
    assert_eq!(status, 0, "{stderr}");
    let manifest = fs::read_to_string(out.join("manifest.json")).unwrap();
    assert!(manifest.contains("\"board\": \"6x6\""), "{manifest}");
    let rows = fs::read_to_string(out.join("samples.csv")).unwrap();
    assert!(rows.lines().count() == 5 && rows.lines().skip(1).all(|row| row.contains(",6x6/middle-easy,")), "{rows}");
    assert_eq!(run(&["report", out.to_str().unwrap()]).0, 0);
    let (status, _, stderr) = run(&["test-sets", "verify", "8x7/end-easy", "--scores", "pons-12"]);
    assert!(status != 0 && stderr.contains("no search of this choice was built for 8x7"), "{stderr}");
    let listed = run(&["list", "test-sets", "9x6/middle-easy", "--format", "csv"]).1;
    assert!(listed.contains("9x6/middle-easy,9x6,19,36,1,18,1000,true,"), "{listed}");
}

#[test]
fn an_original_must_be_the_published_file() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("Test_L3_R1"), format!("{} 0\n", LATE[0])).unwrap();
    let mut command = Command::new(BINARY);
    command.args(["test-sets", "verify", "original/end-easy"]).env("C4LAB_ORIGINAL_SETS", folder.path());
    let output = command.output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert!(stderr.contains("original/end-easy: not the original Test_L3_R1, whose SHA-256 is fae4"), "{stderr}");
}
