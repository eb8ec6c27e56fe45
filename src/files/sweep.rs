//! Temporary files that a killed process left behind.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::sync::{LazyLock, Mutex, PoisonError};
use std::time::Duration;

/// How the names of our temporary files begin.
pub(super) const PREFIX: &str = ".arsg-";

/// How many letters and digits follow.
pub(super) const RANDOM: usize = 12;

/// A younger file may belong to a process that has not locked it yet.
const OLD: Duration = Duration::from_secs(600);

/// The folders that were swept already by this process.
static SWEPT: LazyLock<Mutex<BTreeSet<PathBuf>>> = LazyLock::new(Mutex::default);

/// Removes what killed processes left in a folder: files with our names that are old and that nobody
/// holds locked. Whatever cannot be removed stays; that is no error.
pub(super) fn sweep(folder: &Path) {
    let mut swept = SWEPT.lock().unwrap_or_else(PoisonError::into_inner);
    if !swept.insert(folder.to_owned()) {
        return;
    }
    drop(swept);
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let is_ours = entry.file_name().to_str().is_some_and(is_ours);
        if is_ours && is_left(&entry.path()) {
            let _ = fs::remove_file(entry.path());
        }
    }
}

fn is_ours(name: &str) -> bool {
    let random = name.strip_prefix(PREFIX);
    random.is_some_and(|random| {
        random.len() == RANDOM && random.bytes().all(|byte| byte.is_ascii_alphanumeric())
    })
}

fn is_left(path: &Path) -> bool {
    let Ok(about) = fs::symlink_metadata(path) else {
        return false;
    };
    let age = about.modified().ok().and_then(|time| time.elapsed().ok());
    if !about.is_file() || age.is_none_or(|age| age < OLD) {
        return false;
    }
    // Whoever writes a temporary file holds it locked.
    File::open(path).is_ok_and(|file| file.try_lock().is_ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_old_files_of_our_own_that_nobody_holds_go() {
        let folder = tempfile::tempdir().unwrap();
        let make = |name: &str, age: u64| {
            let file = File::create(folder.path().join(name)).unwrap();
            let time = std::time::SystemTime::now() - Duration::from_secs(age);
            file.set_modified(time).unwrap();
            file
        };
        make(".arsg-abcDEF123456", 4000);
        make(".arsg-notes", 4000);
        make(".arsg-abcDEF000000", 5);
        let held = make(".arsg-abcDEF777777", 4000);
        held.try_lock().unwrap();
        sweep(folder.path());
        let entries = fs::read_dir(folder.path()).unwrap();
        let mut left: Vec<String> = entries
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        left.sort();
        assert_eq!(
            left,
            [".arsg-abcDEF000000", ".arsg-abcDEF777777", ".arsg-notes"]
        );
    }
}
