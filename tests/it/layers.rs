//! A room of the library uses the rooms above it in `src/lib.rs`, never those below.

use std::fs;
use std::path::{Path, PathBuf};

/// The rooms in the order of `src/lib.rs`, and the rooms of the names that the root gives again.
struct House {
    rooms: Vec<String>,
    at_root: Vec<(String, String)>,
}

impl House {
    fn read() -> House {
        let text = fs::read_to_string("src/lib.rs").unwrap();
        let mut house = House {
            rooms: Vec::new(),
            at_root: Vec::new(),
        };
        for line in text.lines() {
            let line = line.trim_start_matches("pub ").trim_end_matches(';');
            if let Some(room) = line.strip_prefix("mod ") {
                house.rooms.push(room.to_owned());
            } else if let Some((room, names)) = line
                .strip_prefix("use ")
                .and_then(|path| path.split_once("::"))
            {
                let names = names.trim_matches(['{', '}']).split(", ");
                let given = names.map(|name| (name.to_owned(), room.to_owned()));
                house.at_root.extend(given);
            }
        }
        house
    }

    /// How far down a room lies; names that the root gives again lie in their room.
    fn depth(&self, name: &str) -> Option<usize> {
        let given = self.at_root.iter().find(|(known, _)| known == name);
        let room = given.map_or(name, |(_, room)| room.as_str());
        self.rooms.iter().position(|known| known == room)
    }
}

fn source_files(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            source_files(&path, files);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
}

/// The first names of all paths that begin with `crate::`.
fn used_names(line: &str) -> impl Iterator<Item = &str> {
    let code = line.split("//").next().unwrap();
    code.split("crate::").skip(1).flat_map(|path| {
        // `use crate::{Error, Result}` names several.
        let names = path.strip_prefix('{').unwrap_or(path);
        let several = path.starts_with('{');
        let ends: &[char] = if several { &[','] } else { &[] };
        let whole = names.split('}').next().unwrap();
        let parts = whole.split(ends).take(if several { usize::MAX } else { 1 });
        parts.map(|part| {
            let part = part.trim();
            let end = part.find(|c: char| !c.is_alphanumeric() && c != '_');
            &part[..end.unwrap_or(part.len())]
        })
    })
}

#[test]
fn rooms_use_only_what_stands_above_them() {
    let house = House::read();
    assert!(house.rooms.len() > 15, "{:?}", house.rooms);
    let mut files = Vec::new();
    source_files(Path::new("src"), &mut files);
    let mut upwards = Vec::new();
    for file in files {
        let below = file.strip_prefix("src").unwrap();
        let room = below.components().next().unwrap().as_os_str();
        let room = room.to_str().unwrap().trim_end_matches(".rs");
        if matches!(room, "lib" | "main") {
            continue;
        }
        let own = house
            .depth(room)
            .unwrap_or_else(|| panic!("`{room}` is not in lib.rs"));
        let text = fs::read_to_string(&file).unwrap();
        for (number, line) in text.lines().enumerate() {
            for used in used_names(line) {
                if house.depth(used).is_some_and(|used| used > own) {
                    upwards.push(format!("{}:{}: {line}", file.display(), number + 1));
                }
            }
        }
    }
    assert!(
        upwards.is_empty(),
        "these use a room below:\n{}",
        upwards.join("\n")
    );
}

#[test]
fn names_are_found_in_every_form_of_use() {
    let names = |line| used_names(line).collect::<Vec<_>>();
    assert_eq!(names("use crate::text::Document;"), ["text"]);
    assert_eq!(names("use crate::{Error, tree::Tree};"), ["Error", "tree"]);
    assert_eq!(
        names("fn f() -> crate::Result<crate::tree::Tree> {"),
        ["Result", "tree"]
    );
    assert_eq!(names("// crate::demo is below"), Vec::<&str>::new());
}
