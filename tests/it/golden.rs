//! What was agreed and stands in a file: messages, JSON schemas, tables of a page.
//!
//! All of it is accepted the same way: `INSTA_UPDATE=always cargo test`, then look at `git diff`.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

use arsg::diagnostic::Code;
use similar::TextDiff;

/// Where each code has a folder: files that raise it, and the message in `message.snap`.
pub(crate) const FOLDER: &str = "tests/diagnostics";

/// All codes that begin with one of the letters.
pub(crate) fn codes(letters: &[char]) -> impl Iterator<Item = Code> {
    let all = Code::ALL.iter().copied();
    all.filter(move |code| code.as_str().starts_with(letters))
}

/// Holds that each code is raised by the files of its folder and says what was agreed. `say` gives
/// the message for a code and its folder.
pub(crate) fn assert_messages(
    codes: impl Iterator<Item = Code>,
    say: impl Fn(Code, &Path) -> String,
) {
    // All messages are compared before the test fails, so that one run shows every difference.
    let is_wrong =
        |code: &Code| catch_unwind(AssertUnwindSafe(|| assert_message(*code, &say))).is_err();
    let wrong: Vec<Code> = codes.filter(is_wrong).collect();
    assert!(wrong.is_empty(), "wrong messages, see above: {wrong:?}");
}

fn assert_message(code: Code, say: impl Fn(Code, &Path) -> String) {
    let folder = Path::new(FOLDER).join(code.as_str());
    let drawn = say(code, &folder);
    let is_raised = drawn.contains(&format!("[{code}]"));
    assert!(is_raised, "{code} is not raised:\n{drawn}");
    let lines = drawn.lines().map(|line| format!("{}\n", line.trim_end()));
    insta::with_settings!({
        snapshot_path => Path::new(env!("CARGO_MANIFEST_DIR")).join(folder),
        prepend_module_to_snapshot => false,
        omit_expression => true,
    }, {
        insta::assert_snapshot!("message", lines.collect::<String>());
    });
}

/// Whether files are to be written anew.
pub(crate) fn is_updating() -> bool {
    std::env::var_os("INSTA_UPDATE").is_some_and(|how| how == "always")
}

/// Holds that a file of the product is what the program writes; the file ships, so it cannot be a
/// snapshot of insta, but it is accepted as one.
pub(crate) fn assert_in_step(path: &str, written: &str) {
    if is_updating() {
        std::fs::write(path, written).unwrap();
    }
    let shipped = std::fs::read_to_string(path).unwrap_or_default();
    let difference = TextDiff::from_lines(shipped.as_str(), written);
    assert!(
        shipped == written,
        "`{path}` is out of date (`INSTA_UPDATE=always` accepts this):\n{}",
        difference.unified_diff()
    );
}

/// Holds that a JSON schema in `schemas/json` is what the program writes, and gives it to check by.
pub(crate) fn json_schema(name: &str, written: &str) -> jsonschema::Validator {
    assert_in_step(&format!("schemas/json/{name}.schema.json"), written);
    let schema = serde_json::from_str(written).unwrap();
    jsonschema::validator_for(&schema).unwrap()
}
