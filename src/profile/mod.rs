//! How rules fare on gold texts: which ones decide, which decide wrongly, which would be missed; and which
//! labels are taken for which.
//!
//! A [`Profile`] goes through every decision of the derivations of gold texts. A rule *spoke* where its pattern
//! and reason held; it *decided* where something else would have been done without it. It *harmed* where that
//! other thing would have been right, and *would be missed* where what was done is right and the other is not.

mod confusion;
mod history;
mod html;
mod text;

use std::collections::BTreeMap;
use std::sync::Arc;

use rayon::prelude::*;
use serde::Serialize;

pub use confusion::{Confusion, ConfusionKind, WrongNode};
pub use history::{History, HistoryLine};

use crate::automaton::explain::row_label;
use crate::automaton::{Deed, Engine, HeardVoice, Hearing, ParseOptions, SpeakerKey, Text, Walk};
use crate::gold::{ParsedGold, Scores, Treebank};
use crate::grammar::{Grammar, Row, Table};
use crate::tree::tidy_text;

/// How the rules of a grammar fare on gold texts.
#[derive(Debug, Clone, Serialize)]
pub struct Profile {
    /// The grammar's name.
    pub grammar: String,
    /// How many gold texts were looked at.
    pub texts: usize,
    /// Their EDUs.
    pub edus: usize,
    /// How many of the regression cases among them pass, and how many there are.
    pub cases: (usize, usize),
    /// S, N and R over all of them.
    pub scores: Scores,
    /// How many decisions gold trees have an answer to.
    pub decisions: usize,
    /// How many of these were right.
    pub right: usize,
    /// Rules and tables, those that do most harm first.
    pub rules: Vec<RuleProfile>,
    /// Which nodes are wrong, by what they are taken for, the most frequent first.
    pub confusions: Vec<Confusion>,
    /// What could not be compared.
    pub left_out: Vec<String>,
}

/// How a rule or a table fares.
#[derive(Debug, Clone, Serialize)]
pub struct RuleProfile {
    /// Its id.
    pub rule: String,
    /// True for a table.
    pub is_table: bool,
    /// Where it is written.
    pub place: Option<String>,
    /// Its head as written.
    pub head: String,
    /// How it fares.
    #[serde(flatten)]
    pub tally: Tally,
    /// Where it did harm, the first few.
    pub examples: Vec<Harm>,
    /// The rows of a table that decided something, those that do most harm first.
    pub rows: Vec<RowProfile>,
}

/// How a row of a table fares: what came of its table where the row spoke.
#[derive(Debug, Clone, Serialize)]
pub struct RowProfile {
    /// Its answers and what it speaks for.
    pub row: String,
    /// Where it is written.
    pub place: Option<String>,
    /// How it fares.
    #[serde(flatten)]
    pub tally: Tally,
}

/// How often somebody spoke, and what came of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct Tally {
    /// It spoke in a decision.
    pub spoke: usize,
    /// It spoke for what the gold tree has.
    pub right: usize,
    /// It spoke against that.
    pub wrong: usize,
    /// Without it something else would have been done.
    pub decided: usize,
    /// What was done is right, and without it something else would have been done.
    pub missed: usize,
    /// What was done is wrong, and without it the right thing would have been done.
    pub harm: usize,
}

impl Tally {
    fn add(&mut self, other: &Tally) {
        self.spoke += other.spoke;
        self.right += other.right;
        self.wrong += other.wrong;
        self.decided += other.decided;
        self.missed += other.missed;
        self.harm += other.harm;
    }
}

/// A decision in which a rule did harm.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Harm {
    /// The text.
    pub id: String,
    /// The step, counted from 1.
    pub step: usize,
    /// The words of A and B, and of C where it was about shift or reduce.
    pub words: String,
    /// The command that explains it.
    pub explain: String,
}

/// So many examples of harm are kept for a rule.
const EXAMPLES: usize = 3;

/// What was counted in some texts.
#[derive(Default)]
struct Counted {
    rules: BTreeMap<SpeakerKey, (Tally, Vec<Harm>)>,
    rows: BTreeMap<(u32, u32), Tally>,
    decisions: usize,
    right: usize,
}

impl Profile {
    /// Goes through all decisions of a grammar on gold texts.
    pub fn new(engine: &Engine, bank: &Treebank, options: &ParseOptions) -> Profile {
        let schema = Arc::clone(&engine.grammar().schema);
        let start = Walk::new(&schema, Arc::new(Text::default()));
        let counted: Vec<Counted> = bank
            .texts
            .par_iter()
            .map(|text| count_text(engine, text, &start, options))
            .collect();
        let mut all = Counted::default();
        for counted in counted {
            all.add(counted);
        }
        let cases = || bank.texts.iter().filter(|text| text.gold.is_case);
        Profile {
            grammar: engine.grammar().name.clone(),
            texts: bank.texts.len(),
            edus: bank.texts.iter().map(|text| text.text.len()).sum(),
            cases: (
                cases().filter(|text| text.passes(&text.found)).count(),
                cases().count(),
            ),
            scores: Scores::of(&bank.figures()),
            decisions: all.decisions,
            right: all.right,
            rules: all.rules(engine.grammar()),
            confusions: confusion::confusions(bank),
            left_out: bank.left_out.clone(),
        }
    }

    /// The share of rules and tables that spoke, in percent.
    pub fn coverage(&self) -> f64 {
        let spoke = self.rules.iter().filter(|rule| rule.tally.spoke > 0);
        100.0 * spoke.count() as f64 / self.rules.len().max(1) as f64
    }
}

impl Counted {
    fn add(&mut self, other: Counted) {
        for (key, (tally, examples)) in other.rules {
            let own = self.rules.entry(key).or_default();
            own.0.add(&tally);
            own.1.extend(examples);
            own.1.truncate(EXAMPLES);
        }
        for (key, tally) in other.rows {
            self.rows.entry(key).or_default().add(&tally);
        }
        self.decisions += other.decisions;
        self.right += other.right;
    }

    /// Every rule and table of a grammar with how it fares, those that do most harm first.
    fn rules(mut self, grammar: &Grammar) -> Vec<RuleProfile> {
        let mut all: Vec<RuleProfile> = Vec::new();
        let mut add = |key: SpeakerKey, rule: &crate::grammar::Rule, head: String, rows| {
            let (tally, examples) = self.rules.remove(&key).unwrap_or_default();
            all.push(RuleProfile {
                rule: rule.id.to_string(),
                is_table: matches!(key, SpeakerKey::Table(_)),
                place: rule.place.as_ref().map(ToString::to_string),
                head,
                tally,
                examples,
                rows,
            });
        };
        let schema = &grammar.schema;
        for (at, one) in grammar.productions.iter().enumerate() {
            let head = crate::grammar::AnyRule::Production(one).head(schema);
            add(
                SpeakerKey::Production(at as u32),
                &one.rule,
                head.to_string(),
                Vec::new(),
            );
        }
        for (at, one) in grammar.preferences.iter().enumerate() {
            let head = crate::grammar::AnyRule::Preference(one).head(schema);
            add(
                SpeakerKey::Preference(at as u32),
                &one.rule,
                head.to_string(),
                Vec::new(),
            );
        }
        for (at, table) in grammar.tables.iter().enumerate() {
            if table.decision == crate::grammar::Decision::Boundary {
                continue;
            }
            let rows = rows_of(&self.rows, at as u32, table, grammar);
            add(
                SpeakerKey::Table(at as u32),
                &table.rule,
                table.head(schema),
                rows,
            );
        }
        all.sort_by(|a, b| by_harm(&a.tally, &b.tally));
        all
    }
}

/// The most harm first; then what would be missed least and speaks wrongly most.
fn by_harm(a: &Tally, b: &Tally) -> std::cmp::Ordering {
    let harm = b.harm.cmp(&a.harm);
    let missed = a.missed.cmp(&b.missed);
    harm.then(missed)
        .then(b.wrong.cmp(&a.wrong))
        .then(b.spoke.cmp(&a.spoke))
}

fn rows_of(
    counted: &BTreeMap<(u32, u32), Tally>,
    at: u32,
    table: &Table,
    grammar: &Grammar,
) -> Vec<RowProfile> {
    let own = counted.range((at, 0)..=(at, u32::MAX));
    let mut rows: Vec<RowProfile> = own
        .filter_map(|((_, row), tally)| {
            let row: &Row = table.rows.get(*row as usize)?;
            Some(RowProfile {
                row: row_label(table, row, &grammar.schema),
                place: row.place.as_ref().map(ToString::to_string),
                tally: *tally,
            })
        })
        .collect();
    rows.sort_by(|a, b| by_harm(&a.tally, &b.tally));
    rows
}

fn count_text(engine: &Engine, text: &ParsedGold, start: &Walk, options: &ParseOptions) -> Counted {
    let mut counted = Counted::default();
    let hearings = engine.hearings(&text.text, &text.steps, options);
    let mut left = hearings.iter().peekable();
    text.walk(engine, start, |walk, at, _| {
        while let Some(hearing) = left.next_if(|hearing| hearing.step == at) {
            let gold = match hearing.done {
                Deed::Act(_) => text.oracle.action(walk).map(Deed::Act),
                Deed::Label(_) => text.label_for(walk).map(Deed::Label),
            };
            counted.hear(hearing, gold, text, walk);
        }
    });
    counted
}

impl Counted {
    fn hear(&mut self, hearing: &Hearing, gold: Option<Deed>, text: &ParsedGold, walk: &Walk) {
        let is_right = gold.map(|gold| agree(gold, hearing.done));
        self.decisions += usize::from(is_right.is_some());
        self.right += usize::from(is_right == Some(true));
        for voice in &hearing.voices {
            let tally = tally(voice, gold, is_right);
            let own = self.rules.entry(voice.speaker).or_default();
            own.0.add(&tally);
            if tally.harm > 0 && own.1.len() < EXAMPLES {
                own.1.push(harm(hearing, text, walk));
            }
            if let SpeakerKey::Table(table) = voice.speaker {
                for row in &voice.rows {
                    self.rows.entry((table, *row)).or_default().add(&tally);
                }
            }
        }
    }
}

fn tally(voice: &HeardVoice, gold: Option<Deed>, is_right: Option<bool>) -> Tally {
    let pull = gold.map_or(0.0, |gold| voice.pull(gold));
    let without_right = match (voice.without, gold) {
        (Some(without), Some(gold)) => Some(agree(without, gold)),
        _ => None,
    };
    Tally {
        spoke: 1,
        right: usize::from(pull > 0.0),
        wrong: usize::from(pull < 0.0),
        decided: usize::from(voice.without.is_some()),
        missed: usize::from(is_right == Some(true) && without_right == Some(false)),
        harm: usize::from(is_right == Some(false) && without_right == Some(true)),
    }
}

/// True when two deeds come to the same tree.
fn agree(one: Deed, other: Deed) -> bool {
    match (one, other) {
        (Deed::Label(one), Deed::Label(other)) => {
            one.relation == other.relation && one.roles == other.roles
        }
        _ => one == other,
    }
}

fn harm(hearing: &Hearing, text: &ParsedGold, walk: &Walk) -> Harm {
    let edu = |at: u32| {
        let edu = text.text.edus.get(at as usize);
        edu.map_or_else(String::new, |edu| tidy_text(&edu.text))
    };
    let mut words: Vec<String> = Vec::new();
    for (_, span) in walk.stack().take(2) {
        words.insert(0, edu(span.first));
    }
    if matches!(hearing.done, Deed::Act(_)) {
        words.push(edu(walk.next()));
    }
    let (id, step) = (text.id().to_owned(), hearing.step + 1);
    Harm {
        explain: confusion::explain_command(text, &format!("--step {step}")),
        id,
        step,
        words: words.join(" | "),
    }
}
