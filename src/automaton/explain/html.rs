//! Explanations for browsers: one page, nothing loaded from elsewhere.

use std::fmt::Write;

use super::text::detail_text;
use super::{Explainer, Row};
use crate::tree::xml_escaped as escaped;

const PAGE: &str = include_str!("page.html");

/// A page with the table of steps; every step unfolds into all that is known about it.
pub fn explanation_html(explainer: &Explainer<'_>) -> String {
    let mut rows = String::new();
    for row in explainer.rows() {
        let detail = explainer.detail(row.step);
        let detail = detail.map_or_else(String::new, |detail| detail_text(&detail, true));
        write_row(&mut rows, &row, &detail);
    }
    let engine = explainer.engine();
    let title = if explainer.text().id.is_empty() {
        "steps"
    } else {
        &explainer.text().id
    };
    PAGE.replace("{{TITLE}}", &escaped(title))
        .replace("{{GRAMMAR}}", &escaped(&engine.grammar().name))
        .replace("{{STEPS}}", &explainer.len().to_string())
        .replace("{{ROWS}}", &rows)
}

fn write_row(out: &mut String, row: &Row, detail: &str) {
    let class = match (row.fallback, row.forced) {
        (true, _) => " class=\"fallback\"",
        (false, true) => " class=\"forced\"",
        (false, false) => "",
    };
    let stack = row.stack.iter().rev().take(3).rev();
    let stack: Vec<String> = stack
        .map(|item| format!("{}\u{a0}{}", item.edus, item.symbol))
        .collect();
    let more = if row.stack.len() > 3 { "… " } else { "" };
    let next = row.next.as_ref().map_or_else(String::new, |item| {
        format!("{} {} {}", item.edus, item.symbol, item.text)
    });
    let action = match &row.made.relation {
        Some(relation) => format!(
            "reduce {} → {}[{relation}] {}",
            row.made.edus,
            row.made.symbol,
            row.roles.unwrap_or_default()
        ),
        None => format!("shift {}", row.made.edus),
    };
    let other = row
        .runner_up
        .as_ref()
        .map_or_else(String::new, |(name, p)| format!("{name} {p:.2}"));
    let margin = row
        .margin()
        .map_or_else(String::new, |margin| format!("{margin:+.2}"));
    let _ = writeln!(
        out,
        "<tbody id=\"s{0}\"><tr{class}><td><button aria-expanded=\"false\">{0}</button></td>\
         <td>{more}{1}</td><td class=\"next\">{2}</td><td>{3}</td><td>{4:.2}</td><td>{5}</td>\
         <td>{6}</td><td>{7}</td></tr>\
         <tr class=\"detail\" hidden><td colspan=\"8\"><pre>{8}</pre></td></tr></tbody>",
        row.step,
        escaped(&stack.join(" · ")),
        escaped(&next),
        escaped(&action),
        row.probability,
        escaped(&row.by.join(", ")),
        escaped(&other),
        margin,
        preformatted(detail),
    );
}

/// Text that keeps its lines.
fn preformatted(text: &str) -> String {
    let lines: Vec<String> = text.lines().map(escaped).collect();
    lines.join("\n")
}
