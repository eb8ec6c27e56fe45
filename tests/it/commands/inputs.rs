//! What commands make of odd inputs: links, pipes, missing files, control characters, paths that lead
//! out of a project, files that are too large.

use std::fs::{self, File};
use std::os::unix::fs::symlink;
use std::path::Path;

use crate::fixtures::project;
use crate::run::{arsg, run, run_all, said, succeed};

#[test]
fn links_that_lead_in_a_circle_and_pipes_in_folders_are_passed_over() {
    let folder = tempfile::tempdir().unwrap();
    let texts = folder.path().join("texts");
    fs::create_dir_all(texts.join("inner")).unwrap();
    fs::write(texts.join("a.txt"), "因为下雨，比赛取消了。").unwrap();
    symlink("..", texts.join("inner/back")).unwrap();
    symlink("a.txt", texts.join("again.txt")).unwrap();
    symlink("nowhere.txt", texts.join("lost.txt")).unwrap();
    run_all(
        &["mkfifo texts/pipe.txt texts/pipe.arsg texts/pipe.rs3".to_owned()],
        folder.path(),
    );
    for command in [
        "import",
        "parse -g general",
        "segment",
        "import --from text",
    ] {
        let output = run(&format!("timeout 60 arsg {command} texts"), folder.path());
        let told = said(&output);
        assert_eq!(output.status.code(), Some(0), "{command}: {told}");
        for part in ["3 special files", "2 repeated links", "1 broken link"] {
            assert!(told.contains(part), "{command}: {part}: {told}");
        }
    }
    fs::copy("examples/init/grammar.arsg", texts.join("g.arsg"))
        .or_else(|_| fs::write(texts.join("g.arsg"), "grammar a\nschema \"finance\"\n").map(|()| 0))
        .unwrap();
    let output = run("timeout 60 arsg check texts", folder.path());
    assert!(
        output.status.code().is_some_and(|code| code < 100),
        "{}",
        said(&output)
    );
    assert!(
        said(&output).contains("not a regular file"),
        "{}",
        said(&output)
    );
    fs::write(
        texts.join("t.sexp"),
        "(causal-cause SN \"因为下雨，\" \"比赛取消了。\")",
    )
    .unwrap();
    let output = run("timeout 60 arsg convert texts out --to dis", folder.path());
    assert_eq!(output.status.code(), Some(0), "{}", said(&output));
    assert!(said(&output).contains("special file"), "{}", said(&output));
}

#[test]
fn what_is_named_and_missing_fails_and_the_rest_is_done() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("a.txt"), "因为下雨，比赛取消了。").unwrap();
    for command in ["parse", "segment", "cores", "explain", "coverage", "import"] {
        let (code, out, notes) = arsg(folder.path(), &[command, "a.txt", "missing.txt"]);
        assert_eq!(code, Some(1), "{command}: {notes}");
        assert!(!out.is_empty(), "{command}");
        assert!(
            notes.contains("cannot read `missing.txt`"),
            "{command}: {notes}"
        );
        let (code, _, notes) = arsg(folder.path(), &[command, "a.txt"]);
        assert_eq!(code, Some(0), "{command}: {notes}");
    }
}

#[test]
fn a_missing_grammar_or_case_keeps_no_other_from_being_looked_at() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    let grammar = "grammar a\n\n\nschema   \"finance\"\n";
    fs::write(root.join("a.arsg"), grammar).unwrap();
    let case = "===\n雨\n===\n因为下雨，\n比赛取消了。\n---\n(causal-cause SN 1 2)\n";
    fs::write(root.join("a.case"), case).unwrap();
    for (line, done) in [
        ("check missing.arsg a.arsg", "1 grammar checked"),
        ("fmt -w missing.arsg a.arsg", "1 of 1 changed"),
        ("stats missing.arsg a.arsg", "speaks of"),
        ("test missing.case a.case -g general", "1 passed"),
    ] {
        let arguments: Vec<&str> = line.split(' ').collect();
        let (code, out, notes) = arsg(root, &arguments);
        assert_eq!(code, Some(1), "{line}: {notes}");
        assert!(notes.contains("cannot read `missing."), "{line}: {notes}");
        assert!((out + &notes).contains(done), "{line}: {notes}");
    }
}

#[test]
fn an_import_that_keeps_nothing_fails_and_keeps_the_old_file() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("a.txt"), "因为下雨，比赛取消了。").unwrap();
    fs::write(folder.path().join("out.jsonl"), "旧").unwrap();
    let line = ["import", "a.txt", "--domain", "finance", "-o", "out.jsonl"];
    let (code, _, notes) = arsg(folder.path(), &line);
    assert_eq!(code, Some(1), "{notes}");
    assert!(notes.contains("no text is kept"), "{notes}");
    assert_eq!(
        fs::read_to_string(folder.path().join("out.jsonl")).unwrap(),
        "旧"
    );
}

/// `script` runs a command on a terminal of its own.
fn on_terminal(line: &str, folder: &Path) -> Option<String> {
    let found = run("command -v script", folder).status.success();
    found.then(|| said(&run(&format!("script -qec \"{line}\" /dev/null"), folder)))
}

#[test]
fn no_text_steers_a_terminal() {
    let folder = tempfile::tempdir().unwrap();
    let evil = "a\u{1b}]0;owned\u{7}\u{1b}[2J\u{9b}31m因为下雨，比赛取消了。";
    fs::write(folder.path().join("a.txt"), evil).unwrap();
    let json = serde_json::json!({"id": "\u{1b}[2Jx", "title": "\u{1b}]0;t\u{7}", "text": evil});
    fs::write(folder.path().join("b.jsonl"), json.to_string()).unwrap();
    for line in [
        "parse",
        "parse --format sexp",
        "parse --format edus",
        "parse --color always",
        "segment",
        "cores",
        "explain",
        "explain --node 1-2",
        "import",
        "summarize --length 1",
        "corpus stats",
    ] {
        for file in ["a.txt", "b.jsonl"] {
            let Some(shown) = on_terminal(&format!("arsg {line} {file}"), folder.path()) else {
                return;
            };
            for bad in ["\u{1b}]0", "\u{1b}[2J", "\u{9b}", "\u{7}"] {
                assert!(!shown.contains(bad), "{line} {file}: {bad:?}: {shown:?}");
            }
        }
    }
    // What goes to a file or a pipe is every byte of it.
    let (edus, _) = succeed(folder.path(), &["parse", "a.txt", "--format", "edus"]);
    assert!(edus.contains('\u{1b}'), "{edus:?}");
    // Names of files come in messages, too.
    let shown = on_terminal("arsg parse $'\\e[2Jmissing.txt'", folder.path()).unwrap_or_default();
    assert!(!shown.contains("\u{1b}[2J"), "{shown:?}");
}

#[test]
fn a_project_cannot_name_what_lies_outside() {
    let folder = tempfile::tempdir().unwrap();
    run_all(&["arsg init p".to_owned()], folder.path());
    fs::create_dir(folder.path().join("other")).unwrap();
    fs::write(folder.path().join("other/secret.txt"), "密码泄露了。").unwrap();
    let root = folder.path().join("p");
    symlink("../other", root.join("link")).unwrap();
    let settings = fs::read_to_string(root.join("arsg.toml")).unwrap();
    let absolute = folder.path().join("other").display().to_string();
    for (key, path, line) in [
        ("corpus", "../other", "segment"),
        ("corpus", "link", "parse"),
        ("corpus", absolute.as_str(), "corpus stats"),
        ("labels", "../other/labels", "annotate --automatic"),
        ("labels", "link/labels", "annotate --automatic"),
        ("cases", "../other", "test"),
        ("grammar", "../other/a.arsg", "check"),
        ("schema", "../other/a.toml", "cores texts/today.txt"),
    ] {
        let others = settings.lines().filter(|l| !l.starts_with(key));
        let others: Vec<&str> = others.take_while(|l| !l.starts_with('[')).collect();
        let text = format!("{}\n{key} = {path:?}\n", others.join("\n"));
        fs::write(root.join("arsg.toml"), text).unwrap();
        let output = run(&format!("arsg {line}"), &root);
        let told = said(&output);
        assert_eq!(output.status.code(), Some(3), "{key} {path} {line}: {told}");
        assert!(
            told.contains("P003") && told.contains("arsg.toml:"),
            "{line}: {told}"
        );
        assert!(!told.contains("密码"), "{told}");
        assert!(!folder.path().join("other/labels").exists(), "{line}");
    }
    let allowed = "corpus = \"../other\"\ngrammar = \"finance\"\n";
    fs::write(root.join("arsg.toml"), allowed).unwrap();
    let output = run("arsg segment --allow-outside", &root);
    assert!(output.status.success(), "{}", said(&output));
    assert!(said(&output).contains("密码"), "{}", said(&output));
}

/// A file of 200 MB without a line end, in every format. It is mostly a hole, so the disk does not notice.
#[test]
fn a_huge_file_of_any_format_is_refused() {
    let folder = project();
    let root = folder.path();
    fs::create_dir(root.join("huge")).unwrap();
    let huge = |name: &str, start: &str| {
        let path = root.join("huge").join(name);
        fs::write(&path, start).unwrap();
        let file = File::options().write(true).open(&path).unwrap();
        file.set_len(200 << 20).unwrap();
    };
    for (name, start, line) in [
        ("a.rs3", "<rst>", "convert"),
        ("a.rs4", "<rst>", "convert"),
        ("a.dis", "( Root (span 1 2)", "convert"),
        ("a.rsd", "1\t", "convert"),
        ("a.sexp", "(cause NS", "convert"),
        ("a.json", "{\"edus\":[", "convert"),
        ("a.label", "{\"label\":1", "induce"),
        ("a.case", "===\n", "test"),
        ("a.arsg", "grammar a\n", "check"),
        ("a.arsg", "grammar a\n", "fmt"),
        ("a.toml", "[domain]\n", "stats"),
        ("a.txt", "因为", "parse"),
        ("a.jsonl", "{\"id\":\"a\",\"text\":\"", "segment"),
        ("a.dat", "<doc>\n<url>", "import"),
        ("a.edus", "因为", "cores --from edus"),
        ("a.safetensors", "{", "embed near 上涨 --model"),
    ] {
        huge(name, start);
        let output = run(&format!("timeout 60 arsg {line} huge/{name}"), root);
        let told = said(&output);
        let code = output.status.code();
        assert!(
            matches!(code, Some(1 | 3)),
            "{line} {name}: {code:?}: {told}"
        );
        assert!(told.len() < 4000, "{line} {name}: {} bytes", told.len());
        fs::remove_file(root.join("huge").join(name)).unwrap();
    }
    huge("arsg.toml", "grammar = 'finance'\n");
    let output = run("timeout 60 arsg check", &root.join("huge"));
    assert!(said(&output).contains("too large"), "{}", said(&output));
    let output = run(
        "head -c 200000000 /dev/zero | timeout 60 arsg convert -",
        root,
    );
    assert!(said(&output).contains("too large"), "{}", said(&output));
}

#[test]
fn one_page_explains_several_texts() {
    let folder = tempfile::tempdir().unwrap();
    let lines = "{\"id\":\"甲\",\"text\":\"因为下雨，比赛取消了。\"}\n{\"id\":\"乙\",\"text\":\"股价下跌。\"}\n";
    fs::write(folder.path().join("a.jsonl"), lines).unwrap();
    let (page, _) = succeed(folder.path(), &["explain", "a.jsonl", "--format", "html"]);
    assert_eq!(page.matches("<!DOCTYPE html>").count(), 1);
    assert_eq!(page.matches("</html>").count(), 1);
    for part in ["<h2>甲</h2>", "<h2>乙</h2>", "id=\"s1\"", "id=\"t2-s1\""] {
        assert_eq!(page.matches(part).count(), 1, "{part}");
    }
}

#[test]
fn characters_that_a_format_cannot_hold_are_told() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(
        folder.path().join("a.txt"),
        "因为\u{1}下雨，比赛\u{1b}取消了。",
    )
    .unwrap();
    let (_, notes) = succeed(folder.path(), &["parse", "a.txt", "-o", "a.rs3"]);
    assert!(
        notes.contains("2 control characters that rs3 cannot hold"),
        "{notes}"
    );
    succeed(folder.path(), &["parse", "a.txt", "-o", "a.sexp"]);
    let (_, notes) = succeed(folder.path(), &["convert", "a.sexp", "b.rs4"]);
    assert!(notes.contains("rs4 cannot hold"), "{notes}");
}

#[test]
fn shares_that_are_too_large_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("a.txt"), "下雨。").unwrap();
    for shares in [
        "18446744073709551615:1:1",
        "8:1",
        "8:1:1:1",
        "0:0:0",
        "a:b:c",
    ] {
        let line = [
            "corpus", "split", "a.txt", "-o", "parts", "--shares", shares,
        ];
        let (code, _, notes) = arsg(folder.path(), &line);
        assert_eq!(code, Some(2), "{shares}: {notes}");
        assert!(notes.contains("8:1:1"), "{notes}");
    }
}

#[test]
fn only_addresses_of_the_web_become_links() {
    let folder = tempfile::tempdir().unwrap();
    let line = |url: &str, id: &str| {
        serde_json::json!({"id": id, "url": url, "title": "股价上涨", "text": "股价上涨2%。"})
            .to_string()
    };
    let texts = [
        line("javascript:alert(1)", "a"),
        line("http.evil:alert(2)", "b"),
    ];
    fs::write(folder.path().join("a.jsonl"), texts.join("\n")).unwrap();
    for format in ["markdown", "html"] {
        let (out, _) = succeed(folder.path(), &["summarize", "a.jsonl", "--format", format]);
        assert!(!out.contains("alert"), "{format}: {out}");
    }
}
