//! Walking through configurations by given actions, and asking fixed questions on the way: how
//! behaviour is turned into contexts.

use std::sync::Arc;

use super::Text;
use super::atoms::{AtomId, Collector, Questions};
use super::explain::reason_facts;
use super::probe::Probe;
use super::program::{Outcome, Program};
use super::run::{Arena, Reduction, State, Step};
use crate::grammar::formula::Formula;
use crate::grammar::{Equation, Grammar};
use crate::measure::{Gaps, NodeIndex, ParsedSpan, Tables};
use crate::schema::{RelationId, Schema};
use crate::text::BlockKind;
use crate::text::words::Word;

/// A fixed list of formulas, compiled so that asking all of them costs little more than measuring what
/// they speak of.
#[derive(Debug)]
pub struct Questionnaire {
    questions: Questions,
    /// For each slot and bin, the formulas of one conjunct that hold.
    holding: Vec<Vec<Vec<u32>>>,
    /// Formulas of several conjuncts, or of none.
    long: Vec<(u32, Vec<AtomId>)>,
}

impl Questionnaire {
    /// Compiles formulas; answers name them by their place in the list.
    pub fn new(formulas: &[Formula], schema: &Schema) -> Questionnaire {
        let tables = Tables::new(schema);
        let mut collector = Collector::new(schema, &tables.class_names);
        let atoms: Vec<Vec<AtomId>> = formulas.iter().map(|f| collector.reason(Some(f))).collect();
        let questions = collector.finish();
        let mut holding: Vec<Vec<Vec<u32>>> = (0..questions.slots() as u32)
            .map(|slot| vec![Vec::new(); questions.bins(slot) as usize])
            .collect();
        let mut long = Vec::new();
        for (formula, atoms) in atoms.iter().enumerate() {
            let [atom] = atoms.as_slice() else {
                long.push((formula as u32, atoms.clone()));
                continue;
            };
            let atom = questions.atom(*atom);
            for bin in atom.bins() {
                if let Some(list) = holding[atom.slot as usize].get_mut(bin as usize) {
                    list.push(formula as u32);
                }
            }
        }
        Questionnaire {
            questions,
            holding,
            long,
        }
    }

    /// The formulas that hold, in order.
    fn answers(&self, probe: &impl Probe) -> Vec<u32> {
        let mut all = Vec::new();
        for (slot, bins) in self.holding.iter().enumerate() {
            if bins.iter().all(Vec::is_empty) {
                continue;
            }
            let bin = self.questions.bin(slot as u32, probe);
            if let Some(holding) = bins.get(bin as usize) {
                all.extend(holding);
            }
        }
        for (formula, atoms) in &self.long {
            let holds = |atom: &AtomId| {
                let atom = self.questions.atom(*atom);
                atom.holds(self.questions.bin(atom.slot, probe))
            };
            if atoms.iter().all(holds) {
                all.push(*formula);
            }
        }
        all.sort_unstable();
        all
    }

    /// For every gap of a block (before the word of that number, from 1), the formulas that hold;
    /// `starts` says where EDUs begin.
    pub fn ask_at_gaps(
        &self,
        text: &str,
        words: &[Word],
        kind: BlockKind,
        schema: &Schema,
        starts: &[usize],
    ) -> Vec<Vec<u32>> {
        let gaps = Gaps::new(text, words, kind, schema);
        let mut chars = 0;
        let mut all = Vec::with_capacity(words.len());
        for (at, word) in words.iter().enumerate() {
            if at > 0 {
                all.push(self.answers(&gaps.at(at, chars)));
                if starts.binary_search(&at).is_ok() {
                    chars = 0;
                }
            }
            chars += word.text(text).chars().count() as u32;
        }
        all
    }
}

/// A walk over one text.
#[derive(Debug)]
pub struct Walk {
    program: Arc<Program>,
    text: Arc<Text>,
    arena: Arena,
    state: State,
}

impl Walk {
    /// Begins a text; nobody's rules are asked.
    pub fn new(schema: &Arc<Schema>, text: Arc<Text>) -> Walk {
        let grammar = Grammar {
            schema: Arc::clone(schema),
            ..Grammar::default()
        };
        let mut program = Program::new(Arc::new(grammar));
        program.compares_words = true;
        Walk {
            arena: Arena::new(&text),
            program: Arc::new(program),
            text,
            state: State::START,
        }
    }

    /// Begins another text of the same schema.
    pub fn begin(&self, text: Arc<Text>) -> Walk {
        Walk {
            arena: Arena::new(&text),
            program: Arc::clone(&self.program),
            text,
            state: State::START,
        }
    }

    /// The nodes on the stack, the topmost first.
    pub fn stack(&self) -> impl Iterator<Item = (NodeIndex, &ParsedSpan)> {
        self.arena
            .stack(&self.state)
            .map(|at| (at, self.arena.node(at)))
    }

    /// The next EDU, counted from 0; the number of EDUs at the end.
    pub fn next(&self) -> u32 {
        self.state.next
    }

    /// True when there is something to decide: two nodes, and an EDU to come.
    pub fn has_choice(&self) -> bool {
        self.state.depth >= 2 && (self.state.next as usize) < self.text.len()
    }

    /// The formulas that hold here.
    pub fn answers(&self, questionnaire: &Questionnaire) -> Vec<u32> {
        let nodes = self.arena.view(&self.state, &self.text);
        questionnaire.answers(&self.program.view(&self.text, nodes))
    }

    /// What a reason finds here, in words, each fact once: `B begins with 但 (but)`.
    pub fn facts(&self, reason: &Formula) -> Vec<String> {
        let nodes = self.arena.view(&self.state, &self.text);
        reason_facts(reason, &self.program.view(&self.text, nodes))
    }

    /// Takes a step that somebody else took, with the equations that it was taken with.
    pub fn follow(&mut self, step: &Step, equations: &[Equation]) {
        match step.label {
            None => self.shift(),
            Some(label) => self.reduce_with(label.outcome, equations),
        }
    }

    /// Takes the next EDU; nothing happens at the end.
    pub fn shift(&mut self) {
        if (self.state.next as usize) < self.text.len() {
            self.state = self.arena.shift(&self.state, 1.0, true, false);
        }
    }

    /// The symbol of the next EDU; none at the end.
    pub fn next_symbol(&self) -> Option<RelationId> {
        let next = self.arena.nodes.get(self.state.next as usize);
        next.filter(|_| (self.state.next as usize) < self.text.len())
            .map(|span| span.symbol)
    }

    /// Joins the two topmost nodes; nothing happens where there are no two.
    pub fn reduce(&mut self, outcome: Outcome) {
        self.reduce_with(outcome, &[]);
    }

    /// The same with attribute equations.
    pub fn reduce_with(&mut self, outcome: Outcome, equations: &[Equation]) {
        let how = Reduction::decided(outcome, true);
        if self.state.depth >= 2 {
            let (program, text) = (&self.program, &self.text);
            self.state = self
                .arena
                .reduce_with(&self.state, &how, equations, program, text);
        }
    }
}
