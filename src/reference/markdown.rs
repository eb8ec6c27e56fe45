//! The page in Markdown.

use std::fmt::Write;

use super::collect::{Entry, Module, Reference, TableEntry};
use crate::query::Passage;

/// How many rows of a table are listed, the strongest first.
const ROWS_SHOWN: usize = 40;

impl Reference {
    /// The page in Markdown.
    pub fn to_markdown(&self) -> String {
        let mut out = format!("# {}\n\n", self.title);
        let start = self
            .start
            .as_ref()
            .map_or(String::new(), |start| format!(", start symbol `{start}`"));
        let _ = writeln!(
            out,
            "Schema `{}`, decided by {}{start}.\n",
            self.schema, self.decide
        );
        let figures: Vec<String> = self
            .figures
            .iter()
            .map(|(what, count)| format!("{count} {what}"))
            .collect();
        let _ = writeln!(out, "{}.\n", figures.join(" · "));
        out.push_str("## Contents 目录\n\n");
        for module in &self.modules {
            let about = module
                .about
                .first()
                .map_or(String::new(), |about| format!(": {about}"));
            let _ = writeln!(out, "- [{}](#{}){about}", module.name, anchor(&module.name));
        }
        out.push_str("- [Relations 修辞关系](#relations)\n- [Cue classes 连接词](#cues)\n\n");
        for module in &self.modules {
            write_module(&mut out, module);
        }
        self.write_relations(&mut out);
        self.write_cues(&mut out);
        out
    }

    fn write_relations(&self, out: &mut String) {
        out.push_str("<a id=\"relations\"></a>\n\n## Relations 修辞关系\n\n");
        out.push_str("| relation | joins | meaning | cue classes | rules | rows |\n|---|---|---|---|---|---|\n");
        for relation in &self.relations {
            let joins = if relation.multinuclear {
                "nuclei"
            } else {
                "nucleus, satellite"
            };
            let rules: Vec<String> = relation
                .rules
                .iter()
                .map(|rule| format!("[{rule}](#{})", anchor(rule)))
                .collect();
            let _ = writeln!(
                out,
                "| `{}` | {joins} | {} | {} | {} | {} |",
                relation.name,
                cell(&relation.about.join(" ")),
                codes(&relation.cues),
                rules.join(" "),
                relation.rows
            );
        }
        out.push('\n');
    }

    fn write_cues(&self, out: &mut String) {
        out.push_str("<a id=\"cues\"></a>\n\n## Cue classes 连接词\n\n");
        out.push_str("| class | words | answered by | use |\n|---|---|---|---|\n");
        for cue in &self.cues {
            let _ = writeln!(
                out,
                "| `{}` | {} | {} | {} |",
                cue.name,
                cell(&cue.words.join("、")),
                codes(&cue.answered_by),
                cell(&cue.about.join(" "))
            );
        }
    }
}

fn write_module(out: &mut String, module: &Module) {
    let _ = writeln!(
        out,
        "<a id=\"{}\"></a>\n\n## {}\n",
        anchor(&module.name),
        module.name
    );
    if !module.about.is_empty() {
        let _ = writeln!(out, "```text\n{}\n```\n", module.about.join("\n"));
    }
    for entry in &module.entries {
        write_entry(out, entry);
    }
}

fn write_entry(out: &mut String, entry: &Entry) {
    let _ = writeln!(out, "<a id=\"{}\"></a>", anchor(&entry.id));
    if entry.named {
        let _ = writeln!(out, "\n### {} `{}`\n", entry.kind, entry.id);
    } else {
        out.push('\n');
    }
    for line in entry.doc.iter().flat_map(|doc| doc.lines()) {
        let _ = writeln!(out, "{}  ", escaped(line));
    }
    let _ = writeln!(out, "\n```arsg\n{}\n```\n", entry.statement);
    if let Some(table) = &entry.table {
        write_table(out, table);
    }
    let Some(shown) = &entry.shown else {
        return;
    };
    if shown.spoke == 0 {
        out.push_str("It never speaks in the texts that this page was made with.\n\n");
    } else {
        let _ = writeln!(
            out,
            "Spoke {} times, {} as the tree has it.\n",
            shown.spoke, shown.right
        );
    }
    for passage in &shown.speaks {
        let _ = writeln!(out, "- speaks: {}", told(passage));
    }
    for passage in &shown.just_not {
        let failed = passage.failed.as_deref().unwrap_or_default();
        let _ = writeln!(out, "- just not (`{failed}`): {}", told(passage));
    }
    out.push('\n');
}

fn told(passage: &Passage) -> String {
    format!(
        "{} **|** {} ({}, {} {})",
        escaped(&passage.a),
        escaped(&passage.b),
        passage.tree,
        escaped(&passage.id),
        passage.edus
    )
}

fn write_table(out: &mut String, table: &TableEntry) {
    let mut head: Vec<String> = table
        .subjects
        .iter()
        .map(|asked| format!("`{asked}`"))
        .collect();
    if table.has_outcomes {
        head.push("for".to_owned());
    }
    head.extend(["weight".to_owned(), "seen".to_owned()]);
    let _ = writeln!(
        out,
        "| {} |\n|{}",
        head.join(" | "),
        "---|".repeat(head.len())
    );
    let mut rows: Vec<_> = table.rows.iter().collect();
    let hidden = rows.len().saturating_sub(ROWS_SHOWN);
    if hidden > 0 {
        rows.sort_by(|a, b| b.weight.abs().total_cmp(&a.weight.abs()));
        rows.truncate(ROWS_SHOWN);
    }
    for row in rows {
        let mut cells: Vec<String> = row.keys.iter().map(|key| cell(key)).collect();
        if table.has_outcomes {
            cells.push(cell(row.outcome.as_deref().unwrap_or_default()));
        }
        cells.push(format!("{:+.2}", row.weight));
        cells.push(row.count.map_or(String::new(), |count| count.to_string()));
        let _ = writeln!(out, "| {} |", cells.join(" | "));
    }
    out.push('\n');
    if hidden > 0 {
        let _ = writeln!(out, "{hidden} more rows, with smaller weights.\n");
    }
}

fn codes(names: &[String]) -> String {
    let codes: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    codes.join(" ")
}

/// Text that may stand in a cell.
fn cell(text: &str) -> String {
    escaped(text).replace('|', "\\|")
}

/// Text in which nothing is a mark of Markdown or a tag.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '&' => out.push_str("&amp;"),
            '*' | '_' | '`' | '\\' => out.extend(['\\', letter]),
            '\n' => out.push(' '),
            other => out.push(other),
        }
    }
    out
}

/// A name that links may point to.
pub(super) fn anchor(name: &str) -> String {
    let plain = |c: char| {
        if c.is_alphanumeric() || c == '-' {
            c
        } else {
            '-'
        }
    };
    format!("r-{}", name.chars().map(plain).collect::<String>())
}
