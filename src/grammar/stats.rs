//! How large a grammar is, and how much it leaves open.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use super::model::*;
use crate::columns::{fill, widest};
use crate::diagnostic::plural;
use crate::schema::RhetoricId;

/// The figures of a grammar.
#[derive(Debug, Clone, Serialize)]
pub struct Stats {
    /// The grammar's name.
    pub name: String,
    /// Its version.
    pub version: Option<String>,
    /// How its rules decide.
    pub decide: &'static str,
    /// The files it was read from.
    pub modules: Vec<String>,
    /// PPR(AT).
    pub productions: Kind,
    /// PF(AT).
    pub preferences: Kind,
    /// Boundary rules.
    pub boundaries: Kind,
    /// Domain relations that its patterns name.
    pub symbols: usize,
    /// Domain relations of the schema.
    pub schema_symbols: usize,
    /// Rhetorical relations that its productions make.
    pub relations: usize,
    /// Rhetorical relations of the schema.
    pub schema_relations: usize,
    /// How many parents a pair of children has.
    pub ambiguity: Ambiguity,
    /// The rules with the most instances.
    pub biggest: Vec<Big>,
}

/// The figures of one kind of rules.
#[derive(Debug, Clone, Serialize)]
pub struct Kind {
    /// How many there are.
    pub rules: usize,
    /// Their instances.
    pub instances: u64,
    /// How many have a reason.
    pub with_reason: usize,
    /// How many have a name of their own.
    pub named: usize,
    /// The mean entropy in bits of what they decide, weighted by instances: 0 is certain.
    pub entropy: f64,
}

/// How many parents (symbol, relation and roles) a pair of child patterns has.
#[derive(Debug, Clone, Serialize)]
pub struct Ambiguity {
    /// Pairs of child patterns.
    pub pairs: usize,
    /// The mean number of parents.
    pub mean: f64,
    /// The pair with the most parents.
    pub most: Option<(String, usize)>,
    /// How many pairs have one parent, two, three, ...
    pub histogram: BTreeMap<usize, usize>,
}

/// A rule with many instances.
#[derive(Debug, Clone, Serialize)]
pub struct Big {
    /// Its id.
    pub id: String,
    /// Its head.
    pub head: String,
    /// Its instances.
    pub count: u64,
    /// Its weight.
    pub weight: Option<f64>,
}

/// How many of the biggest rules are listed.
const BIGGEST: usize = 10;

impl Grammar {
    /// The grammar's figures.
    pub fn stats(&self) -> Stats {
        let schema = &self.schema;
        let mut parents: BTreeMap<[Pattern; 2], BTreeMap<Shape, u64>> = BTreeMap::new();
        for production in &self.productions {
            let shape = production.shape;
            let group = parents.entry(shape.children).or_default();
            add(group.entry(shape).or_default(), production.rule.count());
        }
        let mut actions: BTreeMap<[Pattern; 3], BTreeMap<Action, u64>> = BTreeMap::new();
        for preference in &self.preferences {
            let group = actions.entry(preference.pattern).or_default();
            add(
                group.entry(preference.action).or_default(),
                preference.rule.count(),
            );
        }
        let mut cuts: BTreeMap<bool, u64> = BTreeMap::new();
        for boundary in &self.boundaries {
            add(cuts.entry(boundary.cut).or_default(), boundary.rule.count());
        }
        Stats {
            name: self.name.clone(),
            version: self.version.clone(),
            decide: self.decide.as_str(),
            modules: self.modules.clone(),
            productions: kind(
                self.productions.iter().map(|p| &p.rule),
                parents
                    .values()
                    .map(|group| group.values().copied().collect()),
            ),
            preferences: kind(
                self.preferences.iter().map(|p| &p.rule),
                actions
                    .values()
                    .map(|group| group.values().copied().collect()),
            ),
            boundaries: kind(
                self.boundaries.iter().map(|b| &b.rule),
                [cuts.values().copied().collect()].into_iter(),
            ),
            symbols: self.symbols().len(),
            schema_symbols: schema.relations.len(),
            schema_relations: schema.rhetoric.len(),
            relations: self
                .productions
                .iter()
                .map(|production| production.shape.relation)
                .collect::<BTreeSet<RhetoricId>>()
                .len(),
            ambiguity: ambiguity(&parents, |pair| {
                format!("{} {}", pair[0].name(schema), pair[1].name(schema))
            }),
            biggest: self.biggest(),
        }
    }

    /// The domain relations that patterns name.
    fn symbols(&self) -> BTreeSet<crate::schema::RelationId> {
        let productions = self.productions.iter().flat_map(|production| {
            let [a, b] = production.shape.children;
            [production.shape.parent, a, b]
        });
        let preferences = self.preferences.iter().flat_map(|p| p.pattern);
        let symbols = productions
            .chain(preferences)
            .filter_map(|pattern| match pattern {
                Pattern::Symbol(symbol) => Some(symbol),
                Pattern::Any => None,
            });
        symbols.collect()
    }

    fn biggest(&self) -> Vec<Big> {
        let mut rules: Vec<AnyRule<'_>> = self.rules().collect();
        rules.sort_by_key(|any| std::cmp::Reverse(any.rule().count()));
        let biggest = rules.into_iter().take(BIGGEST).map(|any| Big {
            id: any.rule().id.to_string(),
            head: any.head(&self.schema).to_string(),
            count: any.rule().count().get(),
            weight: any.rule().weight.map(Weight::get),
        });
        biggest.collect()
    }
}

fn add(sum: &mut u64, count: Count) {
    *sum = sum.saturating_add(count.get());
}

fn kind<'r>(
    rules: impl Iterator<Item = &'r Rule> + Clone,
    groups: impl Iterator<Item = Vec<u64>>,
) -> Kind {
    Kind {
        rules: rules.clone().count(),
        instances: rules
            .clone()
            .fold(0, |sum: u64, rule| sum.saturating_add(rule.count().get())),
        with_reason: rules.clone().filter(|rule| rule.reason.is_some()).count(),
        named: rules.filter(|rule| rule.named).count(),
        entropy: mean_entropy(groups),
    }
}

/// The entropy of each group's choices, weighted by the group's instances.
fn mean_entropy(groups: impl Iterator<Item = Vec<u64>>) -> f64 {
    let mut weighted = 0.0;
    let mut all = 0.0;
    for counts in groups {
        let sum: f64 = counts.iter().map(|count| *count as f64).sum();
        let bits: f64 = counts
            .iter()
            .map(|count| *count as f64 / sum)
            .map(|share| -share * share.log2())
            .sum();
        weighted += bits * sum;
        all += sum;
    }
    if all > 0.0 { weighted / all } else { 0.0 }
}

fn ambiguity(
    parents: &BTreeMap<[Pattern; 2], BTreeMap<Shape, u64>>,
    name: impl Fn(&[Pattern; 2]) -> String,
) -> Ambiguity {
    let mut histogram = BTreeMap::new();
    for group in parents.values() {
        *histogram.entry(group.len()).or_insert(0) += 1;
    }
    let all: usize = parents.values().map(BTreeMap::len).sum();
    let mut most: Option<(&[Pattern; 2], usize)> = None;
    for (pair, group) in parents {
        if most.is_none_or(|(_, number)| group.len() > number) {
            most = Some((pair, group.len()));
        }
    }
    Ambiguity {
        pairs: parents.len(),
        mean: match parents.len() {
            0 => 0.0,
            pairs => all as f64 / pairs as f64,
        },
        most: most.map(|(pair, number)| (name(pair), number)),
        histogram,
    }
}

impl std::fmt::Display for Stats {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let name = match self.name.as_str() {
            "" => self.modules.last().map_or("(no name)", String::as_str),
            name => name,
        };
        let version = self.version.as_deref().map(|version| format!(" {version}"));
        let files = plural(self.modules.len(), "file");
        writeln!(
            f,
            "{name}{}: decides by {}, read from {files}\n",
            version.unwrap_or_default(),
            self.decide
        )?;
        writeln!(
            f,
            "{:<14}{:>8}{:>12}{:>14}{:>8}{:>16}",
            "", "rules", "instances", "with reason", "named", "entropy (bits)"
        )?;
        let kinds = [
            ("productions", &self.productions),
            ("preferences", &self.preferences),
            ("boundaries", &self.boundaries),
        ];
        for (name, kind) in kinds {
            writeln!(
                f,
                "{name:<14}{:>8}{:>12}{:>14}{:>8}{:>16.2}",
                kind.rules, kind.instances, kind.with_reason, kind.named, kind.entropy
            )?;
        }
        writeln!(
            f,
            "\nspeaks of {} of {} and {} of {}",
            self.symbols,
            plural(self.schema_symbols, "symbol"),
            self.relations,
            plural(self.schema_relations, "rhetorical relation")
        )?;
        write!(
            f,
            "{} of children, {:.2} parents each on average",
            plural(self.ambiguity.pairs, "pair"),
            self.ambiguity.mean
        )?;
        match &self.ambiguity.most {
            Some((pair, number)) => writeln!(f, ", at most {number} (`{pair}`)")?,
            None => writeln!(f)?,
        }
        if self.biggest.is_empty() {
            return Ok(());
        }
        writeln!(f, "\nbiggest rules, by instances")?;
        let width = widest(self.biggest.iter().map(|big| &*big.head)) + 2;
        for big in &self.biggest {
            let gap = fill(&big.head, width);
            writeln!(f, "{:>10}  {}{gap}{}", big.count, big.head, big.id)?;
        }
        Ok(())
    }
}
