//! `arsg lsp`: the language server.

use clap::Args as ClapArgs;

use super::Outcome;
use super::terminal::Terminal;
use crate::error::Result;

#[derive(ClapArgs)]
#[command(after_help = "Examples:
  arsg lsp < /dev/null     editors start it and talk to it over standard input and output

It speaks the Language Server Protocol about grammars (.arsg), schemas (.toml) and cases (.case): problems and
fixes while you type, completion, hover, definitions, references, rename, outline, layout, colours.
`editors/README.md` has the settings for VS Code, Neovim, Helix, Zed and Emacs.

Exit codes: 0 the editor said goodbye, 1 its messages cannot be read, 2 they are not those of the protocol.")]
pub(super) struct Args {
    /// Talk over standard input and output, which it does anyway: some editors say so
    #[arg(long)]
    stdio: bool,
}

pub(super) fn run(_args: Args, _terminal: &Terminal) -> Result<Outcome> {
    crate::lsp::serve_stdio()?;
    Ok(Outcome::Fine)
}
