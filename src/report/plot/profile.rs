//! Performance profile (E. Dolan, J. Moré, "Benchmarking optimization software with performance profiles", 2002): the share
//! of positions on which a variant takes at most so many times what the best of the variants takes.

use crate::plot::frame::{ACROSS, Axis, Frame, UP};
use crate::plot::scale::Scale;
use crate::plot::svg::Svg;
use crate::plot::unit::Unit;
use crate::plot::{Costs, DISTINCT};

/// Draws it. Variants beyond [`crate::plot::DISTINCT`] are off at the start. Positions that none solved count in the whole.
pub fn profile(series: &[Costs], title: &str) -> Svg {
    let ratios = ratios(series);
    // A line that is off at the start may go on for long: beyond the others' ends it stands at the right one.
    let x = Scale::log(ratios.iter().take(DISTINCT).filter_map(|ratios| ratios.last()).copied().chain([1.0]), ACROSS);
    let y = Scale::linear((0.0, 1.0), UP);
    let labels: Vec<&str> = series.iter().map(|costs| costs.label.as_str()).collect();
    let axes = [Axis { title, unit: Unit::Ratio }, Axis { title: "positions", unit: Unit::Share }];
    let mut frame = Frame::new((x, axes[0]), (y, axes[1]), UP.0, &labels);
    for (index, ratios) in ratios.iter().enumerate().filter(|(_, ratios)| !ratios.is_empty()) {
        let all = series[index].values.len() as f64;
        let best = ratios.iter().filter(|ratio| **ratio <= 1.0).count();
        let share = |count: usize| y.at(count as f64 / all);
        let rises = ratios.iter().enumerate().skip(best).map(|(rank, &ratio)| (x.at(ratio), share(rank + 1)));
        let ends = [(x.at(1.0), share(best)), (x.at(x.ends().1), share(ratios.len()))];
        let points: Vec<(f64, f64)> = [ends[0]].into_iter().chain(rises).chain([ends[1]]).collect();
        let text = format!("{}: best on {best} of {all} positions", labels[index]);
        frame.staircase((index, labels[index]), &text, &points);
    }
    if ratios.iter().all(Vec::is_empty) {
        frame.nothing("no position was solved");
    }
    frame.svg
}

/// For each variant its costs divided by the best, the least first, over the positions that it solved.
fn ratios(series: &[Costs]) -> Vec<Vec<f64>> {
    let count = series.iter().map(|costs| costs.values.len()).max().unwrap_or_default();
    let at = |costs: &Costs, place: usize| costs.values.get(place).copied().flatten().filter(|cost| *cost > 0.0);
    let best = |place: usize| series.iter().filter_map(|costs| at(costs, place)).min_by(f64::total_cmp);
    let bests: Vec<Option<f64>> = (0..count).map(best).collect();
    let of = |costs: &Costs| {
        let ratio = |place: usize| Some(at(costs, place)? / bests[place]?);
        let mut ratios: Vec<f64> = (0..count).filter_map(ratio).collect();
        ratios.sort_unstable_by(f64::total_cmp);
        ratios
    };
    series.iter().map(of).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plot::tests::{assert_sound, costs, paths};

    #[test]
    fn ratios_to_the_best_by_hand() {
        let series = [costs("a", &[Some(10.0), Some(40.0), None]), costs("b", &[Some(20.0), Some(10.0), None])];
        assert_eq!(ratios(&series), [vec![1.0, 4.0], vec![1.0, 2.0]]);
        let svg = profile(&series, "times the best").to_string();
        let (a, b) = (&paths(&svg, "line s0")[1], &paths(&svg, "line s1")[1]);
        let third = (UP.0 - UP.1) / 3.0;
        assert!((a[1] - (UP.0 - third)).abs() < 0.1, "best on a third of the positions");
        assert!((a[3] - (UP.0 - 2.0 * third)).abs() < 0.1, "the third position is solved by none");
        assert!(b[2] < a[2] && b[0] == a[0], "2x lies left of 4x");
        assert!(svg.contains("a: best on 1 of 3 positions"));
        assert_sound(&svg);
    }

    #[test]
    fn nothing_one_variant_and_limits_everywhere() {
        for series in [vec![], vec![costs("a", &[None, None]), costs("b", &[None, None])]] {
            let svg = profile(&series, "times the best").to_string();
            assert!(svg.contains("no position was solved"));
            assert_sound(&svg);
        }
        let svg = profile(&[costs("a", &[Some(3.0)])], "times the best").to_string();
        assert!(paths(&svg, "line s0")[1].iter().skip(1).step_by(2).all(|&y| y == UP.1), "always the best");
        assert_sound(&svg);
    }
}
