//! The first table: what a corpus is made of.

use rayon::prelude::*;

use super::{Picture, Table};
use crate::lexcore::{Extractor, Statistics, TextStatistics};
use crate::plot::{Chart, Layer};
use crate::schema::Schema;
use crate::summarize::SourceText;

/// What the paper has for its 261,137 texts, in the order of [`Statistics::rows`].
const PAPER: [&str; 8] = ["261137", "2865", "5469", "3308", "7605", "21.63", "", ""];

/// Bars of the histogram at most.
const BINS: usize = 20;

/// Texts, distinct components of their cores, EDUs a text; beside them the paper's figures.
pub fn tabulate_statistics(texts: &[SourceText], schema: &Schema) -> Table {
    let extractor = Extractor::new(schema);
    let each: Vec<TextStatistics> = texts
        .par_iter()
        .map(|text| {
            let cores = extractor.extract(&text.document, &text.analysis);
            TextStatistics::of(&text.document, text.analysis.edus.len(), &cores)
        })
        .collect();
    let mut all = Statistics::default();
    each.into_iter().for_each(|text| all.add(text));
    let mut table = Table::new(
        "statistics",
        "Statistics of the texts",
        &["", "this corpus", "the paper"],
    );
    for ((name, value), paper) in all.rows().into_iter().zip(PAPER) {
        let places = if value.fract() == 0.0 { 0 } else { 2 };
        let value = format!("{value:.places$}");
        table
            .rows
            .push(vec![name.to_owned(), value, paper.to_owned()]);
    }
    table.pictures.push(Picture {
        name: "edus".to_owned(),
        caption: "How many texts have how many EDUs.".to_owned(),
        svg: histogram(texts).to_svg(),
    });
    table.note(format!(
        "Components are those of the lexical cores that the schema `{}` finds; the paper's come from \
         the finance part of SogouCA.",
        schema.name
    ))
}

/// Texts by their numbers of EDUs.
fn histogram(texts: &[SourceText]) -> Chart {
    let sizes: Vec<usize> = texts.iter().map(|text| text.analysis.edus.len()).collect();
    let most = sizes.iter().copied().max().unwrap_or(0);
    let width = (most + 1).div_ceil(BINS).max(1);
    let mut counts = vec![0usize; most / width + 1];
    sizes.iter().for_each(|size| counts[size / width] += 1);
    let middle = |bin: usize| (bin * width) as f64 + (width as f64 - 1.0) / 2.0;
    let points = counts.iter().enumerate();
    let points = points.map(|(bin, count)| (middle(bin), *count as f64));
    Chart::new("EDUs a text", "EDUs", "texts").with(Layer::line("", points.collect()))
}
