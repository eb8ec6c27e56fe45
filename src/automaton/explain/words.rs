//! Answers in words: what a reason finds in a configuration.

use crate::automaton::view::View;
use crate::grammar::formula::{Argument, Comparison, Formula, FunctionId, Literal, Node};
use crate::grammar::functions::Answer;
use crate::grammar::{Row, Table, Value};
use crate::measure::{Domain, ParsedSpan};
use crate::text::words::tails;

/// What the keys of a row found, each fact once: `B begins with 但 (but)`.
pub(super) fn row_facts(table: &Table, row: &Row, view: &View<'_>) -> Vec<String> {
    let keys = row.keys.iter().enumerate();
    let formulas = keys.filter_map(|(at, key)| table.key_formula(at, key));
    let mut facts = Facts {
        view,
        told: Vec::new(),
    };
    for formula in formulas {
        facts.tell(&formula);
    }
    facts.told
}

/// What a reason found, each fact once.
pub(in crate::automaton) fn reason_facts(reason: &Formula, view: &View<'_>) -> Vec<String> {
    let mut facts = Facts {
        view,
        told: Vec::new(),
    };
    facts.tell(reason);
    facts.told
}

/// Facts as they are collected. What is told is what was found, not what was asked: a reason that holds
/// follows from it.
struct Facts<'v> {
    view: &'v View<'v>,
    told: Vec<String>,
}

impl Facts<'_> {
    fn tell(&mut self, formula: &Formula) {
        let fact = match formula {
            Formula::And(parts) => {
                for part in parts {
                    self.tell(part);
                }
                return;
            }
            Formula::Not(inner) => return self.tell(inner),
            Formula::Compare(op, left, right) => match (&**left, &**right) {
                (asked, Formula::Literal(_)) | (Formula::Literal(_), asked) => self.answer(asked),
                (left, right) => self.comparison(*op, left, right),
            },
            Formula::In(asked, _) => self.answer(asked),
            Formula::Call(function, arguments) => self.call(*function, arguments, formula),
            other => self.answer(other),
        };
        if !self.told.contains(&fact) {
            self.told.push(fact);
        }
    }

    fn call(&self, function: FunctionId, arguments: &[Argument], formula: &Formula) -> String {
        match (function.get().name, arguments) {
            ("known", [Argument::Value(asked)]) => self.answer(asked),
            (
                "is",
                [
                    Argument::Node(node),
                    Argument::Value(Formula::Literal(symbol)),
                ],
            ) => {
                let is = if formula.truth(self.view) == Some(true) {
                    "is"
                } else {
                    "is not"
                };
                let symbol = with_article(&literal_text(symbol));
                format!("{node} {is} {symbol}", node = node.as_str())
            }
            (
                "contains",
                [
                    Argument::Value(set),
                    Argument::Value(Formula::Literal(member)),
                ],
            ) => match (formula.truth(self.view), asked(set)) {
                (Some(true), Some((function, nodes))) => {
                    self.sentence(function, &nodes, &literal_text(member))
                }
                _ => format!(
                    "{} is {}",
                    formula.text(self.view.schema),
                    self.truth(formula)
                ),
            },
            _ => self.answer(formula),
        }
    }

    fn truth(&self, formula: &Formula) -> &'static str {
        match formula.truth(self.view) {
            Some(true) => "true",
            Some(false) => "false",
            None => "unknown",
        }
    }

    /// `A's length (3) is less than B's length (5)`
    fn comparison(&self, op: Comparison, left: &Formula, right: &Formula) -> String {
        let schema = self.view.schema;
        let (Some(a), Some(b)) = (left.evaluate(self.view), right.evaluate(self.view)) else {
            return format!(
                "{} {op} {} is unknown",
                left.text(schema),
                right.text(schema),
                op = op.as_str()
            );
        };
        let order = a.compare(&b);
        if let (Some((one, nodes)), Some((other, others)), true) = (
            asked(left),
            asked(right),
            matches!(op, Comparison::Equal | Comparison::NotEqual),
        ) && let ([x], [y]) = (nodes.as_slice(), others.as_slice())
            && one == other
        {
            let (x, y, noun) = (x.as_str(), y.as_str(), one.get().told.noun);
            return match order {
                Some(std::cmp::Ordering::Equal) => {
                    format!("{x} and {y} have the same {noun} ({})", plain(&a))
                }
                _ => format!(
                    "{x} and {y} differ in their {noun} ({}, {})",
                    plain(&a),
                    plain(&b)
                ),
            };
        }
        let is_rank = matches!(a, Value::Rank(..));
        let how = match (order, is_rank) {
            (Some(std::cmp::Ordering::Less), true) => "weaker than",
            (Some(std::cmp::Ordering::Less), false) => "less than",
            (Some(std::cmp::Ordering::Equal), true) => "as strong as",
            (Some(std::cmp::Ordering::Equal), false) => "the same as",
            (Some(std::cmp::Ordering::Greater), true) => "stronger than",
            (Some(std::cmp::Ordering::Greater), false) => "more than",
            (None, _) => "not to be compared with",
        };
        format!(
            "{} ({}) is {how} {} ({})",
            self.noun(left),
            plain(&a),
            self.noun(right),
            plain(&b)
        )
    }

    /// What is asked for, as a noun.
    fn noun(&self, formula: &Formula) -> String {
        let told = asked(formula).map(|(function, nodes)| (function.get().told.noun, nodes));
        match told {
            Some((noun, nodes)) if !noun.is_empty() => match nodes.as_slice() {
                [node] => format!("{}'s {noun}", node.as_str()),
                nodes => with_nodes(noun, nodes),
            },
            _ => formula.text(self.view.schema),
        }
    }

    /// The value that something has.
    fn answer(&self, formula: &Formula) -> String {
        let Some(value) = formula.evaluate(self.view) else {
            return format!("{} is unknown", self.noun(formula));
        };
        if let (Formula::Attribute(..), value) = (formula, &value) {
            return format!("{} is {}", formula.text(self.view.schema), plain(value));
        }
        let Some((function, nodes)) = asked(formula) else {
            return format!("{} is {}", formula.text(self.view.schema), plain(&value));
        };
        let told = function.get().told;
        let is_none = match &value {
            Value::Bool(truth) => !truth,
            other => matches!(plain(other).as_str(), "none" | "leaf"),
        };
        match (is_none, told.yes, told.no) {
            (true, _, no) if !no.is_empty() => with_nodes(no, &nodes),
            (_, "", _) => format!("{} is {}", formula.text(self.view.schema), plain(&value)),
            (_, yes, _) if matches!(value, Value::Bool(true)) => with_nodes(yes, &nodes),
            (_, yes, _) if yes.contains("{%}") => {
                let percent = value.as_number().unwrap_or(0.0) * 100.0;
                with_nodes(yes, &nodes).replace("{%}", &format!("{percent:.0}%"))
            }
            _ => self.sentence(function, &nodes, &plain(&value)),
        }
    }

    /// The sentence of a function with an answer in it.
    fn sentence(&self, function: FunctionId, nodes: &[Node], answer: &str) -> String {
        let shown = match (function.get().result, nodes) {
            (Answer::Symbol(Domain::Cues) | Answer::Set(Domain::Cues), [node]) => {
                self.with_word(answer, self.cue_word(*node, answer))
            }
            (Answer::Symbol(Domain::Tails), [node]) => {
                self.with_word(answer, self.tail_word(*node, answer))
            }
            (Answer::Text, _) => format!("“{answer}”"),
            _ => answer.to_owned(),
        };
        let yes = with_nodes(function.get().told.yes, nodes);
        if answer == "1"
            && let Some((before, after)) = yes.split_once("{} ")
        {
            // One EDU, one verb: the word behind the number ends in s.
            let (things, rest) = after
                .split_once(' ')
                .map_or((after, ""), |(word, _)| (word, &after[word.len()..]));
            let thing = things.strip_suffix('s').unwrap_or(things);
            return format!("{before}1 {thing}{rest}");
        }
        yes.replace("{a}", &with_article(&shown.replace('-', " ")))
            .replace("{}", &shown)
    }

    /// `但 (but)`, or the name of the class alone.
    fn with_word(&self, class: &str, word: Option<&str>) -> String {
        match word {
            Some(word) => format!("{word} ({class})"),
            None => format!("a word of `{class}`"),
        }
    }

    /// The word of a cue class that stands in the first EDU of a node that has one.
    fn cue_word(&self, node: Node, class: &str) -> Option<&str> {
        let span = self.view.nodes.get(node)?;
        let at = self
            .view
            .schema
            .cues
            .iter()
            .position(|cue| cue.name == class)?;
        let code = u16::try_from(at + 1).ok()?;
        let words = &self.view.schema.cues.get(at)?.words;
        let text = self.view.measurer.text;
        let edus = span.first as usize..=span.last as usize;
        let leaves = text
            .leaves
            .get(edus.clone())?
            .iter()
            .zip(text.edus.get(edus)?);
        let mut having = leaves.filter(|(leaf, _)| leaf.cue == code || leaf.cues.contains(&code));
        let (_, edu) = having.next()?;
        let found = words.iter().filter_map(|word| {
            let from = edu.text.find(word.as_str())?;
            Some((from, std::cmp::Reverse(word.len()), word.as_str()))
        });
        found.min().map(|(.., word)| word)
    }

    /// The final word of a node that makes its tail one of a class.
    fn tail_word(&self, node: Node, class: &str) -> Option<&str> {
        let span: &ParsedSpan = self.view.nodes.get(node)?;
        let class = tails().iter().find(|tail| tail.name == class)?;
        let edu = self.view.measurer.text.edus.get(span.last as usize)?;
        let text = edu.text.trim_end_matches(|c: char| !c.is_alphanumeric());
        let fitting = class
            .words
            .iter()
            .filter(|word| text.ends_with(word.as_str()));
        fitting
            .max_by_key(|word| word.len())
            .map(|word| word.as_str())
    }
}

/// The function and the nodes it is asked of.
fn asked(formula: &Formula) -> Option<(FunctionId, Vec<Node>)> {
    let Formula::Call(function, arguments) = formula else {
        return None;
    };
    let nodes = arguments.iter().map(|argument| match argument {
        Argument::Node(node) => Some(*node),
        Argument::Value(_) => None,
    });
    Some((*function, nodes.collect::<Option<Vec<Node>>>()?))
}

fn with_nodes(template: &str, nodes: &[Node]) -> String {
    let mut out = template.to_owned();
    for (at, node) in nodes.iter().enumerate() {
        out = out.replace(&format!("{{{at}}}"), node.as_str());
    }
    out
}

fn with_article(word: &str) -> String {
    let article = match word.chars().next() {
        Some('a' | 'e' | 'i' | 'o' | 'A' | 'E' | 'I' | 'O') => "an",
        _ => "a",
    };
    format!("{article} {word}")
}

fn literal_text(literal: &Literal) -> String {
    plain(&literal.value())
}

/// A value as people read it: numbers short, texts bare.
fn plain(value: &Value) -> String {
    match value {
        Value::Float(value) => format!("{value:.2}"),
        Value::Text(text) => text.to_string(),
        other => other.to_string(),
    }
}
