//! Canonical text of expressions and heads: one way to write each thing.

use std::fmt::Write;

use super::operators::{Infix, strength};
use super::syntax::*;

/// How tightly `not` and the sign bind; see `operators.rs`.
const NOT: u8 = 4;
const MINUS: u8 = 8;
/// Operands never need parentheses.
const OPERAND: u8 = 9;

impl std::fmt::Display for Expr {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write_expr(f, self)
    }
}

impl std::fmt::Display for Head {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Head::Production(production) => write!(f, "{production}"),
            Head::Preference {
                action,
                pattern: [a, b, c],
                ..
            } => {
                // The actions have different lengths; their patterns shall stand below each other.
                let action = &action.text;
                write!(f, "prefer {action:<6} {} {} . {}", a.text, b.text, c.text)
            }
            Head::Boundary { cut: true, .. } => f.write_str("boundary"),
            Head::Boundary { cut: false, .. } => f.write_str("no boundary"),
            Head::Block { kind, level, .. } => {
                write!(f, "block {}", kind.text)?;
                match level {
                    Some(level) => write!(f, " {}", level.text),
                    None => Ok(()),
                }
            }
        }
    }
}

impl std::fmt::Display for Production {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.parent.text)?;
        if let Some(relation) = &self.relation {
            write!(f, "[{}]", relation.text)?;
        }
        f.write_str(" <-")?;
        for child in &self.children {
            write!(f, " {}", child.symbol.text)?;
            if let Some(role) = &child.role {
                write!(f, ":{}", role.text)?;
            }
        }
        Ok(())
    }
}

/// A text in quotes.
pub(super) fn write_quoted(out: &mut impl Write, text: &str) -> std::fmt::Result {
    out.write_char('"')?;
    for letter in text.chars() {
        if letter == '"' || letter == '\\' {
            out.write_char('\\')?;
        }
        out.write_char(letter)?;
    }
    out.write_char('"')
}

fn write_expr(out: &mut impl Write, expr: &Expr) -> std::fmt::Result {
    match &expr.kind {
        ExprKind::Int(number) => write!(out, "{number}"),
        ExprKind::Float(number) => write!(out, "{number:?}"),
        ExprKind::Text(text) => write_quoted(out, text),
        ExprKind::Name(name) => out.write_str(name),
        ExprKind::Feature { node, name } => write!(out, "{}.{}", node.text, name.text),
        ExprKind::Call {
            function,
            arguments,
        } => {
            write!(out, "{}(", function.text)?;
            write_list(out, arguments)?;
            out.write_char(')')
        }
        ExprKind::Set(items) => {
            out.write_char('{')?;
            write_list(out, items)?;
            out.write_char('}')
        }
        ExprKind::Group(inner) => {
            out.write_char('(')?;
            write_expr(out, inner)?;
            out.write_char(')')
        }
        ExprKind::Not(inner) => {
            out.write_str("not ")?;
            write_within(out, inner, NOT)
        }
        ExprKind::Negate(inner) => {
            out.write_char('-')?;
            write_within(out, inner, MINUS)
        }
        ExprKind::And(items) => write_joined(out, items, " and ", strength(Infix::And)),
        ExprKind::Or(items) => write_joined(out, items, " or ", strength(Infix::Or)),
        ExprKind::Binary(op, left, right) => {
            let own = strength(Infix::Binary(*op));
            // `implies` leans to the right, comparisons to neither side, arithmetic to the left.
            let (on_left, on_right) = match op {
                BinaryOp::Implies => (own + 1, own),
                _ if op.compares() => (own + 1, own + 1),
                _ => (own, own + 1),
            };
            write_within(out, left, on_left)?;
            write!(out, " {} ", op.as_str())?;
            write_within(out, right, on_right)
        }
    }
}

fn write_list(out: &mut impl Write, items: &[Expr]) -> std::fmt::Result {
    for (at, item) in items.iter().enumerate() {
        if at > 0 {
            out.write_str(", ")?;
        }
        write_expr(out, item)?;
    }
    Ok(())
}

fn write_joined(out: &mut impl Write, items: &[Expr], word: &str, own: u8) -> std::fmt::Result {
    for (at, item) in items.iter().enumerate() {
        if at > 0 {
            out.write_str(word)?;
        }
        write_within(out, item, own + 1)?;
    }
    Ok(())
}

/// Writes an operand, in parentheses when it binds looser than its place asks for.
pub(super) fn write_within(out: &mut impl Write, expr: &Expr, floor: u8) -> std::fmt::Result {
    let own = match &expr.kind {
        ExprKind::Not(_) => NOT,
        ExprKind::Negate(_) => MINUS,
        ExprKind::And(_) => strength(Infix::And),
        ExprKind::Or(_) => strength(Infix::Or),
        ExprKind::Binary(op, ..) => strength(Infix::Binary(*op)),
        _ => OPERAND,
    };
    if own >= floor {
        return write_expr(out, expr);
    }
    out.write_char('(')?;
    write_expr(out, expr)?;
    out.write_char(')')
}
