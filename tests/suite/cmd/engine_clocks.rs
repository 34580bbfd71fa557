//! Whose time of a foreign program enters the tables, what it states of its nodes, and what it wrote when it failed: through
//! real processes.

use crate::support::output::{run, text};
use crate::support::place::{place, shown};
use c4lab_measure::files::folder::read_samples;
use c4lab_measure::files::sample::{Sample, Status};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Output;

/// An engine that knows end-easy by heart; what it says with the score, and what it does before every answer.
fn solver(place: &Path, every: &str, says: &str) -> PathBuf {
    let (path, set) = (place.join("solver.sh"), concat!(env!("CARGO_MANIFEST_DIR"), "/test-sets/end-easy.txt"));
    let text = format!(
        "if [ \"$1\" = --version ]; then echo solver 1; exit; fi\nn=0\nwhile read -r moves; do\n\
         score=$(grep \"^$moves \" '{set}' | cut -d ' ' -f 2)\n{every}\necho \"$moves ${{score:-0}} {says}\"\ndone\n"
    );
    fs::write(&path, text).unwrap();
    path
}

fn moves(line: usize) -> String {
    let set = fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/test-sets/end-easy.txt")).unwrap();
    set.lines().nth(line - 1).unwrap().split(' ').next().unwrap().to_string()
}

/// An experiment of a variant and the engine on four positions.
fn experiment(place: &Path, solver: &Path, engine: &str) -> PathBuf {
    let path = place.join("mine.toml");
    let run = "[[runs]]\nvariants = [\"pons-12\", \"mine\"]\ntest-sets = [\"end-easy\"]\n";
    let command = format!("command = 'sh {}'", shown(solver));
    fs::write(&path, format!("name = \"mine\"\nlimit = 4\n[engines.mine]\n{command}\n{engine}\n{run}")).unwrap();
    path
}

fn measure(file: &Path, out: &Path, more: &[&str]) -> Output {
    run(&[&["measure", shown(file), "--quiet", "--out", shown(out)], more].concat())
}

/// Measures an engine that states 17 nodes and 5 us; `engine` says more of it.
fn measured(place: &Path, out: &Path, engine: &str) {
    let output = measure(&experiment(place, &solver(place, "", "17 5"), engine), out, &[]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
}

fn printed(arguments: &[&str]) -> String {
    let output = run(arguments);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    text(&output.stdout)
}

/// The mean time of the engine in the summary, and the name that it has there.
fn mean(out: &Path, more: &[&str]) -> (String, f64) {
    let csv = printed(&[&["report", shown(out), "--tables", "summary", "--format", "csv"], more].concat());
    let mut reader = csv::Reader::from_reader(csv.as_bytes());
    let place = reader.headers().unwrap().iter().position(|name| name == "mean_ns").unwrap();
    let row = reader.records().map(Result::unwrap).find(|row| row[2].starts_with("mine")).unwrap();
    (row[2].to_string(), row[place].parse().unwrap())
}

fn theirs(out: &Path) -> Vec<Sample> {
    read_samples(out).unwrap().into_iter().filter(|row| row.variant == "mine").collect()
}

#[test]
fn a_program_s_own_time_enters_the_tables_under_a_mark() {
    let (place, out) = place();
    measured(place.path(), &out, "clock = \"own\"");
    for row in theirs(&out) {
        assert_eq!((row.engine_ns, row.engine_nodes, row.nodes), (Some(5000), Some(17), None), "{row:?}");
        assert!(row.wall_ns > Some(5000) && row.spec.ends_with(",clock=own"), "both times are kept: {row:?}");
    }
    assert!(fs::read_to_string(out.join("manifest.json")).unwrap().contains("\"clock\": \"own\""));
    assert!(
        fs::read_to_string(out.join("summary.csv")).unwrap().contains("end-easy,mine (own clock),strong,4,4,0,0,5000")
    );
    assert_eq!(mean(&out, &[]), ("mine (own clock)".to_string(), 5000.0));
    let (name, ours) = mean(&out, &["--engine-clock", "ours"]);
    assert!(name == "mine" && ours > 5000.0, "{name} {ours}");
    let every = ["summary", "speed-ups", "steps", "by-ply", "budgets", "profiles"];
    let report = printed(&["report", shown(&out), "--tables", &every.join(","), "--format", "markdown"]);
    assert!(!report.contains("| mine |") && !report.contains("| mine  "), "{report}");
    assert_eq!(report.matches("Own clock (mine): the time that the program states").count(), every.len(), "{report}");
    let engines = printed(&["report", shown(&out), "--tables", "engines", "--format", "csv"]);
    let row: Vec<&str> = engines.lines().nth(1).unwrap().split(',').collect();
    assert_eq!(row[2..6], ["mine", "4", "17", "5000"]);
    assert!(row[6].parse::<f64>().unwrap() > 5000.0 && row[7].parse::<f64>().unwrap() > 0.0, "{engines}");
    let compared = printed(&["compare", shown(&out), "--base", "pons-12", "--to", "mine"]);
    assert!(compared.contains("pons-12 : mine (own clock)\n") && compared.contains("Own clock (mine)"), "{compared}");
    // A record keeps the clock of its manifest, and is read by it.
    let record = place.path().join("record");
    printed(&["report", shown(&out), "--record", shown(&record)]);
    let report = fs::read_to_string(record.join("report.md")).unwrap();
    assert!(report.contains("mine (own clock)") && report.contains("timed by its own clock"), "{report}");
    assert_eq!(mean(&record, &[]).0, "mine (own clock)");
    let both = run(&["report", shown(&out), "--record", shown(&record), "--engine-clock", "ours"]);
    assert_eq!(both.status.code(), Some(2));
}

/// Rows hold both times, whatever the experiment said.
#[test]
fn a_reader_chooses_the_clock() {
    let (place, out) = place();
    measured(place.path(), &out, "");
    assert!(!fs::read_to_string(out.join("manifest.json")).unwrap().contains("\"clock\": \"o"));
    assert_eq!(mean(&out, &[]).0, "mine");
    assert_eq!(mean(&out, &["--engine-clock", "own"]), ("mine (own clock)".to_string(), 5000.0));
    let page = place.path().join("page.html");
    printed(&["report", shown(&out), "--engine-clock", "own", "--html", shown(&page)]);
    assert!(fs::read_to_string(&page).unwrap().contains("mine (own clock)"));
    let splice = place.path().join("x.md");
    let block = |words: &str| {
        fs::write(&splice, format!("<!-- c4lab:begin summary {} {words}-->\n<!-- c4lab:end -->\n", shown(&out)))
            .unwrap();
        let output = run(&["report", "--splice", shown(&splice)]);
        text(&output.stderr) + &fs::read_to_string(&splice).unwrap()
    };
    assert!(!block("").contains("own clock") && block("clock=own ").contains("| mine (own clock) |"));
    assert!(block("clock=theirs ").contains("x.md, line 1: the clock \"theirs\" is none: choose"));
    let refused = run(&["report", shown(&out), "--engine-clock", "theirs"]);
    assert!(refused.status.code() == Some(2) && text(&refused.stderr).contains("choose \"ours\""), "{refused:?}");
    let ladder = run(&["report", "results/2026-11-25-reproduce-pons-05", "--engine-clock", "own"]);
    let said = text(&ladder.stderr);
    assert!(ladder.status.code() == Some(1) && said.contains("there is no clock to choose"), "{said}");
}

#[test]
fn a_clock_is_chosen_on_the_command_line() {
    let (place, out) = place();
    let engine = format!("mine=sh {}", shown(&solver(place.path(), "", "17 5")));
    let base = ["measure", "--variants", "pons-12", "--test-sets", "end-easy", "--limit", "4", "--quiet"];
    let with = |more: &[&str]| run(&[&base[..], &["--out", shown(&out)], more].concat());
    let none = with(&["--engine-clock", "own"]);
    assert!(none.status.code() == Some(2) && text(&none.stderr).contains("no foreign program takes part"), "{none:?}");
    let output = with(&["--engine", &engine, "--engine-clock", "own"]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    assert!(text(&output.stdout).contains("mine (own clock)"), "{}", text(&output.stdout));
    let other = with(&["--engine", &engine]);
    assert!(
        other.status.code() == Some(1) && text(&other.stderr).contains("engines:"),
        "another clock is another setting"
    );
}

#[test]
fn two_clocks_of_one_program_are_kept_apart() {
    let (place, out) = place();
    let (own, merged) = (place.path().join("own"), place.path().join("merged"));
    measured(place.path(), &out, "");
    measured(place.path(), &own, "clock = \"own\"");
    let merge = run(&["merge", shown(&merged), shown(&out), shown(&own), "--mixed"]);
    let said = text(&merge.stderr);
    assert!(
        merge.status.code() == Some(1) && said.contains("the clock of the engine mine is not the one of"),
        "{said}"
    );
    assert!(!merged.exists());
    let both = ["compare", shown(&out), shown(&own), "--base", "mine"];
    let compare = run(&both);
    let said = text(&compare.stderr);
    assert!(compare.status.code() == Some(1) && said.contains("two clocks are not compared"), "{said}");
    let chosen = run(&[&both[..], &["--engine-clock", "own"]].concat());
    assert_eq!(chosen.status.code(), Some(0), "{}", text(&chosen.stderr));
}

#[test]
fn a_clock_that_cannot_be_is_refused_by_file_and_reason() {
    let (place, out) = place();
    let refused = |engine: &str, reasons: &[&str]| {
        let output = measure(&experiment(place.path(), &solver(place.path(), "", ""), engine), &out, &[]);
        let said = text(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{engine}: {said}");
        assert!(reasons.iter().all(|reason| said.contains(reason)), "{engine}: {said}");
        assert!(!out.exists());
    };
    refused("clock = \"theirs\"", &["mine.toml, line 5: the clock \"theirs\" is none: choose \"ours\"", "\"own\""]);
    refused("clock = 3", &["mine.toml, line 5", "invalid type"]);
    refused("clok = \"own\"", &["mine.toml, line 5: no key \"clok\"; nearest: \"clock\""]);
    refused(
        "clock = \"own\"\nanswer = \"{moves} {score}\"",
        &["mine.toml: engine \"mine\": clock = \"own\" needs the program's time in the answer: give {microseconds}"],
    );
}

#[test]
fn an_answer_without_its_own_time_is_an_error_where_that_is_the_time() {
    let (place, out) = place();
    let every = format!("own=\"17 5\"; [ $moves = {} ] && own=", moves(2));
    let file = experiment(place.path(), &solver(place.path(), &every, "$own"), "clock = \"own\"");
    let output = measure(&file, &out, &[]);
    assert_eq!(output.status.code(), Some(1), "{}", text(&output.stderr));
    let rows = theirs(&out);
    let failed: Vec<&Sample> = rows.iter().filter(|row| row.status == Status::Error).collect();
    assert!(failed.len() == 1 && failed[0].position_id == 2, "{rows:?}");
    let reason = failed[0].marks.as_deref().unwrap();
    assert!(reason.contains("no time of its own, which clock = \"own\" needs"), "{reason}");
    // Where rows are read by a clock that their program never had, they are answers without a time.
    let (place, silent) = self::place();
    measure(&experiment(place.path(), &solver(place.path(), "", ""), ""), &silent, &[]);
    let output = run(&["report", shown(&silent), "--engine-clock", "own"]);
    let (said, printed) = (text(&output.stderr), text(&output.stdout));
    assert!(said.contains("mine (own clock): it states no time, so it has none in the tables"), "{said}");
    assert!(printed.contains("Answers without such a time have none here: 4 of mine."), "{printed}");
}

#[test]
fn nodes_of_a_program_stand_in_a_column_of_their_own() {
    let (place, out) = place();
    measured(place.path(), &out, "");
    let report = printed(&["report", shown(&out), "--tables", "summary"]);
    assert!(report.contains("own nodes") && report.contains("compare them with no others"), "{report}");
    let csv = printed(&["report", shown(&out), "--tables", "summary", "--format", "csv"]);
    let mut reader = csv::Reader::from_reader(csv.as_bytes());
    let of = |names: &csv::StringRecord, name: &str| names.iter().position(|other| other == name).unwrap();
    let names = reader.headers().unwrap().clone();
    let rows: Vec<csv::StringRecord> = reader.records().map(Result::unwrap).collect();
    let (nodes, own) = (of(&names, "mean_nodes"), of(&names, "engine_nodes"));
    assert!(!rows[0][nodes].is_empty() && rows[0][own].is_empty(), "{csv}");
    assert!(rows[1][nodes].is_empty() && &rows[1][own] == "17", "{csv}");
    let plots = place.path().join("plots");
    printed(&["report", shown(&out), "--plots", shown(&plots)]);
    assert!(!plots.join("end-easy-strong-scatter-nodes.svg").exists(), "counts of two kinds have no common axis");
}

/// Wrong, failed and limited are told apart, and the log of what failed is named and quoted.
#[test]
fn a_failure_quotes_what_the_program_wrote_last() {
    let (place, out) = place();
    let crash = format!("[ $moves = {} ] && {{ printf 'out of luck\\033[31m\\n\\n' >&2; exit 3; }}", moves(1));
    let wrong = format!("[ $moves = {} ] && score=$((score + 1))", moves(3));
    let file = experiment(place.path(), &solver(place.path(), &format!("{crash}\n{wrong}"), ""), "");
    let output = measure(&file, &out, &[]);
    let said = text(&output.stderr);
    let quote = "The stderr of mine (engines/mine.log) ends with \"out of luck [31m\".";
    assert!(output.status.code() == Some(4) && said.contains(quote), "{said}");
    let failures = run(&["report", shown(&out), "--tables", "failures"]);
    let printed = text(&failures.stdout);
    assert_eq!(failures.status.code(), Some(4));
    assert!(printed.contains("end-easy, strong: wrong, failed, limited") && printed.contains(quote), "{printed}");
    let rows: Vec<&str> = printed.lines().filter(|line| line.contains(" mine ")).collect();
    assert!(rows[0].trim_start().starts_with("wrong") && rows[1].trim_start().starts_with("failed"), "{printed}");
    assert!(rows[1].contains("error") && rows[1].contains("exited with status 3"), "{printed}");
    let compare = run(&["compare", shown(&out), "--base", "pons-12", "--to", "mine"]);
    let said = text(&compare.stderr);
    assert!(said.contains("mine: 1 position answered wrongly"), "{said}");
    assert!(said.contains("mine: it failed on 1 position, without an answer"), "{said}");
}

/// A banner of several lines and remarks before every answer: the moves tell which line is the answer.
#[test]
fn a_program_may_print_more_than_its_answers() {
    let (place, out) = place();
    let banner = "[ $n = 0 ] && printf 'Solver 3.1\\n64 MiB, no book\\n'; n=1; echo \"thinking ...\"";
    let answer = "answer = \"{moves} {score} ...\"";
    let file = experiment(place.path(), &solver(place.path(), banner, "in no time"), answer);
    let output = measure(&file, &out, &[]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    assert!(theirs(&out).iter().all(|row| row.status == Status::Ok), "{:?}", theirs(&out));
}
