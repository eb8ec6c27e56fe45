//! From pest's pairs to the syntax tree of one statement.

use std::sync::Arc;

use pest::iterators::{Pair, Pairs};

use super::chunks::Chunk;
use super::formula::Node;
use super::model::{Count, Weight};
use super::operators::{self, Token};
use super::parse::Rule;
use super::syntax::*;
use crate::diagnostic::{Code, Problems, Source};

/// Builds the tree of one statement that begins at `offset`.
pub(super) struct Builder {
    offset: usize,
    pub(super) problems: Problems,
}

impl Builder {
    pub(super) fn new(source: &Arc<Source>, offset: usize) -> Builder {
        Builder {
            offset,
            problems: Problems::new(source),
        }
    }

    /// The statement; nothing when a part of it has no meaning at all.
    pub(super) fn item(&mut self, mut pairs: Pairs<'_, Rule>, chunk: &Chunk) -> Option<Item> {
        let pair = pairs.next()?;
        let rule = pair.as_rule();
        let mut inner = pair.into_inner();
        let kind = match rule {
            Rule::rule_item => ItemKind::Rule(Box::new(self.rule(inner)?)),
            Rule::table_item => ItemKind::Table(Box::new(self.table(inner)?)),
            Rule::grammar_line => {
                inner.next();
                let name = self.name(inner.next()?);
                let version = inner.next().map(|pair| self.word(&pair));
                ItemKind::Grammar(name, version)
            }
            Rule::fallback_line => {
                inner.next();
                let pair = inner.next()?;
                match pair.as_rule() {
                    Rule::production => {
                        ItemKind::FallbackProduction(Box::new(self.production(pair)?))
                    }
                    _ => ItemKind::FallbackAction(self.word(&pair)),
                }
            }
            _ => {
                inner.next();
                let pair = inner.next()?;
                match rule {
                    Rule::schema_line => ItemKind::Schema(self.quoted(&pair)),
                    Rule::use_line => ItemKind::Use(self.quoted(&pair)),
                    Rule::start_line => ItemKind::Start(self.name(pair)),
                    _ => ItemKind::Decide(self.word(&pair)),
                }
            }
        };
        Some(Item {
            kind,
            comments: chunk.comments.clone(),
            span: chunk.span,
        })
    }

    /// A formula that stands alone.
    pub(super) fn formula(&mut self, mut pairs: Pairs<'_, Rule>) -> Option<Expr> {
        self.expression(pairs.next()?)
    }

    /// A query over trees.
    pub(super) fn query(&mut self, pairs: Pairs<'_, Rule>) -> Option<QueryItem> {
        let mut item = QueryItem::default();
        for pair in pairs {
            match pair.as_rule() {
                Rule::wanted => item.wanted = self.name_or_text(&pair),
                Rule::roles => item.roles = Some(self.word(&pair)),
                Rule::expression => item.when = Some(self.expression(pair)?),
                _ => {}
            }
        }
        Some(item)
    }

    /// A change of trees: what is looked for, and what it becomes.
    pub(super) fn change(&mut self, pairs: Pairs<'_, Rule>) -> Option<ChangeItem> {
        let mut query = QueryItem::default();
        let mut made = None;
        let mut roles = None;
        for pair in pairs {
            match pair.as_rule() {
                Rule::wanted => query.wanted = self.name_or_text(&pair),
                Rule::made => {
                    made = Some((self.name_or_text(&pair), pair.as_str().starts_with('"')))
                }
                Rule::roles if made.is_none() => query.roles = Some(self.word(&pair)),
                Rule::roles => roles = Some(self.word(&pair)),
                Rule::reason => {
                    let formula = pair.into_inner().nth(1)?;
                    query.when = Some(self.expression(formula)?);
                }
                _ => {}
            }
        }
        let (relation, is_new) = made?;
        Some(ChangeItem {
            query,
            relation,
            is_new,
            roles,
        })
    }

    /// A name, or a text for names that hold blanks or marks.
    fn name_or_text(&self, pair: &Pair<'_, Rule>) -> Word {
        if pair.as_str().starts_with('"') {
            self.quoted(pair)
        } else {
            self.word(pair)
        }
    }

    /// Equations that stand alone.
    pub(super) fn settings(&mut self, pairs: Pairs<'_, Rule>) -> Option<Vec<EquationItem>> {
        pairs
            .filter(|pair| pair.as_rule() == Rule::equation)
            .map(|pair| self.equation(pair))
            .collect()
    }

    fn rule(&mut self, pairs: Pairs<'_, Rule>) -> Option<RuleItem> {
        let mut id = None;
        let mut head = None;
        let mut count = None;
        let mut weight = None;
        let mut strength = None;
        let mut when = None;
        let mut set = Vec::new();
        for pair in pairs {
            match pair.as_rule() {
                Rule::rule_name => id = Some(self.word(&pair)),
                Rule::production => head = Some(Head::Production(self.production(pair)?)),
                Rule::preference => head = Some(self.preference(pair)?),
                Rule::boundary => {
                    let span = self.span(&pair);
                    let cut = pair.into_inner().all(|p| p.as_rule() != Rule::no);
                    head = Some(Head::Boundary { cut, span });
                }
                Rule::block => {
                    let span = self.span(&pair);
                    let mut inner = pair.into_inner().skip(1);
                    head = Some(Head::Block {
                        kind: self.word(&inner.next()?),
                        level: inner.next().map(|level| self.word(&level)),
                        span,
                    });
                }
                Rule::count => count = self.count(pair),
                Rule::weight => weight = self.weight(pair),
                Rule::strength => strength = Some(self.word(&pair)),
                Rule::reason => {
                    let formula = pair.into_inner().nth(1)?;
                    when = Some(self.expression(formula)?);
                }
                Rule::equations => {
                    for equation in pair.into_inner().skip(1) {
                        set.push(self.equation(equation)?);
                    }
                }
                _ => {}
            }
        }
        Some(RuleItem {
            id,
            head: head?,
            count,
            weight,
            strength,
            when,
            set,
        })
    }

    fn production(&mut self, pair: Pair<'_, Rule>) -> Option<Production> {
        let mut inner = pair
            .into_inner()
            .filter(|part| part.as_rule() != Rule::arrow)
            .peekable();
        let parent = self.name(inner.next()?);
        let relation = match inner.peek().map(Pair::as_rule) {
            Some(Rule::relation) => inner.next(),
            _ => None,
        };
        let relation = relation.and_then(|pair| pair.into_inner().next());
        let relation = relation.map(|pair| self.name(pair));
        let left = self.child(inner.next()?)?;
        let right = self.child(inner.next()?)?;
        let end = right.role.as_ref().unwrap_or(&right.symbol).span;
        let span = parent.span.to(end);
        Some(Production {
            parent,
            relation,
            children: [left, right],
            span,
        })
    }

    fn child(&mut self, pair: Pair<'_, Rule>) -> Option<Child> {
        let mut inner = pair.into_inner();
        Some(Child {
            symbol: self.name(inner.next()?),
            role: inner.next().map(|pair| self.word(&pair)),
        })
    }

    fn preference(&mut self, pair: Pair<'_, Rule>) -> Option<Head> {
        let start = self.span(&pair);
        let inner = pair.into_inner().skip(1);
        let mut inner = inner.filter(|part| part.as_rule() != Rule::dot);
        let action = self.word(&inner.next()?);
        let a = self.name(inner.next()?);
        let b = self.name(inner.next()?);
        let c = self.name(inner.next()?);
        let span = start.to(c.span);
        Some(Head::Preference {
            action,
            pattern: [a, b, c],
            span,
        })
    }

    fn count(&mut self, pair: Pair<'_, Rule>) -> Option<Quantity<Count>> {
        let word = self.word(&pair.into_inner().nth(1)?);
        let is_number = word.text.bytes().all(|byte| byte.is_ascii_digit());
        let parsed = word.text.parse::<u64>();
        match parsed.as_ref().ok().copied().and_then(Count::new) {
            Some(value) if is_number => Some(Quantity {
                value,
                span: word.span,
            }),
            _ => {
                let help = match (parsed, is_number) {
                    (Ok(_), true) => "a rule that was never seen needs no line: delete it",
                    (Err(_), true) => "the largest count is 18446744073709551615",
                    _ => "write a whole number, such as `x 12`",
                };
                let message = format!("`{}` is no count", word.text);
                self.problems.report(Code::G005, word.span, message).help = Some(help.to_owned());
                None
            }
        }
    }

    fn weight(&mut self, pair: Pair<'_, Rule>) -> Option<Quantity<Weight>> {
        let word = self.word(&pair.into_inner().nth(1)?);
        self.weight_of(word, "w +0.83")
    }

    fn weight_of(&mut self, word: Word, example: &str) -> Option<Quantity<Weight>> {
        let looks_like_number = word
            .text
            .bytes()
            .all(|byte| byte.is_ascii_digit() || b"+-.eE".contains(&byte));
        match word.text.parse().ok().and_then(Weight::new) {
            Some(value) if looks_like_number => Some(Quantity {
                value,
                span: word.span,
            }),
            _ => {
                let message = format!("`{}` is no weight", word.text);
                self.problems.report(Code::G006, word.span, message).help =
                    Some(format!("write a number, such as `{example}`"));
                None
            }
        }
    }

    fn table(&mut self, pairs: Pairs<'_, Rule>) -> Option<TableItem> {
        let mut name = None;
        let mut decision = None;
        let mut subjects = Vec::new();
        let mut when = None;
        let mut rows = Vec::new();
        // All rows are read before a broken one counts, so that every mistake is found.
        let mut whole = true;
        for pair in pairs {
            match pair.as_rule() {
                Rule::rule_name => name = Some(self.word(&pair)),
                Rule::decision => decision = Some(self.word(&pair)),
                Rule::subject => {
                    let values = pair.into_inner();
                    let mut values = values.filter(|part| part.as_rule() == Rule::expression);
                    let value = self.expression(values.next()?)?;
                    let versus = match values.next() {
                        Some(versus) => Some(self.expression(versus)?),
                        None => None,
                    };
                    subjects.push(SubjectItem { value, versus });
                }
                Rule::reason => {
                    let formula = pair.into_inner().nth(1)?;
                    when = Some(self.expression(formula)?);
                }
                Rule::row | Rule::plain_row => match self.row(pair) {
                    Some(row) => rows.push(row),
                    None => whole = false,
                },
                _ => {}
            }
        }
        whole.then_some(())?;
        Some(TableItem {
            name: name?,
            decision: decision?,
            subjects,
            when,
            rows,
        })
    }

    fn row(&mut self, pair: Pair<'_, Rule>) -> Option<RowItem> {
        let mut keys = Vec::new();
        let mut outcome = None;
        let mut weight = None;
        let mut count = None;
        let mut kept = false;
        let mut span = Span::default();
        for part in pair.into_inner() {
            let own = self.span(&part);
            match part.as_rule() {
                Rule::bar => span = own,
                Rule::key => keys.push(self.key(part)?),
                Rule::outcome => {
                    let mut words = part.into_inner();
                    let relation = self.word(&words.next()?);
                    let roles = words.next().map(|roles| self.word(&roles));
                    outcome = Some(OutcomeItem { relation, roles });
                }
                Rule::cell => {
                    let word = self.word(&part);
                    span = span.to(word.span);
                    weight = Some(self.weight_of(word, "+0.83")?);
                }
                Rule::count => {
                    count = Some(self.count(part)?);
                    span = span.to(own);
                }
                Rule::kept => kept = true,
                _ => {}
            }
        }
        Some(RowItem {
            keys,
            outcome,
            weight: weight?,
            count,
            kept,
            span,
        })
    }

    fn key(&mut self, pair: Pair<'_, Rule>) -> Option<KeyItem> {
        let span = self.span(&pair);
        let mut bound = None;
        let mut values = Vec::new();
        for part in pair.into_inner() {
            match part.as_rule() {
                Rule::bound => {
                    bound = match operators::infix(part.as_str()) {
                        operators::Infix::Binary(BinaryOp::Compare(op)) => Some(op),
                        _ => None,
                    };
                }
                Rule::value => values.push(self.value(part)?),
                _ => {}
            }
        }
        let mut values = values.into_iter();
        let first = values.next()?;
        let kind = match (bound, values.next()) {
            (Some(op), _) => KeyKind::Bound(op, first),
            (None, Some(last)) => KeyKind::Range(first, last),
            (None, None) => KeyKind::Value(first),
        };
        Some(KeyItem { kind, span })
    }

    fn value(&mut self, pair: Pair<'_, Rule>) -> Option<Expr> {
        let span = self.span(&pair);
        let mut negative = false;
        let mut value = None;
        for part in pair.into_inner() {
            match part.as_rule() {
                Rule::minus => negative = true,
                _ => value = Some(self.operand(part)?),
            }
        }
        let value = value?;
        Some(if negative {
            Expr {
                kind: ExprKind::Negate(Box::new(value)),
                span,
            }
        } else {
            value
        })
    }

    fn equation(&mut self, pair: Pair<'_, Rule>) -> Option<EquationItem> {
        let mut inner = pair.into_inner();
        let mut target = inner.next()?.into_inner();
        let node = self.word(&target.next()?);
        let attribute = self.word(&target.next()?);
        let equals = inner.next()?;
        if equals.as_str() == "==" {
            self.double_equals(&equals);
        }
        let value = self.expression(inner.next()?)?;
        let span = node.span.to(value.span);
        Some(EquationItem {
            node,
            attribute,
            value,
            span,
        })
    }

    fn expression(&mut self, pair: Pair<'_, Rule>) -> Option<Expr> {
        let mut tokens = Vec::new();
        for part in pair.into_inner() {
            let span = self.span(&part);
            tokens.push(match part.as_rule() {
                Rule::prefix => Token::Prefix(operators::prefix(part.as_str()), span),
                Rule::minus => Token::Prefix(operators::Prefix::Minus, span),
                Rule::infix | Rule::equality => {
                    if part.as_str() == "==" {
                        self.double_equals(&part);
                    }
                    Token::Infix(operators::infix(part.as_str()), span)
                }
                _ => Token::Operand(self.operand(part)?),
            });
        }
        operators::arrange(tokens, &mut self.problems)
    }

    fn operand(&mut self, pair: Pair<'_, Rule>) -> Option<Expr> {
        let span = self.span(&pair);
        let kind = match pair.as_rule() {
            Rule::number => self.number(&pair)?,
            Rule::text => ExprKind::Text(self.quoted(&pair).text),
            Rule::feature => {
                let mut inner = pair.into_inner();
                let node = self.word(&inner.next()?);
                let name = self.word(&inner.next()?);
                ExprKind::Feature { node, name }
            }
            Rule::call => self.call(pair)?,
            Rule::set => ExprKind::Set(self.expressions(pair.into_inner())?),
            Rule::group => {
                let inner = pair.into_inner().next()?;
                ExprKind::Group(Box::new(self.expression(inner)?))
            }
            // A word of the language where only a value can stand names a value.
            _ => ExprKind::Name(pair.as_str().into()),
        };
        Some(Expr { kind, span })
    }

    fn call(&mut self, pair: Pair<'_, Rule>) -> Option<ExprKind> {
        let mut inner = pair.into_inner();
        let function = self.word(&inner.next()?);
        let mut arguments = self.expressions(inner)?;
        if let [only] = arguments.as_mut_slice()
            && let ExprKind::Name(name) = &mut only.kind
            && Node::find(name).is_some()
        {
            let node = Word {
                text: std::mem::take(name),
                span: only.span,
            };
            return Some(ExprKind::Feature {
                node,
                name: function,
            });
        }
        Some(ExprKind::Call {
            function,
            arguments,
        })
    }

    fn expressions(&mut self, pairs: Pairs<'_, Rule>) -> Option<Vec<Expr>> {
        let elements = pairs.map(|pair| match pair.as_rule() {
            Rule::keyword => self.operand(pair),
            _ => self.expression(pair),
        });
        elements.collect()
    }

    fn number(&mut self, pair: &Pair<'_, Rule>) -> Option<ExprKind> {
        let text = pair.as_str();
        let whole = text.bytes().all(|byte| byte.is_ascii_digit());
        let number = if whole {
            text.parse().ok().map(ExprKind::Int)
        } else {
            text.parse::<f64>()
                .ok()
                .filter(|n| n.is_finite())
                .map(ExprKind::Float)
        };
        if number.is_none() {
            let span = self.span(pair);
            self.problems
                .report(
                    Code::G010,
                    span,
                    format!("the number `{text}` is too large"),
                )
                .help = Some("the largest whole number is 9223372036854775807".to_owned());
        }
        number
    }

    fn double_equals(&mut self, pair: &Pair<'_, Rule>) {
        let span = self.span(pair);
        let message = "`==` is not a sign of the language";
        let problem = self.problems.report(Code::G003, span, message);
        problem.help = Some("write `=`: equality has one sign".to_owned());
        problem.instead = vec!["=".to_owned()];
    }

    /// A symbol or a declared name.
    fn name(&mut self, pair: Pair<'_, Rule>) -> Word {
        let word = self.word(&pair);
        self.not_reserved(&word);
        word
    }

    fn not_reserved(&mut self, word: &Word) {
        if RESERVED.contains(&word.text.as_ref()) {
            let message = format!("`{}` cannot be a name", word.text);
            self.problems.report(Code::G011, word.span, message).help =
                Some("it is a word of the language; choose another name in the schema".to_owned());
        }
    }

    fn word(&self, pair: &Pair<'_, Rule>) -> Word {
        Word {
            text: pair.as_str().into(),
            span: self.span(pair),
        }
    }

    /// What stands between quotes, with `\"` and `\\` taken for what they stand for.
    fn quoted(&self, pair: &Pair<'_, Rule>) -> Word {
        let text = pair.as_str();
        let inner = text
            .strip_prefix('"')
            .and_then(|text| text.strip_suffix('"'))
            .unwrap_or(text);
        let mut plain = String::with_capacity(inner.len());
        let mut letters = inner.chars();
        while let Some(letter) = letters.next() {
            plain.push(match letter {
                '\\' => letters.next().unwrap_or('\\'),
                other => other,
            });
        }
        Word {
            text: plain.into(),
            span: self.span(pair),
        }
    }

    /// Where a word or mark is. What ends in something optional also spans the blanks and comments
    /// after it, so the places of larger things are made from those of their words.
    fn span(&self, pair: &Pair<'_, Rule>) -> Span {
        let span = pair.as_span();
        Span::new(self.offset + span.start(), self.offset + span.end())
    }
}
