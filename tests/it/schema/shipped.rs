//! What the two shipped schemas promise to grammars and to the word cutter.

use std::collections::HashSet;

use arsg::schema::{Form, embedded_schema};

#[test]
fn no_schema_but_the_shipped_ones_has_a_bare_name() {
    let error = embedded_schema("biology").expect_err("it is not shipped");
    let message = error.to_string();
    assert!(message.contains("`finance`, `general`"), "{message}");
}

#[test]
fn the_finance_schema_has_the_vocabulary_of_its_domain() {
    let schema = embedded_schema("finance").expect("it is sound");
    assert_eq!(schema.relation_name(schema.start), "Report");
    let triggers: usize = schema.relations.iter().map(|r| r.triggers.len()).sum();
    let words: usize = schema.concepts.iter().map(|c| c.words.len()).sum();
    assert!(
        schema.relations.len() >= 60 && triggers >= 600,
        "{triggers}"
    );
    assert!(schema.concepts.len() >= 120 && words >= 900, "{words}");

    let triggered = |word: &str| {
        let found = schema
            .relations
            .iter()
            .find(|r| r.triggers.iter().any(|t| t == word));
        found.unwrap_or_else(|| panic!("no relation for {word}"))
    };
    for (word, name, polarity) in [
        ("上涨", "Rise", 1),
        ("跌超", "Fall", -1),
        ("飙升", "SharpRise", 1),
        ("扭亏为盈", "TurnUp", 1),
        ("由盈转亏", "TurnDown", -1),
        ("收购", "Acquire", 0),
        ("降准", "Loosen", 1),
        ("加征关税", "Tariff", -1),
        ("持平", "Stable", 0),
        ("辞任", "Resign", -1),
    ] {
        let relation = triggered(word);
        assert_eq!(
            (relation.name.as_str(), relation.polarity),
            (name, polarity),
            "{word}"
        );
    }
    let id = |name| schema.relation(name).expect("it is declared");
    assert!(schema.is_a(id("LimitUp"), id("Change")));
    assert!(schema.is_a(id("Tariff"), id("Policy")));
    assert!(!schema.is_a(id("Rise"), id("Fall")));
}

#[test]
fn every_form_has_a_leaf_symbol_in_the_shipped_schemas() {
    for name in ["finance", "general", "health"] {
        let schema = embedded_schema(name).expect("it is sound");
        let unit = schema.relation("Unit").expect("it is declared");
        let mut forms = Vec::new();
        for (at, relation) in schema.relations.iter().enumerate() {
            let id = schema.relation(&relation.name).expect("it is declared");
            assert_eq!(id.0 as usize, at);
            if !relation.forms.is_empty() {
                assert!(schema.is_a(id, unit), "{}", relation.name);
            }
            forms.extend(relation.forms.iter().copied());
        }
        let distinct: HashSet<Form> = forms.iter().copied().collect();
        assert_eq!((forms.len(), distinct.len()), (8, 8), "{name}: {forms:?}");
    }
}

#[test]
fn both_shipped_schemas_share_the_rhetoric_and_the_cues() {
    let finance = embedded_schema("finance").expect("it is sound");
    let general = embedded_schema("general").expect("it is sound");
    assert_eq!(general.rhetoric.len(), 32);
    let classes: HashSet<&str> = general.rhetoric.iter().map(|r| r.class.as_str()).collect();
    assert_eq!(classes.len(), 15);
    assert_eq!(general.rhetoric_class("same-unit"), "same-unit");
    for (one, other) in finance.rhetoric.iter().zip(&general.rhetoric) {
        assert_eq!(
            (&one.name, one.kind, &one.class, &one.cues),
            (&other.name, other.kind, &other.class, &other.cues)
        );
    }
    assert_eq!(finance.rhetoric.len(), general.rhetoric.len());
    for (one, other) in finance.cues.iter().zip(&general.cues) {
        assert_eq!(one.name, other.name);
        assert!(one.words.starts_with(&other.words), "{}", one.name);
        assert_eq!(one.after_subject, other.after_subject);
        assert_eq!(one.answered_by, other.answered_by);
    }
    assert_eq!(finance.cues.len(), general.cues.len());
    for attribute in &general.attributes {
        let own = finance.attribute(&attribute.name).expect("it is inherited");
        assert_eq!(
            (own.leaf, own.synthesis),
            (attribute.leaf, attribute.synthesis)
        );
    }
}

#[test]
fn every_cue_class_has_an_example_that_says_it() {
    for name in ["general", "finance", "health"] {
        let path = format!("schemas/{name}.toml");
        let text = std::fs::read_to_string(&path).expect("it can be read");
        let lines: Vec<&str> = text.lines().collect();
        let schema = embedded_schema(name).expect("it is sound");
        for (at, line) in lines.iter().enumerate() {
            let class = line
                .strip_prefix("[cue.")
                .and_then(|rest| rest.strip_suffix(']'));
            let Some(class) = class.and_then(|class| schema.cue(class)) else {
                continue;
            };
            let (doc, example) = (lines[at - 2], lines[at - 1]);
            assert!(doc.starts_with("# ") && doc.ends_with('.'), "{path}: {doc}");
            let says = |word: &String| example.contains(word.as_str());
            assert!(
                example.starts_with("#   ") && class.words.iter().any(says),
                "{path}: {} has no example: {example}",
                class.name
            );
        }
    }
}

#[test]
fn the_words_of_the_shipped_schemas_are_unambiguous() {
    for name in ["finance", "general", "health"] {
        let schema = embedded_schema(name).expect("it is sound");
        assert_distinct(schema.cues.iter().flat_map(|cue| &cue.words));
        assert_distinct(schema.concepts.iter().flat_map(|concept| &concept.words));
        assert_distinct(
            schema
                .relations
                .iter()
                .flat_map(|relation| &relation.triggers),
        );
        // `A.cue` asks the function of that name.
        assert!(schema.attribute("cue").is_none());
    }
    let finance = embedded_schema("finance").expect("it is sound");
    let triggers = finance.relations.iter().flat_map(|r| &r.triggers);
    assert_distinct(triggers.chain(finance.concepts.iter().flat_map(|c| &c.words)));
}

#[track_caller]
fn assert_distinct<'a>(words: impl Iterator<Item = &'a String>) {
    let mut seen = HashSet::new();
    let twice: Vec<&String> = words.filter(|word| !seen.insert(*word)).collect();
    assert!(twice.is_empty(), "{twice:?}");
}
