//! What clauses claim: of whom or what, when, which states and numbers; and when two of them cannot both be true.

use super::SourceText;
use super::claim_lexicon::{ClaimLexicon, shipped};
use super::quantity::{Quantity, quantities};
use super::unit::{UnitKind, units};
use crate::text::time::TimeValue;
use crate::text::words::{List, Punctuation, Tag, Word};
use jiff::civil::Date;

/// What a clause claims.
#[derive(Debug, Clone)]
pub(crate) struct Claim {
    /// Its text and its first EDU.
    pub(crate) place: (usize, usize),
    /// The EDU behind its last.
    pub(crate) end: usize,
    /// When its text was written.
    pub(crate) written: Option<Date>,
    /// Whom or what it speaks of, names and nouns, each once.
    about: Vec<About>,
    /// What happens, or holds.
    states: Vec<State>,
    /// How many, how much.
    quantities: Vec<Counted>,
    /// When.
    when: When,
    /// Words of its phase: 收盘, 累计.
    phases: Vec<String>,
    /// It is still to come.
    is_planned: bool,
    /// Its number takes the place of an earlier one.
    is_update: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct About {
    word: String,
    is_name: bool,
    /// It stands in the clause itself.
    is_own: bool,
    /// It may stand for any other: 事故, 公司.
    is_generic: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct State {
    word: String,
    is_denied: bool,
}

#[derive(Debug, Clone)]
struct Counted {
    quantity: Quantity,
    shown: String,
    /// The words before it, and the one behind it.
    before: Vec<String>,
    behind: Option<String>,
}

/// The times of a clause.
#[derive(Debug, Clone, Default, PartialEq)]
struct When {
    values: Vec<TimeValue>,
    /// As they are written, of those that no calendar knows.
    words: Vec<String>,
}

/// What two claims say against each other.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Conflict {
    /// Whom or what both speak of.
    pub(crate) about: String,
    /// When, where that is known.
    pub(crate) when: String,
    /// What each says.
    pub(crate) states: (String, String),
    /// How many words both share.
    shared: usize,
}

impl Conflict {
    /// True when more than one word says that both are about the same.
    pub(crate) fn is_sure(&self) -> bool {
        self.shared > 1
    }
}

/// All claims of a text, in text order.
pub(crate) fn claims(text: &SourceText, number: usize) -> Vec<Claim> {
    let lexicon = shipped();
    let mut found: Vec<Claim> = Vec::new();
    let mut context = Context::default();
    for unit in units(&text.analysis, UnitKind::Clause) {
        let Some(words) = text.analysis.words.get(unit.words.clone()) else {
            continue;
        };
        let sentence = text.analysis.edus.get(unit.edus.start);
        context.enter(sentence.map(|edu| edu.sentence), unit.block);
        let Some(mut claim) = read(text, words, lexicon) else {
            continue;
        };
        claim.place = (number, unit.edus.start);
        claim.end = unit.edus.end;
        claim.written = text.document.date;
        context.complete(&mut claim, words);
        if !claim.states.is_empty() || !claim.quantities.is_empty() {
            found.push(claim);
        }
    }
    found
}

/// What the clauses before said, of one sentence.
#[derive(Default)]
struct Context {
    sentence: Option<usize>,
    block: usize,
    about: Vec<About>,
    when: When,
    phases: Vec<String>,
}

impl Context {
    fn enter(&mut self, sentence: Option<usize>, block: usize) {
        if self.block != block {
            *self = Context::default();
            self.block = block;
        }
        if self.sentence != sentence {
            self.sentence = sentence;
            self.about.clear();
            self.phases.clear();
        }
    }

    /// Gives a clause the subject and the time of the clauses before it, and keeps its own for the next.
    fn complete(&mut self, claim: &mut Claim, words: &[Word]) {
        let says = words.iter().any(|word| word.is(List::Speech));
        let opens_with_state = claim.about.iter().all(|about| !about.is_name);
        if opens_with_state {
            let others = self.about.iter().filter(|about| about.is_name);
            let inherited: Vec<About> = others
                .filter(|about| !claim.about.iter().any(|own| own.word == about.word))
                .map(|about| About {
                    is_own: false,
                    ..about.clone()
                })
                .collect();
            claim.about.extend(inherited);
        }
        // 此前 holds on to the end of its sentence.
        claim.phases.extend(self.phases.iter().cloned());
        claim.phases.sort_unstable();
        claim.phases.dedup();
        self.phases.clone_from(&claim.phases);
        if claim.when == When::default() {
            claim.when = self.when.clone();
        } else {
            self.when = claim.when.clone();
        }
        // Who only says something is not what it is about.
        if !says
            && claim
                .about
                .iter()
                .any(|about| about.is_name && about.is_own)
        {
            self.about = claim.about.clone();
        }
    }
}

/// Reads a clause; nothing where it says nothing.
fn read(text: &SourceText, words: &[Word], lexicon: &ClaimLexicon) -> Option<Claim> {
    let (first, last) = (words.first()?, words.last()?);
    let (start, end) = (first.start as usize, last.end as usize);
    let whole = &text.document.text;
    let piece = whole.get(start..end)?;
    let times = text.analysis.times.iter();
    let own: Vec<_> = times
        .filter(|time| time.range.start < end && start < time.range.end)
        .collect();
    let within = own
        .iter()
        .map(|time| time.range.start.saturating_sub(start)..time.range.end.saturating_sub(start));
    let within: Vec<_> = within.collect();
    let mut when = When::default();
    for time in &own {
        match time.value {
            Some(value) => when.values.push(value),
            None => when.words.push(text.document.slice(&time.range).to_owned()),
        }
    }
    let found = quantities(piece, &within, lexicon);
    let is_counted = |word: &Word| {
        let at = word.start as usize - start;
        let inside = found.iter().any(|quantity| quantity.range.contains(&at));
        inside || within.iter().any(|range| range.contains(&at))
    };
    let mut claim = Claim {
        place: (0, 0),
        end: 0,
        written: None,
        about: Vec::new(),
        states: Vec::new(),
        quantities: Vec::new(),
        when,
        phases: Vec::new(),
        is_planned: false,
        is_update: false,
    };
    let mut denied = false;
    for word in words {
        let spelled = word.text(whole);
        if word.punctuation != Punctuation::None || is_counted(word) {
            continue;
        }
        let lists = &lexicon.lists;
        claim.is_planned |= lists.planned.has(spelled);
        claim.is_update |= lists.updating.opens(spelled);
        if lists.phase.has(spelled) {
            claim.phases.push(spelled.to_owned());
        }
        let denies = lists.denying.has(spelled) && !lists.not_denying.has(spelled);
        let is_state = lexicon.has_opposite(spelled)
            || (word.tag == Tag::Verb
                && ![
                    List::Stop,
                    List::Modal,
                    List::Speech,
                    List::Cognition,
                    List::Light,
                ]
                .iter()
                .any(|list| word.is(*list)));
        if is_state && (!denies || lexicon.has_opposite(spelled)) {
            claim.states.push(State {
                word: spelled.to_owned(),
                is_denied: denied,
            });
            denied = false;
        } else if word.tag.is_nominal() && !word.is(List::Hollow) {
            claim.add_about(word, spelled, lexicon);
        }
        // 没有停止 says yes.
        denied ^= denies;
    }
    claim.quantities = counted(found, words, whole, start);
    Some(claim)
}

/// Words looked at on either side of a number.
const BESIDE: usize = 2;

/// Numbers with the words beside them.
fn counted(found: Vec<Quantity>, words: &[Word], whole: &str, start: usize) -> Vec<Counted> {
    let says = |word: &&Word| {
        let content = word.tag.is_nominal() || matches!(word.tag, Tag::Verb | Tag::Adjective);
        content && !word.is(List::Stop)
    };
    let counted = found.into_iter().map(|quantity| {
        let range = start + quantity.range.start..start + quantity.range.end;
        let before = words.iter().filter(|word| word.end as usize <= range.start);
        let behind = words.iter().filter(|word| word.start as usize >= range.end);
        let before: Vec<String> = before
            .rev()
            .take_while(|word| !word.punctuation.parts_clauses())
            .filter(says)
            .take(BESIDE)
            .map(|word| word.text(whole).to_owned())
            .collect();
        let behind = behind
            .take_while(|word| word.punctuation == Punctuation::None)
            .find(says)
            .map(|word| word.text(whole).to_owned());
        Counted {
            shown: whole.get(range).unwrap_or_default().to_owned(),
            quantity,
            before,
            behind,
        }
    });
    counted.collect()
}

impl Claim {
    fn add_about(&mut self, word: &Word, spelled: &str, lexicon: &ClaimLexicon) {
        if self.about.iter().any(|about| about.word == spelled) {
            return;
        }
        self.about.push(About {
            word: spelled.to_owned(),
            is_name: word.tag.is_proper()
                || word.tag == Tag::Abbreviation
                || word.concept().is_some(),
            is_own: true,
            is_generic: lexicon.lists.generic.has(spelled),
        });
    }

    /// Words that index it: two claims that conflict share one.
    pub(crate) fn keys(&self) -> impl Iterator<Item = &str> {
        let about = self.about.iter().filter(|about| !about.is_generic);
        about.map(|about| about.word.as_str())
    }

    /// True when it speaks of somebody or something by name.
    pub(crate) fn is_named(&self) -> bool {
        self.about
            .iter()
            .any(|about| about.is_name && !about.is_generic)
    }

    /// True when both name one time.
    pub(crate) fn has_same_time(&self, other: &Claim) -> bool {
        let mut values = self.when.values.iter();
        values.any(|value| other.when.values.contains(value))
    }

    /// True for what does not go up and down from day to day: it counts people or things, or says what was done.
    pub(crate) fn is_firm(&self) -> bool {
        let lexicon = shipped();
        let counts = self.quantities.iter().all(|counted| {
            let unit = counted.quantity.unit.as_str();
            !lexicon.lists.changing.has(unit)
        });
        let moves = |state: &State| {
            lexicon.are_alike(&state.word, RISE) || lexicon.are_opposite(&state.word, RISE)
        };
        counts && !self.states.iter().any(moves)
    }

    /// True when nothing but the texts' own words is needed to set both against each other: what goes up and down
    /// every day must be told of one time.
    pub(crate) fn may_be_set_against(&self, other: &Claim) -> bool {
        (self.is_firm() && other.is_firm()) || self.has_same_time(other)
    }

    /// What this claim and another say against each other, if they cannot both be true.
    pub(crate) fn conflict(&self, other: &Claim) -> Option<Conflict> {
        let lexicon = shipped();
        let shared = self.shared(other)?;
        let is_alike = self.phases == other.phases
            && self.is_planned == other.is_planned
            && self.when.may_be(&other.when);
        if !is_alike {
            return None;
        }
        let conflict = |states: (String, String)| Conflict {
            about: shared.join("，"),
            shared: shared.len(),
            when: self.when.told(&other.when),
            states,
        };
        if let Some((left, right)) = self.opposite_states(other, lexicon) {
            return Some(conflict((left, right)));
        }
        let (left, right) = self.unequal_numbers(other, lexicon)?;
        Some(conflict((left, right)))
    }

    /// The words that both speak of; nothing where either speaks of something of its own besides.
    fn shared(&self, other: &Claim) -> Option<Vec<String>> {
        // 半导体板块 is more than 板块: what it has besides is left over.
        let meeting = |about: &About, others: &[About]| -> Option<bool> {
            let whole = others.iter().any(|other| about.word == other.word);
            let part = others
                .iter()
                .find(|other| is_same(&about.word, &other.word));
            match part {
                _ if whole => Some(false),
                Some(other) => Some(about.word.len() > other.word.len()),
                None => None,
            }
        };
        let mut shared: Vec<String> = Vec::new();
        let mut left_over = [0, 0];
        for (side, (own, others)) in [(self, other), (other, self)].into_iter().enumerate() {
            for about in &own.about {
                match meeting(about, &others.about) {
                    Some(is_longer) => {
                        left_over[side] += usize::from(is_longer);
                        if side == 0 && !about.is_generic {
                            shared.push(about.word.clone());
                        }
                    }
                    None if about.is_own && !about.is_generic => left_over[side] += 1,
                    None => {}
                }
            }
        }
        let names = |claim: &Claim| -> Vec<String> {
            let names = claim.about.iter();
            let names = names.filter(|about| about.is_name && !about.is_generic);
            names.map(|about| about.word.clone()).collect()
        };
        let (own, theirs) = (names(self), names(other));
        let meet = own.iter().any(|a| theirs.iter().any(|b| is_same(a, b)));
        let names_agree = own.is_empty() || theirs.is_empty() || meet;
        let differs = left_over.iter().all(|count| *count > 0);
        (names_agree && !differs && !shared.is_empty()).then_some(shared)
    }

    /// States of both that cannot hold together.
    fn opposite_states(&self, other: &Claim, lexicon: &ClaimLexicon) -> Option<(String, String)> {
        // Who says both (由跌转涨) says neither against the other.
        let says = |claim: &Claim, state: &State| {
            claim.states.iter().any(|own| {
                let is_alike = lexicon.are_alike(&own.word, &state.word);
                is_alike && own.is_denied == state.is_denied
            })
        };
        for own in &self.states {
            for theirs in &other.states {
                let is_alike = lexicon.are_alike(&own.word, &theirs.word);
                let conflicts = if own.is_denied == theirs.is_denied {
                    lexicon.are_opposite(&own.word, &theirs.word)
                } else {
                    is_alike
                };
                if conflicts && !says(self, theirs) && !says(other, own) {
                    return Some((own.told(), theirs.told()));
                }
            }
        }
        None
    }

    /// Numbers of one thing that differ.
    fn unequal_numbers(&self, other: &Claim, lexicon: &ClaimLexicon) -> Option<(String, String)> {
        if self.is_update != other.is_update {
            return None;
        }
        let count = |claim: &Claim, unit: &str| {
            let all = claim.quantities.iter();
            all.filter(|counted| counted.quantity.unit == unit).count()
        };
        let alike = |a: &String, b: &String| is_same(a, b) || lexicon.are_alike(a, b);
        let states_meet = self.states.is_empty()
            || other.states.is_empty()
            || self.states.iter().any(|own| {
                let mut theirs = other.states.iter();
                theirs.any(|theirs| alike(&own.word, &theirs.word))
            });
        for own in &self.quantities {
            let unit = own.quantity.unit.as_str();
            let are_only = count(self, unit) == 1 && count(other, unit) == 1;
            for theirs in other.quantities.iter().filter(|c| c.quantity.unit == unit) {
                let beside = own
                    .before
                    .iter()
                    .any(|a| theirs.before.iter().any(|b| alike(a, b)));
                let behind = match (&own.behind, &theirs.behind) {
                    (Some(a), Some(b)) => Some(alike(a, b)),
                    _ => None,
                };
                let is_same_thing = behind != Some(false)
                    && (beside || behind == Some(true) || (are_only && states_meet));
                if is_same_thing && !own.quantity.agrees(&theirs.quantity) {
                    return Some((own.shown.clone(), theirs.shown.clone()));
                }
            }
        }
        None
    }
}

impl State {
    fn told(&self) -> String {
        if self.is_denied {
            format!("未{}", self.word)
        } else {
            self.word.clone()
        }
    }
}

impl When {
    /// True unless the two are told to be different times.
    fn may_be(&self, other: &When) -> bool {
        let values = self.values.is_empty()
            || other.values.is_empty()
            || self.values.iter().any(|value| other.values.contains(value));
        let words = self.words.is_empty()
            || other.words.is_empty()
            || self.words.iter().any(|word| other.words.contains(word));
        values && words
    }

    /// When both are.
    fn told(&self, other: &When) -> String {
        let value = self.values.first().or(other.values.first());
        value.map(ToString::to_string).unwrap_or_default()
    }
}

/// What prices do every day, they or the opposite.
const RISE: &str = "上涨";

/// True for words of which one holds the other: 准备金率 and 存款准备金率.
fn is_same(left: &str, right: &str) -> bool {
    const SHORTEST: usize = 2 * '国'.len_utf8();
    let (short, long) = if left.len() <= right.len() {
        (left, right)
    } else {
        (right, left)
    };
    short == long || (short.len() >= SHORTEST && long.contains(short))
}
