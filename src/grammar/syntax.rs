//! The syntax tree: what a person wrote, with places, comments and blank lines.
//!
//! Two trees are equal when they say the same in the same order: places do not count, so that the
//! formatter can compare what it wrote with what it read.

use std::sync::Arc;

use super::formula::{Arithmetic, Comparison};
use super::model::{Count, Weight};
use crate::diagnostic::{Place, Source};

/// A stretch of a file in bytes. All spans are equal: they say where, not what.
#[derive(Debug, Clone, Copy, Default)]
pub struct Span {
    /// The first byte.
    pub start: usize,
    /// One past the last byte.
    pub end: usize,
}

impl PartialEq for Span {
    fn eq(&self, _other: &Span) -> bool {
        true
    }
}

impl Span {
    /// The bytes from `start` up to `end`.
    pub fn new(start: usize, end: usize) -> Span {
        Span { start, end }
    }

    /// From the start of this to the end of the other.
    pub fn to(self, other: Span) -> Span {
        Span::new(self.start, other.end)
    }

    /// As a range.
    pub fn range(self) -> std::ops::Range<usize> {
        self.start..self.end
    }

    /// As a place in a source.
    pub fn place(self, source: &Arc<Source>) -> Place {
        Place::new(source, self.range())
    }
}

impl From<Span> for std::ops::Range<usize> {
    fn from(span: Span) -> std::ops::Range<usize> {
        span.range()
    }
}

/// A file: everything that stands in it, in order.
#[derive(Debug, Clone)]
pub struct File {
    /// Its text and name.
    pub source: Arc<Source>,
    /// Statements, comments and blank lines.
    pub elements: Vec<Element>,
}

impl PartialEq for File {
    fn eq(&self, other: &File) -> bool {
        self.elements == other.elements
    }
}

impl File {
    /// The statements, without comments and blank lines.
    pub fn items(&self) -> impl Iterator<Item = &Item> {
        self.elements.iter().filter_map(|element| match element {
            Element::Item(item) => Some(item),
            _ => None,
        })
    }
}

/// What stands in a file.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Element {
    /// One or more blank lines.
    Blank,
    /// A comment on lines of its own.
    Comment(Comment),
    /// A statement.
    Item(Item),
    /// A statement that could not be read.
    Broken(Span),
}

/// A comment, from its `#` to the end of the line.
#[derive(Debug, Clone, PartialEq)]
pub struct Comment {
    /// The text with its `#`, without the blanks at its end.
    pub text: Box<str>,
    /// Where it is.
    pub span: Span,
    /// True when nothing but blanks stands before it on its line.
    pub own_line: bool,
}

impl Comment {
    /// What a doc comment (`##`) says.
    pub fn doc(&self) -> Option<&str> {
        let said = self.text.strip_prefix("##")?;
        (!said.starts_with('#')).then(|| said.strip_prefix(' ').unwrap_or(said))
    }

    /// `Some(true)` for `# fmt: on`, `Some(false)` for `# fmt: off`.
    pub fn fmt_switch(&self) -> Option<bool> {
        match self.text.trim_start_matches('#').trim() {
            "fmt: on" => Some(true),
            "fmt: off" => Some(false),
            _ => None,
        }
    }
}

/// A statement with the comments inside it.
#[derive(Debug, Clone, PartialEq)]
pub struct Item {
    /// What it says.
    pub kind: ItemKind,
    /// The comments between its first and its last line.
    pub comments: Vec<Comment>,
    /// Where it is.
    pub span: Span,
}

/// The kinds of statements.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum ItemKind {
    /// `grammar finance 1.0`
    Grammar(Word, Option<Word>),
    /// `schema "finance.toml"`
    Schema(Word),
    /// `use "causes.arsg"`
    Use(Word),
    /// `start Report`
    Start(Word),
    /// `decide counts`
    Decide(Word),
    /// `fallback reduce`
    FallbackAction(Word),
    /// `fallback Report[joint] <- _ _`
    FallbackProduction(Box<Production>),
    /// A rule.
    Rule(Box<RuleItem>),
    /// A table.
    Table(Box<TableItem>),
}

/// A word with its place. For texts in quotes, what the quotes enclose.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Word {
    /// The word.
    pub text: Box<str>,
    /// Where it is.
    pub span: Span,
}

/// A rule as written.
#[derive(Debug, Clone, PartialEq)]
pub struct RuleItem {
    /// `rule NAME`
    pub id: Option<Word>,
    /// What it is about.
    pub head: Head,
    /// `x 12`
    pub count: Option<Quantity<Count>>,
    /// `w +0.83`
    pub weight: Option<Quantity<Weight>>,
    /// `strong`
    pub strength: Option<Word>,
    /// `when ...`
    pub when: Option<Expr>,
    /// `set ...`
    pub set: Vec<EquationItem>,
}

/// A number with its place.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Quantity<T> {
    /// The number.
    pub value: T,
    /// Where it is.
    pub span: Span,
}

/// What a rule is about.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Head {
    /// `Rise[cause] <- Rise:N Fall:S`
    Production(Production),
    /// `prefer shift Rise Fall . Rise`
    Preference {
        /// `shift` or `reduce`.
        action: Word,
        /// A, B and C.
        pattern: [Word; 3],
        /// Where it is.
        span: Span,
    },
    /// `boundary` or `no boundary`
    Boundary {
        /// True without `no`.
        cut: bool,
        /// Where it is.
        span: Span,
    },
    /// `block heading 2`
    Block {
        /// `heading`, `list-item`, ...
        kind: Word,
        /// The level of a heading.
        level: Option<Word>,
        /// Where it is.
        span: Span,
    },
}

impl Head {
    /// Where it is.
    pub fn span(&self) -> Span {
        match self {
            Head::Production(production) => production.span,
            Head::Preference { span, .. }
            | Head::Boundary { span, .. }
            | Head::Block { span, .. } => *span,
        }
    }
}

/// The head of a production.
#[derive(Debug, Clone, PartialEq)]
pub struct Production {
    /// D: a symbol, or `_` for the symbol of the nucleus.
    pub parent: Word,
    /// The rhetorical relation; left out by mistake only.
    pub relation: Option<Word>,
    /// A and B.
    pub children: [Child; 2],
    /// Where it is.
    pub span: Span,
}

/// `Rise:N`
#[derive(Debug, Clone, PartialEq)]
pub struct Child {
    /// The symbol, or `_`.
    pub symbol: Word,
    /// `N` or `S`.
    pub role: Option<Word>,
}

/// `D.time = max(A.time, B.time)`
#[derive(Debug, Clone, PartialEq)]
pub struct EquationItem {
    /// `D`, if it is well written.
    pub node: Word,
    /// The attribute.
    pub attribute: Word,
    /// Its value.
    pub value: Expr,
    /// Where it is.
    pub span: Span,
}

/// A table as written.
#[derive(Debug, Clone, PartialEq)]
pub struct TableItem {
    /// `table NAME`
    pub name: Word,
    /// `shift`, `reduce`, `label` or `boundary`.
    pub decision: Word,
    /// What follows `by`.
    pub subjects: Vec<SubjectItem>,
    /// `when ...`
    pub when: Option<Expr>,
    /// Its lines.
    pub rows: Vec<RowItem>,
}

/// `causal-* SN : A.cue = none`
#[derive(Debug, Clone, PartialEq, Default)]
pub struct QueryItem {
    /// Which relation: a name, a class, `_` or `edu`.
    pub wanted: Word,
    /// Which roles.
    pub roles: Option<Word>,
    /// What must hold.
    pub when: Option<Expr>,
}

/// `change causal-* SN to causal-cause NS when A.cue = none`
#[derive(Debug, Clone, PartialEq)]
pub struct ChangeItem {
    /// What is looked for.
    pub query: QueryItem,
    /// What it becomes.
    pub relation: Word,
    /// It stands in quotes: the name may be new.
    pub is_new: bool,
    /// What the children become to each other; nothing leaves them.
    pub roles: Option<Word>,
}

/// What the rows of a table are told apart by: `B.cue`, or `level(A, B) vs level(B, C)`.
#[derive(Debug, Clone, PartialEq)]
pub struct SubjectItem {
    /// What is asked.
    pub value: Expr,
    /// What it is compared with.
    pub versus: Option<Expr>,
}

/// `| but, < sentence  adversative-contrast NN  +2.1  x 40  !`
#[derive(Debug, Clone, PartialEq)]
pub struct RowItem {
    /// One for each subject.
    pub keys: Vec<KeyItem>,
    /// What a label table speaks for.
    pub outcome: Option<OutcomeItem>,
    /// How much it says.
    pub weight: Quantity<Weight>,
    /// `x 40`
    pub count: Option<Quantity<Count>>,
    /// `!`: learning leaves the row alone.
    pub kept: bool,
    /// Where it is.
    pub span: Span,
}

/// The answers that a row is about.
#[derive(Debug, Clone, PartialEq)]
pub struct KeyItem {
    /// Which.
    pub kind: KeyKind,
    /// Where it is.
    pub span: Span,
}

/// The ways to name answers.
#[derive(Debug, Clone, PartialEq)]
pub enum KeyKind {
    /// `but`
    Value(Expr),
    /// `>= 3`
    Bound(Comparison, Expr),
    /// `3 to 5`
    Range(Expr, Expr),
}

/// `causal-cause NS`, `causal-* NS`, `causal-*` or `* NS`
#[derive(Debug, Clone, PartialEq)]
pub struct OutcomeItem {
    /// A relation, a class with `-*`, or `*`.
    pub relation: Word,
    /// `NS`, `SN` or `NN`.
    pub roles: Option<Word>,
}

/// An expression with its place.
#[derive(Debug, Clone, PartialEq)]
pub struct Expr {
    /// What it says.
    pub kind: ExprKind,
    /// Where it is.
    pub span: Span,
}

/// The kinds of expressions.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum ExprKind {
    /// A whole number.
    Int(i64),
    /// A number.
    Float(f64),
    /// A text in quotes.
    Text(Box<str>),
    /// A name: a symbol, `true`, `false`, a node or a variable.
    Name(Box<str>),
    /// `B.cue`, which may also be written `cue(B)`.
    Feature {
        /// The node or word.
        node: Word,
        /// The attribute or function.
        name: Word,
    },
    /// `level(A, B)`
    Call {
        /// The function.
        function: Word,
        /// What it is called with.
        arguments: Vec<Expr>,
    },
    /// `{a, b}`
    Set(Vec<Expr>),
    /// `(a)`
    Group(Box<Expr>),
    /// `not a`
    Not(Box<Expr>),
    /// `-a`
    Negate(Box<Expr>),
    /// `a and b and c`
    And(Vec<Expr>),
    /// `a or b or c`
    Or(Vec<Expr>),
    /// Two operands and what stands between them.
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
}

/// Operators with two operands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum BinaryOp {
    /// `implies`
    Implies,
    /// `in`
    In,
    /// `not in`
    NotIn,
    /// `=`, `<` and their kin.
    Compare(Comparison),
    /// `+`, `-`, `*` and `/`.
    Calculate(Arithmetic),
}

impl BinaryOp {
    /// As canonically written.
    pub fn as_str(self) -> &'static str {
        match self {
            BinaryOp::Implies => "implies",
            BinaryOp::In => "in",
            BinaryOp::NotIn => "not in",
            BinaryOp::Compare(op) => op.as_str(),
            BinaryOp::Calculate(op) => op.as_str(),
        }
    }

    /// True for `=`, `<`, `in` and their kin, which do not chain.
    pub fn compares(self) -> bool {
        matches!(self, BinaryOp::Compare(_) | BinaryOp::In | BinaryOp::NotIn)
    }
}

/// The words that cannot be names.
pub const RESERVED: &[&str] = &[
    "grammar", "schema", "use", "start", "decide", "fallback", "rule", "table", "prefer",
    "boundary", "no", "when", "set", "and", "or", "not", "implies", "in", "true", "false",
];
