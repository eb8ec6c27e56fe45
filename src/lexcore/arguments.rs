//! What fills the places around a state: who, what, how much, compared with when.

use super::clause::{Clause, Told};
use super::phrase::{Phrase, Role};
use super::{Found, Part};
use crate::schema::ConceptKind;
use crate::text::begins_numeral;
use crate::text::chinese::chinese;
use crate::text::words::{List, Punctuation, Tag, Word};

impl Clause<'_> {
    pub(super) fn read_state(&self, at: usize, after: Option<usize>) -> Told {
        let relation = self.words[at].trigger();
        let subject_changes = relation
            .and_then(|id| self.schema.relations.get(id.0 as usize))
            .is_some_and(|relation| relation.subject == ConceptKind::Object);
        let behind = self.object_behind(at, after);
        let subjects = self.subjects(at, subject_changes && behind.is_none());
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
            final_word: self.nothing_follows(at) && !self.hollow_subject(at),
            agent_can_act,
            agent_follows: self.leads_in(),
            state: self.part(&(at..at + 1), Found::Trigger),
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

    /// 通过收购甲公司, 为了扩大产能: only leads in what somebody does who is named behind.
    fn leads_in(&self) -> bool {
        let first = self.words.iter().find(|word| {
            word.punctuation == Punctuation::None
                && !matches!(word.tag, Tag::Time | Tag::Adverb | Tag::Conjunction)
        });
        first.is_some_and(|word| chinese().classes.lead_in.has(word.text(self.text)))
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
                || chinese().classes.before_predicate.has(word.text(self.text))
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
    pub(super) fn nothing_follows(&self, at: usize) -> bool {
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
        if let Some(phrase) = self.phrase_before(at)
            && changes
            && matches!(phrase.role, Role::After(_) | Role::Towards | Role::Oblique)
            && phrase.says_something(self.words)
            && !self.is_start_or_base(phrase)
        {
            // 带动油价上涨, 对子公司的持股比例提升: what stands before the change is what changes.
            return vec![phrase];
        }
        if self.hollow_subject(at) {
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

    /// The phrase that only adverbs part from the state.
    fn phrase_before(&self, at: usize) -> Option<&Phrase> {
        let mut before = self.phrases().iter().rev();
        before
            .find(|phrase| phrase.words.end <= at)
            .filter(|phrase| self.only_adverbs(phrase.words.end, at))
    }

    /// 消费升级的趋势没有改变: what stands before says too little.
    fn hollow_subject(&self, at: usize) -> bool {
        self.phrase_before(at)
            .is_some_and(|phrase| phrase.role == Role::Free && !phrase.says_something(self.words))
    }

    /// 从低点反弹, 较去年增长: not what changes, but from where.
    fn is_start_or_base(&self, phrase: &Phrase) -> bool {
        let before = self.words[..phrase.words.start].iter().rev();
        before
            .take_while(|word| word.punctuation == Punctuation::None)
            .find(|word| word.is(List::Oblique))
            .is_some_and(|word| {
                let starts = &chinese().classes.starting_point;
                phrase.role == Role::Oblique && starts.has(word.text(self.text))
            })
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
            .any(|word| chinese().classes.passive.has(word.text(self.text)))
    }

    /// The phrase directly behind the state, over particles, endings and amounts.
    pub(super) fn object_behind(&self, at: usize, after: Option<usize>) -> Option<Part> {
        const REACH: usize = 6;
        if let Some(object) = self.object_of_what(at) {
            return Some(object);
        }
        let phrase = self
            .phrases()
            .iter()
            .find(|phrase| phrase.words.start > at)
            .filter(|phrase| phrase.role == Role::After(at) || phrase.words.start == at + 1)?;
        let parted = self.words[at + 1..phrase.words.start].iter().any(|word| {
            let quoted = matches!(
                word.punctuation,
                Punctuation::None | Punctuation::OpenQuote | Punctuation::CloseQuote
            );
            // 下降主要原因是…: another sentence begins.
            !quoted || word.text(self.text).ends_with('是')
        });
        let far = phrase.words.start > at + REACH;
        if far || parted || after.is_some_and(|next| next < phrase.words.start) {
            return None;
        }
        if let Some(head) = self.head_behind(phrase) {
            return Some(self.part(&head.words, Found::Object));
        }
        phrase.says_something(self.words).then(|| {
            let end = self.nominal_end(at, phrase);
            self.part(&(phrase.words.start..end), Found::Object)
        })
    }

    /// 降低对传统地产的依赖: what is meant stands behind the 的, or is what 对 leads to.
    fn object_of_what(&self, at: usize) -> Option<Part> {
        let towards = self.words.get(at + 1)?;
        if towards.text(self.text) != "对" {
            return None;
        }
        let phrase = self
            .phrases()
            .iter()
            .find(|phrase| phrase.words.start == at + 2)?;
        let head = match self.words.get(phrase.words.end) {
            Some(de) if de.tag == Tag::De => phrase.words.end + 2,
            _ => phrase.words.end,
        };
        let words = at + 2..head.min(self.words.len());
        Some(self.part(&words, Found::Object))
    }

    /// 获得证监会颁发的牌照, 收复战争爆发以来的跌幅: the phrase behind the state only begins a
    /// modifier, and what is meant stands behind its 的.
    fn head_behind(&self, phrase: &Phrase) -> Option<&Phrase> {
        const LONGEST_MODIFIER: usize = 8;
        let behind = self.words[phrase.words.end..].iter().take(LONGEST_MODIFIER);
        let modifier = behind.take_while(|word| word.punctuation == Punctuation::None);
        let de = modifier.clone().position(|word| word.tag == Tag::De)?;
        let has_verb = modifier.take(de).any(|word| word.tag == Tag::Verb);
        let head = phrase.words.end + de + 1;
        let mut phrases = self.phrases().iter();
        phrases
            .find(|later| has_verb && later.words.start == head && later.says_something(self.words))
    }

    /// 收到税务部门通知, 获证监会同意注册批复: what is got may end in verbs, up to the end of the
    /// clause.
    fn nominal_end(&self, at: usize, phrase: &Phrase) -> usize {
        const LONGEST: usize = 4;
        let receipt = &chinese().classes.receipt;
        let gets = receipt.has(self.words[at].text(self.text));
        let end = phrase.words.end;
        let rest = self.words[end..]
            .iter()
            .take_while(|word| word.punctuation == Punctuation::None);
        let all = rest.clone().count();
        let verbal = rest
            .clone()
            .all(|word| matches!(word.tag, Tag::Verb | Tag::De) || word.tag.is_nominal());
        if gets && verbal && all <= LONGEST {
            end + all
        } else {
            end
        }
    }

    pub(super) fn amount_behind(&self, at: usize) -> Option<Part> {
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

    pub(super) fn basis_before(&self, at: usize) -> Option<Part> {
        const NEAR: usize = 4;
        let from = at.saturating_sub(NEAR);
        let bases = &chinese().classes.basis;
        let mut near = (from..at).rev();
        let basis = near.find(|&near| bases.has(self.words[near].text(self.text)))?;
        Some(self.part(&(basis..basis + 1), Found::Clause))
    }

    pub(super) fn negated(&self, at: usize) -> bool {
        self.words[..at]
            .iter()
            .rev()
            .take_while(|word| word.tag != Tag::Sign && !word.tag.is_nominal())
            .any(|word| chinese().classes.negation.has(word.text(self.text)))
    }
}
