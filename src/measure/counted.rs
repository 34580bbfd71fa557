//! Counted things in words: `1 row`, `2 rows`.

/// A number and what it counts: `one` is the word for one of them, to which an `s` is added for any other number.
pub fn counted(count: usize, one: &str) -> String {
    format!("{count} {one}{}", if count == 1 { "" } else { "s" })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_is_singular() {
        assert_eq!(
            [0, 1, 2].map(|count| counted(count, "wrong score")),
            ["0 wrong scores", "1 wrong score", "2 wrong scores"]
        );
    }
}
