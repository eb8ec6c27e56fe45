//! Which rules are used over a set of texts, and which never are.

use std::collections::BTreeMap;

use serde::Serialize;

use super::program::Origin;
use super::run::{Arena, Decider, Possible, Reduction, State, Step};
use super::segment::BoundaryRules;
use super::{Counting, Engine, Outcome, ParseOptions, Text};
use crate::diagnostic::plural;
use crate::grammar::{Action, Grammar, Rule};
use crate::text::Document;
use crate::text::lines::Lines;

/// How often a rule was used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct RuleUse {
    /// Its pattern and reason held where it was asked.
    pub spoke: u64,
    /// What it spoke for was done; of a production: it made the node.
    pub won: u64,
}

/// The rules used over some texts. Those of several sets add up, in any order.
#[derive(Debug, Clone, Default)]
pub struct Coverage {
    used: BTreeMap<RuleKey, RuleUse>,
    texts: u64,
    edus: u64,
    steps: u64,
    choices: u64,
    fallbacks: u64,
    probabilities: f64,
}

/// A rule by its kind and its place among those.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum RuleKey {
    Production(u32),
    Preference(u32),
    Boundary(u32),
    Block(u32),
    Table(u32),
}

/// A rule with its use.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct RuleUsed {
    /// Its id.
    pub rule: String,
    /// Where it is written.
    pub place: Option<String>,
    /// Its head as written.
    pub head: String,
    /// How often it spoke.
    pub spoke: u64,
    /// How often it won.
    pub won: u64,
}

/// Coverage in figures.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct CoverageReport {
    /// Texts parsed.
    pub texts: u64,
    /// Their EDUs.
    pub edus: u64,
    /// Steps made.
    pub steps: u64,
    /// Steps with something to choose: an action, or what two nodes become.
    pub choices: u64,
    /// Steps that no rule covered.
    pub fallbacks: u64,
    /// The mean probability of the steps with something to choose.
    pub mean_probability: f64,
    /// The share of rules that spoke at least once, 0 to 1.
    pub covered: f64,
    /// All rules, in the order of the grammar.
    pub rules: Vec<RuleUsed>,
}

impl Coverage {
    /// The coverage of one document.
    pub fn of_document(
        document: &Document,
        engine: &Engine,
        boundaries: Option<&BoundaryRules>,
        options: &ParseOptions,
    ) -> Coverage {
        let structured = engine.analyzer().structured(document);
        let blocks = engine.block_rules().filter(|_| document.plain);
        let document = &*structured;
        let analysis = engine.analyzer().analyze(document);
        let text = Text::new(document, &analysis, engine.schema());
        let mut coverage = Coverage::of_text(&text, engine, options);
        if let Some(blocks) = blocks.filter(|_| !document.plain) {
            let titled = document.title.is_some();
            blocks.visit_rules(&Lines::new(&document.text), titled, |at, won| {
                coverage.count(RuleKey::Block(at), won);
            });
        }
        let Some(boundaries) = boundaries else {
            return coverage;
        };
        for (block, words) in document.blocks.iter().zip(&analysis.blocks) {
            // Blocks that come with EDUs are not segmented.
            if block.edus.is_some() {
                continue;
            }
            let words = analysis.words.get(words.clone()).unwrap_or_default();
            boundaries.visit_gaps(
                &document.text,
                words,
                block.kind,
                true,
                |_, begins, fired| {
                    for (origin, cut) in fired {
                        let key = match origin {
                            Origin::Rule(at) => RuleKey::Boundary(at),
                            Origin::Row { table, .. } => RuleKey::Table(table),
                        };
                        coverage.count(key, cut == begins);
                    }
                },
            );
        }
        coverage
    }

    /// The coverage of one measured text; its EDUs are given, so boundary rules are not asked.
    pub fn of_text(text: &Text, engine: &Engine, options: &ParseOptions) -> Coverage {
        let steps = engine.steps(text, options);
        let mut coverage = Coverage {
            texts: 1,
            edus: text.len() as u64,
            steps: steps.len() as u64,
            ..Coverage::default()
        };
        let mut arena = Arena::new(text);
        let mut decider = engine.naming_decider(text, options.counting);
        let mut state = State::START;
        for step in &steps {
            coverage.step(step);
            let possible = decider.possible(&arena, &state);
            coverage.preferences(&decider, &possible, step.action);
            state = match step.action {
                Action::Shift => decider.shift(&mut arena, &state, &possible),
                Action::Reduce => {
                    let labels = decider.labels(&arena, &state);
                    let rule = step.label.and_then(|label| label.rule);
                    let rules = &engine.program.productions.rules;
                    let made = rule.and_then(|rule| rules.get(rule as usize));
                    let mut tables = TablesSpoken::default();
                    for fired in &decider.workspace.fired {
                        let compiled = &rules[*fired as usize];
                        let is_own = made.is_some_and(|made| made.side == compiled.side);
                        let amount = if is_own { compiled.amount } else { 0.0 };
                        match compiled.origin {
                            Origin::Rule(at) => {
                                coverage.count(RuleKey::Production(at), rule == Some(*fired));
                            }
                            Origin::Row { table, .. } => tables.add(table, amount),
                        }
                    }
                    coverage.count_tables(tables);
                    let chosen = labels.iter().position(|label| label.rule == rule);
                    let chosen = chosen.unwrap_or(0);
                    decider.reduce(&mut arena, &state, &possible, &labels, chosen)
                }
            };
        }
        engine.give_back(decider.workspace);
        coverage
    }

    /// The rules that speak where somebody else decides: a rule wins where what it speaks for is
    /// done, whether it would have prevailed or not.
    pub fn of_decisions(
        text: &Text,
        engine: &Engine,
        decisions: &[(Action, Option<Outcome>)],
    ) -> Coverage {
        let mut coverage = Coverage {
            texts: 1,
            edus: text.len() as u64,
            steps: decisions.len() as u64,
            ..Coverage::default()
        };
        let program = &engine.program;
        let mut arena = Arena::new(text);
        let mut decider = engine.naming_decider(text, Counting::default());
        let mut state = State::START;
        for (action, outcome) in decisions {
            let possible = decider.possible(&arena, &state);
            coverage.preferences(&decider, &possible, *action);
            state = match outcome {
                None => decider.shift(&mut arena, &state, &possible),
                Some(outcome) => {
                    decider.labels(&arena, &state);
                    let mut tables = TablesSpoken::default();
                    for rule in &decider.workspace.fired {
                        let compiled = &program.productions.rules[*rule as usize];
                        let spoken_for = program.outcomes.get(compiled.side as usize);
                        let own = spoken_for.is_some_and(|own| own.is_done_by(outcome));
                        let won = own == (compiled.amount > 0.0);
                        match compiled.origin {
                            Origin::Rule(at) => coverage.count(RuleKey::Production(at), won),
                            Origin::Row { table, .. } => {
                                tables.add(table, if own { compiled.amount } else { 0.0 });
                            }
                        }
                    }
                    coverage.count_tables(tables);
                    let how = Reduction::decided(*outcome, possible.is_forced());
                    arena.reduce(&state, &how, program, text)
                }
            };
        }
        engine.give_back(decider.workspace);
        coverage
    }

    /// Adds the coverage of other texts with the same grammar.
    pub fn add(&mut self, other: &Coverage) {
        for (key, used) in &other.used {
            let own = self.used.entry(*key).or_default();
            own.spoke += used.spoke;
            own.won += used.won;
        }
        self.texts += other.texts;
        self.edus += other.edus;
        self.steps += other.steps;
        self.choices += other.choices;
        self.fallbacks += other.fallbacks;
        self.probabilities += other.probabilities;
    }

    /// The figures, with every rule of the grammar.
    pub fn report(&self, grammar: &Grammar) -> CoverageReport {
        let rules = keys(grammar).zip(grammar.rules());
        let rules = rules.map(|(key, any)| {
            let head = any.head(&grammar.schema).to_string();
            self.used(key, any.rule(), head)
        });
        let tables = grammar.tables.iter().enumerate();
        let tables = tables.map(|(at, table)| {
            let head = table.head(&grammar.schema);
            self.used(RuleKey::Table(at as u32), &table.rule, head)
        });
        let rules: Vec<RuleUsed> = rules.chain(tables).collect();
        let spoken = rules.iter().filter(|rule| rule.spoke > 0).count();
        CoverageReport {
            texts: self.texts,
            edus: self.edus,
            steps: self.steps,
            choices: self.choices,
            fallbacks: self.fallbacks,
            mean_probability: match self.choices {
                0 => 1.0,
                choices => self.probabilities / choices as f64,
            },
            covered: match rules.len() {
                0 => 1.0,
                all => spoken as f64 / all as f64,
            },
            rules,
        }
    }

    fn used(&self, key: RuleKey, rule: &Rule, head: String) -> RuleUsed {
        let used = self.used.get(&key).copied().unwrap_or_default();
        RuleUsed {
            rule: rule.id.to_string(),
            place: rule.place.as_ref().map(ToString::to_string),
            head,
            spoke: used.spoke,
            won: used.won,
        }
    }

    /// Counts the preferences that have just spoken.
    fn preferences(&mut self, decider: &Decider<'_>, possible: &Possible, done: Action) {
        if possible.is_forced() {
            return;
        }
        let mut tables = TablesSpoken::default();
        for rule in &decider.workspace.fired {
            let compiled = &decider.program.preferences.rules[*rule as usize];
            let own = compiled.side == done as u32;
            match compiled.origin {
                Origin::Rule(at) => {
                    self.count(RuleKey::Preference(at), own == (compiled.amount > 0.0));
                }
                Origin::Row { table, .. } => {
                    let amount = compiled.amount;
                    tables.add(table, if own { amount } else { -amount });
                }
            }
        }
        self.count_tables(tables);
    }

    fn count_tables(&mut self, tables: TablesSpoken) {
        for (table, amount) in tables.0 {
            self.count(RuleKey::Table(table), amount > 0.0);
        }
    }

    fn step(&mut self, step: &Step) {
        self.fallbacks += u64::from(step.is_fallback());
        if step.label.is_some() || !step.forced {
            self.choices += 1;
            self.probabilities += step.probability();
        }
    }

    fn count(&mut self, key: RuleKey, won: bool) {
        let used = self.used.entry(key).or_default();
        used.spoke += 1;
        used.won += u64::from(won);
    }
}

/// The tables that spoke in one decision, and how much for what was done: several rows of a table, and a
/// row that speaks for several outcomes, speak once.
#[derive(Default)]
struct TablesSpoken(BTreeMap<u32, f64>);

impl TablesSpoken {
    fn add(&mut self, table: u32, amount: f64) {
        *self.0.entry(table).or_insert(0.0) += amount;
    }
}

/// The keys of a grammar's rules, in the order of [`Grammar::rules`].
fn keys(grammar: &Grammar) -> impl Iterator<Item = RuleKey> {
    let count = |rules: usize| 0..rules as u32;
    let productions = count(grammar.productions.len()).map(RuleKey::Production);
    let preferences = count(grammar.preferences.len()).map(RuleKey::Preference);
    let boundaries = count(grammar.boundaries.len()).map(RuleKey::Boundary);
    let blocks = count(grammar.blocks.len()).map(RuleKey::Block);
    productions
        .chain(preferences)
        .chain(boundaries)
        .chain(blocks)
}

impl CoverageReport {
    /// The rules that never spoke.
    pub fn silent(&self) -> impl Iterator<Item = &RuleUsed> {
        self.rules.iter().filter(|rule| rule.spoke == 0)
    }

    /// The share of steps that no rule covered, 0 to 1.
    pub fn fallback_share(&self) -> f64 {
        self.fallbacks as f64 / self.steps.max(1) as f64
    }

    /// The figures without the rules: three lines.
    pub fn summary(&self) -> String {
        let count = |number: u64, thing: &str| plural(number as usize, thing);
        format!(
            "{}, {}, {}; {} with a choice, mean probability {:.3}\n\
             {} ({:.1}%) by fallback\n\
             {} of {} spoke ({:.1}%)\n",
            count(self.texts, "text"),
            count(self.edus, "EDU"),
            count(self.steps, "step"),
            self.choices,
            self.mean_probability,
            count(self.fallbacks, "step"),
            100.0 * self.fallback_share(),
            self.rules.len() - self.silent().count(),
            plural(self.rules.len(), "rule"),
            100.0 * self.covered
        )
    }
}

impl std::fmt::Display for CoverageReport {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.summary())?;
        writeln!(f, "\n   spoke      won  rule")?;
        let mut spoken: Vec<&RuleUsed> = self.rules.iter().filter(|r| r.spoke > 0).collect();
        spoken.sort_by_key(|rule| std::cmp::Reverse((rule.won, rule.spoke)));
        for rule in spoken {
            writeln!(
                f,
                "{:>8} {:>8}  {}  {}",
                rule.spoke, rule.won, rule.rule, rule.head
            )?;
        }
        if self.silent().next().is_some() {
            writeln!(f, "\nnever spoke:")?;
        }
        for rule in self.silent() {
            let place = rule.place.as_deref().unwrap_or("no file");
            writeln!(f, "  {place}: {}  {}", rule.rule, rule.head)?;
        }
        Ok(())
    }
}
