//! `c4lab measure`: rows, side files, limits, faults, and refusals before anything is written.

use crate::support::{
    BINARY, cells, ended, good, json, lines, manifest, of, place, place_of_run, read, refused, run, samples, spliced,
    started, table, unread, with_status, wrong_set,
};
use c4lab_measure::files::sample::{Sample, Status};
use c4lab_measure::fixtures;
use std::collections::{BTreeMap, HashSet};
use std::fs;
use std::process::Command;

/// A small measurement of two variants on the first positions of end-easy.
pub(crate) fn small(out: &str, limit: usize) -> String {
    format!("measure --variants pons-10,pons-12 --test-sets end-easy --limit {limit} --quiet --out {out}")
}

#[test]
fn every_cell_is_a_checked_row_and_the_summary_follows() {
    let (_place, out) = place_of_run();
    let printed = good(&format!("{} --repetitions 2 --goal strong,weak", small(&out, 5)));
    let rows = samples(&out);
    assert_eq!((rows.len(), cells(&out)), (2 * 5 * 2 * 2, 2 * 5 * 2 * 2));
    assert!(rows.iter().all(|row| row.status == Status::Ok && row.nodes.is_some() && row.wall_ns > Some(0)));
    // In a block both variants run one batch, one after the other.
    let of_block = |row: &Sample| (row.goal, row.repetition, row.batch);
    for block in rows.chunk_by(|one, other| of_block(one) == of_block(other)) {
        let (first, second) = block.split_at(block.len() / 2);
        let positions = |rows: &[Sample]| rows.iter().map(|row| row.position_id).collect::<Vec<_>>();
        assert_eq!(positions(first), positions(second));
        assert!(positions(first).is_sorted());
        for (turn, rows) in [first, second].into_iter().enumerate() {
            assert!(rows.iter().all(|row| row.block_order == turn as u32 && row.variant == rows[0].variant));
        }
        assert_ne!(first[0].variant, second[0].variant);
    }
    assert_eq!(table(&read(&format!("{out}/summary.csv"))).len(), 2 * 2);
    assert_eq!(good(&format!("report {out}")), printed, "report prints the table that measure printed");
    let told = json(&good(&format!("{} --repetitions 2 --goal strong,weak --format json", small(&out, 5))));
    let report = json(&good(&format!("report {out} --tables summary --format json")));
    assert_eq!((&told["tables"][0], &told["tables"][0]["name"]), (&report["tables"][0], &"summary".into()));
}

/// A plan writes nothing, and counts the rows that are there.
#[test]
fn a_plan_counts_cells_and_measures_nothing() {
    let (_place, out) = place_of_run();
    let line = small(&out, 5);
    let missing = |line: &str| -> Vec<String> {
        table(&good(&format!("{line} --plan --format csv"))).iter().map(|row| row["missing"].clone()).collect()
    };
    assert_eq!(missing(&line), ["5", "5"]);
    assert!(!fs::exists(&out).unwrap());
    good(&line);
    assert_eq!((missing(&line), missing(&format!("{line} --processes 2"))), (vec!["0".into(); 2], vec!["5".into(); 2]));
    assert_eq!(samples(&out).len(), 10, "nothing was added");
    let three = ended(started(Command::new(BINARY).args(shell_words::split(&line).unwrap()))).ok();
    assert!(samples(&out).len() == 30 && three.contains("geometric mean"), "three passes unless told otherwise");
    for line in
        ["ablate pons-04 --test-sets end-easy", "compare pons-04 pons-05", "reproduce pons-06-end-easy-strong-nodes"]
    {
        assert!(good(&format!("{line} --plan")).contains(" to measure: "), "{line}");
    }
}

/// A copy with another digest stands for another link of the program.
#[test]
#[cfg(target_os = "linux")]
fn each_process_runs_another_link_and_they_are_one_build() {
    let place = place();
    let (out, link) = (place.name("run"), place.name("link"));
    fs::write(&link, [fs::read(BINARY).unwrap(), vec![0]].concat()).unwrap();
    fs::set_permissions(&link, fs::metadata(BINARY).unwrap().permissions()).unwrap();
    let line = small(&out, 12);
    let of_link = |line: &str| ended(started(Command::new(&link).args(shell_words::split(line).unwrap())));
    let line = line + " --repetitions 1";
    good(&line);
    let other = of_link(&line.replace("--limit 12", "--limit 13"));
    assert!(other.status == 1 && other.stderr.contains("measured by another build"), "{other:?}");
    let linked = format!("{line} --processes 3 --binaries {BINARY},{link}");
    assert!(good(&linked).contains("geometric mean"));
    let served = format!("--engine 'mine={{c4lab}} engine serve' --out {}", place.name("served"));
    good(&linked.replace(&format!("--out {out}"), &served));
    let digests: Vec<String> = samples(&out).iter().map(|row| row.binary_sha256.clone()).collect();
    assert_eq!(digests.chunk_by(PartialEq::eq).map(<[_]>::len).collect::<Vec<_>>(), [24, 24, 24]);
    assert!(digests[0] == digests[48] && digests[0] != digests[24]);
    assert_eq!(manifest(&out)["links"], serde_json::json!([digests[24]]));
    assert_eq!(of_link(&format!("{line} --processes 4")).status, 0, "it is known now");
    assert!(good(&format!("report {out}")).contains("process by process"));
    let merged = place.name("merged");
    good(&format!("merge {merged} {out}"));
    assert_eq!(manifest(&merged)["links"], manifest(&out)["links"]);
    refused(
        2,
        &[
            (&format!("{line} --binaries {link},{link}"), "--binaries: 2 programs for 1 process"),
            (&format!("{line} --binaries {link}/none"), "none: no such file"),
        ],
    );
}

#[test]
fn the_manifest_says_what_ran_where_and_names_no_folder() {
    let place = place();
    let (out, set) = (place.name("run"), place.file("own.txt", &lines("end-easy")[0]));
    good(&format!("measure --variants=pons-12 --test-sets=middle-easy,{set} --limit 1 --out={out}"));
    let json = manifest(&out);
    assert_eq!(json["experiment"]["runs"][0]["test-sets"][1], "own.txt");
    assert_eq!((&json["test_sets"][0]["shipped"], &json["test_sets"][1]["shipped"]), (&true.into(), &false.into()));
    let run = &json["runs"][0];
    assert_eq!(run["signature_before"]["nodes"], run["signature_after"]["nodes"]);
    assert!(run["signature_before"]["nodes"].as_u64() > Some(0));
    assert!(run["command"].as_array().unwrap().contains(&"--variants=pons-12".into()));
    for file in ["manifest.json", "samples.csv", "processes.csv", "variants.csv", "positions.csv", "summary.csv"] {
        assert!(!read(&format!("{out}/{file}")).contains(&place.name("")), "{file}");
    }
}

/// The sizes of batches, from the pilot: a pass has about thirty blocks.
#[test]
fn a_pilot_says_how_long_batches_are() {
    let (_place, out) = place_of_run();
    good(&format!(
        "measure --variants pons-10,pons-12 --test-sets end-easy,middle-medium --limit 60 --quiet --out {out}"
    ));
    let (manifest, rows) = (manifest(&out), samples(&out));
    let run = &manifest["runs"][0];
    assert!(run["clock"]["cost_ns"].is_u64() && run["clock"]["resolution_ns"].as_u64() > Some(0), "{run}");
    for set in ["end-easy", "middle-medium"] {
        let chosen = run["batches"].as_array().unwrap().iter();
        let chosen = chosen.clone().find(|batch| batch["set"] == set && batch["goal"] == "strong").unwrap();
        let length = chosen["positions"].as_u64().unwrap() as usize;
        assert!(set != "end-easy" || (1..=2).contains(&length), "{run}");
        let batches: HashSet<u32> = rows.iter().filter(|row| row.set == set).map(|row| row.batch).collect();
        assert_eq!(batches.len(), 60usize.div_ceil(length), "{set}");
    }
}

#[test]
fn a_wrong_score_is_a_failed_row_and_exit_status_4() {
    let place = place();
    let (out, record) = (place.name("run"), place.name("record"));
    let measure = format!("measure --variants pons-10,pons-12 --test-sets {} --out {out}", wrong_set(&place));
    let first = run(&measure);
    assert!(first.status == 4 && first.stderr.contains("set.txt, line 2, pons-1"), "{}", first.stderr);
    assert_eq!(with_status(&samples(&out), Status::Wrong), 2);
    assert!(read(&format!("{out}/summary.csv")).contains("pons-10,strong,2,1,1,0"));
    // The status stays wrong when nothing is left to measure, in the report, and when stdout is closed.
    assert_eq!((run(&measure).status, run(&format!("report {out}")).status), (4, 4));
    assert_eq!(unread(&mut crate::support::command(&measure)).status, 4);
    assert_eq!(run(&format!("report {out} --record {record}")).status, 1);
    assert!(!place.path("record").exists(), "no record is made of wrong scores");
}

#[test]
fn a_node_count_that_moves_is_exit_status_4() {
    let (place, out) = place_of_run();
    let measure = format!("{} --repetitions 2", small(&out, 2));
    good(&measure);
    let mut rows = samples(&out);
    rows[0].nodes = rows[0].nodes.map(|nodes| nodes + 1);
    fixtures::write(&place.path("run"), &rows);
    assert_eq!(run(&measure).status, 4);
}

#[test]
fn cells_that_reach_a_limit_are_rows() {
    for (limit, status) in [("--node-limit 1000", Status::NodeLimit), ("--time-limit 1ms", Status::Timeout)] {
        let (_place, out) = place_of_run();
        good(&format!("measure --variants pons-06 --test-sets middle-medium --limit 3 --out {out} {limit}"));
        let rows = samples(&out);
        let limited: Vec<_> = rows.iter().filter(|row| row.status == status).collect();
        assert!(!limited.is_empty() && limited.iter().all(|row| row.score.is_none()), "{limit}");
        assert!(status != Status::NodeLimit || limited.iter().all(|row| row.nodes == Some(1000)));
        assert!(read(&format!("{out}/summary.csv")).contains(&format!(",0,{},", limited.len())), "{limit}");
    }
}

#[test]
fn counters_come_from_a_pass_of_their_own() {
    let (place, out) = place_of_run();
    let measure = format!("{} --counters", small(&out, 3));
    good(&measure);
    let sums = |file: &str| {
        let rows = table(&read(&format!("{out}/{file}.csv")));
        let sum = |column: &str| rows.iter().map(|row| row[column].parse::<u64>().unwrap()).sum::<u64>();
        (rows.len(), ["nodes", "probes", "hits"].map(sum))
    };
    let (count, [nodes, probes, hits]) = sums("counters");
    assert!(count == 6 && nodes > 0 && hits <= probes && probes > 0);
    assert_eq!(sums("anatomy").1, [nodes, probes, hits]);
    // A folder with all counts is counted again, and the counts are compared. Rows of some sets have no moves.
    let text = read(&format!("{out}/positions.csv"));
    let moves = text.lines().skip(1).map(|line| line.split(',').nth(4).unwrap());
    place.file("run/positions.csv", &moves.fold(text.clone(), |text, moves| text.replace(moves, "")));
    fs::remove_file(place.path("run/counters.csv")).unwrap();
    good(&measure);
    assert_eq!(sums("counters").1, [nodes, probes, hits]);
}

#[test]
fn limits_of_the_command_line_only_narrow() {
    let (place, out) = place_of_run();
    let of = |set: &str, limit: u32| {
        format!("[[runs]]\nvariants = [\"pons-12\"]\ntest-sets = [\"{set}\"]\nlimit = {limit}\n")
    };
    let file = place.file("e.toml", &format!("name = \"e\"\n{}{}", of("end-easy", 2), of("middle-easy", 6)));
    good(&format!("measure {file} --limit 4 --goal weak --out {out}"));
    let rows = samples(&out);
    let count = |set: &str| rows.iter().filter(|row| row.set == set && row.goal.name() == "weak").count();
    assert_eq!((count("end-easy"), count("middle-easy"), rows.len()), (2, 4, 6));
}

#[test]
fn bad_requests_are_refused_before_anything_is_written() {
    let (place, out) = place_of_run();
    let file = place.file("e.toml", "name = \"e\"\nseeed = 1\n");
    refused(1, &[(&format!("measure {file} --out {out}"), "e.toml, line 2")]);
    fs::write(place.path("e.toml"), [0xff, 0xfe, 0]).unwrap();
    refused(1, &[(&format!("measure {} --out {out}", place.name("e.toml")), "e.toml"), ("measure quik", "\"quick\"")]);
    refused(2, &[(&format!("measure --variants champion --out {out}"), "champion")]);
    for bad in [
        "--variants pons-12,pons-12 --test-sets end-easy",
        "--variants pons-13 --test-sets end-easy",
        "--variants pons-12@1MiB --test-sets end-easy",
        "--variants bot-any-win --test-sets end-easy",
        "--limit x",
        "--limit 0",
        "--goal string",
        "--repetitions -1",
        "--repetitions 0",
        "--tt 64M",
        "--time-limit 10",
        "--shard 0/3",
        "--shard 4/3",
        "--shard x",
    ] {
        refused(2, &[(&format!("measure {bad} --out {out}"), "")]);
    }
    let (set, copy) = (place.file("set.txt", &lines("end-easy")[0]), place.file("copy.txt", &lines("end-easy")[0]));
    let same = run(&format!("measure --variants pons-12 --test-sets {set},{copy} --out {out}"));
    assert_ne!(same.status, 0, "the same positions under two names");
    assert!(!place.path("run").exists());
}

#[test]
fn a_place_that_cannot_be_written_is_an_error() {
    let place = place();
    let file = place.file("file", "good");
    refused(1, &[(&small(&file, 1), "file"), (&small(&format!("{file}/below"), 1), "file")]);
    assert_eq!(read(&file), "good");
    fs::create_dir_all(place.path("run/samples.csv")).unwrap();
    refused(1, &[(&small(&place.name("run"), 1), "samples.csv")]);
}

#[test]
fn a_record_keeps_the_rows_and_is_spliced() {
    let place = place();
    let (out, record) = (place.name("run"), place.name("record"));
    let set = place.file("own.txt", &lines("end-easy")[0]);
    good(&format!("measure --variants pons-12 --test-sets end-easy,{set} --limit 2 --out {out}"));
    let make = format!("report {out} --record {record}");
    good(&make);
    let (rows, kept) = (samples(&out), samples(&record));
    assert_eq!(rows.len(), kept.len());
    for (row, kept) in rows.iter().zip(&kept) {
        let private = row.set != "end-easy";
        assert_eq!(kept.moves.is_none(), private, "moves of a set that is not shipped are not kept");
        assert_eq!(kept.expected_score.is_none(), private);
        assert_eq!((kept.wall_ns, kept.nodes), (row.wall_ns, row.nodes));
    }
    assert_eq!(run(&make).status, 1, "a record is never edited");
    assert!(spliced(&place, &format!("ladder {record} goal=strong"), &record).contains("| pons-12"));
}

#[test]
fn one_variant_with_tables_of_several_sizes_stands_beside_itself() {
    let (_place, out) = place_of_run();
    let sizes = [("champion-threats-halves@1MiB", 1 << 20), ("champion-threats-halves", 2 << 20)];
    let names: Vec<&str> = sizes.iter().map(|(name, _)| *name).collect();
    let names = names.join(",");
    good(&format!("measure --variants {names} --test-sets end-easy --limit 4 --tt 2MiB --quiet --out {out}"));
    let rows = samples(&out);
    for (name, size) in sizes {
        assert_eq!(of(&rows, name).iter().map(|row| row.tt_bytes).collect::<Vec<_>>(), [size; 4], "{name}");
    }
    good(&format!("compare {out} --base {} --to {}", sizes[0].0, sizes[1].0));
}

#[test]
fn variants_that_find_only_the_winner_are_refused_where_a_score_is_needed() {
    let (place, out) = place_of_run();
    let text = "name = \"who\"\nbase = \"fhourstones\"\ntest-sets = [\"end-easy\"]\n\
                [[techniques]]\nname = \"centre\"\nchanges = \"order=centre\"\n";
    let file = place.file("who.toml", text);
    for line in [
        "solve 44444415 --variant fhourstones".to_string(),
        format!("measure --variants pons-12,bot-any-win --test-sets end-easy --out {out}"),
        "test-sets verify end-easy --scores bot-final".to_string(),
        format!("test-sets generate --set end-easy --variant fhourstones --out {out}"),
        format!("attribute {file} --out {out}"),
    ] {
        assert!([1, 2].contains(&run(&line).status), "{line}");
    }
    assert!(!place.path("run/samples.csv").exists() && !place.path("run/nodes.csv").exists());
    good(&format!("measure --variants fhourstones,pons-12 --test-sets end-easy --limit 20 --goal weak --out {out}"));
}

/// A variant with changes in brackets is measured beside a dynamic variant of the base, to which its times are
/// compared.
#[test]
fn a_changed_variant_is_measured_beside_a_dynamic_variant_of_its_base() {
    let (_place, out) = place_of_run();
    let (base, dynamic) = ("champion-threats-halves", "champion-threats-halves[]");
    let changed = "champion-threats-halves[order=centre,root=step]@2MiB";
    let measure = |variants: &str| {
        good(&format!(
            "measure --variants '{variants}' --test-sets middle-medium --limit 4 --tt 1MiB --counters --out {out}"
        ))
    };
    measure(&format!("{base},{changed},pons-12"));
    let rows = samples(&out);
    assert!(rows.len() == 4 * 4 && with_status(&rows, Status::Ok) == 16);
    let nodes = |name: &str| of(&rows, name).iter().map(|row| row.nodes.unwrap()).collect::<Vec<_>>();
    assert_eq!(nodes(base), nodes(dynamic), "named and run-time searches agree in nodes");
    assert_ne!(nodes(changed), nodes(base));
    let row = of(&rows, changed)[0];
    assert!(row.spec.contains("order=centre") && row.spec.contains("root=step") && row.tt_bytes == 2 << 20, "{row:?}");
    assert_eq!(manifest(&out)["run_time"], serde_json::json!([dynamic, changed]));
    let speedups: BTreeMap<String, bool> = table(&read(&format!("{out}/summary.csv")))
        .into_iter()
        .map(|row| (row["variant"].clone(), !row["speedup"].is_empty()))
        .collect();
    let has = [base, dynamic, changed, "pons-12"].map(|name| speedups[name]);
    assert_eq!(has, [true, false, true, true], "times of compiled and dynamic variants are not compared");
    measure(&format!("{base},{changed},pons-12"));
    assert_eq!(cells(&out), 16, "nothing is measured twice");
    // `compare` takes the dynamic variant as the base, and refuses if there is none.
    assert!(run(&format!("compare {out} --base {base} --to '{changed}'")).stderr.contains(dynamic));
    assert!(!run(&format!("compare {out} --base {base} --to '{changed}' --nodes-only")).stderr.contains(dynamic));
    refused(1, &[(&format!("compare {out} --base pons-12 --to '{changed}'"), "pons-12[]")]);
    good(&format!("merge {out}-merged {out}"));
}

/// A variant with one change has a name with the feature `ablations`, and is dynamic without it.
#[test]
fn one_change_neighbours_are_measured_with_and_without_their_feature() {
    let (_place, out) = place_of_run();
    good(&small(&out, 2).replace("pons-10,pons-12", "pons-12,pons-12[order=centre]"));
    let rows = samples(&out);
    let changed = of(&rows, "pons-12[order=centre]").len();
    let dynamic = of(&rows, "pons-12[]").len();
    assert_eq!((changed, dynamic), if cfg!(feature = "ablations") { (2, 0) } else { (2, 2) });
}

#[test]
fn names_that_cannot_be_read_are_usage_errors_everywhere() {
    for (name, part) in [
        ("champoin[order=centre]", "\"champion\""),
        ("champion[ordr=centre]", "\"order\""),
        ("champion[order=center]", "\"centre\""),
        ("champion[table=none]", "table"),
        ("champion[order=centre", "["),
        ("champion@cores=4", "\"cores\""),
        ("champion@book=x", "book"),
        ("pons-12@1GiB", "pons-12"),
        ("nope", "\"nope\""),
    ] {
        refused(2, &[(&format!("solve 44 --variant '{name}'"), part)]);
        refused(2, &[(&format!("measure --variants '{name}' --test-sets end-easy"), part)]);
    }
}

/// A reader that goes away before the table is printed changes no row and no status.
#[test]
fn streams_that_take_nothing_are_no_fault_of_a_measurement() {
    let place = place();
    for name in ["stdout", "stderr"] {
        let out = place.name(name);
        let mut command = crate::support::command(&small(&out, 3));
        let status = if name == "stdout" {
            unread(&mut command).status
        } else if cfg!(target_os = "linux") {
            let full = fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
            command.stderr(full).status().unwrap().code().unwrap()
        } else {
            ended(started(&mut command)).status
        };
        assert_eq!((status, cells(&out)), (0, 6), "{name}");
    }
}
