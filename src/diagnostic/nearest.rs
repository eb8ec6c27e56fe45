//! The nearest known name to a misspelt one.

/// The name in `known` that `wrong` most likely stands for, if any is near enough: at most a third
/// of its characters differ (insertions, deletions, substitutions, neighbouring swaps).
pub fn nearest<'a>(wrong: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let wrong: Vec<char> = wrong.chars().flat_map(char::to_lowercase).collect();
    let limit = (wrong.len() / 3).max(1);
    known
        .into_iter()
        .filter_map(|name| {
            let letters: Vec<char> = name.chars().flat_map(char::to_lowercase).collect();
            if letters.len().abs_diff(wrong.len()) > limit {
                return None;
            }
            let distance = edit_distance(&wrong, &letters);
            (distance <= limit && distance < letters.len().max(1)).then_some((distance, name))
        })
        .min()
        .map(|(_, name)| name)
}

/// Optimal string alignment distance.
fn edit_distance(a: &[char], b: &[char]) -> usize {
    let mut before_last: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=b.len()).collect();
    for i in 1..=a.len() {
        let mut row = vec![i; b.len() + 1];
        for j in 1..=b.len() {
            let substitution = last[j - 1] + usize::from(a[i - 1] != b[j - 1]);
            row[j] = substitution.min(last[j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                row[j] = row[j].min(before_last[j - 2] + 1);
            }
        }
        before_last = std::mem::replace(&mut last, row);
    }
    last[b.len()]
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
    fn stays_silent_when_nothing_is_near() {
        assert_eq!(nearest("zebra", ["polarity", "object"]), None);
        assert_eq!(nearest("x", ["y"]), None);
    }
}
