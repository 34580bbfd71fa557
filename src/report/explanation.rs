//! Explanation of a search by any variant: the questions at the root and their answers, the ends of the nodes, the
//! reason for a score without a search, and the squares that the variant sees.
//! It is text for a terminal, and JSON for programs and the page of `c4lab serve`.

use crate::score_words::{mover_name, opponent_name, sentence, turn};
use crate::table::Column;
use crate::table::text::TextTable;
use crate::table::units::grouped;
use c4lab_measure::sets::test_set::print_moves;
use c4lab_solver::axes::lines::line::fours;
use c4lab_solver::axes::{Axis, Key, Layout, Search, Storage, TableKind, Zugzwang};
use c4lab_solver::game::Position;
use c4lab_solver::game::notation::name_of_column;
use c4lab_solver::game::reading::Reader;
use c4lab_solver::game::score::Score;
use c4lab_solver::search::{
    Goal, Limits, Name, NodeEnd, Options, Place, PlyCounts, Proven, RootWindow, Spec, Stopped, View, registry,
};
use serde::Serialize;
use std::collections::BTreeMap;
use std::fmt::Write;

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Explanation {
    pub variant: String,
    pub score: Score,
    pub nodes: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub without_search: Option<String>,
    pub questions: Vec<RootQuestion>,
    /// The ends of the nodes, by stones on the board. Numbers of stones without nodes are left out.
    pub plies: Vec<PlyRow>,
    /// The squares that ended the search, and the squares that the variant sees before it searches.
    pub drawings: Vec<Drawing>,
    /// The numbers that the search holds for the board, and the key of its table: names and values.
    pub words: Vec<(String, String)>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct RootQuestion {
    pub alpha: Score,
    pub beta: Score,
    /// The answer: the score if it lies between `alpha` and `beta`, else a bound. `None` if the question was put off.
    pub value: Option<Score>,
    pub nodes: u64,
    pub ended_by: Option<&'static str>,
    pub asked: String,
    pub proved: String,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct PlyRow {
    pub stones: u32,
    pub nodes: u64,
    /// The number of nodes by the names of their ends.
    #[serde(flatten)]
    pub ends: BTreeMap<&'static str, u64>,
    pub asked: u64,
    pub known: u64,
}

pub fn explained(
    (name, options): (&Name, &Options),
    (position, goal): (&Position, Goal),
    limits: &Limits<'_>,
) -> anyhow::Result<Result<Explanation, Stopped>> {
    // Only a search of one thread can be explained.
    let name = &name.with_one_thread();
    let mut counted = name.clone();
    let mut solver = match name.build_counted(options) {
        // Without the feature `ablations`, the search that is counted has the tight layout.
        Err(_) if name.spec().layout == Layout::Spaced => {
            counted = name.with("layout=tight")?;
            counted.build_counted(options)?
        }
        solver => solver?,
    };
    let solved = match solver.solve(position, goal, limits) {
        Ok(solved) => solved,
        Err(stopped) => return Ok(Err(stopped)),
    };
    let mut drawings = Vec::new();
    let mut without_search = None;
    if solver.windows().is_empty() {
        let (said, proven) = reason_without_search(position, name.spec(), solved.score);
        without_search = Some(sentence(&said));
        drawings.extend(proven.map(|proven| of_proof(position, "The score", &proven)));
    } else {
        drawings.extend(proofs(solver.windows(), name, position));
    }
    let view = if position.is_over() { None } else { registry::view(counted.spec(), position) };
    let colorless = view.as_ref().map_or(&[][..], |view| &view.colorless);
    let words = words(name.spec(), position, colorless);
    drawings.extend(of_colorless(position, colorless));
    drawings.extend(view.as_ref().and_then(|view| of_view(position, view)));
    Ok(Ok(Explanation {
        variant: name.text().to_string(),
        score: solved.score,
        nodes: solved.nodes,
        without_search,
        questions: questions(solver.windows()),
        plies: (0..).zip(solver.anatomy()).filter(|(_, counts)| counts.nodes > 0).map(PlyRow::of).collect(),
        drawings,
        words,
    }))
}

fn of_colorless(position: &Position, stones: &[Place]) -> Option<Drawing> {
    let title = "Stones that no four can hold any more. The key forgets whose they are.";
    let mut drawing = Drawing::of(title.to_string(), position);
    drawing.mark(stones, '*', || "of either side".to_string());
    (!stones.is_empty()).then_some(drawing)
}

/// The board as the search of `spec` holds it, and its key: names and values. Bits are in the layout of `spec`.
fn words(spec: Spec, position: &Position, colorless: &[Place]) -> Vec<(String, String)> {
    let reader = Reader::on(position.size());
    let stride = if spec.layout == Layout::Spaced { reader.spaced().stride } else { reader.stride };
    let bit = |place: Place| 1_u128 << (place.column * stride + place.row);
    let floor = (0..position.size().width()).map(|column| Place { column, row: 0 });
    let (mover, mask) = position.words(stride);
    let word = |name: &str, value: u128| (name.to_string(), format!("{value:#x} = {value}"));
    let mut words = match spec.storage {
        Storage::Array => Vec::new(),
        Storage::Bitboard => vec![word("mover", mover), word("all stones", mask)],
        Storage::TwoPlayers => vec![word("mover", mover), word("opponent", mask ^ mover)],
        Storage::MakeUndo => {
            let [first, second] =
                if position.ply().is_multiple_of(2) { [mover, mask ^ mover] } else { [mask ^ mover, mover] };
            let height = |place: Place| (place.column * stride + (mask / bit(place)).trailing_ones()).to_string();
            let heights = floor.clone().map(height).collect::<Vec<_>>().join(" ");
            let counter = position.ply().to_string();
            vec![
                word("X", first),
                word("O", second),
                ("heights".to_string(), heights),
                ("counter".to_string(), counter),
            ]
        }
    };
    words.extend(false_four(position));
    if spec.table == TableKind::None || spec.search == Search::Fhourstones {
        return words;
    }
    let bottom: u128 = floor.map(bit).sum();
    let forgotten: u128 = colorless.iter().copied().map(bit).sum();
    words.push(word("key, mover + all stones + bottom row", (mover & !forgotten) + mask + bottom));
    if spec.key.is_colorless() {
        words.push(word("and its stones of either side", forgotten));
    }
    let is_mirrored = match spec.key {
        Key::MirrorEarly => 5 * position.ply() < 2 * position.size().cells(),
        Key::MirrorTen => position.ply() < 10,
        key => key == Key::Mirror,
    };
    if is_mirrored {
        let (mover, mask) = position.mirror().words(stride);
        words.push(word("key of the mirror image; the lesser one is stored", mover + mask + bottom));
    }
    words
}

/// A side's word in a layout without sentinels, if lines that run on from the top of a column seem to be a four there.
fn false_four(position: &Position) -> Option<(String, String)> {
    let height = position.size().height();
    let (mover, mask) = position.words(height);
    let sides = [(mover_name(position), mover), (opponent_name(position), mask ^ mover)];
    let (side, stones, lowest, step) = sides.into_iter().find_map(|(side, stones)| {
        let found = [1, height - 1, height, height + 1].map(|step| (side, stones, fours(stones, step), step));
        found.into_iter().find(|(.., fours, _)| *fours != 0 && !position.is_over())
    })?;
    let square = |bit: u32| format!("{}/{}", bit / height + 1, bit % height + 1);
    let squares: Vec<String> = (0..4).map(|n| square(lowest.trailing_zeros() + n * step)).collect();
    let said = format!("{stones:#x}: a false four of {side}, on {} (column/row)", squares.join(" "));
    Some((format!("without sentinels, {height} bits a column"), said))
}

impl PlyRow {
    fn of((stones, counts): (u32, &PlyCounts)) -> Self {
        let ends = NodeEnd::ALL.into_iter().map(|end| (end.name(), counts.ends[end as usize])).collect();
        PlyRow { stones, nodes: counts.nodes, ends, asked: counts.probes, known: counts.hits }
    }
}

fn questions(windows: &[RootWindow]) -> Vec<RootQuestion> {
    let before = [0].into_iter().chain(windows.iter().map(|window| window.nodes));
    let question = |(window, before): (&RootWindow, u64)| {
        let RootWindow { alpha, beta, value, nodes, end } = *window;
        let asked = match beta == alpha + 1 {
            true => format!("is it above {alpha}?"),
            false => format!("what is it between {alpha} and {beta}?"),
        };
        let proved = match value {
            None => "put off".to_string(),
            Some(value) if value <= alpha => format!("no, at most {value}"),
            Some(value) if value >= beta => format!("yes, at least {value}"),
            Some(value) => format!("{value}"),
        };
        RootQuestion { alpha, beta, value, nodes: nodes - before, ended_by: end.map(NodeEnd::name), asked, proved }
    };
    windows.iter().zip(before).map(question).collect()
}

/// Drawings of the squares that ended questions. Consecutive questions with equal squares share a drawing.
fn proofs(windows: &[RootWindow], name: &Name, position: &Position) -> Vec<Drawing> {
    let mut found: Vec<(Vec<usize>, Proven)> = Vec::new();
    for (number, window) in (1..).zip(windows) {
        let may_be = matches!(window.end, Some(NodeEnd::Zugzwang | NodeEnd::Forced));
        let Some(value) = window.value else { continue };
        let (is_above, is_below) = (value >= window.beta, value <= window.alpha);
        if !may_be || !(is_above || is_below) {
            continue;
        }
        let alpha = if is_above { window.beta - 1 } else { window.alpha };
        let Some(proven) = registry::proven(name.spec(), position, alpha, is_above) else { continue };
        match found.last_mut() {
            Some((numbers, last))
                if (&last.moves, last.rule, &last.line) == (&proven.moves, proven.rule, &proven.line) =>
            {
                numbers.push(number);
            }
            _ => found.push((vec![number], proven)),
        }
    }
    let title = |numbers: &[usize]| {
        let shown: Vec<String> = numbers.iter().map(usize::to_string).collect();
        format!("Question{} {}", if shown.len() == 1 { "" } else { "s" }, shown.join(", "))
    };
    found.iter().map(|(numbers, proven)| of_proof(position, &title(numbers), proven)).collect()
}

fn of_proof(position: &Position, what: &str, proven: &Proven) -> Drawing {
    let end = after(position, &proven.moves);
    let (mover, opponent) = (mover_name(&end), opponent_name(&end));
    let behind = match names_of(&proven.moves) {
        line if line.is_empty() => String::new(),
        line => format!("after {line}, "),
    };
    let title = format!(
        "{what}: {behind}{mover} scores at most {}. Rule {}: {}.",
        proven.most,
        proven.rule.value(),
        proven.rule.about()
    );
    let mut drawing = Drawing::of(title, &end);
    drawing.mark(&proven.beyond, '-', || format!("out of reach of {mover}"));
    drawing.mark(&proven.claimed, 'c', || format!("claimed: {opponent} is sure to get it"));
    drawing.mark(&proven.threats, 'T', || format!("a threat of {opponent}, where a column ends"));
    let own: Vec<_> = proven.line.iter().copied().filter(|place| proven.claimed.contains(place)).collect();
    drawing.mark(&own, '*', || format!("claimed, and completes a four of {opponent}"));
    drawing
}

/// Draws the squares that a variant sees before it searches; `None` if there are none.
fn of_view(position: &Position, view: &View) -> Option<Drawing> {
    let end = after(position, &view.forced);
    let (mover, opponent) = (mover_name(&end), opponent_name(&end));
    let behind = match names_of(&view.forced) {
        line if line.is_empty() => String::new(),
        line => format!(" After {line}, which is forced:"),
    };
    let mut drawing = Drawing::of(format!("What it sees before it searches.{behind}"), &end);
    drawing.mark(&view.wins, '+', || format!("completes a four of {mover}"));
    drawing.mark(&view.threats, '!', || format!("completes a four of {opponent}"));
    let is_threat = |place: &&Place| view.threats.contains(place);
    let left_out: Vec<Place> = view.left_out.iter().filter(|place| !is_threat(place)).copied().collect();
    drawing.mark(&left_out, '-', || format!("not tried: {opponent} would win at once"));
    if view.is_ordered {
        drawing.number(&view.moves, "moves in the order in which they are tried");
    } else {
        drawing.mark(&view.moves, 'm', || "a move to search".to_string());
    }
    if !view.makes.is_empty() {
        let counts: Vec<String> = view.makes.iter().map(u32::to_string).collect();
        drawing.note =
            Some(format!("The number of threats that each move makes, in this order: {}.", counts.join(" ")));
    }
    (!drawing.marks.is_empty()).then_some(drawing)
}

/// The reason in words for a score that needs no search, and the squares that prove the score, if there are any.
fn reason_without_search(position: &Position, spec: Spec, score: Score) -> (String, Option<Proven>) {
    if position.is_over() {
        return (turn(position), None);
    }
    let (mut end, mut line) = (position.clone(), Vec::new());
    loop {
        let width = end.size().width();
        if let Some(column) = (0..width).find(|&column| end.wins_by(column)) {
            return (format!("{}column {} wins at once", forced(&line), name_of_column(column)), None);
        }
        let safe: Vec<u32> = (0..width).filter(|&column| is_safe(&end, column)).collect();
        let [column] = safe[..] else {
            if safe.is_empty() {
                return (forced(&line) + "every move lets the other side win at once", None);
            }
            let proven = squares(&end, &line, (position, spec), score);
            let what = match &proven {
                Some(proven) if proven.rule == Zugzwang::DeadLines => {
                    format!("{} can complete no four any more, which leaves one score", mover_name(&end))
                }
                Some(proven) if proven.rule == Zugzwang::Horizon => {
                    format!("a win of {} would come too late, which leaves one score", mover_name(&end))
                }
                Some(proven) if proven.rule == Zugzwang::Rules => {
                    format!("{} has an answer to every possible four, which leaves one score", opponent_name(&end))
                }
                Some(_) => format!("squares that {} is sure to get leave one score", opponent_name(&end)),
                None => format!("the number of stones alone leaves {} one score", mover_name(&end)),
            };
            return (forced(&line) + &what, proven);
        };
        line.push(column + 1);
        if end.play(column).is_err() || end.is_over() {
            return (format!("{}the board is full", forced(&line)), None);
        }
    }
}

/// The squares that leave one score to `end`, the board after the forced moves `line`; `None` if there are none.
fn squares(end: &Position, line: &[u32], (position, spec): (&Position, Spec), score: Score) -> Option<Proven> {
    let is_mover = line.len().is_multiple_of(2);
    // Zugzwang gives only upper bounds of the mover's score, and only bounds of 0 or less.
    let most = if is_mover { score } else { -score };
    let proven = if is_mover {
        registry::proven(spec, position, score, false)
    } else {
        registry::proven(spec, position, score - 1, true)
    };
    proven.filter(|proven| {
        most <= 0 && proven.moves.len() == line.len() && end.ply() == position.ply() + line.len() as u32
    })
}

fn forced(line: &[u32]) -> String {
    if line.is_empty() {
        return String::new();
    }
    let shown: Vec<String> = line.iter().map(|&column| name_of_column(column - 1).to_string()).collect();
    format!(
        "every other move loses at once, so {} {} played; then ",
        shown.join(" "),
        if line.len() == 1 { "is" } else { "are" }
    )
}

/// True if `column` can be played and the opponent cannot win at once after it.
fn is_safe(position: &Position, column: u32) -> bool {
    let mut child = position.clone();
    position.can_play(column)
        && child.play(column).is_ok()
        && !(0..child.size().width()).any(|reply| child.wins_by(reply))
}

/// A board with signs on some of its squares, and a legend of the signs.
///
/// ```text
///   1   2   3   4   5   6   7
///   c   .   .   .   c   .   c      c  claimed
///   .   X   O   .   .   O   .      .  an empty square without a sign
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Drawing {
    pub title: String,
    /// The moves that lead to the board; `-` for none.
    pub moves: String,
    /// The stones, the top row first: a line of `X`, `O` and `.` for each row.
    pub rows: Vec<String>,
    pub marks: Vec<Mark>,
    pub legend: Vec<Meaning>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Mark {
    pub column: u32,
    pub row: u32,
    pub sign: char,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Meaning {
    pub sign: String,
    pub means: String,
}

impl Drawing {
    fn of(title: String, position: &Position) -> Self {
        Drawing {
            title,
            moves: print_moves(position),
            rows: position.rows().lines().map(str::to_string).collect(),
            marks: Vec::new(),
            legend: Vec::new(),
            note: None,
        }
    }

    fn mark(&mut self, places: &[Place], sign: char, means: impl FnOnce() -> String) {
        if places.is_empty() {
            return;
        }
        places.iter().for_each(|place| self.put(*place, sign));
        self.legend.push(Meaning { sign: sign.to_string(), means: means() });
        let shown: Vec<char> = self.marks.iter().map(|mark| mark.sign).collect();
        self.legend.retain(|meaning| meaning.sign.chars().all(|sign| shown.contains(&sign)));
    }

    fn number(&mut self, places: &[Place], means: &str) {
        let signs = ('1'..='9').chain('a'..='z');
        let Some(last) = signs.clone().take(places.len()).last() else { return };
        places.iter().zip(signs).for_each(|(place, sign)| self.put(*place, sign));
        let sign = if last == '1' { "1".to_string() } else { format!("1-{last}") };
        self.legend.push(Meaning { sign, means: means.to_string() });
    }

    fn put(&mut self, place: Place, sign: char) {
        let (column, row) = (place.column + 1, place.row + 1);
        self.marks.retain(|mark| (mark.column, mark.row) != (column, row));
        self.marks.push(Mark { column, row, sign });
    }

    pub fn text(&self) -> String {
        let height = self.rows.len();
        let width = self.rows.first().map_or(0, |row| row.len());
        let mut text = format!("{}\n", self.title);
        if !self.marks.is_empty() {
            let heads: String = (0..width as u32).map(|column| format!("{:>3} ", name_of_column(column))).collect();
            let _ = writeln!(text, "{}", heads.trim_end());
            for (line, row) in self.rows.iter().enumerate() {
                let place = |index: usize| (index as u32 + 1, (height - line) as u32);
                let sign = |(index, stone): (usize, char)| {
                    let mark = self.marks.iter().find(|mark| (mark.column, mark.row) == place(index));
                    format!("{:>3} ", mark.map_or(stone, |mark| mark.sign))
                };
                let shown: String = row.chars().enumerate().map(sign).collect();
                let _ = writeln!(text, "{}", shown.trim_end());
            }
        }
        for Meaning { sign, means } in &self.legend {
            let _ = writeln!(text, "  {sign:<3}  {means}");
        }
        self.note.iter().for_each(|note| text += &format!("  {note}\n"));
        text
    }
}

/// The position after the moves `columns`, counted from 0.
fn after(position: &Position, columns: &[u32]) -> Position {
    let moves = format!("{position}{}", names_of(columns));
    Position::parse_on(position.size(), &moves).expect("moves that a search saw can be played")
}

fn names_of(columns: &[u32]) -> String {
    columns.iter().map(|&column| name_of_column(column)).collect()
}

impl Explanation {
    pub fn text(&self) -> String {
        let mut text = format!("How {} found the score {}:\n", self.variant, self.score);
        self.without_search.iter().for_each(|said| text += &format!("  {said}\n"));
        for (number, question) in (1..).zip(&self.questions) {
            let (asked, proved, nodes) = (&question.asked, &question.proved, count_of_nodes(question.nodes));
            let by = match (question.value, question.ended_by) {
                (None, _) => String::new(),
                (_, by) => format!("by {}", by.unwrap_or("search")),
            };
            let _ = writeln!(text, "  question {number}: {asked:<32} {proved:<18} {by:<13} {nodes}");
        }
        if !self.questions.is_empty() {
            let _ = writeln!(text, "  So it is {}.", self.score);
        }
        if self.nodes > 0 {
            text += &self.anatomy();
        }
        for drawing in &self.drawings {
            let _ = write!(text, "\n{}", drawing.text());
        }
        if !self.words.is_empty() {
            text += "\nThe board as it is held:\n";
        }
        self.words.iter().for_each(|(name, value)| text += &format!("  {name}: {value}\n"));
        text
    }

    fn anatomy(&self) -> String {
        let mut all = PlyRow::default();
        for row in &self.plies {
            (all.nodes, all.asked, all.known) = (all.nodes + row.nodes, all.asked + row.asked, all.known + row.known);
            row.ends.iter().for_each(|(end, count)| *all.ends.entry(end).or_default() += count);
        }
        let cells = |name: String, row: &PlyRow| {
            let ends = NodeEnd::ALL.map(|end| row.ends[end.name()]);
            let numbers = [row.nodes].into_iter().chain(ends).chain([row.asked, row.known]);
            [name].into_iter().chain(numbers.map(|number| grouped(&number.to_string()))).collect()
        };
        let mut rows: Vec<Vec<String>> = self.plies.iter().map(|row| cells(row.stones.to_string(), row)).collect();
        rows.push(cells("all".to_string(), &all));
        let heads = ["stones", "nodes"].into_iter().chain(NodeEnd::ALL.map(NodeEnd::name)).chain(["asked", "known"]);
        let list =
            TextTable { columns: heads.map(|title| Column::text(title, title)).collect(), rows, in_parts: false };
        let most = NodeEnd::ALL.into_iter().rev().max_by_key(|end| all.ends[end.name()]);
        let most = most.map_or(String::new(), |end| {
            let share = 100.0 * all.ends[end.name()] as f64 / all.nodes as f64;
            format!("Of 100 nodes {share:.0} were ended by: {}.\n", meaning(end))
        });
        format!(
            "\nNodes by stones on the board, by what ended them, and how often the table was asked and knew something:\n{}{most}",
            list.show(None)
        )
    }
}

fn count_of_nodes(count: u64) -> String {
    format!("{} node{}", grouped(&count.to_string()), if count == 1 { "" } else { "s" })
}

fn meaning(end: NodeEnd) -> &'static str {
    match end {
        NodeEnd::Win => "a win or a loss that is seen without a search",
        NodeEnd::Forced => "forced replies that were played out",
        NodeEnd::Zugzwang => "squares that one side is sure to get",
        NodeEnd::Bound => "the number of stones alone",
        NodeEnd::Table => "a bound that the table knew",
        NodeEnd::Search => "a search of their moves",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashMap;

    fn words_of(variant: &str, text: &str) -> HashMap<String, String> {
        let position = Reader::on(c4lab_solver::game::BoardSize::STANDARD).read(text).unwrap();
        let spec = registry::find(variant).unwrap().spec;
        let colorless = registry::view(spec, &position).unwrap().colorless;
        words(spec, &position, &colorless).into_iter().collect()
    }

    #[test]
    fn a_board_is_shown_as_its_variant_holds_it() {
        // D. Herzberg's example.
        let herzberg = words_of("herzberg", "434554");
        assert_eq!([&herzberg["heights"], &herzberg["counter"]], ["0 7 15 24 30 35 42", "6"]);
        let [x, o] = ["X", "O"].map(|side| herzberg[side].split(' ').next().unwrap());
        assert_eq!([x, o], ["0x20600000", "0x10804000"]);
        // The boards of "The Wondrous World of Connect Four Bit Boards", whose columns have nine bits there. They differ in
        // two stones that no four can hold, so their keys are equal.
        let board = "OOXO...\nXOXX.OX\nOOXO.OX\nXXOO.XO\nOOOXXOO\nXXXOXXX";
        let other = format!("XOXO...\nOOXX{}", &board[12..]);
        let [one, other] = [board, &other].map(|text| words_of("blog-colorless", text));
        assert!(one["mover"].starts_with("0x640a03090e40a15 ") && one["mover"] != other["mover"], "{one:?}");
        let key = ["key, mover + all stones + bottom row", "and its stones of either side"];
        assert_eq!(key.map(|name| &one[name]), key.map(|name| &other[name]));
        assert!(!words_of("bot-baseline", "434554").contains_key(key[0]) && words_of("pons-03", "4").is_empty());
    }
}
