use super::*;

fn position(moves: &str) -> Position {
    Position::parse(moves).unwrap()
}

fn form(answer: &str) -> Form {
    Form::new(Form::REQUEST, answer).unwrap()
}

#[test]
fn requests_are_written_as_the_program_reads_them() {
    let plain = form(Form::ANSWER);
    assert_eq!(plain.request(&position("4453"), Goal::Strong), "4453");
    assert_eq!(plain.request(&position(""), Goal::Strong), "-");
    let zero = Form { first_column: 0, no_moves: String::new(), ..plain };
    assert_eq!(zero.request(&position("4453"), Goal::Weak), "3342");
    assert_eq!(zero.request(&position(""), Goal::Weak), "");
    let drawn = Form::new("{goal} {diagram} {squares}", "{score}").unwrap();
    let rows = [".......", ".......", ".......", "...X...", "...O...", "..OX..."];
    let request = format!("weak {} {}", rows.join("/"), rows.concat());
    assert_eq!(drawn.request(&position("4443"), Goal::Weak), request);
}

#[test]
fn answers_are_read_by_their_pattern() {
    let at = position("44");
    let answer = |score, nodes, ns| Ok((Answer::Score(score), EngineFigures { nodes, ns, failure: None }));
    assert_eq!(form(Form::ANSWER).read("44 -2 17 1.5", &at), answer(-2, Some(17), Some(1500)));
    assert_eq!(form(Form::ANSWER).read(" 44\t-2 ", &at), answer(-2, None, None));
    assert_eq!(
        form("score={score}; {_} {seconds}s ...").read("score=3; x 0.25s and more", &at),
        answer(3, None, Some(250_000_000))
    );
    assert_eq!(form("result {score}").read("result 0", &at), answer(0, None, None));
    for (line, reason) in [
        ("44", "1 word; expected at least 2"),
        ("44 1 2 3 4", "5 words; expected at most 4"),
        ("45 1", "another position"),
        ("44 x", "\"x\" is no score"),
        ("44 1 -2", "no count of nodes"),
        ("44 1 2 -1", "is no time"),
        ("44 1 2 nan", "is no time"),
        ("", "0 words"),
    ] {
        let error = form(Form::ANSWER).read(line, &at).unwrap_err();
        assert!(error.contains(reason), "{line:?}: {error}");
    }
    assert!(form("result {score}").read("resalt 0", &at).unwrap_err().contains("was expected"));
    assert!(form("s={score};").read("s=;", &at).is_err());
    let timed = Form { needs_time: true, ..form(Form::ANSWER) };
    assert!(timed.tells_time() && !form("{score}").tells_time());
    assert!(timed.read("44 1 7", &at).unwrap_err().contains("no time of the program"));
    assert_eq!(timed.read("44 1 7 2", &at), answer(1, Some(7), Some(2000)));
}

#[test]
fn lines_that_are_no_answers_are_told_from_attempts() {
    let at = position("4444412");
    let of = |pattern: &str, line: &str| form(pattern).is_aside(line, &at);
    for line in ["", "Solver 3.1, 64 MiB", "reading the book ...", "solving 4444412", "2024 edition", "score: -15"] {
        assert!(of(Form::ANSWER, line), "{line:?}");
        assert!(!of("{score}", line) && !of("{score} [{moves}]", line), "{line:?}: answers do not repeat the moves");
    }
    for attempt in ["4444412 x", "4444412", "4444412: 3", "44 -2", "44 -2 17", "-15", "-15 1234"] {
        assert!(!of(Form::ANSWER, attempt), "{attempt:?}");
    }
    assert!(of("result {moves}: {score}", "thinking 44: soon") && !of("result {moves}: {score}", "result 44: 3"));
    assert!(form(Form::ANSWER).is_aside("version 4 is ready", &position("4")));
}

#[test]
fn patterns_that_cannot_be_are_refused() {
    for (request, answer, reason) in [
        ("{goal}", "{score}", "needs {moves}"),
        ("{mvoes}", "{score}", "{mvoes} in the request is none of {moves}, {goal}"),
        ("{moves", "{score}", "without its partner"),
        ("{moves}\nx", "{score}", "one line"),
        ("{moves}", "{moves}", "needs a {score}"),
        ("{moves}", "[{score}]", "needs a {score}"),
        ("{moves}", "{score} {scor}", "{scor} in the answer is none of"),
        ("{moves}", "{score} {score}", "2 times"),
        ("{moves}", "[{nodes}] {score}", "may be missing"),
        ("{moves}", "{score}{nodes}", "put a blank"),
        ("{moves}", "{score} {seconds} {nanoseconds}", "one time"),
        ("{moves}", "", "needs a {score}"),
    ] {
        let error = Form::new(request, answer).unwrap_err();
        assert!(error.contains(reason), "{request} -> {answer}: {error}");
    }
}

#[test]
fn signs_and_plies_become_scores() {
    for (text, score) in [("win", 1), ("+", 1), ("1", 1), ("draw", 0), ("=", 0), ("loss", -1), ("-", -1), ("-1", -1)] {
        assert_eq!(ScoreForm::Sign.read(text, BoardSize::STANDARD, 10), Ok(score));
    }
    let sign = |text: &str| ScoreForm::Sign.read(text, BoardSize::STANDARD, 10);
    assert_eq!((sign("2"), sign("-1000"), sign("+7")), (Ok(1), Ok(-1), Ok(1)));
    assert!(sign("").is_err() && sign("2.5").is_err() && sign("won").is_err());
    for ply in 0..42 {
        for score in -20..=20i32 {
            // Scores that are possible on a board with `ply` stones.
            let worth = |last: u32| BoardSize::STANDARD.win_at(ply + last - 1);
            let reached = (1..=42 - ply).find(|&last| (last % 2 == 1) == (score > 0) && worth(last) == score.abs());
            let Some(last) = reached.filter(|_| score != 0) else { continue };
            let last = last.min(BoardSize::STANDARD.distance(score, ply));
            let plies = if score > 0 { last as i32 } else { -(last as i32) };
            assert_eq!(
                ScoreForm::Plies.read(&plies.to_string(), BoardSize::STANDARD, ply),
                Ok(score),
                "{score} at {ply}"
            );
        }
    }
    assert_eq!(ScoreForm::Plies.read("0", BoardSize::STANDARD, 10), Ok(0));
    assert!(ScoreForm::Plies.read("2", BoardSize::STANDARD, 10).unwrap_err().contains("does not play the last"));
    assert!(ScoreForm::Plies.read("33", BoardSize::STANDARD, 10).unwrap_err().contains("32 squares are empty"));
    assert!(ScoreForm::Plies.read("-99", BoardSize::STANDARD, 42).unwrap_err().contains("0 squares"));
}

#[test]
fn scores_of_another_side_become_the_mover_s() {
    let read = |form: ScoreForm, side, text: &str, moves: &str| form.read_from(side, text, &position(moves));
    for (side, even, odd) in [(ScoreSide::Mover, 3, 3), (ScoreSide::First, 3, -3), (ScoreSide::Last, -3, -3)] {
        assert_eq!(read(ScoreForm::Field, side, "3", "44"), Ok(even), "{side:?}");
        assert_eq!(read(ScoreForm::Field, side, "3", "4"), Ok(odd), "{side:?}");
    }
    // The first player wins in two plies: the second one is to move.
    assert_eq!(read(ScoreForm::Plies, ScoreSide::First, "2", "12121"), Ok(-18));
    assert!(read(ScoreForm::Plies, ScoreSide::Mover, "2", "12121").is_err());
    assert_eq!(read(ScoreForm::Sign, ScoreSide::Last, "win", "44"), Ok(-1));
    assert_eq!(read(ScoreForm::Field, ScoreSide::Last, "-2147483648", "44"), Ok(i32::MAX));
}
