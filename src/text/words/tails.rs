//! Classes of final words: the `[tail.X]` tables of the lexicon.

use std::sync::LazyLock;

use rustc_hash::FxHashMap;

use super::super::chinese::{Words, chinese};

/// A class of words that spans end with.
#[derive(Debug, Clone)]
pub struct TailClass {
    /// Its name in grammars.
    pub name: &'static str,
    /// The words.
    pub words: &'static [String],
}

struct Tails {
    classes: Vec<TailClass>,
    names: Vec<&'static str>,
    codes: FxHashMap<String, u8>,
}

static TAILS: LazyLock<Tails> = LazyLock::new(|| Tails::new(&chinese().tails));

impl Tails {
    fn new(lists: &'static [(String, Words)]) -> Tails {
        let none = TailClass {
            name: "none",
            words: &[],
        };
        let named = lists.iter().map(|(name, list)| TailClass {
            name,
            words: &list.words,
        });
        let classes: Vec<TailClass> = [none].into_iter().chain(named).collect();
        let mut codes = FxHashMap::default();
        for (code, class) in classes.iter().enumerate() {
            for word in class.words {
                let code = u8::try_from(code).unwrap_or(0);
                codes.entry(word.clone()).or_insert(code);
            }
        }
        Tails {
            names: classes.iter().map(|class| class.name).collect(),
            classes,
            codes,
        }
    }
}

/// The classes of final words, `none` first.
pub fn tails() -> &'static [TailClass] {
    &TAILS.classes
}

/// Their names.
pub fn tail_names() -> &'static [&'static str] {
    &TAILS.names
}

/// The class of a final word, an index into [`tails`]; 0 for none.
pub fn tail_code(word: &str) -> u8 {
    TAILS.codes.get(word).copied().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn final_words_have_the_class_that_the_lexicon_says() {
        let class = |word| tails()[usize::from(tail_code(word))].name;
        assert_eq!(class("的"), "de");
        assert_eq!(class("之际"), "shi");
        assert_eq!(class("来说"), "laishuo");
        assert_eq!(class("上涨"), "none");
        assert_eq!(tail_names()[0], "none");
        // Rules name these classes: they keep their order, and new ones come last.
        assert_eq!(tail_names()[16], "ma");
    }
}
