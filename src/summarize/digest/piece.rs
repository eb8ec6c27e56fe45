//! Reports and items of roundups.

use jiff::civil::Date;

use super::super::SourceText;
use super::super::lexicon::shipped;
use super::super::unit::{UnitKind, units};
use super::headline::clean_title;
use crate::automaton::Engine;
use crate::text::{Analyzer, Block, BlockKind, Document, Script, script_of};

/// A report, or an item of a roundup.
#[derive(Debug, Clone)]
pub struct Piece {
    /// What is read.
    pub(super) text: SourceText,
    /// What it is headed by.
    pub(super) title: Option<String>,
    /// Its document, by the order in which they came.
    pub(super) document: usize,
    /// The title of its document.
    pub(super) document_title: Option<String>,
    /// It is one item of several.
    pub(super) is_item: bool,
}

/// Why a text is left out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum LeftOut {
    /// It is not Chinese.
    Foreign(Script),
    /// It sells something.
    Advertisement,
    /// It says nothing.
    Empty,
}

/// What came of reading a document.
#[derive(Debug)]
pub enum Reading {
    /// Its pieces.
    Pieces(Vec<Piece>),
    /// It is left out.
    LeftOut(LeftOut),
}

/// Reads documents into pieces.
pub struct Digester<'a> {
    engine: &'a Engine,
    reader: &'a Analyzer,
    takes_foreign: bool,
}

/// Items of a roundup at most: what has more is a table.
const MOST_ITEMS: usize = 200;
/// A text with so many headings is a collection of items, whatever its title says.
const MANY_HEADINGS: usize = 6;

impl<'a> Digester<'a> {
    /// The engine cuts EDUs and makes trees, the reader has the words of the domain.
    pub fn new(engine: &'a Engine, reader: &'a Analyzer) -> Digester<'a> {
        Digester {
            engine,
            reader,
            takes_foreign: false,
        }
    }

    /// Texts that are not Chinese are read, too.
    pub fn take_foreign(mut self, takes_foreign: bool) -> Digester<'a> {
        self.takes_foreign = takes_foreign;
        self
    }

    /// The pieces of a document; they learn their place among all documents from `number`.
    pub fn read(&self, document: Document, number: usize) -> Reading {
        let script = script_of(&document.text);
        if script != Script::Chinese && !self.takes_foreign {
            return Reading::LeftOut(LeftOut::Foreign(script));
        }
        let lists = &shipped().lists;
        let title = document.title.clone().unwrap_or_default();
        if lists.advert.stand_in(&title) {
            return Reading::LeftOut(LeftOut::Advertisement);
        }
        let structured = self.engine.analyzer().structured(&document).into_owned();
        let is_roundup = lists.roundup.stand_in(&title) || has_many_items(&structured);
        let parts = if is_roundup {
            items(&structured)
        } else {
            vec![structured]
        };
        let is_item = parts.len() > 1;
        let pieces: Vec<Piece> = parts
            .into_iter()
            .take(MOST_ITEMS)
            .map(|part| Piece {
                title: part.title.clone().or_else(|| heading(&part)),
                text: SourceText::read(part, self.engine, self.reader),
                document: number,
                document_title: document.title.clone(),
                is_item,
            })
            .filter(|piece| !units(&piece.text.analysis, UnitKind::Sentence).is_empty())
            .collect();
        if pieces.is_empty() {
            Reading::LeftOut(LeftOut::Empty)
        } else {
            Reading::Pieces(pieces)
        }
    }
}

impl Piece {
    /// The place of its document among all.
    pub fn set_document(&mut self, number: usize) {
        self.document = number;
    }

    /// When it was written.
    pub(super) fn date(&self) -> Option<Date> {
        self.text.document.date
    }

    /// What it is headed by, without the name of the column.
    pub(super) fn headline(&self) -> Option<String> {
        let title = self.title.as_deref().map(clean_title);
        title.filter(|title| !title.is_empty())
    }
}

/// How many documents the pieces come from.
pub(super) fn count_documents(pieces: &[Piece]) -> usize {
    let mut numbers: Vec<usize> = pieces.iter().map(|piece| piece.document).collect();
    numbers.sort_unstable();
    numbers.dedup();
    numbers.len()
}

/// The first and the last day.
pub(super) fn dates(pieces: &[Piece]) -> (Option<Date>, Option<Date>) {
    let dates = || pieces.iter().filter_map(Piece::date);
    (dates().min(), dates().max())
}

fn is_heading(block: &Block) -> bool {
    matches!(block.kind, BlockKind::Heading(level) if level > 0)
}

fn heading(document: &Document) -> Option<String> {
    let first = document.blocks.first()?;
    let is_heading = matches!(first.kind, BlockKind::Heading(_));
    is_heading.then(|| document.block_text(first).to_owned())
}

/// True for a text of many headings with little below each.
fn has_many_items(document: &Document) -> bool {
    let content = document
        .blocks
        .iter()
        .filter(|block| block.kind.is_content());
    let (headings, others): (Vec<&Block>, Vec<&Block>) =
        content.partition(|block| is_heading(block));
    headings.len() >= MANY_HEADINGS && others.len() <= 2 * headings.len()
}

/// The items of a roundup: a heading with the little that stands below it, and every other paragraph by itself. A
/// heading over many paragraphs is the name of a section.
fn items(document: &Document) -> Vec<Document> {
    let blocks = document.blocks.iter();
    let blocks: Vec<&Block> = blocks
        .filter(|block| block.kind.is_content() && block.kind != BlockKind::Heading(0))
        .collect();
    let mut items: Vec<Document> = Vec::new();
    let mut rest = blocks.as_slice();
    while let Some((first, behind)) = rest.split_first() {
        let below = behind.iter().take_while(|block| !is_heading(block)).count();
        let taken = match is_heading(first) {
            true if (1..=MOST_BELOW).contains(&below) => below,
            true => {
                rest = behind;
                continue;
            }
            false => 0,
        };
        let mut item = item(document, items.len());
        if is_heading(first) {
            item.title = Some(document.block_text(first).to_owned());
        }
        for block in std::iter::once(first).chain(behind.iter().take(taken)) {
            item.push_text(block.kind, None, document.block_text(block));
        }
        if !announces_all(&item) {
            items.push(item);
        }
        rest = behind.get(taken..).unwrap_or_default();
    }
    items
}

/// Paragraphs below a heading that are one item with it, at most.
const MOST_BELOW: usize = 2;

/// True when all that an item has only announces what follows.
fn announces_all(item: &Document) -> bool {
    let mut content = item.blocks.iter().filter(|block| !is_heading(block));
    content.all(|block| shipped().lists.overview.stand_in(item.block_text(block)))
}

fn item(document: &Document, number: usize) -> Document {
    Document {
        id: format!("{}#{}", document.id, number + 1),
        date: document.date,
        url: document.url.clone(),
        ..Document::default()
    }
}
