//! Strength: how much of a player's knowledge it is allowed to use, in terms that a person can check.

use crate::matches::player::{ChosenMove, Player, Refusal};
use c4lab_measure::sets::draw::Draw;
use c4lab_solver::game::Position;
use c4lab_solver::search::Limits;

/// What a player may use of what it knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Strength {
    /// It searches once at most so many squares are empty. Before, it takes a win, stops one, and else draws lots.
    pub(super) sees: Option<u32>,
    /// Of a hundred of its moves, so many are chosen by itself; the others are any.
    pub(super) own_moves: u32,
}

impl Strength {
    /// In words, for whoever plays against it; `None` where it may use everything.
    pub fn in_words(self) -> Option<String> {
        let sees = self.sees.map(|sees| {
            format!("it sees the last {sees} stones; before, it takes a win, stops one, and else plays at random")
        });
        let own = (self.own_moves < 100)
            .then(|| format!("{} of 100 moves are its best, the others are any move", self.own_moves));
        let said: Vec<String> = [sees, own].into_iter().flatten().collect();
        (!said.is_empty()).then(|| said.join("; "))
    }
}

/// A player that may use only a part of what it knows.
pub struct Weakened {
    player: Box<dyn Player>,
    strength: Strength,
    draw: Draw,
}

impl Weakened {
    pub fn new(player: Box<dyn Player>, strength: Strength) -> Self {
        Weakened { player, strength, draw: Draw::new(0, "strength") }
    }

    /// One of some columns.
    fn any(&mut self, columns: &[u32]) -> ChosenMove {
        ChosenMove { column: columns[self.draw.below(columns.len())], is_guess: true }
    }
}

impl Player for Weakened {
    fn begin(&mut self, seed: u64, game: usize) {
        self.draw = Draw::new(seed, &format!("strength {game}"));
        self.player.begin(seed, game);
    }

    fn choose(&mut self, position: &Position, limits: &Limits<'_>) -> Result<ChosenMove, Refusal> {
        let all: Vec<u32> = (0..position.size().width()).filter(|&column| position.can_play(column)).collect();
        if self.draw.below(100) >= self.strength.own_moves as usize {
            return Ok(self.any(&all));
        }
        let left = position.size().cells() - position.ply();
        if self.strength.sees.is_none_or(|sees| left <= sees) {
            return self.player.choose(position, limits);
        }
        Ok(match one_ahead(position, &all) {
            columns if columns.is_empty() => self.any(&all),
            columns => self.any(&columns),
        })
    }
}

/// The moves that win at once, or else those after which the opponent does not.
fn one_ahead(position: &Position, columns: &[u32]) -> Vec<u32> {
    let wins: Vec<u32> = columns.iter().copied().filter(|&column| position.wins_by(column)).collect();
    if !wins.is_empty() {
        return wins;
    }
    let is_safe = |column: &u32| {
        let mut child = position.clone();
        child.play(*column).is_ok() && !(0..child.size().width()).any(|reply| child.wins_by(reply))
    };
    columns.iter().copied().filter(is_safe).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::matches::player::SolverPlayer;
    use c4lab_solver::search::{Goal, Options, registry};
    use std::collections::BTreeSet;

    fn weakened(sees: Option<u32>, own_moves: u32) -> Weakened {
        let solver = registry::find("champion").unwrap().build(&Options::with_tt(1 << 20)).unwrap();
        Weakened::new(Box::new(SolverPlayer::new(solver, Goal::Strong)), Strength { sees, own_moves })
    }

    fn chosen(player: &mut Weakened, moves: &str) -> BTreeSet<u32> {
        let position = Position::parse(moves).unwrap();
        let mut one = |game| {
            player.begin(1, game);
            player.choose(&position, &Limits::default()).unwrap().column
        };
        (0..60).map(&mut one).collect()
    }

    #[test]
    fn it_looks_one_move_ahead_until_it_sees() {
        assert_eq!(chosen(&mut weakened(Some(20), 100), "121212"), BTreeSet::from([0]), "a win");
        assert_eq!(chosen(&mut weakened(Some(20), 100), "71727"), BTreeSet::from([6]), "the win of the opponent");
        assert!(chosen(&mut weakened(Some(20), 100), "44").len() > 4, "at random");
        // The best move alone keeps the value here.
        let late = "4444443265";
        assert_eq!(chosen(&mut weakened(Some(32), 100), late), BTreeSet::from([4]));
        assert!(chosen(&mut weakened(Some(31), 100), late).len() > 2);
    }

    #[test]
    fn the_share_of_its_own_moves_is_kept() {
        let late = Position::parse("4444443265").unwrap();
        let share = |own_moves| {
            let mut player = weakened(None, own_moves);
            player.begin(1, 0);
            let best = |_: &u32| player.choose(&late, &Limits::default()).unwrap().column == 4;
            (0..300).filter(best).count()
        };
        assert_eq!(share(100), 300);
        // A sixth of the other moves happens to be the best one.
        let (some, none) = (share(60), share(0));
        assert!((170..=230).contains(&some) && (25..=85).contains(&none), "{some} {none}");
    }

    #[test]
    fn strength_is_said() {
        assert_eq!(Strength { sees: None, own_moves: 100 }.in_words(), None);
        let both = Strength { sees: Some(12), own_moves: 70 }.in_words().unwrap();
        assert!(both.contains("last 12 stones") && both.contains("70 of 100 moves"), "{both}");
    }
}
