//! Where the text of grammars and schemas comes from: the disk, an editor, the binary itself.

use std::collections::BTreeMap;
use std::path::{Component, Path, PathBuf};

use crate::error::{Error, Result};

/// Reads the files that `use` and `schema` name. Threads may share it.
pub trait Files: Send + Sync {
    /// The text of a file.
    fn read(&self, path: &Path) -> Result<String>;

    /// True when a grammar whose first file is `root` may read `path`.
    fn may_read(&self, root: &Path, path: &Path) -> bool;
}

/// Files on disk. A grammar reads nothing outside its project: the nearest folder upwards with an
/// `arsg.toml`, or else the folder above its first file (so that `../schemas` is within reach).
#[derive(Debug, Clone, Copy, Default)]
pub struct Disk {
    /// Lets grammars read files anywhere.
    pub anywhere: bool,
}

impl Files for Disk {
    fn read(&self, path: &Path) -> Result<String> {
        crate::files::read_text(path)
    }

    fn may_read(&self, root: &Path, path: &Path) -> bool {
        if self.anywhere {
            return true;
        }
        let (Ok(root), Ok(path)) = (std::path::absolute(root), std::path::absolute(path)) else {
            return false;
        };
        let project = project_folder(&normalize(&root));
        let path = normalize(&path);
        // A link inside the project may lead out of it.
        let (real, real_project) = (real_path(&path), real_path(&project));
        path.starts_with(&project) && real.starts_with(real_project)
    }
}

/// The path without links, as far as it is there.
fn real_path(path: &Path) -> PathBuf {
    for above in path.ancestors() {
        if let Ok(real) = above.canonicalize() {
            return real.join(path.strip_prefix(above).unwrap_or(Path::new("")));
        }
    }
    path.to_owned()
}

fn project_folder(root: &Path) -> PathBuf {
    let own = root.parent().unwrap_or(root);
    let marked = own
        .ancestors()
        .find(|folder| folder.join("arsg.toml").is_file());
    marked.or(own.parent()).unwrap_or(own).to_owned()
}

/// Texts in memory, by path; what is not there is looked for in the files below, if there are any.
/// For unsaved text in an editor, standard input, tests, and what ships in the binary.
#[derive(Default)]
pub struct Memory<'f> {
    texts: BTreeMap<PathBuf, String>,
    below: Option<&'f dyn Files>,
}

impl<'f> Memory<'f> {
    /// Nothing but what is put in.
    pub fn new() -> Memory<'f> {
        Memory::default()
    }

    /// Over other files, which show through.
    pub fn over(below: &'f dyn Files) -> Memory<'f> {
        Memory {
            texts: BTreeMap::new(),
            below: Some(below),
        }
    }

    /// Puts a text in.
    pub fn with(mut self, path: impl AsRef<Path>, text: impl Into<String>) -> Memory<'f> {
        self.texts.insert(normalize(path.as_ref()), text.into());
        self
    }
}

impl Files for Memory<'_> {
    fn read(&self, path: &Path) -> Result<String> {
        match (self.texts.get(&normalize(path)), self.below) {
            (Some(text), _) => Ok(text.clone()),
            (None, Some(below)) => below.read(path),
            (None, None) => Err(Error::read(path, std::io::ErrorKind::NotFound.into())),
        }
    }

    fn may_read(&self, root: &Path, path: &Path) -> bool {
        let path = normalize(path);
        match self.below {
            _ if self.texts.contains_key(&path) => true,
            Some(below) => below.may_read(root, &path),
            None => !path.starts_with(".."),
        }
    }
}

/// The files of a revision that git keeps: `HEAD~1`, a tag, a commit.
#[derive(Debug, Clone)]
pub struct Revision {
    /// What git calls it.
    pub name: String,
}

impl Files for Revision {
    fn read(&self, path: &Path) -> Result<String> {
        let spec = format!("{}:./{}", self.name, path.display());
        let output = std::process::Command::new("git")
            .args(["show", "--end-of-options", &spec])
            .output();
        let output = output.map_err(|error| match error.kind() {
            std::io::ErrorKind::NotFound => Error::Missing(format!(
                "cannot read `{spec}`: git is not installed; write the old version to a file instead"
            )),
            _ => Error::read(&spec, error),
        })?;
        if !output.status.success() {
            let said = String::from_utf8_lossy(&output.stderr);
            let reason = said.trim().trim_start_matches("fatal: ").to_owned();
            return Err(Error::Missing(format!(
                "cannot read `{spec}`: {reason}; commit first, or name the old grammar's file: \
                 `arsg diff OLD.arsg NEW.arsg`"
            )));
        }
        if output.stdout.len() as u64 > super::LARGEST_FILE {
            let message = format!("`{spec}` is too large to be a grammar");
            return Err(Error::TooLarge(message));
        }
        String::from_utf8(output.stdout)
            .map_err(|_| Error::Encoding(format!("`{spec}` is not UTF-8")))
    }

    fn may_read(&self, _root: &Path, _path: &Path) -> bool {
        // Git shows nothing outside the repository.
        true
    }
}

/// The commit that is checked out, short, and its day; nothing where there is no git or no commit yet.
pub fn checked_out_commit() -> Option<(String, String)> {
    let output = std::process::Command::new("git")
        .args(["log", "-1", "--format=%h %cs"])
        .output();
    let output = output.ok().filter(|output| output.status.success())?;
    let said = String::from_utf8(output.stdout).ok()?;
    let (commit, date) = said.trim().split_once(' ')?;
    Some((commit.to_owned(), date.to_owned()))
}

/// `HEAD~1:grammars/a.arsg` as a revision and a path; nothing for the path of a file that is there.
pub fn split_revision(written: &str) -> Option<(Revision, PathBuf)> {
    if Path::new(written).exists() {
        return None;
    }
    let (revision, path) = written.split_once(':')?;
    // `C:\...` is no revision.
    if revision.len() < 2 || revision.starts_with('-') || path.is_empty() {
        return None;
    }
    let revision = Revision {
        name: revision.to_owned(),
    };
    Some((revision, PathBuf::from(path)))
}

/// The path that `written` names in a file.
pub(crate) fn path_beside(file: &Path, written: &str) -> PathBuf {
    let folder = file.parent().unwrap_or(Path::new(""));
    normalize(&folder.join(written))
}

/// How a file in the folder of `file` names `target`; the other way round than [`path_beside`].
pub(crate) fn path_from(file: &Path, target: &Path) -> PathBuf {
    let (Ok(file), Ok(target)) = (std::path::absolute(file), std::path::absolute(target)) else {
        return target.to_owned();
    };
    let (file, target) = (normalize(&file), normalize(&target));
    let folder = file.parent().unwrap_or(Path::new(""));
    let shared = folder
        .components()
        .zip(target.components())
        .take_while(|(one, other)| one == other)
        .count();
    // On another drive there is no way from one to the other.
    if shared == 0 {
        return target;
    }
    let up = folder
        .components()
        .skip(shared)
        .map(|_| Component::ParentDir);
    up.chain(target.components().skip(shared)).collect()
}

/// The path without `.` and without `..` after a folder.
pub(crate) fn normalize(path: &Path) -> PathBuf {
    let mut out = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir
                if matches!(out.components().next_back(), Some(Component::Normal(_))) =>
            {
                out.pop();
            }
            other => out.push(other),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_taken_from_the_file_that_names_them() {
        let file = Path::new("grammars/finance.arsg");
        assert_eq!(
            path_beside(file, "causes.arsg"),
            Path::new("grammars/causes.arsg")
        );
        assert_eq!(
            path_beside(file, "../schemas/a.toml"),
            Path::new("schemas/a.toml")
        );
        assert_eq!(
            path_beside(Path::new("a.arsg"), "../schemas/a.toml"),
            Path::new("../schemas/a.toml")
        );
    }

    #[test]
    fn a_path_leads_back_from_another_folder() {
        let target = Path::new("schemas/finance.toml");
        for (file, wanted) in [
            ("a.arsg", "schemas/finance.toml"),
            ("grammars/a.arsg", "../schemas/finance.toml"),
            ("out/deep/a.arsg", "../../schemas/finance.toml"),
            ("schemas/a.arsg", "finance.toml"),
        ] {
            let path = path_from(Path::new(file), target);
            assert_eq!(path, Path::new(wanted));
            assert_eq!(path_beside(Path::new(file), wanted), target);
        }
    }

    #[test]
    fn a_grammar_stays_in_its_project() {
        let disk = Disk::default();
        let root = Path::new("/p/grammars/a.arsg");
        assert!(disk.may_read(root, Path::new("/p/schemas/a.toml")));
        assert!(!disk.may_read(root, Path::new("/p/grammars/../../etc/passwd")));
        assert!(Disk { anywhere: true }.may_read(root, Path::new("/etc/passwd")));
    }
}
