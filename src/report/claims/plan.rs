//! The plan: one experiment that tests all claims together, so that every pair shares blocks. It says why some claims are not in it.
//!
//! On whole sets a claim takes part if its own run is predicted to end in time. The prediction is the published mean time of a position, of
//! all variants of the claim together, times positions, repetitions and processes. Where claims share variants, all together take less than
//! the sum.

use crate::claims::claim::{Claim, Extent, Venue};
use crate::claims::verdict::Verdict;
use c4lab_measure::plan::experiment::{Experiment, Run};
use c4lab_measure::sets::test_set::TestSet;
use c4lab_solver::game::BoardSize;
use c4lab_solver::search::{Goal, Name};
use std::collections::{BTreeMap, HashMap};
use std::time::Duration;

#[derive(Clone, Debug)]
pub struct Effort {
    /// Whole sets, of claims whose own run is predicted to end within this time.
    pub full: Option<Duration>,
    pub repetitions: u64,
    /// Fresh processes, each of which makes these passes.
    pub processes: u64,
    pub limit: Option<usize>,
    pub time_limit: Option<String>,
    pub seed: u64,
}

pub type Excuse = (Verdict, String);

#[derive(Debug)]
pub struct ClaimPlan {
    pub experiment: Option<Experiment>,
    pub excuses: HashMap<String, Excuse>,
    /// Those of them that would take too long, with the time that is predicted: the shortest first.
    pub too_long: Vec<(String, Duration)>,
}

/// A test set under a goal, in the order of first mention.
type SetAndGoal = (usize, String, &'static str);

impl ClaimPlan {
    pub fn of(claims: &[Claim], effort: &Effort) -> Self {
        let mut sets = Sets::default();
        let (mut excuses, mut too_long) = (HashMap::new(), Vec::new());
        let mut asked: BTreeMap<SetAndGoal, Vec<(String, Option<usize>)>> = BTreeMap::new();
        for claim in claims {
            let Some(place) = &claim.place else { continue };
            if claim.kind.is_of_limits() {
                excuses.insert(claim.id.clone(), (Verdict::NotTested, NEEDS_LIMITS.to_string()));
                continue;
            }
            let at_most = effort.full.filter(|_| claim.variants().all(|variant| unavailable(variant).is_none()));
            let predicted = at_most.and_then(|most| Some((predicted(place, effort, &mut sets)?, most)));
            if let Some((predicted, most)) = predicted.filter(|(predicted, most)| predicted > most) {
                excuses.insert(claim.id.clone(), (Verdict::NotTested, takes_too_long(predicted, most)));
                too_long.push((claim.id.clone(), predicted));
                continue;
            }
            match extent(claim, place, effort, &mut sets) {
                Err(excuse) => drop(excuses.insert(claim.id.clone(), excuse)),
                Ok(limit) => {
                    let (order, set) = sets.resolve(place);
                    let variants = asked.entry((order, set, place.goal.name())).or_default();
                    claim.variants().for_each(|variant| ask(variants, variant, limit));
                }
            }
        }
        let runs: Vec<Run> = asked.into_iter().flat_map(|(group, variants)| runs(&group, variants)).collect();
        let experiment = (!runs.is_empty()).then(|| Experiment {
            about: "Published claims, as many positions of each set as they need (`c4lab reproduce`).".to_string(),
            seed: effort.seed,
            repetitions: effort.repetitions,
            processes: effort.processes,
            limit: effort.limit,
            time_limit: effort.time_limit.clone(),
            runs,
            ..Experiment::blank("reproduce")
        });
        too_long.sort_by_key(|(_, predicted)| *predicted);
        ClaimPlan { experiment, excuses, too_long }
    }
}

fn ask(group: &mut Vec<(String, Option<usize>)>, variant: &str, limit: Option<usize>) {
    match group.iter_mut().find(|(name, _)| name == variant) {
        Some((_, known)) => *known = known.zip(limit).map(|(known, limit)| known.max(limit)),
        None => group.push((variant.to_string(), limit)),
    }
}

/// The runs of a group: one for each number of positions. They share blocks.
fn runs((_, set, goal): &SetAndGoal, variants: Vec<(String, Option<usize>)>) -> Vec<Run> {
    let goals: Vec<Goal> = Goal::ALL.into_iter().filter(|known| known.name() == *goal).collect();
    let mut runs: Vec<Run> = Vec::new();
    for (variant, limit) in variants {
        match runs.iter_mut().find(|run| run.limit == limit) {
            Some(run) => run.variants.push(variant),
            None => {
                runs.push(Run { variants: vec![variant], test_sets: vec![set.clone()], goals: goals.clone(), limit })
            }
        }
    }
    runs
}

/// Positions of the set that a claim needs, `None` for all; or why it is not tested.
fn extent(claim: &Claim, place: &Venue, effort: &Effort, sets: &mut Sets) -> Result<Option<usize>, Excuse> {
    if let Some(excuse) = claim.variants().find_map(unavailable) {
        return Err(excuse);
    }
    if claim.kind.is_of_whole_sets() && place.original && !sets.has_original(&place.set) {
        return Err((Verdict::NotTested, NEEDS_ORIGINAL.to_string()));
    }
    let least = |positions: usize| Some(effort.limit.map_or(positions, |limit| limit.min(positions)));
    match place.extent {
        // Without a time to predict by, a sample remains a sample.
        _ if effort.full.is_some() && place.seconds.is_some() => Ok(effort.limit),
        Extent::Whole => Ok(effort.limit),
        Extent::First(positions) => Ok(least(positions)),
        Extent::Nothing if effort.full.is_some() => Err((Verdict::NotTested, UNKNOWN.to_string())),
        Extent::Nothing => Err((Verdict::NotTested, NEEDS_FULL.to_string())),
    }
}

/// How long a claim's own run takes on all positions of its set that are allowed, if anybody published how long one takes.
fn predicted(place: &Venue, effort: &Effort, sets: &mut Sets) -> Option<Duration> {
    let seconds = place.seconds?;
    let (_, set) = sets.resolve(place);
    let size = sets.size(&set)?;
    let positions = effort.limit.map_or(size, |limit| limit.min(size));
    // What is too long for a duration is too long for any run.
    let predicted =
        Duration::try_from_secs_f64(seconds * positions as f64 * (effort.repetitions * effort.processes) as f64);
    Some(predicted.unwrap_or(Duration::MAX))
}

fn takes_too_long(predicted: Duration, most: Duration) -> String {
    let most = humantime::format_duration(most);
    format!("its own run is predicted to take {}, longer than --at-most {most}", shown(predicted))
}

/// A predicted time: to the minute from an hour on, to the second below.
pub fn shown(predicted: Duration) -> String {
    let seconds = predicted.as_secs();
    let rounded = if seconds < 3600 { seconds } else { seconds.div_ceil(60) * 60 };
    humantime::format_duration(Duration::from_secs(rounded)).to_string()
}

pub(super) const NEEDS_ORIGINAL: &str = "needs the original test set (test-sets/README.md says how to get it)";
const NEEDS_LIMITS: &str =
    "needs samples under limits of its own: `c4lab measure budget-cpython` or another, then `reproduce --from`";
const NEEDS_FULL: &str = "takes long: needs --full";
const UNKNOWN: &str = "nothing tells how long it takes: no time was published, and no speed";

pub fn unavailable(variant: &str) -> Option<Excuse> {
    let reason = match Name::parse(variant) {
        Err(_) => format!("no variant {variant:?} in this build"),
        Ok(name) => format!("{variant}: {}", name.available_on(BoardSize::STANDARD).err()?),
    };
    Some((Verdict::Waiting, reason))
}

#[derive(Default)]
struct Sets {
    originals: HashMap<String, bool>,
    sizes: HashMap<String, Option<usize>>,
    order: Vec<String>,
}

impl Sets {
    fn has_original(&mut self, set: &str) -> bool {
        let open = || TestSet::open(&format!("original/{set}")).is_ok();
        *self.originals.entry(set.to_string()).or_insert_with(open)
    }

    fn size(&mut self, set: &str) -> Option<usize> {
        let open = || TestSet::open(set).ok().map(|set| set.items.len());
        *self.sizes.entry(set.to_string()).or_insert_with(open)
    }

    /// The name of the set that a claim is tested on here, and its place in the order of first mention.
    fn resolve(&mut self, place: &Venue) -> (usize, String) {
        let name = match place.original && self.has_original(&place.set) {
            true => format!("original/{}", place.set),
            false => place.set.clone(),
        };
        let known = self.order.iter().position(|other| *other == name);
        let order = known.unwrap_or_else(|| {
            self.order.push(name.clone());
            self.order.len() - 1
        });
        (order, name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::claims::claim::embedded;
    use crate::claims::claim::tests::{CLAIM, claims};

    fn effort(hours: Option<f64>, limit: Option<usize>) -> Effort {
        let full = hours.map(|hours| Duration::from_secs_f64(3600.0 * hours));
        Effort { full, repetitions: 3, processes: 1, limit, time_limit: None, seed: 1 }
    }

    #[test]
    fn one_experiment_measures_all_claims_each_variant_as_far_as_some_claim_asks() {
        let more = "[[claims]]\nid = \"other\"\nstatement = \"x\"\nkind = \"node-ratio\"\npublished = 2\nbase = \"pons-12\"\n\
                    variant = \"pons-10\"\ntest-sets = [\"end-easy\"]\npositions = 7\n";
        let plan = ClaimPlan::of(&claims(&format!("{CLAIM}{more}")), &effort(None, None));
        let experiment = plan.experiment.unwrap();
        experiment.validate().unwrap();
        let runs: Vec<_> = experiment.runs.iter().map(|run| (run.variants.join(" "), run.limit)).collect();
        assert_eq!(runs, [("pons-11 pons-12".to_string(), Some(100)), ("pons-10".to_string(), Some(7))]);
        let limit = |text: &str, effort: &Effort| {
            let experiment = ClaimPlan::of(&claims(text), effort).experiment.unwrap();
            (experiment.runs[0].limit, experiment.limit)
        };
        let untold = limit(CLAIM, &effort(Some(2.0), None));
        assert_eq!(untold, (Some(100), None), "nothing says how long the whole takes");
        let timed = CLAIM.replace("published = 2", "published = 2\nseconds = 0.001");
        assert_eq!(limit(&timed, &effort(Some(2.0), None)), (None, None));
        assert_eq!(limit(CLAIM, &effort(None, Some(3))), (Some(3), Some(3)));
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
            let plan = ClaimPlan::of(&all, &effort(hours, limit));
            assert!(plan.too_long.iter().all(|(id, _)| plan.excuses[id].0 == Verdict::NotTested));
            plan.too_long.into_iter().map(|(id, predicted)| (id, predicted.as_secs())).collect()
        };
        let (middle, begin) = (("middle".to_string(), 12_000), ("begin".to_string(), 29_700));
        assert_eq!(left_out(Some(2.0), None), [middle, begin.clone()]);
        assert_eq!(left_out(Some(4.0), None), [begin]);
        assert_eq!(left_out(Some(9.0), None), []);
        assert_eq!(left_out(Some(2.0), Some(100)), [], "3000 s for a tenth of the longest");
        assert_eq!(left_out(None, None), [], "without --full nothing is predicted");
        let runs = ClaimPlan::of(&all, &effort(Some(2.0), None)).experiment.unwrap().runs;
        assert!(runs.len() == 1 && runs[0].limit.is_none() && runs[0].test_sets[0].ends_with("end-easy"), "{runs:?}");
    }

    #[test]
    fn predicted_times_are_shown_to_the_minute() {
        let shown = |seconds: u64| shown(Duration::from_secs(seconds));
        assert_eq!([59, 3599, 3601, 90_061].map(shown), ["59s", "59m 59s", "1h 1m", "1day 1h 2m"]);
    }

    #[test]
    fn claims_that_cannot_be_measured_are_left_out_with_their_reason() {
        let plan = ClaimPlan::of(&embedded().unwrap(), &effort(None, None));
        let verdict = |id: &str| plan.excuses.get(id).map(|(verdict, _)| *verdict);
        assert_eq!(verdict("pons-02-begin-hard-weak-mean"), Some(Verdict::NotTested));
        assert_eq!(verdict("pons-12-begin-hard-strong-time"), Some(Verdict::NotTested));
        assert_eq!(verdict("enhanced-transposition-cutoffs-middle-medium-strong"), None);
        assert_eq!(verdict("pons-12-middle-easy-strong-time"), None);
        plan.experiment.unwrap().validate().unwrap();
        assert_eq!(unavailable("pons-13").unwrap().0, Verdict::Waiting);
    }
}
