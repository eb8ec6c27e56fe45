//! `arsg learn`: a grammar from few labels.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::{Args as ClapArgs, ValueEnum};
use ndarray::ArrayView2;

use super::Outcome;
use super::embed::ImpactArg;
use super::input::{InputArgs, SchemaArg, named, report_skips, shipped_as};
use super::numbers;
use super::select::SelectionArgs;
use super::terminal::{Output, Terminal};
use crate::automaton::Engine;
use crate::embed::neighbours::Epsilon;
use crate::embed::{CorpusCores, Impacts};
use crate::error::{Error, Result};
use crate::grammar::{Decide, Grammar};
use crate::json;
use crate::learn::{
    Beginning, Course, CourseSettings, Gain, Gold, Limit, LoopOptions, Progress, Row, Teacher,
    Transfer, seen_from,
};
use crate::project::is_path;
use crate::text::Document;

#[derive(ClapArgs)]
#[command(after_help = "Examples:
  arsg learn project --corpus news.jsonl --model news.safetensors
      begins: chooses representatives and says how to label them; the same call goes on later
  arsg learn project                                    goes on with what was labelled since
  arsg learn project --corpus texts.jsonl --model m.safetensors --gold trees.jsonl --limit 2%
      labels come from gold trees; people are asked for the others
  arsg learn project --add newer.jsonl                  new texts join the loop
  arsg learn project --roll-back 3                      takes back round 3 and all behind it

The project's folder holds the texts, the model, their impacts, people's labels, the rounds, and
after each round `grammar.arsg`, `rounds.jsonl`, the rules by their sources (`pieces/`, for `arsg
merge` to put together anew) and plots.
Whatever moment it is stopped at, the next call goes on and ends with the same bytes.

Until people have labelled as many texts as --limit says, rounds are those of the paper: texts
nearer than --epsilon take over a label, and the farthest are labelled by people. Then the nearest
of the others take over labels too, until --reach is reached; --reach 0 ends as the paper does.")]
pub(super) struct Args {
    /// The project's folder
    #[arg(value_name = "PROJECT")]
    project: PathBuf,
    /// Begin with these texts
    #[arg(long, value_name = "FILE|DIR", num_args = 1.., help_heading = "To begin")]
    corpus: Vec<PathBuf>,
    /// ... and this model, as `arsg embed train` wrote it
    #[arg(long, short, value_name = "MODEL", help_heading = "To begin")]
    model: Option<PathBuf>,
    #[command(flatten, next_help_heading = "To begin")]
    schema: SchemaArg,
    /// How the grammar decides
    #[arg(long, default_value_t = Decide::Counts, value_parser = named::<Decide>(&Decide::NAMES), help_heading = "To begin")]
    decide: Decide,
    /// Rules written by hand that learned ones are added to
    #[arg(long, value_name = "FILE.arsg", help_heading = "To begin")]
    written: Option<PathBuf>,
    /// The share of the limit that representatives take
    #[arg(
        long,
        value_name = "N%",
        default_value = "80%",
        help_heading = "To begin"
    )]
    initial: Limit,
    #[command(flatten, next_help_heading = "To begin")]
    selection: SelectionArgs,
    #[command(flatten, next_help_heading = "To begin")]
    impact: ImpactArg,
    /// Gold trees to label with: trees, JSON lines of trees, regression cases
    #[arg(long, value_name = "FILE|DIR", num_args = 1..)]
    gold: Vec<PathBuf>,
    /// The most texts that people label: a number, or a percentage of all (default: 2%, but 12 at least)
    #[arg(long, value_name = "N|N%")]
    limit: Option<Limit>,
    /// The most texts that people label in a round (default: a twentieth of the limit, but 5 at least) (1 to 1000000)
    #[arg(long, value_name = "K", value_parser = numbers::whole::<usize>(1, 1000000))]
    k: Option<usize>,
    /// How near is near: a distance, a percentile of the distances of nearest neighbours (p05), or of the
    /// distances from the representatives (default: r50, half of the texts)
    #[arg(long, value_name = "D|pN|rN")]
    epsilon: Option<Epsilon>,
    /// Which labelled texts a near text counts for
    #[arg(long, value_enum)]
    transfer: Option<TransferArg>,
    /// How many instances near texts add to the rules of the text whose label they take over
    #[arg(long, value_enum, default_value = "damped", help_heading = "To begin")]
    gain: GainArg,
    /// The percentage of all texts that shall have labels in the end
    #[arg(long, value_name = "N%")]
    reach: Option<Limit>,
    /// Take new texts in
    #[arg(long, value_name = "FILE|DIR", num_args = 1.., conflicts_with = "corpus")]
    add: Vec<PathBuf>,
    /// Take back this round and all behind it, and stop (0 to 1000000)
    #[arg(long, value_name = "ROUND", conflicts_with_all = ["corpus", "add"], value_parser = numbers::whole::<usize>(0, 1000000))]
    roll_back: Option<usize>,
}

#[derive(Clone, Copy, ValueEnum)]
enum TransferArg {
    /// All that are nearer than epsilon
    All,
    /// The nearest
    Nearest,
}

#[derive(Clone, Copy, ValueEnum)]
enum GainArg {
    /// One each, as printed
    One,
    /// As many as the rule has in that text
    Own,
    /// The same, for the 1st, 2nd, 4th, 8th near text only, and so on
    Damped,
}

/// What a loop is told where nobody says anything.
const EPSILON: Epsilon = Epsilon::Chosen(0.5);
const REACH: f64 = 0.9;
const SCHEMA: &str = "finance";

pub(super) fn run(args: Args, terminal: &Terminal) -> Result<Outcome> {
    let mut course = if Course::has_begun(&args.project) {
        args.go_on()?
    } else {
        args.begin(terminal)?
    };
    if let Some(round) = args.roll_back {
        let taken = course.roll_back(round)?;
        terminal.note(&format!("{taken} rounds were taken back"));
        return Ok(Outcome::Fine);
    }
    if !args.add.is_empty() {
        let added = course.add(&mut |take| each_document(&args.add, terminal, take))?;
        terminal.note(&format!("{added} texts were added"));
    }
    let gold = match course.settings().gold.as_slice() {
        [] => None,
        paths => Some(Gold::open(paths)?),
    };
    let engine = Engine::new(Grammar {
        schema: Arc::clone(course.schema()),
        ..Grammar::default()
    });
    let mut teacher = Teacher {
        texts: course.texts(),
        labels: course.labels(),
        engine: Arc::new(engine),
        gold,
    };
    let mut out = Output::beside();
    let begun = course.rows()?;
    out.write(&table(&begun, terminal.json)?)?;
    let mut failed = None;
    let progress = course.run(&mut teacher, |progress| {
        if let Progress::Round(row) = progress {
            let told = line(row, terminal.json).and_then(|line| out.write(&line));
            failed = told.and_then(|()| out.flush()).err().or(failed.take());
        }
    })?;
    if let Some(error) = failed {
        return Err(error);
    }
    out.finish()?;
    end(&progress, &course, begun.last(), terminal)?;
    Ok(Outcome::Fine)
}

impl Args {
    fn begin(&self, terminal: &Terminal) -> Result<Course> {
        let Some(model) = &self.model else {
            return Err(self.nothing_there("--model"));
        };
        if self.corpus.is_empty() {
            return Err(self.nothing_there("--corpus"));
        }
        let schema = self.schema_name()?;
        let written = self.written.as_deref();
        let written = written.map(|path| seen_from(&self.project, path));
        let gold = absolute(&self.gold)?;
        let with = Beginning {
            schema: &schema,
            model,
            written: written.as_deref(),
            gold: &gold,
            impact: self.impact.impact,
        };
        let course = Course::begin(
            &self.project,
            &with,
            &mut |take| each_document(&self.corpus, terminal, take),
            &|impacts, chosen| self.settings(&with, impacts, chosen),
            &|impacts, cores| self.representatives(impacts, cores),
        )?;
        let (texts, options) = (course.impacts().len(), &course.settings().options);
        terminal.note(&format!(
            "people label at most {} of {texts} texts, {} at first (`--limit` says otherwise); a text is near \
             that is nearer than {:.3}",
            options.limit.of(texts),
            course.waiting()?.len(),
            options.epsilon
        ));
        Ok(course)
    }

    fn nothing_there(&self, missing: &str) -> Error {
        Error::Usage(format!(
            "no loop has begun in `{}`: {missing} is needed to begin one; \
             `arsg embed train CORPUS -o model.safetensors` makes a model",
            self.project.display()
        ))
    }

    /// Opens a project, and tells its loop what is said anew.
    fn go_on(&self) -> Result<Course> {
        if !self.corpus.is_empty() || self.model.is_some() {
            // The same call may be given again; what is in the project counts.
            tracing::info!("the project has its texts and its model");
        }
        let mut course = Course::open(&self.project)?;
        let mut settings = course.settings().clone();
        if !self.gold.is_empty() {
            settings.gold = absolute(&self.gold)?;
        }
        let impacts = course.impacts();
        settings.options = self.options(Some(&settings.options), impacts, &[])?;
        if settings != *course.settings() {
            course.set_settings(settings)?;
        }
        Ok(course)
    }

    fn schema_name(&self) -> Result<String> {
        let name = self.schema.name(SCHEMA)?;
        if !is_path(&name) {
            return Ok(name);
        }
        // The loop's folder is a project of its own and names nothing outside where it need not.
        let shipped = shipped_as(&name).map(str::to_owned);
        Ok(shipped.unwrap_or_else(|| seen_from(&self.project, Path::new(&name))))
    }

    fn settings(
        &self,
        with: &Beginning<'_>,
        impacts: &Impacts,
        chosen: &[u32],
    ) -> Result<CourseSettings> {
        Ok(CourseSettings {
            schema: with.schema.to_owned(),
            decide: self.decide.to_string(),
            gain: match self.gain {
                GainArg::One => Gain::One,
                GainArg::Own => Gain::Own,
                GainArg::Damped => Gain::Damped,
            },
            written: with.written.map(str::to_owned),
            gold: with.gold.to_vec(),
            options: self.options(None, impacts, chosen)?,
        })
    }

    /// What the loop is told: what this call says, else what was said before, else what is usual.
    fn options(
        &self,
        before: Option<&LoopOptions>,
        impacts: &Impacts,
        chosen: &[u32],
    ) -> Result<LoopOptions> {
        let limit = self.limit.or(before.map(|old| old.limit));
        let limit = limit.unwrap_or_else(|| Limit::usual(impacts.len()));
        let reach = match self.reach {
            Some(Limit::Percent(percent)) => percent / 100.0,
            Some(Limit::Texts(0)) => 0.0,
            Some(Limit::Texts(_)) => {
                let message = "--reach is a percentage of all texts: 90%";
                return Err(Error::Usage(message.to_owned()));
            }
            None => before.map_or(REACH, |old| old.reach),
        };
        let usual_k = limit.usual_k(impacts.len());
        let epsilon = match (self.epsilon, before) {
            (Some(Epsilon::Chosen(_)), Some(_)) => {
                let message =
                    "representatives are chosen when a loop begins; write a distance, or pN";
                return Err(Error::Usage(message.to_owned()));
            }
            (Some(epsilon), _) => epsilon.measure(impacts.vectors(), chosen),
            (None, Some(old)) => old.epsilon,
            (None, None) => EPSILON.measure(impacts.vectors(), chosen),
        };
        Ok(LoopOptions {
            // Texts that all stand in one place are all near.
            epsilon: epsilon.max(f64::MIN_POSITIVE),
            k: self.k.or(before.map(|old| old.k)).unwrap_or(usual_k),
            limit,
            transfer: match self.transfer {
                Some(TransferArg::All) => Transfer::All,
                Some(TransferArg::Nearest) => Transfer::Nearest,
                None => before.map_or(Transfer::All, |old| old.transfer),
            },
            pick_on: reach > 0.0,
            reach,
        })
    }

    /// Representatives, of which people label as many as the limit leaves them.
    fn representatives(
        &self,
        impacts: ArrayView2<'_, f32>,
        cores: &CorpusCores,
    ) -> Result<Vec<u32>> {
        let space = self.selection.divide(impacts, cores)?;
        let texts = impacts.nrows();
        let limit = self.limit.unwrap_or_else(|| Limit::usual(texts)).of(texts);
        let most = self.initial.of(limit);
        let choices = self.selection.choose_up_to(&space, most);
        Ok(choices.iter().map(|choice| choice.text).collect())
    }
}

fn absolute(paths: &[PathBuf]) -> Result<Vec<PathBuf>> {
    let absolute = |path: &PathBuf| std::path::absolute(path).map_err(|e| Error::read(path, e));
    paths.iter().map(absolute).collect()
}

fn each_document(
    paths: &[PathBuf],
    terminal: &Terminal,
    take: &mut dyn FnMut(&Document) -> Result<()>,
) -> Result<()> {
    let input = InputArgs::of(paths.to_vec());
    let tally = input.work_through(
        terminal,
        "reading",
        |document| document,
        |document, _| take(&document),
    )?;
    report_skips(terminal, &tally);
    Ok(())
}

fn table(rows: &[Row], json: bool) -> Result<String> {
    let head = if json { "" } else { Row::HEAD };
    let lines: Result<String> = rows.iter().map(|row| line(row, json)).collect();
    Ok(head.to_owned() + &lines?)
}

fn line(row: &Row, json: bool) -> Result<String> {
    if !json {
        Ok(row.line())
    } else {
        json::line(row)
    }
}

/// Says how it ended, and what to do where it waits.
fn end(
    progress: &Progress,
    course: &Course,
    before: Option<&Row>,
    terminal: &Terminal,
) -> Result<()> {
    match progress {
        Progress::Waiting(texts) => {
            let ids = texts
                .iter()
                .filter_map(|text| course.impacts().ids.get(*text as usize));
            let ids: Vec<&str> = ids.map(String::as_str).collect();
            terminal.note(&waiting_note(&ids, course));
        }
        Progress::AllLabelled => terminal.note("every text has a label; nothing waits"),
        _ => terminal.note("people have labelled as many texts as the limit says; nothing waits"),
    }
    if let (Some(grammar), Some(row)) = (course.grammar(), course.rows()?.last()) {
        let written = Grammar::read(&grammar)?.into_result()?;
        terminal.note(&format!(
            "the grammar: {} ({} productions and {} preferences as the paper counts them, {} rules and rows \
             of tables as written)",
            grammar.display(),
            row.sizes.productions,
            row.sizes.precedences,
            written.size()
        ));
        if let Some(old) = before.filter(|old| old.round < row.round) {
            terminal.note(&format!(
                "{} productions and {} preferences are new to the grammar of round {}",
                row.sizes.productions - old.sizes.productions,
                row.sizes.precedences - old.sizes.precedences,
                old.round
            ));
        }
    }
    Ok(())
}

/// So many waiting texts are named.
const NAMED: usize = 10;

fn waiting_note(ids: &[&str], course: &Course) -> String {
    let mut names: Vec<&str> = ids.iter().take(NAMED).copied().collect();
    if ids.len() > NAMED {
        names.push("...");
    }
    let many = match ids.len() {
        1 => "1 text waits for its label".to_owned(),
        count => format!("{count} texts wait for labels, the most worth labelling first"),
    };
    let project = course.folder().display();
    format!(
        "{many}: {}\nlabel with\n  arsg annotate {project}\nand call `arsg learn {project}` again",
        names.join(", "),
    )
}
