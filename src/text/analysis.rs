//! The reading of a whole document: its words, times, sentences and EDUs.

use std::ops::Range;

use super::document::Document;
use super::segment::{Segmenter, sentences};
use super::time::{Time, TimeContext};
use super::words::{Lexicon, Word};
use crate::schema::Schema;

/// Reads documents. Built once, shared by threads.
pub struct Analyzer {
    lexicon: Lexicon,
    segmenter: Box<dyn Segmenter>,
}

/// What was read.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Analysis {
    /// All words, in text order.
    pub words: Vec<Word>,
    /// All time expressions, in text order.
    pub times: Vec<Time>,
    /// The words of each block.
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
        }
    }

    /// Reads a document. Blocks that come with EDUs keep them; the others are segmented.
    pub fn analyze(&self, document: &Document) -> Analysis {
        /// Words of news take five bytes and more.
        const BYTES_A_WORD: usize = 5;
        let mut analysis = Analysis::default();
        analysis.words.reserve(document.text.len() / BYTES_A_WORD);
        let mut context = TimeContext::new(document.date);
        for (number, block) in document.blocks.iter().enumerate() {
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

    /// Fills in the EDUs of all blocks that have none. What was read on the way is what
    /// [`analyze`](Analyzer::analyze) reads in the document from now on.
    pub fn segment(&self, document: &mut Document) -> Analysis {
        let analysis = self.analyze(document);
        let mut edus = analysis.edus.iter().peekable();
        for (number, block) in document.blocks.iter_mut().enumerate() {
            let mut own = Vec::new();
            while let Some(edu) = edus.next_if(|edu| edu.block == number) {
                own.push(edu.range.clone());
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
