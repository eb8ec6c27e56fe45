//! One page with everything: tables, plots, trees, summaries.

use maud::{PreEscaped, html};

use super::Table;
use crate::page::Page;
use crate::summarize::{SummaryJson, SummaryLayout, section};
use crate::tree::{Tree, draw_svg};

/// A text whose tree is drawn.
#[derive(Debug, Clone, Copy)]
pub struct Drawn<'a> {
    /// Its title, or its id.
    pub title: &'a str,
    /// Its tree.
    pub tree: &'a Tree,
}

/// A page that stands by itself: nothing is fetched from anywhere.
pub fn report_page(
    title: &str,
    tables: &[Table],
    summaries: &[SummaryJson],
    trees: &[Drawn<'_>],
) -> String {
    let mut contents: Vec<(&str, &str)> = tables
        .iter()
        .map(|table| (table.name.as_str(), table.title.as_str()))
        .collect();
    if !summaries.is_empty() {
        contents.push(("summaries", "Summaries"));
    }
    if !trees.is_empty() {
        contents.push(("trees", "Trees"));
    }
    let body = html! {
        main { "\n"
            header {
                h1 { (title) }
                p.told {
                    "Means with 95% intervals below them, where figures are drawn from several groups or seeds; \
                     gains in green and losses in red are those whose interval leaves out 0. Everything on this \
                     page was computed by " code { "arsg experiment" } "."
                }
                nav { ul { @for (id, title) in contents { li { a href={ "#" (id) } { (title) } } } } }
            } "\n"
            @for table in tables { (table.markup()) }
            @if !summaries.is_empty() {
                section #summaries {
                    h2 { "Summaries" } "\n"
                    @for summary in summaries { (section(summary, SummaryLayout { explain: false })) }
                } "\n"
            }
            @if !trees.is_empty() {
                section #trees {
                    h2 { "Trees" } "\n"
                    @for drawn in trees {
                        details {
                            summary { (drawn.title) }
                            div.wide { (PreEscaped(draw_svg(drawn.tree))) }
                        } "\n"
                    }
                } "\n"
            }
        } "\n"
    };
    let page = Page {
        language: "en",
        title,
        styles: &[include_str!("page.css")],
        body,
        script: None,
    };
    page.write()
}
