//! Session: games of a person against a player, line by line.

use super::entry::Entry;
use crate::matches::player::{Player, Refusal};
use anyhow::Result;
use c4lab_cli::drawing::{Paint, board};
use c4lab_cli::interrupt::Interrupt;
use c4lab_cli::{Exit, complain};
use c4lab_measure::sets::test_set::print_moves;
use c4lab_report::score_words::{columns, in_words, of_move, sentence, turn};
use c4lab_solver::game::Position;
use c4lab_solver::game::notation::name_of_column;
use c4lab_solver::search::{Goal, Limits, Solve, Stopped, analysis};
use std::io::{self, BufRead, IsTerminal, Read, Write};

/// Bytes of a line that are looked at.
const MOST: u64 = 1024;

/// Games of a person against a player.
pub struct Session<'a> {
    /// Where every game begins.
    pub(super) start: Position,
    pub(super) position: Position,
    /// The person's side: 0 plays first, 1 second.
    pub(super) side: usize,
    pub(super) name: String,
    pub(super) opponent: Box<dyn Player>,
    /// The limits of the opponent's moves.
    pub(super) limits: Limits<'a>,
    /// Who gives hints and scores.
    pub(super) adviser: Box<dyn Solve>,
    /// Whether scores are shown whenever the person is to move.
    pub(super) shows_scores: bool,
    pub(super) seed: u64,
    pub(super) game: usize,
    pub(super) paint: Paint,
    pub(super) interrupt: &'a Interrupt,
}

/// Why a session does not go on.
enum End {
    /// The person ends it.
    Quit,
    /// A signal came.
    Interrupted,
    /// The opponent has no move; the reason.
    NoMove(String),
}

impl<'a> Session<'a> {
    /// Plays until the person ends it, or something does.
    pub fn run(&mut self) -> Result<Exit> {
        self.opponent.begin(self.seed, self.game);
        let standing = self.standing();
        self.say(&standing)?;
        let exit = match self.play()? {
            End::Quit => Exit::Success,
            End::Interrupted => {
                complain("interrupted");
                Exit::Incomplete
            }
            End::NoMove(reason) => {
                complain(format_args!("{} plays no move: {reason}", self.name));
                Exit::Failure
            }
        };
        if self.position.ply() > 0 && !self.position.is_over() {
            let second = if self.side == 1 { " --second" } else { "" };
            self.say(&format!("To go on from here: c4lab play {}{second}\n", print_moves(&self.position)))?;
        }
        Ok(exit)
    }

    fn play(&mut self) -> Result<End> {
        loop {
            if !self.position.is_over() && self.mover() != self.side {
                if let Some(end) = self.reply()? {
                    return Ok(end);
                }
                continue;
            }
            let over = if self.position.is_over() { "The game is over: back, new or quit" } else { "Your move" };
            // Whoever types ends the line.
            let end = if io::stdin().is_terminal() { "" } else { "\n" };
            self.say(&format!("{over} (? helps): {end}"))?;
            let Some(line) = self.interrupt.idle(read_line)? else {
                self.say(if end.is_empty() { "\n" } else { "" })?;
                return Ok(End::Quit);
            };
            let entry = match Entry::read(&line, self.position.size().width()) {
                Ok(Entry::Quit) => return Ok(End::Quit),
                Ok(entry) => entry,
                Err(reason) => {
                    self.say(&format!("{reason}\n"))?;
                    continue;
                }
            };
            let said = self.follow(entry);
            if self.interrupt.is_set() {
                return Ok(End::Interrupted);
            }
            self.say(&said)?;
        }
    }

    /// Does what was typed, and says what there is to say.
    fn follow(&mut self, entry: Entry) -> String {
        match entry {
            Entry::Column(column) => match self.position.play(column) {
                Ok(()) if self.position.is_over() => self.standing(),
                Ok(()) => String::new(),
                Err(reason) => format!("{reason}\n"),
            },
            Entry::Back => self.take_back(),
            Entry::Hint => self.hint(),
            Entry::Scores => {
                self.shows_scores = !self.shows_scores;
                self.standing()
            }
            Entry::Line => self.line(),
            Entry::Board => self.standing(),
            Entry::Side => {
                self.side = 1 - self.side;
                String::new()
            }
            Entry::New => {
                (self.position, self.game) = (self.start.clone(), self.game + 1);
                self.opponent.begin(self.seed, self.game);
                self.standing()
            }
            Entry::Help => Entry::help(self.position.size().width()),
            Entry::Nothing | Entry::Quit => String::new(),
        }
    }

    /// The opponent's move; or why nothing goes on.
    fn reply(&mut self) -> Result<Option<End>> {
        let chosen = match self.opponent.choose(&self.position, &self.limits) {
            Ok(chosen) => chosen,
            Err(Refusal::Interrupted) => return Ok(Some(End::Interrupted)),
            Err(Refusal::Late) => return Ok(Some(End::NoMove("it took too long".to_string()))),
            Err(Refusal::Failed(_, reason)) => return Ok(Some(End::NoMove(reason))),
        };
        let column = name_of_column(chosen.column);
        if let Err(reason) = self.position.play(chosen.column) {
            return Ok(Some(End::NoMove(format!("{column}: {reason}"))));
        }
        self.say(&format!("{} plays {}.\n\n", self.name, self.paint.strong(&column.to_string())))?;
        let standing = self.standing();
        self.say(&standing)?;
        Ok(None)
    }

    fn mover(&self) -> usize {
        self.position.ply() as usize % 2
    }

    /// Takes the person's last move back, and what came after it.
    fn take_back(&mut self) -> String {
        let columns = self.position.columns();
        let first = self.start.columns().len();
        let own = (first..columns.len()).rev().find(|ply| ply % 2 == self.side);
        let Some(ply) = own else { return "There is no move of yours to take back.\n".to_string() };
        let mut earlier = Position::start_on(self.position.size());
        let played = columns[..ply].iter().all(|&column| earlier.play(column.into()).is_ok());
        debug_assert!(played, "moves that were played before");
        self.position = earlier;
        self.standing()
    }

    /// The board, and how the game ended if it did; the scores of all columns where they are wanted.
    fn standing(&mut self) -> String {
        let position = &self.position;
        if position.is_over() {
            let result = match () {
                () if !position.is_won() => "",
                () if self.mover() == self.side => ": you lose",
                () => ": you win",
            };
            let said = format!("{}{result}", turn(position));
            return format!("{}\n{}\n", board(position, None, self.paint), self.paint.strong(&sentence(&said)));
        }
        let limits = self.unlimited();
        let scores = (self.shows_scores && self.mover() == self.side)
            .then(|| analysis::columns(&mut *self.adviser, &self.position, Goal::Strong, &limits));
        let scores = scores.and_then(Result::ok);
        format!("{}\n", board(&self.position, scores.as_deref(), self.paint))
    }

    /// A best column, and what it is worth.
    fn hint(&mut self) -> String {
        if self.position.is_over() {
            return "The game is over.\n".to_string();
        }
        let found = self.best();
        let (position, size) = (&self.position, self.position.size());
        found.map_or_else(stopped, |(column, score)| {
            let worth = of_move(size, position.ply(), score, Goal::Strong);
            format!("Column {} {worth}.\n", columns(&[column]))
        })
    }

    /// The best column that is nearest to the centre, and the score.
    fn best(&mut self) -> Result<(u32, i32), Stopped> {
        let limits = self.unlimited();
        if let Some(column) = (0..self.position.size().width()).find(|&column| self.position.wins_by(column)) {
            return Ok((column, self.position.size().win_at(self.position.ply())));
        }
        let score = self.adviser.solve(&self.position, Goal::Strong, &limits)?.score;
        let column = analysis::best_move(&mut *self.adviser, &self.position, Goal::Strong, score, &limits)?;
        Ok((column, score))
    }

    /// How the game ends if both play best.
    fn line(&mut self) -> String {
        let limits = self.unlimited();
        let solved = self.adviser.solve(&self.position, Goal::Strong, &limits);
        let line = solved.and_then(|solved| {
            let line = analysis::best_line(&mut *self.adviser, &self.position, Goal::Strong, solved.score, &limits)?;
            Ok((solved.score, line))
        });
        line.map_or_else(stopped, |(score, line)| {
            let moves: String = line.iter().map(|&column| name_of_column(u32::from(column))).collect();
            let rest = if moves.is_empty() { String::new() } else { format!(": {moves}") };
            format!("If both play best, {}{rest}.\n", in_words(&self.position, score, Goal::Strong))
        })
    }

    /// The adviser takes the time that it needs, unless a signal comes.
    fn unlimited(&self) -> Limits<'a> {
        Limits { interrupt: Some(self.interrupt.flag()), ..Limits::default() }
    }

    fn say(&self, text: &str) -> io::Result<()> {
        let mut out = io::stdout().lock();
        out.write_all(text.as_bytes())?;
        out.flush()
    }
}

/// What is said where a search did not end.
fn stopped(reason: Stopped) -> String {
    format!("No answer: {reason}.\n")
}

/// A line that is typed, `None` at the end of the input. What is no text is read as well as it can be.
fn read_line() -> io::Result<Option<String>> {
    let (mut input, mut line) = (io::stdin().lock(), Vec::new());
    if input.by_ref().take(MOST).read_until(b'\n', &mut line)? == 0 {
        return Ok(None);
    }
    if line.last() != Some(&b'\n') && line.len() as u64 == MOST {
        input.skip_until(b'\n')?;
    }
    Ok(Some(String::from_utf8_lossy(&line).into_owned()))
}
