//! Games: what came of a match, from both sides.

use crate::matches::score::{MatchScore, points_of_pairs};
use crate::matches::series::GameRow;
use c4lab_report::stats::formulas::wilson;
use c4lab_report::stats::mean_interval;
use c4lab_report::table::units::time;
use c4lab_report::table::{Cell, Column, Subject, Table};

/// A share with its interval, in percent.
fn percent(share: f64, (low, high): (f64, f64)) -> String {
    let [share, low, high] = [share, low, high].map(|share| 100.0 * share);
    format!("{share:.0} % ({low:.0} to {high:.0})")
}

/// The points of a player over pairs of games that had the same opening; a pair is one observation. Where all pairs came out alike
/// there is no scatter to make an interval of.
fn points(rows: &[GameRow], is_one: bool) -> String {
    let pairs = points_of_pairs(rows, is_one);
    let Some(mean) = mean_interval(&pairs) else { return "-".to_string() };
    match mean.interval.filter(|(low, high)| low < high) {
        Some((low, high)) => percent(mean.value, (low.max(0.0), high.min(1.0))),
        None => format!("{:.0} %", 100.0 * mean.value),
    }
}

/// Three rows for each player: all its games, those that it began, those that it did not.
pub fn sheet(names: &[String; 2], rows: &[GameRow]) -> Table {
    let mut lines = Vec::new();
    for (name, is_one) in names.iter().zip([true, false]) {
        for (games, began) in [("all", None), ("begins", Some(true)), ("second", Some(false))] {
            let score = MatchScore::of(rows, is_one, began);
            let of = score.games();
            let share = |count: usize| {
                let (low, high) = wilson(count, of);
                Cell::text(format!("{count} ({:.0} to {:.0} %)", 100.0 * low, 100.0 * high))
            };
            let slips = score.slips.map_or(Cell::Empty, |slips| Cell::count(slips as usize));
            let points = if began.is_none() { Cell::text(points(rows, is_one)) } else { Cell::Empty };
            lines.push(vec![
                Cell::text(name),
                Cell::text(games),
                share(score.won),
                share(score.drawn),
                share(score.lost),
                points,
                Cell::count(score.forfeited),
                Cell::count(score.guesses as usize),
                slips,
                Cell::number(Some(score.worst_ns as f64), time),
            ]);
        }
    }
    let mut columns = vec![Column::text("player", "player"), Column::text("games", "games")];
    columns.extend(["won", "drawn", "lost", "points", "forfeits", "guesses", "slips"].map(|it| Column::number(it, it)));
    columns.push(Column::number("longest move", "worst_ns"));
    Table {
        name: "games",
        subject: Subject::default(),
        title: format!("{} against {}, {} games", names[0], names[1], rows.len()),
        note: "Intervals of 95 %: of counts by Wilson, of points over pairs of games with one opening. A draw is half a point."
            .to_string(),
        conclusion: String::new(),
        columns,
        rows: lines,
    }
}

/// The names of both players of a match: the one who begins the first game, and the other.
pub fn names(rows: &[GameRow]) -> Option<[String; 2]> {
    let row = rows.first()?;
    Some(if row.game.is_multiple_of(2) {
        [row.first.clone(), row.second.clone()]
    } else {
        [row.second.clone(), row.first.clone()]
    })
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use c4lab_solver::search::Goal;

    pub(crate) fn game(game: usize, result: &str) -> GameRow {
        let (first, second) = if game.is_multiple_of(2) { ("a", "b") } else { ("b", "a") };
        GameRow {
            schema_version: 1,
            game,
            opening: "-".to_string(),
            first: first.to_string(),
            second: second.to_string(),
            goal: Goal::Weak,
            moves: "4".to_string(),
            result: result.to_string(),
            end: "four".to_string(),
            reason: None,
            guesses_first: 0,
            guesses_second: 0,
            slips_first: Some(0),
            slips_second: Some(1),
            worst_ns_first: 2_000_000,
            worst_ns_second: 1_000_000,
            seed: 1,
            limit_ns: None,
            limit_nodes: None,
            git_rev: None,
            ended_at: String::new(),
        }
    }

    #[test]
    fn points_are_of_pairs_of_games() {
        // a: two wins; a win and a draw; a loss and a win.
        let rows = ["1-0", "0-1", "1-0", "1/2", "0-1", "0-1"];
        let rows: Vec<GameRow> = rows.iter().enumerate().map(|(number, result)| game(number, result)).collect();
        assert_eq!(points_of_pairs(&rows, true), [1.0, 0.75, 0.5]);
        assert_eq!(points_of_pairs(&rows[1..], false), [0.25, 0.5], "a game without its pair is none");
        let names = names(&rows[1..]).unwrap();
        assert_eq!(names, ["a".to_string(), "b".to_string()]);
        let text = sheet(&names, &rows).markdown();
        assert!(text.contains("a against b, 6 games") && text.contains("| 75 % (13 to 100) |"), "{text}");
        let alike = sheet(&names, &rows[..2]).markdown();
        assert!(alike.contains(" 100 % |") && alike.contains(" 0 % |"), "{alike}");
    }
}
