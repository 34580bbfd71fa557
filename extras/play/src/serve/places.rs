//! Places for searches: so many may run at a time.

use std::sync::{Condvar, Mutex, PoisonError};
use std::time::Duration;

/// How many places are free.
#[derive(Debug)]
pub struct Places {
    free: Mutex<usize>,
    one_is_free: Condvar,
}

/// A place that is taken, until it is dropped.
pub struct TakenPlace<'a>(&'a Places);

impl Places {
    pub fn new(count: usize) -> Self {
        Places { free: Mutex::new(count), one_is_free: Condvar::new() }
    }

    /// A place, if one is free soon: a page that goes on to another position leaves its places a moment later.
    pub fn take(&self, patience: Duration) -> Option<TakenPlace<'_>> {
        let free = self.free.lock().unwrap_or_else(PoisonError::into_inner);
        let waited = self.one_is_free.wait_timeout_while(free, patience, |free| *free == 0);
        let (mut free, _) = waited.unwrap_or_else(PoisonError::into_inner);
        *free = free.checked_sub(1)?;
        Some(TakenPlace(self))
    }
}

impl Drop for TakenPlace<'_> {
    fn drop(&mut self) {
        *self.0.free.lock().unwrap_or_else(PoisonError::into_inner) += 1;
        self.0.one_is_free.notify_one();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_comes_back() {
        let places = Places::new(1);
        let first = places.take(Duration::ZERO);
        assert!(first.is_some() && places.take(Duration::ZERO).is_none());
        drop(first);
        assert!(places.take(Duration::ZERO).is_some());
    }
}
