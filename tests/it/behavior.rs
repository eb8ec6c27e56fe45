//! Labels as files: their JSON schema, and that they rebuild their trees.

use arsg::Tree;
use arsg::automaton::Options;
use arsg::behavior::{Annotator, GoldTrees, LabelFile, Labelling, SelfLabelling, json_schema};
use arsg::text::Document;

use crate::fixtures::ENGINE;
use crate::golden;

#[test]
fn lines_are_what_the_json_schema_says() {
    let validator = golden::json_schema("label", &json_schema());
    let document = Document::from_text("cpi", "8月份CPI同比上涨2.4%，主要是因为猪肉价格上涨。");
    let mut labelling = Labelling::new(&ENGINE, &document, "grammar");
    SelfLabelling::new(&ENGINE, Options::default())
        .annotate(&mut labelling)
        .unwrap();
    let lines = labelling.label().to_lines().unwrap();
    assert_eq!(lines.lines().count(), 4);
    for line in lines.lines() {
        let line: serde_json::Value = serde_json::from_str(line).unwrap();
        assert!(validator.is_valid(&line), "{line}");
    }
    for wrong in [
        r#"{"action":"jump"}"#,
        r#"{"action":"shift","because":1}"#,
        "3",
    ] {
        let wrong: serde_json::Value = serde_json::from_str(wrong).unwrap();
        assert!(!validator.is_valid(&wrong), "{wrong}");
    }
}

/// All texts of the demo corpus: every label rebuilds its tree, and its rules are read back.
#[test]
fn labels_of_the_demo_corpus_rebuild_their_trees() {
    let cases = arsg::demo::corpus().unwrap();
    assert!(cases.len() >= 40, "{}", cases.len());
    for case in cases {
        let gold = case.tree.unwrap();
        let mut labelling = Labelling::new(&ENGINE, &case.document, "gold");
        GoldTrees::new("gold", [gold.clone()])
            .annotate(&mut labelling)
            .unwrap();
        let lines = labelling.label().to_lines().unwrap();
        let mut file = LabelFile::read(lines.as_bytes(), &case.name);
        let again = file.replay(&ENGINE).unwrap();
        assert!(file.diagnostics.is_empty(), "{:?}", file.diagnostics);
        assert_eq!(again.tree().unwrap(), labelling.tree().unwrap());
        assert_eq!(nodes(&again.tree().unwrap()), nodes(&gold), "{}", case.name);
    }
}

/// The span of every node, with roles and relation where it has two children.
fn nodes(tree: &Tree) -> Vec<impl PartialEq + std::fmt::Debug + use<>> {
    let nodes = tree.post_order();
    nodes
        .map(|(_, node)| {
            let pair = node.pair();
            (
                node.span(),
                pair.map(|pair| (pair.roles, pair.relation.clone())),
            )
        })
        .collect()
}
