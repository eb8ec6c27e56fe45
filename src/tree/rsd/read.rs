//! From dependencies to a tree.

use std::ops::Range;
use std::sync::Arc;

use super::super::UNLABELLED;
use super::super::annotation::{SecondaryEdge, SignalSource};
use super::super::build::{Builder, JoinError};
use super::super::edus::Edu;
use super::super::format::{Read, one_line};
use super::super::node::{Child, NodeId, Role};
use super::signal;
use crate::diagnostic::{Code, Problems, Source};

/// The columns that matter; the others are kept as they are.
const COLUMNS_NEEDED: usize = 8;

/// Reads one tree.
pub(in super::super) fn read(source: &Arc<Source>) -> Read {
    let mut problems = Problems::new(source);
    let rows = rows(source.text(), &mut problems);
    if rows.is_empty() || problems.any_error() {
        return Read {
            trees: Vec::new(),
            diagnostics: problems.into_vec(),
        };
    }
    let mut building = Building {
        builder: Builder::over(rows.iter().map(|row| row.edu.clone())),
        chains: Vec::new(),
        problems,
        failed: false,
        rows: &rows,
    };
    let root = building.build();
    if let Some(root) = root.filter(|_| !building.failed) {
        building.annotate();
        let trees = building.builder.finish(root).into_iter().collect();
        return Read {
            trees,
            diagnostics: building.problems.into_vec(),
        };
    }
    Read {
        trees: Vec::new(),
        diagnostics: building.problems.into_vec(),
    }
}

/// A line of the file.
#[derive(Debug)]
struct Row {
    at: Range<usize>,
    edu: Edu,
    /// How many nodes lie between the head and what was joined; unknown in some files.
    height: Option<u32>,
    /// The head's place, none for the root.
    head: Option<usize>,
    role: Role,
    relation: Option<Arc<str>>,
    secondary: String,
    signals: String,
}

/// Some EDUs by their numbers.
fn name_edus(places: &[usize]) -> String {
    const NAMED: usize = 5;
    let named = places.iter().take(NAMED);
    let mut names: Vec<String> = named.map(|place| format!("EDU {}", place + 1)).collect();
    if places.len() > NAMED {
        names.push("…".to_owned());
    }
    names.join(", ")
}

fn rows(text: &str, problems: &mut Problems) -> Vec<Row> {
    let mut rows = Vec::new();
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let at = start..start + line.trim_end().len();
        start += line.len();
        let line = line.trim_end_matches(['\n', '\r']);
        if line.trim().is_empty() || line.starts_with('#') {
            continue;
        }
        match row(line, rows.len(), at.clone()) {
            Ok(row) => rows.push(row),
            Err(message) => {
                problems.report(Code::R001, at, message).help = Some(
                    "a line is id, text, depth, _, _, features, head, relation, _, _, with tabs between"
                        .to_owned(),
                );
            }
        }
    }
    let count = rows.len();
    for row in &rows {
        if row.head.is_some_and(|head| head >= count) {
            let number = row.head.map_or(0, |head| head + 1);
            let message = format!("the head `{number}` is not there; the last EDU is {count}");
            problems.report(Code::R020, row.at.clone(), message);
        }
    }
    rows
}

fn row(line: &str, place: usize, at: Range<usize>) -> Result<Row, String> {
    let columns: Vec<&str> = line.split('\t').collect();
    if columns.len() < COLUMNS_NEEDED {
        return Err(format!("a line with {} columns", columns.len()));
    }
    let column = |at: usize| columns.get(at).copied().unwrap_or("_");
    if column(0).trim().parse() != Ok(place + 1) {
        return Err(format!(
            "the id `{}` stands where {} is due",
            column(0),
            place + 1
        ));
    }
    let head: usize = match column(6).trim().parse() {
        Ok(head) => head,
        Err(_) => return Err(format!("the head `{}` is no number", column(6))),
    };
    let label = column(7).trim();
    let (name, role) = match (label.strip_suffix("_m"), label.strip_suffix("_r")) {
        (Some(name), _) => (name, Role::Nucleus),
        (_, Some(name)) => (name, Role::Satellite),
        (None, None) => (label, Role::Satellite),
    };
    let mut edu = Edu::new(one_line(column(1)));
    edu.features = Some(column(5))
        .filter(|text| !matches!(*text, "_" | ""))
        .map(Into::into);
    Ok(Row {
        at,
        edu,
        height: column(2).trim().parse().ok(),
        head: head.checked_sub(1),
        role,
        relation: match name {
            "" | "ROOT" | UNLABELLED => None,
            name => Some(name.into()),
        },
        secondary: column(8).to_owned(),
        signals: column(9).to_owned(),
    })
}

struct Building<'a> {
    rows: &'a [Row],
    builder: Builder,
    /// For every EDU the nodes it is the head of, from the leaf up.
    chains: Vec<Vec<NodeId>>,
    problems: Problems,
    failed: bool,
}

impl Building<'_> {
    fn build(&mut self) -> Option<NodeId> {
        let count = self.rows.len();
        self.chains = self
            .builder
            .leaves()
            .into_iter()
            .map(|leaf| vec![leaf])
            .collect();
        let mut dependents: Vec<Vec<usize>> = vec![Vec::new(); count];
        let mut roots = Vec::new();
        for (place, row) in self.rows.iter().enumerate() {
            match row.head {
                Some(head) => dependents[head].push(place),
                None => roots.push(place),
            }
        }
        let order = self.bottom_up(&dependents)?;
        for head in order {
            self.join_dependents(head, &dependents[head]);
        }
        let nodes: Vec<NodeId> = roots.iter().filter_map(|&root| self.top(root)).collect();
        match nodes.as_slice() {
            [] => None,
            [root] => Some(*root),
            several => {
                let message = format!(
                    "there are {} roots, joined flat: {}",
                    several.len(),
                    name_edus(&roots)
                );
                self.report(Code::R014, roots[1], message);
                match self.builder.join_flat(several, None) {
                    Ok(root) => Some(root),
                    Err(error) => {
                        self.report(Code::R012, roots[1], format!("the roots cross: {error}"));
                        None
                    }
                }
            }
        }
    }

    /// Dependents before heads; a cycle is an error.
    fn bottom_up(&mut self, dependents: &[Vec<usize>]) -> Option<Vec<usize>> {
        let mut open: Vec<usize> = dependents.iter().map(Vec::len).collect();
        let mut order: Vec<usize> = (0..open.len()).filter(|&at| open[at] == 0).collect();
        let mut next = 0;
        while let Some(&place) = order.get(next) {
            next += 1;
            if let Some(head) = self.rows[place].head {
                open[head] -= 1;
                if open[head] == 0 {
                    order.push(head);
                }
            }
        }
        if let Some(stuck) = open.iter().position(|&count| count > 0) {
            let mut at = stuck;
            for _ in 0..open.len() {
                at = self.rows[at].head.unwrap_or(at);
            }
            let head = self.rows[at].head.map_or(0, |head| head + 1);
            let message = format!("EDU {} hangs on itself by way of EDU {head}", at + 1);
            self.report(Code::R009, at, message);
            return None;
        }
        Some(order)
    }

    fn join_dependents(&mut self, head: usize, dependents: &[usize]) {
        if dependents.is_empty() || self.failed {
            return;
        }
        let rounds = match self.rounds_by_height(head, dependents) {
            Some(rounds) => rounds,
            None => {
                if dependents
                    .iter()
                    .any(|&d| self.rows[d].height.is_some_and(|h| h > 0))
                {
                    let message = format!(
                        "the depths of what hangs on EDU {} do not nest: near before far",
                        head + 1
                    );
                    self.report(Code::R013, head, message);
                }
                self.rounds_by_nearness(head, dependents)
            }
        };
        for round in rounds {
            let Some(node) = self.join_round(head, &round) else {
                return;
            };
            self.chains[head].push(node);
        }
    }

    /// Dependents that were joined at the same height, lowest first; none when they do not nest.
    fn rounds_by_height(&self, head: usize, dependents: &[usize]) -> Option<Vec<Vec<usize>>> {
        let key = |&place: &usize| {
            let row = &self.rows[place];
            // A satellite that ties with further nuclei stands inside.
            Some((row.height?, row.role == Role::Nucleus))
        };
        let mut sorted = dependents.to_vec();
        if sorted.iter().any(|place| key(place).is_none()) {
            return None;
        }
        sorted.sort_by_key(|place| (key(place), *place));
        let rounds: Vec<Vec<usize>> = sorted
            .chunk_by(|a, b| key(a) == key(b))
            .map(<[usize]>::to_vec)
            .collect();
        let mut covered = self.span(head)?;
        for round in &rounds {
            let mut spans: Vec<Range<u32>> = round
                .iter()
                .map(|&place| self.span(place))
                .collect::<Option<_>>()?;
            spans.push(covered.clone());
            spans.sort_by_key(|span| span.start);
            let adjacent = spans.windows(2).all(|pair| pair[0].end == pair[1].start);
            covered = spans.first()?.start..spans.last()?.end;
            if !adjacent {
                return None;
            }
        }
        Some(rounds)
    }

    /// Right ones before left ones, near before far; neighbouring nuclei of one relation together.
    fn rounds_by_nearness(&self, head: usize, dependents: &[usize]) -> Vec<Vec<usize>> {
        let (mut right, mut left): (Vec<usize>, Vec<usize>) =
            dependents.iter().partition(|&&place| place > head);
        right.sort_unstable();
        left.sort_unstable_by(|a, b| b.cmp(a));
        right.extend(left);
        let together = |a: &usize, b: &usize| {
            let (a, b) = (&self.rows[*a], &self.rows[*b]);
            a.role == Role::Nucleus && b.role == Role::Nucleus && a.relation == b.relation
        };
        right.chunk_by(together).map(<[usize]>::to_vec).collect()
    }

    fn join_round(&mut self, head: usize, round: &[usize]) -> Option<NodeId> {
        let role = self.rows[*round.first()?].role;
        let mut children = vec![Child {
            node: self.top(head)?,
            role: Role::Nucleus,
            relation: match role {
                Role::Nucleus => self.rows[*round.first()?].relation.clone(),
                Role::Satellite => None,
            },
        }];
        for &place in round {
            children.push(Child {
                node: self.top(place)?,
                role,
                relation: self.rows[place].relation.clone(),
            });
        }
        children.sort_by_key(|child| self.builder.node(child.node).span().start);
        match self.builder.join_all(&children) {
            Ok(node) => Some(node),
            Err(JoinError::NotAdjacent { left, right }) => {
                let message = format!(
                    "EDUs {left} and {right} stand under EDU {}, but not what lies between them",
                    head + 1
                );
                self.report(Code::R012, head, message);
                None
            }
            Err(error) => {
                self.report(Code::R007, head, error.to_string());
                None
            }
        }
    }

    /// The highest node an EDU is the head of so far.
    fn top(&self, place: usize) -> Option<NodeId> {
        self.chains.get(place)?.last().copied()
    }

    fn span(&self, place: usize) -> Option<Range<u32>> {
        let span = self.builder.node(self.top(place)?).span();
        Some(span.start..span.end)
    }

    /// Signals and secondary edges, now by node.
    fn annotate(&mut self) {
        let texts: Vec<Arc<str>> = self.rows.iter().map(|row| row.edu.text.clone()).collect();
        let words: Vec<&str> = texts.iter().flat_map(|text| text.split(' ')).collect();
        for (place, row) in self.rows.iter().enumerate() {
            let Some(node) = self.top(place) else {
                continue;
            };
            let signals = signal::parse(&row.signals, SignalSource::Node(node), &words);
            self.builder.annotations.signals.extend(signals);
            let edges = row.secondary.split('|').filter(|e| !matches!(*e, "" | "_"));
            for edge in edges {
                self.secondary_edge(place, edge, &words);
            }
        }
    }

    /// `target:relation:source height:target height:signals`.
    fn secondary_edge(&mut self, place: usize, edge: &str, words: &[&str]) {
        let parts: Vec<&str> = edge.splitn(5, ':').collect();
        let node = |edu: Option<usize>, height: Option<&&str>| {
            let chain = self.chains.get(edu?)?;
            let height: usize = height.and_then(|height| height.parse().ok()).unwrap_or(0);
            chain.get(height).or(chain.last()).copied()
        };
        let target: Option<usize> = parts.first().and_then(|number| number.parse().ok());
        let target = node(
            target.and_then(|number| number.checked_sub(1)),
            parts.get(3),
        );
        let source = node(Some(place), parts.get(2));
        let (Some(source), Some(target), Some(relation)) = (source, target, parts.get(1)) else {
            let message = format!("the secondary edge `{edge}` is not understood: left out");
            self.report(Code::R018, place, message);
            return;
        };
        let annotations = &mut self.builder.annotations;
        let number = annotations.secondary_edges.len();
        annotations.secondary_edges.push(SecondaryEdge {
            source,
            target,
            relation: (*relation).into(),
        });
        let signals = parts.get(4).copied().unwrap_or("_");
        let signals = signal::parse(signals, SignalSource::Secondary(number), words);
        annotations.signals.extend(signals);
    }

    fn report(&mut self, code: Code, place: usize, message: String) {
        let at = self.rows.get(place).map_or(0..0, |row| row.at.clone());
        self.failed |= self.problems.report(code, at, message).is_error();
    }
}
