//! The profile on a terminal.

use std::fmt::Write;

use super::{Confusion, Profile, RuleProfile};
use crate::diagnostic::plural;

/// So many rules and confusions fit a screen.
const RULES: usize = 6;
const CONFUSIONS: usize = 5;

impl Profile {
    /// For people: one screen, or everything.
    pub fn to_text(&self, all: bool) -> String {
        let mut out = String::new();
        let _ = writeln!(
            out,
            "{}: {}, {}; S {:.1}  N {:.1}  R {:.1}; {} of {} pass",
            self.grammar,
            plural(self.texts, "gold text"),
            plural(self.edus, "EDU"),
            self.scores.s,
            self.scores.n,
            self.scores.r,
            self.cases.0,
            plural(self.cases.1, "case"),
        );
        let _ = writeln!(
            out,
            "{} of {} that gold trees have an answer to are right; {:.1}% of the rules and tables spoke",
            self.right,
            plural(self.decisions, "decision"),
            self.coverage()
        );
        for line in &self.left_out {
            let _ = writeln!(out, "left out: {line}");
        }
        out.push_str("\nwhich rule to look at first\n");
        out.push_str("    harm  missed  decided    right    wrong    spoke  rule\n");
        let worth = |rule: &&RuleProfile| all || rule.tally.harm > 0;
        let most = if all { usize::MAX } else { RULES };
        for rule in self.rules.iter().filter(worth).take(most) {
            write_rule(&mut out, rule, all);
        }
        out.push_str("\nwhat is taken for what\n");
        let most = if all { usize::MAX } else { CONFUSIONS };
        for confusion in self.confusions.iter().take(most) {
            write_confusion(&mut out, confusion, all);
        }
        if !all {
            let harmful = self.rules.iter().filter(|rule| rule.tally.harm > 0).count();
            let rules = plural(harmful.saturating_sub(RULES), "other rule");
            let others = plural(self.confusions.len().saturating_sub(CONFUSIONS), "kind");
            let _ = writeln!(
                out,
                "\n{rules} with harm and {others} of mistakes more: --all"
            );
        }
        out
    }
}

fn write_rule(out: &mut String, rule: &RuleProfile, all: bool) {
    let tally = &rule.tally;
    let place = rule.place.as_deref().unwrap_or("no file");
    let _ = writeln!(
        out,
        "{:>8} {:>7} {:>8} {:>8} {:>8} {:>8}  {}  ({place})",
        tally.harm, tally.missed, tally.decided, tally.right, tally.wrong, tally.spoke, rule.rule
    );
    let shown = if all { usize::MAX } else { 1 };
    for example in rule.examples.iter().take(shown) {
        let _ = writeln!(out, "{:>10}{}", "", example.explain);
    }
    if all {
        for row in rule.rows.iter().filter(|row| row.tally.decided > 0) {
            let tally = &row.tally;
            let _ = writeln!(
                out,
                "{:>8} {:>7} {:>8} {:>8} {:>8} {:>8}    | {}",
                tally.harm,
                tally.missed,
                tally.decided,
                tally.right,
                tally.wrong,
                tally.spoke,
                row.row
            );
        }
    }
}

fn write_confusion(out: &mut String, confusion: &Confusion, all: bool) {
    let found = confusion.found.as_deref().unwrap_or("no node");
    let _ = writeln!(
        out,
        "{:>8}  {} taken for {found}",
        confusion.nodes.len(),
        confusion.gold
    );
    let shown = if all { usize::MAX } else { 1 };
    for node in confusion.nodes.iter().take(shown) {
        let _ = writeln!(out, "{:>10}{}", "", node.fix);
    }
}
