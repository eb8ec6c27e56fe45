//! What a core's parts are called: the phrases that get a vector.
//!
//! Times go by the days they mean, not by their words (去年 is 2018 in a text of 2019), coarsened
//! to a grain; a time that the text alone cannot settle keeps its words. Agents, objects and states
//! go by their words; a denied state is a phrase of its own (未上涨). A missing part is no phrase:
//! it is row 0 of its table, the zero vector.

use serde::{Deserialize, Serialize};

use super::{ROLES, Role};
use crate::lexcore::{Core, Extractor, Part};
use crate::schema::Schema;
use crate::text::time::TimeValue;
use crate::text::{Analysis, Analyzer, Document};

/// A phrase: its words, separated by spaces.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Phrase {
    spaced: Box<str>,
}

/// A core's parts by their phrases.
pub type Phrases = [Option<Phrase>; ROLES];

/// How exactly times are told apart.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, schemars::JsonSchema,
)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum TimeGrain {
    /// Days stay days.
    Day,
    /// Days become months; longer times stay what they are.
    #[default]
    Month,
    /// Everything inside a year becomes the year.
    Year,
}

impl Phrase {
    /// From words; white space and empty words are left out, full-width Latin becomes plain. None
    /// when nothing is left.
    pub fn new<'a>(words: impl IntoIterator<Item = &'a str>) -> Option<Phrase> {
        let mut spaced = String::new();
        let pieces = words.into_iter().flat_map(str::split_whitespace);
        for piece in pieces {
            if !spaced.is_empty() {
                spaced.push(' ');
            }
            spaced.extend(piece.chars().map(plain));
        }
        (!spaced.is_empty()).then(|| Phrase {
            spaced: spaced.into_boxed_str(),
        })
    }

    /// Its words.
    pub fn words(&self) -> impl Iterator<Item = &str> {
        self.spaced.split(' ')
    }

    /// As it is written: a space stands only between Latin words.
    pub fn text(&self) -> String {
        let mut text = String::with_capacity(self.spaced.len());
        for word in self.words() {
            let latin = |c: Option<char>| c.is_some_and(|c| c.is_ascii_alphanumeric());
            if latin(text.chars().next_back()) && latin(word.chars().next()) {
                text.push(' ');
            }
            text.push_str(word);
        }
        text
    }

    /// Its words, separated by spaces, as model files keep it.
    pub fn spaced(&self) -> &str {
        &self.spaced
    }

    /// The phrases of a core.
    pub fn of(document: &Document, analysis: &Analysis, core: &Core, grain: TimeGrain) -> Phrases {
        let words = |part: &Part| words_of(document, analysis, part);
        let time = match core.when {
            Some(when) => Phrase::new([grain.name(when).as_str()]),
            None => core.time.as_ref().and_then(|part| Phrase::new(words(part))),
        };
        let denial = core.negated.then_some(DENIAL);
        let state = denial.into_iter().chain(words(&core.state));
        [
            time,
            core.agent
                .as_ref()
                .and_then(|part| Phrase::new(words(part))),
            core.object
                .as_ref()
                .and_then(|part| Phrase::new(words(part))),
            Phrase::new(state),
        ]
    }
}

/// Reads texts as the phrases of their cores. Built once, shared by threads.
pub struct PhraseReader<'a> {
    analyzer: Analyzer,
    extractor: Extractor<'a>,
    grain: TimeGrain,
}

impl<'a> PhraseReader<'a> {
    /// A reader with a schema's vocabulary and a model's grain of time.
    pub fn new(schema: &'a Schema, grain: TimeGrain) -> PhraseReader<'a> {
        PhraseReader {
            analyzer: Analyzer::new(schema),
            extractor: Extractor::new(schema),
            grain,
        }
    }

    /// The text's words and the phrases of its cores.
    pub fn read(&self, document: &Document) -> (Analysis, Vec<Phrases>) {
        let analysis = self.analyzer.analyze(document);
        let phrases = core_phrases(document, &analysis, &self.extractor, self.grain);
        (analysis, phrases)
    }
}

/// The phrases of the cores of a text that has been read with the extractor's schema.
pub(crate) fn core_phrases(
    document: &Document,
    analysis: &Analysis,
    extractor: &Extractor<'_>,
    grain: TimeGrain,
) -> Vec<Phrases> {
    let cores = extractor.extract(document, analysis);
    let phrases = cores.iter();
    phrases
        .map(|core| Phrase::of(document, analysis, core, grain))
        .collect()
}

/// The word before a denied state.
const DENIAL: &str = "未";

/// The words of a part, or its text where words and part do not meet.
fn words_of<'a>(document: &'a Document, analysis: &Analysis, part: &Part) -> Vec<&'a str> {
    let range = &part.range;
    let first = analysis
        .words
        .partition_point(|word| (word.start as usize) < range.start);
    let inside = analysis.words.get(first..).unwrap_or_default();
    let inside = inside
        .iter()
        .take_while(|word| word.end as usize <= range.end);
    let words: Vec<&str> = inside.map(|word| word.text(&document.text)).collect();
    let length: usize = words.iter().map(|word| word.len()).sum();
    if length == range.len() {
        words
    } else {
        vec![document.slice(range)]
    }
}

/// Full-width Latin letters, digits and signs as plain ones.
fn plain(c: char) -> char {
    match c {
        '\u{ff01}'..='\u{ff5e}' => char::from_u32(c as u32 - 0xfee0).unwrap_or(c),
        _ => c,
    }
}

impl TimeGrain {
    /// The name of a time at this grain.
    pub fn name(self, when: TimeValue) -> String {
        let TimeValue { from, to, .. } = when;
        let same_year = from.year() == to.year();
        let whole = match self {
            TimeGrain::Year if same_year => (from.first_of_year(), from.last_of_year()),
            TimeGrain::Month if same_year && from.month() == to.month() => {
                (from.first_of_month(), from.last_of_month())
            }
            _ => (from, to),
        };
        let (from, to) = whole;
        let clock = None;
        TimeValue { from, to, clock }.to_string()
    }

    /// A coarser name for a time that is not known: the month of a day, the year of a month. A name
    /// is read from the right: `2019-09-01`, `2019-09`, `2019`.
    pub(crate) fn coarser(name: &str) -> Option<&str> {
        let name = name.split('/').next().unwrap_or(name);
        let dated = name.bytes().take(4).all(|byte| byte.is_ascii_digit()) && name.len() > 4;
        let (coarse, _) = name.rsplit_once('-')?;
        dated.then_some(coarse)
    }
}

impl Role {
    /// The position in a core.
    pub fn index(self) -> usize {
        self as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schema::embedded_schema;
    use jiff::civil::date;

    #[test]
    fn times_go_by_their_days_and_denied_states_are_phrases_of_their_own() -> crate::Result<()> {
        let schema = embedded_schema("finance")?;
        let text = "2019年9月1日，黄金价格上涨2.4%。昨日，白银价格没有上涨。";
        let mut document = Document::from_text("a", text);
        document.date = Some(date(2019, 9, 3));
        let read = |grain| -> Vec<[Option<String>; 4]> {
            let (_, cores) = PhraseReader::new(&schema, grain).read(&document);
            let texts = cores
                .into_iter()
                .map(|parts| parts.map(|part| part.map(|phrase| phrase.text())));
            texts.collect()
        };
        let days = read(TimeGrain::Day);
        assert_eq!(days[0][0].as_deref(), Some("2019-09-01"));
        assert_eq!(days[1][0].as_deref(), Some("2019-09-02"));
        let months = read(TimeGrain::Month);
        assert_eq!(months[0][0], months[1][0]);
        assert_eq!(months[0][0].as_deref(), Some("2019-09"));
        assert_eq!(months[0][3].as_deref(), Some("上涨"));
        assert_eq!(months[1][3].as_deref(), Some("未上涨"));
        assert_eq!(read(TimeGrain::Year)[0][0].as_deref(), Some("2019"));
        Ok(())
    }

    #[test]
    fn spaces_stand_only_between_latin_words() {
        let phrase = Phrase::new(["Claude", " ", "Code", "ＡＩ", "公司", "", "　"]);
        let phrase = phrase.expect("it has words");
        assert_eq!(phrase.text(), "Claude Code AI公司");
        assert_eq!(phrase.spaced(), "Claude Code AI 公司");
        assert_eq!(Phrase::new(["", "　"]), None);
    }

    #[test]
    fn a_time_has_a_coarser_name() {
        assert_eq!(TimeGrain::coarser("2019-09-01"), Some("2019-09"));
        assert_eq!(TimeGrain::coarser("2019-09"), Some("2019"));
        assert_eq!(TimeGrain::coarser("2019-H1"), Some("2019"));
        assert_eq!(TimeGrain::coarser("2019-01/2019-08"), Some("2019"));
        assert_eq!(TimeGrain::coarser("2019"), None);
        assert_eq!(TimeGrain::coarser("近日"), None);
        assert_eq!(TimeGrain::coarser("十二-五"), None);
    }
}
