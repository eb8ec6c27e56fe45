//! HTML pages that stand by themselves: nothing is fetched from anywhere. Markup is written with
//! maud, which escapes every text.

use maud::{DOCTYPE, Markup, PreEscaped, html};

/// The look of pages with a bar at their top.
const BAR: &str = include_str!("bar.css");

/// A page before it is written.
pub(crate) struct Page<'a> {
    /// The language of most of its text: `zh`, `en`.
    pub(crate) language: &'a str,
    /// What the window is called.
    pub(crate) title: &'a str,
    /// Style sheets; later ones win.
    pub(crate) styles: &'a [&'a str],
    /// What is shown.
    pub(crate) body: Markup,
    /// What the page does.
    pub(crate) script: Option<&'a str>,
}

impl Page<'_> {
    /// The page as a file.
    pub(crate) fn write(self) -> String {
        let page = html! {
            (DOCTYPE) "\n"
            html lang=(self.language) { "\n"
                head { "\n"
                    meta charset="utf-8"; "\n"
                    meta name="viewport" content="width=device-width, initial-scale=1"; "\n"
                    title { (self.title) } "\n"
                    style { "\n" @for style in self.styles { (PreEscaped(style)) } } "\n"
                } "\n"
                body { "\n"
                    (self.body)
                    @if let Some(script) = self.script {
                        script { "\n" (PreEscaped(script)) } "\n"
                    }
                } "\n"
            } "\n"
        };
        page.into_string()
    }
}

/// A page of Chinese text with a bar at its top.
pub(crate) fn page_with_bar(title: &str, style: &str, body: Markup, script: &str) -> String {
    let page = Page {
        language: "zh",
        title,
        styles: &[BAR, style],
        body,
        script: Some(script),
    };
    page.write()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_escaped_and_styles_and_scripts_are_not() {
        let page = Page {
            language: "zh",
            title: "股价 < 成本",
            styles: &["a > b { }\n"],
            body: html! { p title="\"涨\"" { "利率 & 汇率" } "\n" },
            script: Some("if (1 < 2) {}\n"),
        };
        let page = page.write();
        for part in [
            "<!DOCTYPE html>\n<html lang=\"zh\">",
            "<title>股价 &lt; 成本</title>",
            "<style>\na > b { }\n</style>",
            "<p title=\"&quot;涨&quot;\">利率 &amp; 汇率</p>",
            "<script>\nif (1 < 2) {}\n</script>\n</body>\n</html>\n",
        ] {
            assert!(page.contains(part), "{part}: {page}");
        }
    }
}
