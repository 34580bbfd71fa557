//! A long call that Python can interrupt.
//!
//! Python notes a signal at once, but runs its handler (the one of Ctrl-C raises KeyboardInterrupt) only when the thread that runs the
//! interpreter asks. So the work is done on a thread of its own, and the calling one asks from time to time. Threads are made for each
//! call and end with it: none is there that a `fork` could lose.

use pyo3::prelude::*;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

/// How long a signal may wait.
const PATIENCE: Duration = Duration::from_millis(20);

/// Does some work without the interpreter's lock. A signal whose handler raises sets the flag that the work is given; when the work
/// has ended, the exception is raised.
pub(crate) fn interruptible<T: Send>(py: Python<'_>, work: impl FnOnce(&AtomicBool) -> T + Send) -> PyResult<T> {
    let stop = AtomicBool::new(false);
    let (done, raised) = py.detach(|| {
        thread::scope(|scope| {
            let (sender, ended) = channel::<()>();
            let worker = scope.spawn(|| {
                // It is dropped at the end, however that comes.
                let _sender = sender;
                work(&stop)
            });
            let mut raised = None;
            while ended.recv_timeout(PATIENCE) == Err(RecvTimeoutError::Timeout) {
                if raised.is_none() {
                    raised = Python::attach(|py| py.check_signals()).err();
                    stop.store(raised.is_some(), Ordering::Relaxed);
                }
            }
            (worker.join(), raised)
        })
    });
    match (done, raised) {
        (_, Some(exception)) => Err(exception),
        (Ok(done), None) => Ok(done),
        (Err(panic), None) => std::panic::resume_unwind(panic),
    }
}
