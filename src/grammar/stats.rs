//! How large a grammar is, and how much it leaves open.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use super::model::*;
use super::tables::Table;
use crate::columns::{fill, widest};
use crate::diagnostic::plural;
use crate::schema::RhetoricId;
use crate::text::structure::LineRole;

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
    /// Block rules.
    pub blocks: Kind,
    /// How many rules say in words how strongly they speak, by the word.
    pub strengths: BTreeMap<&'static str, usize>,
    /// Tables, by what they decide.
    pub tables: BTreeMap<&'static str, TableKind>,
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
    /// The tables whose weights lie furthest apart: what matters most.
    pub loudest: Vec<Loud>,
}

/// The figures of the tables that decide one thing.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct TableKind {
    /// How many there are.
    pub tables: usize,
    /// Their rows.
    pub rows: usize,
    /// How often the rows were seen.
    pub instances: u64,
    /// Rows that learning leaves alone (`!`).
    pub kept: usize,
}

/// A table whose weights lie far apart.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Loud {
    /// Its name.
    pub id: String,
    /// What it decides and asks.
    pub head: String,
    /// Its least weight, or 0 where all are positive: answers without a row say nothing.
    pub least: f64,
    /// Its greatest weight, or 0 where all are negative.
    pub greatest: f64,
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
        let mut roles: BTreeMap<LineRole, u64> = BTreeMap::new();
        for block in &self.blocks {
            add(roles.entry(block.role).or_default(), block.rule.count());
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
            blocks: kind(
                self.blocks.iter().map(|b| &b.rule),
                [roles.values().copied().collect()].into_iter(),
            ),
            strengths: self.strengths(),
            tables: self.table_kinds(),
            symbols: self.symbols().len(),
            schema_symbols: schema.relations.len(),
            schema_relations: schema.rhetoric.len(),
            relations: self.relations().len(),
            ambiguity: ambiguity(&parents, |pair| {
                format!("{} {}", pair[0].name(schema), pair[1].name(schema))
            }),
            biggest: self.biggest(),
            loudest: self.loudest(),
        }
    }

    /// The rhetorical relations that can be made.
    fn relations(&self) -> BTreeSet<RhetoricId> {
        let productions = self.productions.iter();
        let productions = productions.map(|production| production.shape.relation);
        let outcomes = self.tables.iter().flat_map(Table::outcomes);
        productions
            .chain(outcomes.map(|(relation, _)| relation))
            .collect()
    }

    fn strengths(&self) -> BTreeMap<&'static str, usize> {
        let mut all = BTreeMap::new();
        for strength in self.rules().filter_map(|any| any.rule().strength) {
            *all.entry(strength.as_str()).or_insert(0) += 1;
        }
        all
    }

    fn table_kinds(&self) -> BTreeMap<&'static str, TableKind> {
        let mut all: BTreeMap<&'static str, TableKind> = BTreeMap::new();
        for table in &self.tables {
            let kind = all.entry(table.decision.as_str()).or_default();
            kind.tables += 1;
            kind.rows += table.rows.len();
            for row in &table.rows {
                kind.kept += usize::from(row.kept);
                let seen = row.count.map_or(0, Count::get);
                kind.instances = kind.instances.saturating_add(seen);
            }
        }
        all
    }

    fn loudest(&self) -> Vec<Loud> {
        let loud = self.tables.iter().map(|table| {
            let weights = table.rows.iter().map(|row| row.weight.get());
            Loud {
                id: table.rule.id.to_string(),
                head: table.head(&self.schema),
                least: weights.clone().fold(0.0, f64::min),
                greatest: weights.fold(0.0, f64::max),
            }
        });
        let mut loud: Vec<Loud> = loud.collect();
        let span = |loud: &Loud| loud.greatest - loud.least;
        loud.sort_by(|a, b| span(b).total_cmp(&span(a)));
        loud.truncate(BIGGEST);
        loud
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
            ("blocks", &self.blocks),
        ];
        for (name, kind) in kinds {
            writeln!(
                f,
                "{name:<14}{:>8}{:>12}{:>14}{:>8}{:>16.2}",
                kind.rules, kind.instances, kind.with_reason, kind.named, kind.entropy
            )?;
        }
        self.write_tables(f)?;
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
        if !self.loudest.is_empty() {
            writeln!(f, "\ntables whose weights lie furthest apart")?;
        }
        for loud in &self.loudest {
            let (least, greatest) = (loud.least, loud.greatest);
            writeln!(
                f,
                "{least:>+8.2} to {greatest:>+6.2}  {}  {}",
                loud.id, loud.head
            )?;
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

impl Stats {
    /// Tables and strengths, where there are any.
    fn write_tables(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if !self.tables.is_empty() {
            let [tables, rows, instances, kept] = ["tables", "rows", "instances", "kept (!)"];
            writeln!(
                f,
                "\n{:<14}{tables:>8}{rows:>12}{instances:>14}{kept:>10}",
                ""
            )?;
        }
        for (decision, kind) in &self.tables {
            writeln!(
                f,
                "{decision:<14}{:>8}{:>12}{:>14}{:>10}",
                kind.tables, kind.rows, kind.instances, kind.kept
            )?;
        }
        if self.strengths.is_empty() {
            return Ok(());
        }
        let words = self.strengths.iter();
        let words: Vec<String> = words
            .map(|(word, number)| format!("{number} {word}"))
            .collect();
        writeln!(f, "\nrules by strength: {}", words.join(", "))
    }
}
