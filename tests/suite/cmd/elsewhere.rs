//! The lines of docs/FORMAT.md that read samples in other programs, run as they stand there. What is not installed is
//! passed over, and said so.

use crate::support::process::run;
use c4lab_measure::files::folder::read_samples;
use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

fn lines(heading: &str) -> Vec<String> {
    let text = std::fs::read_to_string("docs/FORMAT.md").unwrap();
    let section = text.split(heading).nth(1).expect("the section is there");
    let shell = section.split("```sh\n").nth(1).and_then(|rest| rest.split("```").next()).expect("lines of shell");
    shell.lines().map(str::to_string).collect()
}

/// Whether what a line begins with is there: an interpreter, and the library that it imports.
fn is_there(line: &str) -> bool {
    let program = line.split(' ').next().unwrap();
    let import = line.split("import ").nth(1).and_then(|rest| rest.split(';').next());
    let arguments = match import {
        Some(libraries) => vec!["-c".to_string(), format!("import {libraries}")],
        None => vec!["--version".to_string()],
    };
    Command::new(program).args(arguments).output().is_ok_and(|output| output.status.success())
}

/// Mean times by set, goal and variant, of CSV with a header line.
fn means(text: &str) -> BTreeMap<[String; 3], f64> {
    let row = |line: &str| {
        let fields: Vec<&str> = line.split(',').collect();
        ([0, 1, 2].map(|index| fields[index].to_string()), fields[3].parse().unwrap())
    };
    text.lines().skip(1).filter(|line| !line.trim().is_empty()).map(row).collect()
}

fn expected(folder: &Path) -> BTreeMap<[String; 3], f64> {
    let mut times: BTreeMap<[String; 3], Vec<f64>> = BTreeMap::new();
    for row in read_samples(folder).unwrap() {
        let key = [row.set, row.goal.name().to_string(), row.variant];
        times.entry(key).or_default().push(row.wall_ns.unwrap() as f64);
    }
    times.into_iter().map(|(key, times)| (key, times.iter().sum::<f64>() / times.len() as f64)).collect()
}

#[test]
#[ignore = "needs other programs"]
fn other_programs_find_the_same_means() {
    let place = tempfile::tempdir().unwrap();
    let folder = place.path().to_str().unwrap();
    let what = ["measure", "--variants", "pons-10,pons-12", "--test-sets", "end-easy,middle-easy", "--quiet"];
    let (status, _, messages) = run(&[&what[..], &["--limit", "3", "--goal", "strong,weak", "--out", folder]].concat());
    assert_eq!(status, 0, "{messages}");
    let expected = expected(place.path());
    let lines = lines("## Reading samples elsewhere");
    assert_eq!((expected.len(), lines.len()), (8, 4));
    for line in lines {
        if !is_there(&line) {
            println!("skipped, not installed: {}", &line[..40]);
            continue;
        }
        let output = Command::new("sh").args(["-c", &line]).current_dir(place.path()).output().unwrap();
        assert!(output.status.success(), "{line}: {}", String::from_utf8_lossy(&output.stderr));
        let means = means(&String::from_utf8_lossy(&output.stdout));
        assert_eq!(means.keys().collect::<Vec<_>>(), expected.keys().collect::<Vec<_>>(), "{line}");
        for (key, mean) in &means {
            assert!((mean / expected[key] - 1.0).abs() < 1e-9, "{line}: {key:?} {mean}");
        }
    }
}
