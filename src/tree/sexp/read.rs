//! Reading s-expressions. The brackets are kept on a stack of our own, so nesting has no limit.

use std::ops::Range;
use std::sync::Arc;

use super::super::build::{Builder, JoinError};
use super::super::edus::Edu;
use super::super::format::Read;
use super::super::node::{Child, NodeId, Role};
use super::super::value::{Attributes, Value};
use super::lex::{Lexer, Token};
use crate::diagnostic::{Code, Diagnostic, Place, Source, half_width};

/// Reads all trees of a text.
pub(in super::super) fn read(source: &Arc<Source>) -> Read {
    let mut reading = Reading {
        source,
        lexer: Lexer::new(source.text()),
        ahead: None,
        last: 0..0,
        read: Read::default(),
    };
    while reading.peek().is_some() {
        match reading.tree() {
            Ok(()) => {}
            Err(problem) => {
                reading.read.diagnostics.push(*problem);
                break;
            }
        }
    }
    reading.read
}

type Step<T> = Result<T, Box<Diagnostic>>;

/// A node whose bracket is open.
#[derive(Debug)]
struct Open {
    at: Range<usize>,
    symbol: Option<Arc<str>>,
    relations: Vec<Option<Arc<str>>>,
    roles: Vec<Role>,
    fallback: bool,
    attributes: Attributes,
    children: Vec<NodeId>,
}

struct Reading<'a> {
    source: &'a Arc<Source>,
    lexer: Lexer<'a>,
    ahead: Option<(Token, Range<usize>)>,
    last: Range<usize>,
    read: Read,
}

impl Reading<'_> {
    /// One tree, with its name before it.
    fn tree(&mut self) -> Step<()> {
        let mut builder = Builder::new();
        if self.accept(&Token::At)? {
            builder.id = Some(self.name("the text's id")?);
        }
        let mut open: Vec<Open> = Vec::new();
        let root = loop {
            if let (Some(innermost), None) = (open.last(), self.peek()) {
                let at = innermost.at.clone();
                return Err(self.problem(at, "a bracket that nothing closes"));
            }
            let (token, at) = self.next("a tree")?;
            let finished = match token {
                Token::Open => {
                    open.push(self.head(at)?);
                    continue;
                }
                Token::Close => match open.pop() {
                    Some(node) => self.close(&mut builder, node)?,
                    None => return Err(self.problem(at, "a bracket that nothing opens")),
                },
                Token::Word(_) | Token::Text(_) => self.leaf(&mut builder, token, at)?,
                _ => return Err(self.problem(at, "a node or a leaf is due here")),
            };
            match open.last_mut() {
                Some(above) => above.children.push(finished),
                None => break finished,
            }
        };
        if let Ok(tree) = builder.finish(root) {
            self.read.trees.push(tree);
        }
        Ok(())
    }

    /// After `(`: symbol and relation, roles, `!`, attributes.
    fn head(&mut self, at: Range<usize>) -> Step<Open> {
        let mut symbol = None;
        let mut relations = vec![self.optional_name()?];
        if self.accept(&Token::OpenBracket)? {
            symbol = relations.pop().flatten();
            if !self.accept(&Token::CloseBracket)? {
                relations.push(self.optional_name()?);
                self.more_relations(&mut relations)?;
                self.expect(Token::CloseBracket, "`]` after the relation")?;
            }
        } else {
            self.more_relations(&mut relations)?;
        }
        let (token, roles_at) = self.next("the roles")?;
        let roles: Option<Vec<Role>> = match &token {
            Token::Word(word) => word.chars().map(role).collect(),
            _ => None,
        };
        let Some(roles) = roles else {
            let problem = self.problem(roles_at, "the children's roles are due here");
            return Err(Box::new(problem.help(
                "write a letter for every child after the relation: `(causal-cause SN 1 2)`",
            )));
        };
        let fallback = self.accept(&Token::Bang)?;
        let attributes = if self.accept(&Token::OpenBrace)? {
            self.attributes()?
        } else {
            Attributes::default()
        };
        Ok(Open {
            at: at.start..roles_at.end,
            symbol,
            relations,
            roles,
            fallback,
            attributes,
            children: Vec::new(),
        })
    }

    fn more_relations(&mut self, relations: &mut Vec<Option<Arc<str>>>) -> Step<()> {
        while self.accept(&Token::Bar)? {
            relations.push(self.optional_name()?);
        }
        Ok(())
    }

    fn close(&mut self, builder: &mut Builder, open: Open) -> Step<NodeId> {
        let (roles, count) = (open.roles.len(), open.children.len());
        if roles != count {
            let message = format!("{roles} roles for {count} children");
            let problem = self.problem(open.at, &message);
            return Err(Box::new(
                problem.help("write one letter, N or S, for every child"),
            ));
        }
        if count < 2 {
            return Err(self.problem(open.at, "a node needs at least two children"));
        }
        let labels = labels(&open.roles, &open.relations);
        let Some(labels) = labels else {
            let message = format!("{} relations do not fit the roles", open.relations.len());
            let problem = self.problem(open.at, &message);
            return Err(Box::new(problem.help(
                "write one relation, or one for every satellite and every one of several nuclei",
            )));
        };
        let children = open.children.into_iter().zip(open.roles).zip(labels);
        let children: Vec<Child> = children
            .map(|((node, role), relation)| Child {
                node,
                role,
                relation,
            })
            .collect();
        match builder.join_all(&children) {
            Ok(id) => {
                let node = builder.node_mut(id);
                node.symbol = open.symbol;
                node.fallback = open.fallback;
                node.attributes = open.attributes;
                Ok(id)
            }
            Err(JoinError::NoNucleus) => Err(self.problem(open.at, "no child is a nucleus")),
            Err(error) => Err(self.problem(open.at, &error.to_string())),
        }
    }

    /// `3`, `"text"`, `3:"text"`, each after a symbol or not.
    fn leaf(&mut self, builder: &mut Builder, first: Token, at: Range<usize>) -> Step<NodeId> {
        let mut symbol = None;
        let mut token = first;
        let mut number = None;
        let mut text = None;
        loop {
            match token {
                Token::Text(body) => text = Some(body),
                Token::Word(word) => match word.parse::<usize>() {
                    Ok(found) if number.is_none() => number = Some(found),
                    _ if number.is_none() && symbol.is_none() => {
                        symbol = Some(word.into());
                    }
                    _ => return Err(self.problem(at, "a leaf is `1`, `\"text\"` or `1:\"text\"`")),
                },
                _ => return Err(self.problem(at, "a number or a text is due here")),
            }
            if text.is_some() || !self.accept(&Token::Colon)? {
                break;
            }
            token = self.next("a number or a text")?.0;
        }
        if number.is_none() && text.is_none() {
            let word: Arc<str> = symbol.unwrap_or_default();
            let problem = self.problem(
                at,
                &format!("`{word}` is neither an EDU's number nor its text"),
            );
            let help = match word.chars().next().and_then(half_width) {
                Some(narrow) => format!("write the half-width `{narrow}`"),
                None => "write texts in quotes, and a node in brackets".to_owned(),
            };
            return Err(Box::new(problem.help(help)));
        }
        let due = builder.edus() + 1;
        if let Some(number) = number.filter(|&number| number != due) {
            let message = format!("EDU {number} stands where EDU {due} is due");
            let mut problem = self.problem(at, &message);
            problem.code = Code::R012;
            return Err(problem);
        }
        let leaf = builder.add_leaf(Edu::new(text.unwrap_or_default()));
        builder.node_mut(leaf).symbol = symbol;
        builder.node_mut(leaf).fallback = self.accept(&Token::Bang)?;
        if self.accept(&Token::OpenBrace)? {
            builder.node_mut(leaf).attributes = self.attributes()?;
        }
        Ok(leaf)
    }

    /// After `{`: `name=value` until `}`.
    fn attributes(&mut self) -> Step<Attributes> {
        let mut attributes = Attributes::default();
        while !self.accept(&Token::CloseBrace)? {
            let name = self.name("an attribute's name")?;
            self.expect(Token::Equals, "`=` after the attribute's name")?;
            let value = self.value()?;
            attributes.set(name, value);
        }
        Ok(attributes)
    }

    fn value(&mut self) -> Step<Value> {
        let (token, at) = self.next("a value")?;
        Ok(match token {
            Token::Text(text) => Value::Text(text.into()),
            Token::At => {
                let start = self.name("a time")?;
                Value::Time(start)
            }
            Token::OpenBracket => {
                let mut names = std::collections::BTreeSet::new();
                while !self.accept(&Token::CloseBracket)? {
                    names.insert(self.name("a name")?);
                }
                Value::Set(Arc::new(names))
            }
            Token::Equals => Value::Symbol(self.name("a symbol")?),
            Token::Word(word) => match word.as_str() {
                "true" => Value::Bool(true),
                "false" => Value::Bool(false),
                word => match (word.parse::<i64>(), word.parse::<f64>()) {
                    (Ok(number), _) => Value::Int(number),
                    (_, Ok(number)) => Value::Float(number),
                    _ => Value::Symbol(word.into()),
                },
            },
            _ => return Err(self.problem(at, "a value is due here")),
        })
    }

    /// A name, or `_` for none.
    fn optional_name(&mut self) -> Step<Option<Arc<str>>> {
        let (token, at) = self.next("a relation")?;
        match token {
            Token::Word(word) if word == "_" => Ok(None),
            Token::Word(word) | Token::Text(word) => Ok(Some(word.into())),
            _ => {
                let problem = self.problem(at, "a relation is due here");
                Err(Box::new(problem.help("write `_` for none")))
            }
        }
    }

    fn name(&mut self, what: &str) -> Step<Arc<str>> {
        let (token, at) = self.next(what)?;
        match token {
            Token::Word(word) | Token::Text(word) => Ok(word.into()),
            _ => Err(self.problem(at, &format!("{what} is due here"))),
        }
    }

    fn expect(&mut self, wanted: Token, what: &str) -> Step<()> {
        let (token, at) = self.next(what)?;
        if token == wanted {
            Ok(())
        } else {
            Err(self.problem(at, &format!("{what} is due here")))
        }
    }

    fn accept(&mut self, wanted: &Token) -> Step<bool> {
        match self.peek() {
            Some(Ok((token, _))) if token == wanted => {
                self.ahead = None;
                Ok(true)
            }
            Some(Err(problem)) => Err(problem),
            _ => Ok(false),
        }
    }

    fn next(&mut self, what: &str) -> Step<(Token, Range<usize>)> {
        match self.peek() {
            Some(Err(problem)) => return Err(problem),
            Some(Ok(_)) => {}
            None => {
                let end = self.source.text().trim_end().len();
                let message = format!("the file ends where {what} is due");
                return Err(self.problem(end..end, &message));
            }
        }
        let end = self.last.end..self.last.end;
        Ok(self.ahead.take().unwrap_or((Token::Close, end)))
    }

    fn peek(&mut self) -> Option<Step<(&Token, &Range<usize>)>> {
        if self.ahead.is_none() {
            let (token, at) = self.lexer.next()?;
            self.last = at.clone();
            match token {
                Ok(token) => self.ahead = Some((token, at)),
                Err(message) => return Some(Err(self.problem(at.start..at.start + 1, message))),
            }
        }
        self.ahead.as_ref().map(|(token, at)| Ok((token, at)))
    }

    fn problem(&self, at: Range<usize>, message: &str) -> Box<Diagnostic> {
        let place = Place::new(self.source, at);
        Box::new(Diagnostic::new(Code::R001, message).at(place))
    }
}

fn role(letter: char) -> Option<Role> {
    match letter {
        'N' => Some(Role::Nucleus),
        'S' => Some(Role::Satellite),
        _ => None,
    }
}

/// The relation of every child: one for all, or one for each that carries one.
fn labels(roles: &[Role], relations: &[Option<Arc<str>>]) -> Option<Vec<Option<Arc<str>>>> {
    let lone = roles.iter().filter(|role| **role == Role::Nucleus).count() < 2;
    let carries = |role: &Role| *role == Role::Satellite || !lone;
    let carriers = roles.iter().filter(|role| carries(role)).count();
    let mut given: Box<dyn Iterator<Item = &Option<Arc<str>>>> = match relations {
        [] => Box::new(std::iter::repeat(&None)),
        [one] => Box::new(std::iter::repeat(one)),
        several if several.len() == carriers => Box::new(several.iter()),
        _ => return None,
    };
    let label = |role: &Role| {
        if carries(role) {
            given.next().cloned().flatten()
        } else {
            None
        }
    };
    Some(roles.iter().map(label).collect())
}
