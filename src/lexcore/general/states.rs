//! Which words of a clause are states: what happens, is said, seen or appears.

use super::super::Found;
use super::super::phrase::Role;
use super::Reading;
use super::uses::{ONE_CHARACTER, Use};
use crate::text::chinese::chinese;
use crate::text::words::{List, Punctuation, Tag, Word};

/// How far a verb reaches for the event that it carries, in words.
const REACH: usize = 12;

impl Reading<'_> {
    /// The states of the clause, left to right, with how each was found.
    pub(super) fn states(&self) -> Vec<(usize, Found)> {
        let mut states: Vec<(usize, Found)> = Vec::new();
        for at in 0..self.uses.words.len() {
            let stopped = states
                .last()
                .is_some_and(|&(before, _)| before + 1 == at && self.is_stopped(at));
            if let Some(found) = self.state_at(at)
                && !stopped
            {
                states.push((at, found));
            }
        }
        states
    }

    /// 停止运行: one state with the word before it.
    pub(super) fn is_stopped(&self, at: usize) -> bool {
        let prevents = |before: usize| {
            let prevention = &chinese().classes.prevention;
            prevention.has(self.uses.spelling(before))
        };
        self.uses.is_verb(at) && at.checked_sub(1).is_some_and(prevents)
    }

    fn state_at(&self, at: usize) -> Option<Found> {
        let word = &self.uses.words[at];
        if matches!(word.tag, Tag::Sign | Tag::Time | Tag::De) {
            return None;
        }
        match self.uses.at(at) {
            Use::Turned => Some(Found::Verb),
            Use::Verb => self.verb_tells(at).then_some(Found::Verb),
            Use::Other => self.noun_tells(at).then_some(Found::Event),
            Use::Ending | Use::Which | Use::Noun => None,
        }
    }

    fn verb_tells(&self, at: usize) -> bool {
        let word = &self.uses.words[at];
        let telling = word.is(List::Telling);
        let short = word.length() <= ONE_CHARACTER;
        let helps = word.is(List::Modal) && !word.is(List::Speech) && !telling;
        if word.is(List::Stative) || helps || (short && !self.uses.tells_alone(at)) {
            return false;
        }
        if self.carries(at) && (short || !telling) && !self.tells_itself(at) {
            return false;
        }
        !self.is_manner(at) && !self.is_issued(at) && !self.is_occasion(at)
    }

    /// A verb that can leave what happens to the word behind it.
    pub(super) fn carries(&self, at: usize) -> bool {
        let word = &self.uses.words[at];
        let holds = || chinese().classes.holding.has(self.uses.spelling(at));
        word.is(List::Empty) || word.is(List::Light) || (self.uses.is_verb(at) && holds())
    }

    /// A verb that could carry an event, and carries none.
    fn tells_itself(&self, at: usize) -> bool {
        if self.event_behind(at).is_some() {
            return false;
        }
        if !self.uses.words[at].is(List::Empty) {
            return true;
        }
        let after = self.phrases_from(at + 1).first();
        let carried = after.is_some_and(|phrase| phrase.role == Role::After(at));
        // 爆炸发生后: the event has been named.
        let named = self.phrases_before(at).last().is_some_and(|phrase| {
            let head = phrase.head();
            let kind = &chinese().classes.kind_of_event;
            self.uses.words[head].is(List::Event) || kind.has(self.uses.spelling(head))
        });
        !carried && !named
    }

    /// 哭喊着跳进: how something else is done.
    fn is_manner(&self, at: usize) -> bool {
        let next = self.uses.words.get(at + 1);
        next.is_some_and(|next| {
            next.tag == Tag::Particle && chinese().classes.manner.has(self.uses.spelling(at + 1))
        })
    }

    /// 发布红色预警, 接到报警: what is issued or got belongs to the verb before it.
    fn is_issued(&self, at: usize) -> bool {
        if !self.nothing_follows(at) {
            return false;
        }
        let issues = |verb: usize| chinese().classes.issue.has(self.uses.spelling(verb));
        let mut before = (at.saturating_sub(REACH)..at).rev();
        let governor = before.find(|&before| {
            let tag = self.uses.words[before].tag;
            !matches!(tag, Tag::Number | Tag::Measure | Tag::Adjective)
        });
        if governor.is_some_and(issues) {
            return true;
        }
        self.phrases_before(at).last().is_some_and(|phrase| {
            let verb = match phrase.role {
                Role::After(verb) => verb,
                _ => return false,
            };
            phrase.words.end == at && issues(verb) && !phrase.can_act(&self.uses)
        })
    }

    /// 在专项抽检中: on what occasion something else happens.
    fn is_occasion(&self, at: usize) -> bool {
        let classes = &chinese().classes;
        let within = at + 1 < self.uses.words.len()
            && self.uses.words[at].tag == Tag::Verb
            && classes.within.has(self.uses.spelling(at + 1));
        let from = at.saturating_sub(REACH);
        within && (from..at).any(|before| classes.occasion.has(self.uses.spelling(before)))
    }

    /// The event that a verb carries: the next word behind it that can be one.
    pub(super) fn event_behind(&self, at: usize) -> Option<usize> {
        let words = &self.uses.words;
        let behind = (at + 1..words.len()).take(REACH);
        behind
            .take_while(|&next| {
                matches!(
                    words[next].punctuation,
                    Punctuation::None
                        | Punctuation::OpenQuote
                        | Punctuation::CloseQuote
                        | Punctuation::Enumeration
                )
            })
            .find(|&next| {
                let word = &words[next];
                let verbal = word.tag == Tag::VerbalNoun
                    && !word.is(List::Hollow)
                    && words
                        .get(next + 1)
                        .is_none_or(|next| !next.tag.is_nominal());
                let event = word.is(List::Event) && self.uses.at(next) != Use::Which;
                event || verbal || self.uses.is_plain(next)
            })
    }

    /// A noun that is an event: brought by a light verb, leading to one, or all that is told.
    fn noun_tells(&self, at: usize) -> bool {
        let word = &self.uses.words[at];
        let event = word.is(List::Event);
        let verbal = word.tag == Tag::VerbalNoun;
        if !event && !word.tag.is_nominal() {
            return false;
        }
        if self.is_carried(at) && !word.is(List::Hollow) {
            return true;
        }
        if !(event || verbal) || !self.is_event_head(at) {
            return false;
        }
        let marked = self.uses.is_marked(at);
        let phrase = self.phrase_of(at);
        if let Some(phrase) = phrase
            && phrase.head() == at
            && !marked
        {
            match phrase.role {
                Role::Oblique | Role::Towards => return false,
                // 去医院检查, 进入文化馆工作.
                Role::After(verb)
                    if verbal
                        && self.uses.words[verb].is(List::Motion)
                        && phrase.words.start < at
                        && self.nothing_follows(at) =>
                {
                    return true;
                }
                _ => {}
            }
        }
        !word.is(List::Hollow)
            && (marked
                || self.follows_carrier(at)
                || (verbal && self.ends_verbs(at))
                || (event && (!self.uses.tells() || self.leads_on(at))))
    }

    /// 作出一审判决, 开展试点: behind these verbs the noun is the event, whatever it is.
    fn is_carried(&self, at: usize) -> bool {
        let Some(phrase) = self.phrase_of(at).filter(|phrase| phrase.head() == at) else {
            return false;
        };
        let Role::After(verb) = phrase.role else {
            return false;
        };
        self.uses.words[verb].is(List::Empty)
            && self.last_plain.is_none_or(|last| last < at)
            && self.event_behind(verb).is_none_or(|event| event == at)
    }

    /// Not the first half of a compound: 事故 in 事故现场; but 食物中毒 in 食物中毒事件 is.
    fn is_event_head(&self, at: usize) -> bool {
        self.uses.words.get(at + 1).is_none_or(|next| {
            let same = chinese()
                .classes
                .kind_of_event
                .has(self.uses.spelling(at + 1));
            (!next.tag.is_nominal() || same) && next.tag != Tag::De
        })
    }

    /// A verb that carries events, or says what something was, stands before.
    fn follows_carrier(&self, at: usize) -> bool {
        const NEAR: usize = 8;
        let copula = &chinese().classes.copula;
        (at.saturating_sub(NEAR)..at)
            .any(|before| self.carries(before) || copula.has(self.uses.spelling(before)))
    }

    /// 被带走调查: at the end of a row of verbs.
    fn ends_verbs(&self, at: usize) -> bool {
        let follows = at.checked_sub(1).is_some_and(|before| {
            let word = &self.uses.words[before];
            let opens = word.is(List::Speech) || word.is(List::Cognition);
            self.uses.at(before) == Use::Verb && word.tag == Tag::Verb && !opens
        });
        follows && self.nothing_follows(at)
    }

    /// 地震造成…, 火灾发生后, 事故中: something follows from the event.
    fn leads_on(&self, at: usize) -> bool {
        self.uses.words.get(at + 1).is_some_and(|next| {
            let behind = &chinese().classes.behind_event;
            next.is(List::Empty) || behind.has(self.uses.spelling(at + 1))
        })
    }

    /// Only endings and amounts up to the end of the clause.
    pub(super) fn nothing_follows(&self, at: usize) -> bool {
        let ends = |word: &Word| {
            let lists = [List::Aspect, List::Complement, List::Amount];
            lists.into_iter().any(|list| word.is(list))
                || matches!(
                    word.tag,
                    Tag::Number | Tag::Measure | Tag::Locative | Tag::Time
                )
        };
        let mut rest = self.uses.words[at + 1..].iter();
        rest.find(|word| !ends(word))
            .is_none_or(|word| word.punctuation != Punctuation::None)
    }
}
