//! Grammars learned from trees, and trees scored.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use arsg::automaton::ParseOptions;
use arsg::behavior::{Example, Induction, document_of_tree, read_examples};
use arsg::files::{Disk, Memory};
use arsg::grammar::Decide;
use arsg::text::Analyzer;
use arsg::tree::{ParsevalOptions, RelationGrain, Tree, pair_by_id, parseval as score};
use arsg::{Error, Grammar, Schema};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyList;

use crate::errors::{Failure, What, diagnostics, error_to_py};
use crate::grammar::{PyGrammar, load_schema};
use crate::tree::PyTree;
use crate::waiting::{detached, wait, with_threads};

/// What a grammar is learned from.
enum Material {
    Files(PathBuf, Option<PathBuf>),
    Trees(Vec<Tree>),
}

/// Trees, one or several, as they come from Python.
fn trees_from(trees: &Bound<'_, PyAny>) -> PyResult<Vec<Tree>> {
    if let Ok(one) = trees.cast::<PyTree>() {
        return Ok(vec![one.get().data.tree.clone()]);
    }
    let mut all = Vec::new();
    for item in trees.try_iter()? {
        let item = item?;
        let tree = item.cast::<PyTree>().map_err(|_| {
            let kind = item.get_type().to_string();
            PyTypeError::new_err(format!("a tree is wanted, not {kind}"))
        })?;
        all.push(tree.get().data.tree.clone());
    }
    Ok(all)
}

/// How a grammar is learned, as Python says it.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct InduceOptions {
    schema: String,
    decide: String,
    compact: Option<usize>,
    tables: Option<usize>,
    boundary: bool,
    gold_only: bool,
    seed: u64,
    name: Option<String>,
    threads: usize,
}

/// Learns a grammar from trees; what is odd in them comes back as well.
#[pyfunction]
pub(crate) fn induce<'py>(
    py: Python<'py>,
    trees: &Bound<'py, PyAny>,
    docs: Option<PathBuf>,
    keep: Option<&Bound<'py, PyGrammar>>,
    options: InduceOptions,
) -> PyResult<(PyGrammar, Bound<'py, PyList>, Vec<String>)> {
    let material = match trees.extract::<PathBuf>() {
        Ok(path) => Material::Files(path, docs),
        Err(_) => Material::Trees(trees_from(trees)?),
    };
    let decide: Decide = options
        .decide
        .parse()
        .map_err(|error: arsg::named::UnknownName| PyValueError::new_err(error.to_string()))?;
    let mut how = Induction::default();
    how.decide = decide;
    how.compact = options.compact;
    how.boundary = options.boundary;
    how.seed = options.seed;
    how.parsing = ParseOptions::default();
    how.weights.error_states = !options.gold_only;
    if let Some(most) = options.tables {
        how.weights.most_tables = most;
    }
    how.kept = keep.map(|kept| Arc::new(kept.get().engine.grammar().clone()));
    let (grammar, warnings, notes) = wait(py, What::Tree, move |stop| {
        with_threads(options.threads, || {
            let schema = load_schema(&options.schema)?;
            let (examples, warnings, notes) = read_material(material, &schema)?;
            let all: Vec<&Example> = examples.iter().collect();
            stop.leave_if_set();
            let induced = how.induce_watched(&all, &schema, &|_, _| stop.leave_if_set());
            let mut grammar = induced.grammar;
            if let Some(name) = options.name {
                grammar.name = name;
            }
            Ok((as_loaded(grammar, &options.schema)?, warnings, notes))
        })
    })?;
    Ok((grammar, diagnostics(py, &warnings)?, notes))
}

type Examples = (Vec<Example>, Vec<arsg::Diagnostic>, Vec<String>);

fn read_material(material: Material, schema: &Arc<Schema>) -> Result<Examples, Error> {
    let trees = match material {
        Material::Files(trees, docs) => {
            let read = read_examples(&trees, docs.as_deref(), schema)?;
            return Ok((read.examples, read.warnings, read.notes));
        }
        Material::Trees(trees) => trees,
    };
    if trees.is_empty() {
        return Err(Error::Empty("there is no tree to learn from".to_owned()));
    }
    let analyzer = Analyzer::new(schema);
    let example = |tree: Tree| Example::new(document_of_tree(&tree), tree, &analyzer, schema);
    let examples: Result<Vec<Example>, Error> = trees.into_iter().map(example).collect();
    Ok((examples?, Vec::new(), Vec::new()))
}

/// A grammar that was learned, as if it had been written to a file beside its schema and read.
fn as_loaded(mut grammar: Grammar, schema: &str) -> Result<PyGrammar, Failure> {
    let path = Path::new(schema);
    if !arsg::project::is_path(schema) {
        grammar.schema_path = schema.to_owned();
        return PyGrammar::from_string(&grammar.to_text());
    }
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    grammar.schema_path = name.into_owned();
    let own = path.with_file_name("learned.arsg");
    let disk = Disk::default();
    let files = Memory::over(&disk).with(&own, grammar.to_text());
    PyGrammar::from_files(&own, &files)
}

/// How trees are scored, as Python says it.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct ScoreOptions {
    schema: String,
    fine: bool,
    root: bool,
    bootstrap: usize,
    seed: u64,
}

/// Scores predicted trees against gold trees: the report as JSON, as people read it, and what could
/// not be compared.
#[pyfunction]
pub(crate) fn parseval<'py>(
    py: Python<'py>,
    gold: &Bound<'py, PyAny>,
    predicted: &Bound<'py, PyAny>,
    how: ScoreOptions,
) -> PyResult<(String, String, Bound<'py, PyList>)> {
    let (mut gold, mut predicted) = (trees_from(gold)?, trees_from(predicted)?);
    let nameless = |trees: &[Tree]| {
        let mut ids = trees.iter().map(|tree| tree.id.as_deref());
        ids.all(|id| id.is_none_or(str::is_empty))
    };
    // Trees without ids belong together by their order.
    if nameless(&gold) && nameless(&predicted) {
        if gold.len() != predicted.len() {
            let (gold, predicted) = (gold.len(), predicted.len());
            return Err(PyValueError::new_err(format!(
                "trees without ids are compared in their order, and there are {gold} gold trees \
                 and {predicted} predicted ones"
            )));
        }
        for trees in [&mut gold, &mut predicted] {
            for (at, tree) in trees.iter_mut().enumerate() {
                tree.id = Some(format!("{:08}", at + 1).into());
            }
        }
    }
    let options = ParsevalOptions::default()
        .grain(if how.fine {
            RelationGrain::Fine
        } else {
            RelationGrain::Coarse
        })
        .root(how.root)
        .bootstrap(how.bootstrap)
        .seed(how.seed);
    let (report, problems) = detached(py, What::Tree, move || {
        let schema = load_schema(&how.schema)?;
        let (pairs, mut problems) = pair_by_id(gold, predicted);
        let (report, more) = score(&pairs, &options, Some(&schema));
        problems.extend(more);
        Ok((report, problems))
    })?;
    if report.documents.is_empty() {
        let error = if problems.is_empty() {
            Error::Empty("there are no two trees to compare".to_owned())
        } else {
            Error::Invalid(problems)
        };
        return Err(error_to_py(py, &error, What::Tree));
    }
    let told = diagnostics(py, &problems)?;
    Ok((report.to_json().to_string(), report.to_text(&[]), told))
}
