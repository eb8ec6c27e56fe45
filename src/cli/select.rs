//! `arsg select`: the texts that people label first.

use std::path::PathBuf;

use clap::{Args as ClapArgs, ValueEnum};

use super::Outcome;
use super::embed::EmbeddedTexts;
use super::numbers;
use super::terminal::{Output, Terminal};
use crate::embed::CorpusCores;
use crate::error::{Error, Result};
use crate::json;
use crate::select::{
    Choice, ChoiceJson, Cubes, Divisions, Farthest, GridKind, Random, Space, Strategy,
};

#[derive(ClapArgs)]
#[command(after_help = "Examples:
  arsg select news.jsonl --model news.safetensors                3 texts of every cube
  arsg select news.jsonl -m news.safetensors --strategy percentage --q 20
                                                                 every 20th text of a cube
  arsg select news.jsonl -m news.safetensors --divide 2,3,4,4 --axes 2
  arsg select news.jsonl -m news.safetensors --strategy farthest --count 50 --json

The texts come in the order of their worth: the first draws of all cubes, fullest cubes first, then
the second draws, and so on. Random and farthest choose as many texts as cubes would, unless
`--count` says how many.")]
pub(super) struct Args {
    #[command(flatten)]
    embedded: EmbeddedTexts,
    #[command(flatten)]
    selection: SelectionArgs,
    /// Where the list goes (default: stdout)
    #[arg(long, short, value_name = "FILE")]
    out: Option<PathBuf>,
}

/// How texts are chosen.
#[derive(ClapArgs)]
pub(super) struct SelectionArgs {
    /// How texts are chosen
    #[arg(long, default_value = "cubes")]
    strategy: StrategyArg,
    /// Texts of every cube (cubes), or one text in so many of every cube (percentage) (1 to 1000000)
    #[arg(long, default_value_t = 3, value_parser = numbers::whole::<u32>(1, 1000000))]
    q: u32,
    /// The most texts (1 to 10000000)
    #[arg(long, value_name = "N", value_parser = numbers::whole::<usize>(1, 10000000))]
    count: Option<usize>,
    /// What is divided into cubes: all coordinates, or the leading axes of time, agent, object, state
    #[arg(long, default_value = "projected")]
    grid: GridArg,
    /// With --grid projected: axes of each of the four (1 to 1000)
    #[arg(long, default_value_t = 1, value_name = "R", value_parser = numbers::whole::<usize>(1, 1000))]
    axes: usize,
    /// Parts of an edge: one number, or one each for time, agent, object, state
    #[arg(long, default_value = "3", value_name = "I|I,I,I,I")]
    divide: String,
    /// The seed of what is drawn (0 to 2^64 - 1)
    #[arg(long, default_value_t = 1, value_parser = numbers::seed())]
    seed: u64,
}

#[derive(Clone, Copy, ValueEnum)]
enum StrategyArg {
    /// So many texts of every cube (Algorithm 31)
    Cubes,
    /// A share of the texts of every cube (Algorithm 32)
    Percentage,
    /// Any texts
    Random,
    /// Each the farthest from all before it
    Farthest,
}

#[derive(Clone, Copy, ValueEnum)]
enum GridArg {
    Full,
    Projected,
}

/// Cubes of more coordinates are listed by their numbers only.
const MOST_COORDINATES: usize = 16;

pub(super) fn run(args: Args, terminal: &Terminal) -> Result<Outcome> {
    let embedder = args.embedded.model.load()?;
    let mut cores = CorpusCores::new(&embedder);
    let impacts = args.embedded.texts.visit_impacts(
        &embedder,
        terminal,
        |_, _, cores| cores.to_vec(),
        |text| cores.add(&embedder, &text),
    )?;
    let space = args.selection.divide(impacts.vectors(), &cores)?;
    let choices = args.selection.choose(&space);
    let mut out = Output::open(args.out.as_deref())?;
    for choice in &choices {
        let doc = impacts.ids.get(choice.text as usize);
        let choice = ChoiceJson::new(&space, choice, doc.map_or("", String::as_str));
        out.write(&report(&choice, terminal.json)?)?;
    }
    out.finish()?;
    terminal.note(&format!(
        "{} of {} texts, from {} cubes",
        choices.len(),
        space.len(),
        space.cubes().len()
    ));
    Ok(Outcome::Fine)
}

impl SelectionArgs {
    pub(super) fn divide<'a>(
        &self,
        impacts: ndarray::ArrayView2<'a, f32>,
        cores: &CorpusCores,
    ) -> Result<Space<'a>> {
        let kind = match self.grid {
            GridArg::Full => GridKind::Full,
            GridArg::Projected => GridKind::Projected { axes: self.axes },
        };
        Space::divide(impacts, kind, self.divisions()?, cores)
    }

    fn divisions(&self) -> Result<Divisions> {
        let numbers: Option<Vec<u32>> = self
            .divide
            .split(',')
            .map(|number| number.trim().parse().ok().filter(|number| *number > 0))
            .collect();
        match numbers.as_deref() {
            Some([all]) => Ok([*all; 4]),
            Some([time, agent, object, state]) => Ok([*time, *agent, *object, *state]),
            _ => Err(Error::Usage(format!(
                "`{}` is no division; write one number as 3, or four as 2,3,4,4",
                self.divide
            ))),
        }
    }

    /// The same, so many at most; random and farthest choose as many.
    pub(super) fn choose_up_to(&self, space: &Space<'_>, most: usize) -> Vec<Choice> {
        let count = self.count.map_or(most, |count| count.min(most));
        self.chosen(space, Some(count))
    }

    fn choose(&self, space: &Space<'_>) -> Vec<Choice> {
        self.chosen(space, self.count)
    }

    fn chosen(&self, space: &Space<'_>, count: Option<usize>) -> Vec<Choice> {
        let q = self.q as usize;
        let cubes = match self.strategy {
            StrategyArg::Percentage => Cubes::Share(q),
            _ => Cubes::Each(q),
        };
        let count = count.unwrap_or_else(|| cubes.total(space));
        let strategy: &dyn Strategy = match self.strategy {
            StrategyArg::Cubes | StrategyArg::Percentage => &cubes,
            StrategyArg::Random => &Random(count),
            StrategyArg::Farthest => &Farthest(count),
        };
        let mut choices = strategy.choose(space, self.seed);
        choices.truncate(count);
        choices
    }
}

fn report(choice: &ChoiceJson, json: bool) -> Result<String> {
    if json {
        return json::line(choice);
    }
    let coordinates: Vec<String> = if choice.coordinates.len() > MOST_COORDINATES {
        Vec::new()
    } else {
        choice.coordinates.iter().map(i32::to_string).collect()
    };
    let place = if coordinates.is_empty() {
        String::new()
    } else {
        format!(" ({})", coordinates.join(" "))
    };
    Ok(format!(
        "{}  cube {}{place}  divergence {:.2}  {}\n",
        choice.doc, choice.cube, choice.divergence, choice.why
    ))
}
