//! Threads: speed-up and nodes of several threads beside one, by their number, and what would be ideal.

use crate::plot::frame::{ACROSS, Axis, Frame, UP};
use crate::plot::pictures::Picture;
use crate::plot::scale::Scale;
use crate::plot::svg::Svg;
use crate::plot::unit::Unit;
use crate::results::Ground;
use crate::table::units::times;
use crate::tables::comparison::{Comparison, Quantity};
use crate::tables::threads::{overhead, teams};

/// RatioLines from one thread on: what they are of, and ratios by threads.
type RatioLines = Vec<(String, Vec<(u32, f64)>)>;

/// The picture of a ground, where it has variants of several threads.
pub fn picture(ground: &Ground) -> Option<Picture> {
    let (mut lines, mut most) = (RatioLines::new(), 1);
    for team in teams(ground) {
        let (threads, name) = (team.column.threads, &team.alone.variant);
        let time = Comparison::of(ground, team.alone, team.column, Quantity::Time, 0).geometric_mean;
        let nodes = overhead(ground, &team, 0);
        for (what, ratio) in [("speed-up", time), ("nodes", nodes)] {
            let Some(ratio) = ratio else { continue };
            let label = format!("{name}: {what}");
            let place = lines.iter().position(|(known, _)| *known == label).unwrap_or_else(|| {
                lines.push((label, vec![(1, 1.0)]));
                lines.len() - 1
            });
            lines[place].1.push((threads, ratio.value));
        }
        most = most.max(threads);
    }
    if lines.is_empty() {
        return None;
    }
    lines.iter_mut().for_each(|(_, points)| points.sort_by_key(|point| point.0));
    lines.insert(0, ("ideal".to_string(), vec![(1, 1.0), (most, f64::from(most))]));
    Some(Picture {
        name: "threads",
        title: "Threads".to_string(),
        note: "Geometric means beside the same variant with one thread: how many times faster, and how many times as many nodes. Ideal: \
               as many times faster as there are threads, with as many nodes."
            .to_string(),
        svg: draw(&lines, most),
        relative: None,
    })
}

fn draw(lines: &RatioLines, most: u32) -> Svg {
    let x = Scale::linear((1.0, f64::from(most)), ACROSS);
    // Nodes, and a lucky search, may go beyond the ideal.
    let ratios = lines.iter().flat_map(|(_, points)| points).map(|point| point.1);
    let y = Scale::linear((0.0, ratios.fold(f64::from(most), f64::max)), UP);
    let labels: Vec<&str> = lines.iter().map(|(label, _)| label.as_str()).collect();
    let across = Axis { title: "threads", unit: Unit::Count };
    let up = Axis { title: "beside one thread", unit: Unit::Ratio };
    let mut frame = Frame::new((x, across), (y, up), UP.0, &labels);
    for (index, (label, points)) in lines.iter().enumerate() {
        let places: Vec<_> = points.iter().map(|&(threads, ratio)| (x.at(f64::from(threads)), y.at(ratio))).collect();
        let said = points.iter().skip(1).map(|&(threads, ratio)| format!("{} with {threads} threads", times(ratio)));
        frame.polyline((index, label), &format!("{label}: {}", said.collect::<Vec<_>>().join(", ")), &places);
    }
    frame.svg
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plot::tests::{assert_sound, paths};

    #[test]
    fn a_line_begins_at_one_thread_and_lies_below_the_ideal() {
        let lines = vec![
            ("ideal".to_string(), vec![(1, 1.0), (4, 4.0)]),
            ("champion: speed-up".to_string(), vec![(1, 1.0), (2, 1.6), (4, 2.9)]),
        ];
        let svg = draw(&lines, 4).to_string();
        let (ideal, ours) = (&paths(&svg, "line s0")[1], &paths(&svg, "line s1")[1]);
        assert_eq!(ideal[..2], ours[..2], "both begin at one thread");
        assert!(ours[5] > ideal[3], "lower is further down: {ours:?} {ideal:?}");
        let beyond = vec![("champion: nodes".to_string(), vec![(1, 1.0), (2, 2.3)])];
        let beyond = draw(&beyond, 2).to_string();
        assert!(paths(&beyond, "line s0")[1][3] < paths(&beyond, "line s0")[1][1], "2.3 is above 1");
        assert!(svg.contains("2.90x with 4 threads"), "{svg}");
        assert_sound(&svg);
    }
}
