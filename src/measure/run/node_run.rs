//! Node runs: searches that are counted and not timed, so that every core may take part. Nodes of a cold table are the
//! same whatever runs beside them.

use crate::files::node_row::{NodeRow, SCHEMA_VERSION};
use crate::files::sample::Status;
use crate::sets::test_set::TestSet;
use anyhow::{Context, Result};
use c4lab_solver::search::{Goal, Limits, Options, Solve, Spec, Stopped, registry};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{Sender, channel};
use std::thread;

#[derive(Clone, Debug)]
pub struct Task {
    pub spec: Spec,
    /// The first combination of techniques that has this spec, if any has.
    pub techniques: Option<String>,
    pub set: usize,
    pub item: usize,
}

#[derive(Clone, Copy, Debug)]
pub struct Terms<'a> {
    pub sets: &'a [TestSet],
    pub goal: Goal,
    pub options: Options,
    pub node_limit: Option<u64>,
    pub interrupt: &'a AtomicBool,
}

/// Counts tasks on so many threads, hands every row to `each` on this one, and says how many came. Tasks of one spec should
/// stand side by side: a thread has one solver, and builds another where the spec changes.
pub fn count(
    tasks: &[Task],
    terms: Terms<'_>,
    threads: usize,
    mut each: impl FnMut(NodeRow) -> Result<()>,
) -> Result<usize> {
    let next = AtomicUsize::new(0);
    let (sender, rows) = channel();
    thread::scope(|scope| {
        for _ in 0..threads.clamp(1, tasks.len().max(1)) {
            let (sender, next) = (sender.clone(), &next);
            scope.spawn(move || work(tasks, terms, next, &sender));
        }
        drop(sender);
        // After an error nobody receives any more, and every thread ends with its next row.
        let mut counted = 0;
        for row in rows {
            each(row?)?;
            counted += 1;
        }
        Ok(counted)
    })
}

/// One thread: takes the next task until there is none, or until nobody wants its rows.
fn work(tasks: &[Task], terms: Terms<'_>, next: &AtomicUsize, sender: &Sender<Result<NodeRow>>) {
    let mut solver: Option<(Spec, Box<dyn Solve>)> = None;
    while let Some(task) = tasks.get(next.fetch_add(1, Ordering::Relaxed)) {
        if terms.interrupt.load(Ordering::Relaxed) {
            return;
        }
        if solver.as_ref().is_none_or(|(spec, _)| *spec != task.spec) {
            // The table of the solver before goes first: there is never memory for two.
            drop(solver.take());
            match registry::build(task.spec, &terms.options).with_context(|| task.spec.to_string()) {
                Ok(built) => solver = Some((task.spec, built)),
                Err(error) => return drop(sender.send(Err(error))),
            }
        }
        let Some(row) = solver.as_mut().and_then(|(_, solver)| search(solver.as_mut(), task, terms)) else { return };
        if sender.send(Ok(row)).is_err() {
            return;
        }
    }
}

fn search(solver: &mut dyn Solve, task: &Task, terms: Terms<'_>) -> Option<NodeRow> {
    let set = &terms.sets[task.set];
    let item = &set.items[task.item];
    let limits = Limits { nodes: terms.node_limit, time: None, interrupt: Some(terms.interrupt) };
    solver.reset();
    let outcome = solver.solve(&item.position, terms.goal, &limits);
    let status = match outcome {
        Ok(solved) if solved.score == terms.goal.of(item.score) => Status::Ok,
        Ok(_) => Status::Wrong,
        Err(Stopped::Nodes(_)) => Status::NodeLimit,
        Err(_) => return None,
    };
    Some(NodeRow {
        schema_version: SCHEMA_VERSION,
        set: set.name.clone(),
        set_sha256: set.sha256.clone(),
        position_id: item.line as u64,
        ply: item.position.ply(),
        goal: terms.goal,
        techniques: task.techniques.clone(),
        spec: task.spec.to_string(),
        tt_bytes: solver.table_bytes(),
        status,
        expected_score: Some(item.score),
        score: outcome.ok().map(|solved| solved.score),
        nodes: outcome.map_or_else(Stopped::nodes, |solved| solved.nodes),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use anyhow::bail;
    use c4lab_solver::search::registry::{PONS_06, PONS_12};

    fn tasks(positions: usize) -> Vec<Task> {
        let of = |spec| (0..positions).map(move |item| Task { spec, techniques: None, set: 0, item });
        [PONS_06, PONS_12].into_iter().flat_map(of).collect()
    }

    fn run(threads: usize, set: TestSet, node_limit: Option<u64>, stop: bool) -> Vec<NodeRow> {
        let (sets, interrupt) = ([set], AtomicBool::new(stop));
        let (goal, options) = (Goal::Strong, Options::default());
        let terms = Terms { sets: &sets, goal, options, node_limit, interrupt: &interrupt };
        let mut rows = Vec::new();
        let counted = count(&tasks(8), terms, threads, |row| {
            rows.push(row);
            Ok(())
        });
        assert_eq!(counted.unwrap(), rows.len());
        rows.sort_by_key(|row| (row.spec.clone(), row.position_id));
        rows
    }

    #[test]
    fn the_rows_are_the_same_however_many_threads_count() {
        let set = || TestSet::open("end-easy").unwrap();
        let one = run(1, set(), None, false);
        assert_eq!((one.len(), one.iter().all(|row| row.status == Status::Ok)), (16, true));
        assert_eq!(run(3, set(), None, false), one);
        assert!(run(2, set(), Some(3), false).iter().any(|row| row.status == Status::NodeLimit && row.nodes == 3));
        assert!(run(2, set(), None, true).is_empty(), "an interrupted search is no row");
        let mut wrong = set();
        wrong.items[0].score += 1;
        assert_eq!(run(2, wrong, None, false).iter().filter(|row| row.status == Status::Wrong).count(), 2);
    }

    #[test]
    fn an_error_ends_the_run() {
        let (sets, interrupt) = ([TestSet::open("end-easy").unwrap()], AtomicBool::new(false));
        let small = Options::with_tt(1);
        let terms = Terms { sets: &sets, goal: Goal::Strong, options: small, node_limit: None, interrupt: &interrupt };
        assert_eq!(count(&tasks(1), terms, 2, |_| bail!("full")).unwrap_err().to_string(), "full");
        let wide = Spec::parse("table=wide,table-size=chosen", PONS_12).unwrap();
        let tasks = [Task { spec: wide, techniques: None, set: 0, item: 0 }];
        let error = count(&tasks, terms, 2, |_| Ok(())).unwrap_err();
        assert!(format!("{error:#}").contains("too small"), "{error:#}");
    }
}
