//! What can stand at the cursor.

use std::ops::Range;
use std::path::Path;

use serde::Serialize;

use super::declared::SECTIONS;
use super::formulas::Kind;
use super::hover::describe;
use super::names::Thing;
use super::scan::{Token, TokenKind, is_name_letter, tokens};
use super::slots::{Slot, slots};
use super::snippets::{SNIPPETS, Snippet};
use super::workspace::{FileKind, Workspace};
use crate::files::sources::path_from;
use crate::grammar::functions::{Domain, FUNCTIONS, Function, Parameter, Scope};
use crate::grammar::{
    Context, Strength, Vocabulary, embedded_grammar_names, statement_spans, usage,
};
use crate::schema::{LeafSource, Schema, ValueType, embedded_schema_names};

/// Something that can stand at the cursor.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Completion {
    /// What the list shows.
    pub label: String,
    /// What kind of word it is.
    pub kind: &'static str,
    /// Said beside it.
    pub detail: Option<String>,
    /// Said below it, in Markdown.
    pub doc: Option<String>,
    /// What it puts in the place of `range`; with `snippet`, `$1` and `${1:word}` are places to fill in.
    pub insert: String,
    /// True when `insert` has places to fill in.
    pub snippet: bool,
    /// What it takes the place of.
    pub range: Range<usize>,
}

/// The kinds of words that a list shows.
mod kind {
    pub(super) const KEYWORD: &str = "keyword";
    pub(super) const SYMBOL: &str = "symbol";
    pub(super) const RELATION: &str = "relation";
    pub(super) const VALUE: &str = "value";
    pub(super) const ATTRIBUTE: &str = "attribute";
    pub(super) const FUNCTION: &str = "function";
    pub(super) const NODE: &str = "node";
    pub(super) const FILE: &str = "file";
    pub(super) const SNIPPET: &str = "snippet";
}

/// How many words of a cue class a list shows.
const WORDS_SHOWN: usize = 6;

impl Workspace {
    /// What can stand at a byte of a file, in a useful order. Editors filter it by what is typed.
    pub fn complete(&mut self, path: &Path, at: usize) -> Vec<Completion> {
        let Some(source) = self.text(path) else {
            return Vec::new();
        };
        let text = source.text();
        let schema = self.schema_of(path);
        match FileKind::of(path) {
            FileKind::Grammar => self.in_grammar(path, text, at, &schema),
            FileKind::Schema => in_schema(text, at, &schema),
            FileKind::Cases => in_cases(text, at, &schema),
        }
    }

    fn in_grammar(
        &mut self,
        path: &Path,
        text: &str,
        at: usize,
        schema: &Schema,
    ) -> Vec<Completion> {
        let Some(cursor) = Cursor::find(text, at, schema) else {
            return Vec::new();
        };
        let mut list = List {
            schema,
            range: cursor.range.clone(),
            found: Vec::new(),
        };
        match cursor.slot {
            Slot::UsePath => self.paths(path, &mut list, FileKind::Grammar),
            Slot::SchemaPath => self.paths(path, &mut list, FileKind::Schema),
            Slot::GrammarName => {
                let name = path
                    .file_stem()
                    .map(|name| name.to_string_lossy().into_owned());
                list.words(kind::VALUE, name.iter().map(String::as_str));
            }
            slot => list.slot(slot, cursor.at_margin),
        }
        list.found
    }

    /// Files that can be named, and shipped ones by name.
    fn paths(&mut self, path: &Path, list: &mut List<'_>, wanted: FileKind) {
        let own = self.root_of(path);
        let files = match wanted {
            FileKind::Schema => self.schema_files(),
            _ => self.grammars(),
        };
        let others = files
            .iter()
            .filter(|file| **file != own && file.as_path() != path);
        for file in others {
            let written = path_from(path, file)
                .display()
                .to_string()
                .replace('\\', "/");
            list.add(written, kind::FILE, None, None);
        }
        let shipped: Vec<&str> = match wanted {
            FileKind::Schema => embedded_schema_names().collect(),
            _ => embedded_grammar_names().collect(),
        };
        for name in shipped {
            list.add(name, kind::FILE, Some("ships with arsg".to_owned()), None);
        }
    }
}

/// Where the cursor is.
struct Cursor {
    slot: Slot,
    /// The word that is being typed.
    range: Range<usize>,
    /// Nothing stands before it on its line.
    at_margin: bool,
}

impl Cursor {
    fn find(text: &str, at: usize, schema: &Schema) -> Option<Cursor> {
        let before = text.get(..at)?;
        let line = before.rfind('\n').map_or(0, |at| at + 1);
        let after = text.get(at..)?;
        let begun = before
            .trim_end_matches(|c| is_name_letter(c) || c == '-')
            .len();
        let left = after
            .find(|c| !is_name_letter(c) && c != '-')
            .unwrap_or(after.len());
        let mut range = begun.max(line)..at + left;
        let from = statement_start(text, at, line);
        let mut code: Vec<Token> = tokens(text.get(from..at)?)
            .into_iter()
            .map(|token| Token {
                start: token.start + from,
                end: token.end + from,
                ..token
            })
            .collect();
        let last = code.last().copied();
        let in_prose = last.is_some_and(|token| {
            let is_comment = matches!(token.kind, TokenKind::Comment | TokenKind::Doc);
            is_comment && (token.end == at || token.start >= line)
        });
        if in_prose {
            return None;
        }
        code.retain(|token| !matches!(token.kind, TokenKind::Comment | TokenKind::Doc));
        let open_text = code.last().filter(|token| {
            let written = text.get(token.range()).unwrap_or_default();
            let is_closed = written.len() > 1 && written.ends_with('"');
            token.kind == TokenKind::Text && !is_closed && token.end == at
        });
        if let Some(open) = open_text {
            let rest = after.find(['"', '\n']).unwrap_or(after.len());
            range = open.start + 1..at + rest;
        } else {
            code.retain(|token| token.start < range.start);
            code.push(Token {
                kind: TokenKind::Word,
                start: range.start,
                end: range.start,
            });
        }
        let slot = *slots(text, &code, schema).last()?;
        let margin = text.get(line..range.start)?.trim().is_empty();
        Some(Cursor {
            slot,
            range,
            at_margin: margin,
        })
    }
}

/// Where the statement begins that the cursor stands in: after a blank line, or at the margin, a new one does.
fn statement_start(text: &str, at: usize, line: usize) -> usize {
    let typed = text.get(line..at).unwrap_or_default();
    let spans = statement_spans(text.get(..at).unwrap_or_default());
    let Some(last) = spans.last() else {
        return line;
    };
    let between = text.get(last.end..line).unwrap_or_default();
    let has_blank_line = between.matches('\n').count() > 1;
    let is_new_line = last.end < line || last.end == at && last.start >= line;
    let begins = typed.trim().is_empty() && typed.is_empty();
    if is_new_line && last.end < line && (begins || has_blank_line) {
        return line;
    }
    last.start
}

/// The list being made.
struct List<'s> {
    schema: &'s Schema,
    range: Range<usize>,
    found: Vec<Completion>,
}

impl List<'_> {
    fn add(
        &mut self,
        label: impl Into<String>,
        kind: &'static str,
        detail: Option<String>,
        doc: Option<String>,
    ) {
        let label = label.into();
        self.found.push(Completion {
            insert: label.clone(),
            label,
            kind,
            detail: detail.filter(|detail| !detail.is_empty()),
            doc,
            snippet: false,
            range: self.range.clone(),
        });
    }

    fn words<'w>(&mut self, kind: &'static str, words: impl IntoIterator<Item = &'w str>) {
        for word in words {
            self.add(word, kind, None, None);
        }
    }

    fn slot(&mut self, slot: Slot, at_margin: bool) {
        match slot {
            Slot::Statement => self.statements(at_margin),
            Slot::Symbol => self.symbols(true),
            Slot::Relation => self.relations(),
            Slot::Outcome => {
                self.relations();
                self.classes("-*");
                self.add("*", kind::RELATION, Some("any relation".to_owned()), None);
            }
            Slot::Choice(words) => self.words(kind::KEYWORD, words.iter().copied()),
            Slot::Node(context) => self.nodes(context),
            Slot::Feature(context, is_parent) => self.features(context, is_parent),
            Slot::Attribute => self.attributes(),
            Slot::Operand(context) => {
                self.nodes(context);
                self.functions(context.scope());
                self.words(kind::KEYWORD, ["not", "true", "false"]);
            }
            Slot::Function(context) => self.functions(context.scope()),
            Slot::Value(kind) => self.values(kind),
            Slot::Key(kind) => {
                self.values(kind);
                self.words(kind::KEYWORD, ["else", "unknown"]);
            }
            Slot::Operator(sets) => {
                self.words(kind::KEYWORD, ["and", "or", "in", "not in", "implies"]);
                self.words(kind::KEYWORD, sets.then_some("set"));
            }
            Slot::Tail(sets) => {
                self.words(kind::KEYWORD, ["when"]);
                self.words(kind::KEYWORD, sets.then_some("set"));
                self.words(kind::KEYWORD, Strength::NAMES);
                self.words(kind::KEYWORD, ["x", "w"]);
            }
            Slot::TableTail => self.words(kind::KEYWORD, ["by", "when"]),
            _ => {}
        }
    }

    fn statements(&mut self, at_margin: bool) {
        for snippet in SNIPPETS {
            self.snippet(snippet);
        }
        if at_margin {
            self.symbols(true);
        }
    }

    fn snippet(&mut self, snippet: &Snippet) {
        self.found.push(Completion {
            label: snippet.label.to_owned(),
            kind: kind::SNIPPET,
            detail: Some(snippet.detail.to_owned()),
            doc: describe(&Thing::Word(snippet.word.to_owned()), self.schema),
            insert: snippet.insert.to_owned(),
            snippet: true,
            range: self.range.clone(),
        });
    }

    fn symbols(&mut self, with_any: bool) {
        if with_any {
            self.add("_", kind::SYMBOL, Some("any symbol".to_owned()), None);
        }
        let schema = self.schema;
        for own in &schema.relations {
            let detail = own.doc.clone().unwrap_or_else(|| some_words(&own.triggers));
            let doc = describe(&Thing::Symbol(own.name.clone()), schema);
            self.add(&own.name, kind::SYMBOL, Some(detail), doc);
        }
    }

    fn relations(&mut self) {
        let schema = self.schema;
        for own in &schema.rhetoric {
            let doc = describe(&Thing::Relation(own.name.clone()), schema);
            let detail = match own.kind {
                crate::schema::RhetoricKind::Rst => "nucleus and satellite",
                crate::schema::RhetoricKind::Multinuc => "nuclei",
            };
            self.add(&own.name, kind::RELATION, Some(detail.to_owned()), doc);
        }
    }

    fn classes(&mut self, ending: &str) {
        let mut seen: Vec<&str> = Vec::new();
        let schema = self.schema;
        for own in &schema.rhetoric {
            if !seen.contains(&own.class.as_str()) {
                seen.push(&own.class);
                let detail = Some("a class of relations".to_owned());
                self.add(
                    format!("{}{ending}", own.class),
                    kind::RELATION,
                    detail,
                    None,
                );
            }
        }
    }

    fn nodes(&mut self, context: Context) {
        for node in context.nodes() {
            let doc = describe(&Thing::Node(node.as_str().to_owned()), self.schema);
            self.add(node.as_str(), kind::NODE, None, doc);
        }
    }

    fn features(&mut self, context: Context, is_parent: bool) {
        let asks_one = |function: &&Function| {
            matches!(
                function.parameters,
                [Parameter::Node | Parameter::Word | Parameter::Line]
            )
        };
        let scope = context.scope();
        let functions = FUNCTIONS.iter().filter(|_| !is_parent);
        for function in functions.filter(|f| f.scope == scope).filter(asks_one) {
            let doc = describe(&Thing::Function(function.name.to_owned()), self.schema);
            let detail = Some(function.doc.to_owned());
            self.add(function.name, kind::FUNCTION, detail, doc);
        }
        if scope == Scope::Nodes {
            self.attributes();
        }
    }

    fn attributes(&mut self) {
        let schema = self.schema;
        for own in &schema.attributes {
            let doc = describe(&Thing::Attribute(own.name.clone()), schema);
            let detail = Some(own.value_type.as_str().to_owned());
            self.add(&own.name, kind::ATTRIBUTE, detail, doc);
        }
    }

    /// Functions with several arguments, with places to fill them in.
    fn functions(&mut self, scope: Scope) {
        let here =
            |function: &&Function| function.scope == scope || function.scope == Scope::Anywhere;
        for function in FUNCTIONS.iter().filter(here) {
            let is_feature = matches!(
                function.parameters,
                [Parameter::Node | Parameter::Word | Parameter::Line]
            );
            if is_feature {
                continue;
            }
            let usage = usage(function);
            let arguments = usage
                .split_once('(')
                .map(|(_, rest)| rest.trim_end_matches(')'));
            let insert = match arguments {
                None => function.name.to_owned(),
                Some(arguments) => {
                    let named = arguments.split(", ").enumerate();
                    let places = named.map(|(at, name)| format!("${{{}:{name}}}", at + 1));
                    format!(
                        "{}({})",
                        function.name,
                        places.collect::<Vec<_>>().join(", ")
                    )
                }
            };
            let snippet = arguments.is_some();
            self.found.push(Completion {
                label: function.name.to_owned(),
                kind: kind::FUNCTION,
                detail: Some(usage),
                doc: describe(&Thing::Function(function.name.to_owned()), self.schema),
                snippet,
                insert,
                range: self.range.clone(),
            });
        }
    }

    fn values(&mut self, kind: Kind) {
        let schema = self.schema;
        match kind {
            Kind::Truth => self.words(kind::KEYWORD, ["true", "false"]),
            Kind::Order => self.words(kind::KEYWORD, ["less", "equal", "greater"]),
            Kind::Any => {}
            Kind::Of(Domain::Cues) => {
                for own in &schema.cues {
                    let doc = describe(&Thing::Cue(own.name.clone()), schema);
                    self.add(&own.name, kind::VALUE, Some(some_words(&own.words)), doc);
                }
                self.add("none", kind::VALUE, None, None);
            }
            Kind::Of(Domain::Concepts) => {
                for own in &schema.concepts {
                    let doc = describe(&Thing::Concept(own.name.clone()), schema);
                    self.add(&own.name, kind::VALUE, Some(some_words(&own.words)), doc);
                }
            }
            Kind::Of(Domain::Relations) => self.symbols(false),
            Kind::Of(Domain::Rhetoric) => {
                self.relations();
                self.add("none", kind::VALUE, None, None);
            }
            Kind::Of(Domain::Classes) => {
                self.classes("");
                self.add("none", kind::VALUE, None, None);
            }
            Kind::Of(domain) => {
                let vocabulary = Vocabulary::new(schema);
                let values = vocabulary.values(domain).unwrap_or_default();
                self.words(kind::VALUE, values);
            }
        }
    }
}

/// The first few words of a list.
pub(super) fn some_words(words: &[String]) -> String {
    let shown: Vec<&str> = words.iter().take(WORDS_SHOWN).map(String::as_str).collect();
    let more = if words.len() > WORDS_SHOWN {
        "……"
    } else {
        ""
    };
    format!("{}{more}", shown.join("、"))
}

/// The keys of each section.
const KEYS: [(&str, &[&str]); 6] = [
    (
        "domain",
        &[
            "name",
            "language",
            "start",
            "segmentation",
            "base",
            "inherit",
        ],
    ),
    (
        "relation",
        &[
            "parent",
            "polarity",
            "triggers",
            "drop-triggers",
            "forms",
            "core",
            "subject",
            "doc",
        ],
    ),
    ("concept", &["kind", "words", "drop-words"]),
    ("rhetoric", &["kind", "class", "cues"]),
    ("attribute", &["type", "values", "leaf", "synthesis"]),
    (
        "cue",
        &["words", "after-subject", "drop-words", "answered-by"],
    ),
];

/// What can stand in a schema: headings, keys, and the values of keys.
fn in_schema(text: &str, at: usize, schema: &Schema) -> Vec<Completion> {
    let before = text.get(..at).unwrap_or_default();
    let start = before.rfind('\n').map_or(0, |at| at + 1);
    let typed = before.get(start..).unwrap_or_default();
    let heading = before
        .lines()
        .rev()
        .skip(1)
        .find(|line| line.starts_with('['));
    let heading = heading.map_or("", |line| line.trim_start_matches('['));
    let section = heading.split(['.', ']']).next().unwrap_or_default();
    let begun = before
        .trim_end_matches(|c| is_name_letter(c) || c == '-')
        .len();
    let mut list = List {
        schema,
        range: begun..at,
        found: Vec::new(),
    };
    if let Some(inside) = typed.strip_prefix('[') {
        if !inside.contains(['.', ']']) {
            list.words(kind::KEYWORD, ["domain"]);
            list.words(kind::KEYWORD, SECTIONS);
        }
        return list.found;
    }
    // A list may go on over several lines.
    let key = match typed.split_once('=') {
        Some((key, _)) => key.trim(),
        None => open_list(before, start).unwrap_or_default(),
    };
    if key.is_empty() {
        let keys = KEYS.iter().find(|(known, _)| *known == section);
        list.words(
            kind::ATTRIBUTE,
            keys.map_or(&[][..], |(_, keys)| *keys).iter().copied(),
        );
        return list.found;
    }
    match (section, key) {
        (_, "parent") | ("domain", "start") => list.symbols(false),
        (_, "cues" | "answered-by") => list.values(Kind::Of(Domain::Cues)),
        (_, "class") => list.classes(""),
        ("domain", "base") => list.words(kind::FILE, embedded_schema_names()),
        ("domain", "segmentation") => {
            list.words(kind::VALUE, crate::schema::Segmentation::NAMES);
        }
        ("domain", "inherit") => list.words(kind::VALUE, SECTIONS),
        ("relation", "forms") => list.words(kind::VALUE, crate::schema::Form::NAMES),
        ("relation", "core") => list.words(kind::VALUE, ["true", "false"]),
        ("relation", "subject") | ("concept", "kind") => {
            list.words(kind::VALUE, crate::schema::ConceptKind::NAMES);
        }
        ("rhetoric", "kind") => list.words(kind::VALUE, crate::schema::RhetoricKind::NAMES),
        ("attribute", "type") => list.words(kind::VALUE, ValueType::NAMES),
        ("attribute", "leaf") => list.words(kind::VALUE, LeafSource::NAMES),
        ("attribute", "synthesis") => {
            list.words(kind::VALUE, crate::schema::Synthesis::NAMES);
        }
        _ => {}
    }
    if !typed.trim_end().ends_with(is_text_open) && typed.matches('"').count() % 2 == 0 {
        let plain = matches!(key, "core");
        for own in list.found.iter_mut().filter(|_| !plain) {
            own.insert = format!("\"{}\"", own.insert);
        }
    }
    list.found
}

fn is_text_open(letter: char) -> bool {
    letter == '"'
}

/// The key of a list that an earlier line opened and no line has closed.
fn open_list(before: &str, line: usize) -> Option<&str> {
    let above = before.get(..line)?;
    let opened = above.rfind('[')?;
    if above.get(opened..)?.contains(']') {
        return None;
    }
    let start = above.get(..opened)?.rfind('\n').map_or(0, |at| at + 1);
    let (key, _) = above.get(start..opened)?.split_once('=')?;
    Some(key.trim())
}

/// What can stand in a case file: attributes in the head, relations in the tree.
fn in_cases(text: &str, at: usize, schema: &Schema) -> Vec<Completion> {
    let before = text.get(..at).unwrap_or_default();
    let start = before.rfind('\n').map_or(0, |at| at + 1);
    let typed = before.get(start..).unwrap_or_default();
    let begun = before
        .trim_end_matches(|c| is_name_letter(c) || c == '-')
        .len();
    let mut list = List {
        schema,
        range: begun..at,
        found: Vec::new(),
    };
    if typed.trim_start().starts_with(':') {
        let attributes = [
            "skip",
            "error",
            "strict",
            "raw",
            "parses(1)",
            "title",
            "date",
            "url",
            "source",
        ];
        list.words(kind::ATTRIBUTE, attributes);
    } else if typed
        .get(..begun.saturating_sub(start))
        .is_some_and(|own| own.ends_with('('))
    {
        list.relations();
    }
    list.found
}
