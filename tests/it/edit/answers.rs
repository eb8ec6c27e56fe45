//! What a workspace answers about files that are being written.

use std::path::Path;

use arsg::edit::{Workspace, apply};
use arsg::grammar::Memory;

use super::names::{at, project};

const CAUSES: &str = "grammars/causes.arsg";

/// A workspace with one grammar on a shipped schema, in which `‸` is the cursor.
fn with_cursor(text: &str) -> (Workspace, usize) {
    let byte = text.find('‸').unwrap();
    let mut workspace = Workspace::new(Box::new(Memory::new()));
    workspace.open(Path::new("a.arsg"), text.replacen('‸', "", 1));
    (workspace, byte)
}

fn labels(text: &str) -> Vec<String> {
    let (mut workspace, byte) = with_cursor(text);
    let found = workspace.complete(Path::new("a.arsg"), byte);
    found.into_iter().map(|own| own.label).collect()
}

fn offers(text: &str, wanted: &[&str], unwanted: &[&str]) {
    let labels = labels(text);
    for word in wanted {
        assert!(
            labels.iter().any(|own| own == word),
            "{word} is not offered in {text}: {labels:?}"
        );
    }
    for word in unwanted {
        assert!(
            !labels.iter().any(|own| own == word),
            "{word} is offered in {text}"
        );
    }
}

#[test]
fn what_is_offered_can_stand_there() {
    let head = "schema \"finance\"\n";
    let after = |rest: &str| format!("{head}{rest}");
    offers(
        &after("‸"),
        &["rule", "table label", "prefer shift", "Rise", "_"],
        &["causal-cause"],
    );
    offers(
        &after("_[‸"),
        &["causal-cause", "joint-list"],
        &["Rise", "when"],
    );
    offers(&after("_[cau‸] <- _ _"), &["causal-cause"], &["Rise"]);
    offers(
        &after("_[joint-list] <- ‸"),
        &["Rise", "_"],
        &["causal-cause"],
    );
    offers(&after("_[joint-list] <- Rise:‸"), &["N", "S"], &["Rise"]);
    offers(
        &after("_[joint-list] <- Rise:N Fall:S ‸"),
        &["when", "set", "x", "strong"],
        &["Rise"],
    );
    offers(
        &after("_[joint-list] <- _ _ when ‸"),
        &["A", "B", "level", "not"],
        &["Rise", "because"],
    );
    offers(
        &after("_[joint-list] <- _ _ when B.cu‸"),
        &["cue", "cues", "time"],
        &["level"],
    );
    offers(
        &after("_[joint-list] <- _ _\n  when B.cue = ‸"),
        &["because", "none"],
        &["causal-cause"],
    );
    offers(
        &after("_[joint-list] <- _ _\n  when B.cue in {because, ‸}"),
        &["so"],
        &["A"],
    );
    offers(
        &after("_[joint-list] <- _ _\n  when level(A, B) >= ‸"),
        &["comma", "sentence"],
        &["because"],
    );
    offers(
        &after("_[joint-list] <- _ _\n  when contains(A.cues, ‸"),
        &["because"],
        &["comma"],
    );
    offers(
        &after("_[joint-list] <- _ _\n  when B.class = ‸"),
        &["causal"],
        &["causal-cause"],
    );
    offers(
        &after("_[joint-list] <- _ _\n  when B.cue = so ‸"),
        &["and", "or", "set"],
        &["because"],
    );
    offers(
        &after("_[joint-list] <- _ _\n  set D.‸"),
        &["time", "polarity"],
        &["cue", "A"],
    );
    offers(&after("boundary when ‸"), &["prev", "next"], &["A", "B"]);
    offers(
        &after("boundary when next.pos = ‸"),
        &["verb", "noun"],
        &["because"],
    );
    offers(&after("table t ‸"), &["label", "shift", "boundary"], &["A"]);
    offers(
        &after("table t  label by B.cue\n  | because  ‸"),
        &["causal-cause", "causal-*", "*"],
        &["so"],
    );
    offers(
        &after("table t  label by B.cue\n  | ‸"),
        &["because", "none", "else"],
        &["causal-cause"],
    );
    offers("use \"gen‸\"", &["general", "general/causes"], &[]);
    offers("schema \"‸", &["finance", "general"], &["seed"]);
    offers(&after("start ‸"), &["Report"], &["causal-cause"]);
    offers(&after("decide ‸"), &["counts", "weights"], &["Report"]);
    assert!(labels(&after("## 因为‸")).is_empty());
}

#[test]
fn a_completion_takes_the_place_of_the_word_that_is_typed() {
    let (mut workspace, byte) = with_cursor("schema \"finance\"\n_[causal-ca‸x] <- _ _\n");
    let path = Path::new("a.arsg");
    let found = workspace.complete(path, byte);
    let own = found
        .iter()
        .find(|own| own.label == "causal-cause")
        .unwrap();
    let text = workspace.text(path).unwrap();
    assert_eq!(&text.text()[own.range.clone()], "causal-cax");
    assert!(own.doc.as_ref().unwrap().contains("卫星是核心的原因"));
}

#[test]
fn a_function_is_offered_with_places_for_its_arguments() {
    let (mut workspace, byte) = with_cursor("schema \"finance\"\n_[joint-list] <- _ _ when ‸");
    let found = workspace.complete(Path::new("a.arsg"), byte);
    let level = found.iter().find(|own| own.label == "level").unwrap();
    assert_eq!(
        (level.insert.as_str(), level.snippet),
        ("level(${1:A}, ${2:B})", true)
    );
    assert_eq!(level.detail.as_deref(), Some("level(A, B)"));
}

#[test]
fn a_half_typed_rule_spoils_no_answer_about_the_others() {
    let mut workspace = project();
    let path = Path::new(CAUSES);
    let text = workspace.text(path).unwrap().text().to_owned();
    workspace.open(
        path,
        format!("{text}\nrule 新\n  新闻[因果] <- \n\n新闻[因] <- 上涨:N 下跌:S\n"),
    );
    let problems = workspace.problems(path);
    let codes: Vec<&str> = problems.iter().filter_map(|problem| problem.code).collect();
    assert_eq!(codes, ["G001", "G018"], "{problems:?}");
    let byte = at(&mut workspace, CAUSES, "因为 and", 1);
    assert!(workspace.hover(path, byte).unwrap().text.contains("由于"));
    let edits = workspace.format(path);
    let formatted = apply(workspace.text(path).unwrap().text(), &edits);
    assert!(
        formatted.contains("新闻[因果] <- _:S 下跌:N                       x 12\n"),
        "{formatted}"
    );
    assert!(formatted.contains("新闻[因果] <- \n"), "{formatted}");
}

#[test]
fn fixes_mend_what_has_a_way_out() {
    let cases = [
        (
            "_[causal-cuase] <- _:S _:N\n",
            "G018",
            "_[causal-cause] <- _:S _:N\n",
        ),
        (
            "_[causal-cause] <- Rsie:S _:N\n",
            "G017",
            "_[causal-cause] <- Rise:S _:N\n",
        ),
        (
            "_[joint-list] <- _ _ when A.cue == so\n",
            "G003",
            "_[joint-list] <- _ _ when A.cue = so\n",
        ),
        (
            "_[joint-list] <- _ _ when A.cue＝so\n",
            "G008",
            "_[joint-list] <- _ _ when A.cue=so\n",
        ),
        (
            "_[joint-list] <- _：N _：N\n",
            "G008",
            "_[joint-list] <- _:N _:N\n",
        ),
        (
            "_[joint-list] <- _:核心 _:N\n",
            "G031",
            "_[joint-list] <- _:N _:N\n",
        ),
        (
            "_[joint-list] <- _ _ when A.begins = \"因\n",
            "G009",
            "_[joint-list] <- _ _ when A.begins = \"因\"\n",
        ),
        (
            "_[joint-list] <- _ _ when (A.cue = so\n",
            "G001",
            "_[joint-list] <- _ _ when (A.cue = so)\n",
        ),
        (
            "_[joint-list] <- _ _ when A.cue = so, B.cue = so\n",
            "G001",
            "_[joint-list] <- _ _ when A.cue = so and B.cue = so\n",
        ),
        (
            "_[joint-list] <- _ _ when A.cue = so // 注\n",
            "G001",
            "_[joint-list] <- _ _ when A.cue = so # 注\n",
        ),
        ("_[joint-list] -> _ _\n", "G001", "_[joint-list] <- _ _\n"),
        (
            "ruel 因果\n  _[joint-list] <- _ _\n",
            "G007",
            "rule 因果\n  _[joint-list] <- _ _\n",
        ),
        ("prefer shft _ _ . _\n", "G032", "prefer shift _ _ . _\n"),
    ];
    for (wrong, code, right) in cases {
        let path = Path::new("a.arsg");
        let mut workspace = Workspace::new(Box::new(Memory::new()));
        let head = "schema \"finance\"\n";
        workspace.open(path, format!("{head}{wrong}"));
        let problems = workspace.problems(path);
        assert!(
            problems.iter().any(|own| own.code == Some(code)),
            "{wrong}: {problems:?}"
        );
        let edits = workspace.fix_all(path);
        let mended = apply(workspace.text(path).unwrap().text(), &edits);
        assert_eq!(mended, format!("{head}{right}"), "{problems:?}");
        workspace.open(path, mended);
        let left = workspace.problems(path);
        assert!(left.iter().all(|own| own.code != Some(code)), "{left:?}");
    }
}

#[test]
fn roles_and_relations_that_are_missing_are_offered() {
    let path = Path::new(CAUSES);
    let titles = |text: &str| {
        let mut workspace = project();
        workspace.open(path, format!("schema \"../schemas/news.toml\"\n{text}"));
        let fixes = workspace.fixes(path, 0..500);
        fixes.into_iter().map(|fix| fix.title).collect::<Vec<_>>()
    };
    assert_eq!(
        titles("新闻 <- 上涨:N 下跌:N\n"),
        ["make it `因果`", "make it `并列`"]
    );
    assert_eq!(
        titles("新闻[并列] <- 上涨:N 下跌:S\n"),
        ["write `上涨:N 下跌:N`"]
    );
    assert_eq!(
        titles("新闻[因果] <- 上涨:S 下跌:S\n"),
        ["write `上涨:N 下跌:S`", "write `上涨:S 下跌:N`"]
    );
    assert_eq!(
        titles("新闻[转折] <- 上涨:N 下跌:S\n"),
        ["declare `转折` in `news.toml`"]
    );
}

#[test]
fn a_declared_relation_is_known_at_once() {
    let mut workspace = project();
    let path = Path::new(CAUSES);
    workspace.open(
        path,
        "schema \"../schemas/news.toml\"\n新闻[转折] <- 上涨:N 下跌:S\n",
    );
    let fix = workspace.fixes(path, 0..500).remove(0);
    let schema = Path::new("schemas/news.toml");
    assert_eq!(fix.edits[0].spot.path, schema);
    let text = apply(workspace.text(schema).unwrap().text(), &fix.edits);
    workspace.open(schema, text);
    assert_eq!(workspace.problems(path), []);
}

#[test]
fn hovers_say_what_words_mean() {
    let mut workspace = project();
    let mut told = |path: &str, near: &str| {
        let byte = at(&mut workspace, path, near, 0);
        workspace
            .hover(Path::new(path), byte)
            .map(|hover| hover.text)
            .unwrap_or_default()
    };
    let mut all = String::new();
    for (path, near) in [
        (CAUSES, "下跌:N"),
        (CAUSES, "因果]"),
        (CAUSES, "因为 and"),
        (CAUSES, "is(B"),
        (CAUSES, "因果在前"),
        (CAUSES, "12"),
        (CAUSES, "when"),
        (CAUSES, "A.cue"),
        (CAUSES, "cue ="),
        (CAUSES, "时间 ="),
        ("schemas/news.toml", "下跌\"]"),
        ("cases/causes.case", "因果 SN"),
    ] {
        all.push_str(&format!("=== {near}\n{}\n\n", told(path, near)));
    }
    insta::assert_snapshot!(all);
}

#[test]
fn a_full_width_mark_becomes_plain_outside_texts() {
    let typed = |text: &str, letter: &str| {
        let (mut workspace, byte) = with_cursor(text);
        let path = Path::new("a.arsg");
        let edits = workspace.format_typed(path, byte, letter);
        apply(workspace.text(path).unwrap().text(), &edits)
    };
    assert_eq!(typed("_[joint-list] <- _：‸", "："), "_[joint-list] <- _:");
    assert_eq!(typed("## 因为，‸", "，"), "## 因为，");
    assert_eq!(
        typed("when A.begins = \"因，‸\"", "，"),
        "when A.begins = \"因，\""
    );
    assert_eq!(
        typed("_[joint-list] <- _:N _:N x 3\n‸", "\n"),
        "_[joint-list] <- _:N _:N                         x 3\n"
    );
}

#[test]
fn colours_tell_names_apart_and_mark_those_that_are_unknown() {
    let mut workspace = project();
    let path = Path::new(CAUSES);
    workspace.open(path, "schema \"../schemas/news.toml\"\n# 注\nrule 甲\n  新闻[转折] <- _:S 下跌:N  x 2\n  when A.cue = 因为\n");
    let source = workspace.text(path).unwrap();
    let told: Vec<String> = workspace
        .colours(path)
        .into_iter()
        .map(|own| {
            let unknown = if own.unknown { "?" } else { "" };
            format!("{}:{}{unknown}", &source.text()[own.range], own.colour)
        })
        .collect();
    assert_eq!(
        told.join(" "),
        "schema:keyword \"../schemas/news.toml\":string # 注:comment rule:keyword 甲:namespace 新闻:type [:operator 转折:class? ]:operator <-:operator _:type ::operator S:modifier 下跌:type ::operator N:modifier x:keyword 2:number when:keyword A:variable .:operator cue:function =:operator 因为:enumMember"
    );
}

#[test]
fn rules_are_counted_over_the_cases_that_test_them() {
    let mut workspace = project();
    let path = Path::new(CAUSES);
    assert_eq!(
        workspace.lenses(path)[0].title,
        "count how often rules speak"
    );
    let spoken = workspace.count(path).unwrap();
    assert_eq!(spoken.texts, 1);
    assert_eq!(spoken.rules["因果在前"].spoke, 1);
    let lens = &workspace.lenses(path)[0];
    assert_eq!(lens.title, "spoke 1, right 1, in 1 of 1 case");
    let runs = workspace
        .run_cases(Path::new("cases/causes.case"), None)
        .unwrap();
    assert_eq!(runs[0].outcome, "passed", "{runs:?}");
    let hints = workspace.hints(Path::new("grammars/news.arsg"), 0..1000);
    assert_eq!(
        hints
            .iter()
            .map(|own| own.text.as_str())
            .collect::<Vec<_>>(),
        ["P 0.75", "P 0.25"]
    );
}

#[test]
fn the_found_tree_can_be_taken_over() {
    let mut workspace = project();
    let path = Path::new("cases/causes.case");
    let text = workspace
        .text(path)
        .unwrap()
        .text()
        .replace("(因果 SN 1 2)", "(因果 NS 1 2)");
    workspace.open(path, text);
    let runs = workspace.run_cases(path, Some("需求与油价")).unwrap();
    assert_eq!(runs[0].outcome, "failed");
    let edits = workspace.take_tree(path, "需求与油价").unwrap();
    let taken = apply(workspace.text(path).unwrap().text(), &edits);
    assert!(taken.ends_with("---\n(因果 SN 1 2)\n"), "{taken}");
    assert_eq!(edits[0].text, "SN".chars().take(2).collect::<String>());
}

#[test]
fn an_outline_lists_rules_symbols_and_cases() {
    let mut workspace = project();
    let mut names = |path: &str| {
        let own = workspace.outline(Path::new(path)).into_iter();
        own.map(|own| format!("{} {}", own.kind, own.name))
            .collect::<Vec<_>>()
    };
    assert_eq!(
        names("grammars/news.arsg"),
        ["rule 并列", "rule _[因果] <- 上涨:S 下跌:N"]
    );
    assert_eq!(names("schemas/news.toml").len(), 7);
    assert_eq!(names("cases/causes.case"), ["case 需求与油价"]);
    let found = workspace.find_symbols("因果");
    assert_eq!(found.len(), 3);
    let folds = workspace.folds(Path::new(CAUSES));
    assert_eq!(folds.len(), 1);
}

#[test]
fn names_that_no_grammar_speaks_of_are_told_in_the_schema() {
    let mut workspace = project();
    let path = Path::new("schemas/news.toml");
    let text = workspace.text(path).unwrap().text().to_owned();
    workspace.open(
        path,
        format!("{text}\n[rhetoric.\"转折\"]\nkind = \"rst\"\n"),
    );
    let problems = workspace.problems(path);
    assert_eq!(problems.len(), 1);
    assert!(problems[0].message.contains("`转折`"));
    workspace.open(
        path,
        format!("{text}\n[rhetoric.\"转折\"]\nknid = \"rst\"\n"),
    );
    let fixes = workspace.fixes(path, 0..5000);
    assert!(
        fixes.iter().any(|fix| fix.title == "write `kind`"),
        "{fixes:?}"
    );
}
