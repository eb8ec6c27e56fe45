//! Reading hand-written TOML with positions: every problem is reported, none stops the reading.
//!
//! A schema may stand on another. Its file and those it stands on are layers, its own first; a table
//! that several layers have is one table of several parts, and what one layer leaves out the next
//! one says.

use std::collections::{HashMap, HashSet};
use std::ops::Range;
use std::str::FromStr;
use std::sync::Arc;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::diagnostic::{Code, Diagnostic, Place, Source, list_names, report};
use crate::named::{UnknownName, named_enum};

/// TOML files being read, with the problems found so far.
#[derive(Default)]
pub(crate) struct Reading {
    pub(crate) problems: Vec<Diagnostic>,
}

/// One file.
#[derive(Clone)]
pub(crate) struct Layer<'a> {
    pub(crate) source: &'a Arc<Source>,
    pub(crate) root: &'a DeTable<'a>,
    /// Its `[domain]`.
    pub(crate) domain: Option<Table<'a>>,
    /// The sections that it takes from the file it stands on; nothing when it takes all.
    pub(crate) inherits: Option<Vec<Section>>,
}

named_enum! {
    /// The tables of a schema that another can take over.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub(crate) enum Section {
        /// Domain relations.
        Relation = "relation",
        /// Concepts.
        Concept = "concept",
        /// Rhetorical relations.
        Rhetoric = "rhetoric",
        /// Attributes.
        Attribute = "attribute",
        /// Cue classes.
        Cue = "cue",
    }
}

/// A table by name.
#[derive(Clone)]
pub(crate) struct Table<'a> {
    pub(crate) name: &'a str,
    /// What each layer says that has it, the nearest first.
    parts: Vec<Part<'a>>,
}

/// What one file says in a table.
#[derive(Clone)]
struct Part<'a> {
    source: &'a Arc<Source>,
    /// The table's name.
    span: Range<usize>,
    entries: &'a DeTable<'a>,
}

/// A value, and where it is written.
#[derive(Debug, Clone)]
pub(crate) struct Written<T> {
    pub(crate) value: T,
    pub(crate) place: Place,
}

impl<'a> Part<'a> {
    fn place(&self, span: Range<usize>) -> Place {
        Place::new(self.source, span)
    }

    fn at(&self, value: &Spanned<DeValue<'_>>) -> Place {
        self.place(value.span())
    }
}

impl Layer<'_> {
    /// True when it takes a section over from the file it stands on.
    pub(crate) fn takes(&self, section: Section) -> bool {
        let sections = self.inherits.as_ref();
        sections.is_none_or(|sections| sections.contains(&section))
    }
}

/// The layers that give a section its tables, of a list with the nearest first.
pub(crate) fn giving<'l, 'a>(layers: &'l [Layer<'a>], section: Section) -> &'l [Layer<'a>] {
    let below = layers.iter().take_while(|layer| layer.takes(section));
    let below = below.count();
    layers.get(..=below).unwrap_or(layers)
}

impl<'a> Table<'a> {
    /// The `[domain]` of some layers as one table.
    pub(crate) fn domain(layers: &[Layer<'a>]) -> Table<'a> {
        let tables = layers.iter().filter_map(|layer| layer.domain.as_ref());
        Table {
            name: "domain",
            parts: tables.flat_map(|table| &table.parts).cloned().collect(),
        }
    }

    /// True when any file says something for that key.
    pub(crate) fn has(&self, key: &str) -> bool {
        self.find(key).is_some()
    }

    /// Where it is declared: in the nearest file that has it.
    pub(crate) fn place(&self) -> Option<Place> {
        let part = self.parts.first()?;
        Some(part.place(part.span.clone()))
    }

    /// The value of a key, from the nearest file that has it.
    fn find(&self, key: &str) -> Option<(&Part<'a>, &'a Spanned<DeValue<'a>>)> {
        let mut parts = self.parts.iter();
        parts.find_map(|part| Some((part, part.entries.get(key)?)))
    }
}

impl Reading {
    /// Parses a whole file; syntax errors are reported and what could be read is returned.
    pub(crate) fn parse<'i>(&mut self, source: &'i Arc<Source>) -> Spanned<DeTable<'i>> {
        let text = source.text();
        let (table, errors) = DeTable::parse_recoverable(text);
        for error in errors {
            let span = error.span().unwrap_or(0..0);
            let message = error.message().lines().collect::<Vec<_>>().join("; ");
            let name = text.get(span.clone()).unwrap_or_default();
            let bare_chinese = !name.is_ascii() && message.starts_with("invalid unquoted key");
            let help = bare_chinese.then(|| format!("put it in quotes: {}", key(name)));
            let place = Place::new(source, span);
            let problem = self.report(Code::S001, place, format!("not valid TOML: {message}"));
            problem.help = help;
            problem.instead = bare_chinese.then(|| key(name)).into_iter().collect();
        }
        table
    }

    /// A parsed file as a layer: its `[domain]`, and what it takes from the file it stands on.
    pub(crate) fn layer<'a>(
        &mut self,
        source: &'a Arc<Source>,
        root: &'a DeTable<'a>,
    ) -> Layer<'a> {
        let mut layer = Layer {
            source,
            root,
            domain: None,
            inherits: None,
        };
        layer.domain = self.table(&layer, "domain");
        if let Some(domain) = layer.domain.as_ref().filter(|domain| domain.has("inherit")) {
            self.required_text(domain, "base");
            let sections = self.texts(domain, "inherit");
            let sections = sections
                .iter()
                .filter_map(|name| self.chosen(name, "inherit"));
            layer.inherits = Some(sections.collect());
        }
        layer
    }

    /// Adds a problem. The caller can say more about it: a help, a related place.
    pub(crate) fn report(
        &mut self,
        code: Code,
        place: Place,
        message: impl Into<String>,
    ) -> &mut Diagnostic {
        report(&mut self.problems, Diagnostic::new(code, message).at(place))
    }

    /// The tables below `[section.*]` of some layers, the nearest layer first: those of the farthest
    /// file before those that only nearer ones have, each file's in its order.
    pub(crate) fn tables<'a>(&mut self, layers: &[Layer<'a>], section: Section) -> Vec<Table<'a>> {
        let (layers, section) = (giving(layers, section), section.as_str());
        let mut tables: Vec<Table<'a>> = Vec::new();
        let mut known: HashMap<&str, usize> = HashMap::new();
        for layer in layers.iter().rev() {
            for (name, part) in self.parts(layer, section) {
                match known.get(name).and_then(|at| tables.get_mut(*at)) {
                    Some(table) => table.parts.insert(0, part),
                    None => {
                        known.insert(name, tables.len());
                        let parts = vec![part];
                        tables.push(Table { name, parts });
                    }
                }
            }
        }
        tables
    }

    /// The tables below `[section.*]` of one file, in its order.
    fn parts<'a>(&mut self, layer: &Layer<'a>, section: &str) -> Vec<(&'a str, Part<'a>)> {
        let Some(value) = layer.root.get(section) else {
            return Vec::new();
        };
        let Some(entries) = value.get_ref().as_table() else {
            let found = value.get_ref().type_str();
            let place = Place::new(layer.source, value.span());
            let message = format!("`{section}` must hold tables, not {found}");
            self.report(Code::S004, place, message).help =
                Some(format!("write `[{section}.NAME]` before its keys"));
            return Vec::new();
        };
        let mut parts = Vec::new();
        for (key, value) in entries.iter() {
            let name: &str = key.get_ref();
            match value.get_ref().as_table() {
                Some(entries) => parts.push((
                    name,
                    Part {
                        source: layer.source,
                        span: key.span(),
                        entries,
                    },
                )),
                None => {
                    let place = Place::new(layer.source, key.span());
                    let message = format!("`{section}.{name}` must be a table");
                    self.report(Code::S004, place, message).help = Some(format!(
                        "write `[{section}.{name}]` on a line of its own, then its keys"
                    ));
                }
            }
        }
        parts
    }

    /// One table of the root, `[section]`.
    pub(crate) fn table<'a>(&mut self, layer: &Layer<'a>, section: &'a str) -> Option<Table<'a>> {
        let (key, value) = layer.root.get_key_value(section)?;
        match value.get_ref().as_table() {
            Some(entries) => Some(Table {
                name: section,
                parts: vec![Part {
                    source: layer.source,
                    span: key.span(),
                    entries,
                }],
            }),
            None => {
                let place = Place::new(layer.source, key.span());
                self.report(Code::S004, place, format!("`{section}` must be a table"));
                None
            }
        }
    }

    /// Reports every section of a file that is not known.
    pub(crate) fn sections(&mut self, layer: &Layer<'_>, known: &[&str]) {
        self.check_keys(layer.source, layer.root, known, "a schema");
    }

    /// Reports every key of a table that is not known.
    pub(crate) fn check_table_keys(&mut self, table: &Table<'_>, known: &[&str], of: &str) {
        for part in &table.parts {
            self.check_keys(part.source, part.entries, known, of);
        }
    }

    fn check_keys(
        &mut self,
        source: &Arc<Source>,
        entries: &DeTable<'_>,
        known: &[&str],
        of: &str,
    ) {
        for (key, _) in entries.iter() {
            let name: &str = key.get_ref();
            if !known.contains(&name) {
                self.problems.push(
                    Diagnostic::new(Code::S002, format!("unknown key `{name}` in {of}"))
                        .at(Place::new(source, key.span()))
                        .help(format!("known keys are {}", list_names(known)))
                        .suggest(name, known.iter().copied()),
                );
            }
        }
    }

    pub(crate) fn text(&mut self, table: &Table<'_>, key: &str) -> Option<Written<String>> {
        let (part, value) = table.find(key)?;
        let place = part.at(value);
        match value.get_ref() {
            DeValue::String(text) => Some(Written {
                value: text.to_string(),
                place,
            }),
            other => {
                self.wrong_type(place, key, "a text in quotes", other.type_str());
                None
            }
        }
    }

    pub(crate) fn required_text(
        &mut self,
        table: &Table<'_>,
        key: &str,
    ) -> Option<Written<String>> {
        if table.find(key).is_none() {
            let name = table.name;
            let message = format!("`{name}` needs the key `{key}`");
            let mut problem = Diagnostic::new(Code::S003, message)
                .help(format!("add `{key} = \"...\"` below it"));
            problem.place = table.place();
            self.problems.push(problem);
            return None;
        }
        self.text(table, key)
    }

    pub(crate) fn integer(&mut self, table: &Table<'_>, key: &str) -> Option<Written<i64>> {
        let (part, value) = table.find(key)?;
        let place = part.at(value);
        let number = value
            .get_ref()
            .as_integer()
            .and_then(|n| i64::from_str_radix(n.as_str(), n.radix()).ok());
        let Some(value) = number else {
            self.wrong_type(place, key, "a whole number", value.get_ref().type_str());
            return None;
        };
        Some(Written { value, place })
    }

    pub(crate) fn boolean(&mut self, table: &Table<'_>, key: &str) -> Option<bool> {
        let (part, value) = table.find(key)?;
        let found = value.get_ref().as_bool();
        if found.is_none() {
            let kind = value.get_ref().type_str();
            self.wrong_type(part.at(value), key, "`true` or `false`", kind);
        }
        found
    }

    /// A list of texts, from the nearest file that has it.
    pub(crate) fn texts(&mut self, table: &Table<'_>, key: &str) -> Vec<Written<String>> {
        match table.find(key) {
            Some((part, value)) => self.texts_of(part, key, value),
            None => Vec::new(),
        }
    }

    /// The words of all files that have the table: each file takes out those under its `drop` key and
    /// adds its own. A word stands once, with the number of the key that names it last.
    pub(crate) fn words(
        &mut self,
        table: &Table<'_>,
        keys: &[&str],
        drop: &str,
    ) -> Vec<(usize, Written<String>)> {
        let mut words: Vec<(usize, Written<String>)> = Vec::new();
        for part in table.parts.iter().rev() {
            if let Some(dropped) = part.entries.get(drop) {
                let dropped = self.texts_of(part, drop, dropped);
                self.drop_words(&mut words, dropped);
            }
            let mut known: HashMap<String, usize> = words
                .iter()
                .enumerate()
                .map(|(at, (_, word))| (word.value.clone(), at))
                .collect();
            for (number, key) in keys.iter().enumerate() {
                let Some(added) = part.entries.get(*key) else {
                    continue;
                };
                for word in self.texts_of(part, key, added) {
                    let at = known.get(&word.value).copied();
                    match at.and_then(|at| words.get_mut(at)) {
                        Some((known, _)) => *known = number,
                        None => {
                            known.insert(word.value.clone(), words.len());
                            words.push((number, word));
                        }
                    }
                }
            }
        }
        words
    }

    fn drop_words(
        &mut self,
        words: &mut Vec<(usize, Written<String>)>,
        dropped: Vec<Written<String>>,
    ) {
        let there: HashSet<String> = words.iter().map(|(_, word)| word.value.clone()).collect();
        let (found, missing): (Vec<_>, Vec<_>) = dropped
            .into_iter()
            .partition(|word| there.contains(&word.value));
        for word in missing {
            let message = format!("`{}` is not there to be dropped", word.value);
            self.report(Code::S017, word.place, message).help = Some("delete it here".to_owned());
        }
        let found: HashSet<String> = found.into_iter().map(|word| word.value).collect();
        words.retain(|(_, word)| !found.contains(&word.value));
    }

    /// A list of non-empty texts. Empty ones are warned about and left out.
    fn texts_of(
        &mut self,
        part: &Part<'_>,
        key: &str,
        value: &Spanned<DeValue<'_>>,
    ) -> Vec<Written<String>> {
        let Some(items) = value.get_ref().as_array() else {
            let found = value.get_ref().type_str();
            self.wrong_type(part.at(value), key, "a list of texts", found);
            return Vec::new();
        };
        let mut texts = Vec::new();
        for item in items.iter() {
            let place = part.at(item);
            match item.get_ref() {
                DeValue::String(text) if text.trim().is_empty() => {
                    self.report(Code::S011, place, format!("empty word in `{key}`"))
                        .help = Some("delete it".to_owned());
                }
                DeValue::String(text) => texts.push(Written {
                    value: text.trim().to_owned(),
                    place,
                }),
                other => self.wrong_type(place, key, "texts in quotes", other.type_str()),
            }
        }
        texts
    }

    /// One of a fixed set of words.
    pub(crate) fn choice<T>(&mut self, table: &Table<'_>, key: &str) -> Option<T>
    where
        T: FromStr<Err = UnknownName>,
    {
        let text = self.text(table, key)?;
        self.chosen(&text, key)
    }

    pub(crate) fn chosen<T>(&mut self, text: &Written<String>, key: &str) -> Option<T>
    where
        T: FromStr<Err = UnknownName>,
    {
        let word = &text.value;
        match word.parse() {
            Ok(value) => Some(value),
            Err(error) => {
                self.problems.push(
                    Diagnostic::new(Code::S004, format!("`{word}` is no value of `{key}`"))
                        .at(text.place.clone())
                        .help(format!("use one of {}", list_names(error.known())))
                        .suggest(word, error.known().iter().copied()),
                );
                None
            }
        }
    }

    fn wrong_type(&mut self, place: Place, key: &str, wanted: &str, found: &str) {
        self.report(
            Code::S004,
            place,
            format!("`{key}` must be {wanted}, not {found}"),
        );
    }
}

/// A name as TOML writes it in a key: only ASCII names go without quotes.
pub(crate) fn key(name: &str) -> String {
    let bare = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
    if !name.is_empty() && name.chars().all(bare) {
        name.to_owned()
    } else {
        format!("\"{name}\"")
    }
}
