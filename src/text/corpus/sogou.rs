//! SogouCA and SogouCS: `<doc>` records of news pages, by the gigabyte.

use nom::branch::alt;
use nom::bytes::complete::{tag, take_until};
use nom::combinator::rest;
use nom::sequence::{delimited, preceded};
use nom::{IResult, Parser};

use super::super::document::{Document, parse_date};

/// The fields of a record, as they stand in the file.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Record<'a> {
    pub(super) url: &'a str,
    pub(super) docno: &'a str,
    pub(super) title: &'a str,
    pub(super) content: &'a str,
    /// The content has no closing tag: the record was cut off.
    pub(super) truncated: bool,
}

/// The private-use character that stands for a paragraph's end in SogouCA.
const PARAGRAPH_MARK: char = '\u{e40c}';

/// Reads the inside of a record; none when it has neither a URL nor a content.
pub(super) fn record<'a>(body: &'a str) -> Option<Record<'a>> {
    let url = field(body, "<url>", "</url>");
    let content = field(body, "<content>", "</content>");
    if url.is_none() && content.is_none() {
        return None;
    }
    let inside = |found: Option<(&'a str, bool)>| found.map_or("", |(text, _)| text.trim());
    Some(Record {
        url: inside(url),
        docno: inside(field(body, "<docno>", "</docno>")),
        title: inside(field(body, "<contenttitle>", "</contenttitle>")),
        content: inside(content),
        truncated: content.is_none_or(|(_, closed)| !closed),
    })
}

/// The text between two tags, and whether the closing one was there.
fn field<'a>(body: &'a str, open: &str, close: &str) -> Option<(&'a str, bool)> {
    let closed = |input: &'a str| -> IResult<&'a str, (&'a str, bool)> {
        delimited(tag(open), take_until(close), tag(close))
            .map(|text| (text, true))
            .parse(input)
    };
    let unclosed = |input: &'a str| -> IResult<&'a str, (&'a str, bool)> {
        preceded(tag(open), rest)
            .map(|text| (text, false))
            .parse(input)
    };
    let at: IResult<&str, &str> = take_until(open)(body);
    let (from, _) = at.ok()?;
    let (_, found) = alt((closed, unclosed)).parse(from).ok()?;
    Some(found)
}

impl Record<'_> {
    /// The document: paragraphs apart, entities resolved, the date from the URL.
    pub(super) fn into_document(self, fallback_id: &str) -> Document {
        let id = if self.docno.is_empty() {
            fallback_id
        } else {
            self.docno
        };
        let mut document = Document::from_text(id, paragraphs(self.content));
        let title = unescape(self.title);
        document.title = (!title.is_empty()).then_some(title);
        document.url = (!self.url.is_empty()).then(|| self.url.to_owned());
        document.date = date_in_url(self.url);
        document
    }
}

/// One paragraph a line: at the paragraph mark, and at the two full-width spaces that open a
/// Chinese paragraph.
fn paragraphs(content: &str) -> String {
    unescape(content)
        .replace(PARAGRAPH_MARK, "\n")
        .replace("\u{3000}\u{3000}", "\n")
        .split('\n')
        .map(|line| line.trim_matches(super::super::document::is_blank))
        .filter(|line| !line.is_empty())
        .collect::<Vec<_>>()
        .join("\n")
}

/// Resolves the handful of entities that web pages leave behind.
fn unescape(text: &str) -> String {
    if !text.contains('&') {
        return text.to_owned();
    }
    const ENTITIES: &[(&str, &str)] = &[
        ("&nbsp;", " "),
        ("&lt;", "<"),
        ("&gt;", ">"),
        ("&quot;", "\""),
        ("&ldquo;", "“"),
        ("&rdquo;", "”"),
        ("&mdash;", "—"),
        ("&middot;", "·"),
        ("&amp;", "&"),
    ];
    ENTITIES
        .iter()
        .fold(text.to_owned(), |text, (entity, plain)| {
            text.replace(entity, plain)
        })
}

/// News pages carry their day in the path: `/20120612/n345428229.shtml`, `/2012-06-12/`.
fn date_in_url(url: &str) -> Option<jiff::civil::Date> {
    url.split('/').skip(3).find_map(|part| {
        let digits = part.bytes().all(|b| b.is_ascii_digit());
        match part.len() {
            8 if digits => parse_date(&format!(
                "{}-{}-{}",
                part.get(..4)?,
                part.get(4..6)?,
                part.get(6..)?
            )),
            10 => parse_date(part),
            _ => None,
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_whole_record() {
        let body = "<url>http://business.sohu.com/20120612/n1.shtml</url>\n<docno>a-1</docno>\n\
            <contenttitle>央行&amp;降息</contenttitle>\n<content>　　第一段。\u{e40c}第二段。</content>\n";
        let document = record(body).unwrap().into_document("x");
        assert_eq!(document.id, "a-1");
        assert_eq!(document.title.as_deref(), Some("央行&降息"));
        assert_eq!(document.text, "第一段。\n第二段。");
        assert_eq!(document.date, Some(jiff::civil::date(2012, 6, 12)));
    }

    #[test]
    fn a_record_that_was_cut_off_keeps_what_it_has() {
        let found = record("<url>http://a.cn/</url>\n<content>说到一半").unwrap();
        assert_eq!((found.content, found.truncated), ("说到一半", true));
        assert_eq!(record("</content>\n杂物"), None);
    }
}
