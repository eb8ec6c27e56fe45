//! Digests as people read them: plain text and Markdown.

use super::super::write::{is_web, marked_down};
use super::report::{DigestJson, DigestLineJson, SourceJson, StoryJson};

/// What is written of a digest.
#[derive(Debug, Clone, Copy, Default)]
pub struct DigestLayout {
    /// Only one line a day.
    pub timeline: bool,
    /// Say of every line why it was taken.
    pub explain: bool,
}

/// Stories as plain text: a headline, and a line for each fact with its day and its sources.
pub fn to_digest_text(digest: &DigestJson, how: DigestLayout) -> String {
    if how.timeline {
        let days = digest.timeline.iter();
        return days
            .map(|day| format!("{}  {}（{}）\n", day.date, day.text, told_by(day.sources)))
            .collect();
    }
    let mut out = String::new();
    for (number, story) in digest.stories.iter().enumerate() {
        if number > 0 {
            out.push('\n');
        }
        out.push_str(&format!(
            "{}. {}（{}）\n",
            number + 1,
            story.headline,
            extent(story)
        ));
        for line in &story.lines {
            out.push_str(&format!("   {}（{}）\n", line.text, origin(line)));
            for beside in beside(line) {
                out.push_str(&format!("     {beside}\n"));
            }
            if how.explain {
                out.push_str(&format!("     = {}\n", line.why.join("; ")));
            }
        }
    }
    if !digest.others.is_empty() {
        out.push_str("\n其他：\n");
        for other in &digest.others {
            out.push_str(&format!(
                "   {}（{}）\n",
                other.headline,
                place(&other.source)
            ));
        }
    }
    if digest.more > 0 {
        out.push_str(&format!("   …… 另有 {} 件\n", digest.more));
    }
    out
}

/// The same with headings, links and emphasis.
pub fn to_digest_markdown(digest: &DigestJson, how: DigestLayout) -> String {
    let mut out = format!("# {}\n", title(digest));
    if how.timeline {
        out.push('\n');
        for day in &digest.timeline {
            let text = marked_down(&day.text);
            out.push_str(&format!(
                "- **{}** {text}（{}）\n",
                day.date,
                told_by(day.sources)
            ));
        }
        return out;
    }
    for story in &digest.stories {
        out.push_str(&format!(
            "\n## {}\n\n*{}*\n\n",
            marked_down(&story.headline),
            extent(story)
        ));
        for line in &story.lines {
            let day = line.date.as_deref().unwrap_or_default();
            let day = if day.is_empty() {
                String::new()
            } else {
                format!("**{day}** ")
            };
            out.push_str(&format!(
                "- {day}{}（{}）\n",
                marked_down(&line.text),
                linked(line)
            ));
            for beside in beside(line) {
                out.push_str(&format!("  - {}\n", marked_down(&beside)));
            }
            if how.explain {
                out.push_str(&format!("  - {}\n", line.why.join("; ")));
            }
        }
    }
    if !digest.others.is_empty() {
        out.push_str("\n## 其他\n\n");
        for other in &digest.others {
            let link = link(&other.source, &marked_down(&other.headline));
            let date = other.source.date.as_deref().unwrap_or_default();
            out.push_str(&format!("- {link} {date}\n"));
        }
    }
    if digest.more > 0 {
        out.push_str(&format!("\n…… 另有 {} 件\n", digest.more));
    }
    out
}

/// What a digest is called: 12 篇，2025-09-29 至 2025-10-08.
pub(super) fn title(digest: &DigestJson) -> String {
    let days = match (&digest.first, &digest.last) {
        (Some(first), Some(last)) if first != last => format!("，{first} 至 {last}"),
        (Some(day), _) | (_, Some(day)) => format!("，{day}"),
        _ => String::new(),
    };
    format!("摘要：{} 篇{days}", digest.texts)
}

/// How many texts tell a story, and when.
pub(super) fn extent(story: &StoryJson) -> String {
    let sources = match story.sources.len() {
        0 | 1 => "1 篇".to_owned(),
        many => format!("{many} 篇"),
    };
    match (&story.first, &story.last) {
        (Some(first), Some(last)) if first != last => format!("{sources}，{first} 至 {last}"),
        (Some(day), _) | (_, Some(day)) => format!("{sources}，{day}"),
        _ => sources,
    }
}

/// The day of a line, and who tells it.
pub(super) fn origin(line: &DigestLineJson) -> String {
    let site = line.sources.first().map(name).unwrap_or_default();
    let who = match line.sources.len() {
        0 | 1 => format!("{site}，单一来源"),
        many => format!("{site} 等 {many} 个来源"),
    };
    match &line.date {
        Some(date) => format!("{date}，{who}"),
        None => who,
    }
}

fn told_by(sources: usize) -> String {
    match sources {
        0 | 1 => "单一来源".to_owned(),
        many => format!("{many} 个来源"),
    }
}

/// A text in two words: its site, or its title, or its name.
pub(super) fn name(source: &SourceJson) -> String {
    let title = source.title.as_deref().map(|title| format!("《{title}》"));
    source
        .site
        .clone()
        .or(title)
        .unwrap_or_else(|| source.doc.clone())
}

/// Where and when something was written.
pub(super) fn place(source: &SourceJson) -> String {
    match &source.date {
        Some(date) => format!("{date}，{}", name(source)),
        None => name(source),
    }
}

/// What stands below a line: its earlier version, and what is said against it.
pub(super) fn beside(line: &DigestLineJson) -> Vec<String> {
    let mut beside = Vec::new();
    if let Some(earlier) = &line.earlier {
        let source = place(&earlier.source);
        beside.push(format!("先前：{}（{source}）", earlier.text));
    }
    for against in &line.against {
        let (own, other) = &against.states;
        let source = place(&against.source);
        beside.push(format!(
            "矛盾：{own} / {other}：{}（{source}）",
            against.text
        ));
    }
    beside
}

fn linked(line: &DigestLineJson) -> String {
    let links: Vec<String> = line
        .sources
        .iter()
        .map(|source| link(source, &marked_down(&name(source))))
        .collect();
    match links.len() {
        0 | 1 => format!("{}，单一来源", links.concat()),
        many => format!("{many} 个来源：{}", links.join("、")),
    }
}

fn link(source: &SourceJson, text: &str) -> String {
    match source.url.as_deref().filter(|url| is_web(url)) {
        Some(url) => format!("[{text}](<{}>)", url.replace(['<', '>', '\n'], "")),
        None => text.to_owned(),
    }
}
