//! The question of a request: what stands behind its question mark.

use super::fault::HttpFault;
use c4lab_measure::nearest::explain;
use c4lab_measure::sets::test_set::parse_moves_on;
use c4lab_solver::game::{BoardSize, Position};
use c4lab_solver::search::registry::{BOARDS, DEFAULT};
use c4lab_solver::search::solver::BuildError;
use c4lab_solver::search::{Goal, Name};

/// Characters of a value.
const LONGEST: usize = 300;

/// A position to look at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Query {
    /// The position.
    pub position: Position,
}

/// A position, and the variant to solve it.
#[derive(Clone, Debug)]
pub struct VariantQuery {
    /// The position.
    pub position: Position,
    /// The variant; its settings are the server's.
    pub name: Name,
    /// The goal: the score where the variant tells it, else who wins.
    pub goal: Goal,
}

impl Query {
    /// Reads `moves` and `board`.
    ///
    /// # Errors
    /// A board that no search is compiled for; moves that cannot be played on it.
    pub fn parse(query: &str) -> Result<Self, HttpFault> {
        let position = position(&Values::of(query, &["moves", "board"])?)?;
        Ok(Query { position })
    }

    /// Reads `name`.
    ///
    /// # Errors
    /// There is none.
    pub fn name(query: &str) -> Result<String, HttpFault> {
        Values::of(query, &["name"])?.take("name").ok_or_else(|| HttpFault::bad("name: which record?"))
    }
}

impl VariantQuery {
    /// Reads `moves`, `board` and `variant`.
    ///
    /// # Errors
    /// As [`Query::parse`]; a variant that does not exist, or does not run here.
    pub fn parse(query: &str) -> Result<Self, HttpFault> {
        let values = Values::of(query, &["moves", "board", "variant"])?;
        let position = position(&values)?;
        let text = values.take("variant").unwrap_or(DEFAULT.to_string());
        let name = Name::parse(&text).map_err(|error| HttpFault::bad(explain(error)))?;
        if name.tt_bytes().is_some() || name.says_threads() {
            return Err(HttpFault::bad(format!(
                "{text}: a page asks for a variant without settings; the size of its table is chosen when the server starts: c4lab serve --tt"
            )));
        }
        name.available_on(position.size())
            .map_err(|reason| HttpFault::bad(format!("{text} does not run here: {reason}")))?;
        let goal = if name.spec().goals().contains(&Goal::Strong) { Goal::Strong } else { Goal::Weak };
        Ok(VariantQuery { position, name, goal })
    }
}

/// The position of `moves` on `board`; the empty standard board where neither is given.
fn position(values: &Values) -> Result<Position, HttpFault> {
    let board = match values.take("board") {
        Some(text) => text.parse::<BoardSize>().map_err(|error| HttpFault::bad(format!("board: {error}")))?,
        None => BoardSize::STANDARD,
    };
    if !BOARDS.contains(&board) {
        return Err(HttpFault::bad(format!("board: {}", BuildError::Board(board))));
    }
    let moves = values.take("moves").unwrap_or_default();
    parse_moves_on(board, &moves).map_err(|error| HttpFault::bad(format!("moves: {error}")))
}

/// Names with their values.
struct Values(Vec<(String, String)>);

impl Values {
    /// Reads them; each name is known and stands once.
    fn of(query: &str, known: &[&str]) -> Result<Self, HttpFault> {
        let mut values: Vec<(String, String)> = Vec::new();
        for (name, value) in form_urlencoded::parse(query.as_bytes()) {
            if !known.contains(&name.as_ref()) {
                let short: String = name.chars().take(40).collect();
                return Err(HttpFault::bad(format!("{short:?} is none of {}", known.join(", "))));
            }
            if values.iter().any(|(other, _)| *other == name) {
                return Err(HttpFault::bad(format!("{name} twice")));
            }
            if value.chars().count() > LONGEST {
                return Err(HttpFault::bad(format!("{name}: more than {LONGEST} characters")));
            }
            values.push((name.into_owned(), value.into_owned()));
        }
        Ok(Values(values))
    }

    fn take(&self, name: &str) -> Option<String> {
        self.0.iter().find(|(other, _)| other == name).map(|(_, value)| value.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reason(query: &str) -> String {
        VariantQuery::parse(query).err().map_or(String::new(), |fault| fault.to_string())
    }

    #[test]
    fn positions_and_variants_are_read() {
        let query = VariantQuery::parse("moves=4455&variant=pons-12%5Border%3Dcentre%5D&board=7x6").unwrap();
        assert_eq!((query.position.to_string().as_str(), query.name.text()), ("4455", "pons-12[order=centre]"));
        assert_eq!(VariantQuery::parse("").unwrap().name.text(), DEFAULT);
        assert_eq!(VariantQuery::parse("variant=bot-final").unwrap().goal, Goal::Weak);
        assert_eq!(Query::parse("moves=-&board=6x5").unwrap().position.size().to_string(), "6x5");
    }

    #[test]
    fn what_makes_no_sense_gets_a_reason() {
        for (query, said) in [
            ("moves=4448", "400 moves: ply 4:"),
            ("moves=4444444", "400 moves: ply 7: column 4 is full"),
            ("moves=44%00", "400 moves: ply 3:"),
            ("moves=4&moves=5", "400 moves twice"),
            ("board=9x9", "400 board:"),
            ("board=7", "400 board:"),
            ("variant=champoin", "nearest: \"champion\""),
            ("variant=champion@9GiB", "the size of its table is chosen when the server starts"),
            ("variant=champion@book=8", "chosen when the server starts"),
            ("colour=red", "\"colour\" is none of moves, board, variant"),
        ] {
            assert!(reason(query).contains(said), "{query}: {}", reason(query));
        }
        let long = format!("variant={}", "a".repeat(400));
        assert_eq!(reason(&long), "400 variant: more than 300 characters");
        assert!(Query::name("").is_err() && Query::parse("variant=champion").is_err());
    }
}
