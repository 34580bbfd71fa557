//! A spec: one alternative of every axis. Tables, CSV columns and `list` are printed from it.

use crate::axes::{Anticipation, Axis, Order, Pruning, Root, StaticBounds, Storage, Table, TableBounds, TableSize};
use std::fmt;

/// Declares [`Spec`] with one field an axis, and all that is said of every axis.
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

            /// The spec with one axis changed, or `None` where there is no such axis or value.
            pub fn with(mut self, key: &str, value: &str) -> Option<Self> {
                match key {
                    $( $axis::KEY => self.$field = $axis::parse(value)?, )+
                    _ => return None,
                }
                Some(self)
            }

            /// Every valid spec.
            pub fn all() -> Vec<Self> {
                let mut specs = vec![crate::solve::registry::PONS_12];
                $( specs = specs.iter().flat_map(|&spec| {
                    $axis::ALL.iter().map(move |&value| Spec { $field: value, ..spec })
                }).collect(); )+
                specs.retain(|spec| spec.validate().is_ok());
                specs
            }
        }
    };
}

spec! {
    storage: Storage,
    pruning: Pruning,
    anticipation: Anticipation,
    order: Order,
    bounds: StaticBounds,
    table: Table,
    table_bounds: TableBounds,
    table_size: TableSize,
    root: Root,
}

impl Spec {
    /// Whether the alternatives go together, or why not.
    pub fn validate(self) -> Result<(), String> {
        let minimax = self.pruning == Pruning::Minimax;
        let rules = [
            (
                (self.table == Table::None) != (self.table_bounds == TableBounds::None),
                "table=none and table-bounds=none go together",
            ),
            (self.table == Table::None && self.table_size != TableSize::Chosen, "table=none has table-size=chosen"),
            (minimax && self.bounds != StaticBounds::None, "pruning=minimax has no window for bounds to narrow"),
            (minimax && self.table != Table::None, "pruning=minimax has no window for a table's bounds to narrow"),
            (minimax && self.root != Root::Window, "pruning=minimax has no window to bisect"),
        ];
        match rules.iter().find(|(broken, _)| *broken) {
            Some((_, reason)) => Err((*reason).to_string()),
            None => Ok(()),
        }
    }

    /// Why the size of a table that somebody asks for does not apply, if it does not.
    pub fn ignores_table_size(self) -> Option<&'static str> {
        match (self.table, self.table_size) {
            (Table::None, _) => Some("it has no table"),
            (_, TableSize::Published) => Some("its table has the published size (table-size=chosen frees it)"),
            (_, TableSize::Chosen) => None,
        }
    }

    /// The axes on which two specs differ: name, value of `self`, value of `base`.
    pub fn diff(self, base: Self) -> Vec<(&'static str, &'static str, &'static str)> {
        let pairs = self.fields().into_iter().zip(base.fields());
        pairs.filter(|(ours, theirs)| ours != theirs).map(|((key, ours), (_, theirs))| (key, ours, theirs)).collect()
    }

    /// Reads `key=value,...` as changes to `base`, and validates the outcome.
    ///
    /// ```
    /// use c4lab::solve::{registry::PONS_12, Spec};
    /// let spec = Spec::parse("order=centre", PONS_12).unwrap();
    /// assert_eq!(spec.diff(PONS_12), [("order", "centre", "threats")]);
    /// assert_eq!(Spec::parse("ordr=centre", PONS_12).unwrap_err(), "no axis \"ordr\"; nearest: \"order\"");
    /// ```
    pub fn parse(text: &str, base: Self) -> Result<Self, String> {
        let mut spec = base;
        for part in text.split(',').map(str::trim).filter(|part| !part.is_empty()) {
            let (key, value) = part.split_once('=').ok_or(format!("{part:?} is not key=value"))?;
            let axes = Self::axes();
            let axis = axes.iter().find(|(name, _)| *name == key);
            let Some((_, values)) = axis else {
                return Err(unknown("axis", key, axes.iter().map(|(name, _)| *name)));
            };
            spec = spec
                .with(key, value)
                .ok_or_else(|| unknown(&format!("value of {key}"), value, values.iter().map(|(name, _)| *name)))?;
        }
        spec.validate()?;
        Ok(spec)
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

/// The message for a name that is none of `known`: it suggests the nearest one.
pub fn unknown<'a>(what: &str, name: &str, known: impl Iterator<Item = &'a str>) -> String {
    let short: String = name.chars().take(60).collect();
    let nearest = known.max_by(|a, b| strsim::jaro_winkler(a, &short).total_cmp(&strsim::jaro_winkler(b, &short)));
    match nearest {
        Some(nearest) => format!("no {what} {short:?}; nearest: {nearest:?}"),
        None => format!("no {what} {short:?}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::solve::registry::{PONS_03, PONS_12};

    #[test]
    fn what_is_printed_is_read_back() {
        for spec in Spec::all() {
            assert_eq!(Spec::parse(&spec.to_string(), PONS_12), Ok(spec));
        }
    }

    #[test]
    fn errors_suggest_the_nearest_name() {
        let error = |text| Spec::parse(text, PONS_12).unwrap_err();
        assert_eq!(error("order=center"), "no value of order \"center\"; nearest: \"centre\"");
        assert_eq!(error("order"), "\"order\" is not key=value");
        assert_eq!(error("table=none"), "table=none and table-bounds=none go together");
    }

    #[test]
    fn the_space_is_the_product_of_the_axes_less_what_does_not_go_together() {
        let all = Spec::all();
        // storage x anticipation x order x bounds x root x (no table, or layout x bounds x size), and minimax.
        assert_eq!(all.len(), 2 * 2 * 3 * 3 * 2 * (1 + 2 * 2 * 2) + 2 * 2 * 3);
        assert!(all.contains(&PONS_03) && all.contains(&PONS_12));
    }
}
