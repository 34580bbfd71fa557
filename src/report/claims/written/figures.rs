//! Figures: a published table, `experiments/published/`. One line is one solver on one set under one goal.

use anyhow::{Context, Result, bail};
use c4lab_measure::files::rows::next_line;
use c4lab_measure::nearest::unknown;
use c4lab_measure::sets::protocol::Protocol;
use c4lab_solver::search::Goal;
use std::path::Path;

/// The tables that the binary carries: name and text.
static EMBEDDED: [(&str, &str); 1] = [("pons", include_str!("../../../../experiments/published/pons.csv"))];

#[derive(Clone, Debug, PartialEq)]
pub struct Printed {
    pub text: String,
    pub value: f64,
    pub unit: f64,
}

impl Printed {
    /// Reads a printed number above 0.
    ///
    /// After a decimal point every digit was printed. A whole number may end in zeros that stand for digits not
    /// printed. The source prints four significant digits at least ("39900" for 39,907.2, but also "40396700" for
    /// 40,396,714). So trailing zeros count as printed within the first four digits, and not after them.
    pub fn parse(text: &str) -> Option<Self> {
        let value: f64 = text.parse().ok().filter(|value: &f64| value.is_finite() && *value > 0.0)?;
        let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
        let zeros = if fraction.is_empty() { whole.len() - whole.trim_end_matches('0').len() } else { 0 };
        let behind_the_fourth = zeros.min(whole.len().saturating_sub(4));
        let unit = 10f64.powi(behind_the_fourth as i32 - fraction.len() as i32);
        Some(Printed { text: text.to_string(), value, unit })
    }

    /// The range that the printed digits may stand for: one unit of the last either way, since it may be rounded or cut
    /// off.
    pub fn range(&self) -> (f64, f64) {
        // What a sum over a thousand positions loses in floating point is far below any printed unit.
        let unit = self.unit * (1.0 + 1e-9);
        (self.value - unit, self.value + unit)
    }
}

#[derive(Clone, Debug, PartialEq)]
pub struct Figure {
    pub part: u32,
    pub solver: String,
    pub goal: Goal,
    pub set: &'static str,
    pub seconds: Option<Printed>,
    pub nodes: Option<Printed>,
    pub speed: Option<Printed>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Figures(pub Vec<Figure>);

#[derive(serde::Deserialize)]
struct FigureRow {
    part: u32,
    solver: String,
    kind: Goal,
    test_set: String,
    mean_time_s: String,
    mean_positions: String,
    kpos_per_s: String,
}

impl Figures {
    /// Opens an embedded table by name, or a file by path.
    pub fn open(name: &str) -> Result<Self> {
        if let Some((_, text)) = EMBEDDED.iter().find(|(embedded, _)| *embedded == name) {
            return Self::parse(name, text.as_bytes());
        }
        if !Path::new(name).exists() {
            bail!(unknown("table of figures or file", name, EMBEDDED.iter().map(|(embedded, _)| *embedded)));
        }
        Self::parse(name, &std::fs::read(name).with_context(|| name.to_string())?)
    }

    /// Reads a table; an error names file, line and reason.
    pub fn parse(file: &str, bytes: &[u8]) -> Result<Self> {
        let (mut figures, mut rows) = (Vec::new(), csv::Reader::from_reader(bytes).into_deserialize::<FigureRow>());
        let start = rows.reader().position().line();
        loop {
            let line = next_line(rows.reader(), start);
            let Some(row) = rows.next() else { return Ok(Figures(figures)) };
            let figure = row.map_err(anyhow::Error::from).and_then(FigureRow::figure);
            figures.push(figure.with_context(|| format!("{file}, line {line}"))?);
        }
    }

    /// Mean seconds of a position: as printed, or else from its nodes and the lowest speed that is printed for the part.
    pub fn seconds(&self, figure: &Figure) -> Option<f64> {
        let by_nodes = || {
            let speeds =
                self.0.iter().filter(|other| other.part == figure.part).filter_map(|other| other.speed.as_ref());
            let lowest = speeds.map(|thousands| 1e3 * thousands.value).reduce(f64::min)?;
            Some(figure.nodes.as_ref()?.value / lowest)
        };
        figure.seconds.as_ref().map(|printed| printed.value).or_else(by_nodes)
    }

    pub fn find(&self, part: u32, goal: Goal, set: &str) -> Option<&Figure> {
        self.0.iter().find(|figure| figure.part == part && figure.goal == goal && figure.set == set)
    }
}

impl FigureRow {
    fn figure(self) -> Result<Figure> {
        let name = self.test_set.to_lowercase();
        let set = Protocol::find(&name).with_context(|| format!("{:?} is not one of the six sets", self.test_set))?;
        let number = |text: &str| match text {
            "" => Ok(None),
            _ => Printed::parse(text).map(Some).with_context(|| format!("{text:?} is not a number above 0")),
        };
        Ok(Figure {
            part: self.part,
            goal: self.kind,
            set: set.name,
            seconds: number(&self.mean_time_s)?,
            nodes: number(&self.mean_positions)?,
            speed: number(&self.kpos_per_s)?,
            solver: self.solver,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_of_the_last_printed_digit() {
        for (text, value, unit) in [
            ("74.40", 74.4, 0.01),
            ("283.6", 283.6, 0.1),
            ("11024", 11024.0, 1.0),
            ("39900", 39900.0, 10.0),
            ("1731000", 1_731_000.0, 1000.0),
            ("453614000", 453_614_000.0, 1000.0),
            ("801455", 801_455.0, 1.0),
        ] {
            let printed = Printed::parse(text).unwrap();
            assert_eq!((printed.value, printed.unit), (value, unit), "{text}");
        }
        assert!(["", "0", "-1", "x", "inf"].iter().all(|text| Printed::parse(text).is_none()));
    }

    #[test]
    fn one_unit_either_way_is_equal_to_the_printed_digits() {
        let (low, high) = Printed::parse("11024").unwrap().range();
        assert!((low..=high).contains(&11024.541) && (low..=high).contains(&11025.0));
        assert!(!(low..=high).contains(&11025.01) && !(low..=high).contains(&11022.9));
    }

    #[test]
    fn a_time_that_is_not_printed_follows_from_nodes_and_speed() {
        let text = "part,solver,kind,test_set,mean_time_s,mean_positions,kpos_per_s\n7,x,strong,End-Easy,0.5,900,20\n\
                    7,x,strong,Begin-Hard,,90000,\n7,x,strong,Begin-Easy,,8000,10\n8,x,strong,Begin-Easy,,8000,\n";
        let figures = Figures::parse("f.csv", text.as_bytes()).unwrap();
        let seconds: Vec<_> = figures.0.iter().map(|figure| figures.seconds(figure)).collect();
        assert_eq!(seconds, [Some(0.5), Some(9.0), Some(0.8), None]);
    }

    #[test]
    fn a_bad_line_is_an_error_with_its_number() {
        let text = include_str!("../../../../experiments/published/pons.csv");
        let error = |from: &str, to: &str| {
            format!("{:#}", Figures::parse("f.csv", text.replacen(from, to, 1).as_bytes()).unwrap_err())
        };
        assert!(error("End-Easy", "Ende").starts_with("f.csv, line 2: \"Ende\" is not one of the six sets"));
        assert!(error("0.00000369", "fast").starts_with("f.csv, line 2: \"fast\" is not a number"));
        assert!(error("weak", "week").starts_with("f.csv, line 2"));
        assert!(Figures::open("pon").unwrap_err().to_string().contains("nearest: \"pons\""));
    }
}
