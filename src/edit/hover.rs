//! What a word means, in Markdown.

use std::ops::Range;
use std::path::Path;

use serde::Serialize;

use super::names::Thing;
use super::scan::TokenKind;
use super::slots::Slot;
use super::workspace::{Checked, FileKind, Workspace, named_file};
use crate::automaton::cases::read_cases;
use crate::diagnostic::{Place, plural};
use crate::files::sources::normalize;
use crate::grammar::functions::{Answer, FUNCTIONS};
use crate::grammar::{AnyRule, Decide, Rule, Table, rival_pattern, usage};
use crate::schema::{RhetoricKind, Schema};

/// What is said of a word.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Hover {
    /// The word.
    pub range: Range<usize>,
    /// Markdown.
    pub text: String,
}

macro_rules! pages {
    ($($name:literal)*) => {
        &[$(($name, include_str!(concat!("hover/", $name, ".md")))),*]
    };
}

/// A page for each construct of the language.
const PAGES: &[(&str, &str)] = pages![
    "grammar" "schema" "use" "start" "decide" "fallback" "rule" "production" "prefer" "boundary" "block"
    "table" "by" "vs" "when" "set" "x" "w" "strength" "roles" "actions" "logic" "in"
];

/// Words that share a page with another.
const SHARED: &[(&str, &str)] = &[
    ("no", "boundary"),
    ("always", "strength"),
    ("strong", "strength"),
    ("mild", "strength"),
    ("never", "strength"),
    ("N", "roles"),
    ("S", "roles"),
    ("NS", "roles"),
    ("SN", "roles"),
    ("NN", "roles"),
    ("shift", "actions"),
    ("reduce", "actions"),
    ("and", "logic"),
    ("or", "logic"),
    ("not", "logic"),
    ("implies", "logic"),
    ("counts", "decide"),
    ("weights", "decide"),
];

const NODES: &str = include_str!("hover/nodes.md");
const RELATIONS: &str = include_str!("hover/relations.md");

/// The page of a word of the language.
fn page(word: &str) -> Option<&'static str> {
    let shared = SHARED.iter().find(|(known, _)| *known == word);
    let name = shared.map_or(word, |(_, page)| *page);
    let found = PAGES.iter().find(|(known, _)| *known == name);
    found.map(|(_, text)| text.trim_end())
}

/// The part of a page below a heading.
fn section(page: &'static str, name: &str) -> Option<&'static str> {
    let mut parts = page.split("## ").skip(1);
    let found = parts.find(|part| part.lines().next() == Some(name))?;
    found.split_once('\n').map(|(_, rest)| rest.trim_end())
}

/// How many words of a class or a symbol are shown.
const WORDS_SHOWN: usize = 24;

/// What is said of a thing, whoever asks.
pub(super) fn describe(thing: &Thing, schema: &Schema) -> Option<String> {
    let (head, parts) = match thing {
        Thing::Word(word) => return page(word).map(str::to_owned),
        Thing::Node(name) => {
            let said = section(NODES, name)?;
            return Some(format!("**{name}**: {said}"));
        }
        Thing::Function(name) => return function(name),
        Thing::Symbol(name) => symbol(name, schema)?,
        Thing::Relation(name) => relation(name, schema)?,
        Thing::Class(name) => class(name, schema)?,
        Thing::Attribute(name) => attribute(name, schema)?,
        Thing::Cue(name) => cue(name, schema)?,
        Thing::Concept(name) => {
            let own = schema.concepts.iter().find(|own| own.name == *name)?;
            let kind = own.kind.as_str();
            (
                format!("concept, {kind}"),
                vec![words(&own.words), above(own.place.as_ref())],
            )
        }
        _ => return None,
    };
    let mut text = format!("**{}** ({head})", thing.name());
    for part in parts.into_iter().filter(|part| !part.is_empty()) {
        text.push_str("\n\n");
        text.push_str(&part);
    }
    Some(text)
}

/// The head and the parts of what is said.
type Said = (String, Vec<String>);

fn symbol(name: &str, schema: &Schema) -> Option<Said> {
    let id = schema.relation(name)?;
    let own = schema.relations.get(id.0 as usize)?;
    let line: Vec<&str> = schema
        .ancestors(id)
        .map(|id| schema.relation_name(id))
        .collect();
    let kinds: Vec<String> = schema
        .relations
        .iter()
        .filter(|other| other.parent == Some(id))
        .map(|other| format!("`{}`", other.name))
        .collect();
    let mut parts = vec![
        own.doc.clone().unwrap_or_default(),
        above(own.place.as_ref()),
    ];
    if line.len() > 1 {
        parts.push(format!("is a kind of: {}", line.get(1..)?.join(" < ")));
    }
    if !kinds.is_empty() {
        parts.push(format!("its kinds: {}", kinds.join(", ")));
    }
    if !own.triggers.is_empty() {
        parts.push(format!("triggers: {}", words(&own.triggers)));
    }
    if !own.forms.is_empty() {
        let forms: Vec<&str> = own.forms.iter().map(|form| form.as_str()).collect();
        parts.push(format!("forms: {}", forms.join(", ")));
    }
    let head = match own.polarity {
        0 => "domain relation".to_owned(),
        polarity => format!("domain relation, polarity {polarity:+}"),
    };
    Some((head, parts))
}

fn relation(name: &str, schema: &Schema) -> Option<Said> {
    let own = schema.rhetoric(name)?;
    let kind = match own.kind {
        RhetoricKind::Rst => "a nucleus and a satellite",
        RhetoricKind::Multinuc => "nuclei only",
    };
    let cues: Vec<String> = own.cues.iter().map(|cue| format!("`{cue}`")).collect();
    let mut parts = vec![
        section(RELATIONS, name)
            .unwrap_or_default()
            .replace("\n>", "\n\n>")
            .replacen('\n', "  \n", 1),
        above(own.place.as_ref()),
    ];
    if !cues.is_empty() {
        parts.push(format!("cues: {}", cues.join(", ")));
    }
    Some((
        format!("rhetorical relation of class `{}`, {kind}", own.class),
        parts,
    ))
}

fn class(name: &str, schema: &Schema) -> Option<Said> {
    let members = schema.rhetoric.iter().filter(|own| own.class == name);
    let names: Vec<String> = members.map(|own| format!("`{}`", own.name)).collect();
    (!names.is_empty()).then(|| {
        let parts = vec![format!("its relations: {}", names.join(", "))];
        ("class of rhetorical relations".to_owned(), parts)
    })
}

fn attribute(name: &str, schema: &Schema) -> Option<Said> {
    let own = schema.attribute(name)?;
    let mut parts = vec![above(own.place.as_ref())];
    if !own.values.is_empty() {
        parts.push(format!("values: {}", own.values.join(", ")));
    }
    let leaf = own.leaf.as_str();
    let synthesis = own.synthesis.as_str();
    parts.push(format!(
        "leaves take it from: {leaf}; a node without an equation for it: {synthesis}"
    ));
    Some((format!("attribute, {}", own.value_type.as_str()), parts))
}

fn cue(name: &str, schema: &Schema) -> Option<Said> {
    let own = schema.cue(name)?;
    let mut parts = vec![words(&own.words), above(own.place.as_ref())];
    if !own.after_subject.is_empty() {
        parts.push(format!(
            "behind the subject, too: {}",
            words(&own.after_subject)
        ));
    }
    if !own.answered_by.is_empty() {
        let answers: Vec<String> = own.answered_by.iter().map(|a| format!("`{a}`")).collect();
        parts.push(format!("answered by: {}", answers.join(", ")));
    }
    let relations = schema
        .rhetoric
        .iter()
        .filter(|other| other.cues.iter().any(|c| c == name));
    let relations: Vec<String> = relations.map(|other| format!("`{}`", other.name)).collect();
    if !relations.is_empty() {
        parts.push(format!("speaks for: {}", relations.join(", ")));
    }
    Some((
        format!("cue class, {}", plural(own.words.len(), "word")),
        parts,
    ))
}

fn function(name: &str) -> Option<String> {
    let mut text = String::new();
    for function in FUNCTIONS.iter().filter(|function| function.name == name) {
        if !text.is_empty() {
            text.push_str("\n\n---\n\n");
        }
        let answer = match function.result {
            Answer::Bool => "true or false".to_owned(),
            Answer::Int(..) => "a whole number".to_owned(),
            Answer::Float(..) => "a number".to_owned(),
            Answer::Text => "a text".to_owned(),
            Answer::SameAsArgument => "what its last argument is".to_owned(),
            Answer::Symbol(domain) => match domain.list() {
                Some(list) => format!("one of {}", list.join(", ")),
                None => "a name".to_owned(),
            },
            Answer::Set(_) => "a set of names".to_owned(),
        };
        text.push_str(&format!(
            "`{}` → {answer}\n\n{}  \n{}",
            usage(function),
            function.doc,
            function.zh
        ));
    }
    (!text.is_empty()).then_some(text)
}

/// The comment right above the heading of a table in a schema, heading rules aside.
fn above(place: Option<&Place>) -> String {
    let Some(place) = place else {
        return String::new();
    };
    let before = place
        .source()
        .text()
        .get(..place.range().start)
        .unwrap_or_default();
    let lines = before.lines().rev().skip(1);
    let comments = lines
        .map_while(|line| line.strip_prefix('#'))
        .map(|line| line.trim().trim_start_matches("- ").trim_end_matches('-'))
        .filter(|line| !line.starts_with("---"));
    let mut said: Vec<&str> = comments.map(str::trim).collect();
    said.reverse();
    said.join("  \n").trim().to_owned()
}

fn words(list: &[String]) -> String {
    let shown: Vec<&str> = list.iter().take(WORDS_SHOWN).map(String::as_str).collect();
    let more = list.len().saturating_sub(WORDS_SHOWN);
    let rest = if more > 0 {
        format!(" … and {more} more")
    } else {
        String::new()
    };
    format!("{}{rest}", shown.join("、"))
}

impl Workspace {
    /// What is said of what stands at a byte.
    pub fn hover(&mut self, path: &Path, at: usize) -> Option<Hover> {
        let schema = self.schema_of(path);
        let mention = self.mention_at(path, at);
        if FileKind::of(path) == FileKind::Grammar {
            let of_rule = matches!(
                mention.as_ref().map(|m| &m.thing),
                None | Some(Thing::Rule(_))
            );
            if of_rule && let Some(hover) = self.hover_rule(path, at) {
                return Some(hover);
            }
        }
        if FileKind::of(path) == FileKind::Cases && mention.is_none() {
            return self.hover_case(path, at);
        }
        let mention = mention?;
        let text = match named_file(path, &mention.thing) {
            Some(file) => {
                let there = self.text(&file).is_some();
                let what = if there { "" } else { ", which is not there" };
                format!("`{}`{what}", file.display())
            }
            None => describe(&mention.thing, &schema)?,
        };
        Some(Hover {
            range: mention.range,
            text,
        })
    }

    /// A rule, a table, or a cell of a table.
    fn hover_rule(&mut self, path: &Path, at: usize) -> Option<Hover> {
        let scan = self.scan(path)?;
        let (index, token) = scan.token_at(at)?;
        let slot = *scan.slots.get(index)?;
        let source = self.text(path)?;
        let written = source.text().get(token.range())?;
        let asks = match slot {
            Slot::RuleName | Slot::Count | Slot::Weight => true,
            Slot::Plain => token.kind == TokenKind::Mark && matches!(written, "<-" | "←"),
            _ => false,
        };
        if !asks {
            return None;
        }
        let statement = scan.statements.iter().find(|span| span.contains(&index))?;
        let (first, last) = (
            scan.tokens.get(statement.start)?,
            scan.tokens.get(statement.end - 1)?,
        );
        let stretch = first.start..last.end;
        let own = normalize(path);
        let checked = self.checked(path)?;
        let is_here = |place: Option<&Place>| {
            place.is_some_and(|place| {
                normalize(Path::new(place.source().name())) == own
                    && stretch.contains(&place.range().start)
            })
        };
        let grammar = &checked.loaded.grammar;
        let range = token.range();
        if let Some(table) = grammar
            .tables
            .iter()
            .find(|t| is_here(t.rule.place.as_ref()))
        {
            let text = match slot {
                Slot::RuleName => self.tell_table(path, table),
                _ => tell_cell(table, at)?,
            };
            return Some(Hover { range, text });
        }
        let any = grammar
            .rules()
            .find(|any| is_here(any.rule().place.as_ref()))?;
        let text = self.tell_rule(path, &checked, any);
        Some(Hover { range, text })
    }

    fn tell_rule(&mut self, path: &Path, checked: &Checked, any: AnyRule<'_>) -> String {
        let grammar = &checked.loaded.grammar;
        let rule = any.rule();
        let mut text = format!("**{}** `{}`", rule.id, any.head(&grammar.schema));
        text.push_str(&doc_of(rule));
        match odds(checked, any) {
            Some(Odds::Share {
                own,
                all,
                rivals,
                group,
            }) => text.push_str(&format!(
                "\n\nprobability {:.3}: {own} of {all} instances; {} of `{group}`",
                own as f64 / all.max(1) as f64,
                plural(rivals, "rival"),
            )),
            Some(Odds::Pull(pull)) => text.push_str(&format!(
                "\n\nadds {pull:+.2}: makes it {} times as likely",
                times(pull)
            )),
            None => {}
        }
        text.push_str(&self.tell_spoken(path, &rule.id));
        text
    }

    fn tell_table(&mut self, path: &Path, table: &Table) -> String {
        let mut text = format!(
            "**{}** table, decides `{}`, {}",
            table.rule.id,
            table.decision,
            plural(table.rows.len(), "row")
        );
        text.push_str(&doc_of(&table.rule));
        text.push_str(&self.tell_spoken(path, &table.rule.id));
        text
    }

    fn tell_spoken(&mut self, path: &Path, id: &str) -> String {
        let root = self.root_of(path);
        let spoken = self.counted.get(&root);
        spoken.map_or_else(String::new, |spoken| format!("\n\n{}", spoken.tell(id)))
    }

    /// A case, as its grammar parses it.
    fn hover_case(&mut self, path: &Path, at: usize) -> Option<Hover> {
        let source = self.text(path)?;
        let file = read_cases(&source);
        let case = file
            .cases
            .iter()
            .find(|case| case.place.range().contains(&at))?;
        let range = case.place.range();
        Some(Hover {
            range,
            text: format!(
                "**{}** a case; run it to see the tree that is found",
                case.name
            ),
        })
    }
}

fn doc_of(rule: &Rule) -> String {
    let doc = rule.doc.as_ref();
    doc.map_or_else(String::new, |doc| {
        format!("\n\n{}", doc.replace('\n', "  \n"))
    })
}

fn times(pull: f64) -> String {
    let factor = pull.exp();
    if factor >= 10.0 {
        format!("{factor:.0}")
    } else {
        format!("{factor:.2}")
    }
}

/// A cell of a table: its weight, its count and its share.
fn tell_cell(table: &Table, at: usize) -> Option<String> {
    let row = table.rows.iter().find(|row| {
        let place = row.place.as_ref().map(|place| place.range());
        place.is_some_and(|place| place.start <= at && at <= place.end)
    })?;
    let pull = row.weight.get();
    let mut text = format!(
        "{} of **{}**: makes `{}` {} times as likely",
        row.weight,
        table.rule.id,
        table.decision,
        times(pull)
    );
    if let Some(count) = row.count {
        let counts = table.rows.iter().filter_map(|row| row.count);
        let all: u128 = counts.map(|count| u128::from(count.get())).sum();
        let share = 100.0 * count.get() as f64 / (all as f64).max(1.0);
        text.push_str(&format!(
            "\n\nseen {count} times, {share:.1}% of the table's {all}"
        ));
    }
    if row.kept {
        text.push_str("\n\nset by hand: learning leaves it alone");
    }
    Some(text)
}

/// How a rule stands among others.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Odds {
    /// Where counts decide: its instances among all of its pattern.
    Share {
        own: u64,
        all: u64,
        rivals: usize,
        group: String,
    },
    /// Where weights decide: what it adds.
    Pull(f64),
}

/// How a rule stands among those of its pattern.
pub(super) fn odds(checked: &Checked, any: AnyRule<'_>) -> Option<Odds> {
    let grammar = &checked.loaded.grammar;
    let decide = match any {
        AnyRule::Boundary(_) => grammar.decides_boundaries(),
        AnyRule::Block(_) => grammar.decides_blocks(),
        _ => grammar.decide,
    };
    if decide == Decide::Weights {
        return any.rule().pull().map(Odds::Pull);
    }
    let group = rival_pattern(any, &grammar.schema);
    let mut all = 0_u64;
    let mut members = 0;
    let same = grammar
        .rules()
        .filter(|other| rival_pattern(*other, &grammar.schema) == group);
    for other in same {
        all = all.saturating_add(other.rule().count().get());
        members += 1;
    }
    Some(Odds::Share {
        own: any.rule().count().get(),
        all,
        rivals: members - 1,
        group,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grammar::formula::Node;
    use crate::grammar::syntax::RESERVED;
    use crate::schema::embedded_schema;

    #[test]
    fn every_shipped_relation_has_a_definition_in_two_languages_and_an_example() {
        let schema = embedded_schema("general").unwrap_or_default();
        for own in &schema.rhetoric {
            let said = section(RELATIONS, &own.name).unwrap_or_default();
            let lines: Vec<&str> = said.lines().collect();
            assert_eq!(lines.len(), 3, "{}: {said}", own.name);
            assert!(lines[0].is_ascii() && !lines[1].is_ascii(), "{}", own.name);
            assert!(lines[2].starts_with("> "), "{}", own.name);
        }
    }

    #[test]
    fn every_word_of_the_language_and_every_node_has_a_page() {
        for word in RESERVED
            .iter()
            .filter(|word| !matches!(**word, "true" | "false"))
        {
            assert!(page(word).is_some(), "{word}");
        }
        for (name, _) in Node::ALL {
            assert!(section(NODES, name).is_some(), "{name}");
        }
    }
}
