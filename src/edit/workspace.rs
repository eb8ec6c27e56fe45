//! The files of a project as an editor sees them: unsaved text over what lies on the disk.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::declared::{Declared, relations_of_cases};
use super::names::{Mention, Scan, Thing};
use crate::diagnostic::{Diagnostic, Source};
use crate::error::{Error, Result};
use crate::files::sources::{normalize, path_beside};
use crate::files::{Disk, Files};
use crate::grammar::{Grammar, Loaded, is_on_shelf, shelf_text, used_path};
use crate::schema::Schema;

/// What a file is, by its ending.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FileKind {
    /// `.arsg`
    Grammar,
    /// `.toml`
    Schema,
    /// `.case`
    Cases,
}

impl FileKind {
    /// By the ending of the name; everything else is read as a grammar.
    pub fn of(path: &Path) -> FileKind {
        match path.extension().and_then(|ending| ending.to_str()) {
            Some("toml") => FileKind::Schema,
            Some("case") => FileKind::Cases,
            _ => FileKind::Grammar,
        }
    }
}

/// A grammar with its modules and its schema, checked.
#[derive(Debug)]
pub(super) struct Checked {
    pub(super) loaded: Loaded,
    pub(super) problems: Vec<Diagnostic>,
    /// Every file that was read for it, with its text as it was then.
    read: Vec<(PathBuf, Option<String>)>,
}

/// A schema by itself, checked.
#[derive(Debug)]
pub(super) struct CheckedSchema {
    pub(super) schema: Arc<Schema>,
    pub(super) problems: Vec<Diagnostic>,
    /// Every file that was read for it, with its text as it was then.
    read: Vec<(PathBuf, Option<String>)>,
}

/// The files of a project: those that are open with their unsaved text, all others as they lie below.
///
/// All answers are functions of these texts. Nothing is written; edits are handed back.
pub struct Workspace {
    below: Box<dyn Files>,
    /// Grammars and case files that are known to be there, open or not.
    known: BTreeSet<PathBuf>,
    open: BTreeMap<PathBuf, Arc<Source>>,
    /// Texts from below, as they were read last.
    read: BTreeMap<PathBuf, Option<Arc<Source>>>,
    checked: BTreeMap<PathBuf, Arc<Checked>>,
    schemas: BTreeMap<PathBuf, Arc<CheckedSchema>>,
    scans: BTreeMap<PathBuf, (Arc<Source>, String, Arc<Scan>)>,
    pub(super) counted: BTreeMap<PathBuf, super::spoken::Spoken>,
}

impl Default for Workspace {
    fn default() -> Workspace {
        Workspace::new(Box::new(Disk::default()))
    }
}

impl Workspace {
    /// A workspace over files: a disk, or texts in memory.
    pub fn new(below: Box<dyn Files>) -> Workspace {
        Workspace {
            below,
            known: BTreeSet::new(),
            open: BTreeMap::new(),
            read: BTreeMap::new(),
            checked: BTreeMap::new(),
            schemas: BTreeMap::new(),
            scans: BTreeMap::new(),
            counted: BTreeMap::new(),
        }
    }

    /// Says which grammars, schemas and case files are there beside those that are open.
    pub fn know(&mut self, paths: impl IntoIterator<Item = PathBuf>) {
        self.known
            .extend(paths.into_iter().map(|path| normalize(&path)));
    }

    /// Opens a file with a text, or takes a new text for one that is open.
    pub fn open(&mut self, path: &Path, text: impl Into<String>) {
        let path = normalize(path);
        let source = Source::new(path.display().to_string(), text);
        self.open.insert(path, source);
    }

    /// Puts a text in the place of a stretch of an open file; a stretch outside it is cut to it.
    pub fn change(&mut self, path: &Path, range: Range<usize>, text: &str) {
        let path = normalize(path);
        let Some(source) = self.open.get(&path) else {
            return;
        };
        let mut changed = source.text().to_owned();
        let place = crate::diagnostic::Place::new(source, range);
        changed.replace_range(place.range(), text);
        self.open(&path, changed);
    }

    /// Closes a file: what lies below counts again.
    pub fn close(&mut self, path: &Path) {
        let path = normalize(path);
        self.open.remove(&path);
        self.read.remove(&path);
    }

    /// Files below have changed, come or gone.
    pub fn refresh(&mut self, paths: impl IntoIterator<Item = PathBuf>) {
        for path in paths {
            let path = normalize(&path);
            self.read.remove(&path);
            match self.below.read(&path) {
                Ok(_) => self.known.insert(path),
                Err(_) => self.known.remove(&path),
            };
        }
    }

    /// The open files, by path.
    pub fn open_files(&self) -> impl Iterator<Item = &Path> {
        self.open.keys().map(PathBuf::as_path)
    }

    /// The text of a file.
    pub fn text(&mut self, path: &Path) -> Option<Arc<Source>> {
        let path = normalize(path);
        if let Some(open) = self.open.get(&path) {
            return Some(Arc::clone(open));
        }
        let below = &self.below;
        let name = path.display().to_string();
        let read = self.read.entry(path).or_insert_with_key(|path| {
            let shipped = shelf_text(path).map(str::to_owned);
            let text = shipped.or_else(|| below.read(path).ok())?;
            Some(Source::new(name, text))
        });
        read.clone()
    }

    /// The grammars that are known, by path.
    pub(super) fn grammars(&self) -> Vec<PathBuf> {
        let all = self.known.iter().chain(self.open.keys());
        let grammars = all.filter(|path| FileKind::of(path) == FileKind::Grammar);
        grammars
            .cloned()
            .collect::<BTreeSet<_>>()
            .into_iter()
            .collect()
    }

    /// The case files that are known, by path.
    pub(super) fn case_files(&self) -> Vec<PathBuf> {
        let all = self.known.iter().chain(self.open.keys());
        let cases = all.filter(|path| FileKind::of(path) == FileKind::Cases);
        cases
            .cloned()
            .collect::<BTreeSet<_>>()
            .into_iter()
            .collect()
    }

    /// The schema files that are known, by path.
    pub(super) fn schema_files(&self) -> Vec<PathBuf> {
        let all = self.known.iter().chain(self.open.keys());
        let schemas = all.filter(|path| FileKind::of(path) == FileKind::Schema);
        schemas
            .cloned()
            .collect::<BTreeSet<_>>()
            .into_iter()
            .collect()
    }

    /// The files that a grammar file uses.
    fn uses(&mut self, path: &Path) -> Vec<PathBuf> {
        let Some(source) = self.text(path) else {
            return Vec::new();
        };
        let written = quoted_after(source.text(), "use");
        written.map(|written| used_path(path, written)).collect()
    }

    /// The grammar that a file is part of: the one at the top of those that use it, of several the one that
    /// says where it starts; the file itself where nothing uses it.
    pub fn root_of(&mut self, path: &Path) -> PathBuf {
        let path = normalize(path);
        let mut used_by: BTreeMap<PathBuf, Vec<PathBuf>> = BTreeMap::new();
        for grammar in self.grammars() {
            for used in self.uses(&grammar) {
                used_by.entry(used).or_default().push(grammar.clone());
            }
        }
        let mut seen = BTreeSet::from([path.clone()]);
        let mut waiting = vec![path.clone()];
        let mut tops = Vec::new();
        while let Some(next) = waiting.pop() {
            match used_by.get(&next) {
                Some(users) => {
                    let new: Vec<&PathBuf> = users.iter().filter(|u| !seen.contains(*u)).collect();
                    waiting.extend(new.iter().map(|user| (*user).clone()));
                    seen.extend(new.into_iter().cloned());
                }
                None => tops.push(next),
            }
        }
        tops.sort();
        let starts = |workspace: &mut Workspace, top: &Path| {
            let source = workspace.text(top);
            source.is_some_and(|source| source.text().lines().any(|l| l.starts_with("start")))
        };
        let starting = tops.iter().find(|top| starts(self, top)).cloned();
        starting.or_else(|| tops.into_iter().next()).unwrap_or(path)
    }

    /// The grammar that a file belongs to, checked; nothing where the file is not there.
    pub(super) fn checked(&mut self, path: &Path) -> Option<Arc<Checked>> {
        let root = self.root_of(path);
        self.checked_root(&root)
    }

    /// A grammar, checked; it is checked again only when a file that it was made of has changed.
    pub(super) fn checked_root(&mut self, root: &Path) -> Option<Arc<Checked>> {
        let known = self.checked.get(root).cloned();
        if let Some(known) = known.filter(|known| self.is_as_read(&known.read)) {
            return Some(known);
        }
        self.text(root)?;
        let overlay = Overlay::of(self);
        let loaded = Grammar::load(root, &overlay, None).ok()?;
        let read = overlay.read.into_inner().unwrap_or_default();
        let problems = loaded.check();
        let checked = Arc::new(Checked {
            loaded,
            problems,
            read: read.into_iter().collect(),
        });
        self.checked.insert(root.to_owned(), Arc::clone(&checked));
        Some(checked)
    }

    /// True while files have the texts that were read.
    fn is_as_read(&mut self, read: &[(PathBuf, Option<String>)]) -> bool {
        read.iter().all(|(path, text)| {
            let now = self.text(path);
            now.as_ref().map(|source| source.text()) == text.as_deref()
        })
    }

    /// A schema by itself, checked.
    pub(super) fn checked_schema(&mut self, path: &Path) -> Option<Arc<CheckedSchema>> {
        let path = normalize(path);
        let known = self.schemas.get(&path).cloned();
        if let Some(known) = known.filter(|known| self.is_as_read(&known.read)) {
            return Some(known);
        }
        let source = self.text(&path)?;
        let overlay = Overlay::of(self);
        let loaded = Schema::load_from(&source, &path, &overlay);
        let mut read = overlay.read.into_inner().unwrap_or_default();
        read.insert(path.clone(), Some(source.text().to_owned()));
        let checked = Arc::new(CheckedSchema {
            schema: Arc::new(loaded.schema),
            problems: loaded.diagnostics,
            read: read.into_iter().collect(),
        });
        self.schemas.insert(path, Arc::clone(&checked));
        Some(checked)
    }

    /// The vocabulary that a file speaks of.
    pub(super) fn schema_of(&mut self, path: &Path) -> Arc<Schema> {
        let schema = match FileKind::of(path) {
            FileKind::Schema => self.checked_schema(path).map(|own| Arc::clone(&own.schema)),
            FileKind::Grammar => self.grammar_schema(path),
            FileKind::Cases => {
                let root = self.grammar_of_cases(path);
                root.and_then(|root| self.grammar_schema(&root))
            }
        };
        schema.unwrap_or_default()
    }

    /// The schema that a grammar names, found without reading its rules: its own word, else that of the last
    /// file it uses that has one.
    fn grammar_schema(&mut self, path: &Path) -> Option<Arc<Schema>> {
        let root = self.root_of(path);
        let mut seen = BTreeSet::new();
        let mut waiting = vec![root];
        while let Some(next) = waiting.pop() {
            if !seen.insert(next.clone()) {
                continue;
            }
            let source = self.text(&next)?;
            if let Some(written) = quoted_after(source.text(), "schema").next() {
                let file = named_file(&next, &Thing::Schema(written.to_owned()))?;
                let checked = self.checked_schema(&file)?;
                return Some(Arc::clone(&checked.schema));
            }
            waiting.extend(self.uses(&next));
        }
        None
    }

    /// The grammar that the cases of a file test: that of the nearest project upwards.
    pub(super) fn grammar_of_cases(&mut self, path: &Path) -> Option<PathBuf> {
        let named = |folder: &Path, source: &Source| {
            let settings: toml::Table = source.text().parse().ok()?;
            let grammar = settings.get("grammar")?.as_str()?;
            Some(if crate::project::is_path(grammar) {
                normalize(&folder.join(grammar))
            } else {
                crate::grammar::embedded_path(grammar).ok()?
            })
        };
        let folders: Vec<PathBuf> = path.ancestors().skip(1).map(Path::to_owned).collect();
        for folder in &folders {
            let source = self.text(&folder.join(crate::project::FILE));
            if let Some(grammar) = source.and_then(|source| named(folder, &source)) {
                return Some(grammar);
            }
        }
        // Without a project: the grammar beside or above it that says where it starts.
        let grammars = self.grammars();
        let near = |folder: &PathBuf| grammars.iter().find(|path| path.starts_with(folder));
        let nearest = folders.iter().take(3).find_map(near)?.clone();
        Some(self.root_of(&nearest))
    }

    /// A grammar file, read word by word with the vocabulary of its grammar.
    pub(super) fn scan(&mut self, path: &Path) -> Option<Arc<Scan>> {
        let path = normalize(path);
        let source = self.text(&path)?;
        let schema = self.schema_of(&path);
        if let Some((known, hash, scan)) = self.scans.get(&path)
            && known.text() == source.text()
            && *hash == schema.hash
        {
            return Some(Arc::clone(scan));
        }
        let scan = Arc::new(Scan::of(source.text(), &schema));
        let entry = (source, schema.hash.clone(), Arc::clone(&scan));
        self.scans.insert(path, entry);
        Some(scan)
    }

    /// What a file names, and where.
    pub(super) fn mentions(&mut self, path: &Path) -> Vec<Mention> {
        match FileKind::of(path) {
            FileKind::Grammar => self
                .scan(path)
                .map_or_else(Vec::new, |s| s.mentions.clone()),
            FileKind::Schema => {
                let source = self.text(path);
                source.map_or_else(Vec::new, |s| Declared::of(s.text()).mentions)
            }
            FileKind::Cases => {
                let source = self.text(path);
                source.map_or_else(Vec::new, |s| relations_of_cases(s.text()))
            }
        }
    }

    /// What stands at a byte of a file.
    pub(super) fn mention_at(&mut self, path: &Path, at: usize) -> Option<Mention> {
        let mentions = self.mentions(path);
        let touching = |mention: &&Mention| mention.range.start <= at && at <= mention.range.end;
        let mut found = mentions.iter().filter(touching);
        let first = found.next()?;
        // Between two words that touch, the one that begins there.
        Some(found.next().unwrap_or(first).clone())
    }

    /// All files that share the vocabulary of a file: its schema's layers, and the grammars with one of them.
    pub(super) fn family(&mut self, path: &Path, thing: &Thing) -> Vec<PathBuf> {
        let schema = self.schema_of(path);
        let layers = |schema: &Schema| -> BTreeSet<PathBuf> {
            let names = schema.sources.iter();
            names
                .map(|source| normalize(Path::new(source.name())))
                .collect()
        };
        let home = match super::jump::declaration(&schema, thing) {
            Some(place) => normalize(Path::new(place.source().name())),
            None => PathBuf::new(),
        };
        let mut files: BTreeSet<PathBuf> = BTreeSet::new();
        let root = match FileKind::of(path) {
            FileKind::Grammar => Some(self.root_of(path)),
            FileKind::Cases => self.grammar_of_cases(path),
            FileKind::Schema => None,
        };
        let mut roots: BTreeSet<PathBuf> = root.iter().cloned().collect();
        if thing.is_of_schema() {
            let all = self.grammars();
            roots.extend(all.iter().map(|path| self.root_of(path)));
            files.extend(layers(&schema));
        }
        for other in roots {
            let Some(checked) = self.checked_root(&other) else {
                continue;
            };
            let own = layers(&checked.loaded.grammar.schema);
            if Some(&other) == root.as_ref() || own.contains(&home) {
                let sources = checked.loaded.files.iter().map(|file| file.source.name());
                files.extend(sources.map(|name| normalize(Path::new(name))));
                if thing.is_of_schema() {
                    files.extend(own);
                }
            }
        }
        if matches!(thing, Thing::Relation(_)) {
            for cases in self.case_files() {
                let tested = self.grammar_of_cases(&cases);
                if tested.is_some_and(|grammar| files.contains(&grammar)) {
                    files.insert(cases);
                }
            }
        }
        files.into_iter().collect()
    }

    /// True for what ships in the binary, which nobody can change.
    pub fn is_shipped(path: &Path) -> bool {
        is_on_shelf(path)
    }
}

/// What stands in quotes after a keyword at the beginning of a line.
fn quoted_after<'t>(text: &'t str, keyword: &'t str) -> impl Iterator<Item = &'t str> {
    text.lines().filter_map(move |line| {
        let rest = line.trim_start().strip_prefix(keyword)?;
        let quoted = rest.trim_start().strip_prefix('"')?;
        quoted.split('"').next()
    })
}

/// What a workspace shows to those who read files.
struct Overlay<'w> {
    open: &'w BTreeMap<PathBuf, Arc<Source>>,
    below: &'w dyn Files,
    /// What was asked for, and what it was.
    read: std::sync::Mutex<BTreeMap<PathBuf, Option<String>>>,
}

impl<'w> Overlay<'w> {
    fn of(workspace: &'w Workspace) -> Overlay<'w> {
        Overlay {
            open: &workspace.open,
            below: &*workspace.below,
            read: std::sync::Mutex::default(),
        }
    }
}

impl Files for Overlay<'_> {
    fn read(&self, path: &Path) -> Result<String> {
        let path = normalize(path);
        let found = match self.open.get(&path) {
            Some(open) => Ok(open.text().to_owned()),
            None => self.below.read(&path),
        };
        if let Ok(mut read) = self.read.lock() {
            read.insert(path, found.as_ref().ok().cloned());
        }
        found
    }

    fn may_read(&self, root: &Path, path: &Path) -> bool {
        self.open.contains_key(&normalize(path)) || self.below.may_read(root, path)
    }
}

/// How many files and folders are looked at below a folder.
const MOST_ENTRIES: usize = 50_000;

/// The grammars, schemas and case files below a folder; hidden folders and those of builds are left out.
pub fn files_below(folder: &Path) -> Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    let mut waiting = vec![folder.to_owned()];
    let mut seen = 0;
    while let Some(next) = waiting.pop() {
        let entries = match std::fs::read_dir(&next) {
            Ok(entries) => entries,
            Err(error) if next == folder => return Err(Error::read(folder, error)),
            // A folder that may not be read has nothing for us.
            Err(_) => continue,
        };
        for entry in entries.flatten() {
            seen += 1;
            let path = entry.path();
            let name = entry.file_name();
            let name = name.to_string_lossy();
            let Ok(kind) = entry.file_type() else {
                continue;
            };
            if kind.is_dir() {
                if !name.starts_with('.') && !matches!(&*name, "target" | "node_modules") {
                    waiting.push(path);
                }
            } else if name.ends_with(".arsg") || name.ends_with(".case") || is_schema(&path) {
                found.push(normalize(&path));
            }
        }
        if seen > MOST_ENTRIES {
            break;
        }
    }
    found.sort();
    Ok(found)
}

/// True for a TOML file that declares a vocabulary.
fn is_schema(path: &Path) -> bool {
    path.extension().is_some_and(|ending| ending == "toml")
        && crate::files::read_text(path).is_ok_and(|text| {
            let mut lines = text.lines();
            lines.any(|line| line.starts_with("[domain]"))
        })
}

/// The path that a word in quotes names, seen from a file.
pub(super) fn named_file(file: &Path, thing: &Thing) -> Option<PathBuf> {
    match thing {
        Thing::Module(written) => Some(used_path(file, written)),
        Thing::Schema(written) if crate::project::is_path(written) => {
            Some(path_beside(file, written))
        }
        Thing::Schema(written) => Some(PathBuf::from(format!("<embedded>/schemas/{written}.toml"))),
        _ => None,
    }
}
