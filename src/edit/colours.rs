//! What kind of word each word is, for colours that know the schema.

use std::ops::Range;
use std::path::Path;

use serde::Serialize;

use super::names::Thing;
use super::scan::TokenKind;
use super::slots::Slot;
use super::workspace::{FileKind, Workspace};
use crate::grammar::is_on_shelf;
use crate::named::named_enum;

named_enum! {
    /// The kinds of words, by the names that the protocol of language servers has for them.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
    pub enum Colour {
        /// A word of the language.
        Keyword = "keyword",
        /// A comment.
        Comment = "comment",
        /// A text in quotes.
        Text = "string",
        /// A number.
        Number = "number",
        /// A mark.
        Mark = "operator",
        /// A domain relation.
        Symbol = "type",
        /// A rhetorical relation.
        Relation = "class",
        /// A class of rhetorical relations.
        Class = "interface",
        /// An attribute.
        Attribute = "property",
        /// A cue class, a concept, another value.
        Value = "enumMember",
        /// The name of a rule or a table.
        Rule = "namespace",
        /// A function.
        Function = "function",
        /// A node.
        Node = "variable",
        /// A role, a strength, what a table decides.
        Choice = "modifier",
    }
}

/// A coloured stretch of a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Coloured {
    /// Where.
    pub range: Range<usize>,
    /// The kind of word.
    #[serde(serialize_with = "by_name")]
    pub colour: Colour,
    /// True where it is declared.
    pub declares: bool,
    /// True where the schema does not know the name.
    pub unknown: bool,
    /// True for a comment that documents the statement below it.
    pub documents: bool,
    /// True for what ships with arsg: functions, names of shipped schemas.
    pub shipped: bool,
}

fn by_name<S: serde::Serializer>(colour: &Colour, out: S) -> Result<S::Ok, S::Error> {
    out.serialize_str(colour.as_str())
}

impl Workspace {
    /// The words of a file with their kinds, in order; they never overlap.
    pub fn colours(&mut self, path: &Path) -> Vec<Coloured> {
        if FileKind::of(path) != FileKind::Grammar {
            return self.colours_of_names(path);
        }
        let schema = self.schema_of(path);
        let Some(scan) = self.scan(path) else {
            return Vec::new();
        };
        let mut mentions = scan.mentions.iter().peekable();
        let tokens = scan.tokens.iter().zip(&scan.slots);
        let coloured = tokens.filter_map(|(token, slot)| {
            while mentions.peek().is_some_and(|m| m.range.end <= token.start) {
                mentions.next();
            }
            let named = mentions.peek().filter(|m| m.range.start < token.end);
            let colour = match (token.kind, named) {
                (TokenKind::Comment | TokenKind::Doc, _) => Colour::Comment,
                (TokenKind::Text, _) => Colour::Text,
                (TokenKind::Number, _) => Colour::Number,
                (TokenKind::Mark, _) if *slot == Slot::Weight => Colour::Number,
                (TokenKind::Mark, _) => Colour::Mark,
                (TokenKind::Word, _) if matches!(slot, Slot::Choice(_)) => Colour::Choice,
                (TokenKind::Word, Some(named)) => colour_of(&named.thing),
                (TokenKind::Word, None) => match slot {
                    Slot::Symbol | Slot::Outcome => Colour::Symbol,
                    Slot::GrammarName => Colour::Rule,
                    Slot::Operand(_) => Colour::Value,
                    _ => return None,
                },
            };
            let of_schema = named.filter(|named| named.thing.is_of_schema());
            let place = of_schema.map(|named| super::jump::declaration(&schema, &named.thing));
            let is_function = named.is_some_and(|own| matches!(own.thing, Thing::Function(_)));
            let home = place.clone().flatten();
            Some(Coloured {
                range: token.range(),
                colour,
                declares: named.is_some_and(|named| named.declares),
                unknown: place.is_some_and(|place| place.is_none()),
                documents: token.kind == TokenKind::Doc,
                shipped: is_function
                    || home.is_some_and(|home| is_on_shelf(Path::new(home.source().name()))),
            })
        });
        coloured.collect()
    }

    /// Files that another grammar colours: only what is named in them.
    fn colours_of_names(&mut self, path: &Path) -> Vec<Coloured> {
        let mut end = 0;
        let named = self.mentions(path).into_iter();
        let apart = named.filter(|mention| {
            let is_apart = mention.range.start >= end && !mention.range.is_empty();
            end = end.max(mention.range.end);
            is_apart
        });
        let coloured = apart.map(|mention| Coloured {
            range: mention.range,
            colour: colour_of(&mention.thing),
            declares: mention.declares,
            unknown: false,
            documents: false,
            shipped: false,
        });
        coloured.collect()
    }
}

fn colour_of(thing: &Thing) -> Colour {
    match thing {
        Thing::Symbol(_) => Colour::Symbol,
        Thing::Relation(_) => Colour::Relation,
        Thing::Class(_) => Colour::Class,
        Thing::Attribute(_) => Colour::Attribute,
        Thing::Cue(_) | Thing::Concept(_) | Thing::Value(_) => Colour::Value,
        Thing::Rule(_) => Colour::Rule,
        Thing::Function(_) => Colour::Function,
        Thing::Node(_) => Colour::Node,
        Thing::Word(_) => Colour::Keyword,
        Thing::Module(_) | Thing::Schema(_) => Colour::Text,
    }
}
