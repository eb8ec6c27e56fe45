//! `arsg demo`: the whole method on the embedded corpus.

use std::path::PathBuf;

use clap::Args as ClapArgs;

use super::Outcome;
use super::numbers;
use super::terminal::{Output, Terminal};
use crate::demo::{DemoStep, page, run as all_steps};
use crate::error::Result;

#[derive(ClapArgs)]
#[command(after_help = "Example:
  arsg demo --out demo.html        and then open demo.html

The corpus is made up: finance news with trees by hand, shipped inside the program. Each step says
what happens and why; the path of the page with all pictures is printed last.")]
pub(super) struct Args {
    /// Where the page goes
    #[arg(
        long,
        short,
        value_name = "FILE.html",
        default_value = "arsg-demo.html"
    )]
    out: PathBuf,
    /// The seed of all that is drawn (0 to 2^64 - 1)
    #[arg(long, default_value_t = 1, value_parser = numbers::seed())]
    seed: u64,
}

pub(super) fn run(args: Args, terminal: &Terminal) -> Result<Outcome> {
    let mut out = Output::beside();
    // Whether it can be written is better known now than a minute later.
    let mut file = Output::open(Some(&args.out))?;
    let mut number = 0;
    let steps = all_steps(args.seed, |step| {
        number += 1;
        out.write(&if terminal.json {
            json(number, step)
        } else {
            text(number, step, terminal.color)
        })?;
        out.flush()
    })?;
    file.write(&page(&steps))?;
    file.finish()?;
    let path = args.out.display();
    out.write(&if terminal.json {
        format!("{}\n", serde_json::json!({"page": path.to_string()}))
    } else {
        format!("The page with all pictures:\n{path}\n")
    })?;
    out.finish()?;
    Ok(Outcome::Fine)
}

fn text(number: usize, step: &DemoStep, color: bool) -> String {
    let (bold, plain) = if color {
        ("\x1b[1m", "\x1b[0m")
    } else {
        ("", "")
    };
    let mut text = format!("{bold}{number}. {}{plain}: {}\n", step.title, step.why);
    for line in step.text.lines() {
        text.push_str(format!("   {line}").trim_end());
        text.push('\n');
    }
    text.push('\n');
    text
}

fn json(number: usize, step: &DemoStep) -> String {
    let step = serde_json::json!({
        "step": number, "title": step.title, "why": step.why, "text": step.text,
    });
    format!("{step}\n")
}
