//! Test sets: positions and scores are printed and read back, line ends of either kind are one, and every error names its line.

use super::complaint::{self, FILE};
use c4lab_measure::sets::test_set::{TestSet, print_moves};
use c4lab_solver::game::Position;

/// Reads bytes as a test set.
pub fn check(bytes: &[u8]) {
    let set = match TestSet::parse(FILE, bytes, false) {
        Ok(set) => set,
        Err(error) => {
            let message = error.to_string();
            assert_eq!(complaint::check(&message, bytes), error.line);
            return assert!(message.chars().count() < 200, "a long message: {message:?}");
        }
    };
    assert!(set.items.is_sorted_by(|one, other| one.line < other.line));
    assert!(set.items.iter().all(|item| item.score.abs() <= 18));
    assert!((1..=set.items.len()).contains(&set.boards().len()));
    let lines = |set: &TestSet| -> Vec<(Position, i32)> {
        set.items.iter().map(|item| (item.position.clone(), item.score)).collect()
    };
    let printed: String =
        set.items.iter().map(|item| format!("{} {}\n", print_moves(&item.position), item.score)).collect();
    let again = TestSet::parse(FILE, printed.as_bytes(), false).expect("what was printed is a set");
    assert_eq!(lines(&again), lines(&set));
    let lines: Vec<&[u8]> = bytes.split(|&byte| byte == b'\n').collect();
    let other_ends = TestSet::parse(FILE, &lines.join(&b"\r\n"[..]), false).expect("the same lines");
    assert_eq!(other_ends.items, set.items);
}
