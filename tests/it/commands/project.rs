//! A project as `arsg init` begins it: every command of its own README works, nothing is overwritten.

use std::fs;
use std::path::Path;

use crate::run::{commands, run, run_all, said};

fn begun() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    run_all(&["arsg init 语法".to_owned()], folder.path());
    folder
}

#[test]
fn every_command_of_its_readme_goes_through() {
    let folder = begun();
    let project = folder.path().join("语法");
    let lines = commands(&fs::read_to_string(project.join("README.md")).unwrap());
    assert!(lines.len() >= 30, "{lines:?}");
    run_all(&lines, &project);
    for made in ["today.svg", "trees/oil-cut-deal.rs3", "learned.arsg"] {
        assert!(project.join("out").join(made).is_file(), "{made}");
    }
}

#[test]
fn its_readme_names_every_command_that_works_on_files() {
    let readme = include_str!("../../../examples/init/README.md");
    let help = run("arsg --help", Path::new("."));
    let help = said(&help);
    let names = help
        .lines()
        .filter_map(|line| line.strip_prefix("  ")?.split_once("  "))
        .map(|(name, _)| name)
        .filter(|name| !name.starts_with([' ', '-']));
    let elsewhere = [
        "init",
        "sketch",
        "demo",
        "completions",
        "man",
        "learn",
        "generate",
        "experiment",
        "lsp",
    ];
    let missing: Vec<&str> = names
        .filter(|name| !elsewhere.contains(name) && !readme.contains(&format!("arsg {name}")))
        .collect();
    assert!(missing.is_empty(), "{missing:?}");
}

#[test]
fn nothing_is_overwritten_and_then_nothing_is_written() {
    let folder = tempfile::tempdir().unwrap();
    let project = folder.path().join("p");
    fs::create_dir_all(project.join("cases")).unwrap();
    fs::write(project.join("cases/causes.case"), "自己的").unwrap();
    let output = run("arsg init p", folder.path());
    assert_eq!(output.status.code(), Some(1));
    assert!(said(&output).contains("`p/cases/causes.case` is there already"));
    let kept = fs::read_to_string(project.join("cases/causes.case")).unwrap();
    assert_eq!(kept, "自己的");
    assert_eq!(fs::read_dir(&project).unwrap().count(), 1);
}

#[test]
fn a_folder_with_other_files_is_no_obstacle() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("notes.txt"), "笔记").unwrap();
    run_all(
        &["arsg init .".to_owned(), "arsg test".to_owned()],
        folder.path(),
    );
}

#[test]
fn the_project_is_found_from_below() {
    let folder = begun();
    let below = folder.path().join("语法/grammars");
    let test = run("arsg test", &below);
    assert!(said(&test).contains("0 failed"), "{}", said(&test));
    let check = run("arsg check", &below);
    assert!(said(&check).contains("0 errors"), "{}", said(&check));
}

#[test]
fn outside_a_project_something_must_be_named() {
    let folder = tempfile::tempdir().unwrap();
    for line in ["arsg parse", "arsg check", "arsg fmt --check", "arsg diff"] {
        let output = run(line, folder.path());
        assert_eq!(output.status.code(), Some(2), "{line}: {}", said(&output));
        assert!(said(&output).contains("arsg.toml"), "{}", said(&output));
    }
}

#[test]
fn a_wrong_project_file_is_shown_where_it_is_wrong() {
    let folder = begun();
    let project = folder.path().join("语法");
    fs::write(
        project.join("arsg.toml"),
        "grammar = \"g.arsg\"\ncasses = \"cases\"\n",
    )
    .unwrap();
    let output = run("arsg test", &project);
    assert_eq!(output.status.code(), Some(3), "{}", said(&output));
    for part in ["P002", "arsg.toml:2:1", "did you mean `cases`?"] {
        assert!(said(&output).contains(part), "{}", said(&output));
    }
}

#[test]
fn diff_compares_with_the_last_commit_and_with_other_revisions() {
    let folder = begun();
    let project = folder.path().join("语法");
    let git = "git -c user.name=a -c user.email=a@example.org";
    run_all(
        &[
            "git init -q -b main && git add -A".to_owned(),
            format!("{git} commit -qm 开始"),
            "sed -i 's/x 22/x 23/' grammars/lists.arsg".to_owned(),
        ],
        &project,
    );
    for line in [
        "arsg diff",
        "arsg diff main",
        "arsg diff HEAD:grammars/finance.arsg",
    ] {
        let output = run(line, &project);
        assert!(
            said(&output).contains("rises-in-a-row"),
            "{line}: {}",
            said(&output)
        );
    }
    let none = run("arsg diff keine-revision", &project);
    assert_eq!(none.status.code(), Some(1), "{}", said(&none));
}

#[test]
fn a_grammar_of_ones_own_begins_on_a_shipped_one() {
    let folder = tempfile::tempdir().unwrap();
    for base in ["general", "finance", "empty"] {
        for language in ["en", "zh"] {
            let name = format!("{base}-{language}");
            // A small grammar uses few words of its schema, and is told so.
            let strict = if base == "empty" {
                ""
            } else {
                " --deny-warnings"
            };
            let lines = [
                format!("arsg init {name} --grammar {base} --lang {language}"),
                format!("cd {name} && arsg check{strict}"),
                format!("cd {name} && arsg fmt --check"),
                format!("cd {name} && arsg test"),
                format!("cd {name} && arsg parse"),
            ];
            run_all(&lines, folder.path());
            // It is the rule that does it.
            let by = run(
                &format!("cd {name} && arsg explain cases/mine.case --width 200"),
                folder.path(),
            );
            assert!(said(&by).contains("which-shows"), "{name}: {}", said(&by));
        }
    }
}

#[test]
fn what_is_shipped_can_be_read_and_taken_as_a_base() {
    let folder = tempfile::tempdir().unwrap();
    let list = run("arsg show", folder.path());
    for name in [
        "general",
        "finance",
        "schemas/general.toml",
        "schemas/lexicon/chinese.toml",
    ] {
        assert!(
            said(&list).lines().any(|line| line.starts_with(name)),
            "{name}"
        );
    }
    run_all(
        &[
            "arsg show schemas/general.toml > general.toml && arsg check general.toml".to_owned(),
            "arsg merge finance -o mine.arsg && arsg check mine.arsg".to_owned(),
            "arsg check finance --deny-warnings".to_owned(),
            "arsg stats finance".to_owned(),
        ],
        folder.path(),
    );
    let same = run("arsg diff finance mine.arsg", folder.path());
    assert!(
        same.status.success() && said(&same).contains("no semantic change"),
        "{}",
        said(&same)
    );
    let unknown = run("arsg show genral", folder.path());
    assert_eq!(unknown.status.code(), Some(2));
    assert!(said(&unknown).contains("did you mean `general`?"));
}
