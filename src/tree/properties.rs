//! What must hold for every tree, and for every text that is read as one.

use std::sync::Arc;

use proptest::collection::vec;
use proptest::prelude::*;

use super::{
    Builder, Child, Decision, Edu, Format, NodeId, Pairing, ParsevalOptions, Role, Tree, Value,
    WriteOptions, parseval, read, write,
};
use crate::diagnostic::{Source, any_error};

fn readable() -> impl Iterator<Item = Format> + Clone {
    let all = Format::ALL.iter().copied();
    all.filter(|format| format.is_readable())
}

/// How one join of neighbours is made.
#[derive(Debug, Clone)]
struct Join {
    at: usize,
    roles: Vec<bool>,
    relations: Vec<usize>,
    unlike: bool,
}

/// `joint` also stands on satellites, and some relations have no name.
const RELATIONS: [Option<&str>; 5] = [
    Some("joint"),
    Some("causal-cause"),
    Some("same-unit"),
    Some("转折"),
    None,
];

fn joins(edus: usize) -> impl Strategy<Value = Vec<Join>> {
    let join = (
        0..edus.max(1),
        vec(any::<bool>(), 2..5),
        vec(0..RELATIONS.len(), 5),
        proptest::bool::weighted(0.1),
    );
    let join = join.prop_map(|(at, roles, relations, unlike)| Join {
        at,
        roles,
        relations,
        unlike,
    });
    vec(join, edus)
}

fn trees() -> impl Strategy<Value = Tree> {
    let edu = "[一-三][ a-z&<>\"(),。]{0,5}[丁-丈]";
    vec(edu, 1..14).prop_flat_map(|texts| {
        let joins = joins(texts.len());
        (Just(texts), joins).prop_map(|(texts, joins)| build(&texts, &joins))
    })
}

fn build(texts: &[String], joins: &[Join]) -> Tree {
    let mut builder = Builder::over(
        texts
            .iter()
            .map(|text| Edu::new(super::format::one_line(text))),
    );
    let mut row = builder.leaves();
    for join in joins {
        if row.len() > 1 {
            let width = join.roles.len().min(row.len());
            join_some(&mut builder, &mut row, join, width);
        }
    }
    while row.len() > 1 {
        let last = Join {
            at: 0,
            roles: vec![true, false],
            relations: vec![1; 5],
            unlike: false,
        };
        join_some(&mut builder, &mut row, &last, 2);
    }
    builder.finish(row[0]).unwrap()
}

fn join_some(builder: &mut Builder, row: &mut Vec<NodeId>, join: &Join, width: usize) {
    let at = join.at % (row.len() - width + 1);
    let mut roles: Vec<bool> = join.roles[..width].to_vec();
    if roles.iter().all(|nucleus| !nucleus) {
        roles[0] = true;
    }
    let name = |at: usize| RELATIONS[join.relations[at]].map(Arc::from);
    let shared = name(0);
    let nuclei = roles.iter().filter(|nucleus| **nucleus).count();
    let several = nuclei > 1;
    // Three nuclei of which two agree cannot be told from two nuclei and a satellite in rs3.
    let unlike = join.unlike && nuclei == 2;
    let children = row[at..at + width].iter().zip(&roles).enumerate();
    let children: Vec<Child> = children
        .map(|(place, (&node, &nucleus))| Child {
            node,
            role: if nucleus {
                Role::Nucleus
            } else {
                Role::Satellite
            },
            relation: if !nucleus {
                name(place)
            } else if !several {
                None
            } else if unlike {
                Some("joint".into()).filter(|_| place % 2 == 0).or(name(1))
            } else {
                shared.clone()
            },
        })
        .collect();
    let joined = builder.join_all(&children).unwrap();
    row.splice(at..at + width, [joined]);
}

fn read_as(text: &str, format: Format) -> Tree {
    let read = read(&Source::new("a", text), Some(format));
    assert!(
        !any_error(&read.diagnostics),
        "{:?}\n{text}",
        read.diagnostics
    );
    read.into_tree().unwrap()
}

/// What a format without symbols keeps, in a form that can be compared.
fn shape(tree: &Tree) -> String {
    let mut tree = tree.clone().unmix();
    tree.id = None;
    write(&tree, Format::Sexp, &WriteOptions::default())
}

fn there_and_back(tree: &Tree, format: Format) -> Tree {
    read_as(&write(tree, format, &WriteOptions::default()), format)
}

/// True when all nuclei of every node share a relation, which dependencies cannot say otherwise.
fn nuclei_agree(tree: &Tree) -> bool {
    let agree =
        |(_, node): (NodeId, &super::Node)| node.pair().is_none_or(|pair| pair.unlike.is_none());
    let chains_agree = |(id, _): (NodeId, &super::Node)| {
        let children = tree.children(id);
        let nuclei = children.iter().filter(|c| c.role == Role::Nucleus);
        let names: Vec<_> = nuclei.map(|child| &child.relation).collect();
        names.windows(2).all(|pair| pair[0] == pair[1])
    };
    tree.post_order().all(agree) && tree.post_order().all(chains_agree)
}

proptest! {
    #[test]
    fn rs3_gives_the_same_tree_back(tree in trees()) {
        prop_assert_eq!(shape(&there_and_back(&tree, Format::Rs3)), shape(&tree));
    }

    #[test]
    fn rs3_written_again_is_the_same_text(tree in trees()) {
        let once = write(&there_and_back(&tree, Format::Rs3), Format::Rs3, &WriteOptions::default());
        let twice = write(&read_as(&once, Format::Rs3), Format::Rs3, &WriteOptions::default());
        prop_assert_eq!(once, twice);
    }

    #[test]
    fn dis_gives_the_same_tree_back(tree in trees()) {
        prop_assert_eq!(shape(&there_and_back(&tree, Format::Dis)), shape(&tree));
    }

    #[test]
    fn binary_dis_gives_the_binary_tree_back(tree in trees()) {
        let binary = tree.clone().binary();
        if nuclei_agree(&tree) {
            prop_assert_eq!(shape(&there_and_back(&binary, Format::Dis)), shape(&binary));
        }
    }

    #[test]
    fn dependencies_give_the_same_tree_back(tree in trees()) {
        if nuclei_agree(&tree) {
            prop_assert_eq!(shape(&there_and_back(&tree, Format::Rsd)), shape(&tree));
        }
    }

    #[test]
    fn brackets_and_json_lose_nothing_of_the_tree(tree in trees(), symbol in "[A-Z一-三]{1,3}", number in any::<f64>()) {
        let mut tree = tree;
        let root = tree.root();
        let node = tree.node_mut(root);
        node.symbol = Some(symbol.as_str().into());
        node.fallback = true;
        node.attributes = [
            ("polarity", Value::Int(-1)),
            ("weight", Value::Float(number)),
            ("sure", Value::Bool(true)),
            ("time", Value::Time("2019-09-01".into())),
            ("cue word", Value::Symbol("true".into())),
            ("text", Value::Text("他说：\"涨\"\\".into())),
            ("objects", Value::Set(Arc::new(["油价".into(), "a b".into()].into()))),
        ].into_iter().filter(|(_, value)| !matches!(value, Value::Float(n) if !n.is_finite())).collect();
        tree.id = Some("文 1".into());
        prop_assert_eq!(&there_and_back(&tree, Format::Sexp), &tree);
        tree.node_mut(root).decision = Some(Decision {
            rule: "rise-explained".into(),
            probability: 0.75,
            reason: Some("B.cue = because".into()),
            runner_up: Some(("rise-listed".into(), 0.2)),
        });
        prop_assert_eq!(&there_and_back(&tree, Format::Json), &tree);
    }

    #[test]
    fn a_tree_scores_full_against_itself_and_its_formats(tree in trees()) {
        for format in [Format::Rs3, Format::Dis, Format::Sexp, Format::Json] {
            let pair = Pairing {
                id: "a".into(),
                gold: tree.clone(),
                predicted: there_and_back(&tree, format),
            };
            let (report, problems) = parseval(&[pair], &ParsevalOptions::default(), None);
            prop_assert!(problems.is_empty());
            for (_, counts) in report.original.named().into_iter().chain(report.rst.named()) {
                prop_assert_eq!(counts.matched, counts.gold);
                prop_assert_eq!(counts.matched, counts.predicted);
            }
            prop_assert_eq!(report.original.span.gold, tree.edus.len() - 1);
            prop_assert_eq!(report.rst.span.gold, 2 * tree.edus.len() - 2);
        }
    }

    #[test]
    fn no_text_panics_a_reader(text in any::<String>()) {
        for format in readable() {
            read(&Source::new("a", text.as_str()), Some(format));
        }
    }

    #[test]
    fn no_bytes_panic_the_decoder(bytes in vec(any::<u8>(), 0..200), declared in any::<bool>()) {
        let mut all = if declared { b"<?xml version='1.0' encoding='gb18030'?>".to_vec() } else { Vec::new() };
        all.extend(bytes);
        if let Ok(text) = super::decode(&all, "a") {
            read(&Source::new("a", text), None);
        }
    }

    #[test]
    fn no_damage_panics_a_reader_or_what_comes_after(
        tree in trees(),
        format in prop::sample::select(readable().collect::<Vec<_>>()),
        cuts in vec((any::<prop::sample::Index>(), 0..40_usize, "[()<>\"=\\[{}0-9a-z\t\n_!|一]{0,6}"), 1..6),
    ) {
        let mut text: Vec<char> = write(&tree, format, &WriteOptions::default()).chars().collect();
        for (at, length, insert) in cuts {
            let at = at.index(text.len() + 1);
            let end = (at + length).min(text.len());
            text.splice(at..end, insert.chars());
        }
        let text: String = text.into_iter().collect();
        for tree in read(&Source::new("a", text), Some(format)).trees {
            for format in Format::ALL {
                write(&tree, format, &WriteOptions::default());
            }
            prop_assert_eq!(tree.len(), 2 * tree.edus.len() - 1);
        }
    }
}
