//! From text to the syntax tree, with every mistake found on the way.

use std::sync::Arc;

use pest::Parser;
use pest::error::{Error as PestError, ErrorVariant, InputLocation};
use pest::iterators::Pairs;

use super::build::Builder;
use super::chunks::{self, Chunk, Fault, MAX_NESTING, Piece};
use super::syntax::{Element, EquationItem, Expr, File, RESERVED, Span};
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
    Parsed { file, diagnostics }
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

fn parse_alone<'s, T>(
    source: &'s Arc<Source>,
    rule: Rule,
    build: impl FnOnce(&mut Builder<'s>, Pairs<'s, Rule>) -> Option<T>,
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
            builder
                .diagnostics
                .push(syntax_error(source, Span::default(), &error));
            None
        }
    };
    (built, builder.diagnostics)
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
            diagnostics.append(&mut builder.diagnostics);
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
                let message = format!("the full-width mark `{}`", place.text());
                Diagnostic::new(Code::G008, message)
                    .at(place)
                    .help(format!("write `{narrow}`"))
            }
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

/// Says in a linguist's words what pest did not find.
fn syntax_error(
    source: &Arc<Source>,
    Span {
        start: offset,
        end: statement_end,
    }: Span,
    error: &PestError<Rule>,
) -> Diagnostic {
    let at = offset
        + match error.location {
            InputLocation::Pos(at) | InputLocation::Span((at, _)) => at,
        };
    let rest = source.text().get(at..).unwrap_or_default();
    let found = first_token(rest);
    let place = Span::new(at, at + found.len()).place(source);
    if let Some((word, span)) = unknown_beginning(source, offset, statement_end) {
        return unknown_statement(word, span.place(source));
    }
    let expected = match &error.variant {
        ErrorVariant::ParsingError { positives, .. } => expectation(positives),
        ErrorVariant::CustomError { message } => message.clone(),
    };
    let message = match found {
        "" => format!("expected {expected}, but the statement ends here"),
        _ => format!("expected {expected}, found `{found}`"),
    };
    let diagnostic = Diagnostic::new(Code::G001, message).at(place);
    if RESERVED.contains(&found) {
        return diagnostic.help(format!("`{found}` is a word of the language, not a name"));
    }
    match advice(found, rest) {
        Some(help) => diagnostic.help(help),
        None => diagnostic,
    }
}

/// The first word of a statement, if no statement begins so and it is no production.
fn unknown_beginning(source: &Source, start: usize, end: usize) -> Option<(&str, Span)> {
    let statement = source.text().get(start..end)?;
    let word = first_token(statement);
    let is_word = word.starts_with(char::is_alphabetic);
    let is_known = chunks::STATEMENT_WORDS.contains(&word) || statement.contains("<-");
    (is_word && !is_known).then(|| (word, Span::new(start, start + word.len())))
}

fn unknown_statement(word: &str, place: Place) -> Diagnostic {
    const BEGINNINGS: &[&str] = &[
        "grammar", "schema", "use", "start", "decide", "fallback", "rule", "prefer", "boundary",
    ];
    let diagnostic = Diagnostic::new(Code::G007, format!("no statement begins with `{word}`"));
    let help = match nearest(word, BEGINNINGS.iter().copied()) {
        Some(name) => format!("did you mean `{name}`?"),
        None => "a production reads `D[relation] <- A:N B:S`; all other statements begin with \
                 `grammar`, `schema`, `use`, `start`, `decide`, `fallback`, `rule`, `prefer` or `boundary`"
            .to_owned(),
    };
    diagnostic.at(place).help(help)
}

fn advice(found: &str, rest: &str) -> Option<String> {
    match found {
        "&&" | "&" => Some("write `and`".to_owned()),
        "||" | "|" => Some("write `or`".to_owned()),
        "!" => Some("write `not`".to_owned()),
        "<>" => Some("write `!=`".to_owned()),
        "->" | "→" => Some("the arrow points to the parent: `D[relation] <- A B`".to_owned()),
        ";" => Some("rules need no mark at their end".to_owned()),
        "'" => Some("texts stand in double quotes".to_owned()),
        _ if rest
            .starts_with(|c: char| c == '\u{feff}' || (c.is_control() && !c.is_whitespace())) =>
        {
            Some("delete the invisible character".to_owned())
        }
        _ => None,
    }
}

/// The word or mark at the start of the text.
fn first_token(rest: &str) -> &str {
    let is_word = |c: char| c.is_alphanumeric() || c == '_' || c == '-';
    let Some(first) = rest.chars().next() else {
        return "";
    };
    if first == '\n' || first == '#' {
        return "";
    }
    let end = if is_word(first) {
        rest.find(|c| !is_word(c)).unwrap_or(rest.len())
    } else {
        let doubled = ["&&", "||", "<>", "->", "=="];
        match doubled.iter().find(|mark| rest.starts_with(**mark)) {
            Some(mark) => mark.len(),
            None => first.len_utf8(),
        }
    };
    rest.get(..end).unwrap_or_default()
}

fn expectation(positives: &[Rule]) -> String {
    let mut words: Vec<&str> = Vec::new();
    for rule in positives {
        let word = readable(*rule);
        if !word.is_empty() && !words.contains(&word) {
            words.push(word);
        }
    }
    match words.as_slice() {
        [] => "the end of the statement".to_owned(),
        [one] => (*one).to_owned(),
        [first @ .., last] => format!("{} or {last}", first.join(", ")),
    }
}

fn readable(rule: Rule) -> &'static str {
    match rule {
        Rule::EOI => "the end of the statement",
        Rule::name => "a name",
        Rule::rule_name => "a name for the rule",
        Rule::symbol | Rule::child => "a symbol",
        Rule::relation => "a relation in brackets",
        Rule::role => "`N` or `S`",
        Rule::action => "`shift` or `reduce`",
        Rule::quantity => "a number",
        Rule::count => "a count (`x 12`)",
        Rule::weight => "a weight (`w +0.5`)",
        Rule::reason | Rule::kw_when => "`when`",
        Rule::equations | Rule::kw_set => "`set`",
        Rule::equation | Rule::target => "an equation (`D.time = A.time`)",
        Rule::equals => "`=`",
        Rule::text => "a text in quotes",
        Rule::number | Rule::call | Rule::function | Rule::feature | Rule::set | Rule::group => {
            "a value"
        }
        Rule::expression | Rule::operand => "a value",
        Rule::infix => "an operator",
        Rule::production => "a production (`D[relation] <- A B`)",
        Rule::preference | Rule::kw_prefer => "`prefer`",
        Rule::boundary | Rule::kw_boundary | Rule::no => "`boundary`",
        Rule::rule_item => "a rule",
        _ => "",
    }
}
