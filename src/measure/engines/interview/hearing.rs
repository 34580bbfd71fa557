//! Hearing: questions, positions whose score is known, and what a program says to them, line by line, whatever it is.

use crate::engines::foreign::EngineProtocol;
use crate::engines::foreign::process::{Ending, Process};
use crate::engines::table::EngineTable;
use crate::sets::test_set::TestSet;
use anyhow::{Result, bail};
use c4lab_solver::game::Position;
use c4lab_solver::game::score::Score;
use c4lab_solver::search::Goal;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

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

/// How long it may take before a line that nobody asked for.
const GREETING: Duration = Duration::from_millis(300);
/// After this time without another line an answer is whole.
const PAUSE: Duration = Duration::from_millis(30);
const MOST_LINES: usize = 100;

pub struct Hearing<'a> {
    pub table: &'a EngineTable,
    pub patience: Duration,
    pub interrupt: &'a AtomicBool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Silence {
    Ever,
    /// It answered as soon as its input was closed: it does not flush, or waits for the end.
    UntilClosed,
    Ended(String),
}

#[derive(Clone, Debug, Default)]
pub struct Heard {
    pub requests: Vec<String>,
    pub moves: Vec<String>,
    /// The lines of every answer, as far as there are any.
    pub replies: Vec<Vec<String>>,
    pub took: Vec<Duration>,
    pub greeting: usize,
    pub silence: Option<Silence>,
}

impl Hearing<'_> {
    /// Asks one question after the other, until there is no answer.
    pub fn of(&self, questions: &[Question]) -> Result<Heard> {
        let form = self.table.form()?;
        let mut heard = Heard {
            requests: questions.iter().map(|it| form.request(&it.position, Goal::Strong)).collect(),
            moves: questions.iter().map(|it| form.moves(&it.position)).collect(),
            ..Heard::default()
        };
        let ended = match self.table.protocol {
            EngineProtocol::Lines => self.lines(&mut heard),
            _ => self.calls(&mut heard),
        };
        match ended {
            Ok(()) => {}
            Err(Ending::Interrupted) => bail!("interrupted"),
            Err(Ending::Late) => heard.silence = Some(heard.silence.take().unwrap_or(Silence::Ever)),
            Err(Ending::Failed(failure)) => heard.silence = Some(Silence::Ended(failure.reason)),
        }
        Ok(heard)
    }

    fn lines(&self, heard: &mut Heard) -> Result<(), Ending> {
        let mut process = Process::start(
            &self.table.command_of(&self.table.command).map_err(|error| Ending::garbled(format!("{error:#}")))?,
        )
        .map_err(Ending::Failed)?;
        while heard.greeting < MOST_LINES && self.line(&mut process, GREETING)?.is_some() {
            heard.greeting += 1;
        }
        for (index, request) in heard.requests.clone().iter().enumerate() {
            let begun = Instant::now();
            process.send(request, |_| true)?;
            let Some(first) = self.line(&mut process, self.patience)? else {
                process.close_input();
                let late = self.line(&mut process, self.patience);
                if index == 0 && matches!(late, Ok(Some(_))) {
                    heard.silence = Some(Silence::UntilClosed);
                }
                return Err(Ending::Late);
            };
            let took = begun.elapsed();
            let reply = self.rest(&mut process, first)?;
            heard.replies.push(reply);
            heard.took.push(took);
        }
        // A greeting that came late is before the first answer.
        let usual = heard.replies.iter().skip(1).map(Vec::len).max().unwrap_or(1);
        if heard.greeting == 0 && heard.replies.len() > 1 && heard.replies[0].len() > usual {
            heard.greeting = heard.replies[0].len() - usual;
            heard.replies[0].drain(..heard.greeting);
        }
        Ok(())
    }

    fn calls(&self, heard: &mut Heard) -> Result<(), Ending> {
        for request in heard.requests.clone() {
            let mut command =
                self.table.command_of(&self.table.command).map_err(|error| Ending::garbled(format!("{error:#}")))?;
            if self.table.protocol == EngineProtocol::Arguments {
                command.words.extend(request.split_whitespace().map(str::to_string));
            }
            let begun = Instant::now();
            let mut process = Process::start(&command).map_err(Ending::Failed)?;
            if self.table.protocol == EngineProtocol::Input {
                process.send(&request, |_| true)?;
            }
            process.close_input();
            let first = self.line(&mut process, self.patience)?.ok_or(Ending::Late)?;
            let took = begun.elapsed();
            let mut reply = vec![first];
            // It ends when it has said everything.
            while let Ok(Some(line)) = self.line(&mut process, self.patience) {
                reply.push(line);
            }
            heard.replies.push(reply);
            heard.took.push(took);
        }
        Ok(())
    }

    fn line(&self, process: &mut Process, most: Duration) -> Result<Option<String>, Ending> {
        match process.read_line(Some(Instant::now() + most), Some(self.interrupt)) {
            Ok(line) => Ok(Some(line)),
            Err(Ending::Late) => Ok(None),
            Err(other) => Err(other),
        }
    }

    fn rest(&self, process: &mut Process, first: String) -> Result<Vec<String>, Ending> {
        let mut reply = vec![first];
        while reply.len() < MOST_LINES {
            match self.line(process, PAUSE) {
                Ok(Some(line)) => reply.push(line),
                // What it said before it ended counts; the next question finds out.
                Ok(None) | Err(Ending::Failed(_)) => break,
                Err(other) => return Err(other),
            }
        }
        Ok(reply)
    }
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
