//! A claim: one published figure, and what tests it.

use crate::claims::published::Published;
use crate::extras;
use crate::table::units::{grouped, three_digits, time, times};
use c4lab_solver::search::Goal;

/// Whether a name means an id: all of it, or its beginning up to a hyphen.
pub(super) fn means(name: &str, id: &str) -> bool {
    id.strip_prefix(name).is_some_and(|rest| rest.is_empty() || rest.starts_with('-'))
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    TimeRatio,
    NodeRatio,
    /// The base's time for a node divided by the variant's, over a whole set.
    NodeTimeRatio,
    NodeMean,
    /// Instructions of an evaluator, or their ratio to those of another.
    Instructions,
    Rate,
    MeanTime,
    Speed,
    /// The stones from which on all positions are solved within limits; with a base, the base's divided by the variant's.
    SolvedFrom,
    /// The positions that the variant solves within limits, divided by those that the base solves.
    SolvedRatio,
    Told,
    Extra(&'static str),
}

impl Kind {
    /// The laboratory's own kinds, in the order of tables.
    pub const ALL: [Kind; 11] = [
        Kind::NodeMean,
        Kind::NodeRatio,
        Kind::TimeRatio,
        Kind::NodeTimeRatio,
        Kind::SolvedFrom,
        Kind::SolvedRatio,
        Kind::Instructions,
        Kind::Rate,
        Kind::MeanTime,
        Kind::Speed,
        Kind::Told,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Kind::TimeRatio => "time-ratio",
            Kind::NodeRatio => "node-ratio",
            Kind::NodeTimeRatio => "node-time-ratio",
            Kind::NodeMean => "node-mean",
            Kind::Instructions => "instructions",
            Kind::Rate => "rate",
            Kind::MeanTime => "mean-time",
            Kind::Speed => "speed",
            Kind::SolvedFrom => "solved-from",
            Kind::SolvedRatio => "solved-ratio",
            Kind::Told => "told",
            Kind::Extra(name) => name,
        }
    }

    pub fn names() -> Vec<&'static str> {
        let extra = extras::claim_kinds().iter().map(|kind| kind.name());
        Kind::ALL.into_iter().map(Kind::name).chain(extra).collect()
    }

    /// Whether it is a base divided by a variant, measured on a set.
    pub fn is_ratio(self) -> bool {
        matches!(self, Kind::TimeRatio | Kind::NodeRatio | Kind::NodeTimeRatio)
    }

    /// Whether it is of positions that are solved within limits, which its samples must have.
    pub fn is_of_limits(self) -> bool {
        matches!(self, Kind::SolvedFrom | Kind::SolvedRatio)
    }

    /// Whether it also depends on a program's language, compiler and processor.
    pub fn is_timed(self) -> bool {
        matches!(self, Kind::TimeRatio | Kind::NodeTimeRatio) || self.is_of_machine()
    }

    /// Whether it is a figure of one machine, which another machine can neither bear out nor refute.
    pub fn is_of_machine(self) -> bool {
        matches!(self, Kind::Rate | Kind::MeanTime | Kind::Speed)
    }

    /// Whether it is one number of one variant on a whole set.
    pub fn is_mean(self) -> bool {
        matches!(self, Kind::NodeMean | Kind::MeanTime | Kind::Speed)
    }

    /// Whether it is of a whole set, and says nothing of a part.
    pub fn is_of_whole_sets(self) -> bool {
        self.is_mean() || self == Kind::NodeTimeRatio
    }

    /// Whether it is tested by samples: on a set, under a goal.
    pub fn is_of_samples(self) -> bool {
        self.is_ratio() || self.is_mean() || self.is_of_limits()
    }

    pub fn unit(self, has_base: bool) -> ClaimUnit {
        match self {
            Kind::Instructions if !has_base => ClaimUnit::Instructions,
            Kind::NodeMean => ClaimUnit::Nodes,
            Kind::Rate => ClaimUnit::ASecond,
            Kind::MeanTime => ClaimUnit::Nanoseconds,
            Kind::Speed => ClaimUnit::NodesASecond,
            Kind::SolvedFrom if !has_base => ClaimUnit::Stones,
            Kind::Extra(name) => extras::claim_kind(name).map_or(ClaimUnit::Times, |kind| kind.unit()),
            _ => ClaimUnit::Times,
        }
    }
}

impl serde::Serialize for Kind {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

/// A name that is not one of the laboratory's is that of an extra, which this build may lack.
impl<'de> serde::Deserialize<'de> for Kind {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let name = String::deserialize(deserializer)?;
        let own = Kind::ALL.into_iter().find(|kind| kind.name() == name);
        Ok(own.unwrap_or_else(|| Kind::Extra(extras::name(&name))))
    }
}

const MOST_DECIMALS: usize = 12;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClaimUnit {
    Times,
    Nodes,
    Instructions,
    ASecond,
    Nanoseconds,
    NodesASecond,
    Stones,
    Extra(&'static str),
}

impl ClaimUnit {
    /// A number with its unit, as people read it: three digits, and all of a count.
    pub fn shown(self, value: f64) -> String {
        match self {
            ClaimUnit::Times => times(value),
            ClaimUnit::Nanoseconds => time(value),
            ClaimUnit::ASecond => format!("{} a second", self.plain(value)),
            ClaimUnit::NodesASecond => format!("{} K a second", three_digits(value / 1e3)),
            ClaimUnit::Stones => format!("{value:.0} stones"),
            ClaimUnit::Extra(name) => {
                extras::claim_kind(name).map_or_else(|| self.plain(value), |kind| kind.figure(value))
            }
            _ => self.plain(value),
        }
    }

    pub fn plain(self, value: f64) -> String {
        match self {
            ClaimUnit::Nodes => Self::nodes(value, 0),
            ClaimUnit::Nanoseconds => time(value),
            ClaimUnit::Stones => format!("{value:.0}"),
            _ => three_digits(value),
        }
    }

    pub fn nodes(value: f64, decimals: usize) -> String {
        grouped(&format!("{value:.decimals$}"))
    }

    pub fn decimals(text: &str) -> usize {
        text.split_once('.').map_or(0, |(_, decimals)| decimals.len().min(MOST_DECIMALS))
    }
}

/// How much of its set tests a claim, unless all of it is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extent {
    Whole,
    First(usize),
    Nothing,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Venue {
    pub set: String,
    /// Whether the published figure is of the original set of that name.
    pub original: bool,
    pub goal: Goal,
    pub extent: Extent,
    /// Seconds that all variants of the claim take on a position, on average, as far as anybody published them.
    pub seconds: Option<f64>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Within {
    pub nodes: Option<u64>,
    /// The time of a position, as an experiment writes it.
    pub time: Option<String>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Claim {
    pub id: String,
    pub source: String,
    pub statement: String,
    /// Whether it is only a statement: no measurement could fail it.
    pub is_statement: bool,
    pub kind: Kind,
    pub published: Published,
    pub base: Option<String>,
    /// What is measured: a variant, an evaluator `group/function`, a form of the win check.
    pub variant: String,
    pub place: Option<Venue>,
    pub within: Within,
    pub parameters: toml::Table,
    pub own_table: Option<f64>,
    /// Conditions that differ from the published ones, and what else one must know.
    pub differs: Vec<String>,
}

impl Claim {
    /// Whether a name means this claim: its id, or the beginning of it up to a hyphen.
    pub fn is_meant_by(&self, name: &str) -> bool {
        means(name, &self.id)
    }

    /// What it is called in lists: a claim, or a statement.
    pub fn class(&self) -> &'static str {
        if self.is_statement { "statement" } else { "claim" }
    }

    pub fn variants(&self) -> impl Iterator<Item = &str> {
        self.base.as_deref().into_iter().chain([self.variant.as_str()]).filter(|_| self.kind.is_of_samples())
    }

    /// Whether the source's own table bears out what the source says.
    pub fn own_table_holds(&self) -> Option<bool> {
        let (low, high) = self.published.range;
        self.own_table.map(|value| (low..=high).contains(&value))
    }
}
