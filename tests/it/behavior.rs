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

mod edits {
    use arsg::behavior::{Act, Edge, Edit, Join, Labelling, Remark, Sign, read_label};
    use arsg::text::Document;
    use arsg::tree::{EduSpan, Role, Roles, SignalSource};

    use super::ENGINE;

    fn span(first: u32, last: u32) -> EduSpan {
        EduSpan {
            start: first - 1,
            end: last,
        }
    }

    fn rain() -> Document {
        let edus = ["因为下雨，", "比赛取消了，", "观众很失望。", "主办方道歉。"];
        Document::from_edus("雨", [edus])
    }

    fn attach(node: EduSpan, to: EduSpan, relation: &str) -> Edit {
        let join = Join::new(relation, Roles::NucleusSatellite);
        let role = Role::Satellite;
        Edit::Attach {
            node,
            to,
            role,
            join,
        }
    }

    /// Every node with its relation, as the label has it.
    fn told(labelling: &Labelling) -> Vec<String> {
        let knots = labelling.forest().knots().iter();
        let pairs = knots.filter_map(|knot| {
            let join = &knot.link.as_ref()?.join;
            Some(format!("{} {} {}", knot.span, join.relation, join.roles))
        });
        pairs.collect()
    }

    #[test]
    fn edits_are_on_disk_before_they_are_done_and_are_read_back() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("雨.label");
        let open = || {
            Labelling::open(&path, &ENGINE, &rain(), "甲")
                .unwrap()
                .labelling
        };
        let mut labelling = open();
        for _ in 0..2 {
            labelling.act(Act::Shift, None).unwrap();
        }
        let cause = Join::new("causal-cause", Roles::SatelliteNucleus);
        labelling.act(Act::Reduce(cause), None).unwrap();
        labelling
            .edit(attach(span(3, 3), span(1, 2), "causal-result"))
            .unwrap();
        labelling
            .edit(attach(span(4, 4), span(3, 3), "elaboration-additional"))
            .unwrap();
        assert!(labelling.is_complete());
        let whole = [
            "1-2 causal-cause SN",
            "3-4 elaboration-additional NS",
            "1-4 causal-result NS",
        ];
        assert_eq!(told(&labelling), whole);
        // Back over both edits and the reduction, and forth again.
        for _ in 0..3 {
            labelling.act(Act::Undo, None).unwrap();
        }
        assert_eq!(labelling.progress(), (2, 7));
        for _ in 0..3 {
            labelling.act(Act::Redo, None).unwrap();
        }
        assert_eq!(told(&labelling), whole);
        let refused = labelling.edit(attach(span(1, 1), span(4, 4), "causal-cause"));
        assert!(refused.is_err());
        let unknown = labelling.edit(attach(span(4, 4), span(1, 3), "causal-cuase"));
        assert!(unknown.unwrap_err().to_string().contains("error"));
        let actions = labelling.label().actions.len();
        drop(labelling);
        let label = read_label(&path).unwrap().into_result().unwrap();
        assert_eq!(label.actions.len(), actions);
        assert!(label.is_complete());
        let again = open();
        assert_eq!(told(&again), whole);
        assert_eq!(again.forest(), &label.forest());
        assert_eq!(again.instances().productions.len(), 3);
        assert_eq!(again.tree().unwrap().len(), 7);
    }

    #[test]
    fn an_edu_is_cut_anywhere_and_what_was_said_stays_with_its_words() {
        let mut labelling = Labelling::new(&ENGINE, &rain(), "甲");
        labelling
            .edit(attach(span(1, 1), span(2, 2), "causal-cause"))
            .unwrap();
        let together = Remark::Answer {
            span: span(1, 2),
            together: Some(true),
        };
        labelling.remark(together).unwrap();
        let note = Remark::Note {
            span: span(2, 2),
            text: "看标点".into(),
        };
        labelling.remark(note).unwrap();
        labelling
            .edit(Edit::Cut {
                edu: 1,
                at: 2,
                join: Join::new("same-unit", Roles::NucleusNucleus),
            })
            .unwrap();
        let edus: Vec<&str> = labelling
            .session()
            .text()
            .edus
            .iter()
            .map(|e| &*e.text)
            .collect();
        assert_eq!(
            edus,
            [
                "因为下雨，",
                "比赛",
                "取消了，",
                "观众很失望。",
                "主办方道歉。"
            ]
        );
        assert_eq!(labelling.answers(), [(span(1, 3), true)]);
        assert_eq!(labelling.notes()[0].0, span(2, 3));
        labelling.edit(Edit::Unite { edu: 1 }).unwrap();
        assert_eq!(labelling.notes()[0].0, span(2, 2));
        assert_eq!(labelling.document(), &rain());
        let nothing = Edit::Cut {
            edu: 0,
            at: 0,
            join: Join::new("same-unit", Roles::NucleusNucleus),
        };
        assert!(labelling.edit(nothing).is_err());
        assert!(labelling.edit(Edit::Unite { edu: 3 }).is_err());
        // Remarks are no steps: undo takes back the edit.
        labelling.act(Act::Undo, None).unwrap();
        assert_eq!(labelling.answers().len(), 1);
        assert_eq!(labelling.session().text().len(), 5);
    }

    #[test]
    fn signals_and_secondary_edges_go_into_the_tree() {
        let mut labelling = Labelling::new(&ENGINE, &rain(), "甲");
        let pairs = [((1, 1), (2, 2)), ((3, 3), (1, 2)), ((4, 4), (1, 3))];
        for (node, to) in pairs {
            let edit = attach(span(node.0, node.1), span(to.0, to.1), "causal-result");
            labelling.edit(edit).unwrap();
        }
        let sign = Sign {
            span: span(1, 1),
            kind: "dm".into(),
            subtype: "dm".into(),
            words: "因为".into(),
            stands: true,
        };
        labelling.remark(Remark::Signal(sign)).unwrap();
        let edge = Edge {
            source: span(4, 4),
            target: span(2, 2),
            relation: "causal-result".into(),
            stands: true,
        };
        labelling.remark(Remark::Edge(edge)).unwrap();
        let tree = labelling.tree().unwrap();
        let signal = &tree.annotations.signals[0];
        assert_eq!((&*signal.kind, signal.tokens.as_slice()), ("dm", &[1][..]));
        assert!(
            matches!(signal.source, SignalSource::Node(node) if tree.node(node).span() == span(1, 1))
        );
        assert_eq!(tree.annotations.secondary_edges.len(), 1);
        // A tree that is taken over brings them along.
        let mut other = Labelling::new(&ENGINE, &rain(), "乙");
        other.take_tree(&tree).unwrap();
        // Formats number words between spaces: the whole word comes back.
        let taken = other.signals();
        let words: Vec<&str> = taken.iter().map(|sign| &*sign.words).collect();
        assert_eq!(words, ["因为下雨，"]);
        assert_eq!(other.edges().len(), 1);
        let gone = taken.into_iter().map(|sign| Sign {
            stands: false,
            ..sign
        });
        for sign in gone {
            other.remark(Remark::Signal(sign)).unwrap();
        }
        assert!(other.signals().is_empty());
    }
}
