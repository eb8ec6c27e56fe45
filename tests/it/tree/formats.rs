//! Trees as others meet them: every format of small Chinese trees, drawings, depth, damage.

use std::sync::Arc;

use arsg::diagnostic::{Source, any_error};
use arsg::tree::{
    Builder, Child, Decision, Edu, Format, Role, Roles, SignalSource, TextDrawing, Tree, Value,
    WriteOptions, read, write,
};

use crate::golden;

/// What can be read and has no signals.
const PLAIN: [Format; 6] = [
    Format::Rs3,
    Format::Dis,
    Format::Rsd,
    Format::Sexp,
    Format::Json,
    Format::Edus,
];

/// Five EDUs: a heading, a cause with attributes and a rule, three nuclei, a fallback.
fn rainy_day() -> Tree {
    let mut tree = read_as(
        Format::Sexp,
        r#"
        ; the match is off
        @雨天 (organization-heading SN
          1:"周末赛事综述"
          (Event[causal-cause] SN {polarity=-1 time=@2019-09-01 objects=[比赛 球场]}
            Rain:2:"因为连日大雨，球场积水严重，"
            (joint-list NNN !
              3:"组委会宣布比赛取消，"
              4:"球迷可以在三十天之内凭票根到原购票地点办理全额退款，"
              5:"球员则返回酒店休息。")))"#,
    );
    let found = tree
        .post_order()
        .find(|(_, node)| node.symbol.as_deref() == Some("Event"));
    let event = found.map(|(id, _)| id).unwrap();
    tree.node_mut(event).decision = Some(Decision {
        rule: "rain-cause".into(),
        probability: 0.875,
        reason: Some("A.cue = because".into()),
        runner_up: Some(("rain-list".into(), 0.1)),
    });
    tree
}

/// A node with two satellites, nuclei with different relations, and marks that need escaping.
fn odd_one() -> Tree {
    read_as(
        Format::Sexp,
        r#"(organization-heading|explanation-evidence SNS
             "Q&A <问答>"
             (same-unit|joint-list NN "他说：\"涨了\"" "（但）没有涨。")
             "[1]")"#,
    )
}

fn read_as(format: Format, text: &str) -> Tree {
    let read = read(&Source::new("test", text), Some(format));
    assert!(!any_error(&read.diagnostics), "{:?}", read.diagnostics);
    read.into_tree().unwrap()
}

fn written(tree: &Tree, format: Format) -> String {
    write(tree, format, &WriteOptions::default())
}

#[test]
fn every_format_of_a_small_tree() {
    for format in PLAIN {
        let name = format.as_str();
        insta::assert_snapshot!(format!("rainy_day_{name}"), written(&rainy_day(), format));
        insta::assert_snapshot!(format!("odd_one_{name}"), written(&odd_one(), format));
    }
}

#[test]
fn drawings_of_a_small_tree() {
    let tree = rainy_day();
    for format in [Format::Tree, Format::Svg, Format::Html] {
        let name = format.as_str();
        insta::assert_snapshot!(format!("rainy_day_{name}"), written(&tree, format));
    }
    insta::assert_snapshot!("odd_one_svg", written(&odd_one(), Format::Svg));
    let drawing = TextDrawing::default().width(36).color(true).rules(true);
    let narrow = WriteOptions::default().drawing(drawing).binary(true);
    insta::assert_snapshot!("rainy_day_narrow", write(&tree, Format::Tree, &narrow));
}

#[test]
fn a_terminal_drawing_never_exceeds_its_width() {
    let tree = rainy_day();
    for width in [1, 5, 12, 20, 33, 80] {
        let drawing = TextDrawing::default().width(width).rules(true);
        let how = WriteOptions::default().drawing(drawing);
        for line in write(&tree, Format::Tree, &how).lines() {
            let columns = unicode_width::UnicodeWidthStr::width(line);
            assert!(columns <= width, "{columns} columns of {width}: {line}");
        }
    }
}

#[test]
fn a_multinuc_of_five_comes_back_as_a_multinuc_of_five() {
    let tree = read_as(Format::Sexp, "(joint-list NNNNN 1 2 3 4 5)");
    let root = tree.children(tree.root());
    assert_eq!(root.len(), 5);
    let (inner, _) = tree.post_order().nth_back(1).unwrap();
    assert!(
        tree.node(inner).is_part(),
        "inside it is a right-heavy chain"
    );
    assert_eq!(tree.node(inner).span().to_string(), "2-5");
    let binary = tree.clone().binary();
    assert_eq!(binary.children(binary.root()).len(), 2);
    assert_eq!(binary.flatten(), tree);
    for format in [Format::Rs3, Format::Dis, Format::Rsd, Format::Json] {
        let back = read_as(format, &written(&tree, format));
        assert_eq!(back.children(back.root()).len(), 5, "{format:?}");
    }
}

#[test]
fn satellites_join_right_before_left_and_near_before_far() {
    let tree = read_as(Format::Sexp, "(a|b|c|d SSNSS 1 2 3 4 5)").binary();
    let spans: Vec<String> = tree
        .post_order()
        .filter(|(_, node)| !node.is_leaf())
        .map(|(_, node)| format!("{} {}", node.span(), node.relation().unwrap()))
        .collect();
    assert_eq!(spans, ["3-4 c", "3-5 d", "2-5 b", "1-5 a"]);
}

#[test]
fn trees_are_built_from_the_leaves_up() {
    let mut builder = Builder::new();
    let rain = builder.add_leaf(Edu::new("因为下雨，"));
    let off = builder.add_leaf(Edu::new("比赛取消，"));
    let home = builder.add_leaf(Edu::new("大家回家。"));
    let list = builder
        .join(off, home, Roles::NucleusNucleus, Some("joint-list".into()))
        .unwrap();
    assert!(
        builder
            .join(rain, home, Roles::NucleusNucleus, None)
            .is_err()
    );
    let root = builder
        .join(
            rain,
            list,
            Roles::SatelliteNucleus,
            Some("causal-cause".into()),
        )
        .unwrap();
    builder
        .node_mut(root)
        .attributes
        .set("时间", Value::Time("2019-09".into()));
    let tree = builder.finish(root).unwrap();
    assert_eq!(tree.heads()[tree.root().index()], 1);
    let path: Vec<String> = tree
        .nuclei_path(tree.root())
        .map(|id| tree.node(id).span().to_string())
        .collect();
    assert_eq!(path, ["1-3", "2-3", "2"]);
    assert_eq!(tree.role(tree.leaves().next().unwrap().0), Role::Satellite);
    assert_eq!(tree.text(tree.root()), "因为下雨，比赛取消，大家回家。");
}

#[test]
fn two_satellites_cannot_be_said() {
    assert_eq!(Roles::of(Role::Satellite, Role::Satellite), None);
    let mut builder = Builder::over(["一，", "二。"].map(Edu::new));
    let satellites: Vec<Child> = builder
        .leaves()
        .into_iter()
        .map(|node| Child {
            node,
            role: Role::Satellite,
            relation: None,
        })
        .collect();
    assert!(builder.join_all(&satellites).is_err());
}

#[test]
fn signals_and_secondary_edges_survive_rs4_rsd_and_json() {
    let source = include_str!("../../data/signals.rs4");
    let tree = read_as(Format::Rs4, source);
    assert_eq!(tree.annotations.signals.len(), 3);
    assert_eq!(
        tree.annotations.signals[2].source,
        SignalSource::Secondary(0)
    );
    assert_eq!(written(&tree, Format::Rs4), source);
    let json = read_as(Format::Json, &written(&tree, Format::Json));
    assert_eq!(json, tree);
    let rsd = written(&tree, Format::Rsd);
    insta::assert_snapshot!("signals_rsd", rsd);
    let back = read_as(Format::Rsd, &rsd);
    assert_eq!(back.annotations.secondary_edges.len(), 1);
    assert_eq!(written(&back, Format::Rsd), rsd);
}

#[test]
fn the_content_tells_the_format() {
    let tree = rainy_day();
    for format in PLAIN {
        assert_eq!(Format::from_content(&written(&tree, format)), format);
    }
    assert_eq!(
        Format::from_content(include_str!("../../data/signals.rs4")),
        Format::Rs4
    );
}

#[test]
fn the_json_schema_is_in_step() {
    let validator = golden::json_schema("tree", &arsg::tree::json_schema());
    for tree in [
        rainy_day(),
        odd_one(),
        read_as(Format::Rs4, include_str!("../../data/signals.rs4")),
    ] {
        let json: serde_json::Value = serde_json::from_str(&written(&tree, Format::Json)).unwrap();
        assert!(
            validator.is_valid(&json),
            "{:?}",
            validator.iter_errors(&json).collect::<Vec<_>>()
        );
    }
    let wrong = serde_json::json!({"edus": [], "nodes": [{"edu": 1, "colour": "red"}]});
    assert!(!validator.is_valid(&wrong));
}

#[test]
fn a_hundred_thousand_levels_are_read_written_and_drawn() {
    const EDUS: usize = 100_000;
    let edus = (0..EDUS).map(|at| Edu::new(format!("第{at}句，")));
    let mut builder = Builder::over(edus);
    let mut leaves = builder.leaves();
    let mut top = leaves.pop().unwrap();
    while let Some(leaf) = leaves.pop() {
        let relation: Option<Arc<str>> = Some("elaboration-additional".into());
        top = builder
            .join(leaf, top, Roles::NucleusSatellite, relation)
            .unwrap();
    }
    let tree = builder.finish(top).unwrap();
    for format in Format::ALL {
        let text = written(&tree, format);
        assert!(text.len() < 200_000_000, "{format:?}: {}", text.len());
        if format.is_readable() && format != Format::Edus {
            assert_eq!(
                read_as(format, &text).depths().into_iter().max(),
                Some(99_999)
            );
        }
    }
}

#[test]
fn leaves_of_dis_may_be_counted_from_any_number() {
    for first in [0_u32, 1, 7, u32::MAX - 1] {
        let last = u64::from(first) + 1;
        let text = format!(
            "( Root (span {first} {last})
              ( Satellite (leaf {first}) (rel2par cause) (text _!因为下雨，_!) )
              ( Nucleus (leaf {last}) (rel2par span) (text _!比赛取消。_!) ) )"
        );
        let found = read(&Source::new("a.dis", text.as_str()), Some(Format::Dis));
        assert_eq!(found.trees.len(), 1, "{first}");
        assert!(found.diagnostics.is_empty(), "{first}");
    }
    let beyond = format!("( Root (leaf {}) (text _!一_!) )", u64::MAX);
    let found = read(&Source::new("a.dis", beyond), Some(Format::Dis));
    assert!(found.trees.is_empty());
}

#[test]
fn nesting_without_end_is_an_error_and_no_crash() {
    let deep = 100_000;
    let cases = [
        (Format::Sexp, "(list NN ".repeat(deep)),
        (Format::Dis, "( Nucleus ".repeat(deep)),
        (Format::Dis, "( Root ( Nucleus (rel2par ".repeat(deep)),
        (Format::Rs3, "<group>".repeat(deep)),
        (
            Format::Rs3,
            format!("<rst>{}{}</rst>", "<a>".repeat(deep), "</a>".repeat(deep)),
        ),
        (Format::Json, format!("{{\"edus\":{}", "[".repeat(deep))),
        (
            Format::Json,
            format!(
                r#"{{"edus":[{{"text":"一"}}],"nodes":[{{"edu":1,"attributes":{{"a":{}"#,
                "[".repeat(deep)
            ),
        ),
    ];
    for (format, text) in cases {
        let read = read(&Source::new("deep", text), Some(format));
        assert!(any_error(&read.diagnostics), "{format:?}");
    }
}

#[test]
fn groups_that_only_rs3_needs_leave_ids_alone() {
    // `said` may be multi-nuclear, so a span group stands between 甲说 and what it says.
    let tree = read_as(
        Format::Rs3,
        r#"<rst><header><relations><rel name="joint" type="multinuc"/><rel name="said" type="rst"/>
        <rel name="said" type="multinuc"/></relations></header><body>
        <segment id="1" parent="9" relname="said">甲说，</segment>
        <segment id="2" parent="7" relname="joint">乙涨，</segment>
        <segment id="3" parent="7" relname="joint">丙跌。</segment>
        <segment id="4" parent="8" relname="joint">丁平。</segment>
        <group id="7" type="multinuc" parent="9" relname="span"/>
        <group id="9" type="span" parent="8" relname="joint"/>
        <group id="8" type="multinuc"/></body></rst>"#,
    );
    let once = written(&tree, Format::Rs3);
    assert_eq!(once, written(&read_as(Format::Rs3, &once), Format::Rs3));
}
