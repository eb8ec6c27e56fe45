//! Whether a text is Chinese, by its characters.

/// The script that most letters of a text are written in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Script {
    /// Chinese characters, without the letters of its neighbours.
    Chinese,
    /// Chinese characters among kana.
    Japanese,
    /// Hangul.
    Korean,
    /// Latin letters.
    Latin,
    /// Cyrillic, Arabic and all others.
    Other,
}

impl Script {
    /// Its name in a message.
    pub fn as_str(self) -> &'static str {
        match self {
            Script::Chinese => "Chinese",
            Script::Japanese => "Japanese",
            Script::Korean => "Korean",
            Script::Latin => "in Latin letters",
            Script::Other => "in other letters",
        }
    }
}

/// Letters that are looked at.
const LOOKED_AT: usize = 4000;
/// Chinese news is full of Latin names: a text with this share of Chinese characters is Chinese.
const CHINESE_SHARE: f64 = 0.3;
/// Names in kana or hangul may stand in Chinese texts, too.
const FOREIGN_SHARE: f64 = 0.1;

/// The script of a text; a text without letters is taken for Chinese.
pub fn script_of(text: &str) -> Script {
    let (mut han, mut kana, mut hangul, mut latin, mut all) = (0, 0, 0, 0, 0);
    for c in text.chars().filter(|c| c.is_alphabetic()).take(LOOKED_AT) {
        all += 1;
        match c {
            '\u{3400}'..='\u{9fff}'
            | '\u{f900}'..='\u{faff}'
            | '\u{20000}'..='\u{323af}'
            | '〇' => han += 1,
            '\u{3040}'..='\u{30ff}' => kana += 1,
            '\u{1100}'..='\u{11ff}' | '\u{3130}'..='\u{318f}' | '\u{ac00}'..='\u{d7af}' => {
                hangul += 1
            }
            'a'..='z' | 'A'..='Z' | '\u{c0}'..='\u{24f}' => latin += 1,
            _ => {}
        }
    }
    let share = |count: i32| f64::from(count) / f64::from(all.max(1));
    if all == 0 {
        Script::Chinese
    } else if share(kana) >= FOREIGN_SHARE {
        Script::Japanese
    } else if share(hangul) >= FOREIGN_SHARE {
        Script::Korean
    } else if share(han) >= CHINESE_SHARE {
        Script::Chinese
    } else if share(latin) >= 0.5 {
        Script::Latin
    } else {
        Script::Other
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chinese_is_told_from_its_neighbours() {
        assert_eq!(
            script_of("美联储主席鲍威尔（Jerome Powell）周三表示，暂不降息。"),
            Script::Chinese
        );
        assert_eq!(
            script_of("日本銀行は政策金利を据え置くと発表した。"),
            Script::Japanese
        );
        assert_eq!(script_of("한국은행은 기준금리를 동결했다."), Script::Korean);
        assert_eq!(
            script_of("The Federal Reserve kept rates unchanged."),
            Script::Latin
        );
        assert_eq!(script_of("Банк России сохранил ставку."), Script::Other);
        assert_eq!(script_of("2019-09-01 12%"), Script::Chinese);
    }
}
