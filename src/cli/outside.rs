//! What commands that read grammars have in common.

use crate::error::Result;
use crate::grammar::Disk;
use crate::project::Project;

/// What `--allow-outside` says, which is an option of every command.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Outside {
    allow_outside: bool,
}

/// The id of the option, as [`super::terminal::TerminalArgs`] declares it.
const ID: &str = "allow_outside";

impl clap::FromArgMatches for Outside {
    fn from_arg_matches(matches: &clap::ArgMatches) -> std::result::Result<Outside, clap::Error> {
        let allow_outside = matches.get_flag(ID);
        Ok(Outside { allow_outside })
    }

    fn update_from_arg_matches(
        &mut self,
        matches: &clap::ArgMatches,
    ) -> std::result::Result<(), clap::Error> {
        self.allow_outside = matches.get_flag(ID);
        Ok(())
    }
}

/// The option is global: it is declared once, and every command reads it.
impl clap::Args for Outside {
    fn augment_args(command: clap::Command) -> clap::Command {
        command
    }

    fn augment_args_for_update(command: clap::Command) -> clap::Command {
        command
    }
}

impl Outside {
    /// The project of the working folder.
    pub(super) fn project(&self) -> Result<Option<Project>> {
        Project::here(&self.disk())
    }

    /// The files on disk that grammars may read.
    pub(super) fn disk(&self) -> Disk {
        Disk {
            anywhere: self.allow_outside,
        }
    }
}
