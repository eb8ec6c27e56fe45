//! `arsg sketch`: a grammar of one's own, begun.

use std::io::{BufRead, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::str::FromStr;

use clap::Args as ClapArgs;

use super::Outcome;
use super::input::named;
use super::query::bank_of;
use super::terminal::{Output, Terminal};
use crate::diagnostic::plural;
use crate::error::{Error, Result};
use crate::grammar::embedded_grammar;
use crate::project::{Genre, Language, OwnRelation, SketchOptions, sketch};
use crate::query::gather;
use crate::schema::{RhetoricKind, Segmentation};

#[derive(ClapArgs)]
#[command(after_help = "Examples:
  arsg sketch recipes                            asks what it needs to know
  arsg sketch cookbook --genre guide --edus clauses --lang zh
  arsg sketch health --genre news --trees trees/  rules that your trees bear out, too
  arsg sketch exams --relations 'topic-answer=答案是|回答是, answer-list:multinuc=另一个答案是'

It writes a project on top of the shipped grammar `general`: a schema, a grammar, cases, a text, a README.
With trees, connectives that nearly always go with one relation become rules, relations that `general` lacks
are declared, and the texts that the sketch parses as you did become cases. Everything passes `check
--deny-warnings`, `fmt --check` and `test` at once. Nothing is overwritten.

Exit codes: 0 done, 1 a file is there already, 3 a tree does not validate.")]
pub(super) struct Args {
    /// The folder, which need not be there yet
    #[arg(value_name = "DIR")]
    folder: PathBuf,
    /// What the grammar is called (default: as the folder)
    #[arg(long, value_name = "NAME")]
    name: Option<String>,
    /// What texts it is for
    #[arg(long, value_name = "GENRE", value_parser = named::<Genre>(&Genre::NAMES))]
    genre: Option<Genre>,
    /// How long EDUs are: clauses as `general` learned to cut them, or longer ones that each have a predicate
    #[arg(long, value_name = "SIZE", value_parser = named::<Segmentation>(&Segmentation::NAMES))]
    edus: Option<Segmentation>,
    /// Relations of your own besides the 32 of `general`, with commas, each with the words that open its
    /// second part: `NAME=WORD|WORD`; `NAME:multinuc=WORD` joins nuclei
    #[arg(long, value_name = "LIST")]
    relations: Option<String>,
    /// The language of comments
    #[arg(long, value_name = "LANGUAGE", value_parser = named::<Language>(&Language::NAMES))]
    lang: Option<Language>,
    /// Trees or regression cases to begin from
    #[arg(long, value_name = "FILE|DIR")]
    trees: Vec<PathBuf>,
    /// Documents of the trees, where their format does not say where paragraphs end
    #[arg(long, value_name = "FILE|DIR", requires = "trees")]
    docs: Option<PathBuf>,
}

pub(super) fn run(args: Args, terminal: &Terminal) -> Result<Outcome> {
    let trees = if args.trees.is_empty() {
        None
    } else {
        let mut gathered = gather(&args.trees, args.docs.as_deref())?;
        gathered.texts.clear();
        Some(bank_of(gathered, &embedded_grammar("general")?, terminal)?)
    };
    let options = args.options()?;
    let done = sketch(&args.folder, &options, trees.as_ref())?;
    let mut out = Output::beside();
    if terminal.json {
        let report = serde_json::json!({
            "folder": done.begun.folder, "files": done.begun.files, "rules": done.rules,
            "relations": done.relations, "trees": done.trees, "cases": done.cases,
        });
        out.write(&format!("{report}\n"))?;
    } else {
        let folder = done.begun.folder.display();
        let mut said = format!("{} in {folder}\n", plural(done.begun.files.len(), "file"));
        if done.trees > 0 {
            said.push_str(&format!(
                "from {}: {}, {} of its own; the sketch parses {} of them as you did\n",
                plural(done.trees, "tree"),
                plural(done.rules, "rule"),
                plural(done.relations.len(), "relation"),
                done.cases
            ));
        }
        said.push_str(&format!("\n  cd {folder}\n  arsg test\n  arsg examples\n\nREADME.md there says what to do next.\n"));
        out.write(&said)?;
    }
    out.finish()?;
    Ok(Outcome::Fine)
}

impl Args {
    /// What flags say, and what a person on a terminal answers to the rest.
    fn options(&self) -> Result<SketchOptions> {
        let nothing_said = self.genre.is_none()
            && self.edus.is_none()
            && self.relations.is_none()
            && self.lang.is_none()
            && self.trees.is_empty();
        let mut person = Person {
            is_there: nothing_said
                && std::io::stdin().is_terminal()
                && std::io::stdout().is_terminal(),
        };
        let name = match &self.name {
            Some(name) => name.clone(),
            None => folder_name(&self.folder),
        };
        let genre = match self.genre {
            Some(genre) => genre,
            None => person.choose("What texts is it for?", &Genre::NAMES, Genre::Plain)?,
        };
        let edus = match self.edus {
            Some(edus) => edus,
            None => person.choose(
                "How are EDUs cut?",
                &Segmentation::NAMES,
                Segmentation::Clauses,
            )?,
        };
        let relations = match &self.relations {
            Some(list) => list.clone(),
            None => person
                .ask("Relations of your own, as NAME=WORD|WORD with commas (none: press enter)?")?,
        };
        let language = match self.lang {
            Some(language) => language,
            None => person.choose(
                "In which language are comments?",
                &Language::NAMES,
                Language::English,
            )?,
        };
        Ok(SketchOptions {
            name,
            genre,
            edus,
            relations: read_relations(&relations)?,
            language,
        })
    }
}

/// A folder's name as a grammar can be called.
fn folder_name(folder: &Path) -> String {
    let name = folder
        .file_name()
        .map(|name| name.to_string_lossy().into_owned());
    let name = name.unwrap_or_default();
    let plain = |c: char| if c.is_alphanumeric() { c } else { '-' };
    let name: String = name.chars().map(plain).collect();
    let name = name.trim_matches(|c: char| !c.is_alphabetic());
    if name.is_empty() {
        "mine".to_owned()
    } else {
        name.to_owned()
    }
}

fn read_relations(list: &str) -> Result<Vec<OwnRelation>> {
    let parts = list.split([',', '，']).map(str::trim);
    parts
        .filter(|part| !part.is_empty())
        .map(read_relation)
        .collect()
}

/// `NAME=WORD|WORD` or `NAME:multinuc=WORD`.
fn read_relation(part: &str) -> Result<OwnRelation> {
    let (head, words) = part.split_once('=').unwrap_or((part, ""));
    let (name, kind) = head.split_once(':').unwrap_or((head, "rst"));
    let name = name.trim();
    let kind = RhetoricKind::from_str(kind.trim())
        .map_err(|error| Error::Usage(format!("relation `{name}`: {error}")))?;
    if !crate::schema::is_name(name) {
        return Err(Error::Usage(format!(
            "`{name}` cannot be the name of a relation"
        )));
    }
    let words = words
        .split('|')
        .map(str::trim)
        .filter(|word| !word.is_empty());
    let words: Vec<String> = words.map(str::to_owned).collect();
    if words.is_empty() {
        return Err(Error::Usage(format!(
            "say which words open the second part of `{name}`: `{name}=WORD|WORD`"
        )));
    }
    let name = name.to_owned();
    Ok(OwnRelation { name, kind, words })
}

/// Somebody who answers questions, or nobody: then the default is taken.
struct Person {
    is_there: bool,
}

impl Person {
    fn ask(&mut self, question: &str) -> Result<String> {
        if !self.is_there {
            return Ok(String::new());
        }
        let mut out = std::io::stdout();
        let shown = write!(out, "{question} ").and_then(|()| out.flush());
        shown.map_err(|error| Error::write("<stdout>", error))?;
        let mut answer = String::new();
        let read = std::io::stdin().lock().read_line(&mut answer);
        read.map_err(|error| Error::read("<stdin>", error))?;
        Ok(answer.trim().to_owned())
    }

    /// Asks until the answer is one of the names; nothing takes the default.
    fn choose<T: FromStr>(&mut self, question: &str, names: &[&str], default: T) -> Result<T> {
        loop {
            let answer = self.ask(&format!("{question} ({})", names.join(", ")))?;
            if answer.is_empty() {
                return Ok(default);
            }
            if let Ok(found) = answer.parse() {
                return Ok(found);
            }
        }
    }
}
