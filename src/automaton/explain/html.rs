//! Explanations for browsers.

use maud::{Markup, html};

use super::short::short_text;
use super::text::detail_text;
use super::{Explainer, Row};
use crate::page::page_with_bar;

/// How many nodes of the stack a row shows.
const SHOWN_OF_STACK: usize = 3;

/// A page with the table of steps; every step unfolds into all that is known about it.
pub fn explanation_html(explainer: &Explainer<'_>) -> String {
    let mut page = ExplanationPage::default();
    page.add(explainer);
    page.finish()
}

/// One page about any number of texts.
#[derive(Debug, Default)]
pub struct ExplanationPage {
    grammar: String,
    texts: Vec<TextSteps>,
}

/// What the page has of a text.
#[derive(Debug)]
struct TextSteps {
    title: String,
    steps: usize,
    table: Markup,
}

impl ExplanationPage {
    /// Adds the steps of a text.
    pub fn add(&mut self, explainer: &Explainer<'_>) {
        let title = match &*explainer.text().id {
            "" => "steps",
            id => id,
        };
        self.grammar.clone_from(&explainer.engine().grammar().name);
        // The steps of the first text are `s1`, `s2`; those of the second `t2-s1`, `t2-s2`.
        let prefix = match self.texts.len() {
            0 => String::new(),
            before => format!("t{}-", before + 1),
        };
        self.texts.push(TextSteps {
            title: title.to_owned(),
            steps: explainer.len(),
            table: table(explainer, &prefix),
        });
    }

    /// The page.
    pub fn finish(self) -> String {
        let title = match self.texts.as_slice() {
            [text] => text.title.clone(),
            texts => format!("{} texts", texts.len()),
        };
        let steps: usize = self.texts.iter().map(|text| text.steps).sum();
        let body = html! {
            header {
                h1 { (title) }
                small { "grammar " (self.grammar) ", " (steps) " steps; grey: no choice, red: fallback" } "\n"
                button #open-all { "open all" } button #close-all { "close all" }
            } "\n"
            @for text in &self.texts {
                @if self.texts.len() > 1 { h2 { (text.title) } "\n" }
                (text.table)
            }
        };
        page_with_bar(
            &title,
            include_str!("page.css"),
            body,
            include_str!("page.js"),
        )
    }
}

fn table(explainer: &Explainer<'_>, prefix: &str) -> Markup {
    let columns = [
        "step",
        "stack",
        "next",
        "action",
        "p",
        "by",
        "runner-up",
        "margin",
    ];
    html! {
        table { "\n"
            thead { tr { @for column in columns { th { (column) } } } } "\n"
            @for row in explainer.rows() {
                (steps(explainer, &row, prefix)) "\n"
            }
        } "\n"
    }
}

/// A row of the table, and what it unfolds into.
fn steps(explainer: &Explainer<'_>, row: &Row, prefix: &str) -> Markup {
    let class = match (row.fallback, row.forced) {
        (true, _) => Some("fallback"),
        (false, true) => Some("forced"),
        (false, false) => None,
    };
    let hidden = row.stack.len().saturating_sub(SHOWN_OF_STACK);
    let stack: Vec<String> = row.stack[hidden..]
        .iter()
        .map(|item| format!("{}\u{a0}{}", item.edus, item.symbol))
        .collect();
    let action = match &row.made.relation {
        Some(relation) => format!(
            "reduce {} → {}[{relation}] {}",
            row.made.edus,
            row.made.symbol,
            row.roles.unwrap_or_default()
        ),
        None => format!("shift {}", row.made.edus),
    };
    let detail = explainer.detail(row.step);
    html! {
        tbody id={ (prefix) "s" (row.step) } {
            tr class=[class] {
                td { button aria-expanded="false" { (row.step) } }
                td { @if hidden > 0 { "… " } (stack.join(" · ")) }
                td.next {
                    @if let Some(item) = &row.next { (item.edus) " " (item.symbol) " " (item.text) }
                }
                td { (action) }
                td { (format!("{:.2}", row.probability)) }
                td { (row.by.join(", ")) }
                td { @if let Some((name, p)) = &row.runner_up { (name) (format!(" {p:.2}")) } }
                td { @if let Some(margin) = row.margin() { (format!("{margin:+.2}")) } }
            }
            tr.detail hidden {
                td colspan="8" {
                    @if let Some(detail) = detail {
                        @let all = detail_text(&detail, true);
                        @match short_text(&detail) {
                            Some(short) => {
                                pre { (short.trim_end_matches('\n')) }
                                details { summary { "everything" } pre { (all.trim_end_matches('\n')) } }
                            }
                            None => pre { (all.trim_end_matches('\n')) },
                        }
                    }
                }
            }
        }
    }
}
