//! `arsg query`, `rewrite`, `examples`, `doc` and `sketch` from the shell.

use std::fs;
use std::path::Path;

use crate::run::{arsg, json_lines, printed, run, said, succeed};

/// Two trees and a text, in three formats.
const CASES: &str = "===
油价
===
由于需求疲软，
国际油价下跌。
不过，库存仍然偏高。
---
(adversative-contrast NN (causal-cause SN 1 2) 3)

===
气温
===
昨天下雪，
所以路面结冰，
但是商店照常营业。
---
(adversative-contrast NN (causal-result NS 1 2) 3)
";

const BRACKETS: &str = "@课堂\n(joint-list NNN 1:\"他先唱歌，\" 2:\"再跳舞，\" (causal-cause NS 3:\"最后哭了，\" \
                        4:\"因为累了。\"))\n";

fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("trees")).unwrap();
    fs::write(folder.path().join("a.case"), CASES).unwrap();
    fs::write(folder.path().join("trees/课堂.sexp"), BRACKETS).unwrap();
    let rs3 = ["convert", "trees/课堂.sexp", "trees/第二课.rs3"];
    succeed(folder.path(), &rs3);
    folder
}

#[test]
fn nodes_are_found_by_relation_roles_and_formula() {
    let folder = folder();
    let count = |query: &str, paths: &[&str]| {
        let (code, out, err) = arsg(
            folder.path(),
            &[&["query", query, "--sample", "0"], paths].concat(),
        );
        assert!(code == Some(0) || code == Some(1), "{err}");
        let first = out.lines().next().unwrap_or_default().to_owned();
        (
            code,
            first.split(" (").next().unwrap_or_default().to_owned(),
        )
    };
    for (query, paths, expected) in [
        ("_", &["a.case"][..], "4 of 4 nodes"),
        ("causal-*", &["a.case"], "2 of 2 nodes"),
        ("causal-* SN", &["a.case"], "1 of 1 node"),
        ("causal-* : B.cue = so", &["a.case"], "1 of 2 nodes"),
        (
            "_ : parent.relation = adversative-contrast and sibling.cue = but",
            &["a.case"],
            "2 of 4 nodes",
        ),
        ("edu : D.role = satellite", &["a.case"], "2 of 6 nodes"),
        (
            "edu : D.from = 1 and D.side = left",
            &["a.case"],
            "2 of 6 nodes",
        ),
        ("edu : has-text(D, \"路面\")", &["a.case"], "1 of 6 nodes"),
        (
            "_ : D.above = 0 and D.length = 3",
            &["a.case"],
            "2 of 4 nodes",
        ),
        // Three nuclei are one node, in brackets and in XML.
        ("joint-list", &["trees"], "2 of 2 nodes"),
        ("edu", &["trees", "a.case"], "14 of 14 nodes"),
    ] {
        assert_eq!(
            count(query, paths),
            (Some(0), expected.to_owned()),
            "{query}"
        );
    }
    assert_eq!(count("_ : A.heading", &["a.case"]).0, Some(1));
}

#[test]
fn hits_are_counted_drawn_and_exported() {
    let folder = folder();
    let by = printed(
        folder.path(),
        &[
            "query",
            "_",
            "a.case",
            "--by",
            "D.relation, level(A, B)",
            "--all",
        ],
    );
    assert!(by.contains("D.relation, level(A, B)\n"), "{by}");
    let row = by
        .lines()
        .find(|line| line.contains("causal-cause, comma"))
        .unwrap();
    assert!(row.ends_with("  1   25.0%"), "{by}");
    assert!(by.contains("  A 1      由于需求疲软，\n"), "{by}");
    let kwic = printed(
        folder.path(),
        &["query", "causal-cause", "a.case", "--kwic", "--width", "60"],
    );
    assert!(
        kwic.contains("由于需求疲软， causal-cause 国际油价下跌"),
        "{kwic}"
    );
    let csv = printed(
        folder.path(),
        &[
            "query", "causal-*", "a.case", "--to", "csv", "--by", "B.cue",
        ],
    );
    assert!(csv.starts_with(
        "id,edus,relation,roles,a,b,parent,text_a,text_b,file,B.cue\n油价,1-2,causal-cause,SN,"
    ));
    let hits = json_lines(&printed(
        folder.path(),
        &["query", "causal-*", "a.case", "--json"],
    ));
    assert_eq!(hits.len(), 2);
    assert_eq!(hits[1]["b"]["text"], "所以路面结冰，");
    assert_eq!(hits[1]["parent"]["relation"], "adversative-contrast");
    let trees = [
        "query",
        "causal-* : B.cue = so",
        "a.case",
        "--trees",
        "out",
        "--to",
        "sexp",
    ];
    succeed(folder.path(), &trees);
    assert!(folder.path().join("out/气温.sexp").exists());
    assert!(!folder.path().join("out/油价.sexp").exists());
}

#[test]
fn a_mistake_in_a_query_is_underlined() {
    let folder = folder();
    for (query, said) in [
        (
            "causl-*",
            "query:1:1: error[G018]: no relation has the class `causl`",
        ),
        (
            "_ : B.cue = becuase",
            "query:1:13: error[G022]: `becuase` is no cue class",
        ),
        ("_ : D.rol = root", "did you mean `role`?"),
        ("_ : B.cue =", "error[G001]"),
    ] {
        let run = ["query", query, "a.case", "--error-format", "plain"];
        let (code, out, err) = arsg(folder.path(), &run);
        assert_eq!((code, out.as_str()), (Some(3), ""), "{query}");
        assert!(err.contains(said), "{query}: {err}");
    }
}

#[test]
fn texts_are_parsed_before_they_are_searched() {
    let folder = folder();
    fs::write(folder.path().join("a.txt"), "因为下雨，比赛取消了。").unwrap();
    let out = printed(folder.path(), &["query", "causal-cause SN", "a.txt"]);
    assert!(out.starts_with("1 of 1 node "), "{out}");
}

#[test]
fn relations_are_renamed_split_and_given_roles() {
    let folder = folder();
    let path = |name: &str| folder.path().join(name);
    fs::write(
        path("changes"),
        "## One name for both.\nchange causal-cause to causal-result\n\
         change joint-list to \"顺序\" NN\n  when level(A, B) = comma\nchange joint-list to purpose-goal\n",
    )
    .unwrap();
    let dry = ["rewrite", "changes", "trees", "--dry-run"];
    let (code, out, _) = arsg(folder.path(), &dry);
    assert_eq!(code, Some(0), "{out}");
    assert!(
        out.contains("causal-cause NS -> causal-result NS  (1)"),
        "{out}"
    );
    assert!(
        out.contains("4 nodes would change in 2 of 2 files"),
        "{out}"
    );
    assert!(!path("new").exists());
    succeed(
        folder.path(),
        &["rewrite", "changes", "trees", "--out", "new"],
    );
    for name in ["new/课堂.sexp", "new/第二课.rs3"] {
        let text = fs::read_to_string(path(name)).unwrap();
        assert!(
            text.contains("顺序") && text.contains("causal-result"),
            "{text}"
        );
        assert!(
            !text.contains("causal-cause") && !text.contains("joint-list"),
            "{text}"
        );
    }
    let report = printed(
        folder.path(),
        &["rewrite", "changes", "trees", "--dry-run", "--json"],
    );
    assert_eq!(json_lines(&report)[0]["change"], 2);
    // A relation that joins a nucleus with a satellite cannot join nuclei.
    fs::write(path("wrong"), "change joint-list to purpose-goal\n").unwrap();
    let (code, out, _) = arsg(folder.path(), &["rewrite", "wrong", "trees", "--dry-run"]);
    assert_eq!(code, Some(1), "{out}");
    assert!(out.contains("`purpose-goal` is not NN"), "{out}");
}

#[test]
fn files_in_which_nothing_changes_stay_as_they_are_byte_for_byte() {
    let folder = folder();
    let path = |name: &str| folder.path().join(name);
    for (format, name) in [
        ("dis", "三.dis"),
        ("rsd", "四.rsd"),
        ("rs4", "五.rs4"),
        ("json", "六.json"),
    ] {
        let to = format!("trees/{name}");
        succeed(
            folder.path(),
            &["convert", "trees/课堂.sexp", &to, "--to", format],
        );
    }
    // Odd white space is kept as well.
    let odd = fs::read_to_string(path("trees/第二课.rs3"))
        .unwrap()
        .replace('\t', "   ")
        + "\n\n";
    fs::write(path("trees/第二课.rs3"), odd).unwrap();
    fs::write(
        path("none"),
        "change joint-list to causal-cause NS when A.heading\n",
    )
    .unwrap();
    succeed(
        folder.path(),
        &["rewrite", "none", "trees", "--out", "same"],
    );
    let mut seen = 0;
    for entry in fs::read_dir(path("trees")).unwrap() {
        let old = entry.unwrap().path();
        let new = path("same").join(old.file_name().unwrap());
        assert_eq!(
            fs::read(&old).unwrap(),
            fs::read(&new).unwrap(),
            "{}",
            old.display()
        );
        seen += 1;
    }
    assert_eq!(seen, 6);
}

#[test]
fn rules_are_shown_where_they_speak_and_where_they_just_do_not() {
    let folder = folder();
    let run = [
        "examples",
        "because-first",
        "-g",
        "general",
        "--on",
        "a.case",
        "--json",
    ];
    let shown = json_lines(&printed(folder.path(), &run));
    assert_eq!(shown[0]["speaks"][0]["a"], "由于需求疲软，");
    assert_eq!(shown[0]["speaks"][0]["right"], true);
    assert_eq!(shown[0]["just_not"][0]["a"], "昨天下雪，");
    let failed = shown[0]["just_not"][0]["failed"].as_str().unwrap();
    assert!(failed.contains("because"), "{failed}");
    let (code, _, err) = arsg(
        folder.path(),
        &[
            "examples",
            "becuase-first",
            "-g",
            "general",
            "--on",
            "a.case",
        ],
    );
    assert_eq!(code, Some(2));
    assert!(err.contains("did you mean `because-first`?"), "{err}");
}

#[test]
fn a_grammar_is_written_as_a_page() {
    let folder = folder();
    succeed(
        folder.path(),
        &["doc", "finance", "-o", "site", "--on", "a.case"],
    );
    let html = fs::read_to_string(folder.path().join("site/finance.html")).unwrap();
    for part in [
        "<h2>markets</h2>",
        "rule has-effect",
        "<th><code>S.punct</code></th>",
        "id=\"cue-because\"",
        "S causes N",
        "由于需求疲软，</span>",
    ] {
        assert!(html.contains(part), "{part}");
    }
    assert!(
        !html.contains("<script") && !html.contains("src="),
        "it stands by itself"
    );
    let page = fs::read_to_string(folder.path().join("site/finance.md")).unwrap();
    for part in [
        "## markets\n",
        "```arsg\nrule has-effect\n",
        "| `S.punct` | weight | seen |",
        "| `because` |",
    ] {
        assert!(page.contains(part), "{part}");
    }
    // Every link inside the page has its goal.
    for link in page.split("](#").skip(1) {
        let name = link.split(')').next().unwrap();
        assert!(page.contains(&format!("<a id=\"{name}\"></a>")), "{name}");
    }
}

/// Everything that a sketch promises.
fn assert_sound(folder: &Path) {
    for line in [
        "arsg check --deny-warnings",
        "arsg fmt --check",
        "arsg test",
    ] {
        let output = run(line, folder);
        assert!(output.status.success(), "{line}\n{}", said(&output));
    }
}

#[test]
fn a_sketch_passes_all_checks_at_once() {
    let folder = tempfile::tempdir().unwrap();
    for genre in ["news", "guide", "plain"] {
        for edus in ["clauses", "predicates"] {
            let language = if edus == "clauses" { "zh" } else { "en" };
            let name = format!("{genre}-{edus}");
            let own = "topic-answer=答案是|回答是,answer-list:multinuc=另一个答案是";
            succeed(
                folder.path(),
                &[
                    "sketch",
                    &name,
                    "--genre",
                    genre,
                    "--edus",
                    edus,
                    "--lang",
                    language,
                    "--relations",
                    own,
                ],
            );
            assert_sound(&folder.path().join(&name));
        }
    }
    let again = ["sketch", "news-clauses", "--genre", "news"];
    assert_eq!(arsg(folder.path(), &again).0, Some(1));
}

#[test]
fn a_sketch_takes_relations_rules_and_cases_from_trees() {
    let folder = folder();
    fs::write(
        folder.path().join("b.case"),
        "===\n问答\n===\n怎么办？\n等雨停。\n---\n(topic-answer SN 1 2)\n",
    )
    .unwrap();
    let trees = ["query", "_", "a.case", "b.case", "trees", "--trees", "all"];
    let (code, _, err) = arsg(folder.path(), &trees);
    // Cases may only have relations that the schema of the project knows; trees may have any.
    assert!(code == Some(0) || err.contains("topic-answer"), "{err}");
    let tree = "(topic-answer SN 1:\"怎么办？\" 2:\"等雨停。\")\n";
    fs::write(folder.path().join("trees/问答.sexp"), tree).unwrap();
    let out = printed(
        folder.path(),
        &[
            "sketch", "mine", "--genre", "plain", "--trees", "trees", "--json",
        ],
    );
    let report = &json_lines(&out)[0];
    assert_eq!(report["relations"][0], "topic-answer");
    assert_eq!(report["trees"], 3);
    let grammar = fs::read_to_string(folder.path().join("mine/grammars/mine.arsg")).unwrap();
    assert!(grammar.contains("_[topic-answer] <- _:S _:N"), "{grammar}");
    assert_sound(&folder.path().join("mine"));
}
