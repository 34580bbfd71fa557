//! The schedule: in which order cells are measured. A pure function of the experiment and its seed.
//!
//! A block is one position and one repetition. All variants run one after another, in an order drawn from the seed, so
//! that a change of the machine hits all of them alike. Then comes the next position. Further repetitions are further
//! passes over the set.

use crate::lab::digest::sha256;
use crate::lab::plan::participant::Participant;
use crate::lab::plan::plan::Plan;
use crate::lab::plan::table_state::TableState;
use crate::lab::sets::draw::Draw;
use c4lab_solver::search::Goal;

/// One position, one goal, one repetition: the variants in the order they run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block {
    /// Index of the test set.
    pub set: usize,
    /// Index of the position within its set.
    pub item: usize,
    /// The goal.
    pub goal: Goal,
    /// The pass, from 0.
    pub repetition: u32,
    /// Indices of the variants.
    pub variants: Vec<usize>,
}

/// The blocks of a plan.
pub fn schedule(plan: &Plan) -> Vec<Block> {
    let (mut blocks, experiment) = (Vec::new(), &plan.experiment);
    for (set_index, set) in plan.sets.iter().enumerate() {
        for goal in Goal::ALL {
            for repetition in 0..experiment.repetitions as u32 {
                for item in 0..set.items.len() {
                    let mut taking_part = plan.taking_part(set_index, goal, item);
                    let label = format!("{} {} {} {repetition}", set.sha256, set.items[item].line, goal.name());
                    Draw::new(experiment.seed, &label).shuffle(&mut taking_part);
                    if !taking_part.is_empty() {
                        blocks.push(Block { set: set_index, item, goal, repetition, variants: taking_part });
                    }
                }
            }
        }
    }
    blocks
}

/// What makes a cell the same cell: sixteen hexadecimal digits of a hash over everything that identifies it.
pub fn cell_id(plan: &Plan, participant: &Participant, tt_bytes: u64, block: &Block) -> String {
    let set = &plan.sets[block.set];
    let state = match plan.experiment.tt_state {
        TableState::Cold => "cold",
        TableState::Warm => "warm",
    };
    let text = format!(
        "{}|{}|{}|{}|{}|{tt_bytes}|{state}|{:?}|{:?}|{}",
        set.sha256,
        set.items[block.item].line,
        participant.name,
        participant.spec,
        block.goal.name(),
        plan.time,
        plan.experiment.node_limit,
        block.repetition,
    );
    sha256(text.as_bytes())[..16].to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lab::plan::plan::tests::plan;

    fn blocks(seed: u64) -> (Plan, Vec<Block>) {
        let text = format!(
            "name = \"e\"\nseed = {seed}\nrepetitions = 2\nlimit = 3\n\
             [[runs]]\nvariants = [\"pons-10\", \"pons-11\", \"pons-12\"]\ntest-sets = [\"a\"]\n\
             [[runs]]\nvariants = [\"pons-03\"]\ntest-sets = [\"a\"]\ngoals = [\"weak\"]\nlimit = 1\n"
        );
        let plan = plan(&text);
        let blocks = schedule(&plan);
        (plan, blocks)
    }

    #[test]
    fn all_variants_of_a_position_stand_in_one_block() {
        let (_, blocks) = blocks(1);
        let strong: Vec<&Block> = blocks.iter().filter(|block| block.goal == Goal::Strong).collect();
        assert_eq!(strong.len(), 6, "three positions, two passes");
        assert_eq!(strong.iter().map(|block| block.item).collect::<Vec<_>>(), [0, 1, 2, 0, 1, 2]);
        assert_eq!(strong.iter().map(|block| block.repetition).collect::<Vec<_>>(), [0, 0, 0, 1, 1, 1]);
        for block in &strong {
            let mut variants = block.variants.clone();
            variants.sort_unstable();
            assert_eq!(variants, [0, 1, 2]);
        }
        let weak: Vec<&Block> = blocks.iter().filter(|block| block.goal == Goal::Weak).collect();
        assert_eq!(weak.len(), 2, "one position, two passes");
        assert!(weak.iter().all(|block| block.variants == [3]));
    }

    #[test]
    fn the_order_is_drawn_from_the_seed_and_nothing_else() {
        assert_eq!(blocks(1).1, blocks(1).1);
        assert_ne!(blocks(1).1, blocks(2).1);
        let firsts: std::collections::HashSet<usize> = (0..20).map(|seed| blocks(seed).1[0].variants[0]).collect();
        assert_eq!(firsts.len(), 3, "every variant is first at times");
    }

    #[test]
    fn cells_have_ids_of_their_own() {
        let (plan, blocks) = blocks(1);
        let variants: Vec<Participant> =
            plan.variants().map(|name| Participant::variant(name, plan.options.board)).collect();
        let ids: std::collections::HashSet<String> = blocks
            .iter()
            .flat_map(|block| block.variants.iter().map(move |&variant| (block, variant)))
            .map(|(block, variant)| cell_id(&plan, &variants[variant], 0, block))
            .collect();
        assert_eq!(ids.len(), 6 * 3 + 2);
    }
}
