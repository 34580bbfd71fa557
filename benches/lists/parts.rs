//! The parts of a champion's node, one by one, over nodes that the champion meets: the bounds of children before they
//! are searched. The inputs of a part from earlier parts are not computed again. Functions with vectors have the
//! checksums of those without.

pub(crate) use crate::boards::Family;
use c4lab_solver::axes::horizon::{any_too_late, pays};
use c4lab_solver::axes::level::Baseline;
use c4lab_solver::axes::lines::children::{Children, Form, Lanes, Look, Outlook};
use c4lab_solver::axes::lines::threats::winning_squares;
use c4lab_solver::axes::order;
use c4lab_solver::axes::table::key::KeysOfChildren;
pub(crate) use c4lab_solver::axes::{Key, Threats, Wins};
use c4lab_solver::axes::{Order, Zugzwang, table};
use c4lab_solver::game::{Board, BoardSize, Standard};

#[inline(always)]
pub(crate) fn one(threats: Threats, family: &Family) -> u64 {
    let stones = family.parent.stones;
    winning_squares(Standard::NEW, threats, stones & !family.parent.mover, Standard::BOARD & !stones)
}

#[inline(always)]
fn form(threats: Threats) -> Form<Baseline> {
    Form { level: Baseline, threats }
}

#[inline(always)]
fn children(family: &Family) -> Children<'_, Standard> {
    Children { g: Standard::NEW, node: family.parent, outlook: &family.outlook }
}

#[inline(always)]
pub(crate) fn look(threats: Threats, family: &Family) -> u64 {
    let Outlook { won, forced, quiet, .. } = form(threats).look(Standard::NEW, family.parent);
    u64::from(won | forced << 8 | quiet << 16)
}

/// The least bound that zugzwang proves on the score of a quiet child, if it is at most 0.
#[inline(always)]
pub(crate) fn zugzwang(threats: Threats, family: &Family) -> u64 {
    let at_most = match family.parent.stones.count_ones().is_multiple_of(2) {
        true => Form::at_most::<true>,
        false => Form::at_most::<false>,
    };
    let bound = at_most(form(threats), children(family), Zugzwang::Sums, 0);
    bound.map_or(0, |bound| 1 + u64::from(bound.unsigned_abs()))
}

/// True if a quiet child's score is proven to be at most `target`, in nodes where the champion tests this.
#[inline(always)]
pub(crate) fn horizon(threats: Threats, family: &Family) -> u64 {
    let ply = family.parent.stones.count_ones() + 1;
    let target = BoardSize::STANDARD.win_at(ply) - 3;
    let asked = target >= 0 && pays(Standard::NEW, ply, target);
    (asked && any_too_late(children(family), form(threats), target)).into()
}

#[inline(always)]
pub(crate) fn weigh(family: &Family) -> u64 {
    let (stones, mut worth) = (family.parent.stones, 0);
    for lane in Lanes(family.outlook.quiet) {
        let one_move = family.parent.in_lane(Standard::NEW, lane);
        let playable = (stones + Standard::BOTTOM + one_move) & Standard::BOARD;
        let plays_last = !stones.count_ones().is_multiple_of(2);
        let child = [family.outlook.threats[lane], playable];
        worth = worth << 8 ^ u64::from(order::worth(Standard::NEW, Order::Weighted, child, plays_last));
    }
    worth
}

#[inline(always)]
pub(crate) fn keys(key: Key, family: &Family) -> u64 {
    let (mover, mut keys) = (family.parent.stones & !family.parent.mover, 0);
    for lane in Lanes(family.outlook.quiet) {
        let stones = family.parent.stones | family.parent.in_lane(Standard::NEW, lane);
        let board = Board::from_stones(Standard::NEW, mover, stones).expect("a board");
        keys ^= table::key::of(key, Wins::TwoShifts, board) as u64;
    }
    keys
}

#[inline(always)]
pub(crate) fn keys_together<const MIRROR: bool>(family: &Family) -> u64 {
    let (of_children, mut keys, mut lane) = (KeysOfChildren::<_, MIRROR>::of(Standard::NEW, family.parent), 0, 0);
    while lane < Standard::SIZE.width() as usize {
        // All ones if the child is quiet.
        let wanted = 0_u64.wrapping_sub(u64::from(family.outlook.quiet >> lane & 1));
        keys ^= of_children.in_lane(Standard::NEW, lane) & wanted;
        lane += 1;
    }
    keys
}

/// Calls a macro with the list: name, checksum over the stream, function of a node.
macro_rules! parts {
    ($each:ident) => {
        crate::lists::hand! {
            $each parts in parts:
            {
                family_alone = 0xc490_ff3e_7b80_6285, |family: &'static Family| family.parent.stones;
                winning_squares_of_one = 0xef1b_4cba_2137_d1cc, |family: &'static Family| one(Threats::Halves, family);
                look_halves = 0x1760_0192_b0bf_e5bf, |family: &'static Family| look(Threats::Halves, family);
            } vectors {
                look_children = 0x1760_0192_b0bf_e5bf, |family: &'static Family| look(Threats::Children, family);
            }
            {
                zugzwang_halves = 0x91a2_b347_f23e_8d93, |family: &'static Family| zugzwang(Threats::Halves, family);
            } vectors {
                zugzwang_children = 0x91a2_b347_f23e_8d93, |family: &'static Family| zugzwang(Threats::Children, family);
            }
            {
                horizon_halves = 0x5181_cbe1_61e4_0478, |family: &'static Family| horizon(Threats::Halves, family);
            } vectors {
                horizon_children = 0x5181_cbe1_61e4_0478, |family: &'static Family| horizon(Threats::Children, family);
            }
            {
                weights = 0x5cd5_4246_5c76_ad5f, |family: &'static Family| weigh(family);
                exact_keys = 0xa1d1_2648_0687_14ce, |family: &'static Family| keys(Key::Exact, family);
                exact_keys_together = 0xa1d1_2648_0687_14ce, |family: &'static Family| keys_together::<false>(family);
                mirror_keys = 0x7980_8138_a746_948a, |family: &'static Family| keys(Key::Mirror, family);
                mirror_keys_together = 0x7980_8138_a746_948a, |family: &'static Family| keys_together::<true>(family);
            } vectors {
            }
        }
    };
}
pub(crate) use parts;
