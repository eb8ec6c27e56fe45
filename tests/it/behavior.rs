//! Labels as files: their JSON schema, and that they rebuild their trees.

use arsg::automaton::ParseOptions;
use arsg::behavior::{
    Act, Annotator, GoldTrees, LabelFile, Labelling, SelfLabelling, json_schema, read_label,
};
use arsg::text::Document;
use arsg::{Error, Tree};

use crate::fixtures::ENGINE;
use crate::golden;

#[test]
fn lines_are_what_the_json_schema_says() {
    let validator = golden::json_schema("label", &json_schema());
    let document = Document::from_text("cpi", "8月份CPI同比上涨2.4%，主要是因为猪肉价格上涨。");
    let mut labelling = Labelling::new(&ENGINE, &document, "grammar");
    SelfLabelling::new(&ENGINE, ParseOptions::default())
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

#[test]
fn two_who_begin_the_same_text_do_not_erase_each_other() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("雨.label");
    let document = Document::from_text("雨", "因为下雨，比赛取消了。");
    let open = |name| Labelling::open(&path, &ENGINE, &document, name).map(|it| it.labelling);
    let (mut first, mut second) = (open("甲").unwrap(), open("乙").unwrap());
    first.act(Act::Shift, None).unwrap();
    let refused = second.act(Act::Shift, None).unwrap_err();
    assert!(matches!(refused, Error::Busy(_)), "{refused}");
    assert!(refused.to_string().contains("begun by `甲`"), "{refused}");
    first.act(Act::Shift, None).unwrap();
    // While the label is open nobody else can open it to write; looking at it is allowed.
    assert!(matches!(open("丙"), Err(Error::Busy(_))));
    let seen = Labelling::open_read_only(&path, &ENGINE, &document, "丙").unwrap();
    assert_eq!(seen.labelling.progress().0, 2);
    drop(first);
    let label = read_label(&path).unwrap().into_result().unwrap();
    assert_eq!((&*label.header.annotator, label.actions.len()), ("甲", 2));
    assert_eq!(open("乙").unwrap().progress().0, 2);
}

#[test]
fn a_program_never_replaces_what_it_did_not_make() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("雨.label");
    let document = Document::from_text("雨", "因为下雨，比赛取消了。");
    let label = |name| {
        let mut labelling = Labelling::new(&ENGINE, &document, name);
        labelling.act(Act::Shift, None).unwrap();
        labelling.into_label()
    };
    label("甲").save_over_own(&path).unwrap();
    label("甲").save_over_own(&path).unwrap();
    assert!(matches!(
        label("乙").save_over_own(&path),
        Err(Error::Busy(_))
    ));
    let open = Labelling::open(&path, &ENGINE, &document, "甲").unwrap();
    assert!(matches!(
        label("甲").save_over_own(&path),
        Err(Error::Busy(_))
    ));
    drop(open);
    label("甲").save_over_own(&path).unwrap();
}
