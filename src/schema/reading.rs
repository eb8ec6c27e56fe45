//! Reading hand-written TOML with positions: every problem is reported, none stops the reading.

use std::ops::Range;
use std::str::FromStr;
use std::sync::Arc;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::diagnostic::{Code, Diagnostic, Problems, Source};
use crate::named::UnknownName;

/// A TOML file being read, with the problems found so far.
pub(crate) struct Reading {
    pub(crate) problems: Problems,
}

/// A table with the place of its name.
pub(crate) struct Table<'a> {
    pub(crate) name: &'a str,
    pub(crate) span: Range<usize>,
    entries: &'a DeTable<'a>,
}

impl Reading {
    pub(crate) fn new(source: &Arc<Source>) -> Reading {
        Reading {
            problems: Problems::new(source),
        }
    }

    /// Parses the whole file; syntax errors are reported and what could be read is returned.
    pub(crate) fn parse<'i>(&mut self, text: &'i str) -> Spanned<DeTable<'i>> {
        let (table, errors) = DeTable::parse_recoverable(text);
        for error in errors {
            let span = error.span().unwrap_or(0..0);
            let message = error.message().lines().collect::<Vec<_>>().join("; ");
            let name = text.get(span.clone()).unwrap_or_default();
            let bare_chinese = !name.is_ascii() && message.starts_with("invalid unquoted key");
            let help = bare_chinese.then(|| format!("put it in quotes: {}", key(name)));
            self.problems
                .report(Code::S001, span, format!("not valid TOML: {message}"))
                .help = help;
        }
        table
    }

    /// The tables below `[section.*]`, in file order.
    pub(crate) fn tables<'a>(&mut self, root: &'a DeTable<'a>, section: &str) -> Vec<Table<'a>> {
        let Some(value) = root.get(section) else {
            return Vec::new();
        };
        let Some(entries) = value.get_ref().as_table() else {
            let found = value.get_ref().type_str();
            self.problems
                .report(
                    Code::S004,
                    value.span(),
                    format!("`{section}` must hold tables, not {found}"),
                )
                .help = Some(format!("write `[{section}.NAME]` before its keys"));
            return Vec::new();
        };
        let mut tables = Vec::new();
        for (key, value) in entries.iter() {
            match value.get_ref().as_table() {
                Some(entries) => tables.push(Table {
                    name: key.get_ref(),
                    span: key.span(),
                    entries,
                }),
                None => {
                    let name = key.get_ref();
                    let message = format!("`{section}.{name}` must be a table");
                    self.problems.report(Code::S004, key.span(), message).help = Some(format!(
                        "write `[{section}.{name}]` on a line of its own, then its keys"
                    ));
                }
            }
        }
        tables
    }

    /// One table of the root, `[section]`.
    pub(crate) fn table<'a>(
        &mut self,
        root: &'a DeTable<'a>,
        section: &'a str,
    ) -> Option<Table<'a>> {
        let (key, value) = root.get_key_value(section)?;
        match value.get_ref().as_table() {
            Some(entries) => Some(Table {
                name: section,
                span: key.span(),
                entries,
            }),
            None => {
                self.problems.report(
                    Code::S004,
                    key.span(),
                    format!("`{section}` must be a table"),
                );
                None
            }
        }
    }

    /// Reports every key of `entries` that is not known.
    pub(crate) fn known_keys(&mut self, entries: &DeTable<'_>, known: &[&str], of: &str) {
        for (key, _) in entries.iter() {
            let name: &str = key.get_ref();
            if !known.contains(&name) {
                let place = self.problems.place(key.span());
                self.problems.push(
                    Diagnostic::new(Code::S002, format!("unknown key `{name}` in {of}"))
                        .at(place)
                        .help(format!("known keys are {}", listed(known)))
                        .suggest(name, known.iter().copied()),
                );
            }
        }
    }

    pub(crate) fn table_keys(&mut self, table: &Table<'_>, known: &[&str], of: &str) {
        self.known_keys(table.entries, known, of);
    }

    pub(crate) fn text(&mut self, table: &Table<'_>, key: &str) -> Option<Spanned<String>> {
        let value = table.entries.get(key)?;
        match value.get_ref() {
            DeValue::String(text) => Some(Spanned::new(value.span(), text.to_string())),
            other => {
                self.wrong_type(value.span(), key, "a text in quotes", other.type_str());
                None
            }
        }
    }

    pub(crate) fn required_text(
        &mut self,
        table: &Table<'_>,
        key: &str,
    ) -> Option<Spanned<String>> {
        if table.entries.get(key).is_none() {
            let name = table.name;
            self.problems
                .report(
                    Code::S003,
                    table.span.clone(),
                    format!("`{name}` needs the key `{key}`"),
                )
                .help = Some(format!("add `{key} = \"...\"` below it"));
            return None;
        }
        self.text(table, key)
    }

    pub(crate) fn integer(&mut self, table: &Table<'_>, key: &str) -> Option<Spanned<i64>> {
        let value = table.entries.get(key)?;
        let number = value
            .get_ref()
            .as_integer()
            .and_then(|n| i64::from_str_radix(n.as_str(), n.radix()).ok());
        if number.is_none() {
            self.wrong_type(
                value.span(),
                key,
                "a whole number",
                value.get_ref().type_str(),
            );
        }
        number.map(|number| Spanned::new(value.span(), number))
    }

    pub(crate) fn boolean(&mut self, table: &Table<'_>, key: &str) -> Option<bool> {
        let value = table.entries.get(key)?;
        let found = value.get_ref().as_bool();
        if found.is_none() {
            let kind = value.get_ref().type_str();
            self.wrong_type(value.span(), key, "`true` or `false`", kind);
        }
        found
    }

    /// A list of non-empty texts. Empty ones are warned about and left out.
    pub(crate) fn texts(&mut self, table: &Table<'_>, key: &str) -> Vec<Spanned<String>> {
        let Some(value) = table.entries.get(key) else {
            return Vec::new();
        };
        let Some(items) = value.get_ref().as_array() else {
            self.wrong_type(
                value.span(),
                key,
                "a list of texts",
                value.get_ref().type_str(),
            );
            return Vec::new();
        };
        let mut texts = Vec::new();
        for item in items.iter() {
            match item.get_ref() {
                DeValue::String(text) if text.trim().is_empty() => {
                    self.problems
                        .report(Code::S011, item.span(), format!("empty word in `{key}`"))
                        .help = Some("delete it".to_owned());
                }
                DeValue::String(text) => {
                    texts.push(Spanned::new(item.span(), text.trim().to_owned()));
                }
                other => self.wrong_type(item.span(), key, "texts in quotes", other.type_str()),
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

    pub(crate) fn chosen<T>(&mut self, text: &Spanned<String>, key: &str) -> Option<T>
    where
        T: FromStr<Err = UnknownName>,
    {
        let word = text.get_ref();
        match word.parse() {
            Ok(value) => Some(value),
            Err(error) => {
                let place = self.problems.place(text.span());
                self.problems.push(
                    Diagnostic::new(Code::S004, format!("`{word}` is no value of `{key}`"))
                        .at(place)
                        .help(format!("use one of {}", listed(error.known())))
                        .suggest(word, error.known().iter().copied()),
                );
                None
            }
        }
    }

    fn wrong_type(&mut self, span: Range<usize>, key: &str, wanted: &str, found: &str) {
        self.problems.report(
            Code::S004,
            span,
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

/// `` `a`, `b`, `c` ``.
fn listed(names: &[&str]) -> String {
    let quoted: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    quoted.join(", ")
}
