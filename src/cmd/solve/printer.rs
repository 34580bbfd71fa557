//! Prints answers: a line each, or a picture each for people.

use super::answers::{Answer, Outcome};
use super::{Args, Format};
use anyhow::Result;
use c4lab_cli::drawing::{self, strong};
use c4lab_cli::{Exit, output};
use c4lab_report::explanation::Explanation;
use c4lab_report::score_words::{columns, in_words, sentence, turn};
use c4lab_report::table::units::{grouped, time};
use c4lab_solver::game::Position;
use c4lab_solver::game::notation::name_of_column;
use c4lab_solver::search::Stopped;
use indicatif::ProgressBar;
use serde_json::json;
use std::fmt::Display;
use std::io::{self, IsTerminal, StdoutLock, Write};
use std::ops::ControlFlow;

/// Prints outcomes one after another, and messages about errors in them. Holds the exit of the command.
pub(super) struct Printer<'a> {
    args: &'a Args,
    format: Format,
    out: StdoutLock<'static>,
    /// True before the first picture, which also shows what to try next.
    is_first: bool,
    /// The noun before the number in messages: `line` or `argument`.
    noun: &'static str,
    /// Counts the answers on stderr, if neither stdin nor stdout is a terminal.
    bar: ProgressBar,
    pub(super) exit: Exit,
}

impl<'a> Printer<'a> {
    pub(super) fn open(args: &'a Args, format: Format, from_stdin: bool) -> Result<Self> {
        let sees_nothing = from_stdin && !io::stdin().is_terminal() && !io::stdout().is_terminal();
        let bar = if sees_nothing { output::progress_count("answered") } else { ProgressBar::hidden() };
        let noun = if from_stdin { "line" } else { "argument" };
        let mut printer =
            Printer { args, format, out: io::stdout().lock(), is_first: true, noun, bar, exit: Exit::Success };
        if format == Format::Csv {
            // The first answer finds a closed pipe, too, and has a verdict.
            let _ = printer.record(&header(args));
        }
        Ok(printer)
    }

    /// Prints the outcome of a line, and a message if it has an error. Breaks if a signal interrupted its search.
    pub(super) fn show(&mut self, (number, outcome): (usize, Outcome)) -> Result<ControlFlow<()>> {
        let stopped = match outcome {
            Outcome::Bad(word, reason) => {
                self.complain(number, &reason);
                self.ends_with(Exit::Failure);
                self.print_unanswered(&word, &reason)?;
                None
            }
            Outcome::Answered(answer) => {
                let found = answer.score;
                if let Some(score) = answer.expected.filter(|score| self.args.goal.of(*score) != found) {
                    self.complain(number, format_args!("the score is {found}, not {score}"));
                    self.ends_with(Exit::Wrong);
                }
                if let Some(stopped) = answer.stopped {
                    self.complain(number, format_args!("there is a score, but not all of the rest: {stopped}"));
                    self.ends_with(Exit::Incomplete);
                }
                self.print(&answer)?;
                answer.stopped
            }
            Outcome::Stopped(moves, stopped) => {
                self.complain(number, stopped);
                self.ends_with(Exit::Incomplete);
                if !matches!(stopped, Stopped::Interrupted(_)) {
                    self.print_unanswered(&moves, &stopped.to_string())?;
                }
                Some(stopped)
            }
        };
        self.bar.inc(1);
        let is_over = matches!(stopped, Some(Stopped::Interrupted(_)));
        Ok(if is_over { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
    }

    pub(super) fn ends_with(&mut self, exit: Exit) {
        self.exit = self.exit.max(exit);
    }

    fn complain(&self, number: usize, message: impl Display) {
        self.bar.suspend(|| c4lab_cli::complain(format_args!("{} {number}: {message}", self.noun)));
    }

    fn print(&mut self, answer: &Answer) -> Result<()> {
        let text = match self.format {
            Format::Board => drawing::for_stdout(&self.picture(answer)),
            Format::Text => {
                let explanation = answer.explanation.as_ref().map_or(String::new(), Explanation::text);
                format!("{}\n{explanation}", answer.fields(".", "-").join(" "))
            }
            Format::Drawing => format!("# {}\n{}\n", answer.fields(".", "-").join(" "), answer.position.rows()),
            Format::Words => {
                let (mover, mask) = answer.position.words(self.args.reader().stride);
                format!("{mover}:{mask} {}\n", answer.fields(".", "-")[1..].join(" "))
            }
            Format::Json => serde_json::to_string(answer)? + "\n",
            Format::Csv => return self.record(&[answer.fields("", ""), vec![String::new()]].concat()),
        };
        self.write(&text)
    }

    fn print_unanswered(&mut self, moves: &str, error: &str) -> Result<()> {
        match self.format {
            Format::Drawing => self.write(&format!("# {moves} ? {error}\n")),
            Format::Text | Format::Board | Format::Words => self.write(&format!("{moves} ? {error}\n")),
            Format::Json => self.write(&format!("{}\n", json!({ "moves": moves, "error": error }))),
            Format::Csv => {
                let mut record = vec![String::new(); header(self.args).len()];
                record[0] = moves.to_string();
                *record.last_mut().expect("a header") = error.to_string();
                self.record(&record)
            }
        }
    }

    fn write(&mut self, text: &str) -> Result<()> {
        self.out.write_all(text.as_bytes())?;
        Ok(self.out.flush()?)
    }

    fn record(&mut self, fields: &[String]) -> Result<()> {
        let mut writer = csv::Writer::from_writer(&mut self.out);
        writer.write_record(fields)?;
        Ok(writer.flush()?)
    }

    fn picture(&mut self, answer: &Answer) -> String {
        let mut text = drawing::board(&answer.position, answer.drawn_scores.as_deref()) + "\n";
        text += &self.words(answer);
        text.extend(answer.explanation.iter().map(|explanation| format!("\n{}", explanation.text())));
        if !std::mem::take(&mut self.is_first) || answer.position.is_over() {
            return text + "\n";
        }
        let mut hints = Vec::new();
        hints.extend(answer.drawn_scores.is_none().then_some("--analyze (the score of every column)"));
        hints.extend(answer.explanation.is_none().then_some("--explain (what the search did)"));
        hints.extend(answer.pv.is_none().then_some("--pv (a line of best play)"));
        let play = format!("c4lab play {}", answer.moves);
        hints.push(&play);
        format!("{text}Next: {}\n\n", hints.join(", "))
    }

    /// The text below the drawing: the winner, the best columns, the line of best play with `--pv`, nodes and time.
    fn words(&self, Answer { position, score, best, pv, nodes, microseconds, .. }: &Answer) -> String {
        let whose = sentence(&turn(position));
        if position.is_over() {
            return strong(&whose) + "\n";
        }
        let meaning = strong(&in_words(position, *score, self.args.goal));
        let mut text = format!("{whose} Score {score}: {meaning}.\n");
        match &best[..] {
            [] => {}
            [one] => text += &format!("Best column: {}.\n", strong(&name_of_column(*one).to_string())),
            several => text += &format!("Best columns: {}.\n", strong(&columns(several))),
        }
        if let Some(line) = pv.as_deref().filter(|line| !line.is_empty()) {
            let end = Position::parse_on(position.size(), &format!("{position}{line}")).expect("moves of a search");
            text += &format!("Best play: {line}. Then {}:\n\n{}\n", turn(&end), drawing::board(&end, None));
        }
        if *nodes == 0 {
            return text + "0 nodes: the score is seen without a search.\n";
        }
        let (count, took) = (grouped(&nodes.to_string()), time((*microseconds).max(1) as f64 * 1e3));
        text + &format!("{count} node{} in {took}.\n", if *nodes == 1 { "" } else { "s" })
    }
}

fn header(args: &Args) -> Vec<String> {
    let mut header: Vec<String> = ["moves", "score", "nodes", "microseconds"].map(String::from).to_vec();
    if args.analyze {
        header.extend((1..=args.solver.board.width()).map(|column| format!("column_{column}")));
    }
    header.extend(args.pv.then(|| "pv".to_string()));
    header.push("error".to_string());
    header
}

impl Drop for Printer<'_> {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}
