//! `arsg learn` as a person meets it: with gold trees, with people, stopped, killed, added to.

use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use serde_json::Value;

use crate::fixtures::content;
use crate::run::{arsg, command, json_lines, succeed};

/// Made-up texts with their trees, and a small model.
fn texts(folder: &Path, count: &str) {
    let generate = [
        "generate",
        "-n",
        count,
        "--seed",
        "5",
        "--out",
        "texts.jsonl",
        "--trees",
        "trees.jsonl",
    ];
    succeed(folder, &generate);
    let train = [
        "embed",
        "train",
        "texts.jsonl",
        "-o",
        "m.safetensors",
        "--width",
        "8",
        "--epochs",
        "2",
        "--schema",
        "finance",
    ];
    succeed(folder, &train);
}

const BEGIN: [&str; 8] = [
    "learn",
    "project",
    "--corpus",
    "texts.jsonl",
    "--model",
    "m.safetensors",
    "--limit",
    "10%",
];

fn read(folder: &Path, name: &str) -> String {
    std::fs::read_to_string(folder.join(name)).unwrap()
}

fn rows(folder: &Path) -> Vec<Value> {
    json_lines(&read(folder, "project/rounds.jsonl"))
}

/// The rules of a grammar, each with its reason, in the order of their texts.
fn statements(grammar: &str) -> Vec<String> {
    let (_, rules) = grammar.split_once("\n\n").unwrap();
    let mut all: Vec<String> = Vec::new();
    for line in rules.lines().filter(|line| !line.is_empty()) {
        match all.last_mut() {
            Some(last) if line.starts_with(' ') => last.push_str(line),
            _ => all.push(line.to_owned()),
        }
    }
    all.sort();
    all
}

#[test]
fn gold_trees_teach_a_grammar_that_merges_from_its_pieces() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    texts(path, "120");
    let (out, note) = succeed(
        path,
        &[&BEGIN[..], &["--gold", "trees.jsonl", "--k", "2"]].concat(),
    );
    assert!(
        out.starts_with("round") && note.contains("the grammar: project"),
        "{out}{note}"
    );
    let rows = rows(path);
    let last = rows.last().unwrap();
    assert_eq!(last["human"], 12);
    assert!(last["labelled"].as_u64().unwrap() >= 108, "{last}");
    // Enhancement adds no rules: where nobody labels, sizes stay.
    for pair in rows.windows(2).filter(|pair| pair[1]["far"] == 0) {
        assert_eq!(pair[0]["productions"], pair[1]["productions"]);
        assert_eq!(pair[0]["precedences"], pair[1]["precedences"]);
    }
    succeed(path, &["check", "project/grammar.arsg"]);
    let pieces = std::fs::read_dir(path.join("project/pieces")).unwrap();
    let mut pieces: Vec<String> = pieces
        .map(|piece| format!("project/pieces/{}", piece.unwrap().file_name().display()))
        .collect();
    pieces.sort();
    assert!(
        pieces.len() >= 3 && pieces[0].ends_with("0000-initial.arsg"),
        "{pieces:?}"
    );
    let merge: Vec<&str> = ["merge"]
        .into_iter()
        .chain(pieces.iter().map(String::as_str))
        .chain(["-o", "merged.arsg"])
        .collect();
    succeed(path, &merge);
    assert_eq!(
        statements(&read(path, "merged.arsg")),
        statements(&read(path, "project/grammar.arsg"))
    );
    assert!(read(path, "project/labels.svg").contains("<svg"));
    assert!(path.join("project/rounds/0000.svg").exists());
    // Asked again, there is nothing to do, and nothing changes.
    let before = content(&path.join("project"));
    succeed(path, &["learn", "project"]);
    assert!(before == content(&path.join("project")));
}

#[test]
fn people_are_told_what_to_label_and_the_loop_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    texts(path, "40");
    let (_, note) = succeed(path, &BEGIN);
    assert!(note.contains("3 texts wait for labels"), "{note}");
    let command = note
        .lines()
        .find(|line| line.trim().starts_with("arsg annotate"))
        .unwrap();
    assert_eq!(command.trim(), "arsg annotate project");
    // Somebody does as told: here the gold trees do, with the same command.
    let mut annotate: Vec<&str> = command.split_whitespace().skip(1).collect();
    annotate.extend(["--gold", "trees.jsonl"]);
    succeed(path, &annotate);
    let (_, note) = succeed(path, &["learn", "project"]);
    assert!(note.contains("1 text waits for its label"), "{note}");
    succeed(path, &annotate);
    // The rest comes from gold trees: the annotator may change between rounds.
    let (_, note) = succeed(path, &["learn", "project", "--gold", "trees.jsonl"]);
    assert!(note.contains("as many texts as the limit says"), "{note}");
    assert!(rows(path).last().unwrap()["labelled"].as_u64().unwrap() >= 36);
}

#[test]
fn texts_join_later_and_rounds_are_taken_back() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    texts(path, "60");
    let all = read(path, "texts.jsonl");
    let lines: Vec<&str> = all.lines().collect();
    std::fs::write(path.join("texts.jsonl"), lines[..40].join("\n") + "\n").unwrap();
    std::fs::write(path.join("more.jsonl"), lines[40..].join("\n") + "\n").unwrap();
    succeed(path, &[&BEGIN[..], &["--gold", "trees.jsonl"]].concat());
    let first = read(path, "project/grammar.arsg");
    let rounds = rows(path).len();
    succeed(path, &["learn", "project", "--add", "more.jsonl"]);
    let last = rows(path).last().unwrap().clone();
    assert_eq!(
        last["labelled"].as_u64().unwrap() + last["unlabelled"].as_u64().unwrap(),
        60
    );
    assert_eq!(last["human"], 6);
    assert_ne!(first, read(path, "project/grammar.arsg"));
    // Texts that are there already are passed over, so that adding can be done again.
    succeed(path, &["learn", "project", "--add", "more.jsonl"]);
    let grown = read(path, "project/grammar.arsg");
    let (_, note) = succeed(
        path,
        &["learn", "project", "--roll-back", &rounds.to_string()],
    );
    assert!(note.contains("taken back"), "{note}");
    assert_eq!(first, read(path, "project/grammar.arsg"));
    succeed(path, &["learn", "project"]);
    assert_eq!(grown, read(path, "project/grammar.arsg"));
}

#[test]
fn weights_are_refitted() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    texts(path, "30");
    let more = [
        "--gold",
        "trees.jsonl",
        "--decide",
        "weights",
        "--limit",
        "6",
        "--reach",
        "60%",
    ];
    succeed(path, &[&BEGIN[..6], &more].concat());
    let grammar = read(path, "project/grammar.arsg");
    let decides = |line: &str| line.starts_with("decide") && line.ends_with("weights");
    assert!(grammar.lines().any(decides), "{grammar}");
    succeed(
        path,
        &[
            "parse",
            "texts.jsonl",
            "--grammar",
            "project/grammar.arsg",
            "-o",
            "p.json",
        ],
    );
}

#[test]
fn a_project_has_one_worker_and_a_beginning() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    let (code, _, error) = arsg(path, &["learn", "project"]);
    assert_eq!(code, Some(2));
    assert!(error.contains("arsg embed train"), "{error}");
    texts(path, "30");
    succeed(path, &[&BEGIN[..], &["--gold", "trees.jsonl"]].concat());
    let lock = std::fs::File::create(path.join("project/.lock")).unwrap();
    lock.lock().unwrap();
    let (code, _, error) = arsg(path, &["learn", "project"]);
    assert_eq!(code, Some(1));
    assert!(error.contains("another process"), "{error}");
}

#[test]
fn killed_at_any_moment_it_ends_with_the_same_bytes() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    texts(path, "80");
    let begin = |project: &str| {
        let mut arguments: Vec<String> = BEGIN.iter().map(|s| (*s).to_owned()).collect();
        arguments[1] = project.to_owned();
        arguments.extend(["--gold", "trees.jsonl", "--k", "1"].map(str::to_owned));
        let mut command = command(path, &[]);
        command.args(arguments);
        command.stdout(Stdio::null()).stderr(Stdio::null());
        command
    };
    assert!(begin("whole").status().unwrap().success());
    let mut random = ChaCha8Rng::seed_from_u64(2);
    let mut kills = 0;
    for attempt in 0..40 {
        let mut child = begin("killed").spawn().unwrap();
        let most = 200 + 150 * attempt;
        std::thread::sleep(Duration::from_millis(random.random_range(20..most)));
        let is_over = child.try_wait().unwrap().is_some();
        child.kill().unwrap();
        child.wait().unwrap();
        if is_over {
            break;
        }
        kills += 1;
    }
    assert!(kills > 2, "killed {kills} times");
    assert!(begin("killed").status().unwrap().success());
    let (whole, killed) = (content(&path.join("whole")), content(&path.join("killed")));
    let names: Vec<&String> = whole.keys().collect();
    assert_eq!(names, killed.keys().collect::<Vec<_>>());
    for (name, bytes) in &whole {
        assert!(*bytes == killed[name], "{name} differs");
    }
}

#[test]
fn regression_cases_are_gold_and_rules_written_by_hand_stay() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    let demo = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/demo");
    let small = ["--width", "8", "--epochs", "2", "--schema", "finance"];
    let train = ["embed", "train", demo, "-o", "m.safetensors"];
    succeed(path, &[&train[..], &small].concat());
    let own = "grammar  own\nschema   \"finance\"\n\nrule my-cause\n  _[causal-cause] <- _:S _:N  x 3\n  when \
               A.cue = because\n";
    std::fs::write(path.join("own.arsg"), own).unwrap();
    let begin = [
        "learn",
        "project",
        "--corpus",
        demo,
        "--model",
        "m.safetensors",
    ];
    let more = ["--gold", demo, "--limit", "2", "--written", "own.arsg"];
    succeed(path, &[&begin[..], &more].concat());
    let last = rows(path).last().unwrap().clone();
    assert_eq!(last["human"], 2);
    assert!(last["labelled"].as_u64().unwrap() >= 60, "{last}");
    let written = |file: &str| read(path, file).contains("rule my-cause\n");
    assert!(written("project/grammar.arsg") && written("project/pieces/written.arsg"));
    assert!(!written("project/pieces/0000-initial.arsg"));
}

/// Adding that was killed behind the corpus can be done again.
#[test]
fn texts_that_are_there_already_are_passed_over() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    texts(root, "30");
    succeed(root, &BEGIN);
    let more = "{\"id\":\"new\",\"text\":\"国际油价下跌。\"}\n";
    std::fs::write(root.join("more.jsonl"), more).unwrap();
    let add = ["learn", "project", "--add", "more.jsonl"];
    succeed(root, &add);
    let corpus = read(root, "project/corpus.jsonl");
    succeed(root, &add);
    assert_eq!(read(root, "project/corpus.jsonl"), corpus);
    std::fs::write(root.join("more.jsonl"), more.replace("下跌", "上涨")).unwrap();
    let (code, _, notes) = arsg(root, &add);
    assert_eq!(code, Some(1), "{notes}");
    assert!(notes.contains("another text `new`"), "{notes}");
    assert_eq!(read(root, "project/corpus.jsonl"), corpus);
}
