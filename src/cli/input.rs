//! What commands over corpora share: files, folders and stdin in, schemas by name or path.

use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::Arc;

use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};

use super::outside::Outside;
use super::terminal::Terminal;
use crate::automaton::cases::{is_case_file, read_case_file};
use crate::automaton::{BlockRules, Counting, Engine, ParseOptions, Search};
use crate::error::{Error, Result};
use crate::grammar::{Grammar, embedded_grammar};
use crate::named::UnknownName;
use crate::project::is_path;
use crate::schema::{Schema, embedded_schema, embedded_schema_names};
use crate::stopwatch::Stopwatch;
use crate::text::corpus::{self, Format, Skip, Tally, TextFiles};
use crate::text::structure::Structure;
use crate::text::{Analyzer, Document};

#[derive(Args)]
pub(super) struct InputArgs {
    /// Files or folders (default: the project's corpus); `-` is stdin. SogouCA, document JSON, plain
    /// text and EDU-per-line are told apart by their content, regression cases by their name (`*.case`)
    #[arg(value_name = "FILE|DIR|-")]
    pub(super) paths: Vec<PathBuf>,
    /// Read as this format, whatever the content looks like
    #[arg(long, value_name = "FORMAT", value_parser = named::<Format>(&Format::NAMES))]
    from: Option<Format>,
    #[command(flatten)]
    outside: Outside,
}

impl InputArgs {
    /// Files and folders, told apart by their content and names.
    pub(super) fn of(paths: Vec<PathBuf>) -> InputArgs {
        InputArgs {
            paths,
            from: None,
            outside: Outside::default(),
        }
    }

    /// Works through all documents on all threads; `sink` gets the results in order. What could
    /// not be read is counted.
    pub(super) fn work_through<T: Send>(
        &self,
        terminal: &Terminal,
        what: &str,
        work: impl Fn(Document) -> T + Sync,
        mut sink: impl FnMut(T, &mut Tally) -> Result<()>,
    ) -> Result<Tally> {
        let format = self.from;
        let named = self.named(terminal)?;
        let TextFiles { files, passed_over } = self.find_texts(&named)?;
        let watch = Stopwatch::start();
        let bar = terminal.progress(what, None);
        let mut tally = Tally::default();
        tally.passed_over = passed_over;
        let mut texts = 0_u64;
        let mut failed = false;
        let mut sink = |item: std::result::Result<T, Skip>| -> Result<()> {
            let Ok(result) = item.map_err(|skip| tally.skip(skip)) else {
                return Ok(());
            };
            bar.inc(1);
            tally.kept += 1;
            texts += 1;
            sink(result, &mut tally)
        };
        // The texts of all files, one after another: many small files keep all threads busy, too.
        let mut stopped = None;
        let texts_of = |file: &PathBuf| {
            let is_case = format.is_none() && is_case_file(file);
            match documents(file, format, is_case) {
                Ok(documents) => Some(documents),
                // One unreadable file of many must not stop the others.
                Err(error) if files.len() > 1 => {
                    terminal.fail(&error);
                    failed = true;
                    Some(Box::new(std::iter::empty()) as Documents)
                }
                Err(error) => {
                    stopped = Some(error);
                    None
                }
            }
        };
        let all = files.iter().map_while(texts_of).flatten();
        corpus::process_in_batches(all, &work, &mut sink)?;
        if let Some(error) = stopped {
            return Err(error);
        }
        bar.finish_and_clear();
        let files = files.len();
        tracing::info!(what, files, texts, took = %watch, "worked through the texts");
        if texts > 0 {
            return Ok(tally);
        }
        Err(Error::Empty(if failed {
            "no file could be read".to_owned()
        } else {
            report_skips(terminal, &tally);
            format!("there is no text in {}", list_paths(&named))
        }))
    }

    /// The texts of files and folders. What is read as one format is taken as it comes.
    fn find_texts(&self, named: &[PathBuf]) -> Result<TextFiles> {
        if self.from.is_none() {
            return corpus::find_texts(named);
        }
        let found = crate::files::find_files(named)?;
        Ok(TextFiles {
            files: found.files,
            passed_over: found.passed_over,
        })
    }

    /// What is named, or else the project's corpus.
    fn named(&self, terminal: &Terminal) -> Result<Vec<PathBuf>> {
        if !self.paths.is_empty() {
            return Ok(self.paths.clone());
        }
        let corpus = self.outside.project()?.and_then(|project| project.corpus());
        if corpus.is_some() && stdin_may_hold_text() {
            terminal.note("stdin is not read; give `-` to read it");
        }
        corpus.map(|corpus| vec![corpus]).ok_or_else(|| {
            let message = "no text is named: give a file, a folder, or `-` for stdin; \
                 in a project, `corpus` in `arsg.toml` names the texts";
            Error::Usage(message.to_owned())
        })
    }
}

#[derive(Args)]
pub(super) struct SchemaArg {
    /// The domain's vocabulary: `finance`, `general`, or a schema file (default: the project's)
    #[arg(long, value_name = "NAME|FILE")]
    schema: Option<String>,
    #[command(flatten)]
    outside: Outside,
}

impl SchemaArg {
    /// True when one was asked for.
    pub(super) fn is_given(&self) -> bool {
        self.schema.is_some()
    }

    /// The schema asked for, or the shipped one named.
    pub(super) fn load(&self, default: &str) -> Result<Schema> {
        let name = self.name(default)?;
        if is_path(&name) {
            Schema::read(&name)?.into_result()
        } else {
            embedded_schema(&name)
        }
    }

    /// The name or path asked for, or the project's, or a shipped one's.
    pub(super) fn name(&self, default: &str) -> Result<String> {
        if let Some(name) = &self.schema {
            return Ok(name.clone());
        }
        let own = self.outside.project()?.and_then(|project| project.schema());
        Ok(own.unwrap_or_else(|| default.to_owned()))
    }
}

#[derive(Args)]
pub(super) struct GrammarArg {
    /// The grammar: `general`, `finance`, or a grammar file (default: the project's)
    #[arg(long, short, value_name = "NAME|FILE")]
    grammar: Option<String>,
    #[command(flatten)]
    outside: Outside,
}

impl GrammarArg {
    /// The grammar asked for, or the project's, or the shipped one; warnings are not shown.
    pub(super) fn load(&self) -> Result<Grammar> {
        self.load_or(DEFAULT_GRAMMAR)
    }

    fn load_or(&self, default: &str) -> Result<Grammar> {
        self.load_named(&self.name_or(default)?)
    }

    /// The path or name of the grammar asked for, or of the project's, or of the shipped one.
    pub(super) fn name(&self) -> Result<String> {
        self.name_or(DEFAULT_GRAMMAR)
    }

    fn name_or(&self, default: &str) -> Result<String> {
        if let Some(name) = &self.grammar {
            return Ok(name.clone());
        }
        let project = self.outside.project()?;
        let own = project.and_then(|project| project.grammar());
        Ok(own.unwrap_or_else(|| default.to_owned()))
    }

    /// A grammar by its name or path, whatever was asked for.
    pub(super) fn load_named(&self, name: &str) -> Result<Grammar> {
        if is_path(name) || Path::new(name).is_dir() {
            Grammar::load(name, &self.outside.disk(), None)?.into_result()
        } else {
            embedded_grammar(name)
        }
    }

    /// True when one was asked for.
    pub(super) fn is_given(&self) -> bool {
        self.grammar.is_some()
    }

    /// The grammar asked for, or the project's, or the shipped one named, ready to parse.
    pub(super) fn engine_or(&self, default: &str) -> Result<Engine> {
        self.load_or(default).map(Engine::new)
    }

    /// The grammar, ready to parse.
    pub(super) fn engine(&self) -> Result<Engine> {
        self.load().map(Engine::new)
    }
}

#[derive(Args)]
pub(super) struct StructureArg {
    /// What the lines of plain texts are: `rules` (the grammar's block rules say it; bylines, sources and
    /// the like stay out of trees), `keep` (the same, but they stay in), `none` (every line is a
    /// paragraph) (default: the project's, else `rules`)
    #[arg(long, value_name = "HOW", value_parser = named::<Structure>(&Structure::NAMES))]
    structure: Option<Structure>,
    #[command(flatten)]
    outside: Outside,
}

impl StructureArg {
    /// What is asked for, or what the project says, or block rules.
    pub(super) fn get(&self) -> Result<Structure> {
        if let Some(asked) = self.structure {
            return Ok(asked);
        }
        let project = self.outside.project()?;
        let own = project.and_then(|project| project.settings.structure);
        Ok(own.unwrap_or_default())
    }

    /// What is asked for on the command line.
    pub(super) fn asked(&self) -> Option<Structure> {
        self.structure
    }

    /// The engine, reading plain texts as asked for.
    pub(super) fn engine(&self, engine: Engine) -> Result<Engine> {
        Ok(engine.with_structure(self.get()?))
    }

    /// A reader with a schema's words, which reads plain texts by the shipped block rules.
    pub(super) fn reader(&self, schema: &Schema) -> Result<Analyzer> {
        let reader = Analyzer::new(schema).with_structure(self.get()?);
        Ok(match BlockRules::shipped()? {
            Some(rules) => reader.with_structurer(Box::new(Arc::new(rules))),
            None => reader,
        })
    }
}

/// Texts, and how they are parsed.
#[derive(Args)]
pub(super) struct ParsingArgs {
    #[command(flatten)]
    pub(super) input: InputArgs,
    #[command(flatten)]
    pub(super) structure: StructureArg,
    #[command(flatten)]
    pub(super) grammar: GrammarArg,
    #[command(flatten)]
    pub(super) search: SearchArgs,
}

impl ParsingArgs {
    /// The grammar, ready to parse.
    pub(super) fn engine(&self) -> Result<Engine> {
        self.structure.engine(self.grammar.engine()?)
    }
}

#[derive(Args)]
pub(super) struct SearchArgs {
    /// How to choose: `best` (the most probable step each time), `spans=K` (the tree whose spans are
    /// together most probable, by a beam of K), `beam=K`, `sample=SEED`
    #[arg(long, value_name = "HOW", default_value = "best")]
    search: Search,
    /// Where counts decide: only the most specific pattern speaks, as in the paper (default: more
    /// general ones are mixed in)
    #[arg(long)]
    literal: bool,
}

impl SearchArgs {
    /// The options asked for, with one derivation.
    pub(super) fn options(&self) -> ParseOptions {
        ParseOptions {
            search: self.search,
            counting: if self.literal {
                Counting::Literal
            } else {
                Counting::default()
            },
            derivations: 1,
        }
    }
}

/// Reads the name of one of an enum's variants; the help lists them.
pub(super) fn named<T>(names: &'static [&'static str]) -> impl TypedValueParser<Value = T>
where
    T: FromStr<Err = UnknownName> + Clone + Send + Sync + 'static,
{
    PossibleValuesParser::new(names).try_map(|name| name.parse())
}

/// What parses and segments where no grammar is given.
const DEFAULT_GRAMMAR: &str = "general";

impl SchemaArg {
    /// How a grammar written to `out` names the schema: a shipped one by its name, a file by its
    /// path from the grammar's folder.
    pub(super) fn path_from(&self, out: Option<&Path>) -> String {
        let name = self.name("general").unwrap_or_default();
        if !is_path(&name) {
            return name;
        }
        if let Some(known) = shipped_as(&name) {
            return known.to_owned();
        }
        let folder = out.and_then(Path::parent).unwrap_or(Path::new(""));
        crate::files::relative(Path::new(&name), folder)
    }
}

/// The name of the shipped schema that a schema file is a copy of, if it is one.
pub(super) fn shipped_as(file: &str) -> Option<&'static str> {
    let own = Schema::read(Path::new(file)).ok()?.schema.hash;
    embedded_schema_names().find(|known| {
        let known = embedded_schema(known).map(|schema| schema.hash);
        known.is_ok_and(|known| known == own)
    })
}

/// Documents as they are read.
type Documents = Box<dyn Iterator<Item = std::result::Result<Document, Skip>>>;

/// The documents of a file, those of regression cases included.
fn documents(file: &Path, format: Option<Format>, is_case: bool) -> Result<Documents> {
    if !is_case {
        return Ok(Box::new(corpus::open(file, format)?));
    }
    let cases = read_case_file(file)?.into_result()?;
    Ok(Box::new(cases.into_iter().map(|case| Ok(case.document))))
}

/// Says what was not taken, when there is something to say.
pub(super) fn report_skips(terminal: &Terminal, tally: &Tally) {
    if tally.documents() > tally.kept {
        terminal.note(tally.report().trim_end());
    } else if !tally.passed_over.is_empty() {
        terminal.note(&tally.passed_over.to_string());
    }
}

/// The text files of files and folders; says what else folders hold.
pub(super) fn text_files(paths: &[PathBuf], terminal: &Terminal) -> Result<Vec<PathBuf>> {
    let TextFiles { files, passed_over } = corpus::find_texts(paths)?;
    if !passed_over.is_empty() {
        terminal.note(&passed_over.to_string());
    }
    Ok(files)
}

/// Paths for a message.
pub(super) fn list_paths(paths: &[PathBuf]) -> String {
    let names = paths.iter().map(|path| match path.to_str() {
        Some("-") => "stdin".to_owned(),
        _ => format!("`{}`", path.display()),
    });
    names.collect::<Vec<_>>().join(", ")
}

/// True when something is piped or redirected into this process: a FIFO, or a file with content.
#[cfg(unix)]
fn stdin_may_hold_text() -> bool {
    use std::os::fd::AsFd;
    use std::os::unix::fs::FileTypeExt;
    let Ok(own) = std::io::stdin().as_fd().try_clone_to_owned() else {
        return false;
    };
    let about = std::fs::File::from(own).metadata();
    about.is_ok_and(|about| {
        let kind = about.file_type();
        kind.is_fifo() || (kind.is_file() && about.len() > 0)
    })
}

/// Elsewhere nobody can tell cheaply.
#[cfg(not(unix))]
fn stdin_may_hold_text() -> bool {
    false
}
