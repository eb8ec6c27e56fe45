//! Labels as files: their JSON schema, and a golden message for everything that can be wrong.

#![allow(
    clippy::unwrap_used,
    reason = "a test that cannot set itself up must fail"
)]

use std::fs;
use std::path::Path;
use std::sync::{Arc, LazyLock};

use arsg::automaton::{Engine, Options};
use arsg::behavior::{Annotator, GoldTrees, LabelFile, Labelling, SelfLabelling, json_schema};
use arsg::diagnostic::{Code, ErrorFormat, Renderer, Source};
use arsg::grammar::embedded_grammar;
use arsg::text::Document;
use arsg::tree::{Format, read};

static ENGINE: LazyLock<Arc<Engine>> =
    LazyLock::new(|| Arc::new(Engine::new(embedded_grammar("finance").unwrap())));

#[test]
fn every_code_has_its_golden_message() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/diagnostics");
    let codes = Code::ALL.iter();
    for code in codes.filter(|code| code.as_str().starts_with('L')) {
        let case = folder.join(code.as_str());
        let said = match code {
            // That a label is of another text shows when somebody goes on with it.
            Code::L008 => resumed(&case),
            _ => problems(&case),
        };
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

fn problems(case: &Path) -> String {
    let mut file = LabelFile::read(input(case).as_bytes(), "input.label");
    file.replay(&ENGINE);
    rendered(&file.diagnostics)
}

/// The label of a case, as if it had been made with the schema as it is now.
fn input(case: &Path) -> String {
    let text = fs::read_to_string(case.join("input.label")).unwrap();
    text.replace("HASH", &ENGINE.schema().hash)
}

fn resumed(case: &Path) -> String {
    let document = Document::from_edus("雨", [["因为下雨，", "比赛改期。"]]);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("input.label");
    fs::write(&path, input(case)).unwrap();
    let refused = Labelling::open(&path, &ENGINE, &document, "李");
    let Err(arsg::Error::Invalid(problems)) = refused else {
        unreachable!("it was not refused");
    };
    let left = fs::read_to_string(&path).unwrap();
    assert_eq!(left, input(case), "a label that does not fit is left alone");
    let folder = format!("{}/", folder.path().display());
    rendered(&problems).replace(&folder, "")
}

fn rendered(problems: &[arsg::Diagnostic]) -> String {
    let renderer = Renderer {
        format: ErrorFormat::Plain,
        color: false,
    };
    renderer.render(problems)
}

#[test]
fn lines_are_what_the_json_schema_says() {
    let path = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/schemas/json/label.schema.json"
    );
    if std::env::var_os("ARSG_UPDATE").is_some() {
        fs::write(path, json_schema()).unwrap();
    }
    let shipped = fs::read_to_string(path).unwrap_or_default();
    assert_eq!(shipped, json_schema(), "run with ARSG_UPDATE=1 and look");
    let schema: serde_json::Value = serde_json::from_str(&shipped).unwrap();
    let validator = jsonschema::validator_for(&schema).unwrap();
    let document = Document::from_text("cpi", "8月份CPI同比上涨2.4%，主要是因为猪肉价格上涨。");
    let mut labelling = Labelling::new(&ENGINE, &document, "grammar");
    SelfLabelling::new(&ENGINE, Options::default())
        .annotate(&mut labelling)
        .unwrap();
    let lines = labelling.label().to_lines().unwrap();
    assert_eq!(lines.lines().count(), 4);
    for line in lines.lines() {
        let line: serde_json::Value = serde_json::from_str(line).unwrap();
        assert!(validator.is_valid(&line), "{line}");
    }
    for wrong in [
        r#"{"action":"jump"}"#,
        r#"{"action":"shift","because":1}"#,
        "3",
    ] {
        let wrong: serde_json::Value = serde_json::from_str(wrong).unwrap();
        assert!(!validator.is_valid(&wrong), "{wrong}");
    }
}

/// All texts of the demo corpus: every label rebuilds its tree, and its rules are read back.
#[test]
fn labels_of_the_demo_corpus_rebuild_their_trees() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/demo");
    let mut texts = 0;
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|extension| extension != "case") {
            continue;
        }
        let cases = fs::read_to_string(path).unwrap();
        let pieces: Vec<&str> = cases
            .strip_prefix("===\n")
            .unwrap()
            .split("\n===\n")
            .collect();
        for pair in pieces.chunks_exact(2) {
            let id = pair[0].lines().next().unwrap();
            let (body, gold) = pair[1].split_once("\n---\n").unwrap();
            let document = Document::from_edus(id, body.split("\n\n").map(str::lines));
            let source = Source::new(id, format!("@{id} {gold}\n"));
            let gold = read(&source, Some(Format::Sexp)).into_tree().unwrap();
            let mut labelling = Labelling::new(&ENGINE, &document, "gold");
            GoldTrees::new("gold", [gold.clone()])
                .annotate(&mut labelling)
                .unwrap();
            let lines = labelling.label().to_lines().unwrap();
            let mut file = LabelFile::read(lines.as_bytes(), id);
            let again = file.replay(&ENGINE).unwrap();
            assert_eq!(rendered(&file.diagnostics), "");
            assert_eq!(again.tree().unwrap(), labelling.tree().unwrap());
            let nodes = |tree: &arsg::Tree| -> Vec<_> {
                let nodes = tree.post_order();
                nodes
                    .map(|(_, node)| {
                        (
                            node.span(),
                            node.pair().map(|p| (p.roles, p.relation.clone())),
                        )
                    })
                    .collect()
            };
            assert_eq!(nodes(&again.tree().unwrap()), nodes(&gold), "{id}");
            texts += 1;
        }
    }
    assert!(texts >= 40, "{texts}");
}
