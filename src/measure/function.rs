//! What an entry of the language's functions holds.

use super::domain::Answer;
use super::functions::FUNCTIONS;
use super::gap::Gap;
use super::learning::Cut;
use super::measured::Measured;
use super::measurer::Measurer;
use super::page::LineAt;
use super::place::TreePlace;
use super::span::ParsedSpan;
use crate::schema::{RelationId, Schema};
use crate::text::lines::Line;
use crate::text::words::Word;
use crate::tree::Value;

/// A function of the formula language.
#[derive(Debug, Clone, Copy)]
pub struct Function {
    /// Its name in formulas.
    pub name: &'static str,
    /// What it is asked about.
    pub parameters: &'static [Parameter],
    /// What it answers.
    pub result: Answer,
    /// Where it may be used.
    pub scope: Scope,
    /// A line for people.
    pub doc: &'static str,
    /// The same line in Chinese.
    pub zh: &'static str,
    /// How its answers are told.
    pub told: Told,
    /// How it is measured.
    pub measure: Measure,
    /// True when there may be no answer, though everything that is asked about is there.
    pub may_be_unknown: bool,
    /// True when it compares content words or entities of spans: these are collected only where a
    /// rule asks for them.
    pub compares_words: bool,
    /// True when learners ask it only where two nodes get their label. How nodes were joined is known
    /// to gold trees better than to any parser, so what that is worth where a parser has to act cannot
    /// be learned from them; and what nodes begin and end with says nothing about where they end.
    pub for_labels: bool,
    /// What learners ask of it; nothing keeps it to rules that people write.
    pub cuts: &'static [Cut],
}

/// How the answers of a function are told: sentences in which `{0}` and `{1}` stand for the nodes, `{}` for
/// the answer, `{a}` for the answer with its article, `{%}` for a share in percent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Told {
    /// What is asked for: `final mark`, said of a node (A's final mark), or a whole phrase with places for
    /// two nodes.
    pub noun: &'static str,
    /// Where there is an answer, or it is true.
    pub yes: &'static str,
    /// Where the answer is `none` or false; empty where there is no such answer.
    pub no: &'static str,
}

/// How a function is measured.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub enum Measure {
    /// Of one node.
    Node(for<'t> fn(&Measurer<'t>, &ParsedSpan) -> Measured<'t>),
    /// Of two nodes, the left one first.
    Pair(for<'t> fn(&Measurer<'t>, &ParsedSpan, &ParsedSpan) -> Measured<'t>),
    /// Of the symbol of a node and one that the formula names.
    Symbols(fn(&Schema, RelationId, RelationId) -> bool),
    /// Of a word at a gap.
    Word(for<'g> fn(&Gap<'g>, &'g Word) -> Measured<'g>),
    /// Of a gap.
    Gap(for<'g> fn(&Gap<'g>) -> Measured<'g>),
    /// Of a line, with its number.
    Line(for<'l> fn(&LineAt<'l>, &'l Line, usize) -> Measured<'l>),
    /// Of the text around a line.
    Page(for<'l> fn(&LineAt<'l>) -> Measured<'l>),
    /// Of where a node stands in a finished tree.
    Place(fn(&TreePlace) -> Measured<'static>),
    /// Of the EDUs of a node and a text that the formula gives.
    Written(for<'t> fn(&Measurer<'t>, &ParsedSpan, &str) -> bool),
    /// Of values, some of which may be missing.
    Values(fn(&[Option<Value>]) -> Option<Value>),
}

/// What a function is asked about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Parameter {
    /// A node: A, B, C, S or E.
    Node,
    /// A word at the gap: prev2, prev, next or next2.
    Word,
    /// A line: prev2, prev, line, next or next2.
    Line,
    /// The name of a domain relation.
    Relation,
    /// A whole number or a number.
    Number,
    /// Something that can be ordered: numbers, times, ordered symbols.
    Ordered,
    /// A truth value.
    Truth,
    /// A text in quotes.
    Text,
    /// A set.
    Set,
    /// Any value; all parameters so marked have one type.
    Any,
}

/// Where a function may be used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Scope {
    /// In productions and preferences.
    Nodes,
    /// In boundary rules.
    Words,
    /// In block rules.
    Lines,
    /// In queries over finished trees, together with what can be asked of nodes.
    Trees,
    /// In every formula.
    Anywhere,
}

impl Scope {
    /// True when functions of the other scope may be used here.
    pub fn has(self, other: Scope) -> bool {
        other == self || other == Scope::Anywhere || (self == Scope::Trees && other == Scope::Nodes)
    }
}

/// Index of a function in [`FUNCTIONS`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FunctionId(u16);

impl FunctionId {
    /// All functions, in the order of the table.
    pub fn all() -> impl Iterator<Item = FunctionId> {
        (0..FUNCTIONS.len()).filter_map(|at| u16::try_from(at).ok().map(FunctionId))
    }

    /// The function of that name that can be used in `scope`.
    pub fn find(name: &str, scope: Scope) -> Option<FunctionId> {
        let fits = |known: &Function| known.name == name && scope.has(known.scope);
        FunctionId::all().find(|id| fits(id.get()))
    }

    /// The function's entry in the table.
    #[inline]
    pub fn get(self) -> &'static Function {
        // Ids are made above alone; the first entry stands in for one that is not.
        FUNCTIONS.get(usize::from(self.0)).unwrap_or(&FUNCTIONS[0])
    }
}

/// Entries are written as a call that says what every function has, and calls for the rest.
impl Function {
    pub(super) const fn new(
        name: &'static str,
        parameters: &'static [Parameter],
        (scope, result): (Scope, Answer),
        [doc, zh]: [&'static str; 2],
        measure: Measure,
    ) -> Function {
        Function {
            name,
            parameters,
            result,
            scope,
            doc,
            zh,
            told: Told {
                noun: "",
                yes: "",
                no: "",
            },
            measure,
            may_be_unknown: false,
            compares_words: false,
            for_labels: false,
            cuts: &[],
        }
    }

    /// How answers are told.
    pub(super) const fn told(
        mut self,
        noun: &'static str,
        [yes, no]: [&'static str; 2],
    ) -> Function {
        self.told = Told { noun, yes, no };
        self
    }

    /// There may be no answer.
    pub(super) const fn or_unknown(mut self) -> Function {
        self.may_be_unknown = true;
        self
    }

    /// It compares the words of spans.
    pub(super) const fn comparing_words(mut self) -> Function {
        self.compares_words = true;
        self
    }

    /// Learners ask it for labels only.
    pub(super) const fn for_labels(mut self) -> Function {
        self.for_labels = true;
        self
    }

    /// What learners ask.
    pub(super) const fn learned(mut self, cuts: &'static [Cut]) -> Function {
        self.cuts = cuts;
        self
    }
}

impl Function {
    /// The function asked of nodes or words, as formulas are written.
    pub fn asked(&self, nodes: &[super::Node]) -> String {
        let names: Vec<&str> = nodes.iter().map(|node| node.as_str()).collect();
        match names.as_slice() {
            [] => self.name.to_owned(),
            [node] => format!("{node}.{}", self.name),
            several => format!("{}({})", self.name, several.join(", ")),
        }
    }
}
