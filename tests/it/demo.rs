//! The demo corpus: every text is whole, every tree is well-formed, every listed contradiction is there.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::sync::LazyLock;

use arsg::Tree;
use arsg::diagnostic::Source;
use arsg::lexcore::Extractor;
use arsg::schema::RhetoricKind;
use arsg::text::Document;
use arsg::tree::{Format, Roles, WriteOptions, read, write};

use crate::fixtures::FINANCE;

const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/demo");

static CASES: LazyLock<Vec<Case>> = LazyLock::new(cases);

/// A text with its tree.
struct Case {
    file: String,
    id: String,
    header: BTreeMap<String, String>,
    paragraphs: Vec<Vec<String>>,
    expected: String,
}

impl Case {
    fn edus(&self) -> Vec<&str> {
        self.paragraphs
            .iter()
            .flatten()
            .map(String::as_str)
            .collect()
    }

    fn field(&self, name: &str) -> &str {
        let value = self.header.get(name);
        value.unwrap_or_else(|| panic!("{}: no :{name}", self.id))
    }

    fn tree(&self) -> Tree {
        let source = Source::new(self.id.clone(), self.expected.clone());
        let found = read(&source, Some(Format::Sexp));
        assert!(
            found.diagnostics.is_empty(),
            "{}: {:?}",
            self.id,
            found.diagnostics
        );
        found.into_tree().unwrap()
    }

    fn document(&self) -> Document {
        let mut document = Document::from_edus(&*self.id, &self.paragraphs);
        document.date = Some(self.field("date").parse().unwrap());
        document
    }
}

/// All cases of all files, in the order of the files' names.
fn cases() -> Vec<Case> {
    let mut paths: Vec<_> = fs::read_dir(FOLDER)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| {
            path.extension()
                .is_some_and(|extension| extension == "case")
        })
        .collect();
    paths.sort();
    paths.iter().flat_map(|path| cases_of(path)).collect()
}

/// `===`, header, `===`, body, `---`, tree, and again.
fn cases_of(path: &Path) -> Vec<Case> {
    let file = path.file_name().unwrap().to_string_lossy().into_owned();
    let text = fs::read_to_string(path).unwrap();
    let rest = text.strip_prefix("===\n").unwrap();
    let pieces: Vec<&str> = rest.split("\n===\n").collect();
    assert_eq!(pieces.len() % 2, 0, "{file}: a header without a body");
    pieces
        .chunks_exact(2)
        .map(|pair| case(&file, pair[0], pair[1]))
        .collect()
}

fn case(file: &str, header: &str, body: &str) -> Case {
    let mut lines = header.lines();
    let id = lines.next().unwrap().to_owned();
    let header = lines
        .map(|line| line.strip_prefix(':').unwrap().split_once(' ').unwrap())
        .map(|(name, value)| (name.to_owned(), value.to_owned()))
        .collect();
    let (text, expected) = body.split_once("\n---\n").unwrap();
    let paragraphs = text
        .split("\n\n")
        .map(|paragraph| paragraph.lines().map(str::to_owned).collect())
        .collect();
    Case {
        file: file.to_owned(),
        id,
        header,
        paragraphs,
        expected: expected.trim_end().to_owned() + "\n",
    }
}

#[test]
fn forty_texts_and_more_of_eight_to_thirty_edus() {
    assert!(CASES.len() >= 40, "{} texts", CASES.len());
    for case in CASES.iter() {
        let (edus, paragraphs) = (case.edus().len(), case.paragraphs.len());
        assert!((8..=30).contains(&edus), "{}: {edus} EDUs", case.id);
        assert!(
            (3..=8).contains(&paragraphs),
            "{}: {paragraphs} paragraphs",
            case.id
        );
    }
}

#[test]
fn at_least_eight_events_are_told_by_four_texts_or_more() {
    let mut told: BTreeMap<&str, usize> = BTreeMap::new();
    for case in CASES.iter().filter(|case| case.file != "singles.case") {
        *told.entry(&case.file).or_default() += 1;
    }
    let often = told.values().filter(|&&texts| texts >= 4).count();
    assert!(often >= 8, "{told:?}");
}

#[test]
fn headers_are_complete() {
    let mut seen = BTreeSet::new();
    for case in CASES.iter() {
        let fields: Vec<&str> = case.header.keys().map(String::as_str).collect();
        assert_eq!(
            fields,
            ["date", "polarity", "source", "title", "url"],
            "{}",
            case.id
        );
        assert!(seen.insert(&*case.id), "{} twice", case.id);
        assert!(
            seen.insert(case.field("url")),
            "{} twice",
            case.field("url")
        );
        assert!(
            seen.insert(case.field("title")),
            "{} twice",
            case.field("title")
        );
        let polarity = case.field("polarity");
        assert!(
            ["positive", "negative", "neutral"].contains(&polarity),
            "{}: {polarity}",
            case.id
        );
    }
}

/// Hosts that nobody can own (RFC 2606), so that no text seems to be somebody's.
#[test]
fn hosts_are_reserved_ones() {
    for case in CASES.iter() {
        let url = case.field("url").strip_prefix("http://").unwrap();
        let host = url.split('/').next().unwrap();
        let reserved = ["example.com", "example.net", "example.org"];
        assert!(
            reserved.iter().any(|domain| host.ends_with(domain)),
            "{}: {host}",
            case.id
        );
    }
}

#[test]
fn paragraphs_are_whole_sentences() {
    for case in CASES.iter() {
        for paragraph in &case.paragraphs {
            let text = paragraph.concat();
            assert!(text.ends_with(['。', '”', '？']), "{}: {text}", case.id);
            for mark in ["“”", "《》", "（）"] {
                let mut pair = mark.chars();
                let (open, close) = (pair.next().unwrap(), pair.next().unwrap());
                let (opened, closed) = (text.matches(open).count(), text.matches(close).count());
                assert_eq!(opened, closed, "{}: {text}", case.id);
            }
        }
        for edu in case.edus() {
            assert_eq!(edu, edu.trim(), "{}", case.id);
            assert!(
                edu.ends_with(['，', '。', '；', '：', '？', '”']),
                "{}: {edu}",
                case.id
            );
        }
    }
}

#[test]
fn trees_stand_over_all_edus_and_are_binary() {
    for case in CASES.iter() {
        let tree = case.tree();
        assert_eq!(tree.edus.len(), case.edus().len(), "{}", case.id);
        assert!(
            tree.post_order().all(|(_, node)| !node.is_part()),
            "{}: a node with more than two children",
            case.id
        );
    }
}

#[test]
fn relations_are_the_schema_s_and_join_what_they_should() {
    for case in CASES.iter() {
        let tree = case.tree();
        for pair in tree.post_order().filter_map(|(_, node)| node.pair()) {
            let name = pair.relation.as_deref().unwrap();
            let Some(rhetoric) = FINANCE.schema.rhetoric(name) else {
                panic!("{}: no relation `{name}`", case.id);
            };
            let kind = match pair.roles {
                Roles::NucleusNucleus => RhetoricKind::Multinuc,
                Roles::NucleusSatellite | Roles::SatelliteNucleus => RhetoricKind::Rst,
            };
            assert_eq!(rhetoric.kind, kind, "{}: {name} {}", case.id, pair.roles);
        }
    }
}

/// So that updating a case changes no line that did not have to change.
#[test]
fn trees_are_written_as_the_program_writes_them() {
    for case in CASES.iter() {
        let written = write(&case.tree(), Format::Sexp, &WriteOptions::default());
        assert_eq!(written, case.expected, "{}", case.id);
    }
}

#[test]
fn most_relations_of_the_schema_occur() {
    /// Of the 32; news without headings, greetings and split units does not use them all.
    const AT_LEAST: usize = 24;
    let trees: Vec<Tree> = CASES.iter().map(Case::tree).collect();
    let used: BTreeSet<&str> = trees
        .iter()
        .flat_map(|tree| tree.post_order())
        .filter_map(|(_, node)| node.relation().map(|relation| &**relation))
        .collect();
    assert!(used.len() >= AT_LEAST, "{}: {used:?}", used.len());
}

#[test]
fn every_text_has_cores() {
    let extractor = Extractor::new(&FINANCE.schema);
    let mut total = 0;
    for case in CASES.iter() {
        let document = case.document();
        let cores = extractor.extract(&document, &FINANCE.analyzer.analyze(&document));
        assert!(!cores.is_empty(), "{} has no core", case.id);
        total += cores.len();
    }
    assert!(total >= 8 * CASES.len(), "{total} cores");
}

/// The table of the README: two places, what they speak of, and the two states.
#[test]
fn listed_contradictions_are_in_the_texts() {
    let readme = fs::read_to_string(format!("{FOLDER}/README.md")).unwrap();
    let texts: BTreeMap<&str, &Case> = CASES.iter().map(|case| (&*case.id, case)).collect();
    let mut listed = 0;
    for row in readme.lines().filter(|line| line.starts_with("| `")) {
        let cells: Vec<&str> = row.trim_matches('|').split('|').map(str::trim).collect();
        let [first, says, second, says_else, ..] = cells.as_slice() else {
            continue;
        };
        for (place, state) in [(first, says), (second, says_else)] {
            let (id, number) = place.trim_matches('`').split_once(':').unwrap();
            let case = texts.get(id).unwrap_or_else(|| panic!("no text `{id}`"));
            let number: usize = number.parse().unwrap();
            let edu = case.edus()[number - 1];
            assert!(edu.contains(*state), "{id}: {edu} does not say {state}");
        }
        listed += 1;
    }
    assert!(listed >= 8, "{listed} contradictions");
}
