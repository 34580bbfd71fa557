//! Boards other than the standard one, from the command line to the row: `solve`, `perft`, `test-sets`, `measure`,
//! `engine serve`.

use crate::support::{good, manifest, place, place_of_run, read, refused, run, run_with, samples, table, with_status};
use c4lab_measure::files::sample::Status;
use c4lab_solver::game::{BoardSize, Position};
use c4lab_solver::search::oracle::Oracle;

/// Boards of each type.
const BOARDS: [&str; 8] = ["4x4", "6x5", "7x7", "8x7", "9x6", "12x4", "8x8", "10x7"];

/// Boards for which every choice is compiled, and whose keys fit the slots of [`OTHER`].
const OF_ANY_CHOICE: [&str; 3] = ["4x4", "6x5", "7x7"];

/// A search that shares little with the champion.
const OTHER: &str = "pons-12[order=centre,table=full,table-size=chosen]";

/// The number of distinct positions after `plies` plies, from every game on a board that is a list of columns. No game
/// ends within five plies.
fn counted(board: BoardSize, plies: usize) -> Vec<String> {
    let mut level = std::collections::HashSet::from([vec![String::new(); board.width() as usize]]);
    let mut counts = vec!["1".to_string()];
    for ply in 0..plies {
        let stone = if ply % 2 == 0 { 'x' } else { 'o' };
        level = level
            .iter()
            .flat_map(|columns| (0..columns.len()).map(move |column| (columns, column)))
            .filter(|(columns, column)| columns[*column].len() < board.height() as usize)
            .map(|(columns, column)| {
                let mut columns = columns.clone();
                columns[column].push(stone);
                columns
            })
            .collect();
        counts.push(level.len().to_string());
    }
    counts
}

#[test]
fn positions_are_counted() {
    for name in BOARDS {
        let rows = run(&format!("perft 5 --board {name}")).words();
        let found: Vec<String> = rows[1..].iter().map(|row| row[1].clone()).collect();
        assert_eq!(found, counted(name.parse().unwrap(), 5), "{name}");
    }
}

/// A set of the board is generated, verified by another search, and measured. Rows name the board, and scores are
/// right.
#[test]
fn sets_are_made_verified_and_measured() {
    let place = place();
    for name in OF_ANY_CHOICE {
        let (folder, out) = (place.name(&format!("set-{name}")), place.name(name));
        good(&format!(
            "test-sets generate --board {name} --set end-easy --count 6 --threads 1 --tt 16MiB --out {folder}"
        ));
        let set = format!("{folder}/end-{name}.txt");
        std::fs::rename(format!("{folder}/end-easy.txt"), &set).unwrap();
        good(&format!("test-sets verify {set} --board {name} --scores '{OTHER}'"));
        good(&format!(
            "measure --board {name} --variants 'champion-threats-halves,{OTHER}' --test-sets {set} --quiet --counters \
             --out {out}"
        ));
        let rows = samples(&out);
        assert!(rows.len() >= 12 && with_status(&rows, Status::Ok) == rows.len(), "{name}");
        let height: u32 = name.split_once('x').unwrap().1.parse().unwrap();
        assert!(rows.iter().all(|row| row.geometry == format!("{name}/{}", height + 1)), "{name}");
        assert_eq!(table(&read(&format!("{out}/counters.csv"))).len(), rows.len(), "{name}");
        good(&format!("report {out} --html {}", place.name("page.html")));
    }
}

/// Random late positions of a 6x5 board: the default and a dynamic variant find the oracle's score.
#[test]
fn scores_are_those_of_the_oracle() {
    let board: BoardSize = "6x5".parse().unwrap();
    let mut oracle = Oracle::<6, 5>::default();
    let (mut state, mut lines, mut expected) = (1u64, String::new(), Vec::new());
    while expected.len() < 12 {
        let mut position = Position::start_on(board);
        while position.ply() < 19 && !position.is_over() {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let _ = position.play((state >> 33) as u32 % board.width());
        }
        if !position.is_over() {
            expected.push(oracle.score(position.columns()).to_string());
            lines += &format!("{position}\n");
        }
    }
    for line in [
        "solve --board 6x5 --analyze --variant champion-threats-halves",
        "solve --board 6x5 --analyze --variant pons-10",
        "solve --board 6x5 --analyze --variant champion-threats-halves[table=full,table-bounds=either]",
        "engine serve --board 6x5",
    ] {
        let answers = run_with(line, lines.as_bytes()).words();
        assert_eq!(answers.iter().map(|words| words[1].clone()).collect::<Vec<_>>(), expected, "{line}");
        assert!(line.starts_with("engine") || answers.iter().all(|words| words.len() == 4 + 6), "a score a column");
    }
}

#[test]
fn other_boards_than_those_of_sets_and_variants_are_refused() {
    let (place, out) = place_of_run();
    for line in [
        "solve 1 --board 7",
        "solve 1 --board 12x10",
        "solve 1 --board 4x30",
        "solve 1 --board 5x3",
        "perft 3 --board 5x3",
        "solve 1 --board 9x6 --variant pons-10",
        "solve 7 --board 6x5",
        "solve 1 --board 7x7 --variant pons-12",
        "test-sets verify end-easy --board 6x5",
        "test-sets verify 8x7/end-easy --scores pons-12",
        &format!("test-sets generate --board 8x6 --set end-easy --count 1 --judge oracle --out {out}"),
        "bench --board 6x5",
        &format!("measure --variants pons-12 --test-sets end-easy --limit 1 --board 8x6 --out {out}"),
        &format!("measure --variants champion --test-sets 6x6/middle-easy,7x7/end-easy --out {out}"),
    ] {
        let ended = run(line);
        assert!([1, 2].contains(&ended.status) && !ended.stderr.is_empty(), "{line}: {}", ended.status);
    }
    if cfg!(feature = "extras") {
        for line in ["book build --plies 2", "store build --for both --plies 2", "bot verify cat --plies 2"] {
            assert_ne!(run(&format!("{line} --board 8x8 --out {out}")).status, 0, "more than 64 bits: {line}");
        }
    }
    assert!(!place.path("out/samples.csv").exists());
}

/// The names of shipped sets give their board: two searches that share little confirm a sample of scores, and a set is
/// measured on its board without `--board`.
#[test]
fn shipped_sets_of_other_boards_are_verified_and_measured() {
    for (names, other) in [
        ("6x6/end-easy 6x6/middle-medium 6x6/begin-easy", "pons-12"),
        ("7x7/end-easy 7x7/middle-easy 7x7/begin-easy", "pons-12-table-wide"),
        ("8x7/end-easy 8x7/middle-easy", "pons-12-table-wide"),
        ("8x8/end-easy 8x8/middle-easy", "pons-12-table-wide"),
        ("9x6/end-easy 9x6/middle-easy", "pons-12-table-wide"),
    ] {
        for variant in ["champion", other] {
            let told = good(&format!("test-sets verify {names} --scores {variant} --sample 3 --seed 5"));
            assert_eq!(told.matches("ok: 1000 positions").count(), names.split(' ').count(), "{told}");
        }
    }
    let (_place, out) = place_of_run();
    good(&format!("measure --variants champion,pons-12 --test-sets 6x6/middle-easy --limit 2 --quiet --out {out}"));
    assert_eq!(manifest(&out)["experiment"]["board"], "6x6");
    assert_eq!(with_status(&samples(&out), Status::Ok), 4);
    good(&format!("report {out}"));
}

/// Every number is the published one. Kept numbers are not counted again, and a wrong one is found.
#[test]
fn numbers_of_positions_are_those_that_were_published() {
    let rows = run("perft 9").words();
    assert_eq!(rows.last().unwrap()[..], ["9", "558186", "558186", "equal"]);
    assert!(rows.len() == 11 && rows[1..].iter().all(|row| row[3] == "equal"));
    for line in ["perft -- 43", "perft -- -1", "perft x", "perft --check 3", "perft 3 --out x"] {
        refused(2, &[(line, "")]);
    }
    refused(1, &[("perft 42", "memory"), ("perft --check", "memory")]);
    let (place, out) = place_of_run();
    for (board, total) in [("4x4", "161,029"), ("4x5", "1,706,255")] {
        let told = good(&format!("perft --check --board {board} --out {out}"));
        assert_eq!(told.matches(total).count(), 2, "{told}");
    }
    let rows = read(&format!("{out}/positions.csv"));
    assert_eq!(table(&rows).len(), 17 + 21);
    good(&format!("report {out}"));
    place.file("run/positions.csv", &rows.replace("1,4x4,1,4,", "1,4x4,1,5,"));
    assert_eq!(run(&format!("perft --check --board 4x4 --out {out}")).status, 4);
}
