//! What stands between c4lab and other programs: the lines of an engine, and requests to `c4lab serve`.

use c4lab_measure::engines::foreign::form::{Form, Says, ScoreForm};
use c4lab_measure::sets::test_set::parse_moves_on;
use c4lab_play::serve::request::{HttpFault, Request};
use c4lab_play::serve::route::Route;
use c4lab_solver::game::{BoardSize, Geometry, Standard};
use c4lab_solver::search::Goal;

/// The lines between c4lab and a foreign program: the first three lines of the bytes are request, answer and moves, the rest is what the
/// program says. A request is one line; an answer that is read says what its words say; what is none has a reason.
pub fn engine(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let mut lines = text.split('\n');
    let mut next = || lines.next().unwrap_or_default();
    let (request, answer, moves) = (next(), next(), next());
    let form = match Form::new(request, answer) {
        Ok(form) => form,
        Err(reason) => return assert!(!reason.trim().is_empty(), "{request:?} {answer:?}"),
    };
    let Ok(position) = parse_moves_on(BoardSize::STANDARD, moves) else { return };
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
                    let most = if score == ScoreForm::Sign { 1 } else { Standard::CELLS as i32 / 2 };
                    let is_possible = |said: i32| score == ScoreForm::Field || said.abs() <= most;
                    let holds = match &answer.says {
                        Says::Score(score) => is_possible(*score),
                        Says::Move(column) => *column < Standard::WIDTH,
                        Says::Scores(scores) => {
                            scores.len() == Standard::WIDTH as usize
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

/// The port that requests are read for.
const PORT: u16 = 4444;

/// Heads of requests to `c4lab serve`: what is read is for this server and has a route or a reason, and more bytes do not change it.
pub fn request(bytes: &[u8]) {
    let request = match Request::parse(bytes, PORT) {
        Ok(Some(request)) => request,
        Ok(None) => return,
        Err(fault) => return refused(&fault),
    };
    assert!(request.path.len() + request.query.len() < bytes.len());
    let text = String::from_utf8_lossy(bytes).to_ascii_lowercase();
    assert!(["127.0.0.1:4444", "localhost:4444"].iter().any(|host| text.contains(host)), "{text:?}");
    let longer = [bytes, b"GET / HTTP/1.1\r\nHost: elsewhere\r\n\r\n"].concat();
    assert_eq!(Request::parse(&longer, PORT), Ok(Some(request.clone())));
    match Route::of(&request) {
        Ok(route) => drop(route),
        Err(fault) => refused(&fault),
    }
    // The question alone, as any path may be followed by it.
    for path in ["/analyze", "/solve", "/record"] {
        if let Err(fault) = Route::of(&Request { path: path.to_string(), ..request.clone() }) {
            refused(&fault);
        }
    }
}

fn refused(fault: &HttpFault) {
    assert!((400..500).contains(&fault.status) && !fault.reason.trim().is_empty(), "{fault:?}");
    assert!(fault.reason.len() < 2000, "{fault:?}");
}
