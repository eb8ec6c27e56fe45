//! Tables as people, spreadsheets and pages read them.

use maud::{Markup, PreEscaped, html};
use serde::Serialize;

use crate::columns::{fill, widest};

/// A table with what is to be said of it and the pictures that belong to it.
#[derive(Debug, Clone, PartialEq, Default, Serialize, schemars::JsonSchema)]
#[schemars(title = "arsg table of an experiment")]
pub struct Table {
    /// The name of its files.
    pub name: String,
    /// What it shows.
    pub title: String,
    /// How it came about: corpus, seeds, what was left out.
    pub notes: Vec<String>,
    /// The names of the columns.
    pub head: Vec<String>,
    /// The rows.
    pub rows: Vec<Vec<String>>,
    /// Pictures of the same figures.
    #[serde(skip)]
    pub pictures: Vec<Picture>,
}

/// A picture with a line below it.
#[derive(Debug, Clone, PartialEq)]
pub struct Picture {
    /// The name of its file.
    pub name: String,
    /// What it shows.
    pub caption: String,
    /// The picture.
    pub svg: String,
}

impl Table {
    /// An empty table.
    pub fn new(name: &str, title: &str, head: &[&str]) -> Table {
        Table {
            name: name.to_owned(),
            title: title.to_owned(),
            head: head.iter().map(|cell| (*cell).to_owned()).collect(),
            ..Table::default()
        }
    }

    /// With a remark.
    pub fn note(mut self, note: impl Into<String>) -> Table {
        self.notes.push(note.into());
        self
    }

    /// As Markdown: a heading, the table with its columns in line, the remarks.
    pub fn to_markdown(&self) -> String {
        let widths: Vec<usize> = (0..self.head.len())
            .map(|column| {
                let cells = self.rows.iter().filter_map(|row| row.get(column));
                let all = cells.chain(self.head.get(column));
                widest(all.map(String::as_str))
            })
            .collect();
        let line = |row: &[String]| {
            let cells = widths.iter().enumerate().map(|(at, width)| {
                let cell = row.get(at).map_or("", String::as_str).replace('|', "\\|");
                format!(" {cell}{} |", fill(&cell, *width))
            });
            format!("|{}\n", cells.collect::<String>())
        };
        let rule = widths
            .iter()
            .map(|width| format!("{}|", "-".repeat(width + 2)));
        let mut text = format!("## {}\n\n{}", self.title, line(&self.head));
        text.push_str(&format!("|{}\n", rule.collect::<String>()));
        self.rows.iter().for_each(|row| text.push_str(&line(row)));
        for note in &self.notes {
            text.push_str(&format!("\n{note}\n"));
        }
        text
    }

    /// As comma-separated values.
    pub fn to_csv(&self) -> String {
        let rows = std::iter::once(&self.head).chain(&self.rows);
        rows.map(|row| {
            let cells: Vec<String> = row.iter().map(|cell| quoted(cell)).collect();
            cells.join(",") + "\n"
        })
        .collect()
    }

    /// As a part of a page, with its pictures.
    pub fn to_html(&self) -> String {
        self.markup().into_string()
    }

    pub(super) fn markup(&self) -> Markup {
        html! {
            section id=(self.name) {
                h2 { (self.title) } "\n"
                div.wide {
                    table { "\n"
                        thead { tr { @for cell in &self.head { th class=[class(cell)] { (set(cell)) } } } "\n" } "\n"
                        tbody {
                            @for row in &self.rows {
                                tr { @for cell in row { td class=[class(cell)] { (set(cell)) } } } "\n"
                            }
                        }
                    }
                } "\n"
                @for note in &self.notes { p.note { (note) } "\n" }
                div.figures {
                    @for picture in &self.pictures {
                        figure { (PreEscaped(&picture.svg)) figcaption { (picture.caption) } } "\n"
                    }
                }
            } "\n"
        }
    }
}

/// The class of a cell whose gain is sure: both ends of its interval lie on one side of 0.
fn class(cell: &str) -> Option<&'static str> {
    let ends = cell
        .split_once(" [")
        .and_then(|(_, ends)| ends.strip_suffix(']')?.split_once(", "));
    let lies =
        |end: &str, sign: char| end.starts_with(sign) && end.contains(|c| matches!(c, '1'..='9'));
    match ends {
        Some((low, high)) if lies(low, '+') && lies(high, '+') => Some("gain"),
        Some((low, high)) if lies(low, '-') && lies(high, '-') => Some("loss"),
        _ => None,
    }
}

/// A cell of a page: intervals stand small below their means.
fn set(cell: &str) -> Markup {
    match cell.split_once(" [") {
        Some((mean, interval)) if interval.ends_with(']') => {
            let ends = interval.trim_end_matches(']').replace(", ", " … ");
            html! { (mean) small { (ends) } }
        }
        _ => html! { (cell) },
    }
}

/// A cell in quotes where it needs them.
fn quoted(cell: &str) -> String {
    if cell.contains([',', '"', '\n']) {
        format!("\"{}\"", cell.replace('"', "\"\""))
    } else {
        cell.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table() -> Table {
        let mut table = Table::new("t", "表", &["方法", "Score"]).note("两个事件");
        table
            .rows
            .push(vec!["a|b".to_owned(), "77.6, 约".to_owned()]);
        table
    }

    #[test]
    fn tables_are_written_for_people_and_for_spreadsheets() {
        let text = table().to_markdown();
        assert_eq!(
            text,
            "## 表\n\n| 方法 | Score    |\n|------|----------|\n| a\\|b | 77.6, 约 |\n\n两个事件\n"
        );
        assert_eq!(table().to_csv(), "方法,Score\na|b,\"77.6, 约\"\n");
        assert!(table().to_html().contains("<td>a|b</td><td>77.6, 约</td>"));
    }

    #[test]
    fn gains_that_are_sure_are_told_from_those_that_are_not() {
        assert_eq!(class("+2.4 [+0.1, +4.6]"), Some("gain"));
        assert_eq!(class("-2.3 [-3.1, -1.5]"), Some("loss"));
        for open in [
            "+0.5 [-7.5, +8.6]",
            "+1.2 [+0.0, +2.2]",
            "73.8 [67.9, 78.1]",
            "+0.0",
        ] {
            assert_eq!(class(open), None, "{open}");
        }
    }
}
