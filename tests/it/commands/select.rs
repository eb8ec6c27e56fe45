//! `arsg select` as a person meets it.

use serde_json::Value;

use crate::golden;
use crate::run::{arsg, json_lines, printed, succeed};

/// Texts about gold and about banks, and one about nothing at all.
fn folder_with_model() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let sentences = [
        [
            "国际金价上涨2.1%。",
            "白银价格大涨。",
            "金价走高。",
            "昨日金价回落。",
        ],
        [
            "央行下调存款利率。",
            "工商银行净利润增长5%。",
            "建设银行不良贷款下降。",
            "银行业收入增加。",
        ],
    ];
    let mut lines = String::from("{\"id\":\"空\",\"text\":\"啊。\"}\n");
    for text in 0..40_usize {
        let topic = &sentences[text % 2];
        let body: String = (0..1 + text % 5)
            .map(|at| topic[(text / 2 + at) % 4])
            .collect();
        lines.push_str(&format!(
            "{}\n",
            serde_json::json!({"id": format!("文{text}"), "text": body})
        ));
    }
    std::fs::write(folder.path().join("news.jsonl"), lines).unwrap();
    let train = [
        "embed",
        "train",
        "news.jsonl",
        "-o",
        "m.safetensors",
        "--width",
        "12",
        "--epochs",
        "4",
    ];
    printed(folder.path(), &train);
    folder
}

#[test]
fn representatives_come_with_cube_divergence_and_reason() {
    let folder = folder_with_model();
    let path = folder.path();
    let select = ["select", "news.jsonl", "-m", "m.safetensors"];
    let (list, notes) = succeed(path, &select);
    let first = list.lines().next().unwrap_or_default();
    assert!(
        first.starts_with('文') && first.contains("  cube ") && first.contains("by divergence"),
        "{first}"
    );
    assert!(notes.contains("of 41 texts, from "), "{notes}");

    let machine = json_lines(&printed(path, &[&select[..], &["--json"]].concat()));
    assert_eq!(machine.len(), list.lines().count());
    let generated = &arsg::select::json_schemas()[0].1;
    let validator = golden::json_schema("choice", generated);
    for line in &machine {
        assert!(validator.is_valid(line), "{line}");
    }
    assert!(
        machine
            .iter()
            .any(|choice| choice["divergence"].as_f64() > Some(0.0))
    );
}

#[test]
fn strategies_grids_and_counts_can_be_asked_for() {
    let folder = folder_with_model();
    let path = folder.path();
    let select = |more: &[&str]| -> Vec<Value> {
        let arguments = [
            &["select", "news.jsonl", "-m", "m.safetensors", "--json"],
            more,
        ]
        .concat();
        json_lines(&printed(path, &arguments))
    };
    let cubes = select(&["--q", "2"]);
    let random = select(&["--q", "2", "--strategy", "random"]);
    assert_eq!(cubes.len(), random.len(), "as many as cubes would give");
    assert_ne!(
        random,
        select(&["--q", "2", "--strategy", "random", "--seed", "2"])
    );
    assert_eq!(select(&["--strategy", "percentage", "--q", "1"]).len(), 41);
    let far = select(&["--strategy", "farthest", "--count", "5"]);
    let distances: Vec<f64> = far
        .iter()
        .filter_map(|choice| choice["distance"].as_f64())
        .collect();
    assert_eq!((far.len(), distances.len()), (5, 4));
    assert!(distances.is_sorted_by(|a, b| a >= b), "{distances:?}");
    let full = select(&["--grid", "full", "--count", "3"]);
    assert_eq!(full[0]["coordinates"].as_array().map(Vec::len), Some(48));
    let axes = select(&["--axes", "2", "--divide", "1,2,3,4"]);
    assert_eq!(axes[0]["coordinates"].as_array().map(Vec::len), Some(8));

    for (wrong, message) in [
        (&["--divide", "1,2"][..], "is no division"),
        (&["--divide", "0"], "is no division"),
        (&["--axes", "0"], "1 to 1000"),
        (&["--q", "0"], "invalid value"),
        (&["--strategy", "best"], "possible values"),
    ] {
        let arguments = [&["select", "news.jsonl", "-m", "m.safetensors"], wrong].concat();
        let (code, _, errors) = arsg(path, &arguments);
        assert_eq!(code, Some(2), "{wrong:?}: {errors}");
        assert!(errors.contains(message), "{errors}");
    }
}
