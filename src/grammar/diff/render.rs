//! A diff for the terminal and for a pull request.

use std::fmt::Write;

use super::{Aspect, Change, Diff, Odds, RuleChange};

/// What is said when nothing that has a meaning changed.
const NO_CHANGE: &str = "no semantic change";

impl Diff {
    /// For the terminal: a line for each rule, what changed below it.
    pub fn to_text(&self) -> String {
        if self.is_empty() {
            return format!("{NO_CHANGE}\n");
        }
        let mut out = format!("{}\n", self.summary());
        // Writing to a string cannot fail.
        for aspect in &self.header {
            let _ = writeln!(out, "~ {}: {}", aspect.what, aspect.arrow("->", shown));
        }
        for rule in &self.rules {
            let sign = match rule.change {
                Change::Changed | Change::Renamed => '~',
                Change::Removed => '-',
                Change::Added => '+',
            };
            let id = rule.ids("->", str::to_owned);
            if let Some(row) = &rule.row {
                let _ = writeln!(out, "{sign} {id}  {}", rule.row_text(row));
                continue;
            }
            let _ = writeln!(out, "{sign} {id}  {}  x {}", rule.head, rule.count);
            if let Some(reason) = rule.reason_unless_changed() {
                let _ = writeln!(out, "    when {reason}");
            }
            for aspect in &rule.aspects {
                let _ = writeln!(out, "    {}: {}", aspect.what, aspect.arrow("->", shown));
            }
            for odds in &rule.odds {
                let _ = writeln!(out, "    P({}): {}", odds.id, percent(odds, "->"));
            }
            if let Some(even) = rule.even_choice {
                let _ = writeln!(out, "    {}", effect(even));
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
                let _ = writeln!(out, "- {}: {}", aspect.what, aspect.arrow("→", code));
            }
        }
        if self.rules.is_empty() {
            return out;
        }
        out.push_str("\n| | rule | what | probability |\n|---|---|---|---|\n");
        for rule in &self.rules {
            let mut what = vec![format!("{} ×{}", code(&rule.head), rule.count)];
            if let Some(reason) = rule.reason_unless_changed() {
                what.push(format!("when {}", code(reason)));
            }
            for aspect in &rule.aspects {
                what.push(format!("{}: {}", aspect.what, aspect.arrow("→", code)));
            }
            let odds = rule.odds.iter();
            let odds = odds.map(|odds| format!("{} {}", code(&odds.id), percent(odds, "→")));
            let odds: Vec<String> = odds.chain(rule.even_choice.map(effect)).collect();
            let _ = writeln!(
                out,
                "| {} | {} | {} | {} |",
                rule.change.as_str(),
                rule.ids("→", code),
                what.join("<br>"),
                odds.join("<br>")
            );
        }
        out
    }

    /// `2 rules changed, 1 removed, 3 added, 1 row changed`.
    pub fn summary(&self) -> String {
        let mut parts = self.counted("rule", |rule| rule.row.is_none());
        parts.extend(self.counted("row", |rule| rule.row.is_some()));
        if !self.header.is_empty() {
            parts.push("header changed".to_owned());
        }
        parts.join(", ")
    }

    /// What became of some of the rules, in numbers.
    fn counted(&self, thing: &str, is_one: impl Fn(&RuleChange) -> bool) -> Vec<String> {
        let mut parts: Vec<String> = Vec::new();
        for change in Change::ALL {
            let rules = self.rules.iter().filter(|rule| is_one(rule));
            let number = rules.filter(|rule| rule.change == change).count();
            let things = match (parts.is_empty(), number) {
                (false, _) => String::new(),
                (true, 1) => format!("{thing} "),
                (true, _) => format!("{thing}s "),
            };
            if number > 0 {
                parts.push(format!("{number} {things}{}", change.as_str()));
            }
        }
        parts
    }
}

impl RuleChange {
    /// The id, and the new one if it got another.
    fn ids(&self, arrow: &str, write: impl Fn(&str) -> String) -> String {
        let renamed = match self.change {
            Change::Renamed => " (renamed)",
            _ => "",
        };
        match &self.new_id {
            Some(new) => format!("{} {arrow} {}{renamed}", write(&self.id), write(new)),
            None => write(&self.id),
        }
    }

    /// A row in a line: what it is about, what changed in it, and what that does.
    fn row_text(&self, row: &str) -> String {
        if self.aspects.is_empty() {
            return format!("{}  x {}", self.head, self.count);
        }
        let changed = self.aspects.iter().map(|aspect| {
            let what = aspect.what;
            format!("{what} {}", aspect.arrow("->", shown))
        });
        let changed: Vec<String> = changed.collect();
        let does = self.even_choice.map(|even| format!(" ({})", effect(even)));
        format!("{row}: {}{}", changed.join(", "), does.unwrap_or_default())
    }

    /// The reason, where it is not among what changed.
    fn reason_unless_changed(&self) -> Option<&str> {
        let changed = self.aspects.iter().any(|aspect| aspect.what == "reason");
        self.reason.as_deref().filter(|_| !changed)
    }
}

impl Aspect {
    fn arrow(&self, arrow: &str, write: impl Fn(&str) -> String) -> String {
        format!("{} {arrow} {}", write(&self.old), write(&self.new))
    }
}

fn shown(text: &str) -> String {
    match text {
        "" => "(none)".to_owned(),
        text => text.replace('\n', " "),
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

/// What a changed weight does.
fn effect(even: f64) -> String {
    let times = even / (1.0 - even);
    format!("odds times {times:.2}: 50% become {:.1}%", even * 100.0)
}

fn percent(odds: &Odds, arrow: &str) -> String {
    let shown = |share: Option<f64>| match share {
        Some(share) => format!("{:.1}%", share * 100.0),
        None => "-".to_owned(),
    };
    format!("{} {arrow} {}", shown(odds.old), shown(odds.new))
}
