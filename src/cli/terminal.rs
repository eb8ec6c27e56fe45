//! What all commands share with the person or program that runs them.

use std::borrow::Cow;
use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU8, Ordering};
use std::time::Duration;

use clap::{Args, ValueEnum};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::numbers;
use crate::columns::make_visible_but_colors;
use crate::diagnostic::{Diagnostic, ErrorFormat, Renderer};
use crate::error::{Error, Result};
use crate::files::Replacement;

#[derive(Args)]
pub(super) struct TerminalArgs {
    /// Print JSON for machines (one object a line on batch commands)
    #[arg(long, global = true, help_heading = "Global options")]
    json: bool,
    /// How problems are printed
    #[arg(
        long,
        global = true,
        value_name = "FORMAT",
        default_value = "human",
        help_heading = "Global options"
    )]
    error_format: ErrorFormatArg,
    /// Print all problems of a file, not the first 50 alone
    #[arg(long, global = true, help_heading = "Global options")]
    all_problems: bool,
    /// Let grammars and projects name files outside the project
    #[arg(long, global = true, help_heading = "Global options")]
    allow_outside: bool,
    /// When to use colours
    #[arg(
        long,
        global = true,
        value_name = "WHEN",
        default_value = "auto",
        help_heading = "Global options"
    )]
    color: ColorArg,
    /// No progress, no notes: only results and problems
    #[arg(long, short, global = true, help_heading = "Global options")]
    quiet: bool,
    /// Say more about what is happening (twice: much more)
    #[arg(long, short, global = true, action = clap::ArgAction::Count, help_heading = "Global options")]
    verbose: u8,
    /// How many threads to use (default: all cores) (1 to 1024)
    #[arg(long, global = true, value_name = "N", help_heading = "Global options", value_parser = numbers::whole::<usize>(1, 1024))]
    threads: Option<usize>,
}

#[derive(Clone, Copy, ValueEnum)]
enum ErrorFormatArg {
    Human,
    Plain,
    Json,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum ColorArg {
    Auto,
    Always,
    Never,
}

/// The person or program at the other end.
pub(super) struct Terminal {
    pub(super) json: bool,
    pub(super) color: bool,
    quiet: bool,
    /// The exit code of what failed while the rest was done all the same; 0 for nothing.
    failed: AtomicU8,
    renderer: Renderer,
}

impl Terminal {
    pub(super) fn new(args: TerminalArgs) -> Terminal {
        start_log(args.verbose);
        if let Some(threads) = args.threads {
            // Fails only when a pool exists already, and then that one serves.
            let _ = rayon::ThreadPoolBuilder::new()
                .num_threads(threads)
                .build_global();
        }
        let wants_color = |is_terminal: bool| match args.color {
            ColorArg::Always => true,
            ColorArg::Never => false,
            ColorArg::Auto => {
                is_terminal && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty())
            }
        };
        Terminal {
            json: args.json,
            color: wants_color(std::io::stdout().is_terminal()),
            quiet: args.quiet,
            failed: AtomicU8::new(0),
            renderer: Renderer {
                format: match args.error_format {
                    ErrorFormatArg::Human => ErrorFormat::Human,
                    ErrorFormatArg::Plain => ErrorFormat::Plain,
                    ErrorFormatArg::Json => ErrorFormat::Json,
                },
                color: wants_color(std::io::stderr().is_terminal()),
                all: args.all_problems,
            },
        }
    }

    /// Prints diagnostics on stderr.
    pub(super) fn print_diagnostics(&self, diagnostics: &[Diagnostic]) {
        say_colored(&self.renderer.render(diagnostics), self.renderer.color);
    }

    /// Prints an error on stderr.
    pub(super) fn print_error(&self, error: &Error) {
        match error {
            Error::Invalid(diagnostics) => self.print_diagnostics(diagnostics),
            _ if self.renderer.format == ErrorFormat::Json => {
                let mut said =
                    serde_json::json!({"severity": "error", "message": error.to_string()});
                if let (Some(help), Some(fields)) = (error.help(), said.as_object_mut()) {
                    fields.insert("help".to_owned(), help.into());
                }
                say(&format!("{said}\n"));
            }
            _ => {
                say(&format!("error: {error}\n"));
                if let Some(help) = error.help() {
                    say(&format!("  help: {help}\n"));
                }
            }
        }
    }

    /// Prints an error on stderr that does not stop the work. The exit code will say so in the end.
    pub(super) fn fail(&self, error: &Error) {
        self.print_error(error);
        self.failed.fetch_max(error.exit_code(), Ordering::Relaxed);
    }

    /// The exit code of what failed on the way; 0 for nothing.
    pub(super) fn failed(&self) -> u8 {
        self.failed.load(Ordering::Relaxed)
    }

    /// An account for machines, which is not silenced.
    pub(super) fn print_account(&self, account: &serde_json::Value) {
        say(&format!("{account}\n"));
    }

    /// True when nothing but results and problems is wanted.
    pub(super) fn is_quiet(&self) -> bool {
        self.quiet
    }

    /// Says something on stderr that is neither a result nor a problem.
    pub(super) fn note(&self, text: &str) {
        if !self.quiet {
            say(&format!("{text}\n"));
        }
    }

    /// A progress bar over `total` bytes or things; shows after a second, and only on terminals.
    pub(super) fn progress(&self, what: &str, total: Option<u64>) -> ProgressBar {
        if self.quiet || !std::io::stderr().is_terminal() {
            return ProgressBar::hidden();
        }
        let bar = ProgressBar::with_draw_target(total, ProgressDrawTarget::stderr_with_hz(5));
        let template = match total {
            Some(_) => "{msg} [{bar:30}] {percent:>3}% {elapsed} (about {eta} left)",
            None => "{msg} {pos} {elapsed}",
        };
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style.progress_chars("=> "));
        }
        bar.set_message(what.to_owned());
        bar.enable_steady_tick(Duration::from_secs(1));
        bar
    }
}

/// Writes to stderr; one that nobody reads any more (`2>&1 | head`) is no reason to stop.
fn say(text: &str) {
    say_colored(text, false);
}

/// The same, with colours where they are ours.
fn say_colored(text: &str, color: bool) {
    let text = make_visible_but_colors(text, color);
    let _ = std::io::stderr().lock().write_all(text.as_bytes());
}

/// A hand-written file, or standard input for `-`.
pub(super) fn read_input(path: &Path) -> Result<String> {
    if path != Path::new("-") {
        return crate::files::read_text(path);
    }
    crate::files::read_stdin_text()
}

/// Where results go: a file that appears whole when it is finished, or stdout.
pub(super) enum Output {
    File(Box<Replacement>, PathBuf),
    Stdout(std::io::BufWriter<std::io::Stdout>),
    /// Stdout beside a file or a verdict; none when its reader has gone away.
    Beside(Option<std::io::BufWriter<std::io::Stdout>>),
}

impl Output {
    /// `-` and nothing mean stdout.
    pub(super) fn open(path: Option<&Path>) -> Result<Output> {
        match path {
            Some(path) if path != Path::new("-") => Ok(Output::File(
                Box::new(Replacement::create(path)?),
                path.to_owned(),
            )),
            _ => Ok(Output::Stdout(std::io::BufWriter::new(std::io::stdout()))),
        }
    }

    /// Stdout for what is said beside the real product, which is a file or an exit code: a reader
    /// that has gone away does not stop the work.
    pub(super) fn beside() -> Output {
        Output::Beside(Some(std::io::BufWriter::new(std::io::stdout())))
    }

    /// Writes text. A reader that has gone away (`| head`) ends the program quietly.
    pub(super) fn write(&mut self, text: &str) -> Result<()> {
        match self {
            Output::File(file, path) => file
                .write_all(text.as_bytes())
                .map_err(|error| Error::write(path, error)),
            Output::Stdout(out) => quiet_on_broken_pipe(out.write_all(shown(text).as_bytes())),
            Output::Beside(out) => while_read(out, |out| out.write_all(shown(text).as_bytes())),
        }
    }

    /// Shows what was written so far; a file appears only when it is finished.
    pub(super) fn flush(&mut self) -> Result<()> {
        match self {
            Output::File(..) => Ok(()),
            Output::Stdout(out) => quiet_on_broken_pipe(out.flush()),
            Output::Beside(out) => while_read(out, |out| out.flush()),
        }
    }

    /// Puts the file in its place, or flushes.
    pub(super) fn finish(self) -> Result<()> {
        match self {
            Output::File(file, _) => file.commit(),
            Output::Stdout(mut out) => quiet_on_broken_pipe(out.flush()),
            Output::Beside(mut out) => while_read(&mut out, |out| out.flush()),
        }
    }
}

/// What a terminal gets to see: control characters as signs. Files and pipes get every byte.
fn shown(text: &str) -> Cow<'_, str> {
    if std::io::stdout().is_terminal() {
        make_visible_but_colors(text, true)
    } else {
        Cow::Borrowed(text)
    }
}

fn quiet_on_broken_pipe(result: std::io::Result<()>) -> Result<()> {
    match result {
        Err(error) if error.kind() == std::io::ErrorKind::BrokenPipe => std::process::exit(0),
        other => other.map_err(|error| Error::write("<stdout>", error)),
    }
}

/// Writes as long as somebody reads.
fn while_read(
    out: &mut Option<std::io::BufWriter<std::io::Stdout>>,
    write: impl FnOnce(&mut std::io::BufWriter<std::io::Stdout>) -> std::io::Result<()>,
) -> Result<()> {
    let Some(open) = out else {
        return Ok(());
    };
    match write(open) {
        Err(error) if error.kind() == std::io::ErrorKind::BrokenPipe => {
            // What is still in the buffer has no reader either.
            if let Some(gone) = out.take() {
                let _ = gone.into_parts();
            }
            Ok(())
        }
        other => other.map_err(|error| Error::write("<stdout>", error)),
    }
}

fn start_log(verbose: u8) {
    let level = match verbose {
        0 => "warn",
        1 => "info",
        _ => "debug",
    };
    let filter = tracing_subscriber::EnvFilter::try_from_env("ARSG_LOG")
        .unwrap_or_else(|_| tracing_subscriber::EnvFilter::new(level));
    // Fails only when a log exists already, as in tests.
    let _ = tracing_subscriber::fmt()
        .with_ansi(std::io::stderr().is_terminal())
        .with_env_filter(filter)
        .with_writer(std::io::stderr)
        .without_time()
        .with_target(false)
        .log_internal_errors(false)
        .try_init();
}
