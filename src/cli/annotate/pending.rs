//! What a person said about the action to come, and the action with it.

use std::sync::Arc;

use crate::automaton::Suggestion;
use crate::behavior::{Act, Join, Labelling};
use crate::error::Result;
use crate::grammar::{Pattern, Roles};

/// A reason and equations for the next action. They go when it is done.
#[derive(Debug, Default)]
pub(super) struct Pending {
    pub(super) reason: Option<String>,
    pub(super) equations: Vec<Arc<str>>,
}

impl Pending {
    pub(super) fn shift(&mut self, labelling: &mut Labelling) -> Result<()> {
        self.perform(labelling, Act::Shift)
    }

    /// Does what was suggested, with the equations of its rule where none are given.
    pub(super) fn accept(
        &mut self,
        labelling: &mut Labelling,
        suggestion: &Suggestion,
    ) -> Result<()> {
        let act = match suggestion.outcome {
            None => Act::Shift,
            Some(outcome) => Act::Reduce(labelling.join(outcome, suggestion.rule)),
        };
        self.perform(labelling, act)
    }

    /// Joins the two topmost nodes. Where the grammar knows a way to do just that, its symbol (if
    /// none is given) and its equations are taken.
    pub(super) fn reduce(
        &mut self,
        labelling: &mut Labelling,
        suggestions: &[Suggestion],
        relation: &str,
        roles: Roles,
        symbol: Option<&str>,
    ) -> Result<()> {
        let known = suggestions
            .iter()
            .filter_map(|suggestion| Some(labelling.join(suggestion.outcome?, suggestion.rule)))
            .find(|join| {
                let same = *join.relation == *relation && join.roles == roles;
                same && (symbol.is_none() || join.symbol.as_deref() == symbol)
            });
        let join = known.unwrap_or_else(|| Join {
            symbol: symbol.map(Arc::from),
            ..Join::new(relation, roles)
        });
        self.perform(labelling, Act::Reduce(join))
    }

    fn perform(&mut self, labelling: &mut Labelling, mut act: Act) -> Result<()> {
        if let Act::Reduce(join) = &mut act
            && !self.equations.is_empty()
        {
            join.equations = self.equations.clone();
        }
        labelling.act(act, self.reason.as_deref())?;
        *self = Pending::default();
        Ok(())
    }
}

/// A suggestion as people read it: `reduce Rise[causal-cause] NS`.
pub(super) fn wording(suggestion: &Suggestion, labelling: &Labelling) -> String {
    let Some(outcome) = suggestion.outcome else {
        return "shift".to_owned();
    };
    let schema = labelling.session().engine().schema();
    let relation = schema.rhetoric_of(outcome.relation);
    let relation = relation.map_or("", |relation| relation.name.as_str());
    let letters = outcome.roles.letters().concat();
    match outcome.parent {
        Pattern::Any => format!("reduce {relation} {letters}"),
        Pattern::Symbol(symbol) => {
            format!(
                "reduce {}[{relation}] {letters}",
                schema.relation_name(symbol)
            )
        }
    }
}
