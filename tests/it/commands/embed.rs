//! `arsg embed` and `arsg cluster` as a person meets them.

use std::process::Stdio;
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::golden;
use crate::run::{arsg, command, json_lines, printed};

/// The lines are what the JSON schema of that name says.
fn assert_valid(name: &str, lines: &[Value]) {
    let schemas = arsg::embed::json_schemas();
    let (_, written) = schemas.iter().find(|(known, _)| *known == name).unwrap();
    let validator = golden::json_schema(name, written);
    assert!(!lines.is_empty(), "nothing to validate as {name}");
    for line in lines {
        assert!(validator.is_valid(line), "{name}: {line}");
    }
    assert!(!validator.is_valid(&serde_json::json!({"txt": "央行"})));
}

/// Texts about gold, about shares and about banks.
fn corpus(texts: usize) -> String {
    let topics = [
        [
            "国际金价上涨2.1%。",
            "白银价格大涨。",
            "黄金需求增长，金价走高。",
            "昨日金价回落。",
        ],
        [
            "沪指收跌1.2%。",
            "深成指下跌。",
            "创业板指数大跌3%。",
            "券商股价反弹。",
        ],
        [
            "央行下调存款利率。",
            "工商银行净利润增长5%。",
            "建设银行不良贷款下降。",
            "银行业收入增加。",
        ],
    ];
    let mut lines = String::new();
    for text in 0..texts {
        let topic = &topics[text % 3];
        let body: String = (0..6)
            .map(|at| topic[(text / 3 + at * (1 + text % 2)) % 4])
            .collect();
        let day = 1 + text % 28;
        let document = serde_json::json!({
            "id": format!("t{text}"), "date": format!("2012-06-{day:02}"), "text": body,
        });
        lines.push_str(&format!("{document}\n"));
    }
    lines
}

fn folder_with_corpus(texts: usize) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("news.jsonl"), corpus(texts)).unwrap();
    folder
}

const TRAIN: [&str; 7] = [
    "embed",
    "train",
    "news.jsonl",
    "-o",
    "m.safetensors",
    "--width",
    "24",
];

#[test]
fn a_corpus_becomes_a_model_impacts_pairs_and_clusters() {
    let folder = folder_with_corpus(60);
    let path = folder.path();
    let epochs = ["--epochs", "8", "--json", "--plot", "loss.svg"];
    let epochs = json_lines(&printed(path, &[&TRAIN[..], &epochs].concat()));
    assert!(!epochs.is_empty() && epochs.iter().all(|epoch| epoch["hits_at_10"].is_number()));
    assert_valid("epoch", &epochs);
    assert!(
        std::fs::read_to_string(path.join("loss.svg"))
            .unwrap()
            .contains("held out")
    );
    assert!(!path.join("m.safetensors.checkpoint").exists());

    let model = ["-m", "m.safetensors"];
    let near = ["embed", "near", "上涨", "--role", "state", "--json"];
    let near = json_lines(&printed(path, &[&near[..], &model].concat()));
    assert_valid("near", &near);
    assert!(near[0]["phrase"].is_string() && near[0]["phrase"] != "上涨");

    let impacts = [&["embed", "impacts", "news.jsonl"], &model[..]].concat();
    let files = [
        "-o",
        "i.safetensors",
        "--plot",
        "view.svg",
        "--plot-cores",
        "cores.svg",
    ];
    printed(path, &[&impacts[..], &files].concat());
    assert!(
        std::fs::read_to_string(path.join("cores.svg"))
            .unwrap()
            .contains("金价")
    );
    let lines = json_lines(&printed(path, &impacts));
    assert_valid("impact", &lines);
    assert_eq!(lines[1]["doc"], "t1");
    assert_eq!(lines[1]["impact"].as_array().map(Vec::len), Some(96));
    assert_eq!(lines[1]["origins"]["unknown"], 0);

    // Every 24th text has the same sentences.
    let pairs = printed(
        path,
        &[
            "embed",
            "pairs",
            "i.safetensors",
            "--epsilon",
            "0.001",
            "--json",
        ],
    );
    assert!(pairs.lines().count() > 10);
    assert_valid("pair", &json_lines(&pairs));
    let clusters = printed(
        path,
        &["cluster", "i.safetensors", "--size", "20", "--json"],
    );
    assert_eq!(json_lines(&clusters).len(), 3);
    assert_valid("cluster", &json_lines(&clusters));
    let from_texts = [
        &["cluster", "news.jsonl", "--size", "20", "--json"],
        &model[..],
    ]
    .concat();
    assert_eq!(printed(path, &from_texts), clusters);

    let check = [
        "embed",
        "check",
        "news.jsonl",
        "--json",
        "--plot",
        "topics.svg",
    ];
    let check = json_lines(&printed(path, &[&check[..], &model].concat()));
    assert_valid("topic-check", &check);
    let recall = |pairs: &str| check[0][pairs]["recall"].as_f64().unwrap_or_default();
    assert!(recall("close") > 1.5 * recall("random"), "{check:?}");
}

#[test]
fn a_killed_training_goes_on_and_ends_with_the_same_bytes() {
    let folder = folder_with_corpus(90);
    let path = folder.path();
    let long = [
        "--epochs",
        "80",
        "--patience",
        "0",
        "--checkpoint-every",
        "0",
    ];
    let long = [&TRAIN[..], &long].concat();
    printed(path, &long);
    let model = path.join("m.safetensors");
    let whole = std::fs::read(&model).unwrap();
    std::fs::remove_file(&model).unwrap();

    let mut silent = command(path, &long);
    silent.stdout(Stdio::null()).stderr(Stdio::null());
    let mut child = silent.spawn().unwrap();
    let checkpoint = path.join("m.safetensors.checkpoint");
    let start = Instant::now();
    while !checkpoint.exists() && start.elapsed() < Duration::from_secs(120) {
        std::thread::sleep(Duration::from_millis(2));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(
        checkpoint.exists() && !model.exists(),
        "it was killed in the middle"
    );

    let (code, _, errors) = arsg(path, &[&long[..], &["--seed", "2"]].concat());
    assert_eq!(code, Some(3));
    assert!(
        errors.contains("E005") && errors.contains("--restart"),
        "{errors}"
    );

    let (_, _, notes) = arsg(path, &long);
    assert!(notes.contains("going on behind epoch"), "{notes}");
    assert!(std::fs::read(&model).unwrap() == whole);
    assert!(!checkpoint.exists());
}

#[test]
fn files_that_are_no_models_are_refused_with_a_reason() {
    let folder = folder_with_corpus(30);
    let path = folder.path();
    printed(path, &[&TRAIN[..], &["--epochs", "1"]].concat());
    let model = std::fs::read(path.join("m.safetensors")).unwrap();
    std::fs::write(path.join("cut.safetensors"), &model[..model.len() / 2]).unwrap();
    let mut flipped = model.clone();
    let last = flipped.len() - 9;
    flipped[last] ^= 64;
    std::fs::write(path.join("flipped.safetensors"), flipped).unwrap();
    let near = |phrase, file| arsg(path, &["embed", "near", phrase, "-m", file]);
    for (file, code, word) in [
        ("cut.safetensors", "E002", "cut short"),
        ("flipped.safetensors", "E001", "checksum"),
        ("news.jsonl", "E003", "no model"),
    ] {
        let (status, _, errors) = near("上涨", file);
        assert_eq!(status, Some(3), "{errors}");
        assert!(errors.contains(code) && errors.contains(word), "{errors}");
    }
    assert_eq!(near("上涨", "none.safetensors").0, Some(1));
    let (unknown, _, errors) = near("龘靐齉", "m.safetensors");
    assert_eq!(unknown, Some(1), "{errors}");
    let (texts, _, errors) = arsg(path, &["cluster", "news.jsonl"]);
    assert_eq!(texts, Some(2), "{errors}");
}
