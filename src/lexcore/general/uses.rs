//! What each word of a clause does: which words are verbs of the clause, which only say of what kind
//! or which one a thing is, which are nouns though they look like verbs.

use crate::text::chinese::chinese;
use crate::text::words::{List, Punctuation, Tag, Word};

/// One Chinese character, in bytes.
pub(super) const ONE_CHARACTER: usize = 3;

/// What a word does in its clause.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Use {
    /// No verb.
    Other,
    /// A verb, or a helper of one.
    Verb,
    /// A noun by its tag that stands where only a verb can stand: 已报告, 管理局启动四级响应.
    Turned,
    /// An ending of the verb before it: 跑出来, 拍摄到, 通报称.
    Ending,
    /// A verb inside a modifier: 满载乘客的公交车, 获救乘客.
    Which,
    /// A verb that is counted or pointed at like a noun: 26场演出, 这种分裂.
    Noun,
}

/// The words of a clause with what each of them does.
pub(super) struct Uses<'a> {
    pub(super) words: &'a [Word],
    pub(super) text: &'a str,
    uses: Vec<Use>,
    /// Verbs that tell something by themselves and do not only modify by habit.
    tellers: usize,
}

impl<'a> Uses<'a> {
    pub(super) fn of(words: &'a [Word], text: &'a str) -> Uses<'a> {
        let mut uses = Uses {
            words,
            text,
            uses: vec![Use::Other; words.len()],
            tellers: 0,
        };
        uses.find_verbs();
        uses.tellers = uses.count_tellers();
        uses.turn_nouns();
        uses.find_nominal();
        uses.find_relative();
        uses.tellers = uses.count_tellers();
        uses.find_compounds();
        uses
    }

    pub(super) fn at(&self, at: usize) -> Use {
        self.uses.get(at).copied().unwrap_or(Use::Other)
    }

    pub(super) fn word_before(&self, at: usize) -> Option<&'a Word> {
        at.checked_sub(1).and_then(|before| self.words.get(before))
    }

    pub(super) fn spelling(&self, at: usize) -> &'a str {
        self.words.get(at).map_or("", |word| word.text(self.text))
    }

    pub(super) fn is_verb(&self, at: usize) -> bool {
        matches!(self.at(at), Use::Verb | Use::Turned)
    }

    /// True when some verb of the clause tells something.
    pub(super) fn tells(&self) -> bool {
        self.tellers > 0
    }

    /// A verb that tells something by itself: no helper, no ending, nothing that only modifies.
    pub(super) fn is_plain(&self, at: usize) -> bool {
        let word = &self.words[at];
        let helps = word.is(List::Stative) || word.is(List::Modal);
        self.is_verb(at) && !helps && (self.is_long(at) || self.tells_alone(at))
    }

    fn is_long(&self, at: usize) -> bool {
        self.words[at].length() > ONE_CHARACTER
    }

    /// A verb of one character that tells something: it is known to, or has an ending (转到).
    pub(super) fn tells_alone(&self, at: usize) -> bool {
        self.words[at].is(List::Telling) || self.takes_ending(at)
    }

    fn takes_ending(&self, at: usize) -> bool {
        let word = &self.words[at];
        let ends = |next: &Word| {
            next.tag == Tag::Verb && next.length() <= ONE_CHARACTER && next.is(List::Complement)
        };
        word.tag == Tag::Verb && !word.is(List::Stative) && self.words.get(at + 1).is_some_and(ends)
    }

    fn find_verbs(&mut self) {
        for at in 0..self.words.len() {
            let word = &self.words[at];
            let long = self.is_long(at);
            let verb = match word.tag {
                Tag::Verb => {
                    let known = [List::Telling, List::Stative, List::Complement, List::Modal];
                    long || known.into_iter().any(|list| word.is(list)) || self.takes_ending(at)
                }
                Tag::Sign | Tag::Time | Tag::VerbalNoun => false,
                _ => word.is(List::Telling) && (long || self.acts_alone(at)),
            };
            if verb {
                self.uses[at] = if self.is_ending(at) {
                    Use::Ending
                } else {
                    Use::Verb
                };
            }
        }
    }

    /// 被卡在驾驶室: a word of one character that only its surroundings show to be a verb.
    fn acts_alone(&self, at: usize) -> bool {
        let before = at
            .checked_sub(1)
            .is_some_and(|before| chinese().classes.passive.has(self.spelling(before)));
        before || self.has_aspect(at)
    }

    fn has_aspect(&self, at: usize) -> bool {
        let next = self.words.get(at + 1);
        next.is_some_and(|next| next.tag == Tag::Particle && next.is(List::Aspect))
    }

    /// 跑出来, 拍摄到, 回忆说: the word only ends the verb before it.
    fn is_ending(&self, at: usize) -> bool {
        const TWO_CHARACTERS: usize = 6;
        let Some(before) = self.word_before(at) else {
            return false;
        };
        let word = &self.words[at];
        let acts = self.at(at - 1) == Use::Verb && before.tag == Tag::Verb;
        let ends = (word.is(List::Complement) || word.is(List::Aspect))
            && word.length() <= TWO_CHARACTERS
            && !before.is(List::Stative);
        let says = word.is(List::Speech) && !self.is_long(at) && before.is(List::Speech);
        acts && (ends || says)
    }

    fn count_tellers(&self) -> usize {
        (0..self.words.len())
            .filter(|&at| self.is_plain(at) && !self.words[at].is(List::Attributive))
            .count()
    }

    /// Nouns that what stands around them shows to be verbs.
    fn turn_nouns(&mut self) {
        for at in 0..self.words.len() {
            let word = &self.words[at];
            let noun = word.tag.is_nominal() && self.at(at) == Use::Other && self.is_long(at);
            let before = self.word_before(at);
            if noun
                && !word.is(List::Hollow)
                && before.is_some_and(|before| before.tag != Tag::De)
                && (self.acts_on_what_follows(at) || self.follows_verbal_adverb(at))
            {
                self.uses[at] = Use::Turned;
            }
        }
    }

    /// 管理局启动四级响应, 在原址建设博物馆: a verbal noun between who acts and what is acted upon.
    fn acts_on_what_follows(&self, at: usize) -> bool {
        let word = &self.words[at];
        let (Some(before), Some(next)) = (self.word_before(at), self.words.get(at + 1)) else {
            return false;
        };
        if word.tag != Tag::VerbalNoun || word.is(List::Stative) {
            return false;
        }
        let named = [List::OrganisationSuffix, List::Title, List::People];
        let thing = next.tag.is_nominal() && !named.into_iter().any(|list| next.is(list));
        let alone = self.tellers == 0 && before.tag != Tag::Preposition;
        let goes = before.tag == Tag::Verb && before.is(List::Motion);
        (before.tag.is_nominal() && next.tag == Tag::Number) || (thing && (alone || goes))
    }

    /// 已报告, 连夜组织, 正在调查: nouns that can be verbs behind words that stand before verbs.
    fn follows_verbal_adverb(&self, at: usize) -> bool {
        let classes = &chinese().classes;
        let word = &self.words[at];
        let Some(before) = at.checked_sub(1).map(|before| self.spelling(before)) else {
            return false;
        };
        if word.is(List::Event) || !classes.verbal_adverb.has(before) {
            return false;
        }
        let next = self.words.get(at + 1);
        let parted = next.is_some_and(|next| {
            next.tag == Tag::De || (self.is_verb(at + 1) && !word.is(List::Light))
        });
        let lists = [List::Light, List::Speech, List::Attributive, List::Pivot];
        let either = word.tag == Tag::VerbalNoun || lists.into_iter().any(|list| word.is(list));
        let common = matches!(word.tag, Tag::Noun | Tag::Abbreviation | Tag::Proper);
        let sure = self.tellers == 0 && common && classes.sure_adverb.has(before);
        !parted && (either || sure)
    }

    /// 26场演出, 这种分裂, 板块的形成: a verb that is counted or pointed at names something.
    fn find_nominal(&mut self) {
        let classes = &chinese().classes;
        for at in 1..self.words.len() {
            if !self.is_verb(at) {
                continue;
            }
            let before = &self.words[at - 1];
            let pointed = before.tag == Tag::De
                || (before.tag == Tag::Pronoun && classes.demonstrative.has(self.spelling(at - 1)));
            let next = self.words.get(at + 1);
            let ends = next.is_none_or(|next| {
                let tag = next.tag;
                matches!(tag, Tag::Adverb | Tag::Verb | Tag::Sign | Tag::Particle)
            });
            if (pointed && self.is_long(at)) || (ends && self.counts(at - 1)) {
                self.uses[at] = Use::Noun;
            }
        }
    }

    /// 一名, 26场, 7起: a number with a measure that counts things and people.
    fn counts(&self, at: usize) -> bool {
        let tag = self.words[at].tag;
        let last = self.spelling(at).char_indices().next_back();
        matches!(tag, Tag::Number | Tag::Measure)
            && last.is_some_and(|(from, _)| {
                let ending = self.spelling(at).get(from..).unwrap_or_default();
                chinese().classes.counter.has(ending)
            })
    }

    /// 满载乘客的公交车, 聚集在门外的成员: verbs that only say which one.
    fn find_relative(&mut self) {
        const LONGEST_RELATIVE: usize = 10;
        let opens = (0..self.words.len()).find(|&at| !self.leads_in(at));
        let mut read = 0;
        let mut governed = false;
        for de in 1..self.words.len() {
            if self.words[de].tag != Tag::De || !self.has_head(de) {
                continue;
            }
            let before = (de.saturating_sub(LONGEST_RELATIVE)..de).rev();
            let mut inside = before.take_while(|&at| self.goes_through(at));
            let Some(verb) = inside.find(|&at| self.is_verb(at) || self.at(at) == Use::Noun) else {
                continue;
            };
            while read < verb {
                governed |= self.takes_a_thing(read);
                read += 1;
            }
            let first = opens.is_some_and(|opens| opens >= verb);
            if self.says_which(verb, de, governed, first) {
                self.uses[verb] = Use::Which;
            }
        }
    }

    /// Words that only lead in a clause: adverbs, times, conjunctions, marks.
    fn leads_in(&self, at: usize) -> bool {
        let tag = self.words[at].tag;
        matches!(tag, Tag::Adverb | Tag::Time | Tag::Sign | Tag::Conjunction)
    }

    fn has_head(&self, de: usize) -> bool {
        self.words.get(de + 1).is_some_and(|next| {
            matches!(next.punctuation, Punctuation::None | Punctuation::OpenQuote)
        })
    }

    fn goes_through(&self, at: usize) -> bool {
        let word = &self.words[at];
        let mark = matches!(
            word.punctuation,
            Punctuation::None
                | Punctuation::OpenQuote
                | Punctuation::CloseQuote
                | Punctuation::Enumeration
        );
        mark && word.tag != Tag::De
    }

    /// A verb whose object is a thing, so that a verb behind it belongs to that thing.
    fn takes_a_thing(&self, at: usize) -> bool {
        let lists = [
            List::Speech,
            List::Cognition,
            List::Motion,
            List::Light,
            List::Empty,
            List::Pivot,
        ];
        let word = &self.words[at];
        self.is_plain(at) && self.is_long(at) && !lists.into_iter().any(|list| word.is(list))
    }

    /// Whether the verb belongs to what stands before the 的. `governed`: another verb stands before
    /// it that takes a thing; `first`: it opens the clause.
    fn says_which(&self, verb: usize, de: usize, governed: bool, first: bool) -> bool {
        let between = &self.words[verb + 1..de];
        let counted = between.iter().all(|word| {
            matches!(word.tag, Tag::Number | Tag::Measure | Tag::Time)
                || word.is(List::Amount)
                || word.is(List::Complement)
        });
        if counted {
            return true;
        }
        if between.first().is_some_and(|word| word.is(List::Aspect)) {
            return false;
        }
        let determined = self.word_before(verb).is_some_and(|before| {
            matches!(before.tag, Tag::Number | Tag::Measure)
                || (before.tag == Tag::Pronoun && !before.is(List::Person))
        });
        determined || governed || (first && self.head_acts(de))
    }

    /// 来自18国的乐手登台: the noun behind the 的 is the subject of a verb.
    fn head_acts(&self, de: usize) -> bool {
        const LONGEST_HEAD: usize = 8;
        let behind = (de + 1..self.words.len()).take(LONGEST_HEAD);
        let next = behind.clone().find(|&at| {
            let tag = self.words[at].tag;
            let inside = tag.is_nominal()
                || matches!(
                    tag,
                    Tag::Number
                        | Tag::Measure
                        | Tag::Adjective
                        | Tag::Distinguisher
                        | Tag::Pronoun
                        | Tag::Adverb
                        | Tag::Time
                );
            !inside || self.is_verb(at)
        });
        next.is_some_and(|at| self.is_verb(at) && !self.names_with_next(at))
    }

    fn names_with_next(&self, at: usize) -> bool {
        let fits = |next: &Word| {
            let other = matches!(
                next.tag,
                Tag::Locative | Tag::Number | Tag::Adverb | Tag::Particle | Tag::Verb
            );
            next.is(List::CompoundHead) && (!other || next.is(List::Unit))
        };
        self.words.get(at + 1).is_some_and(fits)
    }

    /// 获救乘客, 追尾事故, 将被抓男子铐住: a verb before a noun that says of what kind it is.
    fn find_compounds(&mut self) {
        for at in 0..self.words.len() {
            if self.is_verb(at) && self.is_compound(at) {
                self.uses[at] = Use::Which;
            }
        }
    }

    fn is_compound(&self, at: usize) -> bool {
        let classes = &chinese().classes;
        let word = &self.words[at];
        let Some(next) = self.words.get(at + 1) else {
            return false;
        };
        let spelled = |back: usize| at.checked_sub(back).map_or("", |at| self.spelling(at));
        if classes.passive.has(spelled(1)) && classes.disposal.has(spelled(2)) {
            return true;
        }
        if self.is_marked(at) {
            return false;
        }
        if self.names_with_next(at) {
            return true;
        }
        let takes = [
            List::Light,
            List::Empty,
            List::Pivot,
            List::Speech,
            List::Cognition,
            List::Telling,
        ];
        let event = next.is(List::Event) && !matches!(next.tag, Tag::Verb | Tag::VerbalNoun);
        if event && !takes.into_iter().any(|list| word.is(list)) {
            return true;
        }
        let counted = at > 0 && self.counts(at - 1);
        if counted && (next.tag.is_nominal() || next.tag == Tag::Distinguisher) {
            return true;
        }
        let opened = self.word_before(at).is_some_and(|before| {
            let lists = [List::Speech, List::Cognition, List::Pivot, List::Modal];
            self.is_verb(at - 1) && lists.into_iter().any(|list| before.is(list))
        });
        let noun = match next.tag {
            Tag::Distinguisher => self.words.get(at + 2),
            _ => Some(next),
        };
        let common =
            noun.is_some_and(|noun| matches!(noun.tag, Tag::Noun | Tag::VerbalNoun | Tag::Proper));
        word.is(List::Attributive) && common && !opened && self.tells()
    }

    /// What stands around the word shows that it is a verb: 已, 首次, 可 before it, 了 behind it.
    pub(super) fn is_marked(&self, at: usize) -> bool {
        let before = self.word_before(at).is_some_and(|before| {
            before.is(List::Modal) || chinese().classes.verbal_adverb.has(before.text(self.text))
        });
        before || self.has_aspect(at)
    }
}
