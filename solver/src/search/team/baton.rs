//! A baton: simulated threads, of which one runs at a time.
//!
//! Real threads meet in another way each time, and on a machine with few cores the system stops them where it likes. Simulated ones enter
//! some nodes, then hand the baton to the next. How many nodes is drawn from a seed. So the same seed plays the same search again: a fault
//! can be looked at, and nodes have no noise. What caches and memory do to real threads is not seen.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// Nodes of a turn, on average. Long turns, and threads in lockstep, would let bad ways to divide the work look good.
const TURN: u64 = 20;
/// Nodes of its turn that a member loses when it goes back to a node above.
const GOING_BACK: u64 = 2;

/// Who may run.
pub(super) struct Baton {
    ring: Mutex<Ring>,
    handed: Condvar,
}

struct Ring {
    /// Who has the baton.
    turn: usize,
    /// Who runs at all: members of the question that is open.
    joined: Vec<bool>,
    /// What is left of turns that members did not use up.
    kept: Vec<u64>,
    /// How often the baton came around.
    rounds: u64,
    seed: u64,
}

impl Baton {
    pub(super) fn new(threads: u32, seed: u64) -> Self {
        let (joined, kept) = (vec![false; threads as usize], vec![0; threads as usize]);
        Baton { ring: Mutex::new(Ring { turn: 0, joined, kept, rounds: 0, seed }), handed: Condvar::new() }
    }

    fn ring(&self) -> MutexGuard<'_, Ring> {
        self.ring.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A member joins. The leader waits until all have; each other one until the baton is handed to it.
    pub(super) fn join(&self, id: u32) {
        let id = id as usize;
        let mut ring = self.ring();
        (ring.joined[id], ring.kept[id]) = (true, 0);
        self.handed.notify_all();
        let waits = |ring: &mut Ring| if id == 0 { ring.joined.contains(&false) } else { ring.turn != id };
        drop(self.handed.wait_while(ring, waits).unwrap_or_else(PoisonError::into_inner));
    }

    /// A member does not use up its turn: it has so many nodes left.
    pub(super) fn keep(&self, id: u32, rest: u64) {
        self.ring().kept[id as usize] = rest.saturating_sub(GOING_BACK);
    }

    /// Hands the baton on and waits until it comes back. It gives the nodes of the turn that begins then. Of a turn that was not used up it
    /// gives the rest.
    pub(super) fn pass(&self, id: u32) -> u64 {
        let mut ring = self.ring();
        let kept = std::mem::take(&mut ring.kept[id as usize]);
        if kept > 0 {
            return kept;
        }
        ring.hand_on(id as usize);
        self.handed.notify_all();
        let mut ring =
            self.handed.wait_while(ring, |ring| ring.turn != id as usize).unwrap_or_else(PoisonError::into_inner);
        ring.draw()
    }

    /// A member leaves, and hands the baton on. The leader, which is the last, keeps it.
    pub(super) fn leave(&self, id: u32) {
        let mut ring = self.ring();
        ring.joined[id as usize] = false;
        if id != 0 {
            ring.hand_on(id as usize);
        }
        self.handed.notify_all();
    }

    /// Nodes that one thread could have entered in all rounds so far.
    pub(super) fn nodes(&self) -> u64 {
        self.ring().rounds * TURN
    }
}

impl Ring {
    fn hand_on(&mut self, from: usize) {
        let threads = self.joined.len();
        let next = (1..=threads).map(|step| (from + step) % threads).find(|&id| self.joined[id]);
        self.turn = next.unwrap_or(0);
        self.rounds += u64::from(self.turn <= from);
    }

    /// Half a turn to one and a half.
    fn draw(&mut self) -> u64 {
        self.seed = self.seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        TURN / 2 + (self.seed >> 33) % (TURN + 1)
    }
}

#[cfg(test)]
mod tests {
    use super::{Baton, GOING_BACK, TURN};

    #[test]
    fn a_turn_that_was_not_used_up_goes_on() {
        let baton = Baton::new(1, 7);
        baton.join(0);
        assert!((TURN / 2..=TURN / 2 + TURN).contains(&baton.pass(0)));
        assert_eq!(baton.nodes(), TURN);
        baton.keep(0, 9);
        assert_eq!((baton.pass(0), baton.nodes()), (9 - GOING_BACK, TURN));
        // Nothing is left of so short a rest: the next turn begins.
        baton.keep(0, GOING_BACK);
        baton.pass(0);
        assert_eq!(baton.nodes(), 2 * TURN);
    }
}
