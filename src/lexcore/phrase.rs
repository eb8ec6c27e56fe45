//! Noun phrases of a clause, and what governs them.

use std::ops::Range;

use crate::schema::{ConceptKind, Schema};
use crate::text::words::{List, Punctuation, Tag, Word};

/// A noun phrase: a range of the clause's words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Phrase {
    pub(super) words: Range<usize>,
    pub(super) role: Role,
}

/// What a phrase is to the words before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    /// Nothing governs it: it can be a subject.
    Free,
    /// It follows a verb (by word index).
    After(usize),
    /// It follows 被 or 由.
    By,
    /// It follows 把, or 将 before a verb.
    Ba,
    /// It follows 对, 向 and the like.
    Towards,
    /// It says where, when, according to whom: no argument.
    Oblique,
}

/// The noun phrases of a clause, left to right.
pub(super) fn phrases(clause: &[Word], text: &str) -> Vec<Phrase> {
    let mut found: Vec<Phrase> = Vec::new();
    let mut at = 0;
    while at < clause.len() {
        if !opens_phrase(clause, at) {
            at += 1;
            continue;
        }
        let end = phrase_end(clause, at, text);
        if end == at {
            at += 1;
            continue;
        }
        let role = role_of(clause, at, end, text, found.last());
        found.push(Phrase {
            words: at..end,
            role,
        });
        at = end;
    }
    found
}

fn opens_phrase(clause: &[Word], at: usize) -> bool {
    let word = &clause[at];
    is_head(word) || is_modifier(word)
}

/// Words a phrase can end in.
fn is_head(word: &Word) -> bool {
    word.trigger().is_none_or(|_| word.concept().is_some())
        && (word.tag.is_nominal() || word.tag == Tag::Pronoun || word.concept().is_some())
        && !word.is(List::Event)
        || word.is(List::Event) && word.tag.is_nominal()
}

/// Words that lead up to a head.
fn is_modifier(word: &Word) -> bool {
    matches!(
        word.tag,
        Tag::Number | Tag::Measure | Tag::Adjective | Tag::Distinguisher
    ) && word.trigger().is_none()
}

/// Where the phrase that begins at `at` ends: behind its last head; `at` when it has none.
fn phrase_end(clause: &[Word], at: usize, text: &str) -> usize {
    let mut end = at;
    let mut next = at;
    let mut quoted = false;
    while next < clause.len() {
        let word = &clause[next];
        let goes_on = if is_head(word) {
            end = next + 1;
            true
        } else if is_modifier(word) || quoted {
            quoted &= word.punctuation != Punctuation::CloseQuote;
            true
        } else {
            match word.punctuation {
                Punctuation::OpenQuote | Punctuation::OpenBracket if end == next => {
                    quoted = word.punctuation == Punctuation::OpenQuote;
                    closes_within(clause, next)
                }
                Punctuation::CloseQuote | Punctuation::CloseBracket => end == next,
                Punctuation::Enumeration => end == next,
                _ => joins(clause, next, text, end == next),
            }
        };
        if !goes_on {
            break;
        }
        next += 1;
    }
    end
}

/// Quoted names are short.
fn closes_within(clause: &[Word], open: usize) -> bool {
    const LONGEST_QUOTED_NAME: usize = 8;
    clause[open + 1..]
        .iter()
        .take(LONGEST_QUOTED_NAME)
        .any(|word| {
            matches!(
                word.punctuation,
                Punctuation::CloseQuote | Punctuation::CloseBracket
            )
        })
}

/// 的, 和, 与 and the like inside a phrase.
fn joins(clause: &[Word], at: usize, text: &str, after_head: bool) -> bool {
    let word = &clause[at];
    let before_head = clause
        .get(at + 1)
        .is_some_and(|next| is_head(next) || is_modifier(next));
    let joins =
        word.tag == Tag::De || matches!(word.text(text), "和" | "与" | "及" | "以及" | "之" | "·");
    let modified = at > 0 && (is_modifier(&clause[at - 1]) || clause[at - 1].tag == Tag::Pronoun);
    joins && before_head && (after_head || modified)
}

fn role_of(clause: &[Word], start: usize, end: usize, text: &str, last: Option<&Phrase>) -> Role {
    if ends_oblique(clause, end, text) {
        return Role::Oblique;
    }
    let Some(governor) = clause[..start].iter().rposition(governs) else {
        return Role::Free;
    };
    if let Some(last) = last
        && last.words.end > governor
    {
        // Two phrases in a row, as 公司 今年 营业收入: the second is as free as the first.
        return match last.role {
            Role::By | Role::Ba | Role::Towards => Role::Free,
            role => role,
        };
    }
    let word = &clause[governor];
    let name = word.text(text);
    match name {
        "被" | "由" | "遭" | "为" if name != "为" => Role::By,
        "把" => Role::Ba,
        "将" if verb_follows(clause, end) => Role::Ba,
        "将" => Role::Free,
        _ if word.is(List::Oblique) && word.tag != Tag::Verb => Role::Oblique,
        _ if word.is(List::Towards) && word.tag != Tag::Verb => Role::Towards,
        _ if word.tag == Tag::Verb || word.trigger().is_some() => Role::After(governor),
        _ => Role::Free,
    }
}

/// Words that decide what the phrase behind them is.
fn governs(word: &Word) -> bool {
    matches!(word.tag, Tag::Verb | Tag::Preposition)
        || word.is(List::Oblique)
        || word.is(List::Towards)
        || word.trigger().is_some()
}

fn verb_follows(clause: &[Word], end: usize) -> bool {
    clause[end..]
        .iter()
        .any(|word| word.tag == Tag::Verb || word.trigger().is_some())
}

/// 在…中, 事故…后: a locative behind the phrase makes it a place or a time.
fn ends_oblique(clause: &[Word], end: usize, text: &str) -> bool {
    const PLACE_OR_TIME: &[&str] = &[
        "后",
        "前",
        "时",
        "中",
        "上",
        "下",
        "内",
        "外",
        "里",
        "之后",
        "之前",
        "以来",
        "期间",
        "以后",
        "以前",
        "之际",
        "过程中",
        "方面",
        "之中",
        "附近",
        "时候",
        "以内",
        "以外",
        "上方",
        "下方",
        "当中",
        "之间",
        "来看",
        "来说",
    ];
    clause
        .get(end)
        .is_some_and(|word| word.tag != Tag::Verb && PLACE_OR_TIME.contains(&word.text(text)))
}

impl Phrase {
    /// Splits 公司的营业收入 and 公司营业收入 into who owns and what changes.
    pub(super) fn owner_and_metric(
        &self,
        clause: &[Word],
        schema: &Schema,
    ) -> Option<(Range<usize>, Range<usize>)> {
        let words = &clause[self.words.clone()];
        let cut = match words.iter().rposition(|word| word.tag == Tag::De) {
            Some(de) if de > 0 && de + 1 < words.len() => (de, de + 1),
            _ => {
                let metric = first_of_metric(words, schema)?;
                (metric, metric)
            }
        };
        let start = self.words.start;
        let owner = start..start + cut.0;
        let owns = clause[owner.clone()]
            .iter()
            .any(|word| is_agent_like(word, schema));
        owns.then(|| (owner, start + cut.1..self.words.end))
    }

    /// True when the phrase names somebody or a body that can act.
    pub(super) fn can_act(&self, clause: &[Word], schema: &Schema) -> bool {
        match clause[self.words.clone()].last() {
            Some(head) => is_agent_like(head, schema),
            None => false,
        }
    }
}

/// The first word of the metric at the end of 贵州茅台 营业收入.
fn first_of_metric(words: &[Word], schema: &Schema) -> Option<usize> {
    let is_object = |word: &Word| kind(word, schema) == Some(ConceptKind::Object);
    let last = words.last().filter(|word| is_object(word))?;
    let _ = last;
    let first = words
        .iter()
        .rposition(|word| is_agent_like(word, schema))
        .map(|agent| agent + 1)?;
    (first < words.len()).then_some(first)
}

fn kind(word: &Word, schema: &Schema) -> Option<ConceptKind> {
    let concept = schema.concepts.get(word.concept()?)?;
    Some(concept.kind)
}

/// Somebody, a body, a country: what can act or own.
pub(super) fn is_agent_like(word: &Word, schema: &Schema) -> bool {
    match kind(word, schema) {
        Some(kind) => kind == ConceptKind::Agent,
        None => {
            matches!(
                word.tag,
                Tag::Person
                    | Tag::Organisation
                    | Tag::Place
                    | Tag::Proper
                    | Tag::Latin
                    | Tag::Pronoun
            ) || word.is(List::Title)
                || word.is(List::OrganisationSuffix)
        }
    }
}
