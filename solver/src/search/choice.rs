//! The alternatives that go together.
//!
//! Each recursion takes some values of every axis, those that it has code for. On an axis that does not concern it, it
//! takes only the value that stands for nothing. The recursion by moves counts as three: on an array board, on
//! bitboards as published, and with later techniques, which are written for one kind of board. A choice is refused if
//! no recursion takes it, or if it breaks a rule between axes.

use crate::axes::{
    Anticipation, Axis, Enhanced, Key, Late, Layout, Order, Pruning, Root, Search, StaticBounds, Storage, TableBounds,
    TableKind, TableSize, Threats, Waiting, Wins, Zugzwang,
};
use crate::search::spec::{Spec, Takes};

const ORDERS: &[Order] = &[Order::LeftToRight, Order::Centre, Order::Threats, Order::Squares];
const KEYS: &[Key] = &[Key::Exact, Key::Mirror, Key::MirrorEarly, Key::MirrorTen];
/// Ways to find the winning squares of one board.
const ONE_BOARD: &[Threats] = &[Threats::Pairs, Threats::Halves, Threats::Directions];
const UNGROWN: &[TableKind] =
    &[TableKind::None, TableKind::Full, TableKind::Partial, TableKind::Wide, TableKind::Hashed, TableKind::TwoLevel];

/// By moves, on bitboards, as published.
const MOVES: Takes = Takes {
    about: "search=moves",
    search: &[Search::Moves],
    storage: &[Storage::Bitboard, Storage::TwoPlayers, Storage::MakeUndo],
    layout: Layout::ALL,
    wins: Wins::ALL,
    threats: &[
        Threats::Pairs,
        Threats::AlmostWins,
        Threats::Halves,
        Threats::Directions,
        Threats::Moves,
        Threats::Children,
        Threats::Players,
    ],
    pruning: Pruning::ALL,
    anticipation: Anticipation::ALL,
    order: ORDERS,
    bounds: StaticBounds::ALL,
    zugzwang: &[Zugzwang::None],
    waiting: &[Waiting::All],
    enhanced: &[Enhanced::None],
    late: &[Late::Table],
    key: Key::ALL,
    table: UNGROWN,
    table_bounds: &[TableBounds::None, TableBounds::Score, TableBounds::Upper, TableBounds::Either],
    table_size: TableSize::ALL,
    root: &[Root::Window, Root::Sign, Root::Bisect],
};

/// By moves, on an array board, which walks its lines.
const MOVES_ON_ARRAY: Takes = Takes {
    about: "storage=array",
    storage: &[Storage::Array],
    layout: &[Layout::Tight],
    wins: &[Wins::TwoShifts],
    threats: &[Threats::Pairs],
    key: &[Key::Exact],
    ..MOVES
};

/// By moves, with the techniques written for tight bitboards, alpha-beta and anticipated losses.
const MOVES_LATER: Takes = Takes {
    about: "search=moves with zugzwang, enhanced cutoffs, order=weighted, table=buckets, or root=ends, extremes or step",
    storage: &[Storage::Bitboard],
    layout: &[Layout::Tight],
    wins: &[Wins::TwoShifts],
    threats: ONE_BOARD,
    pruning: &[Pruning::AlphaBeta],
    anticipation: &[Anticipation::Losses],
    order: &[Order::Weighted, Order::LeftToRight, Order::Centre, Order::Threats, Order::Squares],
    zugzwang: Zugzwang::ALL,
    enhanced: &[Enhanced::None, Enhanced::Deep, Enhanced::All],
    key: KEYS,
    table: TableKind::ALL,
    table_bounds: TableBounds::ALL,
    root: Root::ALL,
    ..MOVES
};

/// All children together: by null windows, from the centre out.
const CHILDREN: Takes = Takes {
    about: "search=children",
    search: &[Search::Children],
    threats: &[Threats::Pairs, Threats::Halves, Threats::Directions, Threats::Children, Threats::Dispatched],
    order: &[
        Order::Centre,
        Order::Threats,
        Order::Weighted,
        Order::History,
        Order::Killers,
        Order::Lines,
        Order::Replies,
        Order::Sides,
        Order::Learned,
    ],
    waiting: Waiting::ALL,
    enhanced: Enhanced::ALL,
    late: Late::ALL,
    key: Key::ALL,
    root: &[Root::Bisect, Root::Ends, Root::Extremes, Root::Step],
    ..MOVES_LATER
};

/// Fhourstones: only the winner, with no bounds but its own.
const FHOURSTONES: Takes = Takes {
    about: "search=fhourstones",
    search: &[Search::Fhourstones],
    bounds: &[StaticBounds::None],
    zugzwang: &[Zugzwang::None],
    enhanced: &[Enhanced::None],
    table: UNGROWN,
    table_bounds: &[TableBounds::None, TableBounds::Either],
    root: &[Root::Window],
    ..MOVES_LATER
};

const ALL: [&Takes; 5] = [&MOVES, &MOVES_ON_ARRAY, &MOVES_LATER, &CHILDREN, &FHOURSTONES];

/// Rules between axes: true if the rule is broken, its last axis in the order of a spec, the reason.
fn rules(spec: Spec) -> [(bool, &'static str, &'static str); 12] {
    let Spec { search, wins, threats, anticipation, order, key, table, .. } = spec;
    let (minimax, untabled) = (spec.pruning == Pruning::Minimax, table == TableKind::None);
    let finds_threats = !anticipation.checks_wins() || order == Order::Threats;
    let table_bounds: &[TableBounds] = match table {
        TableKind::None => &[TableBounds::None],
        TableKind::Buckets => &[TableBounds::Both],
        _ if minimax => &[TableBounds::Score],
        _ => &[TableBounds::Upper, TableBounds::Either],
    };
    [
        (
            !matches!(wins, Wins::TwoShifts | Wins::Directions) && !anticipation.checks_wins(),
            Anticipation::KEY,
            "colorless keys find squares in fours: wins=two-shifts or wins=directions",
        ),
        (threats != Threats::Pairs && !finds_threats, Order::KEY, "this choice finds no threats: threats=pairs"),
        (
            matches!(threats, Threats::Moves | Threats::Children) && order != Order::Threats && search == Search::Moves,
            Order::KEY,
            "threats=moves and threats=children need the children of a node: order=threats",
        ),
        (
            threats == Threats::Players && order != Order::Threats && anticipation != Anticipation::Both,
            Order::KEY,
            "threats=players needs two boards: order=threats or anticipation=both",
        ),
        (
            wins != Wins::TwoShifts && !anticipation.checks_wins() && !key.is_colorless(),
            Key::KEY,
            "this choice tests no fours: wins=two-shifts",
        ),
        (
            (spec.layout == Layout::Spaced || key.is_colorless()) && !table.takes_wide_keys(),
            TableKind::KEY,
            "keys of layout=spaced and colorless keys are too wide for this table: table=wide, table=hashed or table=buckets",
        ),
        (untabled && key != Key::Exact, TableKind::KEY, "table=none has key=exact"),
        (
            untabled && (spec.enhanced != Enhanced::None || spec.late != Late::Table),
            TableKind::KEY,
            "without a table no child can be looked up: enhanced-cutoffs=none and late=table",
        ),
        (untabled && order.looks_replies_up(), TableKind::KEY, "without a table no reply is known: order=lines"),
        (
            !table_bounds.contains(&spec.table_bounds),
            TableBounds::KEY,
            "table-bounds is none for table=none, both for table=buckets, score for pruning=minimax, and upper or either for all else",
        ),
        (
            spec.table_size == TableSize::Published
                && !matches!(table, TableKind::Full | TableKind::Partial | TableKind::TwoLevel),
            TableSize::KEY,
            "table-size=published is for table=full, table=partial and table=two-level",
        ),
        (
            minimax && (spec.bounds != StaticBounds::None || spec.root != Root::Window),
            Root::KEY,
            "pruning=minimax has no window: bounds=none and root=window",
        ),
    ]
}

/// True if the alternatives on the axes up to `axis` can be part of a valid choice.
pub(super) fn may_go_on(spec: Spec, axis: &'static str) -> bool {
    let last = Spec::index_of(axis);
    ALL.iter().any(|takes| takes.takes_up_to(spec, last))
        && rules(spec).iter().all(|(is_broken, axis, _)| !is_broken || Spec::index_of(axis) > last)
}

pub(super) fn validate(spec: Spec) -> Result<(), String> {
    let takes_most = |takes: &&&Takes| (!takes.search.contains(&spec.search), takes.outside(spec).len());
    let takes = ALL.iter().min_by_key(takes_most).expect("five");
    if let Some((axis, value, values)) = takes.outside(spec).first() {
        return Err(format!("{} has {axis}={}, not {value}", takes.about, values.join(", ")));
    }
    let broken = rules(spec).into_iter().find(|(is_broken, ..)| *is_broken);
    broken.map_or(Ok(()), |(.., reason)| Err(reason.to_string()))
}

/// A valid choice with the same values on the axes `kept` and few others changed, if one is found.
pub(super) fn mended(spec: Spec, kept: &[&str]) -> Option<Spec> {
    let is_kept = |axis: &str| kept.contains(&axis);
    let of = |takes: &&Takes| {
        let mut own = spec;
        for (axis, _, values) in takes.outside(spec) {
            own = own.with(axis, values[0]).filter(|_| !is_kept(axis))?;
        }
        let changed = |spec: Spec| {
            spec.one_change_away().filter(|(axis, spec)| !is_kept(axis) && takes.outside(*spec).is_empty())
        };
        while broken(own) > 0 {
            let one = changed(own).map(|(_, spec)| spec).find(|next| broken(*next) < broken(own));
            let two = || {
                let pairs = changed(own).flat_map(|(_, spec)| changed(spec).map(|(_, spec)| spec));
                pairs.into_iter().find(|next| broken(*next) < broken(own))
            };
            own = one.or_else(two)?;
        }
        Some(own)
    };
    ALL.iter().filter_map(of).min_by_key(|own| own.diff(spec).len())
}

fn broken(spec: Spec) -> usize {
    rules(spec).iter().filter(|(is_broken, ..)| *is_broken).count()
}
