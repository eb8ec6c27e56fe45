//! The reading of a whole document: its words, times, sentences and EDUs.

use std::borrow::Cow;
use std::ops::Range;

use super::document::Document;
use super::lines::Lines;
use super::segment::{Segmenter, sentences};
use super::structure::{Structure, Structurer, keep_asides, put_blocks, put_title_first};
use super::time::{Time, TimeContext};
use super::words::{Lexicon, Word};
use crate::schema::Schema;

/// Reads documents. Built once, shared by threads.
pub struct Analyzer {
    lexicon: Lexicon,
    segmenter: Box<dyn Segmenter>,
    structurer: Option<Box<dyn Structurer>>,
    structure: Structure,
}

/// What was read.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Analysis {
    /// All words, in text order.
    pub words: Vec<Word>,
    /// All time expressions, in text order.
    pub times: Vec<Time>,
    /// The words of each block; blocks that are not content are not read.
    pub blocks: Vec<Range<usize>>,
    /// The words of each sentence.
    pub sentences: Vec<Range<usize>>,
    /// All EDUs, in text order.
    pub edus: Vec<Edu>,
}

/// An elementary discourse unit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Edu {
    /// Its stretch of the text, in bytes.
    pub range: Range<usize>,
    /// Its words.
    pub words: Range<usize>,
    /// The block it lies in.
    pub block: usize,
    /// The sentence it begins in, counted through the document.
    pub sentence: usize,
}

impl Analyzer {
    /// A reader with the schema's vocabulary that cuts EDUs as the schema says.
    pub fn new(schema: &Schema) -> Analyzer {
        Analyzer::with_segmenter(schema, Box::new(schema.segmentation))
    }

    /// A reader that leaves it to `segmenter` where EDUs begin.
    pub fn with_segmenter(schema: &Schema, segmenter: Box<dyn Segmenter>) -> Analyzer {
        Analyzer {
            lexicon: Lexicon::new(schema),
            segmenter,
            structurer: None,
            structure: Structure::default(),
        }
    }

    /// The same reader, which leaves it to `structurer` what the lines of plain texts are.
    pub fn with_structurer(mut self, structurer: Box<dyn Structurer>) -> Analyzer {
        self.structurer = Some(structurer);
        self
    }

    /// The same reader, with another way to tell the structure of plain texts.
    pub fn with_structure(mut self, structure: Structure) -> Analyzer {
        self.structure = structure;
        self
    }

    /// How it tells the structure of plain texts.
    pub fn structure(&self) -> Structure {
        self.structure
    }

    /// The document with the blocks that its lines are, if it is a plain text; its headline becomes its first
    /// block. A reader that has no block rules reads every line as a paragraph. A document whose blocks
    /// have kinds already stays as it is.
    pub fn structured<'d>(&self, document: &'d Document) -> Cow<'d, Document> {
        let mut document = Cow::Borrowed(document);
        if let (true, Some(structurer)) = (document.plain, &self.structurer)
            && self.structure != Structure::None
        {
            let own = document.to_mut();
            let titled = put_title_first(own);
            let text = std::mem::take(&mut own.text);
            let lines = Lines::new(&text);
            let roles = structurer.roles(&lines, titled);
            let lines = lines.lines;
            own.text = text;
            put_blocks(own, &lines, &roles);
        }
        let keeps = self.structure == Structure::Keep;
        if keeps && document.blocks.iter().any(|block| !block.kind.is_content()) {
            keep_asides(document.to_mut());
        }
        document
    }

    /// Reads a document. Blocks that come with EDUs keep them; the others are segmented. Blocks that are not
    /// content are passed over. The blocks are those of the document: see
    /// [`structured`](Analyzer::structured) for plain texts.
    pub fn analyze(&self, document: &Document) -> Analysis {
        /// Words of news take five bytes and more.
        const BYTES_A_WORD: usize = 5;
        let mut analysis = Analysis::default();
        analysis.words.reserve(document.text.len() / BYTES_A_WORD);
        let mut context = TimeContext::new(document.date);
        for (number, block) in document.blocks.iter().enumerate() {
            if !block.kind.is_content() {
                let end = analysis.words.len();
                analysis.blocks.push(end..end);
                continue;
            }
            let text = document.block_text(block);
            let (mut words, times) = self.lexicon.read(text, block.range.start, &mut context);
            if let Some(edus) = &block.edus {
                let begins = edus.iter().map(|edu| edu.start);
                self.lexicon.cut_at_edus(&mut words, &document.text, begins);
            }
            let first = analysis.words.len();
            let starts = match &block.edus {
                Some(edus) => edus.clone(),
                None => {
                    let starts = self.segmenter.starts(&document.text, &words, block.kind);
                    ranges_between(&starts, &words, &block.range)
                }
            };
            let before = analysis.sentences.len();
            let own = sentences(&words);
            let shifted = own.into_iter().map(|s| first + s.start..first + s.end);
            analysis.sentences.extend(shifted);
            analysis.words.extend(words);
            analysis.times.extend(times);
            analysis.blocks.push(first..analysis.words.len());
            analysis.push_edus(starts, number, first, before);
        }
        analysis
    }

    /// Tells the blocks of a plain text, and fills in the EDUs of all blocks that have none. What was read on
    /// the way is what [`analyze`](Analyzer::analyze) reads in the document from now on.
    pub fn segment(&self, document: &mut Document) -> Analysis {
        if let Cow::Owned(structured) = self.structured(document) {
            *document = structured;
        }
        document.plain = false;
        let analysis = self.analyze(document);
        let mut edus = analysis.edus.iter().peekable();
        for (number, block) in document.blocks.iter_mut().enumerate() {
            let mut own = Vec::new();
            while let Some(edu) = edus.next_if(|edu| edu.block == number) {
                own.push(edu.range.clone());
            }
            if !block.kind.is_content() {
                own.push(block.range.clone());
            }
            block.edus.get_or_insert(own);
        }
        analysis
    }
}

impl Analysis {
    /// Gives each EDU its words and its sentence.
    fn push_edus(
        &mut self,
        ranges: Vec<Range<usize>>,
        block: usize,
        first: usize,
        sentence: usize,
    ) {
        let mut word = first;
        let mut sentence = sentence;
        for range in ranges {
            let begin = word;
            while word < self.words.len() && (self.words[word].start as usize) < range.end {
                word += 1;
            }
            while self.sentences.get(sentence).is_some_and(|s| s.end <= begin)
                && sentence + 1 < self.sentences.len()
            {
                sentence += 1;
            }
            self.edus.push(Edu {
                range,
                words: begin..word,
                block,
                sentence,
            });
        }
    }
}

/// The EDUs of a block as stretches of text that cover it, from the words that begin them.
fn ranges_between(starts: &[usize], words: &[Word], block: &Range<usize>) -> Vec<Range<usize>> {
    let mut cuts: Vec<usize> = starts
        .iter()
        .filter(|start| **start > 0)
        .filter_map(|start| words.get(*start))
        .map(|word| word.start as usize)
        .collect();
    cuts.push(block.end);
    let mut from = block.start;
    cuts.into_iter()
        .map(|cut| {
            let edu = from..cut;
            from = cut;
            edu
        })
        .collect()
}
