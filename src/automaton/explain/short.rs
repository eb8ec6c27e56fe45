//! The short answer about a step where weights decide: it fits a screen.

use std::fmt::Write;

use super::text::{full, write_no_choice};
use super::weighing::{Contribution, Weighing};
use super::{Choice, Detail, Item};
use crate::columns::{columns, cut, fill, widest};
use crate::diagnostic::plural;
use crate::grammar::Strength;

/// Lines of a screen.
const LINES: usize = 25;
/// Columns of a screen.
const WIDTH: usize = 132;
/// Columns of the amount and of the spaces between.
const NUMBERS: usize = 12;
/// So many columns of what was found stay, however much is said of it.
const FEWEST_COLUMNS: usize = 24;
/// How many contributions are told at least and at most.
const FEWEST: usize = 3;
const MOST: usize = 6;
/// Contributions under this share of the greatest are told with the rest.
const SMALL: f64 = 0.1;
/// How many things a table says are told in its line.
const SAYINGS: usize = 2;

/// The answer in at most 25 lines; nothing where no weights decided.
pub(super) fn short_text(detail: &Detail) -> Option<String> {
    let weighed = |choice: &Option<Choice>| {
        let choice = choice.as_ref();
        choice.is_some_and(|choice| choice.weighing.is_some())
    };
    if !weighed(&detail.action) && !weighed(&detail.label) {
        return None;
    }
    let mut told = MOST;
    loop {
        let text = written(detail, told);
        if told <= FEWEST || text.lines().count() <= LINES {
            return Some(text);
        }
        told -= 1;
    }
}

fn written(detail: &Detail, told: usize) -> String {
    let row = &detail.row;
    let mut out = String::new();
    let done = match &row.made.relation {
        Some(_) => {
            let roles = row.roles.unwrap_or_default();
            format!(
                "reduce EDUs {} to {} {roles}",
                row.made.edus,
                what(&row.made)
            )
        }
        None => format!("shift EDU {} ({})", row.made.edus, row.made.symbol),
    };
    let _ = writeln!(out, "step {}: {done}   p {:.2}", row.step, row.probability);
    let choices = [&detail.action, &detail.label].map(|choice| choice.as_ref());
    let shown: Vec<&Contribution> = choices
        .iter()
        .flatten()
        .filter_map(|choice| choice.weighing.as_ref())
        .flat_map(|weighing| weighing.contributions.iter().take(split(weighing, told)))
        .collect();
    let speaks_of_s = shown.iter().any(|contribution| {
        let words = contribution.words.split(|c: char| !c.is_alphanumeric());
        words.into_iter().any(|word| word == "S")
    });
    let nodes = if speaks_of_s { 3 } else { 2 };
    let top: Vec<&Item> = row.stack.iter().rev().take(nodes).collect();
    for (letter, item) in ["B", "A", "S"].iter().zip(&top).rev() {
        let _ = writeln!(out, "  {letter}  {}", cut(&full(item), WIDTH - 5));
    }
    if let Some(next) = &row.next {
        let _ = writeln!(out, "  C  {}", cut(&full(next), WIDTH - 5));
    }
    match &detail.action {
        Some(choice) => write_choice(&mut out, choice, told),
        None => write_no_choice(&mut out, row),
    }
    if let Some(choice) = &detail.label {
        write_choice(&mut out, choice, told);
    }
    out
}

/// `Clause[joint-list] NN`
fn what(item: &Item) -> String {
    match &item.relation {
        Some(relation) => format!("{}[{relation}]", item.symbol),
        None => item.symbol.clone(),
    }
}

fn write_choice(out: &mut String, choice: &Choice, told: usize) {
    let Some(weighing) = &choice.weighing else {
        let _ = writeln!(out, "\nwhy {}", choice.chosen);
        let why = choice
            .fallback
            .as_deref()
            .unwrap_or("nothing else is possible");
        let _ = writeln!(out, "  {why}");
        return;
    };
    let (chosen, rival) = (&weighing.chosen, &weighing.rival);
    let _ = writeln!(
        out,
        "\nwhy {} ({:.2}) and not {} ({:.2})",
        chosen.name, chosen.probability, rival.name, rival.probability
    );
    let (shown, rest) = weighing.contributions.split_at(split(weighing, told));
    let lines: Vec<Line> = shown.iter().map(line).collect();
    let room = lines.iter().map(Line::columns).max().unwrap_or(0);
    let sources = widest(lines.iter().map(|line| line.source.as_str()));
    let room = room.min(WIDTH.saturating_sub(sources + NUMBERS));
    for (contribution, line) in shown.iter().zip(&lines) {
        let text = line.fitted(room);
        let gap = fill(&text, room);
        let _ = writeln!(
            out,
            "  {:+6.2}  {text}{gap}  {}",
            contribution.amount, line.source
        );
    }
    if !rest.is_empty() {
        let sum = |sign: f64| -> f64 {
            let own = rest.iter().map(|contribution| contribution.amount);
            own.filter(|amount| amount * sign > 0.0).sum()
        };
        let (plus, minus) = (sum(1.0), sum(-1.0));
        let others = plural(rest.len(), "other");
        let _ = writeln!(
            out,
            "  {:+6.2}  {others} ({plus:+.2}, {minus:+.2})",
            plus + minus
        );
    }
    for note in choice.despite.iter().chain(&weighing.outvoted) {
        let _ = writeln!(out, "  {note}");
    }
    if !write_turn(out, weighing) && choice.despite.is_none() {
        let _ = writeln!(
            out,
            "  no one weight and no rule would make it {}",
            rival.name
        );
    }
}

/// What would make the rival win; false where there is nothing. A row is no place for a great change: then
/// a rule goes first.
fn write_turn(out: &mut String, weighing: &Weighing) -> bool {
    let turn = weighing.turns.first();
    let lacks = turn.map(|turn| format!(" lacks {:.2}", turn.change.abs()));
    let is_great = turn.is_some_and(|turn| turn.change.abs() > Strength::Mild.weight());
    let rule = weighing.rule_to_write.as_ref();
    let mut ways: Vec<String> = Vec::new();
    ways.extend(turn.map(ToString::to_string));
    ways.extend(rule.map(|rule| format!("write `{rule}`")));
    if is_great && turn.is_some_and(|turn| turn.row.is_some()) {
        ways.reverse();
    }
    let is_told = !ways.is_empty();
    let mut ways = ways.into_iter();
    if let Some(way) = ways.next() {
        let lacks = lacks.unwrap_or_default();
        let _ = writeln!(out, "  {}{lacks}: {way}", weighing.rival.name);
    }
    for way in ways {
        let _ = writeln!(out, "  or {way}");
    }
    is_told
}

/// How many contributions are told one by one.
fn split(weighing: &Weighing, told: usize) -> usize {
    let all = &weighing.contributions;
    let greatest = all.first().map_or(0.0, |first| first.amount.abs());
    let great = all
        .iter()
        .take_while(|one| one.amount.abs() >= SMALL * greatest);
    great.count().clamp(FEWEST, told).min(all.len())
}

/// A contribution: what it found, what it says of it, and where it stands.
struct Line {
    words: String,
    says: String,
    source: String,
}

impl Line {
    fn columns(&self) -> usize {
        columns(&self.words) + columns(&self.says)
    }

    /// In so many columns: what it found is cut before what it says.
    fn fitted(&self, room: usize) -> String {
        let for_words = room.saturating_sub(columns(&self.says)).max(FEWEST_COLUMNS);
        let text = format!("{}{}", cut(&self.words, for_words), self.says);
        cut(&text, room)
    }
}

fn line(contribution: &Contribution) -> Line {
    let is_action = |name: &str| matches!(name, "shift" | "reduce");
    let says = contribution.says.iter();
    let mut says = says.filter(|said| !is_action(&said.speaks_for));
    let told = says.by_ref().take(SAYINGS).map(|said| {
        let name = said.speaks_for.strip_prefix("_[");
        let name = name.map(|name| name.replacen(']', "", 1));
        let name = name.unwrap_or_else(|| said.speaks_for.clone());
        (name, said.weight)
    });
    let told: Vec<(String, f64)> = told.collect();
    let more = if says.next().is_some() { ", …" } else { "" };
    let found = match contribution.words.as_str() {
        "" => "before anything is asked",
        words => words,
    };
    let (words, says) = if contribution.written {
        let strength = contribution.strength.unwrap_or("written");
        let about = told.first().map(|(name, _)| format!(" for {name}"));
        let about = about.unwrap_or_default();
        (format!("{strength} rule{about}: {found}"), String::new())
    } else {
        let told = told
            .iter()
            .map(|(name, weight)| format!("{name} {weight:+.2}"));
        let told: Vec<String> = told.collect();
        let says = if told.is_empty() {
            String::new()
        } else {
            format!(": {}{more}", told.join(", "))
        };
        (found.to_owned(), says)
    };
    let place = contribution.place.as_deref().unwrap_or("no file");
    Line {
        words,
        says,
        source: format!("`{}` {place}", contribution.by),
    }
}
