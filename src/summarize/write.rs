//! Summaries as people read them: plain text, Markdown, a page.

use maud::{Markup, html};

use super::report::{ContradictionJson, LineJson, SummaryJson};
use crate::page::Page;

/// What is written beside the lines.
#[derive(Debug, Clone, Copy, Default)]
pub struct SummaryLayout {
    /// Say of every line where it comes from.
    pub explain: bool,
}

/// A line a unit; with explanations, what each comes from is indented below it.
pub fn to_text(summary: &SummaryJson, how: SummaryLayout) -> String {
    let mut out = match heading(summary) {
        Some(heading) => format!("# {heading}\n"),
        None => String::new(),
    };
    for (at, line) in summary.lines.iter().enumerate() {
        out.push_str(&line.text);
        out.push('\n');
        if how.explain {
            for fact in facts(line) {
                out.push_str(&format!("    {fact}\n"));
            }
        }
        for found in against(summary, at) {
            out.push_str(&format!("  ! {}\n", conflict(found)));
        }
    }
    out
}

/// A list with the sources behind the units.
pub fn to_markdown(summary: &SummaryJson, how: SummaryLayout) -> String {
    let mut out = match heading(summary) {
        Some(heading) => format!("# {heading}\n\n"),
        None => "# 摘要\n\n".to_owned(),
    };
    for (at, line) in summary.lines.iter().enumerate() {
        out.push_str(&format!("- {}", marked_down(&line.text)));
        if let Some(title) = &line.title {
            let title = marked_down(title);
            let date = line.date.as_deref().unwrap_or_default();
            let source = match &line.url {
                Some(url) if is_web(url) => {
                    format!("[{title}](<{}>)", url.replace(['<', '>', '\n'], ""))
                }
                _ => title,
            };
            out.push_str(&format!(" — {source} {date}"));
        }
        out.push('\n');
        if how.explain {
            for fact in facts(line) {
                out.push_str(&format!("  - {}\n", marked_down(&fact)));
            }
        }
        for found in against(summary, at) {
            out.push_str(&format!("  - **矛盾** {}\n", marked_down(&conflict(found))));
        }
    }
    out
}

/// True for addresses of the web. Anything else (`javascript:`, `file:`) is not made a link.
pub(super) fn is_web(url: &str) -> bool {
    let url = url.trim_start().to_ascii_lowercase();
    url.starts_with("http://") || url.starts_with("https://")
}

/// A page that stands by itself.
pub fn to_html(summary: &SummaryJson, how: SummaryLayout) -> String {
    to_page(std::slice::from_ref(summary), how)
}

/// A page of several summaries.
pub fn to_page(summaries: &[SummaryJson], how: SummaryLayout) -> String {
    let body = html! {
        h1 { "摘要" } "\n"
        @for summary in summaries { (section(summary, how)) }
    };
    let page = Page {
        language: "zh",
        title: "摘要",
        styles: &[STYLE],
        body,
        script: None,
    };
    page.write()
}

/// A summary as a part of a page.
pub(crate) fn section(summary: &SummaryJson, how: SummaryLayout) -> Markup {
    html! {
        @if let Some(heading) = heading(summary) { h2 { (heading) } "\n" }
        p.told {
            (summary.method) " · " (summary.length) " · " (summary.texts) " 篇 · "
            (summary.words) " 词 · " (summary.edus) " EDU"
        } "\n"
        ol { "\n"
            @for (at, line) in summary.lines.iter().enumerate() {
                li {
                    (source(line, how))
                    @for found in against(summary, at) { p.against { "⚠ " (conflict(found)) } }
                } "\n"
            }
        } "\n"
    }
}

/// A line with where it comes from.
fn source(line: &LineJson, how: SummaryLayout) -> Markup {
    let title = line.title.as_deref().unwrap_or(&line.doc);
    let url = line.url.as_deref().filter(|url| is_web(url));
    html! {
        p { (line.text) }
        p.source {
            @match url {
                Some(url) => { a href=(url) { (title) } }
                None => { (title) }
            }
            " " time { (line.date.as_deref().unwrap_or_default()) }
        }
        @if how.explain {
            ul.facts { @for fact in facts(line) { li { (fact) } } }
        }
    }
}

/// What stands above a summary of a cluster.
fn heading(summary: &SummaryJson) -> Option<String> {
    let number = summary.cluster?;
    Some(format!("cluster {number}: {} texts", summary.texts))
}

const STYLE: &str = "\
:root { color-scheme: light dark }
body { font: 17px/1.7 system-ui, 'Noto Sans CJK SC', sans-serif; max-width: 44em; margin: 2em auto; padding: 0 1em }
ol { padding-left: 1.4em } li { margin: .9em 0 } p { margin: 0 }
.source, .facts, .told { font-size: .78em; opacity: .7 } .source a { color: inherit }
.against { color: #b3261e; font-size: .85em }
";

/// Where a line comes from, a fact each.
fn facts(line: &LineJson) -> Vec<String> {
    let edus: Vec<String> = line
        .edus
        .iter()
        .map(|(start, end)| match end - start {
            1 => end.to_string(),
            _ => format!("{}-{end}", start + 1),
        })
        .collect();
    let title = line.title.as_deref().unwrap_or_default();
    let date = line.date.as_deref().unwrap_or_default();
    let mut facts = vec![
        format!("{} {date} {title}", line.doc).trim().to_owned(),
        if line.why.is_empty() {
            format!("EDU {}", edus.join(", "))
        } else {
            format!("EDU {}: {}", edus.join(", "), line.why.join("; "))
        },
    ];
    if !line.path.is_empty() {
        let steps: Vec<String> = line
            .path
            .iter()
            .map(|step| match &step.relation {
                Some(relation) => format!("{}({relation})", step.role),
                None => step.role.to_string(),
            })
            .collect();
        facts.push(format!("path {}", steps.join(" > ")));
    }
    facts
}

fn against(summary: &SummaryJson, line: usize) -> impl Iterator<Item = &ContradictionJson> {
    let all = summary.contradictions.iter();
    all.filter(move |found| found.line == line)
}

fn conflict(found: &ContradictionJson) -> String {
    format!(
        "{} {}: {} / {} ({}: {})",
        found.when, found.about, found.state, found.opposite, found.doc, found.text
    )
}

pub(super) fn marked_down(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '*' | '_' | '[' | ']' | '`' | '<' | '#' | '\\' => out.extend(['\\', c]),
            '\n' => out.push(' '),
            c => out.push(c),
        }
    }
    out
}
