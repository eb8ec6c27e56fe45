//! What is allowed but probably not meant: warnings about rules, and about the grammar as a whole.

mod logic;
mod paths;
mod reach;
mod shadow;
mod whole;

pub use paths::{Checked, Expanded, check_paths, expand};

use super::formula::{Arithmetic, Formula, FunctionId, Literal};
use super::functions::{Parameter, Scope};
use super::load::{Loaded, sort_diagnostics};
use super::model::{AnyRule, Decide, Origin, Rule};
use super::syntax::{Element, Expr, ExprKind, ItemKind, RuleItem, Span};
use super::tables::Decision;
use super::vocabulary::Vocabulary;
use crate::diagnostic::{Code, Diagnostic, Place, any_error, plural, report};
use crate::schema::Schema;

impl Loaded {
    /// All errors and warnings, by file and place.
    ///
    /// Warnings about the grammar as a whole are given only for one that says where it starts, and
    /// only when it has no errors: a module is not a whole, and a broken rule proves nothing.
    pub fn check(&self) -> Vec<Diagnostic> {
        let mut checking = Checking {
            loaded: self,
            vocabulary: Vocabulary::new(&self.grammar.schema),
            found: Vec::new(),
        };
        checking.found = hidden_attributes(&self.grammar.schema);
        checking.rules();
        checking.tables();
        checking.docs();
        checking.weights();
        if self.grammar.start.is_some() && !any_error(&self.diagnostics) {
            checking.whole();
        }
        let mut all = self.diagnostics.clone();
        all.append(&mut checking.found);
        sort_diagnostics(&mut all, &self.files);
        all
    }
}

struct Checking<'l> {
    loaded: &'l Loaded,
    vocabulary: Vocabulary<'l>,
    found: Vec<Diagnostic>,
}

impl<'l> Checking<'l> {
    /// Formulas that are always or never true, and divisions by zero.
    fn rules(&mut self) {
        for any in self.loaded.grammar.rules() {
            let rule = any.rule();
            if let Some(reason) = &rule.reason {
                self.reason(rule, reason);
            }
            if let AnyRule::Production(production) = any {
                for equation in &production.equations {
                    self.divisions(rule, &equation.value);
                }
            }
        }
    }

    /// Conditions of tables that are always or never true, and rows that never speak under them.
    fn tables(&mut self) {
        for table in &self.loaded.grammar.tables {
            let Some(condition) = &table.rule.reason else {
                continue;
            };
            self.reason(&table.rule, condition);
            if logic::never(condition.conjuncts(), &self.vocabulary) {
                continue;
            }
            for row in &table.rows {
                let reason = table.row_reason(row);
                let parts = reason.as_ref().map_or(&[][..], Formula::conjuncts);
                if logic::never(parts, &self.vocabulary) {
                    let place = row.place.clone();
                    let message = "this row can never speak under the condition of its table";
                    self.report(Code::G042, message, place).help =
                        Some("delete the row, or mend what stands after `when`".to_owned());
                }
            }
        }
    }

    fn reason(&mut self, rule: &'l Rule, reason: &'l Formula) {
        self.divisions(rule, reason);
        let parts = reason.conjuncts();
        if logic::never(parts, &self.vocabulary) {
            self.contradiction(rule, parts);
            return;
        }
        for (at, part) in parts.iter().enumerate() {
            if logic::always(part, &self.vocabulary) {
                let place = self.part_place(rule, at, parts.len());
                let message = match parts.len() {
                    1 => "this reason is always true",
                    _ => "this part of the reason is always true",
                };
                self.report(Code::G043, message, place).help = Some(
                    "delete it, or compare with a value that it does not always have".to_owned(),
                );
            }
        }
    }

    fn contradiction(&mut self, rule: &'l Rule, parts: &'l [Formula]) {
        let clash = logic::clash(parts, &self.vocabulary);
        let (place, related) = match clash {
            Some((first, second)) if first != second => {
                let first = self.part_place(rule, first, parts.len());
                (self.part_place(rule, second, parts.len()), first)
            }
            Some((only, _)) => (self.part_place(rule, only, parts.len()), None),
            None => (self.part_place(rule, 0, 1), None),
        };
        let message = if related.is_some() {
            "this can never be true together with the other part"
        } else {
            "this can never be true"
        };
        let diagnostic = self.report(Code::G042, message, place);
        if let Some(related) = related {
            diagnostic
                .related
                .push((related, "the other part".to_owned()));
        }
        diagnostic.help =
            Some("the rule never fires: mend the formula or delete the rule".to_owned());
    }

    fn divisions(&mut self, rule: &'l Rule, formula: &'l Formula) {
        let mut divides = false;
        formula.visit(&mut |part| {
            if let Formula::Arithmetic(Arithmetic::Divide, _, right) = part {
                divides |= match **right {
                    Formula::Literal(Literal::Int(number)) => number == 0,
                    Formula::Literal(Literal::Float(number)) => number == 0.0,
                    _ => false,
                };
            }
        });
        if divides {
            let place = rule.place.clone();
            self.report(Code::G052, "this rule divides by zero", place)
                .help = Some("its value is always unknown".to_owned());
        }
    }

    /// Doc comments that stand before no statement.
    fn docs(&mut self) {
        for file in &self.loaded.files {
            for (at, element) in file.elements.iter().enumerate() {
                let Element::Comment(comment) = element else {
                    continue;
                };
                let next = file.elements.get(at + 1);
                let goes_on = match next {
                    Some(Element::Item(_) | Element::Broken(_)) => true,
                    Some(Element::Comment(next)) => next.doc().is_some(),
                    _ => false,
                };
                if comment.doc().is_some() && !goes_on {
                    let place = comment.span.place(&file.source);
                    self.report(
                        Code::G051,
                        "this doc comment documents nothing",
                        Some(place),
                    )
                    .help = Some("put it right above a rule, or write `#`".to_owned());
                }
            }
        }
    }

    /// Weights where counts decide, and rules without one where weights decide.
    fn weights(&mut self) {
        let grammar = &self.loaded.grammar;
        // Boundary and block rules decide among themselves by what they have.
        let free = |decide: Decide| grammar.decide == Decide::Counts || decide == Decide::Counts;
        let is_free = |any: &AnyRule<'_>| match any {
            AnyRule::Boundary(_) => free(grammar.decides_boundaries()),
            AnyRule::Block(_) => free(grammar.decides_blocks()),
            _ => false,
        };
        let rules = || {
            let rules = grammar.rules().filter(|any| !is_free(any));
            rules.map(AnyRule::rule)
        };
        let (odd, message, help): (Vec<&Rule>, _, _) = match grammar.decide {
            Decide::Counts => {
                let weighed = rules().filter(|rule| rule.pull().is_some());
                let tables = grammar.tables.iter();
                let tables = tables.filter(|table| table.decision != Decision::Boundary);
                let tables = tables.map(|table| &table.rule);
                (
                    weighed.chain(tables).collect(),
                    "a weight that counts do not read",
                    "add `decide weights` to the header, or delete the weights",
                )
            }
            Decide::Weights => (
                rules().filter(|rule| rule.pull().is_none()).collect(),
                "a rule without a weight never speaks",
                "say how strongly it speaks: `strong`, `mild`, or a weight such as `w +0.5`",
            ),
        };
        // A module that says neither is read as the grammar that uses it decides.
        let is_module = grammar.start.is_none() && !self.says_how_to_decide();
        if let (Some(first), false) = (odd.first(), is_module) {
            let place = first.place.clone();
            let diagnostic = self.report(Code::G050, message, place);
            diagnostic.help = Some(match odd.len() {
                1 => help.to_owned(),
                n => format!("{help} ({} in all)", plural(n, "rule")),
            });
        }
    }

    fn says_how_to_decide(&self) -> bool {
        let own = self.loaded.files.last();
        own.is_some_and(|file| {
            file.items()
                .any(|item| matches!(item.kind, ItemKind::Decide(_)))
        })
    }

    /// The place of a conjunct of a rule's reason.
    fn part_place(&self, rule: &Rule, at: usize, parts: usize) -> Option<Place> {
        let Origin { file, element } = rule.origin?;
        let file = self.loaded.files.get(file)?;
        let Some(Element::Item(item)) = file.elements.get(element) else {
            return rule.place.clone();
        };
        let ItemKind::Rule(written) = &item.kind else {
            return rule.place.clone();
        };
        let span = part_span(written, at, parts)?;
        Some(span.place(&file.source))
    }

    fn report(&mut self, code: Code, message: &str, place: Option<Place>) -> &mut Diagnostic {
        let mut problem = Diagnostic::new(code, message);
        problem.place = place;
        report(&mut self.found, problem)
    }
}

/// Attributes of a schema that cannot be asked for, because a function has their name.
pub(super) fn hidden_attributes(schema: &Schema) -> Vec<Diagnostic> {
    let hidden = schema.attributes.iter().filter(|attribute| {
        let function = FunctionId::find(&attribute.name, Scope::Nodes);
        function.is_some_and(|id| matches!(id.get().parameters, [Parameter::Node]))
    });
    let diagnostics = hidden.map(|attribute| {
        let name = &attribute.name;
        let message = format!("`{name}` is also a function, and `A.{name}` asks that one");
        let mut diagnostic = Diagnostic::new(Code::G054, message)
            .help("give the attribute another name, or delete it and use the function");
        diagnostic.place = attribute.place.clone();
        diagnostic
    });
    diagnostics.collect()
}

fn part_span(written: &RuleItem, at: usize, parts: usize) -> Option<Span> {
    let mut expr: &Expr = written.when.as_ref()?;
    while let ExprKind::Group(inner) = &expr.kind {
        expr = inner;
    }
    match &expr.kind {
        ExprKind::And(items) if items.len() == parts => Some(items.get(at)?.span),
        _ => Some(expr.span),
    }
}
