//! Files of claims, what they expand to, and findings from rows made by hand.

use crate::lab::files::folder::tests::sample;
use crate::lab::files::sample::{Sample, Status};
use crate::report::claims::claim::{Claim, Extent, Kind};
use crate::report::claims::evidence::Evidence;
use crate::report::claims::file::{choose, embedded, parse};
use crate::report::claims::judge::judge;
use crate::report::claims::plan::{ClaimPlan, Effort, unavailable};
use crate::report::claims::table::{self, ClaimRow};
use crate::report::claims::verdict::Verdict;
use crate::report::results::tests::{at_run_time, results};
use crate::report::tables::instructions::tests::row as count;
use c4lab_solver::search::Goal;
use std::collections::HashSet;

const CLAIM: &str = "source = 's'\n[[claims]]\nid = \"twice\"\nstatement = \"twice as fast\"\nkind = \"time-ratio\"\n\
                     published = 2\nbase = \"pons-11\"\nvariant = \"pons-12\"\ntest-sets = [\"end-easy\"]\n";

fn claims(text: &str) -> Vec<Claim> {
    parse("c.toml", text).unwrap_or_else(|error| panic!("{error:#}"))
}

fn named(claims: &[Claim], id: &str) -> Claim {
    claims.iter().find(|claim| claim.id == id).unwrap_or_else(|| panic!("{id}")).clone()
}

/// Every figure of positions and every step in the table of 120 lines makes its claims. Their number was counted by
/// hand.
#[test]
fn every_published_figure_is_a_claim() {
    let claims = embedded().unwrap();
    let of = |kind: Kind| claims.iter().filter(|claim| claim.kind == kind && claim.id.starts_with("pons-")).count();
    let says = |name: &str| claims.iter().filter(|claim| claim.id.starts_with(name)).count();
    assert_eq!(of(Kind::NodeMean), 91);
    assert_eq!(
        of(Kind::TimeRatio),
        73 + says("pons-says-05") + says("pons-says-06") + says("pons-says-08") + says("pons-says-11")
    );
    assert_eq!(of(Kind::NodeRatio), 73 + says("pons-says-10-nodes") + says("pons-says-12"));
    let counts =
        ["05", "06", "08", "10-nodes", "10-node-time", "11", "12"].map(|part| says(&format!("pons-says-{part}")));
    assert_eq!(counts, [6, 6, 5, 10, 10, 12, 12]);
    let ids: HashSet<&str> = claims.iter().map(|claim| claim.id.as_str()).collect();
    assert_eq!(ids.len(), claims.len());
    assert!(claims.iter().all(|claim| !claim.statement.is_empty() && !claim.source.is_empty()));
}

#[test]
fn figures_become_the_published_numbers() {
    let claims = embedded().unwrap();
    let step = named(&claims, "pons-09-middle-medium-strong-time");
    assert_eq!((step.base.as_deref(), step.variant.as_str()), (Some("pons-08"), "pons-09"));
    assert_eq!(step.published.shown, "1.492x");
    assert!(
        (step.published.range.0 - 0.8 * 1.4921).abs() < 1e-3 && (step.published.range.1 - 1.2 * 1.4921).abs() < 1e-3
    );
    let nodes = named(&claims, "pons-09-middle-medium-strong-nodes");
    let (low, high) = nodes.published.digits.unwrap();
    assert!(low < 1_698_780.339 / 1_135_470.312 && 1_698_780.339 / 1_135_470.312 < high && high - low < 0.005);
    let says = named(&claims, "pons-says-10-nodes-begin-easy-weak");
    assert!((says.own_table.unwrap() - 1060.0).abs() < 1.0 && says.own_table_holds() == Some(false), "{says:?}");
    let slower = named(&claims, "pons-says-10-node-time-middle-medium-strong");
    assert!((slower.own_table.unwrap() - 0.3353).abs() < 1e-3 && slower.own_table_holds() == Some(true));
    let misprint = named(&claims, "pons-08-end-easy-weak-mean");
    assert!(misprint.differs.iter().any(|note| note.contains("misprint")));
    assert!(named(&claims, "pons-09-end-easy-weak-nodes").differs.iter().any(|note| note.contains("misprint")));
}

/// Long rungs are left to --full, short ones are measured on as much as says something.
#[test]
fn samples_are_chosen_by_the_published_time() {
    let claims = embedded().unwrap();
    let extent = |id: &str| named(&claims, id).place.unwrap().extent;
    assert_eq!(extent("pons-05-middle-medium-strong-time"), Extent::Nothing, "part 4 takes 38.7 s a position");
    assert_eq!(extent("pons-12-begin-hard-strong-time"), Extent::Nothing);
    assert_eq!(extent("pons-12-middle-easy-strong-time"), Extent::First(250));
    assert_eq!(extent("pons-11-begin-medium-strong-nodes"), Extent::First(31));
    assert_eq!(extent("pons-12-middle-medium-strong-mean"), Extent::Whole);
    assert_eq!(extent("pons-07-middle-medium-strong-mean"), Extent::Nothing);
}

/// A name that stands in no registry is a slip, or a variant that is still to come.
#[test]
fn embedded_claims_name_variants_that_are_registered_or_to_come() {
    let claims = embedded().unwrap();
    let unknown: HashSet<&str> = claims
        .iter()
        .flat_map(Claim::variants)
        .filter(|name| c4lab_solver::search::registry::find(name).is_err())
        .collect();
    assert_eq!(unknown, HashSet::from(["fhourstones"]));
}

#[test]
fn errors_name_the_file_the_line_and_the_nearest() {
    let error = |from: &str, to: &str| {
        let text = CLAIM.replacen(from, to, 1);
        assert_ne!(text, CLAIM);
        format!("{:#}", parse("c.toml", &text).unwrap_err())
    };
    assert_eq!(error("statement", "statment"), "c.toml, line 4: no key \"statment\"; nearest: \"statement\"");
    assert!(error("time-ratio", "time").starts_with("c.toml, line 5: unknown variant `time`"));
    let claim = "c.toml, line 2: claim \"twice\": ";
    for (from, to, reason) in [
        ("end-easy", "end-esay", "no test set or file \"end-esay\"; nearest: \"end-easy\""),
        ("published = 2", "published = -2", "numbers above 0"),
        ("published = 2", "from = 3\nto = 2", "from is not below to"),
        ("published = 2", "from = 3\ntolerance = 0.1", "a range has no tolerance"),
        ("published = 2\n", "", "either published"),
        ("base = \"pons-11\"\n", "", "a time-ratio needs a base"),
        ("test-sets = [\"end-easy\"]", "test-sets = []", "a time-ratio needs test-sets"),
        ("twice as fast", " ", "no statement"),
        ("published = 2", "printed = \"2\"", "a node-mean, and nothing else"),
        ("published = 2", "published = 2\npositions = 0", "positions = 0"),
        ("source = 's'\n", "\n", "no source"),
        ("time-ratio", "rate", "a rate has no test-sets"),
    ] {
        let error = error(from, to);
        assert!(error.starts_with(claim) && error.contains(reason), "{to}: {error}");
    }
    assert!(error("twice\"", "Twice!\"").contains("not made of small letters"));
    assert!(
        format!("{:#}", parse("c.toml", &format!("{CLAIM}{}", &CLAIM[13..])).unwrap_err()).contains("stands twice")
    );
    assert_eq!(parse("c.toml", "source = 's'\n").unwrap_err().to_string(), "c.toml: no claim in it");
}

#[test]
fn ladders_with_errors_are_refused_with_their_line() {
    let ladder = "[[ladders]]\nid = \"l\"\nsource = \"s\"\nfigures = \"pons\"\nsample-seconds = 1.0\nsample-least = 4\n\
                  sample-most = 9\nwhole-seconds = 1.0\n[ladders.variants]\n2 = \"x\"\n";
    let error = |more: &str| format!("{:#}", parse("l.toml", &format!("{ladder}{more}")).unwrap_err());
    assert_eq!(error(""), "l.toml, line 1: variants has none for part 3");
    let all: String = (3..=12).map(|part| format!("{part} = \"pons-{part:02}\"\n")).collect();
    assert_eq!(claims(&format!("{ladder}{all}")).len(), 91 + 73 + 73);
    let sentence = |rest: &str| {
        format!("{all}[[ladders.sentences]]\nid = \"s\"\nstatement = \"x\"\nkind = \"time-ratio\"\n{rest}")
    };
    assert!(error(&sentence("part = 2\npublished = 2")).contains("sentence \"s\": the table has no such step"));
    assert!(error(&sentence("part = 5")).contains("sentence \"s\": either published"));
    let misprint =
        "[[ladders.misprints]]\npart = 8\ngoal = \"weak\"\ntest-set = \"end-easy\"\nprinted = \"1\"\nwhy = \"x\"\n";
    assert!(error(&format!("{all}{misprint}")).contains("misprint: 1 is not printed for part 8"));
    assert!(error(&all.replace("3 =", "x y =")).starts_with("l.toml, line 11"));
}

#[test]
fn names_choose_claims_by_their_beginning() {
    let chosen = |names: &[&str]| {
        let names: Vec<String> = names.iter().map(|name| name.to_string()).collect();
        choose(embedded().unwrap(), &names).map(|claims| claims.len())
    };
    assert_eq!(chosen(&["pons-12-middle-easy-weak"]), Ok(3));
    assert_eq!(chosen(&["herzberg-rate"]), Ok(1));
    assert_eq!(chosen(&["herzberg", "herzberg-rate"]), Ok(2));
    let error = chosen(&["herzberg-rat"]).unwrap_err();
    assert_eq!(error, "no claim \"herzberg-rat\"; nearest: \"herzberg-rate\"");
}

fn effort(full: bool, limit: Option<usize>) -> Effort {
    Effort { full, repetitions: 3, limit, time_limit: None, seed: 1 }
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
    let full = ClaimPlan::of(&claims(CLAIM), &effort(true, None)).experiment.unwrap();
    assert_eq!((full.runs[0].limit, full.limit), (None, None));
    let small = ClaimPlan::of(&claims(CLAIM), &effort(false, Some(3))).experiment.unwrap();
    assert_eq!((small.runs[0].limit, small.limit), (Some(3), Some(3)));
}

#[test]
fn what_cannot_be_measured_is_left_out_with_its_reason() {
    let all = embedded().unwrap();
    let plan = ClaimPlan::of(&all, &effort(false, None));
    let excuse = |id: &str| plan.excuses.get(id).map(|(verdict, why)| (*verdict, why.as_str()));
    let waiting = excuse("pons-02-begin-hard-weak-mean").unwrap();
    assert!(waiting.0 == Verdict::Waiting && waiting.1.starts_with("no variant \"fhourstones\""), "{waiting:?}");
    assert_eq!(excuse("enhanced-transposition-cutoffs-middle-medium-strong"), None);
    assert_eq!(excuse("pons-12-begin-hard-strong-time").unwrap().1, "takes long: needs --full");
    assert_eq!(excuse("pons-12-middle-easy-strong-time"), None);
    plan.experiment.unwrap().validate().unwrap();
    let scalar_only = unavailable("blog-simd");
    assert_eq!(
        scalar_only.is_some(),
        c4lab_solver::search::registry::find("blog-simd").unwrap().spec.available().is_err()
    );
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
    assert_eq!(judged(&rows(5, 40)).verdict, Verdict::SameDirection);
    let same = judged(&rows(1, 40));
    assert_eq!((same.verdict, same.positions, same.repetitions), (Verdict::NotReproduced, Some(40), Some(3)));
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
    assert!(row.conditions.contains("ran at run time"), "{row:?}");
}

#[test]
fn one_position_says_nothing_of_others() {
    let row = judged(&rows(2, 1));
    assert_eq!((row.verdict, row.positions, row.measured_low), (Verdict::Undecided, Some(1), None));
    assert!(row.conditions.contains("too few positions"), "{row:?}");
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
    assert!(one.conditions.contains("1 of 40 positions reached a limit"), "{one:?}");
    let all = judged(&cut(rows(2, 40), |_| true));
    assert_eq!(all.verdict, Verdict::Undecided);
    assert!(all.conditions.contains("40 of 40"), "{all:?}");
}

#[test]
fn what_is_not_there_is_not_tested() {
    let none = judged(&[sample("pons-12", 1, 10, 10)]);
    assert_eq!((none.verdict, none.measured), (Verdict::NotTested, None));
    assert!(none.conditions.starts_with("no position that both pons-11 and pons-12 have there"), "{none:?}");
    let gone = claims(&CLAIM.replace("pons-11", "pons-13"));
    let finding = judge(&gone[0], &Evidence::default(), None);
    assert_eq!(finding.verdict, Verdict::Waiting);
    assert!(finding.conditions[0].starts_with("no variant \"pons-13\""));
}

#[test]
fn instructions_are_without_the_loop_around_them() {
    let all = embedded().unwrap();
    let counts = vec![
        count("overhead", "stream_alone", 400),
        count("wins", "win_check_early_exit", 3700),
        count("wins", "win_check_two_shifts", 3900),
    ];
    let evidence = Evidence { counts, ..Evidence::default() };
    let check = judge(&named(&all, "herzberg-instructions"), &evidence, None);
    assert_eq!((check.measured.unwrap().value, check.verdict), (33.0, Verdict::Reproduced));
    let ratio = judge(&named(&all, "blog-almost-wins-instructions"), &evidence, None);
    assert_eq!(ratio.verdict, Verdict::NotTested);
    assert!(ratio.conditions[0].contains("no count of threats/almost_wins_scalar"), "{ratio:?}");
}

#[test]
fn findings_are_written_and_read_back() {
    let all = embedded().unwrap();
    let findings: Vec<ClaimRow> =
        all.iter().map(|claim| ClaimRow::from(&judge(claim, &Evidence::default(), None))).collect();
    let rows = [findings, vec![judged(&rows(2, 40))]].concat();
    let bytes = table::csv(&rows).unwrap();
    assert_eq!(table::parse("claims.csv", &bytes).unwrap(), rows);
    let text = String::from_utf8(bytes).unwrap();
    let error = |from: &str, to: &str| {
        format!("{:#}", table::parse("c.csv", text.replacen(from, to, 1).as_bytes()).unwrap_err())
    };
    assert!(error("\n1,", "\n2,").starts_with("c.csv, line 2: schema version 2"));
    assert!(error("not-tested", "tested").starts_with("c.csv, line "), "{}", error("not-tested", "tested"));
    let table = table::terminal(&rows, None);
    assert!(table.contains("1 reproduced") && table.contains("waiting for its variant"), "{table}");
    assert!(rows.iter().all(|row| row.goal.is_some() || row.kind == Kind::Instructions || row.kind == Kind::Rate));
    assert!(rows.iter().any(|row| row.goal == Some(Goal::Weak)));
}

/// The first positions of a set make another ratio than the whole: that is no refutation.
#[test]
fn a_part_of_a_set_does_not_refute_what_was_said_of_the_whole() {
    let step = named(&embedded().unwrap(), "pons-12-end-easy-strong-nodes");
    let part = |nodes: u64| {
        let row = |variant: &str, position: u64, nodes: u64| Sample {
            set: "original/end-easy".to_string(),
            ..sample(variant, position, 1000 + position, nodes * (20 + position % 3))
        };
        let rows: Vec<Sample> =
            (1..=20).flat_map(|at| [row("pons-11", at, nodes), row("pons-12", at, 10 + at % 2)]).collect();
        let evidence = Evidence { results: results(&rows, &[]), ..Evidence::default() };
        judge(&step, &evidence, None)
    };
    let against = part(5);
    assert_eq!(against.verdict, Verdict::Undecided, "{against:?}");
    assert!(against.conditions.iter().any(|condition| condition.contains("does not refute")), "{against:?}");
    assert_eq!(part(11).verdict, Verdict::Reproduced);
    assert_eq!(part(30).verdict, Verdict::SameDirection);
}
