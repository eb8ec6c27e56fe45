//! Parsing step by step.

use std::sync::{Arc, Mutex, PoisonError};

use arsg::automaton::{Counting, Outcome, Session};
use arsg::grammar::{Action, Pattern, Roles};
use arsg::schema::RhetoricId;
use arsg::{Document, Engine};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};

use crate::errors::{Failure, What, plain_error};
use crate::parser::{grammar_from, places_of};
use crate::tree::{PyTree, TreeData};
use crate::waiting::detached;

/// A parse that a person (or a program) drives: shift, reduce, back again, with suggestions.
///
/// >>> import arsg
/// >>> session = arsg.Session("因为需求减少，国际油价下跌。", "finance")
/// >>> session.shift(); session.shift()
/// >>> best = session.suggestions()[0]
/// >>> best.action, best.relation, best.roles
/// ('reduce', 'causal-cause', 'SN')
/// >>> session.reduce("causal-cause", "SN")
/// >>> session.is_complete
/// True
/// >>> session.tree().root.relation
/// 'causal-cause'
#[pyclass(frozen, name = "Session", module = "arsg")]
pub(crate) struct PySession {
    session: Mutex<Session>,
    text: String,
    places: Vec<(usize, usize)>,
}

impl PySession {
    /// Reads a text and begins.
    pub(crate) fn begin(engine: Arc<Engine>, document: &Document) -> PySession {
        let analyzer = engine.analyzer();
        let structured = analyzer.structured(document);
        let analysis = analyzer.analyze(&structured);
        let measured = arsg::automaton::Text::new(&structured, &analysis, engine.schema());
        PySession {
            places: places_of(&structured.text, &analysis),
            text: structured.text.clone(),
            session: Mutex::new(Session::new(
                engine,
                Arc::new(measured),
                Counting::default(),
            )),
        }
    }

    /// Works on the session. It is never left half changed, so a panic elsewhere does not matter.
    fn with<T: Send>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&mut Session) -> arsg::Result<T> + Send,
    ) -> PyResult<T> {
        detached(py, What::Grammar, || {
            let mut session = self.session.lock().unwrap_or_else(PoisonError::into_inner);
            work(&mut session).map_err(Failure::Error)
        })
    }
}

/// An item of the stack, in plain values.
struct OnStack {
    first: u32,
    last: u32,
    symbol: String,
    relation: Option<String>,
}

/// A suggestion, in plain values.
struct Suggested {
    action: &'static str,
    relation: Option<String>,
    roles: Option<&'static str>,
    symbol: Option<String>,
    probability: f64,
    rule: Option<String>,
}

#[pymethods]
impl PySession {
    /// Begins a text, with a grammar or a shipped one by its name.
    #[new]
    #[pyo3(signature = (text, grammar=None, *, id=None))]
    fn new(
        py: Python<'_>,
        text: String,
        grammar: Option<&Bound<'_, PyAny>>,
        id: Option<String>,
    ) -> PyResult<PySession> {
        let grammar = grammar_from(py, grammar)?;
        let engine = Arc::clone(&grammar.get().engine);
        let document = Document::from_text(id.unwrap_or_default(), text);
        detached(py, What::Grammar, move || {
            Ok(PySession::begin(engine, &document))
        })
    }

    /// The EDUs of the text.
    #[getter]
    fn edus<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let edus = self.with(py, |session| Ok(session.text().edus.clone()))?;
        crate::tree::edu_list(py, &edus, &self.places)
    }

    /// The nodes on the stack, the topmost last.
    #[getter]
    fn stack<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let stack = self.with(py, |session| {
            let schema = session.engine().schema();
            let nodes = session.stack().into_iter().rev();
            let nodes = nodes.filter_map(|at| session.node(at)).map(|node| OnStack {
                first: node.first,
                last: node.last,
                symbol: schema.relation_name(node.symbol).to_owned(),
                relation: node.joined.as_ref().and_then(|joined| {
                    let known = schema.rhetoric_of(joined.relation);
                    known.map(|relation| relation.name.clone())
                }),
            });
            Ok(nodes.collect::<Vec<_>>())
        })?;
        let class = py.import("arsg._results")?.getattr("StackItem")?;
        let list = PyList::empty(py);
        for node in stack {
            let place = |at: u32| self.places.get(at as usize).copied().unwrap_or_default();
            let (start, end) = (place(node.first).0, place(node.last).1);
            let text: String = self
                .text
                .chars()
                .skip(start)
                .take(end.saturating_sub(start))
                .collect();
            let item = (node.first, node.last + 1, node.symbol, node.relation, text);
            list.append(class.call1(item)?)?;
        }
        Ok(list)
    }

    /// The place of the next EDU of the input; none at the end.
    #[getter]
    fn next_edu(&self, py: Python<'_>) -> PyResult<Option<u32>> {
        self.with(py, |session| Ok(session.next_edu()))
    }

    /// True when one tree covers the text.
    #[getter]
    fn is_complete(&self, py: Python<'_>) -> PyResult<bool> {
        self.with(py, |session| Ok(session.is_complete()))
    }

    /// What can be done now and how probable it is, the most probable first.
    fn suggestions<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let suggestions = self.with(py, |session| {
            let grammar = session.engine().grammar();
            let schema = &grammar.schema;
            let all = session.suggestions().into_iter().map(|one| Suggested {
                action: if one.action == Action::Shift {
                    "shift"
                } else {
                    "reduce"
                },
                relation: one.outcome.and_then(|outcome| {
                    let known = schema.rhetoric_of(outcome.relation);
                    known.map(|relation| relation.name.clone())
                }),
                roles: one.outcome.map(|outcome| outcome.roles.as_str()),
                symbol: one.outcome.and_then(|outcome| match outcome.parent {
                    Pattern::Symbol(symbol) => Some(schema.relation_name(symbol).to_owned()),
                    Pattern::Any => None,
                }),
                probability: one.probability,
                rule: one.rule.and_then(|at| {
                    let production = grammar.productions.get(at as usize)?;
                    Some(production.rule.id.to_string())
                }),
            });
            Ok(all.collect::<Vec<_>>())
        })?;
        let class = py.import("arsg._results")?.getattr("Suggestion")?;
        let list = PyList::empty(py);
        for one in suggestions {
            let fields = PyDict::new(py);
            fields.set_item("action", one.action)?;
            fields.set_item("relation", one.relation)?;
            fields.set_item("roles", one.roles)?;
            fields.set_item("symbol", one.symbol)?;
            fields.set_item("probability", one.probability)?;
            fields.set_item("rule", one.rule)?;
            list.append(class.call((), Some(&fields))?)?;
        }
        Ok(list)
    }

    /// Takes the next EDU on the stack.
    fn shift(&self, py: Python<'_>) -> PyResult<()> {
        self.with(py, Session::shift)
    }

    /// Joins the two topmost nodes by a relation, whether the grammar knows the outcome or not.
    /// ``roles`` are ``NS``, ``SN`` or ``NN``; without them the usual ones of the relation.
    #[pyo3(signature = (relation, roles=None, *, symbol=None))]
    fn reduce(
        &self,
        py: Python<'_>,
        relation: &str,
        roles: Option<&str>,
        symbol: Option<&str>,
    ) -> PyResult<()> {
        let engine = self.with(py, |session| Ok(Arc::clone(session.engine())))?;
        let schema = engine.schema();
        let unknown = |what: &str, name: &str, suggested: Option<&str>| {
            let meant = suggested.map_or(String::new(), |near| format!("; did you mean `{near}`?"));
            let message = format!("the schema `{}` has no {what} `{name}`{meant}", schema.name);
            plain_error(py, "UsageError", &message)
        };
        let all = || schema.rhetoric.iter().map(|known| known.name.as_str());
        let at = all().position(|known| known == relation).ok_or_else(|| {
            let near = arsg::diagnostic::nearest(relation, all());
            unknown("relation", relation, near)
        })?;
        let kind = schema.rhetoric.get(at).map(|known| known.kind);
        let roles = match roles {
            Some("NS") => Roles::NucleusSatellite,
            Some("SN") => Roles::SatelliteNucleus,
            Some("NN") => Roles::NucleusNucleus,
            Some(other) => {
                let message = format!("`{other}` is none of `NS`, `SN`, `NN`");
                return Err(plain_error(py, "UsageError", &message));
            }
            None => kind.map_or(Roles::NucleusNucleus, Roles::usual),
        };
        if !kind.is_some_and(|kind| roles.fit(kind)) {
            let message = format!("`{relation}` cannot have the roles {roles}");
            return Err(plain_error(py, "UsageError", &message));
        }
        let parent = match symbol {
            None => Pattern::Any,
            Some(name) => {
                let known = schema.relation(name);
                Pattern::Symbol(known.ok_or_else(|| unknown("symbol", name, None))?)
            }
        };
        let outcome = Outcome {
            parent,
            relation: RhetoricId::new(at),
            roles,
        };
        self.with(py, |session| session.reduce(outcome).map(|_| ()))
    }

    /// Takes the last action back; false when there is none.
    fn undo(&self, py: Python<'_>) -> PyResult<bool> {
        self.with(py, |session| Ok(session.undo()))
    }

    /// Does again what was taken back last; false when there is nothing.
    fn redo(&self, py: Python<'_>) -> PyResult<bool> {
        self.with(py, |session| Ok(session.redo()))
    }

    /// The finished tree.
    fn tree(&self, py: Python<'_>) -> PyResult<PyTree> {
        let tree = self.with(py, |session| {
            if session.is_complete() && !session.text().is_empty() {
                return session.tree();
            }
            let message = "the parse is not finished: not everything is joined";
            Err(arsg::Error::Usage(message.to_owned()))
        })?;
        Ok(PyTree::new(TreeData {
            tree,
            text: self.text.clone(),
            places: self.places.clone(),
            made: None,
        }))
    }
}
