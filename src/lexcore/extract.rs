//! The cores of a whole document, with what clauses leave out taken from what stands before.

use std::ops::Range;

use super::clause::{Clause, Told};
use super::{Core, Found, Part};
use crate::schema::Schema;
use crate::text::segment::clause_ends;
use crate::text::time::Time;
use crate::text::words::{Punctuation, Word};
use crate::text::{Analysis, Document, Edu};

/// Extracts lexical cores.
#[derive(Debug)]
pub struct Extractor<'a> {
    schema: &'a Schema,
    by_triggers: bool,
}

/// What later clauses may take over.
#[derive(Default)]
struct Memory {
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

    /// The cores of a document, in text order.
    pub fn extract(&self, document: &Document, analysis: &Analysis) -> Vec<Core> {
        let mut cores = Vec::new();
        let mut memory = Memory::default();
        let mut edu = 0;
        let mut time = 0;
        let mut sentence = 0;
        for block in &analysis.blocks {
            memory.time = None;
            memory.agent = None;
            memory.object = None;
            let words = &analysis.words[block.clone()];
            let mut begin = 0;
            for end in clause_ends(words) {
                let clause = &words[begin..end];
                let first = block.start + begin;
                begin = end;
                let Some(last) = clause.last() else { continue };
                let mut times: Range<usize> = time..time;
                while analysis
                    .times
                    .get(times.end)
                    .is_some_and(|t| t.range.end <= last.end as usize)
                {
                    times.end += 1;
                }
                time = times.end;
                while analysis
                    .sentences
                    .get(sentence)
                    .is_some_and(|s| s.end <= first)
                {
                    sentence += 1;
                }
                memory.enter(sentence);
                for piece in predicates_apart(clause) {
                    let reading = Clause::new(piece, &document.text, self.schema, self.by_triggers);
                    self.read_clause(
                        &reading,
                        &analysis.times[times.clone()],
                        &mut memory,
                        |core| {
                            while analysis
                                .edus
                                .get(edu + 1)
                                .is_some_and(|next| next.range.start <= core.state.range.start)
                            {
                                edu += 1;
                            }
                            cores.push(Core { edu, ..core }.with_time_of(&analysis.edus[edu]));
                        },
                    );
                }
            }
        }
        cores
    }

    fn read_clause(
        &self,
        clause: &Clause<'_>,
        times: &[Time],
        memory: &mut Memory,
        mut emit: impl FnMut(Core),
    ) {
        let times: Vec<&Time> = times.iter().filter(|time| !clause.is_base(time)).collect();
        if let Some(time) = times.last() {
            memory.see_time(time);
        }
        let mut last_object = None;
        for found in clause.cores() {
            let time = nearest_time(&times, found.state.range.start);
            let can_act = found.agent_can_act;
            if let Some(core) = complete(found, time, memory) {
                if core
                    .agent
                    .as_ref()
                    .is_some_and(|agent| !agent.is_inherited())
                {
                    memory.agent = core.agent.clone();
                }
                if let Some(object) = &core.object
                    && object.found == Found::Subject
                {
                    last_object = Some(object.clone());
                }
                emit(core);
            }
        }
        if let Some(object) = last_object.or_else(|| clause.metric()) {
            memory.object = Some(object);
        }
        if !memory.agent_is_fresh
            && let Some(topic) = clause.topic()
        {
            memory.see_agent(topic, clause.is_source());
        }
    }
}

impl Core {
    /// A time of the same EDU is its own, though a comma may stand between.
    fn with_time_of(mut self, edu: &Edu) -> Core {
        if let Some(time) = &mut self.time
            && edu.range.start <= time.range.start
            && time.range.end <= edu.range.end
        {
            time.found = Found::Clause;
        }
        self
    }
}

impl Memory {
    fn enter(&mut self, sentence: usize) {
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
fn complete(found: Told, time: Option<&Time>, memory: &Memory) -> Option<Core> {
    let (time, when) = match time {
        Some(time) => (
            Some(Part::new(time.range.clone(), Found::Clause)),
            time.value,
        ),
        None => match memory.time.as_ref().or(memory.first_time.as_ref()) {
            Some((part, time)) => (Some(part.inherited()), time.value),
            None => (None, None),
        },
    };
    let object = match found.object {
        None if found.changes && found.agent.is_none() => {
            memory.object.as_ref().map(Part::inherited)
        }
        object => object,
    };
    let agent = match found.agent {
        // Who says that something changes does not make it change.
        None if memory.agent_is_source && object.is_some() => None,
        None => memory.agent.as_ref().map(Part::inherited),
        agent => agent,
    };
    let named = |part: &Option<Part>| part.as_ref().is_some_and(|part| !part.is_inherited());
    let told = match found.state.found {
        Found::Trigger if found.changes => named(&agent) || object.is_some(),
        Found::Trigger => found.predicative && (named(&object) && agent.is_some() || named(&agent)),
        Found::Event => agent.is_some() || object.is_some(),
        _ => named(&agent) || named(&object) || (agent.is_some() && memory.agent_is_fresh),
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
fn predicates_apart(clause: &[Word]) -> impl Iterator<Item = &[Word]> {
    use crate::text::words::Tag;
    let mut pieces = Vec::new();
    let mut begin = 0;
    for at in 1..clause.len() {
        let mark = clause[at].punctuation == Punctuation::Enumeration;
        if mark && clause[at - 1].tag == Tag::Verb && at > begin {
            pieces.push(&clause[begin..at]);
            begin = at + 1;
        }
    }
    if begin < clause.len() {
        pieces.push(&clause[begin..]);
    }
    pieces.into_iter()
}
