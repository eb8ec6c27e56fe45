//! Files: read whole up to a limit, replaced whole, named after what they hold. Everything that
//! changes the disk goes through here.

pub(crate) mod disk;
#[cfg(debug_assertions)]
mod faults;
mod growing;
mod lock;
mod names;
mod read;
mod replace;
pub(crate) mod sources;
mod sweep;
mod walk;

pub use growing::GrowingFile;
pub use lock::Lock;
pub use names::{FileNames, name_for_id};
pub use read::{
    LARGEST_FILE, LARGEST_MODEL, read_bytes, read_stdin, read_stdin_text, read_text, read_up_to,
};
pub use replace::{Replacement, create, replace};
pub use sources::{Disk, Files, Memory, Revision, checked_out_commit, split_revision};
pub(crate) use walk::find_files_and_tell;
pub use walk::{FoundFiles, PassedOver, find_files};

use std::path::Path;

/// The path of a file as seen from a folder, with `/` between names; both are taken from the working
/// folder.
pub fn relative(file: &Path, folder: &Path) -> String {
    let absolute = |path: &Path| std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    let (file, folder) = (absolute(file), absolute(folder));
    let shared = file
        .components()
        .zip(folder.components())
        .take_while(|(a, b)| a == b)
        .count();
    let up = folder.components().skip(shared).map(|_| "..".to_owned());
    let down = file
        .components()
        .skip(shared)
        .map(|part| part.as_os_str().to_string_lossy().into_owned());
    up.chain(down).collect::<Vec<_>>().join("/")
}
