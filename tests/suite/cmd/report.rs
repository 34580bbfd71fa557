//! `c4lab report`, `compare`, `rank` and `proof` through real processes: tables, gates, and faulty folders.

use crate::support::{Place, good, json, place, place_of_run, read, refused, run, samples, table};
use c4lab_measure::files::manifest::CountManifest;
use c4lab_measure::files::sample::{Sample, Status};
use c4lab_measure::fixtures;
use std::fs;

/// A folder with a small run: pons-10 and pons-12 on four positions of two sets, two repetitions, both goals, counters.
fn measured() -> (Place, String) {
    let (place, out) = place_of_run();
    good(&format!(
        "measure --variants pons-10,pons-12 --test-sets end-easy,middle-easy --quiet --limit 4 --repetitions 2 \
         --goal strong,weak --counters --out {out}"
    ));
    (place, out)
}

fn changed(place: &Place, name: &str, change: impl Fn(&mut Vec<Sample>)) -> String {
    let mut rows = samples(&place.name("run"));
    change(&mut rows);
    fixtures::write(&place.path(name), &rows);
    fs::copy(place.path("run/manifest.json"), place.path(name).join("manifest.json")).unwrap();
    place.name(name)
}

const PAIR: &str = "--base pons-10 --to pons-12";

#[test]
fn every_table_is_printed_in_every_format() {
    let (_place, out) = measured();
    let all = json(&good(&format!("report {out} --format json")));
    let tables = all["tables"].as_array().unwrap();
    for name in ["summary", "speed-ups", "steps", "by-ply", "anatomy", "anatomy-by-ply", "budgets", "profiles"] {
        let report = |format: &str| good(&format!("report {out} --tables {name} --format {format}"));
        assert!(report("text").contains("pons-12") && report("markdown").contains("| pons-12"), "{name}");
        let csv = report("csv");
        assert!(csv.starts_with("set,goal,") && table(&csv).len() > 3, "{name}: {csv}");
        assert!(["anatomy", "anatomy-by-ply"].contains(&name) || tables.iter().any(|table| table["name"] == name));
    }
    for table in tables {
        let columns = table["columns"].as_array().unwrap();
        for row in table["rows"].as_array().unwrap() {
            // Columns with equal names would be one key.
            assert_eq!(row.as_object().unwrap().len(), columns.len(), "{table}");
            for column in columns {
                let value = &row[column["name"].as_str().unwrap()];
                let fits = match column["kind"].as_str().unwrap() {
                    "text" => value.is_string() || value.is_null(),
                    "number" => value.is_number() || value.is_null(),
                    _ => value.is_null() || value == "too few" || value.as_array().is_some_and(|ends| ends.len() == 2),
                };
                assert!(fits, "{column}: {value}");
            }
        }
    }
    refused(
        2,
        &[
            (&format!("report {out} --format csv --tables summary,steps"), ""),
            (&format!("report {out} --tables speed-ups --base pons-1"), "\"pons-1"),
        ],
    );
}

#[test]
fn a_gate_fails_with_its_own_status() {
    let (_place, out) = measured();
    let compare = |more: &str| run(&format!("compare {out} {more}")).status;
    let rows = table(&good(&format!("compare {out} {PAIR} --format csv")));
    assert!(rows.iter().any(|row| row["set"] == "pooled") && rows.iter().any(|row| row["of"] == "nodes"), "{rows:?}");
    // Nodes have no noise: those of pons-12 are between a third and three times those of pons-10 here.
    assert_eq!(compare(&format!("{PAIR} --gate-nodes 0.3")), 0);
    assert_eq!(compare(&format!("{PAIR} --gate-nodes 1000")), 3);
    assert_eq!(compare(&format!("{PAIR} --gate 1000000 --goal weak")), 3);
    assert_eq!(compare(&format!("{PAIR} --gate x")), 2);
    assert_eq!(compare("--base pons-12 --to pons-12"), 2);
    assert_eq!(compare("--base pons-12 --to pons-11"), 1);
}

#[test]
fn other_machines_goals_and_too_few_positions_are_not_compared() {
    let (place, out) = measured();
    let copy = changed(&place, "copy", |_| ());
    let same = table(&good(&format!("compare {out} {copy} --base pons-12 --format csv")));
    assert!(!same.is_empty());
    refused(2, &[(&format!("compare {out} {out} --base pons-12"), "itself")]);
    let each = |change: fn(&mut Sample)| move |rows: &mut Vec<Sample>| rows.iter_mut().for_each(change);
    let machine = changed(&place, "machine", each(|row| row.machine_id = "0123456789ab".to_string()));
    // Means over many searches are not compared with times of single searches.
    let means = changed(&place, "means", each(|row| row.resolution_ns = 0));
    for other in [&machine, &means] {
        refused(1, &[(&format!("compare {out} {other} {PAIR}"), "--nodes-only")]);
        let nodes = table(&good(&format!("compare {out} {other} {PAIR} --nodes-only --format csv")));
        assert!(!nodes.is_empty() && nodes.iter().all(|row| row["of"] == "nodes"), "{nodes:?}");
    }
    good(&format!("compare {means} {PAIR}"));
    let weak = changed(&place, "strong", |rows| rows.retain(|row| row.goal.name() == "strong"));
    refused(1, &[(&format!("compare {weak} {PAIR} --goal weak"), "weak")]);
    let one = changed(&place, "one", |rows| {
        let first = rows[0].position_id;
        rows.retain(|row| row.position_id == first);
    });
    assert_eq!(run(&format!("report {one}")).status, 5, "incomplete");
    assert_eq!(run(&format!("compare {one} {PAIR} --gate 0.97")).status, 1, "too few for a gate");
}

#[test]
fn folders_that_are_not_as_they_should_be() {
    let (place, out) = measured();
    let broken = |name: &str, file: &str, from: &str, to: &str| {
        let folder = changed(&place, name, |_| ());
        let text = read(&format!("{folder}/{file}"));
        assert!(text.contains(from), "{text}");
        place.file(&format!("{name}/{file}"), &text.replacen(from, to, 1));
        format!("report {folder}")
    };
    let line = read(&format!("{out}/samples.csv")).lines().nth(3).unwrap().to_string();
    let build = changed(&place, "build", |rows| {
        let last = rows.last().unwrap().clone();
        rows.push(Sample { binary_sha256: "0".repeat(64), run_id: "other".to_string(), ..last });
    });
    // Rows of older schemas are refused with the revision that reads them.
    let older = changed(&place, "older", |_| ());
    place.file("older/samples.csv", "schema_version,cell_id,process\n2,1,1\n");
    let bare = changed(&place, "bare", |_| ());
    fs::remove_file(place.path("bare/manifest.json")).unwrap();
    refused(
        1,
        &[
            (&broken("newer", "processes.csv", "\n3,", "\n4,"), "line 2"),
            (&broken("half", "samples.csv", &line, "1,half"), "samples.csv, line 4"),
            (&format!("report {build}"), "000000000000"),
            (&format!("report {older}"), "cf8c828"),
            (&format!("report {}", changed(&place, "beyond", |rows| rows[0].repetition = 59)), "no repetition 59"),
            (&format!("report {}", changed(&place, "empty", |rows| rows.clear())), "empty"),
            (&format!("report {bare}"), "manifest.json"),
            (&format!("report {}", place.name("nothing")), "nothing"),
        ],
    );
    // A torn last line is skipped, also if only its end is missing. Every table says that the record is incomplete.
    let whole = fs::read(place.path("run/samples.csv")).unwrap();
    for cut in [1, 20] {
        fs::write(place.path("run/samples.csv"), &whole[..whole.len() - cut]).unwrap();
        for line in [
            format!("report {out}"),
            format!("report {out} --tables failures,nodes,speed-ups,matrix"),
            format!("rank {out}"),
            format!("compare {out} {PAIR}"),
        ] {
            let ended = run(&line);
            assert!(
                ended.status == 5 && ended.stderr.contains("Incomplete: 1 of 64 cells"),
                "{line}: {}",
                ended.stderr
            );
            assert!(ended.stdout.contains("Incomplete: 1 of 64 cells"), "{line}: {}", ended.stdout);
        }
    }
    fs::write(place.path("run/samples.csv"), &whole).unwrap();
    // A variant that no longer exists and a choice that cannot be read do not hide the rest.
    let gone = changed(&place, "gone", |rows| {
        rows.iter_mut().for_each(|row| row.variant = row.variant.replace("pons-10", "pons-ten"));
    });
    good(&format!("compare {gone} --base pons-ten --to pons-12"));
    let odd = changed(&place, "odd", |rows| {
        rows.iter_mut().for_each(|row| row.spec = row.spec.replace("order=threats", "order=sideways"));
    });
    let report = run(&format!("report {odd}"));
    assert!(report.status == 0 && report.stderr.matches("/samples.csv, line ").count() == 2, "{}", report.stderr);
}

#[test]
fn wrong_rows_and_moved_nodes_are_the_exit_status_and_limited_ones_are_not() {
    let (place, _) = measured();
    let status = |folder: &str| {
        ["report", "compare"].map(|command| {
            let more = if command == "compare" { PAIR } else { "" };
            run(&format!("{command} {folder} {more}")).status
        })
    };
    let wrong = changed(&place, "wrong", |rows| rows[0].status = Status::Wrong);
    assert_eq!(status(&wrong), [4, 4]);
    let moved = changed(&place, "moved", |rows| rows[0].nodes = Some(1_000_000));
    assert_eq!(status(&moved)[1], 4);
    let limited = changed(&place, "limited", |rows| {
        rows.iter_mut().for_each(|row| (row.status, row.limit_ns) = (Status::Timeout, Some(1000)));
    });
    assert_eq!(status(&limited), [0, 0]);
}

/// Three variants on two sets. The third is on one set only, with fewer positions.
#[test]
fn all_variants_are_ranked_on_the_positions_that_all_have() {
    let (place, out) = place_of_run();
    let text = "name = \"e\"\n\
        [[runs]]\nvariants = [\"pons-10\", \"pons-12\"]\ntest-sets = [\"middle-medium\", \"begin-easy\"]\nlimit = 6\n\
        [[runs]]\nvariants = [\"pons-11\"]\ntest-sets = [\"middle-medium\"]\nlimit = 4\n";
    good(&format!("measure {} --quiet --out {out}", place.file("e.toml", text)));
    let ranked = |more: &str| json(&good(&format!("rank {out} --format json {more}")))["tables"][0].clone();
    let three = ranked("");
    assert_eq!(three["rows"].as_array().unwrap().len(), 3);
    assert!(three["note"].as_str().unwrap().contains("4 positions"), "{three}");
    let two = ranked("--variants pons-10,pons-12 --base pons-12");
    assert!(two["note"].as_str().unwrap().contains("12 positions"), "{two}");
    good(&format!("report {out} --html {}", place.name("page.html")));
    // The script of the page reads the board and the points of the pictures from this element.
    let page = read(&place.name("page.html"));
    let points = page.split("id=\"data\" data-board=\"7x6\">").nth(1).and_then(|rest| rest.split("</script>").next());
    assert!(!json(points.expect("points")).as_array().unwrap().is_empty());
    // A variant with a wrong row has no rank.
    let wrong = changed(&place, "wrong", |rows| {
        let row = rows.iter_mut().find(|row| row.variant == "pons-12" && row.set == "begin-easy");
        row.unwrap().status = Status::Wrong;
    });
    assert_eq!(run(&format!("rank {wrong}")).status, 4);
    refused(1, &[(&format!("rank {wrong} --base pons-12"), "pons-12")]);
    assert_ne!(run(&format!("rank {wrong} --base pons-13")).status, 0);
}

fn counted(group: &str, function: &str, id: &str, instructions: u32, second: u32) -> String {
    format!(
        r#"{{"version":"7","group":"{group}","function_name":"{function}","id":"{id}","kind":"LibraryBenchmark",
        "started_at":"2026-11-20T19:17:{second:02}Z","profiles":[{{"tool":"Callgrind","data":{{"parts":[],
        "total":{{"metrics":{{"Ir":{{"values":{{"new":{instructions}}}}}}}}}}}}}]}}"#
    )
}

/// Instruction counts are printed, recorded and read again. A summary that cannot be read is an error with its file.
#[test]
fn instruction_counts_are_reported() {
    let place = place();
    let (folder, record) = (place.name("counts"), place.name("record"));
    for (group, function, id, instructions, second) in [
        ("wins", "has_four", "nodes_4096", 151_578, 1),
        ("keys", "key", "nodes_4096", 40_960, 2),
        ("solve", "pons_12_early", "cold", 11_050_687, 3),
    ] {
        let inner = format!("counts/c4lab/instructions/{group}/{function}.{id}");
        fs::create_dir_all(place.path(&inner)).unwrap();
        place.file(&format!("{inner}/summary.json"), &counted(group, function, id, instructions, second));
    }
    CountManifest::current("valgrind-3.19.0", "gungraun-runner 0.20.0").unwrap().write(&place.path("counts")).unwrap();
    let printed = good(&format!("report {folder}"));
    let make = format!("report {folder} --record {record}");
    good(&make);
    assert_eq!(
        read(&format!("{record}/instructions.csv")),
        "schema_version,group,function,id,evaluations,instructions\n1,wins,has_four,nodes_4096,4096,151578\n\
         1,keys,key,nodes_4096,4096,40960\n1,solve,pons_12_early,cold,1,11050687\n"
    );
    assert_eq!((good(&format!("report {record}")), run(&make).status), (printed, 1), "read again, never edited");
    let summary = "counts/c4lab/instructions/keys/key.nodes_4096/summary.json";
    let whole = read(&place.name(summary));
    place.file(summary, &whole[..whole.len() / 2]);
    refused(1, &[(&format!("report {folder}"), "key.nodes_4096/summary.json")]);
    place.file(summary, &whole);
    fs::remove_file(place.path("counts/manifest.json")).unwrap();
    refused(1, &[(&format!("report {folder}"), "manifest.json")]);
}

/// `c4lab proof` on folders that were measured before. The results of the self-tests depend on the machine.
#[test]
fn proofs_are_told_from_a_folder_and_its_record() {
    let place = place();
    for name in ["same", "pair", "block"] {
        let variants = if name == "block" { "--variants pons-12,champion,pons-11" } else { "" };
        good(&format!(
            "measure proof-{name} --test-sets end-easy --limit 4 --processes 2 --repetitions 2 --quiet {variants} --out {}",
            place.name(name)
        ));
    }
    let chain = |percent: u64| {
        let header = "schema_version,round,length_ns,steps,expected_ns,wall_ns,cost_ns,resolution_ns,counter_khz\n";
        let row = |length: u64| format!("1,0,{length},{length},{length},{},30,1,2000000\n", length * percent / 100);
        place.file("chain.csv", &(header.to_string() + &[500, 1000, 2000].map(row).concat()));
    };
    let from = format!("proof --from {}", place.name(""));
    chain(101);
    let first = run(&from);
    assert!([0, 1].contains(&first.status), "{}", first.stderr);
    let record = format!("{from} --record {}", place.name("record"));
    assert_eq!(run(&record).stdout, first.stdout);
    assert_eq!(run(&format!("proof --from {}", place.name("record"))).stdout, first.stdout, "read like a folder");
    assert_eq!(run(&record).status, 1, "a record is never edited");
    chain(104);
    let second = run(&from);
    assert!(second.status == 1 && second.stdout != first.stdout, "four per cent are too many");
    place.file("chain.csv", &read(&place.name("chain.csv")).replace(",1000,1000,1000,", ",x,1000,1000,"));
    refused(1, &[(&from, "chain.csv, line 3")]);
    fs::remove_file(place.path("chain.csv")).unwrap();
    refused(1, &[(&from, "chain.csv")]);
    refused(2, &[(&format!("{from} --quick"), "")]);
}
