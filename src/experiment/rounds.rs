//! The second table: picking near and training far, with gold labels in place of people.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::{Interval, Picture, Table};
use crate::embed::neighbours::Epsilon;
use crate::error::{Error, Result};
use crate::grammar::Decide;
use crate::learn::{
    Answer, Gain, GrammarRules, LabelSource, LearningLoop, Limit, LoopOptions, Progress, Row,
    TextLabel, Transfer, division_chart, labels_chart, rules_chart,
};
use crate::schema::Schema;
use crate::select::{Cubes, Strategy};
use crate::summarize::Landscape;
use crate::text::Document;
use crate::tree::Tree;

/// How the loop is run.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct RoundSettings {
    /// Texts of every cube (Algorithm 31), or one text in so many of every cube (Algorithm 32).
    pub q: usize,
    /// The most texts that people label in a round: a column each.
    pub k: Vec<usize>,
    /// The limit of the columns with a concrete threshold.
    pub texts: usize,
    /// The limit of the columns with a percentage.
    pub percent: f64,
    /// How near is near.
    pub epsilon: Epsilon,
    /// The draws of representatives that figures are means of.
    pub seeds: u64,
}

/// The trees of the texts: what people would draw.
#[derive(Debug, Clone, Default)]
pub struct GoldLabels {
    labels: BTreeMap<String, TextLabel>,
}

impl GoldLabels {
    /// Knows the tree of another text.
    pub fn add(&mut self, document: &Document, tree: &Tree) {
        let label = TextLabel::new(document.clone(), tree.clone());
        self.labels.insert(document.id.clone(), label);
    }
}

impl LabelSource for GoldLabels {
    type Label = TextLabel;

    fn label(&mut self, text: &str) -> Result<Answer<TextLabel>> {
        Ok(match self.labels.get(text) {
            Some(label) => Answer::Labelled {
                label: label.clone(),
                minutes: None,
                automatic: false,
            },
            None => Answer::Waiting,
        })
    }
}

/// Rounds whose figures are shown, as in the paper.
const SHOWN: [usize; 3] = [1, 3, 6];

/// A way to run the loop: what stands above its column, and how it is told to.
struct Way {
    name: String,
    cubes: Cubes,
    options: LoopOptions,
}

/// Algorithms 2, 4, 5 and 6 over the texts of a landscape, whose labels are `gold`: the loop of
/// `arsg learn`, with its rules by counts and near texts that add one instance, as printed. `schema`
/// is that of the trees.
pub fn tabulate_rounds(
    landscape: &Landscape,
    gold: &GoldLabels,
    schema: &Arc<Schema>,
    settings: &RoundSettings,
) -> Result<Table> {
    let impacts = landscape.impacts().ok_or_else(|| {
        Error::Empty("the texts have no lexical cores, so there is nothing near or far".to_owned())
    })?;
    let ways = ways(settings);
    let names: Vec<&str> = ways.iter().map(|way| way.name.as_str()).collect();
    let head: Vec<&str> = std::iter::once("").chain(names).collect();
    let mut table = Table::new("rounds", "Picking near, training far", &head);
    let mut columns: Vec<Vec<Vec<Row>>> = Vec::new();
    for (at, way) in ways.iter().enumerate() {
        let mut runs = Vec::new();
        for seed in 1..=settings.seeds.max(1) {
            let space = landscape.space()?;
            let chosen = way.cubes.choose(&space, seed);
            let texts: Vec<u32> = chosen.iter().map(|choice| choice.text).collect();
            let vectors = impacts.vectors();
            let epsilon = settings.epsilon.measure(vectors, &texts);
            let options = way.options.clone().epsilon(epsilon.max(f64::MIN_POSITIVE));
            let rules = GrammarRules::new(schema, &schema.name, Decide::Counts, Gain::One);
            let mut learner = LearningLoop::begin(&impacts.ids, vectors, options, rules, &texts)?;
            let mut people = gold.clone();
            while let Progress::Chosen { .. } | Progress::Round(_) = learner.step(&mut people)? {}
            if at == 0 && seed == 1 {
                table.pictures = pictures(&learner);
            }
            runs.push(learner.rows().to_vec());
        }
        columns.push(runs);
    }
    fill(&mut table, &columns);
    let texts = impacts.ids.len();
    Ok(table.note(format!(
        "{texts} texts, q = {}, epsilon {:.2}, {} draws of representatives: means with 95% intervals. GoldLabels \
         labels play the people; texts picked near carry the label of their nearest neighbour.",
        settings.q,
        ways.first().map_or(0.0, |way| way.options.epsilon),
        settings.seeds.max(1)
    )))
}

fn ways(settings: &RoundSettings) -> Vec<Way> {
    let kinds = [
        (
            Cubes::Each(settings.q),
            Limit::Texts(settings.texts),
            "Algorithm 31",
        ),
        (
            Cubes::Share(settings.q),
            Limit::Percent(settings.percent),
            "Algorithm 32",
        ),
    ];
    let mut ways = Vec::new();
    for (cubes, limit, name) in kinds {
        for &k in &settings.k {
            ways.push(Way {
                name: format!("{name}, limit {limit}, k = {k}"),
                cubes,
                options: LoopOptions {
                    // Measured where the representatives are known.
                    epsilon: f64::MIN_POSITIVE,
                    k: k.max(1),
                    limit,
                    transfer: Transfer::All,
                    pick_on: false,
                    reach: 0.0,
                },
            });
        }
    }
    ways
}

/// The rows of the paper's table, each cell over the runs of its column.
fn fill(table: &mut Table, columns: &[Vec<Vec<Row>>]) {
    let mut push = |name: String, value: &dyn Fn(&[Row]) -> Option<f64>| {
        let cells: Vec<String> = columns
            .iter()
            .map(|runs| {
                let values: Vec<f64> = runs.iter().filter_map(|rows| value(rows)).collect();
                if values.is_empty() {
                    "-".to_owned()
                } else {
                    Interval::of(&values).to_text(0)
                }
            })
            .collect();
        if cells.iter().any(|cell| cell != "-") {
            table
                .rows
                .push(std::iter::once(name).chain(cells).collect());
        }
    };
    push("initial".to_owned(), &|rows| Some(rows.first()?.far as f64));
    for round in SHOWN {
        push(format!("picking near {round}"), &|rows| {
            Some(rows.get(round)?.near as f64)
        });
        push(format!("training far {round}"), &|rows| {
            Some(rows.get(round)?.far as f64)
        });
    }
    push("rounds".to_owned(), &|rows| {
        Some(rows.len().saturating_sub(1) as f64)
    });
    push("labelled by people".to_owned(), &|rows| {
        Some(rows.last()?.human as f64)
    });
    push("labelled in all".to_owned(), &|rows| {
        Some(rows.last()?.labelled as f64)
    });
    push("PPR(AT)".to_owned(), &|rows| {
        Some(rows.last()?.sizes.productions as f64)
    });
    push("PF(AT)".to_owned(), &|rows| {
        Some(rows.last()?.sizes.precedences as f64)
    });
}

fn pictures(learner: &LearningLoop<'_, GrammarRules>) -> Vec<Picture> {
    let rows = learner.rows();
    let last = rows.len().saturating_sub(1);
    vec![
        Picture {
            name: "labels-by-round".to_owned(),
            caption: "What people label, and what is labelled in the end (first column)."
                .to_owned(),
            svg: labels_chart(rows).to_svg(),
        },
        Picture {
            name: "rules-by-labels".to_owned(),
            caption: "The grammar grows with what people label.".to_owned(),
            svg: rules_chart(rows).to_svg(),
        },
        Picture {
            name: "division".to_owned(),
            caption: "The texts on the two leading axes of their impacts, after the last round."
                .to_owned(),
            svg: division_chart(learner.impacts(), learner.rounds(), last).to_svg(),
        },
    ]
}
