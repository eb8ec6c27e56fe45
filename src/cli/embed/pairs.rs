//! `arsg embed pairs`.

use std::path::PathBuf;

use clap::Args as ClapArgs;

use super::super::Outcome;
use super::super::terminal::{Output, Terminal};
use super::ImpactArg;
use crate::diagnostic::plural;
use crate::embed::Impacts;
use crate::embed::neighbours::{Epsilon, PairJson, pairs_within};
use crate::error::Result;
use crate::json;

#[derive(ClapArgs)]
#[command(after_help = "Examples:
  arsg embed pairs impacts.safetensors --epsilon 2.5
  arsg embed pairs impacts.safetensors --epsilon p05       the 5th percentile of the distances
                                                           of texts from their nearest texts")]
pub(super) struct Args {
    /// Impacts, as `arsg embed impacts` wrote them
    impacts: PathBuf,
    /// The distance, or a percentile of nearest-text distances
    #[arg(long, default_value = "p05", value_name = "NUMBER|pNN")]
    epsilon: Epsilon,
    #[command(flatten)]
    impact: ImpactArg,
    /// Where the pairs go (default: stdout)
    #[arg(long, short, value_name = "FILE")]
    out: Option<PathBuf>,
}

pub(super) fn run(args: Args, terminal: &Terminal) -> Result<Outcome> {
    let mut impacts = Impacts::load(&args.impacts)?;
    args.impact.apply(&mut impacts);
    let epsilon = args.epsilon.measure(impacts.vectors(), &[]);
    let pairs = pairs_within(impacts.vectors(), epsilon);
    let mut out = Output::open(args.out.as_deref())?;
    let name = |number: u32| impacts.ids.get(number as usize).map_or("", String::as_str);
    for pair in &pairs {
        let (left, right) = (name(pair.left), name(pair.right));
        let distance = pair.distance;
        out.write(&if terminal.json {
            let (left, right) = (left.to_owned(), right.to_owned());
            json::line(&PairJson {
                left,
                right,
                distance,
            })?
        } else {
            format!("{distance:>10.4}  {left}  {right}\n")
        })?;
    }
    out.finish()?;
    terminal.note(&format!(
        "{} nearer than {epsilon:.4}",
        plural(pairs.len(), "pair")
    ));
    Ok(Outcome::Fine)
}
