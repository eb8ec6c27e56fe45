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
