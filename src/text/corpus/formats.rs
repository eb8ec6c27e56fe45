//! The readers: which format a stream has, and how its documents are cut out of it.

use std::collections::VecDeque;
use std::io::Read;
use std::path::Path;

use super::super::document::{Document, DocumentJson, is_blank};
use super::foreign::Foreign;
use super::lines::{Line, Lines};
use super::{Skip, SkipReason, sogou};
use crate::error::{Error, Result};
use crate::named::named_enum;

named_enum! {
    /// The formats that corpora come in.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    #[non_exhaustive]
    pub enum Format {
        /// `<doc>` records of SogouCA and SogouCS.
        Sogou = "sogou",
        /// Document JSON, one a line.
        JsonLines = "jsonl",
        /// Document JSON over several lines, one or more, or an array of them.
        Json = "json",
        /// Plain text: a paragraph a line, one document a file.
        Text = "text",
        /// One EDU a line; a blank line begins a new paragraph, `# ` a heading; one document a file.
        EduLines = "edus",
    }
}

/// No record is longer than this; a longer one is passed over and counted.
const MAX_RECORD: usize = 64 << 20;

/// A stream of documents.
pub struct Reader {
    lines: Lines,
    format: Format,
    file: String,
    line: Line,
    documents: u64,
    /// What was found on the way to the next document.
    pending: VecDeque<std::result::Result<Document, Skip>>,
    /// A `<doc>` line that ended the record before it without being part of it.
    open_record: Option<u64>,
    ended: bool,
}

impl Reader {
    /// Reads from `input`; `name` is used in messages and ids. The format is told from the
    /// content unless given; what is no text (a tree, a grammar, a picture) is refused.
    pub fn new(input: Box<dyn Read + Send>, name: &str, format: Option<Format>) -> Result<Reader> {
        let unreadable = |error| Error::read(Path::new(name), error);
        let mut lines = Lines::new(input).map_err(unreadable)?;
        let head = lines.peek().map_err(unreadable)?;
        // A format that is given is believed.
        let foreign = match format {
            Some(_) => None,
            None => Foreign::from_content(&head),
        };
        if let Some(what) = foreign {
            return Err(Error::Unsupported(format!("`{name}` {}", what.refusal())));
        }
        Ok(Reader {
            format: format.unwrap_or_else(|| detect(&head)),
            lines,
            file: name.to_owned(),
            line: Line::default(),
            documents: 0,
            pending: VecDeque::new(),
            open_record: None,
            ended: false,
        })
    }

    /// The format being read.
    pub fn format(&self) -> Format {
        self.format
    }

    fn skip(&mut self, reason: SkipReason, line: u64, detail: impl Into<String>) {
        self.pending.push_back(Err(Skip {
            reason,
            file: self.file.clone(),
            line,
            detail: detail.into(),
        }));
    }

    /// Reads the next line; reports damage and over-long lines on the way.
    fn advance(&mut self) -> bool {
        if self.ended {
            return false;
        }
        let more = match self.lines.read_next(&mut self.line) {
            Ok(more) => more,
            Err(error) => {
                let at = self.line.number + 1;
                self.skip(SkipReason::Unreadable, at, error.to_string());
                false
            }
        };
        self.ended = !more;
        if more && self.line.too_long {
            let detail = format!("more than {} MB", super::lines::MAX_LINE >> 20);
            self.skip(SkipReason::TooLong, self.line.number, detail);
        }
        if more && self.line.damaged > 0 {
            let detail = format!("{} replaced", self.line.damaged);
            self.skip(SkipReason::BadBytes, self.line.number, detail);
        }
        more
    }

    fn fallback_id(&self) -> String {
        let stem = Path::new(&self.file).file_stem();
        let stem = stem.map_or("document".into(), |stem| stem.to_string_lossy());
        match self.format {
            Format::Text | Format::EduLines => stem.into_owned(),
            _ => format!("{stem}-{}", self.documents),
        }
    }

    fn push(&mut self, mut document: Document, line: u64) {
        if document.blocks.is_empty() {
            let detail = document.title.take().unwrap_or(document.id);
            self.skip(SkipReason::Empty, line, detail);
        } else {
            self.pending.push_back(Ok(document));
        }
    }

    /// Reads on until something is pending or the end is reached.
    fn read_on(&mut self) {
        match self.format {
            Format::Sogou => self.read_sogou(),
            Format::JsonLines => self.read_json_line(),
            Format::Json => self.read_json(),
            Format::Text => self.read_text(),
            Format::EduLines => self.read_edu_lines(),
        }
    }

    fn read_sogou(&mut self) {
        let begin = match self.open_record.take() {
            Some(begin) => begin,
            None => loop {
                if !self.advance() {
                    return;
                }
                match self.line.text.trim() {
                    "<doc>" => break self.line.number,
                    "" | "<doclist>" | "</doclist>" => {}
                    other => {
                        let detail = format!("`{}` outside any record", clip(other));
                        let line = self.line.number;
                        self.skip(SkipReason::Malformed, line, detail);
                    }
                }
            },
        };
        self.documents += 1;
        let mut body = String::new();
        let mut too_long = false;
        let mut closed = false;
        while self.advance() {
            match self.line.text.trim() {
                "</doc>" => {
                    closed = true;
                    break;
                }
                "<doc>" => {
                    self.open_record = Some(self.line.number);
                    break;
                }
                _ => {}
            }
            too_long |= self.line.too_long || body.len() + self.line.text.len() > MAX_RECORD;
            if !too_long {
                body.push_str(&self.line.text);
                body.push('\n');
            }
        }
        if too_long {
            // An over-long line has been reported by itself.
            return;
        }
        let id = self.fallback_id();
        match sogou::record(&body) {
            None => self.skip(
                SkipReason::Malformed,
                begin,
                "no `<url>` and no `<content>`",
            ),
            Some(record) => {
                if !closed || record.truncated {
                    self.skip(SkipReason::Truncated, begin, "no end; what it has is kept");
                }
                self.push(record.into_document(&id), begin);
            }
        }
    }

    fn read_json_line(&mut self) {
        if !self.advance() || self.line.too_long {
            return;
        }
        let text = std::mem::take(&mut self.line.text);
        if !text.trim().is_empty() {
            self.documents += 1;
            self.push_json(&text, self.line.number);
        }
        self.line.text = text;
    }

    fn push_json(&mut self, text: &str, line: u64) {
        let id = self.fallback_id();
        let parsed = serde_json::from_str::<DocumentJson>(text)
            .map_err(|error| json_problem(&error))
            .and_then(|json| json.into_document(&id));
        match parsed {
            Ok(document) => self.push(document, line),
            Err(problem) => self.skip(SkipReason::Malformed, line, problem),
        }
    }

    /// Whole values over several lines: brackets are counted to find where each ends.
    fn read_json(&mut self) {
        let mut value = String::new();
        let mut begin = 0;
        let mut scan = JsonScan::default();
        while self.advance() {
            if value.is_empty() {
                begin = self.line.number;
            }
            if self.line.too_long || value.len() + self.line.text.len() > MAX_RECORD {
                if !self.line.too_long {
                    self.skip(SkipReason::TooLong, begin, "one JSON value");
                }
                return;
            }
            let text = std::mem::take(&mut self.line.text);
            let mut rest = text.as_str();
            while let Some(end) = scan.end_of_value(rest) {
                value.push_str(&rest[..end]);
                rest = &rest[end..];
                self.documents += 1;
                let whole = std::mem::take(&mut value);
                let whole = whole.trim_start_matches([',', '[', ']', ' ', '\t', '\n']);
                self.push_json(whole, begin);
                begin = self.line.number;
            }
            let outside = scan.depth == 0
                && rest
                    .trim_matches([',', '[', ']', ' ', '\t', '\r'])
                    .is_empty();
            if !outside {
                value.push_str(rest);
                value.push('\n');
            }
            self.line.text = text;
            if !self.pending.is_empty() && value.is_empty() {
                return;
            }
        }
        if !value.trim().is_empty() {
            self.skip(SkipReason::Truncated, begin, "a JSON value without its end");
        }
    }

    fn read_text(&mut self) {
        let mut text = String::new();
        let mut begin = 0;
        while self.advance() {
            if begin == 0 {
                begin = self.line.number;
            }
            if self.line.too_long {
                continue;
            }
            if text.len() + self.line.text.len() > MAX_RECORD {
                self.skip(SkipReason::TooLong, begin, "one text");
                text.clear();
                begin = 0;
                continue;
            }
            text.push_str(&self.line.text);
            text.push('\n');
        }
        if begin == 0 {
            if self.documents == 0 && self.pending.is_empty() {
                self.documents = 1;
                self.skip(SkipReason::Empty, 1, "the file is empty");
            }
            return;
        }
        self.documents += 1;
        text.pop();
        let id = self.fallback_id();
        self.push(Document::from_text(id, text), begin);
    }

    fn read_edu_lines(&mut self) {
        let mut lines: Vec<String> = Vec::new();
        while self.advance() {
            lines.push(self.line.text.to_owned());
        }
        if self.documents > 0 {
            return;
        }
        self.documents = 1;
        let id = self.fallback_id();
        let document = Document::from_edu_lines(id, lines.iter().map(String::as_str));
        self.push(document, 1);
    }
}

impl Iterator for Reader {
    type Item = std::result::Result<Document, Skip>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(item) = self.pending.pop_front() {
                return Some(item);
            }
            if self.ended {
                return None;
            }
            self.read_on();
        }
    }
}

/// Tells the format from the beginning of the text.
fn detect(head: &str) -> Format {
    let start = head.trim_start_matches(is_blank);
    if start.starts_with("<doc>") || start.starts_with("<doclist>") || start.contains("\n<doc>\n") {
        return Format::Sogou;
    }
    if start.starts_with('[') && start[1..].trim_start().starts_with('{') {
        return Format::Json;
    }
    if start.starts_with('{') {
        let first = start.lines().next().unwrap_or_default();
        // A first line that goes on beyond the head can only be a JSON line.
        let whole = serde_json::from_str::<serde::de::IgnoredAny>(first).is_ok();
        let goes_on = !start.contains('\n');
        return if whole || goes_on {
            Format::JsonLines
        } else {
            Format::Json
        };
    }
    if looks_like_edu_lines(head) {
        Format::EduLines
    } else {
        Format::Text
    }
}

/// EDUs a line: blank lines part groups of several lines, many lines do not end a sentence, and some of them end in
/// the middle of one: headings and items of lists end without any mark.
fn looks_like_edu_lines(head: &str) -> bool {
    let mut lines = 0_u32;
    let mut unfinished = 0_u32;
    let mut amid = 0_u32;
    let mut grouped = false;
    let mut blank = false;
    let mut before_blank = false;
    for line in head.lines() {
        let line = line.trim_matches(is_blank);
        if line.is_empty() {
            blank |= before_blank;
            before_blank = false;
            continue;
        }
        grouped |= before_blank;
        before_blank = true;
        lines += 1;
        let last = line.chars().next_back().unwrap_or(' ');
        unfinished += u32::from(!"。！？!?…”』」）)".contains(last));
        amid += u32::from("，、；,;".contains(last));
    }
    blank && grouped && unfinished * 3 >= lines && amid * 12 >= lines
}

/// Where a JSON value ends, found by counting brackets outside strings.
#[derive(Default)]
struct JsonScan {
    depth: usize,
    in_string: bool,
    escaped: bool,
}

impl JsonScan {
    /// The end of the object that `text` closes, if it closes one.
    fn end_of_value(&mut self, text: &str) -> Option<usize> {
        for (at, byte) in text.bytes().enumerate() {
            if self.in_string {
                match byte {
                    _ if self.escaped => self.escaped = false,
                    b'\\' => self.escaped = true,
                    b'"' => self.in_string = false,
                    _ => {}
                }
                continue;
            }
            match byte {
                b'"' if self.depth > 0 => self.in_string = true,
                b'{' => self.depth += 1,
                b'}' => {
                    self.depth = self.depth.saturating_sub(1);
                    if self.depth == 0 {
                        return Some(at + 1);
                    }
                }
                _ => {}
            }
        }
        None
    }
}

/// serde_json's message without its place: the reader knows the line better.
fn json_problem(error: &serde_json::Error) -> String {
    format!("column {}: {}", error.column(), crate::json::problem(error))
}

fn clip(text: &str) -> String {
    const SHOWN: usize = 40;
    match text.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> (Vec<Document>, Vec<Skip>) {
        let input = Box::new(std::io::Cursor::new(text.as_bytes().to_vec()));
        let mut documents = Vec::new();
        let mut skips = Vec::new();
        for item in Reader::new(input, "corpus/a.txt", None).unwrap() {
            match item {
                Ok(document) => documents.push(document),
                Err(skip) => skips.push(skip),
            }
        }
        (documents, skips)
    }

    fn reasons(skips: &[Skip]) -> Vec<(SkipReason, u64)> {
        skips.iter().map(|skip| (skip.reason, skip.line)).collect()
    }

    #[test]
    fn sogou_records_with_every_kind_of_damage() {
        let text = "<doclist>\n<doc>\n<url>http://a.cn/20120612/1</url>\n<docno>1</docno>\n\
            <contenttitle>甲</contenttitle>\n<content>央行降息。</content>\n</doc>\n\
            <doc>\n<url>http://a.cn/2</url>\n<docno>2</docno>\n<content></content>\n</doc>\n\
            杂物\n<doc>\n<url>http://a.cn/3</url>\n<docno>3</docno>\n<content>没有结尾\n\
            <doc>\n什么也没有\n</doc>\n</doclist>\n";
        let (documents, skips) = read(text);
        let ids: Vec<&str> = documents.iter().map(|d| d.id.as_str()).collect();
        assert_eq!(ids, ["1", "3"]);
        assert_eq!(
            reasons(&skips),
            [
                (SkipReason::Empty, 8),
                (SkipReason::Malformed, 13),
                (SkipReason::Truncated, 14),
                (SkipReason::Malformed, 18),
            ]
        );
    }

    #[test]
    fn a_bad_json_line_does_not_stop_the_others() {
        let text = "{\"id\": \"a\", \"text\": \"沪指收跌。\"}\n{\"id\": \"b\", \"text\": 3}\n\n{\"text\": \"深成指收涨。\"}\n";
        let (documents, skips) = read(text);
        assert_eq!(documents.len(), 2);
        assert_eq!(documents[1].id, "a-3");
        assert_eq!(reasons(&skips), [(SkipReason::Malformed, 2)]);
        assert!(
            skips[0].detail.contains("expected a string"),
            "{}",
            skips[0]
        );
    }

    #[test]
    fn json_over_several_lines_and_in_arrays() {
        let one = "{\n \"id\": \"a\",\n \"blocks\": [\n  {\"kind\": \"heading\", \"level\": 0, \"text\": \"题 } 目\"},\n  {\"kind\": \"paragraph\", \"edus\": [\"一，\", \"二。\"]}\n ]\n}\n";
        let (documents, skips) = read(one);
        assert_eq!((documents.len(), skips.len()), (1, 0));
        assert_eq!(documents[0].text, "题 } 目\n一，二。");
        let many = format!("[\n{one},\n{one}]\n");
        let (documents, skips) = read(&many);
        assert_eq!((documents.len(), skips.len()), (2, 0), "{skips:?}");
        let (documents, skips) = read(&one[..one.len() - 3]);
        assert_eq!(documents.len(), 0);
        assert_eq!(reasons(&skips), [(SkipReason::Truncated, 1)]);
    }

    #[test]
    fn plain_text_and_edus_a_line_are_told_apart() {
        let (documents, _) = read("央行宣布降息。\n\n分析师表示，影响有限。\n市场反应平淡。\n");
        assert_eq!(documents[0].id, "a");
        assert!(!documents[0].is_segmented());
        assert_eq!(documents[0].blocks.len(), 3);
        let (documents, _) = read("央行宣布，\n将下调利率。\n\n分析师表示，\n影响有限。\n");
        assert!(documents[0].is_segmented());
        assert_eq!(documents[0].edus().count(), 4);
        assert_eq!(documents[0].blocks.len(), 2);
        let marked = "# 茶\n\n茶园在山上。\n\n## 品种\n\n- 红茶\n- 绿茶\n- 白茶\n";
        assert!(!read(marked).0[0].is_segmented());
    }

    #[test]
    fn an_empty_file_is_said_to_be_empty() {
        let (documents, skips) = read("");
        assert!(documents.is_empty());
        assert_eq!(reasons(&skips), [(SkipReason::Empty, 1)]);
    }
}
