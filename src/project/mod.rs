//! A linguist's project: the folder with `arsg.toml`, and how such a folder begins.
//!
//! What `arsg.toml` names is what commands work on when nothing else is named, so that in a project
//! `arsg test` tests its grammar on its cases.

mod begin;
mod overlay;
mod settings;
mod shipped;

pub use begin::{Begun, begin, begin_on};
pub use overlay::{Base, Language};
pub use settings::ProjectSettings;
pub use shipped::{ShippedFile, ShippedKind, shipped_file, shipped_files};

use std::path::{Path, PathBuf};

use crate::diagnostic::Source;
use crate::error::{Error, Result};
use crate::files::Disk;
use crate::summarize;

/// The file that makes a folder a project.
pub const FILE: &str = "arsg.toml";

/// The folder of trees where the file names none.
const TREES: &str = "trees";

/// A project on disk.
#[derive(Debug, Clone, PartialEq)]
pub struct Project {
    folder: PathBuf,
    /// What its file says.
    pub settings: ProjectSettings,
}

impl Project {
    /// The project of a folder: the nearest `arsg.toml` upwards; none where there is none. What it
    /// names must lie in the project, unless `disk` lets files lie anywhere.
    pub fn find(folder: &Path, disk: &Disk) -> Result<Option<Project>> {
        let Some(root) = folder
            .ancestors()
            .find(|folder| folder.join(FILE).is_file())
        else {
            return Ok(None);
        };
        let root = if root == folder {
            PathBuf::new()
        } else {
            PathBuf::from(crate::files::relative(root, folder))
        };
        let path = folder.join(&root).join(FILE);
        let name = root.join(FILE).display().to_string();
        let source = Source::new(name, crate::files::read_text(&path)?);
        let settings = ProjectSettings::load(&source)?;
        let outside = settings.outside(&source, &path, disk);
        if !outside.is_empty() {
            return Err(Error::Invalid(outside));
        }
        Ok(Some(Project {
            settings,
            folder: root,
        }))
    }

    /// The project of the working folder.
    pub fn here(disk: &Disk) -> Result<Option<Project>> {
        match std::env::current_dir() {
            Ok(folder) => Project::find(&folder, disk),
            // A working folder that was deleted belongs to no project.
            Err(_) => Ok(None),
        }
    }

    /// What the project of the working folder says about summaries; nothing is set where there is
    /// no project.
    pub fn summary_settings_here() -> Result<summarize::SummarySettings> {
        // Summaries read no file that it names.
        let project = Project::here(&Disk { anywhere: true })?;
        Ok(project.map_or_else(Default::default, |project| project.settings.summarize))
    }

    /// A path of the project as seen from the folder it was found from.
    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }

    /// The grammar: a file, as a path, or the name of a shipped one.
    pub fn grammar(&self) -> Option<String> {
        self.named(self.settings.grammar.as_deref())
    }

    /// The schema: a file, as a path, or the name of a shipped one.
    pub fn schema(&self) -> Option<String> {
        self.named(self.settings.schema.as_deref())
    }

    /// The folder of regression cases.
    pub fn cases(&self) -> Option<PathBuf> {
        self.settings.cases.as_deref().map(|name| self.path(name))
    }

    /// The texts.
    pub fn corpus(&self) -> Option<PathBuf> {
        self.settings.corpus.as_deref().map(|name| self.path(name))
    }

    /// The trees by hand, as far as they are there.
    pub fn trees(&self) -> Option<PathBuf> {
        let named = self.settings.trees.as_deref();
        let path = self.path(named.unwrap_or(TREES));
        (named.is_some() || path.is_dir()).then_some(path)
    }

    /// The gold trees: the regression cases and the trees by hand, as far as they are there.
    pub fn gold(&self) -> Vec<PathBuf> {
        let all = [self.cases(), self.trees()].into_iter().flatten();
        all.filter(|path| path.exists()).collect()
    }

    /// The folder of labels.
    pub fn labels(&self) -> Option<PathBuf> {
        self.settings.labels.as_deref().map(|name| self.path(name))
    }

    /// The folder of the grammar and its modules, and the schema, as far as they are files.
    pub fn sources(&self) -> Vec<PathBuf> {
        let grammar = self.grammar().filter(|name| is_path(name));
        let folder = grammar.map(|grammar| match Path::new(&grammar).parent() {
            Some(folder) if !folder.as_os_str().is_empty() => folder.to_owned(),
            _ => PathBuf::from("."),
        });
        let schema = self.schema().filter(|name| is_path(name));
        folder
            .into_iter()
            .chain(schema.map(PathBuf::from))
            .collect()
    }

    fn named(&self, name: Option<&str>) -> Option<String> {
        let name = name?;
        Some(if is_path(name) {
            self.path(name).display().to_string()
        } else {
            name.to_owned()
        })
    }
}

/// True for what names a file; names of shipped grammars and schemas have neither a stop nor a slash.
pub fn is_path(name: &str) -> bool {
    name.contains(['/', '\\', '.'])
}
