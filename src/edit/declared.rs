//! What a schema file names, and where: with places, whatever else is wrong with it.

use std::ops::Range;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::names::{Mention, Thing};

/// The sections of a schema: `[relation.NAME]` and its kin.
pub(super) const SECTIONS: [&str; 5] = ["relation", "concept", "rhetoric", "attribute", "cue"];

/// What a section declares.
pub(super) fn thing_of(section: &str, name: &str) -> Option<Thing> {
    let name = name.to_owned();
    Some(match section {
        "relation" => Thing::Symbol(name),
        "concept" => Thing::Concept(name),
        "rhetoric" => Thing::Relation(name),
        "attribute" => Thing::Attribute(name),
        "cue" => Thing::Cue(name),
        _ => return None,
    })
}

/// A table of a schema file.
#[derive(Debug, Clone)]
pub(super) struct Entry {
    /// `relation`
    pub(super) section: String,
    /// `Rise`
    pub(super) name: String,
    /// Where the name is written, in its heading.
    pub(super) range: Range<usize>,
}

/// A schema file, read name by name.
#[derive(Debug, Default)]
pub(super) struct Declared {
    pub(super) mentions: Vec<Mention>,
    pub(super) entries: Vec<Entry>,
}

impl Declared {
    /// Reads a schema file, as far as it is TOML.
    pub(super) fn of(text: &str) -> Declared {
        let (root, _) = DeTable::parse_recoverable(text);
        let mut declared = Declared::default();
        if let Some(domain) = table(root.get_ref(), "domain") {
            declared.text(text, domain, "start", Thing::Symbol);
            declared.text(text, domain, "base", Thing::Schema);
        }
        for section in SECTIONS {
            let Some(tables) = table(root.get_ref(), section) else {
                continue;
            };
            for (key, value) in tables.iter() {
                declared.entry(text, section, key.get_ref(), key.span());
                if let Some(inner) = value.get_ref().as_table() {
                    declared.links(text, inner);
                }
            }
        }
        declared.mentions.sort_by_key(|mention| mention.range.start);
        declared.entries.sort_by_key(|entry| entry.range.start);
        declared
    }

    fn entry(&mut self, text: &str, section: &str, name: &str, span: Range<usize>) {
        let Some(thing) = thing_of(section, name) else {
            return;
        };
        let range = without_quotes(text, span);
        self.entries.push(Entry {
            section: section.to_owned(),
            name: name.to_owned(),
            range: range.clone(),
        });
        self.mentions.push(Mention {
            range,
            thing,
            declares: true,
        });
    }

    /// The names that a table speaks of.
    fn links(&mut self, text: &str, entries: &DeTable<'_>) {
        self.text(text, entries, "parent", Thing::Symbol);
        self.text(text, entries, "class", Thing::Class);
        for key in ["cues", "answered-by"] {
            let items = entries
                .get(key)
                .and_then(|value| value.get_ref().as_array());
            for item in items.into_iter().flat_map(|items| items.iter()) {
                self.value(text, item, Thing::Cue);
            }
        }
    }

    fn text(&mut self, text: &str, entries: &DeTable<'_>, key: &str, thing: fn(String) -> Thing) {
        if let Some(value) = entries.get(key) {
            self.value(text, value, thing);
        }
    }

    fn value(&mut self, text: &str, value: &Spanned<DeValue<'_>>, thing: fn(String) -> Thing) {
        if let DeValue::String(name) = value.get_ref() {
            self.mentions.push(Mention {
                range: without_quotes(text, value.span()),
                thing: thing(name.to_string()),
                declares: false,
            });
        }
    }
}

fn table<'t, 'i>(root: &'t DeTable<'i>, key: &str) -> Option<&'t DeTable<'i>> {
    root.get(key)?.get_ref().as_table()
}

/// A key or a text without the quotes around it.
fn without_quotes(text: &str, span: Range<usize>) -> Range<usize> {
    let written = text.get(span.clone()).unwrap_or_default();
    for quote in ["\"", "'"] {
        let inside = written.strip_prefix(quote);
        if inside.and_then(|rest| rest.strip_suffix(quote)).is_some() && written.len() > 1 {
            return span.start + 1..span.end - 1;
        }
    }
    span
}

/// The relations in the expected trees of a case file.
pub(super) fn relations_of_cases(text: &str) -> Vec<Mention> {
    let mut mentions = Vec::new();
    let mut in_tree = false;
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let code = line.trim();
        if code.len() >= 3 && code.chars().all(|c| c == '=') {
            in_tree = false;
        } else if code.len() >= 3 && code.chars().all(|c| c == '-') {
            in_tree = true;
        } else if in_tree {
            for (at, _) in line.match_indices('(') {
                let rest = line.get(at + 1..).unwrap_or_default();
                let end = rest.find([' ', '\n', '\r', '(', ')', '\t']);
                let name = rest.get(..end.unwrap_or(rest.len())).unwrap_or_default();
                if !name.is_empty() {
                    let range = start + at + 1..start + at + 1 + name.len();
                    mentions.push(Mention {
                        range,
                        thing: Thing::Relation(name.to_owned()),
                        declares: false,
                    });
                }
            }
        }
        start += line.len();
    }
    mentions
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_schema_names_what_it_declares_and_what_it_links() {
        let text = "[domain]\nstart = \"新闻\"\nbase = 'general'\n\n[relation.\"新闻\"]\n[relation.Rise]\nparent = \"新闻\"\n[cue.so]\nanswered-by = [\"then\"]\n[rhetoric.causal-cause]\nclass = \"causal\"\ncues = [\"so\"]\n";
        let declared = Declared::of(text);
        let told: Vec<String> = declared
            .mentions
            .iter()
            .map(|mention| {
                assert_eq!(&text[mention.range.clone()], mention.thing.name());
                let mark = if mention.declares { "!" } else { "" };
                format!("{}{mark}", mention.thing.name())
            })
            .collect();
        assert_eq!(
            told,
            [
                "新闻",
                "general",
                "新闻!",
                "Rise!",
                "新闻",
                "so!",
                "then",
                "causal-cause!",
                "causal",
                "so"
            ]
        );
    }

    #[test]
    fn the_relations_of_a_case_stand_in_its_tree() {
        let text = "===\n油价\n===\n（一）因为关税上调，\n出口下降。\n---\n(causal-cause SN\n  1 (joint-list NN 2 3))\n===\n";
        let found = relations_of_cases(text);
        let names: Vec<&str> = found.iter().map(|m| &text[m.range.clone()]).collect();
        assert_eq!(names, ["causal-cause", "joint-list"]);
    }
}
