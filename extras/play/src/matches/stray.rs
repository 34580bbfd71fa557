//! Stray: a player that begins with moves of chance, and then plays like another. So a player that always plays alike meets many games, all
//! from the empty board.

use crate::matches::player::{ChosenMove, Player, RandomPlayer, Refusal};
use c4lab_solver::game::Position;
use c4lab_solver::search::Limits;

/// How its name begins: `random:3:champion`.
pub const PREFIX: &str = "random:";

/// So many moves of chance, then those of another player.
pub struct StrayPlayer {
    moves: u32,
    chance: RandomPlayer,
    then: Box<dyn Player>,
}

impl StrayPlayer {
    /// A player who strays for so many of its own moves.
    pub fn new(moves: u32, then: Box<dyn Player>) -> Self {
        StrayPlayer { moves, chance: RandomPlayer::default(), then }
    }
}

/// The moves of chance and the other player in a name: `random:3:champion`.
pub fn parse(name: &str) -> Option<(u32, &str)> {
    let (moves, then) = name.strip_prefix(PREFIX)?.split_once(':')?;
    Some((moves.parse().ok()?, then))
}

impl Player for StrayPlayer {
    fn begin(&mut self, seed: u64, game: usize) {
        self.chance.begin(seed, game);
        self.then.begin(seed, game);
    }

    fn choose(&mut self, position: &Position, limits: &Limits<'_>) -> Result<ChosenMove, Refusal> {
        let own = position.ply() / 2;
        if own < self.moves { self.chance.choose(position, limits) } else { self.then.choose(position, limits) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    /// Plays the first column that has room.
    struct LeftPlayer;

    impl Player for LeftPlayer {
        fn begin(&mut self, _: u64, _: usize) {}

        fn choose(&mut self, position: &Position, _: &Limits<'_>) -> Result<ChosenMove, Refusal> {
            let column = (0..7).find(|&column| position.can_play(column)).unwrap();
            Ok(ChosenMove { column, is_guess: false })
        }
    }

    #[test]
    fn the_first_moves_are_of_chance_and_the_others_are_not() {
        let mut player = StrayPlayer::new(2, Box::new(LeftPlayer));
        let mut at = |moves: &str, game| {
            player.begin(1, game);
            player.choose(&Position::parse(moves).unwrap(), &Limits::default()).unwrap().column
        };
        let columns: BTreeSet<u32> = (0..40).map(|game| at("44", game)).collect();
        assert!(columns.len() > 4, "{columns:?}");
        assert!((0..40).all(|game| at("4433", game) == 0 && at("44335", game) == 0));
        assert_eq!(parse("random:3:champion@1MiB"), Some((3, "champion@1MiB")));
        assert_eq!([parse("random"), parse("random:x:y"), parse("random:3")], [None; 3]);
    }
}
