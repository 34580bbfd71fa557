//! How long the rest of a measurement takes. Cells are not alike: a position of a hard set takes thousands of times as long as one of an
//! easy set. So each kind of cell is foretold by itself.

use std::collections::HashMap;
use std::hash::Hash;
use std::time::Duration;

/// What is left of a measurement, by kinds of cells.
#[derive(Debug)]
pub struct Forecast<K> {
    kinds: HashMap<K, Tally>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Tally {
    left: u64,
    done: u64,
    took: Duration,
}

impl Tally {
    fn add(&mut self, other: &Tally) {
        self.done += other.done;
        self.took += other.took;
    }

    fn mean(&self) -> Option<f64> {
        (self.done > 0).then(|| self.took.as_secs_f64() / self.done as f64)
    }
}

impl<K> Default for Forecast<K> {
    fn default() -> Self {
        Forecast { kinds: HashMap::new() }
    }
}

impl<K: Hash + Eq> Forecast<K> {
    /// Of the cells that are still to come, the kind of each.
    pub fn of(cells: impl IntoIterator<Item = K>) -> Self {
        let mut kinds: HashMap<K, Tally> = HashMap::new();
        cells.into_iter().for_each(|kind| kinds.entry(kind).or_default().left += 1);
        Forecast { kinds }
    }

    pub fn done(&mut self, kind: K, took: Duration) {
        let tally = self.kinds.entry(kind).or_default();
        tally.left = tally.left.saturating_sub(1);
        tally.done += 1;
        tally.took += took;
    }

    /// How long what is left takes, if anything is done: a kind that has not begun is taken for one of the others that `like` says it
    /// resembles, or for the mean of all.
    pub fn left(&self, like: impl Fn(&K, &K) -> bool) -> Option<Duration> {
        let mut all = Tally::default();
        self.kinds.values().for_each(|tally| all.add(tally));
        let all = all.mean()?;
        let seconds = self.kinds.iter().filter(|(_, tally)| tally.left > 0).map(|(kind, tally)| {
            let mean = tally.mean().or_else(|| {
                let mut alike = Tally::default();
                self.kinds.iter().filter(|(other, _)| like(kind, other)).for_each(|(_, tally)| alike.add(tally));
                alike.mean()
            });
            tally.left as f64 * mean.unwrap_or(all)
        });
        Some(Duration::from_secs_f64(seconds.sum()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn seconds(count: u64) -> Duration {
        Duration::from_secs(count)
    }

    #[test]
    fn every_kind_is_foretold_by_itself() {
        let cells = [("easy", 'a'); 10].into_iter().chain([("hard", 'a'); 4]).chain([("hard", 'b'); 2]);
        let mut forecast = Forecast::of(cells);
        let alike = |one: &(&str, char), other: &(&str, char)| one.0 == other.0;
        assert_eq!(forecast.left(alike), None, "nothing is known yet");
        forecast.done(("easy", 'a'), seconds(1));
        assert_eq!(forecast.left(alike), Some(seconds(9 + 4 + 2)), "all are taken for what there was");
        forecast.done(("hard", 'a'), seconds(100));
        assert_eq!(forecast.left(alike), Some(seconds(9 + 300 + 200)), "hard cells of b are taken for those of a");
        forecast.done(("hard", 'b'), seconds(10));
        assert_eq!(forecast.left(alike), Some(seconds(9 + 300 + 10)));
        (0..9).for_each(|_| forecast.done(("easy", 'a'), seconds(1)));
        (0..3).for_each(|_| forecast.done(("hard", 'a'), seconds(100)));
        forecast.done(("hard", 'b'), seconds(10));
        assert_eq!(forecast.left(alike), Some(seconds(0)));
        // One more than was foretold does no harm.
        forecast.done(("hard", 'b'), seconds(10));
        assert_eq!(forecast.left(alike), Some(seconds(0)));
    }
}
