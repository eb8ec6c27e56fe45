//! From the syntax of rules to their meaning.

use std::str::FromStr;
use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::formula::{Formula, Node, Type};
use super::functions::{FunctionId, Scope};
use super::ids;
use super::model::*;
use super::rewrite::role_of;
use super::syntax::{self, Child, File, Head, Item, RESERVED, RuleItem, Span, Word};
use super::tables::{Table, table_rule};
use super::typing::{BOUNDARY, EQUATION, FormulaContext, REASON, Typist};
use super::vocabulary::Vocabulary;
use super::wording::list_names;
use crate::diagnostic::{Code, Diagnostic, Problems};
use crate::named::UnknownName;
use crate::schema::{Name, RhetoricId, Schema};
use crate::tree::Roles;

/// Resolves the rules of one file into the grammar.
pub(super) struct Resolver<'a> {
    pub(super) vocabulary: &'a Vocabulary<'a>,
    /// What the file is known by if another one uses it; nothing for the grammar's own file.
    pub(super) module: Option<Arc<str>>,
    pub(super) problems: &'a mut Problems,
}

/// The ids given so far, with where: a rule is found by its id in the grammar it was put in.
pub(super) type KnownIds = FxHashMap<Arc<str>, Slot>;

/// Where a rule stands in its grammar.
#[derive(Clone, Copy)]
pub(super) enum Slot {
    Production(usize),
    Preference(usize),
    Boundary(usize),
    Block(usize),
    Table(usize),
}

impl Rule {
    /// The same with a reason, and with the id that its meaning gives unless it has a name.
    pub(super) fn with_reason(mut self, reason: Option<Formula>, derived: Arc<str>) -> Rule {
        if !self.named {
            self.id = derived;
        }
        self.reason = reason;
        self
    }
}

/// A resolved rule that has not found its place yet.
enum Resolved {
    Production(Production),
    Preference(Preference),
    Boundary(Boundary),
    Block(BlockRule),
    Table(Table),
}

impl Resolved {
    fn rule(&self) -> &Rule {
        match self {
            Resolved::Production(production) => &production.rule,
            Resolved::Preference(preference) => &preference.rule,
            Resolved::Boundary(boundary) => &boundary.rule,
            Resolved::Block(block) => &block.rule,
            Resolved::Table(table) => &table.rule,
        }
    }
}

impl Resolver<'_> {
    /// Resolves all rules of `file` and adds them to the grammar.
    pub(super) fn resolve_rules(
        &mut self,
        file: &File,
        file_index: usize,
        grammar: &mut Grammar,
        known: &mut KnownIds,
    ) {
        let mut doc: Vec<&str> = Vec::new();
        for (element, content) in file.elements.iter().enumerate() {
            match content {
                syntax::Element::Comment(comment) => match comment.doc() {
                    Some(line) => doc.push(line),
                    None => doc.clear(),
                },
                syntax::Element::Item(item) => {
                    let said = std::mem::take(&mut doc);
                    if let Some(resolved) = self.resolve_item(item, &said, file_index, element) {
                        self.add(resolved, grammar, known);
                    }
                }
                syntax::Element::Blank | syntax::Element::Broken(_) => doc.clear(),
            }
        }
    }

    fn resolve_item(
        &mut self,
        item: &Item,
        doc: &[&str],
        file: usize,
        element: usize,
    ) -> Option<Resolved> {
        let doc: Option<Arc<str>> = (!doc.is_empty()).then(|| doc.join("\n").into());
        let origin = Origin { file, element };
        let written = match &item.kind {
            syntax::ItemKind::Rule(written) => written,
            syntax::ItemKind::Table(written) => {
                let place = self.problems.place(written.name.span);
                let rule = table_rule(&written.name, doc, place, origin);
                return self.resolve_table(written, rule).map(Resolved::Table);
            }
            _ => return None,
        };
        let rule = self.resolve_rule(written, doc, origin);
        let schema = self.vocabulary.schema;
        match &written.head {
            Head::Production(production) => {
                let shape = self.resolve_shape(production);
                let reason = self.resolve_reason(written, REASON);
                let equations = self.resolve_equations(&written.set);
                let (shape, reason) = (shape?, reason?);
                let id = ids::production_id(&shape, reason.as_ref(), schema);
                Some(Resolved::Production(Production {
                    rule: rule.with_reason(reason, id),
                    shape,
                    equations: equations?,
                }))
            }
            Head::Preference {
                action, pattern, ..
            } => {
                let action = self.resolve_action(action);
                let pattern = [0, 1, 2].map(|at| self.resolve_pattern(&pattern[at]));
                let reason = self.resolve_reason(written, REASON);
                self.no_equations(written);
                let [a, b, c] = pattern;
                let (action, pattern, reason) = (action?, [a?, b?, c?], reason?);
                let id = ids::preference_id(action, &pattern, reason.as_ref(), schema);
                Some(Resolved::Preference(Preference {
                    rule: rule.with_reason(reason, id),
                    action,
                    pattern,
                }))
            }
            Head::Boundary { cut, .. } => {
                let reason = self.resolve_reason(written, BOUNDARY)?;
                self.no_equations(written);
                let id = ids::boundary_id(*cut, reason.as_ref(), schema);
                Some(Resolved::Boundary(Boundary {
                    rule: rule.with_reason(reason, id),
                    cut: *cut,
                }))
            }
            Head::Block { kind, level, span } => {
                let block = self.resolve_block(written, (kind, level.as_ref(), *span), rule);
                block.map(Resolved::Block)
            }
        }
    }

    /// What all rules have, but for the reason and an id that the meaning gives.
    fn resolve_rule(&mut self, written: &RuleItem, doc: Option<Arc<str>>, origin: Origin) -> Rule {
        let strength = self.resolve_strength(written);
        let name = written.id.as_ref();
        let instances = written.count.map_or(Count::MIN, |count| count.value);
        let module = self.module.iter().cloned();
        Rule {
            id: name.map_or_else(Arc::default, |name| name.text.as_ref().into()),
            named: name.is_some(),
            doc,
            place: Some(self.problems.place(written.head.span())),
            name_place: name.map(|name| self.problems.place(name.span)),
            count: written.count.map(|count| count.value),
            weight: written.weight.map(|weight| weight.value),
            strength,
            reason: None,
            origin: Some(origin),
            shares: module.map(|module| (module, instances)).collect(),
        }
    }

    /// How strongly a rule speaks, in words.
    fn resolve_strength(&mut self, written: &RuleItem) -> Option<Strength> {
        let word = written.strength.as_ref()?;
        let strength: Strength = word.text.parse().ok()?;
        if let Some(weight) = &written.weight {
            let message = format!("this rule has a weight and is `{}`", word.text);
            self.problems
                .report(Code::G056, weight.span.to(word.span), message)
                .help = Some("keep one of them".to_owned());
        }
        let has_sides = matches!(
            written.head,
            Head::Preference { .. } | Head::Boundary { .. }
        );
        if strength == Strength::Never && has_sides {
            let message = "`never` stands with productions and block rules only".to_owned();
            self.problems.report(Code::G056, word.span, message).help =
                Some("write the rule for the other side, with `always`".to_owned());
        }
        Some(strength)
    }

    /// Puts a rule in its place, unless its id is taken.
    fn add(&mut self, resolved: Resolved, grammar: &mut Grammar, known: &mut KnownIds) {
        let rule = resolved.rule();
        if let Some(slot) = known.get(&rule.id).copied() {
            self.add_again(resolved, slot, grammar);
            return;
        }
        let id = Arc::clone(&rule.id);
        let slot = match resolved {
            Resolved::Production(production) => {
                grammar.productions.push(production);
                Slot::Production(grammar.productions.len() - 1)
            }
            Resolved::Preference(preference) => {
                grammar.preferences.push(preference);
                Slot::Preference(grammar.preferences.len() - 1)
            }
            Resolved::Boundary(boundary) => {
                grammar.boundaries.push(boundary);
                Slot::Boundary(grammar.boundaries.len() - 1)
            }
            Resolved::Block(block) => {
                grammar.blocks.push(block);
                Slot::Block(grammar.blocks.len() - 1)
            }
            Resolved::Table(table) => {
                grammar.tables.push(table);
                Slot::Table(grammar.tables.len() - 1)
            }
        };
        known.insert(id, slot);
    }

    /// A second rule with the id of an earlier one: the same rule again, or a mistake.
    fn add_again(&mut self, again: Resolved, slot: Slot, grammar: &mut Grammar) {
        let (same, earlier) = match (&again, slot) {
            (Resolved::Production(new), Slot::Production(at)) => {
                let old = &mut grammar.productions[at];
                (old.equations == new.equations, Some(&mut old.rule))
            }
            (Resolved::Preference(_), Slot::Preference(at)) => {
                (true, Some(&mut grammar.preferences[at].rule))
            }
            (Resolved::Boundary(_), Slot::Boundary(at)) => {
                (true, Some(&mut grammar.boundaries[at].rule))
            }
            (Resolved::Block(_), Slot::Block(at)) => (true, Some(&mut grammar.blocks[at].rule)),
            (Resolved::Table(_), Slot::Table(at)) => (false, Some(&mut grammar.tables[at].rule)),
            _ => (false, None),
        };
        let new = again.rule();
        let derived = !new.named && earlier.as_ref().is_some_and(|rule| !rule.named);
        let mut diagnostic = match (derived, same) {
            (true, true) => Diagnostic::new(Code::G041, "the same rule stands here again")
                .help("delete one of them and add up their counts"),
            (true, false) => Diagnostic::new(
                Code::G026,
                "two rules differ in nothing but their equations",
            )
            .help("delete one, or name both with `rule NAME`"),
            _ => Diagnostic::new(
                Code::G026,
                format!("another rule is called `{}` already", new.id),
            )
            .help("give one of them another name"),
        };
        diagnostic.place = new.named_place();
        if let Some(place) = earlier.as_ref().and_then(|rule| rule.named_place()) {
            diagnostic = diagnostic.related(place, "first written here");
        }
        self.problems.push(diagnostic);
        if let (true, true, Some(earlier)) = (derived, same, earlier) {
            earlier.count = Some(earlier.count().saturating_add(new.count().get()));
            earlier.shares.extend(new.shares.iter().cloned());
            earlier.weight = match (earlier.weight, new.weight) {
                (Some(old), Some(new)) => {
                    Weight::new((old.get() + new.get()).clamp(f64::MIN, f64::MAX))
                }
                (old, new) => old.or(new),
            };
        }
    }

    /// The pattern of a production, of a rule or of the fallback.
    pub(super) fn resolve_shape(&mut self, written: &syntax::Production) -> Option<Shape> {
        let parent = self.resolve_pattern(&written.parent);
        let [left, right] = &written.children;
        if self.roles_before_symbols(left) | self.roles_before_symbols(right) {
            return None;
        }
        let children = (
            self.resolve_pattern(&left.symbol),
            self.resolve_pattern(&right.symbol),
        );
        let relation = match &written.relation {
            Some(relation) => self.resolve_relation(relation),
            None => {
                let parent = &written.parent;
                let message = format!("`{}` has no rhetorical relation", parent.text);
                self.problems.report(Code::G029, parent.span, message).help =
                    Some(format!("write `{}[RELATION] <- ...`", parent.text));
                None
            }
        };
        let roles = self.roles(left, right, relation);
        Some(Shape {
            parent: parent?,
            relation: relation?,
            children: [children.0?, children.1?],
            roles: roles?,
        })
    }

    fn resolve_relation(&mut self, word: &Word) -> Option<RhetoricId> {
        let schema = self.vocabulary.schema;
        if let Some(Name::Rhetoric(id)) = schema.lookup(&word.text) {
            return Some(id);
        }
        self.report_unknown_relation(word);
        None
    }

    pub(super) fn report_unknown_relation(&mut self, word: &Word) {
        let schema = self.vocabulary.schema;
        let known = schema.rhetoric.iter().map(|r| r.name.as_str());
        let message = format!("unknown rhetorical relation `{}`", word.text);
        let mut diagnostic = Diagnostic::new(Code::G018, message)
            .at(self.problems.place(word.span))
            .help(format!(
                "declare it with `[rhetoric.{}]`; `arsg stats SCHEMA.toml` lists the relations it has",
                word.text
            ));
        let of_class: Vec<&str> = schema
            .rhetoric
            .iter()
            .filter(|rhetoric| *rhetoric.class == *word.text)
            .map(|rhetoric| rhetoric.name.as_str())
            .collect();
        diagnostic = if of_class.is_empty() {
            diagnostic.suggest(&word.text, known)
        } else {
            diagnostic.help(format!(
                "`{}` is a class; its relations are {}",
                word.text,
                list_names(&of_class)
            ))
        };
        self.problems.push(diagnostic);
    }

    fn roles(
        &mut self,
        left: &Child,
        right: &Child,
        relation: Option<RhetoricId>,
    ) -> Option<Roles> {
        // Both are read before either fails, so that every wrong role is found.
        let (x, y) = (self.role(left), self.role(right));
        let (x, y) = (x?, y?);
        let schema = self.vocabulary.schema;
        let rhetoric = relation.and_then(|id| schema.rhetoric_of(id));
        let kind = rhetoric.map(|rhetoric| rhetoric.kind);
        let usual = kind.map_or(Roles::NucleusSatellite, Roles::usual);
        let roles = match (x, y) {
            (Some('S'), Some('S')) => {
                let message = "two satellites have no nucleus".to_owned();
                let span = match (&left.role, &right.role) {
                    (Some(x), Some(y)) => x.span.to(y.span),
                    _ => left.symbol.span,
                };
                self.problems.report(Code::G030, span, message).help =
                    Some("make the more important one `N`".to_owned());
                return None;
            }
            (Some('S'), _) => Roles::SatelliteNucleus,
            (_, Some('S')) => Roles::NucleusSatellite,
            (Some(_), Some(_)) => Roles::NucleusNucleus,
            // "Don't care" beside a nucleus, or beside another.
            (None, Some(_)) if usual == Roles::NucleusSatellite => Roles::SatelliteNucleus,
            _ => usual,
        };
        let span = left.symbol.span.to(right.symbol.span);
        let span = right.role.as_ref().map_or(span, |role| span.to(role.span));
        if let Some(relation) = relation {
            self.check_roles(relation, roles, span);
        }
        Some(roles)
    }

    /// Reports roles that the kind of a relation does not allow.
    pub(super) fn check_roles(&mut self, relation: RhetoricId, roles: Roles, span: Span) {
        let rhetoric = self.vocabulary.schema.rhetoric_of(relation);
        let Some(rhetoric) = rhetoric.filter(|rhetoric| !roles.fit(rhetoric.kind)) else {
            return;
        };
        let (wanted, help) = match rhetoric.kind {
            crate::schema::RhetoricKind::Multinuc => ("nuclei only", "write `:N` on both"),
            crate::schema::RhetoricKind::Rst => {
                ("a nucleus and a satellite", "make one of them `S`")
            }
        };
        let message = format!("`{}` joins {wanted}", rhetoric.name);
        self.problems.report(Code::G040, span, message).help = Some(help.to_owned());
    }

    fn role(&mut self, child: &Child) -> Option<Option<char>> {
        let Some(role) = &child.role else {
            return Some(None);
        };
        match role.text.as_ref() {
            "N" => Some(Some('N')),
            "S" => Some(Some('S')),
            other => {
                let message = format!("`{other}` is no role");
                let problem = self.problems.report(Code::G031, role.span, message);
                problem.help = Some(match role_of(other) {
                    Some(letter) => format!("write `{letter}`"),
                    None => "write `N` for a nucleus, `S` for a satellite, or nothing".to_owned(),
                });
                problem.instead = match role_of(other) {
                    Some(letter) => vec![letter.to_string()],
                    None => vec!["N".to_owned(), "S".to_owned()],
                };
                None
            }
        }
    }

    /// Reports `N:Rise`; the other way round was meant.
    fn roles_before_symbols(&mut self, child: &Child) -> bool {
        let schema = self.vocabulary.schema;
        let Some(role) = &child.role else {
            return false;
        };
        let swapped = schema.relation(&child.symbol.text).is_none()
            && role_of(&child.symbol.text).is_some()
            && (&*role.text == "_" || schema.relation(&role.text).is_some());
        if let (true, Some(letter)) = (swapped, role_of(&child.symbol.text)) {
            let message = format!("`{}` stands where the symbol goes", child.symbol.text);
            let span = child.symbol.span.to(role.span);
            let right = format!("{}:{letter}", role.text);
            let problem = self.problems.report(Code::G031, span, message);
            problem.help = Some(format!("the role follows the symbol: write `{right}`"));
            problem.instead = vec![right];
        }
        swapped
    }

    /// A symbol of a pattern.
    fn resolve_pattern(&mut self, word: &Word) -> Option<Pattern> {
        if &*word.text == "_" {
            return Some(Pattern::Any);
        }
        self.resolve_symbol(word).map(Pattern::Symbol)
    }

    /// A domain relation by its name.
    pub(super) fn resolve_symbol(&mut self, word: &Word) -> Option<crate::schema::RelationId> {
        let schema = self.vocabulary.schema;
        let found = schema.relation(&word.text);
        // That a word of the language is no name was said when it was read.
        if found.is_none() && !RESERVED.contains(&&*word.text) {
            let known = schema.relations.iter().map(|r| r.name.as_str());
            let message = format!("unknown symbol `{}`", word.text);
            let diagnostic =
                Diagnostic::new(Code::G017, message).at(self.problems.place(word.span));
            self.problems.push(match schema.lookup(&word.text) {
                Some(Name::Concept(_)) => diagnostic.help(format!(
                    "it is a concept, and patterns are made of domain relations; ask for it in the \
                     reason: `{} in A.concepts`",
                    word.text
                )),
                Some(Name::Rhetoric(_)) => diagnostic.help(format!(
                    "it is a rhetorical relation; write it in brackets after the parent: `D[{}]`",
                    word.text
                )),
                Some(Name::Attribute(_)) => diagnostic.help(format!(
                    "it is an attribute; ask for it after `when`: `A.{}`",
                    word.text
                )),
                _ => diagnostic
                    .help(format!(
                        "declare it in the schema with `[relation.{}]`; `arsg stats SCHEMA.toml` \
                         lists the symbols it has",
                        word.text
                    ))
                    .suggest(&word.text, known),
            });
        }
        found
    }

    /// `shift` or `reduce`.
    pub(super) fn resolve_action(&mut self, word: &Word) -> Option<Action> {
        self.resolve_choice(word)
    }

    /// One of a few words.
    pub(super) fn resolve_choice<T>(&mut self, word: &Word) -> Option<T>
    where
        T: FromStr<Err = UnknownName>,
    {
        let unknown = match word.text.parse() {
            Ok(choice) => return Some(choice),
            Err(unknown) => unknown,
        };
        let message = format!(
            "expected {}, found `{}`",
            list_names(unknown.known()).replace(", ", " or "),
            word.text
        );
        let diagnostic = Diagnostic::new(Code::G032, message)
            .at(self.problems.place(word.span))
            .suggest(&word.text, unknown.known().iter().copied());
        self.problems.push(diagnostic);
        None
    }

    /// The typed reason; `None` when it is wrong, `Some(None)` when there is none.
    pub(super) fn resolve_reason(
        &mut self,
        written: &RuleItem,
        context: FormulaContext<'_>,
    ) -> Option<Option<Formula>> {
        match &written.when {
            Some(expr) => self.typist(context).type_condition(expr).map(Some),
            None => Some(None),
        }
    }

    pub(super) fn typist<'t>(&'t mut self, context: FormulaContext<'t>) -> Typist<'t> {
        Typist {
            vocabulary: self.vocabulary,
            problems: self.problems,
            context,
        }
    }

    pub(super) fn no_equations(&mut self, written: &RuleItem) {
        if let Some(first) = written.set.first() {
            let message = "only productions set attributes".to_owned();
            self.problems.report(Code::G036, first.span, message).help =
                Some("delete `set`, or write a production".to_owned());
        }
    }

    /// Equations, each after those it reads from.
    pub(super) fn resolve_equations(
        &mut self,
        written: &[syntax::EquationItem],
    ) -> Option<Vec<Equation>> {
        let mut equations: Vec<(Equation, Span)> = Vec::new();
        let mut failed = false;
        for item in written {
            let target = self.target(item);
            let value = match target {
                Some((_, wanted)) => self.typist(EQUATION).type_as(&item.value, wanted),
                // Its mistakes are worth finding all the same.
                None => self.typist(EQUATION).infer(&item.value, None).and(None),
            };
            let (Some((attribute, _)), Some(value)) = (target, value) else {
                failed = true;
                continue;
            };
            if let Some((_, first)) = equations.iter().find(|(e, _)| e.attribute == attribute) {
                let first = self.problems.place(*first);
                let message = format!("`D.{}` is set twice", item.attribute.text);
                let diagnostic = self.problems.report(Code::G027, item.span, message);
                diagnostic
                    .related
                    .push((first, "first set here".to_owned()));
                diagnostic.help = Some("delete one of them".to_owned());
                failed = true;
                continue;
            }
            equations.push((Equation { attribute, value }, item.span));
        }
        if failed {
            return None;
        }
        self.in_order(equations)
    }

    /// The attribute of D that an equation sets, with its type.
    fn target(&mut self, item: &syntax::EquationItem) -> Option<(u32, Type)> {
        if &*item.node.text != "D" {
            let message = format!("`{}` cannot be set here", item.node.text);
            self.problems
                .report(Code::G033, item.node.span, message)
                .help = Some(format!(
                "a rule makes D: write `D.{} = ...`",
                item.attribute.text
            ));
            return None;
        }
        let name = &item.attribute;
        if FunctionId::find(&name.text, Scope::Nodes).is_some() {
            let message = format!(
                "`{}` is measured from the text and cannot be set",
                name.text
            );
            self.problems.report(Code::G034, name.span, message).help =
                Some("declare an attribute of another name in the schema".to_owned());
            return None;
        }
        let schema = self.vocabulary.schema;
        match schema.lookup(&name.text) {
            Some(Name::Attribute(at)) => Some((at as u32, self.vocabulary.attribute_type(at)?)),
            _ => {
                let known = schema.attributes.iter().map(|a| a.name.as_str());
                let diagnostic =
                    Diagnostic::new(Code::G019, format!("unknown attribute `{}`", name.text))
                        .at(self.problems.place(name.span))
                        .help(format!(
                            "declare it in the schema with `[attribute.{}]`",
                            name.text
                        ))
                        .suggest(&name.text, known);
                self.problems.push(diagnostic);
                None
            }
        }
    }

    /// Puts equations in an order in which each finds what it reads of D.
    fn in_order(&mut self, mut waiting: Vec<(Equation, Span)>) -> Option<Vec<Equation>> {
        let mut ordered: Vec<Equation> = Vec::with_capacity(waiting.len());
        while !waiting.is_empty() {
            let unset: Vec<u32> = waiting.iter().map(|(e, _)| e.attribute).collect();
            let ready = waiting
                .iter()
                .position(|(equation, _)| !reads_of_parent(&equation.value, &unset));
            match ready {
                Some(at) => ordered.push(waiting.remove(at).0),
                None => {
                    self.cycle(&waiting);
                    return None;
                }
            }
        }
        Some(ordered)
    }

    fn cycle(&mut self, waiting: &[(Equation, Span)]) {
        let Some((_, first)) = waiting.first() else {
            return;
        };
        let mut diagnostic =
            Diagnostic::new(Code::G028, "these equations need each other's values")
                .at(self.problems.place(*first))
                .help("compute one of them from A and B alone");
        for (_, span) in waiting.iter().skip(1) {
            diagnostic = diagnostic.related(self.problems.place(*span), "and this one");
        }
        self.problems.push(diagnostic);
    }
}

fn reads_of_parent(value: &Formula, attributes: &[u32]) -> bool {
    let mut reads = false;
    value.visit(&mut |formula| {
        if let Formula::Attribute(Node::D, attribute) = formula {
            reads |= attributes.contains(attribute);
        }
    });
    reads
}

/// The attribute names of D that no equation of any rule sets and no leaf has.
pub(super) fn never_set(grammar: &Grammar, schema: &Schema) -> Vec<u32> {
    let mut set = vec![false; schema.attributes.len()];
    for (at, attribute) in schema.attributes.iter().enumerate() {
        set[at] = attribute.leaf != crate::schema::LeafSource::None;
    }
    for production in &grammar.productions {
        for equation in &production.equations {
            if let Some(set) = set.get_mut(equation.attribute as usize) {
                *set = true;
            }
        }
    }
    let unset = set.iter().enumerate().filter(|(_, set)| !**set);
    unset.map(|(at, _)| at as u32).collect()
}
