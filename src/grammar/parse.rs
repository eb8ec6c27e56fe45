//! From text to the syntax tree, with every mistake found on the way.

use std::sync::Arc;

use pest::Parser;
use pest::iterators::Pairs;

use super::advice::{query_error, syntax_error};
use super::build::Builder;
use super::chunks::{self, Chunk, Fault, MAX_NESTING, Piece, STATEMENT_WORDS};
use super::syntax::{ChangeItem, Element, EquationItem, Expr, File, QueryItem, Span};
use crate::diagnostic::{Code, Diagnostic, Place, Source, nearest};

/// The parser that pest derives from `arsg.pest`.
#[derive(pest_derive::Parser)]
#[grammar = "grammar/arsg.pest"]
pub(super) struct ArsgParser;

/// The longest file that is read, in bytes; longer ones get a diagnostic.
pub const MAX_FILE_BYTES: usize = 1 << 30;

/// A file's syntax tree and everything that is wrong with its syntax.
#[derive(Debug, Clone)]
pub struct Parsed {
    /// The tree; statements that could not be read are in it as [`Element::Broken`].
    pub file: File,
    /// All syntax errors, in file order.
    pub diagnostics: Vec<Diagnostic>,
}

/// Parses a grammar file. Never fails: what could be read is in the tree.
pub fn parse(source: &Arc<Source>) -> Parsed {
    let mut file = File {
        source: Arc::clone(source),
        elements: Vec::new(),
    };
    let mut diagnostics = Vec::new();
    if source.text().len() > MAX_FILE_BYTES {
        diagnostics.push(
            Diagnostic::new(Code::G001, "the file is larger than a gigabyte")
                .at(Place::new(source, 0..0))
                .help("split it into modules and join them with `use`"),
        );
        return Parsed { file, diagnostics };
    }
    for piece in chunks::cut(source.text()) {
        file.elements.push(match piece {
            Piece::Blank => Element::Blank,
            Piece::Comment(comment) => Element::Comment(comment),
            Piece::Statement(chunk) => parse_statement(source, chunk, &mut diagnostics),
        });
    }
    trim_blank_ends(&mut file.elements);
    if is_no_grammar(&file) {
        let message = "this is no grammar: not one line of it is a statement";
        let diagnostic = Diagnostic::new(Code::G001, message).at(Place::new(source, 0..0));
        let help = "a grammar begins with `grammar NAME` and `schema \"PATH\"`; \
             `arsg parse` reads texts, `arsg convert` trees";
        diagnostics = vec![diagnostic.help(help)];
    }
    Parsed { file, diagnostics }
}

/// True when a file has lines, and none of them is a statement or looks like one: a text, a tree.
pub(super) fn is_no_grammar(file: &File) -> bool {
    let mut broken = 0_usize;
    for element in &file.elements {
        match element {
            Element::Item(_) => return false,
            Element::Broken(span) => {
                let text = file.source.text().get(span.range()).unwrap_or_default();
                if looks_like_statement(text) {
                    return false;
                }
                broken += 1;
            }
            Element::Comment(_) | Element::Blank => {}
        }
    }
    broken > 0
}

/// True for what begins with a word of the language or one near it, is a tuple as in the paper, or
/// has an arrow.
fn looks_like_statement(text: &str) -> bool {
    let first = text.split_whitespace().next().unwrap_or_default();
    let near = nearest(first, STATEMENT_WORDS.iter().copied()).is_some();
    let is_tuple = text.starts_with('(') && text.contains(',');
    near || is_tuple
        || ["<-", "->", "←", "→"]
            .iter()
            .any(|arrow| text.contains(arrow))
}

/// Parses a formula that stands alone, such as the summary's priority function.
pub fn parse_formula(source: &Arc<Source>) -> (Option<Expr>, Vec<Diagnostic>) {
    parse_alone(source, Rule::formula, Builder::formula)
}

/// Parses equations that stand alone, as they stand after `set`.
pub(super) fn parse_equations(
    source: &Arc<Source>,
) -> (Option<Vec<EquationItem>>, Vec<Diagnostic>) {
    parse_alone(source, Rule::settings, Builder::settings)
}

/// Parses a query over trees, which fills the source.
pub(super) fn parse_query(source: &Arc<Source>) -> (Option<QueryItem>, Vec<Diagnostic>) {
    let whole = Span::new(0, source.text().len());
    parse_of_trees(source, whole, Rule::query, Builder::query)
}

/// Parses one change of trees, in a part of a source.
pub(super) fn parse_change(
    source: &Arc<Source>,
    span: Span,
) -> (Option<ChangeItem>, Vec<Diagnostic>) {
    parse_of_trees(source, span, Rule::change, Builder::change)
}

fn parse_of_trees<'s, T>(
    source: &'s Arc<Source>,
    span: Span,
    rule: Rule,
    build: impl FnOnce(&mut Builder, Pairs<'s, Rule>) -> Option<T>,
) -> (Option<T>, Vec<Diagnostic>) {
    let text = source.text().get(span.range()).unwrap_or_default();
    let mut builder = Builder::new(source, span.start);
    let faults: Vec<Fault> = chunks::cut(text)
        .into_iter()
        .flat_map(|piece| match piece {
            Piece::Statement(chunk) => chunk.faults,
            _ => Vec::new(),
        })
        .collect();
    let mut diagnostics = Vec::new();
    report_faults(source, &moved(faults, span.start), &mut diagnostics);
    if !diagnostics.is_empty() {
        return (None, diagnostics);
    }
    let built = match ArsgParser::parse(rule, text) {
        Ok(pairs) => build(&mut builder, pairs),
        Err(error) => {
            builder.problems.push(query_error(source, span, &error));
            None
        }
    };
    (built, builder.problems.into_vec())
}

/// The faults of a part of a file, where they stand in the file.
fn moved(faults: Vec<Fault>, by: usize) -> Vec<Fault> {
    let there = |span: Span| Span::new(span.start + by, span.end + by);
    let moved = faults.into_iter().map(|fault| match fault {
        Fault::OpenText(span) => Fault::OpenText(there(span)),
        Fault::FullWidth(span, narrow) => Fault::FullWidth(there(span), narrow),
        Fault::Slashes(span) => Fault::Slashes(there(span)),
        Fault::TooDeep(span) => Fault::TooDeep(there(span)),
    });
    moved.collect()
}

fn parse_alone<'s, T>(
    source: &'s Arc<Source>,
    rule: Rule,
    build: impl FnOnce(&mut Builder, Pairs<'s, Rule>) -> Option<T>,
) -> (Option<T>, Vec<Diagnostic>) {
    let mut diagnostics = Vec::new();
    for piece in chunks::cut(source.text()) {
        if let Piece::Statement(chunk) = piece {
            report_faults(source, &chunk.faults, &mut diagnostics);
        }
    }
    if !diagnostics.is_empty() {
        return (None, diagnostics);
    }
    let mut builder = Builder::new(source, 0);
    let built = match ArsgParser::parse(rule, source.text()) {
        Ok(pairs) => build(&mut builder, pairs),
        Err(error) => {
            builder.problems.push(syntax_error(
                source,
                Span::new(0, source.text().len()),
                &error,
            ));
            None
        }
    };
    (built, builder.problems.into_vec())
}

/// How many statements pest recognises, with nothing built from them: the yardstick of the
/// benchmarks.
#[doc(hidden)]
pub fn recognise(text: &str) -> usize {
    let pieces = chunks::cut(text);
    let statements = pieces.iter().filter(|piece| match piece {
        Piece::Statement(chunk) => {
            let code = text.get(chunk.span.range()).unwrap_or_default();
            ArsgParser::parse(Rule::statement, code).is_ok()
        }
        _ => false,
    });
    statements.count()
}

fn parse_statement(
    source: &Arc<Source>,
    chunk: Chunk,
    diagnostics: &mut Vec<Diagnostic>,
) -> Element {
    if !chunk.faults.is_empty() {
        report_faults(source, &chunk.faults, diagnostics);
        return Element::Broken(chunk.span);
    }
    let text = source.text().get(chunk.span.range()).unwrap_or_default();
    match ArsgParser::parse(Rule::statement, text) {
        Ok(pairs) => {
            let mut builder = Builder::new(source, chunk.span.start);
            let item = builder.item(pairs, &chunk);
            diagnostics.extend(builder.problems.into_vec());
            match item {
                Some(item) => Element::Item(item),
                None => Element::Broken(chunk.span),
            }
        }
        Err(error) => {
            diagnostics.push(syntax_error(source, chunk.span, &error));
            Element::Broken(chunk.span)
        }
    }
}

fn report_faults(source: &Arc<Source>, faults: &[Fault], diagnostics: &mut Vec<Diagnostic>) {
    for fault in faults {
        diagnostics.push(match fault {
            Fault::OpenText(span) => Diagnostic::new(Code::G009, "a text that does not end")
                .at(span.place(source))
                .help("close it with `\"` on the same line"),
            Fault::FullWidth(span, narrow) => {
                let place = span.place(source);
                let message = format!("`{}` is not a mark of the language", place.text());
                Diagnostic::new(Code::G008, message)
                    .at(place)
                    .instead([*narrow])
                    .help(if narrow.is_alphabetic() {
                        format!("write the letter `{narrow}`")
                    } else {
                        format!("write the half-width `{narrow}`")
                    })
            }
            Fault::Slashes(span) => Diagnostic::new(Code::G001, "`//` begins no comment")
                .at(span.place(source))
                .help("comments begin with `#`"),
            Fault::TooDeep(span) => {
                let message = format!("brackets nested more than {MAX_NESTING} deep");
                Diagnostic::new(Code::G002, message)
                    .at(span.place(source))
                    .help("split the formula into several rules")
            }
        });
    }
}

fn trim_blank_ends(elements: &mut Vec<Element>) {
    while matches!(elements.last(), Some(Element::Blank)) {
        elements.pop();
    }
    if matches!(elements.first(), Some(Element::Blank)) {
        elements.remove(0);
    }
}
