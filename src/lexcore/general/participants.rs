//! Who and what takes part in a state.

use std::ops::Range;

use super::super::phrase::Role;
use super::super::{Found, Part};
use super::Reading;
use super::phrases::Phrase;
use super::uses::Use;
use crate::text::chinese::chinese;
use crate::text::words::{List, Tag};

/// How far a word is looked for that says how phrases take part.
const REACH: usize = 16;

/// A state with what takes part in it, as far as its clause says.
#[derive(Debug)]
pub(super) struct Told {
    pub(super) state: Part,
    pub(super) agent: Option<Part>,
    pub(super) object: Option<Part>,
    /// The subject of the clause, which later clauses may leave out.
    pub(super) subject: Option<Part>,
    /// The clause says who or what the state is told of.
    pub(super) has_subject: bool,
    /// What it is told of suffers it.
    pub(super) passive: bool,
    /// What follows is what somebody says or thinks.
    pub(super) speaks: bool,
}

/// The phrases before a state that can take part in it, by their numbers.
#[derive(Debug, Default)]
pub(super) struct Seen {
    read: usize,
    free: Option<usize>,
    able: Option<usize>,
    after: Option<usize>,
    by: Option<usize>,
    ba: Option<usize>,
    towards: Option<usize>,
    source: Option<usize>,
    origin: Option<usize>,
}

impl Seen {
    /// Reads the phrases that end before the word.
    fn read_up_to(&mut self, reading: &Reading<'_>, at: usize) {
        while let Some(phrase) = reading.phrases.get(self.read)
            && phrase.words.end <= at
        {
            self.see(reading, phrase, self.read);
            self.read += 1;
        }
    }

    fn see(&mut self, reading: &Reading<'_>, phrase: &Phrase, number: usize) {
        let governor = phrase.governor.map_or("", |at| reading.uses.spelling(at));
        let classes = &chinese().classes;
        if !phrase.says_something(&reading.uses) {
            return;
        }
        let place = match phrase.role {
            Role::Free => {
                if phrase.can_act(&reading.uses) {
                    self.able = Some(number);
                }
                &mut self.free
            }
            Role::After(_) => &mut self.after,
            Role::By => &mut self.by,
            Role::Ba => &mut self.ba,
            Role::Towards => &mut self.towards,
            Role::Oblique if classes.source.has(governor) => &mut self.source,
            Role::Oblique if classes.origin.has(governor) => &mut self.origin,
            Role::Oblique => return,
        };
        *place = Some(number);
    }
}

impl Reading<'_> {
    /// The state at `at` with what takes part in it. States are asked for left to right.
    pub(super) fn told(&self, seen: &mut Seen, at: usize, found: Found) -> Told {
        let carrier = (found == Found::Event).then(|| self.carrier(at)).flatten();
        let anchor = carrier.unwrap_or(at);
        seen.read_up_to(self, anchor);
        let subject = self.subject(seen, anchor);
        let doer = self.pivot(seen, anchor).or(subject);
        let behind = self.object_behind(at);
        let passive = self.is_passive(anchor);
        let by = self.phrase(seen.by).filter(|by| {
            let marker = by.governor.map_or("", |at| self.uses.spelling(at));
            passive || chinese().classes.doer_marker.has(marker)
        });
        let named = |phrase: Option<&Phrase>, found| phrase.map(|phrase| self.part(phrase, found));
        let (agent, object) = if by.is_some() {
            (named(by, Found::By), named(doer, Found::Subject))
        } else if passive && behind.is_some() {
            (named(doer, Found::Subject), named(behind, Found::Object))
        } else if passive {
            (None, named(doer, Found::Subject))
        } else {
            let object = named(self.phrase(seen.ba), Found::Ba)
                .or_else(|| named(behind, Found::Object))
                .or_else(|| self.object_before(seen, anchor, carrier.map(|_| at)))
                .or_else(|| self.sum_behind(at));
            (named(doer, Found::Subject), object)
        };
        let word = &self.uses.words[at];
        let opens = word.is(List::Speech) || word.is(List::Cognition);
        let same = |object: &Part| {
            agent
                .as_ref()
                .is_some_and(|agent| agent.range == object.range)
        };
        Told {
            state: self.words_part(&(at..self.state_end(at)), found),
            object: object.filter(|object| !same(object)),
            agent,
            subject: named(subject, Found::Subject),
            has_subject: doer.is_some(),
            passive: passive || by.is_some(),
            speaks: opens && found == Found::Verb && !word.is(List::Empty),
        }
    }

    /// Who the clause is about when nothing is told of it: its last free phrase, best one that can
    /// act; a phrase that is an event itself is nobody.
    pub(super) fn topic(&self, states: &[(usize, Found)]) -> Option<Part> {
        let is_state = |at: usize| states.binary_search_by_key(&at, |state| state.0).is_ok();
        let free = self.phrases.iter().rev().filter(|phrase| {
            phrase.role == Role::Free
                && phrase.says_something(&self.uses)
                && !is_state(phrase.head())
        });
        let mut able = free.clone().filter(|phrase| phrase.can_act(&self.uses));
        let topic = able.next().or_else(|| free.clone().next())?;
        Some(self.part(topic, Found::Subject))
    }

    /// The state with its endings: 跑出来, 通报称, 停止运行.
    fn state_end(&self, at: usize) -> usize {
        let words = self.uses.words.len();
        let mut end = at + 1;
        if end < words && self.uses.is_plain(at) && self.is_stopped(end) {
            end += 1;
        }
        while end < words && self.uses.at(end) == Use::Ending {
            end += 1;
        }
        end
    }

    /// The verb that carries the event: 作出 of 对案件作出判决.
    fn carrier(&self, at: usize) -> Option<usize> {
        let verb = (at.saturating_sub(REACH)..at)
            .rev()
            .find(|&before| self.uses.is_verb(before))?;
        self.carries(verb).then_some(verb)
    }

    fn phrase(&self, number: Option<usize>) -> Option<&Phrase> {
        number.and_then(|number| self.phrases.get(number))
    }

    /// The last free phrase before the state, best one that can act; else who is the source of it:
    /// 据地震台网测定.
    fn subject(&self, seen: &Seen, anchor: usize) -> Option<&Phrase> {
        let free = self.phrase(seen.able.or(seen.free));
        free.or_else(|| {
            let source = self.phrase(seen.source)?;
            self.stands_before(source, anchor).then_some(source)
        })
    }

    /// No verb that tells something stands between the phrase and the word.
    fn stands_before(&self, phrase: &Phrase, at: usize) -> bool {
        at.saturating_sub(phrase.words.end) <= REACH
            && !(phrase.words.end..at)
                .any(|between| self.uses.is_plain(between) && !self.carries(between))
    }

    /// 造成4人死亡, 看见两个人爬出: the object of one verb is who does the next.
    fn pivot(&self, seen: &Seen, anchor: usize) -> Option<&Phrase> {
        let phrase = self.phrase(seen.after)?;
        let Role::After(verb) = phrase.role else {
            return None;
        };
        let word = &self.uses.words[verb];
        let lists = [List::Pivot, List::Speech, List::Cognition, List::Empty];
        let opens = lists.into_iter().any(|list| word.is(list))
            || (phrase.can_act(&self.uses) && !word.is(List::Stative));
        let gap = phrase.words.end..anchor;
        let goes_on = opens
            && !word.is(List::Motion)
            && gap.len() <= REACH
            && phrase.says_something(&self.uses)
            && gap.clone().all(|at| self.keeps_subject(at));
        goes_on.then_some(phrase)
    }

    /// Words that may stand between a subject and its verb.
    fn keeps_subject(&self, at: usize) -> bool {
        let word = &self.uses.words[at];
        let inside = self.phrase_of(at).is_some_and(|phrase| {
            matches!(
                phrase.role,
                Role::Oblique | Role::Towards | Role::Ba | Role::By
            )
        });
        match word.tag {
            Tag::Locative => !word.is(List::PlaceOrTime) || inside || self.closes_oblique(at),
            Tag::Adverb
            | Tag::Time
            | Tag::Preposition
            | Tag::Particle
            | Tag::Verb
            | Tag::VerbalNoun
            | Tag::Conjunction => true,
            _ => inside || self.uses.is_verb(at) || word.is(List::Modal),
        }
    }

    /// 从浓烟里: the locative belongs to the phrase before it.
    fn closes_oblique(&self, at: usize) -> bool {
        at.checked_sub(1).is_some_and(|before| {
            self.phrase_of(before)
                .is_some_and(|phrase| phrase.role == Role::Oblique && phrase.governor.is_some())
        })
    }

    /// The phrase that the state governs.
    fn object_behind(&self, at: usize) -> Option<&Phrase> {
        let phrase = self.phrases_from(at + 1).first()?;
        let word = &self.uses.words[at];
        let own = phrase.role == Role::After(at)
            && phrase.says_something(&self.uses)
            && !(at + 1..phrase.opens).any(|between| self.uses.is_plain(between));
        // 宣称对方负责: what is said has a subject of its own.
        let says = (word.is(List::Speech) || word.is(List::Cognition)) && !word.is(List::Pivot);
        let content = self.last_verb.is_some_and(|verb| verb >= phrase.words.end);
        (own && !(says && content)).then_some(phrase)
    }

    /// What stands before the verb and is acted upon: 与罐车相撞, 伤员救治, 从西岭站驶出.
    fn object_before(&self, seen: &Seen, anchor: usize, event: Option<usize>) -> Option<Part> {
        let near = |number: Option<usize>| {
            self.phrase(number)
                .filter(|phrase| self.stands_before(phrase, anchor))
        };
        if let Some(towards) = near(seen.towards) {
            return Some(self.part(towards, Found::Towards));
        }
        if let Some(event) = event
            && let Some(phrase) = self.phrase_of(event)
            && phrase.words.start < event
            && self.uses.words[event - 1].tag.is_nominal()
        {
            return Some(self.words_part(&(phrase.words.start..event), Found::Object));
        }
        near(seen.origin).map(|origin| self.part(origin, Found::Towards))
    }

    /// 汇出18万元: the sum is what is acted upon.
    fn sum_behind(&self, at: usize) -> Option<Part> {
        let next = self.uses.words.get(at + 1)?;
        let sum = next.tag == Tag::Number && next.is(List::Money);
        sum.then(|| self.words_part(&(at + 1..at + 2), Found::Object))
    }

    /// 被送往医院救治: a word before the verb says that its subject suffers it.
    fn is_passive(&self, at: usize) -> bool {
        let before = (at.saturating_sub(REACH)..at).rev();
        before
            .take_while(|&before| {
                let goes_on = matches!(
                    self.uses.words[before].tag,
                    Tag::Adverb | Tag::Preposition | Tag::Verb | Tag::Time | Tag::Locative
                );
                let governed = || {
                    self.phrase_of(before)
                        .is_some_and(|phrase| matches!(phrase.role, Role::After(_) | Role::By))
                };
                goes_on || self.uses.at(before) == Use::Which || governed()
            })
            .any(|before| chinese().classes.passive.has(self.uses.spelling(before)))
    }

    pub(super) fn part(&self, phrase: &Phrase, found: Found) -> Part {
        self.words_part(&phrase.words, found)
    }

    pub(super) fn words_part(&self, words: &Range<usize>, found: Found) -> Part {
        let place = |at: usize| self.uses.words.get(at);
        let start = place(words.start).map_or(0, |word| word.start as usize);
        let end = place(words.end.saturating_sub(1)).map_or(start, |word| word.end as usize);
        Part::new(start..end.max(start), found)
    }
}
