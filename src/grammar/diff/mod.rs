//! What changed between two grammars, rule by rule, whatever the layout and the order.

mod odds;
mod render;
mod tables;

pub(crate) use odds::pattern as rival_pattern;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use serde::Serialize;

use super::merge::{equation_keys, reason_key};
use super::model::*;
use crate::named::named_enum;
use crate::schema::Schema;

/// All changes from one grammar to another.
#[derive(Debug, Clone, Serialize)]
pub struct Diff {
    /// Changes of the header.
    pub header: Vec<Aspect>,
    /// Changes of rules: changed and renamed ones, then removed ones, then added ones, each in file
    /// order; then those of rows of tables.
    pub rules: Vec<RuleChange>,
}

/// A rule that changed.
#[derive(Debug, Clone, Serialize)]
pub struct RuleChange {
    /// What became of it.
    pub change: Change,
    /// Its id in the old grammar, or in the new one if it was added.
    pub id: String,
    /// The new id, where a change of meaning gave it another.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub new_id: Option<String>,
    /// Of a row of a table, which one: its answers and what it speaks for. `id` is the table's.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub row: Option<String>,
    /// Its head, as it is now or was.
    pub head: String,
    /// Its reason, as it is now or was.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// Its count, as it is now or was.
    pub count: u64,
    /// What changed in it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub aspects: Vec<Aspect>,
    /// What the change does to its probability and that of its competitors, where counts decide.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub odds: Vec<Odds>,
    /// The probability that something gets by the change which was as likely as not, where weights decide.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub even_choice: Option<f64>,
}

named_enum! {
    /// What became of a rule.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
    #[serde(rename_all = "lowercase")]
    #[non_exhaustive]
    pub enum Change {
        /// It says something else now.
        Changed = "changed",
        /// It says the same under another name.
        Renamed = "renamed",
        /// It is gone.
        Removed = "removed",
        /// It is new.
        Added = "added",
    }
}

/// One thing that changed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Aspect {
    /// `pattern`, `reason`, `equations`, `count`, `weight`, `strength`, `doc`; in the header `start`, ...
    pub what: &'static str,
    /// As it was; empty when it was not there.
    pub old: String,
    /// As it is; empty when it is gone.
    pub new: String,
}

/// The probability of a rule among those with its pattern, before and after.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Odds {
    /// The rule.
    pub id: String,
    /// Before; nothing when it was not there.
    pub old: Option<f64>,
    /// After; nothing when it is gone.
    pub new: Option<f64>,
}

impl Diff {
    /// True when nothing that has a meaning changed.
    pub fn is_empty(&self) -> bool {
        self.header.is_empty() && self.rules.is_empty()
    }
}

/// Compares two grammars by the ids of their rules.
pub fn diff(old: &Grammar, new: &Grammar) -> Diff {
    let before: BTreeMap<&str, AnyRule<'_>> = by_id(old);
    let after: BTreeMap<&str, AnyRule<'_>> = by_id(new);
    let mut removed: Vec<AnyRule<'_>> = Vec::new();
    let mut pairs: Vec<(AnyRule<'_>, AnyRule<'_>)> = Vec::new();
    for any in old.rules() {
        match after.get(&*any.rule().id) {
            Some(now) => pairs.push((any, *now)),
            None => removed.push(any),
        }
    }
    let mut added: Vec<AnyRule<'_>> = new
        .rules()
        .filter(|any| !before.contains_key(&*any.rule().id))
        .collect();
    let same = |any: AnyRule<'_>, grammar: &Grammar| Some(meaning(any, &grammar.schema));
    pair_by(&mut removed, &mut added, &mut pairs, (old, new), same);
    // A derived id changes with the reason: the head tells which rule it was.
    let head = |any: AnyRule<'_>, grammar: &Grammar| {
        let derived = !any.rule().named;
        derived.then(|| any.head(&grammar.schema).to_string())
    };
    pair_by(&mut removed, &mut added, &mut pairs, (old, new), head);
    let odds = odds::Tables::new(old, new);
    let mut rules = Vec::new();
    for (was, is) in pairs {
        let aspects = aspects(was, is, old, new);
        if !aspects.is_empty() || was.rule().id != is.rule().id {
            rules.push(changed(was, is, aspects, new, &odds));
        }
    }
    for any in removed {
        rules.push(one_sided(Change::Removed, any, &old.schema, &odds));
    }
    for any in added {
        rules.push(one_sided(Change::Added, any, &new.schema, &odds));
    }
    rules.extend(tables::changed_rows(old, new));
    Diff {
        header: header(old, new),
        rules,
    }
}

fn by_id(grammar: &Grammar) -> BTreeMap<&str, AnyRule<'_>> {
    grammar.rules().map(|any| (&*any.rule().id, any)).collect()
}

/// Pairs the only rule of its key that is gone with the only one that is new.
fn pair_by<'g>(
    removed: &mut Vec<AnyRule<'g>>,
    added: &mut Vec<AnyRule<'g>>,
    pairs: &mut Vec<(AnyRule<'g>, AnyRule<'g>)>,
    (old, new): (&'g Grammar, &'g Grammar),
    key: impl Fn(AnyRule<'_>, &Grammar) -> Option<String>,
) {
    let mut keys: BTreeMap<String, (Vec<usize>, Vec<usize>)> = BTreeMap::new();
    for (at, any) in removed.iter().enumerate() {
        if let Some(key) = key(*any, old) {
            keys.entry(key).or_default().0.push(at);
        }
    }
    for (at, any) in added.iter().enumerate() {
        if let Some(key) = key(*any, new) {
            keys.entry(key).or_default().1.push(at);
        }
    }
    let mut gone = BTreeSet::new();
    let mut come = BTreeSet::new();
    for (was, is) in keys.values() {
        if let ([was], [is]) = (was.as_slice(), is.as_slice())
            && let (Some(old), Some(new)) = (removed.get(*was), added.get(*is))
        {
            pairs.push((*old, *new));
            gone.insert(*was);
            come.insert(*is);
        }
    }
    let mut at = 0;
    removed.retain(|_| {
        at += 1;
        !gone.contains(&(at - 1))
    });
    at = 0;
    added.retain(|_| {
        at += 1;
        !come.contains(&(at - 1))
    });
}

/// What a rule says, whatever it is called and however often it was seen.
fn meaning(any: AnyRule<'_>, schema: &Schema) -> String {
    let mut meaning = any.head(schema).to_string();
    meaning.push_str("\nwhen ");
    meaning.push_str(&reason_key(any.rule(), schema));
    if let AnyRule::Production(production) = any {
        for key in equation_keys(production, schema) {
            meaning.push('\n');
            meaning.push_str(&key);
        }
    }
    meaning
}

fn changed(
    was: AnyRule<'_>,
    is: AnyRule<'_>,
    aspects: Vec<Aspect>,
    new: &Grammar,
    odds: &odds::Tables,
) -> RuleChange {
    let moved = aspects
        .iter()
        .any(|aspect| matches!(aspect.what, "count" | "pattern"));
    let new_id = (was.rule().id != is.rule().id).then(|| is.rule().id.to_string());
    let pulls = [was, is].map(|any| any.rule().pull().unwrap_or(0.0));
    RuleChange {
        row: None,
        even_choice: match new.decide {
            Decide::Weights => even_choice(pulls),
            Decide::Counts => None,
        },
        change: if aspects.is_empty() {
            Change::Renamed
        } else {
            Change::Changed
        },
        id: was.rule().id.to_string(),
        new_id,
        head: is.head(&new.schema).to_string(),
        reason: reason_text(is.rule(), &new.schema),
        count: is.rule().count().get(),
        odds: if moved {
            odds.around(is, &new.schema)
        } else {
            Vec::new()
        },
        aspects,
    }
}

fn one_sided(change: Change, any: AnyRule<'_>, schema: &Schema, odds: &odds::Tables) -> RuleChange {
    RuleChange {
        change,
        id: any.rule().id.to_string(),
        new_id: None,
        row: None,
        head: any.head(schema).to_string(),
        reason: reason_text(any.rule(), schema),
        count: any.rule().count().get(),
        aspects: Vec::new(),
        odds: odds.around(any, schema),
        even_choice: None,
    }
}

/// What a change of log-odds makes of something that was as likely as not.
fn even_choice([was, is]: [f64; 2]) -> Option<f64> {
    (was != is).then(|| 1.0 / (1.0 + (was - is).exp()))
}

fn reason_text(rule: &Rule, schema: &Schema) -> Option<String> {
    rule.reason.as_ref().map(|reason| reason.text(schema))
}

fn aspects(was: AnyRule<'_>, is: AnyRule<'_>, old: &Grammar, new: &Grammar) -> Vec<Aspect> {
    let mut aspects = Vec::new();
    let mut compare = |what, same: bool, old: String, new: String| {
        if !same {
            aspects.push(Aspect { what, old, new });
        }
    };
    let heads = (
        was.head(&old.schema).to_string(),
        is.head(&new.schema).to_string(),
    );
    compare("pattern", heads.0 == heads.1, heads.0, heads.1);
    let (before, after) = (was.rule(), is.rule());
    compare(
        "reason",
        reason_key(before, &old.schema) == reason_key(after, &new.schema),
        reason_text(before, &old.schema).unwrap_or_default(),
        reason_text(after, &new.schema).unwrap_or_default(),
    );
    if let (AnyRule::Production(before), AnyRule::Production(after)) = (was, is) {
        let keys = (
            equation_keys(before, &old.schema),
            equation_keys(after, &new.schema),
        );
        let texts = (equations(was, &old.schema), equations(is, &new.schema));
        // What stays as it is would only hide what does not.
        let only = |texts: &[String], others: &[String]| {
            let only = texts.iter().filter(|text| !others.contains(text));
            only.cloned().collect::<Vec<String>>().join("; ")
        };
        compare(
            "equations",
            keys.0 == keys.1,
            only(&texts.0, &texts.1),
            only(&texts.1, &texts.0),
        );
    }
    compare(
        "count",
        before.count() == after.count(),
        before.count().to_string(),
        after.count().to_string(),
    );
    let weight = |rule: &Rule| rule.weight.map_or(String::new(), |w| w.to_string());
    compare(
        "weight",
        before.weight == after.weight,
        weight(before),
        weight(after),
    );
    let strength = |rule: &Rule| rule.strength.map_or("", Strength::as_str).to_owned();
    compare(
        "strength",
        before.strength == after.strength,
        strength(before),
        strength(after),
    );
    let doc = |rule: &Rule| rule.doc.as_deref().unwrap_or_default().to_owned();
    compare("doc", before.doc == after.doc, doc(before), doc(after));
    aspects
}

fn equations(any: AnyRule<'_>, schema: &Schema) -> Vec<String> {
    let equations = any.to_syntax(schema).set;
    let texts = equations
        .iter()
        .map(|e| format!("{}.{} = {}", e.node.text, e.attribute.text, e.value));
    texts.collect()
}

fn header(old: &Grammar, new: &Grammar) -> Vec<Aspect> {
    fn start(grammar: &Grammar) -> String {
        let start = grammar.start.map(|id| grammar.schema.relation_name(id));
        start.unwrap_or_default().to_owned()
    }
    fn fallback(grammar: &Grammar) -> String {
        let action = grammar
            .fallback
            .action
            .map(|action| action.as_str().to_owned());
        let shape = grammar.fallback.production.as_ref();
        let production = shape.map(|shape| shape.to_syntax(&grammar.schema).to_string());
        let parts: Vec<String> = action.into_iter().chain(production).collect();
        parts.join("; ")
    }
    let version = |grammar: &Grammar| grammar.version.clone().unwrap_or_default();
    let schema = |schema: &Arc<Schema>| format!("{} {:.8}", schema.name, schema.hash);
    let all = [
        ("name", old.name.clone(), new.name.clone()),
        ("version", version(old), version(new)),
        ("schema", schema(&old.schema), schema(&new.schema)),
        ("start", start(old), start(new)),
        (
            "decide",
            old.decide.as_str().to_owned(),
            new.decide.as_str().to_owned(),
        ),
        ("fallback", fallback(old), fallback(new)),
    ];
    let changed = all.into_iter().filter(|(_, old, new)| old != new);
    changed
        .map(|(what, old, new)| Aspect { what, old, new })
        .collect()
}
