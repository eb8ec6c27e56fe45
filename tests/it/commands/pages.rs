//! What README and guides tell people to run does run, in the order of the pages.

use crate::run::walk;

fn walked(page: &str) -> usize {
    match tempfile::tempdir() {
        Ok(folder) => walk(page, folder.path()),
        Err(_) => 0,
    }
}

#[test]
fn the_guide_for_linguists() {
    assert!(walked(include_str!("../../../docs/guide.md")) >= 10);
}

#[test]
fn the_guide_in_chinese() {
    assert!(walked(include_str!("../../../docs/zh/guide.md")) >= 10);
}

#[test]
fn the_readme() {
    assert!(walked(include_str!("../../../README.md")) >= 2);
}

/// The walk of `docs/learning.md`, on sixty texts of the demo corpus as raw news.
#[test]
fn the_page_on_learning() {
    let folder = tempfile::tempdir().unwrap();
    let cases = arsg::demo::corpus().unwrap();
    let news = cases.iter().take(60).map(|case| {
        let (id, text) = (&case.document.id, &case.document.text);
        let title = &case.document.title;
        format!(
            "{}\n",
            serde_json::json!({"id": id, "title": title, "text": text})
        )
    });
    std::fs::write(folder.path().join("news.jsonl"), news.collect::<String>()).unwrap();
    assert_eq!(
        walk(include_str!("../../../docs/learning.md"), folder.path()),
        1
    );
    assert!(!folder.path().join("project/waiting.jsonl").exists());
    assert!(folder.path().join("project/grammar.arsg").exists());
}
