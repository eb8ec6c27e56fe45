//! The project's own tastes: `[summarize]` in `arsg.toml`.

use std::collections::BTreeMap;
use std::path::Path;

use serde::Deserialize;

use super::{Length, Options, Priority, Tastes};
use crate::diagnostic::Source;
use crate::error::{Error, Result};
use crate::project::{self, Project};

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

impl Settings {
    /// The settings of the project that a folder lies in: the nearest `arsg.toml` upwards. Without
    /// one, or without `[summarize]` in it, nothing is set.
    pub fn of_project(folder: &Path) -> Result<Settings> {
        let project = Project::find(folder)?;
        Ok(project.map_or_else(Settings::default, |project| project.settings.summarize))
    }

    /// The settings in a project's file of that name.
    pub fn read(name: &str, text: &str) -> Result<Settings> {
        let source = Source::new(name, text);
        Ok(project::Settings::load(&source)?.summarize)
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
        match self.redundancy {
            Some(value) if !(0.0..=1.0).contains(&value) => {
                return Err(Error::Failed(format!(
                    "`{FILE}`: `redundancy` lies between 0 and 1, and `{value}` does not"
                )));
            }
            Some(value) => options.redundancy = value,
            None => {}
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
    use crate::diagnostic::{ErrorFormat, Renderer};

    #[test]
    fn a_project_says_only_what_is_different() -> Result<()> {
        let text =
            "grammar = 'finance'\n[summarize]\nredundancy = 0.3\n[summarize.tastes]\nstep = 0.5\n";
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
        let Err(Error::Invalid(found)) = found else {
            panic!("a misspelt taste was taken");
        };
        let message = Renderer {
            format: ErrorFormat::Plain,
            ..Renderer::default()
        }
        .render(&found);
        assert!(message.starts_with("arsg.toml:3:"), "{message}");
        assert!(message.contains("`stepp`"), "{message}");
        for wrong in ["redundancy = 2", "length = 'much'", "priority = 'weight /'"] {
            let read = Settings::read(FILE, &format!("[summarize]\n{wrong}\n"));
            assert!(
                read.and_then(|settings| settings.options()).is_err(),
                "{wrong}"
            );
        }
    }
}
