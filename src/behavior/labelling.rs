//! A label in the making: every action is checked, recorded, and done.

mod editing;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use super::action::{Act, Context, Join, Recorded};
use super::edit::{Edge, Sign};
use super::file::{LabelFile, read_label};
use super::forest::Forest;
use super::journal::Journal;
use super::json;
use super::label::{Header, Label};
use super::said::Said;
use super::stand::{Remarks, Stand};
use crate::automaton::{Counting, Engine, Outcome, Session};
use crate::diagnostic::{Code, Diagnostic, Source, any_error};
use crate::error::{Error, Result};
use crate::grammar::formula::Formula;
use crate::grammar::{Equation, Pattern, load_equations, load_reason};
use crate::schema::{Name, Schema};
use crate::text::Document;
use crate::tree::{EduSpan, Tree};

/// Longer pauses are not work on the text: no action counts for more seconds.
pub const IDLE_SECONDS: f64 = 300.0;

/// A text being labelled.
#[derive(Debug)]
pub struct Labelling {
    session: Session,
    label: Label,
    /// The EDUs and the trees over them; the session stands where they do.
    stand: Stand,
    remarks: Remarks,
    /// The actions that stand, and those that can be done again, with what they mean.
    done: Vec<Done>,
    undone: Vec<Done>,
    record: Record,
    /// When the last action was done, where time counts.
    clock: Option<Instant>,
}

/// Where actions are recorded.
#[derive(Debug)]
enum Record {
    /// In memory alone.
    Memory,
    /// In a file that begins with the first action: a text that was only looked at has no label.
    ToBegin(PathBuf),
    /// In a file, which may still lack its header.
    File { journal: Journal, has_header: bool },
    /// Nowhere: nothing may be done.
    ReadOnly,
}

/// A label that was opened.
#[derive(Debug)]
pub struct Resumed {
    /// The label, ready to go on.
    pub labelling: Labelling,
    /// Warnings about its file.
    pub diagnostics: Vec<Diagnostic>,
}

impl Resumed {
    /// A label about which there is nothing to say.
    fn plain(labelling: Labelling) -> Resumed {
        Resumed {
            labelling,
            diagnostics: Vec::new(),
        }
    }
}

/// An action that stands.
#[derive(Debug, Clone)]
pub(super) struct Done {
    /// Of an edit: what stood before it, or after it where it was taken back.
    other: Option<Box<Stand>>,
    /// Of a reduction: what it made.
    join: Option<Arc<Join>>,
    pub(super) context: Context,
    /// None for a shift.
    pub(super) outcome: Option<Outcome>,
    pub(super) equations: Vec<Equation>,
    pub(super) reason: Option<Formula>,
}

impl Labelling {
    /// Begins a text, in memory.
    pub fn new(engine: &Arc<Engine>, document: &Document, annotator: &str) -> Labelling {
        let mut document = document.clone();
        engine.analyzer().segment(&mut document);
        Labelling::with_header(engine, Header::new(engine, document, annotator))
    }

    pub(super) fn with_header(engine: &Arc<Engine>, header: Header) -> Labelling {
        let stand = Stand::new(engine, header.document.clone());
        let text = Arc::clone(&stand.text);
        Labelling {
            session: Session::new(Arc::clone(engine), text, Counting::default()),
            stand,
            remarks: Remarks::default(),
            label: Label {
                header,
                actions: Vec::new(),
            },
            done: Vec::new(),
            undone: Vec::new(),
            record: Record::Memory,
            clock: None,
        }
    }

    /// Begins a text in a file, or goes on with what the file holds. From here on every action is
    /// in the file before it is done, and has its time; the file begins with the first one. Nobody else
    /// can open the file to write until this label is dropped.
    pub fn open(
        path: &Path,
        engine: &Arc<Engine>,
        document: &Document,
        annotator: &str,
    ) -> Result<Resumed> {
        let mut fresh = Labelling::new(engine, document, annotator);
        fresh.clock = Some(Instant::now());
        if !path.exists() {
            fresh.record = Record::ToBegin(path.to_owned());
            return Ok(Resumed::plain(fresh));
        }
        let (mut journal, bytes) = Journal::resume(path)?;
        let file = LabelFile::read(&bytes, &path.display().to_string());
        journal.cut_torn_line(file.intact)?;
        if file.intact == 0 {
            fresh.record = Record::File {
                journal,
                has_header: false,
            };
            let mut resumed = Resumed::plain(fresh);
            let torn = file.diagnostics.into_iter();
            let torn = torn.filter(|problem| problem.code == Code::L003 && !bytes.is_empty());
            resumed.diagnostics.extend(torn);
            return Ok(resumed);
        }
        if file.unended {
            journal.append("\n")?;
        }
        let mut resumed = fresh.resume(engine, file)?;
        resumed.labelling.record = Record::File {
            journal,
            has_header: true,
        };
        resumed.labelling.clock = Some(Instant::now());
        Ok(resumed)
    }

    /// Opens a label to look at it: whoever works on it goes on, and nothing can be done to it here.
    pub fn open_read_only(
        path: &Path,
        engine: &Arc<Engine>,
        document: &Document,
        annotator: &str,
    ) -> Result<Resumed> {
        let fresh = Labelling::new(engine, document, annotator);
        let file = if path.exists() {
            Some(read_label(path)?).filter(|file| file.intact > 0)
        } else {
            None
        };
        let mut resumed = match file {
            Some(file) => fresh.resume(engine, file)?,
            None => Resumed::plain(fresh),
        };
        resumed.labelling.record = Record::ReadOnly;
        Ok(resumed)
    }

    /// Does again what a file holds.
    fn resume(self, engine: &Arc<Engine>, mut file: LabelFile) -> Result<Resumed> {
        file.compare(&self.label.header.document);
        if any_error(&file.diagnostics) {
            return Err(Error::Invalid(file.diagnostics));
        }
        match file.replay(engine) {
            Some(labelling) if !any_error(&file.diagnostics) => Ok(Resumed {
                labelling,
                diagnostics: file.diagnostics,
            }),
            _ => Err(Error::Invalid(file.diagnostics)),
        }
    }

    /// The parse that the actions drive.
    pub fn session(&self) -> &Session {
        &self.session
    }

    /// What has been recorded.
    pub fn label(&self) -> &Label {
        &self.label
    }

    /// What has been recorded, to keep.
    pub fn into_label(self) -> Label {
        self.label
    }

    /// What there is to see now.
    pub fn context(&self) -> Context {
        Context::of(&self.session)
    }

    /// True when one tree covers the text.
    pub fn is_complete(&self) -> bool {
        self.session.is_complete()
    }

    /// How many actions stand, and how many there will be in the end.
    pub fn progress(&self) -> (usize, usize) {
        let edus = self.session.text().len();
        (self.stand.forest.steps_done(), (2 * edus).saturating_sub(1))
    }

    /// How many actions can be taken back, and how many can be done again.
    pub fn can_undo_redo(&self) -> (usize, usize) {
        (self.done.len(), self.undone.len())
    }

    /// The text with the EDUs that it has now.
    pub fn document(&self) -> &Document {
        &self.stand.document
    }

    /// What stands.
    pub fn forest(&self) -> &Forest {
        &self.stand.forest
    }

    /// Which EDUs were said to belong together, or not to.
    pub fn answers(&self) -> Vec<(EduSpan, bool)> {
        self.remarks.answers(&self.stand.document)
    }

    /// Notes on nodes.
    pub fn notes(&self) -> Vec<(EduSpan, Arc<str>)> {
        self.remarks.notes(&self.stand.document)
    }

    /// What signals relations.
    pub fn signals(&self) -> Vec<Sign> {
        self.remarks.signals(&self.stand.document)
    }

    /// Relations beside the tree.
    pub fn edges(&self) -> Vec<Edge> {
        self.remarks.edges(&self.stand.document)
    }

    /// The time spent on the text, the time since the last action counted.
    pub fn seconds(&self) -> f64 {
        self.label.seconds() + self.pause().unwrap_or(0.0)
    }

    /// The tree, once it is complete. It carries no probabilities: an annotator made it.
    pub fn tree(&self) -> Result<Tree> {
        let mut tree = self.session.tree()?;
        let nodes: Vec<_> = tree.post_order().map(|(id, _)| id).collect();
        for id in nodes {
            let node = tree.node_mut(id);
            node.decision = None;
            node.fallback = false;
        }
        let header = &self.label.header;
        let made_by = |key: &str, value: &Arc<str>| (key.into(), Arc::clone(value));
        tree.annotations.origin = [
            made_by("annotator", &header.annotator),
            made_by("schema", &header.schema),
        ]
        .into();
        self.remarks.annotate(&mut tree, &self.stand.document);
        Ok(tree)
    }

    /// What was said of the actions that stand beyond what the tree shows: reasons, equations, and
    /// symbols that are not the nucleus's.
    pub fn said(&self) -> Vec<Said> {
        if self.has_edits() {
            return self.said_by_trees();
        }
        let standing = self.label.standing().into_iter();
        let recorded = standing.filter_map(|at| self.label.actions.get(at));
        let each = recorded.enumerate().map(|(action, recorded)| {
            let mut said = Said {
                action,
                reason: recorded.reason.as_deref().map(str::to_owned),
                ..Said::default()
            };
            if let (Act::Reduce(join), Some(context)) = (&recorded.act, &recorded.context) {
                let own = join.symbol.as_ref();
                let own = own.filter(|symbol| **symbol != nucleus(join.roles, context));
                said.symbol = own.map(|symbol| symbol.to_string());
                said.equations = join.equations.iter().map(|e| e.to_string()).collect();
            }
            said
        });
        each.filter(|said| !said.is_empty()).collect()
    }

    /// Does what a person asks for. A reason must hold now.
    pub fn act(&mut self, act: Act, reason: Option<&str>) -> Result<()> {
        let mut recorded = Recorded::new(act);
        recorded.reason = reason.map(Arc::from);
        recorded.seconds = self.pause().map(tenths);
        if let Some(reason) = reason {
            self.check_reason(reason)?;
        }
        self.perform(recorded)
    }

    /// Does what a program decided, with its probability.
    pub(super) fn decide(&mut self, act: Act, probability: Option<f64>) -> Result<()> {
        let mut recorded = Recorded::new(act);
        recorded.probability = probability.map(six_digits);
        self.perform(recorded)
    }

    /// Does a recorded action again.
    pub(super) fn repeat(&mut self, recorded: &Recorded) -> Result<()> {
        self.perform(recorded.clone())
    }

    /// A formula as it will be recorded, or what is wrong with it: its names and types, or that it
    /// does not hold now.
    pub fn check_reason(&self, reason: &str) -> Result<()> {
        let formula = self.reason(reason)?;
        match self.session.truth(&formula) {
            Some(true) => Ok(()),
            Some(false) => Err(Error::Usage("the reason does not hold here".to_owned())),
            None => Err(Error::Usage(
                "whether the reason holds is unknown here: it asks for something that is not there"
                    .to_owned(),
            )),
        }
    }

    /// Finds what is wrong with equations.
    pub fn check_equations(&self, equations: &[Arc<str>]) -> Result<()> {
        self.equations(equations).map(|_| ())
    }

    /// An outcome with its names, and with the equations of a rule.
    pub fn join(&self, outcome: Outcome, rule: Option<u32>) -> Join {
        let grammar = self.session.engine().grammar();
        let schema = self.session.engine().schema();
        let relation = schema.rhetoric_of(outcome.relation);
        let production = rule.and_then(|rule| grammar.productions.get(rule as usize));
        let equations = production.map_or(&[][..], |production| &production.equations);
        Join {
            relation: relation
                .map_or("", |relation| relation.name.as_str())
                .into(),
            roles: outcome.roles,
            symbol: match outcome.parent {
                Pattern::Any => None,
                Pattern::Symbol(symbol) => Some(schema.relation_name(symbol).into()),
            },
            equations: equations
                .iter()
                .map(|equation| equation.text(schema).into())
                .collect(),
        }
    }

    /// Everything that can go wrong does so before anything is written; what is written is done.
    fn perform(&mut self, mut recorded: Recorded) -> Result<()> {
        match recorded.act.clone() {
            Act::Edit(edit) => return self.perform_edit(recorded, &edit),
            Act::Remark(remark) => return self.perform_remark(recorded, &remark),
            _ => {}
        }
        let done = match &recorded.act {
            Act::Undo if self.done.is_empty() => {
                return Err(Error::Usage("there is nothing to take back".to_owned()));
            }
            Act::Redo if self.undone.is_empty() => {
                return Err(Error::Usage("there is nothing to do again".to_owned()));
            }
            Act::Undo | Act::Redo | Act::Edit(_) | Act::Remark(_) => None,
            Act::Shift | Act::Reduce(_) => Some(self.meaning(&recorded)?),
        };
        recorded.context = done.as_ref().map(|done| done.context.clone());
        if let (Act::Reduce(join), Some(context)) = (&mut recorded.act, &recorded.context) {
            join.symbol
                .get_or_insert_with(|| nucleus(join.roles, context));
        }
        match (&recorded.act, done) {
            (Act::Undo, _) => {
                let session = self.session_of_other(self.done.last())?;
                self.write(&recorded)?;
                self.undo(session);
            }
            (Act::Redo, _) => {
                let session = self.session_of_other(self.undone.last())?;
                self.write(&recorded)?;
                self.redo(session);
            }
            (_, Some(done)) => {
                self.write(&recorded)?;
                let join = done.outcome.map(|outcome| (outcome, &*done.equations));
                self.session.follow(join)?;
                match &done.join {
                    None => self.stand.forest.shift(),
                    Some(join) => self.stand.forest.reduce(Arc::clone(join)),
                }
                self.undone.clear();
                self.done.push(done);
            }
            (_, None) => {}
        }
        self.was_done(recorded);
        Ok(())
    }

    fn was_done(&mut self, recorded: Recorded) {
        self.label.actions.push(recorded);
        self.clock = self.clock.map(|_| Instant::now());
    }

    /// Records an action, after the header where that is still to be written.
    fn write(&mut self, recorded: &Recorded) -> Result<()> {
        if let Record::ToBegin(path) = &self.record {
            self.record = Record::File {
                journal: Journal::begin(path)?,
                has_header: false,
            };
        }
        match &mut self.record {
            Record::Memory | Record::ToBegin(_) => Ok(()),
            Record::ReadOnly => {
                let message = "this label is open to be looked at, not to be changed";
                Err(Error::Usage(message.to_owned()))
            }
            Record::File {
                journal,
                has_header,
            } => {
                if !*has_header {
                    journal.append(&json::write_header(&self.label.header)?)?;
                    *has_header = true;
                }
                journal.append(&json::write_action(recorded)?)
            }
        }
    }

    /// What a shift or a reduction means here, or why it cannot be done.
    fn meaning(&self, recorded: &Recorded) -> Result<Done> {
        let context = self.context();
        let (outcome, equations) = match &recorded.act {
            Act::Reduce(join) => {
                if context.a.is_none() {
                    return Err(Error::Usage("there are no two nodes to join".to_owned()));
                }
                (Some(self.outcome(join)?), self.equations(&join.equations)?)
            }
            _ if context.c.is_none() => {
                return Err(Error::Usage("there is no EDU left to shift".to_owned()));
            }
            _ => (None, Vec::new()),
        };
        let reason = recorded.reason.as_deref();
        let join = match &recorded.act {
            Act::Reduce(join) => {
                let own = nucleus(join.roles, &context);
                let mut join = join.clone();
                join.symbol = join.symbol.filter(|symbol| *symbol != own);
                Some(Arc::new(join))
            }
            _ => None,
        };
        Ok(Done {
            other: None,
            join,
            reason: reason.map(|reason| self.reason(reason)).transpose()?,
            context,
            outcome,
            equations,
        })
    }

    fn outcome(&self, join: &Join) -> Result<Outcome> {
        let schema = self.session.engine().schema();
        let relation = match schema.lookup(&join.relation) {
            Some(Name::Rhetoric(id)) => id,
            _ => {
                let known = schema.rhetoric.iter().map(|r| r.name.as_str());
                return Err(unknown(
                    "rhetorical relation",
                    &join.relation,
                    schema,
                    known,
                ));
            }
        };
        let parent = match &join.symbol {
            None => Pattern::Any,
            Some(name) => match schema.relation(name) {
                Some(symbol) => Pattern::Symbol(symbol),
                None => {
                    let known = schema.relations.iter().map(|r| r.name.as_str());
                    return Err(unknown("symbol", name, schema, known));
                }
            },
        };
        Ok(Outcome {
            parent,
            relation,
            roles: join.roles,
        })
    }

    fn equations(&self, written: &[Arc<str>]) -> Result<Vec<Equation>> {
        if written.is_empty() {
            return Ok(Vec::new());
        }
        let source = Source::new("<equations>", written.join("\n"));
        load_equations(&source, self.session.engine().schema())
    }

    fn reason(&self, written: &str) -> Result<Formula> {
        let source = Source::new("<reason>", written);
        load_reason(&source, self.session.engine().schema())
    }

    /// The time since the last action, where time counts.
    fn pause(&self) -> Option<f64> {
        let since = self.clock?.elapsed().as_secs_f64();
        Some(since.min(IDLE_SECONDS))
    }
}

/// The symbol that a new node takes from its nucleus, of two nuclei from the left one.
fn nucleus(roles: crate::grammar::Roles, context: &Context) -> Arc<str> {
    let seen = match roles {
        crate::grammar::Roles::SatelliteNucleus => context.b.as_ref(),
        _ => context.a.as_ref(),
    };
    seen.map_or_else(|| "".into(), |seen| Arc::clone(&seen.symbol))
}

fn unknown<'k>(
    what: &str,
    name: &str,
    schema: &Schema,
    known: impl Iterator<Item = &'k str>,
) -> Error {
    let message = format!("the schema `{}` has no {what} `{name}`", schema.name);
    Error::Invalid(vec![
        Diagnostic::new(Code::L005, message).suggest(name, known),
    ])
}

fn tenths(seconds: f64) -> f64 {
    (seconds * 10.0).round() / 10.0
}

/// Enough to compare by, and the same after reading.
fn six_digits(probability: f64) -> f64 {
    format!("{probability:.5e}").parse().unwrap_or(probability)
}
