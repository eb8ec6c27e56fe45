//! Running the binary in a folder.

use std::path::Path;
use std::process::Command;

/// Runs `arsg` in a folder: its exit code, and what it wrote to stdout and to stderr.
pub(crate) fn arsg(folder: &Path, arguments: &[&str]) -> (Option<i32>, String, String) {
    let output = Command::new(assert_cmd::cargo::cargo_bin!("arsg"))
        .current_dir(folder)
        .args(arguments)
        .output()
        .unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
    (
        output.status.code(),
        text(output.stdout),
        text(output.stderr),
    )
}
