//! Made-up texts: varied, the same for the same seed, and parsed back to the trees they came from.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use arsg::generate::{Frames, Generator, Made};

use crate::fixtures::ENGINE;
use crate::run::arsg;

static MADE: LazyLock<Vec<Made>> = LazyLock::new(|| {
    let frames = Frames::embedded(ENGINE.schema()).unwrap();
    let generator = Generator::new(ENGINE.clone(), frames).unwrap();
    let mut all = Vec::new();
    generator
        .make_each(7, 60, |made| {
            all.push(made);
            Ok(())
        })
        .unwrap();
    all
});

#[test]
fn every_text_parses_back_to_its_tree() {
    for made in MADE.iter() {
        // As others read it: from its JSON.
        let wire = serde_json::to_string(&made.document).unwrap();
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.jsonl");
        std::fs::write(&path, wire + "\n").unwrap();
        let mut read = arsg::text::corpus::open(&path, None).unwrap();
        let document = read.next().unwrap().unwrap();
        let tree = ENGINE.parse(&document).into_tree().unwrap();
        let shape = |tree: &arsg::Tree| -> Vec<_> {
            let nodes = tree.post_order();
            nodes
                .map(|(_, node)| (node.span(), node.relation().cloned(), node.symbol.clone()))
                .collect()
        };
        assert_eq!(shape(&tree), shape(&made.tree), "{}", made.document.id);
    }
}

#[test]
fn most_nodes_are_as_planned() {
    let joins: usize = MADE.iter().map(|made| made.tree.edus.len() - 1).sum();
    let planned: usize = MADE.iter().map(|made| made.planned).sum();
    assert!(planned * 10 > joins * 7, "{planned} of {joins}");
}

#[test]
fn texts_are_varied_and_tell_of_events() {
    let texts: BTreeSet<&str> = MADE
        .iter()
        .map(|made| made.document.text.as_str())
        .collect();
    assert_eq!(texts.len(), MADE.len(), "no text stands twice");
    let topics: BTreeSet<&str> = MADE.iter().map(|made| made.topic.as_str()).collect();
    assert!(topics.len() >= 4, "{topics:?}");
    let mut events: BTreeMap<String, usize> = BTreeMap::new();
    for made in MADE.iter() {
        *events
            .entry(made.document.url.clone().unwrap())
            .or_default() += 1;
        assert!(made.tree.edus.len() >= 4 && made.tree.edus.len() <= 40);
        assert!(made.document.date.is_some() && made.document.title.is_some());
    }
    assert!(events.values().any(|texts| *texts >= 4), "{events:?}");
    let relations: BTreeSet<_> = MADE
        .iter()
        .flat_map(|made| {
            let nodes = made.tree.post_order();
            nodes.filter_map(|(_, node)| node.relation().cloned())
        })
        .collect();
    assert!(relations.len() >= 12, "{relations:?}");
}

#[test]
fn topics_have_their_habits() {
    // The share of each relation among the texts of a topic differs from topic to topic.
    let mut by_topic: BTreeMap<&str, BTreeMap<String, usize>> = BTreeMap::new();
    for made in MADE.iter() {
        let counts = by_topic.entry(&made.topic).or_default();
        for (_, node) in made.tree.post_order() {
            if let Some(relation) = node.relation() {
                *counts.entry(relation.to_string()).or_default() += 1;
            }
        }
    }
    let usual: BTreeSet<_> = by_topic
        .values()
        .filter_map(|counts| {
            let mut counts: Vec<_> = counts.iter().collect();
            counts.sort_by_key(|(name, count)| (std::cmp::Reverse(**count), (*name).clone()));
            let names: Vec<_> = counts
                .iter()
                .take(3)
                .map(|(name, _)| (*name).clone())
                .collect();
            (names.len() == 3).then_some(names)
        })
        .collect();
    assert!(usual.len() >= 3, "{usual:?}");
}

#[test]
fn the_same_seed_gives_the_same_bytes_on_any_number_of_threads() {
    let folder = tempfile::tempdir().unwrap();
    let make = |threads: &str, seed: &str, name: &str| {
        let texts = format!("{name}.jsonl");
        let trees = format!("{name}-trees.jsonl");
        let arguments = [
            "generate",
            "-n",
            "12",
            "--seed",
            seed,
            "--threads",
            threads,
            "--out",
            &texts,
            "--trees",
            &trees,
        ];
        let (code, _, note) = arsg(folder.path(), &arguments);
        assert_eq!(code, Some(0), "{note}");
        assert!(note.contains("12 texts"), "{note}");
        let read = |name: &str| std::fs::read_to_string(folder.path().join(name)).unwrap();
        (read(&texts), read(&trees))
    };
    let first = make("1", "3", "a");
    assert_eq!(first, make("2", "3", "b"));
    assert_ne!(first, make("2", "4", "c"));
    let (code, out, error) = arsg(
        folder.path(),
        &["parseval", "a-trees.jsonl", "b-trees.jsonl"],
    );
    assert_eq!(code, Some(0), "{error}");
    assert!(out.contains("100.0"), "{out}");
}

#[test]
fn trees_go_to_a_folder_in_any_format_and_frames_are_checked() {
    let folder = tempfile::tempdir().unwrap();
    let arguments = [
        "generate", "-n", "3", "--out", "t.jsonl", "--trees", "trees", "--format", "dis",
    ];
    let (code, _, error) = arsg(folder.path(), &arguments);
    assert_eq!(code, Some(0), "{error}");
    let files = std::fs::read_dir(folder.path().join("trees")).unwrap();
    assert_eq!(files.count(), 3);
    let (code, out, _) = arsg(
        folder.path(),
        &["convert", "trees/made-000001.dis", "--to", "tree"],
    );
    assert_eq!(code, Some(0));
    assert!(out.contains('├'), "{out}");
    std::fs::write(
        folder.path().join("f.toml"),
        "[frames]\na = []\n[topic.t]\nshare = 1\nsymbols = { Rize = 1 }\n",
    )
    .unwrap();
    let (code, _, error) = arsg(folder.path(), &["generate", "--frames", "f.toml"]);
    assert_eq!(code, Some(1));
    assert!(error.contains("is it `Rise`?"), "{error}");
}
