//! Files of claims, and what they expand to.

use crate::claims::claim::{Claim, Extent, Kind};
use crate::claims::written::file::{choose, embedded, parse};
use std::collections::HashSet;

pub(in crate::claims) const CLAIM: &str = "source = 's'\n[[claims]]\nid = \"twice\"\nstatement = \"twice as fast\"\nkind = \"time-ratio\"\n\
     published = 2\nbase = \"pons-11\"\nvariant = \"pons-12\"\ntest-sets = [\"end-easy\"]\n";

pub(in crate::claims) fn claims(text: &str) -> Vec<Claim> {
    parse("c.toml", text).unwrap_or_else(|error| panic!("{error:#}"))
}

pub(in crate::claims) fn named(claims: &[Claim], id: &str) -> Claim {
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
    assert_eq!([of(Kind::MeanTime), of(Kind::Speed)], [91, 91]);
    assert_eq!(
        [claims.iter().filter(|claim| !claim.is_statement).count(), says("blog-"), says("herzberg-")],
        [378, 20, 5]
    );
    let ids: HashSet<&str> = claims.iter().map(|claim| claim.id.as_str()).collect();
    assert_eq!(ids.len(), claims.len());
    assert!(claims.iter().all(|claim| !claim.statement.is_empty() && !claim.source.is_empty()));
}

#[test]
fn figures_become_the_published_numbers() {
    let claims = embedded().unwrap();
    let step = named(&claims, "pons-09-middle-medium-strong-time");
    assert_eq!((step.base.as_deref(), step.variant.as_str()), (Some("pons-08"), "pons-09"));
    assert_eq!(step.published.shown, "1.49x");
    assert!(
        (step.published.range.0 - 1.4921f64.powf(0.8)).abs() < 1e-3
            && (step.published.range.1 - 1.4921f64.powf(1.25)).abs() < 1e-3
    );
    assert!((step.place.unwrap().seconds.unwrap() - (0.0483 + 0.03237)).abs() < 1e-9, "both variants");
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
    // The time for a node is of the whole set.
    assert_eq!(extent("pons-says-10-node-time-middle-easy-strong"), Extent::Whole);
    assert_eq!(extent("pons-says-10-node-time-middle-medium-strong"), Extent::Nothing);
}

#[test]
fn embedded_claims_name_variants_that_are_registered() {
    let claims = embedded().unwrap();
    let unknown: HashSet<&str> = claims
        .iter()
        .flat_map(Claim::variants)
        .filter(|name| c4lab_solver::search::registry::find(name).is_err())
        .collect();
    assert_eq!(unknown, HashSet::new());
}

/// What is within limits names them, what is told names nothing.
#[test]
fn keys_of_other_kinds_are_refused() {
    let solved = CLAIM.replace("time-ratio", "solved-ratio").replace("published = 2", "from = 1\nnode-limit = 9");
    let within = &claims(&solved)[0].within;
    assert_eq!((within.nodes, within.time.as_deref()), (Some(9), None));
    let told = "source = 's'\n[[claims]]\nid = \"t\"\nstatement = \"x\"\nkind = \"told\"\nfigure = \"3 s\"\n";
    assert_eq!(claims(told)[0].published.shown, "3 s");
    for (text, from, to, reason) in [
        (solved.as_str(), "\nnode-limit = 9", "", "and nothing else, has a node-limit or a time-limit"),
        (
            CLAIM,
            "published = 2",
            "published = 2\ntime-limit = \"1s\"",
            "and nothing else, has a node-limit or a time-limit",
        ),
        (&solved, "base = \"pons-11\"\n", "", "a solved-ratio needs a base"),
        (told, "figure = \"3 s\"", "published = 3", "has a figure in words"),
        (told, "figure", "variant = \"x\"\nfigure", "what is told has no variant"),
        (CLAIM, "variant = \"pons-12\"\n", "", "what is told has no variant, and every other claim has one"),
    ] {
        let changed = text.replacen(from, to, 1);
        assert_ne!(changed, text);
        let error = format!("{:#}", parse("c.toml", &changed).unwrap_err());
        assert!(error.contains(reason), "{from}: {error}");
    }
}

#[test]
fn errors_name_the_file_the_line_and_the_nearest() {
    let error = |from: &str, to: &str| {
        let text = CLAIM.replacen(from, to, 1);
        assert_ne!(text, CLAIM);
        format!("{:#}", parse("c.toml", &text).unwrap_err())
    };
    assert_eq!(error("statement", "statment"), "c.toml, line 4: no key \"statment\"; nearest: \"statement\"");
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
        ("published = 2", "from = 1\nto = 100", "1.00 to 100x holds 1 and spans a factor of 100, so no measurement"),
        ("published = 2", "to = 1e6", "so no measurement could fail it: write it under statements"),
        ("kind = \"time-ratio\"", "kind = \"mean-time\"", "a mean-time is of one machine, and no other could fail it"),
        (
            "kind = \"time-ratio\"",
            "kind = \"node-time-ratio\"\npositions = 9",
            "is of a whole set: leave out positions",
        ),
        ("published = 2", "published = 2\nseconds = 0", "seconds is a number above 0"),
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
    assert_eq!(claims(&format!("{ladder}{all}")).len(), 91 + 73 + 73 + 91 + 91);
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
    assert_eq!(chosen(&["pons-12-middle-easy-weak"]), Ok(5));
    assert_eq!(chosen(&["herzberg-rate"]), Ok(1));
    assert_eq!(chosen(&["herzberg", "herzberg-rate"]), Ok(5));
    let error = chosen(&["herzberg-rat"]).unwrap_err();
    assert_eq!(error, "no claim \"herzberg-rat\"; nearest: \"herzberg-rate\"");
}

/// What no measurement could fail stands under statements, in a file and in a ladder.
#[test]
fn statements_are_no_claims() {
    let stated = CLAIM.replace("[[claims]]", "[[statements]]");
    assert!(claims(CLAIM).iter().all(|claim| !claim.is_statement && claim.class() == "claim"));
    assert!(claims(&stated).iter().all(|claim| claim.is_statement && claim.class() == "statement"));
    for cannot in ["from = 1\nto = 100", "to = 1e6"] {
        assert!(claims(&stated.replace("published = 2", cannot))[0].is_statement);
    }
    let all = embedded().unwrap();
    for name in ["herzberg-rate", "pons-says-10-nodes-end-easy-weak", "pons-12-end-easy-weak-speed"] {
        assert!(named(&all, name).is_statement, "{name}");
    }
    let ladder = include_str!("../../../../experiments/claims/pons.toml");
    let error =
        format!("{:#}", parse("p.toml", &ladder.replace("ladders.statements", "ladders.sentences")).unwrap_err());
    assert!(error.contains("sentence \"says-10-nodes\": 1.00 to 100x holds 1"), "{error}");
}

#[test]
fn absolute_figures_are_shown_in_units_of_what_is_measured() {
    let all = embedded().unwrap();
    let shown = |id: &str| named(&all, id).published.shown;
    assert_eq!(shown("pons-12-middle-easy-strong-seconds"), "37.5 us");
    assert_eq!(shown("pons-12-middle-easy-strong-speed"), "12,000 K a second");
    assert_eq!(shown("pons-09-middle-medium-strong-mean"), "1,135,000");
    assert_eq!(shown("herzberg-rate"), "at least 50,000,000 a second");
    assert_eq!(shown("pons-says-11-end-easy-weak"), "1.05 to 1.11x");
}

/// The post's key is tried where it saves most, in its own solver and in another.
#[test]
fn colorless_keys_are_tested_on_begin_medium_too() {
    let all = embedded().unwrap();
    for id in ["blog-colorless-where-it-saves-most", "blog-colorless-in-pons-12-begin-medium-weak"] {
        let claim = named(&all, id);
        assert_eq!((claim.place.unwrap().set.as_str(), claim.published.number), ("begin-medium", Some(3.3)));
    }
}
