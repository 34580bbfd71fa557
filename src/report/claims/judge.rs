//! The judge: a claim and the evidence in, a finding out.

use crate::report::claims::claim::{Claim, Kind, Venue};
use crate::report::claims::evidence::Evidence;
use crate::report::claims::finding::Finding;
use crate::report::claims::plan::{Excuse, unavailable};
use crate::report::claims::ratios::{MeasuredRatio, Over};
use crate::report::claims::verdict::{Verdict, verdict};
use crate::report::results::Ground;

/// Holds a claim against the evidence. `excuse` says why it was not to be measured, where it was not.
pub fn judge(claim: &Claim, evidence: &Evidence, excuse: Option<&Excuse>) -> Finding {
    match (&claim.place, claim.kind) {
        (Some(place), kind) => match evidence.ground(claim, place) {
            Some(ground) if kind == Kind::NodeMean => {
                let finding = of_mean(claim, evidence, ground, place);
                let untested = finding.verdict == Verdict::NotTested && excuse.is_some();
                if untested { of_nothing(claim, excuse) } else { finding }
            }
            Some(ground) => of_ratio(claim, evidence, ground, place),
            None => of_nothing(claim, excuse),
        },
        (None, Kind::Rate) => match evidence.rate(&claim.variant) {
            Some((measured, repetitions)) => {
                Finding { repetitions: Some(repetitions), ..decided(claim, measured, claim.published.range) }
            }
            None => of_nothing(claim, excuse),
        },
        (None, _) => of_instructions(claim, evidence),
    }
}

/// What was measured, held against a range.
fn decided(claim: &Claim, measured: MeasuredRatio, range: (f64, f64)) -> Finding {
    Finding {
        set: None,
        positions: None,
        repetitions: None,
        verdict: verdict(range, claim.published.side, measured.interval),
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
        Ok(value) => decided(claim, MeasuredRatio::exact(value), claim.published.range),
        Err(name) => {
            let why = format!("no count of {name}: `cargo bench --bench instructions`, or --counts DIR");
            Finding::untested(claim, Verdict::NotTested, why)
        }
    }
}

/// A mean of nodes is tested on the whole set or not at all.
fn of_mean(claim: &Claim, evidence: &Evidence, ground: &Ground, place: &Venue) -> Finding {
    let mean = evidence.mean_nodes(ground, &claim.variant);
    let (positions, size) = (ground.places.len(), evidence.set_size(ground));
    let theirs = !place.original || ground.set == format!("original/{}", place.set);
    let why = match mean {
        _ if !theirs => "needs the original test set (test-sets/README.md says how to get it)".to_string(),
        Some(mean) if size == Some(positions) => {
            let finding = decided(claim, MeasuredRatio::exact(mean), claim.published.range);
            return Finding { set: Some(ground.set.clone()), positions: Some(positions), ..finding };
        }
        _ => {
            let of = size.map_or("its set".to_string(), |size| format!("{size} positions"));
            format!("a mean needs every one of {of} answered")
        }
    };
    Finding::untested(claim, Verdict::NotTested, why)
}

fn of_ratio(claim: &Claim, evidence: &Evidence, ground: &Ground, place: &Venue) -> Finding {
    let Some(pairing) = evidence.pairing(ground, claim) else { return of_nothing(claim, None) };
    let (positions, limited) = (pairing.positions(), pairing.limited());
    let published = limited == 0 && evidence.is_published(ground, place, positions);
    let measured = match claim.kind {
        Kind::NodeRatio => pairing.nodes(published),
        Kind::NodeTimeRatio => pairing.node_time(),
        _ => pairing.time(published),
    };
    let Some(mut measured) = measured else {
        let why = match pairing.is_alike() {
            true => format!("all {positions} positions reached a limit"),
            false => "one of the two ran at run time, and its times are not compared with the other's".to_string(),
        };
        return Finding::untested(claim, Verdict::Undecided, why);
    };
    let mut conditions = Vec::new();
    if limited > 0 {
        // A search that was cut off says only that it takes longer: no interval holds that.
        measured.interval = None;
        conditions.push(format!("{limited} of {positions} positions reached a limit"));
    } else if measured.interval.is_none() {
        conditions.push("too few positions or repetitions for an interval".to_string());
    } else if published && measured.over == Over::Positions {
        conditions.push("one repetition: the interval is over positions, wider than what the claim is of".to_string());
    }
    conditions.extend(sampling(evidence, ground, place, positions));
    let digits = claim.published.digits.filter(|_| measured.over == Over::Exact);
    let mut finding = decided(claim, measured, digits.unwrap_or(claim.published.range));
    if finding.verdict == Verdict::NotReproduced && place.original && evidence.set_size(ground) != Some(positions) {
        // The claim is of a whole set, whose sums hang on its few longest positions.
        finding.verdict = Verdict::Undecided;
        conditions.push(
            "a part of the set says otherwise, and does not refute what was said of the whole: --full".to_string(),
        );
    }
    conditions.extend(finding.conditions);
    Finding {
        set: Some(ground.set.clone()),
        positions: Some(positions),
        repetitions: Some(pairing.repetitions()),
        conditions,
        ..finding
    }
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
