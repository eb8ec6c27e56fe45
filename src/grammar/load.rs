//! Loading a grammar with its schema and modules, and everything that is wrong with them.

use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::embedded::{
    embedded_files, embedded_grammar_names, is_on_shelf, shelf_path, shelf_schema, shelf_text,
};
use super::formula::{Formula, Type};
use super::functions::Scope;
use super::header::{Said, Speakers, read_header};
use super::model::{Equation, Grammar};
use super::parse::{is_no_grammar, parse, parse_equations, parse_formula};
use super::resolve::{KnownIds, Resolver};
use super::syntax::{Comment, Element, File, ItemKind, Word};
use super::tables::Table;
use super::typing::{BOUNDARY, FormulaContext, REASON, Typist};
use super::vocabulary::Vocabulary;
use crate::diagnostic::{Code, Diagnostic, Place, Problems, Source, any_error, nearest, report};
use crate::error::{Error, Result};
use crate::files::sources::{normalize, path_beside};
use crate::files::{Disk, Files};
use crate::schema::{Schema, ValueType, embedded_schema, is_shipped_name};
use crate::stopwatch::Stopwatch;

/// How long a chain of modules may be.
const MAX_MODULE_DEPTH: usize = 64;

/// Where a grammar without a file lies: beside the shipped ones.
const INLINE: &str = "grammars/text.arsg";

/// A grammar as far as it could be built, and everything that is wrong with it.
#[derive(Debug, Clone)]
pub struct Loaded {
    /// What could be built.
    pub grammar: Grammar,
    /// The syntax trees of its files: used files first, the file itself last.
    pub files: Vec<File>,
    /// All errors, and the warnings about single rules. [`Loaded::check`] adds those about the
    /// grammar as a whole.
    pub diagnostics: Vec<Diagnostic>,
}

impl Loaded {
    /// How many comments its files have that belong to no rule: all but doc comments.
    pub fn plain_comments(&self) -> usize {
        let plain = |comment: &Comment| usize::from(comment.doc().is_none());
        let elements = self.files.iter().flat_map(|file| &file.elements);
        let numbers = elements.map(|element| match element {
            Element::Comment(comment) => plain(comment),
            Element::Item(item) => item.comments.iter().map(plain).sum(),
            Element::Blank | Element::Broken(_) => 0,
        });
        numbers.sum()
    }

    /// The grammar, unless it has errors.
    pub fn into_result(self) -> Result<Grammar> {
        if any_error(&self.diagnostics) {
            return Err(Error::Invalid(self.diagnostics));
        }
        Ok(self.grammar)
    }
}

impl Grammar {
    /// Reads a grammar from disk, with its schema and modules.
    pub fn read(path: impl AsRef<Path>) -> Result<Loaded> {
        Grammar::load(path, &Disk::default(), None)
    }

    /// Loads a grammar from any files, or a shipped one (see [`super::embedded_path`]). Fails only when the
    /// file itself cannot be read; what is wrong inside is in the diagnostics. A `schema` given here
    /// goes before the one it names.
    pub fn load(
        path: impl AsRef<Path>,
        files: &dyn Files,
        schema: Option<Arc<Schema>>,
    ) -> Result<Loaded> {
        let watch = Stopwatch::start();
        let root = normalize(path.as_ref());
        let text = match shelf_text(&root) {
            Some(shipped) => shipped.to_owned(),
            None => files.read(&root)?,
        };
        let mut loader = Loader {
            files,
            root: root.clone(),
            found: Vec::new(),
            state: FxHashMap::default(),
            diagnostics: Vec::new(),
        };
        loader.load_module(root, text, &mut Vec::new());
        let loaded = loader.finish(schema);
        let rules = loaded.grammar.rules().count();
        tracing::info!(path = %path.as_ref().display(), rules, took = %watch, "loaded a grammar");
        Ok(loaded)
    }
}

/// Reads a grammar that needs no files of its own: it names a shipped schema (`schema "finance"`) and
/// may use shipped modules (`use "causes.arsg"`), as if it lay beside them. The error carries
/// everything that is wrong with it.
///
/// ```
/// use arsg::{Error, Grammar};
///
/// let grammar: Grammar = "schema \"finance\"\nprefer shift _ _ . _ x 3".parse()?;
/// assert_eq!(grammar.preferences.len(), 1);
/// let wrong = "schema \"finance\"\nprefer wait _ _ . _".parse::<Grammar>();
/// assert!(matches!(wrong, Err(Error::Invalid(problems)) if problems.len() == 1));
/// # Ok::<(), Error>(())
/// ```
impl FromStr for Grammar {
    type Err = Error;

    fn from_str(text: &str) -> Result<Grammar> {
        let files = embedded_files().with(INLINE, text);
        Grammar::load(INLINE, &files, None)?.into_result()
    }
}

/// Loads the tables of a text that has nothing else.
pub fn load_tables(text: &str, schema: &Arc<Schema>) -> Result<Vec<Table>> {
    let files = crate::files::Memory::default().with(INLINE, text);
    let loaded = Grammar::load(INLINE, &files, Some(Arc::clone(schema)))?;
    Ok(loaded.into_result()?.tables)
}

/// Loads a formula that stands alone, such as the summary's priority function: its free variables
/// and their types are the caller's. It must come to a value of the wanted type.
pub fn load_formula(
    source: &Arc<Source>,
    variables: &[(&str, ValueType)],
    wanted: ValueType,
) -> Result<Formula> {
    let context = FormulaContext {
        scope: Scope::Anywhere,
        nodes: &[],
        variables,
        place: "in this formula",
    };
    typed_formula(source, &Schema::default(), context, wanted)
}

/// Loads the reason of a production or preference, as it stands after `when`.
pub fn load_reason(source: &Arc<Source>, schema: &Schema) -> Result<Formula> {
    typed_formula(source, schema, REASON, ValueType::Bool)
}

/// Loads the reason of a boundary rule, as it stands after `when`.
pub fn load_boundary_reason(source: &Arc<Source>, schema: &Schema) -> Result<Formula> {
    typed_formula(source, schema, BOUNDARY, ValueType::Bool)
}

/// Loads attribute equations, as they stand after `set`; they come back in an order in which they
/// can be computed.
pub fn load_equations(source: &Arc<Source>, schema: &Schema) -> Result<Vec<Equation>> {
    let (written, diagnostics) = parse_equations(source);
    let mut problems = Problems::with(source, diagnostics);
    let equations = written.and_then(|written| {
        let mut resolver = Resolver {
            vocabulary: &Vocabulary::new(schema),
            problems: &mut problems,
            module: None,
        };
        resolver.resolve_equations(&written)
    });
    match equations {
        Some(equations) if !problems.any_error() => Ok(equations),
        _ => Err(Error::Invalid(problems.into_vec())),
    }
}

fn typed_formula(
    source: &Arc<Source>,
    schema: &Schema,
    context: FormulaContext<'_>,
    wanted: ValueType,
) -> Result<Formula> {
    let (expr, diagnostics) = parse_formula(source);
    let mut problems = Problems::with(source, diagnostics);
    let formula = expr.and_then(|expr| {
        let mut typist = Typist {
            vocabulary: &Vocabulary::new(schema),
            problems: &mut problems,
            context,
        };
        typist.type_as(&expr, Type::plain(wanted))
    });
    match formula {
        Some(formula) if problems.is_empty() => Ok(formula),
        _ => Err(Error::Invalid(problems.into_vec())),
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    Open,
    Done,
}

/// One file of the grammar.
pub(super) struct Module {
    pub(super) path: PathBuf,
    pub(super) file: File,
}

impl Module {
    /// What the file is known by, wherever it lies: its name and its content.
    fn key(&self) -> Arc<str> {
        let name = self.path.file_name().unwrap_or_default().to_string_lossy();
        let content = blake3::hash(self.file.source.text().as_bytes());
        format!("{name} {}", content.to_hex()).into()
    }
}

/// A schema as a file names it.
struct NamedSchema {
    path: PathBuf,
    source: Arc<Source>,
    word: Word,
}

struct Loader<'f> {
    files: &'f dyn Files,
    root: PathBuf,
    /// Used files before those that use them.
    found: Vec<Module>,
    state: FxHashMap<PathBuf, State>,
    diagnostics: Vec<Diagnostic>,
}

impl Loader<'_> {
    /// Parses a file and, before it, what it uses. `chain` leads from the first file to this one.
    fn load_module(&mut self, path: PathBuf, text: String, chain: &mut Vec<PathBuf>) {
        self.state.insert(path.clone(), State::Open);
        let source = Source::new(path.display().to_string(), text);
        let mut parsed = parse(&source);
        self.diagnostics.append(&mut parsed.diagnostics);
        chain.push(path.clone());
        let mut used: Vec<PathBuf> = Vec::new();
        for item in parsed.file.items() {
            let ItemKind::Use(word) = &item.kind else {
                continue;
            };
            let target = used_path(&path, &word.text);
            if used.contains(&target) {
                let message = format!("`{}` is used twice", word.text);
                let diagnostic = self.report(Code::G048, &source, word, message);
                diagnostic.label = Some("read once all the same".to_owned());
                diagnostic.help = Some("delete one of them".to_owned());
                continue;
            }
            used.push(target.clone());
            self.use_module(&source, word, target, chain);
        }
        chain.pop();
        self.state.insert(path.clone(), State::Done);
        self.found.push(Module {
            path,
            file: parsed.file,
        });
    }

    fn use_module(
        &mut self,
        source: &Arc<Source>,
        word: &Word,
        target: PathBuf,
        chain: &mut Vec<PathBuf>,
    ) {
        match self.state.get(&target) {
            Some(State::Done) => return,
            Some(State::Open) => {
                let from = chain.iter().position(|path| *path == target).unwrap_or(0);
                let circle = chain.iter().skip(from).chain([&target]);
                let circle: Vec<String> =
                    circle.map(|path| format!("`{}`", path.display())).collect();
                let message = format!("`{}` uses itself", target.display());
                self.report(Code::G016, source, word, message).help =
                    Some(format!("the circle is {}; break it", circle.join(" -> ")));
                return;
            }
            None => {}
        }
        if chain.len() >= MAX_MODULE_DEPTH {
            let message = format!("modules use each other more than {MAX_MODULE_DEPTH} deep");
            self.report(Code::G016, source, word, message).help =
                Some("use them from one file".to_owned());
            return;
        }
        let Some(text) = self.read(source, word, &target) else {
            return;
        };
        // A project may hold a copy of a shipped file: the same rules are read once.
        let is_copy = |module: &Module| {
            (is_on_shelf(&module.path) || is_on_shelf(&target))
                && module.path.file_name() == target.file_name()
                && module.file.source.text() == text
        };
        if !self.found.iter().any(is_copy) {
            self.load_module(target, text, chain);
        }
    }

    /// Says that a name stands for nothing shipped.
    fn report_unknown_name(&mut self, source: &Arc<Source>, word: &Word) {
        let names: Vec<&str> = embedded_grammar_names().collect();
        let message = format!("no grammar `{}` is shipped", word.text);
        let meant = match nearest(&word.text, names.iter().copied()) {
            Some(meant) => format!("did you mean `{meant}`? "),
            None => String::new(),
        };
        let instead = nearest(&word.text, names.iter().copied()).map(str::to_owned);
        let problem = self.report(Code::G014, source, word, message);
        problem.instead = instead.into_iter().collect();
        problem.help = Some(format!(
            "{meant}a name without `/` and `.` is that of a shipped grammar (`arsg show` lists them); \
             a file is named with its ending: `{}.arsg`",
            word.text
        ));
    }

    /// The text of a file that another one names.
    fn read(&mut self, source: &Arc<Source>, word: &Word, target: &Path) -> Option<String> {
        if let Some(text) = shelf_text(target) {
            return Some(text.to_owned());
        }
        if is_on_shelf(target) {
            self.report_unknown_name(source, word);
            return None;
        }
        if !self.files.may_read(&self.root, target) {
            let message = format!("`{}` lies outside the project", word.text);
            self.report(Code::G015, source, word, message).help = Some(
                "move it into the project, or run with `--allow-outside`; a project is the folder \
                 with `arsg.toml`, or the one above the grammar"
                    .to_owned(),
            );
            return None;
        }
        match self.files.read(target) {
            Ok(text) => Some(text),
            Err(error) => {
                let paths = format!("paths are taken from the folder of `{}`", source.name());
                self.report(Code::G014, source, word, error.to_string())
                    .help = error.help().or(Some(paths));
                None
            }
        }
    }

    fn finish(mut self, given: Option<Arc<Schema>>) -> Loaded {
        let modules = std::mem::take(&mut self.found);
        let mut grammar = Grammar {
            modules: modules
                .iter()
                .map(|m| m.path.display().to_string())
                .collect(),
            ..Grammar::default()
        };
        let schema = self.load_schema(&modules, &mut grammar, given);
        let mut known = KnownIds::default();
        let mut decided = Vec::new();
        if let Some(schema) = &schema {
            grammar.schema = Arc::clone(schema);
            let vocabulary = Vocabulary::new(schema);
            let speakers = Speakers::of(&modules);
            for (at, module) in modules.iter().enumerate() {
                let is_root = at + 1 == modules.len();
                let mut problems = Problems::new(&module.file.source);
                let mut resolver = Resolver {
                    vocabulary: &vocabulary,
                    module: (!is_root).then(|| module.key()),
                    problems: &mut problems,
                };
                let speaks = |kind: &ItemKind| speakers.speaks(at, kind);
                read_header(
                    &mut resolver,
                    module,
                    is_root,
                    &speaks,
                    &mut grammar,
                    &mut decided,
                );
                resolver.resolve_rules(&module.file, at, &mut grammar, &mut known);
                self.diagnostics.extend(problems.into_vec());
            }
            self.report_unread(&modules, &speakers, &grammar);
            for (decide, place) in decided {
                if decide != grammar.decide {
                    let message = format!(
                        "this module decides by {}, the grammar by {}",
                        decide.as_str(),
                        grammar.decide.as_str()
                    );
                    let diagnostic = Diagnostic::new(Code::G035, message).at(place);
                    self.diagnostics
                        .push(diagnostic.help("a grammar decides in one way: change one `decide`"));
                }
            }
        }
        let files: Vec<File> = modules.into_iter().map(|module| module.file).collect();
        sort_diagnostics(&mut self.diagnostics, &files);
        Loaded {
            grammar,
            files,
            diagnostics: self.diagnostics,
        }
    }

    /// Statements of modules that are not read because a file that counts more says otherwise. Shipped
    /// files are nobody's to change.
    fn report_unread(&mut self, modules: &[Module], speakers: &Speakers, grammar: &Grammar) {
        let Some((root, used)) = modules.split_last() else {
            return;
        };
        for (at, module) in used.iter().enumerate() {
            if is_on_shelf(&module.path) {
                continue;
            }
            for item in module.file.items() {
                let what = match Said::of(&item.kind) {
                    Some(Said::Start) => "start",
                    Some(Said::Action | Said::Production) => "fallback",
                    Some(Said::Decide) | None => continue,
                };
                let speaker = speakers.speaker(&item.kind).and_then(|at| modules.get(at));
                let Some(speaker) = speaker.filter(|_| !speakers.speaks(at, &item.kind)) else {
                    continue;
                };
                if speaker.file.items().any(|other| other.kind == item.kind) {
                    continue;
                }
                let name = match grammar.name.as_str() {
                    "" => root.path.display().to_string(),
                    name => name.to_owned(),
                };
                let message = format!("`{what}` is not read here: `{name}` uses this file");
                let diagnostic = Diagnostic::new(Code::G055, message)
                    .at(item.span.place(&module.file.source))
                    .help(format!(
                        "`{}` says otherwise, and counts more; delete one of the lines",
                        speaker.path.display()
                    ));
                self.diagnostics.push(diagnostic);
            }
        }
    }

    /// The schema: the one given, else the one that the files name; all must name the same.
    fn load_schema(
        &mut self,
        modules: &[Module],
        grammar: &mut Grammar,
        given: Option<Arc<Schema>>,
    ) -> Option<Arc<Schema>> {
        let named = self.find_schema(modules);
        if given.is_some() {
            if let Some(NamedSchema { path, word, .. }) = named {
                match shelf_schema(&path) {
                    Some(name) => grammar.schema_path = name.to_owned(),
                    None => {
                        grammar.schema_path = word.text.into();
                        grammar.schema_file = path;
                    }
                }
            }
            return given;
        }
        let Some(NamedSchema { path, source, word }) = named else {
            self.report_no_schema(modules.last()?);
            return None;
        };
        grammar.schema_path = word.text.as_ref().to_owned();
        if let Some(shipped) = shipped_schema(&path, &word) {
            if let Some(name) = shelf_schema(&path) {
                grammar.schema_path = name.to_owned();
            }
            return Some(Arc::new(shipped));
        }
        grammar.schema_file = path.clone();
        let text = self.read(&source, &word, &path)?;
        let source = Source::new(path.display().to_string(), text);
        let loaded = Schema::load_from(&source, &self.root, self.files);
        self.diagnostics.extend(loaded.diagnostics);
        Some(Arc::new(loaded.schema))
    }

    /// The schema that the files name.
    fn find_schema(&mut self, modules: &[Module]) -> Option<NamedSchema> {
        let mut named: Option<NamedSchema> = None;
        // Most modules name the same schema: each is compared once.
        let mut fitting: Vec<PathBuf> = Vec::new();
        // The file itself comes last, and its word counts most.
        for module in modules.iter().rev() {
            for item in module.file.items() {
                let ItemKind::Schema(word) = &item.kind else {
                    continue;
                };
                let path = path_beside(&module.path, &word.text);
                let source = &module.file.source;
                let identity = schema_identity(&path, word);
                let Some(first) = &named else {
                    fitting.push(identity);
                    named = Some(NamedSchema {
                        path,
                        source: Arc::clone(source),
                        word: word.clone(),
                    });
                    continue;
                };
                if fitting.contains(&identity) {
                    continue;
                }
                if self.stands_on((&first.path, &first.word), (&path, word)) {
                    fitting.push(identity);
                } else {
                    let message = format!(
                        "this module speaks of another schema than `{}`",
                        first.path.display()
                    );
                    let place = first.word.span.place(&first.source);
                    let diagnostic = self.report(Code::G035, source, word, message);
                    diagnostic
                        .related
                        .push((place, "the grammar's schema".to_owned()));
                    diagnostic.help = Some("rules of two schemas cannot be mixed".to_owned());
                }
            }
        }
        named
    }

    /// Says that no schema is named, unless one was, only not well, or nothing there is a grammar: that
    /// has been said.
    fn report_no_schema(&mut self, root: &Module) {
        let is_broken = |element: &Element| match element {
            Element::Broken(span) => {
                let text = root.file.source.text().get(span.range());
                text.is_some_and(|text| text.starts_with("schema"))
            }
            _ => false,
        };
        if root.file.elements.iter().any(is_broken) || is_no_grammar(&root.file) {
            return;
        }
        let place = Place::new(&root.file.source, 0..0);
        self.diagnostics.push(
            Diagnostic::new(Code::G013, "no schema is named")
                .at(place)
                .help("begin with `schema \"PATH\"`, or run with `--schema PATH`"),
        );
    }

    /// True when a schema is another one, wherever they lie, or stands on it: then it has all its names.
    fn stands_on(&self, one: (&Path, &Word), other: (&Path, &Word)) -> bool {
        let load = |(path, word): (&Path, &Word)| {
            if let Some(shipped) = shipped_schema(path, word) {
                return Some(shipped);
            }
            let may_read = self.files.may_read(&self.root, path);
            let text = may_read.then(|| self.files.read(path).ok()).flatten()?;
            let source = Source::new(path.display().to_string(), text);
            Some(Schema::load_from(&source, &self.root, self.files).schema)
        };
        let (Some(one), Some(other)) = (load(one), load(other)) else {
            return false;
        };
        let below = other.sources.first().map(|source| source.text());
        let mut layers = one.sources.iter().skip(1);
        one.hash == other.hash || layers.any(|layer| Some(layer.text()) == below)
    }

    fn report(
        &mut self,
        code: Code,
        source: &Arc<Source>,
        word: &Word,
        message: String,
    ) -> &mut Diagnostic {
        let problem = Diagnostic::new(code, message).at(word.span.place(source));
        report(&mut self.diagnostics, problem)
    }
}

/// The file that a `use` names: a name without `/` and `.` is that of a shipped grammar, everything else
/// a path.
pub(crate) fn used_path(file: &Path, written: &str) -> PathBuf {
    if is_shipped_name(written) {
        shelf_path(written)
    } else {
        path_beside(file, written)
    }
}

/// The name of the shipped schema that a plain name stands for, or that a shipped file names.
fn shipped_schema_name<'a>(path: &'a Path, word: &'a Word) -> Option<&'a str> {
    let is_plain = is_shipped_name(&word.text);
    shelf_schema(path).or_else(|| is_plain.then_some(&*word.text))
}

/// The shipped schema that is named so.
fn shipped_schema(path: &Path, word: &Word) -> Option<Schema> {
    shipped_schema_name(path, word).and_then(|name| embedded_schema(name).ok())
}

/// The same for all that name the same schema: the name of a shipped one, else the path.
fn schema_identity(path: &Path, word: &Word) -> PathBuf {
    let shipped = shipped_schema_name(path, word);
    shipped.map_or_else(|| path.to_owned(), PathBuf::from)
}

/// By file in the order of reading, then by place; schema problems first.
pub(super) fn sort_diagnostics(diagnostics: &mut [Diagnostic], files: &[File]) {
    let order: FxHashMap<&str, usize> = files
        .iter()
        .enumerate()
        .map(|(at, file)| (file.source.name(), at + 1))
        .collect();
    diagnostics.sort_by_key(|diagnostic| {
        let place = diagnostic.place.as_ref();
        let file = place.and_then(|place| order.get(place.source().name()).copied());
        let start = place.map_or(0, |place| place.range().start);
        (file.unwrap_or(0), start, diagnostic.code)
    });
}
