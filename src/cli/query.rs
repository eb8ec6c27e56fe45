//! `arsg query`: the grammar's formulas asked of trees.

use std::path::{Path, PathBuf};

use clap::{Args as ClapArgs, ValueEnum};

use super::Outcome;
use super::input::GrammarArg;
use super::numbers;
use super::terminal::{Output, Terminal};
use super::trees::FormatArg;
use crate::automaton::Engine;
use crate::diagnostic::{Source, plural};
use crate::error::{Error, Result};
use crate::files::{self, FileNames};
use crate::grammar::{Grammar, load_query};
use crate::query::{
    Asked, Found, Gathered, HitJson, Treebank, draw, gather, group, keyword_line, load_asked,
    table, tell_found, tell_hit,
};
use crate::tree::{Format, WriteOptions, write};

#[derive(ClapArgs)]
#[command(after_help = "Examples:
  arsg query 'causal-* : A.cue = none and level(A, B) = sentence' trees/ --docs docs/
  arsg query 'causal-* SN' trees/ --by B.cue              counts, the most frequent first
  arsg query '_ : parent.relation = joint-list' trees/ --by 'D.relation, level(A, B)'
  arsg query 'edu : D.cue = but and D.role = satellite' trees/ --kwic --all
  arsg query '_ : has-text(B, \"受\")' text.txt            texts are parsed first
  arsg query 'adversative-*' trees/ --to csv -o contrasts.csv
  arsg query 'adversative-*' trees/ --trees hits/ --to rs3  whole trees that have a hit

A query is a relation (`causal-cause`, all of a class `causal-*`, any `_`), roles if you like (NS, SN, NN),
and behind a colon a formula as in a grammar: A and B are the children, D the node itself, `parent` what
stands above it, `sibling` the other child of that. `edu` looks at single EDUs. docs/grammar.md lists what
can be asked; D.role, D.side, D.above, D.from and D.until are there for trees alone.

Exit codes: 0 found, 1 nothing found, 3 the query or a tree does not validate.")]
pub(super) struct Args {
    /// What to look for: `RELATION [ROLES] [: FORMULA]`
    #[arg(value_name = "QUERY")]
    query: String,
    /// Trees in any format, regression cases, or texts, which are parsed (default: the project's cases)
    #[arg(value_name = "FILE|DIR")]
    paths: Vec<PathBuf>,
    /// Documents of the trees, where their format does not say where paragraphs end
    #[arg(long, value_name = "FILE|DIR")]
    docs: Option<PathBuf>,
    /// Count by what nodes answer: `B.cue`, `level(A, B)`, `roles`, `id`; several with commas
    #[arg(long, value_name = "WHAT")]
    by: Option<String>,
    /// How many hits to show, drawn by the seed (0 to 1000000)
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = numbers::whole::<usize>(0, 1_000_000))]
    sample: usize,
    /// The seed of the sample (0 to 2^64 - 1)
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = numbers::seed())]
    seed: u64,
    /// Show every hit
    #[arg(long, conflicts_with = "sample")]
    all: bool,
    /// One line per hit, the border between A and B in the middle
    #[arg(long)]
    kwic: bool,
    /// Export all hits: csv, tsv, jsonl; with --trees the format of the trees
    #[arg(long, value_name = "FORMAT")]
    to: Option<String>,
    /// Where to write what is exported (default: stdout)
    #[arg(
        long,
        short,
        value_name = "FILE",
        requires = "to",
        conflicts_with = "trees"
    )]
    out: Option<PathBuf>,
    /// Write the trees that have a hit to this folder (as rs3 unless --to says otherwise)
    #[arg(long, value_name = "DIR")]
    trees: Option<PathBuf>,
    /// Columns of the lines (default: those of the terminal, else 100) (20 to 10000)
    #[arg(long, value_name = "N", value_parser = numbers::whole::<usize>(20, 10000))]
    width: Option<usize>,
    #[command(flatten)]
    grammar: GrammarArg,
}

/// How hits are exported.
#[derive(Clone, Copy, ValueEnum)]
enum Export {
    Csv,
    Tsv,
    Jsonl,
}

pub(super) fn run(args: Args, terminal: &Terminal) -> Result<Outcome> {
    let export = args.export()?;
    let paths = args.grammar.trees_or_cases(&args.paths, terminal)?;
    let gathered = gather(&paths, args.docs.as_deref())?;
    let bank = treebank(gathered, &args.grammar, terminal)?;
    let query = load_query(&Source::new("query", args.query.as_str()), &bank.schema)?;
    let asked = args.asked(&bank)?;
    let found = bank.search(&query);
    if let Some(folder) = &args.trees {
        args.save_trees(&bank, &found, folder, terminal)?;
    }
    let export = match (export, terminal.json) {
        (None, true) => Some(Export::Jsonl),
        (export, _) => export,
    };
    let mut out = Output::open(args.out.as_deref())?;
    match export {
        Some(export) => out.write(&exported(&bank, &found, &asked, export)?)?,
        None => args.tell(&bank, &found, &asked, &mut out)?,
    }
    out.finish()?;
    Ok(if found.hits.is_empty() {
        Outcome::Failure
    } else {
        Outcome::Fine
    })
}

/// Puts everything that was found over its text; texts without trees are parsed.
pub(super) fn treebank(
    gathered: Gathered,
    grammar: &GrammarArg,
    terminal: &Terminal,
) -> Result<Treebank> {
    bank_of(gathered, &grammar.load()?, terminal)
}

/// The same with a grammar that was loaded.
pub(super) fn bank_of(
    gathered: Gathered,
    grammar: &Grammar,
    terminal: &Terminal,
) -> Result<Treebank> {
    terminal.print_diagnostics(&gathered.warnings);
    for note in &gathered.notes {
        terminal.note(note);
    }
    let (trees, texts) = (gathered.trees, gathered.texts);
    let engine = (!texts.is_empty()).then(|| Engine::new(grammar.clone()));
    let bank = Treebank::new(&grammar.schema, trees, texts, engine.as_ref())?;
    for note in &bank.notes {
        terminal.note(note);
    }
    Ok(bank)
}

fn exported(bank: &Treebank, found: &Found, asked: &[Asked], export: Export) -> Result<String> {
    Ok(match export {
        Export::Csv => table(bank, &found.hits, asked, ','),
        Export::Tsv => table(bank, &found.hits, asked, '\t'),
        Export::Jsonl => {
            let of_bank = |hit: &crate::query::Hit| {
                let own = bank.banks.get(hit.tree)?;
                Some(crate::json::line(&HitJson::of(own, *hit, asked)))
            };
            let lines: Result<Vec<String>> = found.hits.iter().filter_map(of_bank).collect();
            lines?.concat()
        }
    })
}

impl Args {
    fn export(&self) -> Result<Option<Export>> {
        match (&self.to, &self.trees) {
            (Some(name), None) => match Export::from_str(name, true) {
                Ok(export) => Ok(Some(export)),
                Err(_) => Err(Error::Usage(format!(
                    "hits are exported as csv, tsv or jsonl, not `{name}`; for trees say where with `--trees DIR`"
                ))),
            },
            _ => Ok(None),
        }
    }

    fn asked(&self, bank: &Treebank) -> Result<Vec<Asked>> {
        let Some(by) = &self.by else {
            return Ok(Vec::new());
        };
        parts(by).map(|part| load_asked(part, bank)).collect()
    }

    fn tell(
        &self,
        bank: &Treebank,
        found: &Found,
        asked: &[Asked],
        out: &mut Output,
    ) -> Result<()> {
        let groups = group(bank, &found.hits, asked);
        out.write(&tell_found(bank, found, asked, &groups))?;
        let hits = if self.all {
            found.hits.clone()
        } else {
            draw(&found.hits, self.sample, self.seed)
        };
        let width = numbers::columns(self.width, 100);
        for (at, hit) in hits.iter().enumerate() {
            let Some(own) = bank.banks.get(hit.tree) else {
                continue;
            };
            let line = if self.kwic {
                keyword_line(own, *hit, width)
            } else {
                format!("\n{}", tell_hit(own, *hit, asked, width))
            };
            if self.kwic && at == 0 {
                out.write("\n")?;
            }
            out.write(&line)?;
        }
        if hits.len() < found.hits.len() && !hits.is_empty() {
            let rest = found.hits.len() - hits.len();
            out.write(&format!(
                "\n{rest} more: `--all` shows them, `--sample` and `--seed` draw others\n"
            ))?;
        }
        Ok(())
    }

    fn save_trees(
        &self,
        bank: &Treebank,
        found: &Found,
        folder: &Path,
        terminal: &Terminal,
    ) -> Result<()> {
        let format = match &self.to {
            Some(name) => {
                let parsed: std::result::Result<FormatArg, String> = name.parse();
                parsed.map_err(Error::Usage)?.0
            }
            None => Format::Rs3,
        };
        let mut trees: Vec<usize> = found.hits.iter().map(|hit| hit.tree).collect();
        trees.dedup();
        files::disk::make_folder(folder)?;
        let mut names = FileNames::default();
        for own in trees.iter().filter_map(|at| bank.banks.get(*at)) {
            let name = names.next(own.id(), format.as_str())?;
            let text = write(own.asked.tree(), format, &WriteOptions::default());
            files::replace(&folder.join(name), text.as_bytes())?;
        }
        let written = plural(trees.len(), "tree");
        terminal.note(&format!("{written} written to `{}`", folder.display()));
        Ok(())
    }
}

/// The parts of a list with commas, those inside brackets left together.
fn parts(list: &str) -> impl Iterator<Item = &str> {
    let mut depth = 0_u32;
    list.split(move |letter| {
        match letter {
            '(' | '{' => depth += 1,
            ')' | '}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        letter == ',' && depth == 0
    })
    .map(str::trim)
    .filter(|part| !part.is_empty())
}
