//! Student's t distribution, for the mean of a few repetitions.

/// The number that |t| exceeds with a chance of 5 %, for 1 degree of freedom or more.
pub(super) fn two_sided_95(degrees: usize) -> f64 {
    // The chance falls as t grows; 1 degree, the widest, has 12.71.
    let (mut low, mut high) = (1.0, 16.0);
    for _ in 0..60 {
        let middle = (low + high) / 2.0;
        if within(middle, degrees) < 0.95 { low = middle } else { high = middle }
    }
    (low + high) / 2.0
}

/// The chance of |t| below `t`: a finite sum for whole degrees of freedom (Abramowitz and Stegun, 26.7.3 and 26.7.4).
fn within(t: f64, degrees: usize) -> f64 {
    let angle = (t / (degrees as f64).sqrt()).atan();
    let (sine, cosine) = angle.sin_cos();
    let odd = degrees % 2;
    // The first term is a power of the cosine; each next one has two more, and the next fraction k / (k + 1).
    let (mut term, mut sum) = (if odd == 1 { cosine } else { 1.0 }, 0.0);
    for k in (odd..degrees.saturating_sub(1)).step_by(2) {
        sum += term;
        term *= cosine * cosine * (k + 1) as f64 / (k + 2) as f64;
    }
    if odd == 1 { (angle + sine * sum) * std::f64::consts::FRAC_2_PI } else { sine * sum }
}

#[cfg(test)]
mod tests {
    use super::*;
    use statrs::distribution::{ContinuousCDF, StudentsT};

    #[test]
    fn agrees_with_an_independent_library() {
        for degrees in (1..40).chain([99, 100, 1001, 10_000]) {
            let t = StudentsT::new(0.0, 1.0, degrees as f64).unwrap();
            let theirs = t.inverse_cdf(0.975);
            assert!((two_sided_95(degrees) / theirs - 1.0).abs() < 1e-6, "{degrees}: {theirs}");
            assert!((within(1.5, degrees) - (t.cdf(1.5) - t.cdf(-1.5))).abs() < 1e-9, "{degrees}");
        }
    }

    #[test]
    fn agrees_with_the_printed_table() {
        for (degrees, printed) in [(1, 12.706), (2, 4.303), (3, 3.182), (4, 2.776), (9, 2.262), (29, 2.045)] {
            assert!((two_sided_95(degrees) - printed).abs() < 0.0005, "{degrees}");
        }
    }
}
