//! Proofs: what a referee asks of an instrument before its numbers.
//!
//! - [`chain`]: a search of known length takes as long by our clock as by the system's.
//! - [`same`]: one variant under two names, with a table each, is not told from itself more often than by chance.
//! - [`turns`]: it does not matter who is the first of a block.
//! - [`block`]: a pair of variants has the same ratio alone and among thirty.
//!
//! Each makes one table and says whether it holds on the machine that measured.

pub mod block;
pub mod chain;
pub mod same;
pub mod turns;

use crate::table::Table;

/// A proof.
#[derive(Clone, Debug, PartialEq)]
pub struct Proof {
    /// Its table, with what it says in one sentence.
    pub sheet: Table,
    /// Whether what is asked was found.
    pub holds: bool,
}

/// What all of them say together.
pub fn conclusion(proofs: &[Proof]) -> String {
    let broken: Vec<&str> = proofs.iter().filter(|proof| !proof.holds).map(|proof| proof.sheet.name).collect();
    match broken.as_slice() {
        [] => format!("All proofs hold on this machine: {}.", names(proofs).join(", ")),
        broken => format!("Of {} proofs, these do not hold on this machine: {}.", proofs.len(), broken.join(", ")),
    }
}

fn names(proofs: &[Proof]) -> Vec<&'static str> {
    proofs.iter().map(|proof| proof.sheet.name).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::Subject;

    #[test]
    fn what_does_not_hold_is_named() {
        let proof = |name, holds| {
            let (title, note, conclusion) = Default::default();
            let subject = Subject { set: None, goal: None, apart: None };
            let sheet = Table { name, subject, title, note, conclusion, columns: Vec::new(), rows: Vec::new() };
            Proof { sheet, holds }
        };
        assert_eq!(
            conclusion(&[proof("chain", true), proof("same", true)]),
            "All proofs hold on this machine: chain, same."
        );
        assert_eq!(
            conclusion(&[proof("chain", true), proof("same", false)]),
            "Of 2 proofs, these do not hold on this machine: same."
        );
    }
}
