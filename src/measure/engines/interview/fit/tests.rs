use super::*;
use crate::engines::interview::question::questions;

/// What a program says that answers every question in some way.
fn fitted(answer: impl Fn(&str, &Question) -> String) -> Fit {
    let questions = questions(20).unwrap();
    let moves: Vec<String> = questions.iter().map(|question| question.position.to_string()).collect();
    let reply = |(moves, question): (&String, &Question)| answer(moves, question).lines().map(str::to_string).collect();
    let replies: Vec<Vec<String>> = moves.iter().zip(&questions).map(reply).collect();
    let took = vec![Duration::from_millis(1); 20];
    Fit::of(&Heard { requests: moves.clone(), moves, replies, took, ..Heard::default() }, &questions).unwrap()
}

/// Plies to the end, as they are told from the mover's side.
fn plies(question: &Question) -> i32 {
    let plies = question.position.size().distance(question.score, question.position.ply()) as i32;
    question.score.signum() * plies
}

#[test]
fn every_sense_is_told_from_the_others() {
    for form in ScoreForm::ALL {
        for side in ScoreSide::ALL {
            let said = |_: &str, question: &Question| {
                let score = match form {
                    ScoreForm::Field => question.score,
                    ScoreForm::Plies => plies(question),
                    ScoreForm::Sign => question.score.signum(),
                };
                let is_other = match side {
                    ScoreSide::Mover => false,
                    ScoreSide::First => question.position.ply() % 2 == 1,
                    ScoreSide::Last => true,
                };
                (if is_other { -score } else { score }).to_string()
            };
            let fit = fitted(said);
            assert_eq!((fit.form, fit.side, fit.right, fit.answer.as_str()), (form, side, 20, "{score}"));
        }
    }
}

#[test]
fn the_pattern_of_an_answer_is_found() {
    for (template, pattern) in [
        ("M S", "{moves} {score}"),
        ("M S 17N N", "{moves} {score} [{nodes}] [{microseconds}]"),
        ("score=S; nodes=4N time=0.000Ns", "score={score}; [nodes={nodes}] [time={seconds}s]"),
        ("position M: S", "position {moves}: {score}"),
        ("N. M -> S ok", "{_} {moves} -> {score} [ok]"),
        ("thinking\nM S", "{moves} {score}"),
        ("bestmove 4\nresult S", "result {score}"),
    ] {
        let count = std::cell::Cell::new(100);
        let fit = fitted(|moves, question| {
            count.set(count.get() + 1);
            let text = template.replace('N', &count.get().to_string()).replace('M', moves);
            text.replace('S', &question.score.to_string())
        });
        assert_eq!((fit.answer.as_str(), fit.right), (pattern, 20), "{template:?}");
        assert_eq!(fit.has_more_lines, template.contains('\n'));
        assert!(Form::new(Form::REQUEST, &fit.answer).is_ok(), "{template:?}");
    }
    let words = fitted(|_, question| ["loss", "draw", "win"][(question.score.signum() + 1) as usize].to_string());
    assert_eq!((words.form, words.right, words.answer.as_str()), (ScoreForm::Sign, 20, "{score}"));
}

#[test]
fn a_few_wrong_answers_do_not_hide_the_sense() {
    let fit = fitted(|moves, question| {
        let error = i32::from(question.position.ply() == 37);
        format!("{moves} {}", question.score + error)
    });
    assert!(fit.form == ScoreForm::Field && (15..20).contains(&fit.right), "{fit:?}");
    let nothing = fitted(|_, _| "7".to_string());
    assert!(nothing.right < 10, "{nothing:?}");
}

#[test]
fn numbers_are_found_in_words() {
    let of = |word| Numbered::of(word).map(|it| (it.before, it.number, it.after));
    assert_eq!(of("score=-3,"), Some(("score=", "-3", ",")));
    assert_eq!((of("0.25s"), of("4."), of("win")), (Some(("", "0.25", "s")), Some(("", "4", ".")), None));
}
