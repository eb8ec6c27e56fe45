//! Parts of speech and punctuation marks.

use crate::named::named_enum;

named_enum! {
    /// A part of speech: jieba's tags, with the fine distinctions that nobody here asks for left out.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
    #[repr(u8)]
    #[non_exhaustive]
    pub enum Tag {
        /// n and all nouns without a finer tag.
        Noun = "n",
        /// nr.
        Person = "nr",
        /// ns.
        Place = "ns",
        /// nt.
        Organisation = "nt",
        /// nz, other proper nouns.
        Proper = "nz",
        /// j, 央行.
        Abbreviation = "j",
        /// Latin letters.
        Latin = "eng",
        /// t, and what the time scanner found.
        Time = "t",
        /// v.
        Verb = "v",
        /// vn, a verb used as a noun.
        VerbalNoun = "vn",
        /// a, ad, an, z: adjectives and words of state.
        Adjective = "a",
        /// b and h: 大型, 非.
        Distinguisher = "b",
        /// d.
        Adverb = "d",
        /// p.
        Preposition = "p",
        /// c.
        Conjunction = "c",
        /// uj 的, and 之.
        De = "uj",
        /// All other particles: 了, 着, 地, 吗.
        Particle = "u",
        /// m, numbers with their units.
        Number = "m",
        /// q.
        Measure = "q",
        /// r.
        Pronoun = "r",
        /// f and s: 上, 后, 国内.
        Locative = "f",
        /// i and l: idioms and fixed phrases.
        Idiom = "l",
        /// Punctuation and other signs.
        Sign = "x",
        /// Anything else.
        Other = "z",
    }
}

impl Tag {
    /// From jieba's tag.
    pub(super) fn from_jieba(tag: &str) -> Tag {
        match tag.as_bytes() {
            [b'n', b'r', ..] => Tag::Person,
            [b'n', b's', ..] => Tag::Place,
            [b'n', b't', ..] => Tag::Organisation,
            [b'n', b'z', ..] => Tag::Proper,
            [b'n', ..] => Tag::Noun,
            [b'j', ..] => Tag::Abbreviation,
            [b'e', b'n', b'g', ..] => Tag::Latin,
            [b't', ..] => Tag::Time,
            [b'v', b'n', ..] => Tag::VerbalNoun,
            [b'v', ..] => Tag::Verb,
            [b'a', ..] | [b'z', ..] => Tag::Adjective,
            [b'b', ..] | [b'h', ..] => Tag::Distinguisher,
            [b'd', ..] => Tag::Adverb,
            [b'p', ..] => Tag::Preposition,
            [b'c', ..] => Tag::Conjunction,
            [b'u', b'j', ..] => Tag::De,
            [b'u', ..] | [b'y', ..] | [b'e', ..] | [b'o', ..] => Tag::Particle,
            [b'm', ..] => Tag::Number,
            [b'q', ..] => Tag::Measure,
            [b'r', ..] => Tag::Pronoun,
            [b'f', ..] | [b's', ..] => Tag::Locative,
            [b'i', ..] | [b'l', ..] => Tag::Idiom,
            [b'x', ..] | [b'w', ..] => Tag::Sign,
            _ => Tag::Other,
        }
    }

    /// Words that can be a noun phrase or stand inside one as a name of something.
    pub fn is_nominal(self) -> bool {
        matches!(
            self,
            Tag::Noun
                | Tag::Person
                | Tag::Place
                | Tag::Organisation
                | Tag::Proper
                | Tag::Abbreviation
                | Tag::Latin
                | Tag::VerbalNoun
        )
    }

    /// Names.
    pub fn is_proper(self) -> bool {
        matches!(
            self,
            Tag::Person | Tag::Place | Tag::Organisation | Tag::Proper | Tag::Latin
        )
    }
}

/// What a punctuation mark does, whatever its width.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
#[repr(u8)]
#[non_exhaustive]
pub enum Punctuation {
    /// No mark.
    #[default]
    None,
    /// 、
    Enumeration,
    /// ，
    Comma,
    /// ；
    Semicolon,
    /// ：
    Colon,
    /// 。
    Stop,
    /// ？
    Question,
    /// ！
    Exclamation,
    /// ……
    Ellipsis,
    /// ——
    Dash,
    /// （《【
    OpenBracket,
    /// ）》】
    CloseBracket,
    /// “
    OpenQuote,
    /// ”
    CloseQuote,
    /// Any other sign.
    Other,
}

impl Punctuation {
    /// The mark that a word is, by its first character.
    pub fn of(text: &str) -> Punctuation {
        let Some(first) = text.chars().next() else {
            return Punctuation::None;
        };
        match first {
            '、' => Punctuation::Enumeration,
            '，' | ',' | '﹐' => Punctuation::Comma,
            '；' | ';' => Punctuation::Semicolon,
            '：' | ':' => Punctuation::Colon,
            '。' | '．' | '｡' | '.' => Punctuation::Stop,
            '？' | '?' => Punctuation::Question,
            '！' | '!' => Punctuation::Exclamation,
            '…' | '⋯' => Punctuation::Ellipsis,
            '—' | '–' | '―' | '─' => Punctuation::Dash,
            '（' | '(' | '【' | '[' | '〔' | '《' | '〈' | '「' | '『' | '｛' | '{' => {
                if matches!(first, '「' | '『') {
                    Punctuation::OpenQuote
                } else {
                    Punctuation::OpenBracket
                }
            }
            '）' | ')' | '】' | ']' | '〕' | '》' | '〉' | '｝' | '}' => {
                Punctuation::CloseBracket
            }
            '」' | '』' | '”' | '’' => Punctuation::CloseQuote,
            '“' | '‘' => Punctuation::OpenQuote,
            c if c.is_alphanumeric() => Punctuation::None,
            _ => Punctuation::Other,
        }
    }

    /// Marks that end a sentence.
    pub fn ends_sentence(self) -> bool {
        matches!(
            self,
            Punctuation::Stop
                | Punctuation::Question
                | Punctuation::Exclamation
                | Punctuation::Ellipsis
        )
    }

    /// Marks that part clauses.
    pub fn parts_clauses(self) -> bool {
        self.ends_sentence()
            || matches!(
                self,
                Punctuation::Comma | Punctuation::Semicolon | Punctuation::Colon
            )
    }
}
