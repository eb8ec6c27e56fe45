//! Noun phrases of a clause of any text, and what governs them.

use std::ops::Range;

use super::super::phrase::Role;
use super::uses::{ONE_CHARACTER, Use, Uses};
use crate::text::chinese::chinese;
use crate::text::words::{List, Punctuation, Tag, Word};

/// A noun phrase.
#[derive(Debug, Clone)]
pub(super) struct Phrase {
    /// Its words from behind its last 的 on: 遗体 of 两名失踪者的遗体.
    pub(super) words: Range<usize>,
    /// Where it opens, with its modifiers.
    pub(super) opens: usize,
    pub(super) role: Role,
    /// The word that decides its role.
    pub(super) governor: Option<usize>,
}

/// What has been read of the clause while its phrases are found.
#[derive(Default)]
struct Governors {
    /// The words up to here have been read.
    read: usize,
    /// The last word that governs what follows.
    last: Option<usize>,
    /// The last verb among them.
    verb: Option<usize>,
    /// The last verb of a modifier.
    which: Option<usize>,
}

/// The noun phrases of a clause, left to right.
pub(super) fn phrases(uses: &Uses<'_>) -> Vec<Phrase> {
    let mut found: Vec<Phrase> = Vec::new();
    let mut governors = Governors::default();
    let last_verb = (0..uses.words.len()).rev().find(|&at| uses.is_verb(at));
    let mut at = 0;
    while at < uses.words.len() {
        let end = if opens(uses, at) {
            phrase_end(uses, at)
        } else {
            at
        };
        if end == at {
            at += 1;
            continue;
        }
        governors.read_up_to(uses, at);
        let verb_follows = last_verb.is_some_and(|verb| verb >= end);
        let (role, governor) = role(uses, at..end, &governors, found.last(), verb_follows);
        let de = (at..end).rev().find(|&at| uses.words[at].tag == Tag::De);
        found.push(Phrase {
            words: de.map_or(at, |de| de + 1)..end,
            opens: at,
            role,
            governor,
        });
        at = end;
    }
    found
}

impl Governors {
    fn read_up_to(&mut self, uses: &Uses<'_>, end: usize) {
        for at in self.read..end {
            if uses.at(at) == Use::Which {
                self.which = Some(at);
            } else if governs(uses, at) {
                self.last = Some(at);
                if uses.is_verb(at) {
                    self.verb = Some(at);
                }
            }
        }
        self.read = end;
    }
}

fn governs(uses: &Uses<'_>, at: usize) -> bool {
    if matches!(uses.at(at), Use::Ending | Use::Noun) {
        return false;
    }
    let word = &uses.words[at];
    uses.is_verb(at)
        || word.tag == Tag::Preposition
        || word.is(List::Oblique)
        || word.is(List::Towards)
}

fn opens(uses: &Uses<'_>, at: usize) -> bool {
    match uses.at(at) {
        Use::Ending => false,
        Use::Which | Use::Noun => true,
        _ => is_head(uses, at) || is_modifier(uses, at),
    }
}

/// Words that a phrase can end in.
pub(super) fn is_head(uses: &Uses<'_>, at: usize) -> bool {
    let word = &uses.words[at];
    match uses.at(at) {
        Use::Verb | Use::Turned | Use::Ending | Use::Which => return false,
        Use::Noun => return true,
        Use::Other => {}
    }
    let named = [List::OrganisationSuffix, List::PlaceSuffix, List::People];
    if word.concept().is_some() || named.into_iter().any(|list| word.is(list)) {
        return word.tag != Tag::Verb;
    }
    match word.tag {
        Tag::Pronoun | Tag::Other => {
            word.is(List::Person) || chinese().classes.stands_alone.has(uses.spelling(at))
        }
        Tag::Idiom => !word.is(List::Event),
        Tag::VerbalNoun => !word.is(List::Stative),
        tag => tag.is_nominal(),
    }
}

/// Words that lead up to a head.
fn is_modifier(uses: &Uses<'_>, at: usize) -> bool {
    let word = &uses.words[at];
    match word.tag {
        Tag::Number | Tag::Measure | Tag::Adjective | Tag::Distinguisher | Tag::Pronoun => true,
        Tag::Locative => is_place(word),
        // 1500顶帐篷: a measure that the dictionary takes for a verb.
        Tag::Verb => uses.at(at) == Use::Other,
        _ => false,
    }
}

/// 隔壁, 海里: a place by itself, not an ending that makes one of other words.
pub(super) fn is_place(word: &Word) -> bool {
    word.tag == Tag::Locative && word.length() > ONE_CHARACTER && !word.is(List::PlaceOrTime)
}

/// Where the phrase that opens at `at` ends: behind its last head; `at` when it has none.
fn phrase_end(uses: &Uses<'_>, open: usize) -> usize {
    let mut end = open;
    let mut next = open;
    let mut quoted = false;
    while let Some(word) = uses.words.get(next) {
        let goes_on = if quoted {
            if word.punctuation == Punctuation::CloseQuote {
                quoted = false;
                end = next + 1;
            }
            true
        } else if is_head(uses, next) || is_whole_object(uses, open, next) {
            end = next + 1;
            true
        } else if is_modifier(uses, next) || uses.at(next) == Use::Which {
            true
        } else if word.punctuation == Punctuation::OpenQuote {
            quoted = closes_within(uses, next);
            quoted
        } else {
            joins(uses, next, end == next)
        };
        if !goes_on {
            break;
        }
        next += 1;
    }
    end
}

/// 跳进海里, 将其抓获: a place behind a verb, or a pronoun that stands for somebody.
fn is_whole_object(uses: &Uses<'_>, open: usize, at: usize) -> bool {
    let word = &uses.words[at];
    let follows_verb = at == open
        && at
            .checked_sub(1)
            .is_some_and(|before| !matches!(uses.at(before), Use::Other | Use::Which));
    let stands_for = word.tag == Tag::Pronoun
        && chinese().classes.object_pronoun.has(uses.spelling(at))
        && (uses.is_verb(at + 1)
            || uses
                .words
                .get(at + 1)
                .is_none_or(|next| matches!(next.tag, Tag::Adverb | Tag::Sign)));
    (follows_verb && is_place(word)) || stands_for
}

/// Quoted names are short.
fn closes_within(uses: &Uses<'_>, open: usize) -> bool {
    const LONGEST_QUOTED_NAME: usize = 8;
    uses.words[open + 1..]
        .iter()
        .take(LONGEST_QUOTED_NAME)
        .any(|word| word.punctuation == Punctuation::CloseQuote)
}

/// 的, 和, 、, 等 and the like inside a phrase.
fn joins(uses: &Uses<'_>, at: usize, after_head: bool) -> bool {
    let word = &uses.words[at];
    let next = at + 1;
    if next >= uses.words.len() {
        return false;
    }
    let opens_next = is_head(uses, next) || is_modifier(uses, next) || uses.at(next) == Use::Which;
    let name = uses.spelling(at);
    let classes = &chinese().classes;
    let place = |at: usize| uses.words.get(at).is_some_and(|word| word.tag.is_proper());
    match word.tag {
        _ if !opens_next => false,
        Tag::Sign => after_head && word.punctuation == Punctuation::Enumeration,
        Tag::De => {
            let modified = at.checked_sub(1).is_some_and(|before| {
                is_modifier(uses, before)
                    || uses.at(before) == Use::Which
                    || uses.words[before].tag == Tag::Time
            });
            after_head || modified
        }
        Tag::Conjunction | Tag::Preposition | Tag::Particle | Tag::Other => {
            let between = classes.between_places.has(name)
                && at.checked_sub(1).is_some_and(place)
                && place(next);
            after_head
                && (classes.phrase_joiner.has(name) || classes.list_ending.has(name) || between)
        }
        _ => false,
    }
}

fn role(
    uses: &Uses<'_>,
    phrase: Range<usize>,
    governors: &Governors,
    last: Option<&Phrase>,
    verb_follows: bool,
) -> (Role, Option<usize>) {
    let placed = uses
        .words
        .get(phrase.end)
        .is_some_and(|word| word.tag != Tag::Verb && word.is(List::PlaceOrTime));
    let free = if placed { Role::Oblique } else { Role::Free };
    let Some(governor) = governor_of(uses, &phrase, governors) else {
        return (free, None);
    };
    if let Some(last) = last
        && last.opens > governor
    {
        return match last.role {
            Role::After(_) if !placed => (last.role, last.governor),
            Role::After(_) => (Role::Oblique, last.governor),
            _ => (free, None),
        };
    }
    let word = &uses.words[governor];
    let name = uses.spelling(governor);
    let classes = &chinese().classes;
    let role = match name {
        _ if classes.agent_marker.has(name) => Role::By,
        _ if classes.disposal.has(name) && !verb_follows => return (free, None),
        _ if classes.disposal.has(name) => Role::Ba,
        _ if word.is(List::Oblique) && word.tag != Tag::Verb => Role::Oblique,
        _ if word.is(List::Towards) && word.tag != Tag::Verb && placed => Role::Oblique,
        _ if word.is(List::Towards) && word.tag != Tag::Verb => Role::Towards,
        _ if uses.is_verb(governor) => Role::After(governor),
        _ if word.tag == Tag::Preposition => Role::Oblique,
        _ => return (free, None),
    };
    (role, Some(governor))
}

/// The word that governs the phrase. 奏响根据渔歌改编的《晚潮》: what leads in a modifier governs
/// nothing behind it.
fn governor_of(uses: &Uses<'_>, phrase: &Range<usize>, governors: &Governors) -> Option<usize> {
    let governor = governors.last?;
    let word = &uses.words[governor];
    if !word.is(List::Oblique) || word.tag == Tag::Verb {
        return Some(governor);
    }
    let from = phrase.start.saturating_sub(1);
    let modified = uses.words[from..phrase.end]
        .iter()
        .any(|word| word.tag == Tag::De);
    let inside = phrase.clone().find(|&at| uses.at(at) == Use::Which);
    let which = inside.or(governors.which);
    if modified && which.is_some_and(|which| which > governor + 1) {
        governors.verb
    } else {
        Some(governor)
    }
}

impl Phrase {
    /// True when it says what it is, not only that it is something: 情况, 方面.
    pub(super) fn says_something(&self, uses: &Uses<'_>) -> bool {
        self.words.clone().any(|at| {
            let word = &uses.words[at];
            let hollow = word.is(List::Hollow) && !word.is(List::Title);
            (is_head(uses, at) && !hollow) || is_place(word) || self.is_pronoun(uses)
        })
    }

    fn is_pronoun(&self, uses: &Uses<'_>) -> bool {
        self.words.len() == 1 && uses.words[self.words.start].tag == Tag::Pronoun
    }

    /// True when it names somebody or a body that can act.
    pub(super) fn can_act(&self, uses: &Uses<'_>) -> bool {
        uses.words[self.words.clone()].last().is_some_and(|head| {
            let lists = [List::Title, List::People, List::OrganisationSuffix];
            head.tag.is_proper()
                || head.tag == Tag::Pronoun
                || lists.into_iter().any(|list| head.is(list))
        })
    }

    pub(super) fn head(&self) -> usize {
        self.words.end.saturating_sub(1)
    }
}
