//! `arsg convert` and `arsg parseval` from the shell.

use std::fs;
use std::path::Path;

use assert_cmd::Command;

use crate::run::{text, with_stdin};

const TREE: &str = "(causal-cause SN 1:\"因为下雨，\" (joint-list NNN 2:\"比赛取消，\" 3:\"球员回家，\" 4:\"球迷退票。\"))\n";

fn arsg(arguments: &[&str]) -> Command {
    let mut command = with_stdin(Path::new("."), arguments);
    command.env_remove("COLUMNS");
    command
}

fn folder() -> tempfile::TempDir {
    tempfile::tempdir().unwrap()
}

fn path(folder: &tempfile::TempDir, name: &str) -> String {
    folder.path().join(name).display().to_string()
}

#[test]
fn stdin_to_stdout_with_named_formats() {
    let output = arsg(&[
        "convert", "-", "-", "--from", "sexp", "--to", "dis", "--binary",
    ])
    .write_stdin(TREE)
    .output()
    .unwrap();
    assert!(output.status.success());
    assert!(text(&output.stdout).contains("( Nucleus (span 3 4) (rel2par joint-list)"));
    let output = arsg(&["convert", "-"]).write_stdin(TREE).output().unwrap();
    assert!(
        text(&output.stdout).contains("└─N joint-list 2-4"),
        "drawn by default"
    );
    let output = arsg(&["convert", "-", "--json"])
        .write_stdin(TREE)
        .output()
        .unwrap();
    assert!(text(&output.stdout).starts_with("{\"edus\":"));
}

#[test]
fn extensions_say_the_format_and_folders_keep_their_shape() {
    let at = folder();
    fs::create_dir_all(at.path().join("in/dev")).unwrap();
    fs::write(at.path().join("in/dev/雨.sexp"), TREE).unwrap();
    fs::write(at.path().join("in/readme.md"), "no tree").unwrap();
    arsg(&[
        "convert",
        &path(&at, "in"),
        &path(&at, "out"),
        "--to",
        "rs3",
    ])
    .assert()
    .success();
    assert!(at.path().join("out/dev/雨.rs3").is_file());
    arsg(&[
        "convert",
        &path(&at, "out/dev/雨.rs3"),
        &path(&at, "雨.svg"),
    ])
    .assert()
    .success();
    assert!(
        fs::read_to_string(at.path().join("雨.svg"))
            .unwrap()
            .contains("causal-cause")
    );
    arsg(&["convert", &path(&at, "in"), &path(&at, "out")])
        .assert()
        .code(2);
}

#[test]
fn several_trees_go_to_a_folder() {
    let at = folder();
    fs::write(
        at.path().join("all.sexp"),
        format!("@甲 {TREE}\n@乙/1 {TREE}"),
    )
    .unwrap();
    let all = path(&at, "all.sexp");
    arsg(&["convert", &all, &path(&at, "one.rs3")])
        .assert()
        .code(2);
    assert!(!Path::new(&path(&at, "one.rs3")).exists());
    arsg(&["convert", &all, &path(&at, "all.jsonl")])
        .assert()
        .success();
    let lines = fs::read_to_string(at.path().join("all.jsonl")).unwrap();
    assert_eq!(lines.lines().count(), 2);
    fs::create_dir(at.path().join("out")).unwrap();
    arsg(&[
        "convert",
        &path(&at, "all.jsonl"),
        &path(&at, "out"),
        "--to",
        "dis",
    ])
    .assert()
    .success();
    assert!(at.path().join("out/甲.dis").is_file());
    let changed = arsg::files::name_for_id("乙/1", "dis");
    assert!(at.path().join("out").join(changed).is_file());
}

#[test]
fn what_does_not_validate_exits_with_three_and_writes_nothing() {
    let at = folder();
    fs::write(at.path().join("bad.dis"), "( Root (span 1 2)").unwrap();
    let output = arsg(&[
        "--error-format",
        "plain",
        "convert",
        &path(&at, "bad.dis"),
        &path(&at, "out.rs3"),
    ])
    .output()
    .unwrap();
    assert_eq!(output.status.code(), Some(3));
    assert!(text(&output.stderr).contains("bad.dis:1:1: error[R001]"));
    assert!(!at.path().join("out.rs3").exists());
    let missing = arsg(&["convert", &path(&at, "missing.rs3")])
        .output()
        .unwrap();
    assert_eq!(missing.status.code(), Some(1));
    arsg(&["convert", "-", "--from", "docx"]).assert().code(2);
}

#[test]
fn other_encodings_are_read_when_declared_and_refused_when_not() {
    let at = folder();
    let (gb, _, _) = encoding_rs::GB18030.encode(
        "<?xml version=\"1.0\" encoding=\"GB18030\"?><rst><body><segment id=\"1\">沪指收跌</segment></body></rst>",
    );
    fs::write(at.path().join("gb.rs3"), &gb).unwrap();
    let output = arsg(&["convert", &path(&at, "gb.rs3")]).output().unwrap();
    assert!(text(&output.stdout).contains("沪指收跌"));
    let (gb, _, _) =
        encoding_rs::GB18030.encode("<rst><body><segment id=\"1\">沪指收跌</segment></body></rst>");
    fs::write(at.path().join("plain.rs3"), &gb).unwrap();
    let output = arsg(&["convert", &path(&at, "plain.rs3")])
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(3));
    assert!(text(&output.stderr).contains("is not UTF-8: bad byte at offset 27"));
}

#[test]
fn parseval_scores_files_and_folders() {
    let at = folder();
    for name in ["gold/a.sexp", "gold/b.sexp", "pred/a.sexp", "pred/b.sexp"] {
        let file = at.path().join(name);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(file, TREE).unwrap();
    }
    let flat = TREE.replace("(joint-list NNN", "(joint-sequence NNN");
    fs::write(at.path().join("pred/b.sexp"), flat).unwrap();
    let (gold, pred) = (path(&at, "gold"), path(&at, "pred"));
    let output = arsg(&["parseval", &gold, &pred, "--per", "document,relation,level"])
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", text(&output.stderr));
    let report = text(&output.stdout);
    assert!(
        report.contains("original Parseval         100.0  100.0  100.0  100.0"),
        "{report}"
    );
    let output = arsg(&["parseval", &gold, &pred, "--fine", "--json"])
        .output()
        .unwrap();
    let json: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(json["original"]["span"]["matched"], 6);
    assert_eq!(json["original"]["relation"]["matched"], 4);
    assert_eq!(json["documents"][1]["id"], "b");
    let output = arsg(&["parseval", &gold, "--baseline", "left"])
        .output()
        .unwrap();
    assert!(text(&output.stdout).contains("original Parseval"));
    arsg(&["parseval", &gold]).assert().code(2);
}
