//! What clauses leave out and take over from the clauses before: the time that goes on, the subject
//! that stays the same.

use std::mem;

use super::super::clause::Clause;
use super::super::extract::predicates_apart;
use super::super::{Core, Found, Part};
use super::Reading;
use super::participants::{Seen, Told};
use crate::schema::Schema;
use crate::text::chinese::chinese;
use crate::text::time::Time;
use crate::text::words::{Punctuation, Tag, Word};

/// A text that is being read, with what its next clause may leave out.
pub(in super::super) struct Story<'a> {
    text: &'a str,
    schema: &'a Schema,
    pub(in super::super) cores: Vec<Core>,
    /// The time of what is being told.
    now: Option<Dated>,
    /// The time of what somebody says, until the sentence ends.
    said_of: Option<Dated>,
    /// The first time of the text.
    first: Option<Dated>,
    /// Somebody has been speaking since a word of this sentence.
    speaking: bool,
    /// The subject of the sentence so far.
    subject: Option<Part>,
    /// Cores of this sentence whose subject stands behind them: 接到报警后，警方….
    waiting: Vec<usize>,
    sentence: usize,
}

/// A time with its stretch of the text.
#[derive(Clone)]
struct Dated {
    part: Part,
    time: Time,
}

impl<'a> Story<'a> {
    pub(in super::super) fn new(text: &'a str, schema: &'a Schema) -> Story<'a> {
        Story {
            text,
            schema,
            cores: Vec::new(),
            now: None,
            said_of: None,
            first: None,
            speaking: false,
            subject: None,
            waiting: Vec::new(),
            sentence: 0,
        }
    }

    /// A new paragraph goes back to the first time of the text.
    pub(in super::super) fn enter_paragraph(&mut self) {
        self.now = None;
        self.end_sentence();
    }

    pub(in super::super) fn enter_sentence(&mut self, sentence: usize) {
        if sentence != self.sentence {
            self.sentence = sentence;
            self.end_sentence();
        }
    }

    fn end_sentence(&mut self) {
        self.said_of = None;
        self.speaking = false;
        self.subject = None;
        self.waiting.clear();
    }

    /// Reads a clause; how many of its words are a dateline, the caller has found.
    pub(in super::super) fn read(&mut self, words: &[Word], times: &[Time]) {
        let begin = words.first().map_or(0, |word| word.start as usize);
        let times: Vec<Dated> = dated(words, times, self.text)
            .filter(|time| time.part.range.start >= begin)
            .collect();
        for piece in predicates_apart(words) {
            self.read_piece(piece, &times);
        }
    }

    fn read_piece(&mut self, words: &[Word], times: &[Dated]) {
        let reading = Reading::of(words, self.text);
        let states = reading.states();
        let clause = Clause::new(words, self.text, self.schema);
        let mut seen = Seen::default();
        let mut subject = None;
        for &(at, found) in &states {
            let told = reading.told(&mut seen, at, found);
            let time = nearest(times, told.state.range.start);
            if let Some(time) = time {
                self.see_time(time);
            }
            let dated = time.cloned();
            let core = self.complete(&told, dated);
            // 看见两名男子: a number that belongs to the object is no amount of the state.
            let object = core.object.as_ref().map(|part| part.range.clone());
            let of_object = |amount: &Part| {
                object
                    .as_ref()
                    .is_some_and(|object| object.contains(&amount.range.start))
            };
            self.cores.push(Core {
                amount: clause.amount_behind(at).filter(|amount| !of_object(amount)),
                basis: clause.basis_before(at),
                negated: clause.negated(at),
                ..core
            });
            self.speaking |= told.speaks;
            subject = told.subject.or(subject);
        }
        if states.is_empty()
            && let Some(time) = times.last()
        {
            self.see_time(time);
        }
        if let Some(subject) = subject.or_else(|| reading.topic(&states)) {
            self.see_subject(subject);
        }
    }

    /// What is said may lie in another time; where it is told by whom, the story stands still.
    fn see_time(&mut self, time: &Dated) {
        if self.speaking && self.now.is_some() {
            self.said_of = Some(time.clone());
        } else {
            self.now = Some(time.clone());
        }
        if self.first.is_none() {
            self.first = Some(time.clone());
        }
    }

    fn see_subject(&mut self, subject: Part) {
        for at in mem::take(&mut self.waiting) {
            if let Some(core) = self.cores.get_mut(at)
                && core.agent.is_none()
            {
                core.agent = Some(subject.inherited());
            }
        }
        self.subject = Some(subject);
    }

    /// Fills in what the clause left out: the time that goes on, the subject of the sentence.
    fn complete(&mut self, told: &Told, time: Option<Dated>) -> Core {
        let inherited = || {
            let said = self.said_of.as_ref().filter(|_| self.speaking);
            let going_on = said.or(self.now.as_ref()).or(self.first.as_ref());
            going_on.map(|dated| (dated.part.inherited(), dated.time.value))
        };
        let (time, when) = match time {
            Some(dated) => Some((dated.part, dated.time.value)),
            None => inherited(),
        }
        .unzip();
        let mut agent = told.agent.clone();
        let mut object = told.object.clone();
        match self.subject.as_ref().filter(|_| !told.has_subject) {
            Some(subject) if told.passive && object.is_none() => {
                object = Some(subject.inherited());
            }
            Some(subject) if agent.is_none() => agent = Some(subject.inherited()),
            // 爆炸发生后，官兵赶到: who comes behind an event did not make it happen.
            None if agent.is_none()
                && !told.passive
                && !told.has_subject
                && told.state.found == Found::Verb =>
            {
                self.waiting.push(self.cores.len());
            }
            _ => {}
        }
        Core {
            edu: 0,
            time,
            when: when.flatten(),
            agent,
            object,
            state: told.state.clone(),
            amount: None,
            basis: None,
            negated: false,
            relation: None,
        }
    }
}

/// The last time before the state, else the first behind it.
fn nearest(times: &[Dated], state: usize) -> Option<&Dated> {
    let before = times.iter().rev().find(|time| time.part.range.end <= state);
    before.or_else(|| times.first())
}

/// The times of a clause that say when; times in a row are one. 较上月 is what something is compared
/// with, 尘封八年的纪录 says how long.
fn dated<'t>(
    words: &'t [Word],
    times: &'t [Time],
    text: &'t str,
) -> impl Iterator<Item = Dated> + 't {
    let mut start = None;
    times.iter().enumerate().filter_map(move |(number, time)| {
        let begin = start.take().unwrap_or(time.range.start);
        let goes_on = times
            .get(number + 1)
            .is_some_and(|next| next.range.start == time.range.end);
        if goes_on {
            start = Some(begin);
            return None;
        }
        says_when(words, time, text).then(|| Dated {
            part: Part::new(begin..time.range.end, Found::Clause),
            time: time.clone(),
        })
    })
}

fn says_when(words: &[Word], time: &Time, text: &str) -> bool {
    let at = words.partition_point(|word| (word.start as usize) < time.range.start);
    let Some(before) = at.checked_sub(1).and_then(|before| words.get(before)) else {
        return true;
    };
    let compares = chinese().classes.comparison.has(before.text(text));
    let next = words.get(at + 1);
    let modifies = next.is_some_and(|next| next.tag == Tag::De)
        && !matches!(before.tag, Tag::Sign | Tag::Preposition);
    !compares && !modifies
}

/// How many words at the beginning of a paragraph only say where the news comes from: 新华社喀布尔
/// 5月3日电, 本报讯（记者 周航）.
pub(crate) fn dateline(words: &[Word], text: &str) -> usize {
    const LONGEST: usize = 10;
    let closing = &chinese().classes.dateline;
    let end = words
        .iter()
        .take(LONGEST)
        .enumerate()
        .position(|(at, word)| {
            let next = words.get(at + 1);
            let parted = next.is_some_and(|next| {
                let space = next.text(text).trim().is_empty();
                space || next.punctuation == Punctuation::OpenBracket
            });
            let dated = at
                .checked_sub(1)
                .is_some_and(|before| words[before].tag == Tag::Time);
            at > 0 && closing.has(word.text(text)) && (parted || dated)
        });
    let Some(end) = end.map(|end| end + 1) else {
        return 0;
    };
    let opens = words.get(end).map(|word| word.punctuation) == Some(Punctuation::OpenBracket);
    let close = words
        .get(end..)
        .unwrap_or_default()
        .iter()
        .position(|word| word.punctuation == Punctuation::CloseBracket);
    match close {
        Some(close) if opens => end + close + 1,
        _ => end,
    }
}
