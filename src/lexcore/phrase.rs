//! Noun phrases of a clause, and what governs them.

use std::ops::Range;

use crate::schema::{ConceptKind, Schema};
use crate::text::chinese::chinese;
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
    const USUAL: usize = 8;
    let mut found: Vec<Phrase> = Vec::with_capacity(USUAL);
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
        found.push(match role {
            Role::After(verb) => relative(clause, verb, at..end),
            role => Phrase {
                words: at..end,
                role,
            },
        });
        at = end;
    }
    found
}

/// 满载乘客的公交车相撞, 被困矿工升井: the verb before only tells which one, and the phrase is
/// free to be the subject of the next.
fn relative(clause: &[Word], verb: usize, words: Range<usize>) -> Phrase {
    let role = Role::After(verb);
    if !verb_follows(clause, words.end) {
        return Phrase { words, role };
    }
    let de = clause[words.clone()]
        .iter()
        .rposition(|word| word.tag == Tag::De);
    match de {
        Some(de) => Phrase {
            words: words.start + de + 1..words.end,
            role: Role::Free,
        },
        None if opens_clause(clause, verb) && clause[verb].is(List::Attributive) => Phrase {
            words,
            role: Role::Free,
        },
        None => Phrase { words, role },
    }
}

/// True when only adverbs, times and marks stand before the word.
fn opens_clause(clause: &[Word], at: usize) -> bool {
    clause[..at]
        .iter()
        .all(|word| matches!(word.tag, Tag::Adverb | Tag::Time | Tag::Sign))
}

fn opens_phrase(clause: &[Word], at: usize) -> bool {
    let word = &clause[at];
    is_head(word) || is_modifier(word)
}

/// Words a phrase can end in.
fn is_head(word: &Word) -> bool {
    if word.concept().is_some() {
        return true;
    }
    if word.is(List::OrganisationSuffix) || word.is(List::PlaceSuffix) {
        return word.tag != Tag::Verb;
    }
    match word.tag {
        Tag::Pronoun => word.is(List::Person),
        Tag::Idiom => word.trigger().is_none() && !word.is(List::Event),
        tag => tag.is_nominal() && (word.trigger().is_none() || word.is(List::Event)),
    }
}

/// Words that lead up to a head.
fn is_modifier(word: &Word) -> bool {
    matches!(
        word.tag,
        Tag::Number | Tag::Measure | Tag::Adjective | Tag::Distinguisher | Tag::Pronoun
    ) && word.trigger().is_none()
}

/// Where the phrase that begins at `at` ends: behind its last head; `at` when it has none.
fn phrase_end(clause: &[Word], at: usize, text: &str) -> usize {
    let mut end = at;
    let mut next = at;
    let mut quoted = false;
    while next < clause.len() {
        let word = &clause[next];
        let goes_on = if quoted {
            if word.punctuation == Punctuation::CloseQuote {
                quoted = false;
                end = next + 1;
            }
            true
        } else if is_head(word) {
            end = next + 1;
            true
        } else if is_modifier(word) || names_a_kind(clause, next, end) {
            true
        } else {
            match word.punctuation {
                Punctuation::OpenQuote => {
                    quoted = closes_within(clause, next);
                    quoted
                }
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

/// 人工维护成本, 线下支付金额: a verb between nouns that only says of what kind the second is.
fn names_a_kind(clause: &[Word], at: usize, end: usize) -> bool {
    let common =
        |word: &Word| matches!(word.tag, Tag::Noun | Tag::VerbalNoun) && word.trigger().is_none();
    end == at && clause[at].is(List::Attributive) && clause.get(at + 1).is_some_and(common)
}

/// Quoted names are short.
fn closes_within(clause: &[Word], open: usize) -> bool {
    const LONGEST_QUOTED_NAME: usize = 8;
    clause[open + 1..]
        .iter()
        .take(LONGEST_QUOTED_NAME)
        .any(|word| word.punctuation == Punctuation::CloseQuote)
}

/// 的, 和, 与 and the like inside a phrase.
fn joins(clause: &[Word], at: usize, text: &str, after_head: bool) -> bool {
    let word = &clause[at];
    if !matches!(
        word.tag,
        Tag::De | Tag::Conjunction | Tag::Preposition | Tag::Particle | Tag::Sign | Tag::Other
    ) {
        return false;
    }
    let before_head = clause
        .get(at + 1)
        .is_some_and(|next| is_head(next) || is_modifier(next));
    let joins = word.tag == Tag::De || chinese().classes.phrase_joiner.has(word.text(text));
    let modified = at > 0 && (is_modifier(&clause[at - 1]) || clause[at - 1].tag == Tag::Pronoun);
    joins && before_head && (after_head || modified)
}

fn role_of(clause: &[Word], start: usize, end: usize, text: &str, last: Option<&Phrase>) -> Role {
    if ends_oblique(clause, end) {
        return Role::Oblique;
    }
    let Some(governor) = clause[..start].iter().rposition(governs) else {
        return Role::Free;
    };
    if let Some(last) = last
        && last.words.end > governor
    {
        // 为甲、乙等企业提供: 等 only closes the list.
        let listed = matches!(&clause[last.words.end..start], [word] if word.text(text) == "等");
        // Two phrases in a row, as 公司 今年 营业收入: the second is as free as the first.
        return match last.role {
            role if listed => role,
            Role::By | Role::Ba | Role::Towards => Role::Free,
            role => role,
        };
    }
    let word = &clause[governor];
    let name = word.text(text);
    let classes = &chinese().classes;
    match name {
        _ if classes.agent_marker.has(name) => Role::By,
        FUTURE if !verb_follows(clause, end) => Role::Free,
        _ if classes.disposal.has(name) => Role::Ba,
        _ if word.is(List::Oblique) && word.tag != Tag::Verb => Role::Oblique,
        _ if word.is(List::Towards) && word.tag != Tag::Verb => Role::Towards,
        _ if word.tag == Tag::Verb || word.trigger().is_some() => Role::After(governor),
        _ => Role::Free,
    }
}

/// 将 marks what is acted upon, and without a verb behind it what is to come.
const FUTURE: &str = "将";

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
fn ends_oblique(clause: &[Word], end: usize) -> bool {
    clause
        .get(end)
        .is_some_and(|word| word.tag != Tag::Verb && word.is(List::PlaceOrTime))
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

    /// True when its head says what it is, not only that it is something: 情况, 方面.
    pub(super) fn says_something(&self, clause: &[Word]) -> bool {
        const ONE_CHARACTER: usize = 3;
        match &clause[self.words.clone()] {
            [only] if only.length() <= ONE_CHARACTER && only.concept().is_none() => {
                only.is(List::Person) || only.is(List::Unit)
            }
            words => words
                .iter()
                .any(|word| is_head(word) && !word.is(List::Hollow)),
        }
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
    words.last().filter(|word| is_object(word))?;
    let owner = words.iter().rposition(|word| owns(word, schema))?;
    (owner + 1 < words.len()).then_some(owner + 1)
}

/// A name, or what stands for one: 腾讯, 公司, 该行. 平台经济 has no owner.
fn owns(word: &Word, schema: &Schema) -> bool {
    word.is(List::OrganisationSuffix) || (word.tag.is_proper() && is_agent_like(word, schema))
}

fn kind(word: &Word, schema: &Schema) -> Option<ConceptKind> {
    let concept = schema.concepts.get(word.concept()?)?;
    Some(concept.kind)
}

/// Somebody, a body, a country: what can act or own.
pub(super) fn is_agent_like(word: &Word, schema: &Schema) -> bool {
    if word.is(List::OrganisationSuffix) && word.tag != Tag::Verb {
        return true;
    }
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
        }
    }
}
