//! Generated blocks: parts of a Markdown file, between markers, that are generated from a folder.
//!
//! ```text
//! <!-- c4lab:begin ladder results/2026-11-20-ladder goal=strong -->
//! (generated)
//! <!-- c4lab:end -->
//! ```
//!
//! | kind | of | words |
//! | --- | --- | --- |
//! | a table of a report ([`NAMES`]) | samples | `goal= sets= variants=` |
//! | `ladder`: variants by sets, mean time / mean nodes | samples | `goal= sets= variants=` |
//! | `pairs`: pairs of variants by sets, nodes and time | samples | `goal= sets= pairs=base:variant,...` |
//! | `attribution`: worth of techniques | node rows | `parts=values,interactions,paths` |
//! | `claims`: claims with their verdicts | claims.csv | `claims=` |
//! | a kind that an extra adds | its rows | |
//!
//! The folder is relative to the project. Names are separated by commas; the first of `variants=` is the base.

use crate::attribution::{AttributionReading, output};
use crate::claims::finding;
use crate::extras::{kinds_in, row_kinds};
use crate::reading::Reading;
use crate::record::refuse_wrong;
use crate::results::{Group, Results, Series, said_of_limits};
use crate::table::{Table, markdown};
use crate::tables::pairs::{Pair, by_set};
use crate::tables::summary::{ladder, summarise};
use crate::tables::{self, NAMES};
use anyhow::{Result, anyhow, bail};
use c4lab_measure::files::{node_row, rows, sample};
use c4lab_solver::search::{Goal, name};
use std::collections::HashMap;
use std::path::{Path, PathBuf};

const BEGIN: &str = "<!-- c4lab:begin ";
const END: &str = "<!-- c4lab:end -->";

/// The contents of a folder.
#[derive(Debug)]
pub enum Contents {
    Samples(Box<Reading>),
    /// Node rows of an attribution.
    Attribution(Box<AttributionReading>),
    /// Verdicts on claims, or rows of a kind that an extra adds.
    Kept(PathBuf),
}

impl Contents {
    pub fn open(folder: &Path) -> Result<Self> {
        if node_row::is_in(folder) {
            return Ok(Contents::Attribution(Box::new(AttributionReading::open(folder)?)));
        }
        if has_kept_rows(folder) {
            return Ok(Contents::Kept(folder.to_path_buf()));
        }
        let reading = Reading::open(folder)?;
        refuse_wrong(&reading, "no block is made")?;
        Ok(Contents::Samples(Box::new(reading)))
    }
}

fn has(folder: &Path, file: &str) -> bool {
    rows::file_of(folder, file).is_file()
}

/// True if `folder` has no samples, but verdicts on claims or rows of a kind that an extra adds.
pub fn has_kept_rows(folder: &Path) -> bool {
    (has(folder, finding::FILE) || kinds_in(folder).next().is_some()) && !has(folder, sample::FILE)
}

pub fn kept_tables(folder: &Path) -> Result<Vec<Table>> {
    let mut tables = Vec::new();
    for kind in kinds_in(folder) {
        tables.extend((kind.tables)(folder)?);
    }
    if has(folder, finding::FILE) {
        tables.extend(finding::tables(&rows::read(folder)?).0);
    }
    Ok(tables)
}

/// Regenerates the blocks of the folder `wanted`, or all, in `text`, and counts them. `open` reads the folder of a
/// block. An error names `file` and the line.
pub fn update(
    file: &str,
    text: &str,
    wanted: Option<&Path>,
    open: &mut dyn FnMut(&Path) -> Result<Contents>,
) -> Result<(String, usize)> {
    let (mut out, mut made) = (String::new(), 0);
    let mut folders: HashMap<String, Contents> = HashMap::new();
    let mut rest = text.lines().enumerate();
    while let Some((index, line)) = rest.next() {
        out.push_str(line);
        out.push('\n');
        let Some(marker) = line.trim_start_matches('\u{feff}').trim().strip_prefix(BEGIN) else { continue };
        let at = format!("{file}, line {}", index + 1);
        let Some(marker) = marker.strip_suffix("-->") else { bail!("{at}: the marker does not end with -->") };
        let old: Vec<&str> = rest.by_ref().map(|(_, line)| line).take_while(|line| line.trim() != END).collect();
        if text.lines().nth(index + 1 + old.len()).is_none_or(|line| line.trim() != END) {
            bail!("{at}: a block without {END}");
        }
        let words: Vec<&str> = marker.split_whitespace().collect();
        let Some(&named) = words.get(1) else { bail!("{at}: a block without a folder") };
        if wanted.is_none_or(|folder| is_same_place(Path::new(named), folder)) {
            if !folders.contains_key(named) {
                let opened = open(Path::new(named)).map_err(|error| anyhow!("{at}: {error:#}"))?;
                folders.insert(named.to_string(), opened);
            }
            let new = block(&words, &folders[named]).map_err(|reason| anyhow!("{at}: {reason}"))?;
            out.push_str(&format!("\n{new}\nMade by `c4lab report {named} --splice {}`.\n\n", shown(file)));
            made += 1;
        } else {
            old.iter().for_each(|line| out.push_str(&format!("{line}\n")));
        }
        out.push_str(&format!("{END}\n"));
    }
    if !text.ends_with('\n') {
        out.truncate(out.trim_end_matches('\n').len());
    }
    if text.contains("\r\n") {
        out = out.replace('\n', "\r\n");
    }
    Ok((out, made))
}

/// The path of `file` from the current folder: a block must not depend on how the command named the file.
fn shown(file: &str) -> String {
    let here = std::env::current_dir().unwrap_or_default();
    let path = Path::new(file);
    path.strip_prefix(here).or(path.strip_prefix(".")).unwrap_or(path).display().to_string()
}

fn is_same_place(one: &Path, other: &Path) -> bool {
    one == other || one.canonicalize().ok().zip(other.canonicalize().ok()).is_some_and(|(one, other)| one == other)
}

/// The text of a block. `words` are those of its marker: kind, folder and choices. The error is the reason for no text.
pub fn block(words: &[&str], contents: &Contents) -> Result<String, String> {
    let (kind, chosen) = (words[0], words.get(2..).unwrap_or_default());
    let is_of_samples = ["ladder", "pairs"].contains(&kind) || NAMES.contains(&kind);
    let is_kept = kind == "claims" || row_kinds().iter().any(|known| known.name == kind);
    match contents {
        Contents::Samples(reading) if is_of_samples => of_samples(kind, &Choice::parse(chosen)?, reading),
        // Verdicts are in the folder of their samples.
        Contents::Samples(reading) if kind == "claims" => finding::splice(&reading.folder, chosen),
        Contents::Attribution(reading) if kind == "attribution" => output::splice(chosen, reading),
        Contents::Kept(folder) if is_kept => of_kept(kind, chosen, folder),
        _ if is_of_samples || is_kept || kind == "attribution" => Err(format!("the folder holds nothing for {kind:?}")),
        _ => {
            let extra: String = row_kinds().iter().map(|kind| format!(", {}", kind.name)).collect();
            let tables = NAMES.join(", ");
            Err(format!("{kind:?} is none of {tables}, ladder, pairs, attribution, claims{extra}"))
        }
    }
}

fn of_kept(kind: &str, words: &[&str], folder: &Path) -> Result<String, String> {
    let message = |error: anyhow::Error| format!("{error:#}");
    if kind == "claims" {
        return finding::splice(folder, words);
    }
    if !words.is_empty() {
        return Err(format!("{kind:?} takes no words after the folder"));
    }
    let kind = kinds_in(folder).find(|known| known.name == kind).ok_or("the folder has no such rows")?;
    Ok(markdown(&(kind.tables)(folder).map_err(message)?))
}

/// The rows, variants and pairs that the words of a block choose.
#[derive(Default)]
struct Choice<'a> {
    goal: Option<Goal>,
    sets: Vec<&'a str>,
    variants: Vec<&'a str>,
    pairs: Vec<Pair>,
}

impl<'a> Choice<'a> {
    fn parse(words: &[&'a str]) -> Result<Self, String> {
        let mut choice = Choice::default();
        for word in words {
            match word.split_once('=') {
                Some(("goal", name)) => {
                    let goal = Goal::ALL.into_iter().find(|goal| goal.name() == name);
                    choice.goal = Some(goal.ok_or("goal=strong or goal=weak")?);
                }
                Some(("sets", names)) => choice.sets = names.split(',').collect(),
                Some(("variants", names)) => choice.variants = name::list(names),
                Some(("pairs", pairs)) => {
                    choice.pairs = name::list(pairs).into_iter().map(Pair::parse).collect::<Result<_, _>>()?;
                }
                _ => return Err(format!("{word:?} is none of goal=, sets=, variants=, pairs=")),
            }
        }
        Ok(choice)
    }

    /// The chosen results, with variants in the order of `variants=`.
    fn of(&self, results: &Results) -> Results {
        let mut chosen = results.keep(|group| {
            self.goal.is_none_or(|goal| group.goal == goal)
                && (self.sets.is_empty() || self.sets.contains(&group.set.as_str()))
        });
        for group in chosen.groups.iter_mut().filter(|_| !self.variants.is_empty()) {
            let place = |series: &Series| self.variants.iter().position(|name| series.is_called(name));
            group.series.retain(|series| place(series).is_some());
            group.series.sort_by_key(place);
        }
        chosen.groups.retain(|group| !group.series.is_empty());
        chosen
    }
}

fn of_samples(kind: &str, choice: &Choice<'_>, reading: &Reading) -> Result<String, String> {
    let (chosen, seed) = (choice.of(&reading.results), reading.manifest.experiment.seed);
    if chosen.groups.is_empty() {
        return Err("the folder has no row that the marker asks for".to_string());
    }
    let paired = choice.pairs.iter().flat_map(|pair| [pair.base.as_str(), &pair.variant]);
    for name in paired.chain(choice.variants.iter().copied()) {
        if chosen.groups.iter().all(|group| group.named(name).is_none()) {
            return Err(format!("the folder has no row of {name:?} that the marker asks for"));
        }
    }
    match kind {
        "ladder" => {
            let recorded = |name: &&str| chosen.series().find(|series| series.is_called(name));
            let order = choice.variants.iter().filter_map(recorded).map(|series| series.variant.clone());
            let (lines, goal) = (summarise(&chosen, seed), choice.goal.unwrap_or_default());
            Ok(ladder(&lines, goal, &order.collect::<Vec<_>>()) + &notes(&chosen))
        }
        "pairs" if choice.pairs.is_empty() || choice.goal.is_none() => Err("pairs needs goal= and pairs=".to_string()),
        "pairs" => Ok(by_set(&chosen, seed, &choice.pairs) + &notes(&chosen)),
        _ => match tables::tables(&chosen, seed, kind, &tables::Choice::default()).as_slice() {
            [] => Err(format!("the folder has nothing to show of {kind:?}")),
            tables => Ok(markdown(tables)),
        },
    }
}

/// The notes below a table with dynamic variants, with variants that reached a limit, or with missing cells.
fn notes(chosen: &Results) -> String {
    let times = chosen.groups.iter().map(Group::said_of_times).max_by_key(String::len).unwrap_or_default();
    let notes = [said_of_limits(&chosen.groups), times, chosen.remark(false)].join(" ");
    if notes.trim().is_empty() { String::new() } else { format!("\n{}\n", notes.trim()) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reading::tests::reading;
    use crate::results::tests::sample;

    fn run(text: &str) -> Result<(String, usize)> {
        let open =
            |_: &Path| Ok(Contents::Samples(Box::new(reading(&[sample("a", 1, 100, 10), sample("b", 1, 50, 5)]))));
        update("F.md", text, Some(Path::new("results/x")), &mut { open })
    }

    fn marked(words: &str, old: &str) -> String {
        format!("<!-- c4lab:begin {words} -->\n\n{old}\n\n<!-- c4lab:end -->\n")
    }

    #[test]
    fn blocks_of_the_folder_are_made_again_and_nothing_else() {
        let text = marked("ladder results/x goal=strong", "old") + &marked("summary results/y", "kept") + "end\n";
        let (new, count) = run(&text).unwrap();
        assert!(count == 1 && !new.contains("old") && new.contains("kept") && new.ends_with("end\n"), "{new}");
        assert!(new.contains("100 ns / 10.00") && new.contains("c4lab report results/x --splice F.md"), "{new}");
        assert_eq!(run(&new).unwrap().0, new, "twice changes nothing");
        let mut open = |folder: &Path| bail!("{} is opened", folder.display());
        let error = update("F.md", &text, None, &mut open).unwrap_err().to_string();
        assert_eq!(error, "F.md, line 1: results/x is opened", "without a folder all are made");
    }

    #[test]
    fn words_choose_and_bad_ones_are_errors_with_their_line() {
        let made = |words: &str| run(&marked(words, "old")).map(|(new, _)| new).map_err(|error| error.to_string());
        assert!(made("pairs results/x goal=strong pairs=a:b").unwrap().contains("nodes 2.00x, time 2.00x"));
        assert!(made("steps results/x").unwrap().contains("| a "));
        let second = made("summary results/x variants=b").unwrap();
        assert!(second.contains("| b") && !second.contains("| a "), "{second}");
        let first = made("summary results/x variants=b,a").unwrap();
        assert!(first.find("| b").unwrap() < first.find("| a").unwrap() && first.contains("0.500x"), "{first}");
        for (words, reason) in [
            ("lader results/x", "is none of matrix, summary"),
            ("ladder results/x goal=both", "goal=strong or goal=weak"),
            ("ladder results/x sets=nowhere", "no row"),
            ("pairs results/x pairs=a:b", "pairs needs goal= and pairs="),
            ("pairs results/x goal=strong pairs=ab", "\"ab\" is not base:variant"),
            ("pairs results/x goal=strong pairs=a:c", "no row of \"c\""),
            ("summary results/x variant=b", "is none of goal="),
            ("attribution results/x", "holds nothing for \"attribution\""),
            ("processes results/x", "nothing to show"),
        ] {
            let error = made(words).unwrap_err();
            assert!(error.starts_with("F.md, line 1: ") && error.contains(reason), "{words}: {error}");
        }
        for bad in ["a\n<!-- c4lab:begin ladder results/x -->\n", "<!-- c4lab:begin ladder results/x\n"] {
            assert!(run(bad).is_err(), "{bad}");
        }
    }
}
