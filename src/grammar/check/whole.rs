//! What only the grammar as a whole can show: symbols nobody makes, pairs nobody joins.

use rustc_hash::{FxHashMap, FxHashSet};

use super::super::formula::Formula;
use super::super::model::{AnyRule, Decide, Grammar, Pattern};
use super::super::resolve::never_set;
use super::super::syntax::{Element, ItemKind};
use super::super::tables::Table;
use super::super::wording::list_names;
use super::Checking;
use super::reach::Reach;
use super::shadow;
use crate::diagnostic::{Code, Place, plural};
use crate::schema::RelationId;

/// How many examples a message lists.
const EXAMPLES: usize = 5;
/// Grammars with more symbols than this are looked at by their most frequent ones.
const MAX_SYMBOLS: usize = 300;

impl<'l> Checking<'l> {
    /// All warnings about the grammar as a whole.
    pub(super) fn whole(&mut self) {
        let grammar = &self.loaded.grammar;
        let reach = Reach::of(grammar);
        self.unset_attributes();
        self.empty_modules();
        if reach.made.is_empty() {
            let place = self.header_place(|kind| matches!(kind, ItemKind::Schema(_)));
            self.report(Code::G045, "the schema makes no leaves", place)
                .help = Some("give some relations `triggers` or `forms`".to_owned());
            return;
        }
        self.unreachable(&reach);
        self.unused(&reach);
        self.start_symbol(&reach);
        self.pairs(&reach);
        if grammar.decide == Decide::Counts {
            self.shadowed(&reach);
        }
    }

    /// Symbols of patterns that no node can have.
    fn unreachable(&mut self, reach: &Reach) {
        let grammar = &self.loaded.grammar;
        let mut dead: FxHashMap<RelationId, (Option<Place>, usize)> = FxHashMap::default();
        let mut order = Vec::new();
        for any in grammar.rules() {
            let patterns: &[Pattern] = match any {
                AnyRule::Production(production) => &production.shape.children,
                AnyRule::Preference(preference) => &preference.pattern,
                AnyRule::Boundary(_) | AnyRule::Block(_) => &[],
            };
            for pattern in patterns {
                let Pattern::Symbol(symbol) = pattern else {
                    continue;
                };
                if reach.can_match(*pattern) {
                    continue;
                }
                let entry = dead.entry(*symbol).or_insert_with(|| {
                    order.push(*symbol);
                    (any.rule().place.clone(), 0)
                });
                entry.1 += 1;
            }
        }
        for symbol in order {
            let Some((place, times)) = dead.remove(&symbol) else {
                continue;
            };
            let name = grammar.schema.relation_name(symbol).to_owned();
            let message = format!("no leaf and no production makes `{name}`");
            self.report(Code::G045, &message, place).help = Some(format!(
                "give `{name}` triggers in the schema, or a production; until then {} never fire{}",
                plural(times, "rule"),
                if times == 1 { "s" } else { "" }
            ));
        }
    }

    /// Attributes that are read although nothing sets them.
    fn unset_attributes(&mut self) {
        let grammar = &self.loaded.grammar;
        for at in never_set(grammar, &grammar.schema) {
            let attribute = grammar.schema.attributes.get(at as usize);
            let rule = grammar.rules().find(|any| reads(*any, at));
            let (Some(attribute), Some(rule)) = (attribute, rule) else {
                continue;
            };
            let name = &attribute.name;
            let message = format!("`{name}` is read here, but nothing sets it");
            self.report(Code::G049, &message, rule.rule().place.clone())
                .help = Some(format!(
                "set it with `set D.{name} = ...`, or give it a `leaf` in the schema"
            ));
        }
    }

    /// What the schema has and no rule speaks of, in one message: a small grammar need not use all.
    fn unused(&mut self, reach: &Reach) {
        let relations = self.unproduced_relations();
        // A grammar that makes most relations has probably forgotten the others.
        let forgotten = !self.is_small();
        let mut kinds = vec![
            (self.unused_attributes(), "attribute"),
            (self.unused_symbols(reach), "symbol"),
        ];
        let place = self.header_place(|kind| matches!(kind, ItemKind::Schema(_)));
        match forgotten {
            true if relations.is_empty() => {}
            true => {
                let message = format!(
                    "no production makes {} of the schema",
                    plural(relations.len(), "rhetorical relation")
                );
                let help = format!("write productions for {}", some_of(&relations));
                self.report(Code::G046, &message, place.clone()).help = Some(help);
            }
            false => kinds.insert(0, (relations, "rhetorical relation")),
        }
        kinds.retain(|(names, _)| !names.is_empty());
        if kinds.is_empty() {
            return;
        }
        let numbers = kinds.iter().map(|(names, kind)| plural(names.len(), kind));
        let numbers: Vec<String> = numbers.collect();
        let message = format!("no rule uses {} of the schema", numbers.join(", "));
        let lists = kinds
            .iter()
            .map(|(names, kind)| format!("{kind}s {}", some_of(names)));
        let lists: Vec<String> = lists.collect();
        self.report(Code::G048, &message, place).help = Some(if forgotten {
            format!("use or delete {}", lists.join("; "))
        } else {
            let grammar = &self.loaded.grammar;
            let file = grammar.schema_file.display().to_string();
            let named = if file.is_empty() {
                &grammar.schema.name
            } else {
                &file
            };
            format!("a small grammar need not use all; `arsg stats {named}` lists what there is")
        });
    }

    /// True for a grammar that makes less than half of the schema's rhetorical relations: a beginning,
    /// or one for a purpose of its own.
    fn is_small(&self) -> bool {
        self.unproduced_relations().len() * 2 > self.loaded.grammar.schema.rhetoric.len()
    }

    /// Rhetorical relations that no production makes.
    fn unproduced_relations(&self) -> Vec<&'l str> {
        let grammar = &self.loaded.grammar;
        let mut made = vec![false; grammar.schema.rhetoric.len()];
        let shapes = grammar
            .productions
            .iter()
            .map(|production| production.shape);
        let shapes = shapes.chain(grammar.fallback.production);
        let by_rules = shapes.map(|shape| shape.relation);
        let tables = grammar.tables.iter().flat_map(Table::outcomes);
        let by_tables = tables.map(|(relation, _)| relation);
        for relation in by_rules.chain(by_tables) {
            if let Some(made) = made.get_mut(relation.index()) {
                *made = true;
            }
        }
        let missing = grammar.schema.rhetoric.iter().zip(&made);
        let missing = missing.filter(|(_, made)| !**made);
        missing
            .map(|(rhetoric, _)| rhetoric.name.as_str())
            .collect()
    }

    /// Attributes that nothing sets and nobody reads.
    fn unused_attributes(&self) -> Vec<&'l str> {
        let grammar = &self.loaded.grammar;
        let unset = never_set(grammar, &grammar.schema).into_iter();
        let unused = unset.filter(|at| !grammar.rules().any(|any| reads(any, *at)));
        let attributes = unused.filter_map(|at| grammar.schema.attributes.get(at as usize));
        attributes
            .map(|attribute| attribute.name.as_str())
            .collect()
    }

    /// Symbols that can stand on no node and in no rule.
    fn unused_symbols(&self, reach: &Reach) -> Vec<&'l str> {
        if self.keeps_symbols() {
            return Vec::new();
        }
        let grammar = &self.loaded.grammar;
        let mut named: FxHashSet<RelationId> = [grammar.start()].into_iter().collect();
        for any in grammar.rules() {
            let patterns: Vec<Pattern> = match any {
                AnyRule::Production(production) => {
                    let [a, b] = production.shape.children;
                    vec![production.shape.parent, a, b]
                }
                AnyRule::Preference(preference) => preference.pattern.to_vec(),
                AnyRule::Boundary(_) | AnyRule::Block(_) => continue,
            };
            named.extend(patterns.iter().filter_map(|pattern| match pattern {
                Pattern::Symbol(symbol) => Some(*symbol),
                Pattern::Any => None,
            }));
        }
        let symbols = (0..grammar.schema.relations.len()).map(|at| RelationId(at as u32));
        symbols
            .filter(|symbol| !named.contains(symbol))
            .filter(|symbol| !reach.can_match(Pattern::Symbol(*symbol)))
            .map(|symbol| grammar.schema.relation_name(symbol))
            .collect()
    }

    fn empty_modules(&mut self) {
        let loaded = self.loaded;
        for file in &loaded.files {
            let has_content = file.items().any(|item| {
                matches!(
                    item.kind,
                    ItemKind::Rule(_) | ItemKind::Table(_) | ItemKind::Use(_)
                )
            });
            if has_content {
                continue;
            }
            let first = file
                .items()
                .next()
                .map(|item| item.span.place(&file.source));
            let place = first.unwrap_or_else(|| Place::new(&file.source, 0..0));
            let diagnostic = self.report(Code::G048, "this file has no rules", Some(place));
            diagnostic.label = Some("nothing to read here".to_owned());
            diagnostic.help = Some("write some, or delete the `use` that names it".to_owned());
        }
    }

    /// True when productions give their parent whatever symbol a child has: then all symbols are
    /// spoken of, and the root is made like any other node.
    fn keeps_symbols(&self) -> bool {
        let grammar = &self.loaded.grammar;
        let mut productions = grammar.productions.iter();
        self.labels_by_tables()
            || productions.any(|production| production.shape.parent == Pattern::Any)
    }

    /// True when tables say what any two nodes become.
    fn labels_by_tables(&self) -> bool {
        let mut tables = self.loaded.grammar.tables.iter();
        tables.any(|table| table.outcomes().next().is_some())
    }

    fn start_symbol(&mut self, reach: &Reach) {
        let grammar = &self.loaded.grammar;
        let start = grammar.start();
        if reach.can_match(Pattern::Symbol(start)) || self.is_small() || self.keeps_symbols() {
            return;
        }
        let name = grammar.schema.relation_name(start).to_owned();
        let place = self.header_place(|kind| matches!(kind, ItemKind::Start(_)));
        let message = format!("no production makes the start symbol `{name}`");
        self.report(Code::G053, &message, place).help = Some(format!(
            "the root of every tree becomes a `{name}` all the same; to say how a whole text is \
             joined, write `{name}[RELATION] <- ...`"
        ));
    }

    /// Pairs of symbols that can meet on the stack but that no production joins.
    fn pairs(&mut self, reach: &Reach) {
        let grammar = &self.loaded.grammar;
        let shapes = grammar
            .productions
            .iter()
            .map(|production| production.shape.children);
        let joined: FxHashSet<[Pattern; 2]> = shapes.collect();
        if grammar.fallback.production.is_some()
            || joined.contains(&[Pattern::Any; 2])
            || self.labels_by_tables()
        {
            return;
        }
        let symbols = by_frequency(grammar, &reach.made);
        let is_joined = |left: RelationId, right: RelationId| {
            let ladder = |symbol| {
                let above = grammar.schema.ancestors(symbol).map(Pattern::Symbol);
                above.chain([Pattern::Any]).collect::<Vec<_>>()
            };
            let rights = ladder(right);
            ladder(left)
                .iter()
                .any(|a| rights.iter().any(|b| joined.contains(&[*a, *b])))
        };
        let mut open = 0;
        let mut examples: Vec<(usize, String)> = Vec::new();
        for (i, left) in symbols.iter().enumerate() {
            for (j, right) in symbols.iter().enumerate() {
                if is_joined(*left, *right) {
                    continue;
                }
                open += 1;
                if examples.len() < EXAMPLES || examples.last().is_some_and(|(n, _)| i + j < *n) {
                    let name = |symbol| grammar.schema.relation_name(symbol);
                    examples.push((i + j, format!("{} {}", name(*left), name(*right))));
                    examples.sort();
                    examples.truncate(EXAMPLES);
                }
            }
        }
        if open == 0 {
            return;
        }
        let place = self.header_place(|kind| matches!(kind, ItemKind::Start(_)));
        let all = symbols.len() * symbols.len();
        let message = format!("{open} of {all} pairs of symbols have no production");
        let names: Vec<&str> = examples.iter().map(|(_, pair)| pair.as_str()).collect();
        self.report(Code::G047, &message, place).help = Some(format!(
            "for example {}; cover them with `_`, or say what happens: `fallback D[RELATION] <- _ _`",
            list_names(&names)
        ));
    }

    fn shadowed(&mut self, reach: &Reach) {
        let grammar = &self.loaded.grammar;
        let productions: Vec<_> = grammar
            .productions
            .iter()
            .map(|production| (&production.rule, production.shape.children))
            .collect();
        let preferences: Vec<_> = grammar
            .preferences
            .iter()
            .map(|preference| (&preference.rule, preference.pattern))
            .collect();
        let mut lost = shadow::lost(&productions, reach, &grammar.schema);
        lost.extend(shadow::lost(&preferences, reach, &grammar.schema));
        for (rule, winner) in lost {
            let place = rule.place.clone();
            let diagnostic = self.report(
                Code::G044,
                "more specific rules always win against this one",
                place,
            );
            diagnostic.help = Some("give them a reason, or delete this rule".to_owned());
            if let Some(place) = winner.place.clone() {
                diagnostic.related.push((place, "one of them".to_owned()));
            }
        }
    }

    /// The place of the first statement of a kind in the grammar's own file.
    fn header_place(&self, wanted: impl Fn(&ItemKind) -> bool) -> Option<Place> {
        let file = self.loaded.files.last()?;
        let items = || {
            file.elements.iter().filter_map(|element| match element {
                Element::Item(item) => Some(item),
                _ => None,
            })
        };
        let item = items().find(|item| wanted(&item.kind)).or(items().next())?;
        Some(item.span.place(&file.source))
    }
}

/// True when a rule's reason or equations read an attribute.
fn reads(any: AnyRule<'_>, attribute: u32) -> bool {
    let mut found = false;
    let mut look = |formula: &Formula| {
        formula.visit(&mut |part| {
            found |= matches!(part, Formula::Attribute(_, at) if *at == attribute);
        });
    };
    any.rule().reason.iter().for_each(&mut look);
    if let AnyRule::Production(production) = any {
        production.equations.iter().for_each(|e| look(&e.value));
    }
    found
}

/// Up to a few names, and how many there are besides.
fn some_of(names: &[&str]) -> String {
    match names.len().checked_sub(EXAMPLES) {
        None | Some(0) => list_names(names),
        Some(more) => format!("{} and {more} more", list_names(&names[..EXAMPLES])),
    }
}

/// Symbols by how often rules name them, the most frequent first.
fn by_frequency(grammar: &Grammar, made: &[RelationId]) -> Vec<RelationId> {
    let mut counts: FxHashMap<RelationId, u64> = FxHashMap::default();
    for production in &grammar.productions {
        for child in production.shape.children {
            if let Pattern::Symbol(symbol) = child {
                let count = counts.entry(symbol).or_default();
                *count = count.saturating_add(production.rule.count().get());
            }
        }
    }
    let mut symbols = made.to_vec();
    symbols.sort_by_key(|symbol| {
        let count = counts.get(symbol).copied().unwrap_or(0);
        (std::cmp::Reverse(count), *symbol)
    });
    symbols.truncate(MAX_SYMBOLS);
    symbols
}
