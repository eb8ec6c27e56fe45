//! The bench: a project's texts, labels and grammar, and who has what open.

use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock};

use super::desk::Desk;
use super::editor::Editor;
use super::messages::{Caller, Nothing, ProjectAnswer, RelationInfo};
use super::shelf::Shelf;
use crate::automaton::{Engine, Parse, ParseOptions};
use crate::behavior::label_file_name;
use crate::error::{Error, Result};
use crate::files::Disk;
use crate::grammar::{Grammar, embedded_grammar};
use crate::project::{Project, is_path};
use crate::text::Document;

/// What parses where a project names no grammar.
const DEFAULT_GRAMMAR: &str = "general";

/// How many parses are kept.
const KEPT_PARSES: usize = 200;

/// A project's texts, labels and grammar, and who has what open.
pub struct Bench {
    pub(super) folder: PathBuf,
    pub(super) project: Option<Project>,
    pub(super) disk: Disk,
    pub(super) user: String,
    engine: RwLock<Arc<Engine>>,
    pub(super) shelf: RwLock<Shelf>,
    desks: Mutex<Desks>,
    parses: Mutex<HashMap<String, Arc<Parse>>>,
    facts: Mutex<BTreeMap<String, Fact>>,
    measuring: AtomicBool,
    pub(super) editor: Editor,
}

/// Who has what open, by name and text.
type Desks = HashMap<(String, String), Arc<Mutex<Desk>>>;

/// What is known of a text once it was parsed.
#[derive(Debug, Clone, Copy)]
pub(super) struct Fact {
    pub(super) edus: usize,
    pub(super) confidence: f64,
}

impl std::fmt::Debug for Bench {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Bench({})", self.folder.display())
    }
}

/// Locks whatever the last holder left: what a panic broke is one text's desk, which is opened anew.
pub(super) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Bench {
    /// Opens a folder: its project, or the texts that lie in it. Labels are by `user` where the page gives no
    /// other name.
    pub fn open_folder(folder: &Path, user: &str, disk: Disk) -> Result<Bench> {
        let folder = std::path::absolute(folder).map_err(|error| Error::read(folder, error))?;
        if !folder.is_dir() {
            return Err(Error::Missing(format!(
                "`{}` is no folder",
                folder.display()
            )));
        }
        let project = Project::find(&folder, &disk)?;
        let engine = load_engine(&folder, project.as_ref(), &disk)?;
        let bench = Bench {
            shelf: RwLock::new(Shelf::default()),
            folder,
            project,
            disk,
            user: user.to_owned(),
            engine: RwLock::new(Arc::new(engine)),
            desks: Mutex::default(),
            parses: Mutex::default(),
            facts: Mutex::default(),
            measuring: AtomicBool::new(false),
            editor: Editor::default(),
        };
        bench.read_texts()?;
        Ok(bench)
    }

    pub(super) fn read_texts(&self) -> Result<()> {
        let shelf = Shelf::read(&self.folder, self.project.as_ref())?;
        *self.shelf.write().unwrap_or_else(PoisonError::into_inner) = shelf;
        Ok(())
    }

    /// The grammar in use.
    pub(super) fn engine(&self) -> Arc<Engine> {
        Arc::clone(&self.engine.read().unwrap_or_else(PoisonError::into_inner))
    }

    /// Loads the grammar anew, and reads everything with it from now on.
    pub(super) fn renew(&self) -> Result<()> {
        let engine = load_engine(&self.folder, self.project.as_ref(), &self.disk)?;
        *self.engine.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(engine);
        lock(&self.parses).clear();
        lock(&self.facts).clear();
        lock(&self.desks).clear();
        Ok(())
    }

    /// A text by its id.
    pub(super) fn document(&self, id: &str) -> Result<Arc<Document>> {
        let shelf = self.shelf.read().unwrap_or_else(PoisonError::into_inner);
        shelf
            .document(id)
            .ok_or_else(|| Error::Missing(format!("there is no text `{id}`")))
    }

    /// The grammar's tree of a text as it lies on the shelf.
    pub(super) fn parse(&self, id: &str) -> Result<Arc<Parse>> {
        if let Some(parse) = lock(&self.parses).get(id) {
            return Ok(Arc::clone(parse));
        }
        let document = self.document(id)?;
        let engine = self.engine();
        let mut document = (*document).clone();
        engine.analyzer().segment(&mut document);
        let parse = Arc::new(engine.parse_with(&document, &ParseOptions::default()));
        let mut parses = lock(&self.parses);
        if parses.len() >= KEPT_PARSES {
            parses.clear();
        }
        parses.insert(id.to_owned(), Arc::clone(&parse));
        drop(parses);
        lock(&self.facts).insert(id.to_owned(), Fact::of(&parse));
        Ok(parse)
    }

    pub(super) fn facts(&self) -> BTreeMap<String, Fact> {
        lock(&self.facts).clone()
    }

    /// The annotator that a caller is.
    pub(super) fn name(&self, caller: &Caller) -> String {
        caller.name.clone().unwrap_or_else(|| self.user.clone())
    }

    /// The folder of labels.
    pub(super) fn labels(&self) -> PathBuf {
        let own = self.project.as_ref().and_then(Project::labels);
        self.folder
            .join(own.unwrap_or_else(|| PathBuf::from("labels")))
    }

    /// The folder of one annotator's labels where another's stand in the usual one.
    pub(super) fn own_labels(&self, name: &str) -> PathBuf {
        let usual = self.labels();
        let stem = usual.file_name().unwrap_or_default().to_string_lossy();
        let own = crate::files::name_for_id(name, "x");
        let own = own.strip_suffix(".x").unwrap_or(&own);
        usual.with_file_name(format!("{stem}-{own}"))
    }

    /// All folders of labels.
    pub(super) fn label_folders(&self) -> Vec<PathBuf> {
        let usual = self.labels();
        let stem = usual
            .file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        let above = usual.parent().map(Path::to_owned).unwrap_or_default();
        let mut folders: Vec<PathBuf> = std::fs::read_dir(above)
            .into_iter()
            .flatten()
            .flatten()
            .filter(|entry| {
                let name = entry.file_name();
                name.to_string_lossy().starts_with(&format!("{stem}-")) && entry.path().is_dir()
            })
            .map(|entry| entry.path())
            .collect();
        folders.sort();
        folders.insert(0, usual);
        folders
    }

    /// Where all labels of a text lie.
    pub(super) fn label_files(&self, id: &str) -> Vec<PathBuf> {
        let name = label_file_name(id);
        let files = self
            .label_folders()
            .into_iter()
            .map(|folder| folder.join(&name));
        files.filter(|file| file.is_file()).collect()
    }

    /// Works on a caller's desk with a text.
    pub(super) fn at_desk<T>(
        &self,
        caller: &Caller,
        id: &str,
        work: impl FnOnce(&mut Desk) -> Result<T>,
    ) -> Result<T> {
        let name = self.name(caller);
        let key = (name.clone(), id.to_owned());
        let desk = {
            let mut desks = lock(&self.desks);
            desks.retain(|known, desk| *known == key || !is_left(desk));
            match desks.get(&key) {
                Some(desk) => Arc::clone(desk),
                None => {
                    let desk = Arc::new(Mutex::new(Desk::open(self, id, &name)?));
                    desks.insert(key.clone(), Arc::clone(&desk));
                    desk
                }
            }
        };
        let mut open = lock(&desk);
        open.refresh(self, id, &name)?;
        work(&mut open)
    }

    /// Looks at a caller's desk, if a text lies on it.
    pub(super) fn leave_desk(&self, caller: &Caller, id: &str, window: &str) {
        let key = (self.name(caller), id.to_owned());
        let mut desks = lock(&self.desks);
        let left = desks.get(&key).is_some_and(|desk| {
            let mut desk = lock(desk);
            desk.leave(window);
            desk.is_left()
        });
        if left {
            desks.remove(&key);
        }
    }

    /// What the page works on.
    pub(super) fn project(&self, _: &Caller, _: Nothing) -> Result<ProjectAnswer> {
        let engine = self.engine();
        let (grammar, schema) = (engine.grammar(), engine.schema());
        let version = grammar
            .version
            .as_deref()
            .map_or(String::new(), |v| format!(" {v}"));
        let relations = schema.rhetoric.iter().map(|relation| {
            let classes = relation.cues.iter().filter_map(|name| {
                let class = schema.cues.iter().find(|class| class.name == *name)?;
                class.words.first().cloned()
            });
            RelationInfo {
                name: relation.name.clone(),
                kind: relation.kind.as_str(),
                class: relation.class.clone(),
                cues: classes.take(SHOWN_CUES).collect(),
            }
        });
        let name = self.folder.file_name().unwrap_or_default();
        Ok(ProjectAnswer {
            name: name.to_string_lossy().into_owned(),
            grammar: format!("{}{version}", grammar.name),
            schema: schema.name.clone(),
            user: self.user.clone(),
            is_project: self.project.is_some(),
            relations: relations.collect(),
            signals: SIGNALS
                .iter()
                .map(|(kind, subtypes)| (*kind, subtypes.to_vec()))
                .collect(),
        })
    }

    /// Parses texts that nobody opened yet, in the background, so that the list can say how long they are and
    /// how sure the grammar is.
    pub fn measure(self: &Arc<Bench>) {
        if self.measuring.swap(true, Ordering::SeqCst) {
            return;
        }
        let bench = Arc::downgrade(self);
        std::thread::spawn(move || {
            loop {
                let Some(bench) = bench.upgrade() else { return };
                if !bench.measure_one() {
                    bench.measuring.store(false, Ordering::SeqCst);
                    // A text may have come between.
                    std::thread::sleep(std::time::Duration::from_secs(1));
                    if bench.measuring.swap(true, Ordering::SeqCst) {
                        return;
                    }
                }
            }
        });
    }

    /// Measures a text that is not yet; false when there is none.
    fn measure_one(&self) -> bool {
        let engine = self.engine();
        let shelf = self.shelf.read().unwrap_or_else(PoisonError::into_inner);
        let facts = lock(&self.facts);
        let next = shelf
            .ids()
            .find(|id| !facts.contains_key(*id))
            .map(str::to_owned);
        drop(facts);
        let document = next.as_deref().and_then(|id| shelf.document(id));
        drop(shelf);
        let (Some(id), Some(document)) = (next, document) else {
            return false;
        };
        let parse = engine.parse(&document);
        lock(&self.facts).insert(id, Fact::of(&parse));
        true
    }
}

/// How many words stand for a relation where it is chosen.
const SHOWN_CUES: usize = 6;

/// Types of signals with their subtypes, as rs4 files of the eRST scheme have them.
const SIGNALS: &[(&str, &[&str])] = &[
    ("dm", &["dm"]),
    (
        "graphical",
        &[
            "colon",
            "dash",
            "semicolon",
            "question_mark",
            "quotation_marks",
            "layout",
            "items_in_sequence",
            "parentheses",
        ],
    ),
    (
        "lexical",
        &[
            "alternate_expression",
            "indicative_word",
            "indicative_phrase",
        ],
    ),
    ("morphological", &["tense", "mood"]),
    ("numerical", &["same_count"]),
    ("orphan", &["orphan"]),
    (
        "reference",
        &[
            "personal_reference",
            "demonstrative_reference",
            "comparative_reference",
            "propositional_reference",
        ],
    ),
    (
        "semantic",
        &[
            "antonymy",
            "attribution_source",
            "lexical_chain",
            "meronymy",
            "negation",
            "repetition",
            "synonymy",
        ],
    ),
    (
        "syntactic",
        &[
            "infinitival_clause",
            "interrupted_matrix_clause",
            "modified_head",
            "nominal_modifier",
            "parallel_syntactic_construction",
            "present_participial_clause",
            "past_participial_clause",
            "relative_clause",
            "reported_speech",
            "subject_auxiliary_inversion",
        ],
    ),
    ("unsure", &["unsure"]),
];

fn is_left(desk: &Arc<Mutex<Desk>>) -> bool {
    desk.try_lock().is_ok_and(|desk| desk.is_left())
}

impl Fact {
    fn of(parse: &Parse) -> Fact {
        Fact {
            edus: parse.text.len(),
            confidence: parse
                .derivations
                .first()
                .map_or(1.0, |one| one.confidence()),
        }
    }
}

/// The project's grammar, ready to parse.
fn load_engine(folder: &Path, project: Option<&Project>, disk: &Disk) -> Result<Engine> {
    let named = project.and_then(Project::grammar);
    let name = named.unwrap_or_else(|| DEFAULT_GRAMMAR.to_owned());
    let grammar = if is_path(&name) {
        Grammar::load(folder.join(&name), disk, None)?.into_result()?
    } else {
        embedded_grammar(&name)?
    };
    let structure = project.and_then(|project| project.settings.structure);
    Ok(Engine::new(grammar).with_structure(structure.unwrap_or_default()))
}
