//! The search for choices that go together and stop every line.

use super::choices::{Choice, NO_INVERSE};
use super::lines::Set;

/// What was chosen.
#[derive(Clone, Copy)]
pub(super) struct PartialCover {
    /// Lines that nothing stops yet.
    pub open: Set,
    /// All squares of what was chosen.
    pub used: u64,
    /// The lower squares of its vertical pairs.
    pub pairs: u64,
    /// Its baseinverses, by number.
    pub inverses: u128,
}

impl PartialCover {
    /// The squares that a choice takes beside what it shares; `None` if they are not free of others.
    #[inline(always)]
    fn takes(&self, choice: &Choice) -> Option<u64> {
        let pairs = choice.pairs & !self.pairs;
        let shared = choice.inverse != NO_INVERSE && self.inverses >> (choice.inverse & 127) & 1 != 0;
        let squares = pairs | pairs << 1 | if shared { 0 } else { choice.squares };
        (squares & self.used == 0).then_some(squares)
    }

    /// With a choice that takes these squares.
    fn with(&self, choice: &Choice, squares: u64) -> Self {
        let inverse = if choice.inverse == NO_INVERSE { 0 } else { 1 << (choice.inverse & 127) };
        PartialCover {
            open: self.open & !choice.lines,
            used: self.used | squares,
            pairs: self.pairs | choice.pairs,
            inverses: self.inverses | inverse,
        }
    }

    /// Whether more choices stop all lines that are open, found within so many steps: first a line that has the fewest choices left.
    pub(super) fn can_stop_all(&self, choices: &[Choice], steps: &mut u32) -> bool {
        if self.open == 0 {
            return true;
        }
        if *steps == 0 {
            return false;
        }
        *steps -= 1;
        let [mut one, mut two, mut three]: [Set; 3] = [0; 3];
        for choice in choices {
            if self.takes(choice).is_some() {
                three |= two & choice.lines;
                two |= one & choice.lines;
                one |= choice.lines;
            }
        }
        if self.open & !one != 0 {
            return false;
        }
        let fewest = [self.open & !two, self.open & !three, self.open];
        let line = fewest.into_iter().find(|&lines| lines != 0).unwrap_or(0);
        let line = line & line.wrapping_neg();
        choices.iter().filter(|choice| choice.lines & line != 0).any(|choice| {
            self.takes(choice).is_some_and(|squares| self.with(choice, squares).can_stop_all(choices, steps))
        })
    }
}
