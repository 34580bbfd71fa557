//! The judge: a claim and the evidence in, a finding out.

use crate::claims::claim::{Claim, Kind, Venue};
use crate::claims::effect::why;
use crate::claims::evidence::{Evidence, OVERHEAD};
use crate::claims::finding::Finding;
use crate::claims::plan::{Excuse, NEEDS_ORIGINAL, unavailable};
use crate::claims::ratios::{MeasuredRatio, Over, Pairing};
use crate::claims::solved::SolvedWithin;
use crate::claims::verdict::{Verdict, verdict};
use crate::results::Ground;
use crate::tables::sizes;
use c4lab_measure::counted::counted;
use c4lab_measure::outcomes::outcome_row::OutcomeRow;
use c4lab_measure::store::form::StoreForm;
use c4lab_measure::store::size_row::SizeRow;

/// Why what is told has no verdict.
const NOT_MEASURED: &str = "nothing here measures it";

/// Holds a claim against the evidence. `excuse` says why it was not to be measured, where it was not.
pub fn judge(claim: &Claim, evidence: &Evidence, excuse: Option<&Excuse>) -> Finding {
    let finding = match (&claim.place, claim.kind) {
        (_, Kind::Told) => Finding::untested(claim, Verdict::NotTested, NOT_MEASURED.to_string()),
        (_, kind) if kind.is_of_bytes() => of_bytes(claim, &evidence.sizes),
        (_, Kind::Outcome) => of_outcome(claim, &evidence.outcomes),
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
fn decided(claim: &Claim, measured: MeasuredRatio) -> Finding {
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

/// What is solved within the limits of the claim.
fn of_limits(claim: &Claim, evidence: &Evidence, place: &Venue, excuse: Option<&Excuse>) -> Finding {
    let Some(within) = SolvedWithin::of(claim, evidence, place) else { return of_nothing(claim, excuse) };
    let (sample, positions) = (within.measured(), within.positions());
    let finding = match sample {
        Ok(measured) => decided(claim, measured),
        Err(why) => Finding::untested(claim, Verdict::Undecided, why),
    };
    Finding { set: Some(place.set.clone()), positions: Some(positions), ..finding }
}

/// What forms of a store take.
fn of_bytes(claim: &Claim, rows: &[SizeRow]) -> Finding {
    let untested = |why: String| Finding::untested(claim, Verdict::NotTested, why);
    let form = |name: &str| StoreForm::parse(name).expect("it was checked when it was read");
    let variant = form(&claim.variant);
    let base = claim.base.as_deref().map(form);
    let both = base.and_then(|base| Some((base, sizes::common(rows, base, variant)?)));
    if let Some((base, stones)) = both {
        let [before, after] = [base, variant].map(|form| sizes::of(rows, form, stones).map(|(bytes, _)| bytes as f64));
        let Some((before, after)) = before.zip(after) else { return untested(format!("no sizes to {stones} stones")) };
        let mut finding = decided(claim, MeasuredRatio::exact(before / after));
        finding.conditions.insert(0, format!("stores for boards with fewer than {stones} stones"));
        return finding;
    }
    let reach = claim.within.bytes.and_then(|bytes| sizes::reach(rows, variant, bytes));
    match reach.filter(|_| base.is_none()) {
        Some((stones, true)) => decided(claim, MeasuredRatio::exact(f64::from(stones))),
        Some((stones, false)) if f64::from(stones) < claim.published.range.0 => {
            untested(format!("no sizes beyond {stones} stones, where it still fits"))
        }
        Some((stones, false)) => decided(claim, MeasuredRatio::exact(f64::from(stones))),
        None => untested("no sizes of stores: `c4lab store sizes`".to_string()),
    }
}

/// Who wins on an empty board: the answer that says most.
fn of_outcome(claim: &Claim, rows: &[OutcomeRow]) -> Finding {
    let untested = |why: String| Finding::untested(claim, Verdict::NotTested, why);
    let Some((board, told)) = claim.outcome else { return untested("no board".to_string()) };
    let of_board = rows.iter().filter(|row| row.board == board.to_string());
    let found = of_board.filter_map(|row| Some((row.found()?, row))).max_by_key(|(found, _)| found.last_stone);
    let Some((found, row)) = found else {
        return untested(format!("{board} is not solved: `c4lab outcomes --boards {board}`"));
    };
    let is_less = found.last_stone.is_none() && told.last_stone.is_some() && found.sign == told.sign;
    let (verdict, why) = match (told.agrees(found), is_less) {
        (_, true) => (Verdict::Undecided, "the winner is the same; the last stone is not known".to_string()),
        (true, _) => {
            (Verdict::Reproduced, format!("{} on {board}, {}", row.variant, counted(row.nodes as usize, "node")))
        }
        (false, _) => (Verdict::OtherNumber, format!("{} finds {found} on {board}", row.variant)),
    };
    let measured = Some(MeasuredRatio::exact(found.number()));
    Finding { measured, set: Some(board.to_string()), ..Finding::untested(claim, verdict, why) }
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

/// Why there is no ratio.
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::claims::written::tests::claims;
    use crate::tables::sizes::tests::row as row_of;

    /// Bytes are held against sizes of stores; where these end too early, nothing is said.
    #[test]
    fn bytes_of_stores_are_counted() {
        let claim = |rest: &str| {
            claims(&format!("source = 's'\n[[claims]]\nid = \"c\"\nstatement = \"x\"\n{rest}\n"))[0].clone()
        };
        let sizes = vec![
            row_of(StoreForm::Dictionary, 9, 900),
            row_of(StoreForm::SevenSets, 9, 300),
            row_of(StoreForm::SevenSets, 10, 700),
        ];
        let judged = |rest: &str| judge(&claim(rest), &Evidence { sizes: sizes.clone(), ..Evidence::default() }, None);
        let of = |finding: &Finding| (finding.verdict, finding.measured.map(|measured| measured.value));
        let ratio = "kind = \"bytes-ratio\"\nfrom = 1.0\nbase = \"dictionary\"\nvariant = \"sets\"";
        assert_eq!(of(&judged(ratio)), (Verdict::Reproduced, Some(3.0)));
        assert_eq!(of(&judged(&ratio.replace("\"sets\"", "\"tree\""))), (Verdict::NotTested, None));
        let reach = "kind = \"bytes-reach\"\nfrom = 10\nvariant = \"sets\"\nbytes = ";
        assert_eq!(of(&judged(&format!("{reach}500"))), (Verdict::OtherNumber, Some(9.0)));
        assert_eq!(of(&judged(&format!("{reach}700"))), (Verdict::Reproduced, Some(10.0)), "what is asked for fits");
        let further = judged(&format!("{}700", reach.replace("10", "11")));
        assert_eq!(
            (of(&further), further.why.as_str()),
            ((Verdict::NotTested, None), "no sizes beyond 10 stones, where it still fits")
        );
        let told = claim("kind = \"told\"\nfigure = \"3 s\"");
        assert_eq!(of(&judge(&told, &Evidence::default(), None)), (Verdict::NotTested, None));
    }
}
