//! Split: a board as its positions after some plies, which several machines solve, and what their scores say of the board.
//!
//! ```text
//!   empty board          [lo, hi] of a node: from those of its children, the best for the mover
//!    /    |    \
//!   1     4     …        mirror images and move orders that meet are one position
//!        / \
//!      41   44  …        the positions: leaves, each solved by itself; all scores until it is
//! ```
//!
//! Machines send nothing to each other. Each solves its part of the leaves, in the order of a depth-first search, and leaves out those that
//! the scores that it knows make needless. So machines that see each other's rows solve little more than one would.

use crate::lab::files::rows;
use crate::lab::outcomes::outcome_row::{self, FILE, OutcomeRow};
use crate::lab::outcomes::plan::BoardTask;
use crate::lab::plan::shard::Shard;
use crate::lab::sets::test_set::print_moves;
use anyhow::{Context, Result, bail};
use c4lab_solver::game::score::Score;
use c4lab_solver::game::{BoardSize, Position};
use c4lab_solver::search::Goal;
use std::collections::HashMap;
use std::fmt;
use std::path::{Path, PathBuf};

/// The most plies that a board is split by: there are a hundred thousand positions of the standard board after eight.
pub const MOST_PLIES: u32 = 8;

/// Above every score of every board.
const INFINITE: Score = Score::MAX;

/// How a board is split, and which part of it is solved here.
#[derive(Clone, Debug)]
pub struct SplitArgs {
    /// Stones on the board of a position that is solved by itself.
    pub plies: u32,
    /// The part of the positions that is solved here; without one, all that are needed, and then the score of the board.
    pub shard: Option<Shard>,
    /// Folders of rows that others write, or folders of such folders.
    pub with: Vec<PathBuf>,
}

/// A position of the tree.
#[derive(Debug)]
struct Node {
    position: Position,
    /// None of a leaf.
    children: Vec<usize>,
}

/// The tree of a board down to its leaves: positions after `plies` stones, and earlier ones whose mover can win at once.
#[derive(Debug)]
pub struct Split {
    nodes: Vec<Node>,
    /// The node of a position, up to mirror images.
    places: HashMap<(u128, u128), usize>,
    /// The leaves, in the order of a depth-first search.
    leaves: Vec<usize>,
    /// What is asked of them.
    goal: Goal,
}

/// A row that cannot be believed: another one says something else of its position, or no position can have its score.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Contradiction(String);

impl fmt::Display for Contradiction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Contradiction {}

/// What is known of a split board.
#[derive(Clone, Debug, Default)]
pub struct KnownScores {
    /// The score of each solved position of the tree, by its node: of leaves, and of earlier ones that others solved.
    scores: HashMap<usize, Score>,
    /// A row of the board itself, if somebody has solved it.
    pub whole: Option<OutcomeRow>,
    /// What solving took, of all rows: nodes, time on the wall, of the processor where every row has it, the largest table.
    pub took: Took,
}

/// What solving positions took.
#[derive(Clone, Debug)]
pub struct Took {
    /// Nodes.
    pub nodes: u64,
    /// Time on the wall.
    pub wall_ns: u64,
    /// Time of the processor, where every row has it.
    pub cpu_ns: Option<u64>,
    /// The largest table.
    pub tt_bytes: u64,
    /// Whether a search was stopped and went on.
    pub resumed: bool,
}

impl Default for Took {
    fn default() -> Self {
        Took { nodes: 0, wall_ns: 0, cpu_ns: Some(0), tt_bytes: 0, resumed: false }
    }
}

impl Split {
    /// The tree of a board.
    pub fn of(board: BoardSize, plies: u32, goal: Goal) -> Self {
        let mut split = Split { nodes: Vec::new(), places: HashMap::new(), leaves: Vec::new(), goal };
        split.grow(Position::start_on(board), plies);
        split
    }

    /// The node of a position, with all below it.
    fn grow(&mut self, position: Position, plies: u32) -> usize {
        let key = position.up_to_mirror();
        if let Some(&known) = self.places.get(&key) {
            return known;
        }
        let (place, size) = (self.nodes.len(), position.size());
        self.places.insert(key, place);
        self.nodes.push(Node { position: position.clone(), children: Vec::new() });
        let moves: Vec<u32> = size.centre_first().filter(|&column| position.can_play(column)).collect();
        if position.ply() >= plies || moves.is_empty() || moves.iter().any(|&column| position.wins_by(column)) {
            self.leaves.push(place);
            return place;
        }
        for column in moves {
            let mut child = position.clone();
            child.play(column).expect("a move that can be played");
            let child = self.grow(child, plies);
            // The other side of a symmetric board.
            if !self.nodes[place].children.contains(&child) {
                self.nodes[place].children.push(child);
            }
        }
        place
    }

    /// The least and the greatest score that a position can have: of one that is lost to the next stone but one, and of one that is won
    /// by the next.
    fn range(&self, place: usize) -> (Score, Score) {
        let position = &self.nodes[place].position;
        let empty = (position.size().cells() - position.ply()) as Score;
        if self.goal == Goal::Weak { (-1, 1) } else { (-empty / 2, (empty + 1) / 2) }
    }

    /// The number of leaves.
    pub fn leaves(&self) -> usize {
        self.leaves.len()
    }

    /// The position of a leaf.
    pub fn position(&self, leaf: usize) -> &Position {
        &self.nodes[self.leaves[leaf]].position
    }

    /// The leaf of that moves, as rows and saved searches name them; `None` where they are no leaf.
    pub fn leaf(&self, moves: &str) -> Option<usize> {
        let position = Position::parse_on(self.nodes[0].position.size(), moves).ok()?;
        let place = self.places.get(&position.up_to_mirror())?;
        self.leaves.iter().position(|leaf| leaf == place)
    }

    /// Takes in what a row says of a position of this tree: of a leaf, of an earlier one, or of the board. Rows about anything else say
    /// nothing.
    ///
    /// # Errors
    /// Another row said something else of the position, its score is none, or its moves are none.
    pub fn enter(&self, known: &mut KnownScores, row: &OutcomeRow, task: &BoardTask) -> Result<(), Contradiction> {
        let is_asked = (row.board.as_str(), row.goal, row.variant.as_str())
            == (task.board.to_string().as_str(), task.goal, task.variant.text());
        let Some(score) = row.score.filter(|_| is_asked) else { return Ok(()) };
        let position = if row.is_whole_board() {
            Position::start_on(task.board)
        } else {
            Position::parse_on(task.board, &row.moves)
                .map_err(|error| Contradiction(format!("{:?} are no moves of {}: {error}", row.moves, row.board)))?
        };
        let Some(&place) = self.places.get(&position.up_to_mirror()) else { return Ok(()) };
        let (of, (least, most)) = (score_of(&position), self.range(place));
        if !(least..=most).contains(&score) {
            return Err(Contradiction(format!("{of} cannot be {score}: it lies between {least} and {most}")));
        }
        match known.scores.insert(place, score) {
            Some(other) if other != score => Err(Contradiction(format!(
                "rows contradict each other: {of} is {other} in one, and {score} in another"
            ))),
            Some(_) => Ok(()),
            None => {
                if row.is_whole_board() {
                    known.whole = Some(row.clone());
                }
                // What a board took that was put together is what its positions took.
                if row.plies > 0 {
                    return Ok(());
                }
                let took = &mut known.took;
                took.nodes += row.nodes;
                took.wall_ns += row.wall_ns;
                took.cpu_ns = took.cpu_ns.zip(row.cpu_ns).map(|(sum, cpu)| sum + cpu);
                took.tt_bytes = took.tt_bytes.max(row.tt_bytes);
                took.resumed |= row.resumed;
                Ok(())
            }
        }
    }

    /// Holds what rows say of positions against what other rows say of those after them.
    ///
    /// # Errors
    /// They cannot both be right.
    pub fn check(&self, known: &KnownScores) -> Result<(), Contradiction> {
        let bounds = self.all_bounds(known);
        // In the order of the nodes: the same rows always give the same error.
        for (place, node) in self.nodes.iter().enumerate() {
            let Some(score) = known.scores.get(&place) else { continue };
            let Some((least, most)) = self.bounds_by_children(place, &bounds) else { continue };
            if !(least..=most).contains(score) {
                let of = score_of(&node.position);
                return Err(Contradiction(format!(
                    "rows contradict each other: {of} is {score} in one, and by those of the positions after it {}",
                    if least == most { least.to_string() } else { format!("{least} to {most}") }
                )));
            }
        }
        Ok(())
    }

    /// The least and the greatest score that the board can have, by what is known of its positions.
    pub fn bounds(&self, known: &KnownScores) -> (Score, Score) {
        self.all_bounds(known)[0]
    }

    /// The bounds of every node, seen by its mover.
    fn all_bounds(&self, known: &KnownScores) -> Vec<(Score, Score)> {
        let mut bounds = vec![(-INFINITE, INFINITE); self.nodes.len()];
        // Children have a stone more.
        let mut places: Vec<usize> = (0..self.nodes.len()).collect();
        places.sort_by_key(|&place| std::cmp::Reverse(self.nodes[place].position.ply()));
        for place in places {
            bounds[place] = match known.scores.get(&place) {
                Some(&score) => (score, score),
                None => self.bounds_by_children(place, &bounds).unwrap_or_else(|| self.range(place)),
            };
        }
        bounds
    }

    /// The bounds of a node by those of its children; `None` of a leaf.
    fn bounds_by_children(&self, place: usize, bounds: &[(Score, Score)]) -> Option<(Score, Score)> {
        let children = self.nodes[place].children.iter().map(|&child| bounds[child]);
        Some((children.clone().map(|(_, most)| -most).max()?, children.map(|(least, _)| -least).max()?))
    }

    /// The leaves that are not solved and can still matter, in the order of a depth-first search. What does not matter never will.
    pub fn needed(&self, known: &KnownScores) -> Vec<usize> {
        let bounds = self.all_bounds(known);
        let mut visits = Visits { bounds: &bounds, seen: HashMap::new(), leaves: Vec::new() };
        self.visit(0, (-INFINITE, INFINITE), &mut visits);
        let order: HashMap<usize, usize> = self.leaves.iter().enumerate().map(|(leaf, &place)| (place, leaf)).collect();
        visits.leaves.iter().map(|place| order[place]).collect()
    }

    fn visit(&self, place: usize, (alpha, beta): (Score, Score), visits: &mut Visits<'_>) {
        let (least, most) = visits.bounds[place];
        if least == most || least >= beta || most <= alpha {
            return;
        }
        let seen = visits.seen.entry(place).or_default();
        if seen.iter().any(|&(low, high)| low <= alpha && beta <= high) {
            return;
        }
        let is_new = seen.is_empty();
        seen.push((alpha, beta));
        let children = &self.nodes[place].children;
        if children.is_empty() && is_new {
            visits.leaves.push(place);
        }
        for &child in children {
            self.visit(child, (-beta, -alpha.max(least)), visits);
        }
    }
}

/// The score of a position, in words.
fn score_of(position: &Position) -> String {
    if position.ply() == 0 { "the score of the board".to_string() } else { format!("the score after {position}") }
}

/// A walk over what can still matter.
struct Visits<'a> {
    bounds: &'a [(Score, Score)],
    /// The windows that a node was visited with.
    seen: HashMap<usize, Vec<(Score, Score)>>,
    /// The leaves that were met, by their nodes.
    leaves: Vec<usize>,
}

/// How far a split board is.
#[derive(Clone, Debug)]
pub struct SplitStatus {
    /// The board.
    pub board: BoardSize,
    /// What is asked.
    pub goal: Goal,
    /// Plies that it is split by.
    pub plies: u32,
    /// Its leaves.
    pub positions: usize,
    /// Of these, solved.
    pub solved: usize,
    /// Of these, not solved, and they can still matter.
    pub needed: usize,
    /// The least and the greatest score that the board can have.
    pub bounds: (Score, Score),
    /// Nodes of all that are solved.
    pub nodes: u64,
}

impl SplitStatus {
    /// What is known of a task.
    pub fn of(task: &BoardTask, plies: u32, split: &Split, known: &KnownScores) -> Self {
        SplitStatus {
            board: task.board,
            goal: task.goal,
            plies,
            positions: split.leaves(),
            solved: split.leaves.iter().filter(|leaf| known.scores.contains_key(leaf)).count(),
            needed: split.needed(known).len(),
            bounds: split.bounds(known),
            nodes: known.took.nodes,
        }
    }
}

/// The folders of rows that others write: those named that hold rows, and those that stand in one that is named. `own` is not among them.
///
/// # Errors
/// A folder is not there, or cannot be read.
pub fn folders(with: &[PathBuf], own: &Path) -> Result<Vec<PathBuf>> {
    let mut folders = Vec::new();
    for named in with {
        if !named.is_dir() {
            bail!("{}: no folder", named.display());
        }
        let below = std::fs::read_dir(named).with_context(|| named.display().to_string())?;
        folders.push(named.clone());
        folders.extend(below.filter_map(|entry| Some(entry.ok()?.path())).filter(|path| path.is_dir()));
    }
    let own = own.canonicalize().ok();
    folders.retain(|folder| rows::file_of(folder, FILE).is_file() && folder.canonicalize().ok() != own);
    folders.sort();
    folders.dedup();
    Ok(folders)
}

/// What the rows of folders say of a board. A line that another process is just writing is left out.
///
/// # Errors
/// A file cannot be read, or rows contradict each other.
pub fn gather(split: &Split, task: &BoardTask, own: &[OutcomeRow], others: &[PathBuf]) -> Result<KnownScores> {
    let mut known = KnownScores::default();
    for row in own {
        split.enter(&mut known, row, task)?;
    }
    for folder in others {
        for (index, row) in outcome_row::read_all(folder)?.iter().enumerate() {
            // The first line has the names of the columns.
            let place = || format!("{}, line {}", rows::file_of(folder, FILE).display(), index + 2);
            split.enter(&mut known, row, task).with_context(place)?;
        }
    }
    split.check(&known)?;
    Ok(known)
}

/// The name of a leaf in rows.
pub fn moves_of(split: &Split, leaf: usize) -> String {
    print_moves(split.position(leaf))
}

#[cfg(test)]
mod tests;
