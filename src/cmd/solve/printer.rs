//! How answers are printed: a line each, or a picture each for people.

use super::picture::DrawnAnswer;
use super::{Answered, Args, Solution, SolveFormat, Unanswered};
use anyhow::Result;
use c4lab_cli::drawing::Paint;
use c4lab_report::explanation::Explanation;
use c4lab_solver::search::Goal;
use serde::Serialize;
use std::io::{self, StdoutLock, Write};

pub(super) enum Printer {
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

pub(super) struct BoardPrinter {
    paint: Paint,
    goal: Goal,
    is_first: bool,
}

impl Printer {
    pub(super) fn new(args: &Args, format: SolveFormat) -> Result<Self> {
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

    pub(super) fn print(&mut self, answered: &Answered) -> Result<()> {
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

    pub(super) fn print_unanswered(&mut self, moves: &str, error: &str) -> Result<()> {
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
