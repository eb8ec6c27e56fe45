//! `arsg man`: manual pages.

use std::path::{Path, PathBuf};

use clap::Args as ClapArgs;

use super::Outcome;
use super::terminal::{Output, Terminal};
use crate::error::{Error, Result};
use crate::files;

#[derive(ClapArgs)]
#[command(after_help = "Examples:
  arsg man > arsg.1             the page of the program
  arsg man --out man1           a page for each command, too")]
pub(super) struct Args {
    /// The folder for all pages (default: the program's own, to stdout)
    #[arg(long, short, value_name = "DIR")]
    out: Option<PathBuf>,
}

pub(super) fn run(args: Args, terminal: &Terminal) -> Result<Outcome> {
    let mut command = super::command();
    command.build();
    let Some(folder) = &args.out else {
        let mut out = Output::open(None)?;
        out.write(&page(&command)?)?;
        out.finish()?;
        return Ok(Outcome::Fine);
    };
    crate::files::disk::make_folder(folder)?;
    let written = write_pages(&command, "arsg", folder)?;
    terminal.note(&format!("{written} pages in {}", folder.display()));
    Ok(Outcome::Fine)
}

/// The pages of a command and of the commands below it; commands have two levels at most.
fn write_pages(command: &clap::Command, name: &str, folder: &Path) -> Result<usize> {
    let path = folder.join(format!("{name}.1"));
    files::replace(
        &path,
        page(&command.clone().name(name.to_owned()))?.as_bytes(),
    )?;
    let mut written = 1;
    for below in command.get_subcommands() {
        if below.get_name() != "help" {
            let name = format!("{name}-{}", below.get_name());
            written += write_pages(below, &name, folder)?;
        }
    }
    Ok(written)
}

fn page(command: &clap::Command) -> Result<String> {
    let mut page = Vec::new();
    clap_mangen::Man::new(command.clone())
        .render(&mut page)
        .map_err(|error| Error::write("<manual page>", error))?;
    Ok(String::from_utf8_lossy(&page).into_owned())
}
