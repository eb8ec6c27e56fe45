//! Summaries as people read them: plain text, Markdown, a page.

use super::report::{ContradictionJson, LineJson, SummaryJson};
use crate::tree::xml_escaped;

/// What is written beside the lines.
#[derive(Debug, Clone, Copy, Default)]
pub struct Written {
    /// Say of every line where it comes from.
    pub explain: bool,
}

/// A line a unit; with explanations, what each comes from is indented below it.
pub fn to_text(summary: &SummaryJson, how: Written) -> String {
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
pub fn to_markdown(summary: &SummaryJson, how: Written) -> String {
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
                Some(url) => format!("[{title}](<{}>)", url.replace(['<', '>', '\n'], "")),
                None => title,
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

/// A page that stands by itself.
pub fn to_html(summary: &SummaryJson, how: Written) -> String {
    to_page(std::slice::from_ref(summary), how)
}

/// A page of several summaries.
pub fn to_page(summaries: &[SummaryJson], how: Written) -> String {
    let sections = summaries.iter().map(|summary| section(summary, how));
    PAGE.replace("{sections}", &sections.collect::<String>())
}

/// A summary as a part of a page.
pub(crate) fn section(summary: &SummaryJson, how: Written) -> String {
    let mut html = match heading(summary) {
        Some(heading) => format!("<h2>{}</h2>\n", xml_escaped(&heading)),
        None => String::new(),
    };
    html.push_str(&format!(
        "<p class=\"told\">{} · {} · {} 篇 · {} 词 · {} EDU</p>\n<ol>\n",
        xml_escaped(&summary.method),
        xml_escaped(&summary.length),
        summary.texts,
        summary.words,
        summary.edus
    ));
    for (at, line) in summary.lines.iter().enumerate() {
        html.push_str(&item(line, how));
        for found in against(summary, at) {
            html.push_str(&format!(
                "<p class=\"against\">⚠ {}</p>",
                xml_escaped(&conflict(found))
            ));
        }
        html.push_str("</li>\n");
    }
    html + "</ol>\n"
}

/// A line with its source, its list item left open.
fn item(line: &LineJson, how: Written) -> String {
    let title = xml_escaped(line.title.as_deref().unwrap_or(&line.doc));
    let linked = match line.url.as_deref().filter(|url| url.starts_with("http")) {
        Some(url) => format!("<a href=\"{}\">{title}</a>", xml_escaped(url)),
        None => title,
    };
    let mut html = format!(
        "<li><p>{}</p><p class=\"source\">{linked} <time>{}</time></p>",
        xml_escaped(&line.text),
        xml_escaped(line.date.as_deref().unwrap_or_default())
    );
    if how.explain {
        let facts = facts(line);
        let facts = facts
            .iter()
            .map(|fact| format!("<li>{}</li>", xml_escaped(fact)));
        html.push_str(&format!(
            "<ul class=\"facts\">{}</ul>",
            facts.collect::<String>()
        ));
    }
    html
}

/// What stands above a summary of a cluster.
fn heading(summary: &SummaryJson) -> Option<String> {
    let number = summary.cluster?;
    Some(format!("cluster {number}: {} texts", summary.texts))
}

const PAGE: &str = "<!doctype html>
<html lang=\"zh\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" content=\"width=device-width\">
<title>摘要</title><style>
:root { color-scheme: light dark }
body { font: 17px/1.7 system-ui, 'Noto Sans CJK SC', sans-serif; max-width: 44em; margin: 2em auto; padding: 0 1em }
ol { padding-left: 1.4em } li { margin: .9em 0 } p { margin: 0 }
.source, .facts, .told { font-size: .78em; opacity: .7 } .source a { color: inherit }
.against { color: #b3261e; font-size: .85em }
</style></head><body>
<h1>摘要</h1>
{sections}</body></html>
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
        format!(
            "EDU {}, weight {}, rank {}, f {:.4}",
            edus.join(", "),
            line.weight,
            line.rank,
            line.f
        ),
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

fn marked_down(text: &str) -> String {
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
