//! What is wrong in a file that is being written, seen from the grammar that it is part of.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use serde::Serialize;

use super::declared::Declared;
use super::jump::Spot;
use super::names::Thing;
use super::workspace::{FileKind, Workspace};
use crate::automaton::cases::read_cases;
use crate::diagnostic::{Code, Diagnostic, Severity};
use crate::files::sources::normalize;
use crate::grammar::is_on_shelf;

/// Something that somebody should look at.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Problem {
    /// The code; a hint has none.
    pub code: Option<&'static str>,
    /// How much it matters.
    #[serde(serialize_with = "by_name")]
    pub weight: Weight,
    /// What is wrong.
    pub message: String,
    /// What to do about it.
    pub help: Option<String>,
    /// Where.
    pub spot: Spot,
    /// Other places that matter, with what is said of them.
    pub related: Vec<(Spot, String)>,
    /// True for what could be left out: editors draw it pale.
    pub unused: bool,
}

crate::named::named_enum! {
    /// How much a problem matters.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
    pub enum Weight {
        /// The file does not validate.
        Error = "error",
        /// It can be used; somebody should look.
        Warning = "warning",
        /// Good to know.
        Hint = "hint",
    }
}

fn by_name<S: serde::Serializer>(weight: &Weight, out: S) -> Result<S::Ok, S::Error> {
    out.serialize_str(weight.as_str())
}

/// What is said of things that are there but need not be.
const NEEDLESS: [Code; 4] = [Code::G041, Code::G044, Code::G048, Code::G051];

impl Problem {
    fn of(diagnostic: &Diagnostic) -> Option<Problem> {
        let place = diagnostic.place.as_ref()?;
        let related = diagnostic.related.iter();
        Some(Problem {
            code: Some(diagnostic.code.as_str()),
            weight: match diagnostic.severity() {
                Severity::Error => Weight::Error,
                Severity::Warning => Weight::Warning,
            },
            message: diagnostic.message.clone(),
            help: diagnostic.help.clone(),
            spot: Spot::of(place),
            related: related
                .map(|(place, said)| (Spot::of(place), said.clone()))
                .collect(),
            unused: NEEDLESS.contains(&diagnostic.code),
        })
    }
}

impl Workspace {
    /// Everything wrong in a file, as its grammar sees it: a module is checked as part of the grammar that
    /// uses it, a case file with the grammar of its project.
    pub fn problems(&mut self, path: &Path) -> Vec<Problem> {
        let found = self.diagnostics(path);
        let own = normalize(path);
        let mut problems: Vec<Problem> = found
            .iter()
            .filter_map(Problem::of)
            .filter(|problem| problem.spot.path == own)
            .collect();
        if FileKind::of(path) == FileKind::Schema {
            problems.extend(self.names_used_nowhere(path));
        }
        problems
    }

    /// The files of which something can be said when a file changes: itself, and the open ones that share its
    /// grammar or its schema.
    pub fn touched_by(&mut self, path: &Path) -> Vec<PathBuf> {
        let path = normalize(path);
        let mut touched = BTreeSet::from([path.clone()]);
        let open: Vec<PathBuf> = self.open_files().map(Path::to_owned).collect();
        let root = self.root_of(&path);
        for other in open {
            let shares = match (FileKind::of(&path), FileKind::of(&other)) {
                (FileKind::Cases, _) => false,
                (FileKind::Grammar, FileKind::Grammar) => self.root_of(&other) == root,
                (FileKind::Grammar, FileKind::Cases) => {
                    self.grammar_of_cases(&other).as_ref() == Some(&root)
                }
                // Which names are used may have changed.
                (FileKind::Grammar, FileKind::Schema) => true,
                (FileKind::Schema, _) => {
                    let schema = self.schema_of(&other);
                    let mut sources = schema.sources.iter();
                    sources.any(|source| normalize(Path::new(source.name())) == path)
                }
            };
            if shares {
                touched.insert(other);
            }
        }
        touched.into_iter().collect()
    }

    /// All diagnostics of the grammar, the schema or the case file that a file belongs to.
    pub(super) fn diagnostics(&mut self, path: &Path) -> Vec<Diagnostic> {
        match FileKind::of(path) {
            FileKind::Grammar => {
                let checked = self.checked(path);
                checked.map_or_else(Vec::new, |checked| checked.problems.clone())
            }
            FileKind::Schema => {
                let checked = self.checked_schema(path);
                checked.map_or_else(Vec::new, |checked| checked.problems.clone())
            }
            FileKind::Cases => {
                let schema = self.schema_of(path);
                let Some(source) = self.text(path) else {
                    return Vec::new();
                };
                let file = read_cases(&source);
                let mut found = file.diagnostics.clone();
                if !schema.rhetoric.is_empty() {
                    found.extend(file.unknown_relations(&schema));
                }
                found
            }
        }
    }

    /// Names of a schema that no known grammar on it speaks of.
    fn names_used_nowhere(&mut self, path: &Path) -> Vec<Problem> {
        let path = normalize(path);
        let Some(source) = self.text(&path) else {
            return Vec::new();
        };
        let roots: BTreeSet<PathBuf> = {
            let all = self.grammars();
            all.iter().map(|grammar| self.root_of(grammar)).collect()
        };
        let mut files = BTreeSet::new();
        for root in roots {
            let Some(checked) = self.checked_root(&root) else {
                continue;
            };
            let mut layers = checked.loaded.grammar.schema.sources.iter();
            if layers.any(|layer| normalize(Path::new(layer.name())) == path) {
                let own = checked.loaded.files.iter().map(|file| file.source.name());
                files.extend(own.map(|name| normalize(Path::new(name))));
            }
        }
        // What no grammar stands on may be used anywhere; a shipped grammar's names are nobody's to delete.
        if files.is_empty() || files.iter().all(|file| is_on_shelf(file)) {
            return Vec::new();
        }
        let declared = Declared::of(source.text());
        let mut used: BTreeSet<Thing> = BTreeSet::new();
        for file in files {
            used.extend(
                self.mentions(&file)
                    .into_iter()
                    .map(|mention| mention.thing),
            );
        }
        let links = declared.mentions.iter().filter(|mention| !mention.declares);
        used.extend(links.map(|mention| mention.thing.clone()));
        let schema = self.schema_of(&path);
        let unused = declared.mentions.iter().filter(|mention| {
            let speaks = match &mention.thing {
                // Symbols with triggers stand on leaves, and cues speak for their relations.
                Thing::Symbol(name) => schema.relation(name).is_some_and(|id| {
                    let own = schema.relations.get(id.0 as usize);
                    own.is_some_and(|own| !own.triggers.is_empty() || !own.forms.is_empty())
                }),
                // Words of concepts name what texts are about.
                Thing::Concept(_) => true,
                _ => false,
            };
            mention.declares && !speaks && !used.contains(&mention.thing)
        });
        let hints = unused.map(|mention| Problem {
            code: None,
            weight: Weight::Hint,
            message: format!(
                "no grammar of this project speaks of the {} `{}`",
                mention.thing.noun(),
                mention.thing.name()
            ),
            help: None,
            spot: Spot {
                path: path.clone(),
                range: mention.range.clone(),
            },
            related: Vec::new(),
            unused: true,
        });
        hints.collect()
    }
}
