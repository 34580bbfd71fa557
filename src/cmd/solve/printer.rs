//! How answers are printed: a line each, or a picture each for people.

use super::answers::{Answered, Extra, Reply, ReplyOutcome, Solution};
use super::{Args, SolveFormat};
use anyhow::Result;
use c4lab_cli::drawing::{self, Paint};
use c4lab_cli::{Exit, output};
use c4lab_report::explanation::Explanation;
use c4lab_report::score_words::{columns, in_words, sentence, turn};
use c4lab_report::table::units::{grouped, time};
use c4lab_solver::game::Position;
use c4lab_solver::game::notation::{column_named, name_of_column};
use c4lab_solver::game::score::Score;
use c4lab_solver::search::{Goal, Stopped};
use indicatif::ProgressBar;
use serde::Serialize;
use std::fmt::Display;
use std::io::{self, IsTerminal, StdoutLock, Write};
use std::ops::ControlFlow;

/// Where replies go, one after another; it says what is wrong with them, and with which exit status all ends.
pub(super) struct Desk<'a> {
    args: &'a Args,
    printer: Printer,
    what: &'static str,
    /// Counts what is shown, where a person sees nothing else.
    bar: ProgressBar,
    pub(super) exit: Exit,
}

impl<'a> Desk<'a> {
    pub(super) fn open(args: &'a Args, format: SolveFormat, from_stdin: bool) -> Result<Self> {
        let sees_nothing = from_stdin && !io::stdin().is_terminal() && !io::stdout().is_terminal();
        let bar = if sees_nothing { output::progress_count("answered") } else { ProgressBar::hidden() };
        let what = if from_stdin { "line" } else { "argument" };
        Ok(Desk { args, printer: Printer::new(args, format)?, what, bar, exit: Exit::Success })
    }

    /// Prints a reply, and what is to be said of it. Breaks where an interrupt cut it short: nothing comes behind it.
    pub(super) fn show(&mut self, reply: Reply) -> Result<ControlFlow<()>> {
        let Reply { number, outcome } = reply;
        let mut interrupted = None;
        match outcome {
            ReplyOutcome::Bad(word, reason) => {
                self.complain(number, &reason);
                self.printer.print_unanswered(&word, &reason)?;
                self.ends_with(Exit::Failure);
            }
            ReplyOutcome::Answered(answered, expected) => {
                self.printer.print(&answered)?;
                let found = answered.solution.score;
                if let Some(score) = expected.filter(|score| self.args.goal.of(*score) != found) {
                    self.complain(number, format_args!("the score is {found}, not {score}"));
                    self.ends_with(Exit::Wrong);
                }
                if let Some(stopped) = answered.stopped {
                    self.complain(number, format_args!("the score is there, not all of the rest: {stopped}"));
                    self.ends_with(Exit::Incomplete);
                    interrupted = Some(stopped);
                }
            }
            ReplyOutcome::Stopped(moves, stopped) => {
                self.complain(number, stopped);
                if !matches!(stopped, Stopped::Interrupted(_)) {
                    self.printer.print_unanswered(&moves, &stopped.to_string())?;
                }
                self.ends_with(Exit::Incomplete);
                interrupted = Some(stopped);
            }
        }
        self.bar.inc(1);
        let is_over = matches!(interrupted, Some(Stopped::Interrupted(_)));
        Ok(if is_over { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
    }

    pub(super) fn ends_with(&mut self, exit: Exit) {
        self.exit = self.exit.max(exit);
    }

    fn complain(&self, number: usize, message: impl Display) {
        self.bar.suspend(|| c4lab_cli::complain(format_args!("{} {number}: {message}", self.what)));
    }
}

impl Drop for Desk<'_> {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}

/// A line that has no answer.
#[derive(Debug, Serialize)]
struct Unanswered<'a> {
    moves: &'a str,
    error: &'a str,
}

enum Printer {
    Text(StdoutLock<'static>),
    Csv(Box<csv::Writer<StdoutLock<'static>>>, usize),
    Json(StdoutLock<'static>),
    Board(StdoutLock<'static>, BoardPrinter),
}

/// An answer, and what the search did where that was asked for.
#[derive(Serialize)]
struct ExplainedSolution<'a> {
    #[serde(flatten)]
    answer: &'a Solution,
    #[serde(skip_serializing_if = "Option::is_none")]
    explanation: Option<&'a Explanation>,
}

struct BoardPrinter {
    paint: Paint,
    goal: Goal,
    is_first: bool,
}

impl Printer {
    fn new(args: &Args, format: SolveFormat) -> Result<Self> {
        let out = io::stdout().lock();
        match format {
            SolveFormat::Text => Ok(Printer::Text(out)),
            SolveFormat::Json => Ok(Printer::Json(out)),
            SolveFormat::Board => {
                let printer = BoardPrinter { paint: Paint::of_stdout(), goal: args.goal, is_first: true };
                Ok(Printer::Board(out, printer))
            }
            SolveFormat::Csv => {
                let mut header: Vec<String> = ["moves", "score", "nodes", "microseconds"].map(String::from).to_vec();
                if args.analyze {
                    header.extend((1..=args.solver.board.width()).map(|column| format!("column_{column}")));
                }
                header.extend(args.pv.then(|| "pv".to_string()));
                header.push("error".to_string());
                let columns = header.len();
                let mut writer = csv::Writer::from_writer(out);
                writer.write_record(header)?;
                writer.flush()?;
                Ok(Printer::Csv(Box::new(writer), columns))
            }
        }
    }

    fn print(&mut self, answered: &Answered) -> Result<()> {
        let answer = &answered.solution;
        match self {
            Printer::Board(out, printer) => {
                out.write_all(printer.show(answered).as_bytes())?;
                out.flush()?;
            }
            Printer::Text(out) => {
                writeln!(out, "{}", answer.fields(".", "-").join(" "))?;
                write!(out, "{}", answered.explanation.as_ref().map_or(String::new(), Explanation::text))?;
                out.flush()?;
            }
            Printer::Json(out) => {
                let explained = ExplainedSolution { answer, explanation: answered.explanation.as_ref() };
                writeln!(out, "{}", serde_json::to_string(&explained)?)?;
                out.flush()?;
            }
            Printer::Csv(writer, _) => {
                writer.write_record(answer.fields("", "").iter().map(String::as_str).chain([""]))?;
                writer.flush()?;
            }
        }
        Ok(())
    }

    fn print_unanswered(&mut self, moves: &str, error: &str) -> Result<()> {
        match self {
            Printer::Text(out) | Printer::Board(out, _) => {
                writeln!(out, "{moves} ? {error}")?;
                out.flush()?;
            }
            Printer::Json(out) => {
                writeln!(out, "{}", serde_json::to_string(&Unanswered { moves, error })?)?;
                out.flush()?;
            }
            Printer::Csv(writer, columns) => {
                let empty = std::iter::repeat_n("", *columns - 2);
                writer.write_record([moves].into_iter().chain(empty).chain([error]))?;
                writer.flush()?;
            }
        }
        Ok(())
    }
}

impl BoardPrinter {
    /// The picture of an answer. The first one says what to try next.
    fn show(&mut self, answered: &Answered) -> String {
        let Answered { position, solution, extra, explanation, .. } = answered;
        let Some(extra) = extra else { return String::new() };
        let picture = DrawnAnswer {
            position,
            goal: self.goal,
            score: solution.score,
            nodes: solution.nodes,
            microseconds: solution.microseconds,
            extra,
            line: solution.pv.as_deref(),
        };
        let mut shown = picture.show(self.paint);
        shown.extend(explanation.iter().map(|told| format!("\n{}", told.text())));
        if !std::mem::take(&mut self.is_first) || position.is_over() {
            return format!("{shown}\n");
        }
        let mut hints = Vec::new();
        hints.extend(extra.scores.is_none().then_some("--analyze (the score of every column)"));
        hints.extend(explanation.is_none().then_some("--explain (what the search did)"));
        hints.extend(solution.pv.is_none().then_some("--pv (a line of best play)"));
        let play = format!("c4lab play {}", solution.moves);
        hints.push(&play);
        format!("{shown}Next: {}\n\n", hints.join(", "))
    }
}

struct DrawnAnswer<'a> {
    position: &'a Position,
    goal: Goal,
    score: Score,
    nodes: u64,
    microseconds: u128,
    extra: &'a Extra,
    /// The line of best play, if it was asked for and found.
    line: Option<&'a str>,
}

impl DrawnAnswer<'_> {
    fn show(&self, paint: Paint) -> String {
        let DrawnAnswer { position, goal, score, extra, .. } = self;
        let mut text = drawing::board(position, extra.scores.as_deref(), paint);
        text.push('\n');
        if position.is_over() {
            return text + &paint.strong(&sentence(&turn(position))) + "\n";
        }
        let said = paint.strong(&in_words(position, *score, *goal));
        text += &format!("{} Score {score}: {said}.\n", sentence(&turn(position)));
        match &extra.best[..] {
            [] => {}
            [one] => text += &format!("Best column: {}.\n", paint.strong(&name_of_column(*one).to_string())),
            several => text += &format!("Best columns: {}.\n", paint.strong(&columns(several))),
        }
        if let Some(line) = self.line.filter(|line| !line.is_empty()) {
            text += &self.end_of(line, paint);
        }
        text + &self.effort()
    }

    fn effort(&self) -> String {
        if self.nodes == 0 {
            return "0 nodes: the score is seen without a search.\n".to_string();
        }
        let (nodes, took) = (grouped(&self.nodes.to_string()), time(self.microseconds.max(1) as f64 * 1e3));
        format!("{nodes} node{} in {took}.\n", if self.nodes == 1 { "" } else { "s" })
    }

    /// A line of best play, and the board that it ends with.
    fn end_of(&self, line: &str, paint: Paint) -> String {
        let mut end = self.position.clone();
        let played = line.chars().all(|name| column_named(name).is_some_and(|column| end.play(column).is_ok()));
        debug_assert!(played, "a line of best play can be played");
        let board = drawing::board(&end, None, paint);
        format!("Best play: {line}. Then {}:\n\n{board}\n", turn(&end))
    }
}
