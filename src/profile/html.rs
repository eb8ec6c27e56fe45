//! The profile as a page.

use maud::{Markup, html};

use super::{Profile, RuleProfile, Tally};
use crate::page::Page;

/// The look of the page.
const STYLE: &str = include_str!("profile.css");

impl Profile {
    /// A page on which every rule and every kind of mistake unfolds.
    pub fn to_html(&self) -> String {
        let title = format!("{}: profile", self.grammar);
        let scores = &self.scores;
        let body = html! {
            header {
                h1 { (self.grammar) }
                p {
                    (self.texts) " gold texts, " (self.edus) " EDUs; S " (one(scores.s)) " N " (one(scores.n))
                    " R " (one(scores.r)) "; " (self.cases.0) " of " (self.cases.1) " cases pass; "
                    (self.right) " of " (self.decisions) " decisions are right; " (one(self.coverage()))
                    "% of the rules and tables spoke"
                } "\n"
            }
            h2 { "Which rule to look at first" } "\n"
            table {
                tr {
                    @for name in ["harm", "missed", "decided", "right", "wrong", "spoke", "rule"] { th { (name) } }
                } "\n"
                @for rule in self.rules.iter().filter(|rule| rule.tally.spoke > 0) { (rule_row(rule)) }
            } "\n"
            h2 { "What is taken for what" } "\n"
            @for confusion in &self.confusions {
                details {
                    summary {
                        (confusion.nodes.len()) " × " b { (confusion.gold) } " taken for "
                        b { (confusion.found.as_deref().unwrap_or("no node")) }
                    }
                    ul { @for node in &confusion.nodes {
                        li { code { (node.explain) } br; code { (node.fix) } }
                    } }
                } "\n"
            }
        };
        let page = Page {
            language: "en",
            title: &title,
            styles: &[STYLE],
            body,
            script: None,
        };
        page.write()
    }
}

fn one(number: f64) -> String {
    format!("{number:.1}")
}

fn figures(tally: &Tally) -> Markup {
    let all = [
        tally.harm,
        tally.missed,
        tally.decided,
        tally.right,
        tally.wrong,
        tally.spoke,
    ];
    html! { @for number in all { td { (number) } } }
}

fn rule_row(rule: &RuleProfile) -> Markup {
    let decided = rule.rows.iter().filter(|row| row.tally.decided > 0);
    html! {
        tr {
            (figures(&rule.tally))
            td {
                details {
                    summary { code { (rule.rule) } " " small { (rule.place.as_deref().unwrap_or_default()) } }
                    pre { (rule.head) }
                    ul { @for example in &rule.examples {
                        li { (example.words) br; code { (example.explain) } }
                    } }
                    table { @for row in decided { tr { (figures(&row.tally)) td { (row.row) } } } }
                }
            }
        } "\n"
    }
}
