//! Late positions: few empty squares, solved at once by every variant and by the oracle.

use c4lab_solver::search::oracle::Oracle;

pub(crate) const LATE: [&str; 3] =
    ["24655214173274156744623427266133", "111566655246531642367221572524", "4323654732313364622722765766457"];

pub(crate) fn oracle(moves: &str) -> i32 {
    Oracle::<7, 6>::default().score(&moves.bytes().map(|digit| digit - b'1').collect::<Vec<_>>())
}
