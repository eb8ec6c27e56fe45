//! One clause: which of its words are states, and what fills the places around them.

use std::cell::OnceCell;
use std::ops::Range;

use super::phrase::{Phrase, Role, phrases};
use super::{Found, Part};
use crate::schema::{ConceptKind, RelationId, Schema};
use crate::text::begins_numeral;
use crate::text::time::Time;
use crate::text::words::{List, Punctuation, Tag, Word};

/// A clause being read.
pub(super) struct Clause<'a> {
    pub(super) words: &'a [Word],
    text: &'a str,
    schema: &'a Schema,
    /// Found when first asked for: many clauses tell nothing.
    phrases: OnceCell<Vec<Phrase>>,
    /// Whether states are the schema's triggers, or all verbs and events of the language.
    by_triggers: bool,
}

/// A state with what stands around it in its clause.
#[derive(Debug)]
pub(super) struct Told {
    pub(super) state: Part,
    pub(super) relation: Option<RelationId>,
    pub(super) agent: Option<Part>,
    pub(super) object: Option<Part>,
    pub(super) amount: Option<Part>,
    pub(super) basis: Option<Part>,
    pub(super) negated: bool,
    /// It tells of something that changes by itself: 股价上涨.
    pub(super) changes: bool,
    /// Something shows that the state is a predicate and not a noun: an object, an amount, an
    /// adverb before it, a particle behind it.
    pub(super) predicative: bool,
    /// Nothing stands behind the state but endings and amounts.
    pub(super) final_word: bool,
    /// The agent names somebody or a body, so that later clauses may be about it.
    pub(super) agent_can_act: bool,
}

impl<'a> Clause<'a> {
    pub(super) fn new(
        words: &'a [Word],
        text: &'a str,
        schema: &'a Schema,
        by_triggers: bool,
    ) -> Clause<'a> {
        Clause {
            phrases: OnceCell::new(),
            words,
            text,
            schema,
            by_triggers,
        }
    }

    fn phrases(&self) -> &[Phrase] {
        self.phrases.get_or_init(|| phrases(self.words, self.text))
    }

    /// The states of the clause with their arguments, left to right.
    pub(super) fn cores(&self) -> Vec<Told> {
        let states = self.states();
        let mut cores = Vec::with_capacity(states.len());
        for (number, &(at, found)) in states.iter().enumerate() {
            let after = states.get(number + 1).map(|later| later.0);
            cores.push(self.read_state(at, found, after));
        }
        cores
    }

    /// Who the clause is about, for clauses that leave it out: its first free phrase that can act.
    pub(super) fn topic(&self) -> Option<Part> {
        let according = self
            .words
            .first()
            .is_some_and(|word| word.is(List::Oblique));
        if according {
            return None;
        }
        self.phrases()
            .iter()
            .find(|phrase| phrase.role == Role::Free && phrase.can_act(self.words, self.schema))
            .map(|phrase| self.part(&phrase.words, Found::Subject))
    }

    /// What the clause is about, for clauses that leave it out: its last free phrase that names
    /// something of the domain that can change.
    pub(super) fn metric(&self) -> Option<Part> {
        let can_change = |word: &Word| {
            let concept = word.concept().and_then(|at| self.schema.concepts.get(at));
            concept.is_some_and(|concept| concept.kind == ConceptKind::Object)
        };
        if !self.words.iter().any(can_change) {
            return None;
        }
        let named = |phrase: &&Phrase| {
            let head = self.words[phrase.words.clone()].last();
            phrase.role == Role::Free && head.is_some_and(can_change)
        };
        let phrase = self.phrases().iter().rev().find(named)?;
        let words = match phrase.owner_and_metric(self.words, self.schema) {
            Some((_, metric)) => metric,
            None => phrase.words.clone(),
        };
        Some(self.part(&words, Found::Subject))
    }

    /// True when the clause tells who says what follows.
    pub(super) fn is_source(&self) -> bool {
        self.words
            .iter()
            .rev()
            .find(|word| word.punctuation == Punctuation::None)
            .is_some_and(|word| word.is(List::Speech))
    }

    /// True when the time is what something is compared with: 比上年同期.
    pub(super) fn is_base(&self, time: &Time) -> bool {
        let at = self
            .words
            .iter()
            .position(|word| word.start as usize == time.range.start);
        at.and_then(|at| at.checked_sub(1)).is_some_and(|before| {
            matches!(
                self.words[before].text(self.text),
                "比" | "较" | "与" | "同"
            )
        })
    }

    fn states(&self) -> Vec<(usize, Found)> {
        let may_tell = |word: &Word| !self.by_triggers || word.trigger().is_some();
        let words = self.words.iter().enumerate();
        words
            .filter(|(_, word)| may_tell(word))
            .filter_map(|(at, _)| self.state_at(at).map(|found| (at, found)))
            .collect()
    }

    fn state_at(&self, at: usize) -> Option<Found> {
        let word = &self.words[at];
        if self.by_triggers {
            let relation = word.trigger()?;
            let core = self.schema.relations.get(relation.0 as usize)?.core;
            let carries_another = word.is(List::Light) && self.trigger_follows(at);
            let untold = carries_another
                || word.is(List::Speech)
                || self.modifies(at)
                || self.is_nominal(at)
                || self.is_limit(at)
                || self.is_bare(at);
            return (core && !untold).then_some(Found::Trigger);
        }
        match word.tag {
            _ if word.is(List::Event) && self.is_event(at) => Some(Found::Event),
            Tag::Verb if self.is_plain_verb(at) => Some(Found::Verb),
            Tag::VerbalNoun if !word.is(List::Hollow) => {
                (self.follows_light_verb(at) && self.is_head(at)).then_some(Found::Event)
            }
            _ => None,
        }
    }

    /// 报, 达, 涨: a verb of one character needs its amount or its object behind it.
    fn is_bare(&self, at: usize) -> bool {
        const ONE_CHARACTER: usize = 3;
        self.words[at].length() <= ONE_CHARACTER
            && self.amount_behind(at).is_none()
            && self.object_behind(at, None).is_none()
    }

    fn trigger_follows(&self, at: usize) -> bool {
        self.words[at + 1..]
            .iter()
            .any(|word| word.trigger().is_some() && !word.is(List::Light))
    }

    /// 不超过5亿元, 不低于10%: a limit on an amount, nothing that happened.
    fn is_limit(&self, at: usize) -> bool {
        let limits = matches!(
            self.words[at].text(self.text),
            "超过" | "低于" | "高于" | "少于" | "多于" | "超"
        );
        limits && at > 0 && matches!(self.words[at - 1].text(self.text), "不" | "未" | "不得")
    }

    /// A verb that tells something by itself.
    fn is_plain_verb(&self, at: usize) -> bool {
        const ONE_CHARACTER: usize = 3;
        let word = &self.words[at];
        let lists = [
            List::Stop,
            List::Modal,
            List::Speech,
            List::Cognition,
            List::Empty,
        ];
        if lists.into_iter().any(|list| word.is(list)) || self.modifies(at) {
            return false;
        }
        if word.length() <= ONE_CHARACTER && !word.is(List::Telling) {
            return false;
        }
        !(word.is(List::Light) && self.verb_or_event_follows(at))
    }

    fn verb_or_event_follows(&self, at: usize) -> bool {
        self.words[at + 1..].iter().any(|word| {
            word.is(List::Event)
                || word.tag == Tag::VerbalNoun
                || (word.tag == Tag::Verb && !word.is(List::Stop) && !word.is(List::Complement))
        })
    }

    /// A noun that is an event: brought by a light verb, leading to one, or all that is told.
    fn is_event(&self, at: usize) -> bool {
        if !self.is_head(at) {
            return false;
        }
        if self.words[at].tag == Tag::Verb {
            return !self.modifies(at);
        }
        if self.leads_on(at) {
            return true;
        }
        let governed = self.phrases().iter().any(|phrase| {
            phrase.words.contains(&at) && matches!(phrase.role, Role::Towards | Role::Oblique)
        });
        !governed && (self.follows_light_verb(at) || !self.has_plain_verb())
    }

    fn follows_light_verb(&self, at: usize) -> bool {
        const NEAR: usize = 8;
        self.words[at.saturating_sub(NEAR)..at]
            .iter()
            .any(|word| word.is(List::Light))
    }

    /// 地震造成…, 火灾发生后, 事故中: something follows from the event.
    fn leads_on(&self, at: usize) -> bool {
        let next = self
            .words
            .get(at + 1..)
            .and_then(|rest| rest.iter().find(|word| word.tag != Tag::Adverb));
        next.is_some_and(|word| {
            word.is(List::Empty) || matches!(word.text(self.text), "后" | "中" | "时" | "致" | "已")
        })
    }

    fn has_plain_verb(&self) -> bool {
        (0..self.words.len()).any(|at| self.words[at].tag == Tag::Verb && self.is_plain_verb(at))
    }

    /// Not the first half of a compound: 事故 in 事故现场; but 食物中毒 in 食物中毒事件 is.
    fn is_head(&self, at: usize) -> bool {
        self.words.get(at + 1).is_none_or(|next| {
            let same_event = matches!(
                next.text(self.text),
                "事件" | "事故" | "案" | "案件" | "灾害"
            );
            (!next.tag.is_nominal() || same_event) && next.tag != Tag::De
        })
    }

    /// 上涨的股票, 上市公司, 投资需求: the word only modifies what follows.
    fn modifies(&self, at: usize) -> bool {
        let Some(next) = self.words.get(at + 1) else {
            return false;
        };
        if next.tag == Tag::De {
            // 的 at the end only affirms: 是公司提供的。
            return self
                .words
                .get(at + 2)
                .is_some_and(|word| word.punctuation == Punctuation::None);
        }
        // 平稳运转: a word of state before a verb says how, not what.
        let manner = self.words[at].tag == Tag::Adjective && next.tag == Tag::Verb;
        manner || self.inside_compound(at)
    }

    /// 市场的变化, 调查与投资战略, 这种变化: a noun by what stands before or behind it.
    fn is_nominal(&self, at: usize) -> bool {
        let before = at.checked_sub(1).map(|before| &self.words[before]);
        let after_de = before.is_some_and(|word| {
            word.tag == Tag::De
                || matches!(word.tag, Tag::Pronoun | Tag::Measure)
                || (word.tag == Tag::Number && !word.is(List::Percent))
        });
        let attributive = self.words[at].is(List::Attributive);
        let joined = self.words.get(at + 1).is_some_and(|word| {
            matches!(word.text(self.text), "与" | "及" | "和" | "以及" | "等")
                || (attributive && word.punctuation == Punctuation::Enumeration)
        });
        after_de || joined
    }

    /// A verb that stands directly before a noun and can name a kind of it: 上市公司, 投资需求.
    fn inside_compound(&self, at: usize) -> bool {
        let Some(next) = self.words.get(at + 1) else {
            return false;
        };
        let word = &self.words[at];
        let common = matches!(next.tag, Tag::Noun | Tag::VerbalNoun) && next.trigger().is_none();
        let attributive = word.is(List::Attributive) || word.tag == Tag::VerbalNoun;
        // 央行 下调 利率: with somebody acting and a thing of the domain behind, it is a verb.
        let acts = next.concept().is_some() && !word.is(List::Attributive);
        common && attributive && !acts || next.is(List::CompoundHead)
    }

    fn read_state(&self, at: usize, found: Found, after: Option<usize>) -> Told {
        let word = &self.words[at];
        let relation = word.trigger().filter(|_| self.by_triggers);
        let subject_changes = relation
            .and_then(|id| self.schema.relations.get(id.0 as usize))
            .is_some_and(|relation| relation.subject == ConceptKind::Object)
            || (!self.by_triggers && found == Found::Event);
        let subjects = self.subjects(at, subject_changes);
        let behind = self.object_behind(at, after);
        let by = self.before_state(at, Role::By);
        let ba = self.before_state(at, Role::Ba);
        let passive = self.passive_without_agent(at);
        let (agent, object) = if let Some(by) = by {
            let patient = subjects.last().map(|p| self.part(&p.words, Found::Subject));
            (Some(self.part(&by.words, Found::By)), patient.or(behind))
        } else if passive {
            let patient = subjects.last().map(|p| self.part(&p.words, Found::Subject));
            (None, patient.or(behind))
        } else if let Some(ba) = ba {
            let agent = subjects
                .first()
                .map(|p| self.part(&p.words, Found::Subject));
            (agent, Some(self.part(&ba.words, Found::Ba)))
        } else if subject_changes && behind.is_none() {
            self.what_changes(&subjects)
        } else {
            self.who_does(&subjects, behind, at)
        };
        let agent_can_act = agent.as_ref().is_some_and(|agent| {
            self.phrases().iter().any(|phrase| {
                self.part(&phrase.words, agent.found).range.end == agent.range.end
                    && phrase.can_act(self.words, self.schema)
            }) || agent.found == Found::Owner
        });
        Told {
            final_word: self.nothing_follows(at),
            agent_can_act,
            state: self.part(&(at..at + 1), found),
            relation,
            changes: subject_changes,
            predicative: by.is_some()
                || ba.is_some()
                || passive
                || match &object {
                    Some(object) => object.found != Found::Subject || self.is_predicative(at),
                    None => self.is_predicative(at) && self.nothing_follows(at),
                },
            agent,
            object,
            amount: self.amount_behind(at),
            basis: self.basis_before(at),
            negated: self.negated(at),
        }
    }

    /// 已完成, 将于明年建设, 签署了, 被叫停: what stands around the word shows that it is a verb; 下调利率
    /// is one by itself.
    fn is_predicative(&self, at: usize) -> bool {
        const FOUR_CHARACTERS: usize = 12;
        if self.words[at].length() >= FOUR_CHARACTERS {
            return true;
        }
        let before = at.checked_sub(1).map(|before| &self.words[before]);
        let after = self.words.get(at + 1);
        let marked = before.is_some_and(|word| {
            matches!(word.tag, Tag::Adverb | Tag::Time)
                || word.is(List::Modal)
                || matches!(
                    word.text(self.text),
                    "被" | "遭" | "获" | "将" | "已" | "未"
                )
        });
        let followed = after.is_some_and(|word| {
            word.is(List::Aspect)
                || word.is(List::Complement)
                || word.tag == Tag::Number
                || word.is(List::Amount)
        });
        marked || followed
    }

    /// Only endings and amounts up to the end of the clause.
    fn nothing_follows(&self, at: usize) -> bool {
        self.words[at + 1..]
            .iter()
            .find(|word| {
                let ending = word.is(List::Aspect)
                    || word.is(List::Complement)
                    || word.is(List::Amount)
                    || matches!(
                        word.tag,
                        Tag::Number | Tag::Measure | Tag::Locative | Tag::Time
                    );
                !ending
            })
            .is_none_or(|word| word.punctuation != Punctuation::None)
    }

    /// The free phrases that can be the subject of the state: those behind the last verb that is
    /// not a mere helper; if there are none, those before it.
    fn subjects(&self, at: usize, changes: bool) -> Vec<&Phrase> {
        if let Some(phrase) = self
            .phrases()
            .iter()
            .rev()
            .find(|phrase| phrase.words.end <= at)
            && changes
            && matches!(phrase.role, Role::After(_) | Role::Towards | Role::Oblique)
            && phrase.says_something(self.words)
            && self.only_adverbs(phrase.words.end, at)
        {
            // 带动油价上涨, 对子公司的持股比例提升: what stands before the change is what changes.
            return vec![phrase];
        }
        if let Some(phrase) = self
            .phrases()
            .iter()
            .rev()
            .find(|phrase| phrase.words.end <= at)
            && phrase.role == Role::Free
            && !phrase.says_something(self.words)
            && self.only_adverbs(phrase.words.end, at)
        {
            // 消费升级的趋势没有改变: what stands before says too little.
            return Vec::new();
        }
        let own: Vec<&Phrase> = self
            .phrases()
            .iter()
            .filter(|phrase| phrase.words.end <= at && self.can_be_subject(phrase))
            .collect();
        let barrier = self.words[..at]
            .iter()
            .rposition(|word| self.opens_new_subject(word));
        let behind: Vec<&Phrase> = own
            .iter()
            .copied()
            .filter(|phrase| barrier.is_none_or(|verb| phrase.words.start > verb))
            .collect();
        if behind.is_empty() { own } else { behind }
    }

    fn only_adverbs(&self, from: usize, to: usize) -> bool {
        self.words[from..to]
            .iter()
            .all(|word| matches!(word.tag, Tag::Adverb | Tag::Time) || word.is(List::Modal))
    }

    fn can_be_subject(&self, phrase: &Phrase) -> bool {
        if !phrase.says_something(self.words) {
            return false;
        }
        match phrase.role {
            Role::Free => true,
            Role::After(verb) => self.opens_new_subject(&self.words[verb]),
            _ => false,
        }
    }

    /// 造成, 显示, 预计, 使: what follows has a subject of its own.
    fn opens_new_subject(&self, word: &Word) -> bool {
        word.is(List::Speech)
            || word.is(List::Cognition)
            || word.is(List::Empty)
            || (word.is(List::Light) && word.tag == Tag::Verb)
    }

    /// For what changes by itself: the owner is the agent, the metric is the object.
    fn what_changes(&self, subjects: &[&Phrase]) -> (Option<Part>, Option<Part>) {
        let Some(last) = subjects.last() else {
            return (None, None);
        };
        if let Some((owner, metric)) = last.owner_and_metric(self.words, self.schema) {
            return (
                Some(self.part(&owner, Found::Owner)),
                Some(self.part(&metric, Found::Subject)),
            );
        }
        let owner = subjects[..subjects.len() - 1]
            .iter()
            .rev()
            .find(|phrase| phrase.can_act(self.words, self.schema))
            .map(|phrase| self.part(&phrase.words, Found::Owner));
        let subject = self.part(&last.words, Found::Subject);
        if owner.is_none() && last.can_act(self.words, self.schema) {
            return (Some(subject), None);
        }
        (owner, Some(subject))
    }

    /// For what somebody does: the subject is the agent, what follows is the object.
    fn who_does(
        &self,
        subjects: &[&Phrase],
        behind: Option<Part>,
        at: usize,
    ) -> (Option<Part>, Option<Part>) {
        let object = behind.or_else(|| {
            self.before_state(at, Role::Towards)
                .map(|phrase| self.part(&phrase.words, Found::Towards))
        });
        // 批准甲公司推出: who stands directly before the verb does it.
        let adjacent = self.phrases().iter().rev().find(|phrase| {
            phrase.words.end <= at
                && self.only_adverbs(phrase.words.end, at)
                && matches!(phrase.role, Role::After(_))
                && phrase.can_act(self.words, self.schema)
        });
        let agent = adjacent
            .or_else(|| {
                let mut able = subjects.iter().rev().copied();
                able.find(|phrase| phrase.can_act(self.words, self.schema))
            })
            .or(subjects.last().copied())
            .map(|phrase| self.part(&phrase.words, Found::Subject));
        (agent, object)
    }

    /// The last phrase of that role between the subject and the state.
    fn before_state(&self, at: usize, role: Role) -> Option<&Phrase> {
        self.phrases()
            .iter()
            .rev()
            .find(|phrase| phrase.words.end <= at && phrase.role == role)
            .filter(|phrase| {
                !self.words[phrase.words.end..at]
                    .iter()
                    .any(|word| word.tag == Tag::Verb && !word.is(List::Light))
            })
    }

    /// 被送往: passive, and nobody says by whom.
    fn passive_without_agent(&self, at: usize) -> bool {
        self.words[..at]
            .iter()
            .rev()
            .take_while(|word| {
                matches!(
                    word.tag,
                    Tag::Adverb | Tag::Preposition | Tag::Verb | Tag::Time
                ) && !word.is(List::Speech)
            })
            .any(|word| matches!(word.text(self.text), "被" | "遭" | "获"))
    }

    /// The phrase directly behind the state, over particles, endings and amounts.
    fn object_behind(&self, at: usize, after: Option<usize>) -> Option<Part> {
        const REACH: usize = 6;
        let phrase = self
            .phrases()
            .iter()
            .find(|phrase| phrase.words.start > at)
            .filter(|phrase| phrase.role == Role::After(at) || phrase.words.start == at + 1)?;
        let parted = self.words[at + 1..phrase.words.start].iter().any(|word| {
            !matches!(
                word.punctuation,
                Punctuation::None | Punctuation::OpenQuote | Punctuation::CloseQuote
            )
        });
        let far = phrase.words.start > at + REACH;
        if far || parted || after.is_some_and(|next| next < phrase.words.start) {
            return None;
        }
        phrase
            .says_something(self.words)
            .then(|| self.part(&phrase.words, Found::Object))
    }

    fn amount_behind(&self, at: usize) -> Option<Part> {
        let mut next = at + 1;
        while self.words.get(next).is_some_and(|word| {
            word.is(List::Amount)
                || word.is(List::Aspect)
                || word.is(List::Complement)
                || word.tag == Tag::Measure
        }) && self.words[next].tag != Tag::Number
        {
            next += 1;
        }
        let word = self
            .words
            .get(next)
            .filter(|word| word.tag == Tag::Number)?;
        let counts = word.text(self.text).chars().any(begins_numeral);
        counts.then(|| self.part(&(next..next + 1), Found::Object))
    }

    fn basis_before(&self, at: usize) -> Option<Part> {
        const NEAR: usize = 4;
        let from = at.saturating_sub(NEAR);
        let basis = (from..at).rev().find(|&near| {
            matches!(
                self.words[near].text(self.text),
                "同比" | "环比" | "按年" | "按月"
            )
        })?;
        Some(self.part(&(basis..basis + 1), Found::Clause))
    }

    fn negated(&self, at: usize) -> bool {
        self.words[..at]
            .iter()
            .rev()
            .take_while(|word| word.tag != Tag::Sign && !word.tag.is_nominal())
            .any(|word| {
                matches!(
                    word.text(self.text),
                    "未" | "没有" | "没" | "不" | "不再" | "尚未" | "并未" | "未能" | "无"
                )
            })
    }

    fn part(&self, words: &Range<usize>, found: Found) -> Part {
        let start = self.words[words.start].start as usize;
        let end = self.words[words.end - 1].end as usize;
        Part::new(start..end, found)
    }
}
