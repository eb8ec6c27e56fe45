//! `arsg completions`: for shells.

use clap::Args as ClapArgs;
use clap_complete::Shell;

use super::Outcome;
use super::terminal::{Output, Terminal};
use crate::error::Result;

#[derive(ClapArgs)]
#[command(after_help = "Examples:
  arsg completions bash > arsg.bash     and then: source arsg.bash
  arsg completions zsh > _arsg          into a folder of your $fpath
  arsg completions fish > arsg.fish     into ~/.config/fish/completions")]
pub(super) struct Args {
    /// The shell
    shell: Shell,
}

pub(super) fn run(args: Args, _terminal: &Terminal) -> Result<Outcome> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut super::command(), "arsg", &mut script);
    let mut out = Output::open(None)?;
    out.write(&String::from_utf8_lossy(&script))?;
    out.finish()?;
    Ok(Outcome::Fine)
}
