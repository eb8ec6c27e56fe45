//! From the lines of a plain text to its blocks: headings, items of lists, speakers, asides.
//!
//! A [`Structurer`] decides what every line is; grammars with `block` rules are structurers. What is decided
//! is put into the document here.

use std::ops::Range;

use super::document::{Block, BlockKind, Document, is_blank};
use super::lines::{Line, LineMark, LineWrap, Lines};
use crate::named::named_enum;

named_enum! {
    /// How the structure of plain texts is told.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
    #[non_exhaustive]
    pub enum Structure {
        /// Block rules say what each line is; asides and rows of tables stay out of trees.
        #[default]
        Rules = "rules",
        /// The same, but asides and rows of tables are read as paragraphs.
        Keep = "keep",
        /// Every line is a paragraph.
        None = "none",
    }
}

named_enum! {
    /// What a line can be, levels of headings apart.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
    #[non_exhaustive]
    pub enum LineKind {
        /// Running text.
        Paragraph = "paragraph",
        /// A heading; level 0 is the title.
        Heading = "heading",
        /// An item of a list.
        ListItem = "list-item",
        /// A block quotation.
        Quote = "quote",
        /// A paragraph that begins with who speaks.
        Speech = "speech",
        /// A paragraph that asks what the paragraphs below answer.
        Question = "question",
        /// A row of a table.
        Table = "table",
        /// What stands beside the text.
        Aside = "aside",
    }
}

/// What a line is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct LineRole {
    /// Its kind.
    pub kind: LineKind,
    /// The level of a heading; 0 for anything else.
    pub level: u8,
}

impl LineRole {
    /// Running text: what a line is when nothing speaks for anything else.
    pub const PARAGRAPH: LineRole = LineRole {
        kind: LineKind::Paragraph,
        level: 0,
    };
    /// The title.
    pub const TITLE: LineRole = LineRole {
        kind: LineKind::Heading,
        level: 0,
    };

    /// The kind of block that such a line makes.
    pub fn block_kind(self) -> BlockKind {
        match self.kind {
            LineKind::Heading => BlockKind::Heading(self.level),
            LineKind::Paragraph | LineKind::Speech | LineKind::Question => BlockKind::Paragraph,
            LineKind::ListItem => BlockKind::ListItem,
            LineKind::Quote => BlockKind::Quote,
            LineKind::Table => BlockKind::Table,
            LineKind::Aside => BlockKind::Aside,
        }
    }
}

impl std::fmt::Display for LineRole {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.kind {
            LineKind::Heading => write!(f, "heading {}", self.level),
            kind => f.write_str(kind.as_str()),
        }
    }
}

/// Decides what the lines of a text are.
pub trait Structurer: Send + Sync {
    /// What each line is, in order. With `titled` the first line is the title, whatever it looks like.
    fn roles(&self, lines: &Lines<'_>, titled: bool) -> Vec<LineRole>;
}

/// Who speaks in a question whose speaker is not named, and in what answers it.
const ASKS: &str = "问";
const ANSWERS: &str = "答";

/// Puts the headline of a plain document before its text, unless its first line is the headline. True when
/// the first line is the title from now on.
pub fn put_title_first(document: &mut Document) -> bool {
    let title = document.title.as_deref().unwrap_or_default();
    let title: String = title.split(['\n', '\r']).collect::<Vec<_>>().join(" ");
    let title = title.trim_matches(is_blank);
    if !document.plain || title.is_empty() {
        return false;
    }
    let first = document.blocks.first();
    let first = first.map_or("", |block| document.block_text(block));
    if first.trim_start_matches(['#', ' ']) != title {
        let text = format!("{title}\n{}", document.text);
        let old = std::mem::take(document);
        *document = Document {
            title: old.title,
            date: old.date,
            url: old.url,
            abstracts: old.abstracts,
            ..Document::from_text(old.id, text)
        };
    }
    true
}

/// Gives the lines of a plain document the blocks that their roles say.
pub fn put_blocks(document: &mut Document, lines: &[Line], roles: &[LineRole]) {
    let mut blocks: Vec<Block> = Vec::with_capacity(lines.len());
    let mut speaker: Option<String> = None;
    let mut asked = false;
    for (line, role) in lines.iter().zip(roles) {
        if role.kind == LineKind::Heading {
            speaker = None;
            asked = false;
        }
        if role.kind == LineKind::Speech
            && let Some(label) = &line.label
        {
            let name = document.slice(&label.range).trim_matches(is_blank);
            speaker = Some(name.trim_matches('*').to_owned());
            blocks.push(speech(document, line, speaker.clone()));
            asked = false;
            continue;
        }
        if role.kind == LineKind::Question {
            speaker = Some(ASKS.to_owned());
        } else if asked {
            speaker = Some(ANSWERS.to_owned());
        }
        asked = role.kind == LineKind::Question;
        let mut block = Block::new(role.block_kind(), content(line, role.kind));
        if block.kind.is_content() && role.kind != LineKind::Heading {
            block.speaker.clone_from(&speaker);
        }
        blocks.push(block);
    }
    if !blocks.iter().any(|block| block.kind.is_content()) {
        keep_all(&mut blocks);
    }
    document.blocks = blocks;
    document.plain = false;
}

/// Asides and rows of tables become paragraphs.
pub fn keep_asides(document: &mut Document) {
    keep_all(&mut document.blocks);
}

fn keep_all(blocks: &mut [Block]) {
    for block in blocks.iter_mut().filter(|block| !block.kind.is_content()) {
        block.kind = BlockKind::Paragraph;
    }
}

/// What is said behind the name of who speaks; a name alone stands beside the text.
fn speech(document: &Document, line: &Line, speaker: Option<String>) -> Block {
    let behind = line.label.as_ref().map_or(0, |label| label.behind);
    let said = super::document::trim_range(&document.text, behind..line.body.end.max(behind));
    let Some(said) = said else {
        return Block::new(BlockKind::Aside, line.range.clone());
    };
    let mut block = Block::new(BlockKind::Paragraph, said);
    block.speaker = speaker;
    block
}

/// The stretch of a line that its block has: markup that the kind stands for is left out.
fn content(line: &Line, kind: LineKind) -> Range<usize> {
    let told = match (kind, line.mark) {
        (LineKind::Heading, LineMark::Hash)
        | (LineKind::ListItem, LineMark::Bullet)
        | (LineKind::Quote, LineMark::Quote) => true,
        (LineKind::Heading, LineMark::None) => line.wrap == LineWrap::Bold,
        _ => false,
    };
    if told && !line.body.is_empty() {
        line.body.clone()
    } else {
        line.range.clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn role(kind: LineKind) -> LineRole {
        LineRole { kind, level: 1 }
    }

    fn put(text: &str, roles: &[LineRole]) -> Document {
        let mut document = Document::from_text("a", text);
        let lines = Lines::new(text).lines;
        put_blocks(&mut document, &lines, roles);
        document
    }

    #[test]
    fn markup_and_names_of_speakers_stand_outside_the_block() {
        let text = "## 访谈\n记者：您怎么看？\n没有别的问题。\n- 一勺盐\n> 他来了。";
        let kinds = [
            LineKind::Heading,
            LineKind::Speech,
            LineKind::Paragraph,
            LineKind::ListItem,
            LineKind::Quote,
        ];
        let document = put(text, &kinds.map(role));
        let found: Vec<(&str, Option<&str>)> = document
            .blocks
            .iter()
            .map(|block| (document.block_text(block), block.speaker.as_deref()))
            .collect();
        assert_eq!(found[0], ("访谈", None));
        assert_eq!(found[1], ("您怎么看？", Some("记者")));
        assert_eq!(found[2], ("没有别的问题。", Some("记者")));
        assert_eq!(found[3].0, "一勺盐");
        assert_eq!(found[4].0, "他来了。");
    }

    #[test]
    fn who_is_asked_answers_until_the_next_question() {
        let kinds = [
            LineKind::Paragraph,
            LineKind::Question,
            LineKind::Paragraph,
            LineKind::Paragraph,
            LineKind::Question,
            LineKind::Paragraph,
            LineKind::Heading,
            LineKind::Paragraph,
        ];
        let text = "他回来了。\n怎么样？\n很好。\n雨水也足。\n价格呢？\n涨了。\n尾声\n天黑了。";
        let document = put(text, &kinds.map(role));
        let blocks = document.blocks.iter();
        let spoken: Vec<_> = blocks.map(|block| block.speaker.as_deref()).collect();
        let (asks, answers) = (Some(ASKS), Some(ANSWERS));
        let expected = [None, asks, answers, answers, asks, answers, None, None];
        assert_eq!(spoken, expected);
    }

    #[test]
    fn a_name_alone_speaks_in_the_next_line() {
        let document = put(
            "记者：\n您怎么看？",
            &[role(LineKind::Speech), LineRole::PARAGRAPH],
        );
        assert_eq!(document.blocks[0].kind, BlockKind::Aside);
        assert_eq!(document.blocks[1].speaker.as_deref(), Some("记者"));
    }

    #[test]
    fn a_text_of_asides_alone_is_content() {
        let document = put("来源：网络", &[role(LineKind::Aside)]);
        assert_eq!(document.blocks[0].kind, BlockKind::Paragraph);
    }

    #[test]
    fn the_headline_becomes_the_first_line_once() {
        let mut document = Document::from_text("a", "正文。\n还有。");
        document.title = Some("题目".to_owned());
        assert!(put_title_first(&mut document));
        assert_eq!(document.text, "题目\n正文。\n还有。");
        assert_eq!(document.blocks.len(), 3);
        assert!(put_title_first(&mut document));
        assert_eq!(document.blocks.len(), 3);
    }
}
