//! Which operator binds what: precedence as in mathematics.
//!
//! From loose to tight: `implies` (to the right), `or`, `and`, `not`, comparisons and `in` (which do
//! not chain), `+ -`, `* /`, the sign `-`.

use std::sync::Arc;

use super::formula::{Arithmetic, Comparison};
use super::syntax::{BinaryOp, Expr, ExprKind, Span};
use crate::diagnostic::{Code, Diagnostic, Problems, Source};

/// A part of a formula before it is arranged.
pub(super) enum Token {
    Prefix(Prefix, Span),
    Infix(Infix, Span),
    Operand(Expr),
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Prefix {
    Not,
    Minus,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Infix {
    And,
    Or,
    Binary(BinaryOp),
}

/// How deep a formula may be once arranged; `and` and `or` do not deepen it.
pub(super) const MAX_DEPTH: usize = 128;

pub(super) fn prefix(text: &str) -> Prefix {
    match text {
        "-" => Prefix::Minus,
        _ => Prefix::Not,
    }
}

pub(super) fn infix(text: &str) -> Infix {
    let canonical = match text.trim_end() {
        "∧" => "and",
        "∨" => "or",
        "→" => "implies",
        "==" => "=",
        "≠" => "!=",
        "≤" => "<=",
        "≥" => ">=",
        "∈" => "in",
        text => text,
    };
    let comparison = Comparison::find(canonical).map(BinaryOp::Compare);
    let operator = comparison.or_else(|| Arithmetic::find(canonical).map(BinaryOp::Calculate));
    match (canonical, operator) {
        ("and", _) => Infix::And,
        ("or", _) => Infix::Or,
        ("implies", _) => Infix::Binary(BinaryOp::Implies),
        ("in", _) => Infix::Binary(BinaryOp::In),
        (_, Some(operator)) => Infix::Binary(operator),
        (_, None) => Infix::Binary(BinaryOp::NotIn),
    }
}

/// How tightly an operator binds.
pub(super) fn strength(infix: Infix) -> u8 {
    match infix {
        Infix::Binary(BinaryOp::Implies) => 1,
        Infix::Or => 2,
        Infix::And => 3,
        Infix::Binary(op) if op.compares() => COMPARISON,
        Infix::Binary(BinaryOp::Calculate(Arithmetic::Add | Arithmetic::Subtract)) => 6,
        Infix::Binary(_) => 7,
    }
}

/// `not` binds looser than comparisons, `-` tighter than everything.
const NOT: u8 = 4;
const COMPARISON: u8 = 5;
const MINUS: u8 = 8;

/// Arranges a flat list of operands and operators into a tree.
pub(super) fn arrange(tokens: Vec<Token>, problems: &mut Problems) -> Option<Expr> {
    let mut arranger = Arranger {
        operands: Vec::new(),
        pending: Vec::new(),
        fault: None,
    };
    for token in tokens {
        match token {
            Token::Operand(expr) => {
                let depth = depth(&expr);
                arranger.operands.push((expr, depth));
            }
            Token::Prefix(prefix, span) => arranger.prefix(prefix, span),
            Token::Infix(infix, span) => arranger.infix(infix, span),
        }
        if let Some(fault) = arranger.fault.take() {
            problems.push(fault.diagnostic(problems.source()));
            return None;
        }
    }
    arranger.apply_down_to(0);
    match arranger.fault.take() {
        Some(fault) => {
            problems.push(fault.diagnostic(problems.source()));
            None
        }
        None => arranger.operands.pop().map(|(expr, _)| expr),
    }
}

/// How deep an operand already is. Only groups, calls and sets have depth here, and the scanner
/// bounded their nesting.
fn depth(expr: &Expr) -> usize {
    match &expr.kind {
        ExprKind::Group(inner) | ExprKind::Not(inner) | ExprKind::Negate(inner) => 1 + depth(inner),
        ExprKind::Call { arguments, .. } => 1 + arguments.iter().map(depth).max().unwrap_or(0),
        ExprKind::Set(items) | ExprKind::And(items) | ExprKind::Or(items) => {
            1 + items.iter().map(depth).max().unwrap_or(0)
        }
        ExprKind::Binary(_, left, right) => 1 + depth(left).max(depth(right)),
        _ => 0,
    }
}

enum Pending {
    Prefix(Prefix, Span),
    Infix(Infix, Span),
}

impl Pending {
    fn strength(&self) -> u8 {
        match self {
            Pending::Prefix(Prefix::Not, _) => NOT,
            Pending::Prefix(Prefix::Minus, _) => MINUS,
            Pending::Infix(infix, _) => strength(*infix),
        }
    }
}

enum Fault {
    Chained(Span, Span),
    TooDeep(Span),
    LooseNot(Span),
}

impl Fault {
    fn diagnostic(self, source: &Arc<Source>) -> Diagnostic {
        match self {
            Fault::Chained(first, second) => {
                Diagnostic::new(Code::G004, "comparisons do not chain")
                    .at(second.place(source))
                    .related(first.place(source), "the first comparison")
                    .help("write `a < b and b < c`")
            }
            Fault::LooseNot(span) => {
                Diagnostic::new(Code::G001, "`not` after an operator that binds tighter")
                    .at(span.place(source))
                    .help("put `not ...` in parentheses")
            }
            Fault::TooDeep(span) => {
                let message = format!("a formula more than {MAX_DEPTH} deep");
                Diagnostic::new(Code::G002, message)
                    .at(span.place(source))
                    .help("split it into several rules")
            }
        }
    }
}

/// A shunting yard with an explicit stack.
struct Arranger {
    operands: Vec<(Expr, usize)>,
    pending: Vec<Pending>,
    fault: Option<Fault>,
}

impl Arranger {
    fn prefix(&mut self, prefix: Prefix, span: Span) {
        if prefix == Prefix::Not && self.pending.last().is_some_and(|p| p.strength() > NOT) {
            self.fault = Some(Fault::LooseNot(span));
        }
        self.pending.push(Pending::Prefix(prefix, span));
    }

    fn infix(&mut self, infix: Infix, span: Span) {
        let strength = strength(infix);
        let to_the_right = infix == Infix::Binary(BinaryOp::Implies);
        self.apply_down_to(strength + u8::from(to_the_right));
        if let (COMPARISON, Some(Pending::Infix(_, first))) = (strength, self.pending.last())
            && self.pending.last().map(Pending::strength) == Some(COMPARISON)
        {
            self.fault = Some(Fault::Chained(*first, span));
        }
        self.pending.push(Pending::Infix(infix, span));
    }

    /// Applies what binds at least as tightly as `floor` (comparisons stay, to be found chained).
    fn apply_down_to(&mut self, floor: u8) {
        while self.fault.is_none() {
            match self.pending.last().map(Pending::strength) {
                Some(COMPARISON) if floor == COMPARISON => return,
                Some(strength) if strength >= floor => self.apply(),
                _ => return,
            }
        }
    }

    fn apply(&mut self) {
        let Some(pending) = self.pending.pop() else {
            return;
        };
        let Some((right, right_depth)) = self.operands.pop() else {
            return;
        };
        let operator = match pending {
            Pending::Prefix(_, span) | Pending::Infix(_, span) => span,
        };
        let (expr, depth) = match pending {
            Pending::Prefix(prefix, span) => {
                let span = span.to(right.span);
                let right = Box::new(right);
                let kind = match prefix {
                    Prefix::Not => ExprKind::Not(right),
                    Prefix::Minus => ExprKind::Negate(right),
                };
                (Expr { kind, span }, right_depth + 1)
            }
            Pending::Infix(infix, _) => {
                let Some((left, left_depth)) = self.operands.pop() else {
                    return;
                };
                (
                    join(infix, left, right),
                    joined_depth(infix, left_depth, right_depth),
                )
            }
        };
        if depth > MAX_DEPTH {
            self.fault = Some(Fault::TooDeep(operator));
        }
        self.operands.push((expr, depth));
    }
}

/// `and` and `or` grow wider, not deeper.
fn joined_depth(infix: Infix, left: usize, right: usize) -> usize {
    match infix {
        Infix::And | Infix::Or => left.max(right + 1),
        Infix::Binary(_) => left.max(right) + 1,
    }
}

fn join(infix: Infix, left: Expr, right: Expr) -> Expr {
    let span = left.span.to(right.span);
    let kind = match (infix, left.kind) {
        (Infix::And, ExprKind::And(mut items)) => {
            items.push(right);
            ExprKind::And(items)
        }
        (Infix::Or, ExprKind::Or(mut items)) => {
            items.push(right);
            ExprKind::Or(items)
        }
        (infix, kind) => {
            let left = Expr {
                kind,
                span: left.span,
            };
            match infix {
                Infix::And => ExprKind::And(vec![left, right]),
                Infix::Or => ExprKind::Or(vec![left, right]),
                Infix::Binary(op) => ExprKind::Binary(op, Box::new(left), Box::new(right)),
            }
        }
    };
    Expr { kind, span }
}
