//! Pictures of the loop.

use ndarray::ArrayView2;

use super::{Round, Row};
use crate::embed::PrincipalAxes;
use crate::plot::{Chart, Layer};

/// Texts of a kind that are drawn, at most; the names say how many there are.
const MOST_TEXTS: usize = 2000;

/// The spatial division of impacts in a round, on their two leading principal axes: the paper's
/// Figure 4.
pub fn division_chart<L>(impacts: ArrayView2<'_, f32>, rounds: &[Round<L>], round: usize) -> Chart {
    let (mut before, mut near, mut far) = (Vec::new(), Vec::new(), Vec::new());
    let mut is_labelled = vec![false; impacts.nrows()];
    for (at, done) in rounds.iter().enumerate().take(round + 1) {
        let picked: Vec<u32> = done.near.iter().map(|(text, _)| *text).collect();
        for text in picked.iter().chain(&done.chosen) {
            if let Some(label) = is_labelled.get_mut(*text as usize) {
                *label = true;
            }
        }
        if at == round {
            (near, far) = (picked, done.chosen.clone());
        } else {
            before.extend(picked);
            before.extend(&done.chosen);
        }
    }
    let others = (0..impacts.nrows()).filter(|text| !is_labelled[*text]);
    let others: Vec<u32> = others.map(|text| text as u32).collect();
    let axes = PrincipalAxes::fit(impacts, 2);
    let layer = |name: &str, radius: f64, texts: &[u32]| {
        let count = texts.len();
        let step = count.div_ceil(MOST_TEXTS).max(1);
        let rows = texts.iter().step_by(step).map(|text| *text as usize);
        let places = rows.filter(|row| *row < impacts.nrows()).map(|row| {
            let place = axes.project(impacts.row(row));
            let along = |at: usize| place.get(at).copied().unwrap_or_default();
            (along(0), along(1))
        });
        Layer::dots(format!("{name} ({count})"), radius, places.collect())
    };
    let title = match round {
        0 => "Round 0: the initial model".to_owned(),
        _ => format!("Round {round}: picking near, training far"),
    };
    let names = if round == 0 { "representatives" } else { "far" };
    Chart {
        size: (900, 640),
        ..Chart::new(title, "principal axis 1", "principal axis 2")
    }
    .with(layer("without label", 2.0, &others))
    .with(layer("labelled before", 2.5, &before))
    .with(layer("near", 3.0, &near))
    .with(layer(names, 4.5, &far))
}

/// Labels against rounds.
pub fn labels_chart(rows: &[Row]) -> Chart {
    let curve = |value: fn(&Row) -> usize| -> Vec<(f64, f64)> {
        let points = rows.iter().map(|row| (row.round as f64, value(row) as f64));
        points.collect()
    };
    Chart::new("Labels against rounds", "round", "texts")
        .with(Layer::line("labelled in all", curve(|row| row.labelled)))
        .with(Layer::line("labelled by people", curve(|row| row.human)))
}

/// Rules against labels.
pub fn rules_chart(rows: &[Row]) -> Chart {
    let curve = |value: fn(&Row) -> usize| -> Vec<(f64, f64)> {
        let points = rows.iter().map(|row| (row.human as f64, value(row) as f64));
        points.collect()
    };
    Chart::new(
        "Rules against labels",
        "texts labelled by people",
        "types of rules",
    )
    .with(Layer::line("PPR(AT)", curve(|row| row.sizes.productions)))
    .with(Layer::line("PF(AT)", curve(|row| row.sizes.precedences)))
}
