//! `arsg summarize`, `arsg evaluate` and `arsg experiment`, as a person runs them.

use std::fs;

use serde_json::{Value, json};

use crate::run::{arsg, printed, text, with_stdin};

const NEWS: [(&str, &str); 4] = [
    (
        "央行下调存款准备金率",
        "央行周五宣布，9月16日起下调存款准备金率0.5个百分点。\n这是今年第二次全面降准，约释放资金9000亿元。\n分析人士认为，降准有助于降低银行资金成本。",
    ),
    (
        "降准释放九千亿元",
        "央行周五宣布，9月16日起下调存款准备金率0.5个百分点，释放资金9000亿元。\n银行股当日上涨1.2%。",
    ),
    (
        "沪指收涨",
        "受降准消息影响，沪指周一收涨0.8%，重返3000点。\n银行股和地产股领涨两市。\n两市成交额超过6000亿元。",
    ),
    (
        "苹果发布新手机",
        "苹果公司周二发布三款新手机，起售价下调50美元。\n分析师预计，新手机今年的出货量将下降一成。",
    ),
];

/// A folder with four reports.
fn newsroom() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let lines = NEWS.iter().enumerate().map(|(at, (title, body))| {
        let line =
            json!({"id": format!("n{at}"), "title": title, "date": "2019-09-06", "text": body});
        format!("{line}\n")
    });
    fs::write(folder.path().join("news.jsonl"), lines.collect::<String>()).unwrap();
    folder
}

#[test]
fn one_summary_of_all_texts_with_where_each_line_comes_from() {
    let folder = newsroom();
    let args = [
        "summarize",
        "news.jsonl",
        "--length",
        "60w",
        "--grammar",
        "finance",
        "--json",
    ];
    let summary: Value = serde_json::from_str(&printed(folder.path(), &args)).unwrap();
    assert_eq!(summary["texts"], 4);
    assert!(summary["words"].as_u64().unwrap() <= 60);
    let lines = summary["lines"].as_array().unwrap();
    assert!(!lines.is_empty());
    for line in lines {
        let at = line["doc"].as_str().unwrap()[1..].parse::<usize>().unwrap();
        assert_eq!(line["title"], NEWS[at].0);
        assert_eq!(line["date"], "2019-09-06");
        let said = line["text"].as_str().unwrap();
        assert!(NEWS[at].1.contains(said.trim_end_matches('。')), "{said}");
        // The texts were really parsed: every line knows its way down from the root.
        assert_eq!(line["path"][0]["role"], "N");
    }
    // What two texts tell is told once.
    let all = printed(folder.path(), &args[..6]);
    assert_eq!(all.matches("存款准备金率").count(), 1, "{all}");
}

#[test]
fn the_same_texts_give_the_same_summary() {
    let folder = newsroom();
    for method in ["arsg", "paper", "lead", "textrank", "mmr", "cnnlm"] {
        let args = [
            "summarize",
            "news.jsonl",
            "-n",
            "3",
            "--method",
            method,
            "--explain",
        ];
        let first = printed(folder.path(), &args);
        assert!(!first.trim().is_empty(), "{method}");
        assert_eq!(first, printed(folder.path(), &args), "{method}");
    }
}

#[test]
fn each_text_or_each_cluster_has_its_own_summary() {
    let folder = newsroom();
    let each = printed(
        folder.path(),
        &["summarize", "news.jsonl", "--each", "-n", "1", "--json"],
    );
    assert_eq!(each.lines().count(), 4);
    let clusters = printed(
        folder.path(),
        &["summarize", "news.jsonl", "--cluster=2", "-n", "2"],
    );
    assert!(clusters.starts_with("# cluster 1: "), "{clusters}");
    assert!(clusters.contains("# cluster 2: "), "{clusters}");
    let page = [
        "summarize",
        "news.jsonl",
        "--cluster=2",
        "-n",
        "2",
        "--format",
        "html",
    ];
    let page = printed(folder.path(), &page);
    assert_eq!(page.matches("<html").count(), 1);
    assert_eq!(page.matches("<h2>").count(), 2);
}

#[test]
fn a_project_has_its_own_tastes() {
    let folder = newsroom();
    fs::write(
        folder.path().join("arsg.toml"),
        "[summarize]\nlength = '1'\npriority = '0 - rank'\n",
    )
    .unwrap();
    let short = printed(folder.path(), &["summarize", "news.jsonl"]);
    assert_eq!(short.lines().count(), 1, "{short}");
    let longer = printed(folder.path(), &["summarize", "news.jsonl", "-n", "6"]);
    assert!(
        longer.lines().count() > 1,
        "what is given counts more: {longer}"
    );
    fs::write(
        folder.path().join("arsg.toml"),
        "[summarize]\nlenght = '1'\n",
    )
    .unwrap();
    let (code, _, errors) = arsg(folder.path(), &["summarize", "news.jsonl"]);
    assert_eq!(code, Some(3));
    assert!(errors.contains("`lenght`"), "{errors}");
}

#[test]
fn a_text_from_stdin_an_empty_one_and_a_wrong_length() {
    let folder = tempfile::tempdir().unwrap();
    let said = with_stdin(folder.path(), &["summarize", "-", "-n", "1"])
        .write_stdin("央行周五宣布下调存款准备金率。\n银行股上涨。\n")
        .output()
        .unwrap();
    assert_eq!(text(&said.stdout), "央行周五宣布下调存款准备金率。\n");
    fs::write(folder.path().join("empty.txt"), "").unwrap();
    let (_, nothing, _) = arsg(folder.path(), &["summarize", "empty.txt"]);
    assert_eq!(nothing.trim(), "");
    let (code, ..) = arsg(folder.path(), &["summarize", "empty.txt", "-n", "0"]);
    assert_eq!(code, Some(2));
}

#[test]
fn a_summary_is_measured_against_its_texts_and_references() {
    let folder = newsroom();
    let path = folder.path();
    let summary = printed(path, &["summarize", "news.jsonl", "-n", "40w", "--json"]);
    fs::write(path.join("summary.json"), &summary).unwrap();
    fs::write(
        path.join("human.txt"),
        "央行降准0.5个百分点，沪指重返3000点。\n",
    )
    .unwrap();
    let args = [
        "evaluate",
        "summary.json",
        "--texts",
        "news.jsonl",
        "--reference",
        "human.txt",
        "--json",
    ];
    let found: Value = serde_json::from_str(&printed(path, &args)).unwrap();
    let words: Value = serde_json::from_str(&summary).unwrap();
    assert_eq!(found["words"], words["words"]);
    let share = |name: &str| found[name].as_f64().unwrap();
    for name in ["S", "N", "E_paper", "E_recall", "W", "centroid", "titles"] {
        assert!((0.0..=1.0).contains(&share(name)), "{name}: {found}");
    }
    let score = 20.0 * share("S") + 25.0 * share("N") + 25.0 * share("E_paper") + 30.0 * share("W");
    assert!((score - share("Score")).abs() < 1e-9);
    assert!(found["references"].is_object(), "{found}");
    let (code, ..) = arsg(
        path,
        &["evaluate", "summary.json", "--texts", "nowhere.jsonl"],
    );
    assert_eq!(code, Some(1));
}

#[test]
fn all_tables_of_the_demo_corpus_come_in_one_command() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    let how = "--seeds 1 --sizes 3,6 --decide counts --methods arsg,lead --length 5 --grammar finance --cache trainings";
    let args = |what: &[&'static str]| -> Vec<&str> {
        let what = ["experiment"].iter().chain(what).copied();
        what.chain(how.split(' ')).collect()
    };
    let tables = printed(path, &args(&["all", "--out", "report"]));
    for title in [
        "Statistics of the texts",
        "Picking near, training far",
        "Labels by texts: the Score of summaries",
        "What a few labels are worth",
        "Summaries by several methods, n = 5 EDUs",
        "What arsg gains",
    ] {
        assert!(tables.contains(&format!("## {title}")), "{title}: {tables}");
    }
    assert!(tables.contains("| texts "), "{tables}");
    let page = fs::read_to_string(path.join("report/report.html")).unwrap();
    assert!(
        page.contains("<svg") && !page.contains("src=\"http"),
        "it stands by itself"
    );
    for name in [
        "statistics.csv",
        "rounds.md",
        "labels.csv",
        "division.svg",
        "gains-5.csv",
    ] {
        assert!(path.join("report").join(name).is_file(), "{name}");
    }
    // Trainings are kept: asked again, the table is the same, and nothing is learned again.
    let kept = || fs::read_dir(path.join("trainings")).unwrap().count();
    assert_eq!(kept(), 4);
    let again = printed(path, &args(&["labels"]));
    assert!(tables.contains(&again), "{again}");
    assert_eq!(kept(), 4);
}

#[test]
fn labels_need_gold_trees_and_say_so() {
    let folder = newsroom();
    let (code, _, errors) = arsg(folder.path(), &["experiment", "labels", "news.jsonl"]);
    assert_eq!(code, Some(1));
    assert!(errors.contains("gold trees are needed"), "{errors}");
    let rows = printed(
        folder.path(),
        &["experiment", "statistics", "news.jsonl", "--json"],
    );
    let table: Value = serde_json::from_str(&rows).unwrap();
    assert_eq!(table["rows"][0], json!(["texts", "4", "261137"]));
}

/// The paper's table of |S1| by the size of the corpus: a row for each number of texts, a column for each
/// number of labels, and another grammar behind every figure.
#[test]
fn sizes_vary_texts_and_labels() {
    let folder = tempfile::tempdir().unwrap();
    let table = |more: &[&'static str]| -> Value {
        let how = [
            "experiment",
            "sizes",
            "--texts",
            "20,60",
            "--sizes",
            "3,9",
            "--json",
        ];
        let args: Vec<&str> = how.iter().chain(more).copied().collect();
        serde_json::from_str(&printed(folder.path(), &args)).unwrap()
    };
    let means = table(&["--grammar", "finance"]);
    assert_eq!(means["head"], json!(["texts", "|S1| = 3", "|S1| = 9"]));
    let rows = means["rows"].as_array().unwrap();
    let texts: Vec<&Value> = rows.iter().map(|row| &row[0]).collect();
    assert_eq!(texts, ["20", "60"]);
    for row in rows {
        for figure in [&row[1], &row[2]] {
            let score = figure.as_str().unwrap().split(' ').next().unwrap();
            let score: f64 = score.parse().unwrap();
            assert!((0.0..=100.0).contains(&score) && score > 1.0, "{row}");
        }
    }
    let sums = table(&["--grammar", "finance", "--impact", "sum"]);
    assert_ne!(means["rows"], sums["rows"], "other impacts, other clusters");
}
