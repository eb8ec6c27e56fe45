//! The commands over corpora, as a person runs them.

use std::fs;
use std::path::Path;

use crate::run::{arsg, printed, succeed, with_stdin};

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
    let (_, report) = succeed(path, &["import", "gb.dat", "--out", "gb.jsonl"]);
    succeed(path, &["import", "utf8.dat", "--out", "utf8.jsonl"]);
    let imported = fs::read_to_string(path.join("gb.jsonl")).unwrap();
    assert_eq!(
        imported,
        fs::read_to_string(path.join("utf8.jsonl")).unwrap()
    );
    assert_eq!(imported.lines().count(), 2);
    assert!(imported.contains(r#""date":"2012-06-12""#), "{imported}");
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
    let (kept, report) = succeed(path, &args);
    assert_eq!(kept.lines().count(), 1);
    let report: serde_json::Value = serde_json::from_str(&report).unwrap();
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
    let one = printed(path, &["cores", "a.jsonl", "--json", "--threads", "1"]);
    let many = printed(path, &["cores", "a.jsonl", "--json", "--threads", "4"]);
    assert!(one.lines().count() >= 1400);
    assert_eq!(one, many);
}

#[test]
fn segment_reads_stdin_and_writes_documents() {
    let segment = ["segment", "-", "--json", "--from", "text"];
    let out = with_stdin(Path::new("."), &segment)
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
        succeed(
            path,
            &["corpus", "split", "a.jsonl", "--out", out, "--seed", "7"],
        );
    }
    assert_eq!(sizes("x"), sizes("y"));
    let counts: Vec<usize> = sizes("x").iter().map(|part| part.lines().count()).collect();
    assert_eq!(counts, [40, 5, 5]);
    let (code, ..) = arsg(
        path,
        &[
            "corpus", "split", "a.jsonl", "--out", "z", "--shares", "8:1",
        ],
    );
    assert_eq!(code, Some(2));
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
    let table = printed(path, &["corpus", "stats", "a.txt", "--json"]);
    let table: serde_json::Value = serde_json::from_str(&table).unwrap();
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
    let (_, out, errors) = arsg(path, &["cores", "good.txt", "missing.txt", "empty.txt"]);
    assert!(out.contains("下调"), "{out}");
    assert!(
        errors.contains("cannot read `missing.txt`: no such file or folder"),
        "{errors}"
    );
    assert!(errors.contains("document without text"), "{errors}");
    let (alone, ..) = arsg(path, &["cores", "missing.txt"]);
    assert_eq!(alone, Some(1));
    let (schema, ..) = arsg(path, &["cores", "good.txt", "--schema", "weather"]);
    assert_eq!(schema, Some(2));
}

#[test]
fn the_structure_of_plain_text_is_shown_switched_off_and_kept() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    let text = "山村茶园调查\n本报记者 张山\n一、概况\n山上的茶园去年一共收了三千多斤春茶，比前一年多了两成。\n";
    fs::write(path.join("茶园.txt"), text).unwrap();
    let shown = printed(
        path,
        &["segment", "茶园.txt", "--blocks", "--schema", "general"],
    );
    for part in [
        "heading 0",
        "title",
        "aside",
        "byline",
        "heading 1",
        "chinese-number",
        "98%",
    ] {
        assert!(shown.contains(part), "{part}: {shown}");
    }
    let edus = |how: &str| {
        printed(
            path,
            &[
                "segment",
                "茶园.txt",
                "--schema",
                "general",
                "--structure",
                how,
            ],
        )
    };
    assert!(edus("rules").contains("# 山村茶园调查\n"));
    assert!(edus("rules").contains("~ 本报记者 张山\n"));
    assert!(edus("keep").contains("\n本报记者 张山\n"));
    assert!(edus("none").starts_with("山村茶园调查\n"));
    let plain = printed(path, &["import", "茶园.txt"]);
    assert!(plain.contains("\"text\""), "{plain}");
    let blocks = printed(path, &["import", "茶园.txt", "--structure", "rules"]);
    assert!(blocks.contains("\"aside\""), "{blocks}");
    fs::write(path.join("arsg.toml"), "structure = \"none\"\n").unwrap();
    let off = printed(path, &["segment", "茶园.txt", "--schema", "general"]);
    assert_eq!(off, edus("none"));
    fs::write(path.join("arsg.toml"), "structure = \"some\"\n").unwrap();
    let (_, _, said) = arsg(path, &["segment", "茶园.txt"]);
    assert!(
        said.contains("P001") && said.contains("`rules`, `keep`, `none`"),
        "{said}"
    );
}
