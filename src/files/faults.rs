//! Failures on demand: how tests make the disk refuse. Only debug builds carry this.
//!
//! `ARSG_FAULT=3:ENOSPC` makes the third call that changes the disk fail with that error; `KILL` ends
//! the process there, as `kill -9` does, and `POWER` ends it and takes back everything that was not
//! flushed, as a power cut may. `ARSG_FAULT_LOG` names a file that is written when the fault is met,
//! so that a test knows when it has tried all calls.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{LazyLock, Mutex, PoisonError};

/// What happens at the call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Fault {
    Error(io::ErrorKind),
    /// Everything that was written stays.
    Kill,
    /// What was not flushed is lost.
    Power,
}

/// The plan, and what is not safe on disk yet.
#[derive(Debug)]
struct State {
    at: u64,
    fault: Fault,
    calls: u64,
    /// Files with the length that is safe.
    unsynced: Vec<(PathBuf, u64)>,
    /// Entries of folders that are not safe: the path, and where the old file waits if there was one.
    entries: Vec<(PathBuf, Option<PathBuf>)>,
}

static STATE: LazyLock<Option<Mutex<State>>> = LazyLock::new(|| {
    let plan = std::env::var("ARSG_FAULT").ok()?;
    let (at, fault) = plan.split_once(':')?;
    let fault = match fault {
        "ENOSPC" => Fault::Error(io::ErrorKind::StorageFull),
        "EACCES" => Fault::Error(io::ErrorKind::PermissionDenied),
        "EINTR" => Fault::Error(io::ErrorKind::Interrupted),
        "EIO" => Fault::Error(io::ErrorKind::Other),
        "KILL" => Fault::Kill,
        "POWER" => Fault::Power,
        _ => return None,
    };
    Some(Mutex::new(State {
        at: at.parse().ok()?,
        fault,
        calls: 0,
        unsynced: Vec::new(),
        entries: Vec::new(),
    }))
});

fn with_state(change: impl FnOnce(&mut State)) {
    if let Some(state) = &*STATE {
        change(&mut state.lock().unwrap_or_else(PoisonError::into_inner));
    }
}

/// A call that changes the disk: fails here if it is its turn.
pub(super) fn meet(call: &str, path: &Path) -> io::Result<()> {
    let mut met = Ok(());
    with_state(|state| {
        state.calls += 1;
        if state.calls != state.at {
            return;
        }
        if let Some(log) = std::env::var_os("ARSG_FAULT_LOG") {
            let _ = std::fs::write(log, format!("{call} {}\n", path.display()));
        }
        met = match state.fault {
            Fault::Error(io::ErrorKind::Other) => Err(io::Error::other("Input/output error")),
            Fault::Error(kind) => Err(kind.into()),
            Fault::Kill => std::process::abort(),
            Fault::Power => state.cut_power(),
        };
    });
    met
}

/// A file was opened for writing; what it holds is safe so far.
pub(super) fn opened(path: &Path, length: u64) {
    with_state(|state| state.unsynced.push((path.to_owned(), length)));
}

/// A file was made, so that its folder has a new entry.
pub(super) fn made(path: &Path) {
    with_state(|state| state.entries.push((path.to_owned(), None)));
}

/// The content of a file is safe.
pub(super) fn synced(path: &Path, file: &File) {
    let length = file.metadata().map_or(0, |about| about.len());
    with_state(|state| {
        for (_, safe) in state.unsynced.iter_mut().filter(|(known, _)| known == path) {
            *safe = length;
        }
    });
}

/// A file is about to take another's name; the old one is kept until the folder is safe.
pub(super) fn renaming(from: &Path, to: &Path) {
    with_state(|state| {
        let mut kept = from.as_os_str().to_owned();
        kept.push("-kept");
        let kept = PathBuf::from(kept);
        let kept = std::fs::hard_link(to, &kept).is_ok().then_some(kept);
        state.entries.push((to.to_owned(), kept));
        // What the name stood for before is another file.
        state.unsynced.retain(|(path, _)| path != to);
        for (path, _) in state.unsynced.iter_mut().filter(|(path, _)| path == from) {
            *path = to.to_owned();
        }
    });
}

/// The entries of a folder are safe.
pub(super) fn folder_synced(folder: &Path) {
    with_state(|state| {
        state.entries.retain(|(path, kept)| {
            let is_safe = super::replace::folder_of(path) == folder;
            if let (true, Some(kept)) = (is_safe, kept) {
                let _ = std::fs::remove_file(kept);
            }
            !is_safe
        });
    });
}

impl State {
    /// Takes back what was not safe, the last first, and ends.
    fn cut_power(&mut self) -> ! {
        for (path, safe) in &self.unsynced {
            if let Ok(file) = File::options().write(true).open(path) {
                let length = file.metadata().map_or(0, |about| about.len());
                let _ = file.set_len(length.min(*safe));
            }
        }
        for (path, kept) in self.entries.iter().rev() {
            let _ = match kept {
                Some(kept) => std::fs::rename(kept, path),
                None => std::fs::remove_file(path),
            };
        }
        std::process::abort()
    }
}
