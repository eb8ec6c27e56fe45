use std::sync::Arc;

use super::super::action::Join;
use super::super::edit::Edit;
use super::*;

fn span(first: u32, last: u32) -> EduSpan {
    EduSpan {
        start: first - 1,
        end: last,
    }
}

fn join(relation: &str, roles: Roles) -> Join {
    Join::new(relation, roles)
}

/// A forest from brackets: `((1 2) 3) 4` with the relation `r`, nucleus left.
fn forest(written: &str) -> Forest {
    let edus = written.chars().filter(char::is_ascii_digit).count();
    let mut made = Vec::new();
    for mark in written.chars() {
        match mark {
            '0'..='9' => made.push(None),
            ')' => made.push(Some(Arc::new(join("r", Roles::NucleusSatellite)))),
            _ => {}
        }
    }
    let over = span(1, edus as u32);
    Forest::new(edus)
        .edited(&Edit::Take { over, made })
        .unwrap()
}

/// Written back; relations other than `r` after the bracket.
fn brackets(forest: &Forest) -> String {
    let mut written: Vec<String> = Vec::new();
    for knot in forest.knots() {
        written.push(match &knot.link {
            None => knot.span.to_string(),
            Some(link) => {
                let name = if &*link.join.relation == "r" {
                    ""
                } else {
                    &*link.join.relation
                };
                format!("({} {}){name}", written[link.left], written[link.right])
            }
        });
        if let Some(parent) = knot.parent {
            let link = forest.knots()[parent].link.as_ref().unwrap();
            assert!([link.left, link.right].contains(&(written.len() - 1)));
        }
    }
    let roots: Vec<&str> = forest.roots().iter().map(|root| &*written[*root]).collect();
    roots.join(" ")
}

fn attach(node: EduSpan, to: EduSpan) -> Edit {
    Edit::Attach {
        node,
        to,
        role: Role::Satellite,
        join: join("new", Roles::NucleusSatellite),
    }
}

#[test]
fn a_node_moves_to_its_neighbour() {
    for (before, node, to, after) in [
        ("((1 2) 3)", span(2, 2), span(3, 3), "(1 (2 3)new)"),
        ("(1 (2 3))", span(2, 2), span(1, 1), "((1 2)new 3)"),
        ("((1 2) (3 4))", span(3, 3), span(2, 2), "((1 (2 3)new) 4)"),
        ("(1 2) (3 4)", span(3, 4), span(1, 2), "((1 2) (3 4))new"),
        // Not a neighbour itself, but under a node that is one.
        ("((1 2) 3)", span(3, 3), span(1, 1), "((1 2) 3)new"),
        // Up one floor.
        ("(1 (2 3))", span(3, 3), span(1, 3), "((1 2) 3)new"),
        ("((1 (2 3)) 4)", span(3, 3), span(1, 3), "(((1 2) 3)new 4)"),
    ] {
        let edited = forest(before).edited(&attach(node, to)).unwrap();
        assert_eq!(brackets(&edited), after, "{before}: {node} to {to}");
        assert_eq!(edited.edus(), forest(before).edus());
    }
}

#[test]
fn what_would_cross_is_refused() {
    for (before, node, to) in [
        ("(1 2) 3 4", span(4, 4), span(1, 1)),
        ("((1 2) 3)", span(2, 2), span(1, 3)),
        ("((1 2) 3)", span(1, 2), span(2, 2)),
        ("((1 2) 3)", span(2, 2), span(2, 2)),
    ] {
        let refused = forest(before).edited(&attach(node, to)).unwrap_err();
        assert!(matches!(refused, Error::Usage(_)), "{before}: {refused}");
    }
    assert!(
        forest("1 2 3")
            .edited(&attach(span(1, 2), span(3, 3)))
            .is_err()
    );
}

#[test]
fn nuclei_of_one_relation_make_a_chain() {
    let nucleus = |node, to| Edit::Attach {
        node,
        to,
        role: Role::Nucleus,
        join: join("list", Roles::NucleusSatellite),
    };
    let two = forest("1 2 3 4")
        .edited(&nucleus(span(2, 2), span(1, 1)))
        .unwrap();
    let three = two.edited(&nucleus(span(3, 3), span(1, 2))).unwrap();
    let four = three.edited(&nucleus(span(4, 4), span(1, 3))).unwrap();
    assert_eq!(brackets(&four), "(1 (2 (3 4)list)list)list");
    let other = Edit::Relate {
        node: span(1, 4),
        join: join("contrast", Roles::NucleusNucleus),
    };
    assert_eq!(
        brackets(&four.edited(&other).unwrap()),
        "(1 (2 (3 4)contrast)contrast)contrast"
    );
}

#[test]
fn a_node_taken_out_leaves_as_much_as_can_stay() {
    for (before, node, after) in [
        ("((1 2) 3)", span(3, 3), "(1 2) 3"),
        ("((1 2) 3)", span(1, 1), "1 (2 3)"),
        ("((1 2) 3)", span(2, 2), "1 2 3"),
        ("((1 (2 3)) (4 5))", span(2, 3), "1 (2 3) (4 5)"),
        ("(1 (2 (3 4)))", span(4, 4), "(1 (2 3)) 4"),
    ] {
        let edited = forest(before).edited(&Edit::Unlink { node }).unwrap();
        assert_eq!(brackets(&edited), after, "{before} without {node}");
    }
    assert!(
        forest("1 2")
            .edited(&Edit::Unlink { node: span(1, 1) })
            .is_err()
    );
}

#[test]
fn the_first_half_of_an_edu_keeps_its_links() {
    let cut = |edu| Edit::Cut {
        edu,
        at: 1,
        join: join("same", Roles::NucleusNucleus),
    };
    assert_eq!(
        brackets(&forest("(1 2)").edited(&cut(0)).unwrap()),
        "((1 2)same 3)"
    );
    assert_eq!(brackets(&forest("1 2").edited(&cut(0)).unwrap()), "1 2 3");
    let unite = |edu| Edit::Unite { edu };
    assert_eq!(
        brackets(&forest("((1 2) 3)").edited(&unite(0)).unwrap()),
        "(1 2)"
    );
    assert_eq!(
        brackets(&forest("((1 2) (3 4))").edited(&unite(1)).unwrap()),
        "((1 2) 3)"
    );
    assert!(forest("(1 2)").edited(&unite(1)).is_err());
}

#[test]
fn a_structure_is_taken_over() {
    let pair = Some(Arc::new(join("new", Roles::NucleusSatellite)));
    let take = |first, last, made: &[Made]| Edit::Take {
        over: span(first, last),
        made: made.to_vec(),
    };
    let both = [None, None, pair.clone()];
    for (before, first, last, after) in [
        ("((1 2) 3)", 1, 2, "((1 2)new 3)"),
        ("((1 2) 3)", 2, 3, "1 (2 3)new"),
        ("(1 2) (3 4)", 2, 3, "1 (2 3)new 4"),
    ] {
        let edited = forest(before).edited(&take(first, last, &both)).unwrap();
        assert_eq!(brackets(&edited), after, "{before}");
    }
    assert!(
        forest("1 2")
            .edited(&take(1, 2, &[None, None, pair.clone(), pair]))
            .is_err()
    );
    assert!(forest("1 2").edited(&take(2, 3, &both)).is_err());
}

#[test]
fn what_stands_is_a_configuration_of_the_automaton() {
    let edited = forest("1 2 3 4")
        .edited(&attach(span(2, 2), span(1, 1)))
        .unwrap();
    assert_eq!(edited.shifted(), 1);
    assert_eq!(edited.steps_done(), 3);
    assert_eq!(edited.steps().len(), 3);
    assert!(forest("((1 2) 3)").is_complete());
    let mut one = forest("((1 2) 3)");
    one.unreduce();
    assert_eq!((brackets(&one), one.shifted()), ("(1 2) 3".to_owned(), 2));
    one.unshift();
    assert_eq!(one.steps_done(), 3);
}
