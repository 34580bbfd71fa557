//! Specs of rows that this build cannot read. Code that passes over one says so, and gives its risk as not known, never
//! as none.

use crate::nearest::explain;
use c4lab_solver::search::Spec;
use c4lab_solver::search::registry::PONS_12;
use std::path::Path;

/// A spec as a row has it. Axes that are newer than the row have the value where their technique is off, as in
/// [`PONS_12`].
pub fn read_spec(text: &str) -> Result<Spec, String> {
    Spec::parse(text, PONS_12).map_err(explain)
}

/// A spec that is not read, and the rows that have it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnreadSpec {
    pub spec: String,
    pub reason: String,
    pub line: usize,
    pub rows: usize,
}

impl UnreadSpec {
    pub fn warning(&self, file: &Path) -> String {
        let UnreadSpec { spec, reason, line, rows } = self;
        let short: String = spec.chars().take(200).collect();
        let others = match rows {
            1 => "it stands in this row alone".to_string(),
            rows => format!("{rows} rows have it"),
        };
        format!(
            "{}, line {line}: a spec that this c4lab cannot read: {reason}; {others}, and how often its table may be wrong is not \
             known: {short}",
            file.display()
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_warning_names_file_line_and_reason() {
        let reason = read_spec("ordr=centre").unwrap_err();
        let unread = UnreadSpec { spec: "ordr=centre".to_string(), reason, line: 7, rows: 3 };
        assert_eq!(
            unread.warning(Path::new("runs/x/samples.csv")),
            "runs/x/samples.csv, line 7: a spec that this c4lab cannot read: no axis \"ordr\"; nearest: \"order\"; 3 rows have it, \
             and how often its table may be wrong is not known: ordr=centre"
        );
        let one = UnreadSpec { rows: 1, ..unread };
        assert!(one.warning(Path::new("f")).contains("in this row alone"));
        assert!(read_spec("claims=sums").is_ok(), "old names are read");
    }
}
