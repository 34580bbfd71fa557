//! Question: a position whose score is known.

use crate::sets::test_set::TestSet;
use anyhow::Result;
use c4lab_solver::game::Position;
use c4lab_solver::game::score::Score;

/// The set that they are taken from: late positions, which every solver answers soon.
const SET: &str = "end-easy";

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Question {
    pub position: Position,
    pub score: Score,
}

/// So many questions. A fifth are draws; the others are wins and losses, with either side to move, as many of each as there can be:
/// so no two senses of a score fit most of them alike.
pub fn questions(count: usize) -> Result<Vec<Question>> {
    let set = TestSet::open(SET)?;
    let kind = |score: Score, ply: u32| (score.signum(), if score == 0 { 0 } else { ply % 2 });
    let kinds = [(1, 0), (-1, 1), (0, 0), (1, 1), (-1, 0)];
    let mut of_kind: Vec<_> = kinds
        .iter()
        .map(|wanted| set.items.iter().filter(move |item| kind(item.score, item.position.ply()) == *wanted))
        .collect();
    let mut found = Vec::new();
    while found.len() < count {
        let before = found.len();
        for items in &mut of_kind {
            found.extend(items.next().map(|item| Question { position: item.position.clone(), score: item.score }));
        }
        if found.len() == before {
            break;
        }
    }
    found.truncate(count);
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_of_score_is_asked_for() {
        let asked = questions(20).unwrap();
        let count = |is: fn(&Question) -> bool| asked.iter().filter(|question| is(question)).count();
        assert_eq!(asked.len(), 20);
        assert_eq!((count(|it| it.score == 0), count(|it| it.score > 0), count(|it| it.score < 0)), (4, 8, 8));
        assert_eq!(count(|it| it.score != 0 && it.position.ply() % 2 == 1), 8);
    }
}
