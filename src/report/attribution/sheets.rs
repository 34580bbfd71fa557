//! The tables of an attribution: what each technique is worth, how two of them go together, ablation paths, times.

use crate::attribution::{AttributionReading, Contrast, Step, Worth, changes, name};
use crate::stats::Estimate;
use crate::table::units::{three_digits, times};
use crate::table::{Cell, Column, Subject, Table};
use c4lab_measure::counted::counted;
use c4lab_measure::files::manifest::SetRecord;
use c4lab_solver::search::{Name, Spec};

/// What can be shown of an attribution.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// What each technique is worth.
    Values,
    /// Every two techniques, one a line.
    Interactions,
    /// The same as a square.
    Square,
    /// The ablation paths.
    Paths,
    /// Nodes and times side by side.
    Times,
}

impl Part {
    /// Those that people read, in their order.
    pub const SHOWN: [Part; 4] = [Part::Values, Part::Square, Part::Paths, Part::Times];

    /// Their names.
    pub const NAMES: [&str; 4] = ["values", "interactions", "paths", "times"];

    /// The part of that name, as splices have it.
    pub fn find(text: &str) -> Option<Self> {
        let index = Self::NAMES.iter().position(|name| *name == text)?;
        Some(Self::SHOWN[index])
    }
}

/// The sheets of a part; none where its rows are missing.
pub fn sheets(reading: &AttributionReading, part: Part) -> Vec<Table> {
    let by_set = |sheet: fn(&AttributionReading, &SetRecord, &Worth) -> Table| {
        let of = |set: &SetRecord| reading.worth(set).map(|worth| sheet(reading, set, &worth));
        reading.manifest.test_sets.iter().filter_map(of).collect()
    };
    match part {
        Part::Values => by_set(values),
        Part::Interactions => by_set(interactions),
        Part::Square => by_set(square),
        Part::Paths => reading.paths().iter().map(|(from, to, steps)| path(reading, *from, *to, steps)).collect(),
        Part::Times => reading.manifest.test_sets.iter().filter_map(|set| timed(reading, set)).collect(),
    }
}

/// All tables in Markdown, each with a note on how to read it.
pub fn markdown(reading: &AttributionReading, parts: &[Part]) -> String {
    let sheets = parts.iter().flat_map(|part| sheets(reading, *part));
    sheets.map(|sheet| sheet.markdown()).collect::<Vec<_>>().join("\n")
}

/// What stands in a splice, given what its words choose; or why it says nothing.
pub(crate) fn splice(words: &[&str], reading: &AttributionReading) -> Result<String, String> {
    let mut parts = Part::SHOWN.to_vec();
    for word in words {
        let names = word.strip_prefix("parts=").ok_or_else(|| format!("{word:?} is not parts="))?;
        let part = |name: &str| Part::find(name).ok_or_else(|| format!("parts= are of {}", Part::NAMES.join(", ")));
        parts = names.split(',').map(part).collect::<Result<_, _>>()?;
    }
    let text = markdown(reading, &parts);
    if text.is_empty() {
        Err("the folder has no complete table that the marker asks for".to_string())
    } else {
        Ok(text)
    }
}

fn subject(reading: &AttributionReading, set: &SetRecord) -> Subject {
    Subject { set: Some(set.name.clone()), goal: Some(reading.attribution().goal), apart: None }
}

/// A factor as a number.
fn ratio(estimate: Option<Estimate>) -> Cell {
    Cell::number(estimate.map(|estimate| estimate.value), times)
}

/// Its interval.
fn interval(estimate: Option<Estimate>) -> Cell {
    Cell::interval_of(estimate)
}

fn values(reading: &AttributionReading, set: &SetRecord, worth: &Worth) -> Table {
    let percent = |share: f64| {
        Cell::number(Some(share).filter(|share| share.is_finite()), |share| format!("{:.1} %", 100.0 * share))
    };
    let rows = reading.attribution().techniques.iter().zip(&worth.effects).map(|(technique, effect)| {
        let (value, first, last) = (Some(effect.value), Some(effect.first), Some(effect.last));
        let head = [Cell::text(&technique.name), Cell::text(&technique.changes)];
        let value = [ratio(value), interval(value), percent(effect.share)];
        let ends = [ratio(first), interval(first), ratio(last), interval(last)];
        head.into_iter().chain(value).chain(ends).collect()
    });
    let all = Some(worth.all);
    let total = [Cell::text("all"), Cell::text(""), ratio(all), interval(all), percent(1.0)];
    let total = total.into_iter().chain([const { Cell::Empty }; 4]).collect();
    let left_out = match worth.left_out {
        0 => String::new(),
        count => format!("; {count} left out, where a search reached the limit"),
    };
    let (set_name, goal, (base, with_all)) = (&set.name, reading.attribution().goal.name(), worth.mean_nodes);
    Table {
        name: "attribution",
        subject: subject(reading, set),
        title: format!(
            "{set_name}, {goal}: {}{left_out}; mean nodes {} without, {} with all",
            counted(worth.positions, "position"),
            three_digits(base),
            three_digits(with_all)
        ),
        note:
            "By what each technique divides the nodes (geometric mean over positions): on average over all orders of \
               switching them on (Shapley), added to the base alone, and added last to all others."
                .to_string(),
        conclusion: String::new(),
        columns: vec![
            Column::text("technique", "technique"),
            Column::text("changes", "changes"),
            Column::number("fewer nodes", "shapley"),
            Column::interval("shapley"),
            Column::number("share", "share"),
            Column::number("alone", "first"),
            Column::interval("first"),
            Column::number("last", "last"),
            Column::interval("last"),
        ],
        rows: rows.chain([total]).collect(),
    }
}

fn interactions(reading: &AttributionReading, set: &SetRecord, worth: &Worth) -> Table {
    let technique = |index: usize| Cell::text(&reading.attribution().techniques[index].name);
    let row = |&(one, other, estimate): &(usize, usize, Estimate)| {
        vec![technique(one), technique(other), ratio(Some(estimate)), interval(Some(estimate))]
    };
    Table {
        name: "interactions",
        subject: subject(reading, set),
        title: format!("{}, {}: interactions", set.name, reading.attribution().goal.name()),
        note: String::new(),
        conclusion: String::new(),
        columns: vec![
            Column::text("technique", "technique"),
            Column::text("and", "other"),
            Column::number("fewer nodes", "interaction"),
            Column::interval("interaction"),
        ],
        rows: worth.interactions.iter().map(row).collect(),
    }
}

fn square(reading: &AttributionReading, set: &SetRecord, worth: &Worth) -> Table {
    let names: Vec<&str> = reading.attribution().techniques.iter().map(|technique| technique.name.as_str()).collect();
    let cell = |one: usize, other: usize| {
        let pair = (one.min(other), one.max(other));
        let found = worth.interactions.iter().find(|(first, second, _)| (*first, *second) == pair);
        found.map_or(Cell::Empty, |(_, _, estimate)| Cell::number(Some(estimate.value), |ratio| format!("{ratio:.2}")))
    };
    let row = |one: usize| {
        [Cell::text(names[one])].into_iter().chain((0..names.len()).map(|other| cell(one, other))).collect()
    };
    Table {
        name: "interaction-square",
        subject: subject(reading, set),
        title: format!("{}, {}: interactions, more than 1 where two do more together than apart", set.name, reading.attribution().goal.name()),
        note: "How much two techniques save together, divided by what they save apart, on average over all orders. Below 1 they \
               overlap: each saves a part of what the other saves."
            .to_string(),
        conclusion: String::new(),
        columns: [Column::text("technique", "technique")]
            .into_iter()
            .chain(names.iter().map(|name| Column::number(name, name)))
            .collect(),
        rows: (0..names.len()).map(row).collect(),
    }
}

fn path(reading: &AttributionReading, from: Spec, to: Spec, steps: &[Step]) -> Table {
    let shown = |spec: Spec| name(spec).map_or_else(|| spec.to_string(), str::to_string);
    let row = |(index, step): (usize, &Step)| {
        let change = if index == 0 { String::new() } else { changes(steps[index - 1].spec, step.spec) };
        let (gain, total) = (Some(step.gain).filter(|_| index > 0), Some(step.total).filter(|_| index > 0));
        vec![
            Cell::count(index),
            Cell::text(change),
            Cell::text(name(step.spec).unwrap_or("")),
            Cell::number(Some(step.mean_nodes), three_digits),
            Cell::count(step.limited),
            ratio(gain),
            interval(gain),
            ratio(total),
        ]
    };
    let (positions, sets) = (steps[0].positions, &reading.manifest.test_sets);
    let sets: Vec<&str> = sets.iter().map(|set| set.name.as_str()).collect();
    Table {
        name: "path",
        subject: Subject { set: Some(sets.join(" ")), goal: Some(reading.attribution().goal), apart: None },
        title: format!(
            "{}, {}: {}; path from {} to {}",
            sets.join(", "),
            reading.attribution().goal.name(),
            counted(positions, "position"),
            shown(from),
            shown(to)
        ),
        note: "At each step the change that lowers the mean of the logarithms of the nodes most; several axes in one step where \
               no single one can change alone. Fewer nodes: geometric mean over positions, against the step before. A position \
               that reached the limit counts with it."
            .to_string(),
        conclusion: String::new(),
        columns: vec![
            Column::number("step", "step"),
            Column::text("change", "change"),
            Column::text("variant", "variant"),
            Column::number("mean nodes", "mean_nodes"),
            Column::number("limited", "limited"),
            Column::number("fewer nodes", "gain"),
            Column::interval("gain"),
            Column::number("in all", "total"),
        ],
        rows: steps.iter().enumerate().map(row).collect(),
    }
}

fn timed(reading: &AttributionReading, set: &SetRecord) -> Option<Table> {
    let all = reading.timed();
    let all: Vec<&Contrast> = all.iter().filter(|one| reading.node_ratio(set, one.from, one.to).is_some()).collect();
    all.first()?;
    let row = |comparison: &Contrast| {
        let Contrast { label, from, to } = comparison;
        let nodes = reading.node_ratio(set, *from, *to);
        let (time, timed) = (reading.time_ratio(set, comparison), comparison.timed());
        let why = timed.as_ref().err().copied().unwrap_or("not measured");
        let names = timed.map(|(from, to)| [from, to].map(|name| name.text().to_string()));
        let [without, with] = names.unwrap_or([*from, *to].map(|spec| Name::of(spec).text().to_string()));
        vec![
            Cell::text(label),
            Cell::text(&without),
            Cell::text(&with),
            ratio(nodes),
            interval(nodes),
            ratio(time),
            interval(time),
            Cell::text(if time.is_some() { "" } else { why }),
        ]
    };
    Some(Table {
        name: "times",
        subject: subject(reading, set),
        title: format!("{}, {}: nodes and times", set.name, reading.attribution().goal.name()),
        note: "By what the variant with the change divides nodes and time of the one without (geometric means over positions); \
               times of one interleaved run. What has no name of its own is timed at run time, and so is what it is compared with."
            .to_string(),
        conclusion: String::new(),
        columns: vec![
            Column::text("change", "change"),
            Column::text("without", "without"),
            Column::text("with", "with"),
            Column::number("fewer nodes", "node_ratio"),
            Column::interval("node_ratio"),
            Column::number("less time", "time_ratio"),
            Column::interval("time_ratio"),
            Column::text("why there is no time", "reason"),
        ],
        rows: all.into_iter().map(row).collect(),
    })
}
