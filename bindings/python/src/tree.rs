//! Trees and their nodes.

use std::path::PathBuf;
use std::sync::Arc;

use arsg::automaton::ParseOptions;
use arsg::automaton::explain::{Explainer, StepTable, detail_text, explanation_html};
use arsg::diagnostic::{Source, any_error};
use arsg::tree::{self, Format, NodeId, TextDrawing, Tree, Value, WriteOptions};
use arsg::{Document, Engine, Error};
use pyo3::exceptions::{PyIndexError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PySet};

use crate::errors::{What, diagnostics, error_to_py, plain_error};
use crate::waiting::detached;

/// A tree with the text it stands over.
#[derive(Debug)]
pub(crate) struct TreeData {
    pub(crate) tree: Tree,
    /// The text; that of a tree from a file is its EDUs, a line a paragraph.
    pub(crate) text: String,
    /// Where each EDU stands in the text, in characters.
    pub(crate) places: Vec<(usize, usize)>,
    /// How it was made, where a parser of this process made it.
    pub(crate) made: Option<Made>,
}

/// What is needed to make a tree again and explain it.
#[derive(Debug)]
pub(crate) struct Made {
    pub(crate) engine: Arc<Engine>,
    pub(crate) document: Document,
    pub(crate) options: ParseOptions,
    pub(crate) log_probability: f64,
}

impl TreeData {
    /// A tree of which nothing is known but what it says itself.
    pub(crate) fn of_tree(tree: Tree) -> TreeData {
        let mut text = String::new();
        let mut places = Vec::with_capacity(tree.edus.len());
        let mut at = 0;
        let mut block = None;
        for edu in &tree.edus {
            if at > 0 && edu.block != block {
                text.push('\n');
                at += 1;
            }
            block = edu.block;
            text.push_str(&edu.text);
            let end = at + edu.text.chars().count();
            places.push((at, end));
            at = end;
        }
        TreeData {
            tree,
            text,
            places,
            made: None,
        }
    }

    fn place(&self, span: tree::EduSpan) -> (usize, usize) {
        let places = self.places.get(span.range()).unwrap_or_default();
        let start = places.first().map_or(0, |place| place.0);
        (start, places.last().map_or(start, |place| place.1))
    }

    fn write(&self, format: Format) -> String {
        tree::write(&self.tree, format, &WriteOptions::default())
    }
}

/// Characters from one place to another.
fn characters(text: &str, (start, end): (usize, usize)) -> String {
    text.chars()
        .skip(start)
        .take(end.saturating_sub(start))
        .collect()
}

/// A rhetorical tree over the EDUs of one text.
///
/// >>> import arsg
/// >>> tree = arsg.Parser("finance")("因为需求减少，国际油价下跌。")
/// >>> [edu.text for edu in tree.edus]
/// ['因为需求减少，', '国际油价下跌。']
/// >>> tree.root.relation, tree.root.nuclearity
/// ('causal-cause', 'SN')
/// >>> start, end = tree.root.children[1].span
/// >>> tree.text[start:end]
/// '国际油价下跌。'
#[pyclass(frozen, name = "Tree", module = "arsg")]
pub(crate) struct PyTree {
    pub(crate) data: Arc<TreeData>,
}

impl PyTree {
    pub(crate) fn new(data: TreeData) -> PyTree {
        PyTree {
            data: Arc::new(data),
        }
    }

    fn node(&self, id: NodeId) -> PyNode {
        PyNode {
            data: Arc::clone(&self.data),
            id,
        }
    }

    fn made(&self, py: Python<'_>) -> PyResult<&Made> {
        self.data.made.as_ref().ok_or_else(|| {
            let message = "only a tree that a parser of this process made can be explained; parse the text again";
            plain_error(py, "UsageError", message)
        })
    }
}

#[pymethods]
impl PyTree {
    /// The text's id, where it has one.
    #[getter]
    fn id(&self) -> Option<&str> {
        self.data.tree.id.as_deref()
    }

    /// The text. That of a tree from a file is put together from its EDUs.
    #[getter]
    fn text(&self) -> &str {
        &self.data.text
    }

    /// The elementary discourse units in text order.
    #[getter]
    fn edus<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        edu_list(py, &self.data.tree.edus, &self.data.places)
    }

    /// The node over the whole text.
    #[getter]
    fn root(&self) -> PyNode {
        self.node(self.data.tree.root())
    }

    /// All nodes from the root down, left to right; a leaf stands over one EDU.
    ///
    /// >>> import arsg
    /// >>> tree = arsg.Parser("finance")("因为需求减少，国际油价下跌。")
    /// >>> [len(node.edus) for node in tree.nodes]
    /// [2, 1, 1]
    #[getter]
    fn nodes(&self) -> Vec<PyNode> {
        let all = self.data.tree.pre_order();
        all.map(|(child, _)| self.node(child.node)).collect()
    }

    /// The leaves in text order.
    #[getter]
    fn leaves(&self) -> Vec<PyNode> {
        self.data
            .tree
            .leaves()
            .map(|(id, _)| self.node(id))
            .collect()
    }

    /// What made the tree, where a parse did: program, grammar and its hash, search.
    #[getter]
    fn origin<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let origin = PyDict::new(py);
        for (key, value) in &self.data.tree.annotations.origin {
            origin.set_item(&**key, &**value)?;
        }
        Ok(origin)
    }

    /// The natural logarithm of the probability of the whole parse, where this process made it.
    #[getter]
    fn log_probability(&self) -> Option<f64> {
        self.data.made.as_ref().map(|made| made.log_probability)
    }

    /// Why a node was made (or a leaf shifted); without a node, all steps in a table.
    ///
    /// >>> import arsg
    /// >>> tree = arsg.Parser("finance")("因为需求减少，国际油价下跌。")
    /// >>> why = tree.explain(tree.root)
    /// >>> why.rule == tree.root.rule
    /// True
    #[pyo3(signature = (node=None, *, all=false, width=140))]
    fn explain<'py>(
        &self,
        py: Python<'py>,
        node: Option<&Bound<'py, PyNode>>,
        all: bool,
        width: usize,
    ) -> PyResult<Bound<'py, PyAny>> {
        let made = self.made(py)?;
        let span = node.map(|node| {
            let node = node.get();
            if Arc::ptr_eq(&node.data, &self.data) {
                Ok(node.node().span())
            } else {
                Err(PyValueError::new_err("the node is one of another tree"))
            }
        });
        let span = span.transpose()?;
        let (told, json) = detached(py, What::Grammar, || {
            let text = made.engine.read(&made.document);
            let steps = made.engine.steps(&text, &made.options);
            let explainer = Explainer::new(&made.engine, &text, &steps, &made.options);
            let Some(span) = span else {
                let table = StepTable {
                    width: width.clamp(20, 10_000),
                };
                let rows: Vec<_> = explainer.rows().collect();
                let lines: String = rows.iter().map(|row| table.row(row)).collect();
                let json = serde_json::json!({ "steps": rows });
                return Ok((table.heading() + &lines, json.to_string()));
            };
            let step = explainer.step_of(span.first(), span.last());
            let detail = step
                .and_then(|step| explainer.detail(step))
                .ok_or_else(|| Error::Missing(format!("no step made a node over EDUs {span}")))?;
            let json = serde_json::json!(detail);
            Ok((detail_text(&detail, all), json.to_string()))
        })?;
        let data = py.import("json")?.getattr("loads")?.call1((json,))?;
        let class = py.import("arsg._results")?.getattr("Explanation")?;
        class.call1((told, data))
    }

    /// A page for browsers with all steps, each of which unfolds.
    fn explain_html(&self, py: Python<'_>) -> PyResult<String> {
        let made = self.made(py)?;
        detached(py, What::Grammar, || {
            let text = made.engine.read(&made.document);
            let steps = made.engine.steps(&text, &made.options);
            let explainer = Explainer::new(&made.engine, &text, &steps, &made.options);
            Ok(explanation_html(&explainer))
        })
    }

    /// The tree as plain data, as `arsg parse --json` writes it.
    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let json = self.data.write(Format::Json);
        py.import("json")?.getattr("loads")?.call1((json,))
    }

    /// The same as a line of JSON.
    fn to_json(&self) -> String {
        self.data.write(Format::Json).trim_end().to_owned()
    }

    /// RSTTool and rstWeb XML.
    fn to_rs3(&self) -> String {
        self.data.write(Format::Rs3)
    }

    /// rs3 with signals and secondary edges.
    fn to_rs4(&self) -> String {
        self.data.write(Format::Rs4)
    }

    /// The bracketed form of the RST Discourse Treebank.
    fn to_dis(&self) -> String {
        self.data.write(Format::Dis)
    }

    /// Discourse dependencies in tab-separated columns.
    fn to_conll_rsd(&self) -> String {
        self.data.write(Format::Rsd)
    }

    /// Brackets that people write by hand, as in regression cases.
    fn to_sexp(&self) -> String {
        self.data.write(Format::Sexp)
    }

    /// A picture for papers.
    fn to_svg(&self) -> String {
        self.data.write(Format::Svg)
    }

    /// A page for browsers, with the rule of every node.
    fn to_html(&self) -> String {
        self.data.write(Format::Html)
    }

    /// A drawing for terminals; ``print(tree)`` shows it, too.
    fn draw(&self) -> String {
        tree::draw_text(&self.data.tree, &TextDrawing::default())
    }

    /// An ``nltk.Tree``; leaves are the EDUs' texts. It needs NLTK.
    ///
    /// >>> import arsg
    /// >>> tree = arsg.Parser("finance")("因为需求减少，国际油价下跌。")
    /// >>> tree.to_nltk().label()                                  # doctest: +SKIP
    /// 'causal-cause:SN'
    fn to_nltk<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        let support = slf.py().import("arsg._support")?;
        support.getattr("to_nltk")?.call1((slf,))
    }

    /// A row a node, from the root down: ready for ``pandas.DataFrame(tree.spans())``.
    fn spans<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        let support = slf.py().import("arsg._support")?;
        support.getattr("spans")?.call1((slf,))
    }

    fn _repr_svg_(&self) -> String {
        self.to_svg()
    }

    fn _repr_html_(&self) -> String {
        format!("<div style=\"overflow-x: auto\">{}</div>", self.to_svg())
    }

    fn __str__(&self) -> String {
        self.draw()
    }

    fn __repr__(&self) -> String {
        let edus = self.data.tree.edus.len();
        match self.id() {
            Some(id) if !id.is_empty() => format!("<arsg.Tree {id}: {edus} EDUs>"),
            _ => format!("<arsg.Tree: {edus} EDUs>"),
        }
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        let other = other.cast::<PyTree>();
        other.is_ok_and(|other| {
            let (own, other) = (&self.data, &other.get().data);
            own.tree == other.tree && own.text == other.text && own.places == other.places
        })
    }

    fn __hash__(&self) -> u64 {
        use std::hash::{DefaultHasher, Hash, Hasher};
        let mut hasher = DefaultHasher::new();
        (&self.data.text, &self.data.places).hash(&mut hasher);
        hasher.finish()
    }

    #[allow(clippy::type_complexity)]
    fn __reduce__<'py>(
        &self,
        py: Python<'py>,
    ) -> PyResult<(Bound<'py, PyAny>, (String, String, Vec<(usize, usize)>))> {
        let restore = py.import("arsg._support")?.getattr("restore_tree")?;
        let (text, places) = (self.data.text.clone(), self.data.places.clone());
        Ok((restore, (self.to_json(), text, places)))
    }
}

/// EDUs with their places as a list of `arsg.Edu`.
pub(crate) fn edu_list<'py>(
    py: Python<'py>,
    edus: &[tree::Edu],
    places: &[(usize, usize)],
) -> PyResult<Bound<'py, PyList>> {
    let class = py.import("arsg._results")?.getattr("Edu")?;
    let list = PyList::empty(py);
    for (edu, (start, end)) in edus.iter().zip(places) {
        list.append(class.call1((&*edu.text, start, end, edu.block, edu.sentence))?)?;
    }
    Ok(list)
}

/// A tree as another process had it.
#[pyfunction]
pub(crate) fn restore_tree(
    py: Python<'_>,
    json: String,
    text: String,
    places: Vec<(usize, usize)>,
) -> PyResult<PyTree> {
    let tree = detached(py, What::Tree, move || {
        let read = tree::read(&Source::new("<pickle>", json), Some(Format::Json));
        Ok(read.into_tree()?)
    })?;
    if places.len() != tree.edus.len() {
        return Err(PyValueError::new_err("there is not a place for every EDU"));
    }
    Ok(PyTree::new(TreeData {
        tree,
        text,
        places,
        made: None,
    }))
}

/// Reads the trees of a file or folder, in any format that arsg reads.
#[pyfunction]
#[pyo3(signature = (path, format=None))]
pub(crate) fn read_trees<'py>(
    py: Python<'py>,
    path: PathBuf,
    format: Option<String>,
) -> PyResult<(Vec<PyTree>, Bound<'py, PyList>)> {
    let format = named_format(py, format.as_deref())?;
    let read = detached(py, What::Tree, move || Ok(tree::read_all(&path, format)?))?;
    told_trees(py, read)
}

/// Reads trees from a text.
#[pyfunction]
#[pyo3(signature = (text, format=None, name="<string>"))]
pub(crate) fn trees_from_text<'py>(
    py: Python<'py>,
    text: String,
    format: Option<String>,
    name: &str,
) -> PyResult<(Vec<PyTree>, Bound<'py, PyList>)> {
    let format = named_format(py, format.as_deref())?;
    let source = Source::new(name, text);
    let read = detached(py, What::Tree, move || Ok(tree::read(&source, format)))?;
    told_trees(py, read)
}

fn told_trees<'py>(
    py: Python<'py>,
    read: tree::Read,
) -> PyResult<(Vec<PyTree>, Bound<'py, PyList>)> {
    if any_error(&read.diagnostics) {
        let error = Error::Invalid(read.diagnostics);
        return Err(error_to_py(py, &error, What::Tree));
    }
    let trees = read.trees.into_iter().map(TreeData::of_tree);
    let trees = trees.map(PyTree::new).collect();
    Ok((trees, diagnostics(py, &read.diagnostics)?))
}

fn named_format(py: Python<'_>, name: Option<&str>) -> PyResult<Option<Format>> {
    let Some(name) = name else { return Ok(None) };
    let found = Format::from_name(name).filter(|format| format.is_readable());
    found.map(Some).ok_or_else(|| {
        let message = format!("`{name}` is no format that trees are read from");
        plain_error(py, "UsageError", &message)
    })
}

/// A node of a tree.
#[pyclass(frozen, name = "Node", module = "arsg")]
pub(crate) struct PyNode {
    data: Arc<TreeData>,
    id: NodeId,
}

impl PyNode {
    fn node(&self) -> &tree::Node {
        self.data.tree.node(self.id)
    }

    fn other(&self, id: NodeId) -> PyNode {
        PyNode {
            data: Arc::clone(&self.data),
            id,
        }
    }

    fn decision(&self) -> Option<&tree::Decision> {
        self.node().decision.as_ref()
    }
}

#[pymethods]
impl PyNode {
    /// The rhetorical relation between its children; a leaf has none.
    #[getter]
    fn relation(&self) -> Option<&str> {
        self.node().relation().map(|name| &**name)
    }

    /// What it is to its parent: ``N`` (nucleus) or ``S`` (satellite). The root counts as a nucleus.
    #[getter]
    fn role(&self) -> char {
        self.data.tree.role(self.id).letter()
    }

    /// The roles of its children: ``NS``, ``SN``, ``NN``; a leaf has none.
    #[getter]
    fn nuclearity(&self) -> Option<String> {
        let children = self.data.tree.children(self.id);
        let letters: String = children.iter().map(|child| child.role.letter()).collect();
        (!letters.is_empty()).then_some(letters)
    }

    /// The grammar's symbol.
    #[getter]
    fn symbol(&self) -> Option<&str> {
        self.node().symbol.as_deref()
    }

    /// Where it stands in ``tree.text``: the first character, and the one behind the last.
    #[getter]
    fn span(&self) -> (usize, usize) {
        self.data.place(self.node().span())
    }

    /// Its stretch of the text.
    #[getter]
    fn text(&self) -> String {
        characters(&self.data.text, self.span())
    }

    /// Its EDUs: a ``range`` of places in ``tree.edus``.
    #[getter]
    fn edus<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let span = self.node().span();
        let range = py.import("builtins")?.getattr("range")?;
        range.call1((span.start, span.end))
    }

    /// The id of the rule that made it, where a parse did.
    #[getter]
    fn rule(&self) -> Option<&str> {
        self.decision().map(|decision| &*decision.rule)
    }

    /// The probability of the step that made it.
    #[getter]
    fn probability(&self) -> Option<f64> {
        self.decision().map(|decision| decision.probability)
    }

    /// The reason of the rule, which held.
    #[getter]
    fn reason(&self) -> Option<&str> {
        self.decision()?.reason.as_deref()
    }

    /// The best rule that did not win, and its probability.
    #[getter]
    fn runner_up(&self) -> Option<(String, f64)> {
        let (rule, probability) = self.decision()?.runner_up.as_ref()?;
        Some((rule.to_string(), *probability))
    }

    /// True where no rule decided, but a declared fallback.
    #[getter]
    fn fallback(&self) -> bool {
        self.node().fallback
    }

    /// Its attributes with their values.
    #[getter]
    fn attributes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let all = PyDict::new(py);
        for (name, value) in self.node().attributes.iter() {
            all.set_item(&**name, value_to_py(py, value)?)?;
        }
        Ok(all)
    }

    /// True for a leaf, which stands over one EDU.
    #[getter]
    fn is_leaf(&self) -> bool {
        self.node().is_leaf()
    }

    /// Its children, left to right. Nodes of others' treebanks may have more than two.
    #[getter]
    fn children(&self) -> Vec<PyNode> {
        let children = self.data.tree.children(self.id);
        children
            .iter()
            .map(|child| self.other(child.node))
            .collect()
    }

    /// The node above it; the root has none.
    #[getter]
    fn parent(&self) -> Option<PyNode> {
        let tree = &self.data.tree;
        let mut above = self.node().parent()?;
        while tree.node(above).is_part() {
            above = tree.node(above).parent()?;
        }
        Some(self.other(above))
    }

    /// Its tree.
    #[getter]
    fn tree(&self) -> PyTree {
        PyTree {
            data: Arc::clone(&self.data),
        }
    }

    fn __getitem__(&self, at: isize) -> PyResult<PyNode> {
        let children = self.children();
        let length = children.len();
        let at = if at < 0 {
            at.checked_add_unsigned(length)
        } else {
            Some(at)
        };
        let at = at.and_then(|at| usize::try_from(at).ok());
        let found = at.and_then(|at| children.into_iter().nth(at));
        found.ok_or_else(|| PyIndexError::new_err("the node has no such child"))
    }

    fn __len__(&self) -> usize {
        self.data.tree.children(self.id).len()
    }

    fn __bool__(&self) -> bool {
        true
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        let other = other.cast::<PyNode>();
        other.is_ok_and(|other| {
            let other = other.get();
            self.id == other.id
                && (Arc::ptr_eq(&self.data, &other.data)
                    || (self.data.tree == other.data.tree && self.data.text == other.data.text))
        })
    }

    fn __hash__(&self) -> usize {
        self.id.index()
    }

    fn __repr__(&self) -> String {
        let span = self.node().span();
        match (self.relation(), self.nuclearity()) {
            (Some(relation), Some(roles)) => {
                format!("<arsg.Node {relation} {roles} over EDUs {span}>")
            }
            (None, Some(roles)) => format!("<arsg.Node {roles} over EDUs {span}>"),
            _ => format!("<arsg.Node EDU {span}: {}>", self.text()),
        }
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, (PyTree, usize))> {
        let restore = slf.py().import("arsg._support")?.getattr("restore_node")?;
        let node = slf.get();
        Ok((restore, (node.tree(), node.id.index())))
    }
}

/// A node by its place, as another process had it.
#[pyfunction]
pub(crate) fn restore_node(tree: &Bound<'_, PyTree>, place: usize) -> PyResult<PyNode> {
    let tree = tree.get();
    let mut all = tree.data.tree.post_order();
    let found = all.nth(place).map(|(id, _)| tree.node(id));
    found.ok_or_else(|| PyIndexError::new_err("the tree has no such node"))
}

/// A value of an attribute.
fn value_to_py<'py>(py: Python<'py>, value: &Value) -> PyResult<Bound<'py, PyAny>> {
    Ok(match value {
        Value::Bool(value) => value.into_pyobject(py)?.to_owned().into_any(),
        Value::Int(value) => value.into_pyobject(py)?.into_any(),
        Value::Float(value) => value.into_pyobject(py)?.into_any(),
        Value::Symbol(name) | Value::Text(name) | Value::Time(name) => {
            (&**name).into_pyobject(py)?.into_any()
        }
        Value::Set(names) => PySet::new(py, names.iter().map(|name| &**name))?.into_any(),
        other => format!("{other:?}").into_pyobject(py)?.into_any(),
    })
}
