//! One page with everything: tables, plots, trees, summaries.

use super::Table;
use crate::summarize::{SummaryJson, Written, section};
use crate::tree::{Tree, draw_svg, xml_escaped};

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
    let mut contents: Vec<(String, String)> = tables
        .iter()
        .map(|table| (table.name.clone(), table.title.clone()))
        .collect();
    let mut body: String = tables.iter().map(Table::to_html).collect();
    if !summaries.is_empty() {
        contents.push(("summaries".to_owned(), "Summaries".to_owned()));
        body.push_str("<section id=\"summaries\"><h2>Summaries</h2>\n");
        for summary in summaries {
            body.push_str(&section(summary, Written { explain: false }));
        }
        body.push_str("</section>\n");
    }
    if !trees.is_empty() {
        contents.push(("trees".to_owned(), "Trees".to_owned()));
        body.push_str("<section id=\"trees\"><h2>Trees</h2>\n");
        for drawn in trees {
            body.push_str(&format!(
                "<details><summary>{}</summary><div class=\"wide\">{}</div></details>\n",
                xml_escaped(drawn.title),
                draw_svg(drawn.tree)
            ));
        }
        body.push_str("</section>\n");
    }
    let links = contents.iter().map(|(id, title)| {
        format!(
            "<li><a href=\"#{}\">{}</a></li>",
            xml_escaped(id),
            xml_escaped(title)
        )
    });
    include_str!("page.html")
        .replace("{title}", &xml_escaped(title))
        .replace("{contents}", &links.collect::<String>())
        .replace("{body}", &body)
}
