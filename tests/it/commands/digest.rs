//! `arsg digest`, as a person runs it.

use std::fs;

use serde_json::{Value, json};

use crate::run::{printed, run, said};

const NEWS: [(&str, &str, &str); 4] = [
    (
        "2024-05-06",
        "青岭煤矿发生瓦斯爆炸",
        "5月6日，青岭煤矿发生瓦斯爆炸，造成12人遇难。\n省应急管理厅已派出救援队赶赴青岭煤矿。",
    ),
    (
        "2024-05-07",
        "青岭煤矿爆炸遇难人数上升",
        "5月6日，青岭煤矿瓦斯爆炸造成15人遇难。\n5月7日，青岭煤矿负责人被警方控制。",
    ),
    (
        "2024-05-08",
        "澜江银行下调存款利率",
        "5月8日，澜江银行宣布下调存款利率20个基点。",
    ),
    (
        "2024-05-08",
        "Rates",
        "The central bank kept its policy rates unchanged on Monday.",
    ),
];

fn newsroom() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let lines = NEWS.iter().enumerate().map(|(at, (date, title, body))| {
        let url = format!("https://site{at}.example.com/{at}");
        format!(
            "{}\n",
            json!({"id": format!("n{at}"), "title": title, "date": date, "url": url, "text": body})
        )
    });
    fs::write(folder.path().join("news.jsonl"), lines.collect::<String>()).unwrap();
    folder
}

#[test]
fn stories_with_days_sources_and_earlier_versions() {
    let folder = newsroom();
    let output = run("arsg digest news.jsonl", folder.path());
    let said = said(&output);
    assert!(output.status.success(), "{said}");
    for part in [
        "1 text is not Chinese but in Latin letters",
        "（2 篇，2024-05-06 至 2024-05-07）",
        "15人遇难。（2024-05-06，site1.example.com",
        "先前：",
        "澜江银行宣布下调存款利率20个基点。（2024-05-08，site2.example.com，单一来源）",
    ] {
        assert!(said.contains(part), "{part}: {said}");
    }
    let first = printed(folder.path(), &["digest", "news.jsonl"]);
    assert_eq!(first, printed(folder.path(), &["digest", "news.jsonl"]));
}

#[test]
fn every_format_tells_the_same_stories() {
    let folder = newsroom();
    let digest =
        |format: &str| printed(folder.path(), &["digest", "news.jsonl", "--format", format]);
    let json: Value = serde_json::from_str(&digest("json")).unwrap();
    assert_eq!(json["texts"], 3);
    assert_eq!(json["stories"].as_array().unwrap().len(), 2);
    for format in ["text", "markdown", "html", "atom", "rss"] {
        let text = digest(format);
        assert!(
            text.contains("澜江银行下调存款利率") && text.contains("15人遇难"),
            "{format}: {text}"
        );
    }
    let page = digest("html");
    assert!(
        page.contains("<details") && page.contains("https://site1.example.com/1"),
        "{page}"
    );
}

#[test]
fn updates_and_timelines() {
    let folder = newsroom();
    let earlier = printed(folder.path(), &["digest", "news.jsonl", "--json"]);
    fs::write(folder.path().join("read.json"), earlier).unwrap();
    let nothing = run(
        "arsg digest news.jsonl --known read.json --others 0",
        folder.path(),
    );
    assert!(!said(&nothing).contains("15人"), "{}", said(&nothing));
    let since = printed(
        folder.path(),
        &["digest", "news.jsonl", "--since", "2024-05-08"],
    );
    assert!(
        since.contains("澜江银行") && !since.contains("煤矿"),
        "{since}"
    );
    let asked = printed(
        folder.path(),
        &["digest", "news.jsonl", "--query", "存款利率"],
    );
    assert!(
        asked.contains("澜江银行") && !asked.contains("煤矿"),
        "{asked}"
    );
    let days = printed(folder.path(), &["digest", "news.jsonl", "--timeline"]);
    assert!(
        days.lines().all(|line| line.starts_with("2024-05-0")),
        "{days}"
    );
    assert!(days.lines().count() >= 2, "{days}");
}
