//! What commands that read grammars have in common.

use crate::grammar::Disk;

#[derive(clap::Args)]
pub(super) struct Outside {
    /// Let grammars read files outside their project
    #[arg(long)]
    allow_outside: bool,
}

impl Outside {
    /// The files on disk that grammars may read.
    pub(super) fn disk(&self) -> Disk {
        Disk {
            anywhere: self.allow_outside,
        }
    }
}
