//! Long calls that Python can interrupt.
//!
//! Python runs the handler of a signal (that of Ctrl-C raises KeyboardInterrupt) only when the interpreter's thread
//! checks for signals. So the work runs on a thread of its own, and the calling thread checks from time to time.
//! Threads end with their call, so that a `fork` cannot lose one.

use pyo3::prelude::*;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

/// The time between two checks for signals.
const PATIENCE: Duration = Duration::from_millis(20);

/// Does some work without the interpreter's lock. If the handler of a signal raises an exception, the flag of the work
/// is set, and the exception is raised when the work has ended.
pub(crate) fn interruptible<T: Send>(py: Python<'_>, work: impl FnOnce(&AtomicBool) -> T + Send) -> PyResult<T> {
    let stop = AtomicBool::new(false);
    let (done, raised) = py.detach(|| {
        thread::scope(|scope| {
            let (sender, ended) = channel::<()>();
            let worker = scope.spawn(|| {
                // Dropped at the end of the work, also after a panic.
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
