//! `c4lab test-sets` by the command line. No test asserts a time.

use crate::support::positions::{LATE, oracle};
use crate::support::{Ended, command, ended, good, place, read, refused, run, started};
use c4lab_measure::sets::originals;
use std::fs;
use std::path::Path;

fn verify(name: &str, text: &[u8], more: &str) -> Ended {
    let place = place();
    fs::write(place.path(name), text).unwrap();
    run(&format!("test-sets verify {} {more}", place.name(name)))
}

fn line(moves: &str) -> String {
    format!("{moves} {}\n", oracle(moves))
}

#[test]
fn a_set_is_generated_from_its_seed_and_verified() {
    let place = place();
    let generate = |folder: &str, more: &str| {
        let out = place.name(folder);
        let printed = good(&format!("test-sets generate --set end-easy --count 8 --tt 1MiB --out {out} {more}"));
        let text = read(&format!("{out}/end-easy.txt"));
        assert!(printed.starts_with(&c4lab_measure::text::sha256(text.as_bytes())), "{printed}");
        text
    };
    let text = generate("a/b", "--threads 1");
    assert!(text.lines().count() == 8 && text.lines().all(|it| line(it.split(' ').next().unwrap()).trim() == it));
    assert_eq!(fs::read_dir(place.path("a/b")).unwrap().count(), 1, "no temporary file is left");
    let file = place.name("a/b/end-easy.txt");
    good(&format!("test-sets verify {file} --scores pons-10"));
    // Other threads and another judge change no line. Another seed gives other lines.
    assert_eq!(generate("c", "--threads 3 --judge pons-06"), text);
    assert_ne!(generate("d", "--seed 2"), text);
    // Left-out positions are replaced by the next ones.
    let others = generate("e", &format!("--without {file}"));
    assert!(others.lines().count() == 8 && others.lines().all(|line| !text.contains(line)), "{others}");
    let (blocked, out) = (place.file("file", ""), place.name("f"));
    let generate = "test-sets generate --set end-easy --count 8 --tt 1MiB";
    refused(
        1,
        &[
            (&format!("{generate} --out {out} --without end-esay"), "end-esay"),
            (&format!("{generate} --out {blocked}"), "file"),
        ],
    );
    refused(
        2,
        &[
            ("test-sets generate --set end-esay", "\"end-easy\""),
            ("test-sets generate --count 0", ""),
            (&format!("{generate} --out {out} --judge orcale"), "orcale"),
        ],
    );
    assert!(!place.path("f/end-easy.txt").exists());
}

#[test]
fn files_pass_with_any_line_ends_and_fail_line_by_line() {
    let text = format!("{}{}", line(LATE[1]), line(LATE[0]));
    for text in [text.clone(), text.replace('\n', "\r\n"), text.trim_end().to_string()] {
        assert_eq!(verify("mine.txt", text.as_bytes(), "--scores pons-12").status, 0, "{text:?}");
    }
    let text = format!("{}44\n448 1\n{} 99\n\n44 1 1\n", line(LATE[0]), LATE[1]);
    let ended = verify("mine.txt", text.as_bytes(), "");
    let named: Vec<&str> =
        ended.stderr.lines().map(|line| line.split("mine.txt, ").nth(1).unwrap().split(':').next().unwrap()).collect();
    assert_eq!((ended.status, named), (1, vec!["line 2", "line 3", "line 4", "line 6"]));
    let binary: Vec<u8> = (0..200_000u32).map(|i| (i.wrapping_mul(2_654_435_761) >> 24) as u8).collect();
    let ended = verify("mine.txt", &binary, "");
    assert!(ended.status == 1 && ended.stderr.lines().count() <= 21, "{}", ended.stderr);
    assert_eq!(verify("mine.txt", b"", "").status, 1);
    assert!(run("test-sets verify end-esay").stderr.contains("\"end-easy\""));
    assert_eq!(run(&format!("test-sets verify {}", place().name(""))).status, 1);
}

/// A wrong score has its own status; a sample of the scores is a function of its seed, whatever the number of threads.
#[test]
fn wrong_scores_are_found_where_scores_are_checked() {
    let text = format!("{}{}{} {}\n", line(LATE[0]), line(LATE[1]), LATE[2], oracle(LATE[2]) + 1);
    let status = |more: &str| verify("mine.txt", text.as_bytes(), more).status;
    assert_eq!((status(""), status("--scores pons-12"), status("--scores pons-12 --sample 1 --from 3")), (0, 4, 4));
    for usage in ["--sample 1", "--threads 2", "--scores champion --threads 0"] {
        assert_eq!(status(usage), 2, "{usage}");
    }
    let of_seeds = |threads: u32| -> Vec<i32> {
        (0..8).map(|seed| status(&format!("--scores champion --sample 1 --threads {threads} --seed {seed}"))).collect()
    };
    let statuses = of_seeds(1);
    assert!(statuses.contains(&0) && statuses.contains(&4) && statuses == of_seeds(2), "{statuses:?}");
}

#[test]
fn original_sets_are_kept_in_the_data_folder_once_their_digests_are_right() {
    let (from, data) = (place(), place());
    let add = |more: &str| {
        let mut add = command(&format!("test-sets {more}"));
        ended(started(add.env_remove(originals::FOLDER).env("XDG_DATA_HOME", data.path(""))))
    };
    let line = format!("add {}", from.name("."));
    assert!(add(&line).stderr.contains("none of the files Test_L3_R1"));
    assert!(add("verify original/end-easy").stderr.contains("c4lab test-sets add FOLDER, with Test_L3_R1"));
    from.file("Test_L1_R1", "44 1\n");
    let Some(folder) = std::env::var_os(originals::FOLDER) else { return };
    let published = |name: &str| std::fs::copy(Path::new(&folder).join(name), from.path(name)).unwrap();
    published("Test_L3_R1");
    let wrong = add(&line);
    assert!(wrong.status == 1 && wrong.stderr.contains("Test_L1_R1: not the published file"), "{}", wrong.stderr);
    assert!(!data.path("c4lab").exists(), "a right file beside a wrong one was kept");
    published("Test_L1_R1");
    assert!(add(&line).ok().ends_with("/c4lab/test-sets: original/end-easy, original/begin-easy\n"));
    assert!(add("verify original/end-easy original/begin-easy").ok().contains("1000"));
}
