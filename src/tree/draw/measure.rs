//! How wide text is, in columns of a terminal and in pixels of a drawing.

use super::super::format::one_line;
use unicode_width::UnicodeWidthChar;

use crate::columns::make_visible;

/// A text for readers: on one line, and without the spaces that treebanks put between Chinese words.
pub(crate) fn tidy_text(text: &str) -> String {
    let line = one_line(text);
    let line = make_visible(&line);
    let is_wide = |c: Option<char>| {
        c.is_some_and(|c| "“”‘’…—·".contains(c) || c.width().is_some_and(|width| width > 1))
    };
    let mut out = String::with_capacity(line.len());
    let mut letters = line.chars().peekable();
    while let Some(c) = letters.next() {
        if c != ' ' || !is_wide(out.chars().next_back()) || !is_wide(letters.peek().copied()) {
            out.push(c);
        }
    }
    out
}

/// Pixels at a font size, on the wide side: fonts differ, and text must not overlap in any.
pub(super) fn pixels(text: &str, size: f64) -> f64 {
    text.chars().map(em).sum::<f64>() * size
}

fn em(c: char) -> f64 {
    match c {
        'm' | 'w' | 'M' | 'W' | '@' | '%' => 0.95,
        'i' | 'j' | 'l' | 'I' | '.' | ',' | ':' | ';' | '|' | '!' | '\'' | ' ' => 0.36,
        'A'..='Z' | '&' => 0.74,
        c if c.is_ascii() => 0.6,
        c => match c.width() {
            Some(0) | None => 0.0,
            // Chinese fonts draw dashes and curly quotes as wide as characters.
            Some(_) => 1.02,
        },
    }
}

/// Wraps a text into lines of at most `width` pixels: between words, or anywhere between
/// full-width characters; closing marks stay with what they close.
pub(super) fn wrap(text: &str, width: f64, size: f64) -> Vec<String> {
    let mut lines = Vec::new();
    let mut line = String::new();
    let mut used = 0.0;
    for piece in pieces(text) {
        let wide = pixels(&piece, size);
        if used + wide > width && !line.is_empty() {
            lines.push(line.trim_end().to_owned());
            line.clear();
            used = 0.0;
        }
        if line.is_empty() && piece.trim().is_empty() {
            continue;
        }
        if wide <= width {
            line.push_str(&piece);
            used += wide;
            continue;
        }
        // A word wider than a line is broken anywhere.
        for c in piece.chars() {
            let one = em(c) * size;
            if used + one > width && !line.is_empty() {
                lines.push(std::mem::take(&mut line));
                used = 0.0;
            }
            line.push(c);
            used += one;
        }
    }
    if !line.trim().is_empty() {
        lines.push(line.trim_end().to_owned());
    }
    lines
}

/// What must not be broken: words, single full-width characters, marks with what they close.
fn pieces(text: &str) -> Vec<String> {
    let mut pieces: Vec<String> = Vec::new();
    let mut glued = false;
    for c in text.chars() {
        let wide = c.width().unwrap_or(0) > 1;
        let closes = "，。、；：！？）」』】》”’…—,.;:!?)]".contains(c) || c.width() == Some(0);
        match pieces.last_mut() {
            Some(last) if closes && !last.trim().is_empty() => last.push(c),
            Some(last) if glued && !wide && !c.is_whitespace() => last.push(c),
            _ => pieces.push(c.to_string()),
        }
        glued = !wide && !c.is_whitespace();
    }
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spaces_between_chinese_words_are_not_shown() {
        let text = "2020年 ， “ 新冠 ” 疫情 in China 爆发 。";
        assert_eq!(tidy_text(text), "2020年，“新冠”疫情 in China 爆发。");
    }

    #[test]
    fn lines_break_between_words_and_between_full_width_characters() {
        assert_eq!(
            wrap("因为下雨，比赛取消。", 52.0, 10.0),
            ["因为下雨，", "比赛取消。"]
        );
        assert_eq!(
            wrap("the rain in Spain", 50.0, 10.0),
            ["the rain", "in Spain"]
        );
        assert_eq!(wrap("abcdefghij", 25.0, 10.0).concat(), "abcdefghij");
        assert!(wrap("  ", 50.0, 10.0).is_empty());
    }
}
