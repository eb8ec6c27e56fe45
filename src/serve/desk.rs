//! What lies on an annotator's desk: a label that is open, and the windows that show it.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::bench::Bench;
use super::messages::{
    ActAsk, ActJson, AnswerJson, Caller, HistoryLine, LookAnswer, LookAsk, NoteJson, Nothing,
    OpenAsk, Proposal, ProposeAnswer, ProposeAsk, QuestionJson, QuestionsAnswer, SuggestAnswer,
    SuggestionJson, TextAnswer, WarningJson,
};
use super::shelf::title_of;
use super::view::{Parsed, edus_of, numbers, span_of, view, view_of_tree};
use crate::automaton::{AskOptions, Parse, ParseOptions};
use crate::behavior::{
    Act, EdgeJson, Edit, Join, Labelling, Recorded, Remark, SignJson, Warning, label_file_name,
    read_label, warnings,
};
use crate::error::{Error, Result};
use crate::grammar::{Action, Roles};
use crate::tree::{Edu, EduSpan};

/// A window that said nothing for so long was closed.
const GONE: Duration = Duration::from_secs(45);

/// How many actions are told as history.
const HISTORY: usize = 300;

/// A label that is open.
pub(super) struct Desk {
    pub(super) labelling: Labelling,
    /// Why it can only be looked at.
    busy: Option<String>,
    said: Vec<String>,
    /// The grammar's tree over the EDUs that the label has.
    parse: Option<Arc<Parse>>,
    windows: BTreeMap<String, Instant>,
    touched: Instant,
}

impl Desk {
    /// Takes a text up: the annotator's own label, or a new one.
    pub(super) fn open(bench: &Bench, id: &str, name: &str) -> Result<Desk> {
        let document = bench.document(id)?;
        let engine = bench.engine();
        let file = label_file_name(id);
        let usual = bench.labels().join(&file);
        let by_other = usual.is_file()
            && read_label(&usual)?
                .label
                .is_some_and(|label| *label.header.annotator != *name);
        let path = if by_other {
            bench.own_labels(name).join(&file)
        } else {
            usual
        };
        let (resumed, busy) = match Labelling::open(&path, &engine, &document, name) {
            Ok(resumed) => (resumed, None),
            Err(Error::Busy(why)) => {
                let resumed = Labelling::open_read_only(&path, &engine, &document, name)?;
                (resumed, Some(why))
            }
            Err(error) => return Err(error),
        };
        let said = resumed
            .diagnostics
            .iter()
            .map(|problem| problem.message.clone());
        Ok(Desk {
            said: said.collect(),
            labelling: resumed.labelling,
            busy,
            parse: None,
            windows: BTreeMap::new(),
            touched: Instant::now(),
        })
    }

    /// A label that another program held is tried again; it may be free by now.
    pub(super) fn refresh(&mut self, bench: &Bench, id: &str, name: &str) -> Result<()> {
        self.touched = Instant::now();
        if self.busy.is_some() {
            let fresh = Desk::open(bench, id, name)?;
            let windows = std::mem::take(&mut self.windows);
            *self = Desk { windows, ..fresh };
        }
        Ok(())
    }

    fn see(&mut self, window: &str) {
        self.windows.retain(|_, seen| seen.elapsed() < GONE);
        if !window.is_empty() {
            self.windows.insert(window.to_owned(), Instant::now());
        }
    }

    pub(super) fn leave(&mut self, window: &str) {
        self.windows.remove(window);
        self.touched = Instant::now() - GONE;
    }

    /// True when nobody looks at it any more.
    pub(super) fn is_left(&self) -> bool {
        self.touched.elapsed() >= GONE && self.windows.values().all(|seen| seen.elapsed() >= GONE)
    }

    fn version(&self) -> usize {
        self.labelling.label().actions.len()
    }

    /// True while nothing stands: the grammar's tree is shown.
    fn is_untouched(&self) -> bool {
        self.labelling.can_undo_redo().0 == 0
    }

    /// The grammar's tree over the label's own EDUs.
    pub(super) fn parse(&mut self, bench: &Bench, id: &str) -> Result<Arc<Parse>> {
        let text = self.labelling.session().text();
        if let Some(parse) = self
            .parse
            .as_ref()
            .filter(|parse| Arc::ptr_eq(&parse.text, text))
        {
            return Ok(Arc::clone(parse));
        }
        let usual = bench.parse(id)?;
        let same = usual.text.edus.len() == text.edus.len()
            && usual
                .text
                .edus
                .iter()
                .zip(&text.edus)
                .all(|(a, b)| a.text == b.text);
        let parse = if same {
            Parse {
                text: Arc::clone(text),
                derivations: usual.derivations.clone(),
            }
        } else {
            let engine = self.labelling.session().engine();
            engine.parse_text(Arc::clone(text), &ParseOptions::default())
        };
        let parse = Arc::new(parse);
        self.parse = Some(Arc::clone(&parse));
        Ok(parse)
    }

    /// Everything about the text as it stands.
    fn answer(&mut self, bench: &Bench, id: &str) -> Result<TextAnswer> {
        let parse = self.parse(bench, id)?;
        let labelling = &self.labelling;
        let document = labelling.document();
        let header = &labelling.label().header;
        let untouched = self.is_untouched();
        let parsed = Parsed::of(parse.tree());
        let edus = edus_of(document);
        let tree = match parse.tree().filter(|_| untouched) {
            Some(tree) => view(&crate::behavior::Forest::of_tree(tree), edus, &parsed),
            None => view(labelling.forest(), edus, &parsed),
        };
        let warned = if untouched {
            Vec::new()
        } else {
            self.warnings()
        };
        let derivation = parse.derivations.first();
        let notes = labelling.notes().into_iter();
        Ok(TextAnswer {
            id: id.to_owned(),
            title: title_of(document),
            version: self.version(),
            basis: if untouched { "parse" } else { "label" },
            annotator: header.annotator.to_string(),
            busy: self.busy.clone(),
            complete: labelling.is_complete(),
            undo_redo: labelling.can_undo_redo(),
            progress: labelling.progress(),
            seconds: labelling.label().seconds().abs(),
            confidence: derivation.map(|derivation| derivation.confidence()),
            tree,
            warnings: warned,
            notes: notes
                .map(|(span, text)| NoteJson {
                    span: numbers(span),
                    text,
                })
                .collect(),
            answers: self.answers(),
            signals: labelling.signals().iter().map(SignJson::from).collect(),
            edges: labelling.edges().iter().map(EdgeJson::from).collect(),
            history: history(labelling),
            said: self.said.clone(),
        })
    }

    fn answers(&self) -> Vec<AnswerJson> {
        let answers = self.labelling.answers().into_iter();
        answers
            .map(|(span, together)| AnswerJson {
                span: numbers(span),
                together,
            })
            .collect()
    }

    fn warnings(&self) -> Vec<WarningJson> {
        let labelling = &self.labelling;
        let edus = Edu::of_document(labelling.document());
        let schema = labelling.session().engine().schema();
        let found = warnings(labelling.forest(), &edus, schema);
        let told = found.into_iter().map(|(span, warning)| {
            let (kind, number) = match warning {
                Warning::Unattached => ("unattached", None),
                Warning::Stacked(number) => ("stacked", Some(number)),
                Warning::UnknownRelation => ("unknown-relation", None),
                Warning::OtherKind => ("other-kind", None),
                Warning::CrossesSentence => ("crosses-sentence", None),
            };
            WarningJson {
                span: numbers(span),
                kind,
                number,
            }
        });
        told.collect()
    }

    /// Does what the page asks for.
    fn act(&mut self, bench: &Bench, id: &str, act: ActJson) -> Result<()> {
        let wrong = Error::Usage;
        match act {
            ActJson::Shift => self.labelling.act(Act::Shift, None),
            ActJson::Reduce {
                relation,
                roles,
                symbol,
                reason,
            } => {
                let join = Join {
                    symbol,
                    ..Join::new(relation, roles_of(&roles)?)
                };
                self.labelling.act(
                    Act::Reduce(join),
                    reason.as_deref().filter(|r| !r.is_empty()),
                )
            }
            ActJson::Undo => self.labelling.act(Act::Undo, None),
            ActJson::Redo => self.labelling.act(Act::Redo, None),
            ActJson::Clear => {
                let edus = self.labelling.document().edus().count();
                let end = u32::try_from(edus).unwrap_or(u32::MAX);
                self.labelling.edit(Edit::Take {
                    over: EduSpan { start: 0, end },
                    made: vec![None; edus],
                })
            }
            ActJson::Adopt => self.adopt(bench, id),
            ActJson::Derive => {
                let text = Arc::clone(self.labelling.session().text());
                let engine = Arc::clone(self.labelling.session().engine());
                let asked = engine.ask(&text, &self.labelling.answers(), &AskOptions::default());
                let none = || Error::Usage("the answers leave no tree".to_owned());
                self.labelling.take_tree(&asked.tree.ok_or_else(none)?)
            }
            ActJson::Edit(edit) => {
                let edit = Edit::try_from(edit).map_err(wrong)?;
                if self.is_untouched() {
                    self.check_on_parse(bench, id, &edit)?;
                    if !matches!(edit, Edit::Take { over, .. } if over.edus() == self.labelling.forest().edus())
                    {
                        self.adopt(bench, id)?;
                    }
                }
                self.labelling.edit(edit)
            }
            ActJson::Remark(remark) => {
                let remark = Remark::try_from(remark).map_err(wrong)?;
                // What signals a node speaks of the tree that is shown: it becomes the label's.
                if self.is_untouched() && matches!(remark, Remark::Signal(_) | Remark::Edge(_)) {
                    self.adopt(bench, id)?;
                }
                self.labelling.remark(remark)
            }
        }
    }

    /// An edit that cannot be done must not begin a label.
    fn check_on_parse(&mut self, bench: &Bench, id: &str, edit: &Edit) -> Result<()> {
        let parse = self.parse(bench, id)?;
        match parse.tree() {
            Some(tree) => crate::behavior::Forest::of_tree(tree)
                .edited(edit)
                .map(|_| ()),
            None => Ok(()),
        }
    }

    /// The grammar's tree becomes what stands.
    fn adopt(&mut self, bench: &Bench, id: &str) -> Result<()> {
        let parse = self.parse(bench, id)?;
        let none = || Error::Usage("a text without EDUs has no tree".to_owned());
        self.labelling.take_tree(parse.tree().ok_or_else(none)?)
    }
}

pub(super) fn roles_of(letters: &str) -> Result<Roles> {
    let all = [
        Roles::NucleusSatellite,
        Roles::SatelliteNucleus,
        Roles::NucleusNucleus,
    ];
    let found = all.into_iter().find(|roles| roles.as_str() == letters);
    found.ok_or_else(|| Error::Usage(format!("`{letters}` is none of `NS`, `SN`, `NN`")))
}

/// What was done, the last of it first.
fn history(labelling: &Labelling) -> Vec<HistoryLine> {
    let label = labelling.label();
    let mut stands = vec![false; label.actions.len()];
    for at in label.standing() {
        stands[at] = true;
    }
    let recent = label.actions.iter().enumerate().rev().take(HISTORY);
    recent
        .map(|(at, recorded)| {
            let (what, span, relation) = told(recorded);
            let is_remark = matches!(recorded.act, Act::Remark(_) | Act::Undo | Act::Redo);
            HistoryLine {
                number: at + 1,
                what,
                span: span.map(numbers),
                relation,
                stands: stands[at] || is_remark,
            }
        })
        .collect()
}

/// An action in a line.
fn told(recorded: &Recorded) -> (&'static str, Option<EduSpan>, Option<Arc<str>>) {
    let context = recorded.context.as_ref();
    match &recorded.act {
        Act::Reduce(join) => {
            let ends = context.and_then(|context| context.a.as_ref().zip(context.b.as_ref()));
            let span = ends.map(|(a, b)| EduSpan {
                start: a.span.start,
                end: b.span.end,
            });
            ("reduce", span, Some(Arc::clone(&join.relation)))
        }
        Act::Shift => {
            let next = context.and_then(|context| context.c.as_ref());
            ("shift", next.map(|next| next.span), None)
        }
        Act::Edit(edit) => {
            let (span, relation) = match &**edit {
                Edit::Attach { node, join, .. } | Edit::Relate { node, join } => {
                    (*node, Some(Arc::clone(&join.relation)))
                }
                Edit::Unlink { node } => (*node, None),
                Edit::Cut { edu, .. } | Edit::Unite { edu } => (
                    EduSpan {
                        start: *edu,
                        end: edu + 1,
                    },
                    None,
                ),
                Edit::Take { over, .. } => (*over, None),
            };
            (edit.as_str(), Some(span), relation)
        }
        Act::Remark(remark) => match &**remark {
            Remark::Answer { span, .. } => ("answer", Some(*span), None),
            Remark::Note { span, .. } => ("note", Some(*span), None),
            Remark::Signal(sign) => ("signal", Some(sign.span), None),
            Remark::Edge(edge) => ("edge", Some(edge.source), Some(Arc::clone(&edge.relation))),
        },
        Act::Undo => ("undo", None, None),
        Act::Redo => ("redo", None, None),
    }
}

impl Bench {
    /// A text with its tree.
    pub(super) fn open(&self, caller: &Caller, ask: OpenAsk) -> Result<TextAnswer> {
        self.at_desk(caller, &ask.id, |desk| {
            desk.see(&ask.window);
            desk.answer(self, &ask.id)
        })
    }

    /// Whether another window or another person did something.
    pub(super) fn look(&self, caller: &Caller, ask: LookAsk) -> Result<LookAnswer> {
        self.at_desk(caller, &ask.id, |desk| {
            desk.see(&ask.window);
            Ok(LookAnswer {
                version: desk.version(),
                windows: desk.windows.len(),
            })
        })
    }

    /// Puts a text down.
    pub(super) fn close(&self, caller: &Caller, ask: LookAsk) -> Result<Nothing> {
        self.leave_desk(caller, &ask.id, &ask.window);
        Ok(Nothing {})
    }

    /// Does something to a text. It is on disk when this returns.
    pub(super) fn act(&self, caller: &Caller, ask: ActAsk) -> Result<TextAnswer> {
        self.at_desk(caller, &ask.id, |desk| {
            desk.see(&ask.window);
            if let Some(why) = &desk.busy {
                return Err(Error::Busy(why.clone()));
            }
            if desk.version() != ask.version {
                let message = "another window changed this text; it is shown as it is now";
                return Err(Error::Duplicate(message.to_owned()));
            }
            desk.act(self, &ask.id, ask.act)?;
            desk.answer(self, &ask.id)
        })
    }

    /// What the grammar would make of two nodes, or of a node's children.
    pub(super) fn propose(&self, caller: &Caller, ask: ProposeAsk) -> Result<ProposeAnswer> {
        self.at_desk(caller, &ask.id, |desk| {
            let parse = desk.parse(self, &ask.id)?;
            let mut labelling = None;
            if desk.is_untouched() {
                // What would be edited is the grammar's tree.
                let engine = Arc::clone(desk.labelling.session().engine());
                let mut own = Labelling::new(&engine, desk.labelling.document(), "");
                if let Some(tree) = parse.tree() {
                    own.take_tree(tree)?;
                }
                labelling = Some(own);
            }
            let labelling = labelling.as_ref().unwrap_or(&desk.labelling);
            let bad = || Error::Usage("no EDUs go so".to_owned());
            let node = span_of(ask.node).ok_or_else(bad)?;
            let (left, right) = match ask.to {
                None => children(labelling, node)?,
                Some(to) => {
                    let to = span_of(to).ok_or_else(bad)?;
                    let target = labelling.forest().target(node, to)?;
                    let rest = if !target.covers(node) {
                        target
                    } else if target.start == node.start {
                        EduSpan {
                            start: node.end,
                            ..target
                        }
                    } else {
                        EduSpan {
                            end: node.start,
                            ..target
                        }
                    };
                    if rest.start < node.start {
                        (rest, node)
                    } else {
                        (node, rest)
                    }
                }
            };
            let found = labelling.proposals(left, right).unwrap_or_default();
            Ok(ProposeAnswer {
                left: numbers(left),
                right: numbers(right),
                proposals: found
                    .into_iter()
                    .map(|(join, probability)| Proposal {
                        relation: join.relation,
                        roles: join.roles.as_str(),
                        probability,
                    })
                    .collect(),
            })
        })
    }

    /// What the grammar would do next, step by step.
    pub(super) fn suggest(&self, caller: &Caller, ask: OpenAsk) -> Result<SuggestAnswer> {
        self.at_desk(caller, &ask.id, |desk| {
            let session = desk.labelling.session();
            let mut stack: Vec<_> = session
                .stack()
                .into_iter()
                .filter_map(|at| session.node(at))
                .map(|node| (node.first + 1, node.last + 1))
                .collect();
            stack.reverse();
            Ok(SuggestAnswer {
                suggestions: suggestions(session),
                stack,
                next: session.next_edu().map(|next| next + 1),
            })
        })
    }

    /// What to ask next.
    pub(super) fn questions(&self, caller: &Caller, ask: OpenAsk) -> Result<QuestionsAnswer> {
        self.at_desk(caller, &ask.id, |desk| {
            let text = Arc::clone(desk.labelling.session().text());
            let engine = Arc::clone(desk.labelling.session().engine());
            let asked = engine.ask(&text, &desk.labelling.answers(), &AskOptions::default());
            let open = asked.open.iter().map(|question| QuestionJson {
                span: numbers(question.span),
                share: question.share,
            });
            Ok(QuestionsAnswer {
                open: open.collect(),
                trees: asked.trees,
                tree: asked.tree.as_ref().map(view_of_tree),
                answers: desk.answers(),
            })
        })
    }
}

/// What a session could do, for the page.
pub(super) fn suggestions(session: &crate::automaton::Session) -> Vec<SuggestionJson> {
    let grammar = session.engine().grammar();
    let schema = session.engine().schema();
    let each = session.suggestions().into_iter().map(|one| {
        let relation = one
            .outcome
            .and_then(|outcome| schema.rhetoric_of(outcome.relation));
        let rule = one
            .rule
            .and_then(|rule| grammar.productions.get(rule as usize));
        SuggestionJson {
            action: match one.action {
                Action::Shift => "shift",
                _ => "reduce",
            },
            relation: relation.map(|relation| relation.name.as_str().into()),
            roles: one.outcome.map(|outcome| outcome.roles.as_str()),
            probability: one.probability,
            rule: rule.map(|production| production.rule.id.to_string()),
        }
    });
    each.collect()
}

/// The two children of a node; of several nuclei, the first and all others. An EDU stands beside the next.
fn children(labelling: &Labelling, node: EduSpan) -> Result<(EduSpan, EduSpan)> {
    let forest = labelling.forest();
    let missing = || Error::Missing(format!("no node covers exactly EDUs {node}"));
    let knot = forest
        .find(node)
        .and_then(|at| forest.knots().get(at))
        .ok_or_else(missing)?;
    let Some(link) = &knot.link else {
        return Err(Error::Usage(format!("EDU {node} has no children")));
    };
    Ok((
        forest.knots()[link.left].span,
        forest.knots()[link.right].span,
    ))
}
