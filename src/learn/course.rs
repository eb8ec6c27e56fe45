//! A project with everything its loop needs: texts, model, impacts, rules, labels.
//!
//! The folder holds `corpus.jsonl`, `model.safetensors` and `impacts.safetensors` beside what
//! [`LoopFolder`] keeps. `learn.json` is written last, so that a folder with it is complete: whoever is
//! stopped before begins again, whoever is stopped later goes on.

use std::fs::File;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use ndarray::ArrayView2;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::teacher::{document, segment};
use super::{
    Gain, Gold, GrammarRules, LabelSource, LearningLoop, Lines, LoopFolder, LoopOptions, Progress,
    Row, Rules as _, TextLabel,
};
use crate::automaton::Engine;
use crate::embed::{CorpusCores, Embedder, ImpactKind, Impacts, Model, PhraseReader};
use crate::error::{Error, Result};
use crate::files::{self, Lock, Replacement};
use crate::grammar::{Decide, Decision, Grammar, Table, embedded_grammar};
use crate::json;
use crate::schema::{Schema, embedded_schema};
use crate::text::{Document, corpus};

/// What a loop was told when it began, and since.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct CourseSettings {
    /// The schema: the name of a shipped one, or a file as seen from the project.
    pub schema: String,
    /// How the grammar decides.
    pub decide: String,
    /// How many instances a near text adds.
    pub gain: Gain,
    /// Rules written by hand: a grammar file as seen from the project.
    pub written: Option<String>,
    /// Where gold trees are.
    pub gold: Vec<PathBuf>,
    /// The loop.
    pub options: LoopOptions,
}

/// How representatives are chosen: from the impacts and the cores, the texts by their numbers, the
/// most worth labelling first.
pub type Selection<'s> = &'s dyn Fn(ArrayView2<'_, f32>, &CorpusCores) -> Result<Vec<u32>>;

/// Where texts come from: hands each of them over.
pub type Documents<'d> = dyn FnMut(&mut dyn FnMut(&Document) -> Result<()>) -> Result<()> + 'd;

/// What a project begins with.
#[derive(Debug, Clone)]
pub struct Beginning<'b> {
    /// The schema, as settings name it.
    pub schema: &'b str,
    /// The model that turns texts into impacts.
    pub model: &'b Path,
    /// Rules written by hand, as settings name them.
    pub written: Option<&'b str>,
    /// Where gold trees are: a text that has one is cut as its tree says.
    pub gold: &'b [PathBuf],
    /// How cores make an impact, where that is not what the model says.
    pub impact: Option<ImpactKind>,
}

/// A project that nobody else works on.
pub struct Course {
    project: LoopFolder,
    folder: PathBuf,
    settings: CourseSettings,
    schema: Arc<Schema>,
    texts: Lines,
    impacts: Impacts,
    /// Held while the project is open.
    _lock: Lock,
}

const CORPUS: &str = "corpus.jsonl";
const MODEL: &str = "model.safetensors";
const IMPACTS: &str = "impacts.safetensors";
const WAITING: &str = "waiting.jsonl";
const PROJECT_FILE: &str = "arsg.toml";
const PROJECT_HEAD: &str =
    "# What commands work on in this folder. `arsg learn` keeps it up to date.\n";
const LABELS: &str = "labels";

impl Course {
    /// True when a folder holds a loop that has begun.
    pub fn has_begun(folder: &Path) -> bool {
        LoopFolder::new(folder).has_settings()
    }

    /// Begins a project: takes the texts in, cut into EDUs once and for all, and the model, turns the
    /// texts into impacts, chooses the representatives. `settle` makes the settings from both.
    pub fn begin(
        folder: &Path,
        with: &Beginning<'_>,
        documents: &mut Documents<'_>,
        settle: &dyn Fn(&Impacts, &[u32]) -> Result<CourseSettings>,
        select: Selection<'_>,
    ) -> Result<Course> {
        crate::files::disk::make_folder(folder)?;
        let lock = Lock::folder(folder)?;
        let model_copy = folder.join(MODEL);
        let bytes = files::read_up_to(with.model, files::LARGEST_MODEL)?;
        files::replace(&model_copy, &bytes)?;
        drop(bytes);
        let corpus = folder.join(CORPUS);
        let schema = Arc::new(load_schema(with.schema, folder)?);
        let cutter = Cutter::new(folder, &schema, with.schema, with.written, with.gold)?;
        write_corpus(&corpus, None, &cutter, documents)?;
        let texts = Lines::open(&corpus)?;
        if texts.is_empty() {
            return Err(Error::Empty("there are no texts to learn from".to_owned()));
        }
        let embedder = Embedder::new(Model::load(&model_copy)?);
        let mut impacts = Impacts::of(embedder.model());
        if let Some(kind) = with.impact {
            impacts.set_kind(kind);
        }
        let mut cores = CorpusCores::new(&embedder);
        embed(
            &corpus,
            0,
            &embedder,
            &schema,
            &mut impacts,
            Some(&mut cores),
        )?;
        impacts.save(&folder.join(IMPACTS))?;
        let chosen = select(impacts.vectors(), &cores)?;
        let settings = settle(&impacts, &chosen)?;
        let course = Course {
            project: LoopFolder::new(folder),
            folder: folder.to_owned(),
            settings,
            schema,
            texts,
            impacts,
            _lock: lock,
        };
        course.project.roll_back(0)?;
        let rules = course.rules()?;
        let (ids, points) = (&course.impacts.ids, course.impacts.vectors());
        let options = course.settings.options.clone();
        let mut learner = LearningLoop::begin(ids, points, options, rules, &chosen)?;
        course.project.keep(&mut learner)?;
        course.project.set_settings(&course.settings)?;
        Ok(course)
    }

    /// Opens a project that has begun.
    pub fn open(folder: &Path) -> Result<Course> {
        let project = LoopFolder::new(folder);
        let settings: Option<CourseSettings> = project.settings()?;
        let settings = settings
            .ok_or_else(|| Error::Usage(format!("no loop has begun in `{}`", folder.display())))?;
        let lock = Lock::folder(folder)?;
        let schema = Arc::new(load_schema(&settings.schema, folder)?);
        let texts = Lines::open(&folder.join(CORPUS))?;
        let impacts = folder.join(IMPACTS);
        let mut course = Course {
            impacts: Impacts::load(&impacts)?,
            project,
            folder: folder.to_owned(),
            settings,
            schema,
            texts,
            _lock: lock,
        };
        if course.impacts.len() < course.texts.len() {
            course.embed_rest()?;
        }
        Ok(course)
    }

    /// Takes new texts in; how many. They meet all labelled texts in the next round.
    pub fn add(&mut self, documents: &mut Documents<'_>) -> Result<usize> {
        let corpus = self.folder.join(CORPUS);
        let before = self.texts.len();
        let settings = &self.settings;
        let (written, gold) = (settings.written.as_deref(), settings.gold.as_slice());
        let cutter = Cutter::new(&self.folder, &self.schema, &settings.schema, written, gold)?;
        write_corpus(&corpus, Some(&self.texts), &cutter, documents)?;
        self.texts = Lines::open(&corpus)?;
        self.embed_rest()?;
        Ok(self.texts.len() - before)
    }

    /// Takes back all rounds from `round` on; how many there were.
    pub fn roll_back(&self, round: usize) -> Result<usize> {
        if round == 0 {
            let message = "round 0 is the beginning; to begin anew, take another folder";
            return Err(Error::Usage(message.to_owned()));
        }
        let taken = self.project.roll_back(round)?;
        let mut learner = self.learner()?;
        self.project.keep(&mut learner)?;
        Ok(taken)
    }

    /// What the loop was told.
    pub fn settings(&self) -> &CourseSettings {
        &self.settings
    }

    /// Tells the loop something else from now on.
    pub fn set_settings(&mut self, settings: CourseSettings) -> Result<()> {
        self.project.set_settings(&settings)?;
        self.settings = settings;
        Ok(())
    }

    /// The schema.
    pub fn schema(&self) -> &Arc<Schema> {
        &self.schema
    }

    /// The texts' impacts.
    pub fn impacts(&self) -> &Impacts {
        &self.impacts
    }

    /// The texts, by their ids.
    pub fn texts(&self) -> &Lines {
        &self.texts
    }

    /// Where people's labels are kept.
    pub fn labels(&self) -> PathBuf {
        self.folder.join(LABELS)
    }

    /// The grammar after the last round; none before the first is finished.
    pub fn grammar(&self) -> Option<PathBuf> {
        Some(self.project.path(super::loop_folder::GRAMMAR)).filter(|path| path.exists())
    }

    /// A grammar whose suggestions help to label, as commands name it: the one learned so far, else
    /// the one written by hand, else the shipped one; where there is none, one without rules.
    pub fn suggesting_grammar(&self) -> Result<String> {
        let name = suggesting(&self.project, &self.settings, &self.folder);
        let learned = self.project.path(super::loop_folder::GRAMMAR);
        if name == learned.display().to_string() && !learned.exists() {
            files::replace(&learned, self.rules()?.grammar()?.as_bytes())?;
        }
        Ok(name)
    }

    /// Runs the loop until it ends or waits for labels, and draws it.
    pub fn run(
        &self,
        teacher: &mut dyn LabelSource<Label = TextLabel>,
        tell: impl FnMut(&Progress),
    ) -> Result<Progress> {
        let mut learner = self.learner()?;
        let progress = self.project.run(&mut learner, teacher, tell)?;
        match &progress {
            Progress::Waiting(texts) => self.write_waiting(texts)?,
            _ => files::disk::remove(&self.folder.join(WAITING))?,
        }
        self.write_project_file()?;
        let rounds = learner.rows().len();
        let drawn = (0..rounds).filter(|round| *round < FIRST_DRAWN || *round + 1 == rounds);
        self.project.draw(&learner, drawn)?;
        Ok(progress)
    }

    /// The rounds so far in figures, as they stand on disk.
    pub fn rows(&self) -> Result<Vec<Row>> {
        self.project.rows()
    }

    /// The texts that wait for labels, the most worth labelling first.
    pub fn waiting(&self) -> Result<Vec<u32>> {
        let rounds = self.project.rounds::<TextLabel>(&self.impacts.ids)?;
        let last = rounds.into_iter().next_back();
        let open = last.filter(|round| round.labels.is_none());
        Ok(open.map(|round| round.chosen).unwrap_or_default())
    }

    /// The project's folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Writes `arsg.toml`, so that commands find the project's grammar, texts and labels. One that a
    /// person has changed stays as it is.
    fn write_project_file(&self) -> Result<()> {
        // A folder that needs a schema outside is a part of the project that the schema belongs to.
        if is_path(&self.settings.schema) {
            return Ok(());
        }
        let path = self.folder.join(PROJECT_FILE);
        let grammar = self.suggesting_grammar()?;
        let own = format!("grammar = {:?}\n", super::loop_folder::GRAMMAR);
        let first = match self.grammar() {
            Some(_) => own.clone(),
            None if is_path(&grammar) => String::new(),
            None => format!("grammar = {grammar:?}\n"),
        };
        let schema = format!("schema = {:?}\n", self.settings.schema);
        let rest = format!("{schema}corpus = {CORPUS:?}\nlabels = {LABELS:?}\n");
        if path.exists() {
            let there = files::read_text(&path)?;
            if !(there.starts_with(PROJECT_HEAD) && there.ends_with(&rest)) {
                return Ok(());
            }
        }
        let text = format!("{PROJECT_HEAD}{first}{rest}");
        files::replace(&path, text.as_bytes())
    }

    /// Writes texts that wait for labels to a file, in the order given.
    fn write_waiting(&self, waiting: &[u32]) -> Result<()> {
        let path = self.folder.join(WAITING);
        let mut file = Replacement::create(&path)?;
        for text in waiting {
            let id = self.impacts.ids.get(*text as usize);
            let document = document(&self.texts, id.map_or("", String::as_str))?;
            let line = json::line(&document)?;
            file.write_all(line.as_bytes())
                .map_err(|error| Error::write(&path, error))?;
        }
        file.commit()
    }

    fn learner(&self) -> Result<LearningLoop<'_, GrammarRules>> {
        let (ids, points) = (&self.impacts.ids, self.impacts.vectors());
        let rounds = self.project.rounds(ids)?;
        LearningLoop::go_on(
            ids,
            points,
            self.settings.options.clone(),
            self.rules()?,
            rounds,
        )
    }

    fn rules(&self) -> Result<GrammarRules> {
        let decide = match self.settings.decide.as_str() {
            "weights" => Decide::Weights,
            _ => Decide::Counts,
        };
        let settings = &self.settings;
        let (schema, gain) = (&self.schema, settings.gain);
        let mut rules = GrammarRules::new(schema, &settings.schema, decide, gain);
        if let Some(path) = &settings.written {
            let written = Grammar::read(self.folder.join(path))?.into_result()?;
            rules = rules.with_written(written)?;
        }
        let written = settings.written.as_deref();
        match cutting_grammar(&self.folder, &settings.schema, written)? {
            Some(grammar) => rules.with_cutting(&grammar),
            None => Ok(rules),
        }
    }

    /// Embeds the texts that have no impact yet.
    fn embed_rest(&mut self) -> Result<()> {
        let embedder = Embedder::new(Model::load(&self.folder.join(MODEL))?);
        let corpus = self.folder.join(CORPUS);
        let known = self.impacts.len();
        embed(
            &corpus,
            known,
            &embedder,
            &self.schema,
            &mut self.impacts,
            None,
        )?;
        self.impacts.save(&self.folder.join(IMPACTS))
    }
}

/// What an annotator needs of a loop.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WaitingTexts {
    /// The texts that wait, the most worth labelling first.
    pub texts: PathBuf,
    /// Where their labels go.
    pub labels: PathBuf,
    /// The grammar that makes suggestions, as commands name it.
    pub grammar: String,
}

/// What waits in the loop of a folder; none where no loop has begun, an error where nothing waits.
pub fn waiting_in(folder: &Path) -> Result<Option<WaitingTexts>> {
    let project = LoopFolder::new(folder);
    let Some(settings) = project.settings::<CourseSettings>()? else {
        return Ok(None);
    };
    let texts = folder.join(WAITING);
    if !texts.exists() {
        return Err(Error::Empty(format!(
            "no text waits for a label in `{}`; `arsg learn` says how its loop stands",
            folder.display()
        )));
    }
    Ok(Some(WaitingTexts {
        texts,
        labels: folder.join(LABELS),
        grammar: suggesting(&project, &settings, folder),
    }))
}

/// A grammar whose suggestions help to label: the one learned so far, else the one written by hand,
/// else the shipped one; where there is none, the place of the one that is learned.
fn suggesting(project: &LoopFolder, settings: &CourseSettings, folder: &Path) -> String {
    let learned = project.path(super::loop_folder::GRAMMAR);
    let written = settings.written.as_ref().map(|path| folder.join(path));
    match written.filter(|_| !learned.exists()) {
        Some(written) => written.display().to_string(),
        None if !learned.exists() && embedded_grammar(&settings.schema).is_ok() => {
            settings.schema.clone()
        }
        None => learned.display().to_string(),
    }
}

fn is_path(name: &str) -> bool {
    name.contains(['/', '\\', '.'])
}

/// So many rounds are drawn from the beginning; of the others the last.
const FIRST_DRAWN: usize = 4;

fn load_schema(name: &str, folder: &Path) -> Result<Schema> {
    if name.contains(['/', '.']) {
        Schema::read(folder.join(name))?.into_result()
    } else {
        embedded_schema(name)
    }
}

/// The grammar whose boundary rules cut texts: the one written by hand, where it has any, else the
/// shipped one; none where the schema alone says how texts are cut.
fn cutting_grammar(folder: &Path, schema: &str, written: Option<&str>) -> Result<Option<Grammar>> {
    if let Some(path) = written {
        let written = Grammar::read(folder.join(path))?.into_result()?;
        let is_boundary = |table: &Table| table.decision == Decision::Boundary;
        if !written.boundaries.is_empty() || written.tables.iter().any(is_boundary) {
            return Ok(Some(written));
        }
    }
    Ok(embedded_grammar(schema).ok())
}

/// Who cuts the texts of a project: once, so that no label meets other EDUs.
struct Cutter {
    engine: Engine,
    gold: Option<Gold>,
}

impl Cutter {
    fn new(
        folder: &Path,
        schema: &Arc<Schema>,
        name: &str,
        written: Option<&str>,
        gold: &[PathBuf],
    ) -> Result<Cutter> {
        let grammar = cutting_grammar(folder, name, written)?;
        let grammar = grammar.unwrap_or_else(|| Grammar {
            schema: Arc::clone(schema),
            ..Grammar::default()
        });
        Ok(Cutter {
            engine: Engine::new(grammar),
            gold: match gold {
                [] => None,
                paths => Some(Gold::open(paths)?),
            },
        })
    }

    /// Divides a text into EDUs as its gold tree does, else by the boundary rules; what is divided
    /// already stays as it is.
    fn cut(&self, document: &mut Document) -> Result<()> {
        if document.is_segmented() {
            return Ok(());
        }
        let gold = self.gold.as_ref();
        match gold.map(|gold| gold.tree(&document.id)).transpose()? {
            Some(Some(tree)) => segment(document, &tree, self.engine.analyzer()),
            _ => {
                self.engine.analyzer().segment(document);
            }
        }
        Ok(())
    }
}

/// Texts that are cut at a time.
const BATCH: usize = 512;

/// Writes texts as JSON lines, cut into EDUs, behind those that are there.
fn write_corpus(
    path: &Path,
    known: Option<&Lines>,
    cutter: &Cutter,
    documents: &mut Documents<'_>,
) -> Result<()> {
    let mut file = Replacement::create(path)?;
    if known.is_some() {
        let mut old = File::open(path).map_err(|error| Error::read(path, error))?;
        std::io::copy(&mut old, &mut file).map_err(|error| Error::write(path, error))?;
    }
    let mut write = |batch: &mut Vec<Document>| -> Result<()> {
        let cut = batch.par_iter_mut().map(|document| cutter.cut(document));
        cut.collect::<Result<()>>()?;
        for document in batch.drain(..) {
            if !is_there(known, &document)? {
                let line = json::line(&document)?;
                let written = file.write_all(line.as_bytes());
                written.map_err(|error| Error::write(path, error))?;
            }
        }
        Ok(())
    };
    let mut batch = Vec::new();
    documents(&mut |document| {
        batch.push(document.clone());
        match batch.len() {
            BATCH.. => write(&mut batch),
            _ => Ok(()),
        }
    })?;
    write(&mut batch)?;
    file.commit()
}

/// True for a text that the project has; adding that was interrupted can be done again.
fn is_there(known: Option<&Lines>, new: &Document) -> Result<bool> {
    let Some(known) = known.filter(|known| known.contains(&new.id)) else {
        return Ok(false);
    };
    if document(known, &new.id)?.text == new.text {
        return Ok(true);
    }
    Err(Error::Duplicate(format!(
        "the project has another text `{}` already; give each an id of its own",
        new.id
    )))
}

/// Adds the impacts of the texts behind the first `known`, and their cores where they are wanted.
fn embed(
    path: &Path,
    known: usize,
    embedder: &Embedder,
    schema: &Schema,
    impacts: &mut Impacts,
    mut cores: Option<&mut CorpusCores>,
) -> Result<()> {
    let reader = PhraseReader::new(schema, embedder.model().parameters.grain);
    let texts = corpus::open(path, Some(corpus::Format::JsonLines))?.skip(known);
    corpus::process_in_batches(
        texts,
        |document| {
            let (_, cores) = reader.read(&document);
            (document.id, embedder.impact(&cores), cores)
        },
        |read| {
            let (id, impact, phrases) = read.map_err(|skip| Error::Damaged(skip.to_string()))?;
            if let Some(cores) = &mut cores {
                cores.add(embedder, &phrases);
            }
            impacts.push(id, &impact)
        },
    )
}

/// Where a file lies, as seen from a project's folder: how settings name schemas and grammars.
pub fn seen_from(folder: &Path, file: &Path) -> String {
    let path = files::relative(file, folder);
    if path.contains('/') {
        path
    } else {
        format!("./{path}")
    }
}
