//! What is measured for claims, and findings from rows made by hand.

use crate::claims::claim::{Claim, Kind};
use crate::claims::evidence::Evidence;
use crate::claims::judge::judge;
use crate::claims::plan::{self, ClaimPlan, Effort, unavailable};
use crate::claims::sheets;
use crate::claims::table::{self, ClaimRow};
use crate::claims::verdict::Verdict;
use crate::claims::written::file::embedded;
use crate::claims::written::tests::{CLAIM, claims, named};
use crate::reading::tests::reading;
use crate::results::tests::{at_run_time, results};
use crate::tables::instructions::tests::row as count;
use c4lab_measure::files::manifest::SetRecord;
use c4lab_measure::files::sample::{Sample, Status};
use c4lab_measure::fixtures::sample;
use c4lab_measure::run::rate::Rate;
use c4lab_solver::search::Goal;
use std::time::Duration;
use tempfile::TempDir;

fn effort(full: bool, limit: Option<usize>) -> Effort {
    Effort {
        full: full.then_some(Duration::from_secs(7200)),
        repetitions: 3,
        processes: 1,
        limit,
        time_limit: None,
        seed: 1,
    }
}

#[test]
fn one_experiment_measures_all_claims_each_variant_as_far_as_some_claim_asks() {
    let more = "[[claims]]\nid = \"other\"\nstatement = \"x\"\nkind = \"node-ratio\"\npublished = 2\nbase = \"pons-12\"\n\
                variant = \"pons-10\"\ntest-sets = [\"end-easy\"]\npositions = 7\n";
    let plan = ClaimPlan::of(&claims(&format!("{CLAIM}{more}")), &effort(false, None));
    let experiment = plan.experiment.unwrap();
    experiment.validate().unwrap();
    let runs: Vec<_> = experiment.runs.iter().map(|run| (run.variants.join(" "), run.limit)).collect();
    assert_eq!(runs, [("pons-11 pons-12".to_string(), Some(100)), ("pons-10".to_string(), Some(7))]);
    let sample = ClaimPlan::of(&claims(CLAIM), &effort(true, None)).experiment.unwrap();
    assert_eq!((sample.runs[0].limit, sample.limit), (Some(100), None), "nothing says how long the whole takes");
    let timed = CLAIM.replace("published = 2", "published = 2\nseconds = 0.001");
    let full = ClaimPlan::of(&claims(&timed), &effort(true, None)).experiment.unwrap();
    assert_eq!((full.runs[0].limit, full.limit), (None, None));
    let small = ClaimPlan::of(&claims(CLAIM), &effort(false, Some(3))).experiment.unwrap();
    assert_eq!((small.runs[0].limit, small.limit), (Some(3), Some(3)));
}

/// A figure file of one's own: two parts, with times of 0.5 and 2 seconds a position, of 3600, and one that only nodes and speed tell.
const FIGURES: &str = "part,solver,kind,test_set,mean_time_s,mean_positions,kpos_per_s\n\
                       11,a,strong,End-Easy,0.5,100,1000\n12,b,strong,End-Easy,0.25,50,1000\n\
                       11,a,strong,Middle-Easy,2,100,1000\n12,b,strong,Middle-Easy,2,50,1000\n\
                       11,a,strong,Begin-Easy,,9000000,1000\n12,b,strong,Begin-Easy,,900000,1000\n";

fn ladder(folder: &TempDir, text: &str) -> Vec<Claim> {
    let figures = folder.path().join("figures.csv");
    std::fs::write(&figures, text).unwrap();
    claims(&format!(
        "source = 's'\n[[ladders]]\nid = \"l\"\nfigures = '{}'\nsample-seconds = 1.0\nsample-least = 4\nsample-most = 9\n\
         whole-seconds = 1.0\nvariants = {{ 11 = \"pons-11\", 12 = \"pons-12\" }}\n",
        figures.display()
    ))
}

/// Time of all variants of a claim, 1000 positions, 3 repetitions: 2250 s on End-Easy, 12000 s on Middle-Easy, 29700 s on Begin-Easy.
#[test]
fn whole_sets_are_measured_for_claims_that_are_predicted_to_end_in_time() {
    let folder = TempDir::new().unwrap();
    let claims: Vec<Claim> =
        ladder(&folder, FIGURES).into_iter().filter(|claim| claim.kind == Kind::NodeRatio).collect();
    let effort = |hours: f64, limit: Option<usize>| Effort {
        full: Some(Duration::from_secs_f64(3600.0 * hours)),
        ..effort(true, limit)
    };
    let left_out = |hours: f64, limit: Option<usize>| -> Vec<(String, u64)> {
        let plan = ClaimPlan::of(&claims, &effort(hours, limit));
        let why = |id: &String| {
            plan.excuses.get(id).is_some_and(|(verdict, why)| {
                *verdict == Verdict::NotTested && why.starts_with("its own run is predicted to take ")
            })
        };
        assert!(plan.too_long.iter().all(|(id, _)| why(id)), "{:?}", plan.excuses);
        plan.too_long.into_iter().map(|(id, predicted)| (id, predicted.as_secs())).collect()
    };
    let (middle, begin) = ("l-12-middle-easy-strong-nodes".to_string(), "l-12-begin-easy-strong-nodes".to_string());
    assert_eq!(left_out(2.0, None), [(middle, 12_000), (begin.clone(), 29_700)]);
    assert_eq!(left_out(4.0, None), [(begin, 29_700)]);
    assert_eq!(left_out(9.0, None), []);
    assert_eq!(left_out(2.0, Some(100)), [], "3 000 s for a tenth of the longest");
    let plan = ClaimPlan::of(&claims, &effort(2.0, None));
    let runs = plan.experiment.unwrap().runs;
    assert!(runs.len() == 1 && runs[0].limit.is_none() && runs[0].test_sets[0].ends_with("end-easy"), "{runs:?}");
    assert_eq!(
        plan.excuses["l-12-begin-easy-strong-nodes"].1,
        "its own run is predicted to take 8h 15m, longer than --at-most 2h"
    );
    let samples = Effort { full: None, ..effort(2.0, None) };
    assert!(ClaimPlan::of(&claims, &samples).too_long.is_empty(), "without --full nothing is predicted");
}

#[test]
fn without_a_time_and_a_speed_nothing_is_predicted_and_nothing_measured() {
    let folder = TempDir::new().unwrap();
    let untold = FIGURES.replace("9000000,1000", "9000000,").replace(",1000\n", ",\n");
    let claims = ladder(&folder, &untold);
    let plan = ClaimPlan::of(&claims, &effort(true, None));
    let (verdict, why) = &plan.excuses["l-12-begin-easy-strong-nodes"];
    assert_eq!(*verdict, Verdict::NotTested);
    assert!(
        why.starts_with("nothing tells how long it takes")
            && plan.too_long.iter().all(|(id, _)| id != "l-12-begin-easy-strong-nodes")
    );
}

#[test]
fn predicted_times_are_shown_to_the_minute() {
    let shown = |seconds: u64| plan::shown(Duration::from_secs(seconds));
    assert_eq!([59, 3599, 3601, 90_061].map(shown), ["59s", "59m 59s", "1h 1m", "1day 1h 2m"]);
}

#[test]
fn what_cannot_be_measured_is_left_out_with_its_reason() {
    let all = embedded().unwrap();
    let plan = ClaimPlan::of(&all, &effort(false, None));
    let excuse = |id: &str| plan.excuses.get(id).map(|(verdict, why)| (*verdict, why.as_str()));
    assert_eq!(excuse("pons-02-begin-hard-weak-mean").unwrap().0, Verdict::NotTested);
    assert_eq!(excuse("enhanced-transposition-cutoffs-middle-medium-strong"), None);
    assert_eq!(excuse("pons-12-begin-hard-strong-time").unwrap().1, "takes long: needs --full");
    assert_eq!(excuse("pons-12-middle-easy-strong-time"), None);
    plan.experiment.unwrap().validate().unwrap();
    let scalar_only = unavailable("blog-simd");
    assert_eq!(scalar_only.is_some(), c4lab_solver::search::registry::find("blog-simd").unwrap().available().is_err());
}

/// Rows of both variants of [`CLAIM`], the base `ratio` times as slow, in three repetitions.
fn rows(ratio: u64, positions: u64) -> Vec<Sample> {
    let mut rows = Vec::new();
    for position in 1..=positions {
        for repetition in 0..3 {
            let row = |variant: &str, ns: u64| Sample {
                repetition,
                set: "end-easy".to_string(),
                ..sample(variant, position, ns + u64::from(repetition), 10)
            };
            let ns = 100_000 + 7_000 * (position % 5);
            rows.extend([row("pons-11", ratio * ns), row("pons-12", ns + 100 * (position % 3))]);
        }
    }
    rows
}

fn judged(rows: &[Sample]) -> ClaimRow {
    let evidence = Evidence { results: results(rows, &["pons-11", "pons-12"]), ..Evidence::default() };
    ClaimRow::from(&judge(&claims(CLAIM)[0], &evidence, None))
}

#[test]
fn verdicts_of_rows() {
    assert_eq!(judged(&rows(2, 40)).verdict, Verdict::Reproduced);
    let five = judged(&rows(5, 40));
    assert_eq!(five.verdict, Verdict::SameSign);
    assert!(five.effect.unwrap() > 2.0 && five.why.ends_with("lies above 1.25"), "{five:?}");
    let same = judged(&rows(1, 40));
    assert_eq!((same.verdict, same.positions, same.repetitions), (Verdict::NoEffect, Some(40), Some(3)));
    assert!(same.effect_low.unwrap() < same.effect.unwrap() && same.effect.unwrap() < same.effect_high.unwrap());
    assert!(
        same.measured_low.unwrap() < same.measured.unwrap() && same.measured.unwrap() < same.measured_high.unwrap()
    );
}

/// A changed variant runs at run time. Its base stands there by name, and beside it as a twin that runs alike: the twin's times count.
#[test]
fn a_variant_at_run_time_is_held_against_the_twin_of_its_base() {
    let claim = claims(&CLAIM.replace("variant = \"pons-12\"", "variant = \"pons-12[order=centre]\""));
    let of = |name: &str, as_is: &str, times: u64| -> Vec<Sample> {
        let rows = rows(4, 40).into_iter().filter(|row| row.variant == as_is);
        let named = rows.map(|row| Sample {
            variant: name.to_string(),
            spec: name.trim_end_matches("[]").to_string(),
            wall_ns: row.wall_ns.map(|ns| ns * times),
            ..row
        });
        named.collect()
    };
    let judged = |rows: Vec<Sample>| {
        let results = at_run_time(&rows, &[], &["pons-11[]", "pons-12[order=centre]"]);
        ClaimRow::from(&judge(&claim[0], &Evidence { results, ..Evidence::default() }, None))
    };
    let changed = of("pons-12[order=centre]", "pons-12", 2);
    // The base is four times as slow as a compiled variant, its twin twice as slow as that: against the changed one, 4.
    let with_twin = [of("pons-11", "pons-11", 1), of("pons-11[]", "pons-11", 2), changed.clone()].concat();
    let row = judged(with_twin);
    assert!((3.9..4.1).contains(&row.measured.unwrap()), "{row:?}");
    let row = judged([of("pons-11", "pons-11", 1), changed].concat());
    assert_eq!((row.verdict, row.measured), (Verdict::Undecided, None));
    assert!(row.why.contains("ran at run time"), "{row:?}");
}

#[test]
fn one_position_says_nothing_of_others() {
    let row = judged(&rows(2, 1));
    assert_eq!((row.verdict, row.positions, row.measured_low), (Verdict::Undecided, Some(1), None));
    assert!(row.why.contains("too few positions"), "{row:?}");
}

#[test]
fn limited_positions_leave_a_claim_undecided() {
    let cut = |rows: Vec<Sample>, which: fn(&Sample) -> bool| -> Vec<Sample> {
        let limited = |row: Sample| match which(&row) {
            true => Sample { status: Status::Timeout, limit_ns: Some(1000), score: None, ..row },
            false => row,
        };
        rows.into_iter().map(limited).collect()
    };
    let one = judged(&cut(rows(2, 40), |row| row.position_id == 1 && row.variant == "pons-11"));
    assert_eq!((one.verdict, one.positions), (Verdict::Undecided, Some(40)));
    assert!(one.why.contains("1 of 40 positions reached a limit"), "{one:?}");
    let all = judged(&cut(rows(2, 40), |_| true));
    assert_eq!(all.verdict, Verdict::Undecided);
    assert!(all.why.contains("40 of 40"), "{all:?}");
}

#[test]
fn what_is_not_there_is_not_tested() {
    let none = judged(&[sample("pons-12", 1, 10, 10)]);
    assert_eq!((none.verdict, none.measured), (Verdict::NotTested, None));
    assert!(none.why.starts_with("no position that both pons-11 and pons-12 have there"), "{none:?}");
    let gone = claims(&CLAIM.replace("pons-11", "pons-13"));
    let finding = judge(&gone[0], &Evidence::default(), None);
    assert_eq!(finding.verdict, Verdict::Waiting);
    assert!(finding.why.starts_with("no variant \"pons-13\""));
}

#[test]
fn instructions_are_without_the_loop_around_them() {
    let all = embedded().unwrap();
    let counts = vec![
        count("overhead", "stream_alone", 400),
        count("wins", "win_check_early_exit", 3700),
        count("wins", "win_check_two_shifts", 3900),
    ];
    let evidence = Evidence { counts, counts_from: "results/counts".to_string(), ..Evidence::default() };
    let check = judge(&named(&all, "herzberg-instructions"), &evidence, None);
    assert_eq!((check.measured.unwrap().value, check.verdict), (33.0, Verdict::Reproduced));
    // 50 million checks at two billion instructions a second: what is counted bears it out, or not.
    let rate = named(&all, "herzberg-instructions-by-rate");
    assert_eq!(judge(&rate, &evidence, None).verdict, Verdict::Reproduced);
    let rests_on = "rests on the counts of wins/win_check_early_exit, less overhead/stream_alone: results/counts";
    assert_eq!(judge(&rate, &evidence, None).conditions[0], rests_on);
    let more = vec![count("overhead", "stream_alone", 400), count("wins", "win_check_early_exit", 4500)];
    let refuted = judge(&rate, &Evidence { counts: more, ..Evidence::default() }, None);
    assert_eq!((refuted.verdict, refuted.why.as_str()), (Verdict::OtherNumber, "41.0 without error lies above 40.0"));
    let untested = judge(&rate, &Evidence::default(), None);
    assert_eq!(untested.verdict, Verdict::NotTested);
    assert!(untested.why.starts_with("no count of wins/win_check_early_exit: `cargo bench"), "{untested:?}");
    let ratio = judge(&named(&all, "blog-almost-wins-instructions"), &evidence, None);
    assert_eq!(ratio.verdict, Verdict::NotTested);
    assert!(ratio.why.contains("no count of threats/almost_wins_scalar"), "{ratio:?}");
}

#[test]
fn findings_are_written_and_read_back() {
    let all = embedded().unwrap();
    let findings: Vec<ClaimRow> =
        all.iter().map(|claim| ClaimRow::from(&judge(claim, &Evidence::default(), None))).collect();
    let gone = claims(&CLAIM.replace("pons-11", "pons-13"));
    let waiting = ClaimRow::from(&judge(&gone[0], &Evidence::default(), None));
    let rows = [findings, vec![judged(&rows(2, 40)), waiting]].concat();
    let bytes = table::csv(&rows).unwrap();
    assert_eq!(table::parse("claims.csv", &bytes).unwrap(), rows);
    let text = String::from_utf8(bytes).unwrap();
    let error = |from: &str, to: &str| {
        format!("{:#}", table::parse("c.csv", text.replacen(from, to, 1).as_bytes()).unwrap_err())
    };
    assert!(error("\n2,", "\n3,").starts_with("c.csv, line 2: schema version 3"));
    let older = text.replace("\n2,", "\n1,");
    let refused = format!("{:#}", table::parse("c.csv", older.as_bytes()).unwrap_err());
    assert!(
        refused.starts_with("c.csv: its verdicts were given by an older rule; `c4lab reproduce --from"),
        "{refused}"
    );
    assert!(error("not-tested", "tested").starts_with("c.csv, line "), "{}", error("not-tested", "tested"));
    let table = sheets::terminal(&rows, None);
    assert!(table.contains("1 reproduced") && table.contains("waiting for its variant"), "{table}");
    assert!(rows.iter().all(|row| row.goal.is_some() || !row.kind.is_of_samples()));
    assert!(rows.iter().any(|row| row.goal == Some(Goal::Weak)));
}

/// Rows of a step on positions of an original set: the base takes so many times ten nodes, and a little more on every other position.
fn step_rows(base: &str, variant: &str, positions: u64, tens: u64) -> Vec<Sample> {
    let row = |variant: &str, position: u64, nodes: u64| Sample {
        set: "original/end-easy".to_string(),
        ..sample(variant, position, 1000 + position, nodes * (20 + position % 3))
    };
    let of = |at: u64| [row(base, at, 1000 * tens / 10 + at % 2), row(variant, at, 1000)];
    (1..=positions).flat_map(of).collect()
}

/// The first positions of a set make another ratio than the whole: that is no refutation.
#[test]
fn a_part_of_a_set_does_not_refute_what_was_said_of_the_whole() {
    let step = named(&embedded().unwrap(), "pons-12-end-easy-strong-nodes");
    let part = |nodes: u64| {
        let rows = step_rows("pons-11", "pons-12", 20, nodes);
        judge(&step, &Evidence { results: results(&rows, &[]), ..Evidence::default() }, None)
    };
    for (nodes, says) in [(5, "lies below 1"), (30, "lies above 1.25"), (10, "lies within 2 % of 1")] {
        let against = part(nodes);
        assert_eq!(against.verdict, Verdict::Undecided, "{against:?}");
        assert!(against.why.ends_with(&format!("{says}; but a part of a set refutes nothing")), "{against:?}");
    }
}

/// The time for a node is of the whole set: a part of it makes another one, and no verdict.
#[test]
fn the_time_for_a_node_is_tested_on_the_whole_set_alone() {
    let claim = named(&embedded().unwrap(), "pons-says-10-node-time-end-easy-strong");
    let judged = |positions: usize, size: usize| {
        let mut rows = step_rows("pons-09", "pons-10", positions as u64, 30);
        rows.extend(rows.clone().into_iter().map(|row| Sample {
            repetition: 1,
            wall_ns: row.wall_ns.map(|ns| ns + 1),
            ..row
        }));
        let evidence = Evidence { results: results(&rows, &["pons-09", "pons-10"]), ..Evidence::default() };
        judge(&claim, &of_size(evidence, size), None)
    };
    let part = judged(20, 1000);
    let why = "the time for a node is of the whole set, and only 20 of 1000 were measured";
    assert_eq!((part.verdict, part.why.as_str(), part.measured), (Verdict::NotTested, why, None));
    let whole = judged(20, 20);
    assert_eq!(whole.verdict, Verdict::Reproduced, "{whole:?}");
}

/// The evidence with a manifest that says how many positions its set has.
fn of_size(evidence: Evidence, positions: usize) -> Evidence {
    let mut manifest = reading(&[sample("a", 1, 1, 1)]).manifest;
    let sha256 = evidence.results.grounds[0].set_sha256.clone();
    manifest.test_sets = vec![SetRecord { name: "s".to_string(), sha256, positions, shipped: false }];
    Evidence { manifest: Some(manifest), ..evidence }
}

/// Beside a statement stands what was measured, and no word of a claim.
#[test]
fn a_statement_has_no_verdict() {
    let rate = named(&embedded().unwrap(), "herzberg-rate");
    let of = |rates: Vec<Rate>| ClaimRow::from(&judge(&rate, &Evidence { rates, ..Evidence::default() }, None));
    let rated = |repetition: u32| Rate {
        schema_version: 1,
        wins: "early-exit".to_string(),
        repetition,
        checks: 500 + u64::from(repetition),
        wall_ns: 1000,
        found: 0,
    };
    let measured = of((0..5).map(rated).collect());
    assert_eq!((measured.verdict, measured.published_low), (Verdict::Statement, None));
    let table = sheets::terminal(&[measured], None);
    assert!(table.starts_with("Statements, which nothing could fail: Win checks a second"), "{table}");
    assert!(table.contains("502,000,000 a second") && table.ends_with("\n1 statement\n"), "{table}");
    assert!(Verdict::ALL.iter().all(|verdict| !table.contains(&format!(" {} ", verdict.word()))), "{table}");
    let none = of(Vec::new());
    assert_eq!((none.verdict, none.why.as_str()), (Verdict::Statement, "not measured"));
    assert!(none.conditions.starts_with("the rate of early-exit was not measured"), "{none:?}");
}

#[test]
fn published_and_measured_are_shown_alike() {
    let all = embedded().unwrap();
    let shown = |id: &str, measured: f64| {
        let mut row = ClaimRow::from(&judge(&named(&all, id), &Evidence::default(), None));
        row.measured = Some(measured);
        let sheet = sheets::sheets(&[row]).0.remove(0);
        let at = |title: &str| sheet.columns.iter().position(|heading| heading.title == title).unwrap();
        [sheet.rows[0][at("published")].shown(), sheet.rows[0][at("measured")].shown()]
    };
    assert_eq!(shown("pons-09-middle-medium-strong-mean", 1_135_470.31), ["1,135,000", "1,135,470"]);
    assert_eq!(shown("pons-08-end-easy-weak-mean", 74.479), ["74.40", "74.48"]);
    assert_eq!(shown("pons-12-end-easy-strong-time", 1.0091), ["1.03x", "1.01x"]);
    assert_eq!(shown("pons-12-middle-easy-strong-seconds", 20_512.3), ["37.5 us", "20.5 us"]);
    assert_eq!(shown("pons-12-middle-easy-strong-speed", 21_912_345.0), ["12,000 K a second", "21,900 K a second"]);
    assert_eq!(shown("herzberg-instructions", 33.081), ["28.0 to 40.0", "33.1"]);
}

#[test]
fn verdicts_are_counted_and_statements_apart() {
    let all = embedded().unwrap();
    let row = |id: &str, verdict: Verdict| ClaimRow {
        verdict,
        ..ClaimRow::from(&judge(&named(&all, id), &Evidence::default(), None))
    };
    let rows = [
        row("herzberg-instructions", Verdict::Reproduced),
        row("blog-colorless-plain", Verdict::SameSign),
        row("pons-12-end-easy-strong-time", Verdict::SameSign),
        row("herzberg-rate", Verdict::Statement),
    ];
    assert_eq!(sheets::count(&rows), "3 claims: 1 reproduced; 2 same sign, other size; and 1 statement");
    assert_eq!(sheets::count(&rows[..1]), "1 claim: 1 reproduced");
}
