//! Signals. At Ctrl-C or SIGTERM a running search stops cleanly; a second signal ends the process at once. SIGXFSZ
//! becomes an error of the write that exceeds the limit on the size of files, like a full disk.

use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Lets a write beyond the limit on the size of files (`ulimit -f`) fail with an error. Otherwise SIGXFSZ would end the
/// process without a message. Child processes get the signal as usual.
pub fn outlive_file_size_limit() -> io::Result<()> {
    #[cfg(unix)]
    flag::register(signal_hook::consts::SIGXFSZ, Arc::default())?;
    Ok(())
}

#[derive(Debug)]
pub struct Interrupt {
    stop: Arc<AtomicBool>,
    idle: Arc<AtomicBool>,
}

impl Interrupt {
    pub fn listen() -> io::Result<Self> {
        let interrupt = Interrupt { stop: Arc::default(), idle: Arc::default() };
        for signal in [SIGINT, SIGTERM] {
            flag::register_conditional_default(signal, Arc::clone(&interrupt.idle))?;
            flag::register_conditional_default(signal, Arc::clone(&interrupt.stop))?;
            flag::register(signal, Arc::clone(&interrupt.stop))?;
        }
        Ok(interrupt)
    }

    /// The flag that a signal sets, for [`Limits`](c4lab_solver::search::Limits).
    pub fn flag(&self) -> &AtomicBool {
        &self.stop
    }

    pub fn is_set(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// Runs `wait`, for example for input. A signal meanwhile ends the process at once, because nothing is lost.
    pub fn idle<T>(&self, wait: impl FnOnce() -> T) -> T {
        self.idle.store(true, Ordering::Relaxed);
        let outcome = wait();
        self.idle.store(false, Ordering::Relaxed);
        outcome
    }
}
