//! Claims, their TOML files, and the experiment that tests them. docs/FORMAT.md lists all keys of the files.
//!
//! ```toml
//! source = 'A. Author, "A title"'
//!
//! [[claims]]
//! id = "faster"
//! statement = "looking ahead is about twice as fast"
//! kind = "time-ratio"
//! published = 2.0                       # or from = and to =, or printed = "39900" for a node-mean
//! base = "pons-11"
//! variant = "pons-12"
//! test-sets = ["middle-easy"]           # a claim for each set and goal
//! ```

use crate::claims::finding::Finding;
use crate::claims::verdict::{Published, Verdict};
use crate::entry;
use crate::extras::{self, NEEDS_EXTRAS};
use crate::table::units::{grouped, three_digits, times};
use anyhow::{Context, Result, bail};
use c4lab_measure::plan::experiment::{Experiment, Run};
use c4lab_measure::sets::protocol::SETS;
use c4lab_measure::sets::test_set::TestSet;
use c4lab_measure::text::{line_of, read_text, toml_error, unknown};
use c4lab_solver::game::BoardSize;
use c4lab_solver::search::{Goal, Name};
use serde::{Deserialize, Serialize};
use std::collections::{HashMap, HashSet};
use std::mem;
use std::path::Path;
use std::time::Duration;
use toml::Spanned;

/// The quantity of a claim. A ratio is the base's number divided by the variant's.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// The mean number of nodes over a whole set.
    #[default]
    NodeMean,
    NodeRatio,
    TimeRatio,
    /// Ratio of the times per node, over a whole set.
    NodeTimeRatio,
    /// Number of stones from which on all positions are solved within limits; with a base, the ratio of both numbers.
    SolvedFrom,
    /// Number of positions that the variant solves within limits, divided by that of the base.
    SolvedRatio,
    /// Instructions of an evaluator; with a base, the variant's instructions divided by the base's.
    Instructions,
    /// A kind that an extra measures, by name. This build may lack it.
    #[serde(untagged)]
    Extra(String),
}

/// The laboratory's own kinds, in the order of tables.
pub static OWN_KINDS: [Kind; 7] = [
    Kind::NodeMean,
    Kind::NodeRatio,
    Kind::TimeRatio,
    Kind::NodeTimeRatio,
    Kind::SolvedFrom,
    Kind::SolvedRatio,
    Kind::Instructions,
];

impl Kind {
    pub fn names() -> impl Iterator<Item = &'static str> {
        OWN_KINDS.iter().map(Kind::name).chain(extras::claim_kinds().iter().map(|kind| kind.name))
    }

    /// The name in claim files, and the title of the table.
    fn words(&self) -> [&str; 2] {
        match self {
            Kind::NodeMean => ["node-mean", "Mean number of nodes"],
            Kind::NodeRatio => ["node-ratio", "Times fewer nodes than the base"],
            Kind::TimeRatio => ["time-ratio", "Times less time than the base"],
            Kind::NodeTimeRatio => ["node-time-ratio", "Times less time for a node than the base"],
            Kind::SolvedFrom => ["solved-from", "Stones from which on all is solved within the limits"],
            Kind::SolvedRatio => ["solved-ratio", "Times more positions solved within the limits than the base"],
            Kind::Instructions => ["instructions", "Instructions"],
            Kind::Extra(name) => [name, extras::claim_kind(name).map_or(name, |kind| kind.title)],
        }
    }

    pub fn name(&self) -> &str {
        self.words()[0]
    }

    pub fn title(&self) -> &str {
        self.words()[1]
    }

    /// True unless an extra that this build lacks measures the kind.
    pub fn is_known(&self) -> bool {
        !matches!(self, Kind::Extra(name) if extras::claim_kind(name).is_none())
    }

    /// True if the claim is a base's quantity divided by a variant's, measured on a test set.
    pub fn is_ratio(&self) -> bool {
        matches!(self, Kind::TimeRatio | Kind::NodeRatio | Kind::NodeTimeRatio)
    }

    /// True if the claim counts positions solved within limits. Its samples must be measured under these limits.
    pub fn is_of_limits(&self) -> bool {
        matches!(self, Kind::SolvedFrom | Kind::SolvedRatio)
    }

    /// True if only samples of a whole test set can test the claim.
    pub fn is_of_whole_sets(&self) -> bool {
        matches!(self, Kind::NodeMean | Kind::NodeTimeRatio)
    }

    /// True if the claim is tested by samples, on a test set under a goal.
    pub fn is_of_samples(&self) -> bool {
        !matches!(self, Kind::Instructions | Kind::Extra(_))
    }

    pub fn unit(&self, has_base: bool) -> Unit {
        match self {
            Kind::Instructions if !has_base => Unit::Plain,
            Kind::NodeMean => Unit::Nodes,
            Kind::SolvedFrom if !has_base => Unit::Stones,
            Kind::Extra(name) => extras::claim_kind(name).map_or(Unit::Plain, |kind| kind.unit),
            _ => Unit::Times,
        }
    }
}

/// The unit of a number.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Unit {
    /// A ratio.
    #[default]
    Times,
    Nodes,
    /// A number without a unit, such as a number of instructions.
    Plain,
    /// Stones on the board.
    Stones,
    /// The extra of this name formats the number.
    Extra(&'static str),
}

impl Unit {
    /// `value` with its unit: nodes and stones with all digits, other numbers with three significant digits.
    pub fn shown(self, value: f64) -> String {
        match self {
            Unit::Times => times(value),
            Unit::Stones => format!("{value:.0} stones"),
            Unit::Extra(name) => extras::claim_kind(name).map_or(three_digits(value), |kind| (kind.figure)(value)),
            _ => self.plain(value),
        }
    }

    /// `value` without its unit, for the lower end of a range.
    pub fn plain(self, value: f64) -> String {
        match self {
            Unit::Nodes => Self::nodes(value, 0),
            Unit::Stones => format!("{value:.0}"),
            _ => three_digits(value),
        }
    }

    pub fn nodes(value: f64, decimals: usize) -> String {
        grouped(&format!("{value:.decimals$}"))
    }

    pub fn decimals(text: &str) -> usize {
        text.split_once('.').map_or(0, |(_, decimals)| decimals.len().min(12))
    }
}

/// A claim: the keys of its entry in a file, and their meaning. An entry with several sets or goals makes several claims.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Claim {
    pub id: String,
    /// Author and title; by default those of the file.
    #[serde(default)]
    pub source: String,
    /// The claim in our words.
    pub statement: String,
    pub kind: Kind,
    #[serde(skip)]
    pub published: Published,
    pub base: Option<String>,
    /// The measured variant, or an evaluator as `group/function`.
    #[serde(default)]
    pub variant: String,
    /// The test set; `None` for a claim that samples do not test.
    #[serde(skip)]
    pub set: Option<String>,
    #[serde(skip)]
    pub goal: Goal,
    /// True if the figure was measured on the original set. A mean of nodes on a set of [`SETS`] always was.
    #[serde(default)]
    pub original: bool,
    /// Number of positions at the beginning of the set that test the claim without `--full`; `None` for all.
    pub positions: Option<usize>,
    /// True if the claim is measured under `--full` alone, since it takes long.
    #[serde(default)]
    pub only_full: bool,
    /// Mean seconds that all variants of the claim take together on one position. They predict the duration of `--full`.
    pub seconds: Option<f64>,
    /// The limits of one search: nodes, those of the base if they are others, and a time in the notation of experiments.
    pub node_limit: Option<u64>,
    pub base_node_limit: Option<u64>,
    pub time_limit: Option<String>,
    /// Parameters of a kind that an extra measures.
    #[serde(default)]
    pub parameters: toml::Table,
    /// The claimed ratio as computed from the source's own table.
    pub own_table: Option<f64>,
    /// Conditions that differ from the published ones, and other remarks.
    #[serde(default)]
    pub differs: Vec<String>,
    #[serde(rename = "published")]
    pub(super) number: Option<f64>,
    pub(super) tolerance: Option<f64>,
    pub(super) from: Option<f64>,
    pub(super) to: Option<f64>,
    /// A printed mean of nodes, or two printed numbers `base/variant` whose ratio is claimed.
    pub(super) printed: Option<String>,
    #[serde(default)]
    pub(super) test_sets: Vec<String>,
    pub(super) goals: Option<Vec<Goal>>,
}

impl Claim {
    pub fn variants(&self) -> impl Iterator<Item = &str> {
        self.base.as_deref().into_iter().chain([self.variant.as_str()]).filter(|_| self.kind.is_of_samples())
    }
}

/// True if `name` is `id`, or the beginning of `id` up to a hyphen.
pub(super) fn means(name: &str, id: &str) -> bool {
    id.strip_prefix(name).is_some_and(|rest| rest.is_empty() || rest.starts_with('-'))
}

/// The claim files embedded in the binary: name and text.
static EMBEDDED: &[(&str, &str)] = &[
    ("experiments/claims/pons.toml", include_str!("../../../experiments/claims/pons.toml")),
    ("experiments/claims/boards.toml", include_str!("../../../experiments/claims/boards.toml")),
    ("experiments/claims/pruning.toml", include_str!("../../../experiments/claims/pruning.toml")),
    ("experiments/claims/bot.toml", include_str!("../../../experiments/claims/bot.toml")),
    ("experiments/claims/fhourstones.toml", include_str!("../../../experiments/claims/fhourstones.toml")),
    ("experiments/claims/outcomes.toml", include_str!("../../../experiments/claims/outcomes.toml")),
];

/// Default of the key `positions`.
const POSITIONS: usize = 100;

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct Document {
    source: Option<String>,
    #[serde(default)]
    claims: Vec<Spanned<Claim>>,
}

pub fn embedded() -> Result<Vec<Claim>> {
    let mut claims = Vec::new();
    for &(file, text) in EMBEDDED {
        claims.extend(parse(file, text)?);
    }
    refuse_doubles(&claims)?;
    Ok(claims)
}

/// Reads the claims of a file. A kind that this build does not know is an error.
pub fn open(path: &Path) -> Result<Vec<Claim>> {
    let shown = path.display().to_string();
    let claims = parse(&shown, &read_text(path)?)?;
    if let Some(claim) = claims.iter().find(|claim| !claim.kind.is_known()) {
        bail!("{shown}: {}", unknown("kind", claim.kind.name(), Kind::names()));
    }
    Ok(claims)
}

/// Parses the text of a claim file. An error names file, line and reason.
pub fn parse(file: &str, text: &str) -> Result<Vec<Claim>> {
    let document: Document = toml::from_str(text).map_err(|error| toml_error(file, text, &error))?;
    let mut claims = Vec::new();
    for entry in document.claims {
        let line = line_of(text, entry.span().start);
        let entry = entry.into_inner();
        let place = format!("{file}, line {line}: claim {:?}", entry.id);
        claims.extend(entry.of_entry(document.source.as_deref()).with_context(|| place)?);
    }
    if claims.is_empty() {
        bail!("{file}: no claim in it");
    }
    refuse_doubles(&claims).with_context(|| file.to_string())?;
    Ok(claims)
}

/// The claims whose ids `names` give in full or by their beginning; all claims if `names` is empty.
pub fn choose(claims: Vec<Claim>, names: &[String]) -> Result<Vec<Claim>, String> {
    if let Some(name) = names.iter().find(|name| !claims.iter().any(|claim| means(name, &claim.id))) {
        return Err(unknown("claim", name, claims.iter().map(|claim| claim.id.as_str())));
    }
    let is_meant = |claim: &Claim| names.is_empty() || names.iter().any(|name| means(name, &claim.id));
    Ok(claims.into_iter().filter(is_meant).collect())
}

fn refuse_doubles(claims: &[Claim]) -> Result<()> {
    let mut ids = HashSet::new();
    match claims.iter().find(|claim| !ids.insert(claim.id.as_str())) {
        Some(claim) => bail!("the claim {:?} is defined twice", claim.id),
        None => Ok(()),
    }
}

impl Claim {
    /// One claim for each pair of test set and goal; one claim in all if samples do not test its kind.
    fn of_entry(mut self, source: Option<&str>) -> Result<Vec<Claim>> {
        if self.id.is_empty() || self.id.chars().any(|c| !matches!(c, 'a'..='z' | '0'..='9' | '-')) {
            bail!("the id {:?} is not made of small letters, digits and '-'", self.id);
        }
        if self.source.is_empty() {
            self.source = source.context("no source: give author and title")?.to_string();
        }
        let numbers = [self.number, self.from, self.to, self.tolerance, self.seconds];
        if numbers.iter().flatten().any(|number| !number.is_finite() || *number <= 0.0) {
            bail!("published, tolerance, from, to and seconds must be numbers above 0");
        }
        self.published = match &self.kind {
            kind if !kind.is_known() => Published::words(NEEDS_EXTRAS),
            Kind::Extra(_) if self.number.or(self.from).or(self.to).is_none() => Published::words(""),
            Kind::Extra(_) => self.figure()?,
            _ => {
                self.check()?;
                self.printed_figure()?
            }
        };
        if let Kind::Extra(name) = &self.kind {
            // A build without the extra lists the entry as one claim.
            return extras::claim_kind(name).map_or(Ok(vec![self.clone()]), |kind| (kind.claims)(self.clone()));
        }
        if !self.kind.is_of_samples() {
            return Ok(vec![self]);
        }
        let (sets, goals) = (mem::take(&mut self.test_sets), self.goals.take().unwrap_or(vec![Goal::Strong]));
        self.positions = (!self.kind.is_of_whole_sets()).then_some(self.positions.unwrap_or(POSITIONS));
        let is_alone = sets.len() * goals.len() == 1;
        let mut claims = Vec::new();
        for set in &sets {
            for &goal in &goals {
                let stem = Path::new(set).file_stem().unwrap_or_default().to_string_lossy();
                let id = if is_alone { self.id.clone() } else { format!("{}-{stem}-{}", self.id, goal.name()) };
                let has_original = self.kind == Kind::NodeMean && SETS.iter().any(|known| known.name == set);
                let original = self.original || has_original;
                claims.push(Claim { id, set: Some(set.clone()), goal, original, ..self.clone() });
            }
        }
        Ok(claims)
    }

    fn printed_figure(&self) -> Result<Published> {
        let Some(text) = &self.printed else {
            if self.kind == Kind::NodeMean {
                bail!("a node-mean needs the number as it was printed: printed = \"39900\"");
            }
            return match self.figure()? {
                published if published.cannot_fail() => {
                    bail!("{} holds 1 and spans a factor of 100, so no measurement could fail it", published.shown)
                }
                published => Ok(published),
            };
        };
        let published = match (text.split_once('/'), &self.kind) {
            (None, Kind::NodeMean) => Published::printed(text),
            (Some((base, variant)), Kind::TimeRatio | Kind::NodeRatio) => Published::printed_ratio(base, variant),
            _ => bail!("printed = {text:?}: a node-mean has one number, a time-ratio or node-ratio has two"),
        };
        published.with_context(|| format!("printed = {text:?}: not made of numbers above 0"))
    }

    fn figure(&self) -> Result<Published> {
        let unit = self.kind.unit(self.base.is_some());
        Ok(match (self.number, self.from, self.to) {
            (Some(number), None, None) => Published::number(number, self.tolerance, unit),
            (None, Some(from), Some(to)) if from >= to => bail!("from is not below to"),
            (None, from, to) if from.or(to).is_some() && self.tolerance.is_none() => Published::range((from, to), unit),
            _ => bail!("either published, which may have a tolerance, or one or both of from and to"),
        })
    }

    /// Refuses keys that do not fit together, and unknown test sets.
    fn check(&self) -> Result<()> {
        let (kind, name) = (&self.kind, self.kind.name());
        let has_limit = self.node_limit.is_some() || self.time_limit.is_some();
        let is_evaluator = |name: &String| name.contains('/');
        let wrong = [
            (self.statement.trim().is_empty(), "no statement".to_string()),
            ((kind.is_ratio() || *kind == Kind::SolvedRatio) && self.base.is_none(), format!("a {name} needs a base")),
            (!self.parameters.is_empty(), format!("a {name} has no parameters")),
            (self.variant.is_empty(), "no variant".to_string()),
            (
                self.base_node_limit.is_some() && self.node_limit.is_none(),
                "a base-node-limit needs a node-limit".to_string(),
            ),
            (kind.is_of_limits() && !has_limit, format!("a {name} needs a node-limit or a time-limit")),
            (!kind.is_of_limits() && has_limit, format!("a {name} has no limits")),
            (kind.is_of_samples() && self.test_sets.is_empty(), format!("a {name} needs test-sets")),
            (!kind.is_of_samples() && !self.test_sets.is_empty(), format!("a {name} has no test-sets")),
            (
                self.positions.is_some() && kind.is_of_whole_sets(),
                format!("a {name} is tested on a whole set: leave out positions"),
            ),
            (
                self.positions == Some(0) || self.goals.as_ref().is_some_and(Vec::is_empty),
                "nothing to measure: positions = 0, or no goal".to_string(),
            ),
            (
                *kind == Kind::Instructions && !self.base.iter().chain([&self.variant]).all(is_evaluator),
                "instructions need evaluators as group/function, as in instructions.csv".to_string(),
            ),
        ];
        if let Some((_, reason)) = wrong.into_iter().find(|(is_wrong, _)| *is_wrong) {
            bail!(reason);
        }
        for set in &self.test_sets {
            let is_known = SETS.iter().any(|known| known.name == set.strip_prefix("original/").unwrap_or(set));
            if !is_known && !Path::new(set).exists() && TestSet::open(set).is_err() {
                bail!(unknown("test set or file", set, SETS.iter().map(|set| set.name)));
            }
        }
        Ok(())
    }
}

/// One experiment that tests all claims, so that base and variant share blocks; and the claims left out.
///
/// Under `--full` a claim is tested on its whole set if its own run is predicted to end in time. The prediction is the
/// published mean time of a position, for all variants together, times positions, repetitions and processes.
#[derive(Debug)]
pub struct ClaimPlan {
    /// An experiment without runs if no claim is to be measured.
    pub experiment: Experiment,
    /// The findings of the claims left out, by id. A finding has the reason.
    pub excuses: HashMap<String, Finding>,
    /// The ids of the claims that would take too long, with their predicted durations, shortest first.
    pub too_long: Vec<(String, Duration)>,
    /// The longest predicted duration of a claim on its whole set, under `--full`.
    at_most: Option<Duration>,
    /// The number of positions of each set that was looked up; `None` if there is no such set.
    sizes: HashMap<String, Option<usize>>,
}

/// Variants on one set under one goal, each with the most positions that a claim needs of it; `None` for all.
struct Group {
    set: String,
    goal: Goal,
    variants: Vec<(String, Option<usize>)>,
}

impl ClaimPlan {
    /// `experiment` has no runs. `at_most` is the longest predicted duration of a claim on its whole set.
    pub fn of(claims: &[Claim], at_most: Option<Duration>, experiment: Experiment) -> Self {
        let (excuses, too_long, sizes) = (HashMap::new(), Vec::new(), HashMap::new());
        let mut plan = ClaimPlan { experiment, excuses, too_long, at_most, sizes };
        let mut groups: Vec<Group> = Vec::new();
        for claim in claims {
            let Some(set) = &claim.set else { continue };
            if let Some((verdict, why)) = plan.excuse(claim, set) {
                plan.excuses.insert(claim.id.clone(), Finding::untested(claim, verdict, why));
                continue;
            }
            let (set, goal, limit) = (plan.resolve(claim, set), claim.goal, plan.limit(claim, set));
            let is_known = |group: &Group| group.set == set && group.goal == goal;
            let group = entry(&mut groups, is_known, || Group { set: set.clone(), goal, variants: Vec::new() });
            for variant in claim.variants() {
                let is_known = |(name, _): &(String, _)| name == variant;
                let (_, most) = entry(&mut group.variants, is_known, || (variant.to_string(), limit));
                *most = most.zip(limit).map(|(most, limit)| most.max(limit));
            }
        }
        plan.experiment.runs = groups.into_iter().flat_map(runs).collect();
        plan.too_long.sort_by_key(|(_, predicted)| *predicted);
        plan
    }

    /// Verdict and reason of a claim that is not measured; `None` if it is measured.
    fn excuse(&mut self, claim: &Claim, set: &str) -> Option<(Verdict, String)> {
        if claim.kind.is_of_limits() {
            return Some((Verdict::NotTested, NEEDS_LIMITS.to_string()));
        }
        if let Some(why) = claim.variants().find_map(unavailable) {
            return Some((Verdict::Waiting, why));
        }
        let predicted = self.at_most.and_then(|most| Some((self.predicted(claim, set)?, most)));
        let why = if let Some((predicted, most)) = predicted.filter(|(predicted, most)| predicted > most) {
            self.too_long.push((claim.id.clone(), predicted));
            let most = humantime::format_duration(most);
            format!("its own run is predicted to take {}, longer than --at-most {most}", shown(predicted))
        } else if claim.kind.is_of_whole_sets() && claim.original && !self.has_original(set) {
            NEEDS_ORIGINAL.to_string()
        } else if claim.only_full && self.at_most.is_none() {
            "takes long: needs --full".to_string()
        } else if claim.only_full && claim.seconds.is_none() {
            "its duration cannot be predicted: no time was published, and no speed".to_string()
        } else {
            return None;
        };
        Some((Verdict::NotTested, why))
    }

    /// The number of positions that a claim needs; `None` for all. Without published seconds, `--full` changes nothing.
    /// Nodes on a whole set have the least error: where that takes seconds, the whole set is measured.
    fn limit(&mut self, claim: &Claim, set: &str) -> Option<usize> {
        let predicted = self.predicted(claim, set);
        let is_short = claim.kind == Kind::NodeRatio && predicted.is_some_and(|predicted| predicted <= AT_ONCE);
        let is_whole = is_short || self.at_most.is_some() && claim.seconds.is_some();
        let needed = claim.positions.filter(|_| !is_whole);
        needed.into_iter().chain(self.experiment.limit).min()
    }

    /// The duration of a run of this claim alone, on `--limit` positions or all; `None` without published seconds.
    fn predicted(&mut self, claim: &Claim, set: &str) -> Option<Duration> {
        let seconds = claim.seconds?;
        let set = self.resolve(claim, set);
        let positions = self.size(&set)?.min(self.experiment.limit.unwrap_or(usize::MAX));
        let passes = self.experiment.repetitions * self.experiment.processes;
        // A time that overflows a `Duration` is too long for any run.
        let predicted = Duration::try_from_secs_f64(seconds * positions as f64 * passes as f64);
        Some(predicted.unwrap_or(Duration::MAX))
    }

    fn size(&mut self, set: &str) -> Option<usize> {
        let open = || TestSet::open(set).ok().map(|set| set.items.len());
        *self.sizes.entry(set.to_string()).or_insert_with(open)
    }

    fn has_original(&mut self, set: &str) -> bool {
        self.size(&format!("original/{set}")).is_some()
    }

    /// The name of the set that tests the claim: the original set if it is there.
    fn resolve(&mut self, claim: &Claim, set: &str) -> String {
        let is_original = claim.original && self.has_original(set);
        if is_original { format!("original/{set}") } else { set.to_string() }
    }
}

/// The runs of a group: one for each number of positions. They share blocks.
fn runs(Group { set, goal, variants }: Group) -> Vec<Run> {
    let mut runs: Vec<Run> = Vec::new();
    for (variant, limit) in variants {
        let new = || Run { variants: Vec::new(), test_sets: vec![set.clone()], goals: vec![goal], limit };
        entry(&mut runs, |run| run.limit == limit, new).variants.push(variant);
    }
    runs
}

/// A predicted duration: in minutes from one hour on, in seconds below.
pub fn shown(predicted: Duration) -> String {
    let seconds = predicted.as_secs();
    let rounded = if seconds < 3600 { seconds } else { seconds.div_ceil(60) * 60 };
    humantime::format_duration(Duration::from_secs(rounded)).to_string()
}

/// The longest predicted time of a whole set that is measured without `--full`.
const AT_ONCE: Duration = Duration::from_secs(5);
pub const NEEDS_ORIGINAL: &str = "needs the original test sets: c4lab test-sets add (test-sets/README.md)";
const NEEDS_LIMITS: &str =
    "needs samples under the claim's limits: `c4lab measure budget-cpython` or another, then `reproduce --from`";

/// The reason why this build cannot measure `variant`; `None` if it can.
pub(super) fn unavailable(variant: &str) -> Option<String> {
    match Name::parse(variant) {
        Err(_) => Some(format!("no variant {variant:?} in this build")),
        Ok(name) => Some(format!("{variant}: {}", name.available_on(BoardSize::STANDARD).err()?)),
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    pub(crate) const CLAIM: &str = "source = 's'\n[[claims]]\nid = \"twice\"\nstatement = \"twice as fast\"\nkind = \"time-ratio\"\n\
                                    published = 2\nbase = \"pons-11\"\nvariant = \"pons-12\"\ntest-sets = [\"end-easy\"]\n";

    pub(crate) fn claims(text: &str) -> Vec<Claim> {
        parse("c.toml", text).unwrap()
    }

    pub(crate) fn named(claims: &[Claim], id: &str) -> Claim {
        claims.iter().find(|claim| claim.id == id).unwrap_or_else(|| panic!("{id}")).clone()
    }

    #[test]
    fn embedded_claims_are_of_registered_variants() {
        let claims = embedded().unwrap();
        let of = |kind: Kind| claims.iter().filter(|claim| claim.kind == kind).count();
        assert_eq!([of(Kind::NodeMean), of(Kind::TimeRatio), of(Kind::NodeTimeRatio)], [92, 118, 10]);
        for name in claims.iter().flat_map(Claim::variants) {
            assert!(Name::parse(name).is_ok(), "{name}");
        }
        assert!(claims.iter().all(|claim| !claim.statement.is_empty() && !claim.source.is_empty()));
    }

    #[test]
    fn figures_are_the_published_numbers() {
        let claims = embedded().unwrap();
        let shown = |id: &str| named(&claims, id).published.shown;
        assert_eq!(shown("pons-09-middle-medium-strong-time"), "1.49x");
        assert_eq!(shown("pons-09-middle-medium-strong-mean"), "1,135,000");
        assert_eq!(shown("pons-says-11-end-easy-weak"), "1.05 to 1.11x");
        let step = named(&claims, "pons-09-middle-medium-strong-time");
        assert_eq!((step.base.as_deref(), step.variant.as_str()), (Some("pons-08"), "pons-09"));
        assert!((step.published.range.0 - 1.4921f64.powf(0.8)).abs() < 1e-3);
        assert!((step.seconds.unwrap() - (0.0483 + 0.03237)).abs() < 1e-9, "both variants");
        let slower = named(&claims, "pons-says-10-node-time-middle-medium-strong");
        assert!((slower.own_table.unwrap() - 0.3353).abs() < 1e-3);
        let misprint = named(&claims, "pons-08-end-easy-weak-mean");
        assert!(misprint.differs.iter().any(|note| note.contains("misprint")));
        for (id, positions, only_full) in [
            ("pons-05-middle-medium-strong-time", Some(100), true),
            ("pons-12-middle-easy-strong-time", Some(250), false),
            ("pons-11-begin-medium-strong-nodes", Some(31), false),
            ("pons-12-middle-medium-strong-mean", None, false),
            ("pons-07-middle-medium-strong-mean", None, true),
        ] {
            let claim = named(&claims, id);
            assert_eq!((claim.positions, claim.only_full), (positions, only_full), "{id}");
        }
    }

    #[test]
    fn a_claim_for_each_set_and_goal() {
        let text = CLAIM.replace("[\"end-easy\"]", "[\"end-easy\", \"middle-easy\"]\ngoals = [\"weak\", \"strong\"]");
        let ids: Vec<String> = claims(&text).into_iter().map(|claim| claim.id).collect();
        assert_eq!(
            ids,
            ["twice-end-easy-weak", "twice-end-easy-strong", "twice-middle-easy-weak", "twice-middle-easy-strong"]
        );
    }

    #[test]
    fn errors_name_the_file_the_line_and_the_reason() {
        let error = |from: &str, to: &str| {
            let text = CLAIM.replacen(from, to, 1);
            assert_ne!(text, CLAIM);
            format!("{:#}", parse("c.toml", &text).unwrap_err())
        };
        assert_eq!(error("statement", "statment"), "c.toml, line 4: no key \"statment\"; nearest: \"statement\"");
        for (from, to, reason) in [
            ("end-easy", "end-esay", "nearest: \"end-easy\""),
            ("published = 2", "published = -2", "numbers above 0"),
            ("published = 2", "from = 3\nto = 2", "from is not below to"),
            ("published = 2", "from = 3\ntolerance = 0.1", "either published"),
            ("published = 2\n", "", "either published"),
            ("base = \"pons-11\"\n", "", "a time-ratio needs a base"),
            ("variant = \"pons-12\"\n", "", "no variant"),
            ("test-sets = [\"end-easy\"]", "test-sets = []", "a time-ratio needs test-sets"),
            ("twice as fast", " ", "no statement"),
            ("published = 2", "printed = \"2\"", "a node-mean has one number, a time-ratio"),
            ("published = 2", "published = 2\npositions = 0", "positions = 0"),
            ("published = 2", "published = 2\nnode-limit = 9", "a time-ratio has no limits"),
            ("time-ratio", "solved-ratio", "a solved-ratio needs a node-limit or a time-limit"),
            ("source = 's'\n", "\n", "no source"),
            ("published = 2", "from = 1\nto = 100", "so no measurement could fail it"),
            ("kind = \"time-ratio\"", "kind = \"node-time-ratio\"\npositions = 9", "leave out positions"),
            ("published = 2", "published = 2\nseconds = 0", "numbers above 0"),
            ("twice\"", "Twice!\"", "not made of small letters"),
        ] {
            let error = error(from, to);
            assert!(error.starts_with("c.toml, line 2: claim \"") && error.contains(reason), "{to}: {error}");
        }
        let double = format!("{CLAIM}{}", &CLAIM[13..]);
        assert!(format!("{:#}", parse("c.toml", &double).unwrap_err()).contains("defined twice"));
        assert!(parse("c.toml", "source = 's'\n").is_err());
    }

    fn plan(claims: &[Claim], hours: Option<f64>, limit: Option<usize>) -> ClaimPlan {
        let full = hours.map(|hours| Duration::from_secs_f64(3600.0 * hours));
        ClaimPlan::of(claims, full, Experiment { repetitions: 3, limit, ..Experiment::blank("reproduce") })
    }

    #[test]
    fn one_experiment_measures_all_claims_each_variant_as_far_as_some_claim_asks() {
        let more = "[[claims]]\nid = \"other\"\nstatement = \"x\"\nkind = \"node-ratio\"\npublished = 2\nbase = \"pons-12\"\n\
                    variant = \"pons-10\"\ntest-sets = [\"end-easy\"]\npositions = 7\n";
        let both = plan(&claims(&format!("{CLAIM}{more}")), None, None);
        let experiment = both.experiment;
        experiment.validate().unwrap();
        let runs: Vec<_> = experiment.runs.iter().map(|run| (run.variants.join(" "), run.limit)).collect();
        assert_eq!(runs, [("pons-11 pons-12".to_string(), Some(100)), ("pons-10".to_string(), Some(7))]);
        let timed = CLAIM.replace("published = 2", "published = 2\nseconds = 0.001");
        for (text, hours, limit, expected, why) in [
            (CLAIM, Some(2.0), None, (Some(100), None), "nothing says how long the whole takes"),
            (&timed, Some(2.0), None, (None, None), "the whole set"),
            (CLAIM, None, Some(3), (Some(3), Some(3)), "--limit"),
        ] {
            let experiment = plan(&claims(text), hours, limit).experiment;
            assert_eq!((experiment.runs[0].limit, experiment.limit), expected, "{why}");
        }
    }

    /// 1000 positions, 3 repetitions, 0.75, 4 and 9.9 s a position: 2250, 12000 and 29700 s.
    #[test]
    fn whole_sets_are_measured_for_claims_that_are_predicted_to_end_in_time() {
        let timed = |id: &str, set: &str, seconds: f64| {
            let seconds = format!("published = 2\nseconds = {seconds}");
            CLAIM.replace("twice\"", &format!("{id}\"")).replace("end-easy", set).replace("published = 2", &seconds)
        };
        let texts =
            [timed("end", "end-easy", 0.75), timed("middle", "middle-easy", 4.0), timed("begin", "begin-easy", 9.9)];
        let all: Vec<Claim> = texts.iter().flat_map(|text| claims(text)).collect();
        let left_out = |hours: Option<f64>, limit: Option<usize>| -> Vec<(String, u64)> {
            let plan = plan(&all, hours, limit);
            assert!(plan.too_long.iter().all(|(id, _)| plan.excuses[id].verdict == Verdict::NotTested));
            plan.too_long.into_iter().map(|(id, predicted)| (id, predicted.as_secs())).collect()
        };
        let (middle, begin) = (("middle".to_string(), 12_000), ("begin".to_string(), 29_700));
        assert_eq!(left_out(Some(2.0), None), [middle, begin.clone()]);
        assert_eq!(left_out(Some(4.0), None), [begin]);
        assert_eq!(left_out(Some(9.0), None), []);
        assert_eq!(left_out(Some(2.0), Some(100)), [], "3000 s for a tenth of the longest");
        assert_eq!(left_out(None, None), [], "without --full nothing is predicted");
        let runs = plan(&all, Some(2.0), None).experiment.runs;
        assert!(runs.len() == 1 && runs[0].limit.is_none() && runs[0].test_sets[0].ends_with("end-easy"), "{runs:?}");
    }

    #[test]
    fn claims_that_cannot_be_measured_are_left_out_with_their_reason() {
        let plan = plan(&embedded().unwrap(), None, None);
        let verdict = |id: &str| plan.excuses.get(id).map(|excuse| excuse.verdict);
        assert_eq!(verdict("pons-02-begin-hard-weak-mean"), Some(Verdict::NotTested));
        assert_eq!(verdict("pons-12-begin-hard-strong-time"), Some(Verdict::NotTested));
        assert_eq!(verdict("enhanced-transposition-cutoffs-middle-medium-strong"), None);
        assert_eq!(verdict("pons-12-middle-easy-strong-time"), None);
        plan.experiment.validate().unwrap();
        assert!(unavailable("pons-13").is_some());
    }
}
