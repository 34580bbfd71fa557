//! Splits: how far boards are that are solved position by position.

use crate::lab::outcomes::split::SplitStatus;
use crate::report::sheets::sheet::{Heading, Sheet, Subject, Value};
use crate::report::sheets::units::grouped;

/// A row for every board that is split.
pub fn sheet(splits: &[SplitStatus]) -> Sheet {
    let line = |it: &SplitStatus| {
        vec![
            Value::text(it.board.to_string()),
            Value::text(it.goal.name()),
            Value::count(it.plies as usize),
            Value::count(it.positions),
            Value::count(it.solved),
            Value::count(it.needed),
            Value::text(it.bounds.0.to_string()),
            Value::text(it.bounds.1.to_string()),
            Value::number(Some(it.nodes as f64), |nodes| grouped(&format!("{nodes:.0}"))),
        ]
    };
    let needed: usize = splits.iter().map(|it| it.needed).sum();
    Sheet {
        name: "splits",
        subject: Subject::default(),
        title: "Boards that are split into positions".to_string(),
        note: "Positions after so many plies, mirror images once: how many are solved, and how many more can still matter. The score of the \
               board lies between at least and at most."
            .to_string(),
        conclusion: match needed {
            0 => "Every score is known.".to_string(),
            more => format!("{} can still matter.", crate::lab::counted::counted(more, "position")),
        },
        headings: vec![
            Heading::text("board", "board"),
            Heading::text("goal", "goal"),
            Heading::number("plies", "plies"),
            Heading::number("positions", "positions"),
            Heading::number("solved", "solved"),
            Heading::number("needed", "needed"),
            Heading::number("at least", "at_least"),
            Heading::number("at most", "at_most"),
            Heading::number("nodes", "nodes"),
        ],
        rows: splits.iter().map(line).collect(),
    }
}
