//! The domain of a text, from the host of its URL.

/// Labels of hosts that stand for a domain, most telling first within each.
const DOMAINS: &[(&str, &[&str])] = &[
    (
        "finance",
        &[
            "finance",
            "business",
            "biz",
            "money",
            "stock",
            "stocks",
            "fund",
            "caijing",
            "economy",
            "forex",
            "bond",
            "futures",
            "gold",
            "bank",
            "insurance",
            "eastmoney",
            "wallstreetcn",
            "36kr",
            "cs",
            "cnstock",
            "stcn",
            "yicai",
            "caixin",
            "hexun",
            "jrj",
            "cls",
            "xueqiu",
        ],
    ),
    ("sports", &["sports", "sport", "nba", "2012", "2008"]),
    (
        "entertainment",
        &["ent", "yule", "music", "movie", "tv", "star"],
    ),
    ("technology", &["it", "tech", "digi", "mobile", "digital"]),
    ("auto", &["auto", "car", "cars"]),
    ("house", &["house", "home", "fang"]),
    ("health", &["health", "baby"]),
    ("education", &["learning", "edu", "school"]),
    ("women", &["women", "lady", "fashion"]),
    ("culture", &["cul", "culture", "book", "history"]),
    ("travel", &["travel", "tour"]),
    ("military", &["mil", "military"]),
    ("society", &["club", "bbs", "blog"]),
    ("news", &["news"]),
];

/// The domain a URL belongs to, by the labels of its host; none when no label tells.
///
/// ```
/// use arsg::text::corpus::domain_of;
/// assert_eq!(domain_of("http://business.sohu.com/20120612/n1.shtml"), Some("finance"));
/// assert_eq!(domain_of("http://biz.cn.yahoo.com/ypen/1.html"), Some("finance"));
/// assert_eq!(domain_of("http://example.org/"), None);
/// ```
pub fn domain_of(url: &str) -> Option<&'static str> {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    let host = rest.split(['/', '?', '#', ':']).next().unwrap_or_default();
    DOMAINS
        .iter()
        .find(|(_, labels)| host.split('.').any(|label| labels.contains(&label)))
        .map(|(domain, _)| *domain)
}
