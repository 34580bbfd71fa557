//! Paired shares: how many times more of the same trials one of two succeeds in.

use crate::stats::Estimate;
use crate::stats::wilson::Z;

/// The ratio of two shares, of pairs (first succeeds, second succeeds): the second's successes divided by the first's; `None` where one has
/// none. Its 95 % interval is symmetric on the logarithm, whose variance for matched pairs is, by the delta method,
///
/// ```text
/// (only first + only second) / (first x second)      counts of pairs
/// ```
pub fn ratio_of_shares(pairs: &[(bool, bool)]) -> Option<Estimate> {
    let count = |of: fn(&(bool, bool)) -> bool| pairs.iter().filter(|pair| of(pair)).count() as f64;
    let (first, second, apart) = (count(|pair| pair.0), count(|pair| pair.1), count(|pair| pair.0 != pair.1));
    if first == 0.0 || second == 0.0 {
        return None;
    }
    let (value, half) = (second / first, Z * (apart / (first * second)).sqrt());
    Some(Estimate { value, interval: Some((value * (-half).exp(), value * half.exp())) })
}

#[cfg(test)]
mod tests {
    use super::*;
    use c4lab_measure::sets::draw::Draw;

    #[test]
    fn pairs_that_agree_have_no_error_and_those_that_differ_have() {
        assert_eq!(ratio_of_shares(&[(true, false)]), None);
        let same = ratio_of_shares(&[(true, true), (false, false)]).unwrap();
        assert_eq!((same.value, same.interval), (1.0, Some((1.0, 1.0))));
        // 40 both, 10 the first alone, 30 the second alone: 70 / 50.
        let pairs = [vec![(true, true); 40], vec![(true, false); 10], vec![(false, true); 30]].concat();
        let found = ratio_of_shares(&pairs).unwrap();
        let half = Z * (40.0f64 / 3500.0).sqrt();
        assert!((found.value - 1.4).abs() < 1e-12 && (found.interval.unwrap().1 / 1.4 - half.exp()).abs() < 1e-9);
    }

    #[test]
    fn the_interval_holds_the_true_ratio_as_often_as_it_says() {
        // Of 100 pairs: 0.3 both, 0.1 the first alone, 0.2 the second alone.
        let mut draw = Draw::new(1, "paired shares");
        let mut trial = || {
            let pair = |_| match draw.below(10) {
                0..3 => (true, true),
                3 => (true, false),
                4..6 => (false, true),
                _ => (false, false),
            };
            ratio_of_shares(&(0..100).map(pair).collect::<Vec<_>>()).unwrap().interval.unwrap()
        };
        let held = (0..1000).map(|_| trial()).filter(|(low, high)| (*low..=*high).contains(&(0.5 / 0.4))).count();
        assert!((930..=970).contains(&held), "{held}");
    }
}
