//! The page in HTML.

use maud::{Markup, html};

use super::collect::{Entry, Module, Reference, TableEntry};
use super::markdown::anchor;
use crate::page::Page;
use crate::query::Passage;

/// Longer tables are folded.
const ROWS_OPEN: usize = 24;
/// The weight that fills a bar.
const FULL_BAR: f64 = 4.0;

impl Reference {
    /// The page in HTML, which stands by itself.
    pub fn to_html(&self) -> String {
        let body = html! {
            nav {
                h1 { (self.title) } "\n"
                ul {
                    @for module in &self.modules {
                        li { a href={ "#" (anchor(&module.name)) } { (module.name) } " " small { (module.entries.len()) } } "\n"
                    }
                    li { a href="#relations" { "relations 修辞关系" } } "\n"
                    li { a href="#cues" { "cue classes 连接词" } } "\n"
                }
            } "\n"
            main {
                p .lead {
                    "Schema " code { (self.schema) } ", decided by " (self.decide)
                    @if let Some(start) = &self.start { ", start symbol " code { (start) } }
                } "\n"
                dl .figures {
                    @for (what, count) in &self.figures { div { dt { (what) } dd { (count) } } }
                } "\n"
                @for module in &self.modules { (module_html(module)) }
                (self.relations_html())
                (self.cues_html())
            } "\n"
        };
        let page = Page {
            language: "zh",
            title: &self.title,
            styles: &[include_str!("page.css")],
            body,
            script: None,
        };
        page.write()
    }

    fn relations_html(&self) -> Markup {
        html! {
            section #relations {
                h2 { "Relations 修辞关系" } "\n"
                table {
                    thead { tr { th { "relation" } th { "joins" } th { "meaning" } th { "cue classes" } th { "rules" } th { "rows" } } } "\n"
                    tbody {
                        @for relation in &self.relations {
                            tr {
                                td { code { (relation.name) } }
                                td { @if relation.multinuclear { "nuclei" } @else { "nucleus, satellite" } }
                                td { @for line in &relation.about { (line) br; } }
                                td { @for cue in &relation.cues { a href={ "#cue-" (cue) } { (cue) } " " } }
                                td { @for rule in &relation.rules { a href={ "#" (anchor(rule)) } { (rule) } " " } }
                                td .number { (relation.rows) }
                            } "\n"
                        }
                    }
                }
            } "\n"
        }
    }

    fn cues_html(&self) -> Markup {
        html! {
            section #cues {
                h2 { "Cue classes 连接词" } "\n"
                table {
                    thead { tr { th { "class" } th { "words" } th { "answered by" } th { "use" } } } "\n"
                    tbody {
                        @for cue in &self.cues {
                            tr id={ "cue-" (cue.name) } {
                                td { code { (cue.name) } }
                                td .words { @for word in &cue.words { span { (word) } " " } }
                                td { @for answer in &cue.answered_by { a href={ "#cue-" (answer) } { (answer) } " " } }
                                td { @for line in &cue.about { (line) br; } }
                            } "\n"
                        }
                    }
                }
            } "\n"
        }
    }
}

fn module_html(module: &Module) -> Markup {
    html! {
        section id=(anchor(&module.name)) {
            h2 { (module.name) } "\n"
            @if !module.about.is_empty() { pre .about { (module.about.join("\n")) } "\n" }
            @for entry in &module.entries { (entry_html(entry)) }
        } "\n"
    }
}

fn entry_html(entry: &Entry) -> Markup {
    html! {
        article id=(anchor(&entry.id)) {
            h3 { a href={ "#" (anchor(&entry.id)) } { @if entry.named { (entry.id) } @else { "·" } } " " small { (entry.kind) } } "\n"
            @for line in entry.doc.iter().flat_map(|doc| doc.lines()) { p .doc { (line) } }
            pre { (entry.statement) } "\n"
            @if let Some(table) = &entry.table { (table_html(table)) }
            @if let Some(shown) = &entry.shown {
                @if shown.spoke == 0 {
                    p .count { "never speaks in the texts that this page was made with" }
                } @else {
                    p .count { "spoke " (shown.spoke) " times, " (shown.right) " as the tree has it" }
                }
                @for passage in &shown.speaks { (passage_html(passage)) }
                @for passage in &shown.just_not { (passage_html(passage)) }
            }
        } "\n"
    }
}

fn passage_html(passage: &Passage) -> Markup {
    let class = match (&passage.failed, passage.right) {
        (Some(_), _) => "passage not",
        (None, true) => "passage yes",
        (None, false) => "passage wrong",
    };
    html! {
        div class=(class) {
            p { span .a { (passage.a) } span .b { (passage.b) } } "\n"
            p .said {
                @match &passage.failed {
                    Some(failed) => {
                        "just not: " code { (failed) }
                        @for (asked, answer) in &passage.answers { ", " (asked) " is " (answer) }
                    }
                    None => { @if passage.right { "speaks" } @else { "speaks, and the tree has it otherwise" } }
                }
                " · " (passage.tree) " · " (passage.id) " " (passage.edus)
            }
        } "\n"
    }
}

fn table_html(table: &TableEntry) -> Markup {
    let rows = html! {
        table {
            thead { tr {
                @for asked in &table.subjects { th { code { (asked) } } }
                @if table.has_outcomes { th { "for" } }
                th { "weight" } th { "seen" }
            } } "\n"
            tbody {
                @for row in &table.rows {
                    tr {
                        @for key in &row.keys { td { (key) } }
                        @if table.has_outcomes { td { code { (row.outcome.as_deref().unwrap_or_default()) } } }
                        td .weight {
                            (format!("{:+.2}", row.weight))
                            span class=(if row.weight < 0.0 { "bar minus" } else { "bar" })
                                 style={ "width:" (format!("{:.1}", bar(row.weight))) "em" } {}
                        }
                        td .number { @if let Some(count) = row.count { (count) } }
                    } "\n"
                }
            }
        }
    };
    html! {
        @if table.rows.len() > ROWS_OPEN {
            details { summary { (table.rows.len()) " rows" } (rows) }
        } @else { (rows) }
        "\n"
    }
}

/// How long the bar of a weight is.
fn bar(weight: f64) -> f64 {
    const LONGEST: f64 = 6.0;
    (weight.abs() / FULL_BAR).min(1.0) * LONGEST
}
