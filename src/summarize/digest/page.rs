//! A digest as a page that one would send to a colleague.

use maud::{Markup, html};

use super::super::report::StepJson;
use super::super::write::is_web;
use super::report::{DigestJson, DigestLineJson, SourceJson, StoryJson};
use super::write::{beside, extent, name, origin, place, title};
use crate::page::Page;

/// Stories with a timeline; sources are folded, and each line opens the paragraph it is taken from and its way
/// down the tree.
pub fn to_digest_page(digest: &DigestJson) -> String {
    let title = title(digest);
    let body = html! {
        h1 { (title) } "\n"
        @if digest.timeline.len() > 1 { (timeline(digest)) }
        @for (number, story) in digest.stories.iter().enumerate() { (section(number, story)) }
        @if !digest.others.is_empty() {
            section { h2 { "其他" } "\n"
                ul { @for other in &digest.others {
                    li { (link(&other.source, &other.headline)) " " span.origin { (place(&other.source)) } } "\n"
                } } "\n"
            } "\n"
        }
        @if digest.more > 0 { p.origin { "…… 另有 " (digest.more) " 件" } "\n" }
    };
    let page = Page {
        language: "zh",
        title: &title,
        styles: &[STYLE],
        body,
        script: None,
    };
    page.write()
}

fn timeline(digest: &DigestJson) -> Markup {
    html! {
        details.timeline { summary { "时间线" } "\n"
            ol { @for day in &digest.timeline {
                li { time { (day.date) } " " a href=(format!("#story-{}", day.story + 1)) { (day.text) } } "\n"
            } } "\n"
        } "\n"
    }
}

fn section(number: usize, story: &StoryJson) -> Markup {
    html! {
        section id=(format!("story-{}", number + 1)) { "\n"
            h2 { (story.headline) } "\n"
            p.origin { (extent(story)) } "\n"
            ol.lines { "\n" @for line in &story.lines { (written(line)) } } "\n"
            details { summary { (story.sources.len()) " 篇来源" } "\n"
                ul { @for source in &story.sources {
                    li { (link(source, source.title.as_deref().unwrap_or(&source.doc)))
                        " " span.origin { (place(source)) } } "\n"
                } } "\n"
            } "\n"
        } "\n"
    }
}

fn written(line: &DigestLineJson) -> Markup {
    html! {
        li {
            details { summary {
                @if let Some(date) = &line.date { time { (date) } " " }
                (line.text) " " span.origin { (origin(line)) }
            } "\n"
                blockquote { (around(line)) } "\n"
                p.why { (line.why.join("; ")) @if !line.path.is_empty() { "; " (way(&line.path)) } } "\n"
                ul.sources { @for source in &line.sources {
                    li { (link(source, &name(source))) } "\n"
                } }
            }
            @for beside in beside(line) { p.beside { (beside) } "\n" }
        } "\n"
    }
}

/// The paragraph with the line in it marked.
fn around(line: &DigestLineJson) -> Markup {
    let shown = line.text.trim_end_matches(['。', '”']);
    match line.around.split_once(shown) {
        Some((before, after)) if !shown.is_empty() => {
            html! { (before) mark { (shown) } (after) }
        }
        _ => html! { (line.around) },
    }
}

/// The way down the tree: N > S(elaboration) > N.
fn way(path: &[StepJson]) -> String {
    let steps = path.iter().map(|step| match &step.relation {
        Some(relation) => format!("{}({relation})", step.role),
        None => step.role.to_string(),
    });
    steps.collect::<Vec<_>>().join(" > ")
}

fn link(source: &SourceJson, text: &str) -> Markup {
    let url = source.url.as_deref().filter(|url| is_web(url));
    html! {
        @match url {
            Some(url) => a href=(url) rel="noopener" { (text) },
            None => (text),
        }
    }
}

const STYLE: &str = "\
:root { color-scheme: light dark }
body { font: 17px/1.7 system-ui, 'Noto Sans CJK SC', sans-serif; max-width: 46em; margin: 2em auto; padding: 0 1em }
h1 { font-size: 1.3em } h2 { font-size: 1.15em; margin: 1.6em 0 0 } p { margin: 0 }
ol.lines { list-style: none; padding: 0 } ol.lines > li { margin: .7em 0 }
summary { cursor: pointer } time { font-variant-numeric: tabular-nums; opacity: .75; font-size: .9em }
.origin, .why, .sources { font-size: .78em; opacity: .7 } a { color: inherit }
blockquote { margin: .4em 0 .4em 1em; padding-left: .8em; border-left: 3px solid #8888; font-size: .9em }
.beside { color: #b3261e; font-size: .85em; margin-left: 1em }
.timeline ol { list-style: none; padding-left: 0; font-size: .9em }
";
