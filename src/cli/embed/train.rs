//! `arsg embed train`.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use clap::Args as ClapArgs;

use super::super::Outcome;
use super::super::input::report_skips;
use super::super::numbers;
use super::super::terminal::{Output, Terminal};
use super::TextArgs;
use crate::embed::{
    AdamKind, CoreSet, Distance, Epoch, Model, Parameters, PhraseReader, Role, TimeGrain, Trainer,
};
use crate::error::Result;
use crate::files::{Lock, disk};
use crate::json;
use crate::plot::{Chart, Layer};

#[derive(ClapArgs)]
#[command(after_help = "Examples:
  arsg embed train news.jsonl -o news.safetensors
  arsg embed train news.jsonl -o news.safetensors --plot loss.svg --epochs 50
  arsg embed train newer.jsonl --extend news.safetensors -o both.safetensors
      new phrases join; the old ones keep their vectors, so that old impacts stay comparable

Training that was interrupted goes on where it was when the same command is given again, and
ends with the same bytes.")]
pub(super) struct Args {
    #[command(flatten)]
    texts: TextArgs,
    /// The model file to write (safetensors)
    #[arg(long, short, value_name = "MODEL")]
    out: PathBuf,
    /// Go on from an earlier model
    #[arg(long, value_name = "MODEL")]
    extend: Option<PathBuf>,
    /// With --extend: let the vectors of old phrases move too
    #[arg(long, requires = "extend")]
    move_old: bool,
    /// Coordinates of a phrase's vector (1 to 4096)
    #[arg(long, default_value_t = 150, value_name = "W", value_parser = numbers::whole::<usize>(1, 4096))]
    width: usize,
    /// The margin of the loss (0.001 to 1000)
    #[arg(long, default_value_t = 2.0, value_parser = numbers::real::<f32>(0.001, 1000.0))]
    margin: f32,
    /// The distance of the loss
    #[arg(long, default_value = "l1", value_parser = ["l1", "l2"])]
    distance: String,
    /// Corruptions of each part of a core (1 to 64)
    #[arg(long, default_value_t = 1, value_name = "K", value_parser = numbers::whole::<usize>(1, 64))]
    negatives: usize,
    /// Adam's learning rate (0 to 1)
    #[arg(long, default_value_t = 0.001, value_name = "RATE", value_parser = numbers::real::<f32>(0.0, 1.0))]
    learning_rate: f32,
    /// Whether phrases that a batch does not touch stay (lazy) or glide on (dense)
    #[arg(long, default_value = "lazy", value_parser = ["lazy", "dense"])]
    adam: String,
    /// Cores a batch; 0: by the size of the corpus (0 to 1048576)
    #[arg(long, default_value_t = 0, value_parser = numbers::whole::<usize>(0, 1048576))]
    batch: usize,
    /// The most epochs (1 to 100000)
    #[arg(long, default_value_t = 100, value_parser = numbers::whole::<u32>(1, 100000))]
    epochs: u32,
    /// Stop when the held-out loss has not fallen for so many epochs; 0: never (0 to 100000)
    #[arg(long, default_value_t = 5, value_parser = numbers::whole::<u32>(0, 100000))]
    patience: u32,
    /// The share of cores that is held out (0 to 0.5)
    #[arg(long, default_value_t = 0.05, value_name = "SHARE", value_parser = numbers::real::<f32>(0.0, 0.5))]
    held_out: f32,
    /// Phrases met fewer times get no vector of their own; they are composed from words (1 to 1000000)
    #[arg(long, default_value_t = 1, value_name = "N", value_parser = numbers::whole::<u64>(1, 1000000))]
    min_count: u64,
    /// How exactly times are told apart
    #[arg(long, default_value = "month", value_parser = ["day", "month", "year"])]
    time: String,
    /// Begin with a random vector for every phrase, and not with what its words come to
    #[arg(long)]
    own_words: bool,
    /// The seed of all that is drawn (0 to 2^64 - 1)
    #[arg(long, default_value_t = 1, value_parser = numbers::seed())]
    seed: u64,
    /// Draw the loss curve (SVG)
    #[arg(long, value_name = "FILE")]
    plot: Option<PathBuf>,
    /// Begin anew, whatever an interrupted training has left
    #[arg(long)]
    restart: bool,
    /// Seconds between checkpoints, which are written behind epochs (0 to 86400)
    #[arg(long, default_value_t = 20, value_name = "SECONDS", value_parser = numbers::whole::<u64>(0, 86400))]
    checkpoint_every: u64,
}

pub(super) fn run(args: Args, terminal: &Terminal) -> Result<Outcome> {
    let parameters = args.parameters();
    parameters.check()?;
    let earlier = args.extend.as_deref().map(Model::load).transpose()?;
    let cores = read_cores(&args, &parameters, earlier.as_ref(), terminal)?;
    let mut trainer = Trainer::new(parameters, cores, earlier.as_ref())?;
    let checkpoint = checkpoint_of(&args.out);
    let _lock = Lock::beside(&args.out)?;
    if args.restart {
        disk::remove(&checkpoint)?;
    } else if checkpoint.exists() {
        trainer.resume(&checkpoint)?;
        let done = trainer.history().len();
        terminal.note(&format!(
            "going on behind epoch {done} of `{}`",
            checkpoint.display()
        ));
    }
    let (training, held_out) = trainer.sizes();
    terminal.note(&format!(
        "{training} cores to learn from, {held_out} held out"
    ));
    train(&mut trainer, &args, &checkpoint, terminal)?;
    let model = trainer.into_model();
    model.save(&args.out)?;
    disk::remove(&checkpoint)?;
    if let Some(path) = &args.plot {
        super::write_plot(path, &loss_curve(&model.history), terminal)?;
    }
    let phrases =
        Role::ALL.map(|role| format!("{} {}s", model.vocabulary.len(role), role.as_str()));
    terminal.note(&format!("{}: {}", args.out.display(), phrases.join(", ")));
    if let Some(gap) = model.memorized() {
        terminal.note(&format!(
            "warning: the corpus is small for its words: a core that was held out has a loss of {:.2}, one that was \
             learned {:.2}; distances tell topics roughly at best, and more texts help (see `arsg embed check`)",
            gap.held_out, gap.learned
        ));
    }
    Ok(Outcome::Fine)
}

fn read_cores(
    args: &Args,
    parameters: &Parameters,
    earlier: Option<&Model>,
    terminal: &Terminal,
) -> Result<CoreSet> {
    let schema = args.texts.schema()?;
    let reader = PhraseReader::new(&schema, parameters.grain);
    let mut cores = match earlier {
        Some(model) => CoreSet::continuing(model.vocabulary.clone()),
        None => CoreSet::default(),
    };
    let tally = args.texts.input.work_through(
        terminal,
        "extracting cores",
        |document| reader.read(&document).1,
        |text, _| {
            cores.add(&text);
            Ok(())
        },
    )?;
    report_skips(terminal, &tally);
    Ok(cores)
}

fn train(trainer: &mut Trainer, args: &Args, checkpoint: &Path, terminal: &Terminal) -> Result<()> {
    let mut out = Output::beside();
    let mut saved = Instant::now();
    let pause = Duration::from_secs(args.checkpoint_every);
    while !trainer.is_finished() {
        let bar = terminal.progress("training", Some(trainer.sizes().0 as u64));
        let epoch = trainer.train_epoch(|quads| bar.inc(quads as u64))?;
        bar.finish_and_clear();
        let Some(epoch) = epoch else { break };
        out.write(&report(&epoch, terminal.json)?)?;
        out.flush()?;
        if saved.elapsed() >= pause && !trainer.is_finished() {
            trainer.save(checkpoint)?;
            saved = Instant::now();
        }
    }
    out.finish()
}

fn report(epoch: &Epoch, json: bool) -> Result<String> {
    if json {
        return json::line(epoch);
    }
    Ok(format!(
        "epoch {:>3}  loss {:.4}  held-out loss {:.4}  mean rank {:.1}  hits@10 {:.3}\n",
        epoch.epoch, epoch.loss, epoch.held_out_loss, epoch.mean_rank, epoch.hits_at_10
    ))
}

fn loss_curve(history: &[Epoch]) -> Chart {
    let curve = |value: fn(&Epoch) -> f64| -> Vec<(f64, f64)> {
        let points = history
            .iter()
            .map(|epoch| (f64::from(epoch.epoch), value(epoch)));
        points.collect()
    };
    let chart = Chart::new("Loss of the phrase vectors", "epoch", "loss a core")
        .with(Layer::line("training", curve(|epoch| epoch.loss)));
    if history.iter().any(|epoch| epoch.held_out_loss > 0.0) {
        chart.with(Layer::line("held out", curve(|epoch| epoch.held_out_loss)))
    } else {
        chart
    }
}

/// Beside the model: `news.safetensors.checkpoint`.
fn checkpoint_of(model: &Path) -> PathBuf {
    let mut name = model.as_os_str().to_owned();
    name.push(".checkpoint");
    PathBuf::from(name)
}

impl Args {
    fn parameters(&self) -> Parameters {
        Parameters {
            width: self.width,
            margin: self.margin,
            distance: match self.distance.as_str() {
                "l2" => Distance::L2,
                _ => Distance::L1,
            },
            negatives: self.negatives,
            learning_rate: self.learning_rate,
            adam: match self.adam.as_str() {
                "dense" => AdamKind::Dense,
                _ => AdamKind::Lazy,
            },
            batch: self.batch,
            epochs: self.epochs,
            patience: self.patience,
            held_out: self.held_out,
            min_count: self.min_count,
            grain: match self.time.as_str() {
                "day" => TimeGrain::Day,
                "year" => TimeGrain::Year,
                _ => TimeGrain::Month,
            },
            shared_words: !self.own_words,
            impact: self.texts.impact.impact.unwrap_or_default(),
            move_old: self.move_old,
            seed: self.seed,
        }
    }
}
