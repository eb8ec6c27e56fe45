//! What holds for every grammar: formatting loses nothing, merging knows no order, nothing panics.

use arsg::diagnostic::{Source, any_error};
use arsg::grammar::syntax::{Element, File, ItemKind};
use arsg::grammar::{Grammar, Memory, diff, format, merge, parse};
use proptest::prelude::*;

use crate::fixtures::SMALL_SCHEMA;

fn literal() -> impl Strategy<Value = String> {
    prop::sample::select(vec![
        "B.cue = because",
        "cue(B) in {because, so}",
        "C.cue not in {but}",
        "A.length > 3",
        "A.length-B.chars",
        "2 * A.length + 1 <= B.chars - 1",
        "level(A, B) < comma",
        "level(A,B)>level(B,C)",
        "B.speech",
        "not C.heading",
        "overlap(A, B) >= 0.50",
        "same(A.object, B.object)",
        "A.polarity = -1",
        "A.time < \"2019-09\"",
        "利率 in A.object",
        "is(A, 变动)",
        "if(B.speech, A.length, 2) != 2",
    ])
    .prop_map(|text| match text {
        // A name with a hyphen in it is one name; a difference needs its spaces.
        "A.length-B.chars" => "A.length - B.chars > 0".to_owned(),
        other => other.to_owned(),
    })
}

fn formula() -> impl Strategy<Value = String> {
    literal().prop_recursive(4, 24, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 2..4).prop_map(|parts| parts.join(" and ")),
            prop::collection::vec(inner.clone(), 2..4)
                .prop_map(|parts| format!("( {} )", parts.join(" or "))),
            inner.clone().prop_map(|part| format!("not ( {part} )")),
            (inner.clone(), inner).prop_map(|(a, b)| format!("( {a} implies ( {b} ) )")),
        ]
    })
}

fn symbol() -> impl Strategy<Value = &'static str> {
    prop::sample::select(vec!["_", "变动", "上涨", "下跌", "篇章"])
}

/// The head of a rule, as words that may be set apart.
fn head() -> impl Strategy<Value = Vec<String>> {
    let production = (symbol(), 0..3usize, symbol(), symbol()).prop_map(|(d, at, a, b)| {
        let (relation, x, y) = [
            ("cause", ":N", ":S"),
            ("result", ":S", ":N"),
            ("contrast", "", ""),
        ][at];
        vec![
            format!("{d}[{relation}] <-"),
            format!("{a}{x}"),
            format!("{b}{y}"),
        ]
    });
    let preference = (any::<bool>(), symbol(), symbol(), symbol()).prop_map(|(shift, a, b, c)| {
        let action = if shift { "shift" } else { "reduce" };
        ["prefer", action, a, b, ".", c].map(str::to_owned).to_vec()
    });
    prop_oneof![production, preference]
}

/// A rule as words.
fn rule() -> impl Strategy<Value = Vec<String>> {
    let count = prop::option::of(1..5000u64);
    let weight = prop::option::of(-300..300i32);
    (
        head(),
        count,
        weight,
        prop::option::of(formula()),
        0..3usize,
    )
        .prop_map(|(head, count, weight, when, set)| {
            let is_production = head.len() == 3;
            let mut words = head;
            words.extend(count.map(|count| format!("x {count}")));
            words.extend(weight.map(|weight| format!("w {:+}", f64::from(weight) / 100.0)));
            if let Some(when) = when {
                words.push("when".to_owned());
                words.extend(when.split(' ').map(str::to_owned));
            }
            if is_production && set > 0 {
                words.push("set D.time = max(A.time, B.time)".to_owned());
                if set > 1 {
                    words.push("D.polarity = A.polarity".to_owned());
                }
            }
            join_not_in(words)
        })
}

/// `not in` is one operator, which no comment parts.
fn join_not_in(words: Vec<String>) -> Vec<String> {
    let mut joined: Vec<String> = Vec::new();
    for word in words {
        match joined.last_mut() {
            Some(last) if last == "not" && word == "in" => last.push_str(" in"),
            _ => joined.push(word),
        }
    }
    joined
}

fn gap() -> impl Strategy<Value = &'static str> {
    prop_oneof![
        12 => Just(" "),
        3 => Just("   "),
        2 => Just("\n  "),
        1 => Just("  # 注\n   "),
        1 => Just("\n# 独行\n  "),
        1 => Just(" #\n\n\t"),
    ]
}

/// A rule laid out at random, with comments.
fn laid_out() -> impl Strategy<Value = String> {
    let before = prop::sample::select(vec![
        "",
        "\n",
        "\n\n\n",
        "# 前\n",
        "## 说明\n",
        "\n#a\n\n#b\n",
    ]);
    let after = prop::sample::select(vec!["\n", "  # 尾\n", "\n\n"]);
    (
        before,
        rule(),
        prop::collection::vec(gap(), 40),
        after,
        any::<u32>(),
    )
        .prop_map(|(before, words, gaps, after, number)| {
            let mut text = before.to_owned();
            if number % 3 == 0 {
                text.push_str(&format!("rule r{number}\n"));
            }
            for (at, word) in words.iter().enumerate() {
                if at > 0 {
                    text.push_str(gaps[at % gaps.len()]);
                }
                text.push_str(word);
            }
            text.push_str(after);
            text
        })
}

fn file() -> impl Strategy<Value = String> {
    prop::collection::vec(laid_out(), 0..8).prop_map(|rules| rules.concat())
}

fn comments(file: &File) -> Vec<String> {
    let mut all = Vec::new();
    for element in &file.elements {
        match element {
            Element::Comment(comment) => all.push(comment.text.to_string()),
            Element::Item(item) => all.extend(item.comments.iter().map(|c| c.text.to_string())),
            _ => {}
        }
    }
    all
}

fn items(file: &File) -> Vec<ItemKind> {
    file.items().map(|item| item.kind.clone()).collect()
}

fn load(text: &str) -> Grammar {
    let files = Memory::new()
        .with("schema.toml", SMALL_SCHEMA)
        .with("a.arsg", format!("schema \"schema.toml\"\n{text}"));
    let loaded = Grammar::load("a.arsg", &files, None).unwrap();
    // The same rule with other equations is an error, and generated grammars have such rules: what
    // could be built is a grammar all the same.
    loaded.grammar
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn formatting_changes_neither_rules_nor_comments(text in file()) {
        let source = Source::new("a.arsg", text.as_str());
        let before = parse(&source);
        prop_assert!(!any_error(&before.diagnostics), "{:?}\n{text}", before.diagnostics);
        let once = format(&source).unwrap();
        let after = parse(&Source::new("a.arsg", once.as_str()));
        prop_assert_eq!(items(&before.file), items(&after.file));
        prop_assert_eq!(comments(&before.file), comments(&after.file));
        let twice = format(&Source::new("a.arsg", once.as_str())).unwrap();
        prop_assert_eq!(twice, once);
    }

    #[test]
    fn one_changed_count_is_one_changed_line(text in file(), count in 1..100_000u64) {
        let formatted = format(&Source::new("a.arsg", text.as_str())).unwrap();
        let Some(line) = formatted.lines().position(|line| line.contains(" x ") && !line.contains('#')) else {
            return Ok(());
        };
        let changed: Vec<String> = formatted.lines().enumerate().map(|(at, text)| if at == line {
            let (before, after) = text.rsplit_once(" x ").unwrap();
            let rest = after.split_once(' ').map_or(String::new(), |(_, rest)| format!(" {rest}"));
            format!("{before} x {count}{rest}")
        } else { text.to_owned() }).collect();
        let again = format(&Source::new("a.arsg", changed.join("\n"))).unwrap();
        let differing = formatted.lines().zip(again.lines()).filter(|(a, b)| a != b).count();
        prop_assert!(differing <= 1 && formatted.lines().count() == again.lines().count());
    }

    #[test]
    fn what_is_written_reads_as_what_it_was(text in file()) {
        let grammar = load(&text);
        let again = load(&grammar.to_text().replace("schema   \"schema.toml\"", ""));
        let changes = diff(&grammar, &again);
        prop_assert!(changes.rules.is_empty(), "{}\n{}", changes.to_text(), grammar.to_text());
    }

    #[test]
    fn merging_knows_no_order(a in file(), b in file(), c in file()) {
        let [a, b, c] = [a, b, c].map(|text| unnamed(load(&text)));
        let (Ok(ab), Ok(bc)) = (merge(&[a.clone(), b.clone()]), merge(&[b.clone(), c.clone()])) else {
            return Ok(());
        };
        let (Ok(left), Ok(right)) = (merge(&[ab, c.clone()]), merge(&[a.clone(), bc])) else {
            return Ok(());
        };
        let at_once = merge(&[c, a, b]).unwrap();
        prop_assert_eq!(left.to_text(), right.to_text());
        prop_assert_eq!(left.to_text(), at_once.to_text());
    }

    #[test]
    fn ids_do_not_depend_on_layout_or_order(rules in prop::collection::vec(laid_out(), 0..6)) {
        let ids = |grammar: &Grammar| {
            let mut ids: Vec<String> = grammar.rules().map(|any| any.rule().id.to_string()).collect();
            ids.sort();
            ids
        };
        let forwards = load(&rules.concat());
        let backwards: Vec<String> = rules.iter().rev().cloned().collect();
        let formatted = format(&Source::new("a", backwards.concat())).unwrap();
        prop_assert_eq!(ids(&forwards), ids(&load(&formatted)));
    }

    #[test]
    fn no_text_makes_the_checker_panic(text in "\\PC{0,200}") {
        let files = Memory::new().with("schema.toml", SMALL_SCHEMA).with("a.arsg", format!("schema \"schema.toml\"\n{text}"));
        let _ = Grammar::load("a.arsg", &files, None).unwrap().check();
        let _ = format(&Source::new("a", text.as_str()));
    }

    #[test]
    fn no_jumble_of_its_own_words_makes_the_checker_panic(words in prop::collection::vec(
        prop::sample::select(vec![
            "rule", "prefer", "shift", "reduce", "boundary", "no", "when", "set", "use", "schema", "start",
            "decide", "counts", "fallback", "grammar", "and", "or", "not", "in", "implies", "A", "B.cue", "D.time",
            "=", "==", "<", "<-", "!=", "(", ")", "{", "}", "[", "]", "[cause]", ",", ".", ":N", ":S", "x", "w",
            "12", "-3", "+0.5", "1e400", "\"", "\"a\"", "_", "上涨", "#", "##", "\n", "\n  ", "（", "level(A, B)", "max",
        ]), 0..40)) {
        let text = words.join(" ");
        let files = Memory::new().with("schema.toml", SMALL_SCHEMA).with("a.arsg", format!("schema \"schema.toml\"\n{text}"));
        let _ = Grammar::load("a.arsg", &files, None).unwrap().check();
        if let Err(arsg::Error::Internal(problem)) = format(&Source::new("a", text.as_str())) {
            prop_assert!(false, "{problem}\n{text}");
        }
    }
}

/// Grammars whose rules have derived ids only: generated names would clash by chance.
fn unnamed(mut grammar: Grammar) -> Grammar {
    grammar
        .productions
        .retain(|production| !production.rule.named);
    grammar
        .preferences
        .retain(|preference| !preference.rule.named);
    grammar
}
