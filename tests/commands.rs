//! The commands over corpora, as a person runs them.

#![allow(clippy::unwrap_used)] // a test fails by panicking

use std::fs;
use std::path::Path;

use assert_cmd::Command;

fn arsg(folder: &Path, args: &[&str]) -> std::process::Output {
    let mut command = Command::cargo_bin("arsg").unwrap();
    command.current_dir(folder).args(args).output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

const SOGOU: &str = "<doclist>\n<doc>\n<url>http://business.a.cn/20120612/1</url>\n<docno>1</docno>\n\
    <contenttitle>降息</contenttitle>\n<content>　　央行宣布降息。\u{e40c}沪指收涨1.2%。</content>\n</doc>\n\
    <doc>\n<url>http://news.a.cn/2</url>\n<docno>2</docno>\n<content></content>\n</doc>\n\
    <doc>\n<url>http://sports.a.cn/3</url>\n<docno>3</docno>\n<content>主队昨晚获胜。</content>\n</doc>\n</doclist>\n";

#[test]
fn import_accounts_for_every_record_in_either_encoding() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    fs::write(path.join("utf8.dat"), SOGOU.replace('\n', "\r\n")).unwrap();
    fs::write(path.join("gb.dat"), &encoding_rs::GB18030.encode(SOGOU).0).unwrap();
    let gb = arsg(path, &["import", "gb.dat", "--out", "gb.jsonl"]);
    let utf8 = arsg(path, &["import", "utf8.dat", "--out", "utf8.jsonl"]);
    assert!(gb.status.success() && utf8.status.success());
    let imported = fs::read_to_string(path.join("gb.jsonl")).unwrap();
    assert_eq!(
        imported,
        fs::read_to_string(path.join("utf8.jsonl")).unwrap()
    );
    assert_eq!(imported.lines().count(), 2);
    assert!(imported.contains(r#""date":"2012-06-12""#), "{imported}");
    let report = text(&gb.stderr);
    assert!(report.contains("3 documents: 2 kept"), "{report}");
    assert!(
        report.contains("1 dropped: document without text"),
        "{report}"
    );
}

#[test]
fn import_keeps_one_domain_and_drops_duplicates_when_told() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    fs::write(path.join("a.dat"), SOGOU).unwrap();
    fs::write(path.join("b.dat"), SOGOU).unwrap();
    let args = [
        "--json",
        "import",
        "a.dat",
        "b.dat",
        "--domain",
        "finance",
        "--drop-duplicates",
    ];
    let out = arsg(path, &args);
    assert_eq!(text(&out.stdout).lines().count(), 1);
    let report: serde_json::Value = serde_json::from_slice(&out.stderr).unwrap();
    assert_eq!(report["documents"], 6);
    assert_eq!(report["kept"], 1);
    assert_eq!(report["skipped"]["other domain"]["count"], 2);
    assert_eq!(report["skipped"]["exact duplicate"]["count"], 1);
}

#[test]
fn threads_do_not_change_a_byte() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    let lines: Vec<String> = (0..700)
        .map(|n| {
            let text = format!(
                "2019年{}月，海川集团营业收入同比增长{n}%，净利润下降。",
                n % 12 + 1
            );
            serde_json::json!({"id": n.to_string(), "text": text}).to_string()
        })
        .collect();
    fs::write(path.join("a.jsonl"), lines.join("\n")).unwrap();
    let one = arsg(path, &["cores", "a.jsonl", "--json", "--threads", "1"]);
    let many = arsg(path, &["cores", "a.jsonl", "--json", "--threads", "4"]);
    assert!(one.status.success());
    assert!(text(&one.stdout).lines().count() >= 1400);
    assert_eq!(one.stdout, many.stdout);
}

#[test]
fn segment_reads_stdin_and_writes_documents() {
    let mut command = Command::cargo_bin("arsg").unwrap();
    let out = command
        .args(["segment", "-", "--json", "--from", "text"])
        .write_stdin("央行宣布，将下调利率。\n市场上涨。\n")
        .output()
        .unwrap();
    let document: serde_json::Value = serde_json::from_slice(&out.stdout).unwrap();
    assert_eq!(document["blocks"][0]["edus"][0], "央行宣布，");
    assert_eq!(document["blocks"][1]["edus"][0], "市场上涨。");
}

#[test]
fn split_is_seeded_and_complete() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    let lines: Vec<String> = (0..50)
        .map(|n| serde_json::json!({"id": n.to_string(), "text": format!("第{n}条。")}).to_string())
        .collect();
    fs::write(path.join("a.jsonl"), lines.join("\n")).unwrap();
    let sizes = |out: &str| -> Vec<String> {
        let names = ["train", "validation", "test"];
        let read = |name| fs::read_to_string(path.join(out).join(format!("{name}.jsonl"))).unwrap();
        names.map(read).to_vec()
    };
    for out in ["x", "y"] {
        assert!(
            arsg(
                path,
                &["corpus", "split", "a.jsonl", "--out", out, "--seed", "7"]
            )
            .status
            .success()
        );
    }
    assert_eq!(sizes("x"), sizes("y"));
    let counts: Vec<usize> = sizes("x").iter().map(|part| part.lines().count()).collect();
    assert_eq!(counts, [40, 5, 5]);
    let bad = arsg(
        path,
        &[
            "corpus", "split", "a.jsonl", "--out", "z", "--shares", "8:1",
        ],
    );
    assert_eq!(bad.status.code(), Some(2));
}

#[test]
fn stats_prints_the_papers_table() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    fs::write(
        path.join("a.txt"),
        "8月份CPI同比上涨2.4%，环比上涨0.5%。\n央行下调利率。\n",
    )
    .unwrap();
    let out = arsg(path, &["corpus", "stats", "a.txt", "--json"]);
    let table: serde_json::Value = serde_json::from_slice(&out.stdout).unwrap();
    assert_eq!(table["texts"], 1.0);
    assert_eq!(table["distinct state changes"], 2.0);
    assert_eq!(table["EDUs a text"], 3.0);
}

#[test]
fn what_cannot_be_read_is_said_and_the_rest_is_done() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    fs::write(path.join("good.txt"), "央行下调利率。").unwrap();
    fs::write(path.join("empty.txt"), "").unwrap();
    let out = arsg(path, &["cores", "good.txt", "missing.txt", "empty.txt"]);
    assert!(text(&out.stdout).contains("下调"), "{}", text(&out.stdout));
    let errors = text(&out.stderr);
    assert!(
        errors.contains("cannot read `missing.txt`: no such file or folder"),
        "{errors}"
    );
    assert!(errors.contains("document without text"), "{errors}");
    let alone = arsg(path, &["cores", "missing.txt"]);
    assert_eq!(alone.status.code(), Some(1));
    let schema = arsg(path, &["cores", "good.txt", "--schema", "weather"]);
    assert_eq!(schema.status.code(), Some(2));
}
