//! A claim: one published figure, and what tests it.

use crate::report::claims::figures::Printed;
use crate::report::claims::verdict::Side;
use crate::report::sheets::units::four_digits;
use c4lab_solver::search::Goal;

/// Whether a name means an id: all of it, or its beginning up to a hyphen.
pub(super) fn means(name: &str, id: &str) -> bool {
    id.strip_prefix(name).is_some_and(|rest| rest.is_empty() || rest.starts_with('-'))
}

/// What is claimed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// The base's time divided by the variant's.
    TimeRatio,
    /// The base's nodes divided by the variant's.
    NodeRatio,
    /// The base's time for a node divided by the variant's.
    NodeTimeRatio,
    /// The mean number of nodes over a whole set.
    NodeMean,
    /// Instructions of an evaluator, or their ratio to those of another.
    Instructions,
    /// Win checks a second.
    Rate,
}

impl Kind {
    /// All kinds, in the order of tables.
    pub const ALL: [Kind; 6] =
        [Kind::NodeMean, Kind::NodeRatio, Kind::TimeRatio, Kind::NodeTimeRatio, Kind::Instructions, Kind::Rate];

    /// Its name in files.
    pub fn name(self) -> &'static str {
        match self {
            Kind::TimeRatio => "time-ratio",
            Kind::NodeRatio => "node-ratio",
            Kind::NodeTimeRatio => "node-time-ratio",
            Kind::NodeMean => "node-mean",
            Kind::Instructions => "instructions",
            Kind::Rate => "rate",
        }
    }

    /// Whether it is a base divided by a variant, measured on a set.
    pub fn is_ratio(self) -> bool {
        matches!(self, Kind::TimeRatio | Kind::NodeRatio | Kind::NodeTimeRatio)
    }

    /// Whether it also depends on a program's language, compiler and processor.
    pub fn is_timed(self) -> bool {
        matches!(self, Kind::TimeRatio | Kind::NodeTimeRatio | Kind::Rate)
    }

    /// Whether it is tested by samples: on a set, under a goal.
    pub fn is_of_samples(self) -> bool {
        self.is_ratio() || self == Kind::NodeMean
    }
}

/// The published number.
#[derive(Clone, Debug, PartialEq)]
pub struct Published {
    /// As people read it.
    pub shown: String,
    /// What counts as reproduced: from, to. A single number has a tolerance around it.
    pub range: (f64, f64),
    /// What counts as reproduced on exactly the published positions, where there is no sampling error: the printed
    /// digits.
    pub digits: Option<(f64, f64)>,
    /// The side of 1 that a ratio is claimed to lie on.
    pub side: Option<Side>,
}

/// The tolerance around a single number.
pub const TOLERANCE: f64 = 0.2;

impl Published {
    /// A single number.
    pub fn number(value: f64, tolerance: f64, unit: &str) -> Self {
        let range = (value * (1.0 - tolerance), value * (1.0 + tolerance));
        Published { shown: format!("{}{unit}", shown(value)), range, digits: None, side: Side::of((value, value)) }
    }

    /// A range; either end may be open.
    pub fn range(from: Option<f64>, to: Option<f64>, unit: &str) -> Self {
        let shown = match (from, to) {
            (Some(from), Some(to)) => format!("{} to {}{unit}", shown(from), shown(to)),
            (Some(from), None) => format!("at least {}{unit}", shown(from)),
            (None, Some(to)) => format!("at most {}{unit}", shown(to)),
            (None, None) => "anything".to_string(),
        };
        let range = (from.unwrap_or(0.0), to.unwrap_or(f64::INFINITY));
        Published { shown, range, digits: None, side: Side::of(range) }
    }

    /// A printed number: equal to its digits, or not.
    pub fn printed(printed: &Printed) -> Self {
        let range = printed.range();
        Published { shown: printed.text.clone(), range, digits: Some(range), side: None }
    }

    /// The ratio of two printed numbers: with a tolerance, or to the digits where there is no sampling error.
    pub fn ratio(base: &Printed, variant: &Printed) -> Self {
        let ((low, high), (least, most)) = (base.range(), variant.range());
        let digits = Some((low / most, high / least));
        Published { digits, ..Published::number(base.value / variant.value, TOLERANCE, "x") }
    }
}

/// A published number: as short as it was written, or four digits.
fn shown(value: f64) -> String {
    let (short, four) = (value.to_string(), four_digits(value));
    if value < 1000.0 && short.len() < four.len() { short } else { four }
}

/// How much of its set tests a claim, unless all of it is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extent {
    /// All of it: it takes but a moment.
    Whole,
    /// Its first positions.
    First(usize),
    /// Nothing: it takes too long.
    Nothing,
}

/// Where a claim is tested.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Venue {
    /// The test set, as the claim names it.
    pub set: String,
    /// Whether the published figure is of the original set of that name.
    pub original: bool,
    /// The goal.
    pub goal: Goal,
    /// How much of it.
    pub extent: Extent,
}

/// A claim.
#[derive(Clone, Debug, PartialEq)]
pub struct Claim {
    /// Its name.
    pub id: String,
    /// Author and title.
    pub source: String,
    /// What is claimed, in our words.
    pub statement: String,
    /// What kind of number.
    pub kind: Kind,
    /// The number.
    pub published: Published,
    /// What it is compared with, if with anything.
    pub base: Option<String>,
    /// What is measured: a variant, an evaluator `group/function`, a form of the win check.
    pub variant: String,
    /// Where, for samples.
    pub place: Option<Venue>,
    /// The same ratio in the source's own table.
    pub own_table: Option<f64>,
    /// Conditions that differ from the published ones, and what else one must know.
    pub differs: Vec<String>,
}

impl Claim {
    /// Whether a name means this claim: its id, or the beginning of it up to a hyphen.
    pub fn is_meant_by(&self, name: &str) -> bool {
        means(name, &self.id)
    }

    /// The variants that are measured for it.
    pub fn variants(&self) -> impl Iterator<Item = &str> {
        self.base.as_deref().into_iter().chain([self.variant.as_str()]).filter(|_| self.kind.is_of_samples())
    }

    /// Whether the source's own table bears out what the source says.
    pub fn own_table_holds(&self) -> Option<bool> {
        let (low, high) = self.published.range;
        self.own_table.map(|value| (low..=high).contains(&value))
    }
}
