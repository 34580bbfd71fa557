//! Growth: how the nodes of empty boards grow, and what the next boards would cost.

use crate::lab::outcomes::outcome_row::OutcomeRow;
use crate::report::plot::counted::CountedLine;
use crate::report::plot::growth as plot;
use crate::report::sheets::sheet::{Heading, Sheet, Subject, Value};
use crate::report::sheets::units::{grouped, times};
use crate::report::tables::outcomes::speed;
use c4lab_solver::game::BoardSize;
use c4lab_solver::search::Goal;

/// The name of the picture.
pub const PICTURE: &str = "growth.svg";

/// Boards with fewer squares say nothing of large ones.
const LEAST_SQUARES: u32 = 30;

/// Seconds of an hour.
const HOUR: f64 = 3600.0;

/// The solved boards of a goal, with their nodes. A board that was split took more than it would have at once: it is none of them.
fn solved(rows: &[OutcomeRow], goal: Goal) -> Vec<(BoardSize, &OutcomeRow)> {
    let of_goal = rows.iter().filter(|row| row.goal == goal && row.plies == 0 && row.found().is_some());
    of_goal.filter_map(|row| Some((row.size()?, row))).collect()
}

/// How the nodes of boards grow with a column and with a row more: a row for every solved board, under one goal.
pub fn sheet(rows: &[OutcomeRow], goal: Goal) -> Sheet {
    let solved = solved(rows, goal);
    let nodes = |width: u32, height: u32| {
        let is_it = |size: &BoardSize| (size.width(), size.height()) == (width, height);
        solved.iter().find(|(size, _)| is_it(size)).map(|(_, row)| row.nodes as f64)
    };
    let factor = |one: f64, other: Option<f64>| Value::number(other.map(|other| other / one), times);
    let (mut lines, mut columns, mut rows_more) = (Vec::new(), Vec::new(), Vec::new());
    for (size, row) in &solved {
        let own = row.nodes as f64;
        let [wider, higher] = [nodes(size.width() + 1, size.height()), nodes(size.width(), size.height() + 1)];
        columns.extend(wider.map(|wider| (wider / own).ln()));
        rows_more.extend(higher.map(|higher| (higher / own).ln()));
        lines.push(vec![
            Value::text(&row.board),
            Value::count(size.cells() as usize),
            Value::number(Some(own), |value| grouped(&format!("{value:.0}"))),
            factor(own, wider),
            factor(own, higher),
        ]);
    }
    let mean = |logs: &[f64]| times((logs.iter().sum::<f64>() / logs.len().max(1) as f64).exp());
    let points: Vec<(f64, f64)> = solved.iter().map(|(size, row)| (size.cells().into(), ln(row))).collect();
    let conclusion = format!(
        "By the geometric mean a column more takes {} the nodes ({} pairs of boards), a row more {} ({} pairs), a square more {}, by the line \
         through the logarithms of all.",
        mean(&columns),
        columns.len(),
        mean(&rows_more),
        rows_more.len(),
        times(Trend::through(&points).slope.exp()),
    );
    Sheet {
        name: "growth",
        subject: Subject::default(),
        title: format!("How the nodes of empty boards grow, {}", goal.name()),
        note: "Nodes of the board with a column more, and with a row more, divided by its own.".to_string(),
        conclusion,
        headings: vec![
            Heading::text("board", "board"),
            Heading::number("squares", "squares"),
            Heading::number("nodes", "nodes"),
            Heading::number("a column more", "column_more"),
            Heading::number("a row more", "row_more"),
        ],
        rows: lines,
    }
}

/// What boards of width + height up to 17 that are not solved would cost: a model, and no measurement.
pub fn forecast(rows: &[OutcomeRow], goal: Goal) -> Sheet {
    let solved = solved(rows, goal);
    let large = || solved.iter().filter(|(size, _)| size.cells() >= LEAST_SQUARES);
    let boards: Vec<[f64; 3]> =
        large().map(|(size, row)| [size.cells().into(), size.width().into(), ln(row)]).collect();
    let (plane, slowest) = (Plane::through(&boards), large().map(|(_, row)| speed(row)).fold(f64::INFINITY, f64::min));
    let sizes = (4..=12).flat_map(|width| (4..=13).filter_map(move |height| BoardSize::new(width, height).ok()));
    let is_next = |size: &BoardSize| (15..=17).contains(&(size.width() + size.height()));
    let is_known = |row: &OutcomeRow| row.goal == goal && row.found().is_some();
    let is_open = |size: &BoardSize| !rows.iter().any(|row| is_known(row) && row.size() == Some(*size));
    let mut next: Vec<BoardSize> = sizes.filter(|size| is_next(size) && is_open(size)).collect();
    next.sort_by_key(|size| (size.cells(), size.width()));
    let number = |value: f64| Value::number(Some(value), |value| format!("{value:.3e}"));
    let hours = |nodes: f64| Value::number(Some(nodes / slowest / HOUR), |hours| format!("{hours:.2}"));
    let of = |size: &BoardSize| {
        let nodes = plane.at(size.cells().into(), size.width().into()).exp();
        let range = (2.0 * plane.deviation).exp();
        let all = [nodes / range, nodes, nodes * range];
        let name = Value::text(size.to_string());
        [name, Value::count(size.cells() as usize)].into_iter().chain(all.map(number)).chain(all.map(hours)).collect()
    };
    let (few, [_, of_nodes, rest]) = (boards.len() < 4, plane.trends);
    let conclusion = format!(
        "By the {} solved boards of {LEAST_SQUARES} squares or more: a square more takes {} the nodes, a column more with as many squares {}; \
         half of the range is a factor of {}.",
        boards.len(),
        times(of_nodes.slope.exp()),
        times(rest.slope.exp()),
        times((2.0 * plane.deviation).exp()),
    );
    Sheet {
        name: "forecast",
        subject: Subject::default(),
        title: format!("What the next boards would cost, {}: a model", goal.name()),
        note: format!(
            "Nodes by a plane through the logarithms of those that are solved, over squares and columns, and two standard deviations below and \
             above it. Hours of one core at the least speed that was met, {:.1} million nodes a second. A table that holds too little makes more nodes of it.",
            slowest / 1e6
        ),
        conclusion: if few { String::new() } else { conclusion },
        headings: vec![
            Heading::text("board", "board"),
            Heading::number("squares", "squares"),
            Heading::number("nodes at least", "nodes_low"),
            Heading::number("nodes", "nodes"),
            Heading::number("at most", "nodes_high"),
            Heading::number("hours at least", "hours_low"),
            Heading::number("hours", "hours"),
            Heading::number("at most", "hours_high"),
        ],
        rows: if few { Vec::new() } else { next.iter().map(of).collect() },
    }
}

/// The picture, as a file: nodes against squares, a line for each height.
pub fn picture(rows: &[OutcomeRow], goal: Goal) -> String {
    let solved = solved(rows, goal);
    let of_height = |height: u32| -> CountedLine {
        let mut nodes: Vec<(u32, u64)> = solved
            .iter()
            .filter(|(size, _)| size.height() == height)
            .map(|(size, row)| (size.cells(), row.nodes))
            .collect();
        nodes.sort_unstable();
        (format!("{height} rows"), nodes)
    };
    let lines: Vec<CountedLine> = (1..=63).map(of_height).filter(|(_, nodes)| !nodes.is_empty()).collect();
    plot::growth(&lines).alone(&format!("Nodes of empty boards, {}", goal.name()))
}

/// The logarithm of a board's nodes.
fn ln(row: &OutcomeRow) -> f64 {
    (row.nodes.max(1) as f64).ln()
}

/// A line of least squares.
#[derive(Clone, Copy, Debug)]
struct Trend {
    slope: f64,
    mean: (f64, f64),
}

impl Trend {
    fn through(points: &[(f64, f64)]) -> Self {
        let (x, y) = (mean(points, |point| point.0), mean(points, |point| point.1));
        let above = mean(points, |point| (point.0 - x) * (point.1 - y));
        let below = mean(points, |point| (point.0 - x).powi(2));
        Trend { slope: if below == 0.0 { 0.0 } else { above / below }, mean: (x, y) }
    }

    fn at(self, x: f64) -> f64 {
        self.mean.1 + self.slope * (x - self.mean.0)
    }
}

/// A plane of least squares: the logarithm of nodes by squares and by columns. A board of many columns takes more than a high one with as
/// many squares.
#[derive(Clone, Copy, Debug)]
struct Plane {
    /// Of columns on squares, of nodes on squares, and of what these leave of nodes on what they leave of columns.
    trends: [Trend; 3],
    /// The standard deviation of boards around it.
    deviation: f64,
}

impl Plane {
    /// Through boards: squares, columns, the logarithm of nodes.
    fn through(boards: &[[f64; 3]]) -> Self {
        let by_squares = |value: usize| boards.iter().map(|board| (board[0], board[value])).collect::<Vec<_>>();
        let [columns, nodes] = [1, 2].map(|value| Trend::through(&by_squares(value)));
        let left = |board: &[f64; 3]| (board[1] - columns.at(board[0]), board[2] - nodes.at(board[0]));
        let rest = Trend::through(&boards.iter().map(left).collect::<Vec<_>>());
        let plane = Plane { trends: [columns, nodes, rest], deviation: 0.0 };
        let off = |board: &[f64; 3]| (board[2] - plane.at(board[0], board[1])).powi(2);
        let squares: f64 = boards.iter().map(off).sum();
        Plane { deviation: (squares / (boards.len() as f64 - 3.0).max(1.0)).sqrt(), ..plane }
    }

    fn at(self, squares: f64, columns: f64) -> f64 {
        let [of_columns, of_nodes, rest] = self.trends;
        of_nodes.at(squares) + rest.at(columns - of_columns.at(squares))
    }
}

fn mean(points: &[(f64, f64)], of: impl Fn(&(f64, f64)) -> f64) -> f64 {
    points.iter().map(of).sum::<f64>() / points.len().max(1) as f64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::tables::outcomes::tests::row;

    #[test]
    fn growth_is_by_neighbours() {
        let rows =
            [row("4x4", 100, Some("=")), row("5x4", 800, Some("=")), row("4x5", 400, Some("=")), row("6x4", 7, None)];
        let split = OutcomeRow { plies: 2, ..row("7x4", 900, Some("=")) };
        let sheet = sheet(&[&rows[..], &[split]].concat(), Goal::Weak);
        assert_eq!(
            sheet.rows.len(),
            3,
            "a board that was not solved has no nodes to compare, nor has one that was split"
        );
        assert!(sheet.conclusion.contains("a column more takes 8.00x the nodes (1 pairs of boards), a row more 4.00x"));
    }

    #[test]
    fn a_line_goes_through_points_that_lie_on_one() {
        let line = Trend::through(&[(1.0, 2.0), (2.0, 4.0), (3.0, 6.0)]);
        assert_eq!((line.slope, line.at(10.0)), (2.0, 20.0));
        assert_eq!(Trend::through(&[(1.0, 2.0)]).slope, 0.0);
        let plane = Plane::through(&[[30.0, 6.0, 1.0], [35.0, 7.0, 3.0], [36.0, 6.0, 2.2], [40.0, 8.0, 5.0]]);
        assert!(
            (plane.at(45.0, 9.0) - 7.0).abs() < 1e-9 && plane.deviation < 1e-9,
            "1 + 0.2 (squares - 30) + 1 (columns - 6): {plane:?}"
        );
    }

    fn name_of(row: &[Value]) -> &str {
        if let Value::Text(name) = &row[0] { name } else { "" }
    }

    /// Ten times the nodes for every five squares: what is open is foretold so, and what is solved is not foretold.
    #[test]
    fn open_boards_are_foretold_by_the_line() {
        let of = |board: &str, squares: i32| row(board, 10u64.pow((squares / 5) as u32), Some("="));
        let rows = [of("6x5", 30), of("7x5", 35), of("8x5", 40), of("9x5", 45), of("10x5", 50), of("4x4", 1)];
        let sheet = forecast(&rows, Goal::Weak);
        let names: Vec<&str> = sheet.rows.iter().map(|row| name_of(row)).collect();
        assert!(!names.contains(&"10x5") && names.contains(&"11x5") && names.contains(&"8x8"), "{names:?}");
        let split = OutcomeRow { plies: 4, ..of("8x8", 1) };
        let with_split = forecast(&[&rows[..], &[split]].concat(), Goal::Weak);
        let without: Vec<&str> = names.iter().copied().filter(|&name| name != "8x8").collect();
        let open: Vec<&str> = with_split.rows.iter().map(|row| name_of(row)).collect();
        assert_eq!(open, without, "what was split is solved, and changes no other line");
        let eleven = sheet.rows.iter().find(|row| name_of(row) == "11x5").unwrap();
        assert!(matches!(eleven[3], Value::Number { value, .. } if (value / 1e11 - 1.0).abs() < 1e-6), "{eleven:?}");
        assert!(forecast(&rows[..2], Goal::Weak).rows.is_empty(), "two points foretell nothing");
    }
}
