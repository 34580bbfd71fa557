//! `c4lab play`: a person plays in the terminal against a variant or an engine. Each line of input is a move or a word.

use crate::players::{Player, PlayerArgs, Refusal, SolverPlayer};
use anyhow::Result;
use c4lab_cli::drawing::{board, for_stdout, strong};
use c4lab_cli::solver::NotationArgs;
use c4lab_cli::{Exit, Interrupt, Usage, complain, output};
use c4lab_measure::sets::test_set::print_moves;
use c4lab_measure::text::unknown;
use c4lab_report::score_words::{columns, of_move, sentence, turn};
use c4lab_solver::game::notation::{column_named, name_of_column};
use c4lab_solver::game::{BoardSize, Position};
use c4lab_solver::search::registry::DEFAULT;
use c4lab_solver::search::{Goal, Limits, Solve, Stopped, analysis};
use std::io::{self, BufRead, IsTerminal, Read, Write};
use std::time::SystemTime;

const EXAMPLES: &str = "\
Each line is a move, which is the number of a column, or a word: back, hint, scores, new, help, quit. The input may \
be a pipe, too.

The opponent is the player of --against, or else the champion, whose book has the scores of the first eight stones and who makes no \
mistake. Weaker opponents are `negamax:2` to `negamax:8`, `random`, or a variant with --node-limit.

Examples:
  c4lab play
  c4lab play 444 --second --scores                   from a position, with the score of every column
  c4lab play --against negamax:4                     an opponent that sees four plies ahead
  c4lab play --against pons-12 --node-limit 100000
  c4lab play --against mine --engine mine='./player'

Exit status: 0 ended by you or by the end of the input, 1 the opponent plays no move, 2 usage, 5 interrupted.";

/// Play against a variant or an engine, in the terminal
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// The moves of the position where the game begins
    #[arg(value_name = "MOVES", default_value = "-", hide_default_value = true)]
    moves: String,
    /// The opponent: a variant, an engine of --engine, `random`, or `random-best` [default: the champion with its book]
    #[arg(long, value_name = "PLAYER")]
    against: Option<String>,
    /// You play the stones of the second player (O)
    #[arg(long)]
    second: bool,
    /// Show the score of every column whenever it is your turn
    #[arg(long)]
    scores: bool,
    /// The seed of random moves [default: another seed every time]
    #[arg(long)]
    seed: Option<u64>,
    #[command(flatten)]
    notation: NotationArgs,
    #[command(flatten)]
    players: PlayerArgs,
}

pub fn run(args: &Args) -> Result<Exit> {
    let interrupt = Interrupt::listen()?;
    args.notation.check(args.players.board)?;
    let start = args.notation.reader(args.players.board).read(&args.moves).map_err(Usage)?;
    // A temporary folder for the stderr of engines.
    let folder = tempfile::tempdir()?;
    let (name, opponent) = match &args.against {
        Some(name) => args.players.player(name, folder.path())?,
        None => {
            let champion = SolverPlayer { solver: args.players.referee()?, goal: args.players.goal, draw: None };
            (DEFAULT.to_string(), Box::new(champion) as Box<dyn Player>)
        }
    };
    let (own, its) = if args.second { ("second, O", "first, X") } else { ("first, X", "second, O") };
    let has_book = args.against.is_none() && args.players.board == BoardSize::STANDARD;
    let how = if has_book { ", with its book of the first eight stones" } else { "" };
    output::print(&format!("You play {own}; {name} plays {its}{how}."), Exit::Success)?;
    output::print("", Exit::Success)?;
    let mut session = Session {
        position: start.clone(),
        start,
        side: usize::from(args.second),
        name,
        opponent,
        limits: args.players.limits(interrupt.flag()),
        adviser: args.players.referee()?,
        shows_scores: args.scores,
        seed: args.seed.unwrap_or_else(|| {
            let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
            now.map_or(1, |now| now.as_nanos() as u64)
        }),
        game: 0,
        interrupt: &interrupt,
    };
    session.run()
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Entry {
    /// A stone in a column, from 0.
    Column(u32),
    Back,
    Hint,
    Scores,
    New,
    Help,
    Quit,
    Nothing,
}

/// The words of the input, each with its effect.
const WORDS: [(&str, Entry, &str); 6] = [
    ("back", Entry::Back, "takes your last move back, and the reply"),
    ("hint", Entry::Hint, "a best column, and its score in words"),
    ("scores", Entry::Scores, "shows the score of every column, or hides them again"),
    ("new", Entry::New, "a new game"),
    ("help", Entry::Help, "these words"),
    ("quit", Entry::Quit, "ends, as the end of the input does"),
];

impl Entry {
    /// Reads a line. A word may be abbreviated if no other begins with these letters.
    fn read(line: &str, width: u32) -> Result<Self, String> {
        let text = line.trim().to_ascii_lowercase();
        if text.is_empty() {
            return Ok(Entry::Nothing);
        }
        // On a wide board columns have letters too, and a single letter means the column.
        let mut letters = text.chars();
        let named = letters.next().and_then(column_named).filter(|&column| letters.next().is_none() && column < width);
        if let Some(column) = named {
            return Ok(Entry::Column(column));
        }
        if let Ok(column) = text.parse::<u32>() {
            let column = column.checked_sub(1).filter(|&column| column < width);
            return column.map(Entry::Column).ok_or_else(|| format!("{text} is not a column (1 to {width})"));
        }
        if text == "?" {
            return Ok(Entry::Help);
        }
        let begun: Vec<Entry> =
            WORDS.iter().filter(|(word, ..)| word.starts_with(&text)).map(|(_, entry, _)| *entry).collect();
        match begun[..] {
            [entry] => Ok(entry),
            _ => Err(format!(
                "{}; a move is a column, 1 to {width}",
                unknown("word", &text, WORDS.iter().map(|it| it.0))
            )),
        }
    }

    fn help(width: u32) -> String {
        let words = WORDS.iter().map(|(word, _, effect)| format!("  {word:<8} {effect}\n")).collect::<String>();
        format!("  {:<8} a stone in that column\n{words}", format!("1 to {width}"))
    }
}

/// The most bytes of a line that are read.
const MOST: u64 = 1024;

struct Session<'a> {
    start: Position,
    position: Position,
    side: usize,
    name: String,
    opponent: Box<dyn Player>,
    limits: Limits<'a>,
    /// The solver that gives hints and scores.
    adviser: Box<dyn Solve>,
    shows_scores: bool,
    seed: u64,
    game: usize,
    interrupt: &'a Interrupt,
}

impl<'a> Session<'a> {
    /// Plays, and prints the command that resumes an unfinished game.
    fn run(&mut self) -> Result<Exit> {
        self.opponent.begin(self.seed, self.game);
        let standing = self.standing();
        self.say(&standing)?;
        let exit = self.play()?;
        if self.position.ply() > 0 && !self.position.is_over() {
            let second = if self.side == 1 { " --second" } else { "" };
            self.say(&format!("To go on from here: c4lab play {}{second}\n", print_moves(&self.position)))?;
        }
        Ok(exit)
    }

    /// Plays until the person ends it, a signal comes, or the opponent has no move.
    fn play(&mut self) -> Result<Exit> {
        loop {
            if self.interrupt.is_set() {
                return Ok(interrupted());
            }
            if !self.position.is_over() && self.mover() != self.side {
                if let Some(exit) = self.reply()? {
                    return Ok(exit);
                }
                continue;
            }
            let prompt = if self.position.is_over() { "The game is over: back, new or quit" } else { "Your move" };
            // On a terminal, the typed line ends the line of the prompt.
            let end = if io::stdin().is_terminal() { "" } else { "\n" };
            self.say(&format!("{prompt} (? helps): {end}"))?;
            let Some(line) = self.interrupt.idle(read_line)? else {
                self.say(if end.is_empty() { "\n" } else { "" })?;
                return Ok(Exit::Success);
            };
            let entry = match Entry::read(&line, self.position.size().width()) {
                Ok(Entry::Quit) => return Ok(Exit::Success),
                Ok(entry) => entry,
                Err(reason) => {
                    self.say(&format!("{reason}\n"))?;
                    continue;
                }
            };
            let answer = self.follow(entry);
            if !self.interrupt.is_set() {
                self.say(&answer)?;
            }
        }
    }

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
            Entry::New => {
                (self.position, self.game) = (self.start.clone(), self.game + 1);
                self.opponent.begin(self.seed, self.game);
                self.standing()
            }
            Entry::Help => Entry::help(self.position.size().width()),
            Entry::Nothing | Entry::Quit => String::new(),
        }
    }

    /// Plays the opponent's move. Returns the exit of the command if the opponent has none.
    fn reply(&mut self) -> Result<Option<Exit>> {
        let no_move = |reason: &str| {
            complain(format_args!("{} plays no move: {reason}", self.name));
            Ok(Some(Exit::Failure))
        };
        let chosen = match self.opponent.choose(&self.position, &self.limits) {
            Ok(chosen) => chosen,
            Err(Refusal::Interrupted) => return Ok(Some(interrupted())),
            Err(Refusal::Late) => return no_move("it took too long"),
            Err(Refusal::Failed(_, reason)) => return no_move(&reason),
        };
        let column = name_of_column(chosen.column);
        if let Err(reason) = self.position.play(chosen.column) {
            return no_move(&format!("{column}: {reason}"));
        }
        self.say(&format!("{} plays {}.\n\n", self.name, strong(&column.to_string())))?;
        let standing = self.standing();
        self.say(&standing)?;
        Ok(None)
    }

    fn mover(&self) -> usize {
        self.position.ply() as usize % 2
    }

    fn take_back(&mut self) -> String {
        let columns = self.position.columns();
        let first = self.start.columns().len();
        let own = (first..columns.len()).rev().find(|ply| ply % 2 == self.side);
        let Some(ply) = own else { return "There is no move of yours to take back.\n".to_string() };
        let moves: String = columns[..ply].iter().map(|&column| name_of_column(column.into())).collect();
        self.position = Position::parse_on(self.position.size(), &moves).expect("moves that were played before");
        self.standing()
    }

    /// The board with the result of a finished game, or with the scores of columns, if they are shown.
    fn standing(&mut self) -> String {
        let position = &self.position;
        if position.is_over() {
            let result = match () {
                () if !position.is_won() => "",
                () if self.mover() == self.side => ": you lose",
                () => ": you win",
            };
            let result = format!("{}{result}", turn(position));
            return format!("{}\n{}\n", board(position, None), strong(&sentence(&result)));
        }
        let limits = self.unlimited();
        let scores = (self.shows_scores && self.mover() == self.side)
            .then(|| analysis::columns(&mut *self.adviser, &self.position, Goal::Strong, &limits));
        let scores = scores.and_then(Result::ok);
        format!("{}\n", board(&self.position, scores.as_deref()))
    }

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

    fn best(&mut self) -> Result<(u32, i32), Stopped> {
        let limits = self.unlimited();
        if let Some(column) = (0..self.position.size().width()).find(|&column| self.position.wins_by(column)) {
            return Ok((column, self.position.size().win_at(self.position.ply())));
        }
        let score = self.adviser.solve(&self.position, Goal::Strong, &limits)?.score;
        let column = analysis::best_move(&mut *self.adviser, &self.position, Goal::Strong, score, &limits)?;
        Ok((column, score))
    }

    /// The limits of the adviser: none, but a signal stops its search.
    fn unlimited(&self) -> Limits<'a> {
        Limits { interrupt: Some(self.interrupt.flag()), ..Limits::default() }
    }

    fn say(&self, text: &str) -> io::Result<()> {
        let mut out = io::stdout().lock();
        out.write_all(for_stdout(text).as_bytes())?;
        out.flush()
    }
}

fn interrupted() -> Exit {
    complain("interrupted");
    Exit::Incomplete
}

fn stopped(reason: Stopped) -> String {
    format!("No answer: {reason}.\n")
}

/// A line of the input, `None` at its end. Bytes that are no UTF-8 are replaced.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_and_words_are_read() {
        let read = |line: &str| Entry::read(line, 7);
        assert_eq!(
            (read(" 4\r"), read("7"), read("")),
            (Ok(Entry::Column(3)), Ok(Entry::Column(6)), Ok(Entry::Nothing))
        );
        assert_eq!((read("b"), read("undo").is_err(), read("h").is_err()), (Ok(Entry::Back), true, true));
        assert_eq!((read("s"), read("sc"), read("line").is_err()), (Ok(Entry::Scores), Ok(Entry::Scores), true));
        assert_eq!((read("?"), read("q"), read("HELP")), (Ok(Entry::Help), Ok(Entry::Quit), Ok(Entry::Help)));
        assert_eq!(read("8").unwrap_err(), "8 is not a column (1 to 7)");
        assert_eq!(
            read("99999999999").unwrap_err(),
            "no word \"99999999999\"; known: \"back\", \"hint\", \"scores\" and 3 more; a move is a column, 1 to 7"
        );
        assert!(read("hnit").unwrap_err().contains("nearest: \"hint\""));
        for (word, entry, _) in WORDS {
            assert_eq!(read(word), Ok(entry));
        }
    }
}
