//! A disk that refuses, at every call that changes it: the old state or the new one, never half, and a
//! clear message. Kills and power cuts at the same calls. Two processes at once.
//!
//! Debug builds carry the faults: `src/files/faults.rs`.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use arsg::behavior::read_label;
use tempfile::TempDir;

use crate::fixtures::{content, project};
use crate::run::{command, said, succeed};

/// Errors that stop a command, in turn; `EINTR` stops none.
const ERRORS: [&str; 4] = ["ENOSPC", "EIO", "EACCES", "EINTR"];

/// Runs a command whose nth change of the disk meets a fault; true when there were so many.
fn run_with(folder: &Path, arguments: &[&str], stdin: &str, plan: &str) -> (Output, bool) {
    let log = folder.with_extension("log");
    let _ = fs::remove_file(&log);
    let script = folder.with_extension("in");
    fs::write(&script, stdin).unwrap();
    let mut process: Command = command(folder, arguments);
    process.env("ARSG_FAULT", plan).env("ARSG_FAULT_LOG", &log);
    let output = process
        .stdin(fs::File::open(&script).unwrap())
        .output()
        .unwrap();
    (output, log.exists())
}

/// A folder as the command finds it.
struct Scene {
    start: Box<dyn Fn() -> TempDir>,
    arguments: Vec<&'static str>,
    stdin: &'static str,
    /// Files of which parts may stand: journals and folders of many files.
    grows: fn(&str) -> bool,
    /// Every how many calls are tried.
    stride: usize,
}

/// A scene that is begun once and copied.
fn copied(begin: impl Fn(&Path)) -> Box<dyn Fn() -> TempDir> {
    let first = tempfile::tempdir().unwrap();
    begin(first.path());
    Box::new(move || {
        let copy = tempfile::tempdir().unwrap();
        for (name, bytes) in content(first.path()) {
            let path = copy.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, bytes).unwrap();
        }
        copy
    })
}

/// What lies in a folder but for locks, which say nothing.
fn state(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut files = content(folder);
    files.retain(|name, _| !name.ends_with(".lock"));
    files
}

/// Tries every call with every kind of fault in turn; how many calls there were.
fn try_all_calls(scene: &Scene) -> usize {
    let (old, new) = {
        let folder = (scene.start)();
        let old = state(folder.path());
        let (output, _) = run_with(folder.path(), &scene.arguments, scene.stdin, "0:KILL");
        assert!(output.status.success(), "{}", said(&output));
        (old, state(folder.path()))
    };
    let mut call = 1;
    loop {
        let kinds = [ERRORS[call % ERRORS.len()], "KILL", "POWER"];
        let mut any_met = false;
        for kind in kinds {
            let folder = (scene.start)();
            let plan = format!("{call}:{kind}");
            let (output, met) = run_with(folder.path(), &scene.arguments, scene.stdin, &plan);
            if !met {
                break;
            }
            any_met = true;
            let context = format!("{:?} {plan}: {}", scene.arguments, said(&output));
            check_output(kind, &output, &context);
            check_state(&old, &new, folder.path(), scene.grows, &context);
            // Doing it again ends where it would have ended.
            let (again, _) = run_with(folder.path(), &scene.arguments, scene.stdin, "0:KILL");
            assert!(again.status.success(), "{context}\nagain: {}", said(&again));
            for name in new.keys().filter(|name| ends_alike(name, scene.grows)) {
                let found = fs::read(folder.path().join(name)).ok();
                assert!(
                    found.as_ref() == new.get(name),
                    "{context}\n`{name}` ends otherwise"
                );
            }
        }
        if !any_met {
            return call - 1;
        }
        call += scene.stride;
    }
}

/// True for files that hold the same whenever the work is done; settings hold paths of the folder.
fn ends_alike(name: &str, grows: fn(&str) -> bool) -> bool {
    !grows(name) || name.ends_with("rounds.jsonl") || name.ends_with("grammar.arsg")
}

fn check_output(kind: &str, output: &Output, context: &str) {
    match kind {
        "EINTR" => assert!(output.status.success(), "{context}"),
        "KILL" | "POWER" => assert_eq!(output.status.code(), None, "{context}"),
        // Tidying up may fail without harm; then the command has done its work.
        _ if output.status.success() => {}
        _ => {
            assert_eq!(output.status.code(), Some(1), "{context}");
            let reasons = ["no space left", "permission denied", "nput/output error"];
            assert!(
                reasons.iter().any(|reason| context.contains(reason)),
                "{context}"
            );
            assert!(context.contains("cannot write `"), "{context}");
        }
    }
}

/// Every file is as it was before or as it is after; what grows is a beginning of what it will be.
fn check_state(
    old: &BTreeMap<String, Vec<u8>>,
    new: &BTreeMap<String, Vec<u8>>,
    folder: &Path,
    grows: fn(&str) -> bool,
    context: &str,
) {
    for (name, found) in state(folder) {
        let [before, after] = [old, new].map(|state| state.get(&name));
        let is_whole = Some(&found) == before || Some(&found) == after;
        assert!(
            is_whole || grows(&name),
            "{context}\n`{name}` is neither old nor new: {}",
            String::from_utf8_lossy(&found)
        );
    }
    for name in old.keys().filter(|name| new.contains_key(*name)) {
        assert!(folder.join(name).exists(), "{context}\n`{name}` is gone");
    }
}

fn nothing(_: &str) -> bool {
    false
}

#[test]
fn fmt_writes_whole_files() {
    let start = copied(|folder| {
        fs::write(
            folder.join("a.arsg"),
            "grammar a\n\n\nschema   \"finance\"\n",
        )
        .unwrap();
        fs::write(
            folder.join("b.arsg"),
            "grammar b\n\n\nschema   \"finance\"\n",
        )
        .unwrap();
    });
    let calls = try_all_calls(&Scene {
        start,
        arguments: vec!["fmt", "-w", "a.arsg", "b.arsg"],
        stdin: "",
        grows: nothing,
        stride: 1,
    });
    assert!(calls >= 10, "{calls}");
}

#[test]
fn updates_of_cases_are_whole() {
    let first = project();
    let cases = fs::read_to_string(first.path().join("cases/causes.case")).unwrap();
    let start = copied(move |folder| {
        let changed = cases.replacen(" SN ", " NS ", 1);
        assert_ne!(changed, cases);
        fs::write(folder.join("a.case"), changed).unwrap();
    });
    let calls = try_all_calls(&Scene {
        start,
        arguments: vec!["test", "-u", "a.case", "--grammar", "finance"],
        stdin: "",
        grows: nothing,
        stride: 1,
    });
    assert!(calls >= 5, "{calls}");
}

#[test]
fn labels_grow_by_whole_actions() {
    let start = copied(|folder| {
        let text = r#"{"id": "b", "text": "因为下雨，比赛取消了。"}"#;
        fs::write(folder.join("news.jsonl"), text).unwrap();
    });
    let grows = |name: &str| name.ends_with(".label");
    let scene = Scene {
        start,
        arguments: vec![
            "annotate",
            "news.jsonl",
            "--plain",
            "--grammar",
            "finance",
            "--annotator",
            "甲",
        ],
        stdin: "shift\nshift\nreduce causal-cause SN\nquit\n",
        grows,
        stride: 1,
    };
    // Labels hold the time that was spent, so bytes differ from run to run: what stands is looked at
    // action by action.
    let mut call = 1;
    loop {
        let mut any_met = false;
        for kind in ["ENOSPC", "EIO", "KILL", "POWER"] {
            let folder = (scene.start)();
            let plan = format!("{call}:{kind}");
            let (output, met) = run_with(folder.path(), &scene.arguments, scene.stdin, &plan);
            any_met |= met;
            let path = folder.path().join("labels/b.label");
            if !met || !path.exists() {
                continue;
            }
            let context = format!("{plan}: {}", said(&output));
            let bytes = fs::read(&path).unwrap();
            assert!(bytes.is_empty() || bytes.ends_with(b"\n"), "{context}");
            if !bytes.is_empty() {
                let label = read_label(&path).unwrap().into_result();
                assert!(label.is_ok(), "{context}: {label:?}");
            }
            let (again, _) = run_with(folder.path(), &scene.arguments, "quit\n", "0:KILL");
            assert!(again.status.success(), "{context}\nagain: {}", said(&again));
        }
        if !any_met {
            break;
        }
        call += 1;
    }
    assert!(call > 8, "{call}");
}

#[test]
fn labels_by_programs_are_whole() {
    let start = copied(|folder| {
        let text = "{\"id\": \"a\", \"text\": \"股价上涨。\"}\n{\"id\": \"b\", \"text\": \"因为下雨，比赛取消了。\"}\n";
        fs::write(folder.join("news.jsonl"), text).unwrap();
    });
    let calls = try_all_calls(&Scene {
        start,
        arguments: vec![
            "annotate",
            "news.jsonl",
            "--automatic",
            "--grammar",
            "finance",
        ],
        stdin: "",
        grows: nothing,
        stride: 1,
    });
    assert!(calls >= 10, "{calls}");
}

#[test]
fn learned_grammars_are_whole() {
    let first = project();
    let start = copied(move |folder| {
        for (name, bytes) in content(first.path()) {
            let path = folder.join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, bytes).unwrap();
        }
        fs::write(folder.join("mine.arsg"), "旧").unwrap();
    });
    let calls = try_all_calls(&Scene {
        start,
        arguments: vec!["induce", "trees", "--decide", "counts", "-o", "mine.arsg"],
        stdin: "",
        grows: nothing,
        stride: 5,
    });
    assert!(calls >= 5, "{calls}");
}

/// Some texts with gold trees and a model.
fn learning(folder: &Path) {
    let generate = "generate -n 12 --seed 5 --out texts.jsonl --trees trees.jsonl";
    succeed(folder, &generate.split(' ').collect::<Vec<_>>());
    succeed(folder, &TRAIN);
}

const TRAIN: [&str; 11] = [
    "embed",
    "train",
    "texts.jsonl",
    "-o",
    "m.safetensors",
    "--width",
    "4",
    "--epochs",
    "2",
    "--checkpoint-every",
    "0",
];

#[test]
fn models_are_whole() {
    let start = copied(|folder| {
        learning(folder);
        fs::write(folder.join("m.safetensors"), "旧").unwrap();
    });
    let calls = try_all_calls(&Scene {
        start,
        arguments: TRAIN.to_vec(),
        stdin: "",
        grows: |name| name.ends_with(".checkpoint"),
        stride: 1,
    });
    assert!(calls >= 10, "{calls}");
}

#[test]
fn rounds_survive_whatever_happens() {
    let start = copied(learning);
    let calls = try_all_calls(&Scene {
        start,
        arguments: vec![
            "learn",
            "p",
            "--corpus",
            "texts.jsonl",
            "--model",
            "m.safetensors",
            "--limit",
            "30%",
            "--gold",
            "trees.jsonl",
            "--schema",
            "finance",
        ],
        stdin: "",
        // Files of the loop are replaced as it goes on; each is whole, and doing it again ends alike.
        grows: |name| name.starts_with("p/"),
        // Every call would take minutes.
        stride: 13,
    });
    assert!(calls >= 30, "{calls}");
}

/// Starts two processes at once; their outputs.
fn both(folder: &Path, arguments: &[&str]) -> [Output; 2] {
    let start = || {
        let mut process = command(folder, arguments);
        process
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        process.spawn().unwrap()
    };
    [start(), start()].map(|process| process.wait_with_output().unwrap())
}

/// Commands that write, and where.
const WRITERS: [(&str, &str); 6] = [
    ("fmt -w grammars", "grammars/finance.arsg"),
    ("test -u", "cases/causes.case"),
    ("induce trees --decide counts -o mine.arsg", "mine.arsg"),
    ("annotate --automatic corpus/news.jsonl --labels own", "own"),
    (
        "embed train corpus -o m.safetensors --width 4 --epochs 3",
        "m.safetensors",
    ),
    (
        "learn p --corpus corpus --model m.safetensors --limit 2",
        "p",
    ),
];

/// A file, or all files of a folder.
fn result(path: &Path) -> BTreeMap<String, Vec<u8>> {
    if path.is_dir() {
        return state(path);
    }
    BTreeMap::from([(String::new(), fs::read(path).unwrap())])
}

#[test]
fn two_processes_never_mix() {
    let [ours, alone] = [project(), project()];
    for (line, written) in WRITERS {
        let arguments: Vec<&str> = line.split(' ').collect();
        succeed(alone.path(), &arguments);
        let outputs = both(ours.path(), &arguments);
        assert!(
            outputs.iter().any(|output| output.status.success()),
            "{line}"
        );
        for output in outputs {
            let told = said(&output);
            let busy = [
                "another process is working",
                "somebody is working",
                "was begun by",
            ];
            let is_refused = busy.iter().any(|part| told.contains(part));
            let exists = told.contains("is there already");
            assert!(
                output.status.success() || is_refused || exists,
                "{line}: {told}"
            );
        }
        let [together, alone] = [&ours, &alone].map(|folder| result(&folder.path().join(written)));
        assert!(together == alone, "{line} differs when two do it");
    }
}

#[test]
fn what_a_killed_process_left_is_swept() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(
        folder.path().join("a.arsg"),
        "grammar a\n\n\nschema   \"finance\"\n",
    )
    .unwrap();
    let old = folder.path().join(".arsg-0123456789ab");
    fs::File::create(&old).unwrap();
    let hours = std::time::SystemTime::now() - std::time::Duration::from_secs(7200);
    fs::File::options()
        .write(true)
        .open(&old)
        .unwrap()
        .set_modified(hours)
        .unwrap();
    fs::write(folder.path().join(".arsg-0123456789cd"), "young").unwrap();
    succeed(folder.path(), &["fmt", "-w", "a.arsg"]);
    assert!(!old.exists());
    assert!(folder.path().join(".arsg-0123456789cd").exists());
}
