//! What must hold, whatever the bytes: one function for each reader. They panic where it does not hold.
//!
//! `cargo fuzz` runs them through `fuzz_targets/`, and `tests/it/fuzz.rs` with seeded mutations on stable.

use std::io::Cursor;
use std::path::{Path, PathBuf};
use std::sync::{Arc, LazyLock};

use arsg::Document;
use arsg::automaton::Engine;
use arsg::automaton::cases::read_cases;
use arsg::behavior::LabelFile;
use arsg::diagnostic::{Renderer, Source};
use arsg::edit::{Workspace, apply};
use arsg::embed::{Embedder, Impacts, Model};
use arsg::grammar::{Grammar, Memory, diff, embedded_grammar, format, merge};
use arsg::project::ProjectSettings;
use arsg::schema::embedded_schema;
use arsg::summarize::{SummaryJson, SummaryLayout, to_html, to_markdown};
use arsg::text::Analyzer;
use arsg::text::corpus::{self, Reader};
use arsg::tree::{Format, WriteOptions, decode, draw_svg, read, write};

const SCHEMA: &str = include_str!("../../tests/diagnostics/schema.toml");

static ANALYZER: LazyLock<Analyzer> =
    LazyLock::new(|| Analyzer::new(&embedded_schema("finance").expect("it ships")));

static ENGINE: LazyLock<Arc<Engine>> =
    LazyLock::new(|| Arc::new(Engine::new(embedded_grammar("seed").expect("it ships"))));

/// What is done with the bytes.
pub(crate) type Target = fn(&[u8]);

/// All targets by their names.
pub(crate) const TARGETS: &[(&str, Target)] = &[
    ("grammar", grammar),
    ("schema", schema),
    ("sogou", sogou),
    ("document", document),
    ("rs3", rs3),
    ("rs4", rs4),
    ("dis", dis),
    ("rsd", rsd),
    ("sexp", sexp),
    ("tree", tree),
    ("label", label),
    ("cases", cases),
    ("settings", settings),
    ("summary", summary),
    ("model", model),
    ("edit", edit),
];

/// Typing, deleting and renaming by the bytes themselves: a workspace never falls behind a fresh one.
pub(crate) fn edit(bytes: &[u8]) {
    let (text, typed) = bytes.split_at(bytes.len() - bytes.len() / 4);
    let path = Path::new("a.arsg");
    let files = || Memory::new().with("schema.toml", SCHEMA);
    let open = |text: String| {
        let mut workspace = Workspace::new(Box::new(files()));
        workspace.open(path, text);
        workspace
    };
    let head = "schema \"schema.toml\"\n";
    let mut workspace = open(format!("{head}{}", String::from_utf8_lossy(text)));
    for step in typed.chunks(4) {
        let length = workspace.text(path).map_or(0, |source| source.text().len());
        let place = usize::from(step[0]) * 256 + usize::from(*step.last().unwrap_or(&0));
        let at = place % (length + 1);
        match step[0] % 5 {
            0 => workspace.change(path, at..at + 9, ""),
            1 => {
                if let Ok(edits) = workspace.rename(path, at, "新名") {
                    let now = workspace
                        .text(path)
                        .map(|source| apply(source.text(), &edits));
                    workspace.open(path, now.unwrap_or_default());
                }
            }
            _ => workspace.change(path, at..at, &String::from_utf8_lossy(step)),
        }
        workspace.complete(path, at);
        workspace.hover(path, at);
        workspace.fixes(path, at..at + 20);
    }
    let text = workspace.text(path).map(|source| source.text().to_owned());
    let mut fresh = open(text.unwrap_or_default());
    assert_eq!(workspace.problems(path), fresh.problems(path));
    assert_eq!(workspace.colours(path), fresh.colours(path));
    assert_eq!(workspace.format(path), fresh.format(path));
}

/// A grammar loads, and what can be formatted stays what it was.
pub(crate) fn grammar(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else {
        return;
    };
    let files = Memory::new()
        .with("schema.toml", SCHEMA)
        .with("a.arsg", format!("schema \"schema.toml\"\n{text}"));
    if let Ok(loaded) = Grammar::load("a.arsg", &files, None) {
        let diagnostics = loaded.check();
        let _ = Renderer::default().render(&diagnostics);
        let _ = loaded.grammar.stats();
        let written = loaded.grammar.to_text();
        if let Ok(merged) = merge(&[loaded.grammar.clone(), loaded.grammar.clone()]) {
            let _ = diff(&loaded.grammar, &merged).to_markdown();
        }
        let again = Memory::new()
            .with("schema.toml", SCHEMA)
            .with("b.arsg", written.as_str());
        let again = Grammar::load("b.arsg", &again, None).map(|again| again.grammar.to_text());
        assert_eq!(again.ok().as_deref(), Some(written.as_str()));
    }
    match format(&Source::new("a.arsg", text)) {
        Ok(once) => {
            let twice = format(&Source::new("a.arsg", once.as_str()));
            assert_eq!(twice.ok().as_deref(), Some(once.as_str()), "not idempotent");
        }
        Err(arsg::Error::Invalid(_)) => {}
        Err(error) => panic!("{error}"),
    }
}

/// A schema loads.
pub(crate) fn schema(bytes: &[u8]) {
    if let Ok(text) = std::str::from_utf8(bytes) {
        let loaded = arsg::Schema::load(&Source::new("a.toml", text));
        let _ = Renderer::default().render(&loaded.diagnostics);
    }
}

/// A SogouCA file is read to its end, and what comes out can be cut into EDUs.
pub(crate) fn sogou(bytes: &[u8]) {
    let input = Box::new(Cursor::new(bytes.to_vec()));
    let Ok(reader) = Reader::new(input, "a.dat", Some(corpus::Format::Sogou)) else {
        return;
    };
    for document in reader.flatten() {
        let analysis = ANALYZER.analyze(&document);
        let edus = analysis
            .edus
            .iter()
            .map(|edu| edu.range.len())
            .sum::<usize>();
        let blocks = document
            .blocks
            .iter()
            .map(|block| block.range.len())
            .sum::<usize>();
        assert_eq!(edus, blocks, "EDUs tile the blocks");
    }
}

/// Documents in JSON are read to the end, and come back as they were written.
pub(crate) fn document(bytes: &[u8]) {
    let read = |bytes: Vec<u8>| -> Vec<Document> {
        let format = Some(corpus::Format::JsonLines);
        let reader = Reader::new(Box::new(Cursor::new(bytes)), "a.jsonl", format);
        reader.map_or(Vec::new(), |reader| reader.flatten().collect())
    };
    for document in read(bytes.to_vec()) {
        let line = serde_json::to_vec(&document).expect("what was read can be written");
        assert_eq!(read(line), [document]);
    }
}

/// Trees are read, drawn, and written the same twice.
fn trees(bytes: &[u8], format: Format) {
    let Ok(text) = decode(bytes, "a") else {
        return;
    };
    let found = read(&Source::new("a", text), Some(format));
    let _ = Renderer::default().render(&found.diagnostics);
    for tree in &found.trees {
        let _ = draw_svg(tree);
        let once = write(tree, format, &WriteOptions::default());
        let again = read(&Source::new("b", once.as_str()), Some(format));
        let again = again.trees.iter();
        let again: Vec<String> = again
            .map(|tree| write(tree, format, &WriteOptions::default()))
            .collect();
        assert_eq!(again, [once], "the second time it is the same");
    }
}

/// rs3: the XML of RSTTool.
pub(crate) fn rs3(bytes: &[u8]) {
    trees(bytes, Format::Rs3);
}

/// rs4: the same with signals and secondary edges.
pub(crate) fn rs4(bytes: &[u8]) {
    trees(bytes, Format::Rs4);
}

/// dis: the brackets of the RST Discourse Treebank.
pub(crate) fn dis(bytes: &[u8]) {
    trees(bytes, Format::Dis);
}

/// rsd: dependencies in columns.
pub(crate) fn rsd(bytes: &[u8]) {
    trees(bytes, Format::Rsd);
}

/// sexp: brackets that people write.
pub(crate) fn sexp(bytes: &[u8]) {
    trees(bytes, Format::Sexp);
}

/// JSON trees.
pub(crate) fn tree(bytes: &[u8]) {
    trees(bytes, Format::Json);
}

/// A label is read and done again.
pub(crate) fn label(bytes: &[u8]) {
    let mut file = LabelFile::read(bytes, "a.label");
    if let Some(labelling) = file.replay(&ENGINE) {
        let _ = labelling.is_complete();
        let _ = labelling.tree();
    }
    let _ = Renderer::default().render(&file.diagnostics);
    if let Some(label) = &file.label {
        let lines = label.to_lines().expect("what was read can be written");
        let again = LabelFile::read(lines.as_bytes(), "b.label").label;
        assert_eq!(again.as_ref(), Some(label));
    }
}

/// Regression cases are read.
pub(crate) fn cases(bytes: &[u8]) {
    if let Ok(text) = std::str::from_utf8(bytes) {
        let file = read_cases(&Source::new("a.case", text));
        let _ = Renderer::default().render(&file.diagnostics);
    }
}

/// `arsg.toml` is read.
pub(crate) fn settings(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else {
        return;
    };
    match ProjectSettings::load(&Source::new("arsg.toml", text)) {
        Ok(settings) => {
            let _ = settings.summarize.options();
        }
        Err(arsg::Error::Invalid(found)) => {
            let _ = Renderer::default().render(&found);
        }
        Err(error) => panic!("{error}"),
    }
}

/// The JSON of a summary can be laid out again.
pub(crate) fn summary(bytes: &[u8]) {
    if let Ok(summary) = serde_json::from_slice::<SummaryJson>(bytes) {
        let _ = to_markdown(&summary, SummaryLayout::default());
        let _ = to_html(&summary, SummaryLayout::default());
    }
}

/// A file of vectors is loaded or refused.
pub(crate) fn model(bytes: &[u8]) {
    static FILE: LazyLock<PathBuf> = LazyLock::new(|| {
        let name = format!("arsg-fuzz-{}.safetensors", std::process::id());
        std::env::temp_dir().join(name)
    });
    std::fs::write(&*FILE, bytes).expect("the temporary folder can be written to");
    if let Ok(model) = Model::load(&FILE) {
        let _ = Embedder::new(model);
    }
    let _ = Impacts::load(&FILE);
    let _ = std::fs::remove_file(&*FILE);
}
