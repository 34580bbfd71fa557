//! Splicing: generated blocks of a Markdown file are renewed between their markers.
//!
//! ```text
//! <!-- c4lab:begin ladder results/2026-11-20-ladder goal=strong -->
//! (generated)
//! <!-- c4lab:end -->
//! ```
//!
//! The kinds are `summary` (one table a set and goal) and `ladder` (variants by sets) of samples, and `instructions`
//! (evaluators of a group) of instruction counts. The folder is written relative to the project; words after it choose:
//! `goal=strong`, `sets=end-easy,middle-easy`; `groups=wins,threats`.

use super::instructions::{self, Row};
use super::markdown::{ladder, markdown};
use super::summary::Line;
use crate::solve::Goal;
use anyhow::{Result, bail};
use std::path::Path;

const BEGIN: &str = "<!-- c4lab:begin ";
const END: &str = "<!-- c4lab:end -->";

/// What a folder holds for blocks.
#[derive(Clone, Copy, Debug)]
pub enum Contents<'a> {
    /// The summary of samples.
    Samples(&'a [Line]),
    /// Instruction counts.
    Instructions(&'a [Row]),
}

/// The file's text with every block of `folder` renewed, and how many there are. An error names file and line.
pub fn splice(file: &str, text: &str, folder: &Path, contents: Contents<'_>) -> Result<(String, usize)> {
    let (mut out, mut renewed) = (String::new(), 0);
    let mut rest = text.lines().enumerate();
    while let Some((index, line)) = rest.next() {
        out.push_str(line);
        out.push('\n');
        let Some(marker) = line.trim().strip_prefix(BEGIN) else { continue };
        let Some(marker) = marker.strip_suffix("-->") else {
            bail!("{file}, line {}: the marker does not end with -->", index + 1);
        };
        let old: Vec<&str> = rest.by_ref().map(|(_, line)| line).take_while(|line| line.trim() != END).collect();
        let ends = text.lines().nth(index + 1 + old.len()).is_some_and(|line| line.trim() == END);
        if !ends {
            bail!("{file}, line {}: a block without {END}", index + 1);
        }
        let words: Vec<&str> = marker.split_whitespace().collect();
        if words.get(1).is_some_and(|named| same_place(Path::new(named), folder)) {
            let block =
                block(&words, contents).map_err(|reason| anyhow::anyhow!("{file}, line {}: {reason}", index + 1))?;
            let name = Path::new(file).file_name().unwrap_or_default().to_string_lossy();
            out.push_str(&format!("\n{block}\nMade by `c4lab report {} --splice {name}`.\n\n", words[1]));
            renewed += 1;
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
    Ok((out, renewed))
}

/// Whether two paths name one folder, however they are typed.
fn same_place(one: &Path, other: &Path) -> bool {
    one == other || one.canonicalize().ok().zip(other.canonicalize().ok()).is_some_and(|(one, other)| one == other)
}

/// What stands in a block, or why its marker says nothing.
fn block(words: &[&str], contents: Contents<'_>) -> Result<String, String> {
    match (words[0], contents) {
        ("summary" | "ladder", Contents::Samples(lines)) => block_of_samples(words, lines),
        ("instructions", Contents::Instructions(rows)) => block_of_counts(words, rows),
        ("summary" | "ladder" | "instructions", _) => Err(format!("the folder holds nothing for {:?}", words[0])),
        (other, _) => Err(format!("{other:?} is neither summary nor ladder nor instructions")),
    }
}

fn block_of_counts(words: &[&str], rows: &[Row]) -> Result<String, String> {
    let mut groups = None;
    for word in &words[2..] {
        match word.split_once('=') {
            Some(("groups", names)) => groups = Some(names.split(',').collect::<Vec<_>>()),
            _ => return Err(format!("{word:?} is not groups=")),
        }
    }
    let names = groups.unwrap_or_default();
    if let Some(missing) = names.iter().find(|name| rows.iter().all(|row| row.group != **name)) {
        return Err(format!("the folder has no group {missing:?}"));
    }
    let of = |name: &&str| rows.iter().filter(|row| row.group == *name).cloned().collect::<Vec<_>>();
    let chosen: Vec<Row> = names.iter().flat_map(of).collect();
    Ok(instructions::markdown(if names.is_empty() { rows } else { &chosen }))
}

fn block_of_samples(words: &[&str], lines: &[Line]) -> Result<String, String> {
    let (mut goal, mut sets) = (None, None);
    for word in &words[2..] {
        match word.split_once('=') {
            Some(("goal", name)) => {
                goal = Some(Goal::ALL.into_iter().find(|goal| goal.name() == name).ok_or("goal=strong or goal=weak")?);
            }
            Some(("sets", names)) => sets = Some(names.split(',').collect::<Vec<_>>()),
            _ => return Err(format!("{word:?} is neither goal= nor sets=")),
        }
    }
    let chosen = |line: &&Line| {
        goal.is_none_or(|goal| line.goal == goal) && sets.as_ref().is_none_or(|sets| sets.contains(&line.set.as_str()))
    };
    let chosen: Vec<Line> = lines.iter().filter(chosen).cloned().collect();
    if chosen.is_empty() {
        return Err("the folder has no row that the marker asks for".to_string());
    }
    Ok(if words[0] == "ladder" { ladder(&chosen, goal.unwrap_or_default()) } else { markdown(&chosen) })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lab::folder::tests::sample;
    use crate::report::instructions::tests::row;
    use crate::report::summary::summarise;

    fn run(text: &str) -> Result<(String, usize)> {
        let lines = summarise(&[sample("a", 1, 100, 10)], &[], 1);
        splice("F.md", text, Path::new("results/x"), Contents::Samples(&lines))
    }

    #[test]
    fn blocks_of_the_folder_are_renewed_and_nothing_else() {
        let text = "# T\n<!-- c4lab:begin ladder results/x goal=strong -->\nold\n<!-- c4lab:end -->\n\
                    <!-- c4lab:begin summary results/y -->\nkept\n<!-- c4lab:end -->\nend\n";
        let (new, count) = run(text).unwrap();
        assert_eq!(count, 1);
        assert!(!new.contains("old") && new.contains("kept") && new.ends_with("end\n"), "{new}");
        assert!(new.contains("100.0 ns / 10.00") && new.contains("c4lab report results/x --splice F.md"), "{new}");
        assert_eq!(run(&new).unwrap().0, new, "renewing twice changes nothing");
    }

    #[test]
    fn bad_markers_are_errors_with_their_line() {
        let error = |text: &str| run(text).unwrap_err().to_string();
        assert_eq!(
            error("a\n<!-- c4lab:begin ladder results/x -->\n"),
            "F.md, line 2: a block without <!-- c4lab:end -->"
        );
        let block = |words: &str| format!("<!-- c4lab:begin {words} -->\n<!-- c4lab:end -->\n");
        assert!(error(&block("lader results/x")).contains("neither summary nor ladder"));
        assert!(error(&block("ladder results/x goal=both")).contains("goal=strong or goal=weak"));
        assert!(error(&block("ladder results/x sets=nowhere")).contains("no row"));
        assert!(error("<!-- c4lab:begin ladder results/x\n").contains("does not end"));
    }

    #[test]
    fn blocks_of_instruction_counts() {
        let rows = [row("wins", "has_four", 3050), row("keys", "key", 400)];
        let run = |words: &str| {
            let text = format!("<!-- c4lab:begin {words} -->\nold\n<!-- c4lab:end -->\n");
            splice("F.md", &text, Path::new("results/x"), Contents::Instructions(&rows)).map(|(new, _)| new)
        };
        let all = run("instructions results/x").unwrap();
        assert!(all.contains("**wins**") && all.contains("30.50") && all.contains("**keys**"), "{all}");
        let one = run("instructions results/x groups=keys").unwrap();
        assert!(!one.contains("wins") && one.contains("4.000"), "{one}");
        let error = |words: &str| run(words).unwrap_err().to_string();
        assert!(error("instructions results/x groups=kyes").contains("line 1: the folder has no group \"kyes\""));
        assert!(error("instructions results/x goal=weak").contains("is not groups="));
        assert!(error("ladder results/x").contains("holds nothing for \"ladder\""));
    }
}
