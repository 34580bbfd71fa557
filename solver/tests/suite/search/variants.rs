//! Every registered variant. A new line of the registry is included without a change here.

use c4lab_solver::axes::{Layout, Order, TableKind};
use c4lab_solver::game::{BoardSize, Position};
use c4lab_solver::search::analysis::best_line;
use c4lab_solver::search::oracle::Oracle;
use c4lab_solver::search::registry::{
    self, ABLATIONS, ALL, CHAMPION_SCALAR, DEFAULT, Entry, PONS_12, find, without_table,
};
use c4lab_solver::search::{Counters, Goal, Limits, NodeEnd, Options, PlyCounts, Solve, Solved, Spec, Stopped};
use std::collections::{HashMap, HashSet};
use std::fs;
use std::io::Write;

/// Positions of all stages with their exact scores, from the shipped sets.
const POSITIONS: [(&str, i32); 18] = [
    ("2553315117217641126654773776646543254243", 0),
    ("64336534677123225542734645255776643112", 0),
    ("64222121231157157277431364454466337", 3),
    ("5137555224455774137113742113472462", -4),
    ("66713725542373274463321374762564", -5),
    ("732777613412525524623645676334", 0),
    ("11365667765667725312373317232", -6),
    ("2765551211764257567157731216", -7),
    ("5551357246243572524317677", 5),
    ("2631144762222172643416", -10),
    ("5116116347241757466521647", -1),
    ("4243256421667545517655", 3),
    ("41357411232772432666", 2),
    ("113541175777156", -4),
    ("4377712116274715", 12),
    ("51731734253765", 11),
    ("474732334", -14),
    ("2642", 18),
];

/// Nodes for each position: enough for `pons-03` to finish half of them.
const NODES: Limits<'static> = Limits { nodes: Some(100_000), time: None, interrupt: None };
/// Fewer, for tests that repeat a search.
const FEWER: Limits<'static> = Limits { nodes: Some(20_000), time: None, interrupt: None };
/// The least number of the positions that every variant finishes.
const ANSWERED: usize = 5;

/// Nodes over all positions, each from a cleared table and cut at the limit: one line a variant, one column a pinned
/// goal.
///
/// A commit that makes a variant faster must not change its line. A commit that changes it on purpose has a last line
/// `Nodes: <variant> <old> -> <new>`. A new variant gets its line by `C4LAB_PIN=1 cargo test -p c4lab-solver --test
/// suite pinned`, which adds missing lines and changes no others.
const PINS: &str = "tests/data/pins.csv";

/// The pinned goals, and the nodes of each variant under them.
struct Pins {
    goals: Vec<Goal>,
    nodes: HashMap<String, Vec<u64>>,
}

fn pinned() -> Pins {
    let text = fs::read_to_string(PINS).unwrap_or_else(|error| panic!("{PINS}: {error}"));
    let mut lines = text.lines().map(|line| line.split(',').collect::<Vec<&str>>());
    let header = lines.next().expect(PINS);
    let goal = |name: &&str| Goal::ALL.into_iter().find(|goal| goal.name() == *name).expect(name);
    let goals: Vec<Goal> = header[1..].iter().map(goal).collect();
    let mut nodes = HashMap::new();
    for line in lines {
        let counts: Vec<u64> = line[1..].iter().map(|nodes| nodes.parse().expect(PINS)).collect();
        assert_eq!(counts.len(), goals.len(), "{PINS}: {line:?}");
        assert!(nodes.insert(line[0].to_string(), counts).is_none(), "{PINS}: {} is there twice", line[0]);
        assert!(find(line[0]).is_ok(), "{PINS}: {} is no variant", line[0]);
    }
    Pins { goals, nodes }
}

fn positions() -> impl Iterator<Item = (Position, i32)> {
    POSITIONS.into_iter().map(|(moves, score)| (Position::parse(moves).expect(moves), score))
}

/// Every variant that this build has a search for, vectors emulated or not. With the feature `ablations` these are all.
fn all() -> impl Iterator<Item = &'static Entry> {
    ALL.iter().filter(|entry| entry.is_compiled(BoardSize::STANDARD) && entry.runs())
}

/// Those of them that are dynamic variants too.
fn at_run_time_too() -> impl Iterator<Item = &'static Entry> {
    all().filter(|entry| ABLATIONS || entry.spec.layout == Layout::Tight)
}

fn build(entry: &Entry) -> Box<dyn Solve> {
    entry.build(&Options::default()).unwrap_or_else(|error| panic!("{}: {error}", entry.name))
}

fn answers(solver: &mut dyn Solve, goal: Goal, limits: &Limits<'_>) -> Vec<Result<Solved, Stopped>> {
    let cold = |(position, _)| {
        solver.reset();
        solver.solve(&position, goal, limits)
    };
    positions().map(cold).collect()
}

fn nodes(answer: &Result<Solved, Stopped>) -> u64 {
    answer.map_or_else(Stopped::nodes, |solved| solved.nodes)
}

/// With branches folded away or kept, it is one search.
#[test]
fn named_and_run_time_searches_agree_in_score_and_nodes() {
    for entry in at_run_time_too() {
        let dynamic = registry::build(entry.spec, &Options::default());
        let mut dynamic = dynamic.unwrap_or_else(|error| panic!("{}: {error}", entry.name));
        let mut named = build(entry);
        assert_eq!(named.table_bytes(), dynamic.table_bytes(), "{}", entry.name);
        for &goal in entry.spec.goals() {
            assert_eq!(
                answers(&mut *named, goal, &FEWER),
                answers(&mut *dynamic, goal, &FEWER),
                "{}, {}",
                entry.name,
                goal.name()
            );
        }
    }
}

/// A search depends only on the position and a cleared solver; a warm table changes nodes, never the score.
#[test]
fn a_reset_brings_the_same_nodes_again() {
    let build = |entry: &Entry| entry.build(&Options::with_tt(1 << 20)).expect("a table");
    for (entry, goal) in all().flat_map(|entry| entry.spec.goals().iter().map(move |&goal| (entry, goal))) {
        let mut solver = build(entry);
        let first = answers(&mut *solver, goal, &FEWER);
        for ((position, score), cold) in positions().zip(&first) {
            let warm = solver.solve(&position, goal, &FEWER);
            assert!(solver.table_bytes() > 0 || warm == *cold, "{}, {position}: no table to be warm", entry.name);
            assert!(
                warm.is_err() || warm.map(|solved| solved.score) == Ok(goal.of(score)),
                "{}, {position}",
                entry.name
            );
        }
        assert_eq!(first, answers(&mut *solver, goal, &FEWER), "{}, {}", entry.name, goal.name());
        assert_eq!(first, answers(&mut *build(entry), goal, &FEWER), "{}, {}, built anew", entry.name, goal.name());
    }
}

#[test]
fn counting_changes_nothing_and_adds_up() {
    for entry in at_run_time_too() {
        let options = Options::with_tt(1 << 20);
        let mut plain = entry.build(&options).unwrap_or_else(|error| panic!("{}: {error}", entry.name));
        assert_eq!(plain.counters(), None, "{}", entry.name);
        let mut counted =
            registry::build_counted(entry.spec, &options).unwrap_or_else(|error| panic!("{}: {error}", entry.name));
        for (goal, (position, _)) in
            entry.spec.goals().iter().flat_map(|&goal| positions().map(move |case| (goal, case)))
        {
            plain.reset();
            counted.reset();
            assert_eq!(counted.counters(), Some(Counters::default()), "{}: a reset clears", entry.name);
            let answer = counted.solve(&position, goal, &FEWER);
            assert_eq!(answer, plain.solve(&position, goal, &FEWER), "{}, {position}", entry.name);
            let counters = counted.counters().expect("it counts");
            let what = format!("{}, {position}: {counters:?}, {answer:?}", entry.name);
            assert!(counters.hits <= counters.probes && counters.cutoffs <= counters.hits, "{what}");
            assert!(counters.stores <= nodes(&answer), "{what}");
            assert!(counters.probes <= u64::from(entry.spec.most_probes()) * nodes(&answer), "{what}");
            anatomy_adds_up(&*counted, counters, &answer);
            if entry.spec.table == TableKind::None {
                assert_eq!(counters, Counters::default(), "{what}");
            } else if nodes(&answer) >= 10_000 {
                assert!(counters.cutoffs > 0 && counters.stores > 0, "{what}");
            }
        }
    }
}

/// Every node is entered once and ends once, except the nodes on the path of a search that was stopped or put off.
fn anatomy_adds_up(solver: &dyn Solve, counters: Counters, answer: &Result<Solved, Stopped>) {
    let mut all = PlyCounts::default();
    let put_off = solver.windows().iter().filter(|window| window.value.is_none()).count() as u64;
    let left = put_off + u64::from(answer.is_err());
    for (stones, &counts) in solver.anatomy().iter().enumerate() {
        let ended: u64 = counts.ends.iter().sum();
        assert!((ended..=ended + left).contains(&counts.nodes), "{stones}: {counts:?}");
        assert!(counts.parents <= counts.children && counts.hits <= counts.probes, "{stones}: {counts:?}");
        assert!(counts.cutoffs.iter().sum::<u64>() <= counts.nodes, "{stones}: {counts:?}");
        all += counts;
    }
    assert_eq!((all.nodes, all.probes, all.hits), (nodes(answer), counters.probes, counters.hits), "{answer:?}");
    assert_eq!(all.ends[NodeEnd::Table as usize], counters.cutoffs, "{answer:?}");
    // Every node was a child, except the first ones of the root.
    assert!(all.children <= all.nodes && all.nodes <= all.children + 64, "{all:?}");
}

/// The chance that hashed keys mislead a search uses the number of probes at a node, for every recursion.
#[test]
fn a_node_asks_the_table_as_often_as_is_said() {
    let mut least = 0.1;
    for choice in ["search=moves", "search=moves,enhanced-cutoffs=all", "search=children,enhanced-cutoffs=all"] {
        let text = format!("table=hashed,table-size=chosen,{choice}");
        let spec = Spec::parse(&text, PONS_12).unwrap_or_else(|error| panic!("{text}: {error}"));
        let mut solver = registry::build_counted(spec, &Options::default()).unwrap();
        let (mut probes, mut all) = (0, 0);
        for (position, _) in positions() {
            solver.reset();
            let nodes = nodes(&solver.solve(&position, Goal::Strong, &NODES));
            probes += solver.counters().unwrap().probes;
            all += nodes;
        }
        let (found, said) = (probes as f64 / all as f64, f64::from(spec.most_probes()));
        assert!(found <= said, "{choice}: {found} probes a node, said {said}");
        assert_eq!(spec.risk(1 << 30), said * 2f64.powi(30 - 56));
        assert!(found > least, "{choice}: {found}");
        least = found;
    }
}

/// Storage, layout and evaluators change only times: two variants that differ in nothing else take the same nodes.
/// Exact keys of all layouts are equally many.
#[test]
fn evaluators_change_no_node() {
    let pins = pinned();
    let of = |name: &str| pins.nodes.get(name).unwrap_or_else(|| panic!("{PINS}: no line of {name}"));
    let same = ["storage", "layout", "wins", "threats"];
    let mut pairs = 0;
    for (index, entry) in ALL.iter().enumerate() {
        for other in &ALL[..index] {
            if entry.spec.diff(other.spec).iter().all(|(axis, ..)| same.contains(axis)) {
                assert_eq!(of(entry.name), of(other.name), "{} and {}", entry.name, other.name);
                pairs += 1;
            }
        }
    }
    assert!(pairs > 40, "{pairs}");
    assert_eq!(of("pons-12-anticipation-both"), of("pons-12"), "nobody has an immediate win to look for");
}

#[test]
fn scores_are_right_and_node_totals_pinned() {
    let pins = pinned();
    let (mut missing, mut moved) = (String::new(), String::new());
    for entry in all() {
        let mut solver = build(entry);
        let mut now = Vec::new();
        for &goal in &pins.goals {
            let answers = answers(&mut *solver, goal, &NODES);
            let mut answered = 0;
            for ((position, score), solved) in positions().zip(&answers).filter_map(|(case, it)| Some((case, it.ok()?)))
            {
                assert_eq!(solved.score, goal.of(score), "{}, {}, {position}", entry.name, goal.name());
                answered += 1;
            }
            let is_asked = entry.spec.goals().contains(&goal);
            assert!(!is_asked || answered >= ANSWERED, "{}, {}: only {answered}", entry.name, goal.name());
            now.push(answers.iter().map(nodes).sum());
        }
        match pins.nodes.get(entry.name) {
            None => {
                missing += &(now.iter().fold(entry.name.to_string(), |line, nodes| format!("{line},{nodes}")) + "\n")
            }
            Some(old) if *old != now => moved += &format!("{} {old:?} -> {now:?}\n", entry.name),
            Some(_) => {}
        }
    }
    assert!(moved.is_empty(), "if this is meant, change {PINS} and say so in the commit (Nodes: ...):\n{moved}");
    if std::env::var_os("C4LAB_PIN").is_some_and(|value| value == "1") {
        let mut file = fs::OpenOptions::new().append(true).open(PINS).expect(PINS);
        return file.write_all(missing.as_bytes()).expect(PINS);
    }
    let how = "C4LAB_PIN=1 cargo test -p c4lab-solver --test suite pinned";
    assert!(missing.is_empty(), "add to solver/{PINS}, or let `{how}` do it:\n{missing}");
}

#[test]
fn names_are_distinct_and_specs_are_points_of_the_space() {
    let all: HashSet<Spec> = Spec::all().into_iter().collect();
    for (index, entry) in ALL.iter().enumerate() {
        assert!(all.contains(&entry.spec), "{}", entry.name);
        assert!(!entry.about.is_empty());
        assert!(ALL[..index].iter().all(|other| other.name != entry.name && other.spec != entry.spec));
    }
    assert!(find(DEFAULT).is_ok());
}

#[test]
fn a_reset_forgets_what_ended_other_nodes() {
    for order in [Order::History, Order::Killers] {
        // Without a table, no other state is kept.
        let spec = Spec { order, ..without_table(CHAMPION_SCALAR) };
        let mut solver = registry::build(spec, &Options::default()).expect("no table");
        let position = Position::parse("41357411232772432666").expect("a position");
        let mut solve = |reset: bool| {
            if reset {
                solver.reset();
            }
            solver.solve(&position, Goal::Strong, &Limits::default()).expect("no limit")
        };
        let [first, warm, again] = [true, false, true].map(&mut solve);
        assert_eq!((first.score, warm.score, first.nodes), (again.score, again.score, again.nodes), "{order:?}");
        assert_ne!(first.nodes, warm.nodes, "{order:?}");
    }
}

#[test]
fn a_line_of_best_play_ends_as_the_score_says() {
    for entry in all().filter(|entry| entry.name >= "pons-06") {
        let mut solver = build(entry);
        for ((position, score), &goal) in
            positions().skip(2).take(3).flat_map(|case| entry.spec.goals().iter().map(move |goal| (case.clone(), goal)))
        {
            let line = best_line(&mut *solver, &position, goal, goal.of(score), &Limits::default()).expect("no limit");
            let mut end = position.clone();
            line.iter().for_each(|&column| end.play(u32::from(column)).expect("a move"));
            assert!(end.is_over());
            let last = Oracle::<7, 6>::default().score(end.columns());
            let last = if line.len().is_multiple_of(2) { last } else { -last };
            assert_eq!(goal.of(last), goal.of(score), "{}: {position} {goal:?}", entry.name);
        }
    }
}
