//! Node runs: searches that are counted but not timed, so that every core can work. The node count of a search with a
//! cold table does not depend on other work of the machine.

use crate::files::node_row::{NodeRow, SCHEMA_VERSION};
use crate::files::sample::Status;
use crate::in_order::in_order;
use crate::sets::test_set::TestSet;
use anyhow::{Context, Result};
use c4lab_solver::search::{Goal, Limits, Options, Solve, Spec, Stopped, registry};
use std::ops::ControlFlow;
use std::sync::atomic::AtomicBool;

#[derive(Clone, Debug)]
pub struct Task {
    pub spec: Spec,
    /// The first combination of techniques whose spec is `spec`, if there is one.
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

/// Counts `tasks` on `threads` threads and calls `each` with every row on the calling thread, in the order of `tasks`.
/// Returns the number of rows. Tasks of one spec should be adjacent: a thread builds a new solver if the spec changes.
pub fn count(
    tasks: &[Task],
    terms: Terms<'_>,
    threads: usize,
    mut each: impl FnMut(NodeRow) -> Result<()>,
) -> Result<usize> {
    let mut solvers: Vec<_> = (0..threads.clamp(1, tasks.len().max(1))).map(|_| None).collect();
    let mut counted = 0;
    let work = |solver: &mut Option<_>, task| search(solver, task, terms);
    in_order(&mut solvers, tasks.iter(), terms.interrupt, work, |row| {
        if let Some(row) = row? {
            each(row)?;
            counted += 1;
        }
        Ok(ControlFlow::Continue(()))
    })?;
    Ok(counted)
}

/// The row of a search; `None` if it was interrupted.
fn search(solver: &mut Option<(Spec, Box<dyn Solve>)>, task: &Task, terms: Terms<'_>) -> Result<Option<NodeRow>> {
    // The old solver is dropped before the next is built: memory may not hold two transposition tables.
    let (_, solver) = match solver.take().filter(|(spec, _)| *spec == task.spec) {
        Some(same) => solver.insert(same),
        None => {
            let built = registry::build(task.spec, &terms.options).with_context(|| task.spec.to_string())?;
            solver.insert((task.spec, built))
        }
    };
    let set = &terms.sets[task.set];
    let item = &set.items[task.item];
    let limits = Limits { nodes: terms.node_limit, time: None, interrupt: Some(terms.interrupt) };
    solver.reset();
    let outcome = solver.solve(&item.position, terms.goal, &limits);
    let status = match outcome {
        Ok(solved) if solved.score == terms.goal.of(item.score) => Status::Ok,
        Ok(_) => Status::Wrong,
        Err(Stopped::Nodes(_)) => Status::NodeLimit,
        Err(_) => return Ok(None),
    };
    Ok(Some(NodeRow {
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
    }))
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
        let sets = [TestSet::open("end-easy").unwrap()];
        let [interrupt, other] = [false; 2].map(AtomicBool::new);
        let small = Options::with_tt(1);
        let terms = Terms { sets: &sets, goal: Goal::Strong, options: small, node_limit: None, interrupt: &interrupt };
        assert_eq!(count(&tasks(1), terms, 2, |_| bail!("full")).unwrap_err().to_string(), "full");
        let wide = Spec::parse("table=wide,table-size=chosen", PONS_12).unwrap();
        let tasks = [Task { spec: wide, techniques: None, set: 0, item: 0 }];
        let error = count(&tasks, Terms { interrupt: &other, ..terms }, 2, |_| Ok(())).unwrap_err();
        assert!(format!("{error:#}").contains("too small"), "{error:#}");
    }
}
