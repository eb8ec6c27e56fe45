//! From corrections to rules: what the library proposes, and taking a proposal.

use std::sync::Arc;

use super::bench::Bench;
use super::messages::{
    AcceptAnswer, AcceptAsk, Caller, FileText, FixAnswer, OpenAsk, ProposalJson,
};
use super::view::view_of_tree;
use crate::automaton::ParseOptions;
use crate::error::{Error, Result};
use crate::gold::{ReadGold, read_gold};
use crate::project::{FILE, Project, is_path};
use crate::repair::{Answer, Home, Repair};
use crate::text::Document;

impl Bench {
    /// The grammar with the project's gold texts.
    fn repair(&self) -> Result<Repair> {
        let project = self.project.as_ref();
        let corpus = project
            .and_then(Project::corpus)
            .map(|corpus| self.folder.join(corpus));
        let corpus = corpus.filter(|corpus| corpus.exists());
        let named = [
            project.and_then(Project::cases),
            project.and_then(Project::trees),
        ];
        let named = named
            .into_iter()
            .flatten()
            .map(|path| self.folder.join(path));
        let gold: Vec<_> = named.filter(|path| path.exists()).collect();
        let read = if gold.is_empty() {
            ReadGold::default()
        } else {
            read_gold(&gold, corpus.as_deref())?
        };
        let grammar = self.engine().grammar().clone();
        Ok(Repair::new(
            grammar,
            read.texts,
            Vec::new(),
            ParseOptions::default(),
        ))
    }

    /// What can be done so that the grammar makes the tree that the caller made.
    fn answer_to(&self, caller: &Caller, id: &str) -> Result<(Repair, Answer)> {
        let (document, tree) = self.at_desk(caller, id, |desk| {
            let document: Document = desk.labelling.document().clone();
            Ok((document, desk.labelling.tree()))
        })?;
        let tree = tree.map_err(|_| {
            Error::Usage("finish the tree first: rules come from what it has otherwise".to_owned())
        })?;
        let repair = self.repair()?;
        let answer = repair.propose_tree(&document, &tree)?;
        Ok((repair, answer))
    }

    /// Rules that would make the grammar right where the caller corrected it.
    pub(super) fn fix(&self, caller: &Caller, ask: OpenAsk) -> Result<FixAnswer> {
        let (_, answer) = self.answer_to(caller, &ask.id)?;
        let value =
            |of: &Answer| serde_json::to_value(of).map_err(|e| Error::Internal(e.to_string()));
        let all = answer.corrections.iter().flat_map(|one| &one.proposals);
        let proposals = all.map(|one| ProposalJson {
            number: one.number,
            tree: view_of_tree(one.tree()),
        });
        Ok(FixAnswer {
            gold_texts: answer.gold_texts,
            proposals: proposals.collect(),
            answer: value(&answer)?,
        })
    }

    /// Writes a proposal into the grammar, and its case beside the others.
    pub(super) fn accept(&self, caller: &Caller, ask: AcceptAsk) -> Result<AcceptAnswer> {
        let project = self.project.as_ref().ok_or_else(|| {
            Error::Usage(
                "this folder is no project: `arsg init` begins one, and rules go there".to_owned(),
            )
        })?;
        let (repair, answer) = self.answer_to(caller, &ask.id)?;
        let proposal = answer.proposal(ask.number);
        let names = proposal.map(|one| one.names.clone()).unwrap_or_default();
        if proposal.is_none() || names != ask.names {
            let message = "the grammar has changed since; ask for proposals again";
            return Err(Error::Busy(message.to_owned()));
        }
        let grammar = project.grammar().unwrap_or_else(|| "general".to_owned());
        let home = Home {
            grammar: if is_path(&grammar) {
                self.folder.join(&grammar).display().to_string()
            } else {
                grammar
            },
            project: Some(self.folder.join(project.path(FILE))),
            cases: project.cases().map(|cases| self.folder.join(cases)),
        };
        let edits = repair.accept(&answer, &[ask.number], &home, &self.disk)?;
        edits.write()?;
        self.renew()?;
        let files = edits.edits.iter().map(|edit| FileText {
            name: self.known_as(&edit.path.display().to_string()),
            text: edit.diff(),
        });
        Ok(AcceptAnswer {
            files: files.collect(),
            cases: edits.cases.clone(),
            names: names.into_iter().map(Arc::from).collect(),
        })
    }
}
