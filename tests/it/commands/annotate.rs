//! `arsg annotate` from the shell: labels by script, by trees, by the grammar; and what a kill leaves.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::Stdio;

use arsg::Tree;
use arsg::behavior::read_label;
use arsg::tree::{Format, WriteOptions, read_file, write};
use assert_cmd::Command;

use crate::run::{command, json_lines, succeed, text, with_stdin};

/// A text of 20 EDUs of the demo corpus.
const ID: &str = "yaoxing-shipments-up";

const ANNOTATE: [&str; 4] = ["annotate", "news.jsonl", "--grammar", "finance"];

/// The text as document JSON, and its tree.
fn sample() -> (String, Tree) {
    let cases = arsg::demo::corpus().unwrap();
    let case = cases.into_iter().find(|case| case.name == ID).unwrap();
    let document = serde_json::to_string(&case.document).unwrap();
    let tree = case.tree.unwrap();
    assert_eq!(tree.edus.len(), 20);
    (document + "\n", tree)
}

/// The commands that make a tree.
fn script(tree: &Tree) -> Vec<String> {
    let commands = tree.post_order().map(|(_, node)| match node.pair() {
        None => "shift".to_owned(),
        Some(pair) => format!(
            "reduce {} {}",
            pair.relation.as_deref().unwrap(),
            pair.roles
        ),
    });
    commands.collect()
}

/// A folder with the text in it.
struct Desk {
    folder: tempfile::TempDir,
    gold: Tree,
}

impl Desk {
    fn new() -> Desk {
        let (document, gold) = sample();
        let folder = tempfile::tempdir().unwrap();
        let other = r#"{"id": "b", "text": "因为下雨，比赛取消了。球迷退票。"}"#;
        fs::write(folder.path().join("news.jsonl"), document + other + "\n").unwrap();
        Desk { folder, gold }
    }

    fn path(&self, name: &str) -> String {
        self.folder.path().join(name).display().to_string()
    }

    fn command(&self, more: &[&str]) -> Command {
        self.command_of("李", more)
    }

    fn command_of(&self, annotator: &str, more: &[&str]) -> Command {
        let mut command = with_stdin(self.folder.path(), &ANNOTATE);
        command.args(["--annotator", annotator]).args(more);
        command
    }

    fn plain(&self, commands: &[String], more: &[&str]) -> (String, String) {
        let output = self
            .command(more)
            .write_stdin(commands.join("\n") + "\n")
            .output()
            .unwrap();
        assert!(output.status.success(), "{}", text(&output.stderr));
        (text(&output.stdout), text(&output.stderr))
    }

    fn label(&self) -> arsg::behavior::Label {
        let path = self.path(&format!("labels/{ID}.label"));
        read_label(Path::new(&path)).unwrap().into_result().unwrap()
    }
}

fn lines(commands: &[&str]) -> Vec<String> {
    commands.iter().map(|line| (*line).to_owned()).collect()
}

fn binary(tree: Tree) -> String {
    let how = WriteOptions::default().binary(true);
    write(&tree, Format::Dis, &how)
}

#[test]
fn a_script_labels_a_text_of_twenty_edus() {
    let desk = Desk::new();
    let mut commands = script(&desk.gold);
    commands.push("rules".to_owned());
    let more = [
        "--export", "trees", "--format", "rs3", "--rules", "new.arsg",
    ];
    let (said, notes) = desk.plain(&commands, &more);
    assert!(said.contains("the tree is complete"), "{said}");
    assert!(said.contains("<-") && said.contains("prefer "), "{said}");
    assert!(notes.contains("1 of 1 texts finished"), "{notes}");
    let label = desk.label();
    assert!(label.is_complete());
    assert_eq!(&*label.header.annotator, "李");
    assert_eq!(label.actions.len(), 39);
    assert!(label.actions.iter().all(|action| action.context.is_some()));
    let rs3 = read_file(Path::new(&desk.path(&format!("trees/{ID}.rs3"))), None).unwrap();
    let exported = rs3.into_tree().unwrap();
    let mut gold = desk.gold.clone();
    gold.edus = exported.edus.clone();
    assert_eq!(binary(exported), binary(gold));
    let rules = fs::read_to_string(desk.path("new.arsg")).unwrap();
    let count = |line: &str| {
        line.rsplit(" x ")
            .next()
            .unwrap()
            .trim()
            .parse::<u32>()
            .unwrap()
    };
    let productions = rules.lines().filter(|line| line.contains("<-"));
    assert_eq!(productions.map(count).sum::<u32>(), 19, "{rules}");
    let check = format!(
        "grammar a\nschema \"{}/schemas/finance.toml\"\n\n{rules}",
        env!("CARGO_MANIFEST_DIR")
    );
    fs::write(desk.path("whole.arsg"), check).unwrap();
    // The rules are grammar.
    succeed(
        desk.folder.path(),
        &["check", "--allow-outside", "whole.arsg"],
    );
}

#[test]
fn mistakes_are_said_and_do_not_end_the_session() {
    let desk = Desk::new();
    let (said, _) = desk.plain(
        &lines(&[
            "reduce causal-cause NS",
            "jump",
            "undo",
            "shift",
            "shift",
            "reduce causal-cuase NS",
            "reduce joint-list NS",
            "reduce causal-cause NS Risse",
            "reason B.ceu = because",
            "reason B.cue = because",
            "set D.time = A.tyme",
            "set D.time = A.time",
            "reduce causal-result NS Rise",
            "undo",
            "redo",
            "redo",
            "accept 99",
            "previous",
            "open yaoxing-shipments-upp",
            "show",
        ]),
        &[],
    );
    for wanted in [
        "error: there are no two nodes to join",
        "error: there is no command `jump`; `help` lists them",
        "error: there is nothing to take back",
        "did you mean `causal-cause`?",
        "error: `joint-list` joins nuclei only: write NN",
        "did you mean `Rise`?",
        "did you mean `cue`?",
        "error: the reason does not hold here",
        "did you mean `time`?",
        "set: D.time = A.time",
        "reduce: 3 of 39 actions, next EDU 3",
        "undo: 2 of 39 actions, next EDU 3",
        "error: there is nothing to do again",
        "error: this is the first text",
        "error: there is no text `yaoxing-shipments-upp`; did you mean `yaoxing-shipments-up`?",
        "B Rise 1-2",
    ] {
        assert!(said.contains(wanted), "{wanted}\n\n{said}");
    }
    let label = desk.label();
    let standing = label.standing();
    assert_eq!(standing.len(), 3);
    let last = &label.actions[standing[2]];
    let line = serde_json::to_string(&format!("{:?}", last.act)).unwrap();
    assert!(
        line.contains("causal-result") && line.contains("D.time = A.time"),
        "{line}"
    );
}

#[test]
fn work_goes_on_where_it_ended() {
    let desk = Desk::new();
    let all = script(&desk.gold);
    let (first, rest) = all.split_at(17);
    desk.plain(first, &[]);
    let (said, _) = desk.plain(rest, &[]);
    assert!(said.contains("18 of 39 actions"), "{said}");
    assert!(desk.label().is_complete());
    // The next unfinished text comes by itself, and from there none is left.
    let (said, notes) = desk.plain(&lines(&["accept", "accept", "next", "quit"]), &[]);
    assert!(said.starts_with("text b (2 of 2)"), "{said}");
    assert!(
        said.contains("error: no other text is unfinished"),
        "{said}"
    );
    assert!(notes.contains("0 of 1 texts finished"), "{notes}");
}

#[test]
fn a_changed_text_and_a_torn_line_are_noticed() {
    let desk = Desk::new();
    desk.plain(&lines(&["shift", "shift", "shift"]), &[]);
    let path = desk.path(&format!("labels/{ID}.label"));
    let whole = fs::read(&path).unwrap();
    fs::write(&path, &whole[..whole.len() - 7]).unwrap();
    let (said, _) = desk.plain(&lines(&["show"]), &[]);
    assert!(said.contains("L003"), "{said}");
    assert!(said.contains("2 of 39 actions, next EDU 3"), "{said}");
    desk.plain(&lines(&["shift"]), &[]);
    assert_eq!(desk.label().actions.len(), 3);
    let news = fs::read_to_string(desk.path("news.jsonl")).unwrap();
    fs::write(desk.path("news.jsonl"), news.replacen("，", "、", 1)).unwrap();
    let output = desk.command(&[]).write_stdin("shift\n").output().unwrap();
    assert_eq!(output.status.code(), Some(3));
    assert!(text(&output.stderr).contains("L008"));
}

/// A process that is killed loses at most the key it was working on.
#[test]
fn a_kill_loses_nothing_that_was_answered() {
    let desk = Desk::new();
    let commands = script(&desk.gold);
    for killed_after in [1, 8, 23] {
        let before = if Path::new(&desk.path(&format!("labels/{ID}.label"))).exists() {
            desk.label().standing().len()
        } else {
            0
        };
        let mut child = command(desk.folder.path(), &ANNOTATE)
            .args(["--text", ID])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut input = child.stdin.take().unwrap();
        let answers = BufReader::new(child.stdout.take().unwrap()).lines();
        let mut answers = answers
            .map_while(Result::ok)
            .filter(|line| line.contains(" actions, "));
        for command in commands.iter().skip(before).take(killed_after - before) {
            writeln!(input, "{command}").unwrap();
            assert!(answers.next().is_some(), "{command}");
        }
        // One more is on its way when the process dies.
        writeln!(input, "{}", commands[killed_after]).unwrap();
        child.kill().unwrap();
        child.wait().unwrap();
        let (said, _) = desk.plain(&lines(&["show"]), &["--text", ID]);
        let kept = said.contains(&format!(": {killed_after} of 39 actions"))
            || said.contains(&format!(": {} of 39 actions", killed_after + 1));
        assert!(kept, "{said}");
    }
    let done = desk.label().standing().len();
    desk.plain(&commands[done..], &["--text", ID, "--export", "trees"]);
    assert!(Path::new(&desk.path(&format!("trees/{ID}.rs3"))).is_file());
}

#[test]
fn trees_and_grammars_label_too_and_what_has_no_tree_is_waiting() {
    let desk = Desk::new();
    let tree = write(&desk.gold, Format::Sexp, &WriteOptions::default());
    fs::write(desk.path("gold.sexp"), tree).unwrap();
    let (said, notes) = desk.plain(&[], &["--gold", "gold.sexp", "--json"]);
    assert_eq!(said, "{\"labelled\":1,\"waiting\":[\"b\"]}\n");
    assert_eq!(notes, "");
    let first = fs::read(desk.path(&format!("labels/{ID}.label"))).unwrap();
    desk.plain(&[], &["--gold", "gold.sexp"]);
    let again = fs::read(desk.path(&format!("labels/{ID}.label"))).unwrap();
    assert_eq!(first, again, "the same trees give the same labels");
    assert!(!Path::new(&desk.path("labels/b.label")).exists());
    desk.plain(&[], &["--automatic", "--labels", "own"]);
    let own = read_label(Path::new(&desk.path("own/b.label"))).unwrap();
    let own = own.into_result().unwrap();
    assert!(own.is_complete() && own.log_probability().is_some());
}

#[test]
fn programs_never_replace_the_work_of_people() {
    let desk = Desk::new();
    desk.plain(&lines(&["shift", "shift"]), &[]);
    let before = fs::read(desk.path(&format!("labels/{ID}.label"))).unwrap();
    let output = desk.command(&["--automatic"]).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    let said = text(&output.stderr);
    assert!(said.contains("is the work of `李` and is kept"), "{said}");
    let after = fs::read(desk.path(&format!("labels/{ID}.label"))).unwrap();
    assert_eq!(before, after);
    let mut other = desk.command_of("王", &[]);
    let output = other.write_stdin("show\n").output().unwrap();
    let said = text(&output.stdout);
    assert!(said.contains("this label was begun by `李`"), "{said}");
}

#[test]
fn machines_get_json() {
    let desk = Desk::new();
    let (said, _) = desk.plain(&lines(&["shift", "undo", "undo", "suggest"]), &["--json"]);
    let answers = json_lines(&said);
    assert_eq!(answers[0]["text"], ID);
    assert_eq!(answers[1]["actions"], 1);
    assert_eq!(answers[3]["ok"], false);
    assert_eq!(answers[4]["said"][0], "1 100% shift");
    desk.command(&["--text", "nobody"]).assert().code(2);
    with_stdin(desk.folder.path(), &["annotate", "-"])
        .write_stdin("x")
        .assert()
        .code(2);
}

/// The label of text `b`.
fn label_of_b(desk: &Desk) -> arsg::behavior::Label {
    let path = desk.path("labels/b.label");
    read_label(Path::new(&path)).unwrap().into_result().unwrap()
}

#[test]
fn nobody_can_work_on_a_label_that_is_open() {
    let desk = Desk::new();
    let first = desk
        .command_of("甲", &["--text", "b", "--plain"])
        .write_stdin("shift\n")
        .output()
        .unwrap();
    assert!(first.status.success(), "{}", text(&first.stderr));
    let open = fs::File::options()
        .append(true)
        .open(desk.path("labels/b.label"))
        .unwrap();
    open.lock().unwrap();
    let second = desk
        .command_of("乙", &["--text", "b", "--plain"])
        .write_stdin("shift\n")
        .output()
        .unwrap();
    assert_eq!(second.status.code(), Some(1));
    let told = text(&second.stderr);
    assert!(told.contains("the label of `甲`"), "{told}");
    assert!(told.contains("--read-only"), "{told}");
    let looking = desk
        .command_of("乙", &["--text", "b", "--plain", "--read-only"])
        .write_stdin("shift\n")
        .output()
        .unwrap();
    let told = text(&looking.stdout) + &text(&looking.stderr);
    assert!(told.contains("not to be changed"), "{told}");
    drop(open);
    let label = label_of_b(&desk);
    assert_eq!((&*label.header.annotator, label.actions.len()), ("甲", 1));
}

#[test]
fn a_damaged_label_is_named_and_the_others_are_labelled() {
    let folder = tempfile::tempdir().unwrap();
    let text = |id: &str| format!("{{\"id\": \"{id}\", \"text\": \"因为下雨，比赛取消了。\"}}\n");
    let texts = ["a", "b", "c"].map(text).concat();
    fs::write(folder.path().join("news.jsonl"), texts).unwrap();
    fs::create_dir(folder.path().join("labels")).unwrap();
    fs::write(folder.path().join("labels/a.label"), "damaged\n").unwrap();
    let script = "shift\nshift\nreduce causal-cause SN\nnext\nquit\n";
    let line = [&ANNOTATE[..], &["--plain"]].concat();
    let output = with_stdin(folder.path(), &line)
        .write_stdin(script)
        .output()
        .unwrap();
    let notes = text_of(&output);
    assert_eq!(output.status.code(), Some(3), "{notes}");
    assert!(notes.contains("a.label"), "{notes}");
    assert!(
        read_label(&folder.path().join("labels/b.label"))
            .unwrap()
            .into_result()
            .is_ok()
    );
    let line = [&ANNOTATE[..], &["--automatic", "--labels", "labels"]].concat();
    let output = with_stdin(folder.path(), &line).output().unwrap();
    assert_eq!(output.status.code(), Some(1), "{}", text_of(&output));
    assert_eq!(
        fs::read_to_string(folder.path().join("labels/a.label")).unwrap(),
        "damaged\n"
    );
    assert!(
        read_label(&folder.path().join("labels/c.label"))
            .unwrap()
            .into_result()
            .is_ok()
    );
}

fn text_of(output: &std::process::Output) -> String {
    text(&output.stdout) + &text(&output.stderr)
}
