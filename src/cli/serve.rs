//! `arsg serve`: the workbench in the browser.

use std::net::IpAddr;
use std::path::PathBuf;

use super::Outcome;
use super::outside::Outside;
use super::terminal::{Output, Terminal};
use crate::error::{Error, Result};
use crate::serve::{Address, Bench, serve};

/// Open the workbench: see, correct and explain trees in the browser
#[derive(clap::Args)]
#[command(after_help = "Examples:
  arsg serve                             this folder; open the address it prints
  arsg serve news --port 8000            another folder, always at the same port
  arsg serve --annotator 张三             labels by this name, unless the page says another
  arsg serve --host 0.0.0.0 --token S3cret-of-16-letters   also for other machines

The server answers to this machine alone, and only to pages that know the token in the printed
address. With `--host` everybody who reaches that address and knows the token can read the
folder's texts and write labels and the grammar; nothing is encrypted. Stop it with Ctrl-C:
everything that was done is on disk.

Exit codes: 0 stopped, 1 the port is taken, 2 wrong usage, 3 the project or its grammar has errors.")]
pub(super) struct Args {
    /// The folder (default: this one)
    #[arg(value_name = "DIR", default_value = ".")]
    folder: PathBuf,
    /// The port to listen on; 0 takes a free one (0 to 65535)
    #[arg(long, default_value_t = 0, value_name = "N", value_parser = super::numbers::whole::<u16>(0, 65535))]
    port: u16,
    /// The address to listen on, for other machines; needs `--token`
    #[arg(long, value_name = "ADDRESS", requires = "token")]
    host: Option<IpAddr>,
    /// What every request must bring (default: a random one)
    #[arg(long, value_name = "TEXT")]
    token: Option<String>,
    /// Whose labels are written (default: the login name)
    #[arg(long, value_name = "NAME")]
    annotator: Option<String>,
    #[command(flatten)]
    outside: Outside,
}

/// The shortest token that a person may choose.
const SHORTEST: usize = 16;

pub(super) fn run(args: Args, terminal: &Terminal) -> Result<Outcome> {
    let host = args.host.unwrap_or(IpAddr::from([127, 0, 0, 1]));
    let user = args.annotator.clone().unwrap_or_else(login);
    let bench = Bench::open_folder(&args.folder, &user, args.outside.disk())?;
    let address = Address {
        host,
        port: args.port,
        token: token(args.token)?,
    };
    if !host.is_loopback() {
        terminal.note(&format!(
            "everybody who reaches {host} and knows the token can read and change what lies in this folder"
        ));
    }
    let json = terminal.json;
    let mut told = Ok(());
    serve(bench, &address, |url| {
        told = Output::beside().write_address(url, json);
    })?;
    told?;
    Ok(Outcome::Fine)
}

impl Output {
    fn write_address(mut self, url: &str, json: bool) -> Result<()> {
        if json {
            self.write(&format!("{}\n", serde_json::json!({ "url": url })))?;
        } else {
            self.write(&format!("the workbench is at {url}\n"))?;
        }
        self.finish()
    }
}

/// The token that was given, which must be hard to guess, or a random one.
fn token(given: Option<String>) -> Result<String> {
    let Some(given) = given else {
        return Ok(format!("{:032x}", rand::random::<u128>()));
    };
    let plain = given
        .chars()
        .all(|c| c.is_ascii_alphanumeric() || "-_.~".contains(c));
    if given.len() < SHORTEST || !plain {
        return Err(Error::Usage(format!(
            "a token has at least {SHORTEST} letters, digits, `-`, `_`, `.` or `~`"
        )));
    }
    Ok(given)
}

/// The login name.
fn login() -> String {
    let names = ["USER", "LOGNAME", "USERNAME"].iter();
    let found = names
        .into_iter()
        .find_map(|name| std::env::var(name).ok().filter(|n| !n.is_empty()));
    found.unwrap_or_else(|| "annotator".to_owned())
}
