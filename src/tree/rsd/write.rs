//! From a tree to dependencies.

use std::fmt::Write;

use super::super::Tree;
use super::super::annotation::SignalSource;
use super::super::format::one_line;
use super::super::node::{NodeId, Role};
use super::super::rs3::label;
use super::signal;

/// An EDU a line.
pub(in super::super) fn write(tree: &Tree) -> String {
    let tree = &tree.clone().unmix();
    let graph = Graph::of(tree);
    let texts: Vec<String> = tree.edus.iter().map(|edu| one_line(&edu.text)).collect();
    let words: Vec<&str> = texts.iter().flat_map(|text| text.split(' ')).collect();
    let signals = signals_by_node(tree, &words);
    let secondary = secondary_by_edu(tree, &graph, &words);
    let mut out = String::new();
    for (place, text) in texts.iter().enumerate() {
        let line = &graph.lines[place];
        let own = &signals[line.top.index()];
        let features = tree.edus[place].features.as_deref().map(one_line);
        let _ = writeln!(
            out,
            "{}\t{text}\t{}\t_\t_\t{}\t{}\t{}\t{}\t{}",
            place + 1,
            line.height,
            features.as_deref().unwrap_or("_"),
            line.head,
            line.relation,
            or_blank(&secondary[place], "|"),
            or_blank(own, ";"),
        );
    }
    out
}

/// What hangs on what.
struct Graph {
    lines: Vec<Line>,
    heads: Vec<u32>,
    /// By node, how many nodes lie on its path of nuclei.
    heights: Vec<u32>,
}

#[derive(Clone)]
struct Line {
    /// The head's number; 0 for the root.
    head: u32,
    height: u32,
    relation: String,
    /// The highest node the EDU is the head of.
    top: NodeId,
}

impl Graph {
    fn of(tree: &Tree) -> Graph {
        let heads = tree.heads();
        let mut heights = vec![0; tree.len()];
        let root = Line {
            head: 0,
            height: 0,
            relation: "ROOT".to_owned(),
            top: tree.root(),
        };
        let mut lines = vec![root; tree.edus.len()];
        for (id, node) in tree.post_order() {
            if node.is_part() || node.is_leaf() {
                continue;
            }
            let children = tree.children(id);
            let Some(main) = children.iter().find(|child| child.role == Role::Nucleus) else {
                continue;
            };
            let height = heights[main.node.index()];
            heights[id.index()] = height + 1;
            for child in children.iter().filter(|child| child.node != main.node) {
                let kind = match child.role {
                    Role::Nucleus => "m",
                    Role::Satellite => "r",
                };
                lines[heads[child.node.index()] as usize] = Line {
                    head: heads[main.node.index()] + 1,
                    height,
                    relation: format!("{}_{kind}", one_line(label(child.relation.as_ref()))),
                    top: child.node,
                };
            }
        }
        Graph {
            lines,
            heads,
            heights,
        }
    }
}

fn signals_by_node(tree: &Tree, words: &[&str]) -> Vec<Vec<String>> {
    let mut by_node = vec![Vec::new(); tree.len()];
    for signal in &tree.annotations.signals {
        if let SignalSource::Node(node) = signal.source {
            by_node[node.index()].push(signal::print(signal, words));
        }
    }
    by_node
}

/// `target:relation:source height:target height:signals`.
fn secondary_by_edu(tree: &Tree, graph: &Graph, words: &[&str]) -> Vec<Vec<String>> {
    let mut by_edu = vec![Vec::new(); tree.edus.len()];
    let annotations = &tree.annotations;
    for (number, edge) in annotations.secondary_edges.iter().enumerate() {
        let own = annotations.signals.iter();
        let own = own.filter(|signal| signal.source == SignalSource::Secondary(number));
        let mut signals: Vec<String> = own.map(|s| signal::print(s, words)).collect();
        signals.sort();
        let source = graph.heads[edge.source.index()] as usize;
        by_edu[source].push(format!(
            "{}:{}:{}:{}:{}",
            graph.heads[edge.target.index()] + 1,
            one_line(&edge.relation),
            graph.heights[edge.source.index()],
            graph.heights[edge.target.index()],
            or_blank(&signals, ";")
        ));
    }
    by_edu
}

fn or_blank(pieces: &[String], between: &str) -> String {
    if pieces.is_empty() {
        "_".to_owned()
    } else {
        pieces.join(between)
    }
}
