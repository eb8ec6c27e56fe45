//! Signals as rsd writes them: `dm-because-16-gold`, `semantic-repetition-6,141-144-_`.

use std::sync::Arc;

use super::super::annotation::{Signal, SignalSource};

/// Types whose subtype is written as the words themselves.
const WORDED: [&str; 2] = ["dm", "orphan"];

/// A list of signals between semicolons; `_` is none. `words` are those of the whole text.
pub(super) fn parse(list: &str, source: SignalSource, words: &[&str]) -> Vec<Signal> {
    let pieces = list.split(';').filter(|piece| !matches!(*piece, "" | "_"));
    pieces
        .filter_map(|piece| parse_one(piece, source, words))
        .collect()
}

fn parse_one(piece: &str, source: SignalSource, words: &[&str]) -> Option<Signal> {
    let (kind, rest) = piece.split_once('-')?;
    let (rest, status) = match rest.rsplit_once('-') {
        Some((rest, status)) if !status.starts_with(|c: char| c.is_ascii_digit()) => {
            (rest, Some(status))
        }
        _ => (rest, None),
    };
    let (subtype, tokens) = split_tokens(rest);
    let tokens = ranges(tokens);
    // The words of a masked text do not say what the signal was; its name does.
    let is_masked = |token: &u32| {
        let word = (*token as usize)
            .checked_sub(1)
            .and_then(|at| words.get(at));
        word.is_none_or(|word| !word.is_empty() && word.chars().all(|c| c == '_'))
    };
    let has_words = subtype.is_empty() || !tokens.iter().all(is_masked);
    Some(Signal {
        source,
        kind: kind.into(),
        subtype: if has_words && WORDED.contains(&kind) {
            kind.into()
        } else {
            subtype.into()
        },
        tokens,
        status: status.filter(|status| *status != "_").map(Into::into),
    })
}

/// Token numbers are what stands at the end after a hyphen and is digits, commas and hyphens.
fn split_tokens(text: &str) -> (&str, &str) {
    if let Some(subtype) = text.strip_suffix("-_") {
        return (subtype, "");
    }
    let body = text.trim_end_matches(|c: char| c.is_ascii_digit() || matches!(c, ',' | '-'));
    let tail = text.get(body.len()..).unwrap_or_default();
    match tail.find('-') {
        Some(hyphen) => {
            let cut = body.len() + hyphen;
            (
                text.get(..cut).unwrap_or_default(),
                text.get(cut + 1..).unwrap_or_default(),
            )
        }
        None => (text, ""),
    }
}

/// `1,7-9` as numbers. Ranges longer than any text are left out.
fn ranges(list: &str) -> Vec<u32> {
    const LONGEST: u32 = 1_000_000;
    let mut numbers = Vec::new();
    for piece in list.split(',') {
        let (first, last) = piece.split_once('-').unwrap_or((piece, piece));
        if let (Ok(first), Ok(last)) = (first.parse::<u32>(), last.parse::<u32>())
            && last.saturating_sub(first) < LONGEST
        {
            numbers.extend(first..=last);
        }
    }
    numbers
}

/// A signal with the words it stands on.
pub(super) fn print(signal: &Signal, words: &[&str]) -> String {
    let mut tokens = signal.tokens.clone();
    tokens.sort_unstable();
    let subtype: Arc<str> = if WORDED.contains(&&*signal.subtype) {
        let word = |&token: &u32| words.get((token as usize).checked_sub(1)?);
        let found: Vec<String> = tokens
            .iter()
            .filter_map(word)
            .map(|w| w.to_lowercase())
            .collect();
        found.join(" ").into()
    } else {
        Arc::clone(&signal.subtype)
    };
    let status = signal.status.as_deref().unwrap_or("_");
    format!(
        "{}-{subtype}-{}-{status}",
        signal.kind,
        print_ranges(&tokens)
    )
}

/// Sorted numbers as `1,7-9`; `_` for none.
fn print_ranges(tokens: &[u32]) -> String {
    let mut runs: Vec<(u32, u32)> = Vec::new();
    for &token in tokens {
        match runs.last_mut() {
            Some((_, last)) if *last + 1 == token => *last = token,
            _ => runs.push((token, token)),
        }
    }
    let runs: Vec<String> = runs
        .into_iter()
        .map(|(first, last)| {
            if first == last {
                first.to_string()
            } else {
                format!("{first}-{last}")
            }
        })
        .collect();
    if runs.is_empty() {
        "_".to_owned()
    } else {
        runs.join(",")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tree::NodeId;

    #[test]
    fn what_is_printed_is_parsed_back() {
        let words: Vec<&str> = "由于 下雨 ， 比赛 只 好 取消 。".split(' ').collect();
        let source = SignalSource::Node(NodeId::new(0));
        for text in [
            "dm-由于-1-gold",
            "semantic-repetition-1,3-5-_",
            "graphical-layout-_-_",
        ] {
            let parsed = parse(text, source, &words);
            let printed: Vec<String> = parsed.iter().map(|signal| print(signal, &words)).collect();
            assert_eq!(printed, [text]);
        }
        assert!(parse("_", source, &words).is_empty());
        let late = parse("dm-by the end-196-198-gold", source, &words);
        assert_eq!(late[0].tokens, [196, 197, 198]);
        let masked = ["____", "__"];
        let kept = parse("dm-由于-1-gold", source, &masked);
        assert_eq!(print(&kept[0], &masked), "dm-由于-1-gold");
    }
}
