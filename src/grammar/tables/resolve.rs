//! From written tables to their meaning.

use std::sync::Arc;

use super::super::formula::{Comparison, Formula, Literal, Type};
use super::super::resolve::Resolver;
use super::super::syntax::{
    BinaryOp, Expr, ExprKind, KeyItem, KeyKind, OutcomeItem, RowItem, Span, SubjectItem, TableItem,
    Word,
};
use super::super::typing::{BOUNDARY, FormulaContext, REASON};
use super::{
    Decision, ELSE, Key, ORDERS, OutcomePattern, RelationPattern, Row, Subject, Table, UNKNOWN,
};
use crate::diagnostic::{Code, Diagnostic, Place};
use crate::grammar::model::{Count, Origin, Rule};
use crate::schema::{Name, ValueType};
use crate::tree::Roles;

/// What a table has of what all rules have: its name, and where it stands.
pub(in super::super) fn table_rule(
    name: &Word,
    doc: Option<Arc<str>>,
    place: Place,
    origin: Origin,
) -> Rule {
    Rule {
        id: name.text.as_ref().into(),
        named: true,
        doc,
        place: Some(place.clone()),
        name_place: Some(place),
        origin: Some(origin),
        ..Rule::default()
    }
}

impl Resolver<'_> {
    /// The table, without what all rules have; nothing when a part of it is wrong.
    pub(in super::super) fn resolve_table(
        &mut self,
        written: &TableItem,
        rule: Rule,
    ) -> Option<Table> {
        let decision: Option<Decision> = self.resolve_choice(&written.decision);
        let context = match decision {
            Some(Decision::Boundary) => BOUNDARY,
            _ => REASON,
        };
        let reason = match &written.when {
            Some(expr) => self.typist(context).type_condition(expr).map(Some),
            None => Some(None),
        };
        let subjects: Vec<Option<(Subject, Type)>> = written
            .subjects
            .iter()
            .map(|subject| self.resolve_subject(subject, context))
            .collect();
        let subjects: Option<Vec<(Subject, Type)>> = subjects.into_iter().collect();
        let (decision, reason, subjects) = (decision?, reason?, subjects?);
        let rows: Vec<Option<Row>> = written
            .rows
            .iter()
            .map(|row| self.resolve_row(row, written, decision, &subjects, context))
            .collect();
        let rows: Option<Vec<Row>> = rows.into_iter().collect();
        let module = self.module.iter().cloned();
        let table = Table {
            rule: Rule {
                reason,
                shares: module.map(|module| (module, Count::MIN)).collect(),
                ..rule
            },
            decision,
            subjects: subjects.into_iter().map(|(subject, _)| subject).collect(),
            rows: rows?,
        };
        self.report_twins(&table, written);
        self.report_gaps(&table, written);
        Some(table)
    }

    fn resolve_subject(
        &mut self,
        written: &SubjectItem,
        context: FormulaContext<'_>,
    ) -> Option<(Subject, Type)> {
        if let Some(versus) = &written.versus {
            // Comparing them finds what never compares.
            let span = written.value.span.to(versus.span);
            let both = Expr {
                kind: ExprKind::Binary(
                    BinaryOp::Compare(Comparison::Less),
                    Box::new(written.value.clone()),
                    Box::new(versus.clone()),
                ),
                span,
            };
            let (formula, found) = self.typist(context).infer(&both, None)?;
            return match formula {
                Formula::Compare(_, left, right) => Some((Subject::Versus(*left, *right), found)),
                _ => None,
            };
        }
        let (formula, found) = self.typist(context).infer(&written.value, None)?;
        let subject = match found.value {
            ValueType::Bool => Subject::Truth(formula),
            ValueType::Set => Subject::Members(formula),
            _ => Subject::Value(formula),
        };
        Some((subject, found))
    }

    fn resolve_row(
        &mut self,
        written: &RowItem,
        table: &TableItem,
        decision: Decision,
        subjects: &[(Subject, Type)],
        context: FormulaContext<'_>,
    ) -> Option<Row> {
        if written.keys.len() != subjects.len() {
            let message = format!(
                "this row has {} and its table asks for {}",
                answers(written.keys.len()),
                answers(subjects.len())
            );
            self.problems.report(Code::G057, written.span, message).help =
                Some("write one answer for each subject, with commas between them".to_owned());
            return None;
        }
        let asked = subjects.iter().zip(&table.subjects);
        let keys: Vec<Option<Key>> = asked
            .zip(&written.keys)
            .map(|(((subject, kind), item), key)| {
                self.resolve_key(key, subject, *kind, item, context)
            })
            .collect();
        let keys: Option<Vec<Key>> = keys.into_iter().collect();
        let outcome = match (&written.outcome, decision) {
            (Some(outcome), Decision::Label) => self.resolve_outcome(outcome).map(Some),
            (None, Decision::Label) => {
                let message = "this row says no relation".to_owned();
                self.problems.report(Code::G057, written.span, message).help = Some(
                    "write what it speaks for before the weight: `causal-cause NS`".to_owned(),
                );
                None
            }
            (Some(outcome), _) => {
                let message = format!(
                    "`{}` stands in a table that makes no labels",
                    outcome.relation.text
                );
                self.problems
                    .report(Code::G057, outcome.relation.span, message)
                    .help =
                    Some("delete it, or write `label by` in the head of the table".to_owned());
                None
            }
            (None, _) => Some(None),
        };
        Some(Row {
            keys: keys?,
            outcome: outcome?,
            weight: written.weight.value,
            count: written.count.map(|count| count.value),
            kept: written.kept,
            place: Some(self.problems.place(written.span)),
        })
    }

    fn resolve_key(
        &mut self,
        written: &KeyItem,
        subject: &Subject,
        kind: Type,
        item: &SubjectItem,
        context: FormulaContext<'_>,
    ) -> Option<Key> {
        if let KeyKind::Value(Expr {
            kind: ExprKind::Name(name),
            ..
        }) = &written.kind
        {
            match &**name {
                ELSE => return Some(Key::Else),
                UNKNOWN => return Some(Key::Unknown),
                _ => {}
            }
        }
        match (subject, &written.kind) {
            (Subject::Versus(..), KeyKind::Value(value)) => {
                let text = value.to_string();
                let known = ORDERS.iter().find(|(name, _)| *name == text);
                if known.is_none() {
                    let message = format!("`{text}` is not an answer to `{item}`");
                    self.problems.report(Code::G057, written.span, message).help =
                        Some("write `less`, `equal` or `greater`".to_owned());
                }
                known.map(|(_, op)| Key::Order(*op))
            }
            (Subject::Truth(_), KeyKind::Value(value)) => {
                let bool = Type::plain(ValueType::Bool);
                let typed = self.typist(context).type_as(value, bool)?;
                literal(typed).map(Key::Value)
            }
            (Subject::Members(_), KeyKind::Value(value)) => {
                let member = Type {
                    value: ValueType::Symbol,
                    domain: kind.domain,
                };
                let typed = self.typist(context).type_as(value, member)?;
                literal(typed).map(Key::Value)
            }
            (Subject::Value(_), KeyKind::Value(value)) => self
                .type_key(item, Comparison::Equal, value, written.span, context)
                .map(|value| Key::Value(as_number(value, kind))),
            (Subject::Value(_), KeyKind::Bound(op, value)) => self
                .type_key(item, *op, value, written.span, context)
                .map(|bound| Key::Bound(*op, as_number(bound, kind))),
            (Subject::Value(_), KeyKind::Range(least, most)) => {
                let least =
                    self.type_key(item, Comparison::GreaterEqual, least, written.span, context);
                let most = self.type_key(item, Comparison::LessEqual, most, written.span, context);
                Some(Key::Range(as_number(least?, kind), as_number(most?, kind)))
            }
            _ => {
                let message = format!("`{written}` is a range, and `{item}` has no order");
                self.problems.report(Code::G057, written.span, message).help =
                    Some("write one answer in each row".to_owned());
                None
            }
        }
    }

    /// The value of a key, typed by comparing the subject with it.
    fn type_key(
        &mut self,
        item: &SubjectItem,
        op: Comparison,
        value: &Expr,
        span: Span,
        context: FormulaContext<'_>,
    ) -> Option<Literal> {
        let compared = Expr {
            kind: ExprKind::Binary(
                BinaryOp::Compare(op),
                Box::new(item.value.clone()),
                Box::new(value.clone()),
            ),
            span,
        };
        match self.typist(context).infer(&compared, None)? {
            (Formula::Compare(_, _, value), _) => literal(*value),
            _ => None,
        }
    }

    fn resolve_outcome(&mut self, written: &OutcomeItem) -> Option<OutcomePattern> {
        let schema = self.vocabulary.schema;
        let text = &written.relation.text;
        let relation = match (&**text, text.strip_suffix("-*")) {
            ("*", _) => RelationPattern::Any,
            (_, Some(class)) => {
                if !schema.rhetoric.iter().any(|known| *known.class == *class) {
                    let known = schema.rhetoric.iter().map(|known| known.class.as_str());
                    let message = format!("unknown class of relations `{class}`");
                    let diagnostic = Diagnostic::new(Code::G018, message)
                        .at(self.problems.place(written.relation.span))
                        .suggest(class, known);
                    self.problems.push(diagnostic);
                    return None;
                }
                RelationPattern::Class(class.into())
            }
            (name, None) => match schema.lookup(name) {
                Some(Name::Rhetoric(id)) => RelationPattern::One(id),
                _ => {
                    self.report_unknown_relation(&written.relation);
                    return None;
                }
            },
        };
        let roles = written.roles.as_ref().map(|roles| match &*roles.text {
            "NS" => Roles::NucleusSatellite,
            "SN" => Roles::SatelliteNucleus,
            _ => Roles::NucleusNucleus,
        });
        if let (RelationPattern::One(id), Some(roles), Some(word)) =
            (&relation, roles, &written.roles)
        {
            self.check_roles(*id, roles, word.span);
        }
        Some(OutcomePattern { relation, roles })
    }

    /// Reports numbers between rows that no row is about: a range may have been forgotten.
    fn report_gaps(&mut self, table: &Table, written: &TableItem) {
        let [_] = table.subjects.as_slice() else {
            return;
        };
        // What is learned leaves out the answers that say nothing.
        if table.rows.iter().any(|row| row.count.is_some()) {
            return;
        }
        let keys = table.rows.iter().filter_map(|row| row.keys.first());
        if keys.clone().any(|key| *key == Key::Else) {
            return;
        }
        let ranges = keys
            .clone()
            .any(|key| matches!(key, Key::Range(..) | Key::Bound(..)));
        let whole = keys.clone().all(|key| {
            !matches!(
                key,
                Key::Value(Literal::Float(_))
                    | Key::Range(Literal::Float(_), _)
                    | Key::Bound(_, Literal::Float(_))
            )
        });
        let mut all: Vec<Interval> = keys.filter_map(interval).collect();
        all.sort_by(|a, b| {
            a.least
                .0
                .total_cmp(&b.least.0)
                .then(a.most.0.total_cmp(&b.most.0))
        });
        let step = if whole { 1.0 } else { 0.0 };
        for pair in all.windows(2) {
            let [before, after] = pair else { continue };
            let last = before.most.0 - if whole && !before.most.1 { 1.0 } else { 0.0 };
            let first = after.least.0 + if whole && !after.least.1 { 1.0 } else { 0.0 };
            if ranges && first > last + step {
                let message =
                    "this table says nothing about some numbers between its rows".to_owned();
                let diagnostic = self.problems.report(Code::G059, written.name.span, message);
                diagnostic.help = Some(format!(
                    "nothing is said between {last} and {first}: add a row, or `else`"
                ));
                return;
            }
        }
    }

    /// Reports rows that hold together.
    fn report_twins(&mut self, table: &Table, written: &TableItem) {
        for (at, row) in table.rows.iter().enumerate() {
            let earlier = table.rows.iter().take(at);
            let twin = earlier.enumerate().find(|(_, other)| {
                other.outcome == row.outcome && meet(&table.subjects, &other.keys, &row.keys)
            });
            let Some((first, _)) = twin else { continue };
            let place = |at: usize| written.rows.get(at).map_or(Span::default(), |row| row.span);
            let first = self.problems.place(place(first));
            let message = "an earlier row is about the same answer".to_owned();
            let diagnostic = self.problems.report(Code::G058, place(at), message);
            diagnostic
                .related
                .push((first, "the earlier row".to_owned()));
            diagnostic.help = Some(
                "delete one of them, or make their ranges end where the other begins".to_owned(),
            );
        }
    }
}

fn answers(number: usize) -> Arc<str> {
    match number {
        0 => "no answer".into(),
        1 => "one answer".into(),
        _ => format!("{number} answers").into(),
    }
}

/// A whole number where any number may stand.
fn as_number(literal: Literal, kind: Type) -> Literal {
    match literal {
        Literal::Int(number) if kind.value == ValueType::Float => Literal::Float(number as f64),
        other => other,
    }
}

fn literal(formula: Formula) -> Option<Literal> {
    match formula {
        Formula::Literal(literal) => Some(literal),
        Formula::Negate(inner) => match *inner {
            Formula::Literal(Literal::Int(number)) => Some(Literal::Int(number.saturating_neg())),
            Formula::Literal(Literal::Float(number)) => Some(Literal::Float(-number)),
            _ => None,
        },
        _ => None,
    }
}

/// True when two rows can hold together.
fn meet(subjects: &[Subject], left: &[Key], right: &[Key]) -> bool {
    let pairs = left.iter().zip(right).zip(subjects);
    pairs.into_iter().all(|((left, right), subject)| {
        if left == right {
            return true;
        }
        // Several members of a set may be there at once; their rows add up.
        if matches!(subject, Subject::Members(_)) {
            return false;
        }
        match (interval(left), interval(right)) {
            (Some(left), Some(right)) => left.meets(right),
            _ => false,
        }
    })
}

/// A stretch of ordered answers.
#[derive(Clone, Copy)]
struct Interval {
    least: (f64, bool),
    most: (f64, bool),
}

impl Interval {
    /// True when some answer lies in both; a bool says whether an end belongs to the stretch.
    fn meets(self, other: Interval) -> bool {
        let (low, low_in) = later(self.least, other.least);
        let (high, high_in) = earlier(self.most, other.most);
        low < high || (low == high && low_in && high_in)
    }
}

fn later(left: (f64, bool), right: (f64, bool)) -> (f64, bool) {
    match left.0.total_cmp(&right.0) {
        std::cmp::Ordering::Less => right,
        std::cmp::Ordering::Greater => left,
        std::cmp::Ordering::Equal => (left.0, left.1 && right.1),
    }
}

fn earlier(left: (f64, bool), right: (f64, bool)) -> (f64, bool) {
    match left.0.total_cmp(&right.0) {
        std::cmp::Ordering::Less => left,
        std::cmp::Ordering::Greater => right,
        std::cmp::Ordering::Equal => (left.0, left.1 && right.1),
    }
}

fn interval(key: &Key) -> Option<Interval> {
    let endless = |sign: f64| (sign * f64::INFINITY, false);
    Some(match key {
        Key::Value(value) => {
            let at = number(value)?;
            Interval {
                least: (at, true),
                most: (at, true),
            }
        }
        Key::Range(least, most) => Interval {
            least: (number(least)?, !matches!(least, Literal::Float(_))),
            most: (number(most)?, true),
        },
        Key::Bound(op, bound) => {
            let at = number(bound)?;
            match op {
                Comparison::Less => Interval {
                    least: endless(-1.0),
                    most: (at, false),
                },
                Comparison::LessEqual => Interval {
                    least: endless(-1.0),
                    most: (at, true),
                },
                Comparison::Greater => Interval {
                    least: (at, false),
                    most: endless(1.0),
                },
                Comparison::GreaterEqual => Interval {
                    least: (at, true),
                    most: endless(1.0),
                },
                _ => return None,
            }
        }
        _ => return None,
    })
}

fn number(literal: &Literal) -> Option<f64> {
    match literal {
        Literal::Int(number) => Some(*number as f64),
        Literal::Float(number) => Some(*number),
        Literal::Rank(_, rank) => Some(f64::from(*rank)),
        _ => None,
    }
}
