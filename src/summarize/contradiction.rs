//! What texts say against each other: the same agent, object and time, an opposite state.

use rustc_hash::FxHashMap;

use super::lexicon::shipped;
use super::{SourceText, Summary};
use crate::lexcore::{Core, Extractor};
use crate::schema::Schema;

/// Two EDUs that contradict each other.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Contradiction {
    /// The line of the summary, counted from 0.
    pub line: usize,
    /// What the line says: its text and EDU.
    pub said: (usize, usize),
    /// What says the opposite: its text and EDU.
    pub against: (usize, usize),
    /// Who or what both are about.
    pub about: String,
    /// When.
    pub when: String,
    /// The two states.
    pub states: (String, String),
}

/// What in the texts contradicts the lines of a summary, in the order of the lines. The time must be
/// known, and so must the object or the agent; the polarity of a state is its relation's, turned round
/// where it is denied.
pub fn contradictions(
    texts: &[SourceText],
    summary: &Summary,
    schema: &Schema,
) -> Vec<Contradiction> {
    let extractor = Extractor::new(schema);
    let mut claims: FxHashMap<Key, Vec<Claim>> = FxHashMap::default();
    for (at, text) in texts.iter().enumerate() {
        for core in extractor.extract(&text.document, &text.analysis) {
            if let Some((key, claim)) = claim(text, at, &core, schema) {
                claims.entry(key).or_default().push(claim);
            }
        }
    }
    let mut groups: Vec<(Key, Vec<Claim>)> = claims.into_iter().collect();
    groups.retain(|(_, claims)| {
        let has = |good: bool| claims.iter().any(|claim| claim.good == good);
        has(true) && has(false)
    });
    groups.sort_by(|a, b| a.0.cmp(&b.0));
    let mut found = Vec::new();
    for (number, line) in summary.lines.iter().enumerate() {
        for (key, claims) in &groups {
            let is_said = |claim: &&Claim| {
                claim.place.0 == line.text && line.edus.iter().any(|e| e.contains(&claim.place.1))
            };
            let Some(said) = claims.iter().find(is_said) else {
                continue;
            };
            let can_differ = |claim: &&Claim| {
                // 公司 is another one in every text, and in every paragraph of a digest.
                let same_company = block(texts, claim.place) == block(texts, said.place);
                // 触底回升: one clause tells both, and means it.
                let is_other = claim.place != said.place;
                claim.good != said.good && is_other && (same_company || key.is_named())
            };
            let Some(against) = claims.iter().find(can_differ) else {
                continue;
            };
            found.push(Contradiction {
                line: number,
                said: said.place,
                against: against.place,
                about: key.about(),
                when: key.when.clone(),
                states: (said.state.clone(), against.state.clone()),
            });
        }
    }
    found
}

/// The block that an EDU lies in.
fn block(texts: &[SourceText], (text, edu): (usize, usize)) -> (usize, Option<usize>) {
    let analysis = texts.get(text).map(|text| &text.analysis);
    let edu = analysis.and_then(|analysis| analysis.edus.get(edu));
    (text, edu.map(|edu| edu.block))
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
struct Key {
    agent: Option<String>,
    object: Option<String>,
    when: String,
    basis: Option<String>,
}

impl Key {
    /// True when the agent is somebody by name.
    fn is_named(&self) -> bool {
        let agent = self.agent.as_ref();
        agent.is_some_and(|agent| !shipped().lists.common.has(agent))
    }

    fn about(&self) -> String {
        let parts = [&self.agent, &self.object];
        let known: Vec<&str> = parts.into_iter().flatten().map(String::as_str).collect();
        known.join("，")
    }
}

struct Claim {
    place: (usize, usize),
    good: bool,
    state: String,
}

fn claim(text: &SourceText, at: usize, core: &Core, schema: &Schema) -> Option<(Key, Claim)> {
    let relation = schema.relations.get(core.relation?.0 as usize)?;
    let polarity = if core.negated {
        -relation.polarity
    } else {
        relation.polarity
    };
    if polarity == 0 {
        return None;
    }
    let spelled = |part: &crate::lexcore::Part| text.document.slice(&part.range).trim().to_owned();
    let key = Key {
        agent: core.agent.as_ref().map(spelled),
        object: core.object.as_ref().map(spelled),
        when: core.when?.to_string(),
        basis: core.basis.as_ref().map(spelled),
    };
    // An agent alone rises and falls in many ways on one day; only what changes can contradict.
    key.object.as_ref()?;
    let state = spelled(&core.state);
    Some((
        key,
        Claim {
            place: (at, core.edu),
            good: polarity > 0,
            state: if core.negated {
                format!("未{state}")
            } else {
                state
            },
        },
    ))
}
