//! The plan: one experiment that tests all claims, so that base and variant share blocks; and the claims left out.
//!
//! Under `--full` a claim is tested on its whole set if its own run is predicted to end in time. The prediction:
//! published mean time of a position, for all variants together, times positions, repetitions and processes.

use crate::claims::claim::Claim;
use crate::claims::finding::Finding;
use crate::claims::verdict::Verdict;
use crate::entry;
use c4lab_measure::plan::experiment::{Experiment, Run};
use c4lab_measure::sets::test_set::TestSet;
use c4lab_solver::game::BoardSize;
use c4lab_solver::search::{Goal, Name};
use std::collections::HashMap;
use std::time::Duration;

#[derive(Debug)]
pub struct ClaimPlan {
    /// `None` if no claim is to be measured.
    pub experiment: Option<Experiment>,
    /// The findings of the claims left out, by id. A finding has the reason.
    pub excuses: HashMap<String, Finding>,
    /// The ids of the claims that would take too long, with their predicted durations, shortest first.
    pub too_long: Vec<(String, Duration)>,
}

/// Variants on one set under one goal, each with the most positions that a claim needs of it; `None` for all.
struct Group {
    set: String,
    goal: Goal,
    variants: Vec<(String, Option<usize>)>,
}

impl ClaimPlan {
    /// `full` is the longest predicted duration of a claim on its whole set. `settings` has no runs.
    pub fn of(claims: &[Claim], full: Option<Duration>, settings: Experiment) -> Self {
        let mut planner = Planner { full, settings, sizes: HashMap::new(), too_long: Vec::new() };
        let (mut excuses, mut groups): (_, Vec<Group>) = (HashMap::new(), Vec::new());
        for claim in claims {
            let Some(set) = &claim.set else { continue };
            if let Some((verdict, why)) = planner.excuse(claim, set) {
                excuses.insert(claim.id.clone(), Finding::untested(claim, verdict, why));
                continue;
            }
            let (set, goal, limit) = (planner.resolve(claim, set), claim.goal, planner.limit(claim));
            let is_known = |group: &Group| group.set == set && group.goal == goal;
            let group = entry(&mut groups, is_known, || Group { set: set.clone(), goal, variants: Vec::new() });
            for variant in claim.variants() {
                let is_known = |(name, _): &(String, _)| name == variant;
                let (_, most) = entry(&mut group.variants, is_known, || (variant.to_string(), limit));
                *most = most.zip(limit).map(|(most, limit)| most.max(limit));
            }
        }
        let runs: Vec<Run> = groups.into_iter().flat_map(runs).collect();
        let Planner { settings, mut too_long, .. } = planner;
        too_long.sort_by_key(|(_, predicted)| *predicted);
        ClaimPlan { experiment: (!runs.is_empty()).then_some(Experiment { runs, ..settings }), excuses, too_long }
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

struct Planner {
    full: Option<Duration>,
    settings: Experiment,
    /// The number of positions of each set that was looked up; `None` if there is no such set.
    sizes: HashMap<String, Option<usize>>,
    too_long: Vec<(String, Duration)>,
}

impl Planner {
    /// Verdict and reason of a claim that is not measured; `None` if it is measured.
    fn excuse(&mut self, claim: &Claim, set: &str) -> Option<(Verdict, String)> {
        if claim.kind.is_of_limits() {
            return Some((Verdict::NotTested, NEEDS_LIMITS.to_string()));
        }
        if let Some(why) = claim.variants().find_map(unavailable) {
            return Some((Verdict::Waiting, why));
        }
        let predicted = self.full.and_then(|most| Some((self.predicted(claim, set)?, most)));
        let why = if let Some((predicted, most)) = predicted.filter(|(predicted, most)| predicted > most) {
            self.too_long.push((claim.id.clone(), predicted));
            let most = humantime::format_duration(most);
            format!("its own run is predicted to take {}, longer than --at-most {most}", shown(predicted))
        } else if claim.kind.is_of_whole_sets() && claim.original && !self.has_original(set) {
            NEEDS_ORIGINAL.to_string()
        } else if claim.only_full && self.full.is_none() {
            "takes long: needs --full".to_string()
        } else if claim.only_full && claim.seconds.is_none() {
            "its duration cannot be predicted: no time was published, and no speed".to_string()
        } else {
            return None;
        };
        Some((Verdict::NotTested, why))
    }

    /// The number of positions that a claim needs; `None` for all. Without published seconds, `--full` changes nothing.
    fn limit(&self, claim: &Claim) -> Option<usize> {
        let is_whole = self.full.is_some() && claim.seconds.is_some();
        let needed = claim.positions.filter(|_| !is_whole);
        needed.into_iter().chain(self.settings.limit).min()
    }

    /// The duration of a run of this claim alone, on `--limit` positions or all; `None` without published seconds.
    fn predicted(&mut self, claim: &Claim, set: &str) -> Option<Duration> {
        let seconds = claim.seconds?;
        let set = self.resolve(claim, set);
        let positions = self.size(&set)?.min(self.settings.limit.unwrap_or(usize::MAX));
        let passes = self.settings.repetitions * self.settings.processes;
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

/// A predicted duration: in minutes from one hour on, in seconds below.
pub fn shown(predicted: Duration) -> String {
    let seconds = predicted.as_secs();
    let rounded = if seconds < 3600 { seconds } else { seconds.div_ceil(60) * 60 };
    humantime::format_duration(Duration::from_secs(rounded)).to_string()
}

pub(super) const NEEDS_ORIGINAL: &str = "needs the original test set (test-sets/README.md says how to get it)";
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
mod tests {
    use super::*;
    use crate::claims::claim::embedded;
    use crate::claims::claim::tests::{CLAIM, claims};

    fn plan(claims: &[Claim], hours: Option<f64>, limit: Option<usize>) -> ClaimPlan {
        let full = hours.map(|hours| Duration::from_secs_f64(3600.0 * hours));
        ClaimPlan::of(claims, full, Experiment { repetitions: 3, limit, ..Experiment::blank("reproduce") })
    }

    #[test]
    fn one_experiment_measures_all_claims_each_variant_as_far_as_some_claim_asks() {
        let more = "[[claims]]\nid = \"other\"\nstatement = \"x\"\nkind = \"node-ratio\"\npublished = 2\nbase = \"pons-12\"\n\
                    variant = \"pons-10\"\ntest-sets = [\"end-easy\"]\npositions = 7\n";
        let both = plan(&claims(&format!("{CLAIM}{more}")), None, None);
        let experiment = both.experiment.unwrap();
        experiment.validate().unwrap();
        let runs: Vec<_> = experiment.runs.iter().map(|run| (run.variants.join(" "), run.limit)).collect();
        assert_eq!(runs, [("pons-11 pons-12".to_string(), Some(100)), ("pons-10".to_string(), Some(7))]);
        let timed = CLAIM.replace("published = 2", "published = 2\nseconds = 0.001");
        for (text, hours, limit, expected, why) in [
            (CLAIM, Some(2.0), None, (Some(100), None), "nothing says how long the whole takes"),
            (&timed, Some(2.0), None, (None, None), "the whole set"),
            (CLAIM, None, Some(3), (Some(3), Some(3)), "--limit"),
        ] {
            let experiment = plan(&claims(text), hours, limit).experiment.unwrap();
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
        let runs = plan(&all, Some(2.0), None).experiment.unwrap().runs;
        assert!(runs.len() == 1 && runs[0].limit.is_none() && runs[0].test_sets[0].ends_with("end-easy"), "{runs:?}");
    }

    #[test]
    fn predicted_times_are_shown_to_the_minute() {
        let shown = |seconds: u64| shown(Duration::from_secs(seconds));
        assert_eq!([59, 3599, 3601, 90_061].map(shown), ["59s", "59m 59s", "1h 1m", "1day 1h 2m"]);
    }

    #[test]
    fn claims_that_cannot_be_measured_are_left_out_with_their_reason() {
        let plan = plan(&embedded().unwrap(), None, None);
        let verdict = |id: &str| plan.excuses.get(id).map(|excuse| excuse.verdict);
        assert_eq!(verdict("pons-02-begin-hard-weak-mean"), Some(Verdict::NotTested));
        assert_eq!(verdict("pons-12-begin-hard-strong-time"), Some(Verdict::NotTested));
        assert_eq!(verdict("enhanced-transposition-cutoffs-middle-medium-strong"), None);
        assert_eq!(verdict("pons-12-middle-easy-strong-time"), None);
        plan.experiment.unwrap().validate().unwrap();
        assert!(unavailable("pons-13").is_some());
    }
}
