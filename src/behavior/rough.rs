//! Rough rules (the paper's Section 5): what was done how often in which context.
//!
//! Every action gives an instance to the rough rule of the paper (the symbols of the nodes, the
//! reason that the annotator gave, the attribute equations), which is what the sizes of PPR(AT) and
//! PF(AT) count. It also gives one to each rung of a ladder of contexts: from how the breaks compare,
//! whatever the symbols, to the symbols themselves. Where they meet, the automaton mixes general and
//! special ones, so that a few labels say something of nodes that nobody has met. Instances of
//! several texts add up, so grammars of shards merge to the grammar of the whole.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::contexts::{ContextKey, Contexts};
use super::counts::shape;
use super::example::{Example, whatever_symbol};
use super::instances::RuleInstances;
use super::said::Spoken;
use crate::automaton::{Outcome, Walk};
use crate::diagnostic::Source;
use crate::grammar::formula::Formula;
use crate::grammar::{
    Action, Count, Decide, Equation, Fallback, Grammar, Pattern, Preference, Production, Strength,
    load_equations, load_reason,
};
use crate::schema::{RelationId, Schema};

/// Finds the rough rules of texts.
pub struct RoughReader {
    contexts: Contexts,
    schema: Arc<Schema>,
}

impl RoughReader {
    /// For the texts of a schema.
    pub fn new(schema: &Arc<Schema>) -> RoughReader {
        RoughReader {
            contexts: Contexts::new(schema),
            schema: Arc::clone(schema),
        }
    }

    /// The rough rules of a text, with their instances.
    pub fn rules(&self, example: &Example) -> RoughRules {
        let mut rough = RoughRules::default();
        let mut walk = Walk::new(&self.schema, Arc::clone(&example.text));
        for (at, (action, outcome)) in example.actions().into_iter().enumerate() {
            let spoken = example.spoken.get(&at);
            let step = Step {
                action,
                outcome,
                spoken,
                given: spoken.and_then(|spoken| Some(spoken.reason.as_ref()?.text(&self.schema))),
            };
            rough.take(&step, &walk, &self.contexts, &self.schema);
            match outcome {
                None => walk.shift(),
                Some(outcome) => walk.reduce_with(outcome, step.equations()),
            }
        }
        rough
    }
}

/// An action that is taken in.
struct Step<'e> {
    action: Action,
    outcome: Option<Outcome>,
    spoken: Option<&'e Spoken>,
    /// The reason that the annotator gave, as a grammar writes it.
    given: Option<String>,
}

impl Step<'_> {
    fn equations(&self) -> &[Equation] {
        self.spoken.map_or(&[], |spoken| &spoken.equations)
    }

    fn reason(&self) -> Option<Formula> {
        self.spoken.and_then(|spoken| spoken.reason.clone())
    }
}

/// How often which of several things was done in each context.
type Done<const N: usize, K> = BTreeMap<ContextKey<N>, BTreeMap<K, usize>>;

/// Rough rules with the numbers of their instances.
#[derive(Debug, Clone, Default)]
pub struct RoughRules {
    /// As the paper counts them.
    instances: RuleInstances,
    preferences: Done<3, Action>,
    productions: Done<2, Outcome>,
    /// The equations that annotators gave reductions, as a grammar writes them.
    equations: BTreeMap<(ContextKey<2>, Outcome), BTreeMap<Vec<String>, usize>>,
    /// What annotators gave a reason, a symbol or equations for: it is written whatever else is.
    said_preferences: BTreeSet<ContextKey<3>>,
    said_productions: BTreeSet<(ContextKey<2>, Outcome)>,
}

/// The contexts that are worth writing down.
#[derive(Debug, Clone, Default)]
pub struct KeptContexts {
    preferences: BTreeSet<ContextKey<3>>,
    productions: BTreeSet<ContextKey<2>>,
}

impl RoughRules {
    fn take(&mut self, step: &Step<'_>, walk: &Walk, contexts: &Contexts, schema: &Schema) {
        let mut stack = walk.stack().map(|(_, span)| span.symbol);
        let (Some(b), Some(a)) = (stack.next(), stack.next()) else {
            return;
        };
        let given = step.given.as_deref();
        if let Some(c) = walk.next_symbol() {
            let symbols = [a, b, c].map(Pattern::Symbol);
            let mut rule = Preference::new(step.action, symbols, step.reason(), schema);
            rule.rule.count = Some(Count::MIN);
            self.instances.add_preference(rule);
            for context in contexts.of_action(walk, given) {
                if given.is_some() && has_symbols(&context) {
                    self.said_preferences.insert(context.clone());
                }
                let done = self.preferences.entry(context).or_default();
                *done.entry(step.action).or_default() += 1;
            }
        }
        let Some(outcome) = step.outcome else {
            return;
        };
        let parent = Pattern::Symbol(outcome.symbol(a, b));
        let rough = shape(Outcome { parent, ..outcome }, [a, b].map(Pattern::Symbol));
        let equations = step.equations().to_vec();
        let mut rule = Production::new(rough, step.reason(), equations, schema);
        rule.rule.count = Some(Count::MIN);
        self.instances.add_production(rule);
        for context in contexts.of_label(walk, given) {
            if has_symbols(&context) {
                self.take_said(&context, outcome, step, schema);
            }
            // What a node is called hangs on the symbols below it.
            let outcome = if has_symbols(&context) {
                outcome
            } else {
                whatever_symbol(outcome)
            };
            let done = self.productions.entry(context).or_default();
            *done.entry(outcome).or_default() += 1;
        }
    }

    /// Notes what the annotator said of a reduction.
    fn take_said(
        &mut self,
        context: &ContextKey<2>,
        outcome: Outcome,
        step: &Step<'_>,
        schema: &Schema,
    ) {
        if step.spoken.is_none() {
            return;
        }
        let key = (context.clone(), outcome);
        let written = step.equations().iter();
        let written: Vec<String> = written.map(|equation| equation.text(schema)).collect();
        if !written.is_empty() {
            let of_rule = self.equations.entry(key.clone()).or_default();
            *of_rule.entry(written).or_default() += 1;
        }
        self.said_productions.insert(key);
    }

    /// Adds the instances of another set, so many times.
    pub fn add(&mut self, other: &RoughRules, times: usize) {
        if times == 0 {
            return;
        }
        self.instances.add_times(&other.instances, times as u64);
        add(&mut self.preferences, &other.preferences, times);
        add(&mut self.productions, &other.productions, times);
        add(&mut self.equations, &other.equations, times);
        let said = other.said_preferences.iter().cloned();
        self.said_preferences.extend(said);
        let said = other.said_productions.iter().cloned();
        self.said_productions.extend(said);
    }

    /// The same rules, each with one instance.
    pub fn each_once(&self) -> RoughRules {
        let mut each = self.clone();
        each.instances = self.instances.each_once();
        let preferences = each.preferences.values_mut().flat_map(BTreeMap::values_mut);
        let productions = each.productions.values_mut().flat_map(BTreeMap::values_mut);
        for count in preferences.chain(productions) {
            *count = (*count).min(1);
        }
        each
    }

    /// The paper's rough rules: the symbols of the nodes, the reason that was given, the equations.
    pub fn instances(&self) -> &RuleInstances {
        &self.instances
    }

    /// The sizes of PPR(AT) and PF(AT): how many rough productions and preferences there are.
    pub fn sizes(&self) -> [usize; 2] {
        let rough = &self.instances;
        [rough.productions.len(), rough.preferences.len()]
    }

    /// The contexts in which something else is done than in the more general ones above them, and
    /// those that annotators spoke of.
    pub fn kept(&self) -> KeptContexts {
        let said = self.said_productions.iter().map(|(context, _)| context);
        KeptContexts {
            preferences: kept(&self.preferences, self.said_preferences.iter()),
            productions: kept(&self.productions, said),
        }
    }

    /// The grammar of these rules.
    pub fn grammar(&self, schema: &Arc<Schema>) -> Grammar {
        self.grammar_of(&self.kept(), schema)
    }

    /// The grammar of the rules of some contexts.
    pub fn grammar_of(&self, kept: &KeptContexts, schema: &Arc<Schema>) -> Grammar {
        let mut reasons = Reasons::new(schema);
        let mut grammar = Grammar {
            name: schema.name.clone(),
            schema: Arc::clone(schema),
            start: Some(schema.start),
            decide: Decide::Counts,
            fallback: Fallback::default(),
            ..Grammar::default()
        };
        let preferences = self.preferences.iter();
        for (context, done) in preferences.filter(|(key, _)| kept.preferences.contains(*key)) {
            for (action, count) in done {
                let rule = preference(context, *action, *count, &mut reasons);
                grammar.preferences.push(rule);
            }
        }
        let productions = self.productions.iter();
        for (context, done) in productions.filter(|(key, _)| kept.productions.contains(*key)) {
            for (outcome, count) in done {
                let rule = self.production(context, *outcome, *count, &mut reasons);
                grammar.productions.push(rule);
            }
        }
        grammar
    }

    /// What annotators said, as written rules that speak where weights decide: `strong` where they
    /// gave a reason, `mild` where they gave a symbol or equations only.
    pub fn said(&self, schema: &Arc<Schema>) -> Grammar {
        let mut reasons = Reasons::new(schema);
        let mut grammar = Grammar {
            name: schema.name.clone(),
            schema: Arc::clone(schema),
            decide: Decide::Weights,
            ..Grammar::default()
        };
        for context in &self.said_preferences {
            for (action, count) in self.preferences.get(context).into_iter().flatten() {
                let mut rule = preference(context, *action, *count, &mut reasons);
                rule.rule.strength = Some(Strength::Strong);
                grammar.preferences.push(rule);
            }
        }
        for (context, outcome) in &self.said_productions {
            let done = self.productions.get(context);
            let count = done.and_then(|done| done.get(outcome)).copied();
            let count = count.unwrap_or_default();
            let mut rule = self.production(context, *outcome, count, &mut reasons);
            let has_reason = self.gave_reason(&rule);
            rule.rule.strength = Some(if has_reason {
                Strength::Strong
            } else {
                Strength::Mild
            });
            grammar.productions.push(rule);
        }
        grammar
    }

    /// True when an annotator gave the reason of a production, and did not just see it recorded.
    fn gave_reason(&self, rule: &Production) -> bool {
        let given = self.instances.productions.iter();
        let mut given = given.filter_map(|rough| rough.rule.reason.as_ref());
        rule.rule.reason.is_some() && given.any(|given| Some(given) == rule.rule.reason.as_ref())
    }

    fn production(
        &self,
        context: &ContextKey<2>,
        outcome: Outcome,
        count: usize,
        reasons: &mut Reasons<'_>,
    ) -> Production {
        let (symbols, reason) = context;
        let shape = shape(outcome, symbols.each_ref().map(pattern));
        let of_rule = self.equations.get(&(context.clone(), outcome));
        let usual = of_rule.into_iter().flatten();
        // Whoever gave no equations did not speak against them.
        let usual = usual.max_by(|a, b| a.1.cmp(b.1).then(b.0.cmp(a.0)));
        let equations = usual.map_or_else(Vec::new, |(written, _)| {
            let source = Source::new("<equations>", written.join("\n"));
            load_equations(&source, reasons.schema).unwrap_or_default()
        });
        let mut rule = Production::new(shape, reasons.get(reason), equations, reasons.schema);
        rule.rule.count = Count::new(count as u64);
        rule
    }
}

fn preference(
    (symbols, reason): &ContextKey<3>,
    action: Action,
    count: usize,
    reasons: &mut Reasons<'_>,
) -> Preference {
    let symbols = symbols.each_ref().map(pattern);
    let mut rule = Preference::new(action, symbols, reasons.get(reason), reasons.schema);
    rule.rule.count = Count::new(count as u64);
    rule
}

fn pattern(symbol: &Option<RelationId>) -> Pattern {
    symbol.map_or(Pattern::Any, Pattern::Symbol)
}

fn has_symbols<const N: usize>((symbols, _): &ContextKey<N>) -> bool {
    symbols.iter().any(Option::is_some)
}

fn add<C: Ord + Clone, K: Ord + Clone>(
    own: &mut BTreeMap<C, BTreeMap<K, usize>>,
    other: &BTreeMap<C, BTreeMap<K, usize>>,
    times: usize,
) {
    for (context, counts) in other {
        if !own.contains_key(context) {
            own.insert(context.clone(), BTreeMap::new());
        }
        if let Some(own) = own.get_mut(context) {
            for (done, count) in counts {
                let sum = own.entry(done.clone()).or_default();
                *sum = sum.saturating_add(count.saturating_mul(times));
            }
        }
    }
}

/// What stands between the parts of a reason.
const AND: &str = " and ";
/// A special context is worth its lines when it makes what was done so much likelier than the more
/// general one does: e^2 times.
const LEAST_GAIN: f64 = 2.0;
/// What was done once in a context says nothing of the context.
const LEAST_SEEN: usize = 2;

/// Contexts from general to special: one is kept where it tells something that the nearest kept one
/// above it does not.
fn kept<'c, const N: usize, K: Ord>(
    contexts: &'c Done<N, K>,
    said: impl Iterator<Item = &'c ContextKey<N>>,
) -> BTreeSet<ContextKey<N>> {
    let mut kept: BTreeSet<ContextKey<N>> = said.cloned().collect();
    let mut order: Vec<&ContextKey<N>> = contexts.keys().collect();
    order.sort_by_key(|context| (has_symbols(context), context.1.len()));
    for context in order {
        let Some(done) = contexts.get(context) else {
            continue;
        };
        let above = above(context).find(|above| kept.contains(above));
        let is_worth = match above.and_then(|above| contexts.get(&above)) {
            None => !has_symbols(context),
            Some(general) => {
                done.values().sum::<usize>() >= LEAST_SEEN && gain(done, general) >= LEAST_GAIN
            }
        };
        if is_worth {
            kept.insert(context.clone());
        }
    }
    kept
}

/// The more general contexts of one, the nearest first.
fn above<const N: usize>(context: &ContextKey<N>) -> impl Iterator<Item = ContextKey<N>> {
    let mut reason = Some(context.1.as_str());
    if !has_symbols(context) {
        reason = shorter(&context.1);
    }
    let reasons = std::iter::successors(reason, |reason| shorter(reason));
    reasons.map(|reason| ([None; N], reason.to_owned()))
}

/// A reason without its last part; none where nothing is left to take away.
fn shorter(reason: &str) -> Option<&str> {
    match reason.rfind(AND) {
        Some(at) => reason.get(..at),
        None if reason.is_empty() => None,
        None => Some(""),
    }
}

/// By how much a context makes what was done in it likelier than a more general one does, as a
/// logarithm.
fn gain<K: Ord>(done: &BTreeMap<K, usize>, general: &BTreeMap<K, usize>) -> f64 {
    const SMOOTHING: f64 = 0.5;
    let own = done.values().sum::<usize>() as f64;
    let kinds = general.len().max(done.len()) as f64;
    let all = general.values().sum::<usize>() as f64 + SMOOTHING * kinds;
    let each = done.iter().map(|(what, count)| {
        let count = *count as f64;
        let there = general.get(what).copied().unwrap_or_default() as f64;
        count * ((count / own) / ((there + SMOOTHING) / all)).ln()
    });
    each.sum()
}

/// Reasons by their text, each read once.
struct Reasons<'s> {
    schema: &'s Schema,
    known: BTreeMap<String, Option<Formula>>,
}

impl<'s> Reasons<'s> {
    fn new(schema: &'s Schema) -> Reasons<'s> {
        Reasons {
            schema,
            known: BTreeMap::new(),
        }
    }

    fn get(&mut self, text: &str) -> Option<Formula> {
        if !self.known.contains_key(text) {
            let source = Source::new("<reason>", text);
            let read = load_reason(&source, self.schema).ok();
            self.known.insert(text.to_owned(), read);
        }
        self.known.get(text).cloned().flatten()
    }
}
