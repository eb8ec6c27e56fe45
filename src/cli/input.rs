//! What commands over corpora share: files, folders and stdin in, schemas by name or path.

use std::path::{Path, PathBuf};

use clap::Args;
use rayon::prelude::*;

use super::outside::Outside;
use super::terminal::Terminal;
use crate::automaton::cases::read_case_file;
use crate::automaton::{Counting, Engine, Options, Search};
use crate::error::{Error, Result};
use crate::grammar::{Grammar, embedded_grammar};
use crate::schema::{Schema, embedded_schema};
use crate::text::Document;
use crate::text::corpus::{self, Format, Skip, Tally};

#[derive(Args)]
pub(super) struct InputArgs {
    /// Files or folders; `-` is stdin. SogouCA, document JSON, plain text and EDU-per-line are told
    /// apart by their content, regression cases by their name (`*.case`)
    #[arg(required = true, value_name = "FILE|DIR|-")]
    pub(super) paths: Vec<PathBuf>,
    /// Read as this format, whatever the content looks like
    #[arg(long, value_name = "FORMAT", value_parser = ["sogou", "jsonl", "json", "text", "edus"])]
    from: Option<String>,
}

impl InputArgs {
    /// Files and folders, told apart by their content and names.
    pub(super) fn of(paths: Vec<PathBuf>) -> InputArgs {
        InputArgs { paths, from: None }
    }

    /// Works through all documents on all threads; `sink` gets the results in order. What could
    /// not be read is counted.
    pub(super) fn each<T: Send>(
        &self,
        terminal: &Terminal,
        what: &str,
        work: impl Fn(Document) -> T + Sync,
        mut sink: impl FnMut(T, &mut Tally) -> Result<()>,
    ) -> Result<Tally> {
        let format = self.format();
        let files = corpus::files_below(&self.paths)?;
        let bar = terminal.progress(what, None);
        let mut tally = Tally::default();
        let mut failed: Option<Error> = None;
        let mut sink = |item: std::result::Result<T, Skip>| -> Result<()> {
            match item {
                Ok(result) => {
                    bar.inc(1);
                    tally.kept += 1;
                    sink(result, &mut tally)
                }
                Err(skip) => {
                    tally.skip(skip);
                    Ok(())
                }
            }
        };
        for file in &files {
            if format.is_none() && is_case_file(file) {
                let cases = read_case_file(file)?.into_result()?;
                let cases = cases.into_par_iter();
                let results: Vec<T> = cases.map(|case| work(case.document)).collect();
                results
                    .into_iter()
                    .try_for_each(|result| sink(Ok(result)))?;
                continue;
            }
            match corpus::open(file, format) {
                Ok(reader) => corpus::in_batches(reader, &work, &mut sink)?,
                // One unreadable file of many must not stop the others.
                Err(error) if files.len() > 1 => {
                    terminal.error(&error);
                    failed = Some(error);
                }
                Err(error) => return Err(error),
            }
        }
        bar.finish_and_clear();
        match failed {
            Some(_) if tally.kept == 0 => Err(Error::Failed("no file could be read".to_owned())),
            _ => Ok(tally),
        }
    }

    fn format(&self) -> Option<Format> {
        let name = self.from.as_deref()?;
        let found = Format::NAMES.iter().find(|(known, _)| *known == name)?;
        Some(found.1)
    }
}

#[derive(Args)]
pub(super) struct SchemaArg {
    /// The domain's vocabulary: `finance`, `general`, or a schema file
    #[arg(long, value_name = "NAME|FILE")]
    schema: Option<String>,
}

impl SchemaArg {
    /// How the schema is named, or the shipped one.
    pub(super) fn name<'a>(&'a self, default: &'a str) -> &'a str {
        self.schema.as_deref().unwrap_or(default)
    }

    /// The schema asked for, or the shipped one named.
    pub(super) fn load(&self, default: &str) -> Result<Schema> {
        let name = self.name(default);
        if name.contains(['/', '.']) {
            return Schema::read(Path::new(name))?.into_result();
        }
        embedded_schema(name)
    }
}

#[derive(Args)]
pub(super) struct GrammarArg {
    /// The grammar: `general`, `finance`, or a grammar file
    #[arg(long, short, value_name = "NAME|FILE")]
    grammar: Option<String>,
    #[command(flatten)]
    outside: Outside,
}

impl GrammarArg {
    /// The grammar asked for, or the shipped one for texts of any kind; warnings are not shown.
    pub(super) fn load(&self) -> Result<Grammar> {
        let name = self.grammar.as_deref().unwrap_or(DEFAULT_GRAMMAR);
        if name.contains(['/', '.']) {
            return Grammar::load(name, &self.outside.disk(), None)?.into_result();
        }
        embedded_grammar(name)
    }

    /// The grammar, ready to parse.
    pub(super) fn engine(&self) -> Result<Engine> {
        self.load().map(Engine::new)
    }
}

#[derive(Args)]
pub(super) struct SearchArgs {
    /// How to choose: `best` (the most probable step each time), `beam=K`, `sample=SEED`
    #[arg(long, value_name = "HOW", default_value = "best")]
    search: Search,
    /// Where counts decide: only the most specific pattern speaks, as in the paper (default: more
    /// general ones are mixed in)
    #[arg(long)]
    literal: bool,
}

impl SearchArgs {
    /// The options asked for, with one derivation.
    pub(super) fn options(&self) -> Options {
        Options {
            search: self.search,
            counting: match self.literal {
                true => Counting::Literal,
                false => Counting::default(),
            },
            derivations: 1,
        }
    }
}

/// What parses and segments where no grammar is given.
const DEFAULT_GRAMMAR: &str = "finance";

impl SchemaArg {
    /// How a grammar written to `out` names the schema: a shipped one by its name, a file by its
    /// path from the grammar's folder.
    pub(super) fn path_from(&self, out: Option<&Path>) -> String {
        let name = self.schema.as_deref().unwrap_or("general");
        if !name.contains(['/', '.']) {
            return name.to_owned();
        }
        let shipped = |known: &&&str| {
            let own = Schema::read(Path::new(name)).map(|loaded| loaded.schema.hash);
            let known = embedded_schema(known).map(|schema| schema.hash);
            matches!((own, known), (Ok(own), Ok(known)) if own == known)
        };
        if let Some(known) = ["general", "finance"].iter().find(shipped) {
            return (*known).to_owned();
        }
        let folder = out.and_then(Path::parent).unwrap_or(Path::new(""));
        crate::files::relative(Path::new(name), folder)
    }
}

/// True for regression cases, by the name of the file.
pub(super) fn is_case_file(path: &Path) -> bool {
    path.extension()
        .is_some_and(|extension| extension == "case")
}

/// Says what was not taken, when there is something to say.
pub(super) fn report_skips(terminal: &Terminal, tally: &Tally) {
    if tally.documents() > tally.kept {
        terminal.note(tally.report().trim_end());
    }
}
