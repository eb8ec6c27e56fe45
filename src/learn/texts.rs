//! Files of JSON lines whose lines are found by id, without all of them in memory.

use std::fs::File;
use std::io::{BufRead, BufReader, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use rustc_hash::FxHashMap;
use serde::Deserialize;

use crate::error::{Error, Result};
use crate::json;

/// A file of JSON lines, each with an `id`.
#[derive(Debug)]
pub struct Lines {
    path: PathBuf,
    /// Where each line begins, and how long it is.
    places: FxHashMap<String, (u64, usize)>,
}

/// No line is longer than this.
const LONGEST_LINE: u64 = 64 << 20;

#[derive(Deserialize)]
struct Id {
    id: String,
}

impl Lines {
    /// Notes where every line stands.
    pub fn open(path: &Path) -> Result<Lines> {
        let file = File::open(path).map_err(|error| Error::read(path, error))?;
        let mut reader = BufReader::with_capacity(1 << 20, file);
        let mut places = FxHashMap::default();
        let (mut line, mut at, mut number) = (Vec::new(), 0, 0);
        loop {
            line.clear();
            let mut bounded = reader.by_ref().take(LONGEST_LINE + 1);
            let read = bounded.read_until(b'\n', &mut line);
            let length = read.map_err(|error| Error::read(path, error))?;
            if length == 0 {
                return Ok(Lines {
                    path: path.to_owned(),
                    places,
                });
            }
            number += 1;
            if length as u64 > LONGEST_LINE {
                return Err(Error::TooLarge(format!(
                    "`{}`, line {number}: the line has more than {} MB",
                    path.display(),
                    LONGEST_LINE >> 20
                )));
            }
            if !line.trim_ascii().is_empty() {
                let fail = |what: String| {
                    Error::Damaged(format!("`{}`, line {number}: {what}", path.display()))
                };
                let id: Id = serde_json::from_slice(&line).map_err(|e| fail(json::problem(&e)))?;
                if places.contains_key(&id.id) {
                    return Err(fail(format!("`{}` stands twice", id.id)));
                }
                places.insert(id.id, (at, length));
            }
            at += length as u64;
        }
    }

    /// How many lines.
    pub fn len(&self) -> usize {
        self.places.len()
    }

    /// True without lines.
    pub fn is_empty(&self) -> bool {
        self.places.is_empty()
    }

    /// True when a line has that id.
    pub fn contains(&self, id: &str) -> bool {
        self.places.contains_key(id)
    }

    /// The line of an id.
    pub fn get(&self, id: &str) -> Result<Option<String>> {
        let Some((at, length)) = self.places.get(id).copied() else {
            return Ok(None);
        };
        let fail = |error| Error::read(&self.path, error);
        let mut file = File::open(&self.path).map_err(fail)?;
        file.seek(SeekFrom::Start(at)).map_err(fail)?;
        let mut line = vec![0; length];
        file.read_exact(&mut line).map_err(fail)?;
        String::from_utf8(line)
            .map(Some)
            .map_err(|_| Error::Damaged(format!("`{}`: bad bytes", self.path.display())))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_found_by_their_ids() -> Result<()> {
        let folder = tempfile::tempdir().map_err(|error| Error::write("a folder", error))?;
        let path = folder.path().join("a.jsonl");
        let text = "{\"id\":\"甲\",\"text\":\"涨。\"}\n\n{\"text\":\"跌。\",\"id\":\"乙\"}";
        crate::files::replace(&path, text.as_bytes())?;
        let lines = Lines::open(&path)?;
        assert!(lines.get("乙")?.is_some_and(|line| line.contains("跌")));
        assert_eq!(lines.get("丙")?, None);
        crate::files::replace(&path, b"{\"id\":\"a\"}\n{\"id\":\"a\"}\n")?;
        let twice = Lines::open(&path).expect_err("twins").to_string();
        assert!(
            twice.contains("line 2") && twice.contains("twice"),
            "{twice}"
        );
        Ok(())
    }
}
