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

/// The lines of a Markdown page that are indented by four spaces, or stand in a fence of `sh`.
pub(crate) fn commands(page: &str) -> Vec<String> {
    let mut lines = Vec::new();
    let mut fence: Option<bool> = None;
    for line in page.lines() {
        match (line.strip_prefix("```"), fence) {
            (Some(_), Some(_)) => fence = None,
            (Some(language), None) => fence = Some(language == "sh"),
            (None, Some(true)) => lines.push(line.to_owned()),
            (None, Some(false)) => {}
            (None, None) => lines.extend(line.strip_prefix("    ").map(str::to_owned)),
        }
    }
    lines.retain(|line| !line.trim().is_empty() && !line.starts_with('#'));
    lines
}

/// Runs lines one after the other; all must go through.
pub(crate) fn run_all(lines: &[String], folder: &Path) {
    for line in lines {
        let output = run(line, folder);
        assert!(output.status.success(), "`{line}`\n{}", said(&output));
    }
}
