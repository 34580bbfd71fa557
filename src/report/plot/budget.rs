//! Share solved within a budget: the part of all positions that a variant solves when it may take so much for each.

use crate::plot::Costs;
use crate::plot::frame::{ACROSS, Axis, Frame, UP};
use crate::plot::scale::Scale;
use crate::plot::svg::Svg;
use crate::plot::unit::Unit;

/// Draws it: the budget, in time or nodes, against the share solved. Variants beyond [`crate::plot::DISTINCT`] are off at the start.
pub fn budget(series: &[Costs], title: &str, unit: Unit) -> Svg {
    let sorted: Vec<Vec<f64>> = series.iter().map(Costs::sorted).collect();
    // A scale of logarithms passes over zeros, so it must see the others.
    let x = Scale::log(sorted.iter().flatten().copied(), ACROSS);
    let y = Scale::linear((0.0, 1.0), UP);
    let labels: Vec<&str> = series.iter().map(|costs| costs.label.as_str()).collect();
    let axes = [Axis { title, unit }, Axis { title: "positions solved", unit: Unit::Share }];
    let mut frame = Frame::new((x, axes[0]), (y, axes[1]), UP.0, &labels);
    for (index, costs) in sorted.iter().enumerate().filter(|(_, costs)| !costs.is_empty()) {
        let all = series[index].values.len() as f64;
        let share = |count: usize| y.at(count as f64 / all);
        let rises = costs.iter().enumerate().map(|(rank, &cost)| (x.at(cost), share(rank + 1)));
        let ends = [(x.at(x.ends().0), share(0)), (x.at(x.ends().1), share(costs.len()))];
        let points: Vec<(f64, f64)> = [ends[0]].into_iter().chain(rises).chain([ends[1]]).collect();
        frame.staircase((index, labels[index]), labels[index], &points);
    }
    if sorted.iter().all(Vec::is_empty) {
        frame.nothing("no position was solved");
    }
    frame.svg
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plot::tests::{assert_sound, costs, paths};

    #[test]
    fn a_stair_rises_where_a_position_is_solved() {
        let svg = budget(&[costs("a", &[Some(100.0), None, Some(10.0), None])], "nodes", Unit::Count).to_string();
        // M x y, then H x V y for each step.
        let stair = &paths(&svg, "line s0")[1];
        assert_eq!(stair.len(), 8);
        assert_eq!((stair[0], stair[1]), (ACROSS.0, UP.0), "nothing is solved with nothing");
        let quarter = (UP.0 - UP.1) / 4.0;
        assert!((stair[3] - (UP.0 - quarter)).abs() < 0.1 && (stair[5] - (UP.0 - 2.0 * quarter)).abs() < 0.1);
        assert!(stair[2] < stair[4] && stair[6] == ACROSS.1 && stair[7] == stair[5]);
        assert_sound(&svg);
    }

    /// A position that takes no node says nothing of where the axis begins.
    #[test]
    fn zeros_leave_the_axis_to_the_others() {
        let svg = |zero: &[Option<f64>]| {
            let values = [zero, &[Some(10.0), Some(100.0), Some(1000.0)]].concat();
            budget(&[costs("a", &values)], "nodes", Unit::Count).to_string()
        };
        // The last rise is where 1000 nodes are, whatever else there is.
        let rise = |svg: &str| paths(svg, "line s0")[1].iter().rev().nth(3).copied();
        assert_eq!(rise(&svg(&[Some(0.0)])), rise(&svg(&[])));
        assert!(rise(&svg(&[Some(0.0)])).unwrap() > ACROSS.0 + 100.0);
    }

    #[test]
    fn nothing_one_position_and_equal_costs() {
        for series in [vec![], vec![costs("a", &[None])]] {
            let svg = budget(&series, "time", Unit::Time).to_string();
            assert!(svg.contains("no position was solved"));
            assert_sound(&svg);
        }
        for values in [vec![Some(5.0)], vec![Some(5.0); 7], vec![Some(0.0)]] {
            let svg = budget(&[costs("a", &values)], "time", Unit::Time).to_string();
            assert_eq!(paths(&svg, "line s0")[1].last(), Some(&UP.1), "all are solved");
            assert_sound(&svg);
        }
    }
}
