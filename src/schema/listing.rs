//! A schema's vocabulary as a list: what a grammar may speak of, for people and for machines.

use std::collections::BTreeMap;
use std::fmt::{self, Display, Formatter};

use serde::Serialize;

use super::{Attribute, LeafSource, RelationId, RhetoricKind, Schema};
use crate::columns::{columns, fill};

/// Lines are broken before this column.
const WIDTH: usize = 100;
/// Where the words of symbols begin.
const WORDS_COLUMN: usize = 30;
/// Where what belongs to a name begins.
const NAMES_COLUMN: usize = 20;
/// Kinds below this depth are not indented further.
const MAX_INDENT: usize = 6;
/// How many words of a symbol or cue class are shown.
const WORDS_SHOWN: usize = 5;

/// Everything that a schema declares.
#[derive(Debug, Clone, Serialize)]
pub struct Listing {
    /// The domain's name.
    pub name: String,
    /// The start symbol RS.
    pub start: String,
    /// How texts are cut into EDUs where no grammar has rules for it.
    pub segmentation: &'static str,
    /// Domain relations (DRE), more general ones before their kinds.
    pub symbols: Vec<Symbol>,
    /// Rhetorical relations (RRE).
    pub rhetoric: Vec<Relation>,
    /// Attributes (AT).
    pub attributes: Vec<AttributeLine>,
    /// Cue classes, each with its words and with those that answer it.
    pub cues: Vec<Cue>,
    /// Domain concepts (KCP), each with its words.
    pub concepts: Vec<Words>,
}

/// A symbol.
#[derive(Debug, Clone, Serialize)]
pub struct Symbol {
    /// Its name.
    pub name: String,
    /// The more general symbol it is a kind of.
    pub parent: Option<String>,
    /// How many symbols are above it.
    pub depth: usize,
    /// Words that make an EDU this symbol.
    pub triggers: Vec<String>,
    /// What it means.
    pub doc: Option<String>,
}

/// A rhetorical relation.
#[derive(Debug, Clone, Serialize)]
pub struct Relation {
    /// Its name.
    pub name: String,
    /// Its coarse class.
    pub class: String,
    /// True when it joins nuclei only.
    pub multinuclear: bool,
}

/// An attribute.
#[derive(Debug, Clone, Serialize)]
pub struct AttributeLine {
    /// Its name.
    pub name: String,
    /// The type of its values.
    #[serde(rename = "type")]
    pub value_type: &'static str,
    /// The values it may have, if they are few.
    pub values: Vec<String>,
    /// True when leaves have it; else equations must set it.
    pub on_leaves: bool,
}

/// A cue class.
#[derive(Debug, Clone, Serialize)]
pub struct Cue {
    /// Its name.
    pub name: String,
    /// The words.
    pub words: Vec<String>,
    /// Those that count behind the subject as well.
    pub after_subject: Vec<String>,
    /// The classes that answer it.
    pub answered_by: Vec<String>,
}

/// A name with the words that belong to it.
#[derive(Debug, Clone, Serialize)]
pub struct Words {
    /// The name.
    pub name: String,
    /// The words.
    pub words: Vec<String>,
}

impl Schema {
    /// Its vocabulary.
    pub fn listing(&self) -> Listing {
        let words = |name: &str, words: &[String]| Words {
            name: name.to_owned(),
            words: words.to_vec(),
        };
        let cues = self.cues.iter().map(|cue| Cue {
            name: cue.name.clone(),
            words: cue.words.clone(),
            after_subject: cue.after_subject.clone(),
            answered_by: cue.answered_by.clone(),
        });
        let concepts = self.concepts.iter();
        Listing {
            name: self.name.clone(),
            start: self.relation_name(self.start).to_owned(),
            segmentation: self.segmentation.as_str(),
            symbols: self.symbols_by_kind(),
            rhetoric: self
                .rhetoric
                .iter()
                .map(|rhetoric| Relation {
                    name: rhetoric.name.clone(),
                    class: rhetoric.class.clone(),
                    multinuclear: rhetoric.kind == RhetoricKind::Multinuc,
                })
                .collect(),
            attributes: self.attributes.iter().map(AttributeLine::of).collect(),
            cues: cues.collect(),
            concepts: concepts.map(|c| words(&c.name, &c.words)).collect(),
        }
    }

    /// Symbols in the order of the file, but kinds right after what they are kinds of.
    fn symbols_by_kind(&self) -> Vec<Symbol> {
        let mut kinds: BTreeMap<Option<u32>, Vec<u32>> = BTreeMap::new();
        for (at, relation) in self.relations.iter().enumerate() {
            let parent = relation.parent.map(|parent| parent.0);
            kinds.entry(parent).or_default().push(at as u32);
        }
        let below = |parent: Option<u32>, depth: usize| {
            let kinds = kinds.get(&parent).into_iter().flatten().rev();
            kinds.map(move |at| (*at, depth)).collect::<Vec<_>>()
        };
        let mut waiting = below(None, 0);
        let mut symbols = Vec::with_capacity(self.relations.len());
        while let Some((at, depth)) = waiting.pop() {
            let Some(relation) = self.relations.get(at as usize) else {
                continue;
            };
            let parent = relation.parent;
            symbols.push(Symbol {
                name: relation.name.clone(),
                parent: parent.map(|RelationId(at)| self.relation_name(RelationId(at)).to_owned()),
                depth,
                triggers: relation.triggers.clone(),
                doc: relation.doc.clone(),
            });
            waiting.extend(below(Some(at), depth + 1));
        }
        symbols
    }
}

impl AttributeLine {
    fn of(attribute: &Attribute) -> AttributeLine {
        AttributeLine {
            name: attribute.name.clone(),
            value_type: attribute.value_type.as_str(),
            values: attribute.values.clone(),
            on_leaves: attribute.leaf != LeafSource::None,
        }
    }
}

impl Display for Listing {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Listing {
            name,
            start,
            segmentation,
            ..
        } = self;
        writeln!(
            f,
            "schema {name}: the start symbol is {start}, texts are cut by {segmentation}"
        )?;
        self.write_symbols(f)?;
        self.write_rhetoric(f)?;
        self.write_attributes(f)?;
        self.write_cues_and_concepts(f)
    }
}

impl Listing {
    fn write_symbols(&self, f: &mut Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "\n{} symbols (domain relations), kinds below what they are kinds of, with some of their words",
            self.symbols.len()
        )?;
        for symbol in &self.symbols {
            let indent = 2 + 2 * symbol.depth.min(MAX_INDENT);
            let name = format!("{}{} ", fill("", indent), symbol.name);
            let gap = fill(&name, WORDS_COLUMN);
            let words = some_words(&symbol.triggers);
            let said = match (&symbol.doc, words.is_empty()) {
                (Some(doc), true) => doc.clone(),
                _ => words,
            };
            writeln!(f, "{}", format!("{name}{gap}{said}").trim_end())?;
        }
        Ok(())
    }

    fn write_rhetoric(&self, f: &mut Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "\n{} rhetorical relations, by class (* joins nuclei only)",
            self.rhetoric.len()
        )?;
        let mut classes: Vec<&str> = Vec::new();
        for rhetoric in &self.rhetoric {
            if !classes.contains(&rhetoric.class.as_str()) {
                classes.push(&rhetoric.class);
            }
        }
        for class in classes {
            let members = self
                .rhetoric
                .iter()
                .filter(|rhetoric| rhetoric.class == class);
            let names = members.map(|rhetoric| {
                if rhetoric.multinuclear {
                    format!("{}*", rhetoric.name)
                } else {
                    rhetoric.name.clone()
                }
            });
            write_wrapped(f, class, &names.collect::<Vec<_>>())?;
        }
        Ok(())
    }

    fn write_attributes(&self, f: &mut Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "\n{} attributes, asked as A.NAME, set as D.NAME",
            self.attributes.len()
        )?;
        for attribute in &self.attributes {
            let source = if attribute.on_leaves {
                "leaves have it"
            } else {
                "equations set it"
            };
            let mut said = vec![format!("{}; {source}", attribute.value_type)];
            if !attribute.values.is_empty() {
                said = vec![format!("{}: {}", said.join(""), attribute.values.join(" "))];
            }
            write_wrapped(f, &attribute.name, &said)?;
        }
        Ok(())
    }

    fn write_cues_and_concepts(&self, f: &mut Formatter<'_>) -> fmt::Result {
        writeln!(f, "\n{} cue classes, asked as A.cue", self.cues.len())?;
        for cue in &self.cues {
            let mut said = vec![some_words(&cue.words)];
            if !cue.answered_by.is_empty() {
                said.push(format!("answered by {}", cue.answered_by.join(" ")));
            }
            write_wrapped(f, &cue.name, &said)?;
        }
        writeln!(
            f,
            "\n{} concepts, asked as NAME in A.concepts",
            self.concepts.len()
        )?;
        let names: Vec<String> = self.concepts.iter().map(|c| c.name.clone()).collect();
        write_wrapped(f, "", &names)
    }
}

/// The first few words.
fn some_words(words: &[String]) -> String {
    let shown: Vec<&str> = words.iter().take(WORDS_SHOWN).map(String::as_str).collect();
    let more = if words.len() > WORDS_SHOWN {
        "……"
    } else {
        ""
    };
    format!("{}{more}", shown.join("、"))
}

/// A name and what belongs to it, over as many lines as it needs.
fn write_wrapped(f: &mut Formatter<'_>, name: &str, items: &[String]) -> fmt::Result {
    let indent = if name.is_empty() { 2 } else { NAMES_COLUMN };
    let mut line = format!("  {name}");
    if !name.is_empty() {
        line.push(' ');
        line.push_str(&fill(&line, indent));
    }
    for item in items {
        if columns(&line) > indent && columns(&line) + columns(item) >= WIDTH {
            writeln!(f, "{}", line.trim_end())?;
            line = " ".repeat(indent);
        }
        line.push_str(item);
        line.push(' ');
    }
    writeln!(f, "{}", line.trim_end())
}

#[cfg(test)]
mod tests {
    use crate::schema::embedded_schema;

    #[test]
    fn every_name_of_the_schema_is_listed() {
        let schema = embedded_schema("finance").unwrap_or_default();
        let listing = schema.listing();
        assert_eq!(listing.symbols.len(), schema.relations.len());
        let text = listing.to_string();
        let names = schema.relations.iter().map(|r| &r.name);
        let names = names.chain(schema.rhetoric.iter().map(|r| &r.name));
        let names = names.chain(schema.attributes.iter().map(|a| &a.name));
        let names = names.chain(schema.concepts.iter().map(|c| &c.name));
        for name in names.chain(schema.cues.iter().map(|c| &c.name)) {
            assert!(text.contains(name.as_str()), "{name} is not in\n{text}");
        }
    }

    #[test]
    fn kinds_follow_what_they_are_kinds_of() {
        let listing = embedded_schema("finance").unwrap_or_default().listing();
        let at = |name: &str| listing.symbols.iter().position(|s| s.name == name);
        assert!(at("Change") < at("Rise"));
        let rise = at("Rise").and_then(|at| listing.symbols.get(at));
        assert!(rise.is_some_and(|rise| rise.depth > 0 && rise.parent.is_some()));
    }
}
