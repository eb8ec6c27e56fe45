//! The project's own tastes: `[summarize]` in `arsg.toml`.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::Deserialize;

use super::{Length, Options, Priority, Tastes};
use crate::diagnostic::Source;
use crate::error::{Error, Result};
use crate::files;

/// What a project says about summaries. What it does not say stays as it is shipped.
///
/// ```
/// use arsg::summarize::Settings;
///
/// let settings = Settings::read("arsg.toml", "
/// [summarize]
/// length = '300w'
/// priority = 'weight / (rank + place)'
///
/// [summarize.relations]
/// elaboration = 0.2
/// ")?;
/// let options = settings.options()?;
/// assert_eq!(options.tastes.relations.get("elaboration"), Some(&0.2));
/// # Ok::<(), arsg::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Settings {
    /// How long summaries are: `10`, `5%` or `300w`.
    pub length: Option<String>,
    /// The priority function f of Algorithm 8.
    pub priority: Option<String>,
    /// Units whose ROUGE-1 F1 with a chosen one is greater are skipped.
    pub redundancy: Option<f64>,
    /// What a satellite step costs beyond one, by relation or class; others keep their costs.
    pub relations: BTreeMap<String, f64>,
    /// Relations whose satellite clauses may be dropped, in place of the shipped ones.
    pub dispensable: Option<Vec<String>>,
    /// What the default method likes.
    pub tastes: Tastes,
}

/// The name of a project's file.
const FILE: &str = "arsg.toml";

#[derive(Deserialize)]
struct Project {
    #[serde(default)]
    summarize: Settings,
}

impl Settings {
    /// The settings of the project that a folder lies in: the nearest `arsg.toml` upwards. Without
    /// one, or without `[summarize]` in it, nothing is set.
    pub fn of_project(folder: &Path) -> Result<Settings> {
        let folder = std::path::absolute(folder).map_err(|error| Error::read(folder, error))?;
        let file: Option<PathBuf> = folder
            .ancestors()
            .map(|folder| folder.join(FILE))
            .find(|file| file.is_file());
        match file {
            Some(file) => Settings::read(&file.display().to_string(), &files::read_text(&file)?),
            None => Ok(Settings::default()),
        }
    }

    /// The settings in a project's file of that name.
    pub fn read(name: &str, text: &str) -> Result<Settings> {
        let project: Project = toml::from_str(text).map_err(|error| {
            let start = error.span().map_or(0, |span| span.start);
            let before = text.get(..start).unwrap_or(text);
            let line = before.matches('\n').count() + 1;
            Error::Failed(format!("`{name}`, line {line}: {}", error.message()))
        })?;
        let settings = project.summarize;
        match settings.redundancy {
            Some(value) if !(0.0..=1.0).contains(&value) => Err(Error::Failed(format!(
                "`{name}`: `redundancy` lies between 0 and 1, and `{value}` does not"
            ))),
            _ => Ok(settings),
        }
    }

    /// The shipped options with these settings.
    pub fn options(&self) -> Result<Options> {
        let mut options = Options {
            tastes: self.tastes.clone(),
            ..Options::default()
        };
        if let Some(length) = &self.length {
            options.length = length.parse::<Length>().map_err(|expected| {
                Error::Failed(format!("`{FILE}`: the length `{length}`: {expected}"))
            })?;
        }
        if let Some(priority) = &self.priority {
            let source = Source::new(FILE, priority.as_str());
            options.priority = Priority::read(&source)?;
        }
        if let Some(redundancy) = self.redundancy {
            options.redundancy = redundancy;
        }
        options.tastes.relations.extend(self.relations.clone());
        if let Some(dispensable) = &self.dispensable {
            options.tastes.dispensable.clone_from(dispensable);
        }
        Ok(options)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_project_says_only_what_is_different() -> Result<()> {
        let text = "name = 'news'\n[summarize]\nredundancy = 0.3\n[summarize.tastes]\nstep = 0.5\n";
        let options = Settings::read(FILE, text)?.options()?;
        let shipped = Tastes::default();
        assert_eq!((options.redundancy, options.tastes.step), (0.3, 0.5));
        assert_eq!(options.tastes.relations, shipped.relations);
        assert_eq!(options.tastes.fall, shipped.fall);
        Ok(())
    }

    #[test]
    fn a_misspelt_taste_is_named_with_its_line() {
        let found = Settings::read(FILE, "[summarize]\n[summarize.tastes]\nstepp = 1\n");
        let message = found.map_or_else(|error| error.to_string(), |_| String::new());
        assert!(
            message.starts_with("`arsg.toml`, line 3: unknown field `stepp`"),
            "{message}"
        );
        for wrong in ["redundancy = 2", "length = 'much'", "priority = 'weight /'"] {
            let read = Settings::read(FILE, &format!("[summarize]\n{wrong}\n"));
            assert!(
                read.and_then(|settings| settings.options()).is_err(),
                "{wrong}"
            );
        }
    }
}
