//! Published counts: the number of legal positions of boards, won ones included. Source: `experiments/published/README.md`.

use c4lab_solver::game::BoardSize;

/// The file, a board a line: width, height, positions.
static EMBEDDED: &str = include_str!("../../../experiments/published/position-counts.csv");

/// The published number of positions of a board; `None` of one that nobody published.
pub fn total(board: BoardSize) -> Option<u64> {
    let of_board = |line: &str| {
        let (size, positions) = line.rsplit_once(',')?;
        (size == format!("{},{}", board.width(), board.height())).then(|| positions.parse().ok())?
    };
    EMBEDDED.lines().find_map(of_board)
}

#[cfg(test)]
mod tests {
    use super::*;
    use c4lab_solver::game::perft::A212693;

    #[test]
    fn totals_are_read_and_one_is_the_sum_of_the_published_terms() {
        let of = |board: &str| total(board.parse().unwrap());
        assert_eq!(of("7x6"), Some(A212693.iter().sum()));
        assert_eq!((of("4x5"), of("5x4"), of("12x9")), (Some(1_706_255), Some(3_945_711), None));
        assert!(EMBEDDED.lines().skip(1).all(|line| line.split(',').all(|number| number.parse::<u64>().is_ok())));
    }
}
