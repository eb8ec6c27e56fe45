//! Digests as feeds: Atom and RSS 2.0, an entry a story.

use super::super::write::is_web;
use super::report::{DigestJson, StoryJson};
use super::write::{beside, extent, origin, title};

/// An Atom feed (RFC 4287).
pub fn to_atom(digest: &DigestJson) -> String {
    let mut out = String::from("<?xml version=\"1.0\" encoding=\"utf-8\"?>\n");
    out.push_str("<feed xmlns=\"http://www.w3.org/2005/Atom\">\n");
    out.push_str(&format!("  <title>{}</title>\n", escaped(&title(digest))));
    out.push_str("  <id>urn:arsg:digest</id>\n  <author><name>arsg</name></author>\n");
    out.push_str(&format!(
        "  <updated>{}</updated>\n",
        moment(digest.last.as_deref())
    ));
    for story in &digest.stories {
        out.push_str("  <entry>\n");
        out.push_str(&format!(
            "    <title>{}</title>\n",
            escaped(&story.headline)
        ));
        out.push_str(&format!("    <id>{}</id>\n", escaped(&id(story))));
        if let Some(url) = address(story) {
            out.push_str(&format!("    <link href=\"{}\"/>\n", escaped(url)));
        }
        out.push_str(&format!(
            "    <updated>{}</updated>\n",
            moment(story.last.as_deref())
        ));
        let body = escaped(&body(story));
        out.push_str(&format!(
            "    <content type=\"html\">{body}</content>\n  </entry>\n"
        ));
    }
    out.push_str("</feed>\n");
    out
}

/// An RSS 2.0 feed.
pub fn to_rss(digest: &DigestJson) -> String {
    let mut out = String::from("<?xml version=\"1.0\" encoding=\"utf-8\"?>\n");
    out.push_str("<rss version=\"2.0\"><channel>\n");
    let title = escaped(&title(digest));
    out.push_str(&format!(
        "  <title>{title}</title>\n  <link>urn:arsg:digest</link>\n"
    ));
    out.push_str(&format!("  <description>{title}</description>\n"));
    for story in &digest.stories {
        out.push_str("  <item>\n");
        out.push_str(&format!(
            "    <title>{}</title>\n",
            escaped(&story.headline)
        ));
        let id = escaped(&id(story));
        out.push_str(&format!("    <guid isPermaLink=\"false\">{id}</guid>\n"));
        if let Some(url) = address(story) {
            out.push_str(&format!("    <link>{}</link>\n", escaped(url)));
        }
        if let Some(date) = story.last.as_deref().and_then(rfc822) {
            out.push_str(&format!("    <pubDate>{date}</pubDate>\n"));
        }
        let body = escaped(&body(story));
        out.push_str(&format!(
            "    <description>{body}</description>\n  </item>\n"
        ));
    }
    out.push_str("</channel></rss>\n");
    out
}

/// A story is known by its first text, however it goes on.
fn id(story: &StoryJson) -> String {
    let first = story.sources.first();
    let first = first.map(|source| source.url.as_deref().unwrap_or(&source.doc));
    format!("urn:arsg:story:{}", first.unwrap_or(&story.headline))
}

fn address(story: &StoryJson) -> Option<&str> {
    let mut urls = story
        .sources
        .iter()
        .filter_map(|source| source.url.as_deref());
    urls.find(|url| is_web(url))
}

fn moment(date: Option<&str>) -> String {
    format!("{}T00:00:00Z", date.unwrap_or("1970-01-01"))
}

/// `Tue, 21 Apr 2026 00:00:00 GMT`.
fn rfc822(date: &str) -> Option<String> {
    let date: jiff::civil::Date = date.parse().ok()?;
    Some(date.strftime("%a, %d %b %Y 00:00:00 GMT").to_string())
}

/// The lines of a story as markup.
fn body(story: &StoryJson) -> String {
    let mut out = format!("<p>{}</p><ul>", escaped(&extent(story)));
    for line in &story.lines {
        out.push_str(&format!(
            "<li>{}（{}）",
            escaped(&line.text),
            escaped(&origin(line))
        ));
        for beside in beside(line) {
            out.push_str(&format!("<br/>{}", escaped(&beside)));
        }
        out.push_str("</li>");
    }
    out.push_str("</ul>");
    out
}

/// As XML text; what XML cannot hold is left out.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\t' | '\n' => out.push(' '),
            c if c < ' ' || matches!(c, '\u{fffe}' | '\u{ffff}') => {}
            c => out.push(c),
        }
    }
    out
}
