//! The lines of docs/FORMAT.md that read samples in other programs, run as they stand there. What is not installed is
//! passed over, and said so.

use crate::support::process::run;
use c4lab_measure::files::folder::read_samples;
use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

/// The lines of shell under a heading.
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

/// The same, by this library.
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
    let narrow = place.path().join("narrow");
    let (status, _, messages) = run(&["export", folder, "--out", narrow.to_str().unwrap()]);
    assert_eq!(status, 0, "{messages}");
    let (wide, thin) = (lines("## Reading samples elsewhere"), lines("## Narrow samples"));
    assert_eq!((expected.len(), wide.len(), thin.len()), (8, 4, 1));
    let wide = wide.into_iter().map(|line| (line, place.path()));
    for (line, folder) in wide.chain(thin.into_iter().map(|line| (line, narrow.as_path()))) {
        if !is_there(&line) {
            println!("skipped, not installed: {}", &line[..40]);
            continue;
        }
        let output = Command::new("sh").args(["-c", &line]).current_dir(folder).output().unwrap();
        assert!(output.status.success(), "{line}: {}", String::from_utf8_lossy(&output.stderr));
        let means = means(&String::from_utf8_lossy(&output.stdout));
        assert_eq!(means.keys().collect::<Vec<_>>(), expected.keys().collect::<Vec<_>>(), "{line}");
        for (key, mean) in &means {
            assert!((mean / expected[key] - 1.0).abs() < 1e-9, "{line}: {key:?} {mean}");
        }
    }
}

/// A row of `export` takes at most 100 bytes where pandas holds it: made-up rows, with everything that may be missing there.
#[test]
fn a_narrow_row_takes_at_most_a_hundred_bytes() {
    const ROWS: usize = 2000;
    let line = "import pandas as pd, json; rows = pd.read_csv('rows.csv', dtype=json.load(open('dtypes.json'))); \
                print(len(rows), rows.memory_usage(index=False, deep=True).sum())";
    if !Command::new("python3").args(["-c", "import pandas"]).output().is_ok_and(|output| output.status.success()) {
        println!("skipped, not installed: pandas");
        return;
    }
    let place = tempfile::tempdir().unwrap();
    let folder = place.path().to_str().unwrap();
    let what =
        ["measure", "--variants", "pons-12", "--test-sets", "end-easy", "--limit", "1", "--quiet", "--out", folder];
    assert_eq!(run(&what).0, 0);
    let rows = read_samples(place.path()).unwrap();
    let mut file = csv::Writer::from_path(place.path().join("samples.csv")).unwrap();
    for index in 0..ROWS as u64 {
        let mut row = rows[0].clone();
        (row.cell_id, row.position_id) = (format!("{index:016x}"), index);
        (row.cpu_ns, row.engine_nodes, row.engine_ns) = (Some(index << 40), Some(index), Some(index));
        (row.score, row.warnings) = (Some(-3).filter(|_| index % 2 == 0), Some("not pinned".to_string()));
        file.serialize(row).unwrap();
    }
    file.flush().unwrap();
    let narrow = place.path().join("narrow");
    assert_eq!(run(&["export", folder, "--out", narrow.to_str().unwrap()]).0, 0);
    let output = Command::new("python3").args(["-c", line]).current_dir(&narrow).output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let numbers: Vec<usize> = text.split_whitespace().map(|number| number.parse().unwrap()).collect();
    assert_eq!(numbers.first(), Some(&ROWS), "{text}{}", String::from_utf8_lossy(&output.stderr));
    assert!(numbers[1] <= 100 * ROWS, "{} bytes a row", numbers[1] / ROWS);
}
