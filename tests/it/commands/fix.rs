//! `arsg fix` and `arsg profile` as a person runs them.

use std::path::Path;

use crate::fixtures::{content, project};
use crate::run::{arsg, printed, run, succeed};

const NODE: [&str; 6] = [
    "fix",
    "texts/today.txt",
    "--node",
    "2-3",
    "--to",
    "elaboration-additional NS",
];

fn with<'a>(more: &[&'a str]) -> Vec<&'a str> {
    NODE.iter().copied().chain(more.iter().copied()).collect()
}

#[test]
fn a_proposal_is_shown_first_and_written_when_it_is_accepted() {
    let folder = project();
    let before = content(folder.path());
    let (told, _) = succeed(folder.path(), &NODE);
    assert!(told.contains("step 4 made joint-list NN; it should make elaboration-additional NS"));
    assert!(told.contains("nothing is written"), "{told}");
    assert_eq!(content(folder.path()), before);
    let json = printed(folder.path(), &with(&["--json"]));
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    let first = &json["corrections"][0]["proposals"][0];
    assert_eq!(first["number"], 1);
    assert_eq!(first["holds"], true);
    assert!(first["effect"]["before"]["s"].as_f64().unwrap() > 80.0);
    let (diff, notes) = succeed(folder.path(), &with(&["--accept", "2"]));
    assert!(diff.contains("+rule elaboration-additional-"), "{diff}");
    assert!(notes.contains("wrote cases/fixed.case"), "{notes}");
    for line in [
        "arsg check --deny-warnings",
        "arsg fmt --check",
        "arsg test",
    ] {
        assert!(run(line, folder.path()).status.success(), "{line}");
    }
    let (told, _) = succeed(folder.path(), &NODE);
    assert!(told.contains("they are"), "{told}");
}

#[test]
fn what_cannot_be_asked_is_told() {
    let folder = project();
    let wrong: [(&[&str], i32, &str); 5] = [
        (&["fix", "texts/today.txt"], 2, "say what is wrong"),
        (
            &["fix", "texts/today.txt", "--node", "2-3"],
            2,
            "goes with a --to",
        ),
        (
            &["fix", "texts/today.txt", "--node", "2-3", "--to", "cause"],
            2,
            "no relation `cause`",
        ),
        (
            &["fix", "texts/today.txt", "--attach", "2", "4"],
            2,
            "are no neighbours",
        ),
        (
            &[
                "fix",
                "texts/today.txt",
                "--node",
                "20-21",
                "--to",
                "a node",
            ],
            1,
            "has EDUs 1 to",
        ),
    ];
    for (arguments, code, message) in wrong {
        let (found, _, told) = arsg(folder.path(), arguments);
        assert_eq!(found, Some(code), "{told}");
        assert!(told.contains(message), "{told}");
    }
}

#[test]
fn a_profile_keeps_a_line_for_each_commit() {
    let folder = project();
    let git = |line: &str| assert!(run(line, folder.path()).status.success(), "{line}");
    let commit = "git -c user.name=a -c user.email=a@example.org commit -q --allow-empty -m 1";
    let (code, _, told) = arsg_outside_git(folder.path());
    assert_eq!(code, Some(1), "{told}");
    git("git init -q -b main");
    git(commit);
    let append = [
        "profile",
        "--append",
        "history.jsonl",
        "--plot",
        "history.svg",
    ];
    printed(folder.path(), &append);
    let told = printed(folder.path(), &append);
    let lines = || std::fs::read_to_string(folder.path().join("history.jsonl")).unwrap();
    assert_eq!(lines().lines().count(), 1);
    assert!(
        told.contains("which rule to look at first") && told.contains("\nS "),
        "{told}"
    );
    git(commit);
    git("git -c user.name=b -c user.email=a@example.org commit -q --allow-empty -m 2");
    printed(folder.path(), &append);
    assert_eq!(lines().lines().count(), 2);
    let svg = std::fs::read_to_string(folder.path().join("history.svg")).unwrap();
    assert!(svg.starts_with("<svg"), "{svg}");
    let json = printed(folder.path(), &["profile", "--json"]);
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(json["texts"], 25);
}

fn arsg_outside_git(folder: &Path) -> (Option<i32>, String, String) {
    let output = run("arsg profile --append history.jsonl", folder);
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (
        output.status.code(),
        text(&output.stdout),
        text(&output.stderr),
    )
}
