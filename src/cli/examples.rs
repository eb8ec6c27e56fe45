//! `arsg examples`: what a treebank shows of each rule.

use std::path::PathBuf;

use clap::Args as ClapArgs;

use super::Outcome;
use super::input::GrammarArg;
use super::numbers;
use super::query::bank_of;
use super::terminal::{Output, Terminal};
use crate::columns::{cut, make_visible};
use crate::diagnostic::{likely, list_names};
use crate::error::{Error, Result};
use crate::grammar::Grammar;
use crate::query::{Passage, Shown, gather, show_rules};

#[derive(ClapArgs)]
#[command(after_help = "Examples:
  arsg examples                                  every rule, over the project's cases
  arsg examples because-first -g general --on trees/
  arsg examples shift-B-punct -g general --on trees/    the rows of a table, one by one
  arsg examples --silent --on trees/             the rules that never speak
  arsg examples --on trees/ --json

For every rule: the shortest passage in which it speaks (where it is right, if there is one), and the
shortest in which all of its reason holds but one part. Trees are gone through as they are; texts without
trees are parsed first. Boundary and block rules are shown by `arsg segment` and `arsg segment --blocks`.

Exit codes: 0 done, 1 a rule that was named never speaks, 2 no rule has that name.")]
pub(super) struct Args {
    /// Rules or tables by their names (default: all rules that have productions or preferences)
    #[arg(value_name = "RULE")]
    rules: Vec<String>,
    /// Trees, regression cases or texts (default: the project's cases)
    #[arg(long, value_name = "FILE|DIR")]
    on: Vec<PathBuf>,
    /// Documents of the trees, where their format does not say where paragraphs end
    #[arg(long, value_name = "FILE|DIR")]
    docs: Option<PathBuf>,
    /// How many passages of each kind (1 to 100)
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = numbers::whole::<usize>(1, 100))]
    count: usize,
    /// Only rules that never speak
    #[arg(long)]
    silent: bool,
    /// Columns of the lines (default: those of the terminal, else 100) (20 to 10000)
    #[arg(long, value_name = "N", value_parser = numbers::whole::<usize>(20, 10000))]
    width: Option<usize>,
    #[command(flatten)]
    grammar: GrammarArg,
}

pub(super) fn run(args: Args, terminal: &Terminal) -> Result<Outcome> {
    let grammar = args.grammar.load()?;
    for rule in &args.rules {
        check_name(rule, &grammar)?;
    }
    let paths = args.grammar.trees_or_cases(&args.on, terminal)?;
    let gathered = gather(&paths, args.docs.as_deref())?;
    let bank = bank_of(gathered, &grammar, terminal)?;
    let mut shown = show_rules(&bank, &grammar, args.count, |id, is_table| {
        if args.rules.is_empty() {
            !is_table
        } else {
            args.rules.iter().any(|rule| rule == id)
        }
    });
    let silent = shown.iter().filter(|shown| shown.spoke == 0).count();
    if args.silent {
        shown.retain(|shown| shown.spoke == 0);
    }
    let mut out = Output::open(None)?;
    let width = numbers::columns(args.width, 100);
    for (at, one) in shown.iter().enumerate() {
        if terminal.json {
            out.write(&crate::json::line(one)?)?;
        } else {
            if at > 0 {
                out.write("\n")?;
            }
            out.write(&tell(one, width))?;
        }
    }
    out.finish()?;
    if args.rules.is_empty() && silent > 0 {
        terminal.note(&format!(
            "{silent} of {} rules never speak: `--silent` lists them",
            if args.silent { silent } else { shown.len() }
        ));
    }
    let asked_in_vain = !args.rules.is_empty() && silent > 0 && silent == shown.len();
    Ok(if asked_in_vain {
        Outcome::Failure
    } else {
        Outcome::Fine
    })
}

fn check_name(name: &str, grammar: &Grammar) -> Result<()> {
    let rules = grammar.rules().map(|any| &*any.rule().id);
    let tables = grammar.tables.iter().map(|table| &*table.rule.id);
    let ids: Vec<&str> = rules.chain(tables).collect();
    if ids.contains(&name) {
        return Ok(());
    }
    let meant = likely(name, &ids);
    let help = if meant.is_empty() {
        "; `arsg coverage` lists the rules".to_owned()
    } else {
        format!("; did you mean {}?", list_names(&meant))
    };
    Err(Error::Usage(format!(
        "`{}` has no rule and no table `{name}`{help}",
        grammar.name
    )))
}

fn tell(shown: &Shown, width: usize) -> String {
    let mut out = String::new();
    for line in shown.doc.iter().flat_map(|doc| doc.lines()) {
        out.push_str(&format!("## {line}\n"));
    }
    match &shown.row {
        Some(row) => out.push_str(&format!(
            "table {}  {}\n  | {row}\n",
            shown.rule, shown.statement
        )),
        None if shown.statement.contains(&format!("rule {}", shown.rule)) => {
            out.push_str(&format!("{}\n", shown.statement));
        }
        None => out.push_str(&format!("{}  ({})\n", shown.statement, shown.rule)),
    }
    match (shown.spoke, shown.right) {
        (0, _) => out.push_str("  never speaks here\n"),
        (spoke, right) => out.push_str(&format!(
            "  spoke {spoke} times, {right} as the tree has it\n"
        )),
    }
    for passage in &shown.speaks {
        let verdict = if passage.right {
            "speaks"
        } else {
            "speaks, and the tree has it otherwise"
        };
        out.push_str(&tell_passage(passage, verdict, width));
    }
    for passage in &shown.just_not {
        let failed = passage.failed.as_deref().unwrap_or_default();
        let answers: Vec<String> = passage
            .answers
            .iter()
            .map(|(asked, answer)| format!(" {asked} is {answer}"))
            .collect();
        let verdict = format!("just not: `{failed}`{}", answers.join(","));
        out.push_str(&tell_passage(passage, &verdict, width));
    }
    out
}

fn tell_passage(passage: &Passage, verdict: &str, width: usize) -> String {
    let mut out = format!(
        "  {verdict}\n    {} {}: {}\n",
        passage.id, passage.edus, passage.tree
    );
    let c = passage.c.as_deref().filter(|_| passage.tree == "shift");
    for (name, text) in [("A", Some(&*passage.a)), ("B", Some(&*passage.b)), ("C", c)] {
        if let Some(text) = text {
            let text = make_visible(text);
            out.push_str(&format!(
                "    {name}  {}\n",
                cut(&text, width.saturating_sub(7))
            ));
        }
    }
    out
}
