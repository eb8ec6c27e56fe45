//! From rs3 elements to a tree.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use super::super::Tree;
use super::super::annotation::{SecondaryEdge, Signal, SignalSource};
use super::super::build::{Builder, JoinError};
use super::super::edus::Edu;
use super::super::node::{Child, NodeId, Role};
use super::element::{Element, File, Kind};
use crate::diagnostic::{Code, Diagnostic, Problems};

/// The tree, unless the elements do not make one; says what was repaired on the way.
pub(super) fn build(file: File, problems: &mut Problems) -> Option<Tree> {
    if !file
        .elements
        .iter()
        .any(|e| matches!(e.kind, Kind::Segment(_)))
    {
        return None;
    }
    let order = bottom_up(&file.elements, problems)?;
    let links = Links::sort(&file, problems);
    let mut structure = Structure::new(&file, &links, problems);
    for place in order {
        structure.make(place);
    }
    let root = structure.join_roots();
    let Structure {
        mut builder,
        units,
        failed,
        ..
    } = structure;
    if failed {
        return None;
    }
    annotate(&mut builder, file, &units, problems);
    builder.finish(root?).ok()
}

/// Children before parents; a cycle is an error.
fn bottom_up(elements: &[Element], problems: &mut Problems) -> Option<Vec<usize>> {
    let mut open = vec![0_usize; elements.len()];
    for parent in elements.iter().filter_map(|element| element.parent) {
        open[parent] += 1;
    }
    let mut order: Vec<usize> = (0..elements.len()).filter(|&at| open[at] == 0).collect();
    let mut next = 0;
    while let Some(&place) = order.get(next) {
        next += 1;
        if let Some(parent) = elements[place].parent {
            open[parent] -= 1;
            if open[parent] == 0 {
                order.push(parent);
            }
        }
    }
    let first = (0..elements.len()).find(|&at| open[at] > 0);
    let Some(first) = first else {
        return Some(order);
    };
    // Above an element that waits for ever lies the cycle.
    let mut seen = HashSet::new();
    let mut at = first;
    while seen.insert(at) {
        at = elements[at].parent.unwrap_or(at);
    }
    let mut ring = vec![format!("`{}`", elements[at].id)];
    let mut step = elements[at].parent.unwrap_or(at);
    while step != at && ring.len() < 10 {
        ring.push(format!("`{}`", elements[step].id));
        step = elements[step].parent.unwrap_or(at);
    }
    ring.push(format!("`{}`", elements[at].id));
    let message = format!("a cycle of parents: {}", ring.join(" -> "));
    problems
        .report(Code::R009, elements[at].at.clone(), message)
        .help = Some("one of them must stand under another parent, or under none".to_owned());
    None
}

/// What the children of every element are to it.
struct Links {
    /// The nuclei of span and multinuc groups.
    nuclei: Vec<Vec<usize>>,
    satellites: Vec<Vec<usize>>,
}

impl Links {
    fn sort(file: &File, problems: &mut Problems) -> Links {
        let elements = &file.elements;
        let mut links = Links {
            nuclei: vec![Vec::new(); elements.len()],
            satellites: vec![Vec::new(); elements.len()],
        };
        let mut children: Vec<Vec<usize>> = vec![Vec::new(); elements.len()];
        for (place, element) in elements.iter().enumerate() {
            if let Some(parent) = element.parent {
                children[parent].push(place);
            }
        }
        let kinds = kinds_of_relations(file, problems);
        for (parent, children) in children.into_iter().enumerate() {
            let (nuclei, satellites) = match elements[parent].kind {
                Kind::Multinuc => split_multinuc(elements, &children, &kinds),
                _ => children.into_iter().partition(|&child| {
                    elements[child].relation.as_deref().unwrap_or("span") == "span"
                }),
            };
            check_nuclei(elements, parent, &nuclei, problems);
            links.nuclei[parent] = nuclei;
            links.satellites[parent] = satellites;
        }
        links
    }
}

/// Says what is wrong with the number of an element's nuclei.
fn check_nuclei(elements: &[Element], place: usize, nuclei: &[usize], problems: &mut Problems) {
    let element = &elements[place];
    let id = &element.id;
    let at = element.at.clone();
    match (&element.kind, nuclei) {
        (Kind::Segment(_), [first, ..]) => {
            let at = elements[*first].at.clone();
            let message = format!("segment `{id}` has a `span` child, and segments hold nothing");
            problems.report(Code::R007, at, message).help =
                Some("only groups have nuclei".to_owned());
        }
        (Kind::Span, [_, _, ..]) => {
            let count = nuclei.len();
            let message = format!("span group `{id}` has {count} nuclei: read as `multinuc`");
            problems.report(Code::R010, at, message);
        }
        (Kind::Multinuc, [_]) => {
            let message = format!("multinuc group `{id}` has one nucleus: left out");
            problems.report(Code::R010, at, message);
        }
        _ => {}
    }
}

/// `rst`, `multinuc`, both, or nothing known.
#[derive(Clone, Copy, Default)]
struct Kinds {
    rst: bool,
    multinuc: bool,
}

fn kinds_of_relations(file: &File, problems: &mut Problems) -> HashMap<Arc<str>, Kinds> {
    let mut kinds: HashMap<Arc<str>, Kinds> = HashMap::new();
    for relation in &file.relations {
        let entry = kinds.entry(Arc::clone(&relation.name)).or_default();
        match relation.kind.as_deref() {
            Some("rst") => entry.rst = true,
            Some("multinuc") => entry.multinuc = true,
            _ => {}
        }
    }
    for element in &file.elements {
        let Some(name) = element.relation.as_ref().filter(|name| &***name != "span") else {
            continue;
        };
        let known = kinds.get(name).copied();
        if known.is_none_or(|k| !k.rst && !k.multinuc) {
            let said = match known {
                Some(_) => "has no type `rst` or `multinuc` in the header",
                None => "is not declared in the header",
            };
            let problem = Diagnostic::new(
                Code::R011,
                format!("the relation `{name}` {said}: read by its place in the tree"),
            )
            .at(problems.place(element.at.clone()));
            problems.push(match known {
                Some(_) => problem.help("write type=\"rst\" or type=\"multinuc\" there"),
                None => problem.suggest(name, file.relations.iter().map(|r| &*r.name)),
            });
            let both = Kinds {
                rst: true,
                multinuc: true,
            };
            kinds.insert(Arc::clone(name), both);
        }
    }
    kinds
}

/// Nuclei and satellites of a multinuc group. A relation that can only be multi-nuclear makes
/// nuclei; one that may be either does so where two children share it, or where no two children
/// share any (as RSTTool reads it).
fn split_multinuc(
    elements: &[Element],
    children: &[usize],
    kinds: &HashMap<Arc<str>, Kinds>,
) -> (Vec<usize>, Vec<usize>) {
    let name = |child: usize| elements[child].relation.as_deref().unwrap_or("span");
    let may = |child: usize| {
        name(child) == "span" || kinds.get(name(child)).is_some_and(|kinds| kinds.multinuc)
    };
    let mut counts: HashMap<&str, usize> = HashMap::new();
    for &child in children {
        *counts.entry(name(child)).or_default() += 1;
    }
    let shared = |child: usize| counts.get(name(child)).is_some_and(|&count| count > 1);
    let any_shared = children.iter().any(|&child| may(child) && shared(child));
    let must = |child: usize| kinds.get(name(child)).is_some_and(|kinds| !kinds.rst);
    let split: (Vec<usize>, Vec<usize>) = children
        .iter()
        .partition(|&&child| may(child) && (must(child) || shared(child) || !any_shared));
    if !split.0.is_empty() {
        return split;
    }
    // Nothing is declared multi-nuclear: what two children share must be.
    children.iter().partition(|&&child| shared(child))
}

struct Structure<'a> {
    file: &'a File,
    links: &'a Links,
    problems: &'a mut Problems,
    builder: Builder,
    /// The node of every element by itself, without its satellites.
    units: Vec<Option<NodeId>>,
    /// The node of every element with its satellites.
    whole: Vec<Option<NodeId>>,
    failed: bool,
}

impl<'a> Structure<'a> {
    fn new(file: &'a File, links: &'a Links, problems: &'a mut Problems) -> Structure<'a> {
        let mut builder = Builder::new();
        let mut units = vec![None; file.elements.len()];
        for (unit, element) in units.iter_mut().zip(&file.elements) {
            if let Kind::Segment(text) = &element.kind {
                let leaf = builder.add_leaf(Edu::new(text.as_str()));
                builder.node_mut(leaf).name = Some(Arc::clone(&element.id));
                *unit = Some(leaf);
            }
        }
        builder.annotations.relations = file.relations.clone();
        builder.annotations.signal_types = file.signal_types.clone();
        Structure {
            file,
            links,
            problems,
            builder,
            whole: vec![None; units.len()],
            units,
            failed: false,
        }
    }

    /// Makes the node of an element whose children are made.
    fn make(&mut self, place: usize) {
        let element = &self.file.elements[place];
        // Empty groups were reported when their turn came, and are no children.
        let made = |children: &[usize]| -> Vec<usize> {
            let children = children.iter().copied();
            children
                .filter(|&child| self.whole[child].is_some())
                .collect()
        };
        let nuclei = made(&self.links.nuclei[place]);
        let mut satellites = made(&self.links.satellites[place]);
        let unit = match (&element.kind, nuclei.as_slice()) {
            (Kind::Segment(_), _) => self.units[place],
            (_, [nucleus]) => self.whole[*nucleus],
            (_, []) => {
                self.report_hollow(place, satellites.is_empty());
                None
            }
            (_, nuclei) => {
                let joined = self.join_nuclei(place, nuclei, &mut satellites);
                self.name(joined, &element.id);
                joined
            }
        };
        // A span group is the node that its nucleus made with its satellites.
        self.name(unit, &element.id);
        self.units[place] = unit;
        self.whole[place] = match (unit, satellites.as_slice()) {
            (unit, []) => unit,
            (None, _) => None,
            (Some(unit), satellites) => self.attach(place, unit, satellites),
        };
    }

    /// A group without a nucleus: harmless when it is empty. After an error it only echoes that.
    fn report_hollow(&mut self, place: usize, is_empty: bool) {
        if self.failed {
            return;
        }
        let id = &self.file.elements[place].id;
        if is_empty {
            let message = format!("group `{id}` is empty: left out");
            self.report(Code::R010, place, message);
            return;
        }
        self.failed = true;
        let message = format!("group `{id}` has satellites and no nucleus");
        self.report(Code::R007, place, message).help = Some(
            "a nucleus has the relation name `span`, or one of the type `multinuc`".to_owned(),
        );
    }

    /// Gives a node its id, unless it has one.
    fn name(&mut self, node: Option<NodeId>, id: &Arc<str>) {
        if let Some(node) = node {
            let name = &mut self.builder.node_mut(node).name;
            name.get_or_insert_with(|| Arc::clone(id));
        }
    }

    fn child(&self, place: usize, role: Role) -> Option<Child> {
        let relation = self.file.elements[place].relation.clone();
        Some(Child {
            node: self.whole[place]?,
            role,
            relation: relation.filter(|name| &**name != "span"),
        })
    }

    /// The nuclei in text order, with satellites that lie between them given to the nucleus
    /// before.
    fn join_nuclei(
        &mut self,
        place: usize,
        nuclei: &[usize],
        satellites: &mut Vec<usize>,
    ) -> Option<NodeId> {
        let nodes = nuclei.iter().map(|&n| self.child(n, Role::Nucleus));
        let mut nodes: Vec<Child> = nodes.collect::<Option<_>>()?;
        nodes.sort_by_key(|child| self.start(child.node));
        self.warn_unlike(place, &nodes);
        let last = nodes.last().map_or(0, |child| self.start(child.node));
        let first = nodes.first().map_or(0, |child| self.start(child.node));
        for satellite in std::mem::take(satellites) {
            let child = self.child(satellite, Role::Satellite)?;
            let start = self.start(child.node);
            if start < first || start > last {
                satellites.push(satellite);
                continue;
            }
            let before = nodes.iter().rposition(|n| self.start(n.node) < start)?;
            let nucleus = nodes[before].clone();
            let message = format!(
                "satellite `{}` lies inside its nucleus `{}`: attached to the nucleus before it",
                self.file.elements[satellite].id, self.file.elements[place].id
            );
            self.report(Code::R013, satellite, message);
            let pair = [
                Child {
                    role: Role::Nucleus,
                    relation: None,
                    ..nucleus.clone()
                },
                child,
            ];
            nodes[before].node = self.join(place, &pair)?;
        }
        self.join(place, &nodes)
    }

    fn attach(&mut self, place: usize, unit: NodeId, satellites: &[usize]) -> Option<NodeId> {
        let children = satellites.iter().map(|&s| self.child(s, Role::Satellite));
        let mut children: Vec<Child> = children.collect::<Option<_>>()?;
        children.push(Child {
            node: unit,
            role: Role::Nucleus,
            relation: None,
        });
        children.sort_by_key(|child| self.start(child.node));
        self.join(place, &children)
    }

    fn join(&mut self, place: usize, children: &[Child]) -> Option<NodeId> {
        match self.builder.join_all(children) {
            Ok(node) => Some(node),
            Err(JoinError::NotAdjacent { left, right }) => {
                self.failed = true;
                let id = &self.file.elements[place].id;
                let message = if left.end < right.start {
                    format!("`{id}` covers EDUs {left} and {right}, but not what lies between them")
                } else {
                    format!("`{id}` holds EDUs {left} and {right}, which cross")
                };
                self.report(Code::R012, place, message);
                None
            }
            Err(_) => {
                self.failed = true;
                None
            }
        }
    }

    /// Several roots are joined flat; the root of a whole tree stays as it is.
    fn join_roots(&mut self) -> Option<NodeId> {
        let elements = self.file.elements.iter().enumerate();
        let roots = elements.filter(|(_, element)| element.parent.is_none());
        let mut nodes: Vec<(usize, NodeId)> = roots
            .filter_map(|(at, _)| Some((at, self.whole[at]?)))
            .collect();
        nodes.sort_by_key(|(_, node)| self.start(*node));
        if let [(_, root)] = nodes.as_slice() {
            return Some(*root);
        }
        if self.failed || nodes.is_empty() {
            return None;
        }
        let second = nodes.get(1).map_or(0, |(at, _)| *at);
        let roots: Vec<usize> = nodes.iter().map(|(at, _)| *at).collect();
        let (place, message) = self.describe_roots(&roots);
        self.report(Code::R014, place, message);
        let nodes: Vec<NodeId> = nodes.into_iter().map(|(_, node)| node).collect();
        match self.builder.join_flat(&nodes, None) {
            Ok(root) => Some(root),
            Err(error) => {
                self.failed = true;
                self.report(Code::R012, second, format!("the roots cross: {error}"));
                None
            }
        }
    }

    /// What to say about several roots, in the order of the text, and where.
    fn describe_roots(&self, roots: &[usize]) -> (usize, String) {
        const NAMED: usize = 5;
        let element = |at: usize| &self.file.elements[at];
        if let [title, tree] = *roots
            && matches!(element(title).kind, Kind::Segment(_))
            && !matches!(element(tree).kind, Kind::Segment(_))
        {
            let id = &element(title).id;
            let message = format!(
                "segment `{id}` stands before the tree without a parent, as titles do: joined flat"
            );
            return (title, message);
        }
        let named = roots.iter().take(NAMED);
        let mut names: Vec<String> = named.map(|at| format!("`{}`", element(*at).id)).collect();
        if roots.len() > NAMED {
            names.push("…".to_owned());
        }
        let message = format!(
            "there are {} roots, joined flat: {}",
            roots.len(),
            names.join(", ")
        );
        (roots.get(1).copied().unwrap_or(0), message)
    }

    fn warn_unlike(&mut self, place: usize, nuclei: &[Child]) {
        let names: Vec<&str> = nuclei
            .iter()
            .filter_map(|n| n.relation.as_deref())
            .collect();
        let mut different = names.windows(2).filter(|pair| pair[0] != pair[1]);
        let Some([a, b]) = different.next().and_then(|pair| pair.first_chunk::<2>()) else {
            return;
        };
        let id = &self.file.elements[place].id;
        let message = format!("the nuclei of `{id}` have different relations, `{a}` and `{b}`");
        self.report(Code::R017, place, message);
    }

    fn start(&self, node: NodeId) -> u32 {
        self.builder.node(node).span().start
    }

    fn report(&mut self, code: Code, place: usize, message: String) -> &mut Diagnostic {
        let at = self.file.elements[place].at.clone();
        self.problems.report(code, at, message)
    }
}

/// Signals and secondary edges, now by node.
fn annotate(builder: &mut Builder, file: File, units: &[Option<NodeId>], problems: &mut Problems) {
    let ids = file.elements.iter().zip(units);
    let nodes: HashMap<&str, NodeId> = ids
        .filter_map(|(element, unit)| Some((&*element.id, (*unit)?)))
        .collect();
    let mut edges: HashMap<String, usize> = HashMap::new();
    let mut missing = |what: &str, id: &str, at: std::ops::Range<usize>| {
        let message = format!("a {what} of `{id}`, which is not there: left out");
        problems.report(Code::R018, at, message);
    };
    for edge in file.edges {
        let source = nodes.get(edge.source.as_str());
        let target = nodes.get(edge.target.as_str());
        match (source, target) {
            (Some(&source), Some(&target)) => {
                let list = &mut builder.annotations.secondary_edges;
                edges.insert(edge.id, list.len());
                list.push(SecondaryEdge {
                    source,
                    target,
                    relation: edge.relation,
                });
            }
            (None, _) => missing("secondary edge", &edge.source, edge.at),
            (_, None) => missing("secondary edge", &edge.target, edge.at),
        }
    }
    for signal in file.signals {
        let by_node = nodes.get(signal.source.as_str());
        let by_edge = edges.get(&signal.source);
        let source = match (by_node, by_edge) {
            (Some(&node), _) => SignalSource::Node(node),
            (None, Some(&edge)) => SignalSource::Secondary(edge),
            (None, None) => {
                missing("signal", &signal.source, signal.at);
                continue;
            }
        };
        builder.annotations.signals.push(Signal {
            source,
            kind: signal.kind,
            subtype: signal.subtype,
            tokens: signal.tokens,
            status: signal.status,
        });
    }
}
