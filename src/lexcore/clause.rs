//! One clause: which of its words are states, and what fills the places around them.

use std::cell::OnceCell;
use std::ops::Range;

use super::phrase::{Phrase, Role, phrases};
use super::{Found, Part};
use crate::schema::{ConceptKind, RelationId, Schema};
use crate::text::chinese::chinese;
use crate::text::time::Time;
use crate::text::words::{List, Punctuation, Tag, Word};

/// A clause being read.
pub(super) struct Clause<'a> {
    pub(super) words: &'a [Word],
    pub(super) text: &'a str,
    pub(super) schema: &'a Schema,
    /// Found when first asked for: many clauses tell nothing.
    phrases: OnceCell<Vec<Phrase>>,
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
    /// The clause leaves its agent to the one behind: 通过收购甲公司，乙公司将….
    pub(super) agent_follows: bool,
}

impl<'a> Clause<'a> {
    pub(super) fn new(words: &'a [Word], text: &'a str, schema: &'a Schema) -> Clause<'a> {
        Clause {
            phrases: OnceCell::new(),
            words,
            text,
            schema,
        }
    }

    pub(super) fn phrases(&self) -> &[Phrase] {
        self.phrases.get_or_init(|| phrases(self.words, self.text))
    }

    /// The states of the clause with their arguments, left to right.
    pub(super) fn cores(&self) -> Vec<Told> {
        let states = self.states();
        let mut cores = Vec::with_capacity(states.len());
        for (number, &at) in states.iter().enumerate() {
            cores.push(self.read_state(at, states.get(number + 1).copied()));
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
            let compares = &chinese().classes.comparison;
            compares.has(self.words[before].text(self.text))
        })
    }

    fn states(&self) -> Vec<usize> {
        let words = self.words.iter().enumerate();
        words
            .filter(|(_, word)| word.trigger().is_some())
            .filter_map(|(at, _)| self.is_state(at).then_some(at))
            .collect()
    }

    /// A trigger that tells of something, and is no part of a noun or of another state.
    fn is_state(&self, at: usize) -> bool {
        let word = &self.words[at];
        let relation = word.trigger();
        let relation = relation.and_then(|id| self.schema.relations.get(id.0 as usize));
        let carries_another = word.is(List::Light) && self.trigger_follows(at);
        let untold = carries_another
            || word.is(List::Speech)
            || self.modifies(at)
            || self.is_nominal(at)
            || self.leads_up(at)
            || self.serves(at)
            || self.is_gloss(at)
            || (word.is(List::Transitive) && self.object_behind(at, None).is_none())
            || self.is_limit(at)
            || self.is_bare(at);
        relation.is_some_and(|relation| relation.core) && !untold
    }

    /// 接近把贷款业务出售: what happens is the verb behind.
    fn leads_up(&self, at: usize) -> bool {
        let next = self.words.get(at + 1);
        next.is_some_and(|next| chinese().classes.disposal.has(next.text(self.text)))
    }

    /// （生成式引擎优化）: what stands alone in brackets says what something is called.
    fn is_gloss(&self, at: usize) -> bool {
        const LONGEST_GLOSS: usize = 5;
        let mark = |word: &Word| word.punctuation;
        let closes = self.words.get(at + 1).map(mark) == Some(Punctuation::CloseBracket);
        let before = self.words[..at].iter().rev().take(LONGEST_GLOSS);
        closes
            && before
                .map(mark)
                .find(|mark| *mark != Punctuation::None)
                .is_some_and(|mark| mark == Punctuation::OpenBracket)
    }

    /// 为业绩增长筑牢根基: what something else is done for.
    fn serves(&self, at: usize) -> bool {
        let relation = self.words[at].trigger();
        let changes = relation
            .and_then(|id| self.schema.relations.get(id.0 as usize))
            .is_some_and(|relation| relation.subject == ConceptKind::Object);
        let served = &chinese().classes.beneficiary;
        let serving = |word: &Word| served.has(word.text(self.text));
        changes
            && self.words[..at].iter().any(serving)
            && self.phrases().iter().any(|phrase| {
                let governor = phrase.words.start.checked_sub(1);
                phrase.words.end == at && governor.is_some_and(|at| serving(&self.words[at]))
            })
            && !self.nothing_follows(at)
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
        let classes = &chinese().classes;
        let is_denied = |before: &Word| classes.limit_denied.has(before.text(self.text));
        classes.limit.has(self.words[at].text(self.text))
            && self.words[..at].last().is_some_and(is_denied)
    }

    /// 上涨的股票, 上市公司, 投资需求: the word only modifies what follows.
    fn modifies(&self, at: usize) -> bool {
        let Some(next) = self.words.get(at + 1) else {
            return false;
        };
        if next.tag == Tag::De {
            // 的 at the end only affirms: 是公司提供的。
            return self.words.get(at + 2).is_some_and(|word| {
                matches!(word.punctuation, Punctuation::None | Punctuation::OpenQuote)
            });
        }
        // 市值超过百亿的公司: the amount may stand between.
        let counted = self.words[at + 1..]
            .iter()
            .position(|word| word.tag != Tag::Number && !word.is(List::Amount))
            .map(|behind| at + 1 + behind);
        if let Some(de) = counted.filter(|&de| de > at + 1)
            && self.words[de].tag == Tag::De
            && self
                .words
                .get(de + 1)
                .is_some_and(|word| word.punctuation == Punctuation::None)
        {
            return true;
        }
        // 平稳运转: a word of state before a verb says how, not what.
        let manner = match self.words[at].tag {
            Tag::Adjective => next.tag == Tag::Verb,
            // 加速融入.
            Tag::Adverb => matches!(next.tag, Tag::Verb | Tag::VerbalNoun),
            _ => false,
        };
        manner || self.inside_compound(at)
    }

    /// 市场的变化, 调查与投资战略, 这种变化: a noun by what stands before or behind it.
    fn is_nominal(&self, at: usize) -> bool {
        let before = at.checked_sub(1).map(|before| &self.words[before]);
        let counted = before.is_some_and(|word| {
            word.tag == Tag::Measure || (word.tag == Tag::Number && !word.is(List::Percent))
        });
        // 暂停开放: what is stopped does not happen.
        let classes = &chinese().classes;
        let stopped = before.is_some_and(|word| classes.prevention.has(word.text(self.text)));
        let attributive = self.words[at].is(List::Attributive);
        let joined = self.words.get(at + 1).is_some_and(|word| {
            classes.noun_joiner.has(word.text(self.text))
                || (attributive && word.punctuation == Punctuation::Enumeration)
        });
        counted || stopped || joined || self.ends_a_noun(at)
    }

    /// 市场的变化, 这种变化, 低延迟: what stands before it makes it a noun.
    fn ends_a_noun(&self, at: usize) -> bool {
        let before = at.checked_sub(1).map(|before| &self.words[before]);
        before.is_some_and(|word| {
            matches!(word.tag, Tag::De | Tag::Pronoun)
                || chinese().classes.noun_opener.has(word.text(self.text))
        })
    }

    /// True when the trigger there says something of the clause, and is no part of a noun.
    pub(super) fn tells(&self, at: usize) -> bool {
        !(self.modifies(at) || self.ends_a_noun(at) || self.is_gloss(at))
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

    pub(super) fn part(&self, words: &Range<usize>, found: Found) -> Part {
        let start = self.words[words.start].start as usize;
        let end = self.words[words.end - 1].end as usize;
        Part::new(start..end, found)
    }
}
