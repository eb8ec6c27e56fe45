//! What a reader has read already.

use rustc_hash::FxHashSet;

use super::report::DigestJson;

/// Sentences that a reader knows: an update leaves them out.
#[derive(Debug, Clone, Default)]
pub struct Known {
    sentences: Vec<Sentence>,
}

#[derive(Debug, Clone, Default)]
struct Sentence {
    pairs: FxHashSet<(char, char)>,
    numbers: FxHashSet<String>,
}

/// The share of a sentence's pairs of characters that a known one has.
const MUCH: f64 = 0.7;

impl Known {
    /// Reads sentences of any text.
    pub fn read(&mut self, text: &str) {
        let ends = ['。', '！', '？', '\n', '；'];
        let pieces = text.split(ends).map(Sentence::of);
        self.sentences
            .extend(pieces.filter(|sentence| !sentence.pairs.is_empty()));
    }

    /// Reads the lines of an earlier digest.
    pub fn read_digest(&mut self, digest: &DigestJson) {
        for line in digest.stories.iter().flat_map(|story| &story.lines) {
            self.read(&line.text);
        }
    }

    /// True when nothing is known.
    pub fn is_empty(&self) -> bool {
        self.sentences.is_empty()
    }

    /// True when a sentence says nothing new: most of it was read, and all its numbers.
    pub fn has(&self, sentence: &str) -> bool {
        let own = Sentence::of(sentence);
        !own.pairs.is_empty()
            && self.sentences.iter().any(|known| {
                let met = own.pairs.iter().filter(|pair| known.pairs.contains(pair));
                met.count() as f64 >= MUCH * own.pairs.len() as f64
                    && own
                        .numbers
                        .iter()
                        .all(|number| known.numbers.contains(number))
            })
    }
}

impl Sentence {
    fn of(text: &str) -> Sentence {
        let letters: Vec<char> = text.chars().filter(|c| c.is_alphanumeric()).collect();
        let pairs = letters.iter().copied().zip(letters.iter().copied().skip(1));
        let numbers = text.split(|c: char| !(c.is_ascii_digit() || c == '.'));
        Sentence {
            pairs: pairs.collect(),
            numbers: numbers
                .filter(|number| number.contains(|c: char| c.is_ascii_digit()))
                .map(str::to_owned)
                .collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_new_number_is_news() {
        let mut known = Known::default();
        assert!(known.is_empty() && !known.has("矿井爆炸造成12人遇难。"));
        known.read("周一上午，矿井爆炸造成12人遇难。救援仍在进行。");
        assert!(known.has("矿井爆炸造成12人遇难。"));
        assert!(!known.has("矿井爆炸造成15人遇难。"));
        assert!(!known.has("矿方负责人已被控制。"));
    }
}
