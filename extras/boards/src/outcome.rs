//! Outcome: who wins if both play best, and the number of the last stone where it is known. Written `+53`: the first player wins with the
//! 53rd stone; `-`: the second player wins; `=`: a draw. And the claims about it.

use crate::outcomes;
use anyhow::{Result, anyhow, bail};
use c4lab_measure::text::pluralize;
use c4lab_report::claims::claim::{Claim, Unit};
use c4lab_report::claims::judge::Finding;
use c4lab_report::claims::verdict::{Measured, Published, Verdict};
use c4lab_report::extras::ClaimKind;
use c4lab_solver::game::score::Score;
use c4lab_solver::game::{BoardSize, Position};
use c4lab_solver::search::Goal;
use std::fmt;
use std::path::Path;
use std::str::FromStr;

/// Who wins, seen by the first player, and with which stone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// 1, 0 or -1.
    pub sign: Score,
    /// The number of the winning stone, from 1; none of a draw, or where only the winner is known.
    pub last_stone: Option<u32>,
}

impl Outcome {
    pub fn of(position: &Position, goal: Goal, score: Score) -> Self {
        let (board, ply) = (position.size(), position.ply());
        let last_stone = (goal == Goal::Strong && score != 0).then(|| ply + board.distance(score, ply));
        // A score is that of the player to move.
        let sign = if ply.is_multiple_of(2) { score.signum() } else { -score.signum() };
        Outcome { sign, last_stone }
    }

    /// One number for it: of a win that of the last stone, or 1 where it is not known, negative where the second player wins; 0 of a draw.
    pub fn number(self) -> f64 {
        f64::from(self.sign) * self.last_stone.map_or(1.0, f64::from)
    }

    /// The outcome of a [`number`](Self::number).
    pub fn of_number(number: f64) -> Self {
        let last_stone = (number.abs() > 1.0).then_some(number.abs() as u32);
        Outcome { sign: number.partial_cmp(&0.0).map_or(0, |order| order as Score), last_stone }
    }

    /// Whether nothing that the one says is contradicted by the other.
    pub fn agrees(self, other: Self) -> bool {
        let both = self.last_stone.zip(other.last_stone);
        self.sign == other.sign && both.is_none_or(|(one, other)| one == other)
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(["-", "=", "+"][(self.sign + 1) as usize])?;
        self.last_stone.map_or(Ok(()), |stone| write!(f, "{stone}"))
    }
}

impl FromStr for Outcome {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let form = || format!("{text:?} is no outcome: +, =, -, or the last stone behind it, as in +53");
        let sign = match text.chars().next() {
            Some('+') => 1,
            Some('=') => 0,
            Some('-') => -1,
            _ => return Err(form()),
        };
        let stone = match &text[1..] {
            "" => None,
            stone if stone.bytes().all(|byte| byte.is_ascii_digit()) => Some(stone.parse().map_err(|_| form())?),
            _ => return Err(form()),
        };
        // The first player has the odd stones, and a draw has no last one.
        let is_possible = stone.is_none_or(|stone: u32| sign != 0 && (stone % 2 == 1) == (sign == 1));
        is_possible.then_some(Outcome { sign, last_stone: stone }).ok_or_else(form)
    }
}

/// Claims of who wins on an empty board. An entry has a board and who wins on it, again and again; each becomes a claim.
pub struct Kind;

const NAME: &str = "outcome";
const UNIT: Unit = Unit::Extra(NAME);

/// The board of a claim of this kind, and who is said to win on it.
pub fn published(claim: &Claim) -> Option<(&str, Outcome)> {
    let board = claim.parameters.get("board").filter(|_| claim.kind.name() == NAME)?.as_str()?;
    Some((board, Outcome::of_number(claim.published.number?)))
}

impl ClaimKind for Kind {
    fn name(&self) -> &'static str {
        NAME
    }

    fn title(&self) -> &'static str {
        "Who wins on an empty board, and with which stone"
    }

    fn unit(&self) -> Unit {
        UNIT
    }

    fn figure(&self, value: f64) -> String {
        Outcome::of_number(value).to_string()
    }

    fn claims(&self, entry: Claim) -> Result<Vec<Claim>> {
        if entry.parameters.is_empty() || !entry.variant.is_empty() || entry.base.is_some() {
            bail!("an outcome has parameters, a board and who wins on it each, and neither variant nor base");
        }
        let mut claims = Vec::new();
        for (board, outcome) in &entry.parameters {
            let board: BoardSize = board.parse().map_err(|error| anyhow!("{error}"))?;
            let outcome = outcome.as_str().unwrap_or_default().parse::<Outcome>();
            let outcome = outcome.map_err(|error| anyhow!("{board}: {error}"))?;
            claims.push(Claim {
                id: format!("{}-{board}", entry.id),
                published: Published::exact(outcome.number(), UNIT),
                parameters: [("board".to_string(), board.to_string().into())].into_iter().collect(),
                ..entry.clone()
            });
        }
        Ok(claims)
    }

    /// By the answer of the folder that says most.
    fn judge(&self, claim: &Claim, folder: &Path) -> Finding {
        let untested = |why: String| Finding::untested(claim, Verdict::NotTested, why);
        let Some((board, published)) = published(claim) else { return untested("no board".to_string()) };
        let rows = match outcomes::read(folder) {
            Ok(rows) => rows,
            Err(error) => return untested(format!("{error:#}")),
        };
        let of_board = rows.iter().filter(|row| row.board == board);
        let found = of_board.filter_map(|row| Some((row.found()?, row))).max_by_key(|(found, _)| found.last_stone);
        let Some((found, row)) = found else {
            return untested(format!("{board} is not solved: `c4lab outcomes --boards {board}`"));
        };
        let is_less = found.last_stone.is_none() && published.last_stone.is_some() && found.sign == published.sign;
        let (verdict, why) = if is_less {
            (Verdict::Undecided, "the winner is the same; the last stone is not known".to_string())
        } else if published.agrees(found) {
            let nodes = pluralize(row.nodes as usize, "node");
            (Verdict::Reproduced, format!("{} on {board}, {nodes}", row.variant))
        } else {
            (Verdict::OtherNumber, format!("{} finds {found} on {board}", row.variant))
        };
        let measured = Some(Measured::exact(found.number()));
        Finding { measured, set: Some(board.to_string()), ..Finding::untested(claim, verdict, why) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn outcomes_are_read_as_they_are_written() {
        for text in ["+", "=", "-", "+41", "-62", "+7"] {
            let outcome: Outcome = text.parse().unwrap();
            assert_eq!((outcome.to_string().as_str(), Outcome::of_number(outcome.number())), (text, outcome));
        }
        for text in ["", "41", "+42", "-41", "=42", "+x", "+-3", "++", "+99999999999"] {
            assert!(text.parse::<Outcome>().unwrap_err().contains("is no outcome"), "{text}");
        }
    }

    #[test]
    fn a_score_says_who_wins_and_with_which_stone() {
        let of = |board: &str, goal, score| {
            Outcome::of(&Position::start_on(board.parse().unwrap()), goal, score).to_string()
        };
        let after = |moves: &str, score| Outcome::of(&Position::parse(moves).unwrap(), Goal::Strong, score).to_string();
        // After one stone in the centre the second player loses with the 41st; after one at the edge he wins with the 40th.
        assert_eq!((after("4", -1), after("1", 2), after("44", 1)), ("+41".into(), "-40".into(), "+41".into()));
        assert_eq!(of("7x6", Goal::Strong, 1), "+41");
        assert_eq!(of("7x6", Goal::Weak, 1), "+");
        assert_eq!(of("6x6", Goal::Strong, -1), "-36");
        assert_eq!(of("7x7", Goal::Strong, 0), "=");
        let [told, found, other] = ["+", "+41", "+39"].map(|text| text.parse::<Outcome>().unwrap());
        assert!(told.agrees(found) && found.agrees(told) && !found.agrees(other));
        assert!(!told.agrees("=".parse().unwrap()));
    }
}
