//! The pictures of an attribution: a bar with its interval for each technique, a square of interactions, and the steps of paths.

use crate::attribution::{AttributionReading, Effect, Step, Worth, changes, name};
use crate::plot::bars::{Bar, bars};
use crate::plot::pictures::Picture;
use crate::plot::square::square;
use crate::plot::svg::Svg;
use crate::plot::waterfall::{Stair, waterfall};
use c4lab_measure::files::manifest::SetRecord;

/// The pictures of a set; none while its rows are missing.
pub fn of_set(reading: &AttributionReading, set: &SetRecord) -> Vec<Picture> {
    reading.worth(set).map_or(Vec::new(), |worth| of_worth(reading, &worth))
}

fn of_worth(reading: &AttributionReading, worth: &Worth) -> Vec<Picture> {
    let names: Vec<&str> = reading.attribution().techniques.iter().map(|technique| technique.name.as_str()).collect();
    let bar = |(name, effect): (&&str, &Effect)| Bar {
        label: name.to_string(),
        value: Some(effect.value.value),
        interval: effect.value.interval,
    };
    let rows: Vec<Bar> = names.iter().zip(&worth.effects).map(bar).collect();
    let pairs: Vec<_> =
        worth.interactions.iter().map(|(one, other, estimate)| (*one, *other, estimate.value)).collect();
    vec![
        picture(
            "attribution",
            "What each technique is worth",
            "By what it divides the nodes, on average over all orders of switching techniques on (Shapley), with its 95 % interval. \
             Right of the line at 1 it saves nodes.",
            bars(&rows, "times fewer nodes"),
        ),
        picture(
            "interactions",
            "Interactions",
            "By what two techniques divide the nodes together, over what they do apart. Above 1 (blue) they do more together; below 1 \
             (orange) each saves a part of what the other would save.",
            square(&names, &pairs),
        ),
    ]
}

/// The steps of every complete path.
pub fn of_paths(reading: &AttributionReading) -> Vec<Picture> {
    let shown = |spec| name(spec).map_or_else(|| format!("{spec}"), str::to_string);
    let of = |(from, _, steps): &(_, _, Vec<Step>)| {
        let stair = |pair: &[Step]| Stair {
            label: changes(pair[0].spec, pair[1].spec),
            time: None,
            nodes: Some(pair[1].gain.value),
        };
        let stairs: Vec<Stair> = steps.windows(2).map(stair).collect();
        let note =
            "By what each step divides the nodes of the one above it (geometric mean). Times are not counted here.";
        picture("path", "Path, step by step", note, waterfall(&shown(*from), &stairs))
    };
    reading.paths().iter().map(of).collect()
}

fn picture(name: &'static str, title: &str, note: &str, svg: Svg) -> Picture {
    Picture { name, title: title.to_string(), note: note.to_string(), svg, relative: None }
}
