//! Primes: numbers of slots that spread keys well and share no factor with 2^32.

fn is_prime(n: u64) -> bool {
    n >= 2 && (2..).take_while(|d| d * d <= n).all(|d| !n.is_multiple_of(d))
}

/// The largest odd prime up to `n`.
pub(in crate::axes) fn largest_prime(n: u64) -> Option<u64> {
    (3..=n).rev().find(|&candidate| is_prime(candidate))
}

/// The smallest prime from `from` on.
pub(in crate::axes) fn smallest_prime(from: u64) -> u64 {
    (from..).find(|&candidate| is_prime(candidate)).expect("primes do not end")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_primes() {
        assert_eq!((0..30).filter(|&n| is_prime(n)).collect::<Vec<_>>(), [2, 3, 5, 7, 11, 13, 17, 19, 23, 29]);
        assert_eq!([2, 3, 4, 9, 28].map(largest_prime), [None, Some(3), Some(3), Some(7), Some(23)]);
        assert_eq!([0, 4, 24, 29].map(smallest_prime), [2, 5, 29, 29]);
    }
}
