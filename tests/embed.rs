//! `arsg embed` and `arsg cluster` as a person meets them.

use std::path::Path;
use std::process::{Command, Output};
use std::time::{Duration, Instant};

use serde_json::Value;

type Done = Result<(), Box<dyn std::error::Error>>;

fn command(arguments: &[&str], folder: &Path) -> Command {
    let mut command = Command::new(assert_cmd::cargo::cargo_bin!("arsg"));
    command.args(arguments).current_dir(folder);
    command
}

fn arsg(arguments: &[&str], folder: &Path) -> std::io::Result<(Output, String)> {
    let output = command(arguments, folder).output()?;
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    Ok((output, errors))
}

fn fine(arguments: &[&str], folder: &Path) -> std::io::Result<String> {
    let (output, errors) = arsg(arguments, folder)?;
    assert!(output.status.success(), "{arguments:?}: {errors}");
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

fn json_lines(text: &str) -> serde_json::Result<Vec<Value>> {
    text.lines().map(serde_json::from_str).collect()
}

/// The lines are what the JSON schema of that name says, and the schema file is what the code says;
/// `ARSG_UPDATE=1 cargo test` writes it.
fn assert_valid(name: &str, lines: &[Value]) -> Done {
    let schemas = arsg::embed::json_schemas();
    let found = schemas.iter().find(|(known, _)| *known == name);
    let generated = &found.ok_or("no such schema")?.1;
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("schemas/json");
    let path = folder.join(format!("{name}.schema.json"));
    if std::env::var_os("ARSG_UPDATE").is_some() {
        std::fs::create_dir_all(&folder)?;
        std::fs::write(&path, generated)?;
    }
    let shipped = std::fs::read_to_string(&path).unwrap_or_default();
    assert_eq!(
        &shipped, generated,
        "run `ARSG_UPDATE=1 cargo test` and look at the change"
    );
    let validator = jsonschema::validator_for(&serde_json::from_str(generated)?)?;
    assert!(!lines.is_empty(), "nothing to validate as {name}");
    for line in lines {
        assert!(validator.is_valid(line), "{name}: {line}");
    }
    assert!(!validator.is_valid(&serde_json::json!({"txt": "央行"})));
    Ok(())
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

fn folder_with_corpus(texts: usize) -> std::io::Result<tempfile::TempDir> {
    let folder = tempfile::tempdir()?;
    std::fs::write(folder.path().join("news.jsonl"), corpus(texts))?;
    Ok(folder)
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
fn a_corpus_becomes_a_model_impacts_pairs_and_clusters() -> Done {
    let folder = folder_with_corpus(60)?;
    let path = folder.path();
    let epochs = ["--epochs", "8", "--json", "--plot", "loss.svg"];
    let epochs = json_lines(&fine(&[&TRAIN[..], &epochs].concat(), path)?)?;
    assert!(!epochs.is_empty() && epochs.iter().all(|epoch| epoch["hits_at_10"].is_number()));
    assert_valid("epoch", &epochs)?;
    assert!(std::fs::read_to_string(path.join("loss.svg"))?.contains("held out"));
    assert!(!path.join("m.safetensors.checkpoint").exists());

    let model = ["-m", "m.safetensors"];
    let near = ["embed", "near", "上涨", "--role", "state", "--json"];
    let near = json_lines(&fine(&[&near[..], &model].concat(), path)?)?;
    assert_valid("near", &near)?;
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
    fine(&[&impacts[..], &files].concat(), path)?;
    assert!(std::fs::read_to_string(path.join("cores.svg"))?.contains("金价"));
    let lines = json_lines(&fine(&impacts, path)?)?;
    assert_valid("impact", &lines)?;
    assert_eq!(lines[1]["doc"], "t1");
    assert_eq!(lines[1]["impact"].as_array().map(Vec::len), Some(96));
    assert_eq!(lines[1]["origins"]["unknown"], 0);

    // Every 24th text has the same sentences.
    let pairs = fine(
        &[
            "embed",
            "pairs",
            "i.safetensors",
            "--epsilon",
            "0.001",
            "--json",
        ],
        path,
    )?;
    assert!(pairs.lines().count() > 10);
    assert_valid("pair", &json_lines(&pairs)?)?;
    let clusters = fine(
        &["cluster", "i.safetensors", "--size", "20", "--json"],
        path,
    )?;
    assert_eq!(json_lines(&clusters)?.len(), 3);
    assert_valid("cluster", &json_lines(&clusters)?)?;
    let from_texts = [
        &["cluster", "news.jsonl", "--size", "20", "--json"],
        &model[..],
    ]
    .concat();
    assert_eq!(fine(&from_texts, path)?, clusters);

    let check = [
        "embed",
        "check",
        "news.jsonl",
        "--json",
        "--plot",
        "topics.svg",
    ];
    let check = json_lines(&fine(&[&check[..], &model].concat(), path)?)?;
    assert_valid("topic-check", &check)?;
    let recall = |pairs: &str| check[0][pairs]["recall"].as_f64().unwrap_or_default();
    assert!(recall("close") > 1.5 * recall("random"), "{check:?}");
    Ok(())
}

#[test]
fn a_killed_training_goes_on_and_ends_with_the_same_bytes() -> Done {
    let folder = folder_with_corpus(90)?;
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
    fine(&long, path)?;
    let model = path.join("m.safetensors");
    let whole = std::fs::read(&model)?;
    std::fs::remove_file(&model)?;

    let mut silent = command(&long, path);
    silent
        .stdout(std::process::Stdio::null())
        .stderr(std::process::Stdio::null());
    let mut child = silent.spawn()?;
    let checkpoint = path.join("m.safetensors.checkpoint");
    let start = Instant::now();
    while !checkpoint.exists() && start.elapsed() < Duration::from_secs(120) {
        std::thread::sleep(Duration::from_millis(2));
    }
    child.kill()?;
    child.wait()?;
    assert!(
        checkpoint.exists() && !model.exists(),
        "it was killed in the middle"
    );

    let (other, errors) = arsg(&[&long[..], &["--seed", "2"]].concat(), path)?;
    assert_eq!(other.status.code(), Some(3));
    assert!(
        errors.contains("E005") && errors.contains("--restart"),
        "{errors}"
    );

    let (_, notes) = arsg(&long, path)?;
    assert!(notes.contains("going on behind epoch"), "{notes}");
    assert!(std::fs::read(&model)? == whole);
    assert!(!checkpoint.exists());
    Ok(())
}

#[test]
fn files_that_are_no_models_are_refused_with_a_reason() -> Done {
    let folder = folder_with_corpus(30)?;
    let path = folder.path();
    fine(&[&TRAIN[..], &["--epochs", "1"]].concat(), path)?;
    let model = std::fs::read(path.join("m.safetensors"))?;
    std::fs::write(path.join("cut.safetensors"), &model[..model.len() / 2])?;
    let mut flipped = model.clone();
    let last = flipped.len() - 9;
    flipped[last] ^= 64;
    std::fs::write(path.join("flipped.safetensors"), flipped)?;
    let near = |phrase, file| arsg(&["embed", "near", phrase, "-m", file], path);
    for (file, code, word) in [
        ("cut.safetensors", "E002", "cut short"),
        ("flipped.safetensors", "E001", "checksum"),
        ("news.jsonl", "E003", "no model"),
    ] {
        let (output, errors) = near("上涨", file)?;
        assert_eq!(output.status.code(), Some(3), "{errors}");
        assert!(errors.contains(code) && errors.contains(word), "{errors}");
    }
    assert_eq!(near("上涨", "none.safetensors")?.0.status.code(), Some(1));
    let (unknown, errors) = near("龘靐齉", "m.safetensors")?;
    assert_eq!(unknown.status.code(), Some(1), "{errors}");
    let (texts, errors) = arsg(&["cluster", "news.jsonl"], path)?;
    assert_eq!(texts.status.code(), Some(2), "{errors}");
    Ok(())
}
