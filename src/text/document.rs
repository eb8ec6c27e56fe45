//! Documents: one text, divided into blocks, and blocks into EDUs.
//!
//! Everything is a stretch (byte range) of the document's text, so nothing can be lost or moved:
//! joining the EDUs of a block gives the block's text back.

use std::ops::Range;

use jiff::civil::Date;
use serde::{Deserialize, Serialize};

/// A text with what is known about it: what an [`Engine`](crate::Engine) parses.
///
/// [`Document::from_text`] takes running text, one block per line; [`Document::from_edus`] a text that is
/// divided already; [`corpus::open`](super::corpus::open) reads files of every known format.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Document {
    /// Unique in its corpus.
    pub id: String,
    /// The headline. Where the structure of the text is known, it is also its first block.
    pub title: Option<String>,
    /// When it was written; relative times are read against it.
    pub date: Option<Date>,
    /// Where it comes from.
    pub url: Option<String>,
    /// Summaries that people wrote of it; nothing that reads the text looks at them.
    pub abstracts: Vec<String>,
    /// The whole text; blocks are stretches of it.
    pub text: String,
    /// The blocks in text order; they never overlap. Between them lie white space, and marks that the
    /// kind or the speaker of a block stands for: `## `, `- `, `> `, `记者：`.
    pub blocks: Vec<Block>,
    /// True while the blocks are the lines of a plain text, and nobody has said what they are. A grammar's
    /// block rules say it; documents whose blocks have kinds are left as they are.
    pub plain: bool,
}

/// A paragraph, a heading, an item of a list, a quotation, a row of a table, an aside.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Block {
    /// What it is.
    pub kind: BlockKind,
    /// Who speaks, in interviews.
    pub speaker: Option<String>,
    /// Its stretch of the document's text, in bytes.
    pub range: Range<usize>,
    /// Its EDUs, once segmented: neighbouring stretches that cover the block.
    pub edus: Option<Vec<Range<usize>>>,
}

/// What a block is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum BlockKind {
    /// A heading; level 0 is the title.
    Heading(u8),
    /// Running text.
    Paragraph,
    /// An item of a list.
    ListItem,
    /// A block quotation.
    Quote,
    /// A row of a table.
    Table,
    /// What stands beside the text: a byline, a date alone, a source, a disclaimer.
    Aside,
}

impl BlockKind {
    /// True for what the text itself says; rows of tables and asides stay out of trees and summaries.
    pub fn is_content(self) -> bool {
        !matches!(self, BlockKind::Table | BlockKind::Aside)
    }

    /// Its name, as in the JSON format and in block rules.
    pub fn as_str(self) -> &'static str {
        match self {
            BlockKind::Heading(_) => "heading",
            BlockKind::Paragraph => "paragraph",
            BlockKind::ListItem => "list-item",
            BlockKind::Quote => "quote",
            BlockKind::Table => "table",
            BlockKind::Aside => "aside",
        }
    }

    /// What stands before an EDU of such a block where every EDU has a line: `# ` before a title,
    /// `## ` before a heading of the first level, `~ ` before what is not content.
    pub fn line_mark(self) -> String {
        match self {
            BlockKind::Heading(level) => format!("{} ", "#".repeat(usize::from(level) + 1)),
            BlockKind::Table | BlockKind::Aside => ASIDE_MARK.to_owned(),
            _ => String::new(),
        }
    }

    /// Takes the mark off a line again.
    pub fn of_line(line: &str) -> (BlockKind, &str) {
        if let Some(text) = line.strip_prefix(ASIDE_MARK) {
            return (BlockKind::Aside, text.trim());
        }
        let rest = line.trim_start_matches('#');
        let marks = line.len() - rest.len();
        match (marks, rest.strip_prefix(' ')) {
            (1..=MAX_MARKS, Some(text)) => (BlockKind::Heading(marks as u8 - 1), text.trim()),
            _ => (BlockKind::Paragraph, line),
        }
    }
}

/// Lines with more `#` are no headings.
const MAX_MARKS: usize = 7;
/// What stands before an aside where every EDU has a line.
const ASIDE_MARK: &str = "~ ";

impl Document {
    /// A document from plain text: every line that is not blank is a paragraph until block rules say what
    /// it is.
    pub fn from_text(id: impl Into<String>, text: impl Into<String>) -> Document {
        let text = text.into();
        let blocks = line_ranges(&text)
            .filter_map(|line| trim_range(&text, line))
            .map(|range| Block::new(BlockKind::Paragraph, range))
            .collect();
        Document {
            id: id.into(),
            text,
            blocks,
            plain: true,
            ..Document::default()
        }
    }

    /// A document from paragraphs that are already divided into EDUs.
    pub fn from_edus<P, E, S>(id: impl Into<String>, paragraphs: P) -> Document
    where
        P: IntoIterator<Item = E>,
        E: IntoIterator<Item = S>,
        S: AsRef<str>,
    {
        let mut document = Document {
            id: id.into(),
            ..Document::default()
        };
        for paragraph in paragraphs {
            document.push_segmented(BlockKind::Paragraph, None, paragraph);
        }
        document
    }

    /// A document from lines of one EDU each: an empty line begins a new paragraph, `# ` stands before the
    /// EDUs of a title, `## ` before those of a heading of the first level, `~ ` before what is not content.
    pub fn from_edu_lines<'l>(
        id: impl Into<String>,
        lines: impl IntoIterator<Item = &'l str>,
    ) -> Document {
        let mut blocks: Vec<(BlockKind, Vec<&str>)> = Vec::new();
        let mut begins = true;
        for line in lines {
            let (kind, edu) = BlockKind::of_line(line.trim_matches(is_blank));
            match blocks.last_mut() {
                _ if edu.is_empty() => begins = true,
                Some((open, edus)) if !begins && *open == kind => edus.push(edu),
                _ => {
                    blocks.push((kind, vec![edu]));
                    begins = false;
                }
            }
        }
        let mut document = Document {
            id: id.into(),
            ..Document::default()
        };
        for (kind, edus) in blocks {
            document.push_segmented(kind, None, edus);
        }
        document
    }

    /// Appends a block of running text on a line of its own.
    pub fn push_text(&mut self, kind: BlockKind, speaker: Option<String>, text: &str) {
        let start = self.open_line();
        self.text.push_str(text);
        let mut block = Block::new(kind, start..self.text.len());
        block.speaker = speaker;
        self.blocks.push(block);
    }

    /// Appends a block that is already divided into EDUs, on a line of its own.
    pub fn push_segmented<S: AsRef<str>>(
        &mut self,
        kind: BlockKind,
        speaker: Option<String>,
        edus: impl IntoIterator<Item = S>,
    ) {
        let start = self.open_line();
        let mut ranges = Vec::new();
        for edu in edus {
            let from = self.text.len();
            self.text.push_str(edu.as_ref());
            ranges.push(from..self.text.len());
        }
        self.blocks.push(Block {
            kind,
            speaker,
            range: start..self.text.len(),
            edus: Some(ranges),
        });
    }

    /// The text of a block.
    pub fn block_text(&self, block: &Block) -> &str {
        self.slice(&block.range)
    }

    /// A stretch of the text; empty where the stretch is not one of this text.
    pub fn slice(&self, range: &Range<usize>) -> &str {
        self.text.get(range.clone()).unwrap_or_default()
    }

    /// All EDUs in order, each with the index of its block. Blocks that are not segmented count
    /// as one EDU, blocks that are not content have none.
    pub fn edus(&self) -> impl Iterator<Item = (usize, Range<usize>)> + '_ {
        let blocks = self.blocks.iter().enumerate();
        let content = blocks.filter(|(_, block)| block.kind.is_content());
        content.flat_map(|(at, block)| {
            let whole = std::slice::from_ref(&block.range);
            let edus = block.edus.as_deref().unwrap_or(whole);
            edus.iter().cloned().map(move |range| (at, range))
        })
    }

    /// True when every block has its EDUs.
    pub fn is_segmented(&self) -> bool {
        self.blocks.iter().all(|block| block.edus.is_some())
    }

    fn open_line(&mut self) -> usize {
        if !self.blocks.is_empty() {
            self.text.push('\n');
        }
        self.text.len()
    }
}

impl Block {
    /// A block that is not segmented yet.
    pub fn new(kind: BlockKind, range: Range<usize>) -> Block {
        Block {
            kind,
            speaker: None,
            range,
            edus: None,
        }
    }
}

/// The byte ranges of a text's lines, without their ends.
pub(crate) fn line_ranges(text: &str) -> impl Iterator<Item = Range<usize>> + '_ {
    let mut start = 0;
    let ends = memchr::memchr_iter(b'\n', text.as_bytes()).chain(std::iter::once(text.len()));
    ends.map(move |end| {
        let line = start..end;
        start = end + 1;
        line
    })
}

/// The range without white space at either end; none when nothing is left.
pub(crate) fn trim_range(text: &str, range: Range<usize>) -> Option<Range<usize>> {
    let piece = text.get(range.clone())?;
    let body = piece.trim_start_matches(is_blank);
    let start = range.start + (piece.len() - body.len());
    let body = body.trim_end_matches(is_blank);
    (!body.is_empty()).then(|| start..start + body.len())
}

/// White space of any width, and marks that stand for nothing.
pub(crate) fn is_blank(c: char) -> bool {
    c.is_whitespace() || matches!(c, '\u{feff}' | '\u{200b}' | '\u{3164}') || c.is_control()
}

/// The JSON schema of a document.
pub fn json_schema() -> String {
    crate::json::schema::<DocumentJson>()
}

/// A document: a text with what is known about it.
#[derive(Debug, Clone, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(title = "arsg document")]
pub(crate) struct DocumentJson {
    /// Unique in its corpus; made from the place in the file where it is missing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) id: Option<String>,
    /// The headline.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) title: Option<String>,
    /// `YYYY-MM-DD`, or anything that begins so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) date: Option<String>,
    /// Where it comes from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) url: Option<String>,
    /// What a person wrote as its summary, or several persons.
    #[serde(default, rename = "abstract", skip_serializing_if = "Option::is_none")]
    pub(crate) abstracts: Option<AbstractJson>,
    /// Running text: a paragraph a line.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) text: Option<String>,
    /// The blocks, instead of `text`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) blocks: Option<Vec<BlockJson>>,
}

/// One summary or several.
#[derive(Debug, Clone, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(untagged)]
pub(crate) enum AbstractJson {
    /// One.
    One(String),
    /// Several.
    Several(Vec<String>),
}

/// A block: `text`, or `edus` when it is segmented.
#[derive(Debug, Clone, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct BlockJson {
    pub(crate) kind: KindJson,
    /// Of headings; 0 is the title.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) level: Option<u8>,
    /// Who speaks.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) speaker: Option<String>,
    /// Running text, to be segmented.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) text: Option<String>,
    /// EDUs; joined, they are the block's text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) edus: Option<Vec<String>>,
}

#[derive(Debug, Clone, Copy, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum KindJson {
    Heading,
    Paragraph,
    ListItem,
    Quote,
    /// A row of a table.
    Table,
    /// A byline, a date alone, a source, a disclaimer: not content.
    Aside,
}

impl DocumentJson {
    /// The document, or what is wrong with it. `fallback_id` names it when it has no id.
    pub(crate) fn into_document(self, fallback_id: &str) -> Result<Document, String> {
        let mut document = match (self.text, self.blocks) {
            (Some(_), Some(_)) => return Err("it has both `text` and `blocks`".to_owned()),
            (None, None) => return Err("it has neither `text` nor `blocks`".to_owned()),
            (Some(text), None) => Document::from_text("", text),
            (None, Some(blocks)) => {
                let mut document = Document::default();
                for (at, block) in blocks.into_iter().enumerate() {
                    block
                        .push_onto(&mut document)
                        .map_err(|problem| format!("block {}: {problem}", at + 1))?;
                }
                document
            }
        };
        document.id = match self.id {
            Some(id) if !id.is_empty() => id,
            _ => fallback_id.to_owned(),
        };
        document.date = match self.date.as_deref() {
            None | Some("") => None,
            Some(date) => match parse_date(date) {
                Some(date) => Some(date),
                None => return Err(format!("`{date}` is no date; write it as 2019-09-01")),
            },
        };
        document.title = self.title.filter(|title| !title.is_empty());
        document.url = self.url.filter(|url| !url.is_empty());
        document.abstracts = match self.abstracts {
            None => Vec::new(),
            Some(AbstractJson::One(only)) => vec![only],
            Some(AbstractJson::Several(all)) => all,
        };
        document.abstracts.retain(|told| !told.trim().is_empty());
        Ok(document)
    }
}

impl BlockJson {
    fn push_onto(self, document: &mut Document) -> Result<(), String> {
        let kind = match (self.kind, self.level) {
            (KindJson::Heading, level) => BlockKind::Heading(level.unwrap_or(1)),
            (_, Some(_)) => return Err("only headings have a `level`".to_owned()),
            (KindJson::Paragraph, None) => BlockKind::Paragraph,
            (KindJson::ListItem, None) => BlockKind::ListItem,
            (KindJson::Quote, None) => BlockKind::Quote,
            (KindJson::Table, None) => BlockKind::Table,
            (KindJson::Aside, None) => BlockKind::Aside,
        };
        match (self.text, self.edus) {
            (Some(text), None) => document.push_text(kind, self.speaker, &text),
            (None, Some(edus)) => document.push_segmented(kind, self.speaker, edus),
            (Some(_), Some(_)) => return Err("it has both `text` and `edus`".to_owned()),
            (None, None) => return Err("it has neither `text` nor `edus`".to_owned()),
        }
        Ok(())
    }
}

/// `2019-09-01`, also with slashes or dots, with or without a time behind it.
pub(crate) fn parse_date(text: &str) -> Option<Date> {
    let mut parts = text.trim().splitn(3, ['-', '/', '.', '年', '月']);
    let year = parts.next()?.trim().parse().ok()?;
    let month = parts.next()?.trim().parse().ok()?;
    let day = parts.next()?.trim();
    let digits = day.bytes().take_while(u8::is_ascii_digit).count().min(2);
    Date::new(year, month, day.get(..digits)?.parse().ok()?).ok()
}

impl From<&Document> for DocumentJson {
    /// Lines of which nothing is known become `text`; anything more becomes `blocks`.
    fn from(document: &Document) -> DocumentJson {
        let unknown = document.blocks.iter().all(|block| {
            block.kind == BlockKind::Paragraph && block.speaker.is_none() && block.edus.is_none()
        });
        let plain = document.plain && unknown;
        let mut json = DocumentJson {
            id: Some(document.id.clone()),
            title: document.title.clone(),
            date: document.date.map(|date| date.to_string()),
            url: document.url.clone(),
            abstracts: match document.abstracts.as_slice() {
                [] => None,
                [only] => Some(AbstractJson::One(only.clone())),
                several => Some(AbstractJson::Several(several.to_vec())),
            },
            text: None,
            blocks: None,
        };
        if plain {
            json.text = Some(document.text.clone());
        } else {
            let blocks = document.blocks.iter();
            json.blocks = Some(blocks.map(|block| block_json(document, block)).collect());
        }
        json
    }
}

fn block_json(document: &Document, block: &Block) -> BlockJson {
    let (kind, level) = match block.kind {
        BlockKind::Heading(level) => (KindJson::Heading, Some(level)),
        BlockKind::Paragraph => (KindJson::Paragraph, None),
        BlockKind::ListItem => (KindJson::ListItem, None),
        BlockKind::Quote => (KindJson::Quote, None),
        BlockKind::Table => (KindJson::Table, None),
        BlockKind::Aside => (KindJson::Aside, None),
    };
    let edus = block.edus.as_ref().map(|edus| {
        let texts = edus.iter().map(|edu| document.slice(edu).to_owned());
        texts.collect()
    });
    BlockJson {
        kind,
        level,
        speaker: block.speaker.clone(),
        text: match edus {
            None => Some(document.block_text(block).to_owned()),
            Some(_) => None,
        },
        edus,
    }
}

impl Serialize for Document {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        DocumentJson::from(self).serialize(serializer)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_are_the_lines_that_say_something() {
        let document = Document::from_text("a", "　　沪指收跌。\r\n\r\n 深成指收涨。 ");
        let texts: Vec<&str> = document
            .blocks
            .iter()
            .map(|block| document.block_text(block))
            .collect();
        assert_eq!(texts, ["沪指收跌。", "深成指收涨。"]);
    }

    #[test]
    fn segmented_blocks_survive_the_wire() {
        let document = Document::from_edus("a", [vec!["因为下雨，", "比赛取消。"], vec!["完。"]]);
        let wire = serde_json::to_string(&document).unwrap_or_default();
        let back: DocumentJson = serde_json::from_str(&wire).unwrap();
        assert_eq!(back.into_document("x"), Ok(document));
    }

    #[test]
    fn dates_are_read_in_the_usual_ways() {
        let expected = jiff::civil::date(2019, 9, 1);
        for text in [
            "2019-09-01",
            "2019/9/1",
            "2019-09-01T08:00:00",
            "2019年9月1日",
            "2019.09.01 10:00",
        ] {
            assert_eq!(parse_date(text), Some(expected), "{text}");
        }
        assert_eq!(parse_date("2019-13-01"), None);
        assert_eq!(parse_date("昨天"), None);
    }
}
