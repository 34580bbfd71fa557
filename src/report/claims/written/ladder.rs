//! A ladder: every figure of a published table makes a claim, and every step from part to part makes two. Every
//! sentence about a step makes one wherever the table has both parts. Times and speeds of the source's own machine, and sentences that nothing
//! could fail, are statements.

use crate::claims::claim::{Claim, ClaimUnit, Extent, Kind, Venue, Within};
use crate::claims::published::Published;
use crate::claims::written::figures::{Figure, Figures, Printed};
use crate::claims::written::file::{can_fail, check_id, published};
use anyhow::{Context, Result, bail};
use c4lab_solver::search::Goal;
use serde::Deserialize;
use std::collections::BTreeMap;

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct Ladder {
    id: String,
    source: Option<String>,
    figures: String,
    variants: BTreeMap<String, String>,
    /// Passes over the sets that the seconds below are meant for.
    #[serde(default = "three")]
    passes: u32,
    /// Published seconds that a variant may take on its part of a set, in all passes.
    sample_seconds: f64,
    sample_least: usize,
    sample_most: usize,
    /// Published seconds below which a whole set is measured, for what says nothing of a part.
    whole_seconds: f64,
    #[serde(default)]
    differs: Vec<String>,
    #[serde(default)]
    misprints: Vec<Misprint>,
    #[serde(default)]
    sentences: Vec<Sentence>,
    #[serde(default)]
    statements: Vec<Sentence>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct Misprint {
    part: u32,
    goal: Goal,
    test_set: String,
    printed: String,
    why: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct Sentence {
    id: String,
    part: u32,
    statement: String,
    kind: Kind,
    published: Option<f64>,
    tolerance: Option<f64>,
    from: Option<f64>,
    to: Option<f64>,
    goals: Option<Vec<Goal>>,
}

fn three() -> u32 {
    3
}

/// A step: a part and the one before it, on one set under one goal.
struct Rung<'a> {
    before: &'a Figure,
    after: &'a Figure,
}

impl Ladder {
    pub(super) fn claims(&self, source: Option<&str>) -> Result<Vec<Claim>> {
        check_id(&self.id)?;
        let source = self.source.as_deref().or(source).context("no source, author and title")?;
        let figures = Figures::open(&self.figures)?;
        self.check(&figures)?;
        let mut claims = Vec::new();
        for figure in &figures.0 {
            claims.extend(self.mean(figure, &figures, source)?);
            claims.extend(self.of_machine(figure, &figures, source)?);
            if let Some(before) = figures.find(figure.part.saturating_sub(1), figure.goal, figure.set) {
                claims.extend(self.step(&Rung { before, after: figure }, &figures, source)?);
            }
        }
        for (sentences, is_statement) in [(&self.sentences, false), (&self.statements, true)] {
            for sentence in sentences {
                let said = self.sentence(sentence, is_statement, &figures, source)?;
                claims.extend(said.into_iter().map(|claim| Claim { is_statement, ..claim }));
            }
        }
        Ok(claims)
    }

    fn check(&self, figures: &Figures) -> Result<()> {
        let positive = self.sample_seconds > 0.0 && self.whole_seconds >= 0.0 && self.passes > 0;
        if !positive || self.sample_least == 0 || self.sample_most < self.sample_least {
            bail!("passes, sample-seconds, sample-least and sample-most are numbers above 0, the last the greater");
        }
        for misprint in &self.misprints {
            let figure = figures.find(misprint.part, misprint.goal, &misprint.test_set);
            let printed = figure.and_then(|figure| figure.nodes.as_ref());
            if printed.is_none_or(|printed| printed.text != misprint.printed) {
                bail!("misprint: {} is not printed for part {} there", misprint.printed, misprint.part);
            }
        }
        Ok(())
    }

    fn variant(&self, figure: &Figure) -> Result<String> {
        let part = figure.part.to_string();
        self.variants.get(&part).cloned().with_context(|| format!("variants has none for part {part}"))
    }

    /// The start of an id: `pons-09-middle-medium-strong`.
    fn stem(&self, figure: &Figure) -> String {
        format!("{}-{:02}-{}-{}", self.id, figure.part, figure.set, figure.goal.name())
    }

    /// A claim about figures, the last of which is its subject: what all have in common.
    fn claim(
        &self,
        kind: Kind,
        of: &[&Figure],
        figures: &Figures,
        published: Published,
        source: &str,
    ) -> Result<Claim> {
        let figure = of[of.len() - 1];
        Ok(Claim {
            id: self.stem(figure),
            source: format!("{source}, part {}", figure.part),
            statement: String::new(),
            is_statement: kind.is_of_machine(),
            kind,
            published,
            base: None,
            variant: self.variant(figure)?,
            place: Some(Venue {
                set: figure.set.to_string(),
                original: true,
                goal: figure.goal,
                extent: if kind.is_of_whole_sets() { self.whole(of, figures) } else { self.sample(of, figures) },
                seconds: of.iter().map(|figure| figures.seconds(figure)).sum(),
            }),
            within: Within::default(),
            parameters: toml::Table::new(),
            own_table: None,
            differs: if kind.is_timed() { self.differs.clone() } else { Vec::new() },
        })
    }

    /// How much of a set variants of these figures are measured on.
    fn sample(&self, of: &[&Figure], figures: &Figures) -> Extent {
        let count = (self.sample_seconds / (f64::from(self.passes) * slowest(of, figures))) as usize;
        if count < self.sample_least { Extent::Nothing } else { Extent::First(count.min(self.sample_most)) }
    }

    fn whole(&self, of: &[&Figure], figures: &Figures) -> Extent {
        let positions = 1000.0;
        if positions * slowest(of, figures) <= self.whole_seconds { Extent::Whole } else { Extent::Nothing }
    }

    fn mean(&self, figure: &Figure, figures: &Figures, source: &str) -> Result<Option<Claim>> {
        let Some(nodes) = &figure.nodes else { return Ok(None) };
        let published = Published::printed(nodes, ClaimUnit::Nodes);
        let mut claim = self.claim(Kind::NodeMean, &[figure], figures, published, source)?;
        claim.id.push_str("-mean");
        claim.statement = format!("{} takes {} positions on average, {}", figure.solver, nodes.text, of(figure));
        claim.differs.extend(self.misprints_of(figure));
        Ok(Some(claim))
    }

    fn of_machine(&self, figure: &Figure, figures: &Figures, source: &str) -> Result<Vec<Claim>> {
        let seconds = figure.seconds.as_ref().map(|seconds| {
            let says = format!("takes {} seconds on average", seconds.text);
            (Kind::MeanTime, "seconds", 1e9 * seconds.value, says)
        });
        let speed = figure.speed.as_ref().map(|speed| {
            let says = format!("searches {} thousand positions a second", speed.text);
            (Kind::Speed, "speed", 1e3 * speed.value, says)
        });
        let mut claims = Vec::new();
        for (kind, suffix, value, says) in seconds.into_iter().chain(speed) {
            let published = Published::number(value, None, kind.unit(false));
            let mut claim = self.claim(kind, &[figure], figures, published, source)?;
            claim.id = format!("{}-{suffix}", claim.id);
            claim.statement = format!("{} {says}, {}", figure.solver, of(figure));
            claims.push(claim);
        }
        Ok(claims)
    }

    fn misprints_of<'a>(&'a self, figure: &Figure) -> impl Iterator<Item = String> + use<'a> {
        let place = (figure.part, figure.goal, figure.set);
        let here = move |misprint: &&Misprint| (misprint.part, misprint.goal, misprint.test_set.as_str()) == place;
        self.misprints.iter().filter(here).map(|misprint| misprint.why.clone())
    }

    /// How much less time and how many fewer nodes a part takes than the one before it.
    fn step(&self, step: &Rung<'_>, figures: &Figures, source: &str) -> Result<Vec<Claim>> {
        let mut claims = Vec::new();
        for (kind, suffix, what) in [(Kind::TimeRatio, "time", "time"), (Kind::NodeRatio, "nodes", "positions")] {
            let Some((base, variant)) = step.printed(kind) else { continue };
            let mut claim = self.pair(step, kind, Published::ratio_of(base, variant), figures, source)?;
            claim.id = format!("{}-{suffix}", self.stem(step.after));
            claim.statement = format!(
                "{} divides the {what} of the part before by {}, {}",
                step.after.solver,
                claim.published.shown.trim_end_matches('x'),
                of(step.after)
            );
            if kind == Kind::NodeRatio {
                claim.differs.extend(self.misprints_of(step.before).chain(self.misprints_of(step.after)));
            }
            claims.push(claim);
        }
        Ok(claims)
    }

    fn sentence(&self, sentence: &Sentence, is_statement: bool, figures: &Figures, source: &str) -> Result<Vec<Claim>> {
        let name = || format!("sentence {:?}", sentence.id);
        check_id(&sentence.id)?;
        if !sentence.kind.is_ratio() {
            bail!("{}: a sentence is of a ratio, not of {}", name(), sentence.kind.name());
        }
        let range = (sentence.from, sentence.to);
        let number =
            published(sentence.kind, true, sentence.published, sentence.tolerance, range).with_context(name)?;
        if !is_statement {
            can_fail(sentence.kind, &number).with_context(name)?;
        }
        let goals = sentence.goals.as_deref().unwrap_or(&Goal::ALL);
        let mut claims = Vec::new();
        for after in figures.0.iter().filter(|figure| figure.part == sentence.part && goals.contains(&figure.goal)) {
            let Some(before) = figures.find(sentence.part.saturating_sub(1), after.goal, after.set) else { continue };
            let step = Rung { before, after };
            let Some(own_table) = step.ratio(sentence.kind) else { continue };
            let mut claim = self.pair(&step, sentence.kind, number.clone(), figures, source)?;
            claim.id = format!("{}-{}-{}-{}", self.id, sentence.id, after.set, after.goal.name());
            claim.statement = sentence.statement.clone();
            claim.own_table = Some(own_table);
            claims.push(claim);
        }
        if claims.is_empty() {
            bail!("{}: the table has no such step", name());
        }
        Ok(claims)
    }

    fn pair(
        &self,
        step: &Rung<'_>,
        kind: Kind,
        published: Published,
        figures: &Figures,
        source: &str,
    ) -> Result<Claim> {
        let mut claim = self.claim(kind, &[step.before, step.after], figures, published, source)?;
        claim.base = Some(self.variant(step.before)?);
        Ok(claim)
    }
}

/// The seconds of a position that the slowest of these figures stands for.
fn slowest(of: &[&Figure], figures: &Figures) -> f64 {
    of.iter().map(|figure| figures.seconds(figure).unwrap_or(f64::INFINITY)).fold(0.0, f64::max)
}

fn of(figure: &Figure) -> String {
    format!("{}, {}", figure.set, figure.goal.name())
}

impl Rung<'_> {
    fn printed(&self, kind: Kind) -> Option<(&Printed, &Printed)> {
        let (before, after) = (self.before, self.after);
        match kind {
            Kind::TimeRatio => before.seconds.as_ref().zip(after.seconds.as_ref()),
            _ => before.nodes.as_ref().zip(after.nodes.as_ref()),
        }
    }

    fn ratio(&self, kind: Kind) -> Option<f64> {
        if kind == Kind::NodeTimeRatio {
            // Time for a node is the inverse of speed.
            let (before, after) = self.before.speed.as_ref().zip(self.after.speed.as_ref())?;
            return Some(after.value / before.value);
        }
        self.printed(kind).map(|(base, variant)| base.value / variant.value)
    }
}
