//! The schedule: the order in which cells are measured. It is a pure function of the experiment, its seed, and the
//! batch lengths of a pilot.
//!
//! A batch is several adjacent positions of a set, or one position if searches take long. In a block every variant runs
//! one batch, one variant after another, in a random order drawn from the seed. So a change of the machine affects all
//! variants alike. Each pass over the set takes its batches in its own random order.
//!
//! ```text
//! block 1   batch 3:  B7 B8 B9   A7 A8 A9      the letter is the variant, the number the position
//! block 2   batch 1:  A1 A2 A3   B1 B2 B3
//! block 3   batch 2:  B4 B5 B6   A4 A5 A6
//! ```

use crate::files::sample::{CellKey, Sample};
use crate::plan::Plan;
use crate::plan::shard::Shard;
use crate::sets::draw::Draw;
use c4lab_solver::search::Goal;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet, HashSet};

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BatchLength {
    pub set: String,
    pub goal: Goal,
    pub positions: usize,
}

/// One batch, one goal, one pass: the variants in the order they run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block {
    pub set: usize,
    pub batch: u32,
    pub items: Vec<usize>,
    pub goal: Goal,
    pub repetition: u32,
    /// Indices of the variants. A run with its own limit may exclude its variants from some of the positions.
    pub variants: Vec<usize>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlannedCell<'a> {
    pub block: &'a Block,
    pub item: usize,
    pub variant: usize,
    pub turn: u32,
}

impl PlannedCell<'_> {
    pub fn key<'k>(&self, plan: &'k Plan, process: u32) -> CellKey<'k> {
        let (set, block) = (&plan.sets[self.block.set], self.block);
        let (line, name) = (set.items[self.item].line as u64, plan.entrants[self.variant].name());
        (&set.sha256, line, name, block.goal, process, block.repetition)
    }
}

impl Block {
    /// The cells of each variant, in the order they run.
    pub fn turns<'a>(&'a self, plan: &'a Plan) -> impl Iterator<Item = Vec<PlannedCell<'a>>> {
        self.variants.iter().enumerate().map(move |(turn, &variant)| {
            let takes = |item: &&usize| plan.takes_part(variant, self.set, self.goal, **item);
            let place = |&item: &usize| PlannedCell { block: self, item, variant, turn: turn as u32 };
            self.items.iter().filter(takes).map(place).collect()
        })
    }
}

/// The blocks of `process` on the positions of `shard`. A set that is not in `lengths` has batches of one position.
pub fn schedule(plan: &Plan, shard: Shard, process: u32, lengths: &[BatchLength]) -> Vec<Block> {
    let (mut blocks, experiment) = (Vec::new(), &plan.experiment);
    for (set_index, set) in plan.sets.iter().enumerate() {
        for goal in Goal::ALL {
            let items = plan.measured(shard, set_index, goal);
            let length = lengths.iter().find(|length| length.set == set.name && length.goal == goal);
            let batches: Vec<&[usize]> = items.chunks(length.map_or(1, |length| length.positions.max(1))).collect();
            for repetition in 0..experiment.repetitions as u32 {
                let draw = |what: &str| {
                    let label = format!("{} {} {process} {repetition} {what}", set.sha256, goal.name());
                    Draw::new(experiment.seed, &label)
                };
                let mut order: Vec<usize> = (0..batches.len()).collect();
                draw("batches").shuffle(&mut order);
                for batch in order {
                    let entrants = batches[batch].iter().flat_map(|&item| plan.taking_part(set_index, goal, item));
                    let mut variants = Vec::from_iter(entrants.copied().collect::<BTreeSet<usize>>());
                    draw(&format!("batch {batch}")).shuffle(&mut variants);
                    let (items, batch) = (batches[batch].to_vec(), batch as u32);
                    blocks.push(Block { set: set_index, batch, items, goal, repetition, variants });
                }
            }
        }
    }
    blocks
}

/// The number of cells of `shard` in all processes.
pub fn cells(plan: &Plan, shard: Shard) -> usize {
    let blocks = schedule(plan, shard, 1, &[]);
    let of_one: usize = blocks.iter().flat_map(|block| block.turns(plan)).map(|turn| turn.len()).sum();
    of_one * plan.experiment.processes as usize
}

/// By set, goal and variant: the number of cells of `shard` in all processes, and of those without a row.
pub fn counts<'a>(
    plan: &'a Plan,
    shard: Shard,
    rows: impl Iterator<Item = &'a Sample>,
) -> BTreeMap<(usize, Goal, usize), [usize; 2]> {
    let done: HashSet<CellKey<'_>> = rows.filter(|row| !row.is_void()).map(Sample::cell).collect();
    let mut counts: BTreeMap<_, [usize; 2]> = BTreeMap::new();
    for process in 1..=plan.experiment.processes as u32 {
        for cell in schedule(plan, shard, process, &[]).iter().flat_map(|block| block.turns(plan).flatten()) {
            let [planned, missing] = counts.entry((cell.block.set, cell.block.goal, cell.variant)).or_default();
            (*planned, *missing) = (*planned + 1, *missing + usize::from(!done.contains(&cell.key(plan, process))));
        }
    }
    counts
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::sample;
    use crate::plan::tests::plan;

    fn example(seed: u64) -> Plan {
        let text = format!(
            "name = \"e\"\nseed = {seed}\nrepetitions = 2\nlimit = 3\n\
             [[runs]]\nvariants = [\"pons-10\", \"pons-11\", \"pons-12\"]\ntest-sets = [\"a\"]\n\
             [[runs]]\nvariants = [\"pons-03\"]\ntest-sets = [\"a\"]\ngoals = [\"strong\", \"weak\"]\nlimit = 1\n"
        );
        plan(&text)
    }

    fn blocks(plan: &Plan, length: usize) -> Vec<Block> {
        let length = |goal| BatchLength { set: "a".to_string(), goal, positions: length };
        schedule(plan, Shard::WHOLE, 1, &Goal::ALL.map(length))
    }

    /// Every cell of a schedule, as (goal, pass, position, variant), in its order.
    fn cells(plan: &Plan, blocks: &[Block]) -> Vec<(&'static str, u32, usize, usize)> {
        let of = |place: &PlannedCell<'_>| (place.block.goal.name(), place.block.repetition, place.item, place.variant);
        blocks
            .iter()
            .flat_map(|block| block.turns(plan).flatten().map(|place| of(&place)).collect::<Vec<_>>())
            .collect()
    }

    #[test]
    fn every_length_of_batches_measures_the_same_cells() {
        let plan = example(1);
        let of = |length| {
            let mut cells = cells(&plan, &blocks(&plan, length));
            cells.sort_unstable();
            cells
        };
        assert_eq!(of(1).len(), 2 * (3 * 3 + 1) + 2);
        (2..5).for_each(|length| assert_eq!(of(length), of(1)));
        let (one, other) = (blocks(&plan, 2), schedule(&plan, Shard::WHOLE, 1, &[]));
        assert_eq!(one.iter().map(|block| block.items.len()).max(), Some(2));
        assert!(other.iter().all(|block| block.items.len() == 1), "without a length, one position");
    }

    #[test]
    fn cells_without_rows_are_counted() {
        let plan = example(1);
        let row = |variant: &str, line| {
            let set = &plan.sets[0];
            Sample { set: set.name.clone(), set_sha256: set.sha256.clone(), ..sample(variant, line, 10, 5) }
        };
        let sums = |counts: &BTreeMap<_, [usize; 2]>| [0, 1].map(|at| counts.values().map(|of| of[at]).sum::<usize>());
        assert_eq!(sums(&counts(&plan, Shard::WHOLE, [].iter())), [22, 22]);
        // A cell with two rows; a position and a variant that the plan does not have.
        let rows = [("pons-12", 1), ("pons-12", 1), ("pons-12", 4), ("pons-09", 1)].map(|(name, line)| row(name, line));
        let counts = counts(&plan, Shard::WHOLE, rows.iter());
        assert_eq!(sums(&counts), [22, 21]);
        assert_eq!((counts[&(0, Goal::Strong, 2)], counts[&(0, Goal::Weak, 3)]), ([6, 5], [2, 2]));
    }

    /// A variant runs all of its batch in one turn, without the positions beyond the limit of its run.
    #[test]
    fn a_block_is_one_batch_of_every_variant() {
        let plan = example(1);
        let block = &blocks(&plan, 2).into_iter().find(|block| block.items == [0, 1]).unwrap();
        let turns: Vec<Vec<PlannedCell<'_>>> = block.turns(&plan).collect();
        assert_eq!(turns.len(), 4);
        for (index, turn) in turns.iter().enumerate() {
            let variant = block.variants[index];
            assert!(turn.iter().all(|place| (place.variant, place.turn) == (variant, index as u32)));
            let expected: &[usize] = if plan.entrants[variant].name() == "pons-03" { &[0] } else { &[0, 1] };
            assert_eq!(turn.iter().map(|place| place.item).collect::<Vec<_>>(), expected);
        }
    }

    #[test]
    fn orders_are_drawn_from_seed_process_and_pass_and_nothing_else() {
        assert_eq!(blocks(&example(1), 2), blocks(&example(1), 2));
        assert_ne!(blocks(&example(1), 2), blocks(&example(2), 2));
        let firsts: HashSet<usize> = (0..40).map(|seed| blocks(&example(seed), 3)[0].variants[0]).collect();
        assert_eq!(firsts.len(), 4, "every variant is first at times");
        let set: String = (0..60).map(|_| "44 1\n").collect();
        let set = crate::sets::test_set::TestSet::parse("a", set.as_bytes(), false).unwrap();
        let mut long = example(1).experiment;
        (long.limit, long.runs[1].limit) = (None, None);
        let plan = Plan::with_sets(long, vec![set]).unwrap();
        let order = |process, pass| -> Vec<u32> {
            let blocks = schedule(&plan, Shard::WHOLE, process, &[]);
            let of = |block: &&Block| block.repetition == pass && block.goal == Goal::Strong;
            blocks.iter().filter(of).map(|block| block.batch).collect()
        };
        let (first, second, other) = (order(1, 0), order(1, 1), order(2, 0));
        assert!(first != second && first != other && !first.is_sorted());
        let sorted = |mut order: Vec<u32>| {
            order.sort_unstable();
            order
        };
        assert_eq!(sorted(first), (0..60).collect::<Vec<_>>());
        assert_eq!(sorted(second), sorted(other));
    }
}
