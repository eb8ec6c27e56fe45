//! Parts of speech and punctuation marks.

/// A part of speech: jieba's tags, with the fine distinctions that nobody here asks for left out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum Tag {
    /// n and all nouns without a finer tag.
    Noun,
    /// nr.
    Person,
    /// ns.
    Place,
    /// nt.
    Organisation,
    /// nz, other proper nouns.
    Proper,
    /// j, 央行.
    Abbreviation,
    /// Latin letters.
    Latin,
    /// t, and what the time scanner found.
    Time,
    /// v.
    Verb,
    /// vn, a verb used as a noun.
    VerbalNoun,
    /// a, ad, an, z: adjectives and words of state.
    Adjective,
    /// b and h: 大型, 非.
    Distinguisher,
    /// d.
    Adverb,
    /// p.
    Preposition,
    /// c.
    Conjunction,
    /// uj 的, and 之.
    De,
    /// All other particles: 了, 着, 地, 吗.
    Particle,
    /// m, numbers with their units.
    Number,
    /// q.
    Measure,
    /// r.
    Pronoun,
    /// f and s: 上, 后, 国内.
    Locative,
    /// i and l: idioms and fixed phrases.
    Idiom,
    /// Punctuation and other signs.
    Sign,
    /// Anything else.
    Other,
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

    /// The tag's name in machine formats.
    pub fn as_str(self) -> &'static str {
        match self {
            Tag::Noun => "n",
            Tag::Person => "nr",
            Tag::Place => "ns",
            Tag::Organisation => "nt",
            Tag::Proper => "nz",
            Tag::Abbreviation => "j",
            Tag::Latin => "eng",
            Tag::Time => "t",
            Tag::Verb => "v",
            Tag::VerbalNoun => "vn",
            Tag::Adjective => "a",
            Tag::Distinguisher => "b",
            Tag::Adverb => "d",
            Tag::Preposition => "p",
            Tag::Conjunction => "c",
            Tag::De => "uj",
            Tag::Particle => "u",
            Tag::Number => "m",
            Tag::Measure => "q",
            Tag::Pronoun => "r",
            Tag::Locative => "f",
            Tag::Idiom => "l",
            Tag::Sign => "x",
            Tag::Other => "z",
        }
    }
}

/// What a punctuation mark does, whatever its width.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
#[repr(u8)]
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
