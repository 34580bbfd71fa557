//! Score: what came of a match, from one player's side.

use crate::matches::series::{GameRow, RESULTS};
use std::collections::BTreeMap;

/// Games of one player.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MatchScore {
    /// Games won.
    pub won: usize,
    /// Games drawn.
    pub drawn: usize,
    /// Games lost.
    pub lost: usize,
    /// Of these, lost without a four: by no move, or one that cannot be played.
    pub forfeited: usize,
    /// Moves that a limit left to a guess.
    pub guesses: u32,
    /// Moves that gave away a win or a draw; `None` where no referee looked.
    pub slips: Option<u32>,
    /// The longest that a move took, in nanoseconds.
    pub worst_ns: u64,
}

impl MatchScore {
    /// Of the player who begins the games with an even number (`true`), or the others (`false`): all its games, those that it
    /// began (`Some(true)`), or those that it did not.
    pub fn of(rows: &[GameRow], is_one: bool, began: Option<bool>) -> Self {
        let mut score = MatchScore::default();
        for row in rows {
            let is_first = row.game.is_multiple_of(2) == is_one;
            if began.is_some_and(|began| began != is_first) {
                continue;
            }
            let own = usize::from(!is_first);
            let is_won = row.result == RESULTS[own];
            let is_lost = row.result == RESULTS[1 - own];
            score.won += usize::from(is_won);
            score.lost += usize::from(is_lost);
            score.drawn += usize::from(!is_won && !is_lost);
            score.forfeited += usize::from(is_lost && row.reason.is_some());
            let (guesses, slips, worst) = match is_first {
                true => (row.guesses_first, row.slips_first, row.worst_ns_first),
                false => (row.guesses_second, row.slips_second, row.worst_ns_second),
            };
            score.guesses += guesses;
            score.slips = slips.map(|slips| score.slips.unwrap_or(0) + slips).or(score.slips);
            score.worst_ns = score.worst_ns.max(worst);
        }
        score
    }

    /// Number of games.
    pub fn games(&self) -> usize {
        self.won + self.drawn + self.lost
    }
}

/// The points of the player who begins the games with an even number, or of the other, in each pair of games that had the same
/// opening: from 0, both lost, to 1, both won.
pub fn points_of_pairs(rows: &[GameRow], is_one: bool) -> Vec<f64> {
    let mut pairs: BTreeMap<usize, Vec<f64>> = BTreeMap::new();
    for row in rows {
        let own = usize::from(row.game.is_multiple_of(2) != is_one);
        let points = match () {
            () if row.result == RESULTS[own] => 1.0,
            () if row.result == RESULTS[1 - own] => 0.0,
            () => 0.5,
        };
        pairs.entry(row.game / 2).or_default().push(points);
    }
    pairs.into_values().filter(|points| points.len() == 2).map(|points| (points[0] + points[1]) / 2.0).collect()
}
