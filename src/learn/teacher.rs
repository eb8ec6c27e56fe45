//! Who labels the loop's texts: people by their label files, gold trees for the others.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use super::{Answer, LabelSource, Lines, TextLabel};
use crate::automaton::Engine;
use crate::automaton::cases::read_case_file;
use crate::behavior::{Annotator as _, GoldTrees, Labelling, Said, label_file_name, read_label};
use crate::diagnostic::Source;
use crate::error::{Error, Result};
use crate::text::DocumentJson;
use crate::text::{Analyzer, Document};
use crate::tree::{Format, Tree, read, read_file};

/// Gold trees by the ids of their texts.
#[derive(Debug, Default)]
pub struct Gold {
    trees: BTreeMap<Arc<str>, Tree>,
    lines: Vec<Lines>,
}

impl Gold {
    /// Trees from files and folders: JSON lines, which stay on disk; regression cases; any format of
    /// trees.
    pub fn open(paths: &[PathBuf]) -> Result<Gold> {
        let mut gold = Gold::default();
        for path in crate::files::find_files_and_tell(paths)? {
            let ending = path.extension().and_then(|ending| ending.to_str());
            match ending {
                Some("jsonl") => gold.lines.push(Lines::open(&path)?),
                Some("case") => {
                    let cases = read_case_file(&path)?.into_result()?;
                    let trees = cases.into_iter().filter_map(|case| {
                        let tree = case.tree?;
                        Some((Arc::from(case.name), tree))
                    });
                    gold.trees.extend(trees);
                }
                _ if Format::from_extension(&path).is_some_and(Format::is_readable) => {
                    let trees = read_file(&path, None)?.into_trees()?;
                    let named = trees.into_iter().filter_map(|t| Some((t.id.clone()?, t)));
                    gold.trees.extend(named);
                }
                // A folder of trees may hold anything else beside them.
                _ => {}
            }
        }
        if !(gold.trees.is_empty() && gold.lines.is_empty()) {
            Ok(gold)
        } else {
            let names: Vec<String> = paths.iter().map(|p| p.display().to_string()).collect();
            let message = format!("`{}` holds no gold trees", names.join("`, `"));
            Err(Error::Missing(message))
        }
    }

    /// The tree of a text.
    pub fn tree(&self, id: &str) -> Result<Option<Tree>> {
        if let Some(tree) = self.trees.get(id) {
            return Ok(Some(tree.clone()));
        }
        for lines in &self.lines {
            if let Some(line) = lines.get(id)? {
                let source = Source::new(format!("<gold>/{id}"), line);
                return read(&source, Some(Format::Json)).into_tree().map(Some);
            }
        }
        Ok(None)
    }
}

/// Labels from people, and where there is none, from gold trees.
pub struct Teacher<'t> {
    /// The texts, as JSON lines.
    pub texts: &'t Lines,
    /// Where `arsg annotate` keeps labels.
    pub labels: PathBuf,
    /// Whose schema labels are read with.
    pub engine: Arc<Engine>,
    /// Gold trees.
    pub gold: Option<Gold>,
}

impl Teacher<'_> {
    /// The text of an id.
    pub fn document(&self, id: &str) -> Result<Document> {
        document(self.texts, id)
    }

    /// A finished label of a person.
    fn by_person(&self, id: &str) -> Result<Option<Answer<TextLabel>>> {
        let path = self.labels.join(label_file_name(id));
        if !path.exists() {
            return Ok(None);
        }
        let mut file = read_label(&path)?;
        let Some(labelling) = file
            .replay(&self.engine)
            .filter(|label| label.is_complete())
        else {
            return Ok(None);
        };
        let header = &labelling.label().header;
        let automatic = header.annotator.starts_with(GRAMMAR_NAME);
        let label = TextLabel::new(labelling.document().clone(), labelling.tree()?);
        let seconds = labelling.seconds();
        Ok(Some(Answer::Labelled {
            // A grammar that labels by itself repeats its own rules: they are not what anybody said.
            label: if automatic {
                label
            } else {
                label.with_said(labelling.said())
            },
            minutes: (seconds > 0.0).then_some(seconds / 60.0),
            automatic,
        }))
    }

    fn by_gold(&self, id: &str) -> Result<Option<TextLabel>> {
        let Some(gold) = &self.gold else {
            return Ok(None);
        };
        let Some(tree) = gold.tree(id)? else {
            return Ok(None);
        };
        let mut document = self.document(id)?;
        if !has_edus_of(&document, &tree) {
            segment(&mut document, &tree, self.engine.analyzer());
        }
        if document.edus().count() != tree.edus.len() {
            return Err(Error::Mismatch(format!(
                "`{id}` has {} EDUs, and its gold tree has {}",
                document.edus().count(),
                tree.edus.len()
            )));
        }
        let said = self.symbols_of(&document, &tree)?;
        Ok(Some(TextLabel::new(document, tree).with_said(said)))
    }

    /// The symbols of a gold tree that are not those of nuclei. That of the root is left out: every
    /// root has the start symbol.
    fn symbols_of(&self, document: &Document, tree: &Tree) -> Result<Vec<Said>> {
        let mut nodes = tree.post_order();
        if !nodes.any(|(_, node)| node.pair().is_some() && node.symbol.is_some()) {
            return Ok(Vec::new());
        }
        let mut tree = tree.clone();
        tree.id = Some(document.id.as_str().into());
        let root = tree.root();
        tree.node_mut(root).symbol = None;
        let mut labelling = Labelling::new(&self.engine, document, "gold");
        GoldTrees::new("gold", [tree]).annotate(&mut labelling)?;
        Ok(labelling.said())
    }
}

/// How the names of grammars that label by themselves begin.
const GRAMMAR_NAME: &str = "grammar:";

impl LabelSource for Teacher<'_> {
    type Label = TextLabel;

    fn label(&mut self, text: &str) -> Result<Answer<TextLabel>> {
        if let Some(answer) = self.by_person(text)? {
            return Ok(answer);
        }
        Ok(match self.by_gold(text)? {
            Some(label) => Answer::Labelled {
                label,
                minutes: None,
                automatic: false,
            },
            None => Answer::Waiting,
        })
    }
}

/// True when a text is divided as its tree says, white space aside; a tree that has numbers only is
/// believed.
fn has_edus_of(document: &Document, tree: &Tree) -> bool {
    let plain = |text: &str| -> String { text.chars().filter(|c| !c.is_whitespace()).collect() };
    let mut pairs = document.edus().zip(&tree.edus);
    let is_same = pairs.all(|((_, range), edu)| {
        edu.text.is_empty() || plain(document.slice(&range)) == plain(&edu.text)
    });
    document.is_segmented() && document.edus().count() == tree.edus.len() && is_same
}

/// Gives a text the EDUs of its tree, where the tree knows them.
pub(super) fn segment(document: &mut Document, tree: &Tree, analyzer: &Analyzer) {
    if tree.edus.iter().any(|edu| edu.text.is_empty()) {
        analyzer.segment(document);
        return;
    }
    let blocks = tree.edus.chunk_by(|a, b| a.block == b.block);
    let edus = blocks.map(|edus| edus.iter().map(|edu| &*edu.text));
    let segmented = Document::from_edus(document.id.clone(), edus);
    let (date, title, url) = (document.date, document.title.take(), document.url.take());
    let abstracts = std::mem::take(&mut document.abstracts);
    *document = Document {
        abstracts,
        date,
        title,
        url,
        ..segmented
    };
}

/// A text from a file of JSON lines.
pub(super) fn document(texts: &Lines, id: &str) -> Result<Document> {
    let line = texts.get(id)?;
    let line = line.ok_or_else(|| Error::Missing(format!("the corpus has no text `{id}`")))?;
    let json: DocumentJson =
        serde_json::from_str(&line).map_err(|error| Error::Internal(error.to_string()))?;
    json.into_document(id).map_err(Error::Damaged)
}
