//! A choice and all that spoke in it.

use std::collections::BTreeMap;

use serde::Serialize;

use super::reason::Voice;
use super::turn::Trial;
use super::weighing::{Scales, Weighing};
use super::{Explainer, chosen_label, short_outcome};
use crate::automaton::decide::Label;
use crate::automaton::program::{RuleSet, Speaker, Specificity};
use crate::automaton::run::{State, Step};
use crate::automaton::view::View;
use crate::automaton::{Counting, Outcome, Search};
use crate::grammar::{Action, AnyRule, Decide};
use crate::measure::LEVELS;

/// How many rules that came near are told.
const NEAR_MISSES: usize = 5;

/// A choice: what was possible, who spoke, who came near.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Choice {
    /// What was taken.
    pub chosen: String,
    /// Its probability.
    pub probability: f64,
    /// Why it was taken although something else is more probable, where that is so.
    pub despite: Option<String>,
    /// All that was possible, the most probable first; of labels, the chosen one before the others.
    pub shares: Vec<Share>,
    /// The rules that spoke, the strongest first: by weight, or the most specific and then the
    /// most often seen. Where weights decide, those about the chosen label before those about others.
    pub spoke: Vec<Voice>,
    /// Where weights decide: who tipped the scales against the rival, and what would turn it.
    pub weighing: Option<Weighing>,
    /// Where counts decide: how the probability came about, from general to specific.
    pub levels: Vec<LevelShare>,
    /// Why the fallback decided; none where rules did.
    pub fallback: Option<String>,
    /// Rules for something else whose pattern fits and whose reason failed, the nearest first.
    pub near: Vec<Voice>,
}

/// Something possible.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Share {
    /// `shift`, `reduce`, or what the nodes become.
    pub name: String,
    /// Its probability.
    pub probability: f64,
    /// The sum of the instances or weights of all that spoke for it.
    pub sum: f64,
}

/// Rules that are equally specific, and the probabilities after they have spoken.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct LevelShare {
    /// How specific the patterns are: the sum of the depths of their symbols.
    pub pattern: u32,
    /// How many conjuncts the reasons have.
    pub reason: u32,
    /// What was spoken for, with the instances of this level and the probability so far.
    pub shares: Vec<Share>,
}

impl<'e> Explainer<'e> {
    /// Shift or reduce; nothing where there was no choice.
    pub(super) fn action_choice(&self, state: &State, done: &Step) -> Option<Choice> {
        let mut decider = self.engine.naming_decider(self.text, self.counting);
        let possible = decider.possible(&self.arena, state);
        let fired = std::mem::take(&mut decider.workspace.fired);
        self.engine.give_back(decider.workspace);
        let choice = possible.choice.as_ref()?;
        let view = self.view(state);
        let set = &self.engine.program.preferences;
        let name = |side: u32| match side {
            0 => Action::Shift.as_str().to_owned(),
            _ => Action::Reduce.as_str().to_owned(),
        };
        let sums = self.sums(set, &fired);
        let mut shares: Vec<Share> = [Action::Shift, Action::Reduce]
            .iter()
            .map(|action| Share {
                name: action.as_str().to_owned(),
                probability: choice.probability(*action),
                sum: sums.get(&(*action as u32)).copied().unwrap_or(0.0),
            })
            .collect();
        shares.sort_by(|a, b| b.probability.total_cmp(&a.probability));
        let rules = self.engine.grammar().preferences.iter();
        let rules = rules.map(AnyRule::Preference);
        let other = |rule: &AnyRule<'_>| match rule {
            AnyRule::Preference(preference) => preference.action != done.action,
            _ => false,
        };
        let spoke = self.ordered(set, &fired).into_iter();
        Some(Choice {
            chosen: done.action.as_str().to_owned(),
            probability: done.action_probability,
            despite: self.action_despite(&shares, done, &view),
            weighing: self.action_weighing(&shares, done, &fired, &view),
            shares,
            spoke: spoke
                .map(|at| self.voice(self.preference(at), &view))
                .collect(),
            levels: self.levels(set, &fired, name),
            fallback: choice.fallback.then(|| self.action_fallback(&view, done)),
            near: self.near(rules.filter(other), &view),
        })
    }

    /// What two nodes became; nothing for shifts.
    pub(super) fn label_choice(
        &self,
        state: &State,
        done: &Step,
        rival: Option<&Outcome>,
    ) -> Option<Choice> {
        done.label?;
        let mut decider = self.engine.naming_decider(self.text, self.counting);
        decider.possible(&self.arena, state);
        let labels = decider.labels(&self.arena, state);
        let fired = std::mem::take(&mut decider.workspace.fired);
        self.engine.give_back(decider.workspace);
        let view = self.view(state);
        let program = &self.engine.program;
        let set = &program.productions;
        let chosen = labels.get(chosen_label(&labels, done))?;
        let sums = self.sums(set, &fired);
        let side = |outcome| program.outcomes.iter().position(|known| *known == outcome);
        let shares = labels.iter().map(|label| Share {
            name: self.outcome_name(label),
            probability: label.probability,
            sum: side(label.outcome)
                .and_then(|side| sums.get(&(side as u32)).copied())
                .unwrap_or(0.0),
        });
        let name = |side: u32| {
            let found = labels
                .iter()
                .find(|label| program.outcomes.get(side as usize) == Some(&label.outcome));
            found.map_or_else(String::new, |label| self.outcome_name(label))
        };
        let rules = self.engine.grammar().productions.iter();
        let rules = rules.map(AnyRule::Production);
        let shape = |rule: &AnyRule<'_>| match rule {
            AnyRule::Production(production) => Outcome::of(&production.shape) != chosen.outcome,
            _ => false,
        };
        let mut ordered = self.ordered(set, &fired);
        if self.engine.grammar().decide == Decide::Weights {
            let about = |rule: u32| program.outcomes.get(set.rules[rule as usize].side as usize);
            ordered.sort_by_key(|rule| about(*rule) != Some(&chosen.outcome));
        }
        let spoke = ordered.into_iter();
        Some(Choice {
            chosen: self.outcome_name(chosen),
            probability: chosen.probability,
            despite: self.label_despite(&labels, chosen),
            weighing: self.label_weighing(&labels, chosen, rival, &fired, &view),
            shares: shares.collect(),
            spoke: spoke
                .map(|at| self.voice(self.production(at), &view))
                .collect(),
            levels: self.levels(set, &fired, name),
            fallback: chosen.rule.is_none().then(|| self.label_fallback()),
            near: self.near(rules.filter(shape), &view),
        })
    }

    /// Shift against reduce, where weights decide and somebody spoke.
    fn action_weighing(
        &self,
        shares: &[Share],
        done: &Step,
        fired: &[u32],
        view: &View<'_>,
    ) -> Option<Weighing> {
        if self.engine.grammar().decide != Decide::Weights || fired.is_empty() {
            return None;
        }
        let own = |share: &&Share| share.name == done.action.as_str();
        let chosen = shares.iter().find(own)?.clone();
        let rival = shares.iter().find(|share| !own(share))?.clone();
        let set = &self.engine.program.preferences;
        let spoken = Explainer::spoken(set, fired, |at| self.preference(at));
        let side = done.action as u32;
        let scales = Scales {
            spoken: &spoken,
            chosen: side,
            rival: 1 - side,
            two_sided: true,
        };
        Some(self.weighing(&scales, [chosen, rival], &Trial::Action, view))
    }

    /// What was made against another outcome, where weights decide and there is one.
    fn label_weighing(
        &self,
        labels: &[Label],
        chosen: &Label,
        rival: Option<&Outcome>,
        fired: &[u32],
        view: &View<'_>,
    ) -> Option<Weighing> {
        if self.engine.grammar().decide != Decide::Weights || chosen.rule.is_none() {
            return None;
        }
        let others = labels
            .iter()
            .filter(|label| label.outcome != chosen.outcome);
        let likeliest = others.max_by(|a, b| a.probability.total_cmp(&b.probability));
        let named = rival.filter(|rival| **rival != chosen.outcome);
        let rival = *named.or(likeliest.map(|label| &label.outcome))?;
        let program = &self.engine.program;
        let set = &program.productions;
        let side = |outcome: Outcome| {
            let side = program.outcomes.iter().position(|known| *known == outcome);
            side.and_then(|side| u32::try_from(side).ok())
        };
        let spoken = Explainer::spoken(set, fired, |at| self.production(at));
        let sums = self.sums(set, fired);
        let share = |outcome: Outcome| {
            let label = labels.iter().find(|label| label.outcome == outcome);
            let side = side(outcome)?;
            Some(Share {
                name: short_outcome(&outcome, self.engine.schema()),
                probability: label.map_or(0.0, |label| label.probability),
                sum: sums.get(&side).copied().unwrap_or(0.0),
            })
        };
        let scales = Scales {
            spoken: &spoken,
            chosen: side(chosen.outcome)?,
            rival: side(rival)?,
            two_sided: false,
        };
        let shares = [share(chosen.outcome)?, share(rival)?];
        Some(self.weighing(&scales, shares, &Trial::Label(program), view))
    }

    /// Why an action was taken although the other one is more probable.
    fn action_despite(&self, shares: &[Share], done: &Step, view: &View<'_>) -> Option<String> {
        let likelier = shares
            .first()
            .filter(|share| share.probability > done.action_probability)?;
        let why = match (self.search, view.nodes.a, view.nodes.b) {
            (Search::Spans(_), Some(a), Some(b)) => {
                let (first, last) = (a.first + 1, b.last + 1);
                let has = match done.action {
                    Action::Shift => "does not have",
                    Action::Reduce => "has",
                };
                format!(
                    "the tree with the most probable spans {has} a node over EDUs {first}-{last}"
                )
            }
            _ => self.by_search()?.to_owned(),
        };
        Some(format!("{} is more probable, but {why}", likelier.name))
    }

    /// Why two nodes became something although something else is more probable.
    fn label_despite(&self, labels: &[Label], chosen: &Label) -> Option<String> {
        let by_probability = |a: &&Label, b: &&Label| a.probability.total_cmp(&b.probability);
        let likeliest = labels.iter().max_by(by_probability)?;
        if likeliest.probability <= chosen.probability {
            return None;
        }
        let why = if labels.first() == Some(chosen) {
            let tables = &self.engine.program.tables;
            let class = |label: &Label| tables.class(label.outcome.relation);
            let sum = |alike: &dyn Fn(&Label) -> bool| -> f64 {
                let alike = labels.iter().filter(|label| alike(label));
                alike.map(|label| label.probability).sum()
            };
            let of_class = sum(&|label| class(label) == class(chosen));
            let of_roles = sum(&|label| label.outcome.roles == chosen.outcome.roles);
            let name = class(chosen).and_then(|at| tables.class_names.get(at as usize));
            format!(
                "class and roles go first, and {} ({of_class:.3}) with {} ({of_roles:.3}) is the best of these",
                name.map_or("none", |name| name),
                chosen.outcome.roles
            )
        } else {
            self.by_search()?.to_owned()
        };
        let likeliest = self.outcome_name(likeliest);
        Some(format!("{likeliest} is more probable, but {why}"))
    }

    /// Why a search takes what is not the most probable.
    fn by_search(&self) -> Option<&'static str> {
        match self.search {
            Search::Beam(_) => Some("the whole derivation is the most probable that the beam kept"),
            Search::Sample(_) => Some("steps were drawn"),
            Search::Best | Search::Spans(_) => None,
        }
    }

    /// The preference that speaks loudest for an action.
    pub(super) fn loudest_preference(&self, fired: &[u32], action: Action) -> Option<u32> {
        let set = &self.engine.program.preferences;
        // Where weights decide, what speaks against one side speaks for the other.
        let own = |rule: &&u32| {
            let rule = &set.rules[**rule as usize];
            (rule.side == action as u32) == (rule.amount >= 0.0)
        };
        let ordered = self.ordered(set, fired);
        ordered.iter().find(own).copied()
    }

    /// Rules that spoke, the strongest first.
    fn ordered<const N: usize>(&self, set: &RuleSet<N>, fired: &[u32]) -> Vec<u32> {
        let mut order = fired.to_vec();
        order.sort_by(|left, right| {
            let (a, b) = (&set.rules[*left as usize], &set.rules[*right as usize]);
            let strength = match self.engine.grammar().decide {
                Decide::Weights => b.amount.abs().total_cmp(&a.amount.abs()),
                Decide::Counts => {
                    let by_level = b.specificity.cmp(&a.specificity);
                    by_level.then(b.amount.total_cmp(&a.amount))
                }
            };
            strength.then(left.cmp(right))
        });
        order
    }

    fn sums<const N: usize>(&self, set: &RuleSet<N>, fired: &[u32]) -> BTreeMap<u32, f64> {
        let mut sums = BTreeMap::new();
        for rule in fired {
            let rule = &set.rules[*rule as usize];
            *sums.entry(rule.side).or_insert(0.0) += rule.amount;
        }
        sums
    }

    fn levels<const N: usize>(
        &self,
        set: &RuleSet<N>,
        fired: &[u32],
        name: impl Fn(u32) -> String,
    ) -> Vec<LevelShare> {
        if self.engine.grammar().decide == Decide::Weights {
            return Vec::new();
        }
        let weight = match self.counting {
            Counting::Interpolated(weight) => weight,
            Counting::Literal => 0.0,
        };
        let mut by_level: BTreeMap<Specificity, Vec<u32>> = BTreeMap::new();
        for rule in fired {
            let mut level = set.rules[*rule as usize].specificity;
            if self.counting == Counting::Literal {
                level.reason = 0;
            }
            by_level.entry(level).or_default().push(*rule);
        }
        let mut before: BTreeMap<u32, f64> = BTreeMap::new();
        let mut levels = Vec::new();
        for (level, rules) in by_level {
            let sums = self.sums(set, &rules);
            let total: f64 = sums.values().sum();
            let general = if before.is_empty() { 0.0 } else { weight };
            let sides: std::collections::BTreeSet<u32> =
                before.keys().chain(sums.keys()).copied().collect();
            let mut after = BTreeMap::new();
            for side in sides {
                let own = sums.get(&side).copied().unwrap_or(0.0);
                let share = before.get(&side).copied().unwrap_or(0.0);
                after.insert(side, (own + general * share) / (total + general));
            }
            let shares = after.iter().map(|(side, probability)| Share {
                name: name(*side),
                probability: *probability,
                sum: sums.get(side).copied().unwrap_or(0.0),
            });
            levels.push(LevelShare {
                pattern: level.pattern,
                reason: level.reason,
                shares: shares.collect(),
            });
            before = after;
        }
        levels
    }

    /// Rules whose pattern fits and whose reason fails: those that lack least, then those seen
    /// most often.
    fn near(&self, rules: impl Iterator<Item = AnyRule<'e>>, view: &View<'_>) -> Vec<Voice> {
        let fitting = rules.filter(|rule| self.misfit(*rule, view).is_none());
        let voices = fitting.map(|rule| self.voice(Speaker::Rule(rule), view));
        let mut near: Vec<Voice> = voices.filter(|voice| !voice.holds()).collect();
        near.sort_by(|a, b| {
            let strength = |voice: &Voice| voice.weight.map_or(voice.count as f64, f64::abs);
            let by_strength = strength(b).total_cmp(&strength(a));
            a.failed().cmp(&b.failed()).then(by_strength)
        });
        near.truncate(NEAR_MISSES);
        near
    }

    /// Which node does not fit a rule's pattern.
    pub(super) fn misfit(&self, rule: AnyRule<'_>, view: &View<'_>) -> Option<String> {
        let schema = self.engine.schema();
        let nodes = [view.nodes.a, view.nodes.b, view.nodes.c];
        let pattern: &[crate::grammar::Pattern] = match rule {
            AnyRule::Production(production) => &production.shape.children,
            AnyRule::Preference(preference) => &preference.pattern,
            AnyRule::Boundary(_) => return Some("it is about where EDUs begin".to_owned()),
            AnyRule::Block(_) => return Some("it is about the lines of a plain text".to_owned()),
        };
        let mut parts = pattern.iter().zip(nodes).zip(["A", "B", "C"]);
        parts.find_map(|((wanted, node), letter)| match node {
            None => Some(format!("there is no {letter}: no EDU is left")),
            Some(node) if wanted.matches(node.symbol, schema) => None,
            Some(node) => Some(format!(
                "it wants {letter} to be `{}`, and EDUs {} are `{}`",
                wanted.name(schema),
                super::edus(node),
                schema.relation_name(node.symbol)
            )),
        })
    }

    fn action_fallback(&self, view: &View<'_>, done: &Step) -> String {
        use crate::grammar::formula::Node;
        let action = done.action.as_str();
        if self.engine.grammar().fallback.action.is_some() {
            return format!("no preference fits; the grammar declares `fallback {action}`");
        }
        let level = |left, right| {
            let level = view.level(left, right).map_or(0, usize::from);
            LEVELS.get(level).copied().unwrap_or("none")
        };
        let (ab, bc) = (level(Node::A, Node::B), level(Node::B, Node::C));
        let how = match done.action {
            Action::Shift => "weaker than",
            Action::Reduce => "not weaker than",
        };
        format!(
            "no preference fits; the break before C ({bc}) is {how} the one before B ({ab}), so {action}"
        )
    }

    fn label_fallback(&self) -> String {
        match self.engine.grammar().fallback.production {
            Some(_) => "no production fits; the grammar declares this fallback".to_owned(),
            None => "no production fits, and no fallback is declared".to_owned(),
        }
    }
}
