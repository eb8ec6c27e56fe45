//! The rules of a real grammar behind the loop.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::{Rules, Sizes, TextLabel};
use crate::behavior::{Example, RoughReader, RoughRules, WeightOptions, by_weights_of_weighed};
use crate::error::{Error, Result};
use crate::grammar::{Decide, Grammar, merge};
use crate::schema::Schema;
use crate::text::Analyzer;

/// How many instances a near text adds to a rule of its donor.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Gain {
    /// One, as printed.
    One,
    /// As many as the rule has in the donor: the near text counts as another such text.
    Own,
    /// As many as the rule has in the donor, but for the first, the second, the fourth, the eighth
    /// near text only, and so on: near texts are not labels, and the more of them follow one label,
    /// the less each says.
    Damped,
}

impl Gain {
    /// How often a labelled text counts with so many near texts behind it.
    fn counts(self, times: u64) -> u64 {
        match self {
            Gain::One | Gain::Own => times.saturating_add(1),
            Gain::Damped => 1 + u64::from(times.saturating_add(1).ilog2()),
        }
    }
}

/// A grammar learned round by round.
///
/// By counts, every rule of a label has its instances, and a near text adds to those of its donor, as
/// its [`Gain`] says. By weights, a near text adds weight to the donor's instances, and the weights of the
/// rules are fitted again. Either way no rule comes of a near text that its donor did not bring.
pub struct GrammarRules {
    schema: Arc<Schema>,
    /// How the grammar's file names its schema.
    schema_path: String,
    analyzer: Analyzer,
    reader: RoughReader,
    decide: Decide,
    gain: Gain,
    /// Rules that a person wrote, which learned ones are added to.
    written: Option<Grammar>,
    texts: BTreeMap<String, Taken>,
    /// All instances, and those of each round's labels.
    all: RoughRules,
    pieces: Vec<RoughRules>,
    round: usize,
}

/// A text that was taken in.
struct Taken {
    round: usize,
    example: Example,
    rules: RoughRules,
    /// How many near texts stand behind it.
    times: u64,
}

impl GrammarRules {
    /// No rules yet but those that a person wrote.
    pub fn new(
        schema: &Arc<Schema>,
        schema_path: &str,
        decide: Decide,
        gain: Gain,
        written: Option<Grammar>,
    ) -> Result<GrammarRules> {
        if let Some(written) = &written {
            if written.schema.hash != schema.hash {
                return Err(Error::Mismatch(format!(
                    "the rules written by hand speak of the schema `{}`, the loop of `{}`",
                    written.schema.name, schema.name
                )));
            }
            if decide == Decide::Weights {
                let message = "rules written by hand have counts; learn with `--decide counts`";
                return Err(Error::Usage(message.to_owned()));
            }
        }
        Ok(GrammarRules {
            schema: Arc::clone(schema),
            schema_path: schema_path.to_owned(),
            analyzer: Analyzer::new(schema),
            reader: RoughReader::new(schema),
            decide,
            gain,
            written,
            texts: BTreeMap::new(),
            all: RoughRules::default(),
            pieces: Vec::new(),
            round: 0,
        })
    }

    /// A grammar as a file that lies so many folders below the project's.
    fn file(&self, mut grammar: Grammar, name: &str, below: usize) -> String {
        grammar.name = name.to_owned();
        // A shipped schema has a name, any other a path.
        let up = if self.schema_path.contains('/') {
            "../".repeat(below)
        } else {
            String::new()
        };
        grammar.schema_path = up + &self.schema_path;
        grammar.sort();
        grammar.to_text()
    }

    fn example(&self, label: &TextLabel) -> Result<Example> {
        let (document, tree) = (label.document.clone(), label.tree.clone());
        Example::new(document, tree, &self.analyzer, &self.schema)
    }

    /// The labelled texts with what they count: themselves and the near texts behind them, one on
    /// the average, so that the penalty on weights keeps its meaning.
    fn weighed(&self) -> Vec<(&Example, f64)> {
        let texts = self.texts.values();
        let count = |taken: &Taken| self.gain.counts(taken.times) as f64;
        let sum: f64 = texts.clone().map(count).sum();
        let scale = self.texts.len() as f64 / sum.max(1.0);
        texts
            .map(|taken| (&taken.example, count(taken) * scale))
            .collect()
    }

    fn piece(&mut self, round: usize) -> &mut RoughRules {
        if self.pieces.len() <= round {
            self.pieces.resize(round + 1, RoughRules::default());
        }
        &mut self.pieces[round]
    }
}

impl Rules for GrammarRules {
    type Label = TextLabel;

    fn begin_round(&mut self, round: usize) {
        self.round = round;
    }

    fn increase(&mut self, text: &str, label: &TextLabel) -> Result<()> {
        let example = self.example(label)?;
        let rules = self.reader.rules(&example);
        self.all.add(&rules, 1);
        let round = self.round;
        self.piece(round).add(&rules, 1);
        let taken = Taken {
            round,
            example,
            rules,
            times: 0,
        };
        self.texts.insert(text.to_owned(), taken);
        Ok(())
    }

    fn enhance(&mut self, text: &str, times: u64) -> Result<()> {
        let Some(taken) = self.texts.get_mut(text) else {
            return Err(Error::Missing(format!("`{text}` has no label to pass on")));
        };
        let before = self.gain.counts(taken.times);
        taken.times = taken.times.saturating_add(times);
        let times = self.gain.counts(taken.times) - before;
        let round = taken.round;
        let each = match self.gain {
            Gain::One => taken.rules.each_once(),
            Gain::Own | Gain::Damped => taken.rules.clone(),
        };
        let times = usize::try_from(times).unwrap_or(usize::MAX);
        self.all.add(&each, times);
        self.piece(round).add(&each, times);
        Ok(())
    }

    fn sizes(&self) -> Sizes {
        let [productions, precedences] = self.all.sizes();
        Sizes {
            productions,
            precedences,
        }
    }

    fn grammar(&mut self) -> Result<String> {
        let learned = match self.decide {
            Decide::Counts => self.all.grammar(&self.schema, 0),
            Decide::Weights => {
                by_weights_of_weighed(&self.weighed(), &self.schema, &WeightOptions::default())
            }
        };
        let mut grammar = match &self.written {
            Some(written) => {
                let mut written = written.clone();
                // How the whole decides is settled here, what a module leaves open is not asked.
                written.start = learned.start;
                written.fallback = learned.fallback.clone();
                merge(&[learned, written])?
            }
            None => learned,
        };
        grammar.version = None;
        Ok(self.file(grammar, &self.schema.name, 0))
    }

    /// The rules by their sources, as files that `merge` and `use` recombine: what was written by
    /// hand, what the initial model brought, what each round's far texts brought. Where weights
    /// decide the rules are fitted to all texts together, and there are no pieces.
    fn pieces(&self) -> Vec<(String, String)> {
        let mut files = Vec::new();
        if let Some(written) = &self.written {
            files.push((
                "written".to_owned(),
                self.file(written.clone(), "written", 1),
            ));
        }
        if self.decide == Decide::Weights {
            return files;
        }
        for (round, rules) in self.pieces.iter().enumerate() {
            if rules.sizes() == [0, 0] {
                continue;
            }
            let name = match round {
                0 => "0000-initial".to_owned(),
                _ => format!("{round:04}-far"),
            };
            let grammar = rules.grammar(&self.schema, 0);
            let text = self.file(grammar, &format!("round-{round}"), 1);
            files.push((name, text));
        }
        files
    }
}
