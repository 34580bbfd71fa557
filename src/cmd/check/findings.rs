//! What was found out about a program, in words.

use c4lab_measure::counted::counted;
use c4lab_measure::engines::foreign::form::{ScoreForm, ScoreSide};
use c4lab_measure::engines::interview::Interview;
use c4lab_measure::engines::interview::fit::Fit;
use c4lab_measure::engines::interview::hearing::Silence;
use c4lab_measure::engines::interview::question::Question;

/// Questions that are shown where a program is not understood.
const SHOWN: usize = 3;

pub(super) fn said(interview: &Interview, given: &[(String, String)]) -> String {
    let mut lines = Vec::new();
    let mut say = |what: &str, said: String| lines.push(format!("  {what:<12} {said}"));
    let key = |name: &str| {
        let keys = interview.keys.iter().chain(given);
        keys.clone().find(|(key, _)| key == name).map(|(_, value)| value.as_str())
    };
    if !interview.is_understood() {
        say("answers", silence(interview));
        return lines.join("\n");
    }
    let protocol = match key("protocol") {
        Some("input") => "it is started for every position, and reads it from its input",
        Some("arguments") => "it is started for every position, which is its last argument",
        _ => "a line a position, an answer to each",
    };
    say("protocol", protocol.to_string());
    if interview.is_unflushed {
        let advice = "it answers only when its input ends. If it should answer line by line, flush the output after every line: \
                      then it need not be started for every position";
        say("flushing", advice.to_string());
    }
    if interview.heard.greeting > 0 {
        say("greeting", counted(interview.heard.greeting, "line") + " before it is asked");
    }
    let columns = match (key("request"), key("first-column")) {
        (Some(request), _) if !request.contains("{moves}") => format!("none: it reads {request}"),
        (_, Some("0")) => "from 0".to_string(),
        _ => "from 1".to_string(),
    };
    say("columns", columns);
    if let Some(fit) = &interview.fit {
        say("scores", sense(fit));
        say("answers", fit.answer.clone());
        if fit.has_more_lines && !fit.repeats_moves {
            let advice = "it says more than one line to a position, and its answer does not repeat the moves: print one line, or repeat them";
            say("lines", advice.to_string());
        }
        if !fit.tells_nodes {
            say("nodes", "it tells none; a number behind the score would be taken for them".to_string());
        }
        say("right", format!("{} of {} answers", fit.right, interview.heard.requests.len()));
    }
    lines.join("\n")
}

fn sense(fit: &Fit) -> String {
    let what = match fit.form {
        ScoreForm::Field => "22 minus the winner's stones, as here (strong)",
        ScoreForm::Plies => "plies to the end (strong)",
        ScoreForm::Sign => "who wins, and not when (weak)",
    };
    let side = match fit.side {
        ScoreSide::Mover => "the side to move",
        ScoreSide::First => "the first player",
        ScoreSide::Last => "the side that played last",
    };
    format!("{what}, from {side}")
}

fn silence(interview: &Interview) -> String {
    let heard = &interview.heard;
    match (&heard.silence, heard.replies.is_empty()) {
        (Some(Silence::Ended(reason)), true) => format!("none: {reason}"),
        (_, true) => "none in time; does it read a line, and flush its output after every answer? --patience says how long is waited".to_string(),
        _ if are_columns(interview) => {
            "they look like moves, not like scores. A program that plays is tried by `c4lab play --against` and `c4lab match`".to_string()
        }
        _ => "in no sense that is known do most of them agree with the right scores".to_string(),
    }
}

fn are_columns(interview: &Interview) -> bool {
    let last = |reply: &Vec<String>| reply.last()?.split_whitespace().last()?.parse::<u32>().ok();
    interview.heard.replies.iter().all(|reply| last(reply).is_some_and(|column| column < 10))
        && interview.heard.replies.len() > 1
}

/// A few questions, with what was answered and what is right.
pub(super) fn examples(interview: &Interview, questions: &[Question]) -> String {
    let heard = &interview.heard;
    if matches!(&heard.silence, Some(Silence::Ended(reason)) if reason.starts_with("cannot start ")) {
        return "Next: is the path right from this folder, and may the file be run (chmod +x)? An interpreter is part of the command: c4lab \
                check 'python3 solver.py'"
            .to_string();
    }
    let shown = |(index, question): (usize, &Question)| {
        let answer = heard.replies.get(index).map_or("nothing".to_string(), |reply| format!("{:?}", reply.join(" / ")));
        format!("  asked {:?}, answered {answer}; the score is {}\n", heard.requests[index], question.score)
    };
    let lines: String = questions.iter().enumerate().take(SHOWN).map(shown).collect();
    format!(
        "{lines}Next: answer a line of moves with a line: the moves and the score (docs/REFERENCE.md); examples/engines/ has programs to start from"
    )
}
