//! `c4lab reproduce` through real processes: a few cheap claims on tiny samples, resuming, a record, its exit statuses.
//! No test asserts a time.

use crate::support::{command, ended, good, place, place_of_run, read, refused, run, spliced, started, table};
use c4lab_measure::sets::originals;
use std::collections::HashMap;

type ByClaim = HashMap<String, HashMap<String, String>>;

fn by_claim(csv: &str) -> ByClaim {
    table(csv).into_iter().map(|row| (row["claim"].clone(), row)).collect()
}

const SMALL: &str = "reproduce pons-12-end-easy-strong herzberg --limit 6 --repetitions 2 --quiet --format csv --out";

#[test]
fn claims_are_measured_judged_and_kept() {
    let place = place();
    let (out, record) = (place.name("run"), place.name("record"));
    let csv = good(&format!("{SMALL} {out}"));
    let measured = by_claim(&csv);
    assert_eq!(measured.len(), 3 + 4);
    let time = &measured["pons-12-end-easy-strong-time"];
    assert_eq!([&time["base"], &time["variant"], &time["positions"]], ["pons-11", "pons-12", "6"]);
    assert_eq!([&time["repetitions"], &time["interval_over"]], ["2", "positions"]);
    assert_eq!([&time["measured_low"], &time["verdict"]], ["", "undecided"], "six positions say nothing of others");
    assert!(time["effect"].parse::<f64>().is_ok() && time["effect_low"].is_empty(), "{time:?}");
    assert_eq!(measured["pons-12-end-easy-strong-mean"]["verdict"], "not-tested", "six positions are no mean");
    assert_eq!(read(&format!("{out}/claims.csv")), csv);
    // The second run measures nothing.
    let kept = || read(&format!("{out}/samples.csv"));
    let before = kept();
    assert_eq!((good(&format!("{SMALL} {out}")), kept()), (csv, before));
    // Verdicts from the folder, and from a record of it.
    let from =
        format!("reproduce pons-12-end-easy-strong herzberg --from {out} --format csv --quiet --record {record}");
    let verdicts = good(&from);
    assert_eq!(by_claim(&verdicts)["pons-12-end-easy-strong-time"], *time);
    assert_eq!(read(&format!("{record}/claims.csv")), verdicts);
    assert_eq!(run(&from).status, 1, "a record is never edited");
    good(&format!("report {record}"));
    let block = |words: &str| format!("claims {record} {words}");
    let text = spliced(&place, &block("claims=pons-12-end-easy"), &record);
    assert!(text.contains("| pons-12-end-easy-strong-time") && !text.contains("herzberg"), "{text}");
    for words in ["claims=pons-13", "sets=end-easy"] {
        let page = place.file("bad.md", &format!("<!-- c4lab:begin {} -->\n<!-- c4lab:end -->\n", block(words)));
        assert_eq!(run(&format!("report {record} --splice {page}")).status, 1, "{words}");
    }
}

#[test]
fn equal_nodes_on_a_whole_set_decide_and_other_claims_say_what_they_need() {
    let (place, out) = place_of_run();
    let csv =
        good(&format!("reproduce pons-06-end-easy-strong-nodes --repetitions 1 --quiet --format csv --out {out}"));
    let same = &by_claim(&csv)["pons-06-end-easy-strong-nodes"];
    let found = [&same["positions"], &same["interval_over"], &same["verdict"]];
    assert_eq!(found, ["1000", "exact", "reproduced"], "{same:?}");
    let mut mean = command(&format!("reproduce pons-12-middle-easy-strong-mean --out {}", place.name("mean")));
    let mean = ended(started(mean.env_remove(originals::FOLDER).env("XDG_DATA_HOME", place.path(""))));
    assert!(mean.status == 0 && mean.stdout.contains("cannot tell"), "{}", mean.stdout);
    assert!(
        mean.stdout.contains("c4lab test-sets add") && mean.stderr.contains("Next: c4lab test-sets add"),
        "{}",
        mean.stderr
    );
}

#[test]
fn claims_are_measured_in_several_processes() {
    let (_place, out) = place_of_run();
    let measure = format!("{SMALL} {out} --processes 2");
    let csv = good(&measure);
    let time = by_claim(&csv)["pons-12-end-easy-strong-time"].clone();
    assert_eq!([&time["repetitions"], &time["interval_over"]], ["4", "positions and processes"]);
    let samples = read(&format!("{out}/samples.csv"));
    assert_eq!((good(&measure), read(&format!("{out}/samples.csv"))), (csv, samples), "resumed");
}

/// Claims about curves and stores are judged by several records at once, and only the verdicts are kept.
#[cfg(feature = "extras")]
#[test]
fn several_records_give_verdicts_and_sources_are_counted() {
    let place = place();
    for folder in ["records", "sizes"] {
        std::fs::create_dir(place.path(folder)).unwrap();
    }
    let row = |form: &str, stones: u32, bytes: u32| format!("1,7x6,first second,{stones},{form},{bytes},{bytes},\n");
    let lines =
        [row("dictionary", 8, 900), row("sets", 8, 300), row("opponent", 20, 900_000), row("opponent", 21, 2_000_000)];
    let header = "schema_version,board,seats,stones,form,bytes,packed,git_rev\n";
    place.file("sizes/sizes.csv", &(header.to_string() + &lines.concat()));
    let record = place.name("records/2026-01-01-verdicts");
    let judge = format!(
        "reproduce bot --quiet --format csv --from results/2026-11-30-budget-cpython --from {} --record {record}",
        place.name("sizes")
    );
    let csv = good(&judge);
    let found = by_claim(&csv);
    for (claim, verdict, measured) in [
        ("bot-baseline-from", "reproduced", "28.0"),
        ("bot-early-win-from", "reproduced", "22.0"),
        ("bot-any-win-from", "reproduced", "1.0"),
        ("bot-store-mirrored", "not-tested", ""),
        ("bot-store-sets", "reproduced", "3.0"),
        ("bot-store-reach", "reproduced", "20.0"),
    ] {
        assert_eq!([&found[claim]["verdict"], &found[claim]["measured"]], [verdict, measured], "{claim}");
    }
    assert_eq!(read(&format!("{record}/claims.csv")), csv);
    assert_eq!(run(&judge).status, 1, "a record is never edited");
    let counted = good(&format!("list claims --by source --records {} --format csv", place.name("records")));
    let bot = counted.lines().find(|line| line.contains("Vandewiele")).unwrap();
    assert!(bot.ends_with(",17,12,1,4"), "{bot}");
    refused(2, &[("list variants --by source", "--by")]);
    assert!(spliced(&place, &format!("claims {record} claims=bot-store"), &record).contains("| bot-store-sets "));
}

/// On whole original sets the means of nodes are the published ones, except for one misprint.
#[test]
#[ignore = "a whole record"]
fn the_record_of_the_ladder_bears_out_the_published_means() {
    let rows = by_claim(&good("reproduce pons --from results/2026-11-20-ladder-original --format csv --quiet"));
    let means: Vec<_> = rows.values().filter(|row| row["kind"] == "node-mean" && !row["measured"].is_empty()).collect();
    assert_eq!(means.len(), 61);
    let apart: Vec<&str> =
        means.iter().filter(|row| row["verdict"] != "reproduced").map(|row| &row["claim"][..]).collect();
    assert_eq!(apart, ["pons-08-end-easy-weak-mean"]);
    // The ratios of nodes are the published ones, too, if both variants were measured in full.
    let full = |row: &&HashMap<String, String>| row["claim"].ends_with("-nodes") && row["interval_over"] == "exact";
    let other = |row: &&HashMap<String, String>| !row["claim"].contains("says") && row["verdict"] != "reproduced";
    let mut apart: Vec<&str> = rows.values().filter(full).filter(other).map(|row| &row["claim"][..]).collect();
    apart.sort_unstable();
    assert_eq!(apart, ["pons-08-end-easy-weak-nodes", "pons-09-end-easy-weak-nodes"]);
    assert_eq!(rows["pons-12-middle-easy-strong-time"]["verdict"], "same-sign", "a fixed record, a fixed seed");
    // The time of a node on a whole set of the record: 0.335 published, 0.363 here. One pass gives no interval.
    let node_time = &rows["pons-says-10-node-time-middle-medium-strong"];
    assert_eq!([&node_time["positions"], &node_time["verdict"]], ["1000", "undecided"], "{node_time:?}");
    assert!(node_time["measured"].starts_with("0.3628"), "{node_time:?}");
    assert_eq!(rows["pons-02-end-easy-weak-mean"]["verdict"], "not-tested", "the record is older than the variant");
}

/// A claim about an original set is tested if the set is there. A claim about a technique of other authors is measured.
#[test]
fn claims_about_other_programs_are_measured_where_they_can_be() {
    let (place, out) = place_of_run();
    let rows = by_claim(&good(&format!("reproduce pons-02-end-easy-weak --format csv --quiet --out {out}")));
    let verdict = if place.path("run/samples.csv").exists() { "reproduced" } else { "not-tested" };
    assert_eq!(rows["pons-02-end-easy-weak-mean"]["verdict"], verdict);
    let cutoffs = "reproduce enhanced-transposition-cutoffs --limit 8 --format csv --quiet --out";
    let rows = by_claim(&good(&format!("{cutoffs} {}", place.name("cutoffs"))));
    assert!(!rows.is_empty() && rows.values().all(|row| row["verdict"] != "waiting"), "{rows:?}");
}

#[test]
fn a_file_of_claims_may_name_variants_that_are_gone() {
    let place = place();
    let claim = |id: &str, base: &str| {
        format!(
            "[[claims]]\nid = \"{id}\"\nstatement = \"x\"\nkind = \"node-ratio\"\nfrom = 1.01\nbase = \"{base}\"\n\
             variant = \"pons-12\"\ntest-sets = [\"end-easy\"]\npositions = 20\n"
        )
    };
    let text = format!("source = \"me\"\n{}{}", claim("here", "pons-10"), claim("gone", "pons-13"));
    let reproduce =
        format!("reproduce --claims {} --out {} --format csv --quiet", place.file("my.toml", &text), place.name("run"));
    let rows = by_claim(&good(&reproduce));
    assert_eq!((rows["gone"]["verdict"].as_str(), rows.len()), ("waiting", 2));
    assert!(rows["here"]["measured"].parse::<f64>().unwrap() > 1.0, "lower bounds save nodes");
    place.file("my.toml", "source = \"me\"\n[[claims]]\nidd = \"x\"\n");
    refused(1, &[(&reproduce, "my.toml")]);
}

#[test]
fn bad_command_lines_are_refused() {
    let (place, out) = place_of_run();
    refused(
        2,
        &[
            (&format!("reproduce pons-12-end-esay --out {out}"), "\"pons-12-end-easy"),
            ("reproduce --from results --out x", ""),
            (&format!("{SMALL} {out} --time-limit soon"), ""),
            (&format!("{SMALL} {out} --full --at-most soon"), ""),
            (&format!("{SMALL} {out} --at-most 2h"), ""),
        ],
    );
    refused(1, &[(&format!("reproduce --from {}", place.name("nothing")), "nothing")]);
    assert!(!place.path("run").exists());
}

/// A claim whose own predicted time is too long is left out, and a run of whole sets is resumed.
#[test]
fn whole_sets_are_for_claims_that_are_predicted_to_end_in_time() {
    let place = place();
    let claim = |id: &str, set: &str, seconds: f64| {
        format!(
            "[[claims]]\nid = \"{id}\"\nstatement = \"x\"\nkind = \"node-ratio\"\npublished = 1.1\nbase = \"pons-11\"\n\
             variant = \"pons-12\"\ntest-sets = [\"{set}\"]\nseconds = {seconds}\n"
        )
    };
    let text = format!("source = \"me\"\n{}{}", claim("short", "end-easy", 0.002), claim("long", "begin-hard", 15.0));
    let reproduce = format!(
        "reproduce short long --claims {} --full --limit 20 \
         --repetitions 2 --out {} --format csv --at-most 5m",
        place.file("my.toml", &text),
        place.name("run")
    );
    let csv = good(&reproduce);
    let rows = by_claim(&csv);
    assert_eq!(rows["long"]["verdict"], "not-tested");
    assert_eq!(rows["short"]["positions"], "20");
    let measured = read(&place.name("run/samples.csv"));
    assert_eq!((good(&reproduce), read(&place.name("run/samples.csv"))), (csv, measured), "nothing is measured twice");
}
