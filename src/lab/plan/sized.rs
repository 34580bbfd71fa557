//! A variant with a table of a size of its own: `champion@1GiB`, so that sizes are compared within one run.

use crate::lab::plan::bytes;
use c4lab_solver::search::Options;
use c4lab_solver::search::registry::{self, Entry};

/// A variant as an experiment names it.
#[derive(Clone, Copy, Debug)]
pub struct SizedVariant {
    /// The variant.
    pub entry: &'static Entry,
    /// Bytes of its table, where its name says so.
    tt_bytes: Option<u64>,
}

impl SizedVariant {
    /// Finds `champion`, or `champion@1GiB`.
    ///
    /// # Errors
    /// A variant that is not known, no size, and a size for a variant whose table has one, or that has no table.
    pub fn find(name: &str) -> Result<Self, String> {
        let Some((variant, size)) = name.split_once('@') else {
            return Ok(SizedVariant { entry: registry::find(name)?, tt_bytes: None });
        };
        let entry = registry::find(variant)?;
        let tt_bytes = bytes::parse(size).map_err(|reason| format!("variant {name:?}: {reason}"))?;
        match entry.spec.ignores_table_size() {
            Some(reason) => Err(format!("variant {name:?}: {variant} has no size to choose: {reason}")),
            None => Ok(SizedVariant { entry, tt_bytes: Some(tt_bytes) }),
        }
    }

    /// What it is built with, where the others are built with `options`.
    pub fn options(self, options: &Options) -> Options {
        Options::with_tt(self.tt_bytes.unwrap_or(options.tt_bytes))
    }

    /// Why the size that all are built with does not apply to it, if it does not and its name says none.
    pub fn ignores_options(self) -> Option<&'static str> {
        if self.tt_bytes.is_some() { None } else { self.entry.spec.ignores_table_size() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_may_say_the_size_of_the_table() {
        let options = Options::with_tt(5);
        let bytes =
            |name: &str| SizedVariant::find(name).map(|sized| (sized.entry.name, sized.options(&options).tt_bytes));
        assert_eq!(bytes("pons-12"), Ok(("pons-12", 5)));
        assert_eq!(bytes("champion@1GiB"), Ok(("champion", 1 << 30)));
        assert_eq!(bytes("champoin@1GiB").unwrap_err(), "no variant \"champoin\"; nearest: \"champion\"");
        assert!(bytes("champion@much").unwrap_err().starts_with("variant \"champion@much\": "));
        assert_eq!(
            bytes("pons-12@1GiB").unwrap_err(),
            "variant \"pons-12@1GiB\": pons-12 has no size to choose: its table has the published size \
             (table-size=chosen frees it)"
        );
    }
}
