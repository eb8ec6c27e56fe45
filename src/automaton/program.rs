//! A grammar compiled: rules by pattern, and within a pattern by their rarest atom.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::atoms::{AtomId, Bin, Collector, Questions, SlotId};
use super::lookups::{LookupRow, Lookups, can_look_up};
use crate::grammar::{
    Action, AnyRule, Decide, Decision, Equation, Fallback, Grammar, Pattern, Roles, Row, Rule,
    Shape, Table,
};
use crate::measure::Tables;
use crate::schema::{RelationId, RhetoricId, RhetoricKind, Schema};

/// A compiled grammar. It never changes and is shared by threads.
#[derive(Debug)]
pub(super) struct Program {
    pub(super) grammar: Arc<Grammar>,
    pub(super) tables: Tables,
    pub(super) questions: Questions,
    /// Who says shift or reduce.
    pub(super) preferences: RuleSet<3>,
    /// Who says what two nodes become.
    pub(super) productions: RuleSet<2>,
    /// What productions make, each once, in the order of the file.
    pub(super) outcomes: Vec<Outcome>,
    /// For each outcome the same with any parent, where counts decide and both are there; else
    /// itself. Empty where no outcome has another.
    pub(super) general_outcomes: Vec<u32>,
    /// What happens where no preference speaks, if it is declared.
    pub(super) fallback_action: Option<Action>,
    /// What is made where no production fits.
    pub(super) fallback_outcome: Outcome,
    /// Some reason compares the words of spans.
    pub(super) compares_words: bool,
    /// Tables say what two nodes become: their weights are those of a softmax. Weights of productions
    /// alone are those of one outcome against the rest.
    pub(super) labels_by_tables: bool,
}

/// What a production makes of two nodes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Outcome {
    /// D; any takes the symbol of the nucleus.
    pub parent: Pattern,
    /// The rhetorical relation.
    pub relation: RhetoricId,
    /// The roles of the children.
    pub roles: Roles,
}

impl Outcome {
    /// True when this is what was done; what was done may leave the parent open, as trees without symbols do.
    pub fn is_done_by(&self, done: &Outcome) -> bool {
        let parent = done.parent == Pattern::Any || done.parent == self.parent;
        parent && self.relation == done.relation && self.roles == done.roles
    }

    /// What a shape makes.
    pub fn of(shape: &Shape) -> Outcome {
        Outcome {
            parent: shape.parent,
            relation: shape.relation,
            roles: shape.roles,
        }
    }

    /// The symbol of the new node.
    pub fn symbol(&self, left: RelationId, right: RelationId) -> RelationId {
        match (self.parent, self.roles) {
            (Pattern::Symbol(symbol), _) => symbol,
            (Pattern::Any, Roles::SatelliteNucleus) => right,
            (Pattern::Any, _) => left,
        }
    }
}

/// Who speaks: a rule by its place among the grammar's rules of its kind, or a row of a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Origin {
    Rule(u32),
    Row { table: u32, row: u32 },
}

/// A rule or a row of a table, with what it says.
#[derive(Debug, Clone, Copy)]
pub(super) enum Speaker<'g> {
    Rule(AnyRule<'g>),
    Row(&'g Table, &'g Row),
}

impl<'g> Speaker<'g> {
    /// The rule, or the table of the row.
    pub(super) fn rule(self) -> &'g Rule {
        match self {
            Speaker::Rule(any) => any.rule(),
            Speaker::Row(table, _) => &table.rule,
        }
    }
}

/// A rule as the automaton sees it.
#[derive(Debug, Clone)]
pub(super) struct Compiled {
    /// Where it comes from.
    pub(super) origin: Origin,
    /// What it speaks for: an [`Action`] as 0 or 1, or the index of an outcome.
    pub(super) side: u32,
    /// Its count, or its weight.
    pub(super) amount: f64,
    /// How specific it is: its pattern, then its reason.
    pub(super) specificity: Specificity,
    /// The atoms that remain to be looked at once it has been found, in the set's list.
    rest: (u32, u32),
}

impl Compiled {
    /// How much it has to say for its side: what a person wrote for it goes before rows of tables.
    pub(super) fn loudness(&self) -> (bool, f64) {
        let written = matches!(self.origin, Origin::Rule(_)) && self.amount > 0.0;
        (written, self.amount)
    }
}

/// How specific a rule is: the sum of its symbols' depths in the hierarchy, then the number of
/// things its reason asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Specificity {
    pub(super) pattern: u32,
    pub(super) reason: u32,
}

/// Rules of one kind with patterns of N symbols.
#[derive(Debug)]
pub(super) struct RuleSet<const N: usize> {
    pub(super) rules: Vec<Compiled>,
    /// The atoms of all rules, one after another.
    atoms: Vec<AtomId>,
    groups: Vec<Group>,
    by_pattern: FxHashMap<[Pattern; N], u32>,
    /// Rows of tables; they are in no group.
    pub(super) lookups: Lookups,
}

/// The rules of one pattern.
#[derive(Debug, Clone, Default)]
pub(super) struct Group {
    specificity: u32,
    /// Rules without a reason.
    pub(super) always: Vec<u32>,
    /// Rules that are looked at one after another.
    pub(super) listed: Vec<Entry>,
    /// Rules by the slot and bin of their rarest atom.
    pub(super) keyed: Vec<Keyed>,
}

/// Rules that can fire when a slot has a certain bin.
#[derive(Debug, Clone)]
pub(super) struct Keyed {
    pub(super) slot: SlotId,
    /// Where the rules of each bin begin.
    starts: Vec<u32>,
    rules: Vec<Entry>,
}

/// A rule that is looked at, with what is left to see. Most rules ask for one more thing; it stands
/// here so that thousands of rules are gone through in one sweep.
#[derive(Debug, Clone, Copy)]
pub(super) struct Entry {
    pub(super) rule: u32,
    /// What is left: nothing, one slot, or the atoms of [`RuleSet::rest`].
    pub(super) left: Left,
}

/// What is left to see of a rule that has been found.
#[derive(Debug, Clone, Copy)]
pub(super) enum Left {
    Nothing,
    /// The slot must have one of these bins.
    Slot(SlotId, u64),
    Atoms,
}

impl Group {
    /// How specific its pattern is.
    pub(super) fn specificity(&self) -> u32 {
        self.specificity
    }
}

impl Keyed {
    pub(super) fn rules(&self, bin: Bin) -> &[Entry] {
        let at = bin as usize;
        match (self.starts.get(at), self.starts.get(at + 1)) {
            (Some(from), Some(to)) => &self.rules[*from as usize..*to as usize],
            _ => &[],
        }
    }
}

impl<const N: usize> RuleSet<N> {
    /// The log-odds of side 0 against side 1: the weights of the rules that spoke, those of side 1
    /// with the other sign.
    pub(super) fn odds(&self, fired: &[u32]) -> f64 {
        let rules = fired.iter().map(|rule| &self.rules[*rule as usize]);
        let signed = rules.map(|rule| {
            if rule.side == 0 {
                rule.amount
            } else {
                -rule.amount
            }
        });
        signed.sum()
    }

    /// The atoms that must hold for a rule that has been found.
    pub(super) fn rest(&self, rule: u32) -> &[AtomId] {
        let (from, to) = self.rules[rule as usize].rest;
        &self.atoms[from as usize..to as usize]
    }

    /// The group of rules without a pattern, if there are any.
    pub(super) fn only_group(&self) -> Option<&Group> {
        self.groups.first()
    }

    pub(super) fn group(&self, at: u32) -> &Group {
        &self.groups[at as usize]
    }

    /// The patterns that fit the symbols, most specific first, in the order of the file where
    /// they are equally specific.
    pub(super) fn groups_of(&self, symbols: [RelationId; N], schema: &Schema) -> Vec<u32> {
        let ladders: [Vec<Pattern>; N] = symbols.map(|symbol| {
            let ancestors = schema.ancestors(symbol).map(Pattern::Symbol);
            ancestors.chain([Pattern::Any]).collect()
        });
        let combinations: usize = ladders.iter().map(Vec::len).product();
        let mut found: Vec<u32> = (0..combinations)
            .filter_map(|number| {
                let mut rest = number;
                let pattern: [Pattern; N] = std::array::from_fn(|at| {
                    let ladder = &ladders[at];
                    let step = ladder[rest % ladder.len()];
                    rest /= ladder.len();
                    step
                });
                self.by_pattern.get(&pattern).copied()
            })
            .collect();
        found.sort_by_key(|group| (std::cmp::Reverse(self.group(*group).specificity), *group));
        found
    }
}

/// A rule that is being compiled.
pub(super) struct Draft<const N: usize> {
    pub(super) origin: Origin,
    pub(super) pattern: [Pattern; N],
    pub(super) side: u32,
    pub(super) amount: f64,
    pub(super) atoms: Vec<AtomId>,
}

impl<const N: usize> Draft<N> {
    /// True for a row of a table that is found by look-up.
    fn is_looked_up(&self, questions: &Questions) -> bool {
        matches!(self.origin, Origin::Row { .. }) && can_look_up(&self.atoms, questions)
    }
}

impl Program {
    /// The equations of a production, by its place in the grammar.
    pub(super) fn equations(&self, production: Option<u32>) -> &[Equation] {
        let production = production.and_then(|at| self.grammar.productions.get(at as usize));
        production.map_or(&[], |production| &production.equations)
    }

    /// Compiles a grammar. What is wrong with a grammar has been said when it was loaded.
    pub(super) fn new(grammar: Arc<Grammar>) -> Program {
        let schema = Arc::clone(&grammar.schema);
        let tables = Tables::new(&schema);
        let mut collector = Collector::new(&schema, &tables.class_names);
        let decide = grammar.decide;
        let rules = grammar.preferences.iter().enumerate();
        let mut preferences: Vec<Draft<3>> = rules
            .map(|(at, preference)| Draft {
                origin: Origin::Rule(at as u32),
                pattern: preference.pattern,
                side: preference.action as u32,
                amount: amount(&preference.rule, decide),
                atoms: collector.reason(preference.rule.reason.as_ref()),
            })
            .collect();
        let mut outcomes: Vec<Outcome> = Vec::new();
        let mut by_outcome: FxHashMap<Outcome, u32> = FxHashMap::default();
        let mut side_of = |outcome: Outcome| {
            *by_outcome.entry(outcome).or_insert_with(|| {
                outcomes.push(outcome);
                (outcomes.len() - 1) as u32
            })
        };
        let rules = grammar.productions.iter().enumerate();
        let mut productions: Vec<Draft<2>> = rules
            .map(|(at, production)| {
                let side = side_of(Outcome::of(&production.shape));
                Draft {
                    origin: Origin::Rule(at as u32),
                    pattern: production.shape.children,
                    side,
                    amount: amount(&production.rule, decide),
                    atoms: collector.reason(production.rule.reason.as_ref()),
                }
            })
            .collect();
        if decide == Decide::Weights {
            for (relation, roles) in grammar.tables.iter().flat_map(Table::outcomes) {
                side_of(Outcome {
                    parent: Pattern::Any,
                    relation,
                    roles,
                });
            }
            let decisions = [Decision::Shift, Decision::Reduce, Decision::Label];
            for (row, decision) in rows(&grammar.tables, &decisions, &mut collector) {
                match decision {
                    Decision::Label => productions.extend(row.labels(&outcomes, &schema)),
                    Decision::Shift => preferences.push(row.draft(Action::Shift as u32)),
                    Decision::Reduce => preferences.push(row.draft(Action::Reduce as u32)),
                    Decision::Boundary => {}
                }
            }
        }
        let questions = collector.finish();
        Program {
            preferences: rule_set(preferences, &questions, &schema),
            productions: rule_set(productions, &questions, &schema),
            general_outcomes: general_outcomes(&outcomes),
            outcomes,
            fallback_action: grammar.fallback.action,
            fallback_outcome: fallback_outcome(&grammar.fallback, &schema),
            compares_words: questions.compares_words(),
            labels_by_tables: decide == Decide::Weights
                && grammar
                    .tables
                    .iter()
                    .any(|table| table.decision == Decision::Label),
            questions,
            tables,
            grammar,
        }
    }

    /// Who a compiled production is.
    pub(super) fn production(&self, at: u32) -> Speaker<'_> {
        let productions = &self.grammar.productions;
        self.speaker(self.productions.rules[at as usize].origin, |at| {
            AnyRule::Production(&productions[at])
        })
    }

    /// Who a compiled preference is.
    pub(super) fn preference(&self, at: u32) -> Speaker<'_> {
        let preferences = &self.grammar.preferences;
        self.speaker(self.preferences.rules[at as usize].origin, |at| {
            AnyRule::Preference(&preferences[at])
        })
    }

    fn speaker<'p>(&'p self, origin: Origin, rule: impl Fn(usize) -> AnyRule<'p>) -> Speaker<'p> {
        match origin {
            Origin::Rule(at) => Speaker::Rule(rule(at as usize)),
            Origin::Row { table, row } => {
                let table = &self.grammar.tables[table as usize];
                Speaker::Row(table, &table.rows[row as usize])
            }
        }
    }
}

/// A row of a table that is being compiled.
pub(super) struct RowDraft<'g> {
    origin: Origin,
    row: &'g Row,
    atoms: Vec<AtomId>,
}

/// The rows of all tables that decide one of these, with what their tables decide.
pub(super) fn rows<'g>(
    tables: &'g [Table],
    decisions: &[Decision],
    collector: &mut Collector<'_>,
) -> Vec<(RowDraft<'g>, Decision)> {
    let mut all = Vec::new();
    let numbered = tables.iter().enumerate();
    for (at, table) in numbered.filter(|(_, table)| decisions.contains(&table.decision)) {
        for (number, row) in table.rows.iter().enumerate() {
            let draft = RowDraft {
                origin: Origin::Row {
                    table: at as u32,
                    row: number as u32,
                },
                row,
                atoms: collector.reason(table.row_reason(row).as_ref()),
            };
            all.push((draft, table.decision));
        }
    }
    all
}

impl RowDraft<'_> {
    /// What it says for a side, whatever the symbols.
    pub(super) fn draft<const N: usize>(&self, side: u32) -> Draft<N> {
        Draft {
            origin: self.origin,
            pattern: [Pattern::Any; N],
            side,
            amount: self.row.weight.get(),
            atoms: self.atoms.clone(),
        }
    }

    /// What it says for every outcome that fits.
    fn labels(&self, outcomes: &[Outcome], schema: &Schema) -> Vec<Draft<2>> {
        let Some(pattern) = &self.row.outcome else {
            return Vec::new();
        };
        let outcomes = outcomes.iter().enumerate();
        let fitting = outcomes.filter(|(_, outcome)| {
            outcome.parent == Pattern::Any && pattern.fits(outcome.relation, outcome.roles, schema)
        });
        fitting.map(|(side, _)| self.draft(side as u32)).collect()
    }
}

pub(super) fn amount(rule: &Rule, decide: Decide) -> f64 {
    match decide {
        Decide::Counts => rule.count().get() as f64,
        Decide::Weights => rule.pull().unwrap_or(0.0),
    }
}

/// For each outcome the one that leaves the parent open, or itself.
fn general_outcomes(outcomes: &[Outcome]) -> Vec<u32> {
    let open: FxHashMap<Outcome, u32> = outcomes
        .iter()
        .enumerate()
        .filter(|(_, outcome)| outcome.parent == Pattern::Any)
        .map(|(at, outcome)| (*outcome, at as u32))
        .collect();
    let general = |(at, outcome): (usize, &Outcome)| {
        let parent = Pattern::Any;
        let general = open.get(&Outcome { parent, ..*outcome });
        general.copied().unwrap_or(at as u32)
    };
    let generals: Vec<u32> = outcomes.iter().enumerate().map(general).collect();
    let is_own = |(at, general): (usize, &u32)| at as u32 == *general;
    if generals.iter().enumerate().all(is_own) {
        Vec::new()
    } else {
        generals
    }
}

/// The declared production, or the most usual one: the first relation of the schema with a
/// satellite, to its right.
fn fallback_outcome(fallback: &Fallback, schema: &Schema) -> Outcome {
    if let Some(shape) = &fallback.production {
        return Outcome::of(shape);
    }
    let elaboration = |r: &crate::schema::Rhetoric| r.class == "elaboration";
    let usual = schema.rhetoric.iter().position(elaboration);
    let satellite = |r: &crate::schema::Rhetoric| r.kind == RhetoricKind::Rst;
    let any = || schema.rhetoric.iter().position(satellite);
    Outcome {
        parent: Pattern::Any,
        relation: RhetoricId::new(usual.or_else(any).unwrap_or(0)),
        roles: Roles::NucleusSatellite,
    }
}

/// Groups up to this size are gone through one by one; greater ones are looked up.
const LISTED: usize = 8;

/// An atom that accepts more bins than this is no key: its rule would stand in as many lists.
const MAX_KEY_BINS: u32 = 1024;

pub(super) fn rule_set<const N: usize>(
    drafts: Vec<Draft<N>>,
    questions: &Questions,
    schema: &Schema,
) -> RuleSet<N> {
    let numbered = drafts.iter().enumerate();
    let rows = numbered.filter(|(_, draft)| draft.is_looked_up(questions));
    let rows = rows.map(|(at, draft)| LookupRow {
        rule: at as u32,
        side: draft.side,
        amount: draft.amount,
        atoms: &draft.atoms,
    });
    let mut set = RuleSet {
        rules: Vec::with_capacity(drafts.len()),
        atoms: Vec::new(),
        groups: Vec::new(),
        by_pattern: FxHashMap::default(),
        lookups: Lookups::new(rows, questions),
    };
    let mut members: Vec<Vec<u32>> = Vec::new();
    for (at, draft) in drafts.iter().enumerate() {
        if !draft.is_looked_up(questions) {
            let group = *set.by_pattern.entry(draft.pattern).or_insert_with(|| {
                members.push(Vec::new());
                (members.len() - 1) as u32
            });
            members[group as usize].push(at as u32);
        }
        set.rules.push(Compiled {
            origin: draft.origin,
            side: draft.side,
            amount: draft.amount,
            specificity: Specificity {
                pattern: draft.pattern.iter().map(|p| p.specificity(schema)).sum(),
                reason: draft.atoms.len() as u32,
            },
            rest: (0, 0),
        });
    }
    for members in members {
        let group = set.grouped(&members, &drafts, questions);
        set.groups.push(group);
    }
    set
}

impl<const N: usize> RuleSet<N> {
    /// The group of the rules of one pattern.
    fn grouped(&mut self, members: &[u32], drafts: &[Draft<N>], questions: &Questions) -> Group {
        let mut group = Group::default();
        let mut keys: Vec<(AtomId, Entry)> = Vec::new();
        let with_reason = |at: &&u32| !drafts[**at as usize].atoms.is_empty();
        let few = members.iter().filter(with_reason).count() <= LISTED;
        for at in members {
            let atoms = &drafts[*at as usize].atoms;
            let compiled = &mut self.rules[*at as usize];
            group.specificity = compiled.specificity.pattern;
            let key = if few { None } else { rarest(atoms, questions) };
            let from = self.atoms.len() as u32;
            let rest = atoms.iter().filter(|atom| Some(**atom) != key);
            self.atoms.extend(rest);
            compiled.rest = (from, self.atoms.len() as u32);
            let entry = Entry {
                rule: *at,
                left: left(self.rest(*at), questions),
            };
            match key {
                Some(key) => keys.push((key, entry)),
                None if atoms.is_empty() => group.always.push(*at),
                None => group.listed.push(entry),
            }
        }
        group.keyed = by_slot(keys, questions);
        group
    }
}

fn left(rest: &[AtomId], questions: &Questions) -> Left {
    match rest {
        [] => Left::Nothing,
        [only] => {
            let atom = questions.atom(*only);
            atom.bits()
                .map_or(Left::Atoms, |bits| Left::Slot(atom.slot, bits))
        }
        _ => Left::Atoms,
    }
}

/// The atom that is expected to hold least often, if it can be a key.
fn rarest(atoms: &[AtomId], questions: &Questions) -> Option<AtomId> {
    let usable = |atom: &AtomId| questions.atom(*atom).count() <= MAX_KEY_BINS;
    let usable = atoms.iter().copied().filter(usable);
    usable.min_by(|left, right| {
        let commonness = |atom| questions.commonness(atom);
        commonness(*left).total_cmp(&commonness(*right))
    })
}

/// Rules by the bins that their key atoms accept.
fn by_slot(keys: Vec<(AtomId, Entry)>, questions: &Questions) -> Vec<Keyed> {
    let mut slots: Vec<(SlotId, Vec<Vec<Entry>>)> = Vec::new();
    let mut places: FxHashMap<SlotId, usize> = FxHashMap::default();
    for (atom, rule) in keys {
        let atom = questions.atom(atom);
        let place = *places.entry(atom.slot).or_insert_with(|| {
            let bins = questions.bins(atom.slot) as usize;
            slots.push((atom.slot, vec![Vec::new(); bins]));
            slots.len() - 1
        });
        for bin in atom.bins() {
            slots[place].1[bin as usize].push(rule);
        }
    }
    slots
        .into_iter()
        .map(|(slot, bins)| {
            let mut starts = vec![0];
            let mut rules = Vec::new();
            for bin in bins {
                rules.extend(bin);
                starts.push(rules.len() as u32);
            }
            Keyed {
                slot,
                starts,
                rules,
            }
        })
        .collect()
}
