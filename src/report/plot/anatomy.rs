//! Pictures of the anatomy of searches: what ended their nodes, variant by variant, and by the number of stones.

use crate::plot::parts::{PartsRow, parts};
use crate::plot::pictures::Picture;
use crate::results::Ground;
use crate::table::units::three_digits;
use crate::tables::anatomy::{bands, counts};
use c4lab_measure::run::anatomy::AnatomyRow;
use c4lab_solver::search::{NodeEnd, PlyCounts};

/// The pictures of a ground; none where nothing was counted.
pub fn pictures(ground: &Ground, anatomy: &[AnatomyRow]) -> Vec<Picture> {
    let row = |label: String, counts: PlyCounts| PartsRow {
        label,
        parts: counts.ends.map(|ended| ended as f64).to_vec(),
        number: three_digits(counts.nodes as f64),
    };
    let variants = ground.columns.iter();
    let variants = variants.filter_map(|it| Some(row(it.variant.clone(), counts(ground, it, anatomy, 0..u32::MAX)?)));
    let variants: Vec<PartsRow> = variants.collect();
    let Some(first) = ground.columns.iter().find(|column| counts(ground, column, anatomy, 0..u32::MAX).is_some())
    else {
        return Vec::new();
    };
    let plies = bands(ground, anatomy, 1).into_iter();
    let plies: Vec<PartsRow> = plies
        .filter_map(|ply| Some(row(format!("{} stones", ply.start), counts(ground, first, anatomy, ply)?)))
        .collect();
    let names = NodeEnd::ALL.map(NodeEnd::name);
    vec![
        Picture {
            name: "anatomy",
            title: "What ended the nodes".to_string(),
            note: "The nodes of each variant, by what ended them; their number stands on the right.".to_string(),
            svg: parts(&names, &variants, "nodes"),
            relative: None,
        },
        Picture {
            name: "anatomy-by-ply",
            title: format!("What ended the nodes of {}, by stones", first.variant),
            note:
                "The nodes with so many stones on their boards, by what ended them; their number stands on the right."
                    .to_string(),
            svg: parts(&names, &plies, "nodes"),
            relative: None,
        },
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plot::tests::assert_sound;
    use crate::results::tests::results;
    use crate::tables::anatomy::tests::row;
    use c4lab_measure::fixtures::sample;

    #[test]
    fn variants_and_stones_have_rows() {
        let results = results(&[sample("a", 1, 10, 8), sample("b", 1, 10, 8)], &[]);
        let ground = &results.grounds[0];
        assert!(pictures(ground, &[]).is_empty());
        let pictures = pictures(ground, &[row(8, 8), row(9, 16)]);
        let texts: Vec<String> = pictures.iter().map(|picture| picture.svg.to_string()).collect();
        texts.iter().for_each(|text| assert_sound(text));
        assert!(texts[0].contains("a: win 50.0 %") && texts[1].contains("9 stones: search 50.0 %"), "{texts:?}");
    }
}
