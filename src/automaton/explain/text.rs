//! Explanations for terminals.

use std::fmt::Write;

use super::short::short_text;
use super::{Choice, Conjunct, Detail, Item, Row, Share, Tried, Voice, WhyNot};
use crate::columns::{columns, cut, fill, make_visible};

/// The parts of the width that the cells of a row have; the whole is 100.
const SHARES: [usize; 7] = [4, 21, 17, 20, 4, 17, 17];
/// The cell of the stack.
const STACK_CELL: usize = 1;
/// How many nodes of the stack a step shows.
const SHOWN_STACK: usize = 3;
/// How many voices of a choice are shown unless all are asked for.
const SHOWN_VOICES: usize = 8;

/// What is less probable is shown only when all is asked for.
const SHOWN_SHARE: f64 = 0.01;

/// The table of steps, a row at a time.
#[derive(Debug, Clone, Copy)]
pub struct StepTable {
    /// Columns of the terminal.
    pub width: usize,
}

impl StepTable {
    /// What stands above the rows.
    pub fn heading(&self) -> String {
        let cells = ["step", "stack", "next", "action", "p", "by", "runner-up"];
        self.line(&cells.map(str::to_owned))
    }

    /// A step.
    pub fn row(&self, row: &Row) -> String {
        let action = match &row.made.relation {
            Some(relation) => {
                let roles = row.roles.unwrap_or_default();
                format!("reduce {} {relation} {roles}", row.made.edus)
            }
            None => format!("shift {}", row.made.edus),
        };
        let by = if row.forced && row.action == "shift" {
            "the only choice".to_owned()
        } else {
            row.by.join(", ")
        };
        let mark = if row.fallback { "!" } else { "" };
        let other = match (&row.runner_up, row.margin()) {
            (Some((name, p)), Some(margin)) => {
                let name = name.strip_prefix("reduce to ").unwrap_or(name);
                format!("{p:.2} ({margin:+.2}) {name}")
            }
            _ => String::new(),
        };
        self.line(&[
            format!("{}{mark}", row.step),
            self.stack(&row.stack),
            row.next.as_ref().map(with_text).unwrap_or_default(),
            action,
            format!("{:.2}", row.probability),
            by,
            other,
        ])
    }

    /// The nodes of the stack that there is room for, the topmost ones.
    fn stack(&self, items: &[Item]) -> String {
        let room = self.room(STACK_CELL).saturating_sub(1);
        let mut shown = String::new();
        for (at, item) in items.iter().rev().enumerate() {
            let more = if shown.is_empty() {
                short(item)
            } else {
                format!("{} {shown}", short(item))
            };
            let left_out = if at + 1 < items.len() { 2 } else { 0 };
            if !shown.is_empty() && columns(&more) + left_out > room {
                return format!("… {shown}");
            }
            shown = more;
        }
        shown
    }

    /// The columns of a cell, with the space behind it.
    fn room(&self, cell: usize) -> usize {
        (self.width * SHARES[cell] / 100).max(5)
    }

    /// Cells in columns that share the width.
    fn line(&self, cells: &[String; 7]) -> String {
        let mut out = String::new();
        for (at, cell) in cells.iter().enumerate() {
            let room = self.room(at);
            let cell = cut(&make_visible(cell), room - 1);
            out.push_str(&cell);
            if at + 1 < cells.len() {
                out.push_str(&fill(&cell, room));
            }
        }
        let line = out.trim_end();
        format!("{line}\n")
    }
}

/// `6:Rise 股价上涨`
fn with_text(item: &Item) -> String {
    format!("{} {}", short(item), item.text)
}

/// `3-5:Rise`
fn short(item: &Item) -> String {
    format!("{}:{}", item.edus, item.symbol)
}

/// Everything about a step, in words. Where weights decide, the answer fits a screen unless `all` asks for
/// every rule that spoke.
pub fn detail_text(detail: &Detail, all: bool) -> String {
    match short_text(detail) {
        Some(short) if !all => short,
        _ => full_text(detail, all),
    }
}

/// Every rule and row that spoke, or the strongest of them.
fn full_text(detail: &Detail, all: bool) -> String {
    let mut out = String::new();
    let row = &detail.row;
    let done = match &row.made.relation {
        Some(relation) => format!(
            "reduce to {}[{relation}] {} over EDUs {}",
            row.made.symbol,
            row.roles.unwrap_or_default(),
            row.made.edus
        ),
        None => format!("shift EDU {} ({})", row.made.edus, row.made.symbol),
    };
    let _ = writeln!(out, "step {}: {done}", row.step);
    let _ = writeln!(out, "  probability {:.3}{}", row.probability, margin(row));
    let top: Vec<&Item> = row.stack.iter().rev().take(SHOWN_STACK).collect();
    for (letter, item) in ["B", "A", "S"].iter().zip(&top).rev() {
        let _ = writeln!(out, "  {letter}  {}", full(item));
    }
    if let Some(next) = &row.next {
        let _ = writeln!(out, "  C  {}", full(next));
    }
    match &detail.action {
        Some(choice) => {
            let other = match row.action {
                "shift" => "reduce",
                _ => "shift",
            };
            let _ = writeln!(out, "\nwhy {} and not {other}", row.action);
            write_choice(&mut out, choice, all, None);
        }
        None => write_no_choice(&mut out, row),
    }
    if let Some(choice) = &detail.label {
        let _ = writeln!(out, "\nwhy {}", choice.chosen);
        if let Some(rule) = &detail.rule {
            write_rule(&mut out, rule);
        }
        let told = detail.rule.as_ref().map(|rule| rule.rule.as_str());
        write_choice(&mut out, choice, all, told);
    }
    if !detail.attributes.is_empty() {
        let _ = writeln!(out, "\nattributes");
        let none = || "–".to_owned();
        for row in &detail.attributes {
            let how = match &row.equation {
                Some(equation) => format!("   by {equation}"),
                None => String::new(),
            };
            let _ = writeln!(
                out,
                "  {:<10} A {}   B {}   ->   {}{how}",
                row.name,
                row.a.clone().unwrap_or_else(none),
                row.b.clone().unwrap_or_else(none),
                row.d.clone().unwrap_or_else(none),
            );
        }
    }
    out
}

/// Why there was nothing to choose between shift and reduce.
pub(super) fn write_no_choice(out: &mut String, row: &Row) {
    let why = match row.action {
        "shift" => "there are no two nodes to join",
        _ => "no EDU is left to shift",
    };
    let _ = writeln!(out, "\nwhy {}: no choice, {why}", row.action);
}

fn margin(row: &Row) -> String {
    match (&row.runner_up, row.margin()) {
        (Some((name, p)), Some(margin)) => {
            format!("; runner-up {name} with {p:.3}, margin {margin:.3}")
        }
        _ => String::new(),
    }
}

pub(super) fn full(item: &Item) -> String {
    let what = match &item.relation {
        Some(relation) => format!("{}[{relation}]", item.symbol),
        None => item.symbol.clone(),
    };
    format!("{:<7} {what}  {}", item.edus, item.text)
}

fn write_rule(out: &mut String, rule: &Voice) {
    let place = rule.place.as_deref().unwrap_or("no file");
    let _ = writeln!(out, "  made by `{}` ({place})", rule.rule);
    write_doc(out, rule, "    ");
    let _ = writeln!(out, "    {}", rule.head);
    write_reason(out, &rule.reason, "      ");
}

/// What its author says of a rule.
fn write_doc(out: &mut String, rule: &Voice, indent: &str) {
    for line in rule.doc.iter().flat_map(|doc| doc.lines()) {
        let _ = writeln!(out, "{indent}## {line}");
    }
}

/// `told` is the rule that has been told of already, with its comment.
fn write_choice(out: &mut String, choice: &Choice, all: bool, told: Option<&str>) {
    if let Some(fallback) = &choice.fallback {
        let _ = writeln!(out, "  {fallback}");
    }
    let by_weight =
        choice.spoke.iter().any(|voice| voice.weight.is_some()) && choice.levels.is_empty();
    let is_shown =
        |share: &&Share| all || share.probability >= SHOWN_SHARE || share.name == choice.chosen;
    for share in choice.shares.iter().filter(is_shown) {
        let chosen = if share.name == choice.chosen {
            "*"
        } else {
            " "
        };
        let sum = if by_weight {
            format!("   sum of weights {:+.2}", share.sum)
        } else {
            String::new()
        };
        let _ = writeln!(
            out,
            " {chosen}{:.3}  {}{sum}",
            share.probability, share.name
        );
    }
    let hidden = choice.shares.len() - choice.shares.iter().filter(is_shown).count();
    if hidden > 0 {
        let _ = writeln!(
            out,
            "  and {hidden} below {SHOWN_SHARE} (`--all` shows them)"
        );
    }
    if let Some(despite) = &choice.despite {
        let _ = writeln!(out, "  {despite}");
    }
    if choice.levels.len() > 1 {
        let _ = writeln!(out, "  from general to specific:");
        for level in &choice.levels {
            let shares = level
                .shares
                .iter()
                .map(|share| format!("{} x {} -> {:.3}", share.name, share.sum, share.probability));
            let _ = writeln!(
                out,
                "    patterns {} deep, {}:  {}",
                level.pattern,
                conditions(level.reason),
                shares.collect::<Vec<_>>().join(",  ")
            );
        }
    }
    let shown = if all { usize::MAX } else { SHOWN_VOICES };
    if !choice.spoke.is_empty() {
        let _ = writeln!(out, "  rules that spoke:");
    }
    for voice in choice.spoke.iter().take(shown) {
        write_voice(out, voice, by_weight, told);
    }
    let hidden = choice.spoke.len().saturating_sub(shown);
    if hidden > 0 {
        let _ = writeln!(out, "    and {hidden} more (`--all` shows them)");
    }
    if !choice.near.is_empty() {
        let _ = writeln!(
            out,
            "  rules for something else that failed, the nearest first:"
        );
        for voice in &choice.near {
            write_voice(out, voice, by_weight, told);
        }
    }
}

fn conditions(count: u32) -> String {
    match count {
        0 => "no reason".to_owned(),
        1 => "reasons of 1 part".to_owned(),
        count => format!("reasons of {count} parts"),
    }
}

fn write_voice(out: &mut String, voice: &Voice, by_weight: bool, told: Option<&str>) {
    let strength = match (by_weight, voice.weight) {
        (true, Some(weight)) => format!("w {weight:+.2}"),
        _ => format!("x {}", voice.count),
    };
    let place = voice.place.as_deref().unwrap_or("no file");
    let _ = writeln!(
        out,
        "    {strength:<8} {}   `{}` ({place})",
        voice.head, voice.rule
    );
    if told != Some(voice.rule.as_str()) {
        write_doc(out, voice, "               ");
    }
    write_reason(out, &voice.reason, "               ");
}

fn write_reason(out: &mut String, reason: &[Conjunct], indent: &str) {
    for part in reason {
        let values: Vec<String> = part
            .values
            .iter()
            .map(|(asked, value)| {
                let value = value.as_deref().unwrap_or("unknown");
                format!("{asked} is {value}")
            })
            .collect();
        let values = if values.is_empty() {
            String::new()
        } else {
            format!("   ({})", values.join(", "))
        };
        let _ = writeln!(out, "{indent}{:<8}{}{values}", part.verdict(), part.text);
    }
}

impl std::fmt::Display for WhyNot {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        writeln!(f, "why not `{}` over EDUs {}?", self.rule, self.edus)?;
        for tried in &self.tried {
            write!(f, "{tried}")?;
        }
        if self.tried.is_empty() {
            writeln!(f, "  two nodes over these EDUs were never the topmost")?;
        }
        match &self.crossed {
            Some(crossed) => writeln!(f, "  {crossed}"),
            None => Ok(()),
        }
    }
}

impl std::fmt::Display for Tried {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        writeln!(f, "  at step {}: {}", self.step, self.answer)?;
        writeln!(f, "    A  {}", full(&self.a))?;
        writeln!(f, "    B  {}", full(&self.b))?;
        if let Some(next) = &self.c {
            writeln!(f, "    C  {}", full(next))?;
        }
        let mut rule = String::new();
        let place = self.voice.place.as_deref().unwrap_or("no file");
        write_doc(&mut rule, &self.voice, "    ");
        let _ = writeln!(rule, "    {}   ({place})", self.voice.head);
        write_reason(&mut rule, &self.voice.reason, "      ");
        f.write_str(&rule)
    }
}
