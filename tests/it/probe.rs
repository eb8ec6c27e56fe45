//! Explicit connectives: sentences whose connective decides a relation, written for the project before any
//! rule was (`tests/data/connectives.probe`, which says at its end how to read it).

use std::collections::BTreeSet;

use arsg::automaton::Engine;
use arsg::grammar::embedded_grammar;
use arsg::{Document, Tree};

const PROBE: &str = include_str!("../data/connectives.probe");

/// A node that must be there: its EDUs from 1, the class of its relation, its roles.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Wanted {
    first: usize,
    last: usize,
    class: String,
    roles: String,
}

struct Item {
    id: String,
    paragraphs: Vec<Vec<String>>,
    /// All must hold; of each list, one.
    wanted: Vec<Vec<Wanted>>,
}

fn items() -> Vec<Item> {
    let mut items: Vec<Item> = Vec::new();
    for line in PROBE.lines().filter(|line| !line.starts_with("##")) {
        if let Some(head) = line.strip_prefix("# id: ") {
            let id = head.split_whitespace().next().unwrap_or_default();
            items.push(Item {
                id: id.to_owned(),
                paragraphs: vec![Vec::new()],
                wanted: Vec::new(),
            });
        } else if let Some(item) = items.last_mut() {
            if line == "/" {
                item.paragraphs.push(Vec::new());
            } else if let Some(wanted) = line.strip_prefix('=') {
                item.wanted = wanted.split(';').map(readings).collect();
            } else if let Some((_, edu)) = line.split_once(' ') {
                item.paragraphs.last_mut().unwrap().push(edu.to_owned());
            }
        }
    }
    items
}

fn readings(text: &str) -> Vec<Wanted> {
    let reading = |text: &str| {
        let mut words = text.split_whitespace();
        let (first, last) = words.next().unwrap().split_once('-').unwrap();
        Wanted {
            first: first.parse().unwrap(),
            last: last.parse().unwrap(),
            class: words.next().unwrap().to_owned(),
            roles: words.next().unwrap().to_owned(),
        }
    };
    text.split('|').map(reading).collect()
}

fn nodes(tree: &Tree) -> BTreeSet<Wanted> {
    let inner = tree.post_order().filter_map(|(_, node)| {
        let (relation, pair) = (node.relation()?, node.pair()?);
        let span = node.span();
        Some(Wanted {
            first: span.start as usize + 1,
            last: span.end as usize,
            class: relation.split('-').next().unwrap_or_default().to_owned(),
            roles: pair.roles.letters().concat(),
        })
    });
    inner.collect()
}

#[test]
fn the_probe_covers_every_class_of_relations() {
    let items = items();
    assert!(items.len() >= 150, "{}", items.len());
    let wanted = items.iter().flat_map(|item| item.wanted.iter().flatten());
    let classes: BTreeSet<&str> = wanted.map(|node| node.class.as_str()).collect();
    assert!(classes.len() >= 15, "{classes:?}");
    for item in &items {
        let edus = item.paragraphs.iter().map(Vec::len).sum::<usize>();
        assert!((2..=4).contains(&edus), "{}", item.id);
        let ends = item.wanted.iter().flatten().map(|node| node.last);
        assert!(ends.max().is_some_and(|last| last <= edus), "{}", item.id);
    }
}

#[test]
fn the_default_grammar_reads_connectives() {
    let engine = Engine::new(embedded_grammar("general").unwrap());
    let items = items();
    let right = items.iter().filter(|item| {
        let document = Document::from_edus(item.id.as_str(), item.paragraphs.clone());
        let parse = engine.parse(&document);
        let found = nodes(parse.tree().unwrap());
        let holds = |readings: &Vec<Wanted>| readings.iter().any(|node| found.contains(node));
        item.wanted.iter().all(holds)
    });
    let share = right.count() as f64 / items.len() as f64;
    assert!(share >= FLOOR, "{share:.3}");
}

/// The share that the shipped grammar reads right; it may rise.
const FLOOR: f64 = 0.95;
