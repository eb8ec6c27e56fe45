//! Texts to trees, one or many.

use std::collections::VecDeque;
use std::io::Cursor;
use std::sync::Arc;

use arsg::automaton::{ParseOptions, Search, Text};
use arsg::text::Analysis;
use arsg::text::corpus::{Format, Reader};
use arsg::text::structure::Structure;
use arsg::{Document, Engine, Error};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyIterator, PyString, PyTuple};
use rayon::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};

use crate::errors::{Failure, What, guarded, plain_error};
use crate::grammar::PyGrammar;
use crate::session::PySession;
use crate::tree::{Made, PyTree, TreeData};
use crate::waiting::{Stop, detached, wait};

/// Longer texts are parsed where Ctrl-C reaches.
const LONG_TEXT: usize = 20_000;
/// Texts that are parsed together are no more than so many for each thread.
const MOST_A_THREAD: usize = 32;
/// Nor are they longer than so many bytes together, or one text.
const MOST_BYTES: usize = 1 << 20;
/// The most threads.
const MOST_THREADS: usize = 1024;

/// What parses: an engine, and how.
#[derive(Clone)]
pub(crate) struct Parsing {
    engine: Arc<Engine>,
    options: ParseOptions,
}

impl Parsing {
    /// Parses a document into a tree with places in its text.
    fn parse(&self, document: Document) -> Result<TreeData, Failure> {
        let analyzer = self.engine.analyzer();
        let structured = analyzer.structured(&document);
        let analysis = analyzer.analyze(&structured);
        let text = Text::new(&structured, &analysis, self.engine.schema());
        let parse = self.engine.parse_text(Arc::new(text), &self.options);
        let Some(derivation) = parse.derivations.into_iter().next() else {
            let message = "the text has no words, and so no tree";
            return Err(Failure::Error(Error::Empty(message.to_owned())));
        };
        let places = places_of(&structured.text, &analysis);
        let text = structured.text.clone();
        drop(structured);
        Ok(TreeData {
            tree: derivation.tree,
            text,
            places,
            made: Some(Made {
                engine: Arc::clone(&self.engine),
                options: self.options,
                log_probability: derivation.log_probability,
                document,
            }),
        })
    }
}

/// Where the EDUs of a text stand, in characters, without the white space around them.
pub(crate) fn places_of(text: &str, analysis: &Analysis) -> Vec<(usize, usize)> {
    let (mut byte, mut character) = (0, 0);
    let mut count_to = |to: usize| {
        character += text.get(byte..to).map_or(0, |piece| piece.chars().count());
        byte = to;
        character
    };
    let ranges = analysis.edus.iter().map(|edu| {
        let piece = text.get(edu.range.clone()).unwrap_or_default();
        let start = edu.range.start + (piece.len() - piece.trim_start().len());
        start..start + piece.trim().len()
    });
    ranges
        .map(|range| (count_to(range.start), count_to(range.end)))
        .collect()
}

/// Parses Chinese texts with a grammar. Build it once; threads may share it.
///
/// >>> import arsg
/// >>> parser = arsg.Parser("finance")
/// >>> print(parser("因为需求减少，国际油价下跌。"), end="")
/// Report[causal-cause] 1-2
/// ├─S Shrink:1 因为需求减少，
/// └─N Fall:2 国际油价下跌。
#[pyclass(frozen, name = "Parser", module = "arsg")]
pub(crate) struct PyParser {
    parsing: Parsing,
    grammar: Py<PyGrammar>,
    search: String,
    structure: String,
}

#[pymethods]
impl PyParser {
    /// A parser with a grammar, or a shipped one by its name. ``search`` is ``best``, ``beam=K``,
    /// ``spans=K`` or ``sample=SEED``; ``structure`` says what lines of plain texts are: ``rules`` (the
    /// grammar's block rules say it), ``keep`` (the same, but bylines and the like stay in the tree)
    /// or ``none`` (every line is a paragraph).
    #[new]
    #[pyo3(signature = (grammar=None, *, search="best", structure="rules"))]
    fn new(
        py: Python<'_>,
        grammar: Option<&Bound<'_, PyAny>>,
        search: &str,
        structure: &str,
    ) -> PyResult<PyParser> {
        let grammar = grammar_from(py, grammar)?;
        let found: Search = search.parse().map_err(PyValueError::new_err)?;
        let known: Structure = structure
            .parse()
            .map_err(|error: arsg::named::UnknownName| PyValueError::new_err(error.to_string()))?;
        let options = ParseOptions::default().search(found);
        let own = Arc::clone(&grammar.get().engine);
        let engine = if known == Structure::default() {
            own
        } else {
            Arc::new(Engine::new(own.grammar().clone()).with_structure(known))
        };
        Ok(PyParser {
            parsing: Parsing { engine, options },
            grammar: grammar.unbind(),
            search: search.to_owned(),
            structure: structure.to_owned(),
        })
    }

    /// The grammar.
    #[getter]
    fn grammar(&self, py: Python<'_>) -> Py<PyGrammar> {
        self.grammar.clone_ref(py)
    }

    /// Parses a text; every line is a paragraph, a heading, an item, as the grammar's block rules
    /// say. Relative times are read against ``date``.
    #[pyo3(signature = (text, *, id=None, date=None))]
    fn __call__(
        &self,
        py: Python<'_>,
        text: String,
        id: Option<String>,
        date: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<PyTree> {
        let mut document = Document::from_text(id.unwrap_or_default(), text);
        document.date = date_from(date)?;
        self.parse(py, document)
    }

    /// Parses a text that is divided into EDUs already: a list of them, or a list of paragraphs that
    /// are lists of EDUs.
    ///
    /// >>> import arsg
    /// >>> tree = arsg.Parser("finance").from_edus(["因为需求减少，", "国际油价下跌。"])
    /// >>> tree.root.relation
    /// 'causal-cause'
    #[pyo3(signature = (edus, *, id=None, date=None))]
    fn from_edus(
        &self,
        py: Python<'_>,
        edus: &Bound<'_, PyAny>,
        id: Option<String>,
        date: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<PyTree> {
        let mut document = Document::from_edus(id.unwrap_or_default(), paragraphs_from(edus)?);
        document.date = date_from(date)?;
        self.parse(py, document)
    }

    /// Parses a document as plain data, with its id, date and blocks: what a line of `arsg import` or
    /// `arsg segment --json` holds.
    ///
    /// >>> import arsg
    /// >>> paragraph = {"kind": "paragraph", "edus": ["因为需求减少，", "国际油价下跌。"]}
    /// >>> arsg.Parser("finance").from_document({"id": "oil", "blocks": [paragraph]})
    /// <arsg.Tree oil: 2 EDUs>
    fn from_document(&self, py: Python<'_>, document: &Bound<'_, PyDict>) -> PyResult<PyTree> {
        let document = document_from(document.as_any())?;
        self.parse(py, document)
    }

    /// Parses many texts, lazily and in their order, with several threads (all of the machine unless
    /// said otherwise). A text is a string, a pair of an id and a string, or a document as plain data.
    /// What goes wrong with one
    /// text is raised when its turn comes, and the texts behind it can still be asked for; with
    /// ``errors="return"`` the exception stands in the place of the tree.
    ///
    /// >>> import arsg
    /// >>> parser = arsg.Parser("finance")
    /// >>> texts = ["因为需求减少，国际油价下跌。", "", "沪指收涨，深成指收跌。"]
    /// >>> for tree in parser.pipe(texts, threads=2, errors="return"):
    /// ...     print(repr(tree))
    /// <arsg.Tree: 2 EDUs>
    /// ParseError('the text has no words, and so no tree')
    /// <arsg.Tree: 2 EDUs>
    #[pyo3(signature = (texts, *, threads=None, errors="raise"))]
    fn pipe(
        &self,
        texts: &Bound<'_, PyAny>,
        threads: Option<usize>,
        errors: &str,
    ) -> PyResult<PyPipe> {
        if texts.is_instance_of::<PyString>() {
            let message = "`texts` is a string: give a list of texts, or call the parser";
            return Err(PyTypeError::new_err(message));
        }
        let returns_errors = match errors {
            "raise" => false,
            "return" => true,
            _ => {
                let message = format!("`{errors}` is none of `raise`, `return`");
                return Err(PyValueError::new_err(message));
            }
        };
        let threads = match threads {
            None => std::thread::available_parallelism().map_or(1, usize::from),
            Some(threads) if (1..=MOST_THREADS).contains(&threads) => threads,
            Some(_) => {
                let message = format!("`threads` lies between 1 and {MOST_THREADS}");
                return Err(PyValueError::new_err(message));
            }
        };
        Ok(PyPipe {
            parsing: self.parsing.clone(),
            texts: Some(texts.try_iter()?.unbind()),
            pool: None,
            ready: VecDeque::new(),
            batch: threads,
            threads,
            returns_errors,
        })
    }

    /// Begins to parse a text step by step.
    #[pyo3(signature = (text, *, id=None))]
    fn session(&self, py: Python<'_>, text: String, id: Option<String>) -> PyResult<PySession> {
        let document = Document::from_text(id.unwrap_or_default(), text);
        let engine = Arc::clone(&self.parsing.engine);
        detached(py, What::Grammar, move || {
            Ok(PySession::begin(engine, &document))
        })
    }

    fn __repr__(&self) -> String {
        let name = &self.parsing.engine.grammar().name;
        format!("<arsg.Parser {name}, search {}>", self.search)
    }

    #[allow(clippy::type_complexity)]
    fn __reduce__<'py>(
        &self,
        py: Python<'py>,
    ) -> PyResult<(Bound<'py, PyAny>, (Py<PyGrammar>, String, String))> {
        let restore = py.import("arsg._support")?.getattr("restore_parser")?;
        let grammar = self.grammar.clone_ref(py);
        Ok((
            restore,
            (grammar, self.search.clone(), self.structure.clone()),
        ))
    }
}

impl PyParser {
    fn parse(&self, py: Python<'_>, document: Document) -> PyResult<PyTree> {
        let parsing = self.parsing.clone();
        let data = if document.text.len() > LONG_TEXT {
            wait(py, What::Grammar, move |_| parsing.parse(document))
        } else {
            detached(py, What::Grammar, move || parsing.parse(document))
        };
        Ok(PyTree::new(data?))
    }
}

/// A grammar, or a shipped one by its name; `general` where none is given.
pub(crate) fn grammar_from<'py>(
    py: Python<'py>,
    given: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyGrammar>> {
    let Some(given) = given else {
        return named_grammar(py, "general");
    };
    if let Ok(grammar) = given.cast::<PyGrammar>() {
        return Ok(grammar.clone());
    }
    match given.extract::<String>() {
        Ok(name) => named_grammar(py, &name),
        Err(_) => Err(PyTypeError::new_err(
            "a grammar is an `arsg.Grammar`, or the name of a shipped one",
        )),
    }
}

fn named_grammar<'py>(py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyGrammar>> {
    if arsg::project::is_path(name) && std::path::Path::new(name).exists() {
        let message = format!("`{name}` is a file: `arsg.Grammar.load` reads it");
        return Err(plain_error(py, "UsageError", &message));
    }
    let own = name.to_owned();
    let grammar = detached(py, What::Grammar, move || PyGrammar::from_name(&own))?;
    Bound::new(py, grammar)
}

/// A `datetime.date`, or a text that begins `YYYY-MM-DD`.
pub(crate) fn date_from(date: Option<&Bound<'_, PyAny>>) -> PyResult<Option<jiff::civil::Date>> {
    let Some(date) = date else { return Ok(None) };
    let written = date.str()?.to_string();
    let day = written.get(..10).unwrap_or(&written);
    let day = day.parse().map_err(|_| {
        PyValueError::new_err(format!("`{written}` is no date; write it as 2019-09-01"))
    })?;
    Ok(Some(day))
}

/// EDUs, or paragraphs of EDUs.
fn paragraphs_from(edus: &Bound<'_, PyAny>) -> PyResult<Vec<Vec<String>>> {
    if edus.is_instance_of::<PyString>() {
        let message = "`edus` is a string: give a list of EDUs, or call the parser";
        return Err(PyTypeError::new_err(message));
    }
    let mut paragraphs = Vec::new();
    let mut open: Vec<String> = Vec::new();
    for item in edus.try_iter()? {
        let item = item?;
        match edu_from(&item)? {
            Some(edu) => open.push(edu),
            None => {
                paragraphs.extend((!open.is_empty()).then(|| std::mem::take(&mut open)));
                let mut paragraph = Vec::new();
                for edu in item.try_iter()? {
                    let wrong = || PyTypeError::new_err("an EDU is a string or an `arsg.Edu`");
                    paragraph.push(edu_from(&edu?)?.ok_or_else(wrong)?);
                }
                paragraphs.push(paragraph);
            }
        }
    }
    paragraphs.extend((!open.is_empty()).then_some(open));
    Ok(paragraphs)
}

/// A string, or something with a text (an `arsg.Edu`).
fn edu_from(item: &Bound<'_, PyAny>) -> PyResult<Option<String>> {
    if item.is_instance_of::<PyString>() {
        return item.extract().map(Some);
    }
    match item.getattr_opt("text")? {
        Some(text) => text.extract().map(Some),
        None => Ok(None),
    }
}

/// Trees of many texts, lazily and in their order.
#[pyclass(name = "Pipe", module = "arsg")]
pub(crate) struct PyPipe {
    parsing: Parsing,
    /// The texts to come; none when they are at their end.
    texts: Option<Py<PyIterator>>,
    pool: Option<Arc<ThreadPool>>,
    ready: VecDeque<Ready>,
    /// How many texts are parsed together next.
    batch: usize,
    threads: usize,
    returns_errors: bool,
}

/// What became of a text.
enum Ready {
    Tree(Box<TreeData>),
    /// It cannot be parsed.
    Failed(Failure),
    /// It is no text.
    Wrong(PyErr),
    /// The texts themselves could not be read on.
    Broken(PyErr),
}

/// A text, as it came from Python.
enum Job {
    Parse(Document),
    Wrong(PyErr),
}

#[pymethods]
impl PyPipe {
    fn __iter__(slf: PyRef<'_, Self>) -> PyRef<'_, Self> {
        slf
    }

    fn __next__(&mut self, py: Python<'_>) -> PyResult<Option<Py<PyAny>>> {
        if self.ready.is_empty() {
            self.parse_batch(py)?;
        }
        let error = match self.ready.pop_front() {
            None => return Ok(None),
            Some(Ready::Tree(data)) => {
                return Ok(Some(Py::new(py, PyTree::new(*data))?.into_any()));
            }
            Some(Ready::Broken(error)) => return Err(error),
            Some(Ready::Wrong(error)) => error,
            Some(Ready::Failed(failure)) => failure.into_py(py, What::Grammar),
        };
        if self.returns_errors {
            Ok(Some(error.into_value(py).into_any()))
        } else {
            Err(error)
        }
    }
}

impl PyPipe {
    /// Parses the next texts. The first ones are few, so that the first tree comes soon.
    fn parse_batch(&mut self, py: Python<'_>) -> PyResult<()> {
        let (jobs, broken) = self.next_jobs(py);
        if !jobs.is_empty() {
            let pool = self.pool()?;
            let parsing = self.parsing.clone();
            let work = move |stop: &Stop| {
                let done = pool.install(|| {
                    let jobs = jobs.into_par_iter().with_max_len(1);
                    let done = jobs.map(|job| do_job(&parsing, job, stop));
                    done.collect::<Vec<_>>()
                });
                Ok(done)
            };
            self.ready.extend(wait(py, What::Grammar, work)?);
        }
        self.ready.extend(broken.map(Ready::Broken));
        self.batch = (2 * self.batch).min(MOST_A_THREAD * self.threads);
        Ok(())
    }

    fn next_jobs(&mut self, py: Python<'_>) -> (Vec<Job>, Option<PyErr>) {
        let mut jobs = Vec::new();
        let mut bytes = 0;
        while jobs.len() < self.batch && bytes < MOST_BYTES {
            let Some(texts) = &self.texts else { break };
            let item = texts.bind(py).clone().next();
            match item {
                None => self.texts = None,
                Some(Err(error)) => {
                    self.texts = None;
                    return (jobs, Some(error));
                }
                Some(Ok(item)) => jobs.push(match document_from(&item) {
                    Ok(document) => {
                        bytes += document.text.len();
                        Job::Parse(document)
                    }
                    Err(error) => Job::Wrong(error),
                }),
            }
        }
        (jobs, None)
    }

    fn pool(&mut self) -> PyResult<Arc<ThreadPool>> {
        if let Some(pool) = &self.pool {
            return Ok(Arc::clone(pool));
        }
        let pool = ThreadPoolBuilder::new().num_threads(self.threads).build();
        let pool = pool.map_err(|error| PyValueError::new_err(error.to_string()))?;
        Ok(Arc::clone(self.pool.insert(Arc::new(pool))))
    }
}

fn do_job(parsing: &Parsing, job: Job, stop: &Stop) -> Ready {
    let document = match job {
        Job::Parse(document) => document,
        Job::Wrong(error) => return Ready::Wrong(error),
    };
    let parsed = guarded(|| {
        if stop.is_set() {
            // Nobody waits for it any more.
            return Err(Failure::Panic("stopped".to_owned()));
        }
        parsing.parse(document)
    });
    match parsed {
        Ok(data) => Ready::Tree(Box::new(data)),
        Err(failure) => Ready::Failed(failure),
    }
}

/// A text, a pair of an id and a text, or a document as plain data.
pub(crate) fn document_from(item: &Bound<'_, PyAny>) -> PyResult<Document> {
    if let Ok(text) = item.cast::<PyString>() {
        return Ok(Document::from_text("", text.extract::<String>()?));
    }
    if let Ok(pair) = item.cast::<PyTuple>()
        && let Ok((id, text)) = pair.extract::<(Bound<'_, PyString>, Bound<'_, PyString>)>()
    {
        let (id, text) = (id.extract::<String>()?, text.extract::<String>()?);
        return Ok(Document::from_text(id, text));
    }
    if let Ok(data) = item.cast::<PyDict>() {
        let dumps = item.py().import("json")?.getattr("dumps")?;
        return document_of_json(dumps.call1((data,))?.extract()?);
    }
    let kind = item.get_type().name()?;
    Err(PyTypeError::new_err(format!(
        "a text is a string, a pair of an id and a string, or a document as a `dict`, not `{kind}`"
    )))
}

/// A document as `arsg import` writes it.
fn document_of_json(json: String) -> PyResult<Document> {
    let input = Box::new(Cursor::new(json.into_bytes()));
    let mut read = Reader::new(input, "document", Some(Format::JsonLines))
        .map_err(|error| PyValueError::new_err(error.to_string()))?;
    match read.next() {
        Some(Ok(document)) => Ok(document),
        Some(Err(skip)) => Err(PyValueError::new_err(skip.detail)),
        None => Err(PyValueError::new_err("the document is empty")),
    }
}
