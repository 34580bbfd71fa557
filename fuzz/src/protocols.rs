//! Readers of the protocol between c4lab and engines.

use c4lab_measure::engines::foreign::form::{Answer, Form, ScoreForm};
use c4lab_solver::game::BoardSize;
use c4lab_solver::game::reading::Reader;
use c4lab_solver::search::Goal;

/// The lines between c4lab and an engine. The first three lines of the bytes are request, answer and moves, the rest is
/// the output of the engine. A request is one line. An answer that is read has the values of its words. Other lines
/// have an error.
pub fn engine(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let mut lines = text.split('\n');
    let mut next = || lines.next().unwrap_or_default();
    let (request, answer, moves) = (next(), next(), next());
    let form = match Form::new(request, answer) {
        Ok(form) => form,
        Err(reason) => return assert!(!reason.trim().is_empty(), "{request:?} {answer:?}"),
    };
    let Ok(position) = Reader::on(BoardSize::STANDARD).read(moves) else { return };
    for (first_column, score) in [(1, ScoreForm::Field), (0, ScoreForm::Sign), (1, ScoreForm::Plies)] {
        let mut form = form.clone();
        (form.first_column, form.score) = (first_column, score);
        for goal in Goal::ALL {
            let asked = form.request(&position, goal);
            assert!(!asked.contains('\n') && !asked.contains("{moves}"), "{asked:?}");
        }
        for line in lines.clone() {
            match form.read(line, &position) {
                Ok(answer) => {
                    let most = if score == ScoreForm::Sign { 1 } else { BoardSize::STANDARD.limit() };
                    let is_possible = |said: i32| score == ScoreForm::Field || said.abs() <= most;
                    let holds = match &answer.0 {
                        Answer::Score(score) => is_possible(*score),
                        Answer::Move(column) => *column < BoardSize::STANDARD.width(),
                        Answer::Scores(scores) => {
                            scores.len() == BoardSize::STANDARD.width() as usize
                                && scores.iter().flatten().all(|score| is_possible(*score))
                        }
                    };
                    assert!(holds, "{line:?}: {answer:?}");
                    assert!(!form.is_aside(line, &position), "an answer is none: {line:?}");
                    assert_eq!(form.read(&format!("  {line} "), &position), Ok(answer), "{line:?}");
                }
                Err(reason) => {
                    assert!(!reason.trim().is_empty(), "{line:?}");
                    let padded = format!("  {line} ");
                    assert_eq!(form.is_aside(&padded, &position), form.is_aside(line, &position), "{line:?}");
                }
            }
        }
    }
}
