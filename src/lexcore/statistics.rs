//! The statistics of a corpus: the first table of the paper's Section 8.

use rustc_hash::FxHashSet;

use super::{Core, Part};
use crate::text::Document;

/// How many texts, distinct components, and EDUs a text.
#[derive(Debug, Clone, Default)]
pub struct Statistics {
    /// Texts.
    pub texts: u64,
    /// EDUs of all texts.
    pub edus: u64,
    /// Cores of all texts.
    pub cores: u64,
    /// Texts with at least one core.
    pub texts_with_cores: u64,
    times: FxHashSet<String>,
    agents: FxHashSet<String>,
    objects: FxHashSet<String>,
    states: FxHashSet<String>,
}

/// What one text adds to the statistics.
#[derive(Debug, Clone, Default)]
pub struct TextStatistics {
    edus: u64,
    components: Vec<[Option<String>; 4]>,
}

impl TextStatistics {
    /// Reads off one text.
    pub fn of(document: &Document, edus: usize, cores: &[Core]) -> TextStatistics {
        let text = |part: &Option<Part>| {
            let part = part.as_ref()?;
            Some(document.slice(&part.range).to_owned())
        };
        let components = cores
            .iter()
            .map(|core| {
                let state = document.slice(&core.state.range).to_owned();
                let time = core.when.map(|when| when.to_string());
                [
                    time.or_else(|| text(&core.time)),
                    text(&core.agent),
                    text(&core.object),
                    Some(state),
                ]
            })
            .collect();
        TextStatistics {
            edus: edus as u64,
            components,
        }
    }
}

impl Statistics {
    /// Adds a text.
    pub fn add(&mut self, text: TextStatistics) {
        self.texts += 1;
        self.edus += text.edus;
        self.cores += text.components.len() as u64;
        self.texts_with_cores += u64::from(!text.components.is_empty());
        for [time, agent, object, state] in text.components {
            self.times.extend(time);
            self.agents.extend(agent);
            self.objects.extend(object);
            self.states.extend(state);
        }
    }

    /// The rows of the table, with their names.
    pub fn rows(&self) -> Vec<(&'static str, f64)> {
        let per_text = |count: u64| count as f64 / self.texts.max(1) as f64;
        vec![
            ("texts", self.texts as f64),
            ("distinct agents", self.agents.len() as f64),
            ("distinct objects", self.objects.len() as f64),
            ("distinct state changes", self.states.len() as f64),
            ("distinct times", self.times.len() as f64),
            ("EDUs a text", per_text(self.edus)),
            ("cores a text", per_text(self.cores)),
            ("texts with cores", self.texts_with_cores as f64),
        ]
    }
}
