//! What each word of a formula is there for.

use super::scan::TokenKind;
use super::slots::{Reader, Slot};
use crate::grammar::formula::Node;
use crate::grammar::functions::{Answer, Domain, FunctionId, Parameter};
use crate::grammar::{Context, Vocabulary};
use crate::schema::{Schema, ValueType};

/// The values that can stand at a place.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Kind {
    /// Symbols of a domain, or sets of them.
    Of(Domain),
    /// true and false.
    Truth,
    /// `less`, `equal`, `greater`: how two values compare.
    Order,
    /// Numbers, texts, times: nothing that can be listed.
    Any,
}

impl Kind {
    /// What a function answers.
    pub(super) fn of_answer(answer: Answer) -> Option<Kind> {
        match answer {
            Answer::Bool => Some(Kind::Truth),
            Answer::Symbol(domain) | Answer::Set(domain) => Some(Kind::Of(domain)),
            Answer::SameAsArgument => None,
            _ => Some(Kind::Any),
        }
    }

    /// What an attribute of the schema holds.
    pub(super) fn of_attribute(name: &str, schema: &Schema) -> Option<Kind> {
        let at = schema.attributes.iter().position(|own| own.name == name)?;
        let found = Vocabulary::new(schema).attribute_type(at)?;
        Some(match found.value {
            ValueType::Bool => Kind::Truth,
            ValueType::Symbol | ValueType::Set => Kind::Of(found.domain),
            _ => Kind::Any,
        })
    }
}

/// Where a formula ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Ends {
    /// After `when`: at `set`, or at the first row of a table.
    Reason {
        /// True where `set` may follow.
        sets: bool,
    },
    /// An equation's value: where the next equation begins.
    Equation,
    /// A subject of a table: at `,`, `vs`, `when`, or the first row.
    Subject,
}

/// What is open: a bracket with what is known of what stands in it.
struct Level {
    /// The function whose arguments stand there.
    function: Option<FunctionId>,
    argument: usize,
    /// True in `{...}`.
    is_set: bool,
    /// What may stand next.
    hint: Option<Kind>,
    /// What the last operand was.
    last: Option<Kind>,
    /// What the arguments share.
    common: Option<Kind>,
    /// True once something was compared or joined.
    is_truth: bool,
}

impl Level {
    fn new(hint: Option<Kind>) -> Level {
        Level {
            function: None,
            argument: 0,
            is_set: false,
            hint,
            last: None,
            common: None,
            is_truth: false,
        }
    }

    fn call(function: Option<FunctionId>) -> Level {
        let mut level = Level::new(None);
        level.function = function;
        level.settle();
        level
    }

    fn parameter(&self) -> Option<Parameter> {
        let function = self.function?.get();
        function.parameters.get(self.argument).copied()
    }

    /// What an argument can be, by its parameter.
    fn settle(&mut self) {
        self.hint = match self.parameter() {
            Some(Parameter::Relation) => Some(Kind::Of(Domain::Relations)),
            Some(Parameter::Any | Parameter::Ordered | Parameter::Set) => self.common,
            _ => None,
        };
    }

    /// What the whole comes to.
    fn result(&self) -> Option<Kind> {
        match self.function {
            Some(function) => Kind::of_answer(function.get().result).or(self.common),
            None if self.is_truth => Some(Kind::Truth),
            None if self.is_set => self.hint,
            None => self.last,
        }
    }
}

const COMPARING: [&str; 11] = ["=", "==", "!=", "≠", "<", "<=", ">", ">=", "≤", "≥", "<>"];

impl Reader<'_> {
    /// Reads a formula; gives the kind of its value.
    pub(super) fn formula(&mut self, context: Context, ends: Ends) -> Option<Kind> {
        self.formula_of(context, ends, None)
    }

    /// Reads a formula of which the kind is known.
    pub(super) fn formula_of(
        &mut self,
        context: Context,
        ends: Ends,
        kind: Option<Kind>,
    ) -> Option<Kind> {
        let mut open: Vec<Level> = Vec::new();
        let mut level = Level::new(kind);
        let mut wants_operand = true;
        while self.here().is_some() {
            if open.is_empty() && self.formula_ends(ends, wants_operand) {
                break;
            }
            wants_operand = if wants_operand {
                self.operand(context, &mut level, &mut open)
            } else {
                self.operator(ends, &mut level, &mut open)
            };
        }
        // What is still open was not typed to its end.
        let outermost = open.into_iter().next().unwrap_or(level);
        outermost.result()
    }

    fn formula_ends(&self, ends: Ends, wants_operand: bool) -> bool {
        if self.is_mark("|") {
            return true;
        }
        if wants_operand {
            // `set` right after `when` was meant as a keyword.
            return self.word() == Some("set") && self.word_ahead(1) == Some("D");
        }
        match ends {
            Ends::Reason { .. } => self.word() == Some("set"),
            Ends::Equation => {
                self.word().is_some()
                    && self.is_mark_ahead(1, ".")
                    && (self.is_mark_ahead(3, "=") || self.ahead(3).is_none())
            }
            Ends::Subject => self.is_mark(",") || matches!(self.word(), Some("vs" | "when")),
        }
    }

    /// Reads (the beginning of) an operand; true when one is still wanted.
    fn operand(&mut self, context: Context, level: &mut Level, open: &mut Vec<Level>) -> bool {
        let Some(token) = self.here() else {
            return true;
        };
        match token.kind {
            TokenKind::Word => self.operand_word(context, level, open),
            TokenKind::Number => {
                level.last = Some(Kind::Any);
                self.put(Slot::Number);
                false
            }
            TokenKind::Text => {
                level.last = Some(Kind::Any);
                self.put(Slot::Text);
                false
            }
            TokenKind::Mark => {
                let mark = self.text_of(token);
                self.put(Slot::Plain);
                match mark {
                    "(" => open.push(std::mem::replace(level, Level::new(level.hint))),
                    "{" => {
                        let mut inner = Level::new(level.hint);
                        inner.is_set = true;
                        open.push(std::mem::replace(level, inner));
                    }
                    ")" | "}" => {
                        close(level, open);
                        return false;
                    }
                    _ => {}
                }
                true
            }
            TokenKind::Comment | TokenKind::Doc => {
                self.put(Slot::Plain);
                true
            }
        }
    }

    fn operand_word(&mut self, context: Context, level: &mut Level, open: &mut Vec<Level>) -> bool {
        let word = self.word().unwrap_or_default();
        let scope = context.scope();
        if self.is_mark_ahead(1, ".") {
            self.put(Slot::Node(context));
            self.put(Slot::Plain);
            let is_parent = word == "D";
            if let Some(name) = self.word() {
                level.last = self.feature_kind(name, context, is_parent);
                self.put(Slot::Feature(context, is_parent));
            }
            return false;
        }
        if self.is_mark_ahead(1, "(") {
            let function = self.function(word, scope);
            self.put(Slot::Function(context));
            self.put(Slot::Plain);
            open.push(std::mem::replace(level, Level::call(function)));
            return true;
        }
        let is_node = |parameter| {
            matches!(
                parameter,
                Parameter::Node | Parameter::Word | Parameter::Line
            )
        };
        if level.parameter().is_some_and(is_node) {
            self.put(Slot::Node(context));
            level.last = None;
            return false;
        }
        if let Some(kind) = level.hint {
            level.last = Some(kind);
            let is_truth = matches!(word, "true" | "false");
            self.put(match kind {
                _ if is_truth => Slot::Keyword,
                Kind::Any if Node::find(word).is_some() => Slot::Node(context),
                Kind::Any | Kind::Truth => Slot::Operand(context),
                _ => Slot::Value(kind),
            });
            return false;
        }
        match word {
            "not" => {
                self.put(Slot::Keyword);
                return true;
            }
            "true" | "false" => {
                level.last = Some(Kind::Truth);
                self.put(Slot::Keyword);
                return false;
            }
            _ => {}
        }
        if let Some(kind) = self.kind_behind(context) {
            level.last = Some(kind);
            self.put(Slot::Value(kind));
        } else if let Some(function) = self.function(word, scope) {
            level.last = Kind::of_answer(function.get().result);
            self.put(Slot::Function(context));
        } else {
            level.last = None;
            self.put(Slot::Operand(context));
        }
        false
    }

    /// The kind of what a bare name is compared with: `because = B.cue`, `oil in A.concepts`.
    fn kind_behind(&self, context: Context) -> Option<Kind> {
        let operator = self.ahead(1)?;
        let sign = self.text_of(operator);
        let compares = sign == "in" || COMPARING.contains(&sign);
        let name = self.word_ahead(2).filter(|_| compares)?;
        if self.is_mark_ahead(3, ".") {
            return self.feature_kind(self.word_ahead(4)?, context, name == "D");
        }
        let function = self.function(name, context.scope())?;
        Kind::of_answer(function.get().result)
    }

    fn feature_kind(&self, name: &str, context: Context, is_parent: bool) -> Option<Kind> {
        let function = self.function(name, context.scope());
        match function.filter(|_| !is_parent) {
            Some(function) => Kind::of_answer(function.get().result),
            None => Kind::of_attribute(name, self.schema),
        }
    }

    /// Reads an operator or a closing bracket; true when an operand follows.
    fn operator(&mut self, ends: Ends, level: &mut Level, open: &mut Vec<Level>) -> bool {
        let Some(token) = self.here() else {
            return false;
        };
        let written = self.text_of(token);
        match (token.kind, written) {
            (TokenKind::Word, "and" | "or" | "implies") => {
                self.put(Slot::Keyword);
                level.is_truth = true;
                (level.hint, level.last) = (None, None);
                true
            }
            (TokenKind::Word, "in") => {
                self.put(Slot::Keyword);
                level.is_truth = true;
                level.hint = level.last;
                true
            }
            (TokenKind::Word, "not") => {
                self.put(Slot::Keyword);
                false
            }
            (TokenKind::Word, _) => {
                let sets = matches!(ends, Ends::Reason { sets: true });
                self.put(Slot::Operator(sets));
                false
            }
            (TokenKind::Mark, sign) if COMPARING.contains(&sign) => {
                self.put(Slot::Plain);
                level.is_truth = true;
                level.hint = level.last;
                true
            }
            (TokenKind::Mark, "+" | "-" | "*" | "/") => {
                self.put(Slot::Plain);
                level.hint = None;
                true
            }
            (TokenKind::Mark, "∧" | "∨" | "→" | "∈" | "¬") => {
                self.put(Slot::Plain);
                level.is_truth = true;
                level.hint = (written == "∈").then_some(level.last).flatten();
                true
            }
            (TokenKind::Mark, ",") => {
                self.put(Slot::Plain);
                if level.function.is_some() {
                    level.common = level.common.or(level.last);
                    level.argument += 1;
                    level.settle();
                    level.last = None;
                }
                true
            }
            (TokenKind::Mark, ")" | "}" | "]") => {
                self.put(Slot::Plain);
                close(level, open);
                false
            }
            _ => {
                self.put(Slot::Plain);
                false
            }
        }
    }
}

/// Goes back to what stands around a bracket.
fn close(level: &mut Level, open: &mut Vec<Level>) {
    let Some(mut outer) = open.pop() else {
        return;
    };
    level.common = level.common.or(level.last);
    outer.last = level.result();
    *level = outer;
}
