//! Full disks, read-only folders, paths that lead outside: a clear message, and nothing lost.

use std::fs;
use std::os::unix::fs::PermissionsExt;

use crate::fixtures::project;
use crate::run::{run, run_all, said};

#[test]
fn a_full_disk_is_told_where_results_go_to_stdout() {
    let folder = project();
    for line in [
        "arsg parse texts/today.txt",
        "arsg parse texts/today.txt --json",
        "arsg cores texts/today.txt",
        "arsg test",
        "arsg coverage cases",
        "arsg stats grammars/finance.arsg",
        "arsg convert trees/oil-outlook.rs3",
        "arsg completions bash",
    ] {
        let output = run(&format!("{line} > /dev/full"), folder.path());
        assert_eq!(output.status.code(), Some(1), "{line}");
        let said = said(&output);
        assert!(
            said.contains("no space left on the device"),
            "{line}: {said}"
        );
    }
}

/// `ulimit -f` makes the system refuse to write on, as a full disk does.
#[test]
fn what_cannot_be_written_leaves_the_old_file() {
    let folder = project();
    let path = folder.path().join("out/trees.jsonl");
    fs::write(&path, "旧").unwrap();
    let line = "trap '' XFSZ; ulimit -f 8; arsg parse corpus --json --out out/trees.jsonl";
    let output = run(line, folder.path());
    assert_eq!(output.status.code(), Some(1), "{}", said(&output));
    assert!(
        said(&output).contains("cannot write `out/trees.jsonl`"),
        "{}",
        said(&output)
    );
    assert_eq!(fs::read_to_string(&path).unwrap(), "旧");
    let left: Vec<_> = fs::read_dir(folder.path().join("out")).unwrap().collect();
    assert_eq!(left.len(), 2, "the old file and .gitignore: {left:?}");
}

#[test]
fn a_project_that_cannot_be_begun_leaves_nothing_behind() {
    let folder = tempfile::tempdir().unwrap();
    let output = run("trap '' XFSZ; ulimit -f 100; arsg init p", folder.path());
    assert_eq!(output.status.code(), Some(1), "{}", said(&output));
    assert!(said(&output).contains("cannot write"), "{}", said(&output));
    assert!(!folder.path().join("p").exists());
    run_all(&["arsg init p".to_owned()], folder.path());
}

#[test]
fn a_read_only_folder_is_told() {
    let folder = project();
    let locked = folder.path().join("locked");
    fs::create_dir(&locked).unwrap();
    fs::set_permissions(&locked, fs::Permissions::from_mode(0o555)).unwrap();
    if fs::write(locked.join("a"), "").is_ok() {
        return; // the superuser may write everywhere
    }
    for line in [
        "arsg parse texts/today.txt -o locked/a.svg",
        "arsg init locked/p",
        "arsg annotate --gold trees --labels locked/labels",
        "arsg demo --out locked/demo.html",
    ] {
        let output = run(line, folder.path());
        assert_eq!(output.status.code(), Some(1), "{line}");
        assert!(
            said(&output).contains("permission denied"),
            "{line}: {}",
            said(&output)
        );
    }
}

#[test]
fn grammars_cannot_read_outside_their_project() {
    let folder = tempfile::tempdir().unwrap();
    run_all(&["arsg init p".to_owned()], folder.path());
    let project = folder.path().join("p");
    fs::write(folder.path().join("secret.arsg"), "密码").unwrap();
    let main = project.join("grammars/finance.arsg");
    let text = fs::read_to_string(&main).unwrap();
    std::os::unix::fs::symlink(
        folder.path().join("secret.arsg"),
        project.join("texts/link.arsg"),
    )
    .unwrap();
    let outside = folder.path().join("secret.arsg").display().to_string();
    for path in ["../../secret.arsg", "../texts/link.arsg", &outside] {
        fs::write(&main, text.replace("\"causes.arsg\"", &format!("{path:?}"))).unwrap();
        for line in ["arsg check", "arsg parse texts/today.txt", "arsg test"] {
            let output = run(line, &project);
            assert_eq!(
                output.status.code(),
                Some(3),
                "{line} {path}: {}",
                said(&output)
            );
            assert!(
                said(&output).contains("G015"),
                "{line} {path}: {}",
                said(&output)
            );
            assert!(!said(&output).contains("密码"), "{line} {path}");
        }
    }
    fs::write(
        &main,
        text.replace("\"../schemas/finance.toml\"", "\"/etc/passwd\""),
    )
    .unwrap();
    let output = run("arsg check grammars/finance.arsg", &project);
    assert!(said(&output).contains("G015"), "{}", said(&output));
    assert!(!said(&output).contains("root:"), "{}", said(&output));
}

/// Ids of documents become names of files; whatever they hold, the files stay in their folder.
#[test]
fn ids_of_texts_cannot_lead_outside_the_folder_of_results() {
    let folder = tempfile::tempdir().unwrap();
    let ids = ["../escaped", "/tmp/escaped-arsg", "..", "a/b", "c\\d", "."];
    let lines: Vec<String> = ids
        .iter()
        .map(|id| serde_json::json!({"id": id, "text": "股价上涨。"}).to_string() + "\n")
        .collect();
    fs::write(folder.path().join("news.jsonl"), lines.concat()).unwrap();
    run_all(
        &[
            "arsg parse news.jsonl --format rs3 --out trees".to_owned(),
            "arsg annotate news.jsonl --automatic --labels labels".to_owned(),
        ],
        folder.path(),
    );
    let mut names: Vec<String> = fs::read_dir(folder.path())
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    assert_eq!(names, ["labels", "news.jsonl", "trees"]);
    assert!(!std::path::Path::new("/tmp/escaped-arsg.rs3").exists());
}

#[test]
fn a_reader_that_goes_away_is_no_error() {
    let folder = project();
    let output = run("arsg coverage | head -1", folder.path());
    assert!(output.status.success());
    assert!(output.stderr.is_empty(), "{}", said(&output));
}

#[test]
fn texts_never_overwrite_each_other() {
    let folder = tempfile::tempdir().unwrap();
    let ids = ["a/b", "a:b", "a-b", "A", "a", "长长"];
    let long = "长".repeat(300);
    let texts: String = ids
        .iter()
        .chain([&&*long])
        .map(|id| {
            serde_json::json!({"id": id, "text": "因为下雨，比赛取消了。"}).to_string() + "\n"
        })
        .collect();
    fs::write(folder.path().join("texts.jsonl"), &texts).unwrap();
    run_all(
        &["arsg parse texts.jsonl -g finance --format rs3 -o out".to_owned()],
        folder.path(),
    );
    let written = fs::read_dir(folder.path().join("out")).unwrap().count();
    assert_eq!(written, ids.len() + 1);
    let twice = texts.lines().next().unwrap().to_owned() + "\n" + &texts;
    fs::write(folder.path().join("twice.jsonl"), twice).unwrap();
    let output = run(
        "arsg parse twice.jsonl -g finance --format rs3 -o twice",
        folder.path(),
    );
    assert_eq!(output.status.code(), Some(1), "{}", said(&output));
    let told = said(&output);
    assert!(told.contains("`a/b`: text 1 and text 2"), "{told}");
}

#[test]
fn links_and_devices_stay_what_they_are() {
    let folder = project();
    run_all(
        &[
            "arsg parse texts/today.txt -o /dev/null --format rs3".to_owned(),
            "test -c /dev/null".to_owned(),
            "ln -s grammars/finance.arsg link.arsg".to_owned(),
            "arsg fmt --write link.arsg".to_owned(),
            "test -L link.arsg".to_owned(),
            "mkfifo pipe; cat pipe > read & arsg convert trees/oil-outlook.rs3 pipe --to dis; wait"
                .to_owned(),
            "test -p pipe && test -s read".to_owned(),
        ],
        folder.path(),
    );
}

#[test]
fn control_characters_and_very_long_names_are_drawn() {
    let folder = tempfile::tempdir().unwrap();
    let output = run(
        "printf 'd\\a\\033[31mR息。' | arsg explain - -g finance",
        folder.path(),
    );
    assert_eq!(output.status.code(), Some(0), "{}", said(&output));
    assert!(!said(&output).contains('\u{1b}'), "{:?}", said(&output));
    let name = "x".repeat(70_000);
    let grammar = format!(
        "grammar a\nschema \"finance\"\n\nRise[causal-cause] <- Rise:N Fall:S\n  set D.{name} = 1\n      D.b = 2\n"
    );
    fs::write(folder.path().join("wide.arsg"), grammar).unwrap();
    let output = run("arsg fmt wide.arsg", folder.path());
    assert_eq!(output.status.code(), Some(0), "{}", said(&output));
    assert!(said(&output).contains(&name));
}

/// How long a command takes by the clock.
fn seconds(line: &str, folder: &std::path::Path) -> f64 {
    let begun = std::time::Instant::now();
    let output = run(line, folder);
    assert!(output.status.code().is_some(), "{}", said(&output));
    begun.elapsed().as_secs_f64()
}

#[test]
fn many_problems_in_one_line_take_time_in_proportion() {
    let folder = tempfile::tempdir().unwrap();
    let time = |n: usize| {
        let text = format!("grammar a\n{}\n", "，".repeat(n));
        fs::write(folder.path().join("commas.arsg"), text).unwrap();
        // The best of three runs: other tests share the machine.
        let runs = [(); 3].map(|()| seconds("arsg check commas.arsg", folder.path()));
        runs.into_iter().fold(f64::MAX, f64::min) + 0.2
    };
    let (small, large) = (time(10_000), time(40_000));
    assert!(large < 8.0 * small, "{small} s, then {large} s");
}
