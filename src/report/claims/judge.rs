//! The judge: a claim and the evidence in, a finding out.

use crate::claims::claim::{Claim, Kind, Venue};
use crate::claims::effect::why;
use crate::claims::evidence::{Evidence, OVERHEAD};
use crate::claims::finding::Finding;
use crate::claims::plan::{Excuse, NEEDS_ORIGINAL, unavailable};
use crate::claims::ratios::{MeasuredRatio, Over, Pairing};
use crate::claims::solved::SolvedWithin;
use crate::claims::verdict::{Verdict, verdict};
use crate::extras::{NEEDS_EXTRAS, claim_kind};
use crate::results::Ground;

const NOT_MEASURED: &str = "nothing here measures it";

/// Holds a claim against the evidence. `excuse` says why it was not to be measured, where it was not.
pub fn judge(claim: &Claim, evidence: &Evidence, excuse: Option<&Excuse>) -> Finding {
    let finding = match (&claim.place, claim.kind) {
        (_, Kind::Told) => Finding::untested(claim, Verdict::NotTested, NOT_MEASURED.to_string()),
        (_, Kind::Extra(name)) => match claim_kind(name) {
            Some(kind) => kind.judge(claim, &evidence.folder),
            None => Finding::untested(claim, Verdict::NotTested, NEEDS_EXTRAS.to_string()),
        },
        (Some(place), kind) if kind.is_of_limits() => of_limits(claim, evidence, place, excuse),
        (Some(place), kind) => match evidence.ground(claim, place) {
            Some(ground) if kind.is_mean() => of_mean(claim, evidence, ground, place),
            Some(ground) => of_ratio(claim, evidence, ground, place),
            None => of_nothing(claim, excuse),
        },
        (None, Kind::Rate) => match evidence.rate(&claim.variant) {
            Some((measured, repetitions)) => Finding { repetitions: Some(repetitions), ..decided(claim, measured) },
            None => of_nothing(claim, excuse),
        },
        (None, _) => of_instructions(claim, evidence),
    };
    let untested = finding.verdict == Verdict::NotTested && excuse.is_some();
    let finding = if untested { of_nothing(claim, excuse) } else { finding };
    if claim.is_statement { finding.stated() } else { finding }
}

/// What was measured, held against what was published.
pub fn decided(claim: &Claim, measured: MeasuredRatio) -> Finding {
    let published = &claim.published;
    let aim = if measured.over == Over::Exact { published.exact_aim() } else { published.aim() };
    let verdict = verdict(&aim, measured.interval);
    Finding {
        set: None,
        positions: None,
        repetitions: None,
        verdict,
        why: why(verdict, published, &aim, &measured),
        measured: Some(measured),
        conditions: claim.differs.clone(),
        claim: claim.clone(),
    }
}

fn of_nothing(claim: &Claim, excuse: Option<&Excuse>) -> Finding {
    let unavailable = || claim.variants().find_map(unavailable);
    let absent = || {
        let why = match &claim.base {
            _ if claim.place.is_none() => format!("the rate of {} was not measured", claim.variant),
            Some(base) => format!("no position that both {base} and {} have there", claim.variant),
            None => format!("no position that {} has there", claim.variant),
        };
        (Verdict::NotTested, why)
    };
    let (verdict, why) = excuse.cloned().or_else(unavailable).unwrap_or_else(absent);
    Finding::untested(claim, verdict, why)
}

fn of_instructions(claim: &Claim, evidence: &Evidence) -> Finding {
    let number = |name: &str| evidence.instructions(name).ok_or_else(|| name.to_string());
    let value = match &claim.base {
        None => number(&claim.variant),
        Some(base) => number(&claim.variant).and_then(|variant| Ok(variant / number(base)?)),
    };
    match value {
        Ok(value) => {
            let mut finding = decided(claim, MeasuredRatio::exact(value));
            let counted: Vec<&str> = claim.base.as_deref().into_iter().chain([claim.variant.as_str()]).collect();
            let (counted, (group, alone)) = (counted.join(", "), OVERHEAD);
            let from = &evidence.counts_from;
            finding.conditions.insert(0, format!("rests on the counts of {counted}, less {group}/{alone}: {from}"));
            finding
        }
        Err(name) => {
            let why = format!("no count of {name}: `cargo bench --bench instructions`, or --counts DIR");
            Finding::untested(claim, Verdict::NotTested, why)
        }
    }
}

fn of_limits(claim: &Claim, evidence: &Evidence, place: &Venue, excuse: Option<&Excuse>) -> Finding {
    let Some(within) = SolvedWithin::of(claim, evidence, place) else { return of_nothing(claim, excuse) };
    let (sample, positions) = (within.measured(), within.positions());
    let finding = match sample {
        Ok(measured) => decided(claim, measured),
        Err(why) => Finding::untested(claim, Verdict::Undecided, why),
    };
    Finding { set: Some(place.set.clone()), positions: Some(positions), ..finding }
}

/// Whether a ground has the set that a claim of a whole set is of.
fn is_that_set(ground: &Ground, place: &Venue) -> bool {
    !place.original || ground.set == format!("original/{}", place.set)
}

/// A mean is tested on the whole set or not at all. That of nodes has no error.
fn of_mean(claim: &Claim, evidence: &Evidence, ground: &Ground, place: &Venue) -> Finding {
    let mean = evidence.mean(ground, &claim.variant, claim.kind);
    let (positions, size) = (ground.places.len(), evidence.set_size(ground));
    let why = match mean {
        _ if !is_that_set(ground, place) => NEEDS_ORIGINAL.to_string(),
        Some(mean) if size == Some(positions) => {
            let exact = MeasuredRatio::exact(mean);
            let timed = || MeasuredRatio::of(mean, true, None, None);
            let finding = decided(claim, if claim.kind == Kind::NodeMean { exact } else { timed() });
            return Finding { set: Some(ground.set.clone()), positions: Some(positions), ..finding };
        }
        _ => format!("a mean needs every one of {} answered", positions_of(size)),
    };
    Finding::untested(claim, Verdict::NotTested, why)
}

fn positions_of(size: Option<usize>) -> String {
    size.map_or("the positions of its set".to_string(), |size| format!("{size} positions"))
}

fn of_ratio(claim: &Claim, evidence: &Evidence, ground: &Ground, place: &Venue) -> Finding {
    let Some(pairing) = evidence.pairing(ground, claim) else { return of_nothing(claim, None) };
    let positions = pairing.positions();
    if let Some(why) = needs_the_whole(claim, evidence, ground, positions) {
        return Finding::untested(claim, Verdict::NotTested, why);
    }
    let published = pairing.limited() == 0 && evidence.is_published(ground, place, positions);
    let finding = match measured(claim.kind, &pairing, published) {
        Some(measured) => limited(claim, &pairing, measured),
        None => Finding::untested(claim, Verdict::Undecided, why_not(&pairing)),
    };
    let mut conditions = sampling(evidence, ground, place, positions);
    let over_positions = finding.measured.is_some_and(|it| it.over == Over::Positions && it.interval.is_some());
    if published && over_positions {
        conditions.push("one repetition: the interval is over positions, wider than what the claim is of".to_string());
    }
    let part = place.original && evidence.set_size(ground) != Some(positions);
    let finding = if part { of_a_part(finding) } else { finding };
    conditions.extend(finding.conditions);
    Finding {
        set: Some(ground.set.clone()),
        positions: Some(positions),
        repetitions: Some(pairing.repetitions()),
        conditions,
        ..finding
    }
}

/// Why a claim of a whole set is not tested on these positions. The time for a node is another on a part: it is longer or shorter in short
/// searches than in long ones.
fn needs_the_whole(claim: &Claim, evidence: &Evidence, ground: &Ground, positions: usize) -> Option<String> {
    let place = claim.place.as_ref().filter(|_| claim.kind == Kind::NodeTimeRatio)?;
    let size = evidence.set_size(ground);
    if !is_that_set(ground, place) {
        return Some(NEEDS_ORIGINAL.to_string());
    }
    let of = size.map_or("its set".to_string(), |size| size.to_string());
    (size != Some(positions))
        .then(|| format!("the time for a node is of the whole set, and only {positions} of {of} were measured"))
}

fn measured(kind: Kind, pairing: &Pairing<'_>, published: bool) -> Option<MeasuredRatio> {
    match kind {
        Kind::NodeRatio => pairing.nodes(published),
        Kind::NodeTimeRatio => pairing.node_time(),
        _ => pairing.time(published),
    }
}

fn why_not(pairing: &Pairing<'_>) -> String {
    match pairing.is_alike() {
        true => format!("all {} positions reached a limit", pairing.positions()),
        false => "one of the two ran at run time, and its times are not compared with the other's".to_string(),
    }
}

/// A ratio, decided unless something is in the way of an interval.
fn limited(claim: &Claim, pairing: &Pairing<'_>, mut measured: MeasuredRatio) -> Finding {
    let (positions, limited) = (pairing.positions(), pairing.limited());
    let why = if limited > 0 {
        // A search that was cut off says only that it takes longer: no interval holds that.
        measured.interval = None;
        format!("{limited} of {positions} positions reached a limit")
    } else if measured.interval.is_none() {
        "too few positions or repetitions for an interval".to_string()
    } else {
        return decided(claim, measured);
    };
    Finding { why, ..decided(claim, measured) }
}

/// The claim is of a whole set, whose sums hang on its few longest positions: a part of it refutes nothing.
fn of_a_part(finding: Finding) -> Finding {
    if !finding.verdict.contradicts() {
        return finding;
    }
    let why = format!("{}; but a part of a set refutes nothing", finding.why);
    Finding { verdict: Verdict::Undecided, why, ..finding }
}

/// Which positions they are, where they are not the published ones.
fn sampling(evidence: &Evidence, ground: &Ground, place: &Venue, positions: usize) -> Vec<String> {
    let mut conditions = Vec::new();
    if place.original && ground.set == place.set {
        conditions.push("a set made by the published protocol instead of the original one".to_string());
    }
    match evidence.set_size(ground) {
        Some(size) if size == positions => {}
        Some(_) if place.original => conditions.push("the first positions of the set, not all".to_string()),
        _ => {}
    }
    conditions
}
