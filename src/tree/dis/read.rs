//! Reading dis. The brackets are kept on a stack of our own, so nesting has no limit.

use std::ops::Range;
use std::sync::Arc;

use nom::branch::alt;
use nom::bytes::complete::{tag, take_till, take_while1};
use nom::character::complete::{char, multispace0};
use nom::combinator::{map, recognize, value};
use nom::multi::many0_count;
use nom::sequence::{delimited, preceded};
use nom::{IResult, Parser};

use super::super::build::{Builder, JoinError};
use super::super::edus::Edu;
use super::super::format::{Read, one_line};
use super::super::node::{Child, NodeId, Role};
use crate::diagnostic::{Code, Diagnostic, Problems, Source};

/// A piece of a dis file.
#[derive(Debug, Clone, PartialEq)]
enum Token<'a> {
    /// `( Root`, `( Nucleus`, `( Satellite`.
    Open(Option<Role>),
    /// `(span 1 9)`.
    Span(&'a str),
    /// `(leaf 3)`.
    Leaf(&'a str),
    /// `(rel2par elaboration)`.
    Relation(&'a str),
    /// `(text _!...!_)`.
    Text(&'a str),
    /// Any other bracket without brackets inside: `(promotion 1 2)`.
    Other(&'a str),
    /// `)`.
    Close,
}

fn token(input: &str) -> IResult<&str, Token<'_>> {
    preceded(blank, alt((opening, field, value(Token::Close, char(')'))))).parse(input)
}

/// White space, and the comment lines that some releases contain.
fn blank(input: &str) -> IResult<&str, &str> {
    let comment = (tag("//"), take_till(|c| c == '\n'));
    recognize((multispace0, many0_count((comment, multispace0)))).parse(input)
}

fn opening(input: &str) -> IResult<&str, Token<'_>> {
    let word = alt((
        value(None, tag("Root")),
        value(Some(Role::Nucleus), tag("Nucleus")),
        value(Some(Role::Satellite), tag("Satellite")),
    ));
    map(preceded((char('('), multispace0), word), Token::Open).parse(input)
}

fn field(input: &str) -> IResult<&str, Token<'_>> {
    let (rest, name) = delimited(
        (char('('), multispace0),
        take_while1(|c: char| c.is_alphanumeric() || matches!(c, '_' | '-')),
        multispace0,
    )
    .parse(input)?;
    if name == "text" {
        return text(rest);
    }
    let (rest, body) = take_till(|c| matches!(c, '(' | ')')).parse(rest)?;
    let (rest, _) = char(')').parse(rest)?;
    let body = body.trim();
    let token = match name {
        "span" => Token::Span(body),
        "leaf" => Token::Leaf(body),
        "rel2par" => Token::Relation(body),
        _ => Token::Other(name),
    };
    Ok((rest, token))
}

/// The text of an EDU: between `_!` and the `_!` that a bracket follows.
fn text(input: &str) -> IResult<&str, Token<'_>> {
    let Some(body) = input.strip_prefix("_!") else {
        return map((take_till(|c| c == ')'), char(')')), |(body, _)| {
            Token::Text(body)
        })
        .parse(input);
    };
    let ends = body.match_indices("_!").filter_map(|(at, _)| {
        let rest = body.get(at + 2..)?.trim_start();
        Some((body.get(..at)?, rest.strip_prefix(')')?))
    });
    match ends.into_iter().next() {
        Some((text, rest)) => Ok((rest, Token::Text(text))),
        None => Err(nom::Err::Error(nom::error::Error::new(
            input,
            nom::error::ErrorKind::Tag,
        ))),
    }
}

/// Reads one tree.
pub(in super::super) fn read(source: &Arc<Source>) -> Read {
    let mut reading = Reading {
        builder: Builder::new(),
        open: Vec::new(),
        root: None,
        first_leaf: 1,
        failed: false,
        problems: Problems::new(source),
    };
    reading.tokens(source.text());
    let Reading {
        builder,
        root,
        failed,
        problems,
        ..
    } = reading;
    let tree = if failed {
        None
    } else {
        root.and_then(|root| builder.finish(root).ok())
    };
    Read {
        trees: tree.into_iter().collect(),
        diagnostics: problems.into_vec(),
    }
}

/// A node whose bracket is open.
#[derive(Debug)]
struct Open {
    at: Range<usize>,
    role: Option<Role>,
    span: Option<String>,
    leaf: Option<String>,
    relation: Option<Arc<str>>,
    text: Option<String>,
    children: Vec<Child>,
}

struct Reading {
    builder: Builder,
    open: Vec<Open>,
    root: Option<NodeId>,
    first_leaf: i64,
    failed: bool,
    problems: Problems,
}

impl Reading {
    fn tokens(&mut self, text: &str) {
        let mut rest = text;
        loop {
            let (body, _) = blank(rest).unwrap_or((rest, ""));
            let start = text.len() - body.len();
            if body.is_empty() {
                break;
            }
            let Ok((after, token)) = token(body) else {
                let found: String = body.chars().take(20).collect();
                let found = one_line(&found);
                self.fail(
                    Code::R001,
                    start..start + 1,
                    format!("`{found}` is not understood"),
                )
                .help = Some(
                    "a node is `( Nucleus (span 1 2) (rel2par list) ... )`, a leaf \
                     `( Nucleus (leaf 1) (rel2par span) (text _!...!_) )`"
                        .replace("!_", "_!"),
                );
                return;
            };
            rest = after;
            if !self.take(token, start..text.len() - after.len()) {
                return;
            }
        }
        if let Some(open) = self.open.first() {
            let at = open.at.clone();
            let message = match self.open.len() {
                1 => "the file ends with a bracket open".to_owned(),
                count => format!("the file ends with {count} brackets open"),
            };
            self.fail(Code::R001, at, message).help =
                Some("the file seems to be cut off".to_owned());
        }
    }

    fn take(&mut self, token: Token<'_>, at: Range<usize>) -> bool {
        if self.root.is_some() && self.open.is_empty() {
            self.fail(Code::R001, at, "there is more after the tree".to_owned());
            return false;
        }
        if let Token::Open(role) = token {
            self.open.push(Open {
                at,
                role,
                span: None,
                leaf: None,
                relation: None,
                text: None,
                children: Vec::new(),
            });
            return true;
        }
        let Some(open) = self.open.last_mut() else {
            self.fail(Code::R001, at, "no node is open here".to_owned())
                .help = Some("the file must begin with `( Root`".to_owned());
            return false;
        };
        match token {
            Token::Span(span) => open.span = Some(span.to_owned()),
            Token::Leaf(number) => open.leaf = Some(number.to_owned()),
            Token::Relation(name) => open.relation = relation(name),
            Token::Text(text) => open.text = Some(one_line(text)),
            Token::Close => return self.close(),
            Token::Other("promotion" | "schema" | "prom") | Token::Open(_) => {}
            Token::Other(name) => {
                let message = format!("`{name}` is not known: left out");
                self.problems.report(Code::R018, at, message);
            }
        }
        true
    }

    /// The innermost node is complete.
    fn close(&mut self) -> bool {
        let Some(open) = self.open.pop() else {
            return false;
        };
        let node = if open.leaf.is_some() || (open.text.is_some() && open.children.is_empty()) {
            self.leaf(&open)
        } else {
            self.node(&open)
        };
        let Some(node) = node else {
            return true;
        };
        match self.open.last_mut() {
            Some(above) => above.children.push(Child {
                node,
                role: open.role.unwrap_or(Role::Nucleus),
                relation: open.relation,
            }),
            None => self.root = Some(node),
        }
        true
    }

    fn leaf(&mut self, open: &Open) -> Option<NodeId> {
        let due = self.first_leaf + i64::try_from(self.builder.edus()).ok()?;
        if let Some(number) = &open.leaf {
            match number.parse::<u32>().map(i64::from) {
                Ok(number) if self.builder.edus() == 0 => self.first_leaf = number,
                Ok(number) if number == due => {}
                _ => {
                    let message = format!("leaf {number} stands where EDU {due} is due");
                    self.fail(Code::R012, open.at.clone(), message);
                    return None;
                }
            }
        }
        let text = open.text.as_deref().unwrap_or_default();
        Some(self.builder.add_leaf(Edu::new(text)))
    }

    fn node(&mut self, open: &Open) -> Option<NodeId> {
        // After an error the rest only echoes it.
        if self.failed {
            return None;
        }
        let mut children = open.children.clone();
        let nuclei = children.iter().filter(|c| c.role == Role::Nucleus).count();
        match (children.len(), nuclei) {
            (0, _) => {
                let message = "a node without children or text".to_owned();
                self.fail(Code::R007, open.at.clone(), message);
                return None;
            }
            (1, _) if children.iter().any(|child| child.relation.is_some()) => {
                let message = "a node with one child: left out".to_owned();
                self.problems.report(Code::R010, open.at.clone(), message);
            }
            (1, _) => {}
            (_, 0) => {
                let message = "a node without a nucleus: its first child is read as one".to_owned();
                self.problems.report(Code::R019, open.at.clone(), message);
                if let Some(first) = children.first_mut() {
                    first.role = Role::Nucleus;
                }
            }
            _ => {}
        }
        label_children(&mut children);
        match self.builder.join_all(&children) {
            Ok(node) => {
                self.check_span(open, node);
                Some(node)
            }
            Err(JoinError::NotAdjacent { left, right }) => {
                let message = format!("EDUs {left} and {right} are no neighbours");
                self.fail(Code::R012, open.at.clone(), message);
                None
            }
            Err(error) => {
                self.fail(Code::R007, open.at.clone(), error.to_string());
                None
            }
        }
    }

    fn check_span(&mut self, open: &Open, node: NodeId) {
        let Some(said) = &open.span else {
            return;
        };
        let span = self.builder.node(node).span();
        // Leaves may be counted from 0, or from any other number.
        let counted = |edu: u32| i64::from(edu) + self.first_leaf - 1;
        let real = format!("{} {}", counted(span.first()), counted(span.last()));
        let said = said.split_whitespace().collect::<Vec<_>>().join(" ");
        if said != real {
            let message = format!("the node says `span {said}` and covers `span {real}`");
            self.problems.report(Code::R013, open.at.clone(), message);
        }
    }

    fn fail(&mut self, code: Code, at: Range<usize>, message: String) -> &mut Diagnostic {
        self.failed = true;
        self.problems.report(code, at, message)
    }
}

fn relation(name: &str) -> Option<Arc<str>> {
    match name {
        "" | "span" => None,
        name => Some(one_line(name).into()),
    }
}

/// The relation stands on satellites, or on all of several nuclei. Some writers put it on the lone
/// nucleus, or leave it out on one of the nuclei.
fn label_children(children: &mut [Child]) {
    let nuclei = children.iter().filter(|c| c.role == Role::Nucleus);
    let lone = nuclei.clone().count() == 1;
    let mut names = nuclei.filter_map(|child| child.relation.clone());
    let spare = names.next();
    for child in children {
        match child.role {
            Role::Nucleus if lone => child.relation = None,
            Role::Nucleus => child.relation = child.relation.take().or(spare.clone()),
            Role::Satellite if lone => child.relation = child.relation.take().or(spare.clone()),
            Role::Satellite => {}
        }
    }
}
