//! A diff for the terminal and for a pull request.

use std::fmt::Write;

use super::{Change, Diff, Odds, RuleChange};

/// What is said when nothing that has a meaning changed.
const NO_CHANGE: &str = "no semantic change";

impl Diff {
    /// For the terminal: a line for each rule, what changed below it.
    pub fn to_text(&self) -> String {
        if self.is_empty() {
            return format!("{NO_CHANGE}\n");
        }
        let mut out = format!("{}\n", self.summary());
        for aspect in &self.header {
            let _ = writeln!(
                out,
                "~ {}: {} -> {}",
                aspect.what,
                shown(&aspect.old),
                shown(&aspect.new)
            );
        }
        for rule in &self.rules {
            let sign = match rule.change {
                Change::Changed => '~',
                Change::Removed => '-',
                Change::Added => '+',
            };
            let _ = writeln!(out, "{sign} {}  {}  x {}", id(rule), rule.head, rule.count);
            if let (Some(reason), false) = (&rule.reason, rule.change == Change::Changed) {
                let _ = writeln!(out, "    when {reason}");
            }
            for aspect in &rule.aspects {
                let _ = writeln!(
                    out,
                    "    {}: {} -> {}",
                    aspect.what,
                    shown(&aspect.old),
                    shown(&aspect.new)
                );
            }
            for odds in &rule.odds {
                let _ = writeln!(out, "    P({}) {}", odds.id, percent(odds));
            }
        }
        out
    }

    /// For a pull request: a table of rules.
    pub fn to_markdown(&self) -> String {
        if self.is_empty() {
            return format!("**Grammar:** {NO_CHANGE}\n");
        }
        let mut out = format!("**Grammar:** {}\n", self.summary());
        if !self.header.is_empty() {
            out.push('\n');
            for aspect in &self.header {
                let _ = writeln!(
                    out,
                    "- {}: {} → {}",
                    aspect.what,
                    code(&aspect.old),
                    code(&aspect.new)
                );
            }
        }
        if self.rules.is_empty() {
            return out;
        }
        out.push_str("\n| | rule | what | probability |\n|---|---|---|---|\n");
        for rule in &self.rules {
            let sign = match rule.change {
                Change::Changed => "changed",
                Change::Removed => "removed",
                Change::Added => "added",
            };
            let mut what = vec![format!("{} ×{}", code(&rule.head), rule.count)];
            if let (Some(reason), false) = (&rule.reason, rule.change == Change::Changed) {
                what.push(format!("when {}", code(reason)));
            }
            for aspect in &rule.aspects {
                what.push(format!(
                    "{}: {} → {}",
                    aspect.what,
                    code(&aspect.old),
                    code(&aspect.new)
                ));
            }
            let odds = rule
                .odds
                .iter()
                .map(|odds| format!("{} {}", code(&odds.id), percent(odds)));
            let odds: Vec<String> = odds.collect();
            let _ = writeln!(
                out,
                "| {sign} | {} | {} | {} |",
                code(&id(rule)),
                what.join("<br>"),
                odds.join("<br>")
            );
        }
        out
    }

    /// `2 rules changed, 1 removed, 3 added`.
    pub fn summary(&self) -> String {
        let number = |change| {
            self.rules
                .iter()
                .filter(|rule| rule.change == change)
                .count()
        };
        let (changed, removed, added) = (
            number(Change::Changed),
            number(Change::Removed),
            number(Change::Added),
        );
        let rules = if changed == 1 { "rule" } else { "rules" };
        let header = match self.header.is_empty() {
            true => "",
            false => ", header changed",
        };
        format!("{changed} {rules} changed, {removed} removed, {added} added{header}")
    }
}

fn id(rule: &RuleChange) -> String {
    match &rule.new_id {
        Some(new) => format!("{} -> {new}", rule.id),
        None => rule.id.clone(),
    }
}

fn shown(text: &str) -> &str {
    match text {
        "" => "(none)",
        text => text,
    }
}

/// As code in a table cell; nothing a grammar says can break out of it.
fn code(text: &str) -> String {
    match text {
        "" => "(none)".to_owned(),
        text => format!(
            "`{}`",
            text.replace('`', "'")
                .replace('|', "\\|")
                .replace('\n', " ")
        ),
    }
}

fn percent(odds: &Odds) -> String {
    let shown = |share: Option<f64>| match share {
        Some(share) => format!("{:.1}%", share * 100.0),
        None => "-".to_owned(),
    };
    format!("{} -> {}", shown(odds.old), shown(odds.new))
}
