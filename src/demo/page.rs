//! The demo as a page that stands by itself.

use maud::{PreEscaped, html};

use super::step::DemoStep;
use crate::page::Page;

const STYLE: &str = "\
body { max-width: 62rem; margin: 2rem auto; padding: 0 1rem; color: #222; line-height: 1.5;
  font-family: 'Noto Sans', 'Noto Sans CJK SC', 'PingFang SC', 'Microsoft YaHei', sans-serif }
h2 { margin: 2.5rem 0 0; font-size: 1.15rem }
.why { margin: .2rem 0 .8rem; color: #555 }
pre { background: #f6f7f9; padding: .8rem 1rem; overflow-x: auto; font-size: .85rem; line-height: 1.45;
  font-family: 'Noto Sans Mono CJK SC', 'Sarasa Mono SC', monospace }
figure { margin: 1rem 0; overflow-x: auto; border: 1px solid #e3e5e8 }
figcaption { padding: .3rem .8rem; color: #555; font-size: .85rem; position: sticky; left: 0 }
figure svg { display: block }
";

/// All steps as one HTML page, with nothing to load from anywhere.
pub fn page(steps: &[DemoStep]) -> String {
    let body = html! {
        h1 { "arsg demo" } "\n"
        p {
            "The whole method on a small corpus of made-up Chinese finance news: "
            code { "arsg demo" } " made this page."
        } "\n"
        @for (number, step) in steps.iter().enumerate() {
            h2 { (number + 1) ". " (step.title) } "\n"
            p.why { (step.why) } "\n"
            @if !step.text.is_empty() {
                pre { (step.text.trim_end_matches('\n')) } "\n"
            }
            @for picture in &step.pictures {
                figure {
                    (PreEscaped(picture.svg.trim_end()))
                    figcaption { (picture.caption) }
                } "\n"
            }
        }
    };
    let page = Page {
        language: "en",
        title: "arsg demo",
        styles: &[STYLE],
        body,
        script: None,
    };
    page.write()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_stay_lines_and_marks_are_escaped() {
        let mut step = DemoStep::new("一 < 二", "why & how");
        step.line("上涨  <");
        step.line("  下跌");
        step.picture("图", "<svg/>".to_owned());
        let page = page(&[step]);
        for part in [
            "1. 一 &lt; 二",
            "why &amp; how",
            "上涨  &lt;\n  下跌",
            "<svg/>",
        ] {
            assert!(page.contains(part), "{part}: {page}");
        }
    }
}
