//! What a path that leads nowhere, or to a folder, most likely stands for.

use std::fs;
use std::path::{Path, PathBuf};

/// Some files of a folder, for a message: the grammars, or else whatever lies there.
pub(super) fn list_some_files(folder: &Path) -> Option<String> {
    const SHOWN: usize = 4;
    let entries = fs::read_dir(folder).ok()?.flatten();
    let mut files: Vec<PathBuf> = entries
        .map(|entry| entry.path())
        .filter(|path| path.is_file())
        .collect();
    files.sort();
    let is_grammar = |path: &PathBuf| path.extension().is_some_and(|e| e == "arsg");
    if files.iter().any(is_grammar) {
        files.retain(is_grammar);
    }
    let shown = files.iter().take(SHOWN);
    let mut names: Vec<String> = shown.map(|path| format!("`{}`", path.display())).collect();
    if files.len() > SHOWN {
        names.push("…".to_owned());
    }
    (!names.is_empty()).then(|| names.join(", "))
}

/// The file or folder that a path which leads nowhere most likely stands for: the nearest name in
/// the deepest folder on the way that is there.
pub(super) fn nearest_path(path: &Path) -> Option<PathBuf> {
    let folder = path.ancestors().skip(1).find(|folder| {
        let folder = if folder.as_os_str().is_empty() {
            Path::new(".")
        } else {
            folder
        };
        folder.is_dir()
    })?;
    let mut rest = path.strip_prefix(folder).ok()?.components();
    let wrong = rest.next()?.as_os_str().to_str()?;
    let listed = if folder.as_os_str().is_empty() {
        Path::new(".")
    } else {
        folder
    };
    let mut names: Vec<String> = fs::read_dir(listed)
        .ok()?
        .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
        .collect();
    names.sort();
    let near = crate::diagnostic::nearest(wrong, names.iter().map(String::as_str))?;
    let rest = rest.as_path();
    let whole = if rest.as_os_str().is_empty() {
        folder.join(near)
    } else {
        folder.join(near).join(rest)
    };
    // A wrong folder and a wrong file below it: show how far the way is known.
    Some(if whole.exists() {
        whole
    } else {
        folder.join(near)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_that_leads_nowhere_stands_for_the_nearest() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path();
        fs::create_dir_all(root.join("语法文件")).unwrap();
        fs::write(root.join("语法文件/finance.arsg"), "").unwrap();
        let near = |path: &str| nearest_path(&root.join(path));
        let file = Some(root.join("语法文件/finance.arsg"));
        assert_eq!(near("语法文件/finanec.arsg"), file);
        assert_eq!(near("语法文档/finance.arsg"), file);
        assert_eq!(near("语法文件/zebra.txt"), None);
        assert_eq!(near("完全不同"), None);
    }
}
