//! Grammars and schemas, loaded so that they can be taken to another process.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use arsg::files::{Disk, Files, Memory};
use arsg::grammar::{check_paths, embedded_path, named_path};
use arsg::schema::{Schema, embedded_schema};
use arsg::{Engine, Error, Grammar};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};

use crate::errors::{Failure, What, diagnostics};
use crate::waiting::detached;

/// Where a grammar lies that came as a text.
const INLINE: &str = "grammars/text.arsg";

/// Where the text of a grammar is, for another process.
#[derive(Debug, Clone)]
pub(crate) enum Origin {
    /// It ships with arsg.
    Shipped(String),
    /// Files: the grammar's path, and the texts of all that was read for it.
    Files(PathBuf, BTreeMap<PathBuf, String>),
}

/// A grammar, compiled.
#[pyclass(frozen, name = "Grammar", module = "arsg")]
pub(crate) struct PyGrammar {
    pub(crate) engine: Arc<Engine>,
    origin: Origin,
    warnings: Vec<arsg::Diagnostic>,
}

/// Files that remember what was read from them.
struct Remembering<'f> {
    files: &'f dyn Files,
    read: Mutex<BTreeMap<PathBuf, String>>,
}

impl Files for Remembering<'_> {
    fn read(&self, path: &Path) -> arsg::Result<String> {
        let text = self.files.read(path)?;
        if let Ok(mut read) = self.read.lock() {
            read.insert(path.to_owned(), text.clone());
        }
        Ok(text)
    }

    fn may_read(&self, root: &Path, path: &Path) -> bool {
        self.files.may_read(root, path)
    }
}

impl PyGrammar {
    /// Loads a grammar from any files.
    pub(crate) fn from_files(root: &Path, files: &dyn Files) -> Result<PyGrammar, Failure> {
        let remembering = Remembering {
            files,
            read: Mutex::default(),
        };
        let loaded = Grammar::load(root, &remembering, None)?;
        let all = loaded.check();
        let warnings = all.into_iter().filter(|problem| !problem.is_error());
        let warnings = warnings.collect();
        let engine = Arc::new(Engine::new(loaded.into_result()?));
        let read = remembering.read.into_inner().unwrap_or_default();
        Ok(PyGrammar {
            engine,
            origin: Origin::Files(root.to_owned(), read),
            warnings,
        })
    }

    /// A shipped grammar.
    pub(crate) fn from_name(name: &str) -> Result<PyGrammar, Failure> {
        let path = embedded_path(name)?;
        let grammar = Grammar::load(path, &Memory::new(), None)?.into_result()?;
        Ok(PyGrammar {
            engine: Arc::new(Engine::new(grammar)),
            origin: Origin::Shipped(name.to_owned()),
            warnings: Vec::new(),
        })
    }

    /// A grammar from a text that stands beside the shipped ones.
    pub(crate) fn from_string(text: &str) -> Result<PyGrammar, Failure> {
        let files = arsg::grammar::embedded_files();
        PyGrammar::from_files(Path::new(INLINE), &files.with(INLINE, text))
    }
}

#[pymethods]
impl PyGrammar {
    /// A grammar that ships with arsg: ``general`` reads texts of any kind, ``finance`` finance news.
    ///
    /// >>> import arsg
    /// >>> arsg.Grammar.shipped("general").name
    /// 'general'
    /// >>> arsg.Grammar.shipped("genral")
    /// Traceback (most recent call last):
    ///     ...
    /// arsg.UsageError: ...
    #[staticmethod]
    fn shipped(py: Python<'_>, name: String) -> PyResult<PyGrammar> {
        detached(py, What::Grammar, move || PyGrammar::from_name(&name))
    }

    /// Loads a grammar file with its schema and modules. What is wrong with it is in
    /// ``GrammarError.diagnostics``. It reads nothing outside its project unless ``allow_outside``.
    #[staticmethod]
    #[pyo3(signature = (path, *, allow_outside=false))]
    fn load(py: Python<'_>, path: PathBuf, allow_outside: bool) -> PyResult<PyGrammar> {
        detached(py, What::Grammar, move || {
            let disk = Disk {
                anywhere: allow_outside,
            };
            PyGrammar::from_files(&path, &disk)
        })
    }

    /// Reads a grammar from a text. It may name shipped schemas and use shipped grammars.
    ///
    /// >>> import arsg
    /// >>> grammar = arsg.Grammar.from_text('''
    /// ... schema "finance"
    /// ... _[joint-list]   <- _:N _:N  x 2
    /// ... _[causal-cause] <- _:S _:N  x 5  when A.cue = because
    /// ... ''')
    /// >>> arsg.Parser(grammar)("因为需求减少，国际油价下跌。").root.relation
    /// 'causal-cause'
    #[staticmethod]
    fn from_text(py: Python<'_>, text: String) -> PyResult<PyGrammar> {
        detached(py, What::Grammar, move || PyGrammar::from_string(&text))
    }

    /// The names of the shipped grammars and their modules.
    #[staticmethod]
    fn names() -> Vec<&'static str> {
        arsg::grammar::embedded_grammar_names().collect()
    }

    /// Its name.
    #[getter]
    fn name(&self) -> &str {
        &self.engine.grammar().name
    }

    /// Its version, where it has one.
    #[getter]
    fn version(&self) -> Option<&str> {
        self.engine.grammar().version.as_deref()
    }

    /// The name of its schema.
    #[getter]
    fn schema(&self) -> &str {
        &self.engine.schema().name
    }

    /// What tells it, with its schema, from any other grammar, whatever the layout.
    #[getter]
    fn hash(&self) -> &str {
        self.engine.hash()
    }

    /// The ids of its rules, in the order of the file.
    #[getter]
    fn rules(&self) -> Vec<String> {
        let rules = self.engine.grammar().rules();
        rules.map(|rule| rule.rule().id.to_string()).collect()
    }

    /// The relations that its schema knows.
    #[getter]
    fn relations(&self) -> Vec<&str> {
        let all = self.engine.schema().rhetoric.iter();
        all.map(|relation| relation.name.as_str()).collect()
    }

    /// Warnings about it.
    #[getter]
    fn warnings<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        diagnostics(py, &self.warnings)
    }

    /// The whole grammar, laid out canonically in one text.
    fn to_text(&self) -> String {
        self.engine.grammar().to_text()
    }

    fn __repr__(&self) -> String {
        let grammar = self.engine.grammar();
        format!(
            "<arsg.Grammar {} ({} rules and rows)>",
            grammar.name,
            grammar.size()
        )
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        let other = other.cast::<PyGrammar>();
        other.is_ok_and(|other| other.get().engine.hash() == self.engine.hash())
    }

    fn __hash__(&self) -> u64 {
        u64::from_str_radix(self.engine.hash(), 16).unwrap_or_default()
    }

    #[allow(clippy::type_complexity)]
    fn __reduce__<'py>(
        &self,
        py: Python<'py>,
    ) -> PyResult<(Bound<'py, PyAny>, (String, Option<Bound<'py, PyDict>>))> {
        let restore = py.import("arsg._support")?.getattr("restore_grammar")?;
        Ok(match &self.origin {
            Origin::Shipped(name) => (restore, (name.clone(), None)),
            Origin::Files(root, files) => {
                let texts = PyDict::new(py);
                for (path, text) in files {
                    texts.set_item(path.display().to_string(), text)?;
                }
                (restore, (root.display().to_string(), Some(texts)))
            }
        })
    }
}

/// A grammar as another process had it: shipped, or from the texts of its files.
#[pyfunction]
pub(crate) fn restore_grammar(
    py: Python<'_>,
    root: String,
    files: Option<BTreeMap<String, String>>,
) -> PyResult<PyGrammar> {
    detached(py, What::Grammar, move || match files {
        None => PyGrammar::from_name(&root),
        Some(files) => {
            let put =
                |memory: Memory<'static>, (path, text): (String, String)| memory.with(path, text);
            let memory = files.into_iter().fold(Memory::new(), put);
            PyGrammar::from_files(Path::new(&root), &memory)
        }
    })
}

/// What is wrong with grammars and schemas: files, folders, or shipped grammars by name.
#[pyfunction]
#[pyo3(signature = (paths, schema=None, allow_outside=false))]
pub(crate) fn check<'py>(
    py: Python<'py>,
    paths: Vec<PathBuf>,
    schema: Option<String>,
    allow_outside: bool,
) -> PyResult<Bound<'py, PyList>> {
    let checked = detached(py, What::Grammar, move || {
        let disk = Disk {
            anywhere: allow_outside,
        };
        let schema = schema.as_deref().map(load_schema).transpose()?;
        let paths: Vec<PathBuf> = paths.iter().map(|path| named_path(path)).collect();
        Ok(check_paths(&paths, &disk, schema)?)
    })?;
    diagnostics(py, &checked.diagnostics)
}

/// A shipped schema by its name, or a schema file.
pub(crate) fn load_schema(name: &str) -> Result<Arc<Schema>, Error> {
    let schema = if arsg::project::is_path(name) {
        Schema::read(name)?.into_result()?
    } else {
        embedded_schema(name)?
    };
    Ok(Arc::new(schema))
}
