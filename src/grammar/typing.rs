//! From written expressions to typed formulas, with every misspelt name and wrong type found.

use super::formula::*;
use super::functions::{Answer, Scope};
use super::syntax::{Expr, ExprKind, Span};
use super::vocabulary::Vocabulary;
use super::wording::*;
use crate::diagnostic::{Code, Diagnostic, Problems};
use crate::schema::ValueType;

/// What a formula may speak of.
#[derive(Clone, Copy)]
pub(super) struct FormulaContext<'c> {
    /// Which functions there are.
    pub(super) scope: Scope,
    /// Which nodes or words there are.
    pub(super) nodes: &'c [Node],
    /// Free variables, by name.
    pub(super) variables: &'c [(&'c str, ValueType)],
    /// Said when a node is not among them: "in a boundary rule".
    pub(super) place: &'static str,
}

/// Reasons of productions and preferences.
pub(super) const REASON: FormulaContext<'static> = FormulaContext {
    scope: Scope::Nodes,
    nodes: &[Node::A, Node::B, Node::C, Node::S, Node::E],
    variables: &[],
    place: "in a reason",
};

/// Attribute equations.
pub(super) const EQUATION: FormulaContext<'static> = FormulaContext {
    scope: Scope::Nodes,
    nodes: &[Node::A, Node::B, Node::D],
    variables: &[],
    place: "in an equation",
};

/// Reasons of boundary rules.
pub(super) const BOUNDARY: FormulaContext<'static> = FormulaContext {
    scope: Scope::Words,
    nodes: &[Node::Prev2, Node::Prev, Node::Next, Node::Next2],
    variables: &[],
    place: "in a boundary rule",
};

/// Reasons of block rules.
pub(super) const BLOCK: FormulaContext<'static> = FormulaContext {
    scope: Scope::Lines,
    nodes: &[Node::Prev2, Node::Prev, Node::Line, Node::Next, Node::Next2],
    variables: &[],
    place: "in a block rule",
};

/// Queries over finished trees, and the reasons of changes.
pub(super) const TREES: FormulaContext<'static> = FormulaContext {
    scope: Scope::Trees,
    nodes: &[
        Node::D,
        Node::A,
        Node::B,
        Node::Parent,
        Node::Sibling,
        Node::S,
        Node::C,
        Node::E,
    ],
    variables: &[],
    place: "in a query",
};

/// The places where formulas stand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Context {
    /// After `when` in productions, preferences and tables about them.
    Reason,
    /// After `set`.
    Equation,
    /// After `when` in boundary rules.
    Boundary,
    /// After `when` in block rules.
    Block,
}

impl Context {
    fn formula(self) -> FormulaContext<'static> {
        match self {
            Context::Reason => REASON,
            Context::Equation => EQUATION,
            Context::Boundary => BOUNDARY,
            Context::Block => BLOCK,
        }
    }

    /// Which functions can be asked there.
    pub(crate) fn scope(self) -> Scope {
        self.formula().scope
    }

    /// Who can be asked about there.
    pub(crate) fn nodes(self) -> &'static [Node] {
        self.formula().nodes
    }
}

pub(super) type Typed = (Formula, Type);

const BOOL: Type = Type::plain(ValueType::Bool);
const INT: Type = Type::plain(ValueType::Int);
pub(super) const FLOAT: Type = Type::plain(ValueType::Float);
const TEXT: Type = Type::plain(ValueType::Text);

/// Types the formulas of one file.
pub(super) struct Typist<'a> {
    pub(super) vocabulary: &'a Vocabulary<'a>,
    pub(super) problems: &'a mut Problems,
    pub(super) context: FormulaContext<'a>,
}

impl<'a> Typist<'a> {
    /// A formula that must be true or false.
    pub(super) fn type_condition(&mut self, expr: &Expr) -> Option<Formula> {
        let (formula, found) = self.infer(expr, Some(BOOL))?;
        if found.value == ValueType::Bool {
            return Some(formula);
        }
        let message = format!(
            "expected true or false, found {} `{expr}`",
            with_article(found)
        );
        let help = if found.is_number() {
            "compare it with something: `> 0`"
        } else {
            "compare it with something: `= value`"
        };
        self.problems.report(Code::G024, expr.span, message).help = Some(help.to_owned());
        None
    }

    /// A formula that must fit a type.
    pub(super) fn type_as(&mut self, expr: &Expr, wanted: Type) -> Option<Formula> {
        let (formula, found) = self.infer(expr, Some(wanted))?;
        if self.fits(found, wanted) {
            return Some(formula);
        }
        let message = format!(
            "expected {}, found {} `{expr}`",
            with_article(wanted),
            with_article(found)
        );
        self.problems.report(Code::G023, expr.span, message).help =
            mismatch_help(wanted, expr, found);
        None
    }

    /// The formula and its type; `hint` is the type its place asks for, by which bare names are read.
    pub(super) fn infer(&mut self, expr: &Expr, hint: Option<Type>) -> Option<Typed> {
        match &expr.kind {
            ExprKind::Int(n) => Some((Formula::Literal(Literal::Int(*n)), INT)),
            ExprKind::Float(n) => Some((Formula::Literal(Literal::Float(*n)), FLOAT)),
            ExprKind::Text(text) => self.text(expr.span, text, hint),
            ExprKind::Name(name) => self.name(expr.span, name, hint),
            ExprKind::Group(inner) => self.infer(inner, hint),
            ExprKind::Feature { node, name } => self.type_feature(node, name),
            ExprKind::Call {
                function,
                arguments,
            } => self.type_call(expr, function, arguments, hint),
            ExprKind::Set(items) => self.set(items, hint),
            ExprKind::Not(inner) => {
                let inner = self.type_condition(inner)?;
                Some((Formula::Not(Box::new(inner)), BOOL))
            }
            ExprKind::Negate(inner) => {
                let (formula, found) = self.number(inner)?;
                Some((Formula::Negate(Box::new(formula)), found))
            }
            ExprKind::And(items) => Some((Formula::And(self.truths(items)?), BOOL)),
            ExprKind::Or(items) => Some((Formula::Or(self.truths(items)?), BOOL)),
            ExprKind::Binary(op, left, right) => self.binary(expr.span, *op, left, right),
        }
    }

    fn truths(&mut self, items: &[Expr]) -> Option<Vec<Formula>> {
        // All are typed before any failure counts, so that every mistake is found.
        let typed: Vec<Option<Formula>> =
            items.iter().map(|item| self.type_condition(item)).collect();
        typed.into_iter().collect()
    }

    fn number(&mut self, expr: &Expr) -> Option<Typed> {
        let (formula, found) = self.infer(expr, Some(FLOAT))?;
        if found.is_number() {
            return Some((formula, found));
        }
        let message = format!("expected a number, found {} `{expr}`", with_article(found));
        let help = match found.value {
            ValueType::Set => "count its members with `count`, join sets with `union`",
            _ => "only numbers can be calculated with",
        };
        self.problems.report(Code::G023, expr.span, message).help = Some(help.to_owned());
        None
    }

    fn binary(&mut self, span: Span, op: BinaryOp, left: &Expr, right: &Expr) -> Option<Typed> {
        let boxed = |formula: Formula| Box::new(formula);
        match op {
            BinaryOp::Implies => {
                let (left, right) = (self.type_condition(left), self.type_condition(right));
                Some((Formula::Implies(boxed(left?), boxed(right?)), BOOL))
            }
            BinaryOp::In | BinaryOp::NotIn => {
                let member = self.membership(left, right)?;
                match op {
                    BinaryOp::In => Some((member, BOOL)),
                    _ => Some((Formula::Not(boxed(member)), BOOL)),
                }
            }
            BinaryOp::Calculate(op) => {
                let (left, right) = (self.number(left), self.number(right));
                let ((left, left_type), (right, right_type)) = (left?, right?);
                let found = arithmetic(op, left_type, right_type);
                Some((Formula::Arithmetic(op, boxed(left), boxed(right)), found))
            }
            BinaryOp::Compare(op) => self.comparison(span, op, left, right),
        }
    }

    fn comparison(
        &mut self,
        span: Span,
        op: Comparison,
        left: &Expr,
        right: &Expr,
    ) -> Option<Typed> {
        let ((left_formula, left_type), (right_formula, right_type)) = self.sides(left, right)?;
        let compared = Formula::Compare(op, Box::new(left_formula), Box::new(right_formula));
        if !self.comparable(left_type, right_type) {
            let message = format!(
                "`{left}` is {} and `{right}` is {}: they never compare",
                with_article(left_type),
                with_article(right_type)
            );
            let help = self.quoted_cue(left_type, right).or_else(|| {
                mismatch_help(left_type, right, right_type)
                    .or_else(|| mismatch_help(right_type, left, left_type))
            });
            self.problems.report(Code::G023, span, message).help = help;
            return None;
        }
        let equality = matches!(op, Comparison::Equal | Comparison::NotEqual);
        let has_order = left_type.is_ordered() && right_type.is_ordered();
        if !(equality || has_order) {
            let message = format!("{} has no order", with_article(left_type));
            self.problems.report(Code::G023, span, message).help =
                Some("`<` and `>` compare numbers, times and levels; use `=` or `in`".to_owned());
            return None;
        }
        Some((compared, BOOL))
    }

    /// Types both sides of a comparison, reading bare names and texts by the other side's type.
    fn sides(&mut self, left: &Expr, right: &Expr) -> Option<(Typed, Typed)> {
        let scope = self.context.scope;
        if is_bare(left, scope) && !is_bare(right, scope) {
            let right = self.infer(right, None)?;
            let left = self.infer(left, Some(right.1))?;
            return Some((left, right));
        }
        let typed_left = self.infer(left, None);
        let hint = typed_left.as_ref().map(|(_, found)| *found);
        let right = self.infer(right, hint);
        Some((typed_left?, right?))
    }

    fn membership(&mut self, left: &Expr, right: &Expr) -> Option<Formula> {
        let member_of = |set: Type| Type {
            value: ValueType::Symbol,
            domain: set.domain,
        };
        let ((value, value_type), (set, set_type)) = if is_bare(left, self.context.scope) {
            let set = self.infer(right, None)?;
            let left = self.infer(left, Some(member_of(set.1)))?;
            (left, set)
        } else {
            let left = self.infer(left, None)?;
            let set = self.infer(right, Some(left.1))?;
            (left, set)
        };
        if set_type.value != ValueType::Set {
            let message = format!(
                "expected a set after `in`, found {} `{right}`",
                with_article(set_type)
            );
            self.problems.report(Code::G023, right.span, message).help =
                Some("write a set as `{a, b}`, or compare with `=`".to_owned());
            return None;
        }
        if value_type.value == ValueType::Set {
            let message = format!("`{left}` is a set, not a member");
            self.problems.report(Code::G023, left.span, message).help =
                Some("`same(a, b)` is true when two sets share a member".to_owned());
            return None;
        }
        Some(Formula::In(Box::new(value), Box::new(set)))
    }

    fn set(&mut self, items: &[Expr], hint: Option<Type>) -> Option<Typed> {
        let mut element = hint.map(|hint| match hint.value {
            ValueType::Set => Type {
                value: ValueType::Symbol,
                domain: hint.domain,
            },
            _ => hint,
        });
        let mut formulas = Vec::with_capacity(items.len());
        let mut failed = false;
        for item in items {
            match self.infer(item, element) {
                Some((formula, found)) => match element {
                    Some(wanted) if !self.comparable(found, wanted) => {
                        let message = format!(
                            "`{item}` is {}, but the set is of {}s",
                            with_article(found),
                            wanted.value.as_str()
                        );
                        let help = self
                            .quoted_cue(wanted, item)
                            .or_else(|| mismatch_help(wanted, item, found));
                        self.problems.report(Code::G023, item.span, message).help = help;
                        failed = true;
                    }
                    _ => {
                        element = element.or(Some(found));
                        formulas.push(formula);
                    }
                },
                None => failed = true,
            }
        }
        if failed {
            return None;
        }
        let domain = element.map_or(Domain::Open, |element| element.domain);
        let found = Type {
            value: ValueType::Set,
            domain,
        };
        Some((Formula::Set(formulas), found))
    }

    fn text(&mut self, span: Span, text: &str, hint: Option<Type>) -> Option<Typed> {
        match hint.map(|hint| (hint.value, hint.domain)) {
            Some((ValueType::Time, _)) => {
                if !is_time(text) {
                    let message = format!("`{text}` is no time");
                    self.problems.report(Code::G022, span, message).help = Some(
                        "write times as `\"2019\"`, `\"2019-09\"` or `\"2019-09-01\"`".to_owned(),
                    );
                    return None;
                }
                let time = Formula::Literal(Literal::Time(text.into()));
                Some((time, Type::plain(ValueType::Time)))
            }
            // Members of open sets and open symbols may need blanks or marks in their names.
            Some((ValueType::Symbol, domain)) if self.vocabulary.values(domain).is_none() => {
                let found = Type {
                    value: ValueType::Symbol,
                    domain,
                };
                Some((Formula::Literal(Literal::Symbol(text.into())), found))
            }
            _ => Some((Formula::Literal(Literal::Text(text.into())), TEXT)),
        }
    }

    fn name(&mut self, span: Span, name: &str, hint: Option<Type>) -> Option<Typed> {
        let hint = hint.filter(|hint| hint.value == ValueType::Symbol);
        match (name, hint) {
            ("true", _) => return Some((Formula::Literal(Literal::Bool(true)), BOOL)),
            ("false", _) => return Some((Formula::Literal(Literal::Bool(false)), BOOL)),
            _ => {}
        }
        let variables = self.context.variables;
        if let Some(at) = variables.iter().position(|(known, _)| *known == name) {
            let found = Type::plain(variables[at].1);
            return Some((Formula::Variable(at as u32), found));
        }
        if Node::find(name).is_some() {
            let message = format!("`{name}` is a node, not a value");
            self.problems.report(Code::G021, span, message).help =
                Some(format!("ask something about it: `{name}.cue`"));
            return None;
        }
        if !variables.is_empty() {
            self.unknown_variable(span, name);
            return None;
        }
        let domain = hint.map_or(Domain::Open, |hint| hint.domain);
        if let Some(id) = gap_function(name, self.context.scope) {
            return Some((
                Formula::Call(id, Vec::new()),
                answer_type(id.get().result, FLOAT),
            ));
        }
        if hint.is_none() && self.asks_without_node(span, name) {
            return None;
        }
        if !self.vocabulary.has(domain, name) {
            self.unknown_value(span, name, domain);
            return None;
        }
        let literal = match domain {
            Domain::Ordered(values) => {
                let rank = values.iter().position(|value| *value == name)?;
                Literal::Rank(values, rank as u8)
            }
            _ => Literal::Symbol(name.into()),
        };
        let found = Type {
            value: ValueType::Symbol,
            domain,
        };
        Some((Formula::Literal(literal), found))
    }

    /// Reports `cue = because`: nobody says whose cue.
    fn asks_without_node(&mut self, span: Span, name: &str) -> bool {
        let node = match self.context.scope {
            Scope::Words => "next",
            Scope::Lines => "line",
            _ => "B",
        };
        let function = FunctionId::find(name, self.context.scope);
        let is_feature = function.is_some_and(|id| id.get().parameters.len() == 1)
            || (node == "B" && self.vocabulary.schema.attribute(name).is_some());
        if is_feature && !self.context.nodes.is_empty() {
            let message = format!("`{name}` is asked about a node");
            self.problems.report(Code::G025, span, message).help =
                Some(format!("write `{node}.{name}`"));
            return true;
        }
        false
    }

    fn unknown_variable(&mut self, span: Span, name: &str) {
        let names: Vec<&str> = self
            .context
            .variables
            .iter()
            .map(|(name, _)| *name)
            .collect();
        let place = self.problems.place(span);
        self.problems.push(
            Diagnostic::new(Code::G021, format!("unknown variable `{name}`"))
                .at(place)
                .help(format!("known are {}", list_names(&names)))
                .suggest(name, names.iter().copied()),
        );
    }

    fn unknown_value(&mut self, span: Span, name: &str, domain: Domain) {
        let values = self.vocabulary.values(domain).unwrap_or_default();
        let mut diagnostic =
            Diagnostic::new(Code::G022, format!("`{name}` is {}", no_member(domain)))
                .at(self.problems.place(span));
        if values.len() <= MAX_LISTED {
            diagnostic = diagnostic.help(format!("it is one of {}", list_names(&values)));
        }
        if domain == Domain::Tails
            && let Some(class) = tail_class_of(name)
        {
            let help = format!("`{name}` is in the class `{class}`: write `{class}`");
            self.problems.push(diagnostic.help(help));
            return;
        }
        diagnostic = match self.cue_class_of(name).filter(|_| domain == Domain::Cues) {
            Some(class) => diagnostic.help(format!(
                "`{name}` is a cue of the class `{class}`: write `{class}`"
            )),
            None => diagnostic.suggest(name, values.iter().copied()),
        };
        self.problems.push(diagnostic);
    }

    /// The class that a connective belongs to.
    fn cue_class_of(&self, word: &str) -> Option<&'a str> {
        let mut cues = self.vocabulary.schema.cues.iter();
        let class = cues.find(|class| class.words.iter().any(|cue| cue == word))?;
        Some(&class.name)
    }

    /// Help for `B.cue = "因为"` and `prev.punct = "，"`: classes are compared, not words.
    fn quoted_cue(&self, wanted: Type, found: &Expr) -> Option<String> {
        let (ValueType::Symbol, ExprKind::Text(text)) = (wanted.value, &found.kind) else {
            return None;
        };
        if wanted.domain == Domain::Cues
            && let Some(class) = self.cue_class_of(text)
        {
            return Some(format!(
                "`{text}` is a cue of the class `{class}`: write `{class}`"
            ));
        }
        if wanted.domain == Domain::Tails
            && let Some(class) = tail_class_of(text)
        {
            return Some(format!(
                "`{text}` is in the class `{class}`: write `{class}`"
            ));
        }
        let values = self.vocabulary.values(wanted.domain)?;
        let is_foreign = !values.contains(&&**text) && values.len() <= MAX_LISTED;
        is_foreign.then(|| format!("write one of {}", list_names(&values)))
    }

    fn fits(&self, found: Type, wanted: Type) -> bool {
        let widens = found.value == ValueType::Int && wanted.value == ValueType::Float;
        widens || (found.value == wanted.value && self.comparable(found, wanted))
    }

    pub(super) fn comparable(&self, left: Type, right: Type) -> bool {
        match (left.value, right.value) {
            (ValueType::Symbol, ValueType::Symbol) | (ValueType::Set, ValueType::Set) => {
                self.vocabulary.can_meet(left.domain, right.domain)
            }
            (left_value, right_value) => {
                left_value == right_value || (left.is_number() && right.is_number())
            }
        }
    }
}

/// The class that a final word belongs to.
fn tail_class_of(word: &str) -> Option<&'static str> {
    let mut classes = crate::text::words::tails().iter();
    let class = classes.find(|class| class.words.iter().any(|known| known == word))?;
    Some(class.name)
}

/// A name or a text, whose meaning depends on what it is compared with.
pub(super) fn is_bare(expr: &Expr, scope: Scope) -> bool {
    match &expr.kind {
        ExprKind::Name(name) => {
            !matches!(name.as_ref(), "true" | "false") && gap_function(name, scope).is_none()
        }
        ExprKind::Text(_) => true,
        ExprKind::Set(items) => items.iter().all(|item| is_bare(item, scope)),
        ExprKind::Group(inner) => is_bare(inner, scope),
        _ => false,
    }
}

/// A function about the gap or the text itself, which is written without parentheses.
fn gap_function(name: &str, scope: Scope) -> Option<FunctionId> {
    if !matches!(scope, Scope::Words | Scope::Lines) {
        return None;
    }
    FunctionId::find(name, scope).filter(|id| id.get().parameters.is_empty())
}

fn arithmetic(op: Arithmetic, left: Type, right: Type) -> Type {
    let whole = left.value == ValueType::Int && right.value == ValueType::Int;
    if whole && op != Arithmetic::Divide {
        INT
    } else {
        FLOAT
    }
}

pub(super) fn answer_type(answer: Answer, argument: Type) -> Type {
    match answer {
        Answer::Bool => BOOL,
        Answer::Int(..) => INT,
        Answer::Float(..) => FLOAT,
        Answer::Text => TEXT,
        Answer::Symbol(domain) => Type {
            value: ValueType::Symbol,
            domain,
        },
        Answer::Set(domain) => Type {
            value: ValueType::Set,
            domain,
        },
        Answer::SameAsArgument => argument,
    }
}

fn mismatch_help(left: Type, right: &Expr, right_type: Type) -> Option<String> {
    match (left.value, &right.kind) {
        (ValueType::Text, ExprKind::Name(name)) => Some(format!("write `\"{name}\"` in quotes")),
        (ValueType::Symbol, ExprKind::Text(text)) => Some(format!("write `{text}` without quotes")),
        (ValueType::Time, ExprKind::Int(year)) => {
            Some(format!("times stand in quotes: write `\"{year}\"`"))
        }
        (ValueType::Int | ValueType::Float, ExprKind::Name(_)) => {
            Some("compare it with a number".to_owned())
        }
        _ if left.value == ValueType::Set && right_type.value == ValueType::Symbol => {
            Some(format!("write `{right} in ...`"))
        }
        _ => None,
    }
}

/// `2019`, `2019-09` or `2019-09-01`.
fn is_time(text: &str) -> bool {
    let full = match text.len() {
        4 => format!("{text}-01-01"),
        7 => format!("{text}-01"),
        _ => text.to_owned(),
    };
    full.len() == 10 && full.parse::<jiff::civil::Date>().is_ok()
}
