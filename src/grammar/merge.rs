//! Merging grammars: counts of the same rule add up.
//!
//! Associative and commutative, so that grammars learned on shards combine to the grammar learned
//! on the whole, whatever the order. That is why the merged rules stand in an order of their own.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use super::ids::write_key;
use super::model::*;
use super::tables::{Key, Table, merge_table};
use crate::diagnostic::{Code, Diagnostic};
use crate::error::{Error, Result};
use crate::files::sources::path_from;
use crate::schema::Schema;

/// Merges grammars of one schema.
///
/// Counts add up; what a module gives that several of the grammars use is counted once. Weights were
/// fitted to one whole and cannot be added: a rule keeps its weight only where all agree on it. A rule
/// without a count counts as one instance.
pub fn merge(grammars: &[Grammar]) -> Result<Grammar> {
    let Some(first) = grammars.first() else {
        return Err(Error::Usage("nothing to merge".to_owned()));
    };
    let mut merging = Merging {
        schema: Arc::clone(&first.schema),
        rules: BTreeMap::new(),
        tables: BTreeMap::new(),
        conflicts: Vec::new(),
    };
    for grammar in grammars {
        if grammar.schema.hash != first.schema.hash {
            return Err(Error::Mismatch(format!(
                "{} and {} speak of different schemas: `{}` and `{}`",
                called(first),
                called(grammar),
                first.schema_path,
                grammar.schema_path
            )));
        }
        if grammar.decide != first.decide {
            return Err(Error::Mismatch(format!(
                "{} decides by {}, {} by {}: change one `decide`",
                called(first),
                first.decide.as_str(),
                called(grammar),
                grammar.decide.as_str()
            )));
        }
        for any in grammar.rules() {
            merging.add(any);
        }
        for table in &grammar.tables {
            merging.add_table(table);
        }
    }
    if !merging.conflicts.is_empty() {
        return Err(Error::Invalid(merging.conflicts));
    }
    let mut merged = Grammar {
        name: least(grammars.iter().map(|g| g.name.as_str())),
        version: grammars.iter().filter_map(|g| g.version.clone()).max(),
        schema: Arc::clone(&first.schema),
        schema_path: least(grammars.iter().map(|g| g.schema_path.as_str())),
        schema_file: grammars
            .iter()
            .map(|grammar| &grammar.schema_file)
            .filter(|path| !path.as_os_str().is_empty())
            .min()
            .cloned()
            .unwrap_or_default(),
        start: agreed(grammars, |grammar| grammar.start, "start symbols")?,
        decide: first.decide,
        fallback: Fallback {
            action: agreed(grammars, |grammar| grammar.fallback.action, "fallbacks")?,
            production: agreed(grammars, |grammar| grammar.fallback.production, "fallbacks")?,
        },
        modules: Vec::new(),
        ..Grammar::default()
    };
    for rule in merging.rules.into_values() {
        match rule {
            Merged::Production(rule) => merged.productions.push(rule),
            Merged::Preference(rule) => merged.preferences.push(rule),
            Merged::Boundary(rule) => merged.boundaries.push(rule),
            Merged::Block(rule) => merged.blocks.push(rule),
        }
    }
    merged.tables = merging.tables.into_values().collect();
    for table in &mut merged.tables {
        // An order of their own, whatever the order of the grammars.
        table.rows.sort_by_key(|row| {
            let keys: Vec<String> = row.keys.iter().map(Key::text).collect();
            (keys, row.outcome.clone())
        });
    }
    merged.sort();
    Ok(merged)
}

fn least<'a>(names: impl Iterator<Item = &'a str>) -> String {
    let named = names.filter(|name| !name.is_empty()).min();
    named.unwrap_or_default().to_owned()
}

/// What all agree on that say anything.
fn agreed<T: PartialEq>(
    grammars: &[Grammar],
    said: impl Fn(&Grammar) -> Option<T>,
    what: &str,
) -> Result<Option<T>> {
    let mut agreed: Option<(&Grammar, T)> = None;
    for grammar in grammars {
        match (said(grammar), &agreed) {
            (Some(new), Some((first, earlier))) if new != *earlier => {
                return Err(Error::Mismatch(format!(
                    "{} and {} have different {what}: make them the same, or leave one out",
                    called(first),
                    called(grammar)
                )));
            }
            (Some(new), None) => agreed = Some((grammar, new)),
            _ => {}
        }
    }
    Ok(agreed.map(|(_, value)| value))
}

/// A grammar as a message calls it: by its file, else by its name.
fn called(grammar: &Grammar) -> String {
    let file = grammar.modules.last().map(String::as_str);
    format!("`{}`", file.unwrap_or(&grammar.name))
}

enum Merged {
    Production(Production),
    Preference(Preference),
    Boundary(Boundary),
    Block(BlockRule),
}

impl Merged {
    fn any(&self) -> AnyRule<'_> {
        match self {
            Merged::Production(rule) => AnyRule::Production(rule),
            Merged::Preference(rule) => AnyRule::Preference(rule),
            Merged::Boundary(rule) => AnyRule::Boundary(rule),
            Merged::Block(rule) => AnyRule::Block(rule),
        }
    }

    fn rule_mut(&mut self) -> &mut Rule {
        match self {
            Merged::Production(production) => &mut production.rule,
            Merged::Preference(preference) => &mut preference.rule,
            Merged::Boundary(boundary) => &mut boundary.rule,
            Merged::Block(block) => &mut block.rule,
        }
    }
}

struct Merging {
    schema: Arc<Schema>,
    rules: BTreeMap<Arc<str>, Merged>,
    tables: BTreeMap<Arc<str>, Table>,
    conflicts: Vec<Diagnostic>,
}

impl Merging {
    fn add_table(&mut self, table: &Table) {
        match self.tables.get_mut(&table.rule.id) {
            Some(known) => self.conflicts.extend(merge_table(known, table)),
            None => {
                self.tables
                    .insert(Arc::clone(&table.rule.id), table.clone());
            }
        }
    }

    fn add(&mut self, any: AnyRule<'_>) {
        let new = any.rule();
        let Some(earlier) = self.rules.get_mut(&new.id) else {
            let mut merged = match any {
                AnyRule::Production(rule) => Merged::Production(rule.clone()),
                AnyRule::Preference(rule) => Merged::Preference(rule.clone()),
                AnyRule::Boundary(rule) => Merged::Boundary(rule.clone()),
                AnyRule::Block(rule) => Merged::Block(rule.clone()),
            };
            let rule = merged.rule_mut();
            rule.origin = None;
            rule.shares = together(&new.shares, &[]);
            self.rules.insert(Arc::clone(&new.id), merged);
            return;
        };
        if !same_meaning(earlier.any(), any, &self.schema) {
            let mut conflict = Diagnostic::new(
                Code::G026,
                format!("the rule `{}` is not the same in both grammars", new.id),
            )
            .help("rename one of them, or make them the same");
            conflict.place = new.named_place();
            if let Some(place) = earlier.any().rule().named_place() {
                conflict = conflict.related(place, "the other one");
            }
            self.conflicts.push(conflict);
            return;
        }
        let earlier = earlier.rule_mut();
        let own = own_count(earlier).saturating_add(own_count(new));
        earlier.shares = together(&earlier.shares, &new.shares);
        earlier.count = Count::new(own.saturating_add(given(&earlier.shares)));
        if earlier.weight != new.weight {
            earlier.weight = None;
        }
        if earlier.strength != new.strength {
            earlier.strength = None;
        }
        earlier.named |= new.named;
        earlier.doc = earlier.doc.take().max(new.doc.clone());
    }
}

/// The instances that a rule has from the grammar's own file.
fn own_count(rule: &Rule) -> u64 {
    rule.count().get().saturating_sub(given(&rule.shares))
}

/// The instances that modules give.
fn given(shares: &[(Arc<str>, Count)]) -> u64 {
    let counts = shares.iter().map(|(_, count)| count.get());
    counts.fold(0, u64::saturating_add)
}

/// What the modules of two grammars give, each module once.
fn together(left: &[(Arc<str>, Count)], right: &[(Arc<str>, Count)]) -> Vec<(Arc<str>, Count)> {
    let mut all = left.to_vec();
    let new = right
        .iter()
        .filter(|(module, _)| left.iter().all(|(known, _)| known != module));
    all.extend(new.cloned());
    all.sort();
    all
}

/// True when two rules say the same, counts and weights apart.
pub(super) fn same_meaning(left: AnyRule<'_>, right: AnyRule<'_>, schema: &Schema) -> bool {
    let same_head = match (left, right) {
        (AnyRule::Production(left), AnyRule::Production(right)) => {
            left.shape == right.shape && equation_keys(left, schema) == equation_keys(right, schema)
        }
        (AnyRule::Preference(left), AnyRule::Preference(right)) => {
            left.action == right.action && left.pattern == right.pattern
        }
        (AnyRule::Boundary(left), AnyRule::Boundary(right)) => left.cut == right.cut,
        (AnyRule::Block(left), AnyRule::Block(right)) => left.role == right.role,
        _ => false,
    };
    same_head && reason_key(left.rule(), schema) == reason_key(right.rule(), schema)
}

pub(super) fn reason_key(rule: &Rule, schema: &Schema) -> String {
    let mut key = String::new();
    if let Some(reason) = &rule.reason {
        write_key(&mut key, reason, schema);
    }
    key
}

/// The equations in an order that does not depend on how they are written.
pub(super) fn equation_keys(production: &Production, schema: &Schema) -> Vec<String> {
    let keys = production.equations.iter().map(|equation| {
        let attribute = schema.attributes.get(equation.attribute as usize);
        let mut key = attribute.map_or(String::new(), |a| format!("{}=", a.name));
        write_key(&mut key, &equation.value, schema);
        key
    });
    let mut keys: Vec<String> = keys.collect();
    keys.sort_unstable();
    keys
}

impl Grammar {
    /// Names the schema as a file at `path` must, so that the grammar loads from there.
    pub fn move_to(&mut self, path: impl AsRef<Path>) {
        if !self.schema_file.as_os_str().is_empty() {
            let schema = path_from(path.as_ref(), &self.schema_file);
            let parts = schema.components().map(|part| part.as_os_str());
            let parts: Vec<_> = parts.map(|part| part.to_string_lossy()).collect();
            self.schema_path = if schema.is_relative() {
                parts.join("/")
            } else {
                schema.display().to_string()
            };
        }
    }

    /// Puts the rules in an order that depends on what they say alone: by pattern, then relation or
    /// action, then reason.
    pub fn sort(&mut self) {
        let schema = Arc::clone(&self.schema);
        let names = |patterns: &[Pattern]| -> Vec<String> {
            let names = patterns
                .iter()
                .map(|pattern| pattern.name(&schema).to_owned());
            names.collect()
        };
        self.productions.sort_by_cached_key(|production| {
            let shape = &production.shape;
            let relation = production.rhetoric(&schema).map(|r| r.name.clone());
            let parent = shape.parent.name(&schema).to_owned();
            let reason = reason_key(&production.rule, &schema);
            let id = Arc::clone(&production.rule.id);
            (
                names(&shape.children),
                parent,
                relation,
                shape.roles,
                reason,
                id,
            )
        });
        self.preferences.sort_by_cached_key(|preference| {
            let reason = reason_key(&preference.rule, &schema);
            let id = Arc::clone(&preference.rule.id);
            (names(&preference.pattern), preference.action, reason, id)
        });
        self.boundaries.sort_by_cached_key(|boundary| {
            let reason = reason_key(&boundary.rule, &schema);
            (!boundary.cut, reason, Arc::clone(&boundary.rule.id))
        });
        self.blocks.sort_by_cached_key(|block| {
            let reason = reason_key(&block.rule, &schema);
            (block.role, reason, Arc::clone(&block.rule.id))
        });
    }
}
