//! Claims about the bytes that forms of a store take.

use crate::sizes;
use crate::store::form::StoreForm;
use crate::store::size_row::{self, SizeRow};
use anyhow::{Context, Result, bail};
use c4lab_measure::nearest::unknown;
use c4lab_report::claims::claim::{Claim, Unit};
use c4lab_report::claims::judge::Finding;
use c4lab_report::claims::verdict::{Measured, Verdict};
use c4lab_report::extras::ClaimKind;
use std::path::Path;

/// The bytes of the base divided by the variant's, or the stones to which a variant reaches in its parameter `bytes`.
#[derive(PartialEq, Eq)]
pub enum Bytes {
    Reach,
    Ratio,
}

/// The parameter of a claim of what is reached.
fn bytes_of(claim: &Claim) -> Option<u64> {
    claim.parameters.get("bytes")?.as_integer()?.try_into().ok()
}

impl ClaimKind for Bytes {
    fn name(&self) -> &'static str {
        match self {
            Bytes::Reach => "bytes-reach",
            Bytes::Ratio => "bytes-ratio",
        }
    }

    fn title(&self) -> &'static str {
        match self {
            Bytes::Reach => "Stones to which a store reaches in its bytes",
            Bytes::Ratio => "Times fewer bytes than the base",
        }
    }

    fn unit(&self) -> Unit {
        match self {
            Bytes::Reach => Unit::Stones,
            Bytes::Ratio => Unit::Times,
        }
    }

    fn claims(&self, entry: Claim) -> Result<Vec<Claim>> {
        for name in entry.base.iter().chain([&entry.variant]) {
            if StoreForm::parse(name).is_none() {
                bail!(unknown("form", name, StoreForm::ALL.iter().map(|form| form.name())));
            }
        }
        match self {
            Bytes::Reach => drop(bytes_of(&entry).context("a bytes-reach needs parameters = { bytes = N }")?),
            Bytes::Ratio => drop(entry.base.as_ref().context("a bytes-ratio needs a base")?),
        }
        Ok(vec![entry])
    }

    fn judge(&self, claim: &Claim, folder: &Path) -> Finding {
        let rows = if size_row::is_in(folder) { size_row::read(folder) } else { Ok(Vec::new()) };
        let finding = rows.and_then(|rows| self.finding(claim, &rows));
        finding.unwrap_or_else(|error| Finding::untested(claim, Verdict::NotTested, format!("{error:#}")))
    }
}

impl Bytes {
    /// The number, or why there is none.
    fn finding(&self, claim: &Claim, rows: &[SizeRow]) -> Result<Finding> {
        const NONE: &str = "no sizes of stores: `c4lab store sizes`";
        let variant = StoreForm::parse(&claim.variant).context("no such form")?;
        if *self == Bytes::Ratio {
            let base = claim.base.as_deref().and_then(StoreForm::parse).context("no such form")?;
            let stones = sizes::common(rows, base, variant).context(NONE)?;
            let bytes = |form| sizes::of(rows, form, stones).with_context(|| format!("no sizes to {stones} stones"));
            let mut finding = Finding::of(claim, Measured::exact(bytes(base)?.0 as f64 / bytes(variant)?.0 as f64));
            finding.conditions.insert(0, format!("stores for boards with fewer than {stones} stones"));
            return Ok(finding);
        }
        let reach = bytes_of(claim).and_then(|bytes| sizes::reach(rows, variant, bytes));
        let (stones, is_all) = reach.context(NONE)?;
        if !is_all && f64::from(stones) < claim.published.range.0 {
            bail!("no sizes beyond {stones} stones, where it still fits");
        }
        Ok(Finding::of(claim, Measured::exact(f64::from(stones))))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sizes::tests::row;
    use c4lab_report::claims::claim;
    use c4lab_report::extras::{self, Extras};

    /// Bytes are held against sizes of stores; where these end too early, nothing is said.
    #[test]
    fn bytes_of_stores_are_counted() {
        let mut kinds = Extras::default();
        crate::register(&mut kinds);
        extras::register(kinds);
        let claim = |rest: &str| {
            let text = format!("source = 's'\n[[claims]]\nid = \"c\"\nstatement = \"x\"\n{rest}\n");
            claim::parse("c.toml", &text).map(|claims| claims[0].clone())
        };
        let sizes =
            [row(StoreForm::Dictionary, 9, 900), row(StoreForm::SevenSets, 9, 300), row(StoreForm::SevenSets, 10, 700)];
        let value = |kind: Bytes, rest: &str| {
            let finding = kind.finding(&claim(rest).unwrap(), &sizes);
            finding.ok().map(|finding| (finding.verdict, finding.measured.map(|measured| measured.value)))
        };
        let ratio = "kind = \"bytes-ratio\"\nfrom = 1.0\nbase = \"dictionary\"\nvariant = \"sets\"";
        assert_eq!(value(Bytes::Ratio, ratio), Some((Verdict::Reproduced, Some(3.0))));
        assert_eq!(value(Bytes::Ratio, &ratio.replace("\"sets\"", "\"tree\"")), None);
        assert!(claim(&ratio.replace("\"sets\"", "\"sest\"")).is_err());
        let reach = "kind = \"bytes-reach\"\nfrom = 10\nvariant = \"sets\"\n";
        let of = |bytes: u32| format!("{reach}parameters = {{ bytes = {bytes} }}");
        assert_eq!(value(Bytes::Reach, &of(500)), Some((Verdict::OtherNumber, Some(9.0))));
        assert_eq!(value(Bytes::Reach, &of(700)), Some((Verdict::Reproduced, Some(10.0))));
        assert_eq!(value(Bytes::Reach, &of(700).replace("10", "11")), None, "more may fit");
        assert!(claim(reach).is_err());
        assert!(claim::embedded().unwrap().iter().any(|claim| claim.kind.name() == "bytes-reach"));
    }
}
