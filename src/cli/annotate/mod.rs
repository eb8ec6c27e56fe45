//! `arsg annotate`: texts labelled by people, by gold trees, or by the grammar itself.

mod board;
mod desk;
mod draw;
mod forest;
mod pending;
mod picker;
mod plain;
mod screen;

use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::Args as ClapArgs;

use super::Outcome;
use super::input::{GrammarArg, InputArgs, StructureArg, report_skips};
use super::outside::Outside;
use super::terminal::{Output, Terminal};
use super::trees::{FormatArg, read_all};
use crate::automaton::{Engine, ParseOptions};
use crate::behavior::{Annotator, GoldTrees, Labelling, LabellingState, SelfLabelling};
use crate::error::{Error, Result};
use crate::learn::{WaitingTexts, waiting_in};
use crate::text::Document;
use crate::tree::Format;
use desk::{Desk, Export, Opened, Turn};

#[derive(ClapArgs)]
#[command(after_help = "Examples:
  arsg annotate news.jsonl                          on a full screen; `?` shows the keys
  arsg annotate news.jsonl --text cpi-august-flash  this text first
  arsg annotate news.jsonl --export trees/          and a tree file for every finished text
  arsg annotate loop                                what waits in the folder of `arsg learn loop`
  arsg annotate news.jsonl --plain < commands.txt   a command a line; `help` lists them
  arsg annotate docs/ --gold trees/ --labels gold/  labels from trees that are there already
  arsg annotate docs/ --automatic --labels own/     labels as the grammar parses

Every action is on disk before the next key: nothing is lost, and the next call goes on where the
last one ended. Labels are JSON lines, one file a text; `docs/formats.md` describes them.")]
pub(super) struct Args {
    #[command(flatten)]
    input: InputArgs,
    #[command(flatten)]
    structure: StructureArg,
    #[command(flatten)]
    grammar: GrammarArg,
    /// Where labels are kept (default: the project's, else `labels`)
    #[arg(long, value_name = "DIR")]
    labels: Option<PathBuf>,
    /// Who you are, as labels say it (default: your login name)
    #[arg(long, value_name = "NAME")]
    annotator: Option<String>,
    /// Begin with this text (default: the first one that is not finished)
    #[arg(long, value_name = "ID")]
    text: Option<String>,
    /// Write the tree of every finished text here
    #[arg(long, value_name = "DIR")]
    export: Option<PathBuf>,
    /// The format of exported trees
    #[arg(long, value_name = "FORMAT", default_value = "rs3")]
    format: FormatArg,
    /// Write the rules that the session's texts contribute here, with their counts
    #[arg(long, value_name = "FILE")]
    rules: Option<PathBuf>,
    /// Read commands from stdin, one a line, also on a terminal
    #[arg(long)]
    plain: bool,
    /// Look at labels without changing them, also while somebody works on them
    #[arg(long, conflicts_with_all = ["gold", "automatic", "rules", "export"])]
    read_only: bool,
    /// Label as these trees say; texts without a tree are waiting
    #[arg(long, value_name = "FILE|DIR", conflicts_with = "plain")]
    gold: Option<PathBuf>,
    /// Label as the grammar parses, with probabilities
    #[arg(long, conflicts_with_all = ["gold", "plain"])]
    automatic: bool,
    #[command(flatten)]
    outside: Outside,
}

pub(super) fn run(args: Args, terminal: &Terminal) -> Result<Outcome> {
    let by_program = args.gold.is_some() || args.automatic;
    if !by_program && args.input.paths.iter().any(|path| path == Path::new("-")) {
        let message = "the corpus cannot come from stdin: commands do; give a file";
        return Err(Error::Usage(message.to_owned()));
    }
    let mut args = args;
    let waiting = waiting(&args)?;
    let grammar = match &waiting {
        Some(waiting) if !args.grammar.is_given() => args.grammar.load_named(&waiting.grammar)?,
        _ => args.grammar.load()?,
    };
    if let Some(waiting) = &waiting {
        args.input.paths = vec![waiting.texts.clone()];
    }
    let engine = Arc::new(args.structure.engine(Engine::new(grammar))?);
    let documents = documents(&args, terminal)?;
    let labels = match (args.labels, waiting) {
        (Some(labels), _) => labels,
        (None, Some(waiting)) => waiting.labels,
        (None, None) => args
            .outside
            .project()?
            .and_then(|project| project.labels())
            .unwrap_or_else(|| PathBuf::from("labels")),
    };
    let mut desk = Desk::new(engine, documents, labels, args.annotator);
    desk.read_only = args.read_only;
    desk.export = args.export.map(|folder| Export {
        folder,
        format: args.format.0,
    });
    if let Some(Export { format, .. }) = &desk.export
        && *format == Format::Edus
    {
        return Err(Error::Usage("`edus` holds no tree".to_owned()));
    }
    let gold = match &args.gold {
        Some(path) => Some(read_all(path, None, terminal)?),
        None => None,
    };
    if let Some(trees) = gold {
        let name = desk.named("gold");
        by_program_alone(&mut desk, GoldTrees::new(name, trees), terminal)?;
    } else if args.automatic {
        let own = SelfLabelling::new(&desk.engine, ParseOptions::default());
        by_program_alone(&mut desk, own, terminal)?;
    } else {
        let at = desk.first(args.text.as_deref())?;
        desk.must_open = args.text.is_some();
        let on_terminal = std::io::stdin().is_terminal() && std::io::stdout().is_terminal();
        let name = desk.person();
        if args.plain || !on_terminal {
            let person = plain::Plain::new(name, terminal);
            by_person(&mut desk, at, person, terminal)?;
        } else {
            let person = screen::Screen::open(name, terminal.color)?;
            by_person(&mut desk, at, person, terminal)?;
        }
    }
    if let Some(path) = &args.rules {
        desk.write_rules(path)?;
    }
    Ok(Outcome::Fine)
}

/// What waits in the loop whose folder is named, or that of the working folder where nothing is.
fn waiting(args: &Args) -> Result<Option<WaitingTexts>> {
    match args.input.paths.as_slice() {
        [] => match args.outside.project()? {
            Some(project) => waiting_in(&project.path("")),
            None => Ok(None),
        },
        [folder] => waiting_in(folder),
        _ => Ok(None),
    }
}

fn documents(args: &Args, terminal: &Terminal) -> Result<Vec<Document>> {
    let mut documents = Vec::new();
    let keep = |document: Document, _: &mut _| {
        documents.push(document);
        Ok(())
    };
    let tally = args
        .input
        .work_through(terminal, "reading", |document| document, keep)?;
    report_skips(terminal, &tally);
    if documents.is_empty() {
        Err(Error::Empty("there is no text to label".to_owned()))
    } else {
        Ok(documents)
    }
}

/// A person at a terminal, of whichever kind.
trait Person: Annotator {
    /// Takes a text up; `said` is what there is to know about it.
    fn take_up(&mut self, place: desk::Place, said: Vec<String>);

    /// What to do after the person left a text.
    fn turn(&mut self) -> Turn;

    /// Says something about the corpus as a whole; the person stays with the text.
    fn refuse(&mut self, why: &str);

    /// The rules of this session's earlier texts.
    fn remember(&mut self, rules: crate::behavior::RuleInstances);
}

fn by_person(
    desk: &mut Desk,
    first: usize,
    mut person: impl Person,
    terminal: &Terminal,
) -> Result<()> {
    let Opened {
        mut at,
        mut labelling,
        mut said,
        passed_over,
    } = desk.open_first(first)?;
    loop {
        person.take_up(desk.place(at), said);
        person.remember(desk.rules_of_others(at));
        (at, labelling, said) = loop {
            person.annotate(&mut labelling)?;
            desk.put_down(at, &labelling)?;
            let turned = desk.find_next(at, person.turn());
            let Some(next) = turned.transpose() else {
                drop(person);
                passed_over.iter().for_each(|error| terminal.fail(error));
                terminal.note(&desk.summary());
                return Ok(());
            };
            // A text that cannot be opened is named, and the person stays with this one.
            let next = match next {
                Ok(next) => next,
                Err(why) => {
                    person.refuse(&why.to_string());
                    continue;
                }
            };
            match desk.open_other(at, next) {
                Ok(opened) => break opened,
                Err(why) => {
                    if desk::concerns_one(&why) {
                        desk.pass_over(next);
                    }
                    person.refuse(&why.to_string());
                }
            }
        };
    }
}

/// Programs label the whole corpus at once; a label appears whole.
fn by_program_alone(
    desk: &mut Desk,
    mut annotator: impl Annotator,
    terminal: &Terminal,
) -> Result<()> {
    let bar = terminal.progress("labelling", Some(desk.documents.len() as u64));
    let mut waiting = Vec::new();
    for at in 0..desk.documents.len() {
        let document = &desk.documents[at];
        let mut labelling = Labelling::new(&desk.engine, document, annotator.name());
        match annotator.annotate(&mut labelling)? {
            LabellingState::Waiting => waiting.push(document.id.clone()),
            LabellingState::Finished | LabellingState::Paused => {
                match desk.save(at, labelling.label()) {
                    Ok(()) => desk.put_down(at, &labelling)?,
                    // Somebody else's label, or a damaged one, is kept; the others are written.
                    Err(error) if desk::concerns_one(&error) => terminal.fail(&error),
                    Err(error) => return Err(error),
                }
            }
        }
        bar.inc(1);
    }
    bar.finish_and_clear();
    if terminal.json {
        let labelled = desk.documents.len() - waiting.len();
        let account = serde_json::json!({"labelled": labelled, "waiting": waiting});
        let mut out = Output::beside();
        out.write(&format!("{account}\n"))?;
        return out.finish();
    }
    terminal.note(&desk.summary());
    if !waiting.is_empty() {
        terminal.note(&format!(
            "waiting for a tree: {} of {} texts: {}",
            waiting.len(),
            desk.documents.len(),
            waiting.join(", ")
        ));
    }
    Ok(())
}

/// How probable something is, for people: never 0% or 100% where it is neither.
fn percent(probability: f64) -> String {
    match probability * 100.0 {
        share if share > 0.0 && share < 1.0 => "<1%".to_owned(),
        share if share < 100.0 && share > 99.0 => "99%".to_owned(),
        share => format!("{share:.0}%"),
    }
}

/// Minutes and seconds.
fn clock(seconds: f64) -> String {
    let seconds = seconds as u64;
    format!("{}:{:02}", seconds / 60, seconds % 60)
}

fn engine_named(engine: &Engine) -> String {
    let grammar = engine.grammar();
    match &grammar.version {
        Some(version) => format!("{} {version}", grammar.name),
        None => grammar.name.clone(),
    }
}
