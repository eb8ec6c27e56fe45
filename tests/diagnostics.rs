//! One folder per code: an input that triggers it, and the message a linguist reads.
//!
//! `ARSG_UPDATE=1 cargo test --test diagnostics` writes the messages anew.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)] // a failure here is the test failing

use std::path::{Path, PathBuf};

use arsg::diagnostic::{Code, Renderer};
use arsg::grammar::{Disk, check_paths};

const FOLDER: &str = "tests/diagnostics";

#[test]
fn every_message_is_as_agreed() {
    let update = std::env::var_os("ARSG_UPDATE").is_some();
    let mut wrong = Vec::new();
    for code in codes() {
        let folder = Path::new(FOLDER).join(code.as_str());
        let input = ["input.arsg", "input.toml"].map(|name| folder.join(name));
        let Some(input) = input.iter().find(|path| path.is_file()) else {
            wrong.push(format!("{code}: no input in {}", folder.display()));
            continue;
        };
        let checked = check_paths(std::slice::from_ref(input), &Disk::default(), None)
            .unwrap_or_else(|error| panic!("{code}: {error}"));
        if !checked.diagnostics.iter().any(|found| found.code == code) {
            wrong.push(format!("{code} is not among the problems of its own input"));
        }
        let said = Renderer::default().render(&checked.diagnostics);
        let said: String = said
            .lines()
            .map(|line| format!("{}\n", line.trim_end()))
            .collect();
        let golden = folder.join("expected.txt");
        if update {
            std::fs::write(&golden, &said).unwrap();
        } else if std::fs::read_to_string(&golden).unwrap_or_default() != said {
            wrong.push(format!("{code} says something else now:\n{said}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn messages_are_lower_case_and_have_no_final_stop() {
    for code in codes() {
        for name in ["input.arsg", "input.toml"] {
            let input: PathBuf = Path::new(FOLDER).join(code.as_str()).join(name);
            let Ok(checked) = check_paths(&[input], &Disk::default(), None) else {
                continue;
            };
            for found in checked.diagnostics {
                let texts = [Some(&found.message), found.help.as_ref()];
                for text in texts.into_iter().flatten() {
                    assert!(!text.ends_with('.'), "{code}: {text}");
                    assert!(
                        !text.starts_with(
                            |c: char| c.is_ascii_uppercase() && !text.starts_with("D ")
                        ),
                        "{code}: {text}"
                    );
                }
            }
        }
    }
}

/// Codes of grammars and schemas.
fn codes() -> impl Iterator<Item = Code> {
    let all = Code::ALL.iter().copied();
    all.filter(|code| code.as_str().starts_with(['G', 'S']))
}
