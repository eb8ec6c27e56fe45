//! The domain of a text, from the host of its URL (`schemas/lexicon/domains.toml`).

use std::sync::LazyLock;

use serde::Deserialize;

const SHIPPED: &str = include_str!("../../../schemas/lexicon/domains.toml");

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct Domains {
    #[serde(rename = "domain")]
    all: Vec<Domain>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Domain {
    name: String,
    /// Parts of hosts that stand for it.
    labels: Vec<String>,
}

/// The shipped domains, read once a process. A test sees to it that they can be read.
static DOMAINS: LazyLock<Domains> = LazyLock::new(|| toml::from_str(SHIPPED).unwrap_or_default());

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
    let has = |domain: &&Domain| {
        let mut labels = host.split('.');
        labels.any(|label| domain.labels.iter().any(|known| known == label))
    };
    DOMAINS.all.iter().find(has).map(|domain| &*domain.name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shipped_domains_can_be_read() {
        let domains: Result<Domains, _> = toml::from_str(SHIPPED);
        assert!(domains.is_ok(), "{domains:?}");
    }

    #[test]
    fn the_first_domain_that_has_a_label_counts() {
        assert_eq!(domain_of("http://news.finance.a.cn/1"), Some("finance"));
        assert_eq!(domain_of("news.a.cn"), Some("news"));
    }
}
