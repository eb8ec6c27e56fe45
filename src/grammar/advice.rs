//! What pest did not find, said in a linguist's words, and what to write instead.

use std::sync::Arc;

use pest::error::{Error as PestError, ErrorVariant, InputLocation};

use super::chunks::STATEMENT_WORDS;
use super::parse::Rule;
use super::rewrite::{rewrite_preference, rewrite_production, rewrite_tuple};
use super::syntax::{RESERVED, Span};
use crate::diagnostic::{Code, Diagnostic, Source, nearest};

/// The diagnostic for a statement (or a formula) that pest cannot read.
pub(super) fn syntax_error(
    source: &Arc<Source>,
    span: Span,
    error: &PestError<Rule>,
) -> Diagnostic {
    explain_error(source, span, error, true)
}

/// The same for a query or a change of trees, which is no statement of a grammar.
pub(super) fn query_error(source: &Arc<Source>, span: Span, error: &PestError<Rule>) -> Diagnostic {
    explain_error(source, span, error, false)
}

fn explain_error(
    source: &Arc<Source>,
    span: Span,
    error: &PestError<Rule>,
    is_statement: bool,
) -> Diagnostic {
    let statement = source.text().get(span.range()).unwrap_or_default();
    let at = match error.location {
        InputLocation::Pos(at) | InputLocation::Span((at, _)) => at,
    };
    let place = |start: usize, length: usize| {
        Span::new(span.start + start, span.start + start + length).place(source)
    };
    if let Some((at, message, help)) = odd_bracket(statement) {
        let diagnostic = Diagnostic::new(Code::G001, message).at(place(at, 1));
        return diagnostic.help(help);
    }
    if is_statement && let Some(word) = unknown_beginning(statement) {
        return unknown_statement(word).at(place(0, word.len()));
    }
    let mistake = Mistake::new(statement, at);
    let found = mistake.found;
    let expected = match &error.variant {
        ErrorVariant::ParsingError { positives, .. } => expectation(positives),
        ErrorVariant::CustomError { message } => message.clone(),
    };
    let whole = if is_statement { "statement" } else { "query" };
    let message = match found {
        "" => format!("expected {expected}, but the {whole} ends here"),
        _ => format!("expected {expected}, found `{found}`"),
    };
    let diagnostic = Diagnostic::new(Code::G001, message).at(place(at, found.len()));
    let advice = if is_statement {
        mistake.advice()
    } else {
        mistake.in_formula().or_else(|| mistake.odd_mark())
    };
    match advice {
        Some(help) => diagnostic.help(help),
        None if RESERVED.contains(&found) => {
            diagnostic.help(format!("`{found}` is a word of the language, not a name"))
        }
        None => diagnostic,
    }
}

/// A statement up to where it could be read, and what stands there.
struct Mistake<'t> {
    statement: &'t str,
    /// What was read, without the blanks at its end.
    before: &'t str,
    /// The word or mark that does not fit.
    found: &'t str,
    /// From there to the end of the statement.
    rest: &'t str,
    /// The words before it.
    words: Vec<&'t str>,
}

impl<'t> Mistake<'t> {
    fn new(statement: &'t str, at: usize) -> Mistake<'t> {
        let rest = statement.get(at..).unwrap_or_default();
        let before = statement.get(..at).unwrap_or_default();
        Mistake {
            statement,
            before: before.trim_end(),
            found: first_token(rest),
            rest,
            words: words(before),
        }
    }

    /// What to write instead.
    fn advice(&self) -> Option<String> {
        if let Some(help) = self.in_header() {
            return Some(help);
        }
        let (when, set) = (self.words.contains(&"when"), self.words.contains(&"set"));
        match self.found {
            "when" if set => {
                Some("the reason goes before the equations: `when`, then `set`".into())
            }
            "when" if when => Some("a rule has one `when`: join the two with `and`".into()),
            "set" if set => Some("write `set` once: all equations follow it, one to a line".into()),
            "x" | "w" if (when || set) && self.number_follows() => Some(format!(
                "`{} {}` goes right after the head of the rule, before `when`",
                self.found,
                first_word_of(self.rest.get(1..).unwrap_or_default())
            )),
            _ if set => self.in_equations().or_else(|| self.in_formula()),
            _ if when || self.words.is_empty() => self.in_formula(),
            _ => self.in_head().or_else(|| self.in_formula()),
        }
        .or_else(|| self.odd_mark())
    }

    /// Advice for statements of the header, and for the paper's tuples.
    fn in_header(&self) -> Option<String> {
        if self.statement.starts_with('(') {
            return rewrite_tuple(self.statement);
        }
        let rest = self.rest.split('#').next().unwrap_or_default().trim();
        match self.words.first().copied()? {
            keyword @ ("schema" | "use") if self.words.len() == 1 && !rest.is_empty() => {
                Some(format!("paths stand in quotes: `{keyword} \"{rest}\"`"))
            }
            "fallback" => Some(
                "write `fallback shift`, `fallback reduce` or `fallback D[RELATION] <- _ _`".into(),
            ),
            _ => None,
        }
    }

    fn number_follows(&self) -> bool {
        let next = self.rest.get(1..).unwrap_or_default().trim_start();
        next.starts_with(|c: char| c.is_ascii_digit() || c == '+' || c == '-')
    }

    /// Advice for the head of a rule: the whole head, rewritten.
    fn in_head(&self) -> Option<String> {
        if let ["rule", name, more] = self.words.as_slice() {
            return Some(format!(
                "the name of a rule is one word: `rule {name}-{more}`"
            ));
        }
        if matches!(self.found, "if" | "where" | "because" | "for") {
            return Some("a reason begins with `when`".to_owned());
        }
        let is_boundary = self.words.contains(&"boundary");
        let head = head_of(self.statement);
        if self.words.contains(&"prefer") {
            return Some(rewrite_preference(head));
        }
        if is_boundary {
            let number = self.rest.trim_start_matches(['x', 'X', '*']).trim_start();
            let is_count = number.starts_with(|c: char| c.is_ascii_digit());
            return is_count.then(|| format!("write the count as `x {}`", first_word_of(number)));
        }
        rewrite_production(head)
    }

    fn in_equations(&self) -> Option<String> {
        if self.found == "," {
            return Some("equations need no comma: begin each on a line of its own".into());
        }
        let assigned = self.rest.trim_start().starts_with('=');
        let name = self.before.rsplit(char::is_whitespace).next().unwrap_or("");
        let is_plain = !name.is_empty() && !name.contains('.') && name != "set";
        // The mistake is at the name, or right after it.
        if assigned && is_plain {
            return Some(format!("say whose attribute it is: `D.{name} = ...`"));
        }
        let after = self.rest.get(self.found.len()..).unwrap_or_default();
        let is_name = self.found.starts_with(char::is_alphabetic);
        (is_name && after.trim_start().starts_with('='))
            .then(|| format!("say whose attribute it is: `D.{} = ...`", self.found))
    }

    fn in_formula(&self) -> Option<String> {
        if self.last_word() == "if" || self.found == "then" {
            return Some(
                "write `a implies b` for \"if a then b\"; `if(c, a, b)` chooses a value".to_owned(),
            );
        }
        let pair = (self.before.chars().next_back(), self.found.chars().next());
        let advice = match pair {
            (Some('<'), Some('>')) => "write `!=`",
            (Some('='), Some('>')) => "write `>=`, or `implies` for \"if ... then\"",
            (Some('='), Some('<')) => "write `<=`",
            (Some('!' | '/' | '~'), Some('=')) => "write `!=`",
            (_, Some('.')) if self.last_word().contains('-') => {
                return Some(format!(
                    "a hyphen belongs to the name: to subtract, put spaces around it: `{}`",
                    self.subtraction()
                ));
            }
            (_, Some(',')) => "join conditions with `and`",
            _ if self.found == "not"
                && self
                    .rest
                    .trim_start_matches("not")
                    .trim_start()
                    .starts_with('=') =>
            {
                "write `!=`"
            }
            _ => return None,
        };
        Some(advice.to_owned())
    }

    fn last_word(&self) -> &'t str {
        self.words.last().copied().unwrap_or_default()
    }

    /// `A.length-B` and `.length` as `A.length - B.length`.
    fn subtraction(&self) -> String {
        let left = self.before.rsplit(char::is_whitespace).next();
        let right = self
            .rest
            .split(|c: char| c.is_whitespace() || c == ')')
            .next();
        let (left, right) = (left.unwrap_or_default(), right.unwrap_or_default());
        let left = left.trim_start_matches('(');
        format!("{}{right}", left.replacen('-', " - ", 1))
    }

    fn odd_mark(&self) -> Option<String> {
        let advice = match self.found {
            "&&" | "&" => "write `and`",
            "||" | "|" => "write `or`",
            "!" if self.rest.starts_with("!=") => "say what is not equal: `a != b`",
            "!" => "write `not`",
            "<>" => "write `!=`",
            "->" | "→" => "the arrow points to the parent: `D[relation] <- A B`",
            ";" => "rules need no mark at their end",
            "'" => "texts stand in double quotes",
            _ if self.rest.starts_with(|c: char| {
                c == '\u{feff}' || (c.is_control() && !c.is_whitespace())
            }) =>
            {
                "delete the invisible character"
            }
            _ => return None,
        };
        Some(advice.to_owned())
    }
}

/// A bracket that is not closed, that closes nothing, or that closes another one.
fn odd_bracket(statement: &str) -> Option<(usize, String, String)> {
    let other = |open: char| match open {
        '(' => ')',
        '[' => ']',
        _ => '}',
    };
    let mut open: Vec<(usize, char)> = Vec::new();
    for (at, letter) in plain_letters(statement) {
        match letter {
            '(' | '[' | '{' => open.push((at, letter)),
            ')' | ']' | '}' => match open.pop() {
                Some((_, before)) if other(before) == letter => {}
                Some((_, before)) => {
                    let message = format!("`{letter}` does not close `{before}`");
                    return Some((at, message, format!("write `{}`", other(before))));
                }
                None => {
                    let message = format!("`{letter}` closes nothing");
                    return Some((at, message, "delete it, or open it before".to_owned()));
                }
            },
            _ => {}
        }
    }
    let (at, letter) = open.pop()?;
    let message = format!("`{letter}` is not closed");
    Some((at, message, format!("close it with `{}`", other(letter))))
}

/// The letters outside texts and comments, with their places.
fn plain_letters(text: &str) -> impl Iterator<Item = (usize, char)> {
    let (mut in_text, mut in_comment, mut escaped) = (false, false, false);
    text.char_indices().filter(move |(_, letter)| {
        match letter {
            '\n' => (in_text, in_comment) = (false, false),
            _ if in_comment => {}
            '\\' if in_text && !escaped => {
                escaped = true;
                return false;
            }
            '"' if !escaped => in_text = !in_text,
            '#' if !in_text => in_comment = true,
            _ => {}
        }
        escaped = false;
        !in_text && !in_comment && *letter != '"'
    })
}

/// The words outside texts and comments.
fn words(text: &str) -> Vec<&str> {
    let mut words = Vec::new();
    let mut start: Option<usize> = None;
    let mut end = 0;
    for (at, letter) in plain_letters(text) {
        let is_word = letter.is_alphanumeric() || letter == '_' || letter == '-';
        match start {
            Some(from) if !is_word || at != end => {
                words.extend(text.get(from..end));
                start = is_word.then_some(at);
            }
            None if is_word => start = Some(at),
            _ => {}
        }
        end = at + letter.len_utf8();
    }
    words.extend(start.and_then(|from| text.get(from..end)));
    words
}

/// A rule without its name, its reason and its equations.
fn head_of(statement: &str) -> &str {
    let mut head = statement;
    if let Some(named) = head.strip_prefix("rule ") {
        let name = first_word_of(named.trim_start());
        head = named.trim_start().get(name.len()..).unwrap_or_default();
    }
    let is_end = |word: &str| matches!(word, "when" | "set");
    let end = head
        .split_inclusive(char::is_whitespace)
        .scan(0, |at, piece| {
            let start = *at;
            *at += piece.len();
            Some((start, piece.trim()))
        })
        .find(|(_, word)| is_end(word) || word.starts_with('#'))
        .map_or(head.len(), |(start, _)| start);
    head.get(..end).unwrap_or_default().trim()
}

/// The first word of a statement, if no statement begins so and it is no production.
fn unknown_beginning(statement: &str) -> Option<&str> {
    let word = first_token(statement);
    let is_word = word.starts_with(char::is_alphabetic);
    let after = statement.get(word.len()..).unwrap_or_default();
    let is_production = ["<-", "←", "->", "→"]
        .iter()
        .any(|arrow| statement.contains(arrow))
        || after.starts_with(['[', '(']);
    let is_known = STATEMENT_WORDS.contains(&word) || is_production;
    (is_word && !is_known).then_some(word)
}

fn unknown_statement(word: &str) -> Diagnostic {
    const BEGINNINGS: &[&str] = &[
        "grammar", "schema", "use", "start", "decide", "fallback", "rule", "prefer", "boundary",
        "block",
    ];
    let diagnostic = Diagnostic::new(Code::G007, format!("no statement begins with `{word}`"));
    let help = match nearest(word, BEGINNINGS.iter().copied()) {
        _ if word.starts_with("no") && word.ends_with("boundary") => {
            "write `no boundary`, two words".to_owned()
        }
        _ if matches!(word, "shift" | "reduce") => {
            format!("write `prefer {word} A B . C`")
        }
        Some(name) => format!("did you mean `{name}`?"),
        None => "a production reads `D[relation] <- A:N B:S`; all other statements begin with \
                 `grammar`, `schema`, `use`, `start`, `decide`, `fallback`, `rule`, `prefer`, \
                 `boundary`, `no boundary` or `block`"
            .to_owned(),
    };
    diagnostic.help(help)
}

fn first_word_of(text: &str) -> &str {
    text.split_whitespace().next().unwrap_or_default()
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
    let marks = ["&&", "||", "<>", "->", "=="];
    let end = match marks.iter().find(|mark| rest.starts_with(**mark)) {
        Some(mark) => mark.len(),
        None if is_word(first) => rest.find(|c| !is_word(c)).unwrap_or(rest.len()),
        None => first.len_utf8(),
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
        Rule::arrow => "`<-`",
        Rule::dot => "`.`",
        Rule::role => "`N` or `S`",
        Rule::action => "`shift` or `reduce`",
        Rule::quantity => "a number",
        Rule::count | Rule::times => "a count (`x 12`)",
        Rule::weight | Rule::weighs => "a weight (`w +0.5`)",
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
        Rule::block | Rule::kw_block => "`block`",
        Rule::block_kind => "a kind of block (`heading`)",
        Rule::level => "the level of a heading",
        Rule::rule_item => "a rule",
        Rule::strength => "a strength (`strong`)",
        Rule::decision => "`shift`, `reduce`, `label` or `boundary`",
        Rule::kw_by => "`by`",
        Rule::kw_vs => "`vs`",
        Rule::subject => "what is asked (`B.cue`)",
        Rule::row | Rule::plain_row | Rule::bar => "a row (`| but  +0.5`)",
        Rule::key | Rule::value => "an answer",
        Rule::outcome | Rule::any_of => "a relation (`causal-cause NS`)",
        Rule::roles => "`NS`, `SN` or `NN`",
        Rule::cell => "a weight with its sign (`+0.5`)",
        Rule::kept => "`!`",
        Rule::kw_table => "`table`",
        Rule::wanted => "a relation (`causal-*`, `_`)",
        Rule::made => "a relation",
        Rule::kw_to => "`to`",
        Rule::kw_change => "`change`",
        _ => "",
    }
}
