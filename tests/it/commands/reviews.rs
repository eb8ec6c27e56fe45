//! Reviews: a change of a grammar over a few commits, as a pull request and as bisection see it.

use std::path::Path;
use std::process::Command;

use crate::fixtures::project;
use crate::run::{arsg, printed, text};

fn git(folder: &Path, arguments: &[&str]) -> String {
    let output = Command::new("git")
        .args(["-c", "user.name=a", "-c", "user.email=a@example.org"])
        .args(arguments)
        .current_dir(folder)
        .output()
        .unwrap();
    assert!(
        output.status.success(),
        "{arguments:?}: {}",
        text(&output.stderr)
    );
    text(&output.stdout)
}

fn change(folder: &Path, file: &str, old: &str, new: &str) {
    let path = folder.join(file);
    let before = std::fs::read_to_string(&path).unwrap();
    assert!(before.contains(old), "{old}");
    std::fs::write(path, before.replacen(old, new, 1)).unwrap();
    git(folder, &["commit", "-qam", new]);
}

/// Three commits: the project, a count that changes nothing, and a rule that loses its reason.
fn repository() -> tempfile::TempDir {
    let folder = project();
    git(folder.path(), &["init", "-q", "-b", "main"]);
    git(folder.path(), &["add", "-A"]);
    git(folder.path(), &["commit", "-qm", "begin"]);
    change(folder.path(), "grammars/causes.arsg", "x 12\n", "x 13\n");
    change(
        folder.path(),
        "grammars/causes.arsg",
        "rule cause-then-change\n  Explanation[causal-cause]",
        "rule cause-then-change\n  Explanation[joint-list]",
    );
    folder
}

#[test]
fn the_comment_of_the_action_says_first_what_a_reviewer_needs() {
    let folder = repository();
    let output = Command::new(Path::new(env!("CARGO_MANIFEST_DIR")).join("action/review.sh"))
        .arg("HEAD~2")
        .env("ARSG", env!("CARGO_BIN_EXE_arsg"))
        .current_dir(folder.path())
        .output()
        .unwrap();
    let comment = text(&output.stdout);
    let screen: Vec<&str> = comment.lines().take(25).collect();
    assert_eq!(screen[0], "<!-- arsg-review -->", "{comment}");
    assert!(
        screen[1].starts_with("### Grammar: 2 rules changed"),
        "{comment}"
    );
    let first = screen.join("\n");
    assert!(first.contains("trees changed: **"), "{comment}");
    assert!(
        first.contains("| S spans |") && first.contains("| R relation classes |"),
        "{comment}"
    );
    assert!(first.contains("`cause-then-change`"), "{comment}");
    assert!(comment.contains("<details><summary>Worse: "), "{comment}");
    assert!(comment.contains("| ❌ | cases |"), "{comment}");
    assert_eq!(output.status.code(), Some(1), "a case fails");
    println!("{comment}");
}

#[test]
fn notes_for_github_stand_at_the_changed_rules() {
    let folder = repository();
    let notes = printed(
        folder.path(),
        &["diff", "HEAD~1", "--format", "github", "--on", "cases"],
    );
    let first = notes.lines().next().unwrap();
    assert!(
        first.starts_with("::notice file=grammars/causes.arsg,line="),
        "{notes}"
    );
    assert!(
        first.contains("title=cause-then-change changed::"),
        "{notes}"
    );
    assert!(
        notes
            .lines()
            .any(|line| line.starts_with("::warning title=")),
        "{notes}"
    );
}

#[test]
fn bisection_finds_the_commit_that_broke_a_case() {
    let folder = repository();
    // What cannot be tried is passed over.
    change(
        folder.path(),
        "grammars/causes.arsg",
        "rule cause-then-change",
        "ruel cause-then-change",
    );
    assert_eq!(arsg(folder.path(), &["test", "--quiet"]).0, Some(125));
    assert_eq!(arsg(folder.path(), &["test"]).0, Some(3));
    change(
        folder.path(),
        "grammars/causes.arsg",
        "ruel cause-then-change",
        "rule cause-then-change",
    );
    assert_eq!(arsg(folder.path(), &["test", "--quiet"]).0, Some(1));
    git(folder.path(), &["bisect", "start", "HEAD", "HEAD~4"]);
    let found = git(
        folder.path(),
        &[
            "bisect",
            "run",
            env!("CARGO_BIN_EXE_arsg"),
            "test",
            "--quiet",
        ],
    );
    let bad = git(
        folder.path(),
        &["log", "-1", "--format=%s", "refs/bisect/bad"],
    );
    assert!(bad.contains("joint-list"), "{found}\n{bad}");
}
