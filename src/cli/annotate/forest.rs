//! The growing tree: a tree for every node on the stack, in text order.

use crate::automaton::{NodeIndex, Session};
use crate::grammar::Roles;
use crate::tree::tidy_text;

/// A line of the drawing.
pub(super) struct Line {
    /// The branches that lead to it.
    pub(super) branches: String,
    /// What it is to its parent: `N `, `S `, or the letter of a root: `A `, `B `, `S `.
    pub(super) role: String,
    /// Symbol, relation and EDUs.
    pub(super) head: String,
    /// The text of a leaf.
    pub(super) text: String,
    /// The node's depth below its root.
    pub(super) depth: usize,
}

/// A line a node, roots in text order, so that the two that can be joined stand last.
pub(super) fn lines(session: &Session) -> Vec<Line> {
    let mut lines = Vec::new();
    let stack = session.stack();
    for (from_top, root) in stack.iter().enumerate().rev() {
        let letter = match from_top {
            0 => "B ",
            1 => "A ",
            2 => "S ",
            _ => "  ",
        };
        tree(session, *root, letter, &mut lines);
    }
    lines
}

struct Waiting {
    node: NodeIndex,
    role: String,
    depth: usize,
    /// For the nearest ancestors below the root, whether children are still to come; then for
    /// itself.
    more: Vec<bool>,
}

fn tree(session: &Session, root: NodeIndex, letter: &str, lines: &mut Vec<Line>) {
    let mut waiting = vec![Waiting {
        node: root,
        role: letter.to_owned(),
        depth: 0,
        more: Vec::new(),
    }];
    while let Some(next) = waiting.pop() {
        lines.push(line(session, &next));
        let joined = session.node(next.node).and_then(|span| span.joined);
        let Some(joined) = joined else {
            continue;
        };
        let [left, right] = match joined.roles {
            Roles::NucleusSatellite => ["N ", "S "],
            Roles::SatelliteNucleus => ["S ", "N "],
            Roles::NucleusNucleus => ["N ", "N "],
        };
        // The left child comes first, so it is pushed last.
        for (node, role, more) in [(joined.right, right, false), (joined.left, left, true)] {
            let far = next.more.len().saturating_sub(MAX_BRANCHES);
            let mut above: Vec<bool> = next.more.iter().skip(far).copied().collect();
            above.push(more);
            waiting.push(Waiting {
                node,
                role: role.to_owned(),
                depth: next.depth + 1,
                more: above,
            });
        }
    }
}

/// How many ancestors a line shows: deeper trees would leave no room for the text.
const MAX_BRANCHES: usize = 10;

fn line(session: &Session, waiting: &Waiting) -> Line {
    let schema = session.engine().schema();
    let mut branches = String::new();
    if let Some((own, above)) = waiting.more.split_last() {
        if waiting.depth > MAX_BRANCHES + 1 {
            branches.push('…');
        }
        for more in above {
            branches.push_str(if *more { "│ " } else { "  " });
        }
        branches.push_str(if *own { "├─" } else { "└─" });
    }
    let Some(span) = session.node(waiting.node) else {
        return Line {
            branches,
            role: String::new(),
            head: String::new(),
            text: String::new(),
            depth: 0,
        };
    };
    let symbol = schema.relation_name(span.symbol);
    let (head, text) = match span.joined {
        None => {
            let edu = session.text().edus.get(span.first as usize);
            let text = edu.map_or_else(String::new, |edu| tidy_text(&edu.text));
            (format!("{symbol} {} ", span.first + 1), text)
        }
        Some(joined) => {
            let relation = schema.rhetoric_of(joined.relation);
            let relation = relation.map_or("", |relation| relation.name.as_str());
            let head = format!("{symbol}[{relation}] {}-{}", span.first + 1, span.last + 1);
            (head, String::new())
        }
    };
    Line {
        branches,
        role: waiting.role.clone(),
        head,
        text,
        depth: waiting.depth,
    }
}
