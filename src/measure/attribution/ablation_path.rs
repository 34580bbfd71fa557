//! The ablation path between two specs takes at each step the change that lowers the nodes most.
//!
//! Source: C. Fawcett, H. H. Hoos, "Analysing differences between algorithm configurations through ablation", 2016. A
//! step changes one axis to its value in the last spec. If no single change makes a valid spec, the step changes the
//! fewest axes that do, for example a table and its bounds.

use anyhow::Result;
use c4lab_solver::search::Spec;

/// The specs after one step from `current` towards `to`: the valid ones with the fewest axes changed.
pub fn next(current: Spec, to: Spec) -> Vec<Spec> {
    let left = to.diff(current);
    for size in 1..=left.len() as u32 {
        let subsets = (1u32..1 << left.len()).filter(|chosen| chosen.count_ones() == size);
        let change = |chosen: u32| {
            let mut axes = left.iter().enumerate().filter(|(index, _)| chosen >> index & 1 == 1);
            let spec = axes.try_fold(current, |spec, (_, (key, value, _))| spec.with(key, value));
            spec.filter(|spec| spec.validate().is_ok())
        };
        let valid: Vec<Spec> = subsets.filter_map(change).collect();
        if !valid.is_empty() {
            return valid;
        }
    }
    Vec::new()
}

/// The path from `from` to `to`, both included. `cost` gives the cost of each spec, or `None` if the costs are unknown;
/// then there is no path. Of equal costs the first axis wins.
pub fn walk(
    from: Spec,
    to: Spec,
    mut cost: impl FnMut(&[Spec]) -> Result<Option<Vec<f64>>>,
) -> Result<Option<Vec<Spec>>> {
    let mut path = vec![from];
    let mut current = from;
    while current != to {
        let specs = next(current, to);
        let Some(costs) = cost(&specs)? else { return Ok(None) };
        let cheapest = specs.iter().zip(costs).min_by(|(_, one), (_, other)| one.total_cmp(other));
        let Some((&spec, _)) = cheapest else { return Ok(None) };
        path.push(spec);
        current = spec;
    }
    Ok(Some(path))
}

#[cfg(test)]
mod tests {
    use super::*;
    use c4lab_solver::search::registry::{PONS_06, PONS_07, PONS_09, PONS_10, PONS_12};

    fn changes(specs: &[Spec], base: Spec) -> Vec<String> {
        let shown = |spec: &Spec| spec.diff(base).iter().map(|(key, ..)| *key).collect::<Vec<_>>().join("+");
        specs.iter().map(shown).collect()
    }

    #[test]
    fn a_step_changes_one_axis_or_as_few_as_it_can() {
        assert_eq!(changes(&next(PONS_09, PONS_12), PONS_09), ["order", "table", "table-bounds"]);
        assert_eq!(changes(&next(PONS_06, PONS_07), PONS_06), ["table+table-bounds"]);
        assert!(next(PONS_12, PONS_12).is_empty());
    }

    /// The costs are invented: the order of threats lowers them most, then the bounds.
    #[test]
    fn the_path_takes_the_best_change_first() {
        let cost = |spec: &Spec| {
            let worth = [(spec.order == PONS_12.order, 8.0), (spec.table_bounds == PONS_12.table_bounds, 4.0)];
            100.0 - worth.iter().filter(|(on, _)| *on).map(|(_, worth)| worth).sum::<f64>()
        };
        let mut asked = 0;
        let path = walk(PONS_09, PONS_12, |specs| {
            asked += specs.len();
            Ok(Some(specs.iter().map(cost).collect()))
        });
        let path = path.unwrap().unwrap();
        let steps: Vec<String> = path.windows(2).flat_map(|pair| changes(&pair[1..], pair[0])).collect();
        assert_eq!((steps, asked), (["order", "table-bounds", "table"].map(str::to_string).to_vec(), 3 + 2 + 1));
        assert_eq!((path[0], path[1], path[3]), (PONS_09, PONS_10, PONS_12));
        assert_eq!(walk(PONS_09, PONS_12, |_| Ok(None)).unwrap(), None);
        assert_eq!(walk(PONS_09, PONS_09, |_| Ok(None)).unwrap(), Some(vec![PONS_09]));
    }
}
