//! Wilson: the interval of a share (E. B. Wilson, "Probable Inference, the Law of Succession, and Statistical Inference", 1927).

/// The 97.5 % point of the normal distribution.
pub(super) const Z: f64 = 1.959_963_985;

/// The 95 % interval of a share, from so many successes in so many trials; all shares where there was no trial.
pub fn wilson(successes: usize, trials: usize) -> (f64, f64) {
    if trials == 0 {
        return (0.0, 1.0);
    }
    let (n, share) = (trials as f64, successes as f64 / trials as f64);
    let middle = share + Z * Z / (2.0 * n);
    let half = Z * (share * (1.0 - share) / n + Z * Z / (4.0 * n * n)).sqrt();
    let scale = 1.0 + Z * Z / n;
    (((middle - half) / scale).max(0.0), ((middle + half) / scale).min(1.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn intervals_that_tables_show() {
        for (successes, trials, low, high) in
            [(0, 10, 0.0, 0.2775), (5, 10, 0.2366, 0.7634), (100, 100, 0.9630, 1.0), (90, 100, 0.8256, 0.9448)]
        {
            let found = wilson(successes, trials);
            assert!((found.0 - low).abs() < 1e-4 && (found.1 - high).abs() < 1e-4, "{successes}/{trials}: {found:?}");
        }
        assert_eq!(wilson(0, 0), (0.0, 1.0));
    }
}
