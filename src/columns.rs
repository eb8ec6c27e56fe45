//! How wide text is on a terminal: the one place that measures, cuts and fills columns.

use std::borrow::Cow;

use unicode_width::UnicodeWidthChar;

/// No column is made wider than this, however long the longest thing in it is.
pub(crate) const WIDEST: usize = 400;

/// How many columns a text takes. Control characters take one: they are shown as a sign.
pub(crate) fn columns(text: &str) -> usize {
    text.chars().map(columns_of).sum()
}

/// How many columns a character takes.
pub(crate) fn columns_of(c: char) -> usize {
    c.width().unwrap_or(1)
}

/// The text, cut with `…` where it is wider than `width` columns; a wide character is never halved.
pub(crate) fn cut(text: &str, width: usize) -> String {
    if columns(text) <= width {
        return text.to_owned();
    }
    let mut out = String::new();
    let mut used = 1;
    for c in text.chars() {
        used += columns_of(c);
        if used > width {
            break;
        }
        out.push(c);
    }
    if width > 0 {
        out.push('…');
    }
    out
}

/// The spaces that fill a text up to `width` columns, which is capped; none where it is wider.
pub(crate) fn fill(text: &str, width: usize) -> String {
    " ".repeat(width.min(WIDEST).saturating_sub(columns(text)))
}

/// The columns that the widest of several texts takes, capped.
pub(crate) fn widest<'t>(texts: impl IntoIterator<Item = &'t str>) -> usize {
    let all = texts.into_iter().map(columns);
    all.max().unwrap_or(0).min(WIDEST)
}

/// The text with control characters as signs (`␛` for escape), so that no text can steer a terminal.
/// Line ends and tabs stay.
pub(crate) fn make_visible(text: &str) -> Cow<'_, str> {
    let is_hidden = |c: char| c.is_control() && !matches!(c, '\n' | '\t');
    if !text.contains(is_hidden) {
        return Cow::Borrowed(text);
    }
    let sign = |c: char| match c {
        '\0'..='\x1f' if is_hidden(c) => char::from_u32(0x2400 + c as u32).unwrap_or('␀'),
        '\x7f' => '␡',
        c if is_hidden(c) => '\u{fffd}',
        c => c,
    };
    Cow::Owned(text.chars().map(sign).collect())
}

/// The same for text of our own that may be coloured: the sequences that set colours stay where
/// `color` is set.
#[cfg(any(feature = "cli", test))]
pub(crate) fn make_visible_but_colors(text: &str, color: bool) -> Cow<'_, str> {
    if !color || !text.contains('\u{1b}') {
        return make_visible(text);
    }
    let mut out = String::with_capacity(text.len());
    let mut pieces = text.split('\u{1b}');
    out.push_str(&make_visible(pieces.next().unwrap_or_default()));
    for piece in pieces {
        let letters = piece.strip_prefix('[').unwrap_or("x");
        let end = letters.find(|c: char| !(c.is_ascii_digit() || c == ';'));
        let is_color = end.is_some_and(|end| letters[end..].starts_with('m'));
        out.push(if is_color { '\u{1b}' } else { '␛' });
        out.push_str(&make_visible(piece));
    }
    Cow::Owned(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_alone_reach_a_terminal() {
        let text = "\u{1b}[1;31m红\u{1b}[0m\u{1b}]0;标题\u{7}\u{1b}[2J\u{1b}";
        let shown = make_visible_but_colors(text, true);
        assert_eq!(shown, "\u{1b}[1;31m红\u{1b}[0m␛]0;标题␇␛[2J␛");
        assert!(!make_visible_but_colors(text, false).contains('\u{1b}'));
    }

    #[test]
    fn chinese_takes_two_columns_and_control_characters_one() {
        assert_eq!(columns("降息a"), 5);
        assert_eq!(columns("d\u{7}\u{1b}[31m"), 7);
        assert_eq!(cut("降息降准", 5), "降息…");
        assert_eq!(cut("d\u{7}\u{1b}[31mR息", 4), "d\u{7}\u{1b}…");
        assert_eq!(cut("降息", 0), "");
    }

    #[test]
    fn nothing_is_filled_beyond_the_widest_column() {
        assert_eq!(fill("降息", 6), "  ");
        assert_eq!(fill("降息", 3), "");
        assert_eq!(fill("", 1_000_000).len(), WIDEST);
        let long = "长".repeat(70_000);
        assert_eq!(widest(["a", &long]), WIDEST);
    }

    #[test]
    fn control_characters_are_shown_as_signs() {
        assert_eq!(
            make_visible("d\u{7}\u{1b}[31mR息。\n\t"),
            "d␇␛[31mR息。\n\t"
        );
        assert_eq!(make_visible("\u{7f}\u{9b}"), "␡\u{fffd}");
        assert!(matches!(make_visible("央行降息"), Cow::Borrowed(_)));
    }
}
