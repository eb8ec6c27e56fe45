//! The commands: one file each, thin over the library.

mod annotate;
mod check;
mod cluster;
mod completions;
mod convert;
mod cores;
mod corpus;
mod coverage;
mod demo;
mod diff;
mod diff_on;
mod digest;
mod doc;
mod embed;
mod evaluate;
mod examples;
mod experiment;
mod explain;
mod fix;
mod fmt;
mod generate;
mod import;
mod induce;
mod init;
mod input;
mod learn;
#[cfg(feature = "lsp")]
mod lsp;
mod man;
mod merge;
mod numbers;
mod outside;
mod parse;
mod parseval;
mod profile;
mod query;
mod rewrite;
mod segment;
mod select;
#[cfg(feature = "serve")]
mod serve;
mod show;
mod sketch;
mod stats;
mod summarize;
mod terminal;
mod test;
mod trees;

use std::ffi::OsString;
use std::process::ExitCode;

use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};

use crate::error::Result;
use terminal::{Terminal, TerminalArgs};

/// Attributed rhetorical structure grammars for Chinese texts
#[derive(Parser)]
#[command(name = "arsg", version, propagate_version = true, max_term_width = 100)]
struct Cli {
    #[command(flatten)]
    terminal: TerminalArgs,
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Begin a project: grammar, schema, cases, texts, trees, labels
    Init(init::Args),
    /// Show the whole method on a small corpus, in a minute
    Demo(demo::Args),
    /// Begin a grammar of your own: schema, rules, cases, from trees or from nothing
    Sketch(sketch::Args),
    /// Open the workbench: see, correct and explain trees in the browser
    #[cfg(feature = "serve")]
    Serve(serve::Args),
    /// Print a file that ships with arsg, or list them
    Show(show::Args),
    /// Find every mistake in grammars and schemas
    Check(check::Args),
    /// Lay grammars out canonically
    Fmt(fmt::Args),
    /// Compare two grammars rule by rule
    Diff(diff::Args),
    /// Join grammars; counts of the same rule add up
    Merge(merge::Args),
    /// Sizes and ambiguity of grammars; the vocabulary of schemas
    Stats(stats::Args),
    /// Show how each rule fares on gold trees, the most harmful first
    Profile(profile::Args),
    /// Count how often each rule speaks over a set of texts
    Coverage(coverage::Args),
    /// The shortest passages in which each rule speaks, and in which it just does not
    Examples(examples::Args),
    /// Write a whole grammar as a page to read: rules, tables, relations, cue words
    Doc(doc::Args),
    /// Parse texts into rhetorical trees
    Parse(parse::Args),
    /// Say why a text was parsed as it was, step by step
    Explain(explain::Args),
    /// Propose rules for a wrong node, with what each would do, and write one
    Fix(fix::Args),
    /// Run regression cases: texts with expected trees
    Test(test::Args),
    /// Convert rhetorical trees between formats, or draw them
    Convert(convert::Args),
    /// Score predicted trees against gold trees
    Parseval(parseval::Args),
    /// Find nodes in trees by their relation and a formula; count and export them
    Query(query::Args),
    /// Change the relations of treebanks by rules, and say what changed
    Rewrite(rewrite::Args),
    /// Convert any corpus to document JSON lines, cleaned and accounted for
    Import(import::Args),
    /// Divide texts into elementary discourse units
    Segment(segment::Args),
    /// Extract lexical cores: when, who, what, how
    Cores(cores::Args),
    /// Statistics and splits of a corpus
    Corpus(corpus::Args),
    /// Make texts with gold trees by running a grammar backwards
    Generate(generate::Args),
    /// Learn a grammar from rhetorical trees
    Induce(induce::Args),
    /// Learn phrase vectors; texts as vectors; near phrases, near texts
    Embed(embed::Args),
    /// Divide texts into clusters of about the same size
    Cluster(cluster::Args),
    /// Summarize one text or many, and say where every line comes from
    Summarize(summarize::Args),
    /// Tell the stories of many texts in order of time, with their sources
    Digest(digest::Args),
    /// Measure a summary against its texts: S, N, E, W, Score, ROUGE
    Evaluate(evaluate::Args),
    /// Reproduce the paper's tables on any corpus, as tables, plots and one page
    Experiment(experiment::Args),
    /// Label texts by hand: shift, reduce, undo, with suggestions
    Annotate(annotate::Args),
    /// Choose the texts that people label first
    Select(select::Args),
    /// Learn a grammar from few labels: pick near, train far, round by round
    Learn(learn::Args),
    /// Serve editors: problems, completion, hover, rename while one types
    #[cfg(feature = "lsp")]
    Lsp(lsp::Args),
    /// Print completions for a shell
    Completions(completions::Args),
    /// Print manual pages
    Man(man::Args),
}

/// The groups of `arsg --help`, in the order of a working day.
const GROUPS: &[(&str, &[&str])] = &[
    #[cfg(feature = "serve")]
    ("Start", &["init", "sketch", "demo", "serve", "show"]),
    #[cfg(not(feature = "serve"))]
    ("Start", &["init", "sketch", "demo", "show"]),
    (
        "Grammar",
        &[
            "check", "fmt", "diff", "merge", "profile", "coverage", "examples", "doc", "stats",
        ],
    ),
    (
        "Parse",
        &["parse", "explain", "fix", "test", "convert", "parseval"],
    ),
    ("Trees", &["query", "rewrite"]),
    (
        "Corpus",
        &["import", "segment", "cores", "corpus", "generate"],
    ),
    (
        "Learn",
        &["embed", "cluster", "select", "annotate", "learn", "induce"],
    ),
    (
        "Summarize",
        &["summarize", "digest", "evaluate", "experiment"],
    ),
    #[cfg(feature = "lsp")]
    ("Editor", &["lsp"]),
    ("Shell", &["completions", "man"]),
];

/// What a command that went through has to say to the shell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Outcome {
    /// All is well: exit 0.
    Fine,
    /// It ran, and the answer is no (a check that does not pass): exit 1.
    Failure,
    /// The input does not validate: exit 3.
    Invalid,
    /// Nothing could be tried: exit 125, by which `git bisect run` passes over a commit.
    Untried,
}

impl Command {
    fn run(self, terminal: &Terminal) -> Result<Outcome> {
        match self {
            Command::Init(args) => init::run(args, terminal),
            Command::Demo(args) => demo::run(args, terminal),
            Command::Sketch(args) => sketch::run(args, terminal),
            Command::Examples(args) => examples::run(args, terminal),
            Command::Doc(args) => doc::run(args, terminal),
            #[cfg(feature = "serve")]
            Command::Serve(args) => serve::run(args, terminal),
            Command::Show(args) => show::run(args, terminal),
            Command::Coverage(args) => coverage::run(args, terminal),
            Command::Profile(args) => profile::run(args, terminal),
            Command::Parse(args) => parse::run(args, terminal),
            Command::Induce(args) => induce::run(args, terminal),
            Command::Explain(args) => explain::run(args, terminal),
            Command::Fix(args) => fix::run(args, terminal),
            Command::Test(args) => test::run(args, terminal),
            Command::Convert(args) => convert::run(args, terminal),
            Command::Parseval(args) => parseval::run(args, terminal),
            Command::Query(args) => query::run(args, terminal),
            Command::Rewrite(args) => rewrite::run(args, terminal),
            Command::Import(args) => import::run(args, terminal),
            Command::Segment(args) => segment::run(args, terminal),
            Command::Cores(args) => cores::run(args, terminal),
            Command::Corpus(args) => corpus::run(args, terminal),
            Command::Generate(args) => generate::run(args, terminal),
            Command::Check(args) => check::run(args, terminal),
            Command::Fmt(args) => fmt::run(args, terminal),
            Command::Diff(args) => diff::run(args, terminal),
            Command::Merge(args) => merge::run(args, terminal),
            Command::Stats(args) => stats::run(args, terminal),
            Command::Embed(args) => embed::run(args, terminal),
            Command::Cluster(args) => cluster::run(args, terminal),
            Command::Summarize(args) => summarize::run(args, terminal),
            Command::Digest(args) => digest::run(args, terminal),
            Command::Evaluate(args) => evaluate::run(args, terminal),
            Command::Experiment(args) => experiment::run(args, terminal),
            Command::Annotate(args) => annotate::run(args, terminal),
            Command::Select(args) => select::run(args, terminal),
            Command::Learn(args) => learn::run(args, terminal),
            #[cfg(feature = "lsp")]
            Command::Lsp(args) => lsp::run(args, terminal),
            Command::Completions(args) => completions::run(args, terminal),
            Command::Man(args) => man::run(args, terminal),
        }
    }
}

/// Runs the command line of this process.
pub fn run() -> ExitCode {
    ExitCode::from(run_from(std::env::args_os()))
}

/// Runs a command line, whose first word is the name of the program, and gives the exit code.
pub fn run_from(words: impl IntoIterator<Item = OsString>) -> u8 {
    let read = command().try_get_matches_from(words);
    let cli = match read.and_then(|matches| Cli::from_arg_matches(&matches)) {
        Ok(cli) => cli,
        Err(error) => {
            // Help that nobody reads any more is no failure.
            let _ = error.print();
            return u8::try_from(error.exit_code()).unwrap_or(2);
        }
    };
    let terminal = Terminal::new(cli.terminal);
    match cli.command.run(&terminal) {
        // Something that was named could not be read, and the rest was done.
        Ok(Outcome::Fine) => terminal.failed(),
        Ok(Outcome::Failure) => 1,
        Ok(Outcome::Invalid) => 3,
        Ok(Outcome::Untried) => 125,
        Err(error) => {
            terminal.print_error(&error);
            error.exit_code()
        }
    }
}

/// The command line with its grouped help.
fn command() -> clap::Command {
    let command = Cli::command();
    let help = grouped_help(&command);
    command
        .help_template("{about}\n\n{usage-heading} {usage}{after-help}\n\nOptions:\n{options}")
        .after_help(help)
}

/// The commands by group; a command that no group names would not be found, so a test looks.
fn grouped_help(command: &clap::Command) -> String {
    let mut help = String::new();
    for (group, names) in GROUPS {
        help.push_str(&format!("{group}:\n"));
        for name in *names {
            let about = command
                .find_subcommand(name)
                .and_then(|sub| sub.get_about().map(ToString::to_string))
                .unwrap_or_default();
            help.push_str(&format!("  {name:<11} {about}\n"));
        }
        help.push('\n');
    }
    help.push_str("`arsg COMMAND --help` shows its options, examples and exit codes.");
    help
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_command_stands_in_one_group() {
        let command = Cli::command();
        let grouped: Vec<&str> = GROUPS
            .iter()
            .flat_map(|(_, names)| names.iter().copied())
            .collect();
        for sub in command.get_subcommands() {
            let name = sub.get_name();
            let times = grouped.iter().filter(|other| **other == name).count();
            assert_eq!(times, 1, "`{name}` stands in {times} groups");
        }
        assert_eq!(grouped.len(), command.get_subcommands().count());
    }

    /// Every option that takes a number says its range, and refuses what lies outside.
    #[test]
    fn numbers_have_ranges() {
        use std::any::TypeId;
        let kinds = [
            TypeId::of::<u16>(),
            TypeId::of::<u32>(),
            TypeId::of::<u64>(),
            TypeId::of::<usize>(),
            TypeId::of::<f32>(),
            TypeId::of::<f64>(),
        ];
        let mut looked_at = 0;
        let mut pending = vec![(vec!["arsg".to_owned()], Cli::command())];
        while let Some((path, command)) = pending.pop() {
            for sub in command.get_subcommands() {
                let mut path = path.clone();
                path.push(sub.get_name().to_owned());
                pending.push((path, sub.clone()));
            }
            for arg in command.get_arguments() {
                let kind = arg.get_value_parser().type_id();
                let (true, Some(long)) = (kinds.iter().any(|k| kind == *k), arg.get_long()) else {
                    continue;
                };
                looked_at += 1;
                let help = arg.get_help().map(ToString::to_string).unwrap_or_default();
                for wrong in ["-1", "nan", "inf", "x", "99999999999999999999999"] {
                    let mut line = path.clone();
                    line.push(format!("--{long}={wrong}"));
                    let error = Cli::command().try_get_matches_from(&line);
                    let said = error.map_or_else(|e| e.to_string(), |_| "taken".to_owned());
                    let range = said
                        .split_once(" (")
                        .and_then(|(_, rest)| rest.split_once(')'));
                    let range = range.map(|(range, _)| format!("({range})"));
                    assert!(
                        range.is_some_and(|range| help.contains(&range)),
                        "{line:?}: {said}: {help}"
                    );
                }
            }
        }
        assert!(looked_at > 40, "{looked_at}");
    }

    #[test]
    fn the_command_line_is_well_formed() {
        Cli::command().debug_assert();
    }
}
