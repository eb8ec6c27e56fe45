//! Plots as SVG: lines and dots over two axes, with names and labels in any script.
//!
//! ```
//! use arsg::plot::{Chart, Layer};
//! let chart = Chart::new("损失", "epoch", "loss").with(Layer::line("training", vec![(1.0, 4.2), (2.0, 3.1)]));
//! assert!(chart.to_svg().starts_with("<svg"));
//! ```

mod scale;

use std::fmt::Write;

use scale::Scale;

use crate::columns::columns;

/// A plot.
#[derive(Debug, Clone, PartialEq)]
pub struct Chart {
    /// What it shows.
    pub title: String,
    /// What lies along the horizontal axis.
    pub x: String,
    /// What lies along the vertical axis.
    pub y: String,
    /// What is drawn, the first at the bottom.
    pub layers: Vec<Layer>,
    /// Width and height in pixels.
    pub size: (u32, u32),
}

/// Points that belong together.
#[derive(Debug, Clone, PartialEq)]
pub struct Layer {
    /// The name in the legend.
    pub name: String,
    /// How they are drawn.
    pub mark: Mark,
    /// The points; those that are no numbers are left out.
    pub points: Vec<(f64, f64)>,
    /// Words beside points, by the points' order; where two would overlap only the first is drawn.
    pub labels: Vec<String>,
}

/// How points are drawn.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum Mark {
    /// Joined by a line, with a dot each.
    Line,
    /// Dots of that radius.
    Dots(f64),
}

/// Colours that those who are colour-blind can tell apart (Okabe and Ito).
const COLOURS: [&str; 6] = [
    "#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#e69f00",
];
const FONTS: &str = "'Noto Sans','Noto Sans CJK SC','PingFang SC','Microsoft YaHei',sans-serif";
const LEFT: f64 = 72.0;
const RIGHT: f64 = 20.0;
const TOP: f64 = 64.0;
const BOTTOM: f64 = 52.0;
const LABEL: f64 = 11.0;

impl Layer {
    /// Points joined by a line.
    pub fn line(name: impl Into<String>, points: Vec<(f64, f64)>) -> Layer {
        Layer {
            name: name.into(),
            mark: Mark::Line,
            points,
            labels: Vec::new(),
        }
    }

    /// Dots.
    pub fn dots(name: impl Into<String>, radius: f64, points: Vec<(f64, f64)>) -> Layer {
        Layer {
            mark: Mark::Dots(radius),
            ..Layer::line(name, points)
        }
    }

    /// Puts words beside the points.
    pub fn labelled(mut self, labels: Vec<String>) -> Layer {
        self.labels = labels;
        self
    }
}

impl Chart {
    /// An empty plot.
    pub fn new(title: impl Into<String>, x: impl Into<String>, y: impl Into<String>) -> Chart {
        Chart {
            title: title.into(),
            x: x.into(),
            y: y.into(),
            layers: Vec::new(),
            size: (760, 480),
        }
    }

    /// Adds a layer on top.
    pub fn with(mut self, layer: Layer) -> Chart {
        self.layers.push(layer);
        self
    }

    /// The picture.
    pub fn to_svg(&self) -> String {
        let (width, height) = (f64::from(self.size.0), f64::from(self.size.1));
        let points = || self.layers.iter().flat_map(Layer::finite);
        let x = Scale::over(points().map(|(x, _)| x), LEFT, width - RIGHT);
        let y = Scale::over(points().map(|(_, y)| y), height - BOTTOM, TOP);
        let mut svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} {1}\" \
             font-family=\"{FONTS}\" font-size=\"12\">\n<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n",
            self.size.0, self.size.1
        );
        self.draw_axes(&mut svg, &x, &y);
        let mut taken = Vec::new();
        for (layer, colour) in self.layers.iter().zip(COLOURS.iter().cycle()) {
            layer.draw(&mut svg, &x, &y, colour);
        }
        for layer in &self.layers {
            layer.draw_labels(&mut svg, &x, &y, width - RIGHT, &mut taken);
        }
        self.draw_legend(&mut svg);
        svg.push_str("</svg>\n");
        svg
    }

    fn draw_axes(&self, svg: &mut String, x: &Scale, y: &Scale) {
        let (width, height) = (f64::from(self.size.0), f64::from(self.size.1));
        let (right, bottom) = (width - RIGHT, height - BOTTOM);
        put(svg, format_args!("<g stroke=\"#e4e4e4\" fill=\"#444\">"));
        for (at, name) in x.ticks() {
            put(
                svg,
                format_args!(
                    "<path d=\"M{at:.1} {TOP}V{bottom:.1}\"/><text stroke=\"none\" x=\"{at:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{name}</text>",
                    bottom + 18.0
                ),
            );
        }
        for (at, name) in y.ticks() {
            put(
                svg,
                format_args!(
                    "<path d=\"M{LEFT} {at:.1}H{right:.1}\"/><text stroke=\"none\" x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{name}</text>",
                    LEFT - 8.0,
                    at + 4.0
                ),
            );
        }
        put(
            svg,
            format_args!(
                "</g>\n<path d=\"M{LEFT} {TOP}V{bottom:.1}H{right:.1}\" fill=\"none\" stroke=\"#444\"/>"
            ),
        );
        let middle = (LEFT + right) / 2.0;
        put(
            svg,
            format_args!(
                "<text x=\"{LEFT}\" y=\"24\" font-size=\"16\" font-weight=\"600\">{}</text>",
                escaped(&self.title)
            ),
        );
        put(
            svg,
            format_args!(
                "<text x=\"{middle:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{}</text>",
                height - 12.0,
                escaped(&self.x)
            ),
        );
        put(
            svg,
            format_args!(
                "<text transform=\"translate(18 {:.1}) rotate(-90)\" text-anchor=\"middle\">{}</text>",
                (TOP + bottom) / 2.0,
                escaped(&self.y)
            ),
        );
    }

    /// A line of names above the plot; a single layer needs none unless it has a name.
    fn draw_legend(&self, svg: &mut String) {
        let mut at = LEFT;
        for (layer, colour) in self.layers.iter().zip(COLOURS.iter().cycle()) {
            if layer.name.is_empty() {
                continue;
            }
            put(
                svg,
                format_args!(
                    "<circle cx=\"{:.1}\" cy=\"44\" r=\"5\" fill=\"{colour}\"/><text x=\"{:.1}\" y=\"48\">{}</text>",
                    at + 5.0,
                    at + 15.0,
                    escaped(&layer.name)
                ),
            );
            at += 36.0 + text_width(&layer.name, 12.0);
        }
    }
}

impl Layer {
    fn finite(&self) -> impl Iterator<Item = (f64, f64)> + '_ {
        let points = self.points.iter().copied();
        points.filter(|(x, y)| x.is_finite() && y.is_finite())
    }

    fn draw(&self, svg: &mut String, x: &Scale, y: &Scale, colour: &str) {
        let places: Vec<(f64, f64)> = self
            .finite()
            .map(|(a, b)| (x.place(a), y.place(b)))
            .collect();
        let radius = match self.mark {
            Mark::Dots(radius) => radius,
            Mark::Line => {
                let mut path = String::new();
                for (at, (a, b)) in places.iter().enumerate() {
                    let letter = if at == 0 { 'M' } else { 'L' };
                    // Writing to a string cannot fail.
                    let _ = write!(path, "{letter}{a:.1} {b:.1}");
                }
                put(
                    svg,
                    format_args!(
                        "<path d=\"{path}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\"/>"
                    ),
                );
                2.5
            }
        };
        put(
            svg,
            format_args!("<g fill=\"{colour}\" fill-opacity=\"0.75\">"),
        );
        for (a, b) in places {
            put(
                svg,
                format_args!("<circle cx=\"{a:.1}\" cy=\"{b:.1}\" r=\"{radius}\"/>"),
            );
        }
        put(svg, format_args!("</g>"));
    }

    fn draw_labels(
        &self,
        svg: &mut String,
        x: &Scale,
        y: &Scale,
        right: f64,
        taken: &mut Vec<[f64; 4]>,
    ) {
        for ((a, b), label) in self.points.iter().zip(&self.labels) {
            if label.is_empty() || !a.is_finite() || !b.is_finite() {
                continue;
            }
            let wide = text_width(label, LABEL);
            let left = x.place(*a) + 5.0;
            // A label that would leave the plot stands on the other side of its point.
            let left = if left + wide > right {
                left - wide - 10.0
            } else {
                left
            };
            let base = y.place(*b) + 4.0;
            let area = [left, base - LABEL, left + wide, base + 2.0];
            let overlaps = |other: &[f64; 4]| {
                area[0] < other[2] && other[0] < area[2] && area[1] < other[3] && other[1] < area[3]
            };
            if taken.iter().any(overlaps) {
                continue;
            }
            taken.push(area);
            put(
                svg,
                format_args!(
                    "<text x=\"{left:.1}\" y=\"{base:.1}\" font-size=\"{LABEL}\" fill=\"#222\" stroke=\"#fff\" stroke-width=\"3\" paint-order=\"stroke\">{}</text>",
                    escaped(label)
                ),
            );
        }
    }
}

/// Adds a line; writing to a string cannot fail.
fn put(svg: &mut String, line: std::fmt::Arguments<'_>) {
    let _ = svg.write_fmt(line);
    svg.push('\n');
}

/// About how wide a text is: a Chinese character is as wide as the font is high, others half.
fn text_width(text: &str, size: f64) -> f64 {
    columns(text) as f64 * size * 0.54
}

fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '&' => out.push_str("&amp;"),
            '"' => out.push_str("&quot;"),
            // XML has no other control characters, not even escaped.
            c if c.is_control() => out.push(' '),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plot_is_well_formed_whatever_it_holds() {
        let odd = vec![
            (f64::NAN, 1.0),
            (1.0, f64::INFINITY),
            (2.0, 3.0),
            (1e300, -1e300),
        ];
        let chart = Chart::new("a < b & \"c\"\u{1}", "横轴", "纵轴")
            .with(Layer::line("线", odd.clone()).labelled(vec!["沪指".to_owned(); 4]))
            .with(Layer::dots("<点>", 3.0, odd))
            .with(Layer::dots("", 3.0, Vec::new()));
        let svg = chart.to_svg();
        let tree = roxmltree::Document::parse(&svg).expect("well-formed");
        let texts: Vec<&str> = tree.descendants().filter_map(|node| node.text()).collect();
        assert!(texts.contains(&"a < b & \"c\" "));
        assert!(texts.contains(&"横轴") && texts.contains(&"沪指"));
        assert!(!svg.contains("NaN") && !svg.contains("inf"));
        let empty = Chart::new("", "", "").to_svg();
        assert!(roxmltree::Document::parse(&empty).is_ok());
    }

    #[test]
    fn labels_that_would_overlap_are_left_out() {
        let points = vec![(0.0, 0.0), (0.001, 0.0), (9.0, 9.0)];
        let names = ["上涨", "下跌", "持平"].map(str::to_owned).to_vec();
        let svg = Chart::new("t", "x", "y")
            .with(Layer::dots("n", 2.0, points).labelled(names))
            .to_svg();
        assert!(svg.contains("上涨") && svg.contains("持平"));
        assert!(!svg.contains("下跌"));
    }
}
