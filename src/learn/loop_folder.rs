//! The loop's state on disk.
//!
//! A folder with `learn.json` (what the loop was told), `rounds/0000.jsonl` and so on (what
//! happened), and what follows from these: `rounds.jsonl` (a row a round), `grammar.arsg`, and the
//! grammar's rules by their sources in `pieces/`. A round
//! is one file, replaced whole, so that whatever moment the program is stopped at, the rounds on
//! disk are some rounds of the loop, and doing them again gives the state it was in.

use std::path::{Path, PathBuf};

use rustc_hash::FxHashMap;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::{
    LabelSource, Labelled, LearningLoop, Progress, Round, Row, Rules, division_chart, labels_chart,
    rules_chart,
};
use crate::error::{Error, Result};
use crate::files;
use crate::json;

/// A folder that holds the state of a loop.
#[derive(Debug, Clone)]
pub struct LoopFolder {
    folder: PathBuf,
}

/// A line of a round's file.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "lowercase", deny_unknown_fields)]
enum Line<L> {
    /// The first line.
    Round {
        round: usize,
        texts: usize,
        pairs: u64,
        /// Whether people have labelled what was chosen.
        finished: bool,
    },
    Near {
        text: String,
        label: String,
    },
    Times {
        text: String,
        times: u64,
    },
    Chosen {
        text: String,
        #[serde(default = "none", skip_serializing_if = "Option::is_none")]
        label: Option<L>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        minutes: Option<f64>,
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        automatic: bool,
    },
}

fn none<L>() -> Option<L> {
    None
}

impl LoopFolder {
    /// The project in a folder, which need not be there yet.
    pub fn new(folder: impl Into<PathBuf>) -> LoopFolder {
        LoopFolder {
            folder: folder.into(),
        }
    }

    /// A file of the project.
    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }

    /// True when the loop was told something.
    pub fn has_settings(&self) -> bool {
        self.path(SETTINGS).exists()
    }

    /// What the loop was told; none when it has not begun.
    pub fn settings<T: DeserializeOwned>(&self) -> Result<Option<T>> {
        let path = self.path(SETTINGS);
        if !path.exists() {
            return Ok(None);
        }
        let text = files::read_text(&path)?;
        let settings = serde_json::from_str(&text);
        settings
            .map(Some)
            .map_err(|error| damaged(&path, &json::problem(&error)))
    }

    /// Writes down what the loop is told.
    pub fn set_settings(&self, settings: &impl Serialize) -> Result<()> {
        self.make(ROUNDS)?;
        keep(&self.path(SETTINGS), &json::pretty(settings)?)
    }

    /// The rounds on disk; `ids` are the texts' names.
    pub fn rounds<L: DeserializeOwned>(&self, ids: &[String]) -> Result<Vec<Round<L>>> {
        let mut numbers: FxHashMap<&str, u32> = FxHashMap::default();
        for (number, id) in ids.iter().enumerate() {
            if numbers.insert(id, number as u32).is_some() {
                return Err(Error::Duplicate(format!("two texts have the id `{id}`")));
            }
        }
        let mut rounds = Vec::new();
        loop {
            let path = self.round_path(rounds.len());
            if !path.exists() {
                return Ok(rounds);
            }
            rounds.push(read_round(&path, &numbers)?);
        }
    }

    /// The finished rounds in figures; none before the first.
    pub fn rows(&self) -> Result<Vec<Row>> {
        let path = self.path(ROWS);
        if !path.exists() {
            return Ok(Vec::new());
        }
        let text = files::read_text(&path)?;
        let rows = text.lines().map(serde_json::from_str);
        rows.collect::<Result<_, _>>()
            .map_err(|error| damaged(&path, &json::problem(&error)))
    }

    /// Writes down where the loop is: its last round, and what follows from the rounds.
    pub fn keep<R: Rules>(&self, learner: &mut LearningLoop<'_, R>) -> Result<()>
    where
        R::Label: Serialize,
    {
        let Some(number) = learner.rounds().len().checked_sub(1) else {
            return Ok(());
        };
        let text = write_round(learner, number)?;
        self.make(ROUNDS)?;
        keep(&self.round_path(number), &text)?;
        if learner.rows().len() > number {
            let mut rows = String::new();
            for row in learner.rows() {
                rows.push_str(&json::line(row)?);
            }
            keep(&self.path(ROWS), &rows)?;
            keep(&self.path(GRAMMAR), &learner.grammar()?)?;
            self.keep_pieces(&learner.rules().pieces())?;
        }
        Ok(())
    }

    /// Writes the rules by their sources, and takes away pieces that are none any more.
    fn keep_pieces(&self, pieces: &[(String, String)]) -> Result<()> {
        let folder = self.path(PIECES);
        if pieces.is_empty() && !folder.exists() {
            return Ok(());
        }
        self.make(PIECES)?;
        let entries = std::fs::read_dir(&folder).map_err(|error| Error::read(&folder, error))?;
        for entry in entries {
            let path = entry.map_err(|error| Error::read(&folder, error))?.path();
            let is_grammar = path.extension().is_some_and(|ending| ending == "arsg");
            let name = path.file_stem().map(|stem| stem.to_string_lossy());
            let is_piece = pieces
                .iter()
                .any(|(piece, _)| Some(piece.as_str()) == name.as_deref());
            if is_grammar && !is_piece {
                files::disk::remove(&path)?;
            }
        }
        for (name, text) in pieces {
            keep(&folder.join(format!("{name}.arsg")), text)?;
        }
        Ok(())
    }

    fn make(&self, folder: &str) -> Result<()> {
        let folder = self.path(folder);
        crate::files::disk::make_folder(&folder)
    }

    /// Runs the loop until it ends or waits for labels; every step is written down before the next
    /// is taken.
    pub fn run<R: Rules>(
        &self,
        learner: &mut LearningLoop<'_, R>,
        annotator: &mut dyn LabelSource<Label = R::Label>,
        mut tell: impl FnMut(&Progress),
    ) -> Result<Progress>
    where
        R::Label: Serialize,
    {
        self.keep(learner)?;
        loop {
            let progress = learner.step(annotator)?;
            tell(&progress);
            match progress {
                Progress::Chosen { .. } | Progress::Round(_) => self.keep(learner)?,
                Progress::Waiting(_) | Progress::LimitReached | Progress::AllLabelled => {
                    return Ok(progress);
                }
            }
        }
    }

    /// Draws the loop so far: `labels.svg`, `rules.svg`, and `rounds/0003.svg` for every round asked
    /// for.
    pub fn draw<R: Rules>(
        &self,
        learner: &LearningLoop<'_, R>,
        rounds: impl IntoIterator<Item = usize>,
    ) -> Result<()> {
        let rows = learner.rows();
        keep(&self.path("labels.svg"), &labels_chart(rows).to_svg())?;
        keep(&self.path("rules.svg"), &rules_chart(rows).to_svg())?;
        for round in rounds.into_iter().filter(|round| *round < rows.len()) {
            let chart = division_chart(learner.impacts(), learner.rounds(), round);
            let path = self.round_path(round).with_extension("svg");
            keep(&path, &chart.to_svg())?;
        }
        Ok(())
    }

    /// Takes back all rounds from `round` on, the last one first; how many there were. The next
    /// [`keep`](LoopFolder::keep) writes what follows from the others.
    pub fn roll_back(&self, round: usize) -> Result<usize> {
        let mut end = round;
        while self.round_path(end).exists() {
            end += 1;
        }
        for number in (round..end).rev() {
            let path = self.round_path(number);
            files::disk::remove(&path)?;
            // Not every round is drawn.
            let _ = files::disk::remove(&path.with_extension("svg"));
        }
        Ok(end - round)
    }

    fn round_path(&self, round: usize) -> PathBuf {
        self.path(ROUNDS).join(format!("{round:04}.jsonl"))
    }
}

const SETTINGS: &str = "learn.json";
const ROUNDS: &str = "rounds";
const ROWS: &str = "rounds.jsonl";
pub(super) const GRAMMAR: &str = "grammar.arsg";
const PIECES: &str = "pieces";

/// Replaces a file, unless it is as it should be.
fn keep(path: &Path, content: &str) -> Result<()> {
    match files::read_bytes(path) {
        Ok(old) if old == content.as_bytes() => Ok(()),
        _ => files::replace(path, content.as_bytes()),
    }
}

fn write_round<R: Rules>(learner: &LearningLoop<'_, R>, number: usize) -> Result<String>
where
    R::Label: Serialize,
{
    let Some(round) = learner.rounds().get(number) else {
        return Ok(String::new());
    };
    let name = |text: &u32| learner.id(*text).to_owned();
    let mut lines = json::line(&Line::<&R::Label>::Round {
        round: number,
        texts: round.texts,
        pairs: round.pairs,
        finished: round.labels.is_some(),
    })?;
    for (text, label) in &round.near {
        lines.push_str(&json::line(&Line::<&R::Label>::Near {
            text: name(text),
            label: name(label),
        })?);
    }
    for (text, times) in &round.times {
        lines.push_str(&json::line(&Line::<&R::Label>::Times {
            text: name(text),
            times: *times,
        })?);
    }
    for (at, text) in round.chosen.iter().enumerate() {
        let labelled = round.labels.as_ref().and_then(|labels| labels.get(at));
        lines.push_str(&json::line(&Line::Chosen {
            text: name(text),
            label: labelled.map(|labelled| &labelled.label),
            minutes: labelled.and_then(|labelled| labelled.minutes),
            automatic: labelled.is_some_and(|labelled| labelled.automatic),
        })?);
    }
    Ok(lines)
}

fn read_round<L: DeserializeOwned>(
    path: &Path,
    numbers: &FxHashMap<&str, u32>,
) -> Result<Round<L>> {
    let content = files::read_text(path)?;
    let number = |id: &str| {
        let found = numbers.get(id).copied();
        found.ok_or_else(|| damaged(path, &format!("the corpus has no text `{id}`")))
    };
    let mut round = Round {
        texts: 0,
        pairs: 0,
        near: Vec::new(),
        times: Vec::new(),
        chosen: Vec::new(),
        labels: None,
    };
    let (mut labels, mut is_finished) = (Vec::new(), false);
    for (at, line) in content.lines().enumerate() {
        let line = serde_json::from_str::<Line<L>>(line);
        let line = line.map_err(|error| {
            damaged(path, &format!("line {}: {}", at + 1, json::problem(&error)))
        })?;
        match line {
            Line::Round {
                texts,
                pairs,
                finished,
                ..
            } => {
                (round.texts, round.pairs, is_finished) = (texts, pairs, finished);
            }
            Line::Near { text, label } => round.near.push((number(&text)?, number(&label)?)),
            Line::Times { text, times } => round.times.push((number(&text)?, times)),
            Line::Chosen {
                text,
                label,
                minutes,
                automatic,
            } => {
                round.chosen.push(number(&text)?);
                labels.extend(label.map(|label| Labelled {
                    label,
                    minutes,
                    automatic,
                }));
            }
        }
    }
    if is_finished {
        if labels.len() != round.chosen.len() {
            return Err(damaged(path, &"a label is missing"));
        }
        round.labels = Some(labels);
    }
    Ok(round)
}

fn damaged(path: &Path, what: &dyn std::fmt::Display) -> Error {
    Error::Damaged(format!("`{}` is damaged: {what}", path.display()))
}
