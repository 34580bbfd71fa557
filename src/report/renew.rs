//! Renewing: the splices of a Markdown file are made again between their markers.
//!
//! ```text
//! <!-- c4lab:begin ladder results/2026-11-20-ladder goal=strong -->
//! (generated)
//! <!-- c4lab:end -->
//! ```
//!
//! The folder is written relative to the project; [`splice`](crate::splice) says what kinds there are, and which words may follow.

use crate::splice::{Contents, splice};
use anyhow::{Result, bail};
use std::collections::HashMap;
use std::path::Path;

const BEGIN: &str = "<!-- c4lab:begin ";
const END: &str = "<!-- c4lab:end -->";
/// What stands in a splice whose record is still to be made.
const TO_BE_MADE: &str = "to be made";

pub type Open<'a> = &'a mut dyn FnMut(&Path) -> Result<Contents>;

/// The file's text with its splices renewed, and how many there are: those of `wanted`, or all. An error names file and
/// line.
pub fn renew(file: &str, text: &str, wanted: Option<&Path>, open: Open<'_>) -> Result<(String, usize)> {
    let (mut out, mut renewed) = (String::new(), 0);
    let mut folders: HashMap<String, Contents> = HashMap::new();
    let mut rest = text.lines().enumerate();
    while let Some((index, line)) = rest.next() {
        out.push_str(line);
        out.push('\n');
        let Some(marker) = line.trim().strip_prefix(BEGIN) else { continue };
        let at = format!("{file}, line {}", index + 1);
        let Some(marker) = marker.strip_suffix("-->") else { bail!("{at}: the marker does not end with -->") };
        let old: Vec<&str> = rest.by_ref().map(|(_, line)| line).take_while(|line| line.trim() != END).collect();
        let ends = text.lines().nth(index + 1 + old.len()).is_some_and(|line| line.trim() == END);
        if !ends {
            bail!("{at}: a splice without {END}");
        }
        let words: Vec<&str> = marker.split_whitespace().collect();
        let Some(&named) = words.get(1) else { bail!("{at}: a splice without a folder") };
        let waits = old.iter().any(|line| line.trim() == TO_BE_MADE) && !Path::new(named).exists();
        if !waits && wanted.is_none_or(|folder| same_place(Path::new(named), folder)) {
            if !folders.contains_key(named) {
                let opened = open(Path::new(named)).map_err(|error| anyhow::anyhow!("{at}: {error:#}"))?;
                folders.insert(named.to_string(), opened);
            }
            let contents = &folders[named];
            let new = splice(&words, contents).map_err(|reason| anyhow::anyhow!("{at}: {reason}"))?;
            let name = Path::new(file).file_name().unwrap_or_default().to_string_lossy();
            out.push_str(&format!("\n{new}\nMade by `c4lab report {named} --splice {name}`.\n\n"));
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reading::tests::reading;
    use crate::tables::instructions::tests::row;
    use c4lab_measure::fixtures::sample;

    fn run(text: &str) -> Result<(String, usize)> {
        let open =
            |_: &Path| Ok(Contents::Samples(Box::new(reading(&[sample("a", 1, 100, 10), sample("b", 1, 50, 5)]))));
        renew("F.md", text, Some(Path::new("results/x")), &mut { open })
    }

    #[test]
    fn splices_of_the_folder_are_renewed_and_nothing_else() {
        let text = "# T\n<!-- c4lab:begin ladder results/x goal=strong -->\nold\n<!-- c4lab:end -->\n\
                    <!-- c4lab:begin summary results/y -->\nkept\n<!-- c4lab:end -->\nend\n";
        let (new, count) = run(text).unwrap();
        assert_eq!(count, 1);
        assert!(!new.contains("old") && new.contains("kept") && new.ends_with("end\n"), "{new}");
        assert!(new.contains("100 ns / 10.00") && new.contains("c4lab report results/x --splice F.md"), "{new}");
        assert_eq!(run(&new).unwrap().0, new, "renewing twice changes nothing");
    }

    #[test]
    fn without_a_folder_all_splices_are_renewed_but_those_that_wait() {
        let written =
            |folder: &str, old: &str| format!("<!-- c4lab:begin summary {folder} -->\n\n{old}\n\n<!-- c4lab:end -->\n");
        let text =
            [written("results/x", "old"), written("results/y", "old"), written("results/z", "to be made")].concat();
        let mut opened = Vec::new();
        let mut open = |folder: &Path| {
            opened.push(folder.display().to_string());
            Ok(Contents::Samples(Box::new(reading(&[sample("a", 1, 100, 10)]))))
        };
        let (new, count) = renew("F.md", &text, None, &mut open).unwrap();
        assert_eq!((count, opened), (2, vec!["results/x".to_string(), "results/y".to_string()]));
        assert!(!new.contains("old") && new.contains("to be made"), "{new}");
        let mut absent = |_: &Path| anyhow::bail!("no samples");
        let error = renew("F.md", &text, None, &mut absent).unwrap_err().to_string();
        assert_eq!(error, "F.md, line 1: no samples");
    }

    #[test]
    fn bad_markers_are_errors_with_their_line() {
        let error = |text: &str| run(text).unwrap_err().to_string();
        assert_eq!(
            error("a\n<!-- c4lab:begin ladder results/x -->\n"),
            "F.md, line 2: a splice without <!-- c4lab:end -->"
        );
        let written = |words: &str| format!("<!-- c4lab:begin {words} -->\n<!-- c4lab:end -->\n");
        assert!(error(&written("lader results/x")).contains("is none of summary, ladder, steps"));
        assert!(error(&written("ladder results/x goal=both")).contains("goal=strong or goal=weak"));
        assert!(error(&written("ladder results/x sets=nowhere")).contains("no row"));
        assert!(error("<!-- c4lab:begin ladder results/x\n").contains("does not end"));
    }

    #[test]
    fn splices_of_pairs_and_of_chosen_variants() {
        let written = |words: &str| {
            let text = format!("<!-- c4lab:begin {words} -->\nold\n<!-- c4lab:end -->\n");
            run(&text).map(|(new, _)| new).map_err(|error| error.to_string())
        };
        let pairs = written("pairs results/x goal=strong pairs=a:b").unwrap();
        assert!(pairs.contains("nodes 2.00x, time 2.00x"), "{pairs}");
        let by_ply = written("by-ply results/x goal=strong sets=s pairs=b:a band=4").unwrap();
        assert!(by_ply.contains("stones") && by_ply.contains("nodes 0.500x"), "{by_ply}");
        let all = written("speed-ups results/x goal=strong").unwrap();
        assert!(all.contains("geometric mean") && written("steps results/x").unwrap().contains("| a "), "{all}");
        let second = written("summary results/x variants=b").unwrap();
        assert!(second.contains("| b") && !second.contains("| a "), "{second}");
        let first = written("summary results/x variants=b,a").unwrap();
        assert!(first.find("| b").unwrap() < first.find("| a").unwrap() && first.contains("0.500x"), "{first}");
        for (words, reason) in [
            ("pairs results/x goal=strong", "pairs needs goal= and pairs="),
            ("pairs results/x pairs=a:b", "pairs needs goal= and pairs="),
            ("pairs results/x goal=strong pairs=ab", "\"ab\" is not base:variant"),
            ("pairs results/x goal=strong pairs=a:c", "no row of \"c\""),
            ("by-ply results/x goal=strong pairs=a:b band=0", "band= is a number of plies"),
            ("summary results/x variant=b", "is none of goal="),
            ("ablation results/x variant=b", "is none of goal="),
            ("instructions results/x", "holds nothing for \"instructions\""),
        ] {
            assert!(written(words).unwrap_err().contains(reason), "{words}: {:?}", written(words));
        }
    }

    #[test]
    fn splices_of_instruction_counts() {
        let rows = [row("wins", "has_four", 3050), row("keys", "key", 400)];
        let run = |words: &str| {
            let text = format!("<!-- c4lab:begin {words} -->\nold\n<!-- c4lab:end -->\n");
            let open = |_: &Path| Ok(Contents::Instructions(rows.to_vec()));
            renew("F.md", &text, Some(Path::new("results/x")), &mut { open }).map(|(new, _)| new)
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
