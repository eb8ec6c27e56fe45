//! Commands as people find them in pages and helps, run as printed.

#![allow(
    dead_code,
    clippy::unwrap_used,
    reason = "a test fails by panicking; no test uses all"
)]

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// The folder of the binary under test.
pub(crate) fn binaries() -> PathBuf {
    let binary = PathBuf::from(env!("CARGO_BIN_EXE_arsg"));
    binary.parent().unwrap().to_owned()
}

/// Runs a line in a folder, with `arsg` on the path, nothing on stdin and no colours.
pub(crate) fn run(line: &str, folder: &Path) -> Output {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let folders = std::iter::once(binaries()).chain(std::env::split_paths(&path));
    Command::new("sh")
        .args(["-c", line])
        .current_dir(folder)
        .env("PATH", std::env::join_paths(folders).unwrap())
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .env("GIT_CEILING_DIRECTORIES", folder.parent().unwrap_or(folder))
        .stdin(Stdio::null())
        .output()
        .unwrap()
}

/// What a run said, for messages.
pub(crate) fn said(output: &Output) -> String {
    let out = String::from_utf8_lossy(&output.stdout);
    let err = String::from_utf8_lossy(&output.stderr);
    format!("{out}{err}")
}

/// The lines of a Markdown page that are indented by four spaces.
pub(crate) fn commands(page: &str) -> Vec<String> {
    let lines = page.lines().filter_map(|line| line.strip_prefix("    "));
    let lines = lines.filter(|line| !line.trim().is_empty() && !line.starts_with('#'));
    lines.map(str::to_owned).collect()
}

/// Runs lines one after the other; all must go through.
pub(crate) fn run_all(lines: &[String], folder: &Path) {
    for line in lines {
        let output = run(line, folder);
        assert!(output.status.success(), "`{line}`\n{}", said(&output));
    }
}

/// Walks a Markdown page: does what its fences say, one after the other. `sh` is run and must go
/// through, `sh fails` must not; `case FILE` and `arsg FILE` are added to the end of a file, with
/// `instead` in the place of what was added before. How many fences were run.
pub(crate) fn walk(page: &str, folder: &Path) -> usize {
    let mut folder = folder.to_owned();
    let (mut added, mut ran) = (String::new(), 0);
    for (words, text) in fences(page) {
        match words
            .iter()
            .map(String::as_str)
            .collect::<Vec<_>>()
            .as_slice()
        {
            ["sh"] => {
                let output = run(&format!("set -e\n{text}\npwd"), &folder);
                assert!(output.status.success(), "{text}\n{}", said(&output));
                let out = String::from_utf8_lossy(&output.stdout).into_owned();
                folder = PathBuf::from(out.lines().next_back().unwrap());
                ran += 1;
            }
            ["sh", "fails"] => {
                let output = run(&text, &folder);
                assert!(!output.status.success(), "{text}\n{}", said(&output));
                ran += 1;
            }
            ["case" | "arsg", file, rest @ ..] => {
                let path = folder.join(file);
                let old = std::fs::read_to_string(&path).unwrap();
                let new = match rest {
                    ["instead"] => old.replace(&added, &text),
                    _ => old + &text,
                };
                std::fs::write(&path, new).unwrap();
                added = text;
            }
            _ => {}
        }
    }
    ran
}

/// The fences of a page: the words behind the opening marks, and the text.
fn fences(page: &str) -> Vec<(Vec<String>, String)> {
    let mut fences = Vec::new();
    let mut open: Option<(Vec<String>, String)> = None;
    for line in page.lines() {
        match (line.strip_prefix("```"), &mut open) {
            (Some(_), Some(_)) => fences.extend(open.take()),
            (Some(words), None) => {
                let words = words.split_whitespace().map(str::to_owned).collect();
                open = Some((words, String::new()));
            }
            (None, Some((_, text))) => {
                text.push_str(line);
                text.push('\n');
            }
            (None, None) => {}
        }
    }
    fences
}
