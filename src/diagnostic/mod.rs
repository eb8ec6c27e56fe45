//! What is wrong, where, and what to do about it.
//!
//! Everything that people write by hand (schemas, grammars, cases, trees) is loaded without
//! stopping at the first problem: loaders return what they could build together with a list of
//! [`Diagnostic`]s. A diagnostic carries a stable [`Code`], a [`Place`] in a [`Source`], and,
//! where there is something to suggest, a help line.

mod code;
mod nearest;
mod problems;
mod render;
mod source;

pub use code::{Code, Severity};
pub use nearest::{likely, nearest};
pub(crate) use problems::{Problems, report};
pub use render::{ErrorFormat, Renderer};
pub use source::{Place, Source};

/// `1 rule`, `2 rules`.
pub fn plural(number: usize, thing: &str) -> String {
    match number {
        1 => format!("1 {thing}"),
        _ => format!("{number} {thing}s"),
    }
}

/// `` `a`, `b`, `c` ``.
pub(crate) fn list_names(names: &[&str]) -> String {
    let quoted: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    quoted.join(", ")
}

/// The mark to write for one that a Chinese keyboard types.
pub(crate) fn half_width(letter: char) -> Option<char> {
    match letter {
        '\u{ff01}'..='\u{ff5e}' if !letter.is_alphanumeric() => {
            char::from_u32(letter as u32 - 0xfee0)
        }
        '“' | '”' | '「' | '」' => Some('"'),
        '。' => Some('.'),
        '、' => Some(','),
        '【' => Some('['),
        '】' => Some(']'),
        '《' | '〈' => Some('<'),
        '》' | '〉' => Some('>'),
        '—' | '–' | '−' => Some('-'),
        '×' => Some('x'),
        _ => None,
    }
}

/// One problem, with its place and, where possible, a way out.
#[derive(Debug, Clone, PartialEq)]
pub struct Diagnostic {
    /// The stable code; it also says whether this is an error or a warning.
    pub code: Code,
    /// Lower case, no final stop, user input in backticks.
    pub message: String,
    /// Where it is; problems of whole files have none.
    pub place: Option<Place>,
    /// What is said under the underlined text.
    pub label: Option<String>,
    /// Other places that matter ("first defined here").
    pub related: Vec<(Place, String)>,
    /// What to do about it.
    pub help: Option<String>,
    /// What may be written in its place, the likeliest first.
    pub instead: Vec<String>,
}

impl Diagnostic {
    /// A problem with nothing but its code and message.
    pub fn new(code: Code, message: impl Into<String>) -> Self {
        Diagnostic {
            code,
            message: message.into(),
            place: None,
            label: None,
            related: Vec::new(),
            help: None,
            instead: Vec::new(),
        }
    }

    /// Says where the problem is.
    pub fn at(mut self, place: Place) -> Self {
        self.place = Some(place);
        self
    }

    /// Says something under the underlined text.
    pub fn label(mut self, label: impl Into<String>) -> Self {
        self.label = Some(label.into());
        self
    }

    /// Points at another place that matters.
    pub fn related(mut self, place: Place, message: impl Into<String>) -> Self {
        self.related.push((place, message.into()));
        self
    }

    /// Says what to do.
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// Says what may be written in its place, the likeliest first.
    pub fn instead(mut self, words: impl IntoIterator<Item = impl Into<String>>) -> Self {
        self.instead = words.into_iter().map(Into::into).collect();
        self
    }

    /// Suggests the known names that were most likely meant, if any is near.
    pub fn suggest<'a>(mut self, wrong: &str, known: impl IntoIterator<Item = &'a str>) -> Self {
        let known: Vec<&str> = known.into_iter().filter(|name| *name != wrong).collect();
        let meant = likely(wrong, &known);
        let names: Vec<String> = meant.iter().map(|name| format!("`{name}`")).collect();
        if !meant.is_empty() {
            self = self.instead(meant);
        }
        match names.as_slice() {
            [] => self,
            [name] => self.help(format!("did you mean {name}?")),
            [first @ .., last] => {
                self.help(format!("did you mean {} or {last}?", first.join(", ")))
            }
        }
    }

    /// Error or warning.
    pub fn severity(&self) -> Severity {
        self.code.severity()
    }

    /// True when this is an error.
    pub fn is_error(&self) -> bool {
        self.severity() == Severity::Error
    }
}

/// True when any of the diagnostics is an error.
pub fn any_error(diagnostics: &[Diagnostic]) -> bool {
    diagnostics.iter().any(Diagnostic::is_error)
}
