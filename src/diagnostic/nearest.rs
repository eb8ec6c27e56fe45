//! The nearest known name to a misspelt one.

/// The most names that are suggested for one wrong one.
const MAX_SUGGESTED: usize = 3;
/// Words up to this length are too short for their first letter to be a slip: `Bank` is not `Rank`.
const SHORT: usize = 4;

/// The name in `known` that `wrong` most likely stands for, if any is near enough: at most a third
/// of its characters differ (insertions, deletions, substitutions, neighbouring swaps).
pub fn nearest<'a>(wrong: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let wrong = lower_case(wrong);
    let length = wrong.chars().count();
    let limit = (length / 3).max(1);
    let is_short = length <= SHORT && wrong.is_ascii();
    known
        .into_iter()
        .filter_map(|name| {
            let letters = lower_case(name);
            let letter_count = letters.chars().count();
            if letter_count.abs_diff(length) > limit {
                return None;
            }
            let first = letters.chars().next();
            if is_short && wrong.chars().next() != first && wrong.chars().nth(1) != first {
                return None;
            }
            // Swapped neighbours are one slip, and no letter is mended twice.
            let distance = strsim::osa_distance(&wrong, &letters);
            (distance <= limit && distance < letter_count.max(1)).then_some((distance, name))
        })
        .min()
        .map(|(_, name)| name)
}

/// Letter by letter, so that no letter's form depends on where it stands in the word.
fn lower_case(name: &str) -> String {
    name.chars().flat_map(char::to_lowercase).collect()
}

/// The names in `known` that `wrong` may stand for, the likeliest first: those of which it is a word
/// (`cause` of `causal-cause`, `rise` of `SharpRise`), else the nearest, else those that contain it.
pub fn likely<'a>(wrong: &str, known: &[&'a str]) -> Vec<&'a str> {
    let some = |fits: &dyn Fn(&str) -> bool| -> Vec<&'a str> {
        let fitting = known.iter().copied().filter(|name| fits(name));
        fitting.take(MAX_SUGGESTED).collect()
    };
    if let Some(name) = known.iter().find(|name| name.eq_ignore_ascii_case(wrong)) {
        return vec![name];
    }
    let lower = wrong.to_lowercase();
    let parts = some(&|name| words_of(name).contains(&lower));
    if !parts.is_empty() {
        return parts;
    }
    if let Some(name) = nearest(wrong, known.iter().copied()) {
        return vec![name];
    }
    // Chinese names are not divided into words.
    let is_chinese = !wrong.is_ascii() && wrong.chars().count() >= 2;
    some(&|name| is_chinese && name.contains(wrong))
}

/// The words of a name, in small letters: `causal-cause` has two, and so has `SharpRise`.
fn words_of(name: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    for letter in name.chars() {
        if letter == '-' || letter == '_' || letter.is_uppercase() {
            words.push(String::new());
        }
        if let (Some(word), true) = (words.last_mut(), letter.is_alphanumeric()) {
            word.extend(letter.to_lowercase());
        }
    }
    words.retain(|word| !word.is_empty());
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_a_swapped_or_dropped_letter() {
        let known = ["polarity", "paragraph", "object", "上涨"];
        assert_eq!(nearest("polartiy", known), Some("polarity"));
        assert_eq!(nearest("obejct", known), Some("object"));
        assert_eq!(nearest("Object", known), Some("object"));
        assert_eq!(nearest("上张", known), Some("上涨"));
    }

    #[test]
    fn a_part_of_a_name_stands_for_the_name() {
        let known = ["causal-cause", "causal-result", "because", "SharpRise"];
        assert_eq!(likely("cause", &known), ["causal-cause"]);
        assert_eq!(likely("causal", &known), ["causal-cause", "causal-result"]);
        assert_eq!(likely("becuase", &known), ["because"]);
        assert_eq!(likely("sharp", &known), ["SharpRise"]);
        assert_eq!(likely("上涨", &["大幅上涨"]), ["大幅上涨"]);
        assert!(likely("Bank", &["Bankrupt", "Rank"]).is_empty());
        assert!(likely("zebra", &known).is_empty());
    }

    #[test]
    fn a_short_word_with_another_first_letter_is_another_word() {
        assert_eq!(nearest("Bank", ["Rank", "Rise"]), None);
        assert_eq!(nearest("Rnak", ["Rank", "Rise"]), Some("Rank"));
        assert_eq!(nearest("Rise", ["rise"]), Some("rise"));
    }

    #[test]
    fn stays_silent_when_nothing_is_near() {
        assert_eq!(nearest("zebra", ["polarity", "object"]), None);
        assert_eq!(nearest("x", ["y"]), None);
    }
}
