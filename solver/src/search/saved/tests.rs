//! The head of a saved search. What solves stands in the suite (`tests/suite/search/saved.rs`).

use super::*;

#[test]
fn heads_are_read_as_they_are_written() {
    for cpu_ns in [None, Some(u64::MAX)] {
        let progress = Progress { goal: Goal::Weak, moves: "-".to_string(), nodes: u64::MAX, wall_ns: 0, cpu_ns };
        let head = SavedHead { geometry: "8x7/8".to_string(), spec: "a=b,c=d".to_string(), progress };
        assert_eq!(SavedHead::parse(&head.text()), Some(head));
    }
    assert_eq!(SavedHead::parse("geometry 7x6/7\n"), None);
}
