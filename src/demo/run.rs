//! The whole method, step by step.

use ndarray::ArrayView2;

use super::material::Material;
use super::rounds::{Learned, learn};
use super::step::DemoStep;
use crate::automaton::{self, Engine};
use crate::behavior::{Example, WeightOptions, by_weights, report, score_engine};
use crate::embed::neighbours::Epsilon;
use crate::embed::{
    CoreSet, Embedder, Impacts, Parameters, PrincipalAxes, Role, Trainer, cluster_points,
};
use crate::error::{Error, Result};
use crate::evaluate::{Classifier, Evaluation, Judge, Tokens, Training};
use crate::grammar::embedded_grammar;
use crate::learn::{Limit, LoopOptions, Row, Transfer};
use crate::lexcore::{Core, Extractor, Part, Statistics, TextStatistics};
use crate::plot::{Chart, Layer};
use crate::select::{Cubes, GridKind, Space, Strategy};
use crate::summarize::{
    self, Method, SourceText, SummaryJson, SummaryLayout, UnitKind, contradictions, summarize,
    to_text,
};
use crate::text::Document;
use crate::tree::{Baseline, Counts, Report, TextDrawing, draw_svg, draw_text};

/// Coordinates of a phrase's vector: a small corpus cannot fill the paper's 150.
const WIDTH: usize = 24;
const EPOCHS: u32 = 60;
/// Parts of every axis that cubes are made of.
const DIVISIONS: [u32; 4] = [2, 2, 2, 2];
/// Texts that people label: in all, and in a round.
const LIMIT: usize = 32;
const A_ROUND: usize = 6;
/// The share of texts that have another one nearer than epsilon.
const NEAR: f64 = 0.7;
/// Texts a cluster, and EDUs a summary.
const CLUSTER: usize = 7;
const SUMMARY: usize = 10;
/// Columns of what is drawn.
const COLUMNS: usize = 100;

/// Does all steps; `tell` gets each as soon as it is done.
pub fn run(seed: u64, mut tell: impl FnMut(&DemoStep) -> Result<()>) -> Result<Vec<DemoStep>> {
    let mut steps = Vec::new();
    let mut done = |step: DemoStep| -> Result<()> {
        tell(&step)?;
        steps.push(step);
        Ok(())
    };
    let material = Material::read()?;
    done(statistics(&material))?;
    let (embedder, step) = vectors(&material, seed)?;
    done(step)?;
    let (impacts, cores) = material.impacts(&embedder)?;
    done(map(&material, &impacts))?;
    let points = impacts.vectors();
    let space = Space::divide(points, GridKind::Projected { axes: 1 }, DIVISIONS, &cores)?;
    let choices = Cubes::Each(1).choose(&space, seed);
    let representatives: Vec<u32> = choices.iter().map(|choice| choice.text).collect();
    done(show_chosen(&material, &space, &representatives))?;
    let (learned, step) = rounds(&material, points, &representatives)?;
    done(step)?;
    let (engine, step) = grammar(&material, &learned)?;
    done(step)?;
    done(tree(&material, &learned, &engine)?)?;
    let groups = texts_of_clusters(&material, points, &space, &engine);
    done(summary(&groups)?)?;
    done(comparison(&material, &groups, seed)?)?;
    Ok(steps)
}

fn statistics(material: &Material) -> DemoStep {
    let mut step = DemoStep::new(
        "Texts are read into EDUs and lexical cores",
        "an EDU is a clause that says one thing; a core is what it says: when, who, what, how",
    );
    let extractor = Extractor::new(&material.schema);
    let mut statistics = Statistics::default();
    let mut shown: Option<(&Document, Core)> = None;
    for (document, analysis) in material.documents().zip(&material.analyses) {
        let cores = extractor.extract(document, analysis);
        statistics.add(TextStatistics::of(document, analysis.edus.len(), &cores));
        let is_whole = |core: &&Core| core.time.is_some() && core.object.is_some();
        if shown.is_none()
            && let Some(core) = cores.iter().find(is_whole)
        {
            shown = Some((document, core.clone()));
        }
    }
    for (name, value) in statistics.rows() {
        let places = usize::from(value.fract() != 0.0);
        step.line(format!("{name:<24} {value:>8.places$}"));
    }
    if let Some((document, core)) = shown {
        let edu = document.edus().nth(core.edu).map(|(_, range)| range);
        let part = |part: &Option<Part>| {
            let range = part.as_ref().map(|part| part.range.clone());
            range.map_or("–".to_owned(), |range| document.slice(&range).to_owned())
        };
        step.line("");
        step.line(document.slice(&edu.unwrap_or_default()));
        step.line(format!(
            "  when {}   who {}   what {}   how {}",
            part(&core.time),
            part(&core.agent),
            part(&core.object),
            document.slice(&core.state.range),
        ));
    }
    step
}

fn vectors(material: &Material, seed: u64) -> Result<(Embedder, DemoStep)> {
    let mut step = DemoStep::new(
        "Phrases become vectors",
        "phrases that stand in cores of the same kind come to lie near each other (loss 100)",
    );
    let mut cores = CoreSet::default();
    for phrases in &material.phrases {
        cores.add(phrases);
    }
    let parameters = Parameters {
        width: WIDTH,
        epochs: EPOCHS,
        patience: 0,
        learning_rate: 0.01,
        seed,
        ..Parameters::default()
    };
    let mut trainer = Trainer::new(parameters, cores, None)?;
    while !trainer.is_finished() {
        trainer.train_epoch(|_| {})?;
    }
    let curve: Vec<(f64, f64)> = trainer
        .history()
        .iter()
        .map(|epoch| (f64::from(epoch.epoch), epoch.loss))
        .collect();
    let model = trainer.into_model();
    if let (Some(first), Some(last)) = (curve.first(), curve.last()) {
        step.line(format!(
            "{} epochs: loss {:.3} -> {:.3}",
            curve.len(),
            first.1,
            last.1
        ));
    }
    for word in ["上涨", "下降"] {
        let Some(number) = model.vocabulary.number(Role::State, word) else {
            continue;
        };
        let vector = model.tables[Role::State.index()].vector(number as usize);
        let near = model.near(Role::State, vector, Some(number), 5);
        let names: Vec<&str> = near.iter().map(|near| near.phrase.as_str()).collect();
        step.line(format!("nearest to {word}: {}", names.join(" ")));
    }
    let chart = Chart::new("Loss of the phrase vectors", "epoch", "loss a core")
        .with(Layer::line("training", curve));
    step.picture("how the vectors settle", chart.to_svg());
    Ok((Embedder::new(model), step))
}

fn map(material: &Material, impacts: &Impacts) -> DemoStep {
    let mut step = DemoStep::new(
        "Texts become vectors",
        "a text's impact is the mean of its cores, so texts about the same things lie near each other",
    );
    let points = impacts.vectors();
    let axes = PrincipalAxes::fit(points, 2);
    let mut chart = Chart::new("Impacts of the texts", "axis 1", "axis 2");
    chart.size = (900, 560);
    let mut events: Vec<(&str, Vec<(f64, f64)>)> = Vec::new();
    for (document, row) in material.documents().zip(points.rows()) {
        let place = axes.project(row);
        let along = |at: usize| place.get(at).copied().unwrap_or_default();
        let event = event_of(&document.id);
        let place = (along(0), along(1));
        match events.iter_mut().find(|(name, _)| *name == event) {
            Some((_, places)) => places.push(place),
            None => events.push((event, vec![place])),
        }
    }
    events.sort_by_key(|(_, places)| std::cmp::Reverse(places.len()));
    let told: Vec<String> = events
        .iter()
        .filter(|(_, places)| places.len() > 1)
        .map(|(name, places)| format!("{name} {}", places.len()))
        .collect();
    step.line(format!(
        "{} texts, {} coordinates each; events by the number of their texts:",
        impacts.len(),
        points.ncols()
    ));
    let alone = events.len() - told.len();
    step.line(format!("{}; {alone} texts stand alone", told.join(", ")));
    /// More colours than these cannot be told apart.
    const SHOWN: usize = 6;
    for (name, places) in events.into_iter().take(SHOWN) {
        chart = chart.with(Layer::dots(name, 4.0, places));
    }
    step.picture("texts of the events that most texts tell", chart.to_svg());
    step
}

/// What a text of the demo is about, by the first word of its id.
fn event_of(id: &str) -> &str {
    id.split('-').next().unwrap_or(id)
}

fn show_chosen(material: &Material, space: &Space<'_>, representatives: &[u32]) -> DemoStep {
    let mut step = DemoStep::new(
        "People label representatives first (Algorithm 31)",
        "the space of impacts is divided into cubes, and from each a text is drawn, the richer the likelier",
    );
    step.line(format!(
        "{} texts, from {} cubes:",
        representatives.len(),
        space.cubes().len()
    ));
    for text in representatives {
        let title = material
            .examples
            .get(*text as usize)
            .and_then(|example| example.document.title.as_deref());
        step.line(format!("  {}", title.unwrap_or_default()));
    }
    step
}

fn rounds(
    material: &Material,
    points: ArrayView2<'_, f32>,
    representatives: &[u32],
) -> Result<(Learned, DemoStep)> {
    let mut step = DemoStep::new(
        "Rounds of picking near and training far (Algorithms 2, 4, 5, 6)",
        "near texts take over the labels of their neighbours, people label the farthest: few labels go far",
    );
    let options = LoopOptions {
        epsilon: Epsilon::Share(NEAR).measure(points, representatives),
        k: A_ROUND,
        limit: Limit::Texts(LIMIT),
        transfer: Transfer::Nearest,
        pick_on: true,
        reach: 0.0,
    };
    let mut learned = learn(
        &material.examples,
        points,
        representatives,
        options,
        &material.schema,
    )?;
    step.line(Row::HEAD.trim_end());
    for row in &learned.rows {
        step.line(row.line().trim_end());
    }
    step.pictures = std::mem::take(&mut learned.pictures);
    Ok((learned, step))
}

fn grammar(material: &Material, learned: &Learned) -> Result<(Engine, DemoStep)> {
    let mut step = DemoStep::new(
        "The labels become a grammar",
        "every shift and reduce of an annotator is an instance of a rule; the texts nobody labelled test it",
    );
    let (seen, held): (Vec<&Example>, Vec<&Example>) = divide_examples(material, &learned.labelled);
    let counted = &learned.grammar;
    let weighed = by_weights(&seen, &material.schema, &WeightOptions::default());
    step.line(format!(
        "{} labelled texts to learn from, {} others to test on (S spans, N nuclearity, R relations, F1)",
        seen.len(),
        held.len()
    ));
    step.line(format!("  {:<34} {:>6}", "", "rules"));
    step.line(row(
        "a tree that knows nothing",
        None,
        &right_branching(&held, material),
    ));
    let hand = embedded_grammar("seed")?;
    let count = |g: &crate::Grammar| Some(g.productions.len() + g.preferences.len());
    let (by_hand, by_count, by_weight) = (count(&hand), count(counted), count(&weighed));
    let scored = |grammar: crate::Grammar| {
        let engine = Engine::new(grammar);
        let report = score_engine(
            &engine,
            &held,
            &material.schema,
            &automaton::ParseOptions::default(),
        );
        (engine, report)
    };
    step.line(row("the seed that people wrote", by_hand, &scored(hand).1));
    let (_, report) = scored(counted.clone());
    step.line(row("learned, the counts decide", by_count, &report));
    let (engine, report) = scored(weighed.clone());
    step.line(row("learned, the weights decide", by_weight, &report));
    step.line("");
    step.line("the strongest of its rules:");
    for line in strongest_productions(weighed).lines() {
        step.line(format!("  {line}"));
    }
    Ok((engine, step))
}

/// How a grammar does on the texts nobody labelled, in a line.
fn row(name: &str, rules: Option<usize>, report: &Report) -> String {
    let figures = &report.original;
    let percent = |counts: Counts| 100.0 * counts.f1();
    format!(
        "  {name:<34} {:>6}   S {:>5.1}  N {:>5.1}  R {:>5.1}",
        rules.map_or("".to_owned(), |rules| rules.to_string()),
        percent(figures.span),
        percent(figures.nuclearity),
        percent(figures.relation)
    )
}

/// The four productions of a grammar that weigh most, as written.
fn strongest_productions(mut grammar: crate::Grammar) -> String {
    grammar.productions.sort_by(|a, b| {
        let weight = |p: &crate::grammar::Production| p.rule.weight.unwrap_or_default();
        weight(b).cmp(&weight(a))
    });
    grammar.productions.truncate(4);
    grammar.preferences.clear();
    grammar.boundaries.clear();
    let text = grammar.to_text();
    let rules = text.lines().skip_while(|line| !line.contains("<-"));
    rules.collect::<Vec<_>>().join("\n")
}

/// The texts that people labelled, and the others.
fn divide_examples<'m>(
    material: &'m Material,
    labelled: &[u32],
) -> (Vec<&'m Example>, Vec<&'m Example>) {
    let all = material.examples.iter().enumerate();
    let (seen, held): (Vec<_>, Vec<_>) = all.partition(|(at, _)| labelled.contains(&(*at as u32)));
    let plain = |pairs: Vec<(usize, &'m Example)>| pairs.into_iter().map(|(_, e)| e).collect();
    (plain(seen), plain(held))
}

fn right_branching(held: &[&Example], material: &Material) -> Report {
    let pairs = held.iter().filter_map(|example| {
        let tree = Baseline::RightBranching
            .tree(example.tree.edus.clone())
            .ok()?;
        Some((example.tree.clone(), tree))
    });
    report(pairs.collect(), &material.schema)
}

fn tree(material: &Material, learned: &Learned, engine: &Engine) -> Result<DemoStep> {
    let mut step = DemoStep::new(
        "A text that nobody labelled gets its tree",
        "the grammar is a shift-reduce automaton: N is what the text is about, S what it can do without",
    );
    let (_, held) = divide_examples(material, &learned.labelled);
    let shortest = held.iter().min_by_key(|example| example.text.len());
    let Some(example) = shortest else {
        return Err(Error::Empty("every text was labelled".to_owned()));
    };
    let Some(tree) = engine.parse(&example.document).into_tree() else {
        return Err(Error::Empty("a text has no tree".to_owned()));
    };
    let how = TextDrawing {
        width: COLUMNS,
        ..TextDrawing::default()
    };
    step.line(example.document.title.as_deref().unwrap_or_default());
    step.text.push_str(&draw_text(&tree, &how));
    step.picture(example.id(), draw_svg(&tree));
    Ok(step)
}

/// The texts of each cluster with their trees; a text weighs as much as its cube holds.
fn texts_of_clusters(
    material: &Material,
    points: ArrayView2<'_, f32>,
    space: &Space<'_>,
    engine: &Engine,
) -> Vec<Vec<SourceText>> {
    let text = |at: &u32| {
        let number = *at as usize;
        let document = (*material.examples[number].document).clone();
        let tree = engine.parse(&document).into_tree();
        let analysis = material.analyses[number].clone();
        let cube = space
            .cube_of(*at)
            .and_then(|cube| space.cubes().get(cube as usize));
        let weight = cube.map_or(1.0, |cube| cube.texts.len() as f64);
        SourceText::new(document, analysis)
            .with_tree(tree)
            .with_weight(weight)
    };
    cluster_points(points, CLUSTER)
        .iter()
        .map(|cluster| cluster.members.iter().map(text).collect())
        .collect()
}

fn summary(groups: &[Vec<SourceText>]) -> Result<DemoStep> {
    let mut step = DemoStep::new(
        "A cluster of texts becomes a summary of ten EDUs (Algorithms 7 and 8)",
        "what stands high in the trees and is told by several texts comes first; what others deny is marked (!)",
    );
    // The cluster whose texts agree most on what they tell shows best what a summary is for.
    let agreement = |group: &&Vec<SourceText>| {
        let event = |text: &SourceText| event_of(&text.document.id).to_owned();
        let most = group.iter().map(|text| {
            let same = group.iter().filter(|other| event(other) == event(text));
            same.count()
        });
        most.max().unwrap_or_default()
    };
    let Some(group) = groups.iter().rev().max_by_key(agreement) else {
        return Err(Error::Empty("there is no cluster".to_owned()));
    };
    step.line(format!("{} texts:", group.len()));
    for text in group {
        let title = text.document.title.as_deref();
        step.line(format!("  {}", title.unwrap_or(&text.document.id)));
    }
    let options = summarize::SummaryOptions {
        length: summarize::Length::Edus(SUMMARY),
        ..summarize::SummaryOptions::default()
    };
    let found = summarize(group, &options)?;
    let against = contradictions(group, &found);
    let json = SummaryJson::of(group, &found, &against, &options);
    step.line("");
    step.text
        .push_str(&to_text(&json, SummaryLayout { explain: false }));
    Ok(step)
}

fn comparison(material: &Material, groups: &[Vec<SourceText>], seed: u64) -> Result<DemoStep> {
    let mut step = DemoStep::new(
        "The summaries are compared with the baselines",
        "the paper's Score rewards novelty and entities; the centroid and the titles say whether it is on the point",
    );
    let titles: Vec<&str> = material
        .documents()
        .filter_map(|document| document.title.as_deref())
        .collect();
    let training = Training {
        seed,
        ..Training::default()
    };
    let classifier = Classifier::train(&titles, &material.schema, training)?;
    let mut judges = Vec::with_capacity(groups.len());
    for group in groups {
        judges.push(Judge::new(
            group,
            &material.schema,
            &material.analyzer,
            Tokens::Characters,
            Some(&classifier),
        )?);
    }
    step.line(format!(
        "means over {} clusters, {SUMMARY} EDUs a summary",
        groups.len()
    ));
    step.line("            words      S      N      E      W  Score  strict  centroid  titles");
    for method in Method::ALL {
        let options = summarize::SummaryOptions {
            method,
            unit: Some(UnitKind::Sentence),
            length: summarize::Length::Edus(SUMMARY),
            seed,
            ..summarize::SummaryOptions::default()
        };
        let mut all = Vec::with_capacity(groups.len());
        for (group, judge) in groups.iter().zip(&judges) {
            let summary = summarize(group, &options)?;
            let units: Vec<&str> = summary.lines.iter().map(|line| &*line.shown).collect();
            all.push(judge.evaluate(&units, Some(&classifier))?);
        }
        step.line(mean_line(method.as_str(), &all));
    }
    Ok(step)
}

/// The means of all measures of a method's summaries.
fn mean_line(name: &str, all: &[Evaluation]) -> String {
    let mean = |value: fn(&Evaluation) -> f64| {
        all.iter().map(value).sum::<f64>() / all.len().max(1) as f64
    };
    format!(
        "{name:<10} {:>6.0} {:>6.2} {:>6.2} {:>6.2} {:>6.2} {:>6.1} {:>7.1} {:>9.2} {:>7.2}",
        mean(|e| e.words as f64),
        mean(|e| e.sentiment),
        mean(|e| e.novelty),
        mean(|e| e.entities_recall),
        mean(|e| e.overlap),
        mean(|e| e.score),
        mean(|e| e.score_strict),
        mean(|e| e.centroid),
        mean(|e| e.titles.unwrap_or_default()),
    )
}
