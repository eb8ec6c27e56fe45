//! From meaning back to text: what learning and merging write, and what messages quote.

use std::sync::Arc;

use super::formula::{Argument, Formula, Literal};
use super::model::*;
use super::syntax::*;
use crate::diagnostic::Source;
use crate::schema::{Schema, is_name};
use crate::text::structure::LineKind;

impl Formula {
    /// The formula as written.
    pub fn text(&self, schema: &Schema) -> String {
        self.to_expr(schema).to_string()
    }

    /// The formula as a syntax tree. Variables are written `v0`, `v1`, ...
    pub fn to_expr(&self, schema: &Schema) -> Expr {
        let inner = |formula: &Formula| Box::new(formula.to_expr(schema));
        let all = |items: &[Formula]| items.iter().map(|item| item.to_expr(schema)).collect();
        let kind = match self {
            Formula::Literal(literal) => literal_expr(literal),
            Formula::Attribute(node, at) => ExprKind::Feature {
                node: word(node.as_str()),
                name: word(
                    schema
                        .attributes
                        .get(*at as usize)
                        .map_or("", |attribute| attribute.name.as_str()),
                ),
            },
            Formula::Call(function, arguments) => call_expr(function.get().name, arguments, schema),
            Formula::Variable(at) => ExprKind::Name(format!("v{at}").into()),
            Formula::Set(items) => ExprKind::Set(all(items)),
            Formula::And(items) => ExprKind::And(all(items)),
            Formula::Or(items) => ExprKind::Or(all(items)),
            Formula::Not(negated) => match &**negated {
                Formula::In(value, set) => {
                    ExprKind::Binary(BinaryOp::NotIn, inner(value), inner(set))
                }
                other => ExprKind::Not(inner(other)),
            },
            Formula::Negate(negated) => ExprKind::Negate(inner(negated)),
            Formula::Implies(left, right) => {
                ExprKind::Binary(BinaryOp::Implies, inner(left), inner(right))
            }
            Formula::In(value, set) => ExprKind::Binary(BinaryOp::In, inner(value), inner(set)),
            Formula::Compare(op, left, right) => {
                ExprKind::Binary(BinaryOp::Compare(*op), inner(left), inner(right))
            }
            Formula::Arithmetic(op, left, right) => {
                ExprKind::Binary(BinaryOp::Calculate(*op), inner(left), inner(right))
            }
        };
        Expr {
            kind,
            span: Span::default(),
        }
    }
}

fn literal_expr(literal: &Literal) -> ExprKind {
    match literal {
        Literal::Bool(true) => ExprKind::Name("true".into()),
        Literal::Bool(false) => ExprKind::Name("false".into()),
        Literal::Int(number) if *number < 0 => ExprKind::Negate(Box::new(Expr {
            kind: ExprKind::Int(number.saturating_neg()),
            span: Span::default(),
        })),
        Literal::Int(number) => ExprKind::Int(*number),
        Literal::Float(number) if *number < 0.0 => ExprKind::Negate(Box::new(Expr {
            kind: ExprKind::Float(-number),
            span: Span::default(),
        })),
        Literal::Float(number) => ExprKind::Float(*number),
        Literal::Symbol(name) if is_name(name) => ExprKind::Name((&**name).into()),
        Literal::Symbol(text) | Literal::Text(text) | Literal::Time(text) => {
            ExprKind::Text((&**text).into())
        }
        Literal::Rank(values, rank) => {
            let name = values.get(usize::from(*rank)).copied().unwrap_or_default();
            ExprKind::Name(name.into())
        }
    }
}

fn call_expr(name: &str, arguments: &[Argument], schema: &Schema) -> ExprKind {
    match arguments {
        [] => ExprKind::Name(name.into()),
        [Argument::Node(node)] => ExprKind::Feature {
            node: word(node.as_str()),
            name: word(name),
        },
        _ => ExprKind::Call {
            function: word(name),
            arguments: arguments
                .iter()
                .map(|argument| match argument {
                    Argument::Node(node) => Expr {
                        kind: ExprKind::Name(node.as_str().into()),
                        span: Span::default(),
                    },
                    Argument::Value(value) => value.to_expr(schema),
                })
                .collect(),
        },
    }
}

impl Equation {
    /// `D.time = max(A.time, B.time)`
    pub fn text(&self, schema: &Schema) -> String {
        let attribute = schema.attributes.get(self.attribute as usize);
        let name = attribute.map_or("", |attribute| attribute.name.as_str());
        format!("D.{name} = {}", self.value.text(schema))
    }
}

impl Shape {
    /// The head of a production as written.
    pub fn to_syntax(&self, schema: &Schema) -> super::syntax::Production {
        let [x, y] = self.roles.letters();
        let [left, right] = self.children;
        let child = |pattern: Pattern, role: &str| Child {
            symbol: word(pattern.name(schema)),
            role: Some(word(role)),
        };
        let relation = schema.rhetoric_of(self.relation);
        super::syntax::Production {
            parent: word(self.parent.name(schema)),
            relation: relation.map(|relation| word(&relation.name)),
            children: [child(left, x), child(right, y)],
            span: Span::default(),
        }
    }
}

impl AnyRule<'_> {
    /// The rule as a syntax tree.
    pub fn to_syntax(self, schema: &Schema) -> RuleItem {
        let rule = self.rule();
        RuleItem {
            id: rule.named.then(|| word(&rule.id)),
            head: self.head(schema),
            count: rule.count.map(quantity),
            weight: rule.weight.map(quantity),
            strength: rule.strength.map(|strength| word(strength.as_str())),
            when: rule.reason.as_ref().map(|reason| reason.to_expr(schema)),
            set: match self {
                AnyRule::Production(production) => equations(production, schema),
                _ => Vec::new(),
            },
        }
    }

    /// The rule as a file has it, with its doc comment, in canonical layout.
    pub fn to_text(self, schema: &Schema) -> String {
        let mut elements: Vec<Element> = doc_lines(self.rule()).collect();
        let syntax = self.to_syntax(schema);
        elements.push(Element::Item(item(ItemKind::Rule(Box::new(syntax)))));
        let source: Arc<Source> = Source::new("<written>", "");
        super::format_file(&File { source, elements })
    }

    /// What the rule is about, as a syntax tree.
    pub fn head(self, schema: &Schema) -> Head {
        match self {
            AnyRule::Production(production) => Head::Production(production.shape.to_syntax(schema)),
            AnyRule::Preference(preference) => Head::Preference {
                action: word(preference.action.as_str()),
                pattern: preference.pattern.map(|symbol| word(symbol.name(schema))),
                span: Span::default(),
            },
            AnyRule::Boundary(boundary) => Head::Boundary {
                cut: boundary.cut,
                span: Span::default(),
            },
            AnyRule::Block(block) => Head::Block {
                kind: word(block.role.kind.as_str()),
                level: (block.role.kind == LineKind::Heading)
                    .then(|| word(&block.role.level.to_string())),
                span: Span::default(),
            },
        }
    }
}

/// A number that stands nowhere yet.
fn quantity<T>(value: T) -> Quantity<T> {
    let span = Span::default();
    Quantity { value, span }
}

fn equations(production: &super::model::Production, schema: &Schema) -> Vec<EquationItem> {
    let written = production.equations.iter().map(|equation| {
        let attribute = schema.attributes.get(equation.attribute as usize);
        EquationItem {
            node: word("D"),
            attribute: word(attribute.map_or("", |attribute| attribute.name.as_str())),
            value: equation.value.to_expr(schema),
            span: Span::default(),
        }
    });
    written.collect()
}

impl Grammar {
    /// The whole grammar as one file, in canonical layout.
    pub fn to_text(&self) -> String {
        let mut elements = Vec::new();
        let mut line = |kind: ItemKind| elements.push(Element::Item(item(kind)));
        if !self.name.is_empty() {
            let version = self.version.as_deref().map(word);
            line(ItemKind::Grammar(word(&self.name), version));
        }
        if !self.schema_path.is_empty() {
            line(ItemKind::Schema(word(&self.schema_path)));
        }
        if let Some(start) = self.start {
            line(ItemKind::Start(word(self.schema.relation_name(start))));
        }
        line(ItemKind::Decide(word(self.decide.as_str())));
        if let Some(action) = self.fallback.action {
            line(ItemKind::FallbackAction(word(action.as_str())));
        }
        if let Some(shape) = &self.fallback.production {
            let production = shape.to_syntax(&self.schema);
            line(ItemKind::FallbackProduction(Box::new(production)));
        }
        let mut after_named = true;
        let mut kind = None;
        for any in self.rules() {
            let rule = any.rule();
            let new_kind = kind.replace(std::mem::discriminant(&any)) != kind;
            if new_kind || rule.named || after_named || rule.doc.is_some() {
                elements.push(Element::Blank);
            }
            after_named = rule.named;
            elements.extend(doc_lines(rule));
            let syntax = any.to_syntax(&self.schema);
            elements.push(Element::Item(item(ItemKind::Rule(Box::new(syntax)))));
        }
        for table in &self.tables {
            elements.push(Element::Blank);
            elements.extend(doc_lines(&table.rule));
            elements.push(Element::Item(table.to_item(&self.schema)));
        }
        let source: Arc<Source> = Source::new("<written>", "");
        super::format_file(&File { source, elements })
    }
}

/// The doc comment of a rule or table.
fn doc_lines(rule: &Rule) -> impl Iterator<Item = Element> + '_ {
    let lines = rule.doc.iter().flat_map(|doc| doc.lines());
    lines.map(|text| {
        Element::Comment(Comment {
            text: format!("## {text}").trim_end().into(),
            span: Span::default(),
            own_line: true,
        })
    })
}

fn item(kind: ItemKind) -> Item {
    Item {
        kind,
        comments: Vec::new(),
        span: Span::default(),
    }
}

fn word(text: &str) -> Word {
    Word {
        text: text.into(),
        span: Span::default(),
    }
}
