//! `arsg embed near`.

use clap::Args as ClapArgs;

use super::super::Outcome;
use super::super::input::{SchemaArg, named};
use super::super::numbers;
use super::super::terminal::{Output, Terminal};
use super::ModelArg;
use crate::diagnostic::nearest;
use crate::embed::{Phrase, Role};
use crate::error::{Error, Result};
use crate::json;
use crate::text::Analyzer;
use crate::text::Document;

#[derive(ClapArgs)]
#[command(after_help = "Examples:
  arsg embed near 上涨 --role state --model news.safetensors
  arsg embed near 国际油价 --role object --model news.safetensors -n 20 --json

A phrase that the model does not know is composed from the words that it knows.")]
pub(super) struct Args {
    /// The phrase
    phrase: String,
    /// Which part of a core it is
    #[arg(long, default_value_t = Role::State, value_parser = named::<Role>(&Role::NAMES))]
    role: Role,
    #[command(flatten)]
    model: ModelArg,
    #[command(flatten)]
    schema: SchemaArg,
    /// How many (1 to 1000000)
    #[arg(long, short = 'n', default_value_t = 10, value_parser = numbers::whole::<usize>(1, 1000000))]
    count: usize,
}

pub(super) fn run(args: Args, terminal: &Terminal) -> Result<Outcome> {
    let embedder = args.model.load()?;
    let model = embedder.model();
    let role = args.role;
    let number = model.vocabulary.number(role, &args.phrase);
    let phrase = match number.and_then(|number| model.vocabulary.phrase(role, number)) {
        Some(phrase) => phrase.clone(),
        None => words(&args)?,
    };
    let Some(vector) = embedder.phrase(role, &phrase) else {
        let texts: Vec<String> = model
            .vocabulary
            .phrases(role)
            .map(|(p, _)| p.text())
            .collect();
        let known = nearest(&args.phrase, texts.iter().map(String::as_str));
        let hint = known.map_or_else(String::new, |known| format!("; did you mean `{known}`?"));
        return Err(Error::Missing(format!(
            "the model knows no word of `{}` as {}{hint}",
            args.phrase,
            role.as_str()
        )));
    };
    if number.is_none() {
        terminal.note(&format!(
            "`{}` is not known; composed from known words",
            args.phrase
        ));
    }
    let mut out = Output::open(None)?;
    for near in model.near(role, &vector, number, args.count) {
        out.write(&if terminal.json {
            json::line(&near)?
        } else {
            format!(
                "{:>9.3}  {:>7}  {}\n",
                near.distance, near.count, near.phrase
            )
        })?;
    }
    out.finish()?;
    Ok(Outcome::Fine)
}

/// The words of a phrase that the model does not know.
fn words(args: &Args) -> Result<Phrase> {
    let schema = super::load_schema(&args.schema)?;
    let document = Document::from_text("phrase", args.phrase.as_str());
    let analysis = Analyzer::new(&schema).analyze(&document);
    let words = analysis.words.iter().map(|word| word.text(&document.text));
    Phrase::new(words).ok_or_else(|| Error::Usage("the phrase is empty".to_owned()))
}
