//! Every registered variant: a new line of the registry is in here as it is written.

use c4lab_solver::axes::TableKind;
use c4lab_solver::game::Position;
use c4lab_solver::search::registry::{ALL, Entry, find};
use c4lab_solver::search::{AtRunTime, Counters, Goal, Limits, Options, Searcher, Solved, Solver, Stopped, Watch};

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

/// So many nodes for each position: `pons-03` answers half of them.
const NODES: Limits<'static> = Limits { nodes: Some(100_000), time: None, interrupt: None };
/// How many of the positions every variant answers, at least.
const ANSWERED: usize = 5;

/// Nodes over all positions, each cleared for and cut at the limit: variant, strong, weak.
///
/// A commit that makes a variant faster must not move its line. One that is meant to, says so in its last line:
/// `Nodes: <variant> <old> -> <new>`.
const PINNED: &[(&str, [u64; 2])] = &[
    ("pons-03", [924959, 924959]),
    ("pons-04", [569003, 534719]),
    ("pons-05", [676286, 588176]),
    ("pons-06", [676286, 588176]),
    ("pons-07", [583624, 387187]),
    ("pons-08", [434188, 379571]),
    ("pons-09", [335629, 345682]),
    ("pons-10", [76752, 117136]),
    ("pons-11", [76766, 117138]),
    ("pons-12", [68178, 115273]),
    ("blog-base", [1033472, 1033472]),
    ("blog-alpha-beta", [850315, 641842]),
    ("blog-order", [791284, 603525]),
    ("blog-mirror", [791264, 603543]),
    ("blog-almost-wins", [614114, 379072]),
    ("blog-losses", [591813, 343475]),
    ("blog-simd", [591813, 343475]),
    ("blog-colorless", [547337, 333434]),
    ("blog-full", [547337, 333434]),
    ("blog-base-colorless", [1023097, 1023097]),
    ("blog-alpha-beta-colorless", [830587, 619849]),
    ("blog-order-colorless", [773803, 549938]),
    ("blog-almost-wins-colorless", [575396, 360218]),
    ("pons-06-wins-three-shifts", [676286, 588176]),
    ("pons-06-wins-early-exit", [676286, 588176]),
    ("pons-06-wins-squares", [676286, 588176]),
    ("pons-06-wins-directions", [676286, 588176]),
    ("pons-06-storage-make-undo", [676286, 588176]),
    ("pons-06-anticipation-none", [813788, 806882]),
    ("herzberg", [813788, 806882]),
    ("pons-06-anticipation-winning-squares", [676286, 588176]),
    ("pons-12-storage-array", [68178, 115273]),
    ("pons-12-storage-make-undo", [68178, 115273]),
    ("pons-12-threats-almost-wins", [68178, 115273]),
    ("pons-12-threats-halves", [68178, 115273]),
    ("pons-12-threats-directions", [68178, 115273]),
    ("pons-12-threats-moves", [68178, 115273]),
    ("pons-12-threats-children", [68178, 115273]),
    ("pons-12-threats-players", [68178, 115273]),
    ("pons-12-anticipation-none", [713871, 747833]),
    ("pons-12-anticipation-wins", [156814, 128941]),
    ("pons-12-anticipation-winning-squares", [156814, 128941]),
    ("pons-12-anticipation-both", [68178, 115273]),
    ("pons-12-order-left-to-right", [426878, 504182]),
    ("pons-12-order-centre", [283040, 336805]),
    ("pons-12-bounds-none", [434372, 116404]),
    ("pons-12-bounds-upper", [84964, 116404]),
    ("pons-12-table-none", [283764, 167622]),
    ("pons-12-table-full", [68151, 115273]),
    ("pons-12-table-size-chosen", [68142, 115271]),
    ("pons-12-table-hashed", [68137, 115271]),
    ("pons-12-root-window", [150704, 114656]),
    ("pons-12-key-mirror", [68281, 115275]),
    ("pons-12-table-wide", [68138, 115271]),
    ("pons-12-wide-key-mirror", [68138, 115271]),
    ("pons-12-wide-key-colorless", [67245, 113402]),
    ("pons-12-wide-key-colorless-mirror", [67243, 113388]),
    ("pons-12-wide-key-colorless-hashed", [67241, 113402]),
    ("pons-12-wide-layout-spaced", [68138, 115271]),
    ("pons-12-wide-order-centre", [282772, 336787]),
    ("pons-12-wide-order-centre-colorless", [278443, 329473]),
    ("pons-12-wide-key-colorless-vector", [67245, 113402]),
    ("pons-12-enhanced-cutoffs", [59207, 113908]),
    ("pons-12-zugzwang-follow-up", [54373, 109232]),
    ("pons-12-zugzwang-odd-threat", [39380, 102937]),
    ("pons-12-zugzwang-sums", [38579, 102937]),
    ("pons-12-order-weighted", [52630, 105727]),
    ("pons-12-table-buckets", [68261, 115271]),
    ("pons-12-key-mirror-early", [68178, 115273]),
    ("pons-12-root-ends", [50479, 115273]),
    ("pons-12-root-step", [153157, 115273]),
    ("best-storage-make-undo", [68178, 115273]),
    ("best-anticipation-none", [713871, 747833]),
    ("best-anticipation-winning-squares", [156814, 128941]),
    ("best-anticipation-both", [68178, 115273]),
    ("best-order-centre", [283040, 336805]),
    ("best-bounds-none", [434372, 116404]),
    ("best-table-none", [283764, 167622]),
    ("best-table-full", [68151, 115273]),
    ("best-table-bounds-upper", [76766, 117138]),
    ("best-table-size-chosen", [68142, 115271]),
    ("best-root-window", [150704, 114656]),
    ("best-key-mirror", [68281, 115275]),
    ("best-table-wide", [68138, 115271]),
    ("best-wide-key-colorless", [67245, 113402]),
    ("best-wide-layout-spaced", [68138, 115271]),
    ("champion", [7299, 4799]),
    ("champion-threats-halves", [7299, 4799]),
    ("champion-threats-pairs", [7299, 4799]),
    ("champion-search-moves", [18977, 85273]),
    ("champion-zugzwang-none", [14790, 58707]),
    ("champion-zugzwang-dead-lines", [14701, 56536]),
    ("champion-zugzwang-follow-up", [11322, 9940]),
    ("champion-zugzwang-distance", [11194, 9810]),
    ("champion-zugzwang-blocked", [8130, 6331]),
    ("champion-zugzwang-odd-threat", [7409, 4799]),
    ("champion-enhanced-none", [7659, 11303]),
    ("champion-enhanced-all", [7261, 4777]),
    ("champion-order-centre", [11859, 101172]),
    ("champion-order-threats", [8591, 9260]),
    ("champion-order-history", [12658, 5588]),
    ("champion-order-killers", [7567, 4956]),
    ("champion-root-bisect", [11509, 4799]),
    ("champion-root-step", [10209, 4799]),
    ("champion-key-exact", [7299, 4799]),
    ("champion-key-mirror", [7299, 4799]),
    ("champion-table-none", [29125, 88580]),
    ("champion-step-1-buckets", [68261, 115271]),
    ("champion-step-2-ends", [50502, 115271]),
    ("champion-step-3-enhanced", [46368, 114957]),
    ("champion-step-4-weighted", [34523, 105540]),
    ("champion-step-5-mirror", [34523, 105540]),
];

fn positions() -> impl Iterator<Item = (Position, i32)> {
    POSITIONS.into_iter().map(|(moves, score)| (Position::parse(moves).expect(moves), score))
}

/// Every variant that this build runs, vectors emulated or not.
fn all() -> impl Iterator<Item = &'static Entry> {
    ALL.iter().filter(|entry| entry.spec.runs().is_ok())
}

fn build(entry: &Entry) -> Box<dyn Solver> {
    entry.build(&Options::default()).unwrap_or_else(|error| panic!("{}: {error}", entry.name))
}

/// The answer for every position, from a cleared table.
fn answers(solver: &mut dyn Solver, goal: Goal) -> Vec<Result<Solved, Stopped>> {
    let cold = |(position, _)| {
        solver.reset();
        solver.solve(&position, goal, &NODES)
    };
    positions().map(cold).collect()
}

fn nodes(answer: &Result<Solved, Stopped>) -> u64 {
    answer.map_or_else(Stopped::nodes, |solved| solved.nodes)
}

#[test]
fn scores_are_right_and_enough_are_found() {
    for (entry, goal) in all().flat_map(|entry| Goal::ALL.map(|goal| (entry, goal))) {
        let answers = answers(&mut *build(entry), goal);
        let mut answered = 0;
        for ((position, score), solved) in
            positions().zip(&answers).filter_map(|(case, answer)| Some((case, answer.ok()?)))
        {
            assert_eq!(solved.score, goal.of(score), "{}, {}, {position}", entry.name, goal.name());
            answered += 1;
        }
        assert!(answered >= ANSWERED, "{}, {}: only {answered} answered", entry.name, goal.name());
    }
}

/// Branches folded away or left in, it is the same search.
#[test]
fn named_and_dynamic_agree_in_score_and_nodes() {
    for entry in all() {
        let dynamic = entry.build_at_run_time(&Options::default());
        let mut dynamic = dynamic.unwrap_or_else(|error| panic!("{}: {error}", entry.name));
        let mut named = build(entry);
        assert_eq!(named.table_bytes(), dynamic.table_bytes(), "{}", entry.name);
        for goal in Goal::ALL {
            assert_eq!(answers(&mut *named, goal), answers(&mut *dynamic, goal), "{}, {}", entry.name, goal.name());
        }
    }
}

/// A search is a function of the position and of a cleared solver; a warm table changes nodes, never the score.
#[test]
fn a_reset_brings_the_same_nodes_again() {
    for (entry, goal) in all().flat_map(|entry| Goal::ALL.map(|goal| (entry, goal))) {
        let mut solver = build(entry);
        let first = answers(&mut *solver, goal);
        for ((position, score), cold) in positions().zip(&first) {
            let warm = solver.solve(&position, goal, &NODES);
            assert!(solver.table_bytes() > 0 || warm == *cold, "{}, {position}: no table to be warm", entry.name);
            assert!(
                warm.is_err() || warm.map(|solved| solved.score) == Ok(goal.of(score)),
                "{}, {position}",
                entry.name
            );
        }
        assert_eq!(first, answers(&mut *solver, goal), "{}, {}", entry.name, goal.name());
        assert_eq!(first, answers(&mut *build(entry), goal), "{}, {}, built anew", entry.name, goal.name());
    }
}

#[test]
fn a_mirror_image_has_the_same_score() {
    for (entry, goal) in all().flat_map(|entry| Goal::ALL.map(|goal| (entry, goal))) {
        let mut solver = build(entry);
        let mut answered = 0;
        for (position, score) in positions() {
            let mirror = position.mirror();
            if let Ok(solved) = solver.solve(&mirror, goal, &NODES) {
                assert_eq!(solved.score, goal.of(score), "{}, {}, {mirror}", entry.name, goal.name());
                answered += 1;
            }
        }
        assert!(answered >= ANSWERED, "{}, {}: only {answered} answered", entry.name, goal.name());
    }
}

#[test]
fn counting_changes_nothing_and_adds_up() {
    for entry in all() {
        let mut plain = build(entry);
        assert_eq!(plain.counters(), None, "{}", entry.name);
        let counted = entry.build_counted(&Options::default());
        let mut counted = counted.unwrap_or_else(|error| panic!("{}: {error}", entry.name));
        for (goal, (position, _)) in Goal::ALL.into_iter().flat_map(|goal| positions().map(move |case| (goal, case))) {
            plain.reset();
            counted.reset();
            assert_eq!(counted.counters(), Some(Counters::default()), "{}: a reset clears", entry.name);
            let answer = counted.solve(&position, goal, &NODES);
            assert_eq!(answer, plain.solve(&position, goal, &NODES), "{}, {position}", entry.name);
            let counters = counted.counters().expect("it counts");
            let what = format!("{}, {position}: {counters:?}, {answer:?}", entry.name);
            assert!(counters.hits <= counters.probes && counters.cutoffs <= counters.hits, "{what}");
            assert!(counters.stores <= nodes(&answer), "{what}");
            if entry.spec.table == TableKind::None {
                assert_eq!(counters, Counters::default(), "{what}");
            } else if nodes(&answer) >= 10_000 {
                assert!(counters.cutoffs > 0 && counters.stores > 0, "{what}");
            }
        }
    }
}

/// How a board is held, laid out and evaluated is a matter of time: two variants that differ in nothing else take the
/// same nodes. Exact keys of any layout are as many.
#[test]
fn evaluators_change_no_node() {
    let of = |name: &str| PINNED.iter().find(|(other, _)| *other == name).map(|(_, nodes)| nodes).expect("pinned");
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
fn node_totals_are_pinned() {
    let totals = |entry: &Entry| {
        let mut solver = build(entry);
        Goal::ALL.map(|goal| answers(&mut *solver, goal).iter().map(nodes).sum::<u64>())
    };
    let now: Vec<_> = all().map(|entry| (entry.name, totals(entry))).collect();
    let pinned: Vec<_> = PINNED.iter().copied().filter(|(name, _)| all().any(|entry| entry.name == *name)).collect();
    let lines: String = now.iter().map(|line| format!("    {line:?},\n")).collect();
    assert_eq!(
        now, pinned,
        "if this is meant, pin these and say so in the commit (Nodes: <variant> <old> -> <new>):\n{lines}"
    );
}

#[test]
fn sampling_keeps_every_so_many_boards_and_changes_nothing() {
    let (position, score) = positions().nth(8).expect("a position");
    for name in ["pons-06", "pons-12", "champion-threats-halves"] {
        let entry = find(name).expect("registered");
        let watch = Watch { sample_every: 7, ..Watch::NOTHING };
        let mut sampling = Searcher::new(
            AtRunTime::<c4lab_solver::game::Standard>::new(entry.spec).watching(watch),
            &Options::default(),
        )
        .expect("a table");
        let solved = sampling.solve(&position, Goal::Strong, &Limits::default()).expect("no limit");
        assert_eq!(solved, build(entry).solve(&position, Goal::Strong, &Limits::default()).expect("no limit"));
        assert_eq!((solved.score, sampling.sampled().len() as u64), (score, solved.nodes / 7), "{name}");
        assert!(sampling.sampled().iter().all(|board| board.ply() >= position.ply() && !board.is_won()), "{name}");
        sampling.reset();
        assert!(sampling.sampled().is_empty());
    }
}
