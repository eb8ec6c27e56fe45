//! What the words of a file stand for.

use std::ops::Range;

use serde::Serialize;

use super::formulas::Kind;
use super::scan::{Token, TokenKind, tokens};
use super::slots::{Slot, slots};
use crate::grammar::formula::Node;
use crate::grammar::functions::{Domain, FunctionId};
use crate::grammar::{NONE, statement_spans};
use crate::schema::Schema;

/// What a word stands for.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(tag = "kind", content = "name", rename_all = "lowercase")]
#[non_exhaustive]
pub enum Thing {
    /// A domain relation.
    Symbol(String),
    /// A rhetorical relation.
    Relation(String),
    /// A class of rhetorical relations.
    Class(String),
    /// An attribute of nodes.
    Attribute(String),
    /// A class of cue words.
    Cue(String),
    /// A concept.
    Concept(String),
    /// A rule or a table.
    Rule(String),
    /// A function of the language.
    Function(String),
    /// A node, a word at a gap, a line.
    Node(String),
    /// A value from a list that no schema declares.
    Value(String),
    /// A word of the language.
    Word(String),
    /// The path in quotes after `use`.
    Module(String),
    /// The path in quotes after `schema`, or a schema's `base`.
    Schema(String),
}

impl Thing {
    /// The name.
    pub fn name(&self) -> &str {
        match self {
            Thing::Symbol(name)
            | Thing::Relation(name)
            | Thing::Class(name)
            | Thing::Attribute(name)
            | Thing::Cue(name)
            | Thing::Concept(name)
            | Thing::Rule(name)
            | Thing::Function(name)
            | Thing::Node(name)
            | Thing::Value(name)
            | Thing::Word(name)
            | Thing::Module(name)
            | Thing::Schema(name) => name,
        }
    }

    /// What kind of thing it is, in words.
    pub fn noun(&self) -> &'static str {
        match self {
            Thing::Symbol(_) => "domain relation",
            Thing::Relation(_) => "rhetorical relation",
            Thing::Class(_) => "class of relations",
            Thing::Attribute(_) => "attribute",
            Thing::Cue(_) => "cue class",
            Thing::Concept(_) => "concept",
            Thing::Rule(_) => "rule or table",
            Thing::Function(_) => "function",
            Thing::Node(_) => "node",
            Thing::Value(_) => "value",
            Thing::Word(_) => "word of the language",
            Thing::Module(_) => "file",
            Thing::Schema(_) => "schema",
        }
    }

    /// True for what a schema declares.
    pub(super) fn is_of_schema(&self) -> bool {
        matches!(
            self,
            Thing::Symbol(_)
                | Thing::Relation(_)
                | Thing::Class(_)
                | Thing::Attribute(_)
                | Thing::Cue(_)
                | Thing::Concept(_)
        )
    }
}

/// A place where something is named.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Mention {
    /// The name; without the quotes around it.
    pub(super) range: Range<usize>,
    pub(super) thing: Thing,
    /// True where it is declared.
    pub(super) declares: bool,
}

/// A grammar file, read word by word.
#[derive(Debug, Default)]
pub(super) struct Scan {
    /// All tokens, comments among them.
    pub(super) tokens: Vec<Token>,
    /// What each of them is there for.
    pub(super) slots: Vec<Slot>,
    /// The tokens of each statement, by index.
    pub(super) statements: Vec<Range<usize>>,
    /// What is named.
    pub(super) mentions: Vec<Mention>,
}

impl Scan {
    /// Reads a grammar file.
    pub(super) fn of(text: &str, schema: &Schema) -> Scan {
        let tokens = tokens(text);
        let mut scan = Scan {
            slots: vec![Slot::Plain; tokens.len()],
            tokens,
            ..Scan::default()
        };
        for span in statement_spans(text) {
            scan.statement(text, span, schema);
        }
        scan
    }

    fn statement(&mut self, text: &str, span: Range<usize>, schema: &Schema) {
        let first = self
            .tokens
            .partition_point(|token| token.start < span.start);
        let last = self.tokens.partition_point(|token| token.start < span.end);
        let own = self.tokens.get(first..last).unwrap_or_default();
        let (places, code): (Vec<usize>, Vec<Token>) = own
            .iter()
            .enumerate()
            .filter(|(_, token)| !matches!(token.kind, TokenKind::Comment | TokenKind::Doc))
            .map(|(at, token)| (first + at, *token))
            .unzip();
        let found = slots(text, &code, schema);
        for ((place, token), slot) in places.into_iter().zip(&code).zip(found) {
            if let Some(own) = self.slots.get_mut(place) {
                *own = slot;
            }
            self.mentions.extend(mention(text, *token, slot, schema));
        }
        self.statements.push(first..last);
    }

    /// The token that a byte lies in or touches, a word rather than a mark.
    pub(super) fn token_at(&self, at: usize) -> Option<(usize, Token)> {
        let after = self.tokens.partition_point(|token| token.start <= at);
        let inside = |index: usize| {
            let token = *self.tokens.get(index)?;
            (token.start <= at && at <= token.end).then_some((index, token))
        };
        let here = after.checked_sub(1).and_then(inside);
        let before = after.checked_sub(2).and_then(inside);
        match (here, before) {
            (Some((_, token)), Some(before))
                if token.kind == TokenKind::Mark && before.1.kind != TokenKind::Mark =>
            {
                Some(before)
            }
            (here, before) => here.or(before),
        }
    }
}

/// What a token names.
fn mention(text: &str, token: Token, slot: Slot, schema: &Schema) -> Option<Mention> {
    let written = text.get(token.range()).unwrap_or_default();
    let mut range = token.range();
    let mut declares = false;
    let own = || written.to_owned();
    let thing = match slot {
        Slot::SchemaPath | Slot::UsePath if token.kind == TokenKind::Text => {
            let inside = written.trim_matches('"');
            range = range.start + 1..range.start + 1 + inside.len();
            if slot == Slot::UsePath {
                Thing::Module(inside.to_owned())
            } else {
                Thing::Schema(inside.to_owned())
            }
        }
        _ if token.kind != TokenKind::Word || written.is_empty() => return None,
        Slot::Symbol if written != "_" => Thing::Symbol(own()),
        Slot::Relation => Thing::Relation(own()),
        Slot::Outcome => match written.strip_suffix("-*") {
            Some(class) => {
                range.end -= "-*".len();
                Thing::Class(class.to_owned())
            }
            None => Thing::Relation(own()),
        },
        Slot::RuleName => {
            declares = true;
            Thing::Rule(own())
        }
        Slot::Node(_) => Thing::Node(own()),
        Slot::Feature(context, is_parent) => {
            match FunctionId::find(written, context.scope()).filter(|_| !is_parent) {
                Some(_) => Thing::Function(own()),
                None => Thing::Attribute(own()),
            }
        }
        Slot::Attribute => Thing::Attribute(own()),
        Slot::Function(_) => Thing::Function(own()),
        Slot::Value(kind) | Slot::Key(kind) => value(written, kind, slot),
        Slot::Operand(context) if Node::find(written).is_some() => {
            let _ = context;
            Thing::Node(own())
        }
        // The first word of a statement that has just begun may be a symbol.
        Slot::Statement if schema.relation(written).is_some() => Thing::Symbol(own()),
        Slot::Keyword | Slot::Choice(_) | Slot::Statement => Thing::Word(own()),
        _ => return None,
    };
    Some(Mention {
        range,
        thing,
        declares,
    })
}

fn value(written: &str, kind: Kind, slot: Slot) -> Thing {
    let own = written.to_owned();
    let is_key = matches!(slot, Slot::Key(_));
    match kind {
        _ if is_key && matches!(written, "else" | "unknown") => Thing::Value(own),
        Kind::Of(Domain::Relations) => Thing::Symbol(own),
        Kind::Of(Domain::Concepts) => Thing::Concept(own),
        Kind::Of(_) if written == NONE => Thing::Value(own),
        Kind::Of(Domain::Rhetoric) => Thing::Relation(own),
        Kind::Of(Domain::Classes) => Thing::Class(own),
        Kind::Of(Domain::Cues) => Thing::Cue(own),
        _ => Thing::Value(own),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schema::embedded_schema;

    fn named(text: &str) -> Vec<String> {
        let schema = embedded_schema("finance").unwrap_or_default();
        let scan = Scan::of(text, &schema);
        let told = scan.mentions.iter().map(|mention| {
            assert_eq!(&text[mention.range.clone()], mention.thing.name());
            format!("{} {}", mention.thing.noun(), mention.thing.name())
        });
        told.filter(|told| !told.starts_with("word of")).collect()
    }

    #[test]
    fn words_are_told_by_where_they_stand() {
        assert_eq!(
            named(
                "rule 因果\n  Rise[causal-cause] <- Rise:N Fall:S x 3\n  when B.cue = because and contains(A.cues, so)\n  set D.time = A.time\n      D.polarity = B.polarity"
            ),
            [
                "rule or table 因果",
                "domain relation Rise",
                "rhetorical relation causal-cause",
                "domain relation Rise",
                "domain relation Fall",
                "node B",
                "function cue",
                "cue class because",
                "function contains",
                "node A",
                "function cues",
                "cue class so",
                "node D",
                "attribute time",
                "node A",
                "attribute time",
                "node D",
                "attribute polarity",
                "node B",
                "attribute polarity",
            ]
        );
    }

    #[test]
    fn rows_of_tables_speak_of_the_answers_of_their_subjects() {
        let found = named(
            "table t  label by B.cue, A.class when A.words > 3\n  | because, causal  causal-cause NS  +1.2 x 4\n  | else, none  joint-* NN -0.5 !",
        );
        let tail: Vec<&str> = found.iter().skip(7).map(String::as_str).collect();
        assert_eq!(
            tail,
            [
                "cue class because",
                "class of relations causal",
                "rhetorical relation causal-cause",
                "value else",
                "value none",
                "class of relations joint",
            ]
        );
    }

    #[test]
    fn a_half_typed_rule_is_read_as_far_as_it_goes() {
        assert_eq!(
            named("Rise[causl"),
            ["domain relation Rise", "rhetorical relation causl"]
        );
        assert_eq!(
            named(
                "_[joint-list] <- _:N _:N when because = B.cue and oil in A.concepts and B.cue in {so, th"
            ),
            [
                "rhetorical relation joint-list",
                "cue class because",
                "node B",
                "function cue",
                "concept oil",
                "node A",
                "attribute concepts",
                "node B",
                "function cue",
                "cue class so",
                "cue class th",
            ]
        );
    }
}
