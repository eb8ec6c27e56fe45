//! What the rules say in one configuration.

use rustc_hash::FxHashMap;

use super::Text;
use super::atoms::{Questions, SlotId};
use super::measure::{Measure, Measured, Probe};
use super::node::Measurer;
use super::program::{Group, Outcome, Program, RuleSet, Specificity};
use super::view::{Nodes, View};
use crate::grammar::formula::Node;
use crate::grammar::{Action, Decide};
use crate::schema::RelationId;

/// How instances of several levels make one probability, where counts decide.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Counting {
    /// From general to specific, each level is mixed with the one below it:
    /// P = (n + k P') / (N + k), where P' is the probability by the more general levels and the
    /// most general level that speaks has n / N. Levels are patterns by how specific they are,
    /// and within a pattern reasons by how much they ask for.
    Interpolated(f64),
    /// The paper's own: the most specific pattern of which a reason holds decides alone.
    Literal,
}

/// The usual weight of what more general rules say, in instances.
pub const INTERPOLATION: f64 = 2.0;

impl Default for Counting {
    fn default() -> Counting {
        Counting::Interpolated(INTERPOLATION)
    }
}

/// Shift or reduce: what the preferences say.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct ActionChoice {
    pub(super) shift: f64,
    /// True when no preference spoke.
    pub(super) fallback: bool,
    /// The action that comes first where both are equally probable.
    first: Action,
}

impl ActionChoice {
    pub(super) fn probability(&self, action: Action) -> f64 {
        match action {
            Action::Shift => self.shift,
            Action::Reduce => 1.0 - self.shift,
        }
    }

    pub(super) fn best(&self) -> Action {
        match self.shift.total_cmp(&0.5) {
            std::cmp::Ordering::Greater => Action::Shift,
            std::cmp::Ordering::Less => Action::Reduce,
            std::cmp::Ordering::Equal => self.first,
        }
    }
}

/// One thing that two nodes may become.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Label {
    pub(super) outcome: Outcome,
    pub(super) probability: f64,
    /// The production that speaks loudest for it; none for the fallback.
    pub(super) rule: Option<u32>,
}

/// What a thread needs while it decides: remembered measurements and candidate lists.
#[derive(Debug, Default)]
pub(super) struct Workspace {
    bins: Vec<u16>,
    stamps: Vec<u32>,
    stamp: u32,
    triples: FxHashMap<[RelationId; 3], Vec<u32>>,
    pairs: FxHashMap<[RelationId; 2], Vec<u32>>,
    /// The rules that fired last.
    pub(super) fired: Vec<u32>,
    sums: Vec<(u32, f64)>,
}

impl Workspace {
    /// Forgets what was measured: a new configuration begins.
    pub(super) fn begin(&mut self, slots: usize) {
        if self.bins.len() < slots {
            self.bins.resize(slots, 0);
            self.stamps.resize(slots, 0);
        }
        self.stamp = self.stamp.wrapping_add(1);
        if self.stamp == 0 {
            self.stamps.fill(0);
            self.stamp = 1;
        }
    }

    fn bin(&mut self, slot: SlotId, questions: &Questions, probe: &impl Probe) -> u16 {
        let at = slot as usize;
        if self.stamps[at] != self.stamp {
            self.stamps[at] = self.stamp;
            self.bins[at] = questions.bin(slot, probe);
        }
        self.bins[at]
    }

    /// Adds the rules of a group that hold to those that fired.
    pub(super) fn fire<const N: usize>(
        &mut self,
        set: &RuleSet<N>,
        group: &Group,
        questions: &Questions,
        probe: &impl Probe,
    ) {
        self.fired.extend(&group.always);
        for keyed in &group.keyed {
            let bin = self.bin(keyed.slot, questions, probe);
            for rule in keyed.rules(bin) {
                let rest = set.rules[*rule as usize].rest.iter();
                let mut atoms = rest.map(|atom| questions.atom(*atom));
                if atoms.all(|atom| atom.holds(self.bin(atom.slot, questions, probe))) {
                    self.fired.push(*rule);
                }
            }
        }
    }
}

impl Program {
    pub(super) fn view<'v>(&'v self, text: &'v Text, nodes: Nodes<'v>) -> View<'v> {
        View {
            nodes,
            measurer: Measurer {
                text,
                tables: &self.tables,
            },
            schema: &self.grammar.schema,
        }
    }

    /// Shift or reduce, by the preferences for (A, B, C). The rules that spoke are left in
    /// `workspace.fired`.
    pub(super) fn choose_action(
        &self,
        view: &View<'_>,
        counting: Counting,
        workspace: &mut Workspace,
    ) -> ActionChoice {
        self.fire_preferences(view, counting, workspace);
        let fired = std::mem::take(&mut workspace.fired);
        let choice = self.weigh_action(&fired, view, counting, workspace);
        workspace.fired = fired;
        choice
    }

    /// What A and B become, by the productions for (A, B), most probable first.
    pub(super) fn choose_label(
        &self,
        view: &View<'_>,
        counting: Counting,
        workspace: &mut Workspace,
    ) -> Vec<Label> {
        self.fire_productions(view, counting, workspace);
        let fired = std::mem::take(&mut workspace.fired);
        let labels = self.weigh_labels(&fired, counting, workspace);
        workspace.fired = fired;
        labels
    }

    fn fire_preferences(&self, view: &View<'_>, counting: Counting, workspace: &mut Workspace) {
        workspace.fired.clear();
        let (Some(a), Some(b), Some(c)) = (view.nodes.a, view.nodes.b, view.nodes.c) else {
            return;
        };
        let symbols = [a.symbol, b.symbol, c.symbol];
        let mut triples = std::mem::take(&mut workspace.triples);
        let groups = triples
            .entry(symbols)
            .or_insert_with(|| self.preferences.groups_of(symbols, view.schema));
        self.fire(&self.preferences, groups, view, counting, workspace);
        workspace.triples = triples;
    }

    fn fire_productions(&self, view: &View<'_>, counting: Counting, workspace: &mut Workspace) {
        workspace.fired.clear();
        let (Some(a), Some(b)) = (view.nodes.a, view.nodes.b) else {
            return;
        };
        let symbols = [a.symbol, b.symbol];
        let mut pairs = std::mem::take(&mut workspace.pairs);
        let groups = pairs
            .entry(symbols)
            .or_insert_with(|| self.productions.groups_of(symbols, view.schema));
        self.fire(&self.productions, groups, view, counting, workspace);
        workspace.pairs = pairs;
    }

    /// Collects the rules that hold, most specific patterns first.
    fn fire<const N: usize>(
        &self,
        set: &RuleSet<N>,
        groups: &[u32],
        view: &View<'_>,
        counting: Counting,
        workspace: &mut Workspace,
    ) {
        // Where the most specific pattern decides alone, the others need not be asked.
        let alone = self.grammar.decide == Decide::Counts && counting == Counting::Literal;
        let mut level = None;
        for group in groups {
            let group = set.group(*group);
            if alone && level.is_some_and(|level| level != group.specificity()) {
                break;
            }
            workspace.fire(set, group, &self.questions, view);
            if !workspace.fired.is_empty() {
                level = Some(group.specificity());
            }
        }
    }

    fn weigh_action(
        &self,
        fired: &[u32],
        view: &View<'_>,
        counting: Counting,
        workspace: &mut Workspace,
    ) -> ActionChoice {
        let Some(first) = fired.iter().min() else {
            return self.fallback_choice(view);
        };
        let rules = &self.preferences.rules;
        let first = match rules[*first as usize].side {
            0 => Action::Shift,
            _ => Action::Reduce,
        };
        let shift = match self.grammar.decide {
            Decide::Weights => {
                let signed = fired.iter().map(|rule| {
                    let rule = &rules[*rule as usize];
                    if rule.side == 0 {
                        rule.amount
                    } else {
                        -rule.amount
                    }
                });
                logistic(signed.sum())
            }
            Decide::Counts => {
                let shares = mixed(&self.preferences, fired, counting, workspace);
                let shift = shares.iter().find(|(side, _)| *side == 0);
                shift.map_or(0.0, |(_, share)| *share)
            }
        };
        ActionChoice {
            shift,
            fallback: false,
            first,
        }
    }

    /// The declared action, or what the breaks say: the weaker one is closed first.
    fn fallback_choice(&self, view: &View<'_>) -> ActionChoice {
        let level = |left, right| match view.probe(Measure::Level, &[left, right]) {
            Measured::Code(code) => code,
            _ => 0,
        };
        let by_levels = || match level(Node::B, Node::C) < level(Node::A, Node::B) {
            true => Action::Shift,
            false => Action::Reduce,
        };
        let action = self.fallback_action.unwrap_or_else(by_levels);
        ActionChoice {
            shift: if action == Action::Shift { 1.0 } else { 0.0 },
            fallback: true,
            first: action,
        }
    }

    fn weigh_labels(
        &self,
        fired: &[u32],
        counting: Counting,
        workspace: &mut Workspace,
    ) -> Vec<Label> {
        if fired.is_empty() {
            return vec![Label {
                outcome: self.fallback_outcome,
                probability: 1.0,
                rule: None,
            }];
        }
        let rules = &self.productions.rules;
        let shares: Vec<(u32, f64)> = match self.grammar.decide {
            Decide::Counts => mixed(&self.productions, fired, counting, workspace),
            Decide::Weights => {
                let sums = &mut workspace.sums;
                sums.clear();
                for rule in fired {
                    let rule = &rules[*rule as usize];
                    add(sums, rule.side, rule.amount);
                }
                // One-against-rest: each outcome by its own odds, then normalised.
                for (_, sum) in sums.iter_mut() {
                    *sum = logistic(*sum);
                }
                let total: f64 = sums.iter().map(|(_, share)| share).sum();
                sums.iter()
                    .map(|(side, share)| (*side, share / total))
                    .collect()
            }
        };
        let mut labels: Vec<(u32, Label)> = shares
            .into_iter()
            .map(|(side, probability)| {
                let loudest = self.loudest(fired, side);
                let label = Label {
                    outcome: self.outcomes[side as usize],
                    probability,
                    rule: loudest,
                };
                let first = fired
                    .iter()
                    .filter(|rule| rules[**rule as usize].side == side);
                (first.min().copied().unwrap_or(u32::MAX), label)
            })
            .collect();
        labels.sort_by(|(first, left), (second, right)| {
            let by_probability = right.probability.total_cmp(&left.probability);
            by_probability.then(first.cmp(second))
        });
        labels.into_iter().map(|(_, label)| label).collect()
    }

    /// The rule that speaks most for an outcome: by weight, or the most specific and then the most
    /// often seen.
    fn loudest(&self, fired: &[u32], side: u32) -> Option<u32> {
        let rules = &self.productions.rules;
        let own = fired
            .iter()
            .filter(|rule| rules[**rule as usize].side == side);
        let level = |rule: &u32| match self.grammar.decide {
            Decide::Counts => Some(rules[*rule as usize].specificity),
            Decide::Weights => None,
        };
        let louder = |left: &&u32, right: &&u32| {
            let amount = |rule: &u32| rules[*rule as usize].amount;
            let by_amount = || amount(left).total_cmp(&amount(right));
            let order = level(left).cmp(&level(right)).then_with(by_amount);
            order.then(right.cmp(left))
        };
        own.max_by(louder).copied()
    }
}

/// The probabilities of all sides that somebody speaks for, by counts.
pub(super) fn mixed<const N: usize>(
    set: &RuleSet<N>,
    fired: &[u32],
    counting: Counting,
    workspace: &mut Workspace,
) -> Vec<(u32, f64)> {
    let level = |rule: &u32| -> Specificity {
        let specificity = set.rules[*rule as usize].specificity;
        match counting {
            Counting::Interpolated(_) => specificity,
            Counting::Literal => Specificity {
                reason: 0,
                ..specificity
            },
        }
    };
    let mut order: Vec<u32> = fired.to_vec();
    order.sort_by_key(|rule| (level(rule), *rule));
    let mut shares: Vec<(u32, f64)> = Vec::new();
    for rules in order.chunk_by(|left, right| level(left) == level(right)) {
        let sums = &mut workspace.sums;
        sums.clear();
        for rule in rules {
            let rule = &set.rules[*rule as usize];
            add(sums, rule.side, rule.amount);
        }
        let total: f64 = sums.iter().map(|(_, amount)| amount).sum();
        let general = match counting {
            Counting::Interpolated(weight) if !shares.is_empty() => weight,
            _ => 0.0,
        };
        for (_, share) in &mut shares {
            *share *= general / (total + general);
        }
        if general == 0.0 {
            shares.clear();
        }
        for (side, amount) in sums.iter() {
            add(&mut shares, *side, amount / (total + general));
        }
    }
    shares
}

fn add(sums: &mut Vec<(u32, f64)>, side: u32, amount: f64) {
    match sums.iter_mut().find(|(known, _)| *known == side) {
        Some((_, sum)) => *sum += amount,
        None => sums.push((side, amount)),
    }
}

/// The probability of log-odds.
pub(super) fn logistic(odds: f64) -> f64 {
    1.0 / (1.0 + (-odds).exp())
}
