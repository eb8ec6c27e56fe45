//! Why a rule did not win over a span.

use serde::Serialize;

use super::reason::Voice;
use super::{Explainer, Item};
use crate::automaton::program::Speaker;
use crate::diagnostic::nearest;
use crate::error::{Error, Result};
use crate::grammar::{Action, AnyRule};

/// The answer.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct WhyNot {
    /// The rule's id.
    pub rule: String,
    /// The EDUs, counted from 1: `3-5`.
    pub edus: String,
    /// Every time that two nodes over these EDUs were the topmost.
    pub tried: Vec<Tried>,
    /// Why these EDUs are no node of the tree; none when they are.
    pub crossed: Option<String>,
}

/// The rule in one configuration.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Tried {
    /// The step, counted from 1.
    pub step: usize,
    /// The left node.
    pub a: Item,
    /// The right node.
    pub b: Item,
    /// The next EDU.
    pub c: Option<Item>,
    /// The rule with its reason.
    pub voice: Voice,
    /// What came of it.
    pub answer: String,
}

impl Explainer<'_> {
    /// Why a rule did not make the node over some EDUs (counted from 1, the last one included),
    /// or, of a preference, why it did not decide there.
    pub fn why_not(&self, rule: &str, first: u32, last: u32) -> Result<WhyNot> {
        let grammar = self.engine.grammar();
        let Some(found) = grammar.rule(rule) else {
            if grammar.tables.iter().any(|table| *table.rule.id == *rule) {
                return Err(Error::Usage(format!(
                    "`{rule}` is a table: `--node {first}-{last} --rival RELATION` says what it adds, `--all` \
                     lists its rows"
                )));
            }
            let ids = grammar.rules().map(|any| &*any.rule().id);
            let help = nearest(rule, ids.collect::<Vec<_>>())
                .map_or_else(String::new, |name| format!("; did you mean `{name}`?"));
            return Err(Error::Usage(format!("no rule is called `{rule}`{help}")));
        };
        let edus = self.text.len() as u32;
        if first == 0 || first >= last || last > edus {
            return Err(Error::Usage(format!(
                "`{first}-{last}` is no span of two or more of the {edus} EDUs"
            )));
        }
        if let AnyRule::Boundary(_) = found {
            return Err(Error::Usage(format!(
                "`{rule}` is about where EDUs begin, not about nodes"
            )));
        }
        if let AnyRule::Block(_) = found {
            return Err(Error::Usage(format!(
                "`{rule}` is about the lines of a plain text, not about nodes; `arsg segment --blocks` shows what block rules say"
            )));
        }
        let mut tried = Vec::new();
        for (at, state) in self.states.iter().enumerate() {
            let nodes = self.arena.view(state, self.text);
            let (Some(a), Some(b)) = (nodes.a, nodes.b) else {
                continue;
            };
            if a.first + 1 == first && b.last + 1 == last {
                tried.extend(self.tried(at, found));
            }
        }
        Ok(WhyNot {
            rule: rule.to_owned(),
            edus: format!("{first}-{last}"),
            tried,
            crossed: self.crossed(first, last),
        })
    }

    fn tried(&self, at: usize, rule: AnyRule<'_>) -> Option<Tried> {
        let state = self.states.get(at)?;
        let view = self.view(state);
        let mut stack = self.arena.stack(state);
        let (b, a) = (stack.next()?, stack.next()?);
        let voice = self.voice(Speaker::Rule(rule), &view);
        let answer = match self.misfit(rule, &view) {
            Some(misfit) => format!("its pattern does not fit: {misfit}"),
            None => match voice.reason.iter().find(|part| part.truth != Some(true)) {
                Some(part) => format!("its reason fails: `{}` is {}", part.text, part.verdict()),
                None => self.who_won(at, rule, &voice)?,
            },
        };
        Some(Tried {
            step: at + 1,
            a: self.item(a),
            b: self.item(b),
            c: self.next_item(state),
            voice,
            answer,
        })
    }

    /// The rule fits: what happened all the same?
    fn who_won(&self, at: usize, rule: AnyRule<'_>, voice: &Voice) -> Option<String> {
        let (state, done) = (self.states.get(at)?, self.steps.get(at)?);
        let action = self.action_choice(state, done);
        match rule {
            AnyRule::Preference(preference) => Some(match action {
                None => "there was no choice here: preferences were not asked".to_owned(),
                Some(choice) if preference.action == done.action => format!(
                    "it spoke for {}, and that was done (probability {:.3})",
                    choice.chosen, choice.probability
                ),
                Some(choice) => {
                    let loudest = choice.spoke.iter().find(|v| v.speaks_for == choice.chosen);
                    let by = loudest.map_or_else(
                        || super::FALLBACK.to_owned(),
                        |voice| format!("`{}`", voice.rule),
                    );
                    format!(
                        "it spoke for {}, and {} won with probability {:.3}, above all by {by}",
                        preference.action.as_str(),
                        choice.chosen,
                        choice.probability
                    )
                }
            }),
            _ if done.action == Action::Shift => {
                let probability = action.map_or(1.0, |choice| choice.probability);
                Some(format!(
                    "it fits, but the parser shifted here (probability {probability:.3}): see `--step {}`",
                    at + 1
                ))
            }
            _ => {
                let choice = self.label_choice(state, done, None)?;
                if choice.chosen == voice.speaks_for {
                    let maker = done.label.and_then(|label| label.rule);
                    let maker = maker.map(|rule| self.production_id(rule));
                    return Some(match maker {
                        Some(maker) if maker == voice.rule => "it did make this node".to_owned(),
                        Some(maker) => format!(
                            "what it speaks for won, but `{maker}` speaks for it more loudly"
                        ),
                        None => "the fallback made this node".to_owned(),
                    });
                }
                let own = choice.shares.iter().find(|s| s.name == voice.speaks_for);
                Some(match own {
                    Some(own) => format!(
                        "it spoke for {} (probability {:.3}), and {} won with {:.3}",
                        own.name, own.probability, choice.chosen, choice.probability
                    ),
                    None => "it fits, but a more specific pattern decided alone".to_owned(),
                })
            }
        }
    }

    /// Why some EDUs (counted from 1, the last one included) are no node: the first step that
    /// joined a part of them with something outside. Nothing when no step did.
    pub fn crossed(&self, first: u32, last: u32) -> Option<String> {
        let (first, last) = (first.checked_sub(1)?, last.checked_sub(1)?);
        let crosses = |at: &usize| {
            let span = self.arena.node(self.steps[*at].node);
            let overlaps = span.first <= last && span.last >= first;
            let inside = span.first >= first && span.last <= last;
            let around = span.first <= first && span.last >= last;
            overlaps && !inside && !around
        };
        let at = (0..self.steps.len()).find(crosses)?;
        let item = self.item(self.steps[at].node);
        Some(format!(
            "EDUs {}-{} are no node: step {} joined EDUs {} ({}), which reach across their border",
            first + 1,
            last + 1,
            at + 1,
            item.edus,
            item.relation.as_deref().unwrap_or("no relation"),
        ))
    }
}
