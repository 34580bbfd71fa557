//! The page: one HTML file that loads nothing else. It begins with the matrix of all variants and sets. All of it can
//! be read without the script, which sorts and filters tables and names the positions of dots.

mod table;

use crate::attribution::AttributionReading;
use crate::attribution::output::{Part, pictures_of_paths, pictures_of_set, tables};
use crate::plot::pictures::{MOST, Picture, by_group, first_pair, pictures, sampled};
use crate::plot::svg::{STYLE, escape};
use crate::ranking::{self, Ranking};
use crate::reading::Reading;
use crate::record::named;
use crate::results::{CellResult, Group, Outcome, Place, Series};
use crate::table::{Subject, Table};
use crate::tables::summary::{self, Line};
use crate::tables::{Choice, NAMES, conclusion};
use c4lab_measure::files::manifest::{Binary, Manifest};
use c4lab_measure::plan::experiment::Experiment;
use c4lab_measure::plan::shard::Shard;
use c4lab_measure::text::{distinct, pluralize};
use serde::Serialize;
use serde_json::{Value, json};
use std::fmt::Write;

/// Tables that are open from the start; a click opens the others.
const FIRST: [&str; 2] = ["summary", "failures"];

/// The page may load nothing, even if a name in the data were markup.
const POLICY: &str =
    "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:; base-uri 'none'";

/// The page of samples, with every table. `lines` are the summary; `choice` names the base.
pub fn of_samples(reading: &Reading, lines: &[Line], choice: &Choice) -> serde_json::Result<String> {
    let others = NAMES.into_iter().filter(|name| *name != "summary").flat_map(|name| reading.tables(name, choice));
    // If no position is common to all variants, there is no ranking.
    let rank = ranking::Choice { base: choice.base.clone(), ..ranking::Choice::default() };
    let rankings = Ranking::of(reading, &rank).unwrap_or_default();
    let tables: Vec<Table> =
        summary::tables(lines).into_iter().chain(others).chain(rankings.iter().map(Ranking::table)).collect();
    html(reading, lines, &tables)
}

fn html(reading: &Reading, lines: &[Line], tables: &[Table]) -> serde_json::Result<String> {
    let all = &reading.results.groups;
    let groups = by_group(all, lines);
    let dots = most_positions(all);
    let (matrices, tables): (Vec<&Table>, Vec<&Table>) = tables.iter().partition(|table| table.name == "matrix");
    let common: Vec<&&Table> = tables.iter().filter(|table| !all.iter().any(|group| is_about(table, group))).collect();
    let mut items: Vec<(String, String)> = Vec::new();
    items.extend((!matrices.is_empty()).then(|| ("matrix".to_string(), "Overview".to_string())));
    items.extend((!common.is_empty()).then(|| ("all".to_string(), "All sets".to_string())));
    items.extend(all.iter().enumerate().map(|(index, group)| (format!("g{index}"), group.title())));
    let mut body = head_of_samples(reading) + &contents(&items) + &filter(all) + "<main id=\"main\">\n";
    matrices.iter().for_each(|table| body += &table::heat_map(table, all));
    if let Some(said) = conclusion::of_all(tables.iter().copied()) {
        let _ = writeln!(body, "<p class=\"note\">{}</p>", escape(&said));
    }
    if !common.is_empty() {
        let shown: String = common.iter().map(|table| table::html(table, &table.title, true)).collect();
        let _ = writeln!(body, "<section id=\"all\">\n<h2>All sets</h2>\n{shown}</section>");
    }
    for (index, (group, lines)) in groups.iter().enumerate() {
        let own: Vec<&Table> = tables.iter().filter(|table| is_about(table, group)).copied().collect();
        body += &section(index, group, &own, &pictures(group, lines, dots));
    }
    let data = points(&groups, dots);
    let board = reading.manifest.experiment.board.as_deref().unwrap_or("7x6");
    let _ = write!(
        body,
        "</main>\n{}<script type=\"application/json\" id=\"data\" data-board=\"{}\">{data}</script>\n",
        manifest_section(&reading.manifest)?,
        escape(board),
    );
    Ok(page(&reading.manifest.experiment.name, &body))
}

/// True if `table` belongs to `group`. A ranking is about all sets, even if only one has positions for it.
fn is_about(table: &Table, group: &Group) -> bool {
    table.name != "rank" && table.subject == Subject::of(group)
}

/// The page of an attribution: the worth of each technique on every set, in tables and pictures.
pub fn of_attribution(reading: &AttributionReading) -> serde_json::Result<String> {
    let (attribution, sets) = (reading.attribution(), &reading.manifest.test_sets);
    let titles = sets.iter().map(|set| format!("{}, {}", set.name, attribution.goal.name()));
    let items: Vec<(String, String)> = titles.enumerate().map(|(index, title)| (format!("g{index}"), title)).collect();
    let mut body = head_of_attribution(reading) + &contents(&items) + "<main id=\"main\">\n";
    for ((id, title), set) in items.iter().zip(sets) {
        let _ = writeln!(body, "<section class=\"group\" id=\"{id}\">\n<h2>{}</h2>", escape(title));
        for part in [Part::Values, Part::Square] {
            let own = tables(reading, part).into_iter().filter(|table| table.subject.set.as_ref() == Some(&set.name));
            own.for_each(|table| body += &table::html(&table, &own_title(&table, title), true));
        }
        body += &figures(&pictures_of_set(reading, set), title);
        body += "</section>\n";
    }
    let paths = tables(reading, Part::Paths);
    if !paths.is_empty() {
        body += "<section class=\"group\" id=\"paths\">\n<h2>Paths</h2>\n";
        paths.iter().for_each(|table| body += &table::html(table, &table.title, true));
        body += &figures(&pictures_of_paths(reading), "path");
        body += "</section>\n";
    }
    let _ = write!(body, "</main>\n{}", manifest_section(&reading.manifest)?);
    Ok(page(&attribution.name, &body))
}

/// The head of the page: machine, program, settings and dates of the measurement, its faults and warnings.
fn head_of_samples(reading: &Reading) -> String {
    let manifest = &reading.manifest;
    let experiment = &manifest.experiment;
    let mut facts = vec![("Measured", dates(manifest))];
    facts.extend(manifest.machines().iter().map(|one| ("Machine", named(one))));
    for one in manifest.binaries() {
        facts.push(("Binary", binary(one) + &manifest.in_links()));
        facts.push(("Compiled with", format!("{}; {}; {}", one.rustc, one.flags, one.target)));
    }
    let shards = manifest.shards();
    let is_whole = shards.iter().all(|shard| *shard == Shard::WHOLE);
    let engines = manifest.engines.iter().map(|engine| format!("{} ({})", engine.name, engine.version));
    let rows = reading.results.rows;
    facts.extend([
        ("Shards", if is_whole { String::new() } else { joined(shards.iter().map(Shard::to_string)) }),
        ("Settings", settings(experiment)),
        ("Test sets", joined(manifest.test_sets.iter().map(|set| format!("{} ({})", set.name, set.positions)))),
        ("Engines", joined(engines)),
        ("Samples", format!("{rows} rows; repetitions of a cell: {}", experiment.repetitions)),
    ]);
    let tally = &reading.tally;
    let faults = [
        (tally.wrong, "with a wrong score"),
        (tally.mismatches, "whose node count differs from that of another row of the cell"),
        (tally.failed, "of an engine that failed"),
    ];
    let faults: Vec<String> =
        faults.iter().filter(|(count, _)| *count > 0).map(|(count, what)| format!("{count} rows {what}")).collect();
    let machines = reading.results.machines.len();
    let several = (machines > 1).then(|| format!("rows of {machines} machines: times are compared within one only"));
    let warnings: Vec<String> = reading.warnings().into_iter().chain(several).collect();
    header((&experiment.name, &experiment.about), &faults, &warnings, facts)
}

fn head_of_attribution(reading: &AttributionReading) -> String {
    let AttributionReading { manifest, table, .. } = reading;
    let facts = vec![
        ("Counted", manifest.runs.first().map_or(String::new(), |run| run.started_at.clone())),
        ("Binary", binary(&manifest.binary)),
        ("Test sets", joined(manifest.test_sets.iter().map(|set| format!("{} ({})", set.name, set.positions)))),
        ("Searches", format!("{} rows, from cold tables, every score checked", table.rows)),
    ];
    header((&manifest.attribution.name, &manifest.attribution.about), &[], &reading.warnings(), facts)
}

fn header(
    (name, about): (&str, &str),
    faults: &[String],
    warnings: &[String],
    facts: Vec<(&'static str, String)>,
) -> String {
    let facts = facts.into_iter().filter(|(_, text)| !text.is_empty());
    let facts: String = facts.map(|(name, text)| format!("<dt>{name}</dt><dd>{}</dd>\n", escape(&text))).collect();
    format!(
        "<header>\n<h1>{}</h1>\n<p class=\"about\">{}</p>\n{}{}<details class=\"facts\"><summary>Machine, program and settings</summary>\n\
         <dl>\n{facts}</dl></details>\n</header>\n",
        escape(name),
        escape(about.trim()),
        list("wrong", "Do not believe these results", faults),
        list("warning", "Reasons to doubt these results", warnings),
    )
}

fn manifest_section(manifest: &impl Serialize) -> serde_json::Result<String> {
    let text = escape(&serde_json::to_string_pretty(manifest)?);
    Ok(format!(
        "<section id=\"manifest\">\n<h2>Manifest</h2>\n<details><summary>manifest.json</summary>\
         <pre tabindex=\"0\">{text}</pre></details>\n</section>\n"
    ))
}

fn list(class: &str, title: &str, lines: &[String]) -> String {
    if lines.is_empty() {
        return String::new();
    }
    let items: String = lines.iter().map(|line| format!("<li>{}</li>", escape(line))).collect();
    format!("<section class=\"{class}\" aria-label=\"{title}\"><strong>{title}</strong><ul>{items}</ul></section>\n")
}

fn joined(parts: impl Iterator<Item = String>) -> String {
    parts.collect::<Vec<_>>().join(", ")
}

fn dates(manifest: &Manifest) -> String {
    let Some(first) = manifest.runs.first() else { return String::new() };
    // Of several machines, the last to begin may not be the last to end.
    let ended = manifest.runs.iter().filter_map(|run| run.ended_at.clone()).max();
    let ended = ended.map_or(String::new(), |ended| format!(" to {ended}"));
    format!("{}{ended}, in {}", first.started_at, pluralize(manifest.runs.len(), "run"))
}

fn binary(binary: &Binary) -> String {
    let revision = binary.git_rev.as_deref().unwrap_or("not built in git");
    let state = if binary.dirty == Some(true) { ", with changes that were not committed" } else { "" };
    let digest = binary.sha256.get(..12).unwrap_or(&binary.sha256);
    let vectors = joined(binary.simd.iter().map(ToString::to_string));
    format!("c4lab {} ({revision}{state}); sha256 {digest}; vector code: {vectors}", binary.version)
}

fn settings(experiment: &Experiment) -> String {
    let time = experiment.time_limit.as_ref().map(|limit| format!("time limit {limit} a cell"));
    let nodes = experiment.node_limit.map(|limit| format!("node limit {limit} a cell"));
    let table = experiment.tt.as_ref().map(|bytes| format!("tables of {bytes} unless the variant names a size"));
    joined([Some(format!("seed {}", experiment.seed)), time, nodes, table].into_iter().flatten())
}

fn contents(items: &[(String, String)]) -> String {
    let items: String =
        items.iter().map(|(id, title)| format!("<li><a href=\"#{id}\">{}</a></li>", escape(title))).collect();
    format!("<nav aria-label=\"Contents\"><ul>{items}<li><a href=\"#manifest\">Manifest</a></li></ul></nav>\n")
}

fn filter(groups: &[Group]) -> String {
    let options = |names: &[&str]| {
        let options: String = names.iter().map(|name| format!("<option>{}</option>", escape(name))).collect();
        format!("<option value=\"\">all</option>{options}")
    };
    format!(
        "<form id=\"filter\" role=\"search\" aria-label=\"Filter\" hidden>\n\
         <label>Set <select id=\"set\">{}</select></label>\n<label>Goal <select id=\"goal\">{}</select></label>\n\
         <label>Variant <input id=\"variant\" type=\"search\" placeholder=\"part of its name\" autocomplete=\"off\"></label>\n\
         <output id=\"count\" for=\"set goal variant\"></output>\n</form>\n",
        options(&distinct(groups.iter().map(|group| group.set.as_str()))),
        options(&distinct(groups.iter().map(|group| group.goal.name())))
    )
}

/// The section of a group: its tables, its pictures, and the scatters with a panel for the chosen dot.
fn section(index: usize, group: &Group, tables: &[&Table], pictures: &[Picture]) -> String {
    let (scatters, others): (Vec<Picture>, Vec<Picture>) =
        pictures.iter().cloned().partition(|picture| picture.name.starts_with("scatter"));
    let title = group.title();
    let mut section = format!(
        "<section class=\"group\" id=\"g{index}\" data-set=\"{}\" data-goal=\"{}\">\n<h2>{}</h2>\n<p class=\"note\">{} positions, machine {}</p>\n",
        escape(&group.set),
        group.goal.name(),
        escape(&title),
        group.places.len(),
        escape(&group.machine_id)
    );
    let (first, more): (Vec<&Table>, Vec<&Table>) = tables.iter().partition(|table| FIRST.contains(&table.name));
    first.iter().for_each(|table| section += &table::html(table, &own_title(table, &title), true));
    more.iter().for_each(|table| section += &table::html(table, &own_title(table, &title), false));
    section += &figures(&others, &title);
    if !scatters.is_empty() {
        let _ = writeln!(
            section,
            "<div class=\"scatter\" data-group=\"{index}\">\n<h3>Pairs</h3>\n<p class=\"choose\" hidden></p>\n\
             {}<div class=\"panel\" role=\"status\" hidden></div>\n</div>",
            figures(&scatters, &title)
        );
    }
    section + "</section>\n"
}

/// The title of a table without the title of its section.
fn own_title(table: &Table, section: &str) -> String {
    let rest = table.title.strip_prefix(section).unwrap_or(&table.title).trim_start_matches([',', ':', ' ']);
    let mut letters = rest.chars();
    match letters.next() {
        None => "Summary".to_string(),
        Some(first) => first.to_uppercase().chain(letters).collect(),
    }
}

fn figures(pictures: &[Picture], subject: &str) -> String {
    let figure = |Picture { name, title, note, svg }: &Picture| {
        format!(
            "<figure class=\"{name}\">\n<figcaption><h3>{}</h3></figcaption>\n<div class=\"scroll\">{}</div>\n<p class=\"note\">{}</p>\n</figure>\n",
            escape(title),
            svg.labelled(&format!("{title}, {subject}. {note}")),
            escape(note)
        )
    };
    let figures: String = pictures.iter().map(figure).collect();
    if figures.is_empty() { figures } else { format!("<div class=\"figures\">\n{figures}</div>\n") }
}

fn page(title: &str, body: &str) -> String {
    let (style, script) = (include_str!("style.css"), include_str!("script.js"));
    let title = escape(title);
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"{POLICY}\">\n<link rel=\"icon\" href=\"data:,\">\n\
         <title>{title}: c4lab</title>\n<style>\n{STYLE}{style}</style>\n</head>\n<body>\n\
         <a class=\"skip\" href=\"#main\">To the results</a>\n{body}<script>\n'use strict';\n(() => {{\n{script}}})();\n</script>\n</body>\n</html>\n"
    )
}

/// The most times and nodes of a page: about three megabytes.
const MOST_VALUES: usize = 400_000;
/// The least positions of a group, even if the page then exceeds [`MOST_VALUES`].
const LEAST_POSITIONS: usize = 20;

/// The most positions of a group on the page.
fn most_positions(groups: &[Group]) -> usize {
    let columns: usize = groups.iter().map(|group| group.series.len()).sum();
    (MOST_VALUES / (2 * columns.max(1))).clamp(LEAST_POSITIONS, MOST)
}

/// The data of the script's scatters, safe within a script element. Times and nodes have four significant digits. A time
/// of 0 was not measured. A negative time is twice a limit that was reached. Nodes of -1 are not known.
fn points(groups: &[(&Group, &[Line])], most: usize) -> String {
    let groups: Vec<Value> = groups.iter().map(|(group, lines)| points_of(group, lines, most)).collect();
    // No name can end the script element.
    json!(groups).to_string().replace('<', "\\u003c")
}

fn points_of(group: &Group, lines: &[Line], most: usize) -> Value {
    let kept = sampled(group.places.len(), most);
    let places: Vec<&Place> = kept.iter().map(|&place| &group.places[place]).collect();
    // An array for each variant, with a number for each position: 0 without a sample.
    let matrix = |number: fn(&CellResult) -> Value| -> Vec<Vec<Value>> {
        let of = |column: &Series, place: usize| column.cells[place].as_ref().map_or(json!(0), number);
        group.series.iter().map(|column| kept.iter().map(|&place| of(column, place)).collect()).collect()
    };
    let (base, variant) = first_pair(group, lines).unwrap_or((0, 0));
    json!({
        "variants": group.series.iter().map(|column| &column.variant).collect::<Vec<_>>(),
        "pair": [base, variant],
        "at_run_time": group.series.iter().map(|column| column.run_time).collect::<Vec<_>>(),
        "ids": places.iter().map(|place| place.position_id).collect::<Vec<_>>(),
        "plies": places.iter().map(|place| place.ply).collect::<Vec<_>>(),
        "moves": places.iter().map(|place| place.moves.as_deref().unwrap_or_default()).collect::<Vec<_>>(),
        "time": matrix(signed_time),
        "nodes": matrix(|cell| cell.nodes.map_or(json!(-1), short)),
    })
}

fn signed_time(cell: &CellResult) -> Value {
    let sign = if cell.outcome == Outcome::Limited { -1.0 } else { 1.0 };
    cell.ns().map_or(json!(0), |ns| short(sign * ns))
}

fn short(value: f64) -> Value {
    let rounded: f64 = format!("{value:.3e}").parse().unwrap_or(value);
    if rounded.fract() == 0.0 { json!(rounded as i64) } else { json!(rounded) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reading::tests::reading;
    use crate::results::tests::{Sample, Status, results, sample};
    use crate::tables::summary::summarise;

    const NAME: &str = "<script>alert(1)</script>";

    fn page_of(rows: &[Sample]) -> String {
        let mut reading = reading(rows);
        reading.manifest.experiment.name = NAME.to_string();
        reading.manifest.experiment.about = format!("About {NAME} \"&\" <img src=x onerror=alert(1)>");
        of_samples(&reading, &summarise(&reading.results, 1), &Choice::default()).unwrap()
    }

    #[test]
    fn nothing_in_the_data_becomes_markup() {
        let bad = |variant: &str, set: &str| Sample {
            set: set.to_string(),
            moves: Some("</script><b>".to_string()),
            machine_id: NAME.to_string(),
            ..sample(variant, 1, 100, 10)
        };
        let page = page_of(&[bad("a", NAME), bad(NAME, NAME), bad("\"' onload='alert(1)", "b\" onclick=\"x")]);
        assert_eq!(page.matches("<script").count(), 2, "the data and the script of the page");
        assert_eq!(page.matches("</script>").count(), 2);
        // The script's data is JSON, in which only the end of its element would be markup.
        let (page, _) = page.split_once("id=\"data\"").unwrap();
        for markup in ["<img", "<b>", "\" onclick", "' onload"] {
            assert!(!page.contains(markup), "{markup}");
        }
    }

    #[test]
    fn nothing_is_loaded() {
        let page = page_of(&[sample("a", 1, 100, 10), sample("b", 1, 50, 5)]);
        let own = page.replace("http-equiv", "");
        assert_eq!(own.matches("http").count(), own.matches("http://www.w3.org/2000/svg").count());
        for word in ["<img", "@import", "url(", "fetch(", "XMLHttpRequest", "<link rel=\"stylesheet"] {
            assert!(!page.contains(word), "{word}");
        }
        assert!(page.contains("default-src 'none'"));
    }

    #[test]
    fn every_group_has_its_tables_and_pictures_after_the_matrix() {
        let weak = Sample { goal: c4lab_solver::search::Goal::Weak, ..sample("b", 1, 50, 5) };
        let wrong = Sample { status: Status::Wrong, score: Some(9), ..sample("c", 1, 1, 1) };
        let page = page_of(&[sample("a", 1, 100, 10), sample("b", 1, 50, 5), wrong, weak]);
        assert_eq!(page.matches("<section class=\"group\"").count(), 2);
        for picture in ["speedup", "cactus", "profile"] {
            assert_eq!(page.matches(&format!("<figure class=\"{picture}\">")).count(), 2, "{picture}");
        }
        assert_eq!(page.matches("<figure class=\"scatter-time\">").count(), 1, "one variant has no pairs");
        let main = page.split("<main id=\"main\">\n").nth(1).unwrap();
        assert!(main.starts_with("<section id=\"matrix\">"), "{}", &main[..60]);
        assert!(main.contains("<td class=\"even\" data-v=\"2\"><a href=\"#g0\">2.00x (too few)</a></td>"), "{main}");
        assert!(main.contains("<td class=\"bad\"><a href=\"#g0\">1 wrong</a></td>"), "{main}");
        // The machine is folded, faults are not.
        let head = page.split("<header>").nth(1).unwrap().split("</header>").next().unwrap();
        let folded = head.find("<details class=\"facts\">").unwrap();
        assert!(head.find("<dt>Machine</dt>").unwrap() > folded && head.find("with a wrong score").unwrap() < folded);
    }

    #[test]
    fn numbers_keep_four_digits() {
        let shown = [0.0, 12.5, 9324.4, 93_235.0, -5e9].map(|value| short(value).to_string());
        assert_eq!(shown, ["0", "12.5", "9324", "93240", "-5000000000"]);
    }

    #[test]
    fn points_are_json_that_no_name_can_end() {
        let limited = Sample { status: Status::Timeout, limit_ns: Some(500), score: None, ..sample("b", 2, 500, 9) };
        let rows = [
            sample("</script>", 1, 100, 10),
            sample("b", 1, 50, 5),
            limited,
            Sample { moves: None, ..sample("b", 3, 7, 0) },
            Sample { status: Status::Wrong, score: Some(9), ..sample("</script>", 3, 7, 0) },
        ];
        let results = results(&rows, &["</script>"]);
        let lines = summarise(&results, 1);
        let text = points(&[(&results.groups[0], &lines)], MOST);
        assert!(!text.contains('<'), "{text}");
        let data: Value = serde_json::from_str(&text).unwrap();
        assert_eq!(data[0]["variants"], json!(["</script>", "b"]));
        assert_eq!(data[0]["moves"], json!(["44", "44", ""]));
        assert_eq!(data[0]["time"], json!([[100, 0, 0], [50, -1000, 7]]));
        assert_eq!(data[0]["nodes"], json!([[10, 0, -1], [5, -1, 0]]));
        assert_eq!(data[0]["pair"], json!([0, 1]));
    }

    #[test]
    fn a_page_holds_so_many_values() {
        assert_eq!(most_positions(&[]), MOST);
        let rows: Vec<Sample> = (0..77).map(|i| sample(&format!("v{i}"), 1, 100, 10)).collect();
        let group = results(&rows, &[]).groups[0].clone();
        assert_eq!(most_positions(&vec![group.clone(); 12]), MOST_VALUES / (2 * 77 * 12));
        assert_eq!(most_positions(&vec![group; 1200]), LEAST_POSITIONS);
    }
}
