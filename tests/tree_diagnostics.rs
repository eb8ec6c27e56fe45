//! One folder for every code of trees: a file that triggers it and the golden message.

#![allow(
    clippy::unwrap_used,
    reason = "a test that cannot set itself up must fail"
)]

use std::fs;
use std::path::{Path, PathBuf};

use arsg::diagnostic::{Code, ErrorFormat, Renderer, Source};
use arsg::tree::{Format, Options, Pairing, decode, pair_by_id, parseval, read};

/// Codes of trees that comparing raises, not reading; `tests/parseval.rs` has them.
const COMPARING: [Code; 2] = [Code::R021, Code::R022];

#[test]
fn every_code_has_its_golden_message() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/diagnostics");
    let codes = Code::ALL
        .iter()
        .filter(|code| code.as_str().starts_with('R'));
    for code in codes.filter(|code| !COMPARING.contains(code)) {
        let case = folder.join(code.as_str());
        let inputs = inputs(&case);
        assert!(!inputs.is_empty(), "no case for {code}: {}", code.meaning());
        let mut said = String::new();
        for input in inputs {
            said.push_str(&problems(&input));
        }
        assert!(
            said.contains(code.as_str()),
            "{code} is not raised:\n{said}"
        );
        let golden = case.join("expected.txt");
        if std::env::var_os("ARSG_UPDATE").is_some() {
            fs::write(&golden, &said).unwrap();
        }
        let expected = fs::read_to_string(&golden).unwrap_or_default();
        assert_eq!(
            said, expected,
            "{code}: run with ARSG_UPDATE=1 and look at the difference"
        );
    }
}

fn inputs(case: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(case).into_iter().flatten().flatten();
    let mut files: Vec<PathBuf> = entries
        .map(|entry| entry.path())
        .filter(|path| path.file_stem().is_some_and(|stem| stem != "expected"))
        .collect();
    files.sort();
    files
}

fn problems(path: &Path) -> String {
    let name = path.file_name().unwrap().to_string_lossy();
    let renderer = Renderer {
        format: ErrorFormat::Plain,
        color: false,
    };
    let found = match decode(&fs::read(path).unwrap(), &name) {
        Ok(text) => read(&Source::new(name, text), Format::from_extension(path)).diagnostics,
        Err(problem) => vec![*problem],
    };
    renderer.render(&found)
}

#[test]
fn repaired_files_still_give_a_tree() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/diagnostics");
    for code in Code::ALL
        .iter()
        .filter(|code| code.as_str().starts_with('R'))
    {
        for path in inputs(&folder.join(code.as_str())) {
            let Ok(text) = decode(&fs::read(&path).unwrap(), "a") else {
                continue;
            };
            let read = read(&Source::new("a", text), Format::from_extension(&path));
            let broken = read.diagnostics.iter().any(|problem| problem.is_error());
            assert_eq!(read.trees.is_empty(), broken, "{}", path.display());
            let (pairs, _) = pair_by_id(read.trees.clone(), read.trees);
            let pairs: Vec<Pairing> = pairs;
            parseval(&pairs, &Options::default(), None);
        }
    }
}
