//! The points of the option space that the suite runs: all while they are few, then a selection.

use crate::support::draw::Draw;
use c4lab_solver::search::Spec;
use std::collections::HashSet;
use std::sync::LazyLock;

/// From this many points on, a selection is run.
const MANY: usize = 5_000;
/// Random points in a selection, beside those that make up all pairs of options.
const RANDOM: usize = 150;

/// Two options: axis and value each.
pub(crate) type Pair = [(&'static str, &'static str); 2];

/// The points to run: those that this build can run at all. They are chosen once.
pub(crate) fn points() -> impl Iterator<Item = Spec> {
    static POINTS: LazyLock<Vec<Spec>> =
        LazyLock::new(|| select(Spec::all().into_iter().filter(|spec| spec.runs().is_ok()).collect(), MANY, RANDOM));
    POINTS.iter().copied()
}

/// All points, or from `many` on every pair of options that some point holds, and `random` other points.
pub(crate) fn select(mut all: Vec<Spec>, many: usize, random: usize) -> Vec<Spec> {
    if all.len() < many {
        return all;
    }
    Draw::new(1, "space").shuffle(&mut all);
    let mut held = HashSet::new();
    // A pair is new to the first point that holds it; that point is taken.
    let brings_a_pair = |spec: &Spec| pairs(*spec).into_iter().filter(|pair| held.insert(*pair)).count() > 0;
    let (mut chosen, rest): (Vec<Spec>, Vec<Spec>) = all.into_iter().partition(brings_a_pair);
    chosen.extend(rest.into_iter().take(random));
    chosen
}

/// Every pair of options of a point.
pub(crate) fn pairs(spec: Spec) -> Vec<Pair> {
    let fields = spec.fields();
    let later = |index: usize| fields[index + 1..].iter();
    fields.iter().enumerate().flat_map(|(index, one)| later(index).map(|other| [*one, *other])).collect()
}
