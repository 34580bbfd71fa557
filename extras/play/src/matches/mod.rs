//! Matches: games between players, and a judge of the moves of one.
//!
//! - [`player`]: whoever chooses a move: a variant, a foreign program, chance.
//! - [`game`]: one game from an opening to its end.
//! - [`series`]: the games of a match, resumed where they were left.
//! - [`score`]: what came of a match.
//! - [`judge`]: a player's moves in positions whose scores are known.

pub mod game;
pub mod judge;
pub mod player;
pub mod score;
pub mod series;
pub mod stray;
