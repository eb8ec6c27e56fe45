//! What `arsg.toml` says.

use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use serde::de::Error as _;
use serde::{Deserialize, Deserializer};

use crate::diagnostic::{Code, Diagnostic, Place, Source};
use crate::error::{Error, Result};
use crate::files::{Disk, Files};
use crate::summarize;
use crate::text::structure::Structure;

/// What a project works on; paths are taken from its folder.
#[derive(Debug, Clone, PartialEq, Default, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct ProjectSettings {
    /// The grammar: a file, or the name of a shipped one.
    pub grammar: Option<String>,
    /// The schema: a file, or the name of a shipped one.
    pub schema: Option<String>,
    /// The folder of regression cases.
    pub cases: Option<String>,
    /// The texts: a file or a folder.
    pub corpus: Option<String>,
    /// The trees by hand: a file or a folder; left out: the folder `trees`, where there is one.
    pub trees: Option<String>,
    /// The folder of labels.
    pub labels: Option<String>,
    /// What the lines of plain texts are: `rules`, `keep` or `none`.
    #[serde(default, deserialize_with = "structure")]
    pub structure: Option<Structure>,
    /// What summaries look like.
    #[serde(default)]
    pub summarize: summarize::SummarySettings,
}

const KEYS: [&str; 8] = [
    "grammar",
    "schema",
    "cases",
    "corpus",
    "trees",
    "labels",
    "structure",
    "summarize",
];

/// One of the names, or what they are.
fn structure<'de, D: Deserializer<'de>>(
    reader: D,
) -> std::result::Result<Option<Structure>, D::Error> {
    let name = String::deserialize(reader)?;
    let found = Structure::find(&name).ok_or_else(|| {
        let names = Structure::NAMES.join("`, `");
        D::Error::custom(format!(
            "`{name}` is not a way to tell structure; there are `{names}`"
        ))
    });
    found.map(Some)
}

impl ProjectSettings {
    /// Reads the text of an `arsg.toml`.
    pub fn load(source: &Arc<Source>) -> Result<ProjectSettings> {
        toml::from_str(source.text()).map_err(|error| {
            let problem = problem(error.message(), error.span(), source);
            Error::Invalid(vec![problem])
        })
    }

    /// What is wrong with paths that lead out of the project whose file lies at `path`.
    pub(super) fn outside(
        &self,
        source: &Arc<Source>,
        path: &Path,
        disk: &Disk,
    ) -> Vec<Diagnostic> {
        let [grammar, schema] = [&self.grammar, &self.schema].map(|name| {
            let name = name.as_deref();
            name.filter(|name| super::is_path(name))
        });
        let named = [
            ("grammar", grammar),
            ("schema", schema),
            ("cases", self.cases.as_deref()),
            ("corpus", self.corpus.as_deref()),
            ("trees", self.trees.as_deref()),
            ("labels", self.labels.as_deref()),
        ];
        let folder = path.parent().unwrap_or(Path::new(""));
        let leads_out = |name: &str| !disk.may_read(path, &folder.join(name));
        let named = named.into_iter();
        let named = named.filter_map(|(key, name)| Some((key, name.filter(|n| leads_out(n))?)));
        let problems = named.map(|(key, name)| {
            let message = format!("`{key}` leads out of the project: `{name}`");
            Diagnostic::new(Code::P003, message)
                .at(Place::new(source, line_of(key, source.text())))
                .help("move it into the project, or allow it with `--allow-outside`")
        });
        problems.collect()
    }
}

/// The line of a key.
fn line_of(key: &str, text: &str) -> Range<usize> {
    let line = crate::text::line_ranges(text).into_iter().find(|range| {
        let line = text.get(range.clone()).unwrap_or_default();
        let rest = line.trim_start().trim_start_matches(['"', '\'']);
        let rest = rest.strip_prefix(key).unwrap_or_default();
        rest.trim_start_matches(['"', '\'', ' ', '\t'])
            .starts_with('=')
    });
    line.unwrap_or(0..0)
}

/// What the reader of TOML says, in our words.
fn problem(message: &str, span: Option<Range<usize>>, source: &Arc<Source>) -> Diagnostic {
    let unknown = message
        .strip_prefix("unknown field `")
        .and_then(|rest| rest.split('`').next());
    let diagnostic = match unknown {
        Some(key) => {
            let known = format!(
                "known keys are {}",
                KEYS.map(|k| format!("`{k}`")).join(", ")
            );
            Diagnostic::new(Code::P002, format!("unknown key `{key}` in a project"))
                .help(known)
                .suggest(key, KEYS)
        }
        None => {
            let first = crate::json::plain(message.lines().next().unwrap_or_default());
            Diagnostic::new(Code::P001, format!("not a project file: {first}"))
                .help("a line is a key and a path in quotes, as `grammar = \"grammars/news.arsg\"`")
        }
    };
    match span {
        Some(span) => diagnostic.at(Place::new(source, span)),
        None => diagnostic,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostic::{ErrorFormat, Renderer};

    fn read(text: &str) -> Result<ProjectSettings> {
        ProjectSettings::load(&Source::new("arsg.toml", text))
    }

    fn said(text: &str) -> String {
        match ProjectSettings::load(&Source::new("arsg.toml", text)) {
            Ok(settings) => format!("{settings:?}"),
            Err(Error::Invalid(found)) => Renderer::default().render(&found),
            Err(error) => error.to_string(),
        }
    }

    #[test]
    fn every_key_may_be_left_out() {
        let settings = ProjectSettings::load(&Source::new("arsg.toml", "")).unwrap();
        assert_eq!(settings, ProjectSettings::default());
        let names = KEYS
            .iter()
            .filter(|key| !["structure", "summarize"].contains(key));
        let all: String = names.map(|key| format!("{key} = '语法'\n")).collect();
        let settings = ProjectSettings::load(&Source::new("arsg.toml", all)).unwrap();
        assert_eq!(settings.labels.as_deref(), Some("语法"));
    }

    #[test]
    fn a_misspelt_key_is_told_with_what_was_meant() {
        let said = said("gramar = \"a.arsg\"\n");
        assert!(said.contains("P002"), "{said}");
        assert!(said.contains("unknown key `gramar`"), "{said}");
        assert!(said.contains("did you mean `grammar`?"), "{said}");
    }

    #[test]
    fn what_is_no_project_file_is_told_with_its_place() {
        for text in ["grammar = 3\n", "grammar = [\n", "规则\n"] {
            let said = said(text);
            assert!(said.contains("P001"), "{said}");
            assert!(said.contains("arsg.toml:1:"), "{said}");
        }
    }

    #[test]
    fn a_project_says_only_what_is_different() -> Result<()> {
        let text =
            "grammar = 'finance'\n[summarize]\nredundancy = 0.3\n[summarize.tastes]\nstep = 0.5\n";
        let options = read(text)?.summarize.options()?;
        let shipped = summarize::Tastes::default();
        assert_eq!((options.redundancy, options.tastes.step), (Some(0.3), 0.5));
        assert_eq!(options.tastes.relations, shipped.relations);
        assert_eq!(options.tastes.fall, shipped.fall);
        Ok(())
    }

    #[test]
    fn a_misspelt_taste_is_named_with_its_line() {
        let found = read("[summarize]\n[summarize.tastes]\nstepp = 1\n");
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
            let read = read(&format!("[summarize]\n{wrong}\n"));
            assert!(
                read.and_then(|settings| settings.summarize.options())
                    .is_err(),
                "{wrong}"
            );
        }
    }
}
