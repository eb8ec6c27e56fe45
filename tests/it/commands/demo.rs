//! `arsg demo`: the whole method, told step by step, with a page at the end.

use std::fs;

use crate::run::{run, said};

#[test]
fn every_step_is_told_and_the_page_is_named_last() {
    let folder = tempfile::tempdir().unwrap();
    let output = run("arsg demo --out demo.html", folder.path());
    assert!(output.status.success(), "{}", said(&output));
    let told = String::from_utf8(output.stdout).unwrap();
    for part in [
        "1. Texts are read into EDUs",
        "2. Phrases become vectors",
        "3. Texts become vectors",
        "4. People label representatives first (Algorithm 31)",
        "5. Rounds of picking near and training far",
        "6. The labels become a grammar",
        "7. A text that nobody labelled gets its tree",
        "8. A cluster of texts becomes a summary of ten EDUs",
        "9. The summaries are compared with the baselines",
    ] {
        assert!(told.contains(part), "{part}\n{told}");
    }
    assert_eq!(told.lines().next_back(), Some("demo.html"));
    // Learning pays: it beats the tree that knows nothing by far.
    let spans = |name: &str| -> f64 {
        let line = told.lines().find(|line| line.contains(name)).unwrap();
        let figure = line.split(" S ").nth(1).unwrap().trim_start();
        figure.split_whitespace().next().unwrap().parse().unwrap()
    };
    assert!(spans("learned, the weights decide") > 60.0 + spans("a tree that knows nothing"));
    let methods = ["arsg", "paper", "lead", "textrank", "mmr", "cnnlm"];
    for method in methods {
        let row = format!("   {method:<10} ");
        assert!(told.lines().any(|line| line.starts_with(&row)), "{method}");
    }
    let page = fs::read_to_string(folder.path().join("demo.html")).unwrap();
    assert!(page.matches("<svg").count() >= 5);
    for outside in ["<script", "<link", "src=", "@import", "url(http"] {
        assert!(!page.contains(outside), "{outside}");
    }
}
