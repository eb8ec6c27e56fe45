//! A change of a grammar as a reviewer reads it: first what changed and whether trees got better, then the rest.

use std::cmp::Ordering;
use std::fmt::Write;

use super::{Versus, VersusFigures, score_versus};
use crate::diagnostic::{Place, plural};
use crate::grammar::{Change, Diff, Grammar, RuleChange};
use crate::schema::Schema;
use crate::tree::{Figures, ParsevalOptions};

/// How many rules the first screen shows.
const RULES_SHOWN: usize = 8;
/// How many changed texts the first screen names.
const TEXTS_SHOWN: usize = 8;
/// How many regressions are drawn.
const DRAWN: usize = 3;

/// A change of a grammar with what it does to texts.
#[derive(Debug)]
pub struct Review<'r> {
    changes: &'r Diff,
    texts: Vec<ReviewedText<'r>>,
    figures: VersusFigures,
}

/// A changed text.
#[derive(Debug)]
struct ReviewedText<'r> {
    text: &'r Versus,
    /// How far its figures rise or fall against the expected tree: relations, roles, spans.
    gain: Option<[f64; 3]>,
}

impl ReviewedText<'_> {
    fn is_worse(&self) -> bool {
        self.gain
            .is_some_and(|gain| gain.iter().find(|g| **g != 0.0).is_some_and(|g| *g < 0.0))
    }

    fn is_better(&self) -> bool {
        self.gain
            .is_some_and(|gain| gain.iter().find(|g| **g != 0.0).is_some_and(|g| *g > 0.0))
    }

    /// The worst first: relations, then roles, then spans; where nothing is expected, the most changed.
    fn cmp(&self, other: &ReviewedText<'_>) -> Ordering {
        let gains = self.gain.unwrap_or_default().into_iter();
        let others = other.gain.unwrap_or_default();
        let by_gain = gains.zip(others).map(|(one, other)| one.total_cmp(&other));
        let by_gain = by_gain.fold(Ordering::Equal, Ordering::then);
        let changes = |own: &ReviewedText<'_>| own.text.differences.len();
        by_gain
            .then_with(|| changes(other).cmp(&changes(self)))
            .then_with(|| self.text.id.cmp(&other.text.id))
    }
}

/// The F1 of spans, roles and relations.
fn f1(figures: &Figures) -> [f64; 3] {
    let mut found = [0.0; 3];
    for (letter, counts) in figures.named() {
        if let Some(at) = ["S", "N", "R"].iter().position(|own| *own == letter) {
            found[at] = counts.f1();
        }
    }
    found
}

impl<'r> Review<'r> {
    /// Scores every changed text by itself.
    pub fn new(
        changes: &'r Diff,
        texts: &'r [Versus],
        figures: VersusFigures,
        how: &ParsevalOptions,
        schema: &Schema,
    ) -> Review<'r> {
        let changed = texts.iter().filter(|text| text.is_changed());
        let mut reviewed: Vec<ReviewedText<'_>> = changed
            .map(|text| {
                let own = score_versus(std::slice::from_ref(text), how, schema);
                let gain = own.old.zip(own.new).map(|(old, new)| {
                    let ([s, n, r], [s2, n2, r2]) = (f1(&old), f1(&new));
                    [r2 - r, n2 - n, s2 - s]
                });
                ReviewedText { text, gain }
            })
            .collect();
        reviewed.sort_by(ReviewedText::cmp);
        Review {
            changes,
            texts: reviewed,
            figures,
        }
    }

    /// For a pull request. The first screen has what changed, what it does and which trees; what is long is
    /// folded away.
    pub fn to_markdown(&self, all_texts: usize, width: usize) -> String {
        let mut out = String::new();
        // Writing to a string cannot fail.
        let what = if self.changes.is_empty() {
            "no semantic change".to_owned()
        } else {
            self.changes.summary()
        };
        let _ = writeln!(out, "### Grammar: {what}\n");
        self.write_figures(&mut out, all_texts);
        self.write_rules(&mut out);
        self.write_texts(&mut out);
        self.write_worst(&mut out, width);
        if !self.changes.is_empty() {
            let all = self.changes.to_markdown();
            let _ = writeln!(out, "\n{}", folded("All changes of rules and tables", &all));
        }
        out
    }

    fn write_figures(&self, out: &mut String, all_texts: usize) {
        let changed = self.texts.len();
        let worse = self.texts.iter().filter(|text| text.is_worse()).count();
        let better = self.texts.iter().filter(|text| text.is_better()).count();
        let verdict = match (&self.figures.old, changed) {
            (Some(_), 1..) => format!(": **{better} better, {worse} worse**"),
            _ => String::new(),
        };
        let _ = writeln!(
            out,
            "{} of {} changed{verdict}\n",
            changed,
            plural(all_texts, "tree")
        );
        let (rows, head) = match (&self.figures.old, &self.figures.new) {
            (Some(old), Some(new)) => (
                Some((f1(old), f1(new))),
                "| F1 against the expected trees | before | after | |",
            ),
            _ => (None, ""),
        };
        if let Some((old, new)) = rows {
            let _ = writeln!(out, "{head}\n|---|---:|---:|---:|");
            for (at, name) in ["S spans", "N nuclearity", "R relation classes"]
                .iter()
                .enumerate()
            {
                let (before, after) = (100.0 * old[at], 100.0 * new[at]);
                let change = after - before;
                let shown = if change.abs() < 0.05 {
                    "=".to_owned()
                } else {
                    format!("{change:+.1}")
                };
                let _ = writeln!(out, "| {name} | {before:.1} | {after:.1} | {shown} |");
            }
            out.push('\n');
        } else {
            let [s, n, r] = f1(&self.figures.between).map(|f| 100.0 * f);
            let _ = writeln!(
                out,
                "New trees against old ones: S {s:.1}  N {n:.1}  R {r:.1}\n"
            );
        }
    }

    fn write_rules(&self, out: &mut String) {
        if self.changes.rules.is_empty() {
            return;
        }
        for rule in self.changes.rules.iter().take(RULES_SHOWN) {
            let _ = writeln!(out, "- {}", rule_line(rule));
        }
        let more = self.changes.rules.len().saturating_sub(RULES_SHOWN);
        if more > 0 {
            let _ = writeln!(out, "- … and {more} more below");
        }
    }

    fn write_texts(&self, out: &mut String) {
        if self.texts.is_empty() {
            return;
        }
        let named = self.texts.iter().take(TEXTS_SHOWN).map(|text| {
            let sign = match text {
                text if text.is_worse() => " (worse)",
                text if text.is_better() => " (better)",
                _ => "",
            };
            format!("{}{sign}", code(&text.text.id))
        });
        let named: Vec<String> = named.collect();
        let more = self.texts.len().saturating_sub(TEXTS_SHOWN);
        let rest = if more > 0 {
            format!(", … and {more} more")
        } else {
            String::new()
        };
        let _ = writeln!(out, "\nTrees that change: {}{rest}", named.join(", "));
    }

    /// The worst regressions drawn; without expected trees, those that change most.
    fn write_worst(&self, out: &mut String, width: usize) {
        let has_gold = self.figures.old.is_some();
        let worst = self
            .texts
            .iter()
            .filter(|text| !has_gold || text.is_worse());
        for reviewed in worst.take(DRAWN) {
            let text = reviewed.text;
            let figures = match reviewed.gain {
                Some([r, n, s]) => format!(
                    ", S {:+.1} N {:+.1} R {:+.1}",
                    100.0 * s,
                    100.0 * n,
                    100.0 * r
                ),
                None => String::new(),
            };
            let mut inside = String::from("```text\n");
            for difference in &text.differences {
                let _ = writeln!(inside, "{}", difference.as_change());
            }
            if text.other_edus {
                inside.push_str("the grammars divide it into different EDUs\n");
            }
            inside.push_str("\nold | new\n");
            inside.push_str(&text.draw_side_by_side(width).replace("```", "'''"));
            inside.push_str("```\n");
            let title = if has_gold {
                format!("Worse: <code>{}</code>{figures}", escaped(&text.id))
            } else {
                format!("Changed: <code>{}</code>", escaped(&text.id))
            };
            let _ = writeln!(out, "\n{}", folded(&title, &inside));
        }
    }

    /// For GitHub's log: a note at every rule that changed, a warning for every text that got worse.
    pub fn to_annotations(&self, new: &Grammar) -> String {
        let mut out = annotations(self.changes, new);
        for reviewed in self.texts.iter().filter(|text| text.is_worse()) {
            let lines = reviewed.text.differences.iter().map(|own| own.as_change());
            let said = lines.collect::<Vec<_>>().join("\n");
            let title = format!("{}: a worse tree", reviewed.text.id);
            let _ = writeln!(
                out,
                "::warning title={}::{}",
                property(&title),
                message(&said)
            );
        }
        out
    }
}

/// A note at every rule that changed and is still there, as GitHub reads them from a log.
pub fn annotations(changes: &Diff, new: &Grammar) -> String {
    let mut out = String::new();
    for rule in &changes.rules {
        let place = place_of(rule, new);
        let at = match place {
            Some(place) => {
                let (line, _) = place.line_column();
                let file = property(place.source().name());
                format!("file={file},line={line},")
            }
            None => String::new(),
        };
        let title = format!(
            "{} {}",
            rule.new_id.as_ref().unwrap_or(&rule.id),
            rule.change
        );
        let said = plain_line(rule);
        let _ = writeln!(
            out,
            "::notice {at}title={}::{}",
            property(&title),
            message(&said)
        );
    }
    out
}

fn place_of<'g>(rule: &RuleChange, new: &'g Grammar) -> Option<&'g Place> {
    if rule.change == Change::Removed && rule.row.is_none() {
        return None;
    }
    let id = rule.new_id.as_deref().unwrap_or(&rule.id);
    let table = new.tables.iter().find(|table| *table.rule.id == *id);
    match (new.rule(id), table) {
        (Some(any), _) => any.rule().place.as_ref(),
        (None, table) => table?.rule.place.as_ref(),
    }
}

/// A change in one line of Markdown.
fn rule_line(rule: &RuleChange) -> String {
    let id = rule.new_id.as_ref().unwrap_or(&rule.id);
    let what = rule.change.as_str();
    let row = rule
        .row
        .as_ref()
        .map_or(String::new(), |row| format!(" row {}", code(row)));
    let aspects = rule
        .aspects
        .iter()
        .map(|own| format!("{} {} → {}", own.what, code(&own.old), code(&own.new)));
    let mut parts: Vec<String> = aspects.collect();
    if parts.is_empty() {
        parts.push(code(&rule.head));
    }
    format!("**{what}** {}{row}: {}", code(id), parts.join("; "))
}

fn plain_line(rule: &RuleChange) -> String {
    let aspects = rule
        .aspects
        .iter()
        .map(|own| format!("{}: {} -> {}", own.what, own.old, own.new));
    let mut lines = vec![rule.head.clone()];
    lines.extend(rule.row.iter().map(|row| format!("row {row}")));
    lines.extend(aspects);
    lines.join("\n")
}

fn folded(title: &str, inside: &str) -> String {
    format!(
        "<details><summary>{title}</summary>\n\n{}\n\n</details>",
        inside.trim_end()
    )
}

fn code(text: &str) -> String {
    match text {
        "" => "(none)".to_owned(),
        text => format!("`{}`", text.replace('`', "'").replace('\n', " ")),
    }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
}

/// What follows `::` in a workflow command.
fn message(text: &str) -> String {
    text.replace('%', "%25")
        .replace('\r', "%0D")
        .replace('\n', "%0A")
}

/// A property of a workflow command.
fn property(text: &str) -> String {
    message(text).replace(':', "%3A").replace(',', "%2C")
}
