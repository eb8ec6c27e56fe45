//! Whatever changes the disk goes through `src/files`, where it can be made to fail.

use std::path::Path;

/// What changes the disk, as it is written in Rust.
const CHANGES: [&str; 10] = [
    "fs::write(",
    "fs::rename(",
    "fs::remove_file(",
    "fs::copy(",
    "fs::create_dir",
    "File::create(",
    "File::create_new(",
    "File::options()",
    "OpenOptions::new()",
    ".set_len(",
];

/// Permissions of a new project's script, and taking back half a project.
const EXCEPTIONS: [&str; 1] = ["src/project/begin.rs"];

#[test]
fn all_writes_go_through_one_room() {
    let mut folders = vec![Path::new("src").to_owned()];
    let mut found = Vec::new();
    let mut looked_at = 0;
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let name = path.display().to_string();
            if path.is_dir() {
                folders.push(path);
            } else if name.ends_with(".rs") && !name.starts_with("src/files/") {
                looked_at += 1;
                let text = std::fs::read_to_string(&path).unwrap();
                let code = text.split("#[cfg(test)]").next().unwrap_or_default();
                let is_allowed = EXCEPTIONS.contains(&name.as_str()) || name.ends_with("tests.rs");
                let changes = CHANGES
                    .iter()
                    .filter(|change| code.contains(**change) && !is_allowed);
                found.extend(changes.map(|change| format!("{name}: `{change}`")));
            }
        }
    }
    assert!(looked_at > 200, "{looked_at}");
    assert!(found.is_empty(), "{}", found.join("\n"));
}
