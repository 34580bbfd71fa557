//! Runs tasks on threads, and returns their results in the order of the tasks.
//!
//! ```text
//! tasks    1 2 3 4 5 6 ...      a worker takes the next task as soon as it is free
//! worker   1---- 4-- 6-----
//! worker   2-- 3----- 5--
//! each          1 2    3 4  5 6 on the calling thread; an early result waits for its turn
//! ```

use anyhow::{Context, Result, ensure};
use std::ops::ControlFlow;
use std::panic::resume_unwind;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, SyncSender, TryRecvError, channel, sync_channel};
use std::sync::{Arc, Mutex};
use std::thread::{Builder, scope, sleep};
use std::time::Duration;

/// Greatest number of tasks that are begun or done before their turn, so that results do not fill the memory.
const MOST_AHEAD: usize = 1000;

/// Sleep of the calling thread between two checks for results: a wake-up for each often takes longer than a task.
const GATHERS: Duration = Duration::from_millis(1);

/// Runs `tasks` on `workers`, each on its own thread, and calls `each` with every result on the calling thread, in the
/// order of the tasks. A result whose turn it is waits for a millisecond at most, even if `tasks` blocks.
///
/// Ends early if `each` breaks or fails, or if a task panics; then it sets `stop`. The panic resumes on the calling
/// thread, in the turn of its task. Once `stop` is set, no further task is begun. Results of begun tasks still go to
/// `each`, unless it broke or failed. A search with `stop` as its interrupt ends soon; a task that waits must check it.
pub fn in_order<W: Send, T: Send, R: Send>(
    workers: &mut [W],
    tasks: impl Iterator<Item = T> + Send,
    stop: &AtomicBool,
    work: impl Fn(&mut W, T) -> R + Sync,
    mut each: impl FnMut(R) -> Result<ControlFlow<()>>,
) -> Result<()> {
    ensure!(!workers.is_empty(), "there are no workers");
    let count = workers.len();
    // Every result has its own channel. The queue has the receivers in the order of the tasks; this thread has one too.
    let (queue, results) = sync_channel(MOST_AHEAD - 1);
    // Only workers hold the source, so that the queue ends with the last worker.
    let source = Arc::new(Mutex::new((tasks, queue)));
    scope(|scope| {
        let (mut threads, mut has_panicked) = (Vec::new(), false);
        let started = workers.iter_mut().enumerate().try_for_each(|(index, worker)| {
            let (source, work) = (Arc::clone(&source), &work);
            let thread = Builder::new().name(format!("worker {}", index + 1)).spawn_scoped(scope, move || {
                while let Some((task, result)) = next(&source, stop) {
                    let _ = result.send(work(worker, task));
                }
            });
            threads.push(thread.with_context(|| format!("cannot start thread {} of {count}", index + 1))?);
            Ok(())
        });
        drop(source);
        let ended = started.and_then(|()| {
            loop {
                let (result, is_begun) = match results.try_recv() {
                    Ok(result) => (result, true),
                    Err(_) => match results.recv() {
                        Ok(result) => (result, false),
                        Err(_) => return Ok(ControlFlow::Continue(())),
                    },
                };
                let value = match result.try_recv() {
                    Err(TryRecvError::Empty) => {
                        // A caller that sends the next task only after this result must not wait for the sleep.
                        if is_begun {
                            sleep(GATHERS);
                        }
                        result.recv().ok()
                    }
                    ready => ready.ok(),
                };
                has_panicked = value.is_none();
                let Some(value) = value else { return Ok(ControlFlow::Break(())) };
                if each(value)?.is_break() {
                    return Ok(ControlFlow::Break(()));
                }
            }
        });
        // Wakes the workers that wait for room in the queue.
        drop(results);
        if !matches!(ended, Ok(ControlFlow::Continue(()))) {
            stop.store(true, Ordering::Relaxed);
        }
        let panics: Vec<_> = threads.into_iter().filter_map(|thread| thread.join().err()).collect();
        match panics.into_iter().next().filter(|_| has_panicked) {
            Some(panic) => resume_unwind(panic),
            None => ended.map(drop),
        }
    })
}

/// Takes the next task, and puts the receiver of its result into the queue; `None` if no task may be begun.
fn next<T, R>(
    source: &Mutex<(impl Iterator<Item = T>, SyncSender<Receiver<R>>)>,
    stop: &AtomicBool,
) -> Option<(T, Sender<R>)> {
    let mut source = source.lock().expect("no task panics before it is taken");
    if stop.load(Ordering::Relaxed) {
        return None;
    }
    let task = source.0.next()?;
    let (sender, receiver) = channel();
    source.1.send(receiver).ok()?;
    Some((task, sender))
}

#[cfg(test)]
mod tests {
    use super::*;
    use anyhow::bail;
    use std::panic::{AssertUnwindSafe, catch_unwind};
    use std::sync::atomic::AtomicUsize;

    const GO_ON: Result<ControlFlow<()>> = Ok(ControlFlow::Continue(()));

    /// The results that `each` was called with, and the result of [`in_order`].
    fn handed(
        workers: usize,
        tasks: impl Iterator<Item = u64> + Send,
        work: impl Fn(u64) -> u64 + Sync,
        each: impl Fn(u64) -> Result<ControlFlow<()>>,
    ) -> (Vec<u64>, Result<()>) {
        let (mut handed, stop) = (Vec::new(), AtomicBool::new(false));
        let ended = in_order(
            &mut vec![(); workers],
            tasks,
            &stop,
            |(), task| work(task),
            |result| {
                handed.push(result);
                each(result)
            },
        );
        (handed, ended)
    }

    #[test]
    fn results_come_in_the_order_of_the_tasks() {
        for workers in [1, 2, 3, 8] {
            // The first of every four tasks takes longest.
            let slow = |task| {
                sleep(Duration::from_micros(400 - 100 * (task % 4)));
                task * 2
            };
            let (handed, ended) = handed(workers, 0..100, slow, |_| GO_ON);
            assert!(ended.is_ok() && handed.iter().copied().eq((0..100).map(|task| task * 2)), "{workers}");
        }
        assert!(handed(3, 0..0, |task| task, |_| GO_ON).0.is_empty());
        assert!(handed(0, 0..9, |task| task, |_| GO_ON).1.is_err());
    }

    /// Every worker has its own state, and runs while the others run: each task waits for two others.
    #[test]
    fn workers_work_at_the_same_time() {
        let (mut workers, barrier) = ([0; 3], std::sync::Barrier::new(3));
        let work = |done: &mut u32, _| {
            barrier.wait();
            *done += 1;
        };
        in_order(&mut workers, 0..9, &AtomicBool::new(false), work, |()| GO_ON).unwrap();
        assert_eq!(workers, [3, 3, 3]);
    }

    #[test]
    fn a_break_and_an_error_end_tasks_without_end() {
        for workers in [1, 2, 3] {
            let end = |result| if result == 7 { Ok(ControlFlow::Break(())) } else { GO_ON };
            let (results, ended) = handed(workers, 0.., |task| task, end);
            assert!(ended.is_ok() && results == [0, 1, 2, 3, 4, 5, 6, 7], "{workers}: {results:?}");
            let fail = |result| if result == 7 { bail!("full") } else { GO_ON };
            let (results, ended) = handed(workers, 0.., |task| task, fail);
            assert_eq!((results.len(), ended.unwrap_err().to_string().as_str()), (8, "full"));
        }
    }

    /// Results of begun tasks are returned. The flag is not set if all tasks are done.
    #[test]
    fn a_flag_stops_it() {
        let stop = AtomicBool::new(false);
        let mut results = Vec::new();
        let work = |(): &mut (), task: u64| {
            stop.fetch_or(task == 20, Ordering::Relaxed);
            task
        };
        let mut each = |result| {
            results.push(result);
            GO_ON
        };
        in_order(&mut [(); 2], 0..9, &stop, work, &mut each).unwrap();
        assert!(!stop.load(Ordering::Relaxed));
        in_order(&mut [(); 2], 10.., &stop, work, &mut each).unwrap();
        assert!(results.iter().copied().take(20).eq((0..9).chain(10..=20)), "{results:?}");
        assert!(results.len() <= 9 + 11 + 1, "{results:?}");
    }

    #[test]
    fn a_panic_goes_on_in_its_turn() {
        let results = Mutex::new(Vec::new());
        let caught = catch_unwind(AssertUnwindSafe(|| {
            let work = |(): &mut (), task: u64| if task == 3 { panic!("no task {task}") } else { task };
            in_order(&mut [(); 2], 0.., &AtomicBool::new(false), work, |result| {
                results.lock().unwrap().push(result);
                GO_ON
            })
        }));
        let panic = caught.unwrap_err();
        assert_eq!(panic.downcast_ref::<String>().map(String::as_str), Some("no task 3"));
        assert_eq!(results.into_inner().unwrap(), [0, 1, 2]);
    }

    /// While the first task runs, at most `MOST_AHEAD` tasks are begun.
    #[test]
    fn nobody_runs_ahead_without_end() {
        let (begun, is_first_done) = (AtomicUsize::new(0), AtomicBool::new(false));
        let work = |task| {
            begun.fetch_add(1, Ordering::SeqCst);
            while task == 0 && begun.load(Ordering::SeqCst) < MOST_AHEAD {
                sleep(Duration::from_millis(1));
            }
            if task == 0 {
                sleep(Duration::from_millis(20));
                assert_eq!(begun.load(Ordering::SeqCst), MOST_AHEAD);
                is_first_done.store(true, Ordering::SeqCst);
            }
            assert!(task < MOST_AHEAD as u64 || is_first_done.load(Ordering::SeqCst), "task {task} was begun");
            task
        };
        let all = 2 * MOST_AHEAD as u64;
        let (results, ended) = handed(2, 0..all, work, |_| GO_ON);
        assert!(ended.is_ok() && results.into_iter().eq(0..all));
    }
}
