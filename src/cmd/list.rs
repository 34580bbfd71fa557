//! `c4lab list`: the variants, axes, test sets, experiments, attributions, claims and words that have a name.

use anyhow::Result;
use c4lab_cli::output::{self, Format, Records};
use c4lab_cli::{Exit, Usage, complain};
use c4lab_measure::attribution::{self, Attribution};
use c4lab_measure::plan::experiment::{EMBEDDED, Experiment};
use c4lab_measure::sets::protocol::{Protocol, Ranges, SETS};
use c4lab_measure::sets::test_set::TestSet;
use c4lab_measure::sets::{by_board, by_ply};
use c4lab_report::claims::claim::{self, Claim};
use c4lab_report::claims::finding;
use c4lab_solver::game::BoardSize;
use c4lab_solver::search::Spec;
use c4lab_solver::search::registry::{ABLATIONS, ALL, Entry, WITH_ABLATIONS};
use clap::ValueEnum;
use clap::builder::PossibleValue;
use serde_json::Value;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};

const EXAMPLES: &str = "\
Examples:
  c4lab list variants
  c4lab list variants champion-order               the variants with this part in their name
  c4lab list claims pons-11-middle                 published figures, by the names that `reproduce` takes
  c4lab list axes order                            the values of an axis
  c4lab list words                                 the meaning of words: cell, block, base, ...
  c4lab list test-sets --format json
  c4lab list claims --by source                    how many claims of each source agree, by the records of results/
  C4LAB_TEST_SETS=~/pons c4lab list test-sets";

/// List variants, axes, test sets, experiments, attributions, claims or words
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// The kind of entries
    #[arg(value_enum)]
    kind: Kind,
    /// Only entries whose name contains one of these
    #[arg(value_name = "NAME")]
    names: Vec<String>,
    /// Count claims by source: how many agree, disagree, and are open, by the verdicts of records
    #[arg(long, value_parser = [PossibleValue::new("source").help("Author and title")])]
    by: Option<String>,
    /// The folder of records whose verdicts count [default: results, if it is there]
    #[arg(long, value_name = "DIR")]
    records: Option<PathBuf>,
    /// How to print: json is an array with one object a line
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Kind {
    /// Named variants: the value of every axis, and the changes from a variant before
    Variants,
    /// Axes and their values
    Axes,
    /// Test sets: their positions, and whether this machine has them
    TestSets,
    /// Embedded experiments
    Experiments,
    /// Embedded attributions, for `attribute`
    Attributions,
    /// Published claims that `reproduce` tests
    Claims,
    /// Words of this project, with their meaning
    Words,
}

const RECORDS: &str = "results";

pub fn run(args: &Args) -> Result<Exit> {
    let text = matches!(args.format, Format::Text | Format::Markdown);
    if args.records.is_some() && !matches!(args.kind, Kind::Claims) {
        return Err(Usage("--records has verdicts of claims alone: c4lab list claims --records DIR".to_string()).into());
    }
    if args.by.is_some() && !matches!(args.kind, Kind::Claims) {
        return Err(Usage("--by source counts claims alone: c4lab list claims --by source".to_string()).into());
    }
    let records = match args.kind {
        Kind::Variants if text => shown_variants(),
        Kind::TestSets if text => shown_test_sets(),
        Kind::Variants => variants(),
        Kind::TestSets => test_sets(),
        Kind::Axes => axes(),
        Kind::Experiments => experiments()?,
        Kind::Attributions => attributions()?,
        Kind::Claims if args.by.is_some() => sources(args.records.as_deref().unwrap_or(Path::new(RECORDS)))?,
        Kind::Claims => claims(args.records.as_deref())?,
        Kind::Words => return output::print(include_str!("../../docs/GLOSSARY.md"), Exit::Success),
    };
    let records = args.named(records)?;
    args.format.list(&records.fields, records.texts(), &records)?;
    if text && matches!(args.kind, Kind::Variants) && !ABLATIONS {
        complain(format_args!("at run time: a dynamic variant in this build; compiled with {WITH_ABLATIONS}"));
    }
    Ok(Exit::Success)
}

impl Args {
    /// The records whose name contains one of `self.names`.
    fn named(&self, mut records: Records) -> Result<Records> {
        let names: Vec<String> = self.names.iter().map(|name| name.to_lowercase()).collect();
        let own = |row: &[Value]| row.first().and_then(Value::as_str).unwrap_or_default().to_lowercase();
        records.rows.retain(|row| names.is_empty() || names.iter().any(|name| own(row).contains(name.as_str())));
        if records.rows.is_empty() && !names.is_empty() {
            let kind = self.kind.to_possible_value().map_or(String::new(), |value| value.get_name().to_string());
            let named = self.names.join(" or ");
            return Err(Usage(format!("none of the {kind} has {named} in its name; all: c4lab list {kind}")).into());
        }
        Ok(records)
    }
}

fn variants() -> Records {
    let fields = ["name", "about", "available", "reason", "compiled", "exact", "geometry"];
    let fields = fields.into_iter().chain(Spec::axes().into_iter().map(|(key, _)| key));
    let row = |entry: &Entry| {
        let spec = entry.spec.fields().into_iter().map(|(_, value)| Value::from(value));
        let available = entry.available();
        let head: [Value; 7] = [
            entry.name.into(),
            entry.about.into(),
            available.is_ok().into(),
            available.err().into(),
            entry.is_compiled(BoardSize::STANDARD).into(),
            entry.spec.is_exact().into(),
            entry.spec.layout.geometry(BoardSize::STANDARD).into(),
        ];
        head.into_iter().chain(spec).collect()
    };
    Records { fields: fields.collect(), rows: ALL.iter().map(row).collect() }
}

/// The variants as rows. The first row shows every axis. Each other row shows the axes that differ from the nearest
/// variant above it.
fn shown_variants() -> Records {
    let rows = ALL.iter().enumerate().map(|(index, entry)| {
        // The last of the variants that differ on the fewest axes. On the ladder it is the rung before.
        let base = ALL[..index].iter().rev().min_by_key(|base| entry.spec.diff(base.spec).len());
        let changes = match base {
            Some(base) => entry.spec.diff(base.spec).into_iter().map(|(key, ours, _)| (key, ours)).collect(),
            None => entry.spec.fields(),
        };
        let changes: Vec<String> = changes.into_iter().map(|(key, value)| format!("{key}={value}")).collect();
        let available = match entry.available() {
            Ok(()) if entry.is_compiled(BoardSize::STANDARD) => "yes".to_string(),
            Ok(()) => "at run time".to_string(),
            Err(reason) => format!("no: {reason}"),
        };
        let base = base.map_or("", |base| base.name);
        [entry.name, entry.about, available.as_str(), base, &changes.join(" ")].map(Value::from).to_vec()
    });
    let fields = vec!["name", "about", "available", "nearest before", "changes from it"];
    Records { fields, rows: rows.collect() }
}

fn axes() -> Records {
    let row = |axis: &'static str, (value, about)| vec![Value::from(axis), Value::from(value), Value::from(about)];
    let rows =
        Spec::axes().into_iter().flat_map(|(axis, values)| values.into_iter().map(move |value| row(axis, value)));
    Records { fields: vec!["axis", "value", "about"], rows: rows.collect() }
}

fn experiments() -> Result<Records> {
    let row = |(name, text): &(&str, &str)| {
        let experiment = Experiment::parse(name, text)?;
        let about = one_line(&experiment.about);
        let variants = experiment.names().join(" ");
        let mut sets: Vec<&str> = experiment.runs.iter().flat_map(|run| &run.test_sets).map(String::as_str).collect();
        sets.sort_unstable();
        sets.dedup();
        Ok([name.to_string(), about, variants, sets.join(" ")].map(Value::from).to_vec())
    };
    let rows: Result<Vec<_>> = EMBEDDED.iter().map(row).collect();
    Ok(Records { fields: vec!["name", "about", "variants", "test_sets"], rows: rows? })
}

fn attributions() -> Result<Records> {
    let row = |(name, text): &(&str, &str)| {
        let attribution = Attribution::parse(name, text)?;
        let names: Vec<&str> = attribution.techniques.iter().map(|technique| technique.name.as_str()).collect();
        let about = one_line(&attribution.about);
        Ok([name.to_string(), about, names.join(" "), attribution.test_sets.join(" ")].map(Value::from).to_vec())
    };
    let rows: Result<Vec<_>> = attribution::EMBEDDED.iter().map(row).collect();
    Ok(Records { fields: vec!["name", "about", "techniques", "test_sets"], rows: rows? })
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The claims, with their verdicts by the records of the folder, or of `results` if it has any.
fn claims(records: Option<&Path>) -> Result<Records> {
    let verdicts = match records {
        Some(records) => finding::verdicts(records)?,
        None => finding::verdicts(Path::new(RECORDS)).unwrap_or_default(),
    };
    let row = |claim: Claim| {
        let verdict = verdicts.get(&claim.id).map_or(Value::Null, |verdict| verdict.words().into());
        let base = claim.base.as_ref().map_or(String::new(), |base| format!("{base} : "));
        let tested = format!("{base}{}", claim.variant);
        let texts = [claim.id, claim.source, claim.statement, claim.published.shown, tested].map(Value::from);
        texts.into_iter().chain([verdict]).collect()
    };
    let rows = claim::embedded()?.into_iter().map(row).collect();
    Ok(Records { fields: vec!["id", "source", "statement", "published", "tested_by", "verdict"], rows })
}

fn sources(records: &Path) -> Result<Records> {
    let mut counts = finding::count_by_source(&claim::embedded()?, &finding::verdicts(records)?);
    let all = counts.iter().fold([0; 4], |sum, (_, own)| std::array::from_fn(|at| sum[at] + own[at]));
    counts.push(("all".to_string(), all));
    let row = |(source, numbers): (String, [usize; 4])| {
        [Value::from(source)].into_iter().chain(numbers.map(Value::from)).collect::<Vec<_>>()
    };
    let fields = vec!["source", "claims", "reproduced", "not_reproduced", "open"];
    Ok(Records { fields, rows: counts.into_iter().map(row).collect() })
}

/// The name of a test set, its board, the stones on the board of a position, and the plies to the end of the game under
/// best play; the least and the most.
type NamedSet = (String, BoardSize, RangeInclusive<u32>, RangeInclusive<u32>);

fn named_sets() -> Vec<NamedSet> {
    let standard = BoardSize::STANDARD;
    let named = |name: String, board: BoardSize, set: &Protocol| {
        let Ranges { plies, distances, .. } = set.ranges(board);
        (name, board, plies, distances)
    };
    let of_protocol = |prefix: &str| SETS.each_ref().map(|set| named(format!("{prefix}{}", set.name), standard, set));
    let mut sets = of_protocol("").to_vec();
    // The empty board has the score 1: the first player wins with the 41st stone.
    sets.push(("empty-board".to_string(), standard, 0..=0, 41..=41));
    sets.push(("fhourstones".to_string(), standard, 0..=8, 13..=41));
    sets.push((by_ply::NAME.to_string(), standard, by_ply::plies(standard), 1..=standard.cells()));
    sets.extend(by_board::ALL.iter().map(|set| named(set.name.to_string(), set.board(), set.protocol())));
    sets.extend(of_protocol("development/"));
    sets.extend(of_protocol("original/"));
    sets
}

fn test_sets() -> Records {
    let fields = ["name", "board", "ply_least", "ply_most", "distance_least", "distance_most"];
    let fields = [&fields[..], &["positions", "available", "sha256", "reason"]].concat();
    let row = |(name, board, plies, distances): NamedSet| {
        let opened = TestSet::open(&name).map_err(|error| error.to_string());
        let set = opened.as_ref().ok();
        vec![
            name.into(),
            board.to_string().into(),
            (*plies.start()).into(),
            (*plies.end()).into(),
            (*distances.start()).into(),
            (*distances.end()).into(),
            set.map(|set| set.items.len()).into(),
            set.is_some().into(),
            set.map(|set| set.sha256.clone()).into(),
            opened.as_ref().err().cloned().into(),
        ]
    };
    Records { fields, rows: named_sets().into_iter().map(row).collect() }
}

fn shown_test_sets() -> Records {
    let range = |range: RangeInclusive<u32>| format!("{} to {}", range.start(), range.end());
    let row = |(name, board, plies, distances): NamedSet| {
        let (positions, available) = match TestSet::open(&name) {
            Ok(set) => (set.items.len().to_string(), "yes".to_string()),
            Err(error) => (String::new(), format!("no: {error}")),
        };
        [name, board.to_string(), range(plies), range(distances), positions, available].map(Value::from).to_vec()
    };
    let fields = vec!["name", "board", "stones", "plies to play", "positions", "available"];
    Records { fields, rows: named_sets().into_iter().map(row).collect() }
}
