//! A spec: one alternative of every axis. Tables, CSV columns and `list` are printed from it.

use crate::axes::level::{Baseline, Chosen};
use crate::axes::{
    Anticipation, Axis, Enhanced, Key, Late, Layout, Order, Pruning, Root, Search, StaticBounds, Storage, TableBounds,
    TableKind, TableSize, Threats, Waiting, Wins, Zugzwang,
};
use crate::game::MOST_COLUMNS;
use crate::search::choice;
use crate::search::name::NameError;
use crate::search::solver::Goal;
use std::collections::HashSet;
use std::fmt;

/// Declares [`Spec`] with one field for each axis, and the functions that go over all axes.
macro_rules! spec {
    ($( $field:ident: $axis:ident ),+ $(,)?) => {
        /// One alternative of every axis: a point of the option space.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub struct Spec {
            $( #[doc = concat!("See [`", stringify!($axis), "`].")] pub $field: $axis, )+
        }

        impl Spec {
            /// The axes in the order of the fields: name, and every alternative with its description.
            pub fn axes() -> Vec<(&'static str, Vec<(&'static str, &'static str)>)> {
                vec![$( ($axis::KEY, $axis::ALL.iter().map(|a| (a.value(), a.about())).collect()), )+]
            }

            /// The value of every axis, in the order of the fields.
            pub fn fields(self) -> Vec<(&'static str, &'static str)> {
                vec![$( ($axis::KEY, self.$field.value()), )+]
            }

            /// The spec with one axis changed, or `None` if there is no such axis or value.
            pub fn with(mut self, key: &str, value: &str) -> Option<Self> {
                match key {
                    $( $axis::KEY => self.$field = $axis::parse(value)?, )+
                    _ => return None,
                }
                Some(self)
            }

            pub fn all() -> Vec<Self> {
                let mut specs = vec![crate::search::registry::PONS_12];
                $(
                    specs = specs.iter().flat_map(|&spec| {
                        $axis::ALL.iter().map(move |&value| Spec { $field: value, ..spec })
                    }).filter(|&spec| choice::may_go_on(spec, $axis::KEY)).collect();
                )+
                specs
            }

            pub(super) fn index_of(key: &str) -> usize {
                [$( $axis::KEY ),+].iter().position(|axis| *axis == key).expect("an axis")
            }

            /// Every spec with another value on one axis, and that axis.
            pub(super) fn one_change_away(self) -> impl Iterator<Item = (&'static str, Spec)> {
                let changed = vec![$(
                    $axis::ALL.iter().map(move |&value| ($axis::KEY, Spec { $field: value, ..self })).collect::<Vec<_>>(),
                )+];
                changed.into_iter().flatten().filter(move |(_, spec)| *spec != self)
            }
        }

        pub(super) struct Takes {
            pub(super) about: &'static str,
            $( pub(super) $field: &'static [$axis], )+
        }

        impl Takes {
            /// True if it takes the values of `spec` on the axes up to `last`.
            pub(super) fn takes_up_to(&self, spec: Spec, last: usize) -> bool {
                let taken = [$( self.$field.contains(&spec.$field) ),+];
                taken[..=last].iter().all(|taken| *taken)
            }

            /// The axes on which it does not take the value of `spec`: axis, that value, the values that it takes.
            pub(super) fn outside(&self, spec: Spec) -> Vec<(&'static str, &'static str, Vec<&'static str>)> {
                let mut outside = Vec::new();
                $( if !self.$field.contains(&spec.$field) {
                    let values = self.$field.iter().map(|value| value.value()).collect();
                    outside.push(($axis::KEY, spec.$field.value(), values));
                } )+
                outside
            }
        }
    };
}

spec! {
    search: Search,
    storage: Storage,
    layout: Layout,
    wins: Wins,
    threats: Threats,
    pruning: Pruning,
    anticipation: Anticipation,
    order: Order,
    bounds: StaticBounds,
    zugzwang: Zugzwang,
    waiting: Waiting,
    enhanced: Enhanced,
    late: Late,
    key: Key,
    table: TableKind,
    table_bounds: TableBounds,
    table_size: TableSize,
    root: Root,
}

impl Spec {
    pub fn validate(self) -> Result<(), String> {
        choice::validate(self)
    }

    /// The goals that it serves: all, or only the weak goal.
    pub fn goals(self) -> &'static [Goal] {
        let sign = self.search == Search::Fhourstones || self.root == Root::Sign;
        if sign { &[Goal::Weak] } else { &Goal::ALL }
    }

    /// The error is the reason why this build does not run the choice under its name: vectors are absent or emulated.
    pub fn available(self) -> Result<(), &'static str> {
        if self.is_vector() { vectors() } else { Ok(()) }
    }

    /// The error is the reason why this build does not run the choice at all: vectors are absent. They may be emulated.
    pub fn runs(self) -> Result<(), &'static str> {
        if self.is_vector() && cfg!(not(feature = "simd")) { Err(WITHOUT_FEATURE) } else { Ok(()) }
    }

    pub fn is_vector(self) -> bool {
        self.wins.is_vector() || self.threats.is_vector()
    }

    /// True if no result can be wrong, except with a chance below a stated bound ([`risk`](Self::risk)).
    pub fn is_exact(self) -> bool {
        self.table.risk(1.0) == 0.0
    }

    /// The most probes of the table for each node of a search, on the widest board.
    pub fn most_probes(self) -> u32 {
        let width = MOST_COLUMNS;
        let looks_children_up = self.enhanced != Enhanced::None;
        match (self.table, self.search) {
            (TableKind::None, _) => 0,
            // Its own slot, and those of its children.
            (_, Search::Moves | Search::Fhourstones) => 1 + if looks_children_up { width } else { 0 },
            // Each child before its search; the root once for each null window; all replies to each move.
            (_, Search::Children) => {
                let replies = if self.order.looks_replies_up() { width * width } else { 0 };
                1 + width + if looks_children_up { width } else { 0 } + replies
            }
        }
    }

    /// A limit on the chance that a search of `nodes` nodes got the bounds of another position; 0 for all but hashed
    /// keys.
    pub fn risk(self, nodes: u64) -> f64 {
        self.table.risk(nodes as f64 * f64::from(self.most_probes()))
    }

    /// The reason why a requested table size does not apply; `None` if it does.
    pub fn ignores_table_size(self) -> Option<&'static str> {
        match (self.table, self.table_size) {
            (TableKind::None, _) => Some("it has no table"),
            (_, TableSize::Published) => Some("its table has the published size (table-size=chosen frees it)"),
            (_, TableSize::Chosen) => None,
        }
    }

    /// The axes on which two specs differ: name, value of `self`, value of `base`.
    pub fn diff(self, base: Self) -> Vec<(&'static str, &'static str, &'static str)> {
        let pairs = self.fields().into_iter().zip(base.fields());
        pairs.filter(|(ours, theirs)| ours != theirs).map(|((key, ours), (_, theirs))| (key, ours, theirs)).collect()
    }

    /// Reads changes as [`parse`](Self::parse) does, but refuses an axis that is given twice.
    pub fn parse_once(text: &str, base: Self) -> Result<Self, NameError> {
        let mut axes = HashSet::new();
        let keys = text.split(',').filter_map(|part| Some(part.split_once('=')?.0.trim()));
        match keys.into_iter().find(|key| !axes.insert(*key)) {
            Some(key) => Err(format!("{key}= twice").into()),
            None => Self::parse(text, base),
        }
    }

    /// Reads `key=value,...` as changes to `base`, and validates the outcome.
    ///
    /// ```
    /// use c4lab_solver::search::{registry::PONS_12, Spec};
    /// let spec = Spec::parse("order=centre", PONS_12).unwrap();
    /// assert_eq!(spec.diff(PONS_12), [("order", "centre", "threats")]);
    /// let error = Spec::parse("ordr=centre", PONS_12).unwrap_err();
    /// assert!(error.to_string().starts_with("no axis \"ordr\"; known: \"search\", \"storage\", "));
    /// ```
    pub fn parse(text: &str, base: Self) -> Result<Self, NameError> {
        let (mut spec, mut kept, axes) = (base, Vec::new(), Self::axes());
        for part in text.split(',').map(str::trim).filter(|part| !part.is_empty()) {
            let (key, value) = part.split_once('=').ok_or(format!("{part:?} is not key=value"))?;
            let axis = axes.iter().find(|(name, _)| *name == key);
            let Some((_, values)) = axis else {
                return Err(NameError::unknown("axis", key, axes.iter().map(|(name, _)| *name)));
            };
            spec = spec.with(key, value).ok_or_else(|| {
                NameError::unknown(&format!("value of {key}"), value, values.iter().map(|(name, _)| *name))
            })?;
            kept.push(key);
        }
        let Err(reason) = spec.validate() else { return Ok(spec) };
        let example = choice::mended(spec, &kept).map_or(String::new(), |mended| {
            let changes: Vec<String> =
                mended.diff(base).iter().map(|(key, value, _)| format!("{key}={value}")).collect();
            format!("; this goes: {}", changes.join(","))
        });
        Err(format!("{reason}{example}").into())
    }
}

impl fmt::Display for Spec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, (key, value)) in self.fields().into_iter().enumerate() {
            write!(f, "{}{key}={value}", if index == 0 { "" } else { "," })?;
        }
        Ok(())
    }
}

const WITHOUT_FEATURE: &str = "built without the feature simd";

/// The error is the reason why this build has no vectors, or only emulated ones.
fn vectors() -> Result<(), &'static str> {
    if cfg!(not(feature = "simd")) {
        Err(WITHOUT_FEATURE)
    } else if cfg!(not(target_feature = "avx2")) {
        Err("emulated: this build's target has no AVX2")
    } else {
        Ok(())
    }
}

/// The evaluators that use vector instructions on this build and this processor, as `axis=value`.
pub fn real_vectors() -> Vec<String> {
    let name = |key: &str, value: &str| format!("{key}={value}");
    let built = vectors().is_ok();
    let dispatched = Chosen::best() != Chosen::Baseline(Baseline);
    let real = |threats: &&Threats| match threats {
        Threats::Dispatched => dispatched,
        threats => built && threats.is_vector(),
    };
    let wins = Wins::ALL.iter().filter(|wins| built && wins.is_vector()).map(|wins| name(Wins::KEY, wins.value()));
    wins.chain(Threats::ALL.iter().filter(real).map(|threats| name(Threats::KEY, threats.value()))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::registry::{CHAMPION, PONS_12};

    #[test]
    fn what_is_printed_is_read_back() {
        for spec in Spec::all().into_iter().step_by(97) {
            assert_eq!(Spec::parse(&spec.to_string(), PONS_12), Ok(spec));
        }
    }

    #[test]
    fn a_choice_that_cannot_be_made_is_told_with_one_that_can() {
        for (text, base) in [
            ("table=none", PONS_12),
            ("table=none", CHAMPION),
            ("search=fhourstones", CHAMPION),
            ("root=window", CHAMPION),
            ("search=moves", CHAMPION),
            ("pruning=minimax", PONS_12),
            ("key=colorless", PONS_12),
            ("storage=array", CHAMPION),
        ] {
            let error = Spec::parse(text, base).unwrap_err().to_string();
            let (_, example) = error.split_once("; this goes: ").unwrap_or_else(|| panic!("{text}: {error}"));
            assert!(example.contains(text) && Spec::parse(example, base).is_ok(), "{text}: {error}");
        }
        let none = Spec::parse("search=moves,threats=dispatched", CHAMPION).unwrap_err().to_string();
        assert!(!none.contains("this goes"), "{none}");
    }

    #[test]
    fn the_space_holds_every_valid_choice_once() {
        let all = Spec::all();
        let product: usize = Spec::axes().iter().map(|(_, values)| values.len()).product();
        let distinct: HashSet<Spec> = all.iter().copied().collect();
        assert!(
            distinct.len() == all.len() && all.len() > 100_000 && all.len() < product,
            "{} of {product}",
            all.len()
        );
        // Minimax: four storages without a table, and tables with exact scores.
        let minimax = |spec: &&Spec| spec.pruning == Pruning::Minimax && spec.table == TableKind::None;
        let plain = |spec: &&Spec| (spec.wins, spec.threats) == (Wins::TwoShifts, Threats::Pairs);
        // Orders x anticipations, on an array board, and on three other storages in two layouts.
        assert_eq!(all.iter().filter(minimax).filter(plain).count(), 4 * 5 * (1 + 3 * 2));
    }
}
