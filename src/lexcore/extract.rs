//! The cores of a whole document, with what clauses leave out taken from what stands before.

use super::clause::{Clause, Told};
use super::general::{Story, dateline};
use super::{Core, Found, Part};
use crate::schema::{RelationId, Schema};
use crate::text::segment::clause_ends;
use crate::text::time::Time;
use crate::text::words::{Punctuation, Tag, Word};
use crate::text::{Analysis, Document};

/// Extracts lexical cores.
#[derive(Debug)]
pub struct Extractor<'a> {
    schema: &'a Schema,
    by_triggers: bool,
}

/// What later clauses may take over.
#[derive(Default)]
struct Antecedents {
    /// The last time of the paragraph.
    time: Option<(Part, Time)>,
    /// The first time of the text.
    first_time: Option<(Part, Time)>,
    agent: Option<Part>,
    /// The agent was named in the sentence being read.
    agent_is_fresh: bool,
    /// The agent only says what follows.
    agent_is_source: bool,
    object: Option<Part>,
    /// The sentence being read.
    sentence: usize,
}

impl<'a> Extractor<'a> {
    /// With a schema whose relations have triggers, those are the states; without, all verbs and
    /// event nouns that tell something.
    pub fn new(schema: &'a Schema) -> Extractor<'a> {
        let by_triggers = schema
            .relations
            .iter()
            .any(|relation| relation.core && !relation.triggers.is_empty());
        Extractor {
            schema,
            by_triggers,
        }
    }

    /// The domain relation that some words tell of: that of the first trigger that is no part of a
    /// noun. Triggers that are no states of cores count wherever they stand.
    pub fn relation(&self, words: &[Word], text: &str) -> Option<RelationId> {
        let clause = Clause::new(words, text, self.schema);
        let is_core = |id: RelationId| {
            let relation = self.schema.relations.get(id.0 as usize);
            relation.is_some_and(|relation| relation.core)
        };
        words.iter().enumerate().find_map(|(at, word)| {
            let relation = word.trigger()?;
            (!is_core(relation) || clause.tells(at)).then_some(relation)
        })
    }

    /// The cores of a document, in text order.
    pub fn extract(&self, document: &Document, analysis: &Analysis) -> Vec<Core> {
        if self.by_triggers {
            self.extract_triggers(document, analysis)
        } else {
            self.extract_all(document, analysis)
        }
    }

    /// What happens, is said, seen or appears, whatever the text is about.
    fn extract_all(&self, document: &Document, analysis: &Analysis) -> Vec<Core> {
        let mut story = Story::new(&document.text, self.schema);
        let mut position = Position::default();
        for block in &analysis.blocks {
            story.enter_paragraph();
            let words = &analysis.words[block.clone()];
            let mut begin = dateline(words, &document.text);
            for end in clause_ends(words) {
                if end <= begin {
                    continue;
                }
                let clause = &words[begin..end];
                story.enter_sentence(position.sentence(analysis, block.start + begin));
                story.read(clause, position.times_of(analysis, clause));
                begin = end;
            }
        }
        let mut cores = story.cores;
        // Something happens to somebody or something, or it is not told.
        cores.retain(|core| core.agent.is_some() || core.object.is_some());
        for core in &mut cores {
            position.place(analysis, core);
        }
        cores
    }

    /// The states that the schema's triggers tell of.
    fn extract_triggers(&self, document: &Document, analysis: &Analysis) -> Vec<Core> {
        let mut cores = Vec::new();
        let mut antecedents = Antecedents::default();
        let mut position = Position::default();
        for block in &analysis.blocks {
            antecedents.enter_paragraph();
            let words = &analysis.words[block.clone()];
            let mut begin = 0;
            for end in clause_ends(words) {
                let clause = &words[begin..end];
                antecedents.enter_sentence(position.sentence(analysis, block.start + begin));
                begin = end;
                let times = position.times_of(analysis, clause);
                for piece in predicates_apart(clause) {
                    let piece = Clause::new(piece, &document.text, self.schema);
                    read_clause(&piece, times, &mut antecedents, |mut core| {
                        position.place(analysis, &mut core);
                        cores.push(core);
                    });
                }
            }
        }
        cores
    }
}

/// How far the reading of a document has come.
#[derive(Default)]
struct Position {
    sentence: usize,
    time: usize,
    edu: usize,
}

impl Position {
    /// The sentence that the word lies in.
    fn sentence(&mut self, analysis: &Analysis, word: usize) -> usize {
        let sentences = &analysis.sentences;
        while sentences.get(self.sentence).is_some_and(|s| s.end <= word) {
            self.sentence += 1;
        }
        self.sentence
    }

    /// The times that the clause holds.
    fn times_of<'t>(&mut self, analysis: &'t Analysis, clause: &[Word]) -> &'t [Time] {
        let first = self.time;
        let end = clause.last().map_or(0, |word| word.end as usize);
        while analysis
            .times
            .get(self.time)
            .is_some_and(|time| time.range.end <= end)
        {
            self.time += 1;
        }
        &analysis.times[first..self.time]
    }

    /// Gives a core its EDU. A time of the same EDU is the core's own, though a comma may stand
    /// between.
    fn place(&mut self, analysis: &Analysis, core: &mut Core) {
        let edus = &analysis.edus;
        let state = core.state.range.start;
        while edus
            .get(self.edu + 1)
            .is_some_and(|next| next.range.start <= state)
        {
            self.edu += 1;
        }
        core.edu = self.edu;
        if let (Some(time), Some(edu)) = (&mut core.time, edus.get(self.edu))
            && edu.range.start <= time.range.start
            && time.range.end <= edu.range.end
        {
            time.found = Found::Clause;
        }
    }
}

/// Reads one clause: completes its cores from what stands before and remembers what may be left
/// out behind.
fn read_clause(
    clause: &Clause<'_>,
    times: &[Time],
    antecedents: &mut Antecedents,
    mut emit: impl FnMut(Core),
) {
    let times: Vec<&Time> = times.iter().filter(|time| !clause.is_base(time)).collect();
    if let Some(time) = times.last() {
        antecedents.see_time(time);
    }
    let mut metric = None;
    for told in clause.cores() {
        let time = nearest_time(&times, told.state.range.start);
        let agent_can_act = told.agent_can_act;
        let Some(core) = complete(told, time, antecedents) else {
            continue;
        };
        if let Some(agent) = &core.agent
            && agent_can_act
            && !agent.is_inherited()
        {
            antecedents.see_agent(agent.clone(), false);
        }
        if let Some(object) = &core.object
            && object.found == Found::Subject
        {
            metric = Some(object.clone());
        }
        emit(core);
    }
    if let Some(metric) = metric.or_else(|| clause.metric()) {
        antecedents.object = Some(metric);
    }
    if !antecedents.agent_is_fresh
        && let Some(topic) = clause.topic()
    {
        antecedents.see_agent(topic, clause.is_source());
    }
}

impl Antecedents {
    fn enter_paragraph(&mut self) {
        self.time = None;
        self.agent = None;
        self.object = None;
    }

    fn enter_sentence(&mut self, sentence: usize) {
        if sentence != self.sentence {
            self.sentence = sentence;
            self.object = None;
            self.agent_is_fresh = false;
        }
    }

    fn see_agent(&mut self, agent: Part, is_source: bool) {
        self.agent = Some(agent);
        self.agent_is_fresh = true;
        self.agent_is_source = is_source;
    }

    fn see_time(&mut self, time: &Time) {
        let part = Part::new(time.range.clone(), Found::Clause);
        self.first_time
            .get_or_insert_with(|| (part.clone(), time.clone()));
        self.time = Some((part, time.clone()));
    }
}

/// The last time before the state, else the first behind it.
fn nearest_time<'a>(times: &[&'a Time], state: usize) -> Option<&'a Time> {
    let before = times.iter().rev().find(|time| time.range.end <= state);
    before.or_else(|| times.first()).copied()
}

/// Fills in what the clause left out; none when no argument can be found (DESIGN 6.11).
fn complete(found: Told, time: Option<&Time>, antecedents: &Antecedents) -> Option<Core> {
    let (time, when) = match time {
        Some(time) => (
            Some(Part::new(time.range.clone(), Found::Clause)),
            time.value,
        ),
        None => match antecedents
            .time
            .as_ref()
            .or(antecedents.first_time.as_ref())
        {
            Some((part, time)) => (Some(part.inherited()), time.value),
            None => (None, None),
        },
    };
    let object = match found.object {
        None if found.changes && found.agent.is_none() && found.final_word => {
            antecedents.object.as_ref().map(Part::inherited)
        }
        object => object,
    };
    let agent = match found.agent {
        // Who says that something changes does not make it change.
        None if antecedents.agent_is_source && object.is_some() => None,
        None if found.agent_follows && !antecedents.agent_is_fresh => None,
        None => antecedents.agent.as_ref().map(Part::inherited),
        agent => agent,
    };
    let named = |part: &Option<Part>| part.as_ref().is_some_and(|part| !part.is_inherited());
    let told = if found.changes {
        named(&agent) || object.is_some()
    } else {
        found.predicative && (named(&object) && agent.is_some() || named(&agent))
    };
    if !told {
        return None;
    }
    Some(Core {
        edu: 0,
        time,
        when,
        agent,
        object,
        state: found.state,
        amount: found.amount,
        basis: found.basis,
        negated: found.negated,
        relation: found.relation,
    })
}

/// 5人死亡、12人受伤: an enumeration mark between predicates parts clauses too.
pub(super) fn predicates_apart(clause: &[Word]) -> impl Iterator<Item = &[Word]> {
    let mut rest = Some(clause);
    std::iter::from_fn(move || {
        let piece = rest.take()?;
        let mark = (1..piece.len()).find(|&at| {
            piece[at].punctuation == Punctuation::Enumeration && piece[at - 1].tag == Tag::Verb
        });
        let Some(mark) = mark else {
            return Some(piece);
        };
        rest = Some(&piece[mark + 1..]).filter(|rest| !rest.is_empty());
        Some(&piece[..mark])
    })
}
