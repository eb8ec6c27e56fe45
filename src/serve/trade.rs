//! What comes in and goes out: pasted texts, dropped files, trees to save, summaries.

use std::path::Path;
use std::sync::Arc;

use super::bench::Bench;
use super::messages::{
    Caller, ExportAnswer, ExportAsk, FileText, ImportAnswer, ImportAsk, PasteAsk, SummaryAsk,
};
use super::shelf::TEXTS;
use crate::automaton::ParseOptions;
use crate::behavior::{Labelling, label_file_name, read_label};
use crate::diagnostic::Source;
use crate::error::{Error, Result};
use crate::files;
use crate::project::Project;
use crate::summarize::{SourceText, SummaryJson, SummaryOptions, contradictions, summarize};
use crate::text::Document;
use crate::text::corpus::Reader;
use crate::tree::{self, Format, Tree, WriteOptions};

/// How many characters of a text make its name.
const NAME: usize = 12;

impl Bench {
    /// Keeps a text that was pasted, as a file in the project's folder `texts`.
    pub(super) fn paste(&self, _: &Caller, ask: PasteAsk) -> Result<ImportAnswer> {
        let document = Document::from_text("", ask.text.trim());
        if document.blocks.is_empty() {
            return Err(Error::Usage("there is no text to keep".to_owned()));
        }
        let id = self.free_id(&file_stem(&name_of(&ask.name, &ask.text)));
        let mut text = ask.text.trim().to_owned();
        text.push('\n');
        self.keep(&id, "txt", &text)?;
        self.read_texts()?;
        Ok(ImportAnswer {
            ids: vec![id],
            notes: Vec::new(),
        })
    }

    /// Takes a file in: a text, documents as JSON lines, or trees, which become the caller's labels.
    pub(super) fn import(&self, caller: &Caller, ask: ImportAsk) -> Result<ImportAnswer> {
        let path = Path::new(&ask.name);
        let stem = path
            .file_stem()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        let ending = path
            .extension()
            .unwrap_or_default()
            .to_string_lossy()
            .to_lowercase();
        let trees = matches!(
            ending.as_str(),
            "rs3" | "rs4" | "dis" | "lisp" | "rsd" | "sexp"
        );
        let answer = if trees {
            self.import_trees(caller, &stem, &ask)?
        } else {
            self.import_texts(&stem, &ending, &ask)?
        };
        if answer.ids.is_empty() {
            let notes = answer.notes.join("; ");
            return Err(Error::Empty(format!(
                "nothing in `{}` could be taken in: {notes}",
                ask.name
            )));
        }
        Ok(answer)
    }

    fn import_texts(&self, stem: &str, ending: &str, ask: &ImportAsk) -> Result<ImportAnswer> {
        if ending == "txt" || ending == "md" {
            let paste = PasteAsk {
                text: ask.content.clone(),
                name: stem.to_owned(),
            };
            return self.paste(&Caller { name: None }, paste);
        }
        let bytes = std::io::Cursor::new(ask.content.clone().into_bytes());
        let (mut ids, mut notes) = (Vec::new(), Vec::new());
        for read in Reader::new(Box::new(bytes), &ask.name, None)? {
            match read {
                Ok(mut document) => {
                    document.id = self.free_id(&name_of(&document.id, &document.text));
                    self.keep(&document.id, "json", &crate::json::line(&document)?)?;
                    ids.push(document.id.clone());
                    self.read_texts()?;
                }
                Err(skip) => notes.push(skip.to_string()),
            }
        }
        Ok(ImportAnswer { ids, notes })
    }

    fn import_trees(&self, caller: &Caller, stem: &str, ask: &ImportAsk) -> Result<ImportAnswer> {
        let source = Source::new(ask.name.as_str(), ask.content.as_str());
        let format = Format::from_extension(Path::new(&ask.name));
        let read = tree::read(&source, format);
        let notes = read
            .diagnostics
            .iter()
            .map(|problem| problem.message.clone())
            .collect();
        let engine = self.engine();
        let name = self.name(caller);
        let mut ids = Vec::new();
        for tree in read.into_trees()? {
            let id = self.free_id(&name_of(tree.id.as_deref().unwrap_or(stem), stem));
            let document = document_of(&id, &tree);
            // Whatever is wrong with the tree is found before anything is kept.
            Labelling::new(&engine, &document, &name).take_tree(&tree)?;
            self.keep(&id, "json", &crate::json::line(&document)?)?;
            let path = self.labels().join(label_file_name(&id));
            let mut label = Labelling::open(&path, &engine, &document, &name)?.labelling;
            label.take_tree(&tree)?;
            ids.push(id);
        }
        self.read_texts()?;
        Ok(ImportAnswer { ids, notes })
    }

    /// Writes a new file beside the other texts.
    fn keep(&self, id: &str, ending: &str, text: &str) -> Result<()> {
        let folder = match &self.project {
            Some(project) => self.folder.join(project.path(TEXTS)),
            None => self.folder.join(TEXTS),
        };
        files::disk::make_folder(&folder)?;
        files::create(
            &folder.join(files::name_for_id(id, ending)),
            text.as_bytes(),
        )
    }

    /// An id that no text has yet.
    fn free_id(&self, wanted: &str) -> String {
        let is_taken = |id: &str| self.document(id).is_ok() || !self.label_files(id).is_empty();
        let mut id = wanted.to_owned();
        let mut number = 1;
        while is_taken(&id) {
            number += 1;
            id = format!("{wanted}-{number}");
        }
        id
    }

    /// The trees of texts in a format.
    pub(super) fn export(&self, caller: &Caller, ask: ExportAsk) -> Result<ExportAnswer> {
        let format = Format::from_name(&ask.format);
        let Some(format) = format else {
            return Err(Error::Usage(format!(
                "`{}` is no format of trees",
                ask.format
            )));
        };
        let mut ids = ask.ids;
        if ids.is_empty() {
            let shelf = self
                .shelf
                .read()
                .unwrap_or_else(std::sync::PoisonError::into_inner);
            ids = shelf.ids().map(str::to_owned).collect();
            drop(shelf);
            ids.retain(|id| !self.label_files(id).is_empty());
        }
        let (mut files, mut notes) = (Vec::new(), Vec::new());
        for id in ids {
            match self.tree_of(caller, &id)? {
                Some(tree) => files.push(FileText {
                    name: files::name_for_id(&id, format.as_str()),
                    text: tree::write(&tree, format, &WriteOptions::default()),
                }),
                None => notes.push(format!("`{id}` has no finished tree")),
            }
        }
        Ok(ExportAnswer { files, notes })
    }

    /// The caller's tree of a text; where nobody began one, the grammar's.
    fn tree_of(&self, caller: &Caller, id: &str) -> Result<Option<Tree>> {
        let own = self.at_desk(caller, id, |desk| {
            if desk.labelling.can_undo_redo().0 > 0 {
                return Ok(Some(desk.labelling.tree().ok()));
            }
            Ok(None)
        })?;
        if let Some(own) = own {
            return Ok(own);
        }
        let engine = self.engine();
        for file in self.label_files(id) {
            let done = read_label(&file)?
                .replay(&engine)
                .filter(|done| done.is_complete());
            if let Some(done) = done {
                return done.tree().map(Some);
            }
        }
        Ok(self.parse(id)?.tree().cloned())
    }

    /// A summary of texts; each line says where it comes from.
    pub(super) fn summary(&self, caller: &Caller, ask: SummaryAsk) -> Result<SummaryJson> {
        let engine = self.engine();
        let settings = match &self.project {
            Some(Project { settings, .. }) => settings.summarize.options()?,
            None => SummaryOptions::default(),
        };
        let length = ask
            .length
            .as_deref()
            .filter(|length| !length.trim().is_empty());
        let options = SummaryOptions {
            length: match length {
                Some(length) => length
                    .trim()
                    .parse()
                    .map_err(|why: String| Error::Usage(why))?,
                None => settings.length,
            },
            ..settings
        };
        let mut texts = Vec::with_capacity(ask.ids.len());
        for id in &ask.ids {
            let document = self.document(id)?;
            let text = SourceText::read((*document).clone(), &engine, engine.analyzer());
            let own = self.tree_of(caller, id)?;
            let same = own.filter(|own| own.edus.len() == text.document.edus().count());
            let mut text = text.with_tree(same);
            if text.tree().is_none() {
                text.parse(&engine, &ParseOptions::default());
            }
            texts.push(text);
        }
        if texts.is_empty() {
            return Err(Error::Usage(
                "choose the texts to summarize first".to_owned(),
            ));
        }
        let summary = summarize(&texts, &options)?;
        let against = contradictions(&texts, &summary);
        Ok(SummaryJson::of(&texts, &summary, &against, &options))
    }
}

/// A name for a text: the one given, else its first words.
fn name_of(given: &str, text: &str) -> String {
    let given = given.trim();
    if !given.is_empty() {
        return given.chars().take(4 * NAME).collect();
    }
    let words = text.trim().chars().filter(|c| c.is_alphanumeric());
    let name: String = words.take(NAME).collect();
    if name.is_empty() {
        "text".to_owned()
    } else {
        name
    }
}

/// The name that a file can have: a plain text takes its id from there.
fn file_stem(name: &str) -> String {
    let file = files::name_for_id(name, "txt");
    file.strip_suffix(".txt").unwrap_or(&file).to_owned()
}

/// The document of a tree, with its EDUs and as many paragraphs as it knows of.
fn document_of(id: &str, tree: &Tree) -> Document {
    let paragraphs = tree.edus.chunk_by(|a, b| a.block == b.block);
    let texts = paragraphs.map(|edus| edus.iter().map(|edu| Arc::clone(&edu.text)));
    Document::from_edus(id, texts)
}
