//! Twins: a variant that runs as a type of its own is also measured at run time, with the same choices. A search with
//! its branches left in is slower than one that was compiled for its choices. So its times are compared only with times
//! of the same kind.

use crate::plan::experiment::{Experiment, Run};
use crate::text::explain;
use anyhow::{Result, anyhow};
use c4lab_solver::game::BoardSize;
use c4lab_solver::search::Name;

/// Adds the missing twins to every run of an experiment. A second call adds none.
pub fn add(experiment: &mut Experiment) -> Result<()> {
    let board = experiment.board_size()?;
    let Experiment { runs, engines, .. } = experiment;
    for run in runs {
        let ours = |name: &&String| !engines.contains_key(*name);
        let parse = |name: &String| Name::parse(name).map_err(|error| anyhow!(explain(error)));
        let names = run.variants.iter().filter(ours).map(parse).collect::<Result<Vec<Name>>>()?;
        // An engine that the others are compared with has no twin.
        let base = names.first().filter(|base| run.variants.first().is_some_and(|first| first == base.text()));
        let Some(base) = base.filter(|_| names.iter().any(|name| name.is_run_time_on(board))) else { continue };
        if base.is_run_time_on(board) {
            names.iter().for_each(|name| stand_beside(run, name, &names, board));
        } else {
            stand_beside(run, base, &names, board);
        }
    }
    Ok(())
}

/// Puts the twin of a name behind it, unless it is there.
fn stand_beside(run: &mut Run, name: &Name, names: &[Name], board: BoardSize) {
    let choice = |name: &Name| (name.spec(), name.tt_bytes(), name.threads());
    let is_twin = |other: &Name| other.is_run_time_on(board) && choice(other) == choice(name);
    let twin = name.at_run_time();
    if names.iter().any(is_twin) || run.variants.iter().any(|other| other == twin.text()) {
        return;
    }
    let place = run.variants.iter().position(|other| other == name.text()).map_or(run.variants.len(), |at| at + 1);
    run.variants.insert(place, twin.text().to_string());
}

#[cfg(test)]
mod tests {
    use super::*;
    use c4lab_solver::search::registry::ABLATIONS;

    fn with_twins(variants: &[&str]) -> Vec<String> {
        let mut experiment = Experiment::blank("e");
        experiment.runs[0].variants = variants.iter().map(|name| name.to_string()).collect();
        experiment.engines.insert("mine".to_string(), crate::engines::table::EngineTable::of("./mine"));
        add(&mut experiment).unwrap();
        let once = experiment.clone();
        add(&mut experiment).unwrap();
        assert_eq!(experiment, once, "twins are added once");
        experiment.runs.remove(0).variants
    }

    #[test]
    fn a_base_gets_a_twin_where_something_runs_at_run_time() {
        let other = "champion[order=centre,root=step]";
        assert_eq!(with_twins(&["champion", "pons-12"]), ["champion", "pons-12"]);
        assert_eq!(with_twins(&["champion", "champion[threats=halves]"]), ["champion", "champion[threats=halves]"]);
        let neighbour: &[&str] = if ABLATIONS {
            &["champion", "champion-order-centre"]
        } else {
            &["champion", "champion[]", "champion-order-centre"]
        };
        assert_eq!(with_twins(&["champion", "champion-order-centre"]), neighbour);
        assert_eq!(with_twins(&["champion", "pons-12", other]), ["champion", "champion[]", "pons-12", other]);
        assert_eq!(with_twins(&["champion", other, "champion[]"]), ["champion", other, "champion[]"]);
        assert_eq!(with_twins(&["champion@1GiB", other]), ["champion@1GiB", "champion[]@1GiB", other]);
        assert_eq!(
            with_twins(&["champion[threats=halves]", other]),
            ["champion[threats=halves]", "champion-threats-halves[]", other]
        );
    }

    #[test]
    fn beside_a_base_at_run_time_the_others_get_twins() {
        let base = "champion[order=centre,root=step]";
        assert_eq!(
            with_twins(&[base, "champion", "mine", "pons-12"]),
            [base, "champion", "champion[]", "mine", "pons-12", "pons-12[]"]
        );
        assert_eq!(with_twins(&["mine", "champion", base]), ["mine", "champion", base], "an engine has no twin");
    }
}
