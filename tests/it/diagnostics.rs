//! One folder for each code: files that raise it, and the message a linguist reads.

use std::fs;
use std::path::{Path, PathBuf};

use arsg::Diagnostic;
use arsg::automaton::cases::read_cases;
use arsg::behavior::{LabelFile, Labelling};
use arsg::diagnostic::{Code, ErrorFormat, Renderer, Source};
use arsg::grammar::{Disk, check_paths};
use arsg::text::Document;
use arsg::tree::{Format, ParsevalOptions, decode, pair_by_id, parseval, read};

use crate::fixtures::{ENGINE, FINANCE};
use crate::golden::{FOLDER, assert_in_step, assert_messages, codes};

/// Codes of trees that comparing raises, not reading; `tree/parseval.rs` has them.
const COMPARING: [Code; 2] = [Code::R021, Code::R022];

#[test]
fn messages_about_grammars_and_schemas_are_as_agreed() {
    assert_messages(codes(&['G', 'S']), |_, folder| {
        Renderer::default().render(&problems_of_a_grammar(folder))
    });
}

#[test]
fn messages_about_trees_are_as_agreed() {
    let reading = codes(&['R']).filter(|code| !COMPARING.contains(code));
    assert_messages(reading, |_, folder| {
        let files = files(folder);
        files
            .iter()
            .map(|path| plain(&problems_of_a_tree(path)))
            .collect()
    });
}

#[test]
fn messages_about_cases_are_as_agreed() {
    assert_messages(codes(&['C']), |_, folder| {
        let text = fs::read_to_string(folder.join("input.case")).unwrap();
        let read = read_cases(&Source::new("input.case", text));
        if read.diagnostics.is_empty() {
            plain(&read.unknown_relations(&FINANCE.schema))
        } else {
            plain(&read.diagnostics)
        }
    });
}

#[test]
fn messages_about_labels_are_as_agreed() {
    assert_messages(codes(&['L']), |code, folder| {
        // A label made with the schema as it is now.
        let label = fs::read_to_string(folder.join("input.label")).unwrap();
        let label = label.replace("HASH", &ENGINE.schema().hash);
        // That a label is of another text shows when somebody goes on with it.
        if code == Code::L008 {
            refusal_to_go_on(&label)
        } else {
            let mut file = LabelFile::read(label.as_bytes(), "input.label");
            file.replay(&ENGINE);
            plain(&file.diagnostics)
        }
    });
}

/// A file of a code's folder, or its message without the head of the snapshot.
fn shown(code: Code, name: &str) -> Option<String> {
    let text = fs::read_to_string(Path::new(FOLDER).join(code.as_str()).join(name)).ok()?;
    let body = match text.strip_prefix("---\n") {
        Some(rest) => rest.split_once("---\n")?.1.to_owned(),
        None => text,
    };
    Some(body.trim_end().to_owned())
}

/// Longer files and messages say no more on a page.
const MOST_LINES: usize = 40;

#[test]
fn the_page_of_codes_is_in_step() {
    let mut page = String::from(
        "# Codes\n\nEvery problem that arsg tells of has a code, which never changes its meaning. Below each stands what raises \
         it, and what is said.\n\n每个问题都有一个代码，含义不变。下面列出引发它的文件和所给的消息。\n",
    );
    for code in Code::ALL {
        let severity = code.severity();
        page.push_str(&format!("\n## {code}\n{severity}: {}\n", code.meaning()));
        for name in ["input.arsg", "input.toml", "input.case", "message.snap"] {
            let Some(text) = shown(code, name).filter(|text| text.lines().count() <= MOST_LINES)
            else {
                continue;
            };
            let language = match name {
                "message.snap" => "text",
                _ => name.trim_start_matches("input."),
            };
            let mut fence = "```".to_owned();
            while text.contains(&fence) {
                fence.push('`');
            }
            page.push_str(&format!("\n{fence}{language}\n{text}\n{fence}\n"));
        }
    }
    assert_in_step("docs/codes.md", &page);
}

#[test]
fn messages_are_lower_case_and_have_no_final_stop() {
    for code in codes(&['G', 'S']) {
        for found in problems_of_a_grammar(&Path::new(FOLDER).join(code.as_str())) {
            let texts = [Some(&found.message), found.help.as_ref()];
            for text in texts.into_iter().flatten() {
                let is_upper = |c: char| c.is_ascii_uppercase() && !text.starts_with("D ");
                assert!(!text.ends_with('.'), "{code}: {text}");
                assert!(!text.starts_with(is_upper), "{code}: {text}");
            }
        }
    }
}

#[test]
fn repaired_files_still_give_a_tree() {
    for code in codes(&['R']) {
        for path in files(&Path::new(FOLDER).join(code.as_str())) {
            let Ok(text) = decode(&fs::read(&path).unwrap(), "a") else {
                continue;
            };
            let read = read(&Source::new("a", text), Format::from_extension(&path));
            let broken = read.diagnostics.iter().any(|problem| problem.is_error());
            assert_eq!(read.trees.is_empty(), broken, "{}", path.display());
            let (pairs, _) = pair_by_id(read.trees.clone(), read.trees);
            parseval(&pairs, &ParsevalOptions::default(), None);
        }
    }
}

#[test]
fn every_folder_is_that_of_a_code() {
    let known = |name: &str| Code::ALL.iter().any(|code| code.as_str() == name);
    for entry in fs::read_dir(FOLDER).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        assert!(!path.is_dir() || known(&name), "there is no code {name}");
    }
}

/// What checking the input of a folder, a grammar or a schema, finds.
fn problems_of_a_grammar(folder: &Path) -> Vec<Diagnostic> {
    let inputs = ["input.arsg", "input.toml"].map(|name| folder.join(name));
    let input = inputs.iter().find(|path| path.is_file()).unwrap();
    let checked = check_paths(std::slice::from_ref(input), &Disk::default(), None);
    checked.unwrap().diagnostics
}

/// What reading a tree finds.
fn problems_of_a_tree(path: &Path) -> Vec<Diagnostic> {
    let name = path.file_name().unwrap().to_string_lossy();
    match decode(&fs::read(path).unwrap(), &name) {
        Ok(text) => read(&Source::new(name, text), Format::from_extension(path)).diagnostics,
        Err(problem) => vec![*problem],
    }
}

/// What is said when somebody goes on with a label that does not fit; the label is left alone.
fn refusal_to_go_on(label: &str) -> String {
    let document = Document::from_edus("雨", [["因为下雨，", "比赛改期。"]]);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("input.label");
    fs::write(&path, label).unwrap();
    let refused = Labelling::open(&path, &ENGINE, &document, "李");
    let Err(arsg::Error::Invalid(problems)) = refused else {
        panic!("it was not refused");
    };
    assert_eq!(fs::read_to_string(&path).unwrap(), label);
    plain(&problems).replace(&format!("{}/", folder.path().display()), "")
}

/// The files of a folder that raise its code, by name.
fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let is_message = |path: &PathBuf| path.display().to_string().contains("message.snap");
    let paths = entries.map(|entry| entry.path());
    let mut files: Vec<PathBuf> = paths.filter(|path| !is_message(path)).collect();
    files.sort();
    files
}

fn plain(problems: &[Diagnostic]) -> String {
    let renderer = Renderer::default().format(ErrorFormat::Plain);
    renderer.render(problems)
}
