//! Edits and remarks: what is done to a label beyond shift and reduce.

use std::sync::Arc;

use super::{Act, Context, Done, Labelling, Recorded};
use crate::automaton::{Counting, Session};
use crate::behavior::action::Join;
use crate::behavior::edit::{Edit, Remark};
use crate::behavior::forest::Forest;
use crate::behavior::instances::RuleInstances;
use crate::behavior::said::Said;
use crate::behavior::stand::{Stand, remarks_of};
use crate::error::{Error, Result};
use crate::tree::{EduSpan, Tree};

impl Labelling {
    /// The rule instances that the actions contribute: a production for every reduction, a
    /// preference for every choice.
    pub fn instances(&self) -> RuleInstances {
        let mut instances = RuleInstances::default();
        let schema = self.session.engine().schema();
        if !self.has_edits() {
            for done in &self.done {
                instances.add_action(done, schema);
            }
            return instances;
        }
        // What was edited is read as if it had been made step by step.
        let stand = Stand {
            forest: Forest::new(self.stand.text.len()),
            ..self.stand.clone()
        };
        let mut session = self.session_at(&stand).ok();
        for made in self.stand.forest.steps() {
            let Some(session) = session.as_mut() else {
                break;
            };
            let context = Context::of(session);
            let Ok(done) = self.done_by(made, context) else {
                break;
            };
            let join = done.outcome.map(|outcome| (outcome, &*done.equations));
            if session.follow(join).is_err() {
                break;
            }
            instances.add_action(&done, schema);
        }
        instances
    }

    pub(super) fn has_edits(&self) -> bool {
        self.done.iter().any(|done| done.other.is_some())
    }

    /// A step that an edit stands for.
    fn done_by(&self, join: Option<Arc<Join>>, context: Context) -> Result<Done> {
        let outcome = join.as_ref().map(|join| self.outcome(join)).transpose()?;
        let written = join.as_ref().map_or(&[][..], |join| &join.equations);
        Ok(Done {
            other: None,
            equations: self.equations(written)?,
            join,
            context,
            outcome,
            reason: None,
        })
    }

    /// A session that stands where trees do.
    fn session_at(&self, stand: &Stand) -> Result<Session> {
        let (engine, text) = (Arc::clone(self.session.engine()), Arc::clone(&stand.text));
        let mut session = Session::new(engine, text, Counting::default());
        for made in stand.forest.steps() {
            match made {
                None => session.follow(None)?,
                Some(join) => {
                    let equations = self.equations(&join.equations)?;
                    session.follow(Some((self.outcome(&join)?, &equations)))?;
                }
            }
        }
        Ok(session)
    }

    /// What the engine makes of two nodes side by side, the most probable first.
    pub fn proposals(&self, left: EduSpan, right: EduSpan) -> Result<Vec<(Join, f64)>> {
        let forest = &self.stand.forest;
        let known = |span| {
            let missing = || Error::Missing(format!("no node covers exactly EDUs {span}"));
            forest.steps_of(span).ok_or_else(missing)
        };
        let mut made = vec![None; left.start as usize];
        made.extend(known(left)?);
        made.extend(known(right)?);
        let mut session = self.session_at(&Stand {
            forest: Forest::new(self.stand.text.len()),
            ..self.stand.clone()
        })?;
        for step in made {
            let done = self.done_by(step, Context::default())?;
            let join = done.outcome.map(|outcome| (outcome, &*done.equations));
            session.follow(join)?;
        }
        let suggestions = session.suggestions().into_iter();
        let mut proposals: Vec<(Join, f64)> = suggestions
            .filter_map(|one| {
                let mut join = self.join(one.outcome?, one.rule);
                join.equations.clear();
                Some((join, one.probability))
            })
            .collect();
        let total: f64 = proposals.iter().map(|(_, share)| share).sum();
        for (_, share) in &mut proposals {
            *share /= total.max(f64::MIN_POSITIVE);
        }
        Ok(proposals)
    }

    /// The same where edits left no reasons behind.
    pub(super) fn said_by_trees(&self) -> Vec<Said> {
        let steps = self.stand.forest.steps().into_iter().enumerate();
        let said = steps.filter_map(|(action, made)| {
            let join = made?;
            Some(Said {
                action,
                symbol: join.symbol.as_deref().map(str::to_owned),
                reason: None,
                equations: join.equations.iter().map(|e| e.to_string()).collect(),
            })
        });
        said.filter(|said| !said.is_empty()).collect()
    }

    /// Changes what stands, as a person asks for.
    pub fn edit(&mut self, edit: Edit) -> Result<()> {
        self.act(Act::Edit(Box::new(edit)), None)
    }

    /// Says something beside the tree.
    pub fn remark(&mut self, remark: Remark) -> Result<()> {
        self.act(Act::Remark(Box::new(remark)), None)
    }

    /// Puts a whole tree over the text, with its signals and the relations beside it.
    pub fn take_tree(&mut self, tree: &Tree) -> Result<()> {
        let forest = Forest::of_tree(tree);
        let edus = u32::try_from(tree.edus.len()).unwrap_or(u32::MAX);
        self.edit(Edit::Take {
            over: EduSpan {
                start: 0,
                end: edus,
            },
            made: forest.steps(),
        })?;
        remarks_of(tree)
            .into_iter()
            .try_for_each(|remark| self.remark(remark))
    }

    /// Of an edit that is taken back or done again: the session on its other side.
    pub(super) fn session_of_other(&self, done: Option<&Done>) -> Result<Option<Session>> {
        let other = done.and_then(|done| done.other.as_deref());
        other.map(|stand| self.session_at(stand)).transpose()
    }

    pub(super) fn undo(&mut self, session: Option<Session>) {
        let Some(mut done) = self.done.pop() else {
            return;
        };
        match (session, &mut done.other) {
            (Some(session), Some(other)) => {
                self.session = session;
                std::mem::swap(&mut self.stand, other);
            }
            _ => {
                self.session.undo();
                if done.join.is_some() {
                    self.stand.forest.unreduce();
                } else {
                    self.stand.forest.unshift();
                }
            }
        }
        self.undone.push(done);
    }

    pub(super) fn redo(&mut self, session: Option<Session>) {
        let Some(mut done) = self.undone.pop() else {
            return;
        };
        match (session, &mut done.other) {
            (Some(session), Some(other)) => {
                self.session = session;
                std::mem::swap(&mut self.stand, other);
            }
            _ => {
                // An edit that was taken back since has made the session anew, without what to do again.
                if !self.session.redo() {
                    let join = done.outcome.map(|outcome| (outcome, &*done.equations));
                    let _ = self.session.follow(join);
                }
                match &done.join {
                    None => self.stand.forest.shift(),
                    Some(join) => self.stand.forest.reduce(Arc::clone(join)),
                }
            }
        }
        self.done.push(done);
    }

    pub(super) fn perform_edit(&mut self, recorded: Recorded, edit: &Edit) -> Result<()> {
        for join in edit.joins() {
            self.outcome(join)?;
            self.equations(&join.equations)?;
        }
        let stand = self.stand.edited(edit, self.session.engine())?;
        let session = self.session_at(&stand)?;
        self.write(&recorded)?;
        let before = std::mem::replace(&mut self.stand, stand);
        self.session = session;
        self.undone.clear();
        self.done.push(Done {
            other: Some(Box::new(before)),
            join: None,
            context: Context::default(),
            outcome: None,
            equations: Vec::new(),
            reason: None,
        });
        self.was_done(recorded);
        Ok(())
    }

    pub(super) fn perform_remark(&mut self, recorded: Recorded, remark: &Remark) -> Result<()> {
        let mut remarks = self.remarks.clone();
        remarks.add(remark, &self.stand.document)?;
        self.write(&recorded)?;
        self.remarks = remarks;
        self.was_done(recorded);
        Ok(())
    }
}
