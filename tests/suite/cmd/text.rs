//! Text as people's tools write it, names and paths of any bytes, and inputs that contradict themselves.

use crate::support::positions::{LATE, oracle};
use crate::support::{
    BINARY, Ended, Place, command, ended, good, place, read, refused, run, run_with, samples, started, table,
};
use c4lab_measure::files::sample::{Sample, Status};
use c4lab_measure::fixtures;
use c4lab_solver::search::Goal;
use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::process::Command;

const MARK: &str = "\u{feff}";

/// The command `c4lab LINE WORDS...`; a word may have any bytes.
fn with_bytes(line: &str, words: &[&[u8]]) -> Ended {
    let ended = ended(started(command(line).args(words.iter().map(|word| OsStr::from_bytes(word)))));
    assert!(!ended.stderr.contains("panicked"), "{line}: {}", ended.stderr);
    ended
}

fn packed(place: &Place, name: &str, text: &str) -> String {
    let file = place.file(name.strip_suffix(".gz").unwrap(), text);
    assert!(Command::new("gzip").args(["-f", &file]).status().unwrap().success());
    place.name(name)
}

/// Marks, line ends, blanks and compression change no position, wherever positions are read.
#[test]
fn positions_are_read_as_tools_write_them() {
    let place = place();
    let lines = LATE.map(|moves| format!("{moves} {}\n", oracle(moves))).concat();
    let windows = |text: &str| format!("{MARK}{}", text.replace('\n', "\r\n"));
    let variants = [lines.clone(), windows(&lines), windows(&format!("\n{}", lines.replace(' ', " \t "))), {
        lines.lines().map(|line| format!("{MARK}  {line} \n")).collect()
    }];
    let answers = |input: &str| {
        let words = run_with("solve", input.as_bytes()).words();
        words.into_iter().map(|line| line[..3].to_vec()).collect::<Vec<_>>()
    };
    let expected = answers(&lines);
    assert_eq!(expected.len(), LATE.len());
    for (number, text) in variants.iter().enumerate() {
        assert_eq!(answers(text), expected, "{text:?}");
        let gz = packed(&place, &format!("{number}.txt.gz"), text);
        for file in [place.file(&format!("{number}.txt"), text), gz] {
            good(&format!("test-sets verify {file} --scores champion"));
            let out = place.name(&format!("{}.run", file.rsplit('/').next().unwrap()));
            good(&format!("measure --variants champion --test-sets {file} --quiet --out {out}"));
            let rows = samples(&out);
            let is_right =
                |moves| rows.iter().any(|row| row.moves.as_deref() == Some(moves) && row.score == Some(oracle(moves)));
            assert!(rows.len() == LATE.len() && LATE.into_iter().all(is_right), "{file}");
        }
    }
    // A shipped set is known by its lines.
    let known = good("test-sets verify --board 6x6 test-sets/6x6/end-easy.txt.gz");
    assert!(known.contains("known b9e5b76d85ce89ee3f9f92f6a89b61b26f70724b68dba8ececd84c63a014817b"), "{known}");
    // Duplicates are a note, also in a file that is named like a shipped set.
    let noted = run(&format!("test-sets verify {}", place.file("x.txt", &lines.repeat(2))));
    assert!(noted.status == 0 && noted.stderr.lines().count() == LATE.len(), "{}", noted.stderr);
}

/// What is no position is refused by every reader, and what is surplus is quoted.
#[test]
fn blanks_and_commas_between_columns_are_read_alike_and_surplus_words_refused() {
    let place = place();
    let verify = |name: &str, text: &str| run(&format!("test-sets verify {}", place.file(name, text)));
    let spaced = verify("spaced.txt", "4 5 5 6 6 3\n");
    assert!(spaced.status == 1 && spaced.stderr.contains("line 1: no score after the moves"), "{}", spaced.stderr);
    assert_eq!(verify("commas.txt", "4,5,5,6,6,3 1\n").status, 0);
    let serve = |request: &str| run_with("engine serve", request.as_bytes()).ok();
    let answers = serve("4 5 5 6 6 3\n4,5,5,6,6,3,4,4,4,4,4,3,3,3,3,3 weak\n");
    assert!(answers.starts_with("? ") && answers.contains("\n4556634444433333 "), "{answers}");
    let surplus = run("solve '44 1 5'");
    assert!(surplus.status == 1 && surplus.stderr.contains("\"5\""), "{}", surplus.stderr);
    assert_eq!(run("play '4 5 5 6 6 3'").stdout, run("play 455663").stdout);
    assert_eq!(run("play ' 44 '").stdout, run("play 44").stdout);
}

/// Every file of settings may have a mark and lines of Windows.
#[test]
fn files_of_settings_and_pages_may_be_of_windows() {
    let place = place();
    let windows = |name: &str, text: &str| {
        fs::write(place.path(name), format!("{MARK}{}", text.replace('\n', "\r\n"))).unwrap();
        place.name(name)
    };
    let experiment = "name = \"x\"\nlimit = 2\n[[runs]]\nvariants = [\"champion\"]\ntest-sets = [\"end-easy\"]\n";
    let out = place.name("run");
    good(&format!("measure {} --quiet --out {out}", windows("x.toml", experiment)));
    good(&format!("measure {} --quiet --out {out}", packed(&place, "x.toml.gz", experiment)));
    assert_eq!(samples(&out).len(), 2);
    let attribution = read("experiments/attribution-small.toml");
    good(&format!("attribute {} --limit 1 --quiet --out {}", windows("a.toml", &attribution), place.name("a")));
    let claims = windows("c.toml", &read("experiments/claims/fhourstones.toml"));
    good(&format!("reproduce --claims {claims} --from {out}"));
    let page = windows("page.md", &format!("<!-- c4lab:begin summary {out} -->\n<!-- c4lab:end -->\nend\n"));
    good(&format!("report {out} --splice {page}"));
    let text = read(&page);
    assert!(text.starts_with(&format!("{MARK}<!-- c4lab:begin")) && text.contains("| champion"), "{text}");
    assert!(text.lines().all(|line| text.contains(&format!("{line}\r\n"))), "{text:?}");
}

/// Characters that command a terminal are in no output and no row, wherever they come from.
#[test]
fn no_output_commands_a_terminal() {
    let harms = |text: &str| text.chars().any(|c| c.is_control() && c != '\n');
    for format in ["text", "csv", "json", "board"] {
        let ended = run_with(&format!("solve --format {format}"), b"4\x1b]0;owned\x074\n4\xc2\x9b2J\n");
        assert!(ended.status == 1 && !harms(&ended.stdout) && !harms(&ended.stderr), "{ended:?}");
    }
    let (place, engine) = (place(), "[ \"$1\" = --version ] && printf 'v\\033]0;x\\007' && exit; cat");
    let (engine, out) = (place.file("engine.sh", engine), place.name("run"));
    let set = place.file("odd\u{1b}[31m|<b>.txt", "112233 18\n");
    let line =
        format!("measure --variants champion --engine 'mine=sh {engine}' --time-limit 1s --out {out} --test-sets");
    let measured = with_bytes(&line, &[set.as_bytes()]);
    assert!(!harms(&measured.stdout) && !harms(&measured.stderr), "{measured:?}");
    assert!(!harms(&read(&format!("{out}/variants.csv"))) && !harms(&read(&format!("{out}/manifest.json"))));
    for format in ["text", "csv", "json", "markdown"] {
        let ended = run(&format!("report {out} --format {format}"));
        assert!(!harms(&ended.stdout) && !harms(&ended.stderr), "{ended:?}");
    }
    // In Markdown every row has as many cells as its table, and no name is a tag.
    let text = run(&format!("report {out} --format markdown")).stdout;
    let cells = |line: &str| line.replace("\\|", "").matches('|').count();
    let tables = text.split("\n\n").filter(|part| part.starts_with('|'));
    tables.for_each(|part| {
        assert!(part.lines().all(|line| cells(line) == cells(part.lines().next().unwrap())), "{part}")
    });
    assert!(text.contains("\\|&lt;b>") && !text.contains("<b>"), "{text}");
}

/// The limits of the shell are told, and no signal ends the program.
#[test]
#[cfg(target_os = "linux")]
fn small_limits_are_told() {
    let under = |limit: &str, line: &str| {
        let script = format!("ulimit {limit} && exec {BINARY} {line}");
        ended(started(Command::new("sh").args(["-c", &script])))
    };
    let memory = under("-v 400000", "solve 44 --tt 1GiB --node-limit 1");
    let available = memory.stderr.split(['(', ' ']).filter_map(|word| word.parse::<u64>().ok()).next_back();
    assert!(memory.status == 1 && available.is_some_and(|bytes| bytes < 400_000 << 10), "{}", memory.stderr);
    for stack in [64, 256, 511] {
        let ended = under(&format!("-s {stack}"), "solve 44");
        assert!(ended.status == 1 && ended.stderr.contains(&format!("{stack} KiB")), "{}", ended.stderr);
    }
}

/// A path may have any bytes; one that is not there is a failure.
#[test]
fn paths_are_bytes() {
    let place = place();
    let path = |name: &[u8]| [place.path("").as_os_str().as_bytes(), name].concat();
    let (out, record, page) = (path(b"Z\xfcrich"), path(b"r\xe9cord"), path(b"p\xe4ge.html"));
    let measure = "measure --variants champion --test-sets end-easy --limit 2 --processes 2 --quiet --out";
    assert_eq!(with_bytes(measure, &[&out]).status, 0);
    let manifest = fs::read_to_string(Path::new(OsStr::from_bytes(&out)).join("manifest.json")).unwrap();
    assert!(manifest.contains("Z\u{fffd}rich"), "{manifest}");
    assert_eq!(with_bytes("report", &[&out, b"--record", &record, b"--html", &page]).status, 0);
    assert_eq!(with_bytes("attribute attribution-small --limit 1 --quiet --out", &[&path(b"\xff")]).status, 0);
    let experiment = path(b"\xfe.toml");
    let text = "name = \"x\"\nlimit = 1\n[[runs]]\nvariants = [\"champion\"]\ntest-sets = [\"end-easy\"]\n";
    fs::write(OsStr::from_bytes(&experiment), text).unwrap();
    assert_eq!(with_bytes("measure", &[&experiment, b"--quiet", b"--out", &path(b"\xfd")]).status, 0);
    for line in [
        "measure",
        "measure --variants champion --test-sets",
        "attribute",
        "report",
        "report --splice",
        "rank",
        "judge random --set",
        "reproduce --claims",
        "test-sets verify",
        "merge x",
    ] {
        for name in [&b"not/there"[..], b"not/th\xe9re"] {
            assert_eq!(with_bytes(line, &[name]).status, 1, "{line}");
        }
    }
}

#[test]
fn an_axis_that_is_given_twice_is_a_usage_error() {
    let twice = "champion[order=centre,order=threats]";
    let place = place();
    let text = format!("name = \"x\"\n[[runs]]\nvariants = [\"{twice}\"]\ntest-sets = [\"end-easy\"]\n");
    refused(1, &[(&format!("measure {}", place.file("x.toml", &text)), "order")]);
    for line in [
        "solve 44 --variant",
        "measure --test-sets end-easy --variants",
        "play --against",
        "match random",
        "judge",
        "engine serve --variant",
        "test-sets verify end-easy --scores",
        "attribute --path champion",
    ] {
        refused(2, &[(&format!("{line} '{twice}'"), "order")]);
    }
    refused(2, &[("solve 44 --spec order=centre,order=threats", "order")]);
}

/// A row that says it is right, and is not, is refused. A row that says `wrong` is believed.
#[test]
fn a_row_that_contradicts_itself_is_refused() {
    let place = place();
    let out = place.name("run");
    good(&format!("measure --variants champion --test-sets end-easy --limit 1 --quiet --out {out}"));
    let row = |status, score, expected_score| Sample { status, score, expected_score, ..samples(&out).remove(0) };
    let weak = |row| Sample { goal: Goal::Weak, ..row };
    for (number, (sample, status)) in [
        (row(Status::Ok, Some(9), Some(-5)), 1),
        (row(Status::Ok, None, Some(1)), 1),
        (weak(row(Status::Ok, Some(9), Some(9))), 1),
        (weak(row(Status::Ok, Some(1), Some(9))), 0),
        (row(Status::Ok, Some(9), None), 0),
        (row(Status::Wrong, Some(9), Some(-5)), 4),
        (row(Status::Wrong, Some(-5), Some(-5)), 4),
    ]
    .into_iter()
    .enumerate()
    {
        let folder = place.path(&number.to_string());
        fixtures::write(&folder, &[sample]);
        fs::copy(format!("{out}/manifest.json"), folder.join("manifest.json")).unwrap();
        let report = run(&format!("report {}", folder.display()));
        assert_eq!(report.status, status, "{number}: {}", report.stderr);
        assert!(status != 1 || report.stderr.contains("samples.csv, line 2"), "{}", report.stderr);
    }
    let nodes = place.name("nodes");
    good(&format!("attribute attribution-small --limit 1 --quiet --out {nodes}"));
    let rows = read(&format!("{nodes}/nodes.csv"));
    let score = table(&rows)[0]["score"].clone();
    fs::write(format!("{nodes}/nodes.csv"), rows.replacen(&format!(",ok,{score},{score},"), ",ok,18,-18,", 1)).unwrap();
    for line in ["report", "attribute attribution-small --limit 1 --out"] {
        refused(1, &[(&format!("{line} {nodes}"), "nodes.csv, line 2")]);
    }
    let blank = place.name("with a blank");
    fs::rename(&out, &blank).unwrap();
    let page = place.file("page.md", &format!("<!-- c4lab:begin summary {blank} -->\n<!-- c4lab:end -->\n"));
    refused(1, &[(&format!("report '{blank}' --splice {page}"), "blank")]);
}
