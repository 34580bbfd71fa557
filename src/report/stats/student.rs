//! Student's t distribution, for the mean of a few repetitions.

use statrs::distribution::{ContinuousCDF, StudentsT};

/// The number that |t| exceeds with a chance of 5 %, for 1 degree of freedom or more.
pub(super) fn two_sided_95(degrees: usize) -> f64 {
    StudentsT::new(0.0, 1.0, degrees as f64).map_or(f64::INFINITY, |student| student.inverse_cdf(0.975))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn agrees_with_the_printed_table() {
        for (degrees, printed) in [(1, 12.706), (2, 4.303), (3, 3.182), (4, 2.776), (9, 2.262), (29, 2.045)] {
            assert!((two_sided_95(degrees) - printed).abs() < 0.0005, "{degrees}");
        }
    }
}
