//! The rules of a real grammar behind the loop.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::{Rules, Sizes, TextLabel};
use crate::behavior::{
    Example, RoughReader, RoughRules, RuleInstances, WeightOptions, by_weights_keeping,
};
use crate::error::{Error, Result};
use crate::grammar::{Decide, Decision, Grammar, Table, merge};
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
/// rules are fitted again; what annotators gave a reason, a symbol or equations for is a written rule,
/// which stays. Either way no rule comes of a near text that its donor did not bring.
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
    /// Where EDUs begin and what lines are.
    cutting: Grammar,
    texts: BTreeMap<String, Taken>,
    /// The instances of the labels alone: which contexts are worth writing hangs on these, since near
    /// texts are no new evidence.
    own: RoughRules,
    /// All instances, and those of each round's labels with the near texts behind them.
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
    /// No rules yet.
    pub fn new(
        schema: &Arc<Schema>,
        schema_path: &str,
        decide: Decide,
        gain: Gain,
    ) -> GrammarRules {
        GrammarRules {
            schema: Arc::clone(schema),
            schema_path: schema_path.to_owned(),
            analyzer: Analyzer::new(schema),
            reader: RoughReader::new(schema),
            decide,
            gain,
            written: None,
            cutting: Grammar::default(),
            texts: BTreeMap::new(),
            own: RoughRules::default(),
            all: RoughRules::default(),
            pieces: Vec::new(),
            round: 0,
        }
    }

    /// The same on top of rules that a person wrote.
    pub fn with_written(mut self, written: Grammar) -> Result<GrammarRules> {
        self.check_schema(&written, "the rules written by hand speak")?;
        if written.decide != self.decide {
            let (own, other) = (self.decide.as_str(), written.decide.as_str());
            return Err(Error::Usage(format!(
                "rules written by hand decide by {other}, the loop by {own}: write `decide {own}` above \
                 them, or learn with `--decide {other}`"
            )));
        }
        self.written = Some(written);
        Ok(self)
    }

    /// The same with the boundary and block rules of a grammar, so that new texts are cut as those that
    /// were labelled.
    pub fn with_cutting(mut self, grammar: &Grammar) -> Result<GrammarRules> {
        self.check_schema(grammar, "the rules that cut texts speak")?;
        let tables = grammar.tables.iter();
        let tables = tables.filter(|table| table.decision == Decision::Boundary);
        self.cutting = Grammar {
            boundaries: grammar.boundaries.clone(),
            tables: tables.cloned().collect(),
            blocks: grammar.blocks.clone(),
            ..Grammar::default()
        };
        Ok(self)
    }

    /// The grammar of all that was taken in, with all that was written.
    pub fn learned(&self) -> Result<Grammar> {
        match self.decide {
            Decide::Weights => {
                let options = WeightOptions::default();
                let kept = self.kept()?;
                Ok(by_weights_keeping(
                    &self.weighed(),
                    &self.schema,
                    &options,
                    &kept,
                ))
            }
            _ => self.by_counts(),
        }
    }

    /// The paper's rough rules with the numbers of their instances.
    pub fn rough(&self) -> &RuleInstances {
        self.all.instances()
    }

    fn check_schema(&self, grammar: &Grammar, who: &str) -> Result<()> {
        if grammar.schema.hash == self.schema.hash {
            return Ok(());
        }
        Err(Error::Mismatch(format!(
            "{who} of the schema `{}`, the loop of `{}`",
            grammar.schema.name, self.schema.name
        )))
    }

    /// Adds where EDUs begin, unless the rules written by hand say it.
    fn add_cutting(&self, grammar: &mut Grammar) {
        let has_tables = grammar.tables.iter().any(is_boundary);
        if grammar.boundaries.is_empty() && !has_tables {
            grammar.boundaries.clone_from(&self.cutting.boundaries);
            grammar.tables.extend(self.cutting.tables.clone());
        }
        if grammar.blocks.is_empty() {
            grammar.blocks.clone_from(&self.cutting.blocks);
        }
    }

    /// What people said, whatever is learned: rules written by hand, and what annotators gave a
    /// reason, a symbol or equations for.
    fn kept(&self) -> Result<Grammar> {
        let said = self.all.said(&self.schema);
        let mut kept = match &self.written {
            Some(written) => {
                let mut written = written.clone();
                written.start = None;
                written.fallback = said.fallback.clone();
                merge(&[said, written])?
            }
            None => said,
        };
        self.add_cutting(&mut kept);
        Ok(kept)
    }

    fn by_counts(&self) -> Result<Grammar> {
        let learned = self.all.grammar_of(&self.own.kept(), &self.schema);
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
        self.add_cutting(&mut grammar);
        Ok(grammar)
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
        let example = Example::new(document, tree, &self.analyzer, &self.schema)?;
        example.with_said(&label.said, &self.schema)
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
        self.own.add(&rules, 1);
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
        let mut grammar = self.learned()?;
        grammar.version = None;
        Ok(self.file(grammar, &self.schema.name, 0))
    }

    /// The rules by their sources, as files that `merge` and `use` recombine: what was written by
    /// hand, where EDUs begin, what the initial model brought, what each round's far texts brought.
    /// Where weights decide the rules are fitted to all texts together, and of the labels there is one
    /// piece: what annotators said.
    fn pieces(&self) -> Vec<(String, String)> {
        let mut files = Vec::new();
        let mut add = |name: &str, grammar: Grammar, title: &str| {
            if grammar.size() > 0 {
                files.push((name.to_owned(), self.file(grammar, title, 1)));
            }
        };
        if let Some(written) = &self.written {
            add("written", written.clone(), "written");
        }
        let mut cutting = Grammar {
            schema: Arc::clone(&self.schema),
            decide: self.decide,
            ..Grammar::default()
        };
        let is_cut = |grammar: &Grammar| {
            let has_tables = grammar.tables.iter().any(is_boundary);
            has_tables || !grammar.boundaries.is_empty()
        };
        if !self.written.as_ref().is_some_and(is_cut) {
            self.add_cutting(&mut cutting);
        }
        add("boundaries", cutting, "boundaries");
        if self.decide == Decide::Weights {
            add("annotators", self.all.said(&self.schema), "annotators");
            return files;
        }
        let kept = self.own.kept();
        for (round, rules) in self.pieces.iter().enumerate() {
            let name = match round {
                0 => "0000-initial".to_owned(),
                _ => format!("{round:04}-far"),
            };
            let grammar = rules.grammar_of(&kept, &self.schema);
            add(&name, grammar, &format!("round-{round}"));
        }
        files
    }
}

fn is_boundary(table: &Table) -> bool {
    table.decision == Decision::Boundary
}
