//! Loading a grammar with its schema and modules, and everything that is wrong with them.

use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::embedded::embedded_files;
use super::formula::{Formula, Type};
use super::functions::Scope;
use super::model::{Decide, Equation, Grammar};
use super::parse::{is_no_grammar, parse, parse_equations, parse_formula};
use super::resolve::{KnownIds, Resolver};
use super::syntax::{Comment, Element, File, ItemKind, Word};
use super::tables::Table;
use super::typing::{BOUNDARY, FormulaContext, REASON, Typist};
use super::vocabulary::Vocabulary;
use crate::diagnostic::{Code, Diagnostic, Place, Problems, Source, any_error, report};
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

    /// Loads a grammar from any files. Fails only when the file itself cannot be read; what is
    /// wrong inside is in the diagnostics. A `schema` given here goes before the one it names.
    pub fn load(
        path: impl AsRef<Path>,
        files: &dyn Files,
        schema: Option<Arc<Schema>>,
    ) -> Result<Loaded> {
        let watch = Stopwatch::start();
        let root = normalize(path.as_ref());
        let text = files.read(&root)?;
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
struct Module {
    path: PathBuf,
    file: File,
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
            let target = path_beside(&path, &word.text);
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
        if let Some(text) = self.read(source, word, &target) {
            self.load_module(target, text, chain);
        }
    }

    /// The text of a file that another one names.
    fn read(&mut self, source: &Arc<Source>, word: &Word, target: &Path) -> Option<String> {
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
            // The grammar's own file speaks last, and for all.
            for (at, module) in modules.iter().enumerate() {
                let is_root = at + 1 == modules.len();
                let mut problems = Problems::new(&module.file.source);
                let mut resolver = Resolver {
                    vocabulary: &vocabulary,
                    module: (!is_root).then(|| module.key()),
                    problems: &mut problems,
                };
                read_header(&mut resolver, module, is_root, &mut grammar, &mut decided);
                resolver.resolve_rules(&module.file, at, &mut grammar, &mut known);
                self.diagnostics.extend(problems.into_vec());
            }
            self.report_unread(&modules, &grammar);
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

    /// Statements of modules that only the grammar's own file can make, where it says otherwise.
    fn report_unread(&mut self, modules: &[Module], grammar: &Grammar) {
        let Some((root, used)) = modules.split_last() else {
            return;
        };
        let own: Vec<&ItemKind> = root.file.items().map(|item| &item.kind).collect();
        for module in used {
            for item in module.file.items() {
                let what = match &item.kind {
                    ItemKind::Start(_) => "start",
                    ItemKind::FallbackAction(_) | ItemKind::FallbackProduction(_) => "fallback",
                    _ => continue,
                };
                if own.contains(&&item.kind) {
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
                        "move the line to `{}`, which speaks for all files, or delete it",
                        root.path.display()
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
                grammar.schema_path = word.text.into();
                grammar.schema_file = path;
            }
            return given;
        }
        let Some(NamedSchema { path, source, word }) = named else {
            self.report_no_schema(modules.last()?);
            return None;
        };
        grammar.schema_path = word.text.as_ref().to_owned();
        if let Some(shipped) = shipped_schema(&word) {
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
        // The file itself comes last, and its word counts most.
        for module in modules.iter().rev() {
            for item in module.file.items() {
                let ItemKind::Schema(word) = &item.kind else {
                    continue;
                };
                let path = path_beside(&module.path, &word.text);
                let source = &module.file.source;
                let Some(first) = &named else {
                    named = Some(NamedSchema {
                        path,
                        source: Arc::clone(source),
                        word: word.clone(),
                    });
                    continue;
                };
                let same = first.path == path
                    || self.is_same_schema((&first.path, &first.word), (&path, word));
                if !same {
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

    /// True when two names stand for schemas of the same content, wherever they lie.
    fn is_same_schema(&self, one: (&Path, &Word), other: (&Path, &Word)) -> bool {
        let hash = |(path, word): (&Path, &Word)| {
            if let Some(shipped) = shipped_schema(word) {
                return Some(shipped.hash);
            }
            let may_read = self.files.may_read(&self.root, path);
            let text = may_read.then(|| self.files.read(path).ok()).flatten()?;
            let source = Source::new(path.display().to_string(), text);
            Some(
                Schema::load_from(&source, &self.root, self.files)
                    .schema
                    .hash,
            )
        };
        let one = hash(one);
        one.is_some() && one == hash(other)
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

/// The shipped schema that a plain name stands for.
fn shipped_schema(word: &Word) -> Option<Schema> {
    let is_plain = is_shipped_name(&word.text);
    is_plain.then(|| embedded_schema(&word.text).ok()).flatten()
}

/// The statements before the rules. A module's count for itself only, and may not contradict.
fn read_header(
    resolver: &mut Resolver<'_>,
    module: &Module,
    is_root: bool,
    grammar: &mut Grammar,
    modules: &mut Vec<(Decide, Place)>,
) {
    let mut once = Once::default();
    for item in module.file.items() {
        match &item.kind {
            ItemKind::Grammar(name, version) => {
                once.expect_first(resolver, 0, "grammar", name);
                if is_root {
                    grammar.name = name.text.as_ref().to_owned();
                    grammar.version = version.as_ref().map(|v| v.text.as_ref().to_owned());
                }
            }
            ItemKind::Schema(word) => once.expect_first(resolver, 1, "schema", word),
            ItemKind::Start(word) => {
                once.expect_first(resolver, 2, "start", word);
                let symbol = resolver.resolve_symbol(word);
                if is_root {
                    grammar.start = symbol;
                }
            }
            ItemKind::Decide(word) => {
                once.expect_first(resolver, 3, "decide", word);
                let decide = resolver.resolve_choice(word);
                if let (Some(decide), true) = (decide, is_root) {
                    grammar.decide = decide;
                } else if let (Some(decide), false) = (decide, is_root) {
                    modules.push((decide, resolver.problems.place(word.span)));
                }
            }
            ItemKind::FallbackAction(word) => {
                once.expect_first(resolver, 4, "fallback", word);
                let action = resolver.resolve_action(word);
                if is_root {
                    grammar.fallback.action = action;
                }
            }
            ItemKind::FallbackProduction(production) => {
                once.expect_first(resolver, 5, "fallback", &production.parent);
                let shape = resolver.resolve_shape(production);
                if is_root {
                    grammar.fallback.production = shape;
                }
            }
            ItemKind::Use(_) | ItemKind::Rule(_) | ItemKind::Table(_) => {}
        }
    }
}

/// Statements that a file may make once: the first of each of the six kinds.
#[derive(Default)]
struct Once<'m> {
    first: [Option<&'m Word>; 6],
}

impl<'m> Once<'m> {
    /// Reports a statement of a kind that has been made before.
    fn expect_first(
        &mut self,
        resolver: &mut Resolver<'_>,
        kind: usize,
        what: &str,
        word: &'m Word,
    ) {
        let Some(earlier) = self.first[kind] else {
            self.first[kind] = Some(word);
            return;
        };
        let place = resolver.problems.place(earlier.span);
        let message = format!("a second `{what}`");
        let diagnostic = resolver.problems.report(Code::G012, word.span, message);
        diagnostic.related.push((place, "the first one".to_owned()));
        diagnostic.help = Some("delete one of them".to_owned());
    }
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
