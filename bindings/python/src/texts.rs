//! What is found in texts: EDUs, lexical cores, vectors, summaries.

use std::path::PathBuf;
use std::sync::Arc;

use arsg::automaton::{BlockRules, ParseOptions};
use arsg::embed::{CoreSet, Embedder, Model, Parameters, PhraseReader, Phrases, Trainer};
use arsg::lexcore::{CoreJson, Extractor};
use arsg::summarize::{
    Landscape, Method, SourceText, SummaryJson, SummaryLayout, SummaryOptions, UnitKind,
    contradictions, summarize as choose, to_text,
};
use arsg::text::{Analysis, Analyzer, Document};
use arsg::{Error, Schema, tree};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyList, PyString};
use rayon::prelude::*;

use crate::errors::{Failure, What};
use crate::grammar::load_schema;
use crate::parser::{date_from, document_from, grammar_from, places_of};
use crate::tree::edu_list;
use crate::waiting::{Stop, detached, wait, with_threads};

/// Texts, numbered from 1 where they have no id.
fn documents_from(texts: &Bound<'_, PyAny>) -> PyResult<Vec<Document>> {
    if texts.is_instance_of::<PyString>() {
        let message = "`texts` is a string: give a list of texts";
        return Err(PyTypeError::new_err(message));
    }
    let mut all = Vec::new();
    for (at, item) in texts.try_iter()?.enumerate() {
        let mut document = document_from(&item?)?;
        if document.id.is_empty() {
            document.id = (at + 1).to_string();
        }
        all.push(document);
    }
    Ok(all)
}

/// A reader with a schema's words, which reads plain texts by the shipped block rules.
fn reader(schema: &Schema) -> Result<Analyzer, Error> {
    let reader = Analyzer::new(schema);
    Ok(match BlockRules::shipped()? {
        Some(rules) => reader.with_structurer(Box::new(Arc::new(rules))),
        None => reader,
    })
}

/// The lexical cores of a text, as JSON.
#[pyfunction]
pub(crate) fn cores(
    py: Python<'_>,
    text: String,
    schema: String,
    date: Option<&Bound<'_, PyAny>>,
) -> PyResult<String> {
    let mut document = Document::from_text("", text);
    document.date = date_from(date)?;
    wait(py, What::Grammar, move |_| {
        let schema = load_schema(&schema)?;
        let analyzer = reader(&schema)?;
        let document = analyzer.structured(&document);
        let analysis = analyzer.analyze(&document);
        let cores = Extractor::new(&schema).extract(&document, &analysis);
        let cores = CoreJson::of(&document, &cores, &schema);
        Ok(serde_json::json!(cores).to_string())
    })
}

/// The EDUs of a text, by the boundary rules of a grammar, or the profile of a schema.
#[pyfunction]
pub(crate) fn segment<'py>(
    py: Python<'py>,
    text: String,
    grammar: Option<&Bound<'py, PyAny>>,
    schema: Option<String>,
) -> PyResult<Bound<'py, PyList>> {
    let document = Document::from_text("", text);
    let read = |analyzer: &Analyzer| {
        let document = analyzer.structured(&document);
        let analysis = analyzer.analyze(&document);
        (
            edus_of(&document, &analysis),
            places_of(&document.text, &analysis),
        )
    };
    let (edus, places) = match (grammar, schema) {
        (None, Some(schema)) => detached(py, What::Grammar, || {
            let schema = load_schema(&schema)?;
            Ok(read(&reader(&schema)?))
        })?,
        (grammar, _) => {
            let grammar = grammar_from(py, grammar)?;
            let engine = Arc::clone(&grammar.get().engine);
            detached(py, What::Grammar, || Ok(read(engine.analyzer())))?
        }
    };
    edu_list(py, &edus, &places)
}

fn edus_of(document: &Document, analysis: &Analysis) -> Vec<tree::Edu> {
    let edus = analysis.edus.iter().map(|edu| tree::Edu {
        block: u32::try_from(edu.block).ok(),
        sentence: u32::try_from(edu.sentence).ok(),
        ..tree::Edu::new(document.slice(&edu.range).trim())
    });
    edus.collect()
}

/// How texts are summarized, as Python says it.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct SummarizeOptions {
    length: String,
    method: String,
    unit: Option<String>,
    schema: String,
    redundancy: Option<f64>,
    seed: u64,
    threads: usize,
}

impl SummarizeOptions {
    fn read(&self) -> PyResult<SummaryOptions> {
        let wrong = |error: arsg::named::UnknownName| PyValueError::new_err(error.to_string());
        let method: Method = self.method.parse().map_err(wrong)?;
        let unit = self.unit.as_deref().map(str::parse::<UnitKind>).transpose();
        let length = self.length.parse().map_err(PyValueError::new_err)?;
        if self
            .redundancy
            .is_some_and(|value| !(0.0..=1.0).contains(&value))
        {
            return Err(PyValueError::new_err("`redundancy` lies between 0 and 1"));
        }
        Ok(SummaryOptions::default()
            .method(method)
            .length(length)
            .unit(unit.map_err(wrong)?)
            .redundancy(self.redundancy)
            .seed(self.seed))
    }
}

/// A summary of texts as JSON, and as people read it.
#[pyfunction]
pub(crate) fn summarize(
    py: Python<'_>,
    texts: &Bound<'_, PyAny>,
    grammar: Option<&Bound<'_, PyAny>>,
    options: SummarizeOptions,
) -> PyResult<(String, String)> {
    let how = options.read()?;
    let documents = documents_from(texts)?;
    let grammar = grammar_from(py, grammar)?;
    let engine = Arc::clone(&grammar.get().engine);
    wait(py, What::Grammar, move |stop| {
        if documents.is_empty() {
            return Err(Error::Empty("there is no text to summarize".to_owned()).into());
        }
        with_threads(options.threads, || {
            let schema = load_schema(&options.schema)?;
            let reader = Analyzer::new(&schema);
            let read = documents.into_par_iter().map(|document| {
                stop.leave_if_set();
                SourceText::read(document, &engine, &reader)
            });
            let mut texts: Vec<SourceText> = read.collect();
            if how.method.reads_weights() && texts.len() > 1 {
                let landscape = Landscape::of(&texts, &schema, None, options.seed)?;
                let places: Vec<usize> = (0..texts.len()).collect();
                landscape.weigh(&mut texts, &places, options.seed)?;
            }
            texts.par_iter_mut().for_each(|text| {
                stop.leave_if_set();
                // The way to every line is told by its tree, whatever the method reads.
                text.parse(&engine, &ParseOptions::default());
            });
            let summary = choose(&texts, &how)?;
            let against = contradictions(&texts, &summary);
            let json = SummaryJson::of(&texts, &summary, &against, &how);
            let told = to_text(&json, SummaryLayout { explain: false });
            Ok((serde_json::json!(json).to_string(), told))
        })
    })
}

/// Phrase vectors, learned from the lexical cores of texts.
///
/// ``arsg.embed(texts).model`` is one; it turns other texts into vectors of the same space.
#[pyclass(frozen, name = "Model", module = "arsg")]
pub(crate) struct PyModel {
    embedder: Arc<Embedder>,
    schema: String,
}

/// Vectors of texts: how many cores each has, and its vector.
type Vectors = (Vec<String>, Vec<u32>, Vec<Vec<f32>>);

#[pymethods]
impl PyModel {
    /// Reads a model that `arsg embed train` or ``save`` wrote.
    #[staticmethod]
    #[pyo3(signature = (path, *, schema="finance"))]
    fn load(py: Python<'_>, path: PathBuf, schema: &str) -> PyResult<PyModel> {
        let embedder = detached(py, What::Grammar, move || {
            Ok(Embedder::new(Model::load(&path)?))
        })?;
        Ok(PyModel {
            embedder: Arc::new(embedder),
            schema: schema.to_owned(),
        })
    }

    /// Writes the model to a file (safetensors).
    fn save(&self, py: Python<'_>, path: PathBuf) -> PyResult<()> {
        detached(py, What::Grammar, || {
            Ok(self.embedder.model().save(&path)?)
        })
    }

    /// How many coordinates the vector of a text has.
    #[getter]
    fn dimensions(&self) -> usize {
        self.embedder.model().dimensions()
    }

    /// How many texts it was learned from.
    #[getter]
    fn texts(&self) -> u64 {
        self.embedder.model().texts
    }

    fn _vectors(
        &self,
        py: Python<'_>,
        texts: &Bound<'_, PyAny>,
        threads: usize,
    ) -> PyResult<Vectors> {
        let documents = documents_from(texts)?;
        let embedder = Arc::clone(&self.embedder);
        let schema = self.schema.clone();
        wait(py, What::Grammar, move |stop| {
            with_threads(threads, || {
                let schema = load_schema(&schema)?;
                let grain = embedder.model().parameters.grain;
                let cores = read_phrases(&documents, &schema, grain, stop);
                vectors(&embedder, &documents, &cores)
            })
        })
    }

    fn __repr__(&self) -> String {
        format!("<arsg.Model of {} dimensions>", self.dimensions())
    }
}

fn read_phrases(
    documents: &[Document],
    schema: &Schema,
    grain: arsg::embed::TimeGrain,
    stop: &Stop,
) -> Vec<Vec<Phrases>> {
    let reader = PhraseReader::new(schema, grain);
    let read = documents.par_iter().map(|document| {
        stop.leave_if_set();
        reader.read(document).1
    });
    read.collect()
}

fn vectors(
    embedder: &Embedder,
    documents: &[Document],
    cores: &[Vec<Phrases>],
) -> Result<Vectors, Failure> {
    let mut impacts = arsg::embed::Impacts::of(embedder.model());
    for (document, cores) in documents.iter().zip(cores) {
        impacts.push(document.id.clone(), &embedder.impact(cores))?;
    }
    let rows = impacts.vectors();
    let rows = rows.rows().into_iter().map(|row| row.to_vec()).collect();
    Ok((impacts.ids.clone(), impacts.cores.clone(), rows))
}

/// How phrase vectors are trained, as Python says it.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct EmbedOptions {
    schema: String,
    width: usize,
    epochs: u32,
    patience: u32,
    seed: u64,
    threads: usize,
}

/// The loss of every epoch, and that of the cores that were held out.
type Losses = Vec<(f64, f64)>;

/// Learns phrase vectors from texts: the model, the vectors of the texts, the loss of every epoch.
#[pyfunction]
pub(crate) fn embed(
    py: Python<'_>,
    texts: &Bound<'_, PyAny>,
    options: EmbedOptions,
) -> PyResult<(PyModel, Vectors, Losses)> {
    let documents = documents_from(texts)?;
    let schema_name = options.schema.clone();
    let (embedder, vectors, history) = wait(py, What::Grammar, move |stop| {
        with_threads(options.threads, || {
            let schema = load_schema(&options.schema)?;
            let parameters = Parameters::default()
                .width(options.width)
                .epochs(options.epochs)
                .patience(options.patience)
                .seed(options.seed);
            parameters.check()?;
            let cores = read_phrases(&documents, &schema, parameters.grain, stop);
            let mut set = CoreSet::default();
            cores.iter().for_each(|cores| set.add(cores));
            let mut trainer = Trainer::new(parameters, set, None)?;
            while trainer.train_epoch(|_| stop.leave_if_set())?.is_some() {}
            let history = trainer.history().iter();
            let history = history.map(|epoch| (epoch.loss, epoch.held_out_loss));
            let history: Losses = history.collect();
            let embedder = Embedder::new(trainer.into_model());
            let vectors = vectors(&embedder, &documents, &cores)?;
            Ok((embedder, vectors, history))
        })
    })?;
    let model = PyModel {
        embedder: Arc::new(embedder),
        schema: schema_name,
    };
    Ok((model, vectors, history))
}
