//! The gaps between words, as boundary rules see them.

use super::form::kind_code;
use super::node::Node;
use crate::schema::Schema;
use crate::text::BlockKind;
use crate::text::words::{Punctuation, Tag, Word};

/// What every gap of a block can be asked, counted in one pass from each side.
#[derive(Debug)]
pub struct Gaps<'w> {
    text: &'w str,
    words: &'w [Word],
    schema: &'w Schema,
    kind: u8,
    /// For each gap (before the word of that number).
    before: Vec<Before>,
    after: Vec<After>,
}

#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Before {
    pub(super) since_mark: u32,
    pub(super) verbs: u32,
    pub(super) brackets: u32,
    pub(super) quotes: u32,
}

#[derive(Debug, Clone, Copy)]
pub(super) struct After {
    pub(super) until_mark: u32,
    pub(super) mark: Punctuation,
    pub(super) verbs: u32,
    /// Words to the next 的, if one stands before the next mark.
    pub(super) until_de: Option<u32>,
    pub(super) verb_before_de: bool,
    pub(super) head_after_de: Option<Tag>,
}

impl Default for After {
    fn default() -> After {
        After {
            until_mark: 0,
            mark: Punctuation::None,
            verbs: 0,
            until_de: None,
            verb_before_de: false,
            head_after_de: None,
        }
    }
}

impl<'w> Gaps<'w> {
    /// Counts around the gaps of a block.
    pub fn new(text: &'w str, words: &'w [Word], kind: BlockKind, schema: &'w Schema) -> Gaps<'w> {
        Gaps {
            text,
            words,
            schema,
            kind: kind_code(kind),
            before: before(words),
            after: after(words),
        }
    }

    /// The gap before a word, when the current EDU began `chars` characters ago.
    pub fn at(&self, word: usize, chars: u32) -> Gap<'_> {
        Gap {
            gaps: self,
            word,
            chars,
            before: self.before.get(word).copied().unwrap_or_default(),
            after: self.after.get(word).copied().unwrap_or_default(),
        }
    }
}

fn before(words: &[Word]) -> Vec<Before> {
    let mut now = Before::default();
    let mut all = Vec::with_capacity(words.len());
    // Right behind a mark the clause that it ends is what counts.
    let mut behind_mark = false;
    for word in words {
        all.push(now);
        if behind_mark {
            (now.since_mark, now.verbs) = (0, 0);
        }
        behind_mark = parts(word.punctuation);
        if !behind_mark {
            now.since_mark += 1;
            now.verbs += u32::from(word.tag == Tag::Verb);
        }
        match word.punctuation {
            Punctuation::OpenBracket => now.brackets += 1,
            Punctuation::CloseBracket => now.brackets = now.brackets.saturating_sub(1),
            Punctuation::OpenQuote => now.quotes += 1,
            Punctuation::CloseQuote => now.quotes = now.quotes.saturating_sub(1),
            _ => {}
        }
    }
    all
}

fn after(words: &[Word]) -> Vec<After> {
    let mut now = After::default();
    let mut all = vec![now; words.len()];
    for (at, word) in words.iter().enumerate().rev() {
        if parts(word.punctuation) {
            now = After {
                mark: word.punctuation,
                ..After::default()
            };
        } else {
            now.until_mark += 1;
            let verb = word.tag == Tag::Verb;
            now.verbs += u32::from(verb);
            if word.tag == Tag::De {
                now.until_de = Some(0);
                now.verb_before_de = false;
                now.head_after_de = words.get(at + 1).map(|next| next.tag);
            } else {
                now.until_de = now.until_de.map(|words| words + 1);
                now.verb_before_de |= verb && now.until_de.is_some();
            }
        }
        all[at] = now;
    }
    all
}

/// Marks that clauses and items lie between.
fn parts(mark: Punctuation) -> bool {
    mark.parts_clauses() || matches!(mark, Punctuation::Enumeration | Punctuation::Dash)
}

/// One gap.
#[derive(Debug, Clone, Copy)]
pub struct Gap<'g> {
    gaps: &'g Gaps<'g>,
    /// The number of the word behind it.
    pub(super) word: usize,
    /// How many characters the current EDU has.
    pub(super) chars: u32,
    pub(super) before: Before,
    pub(super) after: After,
}

impl<'g> Gap<'g> {
    /// The schema whose cue classes its words have.
    pub fn schema(&self) -> &'g Schema {
        self.gaps.schema
    }

    /// The word at a place around the gap.
    pub fn word(&self, node: Node) -> Option<&'g Word> {
        let at = match node {
            Node::Prev2 => self.word.checked_sub(2)?,
            Node::Prev => self.word.checked_sub(1)?,
            Node::Next => self.word,
            Node::Next2 => self.word + 1,
            _ => return None,
        };
        self.gaps.words.get(at)
    }

    /// The text of a word.
    pub(super) fn text_of(&self, word: &Word) -> &'g str {
        word.text(self.gaps.text)
    }

    /// The kind of its block, an index into the kinds.
    pub(super) fn kind(&self) -> u8 {
        self.gaps.kind
    }
}
