//! The project's own tastes: `[summarize]` in `arsg.toml`.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::{Length, Priority, SummaryOptions, Tastes};
use crate::diagnostic::Source;
use crate::error::{Error, Result};

/// What a project says about summaries. What it does not say stays as it is shipped.
///
/// ```
/// use arsg::diagnostic::Source;
/// use arsg::project::ProjectSettings;
///
/// let settings = ProjectSettings::load(&Source::new("arsg.toml", "
/// [summarize]
/// length = '300w'
/// priority = 'weight / (rank + place)'
///
/// [summarize.relations]
/// elaboration = 0.2
/// "))?;
/// let options = settings.summarize.options()?;
/// assert_eq!(options.tastes.relations.get("elaboration"), Some(&0.2));
/// # Ok::<(), arsg::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[non_exhaustive]
pub struct SummarySettings {
    /// How long summaries are: `10`, `5%`, `300w`, `300c` or `auto`.
    pub length: Option<String>,
    /// The priority function f of Algorithm 8.
    pub priority: Option<String>,
    /// Units whose ROUGE-1 F1 with a chosen one is greater are skipped.
    pub redundancy: Option<f64>,
    /// What a satellite step costs beyond one, by relation or class; others keep their costs.
    pub relations: BTreeMap<String, f64>,
    /// What the default method likes.
    pub tastes: Tastes,
}

/// The name of a project's file.
const FILE: &str = "arsg.toml";

impl SummarySettings {
    /// The shipped options with these settings.
    pub fn options(&self) -> Result<SummaryOptions> {
        let mut options = SummaryOptions {
            tastes: self.tastes.clone(),
            ..SummaryOptions::default()
        };
        if let Some(length) = &self.length {
            options.length = length.parse::<Length>().map_err(|expected| {
                Error::Setting(format!("`{FILE}`: the length `{length}`: {expected}"))
            })?;
        }
        if let Some(priority) = &self.priority {
            let source = Source::new(FILE, priority.as_str());
            options.priority = Priority::read(&source)?;
        }
        match self.redundancy {
            Some(value) if !(0.0..=1.0).contains(&value) => {
                return Err(Error::Setting(format!(
                    "`{FILE}`: `redundancy` lies between 0 and 1, and `{value}` does not"
                )));
            }
            own => options.redundancy = own,
        }
        options.tastes.relations.extend(self.relations.clone());
        Ok(options)
    }
}
