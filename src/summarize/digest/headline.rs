//! Headlines without what a column puts around them.

use super::super::lexicon::shipped;

/// A title without the name of its column at either end: 8点1氪丨……, ……｜36氪首发.
pub(super) fn clean_title(title: &str) -> String {
    let lists = &shipped().lists;
    let mut parts: Vec<&str> = title.split(['丨', '｜', '|']).map(str::trim).collect();
    parts.retain(|part| !part.is_empty());
    if parts.len() > 1 {
        let is_column =
            |part: &&str| lists.column.stand_in(part) && part.chars().count() <= LONGEST_COLUMN;
        let kept: Vec<&str> = parts
            .iter()
            .copied()
            .filter(|part| !is_column(part))
            .collect();
        if !kept.is_empty() {
            parts = kept;
        }
    }
    let title = parts.join("｜");
    let title = title.trim_matches(['\u{3000}', ' ']);
    title.trim_end_matches(['：', ':', '，', '；']).to_owned()
}

/// The name of a column is short.
const LONGEST_COLUMN: usize = 12;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_no_part_of_headlines() {
        assert_eq!(
            clean_title("北辰科技完成亿元融资｜36氪首发"),
            "北辰科技完成亿元融资"
        );
        assert_eq!(
            clean_title("财报见闻 | 远山集团净利润下降"),
            "远山集团净利润下降"
        );
        assert_eq!(clean_title("油价大跌"), "油价大跌");
        assert_eq!(clean_title("最前线"), "最前线");
    }
}
