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
use serde::{Deserialize, Serialize};

use super::teacher::document;
use super::{
    Gain, GrammarRules, LabelSource, LearningLoop, Lines, LoopFolder, LoopOptions, Progress, Row,
    Rules as _, TextLabel,
};
use crate::embed::{CorpusCores, Embedder, Impacts, Model, PhraseReader};
use crate::error::{Error, Result};
use crate::files::{self, Lock, Replacement};
use crate::grammar::{Decide, Grammar, embedded_grammar};
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
const LABELS: &str = "labels";

impl Course {
    /// True when a folder holds a loop that has begun.
    pub fn has_begun(folder: &Path) -> bool {
        LoopFolder::new(folder).has_settings()
    }

    /// Begins a project: takes the texts and the model in, turns the texts into impacts, chooses the
    /// representatives. The schema is named as settings name it; `settle` makes these from the
    /// impacts.
    pub fn begin(
        folder: &Path,
        schema: &str,
        model: &Path,
        documents: &mut Documents<'_>,
        settle: &dyn Fn(&Impacts) -> Result<CourseSettings>,
        select: Selection<'_>,
    ) -> Result<Course> {
        crate::files::disk::make_folder(folder)?;
        let lock = Lock::folder(folder)?;
        let model_copy = folder.join(MODEL);
        let bytes = files::read_up_to(model, files::LARGEST_MODEL)?;
        files::replace(&model_copy, &bytes)?;
        drop(bytes);
        let corpus = folder.join(CORPUS);
        write_corpus(&corpus, None, documents)?;
        let texts = Lines::open(&corpus)?;
        if texts.is_empty() {
            return Err(Error::Empty("there are no texts to learn from".to_owned()));
        }
        let embedder = Embedder::new(Model::load(&model_copy)?);
        let mut impacts = Impacts::new(embedder.model().dimensions());
        let schema = Arc::new(load_schema(schema, folder)?);
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
        let settings = settle(&impacts)?;
        let chosen = select(impacts.vectors(), &cores)?;
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
        write_corpus(&corpus, Some(&self.texts), documents)?;
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
        if let Some(path) = self.grammar() {
            return Ok(path.display().to_string());
        }
        if let Some(written) = &self.settings.written {
            return Ok(self.folder.join(written).display().to_string());
        }
        if embedded_grammar(&self.settings.schema).is_ok() {
            return Ok(self.settings.schema.clone());
        }
        let path = self.project.path(super::loop_folder::GRAMMAR);
        files::replace(&path, self.rules()?.grammar()?.as_bytes())?;
        Ok(path.display().to_string())
    }

    /// Runs the loop until it ends or waits for labels, and draws it.
    pub fn run(
        &self,
        teacher: &mut dyn LabelSource<Label = TextLabel>,
        tell: impl FnMut(&Progress),
    ) -> Result<Progress> {
        let mut learner = self.learner()?;
        let progress = self.project.run(&mut learner, teacher, tell)?;
        let rounds = learner.rows().len();
        let drawn = (0..rounds).filter(|round| *round < FIRST_DRAWN || *round + 1 == rounds);
        self.project.draw(&learner, drawn)?;
        Ok(progress)
    }

    /// The rounds so far in figures, as they stand on disk.
    pub fn rows(&self) -> Result<Vec<Row>> {
        self.project.rows()
    }

    /// Writes texts that wait for labels to a file, in the order given.
    pub fn write_waiting(&self, waiting: &[u32]) -> Result<PathBuf> {
        let path = self.folder.join(WAITING);
        let mut file = Replacement::create(&path)?;
        for text in waiting {
            let id = self.impacts.ids.get(*text as usize);
            let document = document(&self.texts, id.map_or("", String::as_str))?;
            let line = json::line(&document)?;
            file.write_all(line.as_bytes())
                .map_err(|error| Error::write(&path, error))?;
        }
        file.commit()?;
        Ok(path)
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
        let written = match &self.settings.written {
            Some(path) => Some(Grammar::read(self.folder.join(path))?.into_result()?),
            None => None,
        };
        let settings = &self.settings;
        GrammarRules::new(
            &self.schema,
            &settings.schema,
            decide,
            settings.gain,
            written,
        )
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

/// So many rounds are drawn from the beginning; of the others the last.
const FIRST_DRAWN: usize = 4;

fn load_schema(name: &str, folder: &Path) -> Result<Schema> {
    if name.contains(['/', '.']) {
        Schema::read(folder.join(name))?.into_result()
    } else {
        embedded_schema(name)
    }
}

/// Writes texts as JSON lines, behind those that are there.
fn write_corpus(path: &Path, known: Option<&Lines>, documents: &mut Documents<'_>) -> Result<()> {
    let mut file = Replacement::create(path)?;
    let fail = |error| Error::write(path, error);
    if known.is_some() {
        let mut old = File::open(path).map_err(|error| Error::read(path, error))?;
        std::io::copy(&mut old, &mut file).map_err(fail)?;
    }
    documents(&mut |document| {
        let line = json::line(document)?;
        let own = match known {
            Some(known) => known.get(&document.id)?,
            None => None,
        };
        match own {
            // Adding that was interrupted can be done again: what is there already is passed over.
            Some(own) if own.trim_end() == line.trim_end() => Ok(()),
            Some(_) => Err(Error::Duplicate(format!(
                "the project has another text `{}` already; give each an id of its own",
                document.id
            ))),
            None => file.write_all(line.as_bytes()).map_err(fail),
        }
    })?;
    file.commit()
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
