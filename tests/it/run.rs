//! Running the binary under test: as a program with arguments, or in lines of a page or help as printed.

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// The binary under test.
const BINARY: &str = env!("CARGO_BIN_EXE_arsg");

/// The binary with arguments in a folder, to be started.
pub(crate) fn command(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(BINARY);
    command.current_dir(folder).args(arguments);
    command
}

/// The binary with arguments in a folder, to be given something on stdin.
pub(crate) fn with_stdin(folder: &Path, arguments: &[&str]) -> assert_cmd::Command {
    assert_cmd::Command::from_std(command(folder, arguments))
}

/// Runs `arsg` in a folder: its exit code, and what it wrote to stdout and to stderr.
pub(crate) fn arsg(folder: &Path, arguments: &[&str]) -> (Option<i32>, String, String) {
    let output = command(folder, arguments).output().unwrap();
    (
        output.status.code(),
        text(&output.stdout),
        text(&output.stderr),
    )
}

/// Runs `arsg` in a folder, which must succeed: what it wrote to stdout and to stderr.
pub(crate) fn succeed(folder: &Path, arguments: &[&str]) -> (String, String) {
    let (code, out, notes) = arsg(folder, arguments);
    assert_eq!(code, Some(0), "{arguments:?}: {notes}");
    (out, notes)
}

/// What a command that must succeed prints.
pub(crate) fn printed(folder: &Path, arguments: &[&str]) -> String {
    succeed(folder, arguments).0
}

/// Bytes as text.
pub(crate) fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// One JSON value a line.
pub(crate) fn json_lines(text: &str) -> Vec<serde_json::Value> {
    let values = text.lines().map(serde_json::from_str);
    values.collect::<Result<_, _>>().unwrap()
}

/// Whether this process runs one test alone. If not, starts one that does and demands that it passes.
pub(crate) fn is_alone(test: &str) -> bool {
    const ALONE: &str = "ARSG_TEST_ALONE";
    if std::env::var_os(ALONE).is_some() {
        return true;
    }
    let mut process = Command::new(std::env::current_exe().unwrap());
    process
        .args(["--exact", test, "--nocapture"])
        .env(ALONE, "1");
    let told = said(&process.output().unwrap());
    assert!(told.contains("1 passed"), "{told}");
    false
}

/// Runs a line in a folder, with `arsg` on the path, nothing on stdin and no colours.
pub(crate) fn run(line: &str, folder: &Path) -> Output {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let beside = Path::new(BINARY).parent().unwrap().to_owned();
    let folders = std::iter::once(beside).chain(std::env::split_paths(&path));
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
    text(&output.stdout) + &text(&output.stderr)
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
    for (words, body) in fences(page) {
        match words
            .iter()
            .map(String::as_str)
            .collect::<Vec<_>>()
            .as_slice()
        {
            ["sh"] => {
                let output = run(&format!("set -e\n{body}\npwd"), &folder);
                assert!(output.status.success(), "{body}\n{}", said(&output));
                folder = PathBuf::from(text(&output.stdout).lines().next_back().unwrap());
                ran += 1;
            }
            ["sh", "fails"] => {
                let output = run(&body, &folder);
                assert!(!output.status.success(), "{body}\n{}", said(&output));
                ran += 1;
            }
            ["case" | "arsg", file, rest @ ..] => {
                let path = folder.join(file);
                let old = std::fs::read_to_string(&path).unwrap();
                let new = match rest {
                    ["instead"] => old.replace(&added, &body),
                    _ => old + &body,
                };
                std::fs::write(&path, new).unwrap();
                added = body;
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
