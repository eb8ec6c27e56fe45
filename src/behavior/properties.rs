//! What holds of every tree and of every damage to a label.

use std::sync::{Arc, LazyLock};

use proptest::collection::vec;
use proptest::prelude::*;

use super::*;
use crate::automaton::{Engine, ParseOptions};
use crate::grammar::embedded_grammar;
use crate::schema::RhetoricKind;
use crate::text::Document;
use crate::tree::{Builder, Child, Edu, NodeId, Role, Tree};

/// Place, width, relation and nucleus of a join, each taken by its remainder.
type JoinSeed = (usize, usize, usize, usize);

const CLAUSES: [&str; 6] = [
    "8月份CPI同比上涨2.4%，",
    "因为猪肉价格上涨，",
    "央行表示，",
    "但是出口下降。",
    "利率保持不变；",
    "市场预期改善。",
];

static ENGINE: LazyLock<Arc<Engine>> =
    LazyLock::new(|| Arc::new(Engine::new(embedded_grammar("seed").unwrap())));

fn document(id: &str, clauses: &[usize]) -> Document {
    let edus = clauses.iter().map(|at| CLAUSES[at % CLAUSES.len()]);
    let edus: Vec<&str> = edus.collect();
    // A paragraph every four EDUs.
    Document::from_edus(id, edus.chunks(4).map(<[&str]>::to_vec))
}

/// Joins neighbours until one node is left; a join may take up to four children.
fn tree_over(document: &Document, joins: &[JoinSeed]) -> Tree {
    let edus = document.edus();
    let mut builder = Builder::over(edus.map(|(_, range)| Edu::new(document.slice(&range))));
    builder.id = Some(document.id.as_str().into());
    let mut row: Vec<NodeId> = builder.leaves();
    let mut turns = joins.iter().cycle();
    while row.len() > 1 {
        let Some(&(place, width, relation, nucleus)) = turns.next() else {
            break;
        };
        let start = place % (row.len() - 1);
        let width = (2 + width % 3).min(row.len() - start);
        let rhetoric = &ENGINE.schema().rhetoric;
        let rhetoric = &rhetoric[relation % rhetoric.len()];
        let children = row[start..start + width].iter().enumerate();
        let children = children.map(|(at, node)| Child {
            node: *node,
            role: if rhetoric.kind == RhetoricKind::Multinuc || at == nucleus % width {
                Role::Nucleus
            } else {
                Role::Satellite
            },
            relation: Some(rhetoric.name.as_str().into()),
        });
        let children: Vec<Child> = children.collect();
        let Ok(joined) = builder.join_all(&children) else {
            break;
        };
        row.splice(start..start + width, [joined]);
    }
    builder.finish(row[0]).unwrap()
}

/// Spans, roles and relations, from the leaves up.
fn shape(tree: &Tree) -> Vec<String> {
    let nodes = tree.post_order().map(|(_, node)| match node.pair() {
        None => node.span().to_string(),
        Some(pair) => format!(
            "{} {} {}",
            node.span(),
            pair.roles,
            pair.relation.as_deref().unwrap_or_default()
        ),
    });
    nodes.collect()
}

fn cases() -> impl Strategy<Value = (Vec<usize>, Vec<JoinSeed>)> {
    let join = (
        any::<usize>(),
        any::<usize>(),
        any::<usize>(),
        any::<usize>(),
    );
    (vec(0..CLAUSES.len(), 1..14), vec(join, 1..8))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn replaying_a_label_rebuilds_its_tree((clauses, joins) in cases()) {
        let document = document("例", &clauses);
        let gold = tree_over(&document, &joins).binary();
        let mut labelling = Labelling::new(&ENGINE, &document, "gold");
        let verdict = GoldTrees::new("gold", [gold.clone()]).annotate(&mut labelling)?;
        prop_assert_eq!(verdict, LabellingState::Finished);
        let made = labelling.tree()?;
        prop_assert_eq!(shape(&made), shape(&gold));
        let lines = labelling.label().to_lines()?;
        let mut read = LabelFile::read(lines.as_bytes(), "例.label");
        let again = read.replay(&ENGINE);
        prop_assert!(read.diagnostics.is_empty(), "{:?}", read.diagnostics);
        prop_assert_eq!(read.label.as_ref(), Some(labelling.label()));
        prop_assert_eq!(again.map(|again| again.tree()).transpose()?, Some(made));
        let edus = clauses.len();
        let rules = labelling.instances();
        let total: u64 = rules.productions.iter().map(|p| p.rule.count().get()).sum();
        prop_assert_eq!(total, edus as u64 - 1, "a production for every reduction");
    }

    /// Wherever a crash tears a file, all actions but the torn one are there, and the rest goes on.
    #[test]
    fn a_torn_label_loses_one_action((clauses, joins) in cases(), cut in any::<prop::sample::Index>()) {
        let document = document("例", &clauses);
        let mut labelling = Labelling::new(&ENGINE, &document, "gold");
        GoldTrees::new("gold", [tree_over(&document, &joins)]).annotate(&mut labelling)?;
        let lines = labelling.label().to_lines()?;
        let cut = cut.index(lines.len());
        let torn = LabelFile::read(&lines.as_bytes()[..cut], "例.label");
        let whole = lines.as_bytes()[..cut].iter().filter(|byte| **byte == b'\n').count();
        let kept = torn.label.as_ref().map_or(0, |label| label.actions.len() + 1);
        prop_assert!(kept == whole || kept == whole + 1, "{kept} of {whole} lines");
    }

    #[test]
    fn no_bytes_panic_the_reader(bytes in vec(any::<u8>(), 0..200)) {
        let mut read = LabelFile::read(&bytes, "a");
        read.replay(&ENGINE);
    }

    #[test]
    fn no_damage_panics_the_reader((clauses, joins) in cases(), at in any::<prop::sample::Index>(), byte in any::<u8>()) {
        let document = document("例", &clauses);
        let mut labelling = Labelling::new(&ENGINE, &document, "gold");
        GoldTrees::new("gold", [tree_over(&document, &joins)]).annotate(&mut labelling)?;
        let mut bytes = labelling.label().to_lines()?.into_bytes();
        let at = at.index(bytes.len());
        bytes[at] = byte;
        let mut read = LabelFile::read(&bytes, "a");
        read.replay(&ENGINE);
    }

    #[test]
    fn undone_actions_leave_no_trace((clauses, joins) in cases(), back in 1usize..6) {
        let document = document("例", &clauses);
        let gold = tree_over(&document, &joins);
        let mut plain = Labelling::new(&ENGINE, &document, "gold");
        GoldTrees::new("gold", [gold]).annotate(&mut plain)?;
        let mut wavering = Labelling::new(&ENGINE, &document, "gold");
        for action in &plain.label().actions {
            wavering.act(action.act.clone(), None)?;
            let steps = back.min(wavering.progress().0);
            (0..steps).try_for_each(|_| wavering.act(Act::Undo, None))?;
            (0..steps).try_for_each(|_| wavering.act(Act::Redo, None))?;
        }
        prop_assert_eq!(wavering.tree()?, plain.tree()?);
        let schema = Arc::clone(&ENGINE.grammar().schema);
        prop_assert_eq!(wavering.instances().to_text(&schema), plain.instances().to_text(&schema));
        prop_assert!(wavering.label().is_complete());
    }

    #[test]
    fn a_grammar_labels_as_it_parses((clauses, _) in cases()) {
        let document = document("例", &clauses);
        let parse = ENGINE.parse(&document);
        let mut labelling = Labelling::new(&ENGINE, &document, "grammar");
        SelfLabelling::new(&ENGINE, ParseOptions::default()).annotate(&mut labelling)?;
        let parsed = parse.tree().map(shape);
        prop_assert_eq!(Some(shape(&labelling.tree()?)), parsed);
        let said = labelling.label().log_probability().unwrap_or_default();
        let found = parse.derivations.first().map_or(0.0, |best| best.log_probability);
        prop_assert!((said - found).abs() < 1e-3, "{said} {found}");
        let symbols = |tree: &Tree| -> Vec<_> {
            tree.post_order().map(|(_, node)| (node.symbol.clone(), node.attributes.clone())).collect()
        };
        prop_assert_eq!(Some(symbols(&labelling.tree()?)), parse.tree().map(symbols));
    }
}

#[test]
fn a_text_without_a_tree_is_waiting() -> crate::Result<()> {
    let mut labelling = Labelling::new(&ENGINE, &document("例", &[0, 1]), "gold");
    let verdict = GoldTrees::new("gold", []).annotate(&mut labelling)?;
    assert_eq!(verdict, LabellingState::Waiting);
    assert!(labelling.label().actions.is_empty());
    Ok(())
}

#[test]
fn a_tree_of_another_text_is_refused() {
    let mut labelling = Labelling::new(&ENGINE, &document("例", &[0, 1]), "gold");
    let tree = tree_over(&document("例", &[0, 2]), &[(0, 0, 0, 0)]);
    let refused = GoldTrees::new("gold", [tree]).annotate(&mut labelling);
    let Err(crate::Error::Invalid(problems)) = refused else {
        unreachable!("it was not refused");
    };
    assert_eq!(
        problems[0].message,
        "EDU 2 of `例` is `因为猪肉价格上涨，`, in its tree it is `央行表示，`"
    );
}
