//! `arsg test`: regression cases.

use std::path::PathBuf;

use clap::Args as ClapArgs;
use rayon::prelude::*;

use super::Outcome;
use super::check::without_missing;
use super::input::{GrammarArg, SearchArgs};
use super::outside::Outside;
use super::terminal::{Output, Terminal};
use crate::automaton::cases::{Case, CaseFile, Verdict, read_case_file, update_cases};
use crate::automaton::{Engine, ParseOptions};
use crate::diagnostic::any_error;
use crate::error::{Error, Result};

#[derive(ClapArgs)]
#[command(after_help = "Examples:
  arsg test                                        the project's cases, else those below tests/cases
  arsg test cases/causes.case --grammar grammars/finance.arsg
  arsg test --include 'a cause*' --exclude '*long'
  arsg test -u                                     writes the trees that are found now
  arsg test --json-summary

A case is a name and attributes between lines of `===`, a text, `---`, and the expected tree:

  ===
  a cause before its effect
  :strict
  ===
  由于需求疲软，
  油价下跌。
  ---
  (causal-cause SN 1 2)

Attributes: `:skip`, `:error` (rules must not cover it), `:strict` (rules must cover it),
`:parses(N)` (so many trees must be possible), `:raw` (running text, to be segmented); `:title`,
`:date` and others with a value describe the text. -u never takes over a tree with a step that no rule covers.
Exit code 1 where a case fails, 3 where a file does not validate; with --quiet 125 instead of 3, so that
`git bisect run arsg test --quiet` finds the commit that broke a case and passes over those that cannot be tried.")]
pub(super) struct Args {
    /// Case files or folders of `*.case` files (default: the project's, else `tests/cases`)
    #[arg(value_name = "FILE|DIR")]
    paths: Vec<PathBuf>,
    #[command(flatten)]
    grammar: GrammarArg,
    #[command(flatten)]
    search: SearchArgs,
    /// Only cases whose name has this in it; with `*` and `?`: whose whole name fits
    #[arg(long, short, value_name = "PATTERN")]
    include: Vec<String>,
    /// Not the cases whose name has this in it
    #[arg(long, short, value_name = "PATTERN")]
    exclude: Vec<String>,
    /// Write the trees that are found now into the files
    #[arg(long, short)]
    update: bool,
    /// Print only a JSON summary
    #[arg(long)]
    json_summary: bool,
    #[command(flatten)]
    outside: Outside,
}

pub(super) fn run(args: Args, terminal: &Terminal) -> Result<Outcome> {
    match try_cases(args, terminal) {
        // Bisection passes over a state that cannot be tried.
        Err(Error::Invalid(problems)) if terminal.is_quiet() => {
            terminal.print_diagnostics(&problems);
            Ok(Outcome::Untried)
        }
        tried => tried,
    }
}

fn try_cases(args: Args, terminal: &Terminal) -> Result<Outcome> {
    let engine = args.grammar.engine()?;
    let options = args.search.options();
    let files = args.files(terminal)?;
    let mut problems = Vec::new();
    for file in &files {
        problems.extend(file.diagnostics.iter().cloned());
        problems.extend(file.unknown_relations(engine.schema()));
    }
    if any_error(&problems) {
        return Err(Error::Invalid(problems));
    }
    terminal.print_diagnostics(&problems);
    if args.update {
        return args.update(&files, &engine, &options, terminal);
    }
    let cases: Vec<&Case> = files.iter().flat_map(|file| &file.cases).collect();
    let wanted: Vec<&Case> = cases.into_iter().filter(|case| args.wants(case)).collect();
    let verdicts: Vec<Verdict> = wanted
        .par_iter()
        .map(|case| case.run(&engine, &options))
        .collect();
    args.report(&wanted, &verdicts, terminal)
}

impl Args {
    fn files(&self, terminal: &Terminal) -> Result<Vec<CaseFile>> {
        let mut paths = Vec::new();
        for path in &self.named()? {
            let mut below = crate::files::find_files_and_tell(std::slice::from_ref(path))?;
            if path.is_dir() {
                below.retain(|file| file.extension().is_some_and(|e| e == "case"));
                if below.is_empty() {
                    let path = path.display();
                    return Err(Error::Empty(format!("`{path}` holds no `*.case` files")));
                }
            }
            paths.extend(below);
        }
        without_missing(paths, terminal)
            .iter()
            .map(|path| read_case_file(path))
            .collect()
    }

    fn named(&self) -> Result<Vec<PathBuf>> {
        if !self.paths.is_empty() {
            return Ok(self.paths.clone());
        }
        let own = self.outside.project()?.and_then(|project| project.cases());
        let usual = || Some(PathBuf::from("tests/cases")).filter(|folder| folder.is_dir());
        own.or_else(usual).map(|cases| vec![cases]).ok_or_else(|| {
            let message = "no case is named: give a case file, or a folder of them; \
                 in a project, `cases` in `arsg.toml` names them";
            Error::Usage(message.to_owned())
        })
    }

    fn wants(&self, case: &Case) -> bool {
        let fits = |patterns: &[String]| patterns.iter().any(|p| case.is_named_like(p));
        (self.include.is_empty() || fits(&self.include)) && !fits(&self.exclude)
    }

    fn update(
        &self,
        files: &[CaseFile],
        engine: &Engine,
        options: &ParseOptions,
        terminal: &Terminal,
    ) -> Result<Outcome> {
        let mut outcome = Outcome::Fine;
        for file in files {
            let (text, refused) = update_cases(file, |case| self.wants(case), engine, options);
            let path = PathBuf::from(file.source.name());
            if text != file.source.text() {
                crate::files::replace(&path, text.as_bytes())?;
                terminal.note(&format!("updated {}", path.display()));
            }
            for name in refused {
                terminal.note(&format!(
                    "{}: `{name}` is not updated: rules do not cover its text, or it asks for something else than a tree",
                    path.display()
                ));
                outcome = Outcome::Failure;
            }
        }
        Ok(outcome)
    }

    fn report(
        &self,
        cases: &[&Case],
        verdicts: &[Verdict],
        terminal: &Terminal,
    ) -> Result<Outcome> {
        let count = |wanted: fn(&Verdict) -> bool| verdicts.iter().filter(|v| wanted(v)).count();
        let passed = count(|verdict| matches!(verdict, Verdict::Passed));
        let skipped = count(|verdict| matches!(verdict, Verdict::Skipped));
        let failed = verdicts.len() - passed - skipped;
        let mut out = Output::beside();
        if self.json_summary || terminal.json {
            let cases: Vec<_> = cases
                .iter()
                .zip(verdicts)
                .map(|(case, verdict)| json(case, verdict))
                .collect();
            let summary = serde_json::json!({
                "passed": passed, "failed": failed, "skipped": skipped, "cases": cases,
            });
            out.write(&format!("{summary}\n"))?;
        } else {
            for (case, verdict) in cases.iter().zip(verdicts) {
                if let Verdict::Failed(failure) = verdict {
                    out.write(&format!("{}: {} failed\n", case.place, case.name))?;
                    for line in failure.to_string().lines() {
                        out.write(&format!("    {line}\n"))?;
                    }
                    out.write("\n")?;
                }
            }
            out.write(&format!(
                "{passed} passed, {failed} failed, {skipped} skipped\n"
            ))?;
        }
        out.finish()?;
        Ok(match failed {
            0 => Outcome::Fine,
            _ => Outcome::Failure,
        })
    }
}

fn json(case: &Case, verdict: &Verdict) -> serde_json::Value {
    let (outcome, why) = match verdict {
        Verdict::Passed => ("passed", None),
        Verdict::Skipped => ("skipped", None),
        Verdict::Failed(failure) => ("failed", Some(failure.to_string())),
    };
    let (line, _) = case.place.line_column();
    let mut value = serde_json::json!({
        "file": case.source().name(), "line": line, "name": case.name, "outcome": outcome,
    });
    if let (Some(why), Some(fields)) = (why, value.as_object_mut()) {
        fields.insert("why".to_owned(), why.into());
    }
    value
}
