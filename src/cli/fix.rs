//! `arsg fix`: from a wrong node to the rule that was missing.

use std::path::{Path, PathBuf};

use clap::Args as ClapArgs;

use super::Outcome;
use super::input::{ParsingArgs, report_skips};
use super::numbers;
use super::outside::Outside;
use super::terminal::{Output, Terminal};
use crate::behavior::{read_documents, read_examples};
use crate::error::{Error, Result};
use crate::gold::{ReadGold, read_gold};
use crate::project::{FILE, Project};
use crate::repair::{Correction, Home, Repair};
use crate::text::Document;
use crate::tree::Tree;

#[derive(ClapArgs)]
#[command(after_help = "Examples:
  arsg fix text.txt --node 2-3 --to 'elaboration-additional NS'
  arsg fix text.txt --node 8-9 --to 'not a node'
  arsg fix text.txt --attach 9 10 --to causal-result       9 and 10 are the two parts of a node
  arsg fix corpus --id cpi-august-flash --tree trees       all that a corrected tree has otherwise
  arsg fix text.txt --node 2-3 --to 'a node' --node 10-12 --to joint-list --json
  arsg fix text.txt --node 2-3 --to 'elaboration-additional NS' --accept 2

It finds the step where the automaton left the right path, and proposes up to five rules for each
correction, from general to specific, with what they do to the gold texts: the project's cases and
trees, or those of --gold. --accept writes a rule into the grammar and a case beside the others.
Exit code 1 where no proposal does what is wanted.")]
pub(super) struct Args {
    #[command(flatten)]
    parsing: ParsingArgs,
    /// Only the text with this id (default: the first)
    #[arg(long, value_name = "ID")]
    id: Option<String>,
    /// EDUs that are wrong: `11-12`; each goes with a --to
    #[arg(long, value_name = "I-J")]
    node: Vec<String>,
    /// What they should be: a relation with its roles (`causal-cause SN`), `a node`, `not a node`
    #[arg(long, value_name = "WHAT")]
    to: Vec<String>,
    /// Neighbours that should be the two parts of a node: `--attach 12 13-15`
    #[arg(long, value_names = ["I-J", "K-L"], num_args = 2)]
    attach: Vec<String>,
    /// The corrected tree of the text: a tree file, a label, or a folder of either
    #[arg(long, value_name = "FILE|DIR", conflicts_with_all = ["node", "attach"])]
    tree: Option<PathBuf>,
    /// Gold trees to measure by: case files, tree files, folders (default: the project's)
    #[arg(long, value_name = "FILE|DIR")]
    gold: Vec<PathBuf>,
    /// Write this proposal into the grammar, and a case (1 to 1000)
    #[arg(long, value_name = "N", value_parser = numbers::whole::<usize>(1, 1000))]
    accept: Vec<usize>,
    #[command(flatten)]
    outside: Outside,
}

pub(super) fn run(args: Args, terminal: &Terminal) -> Result<Outcome> {
    let project = args.outside.project()?;
    let document = args.document(terminal)?;
    let repair = args.repair(project.as_ref(), terminal)?;
    let answer = match &args.tree {
        Some(path) => {
            repair.propose_tree(&document, &args.corrected_tree(path, &repair, &document)?)?
        }
        None => repair.propose(&document, &args.corrections(&repair)?)?,
    };
    let mut out = Output::open(None)?;
    if args.accept.is_empty() {
        if terminal.json {
            out.write(&format!("{}\n", serde_json::json!(answer)))?
        } else {
            out.write(&answer.to_text())?
        }
        out.finish()?;
        return Ok(if answer.is_solved() {
            Outcome::Fine
        } else {
            Outcome::Failure
        });
    }
    let home = args.home(project.as_ref())?;
    let edits = repair.accept(&answer, &args.accept, &home, &args.outside.disk())?;
    edits.write()?;
    if terminal.json {
        out.write(&format!("{}\n", serde_json::json!(edits)))?
    } else {
        out.write(&edits.diff())?
    }
    out.finish()?;
    for edit in &edits.edits {
        terminal.note(&format!("wrote {}", edit.path.display()));
    }
    let holds = |number: &usize| {
        let node = answer.proposal(*number).map(|proposal| proposal.holds);
        let cut = || answer.cut_proposal(*number).map(|proposal| proposal.holds);
        node.or_else(cut).unwrap_or(false)
    };
    Ok(if args.accept.iter().all(holds) {
        Outcome::Fine
    } else {
        Outcome::Failure
    })
}

impl Args {
    /// The text that is corrected.
    fn document(&self, terminal: &Terminal) -> Result<Document> {
        let mut documents = Vec::new();
        let tally = self.parsing.input.work_through(
            terminal,
            "reading",
            |document| document,
            |document, _| {
                documents.push(document);
                Ok(())
            },
        )?;
        report_skips(terminal, &tally);
        let wanted = |document: &Document| self.id.as_ref().is_none_or(|id| *id == document.id);
        let count = documents.len();
        let found = documents.into_iter().find(wanted).ok_or_else(|| {
            let id = self.id.as_deref().unwrap_or_default();
            Error::Missing(format!("there is no text `{id}`"))
        })?;
        if self.id.is_none() && count > 1 {
            let id = &found.id;
            terminal.note(&format!(
                "this is about `{id}`, the first of {count} texts; `--id` names another"
            ));
        }
        Ok(found)
    }

    /// The grammar with the gold texts that corrections are measured by.
    fn repair(&self, project: Option<&Project>, terminal: &Terminal) -> Result<Repair> {
        let corpus = project.and_then(Project::corpus);
        let corpus = corpus.filter(|corpus| corpus.exists());
        let gold = match self.gold.as_slice() {
            [] => project.map(Project::gold).unwrap_or_default(),
            named => named.to_vec(),
        };
        let read = match gold.as_slice() {
            [] => ReadGold::default(),
            paths => read_gold(paths, corpus.as_deref())?,
        };
        if read.texts.is_empty() {
            terminal.note("there are no gold trees to measure by; `--gold` names some");
        }
        let mut notes = Vec::new();
        let texts = match &corpus {
            Some(corpus) => read_documents(corpus, &mut notes)?.into_values().collect(),
            None => Vec::new(),
        };
        let grammar = self.parsing.grammar.load()?;
        let options = self.parsing.search.options();
        let repair = Repair::new(grammar, read.texts, texts, options);
        for line in &repair.treebank().left_out {
            terminal.note(&format!("left out: {line}"));
        }
        Ok(repair)
    }

    /// What is wrong, as it is said on the command line.
    fn corrections(&self, repair: &Repair) -> Result<Vec<Correction>> {
        let schema = repair.engine().schema();
        let mut all = Vec::new();
        let pairs: Vec<&[String]> = self.attach.chunks(2).collect();
        let for_nodes = self.to.get(..self.node.len());
        let Some(for_nodes) = for_nodes else {
            return Err(Error::Usage(
                "every --node goes with a --to that says what it should be".to_owned(),
            ));
        };
        for (node, to) in self.node.iter().zip(for_nodes) {
            all.push(Correction::read(node, to, schema)?);
        }
        let mut for_pairs = self.to.iter().skip(self.node.len());
        for pair in &pairs {
            if let [one, other] = pair {
                let to = for_pairs.next().map(String::as_str);
                all.extend(Correction::attach(one, other, to, schema)?);
            }
        }
        if for_pairs.next().is_some() {
            return Err(Error::Usage(
                "every --to goes with a --node or an --attach".to_owned(),
            ));
        }
        if all.is_empty() {
            return Err(Error::Usage(
                "say what is wrong: `--node 3-4 --to 'causal-cause SN'`, `--attach 3 4-5`, or \
                 `--tree FILE` with the corrected tree"
                    .to_owned(),
            ));
        }
        Ok(all)
    }

    /// Where accepted rules are written.
    fn home(&self, project: Option<&Project>) -> Result<Home> {
        Ok(Home {
            grammar: self.parsing.grammar.name()?,
            project: project.map(|project| project.path(FILE)),
            cases: project.and_then(Project::cases),
        })
    }

    /// The corrected tree of a text, from a file of trees or a label.
    fn corrected_tree(&self, path: &Path, repair: &Repair, document: &Document) -> Result<Tree> {
        let schema = &repair.engine().grammar().schema;
        let read = read_examples(path, None, schema)?;
        let mut trees: Vec<Tree> = read.examples.into_iter().map(|one| one.tree).collect();
        let own = trees
            .iter()
            .position(|tree| tree.id.as_deref() == Some(document.id.as_str()));
        match (own, trees.len()) {
            (Some(at), _) => Ok(trees.swap_remove(at)),
            (None, 1) => Ok(trees.swap_remove(0)),
            _ => Err(Error::Missing(format!(
                "there is no tree of `{}` in `{}`",
                document.id,
                path.display()
            ))),
        }
    }
}
