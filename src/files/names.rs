//! Names of files after the ids of texts, which may hold anything.

use std::collections::BTreeMap;

use crate::error::{Error, Result};

/// The longest name that is made of an id, in bytes; file systems take 255.
const MAX_NAME: usize = 160;

/// How many digits of a hash tell ids apart that would have the same name.
const HASH_DIGITS: usize = 12;

/// Names that Windows keeps for devices.
const DEVICES: [&str; 6] = ["con", "prn", "aux", "nul", "com", "lpt"];

/// The name of the file that holds what belongs to an id. An id that every file system takes as it
/// is, is the name; of any other the name holds what can be kept of it and a hash of the whole.
///
/// ```
/// use arsg::files::name_for_id;
///
/// assert_eq!(name_for_id("cpi-8月", "rs3"), "cpi-8月.rs3");
/// assert!(name_for_id("a/b", "rs3").starts_with("a-b-"));
/// assert_ne!(name_for_id("a/b", "rs3"), name_for_id("a:b", "rs3"));
/// ```
pub fn name_for_id(id: &str, extension: &str) -> String {
    let kept = keep_safe(id);
    if kept == id && !is_device(id) {
        format!("{kept}.{extension}")
    } else {
        with_hash(&kept, id, extension)
    }
}

/// What every file system takes of an id.
fn keep_safe(id: &str) -> String {
    let is_refused = |c: char| {
        c.is_control() || matches!(c, '/' | '\\' | ':' | '*' | '?' | '"' | '<' | '>' | '|')
    };
    let mut safe = String::new();
    for letter in id.trim_start_matches('.').chars() {
        let letter = if is_refused(letter) { '-' } else { letter };
        if safe.len() + letter.len_utf8() > MAX_NAME {
            break;
        }
        safe.push(letter);
    }
    let end = safe.trim_end_matches(['.', ' ']).len();
    safe.truncate(end);
    if safe.is_empty() {
        safe.push_str("text");
    }
    safe
}

/// True for `NUL`, `com1` and their kind, which Windows does not let files be called.
fn is_device(id: &str) -> bool {
    let stem = id.split('.').next().unwrap_or_default().to_lowercase();
    let letters = stem.trim_end_matches(|c: char| c.is_ascii_digit());
    DEVICES.contains(&letters) && stem.len() <= letters.len() + 1
}

fn with_hash(kept: &str, id: &str, extension: &str) -> String {
    let hash = blake3::hash(id.as_bytes()).to_hex();
    let hash = hash.get(..HASH_DIGITS).unwrap_or_default();
    format!("{kept}-{hash}.{extension}")
}

/// The names of the files of one batch. Two ids never get the same name, not even where `A` and `a`
/// are one file.
#[derive(Debug, Default)]
pub struct FileNames {
    /// How many were named.
    count: usize,
    /// The ids so far, with their places in the batch.
    ids: BTreeMap<String, usize>,
    /// Names in small letters, with their ids.
    names: BTreeMap<String, String>,
}

impl FileNames {
    /// Names the next file. An id that came before is an error that tells both places.
    pub fn next(&mut self, id: &str, extension: &str) -> Result<String> {
        self.count += 1;
        let place = self.count;
        if let Some(first) = self.ids.insert(id.to_owned(), place) {
            return Err(Error::Duplicate(format!(
                "two texts have the id `{id}`: text {first} and text {place}; \
                 give each an id of its own"
            )));
        }
        let mut name = name_for_id(id, extension);
        if self.names.contains_key(&name.to_lowercase()) {
            name = with_hash(&keep_safe(id), id, extension);
        }
        self.names.insert(name.to_lowercase(), id.to_owned());
        Ok(name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_that_need_no_change_are_names() {
        for id in [
            "cpi-8月",
            "gcdt_news_1",
            "2019.09.01",
            "A b",
            "comet",
            "nullify",
        ] {
            assert_eq!(name_for_id(id, "dis"), format!("{id}.dis"));
        }
    }

    #[test]
    fn whatever_had_to_change_is_told_apart_by_a_hash() {
        let long = "长".repeat(300);
        let longer = "长".repeat(301);
        let ids = [
            "a-b", "a/b", "a:b", "a\\b", "a\u{7}b", "../a-b", "", "text", ".", "..", "a-b.", "NUL",
            "com1.x", &long, &longer,
        ];
        let mut names: Vec<String> = ids.iter().map(|id| name_for_id(id, "label")).collect();
        for name in &names {
            assert!(name.len() < 200 && !name.starts_with('.'), "{name}");
            assert!(!name.contains(['/', '\\', ':', '\u{7}']), "{name}");
        }
        names.sort();
        names.dedup();
        assert_eq!(names.len(), ids.len());
    }

    #[test]
    fn no_text_of_a_batch_overwrites_another() {
        let mut names = FileNames::default();
        let ids = ["a/b", "a:b", "a-b", "A", "a"];
        let mut made: Vec<String> = ids
            .iter()
            .map(|id| names.next(id, "rs3").unwrap().to_lowercase())
            .collect();
        made.sort();
        made.dedup();
        assert_eq!(made.len(), ids.len());
        let again = names.next("a:b", "rs3").unwrap_err().to_string();
        assert!(again.contains("text 2 and text 6"), "{again}");
    }
}
