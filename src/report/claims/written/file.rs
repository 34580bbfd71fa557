//! A file of claims, in TOML: claims one by one, and ladders that become many. docs/FORMAT.md has every key.
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
//!
//! `[[statements]]` have the same keys. They are what was said that no measurement could fail.

use crate::claims::claim::{Claim, ClaimUnit, Extent, Kind, Venue, Within};
use crate::claims::published::Published;
use crate::claims::written::figures::Printed;
use crate::claims::written::ladder::Ladder;
use crate::extras::{self, ClaimKind, NEEDS_EXTRAS};
use anyhow::{Context, Result, bail};
use c4lab_measure::nearest::unknown;
use c4lab_measure::plan::toml_error::{explain, line_of};
use c4lab_measure::sets::protocol::SETS;
use c4lab_measure::sets::test_set::TestSet;
use c4lab_solver::axes::{Axis, Wins};
use c4lab_solver::search::Goal;
use serde::Deserialize;
use std::path::Path;
use toml::Spanned;

/// The files that the binary carries: name and text.
pub static EMBEDDED: &[(&str, &str)] = &[
    ("experiments/claims/pons.toml", include_str!("../../../../experiments/claims/pons.toml")),
    ("experiments/claims/boards.toml", include_str!("../../../../experiments/claims/boards.toml")),
    ("experiments/claims/pruning.toml", include_str!("../../../../experiments/claims/pruning.toml")),
    ("experiments/claims/bot.toml", include_str!("../../../../experiments/claims/bot.toml")),
    ("experiments/claims/fhourstones.toml", include_str!("../../../../experiments/claims/fhourstones.toml")),
    ("experiments/claims/outcomes.toml", include_str!("../../../../experiments/claims/outcomes.toml")),
    ("experiments/claims/others.toml", include_str!("../../../../experiments/claims/others.toml")),
];

const POSITIONS: usize = 100;

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct Document {
    source: Option<String>,
    #[serde(default)]
    claims: Vec<Spanned<WrittenClaim>>,
    #[serde(default)]
    statements: Vec<Spanned<WrittenClaim>>,
    #[serde(default)]
    ladders: Vec<Spanned<Ladder>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct WrittenClaim {
    id: String,
    source: Option<String>,
    statement: String,
    kind: Kind,
    published: Option<f64>,
    tolerance: Option<f64>,
    from: Option<f64>,
    to: Option<f64>,
    printed: Option<String>,
    figure: Option<String>,
    node_limit: Option<u64>,
    time_limit: Option<String>,
    #[serde(default)]
    parameters: toml::Table,
    base: Option<String>,
    #[serde(default)]
    variant: String,
    #[serde(default)]
    test_sets: Vec<String>,
    goals: Option<Vec<Goal>>,
    positions: Option<usize>,
    /// Seconds that base and variant take together on a position, on average: what `--full` is predicted by.
    seconds: Option<f64>,
    /// Whether nothing is measured of it but by `--full`.
    #[serde(default)]
    only_full: bool,
    #[serde(default)]
    differs: Vec<String>,
}

pub fn embedded() -> Result<Vec<Claim>> {
    let mut claims = Vec::new();
    for &(file, text) in EMBEDDED {
        claims.extend(parse(file, text)?);
    }
    distinct(&claims)?;
    Ok(claims)
}

pub fn open(path: &Path) -> Result<Vec<Claim>> {
    let shown = path.display().to_string();
    let bytes = std::fs::read(path).with_context(|| format!("cannot read {shown}"))?;
    let text = String::from_utf8(bytes).map_err(|_| anyhow::anyhow!("{shown}: not text"))?;
    let claims = parse(&shown, &text)?;
    match claims.iter().find_map(|claim| Some(claim.kind.name()).filter(|name| !Kind::names().contains(name))) {
        Some(name) => bail!("{shown}: {}", unknown("kind", name, Kind::names().into_iter())),
        None => Ok(claims),
    }
}

/// Reads a file's text; an error names the file, the line and the reason.
pub fn parse(file: &str, text: &str) -> Result<Vec<Claim>> {
    let document: Document = toml::from_str(text).map_err(|error| explain(file, text, &error))?;
    let at = |byte: usize| format!("{file}, line {}", line_of(text, byte));
    let mut claims = Vec::new();
    let written = document.claims.into_iter().map(|claim| (claim, false));
    for (written, is_statement) in written.chain(document.statements.into_iter().map(|claim| (claim, true))) {
        let place = at(written.span().start);
        let written = written.into_inner();
        let what = format!("{place}: {} {:?}", if is_statement { "statement" } else { "claim" }, written.id);
        claims.extend(written.claims(document.source.as_deref(), is_statement).with_context(|| what)?);
    }
    for ladder in document.ladders {
        let place = at(ladder.span().start);
        let ladder = ladder.into_inner();
        claims.extend(ladder.claims(document.source.as_deref()).with_context(|| place)?);
    }
    if claims.is_empty() {
        bail!("{file}: no claim in it");
    }
    distinct(&claims).with_context(|| file.to_string())?;
    Ok(claims)
}

/// The claims that names mean, each once, in the order of the list; all where nothing is named.
pub fn choose(claims: Vec<Claim>, names: &[String]) -> Result<Vec<Claim>, String> {
    if let Some(name) = names.iter().find(|name| !claims.iter().any(|claim| claim.is_meant_by(name))) {
        return Err(unknown("claim", name, claims.iter().map(|claim| claim.id.as_str())));
    }
    let meant = |claim: &Claim| names.is_empty() || names.iter().any(|name| claim.is_meant_by(name));
    Ok(claims.into_iter().filter(meant).collect())
}

fn distinct(claims: &[Claim]) -> Result<()> {
    let mut ids = std::collections::HashSet::new();
    match claims.iter().find(|claim| !ids.insert(claim.id.as_str())) {
        Some(claim) => bail!("the claim {:?} stands twice", claim.id),
        None => Ok(()),
    }
}

impl WrittenClaim {
    /// One claim for each set and goal, or one of an evaluator.
    fn claims(self, source: Option<&str>, is_statement: bool) -> Result<Vec<Claim>> {
        check_id(&self.id)?;
        let source = self.source.as_deref().or(source).context("no source, author and title")?.to_string();
        if let Kind::Extra(name) = self.kind {
            return self.of_extra(extras::claim_kind(name), source, is_statement);
        }
        let published = self.published()?;
        self.check()?;
        if !is_statement {
            can_fail(self.kind, &published)?;
        }
        let claim = Claim {
            id: self.id,
            source,
            statement: self.statement,
            is_statement,
            kind: self.kind,
            published,
            base: self.base,
            variant: self.variant,
            place: None,
            within: Within { nodes: self.node_limit, time: self.time_limit },
            parameters: self.parameters,
            own_table: None,
            differs: self.differs,
        };
        if !claim.kind.is_of_samples() {
            return Ok(vec![claim]);
        }
        let goals = self.goals.unwrap_or(vec![Goal::Strong]);
        let extent = match claim.kind {
            _ if self.only_full => Extent::Nothing,
            kind if kind.is_of_whole_sets() => Extent::Whole,
            _ => Extent::First(self.positions.unwrap_or(POSITIONS)),
        };
        let alone = self.test_sets.len() * goals.len() == 1;
        let mut claims = Vec::new();
        for set in &self.test_sets {
            for &goal in &goals {
                let stem = Path::new(set).file_stem().unwrap_or_default().to_string_lossy();
                let id = if alone { claim.id.clone() } else { format!("{}-{stem}-{}", claim.id, goal.name()) };
                let original = claim.kind.is_mean() && SETS.iter().any(|known| known.name == set);
                let place = Some(Venue { set: set.clone(), original, goal, extent, seconds: self.seconds });
                claims.push(Claim { id, place, ..claim.clone() });
            }
        }
        Ok(claims)
    }

    /// The claims of a kind that an extra measures. A build without it lists the entry alone.
    fn of_extra(self, kind: Option<&dyn ClaimKind>, source: String, is_statement: bool) -> Result<Vec<Claim>> {
        let numbers = [self.published, self.from, self.to];
        let published = match kind {
            None => Published::told(NEEDS_EXTRAS),
            Some(_) if numbers.iter().all(Option::is_none) => Published::told(""),
            Some(_) => published(self.kind, self.base.is_some(), self.published, self.tolerance, (self.from, self.to))?,
        };
        let claim = Claim {
            id: self.id,
            source,
            statement: self.statement,
            is_statement,
            kind: self.kind,
            published,
            base: self.base,
            variant: self.variant,
            place: None,
            within: Within::default(),
            parameters: self.parameters,
            own_table: None,
            differs: self.differs,
        };
        kind.map_or(Ok(vec![claim.clone()]), |kind| kind.claims(claim))
    }

    fn published(&self) -> Result<Published> {
        if (self.kind == Kind::NodeMean) != self.printed.is_some() {
            bail!("a node-mean, and nothing else, has a number as it was printed: printed = \"39900\"");
        }
        if (self.kind == Kind::Told) != self.figure.is_some() {
            bail!("what is told, and nothing else, has a figure in words: figure = \"3 seconds\"");
        }
        if let Some(figure) = &self.figure {
            return Ok(Published::told(figure));
        }
        match &self.printed {
            Some(text) => Printed::parse(text)
                .map(|printed| Published::printed(&printed, ClaimUnit::Nodes))
                .with_context(|| format!("printed = {text:?} is not a number above 0")),
            None => published(self.kind, self.base.is_some(), self.published, self.tolerance, (self.from, self.to)),
        }
    }

    /// Whether the keys go together and every set is there.
    fn check(&self) -> Result<()> {
        if self.statement.trim().is_empty() {
            bail!("no statement");
        }
        let needs_base = self.kind.is_ratio() || self.kind == Kind::SolvedRatio;
        if needs_base && self.base.is_none() {
            bail!("a {} needs a base", self.kind.name());
        }
        if !self.parameters.is_empty() {
            bail!("a {} has no parameters", self.kind.name());
        }
        if (self.kind == Kind::Told) != self.variant.is_empty() {
            bail!("what is told has no variant, and every other claim has one");
        }
        if self.kind.is_of_limits() != (self.node_limit.is_some() || self.time_limit.is_some()) {
            bail!("what is solved within limits, and nothing else, has a node-limit or a time-limit");
        }
        if self.kind.is_of_samples() == self.test_sets.is_empty() {
            let needs = if self.kind.is_of_samples() { "needs" } else { "has no" };
            bail!("a {} {needs} test-sets", self.kind.name());
        }
        if self.positions.is_some() && self.kind.is_of_whole_sets() {
            bail!("a {} is of a whole set: leave out positions", self.kind.name());
        }
        if self.seconds.is_some_and(|seconds| !seconds.is_finite() || seconds <= 0.0) {
            bail!("seconds is a number above 0");
        }
        if self.positions == Some(0) || self.goals.as_ref().is_some_and(Vec::is_empty) {
            bail!("nothing to measure: positions = 0, or no goal");
        }
        for set in &self.test_sets {
            let known = SETS.iter().any(|known| known.name == set.strip_prefix("original/").unwrap_or(set));
            if !known && !Path::new(set).exists() && TestSet::open(set).is_err() {
                bail!(unknown("test set or file", set, SETS.iter().map(|set| set.name)));
            }
        }
        match self.kind {
            Kind::Rate if Wins::parse(&self.variant).is_none() => {
                bail!(unknown("win check", &self.variant, Wins::ALL.iter().map(|wins| wins.value())))
            }
            Kind::Instructions if self.base.iter().chain([&self.variant]).any(|name| !name.contains('/')) => {
                bail!("instructions are of group/function, as in instructions.csv")
            }
            _ => Ok(()),
        }
    }
}

/// The published number of a claim that is not a printed one.
pub(super) fn published(
    kind: Kind,
    has_base: bool,
    number: Option<f64>,
    tolerance: Option<f64>,
    (from, to): (Option<f64>, Option<f64>),
) -> Result<Published> {
    let numbers = number.iter().chain(&from).chain(&to).chain(&tolerance);
    if numbers.clone().any(|number| !number.is_finite() || *number <= 0.0) {
        bail!("published, tolerance, from and to are numbers above 0");
    }
    let unit = kind.unit(has_base);
    Ok(match (number, from.is_some() || to.is_some()) {
        (Some(number), false) => Published::number(number, tolerance, unit),
        (None, true) if tolerance.is_some() => bail!("a range has no tolerance"),
        (None, true) if from.zip(to).is_some_and(|(from, to)| from >= to) => bail!("from is not below to"),
        (None, true) => Published::range((from, to), unit),
        _ => bail!("either published, or from and to, or one of these two"),
    })
}

pub(super) fn can_fail(kind: Kind, published: &Published) -> Result<()> {
    if kind.is_of_machine() {
        bail!("a {} is of one machine, and no other could fail it: write it under statements", kind.name());
    }
    // What is told may be measured some day, by somebody: it stays open.
    match published.cannot_fail().filter(|_| kind != Kind::Told) {
        Some(reason) => bail!("{reason}, so no measurement could fail it: write it under statements"),
        None => Ok(()),
    }
}

pub(super) fn check_id(id: &str) -> Result<()> {
    let odd = |c: char| !(c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-');
    if id.is_empty() || id.chars().any(odd) {
        bail!("the id {id:?} is not made of small letters, digits and '-'");
    }
    Ok(())
}
