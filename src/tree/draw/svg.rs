//! Trees for papers: the classic drawing. A node is a bar over its EDUs with their numbers; a
//! straight line goes down to its nucleus, an arc with an arrow leads from a satellite to its
//! nucleus, lines fan out to several nuclei. Every text stands in a column that nothing else
//! enters, so nothing is cut and nothing overlaps, whatever the depth.

use std::fmt::Write;

use super::super::Tree;
use super::super::node::{Child, NodeId, Role};
use super::measure::{pixels, tidy_text, wrap};
use super::{escape_xml, relation_of};

const MARGIN: f64 = 16.0;
/// From a node's bar to its children's.
const LEVEL: f64 = 78.0;
const NARROWEST_COLUMN: f64 = 104.0;
/// Columns get wider for long texts, up to this.
const WIDEST_COLUMN: f64 = 190.0;
const GAP: f64 = 12.0;
const TEXT_SIZE: f64 = 12.0;
const TEXT_LINE: f64 = 16.0;
const LABEL_SIZE: f64 = 11.0;
/// Above a bar: first the number, then the relation of a satellite.
const NUMBER_RISE: f64 = 5.0;
const ANCHOR_RISE: f64 = 18.0;
const LABEL_RISE: f64 = 22.0;
const ARC_START_RISE: f64 = 35.0;
const ARC_PEAK: f64 = 66.0;
/// Texts longer than this many pixels make their column wider.
const COMFORTABLE_AREA: f64 = 620.0;

/// The drawing as a file of its own.
pub fn draw_svg(tree: &Tree) -> String {
    let layout = Layout::of(tree);
    let (width, height) = (layout.width, layout.height);
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width:.0}\" height=\"{height:.0}\" \
         viewBox=\"0 0 {width:.0} {height:.0}\" font-family=\"'Noto Sans CJK SC', 'Source Han Sans SC', \
         'PingFang SC', 'Microsoft YaHei', 'Helvetica Neue', Arial, sans-serif\">\n"
    );
    if let Some(id) = &tree.id {
        let _ = writeln!(out, "<title>{}</title>", escape_xml(id));
    }
    out.push_str(STYLE);
    for (id, node) in tree.post_order() {
        if !node.is_part() {
            layout.node(tree, id, &mut out);
        }
    }
    out.push_str("</svg>\n");
    out
}

const STYLE: &str = "\
<style>
.bar, .line, .arc { fill: none; stroke: #222; stroke-width: 1.1 }
.guess { stroke-dasharray: 4 3 }
.number { font-size: 11px; fill: #444; text-anchor: middle }
.relation { font-size: 11px; fill: #1a4b8c; text-anchor: middle }
.text { font-size: 12px; fill: #000; text-anchor: middle }
</style>
<defs><marker id=\"arrow\" viewBox=\"0 0 8 8\" refX=\"7\" refY=\"4\" markerWidth=\"7\" markerHeight=\"7\" \
orient=\"auto\"><path d=\"M0 0.8 L8 4 L0 7.2 z\" fill=\"#222\"/></marker></defs>
<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>
";

/// Where everything stands.
struct Layout {
    width: f64,
    height: f64,
    /// By node: left and right end of its columns.
    extents: Vec<(f64, f64)>,
    /// By node: where lines meet it.
    anchors: Vec<f64>,
    /// By node: how deep it stands among constituents.
    depths: Vec<u32>,
    /// By EDU.
    lines: Vec<Vec<String>>,
}

impl Layout {
    fn of(tree: &Tree) -> Layout {
        let columns = column_widths(tree);
        let lines: Vec<Vec<String>> = tree
            .edus
            .iter()
            .zip(&columns)
            .map(|(edu, width)| wrap(&tidy_text(&edu.text), width - GAP, TEXT_SIZE))
            .collect();
        let mut starts = Vec::with_capacity(columns.len() + 1);
        let mut x = MARGIN;
        for width in &columns {
            starts.push(x);
            x += width;
        }
        starts.push(x);
        let mut layout = Layout {
            width: x + MARGIN,
            height: 0.0,
            extents: Vec::with_capacity(tree.len()),
            anchors: Vec::with_capacity(tree.len()),
            depths: vec![0; tree.len()],
            lines,
        };
        for (id, node) in tree.post_order() {
            let span = node.span();
            let extent = (starts[span.start as usize], starts[span.end as usize]);
            layout.extents.push(extent);
            let anchor = layout.anchor(tree, id);
            layout.anchors.push(anchor);
        }
        for (child, depth) in tree.pre_order() {
            layout.depths[child.node.index()] = u32::try_from(depth).unwrap_or(u32::MAX);
        }
        for (leaf, node) in tree.leaves() {
            let lines = layout.lines[node.span().start as usize].len();
            let bottom = layout.y(leaf) + 6.0 + TEXT_LINE * lines as f64;
            layout.height = layout.height.max(bottom + MARGIN);
        }
        layout
    }

    /// Over its nucleus, or between its outer nuclei, or in the middle of its column.
    fn anchor(&self, tree: &Tree, id: NodeId) -> f64 {
        let (left, right) = self.extents[id.index()];
        let children = tree.children(id);
        let mut nuclei = children.iter().filter(|child| child.role == Role::Nucleus);
        match (nuclei.next(), nuclei.next_back()) {
            (Some(first), Some(last)) => {
                (self.anchors[first.node.index()] + self.anchors[last.node.index()]) / 2.0
            }
            (Some(only), None) => self.anchors[only.node.index()],
            _ => (left + right) / 2.0,
        }
    }

    fn y(&self, id: NodeId) -> f64 {
        MARGIN + ANCHOR_RISE + LEVEL * f64::from(self.depths[id.index()])
    }

    fn node(&self, tree: &Tree, id: NodeId, out: &mut String) {
        let node = tree.node(id);
        let (left, right) = self.extents[id.index()];
        let (x, y) = (self.anchors[id.index()], self.y(id));
        let guess = if node.fallback { " guess" } else { "" };
        let _ = writeln!(
            out,
            "<path class=\"bar{guess}\" d=\"M{:.1} {y:.1}H{:.1}\"/>",
            left + 4.0,
            right - 4.0
        );
        let number = caption(tree, id);
        let _ = writeln!(
            out,
            "<text class=\"number\" x=\"{x:.1}\" y=\"{:.1}\">{}</text>",
            y - NUMBER_RISE,
            escape_xml(&number)
        );
        if node.is_leaf() {
            let lines = &self.lines[node.span().start as usize];
            for (at, line) in lines.iter().enumerate() {
                let _ = writeln!(
                    out,
                    "<text class=\"text\" x=\"{x:.1}\" y=\"{:.1}\">{}</text>",
                    y + TEXT_LINE * (at + 1) as f64,
                    escape_xml(line)
                );
            }
            return;
        }
        let children = tree.children(id);
        let nuclei: Vec<&Child> = children
            .iter()
            .filter(|c| c.role == Role::Nucleus)
            .collect();
        match nuclei.as_slice() {
            [] => {}
            [nucleus] => self.nucleus_line(x, y, nucleus.node, 0.0, out),
            several => {
                for nucleus in several {
                    self.nucleus_line(x, y, nucleus.node, 18.0, out);
                }
                let relation = relation_of(tree, id);
                label(x, y + 14.0, &relation, out);
            }
        }
        for child in children
            .iter()
            .filter(|child| child.role == Role::Satellite)
        {
            let target = nearest(&nuclei, child, &self.anchors);
            self.satellite_arc(child, target.unwrap_or(x), out);
        }
    }

    fn nucleus_line(&self, x: f64, y: f64, nucleus: NodeId, drop: f64, out: &mut String) {
        let to_x = self.anchors[nucleus.index()];
        let to_y = self.y(nucleus) - ANCHOR_RISE;
        let _ = writeln!(
            out,
            "<path class=\"line\" d=\"M{x:.1} {:.1}L{to_x:.1} {to_y:.1}\"/>",
            y + drop
        );
    }

    /// From above the satellite's relation over to the nucleus's top.
    fn satellite_arc(&self, child: &Child, target: f64, out: &mut String) {
        let (left, right) = self.extents[child.node.index()];
        let y = self.y(child.node);
        // Over the satellite's number, as far as the relation keeps within its columns.
        let relation = child.relation.as_deref().unwrap_or_default();
        let half = pixels(relation, LABEL_SIZE) / 2.0 + 4.0;
        let anchor = self.anchors[child.node.index()];
        let from = anchor.min(right - half).max(left + half);
        let _ = writeln!(
            out,
            "<path class=\"arc\" marker-end=\"url(#arrow)\" d=\"M{from:.1} {:.1}C{from:.1} {:.1} {:.1} {:.1} {target:.1} {:.1}\"/>",
            y - ARC_START_RISE,
            y - ARC_PEAK,
            target + (from - target) * 0.2,
            y - ARC_PEAK,
            y - ANCHOR_RISE,
        );
        label(from, y - LABEL_RISE, relation, out);
    }
}

fn label(x: f64, y: f64, text: &str, out: &mut String) {
    if !text.is_empty() {
        let _ = writeln!(
            out,
            "<text class=\"relation\" x=\"{x:.1}\" y=\"{y:.1}\">{}</text>",
            escape_xml(text)
        );
    }
}

/// Where a satellite's arrow points: the nucleus, or of several the nearest.
fn nearest(nuclei: &[&Child], satellite: &Child, anchors: &[f64]) -> Option<f64> {
    let from = anchors[satellite.node.index()];
    let targets = nuclei.iter().map(|nucleus| anchors[nucleus.node.index()]);
    targets.min_by(|a, b| (a - from).abs().total_cmp(&(b - from).abs()))
}

/// The numbers of its EDUs and its symbol.
fn caption(tree: &Tree, id: NodeId) -> String {
    let node = tree.node(id);
    match &node.symbol {
        Some(symbol) => format!("{} {symbol}", node.span()),
        None => node.span().to_string(),
    }
}

/// A column holds its EDU's text, its caption and, on a satellite, its relation. A wider
/// constituent whose label or caption needs more gets it from its columns in equal parts.
fn column_widths(tree: &Tree) -> Vec<f64> {
    let mut widths: Vec<f64> = tree
        .edus
        .iter()
        .map(|edu| {
            let length = pixels(&tidy_text(&edu.text), TEXT_SIZE);
            let scale = (length / COMFORTABLE_AREA).sqrt();
            (NARROWEST_COLUMN * scale).clamp(NARROWEST_COLUMN, WIDEST_COLUMN)
        })
        .collect();
    for (id, node) in tree.post_order() {
        if node.is_part() {
            continue;
        }
        let children = tree.children(id);
        let nuclei = children.iter().filter(|c| c.role == Role::Nucleus).count();
        let own = pixels(&caption(tree, id), LABEL_SIZE);
        let shared = match nuclei {
            2.. => pixels(&relation_of(tree, id), LABEL_SIZE),
            _ => 0.0,
        };
        widen(&mut widths, node.span().range(), own.max(shared) + GAP);
        for child in children.iter().filter(|c| c.role == Role::Satellite) {
            let wanted = pixels(child.relation.as_deref().unwrap_or_default(), LABEL_SIZE);
            widen(
                &mut widths,
                tree.node(child.node).span().range(),
                wanted + GAP,
            );
        }
    }
    widths
}

/// Long spans are wide enough, and adding up their columns at every level would take forever.
fn widen(widths: &mut [f64], range: std::ops::Range<usize>, wanted: f64) {
    if wanted <= NARROWEST_COLUMN * range.len() as f64 {
        return;
    }
    let columns = widths.get_mut(range).unwrap_or_default();
    let missing = wanted - columns.iter().sum::<f64>();
    if missing > 0.0 {
        let each = missing / columns.len().max(1) as f64;
        for column in columns {
            *column += each;
        }
    }
}
