//! What each word of a statement is there for, by where it stands: whole statements and half-typed ones alike.
//!
//! The words need not be known: `Rise[causl` has a relation in it that the schema lacks. So the same
//! reading answers what a word means, and what may stand at the cursor.

use super::formulas::{Ends, Kind};
use super::scan::{Token, TokenKind};
use crate::grammar::functions::{FunctionId, Scope};
use crate::grammar::{Context, Decide, Decision, Strength};
use crate::schema::Schema;
use crate::text::structure::LineKind;

/// What a token is there for.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Slot {
    /// A mark, or something that cannot be told.
    Plain,
    /// The first word of a statement.
    Statement,
    /// A word of the language.
    Keyword,
    /// `finance` after `grammar`.
    GrammarName,
    /// The path after `schema`.
    SchemaPath,
    /// The path after `use`.
    UsePath,
    /// A domain relation, or `_`.
    Symbol,
    /// A rhetorical relation.
    Relation,
    /// What a row of labels speaks for: a relation, `causal-*`, `*`.
    Outcome,
    /// One of a few words.
    Choice(&'static [&'static str]),
    /// The name of a rule or a table.
    RuleName,
    /// A node, a word at a gap, a line.
    Node(Context),
    /// What is asked of one of them, after the stop.
    Feature(Context, bool),
    /// What an equation sets.
    Attribute,
    /// A function before its bracket.
    Function(Context),
    /// The beginning of an operand.
    Operand(Context),
    /// A value of which the kind is known.
    Value(Kind),
    /// A value in a key of a table.
    Key(Kind),
    /// Where an operator goes; true where `set` may follow.
    Operator(bool),
    /// What may follow the head of a rule; true where `set` may follow.
    Tail(bool),
    /// What may follow the name and decision of a table.
    TableTail,
    /// A number after `x`.
    Count,
    /// A number after `w`, or in a row.
    Weight,
    /// Any other number.
    Number,
    /// A text.
    Text,
}

/// The kinds of roles behind symbols.
pub(super) const ROLES: &[&str] = &["N", "S"];
/// The roles of rows.
pub(super) const PAIRS: &[&str] = &["NS", "SN", "NN"];
/// What a preference speaks for.
pub(super) const ACTIONS: &[&str] = &["shift", "reduce"];

/// Reads a statement's tokens, of which the comments are left out.
pub(super) struct Reader<'a> {
    pub(super) text: &'a str,
    pub(super) schema: &'a Schema,
    pub(super) tokens: &'a [Token],
    pub(super) slots: Vec<Slot>,
}

/// The slot of each token of a statement.
pub(super) fn slots(text: &str, tokens: &[Token], schema: &Schema) -> Vec<Slot> {
    let mut reader = Reader {
        text,
        schema,
        tokens,
        slots: Vec::with_capacity(tokens.len()),
    };
    reader.statement();
    while reader.here().is_some() {
        reader.put(Slot::Plain);
    }
    reader.slots
}

impl<'a> Reader<'a> {
    pub(super) fn here(&self) -> Option<Token> {
        self.ahead(0)
    }

    pub(super) fn ahead(&self, more: usize) -> Option<Token> {
        self.tokens.get(self.slots.len() + more).copied()
    }

    pub(super) fn text_of(&self, token: Token) -> &'a str {
        self.text.get(token.range()).unwrap_or_default()
    }

    /// The token so many places ahead, if it is a word.
    pub(super) fn word_ahead(&self, more: usize) -> Option<&'a str> {
        let token = self.ahead(more)?;
        (token.kind == TokenKind::Word).then(|| self.text_of(token))
    }

    pub(super) fn word(&self) -> Option<&'a str> {
        self.word_ahead(0)
    }

    pub(super) fn is_mark_ahead(&self, more: usize, mark: &str) -> bool {
        let token = self.ahead(more);
        token.is_some_and(|t| t.kind == TokenKind::Mark && self.text_of(t) == mark)
    }

    pub(super) fn is_mark(&self, mark: &str) -> bool {
        self.is_mark_ahead(0, mark)
    }

    pub(super) fn put(&mut self, slot: Slot) {
        self.slots.push(slot);
    }

    /// Takes a mark, if it is there.
    pub(super) fn take_mark(&mut self, mark: &str) -> bool {
        let found = self.is_mark(mark);
        if found {
            self.put(Slot::Plain);
        }
        found
    }

    /// Takes a word for a slot, if there is one.
    fn take_word(&mut self, slot: Slot) -> bool {
        let found = self.word().is_some();
        if found {
            self.put(slot);
        }
        found
    }

    fn statement(&mut self) {
        let Some(word) = self.word() else {
            return;
        };
        let is_alone = self.ahead(1).is_none();
        match word {
            _ if is_alone && !word.is_empty() && word != "boundary" => self.put(Slot::Statement),
            "grammar" => {
                self.put(Slot::Keyword);
                self.take_word(Slot::GrammarName);
                self.rest(Slot::Number);
            }
            "schema" | "use" => {
                self.put(Slot::Keyword);
                self.rest(if word == "use" {
                    Slot::UsePath
                } else {
                    Slot::SchemaPath
                });
            }
            "start" => self.keyword_and(Slot::Symbol),
            "decide" => self.keyword_and(Slot::Choice(&Decide::NAMES)),
            "fallback" => {
                self.put(Slot::Keyword);
                let action = self.ahead(1).is_none() && self.word().is_some();
                if action {
                    self.put(Slot::Choice(ACTIONS));
                } else {
                    self.production();
                }
            }
            "rule" => {
                self.put(Slot::Keyword);
                self.take_word(Slot::RuleName);
                self.body();
            }
            "table" => self.table(),
            _ => self.body(),
        }
    }

    fn keyword_and(&mut self, slot: Slot) {
        self.put(Slot::Keyword);
        self.take_word(slot);
    }

    fn rest(&mut self, slot: Slot) {
        while self.here().is_some() {
            self.put(slot);
        }
    }

    /// The head of a rule and what follows it.
    fn body(&mut self) {
        match self.word() {
            Some("prefer") => {
                self.put(Slot::Keyword);
                self.take_word(Slot::Choice(ACTIONS));
                for at in 0..3 {
                    if at == 2 {
                        self.take_mark(".");
                    }
                    if !self.at_tail() {
                        self.take_word(Slot::Symbol);
                    }
                }
                self.tail(Context::Reason, false);
            }
            Some("boundary") => {
                self.put(Slot::Keyword);
                self.tail(Context::Boundary, false);
            }
            Some("no") => {
                self.put(Slot::Keyword);
                self.take_word(Slot::Keyword);
                self.tail(Context::Boundary, false);
            }
            Some("block") => {
                self.put(Slot::Keyword);
                if !self.at_tail() {
                    self.take_word(Slot::Choice(&LineKind::NAMES));
                }
                if self.here().is_some_and(|t| t.kind == TokenKind::Number) {
                    self.put(Slot::Number);
                }
                self.tail(Context::Block, false);
            }
            // The hole after `rule NAME` begins a head.
            Some("") => self.put(Slot::Statement),
            _ => {
                self.production();
                self.tail(Context::Reason, true);
            }
        }
    }

    /// True at a word that begins what follows the head of a rule.
    fn at_tail(&self) -> bool {
        matches!(self.word(), Some("when" | "set"))
    }

    fn production(&mut self) {
        self.take_word(Slot::Symbol);
        if self.take_mark("[") {
            self.take_word(Slot::Relation);
            self.take_mark("]");
        }
        let has_arrow = ["<-", "←", "->", "→"]
            .iter()
            .any(|arrow| self.is_mark(arrow));
        if !has_arrow {
            return;
        }
        self.put(Slot::Plain);
        for _ in 0..2 {
            if !self.at_tail() {
                self.take_word(Slot::Symbol);
            }
            if self.take_mark(":") {
                self.take_word(Slot::Choice(ROLES));
            }
        }
    }

    /// Count, weight, strength, reason and equations.
    fn tail(&mut self, context: Context, sets: bool) {
        while self.here().is_some() {
            match self.word() {
                Some("x") => {
                    self.put(Slot::Keyword);
                    self.number(Slot::Count);
                }
                Some("w") => {
                    self.put(Slot::Keyword);
                    self.number(Slot::Weight);
                }
                Some("when") => {
                    self.put(Slot::Keyword);
                    self.formula(context, Ends::Reason { sets });
                }
                Some("set") => {
                    self.put(Slot::Keyword);
                    self.equations();
                }
                Some(word) if Strength::NAMES.contains(&word) => {
                    self.put(Slot::Choice(&Strength::NAMES));
                }
                Some(_) => self.put(Slot::Tail(sets)),
                None => self.put(Slot::Plain),
            }
        }
    }

    /// A number with its sign.
    fn number(&mut self, slot: Slot) {
        if self.is_mark("+") || self.is_mark("-") {
            self.put(slot);
        }
        if self.here().is_some_and(|t| t.kind == TokenKind::Number) {
            self.put(slot);
        }
    }

    fn equations(&mut self) {
        while self.here().is_some() {
            if self.word().is_none() {
                self.put(Slot::Plain);
                continue;
            }
            self.put(Slot::Node(Context::Equation));
            if !self.take_mark(".") {
                continue;
            }
            let kind = self
                .word()
                .and_then(|name| Kind::of_attribute(name, self.schema));
            self.take_word(Slot::Attribute);
            if self.take_mark("=") || self.take_mark("==") {
                self.formula_of(Context::Equation, Ends::Equation, kind);
            }
        }
    }

    fn table(&mut self) {
        self.put(Slot::Keyword);
        self.take_word(Slot::RuleName);
        let decision = self.word().and_then(|word| word.parse::<Decision>().ok());
        self.take_word(Slot::Choice(&Decision::NAMES));
        let context = match decision {
            Some(Decision::Boundary) => Context::Boundary,
            _ => Context::Reason,
        };
        let mut subjects = Vec::new();
        while self.here().is_some() && !self.is_mark("|") {
            match self.word() {
                Some("by") => {
                    self.put(Slot::Keyword);
                    subjects = self.subjects(context);
                }
                Some("when") => {
                    self.put(Slot::Keyword);
                    self.formula(context, Ends::Reason { sets: false });
                }
                Some(_) => self.put(Slot::TableTail),
                None => self.put(Slot::Plain),
            }
        }
        while self.here().is_some() {
            self.row(&subjects, decision == Some(Decision::Label));
        }
    }

    /// What a table asks: the kinds of the answers.
    fn subjects(&mut self, context: Context) -> Vec<Option<Kind>> {
        let mut kinds = Vec::new();
        while self.here().is_some() {
            let mut kind = self.formula(context, Ends::Subject);
            if self.word() == Some("vs") {
                self.put(Slot::Keyword);
                self.formula(context, Ends::Subject);
                kind = Some(Kind::Order);
            }
            kinds.push(kind);
            if !self.take_mark(",") {
                break;
            }
        }
        kinds
    }

    /// One row, up to the next bar.
    fn row(&mut self, subjects: &[Option<Kind>], labels: bool) {
        self.put(Slot::Plain);
        for (at, kind) in subjects.iter().enumerate() {
            if at > 0 && !self.take_mark(",") {
                break;
            }
            self.key(kind.unwrap_or(Kind::Any));
        }
        let mut wants_outcome = labels;
        while self.here().is_some() && !self.is_mark("|") {
            match self.word() {
                Some("x") if self.ahead(1).is_some() => {
                    self.put(Slot::Keyword);
                    self.number(Slot::Count);
                }
                Some(_) if wants_outcome => {
                    self.put(Slot::Outcome);
                    wants_outcome = false;
                }
                Some(_) => self.put(if labels {
                    Slot::Choice(PAIRS)
                } else {
                    Slot::Plain
                }),
                None if self.is_mark("*") => {
                    self.put(Slot::Outcome);
                    wants_outcome = false;
                }
                None if self.is_mark("+") || self.is_mark("-") => self.number(Slot::Weight),
                None => self.put(Slot::Plain),
            }
        }
    }

    /// `but`, `>= 3`, `3 to 5`.
    fn key(&mut self, kind: Kind) {
        for bound in ["<=", ">=", "<", ">", "≤", "≥"] {
            if self.take_mark(bound) {
                break;
            }
        }
        self.key_value(kind);
        if self.word() == Some("to") {
            self.put(Slot::Keyword);
            self.key_value(kind);
        }
    }

    fn key_value(&mut self, kind: Kind) {
        let signed = self.ahead(1).is_some_and(|t| t.kind == TokenKind::Number);
        if self.is_mark("-") && signed {
            self.put(Slot::Number);
        }
        match self.here().map(|token| token.kind) {
            Some(TokenKind::Word) => self.put(Slot::Key(kind)),
            Some(TokenKind::Number) => self.put(Slot::Number),
            Some(TokenKind::Text) => self.put(Slot::Text),
            _ => {}
        }
    }

    /// The function of that name there.
    pub(super) fn function(&self, name: &str, scope: Scope) -> Option<FunctionId> {
        FunctionId::find(name, scope)
    }
}
