//! What a page about a grammar says.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use serde::Serialize;

use crate::diagnostic::Source;
use crate::error::Result;
use crate::grammar::{AnyRule, Grammar, Loaded, OutcomePattern, Rule, Table};
use crate::query::Shown;
use crate::schema::{RhetoricKind, Schema};
use crate::tree::Roles;

/// A grammar as a page to read.
#[derive(Debug, Clone, Serialize)]
pub struct Reference {
    /// Its name, with its version.
    pub title: String,
    /// The name of its schema.
    pub schema: String,
    /// The start symbol, if it names one.
    pub start: Option<String>,
    /// How rules decide.
    pub decide: &'static str,
    /// Numbers: what there is, and how much of it.
    pub figures: Vec<(&'static str, usize)>,
    /// Its files: its own first, then those that it uses.
    pub modules: Vec<Module>,
    /// The rhetorical relations that it can make or that its schema has.
    pub relations: Vec<RelationEntry>,
    /// The cue classes.
    pub cues: Vec<CueEntry>,
}

/// A file of a grammar.
#[derive(Debug, Clone, Serialize)]
pub struct Module {
    /// Its name: the file's, without folder and ending.
    pub name: String,
    /// The comment at its top, line by line.
    pub about: Vec<String>,
    /// Its rules and tables, in the order of the file.
    pub entries: Vec<Entry>,
}

/// A rule or a table.
#[derive(Debug, Clone, Serialize)]
pub struct Entry {
    /// Its id.
    pub id: String,
    /// True when a person gave it a name.
    pub named: bool,
    /// `production`, `preference`, `boundary rule`, `block rule` or `table`.
    pub kind: &'static str,
    /// What its doc comment says.
    pub doc: Option<String>,
    /// As it is written; of a table its head and its condition.
    pub statement: String,
    /// What a treebank shows of it.
    pub shown: Option<Shown>,
    /// The rows of a table.
    pub table: Option<TableEntry>,
}

/// The rows of a table.
#[derive(Debug, Clone, Serialize)]
pub struct TableEntry {
    /// What is asked, a column each.
    pub subjects: Vec<String>,
    /// True when rows speak for relations.
    pub has_outcomes: bool,
    /// The rows.
    pub rows: Vec<TableRow>,
}

/// A row of a table.
#[derive(Debug, Clone, Serialize)]
pub struct TableRow {
    /// The answers.
    pub keys: Vec<String>,
    /// What it speaks for.
    pub outcome: Option<String>,
    /// How much it says.
    pub weight: f64,
    /// How often it was seen.
    pub count: Option<u64>,
}

/// A rhetorical relation.
#[derive(Debug, Clone, Serialize)]
pub struct RelationEntry {
    /// Its name.
    pub name: String,
    /// Its coarse class.
    pub class: String,
    /// True when it joins nuclei.
    pub multinuclear: bool,
    /// The comment above it in the schema.
    pub about: Vec<String>,
    /// The cue classes that speak for it.
    pub cues: Vec<String>,
    /// The written rules that make it, by their ids.
    pub rules: Vec<String>,
    /// How many rows of tables name it.
    pub rows: usize,
}

/// A cue class.
#[derive(Debug, Clone, Serialize)]
pub struct CueEntry {
    /// Its name.
    pub name: String,
    /// The comment above it in the schema.
    pub about: Vec<String>,
    /// Its words.
    pub words: Vec<String>,
    /// The classes that answer it.
    pub answered_by: Vec<String>,
}

impl Reference {
    /// Collects what a loaded grammar says.
    pub fn of(loaded: &Loaded) -> Reference {
        let grammar = &loaded.grammar;
        let schema = &grammar.schema;
        let version = grammar
            .version
            .as_deref()
            .map_or(String::new(), |v| format!(" {v}"));
        Reference {
            title: format!("{}{version}", grammar.name),
            schema: schema.name.clone(),
            start: grammar
                .start
                .map(|start| schema.relation_name(start).to_owned()),
            decide: grammar.decide.as_str(),
            figures: figures(grammar),
            modules: modules(loaded),
            relations: relations(grammar),
            cues: cues(schema),
        }
    }

    /// What the page says, as one JSON object.
    pub fn to_json(&self) -> Result<String> {
        crate::json::line(self)
    }

    /// Adds what a treebank shows of the rules.
    pub fn add_examples(&mut self, shown: Vec<Shown>) {
        let of_rules = shown.into_iter().filter(|shown| shown.row.is_none());
        let mut by_id: BTreeMap<String, Shown> =
            of_rules.map(|shown| (shown.rule.clone(), shown)).collect();
        for entry in self
            .modules
            .iter_mut()
            .flat_map(|module| &mut module.entries)
        {
            entry.shown = by_id.remove(&entry.id);
        }
    }
}

fn figures(grammar: &Grammar) -> Vec<(&'static str, usize)> {
    let schema = &grammar.schema;
    let rows = grammar.tables.iter().map(|table| table.rows.len()).sum();
    let words = schema.cues.iter().map(|cue| cue.words.len()).sum();
    let all = [
        ("productions", grammar.productions.len()),
        ("preferences", grammar.preferences.len()),
        ("boundary rules", grammar.boundaries.len()),
        ("block rules", grammar.blocks.len()),
        ("tables", grammar.tables.len()),
        ("rows of tables", rows),
        ("relations", schema.rhetoric.len()),
        ("symbols", schema.relations.len()),
        ("cue classes", schema.cues.len()),
        ("cue words", words),
    ];
    all.into_iter().filter(|(_, count)| *count > 0).collect()
}

fn modules(loaded: &Loaded) -> Vec<Module> {
    let grammar = &loaded.grammar;
    let mut entries: BTreeMap<usize, Vec<(usize, Entry)>> = BTreeMap::new();
    let mut add = |rule: &Rule, entry: Entry| {
        let file = rule.file().unwrap_or_default();
        let at = rule.place.as_ref().map_or(0, |place| place.range().start);
        entries.entry(file).or_default().push((at, entry));
    };
    for any in grammar.rules() {
        add(any.rule(), entry_of_rule(any, &grammar.schema));
    }
    for table in &grammar.tables {
        add(&table.rule, entry_of_table(table, &grammar.schema));
    }
    let mut modules: Vec<Module> = Vec::new();
    for (number, file) in loaded.files.iter().enumerate() {
        let mut own = entries.remove(&number).unwrap_or_default();
        own.sort_by_key(|(at, _)| *at);
        modules.push(Module {
            name: module_name(file.source.name()),
            about: comment_at_top(file.source.text()),
            entries: own.into_iter().map(|(_, entry)| entry).collect(),
        });
    }
    // The grammar's own file is read last and stands first.
    let last = modules.len().min(1);
    modules.rotate_right(last);
    modules.retain(|module| !module.entries.is_empty() || !module.about.is_empty());
    modules
}

fn module_name(file: &str) -> String {
    let name = file.rsplit(['/', '\\']).next().unwrap_or(file);
    name.strip_suffix(".arsg").unwrap_or(name).to_owned()
}

fn entry_of_rule(any: AnyRule<'_>, schema: &Schema) -> Entry {
    let rule = any.rule();
    Entry {
        id: rule.id.to_string(),
        named: rule.named,
        kind: match any {
            AnyRule::Production(_) => "production",
            AnyRule::Preference(_) => "preference",
            AnyRule::Boundary(_) => "boundary rule",
            AnyRule::Block(_) => "block rule",
        },
        doc: rule.doc.as_ref().map(ToString::to_string),
        statement: any.statement(schema).trim_end().to_owned(),
        shown: None,
        table: None,
    }
}

fn entry_of_table(table: &Table, schema: &Schema) -> Entry {
    let reason = table.rule.reason.as_ref();
    let when = reason.map_or(String::new(), |reason| {
        format!("\n  when {}", reason.text(schema))
    });
    let row = |row: &crate::grammar::Row| TableRow {
        keys: row.keys.iter().map(crate::grammar::Key::text).collect(),
        outcome: row.outcome.as_ref().map(|outcome| outcome.text(schema)),
        weight: row.weight.get(),
        count: row.count.map(|count| count.get()),
    };
    Entry {
        id: table.rule.id.to_string(),
        named: true,
        kind: "table",
        doc: table.rule.doc.as_ref().map(ToString::to_string),
        statement: format!("table {}  {}{when}", table.rule.id, table.head(schema)),
        shown: None,
        table: Some(TableEntry {
            subjects: table
                .subjects
                .iter()
                .map(|subject| subject.text(schema))
                .collect(),
            has_outcomes: table.rows.iter().any(|row| row.outcome.is_some()),
            rows: table.rows.iter().map(row).collect(),
        }),
    }
}

/// What the relations of the shipped schemas mean.
const DEFINITIONS: &str = include_str!("../../schemas/lexicon/relations.toml");

fn relations(grammar: &Grammar) -> Vec<RelationEntry> {
    let schema = &grammar.schema;
    let definitions: BTreeMap<String, Vec<String>> =
        toml::from_str(DEFINITIONS).unwrap_or_default();
    let all = schema.rhetoric.iter().enumerate().map(|(at, rhetoric)| {
        let id = crate::schema::RhetoricId::new(at);
        let making = grammar
            .productions
            .iter()
            .filter(|known| known.shape.relation == id);
        let rules: BTreeSet<String> = making.map(|known| known.rule.id.to_string()).collect();
        let names = |outcome: &&OutcomePattern| {
            let all = [
                Roles::NucleusSatellite,
                Roles::SatelliteNucleus,
                Roles::NucleusNucleus,
            ];
            outcome.single().is_some_and(|(one, _)| one == id)
                || all.iter().all(|roles| outcome.fits(id, *roles, schema))
                    && outcome.roles.is_none()
        };
        let rows = grammar.tables.iter().flat_map(|table| &table.rows);
        let outcomes = rows.filter_map(|row| row.outcome.as_ref());
        RelationEntry {
            name: rhetoric.name.clone(),
            class: rhetoric.class.clone(),
            multinuclear: rhetoric.kind == RhetoricKind::Multinuc,
            about: match comment_above(schema, "rhetoric", &rhetoric.name) {
                said if said.is_empty() => {
                    definitions.get(&rhetoric.name).cloned().unwrap_or_default()
                }
                said => said,
            },
            cues: rhetoric.cues.clone(),
            rules: rules.into_iter().collect(),
            rows: outcomes.filter(names).count(),
        }
    });
    all.collect()
}

fn cues(schema: &Schema) -> Vec<CueEntry> {
    let all = schema.cues.iter().map(|cue| CueEntry {
        name: cue.name.clone(),
        about: comment_above(schema, "cue", &cue.name),
        words: cue.words.clone(),
        answered_by: cue.answered_by.clone(),
    });
    all.collect()
}

/// The lines of the comment above the heading of a schema's table: those right above it.
fn comment_above(schema: &Schema, kind: &str, name: &str) -> Vec<String> {
    let headings = [format!("[{kind}.{name}]"), format!("[{kind}.\"{name}\"]")];
    for source in &schema.sources {
        if let Some(lines) = lines_above(source, &headings) {
            return lines;
        }
    }
    Vec::new()
}

fn lines_above(source: &Arc<Source>, headings: &[String]) -> Option<Vec<String>> {
    let lines: Vec<&str> = source.text().lines().map(str::trim).collect();
    let at = lines
        .iter()
        .position(|line| headings.iter().any(|known| known == line))?;
    let above = lines.get(..at)?.iter().rev();
    let mut comment: Vec<String> = above
        .take_while(|line| line.starts_with('#') && !is_rule(line))
        .map(|line| line.trim_start_matches('#').trim().to_owned())
        .collect();
    comment.reverse();
    Some(comment)
}

/// A line that parts sections: `# ---- Causes ----`.
fn is_rule(line: &str) -> bool {
    line.contains("----") || line.contains("====")
}

/// The comment at the top of a file, without its marks.
fn comment_at_top(text: &str) -> Vec<String> {
    let lines = text
        .lines()
        .take_while(|line| line.starts_with('#') && !line.starts_with("##"));
    let said = lines.map(|line| {
        line.trim_start_matches('#')
            .strip_prefix(' ')
            .unwrap_or_default()
    });
    said.map(|line| line.trim_end().to_owned()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schema::embedded_schema;

    #[test]
    fn every_relation_of_the_shipped_schema_has_a_definition_in_both_languages() {
        let definitions: BTreeMap<String, Vec<String>> = toml::from_str(DEFINITIONS).unwrap();
        let schema = embedded_schema("general").unwrap();
        let names: Vec<&str> = schema
            .rhetoric
            .iter()
            .map(|known| known.name.as_str())
            .collect();
        let defined: Vec<&str> = definitions.keys().map(String::as_str).collect();
        assert_eq!(names.len(), defined.len());
        for name in names {
            assert_eq!(definitions[name].len(), 2, "{name}");
        }
    }

    #[test]
    fn comments_of_schemas_and_files_are_found() {
        let schema = embedded_schema("general").unwrap();
        let because = comment_above(&schema, "cue", "because");
        assert!(because[0].starts_with("Gives the cause"), "{because:?}");
        assert_eq!(
            comment_at_top("# 一\n#\n#   二\n\n# 三\n"),
            ["一", "", "  二"]
        );
    }
}
